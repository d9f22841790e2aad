//! The three ways to apply a diff.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use code_parser::apply::commit::CommitOptions;
use code_parser::apply::fs::Root;
use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::parse;
use code_parser::source::Source;
use tempfile::TempDir;

use crate::cases::{Style, Tree};

#[derive(Debug)]
pub(crate) enum Outcome {
    Applied(Tree),
    /// With what was said of it.
    Refused(#[expect(dead_code, reason = "it is printed with a fault")] String),
}

/// Git, deaf to the settings of whoever runs the tests.
pub(crate) fn git_command(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(dir)
        .env("GIT_CEILING_DIRECTORIES", dir.parent().unwrap())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    command
}

fn write(tree: &Tree) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, (text, executable)) in tree {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(if *executable { 0o755 } else { 0o644 }))
            .unwrap();
    }
    dir
}

fn read(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let executable = path.metadata().unwrap().permissions().mode() & 0o100 != 0;
            tree.insert(name, (String::from_utf8(fs::read(&path).unwrap()).unwrap(), executable));
        }
    }
    tree
}

pub(crate) fn ours(before: &Tree, diff: &str) -> Outcome {
    let dir = write(before);
    let source = Source::new(diff).unwrap();
    let root = Root::open(dir.path()).unwrap();
    match Plan::new(&parse(&source, InputKind::Diff).changes(), &root, &Options::default()) {
        Ok(plan) => {
            root.commit(&plan, &CommitOptions::default()).unwrap();
            Outcome::Applied(read(dir.path()))
        }
        Err(refusal) => {
            let errors = refusal.diagnostics.iter().filter(|found| found.is_error());
            Outcome::Refused(errors.map(|found| format!("{}: {}; ", found.code, found.message)).collect())
        }
    }
}

/// What the command prints with `--diff` for a diff that it can apply.
pub(crate) fn printed(before: &Tree, diff: &str) -> String {
    let dir = write(before);
    let mut command = Command::new(env!("CARGO_BIN_EXE_fsrb"));
    command.current_dir(dir.path()).args(["--from", "diff", "--dry-run", "--diff", "-"]);
    let output = feed(&mut command, diff);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn git(before: &Tree, diff: &str, style: Style) -> Outcome {
    let dir = write(before);
    let mut command = git_command(dir.path());
    command.arg("apply");
    if style.context() == 0 {
        command.arg("--unidiff-zero");
    }
    run(&dir, command.arg("-"), diff)
}

/// Without fuzz, and never asking.
pub(crate) fn patch(before: &Tree, diff: &str) -> Outcome {
    let dir = write(before);
    let mut command = Command::new("patch");
    command.current_dir(dir.path()).env_remove("POSIXLY_CORRECT");
    command.args(["-p1", "--force", "--fuzz=0", "--no-backup-if-mismatch", "--reject-file=-", "--binary"]);
    run(&dir, &mut command, diff)
}

fn run(dir: &TempDir, command: &mut Command, diff: &str) -> Outcome {
    let output = feed(command, diff);
    if output.status.success() {
        return Outcome::Applied(read(dir.path()));
    }
    let said = [output.stdout, output.stderr].concat();
    Outcome::Refused(String::from_utf8_lossy(&said).into_owned())
}

fn feed(command: &mut Command, diff: &str) -> Output {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("{command:?} is needed: {error}"));
    // One that refuses early does not read to the end.
    let _ = child.stdin.take().unwrap().write_all(diff.as_bytes());
    child.wait_with_output().unwrap()
}
