//! Why a SEARCH text is not in its file.

use memchr::memmem;

use super::compare::Comparison;
use super::mend::{self, Mend};
use super::part::Part;
use super::{Case, Unfound, related};
use crate::apply::change::Texts;
use crate::apply::slot::Slot;
use crate::diagnostic::{Diagnostic, Related};
use crate::edit::file_text::FileText;
use crate::edit::nearest::{Effort, nearest};

/// A text with fewer characters that show may be anywhere.
const TELLING: usize = 8;

/// Explains that a text is not in the file. `None` where that ended early, for want of effort or of likeness.
pub(super) fn explain(
    case: &Case<'_>,
    search: &str,
    replace: Option<&str>,
    effort: &mut Effort,
    found: &mut Diagnostic,
) -> Option<()> {
    case.begin(effort, found)?;
    let text = case.file.text();
    if case.file.is_edited()
        && let Some(place) = find(case.file.original(), search, effort)
    {
        let (start, end) = (place, place + search.len());
        let (start, end) = (case.file.original_position(start), case.file.original_position(end));
        let message =
            "the text stands here in the file, but a block before this one has changed it".to_owned();
        found.related.push(related(&case.path, start, end, message));
        return Some(());
    }
    if let Some(there) = numbered(&text, search, effort) {
        let place = find(&text, &there, effort)?;
        let message = match case.origin.texts {
            Texts::Quoted { .. } => "the text is here; the sentence has a line number before it",
            _ => "the text is here; SEARCH has line numbers before its lines",
        };
        let message = message.to_owned();
        found.related.push(case.place(place..place + there.len(), message));
        found.suggestion = mend::without_numbers(case, &text, &there, replace);
        return Some(());
    }
    let before = effort.left();
    let wanted: Vec<&[u8]> = search.split('\n').map(str::as_bytes).collect();
    let Some(part) = Part::of(case.file, &text, &wanted, effort) else {
        found.related.push(Unfound::Unsought.tell(case));
        return None;
    };
    let index = part.index(case.file, effort)?;
    let who = if matches!(case.origin.texts, Texts::Quoted { .. }) { "the sentence" } else { "SEARCH" };
    let nearest = nearest(&wanted, part.text, index, effort);
    let comparison = nearest.as_ref().map(|nearest| Comparison::new(who, &wanted, &part, index, nearest));
    if !comparison.as_ref().is_some_and(Comparison::is_of_form)
        && let Some((replace, place)) =
            replace.and_then(|replace| already_there(&text, search, replace, effort))
    {
        let message = already_there_message(search, replace).to_owned();
        found.related.push(case.place(place..place + replace.len(), message));
        return Some(());
    }
    let Some(comparison) = comparison else {
        found.related.push(Unfound::after(before, effort).tell(case));
        return None;
    };
    found.related.extend(comparison.tell(case));
    // Whether the lines are there but once is known only of a text that was looked at as a whole.
    if comparison.start.is_none() {
        found.suggestion = Mend { case, comparison: &comparison }.search(search, replace);
    }
    Some(())
}

/// Another file of the input that has the text which is not in its own, if one has.
pub(super) fn elsewhere(search: &str, path: &str, slots: &[Slot], effort: &mut Effort) -> Option<Related> {
    for slot in slots.iter().filter(|slot| slot.path.as_str() != path) {
        let Some(file) = &slot.original else { continue };
        effort.spend(file.bytes.len() / 4)?;
        let file = FileText::new(std::sync::Arc::clone(file));
        if let Some(place) = find(file.original(), search, effort) {
            let (start, end) = (file.original_position(place), file.original_position(place + search.len()));
            let message = "the text is in this file instead".to_owned();
            return Some(related(slot.path.as_str(), start, end, message));
        }
    }
    None
}

/// Where a text stands first.
fn find(text: &[u8], wanted: &str, effort: &mut Effort) -> Option<usize> {
    effort.spend(text.len() / 8)?;
    memmem::find(text, wanted.as_bytes())
}

/// Whether a text is so long that it is the same one wherever it stands.
pub(super) fn is_telling(text: &str) -> bool {
    text.chars().filter(|character| !character.is_whitespace()).nth(TELLING - 1).is_some()
}

/// REPLACE and where it is, unless it is only what SEARCH has in one piece.
fn already_there<'r>(
    text: &[u8],
    search: &str,
    replace: &'r str,
    effort: &mut Effort,
) -> Option<(&'r str, usize)> {
    if !is_telling(replace) || search.contains(replace) {
        return None;
    }
    Some((replace, find(text, replace, effort)?))
}

/// Where REPLACE is in the file, either the change is made or the sections are swapped; which of the two is told by
/// whether the block would add lines or take some away.
fn already_there_message(search: &str, replace: &str) -> &'static str {
    let has_all = |one: &str, other: &str| {
        let mut lines = one.split('\n');
        other.split('\n').all(|line| lines.any(|candidate| candidate == line))
    };
    if has_all(search, replace) {
        "the REPLACE text is here: SEARCH and REPLACE look swapped, or the lines are taken out already"
    } else if has_all(replace, search) {
        "this change is already there: the REPLACE text is here"
    } else {
        "this change is already there: the REPLACE text is here; or else SEARCH and REPLACE are swapped"
    }
}

/// The SEARCH text without the line numbers before its lines, if they are what keeps it from being in the file.
fn numbered(text: &[u8], search: &str, effort: &mut Effort) -> Option<String> {
    let variants = [Gap::Kept, Gap::Removed].map(|gap| without_numbers(search, gap));
    variants.into_iter().flatten().find(|there| is_telling(there) && find(text, there, effort).is_some())
}

/// Whether the space behind a number and its separator goes with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// It is the line's.
    Kept,
    /// It belongs to the number.
    Removed,
}

/// The lines without the numbers before them, each of which is one more than the one above; `None` where they have
/// none.
pub(super) fn without_numbers(lines: &str, gap: Gap) -> Option<String> {
    let mut next = None;
    let mut stripped = Vec::new();
    for line in lines.split('\n') {
        let after = line.trim_start_matches(' ');
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = after.split_at_checked(digits)?;
        let number: u64 = number.parse().ok()?;
        if next.is_some_and(|next| next != number) {
            return None;
        }
        next = number.checked_add(1);
        let rest = match rest.trim_start_matches(' ').strip_prefix([':', '|', '\u{2192}', '\t', ')', '.']) {
            Some(rest) => rest,
            None if rest.is_empty() => rest,
            None => rest.strip_prefix(' ')?,
        };
        stripped.push(match gap {
            Gap::Kept => rest,
            Gap::Removed => rest.strip_prefix(' ').unwrap_or(rest),
        });
    }
    Some(stripped.join("\n"))
}
