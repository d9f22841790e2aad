//! Diffs that are damaged in ways that would lose a part of them: refused, with a word of what to do.

use crate::support::{diff, response};

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
