//! [`Chunk`]: a run of whole lines of a file, with what is known of it.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use super::Exactness;
use super::walk::Summary;
use crate::edit::line_ending::{LineEnding, split_ending};

/// A chunk has at most so many lines. In tests it is so small that every short file has some.
const LINES: usize = if cfg!(test) { 8 } else { 128 };
/// A chunk of more than one line has at most about twice so many bytes; a line as long as that is one of its own.
const BYTES: usize = if cfg!(test) { 24 } else { 1 << 13 };

/// Some whole lines, at least one.
#[derive(Debug)]
pub(super) struct Chunk {
    text: Text,
    lines: usize,
    /// What its last line ends in.
    last: Option<LineEnding>,
    facts: Facts,
}

/// Where a chunk's bytes are.
#[derive(Debug)]
enum Text {
    /// In the file as it was read.
    Base(Range<usize>),
    /// Here: an edit has made them.
    Own(Vec<u8>),
}

/// What is found out about a chunk when it is first asked for.
#[derive(Debug, Default)]
struct Facts {
    has_nul: OnceCell<bool>,
    is_utf8: OnceCell<bool>,
    /// Some of its lines, without white space at their ends.
    kept: OnceCell<HashSet<Vec<u8>>>,
    // Most chunks never have them.
    exact: OnceCell<Box<Summary>>,
    tolerant: OnceCell<Box<Summary>>,
}

impl Chunk {
    /// Some bytes of the file as it was read, in which there are so many lines.
    pub(super) fn new(range: Range<usize>, lines: usize, base: &[u8]) -> Self {
        let text = base.get(range.clone()).unwrap_or_default();
        Self { text: Text::Base(range), lines, last: split_ending(text).1, facts: Facts::default() }
    }

    /// A text of its own.
    pub(super) fn own(text: &[u8], lines: usize) -> Self {
        Self { text: Text::Own(text.to_vec()), lines, last: split_ending(text).1, facts: Facts::default() }
    }

    /// Its bytes.
    pub(super) fn text<'t>(&'t self, base: &'t [u8]) -> &'t [u8] {
        match &self.text {
            Text::Base(range) => base.get(range.clone()).unwrap_or_default(),
            Text::Own(text) => text,
        }
    }

    /// How many lines it has.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        match &self.text {
            Text::Base(range) => range.len(),
            Text::Own(text) => text.len(),
        }
    }

    /// Whether it is so long that it is better left alone.
    pub(super) fn is_long(&self) -> bool {
        self.len() > 2 * BYTES
    }

    /// What its last line ends in.
    pub(super) fn last_ending(&self) -> Option<LineEnding> {
        self.last
    }

    /// Whether it has a NUL byte.
    pub(super) fn has_nul(&self, base: &[u8]) -> bool {
        *self.facts.has_nul.get_or_init(|| memchr::memchr(0, self.text(base)).is_some())
    }

    /// Whether it is UTF-8.
    pub(super) fn is_utf8(&self, base: &[u8]) -> bool {
        *self.facts.is_utf8.get_or_init(|| std::str::from_utf8(self.text(base)).is_ok())
    }

    /// Whether a line, white space at its ends removed, is this one, which is worth keeping: the ones that are not
    /// never count.
    pub(super) fn has_line(&self, line: &[u8], base: &[u8], is_worth_keeping: fn(&[u8]) -> bool) -> bool {
        let kept = self.facts.kept.get_or_init(|| {
            let lines = self.text(base).split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            lines.filter(|line| is_worth_keeping(line)).map(<[u8]>::to_vec).collect()
        });
        kept.contains(line)
    }

    /// Hashes of its lines; `mark` is how many bytes before the first one are none of it.
    pub(super) fn summary(&self, base: &[u8], mark: usize, exactness: Exactness) -> &Summary {
        let cell = match exactness {
            Exactness::Exact => &self.facts.exact,
            Exactness::TrailingBlanks => &self.facts.tolerant,
        };
        cell.get_or_init(|| {
            Box::new(Summary::new(self.text(base).get(mark..).unwrap_or_default(), self.lines, exactness))
        })
    }
}

/// The chunks that a text is cut into, as byte ranges, and how many lines each has. None is much smaller than another
/// can be, so that their number stays in proportion to the text's length however often it is cut anew.
pub(super) fn cut(text: &[u8]) -> Vec<(Range<usize>, usize)> {
    let mut parts = Vec::new();
    let (mut start, mut end, mut lines) = (0, 0, 0);
    let mut close = |start: &mut usize, end: usize, lines: &mut usize| {
        if *lines > 0 {
            parts.push((*start..end, *lines));
        }
        (*start, *lines) = (end, 0);
    };
    let rest = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
    let last = Some(text.len()).filter(|&len| len > rest);
    for line_end in memchr::memchr_iter(b'\n', text).map(|at| at + 1).chain(last) {
        if line_end - end >= BYTES {
            close(&mut start, end, &mut lines);
        }
        end = line_end;
        lines += 1;
        if lines == LINES || end - start >= BYTES {
            close(&mut start, end, &mut lines);
        }
    }
    close(&mut start, end, &mut lines);
    halve_small_end(&mut parts, text);
    parts
}

/// Evens out the last two parts: a small one left over by every edit would add up to many.
fn halve_small_end(parts: &mut Vec<(Range<usize>, usize)>, text: &[u8]) {
    let [.., (before, lines), (last, rest)] = parts.as_mut_slice() else { return };
    if *lines + *rest > LINES || before.len() + last.len() > 2 * BYTES {
        let half = (*lines + *rest) / 2;
        let is_uneven = *rest < LINES / 4 && last.len() < BYTES / 4 && before.len() <= 2 * BYTES && half > 0;
        let whole = text.get(before.start..last.end).unwrap_or_default();
        if let Some(at) = memchr::memchr_iter(b'\n', whole).nth(half.saturating_sub(1)).filter(|_| is_uneven)
        {
            let middle = before.start + at + 1;
            (before.end, last.start) = (middle, middle);
            (*lines, *rest) = (half, *lines + *rest - half);
        }
    } else if last.len() < BYTES / 4 && before.len() <= BYTES {
        (before.end, *lines) = (last.end, *lines + *rest);
        parts.pop();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn a_text_is_cut_into_parts_none_of_which_is_small_beside_another(
            lengths in prop::collection::vec(prop_oneof![6 => 0..4_usize, 2 => 4..20_usize, 1 => 20..60_usize], 0..40),
            is_ended in prop::bool::ANY,
        ) {
            let mut text: String = lengths.iter().map(|&length| "x".repeat(length) + "\n").collect();
            if !is_ended {
                text.pop();
            }
            let parts = cut(text.as_bytes());
            let mut end = 0;
            for (part, count) in &parts {
                prop_assert_eq!(part.start, end);
                end = part.end;
                let lines: Vec<_> = text.get(part.clone()).unwrap().split_inclusive('\n').collect();
                prop_assert_eq!(lines.len(), *count);
                let is_short = *count <= LINES && lines.iter().all(|line| line.len() <= BYTES);
                prop_assert!(*count == 1 || *count > 1 && is_short, "{:?}", lines);
            }
            prop_assert_eq!(end, text.len());
            // Only the last two have been evened out.
            for ((part, lines), (next, _)) in parts.iter().zip(parts.iter().skip(1)).rev().skip(1) {
                let below = text.get(next.clone()).unwrap().split_inclusive('\n').next().map_or(0, str::len);
                prop_assert!(*lines == LINES || part.len() >= BYTES || below >= BYTES, "{:?}", parts);
            }
            if let [.., (before, lines), (last, rest)] = parts.as_slice() {
                let is_small = last.len() < BYTES / 4 && (*rest < LINES / 4 || lines + rest <= LINES);
                prop_assert!(before.len() > BYTES || !is_small, "{:?}", parts);
            }
        }
    }
}
