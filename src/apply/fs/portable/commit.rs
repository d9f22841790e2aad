//! The commit over paths: temporary files beside the targets, renamed into place; any error is undone in reverse.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use tempfile::{NamedTempFile, TempPath};

use super::PortableTree;
use crate::apply::commit::{
    CommitError, CommitOptions, Committed, Durability, OldCopy, Operation, Unsettled,
};
use crate::apply::files::LoadedFile;
use crate::apply::transaction::{Action, Entry, Transaction};

/// What temporary names begin with.
const PREFIX: &str = ".fsrb-";

/// Called before each step that writes; its error is the step's.
pub(super) type Hook<'a> = &'a dyn Fn(Operation, &Path) -> io::Result<()>;

/// Makes every entry visible, or none.
pub(super) fn commit(
    tree: &PortableTree,
    transaction: &Transaction,
    options: &CommitOptions<'_>,
    hook: Hook<'_>,
) -> Result<Committed, CommitError> {
    if tree.busy.swap(true, Ordering::Acquire) {
        return Err(CommitError::Busy);
    }
    let result = Run { tree, options, hook, dirs: Vec::new(), done: Vec::new() }.run(transaction);
    tree.busy.store(false, Ordering::Release);
    result
}

/// A commit that is going on.
struct Run<'r> {
    tree: &'r PortableTree,
    options: &'r CommitOptions<'r>,
    hook: Hook<'r>,
    /// The directories that were made.
    dirs: Vec<PathBuf>,
    /// What was changed, in order.
    done: Vec<Done>,
}

/// A change that was made, and how it is undone.
enum Done {
    /// The old file has this second name, and the target is new or missing.
    Replaced { target: PathBuf, old: TempPath },
    /// The target was made.
    Created { target: PathBuf },
}

/// Why a commit does not go on.
enum Abort {
    Changed(PathBuf),
    Cancelled,
    Failed { operation: Operation, path: PathBuf, source: io::Error },
}

impl Run<'_> {
    fn run(mut self, transaction: &Transaction) -> Result<Committed, CommitError> {
        match self.apply(transaction) {
            Ok(()) => {
                self.tidy(transaction);
                Ok(Committed::default())
            }
            Err(abort) => Err(self.undo(abort)),
        }
    }

    fn apply(&mut self, transaction: &Transaction) -> Result<(), Abort> {
        let is_delete = |entry: &&Entry| matches!(entry.action, Action::Delete { .. });
        // Deletions come first: a directory may take the place of a deleted file.
        for entry in transaction.entries.iter().filter(is_delete) {
            self.check_cancelled()?;
            self.swap(entry, None)?;
        }
        let mut staged = Vec::new();
        for entry in transaction.entries.iter().filter(|entry| !is_delete(entry)) {
            self.check_cancelled()?;
            staged.push((entry, self.stage(entry)?));
        }
        for (entry, file) in staged {
            self.check_cancelled()?;
            self.swap(entry, file)?;
        }
        Ok(())
    }

    fn check_cancelled(&self) -> Result<(), Abort> {
        match self.options.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(Abort::Cancelled),
            _ => Ok(()),
        }
    }

    fn step<T>(
        &self,
        operation: Operation,
        path: &Path,
        call: impl FnOnce() -> io::Result<T>,
    ) -> Result<T, Abort> {
        let done = (self.hook)(operation, path).and_then(|()| call());
        done.map_err(|source| Abort::Failed { operation, path: path.to_owned(), source })
    }

    fn real(&self, entry: &Entry) -> PathBuf {
        let mut real = self.tree.base.clone();
        real.extend(entry.target.components());
        real
    }

    /// Writes the new content beside its target.
    fn stage(&mut self, entry: &Entry) -> Result<Option<NamedTempFile>, Abort> {
        let target = self.real(entry);
        let (new, like, executable) = match &entry.action {
            Action::Delete { .. } => return Ok(None),
            Action::Update { new, executable, .. } => (new, Some(target.clone()), *executable),
            Action::Create { new, like, executable } => {
                self.make_dirs(&target)?;
                let like = like.as_ref().map(|(path, _)| self.tree.base.join(path.as_str()));
                // A file that was renamed is deleted by now; what it was like is its old copy.
                (new, like.map(|like| self.moved(&like)), *executable)
            }
        };
        let parent = target.parent().unwrap_or(&self.tree.base);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        let fresh = fresh_permissions();
        if let (None, Some(permissions)) = (&like, &fresh) {
            builder.permissions(permissions.clone());
        }
        let mut file = self.step(Operation::Create, &target, || builder.tempfile_in(parent))?;
        self.step(Operation::Write, &target, || file.write_all(new))?;
        match self.step(Operation::SetMode, &target, || set_mode(&file, like.as_deref(), executable)) {
            Err(Abort::Failed { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Err(Abort::Changed(target));
            }
            result => result?,
        }
        if self.options.durability == Durability::Full {
            self.step(Operation::Sync, &target, || file.as_file().sync_all())?;
        }
        Ok(Some(file))
    }

    /// Where a file is that was deleted in this commit.
    fn moved(&self, path: &Path) -> PathBuf {
        let old = self.done.iter().find_map(|done| match done {
            Done::Replaced { target, old } if target == path => Some(old.to_path_buf()),
            _ => None,
        });
        old.unwrap_or_else(|| path.to_owned())
    }

    fn make_dirs(&mut self, target: &Path) -> Result<(), Abort> {
        let above = target.ancestors().skip(1).take_while(|dir| *dir != self.tree.base);
        let missing: Vec<PathBuf> = above.take_while(|dir| !dir.exists()).map(Path::to_owned).collect();
        for dir in missing.into_iter().rev() {
            self.step(Operation::MakeDirectory, &dir, || fs::create_dir(&dir))?;
            self.dirs.push(dir);
        }
        Ok(())
    }

    /// Puts an entry's new content in place, if it has one, and compares what was there with what was read.
    fn swap(&mut self, entry: &Entry, file: Option<NamedTempFile>) -> Result<(), Abort> {
        let target = self.real(entry);
        if let Action::Update { old, .. } | Action::Delete { old } = &entry.action {
            self.set_aside(&target, matches!(entry.action, Action::Update { .. }), old)?;
        }
        let Some(file) = file else { return Ok(()) };
        let created = matches!(entry.action, Action::Create { .. });
        // The name is taken: by somebody else, or by the old file, which has a second name now.
        let persist = || match created {
            true => file.persist_noclobber(&target).map_err(|error| error.error).map(drop),
            false => file.persist(&target).map_err(|error| error.error).map(drop),
        };
        match self.step(Operation::Rename, &target, persist) {
            Err(Abort::Failed { source, .. }) if created && source.kind() == io::ErrorKind::AlreadyExists => {
                Err(Abort::Changed(target))
            }
            result => {
                result?;
                if created {
                    self.done.push(Done::Created { target });
                }
                Ok(())
            }
        }
    }

    /// Gives the old file another name beside, as a second one if it is to be replaced and can have two.
    fn set_aside(&mut self, target: &Path, replaced: bool, old: &LoadedFile) -> Result<(), Abort> {
        let parent = target.parent().unwrap_or(&self.tree.base);
        let reserve = || tempfile::Builder::new().prefix(PREFIX).tempfile_in(parent);
        let aside = self.step(Operation::Create, target, reserve)?.into_temp_path();
        let put = || {
            if replaced {
                fs::remove_file(&aside)?;
                if fs::hard_link(target, &aside).is_ok() {
                    return Ok(());
                }
            }
            fs::rename(target, &aside)
        };
        match self.step(Operation::Rename, target, put) {
            Err(Abort::Failed { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Err(Abort::Changed(target.to_owned()));
            }
            result => result?,
        }
        let found = self.step(Operation::Read, target, || fs::read(&aside));
        self.done.push(Done::Replaced { target: target.to_owned(), old: aside });
        if found? == old.bytes { Ok(()) } else { Err(Abort::Changed(target.to_owned())) }
    }

    /// Undoes everything in reverse; the error that led here, or what keeps it from being undone.
    fn undo(mut self, abort: Abort) -> CommitError {
        while let Some(done) = self.done.pop() {
            let undone = match &done {
                Done::Replaced { target, old } => {
                    self.step(Operation::Rename, target, || fs::rename(old, target))
                }
                Done::Created { target } => self.step(Operation::Remove, target, || fs::remove_file(target)),
            };
            // Directories that were made for later entries may be in the way of a deleted file.
            let undone = match undone {
                Err(_) if self.remove_dirs() => match &done {
                    Done::Replaced { target, old } => {
                        self.step(Operation::Rename, target, || fs::rename(old, target))
                    }
                    Done::Created { .. } => undone,
                },
                undone => undone,
            };
            match undone {
                Ok(()) => {
                    if let Done::Replaced { old, .. } = done {
                        // Its name is gone, unless it was a second one of the file that is still there.
                        let _ = old.close();
                    }
                }
                Err(failed) => {
                    self.done.push(done);
                    return self.pending(failed);
                }
            }
        }
        self.remove_dirs();
        self.error(abort)
    }

    /// Removes the directories that were made, as far as they are empty; false when there were none.
    fn remove_dirs(&mut self) -> bool {
        let any = !self.dirs.is_empty();
        for dir in std::mem::take(&mut self.dirs).into_iter().rev() {
            let _ = self.step(Operation::RemoveDirectory, &dir, || fs::remove_dir(&dir));
        }
        any
    }

    /// The old copies stay, and it is said where.
    fn pending(self, abort: Abort) -> CommitError {
        let reason = match self.error(abort) {
            CommitError::Failed { path, operation, source } => Unsettled::Failed { path, operation, source },
            error => Unsettled::Conflict { paths: error.path().map(str::to_owned).into_iter().collect() },
        };
        let base = self.tree.base.clone();
        let copies = self.done.into_iter().filter_map(|done| match done {
            Done::Replaced { target, old } => {
                let copy = old.keep().ok()?;
                Some(OldCopy { path: relative(&base, &target), copy: relative(&base, &copy) })
            }
            Done::Created { .. } => None,
        });
        CommitError::Pending { copies: copies.collect(), reason }
    }

    fn error(&self, abort: Abort) -> CommitError {
        let base = &self.tree.base;
        match abort {
            Abort::Changed(path) => CommitError::ChangedOnDisk { path: relative(base, &path) },
            Abort::Cancelled => CommitError::Cancelled,
            Abort::Failed { operation, path, source } => {
                CommitError::Failed { path: relative(base, &path), operation, source }
            }
        }
    }

    /// Removes old copies and emptied directories, as far as that can be done.
    fn tidy(self, transaction: &Transaction) {
        let Self { tree, hook, done, .. } = self;
        for done in done {
            if let Done::Replaced { target, old } = done {
                let _ = hook(Operation::Remove, &target).and_then(|()| old.close());
            }
        }
        for entry in &transaction.entries {
            if !matches!(entry.action, Action::Delete { .. }) {
                continue;
            }
            let target = tree.base.join(entry.target.as_str());
            for dir in target.ancestors().skip(1).take_while(|dir| *dir != tree.base) {
                if hook(Operation::RemoveDirectory, dir).and_then(|()| fs::remove_dir(dir)).is_err() {
                    break;
                }
            }
        }
    }
}

fn relative(base: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(base).unwrap_or(path);
    let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}

/// What a created file gets: the umask takes from it.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such thing")]
fn fresh_permissions() -> Option<fs::Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn fresh_permissions() -> Option<fs::Permissions> {
    None
}

#[cfg(unix)]
fn set_mode(file: &NamedTempFile, like: Option<&Path>, executable: Option<bool>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let permissions = match like {
        Some(like) => fs::metadata(like)?.permissions(),
        None => file.as_file().metadata()?.permissions(),
    };
    let mode = permissions.mode() & 0o777;
    let mode = match executable {
        None => mode,
        Some(true) => mode | (mode & 0o444) >> 2,
        Some(false) => mode & !0o111,
    };
    file.as_file().set_permissions(fs::Permissions::from_mode(mode))
}

/// There is no executable bit, and what cannot be written is refused before.
#[cfg(not(unix))]
fn set_mode(_: &NamedTempFile, _: Option<&Path>, _: Option<bool>) -> io::Result<()> {
    Ok(())
}
