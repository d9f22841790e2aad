use super::*;
use crate::ast::{Extent, FileOperation, LineKind};
use crate::grammar::lines::lex;
use crate::source::Source;

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
fn an_epoch_stamp_in_any_zone_is_no_file() {
    for stamp in [
        "1970-01-01 00:00:00.000000000 +0000",
        "1970-01-01 01:00:00 +0100",
        "1969-12-31 19:00:00.000 -0500",
        "1970-01-01T00:00:00Z",
        "Thu Jan  1 00:00:00 1970",
        "Wed Dec 31 16:00:00 1969",
        "Thu Jan 01 00:00:00 1970 +0000",
    ] {
        assert!(is_epoch(stamp), "{stamp}");
    }
    for stamp in ["1970-01-01 00:00:01 +0000", "1970-01-01 01:00:00 +0000", "2024-01-02 00:00:00 +0000", ""] {
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
        "@@ -1 +1 @@\n-a\n+b\n",
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
