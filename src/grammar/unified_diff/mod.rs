//! Unified diffs: what git, GNU diff and Subversion write, and what models make of it.
//!
//! Deliberate leniencies: hunk headers without or with wrong numbers, blank context lines that lost their space,
//! prose before, between and after, a diff that is indented as a whole, files without a `diff --git` line, CRLF
//! anywhere. Which lines a hunk has when its counts do not fit is left open here ([`Extent`](crate::ast::Extent)): the
//! file decides.
//!
//! See grammar-notes/unified-diff.md.

mod around;
mod below;
mod conflict;
mod fault;
mod header;
mod hunk;
mod layout;
mod lost_sign;
mod missing;
mod name;
mod split;

pub(crate) use around::{above_fence, above_header};
pub(crate) use below::changes_code;
pub(crate) use name::{is_epoch, unescape};
pub(crate) use split::{below_fence, signed_below};

use nom::multi::many0_count;
use nom::sequence::preceded;
use nom::{IResult, Input, Parser};

use self::header::{Headers, headers};
use self::hunk::{Body, ends_hunk, hunk_body, hunk_header};
use self::layout::{Layout, Place, blank_line};
use self::lost_sign::{End, line_below, list_below, lost_sign};
use self::split::below_other;
use super::fence::fence;
use super::input::{Located, Mismatch, Read, line_input};
use super::lines::{Kind, Line, Lines};
use crate::ast::{FilePatch, Hunk, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::cases;
use crate::source::Span;

/// Whether a file's section of a diff starts here, in prose: at `diff --git`, `Index: ` with its rule, `Binary files`,
/// or at `---`, `+++`, `@@` on three successive lines. The lines may be indented.
pub(crate) fn starts_file(lines: Lines<'_>) -> bool {
    let (layout, lines) = Layout::of(lines, Place::Prose);
    header::starts_file(lines, layout)
}

/// Whether a hunk starts here, in prose, that belongs to no file: only where its header has numbers and its body adds or
/// removes something, or else it may be words. It is read as a section without headers, whose file is missing.
pub(crate) fn starts_lone_hunk(lines: Lines<'_>) -> bool {
    let (layout, lines) = Layout::of(lines, Place::Prose);
    hunk::is_surely_hunk(layout, lines)
}

/// The section of one file, in prose.
///
/// ```ebnf
/// file_patch = headers , [ { blank_line } , hunk , { prose_between_hunks , hunk } ] ;
/// ```
pub(crate) fn file_patch(lines: Lines<'_>) -> IResult<Lines<'_>, Read<FilePatch>, Mismatch> {
    section(lines, Place::Prose)
}

/// The body of a fence that is tagged as a diff; `opener` is where a fault of the whole stands.
///
/// A section may start at `---` or `+++` without the other, and even at `@@`: then its file is missing, which is an
/// error.
///
/// ```ebnf
/// diff_block = { file_patch | ? a line at which no file starts ? } ;
/// ```
pub(crate) fn diff_block(mut lines: Lines<'_>, opener: Span) -> (Vec<Node>, Vec<Diagnostic>) {
    let (mut nodes, mut faults) = (Vec::new(), Vec::new());
    let mut written = false;
    let mut after_section = lines;
    let is_text = |line: &&Line| !matches!(line.kind, Kind::Blank | Kind::Fence);
    let last_text = lines.tokens().iter().rev().find(is_text).map_or(0, |line| line.start);
    while let Some(first) = lines.peek() {
        written |= first.kind != Kind::Blank;
        match section(lines, Place::Fence) {
            Ok((rest, Read { node: mut patch, faults: of_patch })) => {
                faults.extend(above_header(&mut patch, after_section.before(lines)));
                nodes.push(Node::FilePatch(Box::new(patch)));
                faults.extend(of_patch);
                (lines, after_section) = (rest, rest);
            }
            Err(_) => {
                let other = other_edit(lines)
                    .or_else(|| nodes.last().and_then(|_| fence_above(lines, last_text)))
                    .filter(|_| !faults.iter().any(|fault| fault.code == Code::UnterminatedFence));
                faults.extend(other.map(|other| open_below_diff(opener, other)));
                lines = lines.take_from(1);
            }
        }
    }
    if written && !nodes.iter().any(has_header) {
        faults.retain(|fault| fault.code != Code::MissingPath);
        let fault =
            Diagnostic::new(Code::MissingPath, fault::NAMELESS).with_remedy(&cases::NAMELESS_DIFF).at(opener);
        let hunk = nodes.first().map(Node::span);
        faults.insert(
            0,
            hunk.map_or(fault.clone(), |hunk| fault.with_related("no file header stands above this", hunk)),
        );
    }
    (nodes, faults)
}

/// A fence with an info string or a marker of a SEARCH/REPLACE block at the first line, which no diff holds.
fn other_edit(lines: Lines<'_>) -> Option<Span> {
    let first = lines.peek()?;
    let is_other = match first.kind {
        Kind::Fence => fence(line_input(lines, first)).is_ok_and(|(_, fence)| !fence.is_bare()),
        Kind::Search | Kind::Replace => true,
        _ => false,
    };
    is_other.then(|| lines.span_of(first))
}

/// A fence at the first line, above the last line of text: behind a section of a diff it begins or ends another block.
fn fence_above(lines: Lines<'_>, last_text: u32) -> Option<Span> {
    let first = lines.peek().filter(|first| first.kind == Kind::Fence && first.start < last_text)?;
    Some(lines.span_of(first))
}

/// The fault of a diff block whose closing fence seems to be lost.
fn open_below_diff(opener: Span, other: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UnterminatedFence,
        "the diff block goes on with what is no diff: its closing fence is missing",
    )
    .at(opener)
    .with_related("this is no part of a diff", other)
}

/// Whether a section has more than hunks.
fn has_header(node: &Node) -> bool {
    match node {
        Node::FilePatch(patch) => {
            patch.git.is_some() || patch.old.is_some() || patch.new.is_some() || !patch.headers.is_empty()
        }
        _ => false,
    }
}

fn section(lines: Lines<'_>, place: Place) -> IResult<Lines<'_>, Read<FilePatch>, Mismatch> {
    let indent = lines.indent();
    let (layout, lines) = Layout::of(lines, place);
    if !header::starts_file(lines, layout) && !hunk::is_surely_hunk(layout, lines) {
        return Err(nom::Err::Error(Mismatch));
    }
    let (mut rest, Headers { git, extended, old, new, combined }) = headers(layout)(lines)?;
    let (mut hunks, mut faults) = (Vec::new(), Vec::new());
    let mut next = preceded(many0_count(blank_line), hunk(layout)).parse(rest);
    while let Ok((after, read)) = next {
        faults.extend(read.faults);
        hunks.push(read.node);
        rest = after;
        next = preceded(prose_between_hunks(layout), hunk(layout)).parse(rest);
    }
    if rest.input_len() == lines.input_len() {
        // A section has at least a line, or whoever reads on would stand still.
        return Err(nom::Err::Error(Mismatch));
    }
    let span = Span::new(lines.offset(), lines.end_before(rest));
    let mut node = FilePatch { span, git, headers: extended, old, new, hunks, fault: None };
    faults.extend(around::between_hunks(&node, lines.source_text()));
    faults.extend(fault::of_file(&node, combined, lines.source_text()));
    if place == Place::Prose {
        faults.extend(fault::split_header(&node, rest));
    }
    faults.sort_by_key(|fault| fault.span);
    node.fault = faults.iter().find(|fault| fault.is_error()).map(|fault| fault.code);
    Ok((rest.indented(indent), Read { node, faults }))
}

/// ```ebnf
/// hunk = hunk_header , hunk_body ;
/// ```
fn hunk<'s>(layout: Layout) -> impl Fn(Lines<'s>) -> IResult<Lines<'s>, Read<Hunk>, Mismatch> {
    move |lines| {
        let (below, header) = hunk_header(layout)(lines)?;
        let (rest, mut body) = hunk_body(layout, header.ranges)(below)?;
        let lost = lost_sign(layout, &body, rest).filter(|_| body.broken_header.is_none());
        body.drop_blank_end(lines.source_text());
        let end = End {
            lost,
            split: below_other(layout, &body, rest),
            unsigned: line_below(layout, &body, rest),
            list: list_below(layout, &body, lines.source_text()),
        };
        let faults = fault::of_hunk(header, &body, end, lines.source_text());
        let Body { lines: hunk_lines, markers, extent, .. } = body;
        let span = Span::new(lines.offset(), lines.end_before(rest));
        Ok((
            rest,
            Read {
                node: Hunk { span, header, lines: hunk_lines, extent, no_newline_markers: markers },
                faults,
            },
        ))
    }
}

/// Text between two hunks of one file. It ends at a hunk header, and is none where something else begins before.
///
/// ```ebnf
/// prose_between_hunks = { ? a line at which no hunk, file, fence or SEARCH/REPLACE block starts ? } ;
/// ```
fn prose_between_hunks<'s>(layout: Layout) -> impl Fn(Lines<'s>) -> IResult<Lines<'s>, (), Mismatch> {
    move |lines| {
        let count = (0..lines.input_len()).take_while(|&index| !ends_hunk(layout, lines, index)).count();
        match layout.is_hunk_header(lines, count) {
            true => Ok((lines.take_from(count), ())),
            false => Err(nom::Err::Error(Mismatch)),
        }
    }
}

#[cfg(test)]
mod tests;
