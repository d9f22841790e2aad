//! What both levels of the grammars share: places, the error, and nom inside one line.

use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};
use nom_locate::LocatedSpan;

use super::lines::{Line, Lines};
use crate::diagnostic::Diagnostic;
use crate::source::{Span, Spanned, offset};

/// One line as nom's input. The extra is the offset in bytes of the line's first character in the source.
pub(crate) type LineInput<'s> = LocatedSpan<&'s str, u32>;

/// The text of one line, indentation cut, as an input whose offsets are absolute.
pub(crate) fn line_input<'s>(lines: Lines<'s>, line: Line) -> LineInput<'s> {
    LocatedSpan::new_extra(lines.text_of(line), lines.span_of(line).start)
}

/// An input that knows its place in the source.
pub(crate) trait Located: Copy {
    /// Offset in bytes of what comes next.
    fn offset(self) -> u32;

    /// Offset in bytes at which what was read ends, when `rest` is left of it.
    fn end_before(self, rest: Self) -> u32;
}

impl Located for LineInput<'_> {
    fn offset(self) -> u32 {
        self.extra + offset(self.location_offset())
    }

    fn end_before(self, rest: Self) -> u32 {
        rest.offset()
    }
}

impl Located for Lines<'_> {
    fn offset(self) -> u32 {
        self.peek().map_or(self.end(), |line| self.span_of(line).start)
    }

    /// The end of the last line's text: a node does not own its last line ending.
    fn end_before(self, rest: Self) -> u32 {
        self.before(rest).tokens().last().map_or(self.offset(), |line| line.end)
    }
}

/// What `parser` reads, with its place.
pub(crate) fn spanned<I, O, P>(mut parser: P) -> impl Parser<I, Output = Spanned<O>, Error = Mismatch>
where
    I: Located,
    P: Parser<I, Output = O, Error = Mismatch>,
{
    move |input: I| -> IResult<I, Spanned<O>, Mismatch> {
        let (rest, value) = parser.parse(input)?;
        Ok((rest, Spanned { value, span: Span::new(input.offset(), input.end_before(rest)) }))
    }
}

/// The error of every production: it did not match. Faults of what did match are diagnostics, not errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mismatch;

impl<I> ParseError<I> for Mismatch {
    fn from_error_kind(_: I, _: ErrorKind) -> Self {
        Self
    }

    fn append(_: I, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// A node and what is wrong with it: what a production returns that has passed its commit point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Read<T> {
    /// The node, marked incomplete where it could not be read whole.
    pub(crate) node: T,
    /// What is wrong with it, in source order.
    pub(crate) faults: Vec<Diagnostic>,
}
