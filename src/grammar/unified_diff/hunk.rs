//! Hunks: the `@@` line and the body below it.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while1};
use nom::character::complete::{char, space0, space1, u32};
use nom::combinator::{eof, opt, rest, value};
use nom::sequence::{preceded, separated_pair, terminated};
use nom::{IResult, Input, Parser};

use super::layout::{Layout, Place};
use super::missing::Missing;
use crate::ast::{Extent, HunkHeader, HunkLine, HunkRange, LineEnding, LineKind};
use crate::grammar::file_name::Piece;
use crate::grammar::input::{LineInput, Located, Mismatch, line_input};
use crate::grammar::lines::{Ending, Kind, Line, Lines};
use crate::source::{Span, Spanned, offset, slice};

type Ranges = Option<(HunkRange, HunkRange)>;

/// ```ebnf
/// hunk_header = ( ranges , any_text | hunk_section ) , line_ending ;
/// ```
pub(super) fn hunk_header(layout: Layout) -> impl Fn(Lines<'_>) -> IResult<Lines<'_>, HunkHeader, Mismatch> {
    move |lines| {
        let first = lines.peek().filter(|_| layout.is_hunk_header(lines, 0));
        let first = first.ok_or(nom::Err::Error(Mismatch))?;
        let span = lines.span_of(first);
        let (ranges, section) = match ranges(span.end).parse(lines.text_of(first).as_bytes()) {
            Ok((behind, ranges)) => {
                let behind = Span::new(span.end - offset(behind.len()), span.end);
                (Some(ranges), Piece::new(slice(lines.source_text(), behind), behind.start).trim().span())
            }
            Err(_) => (None, hunk_section(line_input(lines, first))?.1),
        };
        let header = HunkHeader { span, ranges, section, ending: line_ending(first.ending) };
        Ok((lines.take_from(1), header))
    }
}

/// Whether a hunk stands here that no words could be: its header has numbers, and a line right below it, or below lines
/// of context, adds or removes something.
pub(super) fn is_surely_hunk(layout: Layout, lines: Lines<'_>) -> bool {
    let Ok((below, HunkHeader { ranges: Some(_), .. })) = hunk_header(layout)(lines) else {
        return false;
    };
    let mut kinds = below.tokens().iter().enumerate().map(|(index, &token)| {
        match hunk_line(layout, below, index, token) {
            Some(Part::Line(line)) => Some(line.kind),
            Some(Part::Marker(_)) | None => None,
        }
    });
    kinds.find(|kind| *kind != Some(LineKind::Context)).flatten().is_some()
}

/// The numbers of a hunk header, spaced as they may be.
///
/// Nearly every hunk has them, and nothing in them can be at fault. So they are read from the bytes of the line alone,
/// which ends at the offset `end`: only the numbers have places, and these are found from what is left behind them.
///
/// ```ebnf
/// ranges = "@@" , blanks , "-" , hunk_range , [ "," ] , blank , blanks , "+" , hunk_range ,
///     ( blanks , "@@" | blank , blanks | ? the end of the line ? ) ;
/// ```
fn ranges<'s>(end: u32) -> impl Parser<&'s [u8], Output = (HunkRange, HunkRange), Error = Mismatch> {
    let old = preceded(char('-'), hunk_range(end));
    let new = preceded(char('+'), hunk_range(end));
    let both = separated_pair(old, (opt(char(',')), space1), new);
    let close = alt((value((), preceded(space0, tag("@@"))), value((), space1), value((), eof)));
    terminated(preceded((tag("@@"), space0), both), close)
}

/// ```ebnf
/// hunk_range = number , [ "," , number ] ;
/// ```
fn hunk_range<'s>(end: u32) -> impl Parser<&'s [u8], Output = HunkRange, Error = Mismatch> {
    let count = opt(preceded(char(','), number(end)));
    (number(end), count).map(|(start, count)| HunkRange { start, count })
}

/// One that is too large is none.
///
/// ```ebnf
/// number = digit , { digit } ;
/// ```
fn number<'s>(end: u32) -> impl Parser<&'s [u8], Output = Spanned<u32>, Error = Mismatch> {
    move |input: &'s [u8]| {
        let (rest, value) = u32(input)?;
        let span = Span::new(end - offset(input.len()), end - offset(rest.len()));
        Ok((rest, Spanned { value, span }))
    }
}

/// A hunk header without readable numbers: what stands between the two `@@` or behind them.
///
/// ```ebnf
/// hunk_section = "@@" , { "@" } , [ any_text , "@@" ] , any_text ;
/// ```
fn hunk_section(input: LineInput<'_>) -> IResult<LineInput<'_>, Span, Mismatch> {
    let (input, _) = take_while1(|letter| letter == '@').parse(input)?;
    let (after, between) = opt(terminated(take_until("@@"), tag("@@"))).parse(input)?;
    let (end, behind) = rest(after)?;
    let worth = |part: &LineInput<'_>| {
        let numbers = part.fragment().trim_start().starts_with(['-', '+']);
        !numbers && part.fragment().contains(char::is_alphanumeric)
    };
    let part = [Some(behind), between].into_iter().flatten().find(worth).unwrap_or(end);
    Ok((end, trimmed(part)))
}

fn trimmed(input: LineInput<'_>) -> Span {
    let text: &str = input.fragment();
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len().max(start);
    Span::new(input.offset() + offset(start), input.offset() + offset(end))
}

/// The lines below a hunk header.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) lines: Vec<HunkLine>,
    pub(super) markers: Vec<Span>,
    pub(super) extent: Extent,
    /// A line in it, or right below it, that is of the broken headers of another file.
    pub(super) broken_header: Option<Span>,
    /// The lines that the header promises beyond those that are there, if it has numbers.
    pub(super) missing: Option<Missing>,
}

impl Body {
    /// Drops the blank lines without sign at the end of a hunk that has no old line besides: they say nothing of where
    /// it belongs.
    pub(super) fn drop_blank_end(&mut self, text: &str) {
        let is_bare = |line: &HunkLine| !line.signed && slice(text, line.text).trim().is_empty();
        let kept = self.lines.iter().rposition(|line| !is_bare(line)).map_or(0, |last| last + 1);
        let all_new = || self.lines.iter().take(kept).all(|line: &HunkLine| line.kind == LineKind::Added);
        if self.extent != Extent::Counted && kept > 0 && all_new() {
            self.lines.truncate(kept);
        }
    }
}

/// The lines up to the first that cannot be a hunk's. Where the header's counts fit all of them, or all but blank
/// ones at the end, the hunk ends where the counts say.
///
/// ```ebnf
/// hunk_body = { hunk_line } ;
/// ```
pub(super) fn hunk_body(
    layout: Layout,
    ranges: Ranges,
) -> impl Fn(Lines<'_>) -> IResult<Lines<'_>, Body, Mismatch> {
    move |lines| {
        let mut tally = Tally::new(ranges, lines.input_len());
        let mut broken = None;
        for (index, &token) in lines.tokens().iter().enumerate() {
            let may_be_broken = matches!(token.kind, Kind::OldName | Kind::NewName)
                && broken.is_none_or(|(line, _)| tally.covers(line));
            if may_be_broken && layout.is_broken_header(lines, index) {
                broken = Some((tally.lines.len(), lines.span_of(token)));
                if tally.is_met() {
                    break;
                }
            }
            match hunk_line(layout, lines, index, token) {
                Some(Part::Line(hunk_line)) => tally.push(hunk_line),
                Some(Part::Marker(span)) if tally.mark(span) => {}
                _ => break,
            }
        }
        let (mut body, tokens) = tally.finish(lines);
        let counted = match body.extent {
            Extent::Counted => body.lines.len(),
            Extent::Beginning(lines) => lines as usize,
            Extent::Unknown => 0,
        };
        let is_counted = |line: usize| line < counted;
        body.broken_header = broken.filter(|(line, _)| !is_counted(*line)).map(|(_, span)| span);
        Ok((lines.take_from(tokens), body))
    }
}

/// What a line below a hunk header is.
enum Part {
    Line(HunkLine),
    Marker(Span),
}

/// A line that can be a hunk's; none is where another file or hunk starts.
///
/// ```ebnf
/// hunk_line = ( " " | "+" | "-" | "\" , ( blank | letter ) ) , any_text , line_ending | blank_line ;
/// ```
#[inline(always)]
fn hunk_line(layout: Layout, lines: Lines<'_>, index: usize, token: Line) -> Option<Part> {
    let (start, sign) = layout.lead(lines, token)?;
    let kind = match sign {
        b'+' => LineKind::Added,
        b'-' => LineKind::Removed,
        _ => LineKind::Context,
    };
    let signed = matches!(sign, b' ' | b'+' | b'-');
    match token.kind {
        // In every language it is words; what hides a fence or a marker is no line of a hunk.
        _ if sign == b'\\' && is_end_marker(lines.text_of(token).trim_start()) => {
            return Some(Part::Marker(lines.span_of(token)));
        }
        Kind::OldName if kind == LineKind::Removed && layout.is_header_triple(lines, index) => return None,
        Kind::Blank => {}
        _ if !signed => return None,
        _ => {}
    }
    let text = Span::new(start + u32::from(signed), token.end);
    let ending = line_ending(token.ending);
    Some(Part::Line(HunkLine { text, kind, signed, ending, no_newline: false }))
}

/// Whether a line tells how a file ends: `\ No newline at end of file`, in whatever language.
pub(super) fn is_end_marker(line: &str) -> bool {
    let words = line.strip_prefix('\\').unwrap_or_default();
    words.starts_with(|c: char| c == ' ' || c == '\t' || c.is_alphabetic())
}

fn line_ending(ending: Ending) -> LineEnding {
    match ending {
        Ending::None => LineEnding::None,
        Ending::Lf => LineEnding::Lf,
        Ending::CrLf => LineEnding::CrLf,
    }
}

/// What a hunk's body holds so far.
#[derive(Default)]
struct Tally {
    lines: Vec<HunkLine>,
    markers: Vec<Span>,
    old: u32,
    new: u32,
    /// The counts of the header.
    counts: Option<Missing>,
    /// How many lines and markers there were when the counts were met.
    fit: Option<(usize, usize)>,
}

impl Tally {
    fn new(ranges: Ranges, available: usize) -> Self {
        let counts = ranges.map(Missing::promised);
        let most = counts.map_or(0, Missing::lines) as usize;
        Self { lines: Vec::with_capacity(most.min(available).min(64)), counts, ..Self::default() }
    }

    #[inline]
    fn push(&mut self, line: HunkLine) {
        self.old += u32::from(line.kind != LineKind::Added);
        self.new += u32::from(line.kind != LineKind::Removed);
        self.lines.push(line);
        self.fit_here();
    }

    /// Takes a marker for the line before it; `false` when there is none, or a blank one that ends the hunk.
    fn mark(&mut self, span: Span) -> bool {
        let Some(last) = self.lines.last_mut().filter(|last| last.signed && !last.no_newline) else {
            return false;
        };
        last.no_newline = true;
        self.markers.push(span);
        self.fit_here();
        true
    }

    fn is_met(&self) -> bool {
        self.counts == Some(Missing { old: self.old, new: self.new })
    }

    /// Whether the line with this number is one of those that the counts were met by.
    fn covers(&self, line: usize) -> bool {
        self.fit.is_some_and(|(lines, _)| line < lines)
    }

    #[inline]
    fn fit_here(&mut self) {
        if self.is_met() {
            self.fit = Some((self.lines.len(), self.markers.len()));
        }
    }

    /// The body, and how many of the lines below the header it takes.
    fn finish(mut self, below: Lines<'_>) -> (Body, usize) {
        let read = below.take(self.lines.len() + self.markers.len());
        let blank_end = || read.tokens().iter().rev().take_while(|line| line.kind == Kind::Blank).count();
        let extent = match self.fit {
            Some((lines, markers)) if lines + blank_end() >= self.lines.len() => {
                self.lines.truncate(lines);
                self.markers.truncate(markers);
                Extent::Counted
            }
            Some((lines, _)) => Extent::Beginning(offset(lines)),
            None => Extent::Unknown,
        };
        let missing = self.counts.map(|promised| promised.beyond(self.old, self.new));
        let Self { lines, markers, .. } = self;
        let tokens = lines.len() + markers.len();
        (Body { lines, markers, extent, broken_header: None, missing }, tokens)
    }
}

/// Whether a header, a marker, or in prose a fence stands at this index: no hunk goes on behind it.
pub(super) fn ends_hunk(layout: Layout, lines: Lines<'_>, index: usize) -> bool {
    match lines.get(index).map(|token| token.kind) {
        Some(Kind::HunkHeader) => layout.is_hunk_header(lines, index),
        Some(Kind::OldName) => layout.is_header_triple(lines, index),
        Some(Kind::Fence) => layout.place == Place::Prose,
        Some(Kind::Search | Kind::Replace | Kind::DiffStart) | None => true,
        Some(_) => false,
    }
}
