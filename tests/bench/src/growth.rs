//! Growth: twice the input takes about twice the time, whatever the input.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::process::Command;
use std::time::Duration;

use code_parser::RelPath;
use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::parse;
use code_parser::source::Source;

use crate::clock::least;
use crate::table::Table;

/// The most that twice the input may take, in times.
const LIMIT: f64 = 2.5;

/// One kind of input.
struct Shape {
    name: &'static str,
    /// The smallest of the four sizes: each is twice the one before.
    size: usize,
    make: fn(usize) -> Case,
}

/// An input, and the file that it is applied to, if it is.
struct Case {
    text: String,
    kind: InputKind,
    file: Option<Vec<u8>>,
}

impl Case {
    fn reply(text: String) -> Self {
        Self { text, kind: InputKind::Response, file: None }
    }
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "unterminated SEARCH lines",
        size: 25_000,
        make: |n| Case::reply("<<<<<<< SEARCH\n".repeat(n)),
    },
    Shape { name: "unterminated fences", size: 50_000, make: |n| Case::reply("```a\nx\n".repeat(n)) },
    Shape {
        name: "nested fences",
        size: 100_000,
        make: |n| Case::reply("```md\n".repeat(n) + &"```\n".repeat(n)),
    },
    Shape { name: "files of one hunk", size: 2_000, make: |n| one_hunk_files(n) },
    Shape { name: "one line", size: 4_000_000, make: |n| Case::reply(part(n, "Create `a.py`, change x ")) },
    Shape { name: "dense small fences", size: 50_000, make: |n| Case::reply("```\na\n```\n".repeat(n)) },
    Shape { name: "a needle of half the text", size: 1_000_000, make: needle },
    Shape { name: "tiny blocks, parsed", size: 125_000, make: |n| tiny_blocks(n, false) },
    Shape { name: "tiny blocks, applied to one file", size: 12_500, make: |n| tiny_blocks(n, true) },
    Shape {
        name: "sentences without end",
        size: 200_000,
        make: |n| Case::reply("In file `a.py`, change `x ".repeat(n)),
    },
    Shape {
        name: "sentences without end, one a line",
        size: 20_000,
        make: |n| Case::reply("In file `a.py`, change `x` to `y\n".repeat(n)),
    },
];

fn part(bytes: usize, text: &str) -> String {
    let mut line = text.repeat(bytes / text.len() + 1);
    line.truncate(bytes);
    line
}

fn one_hunk_files(n: usize) -> Case {
    let file =
        |i| format!("diff --git a/f{i} b/f{i}\n--- a/f{i}\n+++ b/f{i}\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n");
    Case { text: (0..n).map(file).collect(), kind: InputKind::Diff, file: None }
}

/// Every place of the file but the last half holds the text to find.
fn needle(bytes: usize) -> Case {
    let text = format!("f\n<<<<<<< SEARCH\n{}\n=======\nb\n>>>>>>> REPLACE\n", "a".repeat(bytes / 2));
    Case { text, kind: InputKind::Fsrb, file: Some(vec![b'a'; bytes]) }
}

fn tiny_blocks(n: usize, is_applied: bool) -> Case {
    let block = |i| format!("<<<<<<< SEARCH\n({i})\n=======\n[{i}]\n>>>>>>> REPLACE\n");
    let text = "f\n".to_owned() + &(0..n).map(block).collect::<String>();
    let file = is_applied.then(|| (0..n).map(|i| format!("({i})\n")).collect::<String>().into_bytes());
    Case { text, kind: InputKind::Fsrb, file }
}

fn time(case: &Case, runs: usize) -> Duration {
    let files: BTreeMap<_, _> =
        case.file.iter().flat_map(|file| RelPath::new("f").ok().map(|path| (path, file.clone()))).collect();
    let job = || {
        let Ok(source) = Source::new(&case.text) else { return 0 };
        let parsed = parse(&source, case.kind);
        if case.file.is_none() {
            return parsed.document.nodes.len();
        }
        match Plan::new(&parsed.changes(), &files, &Options::default()) {
            Ok(plan) => plan.files().len(),
            Err(refusal) => refusal.diagnostics.len(),
        }
    };
    least(runs, job).0
}

/// The argument with which this program takes the time of one case for itself.
///
/// A process has no memory yet that it could use again, so every size pays for its own: else the smaller ones would
/// seem cheaper than they are.
pub const GROW: &str = "--grow";

/// Prints the time of a case, given as the number of its shape and its size.
pub fn grow(mut arguments: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let mut number =
        || arguments.next().ok_or("a number is missing")?.parse::<usize>().map_err(Box::<dyn Error>::from);
    let (shape, size) = (number()?, number()?);
    let shape = SHAPES.get(shape).ok_or("there is no such shape")?;
    println!("{}", time(&(shape.make)(size), 1).as_nanos());
    Ok(())
}

/// The least time of some processes.
fn time_alone(shape: usize, size: usize, runs: usize) -> Result<Duration, Box<dyn Error>> {
    let mut least = Duration::MAX;
    for _ in 0..runs {
        let arguments = [GROW.to_owned(), shape.to_string(), size.to_string()];
        let output = Command::new(env::current_exe()?).args(arguments).output()?;
        let nanoseconds = String::from_utf8(output.stdout)?.trim().parse()?;
        least = least.min(Duration::from_nanos(nanoseconds));
    }
    Ok(least)
}

/// Each shape at four sizes.
pub fn shapes(table: &mut Table, divisor: usize) -> Result<(), Box<dyn Error>> {
    table.section("growth: the time for sizes n, 2n, 4n, 8n");
    for (number, shape) in SHAPES.iter().enumerate() {
        let mut times = [Duration::MAX; 4];
        // A time can only be too long: the machine is never faster than it is.
        for _ in 0..5 {
            for (least, power) in times.iter_mut().zip(0..) {
                *least = time_alone(number, (shape.size / divisor) << power, 3)?.min(*least);
            }
            if worst(&times) <= LIMIT {
                break;
            }
        }
        let growth = worst(&times);
        let shown: Vec<_> = times.iter().map(|time| format!("{:.1}", time.as_secs_f64() * 1e3)).collect();
        let text = format!("{}: {growth:.2}x for twice the input, {} ms", shape.name, shown.join(", "));
        table.goal(growth <= LIMIT, text);
    }
    Ok(())
}

/// The most that twice the input took.
fn worst(times: &[Duration]) -> f64 {
    let ratio = |pair: &[Duration]| pair[1].as_secs_f64() / pair[0].as_secs_f64();
    times.windows(2).map(ratio).fold(0.0, f64::max)
}

/// A text of 12 lines that is not in a file of 10,000, and the place in it that is most like it.
pub fn miss(table: &mut Table, lines: usize) {
    let mut random = crate::random::Random::new(6);
    let mut file = String::new();
    for _ in 0..lines {
        random.code_line(&mut file);
        file.push('\n');
    }
    let wanted: Vec<_> =
        file.lines().skip(lines / 2).take(12).map(|line| line.replace("a", "o") + "\n").collect();
    let text = format!("f\n<<<<<<< SEARCH\n{}=======\nb\n>>>>>>> REPLACE\n", wanted.concat());
    let taken = time(&Case { text, kind: InputKind::Fsrb, file: Some(file.into_bytes()) }, 5);
    let milliseconds = taken.as_secs_f64() * 1e3;
    table.section(&format!("a text of 12 lines that is not in a file of {lines}"));
    table.goal(
        milliseconds <= 50.0,
        format!("a miss with its nearest match: {milliseconds:.1} ms (goal: at most 50 ms)"),
    );
}
