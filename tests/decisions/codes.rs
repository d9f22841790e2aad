//! The codes of the diagnostics, and where their spans start.

use std::collections::BTreeSet;

use code_parser::diagnostic::{Code, Severity};

use crate::support::{bare, block, diff, fsrb, response};

const ERRORS: [&str; 35] = [
    "missing-path",
    "missing-separator",
    "unexpected-marker",
    "unterminated-block",
    "unterminated-fence",
    "ambiguous-nesting",
    "malformed-hunk",
    "missing-hunks",
    "empty-block",
    "no-changes",
    "unsafe-path",
    "file-not-found",
    "file-unreadable",
    "not-a-file",
    "not-utf8",
    "too-large",
    "read-only",
    "owner-not-kept",
    "other-file-system",
    "create-exists",
    "create-not-first",
    "path-conflict",
    "search-not-found",
    "ambiguous-match",
    "hunk-not-found",
    "ambiguous-hunk",
    "overlapping-hunks",
    "omission-placeholder",
    "unsupported-mode",
    "binary-patch",
    "changed-on-disk",
    "busy",
    "commit-failed",
    "interrupted-commit",
    // A warning unless the block that it breaks cannot be read.
    "suspicious-marker",
];
const WARNINGS: [&str; 5] = ["hunk-count-mismatch", "ignored-text", "no-op", "metadata-lost", "hard-link"];
const NOTES: [&str; 4] = ["sensitive-path", "mid-line-match", "trailing-space-match", "ignored-narration"];

/// These codes exist, and no others; each is read as it is printed.
#[test]
fn every_code() {
    let expected: BTreeSet<_> = ERRORS.into_iter().chain(WARNINGS).chain(NOTES).collect();
    let codes: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes, expected);
    for code in Code::ALL {
        assert_eq!(code.as_str().parse::<Code>().unwrap(), *code);
        assert_eq!(code.to_string(), code.as_str());
    }
    assert!("no-such-code".parse::<Code>().is_err());
}

/// How grave each code is where nothing else is said.
#[test]
fn severities() {
    for code in Code::ALL {
        let expected = match code.as_str() {
            "suspicious-marker" => Severity::Warning,
            text if WARNINGS.contains(&text) => Severity::Warning,
            text if NOTES.contains(&text) => Severity::Note,
            _ => Severity::Error,
        };
        assert_eq!(code.severity(), expected, "{code}");
    }
}

/// What is wrong with a block as a whole is said at its SEARCH line.
#[test]
fn where_a_span_starts_for_a_block() {
    let marker = "<<<<<<< SEARCH";
    let edit = block("a.txt", "a\n", "b\n");
    fsrb(&[("a.txt", "x\n")], &edit).points_at("search-not-found", 2, marker);
    fsrb(&[("a.txt", "a\na\n")], &edit).points_at("ambiguous-match", 2, marker);
    fsrb(&[], &edit).points_at("file-not-found", 2, marker);
    fsrb(&[("a.txt", "a\n")], &block("a.txt", "", "b\n")).points_at("create-exists", 2, marker);
    let again = format!("{edit}{}", bare("", "c\n"));
    fsrb(&[("a.txt", "a\n")], &again).points_at("create-not-first", 7, marker);
    fsrb(&[], &block("a.txt", "", "")).points_at("empty-block", 2, marker);
    fsrb(&[], &bare("a\n", "b\n")).points_at("missing-path", 1, marker);
    fsrb(&[("a.txt", "a\n")], "a.txt\n<<<<<<< SEARCH\na\n").points_at("unterminated-block", 2, marker);
}

/// What is wrong with a sentence is said at the sentence.
#[test]
fn where_a_span_starts_for_a_sentence() {
    let sentence = "In file `m.py`, change `a` to `b`";
    let input = format!("Well.\n\n{sentence}.\n");
    response(&[("m.py", "x\n")], &input).points_at("search-not-found", 3, sentence);
    response(&[("m.py", "aa\n")], &input).points_at("ambiguous-match", 3, sentence);
    response(&[], &input).points_at("file-not-found", 3, sentence);
}

/// What is wrong with a code block is said at its opening fence.
#[test]
fn where_a_span_starts_for_a_code_block() {
    response(&[("a.py", "x\n")], "Well.\n```python a.py\n```\n").points_at("empty-block", 2, "```");
    response(&[], "Well.\n```diff\n-a\n+b\n```\n").points_at("missing-path", 2, "```");
}

/// Of a diff, that a file is there or is missing is said at the line that names it.
#[test]
fn where_a_span_starts_for_a_file_of_a_diff() {
    let modify = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    diff(&[], modify).points_at("file-not-found", 2, "+++ b/x");
    let create = "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n";
    diff(&[("x", "a\n")], create).points_at("create-exists", 2, "+++ b/x");
    let delete = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    diff(&[], delete).points_at("file-not-found", 1, "--- a/x");
    let rename = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    diff(&[("x", "a\n"), ("y", "b\n")], rename).points_at("create-exists", 4, "rename to y");
}

/// What is wrong with a hunk is said at its `@@` line.
#[test]
fn where_a_span_starts_for_a_hunk() {
    let head = "--- a/x\n+++ b/x\n";
    let one = format!("{head}@@ -1 +1 @@\n-b\n+c\n");
    diff(&[("x", "a\n")], &one).points_at("hunk-not-found", 3, "@@ -1 +1 @@");
    diff(&[("x", "b\n2\nb\n")], &one.replace("-1 +1", "-2 +2")).points_at("ambiguous-hunk", 3, "@@ -2 +2 @@");
    let second = format!("{head}@@ -1 +1 @@\n-a\n+c\n@@ -1 +1 @@\n-a\n+d\n");
    diff(&[("x", "a\n")], &second).points_at("overlapping-hunks", 6, "@@ -1 +1 @@");
    diff(&[("x", "b\n")], &one.replace("-1 +1", "-1,4 +1,4")).points_at(
        "hunk-count-mismatch",
        3,
        "@@ -1,4 +1,4 @@",
    );
}

/// What a diff cannot do is said at the line that asks for it.
#[test]
fn where_a_span_starts_for_what_is_not_supported() {
    let link = "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n";
    diff(&[], link).points_at("unsupported-mode", 2, "new file mode 120000");
    let binary = "diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n";
    diff(&[("x", "a\n")], binary).points_at("binary-patch", 3, "Binary files");
}

/// An unsafe path is underlined where it stands.
#[test]
fn where_a_span_starts_for_an_unsafe_path() {
    fsrb(&[], &block("../x", "", "b\n")).points_at("unsafe-path", 1, "../x");
    response(&[], "```python ../x.py\na\n```\n").points_at("unsafe-path", 1, "../x.py");
    response(&[], "Well. In file `../m.py`, change `a` to `b`.\n").points_at("unsafe-path", 1, "../m.py");
    let input = "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n";
    diff(&[], input).refuses_for(&["unsafe-path"]).points_at("unsafe-path", 2, "b/../x");
}

/// A marker in the wrong place is underlined.
#[test]
fn where_a_span_starts_for_a_marker() {
    fsrb(&[("a", "a\n")], "a\n<<<<<<< SEARCH\na\n=======\nb\n  =======\nc\n>>>>>>> REPLACE\n").points_at(
        "unexpected-marker",
        6,
        "=======",
    );
    fsrb(&[("a", "a\n")], "a\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n").points_at(
        "missing-separator",
        4,
        ">>>>>>> REPLACE",
    );
    fsrb(&[("a", "a\n")], "a\n<<<<<<< SEARCHES\na\n=======\nb\n>>>>>>> REPLACE\n").points_at(
        "suspicious-marker",
        2,
        "<<<<<<< SEARCHES",
    );
}

/// A line that stands for code left out is underlined.
#[test]
fn where_a_span_starts_for_a_placeholder() {
    let line = "// ... existing code ...";
    let old = [("a.js", "one();\ntwo();\n"), ("b.js", "one();\n")];
    let whole = format!("```js a.js\nstart();\n\n{line}\n```\n");
    response(&old, &whole).refuses_for(&["omission-placeholder"]).points_at("omission-placeholder", 4, line);
    let indented: String = whole.lines().map(|text| format!("    {text}\r\n")).collect();
    response(&old, &format!("1. So:\r\n\r\n{indented}")).points_at("omission-placeholder", 6, line);
    let edit = block("a.js", "one();\n", &format!("start();\n  {line}\n"));
    response(&old, &edit).points_at("omission-placeholder", 6, line);
    let sentence = "In `a.js`, replace `one();` with `// ... existing code ...`.\n";
    response(&old, sentence).points_at("omission-placeholder", 1, line);
    let hunks = format!(
        "--- a/b.js\n+++ b/b.js\n@@ -1 +1 @@\n-one();\n+start();\n+\t{line}\n--- a/a.js\n+++ b/a.js\n@@ -2 +2 @@\n-two();\n+2\n"
    );
    response(&old, &hunks).points_at("omission-placeholder", 6, &format!("\t{line}"));
}

/// A target that only an earlier change of the same input has made is told with that change.
#[test]
fn what_an_earlier_change_made_is_told_with_it() {
    let rename = "diff --git a/x b/y\nrename from x\nrename to y\n";
    let create = "--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+z\n";
    for (input, line) in [(rename.repeat(2), "diff --git a/x b/y"), (create.repeat(2), "--- /dev/null")] {
        let run = diff(&[("x", "a\n")], &input);
        run.refuses_for(&["create-exists"]);
        let found = &run.diagnostics[0];
        assert_eq!(found.message, "the file to create is there already: block 1 makes it");
        let place = &found.related[0];
        assert!(place.span.start == 0 && input.starts_with(line) && place.path.is_none(), "{found:?}");
    }
    // One that was there before the input is not.
    let run = diff(&[("x", "a\n"), ("y", "b\n")], rename);
    assert_eq!(run.diagnostics[0].message, "the file to create exists already");
}

/// A code that has several causes is told in the words of the one it has.
#[test]
fn what_a_code_with_several_causes_says() {
    let hunk = |hunk: &str| format!("--- a/x\n+++ b/x\n{hunk}");
    let files = [("x", "a\na\n"), ("x.py", "a\na\n")];
    for (run, message) in [
        (
            diff(&files, &hunk("@@ @@\n+x\n")),
            "the hunk has neither old lines nor a line number, so that it has no place",
        ),
        (response(&files, "In `x.py`, replace `b` with `c`.\n"), "the quoted text is not in the file"),
        (response(&files, &block("x.py", "b\n", "c\n")), "SEARCH block not found in file content"),
        (
            response(&files, &block("x.py", "a\n", "c\n")),
            "SEARCH block matches 2 places in the file, at lines 1, 2",
        ),
    ] {
        assert_eq!(run.diagnostics[0].message, message);
    }
    let run = diff(&files, &hunk("@@ @@\n-a\n+x\n"));
    assert!(!run.diagnostics[0].message.contains("no place"), "{}", run.diagnostics[0].message);
}

/// A hunk that only adds lines, behind the end of its file, is not told of old lines that it has not.
#[test]
fn a_hunk_behind_the_end_of_the_file_is_told_as_such() {
    let run = diff(&[("x", "a\nb\n")], "--- a/x\n+++ b/x\n@@ -9,0 +10 @@\n+n\n");
    run.refuses(&[("hunk-not-found", 3)]);
    let found = &run.diagnostics[0];
    assert_eq!(found.message, "the hunk only adds lines, at a place behind the end of the file (lines: 2)");
    let told: Vec<_> = found.related.iter().map(|place| place.message.as_str()).collect();
    assert!(told.iter().all(|told| !told.contains("are like those")), "{told:?}");
}

/// All lines without sign are marked, up to three.
#[test]
fn lines_without_sign_are_all_marked() {
    let head = "--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n";
    for (body, message, marked) in [
        ("a\nb\n", "no line of the hunk has its sign in front", 2),
        ("a\nb\nc\nd\ne\n", "no line of the hunk has its sign in front", 3),
        ("a\n-b\n+c\nd\ne\nf\n", "lines of the hunk have no sign in front", 3),
        (" a\n-b\n+c\n d\ne\n f\n", "a line of the hunk has no sign in front", 1),
    ] {
        let run = diff(&[("x", "a\nb\nd\ne\nf\n")], &format!("{head}{body}"));
        run.refuses_for(&["malformed-hunk"]);
        let found = &run.diagnostics[0];
        assert_eq!((found.message.as_str(), found.related.len()), (message, marked), "{body}");
    }
}

/// What else a fault is about has a place, too: the message and the line of the input, or of the file.
#[test]
fn related_places() {
    let told = |run: &crate::support::Run, input: &str| -> Vec<(String, u32)> {
        let source = code_parser::source::Source::new(input).unwrap();
        let line = |place: &code_parser::diagnostic::Related| match place.position {
            Some((start, _)) => start.line,
            None => source.position(place.span.start).line,
        };
        run.diagnostics
            .iter()
            .flat_map(|found| &found.related)
            .map(|place| (place.message.clone(), line(place)))
            .collect()
    };
    let one = |message: &str, line: u32| vec![(message.to_owned(), line)];
    let edit = block("a", "a\n", "b\n");
    let input = format!("{edit}{}", block("a", "", "c\n"));
    let run = fsrb(&[("a", "a\n")], &input);
    assert_eq!(told(&run, &input), one("this is the last block before it that uses the file", 2));
    let input = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+1\n b\n@@ -2 +2 @@\n-b\n+2\n";
    let run = diff(&[("x", "a\nb\n")], input);
    run.refuses_for(&["overlapping-hunks"]);
    assert_eq!(told(&run, input), one("this is the other hunk", 3));
    let input = "--- a/x\n+++ b/x\n@@ @@\n-b\n+c\n";
    let run = diff(&[("x", "a\nb\n\u{fc}\nb\n")], input);
    run.refuses_for(&["ambiguous-hunk"]);
    let place = |line| ("one place is here".to_owned(), line);
    assert_eq!(told(&run, input), [place(2), place(4)]);
    for (first, second, message) in [
        ("d", "d/e", "`d` is a file in this input, so that there can be none below it"),
        ("d/e", "d", "the input also has the file `d/e`, for which this path must be a directory"),
    ] {
        let input = block(first, "", "x\n") + &block(second, "", "x\n");
        let run = fsrb(&[], &input);
        run.refuses_for(&["path-conflict"]).points_at("path-conflict", 7, "<<<<<<< SEARCH");
        assert_eq!(told(&run, &input), one("the other file is named here", 2));
        assert_eq!(run.diagnostics[0].message, message);
    }
}

/// Blocks are counted over the whole input from 1, hunks within their file.
#[test]
fn where_blocks_and_hunks_are_counted() {
    let two = format!("{}\n{}", block("a", "a\n", "b\n"), block("c", "c\n", "d\n"));
    let run = fsrb(&[("a", "a\n"), ("c", "x\n")], &two);
    let [fault] = run.diagnostics.as_slice() else { panic!("{run:?}") };
    assert_eq!((fault.block, fault.hunk, fault.path.as_deref()), (Some(2), None, Some("c")));
    let hunks =
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-c\n+d\n";
    let run = diff(&[("x", "a\n"), ("y", "a\nb\ne\n")], hunks);
    let [fault] = run.diagnostics.as_slice() else { panic!("{run:?}") };
    assert_eq!((fault.block, fault.hunk, fault.path.as_deref()), (Some(2), Some(2), Some("y")));
}

/// A line that stands for code left out is shown where it is, without the white space around it.
#[test]
fn where_code_is_left_out() {
    let sign = "// ... existing code ...";
    let new = format!("fn a() {{\n    y\n\t {sign} \n}}\n");
    let run = response(&[("a.rs", "fn a() {\n    x\n}\n")], &block("a.rs", "fn a() {\n    x\n}\n", &new));
    run.refuses(&[("omission-placeholder", 9)]);
    let span = run.diagnostics[0].span.unwrap();
    let input = block("a.rs", "fn a() {\n    x\n}\n", &new);
    assert_eq!(input.get(span.start as usize..span.end as usize), Some(sign));
    let hunks = format!("@@ -1 +1 @@\n-a\n+b\n@@ -3,2 +3,2 @@\n c\n-d\n+{sign}\n");
    let reply = format!("```diff\n--- a/a.rs\n+++ b/a.rs\n{hunks}```\n");
    let run = response(&[("a.rs", "a\nb\nc\nd\n")], &reply);
    run.refuses(&[("omission-placeholder", 10)]);
    assert_eq!(run.diagnostics[0].hunk, Some(2));
}

/// A block that would create a file which an earlier one has touched names that one, and the last of several.
#[test]
fn where_a_file_was_touched_before() {
    let input =
        block("a", "", "x\n") + &block("b", "", "x\n") + &block("a", "x\n", "y\n") + &block("a", "", "z\n");
    let run = fsrb(&[], &input);
    run.refuses_for(&["create-not-first"]);
    let found = &run.diagnostics[0];
    assert!(found.message.contains("block 3 "), "{}", found.message);
    let third = input.match_indices("<<<<<<< SEARCH").nth(2).unwrap().0;
    assert_eq!((found.block, found.related.len()), (Some(4), 1));
    assert_eq!(found.related[0].span.start as usize, third);
}

/// The places that a hunk fits are told as long as they are those of the file on the disk.
#[test]
fn where_a_hunk_fits() {
    let hunk = |line: &str| format!("--- a/x\n+++ b/x\n@@ @@\n-{line}\n+{line}{line}\n");
    let places = |input: &str| {
        let run = diff(&[("x", "a\nb\na\nc\n")], input);
        run.refuses_for(&["ambiguous-hunk"]);
        let related = run.diagnostics[0].related.iter();
        related.map(|place| (place.path.clone(), place.position.unwrap().0.line)).collect::<Vec<_>>()
    };
    let file = || Some("x".to_owned());
    assert_eq!(places(&hunk("a")), [(file(), 1), (file(), 3)]);
    assert_eq!(places(&(hunk("c") + &hunk("a"))), []);
    let git = |line: &str| format!("diff --git a/x b/x\n{}", hunk(line));
    assert_eq!(places(&(git("c") + &git("a"))), []);
}
