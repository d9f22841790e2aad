//! Diffs, applied: each case folder holds the diff, the files before, and the files after or the codes of the refusal.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::source::Source;
use code_parser::{RelPath, parse};

type Tree = BTreeMap<RelPath, Vec<u8>>;

fn tree(root: &Path) -> Tree {
    let mut files = Tree::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().components();
                let name = RelPath::from_resolved(name.map(|part| part.as_os_str())).unwrap();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// The files after the diff, or the codes of what keeps it from being applied.
fn apply(diff: &str, before: &Tree) -> Result<Tree, String> {
    let source = Source::new(diff).unwrap();
    let changes = parse(&source, InputKind::Diff).changes();
    let plan = Plan::new(&changes, before, &Options::default()).map_err(|refusal| {
        let errors = refusal.diagnostics.iter().filter(|found| found.is_error());
        errors.map(|found| format!("{}\n", found.code)).collect::<String>()
    })?;
    let mut after = before.clone();
    for file in plan.files() {
        match &file.new {
            Some(new) => after.insert(file.target.clone(), new.to_vec()),
            None => after.remove(&file.target),
        };
    }
    Ok(after)
}

/// The case folders, in order.
fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/diff");
    let mut cases: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

/// With `UPDATE_FIXTURES` set the codes of refused cases are written; what a diff makes of files never is.
#[test]
fn every_case_has_its_outcome() {
    let mut failures = Vec::new();
    let cases = cases();
    assert!(cases.len() > 80, "hardly a case was found");
    for case in cases {
        let diff = fs::read_to_string(case.join("change.diff")).unwrap();
        let is_refused = case.file_name().unwrap().to_string_lossy().starts_with("refused-");
        match apply(&diff, &tree(&case.join("before"))) {
            Ok(after) if !is_refused && after == tree(&case.join("after")) => {}
            Err(codes) if is_refused && env::var_os("UPDATE_FIXTURES").is_some() => {
                fs::write(case.join("refused"), codes).unwrap();
            }
            Err(codes) if is_refused && codes == fs::read_to_string(case.join("refused")).unwrap() => {}
            outcome => failures.push(format!("{}: {outcome:?}", case.display())),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
