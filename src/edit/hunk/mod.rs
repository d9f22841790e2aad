//! Where the hunks of a patch belong in a file, and what they make of it.
//!
//! # Where a hunk belongs
//!
//! Where all its old lines stand in the file as it was before the patch: exactly, and only if they stand nowhere
//! exactly, with spaces and tabs at the ends of lines ignored. Of several places it is the one nearest to the stated
//! line plus the drift, by which the hunk before was off; of two that are equally near, and of several when no line
//! is stated, none. A hunk without old lines goes after its stated line. Nothing fuzzier ever counts.
//!
//! Where the diff leaves open how many lines a hunk has ([`Extent`]), the file decides: all of them if their old side
//! is in it, else those without the blank ones at the end, else the beginning that the counts fit, unless that would
//! leave out changes of the hunk. Those without the blank ones just at the stated line, and all of them elsewhere, are two
//! places.
//!
//! # What a hunk makes of the file
//!
//! Lines that stay are not touched. New lines get their endings as [`super::line_ending`] says, but where the old
//! lines match with the endings that they have in the diff, the new ones keep theirs too. Whether the file ends with
//! a line ending stays as it is unless a `\` line at the end of the old or new side says otherwise.

mod chunk;
mod chunks;
mod filter;
mod index;
mod lines;
mod patched;
mod place;
mod splice;
mod walk;

pub(crate) use self::patched::Patched;
use self::patched::View;
use self::place::Locator;
use crate::apply::change::{PatchHunk, PatchLine};
use crate::ast::{Extent, LineKind};

/// Where a hunk was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Its first old line in the file as it was, from 1; for a hunk without old lines, the line that it goes before.
    pub(crate) line: usize,
    /// How exactly.
    pub(crate) exactness: Exactness,
}

/// How exactly the old lines of a hunk are those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Exactness {
    /// To the byte, line endings apart.
    Exact,
    /// With spaces and tabs at the ends of lines ignored.
    TrailingBlanks,
}

/// A hunk that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HunkFault {
    /// Which, from 0.
    pub(crate) hunk: usize,
    /// Why.
    pub(crate) kind: HunkFaultKind,
}

/// Why a hunk cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HunkFaultKind {
    /// Its old lines are not in the file, or not where its `\` line says they are.
    NotFound,
    /// It only adds lines, and has to do so behind the last of so many lines of the file.
    BehindEnd { lines: usize },
    /// There are several places.
    Ambiguous {
        /// Their lines, from 1: the first ones, or the two that are equally near. Empty for a hunk without old lines
        /// and without number.
        lines: Vec<usize>,
    },
    /// It changes lines that another hunk has too.
    Overlapping {
        /// The other one, from 0.
        with: usize,
    },
}

/// The places of all hunks, sorted; or every hunk that cannot be applied, in their order.
fn located<'h>(
    view: View<'_>,
    hunks: &[PatchHunk<'_>],
    readings: &[Vec<Reading<'h>>],
) -> Result<Vec<Place<'h>>, Vec<HunkFault>> {
    let mut locator = Locator::new(view, readings);
    let (mut found, mut faults) = (Vec::with_capacity(hunks.len()), Vec::new());
    for (number, hunk) in hunks.iter().enumerate() {
        match locator.locate(number, hunk.old_start) {
            Ok(place) => found.push(place),
            Err(kind) => faults.push(HunkFault { hunk: number, kind }),
        }
    }
    found.sort_by_key(|place| (place.lines.start, place.lines.end, place.hunk));
    faults.extend(overlaps(&found));
    faults.sort_by_key(|fault| fault.hunk);
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// Whether nothing is left of a file, a byte order mark apart.
fn is_nothing(bytes: &[u8]) -> bool {
    matches!(bytes, [] | lines::MARK)
}

/// Whether the diff shows the byte order mark as a part of the first line.
fn starts_with_mark(hunks: &[PatchHunk<'_>]) -> bool {
    let old = hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind != LineKind::Added);
    old.into_iter().any(|line| line.text.starts_with('\u{feff}'))
}

/// A hunk's place, and how many of its lines count.
#[derive(Debug, Clone)]
struct Place<'h> {
    hunk: usize,
    /// The lines of the file that are its old side, from 0.
    lines: std::ops::Range<usize>,
    exactness: Exactness,
    reading: Reading<'h>,
}

/// The lines that a hunk is taken to have.
type Reading<'h> = &'h [PatchLine<'h>];

/// The ways to take a hunk; the first that is in the file wins. It holds the lines of all others.
fn readings<'h>(hunk: &'h PatchHunk<'h>) -> Vec<Reading<'h>> {
    let whole = hunk.lines.as_slice();
    if hunk.extent == Extent::Counted {
        return vec![whole];
    }
    let blank = |line: &PatchLine<'_>| {
        line.kind == LineKind::Context && !line.no_newline && line.text.trim_matches([' ', '\t']).is_empty()
    };
    let solid = whole.iter().rposition(|line| !blank(line)).map_or(0, |last| last + 1);
    let stripped = whole.get(..solid).unwrap_or(whole);
    let counted = match hunk.extent {
        Extent::Beginning(lines) => whole.split_at_checked(lines as usize),
        _ => None,
    };
    // A beginning that changes nothing would leave the hunk's change out in silence.
    let counted = counted.filter(|(lines, rest)| {
        lines.iter().any(|line| line.kind != LineKind::Context) && rest.iter().all(may_be_text)
    });
    let mut readings = vec![whole];
    // A hunk that has blank old lines at its end and no others belongs where they are.
    let has_old = stripped.iter().any(|line| line.kind != LineKind::Added);
    if has_old && stripped.len() < whole.len() {
        readings.push(stripped);
    }
    readings.extend(counted.map(|(lines, _)| lines));
    readings
}

/// Whether a line behind those that the counts fit may be none of the hunk's: it changes nothing, or it is an item of
/// a list or a line of nothing but dashes, as above a mail signature and between paragraphs. An item has one blank
/// behind its mark; so has a line that is indented by one, but hardly when it reads like words.
fn may_be_text(line: &PatchLine<'_>) -> bool {
    let is_dashes = || line.text.starts_with('-') && line.text.trim_end().bytes().all(|byte| byte == b'-');
    let is_rule = || line.kind == LineKind::Removed && is_dashes();
    let is_code = |item: &str| {
        let marks = ["*", "-", "+", "//", "/*", "*/", "#", "--"];
        marks.contains(&item.split([' ', '\t']).next().unwrap_or_default()) || item.starts_with([' ', '\t'])
    };
    let is_item = || {
        let item = line.text.strip_prefix(' ');
        item.is_some_and(|item| !is_code(item) && item.contains(char::is_alphabetic))
    };
    line.kind == LineKind::Context || !line.no_newline && (is_rule() || is_item())
}

/// The hunks that have lines in common with one before; `found` is sorted by place.
fn overlaps<'f>(found: &'f [Place<'_>]) -> impl Iterator<Item = HunkFault> + 'f {
    let mut last: Option<&Place<'_>> = None;
    found.iter().filter_map(move |place| {
        let other = last.filter(|last| {
            last.lines.end > place.lines.start || (last.lines == place.lines && place.lines.is_empty())
        });
        if last.is_none_or(|last| place.lines.end >= last.lines.end) {
            last = Some(place);
        }
        other.map(|other| HunkFault {
            hunk: other.hunk.max(place.hunk),
            kind: HunkFaultKind::Overlapping { with: other.hunk.min(place.hunk) },
        })
    })
}

#[cfg(test)]
mod tests;
