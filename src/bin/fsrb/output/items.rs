//! The items of `--parse`: what the input holds, as JSON.

use std::borrow::Cow;

use code_parser::ast::{
    CodeBlock, FileOperation, FilePatch, Hunk, HunkLine, InlineEdit, LineKind, Node, PathRef, PathSource,
    SearchReplace, Text,
};
use code_parser::source::{Positions, Source, Span};
use serde::Serialize;

use super::json::Range;

/// One node of the document.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Item<'a> {
    CodeBlock {
        span: Range,
        language: Cow<'a, str>,
        info: &'a str,
        filename: Option<&'a str>,
        filename_from: Option<&'static str>,
        content: Cow<'a, str>,
        terminated: bool,
        children: Vec<Item<'a>>,
    },
    SearchReplace {
        span: Range,
        path: Option<&'a str>,
        path_from: Option<&'static str>,
        search: String,
        replace: String,
    },
    InlineEdit {
        span: Range,
        path: &'a str,
        old: &'a str,
        new: &'a str,
    },
    FilePatch {
        span: Range,
        old_path: Option<Cow<'a, str>>,
        new_path: Option<Cow<'a, str>>,
        operation: &'static str,
        hunks: Vec<HunkItem<'a>>,
    },
}

/// One hunk of a file patch.
#[derive(Serialize)]
pub(super) struct HunkItem<'a> {
    old_start: Option<u32>,
    old_lines: u32,
    new_start: Option<u32>,
    new_lines: u32,
    section: &'a str,
    lines: Vec<LineItem<'a>>,
}

/// One line of a hunk.
#[derive(Serialize)]
pub(super) struct LineItem<'a> {
    kind: &'static str,
    text: &'a str,
}

/// Every span that [`items`] wants the positions of.
pub(super) fn collect_spans(nodes: &[Node], spans: &mut Vec<Span>) {
    for node in nodes {
        spans.push(node.span());
        if let Node::CodeBlock(block) = node {
            collect_spans(&block.children, spans);
        }
    }
}

/// The items of these nodes, in source order.
pub(super) fn items<'a>(nodes: &[Node], source: &'a Source<'a>, positions: &Positions) -> Vec<Item<'a>> {
    nodes.iter().map(|node| item(node, source, positions)).collect()
}

fn item<'a>(node: &Node, source: &'a Source<'a>, positions: &Positions) -> Item<'a> {
    let span = Range::of(node.span(), positions);
    match node {
        Node::CodeBlock(block) => code_block(block, span, source, positions),
        Node::SearchReplace(block) => search_replace(block, span, source),
        Node::InlineEdit(edit) => inline_edit(edit, span, source),
        Node::FilePatch(patch) => file_patch(patch, span, source),
    }
}

fn code_block<'a>(block: &CodeBlock, span: Range, source: &'a Source<'a>, positions: &Positions) -> Item<'a> {
    Item::CodeBlock {
        span,
        language: block.language_tag(source),
        info: source.slice(block.info),
        filename: block.path.map(|path| source.slice(path.span)),
        filename_from: block.path.map(path_source),
        content: block.content.to_str(source),
        terminated: block.is_terminated(),
        children: items(&block.children, source, positions),
    }
}

fn search_replace<'a>(block: &SearchReplace, span: Range, source: &'a Source<'a>) -> Item<'a> {
    Item::SearchReplace {
        span,
        path: block.path.map(|path| source.slice(path.span)),
        path_from: block.path.map(path_source),
        search: section(&block.search, source),
        replace: section(&block.replace, source),
    }
}

fn inline_edit<'a>(edit: &InlineEdit, span: Range, source: &'a Source<'a>) -> Item<'a> {
    Item::InlineEdit {
        span,
        path: source.slice(edit.path.span),
        old: source.slice(edit.old),
        new: source.slice(edit.new),
    }
}

fn file_patch<'a>(patch: &FilePatch, span: Range, source: &'a Source<'a>) -> Item<'a> {
    Item::FilePatch {
        span,
        old_path: patch.old_path(source),
        new_path: patch.new_path(source),
        operation: operation(patch.operation(source)),
        hunks: patch.hunks.iter().map(|hunk| hunk_item(hunk, source)).collect(),
    }
}

/// The counts are those of the lines: the header's may be wrong.
fn hunk_item<'a>(hunk: &Hunk, source: &'a Source<'a>) -> HunkItem<'a> {
    let line = |line: &HunkLine| LineItem { kind: line_kind(line.kind), text: source.slice(line.text) };
    HunkItem {
        old_start: hunk.header.ranges.map(|(old, _)| old.start.value),
        old_lines: hunk.old_lines(),
        new_start: hunk.header.ranges.map(|(_, new)| new.start.value),
        new_lines: hunk.new_lines(),
        section: source.slice(hunk.header.section),
        lines: hunk.lines.iter().map(line).collect(),
    }
}

pub(super) fn operation(operation: FileOperation) -> &'static str {
    match operation {
        FileOperation::Modify => "modify",
        FileOperation::Create => "create",
        FileOperation::Delete => "delete",
        FileOperation::Rename => "rename",
        FileOperation::Copy => "copy",
        FileOperation::Mode => "mode",
    }
}

fn line_kind(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => "context",
        LineKind::Added => "added",
        LineKind::Removed => "removed",
    }
}

/// The lines of a section, each with LF behind it; no line at all is `""`.
fn section(text: &Text, source: &Source<'_>) -> String {
    let mut lines = String::with_capacity(text.span().len() as usize + 1);
    for line in text.lines(source) {
        lines.push_str(source.slice(line));
        lines.push('\n');
    }
    lines
}

fn path_source(path: PathRef) -> &'static str {
    match path.from {
        PathSource::Header => "header",
        PathSource::Info => "info",
        PathSource::Comment => "comment",
        PathSource::Prose => "prose",
        PathSource::Inherited => "inherited",
    }
}
