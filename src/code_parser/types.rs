//! What parsing gives: blocks, edits and patches as values that own their text.

use crate::ast::FileOperation;
use crate::grammar::fence;
use crate::grammar::lines::{self, Lines};
use crate::grammar::unified_diff;

/// A fenced code block.
///
/// ```
/// use code_parser::CodeBlock;
///
/// let block = CodeBlock::with_filename("rust", "fn main() {}", "src/main.rs");
/// assert_eq!(block.filename.as_deref(), Some("src/main.rs"));
/// assert!(block.terminated && !block.is_diff());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// The language tag in lower case: as written, else by the file's name, else `"text"`.
    pub language: String,
    /// The lines between the fences, joined by `\n`: fence indentation and blank lines at both ends removed, no final
    /// newline.
    pub content: String,
    /// The file that the block is, as written and unchecked.
    pub filename: Option<String>,
    /// The info string as written, white space at its ends removed; empty for a block that came from no text.
    pub info: String,
    /// Whether the closing fence was found and is the only one that it can be.
    pub terminated: bool,
}

impl CodeBlock {
    /// A block without a file.
    #[must_use]
    pub fn new(language: impl Into<String>, content: impl Into<String>) -> Self {
        Self {
            language: language.into(),
            content: content.into(),
            filename: None,
            info: String::new(),
            terminated: true,
        }
    }

    /// A block that is the whole content of a file.
    #[must_use]
    pub fn with_filename(
        language: impl Into<String>,
        content: impl Into<String>,
        filename: impl Into<String>,
    ) -> Self {
        Self { filename: Some(filename.into()), ..Self::new(language, content) }
    }

    /// Whether it is a diff, which is applied as patches and never written as content: tagged `diff`, `patch` or
    /// `udiff`, or without a tag and with a file header first.
    ///
    /// ```
    /// use code_parser::CodeBlock;
    ///
    /// assert!(CodeBlock::new("diff", "").is_diff());
    /// assert!(CodeBlock::new("text", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b").is_diff());
    /// assert!(!CodeBlock::new("markdown", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b").is_diff());
    /// ```
    #[must_use]
    pub fn is_diff(&self) -> bool {
        let is_tagged = fence::is_diff(&self.language);
        let is_untagged = self.info.is_empty() && matches!(self.language.as_str(), "" | "text");
        is_tagged || (is_untagged && starts_with_file_header(&self.content))
    }
}

/// Whether a diff of a file starts at the first line.
fn starts_with_file_header(content: &str) -> bool {
    // A header is told by its first lines; what follows need not be lexed.
    let head: usize = content.split_inclusive('\n').take(16).map(str::len).sum();
    let head = content.get(..head).unwrap_or("");
    let fits = u32::try_from(head.len()).is_ok();
    fits && unified_diff::starts_file(Lines::new(head, &lines::lex(head)))
}

/// An edit of one file: a SEARCH/REPLACE block or a sentence.
///
/// ```
/// use code_parser::EditInstruction;
///
/// let edit = EditInstruction { file: "a.py".to_owned(), old: "x = 1".to_owned(), new: "x = 2".to_owned() };
/// assert_ne!(edit, EditInstruction { new: String::new(), ..edit.clone() });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditInstruction {
    /// The file to change, as written and unchecked.
    pub file: String,
    /// The text to find: lines joined by `\n`, no final newline; `""` is an empty section, which creates or appends.
    pub old: String,
    /// The text to put in its place, in the same form; `""` is an empty section, which deletes.
    pub new: String,
}

/// The part of a unified diff that concerns one file.
///
/// ```
/// use code_parser::FilePatch;
///
/// let patch = FilePatch { new_path: Some("a.rs".to_owned()), ..FilePatch::default() };
/// assert_eq!(patch.path(), Some("a.rs"));
/// assert!(patch.is_new_file() && !patch.is_deleted());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePatch {
    /// The old file, `a/` removed, unchecked; `None` for a file that the patch creates.
    pub old_path: Option<String>,
    /// The new file, `b/` removed, unchecked; `None` for a file that the patch deletes.
    pub new_path: Option<String>,
    /// What the patch says that it does to the file.
    pub operation: FileOperation,
    /// Whether the file's executable bits are set or cleared; `None` keeps them.
    pub executable: Option<bool>,
    /// The hunks, in the order of the diff.
    pub hunks: Vec<Hunk>,
}

impl FilePatch {
    /// The file concerned: the new name, or the old one of a file that is deleted.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.new_path.as_deref().or(self.old_path.as_deref())
    }

    /// Whether it creates its file.
    #[must_use]
    pub fn is_new_file(&self) -> bool {
        self.old_path.is_none() && self.new_path.is_some()
    }

    /// Whether it deletes its file.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.new_path.is_none() && self.old_path.is_some()
    }
}

/// One hunk of a patch: a stretch of the old file and what becomes of it.
///
/// The numbers are those of the `@@` line, all 0 where it has none; nothing says that they are right.
///
/// ```
/// use code_parser::{Hunk, HunkLine};
///
/// let lines = vec![HunkLine::Removed("a".to_owned()), HunkLine::Added("b".to_owned())];
/// let hunk = Hunk { lines, ..Hunk::default() };
/// assert_eq!(hunk.old_start, 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hunk {
    /// The stated first line in the old file, from 1; 0 where it is not given, or where the old file has no line.
    pub old_start: usize,
    /// The stated number of context and removed lines.
    pub old_lines: usize,
    /// The stated first line in the new file, from 1; 0 where it is not given, or where the new file has no line.
    pub new_start: usize,
    /// The stated number of context and added lines.
    pub new_lines: usize,
    /// The text behind the second `@@`; empty where there is none.
    pub section: String,
    /// The lines.
    pub lines: Vec<HunkLine>,
    /// Whether the last context or removed line ends the old file without a line ending.
    pub old_ends_without_newline: bool,
    /// Whether the last context or added line ends the new file without a line ending.
    pub new_ends_without_newline: bool,
}

/// One line of a hunk: its text without the sign and the line ending.
///
/// Of a hunk in which some lines end in LF and some in CRLF, its `@@` line among them, as in git's diff of a file with CRLF
/// or in one that changes line endings, the CR of a CRLF is the text's last character. A hunk whose lines all end in CRLF
/// has it from the way that it came, and says nothing of the file's endings.
///
/// ```
/// use code_parser::HunkLine;
///
/// assert_eq!(HunkLine::Added("    pass".to_owned()).text(), "    pass");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HunkLine {
    /// Stands in both files.
    Context(String),
    /// Stands in the old file only.
    Removed(String),
    /// Stands in the new file only.
    Added(String),
}

impl HunkLine {
    /// The line's text.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Context(text) | Self::Removed(text) | Self::Added(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CodeBlock, FilePatch};

    #[test]
    fn diff_blocks_are_told_by_tag_or_header() {
        let header = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b";
        let tagged = |tag: &str| CodeBlock::new(tag, "anything").is_diff();
        assert!(tagged("diff") && tagged("Patch") && tagged("udiff") && !tagged("text") && !tagged(""));
        assert!(CodeBlock::new("", header).is_diff());
        assert!(CodeBlock::new("text", "diff --git a/x b/x\nrename from x").is_diff());
        for other in ["--- a/x\n+++ b/x", "\n--- a/x\n+++ b/x\n@@", "--- a\n\n+++ b\n@@", "diff --git"] {
            assert!(!CodeBlock::new("text", other).is_diff(), "{other:?}");
        }
        let long = format!("{header}\n{}", " context\n".repeat(100));
        assert!(CodeBlock::new("text", long).is_diff());
        assert!(!CodeBlock::new("rust", header).is_diff());
        let says_text = CodeBlock { info: "text".to_owned(), ..CodeBlock::new("text", header) };
        assert!(!says_text.is_diff(), "a block that says that it is text is text");
    }

    #[test]
    fn the_target_of_a_patch() {
        let of = |old: Option<&str>, new: Option<&str>| {
            let patch = FilePatch {
                old_path: old.map(str::to_owned),
                new_path: new.map(str::to_owned),
                ..FilePatch::default()
            };
            (patch.path().map(str::to_owned), patch.is_new_file(), patch.is_deleted())
        };
        assert_eq!(of(Some("a"), Some("b")), (Some("b".to_owned()), false, false));
        assert_eq!(of(None, Some("b")), (Some("b".to_owned()), true, false));
        assert_eq!(of(Some("a"), None), (Some("a".to_owned()), false, true));
        assert_eq!(of(None, None), (None, false, false));
    }
}
