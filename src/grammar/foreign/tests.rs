use super::*;
use crate::grammar::lines::lex;

fn first_form(text: &str) -> Option<Form> {
    let tokens = lex(text);
    let lines = Lines::new(text, &tokens);
    lines.iter_indices().find_map(|(index, line)| form(lines, index, line))
}

#[test]
fn forms() {
    let table = [
        ("@@ -1,2 +1,2 @@ fn f()", Form::Diff),
        ("> @@ -1 +1 @@", Form::Diff),
        ("> x\n> @@ -1 +1 @@\n> y", Form::Diff),
        ("@@ -1 +1 @@\nx", Form::HunkHeader),
        ("--- a/x.py\n+++ b/x.py@@ -1,2 +1,2 @@", Form::JoinedHeader),
        ("x\n @@ -1 +1 @@", Form::HunkHeader),
        ("x\n\n@@ -1 +1 @@\n\nx", Form::Diff),
        ("--- a/x.py\n+++ b/x.py", Form::Diff),
        ("> --- a/x.py\n>\n> +++ b/x.py", Form::Diff),
        ("*** Begin Patch", Form::Envelope),
        ("> *** Update File: x.py", Form::Envelope),
        ("------- SEARCH", Form::Markers),
        ("**<<<<<<< SEARCH**", Form::Markers),
        ("`<<<<<<< SEARCH`", Form::Markers),
        ("# <<<<<<< SEARCH", Form::Markers),
        ("- <<<<<<< SEARCH", Form::Markers),
        ("&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH", Form::Markers),
        ("<write_to_file>", Form::Tags),
        ("  <file path=\"x.py\">", Form::Tags),
        ("> ```python x.py", Form::Fence),
        ("\t```python x.py", Form::Fence),
    ];
    for (text, form) in table {
        assert_eq!(first_form(text), Some(form), "{text:?}");
    }
}

#[test]
fn what_is_no_edit() {
    for text in [
        "---\ntitle: x\n---",
        "--- a/x.py",
        "+++ b/x.py",
        "@@ class variable",
        "@@count += 1",
        "@@ -x +y @@",
        "@@ -1 @@",
        "***",
        "*** Note: read this ***",
        "- SEARCH",
        "-- SEARCH",
        "------ words",
        "**>>>>>>> SEARCH**",
        "**<<<<<<< of SEARCH**",
        "# SEARCH",
        "`SEARCH`",
        "&lt;div&gt; SEARCH",
        "<file>",
        "<div path=\"x.py\">",
        "> ```python",
        "\t```",
        "> quoted",
        "",
    ] {
        assert_eq!(first_form(text), None, "{text:?}");
    }
}

#[test]
fn content_that_is_an_edit() {
    let found = |text: &str| {
        let tokens = lex(text);
        edit_as_content(Lines::new(text, &tokens)).map(|fault| fault.code)
    };
    for text in [
        "\n@@\n a\n-b\n",
        "# x.py\n@@ -1 +1 @@\n-a\n+b\n",
        "-a\n+b\n",
        "diff --git a/x b/x\n",
        "new mode 100755\nindex 1..2\n--- a/x\n+++ b/x\n",
        "index 1..2\n--- a\n+++ b\n@@ -1 +1 @@\n",
        "x\n--- a\n+++ b\n\n",
        "--- a\n+++ b\n",
    ] {
        assert_eq!(found(text), Some(Code::MalformedHunk), "{text:?}");
    }
    assert_eq!(found("*** Begin Patch\n"), Some(Code::SuspiciousMarker));
    for text in [
        "x = 1\n@@ -1 +1 @@\n",
        "index of all\n--- a\n",
        "index\n---\nx\n",
        "x\n---\ny\n+++\n",
        "x\n+++ b\n",
        "x\n---\n+++\n",
        "x\n--- \n+++ \n",
        "x\n--- a/b\nwords of some length\n",
        "words of some length\n+++ b\n",
        "- a\n- b\n",
        "+ a\n",
        "@@x = 1\n",
        "---\na: 1\n",
        "",
    ] {
        assert_eq!(found(text), None, "{text:?}");
    }
}
