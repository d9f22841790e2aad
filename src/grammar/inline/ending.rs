//! What may follow an order: nothing, a place, a purpose. Anything else makes it another sentence.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, space0, space1};
use nom::combinator::{eof, opt, value};
use nom::{Err, IResult, Input, Parser};

use super::sentence::{line_note, stars, word};
use super::words::changes_order;
use crate::grammar::file_name::{Evidence, is_path};
use crate::grammar::input::{LineInput, Mismatch};

/// How a sentence ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With a full stop or the like.
    Stop,
    /// With its line.
    Line,
}

/// ```ebnf
/// ending = stars , [ line_note ] , [ tail ] , ( stop | line_end ) ;
/// ```
pub(super) fn ending(input: LineInput<'_>) -> IResult<LineInput<'_>, End, Mismatch> {
    let (rest, _) = (stars, opt(line_note), opt(tail)).parse(input)?;
    alt((stop, line_end)).parse(rest)
}

/// ```ebnf
/// stop = ( "." | "!" ) , { "." | "!" } , stars , ( blank | line_end ) ;
/// ```
fn stop(input: LineInput<'_>) -> IResult<LineInput<'_>, End, Mismatch> {
    let (rest, _) = (take_while1(|c| matches!(c, '.' | '!')), stars).parse(input)?;
    let (rest, ()) = alt((value((), space1), value((), eof))).parse(rest)?;
    Ok((rest, End::Stop))
}

/// ```ebnf
/// line_end = stars , [ ":" ] , stars , { " " } ;
/// ```
fn line_end(input: LineInput<'_>) -> IResult<LineInput<'_>, End, Mismatch> {
    let (rest, (_, colon, ..)) = (stars, opt(char(':')), stars, space0, eof).parse(input)?;
    Ok((rest, if colon.is_some() { End::Stop } else { End::Line }))
}

/// A purpose or reason in plain words: no quotes, no path, and no word that changes the order.
///
/// ```ebnf
/// tail = [ "," ] , blank , ( "so" | "because" | "since" | "to" | "which" | "in" , blank , "order" | "-" | "–" | "—" ) , blank , plain_text ;
/// ```
fn tail(input: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    let order = value((), (word("in"), space1, word("order")));
    let reason = alt((word("so"), word("because"), word("since"), word("to"), word("which"), order));
    let dash = value((), alt((tag("-"), tag("–"), tag("—"))));
    let (rest, _) = (opt(char(',')), space1, alt((reason, dash)), space1).parse(input)?;
    plain_text(rest)
}

/// Everything up to the sentence's end.
fn plain_text(input: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    let text: &str = input.fragment();
    let end = sentence_end(text);
    let (rest, plain) = input.take_split(end);
    let has_path = |text: &str| {
        let word = |word: &str| is_path(word.trim_matches(|c: char| !c.is_alphanumeric()), Evidence::Edit);
        text.split_whitespace().any(word)
    };
    let text = plain.fragment();
    if text.contains(['`', '"', '“', '”', '‘']) || has_path(text) || changes_order(text) {
        return Err(Err::Error(Mismatch));
    }
    Ok((rest, ()))
}

/// Offset in bytes of the mark that ends the sentence, or of the line's end.
fn sentence_end(text: &str) -> usize {
    let is_mark = |c: char| matches!(c, '.' | '!' | '?' | ':' | ';');
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(is_mark)) {
        let mark = at + found;
        let after =
            text.get(mark..).unwrap_or("").trim_start_matches(|c| is_mark(c) || matches!(c, '*' | ')'));
        if after.is_empty() || after.starts_with([' ', '\t']) {
            return mark;
        }
        at = text.len() - after.len();
    }
    text.trim_end_matches([' ', '\t', '*']).len()
}
