//! [`Text`]: lines of the source that a node takes as content.

use std::borrow::Cow;

use crate::source::{Source, Span};

/// Lines of the source, none or more, joined by LF when a string is asked for.
///
/// The lines need not lie side by side: an indented fence, an escaped marker line or a diff's body leave bytes out
/// of each line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Text {
    span: Span,
    lines: Layout,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
enum Layout {
    /// All bytes of `span`, line endings included: whole lines.
    Contiguous,
    /// These lines, without their endings, in order within `span`.
    Pieces(Box<[Span]>),
}

impl Text {
    /// The lines of a span that holds whole lines with their endings; the last one may lack its ending.
    #[must_use]
    pub fn contiguous(span: Span) -> Self {
        Self { span, lines: Layout::Contiguous }
    }

    /// These lines, each without its ending, in source order; `span` holds them all.
    #[must_use]
    pub fn pieces(span: Span, lines: Vec<Span>) -> Self {
        Self { span, lines: Layout::Pieces(lines.into_boxed_slice()) }
    }

    /// The stretch of the source that holds all lines; empty, at the place where they would stand, for none.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether there is no line at all. One blank line is not empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.lines {
            Layout::Contiguous => self.span.is_empty(),
            Layout::Pieces(lines) => lines.is_empty(),
        }
    }

    /// The span of each line, its ending (LF or CRLF) not included.
    pub fn lines<'a>(&'a self, source: &'a Source<'_>) -> impl Iterator<Item = Span> + 'a {
        let (text, pieces): (&str, &[Span]) = match &self.lines {
            Layout::Contiguous => (source.slice(self.span), &[]),
            Layout::Pieces(lines) => ("", lines),
        };
        let mut start = self.span.start;
        let split = text.split_inclusive('\n').map(move |line| {
            let content =
                line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
            let span = Span::new(start, start + crate::source::offset(content.len()));
            start += crate::source::offset(line.len());
            span
        });
        split.chain(pieces.iter().copied())
    }

    /// The lines joined by LF, without a final one. Borrowed where the source has the text in one piece.
    #[must_use]
    pub fn to_str<'s>(&self, source: &Source<'s>) -> Cow<'s, str> {
        if self.lines == Layout::Contiguous {
            let text = source.slice(self.span);
            if memchr::memmem::find(text.as_bytes(), b"\r\n").is_none() {
                return Cow::Borrowed(text.strip_suffix('\n').unwrap_or(text));
            }
        }
        let mut joined = String::with_capacity(self.span.len() as usize);
        for (number, line) in self.lines(source).enumerate() {
            if number > 0 {
                joined.push('\n');
            }
            joined.push_str(source.slice(line));
        }
        Cow::Owned(joined)
    }
}
