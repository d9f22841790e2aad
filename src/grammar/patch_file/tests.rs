use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proptest::prelude::*;

use super::super::lines::lex;
use super::*;
use crate::ast::{InputKind, Text};
use crate::grammar::parse;
use crate::source::Source;

/// What a patch file holds, one line each: `block FIRST-LAST: PATH (SOURCE)`, the lines to find after `- `, the lines
/// to put in their place after `+ `, and the diagnostics as `LINE: SEVERITY CODE`.
fn dump(text: &str) -> String {
    let source = Source::new(text).unwrap();
    let tokens = lex(text);
    let (nodes, diagnostics) = document(Lines::new(text, &tokens));
    let line = |offset| source.position(offset).line;
    let mut out = String::new();
    for node in nodes {
        let Node::SearchReplace(node) = node else { panic!("a patch file holds edit blocks only") };
        let path = node.path.map_or("?".to_owned(), |path| {
            format!("{} ({})", source.slice(path.span), format!("{:?}", path.from).to_lowercase())
        });
        let state = if node.complete { "block" } else { "broken block" };
        writeln!(out, "{state} {}-{}: {path}", line(node.span.start), line(node.span.end)).unwrap();
        let mut section = |sign: char, text: &Text| {
            for line in text.lines(&source) {
                writeln!(out, "{}", format!("{sign} {}", source.slice(line)).trim_end()).unwrap();
            }
        };
        section('-', &node.search);
        section('+', &node.replace);
    }
    for found in diagnostics {
        writeln!(out, "{}: {} {}", line(found.span.unwrap().start), found.severity, found.code).unwrap();
    }
    out
}

/// The directories of a folder of cases, in order.
fn cases(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parse/search_replace").join(folder);
    let mut cases: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

/// Compares each case of a folder with its `expected`; with `UPDATE_FIXTURES` set writes it.
fn check(folder: &str, has_error: bool) {
    let mut failures = Vec::new();
    for case in cases(folder) {
        let got = dump(&fs::read_to_string(case.join("input.fsrb")).unwrap());
        assert_eq!(got.contains(": error "), has_error, "{} is in the wrong folder:\n{got}", case.display());
        if env::var_os("UPDATE_FIXTURES").is_some() {
            fs::write(case.join("expected"), got).unwrap();
        } else if fs::read_to_string(case.join("expected")).unwrap() != got {
            failures.push(format!("{}:\n{got}", case.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn fixtures_without_error() {
    check("ok", false);
}

#[test]
fn fixtures_with_errors() {
    check("err", true);
}

#[test]
fn a_text_of_search_lines_alone_is_read_in_one_pass() {
    let text = "<<<<<<< SEARCH\n".repeat(20_000);
    let tokens = lex(&text);
    let (nodes, diagnostics) = document(Lines::new(&text, &tokens));
    assert_eq!((nodes.len(), diagnostics.len()), (20_000, 20_000));
}

/// Markers, near markers, escapes, fences, paths, line endings and multi-byte text in any order.
fn soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "<<<<<< SEARCH\n",
        "<<<<<<< HEAD\n",
        ">>>>>>> topic\n",
        "======\n",
        "> ",
        "\\",
        "```\n",
        "# x\n",
        "src/a.rs\n",
        "é\u{a0}",
        "\u{feff}",
        " ",
        "\t",
        "\r",
        "\r\n",
        "\n",
    ]);
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

/// Every part of a block that has a place.
fn parts(node: &SearchReplace, source: &Source<'_>) -> Vec<Span> {
    let markers = [Some(node.search_marker), node.separator, node.replace_marker];
    let lines = [&node.search, &node.replace].map(|text| text.lines(source).collect::<Vec<_>>());
    let texts = [node.search.span(), node.replace.span()];
    markers.into_iter().flatten().chain(lines.concat()).chain(texts).chain(node.escapes.clone()).collect()
}

/// The whole blocks of a text: a plain loop over lines that shares no code with the grammar.
fn whole_blocks(text: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let lines: Vec<&str> = text
        .strip_prefix('\u{feff}')
        .unwrap_or(text)
        .split_inclusive('\n')
        .map(|line| line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n')).unwrap_or(line))
        .collect();
    let markers = ["<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"];
    let marker = |line: &str| markers.iter().position(|known| line.trim_matches([' ', '\t']) == *known);
    let next = |from: usize| (from..lines.len()).find_map(|at| marker(lines[at]).map(|found| (at, found)));
    let content = |range: std::ops::Range<usize>| -> Vec<String> {
        let unescape = |line: &str| match line.strip_prefix('\\') {
            Some(rest) if markers.contains(&rest.trim_matches([' ', '\t'])) => rest.to_owned(),
            _ => line.to_owned(),
        };
        lines[range].iter().map(|line| unescape(line)).collect()
    };
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        at += 1;
        if marker(lines[start]) != Some(0) {
            continue;
        }
        let Some((separator, 1)) = next(start + 1) else { continue };
        let Some((end, 2)) = next(separator + 1) else { continue };
        blocks.push((content(start + 1..separator), content(separator + 1..end)));
        at = end + 1;
    }
    blocks
}

proptest! {
    #[test]
    fn places_are_lawful(text in soup()) {
        let source = Source::new(&text).unwrap();
        let tokens = lex(&text);
        let (nodes, diagnostics) = document(Lines::new(&text, &tokens));
        prop_assert_eq!(&(nodes.clone(), diagnostics.clone()), &document(Lines::new(&text, &tokens)));
        let mut end = 0;
        for node in &nodes {
            let Node::SearchReplace(node) = node else { panic!() };
            prop_assert!(end <= node.span.start && node.span.end <= source.end());
            end = node.span.end;
            for part in parts(node, &source) {
                prop_assert!(node.span.contains(part), "{:?} in {:?}", part, node);
                prop_assert!(text.get(part.start as usize..part.end as usize).is_some());
            }
        }
        for line in &tokens {
            let start = line.end - u32::try_from(source.slice(line.span()).trim_start().len()).unwrap();
            let holds = |span: Span| span.contains(Span::new(start, line.end));
            let touches = |span: Span| span.start < line.end && line.start < span.end;
            let owners = nodes.iter().filter(|node| holds(node.span())).count();
            let touching = nodes.iter().filter(|node| touches(node.span())).count();
            prop_assert!(touching <= 1 && touching <= owners && (owners <= 1 || line.start == line.end));
        }
        for found in diagnostics {
            let span = found.span.unwrap();
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some_and(|text| !text.is_empty()));
        }
    }

    #[test]
    fn whole_blocks_are_those_of_a_plain_loop(text in soup()) {
        let source = Source::new(&text).unwrap();
        let tokens = lex(&text);
        let (nodes, _) = document(Lines::new(&text, &tokens));
        let lines = |text: &Text| text.lines(&source).map(|line| source.slice(line).to_owned()).collect::<Vec<_>>();
        let got: Vec<_> = nodes
            .iter()
            .filter_map(|node| match node {
                Node::SearchReplace(node) if node.complete => Some((lines(&node.search), lines(&node.replace))),
                _ => None,
            })
            .collect();
        let mut want = whole_blocks(&text);
        want.retain(|(search, replace)| !search.is_empty() || !replace.is_empty());
        prop_assert_eq!(got, want);
    }

    #[test]
    fn a_broken_block_has_an_error_of_its_own(text in soup(), kind in prop::sample::select(vec![InputKind::Fsrb, InputKind::Response])) {
        let source = Source::new(&text).unwrap();
        let parsed = parse(&source, kind);
        for (index, node) in parsed.document.changes().iter().enumerate() {
            let is_broken = matches!(node, Node::SearchReplace(node) if !node.complete);
            let has_error = parsed.diagnostics.iter().any(|found| found.is_error() && found.block == Some(index as u32 + 1));
            prop_assert!(has_error || !is_broken, "block {}: {:?}", index + 1, parsed.diagnostics);
        }
    }

    #[test]
    fn a_broken_block_is_an_error(text in soup()) {
        let tokens = lex(&text);
        let (nodes, diagnostics) = document(Lines::new(&text, &tokens));
        let broken = nodes.iter().filter(|node| matches!(node, Node::SearchReplace(node) if !node.complete)).count();
        let errors = diagnostics.iter().filter(|found| found.is_error() && found.code != Code::MissingPath).count();
        prop_assert!(broken <= errors);
    }
}

/// The fenced blocks of a Markdown text as info string and content.
fn fenced(text: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, &str, String)> = None;
    for line in text.lines() {
        match &mut open {
            Some((fence, info, content)) if line == *fence => {
                blocks.push((*info, std::mem::take(content)));
                open = None;
            }
            Some((_, _, content)) => content.extend([line, "\n"]),
            None if line.starts_with("```") => {
                let info = line.trim_start_matches('`');
                let (fence, info) = line.split_at(line.len() - info.len());
                open = Some((fence, info, String::new()));
            }
            None => {}
        }
    }
    blocks
}

#[test]
fn the_examples_of_the_grammar_notes_hold() {
    let notes = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar-notes/search-replace.md");
    let notes = fs::read_to_string(notes).unwrap();
    let blocks = fenced(&notes);
    let examples: Vec<_> = blocks.windows(2).filter(|pair| pair[0].0 == "fsrb").collect();
    assert!(examples.len() >= 6);
    for pair in examples {
        assert_eq!(pair[1].0, "parsed", "no result below {:?}", pair[0].1);
        assert_eq!(dump(&pair[0].1), pair[1].1, "{}", pair[0].1);
    }
}
