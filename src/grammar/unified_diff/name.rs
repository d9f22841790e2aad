//! File names in header lines: plain or quoted, with or without a timestamp behind them.

use std::borrow::Cow;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while_m_n, take_while1};
use nom::character::complete::{char, one_of, satisfy, space0, space1};
use nom::combinator::{eof, map, map_opt, opt, recognize, rest, value};
use nom::multi::{fold_many0, many0_count};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Input, Parser};

use crate::ast::FileName;
use crate::grammar::input::{LineInput, Located, Mismatch, spanned};
use crate::source::Span;

/// A name that takes the rest of its line, and what follows it.
///
/// ```ebnf
/// file_name = ( quoted_name | plain_name ) , timestamp ;
/// ```
pub(super) fn file_name(line: Span) -> impl Fn(LineInput<'_>) -> IResult<LineInput<'_>, FileName, Mismatch> {
    move |input| {
        let quoted = spanned(quoted_name).map(|name| (name.span, true));
        let plain = spanned(plain_name).map(|name| (name.span, false));
        let (input, (span, quoted)) = alt((quoted, plain)).parse(input)?;
        let (input, timestamp) = timestamp(input)?;
        Ok((input, FileName { line, span, quoted, timestamp }))
    }
}

/// A name in double quotes, with C escapes.
///
/// ```ebnf
/// quoted_name = """ , { ? any character but the quote and the backslash ? | "\" , ? any character ? } , """ ;
/// ```
pub(super) fn quoted_name(input: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    let plain = value((), take_while1(|letter| letter != '"' && letter != '\\'));
    let escape = value((), (char('\\'), satisfy(|_| true)));
    value((), delimited(char('"'), many0_count(alt((plain, escape))), char('"'))).parse(input)
}

/// A name without quotes.
///
/// ```ebnf
/// plain_name = ? text that ends before a tab, before blanks with a date behind them, and before blanks at the end ? ;
/// ```
fn plain_name(input: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    let text: &str = input.fragment();
    let tab = memchr::memchr(b'\t', text.as_bytes()).unwrap_or(text.len());
    let before_tab = text.get(..tab).unwrap_or(text);
    let date = memchr::memchr_iter(b' ', before_tab.as_bytes())
        .find(|&blank| preceded(space1, date).parse(input.take_from(blank)).is_ok())
        .unwrap_or(tab);
    let name = before_tab.get(..date).unwrap_or(before_tab).trim_end_matches(' ');
    if name.is_empty() {
        return Err(nom::Err::Error(Mismatch));
    }
    Ok((input.take_from(name.len()), ()))
}

/// A timestamp, a revision: whatever follows a name.
///
/// ```ebnf
/// timestamp = blanks , any_text ;
/// ```
fn timestamp(input: LineInput<'_>) -> IResult<LineInput<'_>, Option<Span>, Mismatch> {
    let (input, _) = space0(input)?;
    let (after, text) = rest(input)?;
    let len = text.fragment().trim_end().len();
    let start = input.offset();
    let stamp = Span::new(start, input.take_from(len).offset());
    Ok((after, (!stamp.is_empty()).then_some(stamp)))
}

/// ```ebnf
/// date = iso_date | c_date ;
/// ```
fn date(input: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    alt((iso_date, c_date)).parse(input)
}

/// `2024-01-02`, `2024-01-02 03:04:05.000000000 +0100`
///
/// ```ebnf
/// iso_date = 4 * digit , "-" , 2 * digit , "-" , 2 * digit , ( ( blank | "T" ) , digit | ? the end of the line ? ) ;
/// ```
fn iso_date(input: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    let time = value((), (one_of(" T\t"), digits(1)));
    value((), (digits(4), char('-'), digits(2), char('-'), digits(2), alt((time, value((), eof)))))
        .parse(input)
}

/// `Thu Jan  1 00:00:00 1970`, `Thu Jan 01 00:00:00 1970 +0000`
///
/// ```ebnf
/// c_date = word , blank , word , blank , digit , [ digit ] , blank , 2 * digit , ":" , 2 * digit ;
/// ```
fn c_date(input: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    let day = take_while_m_n(1, 2, |letter: char| letter.is_ascii_digit());
    value((), (word, space1, word, space1, day, space1, digits(2), char(':'), digits(2))).parse(input)
}

/// ```ebnf
/// word = 3 * letter ;
/// ```
fn word(input: LineInput<'_>) -> IResult<LineInput<'_>, LineInput<'_>, Mismatch> {
    take_while_m_n(3, 3, |letter: char| letter.is_ascii_alphabetic()).parse(input)
}

fn digits<'s>(count: usize) -> impl Parser<LineInput<'s>, Output = LineInput<'s>, Error = Mismatch> {
    take_while_m_n(count, count, |letter: char| letter.is_ascii_digit())
}

/// The two names of a `diff --git` line, or `None` where it cannot be told where the first one ends.
///
/// Names without quotes may hold blanks: then the line is cut where both halves name one file, as git does.
///
/// ```ebnf
/// git_names = one_name_twice | two_names ;
/// ```
pub(super) fn git_names(line: Span, input: LineInput<'_>) -> Option<(FileName, FileName)> {
    let name = |start: usize, end: usize| {
        let span = Span::new(input.take_from(start).offset(), input.take_from(end).offset());
        FileName { line, span, quoted: false, timestamp: None }
    };
    match one_name_twice(input.fragment()) {
        Some((old, new)) => Some((name(0, old.len()), name(old.len() + 1, old.len() + 1 + new.len()))),
        None => two_names(line)(input).ok().map(|(_, names)| names),
    }
}

/// ```ebnf
/// two_names = ( quoted_name | one_word ) , blank , blanks , ( quoted_name | one_word ) , blanks ;
/// ```
fn two_names(line: Span) -> impl Fn(LineInput<'_>) -> IResult<LineInput<'_>, (FileName, FileName), Mismatch> {
    move |input| {
        let name = || {
            let quoted = spanned(quoted_name).map(|name| (name.span, true));
            let plain = spanned(one_word).map(|name| (name.span, false));
            alt((quoted, plain)).map(move |(span, quoted)| FileName { line, span, quoted, timestamp: None })
        };
        let (input, old) = terminated(name(), space1).parse(input)?;
        let (input, new) = terminated(name(), (space0, eof)).parse(input)?;
        Ok((input, (old, new)))
    }
}

/// ```ebnf
/// one_word = ? any character but a blank and the quote ? , { ? any character but a blank ? } ;
/// ```
fn one_word(input: LineInput<'_>) -> IResult<LineInput<'_>, LineInput<'_>, Mismatch> {
    let letter = |letter: char| letter != ' ' && letter != '\t';
    recognize((satisfy(move |first| letter(first) && first != '"'), take_while(letter))).parse(input)
}

/// Two halves of one length that differ at most in what stands before the first `/`.
///
/// ```ebnf
/// one_name_twice = any_text , " " , any_text ;
/// ```
pub(super) fn one_name_twice(names: &str) -> Option<(&str, &str)> {
    let names = names.trim_end();
    let half = names.len() / 2;
    let (old, new) = (names.get(..half)?, names.get(half..)?.strip_prefix(' ')?);
    let below = |name: &'_ str| name.split_once('/').map(|(_, rest)| rest.len());
    let same =
        old == new || below(old).is_some_and(|len| below(new) == Some(len) && ends_alike(old, new, len));
    (old.len() == new.len() && same && !old.starts_with('"')).then_some((old, new))
}

fn ends_alike(old: &str, new: &str, len: usize) -> bool {
    old.bytes().rev().take(len).eq(new.bytes().rev().take(len))
}

/// Why a quoted name cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadName {
    /// An escape that C does not know, or no closing quote.
    Escape,
    /// The bytes that its escapes stand for are not UTF-8.
    NotUtf8,
}

/// The text of a quoted name, quotes included: C escapes, octal ones for bytes.
pub(crate) fn unescape(quoted: &str) -> Result<Cow<'_, str>, BadName> {
    let inner = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or(BadName::Escape)?;
    if !inner.contains('\\') {
        return Ok(Cow::Borrowed(inner));
    }
    let (rest, bytes) = fold_many0(piece, Vec::new, |mut bytes: Vec<u8>, piece| {
        match piece {
            Piece::Text(text) => bytes.extend_from_slice(text.as_bytes()),
            Piece::Byte(byte) => bytes.push(byte),
        }
        bytes
    })
    .parse(inner)
    .map_err(|_| BadName::Escape)?;
    if !rest.is_empty() {
        return Err(BadName::Escape);
    }
    String::from_utf8(bytes).map(Cow::Owned).map_err(|_| BadName::NotUtf8)
}

enum Piece<'s> {
    Text(&'s str),
    Byte(u8),
}

/// ```ebnf
/// piece = ? text without a backslash ? | "\" , ( escape | octal ) ;
/// ```
fn piece(input: &str) -> IResult<&str, Piece<'_>, Mismatch> {
    let text = take_while1(|letter| letter != '\\').map(Piece::Text);
    alt((text, preceded(char('\\'), alt((escape, octal))).map(Piece::Byte))).parse(input)
}

/// ```ebnf
/// escape = "a" | "b" | "t" | "n" | "v" | "f" | "r" | """ | "\" ;
/// ```
fn escape(input: &str) -> IResult<&str, u8, Mismatch> {
    alt((
        value(0x07, char('a')),
        value(0x08, char('b')),
        value(b'\t', char('t')),
        value(b'\n', char('n')),
        value(0x0b, char('v')),
        value(0x0c, char('f')),
        value(b'\r', char('r')),
        value(b'"', char('"')),
        value(b'\\', char('\\')),
    ))
    .parse(input)
}

/// A byte.
///
/// ```ebnf
/// octal = octal_digit , [ octal_digit , [ octal_digit ] ] ;
/// ```
fn octal(input: &str) -> IResult<&str, u8, Mismatch> {
    let digits = take_while_m_n(1, 3, |digit| matches!(digit, '0'..='7'));
    map_opt(digits, |digits: &str| u8::from_str_radix(digits, 8).ok()).parse(input)
}

/// Whether a timestamp is the epoch, in whatever time zone. One that names no zone is, when it is the epoch in some.
pub(crate) fn is_epoch(stamp: &str) -> bool {
    let parsed = (alt((iso_stamp, c_stamp)), opt(preceded(space0, zone)));
    let Ok((_, (local, zone))) = terminated(parsed, (space0, eof)).parse(stamp) else {
        return false;
    };
    match zone {
        Some(zone) => local == zone,
        None => (-12 * 60..=14 * 60).contains(&local) && local % 15 == 0,
    }
}

/// Minutes after 1970-01-01 00:00, for the two days around it.
fn iso_stamp(input: &str) -> IResult<&str, i32, Mismatch> {
    let day = alt((value(0, tag("1970-01-01")), value(-24 * 60, tag("1969-12-31"))));
    map((day, one_of(" T"), clock), |(day, _, time)| day + time).parse(input)
}

/// The same from `Thu Jan  1 00:00:00 1970`.
fn c_stamp(input: &str) -> IResult<&str, i32, Mismatch> {
    let first = value(0, (tag("Thu Jan"), space1, alt((tag("01"), tag("1")))));
    let last = value(-24 * 60, tag("Wed Dec 31"));
    let year = (space1, alt((tag("1970"), tag("1969"))));
    map((alt((first, last)), space1, clock, year), |(day, _, time, _)| day + time).parse(input)
}

/// `hh:mm:00`, with or without a fraction of zeros, in minutes.
fn clock(input: &str) -> IResult<&str, i32, Mismatch> {
    let fraction = opt(preceded(char('.'), take_while1(|digit| digit == '0')));
    let seconds = (tag(":00"), fraction);
    map((number(2), char(':'), number(2), seconds), |(hours, _, minutes, _)| hours * 60 + minutes)
        .parse(input)
}

/// `+0100`, `-05:00`, `Z`, in minutes.
fn zone(input: &str) -> IResult<&str, i32, Mismatch> {
    let sign = alt((value(1, char('+')), value(-1, char('-'))));
    let offset = map((sign, number(2), opt(char(':')), number(2)), |(sign, hours, _, minutes)| {
        sign * (hours * 60 + minutes)
    });
    alt((value(0, char('Z')), offset)).parse(input)
}

fn number<'s>(count: usize) -> impl Parser<&'s str, Output = i32, Error = Mismatch> {
    map_opt(take_while_m_n(count, count, |digit: char| digit.is_ascii_digit()), |digits: &str| {
        digits.parse().ok()
    })
}
