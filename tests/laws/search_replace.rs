//! What holds for the SEARCH/REPLACE blocks of any patch file.

use code_parser::ast::{InputKind, Node, PathSource, SearchReplace, Text};
use code_parser::source::Source;
use code_parser::{Parsed, PrintError, Unwritable, parse, print_block};

/// Any text: its blocks are those that a loop over its lines finds, and printed they are read as the same.
pub(crate) fn check(text: &str) {
    let source = Source::new(text).unwrap();
    let parsed = parse(&source, InputKind::Fsrb);
    let blocks: Vec<_> = parsed.document.nodes.iter().map(block).collect();
    let expected = by_loop(text);
    assert_eq!(blocks.len(), expected.blocks.len(), "{text:?}");
    for (found, expected) in blocks.iter().zip(&expected.blocks) {
        agrees(found, expected, &source);
    }
    let is_faulty = expected.stray_end || blocks.iter().any(|block| !block.complete || block.path.is_none());
    assert!(!is_faulty || parsed.diagnostics.iter().any(code_parser::diagnostic::Diagnostic::is_error));
    printed_blocks_are_read_as_the_same(&parsed, &blocks);
}

fn block(node: &Node) -> &SearchReplace {
    let Node::SearchReplace(block) = node else { panic!("a patch file holds blocks only") };
    block
}

/// What a loop over the lines knows of a block.
#[derive(Debug)]
struct Block<'t> {
    /// The number of its SEARCH line, from 1.
    line: u32,
    /// The lines of its sections, if its three markers follow one another.
    sections: Option<[Vec<&'t str>; 2]>,
    path: Path<'t>,
}

#[derive(Debug, Clone, Copy)]
enum Path<'t> {
    Header(&'t str),
    /// That of the block before, or none where there is none.
    Inherited,
    /// It takes more than this loop to tell.
    Unsure,
}

struct Expected<'t> {
    blocks: Vec<Block<'t>>,
    /// Whether a REPLACE line ends no whole block.
    stray_end: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    Search,
    Separator,
    Replace,
}

fn marker(line: &str) -> Option<Marker> {
    match line.trim_matches([' ', '\t']) {
        "<<<<<<< SEARCH" => Some(Marker::Search),
        "=======" => Some(Marker::Separator),
        ">>>>>>> REPLACE" => Some(Marker::Replace),
        _ => None,
    }
}

fn by_loop(text: &str) -> Expected<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> =
        text.split_terminator('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    // Without a final LF a CR at the end is text.
    let last_is_open = !text.is_empty() && !text.ends_with('\n');
    let lines: Vec<&str> = match (lines.split_last(), text.rsplit('\n').next()) {
        (Some((_, rest)), Some(last)) if last_is_open => rest.iter().copied().chain([last]).collect(),
        _ => lines,
    };
    let markers: Vec<(usize, Marker)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, marker(line)?))).collect();
    let mut blocks = Vec::new();
    let (mut whole_ends, mut free_from, mut before_is_whole) = (0, 0, true);
    for (index, &(at, _)) in markers.iter().enumerate().filter(|(_, found)| found.1 == Marker::Search) {
        let path = if before_is_whole { path(&lines[free_from..at]) } else { Path::Unsure };
        let whole = match markers.get(index + 1..index + 3) {
            Some(&[(separator, Marker::Separator), (end, Marker::Replace)]) => Some((separator, end)),
            _ => None,
        };
        let section = |from: usize, to: usize| lines[from..to].iter().map(|line| unescaped(line)).collect();
        blocks.push(Block {
            line: u32::try_from(at + 1).unwrap(),
            sections: whole.map(|(separator, end)| [section(at + 1, separator), section(separator + 1, end)]),
            path,
        });
        if let Some((_, end)) = whole {
            (whole_ends, free_from) = (whole_ends + 1, end + 1);
        }
        before_is_whole = whole.is_some();
    }
    let ends = markers.iter().filter(|found| found.1 == Marker::Replace).count();
    Expected { blocks, stray_end: ends > whole_ends }
}

/// A content line as it is meant.
fn unescaped(line: &str) -> &str {
    line.strip_prefix('\\').filter(|rest| marker(rest).is_some()).unwrap_or(line)
}

/// The path among the lines between two blocks.
fn path<'t>(gap: &[&'t str]) -> Path<'t> {
    for line in gap.iter().rev() {
        let visible = line.trim_matches([' ', '\t']);
        let is_fence = |text: &str| text.starts_with("```") || text.starts_with("~~~");
        let item = visible.trim_start_matches(|c: char| c.is_ascii_digit() || " \t-+*.)".contains(c));
        if is_fence(item) && !is_fence(visible) {
            return Path::Unsure;
        }
        if visible.is_empty() || visible.starts_with('#') || is_fence(visible) {
            continue;
        }
        // What is nearly a marker is no path; it has a run of one of these.
        if ["<<<", "===", ">>>"].iter().any(|run| visible.contains(run)) || visible.trim().is_empty() {
            return Path::Unsure;
        }
        return Path::Header(visible.trim());
    }
    Path::Inherited
}

fn agrees(found: &SearchReplace, expected: &Block<'_>, source: &Source<'_>) {
    assert_eq!(source.position(found.search_marker.start).line, expected.line);
    // A block without any line would do nothing.
    let is_complete = expected.sections.as_ref().is_some_and(|all| all.iter().any(|lines| !lines.is_empty()));
    assert_eq!(found.complete, is_complete, "the block of line {}", expected.line);
    if let Some(sections) = &expected.sections {
        for (text, expected) in [&found.search, &found.replace].into_iter().zip(sections) {
            assert_eq!(lines(text, source), *expected);
        }
    }
    let path = found.path.map(|path| source.slice(path.span));
    match expected.path {
        Path::Header(written) if !found.search.is_empty() => assert_eq!(path, Some(written)),
        // Of a file to create, a sentence is no path.
        Path::Header(written) => assert!(path.is_none_or(|path| path == written), "{path:?}, {written:?}"),
        Path::Inherited => assert!(found.path.is_none_or(|path| path.from == PathSource::Inherited)),
        Path::Unsure => {}
    }
}

fn lines<'s>(text: &Text, source: &Source<'s>) -> Vec<&'s str> {
    text.lines(source).map(|line| source.slice(line)).collect()
}

/// Path and sections, each line with its line ending.
type Written = (String, String, String);

fn written(parsed: &Parsed<'_>, block: &SearchReplace) -> Option<Written> {
    let section =
        |text| -> String { lines(text, parsed.source).into_iter().flat_map(|line| [line, "\n"]).collect() };
    let path = parsed.source.slice(block.path?.span).to_owned();
    block.complete.then(|| (path, section(&block.search), section(&block.replace)))
}

fn printed_blocks_are_read_as_the_same(parsed: &Parsed<'_>, blocks: &[&SearchReplace]) {
    let mut file = String::new();
    let mut expected = Vec::new();
    for written in blocks.iter().filter_map(|block| written(parsed, block)) {
        match print_block(&written.0, &written.1, &written.2) {
            Ok(block) => {
                file.push_str(&block);
                expected.push(written);
            }
            Err(PrintError::Line { reason: Unwritable::CarriageReturn, .. } | PrintError::Empty) => {}
            // White space of other kinds than a blank hides what the line without it would be.
            Err(PrintError::Path) if written.0.starts_with('\u{feff}') => {}
            // What an edit takes for a path, a block that creates a file has from it but could not be given itself.
            Err(PrintError::Path) if written.1.is_empty() && is_no_new_name(&written.0) => {}
            Err(PrintError::Path) if has_other_white_space(parsed, &written.0) => {}
            Err(error) => panic!("what was read cannot be printed: {error}: {written:?}"),
        }
    }
    let source = Source::new(&file).unwrap();
    let again = parse(&source, InputKind::Fsrb);
    let found: Vec<_> = again.document.nodes.iter().filter_map(|node| written(&again, block(node))).collect();
    assert_eq!(found, expected, "{file:?}");
    assert!(!again.diagnostics.iter().any(code_parser::diagnostic::Diagnostic::is_error));
}

/// Whether a path is none that a block which creates a file may be given.
fn is_no_new_name(path: &str) -> bool {
    path.contains(char::is_whitespace) || !path.contains(char::is_alphanumeric)
}

/// Whether a line with this path begins with white space that is no blank.
fn has_other_white_space(parsed: &Parsed<'_>, path: &str) -> bool {
    let lines = parsed.source.text().lines().map(|line| line.trim_matches([' ', '\t']));
    lines.filter(|line| line.trim() == path).any(|line| line.trim_start() != line)
}
