//! The hunks of a file's section of a unified diff.

use crate::source::{Span, Spanned, offset};

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Hunk {
    /// From the `@@` to the end of the hunk's last line.
    pub span: Span,
    /// The `@@` line.
    pub header: HunkHeader,
    /// All lines that can be the hunk's.
    pub lines: Vec<HunkLine>,
    /// How many of them are.
    pub extent: Extent,
    /// The lines that start with `\`: the line before each has no line ending in its file.
    pub no_newline_markers: Vec<Span>,
}

impl Hunk {
    /// The number of context and removed lines.
    #[must_use]
    pub fn old_lines(&self) -> u32 {
        offset(self.lines.iter().filter(|line| line.kind != LineKind::Added).count())
    }

    /// The number of context and added lines.
    #[must_use]
    pub fn new_lines(&self) -> u32 {
        offset(self.lines.iter().filter(|line| line.kind != LineKind::Removed).count())
    }
}

/// How many of a hunk's lines are known to be its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Extent {
    /// The header's counts fit: all.
    #[default]
    Counted,
    /// The header's counts fit a beginning of this many lines, and yet more lines follow: the file decides.
    Beginning(u32),
    /// The header's counts fit nothing, or there are none: all, perhaps without the blank lines at the end.
    Unknown,
}

/// The `@@` line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HunkHeader {
    /// The line.
    pub span: Span,
    /// The lines of the old and of the new file; `None` where the line has no readable numbers.
    pub ranges: Option<(HunkRange, HunkRange)>,
    /// The text behind the numbers, such as the function that the hunk is in; empty where there is none.
    pub section: Span,
    /// How the line ends in the diff.
    pub ending: LineEnding,
}

/// A range of lines as a hunk header writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HunkRange {
    /// The first line from 1; the line before the range where its count is 0.
    pub start: Spanned<u32>,
    /// How many lines; `None` is written for 1.
    pub count: Option<Spanned<u32>>,
}

impl HunkRange {
    /// How many lines.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.count.map_or(1, |count| count.value)
    }

    /// Whether it holds no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HunkLine {
    /// The line's text, without the sign and the line ending.
    pub text: Span,
    /// What the line does.
    pub kind: LineKind,
    /// Whether its sign stands before the text; a blank context line may have lost it.
    pub signed: bool,
    /// How the line ends in the diff.
    pub ending: LineEnding,
    /// Whether a line that starts with `\` follows: it has no line ending in its file.
    pub no_newline: bool,
}

impl HunkLine {
    /// The line with its sign, without its ending.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.text.start - u32::from(self.signed), self.text.end)
    }
}

/// How a line of a diff ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum LineEnding {
    /// With LF.
    Lf,
    /// With CRLF.
    CrLf,
    /// With neither: the text ends there, or it is not known.
    #[default]
    None,
}

/// What a line of a hunk does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum LineKind {
    /// Stands in both files.
    Context,
    /// Stands in the new file only.
    Added,
    /// Stands in the old file only.
    Removed,
}
