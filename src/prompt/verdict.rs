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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::report::Report;
    use crate::source::Source;

    /// A fault of the edit with this number.
    fn fault(code: Code, block: Option<u32>) -> Diagnostic {
        Diagnostic { block, ..Diagnostic::new(code, "it is wrong") }
    }

    /// What is said of a run without a plan.
    fn said(outcome: Outcome, blocks: usize, diagnostics: Vec<Diagnostic>) -> String {
        let report = Report { outcome, files: Vec::new(), diagnostics, blocks };
        let source = Source::new("").unwrap();
        let faults: Vec<_> = report.diagnostics.iter().collect();
        verdict(&Run { report: &report, source: &source, changes: None, plan: None }, &faults).join("\n")
    }

    #[test]
    fn every_outcome_has_its_words() {
        let cases = [
            (Outcome::Applied, 1, "The edit was applied."),
            (Outcome::Applied, 2, "All 2 edits were applied."),
            (Outcome::Planned, 1, "The edit would apply. Nothing was written."),
            (Outcome::Planned, 2, "All 2 edits would apply. Nothing was written."),
            (Outcome::Parsed, 0, "Nothing was applied: your reply was only read. It has no edit."),
            (Outcome::Parsed, 1, "Nothing was applied: your reply was only read. It has 1 edit."),
            (Outcome::Parsed, 2, "Nothing was applied: your reply was only read. It has 2 edits."),
            (Outcome::Recovered, 0, "An interrupted commit was settled; there is nothing to send."),
            (
                Outcome::Pending,
                1,
                "An interrupted commit could not be settled. That is not for you to mend: send nothing.",
            ),
        ];
        for (outcome, blocks, words) in cases {
            assert_eq!(said(outcome, blocks, Vec::new()), words, "{outcome:?} {blocks}");
        }
    }

    #[test]
    fn a_refusal_says_how_many_edits_are_wrong() {
        let wrong = |blocks: &[Option<u32>]| {
            blocks.iter().map(|&block| fault(Code::SearchNotFound, block)).collect::<Vec<_>>()
        };
        let cases = [
            (0, wrong(&[None]), "No edit was applied. Nothing was written."),
            (0, wrong(&[]), "No edit was applied. Nothing was written."),
            (1, wrong(&[None]), "The edit was not applied. Nothing was written: send it again."),
            (
                1,
                wrong(&[Some(1)]),
                "The edit was not applied: it is wrong. Nothing was written: send it again, corrected.",
            ),
            (
                1,
                vec![fault(Code::UnsupportedMode, Some(1))],
                "The edit was not applied, and none like it can be. Nothing was written: do not send it again.",
            ),
            (
                2,
                wrong(&[None]),
                "None of the 2 edits was applied. Nothing was written: send all 2 edits again, corrected.",
            ),
            (
                2,
                wrong(&[Some(1), Some(2), Some(2)]),
                "None of the 2 edits was applied: all are wrong. Nothing was written: send all again, corrected.",
            ),
            (
                3,
                wrong(&[Some(2), Some(2)]),
                "None of the 3 edits was applied, because one of them is wrong. Nothing was written: send all 3 edits \
                 again, with that one corrected.\nRight: edits 1, 3.",
            ),
            (
                3,
                wrong(&[Some(1), Some(2)]),
                "None of the 3 edits was applied, because 2 of them are wrong. Nothing was written: send all 3 edits \
                 again, with those 2 corrected.\nRight: edit 3.",
            ),
        ];
        for (blocks, faults, words) in cases {
            assert_eq!(said(Outcome::Refused, blocks, faults), words);
        }
        let parsed = said(Outcome::Parsed, 1, vec![fault(Code::MissingPath, Some(1))]);
        assert!(parsed.starts_with("The edit was not applied: it is wrong."), "{parsed}");
    }

    #[test]
    fn without_a_plan_everything_is_sent_again_where_some_files_failed() {
        let text = said(Outcome::Partial, 2, vec![fault(Code::SearchNotFound, Some(2))]);
        let expected = "To be sent again: edits 1-2.\nOf these right as they are: edit 1.";
        assert!(text.starts_with("0 of the 2 edits stand. The other 2 do not,"), "{text}");
        assert!(text.ends_with(expected), "{text}");
        assert!(!text.contains("Not to be sent again"), "{text}");
    }

    #[test]
    fn where_some_files_failed_what_to_send_depends_on_why() {
        let cases = [
            (vec![fault(Code::Busy, Some(2))], WAIT.replace("the same edits", "only these")),
            (vec![fault(Code::UnsupportedMode, Some(2))], "Send only these again.".to_owned()),
            (
                vec![fault(Code::UnsupportedMode, Some(1)), fault(Code::UnsupportedMode, Some(2))],
                "There is nothing to send again.".to_owned(),
            ),
            (
                vec![fault(Code::UnsupportedMode, Some(1)), fault(Code::SearchNotFound, Some(2))],
                "Send only these again, with the wrong ones corrected.".to_owned(),
            ),
        ];
        for (faults, words) in cases {
            let text = said(Outcome::Partial, 2, faults);
            let first = text.lines().next().unwrap();
            assert!(first.ends_with(&format!("only when all its edits can be. {words}")), "{text}");
        }
    }

    #[test]
    fn nothing_is_called_right_where_no_edit_is_known_to_be_wrong() {
        for blocks in [1, 2, 3] {
            let text = said(Outcome::Refused, blocks, vec![fault(Code::SearchNotFound, None)]);
            assert!(!text.contains("Right:"), "{text}");
        }
    }

    #[test]
    fn what_no_edit_can_mend_is_not_asked_for() {
        const OUTSIDE: [Code; 4] =
            [Code::ChangedOnDisk, Code::Busy, Code::CommitFailed, Code::InterruptedCommit];
        const WORDS: &str = "Nothing was written, for a reason outside your edits. Send nothing now; send the same edits again when \
                             you are told to.";
        for code in OUTSIDE {
            assert_eq!(said(Outcome::Refused, 1, vec![fault(code, Some(1))]), WORDS, "{code}");
        }
        for code in [Code::SearchNotFound, Code::UnsafePath, Code::NotUtf8, Code::FileNotFound] {
            assert_ne!(said(Outcome::Refused, 1, vec![fault(code, Some(1))]), WORDS, "{code}");
        }
        // One fault of an edit, and the edits are to be mended.
        let both = vec![fault(Code::Busy, None), fault(Code::SearchNotFound, Some(1))];
        assert!(said(Outcome::Refused, 1, both).contains("it is wrong"));
    }
}
