//! `--diff`: what it prints is what happens, as git reads it.

use std::io::Write;
use std::process::{Command, Stdio};

use super::support::{Tree, block};

/// Feeds `diff` to a program that runs in the tree.
fn feed(tree: &Tree, program: &str, args: &[&str], diff: &[u8]) -> std::process::Output {
    let mut child = Command::new(program)
        .args(args)
        .current_dir(tree.path())
        .env("GIT_CEILING_DIRECTORIES", tree.path().parent().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} is needed: {error}"));
    child.stdin.take().unwrap().write_all(diff).unwrap();
    child.wait_with_output().unwrap()
}

/// The dry run's diff, applied by git, makes of the tree what the command itself makes of it.
fn agrees_with_git(before: &Tree, kind: &str, input: &str) -> String {
    let (by_git, by_us) = (before.copy(), before.copy());
    let mut command = before.command(["--from", kind, "--dry-run", "--diff", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let diff = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{diff} {}", String::from_utf8_lossy(&output.stderr));
    let git = feed(&by_git, "git", &["apply", "-p1", "-"], &output.stdout);
    assert!(git.status.success(), "{}\n{diff}", String::from_utf8_lossy(&git.stderr));
    assert_eq!(by_us.pipe(["--from", kind, "-"], input).status, Some(0));
    assert_eq!(by_git.files(), by_us.files(), "{diff}");
    diff
}

#[test]
fn edits_of_all_kinds() {
    let before = Tree::new(&[
        ("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"),
        ("crlf", "one\r\ntwo\r\n"),
        ("gone", "x\n"),
        ("no newline", "x\ny"),
        ("dir/w ith \"quotes\" ü", "x\n"),
        ("kept", "x\n"),
    ]);
    let input = [
        block("a", "2\n3\n", "two\n3\n"),
        block("a", "18\n19\n", "18\n19\n19.5\n"),
        block("crlf", "two\n", "2\n"),
        block("gone", "x\n", ""),
        block("no newline", "y\n", "z\n"),
        block("dir/w ith \"quotes\" ü", "x\n", "y\n"),
        block("new dir/new", "", "n\n"),
        block("kept", "x\n", "x\n"),
    ];
    let diff = agrees_with_git(&before, "fsrb", &input.concat());
    assert!(diff.contains("\\ No newline at end of file\n"), "{diff}");
    assert!(diff.contains("\n+two\n"), "{diff}");
    assert!(!diff.contains("kept b/kept"), "{diff}");
}

#[test]
fn bytes_that_are_not_utf_8() {
    let before = Tree::new(&[("latin1", &b"caf\xe9\nx\n\xff\xfe y\n"[..])]);
    agrees_with_git(&before, "fsrb", &block("latin1", "x\n", "y\n"));
}

#[test]
fn renames_deletions_and_empty_files() {
    let before = Tree::new(&[("old", "1\n2\n3\n4\n5\n"), ("gone", "x\n"), ("empty", ""), ("pure", "x\n")]);
    let input = "diff --git a/old b/new\nrename from old\nrename to new\n--- a/old\n+++ b/new\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n\
                 diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
                 diff --git a/empty b/empty\ndeleted file mode 100644\n\
                 diff --git a/pure b/purer\nsimilarity index 100%\nrename from pure\nrename to purer\n\
                 diff --git a/made b/made\nnew file mode 100644\nindex 0000000..e69de29\n";
    let diff = agrees_with_git(&before, "diff", input);
    assert!(diff.contains("rename from old\nrename to new\n"), "{diff}");
}

#[cfg(unix)]
#[test]
fn modes() {
    use std::os::unix::fs::PermissionsExt;
    let before = Tree::new(&[("run", "x\n")]);
    let input = "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n\
                 diff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n";
    let diff = agrees_with_git(&before, "diff", input);
    assert!(diff.contains("old mode 100644\nnew mode 100755\n"), "{diff}");
    assert!(diff.contains("new file mode 100755\n"), "{diff}");
    let tree = before.copy();
    assert_eq!(tree.pipe(["--from", "diff", "-"], input).status, Some(0));
    assert_eq!(tree.join("run").metadata().unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn patch_reads_it_too() {
    let before = Tree::new(&[("a", "1\n2\n3\n"), ("gone", "x\n")]);
    let input = block("a", "2\n3\n", "two\n3\n") + &block("gone", "x\n", "") + &block("new", "", "n\n");
    let ran = before.pipe(["--dry-run", "--diff", "-"], &input);
    let (by_patch, by_us) = (before.copy(), before.copy());
    let patch = feed(&by_patch, "patch", &["-p1", "-s"], ran.stdout.as_bytes());
    assert!(patch.status.success(), "{}", String::from_utf8_lossy(&patch.stdout));
    by_us.pipe(["-"], &input);
    assert_eq!(by_patch.files(), by_us.files());
}

#[test]
fn it_comes_before_the_report() {
    let tree = Tree::new(&[("a", "x\n")]);
    let ran = tree.pipe(["--diff", "-"], block("a", "x\n", "y\n"));
    let expected = "\
diff --git a/a b/a
--- a/a
+++ b/a
@@ -1 +1 @@
-x
+y

Saved changes to a

[SUCCESS] All 1 blocks applied to 1 files.
";
    assert_eq!(ran.stdout, expected);
}

#[test]
fn with_json_it_goes_to_standard_error() {
    let tree = Tree::new(&[("a", "x\n")]);
    let ran = tree.pipe(["--diff", "--format", "json", "-"], block("a", "x\n", "y\n"));
    assert_eq!(ran.json()["outcome"], "applied");
    assert_eq!(ran.stderr, "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n");
}

#[test]
fn there_is_none_of_a_refusal() {
    let tree = Tree::new(&[("a", "x\n")]);
    let input = block("a", "x\n", "y\n") + &block("b", "x\n", "y\n");
    let ran = tree.pipe(["--diff", "-"], &input);
    assert!(ran.stdout.starts_with("[ERROR]"), "{ran:?}");
    let ran = tree.pipe(["--diff", "--keep-going", "-"], &input);
    assert!(ran.stdout.starts_with("diff --git a/a b/a\n") && !ran.stdout.contains("b/b"), "{ran:?}");
}
