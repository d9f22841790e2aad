//! The edits of a document as an outline, and what of it may be folded.

use super::blocks;
use super::encoding::Range;
use super::protocol::{Folding, Symbol};
use crate::ast::{FilePatch, Node, Text};
use crate::grammar::Parsed;
use crate::lsp::encoding::Encoding;
use crate::source::{Positions, Source, Span};

/// The protocol's numbers of kinds of symbols.
const FILE: u8 = 1;
const OBJECT: u8 = 19;
/// A name is cut after so many characters.
const NAME: usize = 100;

/// A symbol for each edit, with one for each hunk in it.
pub(super) fn symbols(parsed: &Parsed<'_>, encoding: Encoding) -> Vec<Symbol> {
    let source = parsed.source;
    let changes = parsed.changes();
    let mut entries = Vec::new();
    for (node, change) in blocks::all(parsed).zip(&changes.list) {
        let anchor = change.origin.map_or(Span::empty(node.span().start), |origin| origin.anchor);
        let name = change.path.as_deref().filter(|path| !path.is_empty()).unwrap_or("no path");
        let hunks = match node {
            Node::FilePatch(patch) => hunks(patch, source),
            _ => Vec::new(),
        };
        let detail = blocks::noun(&change.operation);
        entries.push(Entry { name: name.to_owned(), detail, span: node.span(), anchor, children: hunks });
    }
    let mut spans = Vec::new();
    entries.iter().for_each(|entry| entry.spans(&mut spans));
    let positions = Positions::new(source, &spans);
    let range = |span: Span| range(&positions, span, encoding);
    entries.iter().map(|entry| entry.symbol(FILE, &range)).collect()
}

struct Entry {
    name: String,
    detail: &'static str,
    span: Span,
    anchor: Span,
    children: Vec<Entry>,
}

impl Entry {
    fn spans(&self, spans: &mut Vec<Span>) {
        spans.extend([self.span, self.anchor]);
        self.children.iter().for_each(|child| child.spans(spans));
    }

    fn symbol(&self, kind: u8, range: &impl Fn(Span) -> Range) -> Symbol {
        // The protocol wants it inside.
        let inside = self.span.contains(self.anchor);
        let anchor = if inside { self.anchor } else { Span::empty(self.span.start) };
        Symbol {
            name: crate::escape::first_line(&self.name, NAME),
            detail: self.detail.to_owned(),
            kind,
            range: range(self.span),
            selection_range: range(anchor),
            children: self.children.iter().map(|child| child.symbol(OBJECT, range)).collect(),
        }
    }
}

fn hunks(patch: &FilePatch, source: &Source<'_>) -> Vec<Entry> {
    let entry = |hunk: &crate::ast::Hunk| Entry {
        name: source.slice(hunk.header.span).to_owned(),
        detail: "",
        span: hunk.span,
        anchor: hunk.header.span,
        children: Vec::new(),
    };
    patch.hunks.iter().map(entry).collect()
}

fn range(positions: &Positions, span: Span, encoding: Encoding) -> Range {
    let at = |offset| encoding.position(positions.of(offset));
    Range { start: at(span.start), end: at(span.end) }
}

/// Each edit, code block, section and hunk of several lines.
pub(super) fn foldings(parsed: &Parsed<'_>) -> Vec<Folding> {
    let mut spans = Vec::new();
    parsed.document.nodes.iter().for_each(|node| collect(node, &mut spans));
    let index = parsed.source.line_index();
    let mut foldings: Vec<Folding> = Vec::new();
    for (span, first) in spans {
        let start_line = index.line(span.start).saturating_sub(first);
        let last = span.end.max(span.start + 1) - 1; // a span may end where the next line starts
        let end_line = index.line(last).saturating_sub(1);
        if start_line < end_line && foldings.last() != Some(&Folding { start_line, end_line }) {
            foldings.push(Folding { start_line, end_line });
        }
    }
    foldings
}

/// How many lines above it the line stands that is still seen when a stretch is folded, plus 1.
const ITSELF: u32 = 1;
const ABOVE: u32 = 2;

fn collect(node: &Node, spans: &mut Vec<(Span, u32)>) {
    spans.push((node.span(), ITSELF));
    match node {
        Node::CodeBlock(block) => block.children.iter().for_each(|child| collect(child, spans)),
        Node::SearchReplace(block) => {
            // A section folds into the marker line above it.
            let sections = [&block.search, &block.replace];
            spans.extend(
                sections
                    .into_iter()
                    .filter(|text| !text.is_empty())
                    .map(Text::span)
                    .map(|span| (span, ABOVE)),
            );
        }
        Node::FilePatch(patch) => spans.extend(patch.hunks.iter().map(|hunk| (hunk.span, ITSELF))),
        Node::InlineEdit(_) => {}
    }
}
