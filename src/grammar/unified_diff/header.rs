//! The lines before the hunks: `Index:`, `diff --git`, extended headers, `---` and `+++`.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{digit1, space0, space1};
use nom::combinator::{eof, opt, rest, value, verify};
use nom::multi::{many0, many0_count};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Input, Parser};

use super::layout::{Layout, Place, blank_line, line};
use super::name::{file_name, git_names, one_name_twice};
use crate::ast::{ExtendedHeader, FileName, GitLine, HeaderKind};
use crate::grammar::input::{LineInput, Located, Mismatch};
use crate::grammar::lines::{Kind, Lines};
use crate::source::{Span, offset, slice};

/// What stands before the hunks of one file.
#[derive(Debug, Default)]
pub(super) struct Headers {
    pub(super) git: Option<GitLine>,
    pub(super) extended: Vec<ExtendedHeader>,
    pub(super) old: Option<FileName>,
    pub(super) new: Option<FileName>,
    /// The line that says that this is the diff of a merge, which has more than one old side.
    pub(super) combined: Option<Span>,
}

/// Whether a file's section starts here.
///
/// ```ebnf
/// starts_file = git_line | combined_line | index_lines | binary_line
///     | old_line , new_line , hunk_header
///     | ? in a diff block ? , ( old_line , ( new_line | hunk_header ) | new_line , hunk_header | hunk_header ) ;
/// ```
pub(super) fn starts_file(lines: Lines<'_>, layout: Layout) -> bool {
    let fenced = layout.place == Place::Fence;
    match lines.peek().map(|first| first.kind) {
        Some(Kind::DiffStart) => starts_diff(lines, layout),
        Some(Kind::OldName) if fenced => {
            layout.is_old_line(lines, 0)
                && (layout.is_new_line(lines, 1)
                    || (has_name(lines, layout) && layout.is_hunk_header(lines, 1)))
        }
        Some(Kind::OldName) => layout.is_header_triple(lines, 0),
        Some(Kind::NewName) => fenced && layout.is_new_line(lines, 0) && layout.is_hunk_header(lines, 1),
        Some(Kind::HunkHeader) => fenced && layout.is_hunk_header(lines, 0),
        _ => false,
    }
}

fn has_name(lines: Lines<'_>, layout: Layout) -> bool {
    layout.text_at(lines, 0).is_some_and(|text| text.trim_end().len() > "---".len())
}

/// In prose a `diff --git` line needs two equal names or a line below it that only a diff has.
fn starts_diff(lines: Lines<'_>, layout: Layout) -> bool {
    let fenced = layout.place == Place::Fence;
    let Some(text) = layout.text_at(lines, 0) else {
        return false;
    };
    let below = || follows_header(lines.take_from(1), layout);
    if let Some(names) = text.strip_prefix("diff --git ") {
        fenced || names.starts_with('"') || one_name_twice(names).is_some() || below()
    } else if text.starts_with("diff --cc ") || text.starts_with("diff --combined ") {
        fenced || below()
    } else if text.starts_with("Index: ") {
        index_lines(layout)(lines).is_ok()
    } else {
        line(layout, binary_line).parse(lines).is_ok()
    }
}

fn follows_header(lines: Lines<'_>, layout: Layout) -> bool {
    layout.is_old_line(lines, 0)
        || layout.is_hunk_header(lines, 0)
        || line(layout, extended_header).parse(lines).is_ok()
}

/// ```ebnf
/// headers = [ index_lines ] , [ git_line | combined_line ] , { { blank_line } , extended_line } ,
///     [ { blank_line } , names ] ;
/// ```
pub(super) fn headers(layout: Layout) -> impl Fn(Lines<'_>) -> IResult<Lines<'_>, Headers, Mismatch> {
    move |lines| {
        let (lines, index) = opt(index_lines(layout)).parse(lines)?;
        let (lines, git) = opt(line(layout, git_line)).parse(lines)?;
        let (lines, combined) = opt(line(layout, combined_line)).parse(lines)?;
        let extended_line = preceded(many0_count(blank_line), extended_line(layout));
        let (lines, extended) = many0(extended_line).parse(lines)?;
        let text = lines.source_text();
        let (below, blanks) = many0_count(blank_line).parse(lines)?;
        let is_binary = extended.last().is_some_and(|last| last.kind == HeaderKind::Binary);
        let adjacent = blanks == 0 && !is_binary;
        let own = |names: &_| adjacent || git.is_none_or(|git| are_names_of(git, *names, text));
        let (lines, names) = match verify(names(layout), own).parse(below) {
            Ok((lines, names)) => (lines, Some(names)),
            Err(_) => (lines, None),
        };
        let (old, new) = names.unwrap_or((index, index));
        Ok((lines, Headers { git, extended, old, new, combined }))
    }
}

/// Whether the names below a `diff --git` line, with a blank one or binary content between, are of the same file: one of them is one of its own,
/// prefixes apart. Where it cannot be told, they are.
fn are_names_of(git: GitLine, (old, new): (Option<FileName>, Option<FileName>), text: &str) -> bool {
    let Some(of_git) = git.names else {
        return true;
    };
    let written = |name: FileName| slice(text, name.span).trim_matches('"');
    let below = |name| written(name).split_once('/').map_or(written(name), |(_, rest)| rest);
    let same = |git: FileName, name: Option<FileName>| {
        name.is_some_and(|name| {
            [written(git), below(git)].contains(&written(name))
                || [written(git), below(git)].contains(&below(name))
        })
    };
    same(of_git.0, old) || same(of_git.1, new) || (old, new) == (None, None)
}

/// Subversion's and CVS's first two lines.
///
/// ```ebnf
/// index_lines = "Index:" , blank , blanks , file_name , line_ending , "=" , { "=" } , blanks , line_ending ;
/// ```
fn index_lines<'s>(layout: Layout) -> impl Fn(Lines<'s>) -> IResult<Lines<'s>, FileName, Mismatch> {
    move |lines| {
        let (lines, name) = line(layout, |input: LineInput<'s>| {
            let span = whole(input);
            preceded((tag("Index:"), space1), file_name(span)).parse(input)
        })
        .parse(lines)?;
        let (lines, rule) =
            line(layout, terminated(take_while1(|letter| letter == '='), (space0, eof))).parse(lines)?;
        // In prose a line with that word may be underlined as a heading.
        let sure = rule.len() >= 60 || layout.place == Place::Fence || layout.is_old_line(lines, 0);
        if sure { Ok((lines, name)) } else { Err(nom::Err::Error(Mismatch)) }
    }
}

/// ```ebnf
/// git_line = "diff --git" , blank , blanks , [ git_names ] , line_ending ;
/// ```
fn git_line(input: LineInput<'_>) -> IResult<LineInput<'_>, GitLine, Mismatch> {
    let span = whole(input);
    let (names, _) = (tag("diff --git"), space1).parse(input)?;
    let (rest, _) = rest(names)?;
    Ok((rest, GitLine { span, names: git_names(span, names) }))
}

/// ```ebnf
/// combined_line = "diff --" , ( "cc " | "combined " ) , any_text , line_ending ;
/// ```
fn combined_line(input: LineInput<'_>) -> IResult<LineInput<'_>, Span, Mismatch> {
    value(whole(input), (tag("diff --"), alt((tag("cc "), tag("combined "))), rest)).parse(input)
}

/// ```ebnf
/// extended_line = extended_header | git_binary | binary_line ;
/// ```
fn extended_line<'s>(layout: Layout) -> impl Parser<Lines<'s>, Output = ExtendedHeader, Error = Mismatch> {
    alt((line(layout, extended_header), git_binary(layout), line(layout, binary_line)))
}

/// ```ebnf
/// extended_header = keyword , blank , blanks , any_text , line_ending ;
/// ```
fn extended_header(input: LineInput<'_>) -> IResult<LineInput<'_>, ExtendedHeader, Mismatch> {
    let span = whole(input);
    let (value, kind) = terminated(keyword, space1).parse(input)?;
    let (rest, _) = rest(value)?;
    let value = whole(value);
    // With nothing but blanks behind the keyword, the value is where the line's text ends.
    let value = Span::new(value.start.min(span.end), value.end.min(span.end));
    Ok((rest, ExtendedHeader { kind, span, value }))
}

/// ```ebnf
/// keyword = "index" | "old mode" | "new mode" | "new file mode" | "deleted file mode" | "rename from" | "rename to"
///     | "copy from" | "copy to" | "similarity index" | "dissimilarity index" ;
/// ```
fn keyword(input: LineInput<'_>) -> IResult<LineInput<'_>, HeaderKind, Mismatch> {
    alt((
        value(HeaderKind::Index, tag("index")),
        value(HeaderKind::OldMode, tag("old mode")),
        value(HeaderKind::NewMode, tag("new mode")),
        value(HeaderKind::NewFileMode, tag("new file mode")),
        value(HeaderKind::DeletedFileMode, tag("deleted file mode")),
        value(HeaderKind::RenameFrom, tag("rename from")),
        value(HeaderKind::RenameTo, tag("rename to")),
        value(HeaderKind::CopyFrom, tag("copy from")),
        value(HeaderKind::CopyTo, tag("copy to")),
        value(HeaderKind::Similarity, tag("similarity index")),
        value(HeaderKind::Dissimilarity, tag("dissimilarity index")),
    ))
    .parse(input)
}

/// A line that says that two files differ and are binary.
///
/// ```ebnf
/// binary_line = ( "Binary files " , any_text , " differ"
///     | "Cannot display: file marked as a binary type" , any_text ) , blanks , line_ending ;
/// ```
fn binary_line(input: LineInput<'_>) -> IResult<LineInput<'_>, ExtendedHeader, Mismatch> {
    let span = whole(input);
    let git = verify(preceded(tag("Binary files "), rest), |text: &LineInput<'_>| {
        text.fragment().trim_end().ends_with(" differ")
    });
    let svn = preceded(tag("Cannot display: file marked as a binary type"), rest);
    value(ExtendedHeader { kind: HeaderKind::Binary, span, value: span }, alt((git, svn))).parse(input)
}

/// Binary content as git encodes it.
///
/// ```ebnf
/// git_binary = "GIT binary patch" , blanks , line_ending , { binary_data } ;
/// ```
fn git_binary<'s>(layout: Layout) -> impl Parser<Lines<'s>, Output = ExtendedHeader, Error = Mismatch> {
    let header = line(layout, |input: LineInput<'s>| {
        let span = whole(input);
        let header = ExtendedHeader { kind: HeaderKind::Binary, span, value: span };
        value(header, (tag("GIT binary patch"), space0, eof)).parse(input)
    });
    terminated(header, many0_count(binary_data(layout)))
}

/// ```ebnf
/// binary_data = ( "literal " | "delta " ) , digit , { digit } , blanks , line_ending , { data_line } , { blank_line } ;
/// ```
fn binary_data<'s>(layout: Layout) -> impl Parser<Lines<'s>, Output = (), Error = Mismatch> {
    let start = line(layout, (alt((tag("literal "), tag("delta "))), digit1, space0, eof));
    value((), (start, many0_count(data_line), many0_count(blank_line)))
}

/// ```ebnf
/// data_line = ? any line but a blank one, a fence and one that starts a file ? ;
/// ```
fn data_line(lines: Lines<'_>) -> IResult<Lines<'_>, (), Mismatch> {
    match lines.peek() {
        Some(line) if !matches!(line.kind, Kind::Blank | Kind::DiffStart | Kind::Fence) => {
            Ok((lines.take_from(1), ()))
        }
        _ => Err(nom::Err::Error(Mismatch)),
    }
}

/// The two names; where a diff was cut carelessly, one of them right before a hunk.
///
/// ```ebnf
/// names = old_line , new_line | ( old_line | new_line ) , ? a hunk_header follows ? ;
/// ```
fn names<'s>(
    layout: Layout,
) -> impl Parser<Lines<'s>, Output = (Option<FileName>, Option<FileName>), Error = Mismatch> {
    let before_hunk = move |lines: Lines<'s>| match layout.is_hunk_header(lines, 0) {
        true => Ok((lines, ())),
        false => Err(nom::Err::Error(Mismatch)),
    };
    let old = terminated(old_line(layout), before_hunk).map(|old| (old, None));
    let new = terminated(new_line(layout), before_hunk).map(|new| (None, new));
    alt(((old_line(layout), new_line(layout)), old, new))
}

/// ```ebnf
/// old_line = "---" , [ blank , blanks , file_name ] , blanks , line_ending ;
/// ```
fn old_line<'s>(layout: Layout) -> impl Parser<Lines<'s>, Output = Option<FileName>, Error = Mismatch> {
    name_line(layout, "---")
}

/// ```ebnf
/// new_line = "+++" , [ blank , blanks , file_name ] , blanks , line_ending ;
/// ```
fn new_line<'s>(layout: Layout) -> impl Parser<Lines<'s>, Output = Option<FileName>, Error = Mismatch> {
    name_line(layout, "+++")
}

fn name_line<'s>(
    layout: Layout,
    word: &'static str,
) -> impl Parser<Lines<'s>, Output = Option<FileName>, Error = Mismatch> {
    line(layout, move |input: LineInput<'s>| {
        let name = preceded(space1, file_name(whole(input))).map(Some);
        preceded(tag(word), alt((name, value(None, (space0, eof))))).parse(input)
    })
}

/// The span of what is left of a line, without the blanks at its end.
fn whole(input: LineInput<'_>) -> Span {
    let len = input.fragment().trim_end_matches([' ', '\t']).len();
    Span::new(input.offset(), input.offset() + offset(len))
}
