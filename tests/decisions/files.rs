//! The files: bytes, names, links, modes, and the report.

use code_parser::apply::plan::Options;
use code_parser::ast::InputKind;
use code_parser::diagnostic::{Diagnostic, Severity};

use crate::support::{At, block, diff, fsrb, response, run_with};

fn fsrb_bytes(before: &[u8], search: &str, replace: &str) -> crate::support::Run {
    run_with(InputKind::Fsrb, &[("a", before)], &block("a", search, replace), &Options::default())
}

/// Bytes outside the edit stay as they are: mixed endings, a byte order mark, a lone CR, what is not UTF-8.
#[test]
fn bytes_outside_the_edit() {
    for (before, after) in [
        (&b"x\r\na\ny\rz\r\n"[..], &b"x\r\nb\ny\rz\r\n"[..]),
        (b"\xef\xbb\xbfx\r\na\n", b"\xef\xbb\xbfx\r\nb\n"),
        (b"\xff\xfd\xfe\na\n\x80", b"\xff\xfd\xfe\nb\n\x80"),
        (b"x\r\r\na\r\n\r\n", b"x\r\r\nb\r\n\r\n"),
    ] {
        fsrb_bytes(before, "a\n", "b\n").gives_bytes(&[("a", after)]);
    }
}

/// Inserted lines take the endings of the lines that they replace one by one, then that of the last.
#[test]
fn bytes_outside_the_edit_and_endings_of_new_lines() {
    fsrb_bytes(b"1\r\n2\n3\r\n", "1\n2\n", "a\nb\nc\nd\n").gives_bytes(&[("a", b"a\r\nb\nc\nd\n3\r\n")]);
    fsrb_bytes(b"1\n2\r\n3\n", "1\n2\n", "a\nb\nc\n").gives_bytes(&[("a", b"a\nb\r\nc\r\n3\n")]);
    fsrb_bytes(b"1\r\n2\r\n", "2\n", "a\nb\n").gives_bytes(&[("a", b"1\r\na\r\nb\r\n")]);
    fsrb_bytes(b"1\r\n2", "2\n", "a\nb\n").gives_bytes(&[("a", b"1\r\na\r\nb")]);
    fsrb_bytes(b"1", "1\n", "a\nb\n").gives_bytes(&[("a", b"a\nb")]);
}

/// A file ends with a newline after an edit if it did before; one that did not still does not.
#[test]
fn final_newline() {
    for (before, after) in [("a\n", "b\n"), ("a", "b"), ("x\na", "x\nb"), ("a\nx", "b\nx")] {
        fsrb(&[("a", before)], &block("a", "a\n", "b\n")).gives(&[("a", after)]);
    }
    let whole = "```text a.txt\nb\n```\n";
    response(&[("a.txt", "x\n")], whole).gives(&[("a.txt", "b\n")]);
    response(&[("a.txt", "x")], whole).gives(&[("a.txt", "b")]);
    diff(&[("x", "a\nb")], "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n").gives(&[("x", "A\nb")]);
}

/// A diff's line that starts with a backslash says that the line before has no newline, in any language.
#[test]
fn final_newline_that_a_diff_gives_or_takes() {
    for no_newline in ["\\ No newline at end of file", "\\ Kein Zeilenumbruch am Dateiende."] {
        let take = format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n{no_newline}\n");
        diff(&[("x", "a\n")], &take).gives(&[("x", "b")]);
        let give = format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n{no_newline}\n+b\n");
        diff(&[("x", "a")], &give).gives(&[("x", "b\n")]);
        let keep = format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n{no_newline}\n+b\n{no_newline}\n");
        diff(&[("x", "a")], &keep).gives(&[("x", "b")]);
        let create = format!("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n{no_newline}\n");
        diff(&[], &create).gives(&[("x", "b")]);
    }
}

/// A line that a diff puts behind the last one of a file without final newline ends that one first, as the diff has it.
#[test]
fn final_newline_before_an_added_line() {
    let header = "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n";
    let none = "\\ No newline at end of file\n";
    for (before, body, after) in [
        ("a\nb", " a\n b\n{none}+c\n", "a\nb\nc\n"),
        ("a\nb", " a\n b\n{none}+c\n{none}", "a\nb\nc"),
        ("a\nb", " a\n b\n+c\n", "a\nb\nc"),
        ("a\r\nb", " a\r\n b\n{none}+c\r\n", "a\r\nb\r\nc\r\n"),
        ("a\nb", " a\n b\n{none}+c\r\n", "a\nb\nc\r\n"),
        ("a\nb", " a\n b\n{none}+c\r\n+d\n", "a\nb\nc\r\nd\n"),
        ("a\r\nb", " a\r\n-b\n{none}+b\n", "a\r\nb\n"),
        ("a\r\nb", " a\n-b\n{none}+b\n", "a\r\nb\r\n"),
        ("b", "-b\n{none}+b\n", "b\n"),
    ] {
        let body = body.replace("{none}", none);
        let input = format!("{header}{body}");
        assert_eq!(diff(&[("x", before)], &input).text("x").as_deref(), Some(after), "{before:?} {body:?}");
    }
}

/// Created files end with a line ending, empty ones stay empty.
#[test]
fn final_newline_of_a_new_file() {
    fsrb(&[], &block("a", "", "b\n")).gives(&[("a", "b\n")]);
    response(&[], "```text a.txt\nb\n```\n").gives(&[("a.txt", "b\n")]);
    response(&[("a.txt", "")], "```text a.txt\nb\n```\n").gives(&[("a.txt", "b\n")]);
    response(&[], "```text a.txt\n```\n").gives(&[("a.txt", "")]);
    diff(&[], "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n").gives(&[("x", "b\n")]);
}

/// A file that is not UTF-8 is edited by ASCII texts only.
#[test]
fn not_utf8() {
    fsrb_bytes(b"\xe4\na\n", "a\n", "b\n").gives_bytes(&[("a", b"\xe4\nb\n")]);
    fsrb_bytes(b"\xe4\na\n", "a\n", "ä\n").refuses_for(&["not-utf8"]);
    fsrb_bytes("ä\n".as_bytes(), "ä\n", "ö\n").gives_bytes(&[("a", "ö\n".as_bytes())]);
}

/// UTF-16 and files with NUL are not edited.
#[test]
fn not_utf8_but_utf16_or_binary() {
    for before in [&b"\xff\xfea\0\n\0"[..], b"\xfe\xff\0a\0\n", b"a\n\0\n"] {
        fsrb_bytes(before, "a\n", "b\n").refuses_for(&["not-utf8"]);
        for edit in others("b") {
            other(before, &edit).refuses_for(&["not-utf8"]);
        }
    }
}

/// The same holds for what is appended, for a block that is the whole file, for a sentence and for a diff.
#[test]
fn not_utf8_whatever_the_edit() {
    for edit in others("b") {
        assert!(other(b"\xe4\na\n", &edit).is_applied(), "{edit}");
    }
    for edit in others("\u{e4}") {
        other(b"\xe4\na\n", &edit).refuses_for(&["not-utf8"]);
        assert!(other("\u{e4}\na\n".as_bytes(), &edit).is_applied(), "{edit}");
    }
}

/// Edits of each shape that put a text into `x.txt`, whose last line is `a`.
fn others(text: &str) -> [String; 4] {
    [
        block("x.txt", "", &format!("{text}\n")),
        format!("```text x.txt\n{text}\n```\n"),
        format!("In `x.txt`, replace `a` with `{text}`.\n"),
        format!("```diff\n--- a/x.txt\n+++ b/x.txt\n@@ -2 +2 @@\n-a\n+{text}\n```\n"),
    ]
}

fn other(before: &[u8], input: &str) -> crate::support::Run {
    run_with(InputKind::Response, &[("x.txt", before)], input, &Options::default())
}

/// A byte order mark is kept and does not hide the first line.
#[test]
fn not_utf8_but_a_byte_order_mark() {
    fsrb_bytes("\u{feff}a\nb\n".as_bytes(), "a\n", "X\n")
        .gives_bytes(&[("a", "\u{feff}X\nb\n".as_bytes())])
        .notes(&[]);
    diff(&[("x", "\u{feff}a\nb\n")], "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+X\n b\n")
        .gives(&[("x", "\u{feff}X\nb\n")]);
    response(&[("a.txt", "\u{feff}a\n")], "```text a.txt\nb\n```\n").gives(&[("a.txt", "\u{feff}b\n")]);
}

/// Spellings of one path are one file, and its edits are applied in order.
#[test]
fn two_names_of_one_file() {
    let input = format!(
        "{}\n{}\n{}",
        block("./d/a", "1\n", "2\n"),
        block("d//a", "2\n", "3\n"),
        block("d\\a", "3\n", "4\n")
    );
    fsrb(&[("d/a", "1\n")], &input).gives(&[("d/a", "4\n")]).reports(&[("d/a", "modified")]);
}

/// A new file is not made under a name with both separators: one of them may be a typing error.
#[test]
fn a_new_file_has_one_kind_of_separator() {
    for path in [r"sr\c/new.py", r"docs/my\_file.md"] {
        fsrb(&[], &block(path, "", "x\n")).refuses_for(&["path-conflict"]);
        response(&[], &block(path, "", "x\n")).refuses_for(&["path-conflict"]);
        response(&[], &format!("```text title=\"{path}\"\nx\n```\n")).refuses_for(&["path-conflict"]);
        diff(&[], &format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"))
            .refuses_for(&["path-conflict"]);
        let rename = format!("diff --git a/x b/{path}\nrename from x\nrename to {path}\n");
        diff(&[("x", "a\n")], &rename).refuses_for(&["path-conflict"]);
    }
    fsrb(&[], &block(r"src\new.py", "", "x\n")).gives(&[("src/new.py", "x\n")]);
    // A file that is there is the one that is meant.
    fsrb(&[("a/b/c", "x\n")], &block(r"a/b\c", "x\n", "y\n")).gives(&[("a/b/c", "y\n")]);
}

/// A path that is a file and a path below it cannot both be.
#[test]
fn not_a_regular_file_but_a_directory_too() {
    let input = format!("{}\n{}", block("a", "", "x\n"), block("a/b", "", "y\n"));
    fsrb(&[], &input).refuses_for(&["path-conflict"]);
    let third = format!("{}\n{input}", block("c", "", "x\n"));
    let run = fsrb(&[], &third);
    run.refuses(&[("path-conflict", 14)]);
    assert_eq!(run.diagnostics[0].message, "`a` is a file in this input, so that there can be none below it");
    // A file that goes makes room for a directory.
    let patch = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n--- /dev/null\n+++ b/a/b\n@@ -0,0 +1 @@\n+2\n";
    diff(&[("a", "1\n")], patch).gives(&[("a/b", "2\n")]);
}

/// An input without any edit is refused; where another way to read it would find some, the message says which.
#[test]
fn nothing_to_do() {
    let edit = block("a.txt", "a\n", "b\n");
    let patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    let reply = "In file `m.py`, change `a` to `b`.\n";
    let none: [At<'_>; 1] = [("no-changes", 0)];
    for run in [fsrb(&[], ""), fsrb(&[], "Words.\n"), response(&[], "Words.\n"), diff(&[], "Words.\n")] {
        run.refuses(&none);
        assert!(run.diagnostics.iter().all(|found| found.command.is_none()), "{run:?}");
    }
    let cases = [
        (diff(&[], &edit), "--from response"),
        (fsrb(&[], patch), "--from "),
        (fsrb(&[], reply), "--from response"),
        (diff(&[], reply), "--from response"),
    ];
    for (run, hint) in cases {
        run.refuses(&none);
        let says = |found: &Diagnostic| found.message_for_person().contains(hint);
        assert!(run.diagnostics.iter().any(says), "{run:?}");
        // Who wrote the input cannot choose how it is read.
        assert!(run.diagnostics.iter().all(|found| !found.message.contains("--from")), "{run:?}");
    }
}

/// A block that changes nothing leaves its file unchanged, with a warning.
#[test]
fn nothing_to_do_in_a_block() {
    fsrb(&[("a", "a\n")], &block("a", "a\n", "a\n"))
        .gives(&[("a", "a\n")])
        .reports(&[("a", "unchanged")])
        .finds(Severity::Warning, &["no-op"]);
    response(&[("a.py", "a\n")], "In file `a.py`, change `a` to `a`.\n")
        .gives(&[("a.py", "a\n")])
        .reports(&[("a.py", "unchanged")])
        .finds(Severity::Warning, &["no-op"]);
}

/// Files are reported in the order in which they first appear in the input.
#[test]
fn report_order() {
    let edit = |path: &str, from: &str, to: &str| block(path, &format!("{from}\n"), &format!("{to}\n"));
    let input =
        [edit("c", "1", "2"), edit("a", "1", "2"), edit("c", "2", "3"), edit("b", "1", "1")].join("\n");
    fsrb(&[("a", "1\n"), ("b", "1\n"), ("c", "1\n")], &input)
        .gives(&[("a", "2\n"), ("b", "1\n"), ("c", "3\n")])
        .reports(&[("c", "modified"), ("a", "modified"), ("b", "unchanged")]);
}

/// A file over the limit is refused.
#[test]
fn files_over_the_limit() {
    let small = Options { max_file_size: 3, ..Options::default() };
    let input = block("a", "a\n", "b\n");
    run_with(InputKind::Fsrb, &[("a", b"a\nb\n")], &input, &small).refuses_for(&["too-large"]);
    run_with(InputKind::Fsrb, &[("a", b"a\nb")], &input, &small).gives(&[("a", "b\nb")]);
}
