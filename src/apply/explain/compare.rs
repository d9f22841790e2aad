//! What differs between lines of the input and the most similar lines of the file.

use std::ops::Range;

use super::Case;
use super::visible::visible;
use crate::diagnostic::Related;
use crate::edit::nearest::difference::{Difference, middles};
use crate::edit::nearest::{Index, Nearest, Pair};

/// So many lines that differ are told one by one.
const SHOWN: usize = 3;

/// Lines of the input beside lines of the file.
pub(super) struct Comparison<'a> {
    /// Who wants the lines: `SEARCH` or `the hunk`.
    pub(super) who: &'static str,
    pub(super) wanted: &'a [&'a [u8]],
    /// The file's text, with LF line endings, or a part of it.
    pub(super) text: &'a [u8],
    /// Where the part starts; `None` when it is the whole.
    pub(super) start: Option<usize>,
    pub(super) index: &'a Index,
    pub(super) nearest: &'a Nearest,
}

impl<'a> Comparison<'a> {
    /// A line of the file.
    pub(super) fn line(&self, number: usize) -> &'a [u8] {
        self.text.get(self.index.range(number)).unwrap_or_default()
    }

    /// Where the most similar lines stand in the text.
    pub(super) fn range(&self) -> Range<usize> {
        let lines = &self.nearest.lines;
        self.index.range(lines.start).start..self.index.range(lines.end.saturating_sub(1)).end
    }

    /// In what the lines of a pair differ; `None` where one is missing.
    pub(super) fn difference(&self, pair: &Pair) -> Option<Difference> {
        let (wanted, found) = pair.wanted.zip(pair.found)?;
        Some(Difference::of(self.wanted.get(wanted)?, self.line(found)))
    }

    /// Whether all lines say the same, and none is missing.
    pub(super) fn is_of_form(&self) -> bool {
        let mut pairs = self.nearest.pairs.iter();
        pairs.all(|pair| self.difference(pair).is_some_and(Difference::is_of_form))
    }

    /// The place as a whole, and the first lines that differ.
    pub(super) fn tell(&self, case: &Case<'_>) -> Vec<Related> {
        let mut told = vec![self.place(case, self.range(), self.summary())];
        let differing: Vec<&Pair> = self
            .nearest
            .pairs
            .iter()
            .filter(|pair| self.difference(pair) != Some(Difference::None))
            .collect();
        let mut last = self.range().start;
        let mut pairs = differing.iter();
        for pair in pairs.by_ref().take(SHOWN) {
            let (range, message) = self.tell_line(pair, last);
            last = range.end;
            told.push(self.place(case, range, message));
        }
        match pairs.len() {
            0 => {}
            1 => told.push(self.place(case, self.range(), "one more line differs".to_owned())),
            more => told.push(self.place(case, self.range(), format!("{more} more lines differ"))),
        }
        if let Some(rival) = self.nearest.rival {
            let message = "the lines from here on are nearly as similar".to_owned();
            told.push(self.place(case, self.index.range(rival), message));
        }
        told
    }

    fn place(&self, case: &Case<'_>, range: Range<usize>, message: String) -> Related {
        let start = self.start.unwrap_or(0);
        case.place(start + range.start..start + range.end, message)
    }

    fn summary(&self) -> String {
        let summary = self.likeness();
        match self.start {
            Some(_) => format!("{summary}; only the lines around one that is the same were compared"),
            None => summary,
        }
    }

    fn likeness(&self) -> String {
        let mut kinds: Vec<Option<Difference>> =
            self.nearest.pairs.iter().map(|pair| self.difference(pair)).collect();
        kinds.retain(|kind| *kind != Some(Difference::None));
        kinds.sort_unstable();
        kinds.dedup();
        match kinds.as_slice() {
            [Some(kind)] if kind.is_of_form() => {
                format!("the most similar lines are here; they differ only in {}", kind.text())
            }
            _ => {
                let percent = self.nearest.similarity / 10;
                format!("the most similar lines are here, {percent} % alike")
            }
        }
    }

    /// Where in the text a pair differs, and in what; `last` is where a line that the file lacks would be.
    fn tell_line(&self, pair: &Pair, last: usize) -> (Range<usize>, String) {
        let who = self.who;
        let wanted = pair.wanted.and_then(|line| self.wanted.get(line)).copied().map(String::from_utf8_lossy);
        let Some(found) = pair.found else {
            let line = wanted.unwrap_or_default();
            let line = visible(&line, 0..line.len(), Difference::Content);
            return (last..last, format!("{who} has a line more here: {line}"));
        };
        let (range, line) = (self.index.range(found), String::from_utf8_lossy(self.line(found)));
        let (Some(wanted), Some(difference)) = (wanted, self.difference(pair)) else {
            let line = visible(&line, 0..line.len(), Difference::Content);
            return (range, format!("{who} lacks this line: {line}"));
        };
        let (here, there) = middles(&line, &wanted);
        let message = format!(
            "this is {} in the file, but {} in {who}",
            visible(&line, here.clone(), difference),
            visible(&wanted, there, difference)
        );
        (range.start + here.start..range.start + here.end, message)
    }
}
