//! Takes the code changes out of an AI model's reply and applies them to a directory tree, all or nothing.

pub mod apply;
pub mod ast;
mod code_parser;
pub mod diagnostic;
mod edit;
mod grammar;
pub mod language;
mod print;
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

#[cfg(all(doctest, feature = "fs"))]
#[doc = include_str!("../README.md")]
struct Readme;
