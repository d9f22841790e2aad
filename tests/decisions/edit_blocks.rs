//! SEARCH/REPLACE blocks.

use code_parser::ast::InputKind;
use code_parser::source::Source;
use code_parser::{parse, print_block};

use crate::support::{bare, block, fsrb, response, run};

const BOTH: [InputKind; 2] = [InputKind::Fsrb, InputKind::Response];

/// The lines of SEARCH, joined by LF, must be in the file exactly once.
#[test]
fn what_counts_as_a_match() {
    for kind in BOTH {
        let edit = |text| run(kind, &[("a.txt", text)], &block("a.txt", "b\nc\n", "X\n"));
        edit("a\nb\nc\nd\n").gives(&[("a.txt", "a\nX\nd\n")]).warns(&[]).notes(&[]);
        edit("a\nb\nd\n").refuses(&[("search-not-found", 2)]);
        edit("b\nc\nb\nc\n").refuses(&[("ambiguous-match", 2)]);
    }
}

/// The file is read with LF for CRLF.
#[test]
fn what_counts_as_a_match_in_a_crlf_file() {
    fsrb(&[("a.txt", "a\r\nb\r\nc\r\n")], &block("a.txt", "a\nb\n", "X\nY\n"))
        .gives(&[("a.txt", "X\r\nY\r\nc\r\n")]);
    let crlf = block("a.txt", "a\nb\n", "X\nY\n").replace('\n', "\r\n");
    fsrb(&[("a.txt", "a\nb\nc\n")], &crlf).gives(&[("a.txt", "X\nY\nc\n")]);
}

/// The text is no pattern.
#[test]
fn what_counts_as_a_match_is_literal() {
    fsrb(&[("a.txt", "[a-z]* $1 ?\nabc\n")], &block("a.txt", "[a-z]* $1 ?\n", "$0 \\1 .*\n"))
        .gives(&[("a.txt", "$0 \\1 .*\nabc\n")]);
    fsrb(&[("a.txt", "abc\n")], &block("a.txt", "a.c\n", "x\n")).refuses(&[("search-not-found", 2)]);
}

/// Occurrences that overlap are several.
#[test]
fn what_counts_as_a_match_overlapping() {
    fsrb(&[("a.txt", "aaa\n")], &block("a.txt", "aa\n", "b\n")).refuses(&[("ambiguous-match", 2)]);
    fsrb(&[("a.txt", "x\ny\nx\ny\nx\n")], &block("a.txt", "x\ny\nx\n", "z\n"))
        .refuses(&[("ambiguous-match", 2)]);
}

/// A match may begin and end inside a line, and is noted.
#[test]
fn what_counts_as_a_match_inside_a_line() {
    fsrb(&[("a.txt", "let x = 1;\n")], &block("a.txt", "x = 1\n", "x = 2\n"))
        .gives(&[("a.txt", "let x = 2;\n")])
        .notes(&[("mid-line-match", 2)]);
    fsrb(&[("a.txt", "ab\nc\n")], &block("a.txt", "b\nc\n", "X\n"))
        .gives(&[("a.txt", "aX\n")])
        .notes(&[("mid-line-match", 2)]);
}

/// A SEARCH of blank lines only matches whole blank lines, never the empty text.
#[test]
fn what_counts_as_a_match_of_blank_lines() {
    let one = block("a.txt", "\n", "X\n");
    fsrb(&[("a.txt", "a\n\nb\n")], &one).gives(&[("a.txt", "a\nX\nb\n")]);
    for text in ["a\nb\n", "a\nb", ""] {
        fsrb(&[("a.txt", text)], &one).refuses(&[("search-not-found", 2)]);
    }
    fsrb(&[("a.txt", "\na\n\n")], &one).refuses(&[("ambiguous-match", 2)]);
    let two = block("a.txt", "\n\n", "\n");
    fsrb(&[("a.txt", "a\n\n\nb\n")], &two).gives(&[("a.txt", "a\n\nb\n")]);
    fsrb(&[("a.txt", "a\n\nb\n")], &two).refuses(&[("search-not-found", 2)]);
}

/// A patch file's text must match white space at the ends of lines too.
#[test]
fn trailing_white_space_in_fsrb() {
    let input = block("a.txt", "a\nb\n", "X\n");
    fsrb(&[("a.txt", "a \nb\n")], &input).refuses(&[("search-not-found", 2)]);
    fsrb(&[("a.txt", "a\nb\n")], &block("a.txt", "a \nb\n", "X\n")).refuses(&[("search-not-found", 2)]);
}

/// In a reply white space at the ends of lines may differ, where nothing matches exactly.
#[test]
fn trailing_white_space_in_response() {
    let input = block("a.txt", "a\nb\t\n", "X\n");
    response(&[("a.txt", "0\na \t\nb\n1\n")], &input)
        .gives(&[("a.txt", "0\nX\n1\n")])
        .notes(&[("trailing-space-match", 2)]);
    let exact = block("a.txt", "a\nb\n", "X\n");
    response(&[("a.txt", "a \nb\n-\na\nb\n")], &exact).gives(&[("a.txt", "a \nb\n-\nX\n")]).notes(&[]);
    response(&[("a.txt", "a \nb\n-\na\t\nb\n")], &exact).refuses(&[("ambiguous-match", 2)]);
}

/// A match that ignores white space keeps line endings, and deletes whole lines.
#[test]
fn trailing_white_space_and_line_endings() {
    let before = [("a.txt", "0\r\na \r\nb\t\r\n1\r\n")];
    response(&before, &block("a.txt", "a\nb\n", "X\nY\nZ\n"))
        .gives(&[("a.txt", "0\r\nX\r\nY\r\nZ\r\n1\r\n")]);
    response(&before, &block("a.txt", "a\nb\n", "")).gives(&[("a.txt", "0\r\n1\r\n")]);
    response(&[("a.txt", "a \nb ")], &block("a.txt", "a\nb\n", "X\n")).gives(&[("a.txt", "X")]);
    response(&[("a.txt", "0\nb ")], &block("a.txt", "b\t\n", "")).gives(&[("a.txt", "0")]);
    response(&[("a.txt", "a \n")], &block("a.txt", "a\t\n", "")).gives(&[]);
}

/// Nothing but the white space at the ends of lines may differ.
#[test]
fn trailing_white_space_and_nothing_fuzzier() {
    for near in ["  a\n  b\n", "a\n\nb\n", "a\nB\n", "a\u{a0}\nb\n", "a\u{c}\nb\n"] {
        response(&[("a.txt", near)], &block("a.txt", "a\nb\n", "X\n")).refuses(&[("search-not-found", 2)]);
    }
}

/// A patch file's empty SEARCH creates a file that must not exist.
#[test]
fn empty_sections_create_in_fsrb() {
    let input = block("d/a.txt", "", "x\ny\n");
    fsrb(&[], &input).gives(&[("d/a.txt", "x\ny\n")]).reports(&[("d/a.txt", "created")]);
    fsrb(&[("d/a.txt", "")], &input).refuses(&[("create-exists", 2)]);
    fsrb(&[("d/a.txt", "x\ny\n")], &input).refuses(&[("create-exists", 2)]);
}

/// A section of one blank line is not empty.
#[test]
fn empty_sections_are_no_line_at_all() {
    fsrb(&[], &block("a.txt", "\n", "x\n")).refuses(&[("file-not-found", 2)]);
    fsrb(&[("a.txt", "a\nb\n")], &block("a.txt", "a\n", "\n")).gives(&[("a.txt", "\nb\n")]);
}

/// A file is not created after an earlier block touched it, unless that block left no file.
#[test]
fn empty_sections_create_comes_first() {
    let create = block("a.txt", "", "new\n");
    let edit = block("a.txt", "a\n", "b\n");
    fsrb(&[("a.txt", "a\n")], &format!("{edit}\n{create}")).refuses(&[("create-not-first", 9)]);
    fsrb(&[], &format!("{create}\n{create}")).refuses(&[("create-not-first", 8)]);
    let delete = block("a.txt", "a\n", "");
    fsrb(&[("a.txt", "a\n")], &format!("{delete}\n{create}")).gives(&[("a.txt", "new\n")]);
    let later = block("a.txt", "new\n", "newer\n");
    fsrb(&[], &format!("{create}\n{later}")).gives(&[("a.txt", "newer\n")]).reports(&[("a.txt", "created")]);
}

/// A reply's empty SEARCH creates the file, or appends to it after a line ending.
#[test]
fn empty_sections_create_or_append_in_response() {
    let input = block("a.txt", "", "x\ny\n");
    response(&[], &input).gives(&[("a.txt", "x\ny\n")]).reports(&[("a.txt", "created")]);
    response(&[("a.txt", "a\n")], &input).gives(&[("a.txt", "a\nx\ny\n")]).reports(&[("a.txt", "modified")]);
    response(&[("a.txt", "a")], &input).gives(&[("a.txt", "a\nx\ny")]);
    response(&[("a.txt", "a\r\n")], &input).gives(&[("a.txt", "a\r\nx\r\ny\r\n")]);
    response(&[("a.txt", "")], &input).gives(&[("a.txt", "x\ny\n")]);
    response(&[], &format!("{input}\n{input}")).gives(&[("a.txt", "x\ny\nx\ny\n")]);
}

/// A block whose sections are both empty is refused.
#[test]
fn empty_sections_both() {
    for kind in BOTH {
        run(kind, &[], &block("a.txt", "", "")).refuses(&[("empty-block", 2)]);
        run(kind, &[("a.txt", "a\n")], &block("a.txt", "", "")).refuses(&[("empty-block", 2)]);
    }
}

/// Whole lines that are deleted take their line ending with them; at the end of a file without one, the ending before.
#[test]
fn deleting_whole_lines() {
    for kind in BOTH {
        let delete = |text| run(kind, &[("a.txt", text)], &block("a.txt", "b\n", ""));
        delete("a\nb\nc\n").gives(&[("a.txt", "a\nc\n")]);
        delete("a\nb\n").gives(&[("a.txt", "a\n")]);
        delete("a\nb").gives(&[("a.txt", "a")]);
        delete("b\nc\n").gives(&[("a.txt", "c\n")]);
        delete("a\r\nb\r\nc\r\n").gives(&[("a.txt", "a\r\nc\r\n")]);
        delete("a\n\nb\n\nc\n").gives(&[("a.txt", "a\n\n\nc\n")]);
    }
}

/// A part of a line that is deleted takes no line ending with it.
#[test]
fn deleting_whole_lines_only() {
    fsrb(&[("a.txt", "let x = 1;\n")], &block("a.txt", " = 1\n", "")).gives(&[("a.txt", "let x;\n")]);
    fsrb(&[("a.txt", "abc\nd\n")], &block("a.txt", "ab\n", "")).gives(&[("a.txt", "c\nd\n")]);
    fsrb(&[("a.txt", "abc\nd\n")], &block("a.txt", "bc\n", "")).gives(&[("a.txt", "a\nd\n")]);
}

/// A file that is left without bytes is deleted, one that is left with white space is kept.
#[test]
fn deleting_whole_lines_and_the_file() {
    for text in ["a\n", "a"] {
        fsrb(&[("d/a.txt", text), ("b.txt", "b\n")], &block("d/a.txt", "a\n", ""))
            .gives(&[("b.txt", "b\n")])
            .reports(&[("d/a.txt", "deleted")]);
    }
    fsrb(&[("a.txt", "a\n\n")], &block("a.txt", "a\n", "")).gives(&[("a.txt", "\n")]);
    fsrb(&[("a.txt", "a\n ")], &block("a.txt", "a\n", "")).gives(&[("a.txt", " ")]);
    let both = format!("{}{}", block("a.txt", "a\n", ""), bare("b\n", ""));
    fsrb(&[("a.txt", "a\nb\n")], &both).gives(&[]).reports(&[("a.txt", "deleted")]);
}

/// Markers may have white space around them.
#[test]
fn markers_with_white_space_around() {
    let input = "a.txt\n  <<<<<<< SEARCH \t\na\n\t=======\nb\n    >>>>>>> REPLACE  \n";
    for kind in BOTH {
        run(kind, &[("a.txt", "a\n")], input).gives(&[("a.txt", "b\n")]).warns(&[]);
    }
}

/// What is nearly an opening marker is named, and the rest of its block gives the error of its own.
#[test]
fn markers_nearly_right_at_the_start() {
    for near in [
        "<<<<<<<< SEARCH",
        "<<<<<< SEARCH",
        "<<<<<<< search",
        "<<<<<<< Search",
        "<<<<<<<",
        "<<<<<<<SEARCH",
        "<<<<<<<  SEARCH",
        "<<<<<<<\tSEARCH",
        "<<<<<<< SEARCH a.txt",
        "<<<<<<< HEAD",
        "<<<<<<< ORIGINAL",
        "> <<<<<<< SEARCH",
    ] {
        let input = format!("a.txt\n{near}\na\n=======\nb\n>>>>>>> REPLACE\n");
        for kind in BOTH {
            println!("{near:?} {kind:?}");
            run(kind, &[("a.txt", "a\n")], &input)
                .refuses_with(("suspicious-marker", 2))
                .refuses_with(("unexpected-marker", 6));
        }
    }
}

/// What is nearly a closing marker is named beside the block's own fault.
#[test]
fn markers_nearly_right_at_the_end() {
    for near in [
        ">>>>>>>> REPLACE",
        ">>>>>> REPLACE",
        ">>>>>>> replace",
        ">>>>>>>",
        ">>>>>>>REPLACE",
        ">>>>>>> REPLACE.",
    ] {
        let input = format!("a.txt\n<<<<<<< SEARCH\na\n=======\nb\n{near}\n");
        for kind in BOTH {
            println!("{near:?} {kind:?}");
            run(kind, &[("a.txt", "a\n")], &input)
                .refuses(&[("unterminated-block", 2), ("suspicious-marker", 6)]);
        }
    }
}

/// What is nearly a separator is named beside the block's own fault.
#[test]
fn markers_nearly_right_in_the_middle() {
    for near in ["========", "======", "======= REPLACE"] {
        let input = format!("a.txt\n<<<<<<< SEARCH\na\n{near}\nb\n>>>>>>> REPLACE\n");
        for kind in BOTH {
            println!("{near:?} {kind:?}");
            run(kind, &[("a.txt", "a\n")], &input)
                .refuses_with(("missing-separator", 6))
                .refuses_with(("suspicious-marker", 4));
        }
    }
}

/// A line that is nearly a marker and breaks nothing is content, or text, and the input is applied.
#[test]
fn markers_nearly_right_that_break_nothing() {
    let input = block("a.txt", "<<<<<<< HEAD\na\n", "b\n");
    fsrb(&[("a.txt", "<<<<<<< HEAD\na\n")], &input).gives(&[("a.txt", "b\n")]);
}

/// An end without a block is an error; a line of `=` outside of a block is text.
#[test]
fn markers_without_a_block() {
    let good = block("a.txt", "a\n", "b\n");
    for kind in BOTH {
        run(kind, &[("a.txt", "a\n")], &format!("{good}\n>>>>>>> REPLACE\n"))
            .refuses(&[("unexpected-marker", 8)]);
        run(kind, &[("a.txt", "a\n")], &format!("{good}\nTitle\n=======\n")).gives(&[("a.txt", "b\n")]);
    }
}

/// A second SEARCH or separator within a block is an error at its line, and the only one.
#[test]
fn a_bare_marker_inside_a_section() {
    let cases = [
        ("a.txt\n<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n", ("unexpected-marker", 6)),
        (
            "a.txt\n<<<<<<< SEARCH\na\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
            ("unexpected-marker", 4),
        ),
        (
            "a.txt\n<<<<<<< SEARCH\na\n=======\nb\n<<<<<<< SEARCH\na\n=======\nc\n>>>>>>> REPLACE\n",
            ("unexpected-marker", 6),
        ),
        ("a.txt\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", ("missing-separator", 4)),
        ("a.txt\n<<<<<<< SEARCH\na\n  =======\nb\n\t=======\nc\n>>>>>>> REPLACE\n", ("unexpected-marker", 6)),
    ];
    for (input, error) in cases {
        for kind in BOTH {
            run(kind, &[("a.txt", "a\n")], input).refuses(&[error]);
        }
    }
}

/// One backslash at the start of a line that is otherwise a marker is removed; anything else stays.
#[test]
fn a_bare_marker_inside_a_section_escaped() {
    for marker in ["<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"] {
        let input = block("a.txt", &format!("\\{marker}\n"), &format!("x\n\\{marker}\n"));
        for kind in BOTH {
            run(kind, &[("a.txt", &format!("{marker}\n"))], &input)
                .gives(&[("a.txt", &format!("x\n{marker}\n"))])
                .warns(&[]);
        }
    }
    for kept in ["\\\\=======", " \\=======", "\\======", "\\x", "\\"] {
        fsrb(&[("a.txt", "a\n")], &block("a.txt", "a\n", &format!("{kept}\n")))
            .gives(&[("a.txt", &format!("{kept}\n"))]);
    }
}

/// The printer escapes marker lines and refuses what would be read as another line.
#[test]
fn a_bare_marker_inside_a_section_printed() {
    let printed = print_block("a.txt", "=======\n", "<<<<<<< SEARCH\n>>>>>>> REPLACE\n").unwrap();
    fsrb(&[("a.txt", "=======\n")], &printed).gives(&[("a.txt", "<<<<<<< SEARCH\n>>>>>>> REPLACE\n")]);
    assert!(print_block("a.txt", "\\=======\n", "x\n").is_err());
    assert!(print_block("a.txt", "x\n", "\\<<<<<<< SEARCH\n").is_err());
}

/// In a patch file the nearest line above is the path; blank lines, `#` lines and fences are skipped.
#[test]
fn the_path_fsrb() {
    let edit = bare("a\n", "b\n");
    for head in [
        "a.txt\n",
        "other.txt\na.txt\n",
        "a.txt\n\n\n",
        "a.txt\n# a comment\n",
        "  a.txt \t\n",
        "a.txt\n```text\n",
        "```\na.txt\n",
        "a.txt\n#c\n\n````\n#d\n",
    ] {
        fsrb(&[("a.txt", "a\n"), ("other.txt", "a\n")], &format!("{head}{edit}"))
            .gives(&[("a.txt", "b\n"), ("other.txt", "a\n")]);
    }
    fsrb(&[("a.txt", "a\n")], &edit).refuses(&[("missing-path", 1)]);
    fsrb(&[("a.txt", "a\n")], &format!("# a.txt\n{edit}")).refuses(&[("missing-path", 2)]);
}

/// The line above is the path whatever it looks like.
#[test]
fn the_path_fsrb_of_any_look() {
    let edit = bare("a\n", "b\n");
    for path in ["Read me first", "**a**", "`a.txt`", "a(b)", "File; a.txt"] {
        fsrb(&[(path, "a\n"), ("a.txt", "a\n")], &format!("{path}\n{edit}"))
            .gives(&[(path, "b\n"), ("a.txt", "a\n")]);
    }
    fsrb(&[("a.txt", "a\n")], &format!("Now this one\n{edit}")).refuses(&[("file-not-found", 2)]);
}

/// A block directly after a block has its path; a line between is the path of the second.
#[test]
fn the_path_fsrb_inherited() {
    let first = block("a.txt", "a\n", "b\n");
    let second = bare("c\n", "d\n");
    for between in ["", "\n", "\n# then\n\n", "```\n\n```\n"] {
        fsrb(&[("a.txt", "a\nc\n")], &format!("{first}{between}{second}")).gives(&[("a.txt", "b\nd\n")]);
    }
    fsrb(&[("a.txt", "a\nc\n")], &format!("{first}and then\n{second}")).refuses(&[("file-not-found", 8)]);
}

/// A line of prose is not the path of a file to create.
#[test]
fn the_path_fsrb_of_a_new_file() {
    let create = bare("", "x\n");
    for prose in ["Here is the file", "and then"] {
        fsrb(&[], &format!("{prose}\n{create}")).refuses_with(("missing-path", 2));
    }
    for path in ["new", "my notes.txt", "my dir/notes"] {
        fsrb(&[], &format!("{path}\n{create}")).gives(&[(path, "x\n")]);
    }
}

/// A line without the form of a path, below one that has it, is not the path of a file to create: a line of the block may
/// have got between them.
#[test]
fn the_path_fsrb_of_a_new_file_may_not_be_a_line_that_got_above_the_block() {
    let create = bare("", "x\n");
    for line in ["total", "\treturn", "``", "call(x)", "}"] {
        for (between, marker) in [("", 4), ("y = 1\n", 5), ("\n", 5)] {
            let input = format!("src/a.py\n{between}{line}\n```python\n{create}```\n");
            fsrb(&[], &input).refuses_with(("missing-path", marker));
        }
    }
    // Nor is a line that looks like one of some code, whatever is above it.
    let edit = block("src/a.py", "a\n", "b\n");
    for line in ["{", "\treturn", "``", "    x"] {
        fsrb(&[("src/a.py", "a\n")], &format!("{edit}{line}\n{create}")).refuses_with(("missing-path", 8));
    }
    // A file may have any name that no other one is above.
    fsrb(&[("src/a.py", "a\n")], &format!("{edit}total\n{create}"))
        .gives(&[("src/a.py", "b\n"), ("total", "x\n")]);
    fsrb(&[], &format!("src/a.py\nMakefile\n{create}"))
        .gives(&[("Makefile", "x\n")])
        .warns(&[("ignored-text", 1)]);
    fsrb(&[], &format!("# src/a.py\ntotal\n{create}")).gives(&[("total", "x\n")]);
}

fn edits_a_py(input: &str) {
    response(&[("a.py", "a\n"), ("b.py", "a\n")], input).gives(&[("a.py", "b\n"), ("b.py", "a\n")]);
}

/// In a reply the nearest of path line, comment, info string and line above the fence wins.
#[test]
fn the_path_response_nearest_first() {
    let edit = bare("a\n", "b\n");
    edits_a_py(&format!("a.py\n{edit}"));
    edits_a_py(&format!("b.py\n```python b.py\na.py\n{edit}```\n"));
    edits_a_py(&format!("b.py\n```python b.py\n# a.py\n{edit}```\n"));
    edits_a_py(&format!("```python\n# file: a.py\n{edit}```\n"));
    edits_a_py(&format!("b.py\n```python a.py\n{edit}```\n"));
    edits_a_py(&format!("b.py\n```python title=\"a.py\"\n{edit}```\n"));
    edits_a_py(&format!("Look at `b.py` first.\n\na.py\n\n```python\n{edit}```\n"));
    edits_a_py(&format!("b.py\n\nNow change `a.py`:\n```python\n{edit}```\n"));
}

/// The path line may be decorated.
#[test]
fn the_path_response_decorated() {
    let edit = bare("a\n", "b\n");
    for line in [
        "`a.py`",
        "**a.py**",
        "**`a.py`**",
        "### a.py",
        "## `a.py`:",
        "a.py:",
        "\"a.py\"",
        "- a.py",
        "* `a.py`",
        "1. a.py",
        "File: a.py",
        "**File:** `a.py`",
        "# a.py",
    ] {
        edits_a_py(&format!("{line}\n```python\n{edit}```\n"));
        edits_a_py(&format!("{line}\n{edit}"));
        edits_a_py(&format!("{line}\n\n```python\n{edit}```\n"));
    }
}

/// The one path in backticks in the last line of prose counts, two do not.
#[test]
fn the_path_response_in_prose() {
    let edit = bare("a\n", "b\n");
    edits_a_py(&format!("We should now fix the loop in `a.py` like this.\n\n```python\n{edit}```\n"));
    response(
        &[("a.py", "a\n"), ("b.py", "a\n")],
        &format!("Move it from `b.py` to `a.py`.\n\n```python\n{edit}```\n"),
    )
    .refuses(&[("missing-path", 4)]);
}

/// A block without a path of its own has that of the block before.
#[test]
fn the_path_response_inherited() {
    let two = format!(
        "a.py\n```python\n{}```\n\nAnd the second change:\n\n```python\n{}```\n",
        bare("a\n", "b\n"),
        bare("c\n", "d\n")
    );
    response(&[("a.py", "a\nc\n")], &two).gives(&[("a.py", "b\nd\n")]);
}

/// Prose, an address and a call are no paths.
#[test]
fn the_path_response_looks_like_a_path() {
    let edit = bare("a\n", "b\n");
    for line in ["Here is the change", "https://example.org/a.py", "main()", "`main()`", "Update the code"] {
        println!("{line}");
        response(&[("a.py", "a\n")], &format!("{line}\n```\n{edit}```\n")).refuses(&[("missing-path", 3)]);
        response(&[("a.py", "a\n")], &format!("{line}\n{edit}")).refuses(&[("missing-path", 2)]);
    }
    response(&[("a.py", "a\n")], &edit).refuses(&[("missing-path", 1)]);
    for path in ["Makefile", "src/a", "a.py", "notes.xyzzy", ".gitignore"] {
        response(&[(path, "a\n")], &format!("{path}\n```\n{edit}```\n")).gives(&[(path, "b\n")]);
    }
}

/// Other text in a patch file is ignored and named, once a run of lines; blank, `#` and fence lines are not.
#[test]
fn other_text_in_fsrb() {
    let edit = block("a.txt", "a\n", "b\n");
    let apply = |input: &str| fsrb(&[("a.txt", "a\n")], input);
    apply(&format!("One\nTwo\n{edit}")).gives(&[("a.txt", "b\n")]).warns(&[("ignored-text", 1)]);
    apply(&format!("{edit}One\nTwo\n")).gives(&[("a.txt", "b\n")]).warns(&[("ignored-text", 7)]);
    apply(&format!("One\n{edit}Two\n"))
        .gives(&[("a.txt", "b\n")])
        .warns(&[("ignored-text", 1), ("ignored-text", 8)]);
    apply(&format!("# One\n\n```text\n{edit}```\n# Two\n\n")).gives(&[("a.txt", "b\n")]).warns(&[]);
}

/// A path is not inherited past a block, or words above one, that name another file.
#[test]
fn the_path_inherited_past_another_file() {
    let (first, second) = (block("a.py", "x\n", "y\n"), bare("y\n", "z\n"));
    let files = [("a.py", "x\n"), ("b.py", "y\n")];
    response(&files, &format!("{first}\nWords.\n\n```text\nx\n```\n\n{second}"))
        .gives(&[("a.py", "z\n"), ("b.py", "y\n")]);
    for (between, line) in
        [("Now `b.py` is next.\n\n```text\nx\n```\n", 14), ("```python c.py\nx\n```\n", 12)]
    {
        let input = format!("{first}\n{between}\n{second}");
        response(&files, &input).refuses(&[("missing-path", line)]);
        // It is the fault of the last edit, and not of the file that is named above it.
        let source = Source::new(&input).unwrap();
        let parsed = parse(&source, InputKind::Response);
        let edits = parsed.changes().list.len();
        let blocks: Vec<_> = parsed.diagnostics.iter().map(|found| found.block).collect();
        assert_eq!(blocks, [Some(u32::try_from(edits).unwrap())], "{input}");
    }
}

/// A path nearer than the info string's holds for the blocks below it in the fence, too.
#[test]
fn the_path_inherited_within_a_fence_with_a_name() {
    let edits = format!("{}{}", block("b.py", "x\n", "y\n"), bare("y\n", "z\n"));
    let files = [("a.py", "y\n"), ("b.py", "x\n")];
    response(&files, &format!("```python a.py\n{edits}```\n")).gives(&[("a.py", "y\n"), ("b.py", "z\n")]);
}
