use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use super::*;
use crate::ast::{Extent, FileOperation, HunkLine, LineEnding, LineKind};
use crate::grammar::lines::lex;
use crate::source::Source;

mod faults;
mod properties;

/// The file patches of a text without fences, and all faults.
fn read(text: &str) -> (Vec<FilePatch>, Vec<Diagnostic>) {
    let tokens = lex(text);
    let mut lines = Lines::new(text, &tokens);
    let (mut patches, mut faults) = (Vec::new(), Vec::new());
    while !lines.is_empty() {
        match file_patch(lines) {
            Ok((rest, read)) => {
                patches.push(read.node);
                faults.extend(read.faults);
                lines = rest;
            }
            Err(_) => lines = lines.take_from(1),
        }
    }
    (patches, faults)
}

/// The patches of a text as one line each: operation, names, hunk lines, codes.
fn show(text: &str) -> Vec<String> {
    let source = Source::new(text).unwrap();
    let (patches, faults) = read(text);
    let mut shown: Vec<_> = patches
        .iter()
        .map(|patch| {
            let name = |path: Option<std::borrow::Cow<'_, str>>| {
                path.map_or("-".to_owned(), |path| path.into_owned())
            };
            let hunks: Vec<_> = patch.hunks.iter().map(|hunk| show_hunk(hunk, &source)).collect();
            format!(
                "{:?} {} {} {}",
                patch.operation(&source),
                name(patch.old_path(&source)),
                name(patch.new_path(&source)),
                hunks.join(" | ")
            )
        })
        .collect();
    shown.extend(faults.iter().map(|fault| format!("{}: {}", fault.code, source.slice(fault.span.unwrap()))));
    shown
}

fn show_hunk(hunk: &Hunk, source: &Source<'_>) -> String {
    let numbers = hunk.header.ranges.map_or("?".to_owned(), |(old, new)| {
        format!("{},{} {},{}", old.start.value, old.len(), new.start.value, new.len())
    });
    let lines: String = hunk
        .lines
        .iter()
        .map(|line| {
            let sign = match line.kind {
                LineKind::Context => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            };
            format!("{sign}{}{};", source.slice(line.text), if line.no_newline { "\\" } else { "" })
        })
        .collect();
    let extent = match hunk.extent {
        Extent::Counted => "=".to_owned(),
        Extent::Beginning(lines) => format!("<{lines}"),
        Extent::Unknown => "?".to_owned(),
    };
    format!("@{numbers}@{extent}[{}]{lines}", source.slice(hunk.header.section))
}

const BODY: &str = " one\n-two\n+TWO\n three\n";

#[test]
fn a_plain_diff_has_names_and_a_hunk() {
    let text = format!("--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@ fn f()\n{BODY}");
    assert_eq!(show(&text), ["Modify f.txt f.txt @1,3 1,3@=[fn f()] one;-two;+TWO; three;"]);
}

#[test]
fn hunk_headers_may_lack_their_numbers() {
    for (header, section) in [
        ("@@", ""),
        ("@@ @@", ""),
        ("@@ ... @@", ""),
        ("@@ def f(): @@", "def f():"),
        ("@@ def f():", "def f():"),
    ] {
        let text = format!("--- a/f\n+++ b/f\n{header}\n{BODY}");
        assert_eq!(show(&text), [format!("Modify f f @?@?[{section}] one;-two;+TWO; three;")], "{header}");
    }
}

#[test]
fn overflowing_numbers_are_no_numbers() {
    let text = format!("--- a/f\n+++ b/f\n@@ -99999999999999999999,3 +1,3 @@\n{BODY}");
    assert_eq!(show(&text), ["Modify f f @?@?[] one;-two;+TWO; three;"]);
}

#[test]
fn counts_that_fit_all_but_blank_lines_at_the_end_are_trusted() {
    let text = format!("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n{BODY}\n\nDone.\n");
    assert_eq!(show(&text), ["Modify f f @1,3 1,3@=[] one;-two;+TWO; three;"]);
}

#[test]
fn counts_that_fit_a_beginning_leave_the_end_open() {
    let text = format!("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n{BODY}- first note\n");
    assert_eq!(
        show(&text),
        [
            "Modify f f @1,3 1,3@<4[] one;-two;+TWO; three;- first note;",
            "hunk-count-mismatch: @@ -1,3 +1,3 @@"
        ]
    );
}

#[test]
fn content_that_looks_like_headers_is_content() {
    let text = "--- a/q\n+++ b/q\n@@ -1,3 +1,3 @@\n x\n--- a/o\n+++ b/o\n y\n";
    assert_eq!(show(text), ["Modify q q @1,3 1,3@=[] x;--- a/o;+++ b/o; y;"]);
}

#[test]
fn three_successive_header_lines_start_a_file_whatever_the_counts_say() {
    let text = "--- a/q\n+++ b/q\n@@ -1,9 +1,9 @@\n x\n--- a/o\n+++ b/o\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(
        show(text),
        [
            "Modify q q @1,9 1,9@?[] x;",
            "Modify o o @1,1 1,1@=[]-a;+b;",
            "hunk-count-mismatch: @@ -1,9 +1,9 @@"
        ]
    );
}

#[test]
fn git_headers_say_what_happens() {
    let table = [
        ("diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n", "Create - n "),
        ("diff --git a/n b/n\ndeleted file mode 100644\nindex e69de29..0000000\n", "Delete n - "),
        ("diff --git a/f b/d/g\nsimilarity index 100%\nrename from f\nrename to d/g\n", "Rename f d/g "),
        ("diff --git a/f b/g\nsimilarity index 100%\ncopy from f\ncopy to g\n", "Copy f g "),
        ("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", "Mode f f "),
        ("diff --git a/my f b/my f\nold mode 100644\nnew mode 100755\n", "Mode my f my f "),
    ];
    for (text, want) in table {
        assert_eq!(show(text), [want], "{text}");
    }
}

#[test]
fn names_lose_prefixes_only_where_the_sides_have_two_different_ones() {
    let table = [
        ("a/f", "b/f", "Modify f f"),
        ("i/f", "w/f", "Modify f f"),
        ("a/f", "a/f", "Modify a/f a/f"),
        ("f", "b/f", "Modify f b/f"),
        ("/dev/null", "b/f", "Create - f"),
        ("a/f", "/dev/null", "Delete f -"),
        ("\"a/\\303\\244\"", "\"b/\\303\\244\"", "Modify ä ä"),
        ("a/my f.txt\t", "b/my f.txt\t", "Modify my f.txt my f.txt"),
        ("a/f 2024-01-02 03:04:05 +0100", "b/f 2024-01-02 03:04:05 +0100", "Modify f f"),
        ("a/f Thu Jan  1 00:00:00 2024", "b/f", "Modify f f"),
        ("f\t(revision 1)", "f\t(working copy)", "Modify f f"),
        ("a/f \t", "b/f  ", "Modify f f"),
    ];
    for (old, new, want) in table {
        let shown = show(&format!("--- {old}\n+++ {new}\n@@\n+x\n"));
        assert_eq!(shown, [format!("{want} @?@?[]+x;")], "{old} {new}");
    }
}

#[test]
fn one_name_twice_is_the_same_but_for_its_first_part() {
    for (names, want) in [
        ("a/x b/x", Some(("a/x", "b/x"))),
        ("a/x y b/x y ", Some(("a/x y", "b/x y"))),
        ("x x", Some(("x", "x"))),
        ("a/foo b/bar", None),
        ("a/x/y b/z/y", None),
        ("ab/x b/xy", None),
        ("aa/x b/x", None),
        ("foo bar", None),
        ("a/x bc/x", None),
        ("\"a/x\" \"a/x\"", None),
        ("a/xb/x", None),
        ("", None),
    ] {
        assert_eq!(name::one_name_twice(names), want, "{names:?}");
    }
}

#[test]
fn an_epoch_stamp_in_any_zone_is_no_file() {
    for stamp in [
        "1970-01-01 00:00:00.000000000 +0000",
        "1970-01-01 01:00:00 +0100",
        "1969-12-31 19:00:00.000 -0500",
        "1970-01-01 05:30:00 +0530",
        "1969-12-31 14:30:00 -09:30",
        "1970-01-01T00:00:00Z",
        "Thu Jan  1 00:00:00 1970",
        "Wed Dec 31 16:00:00 1969",
        "Thu Jan 01 00:00:00 1970 +0000",
        // Without a zone, when it is the epoch in some.
        "1970-01-01 14:00:00",
        "1969-12-31 12:00:00",
    ] {
        assert!(is_epoch(stamp), "{stamp}");
    }
    for stamp in [
        "1970-01-01 00:00:01 +0000",
        "1970-01-01 01:00:00 +0000",
        "1970-01-01 04:30:00 +0530",
        "1970-01-01 14:15:00",
        "1969-12-31 11:45:00",
        "1970-01-01 05:20:00",
        "2024-01-02 00:00:00 +0000",
        "",
    ] {
        assert!(!is_epoch(stamp), "{stamp}");
    }
    let text = "--- a/n\t1970-01-01 00:00:00 +0000\n+++ b/n\t2024-01-02 03:04:06 +0000\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(read(text).0[0].operation(&Source::new(text).unwrap()), FileOperation::Create);
}

#[test]
fn binary_content_and_links_are_errors_at_the_line_that_says_so() {
    let table = [
        (
            "diff --git a/i b/i\nindex 1..2 100644\nBinary files a/i and b/i differ\n",
            "binary-patch: Binary files a/i and b/i differ",
        ),
        (
            "diff --git a/i b/i\nnew file mode 100644\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 0\nHcmV\n\n",
            "binary-patch: GIT binary patch",
        ),
        ("Binary files a/i and b/i differ\n", "binary-patch: Binary files a/i and b/i differ"),
        (
            "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n\\ No newline\n",
            "unsupported-mode: new file mode 120000",
        ),
        (
            "diff --git a/l b/l\nindex 1..2 160000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-x\n+y\n",
            "unsupported-mode: index 1..2 160000",
        ),
    ];
    for (text, want) in table {
        assert!(show(text).contains(&want.to_owned()), "{text}: {:?}", show(text));
    }
}

#[test]
fn a_section_without_hunks_and_operation_is_an_error() {
    for text in [
        "diff --git a/f b/f\n",
        "diff --git a/f b/f\nindex 1..2 100644\n",
        "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n",
        "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n",
    ] {
        assert_eq!(show(text)[1], "missing-hunks: diff --git a/f b/f", "{text}");
    }
}

#[test]
fn names_of_another_file_end_a_git_section() {
    let text = "diff --git a/f b/g\nrename from f\nrename to g\n\n--- a/h\n+++ b/h\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(show(text), ["Rename f g ", "Modify h h @1,1 1,1@=[]-a;+b;"]);
    for (old, new) in [("a/f", "b/f"), ("f", "f"), ("/dev/null", "b/f"), ("a/f", "/dev/null"), ("i/f", "w/f")]
    {
        let text = format!("diff --git a/f b/f\nindex 1..2\n--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(show(&text).len(), 1, "{old} {new}");
    }
}

/// What a section says with its lines and the line that contradicts an earlier one, from 1; 0 for none.
#[test]
fn lines_that_name_different_files_are_a_conflict() {
    let rename = "similarity index 50%\nrename from y\nrename to w\n";
    let names = |old: &str, new: &str| format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-b\n+n\n");
    let table = [
        ("a/y b/w", rename, names("a/y", "b/w"), 0),
        ("y w", rename, names("y", "w"), 0),
        ("a/y b/w", rename, names("/dev/null", "b/w"), 5),
        ("a/y b/w", rename, names("a/y", "/dev/null"), 6),
        ("a/y b/w", rename, names("a/y", "b/q"), 6),
        ("a/y b/w", rename, names("a/p", "b/w"), 5),
        ("a/p b/w", rename, String::new(), 3),
        ("a/y b/q", rename, String::new(), 4),
        ("/dev/null b/w", rename, String::new(), 3),
        ("a/y b/w", "rename from y\nrename from p\nrename to w\n", String::new(), 3),
        ("a/y b/w", "rename from y\nrename to w\ncopy from y\ncopy to w\n", String::new(), 4),
        ("a/y b/w", "copy from y\nrename to w\n", String::new(), 3),
        ("a/y b/w", "rename from y\nrename to w\nnew file mode 100644\n", String::new(), 4),
        ("a/y b/w", "rename from y\nrename to w\ndeleted file mode 100644\n", String::new(), 4),
        ("a/x b/x", "", names("a/x", "b/x"), 0),
        ("a/x b/x", "", names("x", "x"), 0),
        ("a/x b/x", "", names("a/p", "b/p"), 2),
        ("a/x b/x", "", names("a/p", "b/x"), 2),
        ("a/x b/x", "", names("a/x", "b/p"), 3),
        ("a/x b/x", "index 1..2\n\n", names("a/x", "b/p"), 5),
        ("a/b/x b/b/x", "", names("b/x", "b/x"), 2),
        ("a/x b/q", "", names("a/x", "b/q"), 0),
        ("a/x b/q", "", names("a/x", "b/x"), 3),
        ("a/x b/q", "", names("a/q", "b/q"), 2),
        ("a/x b/q", "", names("/dev/null", "b/q"), 2),
        ("a/x b/x", "", names("/dev/null", "b/x"), 0),
        ("a/x b/x", "", names("a/x", "/dev/null"), 0),
        ("a/x b/x", "", names("/dev/null", "b/q"), 3),
        ("a/x b/x", "new file mode 100644\n", names("/dev/null", "b/x"), 0),
        ("/dev/null b/x", "new file mode 100644\n", names("/dev/null", "b/x"), 0),
        ("a/x b/x", "new file mode 100644\n", names("a/x", "b/x"), 3),
        ("a/x b/x", "new file mode 100644\n", names("/dev/null", "/dev/null"), 4),
        ("a/x b/x", "new file mode 100644\n", names("/dev/null", "b/q"), 4),
        ("a/f b/x", "new file mode 100644\n", String::new(), 2),
        ("a/x b/x", "deleted file mode 100644\n", names("a/x", "/dev/null"), 0),
        ("a/x /dev/null", "deleted file mode 100644\n", names("a/x", "/dev/null"), 0),
        ("a/x b/x", "deleted file mode 100644\n", names("a/x", "b/x"), 4),
        ("a/x b/x", "deleted file mode 100644\n", names("/dev/null", "b/x"), 3),
        ("a/x b/x", "deleted file mode 100644\n", names("a/q", "/dev/null"), 3),
        ("a/x b/x", "deleted file mode 100644\nnew file mode 100644\n", String::new(), 3),
        ("\"a/\\303\\244\" \"b/\\303\\244\"", "", names("a/ä", "b/ä"), 0),
    ];
    for (git, headers, names, line) in table {
        let text = format!("diff --git {git}\n{headers}{names}");
        let source = Source::new(&text).unwrap();
        let (patches, faults) = read(&text);
        assert_eq!(patches.len(), 1, "{text}");
        let conflicts: Vec<_> = faults.iter().filter(|fault| fault.code == Code::PathConflict).collect();
        let lines: Vec<_> =
            conflicts.iter().map(|fault| source.position(fault.span.unwrap().start).line).collect();
        assert_eq!(lines, if line == 0 { vec![] } else { vec![line] }, "{text}");
        if line == 0 {
            assert_eq!(patches[0].fault, None, "{text}");
        }
    }
}

/// As many contradictions as there are lines are told once: each tells the names.
#[test]
fn a_conflict_is_told_once() {
    let text = format!("diff --git a/x b/y\n{}", "rename from z\nrename to z\n".repeat(3));
    assert_eq!(show(&text), ["Rename z z ", "path-conflict: rename from z"]);
}

/// Its lines would be dropped in silence.
#[test]
fn a_hunk_without_file_is_an_error() {
    let text = "Words\n\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    assert_eq!(show(text), ["Modify - - @1,2 1,2@=[] a;-b;+c;", "missing-path: @@ -1,2 +1,2 @@"]);
}

/// Names of a section without `diff --git` line may differ: which one is meant is for the files to decide.
#[test]
fn two_names_without_a_git_line_are_no_conflict() {
    assert_eq!(show("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"), ["Modify x y @1,1 1,1@=[]-a;+b;"]);
}

/// A rename or copy stays one, whatever timestamps its names have.
#[test]
fn an_epoch_makes_no_rename_a_creation() {
    let text = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\t1970-01-01 00:00:00 +0000\n+++ b/y\t2024-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+b\n";
    assert_eq!(show(text), ["Rename x y @0,0 1,1@=[]+b;"]);
}

#[test]
fn a_context_line_without_sign_that_changes_follow_is_an_error() {
    let text = "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n one\n-two\n+TWO\nthree\n-four\n+FOUR\n five\n";
    assert!(show(text).contains(&"malformed-hunk: @@ -1,5 +1,5 @@".to_owned()), "{:?}", show(text));
}

#[test]
fn prose_that_speaks_of_diffs_is_none() {
    for text in [
        "diff --git is a command\n",
        "Index: of things\n",
        "---\n\n+++\n",
        "--- a/f\n+++ b/f\n",
        "@@ -1 +1 @@\n a\n",
        "@@ -1 +1 @@\nwords\n-a\n+b\n",
        "@@ ... @@\n-a\n+b\n",
    ] {
        assert_eq!(show(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_whole_diff_may_be_indented() {
    let text =
        "- Apply:\n\n  --- a/f\n  +++ b/f\n  @@ -1,4 +1,4 @@\n   one\n\n  -two\n  +TWO\n   three\n- Run it\n";
    assert_eq!(show(text), ["Modify f f @1,4 1,4@=[] one; ;-two;+TWO; three;"]);
}

#[test]
fn a_hunk_behind_prose_is_of_the_same_file() {
    let text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n\nand below\n\n@@ -9 +9 @@\n-c\n+d\n\nEnd.\n";
    assert_eq!(show(text), ["Modify f f @1,1 1,1@=[]-a;+b; | @9,1 9,1@=[]-c;+d;"]);
}

#[test]
fn no_newline_markers_are_read_in_any_language() {
    let text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ Kein Zeilenumbruch\n+b\n\\ No newline at end of file\n";
    assert_eq!(show(text), ["Modify f f @1,1 1,1@=[]-a\\;+b\\;"]);
}

#[test]
fn a_diff_block_reads_what_prose_does_not() {
    let table = [
        ("@@ -1 +1 @@\n-a\n+b\n", 1, vec!["missing-path"]),
        ("--- a/f\n+++ b/f\n-a\n+b\n", 1, vec!["missing-hunks"]),
        ("--- a/f\n@@ -1 +1 @@\n-a\n+b\n", 1, vec![]),
        ("+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", 1, vec![]),
        (
            "Subject: x\n\n- a list\n\n--- a/f\n+++ b/f\n\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.2\n",
            1,
            vec!["hunk-count-mismatch"],
        ),
        ("-a\n+b\n", 0, vec!["missing-path"]),
        ("\n \n", 0, vec![]),
        ("  --- a/f\n  +++ b/f\n  @@ -1 +1 @@\n  -a\n  +b\n", 1, vec![]),
        ("--- a/f\n+++ b/f\n@@ ... @@\n a\nb\n\n-c\n+d\n", 1, vec!["malformed-hunk"]),
    ];
    for (text, nodes, codes) in table {
        let tokens = lex(text);
        let (found, faults) = diff_block(Lines::new(text, &tokens), Span::empty(0));
        let found_codes: Vec<_> = faults.iter().map(|fault| fault.code.as_str()).collect();
        assert_eq!((found.len(), found_codes), (nodes, codes), "{text}");
    }
}

#[test]
fn a_fence_s_indentation_is_no_part_of_its_diff() {
    let text = "  --- a/f\n  +++ b/f\n  @@ -1,3 +1,3 @@\n    x\n\n  -y\n+z\n";
    let tokens = lex(text);
    let (nodes, faults) = diff_block(Lines::new(text, &tokens).indented(2), Span::empty(0));
    let [Node::FilePatch(patch)] = nodes.as_slice() else { panic!("{nodes:?}") };
    let source = Source::new(text).unwrap();
    assert_eq!(show_hunk(&patch.hunks[0], &source), "@1,3 1,3@=[]  x; ;-y;+z;");
    assert!(faults.is_empty());
}

#[test]
fn every_part_has_a_place() {
    let text = "diff --git \"a/\\303\\244 x\" b/y\nsimilarity index 80%\nrename from \"\\303\\244 x\"\nrename to y\n\
        --- \"a/\\303\\244 x\"\t2024\n+++ b/y\n@@ -12,2 +13 @@ fn f()\n-a\r\n b\n\\ No newline\n";
    let source = Source::new(text).unwrap();
    let (patches, faults) = read(text);
    let [patch] = patches.as_slice() else { panic!("{patches:?}") };
    let slice = |span| source.slice(span);
    let (old, new) = patch.git.unwrap().names.unwrap();
    assert_eq!((slice(old.span), slice(new.span)), ("\"a/\\303\\244 x\"", "b/y"));
    assert_eq!(slice(patch.old.unwrap().timestamp.unwrap()), "2024");
    assert_eq!(
        patch.headers.iter().map(|header| slice(header.value)).collect::<Vec<_>>(),
        ["80%", "\"\\303\\244 x\"", "y"]
    );
    assert_eq!(
        (patch.old_path(&source).unwrap().as_ref(), patch.new_path(&source).unwrap().as_ref()),
        ("ä x", "y")
    );
    let hunk = &patch.hunks[0];
    let (old, new) = hunk.header.ranges.unwrap();
    assert_eq!(
        (slice(old.start.span), slice(old.count.unwrap().span), slice(new.start.span)),
        ("12", "2", "13")
    );
    assert_eq!(new.count, None);
    assert_eq!(slice(hunk.header.section), "fn f()");
    assert_eq!(hunk.lines.iter().map(|line| slice(line.span())).collect::<Vec<_>>(), ["-a", " b"]);
    assert_eq!(hunk.lines[0].ending, LineEnding::CrLf);
    assert_eq!(slice(hunk.no_newline_markers[0]), "\\ No newline");
    assert!(faults.is_empty() && patch.fault.is_none());
}

#[test]
fn bad_quoted_names_are_errors_at_the_name() {
    for (name, code) in
        [("\"b/\\377\"", "not-utf8"), ("\"b/\\q\"", "missing-path"), ("\"b/\\400\"", "missing-path")]
    {
        let text = format!("--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n");
        assert_eq!(show(&text)[1], format!("{code}: {name}"));
    }
}

#[test]
fn a_merge_s_diff_is_refused() {
    let text =
        "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,3 -1,3 +1,3 @@@\n  one\n- two\n -2\n++TWO\n";
    assert_eq!(show(text)[1..], ["malformed-hunk: diff --cc f", "malformed-hunk: @@@ -1,3 -1,3 +1,3 @@@"]);
}

#[test]
fn subversion_s_headers_are_read() {
    let rule = "=".repeat(67);
    let text = format!(
        "Index: f.txt\n{rule}\n--- f.txt\t(revision 1)\n+++ f.txt\t(working copy)\n@@ -1,3 +1,3 @@\n{BODY}"
    );
    assert_eq!(show(&text), ["Modify f.txt f.txt @1,3 1,3@=[] one;-two;+TWO; three;"]);
    let text = format!("Index: f.bin\n{rule}\nCannot display: file marked as a binary type.\n");
    assert_eq!(show(&text)[1], "binary-patch: Cannot display: file marked as a binary type.");
}

/// What an input holds, in the form of grammar-notes/unified-diff.md.
fn dump(text: &str) -> String {
    let source = Source::new(text).unwrap();
    let parsed = crate::grammar::parse(&source, crate::ast::InputKind::Diff);
    let line = |offset| source.position(offset).line;
    let mut out = String::new();
    for node in parsed.document.changes() {
        let Node::FilePatch(patch) = node else { panic!("a diff holds patches only: {node:?}") };
        let path = |path: Option<std::borrow::Cow<'_, str>>| {
            path.map_or("none".to_owned(), std::borrow::Cow::into_owned)
        };
        let (old, new) = (path(patch.old_path(&source)), path(patch.new_path(&source)));
        let operation = format!("{:?}", patch.operation(&source)).to_lowercase();
        writeln!(
            out,
            "patch {}-{}: {operation} {old} -> {new}",
            line(patch.span.start),
            line(patch.span.end)
        )
        .unwrap();
        for hunk in &patch.hunks {
            dump_hunk(hunk, &source, &mut out);
        }
    }
    for found in parsed.diagnostics {
        writeln!(out, "{}: {} {}", line(found.span.unwrap().start), found.severity, found.code).unwrap();
    }
    out
}

fn dump_hunk(hunk: &Hunk, source: &Source<'_>, out: &mut String) {
    let numbers = hunk.header.ranges.map_or("without numbers".to_owned(), |(old, new)| {
        format!("-{},{} +{},{}", old.start.value, old.len(), new.start.value, new.len())
    });
    let extent = match hunk.extent {
        Extent::Counted => "counted".to_owned(),
        Extent::Beginning(lines) => format!("first {lines}"),
        Extent::Unknown => "unknown".to_owned(),
    };
    writeln!(out, "hunk {numbers} {extent} [{}]", source.slice(hunk.header.section)).unwrap();
    for line in &hunk.lines {
        let sign = match line.kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        };
        let ending = if line.ending == LineEnding::CrLf { "\\r" } else { "" };
        writeln!(out, "{sign}{}{ending}", source.slice(line.text)).unwrap();
        if line.no_newline {
            writeln!(out, "\\").unwrap();
        }
    }
}

/// Compares each case of a folder with its `expected`; with `UPDATE_FIXTURES` set writes it.
fn check_fixtures(folder: &str, has_error: bool) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parse/unified_diff").join(folder);
    let mut failures = Vec::new();
    let mut count = 0;
    for case in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let got = dump(&fs::read_to_string(case.join("input.diff")).unwrap());
        assert_eq!(got.contains(": error "), has_error, "{} is in the wrong folder:\n{got}", case.display());
        if env::var_os("UPDATE_FIXTURES").is_some() {
            fs::write(case.join("expected"), got).unwrap();
        } else if fs::read_to_string(case.join("expected")).unwrap() != got {
            failures.push(format!("{}:\n{got}", case.display()));
        }
        count += 1;
    }
    assert!(count > 8, "hardly a case was found");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn fixtures_without_error() {
    check_fixtures("ok", false);
}

#[test]
fn fixtures_with_errors() {
    check_fixtures("err", true);
}

#[test]
fn the_examples_of_the_grammar_notes_hold() {
    let notes = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar-notes/unified-diff.md");
    let notes = fs::read_to_string(notes).unwrap();
    let examples: Vec<_> = notes.split("\n```diff\n").skip(1).collect();
    assert!(examples.len() >= 5, "hardly an example was found");
    for example in examples {
        let (diff, rest) = example.split_once("```\n\n```parsed\n").unwrap();
        let (want, _) = rest.split_once("```\n").unwrap();
        assert_eq!(dump(diff), want, "{diff}");
    }
}
