//! Finding many texts in one pass.
//!
//! Of each text a *gram* of up to eight bytes is chosen that is rare among all of them and in the text searched. The
//! pass computes a hash of the bytes at each place and looks it up in a bit table that stays in the cache; only where
//! the bit is set are the texts with that gram compared. So a byte costs about a nanosecond, whatever the number of
//! texts. Of long texts as many grams are chosen as the pass takes bytes at a step, one for each place that a step may
//! meet them at; then a byte costs a fraction of that.

use std::collections::HashMap;
use std::sync::Arc;

/// A set of texts, numbered from 0, to be found in one pass.
#[derive(Debug)]
pub(super) struct Grams {
    texts: Vec<Arc<[u8]>>,
    classes: Vec<Class>,
    /// How much comparing may still be done: every byte that is searched adds to it.
    budget: usize,
}

/// Texts whose grams have the same length and are met at the same steps.
#[derive(Debug)]
struct Class {
    kind: Kind,
    /// A bit for each hash, set if a gram has it.
    filter: Vec<u64>,
    /// How far a product is shifted down to be a hash.
    shift: u32,
    keys: HashMap<u64, Key>,
    links: Vec<Link>,
    /// How often a key was met that has no texts any more.
    idle: usize,
}

/// What texts of a length have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    /// The length of their grams in bytes.
    gram: usize,
    /// The bytes from one place that is looked at to the next.
    pub(super) step: usize,
}

/// The texts that have a gram.
#[derive(Debug)]
struct Key {
    /// The first of them among the links.
    first: Option<usize>,
    /// How much comparing they cost so far.
    cost: usize,
}

/// One text that has a gram, and the next one.
#[derive(Debug, Clone, Copy)]
struct Link {
    text: usize,
    /// The gram's offset in the text.
    at: usize,
    next: Option<usize>,
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

/// A gram at more than one of so many places of the sample is too frequent, if there is another way.
const FREQUENT: u32 = 1024;

/// One that the sample has no more often is not: that may be chance.
const FEW: u32 = 4;

/// A key that has no texts any more may be met so often before the filter is made again.
const IDLE: usize = 4096;

/// A gram in the sample stands for so many in the text.
const IN_SAMPLE: u32 = 16;

/// A key that has cost less is never dropped.
const SMALL_COST: usize = 256;

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

/// One pass over a text.
struct Pass<'p, S> {
    texts: &'p [Arc<[u8]>],
    text: &'p [u8],
    budget: &'p mut usize,
    sink: &'p mut S,
}

impl Class {
    /// The classes of those texts that have one of these kinds, which have grams of the same length; and the numbers of
    /// texts that are better looked for otherwise.
    fn of_gram<const LEN: usize>(
        kinds: &[(usize, Kind)],
        texts: &[Arc<[u8]>],
        sample: &[u8],
    ) -> (Vec<Self>, Vec<usize>) {
        let of_kind = |kind: Kind| {
            let all = (0..).zip(texts).map(|(id, text)| (id, &**text));
            all.filter(move |(_, text)| Kind::of(text.len()) == kind)
        };
        let all: Vec<(usize, &[u8])> = kinds.iter().flat_map(|&(_, kind)| of_kind(kind)).collect();
        if all.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let frequency = Frequency::new::<LEN>(&all, sample);
        let mut classes = Vec::new();
        // Those that have too frequent grams for the steps of their kind, and are passed on to shorter steps.
        let mut poor: Vec<(usize, &[u8])> = Vec::new();
        for &(_, kind) in kinds.iter().rev() {
            let mut members: Vec<_> = of_kind(kind).collect();
            if (members.len() + poor.len()) * kind.step >= WORTH_A_PASS {
                members.append(&mut poor);
            }
            if !members.is_empty() {
                let (class, rest) = Self::new::<LEN>(kind, &members, &frequency);
                classes.push(class);
                poor.extend(rest);
            }
        }
        (classes, poor.into_iter().map(|(id, _)| id).collect())
    }

    /// A class of texts with their numbers, and those that have too frequent grams for it.
    fn new<'t, const LEN: usize>(
        kind: Kind,
        members: &[(usize, &'t [u8])],
        frequency: &Frequency,
    ) -> (Self, Vec<(usize, &'t [u8])>) {
        let mut class = Self {
            kind,
            filter: Vec::new(),
            shift: 0,
            keys: HashMap::with_capacity(members.len() * kind.step),
            links: Vec::with_capacity(members.len() * kind.step),
            idle: 0,
        };
        let mut poor = Vec::new();
        for &(id, text) in members {
            let mut rarest = [None; 8];
            for (at, gram) in grams::<LEN>(head(text)).enumerate() {
                let count = frequency.of(gram);
                if let Some(best) = rarest.get_mut(at % kind.step)
                    && best.is_none_or(|(least, _, _)| count < least)
                {
                    *best = Some((count, at, gram));
                }
            }
            if kind.step > 1 && rarest.iter().flatten().any(|&(count, _, _)| count > frequency.frequent) {
                poor.push((id, text));
            } else {
                rarest.into_iter().flatten().for_each(|(_, at, gram)| class.add(id, at, gram));
            }
        }
        class.make_filter();
        (class, poor)
    }

    fn add(&mut self, text: usize, at: usize, gram: u64) {
        let key = self.keys.entry(gram).or_insert(Key { first: None, cost: 0 });
        let next = key.first.replace(self.links.len());
        self.links.push(Link { text, at, next });
    }

    /// Makes the filter of those keys that still have texts.
    fn make_filter(&mut self) {
        self.keys.retain(|_, key| key.first.is_some());
        let bits = (self.keys.len() * 32).next_power_of_two().clamp(1 << 12, 1 << 23);
        self.filter = vec![0; bits / 64];
        self.shift = 64 - bits.trailing_zeros();
        self.idle = 0;
        for &gram in self.keys.keys() {
            let hash = hash(gram, self.shift);
            if let Some(word) = self.filter.get_mut(hash / 64) {
                *word |= 1 << (hash % 64);
            }
        }
    }

    fn scan<const LEN: usize>(&mut self, pass: &mut Pass<'_, impl Sink>) {
        let mut from = 0;
        while let Some(next) = self.scan_from::<LEN>(from, pass) {
            from = next;
        }
    }

    /// Scans from a place on; up to which, if the filter has become another on the way.
    fn scan_from<const LEN: usize>(&mut self, from: usize, pass: &mut Pass<'_, impl Sink>) -> Option<usize> {
        let step = self.kind.step;
        let mut next = from;
        while let Some((at, gram)) = self.passes_filter::<LEN>(pass.text, next) {
            next = at + step;
            let Some(key) = self.keys.get_mut(&gram) else { continue };
            key.compare(&mut self.links, at, pass);
            self.idle += usize::from(key.first.is_none());
            if self.idle > self.keys.len() + IDLE {
                self.make_filter();
                return Some(next);
            }
        }
        None
    }

    /// The first place from one on, a number of steps further, whose gram has a bit in the filter; and the gram.
    ///
    /// All but few places end here, so the loop has nothing else in it, and registers enough for what it has.
    #[inline(never)]
    fn passes_filter<const LEN: usize>(&self, text: &[u8], from: usize) -> Option<(usize, u64)> {
        let (filter, shift, step) = (self.filter.as_slice(), self.shift, self.kind.step);
        let mut at = from;
        loop {
            let gram = gram_of::<LEN>(text.get(at..)?.first_chunk()?);
            let hash = hash(gram, shift);
            if filter.get(hash / 64).is_some_and(|word| word >> (hash % 64) & 1 == 1) {
                return Some((at, gram));
            }
            at += step;
        }
    }
}

impl Key {
    /// Compares the texts that have the gram at `at`.
    fn compare(&mut self, links: &mut [Link], at: usize, pass: &mut Pass<'_, impl Sink>) {
        let mut previous = None;
        let mut current = self.first;
        while let Some((id, link)) = current.and_then(|id| Some((id, *links.get(id)?))) {
            current = link.next;
            let wanted = pass.texts.get(link.text).map_or(&[][..], |text| text);
            let cost = 1 + wanted.len() / 16;
            self.cost += cost;
            *pass.budget = pass.budget.saturating_sub(cost);
            let found = at
                .checked_sub(link.at)
                .filter(|&start| pass.text.get(start..).is_some_and(|text| text.starts_with(wanted)));
            let interest = found.map(|start| pass.sink.found(link.text, wanted.len(), start));
            if interest == Some(Interest::Sated) {
                pass.sink.dropped(link.text);
                match previous.and_then(|previous: usize| links.get_mut(previous)) {
                    Some(previous) => previous.next = link.next,
                    None => self.first = link.next,
                }
            } else {
                previous = Some(id);
            }
        }
        // Whoever is there when the budget is gone goes, unless it had no great part in it.
        if *pass.budget == 0 && self.cost > SMALL_COST {
            let mut current = self.first.take();
            while let Some(link) = current.and_then(|id| links.get(id)) {
                pass.sink.dropped(link.text);
                current = link.next;
            }
        }
    }
}

/// How often grams occur, roughly: those of the same hash count as one.
struct Frequency {
    counts: Vec<u32>,
    shift: u32,
    /// A gram that is more frequent is too frequent, if there is another way.
    frequent: u32,
}

impl Frequency {
    /// Of the grams of these texts and of a sample.
    fn new<const LEN: usize>(texts: &[(usize, &[u8])], sample: &[u8]) -> Self {
        let heads = || texts.iter().map(|(_, text)| head(text));
        let size: usize = heads().map(<[u8]>::len).sum();
        let bits = size.next_power_of_two().trailing_zeros().clamp(12, 20);
        let places = u32::try_from(sample.len()).unwrap_or(u32::MAX);
        let frequent = (places / FREQUENT).max(FEW).saturating_mul(IN_SAMPLE);
        let mut frequency = Self { counts: vec![0; 1 << bits], shift: 64 - bits, frequent };
        grams::<LEN>(sample).for_each(|gram| frequency.add(gram, IN_SAMPLE));
        heads().flat_map(grams::<LEN>).for_each(|gram| frequency.add(gram, 1));
        frequency
    }

    fn add(&mut self, gram: u64, times: u32) {
        if let Some(count) = self.counts.get_mut(hash(gram, self.shift)) {
            *count = count.saturating_add(times);
        }
    }

    fn of(&self, gram: u64) -> u32 {
        self.counts.get(hash(gram, self.shift)).copied().unwrap_or(0)
    }
}

/// As much of a text as its grams are chosen from.
fn head(text: &[u8]) -> &[u8] {
    text.get(..512).unwrap_or(text)
}

/// The upper bits of a product with an odd number, 2^64 divided by the golden ratio.
fn hash(gram: u64, shift: u32) -> usize {
    // At most 23 bits are left, so nothing is cut off.
    (gram.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

fn gram_of<const LEN: usize>(window: &[u8; LEN]) -> u64 {
    let mut bytes = [0; 8];
    if let Some(low) = bytes.first_chunk_mut() {
        *low = *window;
    }
    u64::from_le_bytes(bytes)
}

/// The grams at each place of a text.
fn grams<const LEN: usize>(text: &[u8]) -> impl Iterator<Item = u64> + '_ {
    text.windows(LEN).filter_map(|window| window.first_chunk()).map(gram_of::<LEN>)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes what is told, and has enough of a text after so many places.
    struct Notes {
        found: Vec<Vec<usize>>,
        dropped: Vec<usize>,
        enough: usize,
    }

    impl Sink for Notes {
        fn found(&mut self, text: usize, _len: usize, at: usize) -> Interest {
            self.found[text].push(at);
            if self.found[text].len() < self.enough { Interest::Wanted } else { Interest::Sated }
        }

        fn dropped(&mut self, text: usize) {
            self.dropped.push(text);
        }
    }

    /// What is told of texts that are chosen by a sample and looked for in other texts, one after the other.
    fn told(texts: &[String], sample: &str, searched: &[&str], enough: usize) -> Notes {
        let mut notes = Notes { found: vec![Vec::new(); texts.len()], dropped: Vec::new(), enough };
        let texts = texts.iter().map(|text| Arc::from(text.as_bytes())).collect();
        let mut grams = Grams::new(texts, sample.as_bytes(), &mut notes);
        for text in searched {
            grams.scan(text.as_bytes(), &mut notes);
        }
        notes
    }

    fn places(text: &str, part: &str) -> Vec<usize> {
        (0..text.len()).filter(|&at| text.as_bytes()[at..].starts_with(part.as_bytes())).collect()
    }

    #[test]
    fn a_filter_made_again_on_the_way_loses_no_place() {
        let searched = "a".repeat(40) + &"b".repeat(3000) + &"a".repeat(9000) + &"ab".repeat(100);
        for (rare, frequent) in [("b", "a"), ("abab", "aaaa"), ("abababab", "aaaaaaaa")] {
            let texts = [frequent.to_owned(), rare.to_owned()];
            let notes = told(&texts, "", &[&searched], 7000);
            assert_eq!(notes.found[0], places(&searched, frequent)[..7000], "{frequent}");
            assert_eq!(notes.found[1], places(&searched, rare), "{rare}");
            assert_eq!(notes.dropped, [0], "{frequent}");
        }
        // Every place at which the filter may be made again is one at which the other text stands.
        let searched = "ab".repeat(6000);
        let notes = told(&["a".to_owned(), "b".to_owned(), "ba".to_owned()], "", &[&searched], 5900);
        for (text, part) in ["a", "b", "ba"].into_iter().enumerate() {
            assert_eq!(notes.found[text], places(&searched, part)[..5900], "{part}");
        }
        let notes = told(&["a".to_owned(), "b".to_owned()], "", &[&searched, &searched], 1);
        assert_eq!((notes.found, notes.dropped), (vec![vec![0], vec![1]], vec![0, 1]));
    }

    #[test]
    fn a_text_that_has_had_enough_leaves_the_others_with_its_gram() {
        // All have the same rarest gram, for the sample has every other one.
        let texts: Vec<_> = ["aaaaaaaabbb", "aaaaaaaabb", "aaaaaaaab"].map(str::to_owned).into();
        let sample = "aaaaaaabbbb".repeat(10);
        let searched = ["aaaaaaaabbb aaaaaaaabbb aaaaaaaab", "aaaaaaaabb aaaaaaaab"];
        let notes = told(&texts, &sample, &searched, 2);
        assert_eq!(notes.found, [vec![0, 12], vec![0, 12], vec![0, 12]]);
        assert_eq!(notes.dropped.len(), 3);
        let notes = told(&texts, &sample, &searched, 3);
        assert_eq!(notes.found, [vec![0, 12], vec![0, 12, 0], vec![0, 12, 24]]);
        let notes = told(&texts, &sample, &searched, 100);
        assert_eq!(notes.found, [vec![0, 12], vec![0, 12, 0], vec![0, 12, 24, 0, 11]]);
        assert_eq!(notes.dropped, [0; 0]);
    }

    #[test]
    fn comparing_without_end_is_given_up() {
        let texts: Vec<_> =
            (10..40).map(|number| format!("{}{}{number}", "a".repeat(8), "b".repeat(8))).collect();
        let sample: String = texts.iter().map(|text| text.get(1..).unwrap().repeat(60)).collect();
        let searched = "a".repeat(4000);
        let notes = told(&texts, &sample, &[&searched], 2);
        let mut dropped = notes.dropped;
        dropped.sort_unstable();
        assert_eq!(dropped, (0..30).collect::<Vec<_>>());
        assert!(notes.found.iter().all(Vec::is_empty));
        // A text has its part in the budget, and few comparisons are always made.
        let notes = told(&texts, &sample, &["aaaaaaaaaaa", &texts[4]], 2);
        assert_eq!((notes.dropped, &notes.found[4]), (vec![], &vec![0]));
        let roomy = format!("{}{}", ".".repeat(200_000), "a".repeat(4000));
        assert_eq!(told(&texts, &sample, &[&roomy], 2).dropped, [0; 0]);
    }

    #[test]
    fn texts_of_frequent_grams_are_looked_for_at_each_place_or_otherwise() {
        let long = "a".repeat(40);
        let many = |short: usize| {
            let short = (0..short).map(|number| format!("{number:08}"));
            std::iter::once(long.clone()).chain(short).collect::<Vec<_>>()
        };
        let searched = format!("..{long}..00000003");
        let notes = told(&many(WORTH_A_PASS - 1), &"a".repeat(2000), &[&searched], 2);
        assert_eq!((notes.dropped, &notes.found[0], &notes.found[4]), (vec![], &vec![2], &vec![44]));
        let notes = told(&many(WORTH_A_PASS - 2), &"a".repeat(2000), &[&searched], 2);
        assert_eq!((notes.dropped, &notes.found[0], &notes.found[4]), (vec![0], &vec![], &vec![44]));
        // Where its grams are rare it is met at every offset from a step, whatever the length of that.
        let all = "abcdefghijklmnopqrstuvwxyzABCDEF";
        for (before, len) in (0..20).flat_map(|before| [(before, 16), (before, 31), (before, 32)]) {
            let text = all.get(..len).unwrap();
            let searched = format!("{}{text}.{text}", ".".repeat(before));
            let notes = told(&[text.to_owned()], "", &[&searched], 9);
            let mut found = notes.found[0].clone();
            found.sort_unstable();
            assert_eq!(found, [before, before + len + 1]);
        }
    }

    #[test]
    fn texts_with_too_frequent_grams_for_long_steps_are_met_at_shorter_ones() {
        // The only rare grams are those at the first five places.
        let text = |number: usize| format!("aaaa{}{}", char::from(b'b' + number as u8), "a".repeat(27));
        let texts: Vec<String> = (0..WORTH_A_PASS).map(text).collect();
        let sample = "a".repeat(2000);
        let shared: Vec<Arc<[u8]>> = texts.iter().map(|text| Arc::from(text.as_bytes())).collect();
        let (classes, poor) = Class::of_gram::<8>(&Kind::ALL[3..], &shared, sample.as_bytes());
        let steps: Vec<usize> = classes.iter().map(|class| class.kind.step).collect();
        assert_eq!((steps, poor), (vec![8, 4], vec![]));
        let searched: String =
            (0..20).map(|number| format!("{}{}", ".".repeat(number), text(number))).collect();
        let notes = told(&texts, &sample, &[&searched], 9);
        for (text, found) in texts.iter().zip(&notes.found) {
            assert_eq!(found, &places(&searched, text), "{text}");
        }
    }
}
