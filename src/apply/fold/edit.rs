//! Folding edits and whole-file blocks.

use std::collections::HashMap;

use super::Fold;
use super::fault::Fault;
use crate::apply::change::{Changes, Operation, Texts};
use crate::apply::files::Files;
use crate::apply::placeholder;
use crate::apply::report::FileStatus;
use crate::apply::slot::{Content, Made};
use crate::ast::InputKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::edit::file_text::{Count, Effect, Extent, FileText, MatchError, Matched, Place, Tolerance};
use crate::rel_path::RelPath;
use crate::source::{Span, offset};

/// For each path the changes, by index, that look for a text in its file.
pub(super) fn searches(changes: &Changes<'_>) -> HashMap<RelPath, Vec<usize>> {
    let mut searches: HashMap<RelPath, Vec<usize>> = HashMap::new();
    for (index, change) in changes.list.iter().enumerate() {
        if let (Some(path), Operation::Edit { search: Some(_), .. }) = (&change.path, &change.operation) {
            let Ok(path) = RelPath::new(path) else { continue };
            searches.entry(path).or_default().push(index);
        }
    }
    searches
}

fn tolerance(kind: InputKind) -> Tolerance {
    match kind {
        InputKind::Fsrb => Tolerance::Exact,
        InputKind::Response | InputKind::Diff => Tolerance::TrailingBlanks,
    }
}

fn expect(
    searches: &HashMap<RelPath, Vec<usize>>,
    changes: &Changes<'_>,
    path: &RelPath,
    text: &mut FileText,
) {
    let Some(indices) = searches.get(path) else { return };
    let changes = indices.iter().filter_map(|&index| changes.list.get(index));
    let kind = changes.clone().next().map_or(InputKind::Response, |change| change.kind);
    let searches = changes.filter_map(|change| match &change.operation {
        Operation::Edit { search, .. } => search.as_deref(),
        Operation::Write { .. } | Operation::Patch(_) | Operation::Broken => None,
    });
    text.expect(searches, tolerance(kind));
}

impl<F: Files> Fold<'_, F> {
    /// Tells a file which texts will be looked for in it, so that one pass can look for many.
    pub(super) fn expect_searches(&self, path: &RelPath, text: &mut FileText) {
        expect(&self.searches, self.changes, path, text);
    }

    /// The file of a slot as text, if there is one.
    fn text(&mut self, slot: usize) -> Option<&mut FileText> {
        let state = self.slots.get_mut(slot)?;
        let Content::Present(file) = &mut state.content else { return None };
        let (text, made) = file.text();
        if made == Made::Now {
            expect(&self.searches, self.changes, &state.path, text);
        }
        Some(text)
    }

    /// Makes a file where there is none.
    fn create_text(&mut self, slot: usize, mut text: FileText) {
        let Some(path) = self.slots.get(slot).map(|slot| slot.path.clone()) else { return };
        self.expect_searches(&path, &mut text);
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.content = Content::of(text);
        }
    }

    pub(super) fn edit(&mut self, index: usize, slot: usize, search: Option<&str>, replace: Option<&str>) {
        let Some(path) = self.slots.get(slot).map(|slot| slot.path.to_string()) else { return };
        if let Some(line) = placeholder::find(replace.unwrap_or(""), search.unwrap_or("").as_bytes()) {
            let span = self.place_of_line(index, line);
            self.report(index, &path, omission(span));
        }
        match (search, replace) {
            (None, None) => {
                let fault =
                    Fault::new(Code::EmptyBlock, "both sections are empty, so that the block does nothing");
                self.fault(index, &path, fault);
            }
            (None, Some(text)) => self.create_or_append(index, slot, &path, text),
            (Some(search), replace) => self.replace(index, slot, &path, search, replace),
        }
    }

    fn create_or_append(&mut self, index: usize, slot: usize, path: &str, text: &str) {
        let kind = self.kind(index);
        let Some(state) = self.slots.get_mut(slot) else { return };
        let touched = state.touched_before(index);
        let fault = match &mut state.content {
            Content::Absent => {
                let mut file = FileText::empty();
                file.append(text);
                return self.create_text(slot, file);
            }
            Content::Present(file) if kind == InputKind::Response => match file.text().0.accepts([text]) {
                Ok(()) => return file.change(|file| file.append(text)),
                Err(error) => Fault::from(error),
            },
            Content::Present(_) if touched => return self.create_not_first(index, slot, path),
            Content::Present(_) => Fault::new(
                Code::CreateExists,
                "the SEARCH section is empty, which creates a file, but the file exists",
            ),
        };
        self.fault(index, path, fault);
    }

    fn create_not_first(&mut self, index: usize, slot: usize, path: &str) {
        let changes = self.slots.get(slot).map(|slot| slot.changes.as_slice()).unwrap_or_default();
        let earlier = changes.iter().rev().copied().find(|&change| change < index).unwrap_or(index);
        let message = format!(
            "an empty SEARCH section creates a file, but this one is there: block {} uses it before",
            earlier + 1
        );
        let found = Diagnostic::new(Code::CreateNotFirst, message);
        let origin = self.changes.list.get(earlier).and_then(|change| change.origin);
        self.report(
            index,
            path,
            match origin {
                Some(origin) => {
                    found.with_related("this is the last block before it that uses the file", origin.anchor)
                }
                None => found,
            },
        );
    }

    fn replace(&mut self, index: usize, slot: usize, path: &str, search: &str, replace: Option<&str>) {
        let tolerance = tolerance(self.kind(index));
        let Some(file) = self.text(slot) else {
            return self.fault(index, path, Fault::new(Code::FileNotFound, "the file does not exist"));
        };
        if let Err(error) = file.accepts([search, replace.unwrap_or("")]) {
            return self.fault(index, path, Fault::from(error));
        }
        match file.replace(search, replace, tolerance) {
            Ok(matched) => {
                let is_empty = file.is_empty();
                if let Some(state) = self.slots.get_mut(slot) {
                    match &mut state.content {
                        // A file that an edit leaves without a byte is deleted.
                        content if is_empty => *content = Content::Absent,
                        Content::Present(file) if matched.effect == Effect::Changed => file.text_changed(),
                        _ => {}
                    }
                }
                self.tell_of_match(index, path, matched);
            }
            Err(error) => {
                let texts = self.changes.list.get(index).and_then(|change| Some(change.origin?.texts));
                let what =
                    if matches!(texts, Some(Texts::Quoted { .. })) { Wanted::Quoted } else { Wanted::Block };
                self.fault(index, path, match_fault(&error, what));
            }
        }
    }

    fn tell_of_match(&mut self, index: usize, path: &str, matched: Matched) {
        if matched.found == Tolerance::TrailingBlanks {
            let message = format!(
                "the text to find is at line {} of the file, but with other spaces or tabs at the ends of lines",
                matched.place.line
            );
            self.report(index, path, Diagnostic::new(Code::TrailingSpaceMatch, message));
        }
        if matched.extent == Extent::PartOfLine {
            let message = format!(
                "the text to find is only a part of line {} of the file; the rest of the line stays",
                matched.place.line
            );
            self.report(index, path, Diagnostic::new(Code::MidLineMatch, message));
        }
        if matched.effect == Effect::None {
            self.no_op(index, path);
        }
    }

    pub(super) fn no_op(&mut self, index: usize, path: &str) {
        self.set_status(index, FileStatus::Unchanged);
        self.report(index, path, Diagnostic::new(Code::NoOp, "the edit leaves the file as it is"));
    }

    pub(super) fn write(&mut self, index: usize, slot: usize, content: &str) {
        let Some(state) = self.slots.get(slot) else { return };
        let path = state.path.to_string();
        let old = state.bytes().unwrap_or_default();
        let omitted = placeholder::find(content, &old);
        let empties = content.is_empty() && !old.is_empty();
        drop(old);
        if let Some(line) = omitted {
            let span = self.place_of_line(index, line);
            self.report(index, &path, omission(span));
        }
        if empties {
            let message = "the block is empty and would empty an existing file";
            return self.fault(index, &path, Fault::new(Code::EmptyBlock, message));
        }
        let Some(state) = self.slots.get_mut(slot) else { return };
        let effect = match &mut state.content {
            Content::Absent => {
                let mut file = FileText::empty();
                file.set(content);
                return self.create_text(slot, file);
            }
            Content::Present(file) => match file.text().0.accepts([content]) {
                Ok(()) => file.change(|file| file.set(content)),
                Err(error) => return self.fault(index, &path, Fault::from(error)),
            },
        };
        match effect {
            Effect::None => self.no_op(index, &path),
            Effect::Changed => self.tell_replaced(index, slot, &path),
        }
    }

    /// Where in the input a line of a change's new text stands, without the white space at its ends: the first such.
    fn place_of_line(&self, index: usize, line: &str) -> Option<Span> {
        let origin = self.changes.list.get(index)?.origin?;
        let within = match origin.texts {
            Texts::Sections { replace, .. } => replace,
            Texts::Quoted { new, .. } => new,
            Texts::None => origin.span,
        };
        let text = self.changes.text?.get(within.start as usize..within.end as usize)?;
        let mut start = within.start;
        for raw in text.split_inclusive('\n') {
            if raw.trim() == line {
                let start = start + offset(raw.len() - raw.trim_start().len());
                return Some(Span::new(start, start + offset(line.len())));
            }
            start += offset(raw.len());
        }
        None
    }

    /// What an earlier change made of a file is lost when a block replaces all of it.
    fn tell_replaced(&mut self, index: usize, slot: usize, path: &str) {
        let changes = self.slots.get(slot).map(|slot| slot.changes.as_slice()).unwrap_or_default();
        if let Some(&earlier) = changes.iter().rev().find(|&&change| change < index) {
            let message = "a later block replaces the whole file, so that nothing of this one is left";
            self.report(earlier, path, Diagnostic::new(Code::NoOp, message));
        }
    }
}

/// What is said of new text with a line that stands for code left out, which is at this place.
pub(super) fn omission(span: Option<Span>) -> Diagnostic {
    let message = "this line of the new text stands for code left out, and would replace that code";
    Diagnostic { span, ..Diagnostic::new(Code::OmissionPlaceholder, message) }
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// A SEARCH section.
    Block,
    /// The text in the quotes of a sentence.
    Quoted,
}

fn match_fault(error: &MatchError, wanted: Wanted) -> Fault {
    match error {
        MatchError::NotFound if wanted == Wanted::Quoted => {
            Fault::new(Code::SearchNotFound, "the quoted text is not in the file")
        }
        MatchError::NotFound => Fault::new(Code::SearchNotFound, "SEARCH block not found in file content"),
        MatchError::BlankLineNotFound { place } => {
            let message =
                "SEARCH block not found in file content; without its blank first or last line it is at line";
            Fault::new(Code::SearchNotFound, format!("{message} {}", place.line))
        }
        MatchError::Ambiguous { count, places } => ambiguous(*count, places, wanted),
    }
}

fn ambiguous(count: Count, places: &[Place], wanted: Wanted) -> Fault {
    let what = match wanted {
        Wanted::Block => "SEARCH block",
        Wanted::Quoted => "the quoted text",
    };
    let (at_least, count) = match count {
        Count::Exactly(count) => ("", count),
        Count::AtLeast(count) => ("at least ", count),
    };
    let lines: Vec<String> = places.iter().map(|place| place.line.to_string()).collect();
    let lines = lines.join(", ");
    Fault::new(
        Code::AmbiguousMatch,
        format!("{what} matches {at_least}{count} places in the file, at lines {lines}"),
    )
}
