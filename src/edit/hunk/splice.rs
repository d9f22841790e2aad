//! What the hunks make of the file, once their places are known.

use super::lines::FileLines;
use super::{Place, Reading};
use crate::apply::change::{PatchHunk, PatchLine};
use crate::ast::{LineEnding as InDiff, LineKind};
use crate::edit::line_ending::{LineEnding, in_place_of, split_ending};

/// The file with every hunk in its place; `found` is sorted by place.
pub(super) fn splice(file: &FileLines<'_>, hunks: &[PatchHunk<'_>], found: &[Place<'_>]) -> Vec<u8> {
    let added: usize = found.iter().flat_map(|place| place.reading).map(|line| line.text.len() + 2).sum();
    let mut out = Vec::with_capacity(file.bytes().len() + added);
    let mut copied = 0;
    for place in found {
        let range = file.range(place.lines.clone());
        out.extend_from_slice(file.bytes().get(copied..range.start).unwrap_or_default());
        let header = hunks.get(place.hunk).map_or(InDiff::None, |hunk| hunk.header_ending);
        Writer { file, endings: endings(file, place, header), line: place.lines.start, out: &mut out }
            .hunk(place.reading);
        copied = range.end;
    }
    out.extend_from_slice(file.bytes().get(copied..).unwrap_or_default());
    finish(file, found, &mut out);
    out
}

/// Which endings new lines get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endings {
    /// Those of the lines that they replace.
    OfReplaced,
    /// Those that they have in the diff.
    OfDiff,
}

fn endings(file: &FileLines<'_>, place: &Place<'_>, header: InDiff) -> Endings {
    if file.count() == 0 {
        // With CRLF in its header lines too, the diff has them from its way here and not from the file.
        return if header == InDiff::CrLf { Endings::OfReplaced } else { Endings::OfDiff };
    }
    let old = place.reading.iter().filter(|line| line.kind != LineKind::Added);
    let mut told = false;
    for (line, found) in old.zip(file.from(place.lines.start)) {
        match (in_diff(line), split_ending(found).1) {
            (None, _) | (_, None) => {}
            (Some(in_diff), Some(in_file)) if in_diff == in_file => told = true,
            _ => return Endings::OfReplaced,
        }
    }
    if told { Endings::OfDiff } else { Endings::OfReplaced }
}

fn in_diff(line: &PatchLine<'_>) -> Option<LineEnding> {
    match line.ending {
        InDiff::Lf => Some(LineEnding::Lf),
        InDiff::CrLf => Some(LineEnding::CrLf),
        InDiff::None => None,
    }
}

/// Writes one hunk.
struct Writer<'w> {
    file: &'w FileLines<'w>,
    endings: Endings,
    /// The line of the file that is next.
    line: usize,
    out: &'w mut Vec<u8>,
}

impl Writer<'_> {
    fn hunk(mut self, reading: Reading<'_>) {
        for run in reading.chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context)) {
            if run.first().is_some_and(|line| line.kind == LineKind::Context) {
                let range = self.file.range(self.line..self.line + run.len());
                self.out.extend_from_slice(self.file.bytes().get(range).unwrap_or_default());
                self.line += run.len();
            } else {
                self.change(run);
            }
        }
    }

    /// Puts the added lines of a run in place of its removed ones.
    fn change(&mut self, run: &[PatchLine<'_>]) {
        let removed = run.iter().filter(|line| line.kind == LineKind::Removed).count();
        let range = self.file.range(self.line..self.line + removed);
        self.line += removed;
        let added: Vec<_> = run.iter().filter(|line| line.kind == LineKind::Added).collect();
        if added.is_empty() {
            return;
        }
        let mut text = Vec::new();
        // The line before is the last of a file without final line ending: now it needs one.
        let unended = !self.out.ends_with(b"\n") && !self.is_at_start();
        if unended {
            text.push(b'\n');
        }
        for line in &added {
            text.extend_from_slice(line.text.as_bytes());
            text.push(b'\n');
        }
        let ruled = in_place_of(self.file.bytes(), range, &text);
        if self.endings == Endings::OfReplaced {
            self.out.extend_from_slice(&ruled);
            return;
        }
        let mut lines = ruled.split_inclusive(|&byte| byte == b'\n');
        if unended {
            self.out.extend_from_slice(lines.next().unwrap_or_default());
        }
        for (line, ruled) in added.iter().zip(lines) {
            self.out.extend_from_slice(line.text.as_bytes());
            let ending = in_diff(line).or(split_ending(ruled).1).unwrap_or(LineEnding::Lf);
            self.out.extend_from_slice(ending.as_bytes());
        }
    }

    /// Whether nothing is written, the byte order mark apart.
    fn is_at_start(&self) -> bool {
        self.out.len() == self.file.start(0)
    }
}

/// Gives the file the end that it had, or that the hunk at its end says.
fn finish(file: &FileLines<'_>, found: &[Place<'_>], out: &mut Vec<u8>) {
    let had = file.count() == 0 || file.bytes().ends_with(b"\n");
    let at_end = found.iter().rev().find(|place| place.lines.end == file.count());
    let wanted = at_end.and_then(|place| final_newline(place.reading)).unwrap_or(had);
    if out.len() <= file.start(0) || wanted == out.ends_with(b"\n") {
        return;
    }
    if wanted {
        let ending = memchr::memrchr(b'\n', out).and_then(|at| LineEnding::before(out, at + 1));
        out.extend_from_slice(ending.unwrap_or(LineEnding::Lf).as_bytes());
    } else {
        let text = split_ending(out).0.len();
        out.truncate(text);
    }
}

/// What a hunk at the end of the file says of the final line ending; `None` when it says nothing.
fn final_newline(reading: Reading<'_>) -> Option<bool> {
    let old = reading.iter().rfind(|line| line.kind != LineKind::Added);
    let new = reading.iter().rfind(|line| line.kind != LineKind::Removed);
    let stays = reading.last().is_some_and(|line| line.kind == LineKind::Context);
    match (old.is_some_and(|line| line.no_newline), new.is_some_and(|line| line.no_newline)) {
        _ if stays => None,
        (_, true) => Some(false),
        (true, false) => Some(true),
        (false, false) => None,
    }
}
