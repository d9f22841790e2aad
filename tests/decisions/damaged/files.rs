//! Blocks that would be written as files and are something else, or more or less than the whole of one.

use super::HUNK;
use crate::support::{block, response};

/// A hunk is no content of a file: a named block that holds one is never written as it stands.
#[test]
fn a_named_block_that_holds_a_diff_is_not_written_as_content() {
    let before = [("src/a.py", "a\nb\n")];
    for tag in ["", "python", "text"] {
        for head in ["", "--- a/src/a.py\n+++ b/src/a.py\n"] {
            let run = response(&before, &format!("Update `src/a.py`:\n\n```{tag}\n{head}{HUNK}```\n"));
            assert!(!run.writes("src/a.py", &format!("{head}{HUNK}")), "{tag} {head}");
        }
    }
}

/// The patch and edit formats of other tools are never written as a file's content.
#[test]
fn a_named_block_in_the_format_of_another_tool_is_not_written_as_content() {
    let before = [("src/a.py", "a\nb\n")];
    for body in [
        "*** Begin Patch\n*** Update File: src/a.py\n@@\n a\n-b\n+B\n*** End Patch\n",
        "------- SEARCH\nb\n=======\nB\n+++++++ REPLACE\n",
        "**<<<<<<< SEARCH**\nb\n=======\nB\n**>>>>>>> REPLACE**\n",
    ] {
        let run = response(&before, &format!("Update `src/a.py`:\n\n```\n{body}```\n"));
        assert!(!run.writes("src/a.py", body), "{body}");
    }
}

/// An edit in a form that is not read is not dropped in silence beside one that is.
#[test]
fn what_is_plainly_an_edit_is_not_dropped_in_silence() {
    let before = [("x.py", "a\n"), ("y.py", "a\nb\n")];
    for rest in [
        "--- a/y.py\n+++ b/y.py\n\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
        "--- a/y.py\n\n+++ b/y.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
        "--- a/y.py\n+++ b/y.py\n+++ b/y.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
        "+++ b/y.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
        "--- a/y.py\n+++ b/y.py\n a\n-b\n+B\n",
        "--- a/y.py\n+++ b/y.py\n",
        " a\n-b\n+B\n",
        " a\n+B\n-b\n",
        "> --- a/y.py\n> +++ b/y.py\n> @@ -1,2 +1,2 @@\n>  a\n> -b\n> +B\n",
        "```python\n--- a/y.py\n+++ b/y.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n```\n",
        "```git-diff\n--- a/y.py\n+++ b/y.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n```\n",
        "*** Begin Patch\n*** Update File: y.py\n@@\n a\n-b\n+B\n*** End Patch\n",
        "y.py\n------- SEARCH\nb\n=======\nB\n+++++++ REPLACE\n",
        "y.py\n&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH\nb\n=======\nB\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; REPLACE\n",
        "y.py\n**<<<<<<< SEARCH**\nb\n=======\nB\n**>>>>>>> REPLACE**\n",
        "<write_to_file>\n<path>y.py</path>\n<content>\nB\n</content>\n</write_to_file>\n",
        "> ```python y.py\n> B\n> ```\n",
        "\t```python y.py\n\tB\n\t```\n",
        "In `x.py`, change `A` to `Z`. Change `Z` to `Y`.\n",
    ] {
        let run = response(&before, &format!("{}\n{rest}", block("x.py", "a\n", "A\n")));
        let silent = run.writes("x.py", "A\n") && run.writes("y.py", "a\nb\n") && run.diagnostics.is_empty();
        assert!(!silent, "{rest}");
    }
}

/// A named block that a bare fence in its content would end is not written by half.
#[test]
fn a_named_file_with_bare_fences_in_it() {
    let body = "\"\"\"Doc\n\n```\nexample\n```\n\"\"\"\nx = 5\n";
    let run = response(&[("a.py", "x = 1\n")], &format!("### a.py\n\n```python\n{body}```\n"));
    assert!(!run.writes("a.py", "\"\"\"Doc\n"));
}

/// The first of two different whole contents of one file is not lost in silence.
#[test]
fn two_whole_contents_of_one_file() {
    let run = response(&[("a.py", "x\n")], "```python a.py\nimport os\n```\n\n```python a.py\ny\n```\n");
    assert!(!(run.writes("a.py", "y\n") && run.diagnostics.is_empty()));
}

/// Prose that says that the block is a part of the file names no whole file.
#[test]
fn prose_that_announces_a_part_of_a_file() {
    for line in [
        "Add the following to the end of `a.py`:",
        "Replace the `foo` function in `a.py` with:",
        "Change line 2 in `a.py`:",
        "**`a.py`** (lines 1-3):",
        "Update `a.py` (around line 20):",
    ] {
        let run = response(&[("a.py", "x\ny\nz\n")], &format!("{line}\n\n```python\nq\n```\n"));
        assert!(!run.writes("a.py", "q\n"), "{line}");
    }
}

/// What a whole file leaves out is judged by the file as a patch of the same reply has left it.
#[test]
fn an_omission_after_a_patch() {
    const OMITTED: &str = "# ... existing code ...";
    let file = format!("one\n{OMITTED}\n");
    let reply = |hunk: String| {
        let diff = format!("--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n{hunk}");
        format!("```diff\n{diff}```\n\n```python title=a.py\nthree\n{OMITTED}\n```\n")
    };
    response(&[("a.py", &file)], &reply(format!(" one\n-{OMITTED}\n+two\n")))
        .refuses_for(&["omission-placeholder"]);
    response(&[("a.py", &file)], &reply(format!("-one\n+two\n {OMITTED}\n")))
        .gives(&[("a.py", &format!("three\n{OMITTED}\n"))]);
}

/// Comments that stand for code left out, as models write them without an ellipsis.
#[test]
fn omissions_without_an_ellipsis() {
    for line in [
        "// existing code",
        "// rest of code here",
        "# rest of the file",
        "// (same as before)",
        "/* unchanged */",
        "// [existing code]",
        "// Your existing code here",
        "// Existing imports",
        "# Keep existing code",
        "# … rest",
        "(rest of the file unchanged)",
        "// all other functions stay as they are",
    ] {
        let run = response(&[("a.js", "x\ny\n")], &format!("```js a.js\nq\n{line}\n```\n"));
        assert!(!run.is_applied(), "{line}");
    }
}

/// Of two orders for one file the first is not carried out alone when the second cannot be read.
#[test]
fn a_sentence_that_goes_on_with_another_order() {
    let before = [("m.py", "a = 1\nfoo(a)\n")];
    let run = response(&before, "In `m.py`, change `a = 1` to `a = 2` and `foo(a)` to `bar(a)`.\n");
    assert!(!run.writes("m.py", "a = 2\nfoo(a)\n"));
    let run = response(&before, "In `m.py`, change `a = 1` to `a = 2`. Change `foo(a)` to `bar(a)`.\n");
    assert!(!run.writes("m.py", "a = 2\nfoo(a)\n"));
}

/// A diff whose first line slipped into the info string is no file.
#[test]
fn a_fence_joined_with_the_header_of_a_diff() {
    let run = response(&[("c.js", "a\n")], "```diff--- a/c.js\n+++ b/c.js\n@@ -1 +1 @@\n-a\n+b\n```\n");
    assert!(!run.is_applied());
}

/// A file that ends in the header of a diff, or begins with a line above one, is none.
#[test]
fn a_header_of_a_diff_in_a_file() {
    let header = "--- a/b.py\n+++ b/b.py\n";
    for body in [format!("x\n\n{header}"), format!("index 1234567..89abcde\n{header}@@ -1 +1 @@\n-b\n+B\n")] {
        response(&[], &format!("```python a.py\n{body}```\n b\n+B\n")).refuses_for(&["malformed-hunk"]);
        let run = response(&[], &format!("```text a.md\n{body}```\n"));
        assert!(run.is_applied(), "{body}");
    }
}

/// An empty block with a name right below text: that text may be its content, which changed places with the opening fence.
#[test]
fn an_empty_block_below_text() {
    for text in ["x = 1\n", "- item\nx(y)\n", "-x\n", "Words.\n\n    return x\n"] {
        for opener in ["```python a.py", "~~~~ python title=\"a.py\""] {
            let fence = opener.split(['p', ' ']).next().unwrap();
            response(&[], &format!("{text}{opener}\n{fence}\n")).refuses_for(&["ambiguous-nesting"]);
        }
    }
    let other = "```python b.py\nx\n```\n";
    for text in [
        "",
        "x = 1\n\n",
        "An empty file makes it a package.\n",
        "A new file:\n",
        "## New files\n",
        "**New files**\n",
        "- an empty file\n",
        "`pkg/__init__.py`\n",
        "<details>\n",
        other,
    ] {
        let run = response(&[], &format!("{text}```python pkg/__init__.py\n```\n\nDone.\n"));
        assert!(run.writes("pkg/__init__.py", ""), "{text} {run:?}");
    }
}

/// Lines with signs right below a file that takes in a diff are lines of that diff: the closing fence was one of them.
#[test]
fn a_file_that_takes_in_a_diff() {
    let header = "--- a/b.py\n+++ b/b.py\n@@ -1,3 +1,3 @@\n";
    let git = format!("diff --git a/b.py b/b.py\nindex 1234567..89abcde 100644\n{header}");
    for path in ["a.py", "a.txt"] {
        for header in [header, &git] {
            for below in ["+\n-b\n c\n", "-b\n+B\n", "+\tb\n", "-    b\n"] {
                let input = format!("```python {path}\nx\n\n{header} a\n```\n{below}");
                response(&[("b.py", "a\nb\nc\n")], &input).refuses_for(&["malformed-hunk"]);
            }
        }
    }
    // A list, a file without a diff, and one that shows diffs are no such file.
    for (path, body, below) in [
        ("a.py", header, "\n-b\n"),
        ("a.py", header, "Words.\n"),
        ("a.py", header, "- an item\n- an item\n"),
        ("a.py", "--- a\n+++ b\n", "+b\n"),
        ("a.diff", header, "+b\n"),
        ("a.py", "", "+b\n"),
    ] {
        let run = response(&[], &format!("```python {path}\nx\n{body} a\n```\n{below}"));
        assert!(run.is_applied(), "{path} {body} {below} {run:?}");
    }
}
