//! A model of an editor: open documents, a disk in memory, and the rules of the protocol.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use code_parser::RelPath;
use code_parser::apply::files::{Files, LoadError, Loaded};
use code_parser::diagnostic::{Code, Diagnostic};
use code_parser::lsp::{Host, Incoming, Outgoing, Server, Tree};
use serde_json::{Value, json};

/// What is on the disk, by path below `/root`.
pub(crate) type Disk = BTreeMap<RelPath, Vec<u8>>;

/// The only directory that there is.
pub(crate) const ROOT: &str = "/root";

/// A disk in memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    pub(crate) files: Rc<RefCell<Disk>>,
    pub(crate) obstacle: bool,
}

impl Host for Memory {
    fn open(&self, dir: &Path) -> Result<Box<dyn Tree>, Box<Diagnostic>> {
        if dir == Path::new(ROOT) {
            return Ok(Box::new(self.clone()));
        }
        Err(Box::new(Diagnostic::new(Code::FileNotFound, format!("{} does not exist", dir.display()))))
    }
}

impl Tree for Memory {
    fn path(&self) -> &Path {
        Path::new(ROOT)
    }

    fn obstacle(&self) -> Option<Diagnostic> {
        self.obstacle.then(|| Diagnostic::new(Code::InterruptedCommit, "a commit is under way"))
    }
}

impl Files for Memory {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        self.files.borrow().load(path, limit)
    }

    fn listing(&self) -> Vec<RelPath> {
        self.files.borrow().listing()
    }
}

/// An editor that talks to a server.
pub(crate) struct Editor {
    pub(crate) server: Server<Memory>,
    pub(crate) disk: Memory,
    /// The open documents, by URI, as the editor has them.
    pub(crate) open: BTreeMap<String, (i64, String)>,
    pub(crate) encoding: String,
    /// What the server has sent besides answers.
    pub(crate) heard: Vec<Value>,
    last_id: u64,
}

/// All that a capable editor says of itself.
pub(crate) fn capable() -> Value {
    json!({
        "general": {"positionEncodings": ["utf-16"]},
        "workspace": {
            "applyEdit": true,
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
                "normalizesLineEndings": true,
            },
            "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
            "codeLens": {"refreshSupport": true},
        },
        "textDocument": {
            "publishDiagnostics": {"relatedInformation": true},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
        },
    })
}

impl Editor {
    /// An editor with everything, and these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, capable())
    }

    pub(crate) fn with(files: &[(&str, &str)], capabilities: Value) -> Self {
        Self::with_params(files, json!({"capabilities": capabilities}))
    }

    pub(crate) fn with_params(files: &[(&str, &str)], mut params: Value) -> Self {
        let file = |(path, text): &(&str, &str)| (RelPath::new(path).unwrap(), text.as_bytes().to_vec());
        let disk = Memory::default();
        disk.files.borrow_mut().extend(files.iter().map(file));
        let mut editor = Self {
            server: Server::new(disk.clone()),
            disk,
            open: BTreeMap::new(),
            encoding: "utf-16".to_owned(),
            heard: Vec::new(),
            last_id: 1000,
        };
        if params.get("workspaceFolders").is_none() {
            params["workspaceFolders"] = json!([{"uri": "file:///root", "name": "root"}]);
        }
        let answer = editor.request("initialize", params).unwrap();
        editor.encoding = answer["capabilities"]["positionEncoding"].as_str().unwrap().to_owned();
        editor.notify("initialized", json!({}));
        editor
    }

    /// Sends messages at once and gives what is sent back.
    pub(crate) fn send(&mut self, messages: Vec<Value>) -> Vec<Value> {
        let incoming = messages.iter().map(|message| Incoming::parse(message.to_string().as_bytes()));
        self.server.receive(incoming).iter().map(read).collect()
    }

    /// The result of a request, or its error; the rest is heard.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut answers = self.send(vec![json!({"id": id, "method": method, "params": params})]);
        let is_answer = |answer: &Value| answer.get("method").is_none() && answer["id"] == json!(id);
        let answer = answers.remove(answers.iter().position(is_answer).unwrap());
        self.heard.extend(answers);
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let heard = self.send(vec![json!({"method": method, "params": params})]);
        self.heard.extend(heard);
    }

    /// The parameters of the calls of a method that were heard, which are then forgotten.
    pub(crate) fn take(&mut self, method: &str) -> Vec<Value> {
        let (taken, rest) = std::mem::take(&mut self.heard)
            .into_iter()
            .partition::<Vec<_>, _>(|call| call["method"] == json!(method));
        self.heard = rest;
        taken.into_iter().map(|call| call["params"].clone()).collect()
    }

    pub(crate) fn open(&mut self, path: &str, text: &str) -> String {
        let uri = uri(path);
        let language = if path.ends_with(".md") { "markdown" } else { "" };
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.open.insert(uri.clone(), (1, text.to_owned()));
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
        uri
    }

    /// Replaces the whole text of an open document.
    pub(crate) fn retype(&mut self, uri: &str, text: &str) {
        let (version, old) = self.open.get_mut(uri).unwrap();
        *version += 1;
        text.clone_into(old);
        let id = json!({"uri": uri, "version": version});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": id, "contentChanges": [{"text": text}]}),
        );
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.open.remove(uri);
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// What was last said of a document; it must be about the text that the editor has.
    pub(crate) fn findings(&mut self, uri: &str) -> Vec<Value> {
        let all = self.take("textDocument/publishDiagnostics");
        let last = all.into_iter().rfind(|params| params["uri"] == json!(uri)).unwrap();
        if let Some((version, _)) = self.open.get(uri) {
            assert_eq!(last["version"], json!(version));
        }
        last["diagnostics"].as_array().unwrap().clone()
    }

    /// The codes of them.
    pub(crate) fn codes(&mut self, uri: &str) -> Vec<String> {
        self.findings(uri).iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
    }

    /// A request about a place, which is that of a text in the document.
    pub(crate) fn ask_at(&mut self, method: &str, uri: &str, text: &str) -> Value {
        let place = self.open[uri].1.find(text).unwrap();
        let position = position(&self.open[uri].1, place, &self.encoding);
        self.request(method, json!({"textDocument": {"uri": uri}, "position": position})).unwrap()
    }

    /// The text of a range of a document or file.
    pub(crate) fn text_at(&self, uri: &str, range: &Value) -> String {
        let text = self.text(uri);
        let at = |name: &str| offset(&text, &range[name], &self.encoding);
        text[at("start")..at("end")].to_owned()
    }

    /// The text of a document as the editor would show it.
    pub(crate) fn text(&self, uri: &str) -> String {
        match self.open.get(uri) {
            Some((_, text)) => text.clone(),
            None => String::from_utf8(self.disk.files.borrow()[&path(uri)].clone()).unwrap(),
        }
    }

    /// Does what an edit of the workspace says, as the protocol tells editors to: to open documents and, for the files
    /// that are not open, to the disk.
    pub(crate) fn apply(&mut self, edit: &Value) {
        if let Some(changes) = edit.get("changes") {
            for (uri, edits) in changes.as_object().unwrap() {
                self.edit(uri, edits.as_array().unwrap());
            }
        }
        for step in edit["documentChanges"].as_array().into_iter().flatten() {
            let uri = |name: &str| step[name].as_str().unwrap().to_owned();
            match step["kind"].as_str() {
                Some("create") => self.create(&uri("uri")),
                Some("delete") => self.delete(&uri("uri")),
                Some("rename") => self.rename(&uri("oldUri"), &uri("newUri")),
                Some(other) => panic!("{other}"),
                None => {
                    let id = &step["textDocument"];
                    let uri = id["uri"].as_str().unwrap();
                    let version = self.open.get(uri).map(|(version, _)| *version);
                    assert_eq!(id["version"], json!(version), "{uri}");
                    self.edit(uri, step["edits"].as_array().unwrap());
                }
            }
        }
    }

    fn create(&mut self, uri: &str) {
        assert!(!self.open.contains_key(uri), "{uri}");
        let old = self.disk.files.borrow_mut().insert(path(uri), Vec::new());
        assert_eq!(old, None, "{uri}");
    }

    fn delete(&mut self, uri: &str) {
        let old = self.disk.files.borrow_mut().remove(&path(uri));
        assert!(old.is_some() || self.open.contains_key(uri), "{uri}");
        self.open.remove(uri);
    }

    fn rename(&mut self, old: &str, new: &str) {
        assert!(!self.open.contains_key(new), "{new}");
        let open = self.open.remove(old);
        let bytes = self.disk.files.borrow_mut().remove(&path(old));
        // A document that was changed goes on being what it was, under another name.
        let bytes = open.map(|(_, text)| text.into_bytes()).or(bytes).unwrap();
        assert_eq!(self.disk.files.borrow_mut().insert(path(new), bytes), None, "{new}");
    }

    fn edit(&mut self, uri: &str, edits: &[Value]) {
        let old = self.text(uri);
        // An editor does not count the mark as text, and keeps it.
        let (mark, text) = match old.strip_prefix('\u{feff}') {
            Some(text) => ("\u{feff}", text),
            None => ("", old.as_str()),
        };
        let mut places: Vec<(usize, usize, &str)> = edits
            .iter()
            .map(|edit| {
                let at = |name: &str| offset(text, &edit["range"][name], &self.encoding);
                (at("start"), at("end"), edit["newText"].as_str().unwrap())
            })
            .collect();
        places.sort_by_key(|&(start, end, _)| (start, end));
        let (mut new, mut done) = (mark.to_owned(), 0);
        for (start, end, put) in places {
            assert!(done <= start && start <= end, "edits overlap");
            new.push_str(&text[done..start]);
            new.push_str(put);
            done = end;
        }
        new.push_str(&text[done..]);
        if self.open.contains_key(uri) {
            self.retype(uri, &new);
        } else {
            self.disk.files.borrow_mut().insert(path(uri), new.into_bytes());
        }
    }
}

fn read(sent: &Outgoing) -> Value {
    let value: Value = serde_json::from_str(sent.as_str()).unwrap();
    assert_eq!(value["jsonrpc"], json!("2.0"));
    value
}

pub(crate) fn uri(path: &str) -> String {
    if path.contains(':') { path.to_owned() } else { format!("file://{ROOT}/{path}") }
}

fn path(uri: &str) -> RelPath {
    let decoded = uri.replace("%20", " ").replace("%C3%BC", "\u{fc}");
    let absolute = PathBuf::from(decoded.strip_prefix("file://").unwrap());
    RelPath::new(absolute.strip_prefix(ROOT).unwrap().to_str().unwrap()).unwrap()
}

/// How many units of an encoding a character has. It is counted here by other means than in the server.
fn width(character: char, encoding: &str) -> usize {
    match encoding {
        "utf-8" => character.to_string().len(),
        "utf-16" => 1 + usize::from(character > '\u{ffff}'),
        _ => 1,
    }
}

fn position(text: &str, at: usize, encoding: &str) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let character: usize = before[start..].chars().map(|character| width(character, encoding)).sum();
    json!({"line": line, "character": character})
}

/// The byte offset of a place, which must be one: between two characters of a line that there is, or, as the protocol
/// has it, in one more, which is the end.
fn offset(text: &str, position: &Value, encoding: &str) -> usize {
    let (line, column) = (position["line"].as_u64().unwrap(), position["character"].as_u64().unwrap());
    let mut start = 0;
    for number in 1..=line {
        start += match text[start..].find('\n') {
            Some(newline) => newline + 1,
            None if number == line && column == 0 => return text.len(),
            None => panic!("no line {line}"),
        };
    }
    let (mut at, mut left) = (start, usize::try_from(column).unwrap());
    for character in text[start..].chars() {
        if left == 0 {
            break;
        }
        assert_ne!(character, '\n', "no column {column} in line {line}");
        left = left.checked_sub(width(character, encoding)).unwrap();
        at += character.len_utf8();
    }
    assert_eq!(left, 0, "no column {column} in line {line}");
    at
}
