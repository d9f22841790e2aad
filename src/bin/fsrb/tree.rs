//! From changes to a tree: settle what an earlier run left, plan, commit; each with a report when it cannot go on.

use code_parser::Changes;
use code_parser::apply::commit::{CommitError, CommitOptions, Doubt, How, OldCopy, Recovered};
use code_parser::apply::fs::{Root, RootError};
use code_parser::apply::plan::Plan;
use code_parser::apply::report::{FileReport, FileStatus, Outcome, Report};
use code_parser::diagnostic::{Code, Diagnostic, Severity};

use crate::args::Args;

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
        Ok(plan) => match root.commit(&plan, &CommitOptions::default()) {
            Ok(report) => (report, Some(plan)),
            Err(error) => (not_committed(&plan, &error), None),
        },
    };
    report.diagnostics.extend(settled.map(|recovered| settled_note(&recovered)));
    (report, plan)
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

fn root_fault(error: &RootError) -> Diagnostic {
    let code = match error {
        RootError::Missing { .. } => Code::FileNotFound,
        RootError::NotADirectory { .. } => Code::NotAFile,
        _ => Code::FileUnreadable,
    };
    Diagnostic::new(code, format!("the root cannot be used: {error}"))
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
    let mut diagnostics = vec![error.diagnostic()];
    diagnostics.extend(advice(error));
    Report { outcome, files: Vec::new(), diagnostics, blocks: 0 }
}

/// The report of a plan that was not committed.
fn not_committed(plan: &Plan, error: &CommitError) -> Report {
    let mut report = plan.refused(error);
    report.diagnostics.extend(advice(error));
    report
}

/// What helps to settle an interrupted commit: the place of each old copy, the option to use.
fn advice(error: &CommitError) -> Vec<Diagnostic> {
    let note =
        |message: String| Diagnostic::new(Code::InterruptedCommit, message).with_severity(Severity::Note);
    let copy =
        |copy: &OldCopy| note(format!("its old content is {}", copy.copy)).with_path(copy.path.clone());
    match error {
        CommitError::Pending { copies, .. } => copies.iter().map(copy).collect(),
        CommitError::Interrupted { doubt: Doubt::NotSettled | Doubt::Above, .. } => {
            vec![note("fsrb --recover settles it, with the directory that holds it as --root".to_owned())]
        }
        _ => Vec::new(),
    }
}
