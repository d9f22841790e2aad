//! Where in its target file an edit takes effect.

use super::blocks::{self, Block};
use super::encoding::{Encoding, Position, Range};
use super::protocol::Location;
use super::workspace::Overlay;
use crate::apply::change::{Change, Operation, Patch, PatchHunk, PatchSide};
use crate::apply::files::{Files as _, LoadedFile};
use crate::apply::plan::Options;
use crate::ast::{Extent, LineKind};
use crate::diagnostic::Diagnostic;
use crate::edit::file_text::FileText;
use crate::rel_path::RelPath;
use crate::source::Span;
use std::sync::Arc;

/// The places that a byte offset in an edit stands for: from its path, its file; from elsewhere, the lines that it
/// changes, or where there are none, those that are most like them.
pub(super) fn locations(
    block: &Block<'_>,
    at: u32,
    diagnostics: &[Diagnostic],
    files: &Overlay<'_>,
    encoding: Encoding,
) -> Vec<Location> {
    let Some(change) = block.change() else { return Vec::new() };
    let Some(mut target) = Target::of(change, at, files, encoding) else { return Vec::new() };
    let is_at = |span: Option<Span>| span.is_some_and(|span| span.contains(Span::empty(at)));
    if is_at(blocks::path(change)) {
        return vec![target.top()];
    }
    let (found, hunk) = match &change.operation {
        Operation::Edit { search: Some(search), .. } => (target.places(search), None),
        Operation::Patch(patch) => match hunk_at(patch, at) {
            Some((number, hunk)) => (target.hunk(hunk), Some(number)),
            None => return vec![target.top()],
        },
        _ => return vec![target.top()],
    };
    if !found.is_empty() {
        return found;
    }
    let number = u32::try_from(block.index + 1).ok();
    let own = |found: &&Diagnostic| found.block == number && (hunk.is_none() || found.hunk == hunk);
    let similar = diagnostics.iter().filter(own).flat_map(|found| &found.related).find_map(|place| {
        let (path, (start, end)) = (RelPath::new(place.path.as_deref()?).ok()?, place.position?);
        let at = |position| files.position(&path, position, encoding);
        Some(Location { uri: files.uri(&path, &path), range: Range { start: at(start), end: at(end) } })
    });
    vec![similar.unwrap_or_else(|| target.top())]
}

/// The hunk that an offset lies in, with its number from 1.
fn hunk_at<'p, 'a>(patch: &'p Patch<'a>, at: u32) -> Option<(u32, &'p PatchHunk<'a>)> {
    let starts_after = |hunk: &PatchHunk<'_>| hunk.header.is_none_or(|header| header.start <= at);
    let number = patch.hunks.partition_point(starts_after);
    Some((u32::try_from(number).ok()?, patch.hunks.get(number.checked_sub(1)?)?))
}

/// The file of an edit as it is now.
struct Target<'a> {
    text: FileText,
    path: RelPath,
    uri: String,
    files: &'a Overlay<'a>,
    encoding: Encoding,
}

impl<'a> Target<'a> {
    /// `None` where there is no file.
    fn of(change: &Change<'_>, at: u32, files: &'a Overlay<'a>, encoding: Encoding) -> Option<Self> {
        let load = |path: &str| {
            let path = RelPath::new(path).ok()?;
            let loaded = files.load(&path, Options::default().max_file_size).ok()?;
            Some((path, loaded.target, loaded.file?))
        };
        let (path, target, file): (RelPath, RelPath, Arc<LoadedFile>) = match &change.operation {
            Operation::Patch(patch) => sides(patch, at).into_iter().flatten().find_map(load)?,
            _ => load(change.path.as_deref()?)?,
        };
        let uri = files.uri(&path, &target);
        Some(Self { text: FileText::new(file), path, uri, files, encoding })
    }

    fn top(&self) -> Location {
        let start = Position { line: 0, character: 0 };
        Location { uri: self.uri.clone(), range: Range { start, end: start } }
    }

    fn location(&self, place: std::ops::Range<usize>) -> Location {
        let at = |at| self.files.position(&self.path, self.text.original_position(at), self.encoding);
        let range = Range { start: at(place.start), end: at(place.end) };
        Location { uri: self.uri.clone(), range }
    }

    /// Everywhere that a text stands.
    fn places(&mut self, text: &str) -> Vec<Location> {
        self.text.places(text).into_iter().map(|place| self.location(place)).collect()
    }

    /// Where the old lines of a hunk stand: of several places the nearest to the line that it states.
    fn hunk(&mut self, hunk: &PatchHunk<'_>) -> Vec<Location> {
        let mut lines: Vec<&str> = Vec::new();
        let counted = match hunk.extent {
            Extent::Beginning(count) => count as usize,
            Extent::Counted | Extent::Unknown => usize::MAX,
        };
        let mut beginning = 0;
        for (number, line) in hunk.lines.iter().enumerate().filter(|(_, line)| line.kind != LineKind::Added) {
            lines.push(&line.text);
            beginning += usize::from(number < counted);
        }
        let stated = hunk.old_start.unwrap_or(0).saturating_sub(1);
        if lines.is_empty() {
            let end = self.text.text().len();
            let end = self.location(end..end).range.end;
            let stated = Position { line: hunk.old_start.unwrap_or(0), character: 0 };
            let at = if stated.line > end.line { end } else { stated };
            return vec![Location { uri: self.uri.clone(), range: Range { start: at, end: at } }];
        }
        let filled = lines.iter().rposition(|line| !line.trim_ascii().is_empty()).map_or(0, |last| last + 1);
        for count in [lines.len(), beginning, filled] {
            let text = lines.get(..count).unwrap_or_default().join("\n");
            let found = if text.is_empty() { Vec::new() } else { self.places(&text) };
            if let Some(nearest) =
                found.into_iter().min_by_key(|place| place.range.start.line.abs_diff(stated))
            {
                return vec![nearest];
            }
        }
        Vec::new()
    }
}

/// The names of a patch's files, the one that stands at the offset first, else the old one.
fn sides<'p>(patch: &'p Patch<'_>, at: u32) -> [Option<&'p str>; 2] {
    let name = |side: &'p PatchSide<'_>| side.name().map(|name| name.path.as_ref());
    let is_new =
        patch.new.name().and_then(|name| name.line).is_some_and(|line| line.contains(Span::empty(at)));
    if is_new { [name(&patch.new), name(&patch.old)] } else { [name(&patch.old), name(&patch.new)] }
}
