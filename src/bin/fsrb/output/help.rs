//! What ends the report for people: how to mend each kind of fault, and where there is more to read.

use std::fmt::Write;

use code_parser::diagnostic::{Code, Diagnostic};

use super::excerpt::Colours;

/// So many codes are named where there is more to read.
const NAMED: usize = 3;

/// A line for each code of the gravest diagnostics, in their order, and one that says where there is more; nothing where
/// there is no diagnostic. What mends a warning may be wrong as long as there is an error.
pub(crate) fn help(diagnostics: &[Diagnostic], colours: Colours) -> String {
    let mut text = String::new();
    let mut codes: Vec<Code> = Vec::new();
    let gravest = diagnostics.iter().map(|diagnostic| diagnostic.severity).max();
    for diagnostic in diagnostics.iter().filter(|diagnostic| Some(diagnostic.severity) == gravest) {
        if codes.contains(&diagnostic.code) {
            continue;
        }
        codes.push(diagnostic.code);
        let mend = diagnostic.code.explanation().mend_for_person();
        let _ = writeln!(text, "{} {}: {mend}", colours.help(), diagnostic.code);
    }
    let pages: Vec<String> =
        codes.iter().take(NAMED).map(|code| format!("`fsrb --explain {code}`")).collect();
    if !pages.is_empty() {
        let _ = writeln!(text, "{} for more: {}", colours.help(), pages.join(", "));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_of_the_gravest_is_told_once() {
        let codes = [Code::NoOp, Code::Busy, Code::BinaryPatch, Code::Busy, Code::MidLineMatch];
        let found = codes.map(|code| Diagnostic::new(code, "x"));
        assert_eq!(
            help(&found, Colours::Off),
            "\nhelp: busy: The edits may be right: they can be applied when the other run is done. Run again then.\n\
            help: binary-patch: Leave this file out of the diff and copy it by other means.\n\
            help: for more: `fsrb --explain busy`, `fsrb --explain binary-patch`\n"
        );
        let notes = [Diagnostic::new(Code::SensitivePath, "x")];
        assert!(help(&notes, Colours::Off).starts_with("\nhelp: sensitive-path: Nothing has to be done."));
        assert_eq!(help(&[], Colours::Off), "");
    }
}
