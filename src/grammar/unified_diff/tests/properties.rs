use proptest::prelude::*;

use super::*;
use crate::source::offset;

/// Texts of lines that mean something to the grammar.
fn soup() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "diff --git a/f b/f",
        "diff --git \"a/\\303\\244\" b/x y",
        "diff --cc f",
        "Index: f",
        "====================",
        "index 1..2 100644",
        "new file mode 100644",
        "old mode 100644",
        "new mode 100755",
        "rename from f",
        "rename to g",
        "similarity index 100%",
        "Binary files a/f and b/f differ",
        "GIT binary patch",
        "literal 3",
        "--- a/f",
        "+++ b/f",
        "--- /dev/null",
        "+++ \"b/\\377\"",
        "---",
        "+++",
        "--- a/f\t1970-01-01 00:00:00 +0000",
        "@@ -1,2 +1,2 @@",
        "@@ -1 +1 @@ f",
        "@@",
        "@@ ... @@",
        "@@ é @@",
        "@@@ -1 -1 +1 @@@",
        "@@ -0,0 +1,99999999999 @@",
        " a",
        "-a",
        "+a",
        " é\u{2028}",
        "\\ No newline",
        "",
        " ",
        "\t",
        "prose é",
        "```diff",
        "-- ",
        "<<<<<<< SEARCH",
    ]);
    let ending = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r", "\n  "]);
    prop::collection::vec((line, ending), 0..40)
        .prop_map(|lines| lines.into_iter().map(|(line, ending)| format!("{line}{ending}")).collect())
}

/// The places of a patch's parts that must be in order and apart.
fn parts(patch: &FilePatch) -> Vec<Span> {
    let names = [patch.old, patch.new].into_iter().flatten();
    let mut parts: Vec<Span> = patch.git.iter().map(|git| git.span).collect();
    parts.extend(patch.headers.iter().map(|header| header.span));
    parts.extend(names.map(|name| name.line));
    parts.extend(patch.hunks.iter().map(|hunk| hunk.span));
    parts
}

fn check(outer: Span, inner: &[Span], text: &str) {
    for span in inner {
        assert!(outer.contains(*span), "{span:?} is not in {outer:?} of {text:?}");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} of {text:?}");
    }
    for pair in inner.windows(2) {
        assert!(pair[0].end <= pair[1].start || pair[0] == pair[1], "{pair:?} of {text:?}");
    }
}

fn check_patch(patch: &FilePatch, text: &str) {
    check(patch.span, &parts(patch), text);
    for name in [patch.old, patch.new].into_iter().flatten() {
        check(name.line, &[name.span], text);
    }
    for header in &patch.headers {
        check(header.span, &[header.value], text);
    }
    for hunk in &patch.hunks {
        let mut rest: Vec<Span> = hunk.lines.iter().map(HunkLine::span).collect();
        rest.extend(&hunk.no_newline_markers);
        rest.push(hunk.header.span);
        rest.sort();
        check(hunk.span, &rest, text);
        check(hunk.header.span, &[hunk.header.section], text);
    }
}

proptest! {
    #[test]
    fn reading_is_total_and_lawful(text in soup()) {
        let (patches, faults) = read(&text);
        let whole = Span::new(0, offset(text.len()));
        check(whole, &patches.iter().map(|patch| patch.span).collect::<Vec<_>>(), &text);
        for patch in &patches {
            check_patch(patch, &text);
            let inside = |fault: &Diagnostic| patch.span.contains(fault.span.unwrap());
            prop_assert_eq!(patch.fault.is_some(), faults.iter().any(|fault| fault.is_error() && inside(fault)));
        }
        for fault in &faults {
            prop_assert!(whole.contains(fault.span.unwrap()));
        }
        prop_assert_eq!(read(&text), (patches, faults));
        let tokens = lex(&text);
        for indent in [0, 2] {
            let (nodes, _) = diff_block(Lines::new(&text, &tokens).indented(indent), Span::empty(0));
            let spans: Vec<_> = nodes.iter().map(Node::span).collect();
            check(whole, &spans, &text);
        }
    }

    #[test]
    fn starts_and_sections_agree(text in soup()) {
        let tokens = lex(&text);
        let lines = Lines::new(&text, &tokens);
        for index in 0..tokens.len() {
            let tail = lines.take_from(index);
            prop_assert_eq!(starts_file(tail) || starts_lone_hunk(tail), file_patch(tail).is_ok());
        }
    }

    #[test]
    fn names_without_escapes_are_as_written(name in "[a-zé /._-]{1,20}") {
        let name = name.trim();
        prop_assume!(!name.is_empty());
        let text = format!("--- x{name}y\n+++ x{name}y\n@@\n+x\n");
        let (patches, _) = read(&text);
        let wanted = format!("x{name}y");
        prop_assert_eq!(patches[0].new_path(&Source::new(&text).unwrap()).unwrap().into_owned(), wanted);
    }
}
