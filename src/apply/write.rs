//! The writing stage: a plan becomes transactions, and what those did a report.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::commit::{CommitError, CommitOptions, CommitWarning, Doubt};
use super::fs::Root;
use super::plan::{Plan, Scope};
use super::report::{FileStatus, Outcome, Report};
use super::transaction::Transaction;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::explain::cases;
use crate::rel_path::RelPath;

impl Root {
    /// Writes what a plan says: everything or nothing, with [`Scope::EachFile`] each group of files on its own.
    ///
    /// # Errors
    ///
    /// [`CommitError`], only with [`Scope::AllOrNothing`]; [`Plan::refused`] makes a report of it. With
    /// [`Scope::EachFile`] the report says which files failed.
    pub fn commit(&self, plan: &Plan, options: &CommitOptions<'_>) -> Result<Report, CommitError> {
        let allow_owner_not_kept =
            options.allow_owner_not_kept || plan.options().allow.contains(&Code::OwnerNotKept);
        let options = CommitOptions { allow_owner_not_kept, ..*options };
        let mut writing = Writing::new(plan);
        let mut stopped = None;
        for transaction in plan.transactions() {
            if let Some(why) = stopped {
                writing.settle(&transaction, FileStatus::Skipped, why);
                continue;
            }
            match self.commit_transaction(&transaction, &options) {
                Ok(committed) => writing.tell(&committed.warnings),
                Err(error) if plan.options().scope == Scope::AllOrNothing => return Err(error),
                Err(error) => {
                    writing.fail(&transaction, &error);
                    stopped = stops(&error);
                }
            }
        }
        Ok(writing.finish())
    }
}

/// Why nothing more is written after an error, if so.
fn stops(error: &CommitError) -> Option<&'static str> {
    match error {
        CommitError::Cancelled => Some("the commit was cancelled before this file"),
        error if error.is_pending() => Some("an earlier file's commit is unsettled"),
        _ => None,
    }
}

impl Plan {
    /// The report of a commit of this plan that failed: no file is written, or it is pending which are.
    #[must_use]
    pub fn refused(&self, error: &CommitError) -> Report {
        let mut report = self.report();
        report.outcome = if error.is_pending() { Outcome::Pending } else { Outcome::Refused };
        for file in &mut report.files {
            let concerned = error.path() == Some(file.path.as_str());
            file.status = if concerned { FileStatus::Failed } else { FileStatus::Skipped };
            file.detail = concerned.then(|| error.to_string());
        }
        report.diagnostics.extend(error.diagnostics());
        report
    }
}

impl CommitError {
    /// The error as a diagnostic with no place in the input, then what helps to settle an interrupted commit: a note
    /// on the place of each old content, or on what to do.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let fault = Diagnostic::new(self.code(), self.message());
        let fault = match self {
            Self::Interrupted { doubt: Doubt::NotOurs | Doubt::Damaged, .. } => {
                fault.with_remedy(&cases::NOT_OURS)
            }
            _ => fault,
        };
        let mut diagnostics = vec![match self.path() {
            Some(path) => fault.with_path(path),
            None => fault,
        }];
        let note =
            |message: String| Diagnostic::new(Code::InterruptedCommit, message).with_severity(Severity::Note);
        match self {
            Self::Pending { copies, .. } => {
                let copies = copies
                    .iter()
                    .map(|old| note(format!("its old content is {}", old.copy)).with_path(old.path.clone()));
                diagnostics.extend(copies);
            }
            Self::Interrupted { doubt: Doubt::NotSettled | Doubt::Above, .. } => {
                let advice = note("the interrupted commit can be settled".to_owned());
                let command = "`fsrb --recover` settles it, with the directory that holds it as --root";
                diagnostics.push(advice.with_command(command));
            }
            _ => {}
        }
        diagnostics
    }
}

/// A report while the transactions of a plan are written one after the other.
struct Writing<'p> {
    report: Report,
    /// The line of the report for each target; `None` for one that has none.
    lines: HashMap<&'p RelPath, usize>,
    /// What has been told of which file.
    told: HashSet<(Code, Arc<str>)>,
}

impl<'p> Writing<'p> {
    fn new(plan: &'p Plan) -> Self {
        let listed = plan.files().iter().filter(|file| file.report().is_some());
        let lines = listed.enumerate().map(|(line, file)| (&file.target, line)).collect();
        let report = plan.report();
        let told =
            report.diagnostics.iter().filter_map(|found| Some((found.code, found.path.clone()?))).collect();
        Self { report, lines, told }
    }

    fn tell(&mut self, warnings: &[CommitWarning]) {
        for warning in warnings {
            if self.told.insert((warning.code(), warning.path().into())) {
                let told = Diagnostic::new(warning.code(), warning.to_string()).with_path(warning.path());
                self.report.diagnostics.push(told.with_severity(Severity::Warning));
            }
        }
    }

    fn fail(&mut self, transaction: &Transaction, error: &CommitError) {
        self.report.outcome = if error.is_pending() { Outcome::Pending } else { Outcome::Partial };
        self.settle(transaction, FileStatus::Failed, &error.to_string());
        self.report.diagnostics.extend(error.diagnostics());
    }

    /// Gives the files of a transaction a status that says that they are not written.
    fn settle(&mut self, transaction: &Transaction, status: FileStatus, why: &str) {
        for entry in &transaction.entries {
            let line = self.lines.get(&entry.target).and_then(|&line| self.report.files.get_mut(line));
            if let Some(file) = line {
                file.status = status;
                file.detail = Some(why.to_owned());
            }
        }
    }

    /// What a warning said would become of code left out has come about in the files that are written.
    fn tell_omissions(&mut self) {
        let written: HashSet<&str> = self
            .report
            .files
            .iter()
            .filter(|file| !matches!(file.status, FileStatus::Failed | FileStatus::Skipped))
            .map(|file| file.path.as_str())
            .collect();
        for found in &mut self.report.diagnostics {
            let is_written = found.path.as_deref().is_some_and(|path| written.contains(path));
            if found.code == Code::OmissionPlaceholder && !found.is_error() && is_written {
                "this line stands for code left out: it was written, and the code that it stands for is gone"
                    .clone_into(&mut found.message);
                found.own_remedy = Some(&cases::OMISSION_WRITTEN);
            }
        }
    }

    fn finish(mut self) -> Report {
        self.tell_omissions();
        match self.report.outcome {
            Outcome::Planned => self.report.outcome = Outcome::Applied,
            Outcome::Partial => self.report.outcome = Outcome::of_failure(&self.report.files),
            _ => {}
        }
        self.report
    }
}
