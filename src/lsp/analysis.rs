//! [`Analysis`]: what is known of a document that holds edits: its findings as the editor shows them, and the plan.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;

use super::client::{Client, Replies};
use super::document::Document;
use super::encoding::{Position, Range};
use super::protocol::{self, Location, RelatedInformation, TextEdit};
use super::workspace::Overlay;
use crate::apply::plan::{Options, Plan};
use crate::ast::{self, BlockRole, InputKind, Node};
use crate::diagnostic::{Diagnostic, Related};
use crate::edit::nearest::Effort;
use crate::escape::escape;
use crate::grammar::{Parsed, parse};
use crate::rel_path::RelPath;
use crate::source::{Positions, Source, Span, offset};

/// What is known of a document that holds edits.
#[derive(Debug)]
pub(super) struct Analysis {
    /// Tells it from every other one.
    pub(super) revision: u64,
    /// What was found.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What of it is shown.
    pub(super) shown: Vec<protocol::Diagnostic>,
    /// How some of that can be mended.
    pub(super) fixes: Vec<Fix>,
    /// Whether the text surely is meant to change files.
    pub(super) intent: Intent,
    /// What is to be done, when all of it can be.
    pub(super) plan: Option<Plan>,
    /// Whether the editor can do that, once it was asked.
    pub(super) applicable: OnceCell<bool>,
    /// The line of the first edit, from 0.
    pub(super) first_line: u32,
    /// The files on which it depends, in every spelling.
    pub(super) depends: Vec<PathBuf>,
}

/// Whether a text is meant to change files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// It is.
    Sure,
    /// It may be: a Markdown file with named code blocks or sentences that give an order.
    Possible,
    /// It changes none.
    None,
}

/// A replacement that mends a finding.
#[derive(Debug, Clone)]
pub(super) struct Fix {
    /// The finding, by its index in those that are shown.
    pub(super) finding: usize,
    /// What it does.
    pub(super) title: String,
    /// How.
    pub(super) edit: TextEdit,
}

impl Analysis {
    /// Reads a text and plans its edits over the files, where there are any.
    pub(super) fn new(
        document: &Document,
        kind: InputKind,
        files: Option<Result<Overlay<'_>, Box<Diagnostic>>>,
        client: &Client,
        revision: u64,
    ) -> Self {
        let source = Source::new(document.text()).unwrap_or_default();
        let parsed = parse(&source, kind);
        let intent = intent(&parsed);
        let (plan, diagnostics, files) = plan(&parsed, files);
        let mut analysis = Self {
            revision,
            diagnostics,
            shown: Vec::new(),
            fixes: Vec::new(),
            intent,
            plan: plan.filter(|_| intent != Intent::None),
            applicable: OnceCell::new(),
            first_line: first_line(&parsed),
            depends: Vec::new(),
        };
        if analysis.is_loud(document.text(), kind, client) {
            let places = Places::new(&source, &analysis.diagnostics, &document.uri, client);
            analysis.show(&places, files.as_ref());
        }
        analysis.depends = files.map(Overlay::into_asked).unwrap_or_default();
        analysis
    }

    /// Whether findings are shown at all.
    fn is_loud(&self, text: &str, kind: InputKind, client: &Client) -> bool {
        match (kind, client.replies) {
            // Who has just made a file knows that it is empty.
            (InputKind::Fsrb | InputKind::Diff, _) => !text.trim_ascii().is_empty(),
            (InputKind::Response, Replies::Never) => false,
            (InputKind::Response, Replies::Edits) => self.intent == Intent::Sure,
            (InputKind::Response, Replies::Always) => self.intent != Intent::None,
        }
    }

    fn show(&mut self, places: &Places<'_>, files: Option<&Overlay<'_>>) {
        for found in &self.diagnostics {
            if let Some(suggestion) = &found.suggestion {
                let edit = TextEdit {
                    range: places.range(suggestion.span),
                    new_text: suggestion.replacement.clone(),
                };
                self.fixes.push(Fix { finding: self.shown.len(), title: suggestion.message.clone(), edit });
            }
            self.shown.push(places.shown(found, files));
        }
    }
}

/// The plan and what was found on the way; the files come back.
fn plan<'a>(
    parsed: &Parsed<'_>,
    files: Option<Result<Overlay<'a>, Box<Diagnostic>>>,
) -> (Option<Plan>, Vec<Diagnostic>, Option<Overlay<'a>>) {
    let changes = parsed.changes();
    match files {
        None => (None, changes.diagnostics, None),
        Some(Err(fault)) => {
            let mut found = changes.diagnostics;
            found.push(*fault);
            (None, found, None)
        }
        Some(Ok(files)) => {
            let effort = Effort::of_a_keystroke();
            match Plan::explained(&changes, &files, &Options::default(), effort) {
                Ok(plan) => {
                    let found = plan.diagnostics().to_vec();
                    (Some(plan), found, Some(files))
                }
                Err(refusal) => (None, refusal.diagnostics, Some(files)),
            }
        }
    }
}

fn intent(parsed: &Parsed<'_>) -> Intent {
    let is_edit = |node: &Node| matches!(node, Node::SearchReplace(_) | Node::FilePatch(_));
    let holds_edit = |node: &Node| match node {
        Node::CodeBlock(block) if block.role != BlockRole::Narration => block.children.iter().any(is_edit),
        _ => is_edit(node),
    };
    let ast::Document { kind, nodes } = &parsed.document;
    if parsed.document.changes().is_empty() {
        Intent::None
    } else if *kind != InputKind::Response || nodes.iter().any(holds_edit) {
        Intent::Sure
    } else {
        Intent::Possible
    }
}

/// The line of the first edit, from 0.
fn first_line(parsed: &Parsed<'_>) -> u32 {
    let first = parsed.document.changes().first().map_or(0, |node| node.span().start);
    parsed.source.line_index().line(first).saturating_sub(1)
}

/// The places of a document that findings are about.
struct Places<'a> {
    positions: Positions,
    uri: &'a str,
    client: &'a Client,
    /// What is underlined for a finding about the whole.
    first: Span,
    /// The target files that were met, by their paths: there are many findings and few files.
    targets: RefCell<HashMap<String, Option<(RelPath, String)>>>,
}

impl<'a> Places<'a> {
    fn new(source: &Source<'_>, diagnostics: &[Diagnostic], uri: &'a str, client: &'a Client) -> Self {
        let text = source.text();
        let first = Span::new(0, offset(text.lines().next().unwrap_or_default().len()));
        let mut spans = vec![first];
        for found in diagnostics {
            spans.extend(found.span);
            spans.extend(found.suggestion.as_ref().map(|suggestion| suggestion.span));
            spans.extend(found.related.iter().filter(|place| place.path.is_none()).map(|place| place.span));
        }
        let targets = RefCell::default();
        Self { positions: Positions::new(source, &spans), uri, client, first, targets }
    }

    fn range(&self, span: Span) -> Range {
        let at = |offset| self.client.encoding.position(self.positions.of(offset));
        Range { start: at(span.start), end: at(span.end) }
    }

    fn shown(&self, found: &Diagnostic, files: Option<&Overlay<'_>>) -> protocol::Diagnostic {
        let mut message = found.message.clone();
        let mut related = Vec::new();
        for place in &found.related {
            let Some(location) = self.location(place, files) else { continue };
            if self.client.related {
                related.push(RelatedInformation { location, message: place.message.clone() });
            } else {
                message.push_str(&aside(place, &location));
            }
        }
        protocol::Diagnostic {
            range: self.range(found.span.unwrap_or(self.first)),
            severity: protocol::severity(found.severity),
            code: found.code.as_str(),
            source: "fsrb",
            message,
            related_information: related,
        }
    }

    /// Where a further place is; `None` for one in a file whose path leads nowhere.
    fn location(&self, place: &Related, files: Option<&Overlay<'_>>) -> Option<Location> {
        let Some(path) = &place.path else {
            return Some(Location { uri: self.uri.to_owned(), range: self.range(place.span) });
        };
        let files = files?;
        let mut targets = self.targets.borrow_mut();
        let target = targets.entry(path.clone()).or_insert_with(|| {
            let path = RelPath::new(path).ok()?;
            let uri = files.uri(&path, &path);
            Some((path, uri))
        });
        let (path, uri) = target.as_ref()?;
        let start = Position { line: 0, character: 0 };
        let range = place.position.map_or(Range { start, end: start }, |(start, end)| {
            let at = |position| files.position(path, position, self.client.encoding);
            Range { start: at(start), end: at(end) }
        });
        Some(Location { uri: uri.clone(), range })
    }
}

/// A further place as a line of the message, for a client that takes none.
fn aside(place: &Related, location: &Location) -> String {
    let line = location.range.start.line + 1;
    match &place.path {
        Some(path) => format!("\n{}:{line}: {}", escape(path), place.message),
        None => format!("\nline {line}: {}", place.message),
    }
}
