//! What a text holds, with the place of every part.
//!
//! Nodes have no lifetime and hold no text of their own: every part is a [`Span`] of the [`Source`], and a string
//! is made only when somebody asks. Children lie inside their parents; siblings are in source order and disjoint.

mod file_patch;
mod hunk;
mod text;

pub use file_patch::{ExtendedHeader, FileName, FileOperation, FilePatch, GitLine, HeaderKind};
pub use hunk::{Extent, Hunk, HunkHeader, HunkLine, HunkRange, LineEnding, LineKind};
pub use text::Text;

use std::borrow::Cow;

use crate::language;
use crate::source::{Source, Span};

/// How an input is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum InputKind {
    /// A patch file as in fsrb(1): SEARCH/REPLACE blocks, exact, every fault an error.
    Fsrb,
    /// A whole reply of a model: all four shapes among prose.
    Response,
    /// Unified diffs, with or without prose and fences around them.
    Diff,
}

impl InputKind {
    /// `fsrb`, `response` or `diff`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fsrb => "fsrb",
            Self::Response => "response",
            Self::Diff => "diff",
        }
    }
}

/// What an input holds, in source order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Document {
    /// How the input was read.
    pub kind: InputKind,
    /// The nodes, in source order and disjoint. What no node covers is prose.
    pub nodes: Vec<Node>,
}

impl Document {
    /// The nodes that change a file, in source order: the order in which they are applied and counted.
    ///
    /// A code block counts where it is the content of a file; one that wraps edit blocks or a diff gives those
    /// instead. Narration does not count, and of an input read as diffs only the file patches do.
    #[must_use]
    pub fn changes(&self) -> Vec<&Node> {
        let mut edits = self.edits();
        edits.retain(|node| self.is_read(node));
        edits
    }

    /// The nodes that would change a file if the input were read as a reply.
    pub(crate) fn edits(&self) -> Vec<&Node> {
        let mut edits = Vec::new();
        for node in &self.nodes {
            match node {
                Node::CodeBlock(block) => match block.role {
                    BlockRole::Edits | BlockRole::Diff => edits.extend(&block.children),
                    BlockRole::File if block.path.is_some() => edits.push(node),
                    BlockRole::File | BlockRole::Narration => {}
                },
                Node::InlineEdit(edit) if edit.narration => {}
                _ => edits.push(node),
            }
        }
        edits
    }

    /// Whether a node changes a file in an input of this kind.
    pub(crate) fn is_read(&self, node: &Node) -> bool {
        self.kind != InputKind::Diff || matches!(node, Node::FilePatch(_))
    }
}

/// One thing that a text holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = "kind", rename_all = "snake_case"))]
pub enum Node {
    /// A fenced code block; it may hold edit blocks or file patches.
    CodeBlock(CodeBlock),
    /// A SEARCH/REPLACE block.
    SearchReplace(SearchReplace),
    /// A sentence that says which text to replace with which.
    InlineEdit(InlineEdit),
    /// The part of a unified diff that concerns one file.
    FilePatch(Box<FilePatch>),
}

impl Node {
    /// From the node's first byte to the last byte of its last line, line ending not included.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::CodeBlock(node) => node.span,
            Self::SearchReplace(node) => node.span,
            Self::InlineEdit(node) => node.span,
            Self::FilePatch(node) => node.span,
        }
    }
}

/// A path as the input has it, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PathRef {
    /// The path, decoration removed. An inherited path's span lies at an earlier block.
    pub span: Span,
    /// How it was found.
    pub from: PathSource,
}

/// How the path of a node was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum PathSource {
    /// A path line above a SEARCH/REPLACE block, or the path in a sentence.
    Header,
    /// The fence's info string.
    Info,
    /// A comment on the block's first line.
    Comment,
    /// The prose above.
    Prose,
    /// The block before.
    Inherited,
}

/// A fenced code block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CodeBlock {
    /// From the opening fence's first character to the end of the closing fence's line (or of the input's last).
    pub span: Span,
    /// The run of backticks or tildes that opens the block.
    pub opener: Span,
    /// The info string, white space at its ends cut; empty at the end of the run where there is none.
    pub info: Span,
    /// The language as the info string names it.
    pub language: Option<Span>,
    /// The file that the block is, if it says so.
    pub path: Option<PathRef>,
    /// The content: fence indentation removed, blank lines at both ends dropped.
    pub content: Text,
    /// All between the two fence lines, as it stands.
    pub body: Span,
    /// How the block ends.
    pub end: BlockEnd,
    /// What the block is for.
    pub role: BlockRole,
    /// Edit blocks and file patches inside.
    pub children: Vec<Node>,
}

impl CodeBlock {
    /// The tag of its language: the info string's, in lower case, else the one of its file's name, else `text`.
    #[must_use]
    pub fn language_tag(&self, source: &Source<'_>) -> Cow<'static, str> {
        match (self.language, self.path) {
            (Some(span), _) => Cow::Owned(source.slice(span).to_lowercase()),
            (None, Some(path)) => Cow::Borrowed(language::infer(source.slice(path.span))),
            (None, None) => Cow::Borrowed("text"),
        }
    }

    /// Whether its closing fence was found and surely is the one.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        matches!(self.end, BlockEnd::Closed(_))
    }
}

/// How a code block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum BlockEnd {
    /// At the closing fence.
    Closed(Span),
    /// At this fence, which might as well open or close a block inside.
    Ambiguous(Span),
    /// At the end of the input: the closing fence is missing.
    Missing,
}

/// What a code block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum BlockRole {
    /// The content of a file, where it has a path.
    File,
    /// A wrapper around SEARCH/REPLACE blocks.
    Edits,
    /// A diff, applied as patches and never written as content.
    Diff,
    /// It repeats an edit that the same reply gives exactly.
    Narration,
}

/// A SEARCH/REPLACE block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SearchReplace {
    /// From the SEARCH marker to the end of the REPLACE marker's line, or of the last line read.
    pub span: Span,
    /// The file to change.
    pub path: Option<PathRef>,
    /// The `<<<<<<< SEARCH` marker.
    pub search_marker: Span,
    /// The `=======` marker.
    pub separator: Option<Span>,
    /// The `>>>>>>> REPLACE` marker.
    pub replace_marker: Option<Span>,
    /// The lines to find.
    pub search: Text,
    /// The lines to put in their place.
    pub replace: Text,
    /// Every backslash that escapes a marker line.
    pub escapes: Vec<Span>,
    /// Whether the block was read whole and without fault: only then may it be applied.
    pub complete: bool,
}

/// A sentence that says which text to replace with which.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InlineEdit {
    /// From the sentence's first word to the end of the last of its parts, its closing quote or emphasis included; the
    /// full stop and what is said behind the order are not in it.
    pub span: Span,
    /// The file to change.
    pub path: PathRef,
    /// The text to find, without its quotes.
    pub old: Span,
    /// The text to put in its place, without its quotes.
    pub new: Span,
    /// Whether it only tells of an edit that the same reply gives exactly, so that it is not applied.
    pub narration: bool,
}
