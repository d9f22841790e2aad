//! Statements about patch files that no other module tests.

use std::io;

use code_parser::apply::files::{Files, LoadError, Loaded};
use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::diagnostic::Code;
use code_parser::source::Source;
use code_parser::{RelPath, parse};

use crate::support::{block, fsrb};

/// A path, `<<<<<<< SEARCH`, the text to find, `=======`, the new text, `>>>>>>> REPLACE`.
#[test]
fn structure() {
    let input = "path/to/target.ext\n<<<<<<< SEARCH\nfind\nthis\n=======\nreplace\nwith\n>>>>>>> REPLACE\n";
    fsrb(&[("path/to/target.ext", "1\nfind\nthis\n2\n")], input)
        .gives(&[("path/to/target.ext", "1\nreplace\nwith\n2\n")])
        .warns(&[])
        .notes(&[]);
}

/// The example of the document, with two files.
#[test]
fn example() {
    let input = "src/config.py\n<<<<<<< SEARCH\nDB_HOST = \"localhost\"\nDB_PORT = 5432\n=======\nDB_HOST = env.get(\"DB_HOST\", \"127.0.0.1\")\nDB_PORT = int(env.get(\"DB_PORT\", 5432))\n>>>>>>> REPLACE\n\nREADME.md\n<<<<<<< SEARCH\nRun the app locally.\n=======\nRun the app locally or via Docker.\n>>>>>>> REPLACE\n";
    let before = [
        ("README.md", "# App\n\nRun the app locally.\n"),
        ("src/config.py", "import env\n\nDB_HOST = \"localhost\"\nDB_PORT = 5432\n"),
    ];
    let after = [
        ("README.md", "# App\n\nRun the app locally or via Docker.\n"),
        (
            "src/config.py",
            "import env\n\nDB_HOST = env.get(\"DB_HOST\", \"127.0.0.1\")\nDB_PORT = int(env.get(\"DB_PORT\", 5432))\n",
        ),
    ];
    fsrb(&before, input)
        .gives(&after)
        .reports(&[("src/config.py", "modified"), ("README.md", "modified")])
        .warns(&[])
        .notes(&[]);
}

/// Where the text stands in the file does not matter.
#[test]
fn line_numbers_do_not_matter() {
    let edit = block("a", "x\n", "y\n");
    for before in [0, 1, 1000] {
        let (lead, trail) = ("l\n".repeat(before), "t\n".repeat(1000 - before));
        fsrb(&[("a", &format!("{lead}x\n{trail}"))], &edit).gives(&[("a", &format!("{lead}y\n{trail}"))]);
    }
}

/// Indentation and line breaks of the SEARCH section must be those of the file.
#[test]
fn white_space_matches_exactly() {
    for text in ["\ta\nb\n", " a\n\nb\n", " a b\n", " a\n b\n", "  a\tb\n"] {
        fsrb(&[("f", text)], &block("f", " a\nb\n", "x\n")).refuses(&[("search-not-found", 2)]);
    }
    fsrb(&[("f", " a\nb\n")], &block("f", " a\nb\n", "\tx\n  y\n")).gives(&[("f", "\tx\n  y\n")]);
}

/// Characters that a pattern would read as operators are plain characters.
#[test]
fn special_characters_are_literal() {
    for text in ["*", "?", "[]", ".", "^a$", "a|b", "(a)", "{1,2}", "\\d+", "+"] {
        let (search, replace) = (format!("{text}\n"), format!("<{text}>\n"));
        fsrb(&[("f", &format!("0\n{text}\nxyz\n"))], &block("f", &search, &replace))
            .gives(&[("f", &format!("0\n<{text}>\nxyz\n"))]);
        fsrb(&[("f", "abc 123 aab\n")], &block("f", &search, "x\n")).refuses(&[("search-not-found", 2)]);
    }
}

/// Every fault of every block of every file is reported at once, and nothing is changed.
#[test]
fn faults_are_reported_together() {
    let input = [
        block("a", "a\n", "A\n"),
        block("a", "none\n", "x\n"),
        block("b", "b\n", "B\n"),
        block("missing", "c\n", "C\n"),
        block("d", "", ""),
        block("../e", "e\n", "E\n"),
    ]
    .concat();
    fsrb(&[("a", "a\n"), ("b", "b\nb\n"), ("d", "d\n")], &input).refuses(&[
        ("search-not-found", 8),
        ("ambiguous-match", 14),
        ("file-not-found", 20),
        ("empty-block", 26),
        ("unsafe-path", 29),
    ]);
}

/// Files of which nothing can be read.
#[derive(Debug)]
struct Unreadable;

impl Files for Unreadable {
    fn load(&self, _: &RelPath, _: u64) -> Result<Loaded, LoadError> {
        Err(LoadError::Unreadable(io::Error::from(io::ErrorKind::PermissionDenied)))
    }
}

/// A file that cannot be read is a fault.
#[test]
fn unreadable_file() {
    let input = block("a", "a\n", "b\n");
    let source = Source::new(&input).unwrap();
    let changes = parse(&source, InputKind::Fsrb).changes();
    let refusal = Plan::new(&changes, &Unreadable, &Options::default()).unwrap_err();
    let codes: Vec<_> = refusal.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::FileUnreadable]);
}

/// Blocks of one file see what the blocks before them did.
#[test]
fn blocks_apply_in_order() {
    let chain = [block("a", "1\n", "2\n"), block("a", "2\n", "3\n")].concat();
    fsrb(&[("a", "1\n")], &chain).gives(&[("a", "3\n")]);
    let doubled = [block("a", "1\n", "2\n"), block("a", "2\n", "3\n")].concat();
    fsrb(&[("a", "1\n2\n")], &doubled).refuses(&[("ambiguous-match", 8)]);
}
