//! The fold: each change, in order, over the files as the changes before it left them.

mod edit;
mod fault;
mod patch;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::change::{Change, Changes, Operation};
use super::explain::Explainer;
use super::files::{Files, Loaded};
use super::plan::Options;
use super::report::FileStatus;
use super::slot::{Content, Settled, Slot};
use crate::ast::InputKind;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::explain::cases;
use crate::rel_path::RelPath;
use crate::source::Span;

use self::fault::Fault;

/// The state of a fold over the files of one input.
pub(super) struct Fold<'a, F> {
    pub(super) changes: &'a Changes<'a>,
    pub(super) files: &'a F,
    pub(super) options: &'a Options,
    pub(super) slots: Vec<Slot>,
    /// The diff of git that the fold is in, or was last.
    git_diff: patch::GitDiff,
    /// What each spelling of a path led to.
    spellings: HashMap<RelPath, Result<usize, Fault>>,
    /// The changes that look for a text in the file of a path, by index.
    searches: HashMap<RelPath, Vec<usize>>,
    by_target: HashMap<RelPath, usize>,
    by_inode: HashMap<(u64, u64), usize>,
    pub(super) explainer: Explainer,
    /// The paths that diagnostics have.
    names: HashSet<Arc<str>>,
    /// What was found, in the order of the changes.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What became of each change.
    pub(super) results: Vec<ChangeResult>,
}

/// What became of one change.
#[derive(Debug, Clone)]
pub(super) struct ChangeResult {
    /// The file that it concerns, as far as it could be found out.
    pub(super) slot: Option<usize>,
    /// Whether an error was found.
    pub(super) failed: bool,
    /// What the change alone did to the file.
    pub(super) status: FileStatus,
}

impl<'a, F: Files> Fold<'a, F> {
    pub(super) fn new(changes: &'a Changes<'a>, files: &'a F, options: &'a Options) -> Self {
        Self {
            changes,
            files,
            options,
            slots: Vec::new(),
            git_diff: patch::GitDiff::default(),
            spellings: HashMap::new(),
            searches: edit::searches(changes),
            by_target: HashMap::new(),
            by_inode: HashMap::new(),
            explainer: Explainer::default(),
            names: HashSet::new(),
            diagnostics: Vec::new(),
            results: vec![
                ChangeResult { slot: None, failed: false, status: FileStatus::Modified };
                changes.list.len()
            ],
        }
    }

    /// Folds every change.
    pub(super) fn run(&mut self) {
        self.take_parse_diagnostics();
        for index in 0..self.changes.list.len() {
            self.change(index);
        }
        self.look_elsewhere();
    }

    /// The files once all changes are folded, in the order of the slots.
    pub(super) fn settle(&mut self) -> Vec<Settled> {
        self.slots.iter_mut().map(Slot::settle).collect()
    }

    /// What parsing found comes first; its errors fail the change that they are about.
    fn take_parse_diagnostics(&mut self) {
        for diagnostic in &self.changes.diagnostics {
            let mut diagnostic = diagnostic.clone();
            self.judge(&mut diagnostic);
            let change = diagnostic.block.and_then(|block| (block as usize).checked_sub(1));
            if let Some(result) = change.and_then(|change| self.results.get_mut(change)) {
                result.failed |= diagnostic.is_error();
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Makes an error that the caller allows a warning.
    fn judge(&self, diagnostic: &mut Diagnostic) {
        if diagnostic.is_error() && self.options.allow.contains(&diagnostic.code) {
            diagnostic.severity = Severity::Warning;
        }
    }

    fn change(&mut self, index: usize) {
        let changes = self.changes;
        let Some(change) = changes.list.get(index) else { return };
        let broken = self.results.get(index).is_none_or(|result| result.failed);
        if let (Operation::Patch(patch), false) = (&change.operation, broken) {
            return self.patch(index, change, patch);
        }
        let Some(path) = change.path.as_deref() else {
            if !broken {
                self.fault(index, "", Fault::new(Code::MissingPath, "the edit names no file"));
            }
            return;
        };
        let slot = match (self.find_slot(path), &change.operation) {
            (Ok(slot), _) => slot,
            (Err(fault), Operation::Edit { search: None, .. }) if change.kind == InputKind::Fsrb => {
                return self.fault(index, path, fault.of_create());
            }
            (Err(fault), _) => return self.fault(index, path, fault),
        };
        self.touch(index, slot);
        if broken {
            return;
        }
        if change.operation == Operation::Broken {
            return self.fault(
                index,
                path,
                Fault::new(Code::UnterminatedBlock, "the block was not read whole"),
            );
        }
        let existed = self.is_present(slot);
        match &change.operation {
            Operation::Edit { search, replace } => {
                self.edit(index, slot, search.as_deref(), replace.as_deref())
            }
            Operation::Write { content } => self.write(index, slot, content),
            Operation::Patch(_) | Operation::Broken => {}
        }
        match (existed, self.is_present(slot)) {
            (false, true) => self.set_status(index, FileStatus::Created),
            (true, false) => self.set_status(index, FileStatus::Deleted),
            _ => {}
        }
    }

    pub(super) fn is_present(&self, slot: usize) -> bool {
        self.slots.get(slot).is_some_and(|slot| matches!(slot.content, Content::Present(_)))
    }

    /// Notes what a change alone does to its file.
    pub(super) fn set_status(&mut self, index: usize, status: FileStatus) {
        if let Some(result) = self.results.get_mut(index) {
            result.status = status;
        }
    }

    /// The slot of a path, loaded at its first mention; `None`, and a fault, for one that cannot be.
    pub(super) fn slot(&mut self, index: usize, path: &str) -> Option<usize> {
        match self.find_slot(path) {
            Ok(slot) => {
                self.touch(index, slot);
                Some(slot)
            }
            Err(fault) => {
                self.fault(index, path, fault);
                None
            }
        }
    }

    /// Notes that a change concerns a slot; the first one is told when the file is a sensitive one.
    pub(super) fn touch(&mut self, index: usize, slot: usize) {
        if let Some(result) = self.results.get_mut(index) {
            result.slot.get_or_insert(slot);
        }
        let Some(slot) = self.slots.get_mut(slot) else { return };
        if slot.changes.last() != Some(&index) {
            slot.changes.push(index);
        }
        if slot.changes.len() == 1 && (slot.path.is_sensitive() || slot.target.is_sensitive()) {
            let path = slot.path.to_string();
            let message = "a file at this path can make other programs run commands: look at the change";
            self.report(index, &path, Diagnostic::new(Code::SensitivePath, message));
        }
    }

    /// The slot of a path, loaded at its first mention.
    pub(super) fn find_slot(&mut self, path: &str) -> Result<usize, Fault> {
        let path = RelPath::new(path).map_err(Fault::from)?;
        if let Some(known) = self.spellings.get(&path) {
            return known.clone();
        }
        let loaded = self.files.load(&path, self.options.max_file_size);
        let slot = loaded.map_err(Fault::from).and_then(|loaded| self.place(&path, loaded));
        self.spellings.insert(path, slot.clone());
        slot
    }

    fn place(&mut self, path: &RelPath, loaded: Loaded) -> Result<usize, Fault> {
        if let Some(&slot) = self.by_target.get(&loaded.target) {
            return Ok(slot);
        }
        let slot = self.slots.len();
        if let Some(stamp) = loaded.file.as_ref().and_then(|file| file.stamp).filter(|stamp| stamp.links > 1)
        {
            let other = *self.by_inode.entry((stamp.device, stamp.inode)).or_insert(slot);
            if other != slot {
                let first = self.slots.get(other);
                let other = first.map(|slot| slot.path.as_str()).unwrap_or_default();
                let message =
                    format!("the path and `{other}`, which the input names too, are hard links of one file");
                let first = first.and_then(|slot| self.changes.list.get(*slot.changes.first()?)?.origin);
                let fault = Fault::new(Code::PathConflict, message).with_remedy(&cases::ONE_NAME);
                return Err(fault.with_other("the other name is here", first.map(|origin| origin.anchor)));
            }
        }
        self.by_target.insert(loaded.target.clone(), slot);
        let mut state = Slot::new(path.clone(), loaded.target, loaded.file);
        if let Content::Present(file) = &mut state.content {
            self.expect_searches(path, file.text().0);
        }
        self.slots.push(state);
        Ok(slot)
    }

    pub(super) fn kind(&self, index: usize) -> InputKind {
        self.changes.list.get(index).map_or(InputKind::Response, |change| change.kind)
    }

    /// An error about a change, at the place that its code says.
    pub(super) fn fault(&mut self, index: usize, path: &str, fault: Fault) {
        self.report(index, path, fault.diagnostic());
    }

    /// Adds a diagnostic about a change; without a place of its own it gets the one that its code says.
    pub(super) fn report(&mut self, index: usize, path: &str, mut diagnostic: Diagnostic) {
        // People leave code out in no other place than a reply, so elsewhere such a line may be meant.
        if diagnostic.code == Code::OmissionPlaceholder && self.kind(index) != InputKind::Response {
            diagnostic.severity = Severity::Warning;
        }
        self.judge(&mut diagnostic);
        diagnostic.block = u32::try_from(index + 1).ok();
        if diagnostic.path.is_none() && !path.is_empty() {
            diagnostic.path = Some(path.into());
        }
        self.share_path(&mut diagnostic);
        if diagnostic.span.is_none() {
            diagnostic.span =
                self.changes.list.get(index).and_then(|change| place_of(change, diagnostic.code));
        }
        if let Some(result) = self.results.get_mut(index) {
            result.failed |= diagnostic.is_error();
        }
        if diagnostic.is_error() {
            self.explain(index, &mut diagnostic);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Lets a diagnostic have its path from the one before, or from whichever had it first.
    fn share_path(&mut self, diagnostic: &mut Diagnostic) {
        let Some(path) = &mut diagnostic.path else { return };
        match self.names.get(path) {
            Some(known) => *path = Arc::clone(known),
            None => drop(self.names.insert(Arc::clone(path))),
        }
    }

    /// Adds to an error what would help to mend it.
    fn explain(&mut self, index: usize, diagnostic: &mut Diagnostic) {
        let path = diagnostic.path.as_deref().and_then(|path| RelPath::new(path).ok());
        let slot = match path.and_then(|path| self.spellings.get(&path)) {
            Some(&Ok(slot)) => self.slots.get_mut(slot),
            _ => None,
        };
        let file = match slot.map(|slot| &mut slot.content) {
            Some(Content::Present(file)) => Some(file.text().0),
            _ => None,
        };
        if let Some(change) = self.changes.list.get(index) {
            self.explainer.explain(change, file, self.files, diagnostic);
        }
    }

    /// Looks for the texts that are not in their file in other files.
    fn look_elsewhere(&mut self) {
        for found in &mut self.diagnostics {
            let is_missing = matches!(
                found.code,
                Code::SearchNotFound | Code::HunkNotFound | Code::FileNotFound | Code::NotAFile
            );
            let change =
                found.block.and_then(|block| self.changes.list.get((block as usize).checked_sub(1)?));
            if let (true, Some(change), None) = (is_missing && found.is_error(), change, &found.suggestion) {
                self.explainer.look_elsewhere(change, &self.slots, self.files, found);
            }
        }
    }
}

/// Where a diagnostic about a change points when it has no place of its own.
fn place_of(change: &Change<'_>, code: Code) -> Option<Span> {
    let origin = change.origin?;
    match code {
        Code::UnsafePath | Code::SensitivePath => origin.path.or(Some(origin.anchor)),
        _ => Some(origin.anchor),
    }
}
