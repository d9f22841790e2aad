//! Edits of a tree, by shape, and everything that a row of them may make of it.

use code_parser::ast::InputKind;

use crate::tree::{End, Text, Tree, trimmed};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A SEARCH/REPLACE block.
    Block { old: Vec<String>, new: Vec<String> },
    /// A whole file in a fence.
    Whole(Vec<String>),
    /// A sentence.
    Sentence { old: String, new: String },
    /// A section of a diff; each line of a hunk has its sign.
    Diff {
        operation: Operation,
        hunks: Vec<Vec<String>>,
        /// The line of the file, from 1, that each begins at.
        starts: Vec<usize>,
        /// Whether how the file ends may have been lost.
        frees_end: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    Modify,
    Create,
    Delete,
    Rename(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) path: String,
    pub(crate) shape: Shape,
    /// It only tells of the next edit.
    pub(crate) is_narration: bool,
}

impl Edit {
    /// Every tree that it may make of this one; none where it cannot be applied.
    pub(crate) fn applied(&self, kind: InputKind, tree: &Tree) -> Vec<Tree> {
        let old = tree.get(&self.path);
        let with = |text: Text| {
            let mut tree = tree.clone();
            match text.lines.is_empty() && !matches!(self.shape, Shape::Diff { .. }) {
                true => tree.remove(&self.path),
                false => tree.insert(self.path.clone(), text),
            };
            tree
        };
        match (&self.shape, old) {
            (Shape::Block { old, new }, text) if old.is_empty() => match text {
                _ if new.is_empty() => Vec::new(),
                None => vec![with(Text::new(new, End::Lf))],
                Some(text) if kind == InputKind::Response => vec![with(appended(text, new))],
                Some(_) => Vec::new(),
            },
            (Shape::Block { old, new }, Some(text)) => {
                text.replaced(old, new, kind == InputKind::Response).map(with).into_iter().collect()
            }
            (Shape::Sentence { old, new }, Some(text)) => {
                let new: &[String] = if new.is_empty() { &[] } else { std::slice::from_ref(new) };
                text.replaced(std::slice::from_ref(old), new, true).map(with).into_iter().collect()
            }
            (Shape::Whole(lines), text) => whole(text, lines).map(with).into_iter().collect(),
            (Shape::Diff { operation, hunks, frees_end, .. }, text) => {
                self.patched(tree, operation, text, hunks, *frees_end)
            }
            (_, None) => Vec::new(),
        }
    }

    fn patched(
        &self,
        tree: &Tree,
        operation: &Operation,
        text: Option<&Text>,
        hunks: &[Vec<String>],
        frees_end: bool,
    ) -> Vec<Tree> {
        let insert = |path: &str, text: Text| {
            let mut tree = tree.clone();
            tree.remove(&self.path);
            tree.insert(path.to_owned(), text);
            tree
        };
        match (operation, text) {
            (Operation::Create, None) => {
                let lines: Vec<_> = hunks
                    .iter()
                    .flatten()
                    .filter_map(|line| line.strip_prefix('+'))
                    .map(str::to_owned)
                    .collect();
                let is_new = hunks.iter().flatten().all(|line| line.starts_with('+'));
                let mut text = Text::new(&lines, End::Lf);
                if let Some((_, end)) = text.lines.last_mut().filter(|_| frees_end) {
                    *end = End::Free;
                }
                if is_new { vec![insert(&self.path, text)] } else { Vec::new() }
            }
            (Operation::Create, Some(_)) | (_, None) => Vec::new(),
            (Operation::Delete, Some(text)) => {
                let is_all = text.patched(hunks, frees_end).iter().any(|text| text.lines.is_empty());
                let mut tree = tree.clone();
                tree.remove(&self.path);
                if is_all { vec![tree] } else { Vec::new() }
            }
            (Operation::Modify, Some(text)) => {
                text.patched(hunks, frees_end).into_iter().map(|text| insert(&self.path, text)).collect()
            }
            (Operation::Rename(to), Some(text)) if !tree.contains_key(to) => {
                text.patched(hunks, frees_end).into_iter().map(|text| insert(to, text)).collect()
            }
            (Operation::Rename(_), Some(_)) => Vec::new(),
        }
    }
}

/// All trees that these edits may make, one after the other.
pub(crate) fn compose<'e>(
    kind: InputKind,
    tree: &Tree,
    edits: impl IntoIterator<Item = &'e Edit>,
) -> Vec<Tree> {
    let mut trees = vec![tree.clone()];
    for edit in edits {
        trees = trees.iter().flat_map(|tree| edit.applied(kind, tree)).take(64).collect();
    }
    trees
}

fn appended(text: &Text, new: &[String]) -> Text {
    let mut made = text.clone();
    let usual = text.lines.first().map_or(End::Lf, |(_, end)| if *end == End::No { End::Lf } else { *end });
    let is_mixed = text.lines.iter().any(|(_, end)| *end != usual && *end != End::No);
    let usual = if is_mixed { End::Any } else { usual };
    let ends = text.lines.last().is_none_or(|(_, end)| *end != End::No);
    if let Some((_, end)) = made.lines.last_mut().filter(|_| !ends) {
        *end = usual;
    }
    made.lines.extend(new.iter().map(|line| (line.clone(), usual)));
    if let Some((_, end)) = made.lines.last_mut().filter(|_| !ends) {
        *end = End::No;
    }
    made
}

/// The file with these lines; those that are blank at both ends are none.
fn whole(text: Option<&Text>, lines: &[String]) -> Option<Text> {
    let is_blank = |line: &String| trimmed(line).is_empty();
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !is_blank(line)).map_or(first, |last| last + 1);
    let lines = &lines[first..last];
    let Some(text) = text else { return Some(Text::new(lines, End::Lf)) };
    if lines.is_empty() {
        return None;
    }
    let mut made = appended(&Text { has_bom: text.has_bom, lines: Vec::new() }, lines);
    let all: std::collections::BTreeSet<_> =
        text.lines.iter().map(|(_, end)| *end).filter(|end| *end != End::No).collect();
    let usual = match all.into_iter().collect::<Vec<_>>().as_slice() {
        // What the file had before the edits is not known here.
        [] => End::Any,
        [end] => *end,
        _ => End::Any,
    };
    made.lines.iter_mut().for_each(|(_, end)| *end = usual);
    if text.lines.last().is_some_and(|(_, end)| *end == End::No) {
        made.lines.iter_mut().next_back().into_iter().for_each(|(_, end)| *end = End::No);
    }
    Some(made)
}
