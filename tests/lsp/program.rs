//! The program `fsrb-lsp`: its streams, its end, and that it writes nothing.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use code_parser::lsp::{Incoming, transport};
use serde_json::{Value, json};

/// Longer no answer takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fsrb-lsp"))
            .arg("--stdio")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn started(root: &Path) -> Self {
        let mut program = Self::start();
        program.initialize(root, std::process::id());
        program
    }

    fn initialize(&mut self, root: &Path, process: u32) {
        let params = json!({"processId": process, "rootUri": format!("file://{}", root.display()),
            "capabilities": crate::editor::capable()});
        self.send(&json!({"id": 0, "method": "initialize", "params": params}));
        assert!(matches!(self.receive(), Incoming::Response { .. }));
        self.send(&json!({"method": "initialized", "params": {}}));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn receive(&mut self) -> Incoming {
        transport::read(&mut self.output).unwrap().unwrap()
    }

    /// The findings of the next publication; what is sent besides is passed over.
    fn findings(&mut self) -> Value {
        loop {
            if let Incoming::Notification { method, params } = self.receive()
                && method == "textDocument/publishDiagnostics"
            {
                return params["diagnostics"].clone();
            }
        }
    }

    fn open(&mut self, root: &Path, name: &str, text: &str) -> String {
        let uri = format!("file://{}/{name}", root.display());
        let item = json!({"uri": uri, "languageId": "", "version": 1, "text": text});
        self.send(&json!({"method": "textDocument/didOpen", "params": {"textDocument": item}}));
        uri
    }

    fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        self.wait()
    }

    fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn edit(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
}

#[test]
fn it_reads_the_disk_and_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::write(root.join("a.py"), "x = 1\n").unwrap();
    let mut program = Program::started(root);
    let uri = program.open(root, "p.fsrb", &(edit("a.py", "x = 2", "y") + &edit("../out", "x", "y")));
    let findings = program.findings();
    let codes: Vec<&Value> = findings.as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert_eq!(codes, [&json!("search-not-found"), &json!("unsafe-path")]);
    let change = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": edit("a.py", "x = 1", "y")}]});
    program.send(&json!({"method": "textDocument/didChange", "params": change}));
    assert_eq!(program.findings(), json!([]));
    let command = json!({"command": "fsrb.apply", "arguments": [uri]});
    program.send(&json!({"id": 1, "method": "workspace/executeCommand", "params": command}));
    while !matches!(program.receive(), Incoming::Request { method, .. } if method == "workspace/applyEdit") {}
    program.send(&json!({"id": 2, "method": "shutdown"}));
    program.send(&json!({"method": "exit"}));
    assert_eq!(program.wait().code(), Some(0));
    let names: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a.py"]);
    assert_eq!(fs::read(root.join("a.py")).unwrap(), b"x = 1\n");
}

#[test]
fn a_file_outside_the_root_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let (root, outside) = (dir.path().join("root"), dir.path().join("secret"));
    fs::create_dir(&root).unwrap();
    fs::write(&outside, "key = 1\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, root.join("link")).unwrap();
    let mut program = Program::started(&root);
    program.open(
        &root,
        "p.fsrb",
        &(edit("link", "key = 2", "y") + &edit(outside.to_str().unwrap(), "key = 2", "y")),
    );
    let findings = program.findings().to_string();
    assert!(findings.contains("unsafe-path") && !findings.contains("key = 1"), "{findings}");
    assert!(!findings.contains("search-not-found"), "{findings}");
}

#[test]
fn a_pending_commit_is_an_obstacle() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "x\n").unwrap();
    fs::create_dir(dir.path().join(".fsrb-txn")).unwrap();
    let mut program = Program::started(dir.path());
    let uri = program.open(dir.path(), "p.fsrb", &edit("a", "x", "y"));
    assert_eq!(program.findings(), json!([]));
    let command = json!({"command": "fsrb.apply", "arguments": [uri]});
    program.send(&json!({"id": 1, "method": "workspace/executeCommand", "params": command}));
    loop {
        if let Incoming::Response { outcome, .. } = program.receive() {
            assert!(outcome.unwrap_err().contains("--recover"));
            break;
        }
    }
}

#[test]
fn it_ends_with_its_client() {
    let dir = tempfile::tempdir().unwrap();
    // Its input ends: without and with a shutdown.
    assert_eq!(Program::started(dir.path()).end().code(), Some(1));
    let mut program = Program::started(dir.path());
    program.send(&json!({"id": 1, "method": "shutdown"}));
    program.receive();
    assert_eq!(program.end().code(), Some(0));
    let mut program = Program::start();
    program.send(&json!({"method": "exit"}));
    assert_eq!(program.wait().code(), Some(1));
    // In the middle of a message.
    let mut program = Program::started(dir.path());
    program.send_bytes(b"Content-Length: 1000\r\n\r\n{");
    assert_eq!(program.end().code(), Some(1));
}

#[test]
fn it_ends_when_nobody_reads() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::started(dir.path());
    let Program { child, input, .. } = &mut program;
    let mut input = input.take().unwrap();
    drop(child.stdout.take());
    // Its output is closed as soon as the reader is gone.
    program.output = BufReader::new(silent());
    let body = json!({"id": 1, "method": "none"}).to_string();
    let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    while input.write_all(message.as_bytes()).is_ok() {}
    assert_eq!(program.wait().code(), Some(1));
}

#[test]
fn it_ends_when_its_client_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    // A client that is gone, while the other end of the server's input stays open.
    let mut client = Command::new(env!("CARGO_BIN_EXE_fsrb-lsp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut program = Program::start();
    program.initialize(dir.path(), client.id());
    client.kill().unwrap();
    client.wait().unwrap();
    assert_eq!(program.wait().code(), Some(1));
}

/// The output of a process that says nothing.
fn silent() -> ChildStdout {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fsrb-lsp"))
        .arg("--help")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.wait().unwrap();
    child.stdout.take().unwrap()
}

#[test]
fn what_is_no_message_ends_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::started(dir.path());
    let rubbish: [&[u8]; 7] = [
        b"Content-Length: 1\r\n\r\n{",
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 4\r\n\r\n\xff\xfe\x00\x00",
        b"Content-Length: ten\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
        b"Content-Length: 3\r\n\r\n{\"id\":9,\"method\":\"none\"}",
        b"Content-Length: 0\r\n\r\n",
    ];
    for bytes in rubbish {
        program.send_bytes(bytes);
        if !bytes.ends_with(b"\n") || bytes.ends_with(b"\n\r\n") {
            let answer = program.receive();
            assert!(matches!(&answer, Incoming::Malformed { .. }), "{answer:?}");
        }
    }
    program.send(&json!({"id": 1, "method": "none"}));
    assert!(matches!(program.receive(), Incoming::Response { id, outcome: Err(_) } if id == json!(1)));
}

#[test]
fn it_says_what_it_is() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_fsrb-lsp"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), !output.stderr.is_empty())
    };
    assert_eq!(
        run(&["--version"]),
        (Some(0), concat!("fsrb-lsp ", env!("CARGO_PKG_VERSION"), "\n").to_owned(), false)
    );
    let (status, help, _) = run(&["--help"]);
    assert!(status == Some(0) && help.contains("Language Server Protocol"));
    assert_eq!(run(&["--none"]), (Some(2), String::new(), true));
    assert_eq!(run(&[]), (Some(1), String::new(), false));
}

#[test]
fn a_document_of_50_megabytes_is_a_document() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.py"), "x = 1\n").unwrap();
    let mut program = Program::started(dir.path());
    let prose = "Some text that is no edit, and so it goes on and on, line after line.\n"
        .repeat(50 * 1024 * 1024 / 70);
    let uri = program.open(dir.path(), "p.md", &(prose + &edit("a.py", "x = 2", "y")));
    let findings = program.findings();
    assert_eq!(findings[0]["code"], json!("search-not-found"));
    let line = findings[0]["range"]["start"]["line"].as_u64().unwrap() + 1;
    let place = json!({"start": {"line": line, "character": 4}, "end": {"line": line, "character": 5}});
    let changes = json!([{"range": place, "text": "1"}]);
    let change = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": changes});
    program.send(&json!({"method": "textDocument/didChange", "params": change}));
    assert_eq!(program.findings(), json!([]));
    let mut rest = Vec::new();
    drop(program.input.take());
    program.output.read_to_end(&mut rest).unwrap();
}
