//! The `serde` feature: the document, the diagnostics and the reports as data.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use code_parser::ast::InputKind;
use code_parser::diagnostic::{Code, Severity};
use code_parser::parse;
use code_parser::source::Source;
use proptest::prelude::*;
use serde_json::{Value, json};

#[path = "laws/json.rs"]
mod laws;

fn document(text: &str, kind: InputKind) -> Value {
    serde_json::to_value(parse(&Source::new(text).unwrap(), kind).document).unwrap()
}

#[test]
fn a_document_has_the_places_of_every_part() {
    let document = document("a.txt\n<<<<<<< SEARCH\nold\n=======\n>>>>>>> REPLACE\n", InputKind::Fsrb);
    assert_eq!(document["kind"], "fsrb");
    let node = &document["nodes"][0];
    assert_eq!(node["kind"], "search_replace");
    assert_eq!(node["path"], json!({"span": {"start": 0, "end": 5}, "from": "header"}));
    assert_eq!(node["search_marker"], json!({"start": 6, "end": 20}));
    assert_eq!(node["search"]["span"], json!({"start": 21, "end": 25}));
    assert_eq!(node["complete"], true);
}

#[test]
fn nodes_are_told_apart_by_their_kind() {
    let text = "```rust\nx\n```\n\n```diff\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n```\n";
    let document = document(text, InputKind::Response);
    assert_eq!(document["nodes"][0]["kind"], "code_block");
    assert_eq!(document["nodes"][1]["children"][0]["kind"], "file_patch");
    assert_eq!(document["nodes"][1]["children"][0]["hunks"][0]["lines"][1]["kind"], "added");
}

#[test]
fn codes_and_severities_are_written_as_they_are_printed() {
    for &code in Code::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
    }
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        assert_eq!(serde_json::to_value(severity).unwrap(), severity.as_str());
    }
}

#[test]
fn outcomes_and_statuses_are_written_as_they_are_printed() {
    use code_parser::apply::report::{FileStatus, Outcome};
    for outcome in [
        Outcome::Applied,
        Outcome::Planned,
        Outcome::Refused,
        Outcome::Partial,
        Outcome::Parsed,
        Outcome::Recovered,
        Outcome::Pending,
    ] {
        assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
    }
    for status in [
        FileStatus::Created,
        FileStatus::Modified,
        FileStatus::Unchanged,
        FileStatus::Deleted,
        FileStatus::Renamed,
        FileStatus::Skipped,
        FileStatus::Failed,
    ] {
        assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
    }
}

proptest! {
    #[test]
    fn any_text_is_data(parts in prop::collection::vec(prop::sample::select(vec![
        "```py a.py\n", "```\n", "x = \"1\"\n", "a.py\n", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "é\u{1f600}\n",
        "\u{1b}[1m\n", "--- a/x\n+++ b/x\n", "@@ -1 +1 @@\n", "-a\n", "+b\n", "In file `a.py`, change `x` to `y`.\n", "\r\n", "\\=======\n",
    ]), 0..24)) {
        laws::check(&parts.concat());
    }
}
