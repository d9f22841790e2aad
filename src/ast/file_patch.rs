//! The part of a unified diff that concerns one file.

use crate::source::Span;

/// The part of a unified diff that concerns one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    /// From the first header's first byte to the end of the last line.
    pub span: Span,
    /// The hunks, in source order.
    pub hunks: Vec<Hunk>,
}

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// From the `@@` to the end of the hunk's last line.
    pub span: Span,
    /// The lines.
    pub lines: Vec<HunkLine>,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HunkLine {
    /// What the line does.
    pub kind: LineKind,
    /// The line's text, without the sign and the line ending.
    pub text: Span,
}

/// What a line of a hunk does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Stands in both files.
    Context,
    /// Stands in the new file only.
    Added,
    /// Stands in the old file only.
    Removed,
}
