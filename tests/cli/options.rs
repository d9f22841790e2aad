//! What each option does.

use super::support::{Tree, block};

#[test]
fn root_is_what_paths_are_relative_to() {
    let tree = Tree::new(&[("dir/a", "x\n"), ("in", block("a", "x\n", "y\n").as_str())]);
    assert_eq!(tree.run(["--root", "dir", "in"]).status, Some(0));
    assert_eq!(tree.read("dir/a"), "y\n");
}

#[test]
fn a_root_that_is_no_directory_is_refused() {
    let tree = Tree::new(&[("a", "x\n"), ("in", block("a", "x\n", "y\n").as_str())]);
    for (root, code) in [("missing", "file-not-found"), ("a", "not-a-file")] {
        let ran = tree.run(["--format", "json", "--root", root, "in"]);
        assert_eq!(ran.status, Some(1));
        assert_eq!((ran.json()["outcome"].as_str(), ran.codes()), (Some("refused"), vec![code.to_owned()]));
    }
}

#[test]
fn from_response_reads_code_blocks_among_prose() {
    let tree = Tree::new::<&str>(&[]);
    let input = "Create `src/new.rs`:\n\n```rust\nfn main() {}\n```\n";
    assert_eq!(tree.pipe(["--from", "response", "-"], input).status, Some(0));
    assert_eq!(tree.read("src/new.rs"), "fn main() {}\n");
}

#[test]
fn from_diff_reads_diffs() {
    let tree = Tree::new(&[("a", "x\ny\n")]);
    let input = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+z\n y\n";
    assert_eq!(tree.pipe(["--from", "diff", "-"], input).status, Some(0));
    assert_eq!(tree.read("a"), "z\ny\n");
}

#[test]
fn dry_run_reports_and_writes_nothing() {
    let tree = Tree::new(&[("a", "x\n"), ("gone", "x\n"), ("same", "x\n")]);
    let before = tree.files();
    let input = block("a", "x\n", "y\n")
        + &block("gone", "x\n", "")
        + &block("new/b", "", "z\n")
        + &block("same", "x\n", "x\n");
    let ran = tree.pipe(["--dry-run", "-"], input);
    let expected = "\
Would save changes to a
Would delete gone
Would save changes to new/b
Unchanged same

[SUCCESS] All 4 blocks would apply to 4 files.
";
    assert_eq!((ran.stdout.as_str(), ran.status), (expected, Some(0)));
    assert_eq!(tree.files(), before);
}

#[test]
fn a_dry_run_of_what_does_not_apply_fails() {
    let tree = Tree::new(&[("a", "x\n")]);
    assert_eq!(tree.pipe(["--dry-run", "-"], block("a", "y\n", "z\n")).status, Some(1));
}

#[test]
fn keep_going_writes_the_files_that_can_be() {
    let tree = Tree::new(&[("a", "x\n"), ("b", "x\n")]);
    let input = block("a", "x\n", "y\n") + &block("b", "no\n", "y\n") + &block("c", "", "new\n");
    let ran = tree.pipe(["--keep-going", "-"], &input);
    let expected = "\
Saved changes to a
Saved changes to c

[ERROR] Not all 3 blocks applied; 1 of 3 files failed.

File: b
  - Block #2: SEARCH block not found in file content.
    Snippet: \"no\"
";
    assert_eq!((ran.stdout.as_str(), ran.status), (expected, Some(1)));
    assert_eq!(
        (tree.read("a"), tree.read("b"), tree.read("c")),
        ("y\n".into(), "x\n".into(), "new\n".into())
    );
}

#[test]
fn keep_going_applies_to_each_file_all_or_nothing() {
    let tree = Tree::new(&[("a", "x\ny\n")]);
    let input = block("a", "x\n", "1\n") + &block("a", "no\n", "2\n");
    assert_eq!(tree.pipe(["--keep-going", "-"], &input).status, Some(1));
    assert_eq!(tree.read("a"), "x\ny\n");
}

#[test]
fn keep_going_succeeds_when_nothing_fails() {
    let tree = Tree::new(&[("a", "x\n")]);
    let ran = tree.pipe(["--keep-going", "--format", "json", "-"], block("a", "x\n", "y\n"));
    assert_eq!((ran.status, ran.json()["outcome"].as_str()), (Some(0), Some("applied")));
}

#[test]
fn keep_going_changes_nothing_when_everything_fails() {
    let tree = Tree::new(&[("a", "x\n")]);
    let ran = tree.pipe(["--keep-going", "--format", "json", "-"], block("a", "no\n", "y\n"));
    assert_eq!((ran.status, ran.json()["outcome"].as_str()), (Some(1), Some("refused")));
    assert_eq!(ran.json()["files"][0]["status"], "failed");
    assert_eq!(tree.read("a"), "x\n");
}

#[test]
fn allow_accepts_one_judgement() {
    let tree = Tree::new(&[("a.rs", "fn a() {}\nfn b() {}\n")]);
    let input = "a.rs\n```rust\n// ... existing code ...\nfn c() {}\n```\n";
    let args = ["--from", "response", "--format", "json"];
    let ran = tree.pipe(args.iter().chain(&["-"]), input);
    assert_eq!(
        (ran.status, ran.codes().contains(&"omission-placeholder".to_owned())),
        (Some(1), true),
        "{ran:?}"
    );
    let ran = tree.pipe(args.iter().chain(&["--allow", "read-only", "-"]), input);
    assert_eq!(ran.status, Some(1));
    let ran = tree.pipe(args.iter().chain(&["--allow", "omission-placeholder", "-"]), input);
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn allow_read_only_writes_a_file_without_write_permission() {
    use std::os::unix::fs::PermissionsExt;
    let tree = Tree::new(&[("a", "x\n")]);
    std::fs::set_permissions(tree.join("a"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let input = block("a", "x\n", "y\n");
    let ran = tree.pipe(["--format", "json", "-"], &input);
    assert_eq!((ran.status, ran.codes()), (Some(1), vec!["read-only".to_owned()]));
    assert_eq!(tree.pipe(["--allow", "read-only", "-"], &input).status, Some(0));
    assert_eq!(tree.read("a"), "y\n");
}

#[test]
fn max_file_size_refuses_larger_files() {
    let tree = Tree::new(&[("a", "x\n0123456789")]);
    let input = block("a", "x\n", "y\n");
    let ran = tree.pipe(["--max-file-size", "11", "--format", "json", "-"], &input);
    assert_eq!((ran.status, ran.codes()), (Some(1), vec!["too-large".to_owned()]));
    assert_eq!(tree.pipe(["--max-file-size", "12", "-"], &input).status, Some(0));
}

#[test]
fn parse_reads_and_writes_no_other_file() {
    let tree = Tree::new(&[("a", "x\n")]);
    let before = tree.files();
    let input = block("a", "not there\n", "y\n") + &block("../outside", "x\n", "y\n");
    let ran = tree.pipe(["--parse", "--root", "no/such/root", "-"], &input);
    let expected = "\
2-6: SEARCH/REPLACE block: a
8-12: SEARCH/REPLACE block: ../outside

[SUCCESS] 2 items parsed.
";
    assert_eq!((ran.stdout.as_str(), ran.status), (expected, Some(0)));
    assert_eq!(tree.files(), before);
}

#[test]
fn parse_fails_on_an_error_and_not_on_nothing() {
    let tree = Tree::new::<&str>(&[]);
    assert_eq!(tree.pipe(["--parse", "-"], "").status, Some(0));
    let ran = tree.pipe(["--parse", "-"], "a\n<<<<<<< SEARCH\nx\n");
    assert_eq!(ran.status, Some(1));
    assert!(ran.stdout.contains("[ERROR] Parsing failed.\n\nFile: a\n  - Block #1: "), "{ran:?}");
    assert!(ran.stderr.starts_with("<stdin>:2:1: error[unterminated-block]: "), "{ran:?}");
}

#[test]
fn colours_are_for_terminals() {
    let tree = Tree::new(&[("a", "x\n")]);
    let input = block("a", "no\n", "y\n");
    for args in [&["-"][..], &["--color", "auto", "-"], &["--color", "never", "-"]] {
        let ran = tree.pipe(args, &input);
        assert!(!ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'), "{ran:?}");
    }
    let ran = tree.pipe(["--color", "always", "-"], &input);
    assert!(ran.stderr.starts_with("<stdin>:2:1: \u{1b}[1;91merror[search-not-found]\u{1b}[0m: "), "{ran:?}");
    assert!(!ran.stdout.contains('\u{1b}'), "the report is never coloured: {ran:?}");
    let input = block("a", "x\n", "x\n") + "text\n" + &block(".envrc", "", "y\n");
    let ran = tree.pipe(["--color", "always", "--dry-run", "-"], &input);
    assert!(ran.stderr.contains(": \u{1b}[1;33mwarning[ignored-text]\u{1b}[0m: "), "{ran:?}");
    assert!(ran.stderr.contains(": \u{1b}[1;92mnote[sensitive-path]\u{1b}[0m: "), "{ran:?}");
}

#[test]
fn hidden_characters_of_the_input_are_never_printed() {
    let tree = Tree::new::<&str>(&[]);
    let input = block("a\u{202e}b\u{1b}]0;x\u{7}", "x\u{1b}[2J\u{9b}\u{2066}\n", "y\n");
    for format in ["human", "json"] {
        for option in ["--dry-run", "--parse"] {
            let ran = tree.pipe(["--format", format, option, "-"], &input);
            let printed = ran.stdout + &ran.stderr;
            let hidden =
                |found: &char| *found != '\n' && (found.is_control() || "\u{202e}\u{2066}".contains(*found));
            assert_eq!(printed.chars().find(hidden), None, "{format} {option}: {printed}");
        }
    }
}
