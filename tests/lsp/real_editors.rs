//! Real editors, made to use the server without a screen, as the README sets them up. They need not be there, so these
//! tests run when they are asked for: `cargo test --all-features --test lsp -- --ignored`. What is missing then fails.
//!
//! `FSRB_NEOVIM` and `FSRB_EMACS` name other programs than those on the path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use code_parser::apply::commit::CommitOptions;
use code_parser::apply::fs::Root;
use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::parse;
use code_parser::source::Source;

/// The files of the project, in which lines end in every way that there is.
const FILES: [(&str, &str); 7] = [
    ("src/a.py", "# \u{fc}\u{1f600}\nvalue = '\u{fc}\u{1f600}'\nlast = 3\n"),
    ("crlf.txt", "one\r\ntwo \u{1f600}\r\nthree\r\n"),
    ("bom.txt", "\u{feff}one\ntwo\n"),
    ("end.txt", "one\ntwo\n"),
    ("gone.txt", "one\n"),
    ("empty.txt", ""),
    ("cr.txt", "a\rb\nx\ry \u{fc} z\n"),
];

/// A reply whose first block has a wrong end.
const REPLY: &str = "\
Two edits:

src/a.py
<<<<<<< SEARCH
value = '\u{fc}\u{1f600}'
=======
value = 2
>>>>>>> REPLACE \u{fc}\u{1f600}!

new.py
<<<<<<< SEARCH
=======
\u{1f600} = 1
>>>>>>> REPLACE
";

/// Edits of all kinds, with nothing wrong.
const ALL: &str = "\
diff --git a/crlf.txt b/crlf.txt
--- a/crlf.txt
+++ b/crlf.txt
@@ -1,3 +1,4 @@
 one
-two \u{1f600}
+2 \u{fc}
+2.5
 three
diff --git a/bom.txt b/bom.txt
--- a/bom.txt
+++ b/bom.txt
@@ -1,2 +1,2 @@
-one
+\u{1f600}
 two
diff --git a/end.txt b/end.txt
--- a/end.txt
+++ b/end.txt
@@ -2 +2,2 @@
 two
+three
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-one
diff --git a/empty.txt b/empty.txt
--- a/empty.txt
+++ b/empty.txt
@@ -0,0 +1 @@
+full
diff --git a/cr.txt b/cr.txt
--- a/cr.txt
+++ b/cr.txt
@@ -1,2 +1,2 @@
 a\rb
-x\ry \u{fc} z
+x \u{1f600} z
diff --git a/src/file.txt b/src/file.txt
new file mode 100644
--- /dev/null
+++ b/src/file.txt
@@ -0,0 +1,2 @@
+one
+two
";

/// What an editor can do for a server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ability {
    /// Change files, make them and delete them.
    Everything,
    /// Only change them.
    Edits,
}

/// The reply and the diff, as far as the editor can do what they say.
fn inputs(ability: Ability) -> (String, String) {
    if ability == Ability::Everything {
        return (REPLY.to_owned(), ALL.to_owned());
    }
    let made =
        |section: &str| ["gone.txt", "src/file.txt", "crlf.txt"].iter().any(|path| section.starts_with(path));
    let sections = ALL.split("diff --git a/").skip(1).filter(|section| !made(section));
    let diff = sections.map(|section| format!("diff --git a/{section}")).collect();
    (REPLY.split("\nnew.py").next().unwrap().to_owned(), diff)
}

fn make(root: &Path, ability: Ability) {
    let (reply, diff) = inputs(ability);
    for (path, text) in FILES.iter().chain(&[("reply.md", reply.as_str()), ("all.diff", diff.as_str())]) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // Where the project ends.
    assert!(Command::new("git").args(["init", "--quiet"]).current_dir(root).status().unwrap().success());
}

/// What the command makes of the project with both inputs, the reply mended.
fn expected(ability: Ability) -> BTreeMap<PathBuf, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path(), ability);
    let (reply, diff) = inputs(ability);
    let mended = reply.replace(">>>>>>> REPLACE \u{fc}\u{1f600}!", ">>>>>>> REPLACE");
    for (text, kind) in [(mended.as_str(), InputKind::Response), (diff.as_str(), InputKind::Diff)] {
        let root = Root::open(dir.path()).unwrap();
        let source = Source::new(text).unwrap();
        let plan = Plan::new(&parse(&source, kind).changes(), &root, &Options::default()).unwrap();
        root.commit(&plan, &CommitOptions::default()).unwrap();
    }
    fs::write(dir.path().join("reply.md"), mended).unwrap();
    tree(dir.path())
}

fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with(".git") {
                folders.push(path);
            } else if path.is_file() {
                files.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// The setup that the README gives under a heading, in a language.
fn setup<'l>(heading: &str, language: &'l str) -> (&'l str, String) {
    let readme = include_str!("../../README.md");
    let section = readme.split(heading).nth(1).unwrap_or_else(|| panic!("the README lacks {heading}"));
    let opener = format!("```{language}\n");
    let code =
        section.split(opener.as_str()).nth(1).unwrap_or_else(|| panic!("no {language} under {heading}"));
    (language, code.split("```").next().unwrap().to_owned())
}

/// Runs an editor in a project of its own, with its setup in a file, and looks at what it leaves.
fn run(program: &str, arguments: &[&str], (language, setup): (&str, String), ability: Ability) {
    let (project, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    make(project.path(), ability);
    let file = home.path().join("setup").with_extension(language);
    fs::write(&file, setup).unwrap();
    let server = Path::new(env!("CARGO_BIN_EXE_fsrb-lsp")).parent().unwrap();
    let path = env::var_os("PATH").unwrap();
    let path = env::join_paths([server.to_owned()].into_iter().chain(env::split_paths(&path))).unwrap();
    let limit = ["120", program]; // an editor that waits for a key would wait for ever
    let output = Command::new("timeout")
        .args(limit)
        .args(arguments)
        .stdin(Stdio::null())
        .current_dir(project.path())
        .env("PATH", path)
        .env("HOME", home.path())
        .env("LC_ALL", "C.UTF-8")
        .env("FSRB_SETUP", &file)
        .output()
        .unwrap_or_else(|error| panic!("{program} cannot be run: {error}"));
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("everything was as it should be"), "{program}: {said}");
    let shown = |tree: BTreeMap<PathBuf, Vec<u8>>| -> BTreeMap<PathBuf, String> {
        tree.into_iter().map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned())).collect()
    };
    assert_eq!(shown(tree(project.path())), shown(expected(ability)), "{program}");
}

fn neovim(heading: &str) {
    let program = env::var("FSRB_NEOVIM").unwrap_or_else(|_| "nvim".to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/editors/neovim.lua");
    run(&program, &["--headless", "--clean", "-S", script], setup(heading, "lua"), Ability::Everything);
}

#[test]
#[ignore = "wants Neovim"]
fn neovim_of_any_age() {
    neovim("Neovim before 0.11");
}

#[test]
#[ignore = "wants Neovim 0.11"]
fn neovim_since_0_11() {
    neovim("Neovim 0.11");
}

#[test]
#[ignore = "wants Emacs with eglot"]
fn emacs() {
    let program = env::var("FSRB_EMACS").unwrap_or_else(|_| "emacs".to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/editors/emacs.el");
    run(&program, &["--batch", "--load", script], setup("### Emacs", "elisp"), Ability::Edits);
}
