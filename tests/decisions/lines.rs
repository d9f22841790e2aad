//! Which node a line belongs to, where more than one could claim it.

use code_parser::ast::InputKind;

use crate::support::{diff, fsrb, outline, response};

const HUNK: &str = "--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,3 @@\n a\n";

fn reply(input: &str) -> String {
    outline(InputKind::Response, input)
}

/// After a file header a fence line with a sign before it is a line of the hunk.
#[test]
fn hunk_before_fence() {
    let input = "--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,3 @@\n ```\n-a\n+b\n ```\n";
    assert_eq!(reply(input), "file_patch");
    for run in [response(&[("x.md", "```\na\n```\n")], input), diff(&[("x.md", "```\na\n```\n")], input)] {
        run.gives(&[("x.md", "```\nb\n```\n")]);
    }
}

/// After a file header marker lines with a sign before them are lines of the hunk.
#[test]
fn hunk_before_edit_block() {
    let input =
        "--- a/x.md\n+++ b/x.md\n@@ -1,4 +1,4 @@\n <<<<<<< SEARCH\n-a\n+b\n =======\n >>>>>>> REPLACE\n";
    assert_eq!(reply(input), "file_patch");
    response(&[("x.md", "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n")], input)
        .gives(&[("x.md", "<<<<<<< SEARCH\nb\n=======\n>>>>>>> REPLACE\n")])
        .warns(&[]);
}

/// A sentence with a sign before it is a line of the hunk.
#[test]
fn hunk_before_sentence() {
    let input = format!("{HUNK}-In file `m.py`, change `a` to `b`\n+x\n c\n");
    assert_eq!(reply(&input), "file_patch");
    response(&[("x.md", "a\nIn file `m.py`, change `a` to `b`\nc\n"), ("m.py", "a\n")], &input)
        .gives(&[("x.md", "a\nx\nc\n"), ("m.py", "a\n")]);
}

/// Inside a fence the closer is found first, so that a hunk ends there.
#[test]
fn closer_before_hunk_inside_a_fence() {
    let input = "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n+c\n";
    assert_eq!(reply(input), "code_block[file_patch]");
    response(&[("x", "a\n")], input).gives(&[("x", "b\n")]);
}

/// In a diff block a fence line that is further in than the opener is a line of the hunk.
#[test]
fn indented_fence_line_is_hunk_inside_a_diff_block() {
    let input = "```diff\n--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,3 @@\n ```\n-a\n+b\n ```\n```\n";
    assert_eq!(reply(input), "code_block[file_patch]");
    response(&[("x.md", "```\na\n```\n")], input).gives(&[("x.md", "```\nb\n```\n")]);
}

/// The fence lines of a complete block are its content, in a patch file, in prose and in a fence.
#[test]
fn edit_block_before_fence() {
    let inner = "a.md\n<<<<<<< SEARCH\n```\nold\n```\n=======\n```\nnew\n```\n>>>>>>> REPLACE\n";
    let before = [("a.md", "```\nold\n```\n")];
    let after = [("a.md", "```\nnew\n```\n")];
    fsrb(&before, inner).gives(&after);
    assert_eq!(reply(inner), "search_replace");
    response(&before, inner).gives(&after);
    let fenced = format!("```markdown\n{inner}```\n");
    assert_eq!(reply(&fenced), "code_block[search_replace]");
    response(&before, &fenced).gives(&after);
}

/// A file header within a complete block is its content.
#[test]
fn edit_block_before_file_header() {
    let input = "a.txt\n<<<<<<< SEARCH\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n=======\nnew\n>>>>>>> REPLACE\n";
    assert_eq!(reply(input), "search_replace");
    response(&[("a.txt", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n")], input).gives(&[("a.txt", "new\n")]);
}

/// A sentence within a complete block is its content.
#[test]
fn edit_block_before_sentence() {
    let sentence = "In file `m.py`, change `a` to `b`";
    let input = format!("a.txt\n<<<<<<< SEARCH\n{sentence}\n=======\nnew\n>>>>>>> REPLACE\n");
    assert_eq!(reply(&input), "search_replace");
    response(&[("a.txt", &format!("{sentence}\n")), ("m.py", "a\n")], &input)
        .gives(&[("a.txt", "new\n"), ("m.py", "a\n")]);
}

/// A file header inside a fence that is no diff block is content.
#[test]
fn fence_before_file_header() {
    let input = "```text\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n";
    assert_eq!(reply(input), "code_block");
    response(&[("x", "a\n")], input).refuses_with(("no-changes", 0));
}

/// A sentence inside a fence is content.
#[test]
fn fence_before_sentence() {
    let input = "```text\nIn file `m.py`, change `a` to `b`.\n```\n";
    assert_eq!(reply(input), "code_block");
}

/// A raw file header is `diff --git`, or `---`, `+++` and `@@` on three successive lines, and comes before prose.
#[test]
fn file_header_before_prose() {
    let git = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
    assert_eq!(reply(git), "file_patch");
    let plain = "Some words\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nMore words.\n";
    assert_eq!(reply(plain), "file_patch");
    for broken in ["--- a/x\n+++ b/x\n\n@@ -1 +1 @@\n-a\n+b\n", "--- a/x\n\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"] {
        // The hunk has no file then.
        response(&[("x", "a\n")], broken).refuses(&[("missing-path", 4)]);
    }
}

/// A sentence after a diff, in the prose, is an edit of its own.
#[test]
fn sentence_in_prose() {
    let input = format!("{HUNK}-b\n+B\n c\n\nIn file `m.py`, change `a` to `b`.\n");
    assert_eq!(reply(&input), "file_patch inline_edit");
}
