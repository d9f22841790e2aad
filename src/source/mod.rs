//! The text that is parsed, and places in it.
//!
//! A place is a byte offset; a stretch is a [`Span`] of two. Lines and columns are computed only when somebody
//! asks, in whichever unit an editor, a terminal or a language server counts.

mod positions;

pub use positions::Positions;

use std::sync::OnceLock;

use thiserror::Error;

/// A stretch of the source: absolute byte offsets from 0, half-open, both on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Span {
    /// Offset in bytes of the first byte.
    pub start: u32,
    /// Offset in bytes just past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`, in bytes; an `end` before `start` gives the empty span at `start`.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The empty span at `offset`, in bytes.
    #[must_use]
    pub fn empty(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it holds no byte.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` lies within this span.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A value and where in the source it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Spanned<T> {
    /// What was parsed.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// The input of 4 GiB or more that [`Source::new`] refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the input has {bytes} bytes; the limit is 4 GiB less one byte")]
#[non_exhaustive]
pub struct SourceTooLarge {
    /// The input's length in bytes.
    pub bytes: usize,
}

/// The text of an input, with its line index made on demand.
#[derive(Debug, Default)]
pub struct Source<'t> {
    text: &'t str,
    index: OnceLock<LineIndex>,
}

impl<'t> Source<'t> {
    /// Takes a text of less than 4 GiB.
    ///
    /// # Errors
    ///
    /// [`SourceTooLarge`] when an offset would not fit a `u32`.
    pub fn new(text: &'t str) -> Result<Self, SourceTooLarge> {
        match u32::try_from(text.len()) {
            Ok(len) if len < u32::MAX => Ok(Self { text, index: OnceLock::new() }),
            _ => Err(SourceTooLarge { bytes: text.len() }),
        }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The text's length in bytes.
    #[must_use]
    pub fn end(&self) -> u32 {
        offset(self.text.len())
    }

    /// The text of a span; `""` for one that does not lie in this source on character boundaries.
    #[must_use]
    pub fn slice(&self, span: Span) -> &'t str {
        slice(self.text, span)
    }

    /// The line index, made at the first call in one pass over the text.
    pub fn line_index(&self) -> &LineIndex {
        self.index.get_or_init(|| LineIndex::new(self.text))
    }

    /// The line and the columns of a byte offset; an offset past the end counts as the end.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        self.line_index().position(self.text, offset)
    }
}

/// A place as people and editors write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Position {
    /// Offset in bytes from 0.
    pub offset: u32,
    /// Line from 1. Lines end at LF or CRLF.
    pub line: u32,
    /// Column in bytes from 1.
    pub byte_column: u32,
    /// Column in characters (Unicode scalar values) from 1.
    pub column: u32,
    /// Column in UTF-16 code units from 1.
    pub utf16: u32,
}

/// Where each line of a text starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// The index of a text of less than 4 GiB, in one pass.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| offset(at + 1)));
        Self { starts }
    }

    /// The number of lines; a text that ends in a line ending has an empty last one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: a text has at least one line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The line from 1 that holds the byte offset.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        u32::try_from(self.starts.partition_point(|&start| start <= offset)).unwrap_or(u32::MAX)
    }

    /// The byte offset at which a line (from 1) starts, if there is that line.
    #[must_use]
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get(usize::try_from(line).ok()?.checked_sub(1)?).copied()
    }

    /// The line and the columns of a byte offset in the text that the index was made of.
    ///
    /// An offset past the end counts as the end, one inside a character as that character's start.
    #[must_use]
    pub fn position(&self, text: &str, at: u32) -> Position {
        let mut at = at.min(offset(text.len()));
        while !text.is_char_boundary(at as usize) {
            at -= 1;
        }
        let line = self.line(at);
        let start = self.line_start(line).unwrap_or(0);
        let before = slice(text, Span::new(start, at));
        Position {
            offset: at,
            line,
            byte_column: offset(before.len()) + 1,
            column: offset(before.chars().count()) + 1,
            utf16: offset(before.encode_utf16().count()) + 1,
        }
    }
}

/// The text of a span, or `""` where the span is not of this text.
pub(crate) fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or("")
}

/// A length or index in a text of less than 4 GiB as an offset.
pub(crate) fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
