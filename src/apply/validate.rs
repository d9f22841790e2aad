//! The rules that look at several files, or at a file's permissions, once every change has been folded.

use std::collections::HashMap;

use super::files::Files;
use super::fold::Fold;
use super::report::FileStatus;
use super::slot::Settled;
use crate::diagnostic::{Code, Diagnostic};
use crate::rel_path::RelPath;

impl<F: Files> Fold<'_, F> {
    /// Adds what is wrong with the files as they would become.
    pub(super) fn validate(&mut self, settled: &[Settled]) {
        self.refuse_conflicting_paths(settled);
        for (slot, settled) in settled.iter().enumerate() {
            self.check_permissions(slot, settled.status);
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
            conflicts.extend(ancestors.filter_map(|above| present.get(&above)).map(|&above| slot.max(above)));
        }
        conflicts.sort_unstable();
        conflicts.dedup();
        for slot in conflicts {
            let message = "the input has a file and another one below it";
            self.report_at_first_change(slot, Diagnostic::new(Code::PathConflict, message));
        }
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
            let message = "the file has other names (hard links); they keep the old content";
            self.report_at_first_change(slot, Diagnostic::new(Code::HardLink, message));
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
