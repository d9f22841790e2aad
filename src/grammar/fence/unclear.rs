//! Blocks that can be read in two ways, and text in them that is passed over: each is told, as an error where one of the
//! readings would be a wrong edit. See grammar-notes/fences.md, "How the unclear is decided".

use nom::Input;

use super::extent::{Extent, Nesting};
use super::in_edit::{EarlyCloser, Turn, has_hidden_fence};
use super::line::{Fence, fence};
use crate::ast::{BlockEnd, CodeBlock, Node, PathRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::cases;
use crate::grammar::edits;
use crate::grammar::file_name::{
    Evidence, Piece, ends_as_prose, has_extension, has_separator, is_path, path_line, starts_list_item,
};
use crate::grammar::foreign;
use crate::grammar::input::line_input;
use crate::grammar::lines::{Kind, Line, Lines};
use crate::grammar::unified_diff;
use crate::language;
use crate::source::{Span, slice};

/// The fault of a block with another name above it than in its info string; it is neither file.
pub(super) fn two_names(block: &mut CodeBlock, rival: Span) -> Option<Diagnostic> {
    let path = block.path.take()?;
    let message = "the block has two names, one in its info string and one above it; leave one of them away";
    let fault = Diagnostic::new(Code::MissingPath, message).at(path.span);
    Some(fault.with_related("the text above it speaks of this file", rival))
}

/// The warning for a block below a line that may name its file, but for the extension, which is not a known one.
pub(super) fn unread_name(prose: Lines<'_>) -> Option<Diagnostic> {
    let line = prose.iter_elements().rfind(|line| line.kind != Kind::Blank)?;
    let piece = Piece::new(prose.text_of(line), prose.span_of(line).start);
    if !may_hold_extension(piece.text.as_bytes()) {
        return None;
    }
    let text = |name: &Span| slice(prose.source_text(), *name);
    // Where a colon follows, a name without a separator may be that of a module or a domain.
    let is_file = |name: &Span| has_separator(text(name)) || !ends_as_prose(piece.text.trim());
    let is_unknown = |name: &Span| has_extension(text(name)) && !is_path(text(name), Evidence::None);
    let name = path_line(piece, Evidence::OwnLine).or_else(|| edits::introduced_name(prose))?;
    if !is_file(&name) || !is_unknown(&name) {
        return None;
    }
    let message = "the block is no file: this may be its name, but the extension is not a known one; write `File: path`";
    Some(Diagnostic::new(Code::IgnoredText, message).at(name))
}

/// A quick look: in nearly every line no dot has more of a word behind it.
fn may_hold_extension(line: &[u8]) -> bool {
    let goes_on = |next: &u8| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'-');
    let is_inside = |dot: usize| line.get(dot + 1).is_some_and(goes_on);
    memchr::memchr_iter(b'.', line).any(is_inside)
}

/// The fault of a block that is named as a file and empty, with text right below or above it: that may be its content, and
/// the fence between one of two opening ones, or of two closing ones.
pub(super) fn closed_at_once(block: &CodeBlock, extent: &Extent<'_>, prose: Lines<'_>) -> Option<Diagnostic> {
    let closer = extent.closer.filter(|_| block.path.is_some() && extent.body.is_empty())?;
    let fault = |message| Diagnostic::new(Code::AmbiguousNesting, message).at(block.opener);
    let path = slice(prose.source_text(), block.path?.span);
    let is_prose = |text: &str| !is_document(language::infer(path)) && reads_as_sentence(text);
    let below = extent.text_below().filter(|below| !is_prose(extent.rest.text_of(*below)));
    if let Some(below) = below {
        let message =
            "the block may be empty, or hold the text below it; a blank line above that text would tell";
        return Some(
            fault(message)
                .with_related("this fence may close the block, or open it", closer.run)
                .with_related("this line follows it", extent.rest.span_of(below)),
        );
    }
    let &above = prose.tokens().last().filter(|_| !is_introduced(prose))?;
    let text = prose.text_of(above);
    if (starts_list_item(text) && text.trim().contains(' ')) || is_label(text) || is_prose(text) {
        return None;
    }
    let message =
        "the block may be empty, or hold the text above it; a blank line below that text would tell";
    Some(fault(message).with_related("this line stands above it", prose.span_of(above)))
}

/// Whether a line reads as a sentence, as no line of a program does: it begins with a word with a capital letter, and has two
/// more and a stop, or four more, all of letters alone or in backticks.
fn reads_as_sentence(line: &str) -> bool {
    const SIGNS: [char; 6] = [',', '.', ':', ';', '!', '?'];
    let is_word = |word: &str| {
        let word = word.trim_end_matches(SIGNS);
        let is_code = word.len() > 2 && word.starts_with('`') && word.ends_with('`');
        is_code || word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
    };
    let line = line.trim();
    let mut first = line.chars();
    let is_capital =
        first.next().is_some_and(char::is_uppercase) && !first.next().is_some_and(char::is_uppercase);
    let words = line.split_whitespace().count();
    is_capital && words >= if ends_as_prose(line) { 3 } else { 5 } && line.split_whitespace().all(is_word)
}

/// Whether a line is all in bold type, or of tags.
fn is_label(line: &str) -> bool {
    let line = line.trim();
    let is_between = |start: &str, end: &str| line.starts_with(start) && line.ends_with(end);
    is_between("**", "**") || is_between("__", "__") || is_between("<", ">")
}

/// What is wrong with a block that begins as an edit in a form that is not read: as a file's content an error, but for
/// files that may begin so, and else a warning.
pub(super) fn unread_edit(block: &CodeBlock, body: Lines<'_>) -> Option<Diagnostic> {
    match block.path {
        Some(path) => foreign::edit_as_content(body).filter(|_| !shows_edits(path, body.source_text())),
        None => foreign::ignored_edit_in_fence(body),
    }
}

/// The fault of a block named as a file that has a section of a diff in it, with lines right below it that go on with
/// that: the closing fence may be a line of the diff, or the opening one stand above the file's end.
pub(super) fn goes_on_as_diff(block: &CodeBlock, extent: &Extent<'_>) -> Option<Diagnostic> {
    let path = block.path.filter(|_| extent.closer.is_some())?;
    let body = extent.inside();
    // Nearly always no such line follows, and the text is not looked at.
    let below = unified_diff::signed_below(extent.rest.indented(body.indent()))?;
    let starts_section = |(index, line): &(usize, Line)| {
        matches!(line.kind, Kind::DiffStart | Kind::OldName)
            && unified_diff::starts_file(body.take_from(*index))
    };
    let (_, header) = body.iter_indices().find(starts_section)?;
    if shows_edits(path, body.source_text()) {
        return None;
    }
    let message =
        "the block is a file with a diff in it, and the lines below its closing fence go on with that diff";
    let fault = Diagnostic::new(Code::MalformedHunk, message).with_remedy(&cases::DIFF_IN_FILE);
    Some(
        fault
            .at(block.opener)
            .with_related("the diff begins here", body.span_of(header))
            .with_related("this line goes on with it", below),
    )
}

/// Whether a file may be made of edits, or show them.
fn shows_edits(path: PathRef, text: &str) -> bool {
    matches!(language::infer(slice(text, path.span)), "diff" | "markdown")
}

/// The fault of a block named as a file that has edit blocks of other files among its text: it may be meant as a file
/// that shows them.
pub(super) fn shown_edits(block: &CodeBlock, body: Lines<'_>) -> Option<Diagnostic> {
    let path = block.path?;
    let text = body.source_text();
    let is_for_itself = |node: &Node| match node {
        Node::SearchReplace(edit) => {
            edit.path.is_some_and(|to| slice(text, to.span) == slice(text, path.span))
        }
        _ => false,
    };
    if block.children.iter().all(is_for_itself) || edits::are_all(body, &block.children) {
        return None;
    }
    let message = "the edit blocks in this block may be edits to make, or text of the file that it names";
    Some(Diagnostic::new(Code::AmbiguousNesting, message).at(block.opener))
}

/// What is told of text among the edit blocks of a fence: that it looks like an edit in another form, or belongs to none.
pub(super) fn ignored_between(block: &CodeBlock, body: Lines<'_>) -> Option<Diagnostic> {
    let mut rest = body;
    let mut other = None;
    for edit in &block.children {
        let above = rest.position(|line| line.start >= edit.span().start).unwrap_or(rest.input_len());
        let gap = rest.take(above);
        if let Some(found) = foreign::ignored_between_edits(gap) {
            return Some(found);
        }
        if other.is_none() {
            other = other_text(gap);
        }
        rest = rest.take_from(above);
        let below = rest.position(|line| line.start >= edit.span().end).unwrap_or(rest.input_len());
        rest = rest.take_from(below);
    }
    // Behind the last block of a fence without its end stands the rest of the reply.
    let behind = || if block.end == BlockEnd::Missing { None } else { other_text(rest) };
    foreign::ignored_between_edits(rest).or(other).or_else(behind)
}

/// The finding for a fence of edit blocks with words in it above a further fence: the fence may close a block above, whose
/// opening one is missing.
pub(super) fn words_before(block: &CodeBlock, body: Lines<'_>, inner: Fence) -> Option<Diagnostic> {
    let are_words = |line: &Line| line.kind == Kind::Text && !edits::names_file(body, *line);
    let mut above = body.iter_elements().take_while(|line| line.start < inner.run.start);
    above.find(are_words).map(|_| fence_as_text(block, inner))
}

/// Lines among edit blocks that are neither prose, comments nor names: text of an edit whose marker has lost its place,
/// perhaps.
fn other_text(lines: Lines<'_>) -> Option<Diagnostic> {
    let is_other = |line: &Line| match line.kind {
        Kind::Text => {
            let text = lines.text_of(*line);
            !(is_comment(text) || ends_as_prose(text) || edits::names_file(lines, *line))
        }
        _ => false,
    };
    let line = lines.iter_elements().find(is_other)?;
    let message = "the text among the edit blocks belongs to none of them and is ignored";
    Some(Diagnostic::new(Code::IgnoredText, message).at(lines.span_of(line)))
}

fn is_comment(text: &str) -> bool {
    ["//", "/*", "*", "--", "<!--", ";"].iter().any(|sign| text.trim_start().starts_with(sign))
}

/// The fault of a block named as a file with a fence in it that might open the next one: its own closing fence may be lost.
pub(super) fn open_in_block(block: &mut CodeBlock, inner: Fence) -> Diagnostic {
    may_end_before(
        block,
        inner,
        "this fence may open another block, whose end is taken for the end of this one",
    )
}

/// The fault of a block named as a file with a fence in it that would close it, but for signs behind the run.
pub(super) fn closed_with_signs(block: &mut CodeBlock, spoilt: Fence) -> Diagnostic {
    may_end_before(block, spoilt, "this fence would close the block, but for what stands behind it")
}

fn may_end_before(block: &mut CodeBlock, fence: Fence, related: &'static str) -> Diagnostic {
    if let BlockEnd::Closed(closer) = block.end {
        block.end = BlockEnd::Ambiguous(closer);
    }
    let message = "the block may end before a fence in it, or hold that fence as text";
    Diagnostic::new(Code::AmbiguousNesting, message).at(block.opener).with_related(related, fence.run)
}

/// The finding for a block that only shows something, or holds edits, with a fence in it that might open the next one: its
/// own closing fence may be lost.
pub(super) fn fence_as_text(block: &CodeBlock, inner: Fence) -> Diagnostic {
    let message = "the fence is read as text of the block around it, and opens no block";
    let related = "the block begins here; its own closing fence may be missing";
    Diagnostic::new(Code::IgnoredText, message).at(inner.run).with_related(related, block.opener)
}

/// The fault of edit blocks whose fence may have been closed in one of them, before its REPLACE marker.
pub(super) fn closed_in_edit(
    block: &CodeBlock,
    extent: &Extent<'_>,
    early: EarlyCloser,
) -> Option<Diagnostic> {
    let is_program = early.within_program && extent.nesting == Nesting::Flat;
    let may_close = early.turn == Turn::Closes
        && extent.closer.is_some()
        && (is_program || !edits::are_all(extent.inside(), &block.children));
    let message =
        "the fence around the edit blocks may end within one of them; a longer fence around them would tell";
    let fault = || Diagnostic::new(Code::AmbiguousNesting, message).at(block.opener);
    may_close.then(|| fault().with_related("this fence may close it, or be a line of the edit", early.fence))
}

/// The fault of a file that is no Markdown and begins or ends with a fence that has no partner in it: that may be another
/// fence of the block, or one of the next or the last block; where the block itself ends is sure. So is, in a program, a
/// pair of fences around the whole, and a bare fence that another one with an info string follows.
pub(super) fn stray_fence(block: &CodeBlock, body: Lines<'_>) -> Option<Diagnostic> {
    let path = block.path?;
    let language = language::infer(slice(body.source_text(), path.span));
    let is_program = !is_document(language);
    let (first, last) = ends(body);
    let is_around = |open: Fence, close: Fence| is_program && first == Some(open) && last == Some(close);
    let has_closed = |open: Fence, next: Fence| is_program && open.is_bare() && next.opens_in(open);
    let mut open: Option<Fence> = None;
    for found in body.iter_elements().filter_map(|line| fence_of(body, line)) {
        match open {
            Some(opener) if found.closes(opener) && is_around(opener, found) => {
                return Some(fence_in_file(block, opener));
            }
            Some(opener) if found.closes(opener) => open = None,
            Some(opener)
                if has_closed(opener, found) && !has_hidden_fence(slice(body.source_text(), block.body)) =>
            {
                return Some(fence_in_file(block, opener));
            }
            Some(_) => {}
            None => open = Some(found),
        }
    }
    let stray = open.filter(|open| Some(*open) == first || Some(*open) == last)?;
    (!matches!(language, "markdown" | "mdx")).then(|| fence_in_file(block, stray))
}

fn fence_in_file(block: &CodeBlock, stray: Fence) -> Diagnostic {
    let message = "the block may hold a fence as a line of its file, or be opened or closed by it";
    Diagnostic::new(Code::AmbiguousNesting, message)
        .with_remedy(&cases::STRAY_FENCE)
        .at(block.opener)
        .with_related("this fence would be a line of the file", stray.run)
}

/// The fault of two bare fences of which the first may close a block whose opening one is missing, and the second open the
/// one that the line above it names, as its text follows: below the first one is a blank line, as below a closing fence.
pub(super) fn turned_inside_out(block: &CodeBlock, extent: &Extent<'_>) -> Option<Diagnostic> {
    let is_bare = extent.nesting == Nesting::Flat && extent.opener.is_bare();
    let closer = extent.closer.filter(|_| is_bare)?;
    let body = extent.inside();
    body.peek().filter(|first| first.kind == Kind::Blank)?;
    extent.text_below()?;
    let &last = body.tokens().last()?;
    let line = Piece::new(body.text_of(last), body.span_of(last).start);
    let name = path_line(line, Evidence::OwnLine).filter(|name| *name != line.trim().span())?;
    let message = "the fence may close a block whose opening fence is missing, and the one that closes it open the next block";
    let fault =
        Diagnostic::new(Code::AmbiguousNesting, message).with_remedy(&cases::LOST_OPENER).at(block.opener);
    Some(
        fault
            .with_related("this line may name the next block", name)
            .with_related("this fence may open it", closer.run),
    )
}

/// The fault of a bare fence directly below text or another block, in whose block a further fence opens: it may close a
/// block whose opening fence is missing.
pub(super) fn lost_opener(
    prose: Lines<'_>,
    opener: Fence,
    inner: impl FnOnce() -> Option<Fence>,
) -> Option<Diagnostic> {
    if !opener.is_bare() || is_introduced(prose) {
        return None;
    }
    let inner = inner()?;
    let message = "the fence may close a block whose opening fence is missing, or open one that holds another fence as text";
    let fault =
        Diagnostic::new(Code::AmbiguousNesting, message).with_remedy(&cases::LOST_OPENER).at(opener.run);
    Some(fault.with_related("this fence may open the next block", inner.run))
}

/// Whether what stands above a fence leaves room for a block to open: nothing at all, a blank line, a heading, a name or
/// the end of a sentence.
fn is_introduced(prose: Lines<'_>) -> bool {
    let Some(&line) = prose.tokens().last() else {
        return slice(prose.source_text(), Span::new(0, prose.start()))
            .trim_start_matches('\u{feff}')
            .is_empty();
    };
    matches!(line.kind, Kind::Blank | Kind::Hash)
        || ends_as_prose(prose.text_of(line))
        || edits::path_above(prose).is_some()
}

/// Whether files in this language often have fences of their own, whatever they are of.
pub(super) fn is_document(language: &str) -> bool {
    matches!(language, "asciidoc" | "markdown" | "mdx" | "r" | "rst" | "text")
}

/// The first and the last line of text, where they are fences.
fn ends(body: Lines<'_>) -> (Option<Fence>, Option<Fence>) {
    let text = |line: &&Line| line.kind != Kind::Blank;
    let fence = |line: Option<&Line>| line.and_then(|line| fence_of(body, *line));
    let lines = body.tokens();
    (fence(lines.iter().find(text)), fence(lines.iter().rfind(text)))
}

pub(super) fn fence_of(lines: Lines<'_>, line: Line) -> Option<Fence> {
    if line.kind != Kind::Fence {
        return None;
    }
    fence(line_input(lines, line)).ok().map(|(_, found)| found)
}
