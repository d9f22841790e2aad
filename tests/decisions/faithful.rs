//! Replies that are whole, and look a little like damaged ones.

use code_parser::diagnostic::Severity;

use crate::support::{bare, response};

/// A fence of one edit block.
fn fenced(search: &str, replace: &str) -> String {
    format!("```\n{}```\n", bare(search, replace))
}

/// A name at the end of a block is that of the block below only where the two could have changed places with a marker
/// between them.
#[test]
fn a_name_at_the_end_of_a_block_that_another_one_does_not_follow_directly() {
    let before = [("list", "a.o\nb.o\n"), ("a.md", "As in `x.yml`: so.\nend\n")];
    for (first, between) in
        [("a.o\n.env\n", "\n"), ("a.o\n.env\n", "\nAnd the second:\n\n"), ("`x.yml`:\n", "")]
    {
        let input = format!("File: list\n{}{between}{}", fenced("a.o\n", first), fenced("b.o\n", "c.o\n"));
        let run = response(&before, &input);
        assert!(run.writes("list", &format!("{first}c.o\n")), "{input} {run:?}");
    }
    // So does a name that the text had before.
    let wrapped = bare("As in `x.yml`: so.\n", "As in\n`x.yml`:\n");
    let input = format!("a.md\n{wrapped}{}", bare("end\n", "so\n"));
    assert!(response(&before, &input).writes("a.md", "As in\n`x.yml`:\nso\n"));
    let split =
        format!("File: list\n{}\nAnd then:\n\n{}", bare("a.o\n", "a.o\n.env\n"), bare("b.o\n", "c.o\n"));
    assert!(response(&before, &split).writes("list", "a.o\n.env\nc.o\n"));
    for between in ["", "\n", "```\n", "\n~~~\n"] {
        let input =
            format!("File: list\n{}{between}{}", bare("a.o\n", "a.o\n.env\n"), bare("b.o\n", "c.o\n"));
        response(&before, &input).refuses_for(&["missing-path"]);
    }
}

/// Words that name no code block are no second name of one, and a key leaves nothing open.
#[test]
fn a_block_with_a_path_of_its_own_below_words_about_another_file() {
    for info in
        ["text src/a.goml", "lib/new", "text file=\"made/by\"", "text path=x.goml", "text title=made/by"]
    {
        let input = format!("The value was lost; see `b.py`.\n\n```{info}\nx\n```\n");
        assert!(response(&[], &input).is_applied(), "{info}");
    }
    for info in ["text file=\"made/by\"", "text path=x.goml"] {
        let input = format!("Update `b.py`:\n\n```{info}\nx\n```\n");
        assert!(response(&[], &input).is_applied(), "{info}");
    }
    let edit = format!("It works as `lib/b.py` does.\n\n```text lib/x.goml\n{}```\n", bare("a\n", "b\n"));
    response(&[("lib/x.goml", "a\n")], &edit).gives(&[("lib/x.goml", "b\n")]);
}

/// A rule or the start of a mail signature below a fence goes on with no hunk, unless it is just what the counts promise or
/// lines with signs follow.
#[test]
fn a_rule_below_a_diff_block() {
    let files = [("a", "1\n2\n--\n")];
    let block = |header: &str| format!("```diff\n--- a/a\n+++ b/a\n{header}\n-1\n+x\n 2\n```\n");
    let headers = ["@@ -1,2 +1,2 @@", "@@ ... @@", "@@", "@@ -1,5 +1,4 @@", "@@ -1,4 +1,4 @@"];
    for header in headers {
        for below in ["---\n", "---\n\n- Done.\n", "-- \nMe\n", "----\n### Next\n"] {
            let run = response(&files, &format!("{}{below}", block(header)));
            assert!(run.writes("a", "x\n2\n--\n"), "{header} {below} {run:?}");
        }
    }
    for below in ["---\n+y\n", "-- \n 2\n"] {
        response(&files, &format!("{}{below}", block("@@ ... @@"))).refuses_for(&["malformed-hunk"]);
    }
    response(&files, &format!("{}---\n", block("@@ -1,3 +1,2 @@"))).refuses_for(&["malformed-hunk"]);
}

/// A file with a diff in it goes on in no rule and no signature below its block.
#[test]
fn a_rule_below_a_file_with_a_diff_in_it() {
    let text = "D = \"\"\"\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\"\"\"\n";
    for below in ["---\n\nDone.\n", "-- \nMe\n", "---\n"] {
        let run = response(&[], &format!("```python a.py\n{text}```\n{below}"));
        assert!(run.writes("a.py", text), "{below} {run:?}");
    }
}

/// A sentence beside an empty program is none of its lines.
#[test]
fn a_sentence_beside_an_empty_file() {
    let block = "```python pkg/__init__.py\n```\n";
    for sentence in [
        "Also an empty package file",
        "It only makes `pkg` a package.",
        "That's all, and nothing else is needed!",
        "Next comes the second file:",
    ] {
        for input in [format!("{sentence}\n{block}\nDone.\n"), format!("\n{block}{sentence}\n")] {
            let run = response(&[], &input);
            assert!(run.writes("pkg/__init__.py", ""), "{input} {run:?}");
        }
    }
    for line in ["x = 1", "import os", "Data a b", "Dim x As Integer", "SELECT a FROM b WHERE c"] {
        for input in [format!("{line}\n{block}\nDone.\n"), format!("\n{block}{line}\n")] {
            response(&[], &input).refuses_for(&["ambiguous-nesting"]);
        }
    }
    response(&[], &format!("{block}X = 1.\n")).refuses_for(&["ambiguous-nesting"]);
    // Words are what a document is made of.
    let input = "Also an empty document for now\n```text a.txt\n```\n";
    response(&[], input).refuses_for(&["ambiguous-nesting"]);
}

/// A file that only moves has nothing below its headers that a fence could split off.
#[test]
fn a_fence_right_below_a_file_that_only_moves() {
    let moved = |similarity: &str| {
        format!(
            "diff --git a/a b/b\nsimilarity index {similarity}\nrename from a\nrename to b\n```sh\nmake\n```\n"
        )
    };
    response(&[("a", "1\n")], &moved("100%")).gives(&[("b", "1\n")]);
    response(&[("a", "1\n")], &moved("90%")).refuses_for(&["missing-hunks"]);
}

/// What has the form of a name, but no known extension, names nothing, and no edit below it goes to the file before.
#[test]
fn a_new_block_below_a_name_with_an_extension_that_is_not_known() {
    let before = [("a.py", "x\n")];
    let first = format!("a.py\n{}", fenced("x\n", "y\n"));
    let create = |info: &str| format!("```{info}\n{}```\n", bare("", "new\n"));
    for (above, info) in [
        ("", "text mix.lock"),
        ("", "text MANIFEST.in"),
        ("", ".gitignore"),
        ("Edit `mix.lock`:\n\n", ""),
        ("2. Create `x.lock`:\n", "text"),
        ("### Now `mix.lock`\n\n", ""),
    ] {
        let input = format!("{first}\n{above}{}", create(info));
        response(&before, &input).refuses_for(&["missing-path"]);
        let inside = format!("{first}\n```\n{above}{}```\n", bare("", "new\n"));
        if !above.is_empty() {
            response(&before, &inside).refuses_for(&["missing-path"]);
        }
    }
    // The file's own name, two words in backticks, and words that are no name leave the path as it is.
    for (above, info) in [
        ("Add to `a.py`:\n\n", ""),
        ("Call `self.run` and `x.y`:\n\n", ""),
        ("Behind `main`:\n\n", ""),
        ("As `self.run` has it.\n\n", ""),
        ("", "python 3.11"),
        ("", ".python"),
    ] {
        let input = format!("{first}\n{above}{}", create(info));
        assert!(response(&before, &input).writes("a.py", "y\nnew\n"), "{above}{info}");
    }
    // A block with text to find must find it, but not behind such an info string.
    let input = format!("{first}\nIn `self.run`:\n\n{}", fenced("y\n", "z\n"));
    assert!(response(&before, &input).writes("a.py", "z\n"));
    let alone = format!("{first}\n```text mix.lock\nx\n```\n");
    response(&before, &alone).finds(Severity::Warning, &["ignored-text"]);
}

/// The blank line between a hunk and what follows moves the hunk to no other place than the one that it states.
#[test]
fn a_blank_line_below_a_hunk_at_the_end_of_its_file() {
    let files = [("a", "{\n}\n\n{\n}\n")];
    let input = |header: &str| format!("--- a/a\n+++ b/a\n{header}\n }}\n+x\n\nDone.\n");
    response(&files, &input("@@ -5,3 +5,5 @@")).refuses_for(&["ambiguous-hunk"]);
    response(&files, &input("@@ -5,1 +5,2 @@")).gives(&[("a", "{\n}\n\n{\n}\nx\n")]);
    // With or without it the hunk is there, or it is nowhere with it, or not where it says.
    assert!(response(&files, &input("@@ -2,3 +2,5 @@")).writes("a", "{\n}\nx\n\n{\n}\n"));
    assert!(response(&[("a", "{\n}\n")], &input("@@ -2,3 +2,5 @@")).writes("a", "{\n}\nx\n"));
    assert!(response(&files, &input("@@ -4,3 +4,5 @@")).writes("a", "{\n}\nx\n\n{\n}\n"));
}

/// A block below what may be its file's name, but for the extension, is no file, and not in silence.
#[test]
fn a_block_below_a_name_with_an_extension_that_is_not_known() {
    let other = "```python a.py\nx\n```\n\n";
    for above in [
        "### lib/x.yrl",
        "**`x.nuspec`**",
        "lib/x.snap:",
        "Update `lib/x.yrl`:",
        "## The grammar in `lib/x.yrl`",
    ] {
        let run = response(&[], &format!("{other}{above}\n\n```\ny\n```\n"));
        run.finds(Severity::Warning, &["ignored-text"]);
        assert!(run.writes("a.py", "x\n"), "{above}");
    }
    for above in [
        "With `os.path`:",
        "`x.org`:",
        "### Now",
        "Run `bin/x` as:",
        "See `lib/x.yrl`.",
        "`b.py` runs:",
        "Done.",
    ] {
        let run = response(&[], &format!("{other}{above}\n\n```sh\ny\n```\n"));
        assert!(run.diagnostics.iter().all(|found| found.severity != Severity::Warning), "{above} {run:?}");
    }
    response(&[], "File: lib/x.yrl\n\n```\ny\n```\n").gives(&[("lib/x.yrl", "y\n")]);
}

/// Lines with tabs behind their signs are those of a hunk with wrong counts, and no edit in a list below it.
#[test]
fn a_hunk_of_lines_with_tabs_and_with_wrong_counts() {
    let files = [("Makefile", "a:\n\tone\n\ttwo\n\tthree\n")];
    let hunk = "@@ -1,3 +1,2 @@\n a:\n-\tone\n+\tuno\n \ttwo\n-\tthree\n+\ttres\n";
    for header in ["@@ -1,2 +1,2 @@", "@@ -1,3 +1,3 @@", "@@ -1,1 +1,1 @@", "@@ -1,4 +1,4 @@"] {
        let hunk = hunk.replace("@@ -1,3 +1,2 @@", header);
        let input = format!("--- a/Makefile\n+++ b/Makefile\n{hunk}\nDone.\n");
        response(&files, &input).gives(&[("Makefile", "a:\n\tuno\n\ttwo\n\ttres\n")]);
    }
}
