//! [`Index`]: the lines of a text, and where lines stand that say the same.

use std::ops::Range;

use super::difference::fold;
use super::effort::Effort;

/// So many places of a line are kept; a line with more says nothing of where it belongs.
const FREQUENT: usize = 64;
/// A line counts as much as it has characters to show, up to so many.
const HEAVIEST: usize = 80;

/// The lines of a text with LF line endings, and where lines stand that say the same.
#[derive(Debug, Default)]
pub(crate) struct Index {
    lines: Vec<Entry>,
    /// The lines that are not blank, by their hashes.
    places: Vec<Place>,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    hash: u64,
    /// Its number, from 0.
    pub(super) line: u32,
}

/// One line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    start: usize,
    end: usize,
    /// What tells lines apart that say something different.
    pub(super) hash: u64,
    /// How much it counts.
    pub(super) weight: u32,
}

impl Index {
    /// The index of a text; `None` where it would cost more than is left.
    pub(crate) fn new(text: &[u8], effort: &mut Effort) -> Option<Self> {
        effort.spend(text.len())?;
        let mut index = Self::default();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
            if end < text.len() || start < end {
                index.push(text, start..end);
            }
            start = end + 1;
        }
        effort.spend(32 * index.lines.len())?;
        index.places.sort_unstable();
        Some(index)
    }

    fn push(&mut self, text: &[u8], line: Range<usize>) {
        let (hash, weight) = weigh(text.get(line.clone()).unwrap_or_default());
        if weight > 0 {
            self.places.push(Place { hash, line: u32::try_from(self.lines.len()).unwrap_or(u32::MAX) });
        }
        self.lines.push(Entry { start: line.start, end: line.end, hash, weight });
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Where in the text a line (from 0) stands, its ending not included; past the last, the end of the text.
    pub(crate) fn range(&self, line: usize) -> Range<usize> {
        let end = self.lines.last().map_or(0, |line| line.end);
        self.lines.get(line).map_or(end..end, |line| line.start..line.end)
    }

    pub(super) fn entry(&self, line: usize) -> Option<Entry> {
        self.lines.get(line).copied()
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.lines
    }

    /// The lines that say the same as one with this hash; none where there are too many to tell a place.
    pub(super) fn same(&self, hash: u64) -> &[Place] {
        let start = self.places.partition_point(|place| place.hash < hash);
        let places = self.places.get(start..).unwrap_or_default();
        let count = places.iter().take(FREQUENT + 1).take_while(|place| place.hash == hash).count();
        if count <= FREQUENT { places.get(..count).unwrap_or_default() } else { &[] }
    }
}

impl Entry {
    pub(super) fn text<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The hash of what a line says, and how much it counts.
pub(super) fn weigh(line: &[u8]) -> (u64, u32) {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (mut hash, mut word, mut len) = (0_u64, 0_u64, 0_usize);
    fold(line, |byte| {
        // Eight at a time: each product has to wait for the one before.
        word = word << 8 | u64::from(byte);
        len += 1;
        if len.is_multiple_of(8) {
            hash = mix(hash, word);
            word = 0;
        }
    });
    (mix(hash, word) ^ len as u64, u32::try_from(len.min(HEAVIEST)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_say_the_same_are_found() {
        let text = b"\tLet X = 1;\n\n}\nlet x=1;";
        let index = Index::new(text, &mut Effort::default()).unwrap();
        assert_eq!(index.len(), 4);
        let same =
            |line: &[u8]| -> Vec<u32> { index.same(weigh(line).0).iter().map(|place| place.line).collect() };
        assert_eq!(same(b"let x = 1;"), [0, 3]);
        assert_eq!(same(b""), [0; 0]);
        assert_eq!((index.range(1), index.range(3), index.range(9)), (12..12, 15..23, 23..23));
    }

    #[test]
    fn a_text_that_costs_too_much_has_none() {
        assert!(Index::new(&[b'x'; 100], &mut Effort::of(50)).is_none());
    }

    #[test]
    fn a_frequent_line_tells_no_place() {
        let text = b"}\n".repeat(100);
        let index = Index::new(&text, &mut Effort::default()).unwrap();
        assert_eq!(index.same(weigh(b"}").0), []);
    }
}
