//! The report as fsrb(1) prints it, on standard output.

use std::collections::BTreeMap;
use std::fmt::Write;

use code_parser::Changes;
use code_parser::apply::change::{Change, Operation};
use code_parser::apply::report::{FileReport, FileStatus, Outcome, Report};
use code_parser::ast::LineKind;
use code_parser::diagnostic::{Code, Diagnostic};
use code_parser::source::Source;

use code_parser::escape::{escape, first_line};

/// A snippet has at most so many characters.
const SNIPPET: usize = 60;

/// What the report speaks of.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// The input's name.
    pub(crate) input: &'a str,
    /// The input.
    pub(crate) source: &'a Source<'a>,
    /// Its changes, as far as it was read.
    pub(crate) changes: Option<&'a Changes<'a>>,
}

/// Whether files were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They were, as far as the report says so.
    Real,
    /// None was.
    DryRun,
}

/// The report of a run that applied, planned or refused.
pub(crate) fn report(report: &Report, mode: Mode, subject: Subject<'_>) -> String {
    let mut text = String::new();
    for file in &report.files {
        push_file(&mut text, file, mode);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let (blocks, files) = (report.blocks, report.files.len());
    let _ = match report.outcome {
        Outcome::Applied => writeln!(text, "[SUCCESS] All {blocks} blocks applied to {files} files."),
        Outcome::Planned => writeln!(text, "[SUCCESS] All {blocks} blocks would apply to {files} files."),
        Outcome::Partial => push_partial(&mut text, report, mode),
        Outcome::Recovered if files == 0 => writeln!(text, "[SUCCESS] No interrupted commit was pending."),
        Outcome::Recovered => writeln!(
            text,
            "[SUCCESS] The interrupted commit is settled; {files} files are as they were before it."
        ),
        Outcome::Pending => writeln!(text, "[ERROR] An interrupted commit could not be settled."),
        _ if report.diagnostics.iter().any(is_commit_fault) => writeln!(text, "[ERROR] Commit failed."),
        _ => writeln!(text, "[ERROR] Validation failed."),
    };
    push_faults(&mut text, report, subject);
    text
}

fn push_partial(text: &mut String, report: &Report, mode: Mode) -> std::fmt::Result {
    let failed = report.files.iter().filter(|file| file.status == FileStatus::Failed).count();
    let (blocks, files) = (report.blocks, report.files.len());
    match mode {
        Mode::Real => {
            writeln!(text, "[ERROR] Not all {blocks} blocks applied; {failed} of {files} files failed.")
        }
        Mode::DryRun => {
            writeln!(
                text,
                "[ERROR] Not all {blocks} blocks would apply; {failed} of {files} files would fail."
            )
        }
    }
}

/// Whether the changes were valid and only writing them failed.
fn is_commit_fault(fault: &Diagnostic) -> bool {
    let codes = [Code::Busy, Code::ChangedOnDisk, Code::CommitFailed, Code::InterruptedCommit];
    fault.is_error() && codes.contains(&fault.code)
}

/// One line on what became of a file; nothing on one that was not written.
fn push_file(text: &mut String, file: &FileReport, mode: Mode) {
    let would = mode == Mode::DryRun;
    let path = escape(&file.path);
    let _ = match file.status {
        FileStatus::Created | FileStatus::Modified if would => writeln!(text, "Would save changes to {path}"),
        FileStatus::Created | FileStatus::Modified => writeln!(text, "Saved changes to {path}"),
        FileStatus::Deleted if would => writeln!(text, "Would delete {path}"),
        FileStatus::Deleted => writeln!(text, "Deleted {path}"),
        FileStatus::Renamed => {
            let old = escape(file.detail.as_deref().unwrap_or_default());
            if would {
                writeln!(text, "Would rename {old} to {path}")
            } else {
                writeln!(text, "Renamed {old} to {path}")
            }
        }
        FileStatus::Unchanged => writeln!(text, "Unchanged {path}"),
        _ => Ok(()),
    };
}

/// The errors by file: first those of the input as a whole, then the files in the report's order.
pub(crate) fn push_faults(text: &mut String, report: &Report, subject: Subject<'_>) {
    let mut order: Vec<Option<&str>> = vec![None];
    let mut faults: BTreeMap<Option<&str>, Vec<&Diagnostic>> = BTreeMap::new();
    let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    for diagnostic in errors {
        faults.entry(diagnostic.path.as_deref()).or_default().push(diagnostic);
    }
    order.extend(report.files.iter().map(|file| Some(file.path.as_str())));
    order.extend(report.diagnostics.iter().map(|diagnostic| diagnostic.path.as_deref()));
    for path in order {
        let Some(faults) = faults.remove(&path) else { continue };
        let _ = match path {
            Some(path) => writeln!(text, "\nFile: {}", escape(path)),
            None => writeln!(text, "\nInput: {}", escape(subject.input)),
        };
        for fault in faults {
            push_fault(text, fault, subject);
        }
    }
}

/// `  - Block #2, hunk #1: Message.` and the text that it is about.
fn push_fault(text: &mut String, fault: &Diagnostic, subject: Subject<'_>) {
    text.push_str("  - ");
    let _ = match (fault.block, fault.hunk, fault.span) {
        (Some(block), Some(hunk), _) => write!(text, "Block #{block}, hunk #{hunk}: "),
        (Some(block), None, _) => write!(text, "Block #{block}: "),
        (None, _, Some(span)) => {
            write!(text, "Line {}: ", subject.source.line_index().line(span.start))
        }
        (None, _, None) => Ok(()),
    };
    push_sentence(text, &fault.message_for_person());
    if let Some(snippet) = snippet(fault, subject) {
        let _ = writeln!(text, "    Snippet: \"{}\"", first_line(snippet, SNIPPET));
    }
}

/// The message with a capital and a full stop: diagnostics have neither.
fn push_sentence(text: &mut String, message: &str) {
    let mut characters = message.chars();
    let sentence: String =
        characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect();
    let _ = writeln!(text, "{}.", escape(&sentence));
}

/// What the block looks for: its SEARCH section, or the old lines of the hunk; of a line that stands for code left out,
/// that line.
fn snippet<'a>(fault: &Diagnostic, subject: Subject<'a>) -> Option<&'a str> {
    if fault.code == Code::OmissionPlaceholder {
        return fault.span.map(|span| subject.source.slice(span));
    }
    let change: &Change<'_> =
        subject.changes?.list.get(usize::try_from(fault.block?).ok()?.checked_sub(1)?)?;
    match &change.operation {
        Operation::Edit { search, .. } => search.as_deref(),
        Operation::Patch(patch) => {
            let hunk = patch.hunks.get(usize::try_from(fault.hunk?).ok()?.checked_sub(1)?)?;
            let line = hunk.lines.iter().find(|line| line.kind != LineKind::Added)?;
            Some(&line.text)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
