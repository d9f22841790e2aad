use std::borrow::Cow;

use super::*;
use crate::apply::change::Patch;
use crate::ast::LineEnding;
use crate::grammar::lines::{Lines, lex};
use crate::grammar::unified_diff::file_patch;
use crate::source::Source;

mod properties;

/// What the hunks of a diff without its header lines make of a text: the new text, or each fault as
/// `hunk: fault`, hunks from 1.
fn patch(old: &str, hunks: &str) -> Result<String, Vec<String>> {
    let applied = patch_bytes(old.as_bytes(), &format!("--- a/f\n+++ b/f\n{hunks}"))?;
    Ok(String::from_utf8(applied.bytes).unwrap())
}

/// A text after hunks.
#[derive(Debug, PartialEq, Eq)]
struct Applied {
    bytes: Vec<u8>,
    places: Vec<Placed>,
}

fn apply(old: &[u8], hunks: &[PatchHunk<'_>]) -> Result<Applied, Vec<HunkFault>> {
    let (new, places) = Patched::from(old.to_vec()).apply(hunks)?;
    Ok(Applied { bytes: new.bytes().to_vec(), places })
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
        HunkFaultKind::BehindEnd { lines } => format!("behind all {lines}"),
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
    err("a\nb\n", "@@ -3,0 +4 @@\n+x\n", &["1: behind all 2"]);
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
    err("a\nb\n", "@@ -1,3 +1,3 @@\n+x\n \n", &["1: not found"]);
    ok("a\nb\n", "@@ @@\n-a\n \n", "b\n");
}

#[test]
fn the_file_decides_how_many_lines_a_hunk_has() {
    ok("a\nb\nc\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n-c\n", "A\nb\n");
    ok("a\nb\nd\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n- c\n", "A\nb\nd\n");
    ok("a\nb\nd\n", "@@ -1,9 +1,9 @@\n-a\n+A\n b\n", "A\nb\nd\n");
    err("a\nb\nd\n", "@@ -1 +1 @@\n a\n-c\n", &["1: not found"]);
    err("a\nb\nd\n", "@@ -1,9 +1,9 @@\n-a\n+A\n b\n- c\n", &["1: not found"]);
    err("a\nb\nd\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n-c\n", &["1: not found"]);
}

#[test]
fn a_last_line_that_is_not_blank_is_never_left_out() {
    err("a\nb\n", "@@ @@\n-a\n+A\n c\n", &["1: not found"]);
    err("a\nb\n", "@@ @@\n-a\n+A\n c\n\n", &["1: not found"]);
    err("a\nb\n", "@@ @@\n-a\n+A\n-\n", &["1: not found"]);
}

#[test]
fn a_beginning_that_changes_nothing_is_no_reading() {
    err("a\nb\n", "@@ -1 +1 @@\n a\n- c\n", &["1: not found"]);
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
    ok("a\nb", "@@ -2 +2 @@\n-b\n\\\tNo newline\n+b\n", "a\nb\n");
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
    ok("\u{feff}", "@@ @@\n+x\n", "\u{feff}x\n");
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
    let common = "a\nb\nb\n".repeat(100_000);
    let never: String = (0..2_000).map(|number| format!("@@ @@\n a\n b\n a\n+{number}\n")).collect();
    assert_eq!(patch(&common, &never).unwrap_err().len(), 2_000);
    let absent: String = (0..2_000).map(|number| format!("@@ -{number} +1 @@\n }}\n-absent\n")).collect();
    assert_eq!(patch(&old, &absent).unwrap_err().len(), 2_000);
}

/// Patches with right, wrong and missing line numbers. Each may make anew the chunks that it touches and look at one
/// word of every chunk; in the file's lines it looks around its place only.
#[test]
fn a_patch_costs_what_it_touches_and_not_the_file() {
    let lines = 4_000;
    let text: String = (0..lines).map(|line| format!("line {line}\n")).collect();
    let mut patched = Patched::from(text.into_bytes());
    for number in 0..200 {
        let line = number * 1_237 % (lines - 2) + 1;
        let header = match number % 3 {
            0 => format!("@@ -{},2 +1,2 @@", line + 1),
            1 => format!("@@ -{},2 +1,2 @@", lines - line),
            _ => "@@ @@".to_owned(),
        };
        let diff = format!("--- a/f\n+++ b/f\n{header}\n-line {line}\n+new {line}\n line {}\n", line + 1);
        let source = Source::new(&diff).unwrap();
        let tokens = lex(&diff);
        let (_, read) = file_patch(Lines::new(&diff, &tokens)).unwrap();
        let patch = Patch::from_ast(&read.node, &source);
        let before = walk::steps();
        let Ok((new, _)) = patched.apply(&patch.hunks) else { panic!("{diff}") };
        let chunks = patched.chunk_count();
        assert!(new.chunks_not_in(&patched) <= 3, "{number}: {}", new.chunks_not_in(&patched));
        // Of the chunks whose word may mean the line, one in sixteen or so, the few lines are looked at too.
        assert!(walk::steps() - before <= 2 * chunks, "{number}: {} of {chunks}", walk::steps() - before);
        patched = new;
    }
}

/// How many chunks a file has after a patch, and how many of them are made anew by it.
fn chunks(old: &str, hunks: &str, new: &str) -> (usize, usize) {
    let diff = format!("--- a/f\n+++ b/f\n{hunks}");
    let source = Source::new(&diff).unwrap();
    let tokens = lex(&diff);
    let (_, read) = file_patch(Lines::new(&diff, &tokens)).unwrap();
    let old = Patched::from(old.as_bytes().to_vec());
    let (patched, _) = old.apply(&Patch::from_ast(&read.node, &source).hunks).unwrap();
    assert_eq!(patched.bytes(), new.as_bytes(), "{hunks}");
    (patched.chunk_count(), patched.chunks_not_in(&old))
}

#[test]
fn only_the_chunks_that_change_are_made_anew() {
    let lines = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    // Two lines to a chunk.
    let short = ["line number 1", "line number 2", "line number 3", "line number 4", "line number 5"];
    let mut changed = short;
    changed[1] = "line number x";
    let hunk = "@@ -2 +2 @@\n-line number 2\n+line number x\n";
    assert_eq!(chunks(&lines(&short), hunk, &lines(&changed)), (3, 1), "the last line of the first");
    changed[2] = "line number y";
    let hunk = "@@ -2,2 +2,2 @@\n-line number 2\n-line number 3\n+line number x\n+line number y\n";
    assert_eq!(chunks(&lines(&short), hunk, &lines(&changed)), (3, 2), "the first line of the second");
    let twice = lines(&short).repeat(2);
    let hunks =
        "@@ -1,2 +1 @@\n-line number 1\n line number 2\n@@ -9,2 +8 @@\n line number 4\n-line number 5\n";
    let new: String = twice.lines().skip(1).take(8).map(|line| format!("{line}\n")).collect();
    assert_eq!(chunks(&twice, hunks, &new), (5, 2), "two that are far from each other");
}

#[test]
fn a_line_of_many_bytes_is_not_copied_for_what_is_added_beside_it() {
    let (long, longer) = ("x".repeat(60), "y".repeat(60));
    for (first, second, count) in
        [(&*long, &*longer, 3), (&*long, "short", 2), ("short", &*long, 2), (&*long, "", 2)]
    {
        for ending in ["\n", "\r\n"] {
            let second = if second.is_empty() { String::new() } else { format!("{second}{ending}") };
            let old = format!("{first}{ending}{second}");
            let new = format!("{first}{ending}added{ending}{second}");
            assert_eq!(chunks(&old, "@@ -1,0 +2 @@\n+added\n", &new), (count, 1), "{old:?}");
        }
    }
    assert_eq!(
        chunks(&long, "@@ -1,0 +2 @@\n+added\n", &format!("{long}\nadded")),
        (2, 2),
        "it gets an ending"
    );
    // One that is not much longer than a chunk is copied, so that there are not too many of them.
    let (first, second) = ("x".repeat(40), "y".repeat(40));
    let new = format!("{first}\nadded\n{second}\n");
    assert_eq!(chunks(&format!("{first}\n{second}\n"), "@@ -1,0 +2 @@\n+added\n", &new), (3, 2));
}

#[test]
fn whether_a_file_has_a_line_is_asked_without_white_space_at_its_ends() {
    let file = Patched::from(b"first one\n\t second one  \r\nthird one".to_vec());
    for (line, is_there) in [
        ("first one", true),
        ("second one", true),
        ("third one", true),
        ("one", false),
        ("first one\n", false),
    ] {
        assert_eq!(file.has_line(line.as_bytes(), |_| true), is_there, "{line:?}");
    }
}

#[test]
fn what_may_stand_below_a_hunk_as_text() {
    let line = |kind, text: &str, no_newline| {
        let text = Cow::Owned(text.to_owned());
        may_be_text(&PatchLine { kind, text, ending: LineEnding::Lf, no_newline, span: None })
    };
    let rows = [
        // Items of a list: one blank behind the mark, and words.
        (" item", true, true),
        (" 2 of x", true, true),
        (" -x", true, true),
        ("item", false, false),
        ("  item", false, false),
        (" \titem", false, false),
        (" 12", false, false),
        (" ", false, false),
        ("", false, false),
        // Code that is indented by one.
        (" * item", false, false),
        (" - item", false, false),
        (" + item", false, false),
        (" // item", false, false),
        (" /* item", false, false),
        (" */", false, false),
        (" #\titem", false, false),
        (" -- item", false, false),
        // Nothing but dashes.
        ("--", true, false),
        ("-", true, false),
        ("-- \t", true, false),
        ("--x", false, false),
        ("-- x", false, false),
    ];
    for (text, removed, added) in rows {
        assert_eq!(line(LineKind::Removed, text, false), removed, "-{text}");
        assert_eq!(line(LineKind::Added, text, false), added, "+{text}");
        assert!(line(LineKind::Context, text, false) && line(LineKind::Context, text, true), " {text}");
        assert!(!line(LineKind::Removed, text, true) && !line(LineKind::Added, text, true), "{text}");
    }
}
