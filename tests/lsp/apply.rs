//! What the editor is told to do is what the command would do.

use std::collections::BTreeMap;

use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::source::Source;
use code_parser::{RelPath, parse};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::editor::{Disk, Editor, capable, uri};

fn apply(editor: &mut Editor, uri: &str) -> Result<Value, String> {
    let command = json!({"command": "fsrb.apply", "arguments": [uri]});
    match editor.request("workspace/executeCommand", command) {
        Ok(answer) => {
            assert_eq!(answer, Value::Null);
            let mut sent = editor.take("workspace/applyEdit");
            assert_eq!(sent.len(), 1);
            Ok(sent.remove(0))
        }
        Err(error) => {
            assert_eq!(error["code"], json!(-32803));
            assert_eq!(editor.take("workspace/applyEdit"), [] as [Value; 0]);
            Err(error["message"].as_str().unwrap().to_owned())
        }
    }
}

/// What the plan makes of files.
fn planned(files: &Disk, text: &str, kind: InputKind) -> Option<Disk> {
    let source = Source::new(text).unwrap();
    let plan = Plan::new(&parse(&source, kind).changes(), files, &Options::default()).ok()?;
    let mut new = files.clone();
    for file in plan.files() {
        match &file.new {
            Some(bytes) => new.insert(file.target.clone(), bytes.to_vec()),
            None => new.remove(&file.target),
        };
    }
    Some(new)
}

fn disk(files: &[(&str, &str)]) -> Disk {
    files.iter().map(|(path, text)| (RelPath::new(path).unwrap(), text.as_bytes().to_vec())).collect()
}

/// Has an editor apply a text, and compares all files with what the plan makes of them.
fn check(
    files: &[(&str, &str)],
    name: &str,
    kind: InputKind,
    text: &str,
    open: &[&str],
    encoding: &str,
) -> Value {
    let mut capabilities = capable();
    capabilities["general"] = json!({"positionEncodings": [encoding]});
    let mut editor = Editor::with(files, capabilities);
    let patch = editor.open(name, text);
    for path in open {
        let content = files.iter().find(|(name, _)| name == path).unwrap().1;
        editor.open(path, content.strip_prefix('\u{feff}').unwrap_or(content));
    }
    let expected = planned(&disk(files), text, kind).unwrap();
    let sent = apply(&mut editor, &patch).unwrap();
    editor.apply(&sent["edit"]);
    editor.open.remove(&patch);
    // Saved.
    let marked = |path: &RelPath| {
        files.iter().any(|(name, text)| *name == path.as_str() && text.starts_with('\u{feff}'))
    };
    let mut found = editor.disk.files.borrow().clone();
    for (document, (_, text)) in &editor.open {
        let path = RelPath::new(document.strip_prefix("file:///root/").unwrap()).unwrap();
        let mark = if marked(&path) { "\u{feff}" } else { "" };
        found.insert(path, format!("{mark}{text}").into_bytes());
    }
    let shown = |disk: &Disk| {
        disk.iter()
            .map(|(path, bytes)| (path.to_string(), String::from_utf8_lossy(bytes).into_owned()))
            .collect()
    };
    let (found, expected): (BTreeMap<String, String>, BTreeMap<String, String>) =
        (shown(&found), shown(&expected));
    assert_eq!(found, expected, "{sent}");
    sent
}

fn edit(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

#[test]
fn edits_of_open_and_closed_files_keep_all_other_lines() {
    let files = [
        ("a.py", "1\n\u{1f600}\n3\n4\n5\n6\n"),
        ("b.py", "\u{feff}x\r\ny\r\n\u{fc}"),
        ("c.py", "only"),
        ("d.py", "z\n"),
    ];
    let text = edit("a.py", "\u{1f600}\n", "two\n")
        + &edit("a.py", "5\n", "")
        + &edit("b.py", "\u{fc}\n", "u\n")
        + &edit("b.py", "x\n", "\u{1f600}\n")
        + &edit("c.py", "only\n", "all\n")
        + &edit("new/\u{fc} x.py", "", "\u{1f600}\nnew\n")
        + &edit("d.py", "z\n", "");
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        for open in [&[][..], &["a.py"], &["a.py", "b.py", "c.py", "d.py"]] {
            let sent = check(&files, "p.fsrb", InputKind::Fsrb, &text, open, encoding);
            assert_eq!(sent["label"], json!("Apply 7 edits to 5 files"));
            let steps = sent["edit"]["documentChanges"].as_array().unwrap();
            let first = steps.iter().find(|step| step["textDocument"]["uri"] == json!(uri("a.py"))).unwrap();
            let lines: Vec<&Value> = first["edits"]
                .as_array()
                .unwrap()
                .iter()
                .map(|edit| &edit["range"]["start"]["line"])
                .collect();
            assert_eq!(lines, [&json!(1), &json!(4)]);
            let version = if open.is_empty() { Value::Null } else { json!(1) };
            assert_eq!(first["textDocument"]["version"], version);
        }
    }
}

#[test]
fn files_are_created_renamed_copied_and_deleted() {
    let files =
        [("a.txt", "one\ntwo\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("s.txt", "s\n"), ("t.txt", "t\n")];
    let text = "\
diff --git a/a.txt b/dir/a.txt
rename from a.txt
rename to dir/a.txt
--- a/a.txt
+++ b/dir/a.txt
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/b.txt b/b.txt
deleted file mode 100644
--- a/b.txt
+++ /dev/null
@@ -1 +0,0 @@
-b
diff --git a/c.txt b/copy.txt
copy from c.txt
copy to copy.txt
diff --git a/s.txt b/t.txt
rename from s.txt
rename to t.txt
diff --git a/t.txt b/s.txt
rename from t.txt
rename to s.txt
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
";
    for open in [&[][..], &["a.txt", "s.txt"]] {
        let sent = check(&files, "p.diff", InputKind::Diff, text, open, "utf-16");
        let kinds: Vec<&str> = sent["edit"]["documentChanges"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|step| step["kind"].as_str())
            .collect();
        assert_eq!(kinds, ["create", "create", "create", "rename", "delete"]);
    }
}

#[test]
fn a_chain_of_renames_ends_where_it_should() {
    let files = [("a", "a\n"), ("b", "b\n"), ("c", "c\n")];
    let text = "\
diff --git a/a b/b
rename from a
rename to b
diff --git a/b b/c
rename from b
rename to c
diff --git a/c b/d
rename from c
rename to d
";
    check(&files, "p.diff", InputKind::Diff, text, &[], "utf-16");
    check(&files, "p.diff", InputKind::Diff, text, &["a", "b", "c"], "utf-16");
}

#[test]
fn an_editor_that_cannot_do_it_is_not_asked_to() {
    let without = |change: &dyn Fn(&mut Value), text: &str| {
        let mut capabilities = capable();
        change(&mut capabilities["workspace"]);
        let mut editor = Editor::with(&[("a", "x\n")], capabilities);
        let patch = editor.open("p.fsrb", text);
        let answer = apply(&mut editor, &patch);
        if let Ok(sent) = &answer {
            editor.apply(&sent["edit"]);
        }
        (answer, editor.text(&uri("a")))
    };
    let (answer, _) = without(&|workspace| workspace["applyEdit"] = json!(false), &edit("a", "x\n", "y\n"));
    assert!(answer.unwrap_err().contains("cannot apply edits"));
    let (answer, _) = without(
        &|workspace| workspace["workspaceEdit"]["resourceOperations"] = json!([]),
        &edit("b", "", "y\n"),
    );
    assert!(answer.unwrap_err().contains("cannot create files"));
    let (answer, text) =
        without(&|workspace| workspace["workspaceEdit"] = json!({}), &edit("a", "x\n", "y\n"));
    assert!(answer.unwrap()["edit"].get("documentChanges").is_none());
    assert_eq!(text, "y\n");
}

#[test]
fn what_does_not_validate_is_not_applied() {
    let mut editor = Editor::new(&[("a", "x\n")]);
    let patch = editor
        .open("p.fsrb", &(edit("a", "x\n", "y\n") + &edit("a", "none\n", "y\n") + &edit("b", "x\n", "y\n")));
    let message = apply(&mut editor, &patch).unwrap_err();
    assert!(message.starts_with("not applied: 2 faults; the first, in line 8: "), "{message}");
    editor.retype(&patch, "text\n");
    assert!(apply(&mut editor, &patch).is_err());
    editor.retype(&patch, &edit("a", "x\n", "x\n"));
    assert_eq!(apply(&mut editor, &patch).unwrap_err(), "not applied: the edits change nothing");
    editor.retype(&patch, &edit("a", "x\n", "y\n"));
    // The disk as it is now, whatever the editor has told.
    editor.disk.files.borrow_mut().insert(RelPath::new("a").unwrap(), b"z\n".to_vec());
    assert!(apply(&mut editor, &patch).is_err());
    let other = editor.open("a.py", "x");
    assert!(apply(&mut editor, &other).is_err());
    for params in
        [json!({"command": "fsrb.apply"}), json!({"command": "other", "arguments": [patch]}), json!({})]
    {
        let error = editor.request("workspace/executeCommand", params).unwrap_err();
        assert_eq!(error["code"], json!(-32602));
    }
}

#[test]
fn files_that_are_not_text_are_left_to_the_command() {
    let mut editor = Editor::new(&[]);
    editor.disk.files.borrow_mut().insert(RelPath::new("a").unwrap(), b"\xff\nx\n".to_vec());
    let patch = editor.open("p.fsrb", &edit("a", "x\n", "y\n"));
    assert_eq!(editor.codes(&patch), [""; 0]);
    assert!(apply(&mut editor, &patch).unwrap_err().contains("a is not UTF-8"));
    let patch = editor.open("p.fsrb", "c\n<<<<<<< SEARCH\n=======\nx\ry\n>>>>>>> REPLACE\n");
    assert!(apply(&mut editor, &patch).unwrap_err().contains("c gets a CR"));
    editor.disk.files.borrow_mut().insert(RelPath::new("m").unwrap(), "\u{feff}x\n".into());
    // Emptied it is gone, and what is made then is another file.
    let patch = editor.open("p.fsrb", &(edit("m", "x\n", "") + &edit("m", "", "y\n")));
    assert!(apply(&mut editor, &patch).unwrap_err().contains("byte order mark at the start of m"));
    let patch = editor.open("p.fsrb", &edit("n", "", "\u{feff}y\n"));
    assert!(apply(&mut editor, &patch).unwrap_err().contains("byte order mark at the start of n"));
    let diff = "diff --git a/b b/b\nold mode 100644\nnew mode 100755\n";
    editor.disk.files.borrow_mut().insert(RelPath::new("b").unwrap(), b"b\n".to_vec());
    let patch = editor.open("p.diff", diff);
    assert!(apply(&mut editor, &patch).unwrap_err().contains("permissions of b"));
}

#[test]
fn an_editor_that_may_spoil_line_endings_edits_only_what_is_open() {
    let mut capabilities = capable();
    capabilities["workspace"]["workspaceEdit"]["normalizesLineEndings"] = json!(false);
    let params = |name: &str| json!({"capabilities": capabilities, "clientInfo": {"name": name}});
    let mut editor = Editor::with_params(&[("a", "x\r\ny\r\n")], params("other"));
    let patch = editor.open("p.fsrb", &edit("a", "x\n", "z\n"));
    assert!(apply(&mut editor, &patch).unwrap_err().contains("a has CRLF line endings"));
    // As an editor has it that turns the endings when it reads a file.
    editor.open("a", "x\ny\n");
    let sent = apply(&mut editor, &patch).unwrap();
    editor.apply(&sent["edit"]);
    assert_eq!(editor.text(&uri("a")), "z\ny\n");
    let mut editor = Editor::with_params(&[("a", "x\r\ny\r\n")], params("Neovim"));
    let patch = editor.open("p.fsrb", &edit("a", "x\n", "z\n"));
    assert!(apply(&mut editor, &patch).is_ok());
}

#[test]
fn nothing_is_applied_while_a_commit_is_pending() {
    let mut editor = Editor::new(&[("a", "x\n")]);
    let patch = editor.open("p.fsrb", &edit("a", "x\n", "y\n"));
    let mut disk = editor.disk.clone();
    disk.obstacle = true;
    editor.server = code_parser::lsp::Server::new(disk);
    editor.request("initialize", json!({"capabilities": capable(), "rootUri": "file:///root"})).unwrap();
    editor.notify("initialized", json!({}));
    let text = editor.open[&patch].1.clone();
    editor.open("p.fsrb", &text);
    assert_eq!(apply(&mut editor, &patch).unwrap_err(), "not applied: a commit is under way");
}

#[test]
fn an_editor_that_refuses_is_heard() {
    let mut editor = Editor::new(&[("a", "x\n")]);
    let patch = editor.open("p.fsrb", &edit("a", "x\n", "y\n"));
    let command = json!({"id": 1, "method": "workspace/executeCommand",
        "params": {"command": "fsrb.apply", "arguments": [patch]}});
    let sent = editor.send(vec![command]);
    // The answer does not wait for the editor: that may wait for it.
    assert_eq!(sent[1], json!({"jsonrpc": "2.0", "id": 1, "result": null}));
    let id = sent.iter().find(|sent| sent["method"] == json!("workspace/applyEdit")).unwrap()["id"].clone();
    let refusal = json!({"id": id, "result": {"applied": false, "failureReason": "no mood"}});
    let heard = editor.send(vec![refusal.clone(), refusal]);
    assert_eq!(heard.len(), 1);
    assert!(heard[0]["params"]["message"].as_str().unwrap().ends_with("no mood"));
}

#[test]
fn an_editor_that_answers_with_an_error_is_heard() {
    let mut editor = Editor::new(&[("a", "x\n")]);
    let patch = editor.open("p.fsrb", &edit("a", "x\n", "y\n"));
    let command = json!({"id": 1, "method": "workspace/executeCommand",
        "params": {"command": "fsrb.apply", "arguments": [patch]}});
    let sent = editor.send(vec![command]);
    let id = sent.iter().find(|sent| sent["method"] == json!("workspace/applyEdit")).unwrap()["id"].clone();
    let heard = editor.send(vec![json!({"id": id, "error": {"code": -32603, "message": "no memory"}})]);
    assert_eq!(heard.len(), 1);
    let told = json!({"type": 1, "message": "fsrb: the editor has not applied the edits: no memory"});
    assert_eq!(heard[0]["params"], told);
}

#[test]
fn edits_that_undo_each_other_are_not_applied() {
    let mut editor = Editor::new(&[("a", "x\n")]);
    let patch = editor.open("p.fsrb", &(edit("n", "", "x\n") + &edit("n", "x\n", "")));
    assert_eq!(editor.codes(&patch), [""; 0]);
    assert_eq!(apply(&mut editor, &patch).unwrap_err(), "not applied: the edits change nothing");
}

fn content() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec!["a", "b", "c", "", "\u{fc}\u{1f600}", "x y"]);
    let ending = prop::sample::select(vec!["\n", "\r\n"]);
    (prop::collection::vec((line, ending), 0..8), any::<bool>(), any::<bool>()).prop_map(
        |(lines, mark, cut)| {
            let mut text: String = lines.iter().flat_map(|(line, ending)| [*line, *ending]).collect();
            if cut {
                text.truncate(text.trim_end_matches(['\r', '\n']).len());
            }
            if mark && !text.is_empty() { format!("\u{feff}{text}") } else { text }
        },
    )
}

proptest! {
    #[test]
    fn the_edit_of_the_workspace_is_the_plan(
        one in content(),
        two in content(),
        edits in prop::collection::vec(
            (prop::sample::select(vec!["one", "two", "new", "d/new"]), 0usize..9, 0usize..4, "[a-d\u{fc}\u{1f600}]{0,2}(\n[ab]{1,2})?"),
            1..5,
        ),
        encoding in prop::sample::select(vec!["utf-8", "utf-16", "utf-32"]),
        open in any::<bool>(),
    ) {
        let files = [("one", one.as_str()), ("two", two.as_str())];
        let lines = |path: &str| {
            let text = files.iter().find(|file| file.0 == path).map_or("", |file| file.1);
            text.trim_start_matches('\u{feff}').replace("\r\n", "\n").lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let mut text = String::new();
        for (path, from, count, put) in &edits {
            let search: String = lines(path).iter().skip(*from).take(*count).map(|line| format!("{line}\n")).collect();
            let put = if put.is_empty() { String::new() } else { format!("{put}\n") };
            text.push_str(&edit(path, &search, &put));
        }
        let expected = planned(&disk(&files), &text, InputKind::Fsrb);
        // A file that is emptied and made anew has lost its byte order mark.
        let has_mark = |bytes: &[u8]| bytes.starts_with("\u{feff}".as_bytes());
        let keeps_mark = |new: &Disk| {
            disk(&files).iter().all(|(path, old)| new.get(path).is_none_or(|new| has_mark(new) == has_mark(old)))
        };
        let may = |new: &Disk| *new != disk(&files) && keeps_mark(new);
        if !expected.as_ref().is_some_and(may) {
            let mut editor = Editor::new(&files);
            let patch = editor.open("p.fsrb", &text);
            prop_assert!(apply(&mut editor, &patch).is_err());
            return Ok(());
        }
        let open = if open { &["one", "two"][..] } else { &[] };
        check(&files, "p.fsrb", InputKind::Fsrb, &text, open, encoding);
    }
}
