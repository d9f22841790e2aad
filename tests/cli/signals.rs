//! SIGINT and SIGTERM while files are written.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::support::{Ran, Tree, block};

const FILES: usize = 300;

fn names() -> Vec<String> {
    (0..FILES).map(|number| format!("f{number}")).collect()
}

/// Starts a run that changes every file, and sends it a signal as soon as `moment` has come.
fn signalled(args: &[&str], signal: Signal, moment: impl Fn(&Tree) -> bool) -> (Tree, Ran) {
    let names = names();
    let tree = Tree::new(&names.iter().map(|name| (name.as_str(), "old\n")).collect::<Vec<_>>());
    let input: String = names.iter().map(|name| block(name, "old\n", "new\n")).collect();
    let inputs = Tree::new(&[("in", input)]);
    let mut command = tree.command(args);
    command.arg(inputs.join("in")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child: Child = command.spawn().unwrap();
    while child.try_wait().unwrap().is_none() && !moment(&tree) {}
    let pid = Pid::from_child(&child);
    if child.try_wait().unwrap().is_none() {
        kill_process(pid, signal).unwrap();
    }
    (tree, Ran::from(child.wait_with_output().unwrap()))
}

fn contents(tree: &Tree) -> Vec<String> {
    names().iter().map(|name| tree.read(name)).collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn sigint_and_sigterm_leave_all_old_or_all_new() {
    let staging = |tree: &Tree| tree.join(".fsrb-txn/0").exists();
    let swapping = |tree: &Tree| tree.read("f0") == "new\n";
    for signal in [Signal::INT, Signal::TERM] {
        for moment in [&staging as &dyn Fn(&Tree) -> bool, &swapping] {
            let mut cancelled = 0;
            for _ in 0..10 {
                let (tree, ran) = signalled(&["--format", "json"], signal, moment);
                assert_eq!(tree.files().len(), FILES, "nothing is left behind: {ran:?}");
                if ran.status == Some(0) {
                    assert_eq!(contents(&tree), ["new\n"]);
                    continue; // the signal came too late
                }
                assert_eq!(ran.status, Some(1), "{ran:?}");
                assert_eq!(
                    (ran.json()["outcome"].as_str(), ran.codes()[0].as_str()),
                    (Some("refused"), "commit-failed")
                );
                assert_eq!(contents(&tree), ["old\n"]);
                cancelled += 1;
                break;
            }
            assert!(cancelled > 0, "no commit could be caught in the act");
        }
    }
}

#[test]
fn a_cancelled_commit_is_told_so() {
    for _ in 0..10 {
        let (_, ran) = signalled(&[], Signal::INT, |tree| tree.join(".fsrb-txn/0").exists());
        if ran.status == Some(1) {
            assert!(ran.stdout.starts_with("[ERROR] Commit failed.\n"), "{ran:?}");
            assert!(
                ran.stdout.contains("  - The commit was cancelled; nothing of it was written.\n"),
                "{ran:?}"
            );
            return;
        }
    }
    panic!("no commit could be caught in the act");
}

#[test]
fn with_keep_going_files_are_written_or_not_one_by_one() {
    for _ in 0..10 {
        let (tree, ran) =
            signalled(&["--keep-going", "--format", "json"], Signal::INT, |tree| tree.read("f1") == "new\n");
        if ran.status == Some(1) {
            assert_eq!(ran.json()["outcome"], "partial", "{ran:?}");
            assert_eq!(contents(&tree), ["new\n", "old\n"]);
            assert_eq!(ran.codes(), ["commit-failed"], "told once");
            let files = ran.json()["files"].as_array().unwrap().clone();
            for file in &files {
                let content = tree.read(file["path"].as_str().unwrap());
                let expected = if file["status"] == "modified" { "new\n" } else { "old\n" };
                assert_eq!(content, expected, "{file}");
            }
            assert_eq!((files.len(), tree.files().len()), (FILES, FILES));
            return;
        }
    }
    panic!("no commit could be caught in the act");
}
