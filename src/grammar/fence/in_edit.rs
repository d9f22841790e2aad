//! Fence lines in the sections of edit blocks that may be the closing fence of the block around, written too early, or
//! before a REPLACE marker that has lost its place. See grammar-notes/fences.md, "How the unclear is decided".

use super::extent::Extent;
use super::info::info_string;
use super::line::Fence;
use super::unclear::{fence_of, is_document};
use crate::ast::{Node, SearchReplace};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::cases;
use crate::grammar::file_name::Piece;
use crate::grammar::lines::Lines;
use crate::language;
use crate::source::{Span, slice};

/// A fence line of an edit that may close the fence around, or open the next block.
#[derive(Debug, Clone, Copy)]
pub(super) struct EarlyCloser {
    pub(super) fence: Span,
    /// Whether text follows it in its section, and the edit's file is no document that shows fences: that alone tells.
    pub(super) within_program: bool,
    /// What it may do.
    pub(super) turn: Turn,
}

/// What a fence line of an edit may do to the fence around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// It closes that one.
    Closes,
    /// It opens another block, and names a file: the line that closes the fence around is missing, as that one has no end.
    OpensNext,
}

/// The first fence line in a block's second section that closes the fence around and has no partner in its section,
/// where the fences of the first section are in order; else one that would open the next block.
pub(super) fn early_closer(extent: &Extent<'_>, children: &[Node]) -> Option<EarlyCloser> {
    if !extent.seen.has_fence_in_edit {
        return None;
    }
    let (mut first, mut next) = (None, None);
    for node in children {
        let Node::SearchReplace(block) = node else {
            continue;
        };
        if let Some(found) =
            block.complete.then(|| early_closer_in(extent.body, block, extent.opener)).flatten()
        {
            match found.turn {
                Turn::OpensNext => next = next.or(Some(found)),
                Turn::Closes if found.within_program => return Some(found),
                Turn::Closes => first = first.or(Some(found)),
            }
        }
    }
    first.or(next)
}

/// The fault of an edit block outside a fence, of a program, whose new text has a bare fence that one with an info string
/// follows: the end of one block and the start of another, the REPLACE marker having lost its place.
pub(crate) fn closed_outside(lines: Lines<'_>, block: &SearchReplace) -> Option<Diagnostic> {
    let (text, section) = (lines.source_text(), block.replace.span());
    let path = block.path.filter(|_| block.complete)?;
    let Pairs::ClosedFirst(fence) = pairs(lines, section, None) else {
        return None;
    };
    let is_doubtful = !is_document(language::infer(slice(text, path.span)))
        && pairs(lines, block.search.span(), None) == Pairs::Whole
        && !has_hidden_fence(slice(text, section));
    let message = "the edit block may end above a fence in its new text, or hold the end and the start of two code blocks";
    let fault = || Diagnostic::new(Code::AmbiguousNesting, message).with_remedy(&cases::FENCE_IN_EDIT);
    is_doubtful.then(|| {
        fault().at(block.search_marker).with_related("this fence would be a line of the file", fence.run)
    })
}

fn early_closer_in(body: Lines<'_>, block: &SearchReplace, opener: Fence) -> Option<EarlyCloser> {
    let (fence, turn) = match pairs(body, block.replace.span(), Some(opener)) {
        Pairs::Open(fence) if fence.closes(opener) => (fence, Turn::Closes),
        Pairs::ClosedFirst(fence) => (fence, Turn::Closes),
        Pairs::Open(fence) if fence.opens_in(opener) && names_file(body, fence) => (fence, Turn::OpensNext),
        Pairs::Open(_) | Pairs::Whole => return None,
    };
    if pairs(body, block.search.span(), Some(opener)) != Pairs::Whole {
        return None;
    }
    let text = body.source_text();
    let is_program = |path: Span| !is_document(language::infer(slice(text, path)));
    let section = block.replace.span();
    let is_within = || !slice(text, Span::new(fence.run.end, section.end)).trim().is_empty();
    let within_program = block.path.is_some_and(|path| is_program(path.span))
        && is_within()
        && !has_hidden_fence(slice(text, section));
    let is_told = turn == Turn::Closes || within_program;
    is_told.then_some(EarlyCloser { fence: fence.run, within_program, turn })
}

fn names_file(body: Lines<'_>, fence: Fence) -> bool {
    info_string(Piece::new(slice(body.source_text(), fence.info), fence.info.start)).path.is_some()
}

/// How the fence lines of a section pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pairs {
    /// Each has its partner.
    Whole,
    /// This one has none.
    Open(Fence),
    /// This one closes the fence around, and a fence with an info string follows it: it is no opening one.
    ClosedFirst(Fence),
}

/// The fence around the block is to be closed; without one any fence may be.
fn pairs(body: Lines<'_>, section: Span, around: Option<Fence>) -> Pairs {
    let start = body.tokens().partition_point(|line| line.start < section.start);
    let lines = body.tokens().iter().skip(start).take_while(|line| line.start < section.end);
    let mut open: Option<Fence> = None;
    for found in lines.filter_map(|&line| fence_of(body, line)) {
        match open {
            Some(opener) if found.closes(opener) => open = None,
            Some(opener) => {
                let around = around.unwrap_or(opener);
                if opener.closes(around) && found.opens_in(around) {
                    return Pairs::ClosedFirst(opener);
                }
            }
            None => open = Some(found),
        }
    }
    open.map_or(Pairs::Whole, Pairs::Open)
}

/// Whether a run of backticks stands behind other text of its line, as the beginning of a text in code may
/// (`PROMPT = """```json`): the partner of a fence line.
pub(super) fn has_hidden_fence(section: &str) -> bool {
    let is_one = |line: &str| line.trim_start_matches([' ', '\t', '`']).contains("```");
    section.lines().any(is_one)
}
