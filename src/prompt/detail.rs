//! What helps to mend a fault: the lines of the file, a suggestion, other places.

use std::collections::HashMap;
use std::sync::Arc;

use super::budget::Piece;
use super::quote::{code_line, code_span, sentence};
use super::{MESSAGE, PATH};
use crate::apply::files::{Files, LoadedFile};
use crate::diagnostic::{Code, Diagnostic, Related, Suggestion};
use crate::escape::first_line;
use crate::rel_path::RelPath;
use crate::source::{Position, Source};

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

/// The details in the order of their use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The lines of the target file.
    Places,
    /// The replacement.
    Suggestion,
    /// Everything else that explains it.
    Others,
}

pub(super) const STEPS: [Step; 3] = [Step::Places, Step::Suggestion, Step::Others];

/// Finds the details of faults.
pub(super) struct Details<'a, F> {
    source: &'a Source<'a>,
    files: &'a F,
    loaded: HashMap<String, Option<Arc<LoadedFile>>>,
}

impl<'a, F: Files> Details<'a, F> {
    pub(super) fn new(source: &'a Source<'a>, files: &'a F) -> Self {
        Self { source, files, loaded: HashMap::new() }
    }

    pub(super) fn step(&mut self, step: Step, fault: &Diagnostic) -> Vec<Piece> {
        match step {
            Step::Places => self.places(fault),
            Step::Suggestion => {
                let suggestion = fault.suggestion.as_ref();
                suggestion.map(|suggestion| self.suggestion(fault, suggestion)).into_iter().collect()
            }
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

    /// The line of the input that a fault is about: nobody counts the lines of what he wrote.
    fn quoted(&self, fault: &Diagnostic) -> Option<Piece> {
        let span = fault.span.filter(|span| is_telling(fault.code) && !span.is_empty())?;
        let line = self.source.line_index().line(span.start);
        let text = shown(self.source.slice(span).lines().next()?);
        Some(Piece::line(format!("Line {line} of your reply: {}", code_span(&text))))
    }

    /// The places in the input, and those in files that lie within a place that is shown.
    fn others(&self, fault: &Diagnostic) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = self.quoted(fault).into_iter().collect();
        let shown: Vec<&Related> = outermost(fault).take(PLACES).collect();
        for related in
            fault.related.iter().filter(|related| !shown.iter().any(|shown| std::ptr::eq(*shown, *related)))
        {
            let message = sentence(&first_line(&related.message, MESSAGE));
            let line = match (&related.path, related.position) {
                (None, _) => {
                    let line = self.source.line_index().line(related.span.start);
                    format!("Line {line} of your reply: {message}")
                }
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
    let path = code_span(&first_line(place.path.as_deref()?, PATH));
    let message = first_line(&place.message, MESSAGE);
    if is_known {
        let line = place.position?.0.line;
        return Some(Piece::line(format!("{path}, line {line}: {}", sentence(&message))));
    }
    let (first, last) = (excerpt.first, excerpt.first + excerpt.lines.len() as u64 - 1);
    let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
    Some(Piece::code(format!("{path}, {lines}: {message}:"), excerpt.lines))
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
