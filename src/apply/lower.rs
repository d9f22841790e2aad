//! From a parsed document to changes.

use std::borrow::Cow;
use std::sync::Arc;

use super::change::{Change, Changes, Operation, Origin, Patch, Texts};
use crate::ast::{
    BlockEnd, CodeBlock, Document, FilePatch, InlineEdit, InputKind, LineEnding, Node, PathRef,
    SearchReplace, Text,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::cases;
use crate::grammar::{Parsed, parse};
use crate::source::{Source, Span, offset};

impl<'s> Parsed<'s> {
    /// The changes of the document, with what parsing found; `no-changes` is added where there are none.
    #[must_use]
    pub fn changes(&self) -> Changes<'s> {
        let nodes = self.document.changes();
        let change = |node: &&Node| {
            let mut change = lower(node, self.source, self.document.kind);
            if let Some(origin) = &mut change.origin {
                origin.indent = indent(&self.document, node, self.source);
            }
            change
        };
        let list: Vec<_> = nodes.iter().map(change).collect();
        let mut diagnostics = self.diagnostics.clone();
        let others = self.document.edits().into_iter().filter(|node| !self.document.is_read(node));
        diagnostics.extend(others.map(unread));
        if list.is_empty() && !diagnostics.iter().any(Diagnostic::is_error) {
            let seen = diagnostics.iter().find(|found| found.code == Code::IgnoredText);
            let fault = no_changes(self.source, self.document.kind, seen);
            diagnostics.push(match self.document.nodes.iter().find_map(unnamed) {
                Some(opener) => fault.with_related(
                    "this code block names no file; one that does replaces the whole file",
                    opener,
                ),
                None => fault,
            });
        }
        Changes { list, diagnostics, text: Some(self.source.text()) }
    }
}

/// Gives each diagnostic of a parse the number of the change (and of the hunk) that it lies in, and its file.
pub(crate) fn number(document: &Document, source: &Source<'_>, diagnostics: &mut [Diagnostic]) {
    if diagnostics.is_empty() {
        return;
    }
    let changes = document.changes();
    let mut last: Option<Arc<str>> = None;
    for diagnostic in diagnostics.iter_mut() {
        let found =
            places(diagnostic).into_iter().flatten().find_map(|at| Some((at, change_at(&changes, at)?)));
        let Some((at, (index, node))) = found else { continue };
        diagnostic.block = u32::try_from(index + 1).ok();
        if diagnostic.path.is_none() {
            let path = target(node, source);
            // The edits of one file have one text for it between them.
            if last.as_deref() != path.as_deref() {
                last = path.map(Arc::from);
            }
            diagnostic.path.clone_from(&last);
        }
        if let Node::FilePatch(patch) = node {
            let hunk = patch.hunks.partition_point(|hunk| hunk.span.end < at.start);
            let inside = patch.hunks.get(hunk).is_some_and(|hunk| hunk.span.start <= at.start);
            diagnostic.hunk = if inside { u32::try_from(hunk + 1).ok() } else { None };
        }
    }
}

/// Where the change is that a diagnostic is about: the first of these places that lies in one.
///
/// The SEARCH line that breaks an open block is the fault of that block, and not of the one that it begins; the hunk in
/// a diff block without file header is told at the block's fence, where no change is.
fn places(diagnostic: &Diagnostic) -> [Option<Span>; 2] {
    let related = diagnostic.related.first().map(|related| related.span);
    match diagnostic.code {
        Code::UnexpectedMarker => [related, diagnostic.span],
        Code::MissingPath => [diagnostic.span, related],
        _ => [diagnostic.span, None],
    }
}

/// The change that begins at a place or around it, with its number from 0.
fn change_at<'d>(changes: &[&'d Node], at: Span) -> Option<(usize, &'d Node)> {
    let index = changes.partition_point(|node| node.span().end < at.start);
    let node = changes.get(index).filter(|node| node.span().start <= at.start)?;
    Some((index, node))
}

/// The file that a node changes, as written.
fn target<'s>(node: &Node, source: &Source<'s>) -> Option<Cow<'s, str>> {
    let path = match node {
        Node::CodeBlock(block) => block.path,
        Node::SearchReplace(block) => block.path,
        Node::InlineEdit(edit) => Some(edit.path),
        Node::FilePatch(patch) => return patch.new_path(source).or_else(|| patch.old_path(source)),
    };
    path.map(|path| Cow::Borrowed(source.slice(path.span)))
}

fn lower<'s>(node: &Node, source: &'s Source<'s>, kind: InputKind) -> Change<'s> {
    match node {
        Node::CodeBlock(block) => lower_block(block, source, kind),
        Node::SearchReplace(block) => lower_search_replace(block, source, kind),
        Node::InlineEdit(edit) => lower_inline(edit, source, kind),
        Node::FilePatch(patch) => lower_patch(patch, source, kind),
    }
}

fn lower_block<'s>(block: &CodeBlock, source: &'s Source<'s>, kind: InputKind) -> Change<'s> {
    Change {
        path: path(block.path, source),
        operation: match block.end {
            BlockEnd::Missing => Operation::Broken,
            BlockEnd::Closed(_) | BlockEnd::Ambiguous(_) => {
                Operation::Write { content: block.content.to_str(source) }
            }
        },
        kind,
        origin: Some(Origin {
            path: block.path.map(|path| path.span),
            ..origin(block.span, block.opener.to(block.info), source)
        }),
    }
}

fn lower_search_replace<'s>(block: &SearchReplace, source: &'s Source<'s>, kind: InputKind) -> Change<'s> {
    Change {
        path: path(block.path, source),
        operation: if block.complete {
            Operation::Edit {
                search: section(&block.search, source),
                replace: section(&block.replace, source),
            }
        } else {
            Operation::Broken
        },
        kind,
        origin: Some(Origin {
            path: block.path.map(|path| path.span),
            texts: Texts::Sections { search: block.search.span(), replace: block.replace.span() },
            ..origin(block.span, block.search_marker, source)
        }),
    }
}

fn lower_inline<'s>(edit: &InlineEdit, source: &'s Source<'s>, kind: InputKind) -> Change<'s> {
    let quoted = |span: Span| Some(source.slice(span)).filter(|text| !text.is_empty()).map(Cow::Borrowed);
    Change {
        path: path(Some(edit.path), source),
        operation: Operation::Edit { search: quoted(edit.old), replace: quoted(edit.new) },
        kind,
        origin: Some(Origin {
            path: Some(edit.path.span),
            texts: Texts::Quoted { old: edit.old, new: edit.new },
            ..origin(edit.span, edit.span, source)
        }),
    }
}

fn lower_patch<'s>(patch: &FilePatch, source: &'s Source<'s>, kind: InputKind) -> Change<'s> {
    let operation = Patch::from_ast(patch, source);
    Change {
        path: operation.new.name().or(operation.old.name()).map(|name| name.path.clone()),
        operation: Operation::Patch(operation),
        kind,
        origin: Some(Origin {
            path: patch.new_name(source).or(patch.old_name(source)).map(|name| name.span),
            ..origin(patch.span, patch.anchor(), source)
        }),
    }
}

/// The origin of a change without path and texts. `indent` is for the caller to find: a node does not know what it
/// lies in.
fn origin(span: Span, anchor: Span, source: &Source<'_>) -> Origin {
    let text = source.text().as_bytes();
    let rest = text.get(anchor.start as usize..).unwrap_or_default();
    let before = memchr::memchr(b'\n', rest).map_or(rest, |end| rest.get(..end).unwrap_or_default());
    let ending = if before.ends_with(b"\r") { LineEnding::CrLf } else { LineEnding::Lf };
    Origin { span, anchor, path: None, texts: Texts::None, indent: 0, ending }
}

/// How many columns of indentation the lines of a node have lost to the fence around it, if it lies in one.
fn indent(document: &Document, node: &Node, source: &Source<'_>) -> u32 {
    let span = node.span();
    let around = document.nodes.partition_point(|around| around.span().end < span.end);
    let fence = match document.nodes.get(around) {
        Some(Node::CodeBlock(block)) if block.span != span && block.span.start <= span.start => {
            offset(before_on_line(block.opener, source).trim_start_matches('\u{feff}').len())
        }
        _ => return 0,
    };
    match node {
        // Its own lines may stand further left.
        Node::SearchReplace(block) => {
            let spaces = before_on_line(block.search_marker, source).bytes().take_while(|&byte| byte == b' ');
            fence.min(offset(spaces.count()))
        }
        _ => fence,
    }
}

/// What stands before a place on its line.
fn before_on_line<'s>(place: Span, source: &Source<'s>) -> &'s str {
    let before = source.slice(Span::new(0, place.start));
    before.rsplit('\n').next().unwrap_or("")
}

fn path<'s>(path: Option<PathRef>, source: &'s Source<'s>) -> Option<Cow<'s, str>> {
    path.map(|path| Cow::Borrowed(source.slice(path.span)))
}

fn section<'s>(text: &Text, source: &'s Source<'s>) -> Option<Cow<'s, str>> {
    if text.is_empty() { None } else { Some(text.to_str(source)) }
}

/// The opening fence of a code block that may have been meant as a file.
fn unnamed(node: &Node) -> Option<Span> {
    match node {
        Node::CodeBlock(block) if block.path.is_none() && block.children.is_empty() => {
            Some(block.opener.to(block.info))
        }
        _ => None,
    }
}

/// An edit that an input read as diffs holds besides them.
fn unread(node: &Node) -> Diagnostic {
    let message = "an edit that is no diff is not read here, where only unified diffs are";
    Diagnostic::new(Code::IgnoredText, message).at(node.span()).with_command("`--from response` reads it")
}

/// The input holds no edit that its kind reads; it says which form that kind reads, which kind would find some, or what
/// form was seen.
fn no_changes(source: &Source<'_>, kind: InputKind, seen: Option<&Diagnostic>) -> Diagnostic {
    let other = [InputKind::Response, InputKind::Diff, InputKind::Fsrb]
        .into_iter()
        .filter(|&other| other != kind)
        .find(|&other| !parse(source, other).document.changes().is_empty());
    let none = match kind {
        InputKind::Fsrb => "the input holds no SEARCH/REPLACE block, and no other edit is read here",
        InputKind::Response => {
            "the input holds no edit: no SEARCH/REPLACE block, no code block that names its file, no unified diff"
        }
        InputKind::Diff => "the input holds no unified diff, and no other edit is read here",
    };
    if source.text().trim().is_empty() {
        return Diagnostic::new(Code::NoChanges, "the input is empty").with_remedy(&cases::EMPTY_INPUT);
    }
    let remedy = match (kind, other) {
        (InputKind::Response, _) => &cases::WRITE_ANY,
        (InputKind::Diff, None) => &cases::WRITE_DIFF,
        (InputKind::Diff, Some(_)) => &cases::READ_DIFF_OTHERWISE,
        (InputKind::Fsrb, None) => &Code::NoChanges.explanation().remedy,
        (InputKind::Fsrb, Some(_)) => &cases::READ_OTHERWISE,
    };
    let fault = match (other, seen) {
        (Some(other), _) => {
            Diagnostic::new(Code::NoChanges, format!("{none}; it holds edits in another form"))
                .with_command(reads_them(other))
        }
        (None, Some(seen)) if kind == InputKind::Response => {
            let message = format!("the input holds no edit in a form that is read: {}", seen.message);
            Diagnostic::new(Code::NoChanges, message)
        }
        (None, _) => Diagnostic::new(Code::NoChanges, none),
    };
    fault.with_remedy(remedy)
}

/// What whoever runs the command can do where another kind of input would have edits.
fn reads_them(other: InputKind) -> &'static str {
    match other {
        InputKind::Fsrb => "`--from fsrb` reads them",
        InputKind::Response => "`--from response` reads them",
        InputKind::Diff => "`--from diff` reads them",
    }
}
