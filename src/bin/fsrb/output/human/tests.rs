use std::borrow::Cow;

use code_parser::ast::InputKind;
use code_parser::diagnostic::Code;
use code_parser::source::Span;

use super::*;

fn file(path: &str, status: FileStatus) -> FileReport {
    let detail = (status == FileStatus::Renamed).then(|| "old.txt".to_owned());
    FileReport { path: path.to_owned(), status, detail }
}

fn printed(report: &Report, mode: Mode, text: &str, changes: Option<&Changes<'_>>) -> String {
    let source = Source::new(text).unwrap();
    super::report(report, mode, Subject { input: "in.fsrb", source: &source, changes })
}

fn every_status(outcome: Outcome) -> Report {
    let files = vec![
        file("created", FileStatus::Created),
        file("modified", FileStatus::Modified),
        file("deleted", FileStatus::Deleted),
        file("renamed", FileStatus::Renamed),
        file("unchanged", FileStatus::Unchanged),
    ];
    Report { outcome, files, diagnostics: Vec::new(), blocks: 7 }
}

fn edit(search: &str) -> Change<'_> {
    Change {
        path: Some(Cow::Borrowed("a.txt")),
        operation: Operation::Edit { search: Some(Cow::Borrowed(search)), replace: None },
        kind: InputKind::Fsrb,
        origin: None,
    }
}

fn not_found(block: u32) -> Diagnostic {
    let mut fault = Diagnostic::new(Code::SearchNotFound, "SEARCH block not found in file content");
    fault.block = Some(block);
    fault.with_path("README.md")
}

#[test]
fn success_is_as_in_the_manual() {
    let files = vec![file("src/config.py", FileStatus::Modified), file("README.md", FileStatus::Modified)];
    let report = Report { outcome: Outcome::Applied, files, diagnostics: Vec::new(), blocks: 2 };
    let expected = "\
Saved changes to src/config.py
Saved changes to README.md

[SUCCESS] All 2 blocks applied to 2 files.
";
    assert_eq!(printed(&report, Mode::Real, "", None), expected);
}

#[test]
fn failure_is_as_in_the_manual() {
    let files = vec![file("README.md", FileStatus::Failed), file("src/config.py", FileStatus::Skipped)];
    let report = Report { outcome: Outcome::Refused, files, diagnostics: vec![not_found(2)], blocks: 2 };
    let changes = [edit("DB_PORT = 5432"), edit("Run the app locally.\nsecond line")].into();
    let changes = Changes { list: changes, ..Changes::default() };
    let expected = "\
[ERROR] Validation failed.

File: README.md
  - Block #2: SEARCH block not found in file content.
    Snippet: \"Run the app locally.\"
";
    assert_eq!(printed(&report, Mode::Real, "", Some(&changes)), expected);
}

#[test]
fn every_status_has_its_line() {
    let expected = "\
Saved changes to created
Saved changes to modified
Deleted deleted
Renamed old.txt to renamed
Unchanged unchanged

[SUCCESS] All 7 blocks applied to 5 files.
";
    assert_eq!(printed(&every_status(Outcome::Applied), Mode::Real, "", None), expected);
}

#[test]
fn a_dry_run_says_would() {
    let expected = "\
Would save changes to created
Would save changes to modified
Would delete deleted
Would rename old.txt to renamed
Unchanged unchanged

[SUCCESS] All 7 blocks would apply to 5 files.
";
    assert_eq!(printed(&every_status(Outcome::Planned), Mode::DryRun, "", None), expected);
}

#[test]
fn one_block_is_not_inflected() {
    let files = vec![file("a", FileStatus::Modified)];
    let report = Report { outcome: Outcome::Applied, files, diagnostics: Vec::new(), blocks: 1 };
    assert!(
        printed(&report, Mode::Real, "", None).ends_with("\n[SUCCESS] All 1 blocks applied to 1 files.\n")
    );
}

#[test]
fn what_keep_going_left_out_comes_after_what_it_wrote() {
    let files = vec![file("a.txt", FileStatus::Modified), file("README.md", FileStatus::Failed)];
    let report = Report { outcome: Outcome::Partial, files, diagnostics: vec![not_found(2)], blocks: 2 };
    let expected = "\
Saved changes to a.txt

[ERROR] Not all 2 blocks applied; 1 of 2 files failed.

File: README.md
  - Block #2: SEARCH block not found in file content.
";
    assert_eq!(printed(&report, Mode::Real, "", None), expected);
    assert!(printed(&report, Mode::DryRun, "", None).starts_with(
        "Would save changes to a.txt\n\n[ERROR] Not all 2 blocks would apply; 1 of 2 files would fail.\n"
    ));
}

#[test]
fn faults_of_the_input_come_first_and_files_in_the_order_of_the_report() {
    let mut nameless = Diagnostic::new(Code::MissingPath, "no path was found above the block");
    nameless.block = Some(3);
    let marker = Diagnostic::new(Code::UnexpectedMarker, "this marker has no block").at(Span::new(4, 5));
    let mut hunk = Diagnostic::new(Code::HunkNotFound, "the old lines are not in the file").with_path("b");
    (hunk.block, hunk.hunk) = (Some(1), Some(2));
    let unsafe_path = Diagnostic::new(Code::UnsafePath, "x").with_path("../c");
    let warning = Diagnostic::new(Code::NoOp, "nothing changes").with_path("a");
    let report = Report {
        outcome: Outcome::Refused,
        files: vec![
            file("a", FileStatus::Skipped),
            file("b", FileStatus::Failed),
            file("README.md", FileStatus::Failed),
        ],
        diagnostics: vec![not_found(4), warning, unsafe_path, hunk, nameless, marker],
        blocks: 4,
    };
    let expected = "\
[ERROR] Validation failed.

Input: in.fsrb
  - Block #3: No path was found above the block.
  - Line 3: This marker has no block.

File: b
  - Block #1, hunk #2: The old lines are not in the file.

File: README.md
  - Block #4: SEARCH block not found in file content.

File: ../c
  - X.
";
    assert_eq!(printed(&report, Mode::Real, "a\nb\nc\n", None), expected);
}

#[test]
fn nothing_of_the_input_can_act_on_a_terminal() {
    let fault = Diagnostic::new(Code::UnsafePath, "bad \u{1b}]0;title\u{7}").with_path("a\nFile: b\u{202e}");
    let files = vec![file("a\nFile: b\u{202e}", FileStatus::Modified)];
    let report = Report { outcome: Outcome::Partial, files, diagnostics: vec![fault], blocks: 1 };
    let expected = "\
Saved changes to a\\nFile: b\\u{202e}

[ERROR] Not all 1 blocks applied; 0 of 1 files failed.

File: a\\nFile: b\\u{202e}
  - Bad \\u{1b}]0;title\\u{7}.
";
    assert_eq!(printed(&report, Mode::Real, "", None), expected);
}

#[test]
fn the_snippet_of_a_hunk_is_its_first_old_line() {
    let source = Source::new("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n+new\n-old\n same\n").unwrap();
    let changes = code_parser::parse(&source, InputKind::Diff).changes();
    let subject = Subject { input: "x", source: &source, changes: Some(&changes) };
    let mut fault = Diagnostic::new(Code::HunkNotFound, "x");
    (fault.block, fault.hunk) = (Some(1), Some(1));
    assert_eq!(snippet(&fault, subject), Some("old"));
    fault.hunk = Some(2);
    assert_eq!(snippet(&fault, subject), None);
    (fault.block, fault.hunk) = (Some(0), Some(1));
    assert_eq!(snippet(&fault, subject), None);
}

#[test]
fn a_commit_that_failed_is_no_fault_of_the_input() {
    let mut report = Report {
        outcome: Outcome::Refused,
        files: vec![file("a", FileStatus::Failed)],
        diagnostics: vec![Diagnostic::new(Code::ChangedOnDisk, "a changed after it was read").with_path("a")],
        blocks: 1,
    };
    let expected = "[ERROR] Commit failed.\n\nFile: a\n  - A changed after it was read.\n";
    assert_eq!(printed(&report, Mode::Real, "", None), expected);
    report.outcome = Outcome::Pending;
    assert!(
        printed(&report, Mode::Real, "", None)
            .starts_with("[ERROR] An interrupted commit could not be settled.\n")
    );
}
