//! Unified diffs.

use code_parser::ast::InputKind;
use code_parser::parse;
use code_parser::source::Source;

use crate::support::{block, diff, response};

/// A diff of `x` with this hunk text.
fn of_x(hunks: &str) -> String {
    format!("--- a/x\n+++ b/x\n{hunks}")
}

/// A hunk runs to the next `@@`, `diff --git` or file header.
#[test]
fn a_hunks_body_ends_at_a_header() {
    let two = of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -3,2 +3,2 @@\n c\n-d\n+D\n");
    diff(&[("x", "a\nb\nc\nd\n")], &two).gives(&[("x", "a\nB\nc\nD\n")]).warns(&[]);
    let git = format!(
        "diff --git a/x b/x\n{}diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
        of_x("@@ -1 +1 @@\n-a\n+b\n")
    );
    diff(&[("x", "a\n"), ("y", "a\n")], &git).gives(&[("x", "b\n"), ("y", "b\n")]).warns(&[]);
}

/// Three header lines start a file whatever the counts say.
#[test]
fn a_hunks_body_ends_at_a_header_whatever_the_counts() {
    let input = format!("{}--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", of_x("@@ -1,5 +1,5 @@\n-a\n+b\n"));
    diff(&[("x", "a\n"), ("y", "a\n")], &input)
        .gives(&[("x", "b\n"), ("y", "b\n")])
        .warns(&[("hunk-count-mismatch", 3)]);
}

/// A removed line `-- a` and an added line `++ b` without `@@` behind them are lines of the hunk.
#[test]
fn a_hunks_body_holds_lines_that_look_like_a_header() {
    let input = of_x("@@ -1,2 +1,2 @@\n--- a\n+++ b\n c\n");
    diff(&[("x", "-- a\nc\n")], &input).gives(&[("x", "++ b\nc\n")]).warns(&[]);
}

/// A hunk ends at the first line that can be none of its lines.
#[test]
fn a_hunks_body_ends_at_prose() {
    let input = format!("Words before.\n\n{}\nWords after.\n", of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\n"));
    diff(&[("x", "a\nb\n")], &input).gives(&[("x", "a\nB\n")]).warns(&[]);
    response(&[("x", "a\nb\n")], &input).gives(&[("x", "a\nB\n")]).warns(&[]);
}

/// Counts that fit all but the blank lines at the end are trusted.
#[test]
fn a_hunks_body_without_blank_lines_behind_it() {
    let input = of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\n\n\n");
    diff(&[("x", "a\nb\n\n\nc\n")], &input).gives(&[("x", "a\nB\n\n\nc\n")]).warns(&[]);
    diff(&[("x", "a\nb\n")], &input).gives(&[("x", "a\nB\n")]).warns(&[]);
}

/// A blank context line may have lost its space.
#[test]
fn a_hunks_body_with_a_blank_line() {
    let input = of_x("@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n");
    diff(&[("x", "a\n\nb\n")], &input).gives(&[("x", "a\n\nB\n")]).warns(&[]);
}

/// Where the counts fit a shorter beginning, the whole is used when its old side is in the file, else the beginning.
#[test]
fn a_hunks_body_with_counts_of_a_beginning() {
    let input = of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\n c\n- d\n");
    diff(&[("x", "a\nb\nc\n d\n")], &input).gives(&[("x", "a\nB\nc\n")]).warns(&[("hunk-count-mismatch", 3)]);
    diff(&[("x", "a\nb\nq\n")], &input).gives(&[("x", "a\nB\nq\n")]).warns(&[("hunk-count-mismatch", 3)]);
    diff(&[("x", "q\n")], &input).refuses_with(("hunk-not-found", 3));
}

/// The beginning is used only where what follows changes nothing, or reads like an item of a list, a rule or the mark
/// above a mail signature and is not in the file.
#[test]
fn a_hunks_body_with_counts_of_a_beginning_loses_no_change() {
    let before = [("x", "a\nb\nq\n note\n")];
    for text in
        [" c\n", "\n- one\n- **two** `x`\n", "+ one\n", "-- \n2.39.2\n", "---\n\nWords\n", "- one\n  more\n"]
    {
        let input = of_x(&format!("@@ -1,2 +1,2 @@\n a\n-b\n+B\n{text}"));
        diff(&[("x", "a\nb\nq\n note\n")], &input).warns(&[("hunk-count-mismatch", 3)]);
        let after = if text == "+ one\n" { "a\nB\n one\nq\n note\n" } else { "a\nB\nq\n note\n" };
        diff(&before, &input).gives(&[("x", after)]);
    }
    let lines = [
        " c\n-d\n",
        " c\n+d\n",
        " c\n-  d\n",
        " c\n- * d\n",
        " c\n- \n+ \n",
        " c\n-\n",
        " c\n- note\n",
        "-c\n\\ No newline\n",
    ];
    for lines in lines {
        let input = of_x(&format!("@@ -1,2 +1,2 @@\n a\n-b\n+B\n{lines}"));
        diff(&before, &input).refuses(&[("hunk-not-found", 3)]);
    }
}

/// Otherwise the whole is used, with a warning.
#[test]
fn a_hunks_body_with_wrong_counts() {
    let input = of_x("@@ -1,9 +1,7 @@\n a\n-b\n+B\n");
    diff(&[("x", "a\nb\n")], &input).gives(&[("x", "a\nB\n")]).warns(&[("hunk-count-mismatch", 3)]);
}

/// Header lines without numbers, or with numbers that cannot be read, have none.
#[test]
fn a_hunks_body_without_numbers() {
    for header in
        ["@@ ... @@", "@@", "@@ @@", "@@ -x,y +z @@", "@@ def f(): @@", "@@ -99999999999999999999,1 +1 @@"]
    {
        println!("{header}");
        let input = of_x(&format!("{header}\n a\n-b\n+B\n"));
        diff(&[("x", "0\na\nb\n")], &input).gives(&[("x", "0\na\nB\n")]);
        let blank = format!("{input}\n");
        diff(&[("x", "0\na\nb\n")], &blank).gives(&[("x", "0\na\nB\n")]);
        diff(&[("x", "0\na\nb\n\nc\n")], &blank).gives(&[("x", "0\na\nB\n\nc\n")]);
    }
}

/// A file header with neither a hunk nor an operation behind it is an error.
#[test]
fn a_hunks_body_that_is_missing() {
    diff(&[("x", "a\n")], "```diff\n--- a/x\n+++ b/x\n```\n").refuses_with(("missing-hunks", 2));
    diff(&[("x", "a\n")], "diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n")
        .refuses_with(("missing-hunks", 1));
    diff(&[("x", "a\n")], "diff --git a/x b/x\nindex 1111111..2222222 100644\n")
        .refuses_with(("missing-hunks", 1));
}

/// The old side must match exactly, wherever it is.
#[test]
fn hunk_position() {
    let input = of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
    diff(&[("x", "0\n1\n2\na\nb\n")], &input).gives(&[("x", "0\n1\n2\na\nB\n")]).notes(&[]);
    diff(&[("x", "a\nc\n")], &input).refuses(&[("hunk-not-found", 3)]);
    diff(&[("x", " a\nb\n")], &input).refuses(&[("hunk-not-found", 3)]);
}

/// Only where nothing matches exactly may white space at the ends of lines differ.
#[test]
fn hunk_position_with_trailing_white_space() {
    let input = of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
    diff(&[("x", "a \nb\t\n")], &input).gives(&[("x", "a \nB\n")]).notes(&[("trailing-space-match", 3)]);
    diff(&[("x", "a \nb\n-\na\nb\n")], &input).gives(&[("x", "a \nb\n-\na\nB\n")]).notes(&[]);
}

/// Of several places the nearest to the stated line is taken, of two that are equally near none.
#[test]
fn hunk_position_nearest() {
    let file = "b\n2\n3\n4\nb\n6\n7\n8\nb\n";
    let at = |line: u32| of_x(&format!("@@ -{line} +{line} @@\n-b\n+B\n"));
    diff(&[("x", file)], &at(2)).gives(&[("x", "B\n2\n3\n4\nb\n6\n7\n8\nb\n")]);
    diff(&[("x", file)], &at(6)).gives(&[("x", "b\n2\n3\n4\nB\n6\n7\n8\nb\n")]);
    diff(&[("x", file)], &at(90)).gives(&[("x", "b\n2\n3\n4\nb\n6\n7\n8\nB\n")]);
    diff(&[("x", file)], &at(3)).refuses(&[("ambiguous-hunk", 3)]);
    diff(&[("x", file)], &of_x("@@ ... @@\n-b\n+B\n")).refuses(&[("ambiguous-hunk", 3)]);
}

/// A hunk has drifted as far as the one before.
#[test]
fn hunk_position_with_drift() {
    let mut lines: Vec<String> = (1..=40).map(|number| format!("line {number}")).collect();
    lines[14] = "first".to_owned();
    lines[19] = "b".to_owned();
    lines[29] = "b".to_owned();
    let file = lines.join("\n") + "\n";
    let input = of_x("@@ -5 +5 @@\n-first\n+FIRST\n@@ -21 +21 @@\n-b\n+B\n");
    lines[14] = "FIRST".to_owned();
    lines[29] = "B".to_owned();
    diff(&[("x", &file)], &input).gives(&[("x", &(lines.join("\n") + "\n"))]);
}

/// A start of 0 is no number where the hunk has old lines.
#[test]
fn hunk_position_from_zero() {
    let input = of_x("@@ -0,1 +0,1 @@\n-b\n+B\n");
    diff(&[("x", "a\nb\n")], &input).gives(&[("x", "a\nB\n")]);
    diff(&[("x", "b\n2\nb\n")], &input).refuses(&[("ambiguous-hunk", 3)]);
}

/// A hunk without old lines goes after its stated line; without a number only into an empty or a new file.
#[test]
fn hunk_position_of_an_insertion() {
    diff(&[("x", "a\nb\n")], &of_x("@@ -1,0 +2 @@\n+n\n")).gives(&[("x", "a\nn\nb\n")]);
    diff(&[("x", "a\nb\n")], &of_x("@@ -2,0 +3 @@\n+n\n")).gives(&[("x", "a\nb\nn\n")]);
    diff(&[("x", "a\nb\n")], &of_x("@@ ... @@\n+n\n")).refuses(&[("ambiguous-hunk", 3)]);
    diff(&[("x", "")], &of_x("@@ ... @@\n+n\n")).gives(&[("x", "n\n")]);
    diff(&[], "--- /dev/null\n+++ b/x\n@@ ... @@\n+n\n").gives(&[("x", "n\n")]);
}

/// A hunk without context at line 0 goes before the first line of a file that has some, as `diff -U0` writes it.
#[test]
fn hunk_position_before_the_first_line() {
    diff(&[("x", "a\n")], &of_x("@@ -0,0 +1 @@\n+n\n")).gives(&[("x", "n\na\n")]);
    diff(&[("x", "a\nb\n")], &of_x("@@ -2 +1,0 @@\n-b\n")).gives(&[("x", "a\n")]);
    diff(&[("x", "a\n")], &of_x("@@ -5,0 +6 @@\n+n\n")).refuses(&[("hunk-not-found", 3)]);
}

/// Two hunks may not share a line, be it context only.
#[test]
fn hunk_position_with_shared_context() {
    let input = of_x("@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n@@ -2,3 +2,3 @@\n b\n c\n-d\n+D\n");
    diff(&[("x", "a\nb\nc\nd\n")], &input).refuses(&[("overlapping-hunks", 8)]);
    let touching = of_x("@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -3,2 +3,2 @@\n c\n-d\n+D\n");
    diff(&[("x", "a\nb\nc\nd\n")], &touching).gives(&[("x", "A\nb\nc\nD\n")]);
}

/// Every hunk of a section matches the file as it was before the section.
#[test]
fn hunk_position_in_the_file_as_it_was() {
    let input = of_x("@@ -1 +1 @@\n-a\n+b\n@@ -2 +2 @@\n-b\n+c\n");
    diff(&[("x", "a\nb\n")], &input).gives(&[("x", "b\nc\n")]);
    let made = of_x("@@ -1 +1 @@\n-a\n+z\n@@ -1 +1 @@\n-z\n+y\n");
    diff(&[("x", "a\n")], &made).refuses_with(("hunk-not-found", 6));
}

/// Two hunks may not change the same lines.
#[test]
fn hunk_position_overlapping() {
    let input = of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -2,2 +2,2 @@\n-b\n+C\n c\n");
    diff(&[("x", "a\nb\nc\n")], &input).refuses_with(("overlapping-hunks", 7));
}

/// Nothing but white space at the ends of lines is forgiven.
#[test]
fn hunk_position_without_fuzz() {
    let input = of_x("@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e\n");
    for file in ["z\nb\nc\nd\ne\n", "a\nb\nc\nd\nz\n", "a\nb\nc\nd\n", "a\nb\n\nc\nd\ne\n"] {
        diff(&[("x", file)], &input).refuses(&[("hunk-not-found", 3)]);
    }
}

fn renamed(old: &str, new: &str) -> String {
    format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n")
}

/// The letters of two sides are removed when they differ, or when one side is no file.
#[test]
fn names_with_prefixes() {
    for (old, new) in
        [("a/d/x", "b/d/x"), ("i/d/x", "w/d/x"), ("c/d/x", "i/d/x"), ("o/d/x", "w/d/x"), ("d/x", "d/x")]
    {
        diff(&[("d/x", "a\n")], &renamed(old, new)).gives(&[("d/x", "b\n")]);
    }
    diff(&[("a/x", "a\n"), ("x", "a\n")], &renamed("a/x", "a/x")).gives(&[("a/x", "b\n"), ("x", "a\n")]);
    diff(&[], "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+n\n").gives(&[("x", "n\n")]);
    diff(&[("x", "n\n")], "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-n\n").gives(&[]);
}

/// Quoted names are unescaped.
#[test]
fn names_in_quotes() {
    diff(&[("ä x", "a\n")], &renamed("\"a/\\303\\244 x\"", "\"b/\\303\\244 x\"")).gives(&[("ä x", "b\n")]);
    diff(&[("a\"b", "a\n")], &renamed("\"a/a\\\"b\"", "\"b/a\\\"b\"")).gives(&[("a\"b", "b\n")]);
}

/// A name without quotes ends at a tab, or at a blank before a date; blanks at its end are cut.
#[test]
fn names_and_their_ends() {
    for rest in
        ["\t2024-01-02 03:04:05.000000000 +0000", " 2024-01-02 03:04:05 +0000", "  ", "\t(revision 7)", "\t"]
    {
        diff(&[("a b", "a\n")], &renamed(&format!("a/a b{rest}"), &format!("b/a b{rest}")))
            .gives(&[("a b", "b\n")]);
    }
}

/// Of two different names the old one is renamed when it exists; when only the new one does, that is edited.
#[test]
fn names_that_differ() {
    let input = renamed("a/old", "b/new");
    diff(&[("old", "a\n")], &input).gives(&[("new", "b\n")]).reports(&[("new", "renamed")]);
    diff(&[("new", "a\n")], &input).gives(&[("new", "b\n")]).reports(&[("new", "modified")]);
    let run = diff(&[("old", "a\n")], &input);
    assert_eq!(run.detail("new"), Some("old"));
}

/// A file that is renamed twice comes from where it was before.
#[test]
fn names_of_a_file_that_is_renamed_twice() {
    let input = format!("{}--- a/y\n+++ b/z\n@@ -1 +1 @@\n-b\n+c\n", renamed("a/x", "b/y"));
    let run = diff(&[("x", "a\n")], &input);
    run.gives(&[("z", "c\n")]);
    assert_eq!(run.detail("z"), Some("x"));
}

/// A timestamp of the epoch in any time zone says that there is no file on its side.
#[test]
fn names_with_the_epoch() {
    let now = "\t2024-01-02 03:04:05.000000000 +0000";
    for epoch in [
        "\t1970-01-01 00:00:00.000000000 +0000",
        "\t1970-01-01 01:00:00 +0100",
        "\t1969-12-31 19:00:00.000000000 -0500",
    ] {
        let create = format!("--- x{epoch}\n+++ x{now}\n@@ -0,0 +1 @@\n+n\n");
        diff(&[], &create).gives(&[("x", "n\n")]).reports(&[("x", "created")]);
        let delete = format!("--- x{now}\n+++ x{epoch}\n@@ -1 +0,0 @@\n-n\n");
        diff(&[("x", "n\n")], &delete).gives(&[]).reports(&[("x", "deleted")]);
    }
}

/// A first hunk of `-0,0` creates a file that does not exist and fills an empty one.
#[test]
fn names_of_a_file_that_is_not_there() {
    let input = of_x("@@ -0,0 +1,2 @@\n+a\n+b\n");
    diff(&[], &input).gives(&[("x", "a\nb\n")]);
    diff(&[("x", "")], &input).gives(&[("x", "a\nb\n")]);
    diff(&[], &of_x("@@ -1 +1 @@\n-a\n+b\n")).refuses(&[("file-not-found", 2)]);
}

/// Create, delete, rename, copy and mode.
#[test]
fn operations() {
    let create = "diff --git a/d/x b/d/x\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/d/x\n@@ -0,0 +1 @@\n+n\n";
    diff(&[], create).gives(&[("d/x", "n\n")]).reports(&[("d/x", "created")]);
    let empty = "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n";
    diff(&[], empty).gives(&[("x", "")]).reports(&[("x", "created")]);
    let delete = "diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    diff(&[("x", "a\nb\n")], delete).gives(&[]).reports(&[("x", "deleted")]);
    let rename = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    diff(&[("x", "a\n")], rename).gives(&[("y", "a\n")]).reports(&[("y", "renamed")]);
    let copy = "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n";
    diff(&[("x", "a\n")], copy).gives(&[("x", "a\n"), ("y", "a\n")]);
    let edited = format!("{rename}--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n").replace("100%", "50%");
    diff(&[("x", "a\n")], &edited).gives(&[("y", "b\n")]).reports(&[("y", "renamed")]);
}

/// A deletion's hunks account for the whole file; a file that is merely emptied stays.
#[test]
fn operations_delete_only_what_is_said() {
    let delete = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    diff(&[("x", "a\nb\n")], delete).refuses(&[("hunk-not-found", 3)]);
    diff(&[("x", "a\n")], &of_x("@@ -1 +0,0 @@\n-a\n")).gives(&[("x", "")]).reports(&[("x", "modified")]);
}

/// What is created, renamed or copied does not take the place of a file.
#[test]
fn operations_do_not_overwrite() {
    diff(&[("x", "a\n")], "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+n\n").refuses(&[("create-exists", 2)]);
    let before = [("x", "a\n"), ("y", "b\n")];
    let rename = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    diff(&before, rename).refuses(&[("create-exists", 4)]);
    let copy = "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n";
    diff(&before, copy).refuses(&[("create-exists", 4)]);
    diff(&[], rename).refuses(&[("file-not-found", 3)]);
}

/// Renames and copies of a git diff take their source as it was before the diff.
#[test]
fn operations_start_from_the_files_before_the_diff() {
    let swap = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\ndiff --git a/y b/x\nsimilarity index 100%\nrename from y\nrename to x\n";
    diff(&[("x", "a\n"), ("y", "b\n")], swap).gives(&[("x", "b\n"), ("y", "a\n")]);
    let edit_and_copy = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\ndiff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n";
    diff(&[("x", "a\n")], edit_and_copy).gives(&[("x", "A\n"), ("y", "a\n")]);
    let freed = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\ndiff --git a/y b/x\nsimilarity index 100%\nrename from y\nrename to x\n";
    diff(&[("x", "a\n"), ("y", "b\n")], freed).gives(&[("x", "b\n")]);
}

/// A section that deletes what an earlier one of the same diff has changed deletes it.
#[test]
fn operations_delete_what_the_diff_has_changed() {
    let edit = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    let delete =
        "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-B\n";
    diff(&[("x", "a\nb\n")], &format!("{edit}{delete}")).gives(&[]).reports(&[("x", "deleted")]);
    response(&[("x", "a\nb\n")], &format!("{edit}\nThen:\n\n{delete}")).gives(&[]);
    let again = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-B\n+b\n";
    let delete = delete.replace("-B", "-b");
    diff(&[("x", "a\nb\n")], &format!("{edit}{again}{delete}")).gives(&[]);
}

/// A later section of the same file sees what an earlier one did.
#[test]
fn operations_in_order() {
    let twice = format!("{}{}", of_x("@@ -1 +1 @@\n-a\n+b\n"), of_x("@@ -1 +1 @@\n-b\n+c\n"));
    diff(&[("x", "a\n")], &twice).gives(&[("x", "c\n")]);
    let renamed = format!(
        "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n{}",
        of_x("@@ -1 +1 @@\n-a\n+b\n").replace('x', "y").replace("--- ", "diff --git a/y b/y\n--- ")
    );
    diff(&[("x", "a\n")], &renamed).gives(&[("y", "b\n")]).reports(&[("y", "renamed")]);
}

/// Links, submodules and binary content are refused at the line that says so.
#[test]
fn operations_that_are_not_supported() {
    let link = "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n";
    diff(&[], link).refuses_with(("unsupported-mode", 2));
    let module = "diff --git a/x b/x\nnew file mode 160000\nindex 0000000..1111111\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+Subproject commit 1111111111111111111111111111111111111111\n";
    for kind in ["060644", "040755"] {
        let device =
            format!("diff --git a/d b/d\nnew file mode {kind}\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+x\n");
        diff(&[], &device).refuses_with(("unsupported-mode", 2));
    }
    diff(&[], module).refuses_with(("unsupported-mode", 2));
    let binary = "diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n";
    diff(&[("x", "a\n")], binary).refuses_with(("binary-patch", 3));
    let literal =
        "diff --git a/x b/x\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKc$~{iP5\n\n";
    diff(&[("x", "a\n")], literal).refuses_with(("binary-patch", 3));
}

/// Added lines take the ending of the lines that they replace.
#[test]
fn line_endings() {
    let input = of_x("@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n");
    diff(&[("x", "a\r\nb\r\n")], &input).gives(&[("x", "a\r\nB\r\nC\r\n")]);
    diff(&[("x", "a\nb\r\n")], &input).gives(&[("x", "a\nB\r\nC\r\n")]);
}

/// When the old side matches with its endings, added lines keep those that they have in the diff.
#[test]
fn line_endings_of_the_diff() {
    diff(&[("x", "a\r\n")], &of_x("@@ -1 +1 @@\n-a\r\n+a\n")).gives(&[("x", "a\n")]);
    diff(&[("x", "a\nb\n")], &of_x("@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n")).gives(&[("x", "a\r\nb\n")]);
    diff(&[("x", "a\r\nb\r\n")], &of_x("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n")).gives(&[("x", "a\r\nc\r\n")]);
}

/// A line without sign in a hunk whose counts or lines show that it goes on is an error; the hunk would lose a line.
#[test]
fn a_hunks_body_that_a_line_without_sign_cuts() {
    let before = [("x", "a\nb\nc\nd\n")];
    let bodies = [
        ("@@ -1,3 +1,3 @@", " a\n-b\nB\n c\n"),
        ("@@ -1,3 +1,4 @@", " a\n-b\n+B\nB2\n c\n"),
        ("@@ -1,9 +1,9 @@", " a\n-b\n+B\nB2\n c\n"),
        ("@@ -1,9 +1,9 @@", " a\n-b\n+B\nB2\nB3\n c\n"),
        ("@@ -1,3 +1,3 @@", " a\n-b\n+B\nB2\n+c\n"),
        ("@@ ... @@", " a\n-b\n+B\nB2\n c\n"),
        ("@@ ... @@", " a\n-b\n+B\nB2\n-c\n"),
        ("@@ -1,2 +1,3 @@", " a\n-b\n+B\nB2\n"),
        ("@@ -1,2 +1,4 @@", " a\n-b\n+B\nB2\nB3\n"),
        ("@@ -1,4 +1,5 @@", " a\n-b\n+B\n\nB2\n c\n"),
        ("@@ -1,2 +1,2 @@", " a\n-b\n+B\n c\nB2\n+d\n"),
        ("@@ -1,3 +1,3 @@", " a\nb\n\n-c\n\\ No newline at end of file\n+d\n\\ No newline at end of file\n"),
        ("@@ -1,9 +1,9 @@", " a\nb\n\n-c\n+d\n"),
        // A line that starts with a backslash and no word says nothing of the file's end.
        ("@@ ... @@", " a\n-b\n+B\n\\{x}\n c\n"),
        ("@@ ... @@", " a\n-b\n+B\n\\1\n c\n"),
        ("@@ ... @@", " a\n-b\n+B\n\\\n c\n"),
    ];
    for (header, body) in bodies {
        let input = of_x(&format!("{header}\n{body}"));
        diff(&before, &input).refuses(&[("malformed-hunk", 3)]).points_at("malformed-hunk", 3, "@@");
        response(&before, &format!("```diff\n{input}```\n")).refuses(&[("malformed-hunk", 4)]);
    }
    // In a fence stands nothing but the diff.
    let counted = of_x("@@ -1,2 +1,2 @@\n a\n-b\n+B\nB2\n+d\n");
    response(&before, &format!("```diff\n{counted}```\n")).refuses(&[("malformed-hunk", 4)]);
    diff(&before, &counted).gives(&[("x", "a\nB\nc\nd\n")]);
}

/// Prose behind a hunk whose counts are too large is none of it.
#[test]
fn a_hunks_body_with_large_counts_before_prose() {
    let texts = [
        "Done.\n",
        "Done.\n\n  indented\n",
        "\nDone.\n  indented\n",
        "\nNotes:\n- first\n",
        "*** End Patch\n",
    ];
    for text in texts {
        let input = of_x(&format!("@@ -1,9 +1,9 @@\n a\n-b\n+B\n{text}"));
        diff(&[("x", "a\nb\n")], &input).gives(&[("x", "a\nB\n")]).warns(&[("hunk-count-mismatch", 3)]);
    }
}

/// Where prose follows a hunk with too large counts directly, the warning says where; in a diff block it may be a line of the
/// hunk that has lost its sign, and nothing is applied.
#[test]
fn a_hunks_body_with_large_counts_before_a_line_without_sign() {
    let hunk = "@@ -1,3 +1,3 @@\n-a\n+A\nend\n";
    let run = diff(&[("x", "a\nb\nend\n")], &of_x(hunk));
    run.gives(&[("x", "A\nb\nend\n")]).warns(&[("hunk-count-mismatch", 3)]);
    assert_eq!(
        run.diagnostics[0].related[0].message,
        "this line has no sign and is not taken for one of the hunk's"
    );
    let block = format!("```diff\n{}```\n", of_x(hunk));
    diff(&[("x", "a\nb\nend\n")], &block).refuses(&[("malformed-hunk", 4)]).warns(&[]);
}

/// A hunk that belongs to no file is an error where it is surely one.
#[test]
fn a_hunk_without_a_file() {
    let before = [("x", "a\nb\n")];
    let hunk = "@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    for input in [hunk.to_owned(), format!("Words.\n\n{hunk}"), format!("x:\n{hunk}Words.\n")] {
        let line = u32::try_from(input.lines().position(|line| line.starts_with("@@")).unwrap() + 1).unwrap();
        diff(&before, &input).refuses(&[("missing-path", line)]);
        response(&before, &input).refuses(&[("missing-path", line)]);
    }
    let after_a_fence = format!("```diff\n{}```\n{hunk}", of_x(hunk));
    response(&before, &after_a_fence).refuses(&[("missing-path", 9)]);
    // It has no changes; but the header is of some hunk.
    for prose in ["@@ -1,2 +1,2 @@\n a\n b\n", "@@ -1 +1 @@\nwords\n", "> @@ -1 +1 @@\n-a\n+b\n"] {
        diff(&before, prose).refuses_with(("malformed-hunk", 1));
    }
    for prose in ["@@ -1 +1 @@\n\nwords\n", "@@ words @@\n-a\n+b\n", "> @@ -1 +1 @@\n> -a\n> +b\n"] {
        diff(&before, prose).refuses(&[("no-changes", 0)]);
    }
    response(&before, &format!("```text\n{hunk}```\n")).refuses(&[("no-changes", 0)]);
}

/// Lines of a `diff --git` section that name different files are refused at the one that contradicts an earlier one.
#[test]
fn names_of_a_git_section_that_differ() {
    let before = [("x", "a\n"), ("y", "a\n")];
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    diff(&before, &format!("diff --git a/x b/x\n--- a/y\n+++ b/y\n{hunk}")).refuses(&[("path-conflict", 2)]);
    diff(&before, &format!("diff --git a/x b/x\n--- a/x\n+++ b/y\n{hunk}")).refuses(&[("path-conflict", 3)]);
    let rename = "diff --git a/x b/z\nrename from x\nrename to z\n";
    diff(&before, &format!("{rename}--- a/y\n+++ b/z\n{hunk}")).refuses(&[("path-conflict", 4)]);
    diff(&before, &format!("{rename}--- /dev/null\n+++ b/z\n{hunk}")).refuses(&[("path-conflict", 4)]);
    diff(&before, &format!("{rename}\n--- a/y\n+++ b/y\n{hunk}")).gives(&[("y", "b\n"), ("z", "a\n")]);
}

/// A backslash too many in one of the two names would move the file into another directory.
#[test]
fn names_that_differ_by_a_backslash() {
    let before = [("src/x.py", "a\n")];
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    for (old, new) in
        [("a/src/x.py", r"b/src/x\.py"), (r"a/src/\x.py", "b/src/x.py"), ("a/src/x.py", r"b/s\rc/x.py")]
    {
        for rename in ["", "diff --git a/src/x.py b/src/x.py\n"] {
            diff(&before, &format!("{rename}--- {old}\n+++ {new}\n{hunk}")).refuses_for(&["path-conflict"]);
        }
    }
    // As a separator it is none too many.
    diff(&before, &format!("--- a/src\\x.py\n+++ b/src/x.py\n{hunk}")).gives(&[("src/x.py", "b\n")]);
    diff(&before, &format!("--- a/src\\x.py\n+++ b/src\\x.py\n{hunk}")).gives(&[("src/x.py", "b\n")]);
}

/// `/dev/null` without its slash is the name of a file, which would take the edit: it is refused beside another name.
#[test]
fn dev_null_without_its_slash() {
    let added = "@@ -0,0 +1 @@\n+a\n";
    diff(&[], &format!("--- dev/null\n+++ b/x\n{added}")).refuses(&[("path-conflict", 1)]);
    diff(&[], &format!("--- a/dev/null\n+++ b/x\n{added}")).gives(&[("x", "a\n")]);
    let before = [("x", "a\n"), ("dev/null", "a\n")];
    let removed = "@@ -1 +0,0 @@\n-a\n";
    for new in ["dev/null", "b/dev/null"] {
        diff(&before, &format!("--- a/x\n+++ {new}\n{removed}")).refuses(&[("path-conflict", 2)]);
    }
    // A file of that name.
    let edited = [("x", "a\n"), ("dev/null", "b\n")];
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    diff(&before, &format!("--- a/dev/null\n+++ b/dev/null\n{hunk}")).gives(&edited);
    diff(&before, &format!("--- dev/null\n+++ dev/null\n{hunk}")).gives(&edited);
    let rename = "diff --git a/x b/dev/null\nrename from x\nrename to dev/null\n--- a/x\n+++ b/dev/null\n";
    diff(&before[..1], &format!("{rename}{hunk}")).gives(&[("dev/null", "b\n")]);
}

/// A name in quotes may have nothing to unescape.
#[test]
fn names_in_quotes_without_escapes() {
    let quoted = "--- \"a/x y\"\n+++ \"b/x y\"\n@@ -1 +1 @@\n-a\n+b\n";
    diff(&[("x y", "a\n")], quoted).gives(&[("x y", "b\n")]);
}

/// A fault of a hunk says which change and which hunk of it.
#[test]
fn a_fault_says_which_hunk_it_is() {
    let input = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n@@ -5 +5 @@\n";
    let run = diff(&[("x", "a\n"), ("y", "a\n")], input);
    run.refuses(&[("malformed-hunk", 11)]);
    assert_eq!((run.diagnostics[0].block, run.diagnostics[0].hunk), (Some(2), Some(2)));
    let source = Source::new(input).unwrap();
    assert_eq!(parse(&source, InputKind::Diff).diagnostics[0].hunk, Some(2), "before there are changes");
}

/// A hunk that only adds lines where its header promises old ones has lost them.
#[test]
fn a_hunk_that_lost_its_old_lines() {
    let only_adds = |header: &str| diff(&[("x", "a\nb\n")], &format!("--- a/x\n+++ b/x\n{header}\n+c\n"));
    only_adds("@@ -1,2 +1,3 @@").refuses(&[("malformed-hunk", 3)]);
    only_adds("@@ -1 +1,2 @@").refuses(&[("malformed-hunk", 3)]);
    only_adds("@@ -1,0 +2 @@").gives(&[("x", "a\nc\nb\n")]);
    only_adds("@@ -2,0 +3,1 @@").gives(&[("x", "a\nb\nc\n")]);
}

/// A line of the file header below the hunk header is no line of the file.
#[test]
fn a_header_line_below_the_hunk_header() {
    let files = [("x", "a\n"), ("y", "-- a/x\na\n")];
    diff(&files, "--- a/x\n@@ -1 +1 @@\n+++ b/x\n-a\n+b\n").refuses_with(("malformed-hunk", 2));
    diff(&files, "+++ b/x\n@@ -1 +1 @@\n--- a/x\n-a\n+b\n").refuses_with(("malformed-hunk", 2));
    // With both names above, and counts that fit, it is one.
    let input = "--- a/y\n+++ b/y\n@@ -1,2 +1,1 @@\n--- a/x\n-a\n+b\n";
    diff(&files, input).gives(&[("x", "a\n"), ("y", "b\n")]);
}

/// Prose between two hunks that names another file leaves it open whose the second one is.
#[test]
fn prose_between_hunks_that_names_another_file() {
    let files = [("x.py", "a\n2\n3\n4\nc\n"), ("y.py", "a\n2\n3\n4\nc\n")];
    let input = |between: &str| {
        format!("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n{between}@@ -5 +5 @@\n-c\n+d\n")
    };
    for between in ["\nIn `y.py`:\n\n", "\r\nIn `y.py`:\n", "\n*** y.py\n"] {
        let line = 6 + u32::try_from(between.lines().count()).unwrap();
        diff(&files, &input(between)).refuses(&[("missing-path", line)]);
    }
    for between in ["", "\n", "\nIn `x.py` too:\n\n", "\nAnd further down:\n\n", "\n*** x.py\n"] {
        diff(&files, &input(between)).gives(&[("x.py", "b\n2\n3\n4\nd\n"), files[1]]);
    }
    diff(&files, &input("\n--- a/y.py\n\n")).refuses(&[("malformed-hunk", 3)]);
}

/// The sections of a diff of git are one diff also behind a change of another kind.
#[test]
fn names_change_places_behind_an_edit() {
    let swap =
        "diff --git a/x b/y\nrename from x\nrename to y\ndiff --git a/y b/x\nrename from y\nrename to x\n";
    let files = [("e.txt", "1\n"), ("x", "of x\n"), ("y", "of y\n")];
    for before in [0, 1, 2] {
        let edits = ["<1>", "<2>"].iter().take(before).map(|text| block("e.txt", "", &format!("{text}\n")));
        let reply = format!("{}```diff\n{swap}```\n", edits.collect::<String>());
        let text = ["1\n", "1\n<1>\n", "1\n<1>\n<2>\n"][before];
        let run = response(&files, &reply);
        run.gives(&[("e.txt", text), ("x", "of y\n"), ("y", "of x\n")]);
        assert_eq!((run.detail("x"), run.detail("y")), (Some("y"), Some("x")));
    }
}

/// A section changes a file as it was before the diff, whatever another one has put in its place.
#[test]
fn a_section_for_a_file_that_another_one_replaced() {
    let moves =
        "diff --git a/a b/c\nrename from a\nrename to c\ndiff --git a/b b/a\nrename from b\nrename to a\n";
    let change = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+3\n";
    diff(&[("a", "1\n"), ("b", "2\n")], &format!("{moves}{change}")).gives(&[("a", "3\n"), ("c", "1\n")]);
}

/// A section without hunks that gives two hashes, or one that is not the empty file's, has lost them.
#[test]
fn a_section_whose_hashes_promise_hunks() {
    let files = [("x", "a\n")];
    let create = "diff --git a/n b/n\nnew file mode 100644\n";
    let rename = "diff --git a/x b/y\nrename from x\nrename to y\n";
    let mode = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
    for (headers, hashes) in
        [(create, "0000000..8d14cbf 100644"), (rename, "1111111..2222222 100644"), (mode, "1111111..2222222")]
    {
        diff(&files, &format!("{headers}index {hashes}\n")).refuses_for(&["missing-hunks"]);
    }
    diff(&files, &format!("{rename}index 1111111..1111111 100644\n")).gives(&[("y", "a\n")]);
    diff(&files, mode).gives(&files);
}

/// A name that leads out of the root is shown where it stands, the old one too.
#[test]
fn an_unsafe_name_is_shown_where_it_stands() {
    let rename = |from: &str, to: &str| {
        let input = format!("diff --git a/{from} b/{to}\nrename from {from}\nrename to {to}\n");
        diff(&[("x", "a\n")], &input)
    };
    rename("../x", "y").refuses(&[("unsafe-path", 2)]).points_at("unsafe-path", 2, "../x");
    rename("x", "../y").refuses(&[("unsafe-path", 3)]).points_at("unsafe-path", 3, "../y");
}

/// A fence in a hunk closes the diff block: lines below it that are as many as the hunk misses go on with it, even where
/// the first may begin an item of a list.
#[test]
fn a_block_closed_within_a_hunk_whose_next_line_may_be_an_item() {
    let before = [("x", "a\n    b\nc\nd\ne\n")];
    let head = "```diff\n--- a/x\n+++ b/x\n@@ -1,5 +1,4 @@\n a\n+new\n```\n";
    response(&before, &format!("{head}-    b\n-c\n d\n e\n\n")).refuses_for(&["malformed-hunk"]);
    let unknown = "```diff\n--- a/x\n+++ b/x\n@@ ... @@\n a\n+new\n```\n";
    response(&before, &format!("{unknown} e\n+f\n")).refuses_for(&["malformed-hunk"]);
    assert!(response(&before, &format!("{unknown}Words.\n")).is_applied());
    response(&before, &format!("{head}- a point\n- another\n\nWords.\n"))
        .gives(&[("x", "a\nnew\n    b\nc\nd\ne\n")]);
}

/// Text right below the line that says that a file is new hides the rest of its section.
#[test]
fn a_new_file_whose_section_is_broken_off() {
    let head = "diff --git a/n b/n\nnew file mode 100644\n";
    let rest = "--- /dev/null\n+++ b/n\n@ -0,0 +1 @@\n+x\n";
    response(&[], &format!("{head}**index 1234567..89abcde**\n{rest}")).refuses_with(("missing-hunks", 1));
    let other = "diff --git a/m b/m\nnew file mode 100644\n";
    response(&[], &format!("{head}{other}\nWords.\n")).gives(&[("m", ""), ("n", "")]);
    response(&[], &format!("```diff\n{head}```\n")).gives(&[("n", "")]);
}
