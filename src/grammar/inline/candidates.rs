//! Where prose may hold a sentence at all: a closing quote, white space, and one of the words between two texts.
//!
//! Nearly all prose has none, and this finds out at the speed of memchr.

use memchr::memmem;

use crate::grammar::lines::Lines;
use crate::source::{Span, offset, slice};

/// The candidates of one run of lines, looked for on demand.
pub(super) struct Candidates<'s> {
    text: &'s str,
    /// Offset in bytes of `text` in the source.
    start: u32,
    /// Offset in bytes within `text` of the next mark of each kind that may close a text, at or behind the place
    /// last asked for.
    next: [Option<usize>; 3],
}

impl<'s> Candidates<'s> {
    pub(super) fn new(run: Lines<'s>) -> Self {
        let text = slice(run.source_text(), Span::new(run.start(), run.end()));
        let bytes = text.as_bytes();
        let next =
            [straight_from(bytes, 0), typographic_from(bytes, 0, "”"), typographic_from(bytes, 0, "’")];
        Self { text, start: run.start(), next }
    }

    /// Offset in bytes in the source of the first candidate at or behind `from`.
    pub(super) fn next_from(&mut self, from: u32) -> Option<u32> {
        let from = from.saturating_sub(self.start) as usize;
        let text = self.text.as_bytes();
        let [straight, double, single] = &mut self.next;
        let is_behind = |place: &Option<usize>| place.is_some_and(|at| at < from);
        if is_behind(straight) {
            *straight = straight_from(text, from);
        }
        if is_behind(double) {
            *double = typographic_from(text, from, "”");
        }
        if is_behind(single) {
            *single = typographic_from(text, from, "’");
        }
        self.next.into_iter().flatten().min().map(|at| self.start + offset(at))
    }
}

fn straight_from(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let closes = |&at: &usize| rest.get(at + 1..).is_some_and(is_link);
    memchr::memchr3_iter(b'`', b'"', b'\'', rest).find(closes).map(|at| from + at)
}

fn typographic_from(text: &[u8], from: usize, mark: &str) -> Option<usize> {
    let rest = text.get(from..)?;
    let closes = |&at: &usize| rest.get(at + mark.len()..).is_some_and(is_link);
    memmem::find_iter(rest, mark).find(closes).map(|at| from + at)
}

/// Whether white space and `to`, `into`, `with` or `by` come next, stars apart.
fn is_link(rest: &[u8]) -> bool {
    const LINKS: [&[u8]; 4] = [b"to", b"with", b"by", b"into"];
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let stars = rest.iter().take_while(|&&byte| byte == b'*').count();
    let rest = rest.get(stars..).unwrap_or(&[]);
    let blanks = rest.iter().take_while(|byte| is_blank(byte)).count();
    let word = rest.get(blanks..).unwrap_or(&[]);
    blanks > 0
        && LINKS.iter().any(|link| {
            word.get(..link.len()).is_some_and(|start| start.eq_ignore_ascii_case(link))
                && word.get(link.len()).is_some_and(is_blank)
        })
}
