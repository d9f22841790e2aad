//! Sentences and prose-named blocks that tell of an edit which the same reply gives exactly.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::ast::{BlockRole, CodeBlock, FilePatch, Node, PathSource};
use crate::diagnostic::{Code, Diagnostic};
use crate::rel_path::RelPath;
use crate::source::{Source, Span};

/// Marks every sentence, and every code block that only prose names, whose file an edit block or a diff changes, too;
/// returns a note for each.
pub(super) fn mark(nodes: &mut [Node], source: &Source<'_>) -> Vec<Diagnostic> {
    let mut exact = HashSet::new();
    add_exact(nodes, source, &mut exact);
    if exact.is_empty() {
        return Vec::new();
    }
    let is_exact = |path: Span| exact.contains(&normal_form(source.slice(path)));
    let mut notes = Vec::new();
    for node in nodes {
        match node {
            Node::InlineEdit(edit) if is_exact(edit.path.span) => {
                edit.narration = true;
                notes
                    .push(note("the sentence tells of an edit that the reply also gives exactly", edit.span));
            }
            Node::CodeBlock(block) if prose_path(block).is_some_and(is_exact) => {
                block.role = BlockRole::Narration;
                notes.push(note(
                    "the code block shows a file that the reply also edits exactly",
                    block.opener,
                ));
            }
            _ => {}
        }
    }
    notes
}

fn note(message: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::IgnoredNarration, message).at(at)
}

/// The path of a block that would be written as a file because prose names it.
fn prose_path(block: &CodeBlock) -> Option<Span> {
    let path = block.path.filter(|path| path.from == PathSource::Prose)?;
    (block.role == BlockRole::File).then_some(path.span)
}

/// The files that edit blocks and diffs change, in normal form.
fn add_exact<'s>(nodes: &[Node], source: &Source<'s>, exact: &mut HashSet<Cow<'s, str>>) {
    for node in nodes {
        match node {
            Node::SearchReplace(block) => {
                exact.extend(block.path.map(|path| normal_form(source.slice(path.span))));
            }
            Node::FilePatch(patch) => exact.extend(paths(patch, source)),
            Node::CodeBlock(block) => add_exact(&block.children, source, exact),
            Node::InlineEdit(_) => {}
        }
    }
}

fn paths<'s>(patch: &FilePatch, source: &Source<'s>) -> impl Iterator<Item = Cow<'s, str>> {
    [patch.old_path(source), patch.new_path(source)]
        .into_iter()
        .flatten()
        .map(|path| Cow::Owned(normal_form(&path).into_owned()))
}

/// The path as it is compared: in normal form where it is a lawful one, else as written.
fn normal_form(path: &str) -> Cow<'_, str> {
    match RelPath::new(path) {
        Ok(normal) if normal.as_str() == path => Cow::Borrowed(path),
        Ok(normal) => Cow::Owned(normal.as_str().to_owned()),
        Err(_) => Cow::Borrowed(path),
    }
}
