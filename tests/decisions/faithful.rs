//! Replies that are whole, and look a little like damaged ones.

use crate::support::response;

/// A rule or the start of a mail signature below a fence goes on with no hunk, unless it is just what the counts promise or
/// lines with signs follow.
#[test]
fn a_rule_below_a_diff_block() {
    let files = [("a", "1\n2\n--\n")];
    let block = |header: &str| format!("```diff\n--- a/a\n+++ b/a\n{header}\n-1\n+x\n 2\n```\n");
    let headers = ["@@ -1,2 +1,2 @@", "@@ ... @@", "@@", "@@ -1,5 +1,4 @@", "@@ -1,4 +1,4 @@"];
    for header in headers {
        for below in ["---\n", "---\n\n- Done.\n", "-- \nMe\n", "----\n### Next\n"] {
            let run = response(&files, &format!("{}{below}", block(header)));
            assert!(run.writes("a", "x\n2\n--\n"), "{header} {below} {run:?}");
        }
    }
    for below in ["---\n+y\n", "-- \n 2\n"] {
        response(&files, &format!("{}{below}", block("@@ ... @@"))).refuses_for(&["malformed-hunk"]);
    }
    response(&files, &format!("{}---\n", block("@@ -1,3 +1,2 @@"))).refuses_for(&["malformed-hunk"]);
}

/// A file with a diff in it goes on in no rule and no signature below its block.
#[test]
fn a_rule_below_a_file_with_a_diff_in_it() {
    let text = "D = \"\"\"\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\"\"\"\n";
    for below in ["---\n\nDone.\n", "-- \nMe\n", "---\n"] {
        let run = response(&[], &format!("```python a.py\n{text}```\n{below}"));
        assert!(run.writes("a.py", text), "{below} {run:?}");
    }
}

/// A file that only moves has nothing below its headers that a fence could split off.
#[test]
fn a_fence_right_below_a_file_that_only_moves() {
    let moved = |similarity: &str| {
        format!(
            "diff --git a/a b/b\nsimilarity index {similarity}\nrename from a\nrename to b\n```sh\nmake\n```\n"
        )
    };
    response(&[("a", "1\n")], &moved("100%")).gives(&[("b", "1\n")]);
    response(&[("a", "1\n")], &moved("90%")).refuses_for(&["missing-hunks"]);
}

/// The blank line between a hunk and what follows moves the hunk to no other place than the one that it states.
#[test]
fn a_blank_line_below_a_hunk_at_the_end_of_its_file() {
    let files = [("a", "{\n}\n\n{\n}\n")];
    let input = |header: &str| format!("--- a/a\n+++ b/a\n{header}\n }}\n+x\n\nDone.\n");
    response(&files, &input("@@ -5,3 +5,5 @@")).refuses_for(&["ambiguous-hunk"]);
    response(&files, &input("@@ -5,1 +5,2 @@")).gives(&[("a", "{\n}\n\n{\n}\nx\n")]);
    // With or without it the hunk is there, or it is nowhere with it, or not where it says.
    assert!(response(&files, &input("@@ -2,3 +2,5 @@")).writes("a", "{\n}\nx\n\n{\n}\n"));
    assert!(response(&[("a", "{\n}\n")], &input("@@ -2,3 +2,5 @@")).writes("a", "{\n}\nx\n"));
    assert!(response(&files, &input("@@ -4,3 +4,5 @@")).writes("a", "{\n}\nx\n\n{\n}\n"));
}
