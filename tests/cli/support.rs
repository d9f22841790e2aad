//! A directory to work in and a way to run the command there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A directory with files.
pub(crate) struct Tree {
    dir: TempDir,
}

impl Tree {
    /// A directory with these files.
    pub(crate) fn new<C: AsRef<[u8]>>(files: &[(&str, C)]) -> Self {
        let tree = Self { dir: TempDir::new().unwrap() };
        for (path, content) in files {
            tree.write(path, content);
        }
        tree
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        String::from_utf8(fs::read(self.join(path)).unwrap()).unwrap()
    }

    /// Every file with its content, by path; a directory without files ends in `/`.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.path(), "", &mut files);
        files
    }

    /// Another directory with the same files.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self { dir: TempDir::new().unwrap() };
        for (path, content) in self.files() {
            copy.write(&path, content);
        }
        copy
    }

    /// The command with these arguments, started in this directory.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fsrb"));
        command.args(args).current_dir(self.path()).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    /// Runs the command in this directory.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        Ran::from(self.command(args).output().unwrap())
    }

    /// Runs the command in this directory with `input` on standard input: `args` hold a `-`.
    pub(crate) fn pipe<A: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = A>,
        input: impl AsRef<[u8]>,
    ) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        // From another thread: the command may write before it has read everything, or never read at all.
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        let _ = writer.join();
        Ran::from(output)
    }
}

fn collect(dir: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    let before = files.len();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else {
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
    if files.len() == before && !prefix.is_empty() {
        files.insert(prefix.to_owned(), Vec::new());
    }
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// The one object on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The codes of its diagnostics.
    pub(crate) fn codes(&self) -> Vec<String> {
        let report = self.json();
        let diagnostics = report["diagnostics"].as_array().unwrap();
        diagnostics.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
    }
}

/// A SEARCH/REPLACE block with a path line; each section is whole lines.
pub(crate) fn block(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}
