//! Why the old lines of a hunk are not in its file.

use super::compare::Comparison;
use super::mend::is_once;
use super::part::Part;
use super::{Case, Unfound, related};
use crate::apply::change::{Origin, Patch, PatchHunk, PatchLine};
use crate::ast::{Extent, LineEnding, LineKind};
use crate::diagnostic::{Diagnostic, Related, Suggestion};
use crate::edit::nearest::difference::Difference;
use crate::edit::nearest::{Effort, nearest};
use crate::source::{Position, offset};

/// Less alike, in thousandths, nothing is suggested.
const LEAST: u32 = 800;

/// Explains that a hunk's old lines are not in the file. `None` where that ended early, for want of effort or of
/// likeness.
pub(super) fn explain(
    case: &Case<'_>,
    patch: &Patch<'_>,
    effort: &mut Effort,
    found: &mut Diagnostic,
) -> Option<()> {
    let hunk = patch.hunks.get((found.hunk? as usize).checked_sub(1)?)?;
    case.begin(effort, found)?;
    let text = case.file.text();
    let before = effort.left();
    let old: Vec<&PatchLine<'_>> = own_lines(hunk).filter(|line| line.kind != LineKind::Added).collect();
    if old.is_empty() {
        return None;
    }
    let wanted: Vec<&[u8]> = old.iter().map(|line| line.text.as_bytes()).collect();
    let Some(part) = Part::of(case.file, &text, &wanted, effort) else {
        found.related.push(Unfound::Unsought.tell(case));
        return None;
    };
    let index = part.index(case.file, effort)?;
    let Some(nearest) = nearest(&wanted, part.text, index, effort) else {
        found.related.push(Unfound::after(before, effort).tell(case));
        return None;
    };
    let comparison = Comparison::new("the hunk", &wanted, &part, index, &nearest);
    found.related.extend(comparison.tell(case));
    if comparison.start.is_none() {
        found.suggestion = mend(case.origin, hunk, &comparison);
    }
    Some(())
}

/// Where lines of a file (from 1, in ascending order) stand, for a hunk that fits each of them.
pub(in crate::apply) fn places(
    path: &str,
    file: &[u8],
    lines: &[usize],
    effort: &mut Effort,
) -> Option<Vec<Related>> {
    effort.spend(file.len() / 8)?;
    let ends = memchr::memchr_iter(b'\n', file).map(|at| at + 1);
    let starts = std::iter::once(0).chain(ends);
    let mut wanted = lines.iter().copied().peekable();
    let mut places = Vec::new();
    for (number, start) in (1..).zip(starts) {
        if wanted.next_if_eq(&number).is_none() {
            if wanted.peek().is_none() {
                break;
            }
            continue;
        }
        let rest = file.get(start..)?;
        let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = String::from_utf8_lossy(line);
        let at = |bytes: usize, text: &str| Position {
            offset: offset(start + bytes),
            line: offset(number),
            byte_column: offset(bytes + 1),
            column: offset(text.chars().count() + 1),
            utf16: offset(text.encode_utf16().count() + 1),
        };
        let message = "one place is here".to_owned();
        places.push(related(path, at(0, ""), at(line.len(), &text), message));
    }
    Some(places)
}

/// The lines of the hunk; blank ones at the end of which it is not known that they are its own are left out.
fn own_lines<'h, 'p>(hunk: &'h PatchHunk<'p>) -> impl Iterator<Item = &'h PatchLine<'p>> {
    let is_open = hunk.extent == Extent::Unknown;
    let blank = |line: &PatchLine<'_>| line.kind == LineKind::Context && line.text.trim().is_empty();
    let last = hunk.lines.iter().rposition(|line| !(is_open && blank(line))).map_or(0, |last| last + 1);
    hunk.lines.iter().take(last)
}

/// The replacement of the old lines by those of the file, from the first that differs to the last.
fn mend(origin: Origin, hunk: &PatchHunk<'_>, comparison: &Comparison<'_>) -> Option<Suggestion> {
    let nearest = comparison.nearest;
    let is_pair = |pair: &crate::edit::nearest::Pair| {
        pair.wanted.is_some() && pair.found.is_some() && pair.similarity > 0
    };
    if nearest.similarity < LEAST || nearest.rival.is_some() || !nearest.pairs.iter().all(is_pair) {
        return None;
    }
    let text = std::str::from_utf8(comparison.text.get(comparison.range())?).ok()?;
    if text.contains('\r') || !is_once(comparison.text, text) {
        return None;
    }
    let mut pairs = comparison.pairs();
    let mut new: Vec<(&PatchLine<'_>, &str, bool)> = Vec::new();
    for line in own_lines(hunk) {
        if line.kind == LineKind::Added {
            new.push((line, &line.text, false));
            continue;
        }
        let (pair, difference) = pairs.next()?;
        let text = std::str::from_utf8(comparison.line(pair.found?)).ok()?;
        new.push((line, text, difference != Some(Difference::None)));
    }
    let first = new.iter().position(|(_, _, differs)| *differs)?;
    let last = new.iter().rposition(|(_, _, differs)| *differs)?;
    let stretch = new.get(first..=last)?;
    let (start, end) = (new.get(first)?.0.span?, new.get(last)?.0.span?);
    // A blank line may have lost its sign; and what a `\` line says is between the lines.
    let is_strange = |line: &PatchLine<'_>| line.no_newline || line.span.is_none();
    if start.is_empty() || stretch.iter().any(|(line, _, _)| is_strange(line)) {
        return None;
    }
    let mut replacement = String::new();
    for (number, (line, text, _)) in stretch.iter().enumerate() {
        if number > 0 {
            replacement.push_str(if origin.ending == LineEnding::CrLf { "\r\n" } else { "\n" });
            replacement.extend(std::iter::repeat_n(' ', origin.indent as usize));
            replacement.push(match line.kind {
                LineKind::Context => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            });
        }
        replacement.push_str(text);
    }
    let message = "write the old lines as the file has them".to_owned();
    Some(Suggestion { message, span: start.to(end), replacement })
}
