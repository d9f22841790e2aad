//! The lines below a hunk that ended at one without sign, and what they show of it.

use nom::Input;

use super::hunk::{Body, ends_hunk, is_end_marker};
use super::layout::Layout;
use super::missing::Missing;
use crate::ast::LineKind;
use crate::grammar::lines::{Kind, Lines};
use crate::source::offset;

/// So many blank lines below the lines without sign may be the last ones of the hunk.
const MOST_BLANKS: usize = 3;

/// The lines below a hunk up to a blank one or a header.
#[derive(Default)]
pub(super) struct Below {
    /// Whether they follow the hunk's last line without a blank one between.
    pub(super) adjacent: bool,
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
    pub(super) tells_end: bool,
    /// How many blank lines without sign follow.
    blanks: u32,
    /// Whether the header's counts promise more lines, or there are none.
    pub(super) promised: bool,
}

impl Below {
    pub(super) fn of(layout: Layout, body: &Body, rest: Lines<'_>) -> Self {
        let adjacent = body.lines.last().is_some_and(|last| last.signed || !last.text.is_empty());
        let promised = body.missing.is_none_or(|missing| missing != Missing::NOTHING);
        let mut below = Self { adjacent, promised, ..Self::default() };
        let mut is_broken = false;
        let ends = |index| ends_hunk(layout, rest, index);
        // A blank line with its sign is a context line.
        let is_blank = |index| {
            rest.get(index).is_none_or(|line| line.kind == Kind::Blank)
                && layout.text_at(rest, index).is_none_or(|text| !text.starts_with(' '))
        };
        let mut next = 0;
        // Behind the last line all is blank.
        while !is_blank(next) && !ends(next) {
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

    pub(super) fn signed(&self) -> u32 {
        self.context + self.added + self.removed
    }

    pub(super) fn is_cut_before_changes(&self) -> bool {
        self.adjacent && self.changes_next
    }

    pub(super) fn is_cut_before_hunk_lines(&self) -> bool {
        self.adjacent && (self.changes_next || self.promised && self.signed() > 0)
    }

    /// Whether it goes on behind lines without sign with what is surely no list.
    pub(super) fn is_cut_before_code(&self) -> bool {
        let kinds = [self.context, self.added, self.removed];
        self.adjacent && self.goes_on && kinds.iter().filter(|count| **count > 0).count() > 1
    }

    /// Whether the lines are just those that the counts promise, when each one without sign may have had any and, where more
    /// lines of one side than of the other are missing, blank lines below them are context.
    pub(super) fn fills(&self, missing: Missing) -> bool {
        let fits = |left: Missing| {
            let is_just = |blank: u32| {
                left.without(blank, blank)
                    .is_some_and(|left| (left.old.max(left.new)..=left.lines()).contains(&self.unsigned))
            };
            is_just(0) || self.adjacent && left.old != left.new && (1..=self.blanks).any(is_just)
        };
        self.left(missing).is_some_and(fits) && (self.adjacent || self.signed() > 0)
    }

    /// Whether the lines may be some of those that the counts promise.
    pub(super) fn may_be_of(&self, missing: Missing) -> bool {
        self.adjacent && self.left(missing).is_some_and(|left| self.unsigned <= left.lines())
    }

    /// What the counts promise beyond the lines with a sign.
    fn left(&self, missing: Missing) -> Option<Missing> {
        missing.without(self.context + self.removed, self.context + self.added)
    }
}

/// Whether a line adds or removes something and is no item of a list, no rule and no number.
pub(crate) fn changes_code(text: &str) -> bool {
    match text.as_bytes() {
        [sign @ (b'+' | b'-'), next, ..] => *next != b' ' && next != sign && !next.is_ascii_digit(),
        _ => false,
    }
}

/// What the sign at the start of a line says; `None` for a line without one, and for the `-- ` above a mail signature.
pub(super) fn sign(layout: Layout, lines: Lines<'_>, index: usize) -> Option<LineKind> {
    let text = layout.text_at(lines, index)?;
    match text.as_bytes().first() {
        Some(b' ') => Some(LineKind::Context),
        Some(b'+') => Some(LineKind::Added),
        Some(b'-') if text.trim_end() != "--" => Some(LineKind::Removed),
        _ => None,
    }
}
