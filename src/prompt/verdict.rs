//! What became of the edits as a whole, and what to send again.

use std::collections::{BTreeSet, HashMap};

use super::Run;
use super::quote::ranges;
use crate::apply::report::{FileStatus, Outcome};
use crate::diagnostic::{Code, Diagnostic};

/// The lines that say it.
pub(super) fn verdict(run: &Run<'_>, faults: &[&Diagnostic]) -> Vec<String> {
    let blocks = u32::try_from(run.report.blocks).unwrap_or(u32::MAX);
    let all = count(blocks);
    let line = match run.report.outcome {
        Outcome::Applied if blocks == 1 => "The edit was applied.".to_owned(),
        Outcome::Applied => format!("All {all} were applied."),
        Outcome::Planned if blocks == 1 => "The edit would apply. Nothing was written.".to_owned(),
        Outcome::Planned => format!("All {all} would apply. Nothing was written."),
        Outcome::Parsed if faults.is_empty() => {
            format!("Nothing was applied: your reply was only read. It has {all}.")
        }
        Outcome::Recovered => "An interrupted commit was settled; there is nothing to send.".to_owned(),
        Outcome::Pending => {
            "An interrupted commit could not be settled. That is not for you to mend: send nothing."
                .to_owned()
        }
        Outcome::Partial => return partial(run, faults, blocks),
        _ if faults.iter().all(|fault| is_environment(fault)) && !faults.is_empty() => {
            "Nothing was written, for a reason outside your edits. Do not change them.".to_owned()
        }
        _ => return refused(faults, blocks),
    };
    vec![line]
}

/// Nothing was written, because of the edits.
fn refused(faults: &[&Diagnostic], blocks: u32) -> Vec<String> {
    let wrong = wrong(faults);
    let number = u32::try_from(wrong.len()).unwrap_or(u32::MAX);
    let all = count(blocks);
    let line = match (blocks, number) {
        (0, _) => "No edit was applied. Nothing was written.".to_owned(),
        (1, 0) => "The edit was not applied. Nothing was written: send it again.".to_owned(),
        (1, _) => {
            "The edit was not applied: it is wrong. Nothing was written: send it again, corrected.".to_owned()
        }
        (_, 0) => {
            format!("None of the {all} was applied. Nothing was written: send all {all} again, corrected.")
        }
        (_, 1) => format!(
            "None of the {all} was applied, because one of them is wrong. Nothing was written: send all {all} again, \
             with that one corrected."
        ),
        (_, number) if number == blocks => {
            format!(
                "None of the {all} was applied: all are wrong. Nothing was written: send all again, corrected."
            )
        }
        (_, number) => format!(
            "None of the {all} was applied, because {number} of them are wrong. Nothing was written: send all {all} \
             again, with those {number} corrected."
        ),
    };
    let right: Vec<u32> = (1..=blocks).filter(|block| !wrong.contains(block)).collect();
    let mut lines = vec![line];
    lines.extend(list("Right", &right).filter(|_| !wrong.is_empty()));
    lines
}

/// Some files were written.
fn partial(run: &Run<'_>, faults: &[&Diagnostic], blocks: u32) -> Vec<String> {
    let wrong = wrong(faults);
    let failed = failed(run, &wrong, blocks);
    let again: Vec<u32> = failed.iter().copied().collect();
    let done: Vec<u32> = (1..=blocks).filter(|block| !failed.contains(block)).collect();
    let right: Vec<u32> = again.iter().copied().filter(|block| !wrong.contains(block)).collect();
    let all = count(blocks);
    let mut lines = vec![format!(
        "{} of the {all} stand. The other {} do not, because a file is written only when all its edits are right: send \
         only these again, with the wrong ones corrected.",
        done.len(),
        again.len()
    )];
    lines.extend(list("Not to be sent again", &done));
    lines.extend(list("To be sent again", &again));
    lines.extend(list("Of these right as they are", &right));
    lines
}

/// The edits that did not come about: those of files that failed.
fn failed(run: &Run<'_>, wrong: &BTreeSet<u32>, blocks: u32) -> BTreeSet<u32> {
    let Some(plan) = run.plan else { return (1..=blocks).collect() };
    let reports: HashMap<&str, FileStatus> =
        run.report.files.iter().map(|file| (file.path.as_str(), file.status)).collect();
    let mut failed = wrong.clone();
    for (block, change) in (1..).zip(plan.changes()) {
        let file = change.file.and_then(|file| plan.files().get(file));
        let reported = file.and_then(|file| reports.get(file.path.as_str())).copied();
        if matches!(reported.unwrap_or(change.status), FileStatus::Failed | FileStatus::Skipped) {
            failed.insert(block);
        }
    }
    failed
}

/// The edits that have a fault of their own.
fn wrong(faults: &[&Diagnostic]) -> BTreeSet<u32> {
    faults.iter().filter(|fault| !is_environment(fault)).filter_map(|fault| fault.block).collect()
}

/// Whether a fault is none of the edits.
fn is_environment(fault: &Diagnostic) -> bool {
    match fault.code {
        Code::ChangedOnDisk
        | Code::Busy
        | Code::CommitFailed
        | Code::InterruptedCommit
        | Code::FileUnreadable
        | Code::TooLarge
        | Code::ReadOnly
        | Code::OwnerNotKept
        | Code::OtherFileSystem => true,
        // The root or the input itself.
        Code::FileNotFound | Code::NotAFile => fault.block.is_none() && fault.span.is_none(),
        _ => false,
    }
}

fn count(edits: u32) -> String {
    match edits {
        0 => "no edit".to_owned(),
        1 => "1 edit".to_owned(),
        more => format!("{more} edits"),
    }
}

fn list(what: &str, edits: &[u32]) -> Option<String> {
    let noun = match edits.len() {
        0 => return None,
        1 => "edit",
        _ => "edits",
    };
    Some(format!("{what}: {noun} {}.", ranges(edits)))
}
