//! Hunks that a line without a sign cuts short.
//!
//! A hunk ends at the first line that cannot be its own, because prose may follow. A line of the hunk that lost its
//! sign, or that was written without one, would end it as well; and the hunk without that line, or without what comes
//! behind it, may well fit the file. So where the lines below go on with the hunk it is an error.

use nom::Input;

use super::around::missing;
use super::header::starts_file;
use super::hunk::{Body, ends_hunk, is_end_marker};
use super::layout::{Layout, Place};
use crate::ast::{Extent, LineKind, Node};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::grammar::fence::fence;
use crate::grammar::input::line_input;
use crate::grammar::lines::{Kind, Line, Lines};
use crate::source::{Span, offset};

/// So many lines without sign are marked.
const MARKED: usize = 3;

/// So many blank lines below the lines without sign may be the last ones of the hunk.
const MOST_BLANKS: usize = 3;

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
}

/// The line without sign at which a hunk broke off although it goes on below; `rest` is what follows the hunk.
pub(super) fn lost_sign(layout: Layout, body: &Body, rest: Lines<'_>) -> Option<LostSign> {
    let first = rest.peek().filter(|first| first.kind != Kind::Blank && !ends_hunk(layout, rest, 0))?;
    let below = Below::of(layout, body, rest);
    let text = rest.text_of(first);
    let is_in_block = layout.place == Place::Fence;
    let is_header = (below.adjacent || is_in_block) && is_near_header(text);
    let lost = is_header
        || below.adjacent && is_in_block && is_quoted_change(text)
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
    body.missing.filter(|missing| *missing != (0, 0)).map(|_| rest.span_of(first))
}

/// Whether the first line below the header has lost its sign, and with it the hunk all its lines.
fn has_lost_all(body: &Body) -> bool {
    body.lines.is_empty() && body.missing.is_some_and(|missing| missing != (0, 0))
}

/// Gives the lines without sign below a hunk the one of context, where the hunk has then just the lines that its header
/// promises.
fn signed(layout: Layout, body: &Body, rest: Lines<'_>) -> Option<Suggestion> {
    let (mut old, mut new) = body.missing?;
    let source = rest.source_text();
    let from = layout.start(rest, rest.peek()?)?;
    let (mut replacement, mut copied, mut index) = (String::new(), from, 0);
    let mut changes = has_changes(body);
    while (old, new) != (0, 0) {
        let token = rest.get(index).filter(|_| !ends_hunk(layout, rest, index))?;
        let start = layout.start(rest, token)?;
        index += 1;
        let sign = source.get(start as usize..token.end as usize)?.bytes().next();
        if sign == Some(b'\\') {
            continue;
        }
        changes |= matches!(sign, Some(b'+' | b'-'));
        old = old.checked_sub(u32::from(sign != Some(b'+')))?;
        new = new.checked_sub(u32::from(sign != Some(b'-')))?;
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

/// Whether a line is nearly a hunk header: behind signs of quotes, lists or emphasis, or with another number of `@` before
/// its numbers or before `@@` at its end.
fn is_near_header(text: &str) -> bool {
    let core = text.trim_start_matches(|c: char| c != '@' && !c.is_alphabetic());
    let has_number =
        |sign: &str| text.split(sign).skip(1).any(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    let has_numbers = || has_number("-") && has_number(" +");
    core.starts_with("@@ ...") || core.starts_with('@') && (core.trim_end().ends_with(" @@") || has_numbers())
}

/// Whether a line has the sign of a quote before that of a hunk's line.
fn is_quoted_change(text: &str) -> bool {
    text.strip_prefix('>').is_some_and(|quoted| quoted.trim_start().starts_with(['+', '-']))
}

/// The lines below a hunk up to a blank one or a header.
#[derive(Default)]
struct Below {
    /// Whether they follow the hunk's last line without a blank one between.
    adjacent: bool,
    /// How many have no sign, how many have each one.
    unsigned: u32,
    context: u32,
    added: u32,
    removed: u32,
    /// Whether a line that adds or removes something comes directly behind the first ones without sign.
    changes_next: bool,
    /// Whether all lines behind the first ones without sign have one, and one of them changes something and is no item
    /// of a list.
    goes_on: bool,
    /// Whether the line that tells how a file ends stands below one without sign.
    tells_end: bool,
    /// How many blank lines without sign follow.
    blanks: u32,
    /// Whether the header's counts promise more lines, or there are none.
    promised: bool,
}

impl Below {
    fn of(layout: Layout, body: &Body, rest: Lines<'_>) -> Self {
        let adjacent = body.lines.last().is_some_and(|last| last.signed || !last.text.is_empty());
        let promised = body.missing.is_none_or(|missing| missing != (0, 0));
        let mut below = Self { adjacent, promised, ..Self::default() };
        let mut is_broken = false;
        let ends = |index| ends_hunk(layout, rest, index);
        // A blank line with its sign is a context line.
        let is_blank = |index| {
            rest.get(index).is_none_or(|line| line.kind == Kind::Blank)
                && layout.text_at(rest, index).is_none_or(|text| !text.starts_with(' '))
        };
        let mut next = 0;
        while next < rest.input_len() && !is_blank(next) && !ends(next) {
            let index = next;
            next += 1;
            if layout.text_at(rest, index).is_some_and(is_end_marker) {
                // It tells how the file ends, and is none of the lines that are counted.
                below.tells_end |= below.unsigned > 0
                    && layout.text_at(rest, index).is_some_and(|text| text.starts_with("\\ "));
                continue;
            }
            let kind = sign(layout, rest, index);
            below.changes_next |=
                below.signed() == 0 && matches!(kind, Some(LineKind::Added | LineKind::Removed));
            is_broken |= kind.is_none() && below.signed() > 0;
            below.goes_on |= layout.text_at(rest, index).is_some_and(changes_code);
            *match kind {
                None => &mut below.unsigned,
                Some(LineKind::Context) => &mut below.context,
                Some(LineKind::Added) => &mut below.added,
                Some(LineKind::Removed) => &mut below.removed,
            } += 1;
        }
        below.goes_on &= !is_broken;
        below.blanks =
            offset((next..rest.input_len()).take(MOST_BLANKS).take_while(|&at| is_blank(at)).count());
        below
    }

    fn signed(&self) -> u32 {
        self.context + self.added + self.removed
    }

    fn is_cut_before_changes(&self) -> bool {
        self.adjacent && self.changes_next
    }

    fn is_cut_before_hunk_lines(&self) -> bool {
        self.adjacent && (self.changes_next || self.promised && self.signed() > 0)
    }

    /// Whether it goes on behind lines without sign with what is surely no list.
    fn is_cut_before_code(&self) -> bool {
        let kinds = [self.context, self.added, self.removed];
        self.adjacent && self.goes_on && kinds.iter().filter(|count| **count > 0).count() > 1
    }

    /// Whether the lines are just those that the counts promise, when each one without sign may have had any and, where more
    /// lines of one side than of the other are missing, blank lines below them are context.
    fn fills(&self, missing: (u32, u32)) -> bool {
        let fits = |(old, new): (u32, u32)| {
            let is_just = |blank: u32| match (old.checked_sub(blank), new.checked_sub(blank)) {
                (Some(old), Some(new)) => (old.max(new)..=old.saturating_add(new)).contains(&self.unsigned),
                _ => false,
            };
            is_just(0) || self.adjacent && old != new && (1..=self.blanks).any(is_just)
        };
        self.left(missing).is_some_and(fits) && (self.adjacent || self.signed() > 0)
    }

    /// Whether the lines may be some of those that the counts promise.
    fn may_be_of(&self, missing: (u32, u32)) -> bool {
        self.adjacent && self.left(missing).is_some_and(|(old, new)| self.unsigned <= old.saturating_add(new))
    }

    /// What the counts promise beyond the lines with a sign.
    fn left(&self, (old, new): (u32, u32)) -> Option<(u32, u32)> {
        old.checked_sub(self.context + self.removed).zip(new.checked_sub(self.context + self.added))
    }
}

/// The lines below the closing fence of a diff block that go on with its last hunk: the fence was a line of the hunk.
pub(crate) fn below_fence(children: &[Node], below: Lines<'_>) -> Option<Diagnostic> {
    let Node::FilePatch(patch) = children.last()? else { return None };
    let hunk = patch.hunks.last()?;
    let line = goes_on_below(missing(hunk), below)?;
    let message = "the diff block is closed within the hunk: lines of it follow the closing fence";
    let fault = Diagnostic::new(Code::MalformedHunk, message).at(hunk.header.span);
    Some(fault.with_related("this line goes on with the hunk", line))
}

/// The line below a fence, behind a diff whose counts are not known, that has the sign of one more line of it.
pub(crate) fn signed_below(below: Lines<'_>) -> Option<Span> {
    let first = below.peek().filter(|first| first.kind != Kind::Blank)?;
    matches!(below.text_of(first).as_bytes().first(), Some(b' ' | b'+' | b'-' | b'\\')).then_some(())?;
    goes_on_below(None, below).or_else(|| goes_on_below(Some((0, 0)), below))
}

/// The line below a hunk in prose, and below the fence or the line that looks like a header of another file directly
/// below the hunk, that goes on with it.
pub(super) fn below_other(layout: Layout, body: &Body, rest: Lines<'_>) -> Option<Span> {
    let first = rest.peek().filter(|_| layout.place == Place::Prose)?;
    let below = rest.take_from(1);
    let is_met = body.missing == Some((0, 0));
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

/// Whether a line adds or removes something and is no item of a list, no rule and no number.
fn changes_code(text: &str) -> bool {
    match text.as_bytes() {
        [sign @ (b'+' | b'-'), next, ..] => *next != b' ' && next != sign && !next.is_ascii_digit(),
        _ => false,
    }
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
fn goes_on_below(missing: Option<(u32, u32)>, below: Lines<'_>) -> Option<Span> {
    let first = below.peek()?;
    let text = below.text_of(first);
    let is_met = missing == Some((0, 0));
    // A blank and a `-` or `+` with a blank behind it may begin an item of a list, but for as many lines as are missing.
    let goes_on = match text.as_bytes() {
        // How the file ends.
        [b'\\', b' ', ..] => true,
        [b' ' | b'+' | b'-', ..] if is_met => is_part_of_hunk(below),
        [b' ' | b'+' | b'-', next, ..] if *next != b' ' => true,
        // Indented further than an item.
        [b'+' | b'-', b' ', b' ', b' ', b' ', ..] => true,
        _ => missing.is_some_and(|missing| fills(below, missing)),
    };
    goes_on.then(|| below.span_of(first))
}

/// Whether the lines have the signs of a hunk's lines, and as many as the counts miss.
fn fills(lines: Lines<'_>, (mut old, mut new): (u32, u32)) -> bool {
    let mut changed = false;
    for line in lines.iter_elements() {
        let (of_old, of_new) = match lines.text_of(line).as_bytes().first() {
            Some(b' ') | None => (1, 1),
            Some(b'-') => (1, 0),
            Some(b'+') => (0, 1),
            Some(b'\\') if is_end_marker(lines.text_of(line)) => continue,
            _ => return false,
        };
        let (Some(old_left), Some(new_left)) = (old.checked_sub(of_old), new.checked_sub(of_new)) else {
            return false;
        };
        (old, new) = (old_left, new_left);
        changed |= of_old != of_new;
        if (old, new) == (0, 0) {
            return changed;
        }
    }
    false
}

/// What the sign at the start of a line says; `None` for a line without one, and for the `-- ` above a mail signature.
fn sign(layout: Layout, lines: Lines<'_>, index: usize) -> Option<LineKind> {
    let text = layout.text_at(lines, index)?;
    match text.as_bytes().first() {
        Some(b' ') => Some(LineKind::Context),
        Some(b'+') => Some(LineKind::Added),
        Some(b'-') if text.trim_end() != "--" => Some(LineKind::Removed),
        _ => None,
    }
}

/// Whether the lines up to the next header, lines without sign taken as context, fill the counts exactly.
fn goes_on(layout: Layout, lines: Lines<'_>, missing: (u32, u32)) -> bool {
    let (mut old, mut new) = missing;
    let mut changed = false;
    for (index, token) in lines.tokens().iter().enumerate() {
        if ends_hunk(layout, lines, index) {
            return false;
        }
        let sign = lines.text_of(*token).as_bytes().first().copied();
        if sign == Some(b'\\') {
            continue;
        }
        let (of_old, of_new) = (u32::from(sign != Some(b'+')), u32::from(sign != Some(b'-')));
        let (Some(old_left), Some(new_left)) = (old.checked_sub(of_old), new.checked_sub(of_new)) else {
            return false;
        };
        (old, new) = (old_left, new_left);
        changed |= of_old != of_new;
        if old == 0 && new == 0 {
            return changed;
        }
    }
    false
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
