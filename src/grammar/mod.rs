//! The grammars: text to lines, lines to nodes.
//!
//! The text is lexed once into line tokens ([`lines`]); block structure is nom over those tokens, and within one
//! line nom works on a `LocatedSpan` ([`input::line_input`]).

pub(crate) mod edits;
pub(crate) mod fence;
pub(crate) mod file_name;
pub(crate) mod foreign;
pub(crate) mod inline;
pub(crate) mod input;
#[cfg(any(test, fuzzing))]
#[path = "../../tests/laws/lines.rs"]
pub(crate) mod line_laws;
pub(crate) mod lines;
pub(crate) mod marker;
mod narration;
pub(crate) mod near_marker;
pub(crate) mod patch_file;
pub(crate) mod response;
pub(crate) mod search_replace;
mod surplus;
pub(crate) mod unified_diff;

use self::lines::{Lines, lex};
use crate::apply::lower::number;
use crate::ast::{Document, InputKind};
use crate::diagnostic::Diagnostic;
use crate::source::Source;

/// What a text holds, and what is wrong with it.
#[derive(Debug, Clone)]
pub struct Parsed<'s> {
    /// The text.
    pub source: &'s Source<'s>,
    /// The nodes.
    pub document: Document,
    /// The findings, in the order of their places in the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a text. It never fails and loses nothing: what is wrong is in the diagnostics, what is no node is prose.
///
/// The same text gives the same result; the time is linear in the text's length, whatever it holds.
#[must_use]
pub fn parse<'s>(source: &'s Source<'s>, kind: InputKind) -> Parsed<'s> {
    let tokens = lex(source.text());
    let lines = Lines::new(source.text(), &tokens);
    let (mut nodes, mut diagnostics) = match kind {
        InputKind::Fsrb => patch_file::document(lines),
        InputKind::Response | InputKind::Diff => response::reply(lines, kind),
    };
    surplus::mark(&mut nodes, &mut diagnostics, (lines, source), kind);
    if kind == InputKind::Response {
        diagnostics.extend(narration::mark(&mut nodes, source));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    let document = Document { kind, nodes };
    number(&document, source, &mut diagnostics);
    Parsed { source, document, diagnostics }
}
