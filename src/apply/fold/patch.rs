//! Folding file patches.

use std::collections::{HashMap, HashSet};

use super::Fold;
use super::edit::omission;
use super::fault::Fault;
use crate::apply::change::{Change, Changes, Dialect, Operation, Patch, PatchHunk, PatchLine, PatchName};
use crate::apply::explain::hunk_places;
use crate::apply::files::Files;
use crate::apply::patch_operation::{PatchOperation, patch_operation};
use crate::apply::placeholder;
use crate::apply::report::FileStatus;
use crate::apply::slot::{Content, Source};
use crate::ast::{FileOperation, LineKind};
use crate::diagnostic::{Code, Diagnostic, Related};
use crate::edit::hunk::{Exactness, HunkFault, HunkFaultKind, Patched};
use crate::explain::cases;
use crate::rel_path::RelPath;

/// The `diff --git` sections that follow each other without a change of another kind between: one diff.
///
/// Its renames and copies take their sources as they were before it, and a name that one of its sections renames away
/// or deletes is free for another.
#[derive(Debug, Default)]
pub(super) struct GitDiff {
    /// The index just past its last change.
    end: usize,
    /// The names that renames and copies take their content from.
    sources: HashSet<RelPath>,
    /// The names that it renames away or deletes.
    leaving: HashSet<RelPath>,
    /// What the sources held before it, for those that it has changed; `None` where there was no file.
    before: HashMap<usize, Option<Patched>>,
    /// The slots that it has written.
    written: HashSet<usize>,
    /// Those of them that held a file before and have another one now.
    replaced: HashSet<usize>,
    /// Those of them whose file it has changed in its place.
    edited: HashSet<usize>,
}

impl GitDiff {
    /// The diff that starts at a change.
    fn starting_at(start: usize, changes: &Changes<'_>) -> Self {
        let mut diff = Self { end: start, ..Self::default() };
        for change in changes.list.iter().skip(start) {
            let Operation::Patch(patch) = &change.operation else { break };
            if patch.dialect != Dialect::Git {
                break;
            }
            diff.end += 1;
            let Some(old) = patch.old.name().and_then(|name| RelPath::new(&name.path).ok()) else { continue };
            match patch.declared {
                FileOperation::Rename => {
                    diff.sources.insert(old.clone());
                    diff.leaving.insert(old);
                }
                FileOperation::Copy => drop(diff.sources.insert(old)),
                FileOperation::Delete => drop(diff.leaving.insert(old)),
                FileOperation::Modify | FileOperation::Create | FileOperation::Mode => {}
            }
        }
        diff
    }
}

impl<F: Files> Fold<'_, F> {
    pub(super) fn patch(&mut self, index: usize, change: &Change<'_>, patch: &Patch<'_>) {
        if self.git_diff.end <= index {
            self.git_diff = GitDiff::starting_at(index, self.changes);
        }
        let makes_a_file =
            matches!(patch.declared, FileOperation::Create | FileOperation::Rename | FileOperation::Copy);
        for (name, is_new) in [(patch.new.name(), makes_a_file), (patch.old.name(), false)] {
            let Some(name) = name else { continue };
            if let Err(fault) = self.find_slot(&name.path) {
                return self.name_fault(index, name, if is_new { fault.of_create() } else { fault });
            }
        }
        match patch_operation(patch, |path| self.is_there_for(patch, path)) {
            Ok(operation) => self.operate(index, patch, &operation),
            Err(fault) => {
                let path = change.path.as_deref().unwrap_or_default().to_owned();
                if let Ok(slot) = self.find_slot(&path) {
                    self.touch(index, slot);
                }
                let fault = self.of_earlier(index, *fault);
                self.report(index, &path, fault);
            }
        }
    }

    /// A file to create that is there only because a change before has made it is told with that change.
    fn of_earlier(&self, index: usize, fault: Diagnostic) -> Diagnostic {
        let path = fault.path.as_deref().and_then(|path| RelPath::new(path).ok());
        let slot = match path.and_then(|path| self.spellings.get(&path)) {
            Some(&Ok(slot)) if fault.code == Code::CreateExists => self.slots.get(slot),
            _ => None,
        };
        let Some(slot) = slot.filter(|slot| slot.original.is_none()) else { return fault };
        let Some(&earlier) = slot.changes.iter().find(|&&change| change < index) else { return fault };
        let message = format!("the file to create is there already: block {} makes it", earlier + 1);
        let fault = Diagnostic { message, ..fault }.with_remedy(&cases::CREATED_BEFORE);
        match self.changes.list.get(earlier).and_then(|change| change.origin) {
            Some(origin) => fault.with_related("this makes the file", origin.anchor),
            None => fault,
        }
    }

    fn name_fault(&mut self, index: usize, name: &PatchName<'_>, fault: Fault) {
        let span = if fault.code == Code::UnsafePath { name.span } else { name.line };
        let found = Diagnostic { span, ..fault.diagnostic() };
        self.report(index, &name.path, found);
    }

    /// Whether a file exists for a patch: as its source before the diff, as its target when no section of the diff
    /// makes room.
    fn is_there_for(&self, patch: &Patch<'_>, path: &RelPath) -> bool {
        let Some(&Ok(slot)) = self.spellings.get(path) else { return false };
        let is_source =
            patch.old.name().and_then(|name| RelPath::new(&name.path).ok()).as_ref() == Some(path);
        let diff = &self.git_diff;
        if is_source {
            diff.before.get(&slot).map_or_else(|| self.is_present(slot), Option::is_some)
        } else {
            let leaves = diff.leaving.contains(path) && !diff.written.contains(&slot);
            self.is_present(slot) && !leaves
        }
    }

    fn operate(&mut self, index: usize, patch: &Patch<'_>, operation: &PatchOperation) {
        match operation {
            PatchOperation::Modify { path } => self.modify(index, patch, path),
            PatchOperation::Create { path } => self.create(index, patch, path),
            PatchOperation::Delete { path } => self.delete(index, patch, path),
            PatchOperation::Rename { from, to } => self.take_over(index, patch, from, to, Source::Renamed),
            PatchOperation::Copy { from, to } => self.take_over(index, patch, from, to, Source::Copied),
        }
    }

    fn modify(&mut self, index: usize, patch: &Patch<'_>, path: &RelPath) {
        let Some(slot) = self.slot(index, path.as_str()) else { return };
        let Some(new) = self.patched(index, patch, slot, path) else { return };
        let Some(state) = self.slots.get_mut(slot) else { return };
        let mode = state.original.as_ref().and_then(|file| file.stamp).map(|stamp| stamp.is_executable());
        let same_mode = patch.executable.is_none_or(|executable| mode == Some(executable));
        if same_mode && state.lines().is_some_and(|old| old.same(&new)) {
            return self.no_op(index, path.as_str());
        }
        self.git_diff.edited.insert(slot);
        self.put(slot, new, patch);
    }

    fn create(&mut self, index: usize, patch: &Patch<'_>, path: &RelPath) {
        let Some(slot) = self.slot(index, path.as_str()) else { return };
        let (new, found) = hunked(patch, &Patched::from(Vec::new()), |_| Vec::new());
        let Some(new) = self.tell(index, path, new, found) else { return };
        self.set_status(index, FileStatus::Created);
        self.put(slot, new, patch);
    }

    fn delete(&mut self, index: usize, patch: &Patch<'_>, path: &RelPath) {
        let Some(slot) = self.slot(index, path.as_str()) else { return };
        let Some(rest) = self.patched(index, patch, slot, path) else { return };
        if !rest.is_nothing() {
            let message =
                format!("the diff deletes the file, but its hunks leave {} of its lines", rest.count());
            let span = patch.hunks.first().and_then(|hunk| hunk.header);
            let found = Diagnostic::new(Code::HunkNotFound, message).with_remedy(&cases::DELETE_ALL);
            return self.report(index, path.as_str(), Diagnostic { span, ..found });
        }
        self.set_status(index, FileStatus::Deleted);
        // What another section has made of the file is what this one deletes.
        self.vacate(slot);
    }

    /// Puts what a patch makes of one file under the name of another.
    fn take_over(
        &mut self,
        index: usize,
        patch: &Patch<'_>,
        from: &RelPath,
        to: &RelPath,
        how: fn(usize) -> Source,
    ) {
        let Some(target) = self.slot(index, to.as_str()) else { return };
        let Ok(source) = self.find_slot(from.as_str()) else { return };
        let Some(new) = self.patched(index, patch, source, from) else { return };
        // A file that has moved before keeps the place that it came from first.
        let moved_before = self.slots.get(source).and_then(|slot| slot.source);
        let origin = match how(source) {
            Source::Renamed(_) if !self.git_diff.written.contains(&source) => {
                moved_before.unwrap_or(how(source))
            }
            origin => origin,
        };
        match how(source) {
            Source::Renamed(_) => {
                self.set_status(index, FileStatus::Renamed);
                self.touch(index, source);
                // What was renamed is the file as it was before the diff: what the diff has made of it stays.
                if !self.git_diff.edited.contains(&source) {
                    self.vacate(source);
                }
            }
            Source::Copied(_) => self.set_status(index, FileStatus::Created),
        }
        if let Source::Renamed(first) = origin
            && let Some(first) = self.slots.get_mut(first)
        {
            first.renamed_to = Some(target);
        }
        self.put(target, new, patch);
        if let Some(state) = self.slots.get_mut(target) {
            state.source = Some(origin);
        }
    }

    /// The file of a slot, as it was before the diff where the diff has changed it, with the patch's hunks applied;
    /// reports what is in their way.
    fn patched(&mut self, index: usize, patch: &Patch<'_>, slot: usize, path: &RelPath) -> Option<Patched> {
        let is_edited = match self.slots.get(slot).map(|slot| &slot.content) {
            Some(Content::Present(file)) => file.is_edited(),
            _ => true,
        };
        let old = match self.git_diff.before.get(&slot) {
            Some(before) => before.as_ref(),
            None => self.slots.get_mut(slot)?.lines(),
        }?;
        let effort = &mut self.explainer.effort;
        // In a file that was edited the lines are no longer those that are on the disk.
        let (new, found) = hunked(patch, old, |lines| match is_edited {
            true => Vec::new(),
            false => hunk_places(path.as_str(), old.bytes(), lines, effort).unwrap_or_default(),
        });
        self.tell(index, path, new, found)
    }

    /// Reports what hunks met; the text that they give, if they do.
    fn tell(
        &mut self,
        index: usize,
        path: &RelPath,
        new: Option<Patched>,
        found: Vec<Diagnostic>,
    ) -> Option<Patched> {
        for found in found {
            self.report(index, path.as_str(), found);
        }
        new
    }

    /// Gives a slot a new content.
    fn put(&mut self, slot: usize, new: Patched, patch: &Patch<'_>) {
        self.keep_source(slot);
        let diff = &mut self.git_diff;
        if diff.written.insert(slot) && !diff.edited.contains(&slot) && self.is_present(slot) {
            self.git_diff.replaced.insert(slot);
        }
        let Some(state) = self.slots.get_mut(slot) else { return };
        state.content = Content::patched(new);
        state.executable = patch.executable.or(state.executable);
    }

    /// Takes the file of a slot away, unless the diff has already put another one in its place.
    fn vacate(&mut self, slot: usize) {
        self.keep_source(slot);
        if self.git_diff.replaced.contains(&slot) {
            return;
        }
        let Some(state) = self.slots.get_mut(slot) else { return };
        state.content = Content::Absent;
        state.source = None;
    }

    /// Remembers what a slot held before the diff, when a section of the diff may still ask.
    fn keep_source(&mut self, slot: usize) {
        let diff = &self.git_diff;
        let Some(state) = self.slots.get_mut(slot) else { return };
        if (diff.sources.contains(&state.path) || diff.sources.contains(&state.target))
            && !diff.before.contains_key(&slot)
        {
            let before = state.lines().cloned();
            self.git_diff.before.insert(slot, before);
        }
    }
}

/// A text with the hunks of a patch applied, if they fit, and what is to be said of them. `places` makes places of lines
/// of the text, from 1.
fn hunked(
    patch: &Patch<'_>,
    old: &Patched,
    mut places: impl FnMut(&[usize]) -> Vec<Related>,
) -> (Option<Patched>, Vec<Diagnostic>) {
    if patch.hunks.is_empty() {
        return (Some(old.copy()), Vec::new());
    }
    if let Err(error) = old.accepts(patch.texts()) {
        return (None, vec![Fault::from(error).diagnostic()]);
    }
    let mut found: Vec<Diagnostic> = omitted(patch, old).into_iter().collect();
    match old.apply(&patch.hunks) {
        Ok((new, found_at)) => {
            let loose =
                found_at.iter().enumerate().filter(|(_, at)| at.exactness == Exactness::TrailingBlanks);
            found.extend(loose.map(|(number, _)| {
                let message = "the old lines of the hunk are in the file, but with other spaces or tabs at the ends of lines";
                in_hunk(Diagnostic::new(Code::TrailingSpaceMatch, message), &patch.hunks, number)
            }));
            (Some(new), found)
        }
        Err(faults) => {
            for fault in &faults {
                let mut told = in_hunk(hunk_fault(fault, &patch.hunks), &patch.hunks, fault.hunk);
                if let HunkFaultKind::Ambiguous { lines } = &fault.kind {
                    told.related = places(lines);
                }
                found.push(told);
            }
            (None, found)
        }
    }
}

/// The first added line that stands for code left out.
fn omitted(patch: &Patch<'_>, old: &Patched) -> Option<Diagnostic> {
    let known = |sign: &str| old.has_line(sign.as_bytes(), placeholder::is_one);
    let sign = placeholder::all(added_lines(patch)).find(|sign| !known(sign))?;
    let is_sign = |line: &PatchLine<'_>| line.kind == LineKind::Added && line.text.trim() == sign;
    let mut hunks = (1..).zip(&patch.hunks);
    hunks.find_map(|(number, hunk)| {
        let line = hunk.lines.iter().find(|line| is_sign(line))?;
        Some(Diagnostic { hunk: Some(number), ..omission(line.span) })
    })
}

fn added_lines<'p>(patch: &'p Patch<'_>) -> impl Iterator<Item = &'p str> {
    let lines = patch.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines.filter(|line| line.kind == LineKind::Added).map(|line| line.text.as_ref())
}

fn in_hunk(found: Diagnostic, hunks: &[PatchHunk<'_>], number: usize) -> Diagnostic {
    let span = hunks.get(number).and_then(|hunk| hunk.header);
    Diagnostic { span, hunk: u32::try_from(number + 1).ok(), ..found }
}

fn hunk_fault(fault: &HunkFault, hunks: &[PatchHunk<'_>]) -> Diagnostic {
    match &fault.kind {
        HunkFaultKind::NotFound => {
            Diagnostic::new(Code::HunkNotFound, "the hunk's context and removed lines are not in the file")
        }
        HunkFaultKind::BehindEnd { lines } => {
            let message =
                format!("the hunk only adds lines, at a place behind the end of the file (lines: {lines})");
            Diagnostic::new(Code::HunkNotFound, message).with_remedy(&cases::BEHIND_END)
        }
        HunkFaultKind::Ambiguous { lines } if lines.is_empty() => Diagnostic::new(
            Code::AmbiguousHunk,
            "the hunk has neither old lines nor a line number, so that it has no place",
        )
        .with_remedy(&cases::PLACELESS),
        HunkFaultKind::Ambiguous { lines } => {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let message = format!("the hunk fits several places, at lines {}", lines.join(", "));
            Diagnostic::new(Code::AmbiguousHunk, message)
        }
        HunkFaultKind::Overlapping { with } => {
            let message = format!("the hunk has lines of the file that hunk {} has too", with + 1);
            let found = Diagnostic::new(Code::OverlappingHunks, message);
            match hunks.get(*with).and_then(|other| other.header) {
                Some(other) => found.with_related("this is the other hunk", other),
                None => found,
            }
        }
    }
}
