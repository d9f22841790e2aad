//! Where texts stand that will be looked for: found in one pass, kept up to date around each edit.
//!
//! For each text the addresses are kept at which it may stand. They are noted once for the base, then for every edit
//! in a window around what it put in, and checked when they are asked for: an address whose text has gone or has
//! become another is dropped then. So an edit costs as much as its window, not as much as the file.

use std::collections::HashMap;
use std::sync::Arc;

use super::gram::{Grams, Interest, Kind, Sink, WORTH_A_PASS};
use super::pieces::{Cursor, Pieces};
use super::search::LIMIT;

/// Texts to come and where they may stand.
#[derive(Debug)]
pub(super) struct Expected {
    grams: Grams,
    ids: HashMap<Arc<[u8]>, usize>,
    known: Vec<Known>,
    /// The length in bytes of the longest of them.
    reach: usize,
}

/// What is known of a text's places.
#[derive(Debug, Clone, Default)]
struct Known {
    /// Every address at which it may stand, in no order, as long as it is looked for.
    addresses: Vec<usize>,
    /// Whether it is still looked for; once it is not, it may stand elsewhere too.
    search: Search,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Search {
    #[default]
    Goes,
    Ended,
}

/// So many addresses of a text are kept.
const KEPT: usize = 2 * LIMIT;

impl Expected {
    /// Looks for those of `texts`, none empty, for which one pass together is worth more than one for each.
    ///
    /// None when that is so for none of them, or when the text was edited already.
    pub(super) fn new(pieces: &Pieces, texts: Vec<&[u8]>) -> Option<Self> {
        if !pieces.is_whole_base() {
            return None;
        }
        let texts = worthwhile(texts, pieces.len());
        (!texts.is_empty()).then(|| Self::all(pieces, texts))
    }

    /// Looks for all of them, none empty.
    pub(super) fn all(pieces: &Pieces, mut texts: Vec<&[u8]>) -> Self {
        texts.sort_unstable();
        texts.dedup();
        let reach = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        let texts: Vec<Arc<[u8]>> = texts.into_iter().map(Arc::from).collect();
        let ids = texts.iter().cloned().zip(0..).collect();
        let mut known = vec![Known::default(); texts.len()];
        let mut notes = Notes { known: &mut known, address: |_: usize, _: usize| None };
        let grams = Grams::new(texts, &sample(pieces.base().text()), &mut notes);
        let mut expected = Self { grams, ids, known, reach };
        expected.rebase(pieces);
        expected
    }

    /// Starts anew with another base, which has no edits yet.
    pub(super) fn rebase(&mut self, pieces: &Pieces) {
        self.known.iter_mut().for_each(|known| known.addresses.clear());
        let text = pieces.base().text();
        self.grams.scan(text, &mut Notes { known: &mut self.known, address: |_: usize, at| Some(at) });
    }

    /// Takes note of an edit that put `len` bytes in before a place, which is that of the first of them.
    pub(super) fn edited(&mut self, pieces: &Pieces, from: Cursor, len: usize) {
        let around = self.reach.saturating_sub(1);
        let (start, before) = pieces.back_at_most(from, around);
        let mut window = Vec::with_capacity(before + len + around);
        let mut parts = Vec::new();
        for (here, slice) in pieces.slices(start) {
            let wanted = before + len + around - window.len();
            if wanted == 0 {
                break;
            }
            parts.push((window.len(), here));
            window.extend_from_slice(slice.get(..wanted).unwrap_or(slice));
        }
        let address = |text_len: usize, at: usize| {
            // What does not touch the edit was there before.
            if at >= before + len || at + text_len <= before {
                return None;
            }
            let part = parts.partition_point(|&(start, _)| start <= at).checked_sub(1)?;
            let &(start, here) = parts.get(part)?;
            Some(pieces.address(here)? + at - start)
        };
        self.grams.scan(&window, &mut Notes { known: &mut self.known, address });
    }

    /// The places where `text` stands, overlapping ones too, in order; of [`LIMIT`] and more, as many.
    ///
    /// None if that is not known.
    pub(super) fn places(&mut self, pieces: &Pieces, text: &[u8]) -> Option<Vec<Cursor>> {
        let known = self.known.get_mut(*self.ids.get(text)?)?;
        known.addresses.sort_unstable();
        known.addresses.dedup();
        let mut places = Vec::new();
        known.addresses.retain(|&address| {
            let place = pieces.find(address).filter(|&place| pieces.after(place, text).is_some());
            places.extend(place);
            place.is_some()
        });
        if known.search == Search::Ended && places.len() < LIMIT {
            return None;
        }
        places.sort_by_key(|&place| pieces.anchor(place));
        places.truncate(LIMIT);
        Some(places)
    }
}

/// Notes what a scan finds.
struct Notes<'k, F> {
    known: &'k mut [Known],
    /// The address of what was found at an offset, with its length, if it is to be noted.
    address: F,
}

impl<F: Fn(usize, usize) -> Option<usize>> Sink for Notes<'_, F> {
    fn found(&mut self, text: usize, len: usize, at: usize) -> Interest {
        let Some((known, address)) = self.known.get_mut(text).zip((self.address)(len, at)) else {
            return Interest::Wanted;
        };
        known.addresses.push(address);
        if known.addresses.len() < KEPT { Interest::Wanted } else { Interest::Sated }
    }

    fn dropped(&mut self, text: usize) {
        if let Some(known) = self.known.get_mut(text) {
            known.search = Search::Ended;
        }
    }
}

/// Of all texts those that are best looked for together in a text of `len` bytes; none if all are best looked for
/// alone.
///
/// The unit is what a place costs in the common pass. A byte in a pass for one text is about a ninth of that; each
/// edit costs its window of twice the longest length; and the tables are made once.
fn worthwhile(mut texts: Vec<&[u8]>, len: usize) -> Vec<&[u8]> {
    const TABLES: usize = 1 << 18;
    let edits = texts.len();
    texts.sort_unstable_by_key(|text| text.len());
    // The text may grow by as much as is put in, which may be as much as is looked for.
    let len = texts.iter().fold(0, |sum: usize, text| sum.saturating_add(text.len())).max(len);
    let alone = |texts: usize| texts.saturating_mul(len / WORTH_A_PASS);
    for (_, kind) in Kind::ALL {
        let members = texts.iter().filter(|text| Kind::of(text.len()) == kind).count();
        if alone(members) < TABLES + len / kind.step {
            texts.retain(|text| Kind::of(text.len()) != kind);
        }
    }
    let members = texts.len();
    let together = |(number, text): (usize, &&[u8])| {
        let windows = edits.saturating_mul(2 * text.len() / Kind::of(text.len()).step);
        (windows.saturating_add(alone(members - number - 1)), number + 1)
    };
    let (_, number) = texts.iter().enumerate().map(together).min().unwrap_or_default();
    texts.truncate(number);
    texts
}

/// Some of a text, from all over it: an eighth, so that it costs little beside the pass, but neither so little that it
/// tells nothing nor more than it takes to tell.
fn sample(text: &[u8]) -> Vec<u8> {
    const PARTS: usize = 64;
    let part = (text.len() / 8 / PARTS).clamp(128, 1024);
    if text.len() <= PARTS * part {
        return text.to_vec();
    }
    let starts = (0..PARTS).map(|number| text.len() / PARTS * number);
    starts.flat_map(|start| text.get(start..start + part).unwrap_or_default()).copied().collect()
}
