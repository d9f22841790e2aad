//! What is wrong is shown where it is, when it is.

use serde_json::{Value, json};

use crate::editor::{Editor, capable, uri};

/// An edit of `file`, whose SEARCH marker has blanks and a note behind it, behind characters that
/// have two and four bytes.
const WIDE: &str =
    "a.py\n<<<<<<< SEARCH\nnot there \u{fc}\u{1f600}\n=======\ny\n>>>>>>> REPLACE \u{fc}\u{1f600}!\n";

fn edit(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
}

#[test]
fn columns_are_counted_as_agreed() {
    for (offered, end) in [("utf-8", 23), ("utf-16", 20), ("utf-32", 19)] {
        let mut capabilities = capable();
        capabilities["general"] = json!({"positionEncodings": [offered]});
        let mut editor = Editor::with(&[("a.py", "x = 1\n")], capabilities);
        let uri = editor.open("p.fsrb", WIDE);
        let findings = editor.findings(&uri);
        let found = findings.iter().find(|found| found["code"] == json!("suspicious-marker")).unwrap();
        assert_eq!(found["range"]["start"], json!({"line": 5, "character": 0}), "{offered}");
        assert_eq!(found["range"]["end"], json!({"line": 5, "character": end}), "{offered}");
        assert_eq!(editor.text_at(&uri, &found["range"]), ">>>>>>> REPLACE \u{fc}\u{1f600}!");
        assert_eq!((&found["severity"], &found["source"]), (&json!(1), &json!("fsrb")));
    }
}

#[test]
fn a_related_place_lies_in_the_target_file() {
    for offered in ["utf-8", "utf-16", "utf-32"] {
        let mut capabilities = capable();
        capabilities["general"] = json!({"positionEncodings": [offered]});
        let file = "# \u{fc}\u{1f600}\nvalue = '\u{fc}\u{1f600}' + one_two_three\nend\n";
        for marked in [false, true] {
            let file = if marked { format!("\u{feff}{file}") } else { file.to_owned() };
            let mut editor = Editor::with(&[("src/a.py", &file)], capabilities.clone());
            let uri =
                editor.open("p.fsrb", &edit("src/a.py", "value = '\u{fc}\u{1f600}' + one_two_four", "y"));
            let findings = editor.findings(&uri);
            assert_eq!(findings[0]["code"], json!("search-not-found"));
            let related = findings[0]["relatedInformation"].as_array().unwrap();
            let target = related.iter().map(|place| &place["location"]);
            let texts: Vec<String> = target
                .inspect(|place| assert_eq!(place["uri"], json!("file:///root/src/a.py")))
                .map(|place| editor.text_at("file:///root/src/a.py", &place["range"]))
                .collect();
            assert!(texts.iter().any(|text| text.contains("one_two_three")), "{texts:?}");
        }
    }
}

#[test]
fn a_client_without_related_places_reads_them_in_the_message() {
    let mut capabilities = capable();
    capabilities["textDocument"]["publishDiagnostics"] = json!({});
    let mut editor = Editor::with(&[("a.py", "one\nvalue = 1\n")], capabilities);
    let uri = editor.open("p.fsrb", &edit("a.py", "value = 2", "value = 3"));
    let findings = editor.findings(&uri);
    assert!(findings[0].get("relatedInformation").is_none());
    assert!(findings[0]["message"].as_str().unwrap().contains("\na.py:2: "), "{}", findings[0]);
}

#[test]
fn an_open_document_wins_over_the_disk() {
    let mut editor = Editor::new(&[("a.py", "x = 1\n")]);
    let patch = editor.open("p.fsrb", &edit("a.py", "x = 2", "x = 3"));
    assert_eq!(editor.codes(&patch), ["search-not-found"]);
    let target = editor.open("a.py", "x = 2\n");
    assert_eq!(editor.codes(&patch), [""; 0]);
    editor.retype(&target, "x = 2\nx = 2\n");
    assert_eq!(editor.codes(&patch), ["ambiguous-match"]);
    editor.close(&target);
    assert_eq!(editor.codes(&patch), ["search-not-found"]);
}

#[test]
fn a_document_that_was_never_saved_is_a_file_once_it_has_text() {
    for empty in ["", "\n", "\r\n"] {
        let mut editor = Editor::new(&[]);
        let create = "new.py\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n";
        let target = editor.open("new.py", empty);
        let patch = editor.open("p.fsrb", create);
        assert_eq!(editor.codes(&patch), [""; 0]);
        let command = json!({"command": "fsrb.apply", "arguments": [patch]});
        editor.request("workspace/executeCommand", command).unwrap();
        let edit = editor.take("workspace/applyEdit").remove(0)["edit"].clone();
        editor.apply(&edit);
        assert_eq!(editor.open[&target].1, "x\n");
        assert_eq!(editor.codes(&patch), ["create-exists"]);
    }
}

#[test]
fn what_changes_on_the_disk_is_looked_at_again() {
    let mut editor = Editor::new(&[("a.py", "x = 1\n")]);
    let patch = editor.open("p.fsrb", &edit("a.py", "x = 2", "x = 3"));
    assert_eq!(editor.codes(&patch), ["search-not-found"]);
    let registered = editor.take("client/registerCapability");
    let options = &registered[0]["registrations"][0];
    assert_eq!(options["method"], json!("workspace/didChangeWatchedFiles"));
    let pattern = json!({"baseUri": "file:///root", "pattern": "a.py"});
    assert_eq!(options["registerOptions"]["watchers"], json!([{"globPattern": pattern}]));

    editor.disk.files.borrow_mut().insert(code_parser::RelPath::new("a.py").unwrap(), b"x = 2\n".to_vec());
    let event = json!({"changes": [{"uri": "file:///root/other.py", "type": 2}]});
    editor.notify("workspace/didChangeWatchedFiles", event);
    assert_eq!(editor.take("textDocument/publishDiagnostics"), [] as [Value; 0]);
    let event = json!({"changes": [{"uri": "file:///root/a.py", "type": 2}]});
    editor.notify("workspace/didChangeWatchedFiles", event);
    assert_eq!(editor.codes(&patch), [""; 0]);

    // Another target: another registration.
    editor.retype(&patch, &edit("b[1]/\u{fc}.py", "x", "y"));
    let old = editor.take("client/unregisterCapability");
    assert_eq!(old[0]["unregisterations"][0]["id"], options["id"]);
    let new = editor.take("client/registerCapability");
    let pattern = &new[0]["registrations"][0]["registerOptions"]["watchers"][0]["globPattern"]["pattern"];
    assert_eq!(pattern, &json!("b?1?/\u{fc}.py"));
    // Saving asks anew, whatever was told.
    editor
        .disk
        .files
        .borrow_mut()
        .insert(code_parser::RelPath::new("b[1]/\u{fc}.py").unwrap(), b"x\n".to_vec());
    editor.notify("textDocument/didSave", json!({"textDocument": {"uri": patch}}));
    assert_eq!(editor.codes(&patch), [""; 0]);
}

#[test]
fn a_client_that_pulls_is_not_pushed_to() {
    let mut capabilities = capable();
    capabilities["textDocument"]["diagnostic"] = json!({});
    // One that cannot be told to ask again would never hear of a change in a target.
    let mut editor = Editor::with(&[("a.py", "x = 1\n")], capabilities.clone());
    let patch = editor.open("p.fsrb", &edit("a.py", "x = 2", "x = 3"));
    assert_eq!(editor.codes(&patch), ["search-not-found"]);

    capabilities["workspace"]["diagnostics"] = json!({"refreshSupport": true});
    let mut editor = Editor::with(&[("a.py", "x = 1\n")], capabilities);
    let patch = editor.open("p.fsrb", &edit("a.py", "x = 2", "x = 3"));
    let id = json!({"uri": patch});
    let full = editor.request("textDocument/diagnostic", json!({"textDocument": id})).unwrap();
    assert_eq!((&full["kind"], &full["items"][0]["code"]), (&json!("full"), &json!("search-not-found")));
    let again = json!({"textDocument": id, "previousResultId": full["resultId"]});
    let same = editor.request("textDocument/diagnostic", again.clone()).unwrap();
    assert_eq!(same, json!({"kind": "unchanged", "resultId": full["resultId"]}));
    editor.open("a.py", "x = 2\n");
    assert_eq!(editor.take("workspace/diagnostic/refresh").len(), 1);
    let full = editor.request("textDocument/diagnostic", again).unwrap();
    assert_eq!((&full["kind"], &full["items"]), (&json!("full"), &json!([])));
    assert_eq!(editor.take("textDocument/publishDiagnostics"), [] as [Value; 0]);
}

#[test]
fn a_markdown_file_without_edits_is_left_alone() {
    let plain = [
        "# Title\n\nSome text.\n",
        "",
        "How to do it:\n\n```diff\n-old\n+new\n```\n",
        "```js title=\"src/a.js\"\nlet x = 1;\n// ... existing code ...\n```\n",
        "Update `src/a.py`:\n\n```python\n# ... existing code ...\n```\n",
        "In `src/a.py`, replace `x` with `y`.\n",
        "A conflict looks like this:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n```\n",
        "An open fence:\n\n```sh\nls\n",
        "```rust title=../x.rs\n```\n",
    ];
    for text in plain {
        let mut editor = Editor::new(&[("src/a.js", "a\nb\nc\n"), ("src/a.py", "a\n")]);
        let uri = editor.open("doc.md", text);
        assert_eq!(editor.codes(&uri), [""; 0], "{text}");
        let lenses = editor.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}})).unwrap();
        assert_eq!(lenses, json!([]), "{text}");
    }
    let replies = [edit("none.py", "x", "y"), format!("```\n{}```\n", edit("none.py", "x", "y"))];
    for text in replies {
        let mut editor = Editor::new(&[]);
        let uri = editor.open("doc.md", &text);
        assert_eq!(editor.codes(&uri), ["file-not-found"], "{text}");
    }
}

#[test]
fn it_can_be_said_when_markdown_files_are_looked_at() {
    let codes = |when: &str, text: &str| {
        let options = json!({"capabilities": capable(), "initializationOptions": {"markdown": when}});
        let mut editor = Editor::with_params(&[("a.py", "a\nb\n")], options);
        let uri = editor.open("doc.md", text);
        editor.codes(&uri)
    };
    let named = "```python title=a.py\n# ... existing code ...\n```\n";
    assert_eq!(codes("always", named), ["omission-placeholder"]);
    assert_eq!(codes("always", "# Title\n"), [""; 0]);
    assert_eq!(codes("edits", named), [""; 0]);
    assert_eq!(codes("never", &edit("none.py", "x", "y")), [""; 0]);
}

#[test]
fn a_file_that_was_just_made_has_no_fault() {
    let mut editor = Editor::new(&[]);
    let patch = editor.open("p.fsrb", "");
    assert_eq!(editor.codes(&patch), [""; 0]);
    editor.retype(&patch, "\n \n");
    assert_eq!(editor.codes(&patch), [""; 0]);
    editor.retype(&patch, "some text\n");
    assert_eq!(editor.codes(&patch), ["ignored-text", "no-changes"]);
}

#[test]
fn diffs_are_diffs() {
    let mut editor = Editor::new(&[("a.txt", "one\ntwo\n")]);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-three\n+four\n";
    for name in ["x.diff", "x.patch"] {
        let uri = editor.open(name, diff);
        let findings = editor.findings(&uri);
        assert_eq!(findings[0]["code"], json!("hunk-not-found"));
        assert_eq!(editor.text_at(&uri, &findings[0]["range"]), "@@ -1,2 +1,2 @@");
    }
    let uri = editor.open("x.rs", "--- a/a.txt\n");
    assert!(editor.take("textDocument/publishDiagnostics").iter().all(|params| params["uri"] != json!(uri)));
}

#[test]
fn the_root_is_the_innermost_folder_else_the_first_else_the_own_directory() {
    let files = [("a.py", "x\n"), ("sub/a.py", "y\n")];
    let codes = |folders: Value, document: &str, search: &str| {
        let params = json!({"capabilities": capable(), "workspaceFolders": folders});
        let mut editor = Editor::with_params(&files, params);
        let uri = editor.open(document, &edit("a.py", search, "z"));
        editor.codes(&uri)
    };
    let root = || json!([{"uri": "file:///root/", "name": "root"}]);
    assert_eq!(codes(root(), "sub/p.fsrb", "x"), [""; 0]);
    assert_eq!(codes(root(), "file:///tmp/p.fsrb", "x"), [""; 0]);
    assert_eq!(codes(root(), "untitled:p.fsrb", "x"), [""; 0]);
    assert_eq!(codes(json!([]), "p.fsrb", "x"), [""; 0]);
    assert_eq!(codes(json!([{"uri": "file:///none"}, {"uri": "file:///root"}]), "p.fsrb", "x"), [""; 0]);
    // A folder that there is not.
    assert_eq!(codes(json!([{"uri": "file:///none"}]), "file:///none/p.fsrb", "x"), ["file-not-found"]);
    // Without any folder only the text itself can be looked at.
    assert_eq!(codes(json!([]), "untitled:p.fsrb", "x"), [""; 0]);

    let mut editor =
        Editor::with_params(&files, json!({"rootUri": "file:///root", "workspaceFolders": null}));
    let uri = editor.open("sub/p.fsrb", &edit("a.py", "x", "z"));
    assert_eq!(editor.codes(&uri), [""; 0]);
    let event = json!({"added": [{"uri": "file:///none"}], "removed": [{"uri": "file:///root"}]});
    editor.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    assert_eq!(editor.codes(&uri), ["file-not-found"]);
}

#[test]
fn a_document_that_is_closed_has_no_findings() {
    let mut editor = Editor::new(&[]);
    let patch = editor.open("p.fsrb", &edit("a.py", "x", "y"));
    assert_eq!(editor.codes(&patch), ["file-not-found"]);
    editor.close(&patch);
    assert_eq!(editor.codes(&patch), [""; 0]);
    assert_eq!(uri("p.fsrb"), patch);
}

#[test]
fn typing_keeps_places_right() {
    let mut editor = Editor::new(&[("a.py", "x\n")]);
    let text = edit("a.py", "x", "y");
    let uri = editor.open("p.fsrb", "");
    for (number, character) in text.chars().enumerate() {
        let (version, old) = editor.open.get_mut(&uri).unwrap();
        *version += 1;
        let line = old.matches('\n').count();
        let place = json!({"line": line, "character": old.len() - old.rfind('\n').map_or(0, |at| at + 1)});
        old.push(character);
        let change = json!({"range": {"start": place, "end": place}, "text": character.to_string()});
        let params = json!({"textDocument": {"uri": uri, "version": number + 2}, "contentChanges": [change]});
        editor.notify("textDocument/didChange", params);
    }
    assert_eq!(editor.codes(&uri), [""; 0]);
}
