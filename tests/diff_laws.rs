//! The laws of diffs, for random texts.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests")]

#[path = "laws/hunks.rs"]
mod hunk_laws;
#[path = "laws/diffs.rs"]
mod laws;

use proptest::prelude::*;

fn lines(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "",
        " ",
        "a ",
        "\u{e9}",
        "--- x",
        "+++ y",
        "-- ",
        "- item",
        "@@ -1 +1 @@",
        "\\ x",
        "```",
        "diff --git a/f b/f",
    ]);
    let ending = prop::sample::select(vec!["\n", "\n", "\r\n"]);
    (prop::collection::vec(line, count), ending, prop::bool::ANY).prop_map(|(lines, ending, ended)| {
        lines.join(ending) + if ended && !lines.is_empty() { ending } else { "" }
    })
}

fn hunk() -> impl Strategy<Value = String> {
    let line =
        (prop::sample::select(vec![' ', '+', '-']), prop::sample::select(vec!["a", "b", "b ", "c", ""]));
    (0..16_u8, prop::collection::vec(line, 1..5)).prop_map(|(start, lines)| {
        let lines = lines.into_iter().map(|(sign, text)| format!("{sign}{text}\n")).collect::<String>();
        format!("{}{lines}", char::from(start))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_diff_makes_the_new_text(old in lines(0..14), new in lines(0..14)) {
        laws::check(&format!("{old}\u{1e}{new}"));
    }

    #[test]
    fn hunks_do_what_a_search_everywhere_does(
        file in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "a ", "b ", ""]), 0..12),
        ended in prop::bool::ANY,
        hunks in prop::collection::vec(hunk(), 1..4),
    ) {
        let file = file.join("\n") + if ended && !file.is_empty() { "\n" } else { "" };
        hunk_laws::check(&format!("{file}\u{1e}{}", hunks.join("\u{1e}")));
    }
}
