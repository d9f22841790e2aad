//! The kinds of input whose cost must grow no faster than they do, and what is done with them.

use std::collections::BTreeMap;

use code_parser::RelPath;
use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::parse;
use code_parser::source::Source;

use crate::random::Random;

/// One kind of input.
pub struct Shape {
    pub name: &'static str,
    /// The smallest of the four sizes, as the time that it takes is measured: each is twice the one before.
    pub size: usize,
    /// The same, as its instructions are counted.
    pub counted: usize,
    pub make: fn(usize) -> Case,
}

/// An input, and the files that it is applied to; without any it is only parsed.
pub struct Case {
    pub text: String,
    pub kind: InputKind,
    pub files: BTreeMap<RelPath, Vec<u8>>,
    /// What [`Self::run`] returns, where it is known.
    pub expected: Option<(usize, usize)>,
}

impl Case {
    pub fn parsed(text: String, kind: InputKind) -> Self {
        Self { text, kind, files: BTreeMap::new(), expected: None }
    }

    fn reply(text: String) -> Self {
        Self::parsed(text, InputKind::Response)
    }

    /// With the file `f`.
    pub fn applied(text: String, kind: InputKind, file: impl Into<Vec<u8>>) -> Self {
        let path = RelPath::new("f").unwrap_or_else(|_| unreachable!("it is a path"));
        Self { text, kind, files: BTreeMap::from([(path, file.into())]), expected: None }
    }

    /// The same, which gives so many files and so many errors.
    pub fn giving(mut self, files: usize, errors: usize) -> Self {
        self.expected = Some((files, errors));
        self
    }

    /// Whether a result is the right one.
    pub fn is_right(&self, result: (usize, usize)) -> bool {
        self.expected.is_none_or(|expected| expected == result)
    }

    /// Parses it and plans its changes, if there are files. Returns how many nodes or planned files there are, and how
    /// many errors.
    pub fn run(&self) -> (usize, usize) {
        let Ok(source) = Source::new(&self.text) else { return (0, 1) };
        let parsed = parse(&source, self.kind);
        if self.files.is_empty() {
            let errors = parsed.diagnostics.iter().filter(|found| found.is_error()).count();
            return (parsed.document.nodes.len(), errors);
        }
        match Plan::new(&parsed.changes(), &self.files, &Options::default()) {
            Ok(plan) => (plan.files().len(), 0),
            Err(refusal) => (0, refusal.diagnostics.iter().filter(|found| found.is_error()).count()),
        }
    }
}

pub const SHAPES: &[Shape] = &[
    Shape {
        name: "unterminated SEARCH lines",
        size: 25_000,
        counted: 4_000,
        make: |n| Case::reply("<<<<<<< SEARCH\n".repeat(n)),
    },
    Shape {
        name: "unterminated fences",
        size: 50_000,
        counted: 4_000,
        make: |n| Case::reply("```a\nx\n".repeat(n)),
    },
    Shape {
        name: "nested fences",
        size: 100_000,
        counted: 8_000,
        make: |n| Case::reply("```md\n".repeat(n) + &"```\n".repeat(n)),
    },
    Shape { name: "files of one hunk", size: 2_000, counted: 500, make: one_hunk_files },
    Shape {
        name: "one line",
        size: 4_000_000,
        counted: 60_000,
        make: |n| Case::reply(part(n, "Create `a.py`, change x ")),
    },
    Shape {
        name: "dense small fences",
        size: 50_000,
        counted: 2_000,
        make: |n| Case::reply("```\na\n```\n".repeat(n)),
    },
    Shape { name: "a needle of half the text", size: 1_000_000, counted: 50_000, make: needle },
    Shape {
        name: "tiny blocks, parsed",
        size: 125_000,
        counted: 4_000,
        make: |n| Case::parsed(tiny_blocks(n), InputKind::Fsrb),
    },
    Shape {
        name: "tiny blocks, applied to one file",
        size: 12_500,
        counted: 1_000,
        make: |n| {
            let file: String = (0..n).map(|i| format!("({i})\n")).collect();
            Case::applied(tiny_blocks(n), InputKind::Fsrb, file).giving(1, 0)
        },
    },
    Shape {
        name: "sentences without end",
        size: 200_000,
        counted: 4_000,
        make: |n| Case::reply("In file `a.py`, change `x ".repeat(n)),
    },
    Shape {
        name: "sentences without end, one a line",
        size: 20_000,
        counted: 1_000,
        make: |n| Case::reply("In file `a.py`, change `x` to `y\n".repeat(n)),
    },
    Shape {
        name: "sections of a diff for one file",
        size: 4_000,
        counted: 500,
        make: |n| sections(n, |line, _| format!("@@ -{line},3 +{line},3 @@\n")),
    },
    Shape {
        name: "sections for one file, lines unknown",
        size: 2_000,
        counted: 1_000,
        make: |n| sections(n, |_, _| "@@ ... @@\n".to_owned()),
    },
    Shape {
        name: "sections for one file, lines wrong",
        size: 2_000,
        counted: 1_000,
        make: |n| sections(n, |line, count| format!("@@ -{0},3 +{0},3 @@\n", line * 31 % count + 1)),
    },
    Shape { name: "copies of one file", size: 1_000, counted: 125, make: copies },
    Shape {
        name: "faults of one file with a long path",
        size: 12_500,
        counted: 500,
        make: |n| {
            let path = "d/".repeat(1_000);
            Case::applied(format!("{path}f\n{}", tiny_blocks(n)), InputKind::Fsrb, "x\n").giving(0, n)
        },
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
    Case::parsed((0..n).map(file).collect(), InputKind::Diff)
}

/// Every place of the file but the last half holds the text to find.
fn needle(bytes: usize) -> Case {
    let text = format!("f\n<<<<<<< SEARCH\n{}\n=======\nb\n>>>>>>> REPLACE\n", "a".repeat(bytes / 2));
    Case::applied(text, InputKind::Fsrb, vec![b'a'; bytes]).giving(0, 1)
}

fn tiny_blocks(n: usize) -> String {
    let block = |i| format!("<<<<<<< SEARCH\n({i})\n=======\n[{i}]\n>>>>>>> REPLACE\n");
    "f\n".to_owned() + &(0..n).map(block).collect::<String>()
}

/// A diff that has a section of its own for each of its hunks, in no order, all for one file of twice so many lines.
/// Each hunk sees what those before have done. `header` is given the line and the number of lines.
fn sections(n: usize, header: fn(usize, usize) -> String) -> Case {
    let count = 2 * n + 2;
    let mut lines: Vec<String> = (0..count).map(|line| format!("    let value_{line} = {line};")).collect();
    let file = lines.join("\n") + "\n";
    let mut text = String::new();
    // The step has no factor in common with the number of lines, so that no line comes twice.
    let step = (count / 3..).find(|step| (2..=*step).all(|factor| step % factor > 0 || count % factor > 0));
    for number in 0..n {
        let at = number * step.unwrap_or(1) % (count - 2) + 1;
        let (above, old, below) = (&lines[at - 1], &lines[at], &lines[at + 1]);
        let new = old.replace("let", "pub");
        text += &format!("--- a/f\n+++ b/f\n{}", header(at, count));
        text += &format!(" {above}\n-{old}\n+{new}\n {below}\n");
        lines[at] = new;
    }
    Case::applied(text, InputKind::Diff, file).giving(1, 0)
}

/// Copies of a file that is large beside what a copy says.
fn copies(n: usize) -> Case {
    let copy = |i| format!("diff --git a/f b/c{i}\nsimilarity index 100%\ncopy from f\ncopy to c{i}\n");
    let mut random = Random::new(7);
    let mut file = String::new();
    while file.len() < 100_000 {
        random.code_line(&mut file);
        file.push('\n');
    }
    Case::applied((0..n).map(copy).collect(), InputKind::Diff, file).giving(n, 0)
}
