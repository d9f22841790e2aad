//! [`Plan`]: the changes folded, in order, over the files' bytes. Pure: nothing is written.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::change::Changes;
use super::files::{Files, LoadedFile};
use super::fold::Fold;
use super::outcome;
use super::report::{FileReport, FileStatus, Outcome, Report};
use crate::diagnostic::{Code, Diagnostic};
use crate::edit::nearest::Effort;
use crate::rel_path::RelPath;

/// How a plan is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What one failing file means for the others.
    pub scope: Scope,
    /// Refusals by judgement that are accepted: see [`ALLOWABLE`].
    pub allow: BTreeSet<Code>,
    /// Files of more bytes are refused before they are read.
    pub max_file_size: u64,
}

impl Default for Options {
    /// All or nothing, nothing allowed, files of up to 256 MiB.
    fn default() -> Self {
        Self { scope: Scope::AllOrNothing, allow: BTreeSet::new(), max_file_size: 256 << 20 }
    }
}

/// The codes that [`Options::allow`] may hold.
pub const ALLOWABLE: [Code; 4] =
    [Code::OmissionPlaceholder, Code::AmbiguousNesting, Code::ReadOnly, Code::OwnerNotKept];

/// What one failing file means for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// No file is written unless every change applies.
    AllOrNothing,
    /// Each file is written or not on its own. Files that a rename or a copy joins count as one.
    EachFile,
}

/// The new state of every file.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) files: Vec<PlannedFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) changes: Vec<PlannedChange>,
    pub(super) options: Options,
}

/// What becomes of one file.
#[derive(Debug, Clone)]
pub struct PlannedFile {
    /// Its path as the input first named it, in normal form.
    pub path: RelPath,
    /// Where that leads, links followed.
    pub target: RelPath,
    /// What becomes of it. `Failed` only with [`Scope::EachFile`].
    pub status: FileStatus,
    /// The file that its content came from, with its name, for one that is renamed or copied.
    pub origin: Option<(RelPath, Arc<LoadedFile>)>,
    /// The name that its content has now, for one that is renamed away.
    pub renamed_to: Option<RelPath>,
    /// The file as it was read; `None` where there was none.
    pub old: Option<Arc<LoadedFile>>,
    /// Its new content; `None` where there is to be no file.
    pub new: Option<Arc<Vec<u8>>>,
    /// The executable bits, where they are set or cleared.
    pub executable: Option<bool>,
    /// Files with the same number are written together.
    pub group: usize,
}

/// What becomes of one change of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChange {
    /// The file that it is about, by its index in [`Plan::files`].
    pub file: Option<usize>,
    /// What the change alone does to the file, seen after the changes before it.
    pub status: FileStatus,
}

/// Why there is no plan: everything that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The files that the input names, as far as they could be found out; failed or skipped.
    pub files: Vec<FileReport>,
    /// Everything that was found, by place in the input.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of changes in the input.
    pub blocks: usize,
}

impl Plan {
    /// Folds the changes over the files.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with every fault of every change. With [`Scope::EachFile`] there is always a plan; its files and
    /// [`Plan::diagnostics`] tell what failed.
    pub fn new(changes: &Changes<'_>, files: &impl Files, options: &Options) -> Result<Self, Refusal> {
        Self::explained(changes, files, options, Effort::default())
    }

    /// The same with another effort for explaining what fails; verdicts and files do not depend on it.
    pub(crate) fn explained(
        changes: &Changes<'_>,
        files: &impl Files,
        options: &Options,
        effort: Effort,
    ) -> Result<Self, Refusal> {
        let mut fold = Fold::new(changes, files, options);
        fold.explainer.effort = effort;
        fold.run();
        let settled = fold.settle();
        fold.validate(&settled);
        outcome::conclude(fold, settled)
    }

    /// The files, in the order in which they first appear in the input.
    #[must_use]
    pub fn files(&self) -> &[PlannedFile] {
        &self.files
    }

    /// What becomes of each change, in the order of the input.
    #[must_use]
    pub fn changes(&self) -> &[PlannedChange] {
        &self.changes
    }

    /// Warnings and notes, with [`Scope::EachFile`] the errors too, by place in the input.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// How the plan was made.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What would become of each file if the plan were committed now.
    #[must_use]
    pub fn report(&self) -> Report {
        let failed = self.diagnostics.iter().any(Diagnostic::is_error);
        let files: Vec<FileReport> = self.files.iter().filter_map(PlannedFile::report).collect();
        Report {
            outcome: if failed { Outcome::of_failure(&files) } else { Outcome::Planned },
            files,
            diagnostics: self.diagnostics.clone(),
            blocks: self.changes.len(),
        }
    }
}

impl PlannedFile {
    /// The file's line in a report. A name that a file was renamed away from has none.
    #[must_use]
    pub fn report(&self) -> Option<FileReport> {
        if self.status == FileStatus::Deleted && self.renamed_to.is_some() {
            return None;
        }
        let detail = match self.status {
            FileStatus::Renamed => self.origin.as_ref().map(|(path, _)| path.to_string()),
            _ => None,
        };
        Some(FileReport { path: self.path.to_string(), status: self.status, detail })
    }
}

impl From<Refusal> for Report {
    fn from(refusal: Refusal) -> Self {
        Self {
            outcome: Outcome::Refused,
            files: refusal.files,
            diagnostics: refusal.diagnostics,
            blocks: refusal.blocks,
        }
    }
}
