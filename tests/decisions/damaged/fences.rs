//! Fences that are lost, doubled or spoilt, and info strings with more or less than one name.

use crate::support::{bare, block, response};

/// A path with a blank in an info string is not cut in two.
#[test]
fn a_spaced_path_in_an_info_string() {
    let run = response(&[], "```python my dir/y.py\nB\n```\n");
    assert!(!run.writes("dir/y.py", "B\n"));
}

/// A fence that might open the next block, in a block named as a file, leaves open where that ends: nothing is written.
#[test]
fn a_closing_fence_that_was_lost_above_another_block() {
    let next = "```python b.py\nB\n```\n";
    for lost in ["``` x\n", "> ```\n", "**```**\n", "``\n", ""] {
        for prose in ["", "\nNext comes `b.py`:\n\n"] {
            let run = response(
                &[("a.py", "a\n"), ("b.py", "b\n")],
                &format!("```python a.py\nA\n{lost}{prose}{next}"),
            );
            run.is_refused();
        }
    }
    for opener in
        ["```python a.py\n```python\n", "```python a.py\n```python a.py\n", "### a.py\n```\n\n````python\n"]
    {
        response(&[("a.py", "a\n")], &format!("{opener}A\n````\n")).is_refused();
    }
    // A word that is no language may be text: a line drawn below code.
    response(&[], "~~~ a.txt\nx(y)\n~~~x\ntail\n~~~\n").gives(&[("a.txt", "x(y)\n~~~x\ntail\n")]);
}

/// A fence that stands once too often takes the next block as text, and that is told.
#[test]
fn a_fence_without_a_name_around_another_block() {
    let edit = block("a.py", "a\n", "A\n");
    let run = response(
        &[("a.py", "a\n"), ("b.py", "b\n")],
        &format!("{edit}```\n\n### `b.py`\n\n```python\nB\n```\n"),
    );
    assert!(
        !run.writes("b.py", "b\n")
            || run.diagnostics.iter().any(|found| found.code.as_str() == "ignored-text")
    );
}

/// Two paths in an info string name no file, nor does the half of one with a blank in it.
#[test]
fn two_paths_in_an_info_string() {
    for info in ["python src/a b.py", "python src/a\u{2028}b.py", "src/a.py src/b.py"] {
        let run = response(&[], &format!("```{info}\nx\n```\n"));
        assert!(!run.is_applied(), "{info}");
    }
}

/// A block whose info string gives another name than the line above it is neither file.
#[test]
fn two_names_of_a_block() {
    let before = [("a.py", "x\n")];
    for (above, info) in [
        ("made/hand.rs\n", "pyth/on"),
        ("Create `made/hand.rs`:\n\n", "pyth/on"),
        ("### `made/hand.rs`\n", "rust made/by"),
    ] {
        for body in ["x\n", &bare("", "new\n"), &bare("x\n", "y\n")] {
            let run = response(&before, &format!("{above}```{info}\n{body}```\n"));
            run.refuses_for(&["missing-path"]);
        }
    }
    // Names that may be the same, a line that names nothing, and a name that is known are clear.
    for (above, info) in [
        ("src/lib/new\n", "text lib/new"),
        ("### `b.py`\n", "python new.py"),
        ("See `b.py` and `c.py`.\n", "lib/new"),
    ] {
        assert!(response(&[], &format!("{above}```{info}\nx\n```\n")).is_applied(), "{above}{info}");
    }
    response(&before, &format!("b.py\n```python c.py\n{}```\n", block("a.py", "x\n", "y\n")))
        .gives(&[("a.py", "y\n")]);
}

/// A language with a backslash in it is no path, and the name above the fence holds.
#[test]
fn a_backslash_in_a_language() {
    for body in ["new\n", &bare("", "new\n")] {
        response(&[], &format!("made/hand.rs\n```pyth\\on\n{body}```\n")).gives(&[("made/hand.rs", "new\n")]);
    }
    response(&[], "```pyth\\on\nx\n```\n").warns(&[("ignored-text", 1)]);
    response(&[], "```src\\new.py\nx\n```\n").gives(&[("src/new.py", "x\n")]);
}

/// A fence of a file's text that has no partner there is no line of the file, where one may have lost its place.
#[test]
fn a_stray_fence_in_a_file() {
    let longer = |path: &str, body: &str| response(&[], &format!("**{path}**\n````\n{body}````\n"));
    for body in ["```\nx\n", "```python\nx\n", "~~~\nx\n", "\nx\n```\n", "x\n~~~\n\n", "```\n"] {
        longer("a.py", body).refuses_with(("ambiguous-nesting", 2));
        longer("notes.txt", body).refuses_with(("ambiguous-nesting", 2));
        assert!(longer("notes.md", body).is_applied(), "{body}");
    }
    for body in ["```\nx\n```\n", "```python\n\nx\n```\n"] {
        longer("a.py", body).refuses_with(("ambiguous-nesting", 2));
        for path in ["notes.md", "notes.txt", "notes.rst"] {
            assert!(longer(path, body).is_applied(), "{path} {body}");
        }
    }
    for body in ["x\n```\n\nNext:\n\n```python b.py\ny\n", "x\n```\n```sh\ny\n```\nz\n"] {
        longer("a.py", body).refuses_with(("ambiguous-nesting", 2));
        assert!(longer("notes.txt", body).is_applied(), "{body}");
    }
    let hidden = "P = \"\"\"```json\n{}\n```\n\n```json\n{}\n```\n\"\"\"\n";
    for body in
        [hidden, "```\nx\n```\ny\n", "y\n```\nx\n```\n", "x\n```\ny\n", "```\nx\n```\ny\n```\nz\n```\n"]
    {
        assert!(longer("a.py", body).is_applied(), "{body}");
    }
    response(&[("a.py", "x\n")], &format!("a.py\n````\n```\n{}```\n````\n", bare("x\n", "y\n")))
        .gives(&[("a.py", "y\n")]);
}

/// A bare fence below text may close a block whose opening fence is lost: the next block is not taken for text of one.
#[test]
fn an_opening_fence_that_was_lost() {
    let before = [("a.py", "a\n"), ("b.py", "b\n")];
    let edit = format!("a.py\n```python\n{}```\n", bare("a\n", "A\n"));
    let patch = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+A\n```\n";
    for next in [&*edit, patch, "```python a.py\nA\n```\n"] {
        for prose in ["", "\nIt keeps the behaviour.\n\n"] {
            let raw = block("b.py", "b\n", "B\n");
            for above in ["Create `n.js`:\n\nx = 1\n\ny(x)\n", &raw, "```python b.py\nB\n```\n"] {
                response(&before, &format!("{above}```\n{prose}{next}")).is_refused();
            }
        }
    }
    // Below a name, a heading, a sentence or a blank line it opens a block, as it does when its language is told.
    for above in ["", "a.py\n", "## Edits\n", "Here they are:\n", "Here they are.\n", "text\n\n"] {
        let run = response(&before, &format!("{above}```\n{edit}"));
        assert!(run.writes("a.py", "A\n") && run.diagnostics.is_empty(), "{above} {run:?}");
    }
    let run =
        response(&before, &format!("Create `n.js`:\n\nx = 1\n\n```\n\nIt keeps the behaviour.\n\n{edit}"));
    run.warns(&[("ignored-text", 10)]);
}

/// A closing fence with signs behind it closes nothing: a file does not go on behind it in silence.
#[test]
fn a_closing_fence_with_signs_behind_it() {
    let next = "\nIt is done.\n\n        ```diff\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+b\n```\n";
    for path in ["a.py", "a.txt"] {
        for closer in ["```.", "```;", "``` )", "````.", "```\u{200b}"] {
            for next in [next, "\nIt is done.\n\n```\nx\n```\n"] {
                response(&[], &format!("```python {path}\nx\n{closer}\n{next}")).is_refused();
            }
        }
    }
    let tildes = "~~~python a.py\nx\n~~~,\n\nIt is done.\n\n~~~\n";
    response(&[], tildes).refuses_with(("ambiguous-nesting", 1));
    // A longer fence around it, a word behind it and another sign before it make it text.
    for (fence, line) in
        [("````", "```."), ("~~~", "```."), ("~~~", "~~~x"), ("```", "print(```.)"), ("```", "# ```.")]
    {
        let run = response(&[], &format!("{fence}python a.py\nx\n{line}\ny\n{fence}\n"));
        assert!(run.writes("a.py", &format!("x\n{line}\ny\n")), "{line} {run:?}");
    }
}

/// The same where the next block has a fence of another character or length: its name is not lost in silence.
#[test]
fn an_opening_fence_that_was_lost_above_one_of_another_kind() {
    let blocks = ["~~~~python a.py\nx\n~~~~\n", "### `a.py`\n\n~~~python\nx\n~~~\n", "a.py\n~~~\nx\n~~~\n"];
    for next in blocks {
        for above in ["x = 1\n", "Create `n.js`:\n\nx = 1\n{\n"] {
            let input = format!("{above}```\n\nIt is done.\n\n{next}\n**b.py**\n\n````\ny\n````\n");
            response(&[], &input).is_refused();
        }
    }
    response(&[], "x = 1\n````\n```python a.py\nx\n```\n````\n").refuses_with(("ambiguous-nesting", 2));
    // Below what leaves room for a block, and where the other fence names nothing, it is only shown.
    for (above, shown) in [
        ("x = 1\n\n", blocks[2]),
        ("As in:\n", blocks[0]),
        ("", blocks[1]),
        ("x = 1\n", "~~~python\nx\n~~~\n"),
        ("a = 1\n", "~~~\nx\n"),
    ] {
        let run = response(&[], &format!("{above}````\n{shown}````\n\n`b.py`:\n\n```\ny\n```\n"));
        assert!(run.writes("b.py", "y\n"), "{above} {shown} {run:?}");
    }
}

/// Two bare fences with prose and a block's heading between them are a closing and an opening one.
#[test]
fn two_fences_turned_inside_out() {
    let block = |first: &str, name: &str, next: &str| {
        format!("Here it is.\n\n```{first}\n\nIt is done.\n\n{name}\n```\n{next}x = 1\n")
    };
    for name in ["**n.js**", "### `n.js`", "**File:** `n.js`", "`n.js`:"] {
        response(&[], &block("", name, "")).refuses_with(("ambiguous-nesting", 3));
    }
    // So it is where the first block would be a file.
    response(&[], &block("", "**n.js**", "").replace("Here it is.\n", "Create `a.py`:\n")).is_refused();
    let file = "\n`b.py`:\n\n```\ny\n```\n";
    for (first, name, next) in
        [("", "n.js", ""), ("", "**n.js**", "\n"), ("text", "**n.js**", ""), ("", "# n", "")]
    {
        let run = response(&[], &format!("{}{file}", block(first, name, next)));
        assert!(run.writes("b.py", "y\n"), "{name} {run:?}");
    }
}
