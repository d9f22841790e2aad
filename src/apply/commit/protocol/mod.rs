//! The steps of the commit, over the narrow trait [`Fs`].

mod journal;
mod look;
mod metadata;
mod parents;
mod print;
mod recover;
mod stage;
mod swap;
mod tidy;
mod undo;

#[cfg(test)]
mod tests;

use std::io;
use std::sync::atomic::Ordering;

use recover::{pending, recover};

use super::{CommitError, CommitOptions, Committed, Durability, How, Operation, Pending, Recovered};
use crate::apply::fs::{Fault, Fs, Tree, attempt};
use crate::apply::transaction::Transaction;
use parents::shown;
use stage::Stage;
use undo::Rollback;

/// The directory of a commit that is not finished.
const TXN: &str = ".fsrb-txn";
/// The same once the commit is done: rubbish.
const DONE: &str = ".fsrb-done";
/// The journal's name in it.
const JOURNAL: &str = "journal";
/// The journal's name while it is written.
const JOURNAL_DRAFT: &str = "journal.tmp";
/// What a slot's name ends in that holds an old copy where names cannot be exchanged.
const OLD: &str = ".old";

impl<F: Fs> Tree<F> {
    /// Makes every entry visible, or none.
    pub(crate) fn commit(
        &self,
        transaction: &Transaction,
        options: &CommitOptions<'_>,
    ) -> Result<Committed, CommitError> {
        commit(self, transaction, options)
    }

    /// Settles what an earlier run left.
    pub(crate) fn recover(&self, how: How) -> Result<Recovered, CommitError> {
        recover(self, how)
    }

    /// Looks whether an earlier run left something.
    pub(crate) fn pending(&self) -> Result<Option<Pending>, CommitError> {
        pending(self)
    }
}

/// Makes every entry visible or none; see the table of the [module above](super).
fn commit<F: Fs>(
    tree: &Tree<F>,
    transaction: &Transaction,
    options: &CommitOptions<'_>,
) -> Result<Committed, CommitError> {
    // Step 0: the root is held open; lock it, look at the directories above, see to what an earlier run left.
    let _lock = Lock::take(tree)?;
    recover::prepare(tree)?;
    if transaction.entries.is_empty() {
        return Ok(Committed::default());
    }
    // Step 1, the validation, is the plan's: all that it read is checked again in steps 7 and 9.
    let mut stage = Stage::begin(tree, transaction, options)?;
    let ready = stage.stage().and_then(|()| stage.swap()).and_then(|()| stage.commit_point());
    if let Err(abort) = ready {
        return Err(undo(tree, stage, options, abort));
    }
    confirm(tree, options.durability)?;
    // Step 13. What cannot be removed now is removed by the next start.
    let _ = tidy::tidy_committed(tree, &stage.txn, &stage.journal);
    Ok(Committed { warnings: stage.warnings })
}

/// Undoes what was done; the error that led here, or what keeps it from being undone.
fn undo<F: Fs>(
    tree: &Tree<F>,
    stage: Stage<'_, '_, F>,
    options: &CommitOptions<'_>,
    abort: Abort,
) -> CommitError {
    let Stage { txn, journal, named, mut parents, .. } = stage;
    if !named {
        // No target was touched. What cannot be removed now is removed by the next start.
        let _ = tidy::clear(tree, &txn, TXN);
        return abort.into();
    }
    let rollback = Rollback { durability: options.durability, ..Rollback::new(tree, &txn, &journal) };
    match rollback.run(&mut parents) {
        Ok(()) => abort.into(),
        Err(pending) => pending,
    }
}

/// The end of step 12: only when the root has reached the disk may success be reported.
fn confirm<F: Fs>(tree: &Tree<F>, durability: Durability) -> Result<(), CommitError> {
    if durability == Durability::None {
        return Ok(());
    }
    attempt(Operation::Sync, ".", || tree.fs.sync_dir(&tree.base))
        .map_err(|fault| CommitError::Unconfirmed { source: fault.source })
}

/// Syncs the whole file system; false where there is no such call.
fn sync_everything<F: Fs>(tree: &Tree<F>) -> Result<bool, Abort> {
    match attempt(Operation::Sync, ".", || tree.fs.sync_all(&tree.base)) {
        Ok(()) => Ok(true),
        Err(fault) if fault.is(io::ErrorKind::Unsupported) => Ok(false),
        Err(fault) => Err(fault.into()),
    }
}

/// Why a commit does not go on. Everything is undone then.
#[derive(Debug)]
enum Abort {
    /// A call failed.
    Fault(Fault),
    /// A file or directory (`""` or `.` is the root) is not what it was.
    Changed(String),
    /// A directory lies on another file system.
    OtherFileSystem(String),
    /// Owner or group of a file cannot be kept.
    OwnerNotKept(String),
    /// The caller said so.
    Cancelled,
}

impl From<Fault> for Abort {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Abort> for CommitError {
    fn from(abort: Abort) -> Self {
        match abort {
            Abort::Fault(Fault { operation, path, source }) => Self::Failed { path, operation, source },
            Abort::Changed(path) => Self::ChangedOnDisk { path: shown(&path).to_owned() },
            Abort::OtherFileSystem(path) => Self::OtherFileSystem { path: shown(&path).to_owned() },
            Abort::OwnerNotKept(path) => Self::OwnerNotKept { path },
            Abort::Cancelled => Self::Cancelled,
        }
    }
}

impl From<Fault> for CommitError {
    fn from(fault: Fault) -> Self {
        Abort::from(fault).into()
    }
}

/// The root's lock, against other handles and against this one.
struct Lock<'t, F: Fs> {
    tree: &'t Tree<F>,
}

impl<'t, F: Fs> Lock<'t, F> {
    /// For looking only: where the system cannot lock, looking does no harm.
    fn take_to_look(tree: &'t Tree<F>) -> Result<Option<Self>, CommitError> {
        match Self::take(tree) {
            Ok(lock) => Ok(Some(lock)),
            Err(CommitError::Busy) => Err(CommitError::Busy),
            Err(_) => Ok(None),
        }
    }

    fn take(tree: &'t Tree<F>) -> Result<Self, CommitError> {
        if tree.busy.swap(true, Ordering::Acquire) {
            return Err(CommitError::Busy);
        }
        match attempt(Operation::Lock, ".", || tree.fs.lock(&tree.base)) {
            Ok(()) => Ok(Self { tree }),
            Err(fault) => {
                tree.busy.store(false, Ordering::Release);
                if fault.is(io::ErrorKind::WouldBlock) { Err(CommitError::Busy) } else { Err(fault.into()) }
            }
        }
    }
}

impl<F: Fs> Drop for Lock<'_, F> {
    fn drop(&mut self) {
        // It goes with the handle at the latest.
        let _ = self.tree.fs.unlock(&self.tree.base);
        self.tree.busy.store(false, Ordering::Release);
    }
}
