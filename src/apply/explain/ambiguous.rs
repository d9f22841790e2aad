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

/// The fewest lines above or below a place that make it the only one, in words.
fn context(text: &[u8], place: Range<usize>, effort: &mut Effort) -> Option<String> {
    let (mut start, mut end) = (line_start(text, place.start), line_end(text, place.end));
    for count in 1..=CONTEXT {
        effort.spend(text.len() / 4)?;
        let above = start.checked_sub(1).map(|before| line_start(text, before));
        let below = (end + 1 < text.len()).then(|| line_end(text, end + 1));
        let (last_start, last_end) = (start, end);
        (start, end) = (above.unwrap_or(start), below.unwrap_or(end));
        let is_only = |range: Range<usize>| {
            text.get(range)
                .and_then(|lines| std::str::from_utf8(lines).ok())
                .is_some_and(|lines| is_once(text, lines))
        };
        if above.is_some() && is_only(start..place.end) {
            return Some(in_words(count, "above", text.get(start..last_start)));
        }
        if below.is_some() && is_only(place.start..end) {
            return Some(in_words(count, "below", text.get(last_end + 1..end)));
        }
        above.or(below)?;
    }
    None
}

/// The furthest line is the one that tells places apart; it is shown.
fn in_words(count: usize, side: &str, lines: Option<&[u8]>) -> String {
    let line = String::from_utf8_lossy(lines.unwrap_or_default());
    let line = line.trim_end_matches('\n');
    let line = visible(line, 0..line.len(), Difference::Content);
    match count {
        1 => format!("with the line {side}, {line}, it is the only one"),
        _ => format!("with the {count} lines {side}, as far as {line}, it is the only one"),
    }
}

fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', text.get(..at).unwrap_or_default()).map_or(0, |newline| newline + 1)
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', text.get(at..).unwrap_or_default()).map_or(text.len(), |newline| at + newline)
}
