//! Fenced code blocks, as models and CommonMark write them, with deliberate leniencies: any indentation, fences
//! behind a list marker, and pairs of fences inside a markdown block. See grammar-notes/fences.md.

mod extent;
mod in_edit;
mod info;
mod line;
mod unclear;

use nom::bytes::complete::take;
use nom::combinator::map_opt;
use nom::{IResult, Input, Parser};

use self::extent::{Extent, Nesting, extent};
use self::in_edit::{EarlyCloser, Turn, early_closer};
use self::info::{Doubt, Doubtful, Info, has_known_name, info_string};
use self::unclear::{
    closed_at_once, closed_in_edit, closed_with_signs, goes_on_as_diff, ignored_between, lost_opener,
    open_in_block, shown_edits, stray_fence, turned_inside_out, two_names, unread_edit, words_before,
};
use super::edits::{self, Around};
use super::file_name::{
    Piece, announces_part, introduces_other, keyed_comment, may_be_same, name_in_prose, starts_list_item,
};
use super::input::{Located, Mismatch, line_input};
use super::lines::{Kind, Line, Lines};
use super::unified_diff;
use crate::ast::{BlockEnd, BlockRole, CodeBlock, PathRef, PathSource, Text};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::language;
use crate::source::{Span, slice};

pub(crate) use extent::whole_edit_block;
pub(crate) use in_edit::closed_outside;
pub(crate) use info::info_string as read_info;
pub(crate) use line::{Fence, fence};

/// How many lines of prose above a block may name it.
const PROSE_LINES: usize = 3;

/// What stands around a code block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Above<'s> {
    /// The prose between the node before and the block.
    pub(crate) prose: Lines<'s>,
    /// What an edit block at the block's start may have its path from.
    pub(crate) around: Around<'s>,
}

/// A code block as it was read.
#[derive(Debug)]
pub(crate) struct Fenced {
    pub(crate) block: CodeBlock,
    pub(crate) faults: Vec<Diagnostic>,
    /// The opening fence.
    pub(crate) opener: Fence,
    /// Whether text of the block may follow its closing fence: a document's anywhere, and any file's where it goes on
    /// in the next line.
    pub(crate) may_go_on: bool,
}

/// Reads a code block from its opening fence on. Past the opening fence it never fails; a block without a closing
/// fence reaches to the end.
///
/// ```ebnf
/// code_block = opening_line , { ? a line that does not close the block ? } , [ fence , line_ending ] ;
/// ```
pub(crate) fn code_block<'s>(lines: Lines<'s>, above: Above<'_>) -> IResult<Lines<'s>, Fenced, Mismatch> {
    let (after, opener) = opening_line(lines)?;
    let text = lines.source_text();
    let (info, tag) = read_opener(lines, opener);
    let path = path(info, tag, after, above.prose);
    let rival = path.and_then(|path| rival(path, tag, above, text));
    let nesting = nesting(tag, path.map(|path| slice(text, path.span)), after, opener);
    let extent = extent(after, opener, nesting);
    let mut block = bare_block(lines, opener, info, path, &extent);
    if block
        .path
        .is_some_and(|path| path.from == PathSource::Prose && is_all(text, path.span, block.content.span()))
    {
        // The block only repeats its name, for what follows.
        block.path = None;
    }
    let unread = info.doubtful.filter(|found| info.path.is_none() && found.doubt != Doubt::Backslash);
    let unread = unread.map(|found| found.span);
    let above = Above { around: Around { rival, unread, ..above.around }, ..above };
    let mut faults = fill(&mut block, nesting, &extent, opener, &above);
    if block.role == BlockRole::File {
        faults.extend(rival.and_then(|rival| two_names(&mut block, rival)));
    }
    if block.path.is_none() && block.role == BlockRole::File {
        faults.extend(info.doubtful.map(doubtful_path));
    }
    let goes_on = || extent.rest.peek().is_some_and(|next| !matches!(next.kind, Kind::Blank | Kind::Fence));
    let may_go_on = nesting == Nesting::Markdown || goes_on();
    Ok((extent.rest, Fenced { block, faults, opener, may_go_on }))
}

/// The warning for what may be meant as a path in the info string.
fn doubtful_path(path: Doubtful) -> Diagnostic {
    let message = match path.doubt {
        Doubt::Words => {
            "the block is no file: other words stand before the path in its info string, or another path; write `file=\"path\"`"
        }
        Doubt::Value => {
            "the block is no file: its info string gives a file this name, but no file is named so"
        }
        Doubt::Backslash => {
            "the block is no file: with its backslash this may be a path or a language; write `file=\"path\"`"
        }
    };
    Diagnostic::new(Code::IgnoredText, message).at(path.span)
}

/// ```ebnf
/// opening_line = fence , line_ending ;
/// ```
fn opening_line(lines: Lines<'_>) -> IResult<Lines<'_>, Fence, Mismatch> {
    map_opt(take(1_usize), |line: Lines<'_>| {
        let found = line.peek().filter(|found| found.kind == Kind::Fence)?;
        fence(line_input(line, found)).ok().map(|(_, fence)| fence)
    })
    .parse(lines)
}

/// The block without what is inside.
fn bare_block(
    lines: Lines<'_>,
    opener: Fence,
    info: Info,
    path: Option<PathRef>,
    extent: &Extent<'_>,
) -> CodeBlock {
    CodeBlock {
        span: Span::new(opener.run.start, lines.end_before(extent.rest)),
        opener: opener.run,
        info: opener.info,
        language: info.language,
        path,
        content: content(extent.body.indented(opener.column)),
        body: Span::new(extent.body.start(), extent.body.end()),
        end: extent.closer.map_or(BlockEnd::Missing, |closer| BlockEnd::Closed(closer.run)),
        role: BlockRole::File,
        children: Vec::new(),
    }
}

/// The body without the fence's indentation and the blank lines at both ends.
fn content(body: Lines<'_>) -> Text {
    let is_text = |line: &Line| line.kind != Kind::Blank;
    let lines = body.tokens();
    let first = lines.iter().position(is_text).unwrap_or(lines.len());
    let end = lines.iter().rposition(is_text).map_or(first, |last| last + 1);
    let kept = body.take(end).take_from(first);
    let span = Span::new(kept.start(), kept.end());
    let cuts_some = |line: Line| kept.span_of(line).start != line.start;
    if body.indent() == 0 || !kept.iter_elements().any(cuts_some) {
        return Text::contiguous(span);
    }
    Text::pieces(span, kept.iter_elements().map(|line| kept.span_of(line)).collect())
}

/// Whether the content is nothing but the path.
fn is_all(text: &str, path: Span, content: Span) -> bool {
    slice(text, content).trim() == slice(text, path)
}

/// The path of the file that the block is: from the info string, else a comment on the first line, else the prose.
fn path(info: Info, tag: &str, body: Lines<'_>, prose: Lines<'_>) -> Option<PathRef> {
    let found = |from: PathSource| move |span: Span| PathRef { span, from };
    info.path
        .map(found(PathSource::Info))
        .or_else(|| first_comment(body).map(found(PathSource::Comment)))
        .or_else(|| from_prose(prose, tag).map(found(PathSource::Prose)))
}

/// The name that the block, or an edit block in it, would have from above, where only a separator makes the word in the
/// info string a path, of another file: that word may be a language with a stray sign in it.
fn rival(path: PathRef, tag: &str, above: Above<'_>, text: &str) -> Option<Span> {
    let word = slice(text, path.span);
    if path.from != PathSource::Info || has_known_name(word) {
        return None;
    }
    from_prose(above.prose, tag)
        .or_else(|| edits::path_above(above.around.above).map(|name| name.span))
        .filter(|name| !may_be_same(slice(text, *name), word))
}

fn first_comment(body: Lines<'_>) -> Option<Span> {
    let first = body.iter_elements().find(|line| line.kind != Kind::Blank)?;
    if matches!(first.kind, Kind::Fence | Kind::Search) {
        return None;
    }
    keyed_comment(line_input(body, first))
}

/// The path in the nearest of the lines of prose above that names one. A line above the block's own heading, or in an
/// item of its list before its own, tells of something else.
fn from_prose(prose: Lines<'_>, tag: &str) -> Option<Span> {
    let mut in_item = false;
    for &line in prose.tokens().iter().rev().filter(|line| line.kind != Kind::Blank).take(PROSE_LINES) {
        let text = prose.text_of(line);
        let is_item = starts_list_item(text);
        if is_item && in_item {
            return None;
        }
        let name = name_in_prose(Piece::new(text, line.start));
        let ends =
            line.kind == Kind::Hash || announces_part(text) || (is_terminal(tag) && introduces_other(text));
        if name.is_some() || ends {
            return name;
        }
        in_item |= is_item;
    }
    None
}

/// Whether a block with this tag usually shows commands or what they print.
fn is_terminal(tag: &str) -> bool {
    const TAGS: &[&str] =
        &["", "bash", "console", "output", "powershell", "sh", "shell", "terminal", "text", "zsh"];
    is_tag(tag, TAGS)
}

/// Whether a block with this tag is a document that may hold blocks itself.
pub(crate) fn is_markdown(tag: &str) -> bool {
    is_tag(tag, &["markdown", "md", "mdx"])
}

/// Whether a block with this tag is a diff.
pub(crate) fn is_diff(tag: &str) -> bool {
    is_tag(tag, &["diff", "patch", "udiff"])
}

fn is_tag(tag: &str, known: &[&str]) -> bool {
    known.iter().any(|known| tag.eq_ignore_ascii_case(known))
}

/// How the block's closing fence is looked for.
fn nesting(tag: &str, path: Option<&str>, body: Lines<'_>, opener: Fence) -> Nesting {
    let inferred = if tag.is_empty() { path.map_or("", language::infer) } else { tag };
    let is_diff = match tag {
        // A diff that is itself the file stays one: its name says so.
        "" => inferred != "diff" && starts_with_header(body),
        _ => is_diff(tag) && !starts_with_edit(body, opener),
    };
    if is_diff {
        Nesting::Diff
    } else if is_markdown(inferred) {
        Nesting::Markdown
    } else {
        Nesting::Flat
    }
}

fn starts_with_header(body: Lines<'_>) -> bool {
    let blank = body.position(|line| line.kind != Kind::Blank).unwrap_or(0);
    unified_diff::starts_file(body.take_from(blank))
}

/// Whether a block that calls itself a diff has a SEARCH/REPLACE block before any part of a diff.
fn starts_with_edit(body: Lines<'_>, opener: Fence) -> bool {
    for (index, line) in body.iter_indices() {
        match line.kind {
            Kind::Search => return whole_edit_block(body.take_from(index)).is_some(),
            Kind::HunkHeader | Kind::DiffStart | Kind::NewName => return false,
            Kind::Fence if fence(line_input(body, line)).is_ok_and(|(_, found)| found.closes(opener)) => {
                return false;
            }
            _ => {}
        }
    }
    false
}

/// Reads what is inside the block and says what is wrong with it.
fn fill(
    block: &mut CodeBlock,
    nesting: Nesting,
    extent: &Extent<'_>,
    opener: Fence,
    above: &Above<'_>,
) -> Vec<Diagnostic> {
    let body = extent.body.indented(opener.column);
    let mut faults = Vec::new();
    if nesting == Nesting::Diff {
        block.role = BlockRole::Diff;
        (block.children, faults) = unified_diff::diff_block(body, opener.run);
        faults.extend(unified_diff::below_fence(&block.children, extent.rest.indented(opener.column)));
    } else if extent.seen.has_markers {
        let info = block.path.filter(|path| path.from == PathSource::Info);
        let inside = Around { info, ..above.around };
        (block.children, faults) = edits::in_fence(body, inside);
        if !block.children.is_empty() {
            block.role = BlockRole::Edits;
            faults.extend(shown_edits(block, body));
            faults.extend(ignored_between(block, body));
        }
    }
    let lost = match extent.seen.has_fence || extent.seen.inner_opener.is_some() {
        true => lost_opener(above.prose, opener, || {
            extent.seen.inner_opener.or_else(|| named_fence(block, extent))
        }),
        false => None,
    };
    let early = match block.role {
        BlockRole::Edits if extent.seen.has_fence_in_edit => {
            early_closer(extent.body, &block.children, opener)
        }
        _ => None,
    };
    match block.role {
        BlockRole::File => {
            if extent.body.is_empty() {
                faults.extend(closed_at_once(block, extent, above.prose));
            } else if nesting == Nesting::Flat && opener.is_bare() {
                faults.extend(turned_inside_out(block, opener, body, extent));
            }
            file_faults(block, nesting, extent, body, lost, &mut faults);
        }
        BlockRole::Edits => {
            let inner = extent.seen.inner_opener;
            faults.extend(lost.or_else(|| inner.and_then(|inner| words_before(block, body, inner))));
        }
        _ => {}
    }
    if let Some(early) = early.filter(|early| early.turn == Turn::Closes && block.end != BlockEnd::Missing) {
        let is_program = early.within_program && nesting == Nesting::Flat;
        if is_program || !edits::are_all(body, &block.children) {
            faults.push(closed_in_edit(block, early.fence));
        }
    }
    if block.end == BlockEnd::Missing && !is_cut_off(&faults) {
        faults.insert(0, unterminated(block, body, early));
    }
    faults
}

/// The first fence in a block without a name, of whatever character and length, that would open a block with one.
fn named_fence(block: &CodeBlock, extent: &Extent<'_>) -> Option<Fence> {
    let body = extent.body;
    let names = |(index, line): (usize, Line)| {
        let (_, found) = fence(line_input(body, line)).ok()?;
        let (info, tag) = read_opener(body, found);
        path(info, tag, body.take_from(index + 1), body.take(index)).map(|_| found)
    };
    let is_shown = block.path.is_none() && block.role == BlockRole::File && extent.seen.has_fence;
    let mut fences = body.iter_indices().filter(|(_, line)| is_shown && line.kind == Kind::Fence);
    fences.find_map(names)
}

/// The info string of an opening fence, and the tag in it.
fn read_opener(lines: Lines<'_>, opener: Fence) -> (Info, &str) {
    let text = lines.source_text();
    let info = info_string(Piece::new(slice(text, opener.info), opener.info.start));
    (info, info.language.map(|span| slice(text, span)).unwrap_or_default())
}

/// Says what is wrong with a block that is a file, or shows code; `lost` is the fault of its fence, where that may be a
/// closing one.
fn file_faults(
    block: &mut CodeBlock,
    nesting: Nesting,
    extent: &Extent<'_>,
    body: Lines<'_>,
    lost: Option<Diagnostic>,
    faults: &mut Vec<Diagnostic>,
) {
    if let Some(fault) = unread_edit(block, body).or_else(|| goes_on_as_diff(block, body, extent)) {
        faults.push(fault);
    }
    match extent.seen.inner_opener {
        Some(inner) => {
            let told = lost.filter(|_| block.path.is_none());
            faults.push(told.unwrap_or_else(|| open_in_block(block, inner)));
        }
        None if lost.is_some() => faults.extend(lost),
        None if nesting == Nesting::Flat && extent.seen.has_fence => {
            let spoilt = extent.seen.spoilt_closer.and_then(|spoilt| closed_with_signs(block, spoilt));
            faults.extend(spoilt.or_else(|| stray_fence(block, body)));
        }
        None => {}
    }
}

/// Whether the fault is told already: the input ends in the middle of an edit block.
fn is_cut_off(faults: &[Diagnostic]) -> bool {
    faults.iter().any(|fault| fault.code == Code::UnterminatedBlock)
}

fn unterminated(block: &CodeBlock, body: Lines<'_>, early: Option<EarlyCloser>) -> Diagnostic {
    let fault =
        Diagnostic::new(Code::UnterminatedFence, "the code block has no closing fence").at(block.opener);
    let fault = match early {
        Some(early) => {
            let related = match early.turn {
                Turn::Closes => "this fence may close it, or be a line of the edit",
                Turn::OpensNext => "this fence may open another block, or be a line of the edit",
            };
            fault.with_related(related, early.fence)
        }
        None => fault,
    };
    let harmless = early.is_none() && block.role == BlockRole::Edits && edits::are_all(body, &block.children);
    if harmless { fault.with_severity(Severity::Warning) } else { fault }
}
