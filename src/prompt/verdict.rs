//! What became of the edits as a whole, and what to send again.

use std::collections::{BTreeSet, HashMap};

use super::Run;
use super::quote::ranges;
use crate::apply::change::Change;
use crate::apply::report::{FileStatus, Outcome};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::Way;

/// The lines that say it.
pub(super) fn verdict(run: &Run<'_>, faults: &[&Diagnostic]) -> Vec<String> {
    let blocks = u32::try_from(run.report.blocks).unwrap_or(u32::MAX);
    let all = count(blocks);
    let line = match run.report.outcome {
        Outcome::Applied if changes_nothing(run) => {
            format!("Your reply was taken ({all}), but it changes nothing: the files are as they were.")
        }
        Outcome::Planned if changes_nothing(run) => {
            format!("Your reply would be taken ({all}), but it changes nothing.")
        }
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
            format!("Nothing was written, for a reason outside your edits. {WAIT}")
        }
        _ => return refused(run, faults, blocks),
    };
    vec![line]
}

/// What to do where nothing is wrong with the edits.
const WAIT: &str = "Send nothing now; send the same edits again when you are told to.";

/// Whether all edits are of files that have the new content already.
fn changes_nothing(run: &Run<'_>) -> bool {
    let files = &run.report.files;
    !files.is_empty() && files.iter().all(|file| file.status == FileStatus::Unchanged)
}

/// What is to become of the edits that were refused.
struct Sorted {
    /// They have to be corrected.
    wrong: BTreeSet<u32>,
    /// No corrected one would be taken.
    out: BTreeSet<u32>,
    /// Another one is at odds with them, and it is not known which is wrong.
    doubtful: BTreeSet<u32>,
}

impl Sorted {
    fn of(run: &Run<'_>, faults: &[&Diagnostic]) -> Self {
        let blocks = |way: Way| {
            let faults = faults.iter().filter(move |fault| fault.remedy().way == way);
            faults.filter_map(|fault| fault.block).collect::<BTreeSet<u32>>()
        };
        let (mut wrong, out) = (blocks(Way::Correct), blocks(Way::LeaveOut));
        wrong.retain(|block| !out.contains(block));
        let at_odds = faults.iter().filter(|fault| fault.code == Code::PathConflict);
        let doubtful = at_odds.flat_map(|fault| others_of(run, fault)).collect();
        Self { wrong, out, doubtful }
    }
}

/// The other edits that a fault names.
fn others_of(run: &Run<'_>, fault: &Diagnostic) -> Vec<u32> {
    let changes = run.changes.map(|changes| changes.list.as_slice()).unwrap_or_default();
    let places = fault.related.iter().filter(|related| related.path.is_none());
    let is_at = |place| move |change: &Change<'_>| change.origin.is_some_and(|origin| origin.anchor == place);
    let number = |place| changes.iter().position(is_at(place)).and_then(|at| u32::try_from(at + 1).ok());
    places.filter_map(|place| number(place.span)).collect()
}

/// Nothing was written, because of the edits.
fn refused(run: &Run<'_>, faults: &[&Diagnostic], blocks: u32) -> Vec<String> {
    let Sorted { wrong, out, doubtful } = Sorted::of(run, faults);
    let right: Vec<u32> = (1..=blocks)
        .filter(|block| !wrong.contains(block) && !out.contains(block) && !doubtful.contains(block))
        .collect();
    let (number, without) = (size(&wrong), size(&out));
    let all = count(blocks);
    let line = match (blocks, number, without) {
        (0, _, _) => "No edit was applied. Nothing was written.".to_owned(),
        (1, 0, 0) => "The edit was not applied. Nothing was written: send it again.".to_owned(),
        (1, 0, _) => {
            "The edit was not applied, and none like it can be. Nothing was written: do not send it \
            again."
                .to_owned()
        }
        (1, _, _) => {
            "The edit was not applied: it is wrong. Nothing was written: send it again, corrected.".to_owned()
        }
        (_, 0, 0) => {
            format!("None of the {all} was applied. Nothing was written: send all {all} again, corrected.")
        }
        (_, 0, without) if without == blocks => {
            format!(
                "None of the {all} was applied, and none like them can be. Nothing was written: do not send them \
                 again."
            )
        }
        (_, 0, _) => format!(
            "None of the {all} was applied, because not all of them can be. Nothing was written: send the others again, \
             without those that cannot."
        ),
        (_, _, 1..) => format!(
            "None of the {all} was applied. Nothing was written: send them again, with the wrong ones corrected and \
             without those that cannot be applied."
        ),
        (_, 1, _) => format!(
            "None of the {all} was applied, because one of them is wrong. Nothing was written: send all {all} again, \
             with that one corrected."
        ),
        (_, number, _) if number == blocks => {
            format!(
                "None of the {all} was applied: all are wrong. Nothing was written: send all again, corrected."
            )
        }
        (_, number, _) => format!(
            "None of the {all} was applied, because {number} of them are wrong. Nothing was written: send all {all} \
             again, with those {number} corrected."
        ),
    };
    let mut lines = vec![line];
    if blocks > 1 {
        lines.extend(list("To be left out", &Vec::from_iter(out)));
        lines.extend(list("Right", &right).filter(|_| number + without > 0));
    }
    lines
}

fn size(edits: &BTreeSet<u32>) -> u32 {
    u32::try_from(edits.len()).unwrap_or(u32::MAX)
}

/// Some files were written.
fn partial(run: &Run<'_>, faults: &[&Diagnostic], blocks: u32) -> Vec<String> {
    let Sorted { wrong, out, .. } = Sorted::of(run, faults);
    let failed = failed(run, &(&wrong | &out), blocks);
    let again: Vec<u32> = failed.iter().copied().filter(|block| !out.contains(block)).collect();
    let done: Vec<u32> = (1..=blocks).filter(|block| !failed.contains(block)).collect();
    let right: Vec<u32> = again.iter().copied().filter(|block| !wrong.contains(block)).collect();
    let all = count(blocks);
    let next = match (wrong.is_empty(), again.is_empty()) {
        (_, true) => "There is nothing to send again.".to_owned(),
        (true, _) if out.is_empty() => WAIT.replace("the same edits", "only these"),
        (true, _) => "Send only these again.".to_owned(),
        (false, _) => "Send only these again, with the wrong ones corrected.".to_owned(),
    };
    let mut lines = vec![format!(
        "{} of the {all} stand. The other {} do not, because a file is written only when all its edits can be. {next}",
        done.len(),
        failed.len()
    )];
    lines.extend(list("Not to be sent again", &done));
    lines.extend(list("To be left out", &Vec::from_iter(out)));
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

/// Whether a fault is none of the edits.
fn is_environment(fault: &Diagnostic) -> bool {
    fault.remedy().way == Way::Wait
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
