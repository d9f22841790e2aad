//! Fenced code blocks, the files that they are, sentences, and what is refused by judgement.

use std::collections::BTreeSet;

use code_parser::apply::plan::Options;
use code_parser::ast::{InputKind, Node};
use code_parser::diagnostic::{Code, Severity};
use code_parser::source::Source;
use code_parser::{CodeBlock, CodeParser, parse};

use crate::support::{bare, block, diff, fsrb, outline, response, run_with};

/// The blocks of a reply.
fn blocks(input: &str) -> Vec<CodeBlock> {
    CodeParser::extract_code_blocks(input)
}

/// The contents of the blocks of a reply.
fn contents(input: &str) -> Vec<String> {
    blocks(input).into_iter().map(|block| block.content).collect()
}

/// The file names of the blocks of a reply.
fn names(input: &str) -> Vec<Option<String>> {
    blocks(input).into_iter().map(|block| block.filename).collect()
}

/// The name of a block below these lines, without any other name.
fn name_below(lines: &str) -> Option<String> {
    let mut names = names(&format!("{lines}\n\n```\ncontent\n```\n"));
    assert_eq!(names.len(), 1, "{lines}");
    names.pop().flatten()
}

/// Language and file name of a block with this info string.
fn info(info: &str) -> (String, Option<String>) {
    let mut blocks = blocks(&format!("```{info}\nx\n```\n"));
    assert_eq!(blocks.len(), 1, "{info}");
    let block = blocks.remove(0);
    (block.language, block.filename)
}

/// Three or more backticks or tildes open a block; fewer, or a tab before them, do not.
#[test]
fn fences_open() {
    for fence in ["```", "````", "~~~", "~~~~~", "   ```", "        ```", "                    ~~~"] {
        assert_eq!(contents(&format!("{fence}\nx\n{fence}\n")), ["x"], "{fence:?}");
    }
    for text in ["``", "~~", "\t```", " \t~~~", "a ```"] {
        assert_eq!(contents(&format!("{text}\nx\n")), [""; 0], "{text:?}");
    }
}

/// A fence may stand behind a list marker on its line.
#[test]
fn fences_behind_a_list_marker() {
    for (marker, indent) in
        [("- ", "  "), ("* ", "  "), ("+ ", "  "), ("1. ", "   "), ("10) ", "    "), ("  - ", "    ")]
    {
        let input = format!("{marker}```python\n{indent}a\n{indent}  b\n{indent}```\nafter\n");
        assert_eq!(contents(&input), ["a\n  b"], "{marker:?}");
        assert!(blocks(&input)[0].terminated, "{marker:?}");
    }
}

/// The info string of a backtick fence holds no backtick; that of a tilde fence may.
#[test]
fn fences_info_without_backtick() {
    assert_eq!(contents("``` a`b\n"), [""; 0]);
    assert_eq!(contents("```x```\n"), [""; 0]);
    assert_eq!(contents("~~~ a`b~\nx\n~~~\n"), ["x"]);
}

/// The closer has the same character, is at least as long and has no info string.
#[test]
fn fences_close() {
    assert_eq!(contents("```\nx\n`````\n"), ["x"]);
    assert_eq!(contents("````\n```\n````\n"), ["```"]);
    assert_eq!(contents("```\n~~~\n```\n"), ["~~~"]);
    assert_eq!(contents("~~~\n```\n~~~\n"), ["```"]);
    assert_eq!(contents("```\n```python\n```\n"), ["```python"]);
}

/// The closer is at most three columns further in than its opener; in a diff block not further in at all.
#[test]
fn fences_close_by_column() {
    for (opener, closer) in [("", ""), ("", "   "), ("  ", ""), ("  ", "     "), ("    ", "  ")] {
        let input = format!("{opener}```\n{opener}x\n{closer}```\nafter\n");
        assert_eq!(contents(&input), ["x"], "{opener:?} {closer:?}");
        assert!(blocks(&input)[0].terminated);
    }
    assert_eq!(contents("```\nx\n    ```\ny\n```\n"), ["x\n    ```\ny"]);
    assert_eq!(contents("```diff\nx\n ```\ny\n```\n"), ["x\n ```\ny"]);
}

/// Only spaces and tabs are trimmed of a closer.
#[test]
fn fences_are_trimmed_of_spaces_and_tabs() {
    assert_eq!(contents("```\nx\n``` \t\n"), ["x"]);
    for other in ["\u{a0}", "\u{c}", "\u{3000}", "\u{200b}"] {
        assert!(!blocks(&format!("```\nx\n```{other}\n"))[0].terminated, "{other:?}");
    }
}

/// Block quotes are not looked into; HTML is.
#[test]
fn fences_in_quotes_and_html() {
    assert_eq!(contents("> ```\n> x\n> ```\n"), [""; 0]);
    assert_eq!(contents("<details>\n```\nx\n```\n</details>\n"), ["x"]);
    assert_eq!(contents("<!--\n```\nx\n```\n-->\n"), ["x"]);
}

/// In a markdown block fences with info nest; a bare one closes the innermost.
#[test]
fn nested_fences() {
    for opener in ["```markdown", "```md", "```mdx", "```README.md", "```Markdown"] {
        let input = format!("{opener}\n# A\n```python\nx\n```\n```sh\ny\n```\nend\n```\nafter\n");
        let blocks = blocks(&input);
        assert_eq!(blocks.len(), 1, "{opener}");
        assert_eq!(blocks[0].content, "# A\n```python\nx\n```\n```sh\ny\n```\nend", "{opener}");
        assert!(blocks[0].terminated, "{opener}");
    }
    let deep = "```md\n````md\n```python\nx\n```\n````\n```\n";
    assert_eq!(contents(deep), ["````md\n```python\nx\n```\n````"]);
}

/// Only fences of the outer one's character and at least its length nest.
#[test]
fn nested_fences_of_the_same_kind() {
    assert_eq!(contents("````markdown\n```python\nx\n```\n````\nafter\n"), ["```python\nx\n```"]);
    assert_eq!(contents("````markdown\n```python\n````\n"), ["```python"]);
    assert_eq!(contents("```markdown\n~~~python\n```\n"), ["~~~python"]);
}

/// In a block of another language nothing nests.
#[test]
fn nested_fences_in_markdown_only() {
    assert_eq!(contents("```text\n```python\nx\n```\n"), ["```python\nx"]);
    assert_eq!(contents("```\n```python\nx\n```\n"), ["```python\nx"]);
}

/// When the input ends before the outer fence closes, the block is not terminated.
#[test]
fn nested_fences_without_an_end() {
    let blocks = blocks("```markdown\n```python\nx\n```\n");
    assert_eq!(blocks.len(), 1);
    assert!(!blocks[0].terminated);
}

const AMBIGUOUS: &str = "```markdown README.md\n# T\n```\ncode\n```\nmore\n```\n";

/// A markdown file whose block is closed by a bare fence, with text and another bare fence behind, is refused.
#[test]
fn ambiguous_nesting() {
    response(&[], AMBIGUOUS).refuses_for(&["ambiguous-nesting"]);
    assert!(!blocks(AMBIGUOUS)[0].terminated);
    let allow = Options { allow: BTreeSet::from([Code::AmbiguousNesting]), ..Options::default() };
    run_with(InputKind::Response, &[], AMBIGUOUS, &allow).gives(&[("README.md", "# T\n")]);
}

/// Without a file name, or without text between, or with a fence that has an info string, nothing is ambiguous.
#[test]
fn ambiguous_nesting_only_then() {
    let unnamed = "```markdown\n# T\n```\ncode\n```\nx\n```\n";
    assert!(blocks(unnamed)[0].terminated);
    let no_text = "```markdown README.md\n# T\n```\n\n```\nx\n```\n";
    assert!(blocks(no_text)[0].terminated);
    let with_info = "```markdown README.md\n# T\n```\ncode\n```sh\nx\n```\n";
    assert!(blocks(with_info)[0].terminated);
    let not_markdown = "```python a.py\nx\n```\n\ntext\n```\ny\n```\n";
    assert!(blocks(not_markdown)[0].terminated);
    let goes_on = "```python a.py\nx\n```\ncode\n```\ny\n```\n";
    assert!(!blocks(goes_on)[0].terminated);
    let shorter = "````markdown README.md\n# T\n````\ncode\n```\ny\n```\n";
    assert!(blocks(shorter)[0].terminated);
}

/// A fence line at the end of a REPLACE section, in a block that holds more than edits, may be the end of the block.
#[test]
fn a_block_that_may_end_within_an_edit() {
    let files = [("a.py", "x\n")];
    let reply = |replace: &str, more: &str| {
        format!("```python\na.py\n<<<<<<< SEARCH\nx\n=======\n{replace}>>>>>>> REPLACE\n{more}```\n")
    };
    let run = response(&files, &reply("y\n```\n", "more\n"));
    run.refuses(&[("ambiguous-nesting", 1)]);
    let [related] = run.diagnostics[0].related.as_slice() else { panic!("{run:?}") };
    let early = reply("y\n```\n", "more\n").find("```\n>>>>>>>").unwrap();
    assert_eq!((related.span.start as usize, related.span.end as usize), (early, early + 3));
    // A block of nothing but edits ends behind them, and fences in pairs belong to the text.
    response(&files, &reply("y\n```\n", "")).gives(&[("a.py", "y\n```\n")]);
    response(&files, &reply("```\ny\n```\n", "more\n")).gives(&[("a.py", "```\ny\n```\n")]);
    response(&files, &reply("y\n~~~\n", "more\n")).gives(&[("a.py", "y\n~~~\n")]);
}

/// What begins as an edit in another form is no content of a file, but of a document or a diff that may begin so.
#[test]
fn a_block_that_begins_as_an_edit_in_another_form() {
    let other = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n";
    let signed = "-x\n+y\n";
    for (name, content, is_written) in [
        ("NOTES.md", other, true),
        ("NOTES.md", signed, true),
        ("fix.patch", signed, true),
        ("a.py", other, false),
        ("a.py", signed, false),
    ] {
        let run = response(&[], &format!("```text {name}\n{content}```\n"));
        assert_eq!(run.writes(name, content), is_written, "{name} {content}");
        assert_eq!(run.is_applied(), is_written, "{name} {content}");
    }
}

/// The opener's indentation is removed, CRLF becomes LF, blank lines at both ends go, no final newline is left.
#[test]
fn block_content() {
    assert_eq!(contents("```\n\n\nx\n\ny\n\n```\n"), ["x\n\ny"]);
    assert_eq!(contents("```\r\na\r\n b\r\n```\r\n"), ["a\n b"]);
    assert_eq!(contents("   ```\n   a\n     b\n  c\n\td\n   ```\n"), ["a\n  b\nc\n\td"]);
    assert_eq!(contents("```\n```\n"), [""]);
    assert_eq!(contents("```\n\n\n```\n"), [""]);
    assert_eq!(contents("```\nlone\rcr\n```\n"), ["lone\rcr"]);
}

/// The body as it stands can be had too.
#[test]
fn block_content_raw() {
    let source = Source::new("  ```\r\n\r\n  x\r\n  ```\r\n").unwrap();
    let parsed = parse(&source, InputKind::Response);
    let [Node::CodeBlock(block)] = parsed.document.nodes.as_slice() else { panic!("{parsed:?}") };
    assert_eq!(source.slice(block.body), "\r\n  x\r\n");
}

/// The opener's indentation is removed from edit blocks and diffs inside too.
#[test]
fn block_content_of_edits() {
    let edit = "- Change it:\n\n  ```python a.py\n  <<<<<<< SEARCH\n  a\n    b\n  =======\n  c\n    d\n  >>>>>>> REPLACE\n  ```\n";
    response(&[("a.py", "a\n  b\n")], edit).gives(&[("a.py", "c\n  d\n")]);
    let patch =
        "- Change it:\n\n  ```diff\n  --- a/a.py\n  +++ b/a.py\n  @@ -1,2 +1,2 @@\n   a\n  -b\n  +c\n  ```\n";
    response(&[("a.py", "a\nb\n")], patch).gives(&[("a.py", "a\nc\n")]);
}

/// An edit block that stands further left than the fence around it loses no more than its SEARCH line has.
#[test]
fn block_content_of_an_edit_left_of_its_fence() {
    let files = [("a.py", "def f():\n    a\n")];
    let edit = block("a.py", "    a\n", "    b\n");
    let expected = [("a.py", "def f():\n    b\n")];
    response(&files, &format!("- Change it:\n\n  ```python\n{edit}  ```\n")).gives(&expected).notes(&[]);
    let indented: String = edit.split_inclusive('\n').map(|line| format!(" {line}")).collect();
    response(&files, &format!("- Change it:\n\n   ```python\n{indented}   ```\n"))
        .gives(&expected)
        .notes(&[]);
    // The block behind it loses its own.
    let both = format!(
        "- So:\n\n    ```python\n{edit}    b.py\n    <<<<<<< SEARCH\n    =======\n    x\n    >>>>>>> REPLACE\n    ```\n"
    );
    response(&files, &both).gives(&[("a.py", "def f():\n    b\n"), ("b.py", "x\n")]);
}

/// The first word up to a comma, a brace or a colon is the language.
#[test]
fn info_string_and_language() {
    for (text, language) in [
        ("rust", "rust"),
        ("Rust", "rust"),
        ("  python  ", "python"),
        ("rust,ignore", "rust"),
        ("rust{1,3}", "rust"),
        ("{.python key=1}", "python"),
        ("{.Rust}", "rust"),
        ("c++", "c++"),
        ("", "text"),
    ] {
        assert_eq!(info(text), (language.to_owned(), None), "{text:?}");
    }
}

/// A word of the info string that looks like a file is the name of the file.
#[test]
fn info_string_and_path() {
    for (text, language, path) in [
        ("rust src/lib.rs", "rust", "src/lib.rs"),
        ("rust:src/lib.rs", "rust", "src/lib.rs"),
        ("src/lib.rs", "rust", "src/lib.rs"),
        ("main.py", "python", "main.py"),
        ("rust title=\"src/lib.rs\"", "rust", "src/lib.rs"),
        ("rust file=src/lib.rs", "rust", "src/lib.rs"),
        ("rust path='src/lib.rs'", "rust", "src/lib.rs"),
        ("rust filename=\"my file.rs\"", "rust", "my file.rs"),
        ("python main.py", "python", "main.py"),
        ("make Makefile", "make", "Makefile"),
        ("sh .env", "sh", ".env"),
        ("text .my_settings", "text", ".my_settings"),
        ("text .x.mine", "text", ".x.mine"),
        ("text docs/notes", "text", "docs/notes"),
        ("{.python file=a.py}", "python", "a.py"),
    ] {
        assert_eq!(info(text), (language.to_owned(), Some(path.to_owned())), "{text:?}");
    }
}

/// An address, a version, a flag or a plain word of the info string is no file.
#[test]
fn info_string_without_path() {
    for text in [
        "bash -c",
        "json v1.2",
        "text https://example.org/a/b",
        "rust --edition=2021",
        "python copy",
        "js 1.0.0",
        "sh -o/x",
    ] {
        assert_eq!(info(text).1, None, "{text:?}");
    }
}

/// Without a language the file's name tells it; without both it is text.
#[test]
fn info_string_and_inferred_language() {
    assert_eq!(info("title=\"a.rb\"").0, "ruby");
    assert_eq!(info("Dockerfile").0, "dockerfile");
    assert_eq!(blocks("Create `a.go`:\n```\nx\n```\n")[0].language, "go");
    assert_eq!(blocks("Words.\n```\nx\n```\n")[0].language, "text");
}

/// The info string comes before a comment on the first line, that before the prose above.
#[test]
fn file_name_of_a_code_block_in_order() {
    let all = "Create `c.py`:\n```python a.py\n# file: b.py\nx\n```\n";
    assert_eq!(names(all), [Some("a.py".to_owned())]);
    let comment = "Create `c.py`:\n```python\n# file: b.py\nx\n```\n";
    assert_eq!(names(comment), [Some("b.py".to_owned())]);
    let prose = "Create `c.py`:\n```python\nx\n```\n";
    assert_eq!(names(prose), [Some("c.py".to_owned())]);
}

/// A comment with a key on the first line names the file; without a key, or further down, it does not.
#[test]
fn file_name_of_a_code_block_in_a_comment() {
    let first = |line: &str| names(&format!("```\n{line}\nx\n```\n")).remove(0);
    for line in [
        "# file: src/x.rs",
        "// path: src/x.rs",
        "<!-- filename: src/x.rs -->",
        "// File: src/x.rs",
        "/* file: src/x.rs */",
        "-- path: src/x.rs",
    ] {
        assert_eq!(first(line).as_deref(), Some("src/x.rs"), "{line}");
    }
    for line in ["# src is a folder", "# see x.rs", "file: src/x.rs"] {
        assert_eq!(first(line), None, "{line}");
    }
    assert_eq!(names("```\nx\n# file: a.py\n```\n"), [None]);
}

/// Lines above the block that name its file.
#[test]
fn file_name_of_a_code_block_in_prose() {
    for (line, name) in [
        ("Create `x.py`:", "x.py"),
        ("Create `x.py`", "x.py"),
        ("Update `src/x.py` so that it is fast:", "src/x.py"),
        ("Now we are editing `x.py`.", "x.py"),
        ("Replace `x.py` with this:", "x.py"),
        ("### `src/main.rs`", "src/main.rs"),
        ("## src/main.rs", "src/main.rs"),
        ("**File:** `a.rs`", "a.rs"),
        ("File: a.rs", "a.rs"),
        ("Filename: `a.xyzzy`", "a.xyzzy"),
        ("Path: src/a.rs", "src/a.rs"),
        ("Here's the updated `config.yaml`:", "config.yaml"),
        ("in the file `x`", "x"),
        ("Put this into the file `x.rs`", "x.rs"),
        ("**src/a.rs**", "src/a.rs"),
        ("- `src/a.rs`:", "src/a.rs"),
        ("1. `src/a.rs`", "src/a.rs"),
        ("src/a.rs:", "src/a.rs"),
        ("Create `Makefile`:", "Makefile"),
    ] {
        assert_eq!(name_below(line).as_deref(), Some(name), "{line}");
    }
}

/// Lines above the block that name nothing.
#[test]
fn file_name_of_a_code_block_in_no_prose() {
    for line in [
        "Run `x.py`:",
        "See `x.py`:",
        "Use `x.py`:",
        "Call `x.py`:",
        "Import `x.py`:",
        "Delete `x.py`:",
        "Remove `x.py`:",
        "Rename `x.py`:",
        "Move `x.py`:",
        "The output of `x.py`:",
        "Taken from `x.py`:",
        "Made by `x.py`:",
        "Like `x.py`:",
        "Do not change `x.py`:",
        "Never edit `x.py`:",
        "`x.py` works:",
        "Update `a.py` and `b.py`:",
        "| `x.py` | new |",
        "Create a Node.js server:",
        "Create `foo`:",
        "This is about `x.py` and nothing else.",
        "Some words",
    ] {
        assert_eq!(name_below(line), None, "{line}");
    }
}

/// Three lines of prose count, blank ones not, the nearest first, and none before the node above.
#[test]
fn file_name_of_a_code_block_within_three_lines() {
    assert_eq!(name_below("Create `a.py`:\n\nOne.\n\nTwo.").as_deref(), Some("a.py"));
    assert_eq!(name_below("Create `a.py`:\nOne.\nTwo.\nThree."), None);
    assert_eq!(name_below("Create `a.py`:\nCreate `b.py`:").as_deref(), Some("b.py"));
    let two = "Create `a.py`:\n```python\nx\n```\n```bash\npython a.py\n```\n";
    assert_eq!(names(two), [Some("a.py".to_owned()), None]);
}

/// A name is never inherited.
#[test]
fn file_name_of_a_code_block_not_inherited() {
    let input = "Create `a.py`:\n\n```python\nx = 1\n```\n\nRun it with:\n\n```bash\npython a.py\n```\n";
    assert_eq!(names(input), [Some("a.py".to_owned()), None]);
    response(&[], input).gives(&[("a.py", "x = 1\n")]);
}

const PATCH: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";

/// A block tagged as a diff, or without a tag and with a file header first, is applied as patches.
#[test]
fn a_diff_block() {
    for opener in ["```diff", "```patch", "```udiff", "```", "~~~diff"] {
        let closer = if opener.starts_with('~') { "~~~" } else { "```" };
        response(&[("x.py", "a\n")], &format!("{opener}\n{PATCH}{closer}\n")).gives(&[("x.py", "b\n")]);
    }
    assert_eq!(outline(InputKind::Response, &format!("```python\n{PATCH}```\n")), "code_block");
}

/// A diff block is never the content of a file, even when it names one.
#[test]
fn a_diff_block_is_no_content() {
    response(&[("x.py", "a\n")], &format!("Create `y.diff`:\n\n```diff\n{PATCH}```\n"))
        .gives(&[("x.py", "b\n")]);
    response(&[("x.py", "a\n")], &format!("Update `x.py`:\n\n```diff\n{PATCH}```\n"))
        .gives(&[("x.py", "b\n")]);
}

/// A diff block without a file header has no path.
#[test]
fn a_diff_block_without_a_file() {
    response(&[("x.py", "a\n")], "Words.\n\n```diff\n-a\n+b\n```\n").refuses(&[("missing-path", 3)]);
}

/// A block that names a file replaces it or creates it.
#[test]
fn a_whole_file_block() {
    let input = "```python a.py\nx\ny\n```\n";
    response(&[], input).gives(&[("a.py", "x\ny\n")]).reports(&[("a.py", "created")]);
    response(&[("a.py", "old\n")], input).gives(&[("a.py", "x\ny\n")]).reports(&[("a.py", "modified")]);
    response(&[("a.py", "old\r\nfile\r\n")], input).gives(&[("a.py", "x\r\ny\r\n")]);
    response(&[("a.py", "x\ny\n")], input)
        .gives(&[("a.py", "x\ny\n")])
        .reports(&[("a.py", "unchanged")])
        .finds(Severity::Warning, &["no-op"]);
}

/// Edits of a file see the block before them; a block after them replaces what they did.
#[test]
fn a_whole_file_block_in_order() {
    let whole = "```python a.py\nx\ny\n```\n\n";
    let edit = block("a.py", "x\n", "z\n");
    response(&[], &format!("{whole}{edit}")).gives(&[("a.py", "z\ny\n")]).reports(&[("a.py", "created")]);
    response(&[("a.py", "x\n")], &format!("{edit}\n{whole}")).gives(&[("a.py", "x\ny\n")]);
    response(&[("a.py", "old\n")], &format!("{whole}{whole}")).gives(&[("a.py", "x\ny\n")]);
}

/// A fence of any shape inside a file of another language is content, and CRLF replies are read alike.
#[test]
fn a_whole_file_block_of_a_crlf_reply() {
    let input = "Create `a.py`:\r\n\r\n```python\r\nx\r\n  y\r\n```\r\n";
    response(&[], input).gives(&[("a.py", "x\n  y\n")]);
    response(&[("a.py", "1\r\n")], input).gives(&[("a.py", "x\r\n  y\r\n")]);
}

/// An empty block does not empty a file that exists.
#[test]
fn a_whole_file_block_that_is_empty() {
    let input = "Words.\n```python a.py\n```\n";
    response(&[("a.py", "x\n")], input).refuses(&[("empty-block", 2)]);
    response(&[], input).gives(&[("a.py", "")]);
}

/// Sentences that say which text of which file to replace with which.
#[test]
fn sentences() {
    for sentence in [
        "In file `m.py`, change `a` to `b`.",
        "Update m.py: replace \"a\" with \"b\".",
        "in file `m.py`, change 'a' to 'b'",
        "IN FILE `m.py`, CHANGE `a` TO `b`.",
        "In `m.py`, replace “a” with “b”.",
        "- In file `m.py`, change `a` to `b`.",
        "1. In file `m.py`, change ‘a’ to ‘b’.",
    ] {
        println!("{sentence}");
        response(&[("m.py", "x = a\n")], &format!("{sentence}\n")).gives(&[("m.py", "x = b\n")]);
    }
    let both = "In file `m.py`, change `a` to `b`. In file `n.py`, change `c` to `d`.\n";
    response(&[("m.py", "a\n"), ("n.py", "c\n")], both).gives(&[("m.py", "b\n"), ("n.py", "d\n")]);
}

/// A sentence's text must be in the file once.
#[test]
fn sentences_match_once() {
    let input = "Well:\n\nIn file `m.py`, change `a` to `b`.\n";
    response(&[("m.py", "x\n")], input).refuses(&[("search-not-found", 3)]);
    response(&[("m.py", "a\na\n")], input).refuses(&[("ambiguous-match", 3)]);
    response(&[], input).refuses(&[("file-not-found", 3)]);
}

/// A sentence for a file that the same reply edits by block or diff only tells of that.
#[test]
fn sentences_that_narrate() {
    let sentence = "In file `m.py`, change `a` to `c`.\n\n";
    let edit = block("m.py", "a\n", "b\n");
    response(&[("m.py", "a\n")], &format!("{sentence}{edit}"))
        .gives(&[("m.py", "b\n")])
        .notes(&[("ignored-narration", 1)]);
    let patch = "--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-a\n+b\n";
    response(&[("m.py", "a\n")], &format!("{sentence}{patch}"))
        .gives(&[("m.py", "b\n")])
        .notes(&[("ignored-narration", 1)]);
    let shown = format!("{edit}\nCreate `m.py`:\n\n```python\nwhole\n```\n");
    response(&[("m.py", "a\n")], &shown).gives(&[("m.py", "b\n")]).notes(&[("ignored-narration", 10)]);
}

/// A block without its end refuses the whole input.
#[test]
fn unterminated_edit_block() {
    let good = block("a.txt", "a\n", "b\n");
    for cut in ["c.txt\n<<<<<<< SEARCH\nc\n", "c.txt\n<<<<<<< SEARCH\nc\n=======\nd\n"] {
        let before = [("a.txt", "a\n"), ("c.txt", "c\n")];
        fsrb(&before, &format!("{good}{cut}")).refuses(&[("unterminated-block", 8)]);
        response(&before, &format!("{good}{cut}")).refuses(&[("unterminated-block", 8)]);
    }
}

/// A code block without its end refuses the whole input.
#[test]
fn unterminated_fence() {
    let input = "```python a.py\nx\n```\n\n```python b.py\ny\n";
    response(&[], input).refuses(&[("unterminated-fence", 5)]);
}

/// A fence without its end around nothing but complete edit blocks is only a warning.
#[test]
fn unterminated_fence_around_edits() {
    let input = format!("```python\n{}", block("a.txt", "a\n", "b\n"));
    response(&[("a.txt", "a\n")], &input).gives(&[("a.txt", "b\n")]).warns(&[("unterminated-fence", 1)]);
    let more = format!("{input}and more\n");
    response(&[("a.txt", "a\n")], &more).refuses_with(("unterminated-fence", 1));
}

/// A line that stands for code left out is refused in a reply, and named elsewhere.
#[test]
fn placeholders() {
    for line in [
        "// ... existing code ...",
        "# ... rest of the code ...",
        "    // ... existing code ...",
        "<!-- ... existing content ... -->",
    ] {
        println!("{line}");
        response(&[("a.rs", "x\ny\n")], &format!("```rust a.rs\nx\n{line}\n```\n"))
            .refuses_for(&["omission-placeholder"]);
        let edit = block("a.rs", "x\n", &format!("x\n{line}\n"));
        response(&[("a.rs", "x\ny\n")], &edit).refuses_for(&["omission-placeholder"]);
        fsrb(&[("a.rs", "x\ny\n")], &edit)
            .gives(&[("a.rs", &format!("x\n{line}\ny\n"))])
            .finds(Severity::Warning, &["omission-placeholder"]);
        let patch = format!("--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,3 @@\n x\n+{line}\n y\n");
        diff(&[("a.rs", "x\ny\n")], &patch)
            .gives(&[("a.rs", &format!("x\n{line}\ny\n"))])
            .finds(Severity::Warning, &["omission-placeholder"]);
    }
}

/// A placeholder that the old content has may stay, and one may be allowed.
#[test]
fn placeholders_that_are_there() {
    let line = "// ... existing code ...\n";
    response(&[("a.rs", &format!("x\n{line}"))], &format!("```rust a.rs\ny\n{line}```\n"))
        .gives(&[("a.rs", &format!("y\n{line}"))]);
    response(
        &[("a.rs", &format!("x\n{line}"))],
        &block("a.rs", &format!("x\n{line}"), &format!("y\n{line}")),
    )
    .gives(&[("a.rs", &format!("y\n{line}"))]);
    let allow = Options { allow: BTreeSet::from([Code::OmissionPlaceholder]), ..Options::default() };
    run_with(InputKind::Response, &[("a.rs", b"x\n")], &format!("```rust a.rs\n{line}```\n"), &allow)
        .gives(&[("a.rs", line)]);
}

/// A file's name on the line above an edit block is not taken for a code block's.
#[test]
fn edits_in_a_fence_are_no_content() {
    let input = format!("Update `a.py`:\n\n```python\n{}```\n", bare("a\n", "b\n"));
    response(&[("a.py", "a\n")], &input).gives(&[("a.py", "b\n")]).reports(&[("a.py", "modified")]);
}

/// A code block that holds nothing but a path names the edit block below it, and is no file itself.
#[test]
fn a_block_that_is_only_a_path() {
    let before = [("a.py", "a\n")];
    for above in ["```\na.py\n```\n", "Update `a.py`:\n\n```\na.py\n```\n"] {
        let input = format!("{above}{}", bare("a\n", "b\n"));
        response(&before, &input).gives(&[("a.py", "b\n")]).reports(&[("a.py", "modified")]);
    }
    response(&before, "Update `a.py`:\n\n```\na.py\n```\n").refuses(&[("no-changes", 0)]);
}

/// A sentence between a path and a code block is what the path belongs to.
#[test]
fn a_sentence_takes_the_name_above_it() {
    let input = "In `a.py`, change `a` to `b`. Then run:\n\n```\nx\n```\n";
    response(&[("a.py", "a\n")], input).gives(&[("a.py", "b\n")]);
    let input = "Create `b.py`:\nIn `a.py`, change `a` to `b`.\n\n```\nx\n```\n";
    response(&[("a.py", "a\n")], input).gives(&[("a.py", "b\n")]);
}

/// Attributes in braces end with the line at the latest, and a lone dot among them is nothing.
#[test]
fn attributes_in_braces_that_are_not_whole() {
    for written in ["{.python file=a.py", "{.python . file=a.py}", "{. .python,file=a.py"] {
        assert_eq!(info(written), ("python".to_owned(), Some("a.py".to_owned())), "{written}");
    }
}

/// An open box of a list is to be done, a ticked one is done.
#[test]
fn sentences_with_a_box() {
    let before = [("m.py", "a\n")];
    response(&before, "- [ ] In file `m.py`, change `a` to `b`.\n").gives(&[("m.py", "b\n")]);
    for tick in ["[x]", "[X]"] {
        let input = format!("- {tick} In file `m.py`, change `a` to `b`.\n");
        response(&before, &input).refuses(&[("no-changes", 0)]);
    }
}

/// A text that ends in a mark of its own where the sentence has none is open: the mark may be the sentence's.
#[test]
fn sentences_with_a_mark_within_the_quotes() {
    let before = [("m.py", "a\n")];
    response(&before, "In file `m.py`, change \"a\" to \"b.\"\n").refuses(&[("no-changes", 0)]);
    response(&before, "In file `m.py`, change `a` to `b.`\n").gives(&[("m.py", "b.\n")]);
}

/// A whole file whose lines all have the sign of a diff's line is one that lost its header.
#[test]
fn a_file_of_signed_lines() {
    let input = "```python a.py\n same\n-old\n+new\n```\n";
    response(&[("a.py", "same\nold\n")], input).refuses_for(&["malformed-hunk"]);
    let list = "```text a.txt\n- one\n- two\n```\n";
    response(&[], list).gives(&[("a.txt", "- one\n- two\n")]);
}

/// A heading or a line that announces a part, between the name and the block, ends the search for the name.
#[test]
fn file_name_of_a_code_block_not_above_what_tells_of_something_else() {
    let name = |between: &str, tag: &str| {
        names(&format!("Create `a.py`:\n\n{between}\n\n```{tag}\nx\n```\n"))[0].clone()
    };
    for between in ["## Usage", "Add this function:"] {
        assert_eq!(name(between, "python"), None, "{between}");
    }
    assert_eq!(name("Words.", "python").as_deref(), Some("a.py"));
}

/// Words that introduce a command end it only above a block that may show one.
#[test]
fn file_name_of_a_code_block_below_words_on_a_command() {
    let name = |tag: &str| names(&format!("Create `a.py`:\n\nRun it with:\n\n```{tag}\nx\n```\n"))[0].clone();
    for tag in
        ["", "bash", "console", "output", "powershell", "sh", "shell", "terminal", "text", "zsh", "Bash"]
    {
        assert_eq!(name(tag), None, "{tag}");
    }
    for tag in ["python", "py"] {
        assert_eq!(name(tag).as_deref(), Some("a.py"), "{tag}");
    }
    let words = |tag: &str| names(&format!("Create `a.py`:\n\nIt is good.\n\n```{tag}\nx\n```\n"))[0].clone();
    assert_eq!(words("bash").as_deref(), Some("a.py"));
}

/// What may be meant as the path of a block that is no file is told; where the block is one, or edits, it is not.
#[test]
fn a_doubtful_path_is_told_where_the_block_has_none() {
    response(&[], "```python my dir/a.py\nx\n```\n").warns(&[("ignored-text", 1)]);
    let named = "```python my dir/a.py\n# File: b.py\nx\n```\n";
    response(&[], named).warns(&[]);
    let edits = format!("```python my dir/a.py\n{}```\n", block("b.py", "x\n", "y\n"));
    response(&[("b.py", "x\n")], &edits).gives(&[("b.py", "y\n")]).warns(&[]);
}

/// A block that calls itself a diff stays one when a part of a diff or its end comes before a SEARCH/REPLACE block.
#[test]
fn a_diff_block_with_an_edit_behind_its_first_part() {
    let edit = block("a.py", "x\n", "y\n");
    for start in ["@@ -1 +1 @@\n-a\n+b\n", "diff --git a/f b/f\n", "+++ b/f\n"] {
        let input = format!("```diff\n{start}{edit}```\n");
        response(&[("a.py", "x\n"), ("f", "a\n")], &input).is_refused();
    }
    let input = format!("```diff\n-a\n+b\n```\n\n```python\n{edit}```\n");
    response(&[("a.py", "x\n")], &input).refuses(&[("missing-path", 1)]);
}

/// An opening fence in a block of a file may as well open the next one, and may stand up to three columns further in.
#[test]
fn an_opening_fence_in_a_file_may_be_indented() {
    for indent in ["", " ", "   "] {
        let input = format!("```python a.py\nx\n{indent}```python b.py\ny\n```\n");
        response(&[], &input).refuses_for(&["ambiguous-nesting"]);
    }
}

/// What looks like an edit in another form is told wherever it stands among the edits of a fence.
#[test]
fn another_form_among_edits_is_told() {
    let other = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n";
    let (one, two) = (block("a.py", "x\n", "y\n"), block("a.py", "y\n", "z\n"));
    for (input, line) in [
        (format!("```\n{other}{one}{two}```\n"), 2),
        (format!("```\n{one}{other}{two}```\n"), 8),
        (format!("```\n{one}{two}{other}```\n"), 14),
    ] {
        response(&[("a.py", "x\n")], &input).warns(&[("ignored-text", line)]);
    }
}

/// A fence with an info string behind a whole edit is text of a document that holds both.
#[test]
fn fences_behind_an_edit_nest_in_a_document() {
    let input = format!("````markdown\n{}```sh\ny\n```\nend\n````\n", block("b.py", "x\n", "y\n"));
    assert_eq!(outline(InputKind::Response, &input), "code_block[search_replace]");
    let input = format!("```markdown\n{}```sh\ny\n```\nend\n```\n", block("b.py", "x\n", "y\n"));
    assert_eq!(outline(InputKind::Response, &input), "code_block[search_replace]");
    let weaker = format!("````\n{}```sh\ny\n```\n````\n", block("b.py", "x\n", "y\n"));
    assert_eq!(outline(InputKind::Response, &weaker), "code_block[search_replace]");
    let bare = format!("```\n{}    ```\n```\n", block("b.py", "x\n", "y\n"));
    assert_eq!(outline(InputKind::Response, &bare), "code_block[search_replace]");
}

/// A block that is nothing but its own name is a file where the info string names it, and a heading where prose does.
#[test]
fn a_block_that_is_nothing_but_its_name() {
    response(&[], "```text a.txt\na.txt\n```\n").gives(&[("a.txt", "a.txt\n")]);
    assert_eq!(names("Create `a.py`:\n\n```\na.py\n```\n"), [None]);
}

/// What an edit writes is no edit in another form, whatever stands behind it.
#[test]
fn another_form_within_an_edit_is_not_told() {
    let other = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n";
    let input = format!("```\n{}{}```\n", block("a.md", "x\n", other), block("b.py", "x\n", "y\n"));
    response(&[("a.md", "x\n"), ("b.py", "x\n")], &input)
        .gives(&[("a.md", other), ("b.py", "y\n")])
        .warns(&[]);
}

/// A fence that does not close the block is no end of it, so that edits below it make it no diff.
#[test]
fn a_block_of_edits_that_calls_itself_a_diff_may_hold_fences() {
    let edit = block("a.py", "x\n", "y\n");
    for fence in ["    ```", "~~~", "```python"] {
        let input = format!("````diff\n{fence}\n{edit}````\n");
        response(&[("a.py", "x\n")], &input).gives(&[("a.py", "y\n")]);
    }
}

/// A fence behind a list marker closes no block.
#[test]
fn fences_behind_a_list_marker_do_not_close() {
    assert_eq!(contents("```\nx\n- ```\ny\n```\n"), ["x\n- ```\ny"]);
}

/// A block that replaces a file is told to the edit before it, of which nothing is left; a first one is not.
#[test]
fn a_whole_file_block_behind_an_edit_of_the_file() {
    let whole = "```python a.py\nz\n```\n";
    let input = format!("{}\n{whole}", block("a.py", "x\n", "y\n"));
    response(&[("a.py", "x\n")], &input)
        .gives(&[("a.py", "z\n")])
        .finds(Severity::Warning, &["no-op"])
        .points_at("no-op", 2, "<<<<<<< SEARCH");
    response(&[("a.py", "x\n")], whole).gives(&[("a.py", "z\n")]).warns(&[]);
}

/// Only a file that is to be created can be there because of an edit before.
#[test]
fn a_file_that_is_missing_was_not_made_by_an_edit_before() {
    let section = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
    let run = diff(&[], &format!("{section}{section}"));
    run.is_refused();
    assert!(!run.diagnostics.iter().any(|found| found.message.contains("makes it")), "{run:?}");
}

/// Behind a diff block whose hunk is as long as its header promises, no line goes on with it.
#[test]
fn a_diff_block_with_a_sign_off_below() {
    let input = "```diff\n--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d\n```\n--Bob\n";
    response(&[("f", "a\nd\n")], input).gives(&[("f", "b\nc\nd\n")]);
}

/// A closing fence that is cut itself leaves nothing of the edits before it out.
#[test]
fn unterminated_fence_around_edits_with_a_cut_fence() {
    for cut in ["``", "`"] {
        let input = format!("```python\n{}{cut}", block("a.py", "x\n", "y\n"));
        response(&[("a.py", "x\n")], &input).gives(&[("a.py", "y\n")]).warns(&[("unterminated-fence", 1)]);
    }
}

/// An empty block for a file, with text right below its closing fence, may have two opening fences.
#[test]
fn an_empty_block_with_text_right_below_it() {
    response(&[], "**a.py**\n```\n```\nx\ny\n").refuses(&[("ambiguous-nesting", 2)]);
    response(&[], "**a.py**\n```\n```\n\nMore.\n").gives(&[("a.py", "")]);
    response(&[], "```python a.py\n```\n```python b.py\nx\n```\n").gives(&[("a.py", ""), ("b.py", "x\n")]);
}

/// A fence that lost a backtick or tilde opens nothing, and what follows it would be lost.
#[test]
fn fences_of_two_signs() {
    let good = "```python a.py\nx\n```\n\n";
    for cut in ["``python\ny\n```\n", "~~python\ny\n~~~\n"] {
        response(&[], &format!("{good}**b.py**\n{cut}")).refuses_with(("unterminated-fence", 6));
    }
    for cut in ["`", "``", "``\n", "~", "~~\n"] {
        response(&[], &format!("{good}**b.py**\n{cut}")).refuses(&[("unterminated-fence", 6)]);
    }
    for inline in
        ["~~python~~\n", "``python`` is a word.\n", "`` ` `` is a backtick.\n", "``words``\n", "``\n\nmore\n"]
    {
        response(&[], &format!("{good}{inline}")).gives(&[("a.py", "x\n")]);
    }
}
