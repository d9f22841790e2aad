//! `--recover`, and what an interrupted commit means for other runs.

#![cfg(unix)]

use std::process::Stdio;

use super::support::{Tree, block};

const FILES: usize = 200;

/// How far a commit has come when it is killed.
#[derive(Clone, Copy)]
enum Moment {
    /// Its journal is written.
    Journal,
    /// The first file is new.
    FirstFile,
}

impl Moment {
    fn has_come(self, tree: &Tree) -> bool {
        match self {
            Self::Journal => tree.join(".fsrb-txn/journal").exists(),
            Self::FirstFile => tree.read("f0") == "new\n",
        }
    }
}

/// A tree in which a commit was killed at or after this moment, before it was done.
fn interrupted(moment: Moment) -> Tree {
    for _ in 0..50 {
        let names: Vec<String> = (0..FILES).map(|number| format!("f{number}")).collect();
        let tree = Tree::new(&names.iter().map(|name| (name.as_str(), "old\n")).collect::<Vec<_>>());
        let input: String = names.iter().map(|name| block(name, "old\n", "new\n")).collect();
        let input_file = Tree::new(&[("in", input)]);
        let mut command = tree.command([input_file.join("in")]);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        while child.try_wait().unwrap().is_none() && !moment.has_come(&tree) {}
        child.kill().unwrap();
        child.wait().unwrap();
        if tree.join(".fsrb-txn/journal").exists() && moment.has_come(&tree) {
            return tree;
        }
    }
    panic!("no commit could be caught in the act");
}

fn content_of_all(tree: &Tree) -> Vec<String> {
    let mut contents: Vec<String> = (0..FILES).map(|number| tree.read(&format!("f{number}"))).collect();
    contents.sort();
    contents.dedup();
    contents
}

#[test]
fn with_nothing_pending_it_succeeds() {
    let tree = Tree::new(&[("a", "x\n")]);
    let ran = tree.run(["--recover"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.status),
        ("[SUCCESS] No interrupted commit was pending.\n", Some(0))
    );
    for option in ["--recover", "--recover=restore", "--recover=keep"] {
        let ran = tree.run(["--format", "json", option]);
        let expected = "{\"schema\":1,\"outcome\":\"recovered\",\"files\":[],\"diagnostics\":[]}\n";
        assert_eq!((ran.stdout.as_str(), ran.status), (expected, Some(0)));
    }
}

#[test]
fn a_root_that_does_not_exist_is_refused() {
    let ran = Tree::new::<&str>(&[]).run(["--recover", "--root", "missing", "--format", "json"]);
    assert_eq!((ran.status, ran.codes()), (Some(1), vec!["file-not-found".to_owned()]));
}

#[test]
fn a_planted_transaction_is_never_settled() {
    let tree =
        Tree::new(&[("a", "x\n"), (".fsrb-txn/journal", "fsrb-journal 1 1 1\n"), (".fsrb-txn/0", "evil\n")]);
    let before = tree.files();
    let input = block("a", "x\n", "y\n");
    for args in [&["--recover"][..], &["--recover=restore"], &["-"], &["--dry-run", "-"]] {
        let ran = tree.pipe(["--format", "json"].iter().chain(args), &input);
        assert_eq!(ran.status, Some(1), "{args:?}: {ran:?}");
        assert_eq!(ran.json()["outcome"], "refused", "{args:?}");
        assert_eq!(ran.codes()[0], "interrupted-commit", "{args:?}");
        assert_eq!(tree.files(), before, "{args:?}");
    }
}

#[test]
fn an_interrupted_commit_is_undone() {
    let tree = interrupted(Moment::Journal);
    let ran = tree.run(["--format", "json", "--recover"]);
    assert_eq!((ran.status, ran.json()["outcome"].as_str()), (Some(0), Some("recovered")));
    assert_eq!(ran.json()["files"].as_array().unwrap().len(), FILES);
    assert_eq!(content_of_all(&tree), ["old\n"]);
    assert_eq!(tree.files().len(), FILES, "nothing is left behind");
}

#[test]
fn a_dry_run_refuses_to_look_at_an_interrupted_commit() {
    let tree = interrupted(Moment::Journal);
    let before = tree.files();
    let ran = tree.pipe(["--dry-run", "--format", "json", "-"], block("f0", "old\n", "newer\n"));
    assert_eq!((ran.status, ran.json()["outcome"].as_str()), (Some(1), Some("refused")));
    assert_eq!(ran.codes()[0], "interrupted-commit");
    assert_eq!(tree.files(), before);
    let ran = tree.pipe(["--dry-run", "-"], block("f0", "old\n", "newer\n"));
    assert!(ran.stdout.starts_with("[ERROR] Commit failed.\n"), "{ran:?}");
    assert!(ran.stderr.contains("`fsrb --recover` settles it"), "{ran:?}");
}

#[test]
fn a_run_that_writes_settles_an_interrupted_commit_first() {
    let tree = interrupted(Moment::Journal);
    let ran = tree.pipe(["--format", "json", "-"], block("f0", "old\n", "newer\n"));
    assert_eq!((ran.status, ran.json()["outcome"].as_str()), (Some(0), Some("applied")), "{ran:?}");
    assert_eq!(ran.codes(), ["interrupted-commit"]);
    assert_eq!(ran.json()["diagnostics"][0]["severity"], "note");
    assert_eq!(content_of_all(&tree), ["newer\n", "old\n"]);
}

#[test]
fn a_foreign_edit_is_a_conflict_until_the_user_decides() {
    for (how, content) in [("restore", "old\n"), ("keep", "foreign\n")] {
        let tree = interrupted(Moment::FirstFile);
        tree.write("f0", "foreign\n");
        let before = tree.files();
        for args in [&["--recover"][..], &["-"]] {
            let ran = tree.pipe(["--format", "json"].iter().chain(args), block("f1", "x\n", "y\n"));
            assert_eq!((ran.status, ran.json()["outcome"].as_str()), (Some(3), Some("pending")), "{ran:?}");
            assert_eq!(tree.files(), before);
        }
        let ran = tree.run([format!("--recover={how}")]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(tree.read("f0"), content, "{how}");
        assert!(!tree.join(".fsrb-txn").exists());
    }
}
