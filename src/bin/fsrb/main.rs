//! The command `fsrb`: reads an input, applies its changes to the files under a directory, and reports.
//!
//! It sees only the public API of the library: arguments in, one call after the other, the report out.

mod args;
mod generate;
mod input;
mod output;
mod signals;
mod tree;

use std::process::ExitCode;

use code_parser::apply::report::{Outcome, Report};
use code_parser::diagnostic::Diagnostic;
use code_parser::source::Source;
use code_parser::{explain, parse};

use crate::args::{Args, Topic};
use crate::input::InputError;
use crate::output::Answer;

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExitStatus {
    /// Everything was applied, or would be, or there was nothing wrong.
    Success = 0,
    /// Refused or failed; no file has changed, with keep-going none of those that failed.
    Failure = 1,
    /// The arguments are wrong.
    Usage = 2,
    /// An interrupted commit could not be settled.
    Pending = 3,
}

impl ExitStatus {
    fn of(report: &Report) -> Self {
        match report.outcome {
            Outcome::Applied | Outcome::Planned | Outcome::Recovered => Self::Success,
            Outcome::Parsed if !report.diagnostics.iter().any(Diagnostic::is_error) => Self::Success,
            Outcome::Pending => Self::Pending,
            _ => Self::Failure,
        }
    }
}

fn main() -> ExitCode {
    let status = match Args::read() {
        Ok(args) => run(&args),
        Err(error) => {
            let _ = error.print();
            if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success }
        }
    };
    ExitCode::from(status as u8)
}

fn run(args: &Args) -> ExitStatus {
    if let Some(topic) = args.explain {
        return tell(match topic {
            Topic::List => explain::list(),
            Topic::Code(code) => explain::page(code),
        });
    }
    if let Some(what) = args.generate {
        return tell(generate::generate(what));
    }
    if let Some(how) = args.recover() {
        let report = tree::recover(args, how);
        return finish(
            args,
            &Answer { report, source: &Source::default(), changes: None, document: None, plan: None },
        );
    }
    let text = match input::read(args) {
        Ok(text) => text,
        Err(error) => return refuse(args, &error),
    };
    match Source::new(&text) {
        Ok(source) => take(args, &source),
        Err(_) => refuse(args, &InputError::TooLarge),
    }
}

/// Prints a text that is all that was asked for.
fn tell(text: String) -> ExitStatus {
    match output::say(&text) {
        Ok(()) => ExitStatus::Success,
        Err(error) => {
            output::complain(&format!("fsrb: standard output cannot be written: {error}\n"));
            ExitStatus::Failure
        }
    }
}

/// Ends a run that found no text to parse.
fn refuse(args: &Args, error: &InputError) -> ExitStatus {
    let source = Source::new(error.text()).unwrap_or_default();
    let diagnostics = vec![error.diagnostic()];
    let report = Report { outcome: Outcome::Refused, files: Vec::new(), diagnostics, blocks: 0 };
    finish(args, &Answer { report, source: &source, changes: None, document: None, plan: None })
}

/// Parses the text and, unless that was all, applies its changes.
fn take(args: &Args, source: &Source<'_>) -> ExitStatus {
    let parsed = parse(source, args.kind());
    if args.parse {
        let report = Report {
            outcome: Outcome::Parsed,
            files: Vec::new(),
            diagnostics: parsed.diagnostics.clone(),
            blocks: parsed.document.changes().len(),
        };
        let document = Some(&parsed.document);
        return finish(args, &Answer { report, source, changes: None, document, plan: None });
    }
    let changes = parsed.changes();
    let (report, plan) = tree::apply(args, &changes);
    finish(args, &Answer { report, source, changes: Some(&changes), document: None, plan })
}

/// Prints the answer. The exit status tells what became of the files, whether or not the report can be written.
fn finish(args: &Args, answer: &Answer<'_>) -> ExitStatus {
    let status = ExitStatus::of(&answer.report);
    match output::print(args, answer) {
        Ok(()) => status,
        Err(error) => {
            output::complain(&format!("fsrb: standard output cannot be written: {error}\n"));
            match answer.report.outcome {
                Outcome::Parsed | Outcome::Planned => ExitStatus::Failure, // nobody has what was asked for
                _ => status,
            }
        }
    }
}
