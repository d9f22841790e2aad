//! The table of sentence edits in `fixtures/sentences.txt`.
#![expect(
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking"
)]

#[path = "laws/sentences.rs"]
mod laws;

use std::collections::HashSet;

use code_parser::ast::{BlockRole, InlineEdit, InputKind, Node};
use code_parser::diagnostic::Code;
use code_parser::parse;
use code_parser::source::{Source, Span};
use proptest::prelude::*;

const TABLE: &str = include_str!("fixtures/sentences.txt");

/// One case of the table.
#[derive(Debug)]
struct Case {
    name: &'static str,
    basis: Basis,
    why: &'static str,
    /// Each line ends in a line feed.
    input: String,
    edits: Vec<Edit>,
    /// Whether the table says `none`, so that a forgotten expectation is not one.
    none: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basis {
    Spec,
    Judgement,
}

/// One expected sentence edit: the source text of each span.
#[derive(Debug, Default)]
struct Edit {
    narration: bool,
    span: Option<&'static str>,
    path: &'static str,
    old: &'static str,
    new: &'static str,
}

/// The cases of the table, in order.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in TABLE.lines() {
        if let Some(name) = line.strip_prefix("case ") {
            cases.push(Case {
                name,
                basis: Basis::Judgement,
                why: "",
                input: String::new(),
                edits: Vec::new(),
                none: false,
            });
        } else if !line.is_empty() && !line.starts_with('#') {
            let case = cases.last_mut().unwrap_or_else(|| panic!("before the first case: {line}"));
            read_line(case, line);
        }
    }
    cases
}

fn read_line(case: &mut Case, line: &'static str) {
    if let Some(input) = line.strip_prefix('|') {
        case.input.push_str(input);
        case.input.push('\n');
        return;
    }
    let (word, rest) = line.trim_start().split_once(' ').unwrap_or((line.trim_start(), ""));
    match word {
        "basis" => case.basis = basis(rest),
        "why" => case.why = rest,
        "none" => case.none = true,
        "edit" | "narration" => case.edits.push(Edit { narration: word == "narration", ..Edit::default() }),
        _ => {
            let edit = case.edits.last_mut().unwrap_or_else(|| panic!("no edit before: {line}"));
            match word {
                "span" => edit.span = Some(value(rest)),
                "path" => edit.path = value(rest),
                "old" => edit.old = value(rest),
                "new" => edit.new = value(rest),
                _ => panic!("unknown line: {line}"),
            }
        }
    }
}

fn basis(word: &str) -> Basis {
    match word {
        "spec" => Basis::Spec,
        "judgement" => Basis::Judgement,
        _ => panic!("unknown basis: {word}"),
    }
}

fn value(text: &'static str) -> &'static str {
    text.strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or_else(|| panic!("no [value]: {text}"))
}

#[test]
fn each_case_has_one_name_a_reason_and_an_expectation() {
    let mut names = HashSet::new();
    for case in cases() {
        assert!(names.insert(case.name), "{} twice", case.name);
        assert!(!case.why.is_empty() && !case.input.is_empty(), "{}", case.name);
        assert_eq!(case.none, case.edits.is_empty(), "{}: `none` or edits", case.name);
    }
}

#[test]
fn expected_texts_stand_in_the_input_in_order() {
    for case in cases() {
        let mut rest = case.input.as_str();
        for edit in &case.edits {
            let line = rest
                .lines()
                .find(|line| holds(line, edit))
                .unwrap_or_else(|| panic!("{}: {edit:?}", case.name));
            let end = rest.find(line).unwrap() + line.find(edit.new).unwrap();
            rest = &rest[end..];
        }
    }
}

/// Whether one line has all texts of the edit, the old one before the new one.
fn holds(line: &str, edit: &Edit) -> bool {
    let span = edit.span.unwrap_or(line);
    let pair = span.find(edit.old).is_some_and(|at| span[at + edit.old.len()..].contains(edit.new));
    line.contains(span) && span.contains(edit.path) && !edit.path.is_empty() && !edit.old.is_empty() && pair
}

#[test]
fn traps_are_at_least_half() {
    let cases = cases();
    let none = cases.iter().filter(|case| case.none).count();
    let narration = cases.iter().filter(|case| case.edits.iter().any(|edit| edit.narration)).count();
    assert!(none * 2 >= cases.len() && narration >= 10, "{none} of {}, {narration}", cases.len());
}

#[test]
fn the_edits_of_each_case_are_found_and_no_others() {
    for case in cases() {
        assert_edits(&case, &case.input);
    }
}

#[test]
fn each_case_holds_with_crlf() {
    for case in cases() {
        assert_edits(&case, &case.input.replace('\n', "\r\n"));
    }
}

#[test]
fn each_case_holds_without_the_final_line_ending() {
    for case in cases() {
        assert_edits(&case, case.input.strip_suffix('\n').unwrap());
    }
}

fn assert_edits(case: &Case, input: &str) {
    let source = Source::new(input).unwrap();
    let parsed = parse(&source, InputKind::Response);
    let found: Vec<InlineEdit> = parsed.document.nodes.iter().filter_map(inline_edit).collect();
    let texts = |edit: &InlineEdit| {
        let text = |span: Span| source.slice(span);
        (edit.narration, text(edit.path.span), text(edit.old), text(edit.new))
    };
    let expected = case.edits.iter().map(|edit| (edit.narration, edit.path, edit.old, edit.new));
    let context = format!("{} ({:?}: {}):\n{input}", case.name, case.basis, case.why);
    assert_eq!(found.iter().map(texts).collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{context}");
    for (edit, expected) in found.iter().zip(&case.edits) {
        assert!(expected.span.is_none_or(|span| source.slice(edit.span) == span), "{context}");
    }
    let notes = parsed.diagnostics.iter().filter(|note| note.code == Code::IgnoredNarration).count();
    assert_eq!(notes, case.edits.iter().filter(|edit| edit.narration).count(), "{context}");
}

fn inline_edit(node: &Node) -> Option<InlineEdit> {
    match node {
        Node::InlineEdit(edit) => Some(edit.clone()),
        _ => None,
    }
}

#[test]
fn a_block_that_only_a_sentence_names_is_not_a_file() {
    let text = "In file `a.py`, change `x = 1` to `x = 2`:\n\n```python\nx = 2\n```\n";
    let source = Source::new(text).unwrap();
    let parsed = parse(&source, InputKind::Response);
    let [Node::InlineEdit(edit), Node::CodeBlock(block)] = parsed.document.nodes.as_slice() else {
        panic!("{:?}", parsed.document.nodes);
    };
    assert!(!edit.narration);
    assert_eq!(block.role, BlockRole::Narration);
}

proptest! {
    #[test]
    fn any_texts_are_found_as_they_are(old in "\\PC{1,20}", new in "\\PC{1,20}") {
        laws::check(&format!("{old}\u{1e}{new}"));
    }

    #[test]
    fn texts_of_what_a_sentence_is_made_of(old in piece(), new in piece()) {
        laws::check(&format!("{old}\u{1e}{new}"));
    }
}

/// What a sentence is made of.
fn piece() -> impl Strategy<Value = String> {
    const PARTS: [&str; 26] = [
        "change", "replace ", " to ", " with ", "\"", "'", "“", "’", ". ", "? ", ", ", "**", " if ", "(",
        ")", "a.py", "x", " ", "In ", ":", "|", "<!--", "-->", "<think>", "#", "\\",
    ];
    proptest::collection::vec(proptest::sample::select(PARTS.as_slice()), 1..8)
        .prop_map(|parts| parts.concat())
}
