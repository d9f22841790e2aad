use std::collections::BTreeMap;

use super::*;
use crate::apply::plan::{Options, Plan};
use crate::diagnostic::Diagnostic;
use crate::rel_path::RelPath;
use crate::source::Source;

/// What the pipeline finds in an input, whether it is applied or refused.
fn findings(kind: InputKind, files: &[(&str, &str)], input: &str) -> Vec<Diagnostic> {
    let files: BTreeMap<RelPath, Vec<u8>> =
        files.iter().map(|(path, text)| (RelPath::new(path).unwrap(), text.as_bytes().to_vec())).collect();
    let source = Source::new(input).unwrap();
    match Plan::new(&crate::parse(&source, kind).changes(), &files, &Options::default()) {
        Ok(plan) => plan.diagnostics().to_vec(),
        Err(refusal) => refusal.diagnostics,
    }
}

#[test]
fn every_example_raises_its_code() {
    for code in Code::ALL {
        let Example::Input { kind, files, input } = code.explanation().example else { continue };
        let found = findings(kind, files, input);
        assert!(found.iter().any(|found| found.code == *code), "{code}: {found:?}");
        // Its usual severity, so that the page's first line is true; and no other error beside it.
        let others: Vec<_> = found.iter().filter(|found| found.is_error() && found.code != *code).collect();
        let beside = matches!(code, Code::SuspiciousMarker);
        assert!(beside || others.is_empty(), "{code}: {others:?}");
    }
}

/// A code that no input alone can raise, the test that raises it, what it is called there, and the test's file.
const SITUATIONS: [(Code, &str, &str, &str); 12] = [
    (
        Code::FileUnreadable,
        "what_cannot_be_read_is_refused",
        "file-unreadable",
        include_str!("../../tests/cli/input.rs"),
    ),
    (
        Code::NotAFile,
        "not_a_regular_file_in_a_reply",
        "not-a-file",
        include_str!("../../tests/decisions/edges.rs"),
    ),
    (
        Code::TooLarge,
        "max_file_size_refuses_larger_files",
        "too-large",
        include_str!("../../tests/cli/options.rs"),
    ),
    (
        Code::ReadOnly,
        "allow_read_only_writes_a_file_without_write_permission",
        "read-only",
        include_str!("../../tests/cli/options.rs"),
    ),
    (
        Code::OwnerNotKept,
        "somebody_elses_file_in_ones_own_directory",
        "OwnerNotKept",
        include_str!("../apply/commit/protocol/tests/metadata.rs"),
    ),
    (
        Code::MetadataLost,
        "an_attribute_that_only_root_may_set",
        "MetadataLost",
        include_str!("../apply/commit/protocol/tests/metadata.rs"),
    ),
    (
        Code::HardLink,
        "two_names_of_one_file_by_hard_link",
        "Code::HardLink",
        include_str!("../../tests/decisions/file_system.rs"),
    ),
    (
        Code::OtherFileSystem,
        "the_same_file_system_mounted_again_below_the_root",
        "Code::OtherFileSystem",
        include_str!("../apply/commit/protocol/tests/limits.rs"),
    ),
    (
        Code::ChangedOnDisk,
        "what_changed_after_it_was_read_is_kept",
        "CommitError::ChangedOnDisk",
        include_str!("../apply/commit/protocol/tests/real.rs"),
    ),
    (
        Code::Busy,
        "a_second_commit_at_once_is_refused",
        "CommitError::Busy",
        include_str!("../apply/commit/protocol/tests/real.rs"),
    ),
    (
        Code::CommitFailed,
        "sigint_and_sigterm_leave_all_old_or_all_new",
        "commit-failed",
        include_str!("../../tests/cli/signals.rs"),
    ),
    (
        Code::InterruptedCommit,
        "a_dry_run_refuses_to_look_at_an_interrupted_commit",
        "interrupted-commit",
        include_str!("../../tests/cli/recover.rs"),
    ),
];

#[test]
fn every_situation_has_a_test_that_raises_it() {
    for code in Code::ALL {
        let told = matches!(code.explanation().example, Example::Situation(_));
        let tested = SITUATIONS.iter().filter(|(tested, ..)| tested == code).count();
        assert_eq!(tested, usize::from(told), "{code}");
    }
    for (code, test, asked, file) in SITUATIONS {
        let (_, body) =
            file.split_once(&format!("fn {test}()")).unwrap_or_else(|| panic!("{code}: {test} is gone"));
        let body = body.split_once("\n}\n").map_or(body, |(body, _)| body);
        assert!(body.contains(asked), "{code}: {test} does not ask for it");
    }
}

#[test]
fn titles_are_phrases_and_the_rest_is_sentences() {
    for code in Code::ALL {
        let explanation = code.explanation();
        assert!(!explanation.title.ends_with('.'), "{code}");
        assert!(explanation.title.len() <= 80, "{code}");
        let remedy = explanation.remedy;
        for text in [explanation.meaning, remedy.model, remedy.for_person()] {
            assert!(text.ends_with('.'), "{code}: {text}");
            assert!(!text.contains("  "), "{code}: {text}");
        }
    }
}

#[test]
fn a_page_has_everything_there_is_to_know() {
    let expected = "\
ambiguous-match (error): the SEARCH text is in the file more than once

The text to find must say which place is meant, and this one fits several.

Example: the file a.py

    x = 1
    y = 2
    x = 1

and the input (--from fsrb)

    a.py
    <<<<<<< SEARCH
    x = 1
    =======
    x = 3
    >>>>>>> REPLACE

How to mend it: Add lines before or behind it, in both sections, until the text occurs once.
";
    assert_eq!(page(Code::AmbiguousMatch), expected);
}

#[test]
fn the_list_has_a_line_for_each_code() {
    let list = list();
    assert_eq!(list.lines().count(), Code::ALL.len());
    for (line, code) in list.lines().zip(Code::ALL) {
        assert!(line.starts_with(&format!("{code} ")), "{line}");
        assert!(line.ends_with(code.explanation().title), "{line}");
    }
}
