//! [`Change`]: one operation on one file, the only thing that the applier takes.
//!
//! AST nodes lower to it with the spans they came from, values of the `CodeParser` API without.

use std::borrow::Cow;

use crate::ast::{
    Extent, FileName, FileOperation, FilePatch, Hunk, HunkLine, InputKind, LineEnding, LineKind,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};

/// The operations of one input, in source order, with what parsing found.
#[derive(Debug, Clone, Default)]
pub struct Changes<'a> {
    /// The operations; the first is block 1 of the diagnostics.
    pub list: Vec<Change<'a>>,
    /// What parsing found. An error here refuses the plan, with keep-going the file of its block.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the places of the operations lie in; `None` for values that came from no text.
    pub text: Option<&'a str>,
}

/// One operation on one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<'a> {
    /// The file as the input names it, unchecked; for a file patch that renames, the new name. `None` where the
    /// input names none, which parsing has reported.
    pub path: Option<Cow<'a, str>>,
    /// What to do.
    pub operation: Operation<'a>,
    /// Which rules hold: exact ones or those for a model's reply.
    pub kind: InputKind,
    /// Where it came from; `None` for values that came from no text.
    pub origin: Option<Origin>,
}

/// Where in the input a change stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The whole of it.
    pub span: Span,
    /// What a diagnostic about the whole underlines: the SEARCH marker, the sentence, the opening fence, the header.
    pub anchor: Span,
    /// The path.
    pub path: Option<Span>,
    /// The texts of an edit.
    pub texts: Texts,
    /// How many spaces stand before each of its lines, for the fence around it is indented.
    pub indent: u32,
    /// What its lines end in.
    pub ending: LineEnding,
}

/// Where in the input the two texts of an edit stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Texts {
    /// It has none, or they are in its hunks.
    #[default]
    None,
    /// In the sections of a block: whole lines with their endings.
    Sections {
        /// The lines to find.
        search: Span,
        /// The lines to put in their place.
        replace: Span,
    },
    /// In the quotes of a sentence, which are not included.
    Quoted {
        /// The text to find.
        old: Span,
        /// The text to put in its place.
        new: Span,
    },
}

/// What a change does to its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation<'a> {
    /// Replaces a text that occurs exactly once, or creates or appends where `search` is `None`.
    Edit {
        /// The text to find, lines joined by LF without a final one; `None` for no line at all.
        search: Option<Cow<'a, str>>,
        /// The text to put in its place; `None` for no line at all.
        replace: Option<Cow<'a, str>>,
    },
    /// Makes this the whole content of the file.
    Write {
        /// The content, lines joined by LF without a final one; `""` is an empty block.
        content: Cow<'a, str>,
    },
    /// Applies the part of a diff that concerns one file.
    Patch(Patch<'a>),
    /// Does nothing and keeps its file from being written: the node was not read whole, and parsing has said why.
    Broken,
}

/// The part of a diff that concerns one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch<'a> {
    /// Who wrote it: in git's diffs, renames and copies take their source as it was before the diff.
    pub dialect: Dialect,
    /// The old file.
    pub old: PatchSide<'a>,
    /// The new file.
    pub new: PatchSide<'a>,
    /// What its headers say that it does; a plain diff may leave that to which of its files exist.
    pub declared: FileOperation,
    /// Whether the file becomes executable or ceases to be; `None` says nothing of it.
    pub executable: Option<bool>,
    /// The hunks, in order.
    pub hunks: Vec<PatchHunk<'a>>,
    /// Why it cannot be applied whatever the files are, which parsing has reported.
    pub fault: Option<Code>,
}

/// Who wrote a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// Anybody: the file's section has no `diff --git` line.
    #[default]
    Plain,
    /// Git.
    Git,
}

/// One of the two files of a patch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PatchSide<'a> {
    /// The patch does not say.
    #[default]
    Unnamed,
    /// There is none: `/dev/null`.
    NoFile,
    /// This one.
    File(PatchName<'a>),
}

impl<'a> PatchSide<'a> {
    /// The file's name, if there is one.
    #[must_use]
    pub fn name(&self) -> Option<&PatchName<'a>> {
        match self {
            Self::File(name) => Some(name),
            Self::Unnamed | Self::NoFile => None,
        }
    }
}

/// The name of a file in a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchName<'a> {
    /// The path, quotes and prefix removed, unchecked.
    pub path: Cow<'a, str>,
    /// Where in the input the name stands.
    pub span: Option<Span>,
    /// The line that it stands on.
    pub line: Option<Span>,
}

/// One hunk of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchHunk<'a> {
    /// The `@@` line in the input.
    pub header: Option<Span>,
    /// How that line ends: CRLF when the whole diff has gone through a system that writes such.
    pub header_ending: LineEnding,
    /// The stated first line in the old file from 1, or the line that the hunk goes after when it has no old line;
    /// `None` where the header has no readable number.
    pub old_start: Option<u32>,
    /// All lines that can be the hunk's.
    pub lines: Vec<PatchLine<'a>>,
    /// How many of them are.
    pub extent: Extent,
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchLine<'a> {
    /// What the line does.
    pub kind: LineKind,
    /// Its text, without sign and line ending.
    pub text: Cow<'a, str>,
    /// How it ends in the diff; `None` where that is not known.
    pub ending: LineEnding,
    /// Whether it has no line ending in its file.
    pub no_newline: bool,
    /// Where in the input the text stands.
    pub span: Option<Span>,
}

impl<'a> Patch<'a> {
    /// The patch of a node.
    #[must_use]
    pub fn from_ast(patch: &FilePatch, source: &Source<'a>) -> Self {
        let dialect = if patch.git.is_some() { Dialect::Git } else { Dialect::Plain };
        let side = |name: Option<FileName>, path: Option<Cow<'a, str>>| match (name, path) {
            (Some(name), Some(path)) => {
                PatchSide::File(PatchName { path, span: Some(name.span), line: Some(name.line) })
            }
            (Some(_), None) => PatchSide::NoFile,
            (None, _) => PatchSide::Unnamed,
        };
        Self {
            dialect,
            old: side(patch.old_name(source), patch.old_path(source)),
            new: side(patch.new_name(source), patch.new_path(source)),
            declared: patch.operation(source),
            executable: patch.executable(source),
            hunks: patch.hunks.iter().map(|hunk| PatchHunk::from_ast(hunk, source)).collect(),
            fault: patch.fault,
        }
    }

    /// The text of every line of every hunk.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| line.text.as_ref())
    }
}

impl<'a> PatchHunk<'a> {
    fn from_ast(hunk: &Hunk, source: &Source<'a>) -> Self {
        let line = |line: &HunkLine| PatchLine {
            kind: line.kind,
            text: Cow::Borrowed(source.slice(line.text)),
            ending: line.ending,
            no_newline: line.no_newline,
            span: Some(line.text),
        };
        Self {
            header: Some(hunk.header.span),
            header_ending: hunk.header.ending,
            old_start: hunk.header.ranges.map(|(old, _)| old.start.value),
            lines: hunk.lines.iter().map(line).collect(),
            extent: hunk.extent,
        }
    }
}
