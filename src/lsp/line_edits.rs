//! The lines in which two texts differ, found in one pass.
//!
//! Not the fewest edits there are, for to find those takes quadratic time: what stands before and behind is cut off,
//! and in between, lines that both texts have once, in the same order, stay where they are.

use std::collections::HashMap;
use std::ops::Range;

/// Whole lines in place of whole lines, by byte offsets in the two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineEdit {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// The edits, in order and disjoint, that make `new` of `old`.
pub(super) fn line_edits(old: &str, new: &str) -> Vec<LineEdit> {
    let (old, new) = (Lines::new(old), Lines::new(new));
    let mut edits = Vec::new();
    let (all_old, all_new) = (0..old.lines.len(), 0..new.lines.len());
    let (from_old, from_new) = trimmed(&old, &new, all_old, all_new);
    let (mut at_old, mut at_new) = (from_old.start, from_new.start);
    let anchors = anchors(&old, &new, from_old.clone(), from_new.clone());
    for (in_old, in_new) in anchors.into_iter().chain([(from_old.end, from_new.end)]) {
        let (gap_old, gap_new) = trimmed(&old, &new, at_old..in_old, at_new..in_new);
        if !(gap_old.is_empty() && gap_new.is_empty()) {
            edits.push(LineEdit { old: old.bytes(&gap_old), new: new.bytes(&gap_new) });
        }
        (at_old, at_new) = (in_old + 1, in_new + 1);
    }
    edits
}

/// A text by lines, each with its ending.
struct Lines<'t> {
    lines: Vec<&'t str>,
    /// Where each starts, in bytes, and the end of the text.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut starts = Vec::with_capacity(lines.len() + 1);
        let mut at = 0;
        starts.push(at);
        starts.extend(lines.iter().map(|line| {
            at += line.len();
            at
        }));
        Self { lines, starts }
    }

    fn line(&self, number: usize) -> &'t str {
        self.lines.get(number).copied().unwrap_or_default()
    }

    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let at = |line: usize| self.starts.get(line).copied().unwrap_or_default();
        at(lines.start)..at(lines.end)
    }
}

/// The ranges without the lines that both have at their start and at their end.
fn trimmed(
    old: &Lines<'_>,
    new: &Lines<'_>,
    in_old: Range<usize>,
    in_new: Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let (mut old_range, mut new_range) = (in_old, in_new);
    while !old_range.is_empty()
        && !new_range.is_empty()
        && old.line(old_range.start) == new.line(new_range.start)
    {
        old_range.start += 1;
        new_range.start += 1;
    }
    while !old_range.is_empty()
        && !new_range.is_empty()
        && old.line(old_range.end - 1) == new.line(new_range.end - 1)
    {
        old_range.end -= 1;
        new_range.end -= 1;
    }
    (old_range, new_range)
}

/// The longest run of lines in the same order on both sides, of those that each side has once.
fn anchors(
    old: &Lines<'_>,
    new: &Lines<'_>,
    in_old: Range<usize>,
    in_new: Range<usize>,
) -> Vec<(usize, usize)> {
    let mut seen: HashMap<&str, (Once, Once)> = HashMap::new();
    for number in in_old.clone() {
        seen.entry(old.line(number)).or_default().0.see(number);
    }
    for number in in_new {
        seen.entry(new.line(number)).or_default().1.see(number);
    }
    let pair = |number: usize| match seen.get(old.line(number)) {
        Some((Once::At(in_old), Once::At(in_new))) => Some((*in_old, *in_new)),
        _ => None,
    };
    rising(&in_old.filter_map(pair).collect::<Vec<_>>())
}

/// Whether a line was met, and where.
#[derive(Debug, Clone, Copy, Default)]
enum Once {
    #[default]
    Never,
    At(usize),
    Often,
}

impl Once {
    fn see(&mut self, number: usize) {
        *self = if matches!(self, Self::Never) { Self::At(number) } else { Self::Often };
    }
}

/// The longest part of pairs in which the second rises too; the first rises already.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair with the least second that ends a part of that length; and each pair's one before.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |index: usize| pairs.get(index).map_or(0, |pair| pair.1);
    for index in 0..pairs.len() {
        let length = ends.partition_point(|&end| second(end) < second(index));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut next = ends.last().copied();
    let mut chosen = Vec::with_capacity(ends.len());
    while let Some(index) = next {
        chosen.extend(pairs.get(index));
        next = before.get(index).copied().flatten();
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn applied(old: &str, new: &str, edits: &[LineEdit]) -> String {
        let (mut text, mut at) = (String::new(), 0);
        for edit in edits {
            assert!(at <= edit.old.start && edit.old.start <= edit.old.end);
            text.push_str(old.get(at..edit.old.start).unwrap());
            text.push_str(new.get(edit.new.clone()).unwrap());
            at = edit.old.end;
        }
        text + old.get(at..).unwrap()
    }

    #[test]
    fn what_is_the_same_is_not_touched() {
        let old = "a\nb\nc\nd\ne\nf\n";
        let new = "a\nB\nc\nd\nnew\ne\n";
        let edits = line_edits(old, new);
        let parts: Vec<_> = edits
            .iter()
            .map(|edit| (old.get(edit.old.clone()).unwrap(), new.get(edit.new.clone()).unwrap()))
            .collect();
        assert_eq!(parts, [("b\n", "B\n"), ("", "new\n"), ("f\n", "")]);
        assert_eq!(line_edits(old, old), []);
        assert_eq!(line_edits("", ""), []);
    }

    #[test]
    fn a_last_line_without_ending_is_another_line() {
        let edits = line_edits("a\nb", "a\nb\n");
        assert_eq!(edits, [LineEdit { old: 2..3, new: 2..4 }]);
    }

    #[test]
    fn texts_without_a_common_line_take_one_pass() {
        let side = |name: &str| (0..300_000).map(|number| format!("{name}{number}\n")).collect::<String>();
        assert_eq!(line_edits(&side("old"), &side("new")).len(), 1);
        let shuffled: String =
            (0..300_000u64).map(|number| format!("old{}\n", number * 7919 % 300_000)).collect();
        let old = side("old");
        assert_eq!(applied(&old, &shuffled, &line_edits(&old, &shuffled)), shuffled);
    }

    proptest! {
        #[test]
        fn the_edits_make_the_new_text(
            old in prop::collection::vec("[a-e\u{fc}]{0,2}(\r)?", 0..20),
            new in prop::collection::vec("[a-e\u{fc}]{0,2}(\r)?", 0..20),
        ) {
            let (old, new) = (old.join("\n"), new.join("\n"));
            let edits = line_edits(&old, &new);
            prop_assert_eq!(applied(&old, &new, &edits), new);
        }
    }
}
