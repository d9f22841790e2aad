//! Fenced code blocks, as models and CommonMark write them, with deliberate leniencies: any indentation, fences
//! behind a list marker, and pairs of fences inside a markdown block. See grammar-notes/fences.md.

mod extent;
mod in_edit;
mod info;
mod inside;
mod line;
mod unclear;

use nom::bytes::complete::take;
use nom::combinator::map_opt;
use nom::{IResult, Input, Parser};

use self::extent::{Extent, Nesting, extent};
use self::info::{Doubt, Doubtful, Info, has_known_name, info_string};
use self::inside::fill;
use self::unclear::{two_names, unread_name};
use super::edits::{self, Around};
use super::file_name::{
    Piece, announces_part, has_extension, introduces_other, keyed_comment, may_be_same, name_in_prose,
    starts_list_item,
};
use super::input::{Located, Mismatch, line_input};
use super::lines::{Kind, Line, Lines};
use super::unified_diff;
use crate::ast::{BlockEnd, BlockRole, CodeBlock, PathRef, PathSource, Text};
use crate::diagnostic::{Code, Diagnostic};
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
    let mut block = bare_block(lines, info, path, &extent);
    let around = Around { rival, unread: info.unread(), ..above.around };
    let mut faults = fill(&mut block, &extent, above.prose, around);
    if block.role == BlockRole::File {
        // Words that would name an edit block alone are no name of a file.
        let rival = rival.filter(|_| from_prose(above.prose, tag).is_some());
        faults.extend(rival.and_then(|rival| two_names(&mut block, rival)));
        if block.path.is_none() {
            let unread = || unread_name(above.prose).filter(|_| from_prose(above.prose, tag).is_none());
            faults.extend(info.doubtful.map(doubtful_path).or_else(unread));
        }
    }
    let may_go_on = nesting == Nesting::Markdown || extent.text_below().is_some();
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
        Doubt::Extension => {
            "the block is no file: this may be its name, but the extension is not a known one; write `file=\"path\"`"
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
fn bare_block(lines: Lines<'_>, info: Info, path: Option<PathRef>, extent: &Extent<'_>) -> CodeBlock {
    let opener = extent.opener;
    let content = content(extent.inside());
    // A block that only repeats its name has it for what follows.
    let is_name = |path: &PathRef| {
        path.from == PathSource::Prose && is_all(lines.source_text(), path.span, content.span())
    };
    CodeBlock {
        span: Span::new(opener.run.start, lines.end_before(extent.rest)),
        opener: opener.run,
        info: opener.info,
        language: info.language,
        path: path.filter(|path| !is_name(path)),
        content,
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
    let is_keyed = || slice(text, Span::new(0, path.span.start)).ends_with(['=', '"', '\'']);
    if path.from != PathSource::Info || has_known_name(word) || has_extension(word) || is_keyed() {
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

/// The info string of an opening fence, and the tag in it.
fn read_opener(lines: Lines<'_>, opener: Fence) -> (Info, &str) {
    let text = lines.source_text();
    let info = info_string(Piece::new(slice(text, opener.info), opener.info.start));
    (info, info.language.map(|span| slice(text, span)).unwrap_or_default())
}
