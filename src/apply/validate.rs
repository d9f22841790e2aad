//! The rules that look at several files, or at a file's permissions, once every change has been folded.

use std::collections::HashMap;

use super::files::Files;
use super::fold::Fold;
use super::report::FileStatus;
use super::slot::Settled;
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::cases;
use crate::rel_path::RelPath;

/// Two files of which one would lie below the other, by their slots.
#[derive(Debug, Clone, Copy)]
struct Conflict {
    above: usize,
    below: usize,
}

impl Conflict {
    /// The one that the input names first.
    fn earlier(self) -> usize {
        self.above.min(self.below)
    }

    fn later(self) -> usize {
        self.above.max(self.below)
    }
}

impl<F: Files> Fold<'_, F> {
    /// Adds what is wrong with the files as they would become.
    pub(super) fn validate(&mut self, settled: &[Settled]) {
        self.refuse_conflicting_paths(settled);
        for (slot, settled) in settled.iter().enumerate() {
            self.check_permissions(slot, settled.status);
            self.check_new_name(slot, settled.status);
        }
    }

    /// No file may lie below another.
    fn refuse_conflicting_paths(&mut self, settled: &[Settled]) {
        let present: HashMap<RelPath, usize> = self
            .slots
            .iter()
            .zip(settled)
            .enumerate()
            .filter(|(_, (slot, settled))| settled.new.is_some() && !slot.changes.is_empty())
            .map(|(index, (slot, _))| (slot.target.clone(), index))
            .collect();
        let mut conflicts = Vec::new();
        for (target, &slot) in &present {
            let ancestors = std::iter::successors(target.parent(), RelPath::parent);
            conflicts.extend(
                ancestors
                    .filter_map(|above| present.get(&above))
                    .map(|&above| Conflict { above, below: slot }),
            );
        }
        conflicts.sort_unstable_by_key(|conflict| (conflict.later(), conflict.earlier()));
        conflicts.dedup_by_key(|conflict| conflict.later());
        for conflict in conflicts {
            self.tell_conflict(conflict);
        }
    }

    fn tell_conflict(&mut self, conflict: Conflict) {
        let path = |slot: usize| self.slots.get(slot).map(|slot| slot.path.to_string()).unwrap_or_default();
        let other = path(conflict.earlier());
        let message = if conflict.later() == conflict.below {
            format!("`{other}` is a file in this input, so that there can be none below it")
        } else {
            format!("the input also has the file `{other}`, for which this path must be a directory")
        };
        let fault = Diagnostic::new(Code::PathConflict, message);
        let earlier = self.first_change(conflict.earlier()).and_then(|change| self.changes.list.get(change));
        let fault = match earlier.and_then(|change| change.origin) {
            Some(origin) => fault.with_related("the other file is named here", origin.anchor),
            None => fault,
        };
        self.report_at_first_change(conflict.later(), fault);
    }

    fn first_change(&self, slot: usize) -> Option<usize> {
        self.slots.get(slot)?.changes.first().copied()
    }

    fn check_permissions(&mut self, slot: usize, status: FileStatus) {
        let Some(state) = self.slots.get(slot) else { return };
        let Some(stamp) = state.original.as_ref().and_then(|file| file.stamp) else { return };
        if status == FileStatus::Unchanged || state.changes.is_empty() {
            return;
        }
        if !stamp.is_writable() {
            let message = "the file has no write permission";
            self.report_at_first_change(slot, Diagnostic::new(Code::ReadOnly, message));
        }
        if stamp.links > 1 && status != FileStatus::Deleted {
            let message = "the file has other names (hard links), which do not get the new content";
            self.report_at_first_change(slot, Diagnostic::new(Code::HardLink, message));
        }
    }

    /// A new file could be made under any name: not under one with both separators, of which one may be a typing error.
    fn check_new_name(&mut self, slot: usize, status: FileStatus) {
        if !matches!(status, FileStatus::Created | FileStatus::Renamed) {
            return;
        }
        let change = self.first_change(slot).and_then(|change| self.changes.list.get(change));
        let is_mixed = |path: &str| path.contains('/') && path.contains('\\');
        if change.and_then(|change| change.path.as_deref()).is_some_and(is_mixed) {
            let message = "the name of the new file has `/` as well as `\\`, so that it is not sure which file is meant";
            let fault = Diagnostic::new(Code::PathConflict, message).with_remedy(&cases::ONE_SEPARATOR);
            self.report_at_first_change(slot, fault);
        }
    }

    fn report_at_first_change(&mut self, slot: usize, diagnostic: Diagnostic) {
        let Some(state) = self.slots.get(slot) else { return };
        let (path, first) = (state.path.to_string(), state.changes.first().copied());
        if let Some(first) = first {
            self.report(first, &path, diagnostic);
        }
    }
}
