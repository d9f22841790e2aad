//! What holds for the hunks of any patch.

use code_parser::{FilePatch, Hunk, HunkLine};

/// Any file, any hunks: they do what a search for their places everywhere finds, and nothing where that finds none.
///
/// The file comes first, up to U+001E; then the hunks, each up to the next U+001E. The first character of a hunk says at
/// which line it is to be; its lines follow, with their signs.
pub(crate) fn check(text: &str) {
    let mut parts = text.split('\u{1e}');
    let file = parts.next().unwrap_or_default();
    let hunks: Vec<Hunk> = parts.take(6).filter_map(hunk).collect();
    if text.contains(['\r', '\u{feff}']) || hunks.is_empty() {
        return;
    }
    let patch = FilePatch {
        old_path: Some("f".to_owned()),
        new_path: Some("f".to_owned()),
        hunks,
        ..FilePatch::default()
    };
    let lines: Vec<&str> = file.split_terminator('\n').collect();
    let wanted = reference(&lines, &patch.hunks).map(|lines| {
        let ended = file.is_empty() || file.ends_with('\n');
        lines.join("\n") + if ended && !lines.is_empty() { "\n" } else { "" }
    });
    assert_eq!(patch.apply(file).ok(), wanted, "{file:?} {:?}", patch.hunks);
}

fn hunk(text: &str) -> Option<Hunk> {
    let mut letters = text.chars();
    let start = (letters.next()? as usize) % 16;
    let line = |line: &str| {
        let mut letters = line.chars();
        let kind = match letters.next()? {
            ' ' => HunkLine::Context,
            '+' => HunkLine::Added,
            '-' => HunkLine::Removed,
            _ => return None,
        };
        Some(kind(letters.as_str().to_owned()))
    };
    let lines: Vec<HunkLine> = letters.as_str().split('\n').filter_map(line).collect();
    let count = |is: fn(&HunkLine) -> bool| lines.iter().filter(|line| is(line)).count();
    let (old_lines, new_lines) = (count(is_old), count(|line| !matches!(line, HunkLine::Removed(_))));
    let hunk = Hunk { old_start: start, old_lines, new_start: start, new_lines, ..Hunk::default() };
    (!lines.is_empty()).then_some(Hunk { lines, ..hunk })
}

fn is_old(line: &HunkLine) -> bool {
    !matches!(line, HunkLine::Added(_))
}

/// The lines of a file after the hunks; `None` where one of them has no place or two have the same.
fn reference<'t>(file: &[&'t str], hunks: &'t [Hunk]) -> Option<Vec<&'t str>> {
    let mut drift = 0_isize;
    let mut places = Vec::new();
    for hunk in hunks {
        let old: Vec<&str> = hunk.lines.iter().filter(|line| is_old(line)).map(HunkLine::text).collect();
        let start = if old.is_empty() {
            let at = if file.is_empty() { 0 } else { hunk.old_start.cast_signed() + drift };
            usize::try_from(at).ok().filter(|&at| at <= file.len())?
        } else {
            let stated = hunk.old_start.checked_sub(1).map(usize::cast_signed);
            let at = nearest(file, &old, stated.map(|stated| stated + drift))?;
            drift = stated.map_or(drift, |stated| at.cast_signed() - stated);
            at
        };
        places.push((start, start + old.len(), hunk));
    }
    places.sort_by_key(|place| (place.0, place.1));
    let overlap = |one: &(usize, usize, _), other: &(usize, usize, _)| {
        one.1 > other.0 || (one.0, one.1) == (other.0, other.1) && one.0 == one.1
    };
    if places.windows(2).any(|pair| overlap(&pair[0], &pair[1])) {
        return None;
    }
    let mut out = file.to_vec();
    for (start, end, hunk) in places.into_iter().rev() {
        let mut old = file[start..end].iter().copied();
        let new: Vec<&str> = hunk
            .lines
            .iter()
            .filter_map(|line| match line {
                HunkLine::Context(_) => old.next(),
                HunkLine::Removed(_) => old.next().and(None),
                HunkLine::Added(text) => Some(text),
            })
            .collect();
        out.splice(start..end, new);
    }
    Some(out)
}

/// The place of the old lines nearest to the one that is expected, if there is one.
fn nearest(file: &[&str], old: &[&str], expected: Option<isize>) -> Option<usize> {
    let places = |same: fn(&str, &str) -> bool| -> Vec<usize> {
        let starts = 0..(file.len() + 1).saturating_sub(old.len());
        starts.filter(|&at| old.iter().zip(&file[at..]).all(|(old, line)| same(old, line))).collect()
    };
    let mut all = places(|one, other| one == other);
    if all.is_empty() {
        all = places(|one, other| one.trim_end_matches([' ', '\t']) == other.trim_end_matches([' ', '\t']));
    }
    let distance = |&at: &usize| expected.map_or(0, |expected| at.cast_signed().abs_diff(expected));
    let least = all.iter().map(distance).min()?;
    let mut best = all.iter().filter(|at| distance(at) == least);
    best.next().filter(|_| best.next().is_none()).copied()
}
