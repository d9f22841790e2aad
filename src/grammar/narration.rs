//! Sentences and prose-named blocks that tell of an edit which the same reply gives exactly.

use std::borrow::Cow;
use std::collections::HashSet;

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
    let mut exact = exact(nodes, source);
    let named: HashSet<Span> = nodes.iter().filter_map(sentence_path).collect();
    if exact.is_empty() && named.is_empty() {
        return Vec::new();
    }
    let (mut notes, mut whole) = (Vec::new(), Vec::new());
    for node in &mut *nodes {
        let Node::CodeBlock(block) = node else {
            continue;
        };
        let Some(path) = file_path(block) else {
            continue;
        };
        let is_told = path.from == PathSource::Prose
            && (named.contains(&path.span) || exact.contains(&normal_form(source.slice(path.span))));
        if is_told {
            block.role = BlockRole::Narration;
            notes.push(note(
                "the code block shows a file that the reply also edits exactly, so that it is not written",
                block.opener,
            ));
        } else if !named.is_empty() {
            whole.push(normal_form(source.slice(path.span)));
        }
    }
    exact.extend(whole);
    mark_sentences(nodes, source, &exact, &mut notes);
    notes
}

/// The files that edit blocks and diffs change, in normal form.
pub(super) fn exact<'s>(nodes: &[Node], source: &Source<'s>) -> HashSet<Cow<'s, str>> {
    let mut exact = HashSet::with_capacity(nodes.len());
    add_exact(nodes, source, &mut exact);
    exact
}

/// Whether a node only tells of an edit of one of these files.
pub(super) fn tells_of(node: &Node, source: &Source<'_>, exact: &HashSet<Cow<'_, str>>) -> bool {
    let path = match node {
        Node::InlineEdit(edit) => Some(edit.path),
        Node::CodeBlock(block) => file_path(block).filter(|path| path.from == PathSource::Prose),
        Node::SearchReplace(_) | Node::FilePatch(_) => None,
    };
    path.is_some_and(|path| exact.contains(&normal_form(source.slice(path.span))))
}

fn mark_sentences(
    nodes: &mut [Node],
    source: &Source<'_>,
    exact: &HashSet<Cow<'_, str>>,
    notes: &mut Vec<Diagnostic>,
) {
    for node in nodes {
        if let Node::InlineEdit(edit) = node
            && exact.contains(&normal_form(source.slice(edit.path.span)))
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

fn add_exact<'s>(nodes: &[Node], source: &Source<'s>, exact: &mut HashSet<Cow<'s, str>>) {
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
    let bytes = path.as_bytes();
    let begins_plainly = |at: usize| bytes.get(at).is_some_and(|byte| !matches!(byte, b'/' | b'\\' | b'.'));
    let is_plain = |at: usize| bytes.get(at) == Some(&b'/') && begins_plainly(at + 1);
    if begins_plainly(0) && memchr::memchr2_iter(b'/', b'\\', bytes).all(is_plain) {
        // Whether it is lawful makes no difference.
        return Cow::Borrowed(path);
    }
    match RelPath::new(path) {
        Ok(normal) if normal.as_str() == path => Cow::Borrowed(path),
        Ok(normal) => Cow::Owned(normal.as_str().to_owned()),
        Err(_) => Cow::Borrowed(path),
    }
}
