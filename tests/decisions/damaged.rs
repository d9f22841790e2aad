//! Inputs that are damaged, cut short or in a neighbouring form: refused, or told, and never applied as something else.

use code_parser::diagnostic::Severity;

use crate::support::{bare, block, diff, fsrb, response};

const HUNK: &str = "@@ -1,2 +1,2 @@\n a\n-b\n+B\n";

fn block_in_fence(search: &str, replace: &str) -> String {
    format!("```python\n{}```\n", bare(search, replace))
}

/// A block below a line that names another file is not an edit of the file of the block before.
#[test]
fn a_block_inherits_no_path_past_a_line_that_names_another_file() {
    let before = [("a.py", "x = 1\nq\n"), ("src/b.py", "x = 1\n"), (".env", "x = 1\n")];
    for name in [
        "**.env**",
        "src/b.py (new imports)",
        "**src/b.py** (lines 1-2):",
        "src/b.py:12",
        "[src/b.py](src/b.py)",
        "In src/b.py:",
        "### src/b.py - imports",
        "### 2. `src/b.py` and `a.py`",
        "<path>src/b.py</path>",
        "<file path=\"src/b.py\">",
        "*** Update File: src/b.py",
        "--- src/b.py",
        "// src/b.py",
        "<!-- src/b.py -->",
        "• src/b.py",
        "**File:** `file:///src/b.py`",
    ] {
        let input =
            format!("{}\n{name}\n{}", block("a.py", "q\n", "r\n"), block_in_fence("x = 1\n", "x = 2\n"));
        let run = response(&before, &input);
        assert!(!run.writes("a.py", "x = 2\nr\n"), "{name}");
    }
}

/// A single word above a block that creates a file may be the file's name: nothing is added to the file of the block before.
#[test]
fn a_new_block_below_a_word_adds_nothing_to_the_file_before() {
    let edit = block("a.py", "q\n", "r\n");
    let create = bare("", "x\n");
    for word in ["loop", "**loop**", "`.loop`", "# loop"] {
        for input in [
            format!("{edit}\n{word}\n{create}"),
            format!("{edit}\n{word}\n\n```python\n{create}```\n"),
            format!("{edit}\n```\n{word}\n{create}```\n"),
        ] {
            response(&[("a.py", "q\n")], &input).refuses_for(&["missing-path"]);
        }
    }
    for words in ["Then:", "Done.", "and also", "python"] {
        response(&[("a.py", "q\n")], &format!("{edit}\n{words}\n{create}")).gives(&[("a.py", "r\nx\n")]);
    }
    let second = bare("r\n", "s\n");
    response(&[("a.py", "q\n")], &format!("{edit}\nloop\n{second}")).gives(&[("a.py", "s\n")]);
}

/// A reply that was cut off within the first marker of a block, however little of it is left.
#[test]
fn a_text_that_ends_within_a_search_marker() {
    let edit = block("a.py", "q\n", "r\n");
    for length in 1.."<<<<<<< SEARCH".len() {
        let marker: String = "<<<<<<< SEARCH".chars().take(length).collect();
        for above in ["b.py\n", "### `b.py`\n\n", "b.py\n```python\n"] {
            let input = format!("{edit}\n{above}{marker}");
            response(&[("a.py", "q\n")], &input).is_refused();
            fsrb(&[("a.py", "q\n")], &input).is_refused();
        }
    }
    for whole in ["Use a <\n", "<\n", "<details>", "a <<<"] {
        response(&[("a.py", "q\n")], &format!("{edit}\n{whole}")).gives(&[("a.py", "r\n")]).warns(&[]);
    }
}

/// A block below a fence with a comment that names its file, however the comment is written.
#[test]
fn a_comment_above_the_fence_names_the_file_of_its_blocks() {
    for name in ["<!-- src/b.py -->", "// src/b.py", "/* src/b.py */"] {
        response(&[("src/b.py", "x\n")], &format!("{name}\n{}", block_in_fence("x\n", "y\n")))
            .gives(&[("src/b.py", "y\n")]);
    }
}

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

/// A file's header that lacks a line does not become a part of the hunk above it.
#[test]
fn a_broken_header_below_a_hunk() {
    let first = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-q\n+Q\n";
    let before = [("x", "q\na\nb\n"), ("y", "a\nb\n")];
    for header in [
        "--- a/y\n",
        "+++ b/y\n",
        "--- a/y\n\n+++ b/y\n",
        "--- a/y\nwords\n+++ b/y\n",
        "*** y\n",
        "\nIn y.py:\n\n",
    ] {
        let text = format!("{first}{header}{HUNK}");
        for run in [diff(&before, &text), response(&before, &format!("```diff\n{text}```\n"))] {
            let wrong = run.is_applied() && run.writes("y", "a\nb\n");
            assert!(!wrong, "{header:?}: {:?}", run.diagnostics);
        }
    }
}

/// A new file's hunk goes into no other file.
#[test]
fn a_broken_header_of_a_new_file() {
    let text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-q\n+Q\n--- /dev/null\n\n+++ b/new\n@@ -0,0 +1 @@\n+n\n";
    diff(&[("x", "q\n")], text).is_refused();
    let text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-q\n+Q\n+++ b/new\n@@ -0,0 +1 @@\n+n\n";
    response(&[("x", "q\n")], &format!("```diff\n{text}```\n")).is_refused();
}

/// A new file whose content is cut off from its header is not created empty.
#[test]
fn a_new_file_whose_hunk_is_not_read() {
    for names in ["--- /dev/null\n\n+++ b/n\n", "--- /dev/null\n +++ b/n\n", "--- /dev/null\n"] {
        let text = format!(
            "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..abcdef1\n{names}@@ -0,0 +1 @@\n+x\n"
        );
        let run = diff(&[], &text);
        assert!(!run.writes("n", ""), "{names:?}");
    }
    diff(&[], "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..abcdef1\n--- /dev/null\n\n+++ b/n\n")
        .is_refused();
}

/// A section of git's that ends where its hunks, or the second name of a move, would come is cut off.
#[test]
fn a_section_that_is_cut_off() {
    let empty = "diff --git a/n b/n\nnew file mode 100644\n";
    for rest in ["", "--- /dev/null\n", "--- /dev/null\n\n+++ b/n\n"] {
        diff(&[], &format!("{empty}{rest}")).is_refused();
    }
    diff(&[], &format!("{empty}index 0000000..e69de29\n")).gives(&[("n", "")]);
    diff(&[("x", "")], "diff --git a/x b/z\nsimilarity index 100%\nrename from x\n").is_refused();
}

/// A removed line that looks like a header's, but that the counts say is the hunk's, is content.
#[test]
fn a_removed_comment_above_a_hunk() {
    let text = "--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n a\n--- old\n@@ -4,2 +3,2 @@\n c\n-d\n+D\n";
    diff(&[("x", "a\n-- old\nk\nc\nd\n")], text).gives(&[("x", "a\nk\nc\nD\n")]);
}

/// A hunk of which a line lost its sign is not applied without what follows.
#[test]
fn a_hunk_cut_by_a_line_without_a_sign() {
    diff(&[("x", "k\na\n")], "--- a/x\n+++ b/x\n@@ -2 +2 @@\n-a\nB\n").is_refused();
    let blank = "--- a/x\n+++ b/x\n@@ -1,4 +1,6 @@\n \na\n+b\n y\n-z\n+Z\n t\n";
    diff(&[("x", "\ny\nz\nt\n")], blank).is_refused();
    let blank = "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+A\n \nfoo\n+b\n y\n";
    diff(&[("x", "a\n\nfoo\ny\n")], blank).is_refused();
}

/// A reply that ends within a hunk is not applied.
#[test]
fn an_input_that_ends_within_a_hunk() {
    response(&[("x", "a\n")], "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a").is_refused();
    response(&[("x", "a\nb\nc\n")], "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n").is_refused();
}

/// A blank context line with its sign is an old line: it says where the hunk belongs.
#[test]
fn a_hunk_with_a_blank_context_line_alone() {
    diff(&[("x", "x\n\ny\n")], "--- a/x\n+++ b/x\n@@ -2,3 +2,9 @@\n+a\n \n").gives(&[("x", "x\na\n\ny\n")]);
}

/// A hunk whose header promises old lines but that has none says not where it goes.
#[test]
fn a_hunk_that_lost_all_its_old_lines() {
    diff(&[("x", "a\nb\nc\nd\n")], "--- a/x\n+++ b/x\n@@ -2,3 +2,4 @@\n+new\n").is_refused();
}

/// A block named as a file that only holds an edit block among other lines is that file, or unclear; the edit is not made.
#[test]
fn edit_blocks_among_the_text_of_a_named_file() {
    let inner = block("a.py", "x\n", "y\n");
    for (name, head, tail) in [
        ("python tests/test_x.py", "IN = \"\"\"\n", "\"\"\"\n"),
        ("text docs/howto.txt", "To edit, write\n\n", ""),
    ] {
        let run = response(&[("a.py", "x\n")], &format!("```{name}\n{head}{inner}{tail}```\n"));
        assert!(!run.writes("a.py", "y\n"), "{name}");
    }
}

/// A fence line that could close the open fence around a block is not written into the file.
#[test]
fn a_fence_that_closes_before_the_replace_marker() {
    response(&[("a.py", "x\n")], "a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n```\n>>>>>>> REPLACE\n")
        .is_refused();
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

/// A path with a blank in an info string is not cut in two.
#[test]
fn a_spaced_path_in_an_info_string() {
    let run = response(&[], "```python my dir/y.py\nB\n```\n");
    assert!(!run.writes("dir/y.py", "B\n"));
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

/// A line of a file's header that slipped below the hunk header does not become a line of the file.
#[test]
fn a_header_line_below_the_hunk_header() {
    let new = "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..1234567\n--- /dev/null\n@@ -0,0 +1 @@\n+++ b/n\n+x\n";
    diff(&[], new).is_refused();
    let old = "diff --git a/x b/x\n--- a/x\n@@ -1,2 +1,2 @@\n+++ b/x\n a\n-b\n+B\n";
    diff(&[("x", "a\nb\n")], old).is_refused();
    // Where it is counted it is an added line.
    diff(&[("x", "a\n")], "diff --git a/x b/x\n--- a/x\n@@ -1 +1,2 @@\n+++ y\n a\n")
        .gives(&[("x", "++ y\na\n")]);
}

/// A diff that is not read is not dropped in silence beside one that is, where only diffs are looked for.
#[test]
fn a_diff_that_is_not_read_among_diffs() {
    let before = [("x", "q\n"), ("y", "a\nb\n")];
    let first = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-q\n+Q\n";
    for rest in [
        "> --- a/y\n> +++ b/y\n> @@ -1,2 +1,2 @@\n>  a\n> -b\n> +B\n",
        "--- a/y\n+++ b/y\n> @@ -1,2 +1,2 @@\n a\n-b\n+B\n",
        "```python\n--- a/y\n+++ b/y\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n```\n",
    ] {
        let run = diff(&before, &format!("{first}\n{rest}"));
        assert!(!(run.is_applied() && run.diagnostics.is_empty()), "{rest}");
    }
}

/// A fence that might open the next block, in a block named as a file, leaves open where that ends: nothing is written.
#[test]
fn a_closing_fence_that_was_lost_above_another_block() {
    let next = "```python b.py\nB\n```\n";
    for lost in ["``` x\n", "> ```\n", "**```**\n", "``\n", ""] {
        for prose in ["", "\nNext comes `b.py`:\n\n"] {
            let run = response(
                &[("a.py", "a\n"), ("b.py", "b\n")],
                &format!("```python a.py\nA\n{lost}{prose}{next}"),
            );
            run.is_refused();
        }
    }
    for opener in
        ["```python a.py\n```python\n", "```python a.py\n```python a.py\n", "### a.py\n```\n\n````python\n"]
    {
        response(&[("a.py", "a\n")], &format!("{opener}A\n````\n")).is_refused();
    }
    // A word that is no language may be text: a line drawn below code.
    response(&[], "~~~ a.txt\nx(y)\n~~~x\ntail\n~~~\n").gives(&[("a.txt", "x(y)\n~~~x\ntail\n")]);
}

/// A fence that stands once too often takes the next block as text, and that is told.
#[test]
fn a_fence_without_a_name_around_another_block() {
    let edit = block("a.py", "a\n", "A\n");
    let run = response(
        &[("a.py", "a\n"), ("b.py", "b\n")],
        &format!("{edit}```\n\n### `b.py`\n\n```python\nB\n```\n"),
    );
    assert!(
        !run.writes("b.py", "b\n")
            || run.diagnostics.iter().any(|found| found.code.as_str() == "ignored-text")
    );
}

/// Two paths in an info string name no file, nor does the half of one with a blank in it.
#[test]
fn two_paths_in_an_info_string() {
    for info in ["python src/a b.py", "python src/a\u{2028}b.py", "src/a.py src/b.py"] {
        let run = response(&[], &format!("```{info}\nx\n```\n"));
        assert!(!run.is_applied(), "{info}");
    }
}

/// A hunk header that is nearly one does not end the hunk above in silence.
#[test]
fn a_hunk_below_a_damaged_header() {
    let first = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    for header in [
        "**@@ -3,2 +3,2 @@**",
        "@ -3,2 +3,2 @@",
        "> @@ -3,2 +3,2 @@",
        "`@@ -3,2 +3,2 @@`",
        "1. @@ -3,2 +3,2 @@",
    ] {
        let text = format!("{first}{header}\n c\n-d\n+D\n");
        diff(&[("x", "a\nb\nc\nd\n")], &text).is_refused();
        response(&[("x", "a\nb\nc\nd\n")], &format!("```diff\n{text}```\n")).is_refused();
    }
}

/// A diff block whose closing fence is lost does not take the edits below it in silence.
#[test]
fn a_diff_block_without_its_end() {
    let first = "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-q\n+Q\n";
    for closer in ["\\```\n", "``\n", "> ```\n", ""] {
        for rest in [block("y", "a\n", "A\n"), "```python y\nA\n```\n".to_owned()] {
            let input = format!("{first}{closer}\nThen:\n\n{rest}```\n");
            response(&[("x", "q\n"), ("y", "a\n")], &input).is_refused();
        }
    }
    // A fence line of another character in a hunk is a line that lost its sign.
    let input = "~~~diff\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n q\n````\n+r\n s\n~~~\n";
    response(&[("x", "q\ns\n")], input).is_refused();
}

/// A diff in a list item below another one is not read as more lines of that, and dropped.
#[test]
fn a_diff_in_a_list_item_below_a_hunk() {
    let first = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-q\n+Q\n\n";
    for item in [
        "- --- a/y\n  +++ b/y\n  @@ -1 +1 @@\n  -a\n  +A\n",
        "- ```diff\n  --- a/y\n  +++ b/y\n  @@ -1 +1 @@\n  -a\n  +A\n  ```\n",
    ] {
        diff(&[("x", "q\n"), ("y", "a\n")], &format!("{first}{item}")).is_refused();
    }
    // So is one in a form that is not read; a block that is no edit is prose.
    for item in ["- then\n- <<<<<<< SEARCH\n  k\n  =======\n  l\n", "- ```python y.py\n  k\n  ```\n"] {
        response(&[("x", "q\n")], &format!("{first}{item}")).is_refused();
    }
    response(&[("x", "q\n")], &format!("{first}- Run this:\n- ```sh\n  ls\n  ```\n")).gives(&[("x", "Q\n")]);
}

/// A diff whose first line slipped into the info string is no file.
#[test]
fn a_fence_joined_with_the_header_of_a_diff() {
    let run = response(&[("c.js", "a\n")], "```diff--- a/c.js\n+++ b/c.js\n@@ -1 +1 @@\n-a\n+b\n```\n");
    assert!(!run.is_applied());
}

/// A diff among the edit blocks of one fence is told, as it is not read there.
#[test]
fn a_diff_in_a_fence_of_edit_blocks() {
    let edit = bare("a\n", "A\n");
    let text = format!("a.py\n```python\n{edit}--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+A\n```\n");
    let run = response(&[("a.py", "a\n"), ("y", "a\n")], &text);
    assert!(!(run.is_applied() && run.diagnostics.is_empty()));
}

/// A line that lost its sign is one also above a blank context line.
#[test]
fn a_line_that_lost_its_sign_above_a_blank_one() {
    let text = "--- a/x\n+++ b/x\n@@ -1,5 +1,3 @@\n-a\n\u{2212}b\n \n-c\n+C\n d\n";
    diff(&[("x", "a\nb\n\nc\nd\n")], text).is_refused();
}

/// A line that lost its sign is one also where blank lines stand between it and the changes that the counts promise. Where
/// what is below does not fill the counts or changes nothing, it is text.
#[test]
fn a_line_that_lost_its_sign_before_changes_below_a_blank_line() {
    let hunk = |header: &str, below: &str| format!("--- a/x\n+++ b/x\n{header}\n-a\n+A\n{below}");
    let refused = |file, header, below| {
        diff(&[("x", file)], &hunk(header, below)).refuses(&[("malformed-hunk", 3)]);
    };
    refused("a\nb\n\nc\nd\n", "@@ -1,5 +1,5 @@", "b\n\nc\n-d\n+D\n");
    refused("a\nb\n\nc\n", "@@ -1,4 +1,5 @@", "b\n\nc\n+d\n");
    refused("a\nb\n\nc\n", "@@ -1,4 +1,3 @@", "b\n\n-c\n");
    let marker = "\\ No newline at end of file\n";
    refused("a\nb\n\nc\nd", "@@ -1,5 +1,5 @@", &format!("b\n\nc\n-d\n{marker}+D\n{marker}"));
    for (header, below) in [
        ("@@ -1,3 +1,3 @@", "That is all.\n\nGood luck.\n"),
        ("@@ -1,3 +1,3 @@", "That is all.\n\n"),
        ("@@ -1,5 +1,5 @@", "That is all.\n\n- good\n+ luck\n"),
        ("@@ -1,4 +1,9 @@", "That is all.\n\n- good luck\n"),
    ] {
        let run = diff(&[("x", "a\nb\n")], &hunk(header, below));
        run.gives(&[("x", "A\nb\n")]).warns(&[("hunk-count-mismatch", 3)]);
    }
}

/// A line that lost its sign is one also above the line that tells how the file ends.
#[test]
fn a_line_that_lost_its_sign_at_the_end_of_a_file() {
    let marker = "\\ No newline at end of file\n";
    let text = format!("--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n-b\n{marker}+B\nthe end\n{marker}");
    diff(&[("x", "a\nb")], &text).is_refused();
}

/// A diff block that goes on with another block has lost its closing fence.
#[test]
fn a_diff_block_that_goes_on_with_another_block() {
    let head = "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n";
    let files = [("x", "a\n")];
    let edit = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    for other in ["```python\nprint()\n", "\n```python\nprint()\n", "\n~~~ python\nprint()\n", edit] {
        let run = response(&files, &format!("{head}{other}```\n"));
        run.refuses_for(&["unterminated-fence"]).points_at("unterminated-fence", 1, "```");
    }
    response(&files, &format!("{head}\n~~~\n```\n")).gives(&[("x", "A\n")]);
}

/// A fence line within a hunk closes the block, and the rest of the hunk is not lost in silence.
#[test]
fn a_diff_block_closed_within_a_hunk() {
    let head = "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n-a\n+A\n b\n";
    for (indent, rest) in [("", "-c\n+C\n d\n"), ("", " c\n-d\n+D\n"), ("  ", "+C\n-c\n d\n")] {
        let text = format!("```diff\n{head}```\n{rest}");
        let text: String = text.split_inclusive('\n').map(|line| format!("{indent}{line}")).collect();
        response(&[("x", "a\nb\nc\nd\n")], &text).refuses_for(&["malformed-hunk"]);
    }
    // Words below a block whose counts are wrong are words, and a list is a list.
    for rest in ["This is it.\n", "- one thing\n- another\n", "+ more\n"] {
        let text = format!("```diff\n{head}```\n{rest}");
        assert!(response(&[("x", "a\nb\nc\nd\n")], &text).is_applied(), "{text}");
    }
}

/// What a diff that follows another one says of a file that the first one made holds, too.
#[test]
fn a_diff_that_deletes_what_the_one_before_it_moved() {
    let moved = "diff --git a/a b/n\nsimilarity index 50%\nrename from a\nrename to n\n--- a/a\n+++ b/n\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n";
    let gone =
        "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-A\n-b\n";
    for between in ["", "\nThen:\n\n"] {
        diff(&[("a", "a\nb\n")], &format!("{moved}{between}{gone}")).gives(&[]);
    }
}

/// A block whose info string gives another name than the line above it is neither file.
#[test]
fn two_names_of_a_block() {
    let before = [("a.py", "x\n")];
    for (above, info) in [
        ("made/hand.rs\n", "pyth/on"),
        ("Create `made/hand.rs`:\n\n", "pyth/on"),
        ("### `made/hand.rs`\n", "rust made/by"),
    ] {
        for body in ["x\n", &bare("", "new\n"), &bare("x\n", "y\n")] {
            let run = response(&before, &format!("{above}```{info}\n{body}```\n"));
            run.refuses_for(&["missing-path"]);
        }
    }
    // Names that may be the same, a line that names nothing, and a name that is known are clear.
    for (above, info) in [
        ("src/lib/new\n", "text lib/new"),
        ("### `b.py`\n", "python new.py"),
        ("See `b.py` and `c.py`.\n", "lib/new"),
    ] {
        assert!(response(&[], &format!("{above}```{info}\nx\n```\n")).is_applied(), "{above}{info}");
    }
    response(&before, &format!("b.py\n```python c.py\n{}```\n", block("a.py", "x\n", "y\n")))
        .gives(&[("a.py", "y\n")]);
}

/// A language with a backslash in it is no path, and the name above the fence holds.
#[test]
fn a_backslash_in_a_language() {
    for body in ["new\n", &bare("", "new\n")] {
        response(&[], &format!("made/hand.rs\n```pyth\\on\n{body}```\n")).gives(&[("made/hand.rs", "new\n")]);
    }
    response(&[], "```pyth\\on\nx\n```\n").warns(&[("ignored-text", 1)]);
    response(&[], "```src\\new.py\nx\n```\n").gives(&[("src/new.py", "x\n")]);
}

/// A fence of a file's text that has no partner there is no line of the file, where one may have lost its place.
#[test]
fn a_stray_fence_in_a_file() {
    let longer = |path: &str, body: &str| response(&[], &format!("**{path}**\n````\n{body}````\n"));
    for body in ["```\nx\n", "```python\nx\n", "~~~\nx\n", "\nx\n```\n", "x\n~~~\n\n", "```\n"] {
        longer("a.py", body).refuses_with(("ambiguous-nesting", 2));
        longer("notes.txt", body).refuses_with(("ambiguous-nesting", 2));
        assert!(longer("notes.md", body).is_applied(), "{body}");
    }
    for body in ["```\nx\n```\n", "```python\n\nx\n```\n"] {
        longer("a.py", body).refuses_with(("ambiguous-nesting", 2));
        for path in ["notes.md", "notes.txt", "notes.rst"] {
            assert!(longer(path, body).is_applied(), "{path} {body}");
        }
    }
    for body in ["x\n```\n\nNext:\n\n```python b.py\ny\n", "x\n```\n```sh\ny\n```\nz\n"] {
        longer("a.py", body).refuses_with(("ambiguous-nesting", 2));
        assert!(longer("notes.txt", body).is_applied(), "{body}");
    }
    let hidden = "P = \"\"\"```json\n{}\n```\n\n```json\n{}\n```\n\"\"\"\n";
    for body in
        [hidden, "```\nx\n```\ny\n", "y\n```\nx\n```\n", "x\n```\ny\n", "```\nx\n```\ny\n```\nz\n```\n"]
    {
        assert!(longer("a.py", body).is_applied(), "{body}");
    }
    response(&[("a.py", "x\n")], &format!("a.py\n````\n```\n{}```\n````\n", bare("x\n", "y\n")))
        .gives(&[("a.py", "y\n")]);
}

/// A REPLACE marker that changed places with a line further down leaves a fence in the text that ends the fence around.
#[test]
fn a_replace_marker_far_below_its_place() {
    let before = [("a.py", "x\n"), ("b.py", "x\n"), ("a.md", "x\n")];
    let edit = |path: &str, old: &str, new: &str| format!("{path}\n```\n{}```\n", bare(old, new));
    for new in [
        "y\n```\n\nSome words.\n\n```diff\n--- a/b.py\n+++ b/b.py\n",
        "y\n```\n\nSome words.\n",
        "```python\ny\n```\n```\n\n```python\n",
    ] {
        response(&before, &edit("a.py", "x\n", new)).refuses_with(("ambiguous-nesting", 2));
        response(&before, &edit("new.py", "", new)).refuses_with(("ambiguous-nesting", 2));
        assert!(response(&before, &edit("a.md", "x\n", new)).is_applied(), "{new}");
        let longer = format!("a.py\n````\n{}````\n", bare("x\n", new));
        assert!(response(&before, &longer).is_applied(), "{new}");
    }
    let next = "y\n```\n\nSome words.\n\n```diff\n--- a/b.py\n+++ b/b.py\n";
    response(&before, &block("a.py", "x\n", next)).refuses_with(("ambiguous-nesting", 2));
    for (path, new) in [("a.md", next), ("a.py", "```\ny\n```\n```sh\ny\n```\n"), ("a.py", "y\n```\n")] {
        assert!(response(&before, &block(path, "x\n", new)).is_applied(), "{new}");
    }
    // Fences that pair, that were there, or whose partner stands behind other text, are the file's.
    for (old, new) in [
        ("x\n", "\"\"\"\n```\ny\n```\n\"\"\"\n"),
        ("x\n", "P = \"\"\"```json\n{}\n```\n\"\"\"\n"),
        ("x\n", "P = \"\"\"\n```json\n{}\n```\"\"\"\n"),
    ] {
        assert!(response(&before, &edit("a.py", old, new)).is_applied(), "{new}");
    }
    response(&[("c.py", "x\n```\n")], &edit("c.py", "x\n```\n", "y\n```\n")).gives(&[("c.py", "y\n```\n")]);
}

/// A path at the end of a block is that of the next one, when the REPLACE marker stands below it; no block inherits past it.
#[test]
fn a_path_above_the_replace_marker() {
    let before = [("a.py", "x\n"), ("b.py", "x\n"), ("list.txt", "x\nold.py\n")];
    let create = bare("", "new\n");
    for path in ["b.py", "### `b.py`", "**made/hand.rs**", "Makefile"] {
        let both = format!("{}{create}", bare("x\n", &format!("y\n\n{path}\n")));
        for input in [
            format!("a.py\n```\n{both}```\n"),
            format!("```python a.py\n{both}```\n"),
            format!("a.py\n{both}"),
        ] {
            response(&before, &input).refuses_for(&["missing-path"]);
        }
    }
    // A list of files, text that is no heading, and the file's own name are the text's; a nearer path holds.
    for (path, old, new) in [
        ("list.txt", "old.py\n", "old.py\nb.py\n"),
        ("a.py", "x\n", "y = [\n    'b.py'\n"),
        ("a.py", "x\n", "y\na.py\n"),
        ("a.py", "x\n", "- b.py\n"),
    ] {
        assert!(response(&before, &format!("{path}\n{}{create}", bare(old, new))).is_applied(), "{new}");
    }
    let next = format!("a.py\n{}\nc.py\n{create}", bare("x\n", "b.py\n"));
    assert!(response(&before, &next).writes("c.py", "new\n"));
}

/// A bare fence below text may close a block whose opening fence is lost: the next block is not taken for text of one.
#[test]
fn an_opening_fence_that_was_lost() {
    let before = [("a.py", "a\n"), ("b.py", "b\n")];
    let edit = format!("a.py\n```python\n{}```\n", bare("a\n", "A\n"));
    let patch = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+A\n```\n";
    for next in [&*edit, patch, "```python a.py\nA\n```\n"] {
        for prose in ["", "\nIt keeps the behaviour.\n\n"] {
            let raw = block("b.py", "b\n", "B\n");
            for above in ["Create `n.js`:\n\nx = 1\n\ny(x)\n", &raw, "```python b.py\nB\n```\n"] {
                response(&before, &format!("{above}```\n{prose}{next}")).is_refused();
            }
        }
    }
    // Below a name, a heading, a sentence or a blank line it opens a block, as it does when its language is told.
    for above in ["", "a.py\n", "## Edits\n", "Here they are:\n", "Here they are.\n", "text\n\n"] {
        let run = response(&before, &format!("{above}```\n{edit}"));
        assert!(run.writes("a.py", "A\n") && run.diagnostics.is_empty(), "{above} {run:?}");
    }
    let run =
        response(&before, &format!("Create `n.js`:\n\nx = 1\n\n```\n\nIt keeps the behaviour.\n\n{edit}"));
    run.warns(&[("ignored-text", 10)]);
}

/// Text among edit blocks that is no prose may be of one of them.
#[test]
fn text_among_edit_blocks() {
    let before = [("a.py", "a\nb\n")];
    let reply = |between: &str, behind: &str| {
        let (one, two) = (bare("a\n", "A\n"), bare("b\n", "B\n"));
        response(&before, &format!("a.py\n```\n{one}{between}{two}{behind}```\n"))
    };
    for text in ["x = 1\n", "# see\nx = 1\n", "\n    return x\n"] {
        reply(text, "").finds(Severity::Warning, &["ignored-text"]);
        reply("", text).finds(Severity::Warning, &["ignored-text"]);
    }
    for text in
        ["Then this:\n", "It is done.\n", "// and\n", "# and\n", "a.py\n", "\n", "...\n", "`a.py` too\n"]
    {
        assert!(reply(text, "").diagnostics.is_empty() && reply("", text).diagnostics.is_empty(), "{text}");
    }
    reply("", " a\n-b\n+B\n").refuses_for(&["malformed-hunk"]);
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

/// A separator that stands twice, once with a sign too few or too many, is told: it is read as a line of the file.
#[test]
fn a_separator_that_stands_twice() {
    let before = [("a.py", "a\n====\n")];
    for near in ["======", "========", "===", "======= REPLACE"] {
        let edit = bare("a\n", &format!("{near}\nA\n"));
        for input in [format!("a.py\n{edit}"), format!("```python a.py\n{edit}```\n")] {
            response(&before, &input).finds(Severity::Warning, &["suspicious-marker"]);
            fsrb(&before, &format!("a.py\n{edit}")).finds(Severity::Warning, &["suspicious-marker"]);
        }
    }
    for (old, new) in [("====\n", "=====\nb\n"), ("a\n", "=====\nTitle\n=====\n"), ("a\n", "A\n=====\n")] {
        let run = response(&before, &block("a.py", old, new));
        assert!(run.is_applied(), "{new}");
        assert!(!run.diagnostics.iter().any(|found| found.code.as_str() == "suspicious-marker"), "{new}");
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

/// Markers that the text below has joined, or that stand behind what nobody sees, are meant as those of a block.
#[test]
fn near_markers_in_a_file() {
    for (search, replace) in [
        ("<<<<<<< SEARCHx = 1", "\u{2066}>>>>>>> REPLACE"),
        ("<<<<<<< SEARCHx = 1", ">>>>>>> REPLACEx"),
        ("\u{ad}<<<<<<< SEARCH", "\u{202e}>>>>>>> REPLACE"),
        ("<<<<<<< SEARCHx = 1", "y"),
    ] {
        let edit = format!("{search}\n=======\n{replace}\n");
        for input in [format!("`a.py`:\n\n```python\n{edit}```\n"), format!("a.py\n\n{edit}")] {
            response(&[("a.py", "x = 1\n")], &input).is_refused();
        }
    }
    let run = response(&[], "```text a.txt\n<<<<<<< SEARCHES\nx\n```\n");
    assert!(run.is_applied());
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

/// A closing fence with signs behind it closes nothing: a file does not go on behind it in silence.
#[test]
fn a_closing_fence_with_signs_behind_it() {
    let next = "\nIt is done.\n\n        ```diff\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+b\n```\n";
    for path in ["a.py", "a.txt"] {
        for closer in ["```.", "```;", "``` )", "````.", "```\u{200b}"] {
            for next in [next, "\nIt is done.\n\n```\nx\n```\n"] {
                response(&[], &format!("```python {path}\nx\n{closer}\n{next}")).is_refused();
            }
        }
    }
    let tildes = "~~~python a.py\nx\n~~~,\n\nIt is done.\n\n~~~\n";
    response(&[], tildes).refuses_with(("ambiguous-nesting", 1));
    // A longer fence around it, a word behind it and another sign before it make it text.
    for (fence, line) in
        [("````", "```."), ("~~~", "```."), ("~~~", "~~~x"), ("```", "print(```.)"), ("```", "# ```.")]
    {
        let run = response(&[], &format!("{fence}python a.py\nx\n{line}\ny\n{fence}\n"));
        assert!(run.writes("a.py", &format!("x\n{line}\ny\n")), "{line} {run:?}");
    }
}

/// The same where the next block has a fence of another character or length: its name is not lost in silence.
#[test]
fn an_opening_fence_that_was_lost_above_one_of_another_kind() {
    let blocks = ["~~~~python a.py\nx\n~~~~\n", "### `a.py`\n\n~~~python\nx\n~~~\n", "a.py\n~~~\nx\n~~~\n"];
    for next in blocks {
        for above in ["x = 1\n", "Create `n.js`:\n\nx = 1\n{\n"] {
            let input = format!("{above}```\n\nIt is done.\n\n{next}\n**b.py**\n\n````\ny\n````\n");
            response(&[], &input).is_refused();
        }
    }
    response(&[], "x = 1\n````\n```python a.py\nx\n```\n````\n").refuses_with(("ambiguous-nesting", 2));
    // Below what leaves room for a block, and where the other fence names nothing, it is only shown.
    for (above, shown) in [
        ("x = 1\n\n", blocks[2]),
        ("As in:\n", blocks[0]),
        ("", blocks[1]),
        ("x = 1\n", "~~~python\nx\n~~~\n"),
        ("a = 1\n", "~~~\nx\n"),
    ] {
        let run = response(&[], &format!("{above}````\n{shown}````\n\n`b.py`:\n\n```\ny\n```\n"));
        assert!(run.writes("b.py", "y\n"), "{above} {shown} {run:?}");
    }
}

/// A heading with one path and words with another one, which do not introduce the block, name no file of a block.
#[test]
fn a_heading_and_words_that_name_two_files() {
    let before = [("a.py", "x\n"), ("b.py", "x\n")];
    let edit = bare("x\n", "y\n");
    for heading in ["**File:** `a.py`", "### a.py", "a.py", "# a.py", "// a.py"] {
        for words in ["In `b.py`, change `x` to `y`.", "It is used by `b.py`"] {
            for above in [format!("{heading}\n{words}\n"), format!("{heading}\n\n{words}\n\n")] {
                for input in [format!("{above}{edit}"), format!("```python\n{above}{edit}```\n")] {
                    response(&before, &input).refuses_for(&["missing-path"]);
                }
            }
        }
    }
    for (above, path) in [
        ("### a.py\n\nIn `b.py`:\n", "b.py"),
        ("It is `a.py`.\nIn `b.py`, too.\n", "b.py"),
        ("### a.py\nThis is `a.py`.\n", "a.py"),
        ("### a.py\n\nSee below.\n\nIn `b.py`, too.\n", "b.py"),
    ] {
        let run = response(&before, &format!("{above}{edit}"));
        assert!(run.writes(path, "y\n"), "{above} {run:?}");
    }
}

/// Two bare fences with prose and a block's heading between them are a closing and an opening one.
#[test]
fn two_fences_turned_inside_out() {
    let block = |first: &str, name: &str, next: &str| {
        format!("Here it is.\n\n```{first}\n\nIt is done.\n\n{name}\n```\n{next}x = 1\n")
    };
    for name in ["**n.js**", "### `n.js`", "**File:** `n.js`", "`n.js`:"] {
        response(&[], &block("", name, "")).refuses_with(("ambiguous-nesting", 3));
    }
    // So it is where the first block would be a file.
    response(&[], &block("", "**n.js**", "").replace("Here it is.\n", "Create `a.py`:\n")).is_refused();
    let file = "\n`b.py`:\n\n```\ny\n```\n";
    for (first, name, next) in
        [("", "n.js", ""), ("", "**n.js**", "\n"), ("text", "**n.js**", ""), ("", "# n", "")]
    {
        let run = response(&[], &format!("{}{file}", block(first, name, next)));
        assert!(run.writes("b.py", "y\n"), "{name} {run:?}");
    }
}

/// In a fence without its end an edit of a program does not take in the opening fence of another file.
#[test]
fn an_edit_that_takes_in_the_next_file() {
    let before = [("a.py", "x\n"), ("a.md", "x\n")];
    let edit = |path: &str, new: &str| format!("{path}\n```python\n{}", bare("x\n", new));
    for pair in ["", "```\n```\n", "```sh\nls\n```\n"] {
        let new = format!("y\n{pair}\nAnd the other part:\n\n```python title=\"b.py\"\nz\n");
        for below in ["", "\n````python c.py\nz\n````\n"] {
            response(&before, &format!("{}{below}", edit("a.py", &new))).is_refused();
            assert!(response(&before, &format!("{}{below}", edit("a.md", &new))).is_applied());
        }
        assert!(response(&before, &format!("{}```\n", edit("a.py", &new))).is_applied());
    }
    assert!(response(&before, &edit("a.py", "y\n```python b.py\nz\n```\n")).is_applied());
}

/// A fence whose info string may name a file in a form that is not read: no edit in it inherits the path of the one before.
#[test]
fn an_edit_inherits_no_path_past_an_info_string_that_is_not_read() {
    let first = format!("```python a.py\n{}```\n", bare("", "x\n"));
    let second = |info: &str| format!("{first}\n```{info}\n{}```\n", bare("", "y\n"));
    for info in [
        "python src/b.py/",
        "python b\u{7f}.py",
        "python file=\"b.py/\"",
        "python my dir/b.py",
        "python b.py c.py",
    ] {
        response(&[], &second(info)).refuses_for(&["missing-path"]);
        // A file with this name alone is told, too.
        response(&[], &format!("{first}\n```{info}\ny\n```\n")).finds(Severity::Warning, &["ignored-text"]);
    }
    for info in ["", "python", "python linenums=1", "python (a part)", "{.python}"] {
        assert!(response(&[], &second(info)).writes("a.py", "x\ny\n"), "{info}");
    }
}

/// A block whose end is wrong swallows the path of the next one, and that is told once.
#[test]
fn a_path_in_a_broken_block_gives_no_second_error() {
    let text = "a.py\n<<<<<<< SEARCH\nq\n=======\nr\n>>>>>>> REPLACE!\n\nnew.py\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n";
    response(&[("a.py", "q\n")], text).refuses_for(&["suspicious-marker", "unexpected-marker"]);
}
