//! `CodeParser`: parsing and in-memory editing.

use code_parser::{CodeBlock, CodeParser, CodeParserError, EditInstruction, HunkLine};

fn edit(old: &str, new: &str) -> EditInstruction {
    EditInstruction { file: "a.txt".to_owned(), old: old.to_owned(), new: new.to_owned() }
}

fn edits(reply: &str) -> Vec<(String, String, String)> {
    let edits = CodeParser::parse_edit_instructions(reply);
    edits.into_iter().map(|edit| (edit.file, edit.old, edit.new)).collect()
}

fn triple(file: &str, old: &str, new: &str) -> (String, String, String) {
    (file.to_owned(), old.to_owned(), new.to_owned())
}

/// The first example of the document.
#[test]
fn code_blocks_example() {
    let response = "Create `src/utils.py`:\n\n```python\ndef helper():\n    pass\n```\n";
    let blocks = CodeParser::extract_code_blocks(response);
    let [CodeBlock { language, content, filename, info, terminated }] = blocks.as_slice() else {
        panic!("{blocks:?}")
    };
    assert_eq!(language, "python");
    assert_eq!(content, "def helper():\n    pass");
    assert_eq!(filename.as_deref(), Some("src/utils.py"));
    assert_eq!(info, "python");
    assert!(terminated);
}

/// All blocks of a reply come in order, diff blocks and blocks without a name too.
#[test]
fn code_blocks_all() {
    let response = "```\na\n```\n~~~sh\nb\n~~~\n```diff\n-a\n+b\n```\n```rust x.rs\nc";
    let blocks = CodeParser::extract_code_blocks(response);
    let seen: Vec<_> = blocks
        .iter()
        .map(|block| (block.language.as_str(), block.content.as_str(), block.terminated))
        .collect();
    assert_eq!(
        seen,
        [("text", "a", true), ("sh", "b", true), ("diff", "-a\n+b", true), ("rust", "c", false)]
    );
    assert_eq!(CodeParser::extract_code_blocks("no block"), []);
}

/// The second example of the document.
#[test]
fn edit_instructions_example() {
    let response =
        "src/app.py\n<<<<<<< SEARCH\nVERSION = \"1.0\"\n=======\nVERSION = \"1.1\"\n>>>>>>> REPLACE\n";
    let edits = CodeParser::parse_edit_instructions(response);
    assert_eq!(edits.len(), 1);
    assert_eq!(edits[0].file, "src/app.py");
    let updated = CodeParser::apply_edit("VERSION = \"1.0\"\n", &edits[0]).unwrap();
    assert_eq!(updated, "VERSION = \"1.1\"\n");
}

/// The two sentences of the document.
#[test]
fn edit_instructions_sentences() {
    assert_eq!(edits("In file `main.py`, change `a` to `b`"), [triple("main.py", "a", "b")]);
    assert_eq!(edits("Update config.py: replace \"a\" with \"b\""), [triple("config.py", "a", "b")]);
    let mixed = "In file `m.py`, change `a` to `b`.\n\nn.py\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n\nUpdate o.py: replace \"e\" with \"f\".\n";
    assert_eq!(edits(mixed), [triple("m.py", "a", "b"), triple("n.py", "c", "d"), triple("o.py", "e", "f")]);
}

/// The path of a block is the line above it, or in the info string of the fence around it.
#[test]
fn edit_instructions_paths() {
    let block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    assert_eq!(edits(&format!("a.py\n{block}")), [triple("a.py", "a", "b")]);
    assert_eq!(edits(&format!("```python a.py\n{block}```\n")), [triple("a.py", "a", "b")]);
    assert_eq!(edits(&format!("```python:src/a.py\n{block}```\n")), [triple("src/a.py", "a", "b")]);
}

/// Several blocks in a row have the path of the first.
#[test]
fn edit_instructions_inherit() {
    let block = |old: &str| format!("<<<<<<< SEARCH\n{old}\n=======\nb\n>>>>>>> REPLACE\n");
    let row = format!("a.py\n{}\n{}{}", block("1"), block("2"), block("3"));
    assert_eq!(edits(&row), [triple("a.py", "1", "b"), triple("a.py", "2", "b"), triple("a.py", "3", "b")]);
}

/// What has no path, or no end, is left out.
#[test]
fn edit_instructions_left_out() {
    let block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    assert_eq!(edits(block), []);
    assert_eq!(edits("a.py\n<<<<<<< SEARCH\na\n=======\nb\n"), []);
    assert_eq!(edits("a.py\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n"), []);
}

/// An empty section is the empty text.
#[test]
fn edit_instructions_empty_sections() {
    assert_eq!(edits("a.py\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n"), [triple("a.py", "", "b")]);
    assert_eq!(edits("a.py\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n"), [triple("a.py", "a", "")]);
}

/// An edit must match once.
#[test]
fn apply_edit_matches_once() {
    assert_eq!(CodeParser::apply_edit("x\na\ny\n", &edit("a", "b\nc")).unwrap(), "x\nb\nc\ny\n");
    let missing = CodeParser::apply_edit("x\n", &edit("a", "b")).unwrap_err();
    assert!(matches!(&missing, CodeParserError::SearchNotFound { file } if file == "a.txt"), "{missing:?}");
    assert!(missing.to_string().contains("not found"), "{missing}");
    let twice = CodeParser::apply_edit("a\na\n", &edit("a", "b")).unwrap_err();
    assert!(
        matches!(&twice, CodeParserError::AmbiguousEdit { file, count: 2 } if file == "a.txt"),
        "{twice:?}"
    );
    assert!(twice.to_string().contains("ambiguous"), "{twice}");
}

/// An edit keeps the line endings of the text.
#[test]
fn apply_edit_keeps_line_endings() {
    assert_eq!(
        CodeParser::apply_edit("a\r\nb\r\nc\r\n", &edit("a\nb", "x\ny\nz")).unwrap(),
        "x\r\ny\r\nz\r\nc\r\n"
    );
    assert_eq!(CodeParser::apply_edit("a\nb\r\nc", &edit("b", "x")).unwrap(), "a\nx\r\nc");
}

/// An edit that matches nowhere exactly may differ in white space at the ends of lines.
#[test]
fn apply_edit_ignores_trailing_white_space() {
    let two = edit("a\nb", "X");
    assert_eq!(CodeParser::apply_edit("0\na \nb\t\n1\n", &two).unwrap(), "0\nX\n1\n");
    assert_eq!(CodeParser::apply_edit("a \nb\na\nb\n", &two).unwrap(), "a \nb\nX\n");
    assert!(matches!(
        CodeParser::apply_edit("a \nb\na\t\nb\n", &two),
        Err(CodeParserError::AmbiguousEdit { count: 2, .. })
    ));
    for near in ["  a\n  b\n", "a\n\nb\n", "A\nb\n"] {
        assert!(
            matches!(CodeParser::apply_edit(near, &two), Err(CodeParserError::SearchNotFound { .. })),
            "{near:?}"
        );
    }
}

/// An edit without a text to find appends; one without a new text deletes whole lines.
#[test]
fn apply_edit_with_an_empty_section() {
    assert_eq!(CodeParser::apply_edit("a\n", &edit("", "b")).unwrap(), "a\nb\n");
    assert_eq!(CodeParser::apply_edit("", &edit("", "b")).unwrap(), "b\n");
    assert_eq!(CodeParser::apply_edit("a\nb\nc\n", &edit("b", "")).unwrap(), "a\nc\n");
}

/// The third example of the document.
#[test]
fn unified_diff_example() {
    let diff = "--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    let patches = CodeParser::parse_unified_diff(diff).unwrap();
    assert_eq!(patches[0].path(), Some("x.txt"));
    assert_eq!(patches[0].apply("a\nb\n").unwrap(), "a\nc\n");
    assert_eq!(patches[0].hunks[0].old_start, 1);
    assert_eq!(
        patches[0].hunks[0].lines,
        [
            HunkLine::Context("a".to_owned()),
            HunkLine::Removed("b".to_owned()),
            HunkLine::Added("c".to_owned())
        ]
    );
}

fn patched(hunks: &str, before: &str) -> Result<String, CodeParserError> {
    let diff = format!("--- a/x\n+++ b/x\n{hunks}");
    CodeParser::parse_unified_diff(&diff)?[0].apply(before)
}

/// Headers without numbers, and with wrong counts.
#[test]
fn unified_diff_without_numbers() {
    assert_eq!(patched("@@ ... @@\n a\n-b\n+c\n", "0\na\nb\n").unwrap(), "0\na\nc\n");
    assert_eq!(patched("@@ -1,9 +1,7 @@\n a\n-b\n+c\n", "a\nb\n").unwrap(), "a\nc\n");
    let patches = CodeParser::parse_unified_diff("--- a/x\n+++ b/x\n@@ ... @@\n-b\n+c\n").unwrap();
    assert_eq!(patches[0].hunks[0].old_start, 0);
}

/// Blank context lines without their space.
#[test]
fn unified_diff_with_blank_lines() {
    assert_eq!(patched("@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nb\n").unwrap(), "a\n\nc\n");
}

/// A hunk is matched at the nearest place, exactly or else with white space at the ends of lines ignored.
#[test]
fn unified_diff_drifted() {
    assert_eq!(patched("@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "0\n0\na\nb\n").unwrap(), "0\n0\na\nc\n");
    assert_eq!(patched("@@ -4 +4 @@\n-b\n+c\n", "b\n2\n3\n4\nb\n").unwrap(), "b\n2\n3\n4\nc\n");
    assert_eq!(patched("@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a \nb\t\n").unwrap(), "a \nc\n");
    let error = patched("@@ -1 +1 @@\n-b\n+c\n", "x\n").unwrap_err();
    assert!(matches!(&error, CodeParserError::PatchConflict { file, hunk: 1 } if file == "x"), "{error:?}");
    assert!(error.to_string().contains("does not apply"), "{error}");
    assert!(matches!(
        patched("@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-z\n+Z\n", "a\nb\n"),
        Err(CodeParserError::PatchConflict { hunk: 2, .. })
    ));
}

/// `a/` and `b/` go, `/dev/null` creates and deletes, renames are read.
#[test]
fn unified_diff_names() {
    let parse = |diff: &str| CodeParser::parse_unified_diff(diff).unwrap().remove(0);
    let create = parse("--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n");
    assert_eq!((create.path(), create.is_new_file(), create.is_deleted()), (Some("n"), true, false));
    assert_eq!(create.apply("").unwrap(), "a\n");
    let delete = parse("--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
    assert_eq!((delete.path(), delete.is_new_file(), delete.is_deleted()), (Some("n"), false, true));
    assert_eq!(delete.apply("a\n").unwrap(), "");
    let rename = parse("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n");
    assert_eq!((rename.path(), rename.is_new_file(), rename.is_deleted()), (Some("y"), false, false));
    assert_eq!(rename.apply("a\n").unwrap(), "a\n");
}

/// `\ No newline at end of file` is understood.
#[test]
fn unified_diff_without_final_newline() {
    let marker = "\\ No newline at end of file\n";
    assert_eq!(patched(&format!("@@ -1 +1 @@\n-a\n+b\n{marker}"), "a\n").unwrap(), "b");
    assert_eq!(patched(&format!("@@ -1 +1 @@\n-a\n{marker}+b\n"), "a").unwrap(), "b\n");
}

/// A CRLF file stays one.
#[test]
fn unified_diff_of_a_crlf_file() {
    assert_eq!(patched("@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n", "a\r\nb\r\n").unwrap(), "a\r\nc\r\nd\r\n");
    assert_eq!(patched("@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n", "a\r\nb\r\n").unwrap(), "a\r\nc\r\n");
}

/// Prose around a diff is ignored, in fences and outside.
#[test]
fn unified_diff_in_prose() {
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    for text in
        [format!("Well:\n\n{diff}\nThat is all.\n"), format!("Well:\n\n```diff\n{diff}```\n\nDone.\n")]
    {
        let patches = CodeParser::parse_unified_diff(&text).unwrap();
        assert_eq!(patches.len(), 1, "{text}");
        assert_eq!(patches[0].apply("a\n").unwrap(), "b\n");
    }
    let two = format!("{diff}\nand\n\n{}", diff.replace('x', "y"));
    let patches = CodeParser::parse_unified_diff(&two).unwrap();
    assert_eq!(patches.iter().map(|patch| patch.path()).collect::<Vec<_>>(), [Some("x"), Some("y")]);
}

/// Patches come of every diff block of a reply, and of no other block.
#[test]
fn patches_of_a_reply() {
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    let reply = format!(
        "One:\n\n```diff\n{diff}```\n\nTwo:\n\n```patch\n{}```\n\n```python\n{}```\n\n```\n{}```\n",
        diff.replace('x', "y"),
        diff.replace('x', "z"),
        diff.replace('x', "w"),
    );
    let patches = CodeParser::extract_patches(&reply);
    assert_eq!(
        patches.iter().map(|patch| patch.path()).collect::<Vec<_>>(),
        [Some("x"), Some("y"), Some("w")]
    );
}

/// The language of a file, by extension or name.
#[test]
fn infer_language() {
    for (name, language) in [
        ("a.py", "python"),
        ("src/main.rs", "rust"),
        ("A.RS", "rust"),
        ("a.yml", "yaml"),
        ("Dockerfile", "dockerfile"),
        ("d/Makefile", "makefile"),
        ("CMakeLists.txt", "cmake"),
        ("go.mod", "gomod"),
        ("notes", "text"),
        ("a.unknown", "text"),
        (".gitignore", "text"),
        ("", "text"),
    ] {
        assert_eq!(CodeParser::infer_language(name), language, "{name:?}");
    }
}

/// Absolute paths are rejected.
#[test]
fn sanitize_rejects_absolute_paths() {
    for path in ["/x", "C:\\x", "c:x", "\\\\server\\share", "~/x", "~", "\\x", "//x"] {
        let error = CodeParser::sanitize_filename(path).unwrap_err();
        assert!(matches!(error, CodeParserError::PathTraversal(_)), "{path:?}: {error:?}");
    }
}

/// A `..` component is rejected, with either separator.
#[test]
fn sanitize_rejects_parents() {
    for path in ["..", "../x", "a/../b", "a/..", "..\\x", "a\\..\\b"] {
        let error = CodeParser::sanitize_filename(path).unwrap_err();
        assert!(matches!(error, CodeParserError::PathTraversal(_)), "{path:?}: {error:?}");
    }
    assert_eq!(CodeParser::sanitize_filename("a..b/..c").unwrap(), "a..b/..c");
}

/// A path inside `.git` is rejected, however it is spelled.
#[test]
fn sanitize_rejects_git() {
    for path in [
        ".git",
        ".git/hooks/pre-commit",
        "a/.git/config",
        ".GIT/config",
        ".git\\config",
        "./.git/x",
        ".git./x",
        "GIT~1/x",
    ] {
        assert!(CodeParser::sanitize_filename(path).is_err(), "{path:?}");
    }
    for path in [".gitignore", ".github/workflows/x.yml", "a.git/x", "git/x"] {
        assert_eq!(CodeParser::sanitize_filename(path).unwrap(), path);
    }
}

/// Control characters, `:`, empty paths and a separator at the end are rejected.
#[test]
fn sanitize_rejects_what_names_no_file() {
    for path in
        ["a\0b", "a\nb", "a\u{1b}b", "a\u{7f}", "a\u{85}b", "a:b", "file.txt:stream", "", " ", "a/", "a\\"]
    {
        let error = CodeParser::sanitize_filename(path).unwrap_err();
        assert!(
            matches!(error, CodeParserError::InvalidFilename(_) | CodeParserError::PathTraversal(_)),
            "{path:?}: {error:?}"
        );
    }
}

/// `./` and `//` go, and separators become `/`.
#[test]
fn sanitize_normalizes() {
    for (path, normal) in [
        ("./a", "a"),
        ("a//b", "a/b"),
        ("a/./b", "a/b"),
        ("a\\b\\c", "a/b/c"),
        (".\\a\\\\b", "a/b"),
        ("a b", "a b"),
    ] {
        assert_eq!(CodeParser::sanitize_filename(path).unwrap(), normal, "{path:?}");
    }
}
