//! Sentences and prose-named blocks that tell of an edit which the same reply gives exactly.

use std::borrow::Cow;

use crate::ast::{BlockRole, CodeBlock, FilePatch, Node, PathRef, PathSource};
use crate::diagnostic::{Code, Diagnostic};
use crate::rel_path::RelPath;
use crate::source::{Source, Span};

/// Marks every code block that only prose names and whose file an edit block or a diff changes, or that the sentence
/// which names it changes, and every sentence whose file anything else changes; returns a note for each.
pub(super) fn mark(nodes: &mut [Node], source: &Source<'_>) -> Vec<Diagnostic> {
    if !nodes.iter().any(may_be_narration) {
        return Vec::new();
    }
    let exact = exact(nodes, source);
    let mut named: Vec<Span> = nodes.iter().filter_map(sentence_path).collect();
    named.sort_unstable_by_key(|path| path.start);
    if exact.0.is_empty() && named.is_empty() {
        return Vec::new();
    }
    let is_named = |path: Span| named.binary_search_by_key(&path.start, |named| named.start).is_ok();
    let (mut notes, mut whole) = (Vec::new(), Vec::new());
    for node in &mut *nodes {
        let Node::CodeBlock(block) = node else {
            continue;
        };
        let Some(path) = file_path(block) else {
            continue;
        };
        let file = normal_form(source.slice(path.span));
        if path.from == PathSource::Prose && (is_named(path.span) || exact.has(&file)) {
            block.role = BlockRole::Narration;
            notes.push(note(
                "the code block shows a file that the reply also edits exactly, so that it is not written",
                block.opener,
            ));
        } else if !named.is_empty() {
            whole.push(file);
        }
    }
    let whole = Files::new(whole);
    mark_sentences(nodes, source, |file| exact.has(file) || whole.has(file), &mut notes);
    notes
}

/// Files by their paths in normal form, sorted: a reply has few, and to hash a path takes longer than to find it.
pub(super) struct Files<'s>(Vec<Cow<'s, str>>);

impl<'s> Files<'s> {
    fn new(mut paths: Vec<Cow<'s, str>>) -> Self {
        paths.sort_unstable();
        Self(paths)
    }

    fn has(&self, path: &str) -> bool {
        self.0.binary_search_by(|file| file.as_ref().cmp(path)).is_ok()
    }
}

/// The files that edit blocks and diffs change.
pub(super) fn exact<'s>(nodes: &[Node], source: &Source<'s>) -> Files<'s> {
    let mut exact = Vec::with_capacity(nodes.len());
    add_exact(nodes, source, &mut exact);
    Files::new(exact)
}

/// Whether a node only tells of an edit of one of these files.
pub(super) fn tells_of(node: &Node, source: &Source<'_>, exact: &Files<'_>) -> bool {
    let path = match node {
        Node::InlineEdit(edit) => Some(edit.path),
        Node::CodeBlock(block) => file_path(block).filter(|path| path.from == PathSource::Prose),
        Node::SearchReplace(_) | Node::FilePatch(_) => None,
    };
    path.is_some_and(|path| exact.has(&normal_form(source.slice(path.span))))
}

fn mark_sentences(
    nodes: &mut [Node],
    source: &Source<'_>,
    is_changed: impl Fn(&str) -> bool,
    notes: &mut Vec<Diagnostic>,
) {
    for node in nodes {
        if let Node::InlineEdit(edit) = node
            && is_changed(&normal_form(source.slice(edit.path.span)))
        {
            edit.narration = true;
            notes.push(note("the sentence tells of an edit that the reply also gives exactly, so that it is not made again", edit.span));
        }
    }
}

fn sentence_path(node: &Node) -> Option<Span> {
    match node {
        Node::InlineEdit(edit) => Some(edit.path.span),
        _ => None,
    }
}

fn may_be_narration(node: &Node) -> bool {
    match node {
        Node::InlineEdit(_) => true,
        Node::CodeBlock(block) => file_path(block).is_some_and(|path| path.from == PathSource::Prose),
        Node::SearchReplace(_) | Node::FilePatch(_) => false,
    }
}

fn note(message: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::IgnoredNarration, message).at(at)
}

/// The path of a block that would be written as a file.
fn file_path(block: &CodeBlock) -> Option<PathRef> {
    block.path.filter(|_| block.role == BlockRole::File)
}

fn add_exact<'s>(nodes: &[Node], source: &Source<'s>, exact: &mut Vec<Cow<'s, str>>) {
    for node in nodes {
        match node {
            Node::SearchReplace(block) => {
                // An inherited path is the one of a block before.
                let own = block.path.filter(|path| path.from != PathSource::Inherited);
                exact.extend(own.map(|path| normal_form(source.slice(path.span))));
            }
            Node::FilePatch(patch) => exact.extend(paths(patch, source)),
            Node::CodeBlock(block) => add_exact(&block.children, source, exact),
            Node::InlineEdit(_) => {}
        }
    }
}

fn paths<'s>(patch: &FilePatch, source: &Source<'s>) -> impl Iterator<Item = Cow<'s, str>> {
    let (old, new) = (patch.old_path(source), patch.new_path(source));
    let other = new.filter(|new| old.as_ref() != Some(new));
    [old, other].into_iter().flatten().map(|path| match path {
        Cow::Borrowed(path) => normal_form(path),
        Cow::Owned(path) => Cow::Owned(normal_form(&path).into_owned()),
    })
}

/// The path as it is compared: in normal form where it is a lawful one, else as written.
fn normal_form(path: &str) -> Cow<'_, str> {
    // Nearly every component begins with something else than what is cut from a path.
    let is_cut = |pair: &[u8]| matches!(pair, [b'/', b'/' | b'.' | b'\\'] | [b'\\', _]);
    if !path.starts_with(['/', '\\', '.'])
        && !path.ends_with(['/', '\\'])
        && !path.as_bytes().windows(2).any(is_cut)
    {
        // Whether it is lawful makes no difference.
        return Cow::Borrowed(path);
    }
    match RelPath::new(path) {
        Ok(normal) if normal.as_str() == path => Cow::Borrowed(path),
        Ok(normal) => Cow::Owned(normal.as_str().to_owned()),
        Err(_) => Cow::Borrowed(path),
    }
}
