//! The lines that open and close code blocks.

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while_m_n, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{recognize, rest, verify};
use nom::multi::many0_count;
use nom::sequence::terminated;
use nom::{IResult, Input, Parser};

use crate::grammar::input::{LineInput, Located, Mismatch, spanned};
use crate::source::{Span, offset};

/// How far in a closing fence may stand behind the column of the opening one.
const CLOSER_INDENT: u32 = 3;

/// A fence line: it opens a code block, or closes one where it is bare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The run of backticks or tildes.
    pub(crate) run: Span,
    /// Backtick or tilde.
    pub(crate) mark: Mark,
    /// Columns from 0 before the run.
    pub(crate) column: u32,
    /// Whether a list marker stands before the run.
    pub(crate) in_list: bool,
    /// The info string, spaces and tabs at its ends cut; empty at the end of the run where there is none.
    pub(crate) info: Span,
}

/// What a fence is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Backtick,
    Tilde,
}

impl Mark {
    fn as_char(self) -> char {
        match self {
            Self::Backtick => '`',
            Self::Tilde => '~',
        }
    }
}

impl Fence {
    /// Whether nothing stands beside the run, so that it may close a block.
    pub(crate) fn is_bare(self) -> bool {
        self.info.is_empty() && !self.in_list
    }

    /// Whether it is made of the same character and at least as long as `other`.
    pub(crate) fn reaches(self, other: Self) -> bool {
        self.mark == other.mark && self.run.len() >= other.run.len()
    }

    /// Whether it closes the block that `opener` opened.
    pub(crate) fn closes(self, opener: Self) -> bool {
        self.is_bare() && self.reaches(opener) && self.column <= opener.column + CLOSER_INDENT
    }

    /// Whether it opens a block, seen from within the block that `opener` opened, which it would close if it were bare.
    pub(crate) fn opens_in(self, opener: Self) -> bool {
        !self.is_bare() && self.reaches(opener) && self.column <= opener.column + CLOSER_INDENT
    }

    /// Whether it closes the diff block that `opener` opened: a fence further in is a context line.
    pub(crate) fn closes_diff(self, opener: Self) -> bool {
        self.closes(opener) && self.column <= opener.column
    }
}

/// A fence, with all that stands on its line. There is no backtick in the info string of a run of backticks.
///
/// ```ebnf
/// fence = { list_marker } , { " " } , run , info ;
/// ```
pub(crate) fn fence(line: LineInput<'_>) -> IResult<LineInput<'_>, Fence, Mismatch> {
    if let Some(bare) = bare_fence(line) {
        return Ok((line.take_from(line.input_len()), bare));
    }
    let (rest, _) = take_while(|c| c == ' ').parse(line)?;
    let (rest, markers) =
        if rest.fragment().starts_with(['`', '~']) { (rest, 0) } else { list_markers(rest)? };
    let start = rest.offset();
    let (rest, (run, mark)) = alt((run(Mark::Backtick), run(Mark::Tilde))).parse(rest)?;
    let (rest, info) = info(mark).parse(rest)?;
    let column = start.saturating_sub(line.offset());
    Ok((rest, Fence { run, mark, column, in_list: markers > 0, info }))
}

/// The fence on a line that holds nothing but its run, as nearly every closing one does: one look is enough.
fn bare_fence(line: LineInput<'_>) -> Option<Fence> {
    let bytes = line.fragment().as_bytes();
    let mark = match bytes {
        [b'`', b'`', b'`', ..] => Mark::Backtick,
        [b'~', b'~', b'~', ..] => Mark::Tilde,
        _ => return None,
    };
    if !bytes.iter().all(|&byte| char::from(byte) == mark.as_char()) {
        return None;
    }
    let start = line.offset();
    let run = Span::new(start, start + offset(bytes.len()));
    Some(Fence { run, mark, column: 0, in_list: false, info: Span::empty(run.end) })
}

fn list_markers(line: LineInput<'_>) -> IResult<LineInput<'_>, usize, Mismatch> {
    terminated(many0_count(list_marker), take_while(|c| c == ' ')).parse(line)
}

/// ```ebnf
/// list_marker = { " " } , ( "-" | "+" | "*" | digit , { digit } , ( "." | ")" ) ) , " " ;
/// ```
fn list_marker(line: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    // CommonMark's limit; longer numbers are no list numbers.
    const MOST_DIGITS: usize = 9;
    let number = (take_while_m_n(1, MOST_DIGITS, |c: char| c.is_ascii_digit()), one_of(".)"));
    let marker = alt((recognize(one_of("-+*")), recognize(number)));
    let (rest, _) = (take_while(|c| c == ' '), marker, char(' ')).parse(line)?;
    Ok((rest, ()))
}

/// Three or more of the same character.
///
/// ```ebnf
/// run = "`" , "`" , "`" , { "`" } | "~" , "~" , "~" , { "~" } ;
/// ```
fn run<'s>(mark: Mark) -> impl Parser<LineInput<'s>, Output = (Span, Mark), Error = Mismatch> {
    const SHORTEST: usize = 3;
    let run = take_while1(move |c| c == mark.as_char());
    spanned(verify(run, |run: &LineInput<'_>| run.fragment().len() >= SHORTEST))
        .map(move |run| (run.span, mark))
}

/// ```ebnf
/// info = blanks , [ any_text ] , blanks ;
/// ```
fn info<'s>(mark: Mark) -> impl Parser<LineInput<'s>, Output = Span, Error = Mismatch> {
    let is_blank = |c| matches!(c, ' ' | '\t');
    let text = verify(rest, move |text: &LineInput<'_>| {
        mark == Mark::Tilde || memchr::memchr(b'`', text.fragment().as_bytes()).is_none()
    });
    text.map(move |text: LineInput<'_>| {
        let start = text.fragment().trim_start_matches(is_blank);
        let trimmed = start.trim_end_matches(is_blank);
        if trimmed.is_empty() {
            return Span::empty(text.offset());
        }
        let start = text.offset() + offset(text.fragment().len() - start.len());
        Span::new(start, start + offset(trimmed.len()))
    })
}
