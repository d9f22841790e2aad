//! What holds for the reading of any text.

use std::collections::BTreeSet;

use code_parser::ast::{
    BlockEnd, CodeBlock, FileName, FilePatch, Hunk, InputKind, Node, SearchReplace, Text,
};
use code_parser::source::{Source, Span};
use code_parser::{Parsed, parse};

/// Any text, read in any way: spans are lawful, siblings in order, and the same text gives the same result.
pub(crate) fn check(text: &str, kind: InputKind) {
    let source = Source::new(text).unwrap();
    let parsed = parse(&source, kind);
    let again = parse(&source, kind);
    assert_eq!(parsed.document, again.document);
    assert_eq!(parsed.diagnostics, again.diagnostics);
    let whole = Span::new(0, source.end());
    siblings(&parsed.document.nodes, whole, &source);
    each_line_has_one_owner(&parsed.document.nodes, &source);
    diagnostics(&parsed, whole);
    positions(&parsed);
    line_endings_do_not_matter(&parsed);
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
            Node::FilePatch(patch) => file_patch(patch, source),
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

fn file_patch(patch: &FilePatch, source: &Source<'_>) {
    let name = |name: FileName| {
        lawful(name.line, patch.span, source);
        lawful(name.span, name.line, source);
        if let Some(stamp) = name.timestamp {
            lawful(stamp, name.line, source);
        }
    };
    let of_git = patch.git.and_then(|git| git.names).into_iter().flat_map(|(old, new)| [old, new]);
    of_git.chain(patch.old).chain(patch.new).for_each(name);
    lawful(patch.anchor(), patch.span, source);
    for header in &patch.headers {
        lawful(header.span, patch.span, source);
        lawful(header.value, header.span, source);
    }
    let mut end = patch.span.start;
    for each in &patch.hunks {
        lawful(each.span, patch.span, source);
        assert!(each.span.start >= end, "a hunk begins before the one before it ends");
        end = each.span.end;
        hunk(each, source);
    }
}

fn hunk(hunk: &Hunk, source: &Source<'_>) {
    lawful(hunk.header.span, hunk.span, source);
    lawful(hunk.header.section, hunk.header.span, source);
    for range in hunk.header.ranges.into_iter().flat_map(|(old, new)| [old, new]) {
        lawful(range.start.span, hunk.header.span, source);
        if let Some(count) = range.count {
            lawful(count.span, hunk.header.span, source);
        }
    }
    let mut end = hunk.header.span.end;
    for line in &hunk.lines {
        lawful(line.span(), hunk.span, source);
        assert!(line.span().start >= end, "a line of a hunk begins before the one before it ends");
        assert!(!source.slice(line.text).contains('\n'));
        end = line.text.end;
    }
    for &marker in &hunk.no_newline_markers {
        lawful(marker, hunk.span, source);
        assert!(source.slice(marker).starts_with('\\'));
    }
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
        if let Some(suggestion) = &found.suggestion {
            lawful(suggestion.span, whole, parsed.source);
        }
        let changes = parsed.document.changes();
        if let Some(block) = found.block {
            let change = changes.get(block as usize - 1);
            assert!(change.is_some(), "block {block} of {}", changes.len());
            if let Some(hunk) = found.hunk {
                let Some(Node::FilePatch(patch)) = change else { panic!("a hunk of no file patch") };
                assert!((1..=patch.hunks.len()).contains(&(hunk as usize)));
            }
        }
    }
}

/// Every reported place has the line and the columns that a loop over the characters finds.
fn positions(parsed: &Parsed<'_>) {
    let mut offsets = BTreeSet::new();
    let mut add = |span: Span| offsets.extend([span.start, span.end]);
    for node in &parsed.document.nodes {
        add(node.span());
    }
    for found in &parsed.diagnostics {
        found.span.into_iter().for_each(&mut add);
        found.related.iter().for_each(|related| add(related.span));
        found.suggestion.iter().for_each(|suggestion| add(suggestion.span));
    }
    let (mut line, mut bytes, mut characters, mut units) = (1, 1, 1, 1);
    let mut check = |at: usize, next: Option<char>| {
        let offset = u32::try_from(at).unwrap();
        if offsets.contains(&offset) {
            let found = parsed.source.position(offset);
            let columns = (found.byte_column, found.column, found.utf16);
            assert_eq!((found.offset, found.line, columns), (offset, line, (bytes, characters, units)));
        }
        let Some(next) = next else { return };
        if next == '\n' {
            (line, bytes, characters, units) = (line + 1, 1, 1, 1);
        } else {
            bytes += u32::try_from(next.len_utf8()).unwrap();
            characters += 1;
            units += u32::try_from(next.len_utf16()).unwrap();
        }
    };
    let text = parsed.source.text();
    text.char_indices().for_each(|(at, next)| check(at, Some(next)));
    check(text.len(), None);
}

/// A text without any CR holds the same when its lines end in CRLF, and when a byte order mark comes first.
fn line_endings_do_not_matter(parsed: &Parsed<'_>) {
    let text = parsed.source.text();
    if text.contains('\r') || text.starts_with('\u{feff}') {
        return;
    }
    let facts = facts(parsed);
    for other in [text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        let source = Source::new(&other).unwrap();
        assert_eq!(facts, self::facts(&parse(&source, parsed.document.kind)), "{other:?}");
    }
}

/// What a text holds, told by lines and columns.
fn facts(parsed: &Parsed<'_>) -> Vec<String> {
    let source = parsed.source;
    // A byte order mark is a character of line 1 and of no part of it.
    let shift = u32::from(source.text().starts_with('\u{feff}'));
    let place = |at: u32| {
        let at = source.position(at);
        (at.line, if at.line == 1 { at.column.max(1 + shift) - shift } else { at.column })
    };
    let mut facts = Vec::new();
    let mut nodes: Vec<&Node> = parsed.document.nodes.iter().rev().collect();
    while let Some(node) = nodes.pop() {
        let span = node.span();
        let path = |span: Option<Span>| span.map(|span| (source.slice(span), place(span.start)));
        let what = match node {
            Node::CodeBlock(block) => {
                nodes.extend(block.children.iter().rev());
                let path = path(block.path.map(|path| path.span));
                let closed = std::mem::discriminant(&block.end);
                format!("{path:?} {:?} {closed:?} {:?}", block.role, block.content.to_str(source))
            }
            Node::SearchReplace(block) => {
                let path = path(block.path.map(|path| path.span));
                let texts = [&block.search, &block.replace].map(|text| text.to_str(source));
                format!("{path:?} {} {texts:?}", block.complete)
            }
            Node::InlineEdit(edit) => {
                let texts = [edit.path.span, edit.old, edit.new].map(|span| source.slice(span));
                format!("{texts:?} {}", edit.narration)
            }
            Node::FilePatch(patch) => {
                let names = (patch.old_path(source), patch.new_path(source), patch.operation(source));
                let lines = patch.hunks.iter().flat_map(|hunk| &hunk.lines);
                let lines: Vec<_> = lines.map(|line| (line.kind, source.slice(line.text))).collect();
                let extents: Vec<_> = patch.hunks.iter().map(|hunk| hunk.extent).collect();
                format!("{names:?} {:?} {extents:?} {lines:?}", patch.fault)
            }
        };
        facts.push(format!("{:?}-{:?}: {what}", place(span.start), place(span.end)));
    }
    facts.extend(parsed.diagnostics.iter().map(|found| {
        let span = found.span.unwrap();
        let (start, end) = (place(span.start), place(span.end));
        format!("{start:?}-{end:?}: {} {} {}", found.severity, found.code, found.message)
    }));
    facts
}
