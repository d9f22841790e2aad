//! [`prompt`]: the text to send back to the model that wrote an input, so that its next one applies.
//!
//! It says what became of the edits, which of them are wrong and why, what the files really hold there, and what to
//! send again. Everything that comes from the input or from a file is quoted, so that it cannot be taken for a part of
//! the text: fences are longer than any run within them, and characters that are not seen are spelt out.

mod budget;
mod detail;
mod quote;
mod verdict;

use crate::apply::change::Changes;
use crate::apply::files::Files;
use crate::apply::plan::Plan;
use crate::apply::report::Report;
use crate::diagnostic::Diagnostic;
use crate::escape::{escape, first_line};
use crate::explain::Remedy;
use crate::source::Source;

use self::budget::{Page, Piece};
use self::detail::Details;
use self::quote::{code_span, sentence};
use self::verdict::verdict;

/// So many bytes are a good length for most models.
pub const DEFAULT_BUDGET: usize = 4000;
/// So many characters of a path are shown.
const PATH: usize = 200;
/// So many characters of a message are shown.
const MESSAGE: usize = 500;

/// What a text is made from.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// How it ended.
    pub report: &'a Report,
    /// The input.
    pub source: &'a Source<'a>,
    /// Its changes, when it came to them.
    pub changes: Option<&'a Changes<'a>>,
    /// What was planned. With [`Scope::EachFile`](crate::apply::plan::Scope) it tells which edits need not be sent again.
    pub plan: Option<&'a Plan>,
}

/// The text to send back, of at most `budget` bytes.
///
/// It is cut at whole lines, the most useful lines last: first goes what became of the whole, then a line for each
/// fault, and only then what helps to mend them, in the order of the faults. The lines of the target files are read
/// from `files`. The same arguments give the same bytes, and no path in them is absolute unless the input has one.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use code_parser::apply::plan::{Options, Plan};
/// use code_parser::apply::report::Report;
/// use code_parser::ast::InputKind;
/// use code_parser::prompt::{DEFAULT_BUDGET, Run, prompt};
/// use code_parser::source::Source;
/// use code_parser::{RelPath, parse};
///
/// let files = BTreeMap::from([(RelPath::new("a.py")?, b"x = 1\n".to_vec())]);
/// let source = Source::new("a.py\n<<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n")?;
/// let changes = parse(&source, InputKind::Response).changes();
/// let refusal = Plan::new(&changes, &files, &Options::default()).unwrap_err();
/// let report = Report::from(refusal);
/// let run = Run { report: &report, source: &source, changes: Some(&changes), plan: None };
/// let text = prompt(&run, &files, DEFAULT_BUDGET);
/// assert!(text.starts_with("The edit was not applied"));
/// assert!(text.contains("Edit 1 (`a.py`, line 2 of your reply): search-not-found: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prompt(run: &Run<'_>, files: &impl Files, budget: usize) -> String {
    let faults: Vec<&Diagnostic> = run.report.diagnostics.iter().filter(|found| found.is_error()).collect();
    let others: Vec<&Diagnostic> = run.report.diagnostics.iter().filter(|found| !found.is_error()).collect();
    let mut page = Page::new(budget, faults.len());
    for line in verdict(run, &faults) {
        page.push_head(line);
    }
    for (number, fault) in faults.iter().enumerate() {
        if !page.push(number, Piece::line(headline(fault, run.source))) {
            break;
        }
    }
    let mut details = Details::new(run, files);
    for step in detail::STEPS {
        for (number, fault) in faults.iter().enumerate() {
            if page.is_full() {
                break;
            }
            for piece in details.step(step, fault) {
                page.push(number, piece);
            }
        }
    }
    for line in advice(&faults) {
        page.push_tail(line);
    }
    for line in notes(&others, faults.is_empty(), run.source) {
        if page.is_full() {
            break;
        }
        page.push_tail(line);
    }
    page.finish()
}

/// `Edit 2, hunk 1 (path, line 3 of your reply): code: message.`
fn headline(found: &Diagnostic, source: &Source<'_>) -> String {
    let path = found.path.as_deref().map(|path| code_span(&escape(&first_line(path, PATH))));
    let line = found.span.map(|span| format!("line {} of your reply", source.line_index().line(span.start)));
    let place = [path, line].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let edit = match (found.block, found.hunk) {
        (Some(block), Some(hunk)) => Some(format!("Edit {block}, hunk {hunk}")),
        (Some(block), None) => Some(format!("Edit {block}")),
        (None, _) => None,
    };
    let what = format!("{}: {}", found.code, sentence(&first_line(&found.message, MESSAGE)));
    match (edit, place.as_str()) {
        (Some(edit), "") => format!("{edit}: {what}"),
        (Some(edit), place) => format!("{edit} ({place}): {what}"),
        (None, "") => format!("As a whole: {what}"),
        (None, place) => {
            format!("{}: {what}", place.replacen("line", "Line", usize::from(place.starts_with("line"))))
        }
    }
}

/// What to do about the faults, each remedy once.
fn advice(faults: &[&Diagnostic]) -> Vec<String> {
    let mut told: Vec<&Remedy> = Vec::new();
    let mut lines = Vec::new();
    for fault in faults {
        let remedy = fault.remedy();
        if !told.contains(&remedy) {
            told.push(remedy);
            lines.push(format!("To mend {}: {}", fault.code, remedy.model));
        }
    }
    lines
}

/// A line for each finding that is no error, where there is no error with what to do about it, each remedy once.
fn notes<'a>(
    others: &'a [&Diagnostic],
    is_done: bool,
    source: &'a Source<'_>,
) -> impl Iterator<Item = String> + 'a {
    let mut told: Vec<&Remedy> = Vec::new();
    others.iter().map(move |other| {
        let remedy = other.remedy();
        let line = format!("Note: {}", headline(other, source));
        if !is_done || told.contains(&remedy) {
            return line;
        }
        told.push(remedy);
        format!("{line} {}", remedy.model)
    })
}

#[cfg(test)]
mod tests;
