//! Undoing: the same code for an error in the running process and for the next start after a crash.
//!
//! What happened to an entry is found out from the contents alone, the slot's first. First every entry is looked at;
//! only if none is in conflict is anything changed. Each step back is one rename whose precondition is looked at
//! first, so that undoing can itself be interrupted and repeated.

use std::collections::HashSet;
use std::io;
use std::rc::Rc;

use super::journal::{Change, Journal, Record};
use super::look::{Back, SlotName, look_created, look_deleted, look_exchanged, look_replaced};
use super::parents::{Parents, shown};
use super::print::{Seen, see};
use super::swap::rename_new;
use super::{Abort, DONE, TXN, tidy};
use crate::apply::commit::{CommitError, Durability, How, OldCopy, Operation, Unsettled};
use crate::apply::fs::{Fault, Fs, Kind, Tree, attempt, join, split};
use crate::rel_path::RelPath;

/// A commit that is being undone.
pub(super) struct Rollback<'a, F: Fs> {
    pub(super) tree: &'a Tree<F>,
    /// `.fsrb-txn`.
    pub(super) txn: &'a F::Dir,
    pub(super) journal: &'a Journal,
    /// What becomes of files that changed since.
    pub(super) how: How,
    pub(super) durability: Durability,
}

/// Why undoing stopped.
enum Stopped {
    Conflict(Vec<String>),
    Fault(Fault),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Abort> for Stopped {
    fn from(abort: Abort) -> Self {
        match abort {
            Abort::Fault(fault) => Self::Fault(fault),
            Abort::Changed(path) | Abort::OtherFileSystem(path) | Abort::OwnerNotKept(path) => {
                Self::Conflict(vec![shown(&path).to_owned()])
            }
            Abort::Cancelled => Self::Conflict(Vec::new()),
        }
    }
}

impl<'a, F: Fs> Rollback<'a, F> {
    pub(super) fn new(tree: &'a Tree<F>, txn: &'a F::Dir, journal: &'a Journal) -> Self {
        Self { tree, txn, journal, how: How::Ask, durability: Durability::Full }
    }

    /// Undoes everything, or says where the old copies are. Directories that are held open are found there whatever
    /// their name is now.
    pub(super) fn run(self, parents: &mut Parents<'_, F>) -> Result<(), CommitError> {
        let fs = &self.tree.fs;
        self.put_back(parents).map_err(|stopped| self.pending(stopped))?;
        // As at the end of a commit: the rename says that nothing is left but tidying.
        let renamed =
            attempt(Operation::Rename, DONE, || fs.rename(&self.tree.base, TXN, &self.tree.base, DONE));
        renamed.and_then(|()| self.sync(".", &self.tree.base)).map_err(|fault| self.pending(fault.into()))?;
        // What cannot be removed now is removed by the next start.
        let _ = tidy::tidy_undone(self.tree, self.txn);
        Ok(())
    }

    fn put_back(&self, parents: &mut Parents<'_, F>) -> Result<(), Stopped> {
        let made: HashSet<&RelPath> = self.journal.dirs.iter().collect();
        let mut steps = Vec::with_capacity(self.journal.entries.len());
        let mut conflicts = Vec::new();
        for (slot, record) in self.journal.entries.iter().enumerate() {
            let back = self.look(parents, slot, record, &made)?;
            if back == Back::Conflict {
                conflicts.push(record.target.to_string());
            }
            steps.push((slot, record, back));
        }
        if !conflicts.is_empty() {
            return Err(Stopped::Conflict(conflicts));
        }
        // In reverse: what was created, the directories made for it, what was deleted to make room for these.
        steps.reverse();
        let is_delete = |record: &Record| matches!(record.change, Change::Delete { .. });
        for (slot, record, back) in steps.iter().filter(|(_, record, _)| !is_delete(record)) {
            self.step_back(parents, *slot, record, *back)?;
        }
        self.remove_dirs(parents)?;
        for (slot, record, back) in steps.iter().filter(|(_, record, _)| is_delete(record)) {
            self.step_back(parents, *slot, record, *back)?;
        }
        self.sync_touched(parents)
    }

    /// The directory of a target, if it is there.
    fn parent(&self, parents: &mut Parents<'_, F>, record: &Record) -> Result<Option<Rc<F::Dir>>, Stopped> {
        let (parent, _) = split(record.target.as_str());
        Ok(parents.try_open(parent)?)
    }

    fn see(&self, dir: &F::Dir, place: &str, name: &str) -> Result<Seen, Fault> {
        attempt(Operation::Read, place, || see(&self.tree.fs, self.journal.seed, dir, name))
    }

    fn see_target(&self, parents: &mut Parents<'_, F>, record: &Record) -> Result<Seen, Stopped> {
        let (_, name) = split(record.target.as_str());
        match self.parent(parents, record)? {
            Some(dir) => Ok(self.see(&dir, record.target.as_str(), name)?),
            None => Ok(Seen::Missing),
        }
    }

    /// Decides by content, slot first, what is to be done for an entry; `made` are the directories that go.
    fn look(
        &self,
        parents: &mut Parents<'_, F>,
        slot: usize,
        record: &Record,
        made: &HashSet<&RelPath>,
    ) -> Result<Back, Stopped> {
        let at = |copy: SlotName| {
            let name = copy.name(slot);
            self.see(self.txn, &join(TXN, &name).to_string(), &name)
        };
        let target = self.see_target(parents, record)?;
        let slot = at(SlotName::Slot)?;
        let back = match record.change {
            Change::Update { .. } => {
                let old = at(SlotName::Old)?;
                if old == Seen::Missing {
                    look_exchanged(record.change, slot, target)
                } else {
                    look_replaced(record.change, slot, old, target)
                }
            }
            Change::Create { new } => look_created(&new, slot, target),
            Change::Delete { old } => {
                let goes = made.contains(&record.target) && target == Seen::Other;
                look_deleted(&old, slot, if goes { Seen::Missing } else { target })
            }
        };
        Ok(if back == Back::Conflict { self.decide(record, slot, at(SlotName::Old)?, target) } else { back })
    }

    /// What the caller wants done about a conflict.
    fn decide(&self, record: &Record, slot: Seen, old: Seen, target: Seen) -> Back {
        let copy = if old == Seen::Missing { SlotName::Slot } else { SlotName::Old };
        match (self.how, record.change, target) {
            (How::Ask, ..) => Back::Conflict,
            (How::Keep, ..) => Back::Nothing,
            // A directory or a link cannot be replaced by a file.
            (How::Restore, _, Seen::Other) => Back::Conflict,
            (How::Restore, Change::Create { .. }, _) => Back::TakeOut,
            (How::Restore, ..) if old == Seen::Missing && slot == Seen::Missing => Back::Conflict,
            (How::Restore, _, Seen::Missing) => Back::Return(copy),
            (How::Restore, ..) => Back::Replace(copy),
        }
    }

    fn step_back(
        &self,
        parents: &mut Parents<'_, F>,
        slot: usize,
        record: &Record,
        back: Back,
    ) -> Result<(), Stopped> {
        if back == Back::Nothing {
            return Ok(());
        }
        let fs = &self.tree.fs;
        let path = record.target.as_str();
        let (_, name) = split(path);
        let conflict = || Stopped::Conflict(vec![path.to_owned()]);
        let dir = self.parent(parents, record)?.ok_or_else(conflict)?;
        let slot_name = SlotName::Slot.name(slot);
        match back {
            Back::Nothing => {}
            Back::Conflict => return Err(conflict()),
            Back::Exchange => {
                attempt(Operation::Rename, path, || fs.exchange(self.txn, &slot_name, &dir, name))?;
                self.check_ours(record, &slot_name, || {
                    attempt(Operation::Rename, path, || fs.exchange(self.txn, &slot_name, &dir, name))
                })?;
            }
            Back::Return(copy) => {
                match rename_new(fs, self.durability, (self.txn, &copy.name(slot)), (&dir, name)) {
                    Err(fault) if fault.is(io::ErrorKind::AlreadyExists) => return Err(conflict()),
                    result => result?,
                }
            }
            Back::Replace(copy) => {
                attempt(Operation::Rename, path, || fs.rename(self.txn, &copy.name(slot), &dir, name))?;
            }
            Back::TakeOut => {
                rename_new(fs, self.durability, (&dir, name), (self.txn, &slot_name))?;
                self.check_ours(record, &slot_name, || {
                    rename_new(fs, self.durability, (self.txn, &slot_name), (&dir, name))
                })?;
            }
            Back::Unlink => attempt(Operation::Remove, path, || fs.remove_file(&dir, name))?,
        }
        Ok(())
    }

    /// What came out of the target must be what we put there; else somebody was quicker, and gets it back.
    fn check_ours(
        &self,
        record: &Record,
        slot: &str,
        give_back: impl FnOnce() -> Result<(), Fault>,
    ) -> Result<(), Stopped> {
        let (Change::Update { new, .. } | Change::Create { new }) = record.change else { return Ok(()) };
        if self.how == How::Restore {
            return Ok(());
        }
        let seen = self.see(self.txn, &join(TXN, slot).to_string(), slot)?;
        if seen.is(&new, record.change.by_mode()) {
            return Ok(());
        }
        give_back()?;
        Err(Stopped::Conflict(vec![record.target.to_string()]))
    }

    /// Removes the directories that the commit made, as far as they are empty.
    fn remove_dirs(&self, parents: &mut Parents<'_, F>) -> Result<(), Stopped> {
        for dir in self.journal.dirs.iter().rev() {
            let (above, name) = split(dir.as_str());
            let Some(above) = parents.try_open(above)? else { continue };
            match attempt(Operation::RemoveDirectory, dir, || self.tree.fs.remove_dir(&above, name)) {
                Err(fault) if !tidy::is_kept(&fault) => return Err(fault.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Everything that is put back is durable. Also where nothing was to be done: an undoing that was itself
    /// interrupted may have put it back without having come this far.
    fn sync_touched(&self, parents: &mut Parents<'_, F>) -> Result<(), Stopped> {
        let mut dirs: Vec<String> =
            self.journal.entries.iter().map(|record| split(record.target.as_str()).0.to_owned()).collect();
        dirs.extend(self.journal.dirs.iter().map(|dir| split(dir.as_str()).0.to_owned()));
        dirs.sort_unstable();
        dirs.dedup();
        for path in dirs {
            // A directory that was made and removed again.
            let Some(dir) = parents.try_open(&path)? else { continue };
            self.sync(shown(&path), &dir)?;
        }
        self.sync(TXN, self.txn)?;
        Ok(())
    }

    fn sync(&self, path: &str, dir: &F::Dir) -> Result<(), Fault> {
        match self.durability {
            Durability::Full => attempt(Operation::Sync, path, || self.tree.fs.sync_dir(dir)),
            Durability::None => Ok(()),
        }
    }

    fn pending(&self, stopped: Stopped) -> CommitError {
        let reason = match stopped {
            Stopped::Conflict(paths) => Unsettled::Conflict { paths },
            Stopped::Fault(Fault { operation, path, source }) => {
                Unsettled::Failed { path, operation, source }
            }
        };
        CommitError::Pending { copies: self.old_copies(), reason }
    }

    /// Where the old contents are that are not at their places, as far as that can be told now.
    fn old_copies(&self) -> Vec<OldCopy> {
        let fs = &self.tree.fs;
        let is_file = |name: &str| {
            attempt(Operation::Examine, name, || fs.stat(self.txn, name))
                .is_ok_and(|stat| stat.kind == Kind::File)
        };
        let holds_new = |name: &str, change: Change| match change {
            Change::Update { new, .. } => {
                self.see(self.txn, name, name).is_ok_and(|seen| seen.is(&new, change.by_mode()))
            }
            _ => false,
        };
        let mut copies = Vec::new();
        for (slot, record) in self.journal.entries.iter().enumerate() {
            if matches!(record.change, Change::Create { .. }) {
                continue;
            }
            let (slot, old) = (SlotName::Slot.name(slot), SlotName::Old.name(slot));
            let place = if is_file(&old) {
                old
            } else if is_file(&slot) && !holds_new(&slot, record.change) {
                slot
            } else {
                continue;
            };
            copies.push(OldCopy { path: record.target.to_string(), copy: join(TXN, &place).to_string() });
        }
        copies
    }
}
