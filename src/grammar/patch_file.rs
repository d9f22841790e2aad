//! Patch files: SEARCH/REPLACE blocks, each below the path of its file.
//!
//! ```text
//! src/config.py
//! <<<<<<< SEARCH
//! DB_PORT = 5432
//! =======
//! DB_PORT = 5433
//! >>>>>>> REPLACE
//! ```
//!
//! The format is that of fsrb(1), "Patch Format". People and harnesses write it, or cut it out of a model's reply;
//! so comments, Markdown fences and blank lines between the path and the block are skipped. The path is taken as it
//! stands, whatever it looks like. Any other text is ignored, and named in a warning. See
//! grammar-notes/search-replace.md.

use nom::bytes::complete::take_till;
use nom::{IResult, Input, Parser};

use super::file_name::{Evidence, has_separator, is_path};
use super::input::{Mismatch, Read};
use super::lines::{Kind, Line, Lines};
use super::near_marker::stray_markers;
use super::search_replace::block;
use crate::ast::{Node, PathRef, PathSource, SearchReplace};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::cases;
use crate::source::{Span, offset, slice};

/// The longest path in bytes that is told with the faults of its blocks. Each fault has a copy of its own, so that a
/// longer one, inherited by thousands of broken blocks, would need more memory than any machine has.
const LONGEST_TOLD: u32 = 255;

/// Reads a patch file: its blocks, in source order, and what is wrong with it.
///
/// ```ebnf
/// document = { other_text , [ path_line ] , block } , other_text ;
/// ```
pub(crate) fn document(lines: Lines<'_>) -> (Vec<Node>, Vec<Diagnostic>) {
    let blocks = lines.iter_elements().filter(|line| line.kind == Kind::Search).count();
    let mut reading = Reading { nodes: Vec::with_capacity(blocks), ..Reading::default() };
    let mut rest = lines;
    while let Ok((at, gap)) = other_text(rest) {
        let Ok((after, read)) = block(at) else {
            reading.text(gap);
            break;
        };
        reading.block(gap, at.before(after), read);
        rest = after;
    }
    (reading.nodes, reading.diagnostics)
}

/// The lines up to the next block, or all.
///
/// ```ebnf
/// other_text = { ? a line that is no search_line ? } ;
/// ```
fn other_text(lines: Lines<'_>) -> IResult<Lines<'_>, Lines<'_>, Mismatch> {
    take_till(|line: Line| line.kind == Kind::Search).parse(lines)
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    nodes: Vec<Node>,
    diagnostics: Vec<Diagnostic>,
    /// The path of the block before, as the next one inherits it.
    inherited: Option<PathRef>,
    /// A path at the end of a block that the next SEARCH line broke: the path of that next block.
    swallowed: Option<Span>,
}

impl Reading {
    /// A block, the lines it takes up, and the lines between it and the block before.
    fn block(&mut self, gap: Lines<'_>, lines: Lines<'_>, read: Read<SearchReplace>) {
        let Read { mut node, faults } = read;
        let text = lines.source_text();
        let header = |span| Some(PathRef { span, from: PathSource::Header });
        let above = path_line(gap);
        let doubt = match above {
            Above::Path(index, span) if node.search.is_empty() => doubt(gap, index, span),
            _ => None,
        };
        node.path = match above {
            Above::Path(index, span) if doubt.is_none() => {
                self.text(gap.take(index));
                header(span)
            }
            // A file could be created under any name: not under one that may have been content.
            Above::Block if node.search.is_empty() => self.inherited,
            Above::Block => self.swallowed.map_or(self.inherited, header),
            Above::Path(..) | Above::Marker => {
                self.text(gap);
                None
            }
        };
        // A broken block has its own fault, and what stands above it is not sure either.
        if node.path.is_none() && node.complete {
            self.diagnostics.push(nameless(node.search_marker, doubt));
        }
        let named = node.path.map(|path| path.span).filter(|path| path.len() <= LONGEST_TOLD);
        self.diagnostics.extend(faults.into_iter().map(|fault| match named {
            Some(path) => fault.with_path(slice(text, path)),
            None => fault,
        }));
        self.inherited = node.path.map(|path| PathRef { from: PathSource::Inherited, ..path });
        self.swallowed = if node.complete { None } else { swallowed_path(lines) };
        self.nodes.push(Node::SearchReplace(node));
    }

    /// Lines that belong to no block.
    fn text(&mut self, lines: Lines<'_>) {
        if lines.position(|line| !quiet_line(line)).is_none() {
            return;
        }
        let mut found = stray_markers(lines);
        let named: Vec<_> = found.iter().filter_map(|diagnostic| diagnostic.span).collect();
        let mut named = named.into_iter().peekable();
        let mut ignored: Option<Span> = None;
        for line in lines.iter_elements().filter(|&line| !quiet_line(line)) {
            if named.next_if(|&span| line.span().contains(span)).is_some() {
                continue;
            }
            ignored = Some(ignored.map_or(line.span(), |run| run.to(line.span())));
        }
        let is_near_error = found.iter().any(Diagnostic::is_error);
        found.extend(ignored.map(|span| ignored_text(lines, span, is_near_error)));
        found.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        self.diagnostics.append(&mut found);
    }
}

/// The fault of a block without a path, below a line that is doubted to be one.
fn nameless(block: Span, doubt: Option<Doubt>) -> Diagnostic {
    let missing = |message: &str| Diagnostic::new(Code::MissingPath, message).at(block);
    match doubt {
        Some(Doubt::Other(path)) => {
            missing("the line above the block does not look like a path, and one further up does")
                .with_related("this may be its file", path)
        }
        Some(Doubt::Text) | None => missing("no line above the block names its file"),
    }
}

/// The warning about lines that belong to no block, the first of which is at `span`.
fn ignored_text(lines: Lines<'_>, span: Span, is_near_error: bool) -> Diagnostic {
    let first = slice(lines.source_text(), span).lines().next().unwrap_or_default();
    let is_diff = ["--- ", "+++ ", "@@ ", "diff --git "].iter().any(|start| first.starts_with(start));
    let found = |message: &str| Diagnostic::new(Code::IgnoredText, message).at(span);
    if is_near_error {
        found("the text belongs to no block and is ignored").with_remedy(&cases::NEAR_MARKER)
    } else if is_diff {
        found("the text looks like a diff, and only SEARCH/REPLACE blocks are read here")
            .with_command("`--from response` reads both")
    } else if is_prose(first.trim()) {
        found("the text belongs to no block and is ignored").with_remedy(&cases::PROSE)
    } else {
        found("the text belongs to no block and is ignored")
    }
}

/// Lines that a path may stand above and that are ignored without a word.
///
/// ```ebnf
/// quiet_line = blank_line | comment_line | fence_line ;
/// ```
fn quiet_line(line: Line) -> bool {
    matches!(line.kind, Kind::Blank | Kind::Hash | Kind::Fence)
}

/// What stands above a block.
#[derive(Clone, Copy)]
enum Above {
    /// The line with this index, which is the path, and the path.
    Path(usize, Span),
    /// A line that is or may be meant as a marker, and so no path.
    Marker,
    /// Nothing but the block before, or nothing at all.
    Block,
}

/// The nearest line above a block, quiet ones apart: it is the path, whatever it looks like.
///
/// ```ebnf
/// path_line = blanks , path , blanks , line_ending , { quiet_line } ;
/// ```
fn path_line(gap: Lines<'_>) -> Above {
    for (index, &line) in gap.tokens().iter().enumerate().rev().filter(|(_, line)| !quiet_line(**line)) {
        let path = trimmed(gap, line);
        match line.kind {
            kind if !may_be_path(kind) => return Above::Marker,
            // White space of another kind than space and tab.
            _ if path.is_empty() => {}
            _ => return Above::Path(index, path),
        }
    }
    Above::Block
}

/// Whether a line of this kind may be a path: whatever is neither skipped nor a marker, nor nearly one.
pub(crate) fn may_be_path(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Blank
            | Kind::Hash
            | Kind::Fence
            | Kind::Search
            | Kind::Separator
            | Kind::Replace
            | Kind::NearMarker
    )
}

/// The place of a line's text without the white space at its ends.
fn trimmed(lines: Lines<'_>, line: Line) -> Span {
    let text = lines.text_of(line);
    let start = lines.span_of(line).start + offset(text.len() - text.trim_start().len());
    Span::new(start, start + offset(text.trim().len()))
}

/// Why the line above a block that creates a file may not be its path.
///
/// An edit of a file that does not exist fails anyway, but a file could be created under any name.
#[derive(Clone, Copy)]
enum Doubt {
    /// It is a sentence, or a line of some text.
    Text,
    /// It has no form of a path, and this line above it may be one, below which a line of a block has got.
    Other(Span),
}

/// What speaks against the path, which is the line with this index.
fn doubt(gap: Lines<'_>, index: usize, path: Span) -> Option<Doubt> {
    let text = |span| slice(gap.source_text(), span);
    if !may_name_new_file(text(path)) {
        return Some(Doubt::Text);
    }
    if has_separator(text(path)) || has_extension(text(path)) || is_path(text(path), Evidence::OwnLine) {
        return None;
    }
    let above = gap.tokens().iter().take(index).rev().filter(|&&line| line.kind == Kind::Text);
    let other = above.map(|&line| trimmed(gap, line)).find(|&span| may_be_meant(text(span)));
    let is_indented = || gap.tokens().get(index).is_some_and(|&line| gap.span_of(line).start < path.start);
    other.map(Doubt::Other).or_else(|| is_indented().then_some(Doubt::Text))
}

/// Whether a line may be meant as a path: one word with a separator or a dot in it.
fn may_be_meant(line: &str) -> bool {
    !line.contains(char::is_whitespace) && line.trim_end_matches('.').contains(['/', '\\', '.'])
}

/// Whether a line above a block that creates a file may be the path: neither a sentence nor signs alone.
pub(crate) fn may_name_new_file(path: &str) -> bool {
    !is_prose(path) && (has_separator(path) || path.contains(char::is_alphanumeric))
}

/// Whether a line is a sentence rather than a path.
fn is_prose(path: &str) -> bool {
    path.contains(char::is_whitespace) && !path.contains(['/', '\\']) && !has_extension(path)
}

/// Whether a name ends in `.` and a word with a letter.
fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| {
        extension.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+'))
            && extension.contains(char::is_alphabetic)
    })
}

/// The path in the last line of a block that a SEARCH line broke: when the REPLACE line is forgotten, the path of the
/// next block is read as content.
fn swallowed_path(lines: Lines<'_>) -> Option<Span> {
    let line = lines.tokens().iter().copied().rev().find(|&line| !quiet_line(line))?;
    let path = trimmed(lines, line);
    let text = slice(lines.source_text(), path);
    let is_word =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '\\' | '@' | '+' | '~');
    let is_path = line.kind == Kind::Text
        && text.chars().all(is_word)
        && (has_extension(text) || text.contains(['/', '\\']) && text.contains(char::is_alphanumeric));
    is_path.then_some(path)
}

#[cfg(test)]
mod tests;
