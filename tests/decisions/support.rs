//! An input applied to files in memory, and what is asked of the result.

use std::collections::BTreeMap;

use code_parser::apply::plan::{Options, Plan, PlannedFile, Refusal};
use code_parser::apply::report::FileStatus;
use code_parser::ast::{InputKind, Node};
use code_parser::diagnostic::{Diagnostic, Severity};
use code_parser::source::Source;
use code_parser::{RelPath, parse};

/// A code and the input line (from 1) that its span starts on; 0 where it has no span.
pub(crate) type At<'a> = (&'a str, u32);

/// What became of an input.
#[derive(Debug)]
pub(crate) struct Run {
    /// The whole tree afterwards; `None` when the input was refused.
    tree: Option<BTreeMap<String, Vec<u8>>>,
    /// Path, status and detail of each file that the report names.
    files: Vec<(String, FileStatus, Option<String>)>,
    /// Severity, code, line, and the text that the span covers.
    findings: Vec<(Severity, &'static str, u32, String)>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Applies a patch file to files given as path and text.
pub(crate) fn fsrb(before: &[(&str, &str)], input: &str) -> Run {
    run(InputKind::Fsrb, before, input)
}

/// Applies a model's reply.
pub(crate) fn response(before: &[(&str, &str)], input: &str) -> Run {
    run(InputKind::Response, before, input)
}

/// Applies a diff.
pub(crate) fn diff(before: &[(&str, &str)], input: &str) -> Run {
    run(InputKind::Diff, before, input)
}

pub(crate) fn run(kind: InputKind, before: &[(&str, &str)], input: &str) -> Run {
    let bytes: Vec<_> = before.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    run_with(kind, &bytes, input, &Options::default())
}

pub(crate) fn run_with(kind: InputKind, before: &[(&str, &[u8])], input: &str, options: &Options) -> Run {
    let before: BTreeMap<RelPath, Vec<u8>> =
        before.iter().map(|(path, bytes)| (RelPath::new(path).unwrap(), bytes.to_vec())).collect();
    let source = Source::new(input).unwrap();
    let parsed = parse(&source, kind);
    match Plan::new(&parsed.changes(), &before, options) {
        Ok(plan) => {
            let files = plan.files().iter().filter_map(PlannedFile::report);
            let files = files.map(|file| (file.path, file.status, file.detail)).collect();
            let findings = findings(&source, plan.diagnostics());
            Run {
                tree: Some(tree(&before, plan.files())),
                files,
                findings,
                diagnostics: plan.diagnostics().to_vec(),
            }
        }
        Err(Refusal { files, diagnostics, .. }) => {
            let files = files.into_iter().map(|file| (file.path, file.status, file.detail)).collect();
            Run { tree: None, files, findings: findings(&source, &diagnostics), diagnostics }
        }
    }
}

/// The tree that a commit of the plan would leave.
fn tree(before: &BTreeMap<RelPath, Vec<u8>>, files: &[PlannedFile]) -> BTreeMap<String, Vec<u8>> {
    let mut tree = before.clone();
    for file in files.iter().filter(|file| !matches!(file.status, FileStatus::Failed | FileStatus::Skipped)) {
        match &file.new {
            Some(bytes) => tree.insert(file.target.clone(), bytes.to_vec()),
            None => tree.remove(&file.target),
        };
    }
    tree.into_iter().map(|(path, bytes)| (path.into_string(), bytes)).collect()
}

fn findings(source: &Source<'_>, diagnostics: &[Diagnostic]) -> Vec<(Severity, &'static str, u32, String)> {
    let found = diagnostics.iter().map(|diagnostic| {
        let line = diagnostic.span.map_or(0, |span| source.position(span.start).line);
        let text = diagnostic.span.map_or("", |span| source.slice(span));
        (diagnostic.severity, diagnostic.code.as_str(), line, text.to_owned())
    });
    found.collect()
}

impl Run {
    /// The input is applied, and this is the whole tree afterwards.
    #[track_caller]
    pub(crate) fn gives(&self, after: &[(&str, &str)]) -> &Self {
        let bytes: Vec<_> = after.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        self.gives_bytes(&bytes)
    }

    #[track_caller]
    pub(crate) fn gives_bytes(&self, after: &[(&str, &[u8])]) -> &Self {
        let Some(tree) = &self.tree else { panic!("refused: {:?}", self.findings) };
        let show = |path: &str, bytes: &[u8]| (path.to_owned(), String::from_utf8_lossy(bytes).into_owned());
        let raw: BTreeMap<String, Vec<u8>> =
            after.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
        let shown: Vec<_> = tree.iter().map(|(path, bytes)| show(path, bytes)).collect();
        let expected: Vec<_> = raw.iter().map(|(path, bytes)| show(path, bytes)).collect();
        assert_eq!(shown, expected, "the tree; findings: {:?}", self.findings);
        assert_eq!(tree, &raw, "the bytes; findings: {:?}", self.findings);
        self
    }

    /// Whether the input is applied.
    #[must_use]
    pub(crate) fn is_applied(&self) -> bool {
        self.tree.is_some()
    }

    /// Whether the input is applied and leaves a file with this text.
    #[must_use]
    pub(crate) fn writes(&self, path: &str, text: &str) -> bool {
        self.tree.as_ref().is_some_and(|tree| tree.get(path).is_some_and(|bytes| bytes == text.as_bytes()))
    }

    /// The text of a file afterwards; `None` when the input was refused or the file is none.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        self.tree.as_ref()?.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// The input is refused, whatever the reason.
    #[track_caller]
    pub(crate) fn is_refused(&self) {
        assert!(self.tree.is_none(), "not refused: {:?} {:?}", self.tree_text(), self.findings);
    }

    /// The input is refused, with exactly these errors in this order.
    #[track_caller]
    pub(crate) fn refuses(&self, errors: &[At<'_>]) -> &Self {
        assert!(self.tree.is_none(), "not refused: {:?} {:?}", self.tree_text(), self.findings);
        assert_eq!(self.of(Severity::Error), errors, "the errors; all: {:?}", self.findings);
        self
    }

    /// The input is refused, with this error among others.
    #[track_caller]
    pub(crate) fn refuses_with(&self, error: At<'_>) -> &Self {
        assert!(self.tree.is_none(), "not refused: {:?} {:?}", self.tree_text(), self.findings);
        let errors = self.of(Severity::Error);
        assert!(errors.contains(&error), "no {error:?} in {:?}", self.findings);
        self
    }

    /// The warnings are exactly these.
    #[track_caller]
    pub(crate) fn warns(&self, warnings: &[At<'_>]) -> &Self {
        assert_eq!(self.of(Severity::Warning), warnings, "the warnings; all: {:?}", self.findings);
        self
    }

    /// The notes are exactly these.
    #[track_caller]
    pub(crate) fn notes(&self, notes: &[At<'_>]) -> &Self {
        assert_eq!(self.of(Severity::Note), notes, "the notes; all: {:?}", self.findings);
        self
    }

    /// The report names exactly these files, in this order.
    #[track_caller]
    pub(crate) fn reports(&self, files: &[(&str, &str)]) -> &Self {
        let reported: Vec<_> =
            self.files.iter().map(|(path, status, _)| (path.as_str(), status.as_str())).collect();
        assert_eq!(reported, files, "the report; findings: {:?}", self.findings);
        self
    }

    /// A finding of this code starts with this text.
    #[track_caller]
    pub(crate) fn points_at(&self, code: &str, line: u32, text: &str) -> &Self {
        let found =
            self.findings.iter().any(|found| found.1 == code && found.2 == line && found.3.starts_with(text));
        assert!(found, "no {code} at line {line} that starts with {text:?} in {:?}", self.findings);
        self
    }

    /// The input is refused, with errors of exactly these codes in this order.
    #[track_caller]
    pub(crate) fn refuses_for(&self, codes: &[&str]) -> &Self {
        assert!(self.tree.is_none(), "not refused: {:?} {:?}", self.tree_text(), self.findings);
        self.finds(Severity::Error, codes)
    }

    /// The findings of this severity have exactly these codes, in this order.
    #[track_caller]
    pub(crate) fn finds(&self, severity: Severity, codes: &[&str]) -> &Self {
        let found: Vec<_> = self.of(severity).into_iter().map(|found| found.0).collect();
        assert_eq!(found, codes, "the {severity}s; all: {:?}", self.findings);
        self
    }

    /// What the report says beside the status of a file.
    pub(crate) fn detail(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file.0 == path)?.2.as_deref()
    }

    fn of(&self, severity: Severity) -> Vec<At<'static>> {
        self.findings.iter().filter(|found| found.0 == severity).map(|found| (found.1, found.2)).collect()
    }

    fn tree_text(&self) -> Option<BTreeMap<&str, String>> {
        let tree = self.tree.as_ref()?;
        Some(
            tree.iter()
                .map(|(path, bytes)| (path.as_str(), String::from_utf8_lossy(bytes).into_owned()))
                .collect(),
        )
    }
}

/// A SEARCH/REPLACE block below its path; each section is lines that end in `\n`, or `""` for no line.
pub(crate) fn block(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n{}", bare(search, replace))
}

/// A SEARCH/REPLACE block without a path.
pub(crate) fn bare(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

/// The kinds of the nodes, children in brackets: `code_block[search_replace] inline_edit`.
pub(crate) fn outline(kind: InputKind, input: &str) -> String {
    fn names(nodes: &[Node]) -> String {
        let name = |node: &Node| match node {
            Node::CodeBlock(block) if block.children.is_empty() => "code_block".to_owned(),
            Node::CodeBlock(block) => format!("code_block[{}]", names(&block.children)),
            Node::SearchReplace(_) => "search_replace".to_owned(),
            Node::InlineEdit(_) => "inline_edit".to_owned(),
            Node::FilePatch(_) => "file_patch".to_owned(),
        };
        nodes.iter().map(name).collect::<Vec<_>>().join(" ")
    }
    names(&parse(&Source::new(input).unwrap(), kind).document.nodes)
}
