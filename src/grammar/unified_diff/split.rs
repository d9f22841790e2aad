//! Hunks that a line which is none of theirs splits: the closing fence of their block, a fence in prose, the start of another
//! section. What follows that line goes on with the hunk, and would be lost.

use nom::Input;

use super::below::changes_code;
use super::header::starts_file;
use super::hunk::{Body, is_end_marker};
use super::layout::{Layout, Place};
use super::missing::Missing;
use crate::ast::{LineKind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::grammar::fence::fence;
use crate::grammar::input::line_input;
use crate::grammar::lines::{Kind, Line, Lines};
use crate::source::Span;

/// The lines below the closing fence of a diff block that go on with its last hunk: the fence was a line of the hunk.
pub(crate) fn below_fence(children: &[Node], below: Lines<'_>) -> Option<Diagnostic> {
    let Node::FilePatch(patch) = children.last()? else { return None };
    let hunk = patch.hunks.last()?;
    let line = goes_on_below(Missing::of(hunk), below)?;
    let message = "the diff block is closed within the hunk: lines of it follow the closing fence";
    let fault = Diagnostic::new(Code::MalformedHunk, message).at(hunk.header.span);
    Some(fault.with_related("this line goes on with the hunk", line))
}

/// The line below a fence, behind a diff whose counts are not known, that has the sign of one more line of it.
pub(crate) fn signed_below(below: Lines<'_>) -> Option<Span> {
    let first = below.peek().filter(|first| first.kind != Kind::Blank)?;
    matches!(below.text_of(first).as_bytes().first(), Some(b' ' | b'+' | b'-' | b'\\')).then_some(())?;
    goes_on_below(None, below).or_else(|| goes_on_below(Some(Missing::NOTHING), below))
}

/// The line below a hunk in prose, and below the fence or the line that looks like a header of another file directly
/// below the hunk, that goes on with it.
pub(super) fn below_other(layout: Layout, body: &Body, rest: Lines<'_>) -> Option<Span> {
    let first = rest.peek().filter(|_| layout.place == Place::Prose)?;
    let below = rest.take_from(1);
    let is_met = body.missing == Some(Missing::NOTHING);
    match first.kind {
        // Below a hunk that seems whole, a fence with an info string opens a block.
        Kind::Fence if is_met && !is_bare_fence(rest, first) => None,
        Kind::Fence => goes_on_below(body.missing, below),
        Kind::DiffStart if !is_met && !starts_file(rest, layout) => {
            let signs = [b' ', b'+', b'-'];
            let next = below.peek().filter(|next| next.kind != Kind::Blank)?;
            signs.contains(below.text_of(next).as_bytes().first()?).then(|| below.span_of(next))
        }
        _ => None,
    }
}

fn is_bare_fence(lines: Lines<'_>, line: Line) -> bool {
    fence(line_input(lines, line)).is_ok_and(|(_, fence)| fence.is_bare())
}

/// Whether the first lines, up to a blank one or one without sign, have two kinds of signs, and one of them changes
/// something and is no item of a list.
fn is_part_of_hunk(lines: Lines<'_>) -> bool {
    let texts = lines.iter_elements().map(|line| lines.text_of(line));
    let signed = texts.map_while(|text| Some((*text.as_bytes().first()?, changes_code(text))));
    let mut first = None;
    let (mut mixed, mut changes) = (false, false);
    for (sign, is_change) in signed.take_while(|(sign, _)| matches!(sign, b' ' | b'+' | b'-')) {
        mixed |= *first.get_or_insert(sign) != sign;
        changes |= is_change;
        if mixed && changes {
            return true;
        }
    }
    false
}

/// The first of the lines below something that may be a line of a hunk, if they go on with it: as the counts of its header
/// promise or, where it has none, as the sign of the line says.
fn goes_on_below(missing: Option<Missing>, below: Lines<'_>) -> Option<Span> {
    let first = below.peek()?;
    let text = below.text_of(first);
    let is_met = missing == Some(Missing::NOTHING);
    // A blank and a `-` or `+` with a blank behind it may begin an item of a list, but for as many lines as are missing.
    let goes_on = match text.as_bytes() {
        // How the file ends.
        [b'\\', b' ', ..] => true,
        [b' ' | b'+' | b'-', ..] if is_met => is_part_of_hunk(below),
        [b'-', b'-', ..] if is_rule(below) => missing.is_some_and(|missing| fill(missing, below)),
        [b' ' | b'+' | b'-', next, ..] if *next != b' ' => true,
        // Indented further than an item.
        [b'+' | b'-', b' ', b' ', b' ', b' ', ..] => true,
        _ => missing.is_some_and(|missing| fill(missing, below)),
    };
    goes_on.then(|| below.span_of(first))
}

/// Whether the first line is nothing but dashes, as a rule or the start of a mail signature is, and the next one has no sign of
/// a hunk's line.
fn is_rule(lines: Lines<'_>) -> bool {
    let mut texts = lines.iter_elements().map(|line| lines.text_of(line));
    let is_dashes = |text: &str| text.trim_end().bytes().all(|byte| byte == b'-');
    let has_sign = |text: &str| matches!(text.as_bytes().first(), Some(b' ' | b'+' | b'-' | b'\\'));
    texts.next().is_some_and(is_dashes) && !texts.next().is_some_and(has_sign)
}

/// Whether the first lines have the signs of a hunk's lines, and are just those that are missing.
fn fill(missing: Missing, below: Lines<'_>) -> bool {
    let texts = below.iter_elements().map(|line| below.text_of(line)).filter(|text| !is_end_marker(text));
    missing.is_filled_by(texts.map_while(|text| match text.as_bytes().first() {
        Some(b' ') | None => Some(LineKind::Context),
        Some(b'-') => Some(LineKind::Removed),
        Some(b'+') => Some(LineKind::Added),
        _ => None,
    }))
}
