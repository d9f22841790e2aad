//! What holds for the planning of any reply over any files.

use std::collections::BTreeMap;

use code_parser::apply::change::{Change, Operation, Patch, PatchHunk};
use code_parser::apply::plan::{Options, Plan, PlannedFile, Scope};
use code_parser::apply::report::{FileStatus, Outcome, Report};
use code_parser::ast::{FileOperation, InputKind, LineEnding};
use code_parser::diagnostic::{Code, Diagnostic};
use code_parser::source::{Source, Span};
use code_parser::{Changes, CodeParser, RelPath, parse};

type Files = BTreeMap<RelPath, Vec<u8>>;

/// Any reply, any files: a plan is whole or refused with a reason, says what it does, and `CodeParser` agrees.
///
/// The reply comes first, up to U+001E; then the files, each up to the next U+001E and with its path as its first line.
pub(crate) fn check(text: &str) {
    let mut parts = text.split('\u{1e}');
    let reply = parts.next().unwrap_or_default();
    let file = |part: &str| {
        let (path, content) = part.split_once('\n')?;
        Some((RelPath::new(path).ok()?, content.as_bytes().to_vec()))
    };
    let files: Files = parts.filter_map(file).collect();
    for kind in [InputKind::Fsrb, InputKind::Response, InputKind::Diff] {
        let source = Source::new(reply).unwrap();
        let changes = parse(&source, kind).changes();
        planned(&changes, &files, &source);
        if kind == InputKind::Response {
            facade_agrees(reply, &changes, &files);
        }
    }
}

fn each_file() -> Options {
    Options { scope: Scope::EachFile, ..Options::default() }
}

fn planned(changes: &Changes<'_>, files: &Files, source: &Source<'_>) {
    let broken = changes.diagnostics.iter().any(Diagnostic::is_error)
        || changes.list.iter().any(|change| change.operation == Operation::Broken || change.path.is_none());
    let each = Plan::new(changes, files, &each_file()).unwrap();
    lawful_report(&each.report(), changes, source);
    each.files().iter().for_each(|file| lawful_file(file, files));
    match Plan::new(changes, files, &Options::default()) {
        Ok(plan) => {
            assert!(!broken, "a plan in spite of faults");
            assert!(!plan.diagnostics().iter().any(Diagnostic::is_error));
            assert_eq!(plan.changes().len(), changes.list.len());
            let report = plan.report();
            assert_eq!(report.outcome, Outcome::Planned);
            assert_eq!(each.report(), report, "each file on its own, and yet not the same");
            let bytes =
                |plan: &Plan| -> Vec<_> { plan.files().iter().map(|file| file.new.clone()).collect() };
            assert_eq!(bytes(&plan), bytes(&each));
        }
        Err(refusal) => {
            assert!(refusal.diagnostics.iter().any(Diagnostic::is_error), "refused without a reason");
            assert!(each.diagnostics().iter().any(Diagnostic::is_error), "refused only as a whole");
            let report = Report::from(refusal);
            assert_eq!(report.outcome, Outcome::Refused);
            let untouched = [FileStatus::Failed, FileStatus::Skipped];
            assert!(report.files.iter().all(|file| untouched.contains(&file.status)));
            lawful_report(&report, changes, source);
        }
    }
}

fn lawful_file(file: &PlannedFile, files: &Files) {
    assert_eq!(file.path, file.target, "there are no links in a map");
    let old = file.old.as_ref().map(|old| &old.bytes);
    assert_eq!(old, files.get(&file.target), "the old bytes are those of the file");
    let new = file.new.as_deref();
    match file.status {
        FileStatus::Created => assert!(old.is_none() && new.is_some()),
        FileStatus::Modified => assert!(old.is_some() && new.is_some()),
        FileStatus::Unchanged => assert!(old == new),
        FileStatus::Deleted => assert!(old.is_some() && new.is_none()),
        FileStatus::Renamed => assert!(new.is_some() && file.origin.is_some()),
        FileStatus::Failed => {}
        other => panic!("a plan has no file that is {other:?}"),
    }
}

fn lawful_report(report: &Report, changes: &Changes<'_>, source: &Source<'_>) {
    assert_eq!(report.blocks, changes.list.len());
    let whole = Span::new(0, source.end());
    for found in &report.diagnostics {
        let block = found.block.is_none_or(|block| (1..=report.blocks).contains(&(block as usize)));
        assert!(block, "{found:?}");
        if let Some(span) = found.span {
            assert!(whole.contains(span));
            assert_eq!(source.slice(span).len(), span.len() as usize, "{found:?}");
        } else {
            assert!(found.code == Code::NoChanges, "{found:?} has no place");
        }
    }
    let failed = report.files.iter().filter(|file| file.status == FileStatus::Failed);
    failed.for_each(|file| {
        let told = |found: &&Diagnostic| found.is_error();
        assert!(report.diagnostics.iter().find(told).is_some(), "{} failed without a reason", file.path);
    });
}

/// What `CodeParser` makes of the same reply, one value after the other.
fn facade_agrees(reply: &str, changes: &Changes<'_>, files: &Files) {
    let is_edit = |change: &Change<'_>| matches!(change.operation, Operation::Edit { .. });
    if !changes.list.is_empty() && changes.list.iter().all(is_edit) {
        edits_agree(reply, changes, files);
    }
    let patches = CodeParser::extract_patches(reply);
    if let ([patch], [change]) = (patches.as_slice(), changes.list.as_slice())
        && patch.operation == FileOperation::Modify
        && patch.old_path == patch.new_path
        && let Ok(plan) = Plan::new(changes, files, &Options::default())
        && let [file] = plan.files()
        && let Some(old) = files.get(&file.path)
    {
        let Operation::Patch(lowered) = &change.operation else { panic!("a patch is no patch") };
        let old = std::str::from_utf8(old).unwrap();
        let (made, planned) = (patch.apply(old).unwrap(), file.new.as_ref().unwrap().as_slice());
        if tells_endings(lowered) && !old.trim_start_matches('\u{feff}').is_empty() {
            assert_eq!(made.as_bytes(), planned);
        } else {
            let planned = std::str::from_utf8(planned).unwrap();
            assert_eq!(made.replace("\r\n", "\n"), planned.replace("\r\n", "\n"));
        }
    }
}

/// Whether the hunks of `CodeParser` say how the lines of the diff end: not where all of a hunk's are CRLF.
fn tells_endings(patch: &Patch<'_>) -> bool {
    let tells = |hunk: &PatchHunk<'_>| {
        let has =
            |ending| hunk.header_ending == ending || hunk.lines.iter().any(|line| line.ending == ending);
        has(LineEnding::Lf) || !has(LineEnding::CrLf)
    };
    patch.hunks.iter().all(tells)
}

fn edits_agree(reply: &str, changes: &Changes<'_>, files: &Files) {
    let edits = CodeParser::parse_edit_instructions(reply);
    let named = changes.list.iter().filter(|change| change.path.is_some()).count();
    assert_eq!(edits.len(), named);
    let mut made = files.clone();
    let mut failed = named < changes.list.len();
    for edit in &edits {
        let Ok(path) = RelPath::new(&edit.file) else {
            failed = true;
            continue;
        };
        let old = made.get(&path).map(|bytes| std::str::from_utf8(bytes).unwrap());
        // A file that is not there can be created and nothing else.
        if old.is_none() && !edit.old.is_empty() {
            failed = true;
            continue;
        }
        match CodeParser::apply_edit(old.unwrap_or_default(), edit) {
            Ok(new) if !edit.old.is_empty() && new.trim_start_matches('\u{feff}').is_empty() => {
                made.remove(&path);
            }
            Ok(new) => {
                made.insert(path, new.into_bytes());
            }
            Err(_) => failed = true,
        }
    }
    match Plan::new(changes, files, &Options::default()) {
        Ok(plan) => {
            assert!(!failed, "planned, and yet CodeParser fails");
            for file in plan.files() {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
                let [new, made] =
                    [file.new.as_ref().map(|new| text(new)), made.get(&file.path).map(|made| text(made))];
                assert_eq!(new, made, "{}", file.path);
            }
        }
        Err(refusal) => {
            // These look at more than one edit and its text.
            let more = [Code::OmissionPlaceholder, Code::NotUtf8, Code::PathConflict];
            let errors = refusal.diagnostics.iter().filter(|found| found.is_error());
            let is_own = |found: &Diagnostic| found.block.is_none() || more.contains(&found.code);
            assert!(failed || errors.clone().any(is_own), "refused, and yet CodeParser does it: {refusal:?}");
        }
    }
}
