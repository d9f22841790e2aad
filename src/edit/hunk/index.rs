//! [`Index`]: where the old lines of the hunks stand in the whole file.
//!
//! Every line that some hunk has gets a number, every other one 0, in one pass over the file. A place is compared by a
//! hash over the numbers before it is compared in full, so that it costs the same however long the hunk is. Looked for
//! are only the places around the rarest line of a hunk; where even that one is common, one further pass finds the
//! places of all hunks that are as long, so that many hunks made of common lines do not cost a pass each.

use std::cell::RefCell;
use std::collections::HashMap;

use super::filter::Filter;
use super::lines::comparable;
use super::patched::View;
use super::{Exactness, Reading};
use crate::ast::LineKind;
use crate::edit::line_ending::split_ending;

/// A line that occurs more often is common.
const COMMON: usize = 256;
/// So many places of a hunk are kept; where there are more, the nearest one is looked for.
const KEPT: usize = 64;

/// Where lines stand in a file, for one way to compare them.
#[derive(Debug)]
pub(super) struct Index<'h> {
    exactness: Exactness,
    /// The number of each line that a hunk has, from 1.
    numbers: HashMap<&'h [u8], u32>,
    /// The number of each line of the file; 0 for one that no hunk has.
    file: Vec<u32>,
    /// For each length, the hash of so many lines from the start of the file.
    hashes: Vec<u64>,
    /// Where each number stands.
    places: Vec<Vec<usize>>,
    /// All that may be looked for, the shortest first.
    readings: Vec<(usize, Reading<'h>)>,
    /// What has been found of the patterns of a length, by their hashes.
    of_length: RefCell<HashMap<usize, HashMap<u64, Found>>>,
}

/// The old lines of a hunk as numbers.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    lines: Vec<u32>,
    hash: u64,
    /// The base of the hash to the power of the number of lines.
    power: u64,
    /// Which line occurs least often in the file.
    rarest: usize,
    /// Its number.
    anchor: u32,
}

/// Places of one pattern, in order: all, or the first [`KEPT`] and one.
#[derive(Debug, Clone)]
struct Found {
    pattern: Pattern,
    places: Vec<usize>,
}

/// The base of the hash; any odd number will do, because every place that it gives is compared in full.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl<'h> Index<'h> {
    pub(super) fn new(file: View<'_>, readings: &[Vec<Reading<'h>>], exactness: Exactness) -> Self {
        let mut numbers = HashMap::new();
        let mut filter = Filter::default();
        for line in readings.iter().filter_map(|readings| readings.first()).flat_map(|lines| lines.iter()) {
            if line.kind != LineKind::Added {
                let next = number(numbers.len() + 1);
                let text = comparable(line.text.as_bytes(), exactness);
                numbers.entry(text).or_insert(next);
                filter.add(text);
            }
        }
        let mut places = vec![Vec::new(); numbers.len() + 1];
        let mut lines = Vec::with_capacity(file.count());
        let mut hashes = Vec::with_capacity(file.count() + 1);
        let mut hash = 0_u64;
        hashes.push(hash);
        for (at, line) in file.from(0).enumerate() {
            let text = comparable(split_ending(line).0, exactness);
            let number = if filter.may_have(text) { numbers.get(text).copied() } else { None };
            if let Some(places) = number.and_then(|number| places.get_mut(number as usize)) {
                places.push(at);
            }
            hash = add(hash, number.unwrap_or(0));
            hashes.push(hash);
            lines.push(number.unwrap_or(0));
        }
        let mut readings: Vec<_> =
            readings.iter().flatten().map(|&reading| (old_lines(reading).count(), reading)).collect();
        readings.sort_by_key(|reading| reading.0);
        Self { exactness, numbers, file: lines, hashes, places, readings, of_length: RefCell::default() }
    }

    /// Whether a line that a hunk has is in the file.
    pub(super) fn has(&self, line: &[u8]) -> bool {
        let number = self.numbers.get(comparable(line, self.exactness));
        number.and_then(|&number| self.places.get(number as usize)).is_some_and(|places| !places.is_empty())
    }

    /// What to look for: the numbers of the old lines. `None` when a line is nowhere in the file.
    pub(super) fn pattern<'l>(&self, old: impl Iterator<Item = &'l [u8]>) -> Option<Pattern> {
        let number = |line| self.numbers.get(comparable(line, self.exactness)).copied();
        let lines: Vec<u32> = old.map(number).collect::<Option<_>>()?;
        let often = |number: u32| self.places.get(number as usize).map_or(0, Vec::len);
        let (rarest, &anchor) = lines.iter().enumerate().min_by_key(|&(_, &number)| often(number))?;
        let hash = lines.iter().fold(0, |hash, &number| add(hash, number));
        (often(anchor) > 0).then_some(Pattern { power: power(lines.len()), lines, hash, rarest, anchor })
    }

    /// The first places of a pattern, in order; at most `limit`, which is at most [`KEPT`].
    pub(super) fn first(&self, pattern: &Pattern, limit: usize) -> Vec<usize> {
        let mut places = self.some(pattern).unwrap_or_else(|| self.after(pattern, 0).take(limit).collect());
        places.truncate(limit);
        places
    }

    /// The last place of a pattern before `expected`, and the first one from there on.
    pub(super) fn around(&self, pattern: &Pattern, expected: usize) -> (Option<usize>, Option<usize>) {
        match self.some(pattern) {
            Some(places) if places.len() <= KEPT => {
                let above = places.partition_point(|&at| at < expected);
                let below = above.checked_sub(1).and_then(|below| places.get(below));
                (below.copied(), places.get(above).copied())
            }
            _ => (self.before(pattern, expected).next(), self.after(pattern, expected).next()),
        }
    }

    /// The places of a pattern of nothing but common lines: all, or more than [`KEPT`].
    fn some(&self, pattern: &Pattern) -> Option<Vec<usize>> {
        if self.anchors(pattern).len() <= COMMON {
            return None;
        }
        let length = pattern.lines.len();
        let mut of_length = self.of_length.borrow_mut();
        let found =
            of_length.entry(length).or_insert_with(|| self.all_of_length(length)).get(&pattern.hash)?;
        (found.pattern.lines == pattern.lines).then(|| found.places.clone())
    }

    /// Where the patterns of a length stand, found in one pass.
    fn all_of_length(&self, length: usize) -> HashMap<u64, Found> {
        let from = self.readings.partition_point(|reading| reading.0 < length);
        let to = self.readings.partition_point(|reading| reading.0 <= length);
        let mut all = HashMap::new();
        let mut filter = Filter::default();
        for (_, reading) in self.readings.get(from..to).unwrap_or_default() {
            if let Some(pattern) = self.pattern(old_lines(reading)) {
                filter.add_hash(pattern.hash);
                all.entry(pattern.hash).or_insert(Found { pattern, places: Vec::new() });
            }
        }
        let power = power(length);
        for (start, (before, after)) in self.hashes.iter().zip(self.hashes.iter().skip(length)).enumerate() {
            let hash = after.wrapping_sub(before.wrapping_mul(power));
            if !filter.may_have_hash(hash) {
                continue;
            }
            if let Some(found) = all.get_mut(&hash)
                && found.places.len() <= KEPT
                && self.file.get(start..start + length) == Some(found.pattern.lines.as_slice())
            {
                found.places.push(start);
            }
        }
        all
    }

    /// The places of a pattern at or after `from`, in order.
    fn after<'p>(&'p self, pattern: &'p Pattern, from: usize) -> impl Iterator<Item = usize> + 'p {
        let places = self.anchors(pattern);
        let first = places.partition_point(|&at| at < from + pattern.rarest);
        self.verified(pattern, places.get(first..).unwrap_or_default().iter())
    }

    /// The places of a pattern before `from`, the last one first.
    fn before<'p>(&'p self, pattern: &'p Pattern, from: usize) -> impl Iterator<Item = usize> + 'p {
        let places = self.anchors(pattern);
        let first = places.partition_point(|&at| at < from + pattern.rarest);
        self.verified(pattern, places.get(..first).unwrap_or_default().iter().rev())
    }

    fn anchors(&self, pattern: &Pattern) -> &[usize] {
        self.places.get(pattern.anchor as usize).map_or(&[], Vec::as_slice)
    }

    fn verified<'p>(
        &'p self,
        pattern: &'p Pattern,
        anchors: impl Iterator<Item = &'p usize> + 'p,
    ) -> impl Iterator<Item = usize> + 'p {
        anchors.filter_map(|at| at.checked_sub(pattern.rarest)).filter(|&start| {
            let end = start + pattern.lines.len();
            let hashes = self.hashes.get(start).zip(self.hashes.get(end));
            let hash = hashes.map(|(before, after)| after.wrapping_sub(before.wrapping_mul(pattern.power)));
            hash == Some(pattern.hash) && self.file.get(start..end) == Some(pattern.lines.as_slice())
        })
    }
}

/// The text of each context and removed line.
pub(super) fn old_lines<'h>(reading: Reading<'h>) -> impl Iterator<Item = &'h [u8]> {
    reading.iter().filter(|line| line.kind != LineKind::Added).map(|line| line.text.as_bytes())
}

fn add(hash: u64, number: u32) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(u64::from(number))
}

fn power(exponent: usize) -> u64 {
    (0..exponent).fold(1, |power, _| power.wrapping_mul(BASE))
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
