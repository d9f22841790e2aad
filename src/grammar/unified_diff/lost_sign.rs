//! Hunks that a line without a sign cuts short.
//!
//! A hunk ends at the first line that cannot be its own, because prose may follow. A line of the hunk that lost its
//! sign, or that was written without one, would end it as well; and the hunk without that line, or without what comes
//! behind it, may well fit the file. So where the lines below go on with the hunk it is an error.

use nom::Input;

use super::below::{Below, changes_code, sign};
use super::hunk::{Body, ends_hunk};
use super::layout::{Layout, Place};
use super::missing::Missing;
use crate::ast::{Extent, HunkLine, LineKind};
use crate::diagnostic::Suggestion;
use crate::grammar::lines::{Kind, Lines};
use crate::source::{Span, slice};

/// So many lines without sign are marked.
const MARKED: usize = 3;

/// Lines of a hunk that have no sign.
#[derive(Debug, Clone)]
pub(super) struct LostSign {
    /// The first such lines.
    pub(super) lines: Vec<Span>,
    /// Whether the hunk has no line with a sign.
    pub(super) is_all: bool,
    /// The lines below the hunk as far as its counts promise, those without sign as context; where they are just so many.
    pub(super) signed: Option<Suggestion>,
}

/// What the lines below a hunk show of it.
#[derive(Debug)]
pub(super) struct End {
    /// The line without sign at which it broke off.
    pub(super) lost: Option<LostSign>,
    /// The line that goes on with it below something else.
    pub(super) split: Option<Span>,
    /// A line without sign directly below it although more lines are promised.
    pub(super) unsigned: Option<Span>,
    /// The first item of a list below it that reads as lines which it adds.
    pub(super) list: Option<Span>,
}

/// The line without sign at which a hunk broke off although it goes on below; `rest` is what follows the hunk.
pub(super) fn lost_sign(layout: Layout, body: &Body, rest: Lines<'_>) -> Option<LostSign> {
    let first = rest.peek().filter(|first| first.kind != Kind::Blank && !ends_hunk(layout, rest, 0))?;
    let below = Below::of(layout, body, rest);
    let text = rest.text_of(first);
    let is_in_block = layout.place == Place::Fence;
    let is_header = (below.adjacent || is_in_block) && is_near_header(text);
    let lost = is_header
        || below.adjacent && is_disguised_change(layout, below.promised, text)
        || below.adjacent && below.tells_end
        || has_lost_all(body)
        || match body.extent {
            // The counts say that the hunk is whole.
            Extent::Counted => match layout.place {
                Place::Fence => below.is_cut_before_changes(),
                Place::Prose => below.is_cut_before_code(),
            },
            Extent::Beginning(_) => below.is_cut_before_changes(),
            Extent::Unknown => {
                below.is_cut_before_hunk_lines()
                    || body.missing.is_some_and(|missing| below.fills(missing))
                    || body.missing.is_some_and(|missing| goes_on(layout, rest, missing))
                    || layout.place == Place::Fence
                        && body.missing.is_some_and(|missing| below.may_be_of(missing))
                    || (layout.place == Place::Fence || !has_changes(body)) && changes_below(layout, rest)
            }
        };
    let signed = || signed(layout, body, rest).filter(|_| !is_header);
    lost.then(|| LostSign {
        lines: unsigned_lines(layout, rest),
        is_all: body.lines.is_empty() && below.signed() == 0,
        signed: signed(),
    })
}

/// The first lines without sign below a hunk, up to a blank one or a header.
fn unsigned_lines(layout: Layout, rest: Lines<'_>) -> Vec<Span> {
    let indices = (0..rest.input_len()).take_while(|&index| {
        index == 0
            || rest.get(index).is_some_and(|line| line.kind != Kind::Blank) && !ends_hunk(layout, rest, index)
    });
    let is_unsigned = |index: &usize| {
        *index == 0
            || sign(layout, rest, *index).is_none()
                && layout.text_at(rest, *index).is_none_or(|text| !text.starts_with('\\'))
    };
    let lines = indices.filter(is_unsigned).filter_map(|index| rest.get(index));
    lines.take(MARKED).map(|line| rest.span_of(line)).collect()
}

/// A line without sign directly below a hunk whose header promises more lines than it has.
pub(super) fn line_below(layout: Layout, body: &Body, rest: Lines<'_>) -> Option<Span> {
    let first = rest.peek().filter(|first| first.kind != Kind::Blank && !ends_hunk(layout, rest, 0))?;
    body.missing.filter(|missing| *missing != Missing::NOTHING).map(|_| rest.span_of(first))
}

/// The first item of a list in prose, behind a blank line without sign and the lines that the counts say are the hunk's: each
/// of its lines is a `+` with a blank behind it, or blank, so that it would go into the file.
pub(super) fn list_below(layout: Layout, body: &Body, text: &str) -> Option<Span> {
    let Extent::Beginning(counted) = body.extent else { return None };
    let (first, below) = body.lines.get(counted as usize..)?.split_first()?;
    let is_blank =
        |line: &HunkLine| line.kind == LineKind::Context && slice(text, line.text).trim().is_empty();
    let is_item = |line: &HunkLine| {
        let content = slice(text, line.text).strip_prefix(' ').unwrap_or_default();
        line.kind == LineKind::Added && content.starts_with(|c: char| !c.is_whitespace())
    };
    let is_list = layout.place == Place::Prose
        && is_blank(first)
        && !first.signed
        && below.iter().all(|line| is_blank(line) || is_item(line));
    below.iter().find(|line| is_list && is_item(line)).map(HunkLine::span)
}

/// Whether the first line below the header has lost its sign, and with it the hunk all its lines.
fn has_lost_all(body: &Body) -> bool {
    body.lines.is_empty() && body.missing.is_some_and(|missing| missing != Missing::NOTHING)
}

/// Gives the lines without sign below a hunk the one of context, where the hunk has then just the lines that its header
/// promises.
fn signed(layout: Layout, body: &Body, rest: Lines<'_>) -> Option<Suggestion> {
    let mut missing = body.missing?;
    let source = rest.source_text();
    let from = layout.start(rest, rest.peek()?)?;
    let (mut replacement, mut copied, mut index) = (String::new(), from, 0);
    let mut changes = has_changes(body);
    while missing != Missing::NOTHING {
        let token = rest.get(index).filter(|_| !ends_hunk(layout, rest, index))?;
        let start = layout.start(rest, token)?;
        index += 1;
        let sign = source.get(start as usize..token.end as usize)?.bytes().next();
        if sign == Some(b'\\') {
            continue;
        }
        let kind = kind(sign);
        changes |= kind != LineKind::Context;
        missing = missing.without_line(kind)?;
        if !matches!(sign, None | Some(b' ' | b'+' | b'-')) {
            replacement.push_str(source.get(copied as usize..start as usize)?);
            replacement.push(' ');
            replacement.push_str(source.get(start as usize..token.end as usize)?);
            copied = token.end;
        }
    }
    // What goes on behind the promised lines may be the hunk's as well.
    let is_end =
        rest.get(index).is_none_or(|line| line.kind == Kind::Blank) || ends_hunk(layout, rest, index);
    let message = "write the lines that stay with a space in front".to_owned();
    (is_end && changes).then_some(Suggestion { message, span: Span::new(from, copied), replacement })
}

/// Whether the lines up to the next header, lines without sign taken as context, fill the counts exactly.
fn goes_on(layout: Layout, lines: Lines<'_>, missing: Missing) -> bool {
    let here = lines.iter_indices().take_while(|(index, _)| !ends_hunk(layout, lines, *index));
    let signs = here.map(|(_, line)| lines.text_of(line).bytes().next());
    missing.is_filled_by(signs.filter(|sign| *sign != Some(b'\\')).map(kind))
}

/// The kind of a line with this sign; one without sign is context.
fn kind(sign: Option<u8>) -> LineKind {
    match sign {
        Some(b'+') => LineKind::Added,
        Some(b'-') => LineKind::Removed,
        _ => LineKind::Context,
    }
}

fn has_changes(body: &Body) -> bool {
    body.lines.iter().any(|line| line.kind != LineKind::Context)
}

/// Whether a line before the next header adds or removes something.
fn changes_below(layout: Layout, lines: Lines<'_>) -> bool {
    (0..lines.input_len())
        .take_while(|&index| !ends_hunk(layout, lines, index))
        .any(|index| matches!(sign(layout, lines, index), Some(LineKind::Added | LineKind::Removed)))
}

/// Whether a line is nearly a hunk header: behind signs of quotes, lists or emphasis, or with another number of `@` before
/// its numbers or before `@@` at its end.
fn is_near_header(text: &str) -> bool {
    let core = text.trim_start_matches(|c: char| c != '@' && !c.is_alphabetic());
    let has_number =
        |sign: &str| text.split(sign).skip(1).any(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    let has_numbers = || has_number("-") && has_number(" +");
    core.starts_with("@@ ...") || core.starts_with('@') && (core.trim_end().ends_with(" @@") || has_numbers())
}

/// Whether a line has the sign of a quote before that of a line that adds or removes something, or a typographic sign in
/// its place; in prose, where more lines are promised and it is no item of a list.
fn is_disguised_change(layout: Layout, is_promised: bool, text: &str) -> bool {
    const MINUS_OR_PLUS: [char; 6] = ['\u{2212}', '\u{2013}', '\u{2014}', '\u{2010}', '\u{2011}', '\u{ff0b}'];
    let quoted = text.strip_prefix('>').map(str::trim_start);
    let typographic = text.strip_prefix(MINUS_OR_PLUS);
    match layout.place {
        Place::Fence => quoted.is_some_and(|line| line.starts_with(['+', '-'])) || typographic.is_some(),
        Place::Prose => {
            let is_change =
                |line: &str| line.starts_with(|c: char| !c.is_whitespace() && !c.is_ascii_digit());
            is_promised && (quoted.is_some_and(changes_code) || typographic.is_some_and(is_change))
        }
    }
}
