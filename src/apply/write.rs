//! The writing stage: a plan becomes transactions, and what those did a report.

use std::collections::{HashMap, HashSet};

use super::commit::{CommitError, CommitOptions, CommitWarning};
use super::fs::Root;
use super::plan::{Plan, Scope};
use super::report::{FileStatus, Outcome, Report};
use super::transaction::Transaction;
use crate::diagnostic::{Code, Diagnostic, Severity};
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
        for transaction in plan.transactions() {
            if writing.report.outcome == Outcome::Pending {
                writing.settle(&transaction, FileStatus::Skipped, "an earlier file's commit is unsettled");
                continue;
            }
            match self.commit_transaction(&transaction, &options) {
                Ok(committed) => writing.tell(&committed.warnings),
                Err(error) if plan.options().scope == Scope::AllOrNothing => return Err(error),
                Err(error) => writing.fail(&transaction, &error),
            }
        }
        Ok(writing.finish())
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
        report.diagnostics.push(error.diagnostic());
        report
    }
}

impl CommitError {
    /// The error as a diagnostic, with no place in the input.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.code(), self.to_string());
        match self.path() {
            Some(path) => diagnostic.with_path(path),
            None => diagnostic,
        }
    }
}

/// A report while the transactions of a plan are written one after the other.
struct Writing<'p> {
    report: Report,
    /// The line of the report for each target; `None` for one that has none.
    lines: HashMap<&'p RelPath, usize>,
    /// What has been told of which file.
    told: HashSet<(Code, String)>,
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
            if self.told.insert((warning.code(), warning.path().to_owned())) {
                let told = Diagnostic::new(warning.code(), warning.to_string()).with_path(warning.path());
                self.report.diagnostics.push(told.with_severity(Severity::Warning));
            }
        }
    }

    fn fail(&mut self, transaction: &Transaction, error: &CommitError) {
        self.report.outcome = if error.is_pending() { Outcome::Pending } else { Outcome::Partial };
        self.settle(transaction, FileStatus::Failed, &error.to_string());
        self.report.diagnostics.push(error.diagnostic());
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

    fn finish(mut self) -> Report {
        match self.report.outcome {
            Outcome::Planned => self.report.outcome = Outcome::Applied,
            Outcome::Partial => self.report.outcome = Outcome::of_failure(&self.report.files),
            _ => {}
        }
        self.report
    }
}
