//! What a commit answers: errors, warnings, and where old copies lie.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::diagnostic::Code;

/// Why a commit, or the settling of an interrupted one, did not do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommitError {
    /// Another run is writing in this root. Nothing was changed.
    #[error("another run is writing in this directory")]
    Busy,
    /// A file is not what it was when it was read. Everything is as it was, the foreign change is kept.
    #[error("{path} changed after it was read")]
    ChangedOnDisk {
        /// The file or directory, relative to the root; `.` is the root.
        path: String,
    },
    /// The operating system refused a step. Everything is as it was.
    #[error("cannot {operation} {path}: {source}")]
    Failed {
        /// The file or directory, relative to the root; `.` is the root.
        path: String,
        /// What was tried.
        operation: Operation,
        /// Why it failed.
        source: io::Error,
    },
    /// A directory lies on another file system than the root, so that no rename leads there. Nothing was changed.
    #[error("{path} lies on another file system than the root")]
    OtherFileSystem {
        /// The directory, relative to the root.
        path: String,
    },
    /// A file's owner or group cannot be given to its new content. Everything is as it was.
    #[error("owner and group of {path} cannot be kept")]
    OwnerNotKept {
        /// The file, relative to the root.
        path: String,
    },
    /// The caller's flag was set in time. Everything is as it was.
    #[error("the commit was cancelled; nothing of it was written")]
    Cancelled,
    /// There is an interrupted commit that must be settled first, or that cannot be settled because it is not provably
    /// ours. Nothing was changed.
    #[error("{place}: {doubt}")]
    Interrupted {
        /// Where it is, relative to the root.
        place: String,
        /// What keeps it from being settled.
        doubt: Doubt,
    },
    /// An interrupted commit of our own that could not be settled: some files may be new and some old, and nothing
    /// more was touched.
    #[error("{reason}{}", Copies(copies))]
    Pending {
        /// Every old content that is not at its place, and where it is.
        copies: Vec<OldCopy>,
        /// What kept it from being settled.
        reason: Unsettled,
    },
    /// Every file is new, but the system did not confirm that the disk knows it.
    #[error("every file is new, but the disk did not confirm it: {source}")]
    Unconfirmed {
        /// Why not.
        source: io::Error,
    },
}

impl CommitError {
    /// The diagnostic code that it is reported under.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Busy => Code::Busy,
            Self::ChangedOnDisk { .. } => Code::ChangedOnDisk,
            Self::OtherFileSystem { .. } => Code::OtherFileSystem,
            Self::Failed { source, .. } if source.kind() == io::ErrorKind::CrossesDevices => {
                Code::OtherFileSystem
            }
            Self::Failed { .. } | Self::Cancelled => Code::CommitFailed,
            Self::OwnerNotKept { .. } => Code::OwnerNotKept,
            Self::Interrupted { .. } | Self::Pending { .. } | Self::Unconfirmed { .. } => {
                Code::InterruptedCommit
            }
        }
    }

    /// Whether the tree may be neither all old nor all new, or may become old again (exit status 3 of the command).
    /// Any other error has changed nothing.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Pending { .. } | Self::Unconfirmed { .. })
    }

    /// The error in words that leave out the path which [`Self::path`] gives.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::ChangedOnDisk { .. } => "the file changed after it was read".to_owned(),
            Self::OwnerNotKept { .. } => "the file's owner and group cannot be kept".to_owned(),
            Self::OtherFileSystem { .. } => {
                "the directory lies on another file system than the root".to_owned()
            }
            other => other.to_string(),
        }
    }

    /// The file or directory concerned, relative to the root, where it is a single one.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::ChangedOnDisk { path }
            | Self::Failed { path, .. }
            | Self::OtherFileSystem { path }
            | Self::OwnerNotKept { path } => Some(path),
            Self::Interrupted { place, .. } => Some(place),
            _ => None,
        }
    }
}

/// What keeps an interrupted commit from being settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Doubt {
    /// It is ours, and must be settled before anything else is written.
    #[error("an earlier commit was interrupted and must be settled first")]
    NotSettled,
    /// The same in a directory above the root.
    #[error("an earlier commit in a directory above the root was interrupted and must be settled first")]
    Above,
    /// Its owner, its mode or what it says of itself shows that it was not left here by a commit of this user: it was
    /// planted, copied or is a link.
    #[error("it was not left here by a run of this user")]
    NotOurs,
    /// Its journal cannot be read or is not whole.
    #[error("its journal is damaged, so that it cannot be undone")]
    Damaged,
}

/// Why an interrupted commit of our own could not be settled.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Unsettled {
    /// Files changed since, so that putting the old content back would destroy something.
    #[error("files changed since the commit was interrupted: {}", paths.join(", "))]
    Conflict {
        /// The files, relative to the root.
        paths: Vec<String>,
    },
    /// The operating system refused a step.
    #[error("cannot {operation} {path}: {source}")]
    Failed {
        /// The file or directory, relative to the root; `.` is the root.
        path: String,
        /// What was tried.
        operation: Operation,
        /// Why it failed.
        source: io::Error,
    },
}

/// Where the old content of a file lies while a commit is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OldCopy {
    /// The file that it was the content of, relative to the root.
    pub path: String,
    /// Where it is, relative to the root.
    pub copy: String,
}

/// Where each copy is, behind the reason.
struct Copies<'a>(&'a [OldCopy]);

impl fmt::Display for Copies<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|OldCopy { path, copy }| write!(f, "; the old content of {path} is in {copy}"))
    }
}

/// Something that a commit could not keep, or that the reader should know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommitWarning {
    /// The file had other names, which keep the old content.
    HardLink {
        /// The file, relative to the root.
        path: String,
    },
    /// Something about the file could not be kept.
    MetadataLost {
        /// The file, relative to the root.
        path: String,
        /// What was lost: the name of an attribute, or `owner`, `group`.
        what: String,
    },
    /// The owner or group could not be kept, as the caller allowed.
    OwnerNotKept {
        /// The file, relative to the root.
        path: String,
    },
}

impl CommitWarning {
    /// The diagnostic code that it is reported under.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::HardLink { .. } => Code::HardLink,
            Self::MetadataLost { .. } => Code::MetadataLost,
            Self::OwnerNotKept { .. } => Code::OwnerNotKept,
        }
    }

    /// The file concerned, relative to the root.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::HardLink { path } | Self::MetadataLost { path, .. } | Self::OwnerNotKept { path } => path,
        }
    }
}

impl fmt::Display for CommitWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HardLink { .. } => {
                f.write_str("the file had other names (hard links), which keep the old content")
            }
            Self::MetadataLost { what, .. } => {
                write!(f, "the file's attribute `{what}` could not be set on its new content")
            }
            Self::OwnerNotKept { .. } => f.write_str("the file's owner or group could not be kept"),
        }
    }
}

/// Something that is asked of the operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Opening a directory.
    OpenDirectory,
    /// Opening a file.
    Open,
    /// Looking what something is.
    Examine,
    /// Reading.
    Read,
    /// Creating a file.
    Create,
    /// Writing.
    Write,
    /// Setting the permission bits.
    SetMode,
    /// Setting owner and group.
    SetOwner,
    /// Reading or setting an extended attribute or access list.
    Attribute,
    /// Making a directory.
    MakeDirectory,
    /// Putting a file in its place.
    Rename,
    /// Removing a file.
    Remove,
    /// Removing a directory.
    RemoveDirectory,
    /// Bringing it to the disk.
    Sync,
    /// Locking it against other runs.
    Lock,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenDirectory => "open the directory",
            Self::Open => "open",
            Self::Examine => "examine",
            Self::Read => "read",
            Self::Create => "create",
            Self::Write => "write",
            Self::SetMode => "set the mode of",
            Self::SetOwner => "set the owner of",
            Self::Attribute => "copy the attributes of",
            Self::MakeDirectory => "make the directory",
            Self::Rename => "move the new file to",
            Self::Remove => "remove",
            Self::RemoveDirectory => "remove the directory",
            Self::Sync => "sync",
            Self::Lock => "lock",
        })
    }
}

#[cfg(test)]
mod tests;
