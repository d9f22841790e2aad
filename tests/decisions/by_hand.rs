//! Changes that no text was read for: what a program may hand to a plan.

use std::borrow::Cow;
use std::collections::BTreeMap;

use code_parser::apply::change::{Change, Changes, Operation};
use code_parser::apply::files::{Files, LoadError, Loaded};
use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::source::Source;
use code_parser::{RelPath, parse};

use crate::support::block;

type Tree = BTreeMap<RelPath, Vec<u8>>;

fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, text)| (RelPath::new(path).unwrap(), text.as_bytes().to_vec())).collect()
}

/// The codes and messages of what keeps a change from being made.
fn faults(change: Change<'_>, files: &impl Files) -> Vec<(&'static str, String)> {
    let changes = Changes { list: vec![change], ..Changes::default() };
    let refusal = Plan::new(&changes, files, &Options::default()).unwrap_err();
    let path = changes.list[0].path.as_deref();
    assert!(refusal.diagnostics.iter().all(|found| found.path.as_deref() == path), "{refusal:?}");
    refusal.diagnostics.into_iter().map(|found| (found.code.as_str(), found.message)).collect()
}

fn change<'a>(path: Option<&'a str>, operation: Operation<'a>) -> Change<'a> {
    Change { path: path.map(Cow::Borrowed), operation, kind: InputKind::Response, origin: None }
}

/// A change that was not read whole is none, even when nobody says so.
#[test]
fn a_broken_change_is_refused() {
    let found = faults(change(Some("a"), Operation::Broken), &tree(&[("a", "x\n")]));
    assert_eq!(found, [("unterminated-block", "the block was not read whole".to_owned())]);
}

#[test]
fn a_change_without_a_file_is_refused() {
    let edit = Operation::Edit { search: Some("x".into()), replace: None };
    let found = faults(change(None, edit), &tree(&[("a", "x\n")]));
    assert_eq!(found, [("missing-path", "the edit names no file".to_owned())]);
}

/// Files of which nobody can tell what others there are.
struct Alone(Tree);

impl Files for Alone {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        self.0.load(path, limit)
    }
}

/// Where files cannot be listed, nothing is suggested for a path that leads to none.
#[test]
fn without_a_listing_no_path_is_suggested() {
    let input = block("src/mian.rs", "x\n", "y\n");
    let files = tree(&[("src/main.rs", "x\n")]);
    assert_eq!(similar(&input, &files), ["src/main.rs"]);
    assert_eq!(similar(&input, &Alone(files)), [""; 0]);
}

/// The files that the only finding names.
fn similar(input: &str, files: &impl Files) -> Vec<String> {
    let source = Source::new(input).unwrap();
    let changes = parse(&source, InputKind::Response).changes();
    let refusal = Plan::new(&changes, files, &Options::default()).unwrap_err();
    let [found] = refusal.diagnostics.as_slice() else { panic!("{refusal:?}") };
    assert_eq!(found.code.as_str(), "file-not-found");
    found.related.iter().filter_map(|related| related.path.clone()).collect()
}
