//! Diagnostics as a compiler prints them: a line `file:line:column: error[code]: message`, then the lines of the
//! input that it is about.

use std::fmt::Write;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use code_parser::diagnostic::{Diagnostic, Related, Severity, Suggestion};
use code_parser::source::{Source, Span};

use code_parser::escape::escape;

/// So many diagnostics are printed; a reader helps himself to the rest with `--format json`.
const SHOWN: usize = 50;
/// So many related places of one diagnostic are printed.
const RELATED_SHOWN: usize = 5;
/// So many lines of a suggestion are printed on either side.
const REWRITE_SHOWN: usize = 20;
/// So many characters of a line are shown on either side of where a mark starts and ends.
const MARGIN: usize = 120;

/// Prints the diagnostics of one input.
pub(crate) struct Excerpts<'s> {
    /// The input's name.
    pub(crate) input: &'s str,
    /// The input.
    pub(crate) source: &'s Source<'s>,
    /// Whether colours are printed.
    pub(crate) colours: Colours,
}

/// Whether colours are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    /// They are.
    On,
    /// They are not.
    Off,
}

impl Colours {
    fn renderer(self) -> Renderer {
        match self {
            Self::On => Renderer::styled(),
            Self::Off => Renderer::plain(),
        }
    }

    /// `help:`, as the excerpts have it.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::On => "\u{1b}[1;96mhelp\u{1b}[0m:",
            Self::Off => "help:",
        }
    }

    /// The text in the colour of a severity.
    fn paint(self, severity: Severity, text: &str) -> String {
        let colour = match (self, severity) {
            (Self::Off, _) => return text.to_owned(),
            (Self::On, Severity::Error) => 91,
            (Self::On, Severity::Warning) => 33,
            (Self::On, Severity::Note) => 92,
        };
        format!("\u{1b}[1;{colour}m{text}\u{1b}[0m")
    }
}

impl Excerpts<'_> {
    /// The diagnostics in their order, errors before others: these may be but their consequence.
    pub(crate) fn print(&self, diagnostics: &[Diagnostic]) -> String {
        let mut text = String::new();
        let (errors, others): (Vec<_>, Vec<_>) = diagnostics.iter().partition(|found| found.is_error());
        for diagnostic in errors.into_iter().chain(others).take(SHOWN) {
            self.push(&mut text, diagnostic);
        }
        let left_out = diagnostics.len().saturating_sub(SHOWN);
        if left_out > 0 {
            let _ = writeln!(text, "... and {left_out} more, which --format json prints\n");
        }
        text
    }

    fn push(&self, text: &mut String, diagnostic: &Diagnostic) {
        let level = level(diagnostic.severity);
        let head = self.head(diagnostic);
        let mut groups = Vec::new();
        if let Some(snippet) = self.snippet(diagnostic.span, AnnotationKind::Primary) {
            groups.push(Group::with_level(level).element(snippet));
        }
        let _ = writeln!(text, "{head}");
        for related in diagnostic.related.iter().take(RELATED_SHOWN) {
            groups.push(self.related(related));
        }
        if let Some(left_out) = diagnostic.related.len().checked_sub(RELATED_SHOWN).filter(|&left| left > 0) {
            groups
                .push(Group::with_title(Level::NOTE.secondary_title(format!("and {left_out} more places"))));
        }
        let rewrites = diagnostic.suggestion.as_ref().filter(|suggestion| self.is_of_lines(suggestion));
        if let (Some(suggestion), None) = (&diagnostic.suggestion, rewrites) {
            let advice = format!("{}: `{}`", escape(&suggestion.message), escape(&suggestion.replacement));
            let title = Level::HELP.secondary_title(advice);
            groups.push(
                Group::with_title(title)
                    .elements(self.snippet(Some(suggestion.span), AnnotationKind::Context)),
            );
        }
        if !groups.is_empty() {
            let _ = writeln!(text, "{}", self.colours.renderer().render(&groups));
        }
        if let Some(suggestion) = rewrites {
            self.push_rewrite(text, suggestion);
        }
        text.push('\n');
    }

    /// Whether a suggestion is about more than a part of one line.
    fn is_of_lines(&self, suggestion: &Suggestion) -> bool {
        suggestion.replacement.contains('\n') || self.source.slice(suggestion.span).contains('\n')
    }

    /// A suggestion about whole lines, as a diff of them without the lines that stay at both ends.
    fn push_rewrite(&self, text: &mut String, suggestion: &Suggestion) {
        let old: Vec<&str> = self.source.slice(suggestion.span).lines().collect();
        let new: Vec<&str> = suggestion.replacement.lines().collect();
        let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let most = old.len().min(new.len()) - start;
        let end =
            old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
        let first = self.source.line_index().line(suggestion.span.start) as usize + start;
        let _ = writeln!(text, "help: {}, from line {first} on:", escape(&suggestion.message));
        for (sign, lines) in [('-', old), ('+', new)] {
            let lines = lines.get(start..lines.len() - end).unwrap_or_default();
            for line in lines.iter().take(REWRITE_SHOWN) {
                let _ = write!(text, "  {sign} ");
                push_clipped(text, line, Clip::Right);
                text.push('\n');
            }
            if let Some(more) = lines.len().checked_sub(REWRITE_SHOWN).filter(|&more| more > 0) {
                let _ = writeln!(text, "  {sign} ... and {more} more lines");
            }
        }
    }

    /// `file:line:column: error[code]: message`, and the target file in parentheses.
    fn head(&self, diagnostic: &Diagnostic) -> String {
        let mut head = escape(self.input).into_owned();
        if let Some(span) = diagnostic.span {
            let place = self.source.position(span.start);
            let _ = write!(head, ":{}:{}", place.line, place.column);
        }
        let what = format!("{}[{}]", diagnostic.severity, diagnostic.code);
        let what = self.colours.paint(diagnostic.severity, &what);
        let _ = write!(head, ": {what}: {}", escape(&diagnostic.message_for_person()));
        if let Some(path) = &diagnostic.path {
            let _ = write!(head, " ({})", escape(path));
        }
        head
    }

    fn related<'a>(&self, related: &'a Related) -> Group<'a> {
        let message = escape(&related.message);
        match (&related.path, related.position) {
            (Some(path), Some((start, _))) => {
                let title = format!("{}:{}:{}: {message}", escape(path), start.line, start.column);
                Group::with_title(Level::NOTE.secondary_title(title))
            }
            (Some(path), None) => {
                Group::with_title(Level::NOTE.secondary_title(format!("{}: {message}", escape(path))))
            }
            (None, _) => Group::with_title(Level::NOTE.secondary_title(message))
                .elements(self.snippet(Some(related.span), AnnotationKind::Context)),
        }
    }

    /// The line on which the span starts, marked, with the line before and the two after.
    fn snippet(
        &self,
        span: Option<Span>,
        kind: AnnotationKind,
    ) -> Option<Snippet<'static, Annotation<'static>>> {
        let (source, span) = (self.source, span?);
        let index = source.line_index();
        let marked = index.line(span.start);
        let first = marked.saturating_sub(1).max(1);
        let mut window = String::new();
        let mut mark = 0..0;
        for number in first..=marked.saturating_add(2) {
            let Some(line) = line_span(source, number) else { break };
            if number == marked {
                mark = push_marked_line(&mut window, source, line, span);
            } else {
                push_clipped(&mut window, source.slice(line), Clip::Right);
            }
            window.push('\n');
        }
        let snippet = Snippet::source(window).line_start(first as usize).fold(false);
        Some(snippet.annotation(kind.span(mark)))
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The text of a line (from 1), its ending not included.
fn line_span(source: &Source<'_>, number: u32) -> Option<Span> {
    let index = source.line_index();
    let start = index.line_start(number)?;
    let next = number.checked_add(1).and_then(|number| index.line_start(number));
    let line = Span::new(start, next.unwrap_or(source.end()));
    if line.is_empty() && next.is_none() && number > 1 {
        return None; // nothing follows the last line ending
    }
    let text = source.slice(line);
    let text = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
    Some(Span::new(start, start + u32::try_from(text.len()).unwrap_or(0)))
}

/// Appends a line and returns where in `window` the part of it that lies in `span` is.
///
/// The mark is measured on the escaped text, so that it always lies on character boundaries and under its text.
fn push_marked_line(
    window: &mut String,
    source: &Source<'_>,
    line: Span,
    span: Span,
) -> std::ops::Range<usize> {
    let start = span.start.clamp(line.start, line.end);
    let end = span.end.clamp(start, line.end);
    push_clipped(window, source.slice(Span::new(line.start, start)), Clip::Left);
    let from = window.len();
    push_clipped(window, source.slice(Span::new(start, end)), Clip::Right);
    let to = window.len();
    push_clipped(window, source.slice(Span::new(end, line.end)), Clip::Right);
    from..to
}

enum Clip {
    Left,
    Right,
}

/// Appends the text, escaped but for tabs, and at most `MARGIN` characters of it: a line can have a million.
fn push_clipped(window: &mut String, text: &str, clip: Clip) {
    let boundary = match clip {
        Clip::Left => text.char_indices().rev().nth(MARGIN).map(|(at, character)| at + character.len_utf8()),
        Clip::Right => text.char_indices().nth(MARGIN).map(|(at, _)| at),
    };
    let (before, shown, after) = match (boundary.and_then(|at| text.split_at_checked(at)), clip) {
        (None, _) => ("", text, ""),
        (Some((_, shown)), Clip::Left) => ("...", shown, ""),
        (Some((shown, _)), Clip::Right) => ("", shown, "..."),
    };
    window.push_str(before);
    for (number, part) in shown.split('\t').enumerate() {
        if number > 0 {
            window.push('\t');
        }
        window.push_str(&escape(part));
    }
    window.push_str(after);
}

#[cfg(test)]
mod tests;
