//! Finding the old lines of a hunk chunk by chunk.
//!
//! Each chunk knows the hashes of its lines, and as a bit table which there are; one that does not have the longest
//! line of the hunk, which is seldom a common one, is passed over at once. So a search looks at little more than one
//! word a chunk, and after an edit only the chunks that it made are read again.

use std::cell::Cell;

use super::Exactness;
use super::chunk::Chunk;
use super::lines::comparable;
use super::patched::View;
use crate::edit::line_ending::split_ending;

/// The hashes of a chunk's lines.
#[derive(Debug)]
pub(super) struct Summary {
    hashes: Vec<u32>,
    /// A bit for each hash that there is, by its upper bits.
    bits: [u64; WORDS],
}

/// A table of sixteen bits for each line says of one hash in sixteen wrongly that it is there.
const WORDS: usize = 32;

impl Summary {
    pub(super) fn new(text: &[u8], lines: usize, exactness: Exactness) -> Self {
        let mut summary = Self { hashes: Vec::with_capacity(lines), bits: [0; WORDS] };
        let mut start = 0;
        let rest = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
        let last = Some(text.len()).filter(|&len| len > rest);
        for end in memchr::memchr_iter(b'\n', text).map(|at| at + 1).chain(last) {
            let line = text.get(start..end).unwrap_or_default();
            start = end;
            let hash = hash(comparable(split_ending(line).0, exactness));
            summary.hashes.push(hash);
            let (word, bit) = place(hash);
            if let Some(word) = summary.bits.get_mut(word) {
                *word |= bit;
            }
        }
        summary
    }

    fn may_have(&self, hash: u32) -> bool {
        let (word, bit) = place(hash);
        self.bits.get(word).is_some_and(|word| word & bit != 0)
    }
}

fn place(hash: u32) -> (usize, u64) {
    ((hash >> 27) as usize, 1 << (hash >> 21 & 63))
}

/// A hash of a line. Lines that share one cost time, not truth: what it finds is compared in full.
fn hash(line: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = line.as_chunks::<8>();
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let hash = words.iter().fold(line.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let rest = rest.iter().fold(1, |word, &byte| word << 8 | u64::from(byte));
    let hash = mix(hash, rest);
    // The upper half is mixed best.
    u32::try_from((hash ^ hash >> 29).wrapping_mul(FACTOR) >> 32).unwrap_or_default()
}

/// Looks for lines in a file; only as long as an index of the whole file would not be cheaper.
#[derive(Debug)]
pub(super) struct Walk<'f> {
    view: View<'f>,
    /// How many chunks and lines may still be looked at.
    budget: Cell<usize>,
}

/// The lines to find.
struct Wanted<'w> {
    lines: &'w [&'w [u8]],
    hashes: Vec<u32>,
    /// Which of them is looked for first.
    anchor: usize,
    exactness: Exactness,
}

impl<'f> Walk<'f> {
    pub(super) fn new(view: View<'f>) -> Self {
        let budget = if view.shows_mark() { 0 } else { view.count() + 4096 };
        Self { view, budget: Cell::new(budget) }
    }

    /// The last place before `expected` where the lines stand, and the first one from there on. None when it costs too
    /// much.
    pub(super) fn around(
        &self,
        lines: &[&[u8]],
        expected: usize,
        exactness: Exactness,
    ) -> Option<(Option<usize>, Option<usize>)> {
        let wanted = Wanted::new(lines, exactness)?;
        let from = expected + wanted.anchor;
        let chunk = self.view.chunks().chunk_of(from);
        let mut above = None;
        for numbered in self.view.chunks().from(chunk) {
            above = self.in_chunk(&wanted, numbered, |at| at >= from, Order::Forward)?.first().copied();
            if above.is_some() {
                break;
            }
        }
        let mut below = None;
        for numbered in self.view.chunks().before(chunk + 1) {
            below = self.in_chunk(&wanted, numbered, |at| at < from, Order::Backward)?.first().copied();
            if below.is_some() {
                break;
            }
        }
        Some((below, above))
    }

    /// The first places where the lines stand, at most `limit`. None when it costs too much.
    pub(super) fn first(&self, lines: &[&[u8]], limit: usize, exactness: Exactness) -> Option<Vec<usize>> {
        let wanted = Wanted::new(lines, exactness)?;
        let mut places = Vec::new();
        for numbered in self.view.chunks().from(0) {
            let order = Order::All(limit - places.len());
            places.extend(self.in_chunk(&wanted, numbered, |_| true, order)?);
            if places.len() >= limit {
                break;
            }
        }
        Some(places)
    }

    /// Whether a line is in the file. None when it costs too much to know.
    pub(super) fn has(&self, line: &[u8]) -> Option<bool> {
        self.first(&[line], 1, Exactness::Exact).map(|places| !places.is_empty())
    }

    /// The places whose anchor lies in a chunk and satisfies a condition.
    fn in_chunk(
        &self,
        wanted: &Wanted<'_>,
        (number, chunk): (usize, &'f Chunk),
        is_eligible: impl Fn(usize) -> bool,
        order: Order,
    ) -> Option<Vec<usize>> {
        self.spend(1)?;
        let summary = self.view.summary(number, chunk, wanted.exactness);
        let hash = wanted.hashes.get(wanted.anchor).copied().unwrap_or_default();
        if !summary.may_have(hash) {
            return Some(Vec::new());
        }
        self.spend(summary.hashes.len() / 8)?;
        let first = self.view.chunks().lines_of(number..number + 1).start;
        let anchors = summary.hashes.iter().enumerate().filter(|&(_, &found)| found == hash);
        let starts = anchors
            .map(|(line, _)| first + line)
            .filter(|&at| is_eligible(at))
            .filter_map(|at| at.checked_sub(wanted.anchor));
        let mut too_much = false;
        let mut holds = |start: &usize| match self.stands_at(wanted, *start) {
            Some(stands) => stands,
            None => {
                too_much = true;
                // Ends the search.
                true
            }
        };
        let places = match order {
            Order::Forward => { starts }.find(&mut holds).into_iter().collect(),
            Order::Backward => {
                starts.collect::<Vec<_>>().into_iter().rev().find(&mut holds).into_iter().collect()
            }
            Order::All(limit) => starts.filter(&mut holds).take(limit).collect(),
        };
        (!too_much).then_some(places)
    }

    fn stands_at(&self, wanted: &Wanted<'_>, start: usize) -> Option<bool> {
        if start + wanted.lines.len() > self.view.count() {
            return Some(false);
        }
        let (mut line, mut rest) = (start, wanted.hashes.as_slice());
        while !rest.is_empty() {
            let number = self.view.chunks().chunk_of(line);
            let from = line - self.view.chunks().lines_of(number..number + 1).start;
            let chunk = self.view.chunks().get(number)?;
            let hashes = self.view.summary(number, chunk, wanted.exactness).hashes.get(from..)?;
            let here = hashes.len().min(rest.len());
            let same = hashes.iter().zip(rest).take_while(|(found, wanted)| found == wanted).count();
            self.spend(1 + same / 8)?;
            if same < here {
                return Some(false);
            }
            line += here;
            rest = rest.get(here..)?;
        }
        self.spend(wanted.lines.len())?;
        Some(self.view.has_at(wanted.lines, start, wanted.exactness))
    }

    fn spend(&self, steps: usize) -> Option<()> {
        #[cfg(test)]
        STEPS.set(STEPS.get() + steps);
        self.budget.set(self.budget.get().checked_sub(steps)?);
        Some(())
    }
}

#[cfg(test)]
thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// How many chunks and lines this thread has looked at so far.
#[cfg(test)]
pub(super) fn steps() -> usize {
    STEPS.get()
}

/// Which of the places in a chunk are wanted.
#[derive(Debug, Clone, Copy)]
enum Order {
    /// The first.
    Forward,
    /// The last.
    Backward,
    /// As many, from the first on.
    All(usize),
}

impl<'w> Wanted<'w> {
    /// None for no line at all.
    fn new(lines: &'w [&'w [u8]], exactness: Exactness) -> Option<Self> {
        let anchor = (0..lines.len()).max_by_key(|&line| lines.get(line).map_or(0, |line| line.len()))?;
        let hashes = lines.iter().map(|line| hash(comparable(line, exactness))).collect();
        Some(Self { lines, hashes, anchor, exactness })
    }
}
