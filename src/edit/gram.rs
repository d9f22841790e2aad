//! Finding many texts in one pass.
//!
//! Of each text a *gram* of up to eight bytes is chosen that is rare among all of them and in the text searched. The
//! pass computes a hash of the bytes at each place and looks it up in a bit table that stays in the cache; only where
//! the bit is set are the texts with that gram compared. This takes about a nanosecond a byte, whatever the number of
//! texts, where a pass for each takes a twentieth of that for each.

use std::collections::HashMap;
use std::sync::Arc;

/// A set of texts, numbered from 0, to be found in one pass.
#[derive(Debug)]
pub(super) struct Grams {
    texts: Vec<Text>,
    /// One for each length of gram that is in use.
    classes: Vec<Class>,
    /// How much comparing may still be done: every byte that is searched adds to it.
    budget: usize,
}

#[derive(Debug)]
struct Text {
    bytes: Arc<[u8]>,
    /// The offset of its gram.
    gram_at: usize,
    /// The next text with the same gram.
    next: Option<usize>,
}

#[derive(Debug)]
struct Class {
    /// The length of the grams in bytes: 1, 2, 4 or 8.
    len: usize,
    /// A bit for each hash, set if a gram has it.
    filter: Vec<u64>,
    /// How far a product is shifted down to be a hash.
    shift: u32,
    keys: HashMap<u64, Key>,
}

#[derive(Debug)]
struct Key {
    /// The first text with this gram; none once comparing them cost too much.
    first: Option<usize>,
    /// How much comparing they cost so far.
    cost: usize,
}

/// What a pass finds.
pub(super) trait Sink {
    /// Text number `text`, `len` bytes long, stands at byte offset `at`.
    fn found(&mut self, text: usize, len: usize, at: usize);
    /// Text number `text` is no longer looked for, because too much else has its gram.
    fn gave_up(&mut self, text: usize);
}

/// For each byte that is searched, so many comparisons may be made.
const COMPARISONS_A_BYTE: usize = 4;

impl Grams {
    /// Takes texts of at least one byte, all different, that are to be found in texts like `sample`.
    pub(super) fn new(texts: Vec<Arc<[u8]>>, sample: &[u8]) -> Self {
        let texts = texts.into_iter().map(|bytes| Text { bytes, gram_at: 0, next: None }).collect();
        let mut grams = Self { texts, classes: Vec::new(), budget: 0 };
        for len in [1, 2, 4, 8] {
            let members: Vec<usize> = (0_usize..)
                .zip(&grams.texts)
                .filter(|(_, text)| gram_len(text.bytes.len()) == len)
                .map(|(id, _)| id)
                .collect();
            if !members.is_empty() {
                let class = grams.class(len, &members, sample);
                grams.classes.push(class);
            }
        }
        grams
    }

    /// Finds all occurrences, overlapping ones too, in no particular order.
    pub(super) fn scan(&mut self, text: &[u8], sink: &mut impl Sink) {
        self.budget = self.budget.saturating_add(text.len().saturating_mul(COMPARISONS_A_BYTE));
        let Self { texts, classes, budget } = self;
        for class in classes {
            match class.len {
                1 => class.scan::<1>(texts, text, budget, sink),
                2 => class.scan::<2>(texts, text, budget, sink),
                4 => class.scan::<4>(texts, text, budget, sink),
                _ => class.scan::<8>(texts, text, budget, sink),
            }
        }
    }

    fn class(&mut self, len: usize, members: &[usize], sample: &[u8]) -> Class {
        let mut frequency = Frequency::new();
        // A gram of the sample stands for many in the text.
        windows(sample, len).for_each(|gram| frequency.add(gram, 16));
        for &id in members {
            windows(self.head(id), len).for_each(|gram| frequency.add(gram, 1));
        }
        let bits = (members.len() * 64).next_power_of_two().clamp(1 << 12, 1 << 23);
        let mut class = Class {
            len,
            filter: vec![0; bits / 64],
            shift: 64 - bits.trailing_zeros(),
            keys: HashMap::with_capacity(members.len()),
        };
        for &id in members {
            let rarest = windows(self.head(id), len).enumerate().min_by_key(|&(_, gram)| frequency.of(gram));
            let Some((at, gram)) = rarest else { continue };
            let key = class.keys.entry(gram).or_insert(Key { first: None, cost: 0 });
            if let Some(text) = self.texts.get_mut(id) {
                text.gram_at = at;
                text.next = key.first.replace(id);
            }
            let hash = hash(gram, class.shift);
            if let Some(word) = class.filter.get_mut(hash / 64) {
                *word |= 1 << (hash % 64);
            }
        }
        class
    }

    /// As much of a text as a gram is chosen from.
    fn head(&self, id: usize) -> &[u8] {
        let bytes = self.texts.get(id).map_or(&[][..], |text| &text.bytes);
        bytes.get(..512).unwrap_or(bytes)
    }
}

impl Class {
    fn scan<const LEN: usize>(
        &mut self,
        texts: &[Text],
        text: &[u8],
        budget: &mut usize,
        sink: &mut impl Sink,
    ) {
        for (at, gram) in grams::<LEN>(text).enumerate() {
            let hash = hash(gram, self.shift);
            if self.filter.get(hash / 64).is_some_and(|word| word >> (hash % 64) & 1 == 1)
                && let Some(key) = self.keys.get_mut(&gram)
            {
                key.compare(texts, text, at, budget, sink);
            }
        }
    }
}

impl Key {
    /// Compares the texts that have the gram at `at`.
    fn compare(&mut self, texts: &[Text], text: &[u8], at: usize, budget: &mut usize, sink: &mut impl Sink) {
        let mut next = self.first;
        while let Some((id, wanted)) = next.and_then(|id| Some((id, texts.get(id)?))) {
            next = wanted.next;
            let cost = 1 + wanted.bytes.len() / 16;
            self.cost += cost;
            *budget = budget.saturating_sub(cost);
            let start = at.checked_sub(wanted.gram_at);
            if let Some(start) = start
                && text.get(start..).is_some_and(|text| text.starts_with(&wanted.bytes))
            {
                sink.found(id, wanted.bytes.len(), start);
            }
        }
        // Whoever is there when the budget is gone goes, unless it had no great part in it.
        if *budget == 0 && self.cost > 256 {
            let mut next = self.first.take();
            while let Some((id, wanted)) = next.and_then(|id| Some((id, texts.get(id)?))) {
                sink.gave_up(id);
                next = wanted.next;
            }
        }
    }
}

/// How often grams occur, roughly: those of the same hash count as one.
struct Frequency {
    counts: Vec<u32>,
}

impl Frequency {
    const BITS: u32 = 16;

    fn new() -> Self {
        Self { counts: vec![0; 1 << Self::BITS] }
    }

    fn add(&mut self, gram: u64, times: u32) {
        if let Some(count) = self.counts.get_mut(hash(gram, 64 - Self::BITS)) {
            *count = count.saturating_add(times);
        }
    }

    fn of(&self, gram: u64) -> u32 {
        self.counts.get(hash(gram, 64 - Self::BITS)).copied().unwrap_or(0)
    }
}

/// The length of the gram that a text of `len` bytes has.
fn gram_len(len: usize) -> usize {
    match len {
        0..=1 => 1,
        2..=3 => 2,
        4..=7 => 4,
        _ => 8,
    }
}

/// The upper bits of a product with an odd number, 2^64 divided by the golden ratio.
fn hash(gram: u64, shift: u32) -> usize {
    // At most 23 bits are left, so nothing is cut off.
    (gram.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

/// The grams at each place of a text.
fn grams<const LEN: usize>(text: &[u8]) -> impl Iterator<Item = u64> + '_ {
    text.windows(LEN).map(|window| {
        let mut bytes = [0; 8];
        if let (Some(low), Some(gram)) = (bytes.first_chunk_mut::<LEN>(), window.first_chunk::<LEN>()) {
            *low = *gram;
        }
        u64::from_le_bytes(bytes)
    })
}

/// The same for a length that is known only now.
fn windows(text: &[u8], len: usize) -> Box<dyn Iterator<Item = u64> + '_> {
    match len {
        1 => Box::new(grams::<1>(text)),
        2 => Box::new(grams::<2>(text)),
        4 => Box::new(grams::<4>(text)),
        _ => Box::new(grams::<8>(text)),
    }
}
