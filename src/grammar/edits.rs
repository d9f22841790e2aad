//! SEARCH/REPLACE blocks in a model's reply: where they get their paths from, and markers that stand astray.
//!
//! How a block itself is read is in [`search_replace`]; see also grammar-notes/fences.md, "Paths of edit blocks".

use nom::{IResult, Input};

use super::fence::{fence, read_info};
use super::file_name::{
    Evidence, Piece, is_path, may_be_same, mentions_other, only_quoted_path, path_comment, path_line,
};
use super::input::{Mismatch, Read, line_input};
use super::lines::{Kind, Line, Lines};
use super::near_marker::stray_markers;
use super::search_replace;
use crate::ast::{Node, PathRef, PathSource, SearchReplace};
use crate::diagnostic::{Code, Diagnostic};
use crate::language;
use crate::source::{Span, offset, slice};

/// How many lines of text between a fence and a SEARCH line may hold the path.
const LINES_INSIDE: usize = 3;

/// Where an edit block may have its path from, but for the lines directly above it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'s> {
    /// The path in the info string of the fence around it.
    pub(crate) info: Option<PathRef>,
    /// A name above that fence which is another file's.
    pub(crate) rival: Option<Span>,
    /// What may be meant as a path in that info string, and is none.
    pub(crate) unread: Option<Span>,
    /// The lines above the fence, back to the node before.
    pub(crate) above: Lines<'s>,
    /// The edit block before.
    pub(crate) before: Option<Before>,
    /// What stands between that block and the lines above.
    pub(crate) passed: &'s [Passed<'s>],
}

/// What was passed behind an edit block: the prose above a node, and the file of the node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed<'s> {
    pub(crate) prose: Lines<'s>,
    pub(crate) file: Option<Span>,
}

/// An edit block with a path, as the one below it may inherit that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before {
    path: PathRef,
    search: Span,
    replace: Span,
    end: u32,
    /// A broken block is told already, and gives no second error.
    complete: bool,
}

impl Before {
    /// What the block leaves to the one below it.
    pub(crate) fn new(block: &SearchReplace) -> Option<Self> {
        let path = PathRef { from: PathSource::Inherited, ..block.path? };
        Some(Self {
            path,
            search: block.search.span(),
            replace: block.replace.span(),
            end: block.span.end,
            complete: block.complete,
        })
    }

    /// The path that the block below it has.
    pub(crate) fn path(self) -> PathRef {
        self.path
    }

    /// The name of another file that is all of the last line of the second section, where the first one has neither it nor a
    /// line that is a name, and the block at the end of the lines follows right below: the REPLACE marker may have changed
    /// places with its path, so that it has this one from above.
    fn swallowed_path(self, path: PathRef, gap: Lines<'_>) -> Option<Span> {
        let text = gap.source_text();
        if !self.complete || path.span.start >= self.replace.end {
            return None;
        }
        let replace = slice(text, self.replace).trim_end();
        let start = memchr::memrchr(b'\n', replace.as_bytes()).map_or(0, |end| end + 1);
        let name = lone_name(Piece::new(replace, self.replace.start).skip(start))?;
        let search = slice(text, self.search);
        let is_of_text = || {
            search.contains(slice(text, name))
                || search.lines().any(|line| lone_name(Piece::new(line, 0)).is_some())
        };
        (!may_be_same(slice(text, name), slice(text, path.span)) && self.is_right_above(gap) && !is_of_text())
            .then_some(name)
    }

    /// Whether the lines up to the next block are none but blank ones and the fence that opens around that one.
    fn is_right_above(self, gap: Lines<'_>) -> bool {
        let between = slice(gap.source_text(), Span::new(self.end, gap.end().max(self.end)));
        let mut others = between.lines().map(str::trim_start).filter(|line| !line.is_empty());
        others.next().is_none_or(|line| line.starts_with("```") || line.starts_with("~~~"))
            && others.next().is_none()
    }
}

/// A line of an edit block that would be a heading with a path above another one.
fn lone_name(line: Piece<'_>) -> Option<Span> {
    let is_heading = !line.text.starts_with([' ', '\t', '"', '\'', '-', '+']);
    // Nearly always it is a line of code, and not looked at for long.
    let may_be_name = is_heading && !line.text.contains(['(', ')', '=', ';', '{', '}']);
    if may_be_name { path_line(line, Evidence::None) } else { None }
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
        around = Around { above: body.take(0), ..around }.after(&read.node);
        nodes.push(Node::SearchReplace(read.node));
        rest = after;
    }
    faults.extend(stray_markers(rest));
    (nodes, faults)
}

impl Around<'_> {
    /// What holds for the block that follows one with this path in the same fence.
    fn after(self, block: &SearchReplace) -> Self {
        // A path nearer than the info string's holds for the blocks below it, too.
        let info = self.info.filter(|info| block.path.is_none_or(|path| path.span == info.span));
        Self { info, before: Before::new(block), passed: &[], ..self }
    }
}

/// Reads an edit block and finds its path. `gap` are the lines between the block before, or the fence, and this one.
pub(crate) fn edit_block<'s>(
    lines: Lines<'s>,
    gap: Lines<'s>,
    around: Around<'_>,
) -> IResult<Lines<'s>, Read<SearchReplace>, Mismatch> {
    let (rest, mut read) = search_replace::block(lines.indented(own_indent(lines)))?;
    let rest = rest.indented(lines.indent());
    let path = path_inside(gap)
        .or(around.info)
        .or_else(|| path_above(around.above))
        .or(around.before.map(Before::path));
    let other = path.and_then(|path| {
        let is_new = read.node.search.is_empty() && path.from == PathSource::Inherited;
        let of_block = slice(gap.source_text(), path.span);
        let is_other = |name: &Span| !may_be_same(slice(gap.source_text(), *name), of_block);
        let name = |lines| lone_word(lines).or_else(|| introduced_name(lines).filter(is_other));
        let word = || if is_new { name(gap).or_else(|| name(around.above)) } else { None };
        other_path(path, gap, around).or_else(word)
    });
    read.node.path = path.filter(|_| other.is_none());
    if read.node.path.is_none() && read.node.complete {
        read.faults.insert(0, missing_path(read.node.search_marker, other));
    }
    Ok((rest, read))
}

/// How many columns the lines of a block that begins here lose: no more than its SEARCH line has, or what stands further
/// left than the fence around it would lose its own indentation.
fn own_indent(lines: Lines<'_>) -> u32 {
    let Some(marker) = lines.peek() else { return 0 };
    let spaces = lines.source_text().bytes().skip(marker.start as usize).take(lines.indent() as usize);
    offset(spaces.take_while(|&byte| byte == b' ').count())
}

fn missing_path(at: Span, other: Option<Span>) -> Diagnostic {
    let fault =
        Diagnostic::new(Code::MissingPath, "the edit block does not say which file it changes").at(at);
    match other {
        Some(other) => fault.with_related("the text above it speaks of this file", other),
        None => fault,
    }
}

/// Another path in the text between the place of a block's path and the block: the nearest one.
///
/// Such text may be meant to name the block's file, in a form that is not known. So the path further up is not taken.
fn other_path(path: PathRef, gap: Lines<'_>, around: Around<'_>) -> Option<Span> {
    if around.info == Some(path) && around.rival.is_some() {
        return around.rival;
    }
    let is_inherited = path.from == PathSource::Inherited;
    mention(gap, path)
        .or_else(|| around.unread.filter(|_| is_inherited))
        .or_else(|| {
            // Of what is further up the path of the block before tells alone.
            let passed = || around.passed.iter().rev().find_map(|passed| passed.other_path(path));
            if is_inherited { mention(around.above, path).or_else(passed) } else { None }
        })
        .or_else(|| around.before?.swallowed_path(path, gap))
        .or_else(|| headed_otherwise(path, gap))
}

/// The name of another file that is all of the line of text above the one that names a block within its words, where that
/// one does not introduce the block: the words may only tell of the file that they name.
fn headed_otherwise(path: PathRef, gap: Lines<'_>) -> Option<Span> {
    if path.from != PathSource::Prose || path.span.start < gap.start() {
        return None;
    }
    let texts = gap.tokens().iter().rev().filter(|line| line.kind != Kind::Blank);
    let mut texts = texts.skip_while(|line| line.start > path.span.start);
    texts.next().filter(|&&line| !gap.text_of(line).trim_end().ends_with(':'))?;
    let &above = texts.next()?;
    let name = lone_path(gap, above).or_else(|| commented_path(gap, above))?.span;
    let text = gap.source_text();
    (!may_be_same(slice(text, name), slice(text, path.span))).then_some(name)
}

/// The last of these lines, fences apart, if it is a single word that is no language and ends no sentence: it may be the name
/// of the file that a block creates, instead of an addition to that of the block before.
fn lone_word(lines: Lines<'_>) -> Option<Span> {
    let line = last_text(lines)?;
    let word =
        lines.text_of(line).trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '`' | '#' | '_'));
    let is_word = !word.contains(char::is_whitespace)
        && word.ends_with(char::is_alphanumeric)
        && word.starts_with(|c: char| c.is_alphanumeric() || c == '.')
        && !language::is_tag(word);
    is_word.then(|| lines.span_of(line))
}

/// The one word in backticks in the last of these lines, fences apart, if that introduces a block or is a heading, and the
/// word may be the name of a file, with whatever extension.
pub(crate) fn introduced_name(lines: Lines<'_>) -> Option<Span> {
    let line = last_text(lines)?;
    let text = Piece::new(lines.text_of(line), lines.span_of(line).start).trim();
    if !text.text.ends_with(':') && line.kind != Kind::Hash {
        return None;
    }
    let start = memchr::memchr(b'`', text.text.as_bytes())? + 1;
    let word = text.skip(start);
    let end = memchr::memchr(b'`', word.text.as_bytes())?;
    let word = word.head(end);
    let is_only = memchr::memchr(b'`', text.skip(start + end + 1).text.as_bytes()).is_none();
    (is_only && is_path(word.text, Evidence::OwnLine)).then(|| word.span())
}

/// The last of these lines that is neither blank nor of the kind of a fence.
fn last_text(lines: Lines<'_>) -> Option<Line> {
    lines.tokens().iter().rev().find(|line| !matches!(line.kind, Kind::Blank | Kind::Fence)).copied()
}

impl Passed<'_> {
    fn other_path(self, path: PathRef) -> Option<Span> {
        let text = self.prose.source_text();
        let is_other = |file: &Span| slice(text, *file) != slice(text, path.span);
        self.file.filter(is_other).or_else(|| mention(self.prose, path))
    }
}

/// The nearest word in the lines below the path, fences apart, that looks like another one.
fn mention(lines: Lines<'_>, path: PathRef) -> Option<Span> {
    let text = slice(lines.source_text(), path.span);
    let below = lines.tokens().iter().rev().take_while(|line| line.start >= path.span.end);
    below
        .filter(|line| !matches!(line.kind, Kind::Blank | Kind::Fence))
        .find_map(|&line| mentions_other(Piece::new(lines.text_of(line), lines.span_of(line).start), text))
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
pub(crate) fn path_above(above: Lines<'_>) -> Option<PathRef> {
    let is_fence = |line: Line| line.kind == Kind::Fence && fence(line_input(above, line)).is_ok();
    let &line = above.tokens().iter().rev().find(|&&line| line.kind != Kind::Blank && !is_fence(line))?;
    lone_path(above, line).or_else(|| commented_path(above, line)).or_else(|| quoted_path(above, line))
}

/// Whether a line names the file of an edit block, in one of the forms for it.
pub(crate) fn names_file(lines: Lines<'_>, line: Line) -> bool {
    lone_path(lines, line)
        .or_else(|| commented_path(lines, line))
        .or_else(|| quoted_path(lines, line))
        .is_some()
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
