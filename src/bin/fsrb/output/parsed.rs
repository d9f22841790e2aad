//! What `--parse` prints for people: one line an item.

use std::fmt::Write;

use code_parser::apply::report::Report;
use code_parser::ast::{CodeBlock, Document, Node};
use code_parser::diagnostic::Diagnostic;
use code_parser::source::{Source, Span};

use super::escape::escape;
use super::human::{self, Subject};

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
        let _ = write!(text, "{indent}{}-{}: ", line(span.start), line(span.end));
        let name = |span: Option<Span>| span.map_or("no file".into(), |span| escape(source.slice(span)));
        let _ = match node {
            Node::CodeBlock(block) => writeln!(text, "code block, {}", block_name(block, source)),
            Node::SearchReplace(block) => {
                writeln!(text, "SEARCH/REPLACE block, {}", name(block.path.map(|path| path.span)))
            }
            Node::InlineEdit(edit) => writeln!(text, "sentence, {}", name(Some(edit.path.span))),
            Node::FilePatch(patch) => writeln!(text, "file patch, {} hunks", patch.hunks.len()),
        };
        if let Node::CodeBlock(block) = node {
            push_items(text, &block.children, source, "  ");
        }
    }
}

fn block_name(block: &CodeBlock, source: &Source<'_>) -> String {
    let span = block.path.map(|path| path.span).or(block.language);
    span.map_or("no file".into(), |span| escape(source.slice(span))).into_owned()
}
