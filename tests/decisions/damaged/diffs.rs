//! Diffs that are damaged in ways that would lose a part of them: refused, with a word of what to do.

use crate::support::{bare, block, diff, response};

/// The line of this text, from 0, that a part of it starts on.
fn line_of(text: &str, part: &str) -> u32 {
    u32::try_from(text.split(part).next().unwrap().lines().count()).unwrap()
}

/// A text that ends in a line of a hunk, of which its counts promise more, was cut off, also in a blank line.
#[test]
fn a_text_that_ends_in_a_line_of_a_hunk() {
    let before = [("x", "a\nb\n    c\nd\n")];
    for (counts, rest) in [
        ("-1,4 +1,3", "-a\n "),
        ("-1,4 +1,3", "-a\n b\n     "),
        ("-1,4 +1,5", "+new\n a\n b\n "),
        ("-1,4 +1,1", " a\n-b"),
        ("-1,4 +1,1", " a\n-"),
        ("-1,2 +1,2", " a\n-b\n+B\n\\"),
    ] {
        let text = format!("--- a/x\n+++ b/x\n@@ {counts} @@\n{rest}");
        diff(&before, &text).refuses(&[("malformed-hunk", 3)]);
        response(&before, &format!("Words.\n\n{text}")).refuses(&[("malformed-hunk", 5)]);
    }
    // Where the counts are met, or the line is whole, it is blank.
    for rest in ["-1,3 +1,3 @@\n-a\n+A\n b\n ", "-1,9 +1,9 @@\n-a\n+A\n b\n \n", "-1,9 +1,9 @@\n-a\n+A\n b"] {
        let text = format!("--- a/x\n+++ b/x\n@@ {rest}");
        assert!(diff(&[("x", "a\nb\n\n")], &text).writes("x", "A\nb\n\n"), "{rest:?}");
    }
}

/// A line of a hunk that stands above the header of its file is not left out.
#[test]
fn a_line_of_a_hunk_above_the_header() {
    let before = [("x", "a\nb\nc\n"), ("y", "q\n")];
    let section = "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n";
    let added = |line: &str| format!("{line}\n{section}");
    response(&before, &added("+D")).refuses(&[("malformed-hunk", 4)]);
    response(&before, &format!("Words:\n\n{}", added("+D"))).refuses(&[("malformed-hunk", 6)]);
    response(&before, &format!("```diff\n{}```\n", added("+D"))).refuses(&[("malformed-hunk", 5)]);
    response(&before, &format!("Words\n+D\n```diff\n{section}```\n")).refuses(&[("malformed-hunk", 6)]);
    let removed = "-b\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n c\n+d\n";
    response(&before, removed).refuses(&[("malformed-hunk", 5)]);
    // The lines of the section above are its own, and a list is a list.
    let other = "--- a/y\n+++ b/y\n@@ -1 +1,2 @@\n q\n+r\n";
    response(&before, &format!("{other}{section}")).gives(&[("x", "a\nB\nc\n"), ("y", "q\nr\n")]);
    for line in ["+ More:", "- Less:", "---", "-- ", "-", "", "-b", "+D\n"] {
        assert!(response(&before, &added(line)).writes("x", "a\nB\nc\n"), "{line}");
    }
}

/// Header lines that changed places name no file, or another than the one that is meant.
#[test]
fn header_lines_that_changed_places() {
    let before = [("x", "a\nb\n")];
    let gone = "+++ /dev/null\n--- a/x\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    let swapped = "+++ b/x\n--- a/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    for text in [gone, swapped] {
        response(&before, &format!("```diff\n{text}```\n")).refuses_with(("malformed-hunk", 3));
        response(&before, &format!("```diff\n\n{text}```\n")).refuses_with(("malformed-hunk", 4));
        response(&before, &format!("Words.\n\n{text}")).is_refused();
        diff(&before, text).is_refused();
    }
    let mixed =
        "+++ /dev/null\ndeleted file mode 100644\n--- a/x\ndiff --git a/x b/x\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    diff(&before, mixed).refuses_with(("malformed-hunk", 5));
    let above = "--- a/x\ndiff --git a/x b/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    response(&before, above).refuses(&[("malformed-hunk", 4)]);
}

/// A hunk of a file that comes or goes is none of the file above it, whatever is left of its own header.
#[test]
fn a_hunk_of_a_new_file_below_another_one() {
    let before = [("x", "a\nb\n"), ("y", "q\nr\n")];
    let first = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    for header in ["", "Words.\n", "--- /dev/null+++ b/n\n", "`n`:\n"] {
        for hunk in ["@@ -0,0 +1 @@\n+n\n", "@@ -1,2 +0,0 @@\n-q\n-r\n"] {
            let text = format!("{first}\n{header}{hunk}");
            diff(&before, &text).is_refused();
            response(&before, &format!("```diff\n{text}```\n")).is_refused();
        }
    }
    // A file may come or go in parts, and a first hunk without context may be of the file's first line.
    let parts = "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n@@ -0,0 +3,1 @@\n+c\n";
    assert!(!diff(&before, parts).diagnostics.iter().any(|found| found.code.as_str() == "malformed-hunk"));
    let bare = "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+n\n@@ -2 +3 @@\n-b\n+B\n";
    diff(&before, bare).gives(&[("x", "n\na\nB\n"), ("y", "q\nr\n")]);
}

/// Two header lines that were joined, in the text between two hunks, name the file of the next one.
#[test]
fn header_lines_that_were_joined() {
    let before = [("x", "a\nb\nc\nd\n"), ("y", "c\nd\n")];
    let text = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n\nThen:\n\n--- a/y+++ b/y\n@@ -1,2 +1,2 @@\n-c\n+C\n d\n";
    diff(&before, text).refuses(&[("malformed-hunk", 10)]);
    for joined in ["+++ b/y@@ -1,2 +1,2 @@", "+++ b/y @@ -1,2 +1,2 @@ fn f()"] {
        let text = format!(
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n\nThen:\n\n--- a/y\n{joined}\n-c\n+C\n d\n"
        );
        diff(&before, &text).refuses(&[("malformed-hunk", 10)]);
        response(&before, &text).refuses(&[("malformed-hunk", 10)]);
    }
}

/// A diff that leaves no line of a file and lacks the line that says whether the file goes is neither one nor the other.
#[test]
fn a_deletion_without_its_new_name() {
    let before = [("x", "a\nb\n")];
    let hunk = "@@ -1,2 +0,0 @@\n-a\n-b\n";
    response(&before, &format!("```diff\n--- a/x\n{hunk}```\n")).refuses(&[("malformed-hunk", 3)]);
    diff(&before, &format!("diff --git a/x b/x\n--- a/x\n{hunk}")).refuses(&[("malformed-hunk", 3)]);
    let said = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n";
    diff(&before, &format!("{said}{hunk}")).gives(&[]);
    diff(&before, &format!("--- a/x\n+++ b/x\n{hunk}")).gives(&[("x", "")]);
}

/// A hunk header that stands among other lines, with no hunk below it, was moved away from the lines of its hunk.
#[test]
fn a_hunk_header_without_a_hunk() {
    let before = [("x.py", "a\nb\n"), ("y.py", "q\n")];
    let first = block("x.py", "b\n", "B\n");
    let header = "@@ -9,3 +9,2 @@\n";
    let edit = bare("q\n", "Q\n");
    for rest in [
        format!("y.py\n```python\n{header}{edit}```\n"),
        format!("```python\ny.py\n{header}{edit}```\n"),
        format!("y.py\n```python\n{edit}{header}```\n"),
        format!("Words.\n{header}\ny.py\n{edit}"),
        format!("{header}```python\n-a\n b\n```\n\ny.py\n{edit}"),
    ] {
        let run = response(&before, &format!("{first}\nThen:\n\n{rest}"));
        run.is_refused();
        run.points_at("malformed-hunk", 10 + line_of(&rest, header), "@@ -9,3 +9,2 @@");
    }
    let other = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    diff(&before, &format!("Words.\n{header}\n{other}")).refuses(&[("malformed-hunk", 2)]);
    // One that is only shown is not taken for an edit.
    for shown in [
        format!("\nThus:\n\n{header}\nis wrong.\n"),
        format!("\nThus:\n\n> {header}"),
        format!("```\n{header}```\n"),
    ] {
        let run = response(&before, &format!("{first}{shown}"));
        assert!(run.writes("x.py", "a\nB\n"), "{shown}");
    }
}

/// An edit in an item of a list below a hunk, or indented there, is not read as more lines of that and dropped.
#[test]
fn an_edit_in_a_list_item_below_a_hunk() {
    let before = [("x.py", "a\nb\n"), ("y.py", "q\n")];
    let first = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    let indented =
        |text: &str| text.split_inclusive('\n').map(|line| format!("  {line}")).collect::<String>();
    let edit = bare("q\n", "Q\n");
    let fenced = format!("```python\n{edit}```\n");
    let patch = "--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-q\n+Q\n";
    for blank in ["", "\n"] {
        for list in [
            format!("- ### `y.py`\n{}", indented(&edit)),
            format!("- **File:** `y.py`\n\n{}", indented(&fenced)),
            format!("+ `y.py`:\n{}", indented("```python\nQ\n```\n")),
            format!("- First, some words.\n- `y.py`:\n  \n{}", indented(&fenced)),
            indented(&format!("y.py\n{edit}")),
            "- In `y.py`, change `q` to `Q`.\n".to_owned(),
            "- Some words.\n- In `y.py`, change `q` to `Q`.\n".to_owned(),
        ] {
            let run = response(&before, &format!("{first}{blank}{list}"));
            run.refuses(&[("malformed-hunk", 3)]).warns(&[]);
        }
        for list in [
            format!("- `y.py`:\n{}", indented(&format!("```diff\n{patch}```\n"))),
            format!("- `y.py`:\n\n{}", indented(patch)),
        ] {
            response(&before, &format!("{first}{blank}{list}")).is_refused();
            diff(&before, &format!("{first}{blank}{list}")).is_refused();
        }
        // What tells of an edit that is given, or of no edit, is text.
        for list in [
            "- In `x.py`, change `b` to `B`.\n".to_owned(),
            format!("- Run it:\n{}", indented("```sh\nmake\n```\n")),
            "- `y.py` stays.\n".to_owned(),
        ] {
            let run = response(&before, &format!("{first}{blank}{list}"));
            assert!(run.writes("x.py", "a\nB\n"), "{list}: {:?}", run.diagnostics);
        }
    }
    // The lines of a hunk that was counted badly are its own.
    let text = "--- a/x.md\n+++ b/x.md\n@@ -1,1 +1,1 @@\n-a\n+A\n \n-y.py\n+Y.py\n <<<<<<< SEARCH\n q\n =======\n Q\n >>>>>>> REPLACE\n";
    let tail = "<<<<<<< SEARCH\nq\n=======\nQ\n>>>>>>> REPLACE\n";
    response(&[("x.md", &format!("a\n\ny.py\n{tail}"))], text)
        .gives(&[("x.md", &format!("A\n\nY.py\n{tail}"))]);
}

/// A line that splits a hunk, below which it goes on, does not end it in silence.
#[test]
fn a_line_that_splits_a_hunk() {
    let before = [("x", "a\nb\nc\nd\n")];
    let head = |counts: &str| format!("--- a/x\n+++ b/x\n@@ {counts}@@\n-a\n+A\n b\n");
    for line in ["```python", "~~~", "```", "diff --git a/y b/z"] {
        for (counts, rest) in [
            ("-1,4 +1,4 ", " c\n-d\n+D\n"),
            ("-1,4 +1,4 ", "-c\n+C\n d\n\nWords.\n"),
            ("-1,9 +1,9 ", "+C\n-c\n d\n"),
            ("-1,4 +1,4 ", "-    c\n+    C\n d\n"),
            ("", "-c\n+C\n d\n"),
        ] {
            let text = format!("{}{line}\n{rest}", head(counts));
            diff(&before, &text).refuses_with(("malformed-hunk", 3));
            response(&before, &text).refuses_with(("malformed-hunk", 3));
        }
    }
    // Nor does a bare fence below a hunk that seems whole.
    for fence in ["````", "~~~"] {
        let text = format!("{}{fence}\n-c\n+C\n d\n", head("-1,2 +1,2 "));
        response(&before, &text).refuses_with(("malformed-hunk", 3));
    }
    // A code block below a hunk that was counted badly is one, and a hunk whose counts are met is whole.
    for text in [
        format!("{}```sh\nmake\n```\n", head("-1,4 +1,4 ")),
        format!("{}```sh\n- one\n```\n", head("-1,3 +1,3 ")),
        format!("{}```sh\n+x\n-y\n```\n", head("-1,2 +1,2 ")),
    ] {
        assert!(response(&before, &text).writes("x", "A\nb\nc\nd\n"), "{text}");
    }
}

/// The line that tells how a file ends belongs to a hunk, and shows where that was cut.
#[test]
fn the_end_of_a_file_below_a_closing_fence() {
    let text = "```diff\n--- a/x\n+++ b/x\n@@ ... @@\n a\n+b\n```\n\\ No newline at end of file\n+ c\n";
    response(&[("x", "a\n")], text).refuses(&[("malformed-hunk", 4)]);
    // So it does below a line that lost its sign.
    let text = "--- a/x\n+++ b/x\n@@ ... @@\n a\n+b\n\u{2212}c\n\\ No newline at end of file\n";
    diff(&[("x", "a\nc\n")], text).refuses(&[("malformed-hunk", 3)]);
    diff(&[("x", "a\nc\n")], &text.replace("...", "-1,1 +1,2")).refuses(&[("malformed-hunk", 3)]);
}

/// A hunk whose counts are met goes on all the same where nothing else looks so: below a closing fence, and below a line
/// without sign.
#[test]
fn a_hunk_that_goes_on_although_its_counts_are_met() {
    let before = [("x", "a\nb\nc\nd\n\tcall()\n")];
    let head = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n";
    for rest in [" c\n-d\n+D\n", "-c\n+C\n\nWords.\n"] {
        response(&before, &format!("```diff\n{head}```\n{rest}")).refuses(&[("malformed-hunk", 4)]);
        response(&before, &format!("{head}words\n{rest}")).refuses(&[("malformed-hunk", 3)]);
    }
    for rest in ["+C\n", "- c\n- d\n", "  c\n- d\n", "---\n", "-1 is out of range.\n", "--\nme\n", " c\n"] {
        for text in [format!("```diff\n{head}```\n{rest}"), format!("{head}words\n{rest}")] {
            assert!(response(&before, &text).writes("x", "A\nb\nc\nd\n\tcall()\n"), "{text}");
        }
    }
    // Where they are not met, a tab behind the sign is code and begins no item.
    let long = head.replace("-1,2 +1,2", "-1,9 +1,9");
    for rest in ["-\tcall()\n", "-    call()\n"] {
        response(&before, &format!("```diff\n{long}```\n{rest}")).refuses(&[("malformed-hunk", 4)]);
    }
}

/// A line that lost its sign is one also above blank lines that are the last ones of the hunk.
#[test]
fn a_line_that_lost_its_sign_above_blank_context() {
    for blanks in ["\n", "\n\n", "\n\nWords.\n"] {
        let text = format!("--- a/x\n+++ b/x\n@@ -1,2 +1,4 @@\n a\n+B\nlost\n{blanks}");
        diff(&[("x", "a\n\n")], &text).refuses(&[("malformed-hunk", 3)]);
    }
}

/// A line that is nearly a hunk header is one also without numbers.
#[test]
fn a_damaged_hunk_header_without_numbers() {
    for header in ["@ ... @@", "@ def f(): @@", "> @@ ... @@"] {
        let text = format!("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n{header}\n c\n-d\n+D\n");
        diff(&[("x", "a\nb\nc\nd\n")], &text).refuses(&[("malformed-hunk", 3)]);
    }
}

/// A named block whose first line of a diff is lost is still none of a file's content.
#[test]
fn a_named_block_that_holds_a_diff_without_its_first_line() {
    let text = "```python title=\"x.py\"\nindex 1..2\n--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-q\n+Q\n```\n";
    response(&[("y.py", "q\n")], text).refuses(&[("malformed-hunk", 2)]);
}

/// Headers without a hunk that a fence parts from what follows are no whole section.
#[test]
fn headers_that_a_fence_splits() {
    let head = "diff --git a/x b/x\nnew file mode 100644\n";
    let below = "index 1..2\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n";
    for fence in ["```python", "```"] {
        let text = format!("{head}{fence}\n{below}\nWords.\n\n```\n");
        diff(&[], &text).refuses_with(("missing-hunks", 1));
        response(&[], &text).refuses_with(("missing-hunks", 1));
    }
    // In a block of its own the fence closes it.
    response(&[], &format!("```diff\n{head}```\n")).gives(&[("x", "")]);
    response(&[], &format!("{head}\n```sh\nmake\n```\n")).gives(&[("x", "")]);
}

/// A line behind a backslash that tells nothing of the end of a file is one that has lost its sign.
#[test]
fn a_line_of_a_hunk_behind_a_backslash() {
    let create = |line: &str| format!("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n{line}\n");
    diff(&[], &create("\\+b")).refuses(&[("malformed-hunk", 3)]);
    diff(&[], &create("+b\n\\ Kein Zeilenumbruch")).gives(&[("x", "a\nb")]);
}

/// A diff block that goes on with parts of an edit block or with another fence has lost its closing fence.
#[test]
fn a_diff_block_that_goes_on_with_a_part_of_another_edit() {
    let before = [("x", "a\nb\n")];
    let section = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    for rest in [
        ">>>>>>> REPLACE\n\ny.py\n<<<<<<< SEARCH\n=======\nq\n",
        "\ny.py\n<<<<<<< SEARCH\nq\n",
        "~~~\n\n**y.py**\n~~~\nq\n",
    ] {
        response(&before, &format!("````diff\n{section}{rest}````\n")).refuses_for(&["unterminated-fence"]);
    }
    // A diff in a fence of its own within the block.
    assert!(response(&before, &format!("````diff\n```\n{section}```\n````\n")).is_applied());
}

/// The sign of a quote before a hunk header does not hide the hunk below it; nor does a lost header that of a new file.
#[test]
fn a_hunk_below_a_quoted_header() {
    let before = [("x", "a\nb\nc\nd\n")];
    let first = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n";
    let text = format!("{first}\n> @@ -3,2 +3,2 @@\n c\n-d\n+D\n");
    diff(&before, &text).refuses(&[("malformed-hunk", 8)]);
    let quoted = format!("{first}\n> @@ -3,2 +3,2 @@\n> c\n> -d\n> +D\n");
    assert!(diff(&before, &quoted).writes("x", "A\nb\nc\nd\n"));
    diff(&before, &format!("{first}\nWords.\n\n+++ b/y\n+q\n")).warns(&[("ignored-text", 10)]);
}

/// In a diff block a line that is nearly a hunk header is one also below a blank line, and a changed line behind the sign of a
/// quote has lost its place.
#[test]
fn a_damaged_line_in_a_diff_block() {
    let before = [("x", "a\n\nb\nc\n")];
    let head = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n\n";
    let header = format!("```diff\n{head}\\@@ -3,2 +3,2 @@\n-b\n+B\n c\n```\n");
    response(&before, &header).refuses(&[("malformed-hunk", 4)]);
    let quoted = format!("```diff\n{}-b\n> +B\n```\n", head.replace("-1,2 +1,2", "..."));
    response(&before, &quoted).refuses(&[("malformed-hunk", 4)]);
}

/// Lines of a hunk that look like the header of another file are its own where the counts say so, whatever follows them.
#[test]
fn lines_like_a_header_that_the_counts_cover() {
    let text = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n--- x\n+++ y\n b\n\n- a point\n";
    diff(&[("x", "a\n-- x\nb\n")], text).gives(&[("x", "a\n++ y\nb\n")]);
}

/// A text that ends behind a removed line, and the line that tells of the file's end, lacks what the counts promise.
#[test]
fn a_text_that_ends_with_the_end_of_the_old_file() {
    let text = |new: &str| format!("--- a/x\n+++ b/x\n@@ -1,2 +1,{new} @@\n a\n-b\n\\ No newline at end o");
    diff(&[("x", "a\nb")], &text("2")).refuses(&[("malformed-hunk", 3)]);
    assert!(diff(&[("x", "a\nb")], &text("1")).is_applied());
}

/// A line that slipped out of a hunk to above the header may be indented code; a `+++` line above a hunk that is not read is
/// told.
#[test]
fn an_indented_line_above_a_header() {
    let hunk = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n";
    diff(&[("x", "a\n")], &format!("+    b\n{hunk}")).refuses(&[("malformed-hunk", 4)]);
    let edit = "a.py\n<<<<<<< SEARCH\nq\n=======\nQ\n>>>>>>> REPLACE\n";
    let text = format!("Words.\n\n+++ b/x\n@@ ... @@\n-a\n+A\n\n{edit}");
    response(&[("a.py", "q\n"), ("x", "a\n")], &text).warns(&[("ignored-text", 3)]);
}

/// A line of a hunk that is quoted, or has a typographic sign, is no prose below the hunk.
#[test]
fn a_change_in_disguise_below_a_hunk() {
    let before = [("x", "a\nb\nc\n")];
    let head = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n";
    let unknown = head.replace("-1,3 +1,3", "...");
    for line in ["\u{2212}c", "\u{2212} c", "\u{2013}c", "\u{ff0b}d", "> +d", "> -c"] {
        response(&before, &format!("```diff\n{head}{line}\n```\n")).refuses(&[("malformed-hunk", 4)]);
        response(&before, &format!("```diff\n{unknown}{line}\n```\n")).refuses(&[("malformed-hunk", 4)]);
    }
    for line in ["\u{2212}c", "> +d", "> -c"] {
        diff(&before, &format!("{head}{line}\n")).refuses(&[("malformed-hunk", 3)]);
        diff(&before, &format!("{head} c\n{line}\n")).gives(&[("x", "a\nB\nc\n")]);
    }
    for words in ["> - a point", "> words", "\u{2013} Bob", "\u{2014} 2026"] {
        let promised = head.replace("-1,3 +1,3", "-1,6 +1,6");
        diff(&before, &format!("{promised}{words}\n")).gives(&[("x", "a\nB\nc\n")]);
    }
}
