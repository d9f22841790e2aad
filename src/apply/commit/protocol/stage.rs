//! Steps 2 to 6: everything new is on the disk, and the journal with it, before any target is touched.

use std::collections::HashSet;
use std::io;
use std::rc::Rc;

use super::journal::{Change, Journal, Record};
use super::parents::{Parents, shown};
use super::print::{Print, seed};
use super::{Abort, JOURNAL, JOURNAL_DRAFT, TXN};
use crate::apply::commit::{CommitOptions, CommitWarning, Durability, Operation};
use crate::apply::files::LoadedFile;
use crate::apply::fs::{Fs, Kind, Purpose, Stat, Tree, attempt, join, split, stamp};
use crate::apply::transaction::{Action, Entry, Transaction};
use crate::rel_path::RelPath;

/// Up to how many files and directories are synced one by one; beyond, the file system is synced as a whole.
pub(super) const ONE_BY_ONE: usize = 8;

/// An entry on its way.
pub(super) struct Item<'e> {
    /// What is to happen.
    pub(super) entry: &'e Entry,
    /// The directory of the target, `""` for the root.
    pub(super) parent: &'e str,
    /// The target's name in it.
    pub(super) name: &'e str,
    /// The name of its slot.
    pub(super) slot: String,
}

impl<'e> Item<'e> {
    /// The target's path.
    pub(super) fn path(&self) -> &'e str {
        self.entry.target.as_str()
    }

    /// The file that was validated, if there was one.
    pub(super) fn old(&self) -> Option<&'e LoadedFile> {
        match &self.entry.action {
            Action::Update { old, .. } | Action::Delete { old } => Some(old),
            Action::Create { .. } => None,
        }
    }
}

/// A commit before anything is visible.
pub(super) struct Stage<'t, 'e, F: Fs> {
    pub(super) tree: &'t Tree<F>,
    pub(super) options: CommitOptions<'e>,
    /// `.fsrb-txn`.
    pub(super) txn: F::Dir,
    pub(super) items: Rc<[Item<'e>]>,
    pub(super) parents: Parents<'t, F>,
    pub(super) journal: Journal,
    /// Whether the journal may have its name; before that no target was touched.
    pub(super) named: bool,
    pub(super) warnings: Vec<CommitWarning>,
}

impl<'t, 'e, F: Fs> Stage<'t, 'e, F> {
    /// Step 2: `mkdirat(.fsrb-txn, 0700)`. No target is touched; a directory without a journal is deleted by the next
    /// start.
    pub(super) fn begin(
        tree: &'t Tree<F>,
        transaction: &'e Transaction,
        options: &CommitOptions<'e>,
    ) -> Result<Self, Abort> {
        let fs = &tree.fs;
        let made = attempt(Operation::MakeDirectory, TXN, || fs.make_dir(&tree.base, TXN, 0o700));
        let opened = made.map_err(Abort::from).and_then(|()| Self::open_own(tree));
        let (txn, stat) = opened.inspect_err(|_| {
            // Nothing is in it yet. What cannot be removed is removed by the next start.
            let _ = fs.remove_dir(&tree.base, TXN);
        })?;
        let journal = Journal {
            base: tree.stat.inode,
            own: stat.inode,
            seed: seed(),
            dirs: Vec::new(),
            entries: Vec::new(),
        };
        let items = items(transaction);
        Ok(Self {
            tree,
            options: *options,
            txn,
            items,
            parents: Parents::new(tree),
            journal,
            named: false,
            warnings: Vec::new(),
        })
    }

    fn open_own(tree: &Tree<F>) -> Result<(F::Dir, Stat), Abort> {
        let fs = &tree.fs;
        let txn = attempt(Operation::OpenDirectory, TXN, || fs.open_dir(&tree.base, TXN, Purpose::Sync))?;
        let stat = attempt(Operation::Examine, TXN, || fs.stat_dir(&txn))?;
        // What is made in it must not get rights from a list that the root hands down.
        attempt(Operation::Attribute, TXN, || fs.remove_default_acl(&txn))?;
        Ok((txn, stat))
    }

    /// Steps 3 to 6.
    pub(super) fn stage(&mut self) -> Result<(), Abort> {
        // Step 3: for each update and creation: create the slot exclusively, write, owner, attributes, mode last.
        let mut files = Vec::new();
        let keep_open = self.items.len() <= ONE_BY_ONE;
        for item in Rc::clone(&self.items).iter() {
            self.check_cancelled()?;
            let (record, file) = self.stage_item(item)?;
            self.journal.entries.push(record);
            files.extend(file.filter(|_| keep_open));
        }
        self.find_new_dirs()?;
        // Step 4: write `journal.tmp`.
        let fs = &self.tree.fs;
        let text = self.journal.to_text();
        let place = join(TXN, JOURNAL_DRAFT);
        let mut draft = attempt(Operation::Create, place, || fs.create(&self.txn, JOURNAL_DRAFT, 0o600))?;
        self.write_all(&place.to_string(), &mut draft, text.as_bytes())?;
        // Step 5, barrier 1: slots and journal text are durable.
        self.sync_slots(&files, &draft)?;
        drop((files, draft));
        // Step 6: rename `journal.tmp` to `journal`; sync `.fsrb-txn`, then the root. A file called `journal` is
        // always whole, and from here on it is the plan for undoing.
        self.named = true;
        attempt(Operation::Rename, join(TXN, JOURNAL), || {
            fs.rename(&self.txn, JOURNAL_DRAFT, &self.txn, JOURNAL)
        })?;
        if self.options.durability == Durability::Full {
            attempt(Operation::Sync, TXN, || fs.sync_dir(&self.txn))?;
            attempt(Operation::Sync, ".", || fs.sync_dir(&self.tree.base))?;
        }
        Ok(())
    }

    pub(super) fn check_cancelled(&self) -> Result<(), Abort> {
        match self.options.cancel {
            Some(flag) if flag.load(std::sync::atomic::Ordering::Relaxed) => Err(Abort::Cancelled),
            _ => Ok(()),
        }
    }

    fn stage_item(&mut self, item: &Item<'_>) -> Result<(Record, Option<F::File>), Abort> {
        let slot = item.slot.as_str();
        let target = item.entry.target.clone();
        let seed = self.journal.seed;
        match &item.entry.action {
            Action::Delete { old } => {
                let (_, stat) = self.open_old(&target, old)?;
                let old = Print::of(seed, &old.bytes, stat.mode);
                Ok((Record { target, change: Change::Delete { old } }, None))
            }
            Action::Update { old, new, executable } => {
                let (from, stat) = self.open_old(&target, old)?;
                if stat.links > 1 {
                    self.warnings.push(CommitWarning::HardLink { path: target.to_string() });
                }
                let file = self.write_like(target.as_str(), slot, new, &from, &stat, *executable)?;
                let old = Print::of(seed, &old.bytes, stat.mode);
                let new = self.print(&target, &file, new)?;
                Ok((Record { target, change: Change::Update { old, new } }, Some(file)))
            }
            Action::Create { new, like: Some((source, loaded)), executable } => {
                let (from, stat) = self.open_old(source, loaded)?;
                let file = self.write_like(target.as_str(), slot, new, &from, &stat, *executable)?;
                let new = self.print(&target, &file, new)?;
                Ok((Record { target, change: Change::Create { new } }, Some(file)))
            }
            Action::Create { new, like: None, executable } => {
                let file = self.write_fresh(&target, slot, new, *executable)?;
                let new = self.print(&target, &file, new)?;
                Ok((Record { target, change: Change::Create { new } }, Some(file)))
            }
        }
    }

    fn print(&self, path: &RelPath, file: &F::File, bytes: &[u8]) -> Result<Print, Abort> {
        let stat = attempt(Operation::Examine, path, || self.tree.fs.stat_file(file))?;
        Ok(Print::of(self.journal.seed, bytes, stat.mode))
    }

    /// Opens a file that was validated, if it still is what it was.
    fn open_old(&mut self, path: &RelPath, loaded: &LoadedFile) -> Result<(F::File, Stat), Abort> {
        let (parent, name) = split(path.as_str());
        let dir = self.parents.open(parent)?;
        let fs = &self.tree.fs;
        let changed = || Abort::Changed(path.to_string());
        let stat = match attempt(Operation::Examine, path, || fs.stat(&dir, name)) {
            Ok(stat) => stat,
            Err(fault) if fault.is(io::ErrorKind::NotFound) => return Err(changed()),
            Err(fault) => return Err(fault.into()),
        };
        if stat.kind != Kind::File || !is_as_loaded(&stat, loaded) {
            return Err(changed());
        }
        let file = attempt(Operation::Open, path, || fs.open_file(&dir, name))?;
        let now = attempt(Operation::Examine, path, || fs.stat_file(&file))?;
        if now == stat { Ok((file, stat)) } else { Err(changed()) }
    }

    /// Writes a slot that gets its owner, attributes and mode from another file; private until it has them.
    fn write_like(
        &mut self,
        path: &str,
        slot: &str,
        bytes: &[u8],
        from: &F::File,
        stat: &Stat,
        executable: Option<bool>,
    ) -> Result<F::File, Abort> {
        let fs = &self.tree.fs;
        let place = join(TXN, slot);
        let mut file = attempt(Operation::Create, place, || fs.create(&self.txn, slot, 0o600))?;
        self.write_all(path, &mut file, bytes)?;
        self.copy_metadata(path, from, stat, &file, executable)?;
        Ok(file)
    }

    /// Writes a slot for a file that is new: the umask and what its directory hands down decide.
    fn write_fresh(
        &mut self,
        path: &RelPath,
        slot: &str,
        bytes: &[u8],
        executable: Option<bool>,
    ) -> Result<F::File, Abort> {
        let parent = self.nearest_dir(path)?;
        let fs = &self.tree.fs;
        // The directory is closed to others, so that the file may be as open as it will be; asking the system to
        // make it is the only way to learn the umask without changing it.
        let mut file = attempt(Operation::Create, join(TXN, slot), || fs.create(&self.txn, slot, 0o666))?;
        self.write_all(path.as_str(), &mut file, bytes)?;
        self.settle_created(path.as_str(), &parent, &file, executable)?;
        Ok(file)
    }

    /// The deepest directory above a new file that exists.
    fn nearest_dir(&mut self, path: &RelPath) -> Result<Rc<F::Dir>, Abort> {
        let (mut dir, _) = split(path.as_str());
        loop {
            if let Some(handle) = self.parents.try_open(dir)? {
                return Ok(handle);
            }
            if dir.is_empty() {
                return Err(Abort::Changed(shown(dir).to_owned()));
            }
            (dir, _) = split(dir);
        }
    }

    /// Lists the directories that creations need and that are missing; a file that is deleted may be in the way.
    fn find_new_dirs(&mut self) -> Result<(), Abort> {
        let mut listed: HashSet<&str> = HashSet::new();
        let deleted: HashSet<&str> = self
            .items
            .iter()
            .filter(|item| matches!(item.entry.action, Action::Delete { .. }))
            .map(Item::path)
            .collect();
        for item in self.items.iter() {
            if !matches!(item.entry.action, Action::Create { .. }) {
                continue;
            }
            let mut missing = Vec::new();
            let mut dir = item.parent;
            while !dir.is_empty() && !listed.contains(dir) && self.parents.try_open(dir)?.is_none() {
                missing.push(dir);
                (dir, _) = split(dir);
            }
            // What is directly below an existing directory is missing, or is a file that will be gone.
            if let Some(top) = missing.last().filter(|top| !listed.contains(dir) && !deleted.contains(**top))
            {
                let (above, name) = split(top);
                let above = self.parents.open(above)?;
                let found = attempt(Operation::Examine, top, || self.tree.fs.stat(&above, name));
                match found {
                    Err(fault) if fault.is(io::ErrorKind::NotFound) => {}
                    Err(fault) => return Err(fault.into()),
                    Ok(_) => return Err(Abort::Changed((*top).to_owned())),
                }
            }
            for dir in missing.into_iter().rev() {
                listed.insert(dir);
                let path = RelPath::above(dir).map_err(|_| Abort::Changed(dir.to_owned()))?;
                self.journal.dirs.push(path);
            }
        }
        Ok(())
    }

    fn write_all(&self, path: &str, file: &mut F::File, mut bytes: &[u8]) -> Result<(), Abort> {
        while !bytes.is_empty() {
            let count = attempt(Operation::Write, path, || match self.tree.fs.write(file, bytes) {
                Ok(0) => Err(io::Error::from(io::ErrorKind::WriteZero)),
                result => result,
            })?;
            bytes = bytes.get(count..).unwrap_or_default();
        }
        Ok(())
    }

    fn sync_slots(&self, files: &[F::File], draft: &F::File) -> Result<(), Abort> {
        let fs = &self.tree.fs;
        if self.options.durability == Durability::None {
            return Ok(());
        }
        if self.items.len() > ONE_BY_ONE && super::sync_everything(self.tree)? {
            return Ok(());
        }
        for file in files {
            attempt(Operation::Sync, TXN, || fs.sync_file(file))?;
        }
        if files.is_empty() {
            // There were too many to keep them open.
            for item in self.items.iter().filter(|item| !matches!(item.entry.action, Action::Delete { .. })) {
                let place = join(TXN, &item.slot);
                let file = attempt(Operation::Open, place, || fs.open_file(&self.txn, &item.slot))?;
                attempt(Operation::Sync, place, || fs.sync_file(&file))?;
            }
        }
        attempt(Operation::Sync, join(TXN, JOURNAL_DRAFT), || fs.sync_file(draft))?;
        Ok(())
    }
}

/// Deletions first, so that a directory can take the place of a deleted file; else in the given order.
fn items(transaction: &Transaction) -> Rc<[Item<'_>]> {
    let is_delete = |entry: &&Entry| matches!(entry.action, Action::Delete { .. });
    let entries = transaction.entries.iter();
    let (deletes, others) = (entries.clone().filter(is_delete), entries.filter(|entry| !is_delete(entry)));
    deletes
        .chain(others)
        .enumerate()
        .map(|(index, entry)| {
            let (parent, name) = split(entry.target.as_str());
            Item { entry, parent, name, slot: index.to_string() }
        })
        .collect()
}

/// Whether a file is the one that was read, unchanged as far as can be told without reading it.
pub(super) fn is_as_loaded(stat: &Stat, loaded: &LoadedFile) -> bool {
    match &loaded.stamp {
        // The number of names may change without the file changing.
        Some(before) => stamp(stat) == crate::apply::files::Stamp { links: stat.links, ..*before },
        None => stat.size == loaded.bytes.len() as u64,
    }
}
