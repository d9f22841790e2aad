//! What differs between lines of the input and the most similar lines of the file.

use std::ops::Range;

use super::Case;
use super::part::Part;
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
    /// In what the lines of each pair differ.
    differences: Vec<Option<Difference>>,
}

impl<'a> Comparison<'a> {
    /// Compares the lines with those of a part of the file.
    pub(super) fn new(
        who: &'static str,
        wanted: &'a [&'a [u8]],
        part: &Part<'a>,
        index: &'a Index,
        nearest: &'a Nearest,
    ) -> Self {
        let differences = Vec::new();
        let mut new = Self { who, wanted, text: part.text, start: part.start, index, nearest, differences };
        new.differences = nearest.pairs.iter().map(|pair| new.difference(pair)).collect();
        new
    }

    /// A line of the file.
    pub(super) fn line(&self, number: usize) -> &'a [u8] {
        self.text.get(self.index.range(number)).unwrap_or_default()
    }

    /// Where the most similar lines stand in the text.
    pub(super) fn range(&self) -> Range<usize> {
        let lines = &self.nearest.lines;
        self.index.range(lines.start).start..self.index.range(lines.end.saturating_sub(1)).end
    }

    /// The pairs, and in what the lines of each differ; `None` where one is missing.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'a Pair, Option<Difference>)> {
        self.nearest.pairs.iter().zip(self.differences.iter().copied())
    }

    fn difference(&self, pair: &Pair) -> Option<Difference> {
        let (wanted, found) = pair.wanted.zip(pair.found)?;
        Some(Difference::of(self.wanted.get(wanted)?, self.line(found)))
    }

    /// Whether all lines say the same, and none is missing.
    pub(super) fn is_of_form(&self) -> bool {
        self.pairs().all(|(_, difference)| difference.is_some_and(Difference::is_of_form))
    }

    /// The place as a whole, and the first lines that differ.
    pub(super) fn tell(&self, case: &Case<'_>) -> Vec<Related> {
        let mut told = vec![self.place(case, self.range(), self.summary())];
        let mut last = self.range().start;
        let mut differing = self.pairs().filter(|(_, difference)| *difference != Some(Difference::None));
        for (pair, difference) in differing.by_ref().take(SHOWN) {
            let (range, message) = self.tell_line(pair, difference, last);
            last = range.end;
            told.push(self.place(case, range, message));
        }
        match differing.count() {
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
        let mut kinds = self.differences.clone();
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
    fn tell_line(&self, pair: &Pair, difference: Option<Difference>, last: usize) -> (Range<usize>, String) {
        let who = self.who;
        let wanted = pair.wanted.and_then(|line| self.wanted.get(line)).copied().map(String::from_utf8_lossy);
        let Some(found) = pair.found else {
            let line = wanted.unwrap_or_default();
            let line = visible(&line, 0..line.len(), Difference::Content);
            return (last..last, format!("{who} has a line more here: {line}"));
        };
        let (range, line) = (self.index.range(found), String::from_utf8_lossy(self.line(found)));
        let (Some(wanted), Some(difference)) = (wanted, difference) else {
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
