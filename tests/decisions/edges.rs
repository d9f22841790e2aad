//! Where two rules meet, or one ends.

use crate::support::{block, diff, fsrb, response};

/// A file that is only copied from is not reported.
#[test]
fn operations_copy_reports_the_copy_only() {
    let copy = "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n";
    diff(&[("x", "a\n")], copy).gives(&[("x", "a\n"), ("y", "a\n")]).reports(&[("y", "created")]);
}

/// A new file of one blank line has that line.
#[test]
fn empty_sections_a_file_of_one_blank_line() {
    fsrb(&[], &block("a.txt", "", "\n")).gives(&[("a.txt", "\n")]);
    response(&[], &block("a.txt", "", "\n")).gives(&[("a.txt", "\n")]);
}

/// A diff block without a file header has no path, which is said at its opening fence.
#[test]
fn a_diff_block_with_hunks_without_a_file() {
    response(&[("x.py", "a\n")], "Words.\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```\n")
        .refuses(&[("missing-path", 3)]);
}

/// A reply that creates or appends to what is no file is told so: only a patch file's and a diff's create must find nothing.
#[cfg(feature = "fs")]
#[test]
fn not_a_regular_file_in_a_reply() {
    use code_parser::ast::InputKind::Response;
    let disk = crate::disk::Disk::new(&[]);
    std::fs::create_dir(disk.root().join("dir.d")).unwrap();
    disk.refuses(Response, &block("dir.d", "", "b\n"), &["not-a-file"]);
    disk.refuses(Response, "```text dir.d/../dir.d\nb\n```\n", &["unsafe-path"]);
    disk.refuses(Response, "```text title=dir.d\nb\n```\n", &["not-a-file"]);
}

/// An edit of which both sections are empty does nothing and is refused.
#[test]
fn apply_edit_with_both_sections_empty() {
    use code_parser::{CodeParser, EditInstruction};
    let edit = EditInstruction { file: "a".to_owned(), old: String::new(), new: String::new() };
    assert!(CodeParser::apply_edit("a\n", &edit).is_err());
}

/// A git section that renames to one file and names another in `+++` is refused.
#[test]
fn names_that_contradict_each_other() {
    let rename = "diff --git a/y b/w\nsimilarity index 100%\nrename from y\nrename to w\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n";
    diff(&[("y", "b\n")], rename).is_refused();
    let other = "diff --git a/y b/w\nsimilarity index 100%\nrename from y\nrename to w\n--- a/p\n+++ b/q\n@@ -1 +1 @@\n-b\n+n\n";
    diff(&[("y", "b\n"), ("p", "b\n")], other).is_refused();
}

/// A marker line with white space before it is escaped by one backslash at the very start of the line.
#[test]
fn a_bare_marker_inside_a_section_escaped_and_indented() {
    let input = "a\n<<<<<<< SEARCH\nx\n\\  =======\n=======\n\\\t>>>>>>> REPLACE\n>>>>>>> REPLACE\n";
    fsrb(&[("a", "x\n  =======\n")], input).gives(&[("a", "\t>>>>>>> REPLACE\n")]);
}

/// A file whose own change cannot be read has failed; only the others are skipped.
#[test]
fn files_whose_change_cannot_be_read_have_failed() {
    let cut = format!("{}\n```python b.py\nx\n", block("a.py", "a\n", "b\n"));
    response(&[("a.py", "a\n")], &cut)
        .refuses_for(&["unterminated-fence"])
        .reports(&[("a.py", "skipped"), ("b.py", "failed")]);
    let run = diff(&[("x", "a\n")], "diff --git a/x b/x\n--- a/x\n+++ b/x\n");
    run.refuses_for(&["missing-hunks"]).reports(&[("x", "failed")]);
    assert_eq!(run.diagnostics[0].path.as_deref(), Some("x"));
}

/// A hunk that a line without a sign cuts short of its counts is not applied.
#[test]
fn a_hunks_body_cut_by_a_line_without_a_sign() {
    let before = [("x", "a\nb\nc\n")];
    diff(&before, "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\nB\n c\n").is_refused();
    diff(&before, "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n-b\n+B\nB2\n c\n").is_refused();
}

/// A directory whose name ends in a blank is made as any other, and a commit that makes it can be undone.
#[cfg(all(feature = "fs", unix))]
#[test]
fn a_new_directory_whose_name_ends_in_a_blank() {
    use code_parser::ast::InputKind::Fsrb;
    for blank in [" ", "\u{a0}", "\u{3000}"] {
        let path = format!("e{blank}/x.py");
        crate::disk::Disk::new(&[]).gives(Fsrb, &block(&path, "", "a\n"), &[(&path, "a\n")]);
    }
}
