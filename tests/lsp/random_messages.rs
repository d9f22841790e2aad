//! The law of the fuzz target, over messages that are nearly right.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::laws;

fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a",
        "src/a.py",
        "<<<<<<< SEARCH",
        "x",
        "\u{fc}\u{1f600} = 1",
        "=======",
        "y",
        ">>>>>>> REPLACE",
        ">>>>>>> REPLACE \u{1f600}",
        "```python src/a.py",
        "```",
        "--- a/a",
        "+++ b/a",
        "@@ -1 +1 @@",
        "-x",
        "+z",
        "In `a`, replace `x` with `y`.",
        "",
    ]);
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

fn position() -> impl Strategy<Value = Value> {
    prop_oneof![
        9 => (0u32..9, 0u32..9).prop_map(|(line, character)| json!({"line": line, "character": character})),
        1 => Just(json!({"line": u32::MAX, "character": u32::MAX})),
        1 => Just(json!({"line": -1, "character": 0.5})),
    ]
}

fn uri() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "file:///r/p.fsrb",
        "file:///r/p.md",
        "file:///r/p.diff",
        "file:///r/src/a.py",
        "untitled:x",
        "",
    ])
}

fn message() -> impl Strategy<Value = Value> {
    let id = || {
        prop_oneof![Just(json!(1)), Just(json!("one")), Just(json!(2.5)), Just(Value::Null), Just(json!([]))]
    };
    let request = prop::sample::select(vec![
        "textDocument/hover",
        "textDocument/definition",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "textDocument/diagnostic",
        "workspace/executeCommand",
        "initialize",
        "shutdown",
        "unknown",
    ]);
    let open = (uri(), text()).prop_map(|(uri, text)| {
        let item = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        json!({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    });
    let change = (uri(), position(), position(), text()).prop_map(|(uri, start, end, text)| {
        let change = json!({"range": {"start": start, "end": end}, "text": text});
        let params = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]});
        json!({"method": "textDocument/didChange", "params": params})
    });
    let ask = (id(), request, uri(), position(), position()).prop_map(|(id, method, uri, start, end)| {
        let range = json!({"start": start, "end": end});
        let params = json!({"textDocument": {"uri": uri}, "position": start, "range": range, "context": {},
            "command": "fsrb.apply", "arguments": [uri]});
        json!({"id": id, "method": method, "params": params})
    });
    let other = (id(), uri()).prop_map(|(id, uri)| {
        json!({"id": id, "method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
    });
    let rubbish = prop::sample::select(vec![
        json!({"id": 1, "result": {"applied": false}}),
        json!({"method": "$/cancelRequest", "params": {"id": 1}}),
        json!({"method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "file:///r"}]}}),
        json!([1, 2]),
        Value::Null,
    ]);
    prop_oneof![4 => open, 4 => change, 6 => ask, 1 => other, 1 => rubbish]
}

fn framed(message: &str, length: usize) -> String {
    format!("Content-Length: {length}\r\n\r\n{message}")
}

proptest! {
    #[test]
    fn any_messages(messages in prop::collection::vec(message(), 0..12), slip in 0usize..40) {
        let capabilities = crate::editor::capable();
        let params = json!({"capabilities": capabilities, "rootUri": "file:///r"});
        let first = json!({"id": 0, "method": "initialize", "params": params});
        let mut stream = String::new();
        for message in [first, json!({"method": "initialized", "params": {}})].iter().chain(&messages) {
            let body = message.to_string();
            stream.push_str(&framed(&body, body.len()));
        }
        laws::check(stream.as_bytes());
        // With one length that is wrong.
        let body = json!({"id": 7, "method": "shutdown"}).to_string();
        stream.push_str(&framed(&body, slip));
        stream.push_str(&framed(&body, body.len()));
        laws::check(stream.as_bytes());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        laws::check(&bytes);
    }
}
