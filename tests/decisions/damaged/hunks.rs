//! Hunks and headers that are broken, cut short or go on elsewhere.

use super::HUNK;
use crate::support::{block, diff, response};

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
    let mode = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
    let moved = "diff --git a/x b/z\nsimilarity index 90%\nrename from x\nrename to z\n";
    for rest in ["--- a/x", "--- a/x\n", "+++ b/x\n", "--- a/x\n@ -1 +1 @@\n"] {
        diff(&[("x", "a\n")], &format!("{mode}{rest}")).refuses_with(("missing-hunks", 1));
        diff(&[("x", "a\n")], &format!("{moved}{rest}")).refuses_with(("missing-hunks", 1));
    }
    for rest in ["", "-- \n2.40\n", "---\n\nWords.\n", "\n--- words\n"] {
        diff(&[("x", "a\n")], &format!("{moved}{rest}")).gives(&[("z", "a\n")]);
    }
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

/// A list with `+` below a hunk in prose is neither added to the file nor dropped.
#[test]
fn a_list_with_plus_below_a_hunk() {
    let before = [("x", "a\nb\n\nc\n")];
    let head = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    for list in ["+ also needed\n", "+ one\n+ two\n", "+ one\n\n+ two\n\nWords.\n"] {
        diff(&before, &format!("{head}\n{list}")).refuses(&[("malformed-hunk", 3)]);
    }
    let left_out = [("x", "a\nB\n\nc\n")];
    diff(&before, &format!("{head}\n- one\n- two\n")).gives(&left_out);
    diff(&before, &format!("{head}\n+d\n")).gives(&[("x", "a\nB\n\nd\nc\n")]);
    let counted = head.replace("-1,2 +1,2", "-1,3 +1,4");
    diff(&before, &format!("{counted}\n+ d\n")).gives(&[("x", "a\nB\n\n d\nc\n")]);
    response(&before, &format!("```diff\n{head}\n+ d\n```\n")).gives(&[("x", "a\nB\n\n d\nc\n")]);
}
