//! What a model's reply holds: fences, names, and who owns a line.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::indexing_slicing,
    reason = "helpers of tests"
)]

#[path = "laws/fences.rs"]
mod fence_laws;
#[path = "laws/file_names.rs"]
mod file_name_laws;
#[path = "laws/parse.rs"]
mod laws;
#[path = "laws/search_replace.rs"]
mod search_replace_laws;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use code_parser::ast::{BlockEnd, BlockRole, CodeBlock, InputKind, Node, PathRef, Text};
use code_parser::source::{Source, Span};
use code_parser::{Parsed, parse};
use proptest::prelude::*;

/// What a reply holds, one line a fact: nodes with their lines, content after `| `, the texts of an edit after `- `
/// and `+ `, children indented, and the diagnostics as `LINE: SEVERITY CODE`.
fn dump(text: &str, kind: InputKind) -> String {
    let source = Source::new(text).unwrap();
    let parsed = parse(&source, kind);
    let mut out = Dump { source: &source, text: String::new() };
    out.nodes(&parsed.document.nodes, "");
    for found in &parsed.diagnostics {
        let line = source.position(found.span.unwrap().start).line;
        writeln!(out.text, "{line}: {} {}", found.severity, found.code).unwrap();
    }
    out.text
}

struct Dump<'s> {
    source: &'s Source<'s>,
    text: String,
}

impl Dump<'_> {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{}", line.trim_end()).unwrap();
    }

    fn nodes(&mut self, nodes: &[Node], indent: &str) {
        for node in nodes {
            let span = node.span();
            let lines =
                format!("{}-{}", self.source.position(span.start).line, self.source.position(span.end).line);
            match node {
                Node::CodeBlock(block) => self.code_block(block, &lines, indent),
                Node::SearchReplace(block) => {
                    let state = if block.complete { "block" } else { "broken block" };
                    let path = self.path(block.path);
                    self.line(&format!("{indent}{state} {lines}: {path}"));
                    self.content(&block.search, indent, '-');
                    self.content(&block.replace, indent, '+');
                }
                Node::InlineEdit(edit) => {
                    let [path, old, new] =
                        [edit.path.span, edit.old, edit.new].map(|span| self.source.slice(span));
                    let narration = if edit.narration { ", narration" } else { "" };
                    self.line(&format!(
                        "{indent}sentence {lines}: {path}{narration}\n{indent}- {old}\n{indent}+ {new}"
                    ));
                }
                Node::FilePatch(patch) => {
                    let name = |path: Option<_>| path.unwrap_or(std::borrow::Cow::Borrowed("?")).into_owned();
                    let [old, new] = [name(patch.old_path(self.source)), name(patch.new_path(self.source))];
                    self.line(&format!(
                        "{indent}patch {lines}: {old} -> {new}, hunks: {}",
                        patch.hunks.len()
                    ));
                }
            }
        }
    }

    fn path(&self, path: Option<PathRef>) -> String {
        path.map_or("?".to_owned(), |path| {
            format!("{} ({})", self.source.slice(path.span), format!("{:?}", path.from).to_lowercase())
        })
    }

    fn code_block(&mut self, block: &CodeBlock, lines: &str, indent: &str) {
        let language = block.language_tag(self.source);
        let role = format!("{:?}", block.role).to_lowercase();
        let end = match block.end {
            BlockEnd::Closed(_) => "",
            BlockEnd::Ambiguous(_) => ", ambiguous",
            BlockEnd::Missing => ", open",
        };
        let path = self.path(block.path);
        self.line(&format!("{indent}code {lines}: {language}, {path}, {role}{end}"));
        if matches!(block.role, BlockRole::File | BlockRole::Narration) {
            self.content(&block.content, indent, '|');
        }
        self.nodes(&block.children, &format!("{indent}  "));
    }

    fn content(&mut self, text: &Text, indent: &str, sign: char) {
        for line in text.lines(self.source).collect::<Vec<_>>() {
            self.line(&format!("{indent}{sign} {}", self.source.slice(line)));
        }
    }
}

/// The directories of a folder of cases, in order.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut cases: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

/// Compares each case of a grammar with its `expected`; with `UPDATE_FIXTURES` set writes it.
fn check(grammar: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parse").join(grammar);
    let mut failures = Vec::new();
    for (folder, has_error) in [("ok", false), ("err", true)] {
        for case in cases(&root.join(folder)) {
            let diff = case.join("input.diff");
            let (input, kind) = match fs::read_to_string(&diff) {
                Ok(input) => (input, InputKind::Diff),
                Err(_) => (fs::read_to_string(case.join("input.md")).unwrap(), InputKind::Response),
            };
            let got = dump(&input, kind);
            assert_eq!(
                got.contains(": error "),
                has_error,
                "{} is in the wrong folder:\n{got}",
                case.display()
            );
            if env::var_os("UPDATE_FIXTURES").is_some() {
                fs::write(case.join("expected"), got).unwrap();
            } else if fs::read_to_string(case.join("expected")).unwrap() != got {
                failures.push(format!("{}:\n{got}", case.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn fences() {
    check("fence");
}

#[test]
fn file_names() {
    check("file_name");
}

#[test]
fn who_owns_a_line() {
    check("response");
}

/// The examples of the notes: a block tagged `reply` is read, the one tagged `parsed` behind it says what it holds.
#[test]
fn examples_of_the_notes_hold() {
    let mut examples = 0;
    for name in ["README.md", "fences.md", "file-names.md"] {
        let notes = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar-notes").join(name);
        let text = fs::read_to_string(&notes).unwrap();
        let blocks: Vec<_> = fenced(&text)
            .into_iter()
            .filter(|(tag, _)| ["reply", "parsed"].contains(&tag.as_str()))
            .collect();
        for pair in blocks.chunks(2) {
            assert_eq!((pair[0].0.as_str(), pair[1].0.as_str()), ("reply", "parsed"), "{name}");
            assert_eq!(dump(&pair[0].1, InputKind::Response), pair[1].1, "{name}:\n{}", pair[0].1);
            examples += 1;
        }
    }
    assert!(examples >= 12, "hardly an example was found");
}

/// The fenced blocks of a Markdown text as info string and content; a plain loop that shares no code with the library.
fn fenced(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match &mut open {
            None if ticks >= 3 => open = Some((ticks, line[ticks..].to_owned(), String::new())),
            None => {}
            Some((length, tag, content)) if ticks == *length && line.len() == ticks => {
                blocks.push((std::mem::take(tag), std::mem::take(content)));
                open = None;
            }
            Some((_, _, content)) => writeln!(content, "{line}").unwrap(),
        }
    }
    blocks
}

fn read<T>(text: &str, f: impl FnOnce(&Parsed<'_>) -> T) -> T {
    let source = Source::new(text).unwrap();
    f(&parse(&source, InputKind::Response))
}

/// The time that this thread has run, where the system tells it: other processes do not count. Else what the clock says.
fn cpu_time(clock: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| clock.elapsed(), Duration::from_nanos)
}

/// The time grows no faster than the text: four times the text takes nowhere near sixteen times as long.
fn assert_linear(name: &str, make: impl Fn(usize) -> String) {
    let clock = Instant::now();
    let time = |count: usize| {
        let text = make(count);
        let runs = (0..2).map(|_| {
            let start = cpu_time(clock);
            read(&text, |parsed| assert!(parsed.document.nodes.len() <= text.len()));
            cpu_time(clock) - start
        });
        runs.min().unwrap()
    };
    let (small, large) = (time(2_500), time(10_000));
    let bound = small * 10 + Duration::from_millis(60);
    assert!(large < bound, "{name}: {small:?} for a quarter, {large:?} for the whole");
}

#[test]
fn time_is_linear_whatever_the_text_holds() {
    let repeated = [
        "```a\nx\n",
        "```\n",
        "```\na\n```\n",
        "```md\n",
        "- - ```\n",
        "<<<<<<< SEARCH\n",
        ">>>>>>> REPLACE\n",
        "<<<<<< SEARCH\n",
        "```\n<<<<<<< SEARCH\na\n=======\n```\n",
        "```py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
        "a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
        "```\na.py\n```\n",
        "```diff\n<<<<<<< SEARCH\n",
        "````diff\n```\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        "diff --git a/x b/x\n",
        "Create `a.py`:\n",
    ];
    for part in repeated {
        assert_linear(part, |count| part.repeat(count));
    }
    assert_linear("nested", |count| "```md\n".repeat(count) + &"```\n".repeat(count));
    assert_linear("one line", |count| "Create `a.py` ".repeat(count) + "\n```\nx\n```\n");
    assert_linear("info", |count| format!("```py {}\nx\n```\n", "a=\" {. ".repeat(count)));
    assert_linear("open block", |count| {
        "<<<<<<< SEARCH\n=======\n".to_owned() + &"```\nx\n```\n".repeat(count)
    });
}

/// Pieces of replies in any order.
fn soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "```",
        "````",
        "~~~",
        "`",
        "```md",
        "```diff",
        "```py a.py",
        "- ",
        "1. ",
        "   ",
        "    ",
        "\t",
        "> ",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "\u{feff}",
        "\u{a0}",
        "é",
        "\u{2028}",
        "\0",
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "<<<<<< SEARCH",
        "\\=======",
        "--- a/x.py",
        "+++ b/x.py",
        "@@ -1 +1 @@",
        " ctx",
        "+add",
        "-del",
        "diff --git a/x b/x",
        "Create `src/a.py`:",
        "**File:** `b.rs`",
        "# file: c.py",
        "src/d.py",
        "x = 1",
        "In file `a.py`, change `a` to `b`.",
        "title=\"e.ts\"",
        "{.rust}",
        "```{.py",
        "Binary files differ",
        "|",
        ":",
        "*",
    ]);
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\n\n", "\r\n", "", " "]);
    prop::collection::vec((token, end), 0..60)
        .prop_map(|parts| parts.into_iter().flat_map(<[&str; 2]>::from).collect())
}

fn check_laws(text: &str) {
    for kind in [InputKind::Fsrb, InputKind::Response, InputKind::Diff] {
        laws::check(text, kind);
    }
}

/// Texts that once were not.
#[test]
fn these_are_read_lawfully() {
    check_laws("diff --git a/f b/g\nrename from \n");
    // Braces with white space that is no blank once had no end.
    check_laws("```{.python\u{a0}x}\n```\n");
    // So had a section of a diff without a line.
    check_laws("Binary files differ\n");
    check_laws("```diff\nBinary files differ\n```\n");
}

proptest! {
    #[test]
    fn any_text_is_read_lawfully(text in soup()) {
        check_laws(&text);
    }

    #[test]
    fn blocks_are_those_that_a_loop_finds(text in soup()) {
        search_replace_laws::check(&text);
        fence_laws::check(&text);
    }

    #[test]
    fn names_stand_where_names_are_looked_for(text in soup()) {
        file_name_laws::check(&text);
    }

    #[test]
    fn any_characters_are_read_lawfully(text in "\\PC{0,80}") {
        check_laws(&text);
    }

    #[test]
    fn a_cut_reply_is_read_lawfully(text in soup(), cut in 0usize..400) {
        let cut = (0..=cut.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        check_laws(&text[..cut]);
    }
}

#[test]
fn a_span_of_nothing_is_nothing() {
    read("", |parsed| {
        assert!(parsed.document.nodes.is_empty() && parsed.diagnostics.is_empty());
        assert_eq!(parsed.source.slice(Span::default()), "");
    });
}

/// What the fuzzer found: an edit of a file whose name is a sign, and a block that would create it behind that.
#[test]
fn a_path_of_signs_that_a_new_block_inherits() {
    search_replace_laws::check(
        "\u{301c}\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\n=======\nc\n>>>>>>> REPLACE\n",
    );
}
