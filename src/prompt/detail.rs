//! What helps to mend a fault: the lines of the file, a suggestion, other places.

use std::collections::HashMap;
use std::sync::Arc;

use super::budget::Piece;
use super::quote::{code_line, code_span, sentence};
use super::{MESSAGE, PATH, Run};
use crate::apply::change::Operation;
use crate::apply::files::{Files, LoadedFile};
use crate::diagnostic::{Code, Diagnostic, Related, Suggestion};
use crate::escape::first_line;
use crate::rel_path::RelPath;
use crate::source::{Position, Span};

/// Larger files are not read again to show a part of them.
const LARGEST: u64 = 64 << 20;
/// So many lines of a place are shown.
const LINES: usize = 60;
/// So many characters of a line are shown.
const LINE: usize = 400;
/// So many places of a fault are shown.
const PLACES: usize = 6;
/// So many lines around each of several places are shown, for they are what tells one from the other.
const AROUND: usize = 2;

/// So many lines before and behind the line that a hunk states are shown.
const NEAR: usize = 8;
/// So many lines of a file are shown of which nothing is known.
const FIRST: usize = 40;

/// The details in the order of their use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The lines of the target file.
    Places,
    /// The replacement.
    Suggestion,
    /// The target file where it has no such place.
    File,
    /// Everything else that explains it.
    Others,
}

pub(super) const STEPS: [Step; 4] = [Step::Places, Step::Suggestion, Step::File, Step::Others];

/// Finds the details of faults.
pub(super) struct Details<'a, F> {
    run: &'a Run<'a>,
    files: &'a F,
    loaded: HashMap<String, Option<Arc<LoadedFile>>>,
}

impl<'a, F: Files> Details<'a, F> {
    pub(super) fn new(run: &'a Run<'a>, files: &'a F) -> Self {
        Self { run, files, loaded: HashMap::new() }
    }

    pub(super) fn step(&mut self, step: Step, fault: &Diagnostic) -> Vec<Piece> {
        match step {
            Step::Places => self.places(fault),
            Step::Suggestion => {
                let suggestion = fault.suggestion.as_ref();
                suggestion.map(|suggestion| self.suggestion(fault, suggestion)).into_iter().collect()
            }
            Step::File => self.file(fault).into_iter().collect(),
            Step::Others => self.others(fault),
        }
    }

    /// The places in files, with their lines.
    fn places(&mut self, fault: &Diagnostic) -> Vec<Piece> {
        let around = around(fault.code);
        let mut shown: Vec<(Option<&str>, u64, usize)> = Vec::new();
        let mut pieces = Vec::new();
        for place in outermost(fault).take(PLACES) {
            let Some(excerpt) = self.excerpt(place, around) else { continue };
            let lines = (place.path.as_deref(), excerpt.first, excerpt.lines.len());
            let is_known = shown.contains(&lines);
            pieces.extend(describe(place, excerpt, is_known));
            shown.push(lines);
        }
        pieces
    }

    /// Lines of the target file where the fault names no place in it: a model that is to correct the edit may not have
    /// them before it.
    fn file(&mut self, fault: &Diagnostic) -> Option<Piece> {
        if !needs_file(fault.code) || outermost(fault).next().is_some() {
            return None;
        }
        let stated = self.stated_line(fault);
        let path = fault.path.as_deref()?;
        let file = self.load(path)?;
        let excerpt = Excerpt::around(&file.bytes, stated)?;
        let message = match stated {
            Some(_) => "the file has here",
            None => "the file as it is",
        };
        Some(excerpt.under(path, message))
    }

    /// The line at which a hunk's header says that it starts.
    fn stated_line(&self, fault: &Diagnostic) -> Option<u32> {
        let index = |number: Option<u32>| (number? as usize).checked_sub(1);
        let change = self.run.changes?.list.get(index(fault.block)?)?;
        let Operation::Patch(patch) = &change.operation else { return None };
        patch.hunks.get(index(fault.hunk)?)?.old_start.filter(|&line| line > 0)
    }

    fn excerpt(&mut self, place: &Related, around: usize) -> Option<Excerpt> {
        let (start, end) = place.position?;
        let file = self.load(place.path.as_deref()?)?;
        Excerpt::of(&file.bytes, start, end, around)
    }

    fn load(&mut self, path: &str) -> Option<Arc<LoadedFile>> {
        if let Some(known) = self.loaded.get(path) {
            return known.clone();
        }
        let file = RelPath::new(path).ok().and_then(|path| self.files.load(&path, LARGEST).ok()?.file);
        self.loaded.insert(path.to_owned(), file.clone());
        file
    }

    fn suggestion(&mut self, fault: &Diagnostic, suggestion: &Suggestion) -> Piece {
        let message = first_line(&suggestion.message, MESSAGE);
        let lines: Vec<String> = suggestion.replacement.lines().map(shown).collect();
        let known = outermost(fault).next().and_then(|place| self.excerpt(place, 0));
        if known.is_some_and(|known| known.lines == lines) {
            return Piece::line(format!("Suggestion: {message} (these lines)."));
        }
        match lines.as_slice() {
            [] => Piece::line(format!("Suggestion: {}", sentence(&message))),
            [line] if !line.trim().is_empty() => {
                Piece::line(format!("Suggestion: {message}: {}", code_span(line)))
            }
            _ => Piece::code(format!("Suggestion: {message}:"), lines),
        }
    }

    /// A line of the input, quoted: nobody counts the lines of what he wrote.
    fn quoted(&self, span: Span) -> String {
        let source = self.run.source;
        let line = source.line_index().line(span.start);
        match source.slice(span).lines().next().filter(|text| !text.trim().is_empty()) {
            Some(text) => format!("Line {line} of your reply, {}", code_span(&shown(text))),
            None => format!("Line {line} of your reply"),
        }
    }

    /// The places in the input, and those in files that lie within a place that is shown.
    fn others(&self, fault: &Diagnostic) -> Vec<Piece> {
        let told = fault.span.filter(|_| is_telling(fault.code));
        let mut pieces: Vec<Piece> =
            told.map(|span| Piece::line(self.quoted(span) + ": this is the line.")).into_iter().collect();
        let shown: Vec<&Related> = outermost(fault).take(PLACES).collect();
        for related in
            fault.related.iter().filter(|related| !shown.iter().any(|shown| std::ptr::eq(*shown, *related)))
        {
            let message = sentence(&first_line(&related.message, MESSAGE));
            let line = match (&related.path, related.position) {
                (None, _) => format!("{}: {message}", self.quoted(related.span)),
                (Some(path), Some((start, _))) => {
                    format!("{}, line {}: {message}", code_span(&first_line(path, PATH)), start.line)
                }
                (Some(path), None) => format!("{}: {message}", code_span(&first_line(path, PATH))),
            };
            pieces.push(Piece::line(line));
        }
        pieces
    }
}

/// Whether the line of a fault tells more than where it is.
fn is_telling(code: Code) -> bool {
    matches!(code, Code::OmissionPlaceholder | Code::SuspiciousMarker)
}

/// A place and its lines, unless they are shown already.
fn describe(place: &Related, excerpt: Excerpt, is_known: bool) -> Option<Piece> {
    let message = first_line(&place.message, MESSAGE);
    if is_known {
        let path = code_span(&first_line(place.path.as_deref()?, PATH));
        let line = place.position?.0.line;
        return Some(Piece::line(format!("{path}, line {line}: {}", sentence(&message))));
    }
    Some(excerpt.under(place.path.as_deref()?, &message))
}

/// Whether the edit cannot be corrected without lines of its file.
fn needs_file(code: Code) -> bool {
    matches!(
        code,
        Code::SearchNotFound
            | Code::HunkNotFound
            | Code::AmbiguousHunk
            | Code::EmptyBlock
            | Code::CreateExists
            | Code::CreateNotFirst
    )
}

/// The places in files that lie within no place before them.
fn outermost(fault: &Diagnostic) -> impl Iterator<Item = &Related> {
    let mut last: Option<&Related> = None;
    fault.related.iter().filter(move |related| {
        let is_new = related.path.is_some()
            && related.position.is_some()
            && last.is_none_or(|last| last.path != related.path || !last.span.contains(related.span));
        if is_new {
            last = Some(*related);
        }
        is_new
    })
}

/// How many lines around its places a fault needs.
fn around(code: Code) -> usize {
    match code {
        Code::AmbiguousMatch | Code::AmbiguousHunk => AROUND,
        _ => 0,
    }
}

/// Lines of a file.
struct Excerpt {
    /// The number of the first one, from 1.
    first: u64,
    lines: Vec<String>,
}

impl Excerpt {
    /// The lines around a line (from 1); without one the first lines.
    fn around(bytes: &[u8], line: Option<u32>) -> Option<Self> {
        let skipped = line.map_or(0, |line| (line as usize).saturating_sub(1 + NEAR));
        let most = if line.is_some() { 2 * NEAR + 1 } else { FIRST };
        let mut starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        let text = bytes.get(starts.nth(skipped)?..)?;
        let mut to = 0;
        for _ in 0..most {
            to = line_end(text, to);
        }
        let text = String::from_utf8_lossy(text.get(..to)?);
        let lines: Vec<String> = text.lines().map(shown).collect();
        Some(Self { first: skipped as u64 + 1, lines }).filter(|excerpt| !excerpt.lines.is_empty())
    }

    /// The lines below a line that says where they are.
    fn under(self, path: &str, message: &str) -> Piece {
        let path = code_span(&first_line(path, PATH));
        let (first, last) = (self.first, self.first + self.lines.len() as u64 - 1);
        let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
        Piece::code(format!("{path}, {lines}: {message}:"), self.lines)
    }

    /// The lines from a start to an end, with some before and behind; `None` when the file has no such place any more.
    fn of(bytes: &[u8], start: Position, end: Position, around: usize) -> Option<Self> {
        let before = bytes.get(..start.offset as usize)?;
        let mut from = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let mut first = u64::from(start.line);
        for _ in 0..around {
            let Some(above) = from.checked_sub(1).and_then(|end| bytes.get(..end)) else { break };
            from = memchr::memrchr(b'\n', above).map_or(0, |at| at + 1);
            first -= 1;
        }
        // A place that ends behind a line ending ends with that line.
        let last = if end.offset > start.offset { end.offset - 1 } else { end.offset };
        let mut to = line_end(bytes, last as usize);
        for _ in 0..around {
            if to < bytes.len() {
                to = line_end(bytes, to);
            }
        }
        let text = String::from_utf8_lossy(bytes.get(from..to)?);
        let lines: Vec<String> = text.lines().take(LINES).map(shown).collect();
        Some(Self { first, lines }).filter(|excerpt| !excerpt.lines.is_empty())
    }
}

/// The end of the line that has this offset, its line ending included.
fn line_end(bytes: &[u8], offset: usize) -> usize {
    let rest = bytes.get(offset..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| offset + at + 1)
}

/// A line of code, visible and of bounded length.
fn shown(line: &str) -> String {
    match line.char_indices().nth(LINE).and_then(|(at, _)| line.get(..at)) {
        Some(start) => format!("{}...", code_line(start)),
        None => code_line(line),
    }
}
