//! `--recover`, and what an interrupted commit means for other runs.

#![cfg(unix)]

use super::support::{Tree, block};

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
