//! Instructions, counted by valgrind: the same on every run, however busy the machine is.
//!
//! Two questions are asked. Does a job take more instructions than were noted down for it? And does twice the input
//! take about twice as many, whatever the input? Every job runs in one process under callgrind, which writes a file of
//! its own for each call of [`counted`].

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, iter};

use code_parser::ast::InputKind;

use crate::inputs;
use crate::shapes::{Case, SHAPES};
use crate::table::Table;
use crate::tree::tree;

/// The argument with which this program runs the jobs for itself, to be counted.
pub const COUNTED: &str = "--counted";

/// So many more instructions than noted down are too many: another memory allocator or C library takes a few more.
const ALLOWANCE: f64 = 1.05;

/// The most that twice the input may take, in times. What is linear takes 2.0 times as many; sorting takes a little
/// more, and a table that grows is moved sooner or later.
const GROWTH: f64 = 2.3;

/// The sizes of each shape, in times the smallest.
const SIZES: [usize; 4] = [1, 2, 4, 8];

/// The jobs that have a bound.
fn jobs() -> Vec<(&'static str, Case)> {
    let tree = tree(1, 400_000, 50);
    let file = tree.files.first().map(|file| file.before.clone()).unwrap_or_default();
    let named = |text: String| text.replace("large.rs", "f");
    let absent = "f\n<<<<<<< SEARCH\nlet answer = compute(1);\n=======\nb\n>>>>>>> REPLACE\n".to_owned();
    vec![
        ("parse replies", Case::parsed(inputs::replies(200_000).text, InputKind::Response)),
        ("parse documents", Case::parsed(inputs::documents(400_000).text, InputKind::Response)),
        ("parse blocks", Case::parsed(inputs::blocks(400_000).text, InputKind::Fsrb)),
        ("parse a diff", Case::parsed(inputs::diff(24).text, InputKind::Diff)),
        ("plan blocks", Case::applied(named(tree.blocks), InputKind::Fsrb, file.clone()).giving(1, 0)),
        ("plan a diff", Case::applied(named(tree.diff), InputKind::Diff, file.clone()).giving(1, 0)),
        ("explain a miss", Case::applied(absent, InputKind::Fsrb, file).giving(0, 1)),
    ]
}

/// All that is counted, in order.
fn cases() -> impl Iterator<Item = Case> {
    let shapes = SHAPES.iter().flat_map(|shape| SIZES.map(|times| (shape.make)(shape.counted * times)));
    jobs().into_iter().map(|(_, case)| case).chain(shapes)
}

/// Runs every job, and fails when one does not do what it must.
pub fn run() -> Result<(), Box<dyn Error>> {
    // What is made only once, such as a table of words, is no part of any job.
    cases().next().map(|case| black_box(case.run()));
    for case in cases() {
        let result = counted(&case);
        if !case.is_right(result) {
            return Err(format!("{result:?} instead of {:?}", case.expected).into());
        }
    }
    Ok(())
}

/// The calls of this are counted; its name is an argument of callgrind.
#[inline(never)]
fn counted(case: &Case) -> (usize, usize) {
    black_box(black_box(case).run())
}

/// The instructions of every job in order.
fn instructions() -> Result<Vec<u64>, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let out = directory.path().join("calls");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--compress-strings=no", "--compress-pos=no"])
        .args(["--toggle-collect=*counts::counted", "--dump-after=*counts::counted"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe()?)
        .arg(COUNTED)
        .output()
        .map_err(|error| format!("valgrind does not run: {error}"))?;
    if !output.status.success() {
        return Err(format!("the jobs fail: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let files = (1..).map(|call| PathBuf::from(format!("{}.{call}", out.display())));
    // The last file is written at the end of the process and belongs to no call.
    let counts: Result<Vec<u64>, _> =
        files.take_while(|file| file.exists()).map(|file| total(&file)).collect();
    let mut counts = counts?;
    counts.truncate(cases().count());
    if counts.len() < cases().count() {
        return Err(format!("callgrind wrote {} counts of {}", counts.len(), cases().count()).into());
    }
    Ok(counts)
}

fn total(file: &Path) -> Result<u64, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let total =
        text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
    Ok(total.ok_or("callgrind wrote no total")?.trim().parse()?)
}

/// The file of the bounds.
fn bounds_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bounds.txt")
}

/// Where the counts are the same: another processor has other instructions.
fn machine() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "x86_64 with AVX2";
    }
    env::consts::ARCH
}

/// Counts everything and compares it with the bounds; or makes the counts the bounds.
pub fn gate(table: &mut Table, records: bool) -> Result<(), Box<dyn Error>> {
    let counts = instructions()?;
    let jobs = jobs();
    let (of_jobs, of_shapes) = counts.split_at(jobs.len());
    if records {
        let lines = jobs.iter().zip(of_jobs).map(|((name, _), count)| format!("{name}: {count}"));
        let lines: Vec<_> = iter::once(machine().to_owned()).chain(lines).collect();
        fs::write(bounds_file(), lines.join("\n") + "\n")?;
    }
    table.section("instructions of a job, as noted down and now");
    let text = fs::read_to_string(bounds_file())?;
    let mut lines = text.lines();
    let noted_on = lines.next().unwrap_or_default();
    table.check("bounds.txt", noted_on == machine(), &format!("noted on {noted_on}, this is {}", machine()));
    for ((name, case), &count) in jobs.iter().zip(of_jobs) {
        let noted =
            lines.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(": ")?.parse::<u64>().ok());
        let Some(noted) = noted else {
            table.check(name, false, "bounds.txt has no bound for it; record them anew");
            continue;
        };
        let ratio = count as f64 / noted as f64;
        let bytes = case.text.len() + case.files.values().map(Vec::len).sum::<usize>();
        let each = count as f64 / bytes as f64;
        table.goal(
            ratio <= ALLOWANCE,
            format!("{name}: {count}, {each:.1} a byte, {ratio:.3}x (goal: at most {ALLOWANCE}x)"),
        );
    }
    table.section("growth: millions of instructions for sizes n, 2n, 4n, 8n");
    for (shape, counts) in SHAPES.iter().zip(of_shapes.chunks(SIZES.len())) {
        let growth = counts.windows(2).map(|pair| pair[1] as f64 / pair[0] as f64).fold(0.0, f64::max);
        let shown: Vec<_> = counts.iter().map(|&count| format!("{:.1}", count as f64 / 1e6)).collect();
        let name = shape.name;
        table.goal(
            growth <= GROWTH,
            format!("{name}: {growth:.2}x for twice the input, {}", shown.join(", ")),
        );
    }
    Ok(())
}
