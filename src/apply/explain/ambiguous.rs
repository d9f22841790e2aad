//! Where a SEARCH text stands that stands in several places, and what would tell them apart.

use std::ops::Range;

use super::mend::is_once;
use super::visible::visible;
use super::{Case, related};
use crate::diagnostic::Diagnostic;
use crate::edit::nearest::Effort;
use crate::edit::nearest::difference::Difference;

/// So many lines above or below a place are looked at.
const CONTEXT: usize = 12;

/// Names the places; for each of them the lines that would make it the only one.
pub(super) fn explain(case: &Case<'_>, places: &[Range<usize>], effort: &mut Effort, found: &mut Diagnostic) {
    for place in places {
        // In a file that was edited the lines around may be others by now.
        let text = case.file.original();
        let context = if case.file.is_edited() { None } else { context(text, place.clone(), effort) };
        let message = match context {
            Some(context) => format!("one place is here; {context}"),
            None => "one place is here".to_owned(),
        };
        let (start, end) = (place.start, place.end);
        let (start, end) = (case.file.original_position(start), case.file.original_position(end));
        found.related.push(related(&case.path, start, end, message));
    }
}

/// The fewest lines around a place that make it the only one, in words: its own lines as a whole where it is only a part
/// of them, or with lines above or below.
fn context(text: &[u8], place: Range<usize>, effort: &mut Effort) -> Option<String> {
    let own = line_start(text, place.start)..line_end(text, place.end);
    let is_only = |range: Range<usize>| {
        let lines = text.get(range).and_then(|lines| std::str::from_utf8(lines).ok());
        lines.is_some_and(|lines| is_once(text, lines))
    };
    let whole = if own == place {
        ""
    } else {
        effort.spend(text.len() / 4)?;
        if is_only(own.clone()) {
            let line = text.get(own).and_then(|lines| lines.split(|&byte| byte == b'\n').next());
            return Some(format!("as a whole line, {}, it is the only one", shown(line?)));
        }
        "as a whole line and "
    };
    let (mut start, mut end) = (own.start, own.end);
    for count in 1..=CONTEXT {
        effort.spend(text.len() / 4)?;
        let above = start.checked_sub(1).map(|before| line_start(text, before));
        let below = (end + 1 < text.len()).then(|| line_end(text, end + 1));
        let (last_start, last_end) = (start, end);
        (start, end) = (above.unwrap_or(start), below.unwrap_or(end));
        if above.is_some() && is_only(start..own.end) {
            return Some(whole.to_owned() + &in_words(count, "above", text.get(start..last_start)));
        }
        if below.is_some() && is_only(own.start..end) {
            return Some(whole.to_owned() + &in_words(count, "below", text.get(last_end + 1..end)));
        }
        above.or(below)?;
    }
    None
}

/// The furthest line is the one that tells places apart; it is shown.
fn in_words(count: usize, side: &str, line: Option<&[u8]>) -> String {
    let line = line.unwrap_or_default();
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    match (count, line.is_empty()) {
        (1, true) => format!("with the blank line {side} it is the only one"),
        (1, false) => format!("with the line {side}, {}, it is the only one", shown(line)),
        (_, true) => {
            format!("with the {count} lines {side}, as far as the blank one, it is the only one")
        }
        (_, false) => {
            format!("with the {count} lines {side}, as far as {}, it is the only one", shown(line))
        }
    }
}

/// A line, in backticks; where it is nothing but white space, that is visible.
fn shown(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let is_blank = line.trim_matches([' ', '\t']).is_empty();
    visible(&line, 0..line.len(), if is_blank { Difference::Spacing } else { Difference::Content })
}

fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', text.get(..at).unwrap_or_default()).map_or(0, |newline| newline + 1)
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', text.get(at..).unwrap_or_default()).map_or(text.len(), |newline| at + newline)
}
