//! The edit that a place of a document belongs to.

use crate::Changes;
use crate::apply::change::{Change, Operation};
use crate::ast::{InputKind, Node};
use crate::grammar::{Parsed, parse};
use crate::source::{Source, Span};

/// A text's edits, and one of them.
pub(super) struct Block<'s> {
    pub(super) changes: Changes<'s>,
    /// Which one, from 0.
    pub(super) index: usize,
    /// From its path, where that stands directly above it, to its end.
    pub(super) span: Span,
}

impl<'s> Block<'s> {
    /// The edit at a byte offset: it lies in the edit, or in the path above it.
    pub(super) fn at(source: &'s Source<'s>, kind: InputKind, at: u32) -> Option<Self> {
        let parsed = parse(source, kind);
        let nodes = parsed.document.changes();
        // The first one that does not end before.
        let index = nodes.partition_point(|node| node.span().end < at);
        let node = nodes.get(index)?.span();
        let changes = parsed.changes();
        let span = span(node, changes.list.get(index)?, previous_end(&nodes, index));
        let around = Span::new(span.start, node.end);
        if at < around.start || node.end < at {
            return None;
        }
        // Between the path and the edit may stand whatever people write.
        let on_path = path(changes.list.get(index)?).is_some_and(|path| path.contains(Span::empty(at)));
        (node.start <= at || on_path).then_some(Self { changes, index, span })
    }

    pub(super) fn change(&self) -> Option<&Change<'s>> {
        self.changes.list.get(self.index)
    }
}

fn previous_end(nodes: &[&Node], index: usize) -> u32 {
    index.checked_sub(1).and_then(|before| nodes.get(before)).map_or(0, |node| node.span().end)
}

/// An edit with its path, unless that stands at or before an earlier edit.
fn span(node: Span, change: &Change<'_>, previous_end: u32) -> Span {
    path(change).filter(|path| path.start >= previous_end).map_or(node, |path| node.to(path))
}

/// Where the path of an edit stands.
pub(super) fn path(change: &Change<'_>) -> Option<Span> {
    change.origin?.path
}

/// Every edit of a document with its span, in order.
pub(super) fn all<'p>(parsed: &'p Parsed<'_>) -> impl Iterator<Item = &'p Node> {
    parsed.document.changes().into_iter()
}

/// What an edit is called in an outline.
pub(super) fn noun(operation: &Operation<'_>) -> &'static str {
    match operation {
        Operation::Edit { search: Some(_), .. } => "edit",
        Operation::Edit { search: None, .. } => "new lines",
        Operation::Write { .. } => "whole file",
        Operation::Patch(_) => "diff",
        Operation::Broken => "not read whole",
    }
}
