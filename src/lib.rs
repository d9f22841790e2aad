//! Takes the code changes out of an AI model's reply and applies them to a directory tree, all or nothing.
//!
//! # The main road
//!
//! ```text
//! Source::new -> parse -> Parsed::changes -> Plan::new -> Root::commit -> Report
//! ```
//!
//! [`parse`] reads a text in one of three ways ([`ast::InputKind`]): as a patch file, as a model's whole reply, or as
//! diffs. It never fails: it gives a [document](ast::Document) and all [diagnostics](diagnostic::Diagnostic), both with
//! places in the text. [`Plan::new`](apply::plan::Plan::new) folds the [changes](Changes) over
//! [files](apply::files::Files) and writes nothing: it gives the old and the new bytes of every file, or every reason
//! why not. Only `Root::commit` (feature `fs`) writes, everything or nothing.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use code_parser::apply::plan::{Options, Plan};
//! use code_parser::ast::InputKind;
//! use code_parser::source::Source;
//! use code_parser::{RelPath, parse};
//!
//! let reply = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n";
//! let files = BTreeMap::from([(RelPath::new("a.py")?, b"x = 1\r\ny = 1\r\n".to_vec())]);
//! let source = Source::new(reply)?;
//! let parsed = parse(&source, InputKind::Response);
//! let plan = Plan::new(&parsed.changes(), &files, &Options::default()).map_err(|no| format!("{:?}", no.diagnostics))?;
//! let file = &plan.files()[0];
//! assert_eq!(file.path.as_str(), "a.py");
//! assert_eq!(file.new.as_deref().unwrap(), b"x = 2\r\ny = 1\r\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An editor underlines what is wrong and offers to mend it. A [`Span`](source::Span) is in bytes;
//! [`Source::position`](source::Source::position) gives lines and columns from 1, in bytes, characters and UTF-16 units,
//! so that a language server subtracts 1 from both.
//!
//! ```
//! use code_parser::ast::InputKind;
//! use code_parser::parse;
//! use code_parser::source::Source;
//!
//! let text = "a.py\n  <<<<<<< SEARCH 😀\nx = 1\n";
//! let source = Source::new(text)?;
//! let parsed = parse(&source, InputKind::Fsrb);
//! let found = parsed.diagnostics.iter().find(|found| found.suggestion.is_some()).ok_or("no suggestion")?;
//! let span = found.span.ok_or("no place")?;
//! let (start, end) = (source.position(span.start), source.position(span.end));
//! assert_eq!((start.line, start.utf16), (2, 3));
//! assert_eq!((end.column, end.utf16), (19, 20)); // 😀 is one character and two UTF-16 units
//! assert_eq!((found.severity.as_str(), found.code.as_str()), ("warning", "suspicious-marker"));
//!
//! let fix = found.suggestion.as_ref().ok_or("no suggestion")?;
//! let mut mended = text.to_owned();
//! mended.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
//! assert_eq!(mended, "a.py\n  <<<<<<< SEARCH\nx = 1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`CodeParser`] is another way to the same rules: plain functions over plain values, each file on its own.
//! [`print_block`] writes an edit in the form that is read here.
//!
//! # What is guaranteed
//!
//! - No input makes it panic, and the time it takes grows linearly with the input, but where edit blocks and sections of a
//!   diff, or those that fit and those that do not, take turns on one file: each turn costs a pass over that file. The
//!   same input gives the same result.
//! - Reading loses nothing: every line belongs to one node or is prose, and what is wrong has a diagnostic. A node that
//!   was not read whole is never applied.
//! - Spans lie in the source on character boundaries, children in their parents, siblings in order and disjoint.
//! - Text is never matched by similarity: exactly, or with spaces and tabs at the ends of lines ignored. What fits
//!   nowhere or in several places is refused.
//! - Bytes outside an edit do not change: line endings, byte order mark, invalid UTF-8, the missing newline at the end.
//! - Paths are untrusted: a [`RelPath`] cannot lead out of its root, and the only way to make one is the check.
//! - A [code](diagnostic::Code) has one meaning for ever. Messages hold no text of the input; paths and sources do, and
//!   whoever prints them must escape what a terminal would act on.
//!
//! # Limits
//!
//! - A text of 4 GiB or more is refused; files over [`Options::max_file_size`](apply::plan::Options::max_file_size) are.
//! - A text must be UTF-8. Files may be anything; only one that is UTF-8 takes text beyond ASCII.
//! - A commit writes on Unix with handles of directories, so that links swapped while it runs lead nowhere; on other
//!   systems it goes by paths.
//! - While a commit swaps files, another program may see some new and some old ones, each whole.
//!
//! # Features
//!
//! - `fs` (default): [`apply`] to a directory tree. Without it the crate parses and plans and does no I/O.
//! - `serde`: `Serialize` for the document, the diagnostics and the reports.
//! - `diff`: a plan as a unified diff.
//! - `cli`: the command `fsrb`.
//! - `lsp`: the language server `fsrb-lsp`.

pub mod apply;
pub mod ast;
mod code_parser;
pub mod diagnostic;
#[cfg(feature = "diff")]
pub mod diff;
mod edit;
pub mod escape;
pub mod explain;
mod grammar;
pub mod language;
#[cfg(feature = "lsp")]
pub mod lsp;
mod print;
pub mod prompt;
mod rel_path;
pub mod source;

pub use apply::change::Changes;
#[cfg(feature = "fs")]
pub use code_parser::{ApplyEntry, ApplyOptions, ApplyReport, ApplyStatus};
pub use code_parser::{
    CodeBlock, CodeParser, CodeParserError, EditInstruction, FilePatch, Hunk, HunkLine, Result,
};
pub use grammar::{Parsed, parse};
pub use print::{PrintError, Section, Unwritable, print_block};
pub use rel_path::{Edge, PathError, RelPath};

/// What holds for the lexer's tokens of any text, for the fuzz target.
#[cfg(fuzzing)]
#[doc(hidden)]
pub fn check_lines(text: &str) {
    grammar::line_laws::check(text);
}

#[cfg(all(doctest, feature = "fs"))]
#[doc = include_str!("../README.md")]
struct Readme;
