//! From changes to a tree: settle what an earlier run left, plan, commit; each with a report when it cannot go on.

use code_parser::Changes;
use code_parser::apply::commit::{CommitError, CommitOptions, How, Recovered};
use code_parser::apply::fs::{Root, RootError};
use code_parser::apply::plan::Plan;
use code_parser::apply::report::{FileReport, FileStatus, Outcome, Report};
use code_parser::diagnostic::{Code, Diagnostic, Severity};
use code_parser::explain::cases;

use crate::args::Args;
use crate::signals::Signals;

/// Plans the changes and, unless it is a dry run, commits them. The plan comes back when it holds good.
pub(crate) fn apply(args: &Args, changes: &Changes<'_>) -> (Report, Option<Plan>) {
    let blocks = changes.list.len();
    let (root, settled) = match open_settled(args) {
        Ok(root) => root,
        Err(mut report) => {
            report.blocks = blocks;
            return (*report, None);
        }
    };
    let plan = Plan::new(changes, &root, &args.options());
    let (mut report, plan) = match plan {
        Err(refusal) => (refusal.into(), None),
        Ok(plan) if args.dry_run => (plan.report(), Some(plan)),
        Ok(plan) => match commit(&root, &plan) {
            Ok(report) => (report, Some(plan)),
            Err(error) => (plan.refused(&error), None),
        },
    };
    report.diagnostics.extend(settled.map(|recovered| settled_note(&recovered)));
    (report, plan)
}

/// Commits a plan. A signal that ends the process has everything undone first, as long as it is not done.
fn commit(root: &Root, plan: &Plan) -> Result<Report, CommitError> {
    let signals = Signals::catch();
    let options = CommitOptions { cancel: Some(signals.raised()), ..CommitOptions::default() };
    root.commit(plan, &options)
}

/// Settles an interrupted commit and does nothing else.
pub(crate) fn recover(args: &Args, how: How) -> Report {
    let recovered = match Root::open(&args.root) {
        Ok(root) => root.recover(how),
        Err(error) => return refused(root_fault(&error)),
    };
    match recovered {
        Ok(recovered) => {
            let file = |path: &code_parser::RelPath| FileReport {
                path: path.to_string(),
                status: FileStatus::Modified,
                detail: Some("as it was before the interrupted commit".to_owned()),
            };
            let files = recovered.files.iter().map(file).collect();
            Report { outcome: Outcome::Recovered, files, diagnostics: Vec::new(), blocks: 0 }
        }
        Err(error) => ended(&error),
    }
}

/// Opens the root. A run that writes settles what is pending there; a dry run refuses to look at a tree in between.
fn open_settled(args: &Args) -> Result<(Root, Option<Recovered>), Box<Report>> {
    let root = Root::open(&args.root).map_err(|error| Box::new(refused(root_fault(&error))))?;
    let stop = |error: CommitError| Box::new(ended(&error));
    if !args.dry_run {
        let recovered = root.recover(How::Ask).map_err(stop)?;
        return Ok((root, Some(recovered).filter(|recovered| !recovered.files.is_empty())));
    }
    match root.pending().map_err(stop)? {
        None => Ok((root, None)),
        Some(pending) => Err(stop(CommitError::Interrupted { place: pending.place, doubt: pending.doubt })),
    }
}

/// Without the path, which whoever started the run has given: the report may go to a model.
fn root_fault(error: &RootError) -> Diagnostic {
    match error {
        RootError::Missing { .. } => {
            Diagnostic::new(Code::FileNotFound, "the root does not exist").with_remedy(&cases::WRONG_START)
        }
        RootError::NotADirectory { .. } => {
            Diagnostic::new(Code::NotAFile, "the root is not a directory").with_remedy(&cases::WRONG_START)
        }
        RootError::Unreadable { source, .. } => {
            Diagnostic::new(Code::FileUnreadable, format!("the root cannot be opened: {source}"))
        }
        other => Diagnostic::new(Code::FileUnreadable, format!("the root cannot be used: {other}")),
    }
}

fn settled_note(recovered: &Recovered) -> Diagnostic {
    let count = recovered.files.len();
    let message = format!("an interrupted commit was undone first; it concerned {count} files");
    Diagnostic::new(Code::InterruptedCommit, message).with_severity(Severity::Note)
}

fn refused(fault: Diagnostic) -> Report {
    Report { outcome: Outcome::Refused, files: Vec::new(), diagnostics: vec![fault], blocks: 0 }
}

/// The report of a run that an error of the commit ended before there was a plan.
fn ended(error: &CommitError) -> Report {
    let outcome = if error.is_pending() { Outcome::Pending } else { Outcome::Refused };
    Report { outcome, files: Vec::new(), diagnostics: error.diagnostics(), blocks: 0 }
}
