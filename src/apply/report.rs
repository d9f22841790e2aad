//! [`Report`]: what became of each file, as a value.

use crate::diagnostic::Diagnostic;

/// What a run did or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// The files, in the order in which they first appear in the input.
    pub files: Vec<FileReport>,
    /// Everything that was found, by place in the input.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of changes in the input.
    pub blocks: usize,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Outcome {
    /// Every change is on the disk.
    Applied,
    /// Every change would apply; nothing was written.
    Planned,
    /// Nothing was written.
    Refused,
    /// Some files were written, others failed.
    Partial,
    /// The input was only parsed.
    Parsed,
    /// An interrupted commit was settled, or none was pending.
    Recovered,
    /// An interrupted commit could not be settled.
    Pending,
}

impl Outcome {
    /// How a run ended in which something failed: partial, if any file is written all the same.
    pub(super) fn of_failure(files: &[FileReport]) -> Self {
        let is_written = |file: &FileReport| {
            !matches!(file.status, FileStatus::Failed | FileStatus::Skipped | FileStatus::Unchanged)
        };
        if files.iter().any(is_written) { Self::Partial } else { Self::Refused }
    }

    /// The outcome as it is printed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Planned => "planned",
            Self::Refused => "refused",
            Self::Partial => "partial",
            Self::Parsed => "parsed",
            Self::Recovered => "recovered",
            Self::Pending => "pending",
        }
    }
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FileReport {
    /// Its path relative to the root; for a renamed file the new one.
    pub path: String,
    /// What became of it.
    pub status: FileStatus,
    /// For a renamed file its old path, for a skipped or failed one the reason.
    pub detail: Option<String>,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FileStatus {
    /// It did not exist before.
    Created,
    /// Its content or its permissions are new.
    Modified,
    /// The changes left it as it was.
    Unchanged,
    /// It is gone.
    Deleted,
    /// It has a new name, perhaps new content too.
    Renamed,
    /// It could have been changed, but another file's fault kept it from being written.
    Skipped,
    /// A change of it failed, and it is as it was.
    Failed,
}

impl FileStatus {
    /// The status as it is printed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Modified => "modified",
            Self::Unchanged => "unchanged",
            Self::Deleted => "deleted",
            Self::Renamed => "renamed",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}
