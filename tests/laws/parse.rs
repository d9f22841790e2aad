//! What holds for the reading of any text.

use code_parser::ast::InputKind;
use code_parser::ast::{BlockEnd, CodeBlock, Node, SearchReplace, Text};
use code_parser::source::{Source, Span};
use code_parser::{Parsed, parse};

/// Any text, read in each way: spans are lawful, siblings in order, and the same text gives the same result.
pub(crate) fn check(text: &str) {
    let source = Source::new(text).unwrap();
    for kind in [InputKind::Fsrb, InputKind::Response, InputKind::Diff] {
        let parsed = parse(&source, kind);
        let again = parse(&source, kind);
        assert_eq!(parsed.document, again.document);
        assert_eq!(parsed.diagnostics, again.diagnostics);
        let whole = Span::new(0, source.end());
        siblings(&parsed.document.nodes, whole, &source);
        each_line_has_one_owner(&parsed.document.nodes, &source);
        diagnostics(&parsed, whole);
    }
}

/// The nodes lie in `parent`, in order and disjoint, and so do their parts.
fn siblings(nodes: &[Node], parent: Span, source: &Source<'_>) {
    let mut end = parent.start;
    for node in nodes {
        let span = node.span();
        lawful(span, parent, source);
        assert!(span.start >= end, "{span:?} begins before the node before it ends, at {end}");
        end = span.end;
        match node {
            Node::CodeBlock(block) => code_block(block, source),
            Node::SearchReplace(block) => search_replace(block, source),
            Node::InlineEdit(edit) => {
                for part in [edit.path.span, edit.old, edit.new] {
                    lawful(part, Span::new(0, source.end()), source);
                }
            }
            Node::FilePatch(patch) => {
                for hunk in &patch.hunks {
                    lawful(hunk.span, span, source);
                }
            }
        }
    }
}

fn code_block(block: &CodeBlock, source: &Source<'_>) {
    let whole = Span::new(0, source.end());
    for part in [block.opener, block.info].into_iter().chain(block.language) {
        lawful(part, block.span, source);
    }
    if let Some(path) = block.path {
        lawful(path.span, whole, source);
    }
    if let BlockEnd::Closed(closer) | BlockEnd::Ambiguous(closer) = block.end {
        lawful(closer, block.span, source);
    }
    lawful(block.body, whole, source);
    text(&block.content, block.body, source);
    siblings(&block.children, block.body, source);
    let lines: Vec<_> = block.content.lines(source).collect();
    let is_blank = |line: Option<&Span>| {
        line.is_some_and(|&line| source.slice(line).trim_matches([' ', '\t']).is_empty())
    };
    assert!(!is_blank(lines.first()) && !is_blank(lines.last()), "a blank line at an end of the content");
}

fn search_replace(block: &SearchReplace, source: &Source<'_>) {
    let markers = [Some(block.search_marker), block.separator, block.replace_marker];
    for marker in markers.into_iter().flatten() {
        lawful(marker, block.span, source);
    }
    text(&block.search, Span::new(0, source.end()), source);
    text(&block.replace, Span::new(0, source.end()), source);
}

fn text(text: &Text, parent: Span, source: &Source<'_>) {
    lawful(text.span(), parent, source);
    let lines: Vec<_> = text.lines(source).map(|line| source.slice(line)).collect();
    assert_eq!(text.is_empty(), lines.is_empty());
    assert_eq!(text.to_str(source), lines.join("\n"));
}

fn lawful(span: Span, parent: Span, source: &Source<'_>) {
    assert!(span.start <= span.end && parent.contains(span), "{span:?} is not within {parent:?}");
    for at in [span.start, span.end] {
        assert!(source.text().is_char_boundary(at as usize), "{at} is inside a character");
    }
}

/// No line has two top nodes, but for sentences, which may share one.
fn each_line_has_one_owner(nodes: &[Node], source: &Source<'_>) {
    let line = |offset: u32| source.position(offset).line;
    let mut owned = 0;
    for node in nodes {
        let span = node.span();
        let first = line(span.start);
        let is_sentence = matches!(node, Node::InlineEdit(_));
        assert!(first > owned || (is_sentence && first == owned), "line {first} has two owners");
        owned = line(span.end);
    }
}

fn diagnostics(parsed: &Parsed<'_>, whole: Span) {
    let mut last = 0;
    for found in &parsed.diagnostics {
        assert!(!found.message.is_empty() && !found.message.ends_with('.'), "{}", found.message);
        let span = found.span.unwrap();
        lawful(span, whole, parsed.source);
        assert!(span.start >= last, "the diagnostics are not in order");
        last = span.start;
        for related in &found.related {
            lawful(related.span, whole, parsed.source);
        }
    }
}
