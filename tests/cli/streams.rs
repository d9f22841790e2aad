//! Standard streams that are closed, full or gone: the files and the exit status are what they are all the same.

#![cfg(target_os = "linux")]

use std::fs::OpenOptions;
use std::process::Stdio;

use super::support::{Tree, block};

fn tree() -> Tree {
    Tree::new(&[("a", "x\n"), ("in", block("a", "x\n", "y\n").as_str())])
}

fn full() -> Stdio {
    Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap())
}

/// The write end of a pipe that nobody reads.
fn gone() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Stdio::from(writer)
}

#[test]
fn a_commit_is_reported_as_one_when_the_report_cannot_be_written() {
    for format in ["human", "json"] {
        let tree = tree();
        let mut command = tree.command(["--format", format, "--diff", "in"]);
        let output = command.stdout(full()).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(tree.read("a"), "y\n");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("fsrb: standard output cannot be written: "), "{stderr}");
    }
}

#[test]
fn both_streams_may_be_full() {
    let tree = tree();
    let status = tree.command(["in"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!((status.code(), tree.read("a")), (Some(0), "y\n".to_owned()));
}

#[test]
fn a_refusal_stays_one() {
    let tree = Tree::new(&[("in", block("a", "x\n", "y\n"))]);
    assert_eq!(tree.command(["in"]).stdout(full()).stderr(full()).status().unwrap().code(), Some(1));
}

#[test]
fn what_was_only_asked_for_fails_when_it_cannot_be_written() {
    for option in ["--dry-run", "--parse"] {
        let tree = tree();
        let status = tree.command([option, "in"]).stdout(full()).stderr(Stdio::null()).status().unwrap();
        assert_eq!((status.code(), tree.read("a")), (Some(1), "x\n".to_owned()), "{option}");
    }
}

#[test]
fn a_reader_that_has_gone_away_is_no_fault() {
    let tree = tree();
    let output = tree.command(["--diff", "in"]).stdout(gone()).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!((output.status.code(), tree.read("a")), (Some(0), "y\n".to_owned()));
    let status = tree.command(["--dry-run", "in"]).stdout(gone()).stderr(gone()).status().unwrap();
    assert_eq!(status.code(), Some(1), "the SEARCH text is gone: both streams had something to say");
}

#[test]
fn help_for_nobody_is_no_fault() {
    assert_eq!(tree().command(["--help"]).stdout(gone()).status().unwrap().code(), Some(0));
}

#[test]
fn closed_streams_are_no_fault() {
    let tree = tree();
    let script = "exec \"$0\" in <&- >&- 2>&-";
    let mut shell = std::process::Command::new("sh");
    let status = shell.args(["-c", script, env!("CARGO_BIN_EXE_fsrb")]).current_dir(tree.path()).status();
    assert_eq!((status.unwrap().code(), tree.read("a")), (Some(0), "y\n".to_owned()));
    let script = "exec \"$0\" - <&-";
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", script, env!("CARGO_BIN_EXE_fsrb")]).current_dir(tree.path()).output();
    let stderr = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(stderr.starts_with("<stdin>: error[no-changes]"), "{stderr}");
}
