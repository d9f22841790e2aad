//! What `--parse` prints for people: one line an item.

use std::fmt::Write;

use code_parser::apply::report::Report;
use code_parser::ast::{Document, Node, PathRef};
use code_parser::diagnostic::Diagnostic;
use code_parser::source::Source;

use super::human::{self, Subject};
use super::items;
use code_parser::escape::escape;

/// The items, then the faults.
pub(crate) fn report(report: &Report, document: &Document, subject: Subject<'_>) -> String {
    let mut text = String::new();
    push_items(&mut text, &document.nodes, subject.source, "");
    if !text.is_empty() {
        text.push('\n');
    }
    let items = document.nodes.len();
    let _ = if report.diagnostics.iter().any(Diagnostic::is_error) {
        writeln!(text, "[ERROR] Parsing failed.")
    } else {
        writeln!(text, "[SUCCESS] {items} items parsed.")
    };
    human::push_faults(&mut text, report, subject);
    text
}

fn push_items(text: &mut String, nodes: &[Node], source: &Source<'_>, indent: &str) {
    for node in nodes {
        let span = node.span();
        let line = |offset| source.line_index().line(offset);
        let (first, last) = (line(span.start), line(span.end));
        let _ = writeln!(text, "{indent}{first}-{last}: {}", description(node, source));
        if let Node::CodeBlock(block) = node {
            push_items(text, &block.children, source, "  ");
        }
    }
}

fn description(node: &Node, source: &Source<'_>) -> String {
    let name = |path: Option<PathRef>| path.map_or("no file", |path| source.slice(path.span));
    let (what, file) = match node {
        Node::CodeBlock(block) => {
            (format!("code block ({})", block.language_tag(source)), name(block.path).into())
        }
        Node::SearchReplace(block) => ("SEARCH/REPLACE block".to_owned(), name(block.path).into()),
        Node::InlineEdit(edit) => ("sentence".to_owned(), name(Some(edit.path)).into()),
        Node::FilePatch(patch) => {
            let file = patch.new_path(source).or_else(|| patch.old_path(source));
            let (operation, hunks) = (items::operation(patch.operation(source)), patch.hunks.len());
            (format!("file patch ({operation}, hunks: {hunks})"), file.unwrap_or("no file".into()))
        }
    };
    escape(&format!("{what}: {file}")).into_owned()
}
