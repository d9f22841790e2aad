//! [`CodeParserError`].

use std::io;

use thiserror::Error;

use crate::rel_path::PathError;

/// The result of the functions of [`CodeParser`](super::CodeParser).
pub type Result<T> = std::result::Result<T, CodeParserError>;

/// Why a function of [`CodeParser`](super::CodeParser) failed.
///
/// A `file` is untrusted text as the input has it; its characters are escaped where the error is displayed.
///
/// ```
/// use code_parser::CodeParserError;
///
/// let error = CodeParserError::SearchNotFound { file: "a\u{1b}.rs".to_owned() };
/// assert_eq!(error.to_string(), r#"the search text is not found in "a\u{1b}.rs""#);
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CodeParserError {
    /// A path leads outside the base directory: absolute, a home directory, `..`. It says how.
    #[error("the path leads outside the base directory: {0}")]
    PathTraversal(String),
    /// A path is refused for another reason, which it says.
    #[error("the file name is not valid: {0}")]
    InvalidFilename(String),
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text to find is not in the file.
    #[error("the search text is not found in {file:?}")]
    SearchNotFound {
        /// The file.
        file: String,
    },
    /// The text to find is in the file more than once.
    #[error("the edit is ambiguous: its search text is found {count} times in {file:?}")]
    AmbiguousEdit {
        /// The file.
        file: String,
        /// How many times.
        count: usize,
    },
    /// An edit has neither a text to find nor one to put in its place.
    #[error("the edit of {file:?} has no text")]
    EmptyEdit {
        /// The file.
        file: String,
    },
    /// A diff cannot be read; it says why.
    #[error("the patch is not valid: {0}")]
    InvalidPatch(String),
    /// A hunk fits no place in the file, or more than one.
    #[error("hunk {hunk} does not apply to {file:?}")]
    PatchConflict {
        /// The file.
        file: String,
        /// The hunk, from 1.
        hunk: usize,
    },
}

impl From<PathError> for CodeParserError {
    fn from(error: PathError) -> Self {
        let why = error.to_string();
        if error.leads_outside() { Self::PathTraversal(why) } else { Self::InvalidFilename(why) }
    }
}

#[cfg(test)]
mod tests {
    use super::CodeParserError;
    use crate::code_parser::CodeParser;

    #[test]
    fn paths_that_lead_outside_are_told_from_the_rest() {
        for outside in ["/x", "\\x", "\\\\server\\share", "C:\\x", "c:x", "~/x", "~", "..", "a/../b", "..\\x"]
        {
            let error = CodeParser::sanitize_filename(outside).unwrap_err();
            assert!(matches!(error, CodeParserError::PathTraversal(_)), "{outside}: {error}");
        }
        for invalid in ["", " ", "a/", ".git/x", "a\0", "a.txt:b", "http://x", "...", "a\u{200b}"] {
            let error = CodeParser::sanitize_filename(invalid).unwrap_err();
            assert!(matches!(error, CodeParserError::InvalidFilename(_)), "{invalid:?}: {error}");
        }
    }

    #[test]
    fn texts_say_what_happened_and_hold_no_raw_name() {
        let file = || "a\n\u{202e}b".to_owned();
        let shown = r#""a\n\u{202e}b""#;
        let cases = [
            (CodeParserError::SearchNotFound { file: file() }, "not found"),
            (CodeParserError::AmbiguousEdit { file: file(), count: 2 }, "ambiguous"),
            (CodeParserError::PatchConflict { file: file(), hunk: 1 }, "does not apply"),
        ];
        for (error, text) in cases {
            let message = error.to_string();
            assert!(message.contains(text) && message.ends_with(shown), "{message}");
        }
    }
}
