use super::super::lines::lex;
use super::*;
use crate::source::Source;

/// The block at the first SEARCH line, its faults as `line:severity:code`, and the number of lines left after it.
struct Outcome {
    search: String,
    replace: String,
    complete: bool,
    faults: Vec<String>,
    rest: usize,
}

fn read(text: &str) -> Outcome {
    read_indented(text, 0)
}

fn read_indented(text: &str, indent: u32) -> Outcome {
    let source = Source::new(text).unwrap();
    let tokens = lex(text);
    let lines = Lines::new(text, &tokens).indented(indent);
    let start = tokens.iter().position(|line| line.kind == Kind::Search).unwrap();
    let (rest, read) = block(lines.take_from(start)).unwrap();
    let faults = read.faults.iter().map(|fault| {
        let line = source.position(fault.span.unwrap().start).line;
        format!("{line}:{}:{}", fault.severity, fault.code)
    });
    let string = |text: &Text| text.lines(&source).map(|line| source.slice(line).to_owned() + "\n").collect();
    Outcome {
        search: string(&read.node.search),
        replace: string(&read.node.replace),
        complete: read.node.complete,
        faults: faults.collect(),
        rest: rest.input_len(),
    }
}

#[test]
fn a_whole_block() {
    let text = "<<<<<<< SEARCH\na\n\nb\n=======\nc\n>>>>>>> REPLACE\nrest\n";
    let read = read(text);
    assert_eq!((read.search.as_str(), read.replace.as_str()), ("a\n\nb\n", "c\n"));
    assert!(read.complete && read.faults.is_empty());
    assert_eq!(read.rest, 1);
}

#[test]
fn every_part_has_a_place() {
    let text = "x\n <<<<<<< SEARCH \na\n\t=======\n\\=======\n>>>>>>> REPLACE";
    let source = Source::new(text).unwrap();
    let tokens = lex(text);
    let (_, Read { node, .. }) = block(Lines::new(text, &tokens).take_from(1)).unwrap();
    assert_eq!(source.slice(node.search_marker), "<<<<<<< SEARCH");
    assert_eq!(source.slice(node.separator.unwrap()), "=======");
    assert_eq!(node.separator.unwrap().start, 22);
    assert_eq!(source.slice(node.replace_marker.unwrap()), ">>>>>>> REPLACE");
    assert_eq!(node.span, Span::new(3, source.end()));
    assert_eq!(node.search, Text::contiguous(Span::new(19, 21)));
    assert_eq!(node.escapes, [Span::new(30, 31)]);
}

#[test]
fn only_a_search_line_begins_a_block() {
    for text in ["", "x\n<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "<<<<<<< search\n"] {
        let tokens = lex(text);
        assert_eq!(block(Lines::new(text, &tokens)).unwrap_err(), nom::Err::Error(Mismatch));
    }
}

#[test]
fn white_space_around_markers_is_allowed() {
    let read = read("\t<<<<<<< SEARCH \n a\n   =======\t\n b\n  >>>>>>> REPLACE  \n");
    assert_eq!((read.search.as_str(), read.replace.as_str()), (" a\n", " b\n"));
    assert!(read.complete && read.faults.is_empty());
}

#[test]
fn a_blank_line_is_not_an_empty_section() {
    assert_eq!(read("<<<<<<< SEARCH\n=======\n\n>>>>>>> REPLACE\n").replace, "\n");
    let empty = read("<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n");
    assert!(!empty.complete);
    assert_eq!(empty.faults, ["1:error:empty-block"]);
    assert!(read("<<<<<<< SEARCH\n\n=======\n>>>>>>> REPLACE\n").complete);
}

#[test]
fn one_backslash_before_a_marker_line_is_removed() {
    let table = [
        ("\\=======", "======="),
        ("\\<<<<<<< SEARCH", "<<<<<<< SEARCH"),
        ("\\>>>>>>> REPLACE \t", ">>>>>>> REPLACE \t"),
        ("\\\\=======", "\\\\======="),
        (" \\=======", " \\======="),
        ("\\ =======", " ======="),
        ("\\========", "\\========"),
        ("\\n", "\\n"),
    ];
    for (line, want) in table {
        let read = read(&format!("<<<<<<< SEARCH\n{line}\n=======\nx\n>>>>>>> REPLACE\n"));
        assert_eq!(read.search, format!("{want}\n"), "{line:?}");
        assert!(read.complete && read.faults.is_empty());
    }
}

#[test]
fn indentation_is_cut_before_escapes_are_looked_for() {
    let text =
        "  <<<<<<< SEARCH\n  a\n b\n    c\n  \\=======\n\\=======\n  =======\n\n  d\n  >>>>>>> REPLACE\n";
    let read = read_indented(text, 2);
    assert_eq!(read.search, "a\nb\n  c\n=======\n=======\n");
    assert_eq!(read.replace, "\nd\n");
    assert!(read.complete);
}

#[test]
fn line_endings_are_no_content() {
    let read = read("<<<<<<< SEARCH\r\na\r\n=======\r\nb\rc\r\n>>>>>>> REPLACE\r\n");
    assert_eq!((read.search.as_str(), read.replace.as_str()), ("a\n", "b\rc\n"));
}

#[test]
fn a_second_separator_breaks_the_block() {
    let read = read("<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n=======\n>>>>>>> REPLACE\nrest\n");
    assert_eq!(read.faults, ["5:error:unexpected-marker"]);
    assert_eq!((read.replace.as_str(), read.rest), ("b\n", 1));
    assert!(!read.complete);
}

#[test]
fn a_separator_in_place_of_the_end_leaves_the_rest() {
    let read = read("<<<<<<< SEARCH\na\n=======\nb\n=======\n```\nprose\n<<<<<<< SEARCH\n");
    assert_eq!((read.faults, read.rest), (vec!["5:error:unexpected-marker".to_owned()], 3));
}

#[test]
fn a_search_line_in_an_open_block_begins_another() {
    let read = read("<<<<<<< SEARCH\na\n<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE\n");
    assert_eq!((read.faults, read.rest), (vec!["3:error:unexpected-marker".to_owned()], 5));
    let read =
        self::read("<<<<<<< SEARCH\na\n=======\nb\n\n<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE\n");
    assert_eq!((read.faults, read.rest), (vec!["6:error:unexpected-marker".to_owned()], 5));
    assert_eq!(read.replace, "b\n\n");
}

#[test]
fn a_replace_line_without_separator() {
    let read = read("<<<<<<< SEARCH\na\n>>>>>>> REPLACE\nrest\n");
    assert_eq!((read.faults, read.rest), (vec!["3:error:missing-separator".to_owned()], 1));
    let read = self::read("<<<<<<< SEARCH\n>>>>>>> REPLACE\na\n=======\nb\n>>>>>>> REPLACE\nrest\n");
    assert_eq!((read.faults, read.rest), (vec!["2:error:missing-separator".to_owned()], 1));
}

#[test]
fn a_block_that_never_ends() {
    let read = read("\n<<<<<<< SEARCH\na\n=======\nb");
    assert_eq!((read.faults, read.rest), (vec!["2:error:unterminated-block".to_owned()], 0));
    assert_eq!((read.search.as_str(), read.replace.as_str()), ("a\n", "b\n"));
    let read = self::read("<<<<<<< SEARCH\na\n```\nprose\n");
    assert_eq!((read.search.as_str(), read.replace.as_str(), read.rest), ("a\n", "", 2));
    assert_eq!(self::read("<<<<<<< SEARCH").faults, ["1:error:unterminated-block"]);
}

#[test]
fn what_is_nearly_the_missing_marker_is_named_beside_the_fault() {
    let read = read("<<<<<<< SEARCH\na\n======\nb\n>>>>>>> REPLACE\n");
    assert_eq!(read.faults, ["3:error:suspicious-marker", "5:error:missing-separator"]);
    let read = self::read("<<<<<<< SEARCH\na\n=======\n========\nb\n>>>>>>> UPDATED\n");
    assert_eq!(read.faults, ["1:error:unterminated-block", "6:error:suspicious-marker"]);
}

#[test]
fn what_is_nearly_a_marker_is_content_of_a_whole_block() {
    let text = "<<<<<<< SEARCH\n<<<<<<< HEAD\n========\n>>>>>>> topic\n=======\nb\n>>>>>>> REPLACE\n";
    let whole = read(text);
    assert!(whole.complete && whole.faults.is_empty());
    assert_eq!(whole.search, "<<<<<<< HEAD\n========\n>>>>>>> topic\n");
    let whole = read("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> replace\n>>>>>>> REPLACE\n");
    assert!(whole.complete);
    assert_eq!(whole.faults, ["5:warning:suspicious-marker"]);
}

/// The suggestions of the faults of the block at the first SEARCH line, each with the text that it replaces.
fn suggestions(text: &str) -> Vec<(String, String)> {
    let source = Source::new(text).unwrap();
    let tokens = lex(text);
    let (_, read) = block(Lines::new(text, &tokens)).unwrap();
    let found = read.faults.into_iter().filter_map(|fault| fault.suggestion);
    found.map(|found| (source.slice(found.span).to_owned(), found.replacement)).collect()
}

#[test]
fn the_only_line_that_is_nearly_a_marker_stands_for_the_missing_one() {
    let cases = [
        ("<<<<<<< SEARCH\na\n======\nb\n>>>>>>> REPLACE\n", &[("======", "=======")][..]),
        ("<<<<<<< SEARCH\na\n======= x\nb\n>>>>>>> REPLACE\n", &[("======= x", "=======")]),
        ("<<<<<<< SEARCH\na\n=======\nb\n  >>>>>> replace\n", &[(">>>>>> replace", ">>>>>>> REPLACE")]),
        ("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>>\n", &[(">>>>>>>", ">>>>>>> REPLACE")]),
        // Of two nobody knows.
        ("<<<<<<< SEARCH\na\n======\n======\nb\n>>>>>>> REPLACE\n", &[]),
        // A second separator is what breaks the block; it may be content.
        ("<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n", &[("=======", "\\=======")]),
        // Nothing is missing.
        ("<<<<<<< SEARCH\na\n=======\nb\n>>>>>> REPLACE\n>>>>>>> REPLACE\n", &[]),
    ];
    for (text, expected) in cases {
        let found = suggestions(text);
        let found: Vec<_> = found.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }
}
