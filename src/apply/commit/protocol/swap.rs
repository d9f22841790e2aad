//! Steps 7 to 12: the targets get their new content, and the commit.

use std::collections::HashSet;
use std::io;
use std::rc::Rc;

use super::parents::shown;
use super::print::{CHUNK, fill};
use super::stage::{Item, ONE_BY_ONE, Stage, is_as_loaded};
use super::{Abort, DONE, OLD, TXN, sync_everything};
use crate::apply::commit::{Durability, Operation};
use crate::apply::files::LoadedFile;
use crate::apply::fs::{Fault, Fs, Kind, attempt, join, split};
use crate::apply::transaction::Action;

impl<F: Fs> Stage<'_, '_, F> {
    /// Steps 7 to 11.
    pub(super) fn swap(&mut self) -> Result<(), Abort> {
        self.check_targets()?;
        self.check_cancelled()?;
        // Step 9, deletions: a directory may take the place of a deleted file.
        let items = Rc::clone(&self.items);
        let is_deletion = |item: &Item<'_>| matches!(item.entry.action, Action::Delete { .. });
        let (deletions, others) = items.split_at(items.partition_point(is_deletion));
        for item in deletions {
            self.swap_item(item)?;
        }
        self.sync_freed_names(deletions)?;
        self.make_dirs()?;
        // Step 9, the rest.
        for item in others {
            self.check_cancelled()?;
            self.swap_item(item)?;
        }
        // Step 10: look up each parent's path again and compare it with the held handle; look at the old copies
        // again, for a late writer through an old handle. The tree still is the tree that was validated.
        self.parents.check()?;
        self.check_old_copies()?;
        self.sync_names()
    }

    /// Step 7: look at the targets again: inode, size, time. Cheap; the real check is in step 9. No target is touched.
    fn check_targets(&mut self) -> Result<(), Abort> {
        for item in self.items.iter() {
            let path = item.path();
            let Some(old) = item.old() else { continue };
            let dir = self.parents.open(item.parent)?;
            match attempt(Operation::Examine, path, || self.tree.fs.stat(&dir, item.name)) {
                Ok(stat) if stat.kind == Kind::File && is_as_loaded(&stat, old) => {}
                Ok(_) => return Err(Abort::Changed(path.to_owned())),
                Err(fault) if fault.is(io::ErrorKind::NotFound) => {
                    return Err(Abort::Changed(path.to_owned()));
                }
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(())
    }

    /// A name may get a new meaning only when the old copy is safe in its slot: a file system that reorders could keep
    /// the directory and lose the rename before it.
    fn sync_freed_names(&self, deletions: &[Item<'_>]) -> Result<(), Abort> {
        let freed: HashSet<&str> = deletions.iter().map(Item::path).collect();
        if self.journal.dirs.iter().any(|dir| freed.contains(dir.as_str())) {
            self.sync_slots_now()?;
        }
        Ok(())
    }

    /// Brings the names in `.fsrb-txn` to the disk, and the other side of each rename with them.
    fn sync_slots_now(&self) -> Result<(), Abort> {
        if self.options.durability == Durability::Full {
            attempt(Operation::Sync, TXN, || self.tree.fs.sync_dir(&self.txn))?;
        }
        Ok(())
    }

    /// Step 8: make new directories. The journal lists them; undoing removes them if they are empty.
    fn make_dirs(&mut self) -> Result<(), Abort> {
        let dirs = std::mem::take(&mut self.journal.dirs);
        for dir in dirs {
            let (above, name) = split(dir.as_str());
            let above = self.parents.open(above)?;
            match attempt(Operation::MakeDirectory, &dir, || self.tree.fs.make_dir(&above, name, 0o777)) {
                Ok(()) => {}
                // Somebody else's, and not to be removed by us.
                Err(fault) if fault.is(io::ErrorKind::AlreadyExists) => {
                    return Err(Abort::Changed(dir.to_string()));
                }
                Err(fault) => {
                    // Perhaps it was made nevertheless.
                    self.journal.dirs.push(dir);
                    return Err(fault.into());
                }
            }
            // In memory the journal lists those that were made: these are what this run may have to remove.
            self.journal.dirs.push(dir);
        }
        Ok(())
    }

    /// Step 9: an update exchanges slot and target; a creation renames the slot to the target, a deletion the target
    /// to the slot, each only to a free name. Then the slot is opened and its inode, size, time *and bytes* are
    /// compared with what was validated. Each target is whole old or whole new, never missing (update); the old bytes
    /// are at the target or in the slot.
    fn swap_item(&mut self, item: &Item<'_>) -> Result<(), Abort> {
        let dir = self.parents.open(item.parent)?;
        match &item.entry.action {
            Action::Create { .. } => self.install(item, &dir),
            Action::Delete { old } => {
                self.moved(item, self.rename_new(&dir, item.name, &self.txn, &item.slot))?;
                self.check_old(item, &item.slot, old)
            }
            Action::Update { old, .. } => {
                let exchanged = attempt(Operation::Rename, item.path(), || {
                    self.tree.fs.exchange(&self.txn, &item.slot, &dir, item.name)
                });
                match exchanged {
                    Err(fault) if fault.is(io::ErrorKind::Unsupported) => {
                        let old_name = format!("{}{OLD}", item.slot);
                        self.replace(item, &dir, &old_name)?;
                        self.check_old(item, &old_name, old)
                    }
                    result => {
                        self.moved(item, result)?;
                        self.check_old(item, &item.slot, old)
                    }
                }
            }
        }
    }

    fn install(&self, item: &Item<'_>, dir: &F::Dir) -> Result<(), Abort> {
        match self.rename_new(&self.txn, &item.slot, dir, item.name) {
            Err(fault) if fault.is(io::ErrorKind::AlreadyExists) => {
                Err(Abort::Changed(item.path().to_owned()))
            }
            result => Ok(result.map_err(|fault| self.about(item, fault))?),
        }
    }

    /// A target that is gone, or that became a directory, was changed by somebody else.
    fn moved(&self, item: &Item<'_>, result: Result<(), Fault>) -> Result<(), Abort> {
        match result {
            Ok(()) => Ok(()),
            Err(fault) if fault.is(io::ErrorKind::NotFound) => Err(Abort::Changed(item.path().to_owned())),
            Err(fault) => Err(self.about(item, fault).into()),
        }
    }

    fn about(&self, item: &Item<'_>, fault: Fault) -> Fault {
        Fault { path: item.path().to_owned(), ..fault }
    }

    /// An update where names cannot be exchanged: the target gets a second name in `.fsrb-txn`, then the slot is
    /// renamed over it. Where no file can have two names it is renamed away, and is missing for a moment.
    fn replace(&self, item: &Item<'_>, dir: &Rc<F::Dir>, old_name: &str) -> Result<(), Abort> {
        let fs = &self.tree.fs;
        let path = item.path();
        let linked = attempt(Operation::Rename, path, || fs.link(dir, item.name, &self.txn, old_name));
        match linked {
            Err(fault) if fault.is(io::ErrorKind::Unsupported) => {
                self.moved(item, self.rename_new(dir, item.name, &self.txn, old_name))?;
                self.sync_slots_now()?;
                self.install(item, dir)
            }
            result => {
                self.moved(item, result)?;
                // The old copy's name must not be lost where the rename after it is kept.
                self.sync_slots_now()?;
                attempt(Operation::Rename, path, || fs.rename(&self.txn, &item.slot, dir, item.name))?;
                Ok(())
            }
        }
    }

    fn rename_new(&self, from: &F::Dir, name: &str, to: &F::Dir, new: &str) -> Result<(), Fault> {
        rename_new(&self.tree.fs, self.options.durability, (from, name), (to, new))
    }

    /// Compares what came out of the target with what was validated; undoing puts it back.
    fn check_old(&self, item: &Item<'_>, place: &str, old: &LoadedFile) -> Result<(), Abort> {
        #[cfg(test)]
        if super::tests::without_check() {
            return Ok(());
        }
        let fs = &self.tree.fs;
        let name = join(TXN, place);
        let changed = || Abort::Changed(item.path().to_owned());
        let stat = attempt(Operation::Examine, name, || fs.stat(&self.txn, place))?;
        if stat.kind != Kind::File || !is_as_loaded(&stat, old) {
            return Err(changed());
        }
        let mut file = attempt(Operation::Open, name, || fs.open_file(&self.txn, place))?;
        if attempt(Operation::Examine, name, || fs.stat_file(&file))?.id() != stat.id() {
            return Err(changed());
        }
        let mut chunk = Vec::with_capacity(CHUNK.min(old.bytes.len().saturating_add(1)));
        let mut expected = old.bytes.as_slice();
        loop {
            attempt(Operation::Read, name, || fill(fs, &mut file, &mut chunk))?;
            if chunk.is_empty() {
                return if expected.is_empty() { Ok(()) } else { Err(changed()) };
            }
            expected = expected.strip_prefix(chunk.as_slice()).ok_or_else(changed)?;
        }
    }

    fn check_old_copies(&self) -> Result<(), Abort> {
        for item in self.items.iter() {
            let Some(old) = item.old() else { continue };
            let fs = &self.tree.fs;
            let place = join(TXN, &item.slot);
            let mut found = attempt(Operation::Examine, place, || fs.stat(&self.txn, &item.slot));
            if found.as_ref().is_err_and(|fault| fault.is(io::ErrorKind::NotFound)) {
                let old_name = format!("{}{OLD}", item.slot);
                found = attempt(Operation::Examine, place, || fs.stat(&self.txn, &old_name));
            }
            if !is_as_loaded(&found?, old) {
                return Err(Abort::Changed(item.path().to_owned()));
            }
        }
        Ok(())
    }

    /// Step 11, barrier 2: sync every distinct parent, new directories and their parents, `.fsrb-txn`; or the whole
    /// file system. Everything new is durable.
    fn sync_names(&mut self) -> Result<(), Abort> {
        if self.options.durability == Durability::None {
            return Ok(());
        }
        let mut dirs: Vec<String> = self.parents.paths();
        dirs.extend(self.journal.dirs.iter().map(ToString::to_string));
        dirs.sort_unstable();
        dirs.dedup();
        if dirs.len() > ONE_BY_ONE && sync_everything(self.tree)? {
            return Ok(());
        }
        let fs = &self.tree.fs;
        for path in &dirs {
            let dir = self.parents.open(path)?;
            attempt(Operation::Sync, shown(path), || fs.sync_dir(&dir))?;
        }
        attempt(Operation::Sync, TXN, || fs.sync_dir(&self.txn))?;
        Ok(())
    }

    /// Step 12, the commit: rename `.fsrb-txn` to `.fsrb-done`.
    pub(super) fn commit_point(&mut self) -> Result<(), Abort> {
        self.check_cancelled()?;
        let (fs, base) = (&self.tree.fs, &self.tree.base);
        match attempt(Operation::Rename, DONE, || fs.rename(base, TXN, base, DONE)) {
            Ok(()) => Ok(()),
            // An error may be reported of a rename that was done; only the names tell.
            Err(fault) => match attempt(Operation::Examine, TXN, || fs.stat(base, TXN)) {
                Err(look) if look.is(io::ErrorKind::NotFound) => Ok(()),
                _ => Err(fault.into()),
            },
        }
    }
}

/// Renames to a free name, also where the system has no call for it.
pub(super) fn rename_new<F: Fs>(
    fs: &F,
    durability: Durability,
    (from, name): (&F::Dir, &str),
    (to, new): (&F::Dir, &str),
) -> Result<(), Fault> {
    match attempt(Operation::Rename, new, || fs.rename_new(from, name, to, new)) {
        Err(fault) if fault.is(io::ErrorKind::Unsupported) => {}
        result => return result,
    }
    // A second name is refused where the name is taken, too.
    match attempt(Operation::Rename, new, || fs.link(from, name, to, new)) {
        Err(fault) if fault.is(io::ErrorKind::Unsupported) => {}
        Err(fault) => return Err(fault),
        Ok(()) => {
            if durability == Durability::Full {
                // The first name must not go where the second is lost.
                attempt(Operation::Sync, new, || fs.sync_dir(to))?;
            }
            return attempt(Operation::Remove, name, || fs.remove_file(from, name));
        }
    }
    match attempt(Operation::Examine, new, || fs.stat(to, new)) {
        Err(fault) if fault.is(io::ErrorKind::NotFound) => {
            attempt(Operation::Rename, new, || fs.rename(from, name, to, new))
        }
        Err(fault) => Err(fault),
        Ok(_) => Err(Fault {
            operation: Operation::Rename,
            path: new.to_owned(),
            source: io::Error::from(io::ErrorKind::AlreadyExists),
        }),
    }
}
