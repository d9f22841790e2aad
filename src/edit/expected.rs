//! Where texts stand that will be looked for: found in one pass, kept up to date around each edit.
//!
//! For each text the addresses are kept at which it may stand. They are noted once for the base, then for every edit
//! in a window around what it put in, and checked when they are asked for: an address whose text has gone or has
//! become another is dropped then. So an edit costs as much as its window, not as much as the file.

use std::collections::HashMap;
use std::sync::Arc;

use super::gram::{Grams, Sink};
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
    /// Every address at which it may stand, in no order, unless there are more.
    addresses: Vec<usize>,
    /// Whether there may be others.
    more: bool,
}

/// So many addresses of a text are kept.
const KEPT: usize = 2 * LIMIT;

impl Expected {
    /// Looks for those of `texts` for which one pass together is worth more than one for each.
    ///
    /// None when that is so for none of them, or when the text was edited already.
    pub(super) fn new<'t>(pieces: &Pieces, texts: impl Iterator<Item = &'t [u8]>) -> Option<Self> {
        if !pieces.is_whole_base() {
            return None;
        }
        let texts: Vec<&[u8]> = texts.filter(|text| !text.is_empty()).collect();
        let reach = worthwhile(&texts, pieces.len())?;
        Some(Self::up_to(reach, pieces, texts))
    }

    /// Looks for those texts that are not longer than `reach` bytes.
    fn up_to(reach: usize, pieces: &Pieces, mut texts: Vec<&[u8]>) -> Self {
        texts.retain(|text| text.len() <= reach);
        texts.sort_unstable();
        texts.dedup();
        let reach = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        let texts: Vec<Arc<[u8]>> = texts.into_iter().map(Arc::from).collect();
        let mut expected = Self {
            ids: texts.iter().cloned().zip(0..).collect(),
            known: vec![Known::default(); texts.len()],
            grams: Grams::new(texts, &sample(pieces.base().text())),
            reach,
        };
        expected.rebase(pieces);
        expected
    }

    /// Looks for all of `texts`, whatever that costs.
    #[cfg(test)]
    pub(super) fn all<'t>(pieces: &Pieces, texts: impl Iterator<Item = &'t [u8]>) -> Self {
        Self::up_to(usize::MAX, pieces, texts.filter(|text| !text.is_empty()).collect())
    }

    /// Starts anew with another base, which has no edits yet.
    pub(super) fn rebase(&mut self, pieces: &Pieces) {
        self.known.iter_mut().for_each(|known| *known = Known::default());
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
        if known.more && places.len() < LIMIT {
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
    fn found(&mut self, text: usize, len: usize, at: usize) {
        if let (Some(known), Some(address)) = (self.known.get_mut(text), (self.address)(len, at)) {
            if known.addresses.len() < KEPT {
                known.addresses.push(address);
            } else {
                known.more = true;
            }
        }
    }

    fn gave_up(&mut self, text: usize) {
        if let Some(known) = self.known.get_mut(text) {
            *known = Known { addresses: Vec::new(), more: true };
        }
    }
}

/// The length up to which texts are best looked for together in a text of `len` bytes, if any are.
///
/// The unit is what a byte costs in the common pass. In a pass for one text it is about a sixteenth; each edit costs
/// its window of twice the longest length; and the tables are made once.
fn worthwhile(texts: &[&[u8]], len: usize) -> Option<usize> {
    const TABLES: usize = 1 << 18;
    let mut lens: Vec<usize> = texts.iter().map(|text| text.len()).collect();
    lens.sort_unstable();
    // The text may grow by as much as is put in, which may be as much as is looked for.
    let len = len.max(lens.iter().fold(0, |sum, len| sum.saturating_add(*len)));
    let alone = |texts: usize| texts.saturating_mul(len / 16);
    let together = |(number, &reach): (usize, &usize)| {
        let windows = lens.len().saturating_mul(2 * reach);
        (TABLES + len).saturating_add(windows).saturating_add(alone(lens.len() - number - 1))
    };
    let (cost, reach) =
        lens.iter().enumerate().map(|(number, reach)| (together((number, reach)), *reach)).min()?;
    (cost < alone(lens.len())).then_some(reach)
}

/// Some of a text, from all over it.
fn sample(text: &[u8]) -> Vec<u8> {
    const PARTS: usize = 64;
    const PART: usize = 1024;
    if text.len() <= PARTS * PART {
        return text.to_vec();
    }
    let starts = (0..PARTS).map(|part| text.len() / PARTS * part);
    starts.flat_map(|start| text.get(start..start + PART).unwrap_or_default()).copied().collect()
}
