//! Finding many texts in one pass.
//!
//! Of each text a *gram* of up to eight bytes is chosen that is rare among all of them and in the text searched. The
//! pass computes a hash of the bytes at each place and looks it up in a bit table that stays in the cache; only where
//! the bit is set are the texts with that gram compared. So a byte costs about a nanosecond, whatever the number of
//! texts. Of long texts as many grams are chosen as the pass takes bytes at a step, one for each place that a step may
//! meet them at; then a byte costs a fraction of that.

mod class;
mod frequency;

use std::sync::Arc;

use class::{Class, Pass};

/// A set of texts, numbered from 0, to be found in one pass.
#[derive(Debug)]
pub(super) struct Grams {
    texts: Vec<Arc<[u8]>>,
    classes: Vec<Class>,
    /// How much comparing may still be done: every byte that is searched adds to it.
    budget: usize,
}

/// What texts of a length have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    /// The length of their grams in bytes.
    gram: usize,
    /// The bytes from one place that is looked at to the next.
    pub(super) step: usize,
}

/// What a pass tells of.
pub(super) trait Sink {
    /// Text number `text`, `len` bytes long, stands at byte offset `at`.
    fn found(&mut self, text: usize, len: usize, at: usize) -> Interest;

    /// Text number `text` is no longer looked for: too much else has its gram, or it is of no more interest.
    fn dropped(&mut self, text: usize);
}

/// Whether more places of a text are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interest {
    /// They are.
    Wanted,
    /// There are so many already that it shall be dropped.
    Sated,
}

/// For each byte that is searched, so many comparisons may be made.
const COMPARISONS_A_BYTE: usize = 4;

/// A pass for so many texts costs as much as one for each of them.
pub(super) const WORTH_A_PASS: usize = 9;

impl Kind {
    /// All there are, by the least length of the texts that have it.
    pub(super) const ALL: [(usize, Self); 6] = [
        (1, Self { gram: 1, step: 1 }),
        (2, Self { gram: 2, step: 1 }),
        (4, Self { gram: 4, step: 1 }),
        (8, Self { gram: 8, step: 1 }),
        (16, Self { gram: 8, step: 4 }),
        (32, Self { gram: 8, step: 8 }),
    ];

    /// That of texts of `len` bytes.
    pub(super) fn of(len: usize) -> Self {
        let [(_, first), ..] = Self::ALL;
        Self::ALL.iter().rev().find(|(least, _)| *least <= len).map_or(first, |&(_, kind)| kind)
    }
}

impl Grams {
    /// Takes texts of at least one byte, all different, that are to be found in texts like `sample`; tells of those
    /// that are better looked for otherwise.
    pub(super) fn new(texts: Vec<Arc<[u8]>>, sample: &[u8], sink: &mut impl Sink) -> Self {
        let mut classes = Vec::new();
        for kinds in Kind::ALL.chunk_by(|(_, one), (_, other)| one.gram == other.gram).rev() {
            let make = match kinds {
                [(_, Kind { gram: 1, .. }), ..] => Class::of_gram::<1>,
                [(_, Kind { gram: 2, .. }), ..] => Class::of_gram::<2>,
                [(_, Kind { gram: 4, .. }), ..] => Class::of_gram::<4>,
                _ => Class::of_gram::<8>,
            };
            let (made, poor) = make(kinds, &texts, sample);
            classes.extend(made);
            poor.into_iter().for_each(|id| sink.dropped(id));
        }
        Self { texts, classes, budget: 0 }
    }

    /// Finds all occurrences, overlapping ones too, in no particular order.
    pub(super) fn scan(&mut self, text: &[u8], sink: &mut impl Sink) {
        self.budget = self.budget.saturating_add(text.len().saturating_mul(COMPARISONS_A_BYTE));
        for class in &mut self.classes {
            let mut pass = Pass { texts: &self.texts, text, budget: &mut self.budget, sink };
            match class.kind.gram {
                1 => class.scan::<1>(&mut pass),
                2 => class.scan::<2>(&mut pass),
                4 => class.scan::<4>(&mut pass),
                _ => class.scan::<8>(&mut pass),
            }
        }
    }
}

#[cfg(test)]
mod tests;
