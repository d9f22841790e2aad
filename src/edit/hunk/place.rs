//! [`Locator`]: where each hunk belongs.

use std::cell::OnceCell;

use super::index::{Index, Pattern, old_lines};
use super::lines::{FileLines, comparable};
use super::{Exactness, HunkFaultKind, Place, Reading};
use crate::apply::change::PatchLine;
use crate::ast::LineKind;
use crate::edit::line_ending::split_ending;

/// So many places of an ambiguous hunk are told.
const LIMIT: usize = 10;

/// Finds the places of the hunks of one file, in their order.
pub(super) struct Locator<'f, 'h> {
    file: &'f FileLines<'f>,
    readings: &'f [Vec<Reading<'h>>],
    /// By how many lines the last hunk with a number was off.
    drift: isize,
    /// Made when the first hunk is not where it says.
    exact: OnceCell<Index<'h>>,
    tolerant: OnceCell<Index<'h>>,
}

/// Where the places of a hunk are.
enum Search {
    Nowhere,
    At(usize),
    Ambiguous(Vec<usize>),
}

impl<'f, 'h> Locator<'f, 'h> {
    pub(super) fn new(file: &'f FileLines<'f>, readings: &'f [Vec<Reading<'h>>]) -> Self {
        Self { file, readings, drift: 0, exact: OnceCell::new(), tolerant: OnceCell::new() }
    }

    /// The place of the hunk with this number from 0, which states this line.
    pub(super) fn locate(&mut self, hunk: usize, stated: Option<u32>) -> Result<Place<'h>, HunkFaultKind> {
        let readings = self.readings;
        for &reading in readings.get(hunk).into_iter().flatten() {
            if self.leaves_out_changes(hunk, reading) {
                break;
            }
            let old = Old::of(reading);
            if old.lines.is_empty() {
                return self.insertion(&old, stated).map(|at| Place {
                    hunk,
                    lines: at..at,
                    exactness: Exactness::Exact,
                    reading,
                });
            }
            let number = stated.filter(|&stated| stated > 0).map(|stated| stated as usize - 1);
            for exactness in [Exactness::Exact, Exactness::TrailingBlanks] {
                match self.search(&old, number, exactness) {
                    Search::Nowhere => {}
                    Search::Ambiguous(lines) => return Err(HunkFaultKind::Ambiguous { lines }),
                    Search::At(start) => {
                        if let Some(number) = number {
                            self.drift = start.cast_signed() - number.cast_signed();
                        }
                        let lines = start..start + old.lines.len();
                        return Ok(Place { hunk, lines, exactness, reading });
                    }
                }
            }
        }
        Err(HunkFaultKind::NotFound)
    }

    /// The line before which a hunk without old lines goes.
    fn insertion(&self, old: &Old<'_>, stated: Option<u32>) -> Result<usize, HunkFaultKind> {
        let count = self.file.count();
        let place = match stated {
            _ if count == 0 => Some(0),
            None => return Err(HunkFaultKind::Ambiguous { lines: Vec::new() }),
            Some(stated) => (stated as usize).checked_add_signed(self.drift),
        };
        place.filter(|&at| at <= count && (at == count || !old.at_end)).ok_or(HunkFaultKind::NotFound)
    }

    fn search(&self, old: &Old<'h>, number: Option<usize>, exactness: Exactness) -> Search {
        let expected = number.map(|number| number.saturating_add_signed(self.drift));
        let last = self.file.count().checked_sub(old.lines.len());
        let Some(last) = last else {
            return Search::Nowhere;
        };
        if old.at_end {
            let matches = self.matches(old, last, exactness);
            return if matches { Search::At(last) } else { Search::Nowhere };
        }
        if let Some(expected) = expected.filter(|&expected| self.matches(old, expected, exactness)) {
            return Search::At(expected);
        }
        let cell = match exactness {
            Exactness::Exact => &self.exact,
            Exactness::TrailingBlanks => &self.tolerant,
        };
        let index = cell.get_or_init(|| Index::new(self.file, self.readings, exactness));
        match (index.pattern(old.lines.iter().copied()), expected) {
            (None, _) => Search::Nowhere,
            (Some(pattern), Some(expected)) => nearest(index, &pattern, expected.min(last)),
            (Some(pattern), None) => only(index, &pattern),
        }
    }

    /// Whether a line that the hunk removes is in the file, but not among the lines that it is taken to have.
    fn leaves_out_changes(&self, hunk: usize, reading: Reading<'h>) -> bool {
        let whole = self.readings.get(hunk).and_then(|readings| readings.first());
        let rest = whole.and_then(|whole| whole.get(reading.len()..)).unwrap_or_default();
        rest.iter().filter(|line| line.kind == LineKind::Removed).any(|line| {
            let index = self.exact.get_or_init(|| Index::new(self.file, self.readings, Exactness::Exact));
            index.has(line.text.as_bytes())
        })
    }

    /// Whether the old lines stand in the file from this line on.
    fn matches(&self, old: &Old<'_>, start: usize, exactness: Exactness) -> bool {
        if start.checked_add(old.lines.len()).is_none_or(|end| end > self.file.count()) {
            return false;
        }
        let mut file = self.file.from(start);
        old.lines.iter().all(|line| {
            file.next().is_some_and(|found| {
                comparable(split_ending(found).0, exactness) == comparable(line, exactness)
            })
        })
    }
}

/// The old side of a hunk.
struct Old<'h> {
    lines: Vec<&'h [u8]>,
    /// Whether a `\` line says that the hunk reaches the end of the file.
    at_end: bool,
}

impl<'h> Old<'h> {
    fn of(reading: Reading<'h>) -> Self {
        let lines = old_lines(reading).collect();
        Self { lines, at_end: reading.iter().any(|line: &PatchLine<'_>| line.no_newline) }
    }
}

/// The place nearest to `expected`, which is none itself.
fn nearest(index: &Index<'_>, pattern: &Pattern, expected: usize) -> Search {
    match index.around(pattern, expected) {
        (None, None) => Search::Nowhere,
        (Some(at), None) | (None, Some(at)) => Search::At(at),
        (Some(below), Some(above)) => match (expected - below).cmp(&(above - expected)) {
            std::cmp::Ordering::Less => Search::At(below),
            std::cmp::Ordering::Greater => Search::At(above),
            std::cmp::Ordering::Equal => Search::Ambiguous(vec![below + 1, above + 1]),
        },
    }
}

/// The only place there is.
fn only(index: &Index<'_>, pattern: &Pattern) -> Search {
    let places = index.first(pattern, LIMIT);
    match places.as_slice() {
        [] => Search::Nowhere,
        &[place] => Search::At(place),
        places => Search::Ambiguous(places.iter().map(|place| place + 1).collect()),
    }
}
