//! [`Change`]: one operation on one file, the only thing that the applier takes.
//!
//! AST nodes lower to it with the spans they came from, values of the `CodeParser` API without.

use std::borrow::Cow;

use crate::ast::{InputKind, LineKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The operations of one input, in source order, with what parsing found.
#[derive(Debug, Clone, Default)]
pub struct Changes<'a> {
    /// The operations; the first is block 1 of the diagnostics.
    pub list: Vec<Change<'a>>,
    /// What parsing found. An error here refuses the plan, with keep-going the file of its block.
    pub diagnostics: Vec<Diagnostic>,
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
}

/// The part of a diff that concerns one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch<'a> {
    /// The name of the old file; `None` for `/dev/null`.
    pub old: Option<Cow<'a, str>>,
    /// The name of the new file; `None` for `/dev/null`.
    pub new: Option<Cow<'a, str>>,
    /// The hunks, in order.
    pub hunks: Vec<PatchHunk<'a>>,
}

/// One hunk of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchHunk<'a> {
    /// The lines.
    pub lines: Vec<(LineKind, Cow<'a, str>)>,
}
impl<'a> Patch<'a> {
    pub(crate) fn from_ast(_p: &crate::ast::FilePatch, _s: &crate::source::Source<'a>) -> Self {
        Self::default()
    }
}
