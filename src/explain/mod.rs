//! What each [`Code`] means, an input that raises it, and how to mend it: one table for `fsrb --explain`, the rules of
//! SARIF, the text for a model, and whoever writes documentation.

mod blocks;
mod commit;
mod diffs;
mod files;
mod remedy;

use std::fmt::Write;

use crate::ast::InputKind;
use crate::diagnostic::{Code, Severity};

pub use self::remedy::{Remedy, Way, cases};

/// What there is to know about a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// What it is, in a few words without a final stop.
    pub title: &'static str,
    /// What it means and why it is reported, in whole sentences.
    pub meaning: &'static str,
    /// How an example comes about.
    pub example: Example,
    /// What to do about it.
    pub remedy: Remedy,
}

/// How a code is raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Example {
    /// By this input.
    Input {
        /// How it is read.
        kind: InputKind,
        /// The files under the root that matter: path and text.
        files: &'static [(&'static str, &'static str)],
        /// The input.
        input: &'static str,
    },
    /// By something outside the input, told in words.
    Situation(&'static str),
}

impl Code {
    /// What the code means, an example, and how to mend it.
    ///
    /// ```
    /// use code_parser::diagnostic::Code;
    ///
    /// let explanation = Code::SearchNotFound.explanation();
    /// assert_eq!(explanation.title, "the SEARCH text is not in the file");
    /// ```
    #[must_use]
    pub fn explanation(self) -> &'static Explanation {
        match self {
            Self::MissingPath => &blocks::MISSING_PATH,
            Self::MissingSeparator => &blocks::MISSING_SEPARATOR,
            Self::UnexpectedMarker => &blocks::UNEXPECTED_MARKER,
            Self::SuspiciousMarker => &blocks::SUSPICIOUS_MARKER,
            Self::UnterminatedBlock => &blocks::UNTERMINATED_BLOCK,
            Self::UnterminatedFence => &blocks::UNTERMINATED_FENCE,
            Self::AmbiguousNesting => &blocks::AMBIGUOUS_NESTING,
            Self::EmptyBlock => &blocks::EMPTY_BLOCK,
            Self::IgnoredText => &blocks::IGNORED_TEXT,
            Self::NoChanges => &blocks::NO_CHANGES,
            Self::NoOp => &blocks::NO_OP,
            Self::SearchNotFound => &blocks::SEARCH_NOT_FOUND,
            Self::AmbiguousMatch => &blocks::AMBIGUOUS_MATCH,
            Self::MidLineMatch => &blocks::MID_LINE_MATCH,
            Self::TrailingSpaceMatch => &blocks::TRAILING_SPACE_MATCH,
            Self::OmissionPlaceholder => &blocks::OMISSION_PLACEHOLDER,
            Self::IgnoredNarration => &blocks::IGNORED_NARRATION,
            Self::MalformedHunk => &diffs::MALFORMED_HUNK,
            Self::MissingHunks => &diffs::MISSING_HUNKS,
            Self::HunkCountMismatch => &diffs::HUNK_COUNT_MISMATCH,
            Self::HunkNotFound => &diffs::HUNK_NOT_FOUND,
            Self::AmbiguousHunk => &diffs::AMBIGUOUS_HUNK,
            Self::OverlappingHunks => &diffs::OVERLAPPING_HUNKS,
            Self::UnsupportedMode => &diffs::UNSUPPORTED_MODE,
            Self::BinaryPatch => &diffs::BINARY_PATCH,
            Self::UnsafePath => &files::UNSAFE_PATH,
            Self::SensitivePath => &files::SENSITIVE_PATH,
            Self::FileNotFound => &files::FILE_NOT_FOUND,
            Self::FileUnreadable => &files::FILE_UNREADABLE,
            Self::NotAFile => &files::NOT_A_FILE,
            Self::NotUtf8 => &files::NOT_UTF8,
            Self::TooLarge => &files::TOO_LARGE,
            Self::ReadOnly => &files::READ_ONLY,
            Self::OwnerNotKept => &files::OWNER_NOT_KEPT,
            Self::MetadataLost => &files::METADATA_LOST,
            Self::HardLink => &files::HARD_LINK,
            Self::OtherFileSystem => &files::OTHER_FILE_SYSTEM,
            Self::CreateExists => &files::CREATE_EXISTS,
            Self::CreateNotFirst => &files::CREATE_NOT_FIRST,
            Self::PathConflict => &files::PATH_CONFLICT,
            Self::ChangedOnDisk => &commit::CHANGED_ON_DISK,
            Self::Busy => &commit::BUSY,
            Self::CommitFailed => &commit::COMMIT_FAILED,
            Self::InterruptedCommit => &commit::INTERRUPTED_COMMIT,
        }
    }
}

impl Explanation {
    /// What to do about it, for a reader who can run the command: all there is.
    #[must_use]
    pub fn mend_for_person(&self) -> &'static str {
        self.remedy.for_person()
    }
}

/// The page on a code, as `fsrb --explain` prints it: lines of plain text, the last one with its ending.
///
/// ```
/// use code_parser::diagnostic::Code;
/// use code_parser::explain;
///
/// let page = explain::page(Code::Busy);
/// assert!(page.starts_with("busy (error): another run is writing in this root\n"));
/// ```
#[must_use]
pub fn page(code: Code) -> String {
    let explanation = code.explanation();
    let mut page = format!("{code} ({}): {}\n", code.severity(), explanation.title);
    let _ = writeln!(page, "\n{}", explanation.meaning);
    match explanation.example {
        Example::Situation(words) => {
            let _ = writeln!(page, "\nExample: {words}");
        }
        Example::Input { kind, files, input } => {
            for (path, text) in files {
                let _ = writeln!(page, "\nExample: the file {path}");
                push_indented(&mut page, text);
            }
            let (article, from) = if files.is_empty() { ("Example: the", kind) } else { ("and the", kind) };
            let _ = writeln!(page, "\n{article} input (--from {})", from.as_str());
            push_indented(&mut page, input);
        }
    }
    let _ = writeln!(page, "\nHow to mend it: {}", explanation.mend_for_person());
    page
}

/// All codes with their severity and title, a line each.
#[must_use]
pub fn list() -> String {
    let width = Code::ALL.iter().map(|code| code.as_str().len()).max().unwrap_or(0);
    let severity = Severity::Warning.as_str().len();
    let mut list = String::new();
    for code in Code::ALL {
        let title = code.explanation().title;
        let _ = writeln!(list, "{:width$}  {:severity$}  {title}", code.as_str(), code.severity().as_str());
    }
    list
}

fn push_indented(page: &mut String, text: &str) {
    page.push('\n');
    for line in text.lines() {
        let _ = match line {
            "" => writeln!(page),
            line => writeln!(page, "    {line}"),
        };
    }
}

#[cfg(test)]
mod tests;
