//! A directory with a root and something beside it, and the two ways to apply a reply there.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use code_parser::apply::commit::CommitOptions;
use code_parser::apply::fs::Root;
use code_parser::apply::plan::{Options, Plan};
use code_parser::apply::report::Outcome;
use code_parser::ast::InputKind;
use code_parser::diagnostic::{Diagnostic, Severity};
use code_parser::parse;
use code_parser::source::Source;
use tempfile::TempDir;

use crate::tree::Tree;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    File(Vec<u8>, u32),
    Link(PathBuf),
    Folder(u32),
}

/// Everything in the directory, the root and what is beside it, by path.
pub(crate) type Snapshot = BTreeMap<String, Entry>;

/// A diagnostic, with the first and last line of its place.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) code: String,
    pub(crate) lines: Option<(usize, usize)>,
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) is_applied: bool,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) struct Disk {
    dir: TempDir,
}

/// What is in every root beside the files of the tree, and never changes.
pub(crate) const FIXTURES: &[&str] =
    &["blob.bin", "out", "up", "dangling", "loop", ".git", ".git/hooks", ".git/config"];

impl Disk {
    pub(crate) fn new(tree: &Tree) -> Self {
        let disk = Self { dir: tempfile::tempdir().unwrap() };
        let (root, beside) = (disk.root(), disk.dir.path().join("beside"));
        fs::create_dir_all(root.join(".git/hooks")).unwrap();
        fs::create_dir(&beside).unwrap();
        fs::write(beside.join("sentinel"), "kept\n").unwrap();
        fs::write(root.join(".git/config"), "kept\n").unwrap();
        fs::write(root.join("blob.bin"), b"\xff\0kept").unwrap();
        symlink("../beside", root.join("out")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        for (index, (path, text)) in tree.iter().enumerate() {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text.bytes()).unwrap();
            let mode = if index % 3 == 1 { 0o755 } else { 0o640 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        disk
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::new();
        walk(self.dir.path(), "", &mut snapshot);
        snapshot
    }

    /// Through the library.
    pub(crate) fn apply(&self, kind: InputKind, reply: &str) -> Run {
        let source = Source::new(reply).unwrap();
        let root = Root::open(&self.root()).unwrap();
        let (is_applied, diagnostics) =
            match Plan::new(&parse(&source, kind).changes(), &root, &Options::default()) {
                Ok(plan) => match root.commit(&plan, &CommitOptions::default()) {
                    Ok(report) => (report.outcome == Outcome::Applied, report.diagnostics),
                    Err(error) => panic!("the commit failed: {error}"),
                },
                Err(refusal) => (false, refusal.diagnostics),
            };
        Run { is_applied, findings: diagnostics.iter().map(|found| finding(&source, found)).collect() }
    }

    /// Through the command.
    pub(crate) fn command(&self, kind: InputKind, reply: &[u8]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fsrb"));
        let kind = match kind {
            InputKind::Fsrb => "fsrb",
            InputKind::Response => "response",
            _ => "diff",
        };
        command.current_dir(self.root()).args(["--from", kind, "--format", "json", "-"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // It may refuse before it has read everything; what it prints is short.
        let _ = child.stdin.take().unwrap().write_all(reply);
        let output = child.wait_with_output().unwrap();
        let report: serde_json::Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let outcome = report["outcome"].as_str().unwrap();
        match (outcome, output.status.code()) {
            ("applied", Some(0)) | ("refused", Some(1)) => {}
            other => panic!("outcome and exit status {other:?}"),
        }
        let findings = report["diagnostics"].as_array().unwrap().iter().map(printed).collect();
        Run { is_applied: outcome == "applied", findings }
    }
}

fn finding(source: &Source<'_>, found: &Diagnostic) -> Finding {
    let line = |offset: u32| source.position(offset).line as usize;
    Finding {
        severity: found.severity,
        code: found.code.as_str().to_owned(),
        lines: found.span.map(|span| (line(span.start), line(span.end))),
    }
}

fn printed(found: &serde_json::Value) -> Finding {
    let line = |end: &str| usize::try_from(found["span"][end]["line"].as_u64().unwrap()).unwrap();
    Finding {
        severity: match found["severity"].as_str().unwrap() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Note,
        },
        code: found["code"].as_str().unwrap().to_owned(),
        lines: (!found["span"].is_null()).then(|| (line("start"), line("end"))),
    }
}

fn walk(dir: &Path, prefix: &str, snapshot: &mut Snapshot) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let metadata = entry.metadata().unwrap();
        let mode = metadata.permissions().mode() & 0o7777;
        let what = if metadata.is_symlink() {
            Entry::Link(fs::read_link(entry.path()).unwrap())
        } else if metadata.is_dir() {
            walk(&entry.path(), &format!("{path}/"), snapshot);
            Entry::Folder(mode)
        } else {
            Entry::File(fs::read(entry.path()).unwrap(), mode)
        };
        snapshot.insert(path, what);
    }
}
