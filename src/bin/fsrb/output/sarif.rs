//! The report as SARIF 2.1.0, the exchange format of static analysis: one log with one run on one line.
//!
//! Places in the input come first, by the input's name as it was given; places in target files are relative to the
//! root, which the log does not name, so that the same input gives the same bytes wherever it is applied.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use code_parser::apply::report::{Outcome, Report};
use code_parser::diagnostic::{Code, Diagnostic, Related};
use code_parser::source::{Position, Positions, Source, Span};
use serde::Serialize;

use super::json::to_line;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// What target files are relative to.
const ROOT: &str = "ROOT";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    original_uri_base_ids: BaseIds,
    column_kind: &'static str,
    results: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text<'static>,
    full_description: Text<'static>,
    help: Text<'static>,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
struct BaseIds {
    #[serde(rename = "ROOT")]
    root: Described,
}

#[derive(Serialize)]
struct Described {
    description: Text<'static>,
}

#[derive(Serialize)]
struct Text<'a> {
    text: Cow<'a, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix<'a>>,
    #[serde(skip_serializing_if = "Properties::is_empty")]
    properties: Properties,
}

/// Which change of the input, and which hunk of it, both from 1.
#[derive(Serialize)]
struct Properties {
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hunk: Option<u32>,
}

impl Properties {
    fn is_empty(&self) -> bool {
        self.block.is_none() && self.hunk.is_none()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

/// Lines from 1, columns in UTF-16 units from 1, the end exclusive; bytes from 0.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    byte_offset: u32,
    byte_length: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'a> {
    description: Text<'a>,
    artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'a> {
    artifact_location: Artifact,
    replacements: [Replacement<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Text<'a>,
}

/// The log, with a line ending behind it. `input` is the input's name as messages have it.
pub(super) fn report(report: &Report, source: &Source<'_>, input: &str) -> Vec<u8> {
    let codes: Vec<Code> =
        report.diagnostics.iter().map(|found| found.code).collect::<BTreeSet<_>>().into_iter().collect();
    let version = env!("CARGO_PKG_VERSION");
    let writer = Writer::new(report, source, input, &codes);
    let description = text("the directory that the target files are relative to, as --root gives it");
    to_line(&Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "fsrb",
                    version,
                    semantic_version: version,
                    rules: codes.iter().map(|&code| rule(code)).collect(),
                },
            },
            invocations: [Invocation { execution_successful: is_done(report) }],
            original_uri_base_ids: BaseIds { root: Described { description } },
            column_kind: "utf16CodeUnits",
            results: report.diagnostics.iter().map(|found| writer.finding(found)).collect(),
        }],
    })
}

fn text(text: &str) -> Text<'_> {
    Text { text: Cow::Borrowed(text) }
}

fn rule(code: Code) -> Rule {
    let explanation = code.explanation();
    Rule {
        id: code.as_str(),
        short_description: text(explanation.title),
        full_description: text(explanation.meaning),
        help: text(explanation.mend_for_person()),
        default_configuration: Configuration { level: code.severity().as_str() },
    }
}

/// Whether the run came to a verdict on the input, be it a refusal.
fn is_done(report: &Report) -> bool {
    let stopped = [Code::Busy, Code::ChangedOnDisk, Code::CommitFailed, Code::InterruptedCommit];
    let failed = report.diagnostics.iter().any(|found| found.is_error() && stopped.contains(&found.code));
    report.outcome != Outcome::Pending && !failed
}

struct Writer<'a> {
    input: Artifact,
    positions: Positions,
    /// The rules, in order.
    codes: &'a [Code],
}

impl<'a> Writer<'a> {
    fn new(report: &Report, source: &Source<'_>, input: &str, codes: &'a [Code]) -> Self {
        let mut spans = Vec::new();
        for found in &report.diagnostics {
            spans.extend(found.span);
            spans.extend(
                found.related.iter().filter(|related| related.path.is_none()).map(|related| related.span),
            );
            spans.extend(found.suggestion.iter().map(|suggestion| suggestion.span));
        }
        let input = Artifact { uri: uri(input), uri_base_id: None };
        Self { input, positions: Positions::new(source, &spans), codes }
    }

    fn finding<'f>(&self, found: &'f Diagnostic) -> Finding<'f> {
        let target =
            found.path.as_deref().map(|path| Place { artifact_location: in_root(path), region: None });
        let (place, concerned) = match found.span {
            Some(span) => (Some(self.in_input(span)), target),
            None => (target, None),
        };
        let concerned = concerned.map(|place| (place, "the file that it is about"));
        let places = found.related.iter().map(|related| (self.related(related), related.message.as_str()));
        let related = places.chain(concerned).enumerate();
        Finding {
            rule_id: found.code.as_str(),
            rule_index: self.codes.binary_search(&found.code).unwrap_or_default(),
            level: found.severity.as_str(),
            message: Text { text: found.message_for_person() },
            locations: place
                .into_iter()
                .map(|place| Location { id: None, physical_location: place, message: None })
                .collect(),
            related_locations: related
                .map(|(id, (place, message))| Location {
                    id: Some(id),
                    physical_location: place,
                    message: Some(text(message)),
                })
                .collect(),
            fixes: self.fix(found).into_iter().collect(),
            properties: Properties { block: found.block, hunk: found.hunk },
        }
    }

    fn fix<'f>(&self, found: &'f Diagnostic) -> Option<Fix<'f>> {
        let suggestion = found.suggestion.as_ref()?;
        Some(Fix {
            description: text(&suggestion.message),
            artifact_changes: [ArtifactChange {
                artifact_location: self.input.clone(),
                replacements: [Replacement {
                    deleted_region: self.region(suggestion.span),
                    inserted_content: text(&suggestion.replacement),
                }],
            }],
        })
    }

    fn related(&self, related: &Related) -> Place {
        match &related.path {
            Some(path) => Place {
                artifact_location: in_root(path),
                region: related.position.map(|(start, end)| region(start, end)),
            },
            None => self.in_input(related.span),
        }
    }

    fn in_input(&self, span: Span) -> Place {
        Place { artifact_location: self.input.clone(), region: Some(self.region(span)) }
    }

    fn region(&self, span: Span) -> Region {
        region(self.positions.of(span.start), self.positions.of(span.end))
    }
}

fn region(start: Position, end: Position) -> Region {
    Region {
        start_line: start.line,
        start_column: start.utf16,
        end_line: end.line,
        end_column: end.utf16,
        byte_offset: start.offset,
        byte_length: end.offset.saturating_sub(start.offset),
    }
}

fn in_root(path: &str) -> Artifact {
    // What begins with a separator was refused, and is not to be taken for a place on this machine.
    Artifact { uri: uri(path.trim_start_matches('/')), uri_base_id: Some(ROOT) }
}

/// A path as a URI reference: absolute ones as `file:`, everything that is no plain character escaped.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_path_is_a_uri_reference() {
        assert_eq!(uri("src/a-b_c.rs"), "src/a-b_c.rs");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        assert_eq!(uri("a b:c/\u{fc}%?#"), "a%20b%3Ac/%C3%BC%25%3F%23");
        assert_eq!(uri("/tmp/x"), "file:///tmp/x");
    }

    #[test]
    fn a_refused_absolute_path_stays_below_the_root() {
        assert_eq!(in_root("//etc/passwd").uri, "etc/passwd");
    }
}
