//! From `initialize` to `exit`.

use code_parser::lsp::{Ending, Incoming, Server};
use serde_json::{Value, json};

use crate::editor::{Editor, Memory, capable};

fn send(server: &mut Server<Memory>, message: Value) -> Vec<Value> {
    let sent = server.receive([Incoming::parse(message.to_string().as_bytes())]);
    sent.iter().map(|sent| serde_json::from_str(sent.as_str()).unwrap()).collect()
}

fn error_code(answers: &[Value]) -> i64 {
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers[0]["error"]["code"].as_i64().unwrap()
}

#[test]
fn nothing_is_done_before_initialize() {
    let mut server = Server::new(Memory::default());
    let request = json!({"id": 1, "method": "textDocument/hover", "params": {}});
    assert_eq!(error_code(&send(&mut server, request)), -32002);
    let item = json!({"uri": "file:///root/a.fsrb", "languageId": "", "version": 1, "text": "x"});
    let open = json!({"method": "textDocument/didOpen", "params": {"textDocument": item}});
    assert_eq!(send(&mut server, open), [] as [Value; 0]);
    let answers =
        send(&mut server, json!({"id": "one", "method": "initialize", "params": {"capabilities": {}}}));
    assert_eq!(answers[0]["id"], json!("one"));
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], json!("fsrb-lsp"));
    let again = json!({"id": 2, "method": "initialize", "params": {"capabilities": {}}});
    assert_eq!(error_code(&send(&mut server, again)), -32600);
}

#[test]
fn it_ends_as_it_is_told() {
    let mut editor = Editor::new(&[]);
    assert_eq!(editor.request("shutdown", Value::Null), Ok(Value::Null));
    let error = editor.request("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(error["code"], json!(-32600));
    assert_eq!(editor.server.ending(), None);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.server.ending(), Some(Ending::Orderly));

    let mut editor = Editor::new(&[]);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.server.ending(), Some(Ending::Abrupt));

    let mut server = Server::new(Memory::default());
    send(&mut server, json!({"method": "exit"}));
    assert_eq!(server.ending(), Some(Ending::Abrupt));
}

#[test]
fn the_encoding_is_the_first_that_is_known_and_else_utf_16() {
    let encoding = |offered: Value| {
        let mut capabilities = capable();
        capabilities["general"] = offered;
        Editor::with(&[], capabilities).encoding
    };
    assert_eq!(encoding(json!({"positionEncodings": ["utf-8", "utf-16"]})), "utf-8");
    assert_eq!(encoding(json!({"positionEncodings": ["utf-32", "utf-16"]})), "utf-32");
    assert_eq!(encoding(json!({"positionEncodings": ["utf-7", "utf-16", "utf-8"]})), "utf-16");
    assert_eq!(encoding(json!({"positionEncodings": []})), "utf-16");
    assert_eq!(encoding(json!({})), "utf-16");
    assert_eq!(encoding(Value::Null), "utf-16");
}

#[test]
fn strange_parameters_of_initialize_are_as_if_they_were_not_there() {
    for params in
        [Value::Null, json!([]), json!({"capabilities": {"workspace": 7, "textDocument": []}}), json!(1)]
    {
        let mut server = Server::new(Memory::default());
        let answers = send(&mut server, json!({"id": 1, "method": "initialize", "params": params}));
        assert_eq!(answers[0]["result"]["capabilities"]["positionEncoding"], json!("utf-16"), "{params}");
    }
}

#[test]
fn what_is_not_known_is_said_so() {
    let mut editor = Editor::new(&[]);
    let code = |answer: Result<Value, Value>| answer.unwrap_err()["code"].as_i64().unwrap();
    assert_eq!(code(editor.request("textDocument/rename", json!({}))), -32601);
    assert_eq!(code(editor.request("$/unknown", json!({}))), -32601);
    assert_eq!(code(editor.request("textDocument/hover", json!({"position": 1}))), -32602);
    assert_eq!(code(editor.request("textDocument/hover", Value::Null)), -32602);
    editor.notify("$/unknown", json!({}));
    editor.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    assert_eq!(editor.heard, [] as [Value; 0]);
    // A notification has no answer: what is wrong with one is logged.
    editor.notify("textDocument/didChange", json!({}));
    assert_eq!(editor.take("window/logMessage").len(), 1);
}

#[test]
fn documents_that_are_not_open_are_no_document() {
    let mut editor = Editor::new(&[]);
    let id = json!({"uri": "file:///root/none.fsrb"});
    let place = json!({"line": 0, "character": 0});
    for method in
        ["hover", "definition", "documentSymbol", "foldingRange", "codeLens", "codeAction", "diagnostic"]
    {
        let range = json!({"start": place, "end": place});
        let params =
            json!({"textDocument": id, "position": place, "range": range, "context": {"diagnostics": []}});
        let error = editor.request(&format!("textDocument/{method}"), params).unwrap_err();
        assert_eq!(error["code"], json!(-32602), "{method}");
    }
    let apply = json!({"command": "fsrb.apply", "arguments": ["file:///root/none.fsrb"]});
    assert_eq!(editor.request("workspace/executeCommand", apply).unwrap_err()["code"], json!(-32602));
    let change =
        json!({"textDocument": {"uri": "file:///root/none.fsrb", "version": 2}, "contentChanges": []});
    editor.notify("textDocument/didChange", change);
    editor.notify("textDocument/didClose", json!({"textDocument": id}));
    editor.notify("textDocument/didSave", json!({"textDocument": id}));
    assert_eq!(editor.take("textDocument/publishDiagnostics"), [] as [Value; 0]);
}

#[test]
fn a_request_that_is_cancelled_in_time_is_not_carried_out() {
    let mut editor = Editor::new(&[]);
    let uri = editor.open("a.fsrb", "a\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n");
    let params = json!({"textDocument": {"uri": uri}});
    let answers = editor.send(vec![
        json!({"id": 1, "method": "textDocument/foldingRange", "params": params}),
        json!({"id": "1", "method": "textDocument/foldingRange", "params": params}),
        json!({"method": "$/cancelRequest", "params": {"id": 1}}),
        json!({"method": "$/cancelRequest", "params": {"id": 99}}),
        json!({"method": "$/cancelRequest", "params": null}),
    ]);
    assert_eq!(answers[0]["error"]["code"], json!(-32800));
    assert!(answers[1].get("result").is_some());
    assert_eq!(answers.len(), 2);
}

#[test]
fn many_changes_at_once_are_looked_at_once() {
    let mut editor = Editor::new(&[]);
    let uri = editor.open("a.fsrb", "");
    let change = |version: i64| {
        let place = json!({"line": 0, "character": 0});
        let change = json!({"range": {"start": place, "end": place}, "text": "x"});
        let params = json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]});
        json!({"method": "textDocument/didChange", "params": params})
    };
    let sent = editor.send((2..100).map(change).collect());
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(sent[0]["params"]["version"], json!(99));
    assert_eq!(sent[0]["params"]["diagnostics"][0]["range"]["end"], json!({"line": 0, "character": 98}));
}
