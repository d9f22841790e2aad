//! [`Index`]: where the old lines of the hunks stand in the whole file, found in one pass over it.
//!
//! Every line that some hunk has gets a number, every other one 0. Places are then looked for only around the rarest
//! line of a hunk, and compared by a hash over the numbers before they are compared in full, so that a place costs
//! the same however long the hunk is.

use std::collections::HashMap;

use super::Exactness;
use super::Reading;
use super::lines::{FileLines, comparable};
use crate::ast::LineKind;
use crate::edit::line_ending::split_ending;

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
}

/// The base of the hash; any odd number will do, because every place that it gives is compared in full.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl<'h> Index<'h> {
    pub(super) fn new(file: &FileLines<'_>, readings: &[Vec<Reading<'h>>], exactness: Exactness) -> Self {
        let mut numbers = HashMap::new();
        for line in readings.iter().filter_map(|readings| readings.first()).flat_map(|lines| lines.iter()) {
            if line.kind != LineKind::Added {
                let next = number(numbers.len() + 1);
                numbers.entry(comparable(line.text.as_bytes(), exactness)).or_insert(next);
            }
        }
        let mut places = vec![Vec::new(); numbers.len() + 1];
        let mut lines = Vec::with_capacity(file.count());
        let mut hashes = Vec::with_capacity(file.count() + 1);
        let mut hash = 0_u64;
        hashes.push(hash);
        for (at, line) in file.from(0).enumerate() {
            let of_line = numbers.get(comparable(split_ending(line).0, exactness)).copied().unwrap_or(0);
            if of_line > 0
                && let Some(places) = places.get_mut(of_line as usize)
            {
                places.push(at);
            }
            hash = add(hash, of_line);
            hashes.push(hash);
            lines.push(of_line);
        }
        Self { exactness, numbers, file: lines, hashes, places }
    }

    /// What to look for: the numbers of the old lines. `None` when a line is nowhere in the file.
    pub(super) fn pattern(&self, old: &[&'h [u8]]) -> Option<Pattern> {
        let number = |line: &&[u8]| self.numbers.get(comparable(line, self.exactness)).copied();
        let lines: Vec<u32> = old.iter().map(number).collect::<Option<_>>()?;
        let often = |number: u32| self.places.get(number as usize).map_or(0, Vec::len);
        let (rarest, &anchor) = lines.iter().enumerate().min_by_key(|&(_, &number)| often(number))?;
        let hash = lines.iter().fold(0, |hash, &number| add(hash, number));
        (often(anchor) > 0).then_some(Pattern { power: power(lines.len()), lines, hash, rarest, anchor })
    }

    /// The places of a pattern at or after `from`, in order.
    pub(super) fn after<'p>(&'p self, pattern: &'p Pattern, from: usize) -> impl Iterator<Item = usize> + 'p {
        let places = self.anchors(pattern);
        let first = places.partition_point(|&at| at < from + pattern.rarest);
        self.verified(pattern, places.get(first..).unwrap_or_default().iter())
    }

    /// The places of a pattern before `from`, the last one first.
    pub(super) fn before<'p>(
        &'p self,
        pattern: &'p Pattern,
        from: usize,
    ) -> impl Iterator<Item = usize> + 'p {
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
            let hash = self
                .hashes
                .get(end)
                .zip(self.hashes.get(start))
                .map(|(end, start)| end.wrapping_sub(start.wrapping_mul(pattern.power)));
            hash == Some(pattern.hash) && self.file.get(start..end) == Some(pattern.lines.as_slice())
        })
    }
}

/// The old lines of a hunk as numbers.
#[derive(Debug)]
pub(super) struct Pattern {
    lines: Vec<u32>,
    hash: u64,
    /// The base to the power of the number of lines.
    power: u64,
    /// Which line occurs least often in the file.
    rarest: usize,
    /// Its number.
    anchor: u32,
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
