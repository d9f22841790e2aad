//! [`CodeParser`]: parsing and applying as plain functions over plain values.
//!
//! A façade without rules of its own: what it says of a path, a block or an edit is what the rest of the crate says.

#[cfg(feature = "fs")]
mod apply;
mod edit;
mod error;
mod parse;
mod patch;
#[cfg(feature = "fs")]
mod report;
mod types;

pub use error::{CodeParserError, Result};
#[cfg(feature = "fs")]
pub use report::{ApplyEntry, ApplyOptions, ApplyReport, ApplyStatus};
pub use types::{CodeBlock, EditInstruction, FilePatch, Hunk, HunkLine};

use crate::language;
use crate::rel_path::RelPath;

/// The functions of this interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeParser;

impl CodeParser {
    /// The language tag of a file, by its name or extension; `"text"` for one that is not known.
    ///
    /// ```
    /// use code_parser::CodeParser;
    ///
    /// assert_eq!(CodeParser::infer_language("src/main.rs"), "rust");
    /// assert_eq!(CodeParser::infer_language("Makefile"), "makefile");
    /// assert_eq!(CodeParser::infer_language("notes"), "text");
    /// ```
    #[must_use]
    pub fn infer_language(filename: &str) -> String {
        language::infer(filename).to_owned()
    }

    /// Checks an untrusted relative path and brings it into normal form: `/` between components, no `.` component.
    ///
    /// ```
    /// use code_parser::{CodeParser, CodeParserError};
    ///
    /// assert_eq!(CodeParser::sanitize_filename("./src\\a//b.rs")?, "src/a/b.rs");
    /// let outside = CodeParser::sanitize_filename("src/../../x");
    /// assert!(matches!(outside, Err(CodeParserError::PathTraversal(_))));
    /// let reserved = CodeParser::sanitize_filename(".git/hooks/pre-commit");
    /// assert!(matches!(reserved, Err(CodeParserError::InvalidFilename(_))));
    /// # Ok::<(), CodeParserError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CodeParserError::PathTraversal`] for a path that leads outside (absolute, with a drive, `~`, `..`),
    /// [`CodeParserError::InvalidFilename`] for any other that [`RelPath::new`] refuses.
    pub fn sanitize_filename(filename: &str) -> Result<String> {
        Ok(RelPath::new(filename)?.into_string())
    }
}
