//! Edits that stand below a hunk in prose and are read as more of its lines, as those of a list item may be.
//!
//! The items of a list have the signs of a hunk's lines, and what is indented below them the blank of a context line. Where
//! the counts of the hunk's header do not cover them, they are dropped when they are not in the file: right for words, and
//! wrong for an edit. See grammar-notes/unified-diff.md, "How the unclear is decided".

use std::collections::HashMap;

use nom::Input;

use super::lines::{Kind, Lines};
use super::{foreign, narration, response};
use crate::ast::{BlockRole, Extent, FilePatch, Hunk, HunkLine, InputKind, LineKind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span, slice};

/// Reads the lines below each hunk that its counts do not cover once more, as a part of the reply, and makes every hunk
/// malformed that has another edit there.
pub(super) fn mark(
    nodes: &mut [Node],
    diagnostics: &mut Vec<Diagnostic>,
    (lines, source): (Lines<'_>, &Source<'_>),
    kind: InputKind,
) {
    let found: Vec<_> = hunks(nodes).flat_map(|hunk| in_items(hunk, lines, kind)).collect();
    if found.is_empty() {
        return;
    }
    let exact = narration::exact(nodes, source);
    let hidden: HashMap<Span, Span> = found
        .iter()
        .rev()
        .filter(|(_, edit)| !edit.is_told(source, &exact))
        .map(|(header, edit)| (*header, edit.span()))
        .collect();
    let is_of_hidden = |found: &Diagnostic| found.span.is_some_and(|span| hidden.contains_key(&span));
    diagnostics.retain(|found| found.code != Code::HunkCountMismatch || !is_of_hidden(found));
    for patch in nodes.iter_mut().filter_map(patch_mut) {
        let hunks = patch.hunks.iter().map(|hunk| hunk.header.span);
        let faults = hunks.filter_map(|header| Some(fault(header, *hidden.get(&header)?)));
        let before = diagnostics.len();
        diagnostics.extend(faults);
        if diagnostics.len() > before {
            patch.fault.get_or_insert(Code::MalformedHunk);
        }
    }
}

fn fault(header: Span, edit: Span) -> Diagnostic {
    let message = "the text below the hunk holds another edit, which is read as lines of the hunk; give the edit with no space or list marker before its lines, or count the lines of the hunk";
    Diagnostic::new(Code::MalformedHunk, message).at(header).with_related("this edit would be lost", edit)
}

fn patch_mut(node: &mut Node) -> Option<&mut FilePatch> {
    match node {
        Node::FilePatch(patch) => Some(patch),
        _ => None,
    }
}

/// The hunks outside of fences that have more lines than their counts say.
fn hunks(nodes: &[Node]) -> impl Iterator<Item = (&Hunk, &[HunkLine])> {
    let patches = nodes.iter().filter_map(|node| match node {
        Node::FilePatch(patch) => Some(patch),
        _ => None,
    });
    patches.flat_map(|patch| &patch.hunks).filter_map(|hunk| match hunk.extent {
        Extent::Beginning(counted) => Some((hunk, hunk.lines.get(counted as usize..)?)),
        _ => None,
    })
}

/// What is read as lines of a hunk and may be an edit.
enum Edit {
    Read(Node),
    /// One in a form that is not read.
    Foreign(Span),
}

impl Edit {
    fn span(&self) -> Span {
        match self {
            Self::Read(node) => node.span(),
            Self::Foreign(line) => *line,
        }
    }

    /// Whether it only tells of an edit that is read elsewhere.
    fn is_told(&self, source: &Source<'_>, exact: &narration::Files<'_>) -> bool {
        match self {
            Self::Read(node) => narration::tells_of(node, source, exact),
            Self::Foreign(_) => false,
        }
    }
}

/// The edits in list items, or indented, among the lines of a hunk that its counts do not cover.
fn in_items<'a>(
    (hunk, surplus): (&'a Hunk, &'a [HunkLine]),
    lines: Lines<'a>,
    kind: InputKind,
) -> Vec<(Span, Edit)> {
    let Some(first) = surplus.first() else { return Vec::new() };
    let start = lines.tokens().partition_point(|line| line.end < first.text.start);
    let end = lines.tokens().partition_point(|line| line.end <= hunk.span.end);
    let below = lines.take(end).take_from(start);
    let may_hold_edit = |line: Kind| !matches!(line, Kind::Blank | Kind::Hash);
    if below.position(|line| may_hold_edit(line.kind)).is_none() {
        return Vec::new();
    }
    let mut above = Above::of(surplus, lines.source_text());
    let nodes = response::nodes(below, kind).into_iter();
    let read = nodes.filter(|node| is_edit(node, kind) && above.is_in_item(node.span())).map(Edit::Read);
    let foreign = foreign::ignored_edit(below, kind).and_then(|found| found.span);
    let foreign =
        foreign.filter(|line| Above::of(surplus, lines.source_text()).is_in_item(*line)).map(Edit::Foreign);
    read.chain(foreign).map(|edit| (hunk.header.span, edit)).collect()
}

/// Whether a node would be applied, if its lines were not the hunk's.
fn is_edit(node: &Node, kind: InputKind) -> bool {
    let is_diff = kind == InputKind::Diff;
    match node {
        Node::SearchReplace(_) => !is_diff,
        Node::CodeBlock(block) if block.role == BlockRole::Diff => !block.children.is_empty(),
        Node::CodeBlock(block) => (!block.children.is_empty() || block.path.is_some()) && !is_diff,
        Node::InlineEdit(_) => !is_diff,
        Node::FilePatch(_) => true,
    }
}

/// The lines up to an edit.
struct Above<'a> {
    /// The lines from here on.
    lines: &'a [HunkLine],
    text: &'a str,
    /// Whether the last line has a blank behind its sign, as an item of a list or what is below one has.
    own: bool,
    /// Whether the last one that adds or removes something has, if there is one.
    is_item: bool,
}

impl<'a> Above<'a> {
    fn of(lines: &'a [HunkLine], text: &'a str) -> Self {
        Self { lines, text, own: false, is_item: true }
    }

    /// Whether the line that an edit starts on is an item of a list, or indented below one or below nothing that changes.
    /// Edits are asked for in source order.
    fn is_in_item(&mut self, edit: Span) -> bool {
        while let Some((line, rest)) = self.lines.split_first()
            && line.text.start <= edit.start.saturating_add(1)
        {
            let content = slice(self.text, line.text);
            // A tab right behind a sign begins no item, but may stand before what is below one.
            let is_blank = |c: char| c == ' ' || c == '\t' && line.kind == LineKind::Context;
            self.own = content.starts_with(is_blank) && !content.trim().is_empty();
            if line.kind != LineKind::Context {
                self.is_item = self.own;
            }
            self.lines = rest;
        }
        self.own && self.is_item
    }
}
