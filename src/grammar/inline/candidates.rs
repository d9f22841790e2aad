//! Which lines may hold a sentence at all: those with a closing quote, white space and one of the words between two
//! texts, and with a verb.
//!
//! Nearly all prose has none, and this finds out with few looks at each byte.

use std::ops::Range;

use crate::grammar::lines::Lines;
use crate::source::{Span, offset, slice};

/// The candidates of one run of lines, looked for on demand.
pub(super) struct Candidates<'s> {
    text: &'s [u8],
    /// Offset in bytes of `text` in the source.
    start: u32,
}

impl<'s> Candidates<'s> {
    pub(super) fn new(run: Lines<'s>) -> Self {
        let text = slice(run.source_text(), Span::new(run.start(), run.end()));
        Self { text: text.as_bytes(), start: run.start() }
    }

    /// Offset in bytes in the source of a byte in the first candidate line that begins at or behind `from`, a line's
    /// start.
    pub(super) fn next_from(&self, from: u32) -> Option<u32> {
        let mut at = from.saturating_sub(self.start) as usize;
        while let Some(link) = next_link(self.text, at) {
            let line = line_around(self.text, link);
            if self.text.get(line.clone()).is_some_and(has_verb) {
                return Some(self.start + offset(link));
            }
            at = line.end + 1;
        }
        None
    }
}

/// The place of the next closing quote with a word behind it that links two texts, at or behind `from`.
fn next_link(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let block = rest.get(..BLOCK).unwrap_or(rest);
        if may_have_link(rest) {
            let closes =
                |&(at, &byte): &(usize, &u8)| closes_text(byte) && rest.get(at + 1..).is_some_and(is_link);
            if let Some((found, _)) = block.iter().enumerate().find(closes) {
                return Some(at + found);
            }
        }
        at += block.len();
    }
    None
}

const BLOCK: usize = 64;

/// Whether the first [`BLOCK`] bytes may hold a link; compiles to a few vector instructions.
fn may_have_link(rest: &[u8]) -> bool {
    let bytes = |from: usize| rest.get(from..).and_then(|rest| rest.first_chunk::<BLOCK>());
    let (Some(first), Some(second), Some(third)) = (bytes(0), bytes(1), bytes(2)) else {
        return true;
    };
    let triples = first.iter().zip(second).zip(third);
    triples.fold(false, |found, ((&first, &second), &third)| {
        let small = third | 0x20;
        let link = (small == b't') | (small == b'w') | (small == b'b') | (small == b'i') | is_blank(third);
        found | (closes_text(first) & ((second == b'*') | (is_blank(second) & link)))
    })
}

/// Backtick, `"`, `'`, or the last byte of `”` or `’`.
fn closes_text(byte: u8) -> bool {
    (byte == b'`') | (byte == b'"') | (byte == b'\'') | (byte == 0x9d) | (byte == 0x99)
}

fn is_blank(byte: u8) -> bool {
    (byte == b' ') | (byte == b'\t')
}

/// Whether white space and `to`, `into`, `with` or `by` come next, stars apart.
fn is_link(rest: &[u8]) -> bool {
    const LINKS: [&[u8]; 4] = [b"to", b"with", b"by", b"into"];
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
