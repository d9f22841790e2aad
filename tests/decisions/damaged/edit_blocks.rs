//! Edit blocks whose markers, fences or paths are damaged or have lost their place.

use code_parser::diagnostic::Severity;

use super::block_in_fence;
use crate::support::{bare, block, fsrb, response};

/// A block below a line that names another file is not an edit of the file of the block before.
#[test]
fn a_block_inherits_no_path_past_a_line_that_names_another_file() {
    let before = [("a.py", "x = 1\nq\n"), ("src/b.py", "x = 1\n"), (".env", "x = 1\n")];
    for name in [
        "**.env**",
        "src/b.py (new imports)",
        "**src/b.py** (lines 1-2):",
        "src/b.py:12",
        "[src/b.py](src/b.py)",
        "In src/b.py:",
        "### src/b.py - imports",
        "### 2. `src/b.py` and `a.py`",
        "<path>src/b.py</path>",
        "<file path=\"src/b.py\">",
        "*** Update File: src/b.py",
        "--- src/b.py",
        "// src/b.py",
        "<!-- src/b.py -->",
        "• src/b.py",
        "**File:** `file:///src/b.py`",
    ] {
        let input =
            format!("{}\n{name}\n{}", block("a.py", "q\n", "r\n"), block_in_fence("x = 1\n", "x = 2\n"));
        let run = response(&before, &input);
        assert!(!run.writes("a.py", "x = 2\nr\n"), "{name}");
    }
}

/// A single word above a block that creates a file may be the file's name: nothing is added to the file of the block before.
#[test]
fn a_new_block_below_a_word_adds_nothing_to_the_file_before() {
    let edit = block("a.py", "q\n", "r\n");
    let create = bare("", "x\n");
    for word in ["loop", "**loop**", "`.loop`", "# loop"] {
        for input in [
            format!("{edit}\n{word}\n{create}"),
            format!("{edit}\n{word}\n\n```python\n{create}```\n"),
            format!("{edit}\n```\n{word}\n{create}```\n"),
        ] {
            response(&[("a.py", "q\n")], &input).refuses_for(&["missing-path"]);
        }
    }
    for words in ["Then:", "Done.", "and also", "python"] {
        response(&[("a.py", "q\n")], &format!("{edit}\n{words}\n{create}")).gives(&[("a.py", "r\nx\n")]);
    }
    let second = bare("r\n", "s\n");
    response(&[("a.py", "q\n")], &format!("{edit}\nloop\n{second}")).gives(&[("a.py", "s\n")]);
}

/// A reply that was cut off within the first marker of a block, however little of it is left.
#[test]
fn a_text_that_ends_within_a_search_marker() {
    let edit = block("a.py", "q\n", "r\n");
    for length in 1.."<<<<<<< SEARCH".len() {
        let marker: String = "<<<<<<< SEARCH".chars().take(length).collect();
        for above in ["b.py\n", "### `b.py`\n\n", "b.py\n```python\n"] {
            let input = format!("{edit}\n{above}{marker}");
            response(&[("a.py", "q\n")], &input).is_refused();
            fsrb(&[("a.py", "q\n")], &input).is_refused();
        }
    }
    for whole in ["Use a <\n", "<\n", "<details>", "a <<<"] {
        response(&[("a.py", "q\n")], &format!("{edit}\n{whole}")).gives(&[("a.py", "r\n")]).warns(&[]);
    }
}

/// A block below a fence with a comment that names its file, however the comment is written.
#[test]
fn a_comment_above_the_fence_names_the_file_of_its_blocks() {
    for name in ["<!-- src/b.py -->", "// src/b.py", "/* src/b.py */"] {
        response(&[("src/b.py", "x\n")], &format!("{name}\n{}", block_in_fence("x\n", "y\n")))
            .gives(&[("src/b.py", "y\n")]);
    }
}

/// A block named as a file that only holds an edit block among other lines is that file, or unclear; the edit is not made.
#[test]
fn edit_blocks_among_the_text_of_a_named_file() {
    let inner = block("a.py", "x\n", "y\n");
    for (name, head, tail) in [
        ("python tests/test_x.py", "IN = \"\"\"\n", "\"\"\"\n"),
        ("text docs/howto.txt", "To edit, write\n\n", ""),
    ] {
        let run = response(&[("a.py", "x\n")], &format!("```{name}\n{head}{inner}{tail}```\n"));
        assert!(!run.writes("a.py", "y\n"), "{name}");
    }
}

/// A fence line that could close the open fence around a block is not written into the file.
#[test]
fn a_fence_that_closes_before_the_replace_marker() {
    response(&[("a.py", "x\n")], "a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n```\n>>>>>>> REPLACE\n")
        .is_refused();
}

/// A diff among the edit blocks of one fence is told, as it is not read there.
#[test]
fn a_diff_in_a_fence_of_edit_blocks() {
    let edit = bare("a\n", "A\n");
    let text = format!("a.py\n```python\n{edit}--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+A\n```\n");
    let run = response(&[("a.py", "a\n"), ("y", "a\n")], &text);
    assert!(!(run.is_applied() && run.diagnostics.is_empty()));
}

/// A REPLACE marker that changed places with a line further down leaves a fence in the text that ends the fence around.
#[test]
fn a_replace_marker_far_below_its_place() {
    let before = [("a.py", "x\n"), ("b.py", "x\n"), ("a.md", "x\n")];
    let edit = |path: &str, old: &str, new: &str| format!("{path}\n```\n{}```\n", bare(old, new));
    for new in [
        "y\n```\n\nSome words.\n\n```diff\n--- a/b.py\n+++ b/b.py\n",
        "y\n```\n\nSome words.\n",
        "```python\ny\n```\n```\n\n```python\n",
    ] {
        response(&before, &edit("a.py", "x\n", new)).refuses_with(("ambiguous-nesting", 2));
        response(&before, &edit("new.py", "", new)).refuses_with(("ambiguous-nesting", 2));
        assert!(response(&before, &edit("a.md", "x\n", new)).is_applied(), "{new}");
        let longer = format!("a.py\n````\n{}````\n", bare("x\n", new));
        assert!(response(&before, &longer).is_applied(), "{new}");
    }
    let next = "y\n```\n\nSome words.\n\n```diff\n--- a/b.py\n+++ b/b.py\n";
    response(&before, &block("a.py", "x\n", next)).refuses_with(("ambiguous-nesting", 2));
    for (path, new) in [("a.md", next), ("a.py", "```\ny\n```\n```sh\ny\n```\n"), ("a.py", "y\n```\n")] {
        assert!(response(&before, &block(path, "x\n", new)).is_applied(), "{new}");
    }
    // Fences that pair, that were there, or whose partner stands behind other text, are the file's.
    for (old, new) in [
        ("x\n", "\"\"\"\n```\ny\n```\n\"\"\"\n"),
        ("x\n", "P = \"\"\"```json\n{}\n```\n\"\"\"\n"),
        ("x\n", "P = \"\"\"\n```json\n{}\n```\"\"\"\n"),
    ] {
        assert!(response(&before, &edit("a.py", old, new)).is_applied(), "{new}");
    }
    response(&[("c.py", "x\n```\n")], &edit("c.py", "x\n```\n", "y\n```\n")).gives(&[("c.py", "y\n```\n")]);
}

/// A path at the end of a block is that of the next one, when the REPLACE marker stands below it; no block inherits past it.
#[test]
fn a_path_above_the_replace_marker() {
    let before = [("a.py", "x\n"), ("b.py", "x\n"), ("list.txt", "x\nold.py\n")];
    let create = bare("", "new\n");
    for path in ["b.py", "### `b.py`", "**made/hand.rs**", "Makefile"] {
        let both = format!("{}{create}", bare("x\n", &format!("y\n\n{path}\n")));
        for input in [
            format!("a.py\n```\n{both}```\n"),
            format!("```python a.py\n{both}```\n"),
            format!("a.py\n{both}"),
        ] {
            response(&before, &input).refuses_for(&["missing-path"]);
        }
    }
    // A list of files, text that is no heading, and the file's own name are the text's; a nearer path holds.
    for (path, old, new) in [
        ("list.txt", "old.py\n", "old.py\nb.py\n"),
        ("a.py", "x\n", "y = [\n    'b.py'\n"),
        ("a.py", "x\n", "y\na.py\n"),
        ("a.py", "x\n", "- b.py\n"),
    ] {
        assert!(response(&before, &format!("{path}\n{}{create}", bare(old, new))).is_applied(), "{new}");
    }
    let next = format!("a.py\n{}\nc.py\n{create}", bare("x\n", "b.py\n"));
    assert!(response(&before, &next).writes("c.py", "new\n"));
}

/// Text among edit blocks that is no prose may be of one of them.
#[test]
fn text_among_edit_blocks() {
    let before = [("a.py", "a\nb\n")];
    let reply = |between: &str, behind: &str| {
        let (one, two) = (bare("a\n", "A\n"), bare("b\n", "B\n"));
        response(&before, &format!("a.py\n```\n{one}{between}{two}{behind}```\n"))
    };
    for text in ["x = 1\n", "# see\nx = 1\n", "\n    return x\n"] {
        reply(text, "").finds(Severity::Warning, &["ignored-text"]);
        reply("", text).finds(Severity::Warning, &["ignored-text"]);
    }
    for text in
        ["Then this:\n", "It is done.\n", "// and\n", "# and\n", "a.py\n", "\n", "...\n", "`a.py` too\n"]
    {
        assert!(reply(text, "").diagnostics.is_empty() && reply("", text).diagnostics.is_empty(), "{text}");
    }
    reply("", " a\n-b\n+B\n").refuses_for(&["malformed-hunk"]);
}

/// A separator that stands twice, once with a sign too few or too many, is told: it is read as a line of the file.
#[test]
fn a_separator_that_stands_twice() {
    let before = [("a.py", "a\n====\n")];
    for near in ["======", "========", "===", "======= REPLACE"] {
        let edit = bare("a\n", &format!("{near}\nA\n"));
        for input in [format!("a.py\n{edit}"), format!("```python a.py\n{edit}```\n")] {
            response(&before, &input).finds(Severity::Warning, &["suspicious-marker"]);
            fsrb(&before, &format!("a.py\n{edit}")).finds(Severity::Warning, &["suspicious-marker"]);
        }
    }
    for (old, new) in [
        ("====\n", "=====\nb\n"),
        ("===============\n", "========\n"),
        ("a\n", "=====\nTitle\n=====\n"),
        ("a\n", "A\n=====\n"),
    ] {
        let run = response(&[("a.py", old)], &block("a.py", old, new));
        assert!(run.is_applied(), "{new}");
        assert!(!run.diagnostics.iter().any(|found| found.code.as_str() == "suspicious-marker"), "{new}");
    }
}

/// Markers that the text below has joined, or that stand behind what nobody sees, are meant as those of a block.
#[test]
fn near_markers_in_a_file() {
    for (search, replace) in [
        ("<<<<<<< SEARCHx = 1", "\u{2066}>>>>>>> REPLACE"),
        ("<<<<<<< SEARCHx = 1", ">>>>>>> REPLACEx"),
        ("\u{ad}<<<<<<< SEARCH", "\u{202e}>>>>>>> REPLACE"),
        ("<<<<<<< SEARCHx = 1", "y"),
    ] {
        let edit = format!("{search}\n=======\n{replace}\n");
        for input in [format!("`a.py`:\n\n```python\n{edit}```\n"), format!("a.py\n\n{edit}")] {
            response(&[("a.py", "x = 1\n")], &input).is_refused();
        }
    }
    let run = response(&[], "```text a.txt\n<<<<<<< SEARCHES\nx\n```\n");
    assert!(run.is_applied());
}

/// A heading with one path and words with another one, which do not introduce the block, name no file of a block.
#[test]
fn a_heading_and_words_that_name_two_files() {
    let before = [("a.py", "x\n"), ("b.py", "x\n")];
    let edit = bare("x\n", "y\n");
    for heading in ["**File:** `a.py`", "### a.py", "a.py", "# a.py", "// a.py"] {
        for words in ["In `b.py`, change `x` to `y`.", "It is used by `b.py`"] {
            for above in [format!("{heading}\n{words}\n"), format!("{heading}\n\n{words}\n\n")] {
                for input in [format!("{above}{edit}"), format!("```python\n{above}{edit}```\n")] {
                    response(&before, &input).refuses_for(&["missing-path"]);
                }
            }
        }
    }
    for (above, path) in [
        ("### a.py\n\nIn `b.py`:\n", "b.py"),
        ("It is `a.py`.\nIn `b.py`, too.\n", "b.py"),
        ("### a.py\nThis is `a.py`.\n", "a.py"),
        ("### a.py\n\nSee below.\n\nIn `b.py`, too.\n", "b.py"),
    ] {
        let run = response(&before, &format!("{above}{edit}"));
        assert!(run.writes(path, "y\n"), "{above} {run:?}");
    }
}

/// In a fence without its end an edit of a program does not take in the opening fence of another file.
#[test]
fn an_edit_that_takes_in_the_next_file() {
    let before = [("a.py", "x\n"), ("a.md", "x\n")];
    let edit = |path: &str, new: &str| format!("{path}\n```python\n{}", bare("x\n", new));
    for pair in ["", "```\n```\n", "```sh\nls\n```\n"] {
        let new = format!("y\n{pair}\nAnd the other part:\n\n```python title=\"b.py\"\nz\n");
        for below in ["", "\n````python c.py\nz\n````\n"] {
            response(&before, &format!("{}{below}", edit("a.py", &new))).is_refused();
            assert!(response(&before, &format!("{}{below}", edit("a.md", &new))).is_applied());
        }
        assert!(response(&before, &format!("{}```\n", edit("a.py", &new))).is_applied());
    }
    assert!(response(&before, &edit("a.py", "y\n```python b.py\nz\n```\n")).is_applied());
}

/// A fence whose info string may name a file in a form that is not read: no edit in it inherits the path of the one before.
#[test]
fn an_edit_inherits_no_path_past_an_info_string_that_is_not_read() {
    let first = format!("```python a.py\n{}```\n", bare("", "x\n"));
    let second = |info: &str| format!("{first}\n```{info}\n{}```\n", bare("", "y\n"));
    for info in [
        "python src/b.py/",
        "python b\u{7f}.py",
        "python file=\"b.py/\"",
        "python my dir/b.py",
        "python b.py c.py",
    ] {
        response(&[], &second(info)).refuses_for(&["missing-path"]);
        // A file with this name alone is told, too.
        response(&[], &format!("{first}\n```{info}\ny\n```\n")).finds(Severity::Warning, &["ignored-text"]);
    }
    for info in ["", "python", "python linenums=1", "python (a part)", "{.python}"] {
        assert!(response(&[], &second(info)).writes("a.py", "x\ny\n"), "{info}");
    }
}

/// A block whose end is wrong swallows the path of the next one, and that is told once.
#[test]
fn a_path_in_a_broken_block_gives_no_second_error() {
    let text = "a.py\n<<<<<<< SEARCH\nq\n=======\nr\n>>>>>>> REPLACE!\n\nnew.py\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n";
    response(&[("a.py", "q\n")], text).refuses_for(&["suspicious-marker", "unexpected-marker"]);
}
