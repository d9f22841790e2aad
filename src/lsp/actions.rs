//! What may be done about a document: mend a finding, apply its edits.

use serde_json::{Value, json};

use super::analysis::{Analysis, Intent};
use super::client::Client;
use super::document::Document;
use super::encoding::{Position, Range};
use crate::apply::plan::Plan;
use crate::apply::report::FileStatus;

/// The command that applies the edits of a document.
pub(super) const APPLY: &str = "fsrb.apply";
/// The kind of action that mends a finding.
pub(super) const QUICK_FIX: &str = "quickfix";
/// The kind of action that applies the edits.
pub(super) const SOURCE_APPLY: &str = "source.fsrb.apply";

/// Whether a client that wants only these kinds wants this one: a kind stands for those below it too.
fn wanted(kind: &str, only: Option<&[String]>) -> bool {
    only.is_none_or(|only| {
        only.iter().any(|want| {
            want.is_empty()
                || kind
                    .strip_prefix(want.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    })
}

/// The actions at a range. `on_edit` says whether an edit stands there.
pub(super) fn actions(
    document: &Document,
    analysis: &Analysis,
    range: Range,
    only: Option<&[String]>,
    on_edit: bool,
    client: &Client,
) -> Vec<Value> {
    let mut actions = Vec::new();
    if client.actions && wanted(QUICK_FIX, only) {
        for fix in &analysis.fixes {
            let Some(finding) = analysis.shown.get(fix.finding) else { continue };
            if finding.range.touches(range) || fix.edit.range.touches(range) {
                actions.push(json!({
                    "title": fix.title,
                    "kind": QUICK_FIX,
                    "diagnostics": [finding],
                    "isPreferred": true,
                    "edit": own_edit(document, &fix.edit, client),
                }));
            }
        }
    }
    let offered = analysis.intent == Intent::Sure || on_edit;
    if let Some(title) = apply_title(analysis).filter(|_| offered && wanted(SOURCE_APPLY, only)) {
        let command = apply_command(&title, document);
        actions.push(if client.actions {
            json!({"title": title, "kind": SOURCE_APPLY, "command": command})
        } else {
            command
        });
    }
    actions
}

/// An edit of the document itself.
fn own_edit(document: &Document, edit: &impl serde::Serialize, client: &Client) -> Value {
    if client.versioned {
        let id = json!({"uri": document.uri, "version": document.version});
        json!({"documentChanges": [{"textDocument": id, "edits": [edit]}]})
    } else {
        json!({"changes": {document.uri.as_str(): [edit]}})
    }
}

/// A lens on the first edit that applies them all.
pub(super) fn lenses(document: &Document, analysis: &Analysis) -> Vec<Value> {
    let at = Position { line: analysis.first_line, character: 0 };
    match apply_title(analysis).filter(|_| analysis.intent == Intent::Sure) {
        Some(title) => {
            let command = apply_command(&title, document);
            vec![json!({"range": Range { start: at, end: at }, "command": command})]
        }
        None => Vec::new(),
    }
}

fn apply_command(title: &str, document: &Document) -> Value {
    json!({"title": title, "command": APPLY, "arguments": [document.uri]})
}

/// What to apply does; `None` when it cannot be done or does nothing.
fn apply_title(analysis: &Analysis) -> Option<String> {
    let plan = analysis.plan.as_ref().filter(|_| analysis.applicable.get() == Some(&true))?;
    Some(title(plan.changes().len(), changed(plan)))
}

/// How many files a plan changes.
pub(super) fn changed(plan: &Plan) -> usize {
    let reports = plan.files().iter().filter_map(|file| file.report());
    reports.filter(|file| file.status != FileStatus::Unchanged).count()
}

/// What to apply so many edits to so many files is called.
pub(super) fn title(edits: usize, files: usize) -> String {
    let count = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    format!("Apply {} to {}", count(edits, "edit"), count(files, "file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_stands_for_those_below_it() {
        let only = |kinds: &[&str]| kinds.iter().map(|kind| (*kind).to_owned()).collect::<Vec<_>>();
        assert!(wanted(SOURCE_APPLY, None));
        for kinds in [&["source"][..], &["source.fsrb"], &[SOURCE_APPLY], &["quickfix", "source"], &[""]] {
            assert!(wanted(SOURCE_APPLY, Some(&only(kinds))), "{kinds:?}");
        }
        for kinds in [&[][..], &["quickfix"], &["source.fsrb.applyAll"], &["sour"]] {
            assert!(!wanted(SOURCE_APPLY, Some(&only(kinds))), "{kinds:?}");
        }
    }

    #[test]
    fn titles_count() {
        assert_eq!(title(1, 1), "Apply 1 edit to 1 file");
        assert_eq!(title(3, 2), "Apply 3 edits to 2 files");
    }
}
