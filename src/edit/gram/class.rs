//! The texts whose grams have one length and are met at the same steps: a filter, and what to compare behind it.

use std::collections::HashMap;
use std::sync::Arc;

use super::frequency::{Frequency, gram_of, grams, hash, head};
use super::{Interest, Kind, Sink, WORTH_A_PASS};

/// A key that has no texts any more may be met so often before the filter is made again.
const IDLE: usize = 4096;

/// A key that has cost less is never dropped.
const SMALL_COST: usize = 256;

/// Texts whose grams have the same length and are met at the same steps.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) kind: Kind,
    /// A bit for each hash, set if a gram has it.
    filter: Vec<u64>,
    /// How far a product is shifted down to be a hash.
    shift: u32,
    keys: HashMap<u64, Key>,
    links: Vec<Link>,
    /// How often a key was met that has no texts any more.
    idle: usize,
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

/// One pass over a text.
pub(super) struct Pass<'p, S> {
    pub(super) texts: &'p [Arc<[u8]>],
    pub(super) text: &'p [u8],
    pub(super) budget: &'p mut usize,
    pub(super) sink: &'p mut S,
}

impl Class {
    /// The classes of those texts that have one of these kinds, which have grams of the same length; and the numbers of
    /// texts that are better looked for otherwise.
    pub(super) fn of_gram<const LEN: usize>(
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

    pub(super) fn scan<const LEN: usize>(&mut self, pass: &mut Pass<'_, impl Sink>) {
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
