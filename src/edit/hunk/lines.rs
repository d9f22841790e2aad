//! [`FileLines`]: the lines of a file by number, without a table of them all.

use std::ops::Range;

use super::Exactness;

/// The byte order mark of UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// So many lines share one entry of the table.
const STRIDE: usize = 16;

/// The lines of a file, from 0. Lines end at LF or CRLF; what follows the last line ending is a line only if it has a
/// byte. A byte order mark is no part of the first line, unless the patch shows it as one.
#[derive(Debug)]
pub(super) struct FileLines<'f> {
    bytes: &'f [u8],
    /// Where every [`STRIDE`]th line starts, offset in bytes.
    starts: Vec<usize>,
    count: usize,
}

impl<'f> FileLines<'f> {
    /// `shows_mark`: whether a byte order mark is a part of the first line.
    pub(super) fn new(bytes: &'f [u8], shows_mark: bool) -> Self {
        let start = if bytes.starts_with(MARK) && !shows_mark { MARK.len() } else { 0 };
        let mut starts = vec![start];
        let mut count = 0;
        let mut end = start;
        for at in memchr::memchr_iter(b'\n', bytes.get(start..).unwrap_or_default()) {
            count += 1;
            end = start + at + 1;
            if count % STRIDE == 0 {
                starts.push(end);
            }
        }
        if end < bytes.len() {
            count += 1;
        }
        Self { bytes, starts, count }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The whole file.
    pub(super) fn bytes(&self) -> &'f [u8] {
        self.bytes
    }

    /// The offset in bytes at which a line starts; of one past the last, the file's length.
    pub(super) fn start(&self, line: usize) -> usize {
        if line >= self.count {
            return if self.count == 0 { self.first_start() } else { self.bytes.len() };
        }
        let entry = self.starts.get(line / STRIDE).copied().unwrap_or(self.bytes.len());
        let tail = self.bytes.get(entry..).unwrap_or_default();
        match line % STRIDE {
            0 => entry,
            skip => {
                memchr::memchr_iter(b'\n', tail).nth(skip - 1).map_or(self.bytes.len(), |at| entry + at + 1)
            }
        }
    }

    fn first_start(&self) -> usize {
        self.starts.first().copied().unwrap_or(0)
    }

    /// The bytes of a range of lines, endings included.
    pub(super) fn range(&self, lines: Range<usize>) -> Range<usize> {
        self.start(lines.start)..self.start(lines.end)
    }

    /// The lines from this one on, endings included.
    pub(super) fn from(&self, line: usize) -> impl Iterator<Item = &'f [u8]> + use<'f> {
        let mut rest = self.bytes.get(self.start(line)..).unwrap_or_default();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at_checked(end)?;
            rest = after;
            Some(line)
        })
    }
}

/// The form of a line in which it is compared.
pub(super) fn comparable(text: &[u8], exactness: Exactness) -> &[u8] {
    match exactness {
        Exactness::Exact => text,
        Exactness::TrailingBlanks => {
            let end = text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1);
            text.get(..end).unwrap_or_default()
        }
    }
}
