//! The commit: every entry of a transaction becomes visible, or none, whatever happens meanwhile.
//!
//! Each new content is written to a numbered slot in the directory `.fsrb-txn` of the root, with a journal of what is
//! going to happen. Then slot and target are exchanged, file by file; what came out of the target is compared with what
//! was read when the transaction was planned. The commit is the one rename of `.fsrb-txn` to `.fsrb-done`. An error
//! before it, or the start after a crash, exchanges back whatever was exchanged, found out from the contents alone.
//! After it nothing is left but removing the old copies.
//!
//! | # | step |
//! |---|---|
//! | 0 | lock the root, look for an interrupted commit in it and above it |
//! | 1 | (before: the plan has read and checked everything) |
//! | 2 | make `.fsrb-txn` |
//! | 3 | write the new contents to slots, with owner, attributes and mode |
//! | 4 | write the journal under another name |
//! | 5 | barrier 1: slots and journal reach the disk |
//! | 6 | the journal gets its name, durably |
//! | 7 | look at every target again |
//! | 8 | make new directories |
//! | 9 | swap, and compare what came out |
//! | 10 | look at every directory again, and at what came out |
//! | 11 | barrier 2: every name reaches the disk |
//! | 12 | rename `.fsrb-txn` to `.fsrb-done`, durably: the commit |
//! | 13 | remove emptied directories and old copies |
//!
//! Limits: while files are swapped a reader may see some new and some old, each whole. A program that writes through a
//! handle it opened before the swap writes into the old copy; step 10 sees most of that. File systems whose renames do
//! not survive a power cut whole (FAT, ext2) are safe against kills only. A root that cannot be locked (some network
//! file systems) is refused. Access lists are kept where they are extended attributes, as on Linux.
//!
//! Systems without directory handles get a simpler commit, which undoes every error but does not survive a kill.

mod error;
#[cfg(unix)]
mod protocol;

use std::sync::atomic::AtomicBool;

pub use error::{CommitError, CommitWarning, Doubt, OldCopy, Operation, Unsettled};

use crate::rel_path::RelPath;

/// How a commit is done.
#[derive(Debug, Clone, Copy, Default)]
pub struct CommitOptions<'a> {
    /// Whether a file whose owner or group cannot be kept is written all the same, with a warning.
    pub allow_owner_not_kept: bool,
    /// Set to true by another thread or a signal handler to have everything undone, if it is not yet too late.
    pub cancel: Option<&'a AtomicBool>,
    /// What must have reached the disk before success is reported.
    pub durability: Durability,
}

/// What must have reached the disk before success is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Everything: after a power cut every file is old or every file is new.
    #[default]
    Full,
    /// Nothing: safe against errors and kills only. For tests.
    None,
}

/// What a commit did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Committed {
    /// What could not be kept.
    pub warnings: Vec<CommitWarning>,
}

/// What becomes of a file that changed after the commit that is to be settled was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum How {
    /// Nothing, and of no other file either: it is reported.
    #[default]
    Ask,
    /// The old content is put back; what the file holds now is lost.
    Restore,
    /// The file stays as it is; its old content is lost.
    Keep,
}

/// What settling an interrupted commit did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Recovered {
    /// The files of the interrupted commit, which are as they were before it (with [`How::Keep`], but those that
    /// changed since). Empty when nothing was pending.
    pub files: Vec<RelPath>,
}

/// An interrupted commit that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// Where it is, relative to the root.
    pub place: String,
    /// Whether it can be settled: [`Doubt::NotSettled`] if so.
    pub doubt: Doubt,
}
