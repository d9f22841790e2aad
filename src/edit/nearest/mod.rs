//! The most similar place: where in a text lines are nearly found, and what differs there.
//!
//! It only explains a refusal. Nothing that is found here is ever written or makes a fault none.
//!
//! Lines that say the same (white space, letter case and typographic characters apart) vote for the place where the
//! whole would start; where they do not agree on one, the heaviest lines are compared with every line of the text.
//! Around the best places the lines are aligned one by one. Everything is paid for from an [`Effort`], so that a
//! refusal is never delayed by more than some fifty milliseconds, however large the file and however many the faults.

mod align;
pub(crate) mod difference;
mod effort;
mod index;
mod pattern;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

pub(crate) use align::Pair;
pub(crate) use effort::Effort;
pub(crate) use index::Index;

use self::align::{Alignment, align};
use self::difference::trimmed;
use self::index::{Entry, weigh};
use self::pattern::Pattern;

/// A place that is less alike, in thousandths, explains nothing.
const LEAST: u32 = 500;
/// A place is the only one when every other is less alike by so much, in thousandths.
const MARGIN: u32 = 50;
/// So many places are aligned.
const CANDIDATES: usize = 6;
/// So many lines are looked for at most.
const LINES: usize = 2_000;

/// The most similar place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Nearest {
    /// Its lines, from 0.
    pub(crate) lines: Range<usize>,
    /// How alike it is, in thousandths.
    pub(crate) similarity: u32,
    /// Which line belongs to which, in order.
    pub(crate) pairs: Vec<Pair>,
    /// The first line, from 0, of another place that is nearly as similar.
    pub(crate) rival: Option<usize>,
}

/// The lines that are looked for.
struct Needle<'n> {
    lines: Vec<Line<'n>>,
    weight: u32,
}

struct Line<'n> {
    text: &'n [u8],
    hash: u64,
    weight: u32,
    pattern: OnceCell<Pattern>,
}

/// The most similar place to some lines, without endings, in a text and its index; `None` where none is similar, or
/// finding it would cost too much.
pub(crate) fn nearest(wanted: &[&[u8]], text: &[u8], index: &Index, effort: &mut Effort) -> Option<Nearest> {
    if wanted.len() > LINES {
        return None;
    }
    effort.spend(wanted.iter().map(|line| line.len() + 1).sum())?;
    let needle = Needle::new(wanted);
    if needle.weight == 0 {
        return None;
    }
    let mut votes = needle.votes(index, effort)?;
    if votes.best() < needle.weight / 2 {
        needle.compare(text, index, &mut votes, effort);
    }
    let mut found: Vec<Alignment> = Vec::new();
    for start in votes.starts() {
        let Some(alignment) = align(&needle, text, index, start, effort) else { break };
        if lines(&alignment.pairs)
            .is_some_and(|here| found.iter().all(|other| !overlaps(&other.pairs, &here)))
        {
            found.push(alignment);
        }
    }
    // The first one of those that are equally similar: sorting is stable, and the candidates are by votes.
    found.sort_by_key(|alignment| std::cmp::Reverse(alignment.similarity));
    let mut found = found.into_iter();
    let best = found.next().filter(|best| best.similarity >= LEAST)?;
    let rival = found.next().filter(|other| other.similarity + MARGIN > best.similarity);
    Some(Nearest {
        lines: lines(&best.pairs)?,
        similarity: best.similarity,
        pairs: best.pairs,
        rival: rival.and_then(|rival| lines(&rival.pairs)).map(|lines| lines.start),
    })
}

/// How alike two texts of a line are, in thousandths; `None` where finding out would cost too much.
pub(crate) fn likeness(one: &[u8], other: &[u8], effort: &mut Effort) -> Option<u32> {
    effort.spend(Pattern::COST)?;
    let pattern = Pattern::new(one);
    effort.spend(pattern.cost(other))?;
    Some(pattern.similarity(other, 0))
}

/// The lines of the text from the first to the last that belongs to one.
fn lines(pairs: &[Pair]) -> Option<Range<usize>> {
    let mut found = pairs.iter().filter_map(|pair| pair.found);
    let first = found.next()?;
    Some(first..found.next_back().unwrap_or(first) + 1)
}

fn overlaps(pairs: &[Pair], other: &Range<usize>) -> bool {
    lines(pairs).is_some_and(|lines| lines.start < other.end && other.start < lines.end)
}

impl<'n> Needle<'n> {
    fn new(wanted: &[&'n [u8]]) -> Self {
        let line = |&text: &&'n [u8]| {
            let (hash, weight) = weigh(text);
            Line { text, hash, weight, pattern: OnceCell::new() }
        };
        let lines: Vec<Line<'n>> = wanted.iter().map(line).collect();
        let weight = lines.iter().map(|line| line.weight).sum();
        Self { lines, weight }
    }

    /// Where the whole would start for each place of a line that says the same.
    fn votes(&self, index: &Index, effort: &mut Effort) -> Option<Votes> {
        let mut votes = Votes::default();
        for (number, line) in self.lines.iter().enumerate() {
            let same = if line.weight > 0 { index.same(line.hash) } else { &[] };
            effort.spend(32 * same.len())?;
            for place in same {
                votes.add(place.line as usize, number, line.weight);
            }
        }
        Some(votes)
    }

    /// Adds the votes of lines that are only similar, the heaviest first, as far as the effort goes.
    fn compare(&self, text: &[u8], index: &Index, votes: &mut Votes, effort: &mut Effort) {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by_key(|&number| std::cmp::Reverse(self.lines.get(number).map(|line| line.weight)));
        // What is aligned afterwards has to be paid for, too.
        let reserve = effort.left() / 4;
        for number in order {
            let Some(line) = self.lines.get(number).filter(|line| line.weight > 0) else { continue };
            for (at, entry) in index.entries().iter().enumerate().filter(|(_, entry)| entry.weight > 0) {
                if effort.left() <= reserve {
                    return;
                }
                match line.similarity(*entry, text, effort) {
                    Some(similarity) if similarity >= align::LEAST && entry.hash != line.hash => {
                        votes.add(at, number, line.weight * similarity / 1000);
                    }
                    Some(_) => {}
                    None => return,
                }
            }
        }
    }

    /// How alike one of the lines and one of the text are, in thousandths, indentation apart.
    fn similarity(&self, number: usize, entry: Entry, text: &[u8], effort: &mut Effort) -> Option<u32> {
        self.lines.get(number).map_or(Some(0), |line| line.similarity(entry, text, effort))
    }
}

impl Line<'_> {
    fn similarity(&self, entry: Entry, text: &[u8], effort: &mut Effort) -> Option<u32> {
        if self.hash == entry.hash && self.weight == entry.weight {
            return Some(1000);
        }
        if self.weight == 0 || entry.weight == 0 {
            return Some(0);
        }
        let other = trimmed(entry.text(text));
        let pattern = match self.pattern.get() {
            Some(pattern) => pattern,
            None => {
                effort.spend(Pattern::COST)?;
                self.pattern.get_or_init(|| Pattern::new(trimmed(self.text)))
            }
        };
        effort.spend(pattern.cost(other))?;
        Some(pattern.similarity(other, align::LEAST))
    }
}

/// How much speaks for each line of the text as the one where the whole starts.
#[derive(Debug, Default)]
struct Votes {
    by_start: HashMap<i64, u32>,
}

impl Votes {
    fn add(&mut self, at: usize, number: usize, weight: u32) {
        let start = i64::try_from(at).unwrap_or(i64::MAX) - i64::try_from(number).unwrap_or(0);
        let votes = self.by_start.entry(start).or_default();
        *votes = votes.saturating_add(weight);
    }

    fn best(&self) -> u32 {
        self.by_start.values().copied().max().unwrap_or(0)
    }

    /// The best ones, the very best first.
    fn starts(self) -> impl Iterator<Item = i64> {
        let mut all: Vec<(std::cmp::Reverse<u32>, i64)> =
            self.by_start.into_iter().map(|(start, votes)| (std::cmp::Reverse(votes), start)).collect();
        if all.len() > CANDIDATES {
            all.select_nth_unstable(CANDIDATES);
            all.truncate(CANDIDATES);
        }
        all.sort_unstable();
        all.into_iter().map(|(_, start)| start)
    }
}

#[cfg(test)]
mod tests;
