//! What ends the report for people: how to mend each kind of fault, and where there is more to read.

use std::fmt::Write;

use code_parser::apply::report::{Outcome, Report};
use code_parser::diagnostic::{Code, Diagnostic};
use code_parser::escape::escape;
use code_parser::explain::Remedy;

use super::excerpt::Colours;

/// So many codes are named where there is more to read.
const NAMED: usize = 3;

/// A line for each remedy of the gravest diagnostics, in their order, what became of the files, and where there is more;
/// nothing where there is no diagnostic. What mends a warning may be wrong as long as there is an error.
pub(crate) fn help(report: &Report, root: Option<&str>, colours: Colours) -> String {
    let mut text = String::new();
    let mut codes: Vec<Code> = Vec::new();
    let mut told: Vec<&Remedy> = Vec::new();
    let gravest = report.diagnostics.iter().map(|diagnostic| diagnostic.severity).max();
    for diagnostic in report.diagnostics.iter().filter(|found| Some(found.severity) == gravest) {
        let (code, remedy) = (diagnostic.code, diagnostic.remedy());
        if !codes.contains(&code) {
            codes.push(code);
        }
        if !told.contains(&remedy) {
            told.push(remedy);
            let _ = writeln!(text, "{} {code}: {}", colours.help(), remedy.for_person());
        }
    }
    if let Some(root) = root.filter(|_| codes.contains(&Code::FileNotFound)) {
        let _ = writeln!(text, "{} the root is {}", colours.help(), escape(root));
    }
    let pages: Vec<String> =
        codes.iter().take(NAMED).map(|code| format!("`fsrb --explain {code}`")).collect();
    if !pages.is_empty() {
        let _ = writeln!(text, "{} for more: {}", colours.help(), pages.join(", "));
    }
    // What was undone first was written.
    let is_settled = |found: &Diagnostic| found.code == Code::InterruptedCommit && !found.is_error();
    if report.outcome == Outcome::Refused && !report.diagnostics.iter().any(is_settled) {
        text.push_str("Nothing was written.\n");
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

#[cfg(test)]
mod tests {
    use code_parser::diagnostic::Severity;

    use super::*;

    fn report(codes: &[Code]) -> Report {
        let diagnostics = codes.iter().map(|&code| Diagnostic::new(code, "x")).collect();
        Report { outcome: Outcome::Refused, files: Vec::new(), diagnostics, blocks: 1 }
    }

    #[test]
    fn each_code_of_the_gravest_is_told_once() {
        let codes = [Code::NoOp, Code::Busy, Code::BinaryPatch, Code::Busy, Code::MidLineMatch];
        let mut report = report(&codes);
        assert_eq!(
            help(&report, Some("/r"), Colours::Off),
            "\nhelp: busy: Wait until the other run is done, and run again.\n\
            help: binary-patch: Leave this file out of the diff, and copy it to its place by hand.\n\
            help: for more: `fsrb --explain busy`, `fsrb --explain binary-patch`\n\
            Nothing was written.\n"
        );
        report.diagnostics.push(Diagnostic::new(Code::InterruptedCommit, "x").with_severity(Severity::Note));
        assert!(!help(&report, None, Colours::Off).contains("Nothing was written"));
    }

    #[test]
    fn a_file_that_is_not_found_is_told_with_the_root() {
        let help = help(&report(&[Code::FileNotFound]), Some("/the\u{1b}root"), Colours::Off);
        assert!(help.contains("\nhelp: the root is /the\\u{1b}root\n"), "{help}");
    }

    #[test]
    fn what_was_applied_is_not_said_to_be_unwritten() {
        let report = Report { outcome: Outcome::Applied, ..report(&[Code::SensitivePath]) };
        let text = help(&report, Some("/r"), Colours::Off);
        assert!(
            text.starts_with("\nhelp: sensitive-path: Look at the change") && !text.contains("Nothing was")
        );
        assert_eq!(help(&Report { diagnostics: Vec::new(), ..report }, None, Colours::Off), "");
    }
}
