//! The report as one JSON object on one line: `{"schema": 1, ...}`.
//!
//! The same input gives the same bytes. Characters that act without being seen are written as `\uXXXX`, so that the
//! line is one line for every reader and harmless on a terminal.

use std::borrow::Cow;
use std::io;

use code_parser::apply::report::Report;
use code_parser::ast::Document;
use code_parser::diagnostic::{Diagnostic, Related};
use code_parser::source::{Position, Positions, Source, Span};
use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter};

use super::items::{self, Item};
use code_parser::escape::is_hidden;

/// A change of the contract below that a reader must know of gives it another number.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Root<'a> {
    schema: u32,
    outcome: &'static str,
    files: Vec<File<'a>>,
    diagnostics: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<Item<'a>>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    status: &'static str,
    detail: Option<&'a str>,
}

#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    code: &'static str,
    message: Cow<'a, str>,
    block: Option<u32>,
    hunk: Option<u32>,
    path: Option<&'a str>,
    span: Option<Range>,
    related: Vec<Place<'a>>,
    suggestion: Option<Advice<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    message: &'a str,
    path: Option<&'a str>,
    span: Range,
}

#[derive(Serialize)]
struct Advice<'a> {
    message: &'a str,
    span: Range,
    replacement: &'a str,
}

/// A span as an editor wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Range {
    start: Point,
    end: Point,
}

/// A position as an editor wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Point {
    /// Bytes from 0.
    offset: u32,
    /// From 1.
    line: u32,
    /// Characters from 1.
    column: u32,
    /// UTF-16 code units from 1.
    utf16: u32,
}

impl Point {
    /// The start of a text.
    const FIRST: Self = Self { offset: 0, line: 1, column: 1, utf16: 1 };
}

impl From<Position> for Point {
    fn from(position: Position) -> Self {
        Self { offset: position.offset, line: position.line, column: position.column, utf16: position.utf16 }
    }
}

impl Range {
    fn new(start: Position, end: Position) -> Self {
        Self { start: start.into(), end: end.into() }
    }

    /// The range of a span of the input.
    pub(super) fn of(span: Span, positions: &Positions) -> Self {
        Self::new(positions.of(span.start), positions.of(span.end))
    }
}

/// The object, with a line ending behind it. `document` is given for a run that only parses.
pub(crate) fn report(report: &Report, source: &Source<'_>, document: Option<&Document>) -> Vec<u8> {
    let mut spans = Vec::new();
    for diagnostic in &report.diagnostics {
        spans.extend(diagnostic.span);
        spans.extend(diagnostic.related.iter().filter(|related| related.path.is_none()).map(|r| r.span));
        spans.extend(diagnostic.suggestion.iter().map(|suggestion| suggestion.span));
    }
    if let Some(document) = document {
        items::collect_spans(&document.nodes, &mut spans);
    }
    let positions = Positions::new(source, &spans);
    let files = report.files.iter().map(|file| File {
        path: &file.path,
        status: file.status.as_str(),
        detail: file.detail.as_deref(),
    });
    let root = Root {
        schema: SCHEMA,
        outcome: report.outcome.as_str(),
        files: files.collect(),
        diagnostics: report.diagnostics.iter().map(|found| finding(found, &positions)).collect(),
        items: document.map(|document| items::items(&document.nodes, source, &positions)),
    };
    to_line(&root)
}

fn finding<'a>(diagnostic: &'a Diagnostic, positions: &Positions) -> Finding<'a> {
    Finding {
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code.as_str(),
        message: diagnostic.message_for_person(),
        block: diagnostic.block,
        hunk: diagnostic.hunk,
        path: diagnostic.path.as_deref(),
        span: diagnostic.span.map(|span| Range::of(span, positions)),
        related: diagnostic.related.iter().map(|related| place(related, positions)).collect(),
        suggestion: diagnostic.suggestion.as_ref().map(|suggestion| Advice {
            message: &suggestion.message,
            span: Range::of(suggestion.span, positions),
            replacement: &suggestion.replacement,
        }),
    }
}

/// A place in the input, or in the file whose positions it brings along.
fn place<'a>(related: &'a Related, positions: &Positions) -> Place<'a> {
    let span = match (&related.path, related.position) {
        (None, _) => Range::of(related.span, positions),
        (Some(_), Some((start, end))) => Range::new(start, end),
        // What is said of the file as a whole.
        (Some(_), None) => Range { start: Point::FIRST, end: Point::FIRST },
    };
    Place { message: &related.message, path: related.path.as_deref(), span }
}

pub(super) fn to_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut line, Visible);
    // Writing to memory fails for no value that has only string keys.
    if value.serialize(&mut serializer).is_err() {
        line.clear();
    }
    line.push(b'\n');
    line
}

/// Compact, with hidden characters escaped.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((before, hidden, after)) = split_at_hidden(rest) {
            writer.write_all(before.as_bytes())?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = after;
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        serde_json::ser::CompactFormatter.write_char_escape(writer, escape)
    }
}

fn split_at_hidden(text: &str) -> Option<(&str, char, &str)> {
    let at = text.find(is_hidden)?;
    let (before, from) = text.split_at_checked(at)?;
    let mut characters = from.chars();
    let hidden = characters.next()?;
    Some((before, hidden, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_come_back() {
        let text = "a\u{202e}b\u{e0041}\u{2028}\u{85}\u{7f}\u{0}\n\"\\\u{fc}\u{1f600}";
        let line = String::from_utf8(to_line(&text)).unwrap();
        assert_eq!(
            line,
            "\"a\\u202eb\\udb40\\udc41\\u2028\\u0085\\u007f\\u0000\\n\\\"\\\\\u{fc}\u{1f600}\"\n"
        );
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
    }
}
