//! What holds for a language server, whatever is sent to it.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use code_parser::RelPath;
use code_parser::apply::files::{Files, LoadError, Loaded};
use code_parser::diagnostic::{Code, Diagnostic};
use code_parser::lsp::{Host, Incoming, Server, Tree, transport};
use serde_json::{Value, json};

/// One directory with a few files.
struct Few(BTreeMap<RelPath, Vec<u8>>);

impl Few {
    fn new() -> Self {
        let files =
            [("a", "x\ny\n"), ("src/a.py", "\u{fc}\u{1f600} = 1\r\nb = 2\r\n"), ("README.md", "# Title\n")];
        Self(
            files
                .iter()
                .map(|(path, text)| (RelPath::new(path).unwrap(), text.as_bytes().to_vec()))
                .collect(),
        )
    }
}

impl Host for Few {
    fn open(&self, dir: &Path) -> Result<Box<dyn Tree>, Box<Diagnostic>> {
        if dir == Path::new("/r") {
            return Ok(Box::new(Self::new()));
        }
        Err(Box::new(Diagnostic::new(Code::FileNotFound, "the root does not exist")))
    }
}

impl Tree for Few {
    fn path(&self) -> &Path {
        Path::new("/r")
    }

    fn obstacle(&self) -> Option<Diagnostic> {
        None
    }
}

impl Files for Few {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        self.0.load(path, limit)
    }

    fn listing(&self) -> Vec<RelPath> {
        self.0.listing()
    }
}

/// Any bytes, as a stream and as one message a line.
pub(crate) fn check(bytes: &[u8]) {
    check_stream(bytes);
    let capabilities = json!({
        "general": {"positionEncodings": ["utf-16"]},
        "workspace": {
            "applyEdit": true,
            "workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]},
            "didChangeWatchedFiles": {"dynamicRegistration": true},
        },
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {}}},
    });
    let params = json!({"rootUri": "file:///r", "capabilities": capabilities});
    let mut stream = Vec::new();
    let mut add = |body: &[u8]| {
        stream.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        stream.extend_from_slice(body);
    };
    add(json!({"id": "first", "method": "initialize", "params": params}).to_string().as_bytes());
    add(br#"{"method":"initialized"}"#);
    bytes.split(|&byte| byte == b'\n').for_each(add);
    check_stream(&stream);
}

/// Any bytes: the server takes them as a stream, panics at nothing, and sends nothing but messages of JSON-RPC with one
/// answer for each request, in order. The same bytes give the same messages.
fn check_stream(bytes: &[u8]) {
    let mut stream = Cursor::new(bytes);
    let mut messages = Vec::new();
    while let Some(message) = transport::read(&mut stream).unwrap() {
        messages.push(message);
    }
    let sent = answers(&messages, true);
    assert_eq!(sent, answers(&messages, true));
    well_formed(&messages, &sent);
    // All at once, what is said of documents on the way is left out; the server still ends the same way.
    answers(&messages, false);
}

fn answers(messages: &[Incoming], singly: bool) -> Vec<Value> {
    let mut server = Server::new(Few::new());
    let mut sent = Vec::new();
    if singly {
        for message in messages {
            sent.extend(server.receive([message.clone()]));
        }
    } else {
        sent = server.receive(messages.iter().cloned());
    }
    let mut written = Vec::new();
    sent.iter().for_each(|message| transport::write(&mut written, message).unwrap());
    let mut values = Vec::new();
    for message in &sent {
        values.push(serde_json::from_str(message.as_str()).unwrap());
    }
    // What is written is read as what it was.
    let mut stream = Cursor::new(written);
    for value in &values {
        let read = transport::read(&mut stream).unwrap();
        assert!(read.is_some(), "{value}");
    }
    assert!(transport::read(&mut stream).unwrap().is_none());
    values
}

fn well_formed(messages: &[Incoming], sent: &[Value]) {
    let mut ended = false;
    let mut asked: Vec<Value> = Vec::new();
    for message in messages {
        match message {
            _ if ended => {}
            Incoming::Request { id, .. } | Incoming::Malformed { id, .. } => asked.push(id.clone()),
            Incoming::Notification { .. } => ended = message.is_exit(),
            Incoming::Response { .. } => {}
        }
    }
    for value in sent {
        assert_eq!(value["jsonrpc"], json!("2.0"));
    }
    let is_answer = |value: &&Value| value.get("method").is_none();
    let answered: Vec<Value> = sent.iter().filter(is_answer).map(|value| value["id"].clone()).collect();
    assert_eq!(answered, asked);
    for value in sent.iter().filter(is_answer) {
        assert_ne!(value.get("result").is_some(), value.get("error").is_some(), "{value}");
    }
}
