//! How results are printed: as text for people and models, or as JSON for programs.

mod excerpt;
mod help;
mod human;
mod items;
mod json;
mod parsed;
mod sarif;

use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal, Write};

use code_parser::Changes;
use code_parser::apply::fs::Root;
use code_parser::apply::plan::Plan;
use code_parser::apply::report::Report;
use code_parser::ast::Document;
use code_parser::diff::{self, Audience};
use code_parser::prompt::{Run, prompt};
use code_parser::source::Source;

use self::excerpt::{Colours, Excerpts};
use self::human::{Mode, Subject};
use crate::args::{Args, Color, Format};

/// Everything that a run has to say.
pub(crate) struct Answer<'a> {
    /// How it ended.
    pub(crate) report: Report,
    /// The input, up to its first fault when it is not text.
    pub(crate) source: &'a Source<'a>,
    /// Its changes, when it came to them.
    pub(crate) changes: Option<&'a Changes<'a>>,
    /// What was parsed, when only that was asked for.
    pub(crate) document: Option<&'a Document>,
    /// What was or would be written.
    pub(crate) plan: Option<Plan>,
}

/// Prints an answer.
///
/// # Errors
///
/// The first error in writing to standard output. A reader that has gone away is none.
pub(crate) fn print(args: &Args, answer: &Answer<'_>) -> io::Result<()> {
    match args.format {
        Format::Human => print_human(args, answer),
        Format::Json => {
            print_diff_aside(args, answer);
            say_bytes(&json::report(&answer.report, answer.source, answer.document))
        }
        Format::Sarif => {
            print_diff_aside(args, answer);
            say_bytes(&sarif::report(&answer.report, answer.source, &args.input_name()))
        }
        Format::Prompt => {
            print_diff_aside(args, answer);
            say(&prompt_text(args, answer))
        }
    }
}

fn print_human(args: &Args, answer: &Answer<'_>) -> io::Result<()> {
    let input = args.input_name();
    let colours = if coloured(args.color, &io::stderr()) { Colours::On } else { Colours::Off };
    let excerpts = Excerpts { input: &input, source: answer.source, colours };
    complain(&excerpts.print(&answer.report.diagnostics));
    let mut text = Vec::new();
    if let Some(plan) = answer.plan.as_ref().filter(|_| args.diff) {
        text = diff::unified(plan.files(), audience(args.color, &io::stdout()));
        if !text.is_empty() {
            text.push(b'\n');
        }
    }
    let subject = Subject { input: &input, source: answer.source, changes: answer.changes };
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Real };
    let report = match answer.document {
        Some(document) => parsed::report(&answer.report, document, subject),
        None => human::report(&answer.report, mode, subject),
    };
    text.extend_from_slice(report.as_bytes());
    let written = write(io::stdout().lock(), &text);
    let root = std::path::absolute(&args.root).ok();
    let root = root.as_deref().map(|root| root.to_string_lossy());
    complain(&help::help(&answer.report, root.as_deref(), colours));
    written
}

/// The diff on standard error, where standard output is for programs.
fn print_diff_aside(args: &Args, answer: &Answer<'_>) {
    if let Some(plan) = answer.plan.as_ref().filter(|_| args.diff) {
        let text = diff::unified(plan.files(), audience(args.color, &io::stderr()));
        let _ = write(io::stderr().lock(), &text);
    }
}

fn prompt_text(args: &Args, answer: &Answer<'_>) -> String {
    let run = Run {
        report: &answer.report,
        source: answer.source,
        changes: answer.changes,
        plan: answer.plan.as_ref(),
    };
    match Root::open(&args.root) {
        Ok(root) if !args.parse => prompt(&run, &root, args.budget()),
        _ => prompt(&run, &BTreeMap::new(), args.budget()),
    }
}

/// Writes to standard output.
///
/// # Errors
///
/// The first error in writing. A reader that has gone away is none.
pub(crate) fn say(text: &str) -> io::Result<()> {
    say_bytes(text.as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    write(io::stdout().lock(), bytes)
}

/// Writes to standard error. When that cannot be written to, there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let _ = write(io::stderr().lock(), text.as_bytes());
}

/// Writes all of it; a reader that has gone away has seen enough.
fn write(mut stream: impl Write, bytes: &[u8]) -> io::Result<()> {
    match stream.write_all(bytes).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn coloured(color: Color, stream: &impl IsTerminal) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
            stream.is_terminal() && !set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

fn audience(color: Color, stream: &impl IsTerminal) -> Audience {
    if coloured(color, stream) {
        Audience::Coloured
    } else if stream.is_terminal() {
        Audience::Plain
    } else {
        Audience::Program
    }
}
