//! What is told of a diff that is not whole, and what is not told of one that is.

use super::*;

/// The findings of a text in prose: code and the text that each is about.
fn in_prose(text: &str) -> Vec<String> {
    list(text, &read(text).1)
}

/// The same of the body of a fence that is tagged as a diff.
fn in_fence(text: &str) -> Vec<String> {
    let tokens = lex(text);
    list(text, &diff_block(Lines::new(text, &tokens), Span::empty(0)).1)
}

fn list(text: &str, faults: &[Diagnostic]) -> Vec<String> {
    let source = Source::new(text).unwrap();
    faults.iter().map(|fault| format!("{}: {}", fault.code, source.slice(fault.span.unwrap()))).collect()
}

/// The messages of a text's findings in prose.
fn messages(text: &str) -> Vec<String> {
    read(text).1.into_iter().map(|fault| fault.message).collect()
}

/// A section with one hunk whose counts fit, and these lines between it and another hunk.
fn between(lines: &str) -> String {
    format!("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n{lines}@@ -9 +9 @@\n-c\n+d\n")
}

/// A section with a hunk whose header has no numbers, that ends in these lines.
fn without_numbers(lines: &str) -> String {
    format!("--- a/f\n+++ b/f\n@@ ... @@\n a\n-b\n+c\n{lines}")
}

const NONE: [&str; 0] = [];

#[test]
fn half_a_header_in_the_prose_between_hunks_is_told() {
    for header in ["--- a/g", "+++ b/g"] {
        let text = between(&format!("\nWords.\n\n{header}\n\n"));
        assert_eq!(in_prose(&text), [format!("malformed-hunk: {header}")], "{header}");
    }
}

#[test]
fn half_a_header_right_below_a_hunk_is_told_once() {
    let text = between("--- a/g\n\n");
    assert_eq!(in_prose(&text), ["malformed-hunk: @@ -1 +1 @@"]);
    assert_eq!(in_prose(&text.replace('\n', "\r\n")), ["malformed-hunk: @@ -1 +1 @@"]);
}

#[test]
fn lists_and_rules_between_hunks_are_no_headers() {
    for line in ["- a word", "+ a word", "--- two words", "-----", "*** ***", "-ab word"] {
        assert_eq!(in_prose(&between(&format!("\nWords.\n\n{line}\n\n"))), NONE, "{line}");
    }
}

#[test]
fn half_a_header_at_the_end_of_a_hunk_is_told_across_a_line_of_prose() {
    for lines in ["--- a/g\n", "--- a/g\n\n", "--- a/g\nWords.\n", "--- a/g\n\nWords.\n\n", "+++ b/g\n\n"] {
        let text = without_numbers(&format!("{lines}@@ ... @@\n-c\n+d\n"));
        let told = messages(&text);
        assert!(
            told.iter().any(|message| message.starts_with("a header of another file below")),
            "{lines}: {told:?}"
        );
    }
}

#[test]
fn a_removed_line_of_dashes_is_no_header() {
    for lines in ["--- two words\n", "---\n", "--- a\n d\n", "--- a\nWords.\nMore.\n\n"] {
        let text = without_numbers(&format!("{lines}@@ ... @@\n-c\n+d\n"));
        let told = messages(&text);
        assert!(
            !told.iter().any(|message| message.starts_with("a header of another file")),
            "{lines}: {told:?}"
        );
    }
}

#[test]
fn a_hunk_without_name_above_a_section_is_told() {
    let text = "@@ ... @@\n-a\n+b\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-c\n+d\n";
    assert_eq!(in_fence(text), ["missing-path: @@ ... @@"]);
}

#[test]
fn a_git_line_is_a_section_with_names_in_quotes_and_in_a_fence() {
    let quoted = "diff --git \"a/\\303\\244\" \"b/\\303\\244\"";
    assert_eq!(in_prose(&format!("{quoted}\n\nWords.\n")), [format!("missing-hunks: {quoted}")]);
    assert_eq!(in_prose("diff --git a/f b/f\n\nWords.\n"), ["missing-hunks: diff --git a/f b/f"]);
    assert_eq!(in_prose("diff --git a/f b/g\n\nWords.\n"), NONE);
    assert_eq!(in_fence("diff --git a/f b/g\n\nWords.\n"), ["missing-hunks: diff --git a/f b/g"]);
}

#[test]
fn names_behind_a_blank_line_are_those_of_the_git_line() {
    for (git, old, new) in [
        ("a/f b/f", "a/f", "b/f"),
        ("a/f b/f", "f", "f"),
        ("a/f b/f", "/dev/null", "b/f"),
        ("a/f b/f", "a/f", "/dev/null"),
        ("a/f b/f", "i/f", "w/f"),
        ("a/d/f b/d/f", "d/f", "d/f"),
    ] {
        let text =
            format!("diff --git {git}\nindex 1..2 100644\n\n--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(read(&text).0.len(), 1, "{git} {old} {new}");
    }
}

#[test]
fn in_a_fence_a_short_rule_below_index_is_enough() {
    let text = "Index: f\n===\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(in_fence(text), NONE);
    assert_eq!(in_prose(text), ["missing-path: @@ -1 +1 @@"]);
}

#[test]
fn another_edit_in_a_diff_block_is_told_once_whatever_else_is_wrong() {
    let edit = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n";
    let text = format!("--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n-a\n+b\n{edit}{edit}");
    assert_eq!(in_fence(&text), ["hunk-count-mismatch: @@ -1,9 +1,9 @@", "unterminated-fence: "]);
}

#[test]
fn the_kind_of_a_file_that_is_not_supported_is_said() {
    for (mode, what) in
        [("120000", "a symbolic link"), ("160000", "a submodule"), ("040000", "of an unknown kind")]
    {
        let text = format!("diff --git a/l b/l\nnew file mode {mode}\n");
        let told = messages(&text);
        assert!(told.contains(&format!("the file is {what}, which is not supported")), "{mode}: {told:?}");
    }
}

#[test]
fn both_names_are_shown_where_lines_name_different_files() {
    let text = "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(messages(text), ["the new file is `g` here, but `f` in an earlier line of the section"]);
}

#[test]
fn counts_are_corrected_only_where_the_end_of_the_hunk_is_known() {
    let suggestions = |text: &str| {
        let suggestion = |fault: Diagnostic| fault.suggestion.map(|suggestion| suggestion.replacement);
        read(text).1.into_iter().map(suggestion).collect::<Vec<_>>()
    };
    let head = "--- a/f\n+++ b/f\n@@ -1,";
    assert_eq!(suggestions(&format!("{head}9 +1,9 @@\n a\n-b\n+c\n")), [Some("-1,2 +1,2".to_owned())]);
    // The lines may go on behind the blank one, or be words behind those that are counted.
    assert_eq!(suggestions(&format!("{head}9 +1,9 @@\n a\n-b\n+c\n\n")), [None]);
    assert_eq!(suggestions(&format!("{head}2 +1,2 @@\n a\n-b\n+c\n- a word\n")), [None]);
}

#[test]
fn an_added_line_of_signs_is_no_name() {
    for line in ["+++ two words", "+ab word"] {
        let text = format!("--- a/f\n@@ -1,3 +1,2 @@\n{line}\n a\n");
        assert_eq!(in_fence(&text), ["hunk-count-mismatch: @@ -1,3 +1,2 @@"], "{line}");
    }
    let text = "--- a/f\n@@ -1,3 +1,2 @@\n+++ b/f\n a\n";
    assert!(in_fence(text).contains(&"malformed-hunk: @@ -1,3 +1,2 @@".to_owned()), "{:?}", in_fence(text));
}

#[test]
fn a_marker_stands_below_a_line_with_sign_that_has_none_yet() {
    let marked = |text: &str| read(text).0[0].hunks[0].no_newline_markers.len();
    assert_eq!(marked(&without_numbers("\\\tNo newline\n")), 1);
    assert_eq!(marked(&without_numbers("\\No newline\n")), 1);
    assert_eq!(marked(&without_numbers("\n\\ No newline\n")), 0);
    assert_eq!(marked(&without_numbers("\\ No newline\n\\ No newline\n")), 1);
}

#[test]
fn words_below_a_hunk_are_no_lines_of_it() {
    for line in ["@param x", "That is 3 +4.", "Of -3 and +4.", "Words.\n-- \n2.39.2"] {
        let text = format!("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n{line}\n");
        assert_eq!(in_prose(&text), NONE, "{line}");
        assert_eq!(in_fence(&text), NONE, "{line}");
    }
    assert_eq!(in_fence(&without_numbers("\nWords.\n")), NONE);
}

#[test]
fn words_behind_a_blank_line_do_not_fill_the_counts() {
    let text = "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n a\n-b\n+c\n\nWords.\n";
    assert_eq!(in_prose(text), ["hunk-count-mismatch: @@ -1,4 +1,4 @@"]);
    assert_eq!(in_fence(text), ["hunk-count-mismatch: @@ -1,4 +1,4 @@"]);
}

#[test]
fn a_hunk_with_one_sign_has_not_lost_all() {
    for (counts, lines) in [("-1 +1,2", "a\n+b\n"), ("-1,2 +1", "a\n-b\n"), ("-1,2 +1,2", "a\n b\n")] {
        let text = format!("--- a/f\n+++ b/f\n@@ {counts} @@\n{lines}");
        assert_eq!(messages(&text), ["a line of the hunk has no sign in front"], "{lines}");
    }
}

#[test]
fn lines_that_lost_their_sign_are_pointed_at() {
    let text = "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n a\nb\n-c\n+C\n\\ No newline\nd\n\nWords.\n";
    let source = Source::new(text).unwrap();
    let (_, faults) = read(text);
    let lines: Vec<_> = faults[0].related.iter().map(|related| source.slice(related.span)).collect();
    assert_eq!(lines, ["b", "d"]);
}

#[test]
fn a_slash_that_lacks_is_suggested() {
    let text = "--- dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n";
    let source = Source::new(text).unwrap();
    let (_, faults) = read(text);
    let suggestion = faults.iter().find_map(|fault| fault.suggestion.as_ref()).unwrap();
    assert_eq!((source.slice(suggestion.span), suggestion.replacement.as_str()), ("dev/null", "/dev/null"));
}

#[test]
fn lines_behind_a_blank_one_that_fill_the_counts_are_the_hunk_s() {
    for (counts, lines) in [("-1,5 +1,4", "x\n e\n"), ("-1,5 +1,5", "x\n e\n+f\n")] {
        let text = format!("--- a/f\n+++ b/f\n@@ {counts} @@\n a\n-b\n+c\n\n{lines}");
        assert_eq!(in_prose(&text), [format!("malformed-hunk: @@ {counts} @@")], "{lines}");
    }
}

#[test]
fn a_sign_is_suggested_where_the_hunk_is_then_as_long_as_promised() {
    let suggested = |below: &str| {
        let text = format!("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\nb\n-c\n{below}");
        read(&text).1.into_iter().find_map(|fault| fault.suggestion).map(|suggestion| suggestion.replacement)
    };
    for below in ["+C\n", "+C\n\nWords.\n", "+C\n@@ -9 +9 @@\n-x\n+y\n", "\\ No newline\n+C\n"] {
        assert_eq!(suggested(below).as_deref(), Some(" b"), "{below}");
    }
    assert_eq!(suggested("+C\nd\n"), None);
    assert_eq!(suggested("+C\n+D\n"), None);
}

#[test]
fn a_header_below_a_hunk_is_no_line_without_sign() {
    let text = "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n-a\n+b\n@@ -20 +20 @@\n-c\n+d\n";
    let (_, faults) = read(text);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].related, []);
}
