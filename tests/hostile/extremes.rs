//! Inputs of extreme size, through the command, with a bound on the memory of its process. They have a fiftieth of their
//! size unless `HOSTILE_FULL` is set.

use std::env;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::disk::Disk;
use crate::tree::{End, Text, Tree};

/// How a run of the command ended.
struct Ran {
    status: Option<i32>,
    report: serde_json::Value,
    /// The most memory that the process had, in KiB.
    peak: u64,
}

/// The most memory that a process has had so far, in KiB; `None` when it has ended.
fn peak(child: &Child) -> Option<u64> {
    let mut status = String::new();
    File::open(format!("/proc/{}/status", child.id())).ok()?.read_to_string(&mut status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

fn run(disk: &Disk, kind: &str, reply: Vec<u8>) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fsrb"));
    command.current_dir(disk.root()).args(["--from", kind, "--format", "json", "-"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || drop(stdin.write_all(&reply)));
    let mut stdout = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut report = Vec::new();
        stdout.read_to_end(&mut report).unwrap();
        report
    });
    // The figure only grows: the last one before the end is the most.
    let mut most = 0;
    let status = loop {
        most = most.max(peak(&child).unwrap_or_default());
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        thread::sleep(Duration::from_millis(1));
    };
    writer.join().unwrap();
    Ran { status, report: serde_json::from_slice(&reader.join().unwrap()).unwrap(), peak: most }
}

fn tree(files: &[(&str, &str)]) -> Tree {
    let text = |text: &str| Text::new(&text.lines().map(str::to_owned).collect::<Vec<_>>(), End::Lf);
    files.iter().map(|(path, content)| ((*path).to_owned(), text(content))).collect()
}

#[expect(clippy::print_stdout, reason = "figures of a test")]
fn tell(kind: &str, size: usize, ran: &Ran) {
    println!("{kind}, {size} bytes: {} KiB", ran.peak);
}

/// The reply is refused, and nothing has changed.
#[track_caller]
fn is_refused(kind: &str, reply: String, most: u64) {
    let disk = Disk::new(&tree(&[("a.py", "x\n")]));
    let before = disk.snapshot();
    let size = reply.len();
    let ran = run(&disk, kind, reply.into_bytes());
    tell(kind, size, &ran);
    assert_eq!((ran.status, ran.report["outcome"].as_str()), (Some(1), Some("refused")));
    assert!(ran.report["diagnostics"].as_array().unwrap().iter().any(|found| found["severity"] == "error"));
    assert!(disk.snapshot() == before);
    assert!(ran.peak <= most, "{} KiB", ran.peak);
}

/// The reply is applied, and the file then holds this.
#[track_caller]
fn gives(before: &str, kind: &str, reply: String, after: &str, most: u64) {
    let disk = Disk::new(&tree(&[("a.py", before)]));
    let size = reply.len();
    let ran = run(&disk, kind, reply.into_bytes());
    tell(kind, size, &ran);
    assert_eq!((ran.status, ran.report["outcome"].as_str()), (Some(0), Some("applied")));
    assert!(std::fs::read(disk.root().join("a.py")).unwrap() == after.as_bytes());
    assert!(ran.peak <= most, "{} KiB", ran.peak);
}

/// A size, or its fiftieth.
fn sized(full: usize) -> usize {
    if env::var_os("HOSTILE_FULL").is_some() { full } else { full / 50 }
}

const MIB: usize = 1 << 20;
/// What the program itself may need, and for each byte of a line: the text, the file before and after it, what is searched.
const BASE: u64 = 32 << 10;

fn times(bytes: usize, factor: u64) -> u64 {
    BASE + bytes as u64 * factor / 1024
}

#[test]
fn one_line_of_50_mib() {
    let line = "é1 ".repeat(sized(50 * MIB) / 4);
    for kind in ["fsrb", "response", "diff"] {
        is_refused(kind, line.clone(), times(line.len(), 8));
    }
    let block = format!("a.py\n<<<<<<< SEARCH\nx\n=======\n{line}\n>>>>>>> REPLACE\n");
    gives("x\n", "response", block, &format!("{line}\n"), times(line.len(), 8));
    is_refused(
        "response",
        format!("a.py\n<<<<<<< SEARCH\n{line}\n=======\ny\n>>>>>>> REPLACE\n"),
        times(line.len(), 8),
    );
    let hunk = format!("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+{line}\n");
    gives("x\n", "diff", hunk, &format!("{line}\n"), times(line.len(), 8));
}

#[test]
fn a_hundred_thousand_blocks() {
    let count = sized(100_000);
    let before: String = (0..count).map(|number| format!("line {number};\n")).collect();
    let after: String = (0..count).map(|number| format!("new {number};\n")).collect();
    let block = |number: usize| {
        format!("a.py\n<<<<<<< SEARCH\nline {number};\n=======\nnew {number};\n>>>>>>> REPLACE\n")
    };
    let blocks: String = (0..count).map(block).collect();
    for kind in ["fsrb", "response"] {
        gives(&before, kind, blocks.clone(), &after, times(blocks.len(), 40));
    }
    // The last one is cut off: nothing is applied.
    let cut = blocks[..blocks.len() - 10].to_owned();
    is_refused("response", cut, times(blocks.len(), 200));
    let hunks: String =
        (1..=count).map(|line| format!("@@ -{line} +{line} @@\n-line {0};\n+new {0};\n", line - 1)).collect();
    let diff = format!("--- a/a.py\n+++ b/a.py\n{hunks}");
    gives(&before, "diff", diff, &after, times(hunks.len(), 40));
}

#[test]
fn a_hundred_thousand_fences_and_levels() {
    for unit in [
        "```\n",
        "```python x.py\n",
        "- ",
        "> ",
        "````markdown\n```\n",
        "<<<<<<< SEARCH\n",
        "@@ -1 +1 @@\n-a\n",
        "--- a\n+++ b\n",
    ] {
        let reply = unit.repeat(sized(100_000));
        is_refused("response", reply.clone(), times(reply.len(), 400));
        is_refused("diff", reply.clone(), times(reply.len(), 400));
    }
    // Each level a character longer.
    let nested: String = (3..1000).rev().map(|length| "`".repeat(length) + "markdown x.md\n").collect();
    is_refused("response", nested.clone(), times(nested.len(), 100));
}
