//! What happens to diffs on their way from a model.

use crate::cases::{Case, Tree};
use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Damage {
    None,
    /// Every hunk starts some lines off.
    Starts,
    /// A hunk's counts are too small or too large.
    Counts,
    /// Hunk headers without numbers.
    NoNumbers,
    /// Blank context lines without their space.
    LostBlanks,
    /// The diff ends its lines with CRLF.
    CrLfDiff,
    /// The files end their lines with CRLF, and the diff does not.
    CrLfFiles,
    /// The diff does not end its last line.
    NoFinalNewline,
    /// The lines that say that a file does not end with a newline are lost.
    NoMarkers,
    /// The hunks of each file come last first.
    Reordered,
    /// The whole diff comes twice.
    Twice,
    /// Context lines have a blank at their end.
    TrailingBlanks,
    /// There is text before and after.
    Prose,
    /// A context line has lost its sign.
    LostSign,
}

impl Damage {
    pub(crate) const ALL: &[Self] = &[
        Self::Starts,
        Self::Counts,
        Self::NoNumbers,
        Self::LostBlanks,
        Self::CrLfDiff,
        Self::CrLfFiles,
        Self::NoFinalNewline,
        Self::NoMarkers,
        Self::Reordered,
        Self::Twice,
        Self::TrailingBlanks,
        Self::Prose,
        Self::LostSign,
    ];

    /// The files and the damaged diff; `None` where there is nothing to damage.
    pub(crate) fn apply(self, case: &Case, random: &mut Random) -> Option<(Tree, String)> {
        let moves = case.diff.contains("rename to") || case.diff.contains("copy to");
        if self == Self::CrLfFiles {
            // Whether a file is new would not be told by its name.
            return (!moves).then(|| (with_crlf(&case.before), case.diff.clone()));
        }
        let diff =
            match self {
                Self::None | Self::CrLfFiles => return Some((case.before.clone(), case.diff.clone())),
                Self::CrLfDiff => case.diff.replace('\n', "\r\n"),
                Self::NoFinalNewline => case.diff.strip_suffix('\n').unwrap_or_default().to_owned(),
                Self::Reordered => reordered(&case.diff),
                Self::Twice => case.diff.repeat(2),
                Self::Prose => format!("The changes:\n\n{}\nThat is all.\n", case.diff),
                Self::Counts => one_line(&case.diff, random, is_hunk_header, |line, random| {
                    let (old, new) = (random.below(5) + 1, random.below(5) + 1);
                    renumbered(line, |[a, b, c, d]| [a, shift(b, old), c, shift(d, new)])
                }),
                Self::LostSign => one_line(&case.diff, random, is_context, |line, _| line.split_off(1)),
                Self::Starts => every_line(&case.diff, |line, is_body| {
                    let by = random.below(7);
                    if !is_body {
                        renumbered(line, |[a, b, c, d]| [shift(a, by), b, shift(c, by), d])
                    } else {
                        line.to_owned()
                    }
                }),
                Self::NoNumbers => every_line(&case.diff, |line, is_body| {
                    if is_hunk_header(line, is_body) { "@@ ... @@\n".to_owned() } else { line.to_owned() }
                }),
                Self::LostBlanks => every_line(&case.diff, |line, is_body| {
                    if is_body && line == " \n" { "\n".to_owned() } else { line.to_owned() }
                }),
                Self::NoMarkers => every_line(&case.diff, |line, _| {
                    if line.starts_with('\\') { String::new() } else { line.to_owned() }
                }),
                Self::TrailingBlanks => every_line(&case.diff, |line, is_body| {
                    let is_context = is_body && line.starts_with(' ') && line.len() > 2;
                    if is_context { line.replace('\n', " \n") } else { line.to_owned() }
                }),
            };
        (diff != case.diff).then(|| (case.before.clone(), diff))
    }

    /// The tree that the diff is meant to give.
    pub(crate) fn after(self, case: &Case) -> Tree {
        if self != Self::CrLfFiles {
            return case.after.clone();
        }
        let is_made = |name: &String| case.before.get(name).is_none_or(|file| !file.0.contains('\n'));
        let mut after = with_crlf(&case.after);
        after.extend(
            case.after.iter().filter(|file| is_made(file.0)).map(|(name, file)| (name.clone(), file.clone())),
        );
        after
    }

    /// Whether the diff may do something that it is not meant to.
    pub(crate) fn may_mislead(self, case: &Case) -> bool {
        match self {
            // The nearest of several places may be another one; a hunk of nothing but new lines goes where it says.
            Self::Starts => has_vague_hunks(case),
            // With blanks at the ends of lines ignored a hunk may have more places than before.
            Self::TrailingBlanks => !case.is_distinct,
            // Nothing tells that the file's end changes.
            Self::NoMarkers => true,
            // New lines below the same context go there again.
            Self::Twice => true,
            _ => false,
        }
    }

    /// Whether the diff may be refused.
    pub(crate) fn may_be_refused(self, case: &Case) -> bool {
        // Three lines of a hunk without context that look like the headers of a file are, whatever the counts say.
        if case.diff.contains("\n--- x\n+++ y\n@@") {
            return true;
        }
        match self {
            Self::Starts | Self::NoNumbers => has_vague_hunks(case),
            Self::TrailingBlanks => !case.is_distinct,
            Self::Twice | Self::LostSign => true,
            _ => false,
        }
    }
}

/// Whether a hunk may fit more than one place: lines stand more than once, or there is no context.
fn has_vague_hunks(case: &Case) -> bool {
    !case.is_distinct || case.style.context() == 0
}

fn with_crlf(tree: &Tree) -> Tree {
    tree.iter().map(|(name, file)| (name.clone(), (file.0.replace('\n', "\r\n"), file.1))).collect()
}

/// Which lines are in the body of a hunk, by the counts of its header.
#[derive(Default)]
struct Body {
    old: usize,
    new: usize,
}

impl Body {
    fn is_line_of(&mut self, line: &str) -> bool {
        if self.old == 0 && self.new == 0 {
            if let Some([_, old, _, new]) = numbers(line) {
                (self.old, self.new) = (old, new);
            }
            return line.starts_with('\\');
        }
        self.old -= usize::from(line.starts_with([' ', '-']));
        self.new -= usize::from(line.starts_with([' ', '+']));
        true
    }
}

/// The lines, each with whether it is in the body of a hunk.
fn lines(diff: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut body = Body::default();
    diff.split_inclusive('\n').map(move |line| (line, body.is_line_of(line)))
}

fn every_line(diff: &str, mut change: impl FnMut(&str, bool) -> String) -> String {
    lines(diff).map(|(line, is_body)| change(line, is_body)).collect()
}

/// The diff with one of the lines that `may_be` allows changed.
fn one_line(
    diff: &str,
    random: &mut Random,
    may_be: fn(&str, bool) -> bool,
    change: impl FnOnce(&mut String, &mut Random) -> String,
) -> String {
    let mut all: Vec<String> = lines(diff).map(|(line, _)| line.to_owned()).collect();
    let candidates: Vec<usize> = lines(diff)
        .enumerate()
        .filter(|(_, (line, is_body))| may_be(line, *is_body))
        .map(|(index, _)| index)
        .collect();
    if !candidates.is_empty() {
        let at = random.pick(&candidates);
        all[at] = change(&mut all[at].clone(), random);
    }
    all.concat()
}

fn is_hunk_header(line: &str, is_body: bool) -> bool {
    !is_body && line.starts_with("@@ ")
}

/// Whether it is a context line whose text could be no line of a hunk.
fn is_context(line: &str, is_body: bool) -> bool {
    is_body && line.strip_prefix(' ').is_some_and(|text| !text.starts_with([' ', '+', '-', '\\', '@', '\n']))
}

/// Start and count of the old side, of the new side.
fn numbers(header: &str) -> Option<[usize; 4]> {
    let (old, rest) = header.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let range = |range: &str| match range.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((range.parse().ok()?, 1)),
    };
    let ((a, b), (c, d)) = (range(old)?, range(new)?);
    Some([a, b, c, d])
}

fn renumbered(line: &str, change: impl Fn([usize; 4]) -> [usize; 4]) -> String {
    match numbers(line) {
        Some(numbers) => {
            let [a, b, c, d] = change(numbers);
            let rest = line.split_once(" @@").unwrap().1;
            format!("@@ -{a},{b} +{c},{d} @@{rest}")
        }
        None => line.to_owned(),
    }
}

/// Up to three more or less; `by` is less than seven. What is 0 stays, as does 1.
fn shift(value: usize, by: usize) -> usize {
    if value == 0 { 0 } else { (value + by).saturating_sub(3).max(1) }
}

/// The hunks of each file, last first.
fn reordered(diff: &str) -> String {
    let (mut out, mut hunks) = (String::new(), Vec::<String>::new());
    let mut body = Body::default();
    for line in diff.split_inclusive('\n') {
        let in_body = body.is_line_of(line);
        if !in_body && numbers(line).is_some() {
            hunks.push(line.to_owned());
        } else if in_body && let Some(hunk) = hunks.last_mut() {
            hunk.push_str(line);
        } else {
            out.extend(hunks.drain(..).rev());
            out.push_str(line);
        }
    }
    out.extend(hunks.drain(..).rev());
    out
}
