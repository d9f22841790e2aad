//! A directory that inputs are applied to.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use code_parser::apply::commit::CommitOptions;
use code_parser::apply::fs::Root;
use code_parser::apply::plan::{Options, Plan};
use code_parser::apply::report::{Outcome, Report};
use code_parser::ast::InputKind;
use code_parser::parse;
use code_parser::source::Source;
use tempfile::TempDir;

/// A directory and one beside it that nothing may touch.
#[derive(Debug)]
pub(crate) struct Disk {
    dir: TempDir,
}

impl Disk {
    /// A root with these files, and beside it `out/kept`.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let disk = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(disk.root()).unwrap();
        fs::create_dir(disk.out()).unwrap();
        fs::write(disk.out().join("kept"), "kept\n").unwrap();
        for (path, text) in files {
            disk.write(path, text);
        }
        disk
    }

    pub(crate) fn root(&self) -> std::path::PathBuf {
        self.dir.path().join("root")
    }

    pub(crate) fn out(&self) -> std::path::PathBuf {
        self.dir.path().join("out")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Applies an input; the codes of its errors when it is refused.
    pub(crate) fn apply(&self, kind: InputKind, input: &str) -> Result<Report, Vec<&'static str>> {
        self.apply_with(kind, input, &Options::default())
    }

    pub(crate) fn apply_with(
        &self,
        kind: InputKind,
        input: &str,
        options: &Options,
    ) -> Result<Report, Vec<&'static str>> {
        let source = Source::new(input).unwrap();
        let parsed = parse(&source, kind);
        let root = Root::open(&self.root()).unwrap();
        let before = self.tree();
        match Plan::new(&parsed.changes(), &root, options) {
            Ok(plan) => {
                assert_eq!(self.tree(), before, "a plan writes nothing");
                Ok(root.commit(&plan, &CommitOptions::default()).unwrap())
            }
            Err(refusal) => {
                assert_eq!(self.tree(), before, "a plan writes nothing");
                let errors = refusal.diagnostics.iter().filter(|found| found.is_error());
                Err(errors.map(|found| found.code.as_str()).collect())
            }
        }
    }

    /// The input is applied, and the root then holds exactly this.
    #[track_caller]
    pub(crate) fn gives(&self, kind: InputKind, input: &str, after: &[(&str, &str)]) -> Report {
        let report = self.apply(kind, input).unwrap();
        assert_eq!(report.outcome, Outcome::Applied, "{report:?}");
        self.holds(after);
        report
    }

    /// The input is refused for these codes, and nothing has changed.
    #[track_caller]
    pub(crate) fn refuses(&self, kind: InputKind, input: &str, codes: &[&str]) {
        let before = self.tree();
        assert_eq!(self.apply(kind, input).unwrap_err(), codes);
        assert_eq!(self.tree(), before);
        assert_eq!(fs::read_to_string(self.out().join("kept")).unwrap(), "kept\n");
        assert_eq!(fs::read_dir(self.out()).unwrap().count(), 1);
    }

    /// The root holds exactly this: text of files, `-> target` for a link, `/` for an empty directory.
    #[track_caller]
    pub(crate) fn holds(&self, tree: &[(&str, &str)]) {
        let expected: BTreeMap<_, _> =
            tree.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        assert_eq!(self.tree(), expected);
        assert_eq!(fs::read_to_string(self.out().join("kept")).unwrap(), "kept\n");
        assert_eq!(fs::read_dir(self.out()).unwrap().count(), 1);
    }

    pub(crate) fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        walk(&self.root(), "", &mut tree);
        tree
    }
}

fn walk(dir: &Path, prefix: &str, tree: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        let kind = entry.file_type().unwrap();
        if kind.is_symlink() {
            tree.insert(name, format!("-> {}", fs::read_link(entry.path()).unwrap().display()));
        } else if kind.is_dir() {
            let count = tree.len();
            walk(&entry.path(), &format!("{name}/"), tree);
            if tree.len() == count {
                tree.insert(name, "/".to_owned());
            }
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).unwrap();
            tree.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        } else {
            tree.insert(name, "special".to_owned());
        }
    }
}
