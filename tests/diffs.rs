//! Diffs, applied: each case folder holds the diff, the files before, and the files after or the codes of the refusal.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::source::Source;
use code_parser::{RelPath, parse};
use proptest::prelude::*;

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

fn plan_of(pieces: &[(String, InputKind)], before: &Tree) -> Result<Tree, String> {
    let sources: Vec<_> = pieces.iter().map(|(text, kind)| (Source::new(text).unwrap(), *kind)).collect();
    let parsed = sources.iter().map(|(source, kind)| parse(source, *kind).changes());
    let list = parsed.flat_map(|changes| changes.list).collect();
    let changes = code_parser::Changes { list, diagnostics: Vec::new(), text: None };
    let plan = Plan::new(&changes, before, &Options::default()).map_err(|refusal| {
        refusal
            .diagnostics
            .iter()
            .map(|found| format!("{}: {}\n", found.code, found.message))
            .collect::<String>()
    })?;
    let bytes = |file: &code_parser::apply::plan::PlannedFile| {
        file.new.as_ref().map(|new| (file.target.clone(), new.to_vec()))
    };
    Ok(plan.files().iter().filter_map(bytes).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Blocks and sections of diffs for one file, in any order, do what each does to the file that those before left.
    #[test]
    fn many_changes_of_one_file_do_what_one_after_the_other_does(
        start in prop::sample::select(vec!["", "\u{feff}"]),
        lines in prop::collection::vec(prop::sample::select(vec!["a\n", "b\n", "b\r\n", "c d\n", "e\n"]), 1..400),
        pieces in prop::collection::vec((0_usize..400, 0_usize..4, prop::bool::ANY), 1..12),
    ) {
        let path = RelPath::new("f").unwrap();
        let before = Tree::from([(path.clone(), format!("{start}{}", lines.concat()).into_bytes())]);
        let (mut after, mut done) = (before.clone(), Vec::new());
        for (number, (at, how, is_found)) in pieces.into_iter().enumerate() {
            let at = at % lines.len();
            let text = |line: &str| line.trim_end().to_owned();
            let old = lines.iter().skip(at).take(1 + at % 3).copied().map(text).collect::<Vec<_>>();
            let old = if is_found { old } else { vec![format!("new {}", number / 2)] };
            let removed: String = old.iter().map(|line| format!("-{line}\n")).collect();
            let piece = match how {
                0 => {
                    let block = format!("<<<<<<< SEARCH\n{}\n=======\nnew {number}\n>>>>>>> REPLACE", old.join("\n"));
                    (format!("f\n{block}\n"), InputKind::Fsrb)
                }
                1 => (format!("--- a/f\n+++ b/f\n@@ @@\n{removed}+new {number}\n"), InputKind::Diff),
                _ => {
                    let header = format!("@@ -{},{} +1,1 @@", at + how - 1, old.len());
                    (format!("--- a/f\n+++ b/f\n{header}\n{removed}+new {number}\n"), InputKind::Diff)
                }
            };
            if let Ok(new) = plan_of(std::slice::from_ref(&piece), &after)
                && new.contains_key(&path)
            {
                (after, done) = (new, [done, vec![piece]].concat());
            }
        }
        if !done.is_empty() {
            prop_assert_eq!(plan_of(&done, &before), Ok(after));
        }
    }
}

#[test]
fn copies_of_a_file_and_a_renamed_one_have_its_bytes_once() {
    let copy = |number| {
        format!("diff --git a/f b/c{number}\nsimilarity index 100%\ncopy from f\ncopy to c{number}\n")
    };
    let rename = "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n";
    let diff = (0..20).map(copy).collect::<String>() + rename;
    let source = Source::new(&diff).unwrap();
    let before = Tree::from([(RelPath::new("f").unwrap(), b"text\r\n".repeat(100))]);
    let changes = parse(&source, InputKind::Diff).changes();
    let plan = Plan::new(&changes, &before, &Options::default()).unwrap();
    let made: Vec<_> = plan.files().iter().filter_map(|file| file.new.as_ref()).collect();
    assert_eq!(made.len(), 21);
    assert!(made.iter().all(|new| Arc::ptr_eq(new, made.first().unwrap())));
    assert_eq!(made.first().unwrap().as_slice(), b"text\r\n".repeat(100));
}

#[test]
fn every_fault_is_told_and_all_of_one_file_have_one_text_for_its_path() {
    let path = "d/".repeat(500) + "f";
    let block = |number| format!("<<<<<<< SEARCH\nabsent {number}\n=======\nx\n>>>>>>> REPLACE\n");
    let text = format!("{path}\n{}", (0..1_000).map(block).collect::<String>());
    let source = Source::new(&text).unwrap();
    let refusal =
        Plan::new(&parse(&source, InputKind::Fsrb).changes(), &Tree::new(), &Options::default()).unwrap_err();
    assert_eq!(refusal.diagnostics.len(), 1_000);
    let paths: Vec<_> = refusal.diagnostics.iter().filter_map(|found| found.path.as_ref()).collect();
    assert_eq!(paths.len(), 1_000);
    assert!(paths.iter().all(|path| Arc::ptr_eq(path, paths.first().unwrap())));
}
