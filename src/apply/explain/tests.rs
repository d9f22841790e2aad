use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::apply::files::{Files, LoadError, Loaded};
use crate::apply::plan::{Options, Plan};
use crate::ast::InputKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::edit::nearest::Effort;
use crate::grammar::parse;
use crate::rel_path::RelPath;
use crate::source::Source;

type Tree<'a> = [(&'a str, &'a str)];

/// What is found in an input over some files.
fn diagnostics(kind: InputKind, files: &Tree<'_>, input: &str) -> Vec<Diagnostic> {
    let files: BTreeMap<RelPath, Vec<u8>> =
        files.iter().map(|(path, text)| (RelPath::new(path).unwrap(), text.as_bytes().to_vec())).collect();
    let source = Source::new(input).unwrap();
    match Plan::new(&parse(&source, kind).changes(), &files, &Options::default()) {
        Ok(plan) => plan.diagnostics().to_vec(),
        Err(refusal) => refusal.diagnostics,
    }
}

/// Files that count how often one is read.
struct Counted {
    files: BTreeMap<RelPath, Vec<u8>>,
    reads: std::cell::Cell<usize>,
}

impl Files for Counted {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        self.reads.set(self.reads.get() + 1);
        self.files.load(path, limit)
    }

    fn listing(&self) -> Vec<RelPath> {
        self.files.listing()
    }
}

#[test]
fn with_little_effort_less_is_explained_and_the_verdict_is_the_same() {
    let mut files: BTreeMap<RelPath, Vec<u8>> = BTreeMap::new();
    for number in 0..50 {
        files.insert(RelPath::new(&format!("other{number}.rs")).unwrap(), FILE.as_bytes().to_vec());
    }
    files.insert(RelPath::new("a.rs").unwrap(), b"nothing of it\n".to_vec());
    let input = block("    let second = compute(2);\n", "x\n");
    let source = Source::new(&input).unwrap();
    let parsed = parse(&source, InputKind::Fsrb);
    let with = |effort| {
        let counted = Counted { files: files.clone(), reads: std::cell::Cell::new(0) };
        let refusal = Plan::explained(&parsed.changes(), &counted, &Options::default(), effort).unwrap_err();
        (refusal.diagnostics, refusal.files, counted.reads.get())
    };
    let (all, report, reads) = with(Effort::default());
    assert_eq!(reads, 1 + 51);
    assert!(told(&all[0]).contains(&"other0.rs:7: the text is in this file instead".to_owned()), "{all:?}");
    let (none, same, reads) = with(Effort::of(3_000));
    assert_eq!((reads, &same), (1, &report), "without effort no other file is read");
    let unsought = "a.rs:0: similar lines were not looked for: the file is too large for that, or there are too many \
        faults";
    assert_eq!(told(&none[0]), [unsought]);
    let verdict = |found: &[Diagnostic]| -> Vec<_> {
        let parts = |found: &Diagnostic| (found.code, found.span, found.block, found.message.clone());
        found.iter().map(parts).collect()
    };
    assert_eq!(verdict(&none), verdict(&all));
}

/// The error of an input that has one.
#[track_caller]
fn error(kind: InputKind, files: &Tree<'_>, input: &str) -> Diagnostic {
    let mut errors = diagnostics(kind, files, input);
    errors.retain(Diagnostic::is_error);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

/// The input with the suggestion of a diagnostic taken.
fn mended(input: &str, found: &Diagnostic) -> Option<String> {
    let suggestion = found.suggestion.as_ref()?;
    let (start, end) = (suggestion.span.start as usize, suggestion.span.end as usize);
    Some(format!("{}{}{}", input.get(..start)?, suggestion.replacement, input.get(end..)?))
}

/// The messages of the related places, with the path and line that each stands at.
fn told(found: &Diagnostic) -> Vec<String> {
    let place = |related: &crate::diagnostic::Related| {
        let line = related.position.map_or(0, |(start, _)| start.line);
        format!("{}:{line}: {}", related.path.as_deref().unwrap_or("-"), related.message)
    };
    found.related.iter().map(place).collect()
}

fn block(search: &str, replace: &str) -> String {
    format!("a.rs\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

const FILE: &str = "fn one() {\n    let first = compute(1);\n    print(first);\n}\n\nfn two() {\n    let second = \
    compute(2);\n    log(\"two\", second);\n}\n";

#[track_caller]
fn check(search: &str, replace: &str, first: &str, new: Option<&str>) {
    let input = block(search, replace);
    let found = error(InputKind::Fsrb, &[("a.rs", FILE)], &input);
    assert_eq!(
        (found.code, found.message.as_str()),
        (Code::SearchNotFound, "SEARCH block not found in file content")
    );
    assert_eq!(told(&found).first().map(String::as_str), Some(first), "{:?}", told(&found));
    assert_eq!(mended(&input, &found).as_deref(), new, "{found:?}");
    if let Some(new) = new {
        assert_eq!(
            diagnostics(InputKind::Fsrb, &[("a.rs", FILE)], new).iter().find(|found| found.is_error()),
            None
        );
    }
}

#[test]
fn indentation_alone() {
    check(
        "let second = compute(2);\nlog(\"two\", second);\n",
        "let second = compute(3);\nif second {\n    log(\"two\", second);\n}\n",
        "a.rs:7: the most similar lines are here; they differ only in indentation",
        Some(&block(
            "    let second = compute(2);\n    log(\"two\", second);\n",
            "    let second = compute(3);\n    if second {\n        log(\"two\", second);\n    }\n",
        )),
    );
}

#[test]
fn tabs_against_spaces() {
    check(
        "fn two() {\n\tlet second = compute(2);\n",
        "fn two() {\n\tlet second = compute(22);\n",
        "a.rs:6: the most similar lines are here; they differ only in tabs against spaces",
        Some(&block(
            "fn two() {\n    let second = compute(2);\n",
            "fn two() {\n    let second = compute(22);\n",
        )),
    );
}

#[test]
fn trailing_white_space() {
    check(
        "fn two() { \n    let second = compute(2);\n",
        "fn two() {\n",
        "a.rs:6: the most similar lines are here; they differ only in trailing white space",
        Some(&block("fn two() {\n    let second = compute(2);\n", "fn two() {\n")),
    );
}

#[test]
fn typographic_characters() {
    check(
        "    log(\u{201c}two\u{201d}, second);\n",
        "    log(\"2\", second);\n",
        "a.rs:8: the most similar lines are here; they differ only in typographic quotes, dashes or no-break spaces",
        Some(&block("    log(\"two\", second);\n", "    log(\"2\", second);\n")),
    );
}

#[test]
fn letter_case() {
    check(
        "fn Two() {\n    let Second = compute(2);\n",
        "fn Two() {\n",
        "a.rs:6: the most similar lines are here; they differ only in letter case",
        Some(&block("fn two() {\n    let second = compute(2);\n", "fn two() {\n")),
    );
}

#[test]
fn a_line_that_the_block_keeps_becomes_the_files_in_both_sections() {
    check(
        "fn two() {\n    let second = compute(2, 3);\n    log(\"two\", second);\n",
        "fn two() {\n    let second = compute(2, 3);\n    warn(\"two\", second);\n",
        "a.rs:6: the most similar lines are here, 97 % alike",
        Some(&block(
            "fn two() {\n    let second = compute(2);\n    log(\"two\", second);\n",
            "fn two() {\n    let second = compute(2);\n    warn(\"two\", second);\n",
        )),
    );
}

#[test]
fn what_differs_is_shown_line_by_line_and_within_the_line() {
    let input = block("fn two() {\n\tlet second = compute(22);\n    log(\"two\", second)\u{a0};\n", "");
    let found = error(InputKind::Fsrb, &[("a.rs", FILE)], &input);
    let told = told(&found);
    assert_eq!(
        told[1..],
        [
            "a.rs:7: this is `    let second = compute(2);` in the file, but `\u{2192}let second = compute(22);` in SEARCH",
            "a.rs:8: this is `\u{b7}\u{b7}\u{b7}\u{b7}log(\"two\",\u{b7}second);` in the file, but \
             `\u{b7}\u{b7}\u{b7}\u{b7}log(\"two\",\u{b7}second)\u{237d};` in SEARCH",
        ]
    );
    let at = found.related[2].position.unwrap();
    assert_eq!((at.0.column, at.1.column), (23, 23), "just before the semicolon");
}

#[test]
fn lines_too_many_and_too_few_are_told_and_nothing_is_suggested() {
    let input = block("fn one() {\n    print(first);\n}\n", "fn one() {}\n");
    let found = error(InputKind::Fsrb, &[("a.rs", FILE)], &input);
    assert_eq!(told(&found)[1], "a.rs:2: SEARCH lacks this line: `    let first = compute(1);`");
    assert_eq!(found.suggestion, None);
    let input = block("fn one() {\n    // why\n    let first = compute(1);\n", "fn one() {\n");
    let found = error(InputKind::Fsrb, &[("a.rs", FILE)], &input);
    assert_eq!(told(&found)[1], "a.rs:1: SEARCH has a line more here: `    // why`");
    assert_eq!(found.suggestion, None);
}

#[test]
fn a_blank_line_too_few_is_put_in_both_sections() {
    check(
        "}\nfn two() {\n    let second = compute(2);\n",
        "}\nfn two() {\n    let second = compute(4);\n",
        "a.rs:4: the most similar lines are here, 100 % alike",
        Some(&block(
            "}\n\nfn two() {\n    let second = compute(2);\n",
            "}\n\nfn two() {\n    let second = compute(4);\n",
        )),
    );
}

#[test]
fn a_change_that_is_made_already() {
    let message = "a.rs:7: this change is already there: the REPLACE text is here; or else SEARCH and REPLACE are swapped";
    check("    let second = compute(1);\n", "    let second = compute(2);\n", message, None);
    let message = "a.rs:6: this change is already there: the REPLACE text is here";
    check(
        "fn two() {\n    log(\"two\", second);\n",
        "fn two() {\n    let second = compute(2);\n    log(\"two\", second);\n",
        message,
        None,
    );
}

#[test]
fn sections_that_look_swapped() {
    let message = "a.rs:2: the REPLACE text is here: SEARCH and REPLACE look swapped, or the lines are taken out already";
    check(
        "    let first = compute(1);\n    check(first);\n    print(first);\n",
        "    let first = compute(1);\n    print(first);\n",
        message,
        None,
    );
}

#[test]
fn line_numbers_before_the_lines() {
    let message = "a.rs:6: the text is here; SEARCH has line numbers before its lines";
    let want = block("fn two() {\n    let second = compute(2);\n", "fn two() {\n");
    for (search, replace) in [
        ("6: fn two() {\n7:     let second = compute(2);\n", "6: fn two() {\n"),
        ("  6 | fn two() {\n  7 |     let second = compute(2);\n", "fn two() {\n"),
        ("6\tfn two() {\n7\t    let second = compute(2);\n", "fn two() {\n"),
        ("6 fn two() {\n7     let second = compute(2);\n", "fn two() {\n"),
    ] {
        check(search, replace, message, Some(&want));
    }
}

#[test]
fn a_text_that_is_in_another_file_of_the_input() {
    let files = [("a.rs", "nothing\n"), ("b.rs", FILE)];
    let input = block("    print(first);\n", "") + &block("nothing\n", "x\n").replace("a.rs", "b.rs");
    let found = diagnostics(InputKind::Fsrb, &files, &input);
    let here = "a.rs:0: no lines of this file are like those; another file may be meant";
    assert_eq!(told(&found[0]), [here, "b.rs:3: the text is in this file instead"]);
}

#[test]
fn a_text_that_an_earlier_block_changed() {
    let input = block("    print(first);\n", "    show(first);\n") + &block("    print(first);\n}\n", "}\n");
    let found = error(InputKind::Fsrb, &[("a.rs", FILE)], &input);
    let message = "a.rs:3: the text stands here in the file, but a block before this one has changed it";
    assert_eq!(told(&found), [message]);
}

#[test]
fn places_are_those_of_the_file_as_it_is_on_the_disk() {
    let file = FILE.replace('\n', "\r\n");
    let input =
        block("fn one() {\n", "// one\n// and only\nfn one() {\n") + &block("    log(\"two\", sec);\n", "");
    let found = error(InputKind::Fsrb, &[("a.rs", &file)], &input);
    let (start, end) = found.related[0].position.unwrap();
    assert_eq!((start.line, start.column), (8, 1));
    let range = start.offset as usize..end.offset as usize;
    assert_eq!(file.get(range), Some("    log(\"two\", second);"));
    assert_eq!(found.suggestion.unwrap().replacement, "    log(\"two\", second);\n");
}

#[test]
fn the_suggestion_is_written_as_the_block_is() {
    let files = [("notes.md", "# Title\n\nText\n=======\nMore text that is here\n")];
    let reply = "- see\n\n  ```\n  notes.md\n  <<<<<<< SEARCH\n  text\n  \\=======\n  More text that is here\n  =======\n  x\n  \
        >>>>>>> REPLACE\n  ```\n";
    for (input, ending) in [(reply.to_owned(), "\n"), (reply.replace('\n', "\r\n"), "\r\n")] {
        let found = error(InputKind::Response, &files, &input);
        let suggestion = found.suggestion.clone().unwrap();
        let want = ["  Text", "  \\=======", "  More text that is here", ""].join(ending);
        assert_eq!(suggestion.replacement, want);
        let errors = diagnostics(InputKind::Response, &files, &mended(&input, &found).unwrap());
        assert!(!errors.iter().any(Diagnostic::is_error), "{errors:?}");
    }
}

#[test]
fn two_places_that_are_as_similar_leave_the_choice() {
    let file = "let value = compute(1);\nother\nlet value = compute(2);\n";
    let input = block("let value = compute(3);\n", "x\n");
    let found = error(InputKind::Fsrb, &[("a.rs", file)], &input);
    assert!(told(&found).iter().any(|told| told.ends_with("the lines from here on are nearly as similar")));
    assert_eq!(found.suggestion, None);
}

#[test]
fn of_a_large_file_what_is_around_a_line_that_is_the_same() {
    let line = |n: usize| format!("value {n} of a long file that has many lines like this one\n");
    let mut file: String = (0..100_000).map(line).collect();
    file.push_str(FILE);
    file.extend((0..100_000).map(line));
    let search = "fn two() {\n    let second = compute(3);\n    log(\"two\", second);\n";
    let found = error(InputKind::Fsrb, &[("a.rs", &file)], &block(search, "x\n"));
    let whole = "a.rs:100006: the most similar lines are here, 98 % alike; only the lines around one that is the same were compared";
    let line = "a.rs:100007: this is `...   let second = compute(2);` in the file, but `...   let second = compute(3);` in SEARCH";
    assert_eq!((told(&found), found.suggestion), (vec![whole.to_owned(), line.to_owned()], None));
    let diff =
        "--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1 @@\n-    let second = compute(3);\n     log(\"two\", second);\n";
    let found = error(InputKind::Diff, &[("a.rs", &file)], diff);
    assert!(told(&found)[0].starts_with("a.rs:100007: the most similar lines are here"), "{found:?}");
    let found = error(InputKind::Fsrb, &[("a.rs", &file)], &block("no such line at all\n", "x\n"));
    let message = "a.rs:0: similar lines were not looked for: the file is too large for that";
    assert_eq!(told(&found), [message]);
}

#[test]
fn each_place_of_an_ambiguous_text_and_what_tells_it_apart() {
    let file = "fn a() {\n    x();\n}\nfn b() {\n    x();\n}\n";
    let found = error(InputKind::Fsrb, &[("a.rs", file)], &block("    x();\n", "y\n"));
    assert_eq!(
        told(&found),
        [
            "a.rs:2: one place is here; with the line above, `fn a() {`, it is the only one",
            "a.rs:5: one place is here; with the line above, `fn b() {`, it is the only one",
        ]
    );
    let many = "    x();\n".repeat(50);
    let found = error(InputKind::Fsrb, &[("a.rs", &many)], &block("    x();\n", "y\n"));
    assert_eq!(found.related.len(), 10);
}

#[test]
fn a_place_within_a_line_is_the_only_one_as_a_whole_line_or_with_more() {
    let file = "if a {\n}\nif b {\n}\n\nx\nif b {\n}\n";
    let found = error(InputKind::Fsrb, &[("a.rs", file)], &block("if\n", "when\n"));
    assert_eq!(
        told(&found),
        [
            "a.rs:1: one place is here; as a whole line, `if a {`, it is the only one",
            "a.rs:3: one place is here; as a whole line and with the line above, `}`, it is the only one",
            "a.rs:7: one place is here; as a whole line and with the line above, `x`, it is the only one",
        ]
    );
    let found = error(InputKind::Fsrb, &[("a.rs", "}\nx\n}\n\n}\n  \n}\n")], &block("}\n", ")\n"));
    assert_eq!(
        told(&found),
        [
            "a.rs:1: one place is here; with the line below, `x`, it is the only one",
            "a.rs:3: one place is here; with the line above, `x`, it is the only one",
            "a.rs:5: one place is here; with the line below, `\u{b7}\u{b7}`, it is the only one",
            "a.rs:7: one place is here; with the line above, `\u{b7}\u{b7}`, it is the only one",
        ]
    );
    let found = error(InputKind::Fsrb, &[("a.rs", "}\n\nx }")], &block("}\n", ")\n"));
    assert_eq!(told(&found)[0], "a.rs:1: one place is here; with the blank line below it is the only one");
}

#[test]
fn a_text_whose_file_is_not_there_is_looked_for_in_all_files() {
    let files = [("other.md", "one\n"), ("lib/c.rs", "\u{feff}x\r\n  let port = 5432;\r\n")];
    let found = error(InputKind::Fsrb, &files, &block("  let port = 5432;\n", ""));
    assert_eq!(found.code, Code::FileNotFound);
    assert_eq!(told(&found), ["lib/c.rs:2: the text is in this file instead"]);
    let diff = "--- a/a.rs\n+++ b/a.rs\n@@ -1 +1 @@\n-  let port = 5432;\n+  let port = 5433;\n";
    let found = error(InputKind::Diff, &files, diff);
    assert_eq!(told(&found), ["lib/c.rs:2: the text is in this file instead"]);
    // Where it is not at all there is nothing to say, and of a short text nothing is said.
    assert_eq!(told(&error(InputKind::Fsrb, &files, &block("let host = 5432;\n", ""))), [""; 0]);
    assert_eq!(told(&error(InputKind::Fsrb, &files, &block("one\n", ""))), [""; 0]);
    // Also where the file is there, and has nothing like it.
    let found = error(InputKind::Fsrb, &[("a.rs", "fn\n"), files[1]], &block("  let port = 5432;\n", ""));
    assert_eq!(told(&found)[1], "lib/c.rs:2: the text is in this file instead");
}

/// A context that a note names, from its file and the line at which it is: the SEARCH text with it.
fn with_context(file: &str, search: &str, found: &crate::diagnostic::Related) -> Option<String> {
    let lines: Vec<&str> = file.split('\n').collect();
    let (start, end) = found.position?;
    let (mut first, mut last) = (start.line as usize - 1, end.line as usize - 1);
    let told = found.message.strip_prefix("one place is here; ")?;
    let number = |side: &str| {
        let (before, _) = told.split_once(side)?;
        before
            .rsplit_once("with the ")
            .map(|(_, count)| count.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(1))
    };
    match (number(" above"), number(" below")) {
        (Some(count), None) => first -= count,
        (None, Some(count)) => last += count,
        // Only its own lines as a whole.
        _ => assert!(told.starts_with("as a whole line, "), "{told}"),
    }
    assert_eq!(
        told.starts_with("as a whole line"),
        lines[start.line as usize - 1..end.line as usize].join("\n") != search
    );
    Some(lines[first..=last].join("\n"))
}

#[test]
fn a_path_that_is_clearly_meant_is_corrected() {
    let input = block("x\n", "y\n");
    for (kind, file) in [(InputKind::Fsrb, "src/a.rs"), (InputKind::Response, "A.rs")] {
        let found = error(kind, &[(file, "x\n")], &input);
        assert_eq!(
            (found.code, told(&found)),
            (Code::FileNotFound, vec![format!("{file}:0: this file has a similar path")])
        );
        let mended = mended(&input, &found).unwrap();
        assert_eq!(mended, input.replacen("a.rs", file, 1));
        assert!(!diagnostics(kind, &[(file, "x\n")], &mended).iter().any(Diagnostic::is_error));
    }
    for diff in ["--- a/a.rs\n+++ b/a.rs\n@@ -1 +1 @@\n-x\n+y\n", "--- a.rs\n+++ a.rs\n@@ -1 +1 @@\n-x\n+y\n"]
    {
        let found = error(InputKind::Diff, &[("src/a.rs", "x\n")], diff);
        let mended = mended(diff, &found).unwrap();
        assert!(
            !diagnostics(InputKind::Diff, &[("src/a.rs", "x\n")], &mended).iter().any(Diagnostic::is_error),
            "{mended}"
        );
    }
}

#[test]
fn the_old_lines_of_a_hunk_are_mended() {
    let diff = "--- a/a.rs\n+++ b/a.rs\n@@ -5,4 +5,4 @@\n \n fn two() {\n-    let second = compute(3);\n+    let second = compute(4);\n\
        -    log('two', second);\n+    log(second);\n";
    let found = error(InputKind::Diff, &[("a.rs", FILE)], diff);
    assert_eq!(found.code, Code::HunkNotFound);
    assert_eq!(told(&found)[0], "a.rs:5: the most similar lines are here, 94 % alike");
    let mended = mended(diff, &found).unwrap();
    assert_eq!(mended, diff.replace("compute(3)", "compute(2)").replace("'two'", "\"two\""));
    assert!(!diagnostics(InputKind::Diff, &[("a.rs", FILE)], &mended).iter().any(Diagnostic::is_error));
}

#[test]
fn a_sentence_is_mended_within_its_quotes() {
    let input = "In `a.rs`, replace `let second = compute(3);` with `let second = compute(4);`.\n";
    let found = error(InputKind::Response, &[("a.rs", FILE)], input);
    assert_eq!(mended(input, &found).unwrap(), input.replacen("(3)", "(2)", 1));
}

#[test]
fn a_text_that_the_quotes_of_a_sentence_cannot_hold_is_not_put_into_them() {
    let input = "In `a.rs`, replace `log('two', second);` with `log(2);`.\n";
    let found = error(InputKind::Response, &[("a.rs", FILE)], input);
    assert_eq!(told(&found).len(), 2, "{found:?}");
    assert_eq!(mended(input, &found), None);
}

#[test]
fn of_a_numbered_line_in_a_sentence_only_the_place_is_told() {
    let input = "In `a.rs`, replace `6: fn two() {` with `fn three() {`.\n";
    let found = error(InputKind::Response, &[("a.rs", FILE)], input);
    assert_eq!(told(&found), ["a.rs:6: the text is here; the sentence has a line number before it"]);
    assert_eq!(mended(input, &found), None);
}

#[test]
fn a_line_that_no_section_can_hold_is_told_and_not_suggested() {
    let input = block("two = compute(2); three\n", "x\n");
    let found = error(InputKind::Fsrb, &[("a.rs", "one\ntwo = compute(2);\rthree\nfour\n")], &input);
    assert!(told(&found)[0].starts_with("a.rs:2: the most similar lines are here"), "{found:?}");
    assert_eq!(mended(&input, &found), None);
}

#[test]
fn sections_too_long_to_be_compared_with_each_other_get_no_suggestion() {
    let lines = |count: usize, last: &str| -> String {
        (0..count).map(|number| format!("let value{number} = {};\n", number * 7)).collect::<String>() + last
    };
    for (count, is_mended) in [(400, true), (600, false)] {
        let input = block(&lines(count, "print(first);\n"), &lines(count, "print(second);\n"));
        let found = error(InputKind::Fsrb, &[("a.rs", &lines(count, "print(fist);\n"))], &input);
        assert!(told(&found)[0].starts_with("a.rs:1: the most similar lines are here"), "{:?}", told(&found));
        assert_eq!(found.suggestion.is_some(), is_mended, "{count}");
    }
}

#[test]
fn however_many_blocks_fail_the_work_is_bounded() {
    let line =
        |n: usize| format!("    let value_{n} = compute_{}(argument_{}, {n});\n", n * 7 % 113, n * 31 % 977);
    let file: String = (0..10_000).map(line).collect();
    let input: String = (0..300)
        .map(|n| block(&format!("  result.{n} := Lookup[{}] of table({n})\n", n * 17), "x\n"))
        .collect();
    let files = BTreeMap::from([(RelPath::new("a.rs").unwrap(), file.into_bytes())]);
    let source = Source::new(&input).unwrap();
    let changes = parse(&source, InputKind::Fsrb).changes();
    let options = Options::default();
    let mut fold = crate::apply::fold::Fold::new(&changes, &files, &options);
    fold.run();
    assert_eq!(fold.diagnostics.len(), 300);
    // That nothing is taken beyond what there is, is the effort's own test; here it is that all is paid from one.
    assert!(fold.explainer.effort.left() < 1_000_000, "{:?}", fold.explainer.effort);
}

/// A file of some lines, and what a model makes of some of them.
fn slips() -> impl Strategy<Value = (String, String, String, u8)> {
    let word = prop_oneof![
        Just("alpha"),
        Just("beta"),
        Just("gamma(x)"),
        Just("\"delta\""),
        Just("="),
        Just("{"),
        Just("}"),
        Just("é"),
        Just("======="),
        Just("<<<<<<< SEARCH"),
        Just("\\=======")
    ];
    let line = (0_usize..3, prop::collection::vec(word, 0..5))
        .prop_map(|(indent, words)| format!("{}{}", "    ".repeat(indent), words.join(" ")));
    let file = prop::collection::vec(line, 3..20);
    (file, any::<prop::sample::Index>(), 1_usize..6, prop::collection::vec((0_u8..9, 0_u8..3), 6), 0_u8..12)
        .prop_map(|(file, from, count, slips, form)| {
            let from = from.index(file.len());
            let taken = &file[from..(from + count).min(file.len())];
            let (mut search, mut replace) = (Vec::new(), Vec::new());
            for (line, (slip, change)) in taken.iter().zip(slips) {
                let wrong = match slip {
                    0 => line.trim_start().to_owned(),
                    1 => format!("\t{}", line.trim_start()),
                    2 => format!("{line}  "),
                    3 => line.to_uppercase(),
                    4 => line.replace('"', "\u{201d}"),
                    5 => line.replace("alpha", "alpah"),
                    _ => line.clone(),
                };
                match change {
                    0 => replace.push(format!("{wrong} new")),
                    1 => replace.push(wrong.clone()),
                    _ => {}
                }
                search.push(wrong);
            }
            (file.join("\n") + "\n", search.join("\n"), replace.join("\n"), form)
        })
}

/// The block of an edit in one of several surroundings.
fn written(search: &str, replace: &str, form: u8) -> Option<(InputKind, String)> {
    let lines = |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
    let block = crate::print::print_block("a.rs", &lines(search), &lines(replace)).ok()?;
    let (kind, text) = match form % 3 {
        0 => (InputKind::Fsrb, block),
        1 => (InputKind::Response, format!("Do this:\n\n```\n{block}```\n")),
        _ => {
            let indented: String = block.split_inclusive('\n').map(|line| format!("   {line}")).collect();
            (InputKind::Response, format!("1. Do this:\n\n   ```\n{indented}   ```\n"))
        }
    };
    Some((kind, if form.is_multiple_of(2) { text } else { text.replace('\n', "\r\n") }))
}

/// A diff whose old lines are those of SEARCH, each with a slip, as context or removed.
fn as_diff(search: &str, replace: &str, form: u8) -> String {
    let kept: Vec<&str> = replace.split('\n').collect();
    let mut body = String::new();
    for line in search.split('\n') {
        let sign = if kept.contains(&line) { ' ' } else { '-' };
        body.push_str(&format!("{sign}{line}\n"));
    }
    let diff = format!("--- a/a.rs\n+++ b/a.rs\n@@ -1 +1 @@\n{body}+added\n");
    match form % 4 {
        0 => diff,
        1 => diff.replace('\n', "\r\n"),
        2 => format!("```diff\n{diff}```\n"),
        _ => {
            let indented: String = diff.split_inclusive('\n').map(|line| format!("   {line}")).collect();
            format!("- so:\n\n   ```diff\n{indented}   ```\n")
        }
    }
}

/// A hunk that fits the file, whose counts are right and whose lines are without their sign where `lost` says so; `close`
/// to the text that follows it.
fn unsigned(lines: &[(u8, bool)], form: u8) -> (String, String) {
    let mut file = String::new();
    let (mut body, mut old, mut new) = (String::new(), 0, 0);
    for (number, (kind, lost)) in lines.iter().enumerate() {
        let text = format!("line {number};");
        let sign = match kind {
            0 => "+",
            1 => "-",
            _ if *lost => "",
            _ => " ",
        };
        old += u32::from(*kind != 0);
        new += u32::from(*kind != 1);
        body.push_str(&format!("{sign}{text}\n"));
        if *kind != 0 {
            file.push_str(&format!("{text}\n"));
        }
    }
    let end = ["", "\nDone.\n", "Done.\n", "- done\n"][usize::from(form / 2 % 4)];
    let diff = format!("--- a/a.rs\n+++ b/a.rs\n@@ -1,{old} +1,{new} @@\n{body}{end}");
    (file, if form.is_multiple_of(2) { diff } else { format!("```diff\n{diff}```\n") })
}

proptest! {
    #[test]
    fn the_context_that_is_named_makes_a_text_the_only_one(
        lines in prop::collection::vec(prop_oneof![Just("}"), Just(""), Just("  "), Just("a }"), Just("a } b"), Just("c")], 1..14),
        search in prop_oneof![Just("}"), Just("a"), Just("}\n"), Just("}\n\n"), Just("c"), Just("\na }")],
    ) {
        let file = lines.join("\n") + "\n";
        let input = block(&format!("{search}\n"), "x\n");
        for found in diagnostics(InputKind::Fsrb, &[("a.rs", &file)], &input) {
            if found.code != Code::AmbiguousMatch { continue }
            for place in &found.related {
                let Some(text) = with_context(&file, search, place) else { continue };
                let again = diagnostics(InputKind::Fsrb, &[("a.rs", &file)], &block(&format!("{text}\n"), "x\n"));
                prop_assert!(!again.iter().any(Diagnostic::is_error), "{}\n{}\n{:?}\n{:?}", file, text, place, again);
            }
        }
    }

    #[test]
    fn a_suggestion_for_lines_without_sign_makes_their_fault_go_away(
        lines in prop::collection::vec((0_u8..5, any::<bool>()), 1..8),
        form in 0_u8..8,
    ) {
        let (file, input) = unsigned(&lines, form);
        let malformed = |found: &&Diagnostic| found.code == Code::MalformedHunk;
        let before = diagnostics(InputKind::Response, &[("a.rs", &file)], &input);
        let Some(mended) = before.iter().find(malformed).and_then(|found| mended(&input, found)) else {
            return Ok(());
        };
        let after = diagnostics(InputKind::Response, &[("a.rs", &file)], &mended);
        prop_assert!(!after.iter().any(Diagnostic::is_error), "{}\n{}\n{:?}", input, mended, after);
    }

    #[test]
    fn a_suggestion_for_a_hunk_makes_its_fault_go_away((file, search, replace, form) in slips()) {
        let input = as_diff(&search, &replace, form);
        for found in diagnostics(InputKind::Diff, &[("a.rs", &file)], &input) {
            let Some(mended) = mended(&input, &found).filter(|_| found.code == Code::HunkNotFound) else { continue };
            let after = diagnostics(InputKind::Diff, &[("a.rs", &file)], &mended);
            prop_assert!(
                !after.iter().any(|after| after.code == found.code && after.block == found.block),
                "{}\n{:?}\n{}\n{:?}", input, found, mended, after
            );
        }
    }

    #[test]
    fn a_suggestion_makes_its_fault_go_away((file, search, replace, form) in slips()) {
        let Some((kind, input)) = written(&search, &replace, form) else { return Ok(()) };
        for found in diagnostics(kind, &[("a.rs", &file)], &input) {
            for related in &found.related {
                let Some((start, end)) = related.position else { continue };
                prop_assert!(start.offset <= end.offset && file.get(start.offset as usize..end.offset as usize).is_some());
            }
            let Some(mended) = mended(&input, &found) else { continue };
            let after = diagnostics(kind, &[("a.rs", &file)], &mended);
            prop_assert!(
                !after.iter().any(|after| after.code == found.code && after.block == found.block),
                "{}\n{:?}\n{}\n{:?}", input, found, mended, after
            );
        }
    }
}

/// Lines that lost their sign are given one only where the header's counts say which are the hunk's, and where the hunk
/// changes something then.
#[test]
fn lines_without_sign_are_signed_only_where_the_counts_agree() {
    let diff = "--- a/a.rs\n+++ b/a.rs\n";
    for hunk in
        ["@@ -1,2 +1,2 @@\none\ntwo\n", "@@ -1,4 +1,4 @@\none\n-two\n+2\n", "@@ @@\n-one\n+1\ntwo\n-x\n"]
    {
        let found = error(InputKind::Diff, &[("a.rs", "one\ntwo\n")], &format!("{diff}{hunk}"));
        assert_eq!((found.code, found.suggestion), (Code::MalformedHunk, None), "{hunk}");
    }
}

/// The faults of parsing that have a suggestion: taking it, the line is none of that code any more.
#[test]
fn faults_of_the_text_itself_are_mended() {
    let files = [("a.rs", "one\n=======\ntwo\n")];
    let head = "a.rs\n<<<<<<< SEARCH\none\n";
    let diff = "--- a/a.rs\n+++ b/a.rs\n";
    let table = [
        (InputKind::Fsrb, format!("{head}=======\n1\n=======\n2\n>>>>>>> REPLACE\n"), Code::UnexpectedMarker),
        (InputKind::Fsrb, format!("{head}=====\n1\n>>>>>>> REPLACE\n"), Code::SuspiciousMarker),
        (InputKind::Fsrb, format!("{head}=======\n1\n>>>>>>>\n"), Code::SuspiciousMarker),
        (
            InputKind::Fsrb,
            "a.rs\n<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n".to_owned(),
            Code::SuspiciousMarker,
        ),
        (InputKind::Diff, format!("{diff}@@ -1,3 +1,3 @@\none\n-=======\n+1\ntwo\n"), Code::MalformedHunk),
        (InputKind::Diff, format!("{diff}@@ -1,3 +1,3 @@\n-one\n+1\n=======\n two\n"), Code::MalformedHunk),
        (
            InputKind::Response,
            format!("```diff\n{diff}@@ -1,2 +1,3 @@\n+0\n one\n=======\n```\n"),
            Code::MalformedHunk,
        ),
        (InputKind::Diff, format!("{diff}@@ -1,7 +1,9 @@\n-one\n+1\n =======\n"), Code::HunkCountMismatch),
        (InputKind::Diff, format!("{diff}@@ -1,3 +1 @@ x\n-one\n+1\n+2\n"), Code::HunkCountMismatch),
    ];
    for (kind, input, code) in table {
        let found = diagnostics(kind, &files, &input);
        let found =
            found.iter().find(|found| found.code == code).unwrap_or_else(|| panic!("{input}\n{found:?}"));
        let mended = mended(&input, found).unwrap_or_else(|| panic!("{found:?}"));
        let after = diagnostics(kind, &files, &mended);
        assert!(after.iter().all(|found| found.code != code && !found.is_error()), "{mended}\n{after:?}");
    }
}
