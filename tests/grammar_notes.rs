//! The rules in grammar-notes and those in the functions' docs are the same, word for word.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A rule as written, white space made one space: `name = ... ;`.
type Rule = String;

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The rules of the `ebnf` blocks among these lines.
fn rules<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut rule: Option<String> = None;
    for line in lines.map(str::trim) {
        match &mut rule {
            None if line == "```ebnf" => rule = Some(String::new()),
            None => {}
            Some(text) if line == "```" => {
                assert!(text.is_empty(), "the rule has no end: {text}");
                rule = None;
            }
            Some(text) => {
                let words: Vec<_> = line.split_whitespace().collect();
                *text = format!("{text} {}", words.join(" ")).trim().to_owned();
                if text.ends_with(" ;") {
                    rules.push(std::mem::take(text));
                }
            }
        }
    }
    rules
}

fn name(rule: &str) -> &str {
    rule.split_whitespace().next().unwrap_or_default()
}

/// The functions of a module with the rules in their docs.
fn documented(module: &str) -> Vec<(String, Vec<Rule>)> {
    let mut functions = Vec::new();
    let mut docs = Vec::new();
    for line in module.lines().map(str::trim_start) {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc);
        } else if !line.starts_with("#[") {
            let rules = rules(docs.drain(..));
            if !rules.is_empty() {
                let is_name = |c: char| c.is_alphanumeric() || c == '_';
                let after = line.split_once("fn ").map(|(_, after)| after);
                let Some(after) = after else { panic!("a rule above what is no function: {line}") };
                functions.push((after.chars().take_while(|&c| is_name(c)).collect(), rules));
            }
        }
    }
    functions
}

/// The notes that a module's docs name, as `grammar-notes/NAME.md`.
fn named_notes(module: &str) -> BTreeSet<String> {
    let docs = module.lines().filter(|line| line.starts_with("//!"));
    let names = docs.flat_map(|line| line.split("grammar-notes/").skip(1));
    names.filter_map(|after| after.split_once(".md")).map(|(name, _)| format!("{name}.md")).collect()
}

#[test]
fn grammar_notes_and_code_have_the_same_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut in_code = BTreeSet::new();
    let mut notes = BTreeSet::new();
    let mut faults = Vec::new();
    for file in files(&root.join("src/grammar"), "rs") {
        let module = fs::read_to_string(&file).unwrap();
        let functions = documented(&module);
        let mut named = named_notes(&module);
        if named.is_empty() {
            // A part of a grammar goes by the notes of the whole.
            named =
                fs::read_to_string(file.with_file_name("mod.rs")).map_or(named, |whole| named_notes(&whole));
        }
        if functions.is_empty() {
            continue;
        }
        let file = file.strip_prefix(root).unwrap().display();
        if named.is_empty() {
            faults.push(format!("{file} names no notes"));
        }
        for (function, rules) in functions {
            // What follows a function's own rule are parts of it that need no function.
            if rules.first().is_some_and(|rule| name(rule) != function) {
                faults.push(format!("{file}: the first rule of `{function}` is another's: {}", rules[0]));
            }
            in_code.extend(rules);
        }
        notes.extend(named);
    }
    let mut in_notes = BTreeSet::new();
    for name in &notes {
        match fs::read_to_string(root.join("grammar-notes").join(name)) {
            Ok(text) => in_notes.extend(rules(text.lines())),
            Err(error) => faults.push(format!("grammar-notes/{name}: {error}")),
        }
    }
    faults.extend(in_notes.difference(&in_code).map(|rule| format!("no function has the rule {rule}")));
    faults.extend(in_code.difference(&in_notes).map(|rule| format!("no note has the rule {rule}")));
    assert!(in_code.len() >= 11, "hardly a rule was found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn rules_are_cut_at_their_ends() {
    let text = "x\n```ebnf\na = b ,\n    c ;\nd = \";\" ;\n```\ne = f ;\n";
    assert_eq!(rules(text.lines()), ["a = b , c ;", "d = \";\" ;"]);
    let code = "/// ```ebnf\n/// a = b ;\n/// ```\n#[inline]\npub(crate) fn a<'s>() {}\n";
    assert_eq!(documented(code), [("a".to_owned(), vec!["a = b ;".to_owned()])]);
}
