//! SEARCH/REPLACE blocks in a model's reply: where they get their paths from, and markers that stand astray.
//!
//! How a block itself is read is in [`search_replace`]; see also grammar-notes/fences.md, "Paths of edit blocks".

use nom::{IResult, Input};

use super::fence::{fence, read_info};
use super::file_name::{Evidence, Piece, only_quoted_path, path_comment, path_line};
use super::input::{Mismatch, Read, line_input};
use super::lines::{Kind, Line, Lines};
use super::near_marker::stray_markers;
use super::search_replace;
use crate::ast::{Node, PathRef, PathSource, SearchReplace};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Span, slice};

/// How many lines of text between a fence and a SEARCH line may hold the path.
const LINES_INSIDE: usize = 3;

/// Where an edit block may have its path from, but for the lines directly above it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'s> {
    /// The path in the info string of the fence around it.
    pub(crate) info: Option<PathRef>,
    /// The lines above the fence, back to the node before.
    pub(crate) above: Lines<'s>,
    /// The path of the edit block before.
    pub(crate) inherited: Option<PathRef>,
}

/// Reads the edit blocks inside a fence, and names the markers that belong to none.
pub(crate) fn in_fence<'s>(body: Lines<'s>, around: Around<'s>) -> (Vec<Node>, Vec<Diagnostic>) {
    let mut nodes = Vec::new();
    let mut faults = Vec::new();
    let mut around = around;
    let mut rest = body;
    while let Some(next) = rest.position(|line| line.kind == Kind::Search) {
        let (from, gap) = rest.take_split(next);
        let Ok((after, read)) = edit_block(from, gap, around) else {
            break;
        };
        faults.extend(stray_markers(gap));
        faults.extend(read.faults);
        around = Around { above: body.take(0), ..around }.after(read.node.path);
        nodes.push(Node::SearchReplace(read.node));
        rest = after;
    }
    faults.extend(stray_markers(rest));
    (nodes, faults)
}

impl Around<'_> {
    /// What holds for the block that follows one with this path in the same fence.
    fn after(self, path: Option<PathRef>) -> Self {
        // A path nearer than the info string's holds for the blocks below it, too.
        let info = self.info.filter(|info| path.is_none_or(|path| path.span == info.span));
        let inherited = path.map(|path| PathRef { from: PathSource::Inherited, ..path });
        Self { info, inherited, ..self }
    }
}

/// Reads an edit block and finds its path. `gap` are the lines between the block before, or the fence, and this one.
pub(crate) fn edit_block<'s>(
    lines: Lines<'s>,
    gap: Lines<'s>,
    around: Around<'s>,
) -> IResult<Lines<'s>, Read<SearchReplace>, Mismatch> {
    let (rest, mut read) = search_replace::block(lines)?;
    read.node.path =
        path_inside(gap).or(around.info).or_else(|| path_above(around.above)).or(around.inherited);
    if read.node.path.is_none() && read.node.complete {
        read.faults.insert(0, missing_path(read.node.search_marker));
    }
    Ok((rest, read))
}

fn missing_path(at: Span) -> Diagnostic {
    Diagnostic::new(Code::MissingPath, "the edit block does not say which file it changes").at(at)
}

/// The path in the lines between a fence or the block before and a SEARCH line; the nearest one.
fn path_inside(gap: Lines<'_>) -> Option<PathRef> {
    let mut texts = 0;
    for &line in gap.tokens().iter().rev().filter(|line| line.kind != Kind::Blank) {
        if let Ok((_, fence)) = fence(line_input(gap, line)) {
            let info = Piece::new(slice(gap.source_text(), fence.info), fence.info.start);
            if let Some(span) = read_info(info).path {
                return Some(PathRef { span, from: PathSource::Info });
            }
            continue;
        }
        let found = commented_path(gap, line)
            .or_else(|| lone_path(gap, line))
            .or_else(|| if texts == 0 { quoted_path(gap, line) } else { None });
        texts += 1;
        if found.is_some() || texts == LINES_INSIDE {
            return found;
        }
    }
    None
}

/// The path in the last line of text above a fence.
fn path_above(above: Lines<'_>) -> Option<PathRef> {
    let is_fence = |line: Line| line.kind == Kind::Fence && fence(line_input(above, line)).is_ok();
    let &line = above.tokens().iter().rev().find(|&&line| line.kind != Kind::Blank && !is_fence(line))?;
    lone_path(above, line).or_else(|| quoted_path(above, line))
}

/// The path that is all that a line holds, decoration apart.
fn lone_path(lines: Lines<'_>, line: Line) -> Option<PathRef> {
    let piece = Piece::new(lines.text_of(line), lines.span_of(line).start);
    path_line(piece, Evidence::OwnLine).map(|span| PathRef { span, from: PathSource::Header })
}

fn commented_path(lines: Lines<'_>, line: Line) -> Option<PathRef> {
    path_comment(line_input(lines, line)).map(|span| PathRef { span, from: PathSource::Comment })
}

fn quoted_path(lines: Lines<'_>, line: Line) -> Option<PathRef> {
    let piece = Piece::new(lines.text_of(line), lines.span_of(line).start);
    only_quoted_path(piece).map(|span| PathRef { span, from: PathSource::Prose })
}

/// Whether a fence's body is nothing but whole edit blocks, their paths and blank lines.
pub(crate) fn are_all(body: Lines<'_>, children: &[Node]) -> bool {
    let mut blocks = children.iter().peekable();
    body.iter_elements().all(|line| {
        while blocks.peek().is_some_and(|block| block.span().end < line.start) {
            blocks.next();
        }
        let Some(Node::SearchReplace(block)) = blocks.peek() else {
            return line.kind == Kind::Blank || is_cut_fence(body.text_of(line));
        };
        let is_header = || block.path.is_some_and(|path| line.span().contains(path.span));
        block.complete && (line.kind == Kind::Blank || block.span.start <= line.end || is_header())
    })
}

/// A closing fence of which the end is missing, too.
fn is_cut_fence(text: &str) -> bool {
    let text = text.trim();
    text.chars().all(|c| c == '`') || text.chars().all(|c| c == '~')
}
