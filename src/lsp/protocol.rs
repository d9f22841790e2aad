//! The protocol's data, as far as this server reads or writes it.
//!
//! What a client sends is read with tolerance: a field that is not known, or not as expected, is as if it were not there.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::encoding::{Position, Range};
use crate::diagnostic::Severity;

/// The parameters of most requests.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentParams {
    pub(super) text_document: DocumentId,
}

/// Which document, and which of its texts.
#[derive(Debug, Deserialize)]
pub(super) struct DocumentId {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: Option<i64>,
}

/// A place in a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PositionParams {
    pub(super) text_document: DocumentId,
    pub(super) position: Position,
}

/// What may be done at a place.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActionParams {
    pub(super) text_document: DocumentId,
    pub(super) range: Range,
    #[serde(default)]
    pub(super) context: ActionContext,
}

/// What the client wants to hear of.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ActionContext {
    #[serde(default)]
    pub(super) only: Option<Vec<String>>,
}

/// The diagnostics of a document are asked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PullParams {
    pub(super) text_document: DocumentId,
    #[serde(default)]
    pub(super) previous_result_id: Option<String>,
}

/// A command is given.
#[derive(Debug, Deserialize)]
pub(super) struct CommandParams {
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Vec<Value>,
}

/// Files have changed.
#[derive(Debug, Deserialize)]
pub(super) struct WatchedParams {
    pub(super) changes: Vec<WatchedChange>,
}

/// One of them.
#[derive(Debug, Deserialize)]
pub(super) struct WatchedChange {
    pub(super) uri: String,
}

/// All findings of a document.
#[derive(Debug, Serialize)]
pub(super) struct Publication<'a> {
    pub(super) uri: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<i64>,
    pub(super) diagnostics: &'a [Diagnostic],
}

/// One finding.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Diagnostic {
    pub(super) range: Range,
    pub(super) severity: u8,
    pub(super) code: &'static str,
    pub(super) source: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_information: Vec<RelatedInformation>,
}

/// The protocol's number of a severity.
pub(super) fn severity(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    }
}

/// A place that explains a finding.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RelatedInformation {
    pub(super) location: Location,
    pub(super) message: String,
}

/// A place in some document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Location {
    pub(super) uri: String,
    pub(super) range: Range,
}

/// Text in place of other text.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEdit {
    pub(super) range: Range,
    pub(super) new_text: String,
}

/// A document that is edited; its version is `null` unless it is open.
#[derive(Debug, Serialize)]
pub(super) struct VersionedId<'a> {
    pub(super) uri: &'a str,
    pub(super) version: Option<i64>,
}

/// A part of a document, for an outline.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Symbol {
    pub(super) name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) detail: String,
    pub(super) kind: u8,
    pub(super) range: Range,
    pub(super) selection_range: Range,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<Symbol>,
}

/// Lines that may be folded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Folding {
    pub(super) start_line: u32,
    pub(super) end_line: u32,
}
