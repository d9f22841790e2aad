//! The rules in grammar-notes and those in the functions' docs are the same, word for word.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use code_parser::diagnostic::Code;

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

/// The rows of the index in the notes: the name in the first cell, in backticks, and the other cells.
fn index(readme: &str) -> Vec<(&str, Vec<&str>)> {
    let (_, index) = readme.split_once("\n## Index\n").unwrap();
    let rows = index.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|line| {
        let (name, rest) = line.split_once('`').unwrap();
        (name, rest.trim_matches(['|', ' ']).split(" | ").collect())
    })
    .collect()
}

/// The texts between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// What the links of a cell lead to.
fn links(cell: &str) -> impl Iterator<Item = &str> {
    cell.split("](").skip(1).filter_map(|after| after.split(')').next())
}

/// The name that a heading has in links.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Every public type that a document is made of.
fn node_types(root: &Path) -> BTreeSet<String> {
    let modules =
        files(&root.join("src/ast"), "rs").into_iter().map(|file| fs::read_to_string(file).unwrap());
    let mut types = BTreeSet::new();
    for module in modules {
        let starts = ["pub struct ", "pub enum "];
        let named =
            module.lines().filter_map(|line| starts.iter().find_map(|start| line.strip_prefix(start)));
        types.extend(named.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect::<String>()));
    }
    types
}

#[test]
fn the_index_has_every_type_and_every_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("grammar-notes/README.md")).unwrap();
    let listed: Vec<String> = index(&readme).into_iter().map(|(name, _)| name.to_owned()).collect();
    let names: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(names.len(), listed.len(), "a name has two rows");
    let types = node_types(root);
    assert!(types.len() > 20 && types.contains("SearchReplace"), "{types:?}");
    let codes = Code::ALL.iter().map(|code| code.as_str().to_owned());
    let expected: BTreeSet<String> = types.into_iter().chain(codes).collect();
    assert_eq!(names, expected);
}

#[test]
fn what_the_index_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let notes = |name: &str| fs::read_to_string(root.join("grammar-notes").join(name)).unwrap_or_default();
    let rules: BTreeSet<String> = files(&root.join("grammar-notes"), "md")
        .iter()
        .flat_map(|file| rules(fs::read_to_string(file).unwrap().lines()))
        .map(|rule| name(&rule).to_owned())
        .collect();
    let readme = notes("README.md");
    let mut faults = Vec::new();
    for (subject, cells) in index(&readme) {
        let mut places = 0;
        for link in cells.iter().flat_map(|cell| links(cell)) {
            places += 1;
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let text = notes(file);
            let headings = text.lines().filter(|line| line.starts_with('#'));
            let mut anchors = headings.map(|line| anchor(line.trim_start_matches('#').trim()));
            if !anchors.any(|found| found == section) {
                faults.push(format!("{subject}: there is no {link}"));
            }
        }
        match subject.parse::<Code>() {
            Ok(code) => {
                let modules = cells.iter().flat_map(|cell| quoted(cell)).filter(|name| name.ends_with(".rs"));
                for module in modules {
                    places += 1;
                    let text = fs::read_to_string(root.join(module)).unwrap_or_default();
                    if !text.contains(&format!("Code::{code:?}")) {
                        faults.push(format!("{subject}: {module} does not report it"));
                    }
                }
            }
            Err(_) => faults.extend(
                quoted(cells[1])
                    .filter(|rule| !rules.contains(*rule))
                    .map(|rule| format!("{subject}: no rule is named {rule}")),
            ),
        }
        if places == 0 {
            faults.push(format!("{subject} has no place"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
