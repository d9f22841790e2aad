//! Explains a refusal: where the text nearly stands, in what it differs there, and how the input could be mended.
//!
//! It adds to a diagnostic and does nothing else: no verdict and no file depends on it. All that it looks at is paid
//! for from one [`Effort`] a plan.

mod ambiguous;
mod compare;
mod hunk;
mod library;
mod mend;
mod part;
mod path;
mod search;
mod visible;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use super::change::{Change, Operation, Origin};
use super::files::Files;
use super::slot::Slot;
use crate::ast::LineKind;
use crate::diagnostic::{Code, Diagnostic, Related};
use crate::edit::file_text::FileText;
use crate::edit::nearest::Effort;
use crate::rel_path::RelPath;
use crate::source::Span;

use self::library::Library;
use self::search::elsewhere;

pub(super) use hunk::places as hunk_places;

/// Explains the refusals of one plan.
#[derive(Debug, Default)]
pub(super) struct Explainer {
    pub(super) effort: Effort,
    /// The files that there are, asked for at the first path that leads to none.
    paths: OnceCell<Vec<RelPath>>,
    /// Their texts, read when one is first looked for in all of them.
    library: OnceCell<Library>,
}

/// A refusal to explain.
struct Case<'a> {
    origin: Origin,
    /// The target file's path.
    path: Arc<str>,
    /// The target file, as the changes before have left it.
    file: &'a FileText,
}

impl Explainer {
    /// Adds to a diagnostic about a change what would help to mend it. `file` is its file as the changes before have
    /// left it, where there is one.
    pub(super) fn explain(
        &mut self,
        change: &Change<'_>,
        file: Option<&mut FileText>,
        files: &impl Files,
        found: &mut Diagnostic,
    ) {
        // Values that came from no text have no place that could be mended.
        let Some(origin) = change.origin else { return };
        let mut effort = self.effort.share();
        match (found.code, file, &change.operation) {
            (Code::FileNotFound, _, _) => {
                let paths = self.paths.get_or_init(|| files.listing());
                path::explain(change, origin, paths, &mut effort, found);
            }
            (Code::AmbiguousMatch, Some(file), Operation::Edit { search: Some(text), .. }) => {
                let places = file.places(text);
                let case = Case { origin, path: path_of(found), file };
                ambiguous::explain(&case, &places, &mut effort, found);
            }
            (Code::SearchNotFound, Some(file), Operation::Edit { search: Some(text), replace }) => {
                let case = Case { origin, path: path_of(found), file };
                let _ = search::explain(&case, text, replace.as_deref(), &mut effort, found);
            }
            (Code::HunkNotFound, Some(file), Operation::Patch(patch)) => {
                let case = Case { origin, path: path_of(found), file };
                let _ = hunk::explain(&case, patch, &mut effort, found);
            }
            _ => {}
        }
        self.effort.give_back(&effort);
    }

    /// Adds to a diagnostic about a change where the text stands that is not in its file, when that is another one: one
    /// that the input names, or else any; of a directory the first files in it.
    pub(super) fn look_elsewhere(
        &mut self,
        change: &Change<'_>,
        slots: &[Slot],
        files: &impl Files,
        found: &mut Diagnostic,
    ) {
        let path = path_of(found);
        let is_there = matches!(found.code, Code::SearchNotFound | Code::HunkNotFound);
        let is_nowhere = found.related.iter().all(|related| related.position.is_none());
        let text = wanted_text(change, found.hunk).filter(|text| search::is_telling(text));
        let mut places = Vec::new();
        if let Some(text) = &text {
            places.extend(elsewhere(text, &path, slots, &mut self.effort));
        }
        if let (Some(text), true) = (&text, places.is_empty() && (!is_there || is_nowhere))
            && self.effort.left() > library::LEAST
        {
            let paths = self.paths.get_or_init(|| files.listing());
            let library = self.library.get_or_init(|| Library::of(paths, files, &mut self.effort));
            places = library.places(text, &path, &mut self.effort);
        }
        if places.is_empty() && found.code == Code::NotAFile {
            let paths = self.paths.get_or_init(|| files.listing());
            places = path::in_directory(&path, paths);
        }
        found.related.append(&mut places);
    }
}

/// The text that a change looks for: a SEARCH section, or the old lines of a hunk (from 1) or of the first one.
fn wanted_text<'c>(change: &'c Change<'_>, hunk: Option<u32>) -> Option<Cow<'c, str>> {
    match &change.operation {
        Operation::Edit { search, .. } => search.as_deref().map(Cow::Borrowed),
        Operation::Patch(patch) => {
            let hunk = patch.hunks.get((hunk.unwrap_or(1) as usize).checked_sub(1)?)?;
            let old = hunk.lines.iter().filter(|line| line.kind != LineKind::Added);
            let lines: Vec<&str> = old.map(|line| line.text.as_ref()).collect();
            Some(Cow::Owned(lines.join("\n")))
        }
        Operation::Write { .. } | Operation::Broken => None,
    }
}

/// Files with more bytes are too large to be compared as a whole, however few faults there are.
const LARGE: usize = 8 << 20;

/// How a search for similar lines ended that found none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unfound {
    /// There are none.
    Nowhere,
    /// It would have cost too much.
    Unsought,
}

impl Unfound {
    /// How it ended after it began with `before`: part of an effort is kept for what follows the first look.
    fn after(before: u64, effort: &Effort) -> Self {
        if effort.left() <= before / 4 { Self::Unsought } else { Self::Nowhere }
    }

    /// What to say of the file.
    fn tell(self, case: &Case<'_>) -> Related {
        let message = match self {
            Self::Nowhere => "no lines of this file are like those; another file may be meant",
            Self::Unsought if case.file.original().len() > LARGE => {
                "similar lines were not looked for: the file is too large for that"
            }
            Self::Unsought => {
                "similar lines were not looked for: the file is too large for that, or there are too many faults"
            }
        };
        Related {
            message: message.to_owned(),
            path: Some(case.path.to_string()),
            span: Span::empty(0),
            position: None,
        }
    }
}

fn path_of(found: &Diagnostic) -> Arc<str> {
    found.path.clone().unwrap_or_default()
}

impl Case<'_> {
    /// Pays for what every explanation takes; `None`, which is told, where there is too little left for one.
    fn begin(&self, effort: &mut Effort, found: &mut Diagnostic) -> Option<()> {
        let text = if self.file.is_edited() { self.file.original().len() } else { 0 };
        let paid = effort.spend(2_000 + text);
        if paid.is_none() {
            found.related.push(Unfound::Unsought.tell(self));
        }
        paid
    }

    /// A place in the file, by byte offsets in its text.
    fn place(&self, range: Range<usize>, message: String) -> Related {
        let (start, end) = (self.file.position(range.start), self.file.position(range.end));
        related(&self.path, start, end, message)
    }
}

fn related(
    path: &str,
    start: crate::source::Position,
    end: crate::source::Position,
    message: String,
) -> Related {
    Related {
        message,
        path: Some(path.to_owned()),
        span: Span::new(start.offset, end.offset),
        position: Some((start, end)),
    }
}

#[cfg(test)]
mod tests;
