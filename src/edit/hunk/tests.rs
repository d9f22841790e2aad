use std::borrow::Cow;

use super::*;
use crate::apply::change::Patch;
use crate::ast::LineEnding;
use crate::grammar::lines::{Lines, lex};
use crate::grammar::unified_diff::file_patch;
use crate::source::Source;

/// What the hunks of a diff without its header lines make of a text: the new text, or each fault as
/// `hunk: fault`, hunks from 1.
fn patch(old: &str, hunks: &str) -> Result<String, Vec<String>> {
    let applied = patch_bytes(old.as_bytes(), &format!("--- a/f\n+++ b/f\n{hunks}"))?;
    Ok(String::from_utf8(applied.bytes).unwrap())
}

fn patch_bytes(old: &[u8], diff: &str) -> Result<Applied, Vec<String>> {
    let source = Source::new(diff).unwrap();
    let tokens = lex(diff);
    let (_, read) = file_patch(Lines::new(diff, &tokens)).unwrap();
    let patch = Patch::from_ast(&read.node, &source);
    apply(old, &patch.hunks).map_err(|faults| faults.iter().map(show).collect())
}

fn show(fault: &HunkFault) -> String {
    let kind = match &fault.kind {
        HunkFaultKind::NotFound => "not found".to_owned(),
        HunkFaultKind::Ambiguous { lines } => format!("ambiguous {lines:?}"),
        HunkFaultKind::Overlapping { with } => format!("overlaps {}", with + 1),
    };
    format!("{}: {kind}", fault.hunk + 1)
}

fn ok(old: &str, hunks: &str, new: &str) {
    assert_eq!(patch(old, hunks), Ok(new.to_owned()), "{old:?} {hunks:?}");
}

fn err(old: &str, hunks: &str, faults: &[&str]) {
    let faults = faults.iter().map(|&fault| fault.to_owned()).collect();
    assert_eq!(patch(old, hunks), Err(faults), "{old:?} {hunks:?}");
}

#[test]
fn a_hunk_stands_where_it_says() {
    ok("a\nb\nc\n", "@@ -2 +2 @@\n-b\n+B\n", "a\nB\nc\n");
    ok("a\nb\nc\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n", "a\nx\nb\nc\n");
    ok("a\nb\nc\n", "@@ -2,2 +2 @@\n-b\n-c\n", "a\n");
}

#[test]
fn of_several_places_the_nearest_counts() {
    ok("k\na\nk\nb\nc\nk\n", "@@ -5 +5 @@\n-k\n+K\n", "k\na\nk\nb\nc\nK\n");
    err("k\na\nk\n", "@@ -2 +2 @@\n-k\n+K\n", &["1: ambiguous [1, 3]"]);
    err("k\na\nk\n", "@@ @@\n-k\n+K\n", &["1: ambiguous [1, 3]"]);
    err("k\na\nk\n", "@@ -0 +0 @@\n-k\n+K\n", &["1: ambiguous [1, 3]"]);
    ok("k\na\nk\n", "@@ -99 +99 @@\n-k\n+K\n", "k\na\nK\n");
    ok("a\nk\n", "@@ ... @@\n-k\n+K\n", "a\nK\n");
}

#[test]
fn the_drift_of_the_hunk_before_moves_the_stated_line() {
    let old = "x\nx\nx\na\nk\nb\nk\n";
    ok(old, "@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-k\n+K\n", "x\nx\nx\nA\nK\nb\nk\n");
    ok(old, "@@ -4 +4 @@\n-a\n+A\n@@ -7 +7 @@\n-k\n+K\n", "x\nx\nx\nA\nk\nb\nK\n");
    ok(old, "@@ -1 +1 @@\n-a\n+A\n@@ -3,0 +4 @@\n+new\n", "x\nx\nx\nA\nk\nb\nnew\nk\n");
}

#[test]
fn spaces_at_line_ends_count_only_where_there_is_an_exact_place() {
    ok("a  \nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a  \nB\n");
    ok("a \nx\na\n", "@@ -1 +1 @@\n-a\n+A\n", "a \nx\nA\n");
    ok("a\nb\n", "@@ -1,2 +1,2 @@\n a\t\n-b \n+B\n", "a\nB\n");
    err("a\u{a0}\n", "@@ -1 +1 @@\n-a\n+A\n", &["1: not found"]);
    let applied =
        patch_bytes(b"a \nb\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-b\n+B\n").unwrap();
    assert_eq!(
        applied.places,
        [
            Placed { line: 1, exactness: Exactness::TrailingBlanks },
            Placed { line: 2, exactness: Exactness::Exact }
        ]
    );
}

#[test]
fn a_hunk_without_old_lines_goes_after_its_stated_line() {
    ok("a\nb\n", "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n");
    ok("a\nb\n", "@@ -0,0 +1 @@\n+x\n", "x\na\nb\n");
    ok("a\nb\n", "@@ -2,0 +3 @@\n+x\n", "a\nb\nx\n");
    err("a\nb\n", "@@ -3,0 +4 @@\n+x\n", &["1: not found"]);
    err("a\nb\n", "@@ @@\n+x\n", &["1: ambiguous []"]);
    ok("", "@@ @@\n+x\n", "x\n");
    ok("", "@@ -0,0 +1,2 @@\n+x\n+y\n", "x\ny\n");
}

#[test]
fn blank_lines_below_a_hunk_are_no_context_where_the_file_has_none() {
    ok("a\nb\nc\n", "@@ @@\n a\n-b\n+B\n\n\n", "a\nB\nc\n");
    ok("a\nb\n\nc\n", "@@ @@\n a\n-b\n+B\n\n", "a\nB\n\nc\n");
    err("a\n\nb\n", "@@ @@\n+x\n\n", &["1: ambiguous []"]);
    ok("a\n\nb\n", "@@ -2 +2,2 @@\n+x\n\n", "a\nx\n\nb\n");
}

#[test]
fn the_file_decides_how_many_lines_a_hunk_has() {
    ok("a\nb\nc\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n-c\n", "A\nb\n");
    ok("a\nb\nd\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n- c\n", "A\nb\nd\n");
    ok("a\nb\nd\n", "@@ -1,9 +1,9 @@\n-a\n+A\n b\n", "A\nb\nd\n");
    err("a\nb\nd\n", "@@ -1 +1 @@\n a\n-c\n", &["1: not found"]);
    err("a\nb\nd\n", "@@ -1,9 +1,9 @@\n-a\n+A\n b\n- c\n", &["1: not found"]);
}

#[test]
fn hunks_match_the_file_as_it_was_and_may_not_overlap() {
    ok("a\nb\n", "@@ -2 +2 @@\n-b\n+B\n@@ -1 +1 @@\n-a\n+A\n", "A\nB\n");
    err("a\nb\n", "@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+c\n", &["2: overlaps 1"]);
    err("a\nb\nc\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -2,2 +2,2 @@\n b\n-c\n+C\n", &["2: overlaps 1"]);
    err("a\nb\n", "@@ -1,0 +2 @@\n+x\n@@ -1,0 +2 @@\n+y\n", &["2: overlaps 1"]);
    ok("a\nb\n", "@@ -1 +1 @@\n-a\n+A\n@@ -1,0 +2 @@\n+x\n@@ -2 +3 @@\n-b\n+B\n", "A\nx\nB\n");
    err("a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -1,0 +2 @@\n+x\n", &["2: overlaps 1"]);
}

#[test]
fn every_fault_is_told() {
    let hunks = "@@ -1 +1 @@\n-x\n+X\n@@ @@\n-k\n+K\n@@ -1 +1 @@\n-a\n+A\n@@ -1 +1 @@\n-a\n+B\n";
    err("a\nk\nk\n", hunks, &["1: not found", "2: ambiguous [2, 3]", "4: overlaps 3"]);
}

#[test]
fn new_lines_take_the_endings_of_those_they_replace() {
    ok("a\r\nb\r\nc\r\n", "@@ -2 +2,2 @@\n-b\n+B\n+x\n", "a\r\nB\r\nx\r\nc\r\n");
    ok("a\nb\r\nc\n", "@@ -2,2 +2,3 @@\n-b\n-c\n+B\n+C\n+x\n", "a\nB\r\nC\nx\n");
    ok("a\nb\n", "@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+B\r\n", "a\nB\n");
    ok("a\r\nb\r\n", "@@ -1,0 +2 @@\n+x\n", "a\r\nx\r\nb\r\n");
}

#[test]
fn new_lines_keep_their_endings_where_the_old_ones_match_with_theirs() {
    ok("a\nb\r\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\r\n+b\n c\n", "a\nb\nc\n");
    ok("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\r\n", "a\nb\r\n");
    ok("", "@@ -0,0 +1,2 @@\n+a\r\n+b\r\n", "a\r\nb\r\n");
    ok("", "@@ -0,0 +1,2 @@\r\n+a\r\n+b\r\n", "a\nb\n");
}

#[test]
fn the_end_of_the_file_stays_as_it_is_unless_the_hunk_says_otherwise() {
    ok("a\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", "A\nb");
    ok("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nB");
    ok("a\nb", "@@ -2 +2,2 @@\n b\n+c\n", "a\nb\nc");
    ok("a\r\nb", "@@ -2 +2,2 @@\n b\n+c\n", "a\r\nb\r\nc");
    ok("a\nb", "@@ -1,2 +1 @@\n a\n-b\n", "a");
    ok("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B", "a\nB\n");
    ok("a\nb", "@@ -2 +2 @@\n-b\n\\ No newline\n+b\n", "a\nb\n");
    ok("a\r\nb", "@@ -2 +2 @@\n-b\n\\ No newline\n+b\n", "a\r\nb\r\n");
    ok("a\nb\n", "@@ -2 +2 @@\n-b\n+B\n\\ No newline\n", "a\nB");
    ok("a\nb", "@@ -2 +2,3 @@\n-b\n\\ No newline\n+b\n+\n+c\n\\ No newline\n", "a\nb\n\nc");
    ok("a\nb", "@@ -1,2 +1 @@\n a\n-b\n\\ No newline\n", "a\n");
    ok("", "@@ -0,0 +1 @@\n+a\n\\ No newline\n", "a");
    ok("a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline\n", "A\nb\n");
    ok("a\n", "@@ -1 +0,0 @@\n-a\n", "");
}

#[test]
fn a_backslash_line_holds_its_hunk_at_the_end() {
    err("b\na\n", "@@ -1 +1 @@\n-b\n+B\n\\ No newline\n", &["1: not found"]);
    ok("b\na\nb", "@@ -1 +1 @@\n-b\n\\ No newline\n+B\n\\ No newline\n", "b\na\nB");
    err("b\na\n", "@@ -1,0 +2 @@\n+x\n\\ No newline\n", &["1: not found"]);
}

#[test]
fn a_byte_order_mark_does_not_hide_the_first_line() {
    ok("\u{feff}a\nb\n", "@@ -1 +1 @@\n-a\n+A\n", "\u{feff}A\nb\n");
    ok("\u{feff}a\nb\n", "@@ -0,0 +1 @@\n+x\n", "\u{feff}x\na\nb\n");
    ok("\u{feff}a\n", "@@ -1 +1 @@\n-\u{feff}a\n+a\n", "a\n");
    assert!(is_nothing(
        &patch_bytes("\u{feff}a\n".as_bytes(), "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n").unwrap().bytes
    ));
}

#[test]
fn bytes_that_are_no_text_stay() {
    let applied = patch_bytes(b"\xff\r\na\rb\n\xfe", "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-a\rb\n+c\n").unwrap();
    assert_eq!(applied.bytes, b"\xff\r\nc\n\xfe");
}

/// 100,000 lines that are all alike, and as many hunks as make any product of the two sizes felt.
#[test]
fn a_file_of_one_line_repeated_takes_no_longer_than_another() {
    let old = "}\n".repeat(100_000);
    let half = " }\n".repeat(50_000);
    ok(&old, &format!("@@ -40000,50000 +40000,50001 @@\n{half}+x\n"), &{
        let mut lines = vec!["}"; 100_000];
        lines.insert(39_999 + 50_000, "x");
        lines.join("\n") + "\n"
    });
    let absent: String = (0..2_000).map(|number| format!("@@ -{number} +1 @@\n }}\n-absent\n")).collect();
    assert_eq!(patch(&old, &absent).unwrap_err().len(), 2_000);
}

mod properties {
    use proptest::prelude::*;
    use similar::TextDiff;

    use super::*;

    fn text() -> impl Strategy<Value = String> {
        let line = prop::sample::select(vec![
            "a",
            "b",
            "c",
            "",
            " ",
            "a ",
            "é",
            "--- x",
            "+++ y",
            "@@ -1 +1 @@",
            "\\ x",
        ]);
        let lines = prop::collection::vec(line, 0..14);
        (lines, prop::bool::ANY, prop::sample::select(vec!["\n", "\r\n"])).prop_map(
            |(lines, newline, ending)| {
                let text = lines.join(ending);
                if (newline || ending == "\r\n") && !lines.is_empty() { text + ending } else { text }
            },
        )
    }

    fn diff(old: &str, new: &str, context: usize) -> String {
        TextDiff::from_lines(old, new).unified_diff().context_radius(context).header("a/f", "b/f").to_string()
    }

    /// A hunk whose places are found by looking everywhere.
    #[derive(Debug, Clone)]
    struct Simple {
        stated: Option<u32>,
        lines: Vec<(LineKind, &'static str)>,
    }

    fn simple() -> impl Strategy<Value = Simple> {
        let kind = prop::sample::select(vec![LineKind::Context, LineKind::Added, LineKind::Removed]);
        let line = (kind, prop::sample::select(vec!["a", "b", "b ", "c"]));
        (prop::option::of(0..12_u32), prop::collection::vec(line, 1..4))
            .prop_map(|(stated, lines)| Simple { stated, lines })
    }

    fn hunk(simple: &Simple) -> PatchHunk<'_> {
        let line = |&(kind, text)| PatchLine {
            kind,
            text: Cow::Borrowed(text),
            ending: LineEnding::Lf,
            no_newline: false,
        };
        PatchHunk {
            header: None,
            header_ending: LineEnding::Lf,
            old_start: simple.stated,
            lines: simple.lines.iter().map(line).collect(),
            extent: Extent::Counted,
        }
    }

    /// The lines of a file after the hunks; `None` where one of them has no place.
    fn reference(file: &[&str], hunks: &[Simple]) -> Option<Vec<String>> {
        let mut drift = 0_i64;
        let mut places = Vec::new();
        for hunk in hunks {
            let old: Vec<&str> =
                hunk.lines.iter().filter(|line| line.0 != LineKind::Added).map(|line| line.1).collect();
            let at = if old.is_empty() {
                let at = if file.is_empty() { 0 } else { i64::from(hunk.stated?) + drift };
                usize::try_from(at).ok().filter(|&at| at <= file.len())?
            } else {
                let stated = hunk.stated.filter(|&stated| stated > 0).map(|stated| i64::from(stated) - 1);
                let at = nearest(file, &old, stated.map(|stated| stated + drift))?;
                drift = stated.map_or(drift, |stated| at as i64 - stated);
                at
            };
            places.push((at, at + old.len(), hunk));
        }
        places.sort_by_key(|place| (place.0, place.1));
        for pair in places.windows(2) {
            if pair[0].1 > pair[1].0
                || (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) && pair[0].0 == pair[0].1
            {
                return None;
            }
        }
        let mut out: Vec<String> = file.iter().map(|&line| line.to_owned()).collect();
        for (start, end, hunk) in places.into_iter().rev() {
            let mut old = file[start..end].iter();
            let mut new = Vec::new();
            for (kind, text) in &hunk.lines {
                match kind {
                    LineKind::Context => new.push((*old.next().unwrap()).to_owned()),
                    LineKind::Removed => drop(old.next()),
                    LineKind::Added => new.push((*text).to_owned()),
                }
            }
            out.splice(start..end, new);
        }
        Some(out)
    }

    fn nearest(file: &[&str], old: &[&str], expected: Option<i64>) -> Option<usize> {
        let places = |same: fn(&str, &str) -> bool| -> Vec<usize> {
            (0..(file.len() + 1).saturating_sub(old.len()))
                .filter(|&at| old.iter().zip(&file[at..]).all(|(old, line)| same(old, line)))
                .collect()
        };
        let mut all = places(|a, b| a == b);
        if all.is_empty() {
            all = places(|a, b| a.trim_end() == b.trim_end());
        }
        let distance = |&at: &usize| expected.map_or(0, |expected| (at as i64 - expected).abs());
        let least = all.iter().map(distance).min()?;
        let mut best = all.iter().filter(|at| distance(at) == least);
        best.next().filter(|_| best.next().is_none()).copied()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn a_diff_gives_the_new_text_and_reversed_the_old(old in text(), new in text(), context in 0_usize..4) {
            // Of a last line without ending nothing tells that the file's endings are CRLF.
            let ended = [&old, &new].iter().all(|text| text.is_empty() || text.ends_with('\n'));
            prop_assume!(old != new && (ended || !(old.clone() + &new).contains('\r')));
            let applied = patch_bytes(old.as_bytes(), &diff(&old, &new, context)).unwrap();
            prop_assert_eq!(String::from_utf8(applied.bytes).unwrap(), new.clone());
            let back = patch_bytes(new.as_bytes(), &diff(&new, &old, context)).unwrap();
            prop_assert_eq!(String::from_utf8(back.bytes).unwrap(), old);
        }

        #[test]
        fn hunks_do_what_a_search_everywhere_does(
            file in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "a ", "b "]), 0..12),
            hunks in prop::collection::vec(simple(), 1..4),
        ) {
            let text: String = file.iter().map(|line| format!("{line}\n")).collect();
            let list: Vec<_> = hunks.iter().map(hunk).collect();
            let applied = apply(text.as_bytes(), &list).ok().map(|applied| String::from_utf8(applied.bytes).unwrap());
            let wanted = reference(&file, &hunks)
                .map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>());
            prop_assert_eq!(applied, wanted);
        }
    }
}
