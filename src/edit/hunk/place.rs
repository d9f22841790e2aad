//! [`Locator`]: where each hunk belongs.

use std::cell::OnceCell;

use super::index::{Index, old_lines};
use super::patched::View;
use super::walk::Walk;
use super::{Exactness, HunkFaultKind, Place, Reading};
use crate::apply::change::PatchLine;
use crate::ast::LineKind;

/// So many places of an ambiguous hunk are told.
const LIMIT: usize = 10;

/// Finds the places of the hunks of one file, in their order.
pub(super) struct Locator<'f, 'h> {
    file: View<'f>,
    readings: &'f [Vec<Reading<'h>>],
    /// By how many lines the last hunk with a number was off.
    drift: isize,
    /// Looks for those that are not where they say, as long as they are few.
    walk: Walk<'f>,
    /// Made when they are many.
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
    pub(super) fn new(file: View<'f>, readings: &'f [Vec<Reading<'h>>]) -> Self {
        let walk = Walk::new(file);
        Self { file, readings, drift: 0, walk, exact: OnceCell::new(), tolerant: OnceCell::new() }
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
                        let stated =
                            number.and_then(|number| self.stated_without_blanks(hunk, reading, number));
                        if let Some(stated) = stated.filter(|&stated| stated != start) {
                            let lines = vec![stated.min(start) + 1, stated.max(start) + 1];
                            return Err(HunkFaultKind::Ambiguous { lines });
                        }
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

    /// The place that the hunk states, if its lines but for the blank ones at its end are just there.
    fn stated_without_blanks(&self, hunk: usize, reading: Reading<'h>, number: usize) -> Option<usize> {
        let readings = self.readings.get(hunk)?;
        let shorter = readings
            .get(1)
            .filter(|_| readings.first().is_some_and(|&whole| whole.len() == reading.len()))?;
        let cut = reading.get(shorter.len()..)?;
        if cut.iter().any(|line| line.kind != LineKind::Context || !line.text.trim().is_empty()) {
            return None;
        }
        let old = Old::of(shorter);
        let place = number.checked_add_signed(self.drift)?;
        self.matches(&old, place, Exactness::Exact).then_some(place)
    }

    /// The line before which a hunk without old lines goes.
    fn insertion(&self, old: &Old<'_>, stated: Option<u32>) -> Result<usize, HunkFaultKind> {
        let count = self.file.count();
        let place = match stated {
            _ if count == 0 => Some(0),
            None => return Err(HunkFaultKind::Ambiguous { lines: Vec::new() }),
            Some(stated) => (stated as usize).checked_add_signed(self.drift),
        };
        let at = place.filter(|&at| at <= count).ok_or(HunkFaultKind::BehindEnd { lines: count })?;
        if at == count || !old.at_end { Ok(at) } else { Err(HunkFaultKind::NotFound) }
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
        match expected {
            Some(expected) => {
                let expected = expected.min(last);
                nearest(self.around(old, expected, exactness), expected)
            }
            None => only(&self.first(old, exactness)),
        }
    }

    /// The last place before `expected`, and the first one from there on.
    fn around(&self, old: &Old<'h>, expected: usize, exactness: Exactness) -> (Option<usize>, Option<usize>) {
        self.walk.around(&old.lines, expected, exactness).unwrap_or_else(|| {
            let index = self.index(exactness);
            let pattern = index.pattern(old.lines.iter().copied());
            pattern.map_or((None, None), |pattern| index.around(&pattern, expected))
        })
    }

    /// The first places, [`LIMIT`] at most.
    fn first(&self, old: &Old<'h>, exactness: Exactness) -> Vec<usize> {
        self.walk.first(&old.lines, LIMIT, exactness).unwrap_or_else(|| {
            let index = self.index(exactness);
            let pattern = index.pattern(old.lines.iter().copied());
            pattern.map_or_else(Vec::new, |pattern| index.first(&pattern, LIMIT))
        })
    }

    fn index(&self, exactness: Exactness) -> &Index<'h> {
        let cell = match exactness {
            Exactness::Exact => &self.exact,
            Exactness::TrailingBlanks => &self.tolerant,
        };
        cell.get_or_init(|| Index::new(self.file, self.readings, exactness))
    }

    /// Whether a line that the hunk removes is in the file, but not among the lines that it is taken to have.
    fn leaves_out_changes(&self, hunk: usize, reading: Reading<'h>) -> bool {
        let whole = self.readings.get(hunk).and_then(|readings| readings.first());
        let rest = whole.and_then(|whole| whole.get(reading.len()..)).unwrap_or_default();
        rest.iter().filter(|line| line.kind == LineKind::Removed).any(|line| {
            let line = line.text.as_bytes();
            self.walk.has(line).unwrap_or_else(|| self.index(Exactness::Exact).has(line))
        })
    }

    /// Whether the old lines stand in the file from this line on.
    fn matches(&self, old: &Old<'_>, start: usize, exactness: Exactness) -> bool {
        self.file.has_at(&old.lines, start, exactness)
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

/// The nearer of the places below and above `expected`, which is none itself.
fn nearest(places: (Option<usize>, Option<usize>), expected: usize) -> Search {
    match places {
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
fn only(places: &[usize]) -> Search {
    match places {
        [] => Search::Nowhere,
        &[place] => Search::At(place),
        places => Search::Ambiguous(places.iter().map(|place| place + 1).collect()),
    }
}
