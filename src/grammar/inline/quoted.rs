//! Texts between quotes, and the way over them.
//!
//! Nothing between quotes is unescaped, and where a text ends is never guessed. A mark that is never closed leaves
//! the rest of its line open: that is a failure, not a mismatch, so the line is given up. This also keeps every scan
//! linear.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::{Err, IResult, Input, Parser};

use crate::grammar::file_name::Piece;
use crate::grammar::input::{LineInput, Located, Mismatch};

/// A text between quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quoted<'s> {
    /// The text without its quotes.
    pub(super) text: Piece<'s>,
    /// The kind of quotes.
    pub(super) mark: Mark,
}

/// What may hold punctuation for the sake of the sentence around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Backticks: every character is the text's.
    Code,
    /// Quotes of prose.
    Prose,
}

/// ```ebnf
/// quoted = code_span | double_quoted | single_quoted | typographic_double | typographic_single ;
/// ```
pub(super) fn quoted(input: LineInput<'_>) -> IResult<LineInput<'_>, Quoted<'_>, Mismatch> {
    let (rest, quoted) =
        alt((code_span, double_quoted, single_quoted, typographic_double, typographic_single))
            .parse(input)?;
    let next = rest.fragment().chars().next();
    if next.is_some_and(|c| c.is_alphanumeric() || is_quote(c)) {
        return Err(Err::Error(Mismatch));
    }
    Ok((rest, quoted))
}

fn is_quote(c: char) -> bool {
    matches!(c, '`' | '"' | '\'' | '“' | '”' | '‘' | '’')
}

/// As in CommonMark: ends at a run of as many backticks, and one space at both ends is padding.
///
/// ```ebnf
/// code_span = backticks , text , backticks ;
/// ```
pub(super) fn code_span(input: LineInput<'_>) -> IResult<LineInput<'_>, Quoted<'_>, Mismatch> {
    let (rest, run) = take_while1(|c| c == '`').parse(input)?;
    let width = run.fragment().len();
    let end = closing_run(rest.fragment(), width).ok_or(Err::Failure(Mismatch))?;
    let (rest, text) = rest.take_split(end);
    let piece = Piece::new(text.fragment(), text.offset());
    let padded = piece.text.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
    let text = match padded.filter(|text| !text.trim_matches(' ').is_empty()) {
        Some(inner) => piece.skip(1).head(inner.len()),
        None => piece,
    };
    Ok((rest.take_from(width), Quoted { text, mark: Mark::Code }))
}

/// Where in `text` the next run of exactly `width` backticks starts, in bytes.
pub(super) fn closing_run(text: &str, width: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'`', rest)) {
        let start = at + found;
        let run = bytes.get(start..)?.iter().take_while(|&&byte| byte == b'`').count();
        if run == width {
            return Some(start);
        }
        at = start + run;
    }
    None
}

/// ```ebnf
/// double_quoted = '"' , text , '"' ;
/// ```
fn double_quoted(input: LineInput<'_>) -> IResult<LineInput<'_>, Quoted<'_>, Mismatch> {
    straight(input, '"')
}

/// ```ebnf
/// single_quoted = "'" , text , "'" ;
/// ```
fn single_quoted(input: LineInput<'_>) -> IResult<LineInput<'_>, Quoted<'_>, Mismatch> {
    straight(input, '\'')
}

/// A backslash before the closing mark may be the text's or hide the mark: such a text is none.
fn straight(input: LineInput<'_>, mark: char) -> IResult<LineInput<'_>, Quoted<'_>, Mismatch> {
    let (rest, _) = nom::character::complete::char(mark).parse(input)?;
    let end = rest.fragment().find(mark).ok_or(Err::Failure(Mismatch))?;
    let (rest, text) = rest.take_split(end);
    if text.fragment().ends_with('\\') {
        return Err(Err::Error(Mismatch));
    }
    Ok((rest.take_from(1), prose(text)))
}

/// ```ebnf
/// typographic_double = "“" , text , "”" ;
/// ```
fn typographic_double(input: LineInput<'_>) -> IResult<LineInput<'_>, Quoted<'_>, Mismatch> {
    typographic(input, "“", "”")
}

/// ```ebnf
/// typographic_single = "‘" , text , "’" ;
/// ```
fn typographic_single(input: LineInput<'_>) -> IResult<LineInput<'_>, Quoted<'_>, Mismatch> {
    typographic(input, "‘", "’")
}

fn typographic<'s>(
    input: LineInput<'s>,
    open: &'static str,
    close: &'static str,
) -> IResult<LineInput<'s>, Quoted<'s>, Mismatch> {
    let (rest, _) = tag(open).parse(input)?;
    let text = rest.fragment();
    let end = text.char_indices().find(|&(_, c)| open.starts_with(c) || close.starts_with(c));
    let (end, mark) = end.ok_or(Err::Failure(Mismatch))?;
    if open.starts_with(mark) {
        return Err(Err::Error(Mismatch));
    }
    let (rest, text) = rest.take_split(end);
    Ok((rest.take_from(close.len()), prose(text)))
}

fn prose(text: LineInput<'_>) -> Quoted<'_> {
    Quoted { text: Piece::new(text.fragment(), text.offset()), mark: Mark::Prose }
}
