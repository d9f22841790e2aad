//! What a code block holds, which is a diff, edit blocks or a file; and what is wrong with it.

use nom::Input;

use super::extent::{Extent, Nesting};
use super::in_edit::{EarlyCloser, Turn, early_closer};
use super::line::{Fence, fence};
use super::unclear::{
    closed_at_once, closed_in_edit, closed_with_signs, fence_as_text, goes_on_as_diff, ignored_between,
    lost_opener, open_in_block, shown_edits, stray_fence, turned_inside_out, unread_edit, words_before,
};
use super::{path, read_opener};
use crate::ast::{BlockEnd, BlockRole, CodeBlock, PathSource};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::grammar::edits::{self, Around};
use crate::grammar::input::line_input;
use crate::grammar::lines::{Kind, Line, Lines};
use crate::grammar::unified_diff;

/// Reads what is inside the block and says what is wrong with it; `prose` stands above it.
pub(super) fn fill(
    block: &mut CodeBlock,
    extent: &Extent<'_>,
    prose: Lines<'_>,
    around: Around<'_>,
) -> Vec<Diagnostic> {
    let mut faults = read(block, extent, around);
    let early = early_closer(extent, &block.children);
    match block.role {
        BlockRole::File => file_faults(block, extent, prose, &mut faults),
        BlockRole::Edits => {
            faults.extend(opener_among_edits(block, extent, prose));
            faults.extend(early.and_then(|early| closed_in_edit(block, extent, early)));
        }
        BlockRole::Diff | BlockRole::Narration => {}
    }
    if block.end == BlockEnd::Missing && !is_cut_off(&faults) {
        faults.insert(0, unterminated(block, extent, early));
    }
    faults
}

/// Reads the diff or the edit blocks in the block, if it holds any.
fn read(block: &mut CodeBlock, extent: &Extent<'_>, around: Around<'_>) -> Vec<Diagnostic> {
    let (body, opener) = (extent.inside(), extent.opener);
    if extent.nesting == Nesting::Diff {
        let (children, mut faults) = unified_diff::diff_block(body, opener.run);
        faults.extend(unified_diff::below_fence(&children, extent.rest.indented(opener.column)));
        (block.role, block.children) = (BlockRole::Diff, children);
        return faults;
    }
    if !extent.seen.has_markers {
        return Vec::new();
    }
    let info = block.path.filter(|path| path.from == PathSource::Info);
    let (children, mut faults) = edits::in_fence(body, Around { info, ..around });
    if !children.is_empty() {
        (block.role, block.children) = (BlockRole::Edits, children);
        faults.extend(shown_edits(block, body));
        faults.extend(ignored_between(block, body));
    }
    faults
}

/// Says what is wrong with a block that is a file, or shows code.
fn file_faults(block: &mut CodeBlock, extent: &Extent<'_>, prose: Lines<'_>, faults: &mut Vec<Diagnostic>) {
    faults.extend(closed_at_once(block, extent, prose).or_else(|| turned_inside_out(block, extent)));
    faults.extend(unread_edit(block, extent.inside()).or_else(|| goes_on_as_diff(block, extent)));
    if extent.seen.has_fence {
        faults.extend(fence_in_file(block, extent, prose));
    }
}

/// What is wrong with a block that is a file, or shows code, for a fence in it.
fn fence_in_file(block: &mut CodeBlock, extent: &Extent<'_>, prose: Lines<'_>) -> Option<Diagnostic> {
    let inner = extent.seen.inner_opener;
    if block.path.is_none() {
        let next = || inner.or_else(|| named_fence(extent.body));
        return lost_opener(prose, extent.opener, next)
            .or_else(|| inner.map(|inner| fence_as_text(block, inner)));
    }
    match inner {
        Some(inner) => Some(open_in_block(block, inner)),
        None if extent.nesting == Nesting::Flat => {
            let spoilt = extent.seen.spoilt_closer.map(|spoilt| closed_with_signs(block, spoilt));
            spoilt.or_else(|| stray_fence(block, extent.inside()))
        }
        None => None,
    }
}

/// What is wrong with a block of edits with a fence beside them that might open the next block.
fn opener_among_edits(block: &CodeBlock, extent: &Extent<'_>, prose: Lines<'_>) -> Option<Diagnostic> {
    let inner = extent.seen.inner_opener?;
    lost_opener(prose, extent.opener, || Some(inner)).or_else(|| words_before(block, extent.inside(), inner))
}

/// The first fence in a body, of whatever character and length, that would open a block with a name.
fn named_fence(body: Lines<'_>) -> Option<Fence> {
    let names = |(index, line): (usize, Line)| {
        let (_, found) = fence(line_input(body, line)).ok()?;
        let (info, tag) = read_opener(body, found);
        path(info, tag, body.take_from(index + 1), body.take(index)).map(|_| found)
    };
    body.iter_indices().filter(|(_, line)| line.kind == Kind::Fence).find_map(names)
}

/// Whether the fault is told already: the input ends in the middle of an edit block.
fn is_cut_off(faults: &[Diagnostic]) -> bool {
    faults.iter().any(|fault| fault.code == Code::UnterminatedBlock)
}

fn unterminated(block: &CodeBlock, extent: &Extent<'_>, early: Option<EarlyCloser>) -> Diagnostic {
    let fault =
        Diagnostic::new(Code::UnterminatedFence, "the code block has no closing fence").at(block.opener);
    if let Some(early) = early {
        let related = match early.turn {
            Turn::Closes => "this fence may close it, or be a line of the edit",
            Turn::OpensNext => "this fence may open another block, or be a line of the edit",
        };
        return fault.with_related(related, early.fence);
    }
    let is_harmless = block.role == BlockRole::Edits && edits::are_all(extent.inside(), &block.children);
    if is_harmless { fault.with_severity(Severity::Warning) } else { fault }
}
