//! Quick fixes, hovers, definitions, outlines.

use serde_json::{Value, json};

use crate::editor::{Editor, capable};

const FILE: &str = "# \u{fc}\u{1f600}\nfirst = 1\nvalue = '\u{fc}\u{1f600}'\nlast = 3\n";
const PATCH: &str = "Some text.\n\
    src/a.py\n<<<<<<< SEARCH\nvalue = '\u{fc}\u{1f600}'\n=======\nvalue = 2\n>>>>>>> REPLACE\n\
    \n\
    src/a.py\n<<<<<<< SEARCH\nvalue = 2\nlast = 3\n=======\nlast = 4\n>>>>>>> REPLACE\n\
    \n\
    new.py\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n";

fn actions(editor: &mut Editor, uri: &str, text: &str, only: Option<&str>) -> Vec<Value> {
    let line = editor.open[uri].1[..editor.open[uri].1.find(text).unwrap()].matches('\n').count();
    let place = json!({"line": line, "character": 0});
    let mut context = json!({"diagnostics": []});
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let range = json!({"start": place, "end": place});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
    editor.request("textDocument/codeAction", params).unwrap().as_array().unwrap().clone()
}

#[test]
fn a_quick_fix_mends_what_it_is_for() {
    let text = "a.py\n<<<<<<< SEARCH \u{fc}\u{1f600}\nx\n=======\ny\n>>>>>>> REPLACE\n";
    for (offered, versioned) in [("utf-8", true), ("utf-16", true), ("utf-32", true), ("utf-16", false)] {
        let mut capabilities = capable();
        capabilities["general"] = json!({"positionEncodings": [offered]});
        if !versioned {
            capabilities["workspace"]["workspaceEdit"] = json!({});
        }
        let mut editor = Editor::with(&[("a.py", "x\n")], capabilities);
        let uri = editor.open("p.fsrb", text);
        assert!(editor.codes(&uri).contains(&"suspicious-marker".to_owned()));
        let fixes = actions(&mut editor, &uri, "<<<<<<<", Some("quickfix"));
        assert_eq!(fixes.len(), 1, "{fixes:?}");
        assert_eq!(fixes[0]["diagnostics"][0]["code"], json!("suspicious-marker"));
        assert_eq!(fixes[0]["edit"].get("documentChanges").is_some(), versioned);
        editor.apply(&fixes[0]["edit"]);
        assert_eq!(editor.open[&uri].1, text.replace(" \u{fc}\u{1f600}", ""));
        assert_eq!(editor.codes(&uri), [""; 0]);
        assert_eq!(actions(&mut editor, &uri, "<<<<<<<", Some("quickfix")), [] as [Value; 0]);
    }
}

#[test]
fn a_path_that_is_nearly_one_is_mended() {
    let mut editor = Editor::new(&[("src/config.py", "x\n")]);
    let uri = editor.open("p.fsrb", "src/confg.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n");
    assert_eq!(editor.codes(&uri), ["file-not-found"]);
    // Where the finding is, and where the edit would be.
    for place in ["<<<<<<<", "src/confg.py"] {
        assert_eq!(actions(&mut editor, &uri, place, None).len(), 1);
    }
    let fix = actions(&mut editor, &uri, "<<<<<<<", None).remove(0);
    editor.apply(&fix["edit"]);
    assert_eq!(editor.codes(&uri), [""; 0]);
    assert!(editor.open[&uri].1.starts_with("src/config.py\n"));
}

#[test]
fn apply_is_offered_only_when_all_is_right() {
    let mut editor = Editor::new(&[("src/a.py", FILE)]);
    let uri = editor.open("p.fsrb", PATCH);
    let offered = actions(&mut editor, &uri, "Some text", None);
    let command = json!({"title": "Apply 3 edits to 2 files", "command": "fsrb.apply", "arguments": [uri]});
    assert_eq!(offered.last().unwrap()["command"], command);
    assert_eq!(actions(&mut editor, &uri, "Some text", Some("source")).len(), 1);
    assert_eq!(actions(&mut editor, &uri, "Some text", Some("refactor")), [] as [Value; 0]);
    let id = json!({"textDocument": {"uri": uri}});
    let lenses = editor.request("textDocument/codeLens", id.clone()).unwrap();
    assert_eq!(lenses[0]["command"], command);
    assert_eq!(lenses[0]["range"]["start"], json!({"line": 2, "character": 0}));

    let target = editor.open("src/a.py", "other\n");
    assert_eq!(editor.take("workspace/codeLens/refresh").len(), 1);
    let lenses = editor.request("textDocument/codeLens", id).unwrap();
    assert_eq!(lenses, json!([]));
    assert_eq!(actions(&mut editor, &uri, "Some text", Some("source")), [] as [Value; 0]);
    editor.close(&target);
    assert_eq!(actions(&mut editor, &uri, "Some text", Some("source")).len(), 1);
}

#[test]
fn apply_is_offered_only_to_an_editor_that_can_do_it() {
    let mut capabilities = capable();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["rename"]);
    let mut editor = Editor::with(&[("src/a.py", FILE)], capabilities);
    let uri = editor.open("p.fsrb", PATCH);
    assert_eq!(actions(&mut editor, &uri, "Some text", None), [] as [Value; 0]);
    let lenses = editor.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}})).unwrap();
    assert_eq!(lenses, json!([]));
    let text = editor.open[&uri].1.split("\nnew.py").next().unwrap().to_owned();
    editor.retype(&uri, &text);
    assert_eq!(actions(&mut editor, &uri, "Some text", None).len(), 1);
}

#[test]
fn of_a_markdown_file_that_may_be_meant_apply_is_offered_on_the_block() {
    let mut editor = Editor::new(&[("a.py", "x\n")]);
    let uri = editor.open("doc.md", "# Title\n\n```python title=a.py\ny\n```\n");
    assert_eq!(actions(&mut editor, &uri, "# Title", None), [] as [Value; 0]);
    assert_eq!(actions(&mut editor, &uri, "y\n", None).len(), 1);
    assert_eq!(actions(&mut editor, &uri, "```python", None).len(), 1);
}

#[test]
fn a_client_without_actions_gets_commands() {
    let mut capabilities = capable();
    capabilities["textDocument"]["codeAction"] = json!({});
    let mut editor = Editor::with(&[("src/a.py", FILE)], capabilities);
    let uri = editor.open("p.fsrb", PATCH);
    let offered = actions(&mut editor, &uri, "Some text", None);
    assert_eq!((offered.len(), &offered[0]["command"]), (1, &json!("fsrb.apply")));
}

fn hover(editor: &mut Editor, uri: &str, text: &str) -> (String, String) {
    let answer = editor.ask_at("textDocument/hover", uri, text);
    let value = answer["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let range = if answer.is_null() { String::new() } else { editor.text_at(uri, &answer["range"]) };
    (value, range)
}

#[test]
fn a_hover_shows_what_one_edit_does() {
    let mut editor = Editor::new(&[("src/a.py", FILE)]);
    let uri = editor.open("p.fsrb", PATCH);
    let (text, range) = hover(&mut editor, &uri, "=======\nvalue");
    assert!(text.starts_with("Edit 1 of 3 can be applied:\n\n```diff\n"), "{text}");
    let first = "-value = '\u{fc}\u{1f600}'\n+value = 2\n last = 3\n";
    assert!(text.contains(first), "{text}");
    assert!(range.starts_with("src/a.py\n<<<<<<< SEARCH") && range.ends_with(">>>>>>> REPLACE"), "{range}");
    // The second sees what the first has left, and nothing of what that did.
    let (text, _) = hover(&mut editor, &uri, "value = 2\nlast");
    assert!(text.contains("\n first = 1\n-value = 2\n-last = 3\n+last = 4\n"), "{text}");
    let (text, _) = hover(&mut editor, &uri, "new.py");
    assert!(text.contains("--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+new\n"), "{text}");
    assert_eq!(hover(&mut editor, &uri, "Some text"), (String::new(), String::new()));
}

#[test]
fn a_hover_says_why_not() {
    let mut editor = Editor::new(&[("src/a.py", "first = 1\nlast = 3\n")]);
    let uri = editor.open("p.fsrb", PATCH);
    let (text, _) = hover(&mut editor, &uri, "value = '");
    assert!(text.starts_with("Edit 1 of 3 cannot be applied:\n\n- `search-not-found`: "), "{text}");
    let (text, _) = hover(&mut editor, &uri, "new.py");
    assert!(text.starts_with("Edit 3 of 3 is right, but nothing is applied while 2 other faults"), "{text}");
    assert!(text.contains("+new\n"), "{text}");
}

#[test]
fn a_hover_of_what_holds_fences_is_fenced() {
    let mut editor = Editor::new(&[]);
    let uri = editor.open("p.fsrb", "a.md\n<<<<<<< SEARCH\n=======\n````\nx\n````\n>>>>>>> REPLACE\n");
    let (text, _) = hover(&mut editor, &uri, "a.md");
    assert!(text.contains("`````diff\n") && text.ends_with("+````\n`````\n"), "{text}");
}

#[test]
fn an_edit_that_is_right_is_not_called_applicable_beside_one_fault() {
    let mut editor = Editor::new(&[("src/a.py", FILE)]);
    let uri = editor.open("p.fsrb", &PATCH.replace("value = 2\nlast", "value = 3\nlast"));
    let (text, _) = hover(&mut editor, &uri, "new.py");
    assert!(
        text.starts_with(
            "Edit 3 of 3 is right, but nothing is applied while another fault is not mended:\n\n```diff\n"
        ),
        "{text}"
    );
}

#[test]
fn a_hover_of_a_fault_names_the_similar_place_and_the_quick_fix() {
    let mut editor = Editor::new(&[("src/a b.py", "first = 1\nvalue = 'other'\nlast = 3\n")]);
    let uri =
        editor.open("p.fsrb", "src/a b.py\n<<<<<<< SEARCH\nvalue = 'othr'\n=======\ny\n>>>>>>> REPLACE\n");
    let (text, _) = hover(&mut editor, &uri, "value");
    assert!(text.starts_with("Edit 1 of 1 cannot be applied:\n\n- `search-not-found`: "), "{text}");
    assert!(text.contains("\n  - src/a b.py:2: "), "{text}");
    assert!(
        text.ends_with(
            "\n  - a quick fix can look for the lines as the file has them, and see that REPLACE fits them\n"
        ),
        "{text}"
    );
}

#[test]
fn a_hover_of_an_edit_that_leaves_what_one_before_it_made_says_that_it_changes_nothing() {
    let mut editor = Editor::new(&[("a", "x\n")]);
    let block = |search: &str| format!("a\n<<<<<<< SEARCH\n{search}\n=======\ny\n>>>>>>> REPLACE\n");
    let uri = editor.open("p.fsrb", &(block("x") + "\nThen:\n" + &block("y")));
    assert_eq!(
        hover(&mut editor, &uri, "y\n=======").0,
        "Edit 2 of 2 can be applied:\n\nIt changes nothing.\n"
    );
}

#[test]
fn a_hover_of_an_edit_that_puts_in_what_it_takes_out_says_that_it_changes_nothing() {
    let mut editor = Editor::new(&[("a", "x\n")]);
    let uri = editor.open("p.fsrb", "a\n<<<<<<< SEARCH\nx\n=======\nx\n>>>>>>> REPLACE\n");
    assert_eq!(hover(&mut editor, &uri, "SEARCH").0, "Edit 1 of 1 can be applied:\n\nIt changes nothing.\n");
}

#[test]
fn a_hover_of_one_of_two_renames_that_swap_names_says_that_it_needs_the_other() {
    let mut editor = Editor::new(&[("s", "s\n"), ("t", "t\n")]);
    let rename = |from: &str, to: &str| {
        format!("diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n")
    };
    let uri = editor.open("p.diff", &(rename("s", "t") + &rename("t", "s")));
    assert_eq!(editor.codes(&uri), [""; 0]);
    assert_eq!(
        hover(&mut editor, &uri, "rename from s").0,
        "Edit 1 of 2 can be applied:\n\nIt takes effect only together with the edits below it.\n"
    );
    let second = hover(&mut editor, &uri, "rename from t").0;
    assert!(second.contains("rename from s\nrename to t"), "{second}");
    assert!(second.contains("rename from t\nrename to s"), "{second}");
}

#[test]
fn a_hover_of_a_deletion_shows_the_lines_that_go() {
    let mut editor = Editor::new(&[("a.txt", "one\ntwo\n")]);
    let diff = "--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";
    let uri = editor.open("p.diff", diff);
    let (text, _) = hover(&mut editor, &uri, "-one");
    let shown = "--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n```\n";
    assert!(text.ends_with(shown), "{text}");
}

#[test]
fn a_hover_of_a_long_diff_says_how_many_lines_it_leaves_out() {
    let lines = |count: usize, line: &str| format!("{line}\n").repeat(count);
    // 250 lines below the five of a header, and a few long ones.
    for (added, shown, left) in [(lines(250, "x"), 195, 55), (lines(5, &"x".repeat(5000)), 3, 2)] {
        let mut editor = Editor::new(&[]);
        let uri = editor.open("p.fsrb", &format!("a\n<<<<<<< SEARCH\n=======\n{added}>>>>>>> REPLACE\n"));
        let (text, _) = hover(&mut editor, &uri, "=======");
        assert_eq!(text.matches("\n+x").count(), shown, "{}", text.len());
        assert!(text.ends_with(&format!("x\n```\n\n{left} more lines are not shown.\n")));
    }
}

#[test]
fn a_hover_compares_no_very_large_file() {
    let file = "0123456789abcde\n".repeat(1 << 17) + "last\n";
    let mut editor = Editor::new(&[("a", &file)]);
    let uri = editor.open("p.fsrb", "a\n<<<<<<< SEARCH\nlast\n=======\nend\n>>>>>>> REPLACE\n");
    let (text, _) = hover(&mut editor, &uri, "=======");
    assert_eq!(text, "Edit 1 of 1 can be applied:\n\nThe files are too large to be compared here.\n");
}

fn definition(editor: &mut Editor, uri: &str, text: &str) -> Vec<(String, Value, String)> {
    let answer = editor.ask_at("textDocument/definition", uri, text);
    let place = |place: &Value| {
        let uri = place["uri"].as_str().unwrap();
        (uri.to_owned(), place["range"]["start"].clone(), editor.text_at(uri, &place["range"]))
    };
    answer.as_array().into_iter().flatten().map(place).collect()
}

#[test]
fn an_edit_leads_to_the_lines_that_it_changes() {
    for (offered, end) in [("utf-8", 16), ("utf-16", 13), ("utf-32", 12)] {
        for mark in ["", "\u{feff}"] {
            let mut capabilities = capable();
            capabilities["general"] = json!({"positionEncodings": [offered]});
            let file = format!("{mark}value = '\u{fc}\u{1f600}'\n");
            let mut editor = Editor::with(&[("src/a.py", &file)], capabilities);
            let uri = editor.open("p.fsrb", PATCH);
            let answer = editor.ask_at("textDocument/definition", &uri, "value = '");
            let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": end}});
            assert_eq!(answer, json!([{"uri": "file:///root/src/a.py", "range": range}]), "{offered}");
        }
    }
    let mut editor = Editor::new(&[("src/a.py", FILE)]);
    let uri = editor.open("p.fsrb", PATCH);
    let target = "file:///root/src/a.py".to_owned();
    let found = definition(&mut editor, &uri, "=======\nvalue");
    let line = json!({"line": 2, "character": 0});
    assert_eq!(found, [(target.clone(), line, "value = '\u{fc}\u{1f600}'".to_owned())]);
    let top = json!({"line": 0, "character": 0});
    assert_eq!(definition(&mut editor, &uri, "src/a.py"), [(target, top, String::new())]);
    // A file that there is not yet.
    assert_eq!(definition(&mut editor, &uri, "new.py"), []);
    assert_eq!(definition(&mut editor, &uri, "Some text"), []);
}

#[test]
fn what_is_not_there_leads_to_what_is_most_like_it() {
    let mut editor = Editor::new(&[("src/a.py", "first = 1\nvalue = 'other'\nlast = 3\n")]);
    let uri =
        editor.open("p.fsrb", "src/a.py\n<<<<<<< SEARCH\nvalue = 'othr'\n=======\ny\n>>>>>>> REPLACE\n");
    let found = definition(&mut editor, &uri, "value");
    assert_eq!(found[0].1["line"], json!(1), "{found:?}");
}

#[test]
fn what_is_there_twice_leads_to_both() {
    let mut editor = Editor::new(&[("a", "x\ny\nx\n")]);
    let uri = editor.open("p.fsrb", "a\n<<<<<<< SEARCH\nx\n=======\nz\n>>>>>>> REPLACE\n");
    let lines: Vec<Value> =
        definition(&mut editor, &uri, "x\n").into_iter().map(|place| place.1["line"].clone()).collect();
    assert_eq!(lines, [json!(0), json!(2)]);
}

const DIFF: &str =
    "--- a/a.txt\n+++ b/a.txt\n@@ -6,2 +6,2 @@ section\n same\n-old\n+new\n@@ -9 +9 @@\n-nine\n+9\n";

#[test]
fn a_hunk_leads_to_its_place() {
    let mut editor = Editor::new(&[("a.txt", "same\nold\n3\n4\n5\nsame\nold\n8\nnine\n")]);
    let uri = editor.open("p.diff", DIFF);
    assert_eq!(editor.codes(&uri), [""; 0]);
    let line = |editor: &mut Editor, text: &str| definition(editor, &uri, text)[0].1["line"].clone();
    // The nearest to the line that it states.
    assert_eq!(line(&mut editor, "+new"), json!(5));
    assert_eq!(line(&mut editor, "-nine"), json!(8));
    assert_eq!(line(&mut editor, "a/a.txt"), json!(0));
    assert_eq!(line(&mut editor, "b/a.txt"), json!(0));
}

#[test]
fn a_hunk_that_only_adds_leads_to_the_line_that_it_stands_before() {
    let mut editor = Editor::new(&[("a.txt", "1\n2\n3\n")]);
    let uri = editor.open("p.diff", "--- a/a.txt\n+++ b/a.txt\n@@ -2,0 +3 @@\n+new\n");
    assert_eq!(editor.codes(&uri), [""; 0]);
    let place = ("file:///root/a.txt".to_owned(), json!({"line": 2, "character": 0}), String::new());
    assert_eq!(definition(&mut editor, &uri, "+new"), [place]);
}

#[test]
fn a_hunk_that_adds_behind_the_end_leads_to_the_end() {
    let mut editor = Editor::new(&[("a.txt", "1\n")]);
    let uri = editor.open("p.diff", "--- a/a.txt\n+++ b/a.txt\n@@ -50,0 +51 @@\n+new\n");
    let place = ("file:///root/a.txt".to_owned(), json!({"line": 1, "character": 0}), String::new());
    assert_eq!(definition(&mut editor, &uri, "+new"), [place]);
}

#[test]
fn a_hunk_that_is_not_there_leads_to_what_is_most_like_it() {
    let file = "1\n2\nsame\nvalue = compute(older)\n5\nnine\n";
    let mut editor = Editor::new(&[("a.txt", file)]);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+one\n\
        @@ -3,2 +3,2 @@\n same\n-value = compute(olden)\n+new\n@@ -6 +6 @@\n-nine\n+9\n";
    let uri = editor.open("p.diff", diff);
    assert_eq!(editor.codes(&uri), ["hunk-not-found"]);
    let found = definition(&mut editor, &uri, "-value");
    assert_eq!(found[0].1["line"], json!(2), "{found:?}");
    // The others are where they are.
    assert_eq!(definition(&mut editor, &uri, "-nine")[0].1["line"], json!(5));
}

#[test]
fn a_hunk_that_is_like_nothing_leads_to_its_file() {
    let mut editor = Editor::new(&[("a.txt", "1\n2\n3\n")]);
    let uri = editor.open("p.diff", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-function()\n+new\n");
    let top = ("file:///root/a.txt".to_owned(), json!({"line": 0, "character": 0}), String::new());
    assert_eq!(definition(&mut editor, &uri, "-function"), [top]);
}

#[test]
fn a_hunk_whose_counts_are_too_small_leads_to_as_many_lines_as_the_file_has() {
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -4,2 +4,2 @@\n one\n-two\n+2\n three\n";
    // The file has all lines, or only those that are counted.
    for (file, shown) in
        [("1\n2\n3\none\ntwo\nthree\n", "one\ntwo\nthree"), ("1\n2\n3\none\ntwo\nfour\n", "one\ntwo")]
    {
        let mut editor = Editor::new(&[("a.txt", file)]);
        let uri = editor.open("p.diff", diff);
        let place = ("file:///root/a.txt".to_owned(), json!({"line": 3, "character": 0}), shown.to_owned());
        assert_eq!(definition(&mut editor, &uri, "-two"), [place]);
    }
}

#[test]
fn a_place_above_the_hunks_leads_to_the_file() {
    let mut editor = Editor::new(&[("a.txt", "1\n2\n")]);
    let diff =
        "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-2\n+3\n";
    let uri = editor.open("p.diff", diff);
    assert_eq!(definition(&mut editor, &uri, "index")[0].1["line"], json!(0));
    assert_eq!(definition(&mut editor, &uri, "-2\n")[0].1["line"], json!(1));
}

#[test]
fn the_outline_has_the_edits_and_their_hunks() {
    let mut editor = Editor::new(&[("a.txt", "")]);
    let uri = editor.open("p.diff", DIFF);
    let id = json!({"textDocument": {"uri": uri}});
    let symbols = editor.request("textDocument/documentSymbol", id.clone()).unwrap();
    assert_eq!((&symbols[0]["name"], &symbols[0]["detail"]), (&json!("a.txt"), &json!("diff")));
    let children = symbols[0]["children"].as_array().unwrap();
    assert_eq!(children[0]["name"], json!("@@ -6,2 +6,2 @@ section"));
    assert_eq!(editor.text_at(&uri, &children[1]["range"]), "@@ -9 +9 @@\n-nine\n+9");
    assert_eq!(editor.text_at(&uri, &children[1]["selectionRange"]), "@@ -9 +9 @@");
    let foldings = editor.request("textDocument/foldingRange", id).unwrap();
    let lines = |start: u32, end: u32| json!({"startLine": start, "endLine": end});
    assert_eq!(foldings, json!([lines(0, 8), lines(2, 5), lines(6, 8)]));

    let uri = editor.open("p.fsrb", PATCH);
    let id = json!({"textDocument": {"uri": uri}});
    let symbols = editor.request("textDocument/documentSymbol", id.clone()).unwrap();
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["src/a.py", "src/a.py", "new.py"]);
    assert_eq!(symbols[2]["detail"], json!("new lines"));
    let foldings = editor.request("textDocument/foldingRange", id).unwrap();
    assert_eq!(foldings[0], lines(2, 6));
    assert_eq!(foldings[1], lines(2, 3));
}

#[test]
fn the_outline_of_a_reply_tells_each_form_of_edit() {
    let mut editor = Editor::new(&[("b.py", "x\n")]);
    let reply = "Here:\n\n```python title=a.py\ny\n```\n\nIn `b.py`, replace `x` with `z`.\n";
    let uri = editor.open("reply.md", reply);
    let id = json!({"textDocument": {"uri": uri}});
    let symbols = editor.request("textDocument/documentSymbol", id.clone()).unwrap();
    let told: Vec<_> =
        symbols.as_array().unwrap().iter().map(|symbol| (&symbol["name"], &symbol["detail"])).collect();
    assert_eq!(told, [(&json!("a.py"), &json!("whole file")), (&json!("b.py"), &json!("edit"))]);
    let foldings = editor.request("textDocument/foldingRange", id).unwrap();
    assert_eq!(foldings, json!([{"startLine": 2, "endLine": 4}]));
}

#[test]
fn an_outline_without_children_has_places() {
    let mut capabilities = capable();
    capabilities["textDocument"]["documentSymbol"] = json!({});
    let mut editor = Editor::with(&[], capabilities);
    let uri = editor.open("p.diff", DIFF);
    let symbols =
        editor.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}})).unwrap();
    assert_eq!(symbols[0]["location"]["uri"], json!(uri));
    assert_eq!(symbols[0]["location"]["range"]["end"], json!({"line": 8, "character": 2}));
}

#[test]
fn a_document_of_another_kind_has_nothing() {
    let mut editor = Editor::new(&[]);
    let uri = editor.open("a.py", DIFF);
    let params = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.request("textDocument/hover", params.clone()), Ok(Value::Null));
    assert_eq!(editor.request("textDocument/definition", params.clone()), Ok(Value::Null));
    for method in ["documentSymbol", "foldingRange", "codeLens"] {
        assert_eq!(
            editor.request(&format!("textDocument/{method}"), params.clone()),
            Ok(json!([])),
            "{method}"
        );
    }
    let pulled = editor.request("textDocument/diagnostic", params).unwrap();
    assert_eq!(pulled, json!({"kind": "full", "items": []}));
}
