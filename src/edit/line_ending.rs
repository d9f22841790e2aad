//! Line endings: which there are, and which one a new line gets.
//!
//! A line ends at LF or CRLF; a lone CR is text. Edits come as lines joined by LF; in a file, each of their lines
//! takes the ending of the line that it replaces, one by one, then the last one's, so that a file of one kind stays
//! of that kind and one of both keeps every ending that is not part of an edit. Where no line is replaced it is the
//! nearest line's ending, and LF where the file has none.

use std::cmp::Ordering;
use std::ops::Range;

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LineEnding {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl LineEnding {
    /// Its bytes.
    pub(crate) fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }

    /// The ending whose LF stands just before the byte offset `end`, if one does.
    pub(crate) fn before(bytes: &[u8], end: usize) -> Option<Self> {
        match bytes.get(..end)? {
            [.., b'\r', b'\n'] => Some(Self::CrLf),
            [.., b'\n'] => Some(Self::Lf),
            _ => None,
        }
    }

    /// The ending that occurs most often; of two that occur equally often the first one's; `None` without any.
    pub(crate) fn most_frequent(bytes: &[u8]) -> Option<Self> {
        let first = endings(bytes).next()?;
        let crlf = memchr::memmem::find_iter(bytes, b"\r\n").count();
        let lf = memchr::memchr_iter(b'\n', bytes).count() - crlf;
        Some(match lf.cmp(&crlf) {
            Ordering::Greater => Self::Lf,
            Ordering::Less => Self::CrLf,
            Ordering::Equal => first,
        })
    }
}

/// The endings of a text's lines, in order; a last line without ending gives none.
pub(crate) fn endings(bytes: &[u8]) -> impl Iterator<Item = LineEnding> + '_ {
    memchr::memchr_iter(b'\n', bytes).filter_map(|at| LineEnding::before(bytes, at + 1))
}

/// A line without its ending, and the ending.
pub(crate) fn split_ending(line: &[u8]) -> (&[u8], Option<LineEnding>) {
    match line {
        [text @ .., b'\r', b'\n'] => (text, Some(LineEnding::CrLf)),
        [text @ .., b'\n'] => (text, Some(LineEnding::Lf)),
        text => (text, None),
    }
}

/// The endings that new lines get: those of the lines they replace, one by one, then always the same.
#[derive(Debug)]
pub(crate) struct NewEndings<I> {
    replaced: I,
    rest: LineEnding,
}

impl<I: Iterator<Item = LineEnding>> NewEndings<I> {
    /// `replaced`: the endings that the edit takes away, in order; `rest`: the ending of all further lines.
    pub(crate) fn new(replaced: I, rest: LineEnding) -> Self {
        Self { replaced, rest }
    }

    /// The ending of the next new line.
    pub(crate) fn take(&mut self) -> LineEnding {
        self.replaced.next().unwrap_or(self.rest)
    }

    /// Appends `lines` to `out`, each LF of theirs as the ending that is its turn.
    pub(crate) fn write(&mut self, lines: &[u8], out: &mut Vec<u8>) {
        out.reserve(lines.len());
        let mut start = 0;
        for at in memchr::memchr_iter(b'\n', lines) {
            out.extend_from_slice(lines.get(start..at).unwrap_or_default());
            out.extend_from_slice(self.take().as_bytes());
            start = at + 1;
        }
        out.extend_from_slice(lines.get(start..).unwrap_or_default());
    }
}

/// The bytes to put in place of `range` of `file`, so that it reads as `lines`.
///
/// `range` is in bytes and does not part a CR from its LF. Every LF of `lines` becomes an ending by the rule of this
/// module: put whole lines, the last with its LF, in place of whole lines with their endings, or a text without final
/// LF in place of one that stops before its line's ending. An empty range at the start of a line is a place between
/// two lines: what is put there takes the ending of the line before, else of the line after.
pub(crate) fn in_place_of(file: &[u8], range: Range<usize>, lines: &[u8]) -> Vec<u8> {
    let old = file.get(range.clone()).unwrap_or_default();
    let count = |text| memchr::memchr_iter(b'\n', text).count();
    let rest = if count(lines) > count(old) { rest(file, range) } else { LineEnding::Lf };
    let mut out = Vec::new();
    NewEndings::new(endings(old), rest).write(lines, &mut out);
    out
}

/// The ending of new lines beyond those that are replaced: the last replaced line's, else the nearest line's, else LF.
fn rest(file: &[u8], range: Range<usize>) -> LineEnding {
    let old = file.get(range.clone()).unwrap_or_default();
    let within = || memchr::memrchr(b'\n', old).and_then(|at| LineEnding::before(old, at + 1));
    let after = || {
        let at = memchr::memchr(b'\n', file.get(range.end..)?)?;
        LineEnding::before(file, range.end + at + 1)
    };
    let before = || {
        let at = memchr::memrchr(b'\n', file.get(..range.start)?)?;
        LineEnding::before(file, at + 1)
    };
    let at_line_start = range.end == 0 || LineEnding::before(file, range.end).is_some();
    let nearest = if at_line_start {
        within().or_else(before).or_else(after)
    } else {
        after().or_else(within).or_else(before)
    };
    nearest.unwrap_or(LineEnding::Lf)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(file: &str, range: Range<usize>, lines: &str) -> String {
        String::from_utf8(in_place_of(file.as_bytes(), range, lines.as_bytes())).unwrap()
    }

    #[test]
    fn new_lines_take_the_endings_one_by_one_then_the_last_ones() {
        assert_eq!(put("a\r\nb\nc\r\n", 0..6, "1\n2\n3\n4"), "1\r\n2\n3\r\n4");
        assert_eq!(put("a\r\nb\nc\r\n", 0..5, "1\n2\n3\n"), "1\r\n2\n3\n");
        assert_eq!(put("a\nb\r\nc", 0..5, "1\n2\n3\n"), "1\n2\r\n3\r\n");
    }

    #[test]
    fn a_part_of_a_line_takes_the_ending_of_its_line() {
        assert_eq!(put("a\nbcd\r\ne\n", 3..4, "x\ny"), "x\r\ny");
        assert_eq!(put("a\r\nbcd", 4..5, "x\ny"), "x\r\ny", "a last line without ending: the nearest");
        assert_eq!(put("bcd", 1..2, "x\ny"), "x\ny", "a file without any: LF");
    }

    #[test]
    fn lines_put_between_two_lines_take_the_one_befores_ending() {
        assert_eq!(put("a\r\nb\n", 3..3, "x\n"), "x\r\n");
        assert_eq!(put("a\r\nb\n", 0..0, "x\n"), "x\r\n", "before the first: the one after");
        assert_eq!(put("a\r\nb\n", 5..5, "x\ny\n"), "x\ny\n");
        assert_eq!(put("", 0..0, "x\n"), "x\n");
    }

    #[test]
    fn a_lone_cr_is_text() {
        assert_eq!(put("a\rb\nc\r\n", 0..3, "x\ny"), "x\ny");
        assert_eq!(put("a\r\r\nb", 0..2, "x\ny"), "x\r\ny");
        assert_eq!(split_ending(b"a\r\r\n"), (b"a\r".as_slice(), Some(LineEnding::CrLf)));
        assert_eq!(split_ending(b"a\r"), (b"a\r".as_slice(), None));
    }

    #[test]
    fn the_most_frequent_ending_wins_and_the_first_of_equals() {
        assert_eq!(LineEnding::most_frequent(b"a\nb\r\nc\r\n"), Some(LineEnding::CrLf));
        assert_eq!(LineEnding::most_frequent(b"a\nb\r\n"), Some(LineEnding::Lf));
        assert_eq!(LineEnding::most_frequent(b"a\r\nb\n"), Some(LineEnding::CrLf));
        assert_eq!(LineEnding::most_frequent(b"a\r\nb\nc\n"), Some(LineEnding::Lf));
        assert_eq!(LineEnding::most_frequent(b"a\rb"), None);
    }
}
