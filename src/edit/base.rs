//! [`Base`]: the bytes that a file had before any edit, read as lines that end in LF.
//!
//! A file without CRLF is read where it lies. One with CRLF is copied once, every CRLF as LF, and what each line
//! ended in is kept beside it, so that finding a text never has to know about line endings.

use std::cell::OnceCell;

use super::bytes::Bytes;
use super::encoding::{BOM, Encoding, NotUtf8};
use super::line_ending::LineEnding;

/// What the lines of a text end in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Endings {
    /// All in the same; LF for a text without line ending.
    Uniform(LineEnding),
    /// In both: a bit for each byte of the text, set at an LF that stands for CRLF.
    Mixed(Bits),
}

/// The bytes that a file had, as text with LF line endings.
#[derive(Debug)]
pub(super) struct Base {
    bytes: Bytes,
    /// The length of the byte order mark, which is no part of the text.
    mark: usize,
    /// The text, where it is not the bytes after the mark.
    copy: Option<Vec<u8>>,
    endings: Endings,
    encoding: Encoding,
    index: OnceCell<Index>,
}

impl Base {
    /// The text of some bytes.
    pub(super) fn new(bytes: Bytes) -> Self {
        let raw = bytes.get();
        let mark = if raw.starts_with(BOM) { BOM.len() } else { 0 };
        let text = raw.get(mark..).unwrap_or_default();
        let (copy, endings) = match memchr::memmem::find(text, b"\r\n") {
            None => (None, Endings::Uniform(LineEnding::Lf)),
            Some(_) => {
                let (copy, endings) = normalise(text);
                (Some(copy), endings)
            }
        };
        Self { bytes, mark, copy, endings, encoding: Encoding::default(), index: OnceCell::new() }
    }

    /// The bytes as they are in the file.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get()
    }

    /// The same, to be held by somebody else too.
    pub(super) fn kept(&self) -> &Bytes {
        &self.bytes
    }

    /// The byte order mark, or nothing.
    pub(super) fn mark(&self) -> &[u8] {
        self.bytes().get(..self.mark).unwrap_or_default()
    }

    /// The text after the byte order mark, every CRLF as LF.
    pub(super) fn text(&self) -> &[u8] {
        self.copy.as_deref().unwrap_or_else(|| self.bytes().get(self.mark..).unwrap_or_default())
    }

    /// What its lines end in.
    pub(super) fn endings(&self) -> &Endings {
        &self.endings
    }

    /// The ending of most of its lines, LF where there is none.
    pub(super) fn usual_ending(&self) -> LineEnding {
        match &self.endings {
            Endings::Uniform(ending) => *ending,
            Endings::Mixed(_) => LineEnding::most_frequent(self.bytes()).unwrap_or(LineEnding::Lf),
        }
    }

    /// Whether an edit with these texts may be made in these bytes.
    pub(super) fn accepts<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Result<(), NotUtf8> {
        self.encoding.accepts(self.bytes(), texts)
    }

    /// The line, from 1, that a byte offset of the text lies in.
    pub(super) fn line(&self, at: usize) -> usize {
        1 + self.index().newlines.before(at, |from| count_newlines(self.text(), from, at))
    }

    /// The byte offset in the file of a byte offset in the text; of an LF that stands for CRLF: its CR's.
    pub(super) fn file_offset(&self, at: usize) -> usize {
        let crlf = match &self.endings {
            Endings::Uniform(LineEnding::Lf) => 0,
            Endings::Uniform(LineEnding::CrLf) => self.line(at) - 1,
            Endings::Mixed(bits) => self.index().crlf.before(at, |from| bits.count(from, at)),
        };
        self.mark + at + crlf
    }

    /// Gives the LF copy back, if there is one: from then on only the bytes can be asked for.
    pub(super) fn drop_copy(&mut self) {
        self.copy = None;
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index {
            newlines: Counts::new(self.text().len(), |from, to| count_newlines(self.text(), from, to)),
            crlf: match &self.endings {
                Endings::Uniform(_) => Counts::default(),
                Endings::Mixed(bits) => Counts::new(self.text().len(), |from, to| bits.count(from, to)),
            },
        })
    }
}

/// The text with every CRLF as LF, and what its lines ended in.
fn normalise(text: &[u8]) -> (Vec<u8>, Endings) {
    let mut copy = Vec::with_capacity(text.len());
    let (mut crlf, mut lf) = (0_usize, 0_usize);
    for line in memchr::memchr_iter(b'\n', text).scan(0, |start, at| {
        let line = text.get(*start..=at);
        *start = at + 1;
        line
    }) {
        match line {
            [line @ .., b'\r', b'\n'] => {
                copy.extend_from_slice(line);
                copy.push(b'\n');
                crlf += 1;
            }
            line => {
                copy.extend_from_slice(line);
                lf += 1;
            }
        }
    }
    let rest = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
    copy.extend_from_slice(text.get(rest..).unwrap_or_default());
    if lf == 0 {
        return (copy, Endings::Uniform(LineEnding::CrLf));
    }
    let mut bits = Bits::zeros(copy.len());
    let mut removed = 0;
    for at in memchr::memchr_iter(b'\n', text) {
        if LineEnding::before(text, at + 1) == Some(LineEnding::CrLf) {
            removed += 1;
            bits.set(at - removed);
        }
    }
    debug_assert_eq!(removed, crlf, "both passes see the same endings");
    (copy, Endings::Mixed(bits))
}

fn count_newlines(text: &[u8], from: usize, to: usize) -> usize {
    memchr::memchr_iter(b'\n', text.get(from..to.min(text.len())).unwrap_or_default()).count()
}

/// How much of something stands before each place of a text.
#[derive(Debug)]
struct Index {
    newlines: Counts,
    crlf: Counts,
}

/// Sums up to the start of each block.
#[derive(Debug, Default)]
struct Counts {
    sums: Vec<usize>,
}

/// The length of a block in bytes: its share of the index is small beside it, and a block is counted in no time.
const BLOCK: usize = 1024;

impl Counts {
    fn new(len: usize, count: impl Fn(usize, usize) -> usize) -> Self {
        let mut sum = 0;
        let starts = (0..=len / BLOCK).map(|block| block * BLOCK);
        let sums = starts.map(|start| {
            let before = sum;
            sum += count(start, (start + BLOCK).min(len));
            before
        });
        Self { sums: sums.collect() }
    }

    /// The sum before `at`; `count` counts from the block's start, which it is given, to there.
    fn before(&self, at: usize, count: impl Fn(usize) -> usize) -> usize {
        let block = at / BLOCK;
        self.sums.get(block).copied().unwrap_or(0) + count(block * BLOCK)
    }
}

/// A bit for each byte of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    fn zeros(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// Whether a bit is set.
    pub(super) fn get(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Sets a bit; where there are not so many yet, all up to there come into being.
    pub(super) fn set(&mut self, at: usize) {
        if at >= self.len {
            self.len = at + 1;
            self.words.resize(self.len.div_ceil(64), 0);
        }
        if let Some(word) = self.words.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    /// The number of set bits from `from`, where a block starts, up to `to`.
    fn count(&self, from: usize, to: usize) -> usize {
        let to = to.min(self.len);
        let words = self.words.get(from / 64..to.div_ceil(64)).unwrap_or_default();
        let mut sum: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        if let (Some(last), 1..) = (words.last(), to % 64) {
            sum -= (last >> (to % 64)).count_ones() as usize;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_crlf_is_not_copied() {
        let base = Base::new(b"\xEF\xBB\xBFa\rb\nc".to_vec().into());
        assert!(base.copy.is_none());
        assert_eq!(base.text(), b"a\rb\nc");
        assert_eq!((base.line(0), base.line(4), base.file_offset(4)), (1, 2, 7));
    }

    fn lf(bytes: &[u8]) -> Vec<u8> {
        String::from_utf8(bytes.to_vec()).unwrap().replace("\r\n", "\n").into_bytes()
    }

    /// Every place of the text is that of the file after the same text.
    fn check_places(raw: &str) {
        let base = Base::new(raw.as_bytes().to_vec().into());
        let (mark, raw) = match raw.as_bytes().strip_prefix(BOM) {
            Some(raw) => (BOM.len(), raw),
            None => (0, raw.as_bytes()),
        };
        let text = lf(raw);
        assert_eq!(base.text(), text);
        for at in 0..=text.len() {
            let before = &text[..at];
            assert_eq!(base.line(at), count_newlines(before, 0, at) + 1);
            let (file, rest) = raw.split_at(base.file_offset(at) - mark);
            assert!(!(file.ends_with(b"\r") && rest.starts_with(b"\n")), "within a CRLF: {raw:?} {at}");
            assert_eq!(lf(file), before);
        }
    }

    #[test]
    fn crlf_reads_as_lf_and_places_are_found_again() {
        check_places("a\r\nb\nc\r\n\r\r\nd");
        check_places("\r\na\r\n");
        check_places("\n\r\n\n\n\r\n");
        check_places("\u{FEFF}\r\nx\ry\r\n");
    }

    #[test]
    fn counts_hold_over_many_blocks() {
        let mixed: String = (0..1500).map(|n| if n % 3 == 0 { "x\r\n" } else { "yy\n" }).collect();
        check_places(&mixed);
        check_places(&"yy\r\n".repeat(1000));
    }
}
