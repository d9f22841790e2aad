//! Which lines may hold a sentence at all: those with a closing quote, white space and one of the words between two
//! texts, and with a verb.
//!
//! Nearly all prose has none, and this finds out with few looks at each byte.

use std::ops::Range;

use memchr::{Memchr2, Memchr3};

use crate::grammar::lines::Lines;
use crate::source::{Span, offset, slice};

/// The candidates of one run of lines, looked for on demand, in their order.
pub(super) struct Candidates<'s> {
    text: &'s [u8],
    /// Offset in bytes of `text` in the source.
    start: u32,
    /// The places of backticks, `"` and `'` that were not passed yet.
    ascii: Links<'s, Memchr3<'s>>,
    /// The same of the last bytes of `”` and `’`, which other characters may have, too.
    typographic: Links<'s, Memchr2<'s>>,
}

impl<'s> Candidates<'s> {
    pub(super) fn new(run: Lines<'s>) -> Self {
        let text = slice(run.source_text(), Span::new(run.start(), run.end())).as_bytes();
        Self {
            text,
            start: run.start(),
            ascii: Links::new(text, memchr::memchr3_iter(b'`', b'"', b'\'', text)),
            typographic: Links::new(text, memchr::memchr2_iter(0x9d, 0x99, text)),
        }
    }

    /// Offset in bytes in the source of a byte in the first candidate line that begins at or behind `from`, a line's
    /// start; not before that of an earlier call.
    pub(super) fn next_from(&mut self, from: u32) -> Option<u32> {
        let mut at = from.saturating_sub(self.start) as usize;
        while let Some(link) = [self.ascii.from(at), self.typographic.from(at)].into_iter().flatten().min() {
            let line = line_around(self.text, link);
            if self.text.get(line.clone()).is_some_and(has_verb) {
                return Some(self.start + offset(link));
            }
            at = line.end + 1;
        }
        None
    }
}

/// The closing quotes of one kind with a word behind them that links two texts.
struct Links<'s, Q> {
    text: &'s [u8],
    quotes: Q,
    next: Option<usize>,
}

impl<'s, Q: Iterator<Item = usize>> Links<'s, Q> {
    fn new(text: &'s [u8], quotes: Q) -> Self {
        let mut links = Self { text, quotes, next: None };
        links.advance();
        links
    }

    /// The place of the first one at or behind `from`, which is not before that of an earlier call.
    fn from(&mut self, from: usize) -> Option<usize> {
        while self.next.is_some_and(|next| next < from) {
            self.advance();
        }
        self.next
    }

    fn advance(&mut self) {
        self.next = self.quotes.find(|&quote| self.text.get(quote + 1..).is_some_and(is_link));
    }
}

fn is_blank(byte: u8) -> bool {
    (byte == b' ') | (byte == b'\t')
}

/// Whether white space and `to`, `into`, `with` or `by` come next, stars apart.
fn is_link(rest: &[u8]) -> bool {
    const LINKS: [&[u8]; 4] = [b"to", b"with", b"by", b"into"];
    if !rest.first().is_some_and(|&byte| byte == b'*' || is_blank(byte)) {
        return false;
    }
    let stars = rest.iter().take_while(|&&byte| byte == b'*').count();
    let rest = rest.get(stars..).unwrap_or(&[]);
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
    let word = rest.get(blanks..).unwrap_or(&[]);
    blanks > 0
        && LINKS
            .iter()
            .any(|link| starts_with(word, link) && word.get(link.len()).is_some_and(|&b| is_blank(b)))
}

fn line_around(text: &[u8], at: usize) -> Range<usize> {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, &[]));
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', after).map_or(text.len(), |newline| at + newline);
    start..end
}

fn has_verb(line: &[u8]) -> bool {
    const VERBS: [&[u8]; 4] = [b"change", b"replace", b"update", b"modify"];
    let may_start = |byte: u8| matches!(byte | 0x20, b'c' | b'r' | b'u' | b'm');
    line.iter().enumerate().any(|(at, &byte)| {
        may_start(byte) && line.get(at..).is_some_and(|rest| VERBS.iter().any(|verb| starts_with(rest, verb)))
    })
}

/// Whether `text` starts with `word`, in any case.
fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}
