use super::*;

mod laws;

fn text(file: &str) -> FileText {
    FileText::new(file.as_bytes().to_vec())
}

fn content(text: FileText) -> String {
    assert_eq!(text.contents(), text.pieces.to_bytes());
    String::from_utf8(text.finish().get().to_vec()).unwrap()
}

/// The file after one exact edit.
fn edited(file: &str, search: &str, replace: Option<&str>) -> Result<String, MatchError> {
    let mut text = text(file);
    text.replace(search, replace, Tolerance::Exact)?;
    Ok(content(text))
}

fn tolerant(file: &str, search: &str, replace: Option<&str>) -> Result<String, MatchError> {
    let mut text = text(file);
    let matched = text.replace(search, replace, Tolerance::TrailingBlanks)?;
    assert_eq!(matched.found, Tolerance::TrailingBlanks, "{file:?} {search:?}");
    Ok(content(text))
}

fn count(result: Result<String, MatchError>) -> Count {
    match result {
        Err(MatchError::Ambiguous { count, .. }) => count,
        other => panic!("not ambiguous: {other:?}"),
    }
}

#[test]
fn match_is_literal_and_the_only_one() {
    assert_eq!(edited("a*b\n[x]\n", "a*b\n[x]", Some("y")).unwrap(), "y\n");
    assert_eq!(edited("aab\n", "a*b", Some("y")), Err(MatchError::NotFound));
    assert_eq!(edited("", "a", Some("y")), Err(MatchError::NotFound));
    assert_eq!(count(edited("a\nb\na\n", "a", Some("y"))), Count::Exactly(2));
}

#[test]
fn match_overlapping_occurrences_count() {
    assert_eq!(count(edited("aaa\n", "aa", Some("y"))), Count::Exactly(2));
    assert_eq!(count(edited("x\ny\nx\ny\nx\n", "x\ny\nx", Some("y"))), Count::Exactly(2));
    assert_eq!(count(edited(&"a".repeat(50), "a", Some("y"))), Count::AtLeast(search::LIMIT));
}

#[test]
fn match_inside_a_line_is_allowed_and_told() {
    for (search, extent) in [
        ("one", Extent::WholeLines),
        ("ne", Extent::PartOfLine),
        ("one\ntw", Extent::PartOfLine),
        ("one\ntwo", Extent::WholeLines),
        ("two\nthree", Extent::WholeLines),
        ("one\n", Extent::PartOfLine),
    ] {
        let mut file = text("one\ntwo\nthree");
        assert_eq!(
            file.replace(search, Some("one\n"), Tolerance::Exact).unwrap().extent,
            extent,
            "{search:?}"
        );
    }
    assert_eq!(edited("beta alpha\n", "alpha", None).unwrap(), "beta \n");
}

#[test]
fn match_reads_crlf_as_one_line_ending_and_a_lone_cr_as_text() {
    assert_eq!(edited("a\r\nb\r\n", "a\nb", Some("c")).unwrap(), "c\r\n");
    assert_eq!(edited("a\r\nb\r\n", "a\r", Some("c")), Err(MatchError::NotFound));
    assert_eq!(edited("a\rb\n", "a\nb", Some("c")), Err(MatchError::NotFound));
    assert_eq!(edited("a\rb\n", "a\rb", Some("c")).unwrap(), "c\n");
    assert_eq!(edited("a\r\r\nb\r\n", "a\r\nb", Some("c")).unwrap(), "c\r\n");
}

#[test]
fn blank_search_matches_whole_blank_lines_only() {
    assert_eq!(edited("a\n\nb\n", "", Some("x")).unwrap(), "a\nx\nb\n");
    assert_eq!(edited("\na\n", "", Some("x")).unwrap(), "x\na\n");
    assert_eq!(
        edited("a\nb\n", "", Some("x")),
        Err(MatchError::NotFound),
        "what follows the last ending is no line"
    );
    assert_eq!(edited("", "", Some("x")), Err(MatchError::NotFound));
    assert_eq!(edited("a", "", Some("x")), Err(MatchError::NotFound));
    assert_eq!(edited("\n", "", Some("x")).unwrap(), "x\n");
    assert_eq!(count(edited("\na\n\n", "", Some("x"))), Count::Exactly(2));
    assert_eq!(edited("a\n\n\nb\n", "\n", Some("x")).unwrap(), "a\nx\nb\n");
    assert_eq!(edited("a\n\nb\n", "\n", Some("x")), Err(MatchError::NotFound));
    assert_eq!(count(edited("\n\n\n", "\n", Some("x"))), Count::Exactly(2));
    assert_eq!(edited("a\n\nb\n", "", None).unwrap(), "a\nb\n");
    assert_eq!(edited("a\n\n", "", None).unwrap(), "a\n");
    assert_eq!(edited("a\r\n\r\nb\r\n", "", Some("x\ny")).unwrap(), "a\r\nx\r\ny\r\nb\r\n");
}

#[test]
fn blank_search_of_spaces_matches_exactly_these() {
    assert_eq!(edited("  a\n  \n\n    \n", "  ", Some("x")).unwrap(), "  a\nx\n\n    \n");
    assert_eq!(edited("  a\n", "  ", Some("x")), Err(MatchError::NotFound));
    assert_eq!(edited("a\n\t", "\t", Some("x")).unwrap(), "a\nx", "a last line without ending is one");
    assert_eq!(edited("\t", "\t", Some("x")).unwrap(), "x");
    assert_eq!(edited("a\n\t\n", "\t\n", Some("x")), Err(MatchError::NotFound));
}

#[test]
fn blank_edge_of_search_never_joins_lines() {
    let missing = |result| matches!(result, Err(MatchError::BlankLineNotFound { .. }));
    assert!(missing(edited("a\nfoo\nb\n", "\nfoo\n", Some("bar"))));
    assert!(missing(edited("a\nfoo\nb\n", "\nfoo\n", None)));
    assert!(missing(edited("a\nfoo\nb\n", "\nfoo", Some("bar"))));
    assert!(missing(edited("a\nfoo\nb\n", "foo\n", Some("bar"))));
    assert_eq!(edited("a\nfoo\nb\n", "\nfoo\n", Some("\nbar\n")).unwrap(), "a\nbar\nb\n");
    assert_eq!(edited("a\nfoo\nb\n", "foo\n", None).unwrap(), "a\nb\n");
    assert_eq!(edited("a\nfoo\nb\n", "\nfoo", None).unwrap(), "a\nb\n");
    assert_eq!(edited("a\n\nfoo\n\nb\n", "\nfoo\n", Some("bar")).unwrap(), "a\nbar\nb\n");
    assert_eq!(edited("a\nfoo\n", "\nfoo\n", None).unwrap(), "a\n");
    assert_eq!(edited("a\nfoo\n", "foo\n", Some("bar")).unwrap(), "a\nbar\n");
}

#[test]
fn trailing_white_space_is_ignored_when_nothing_matches_exactly() {
    let file = "if ok:  \n    foo()\t\n    bar()  \nend\n";
    assert_eq!(
        tolerant(file, "if ok:\n    foo()", Some("if ok:\n    baz()")).unwrap(),
        "if ok:\n    baz()\n    bar()  \nend\n"
    );
    assert_eq!(edited(file, "if ok:\n    foo()", Some("x")), Err(MatchError::NotFound));
    assert_eq!(tolerant("a\r\n b\r\n", "a \n b", Some("x\ny\nz")).unwrap(), "x\r\ny\r\nz\r\n");
    assert_eq!(tolerant("a\nb  ", "b\t", Some("c")).unwrap(), "a\nc", "a last line without ending");
    assert_eq!(tolerant("a\n  \nb\n", "a\n\nb", Some("c")).unwrap(), "c\n");
    assert_eq!(tolerant("a\nb \nc\n", "b\t", None).unwrap(), "a\nc\n");
}

#[test]
fn trailing_white_space_needs_whole_lines_and_one_place() {
    let no = |file, search| tolerant(file, search, Some("x"));
    assert_eq!(no("xa \nb\n", "a\nb"), Err(MatchError::NotFound), "whole lines only");
    assert_eq!(no(" a \nb\n", "a\nb"), Err(MatchError::NotFound), "not the spaces before");
    assert_eq!(count(no("a \nb\na\t\nb\n", "a\nb")), Count::Exactly(2));
    assert_eq!(count(no("a \na \na \n", "a\na")), Count::Exactly(2));
    assert_eq!(no("a \nb\n", "a\nb\n"), Err(MatchError::NotFound), "the blank last line is missing");
    match no(&"a \n".repeat(search::LIMIT + 5), "a\t") {
        Err(MatchError::Ambiguous { count, places }) => {
            assert_eq!((count, places.len()), (Count::AtLeast(search::LIMIT), search::LIMIT));
        }
        other => panic!("{other:?}"),
    }
    let mut exact_first = text("a \nb\na\nb\n");
    let matched = exact_first.replace("a\nb", Some("x"), Tolerance::TrailingBlanks).unwrap();
    assert_eq!((matched.found, content(exact_first).as_str()), (Tolerance::Exact, "a \nb\nx\n"));
}

#[test]
fn trailing_white_space_hides_no_place_of_a_line_that_stands_often() {
    let often = "the longest line\n".repeat(search::LIMIT);
    let both = format!("k \nthe longest line\n{often}k\t\nthe longest line\n");
    assert_eq!(count(tolerant(&both, "k\nthe longest line", Some("x"))), Count::Exactly(2));
    let last = format!("{often}k\t\nthe longest line\n");
    assert_eq!(tolerant(&last, "k\nthe longest line", Some("x")).unwrap(), format!("{often}x\n"));
}

#[test]
fn deleting_whole_lines_takes_their_line_ending() {
    assert_eq!(edited("a\nb\nc\n", "b", None).unwrap(), "a\nc\n");
    assert_eq!(edited("a\r\nb\nc\r\n", "b", None).unwrap(), "a\r\nc\r\n");
    assert_eq!(edited("a\nb\nc", "b\nc", None).unwrap(), "a", "the one before, at an end without");
    assert_eq!(edited("a\r\nb", "b", None).unwrap(), "a");
    assert_eq!(edited("a\nb\n", "a\nb", None).unwrap(), "");
    assert_eq!(edited("a", "a", None).unwrap(), "");
    assert_eq!(edited("\n  \nfoo\n", "foo", None).unwrap(), "\n  \n");
    assert_eq!(edited("a\nb\nc\n", "b", Some("")).unwrap(), "a\n\nc\n", "one blank line is not none");
    assert_eq!(edited("ab\n", "b", None).unwrap(), "a\n", "inside a line nothing more goes");
    assert_eq!(edited("a\nab\n", "b", None).unwrap(), "a\na\n");
}

#[test]
fn bytes_outside_the_edit_never_change() {
    assert_eq!(edited("a\r\nb\nc", "c", Some("C")).unwrap(), "a\r\nb\nC");
    let mut latin1 = FileText::new(b"x = 1;\n// caf\xE9 \r\r\n\r".to_vec());
    latin1.replace("x = 1", Some("x = 2"), Tolerance::Exact).unwrap();
    assert_eq!(latin1.finish().get(), b"x = 2;\n// caf\xE9 \r\r\n\r");
}

#[test]
fn inserted_lines_take_the_ending_of_the_lines_they_replace() {
    assert_eq!(edited("a\r\nb\r\nc\r\n", "b", Some("b1\nb2")).unwrap(), "a\r\nb1\r\nb2\r\nc\r\n");
    assert_eq!(edited("a\r\nb\nc\r\nd\n", "a\nb\nc", Some("1\n2\n3\n4")).unwrap(), "1\r\n2\n3\r\n4\r\nd\n");
    assert_eq!(edited("a\nb\r\nc", "c", Some("c\nd")).unwrap(), "a\nb\r\nc\r\nd");
    assert_eq!(edited("a", "a", Some("b\nc")).unwrap(), "b\nc");
}

#[test]
fn final_newline_stays_as_it_was() {
    assert_eq!(edited("one\ntwo", "two", Some("2")).unwrap(), "one\n2");
    assert_eq!(edited("one\ntwo\n", "two", Some("2")).unwrap(), "one\n2\n");
    assert_eq!(edited("one\ntwo\n", "two\n", Some("2")).unwrap(), "one\n2\n");
    assert_eq!(edited("one\r\ntwo\r\n", "two\n", Some("2")).unwrap(), "one\r\n2\r\n");
    assert_eq!(edited("one", "one", Some("1\n")).unwrap(), "1\n", "the new text ends in a blank line");
}

#[test]
fn created_files_end_with_a_line_ending_and_empty_ones_stay_empty() {
    let mut created = FileText::empty();
    created.append("a\nb");
    assert_eq!(content(created), "a\nb\n");
    let mut written = FileText::empty();
    assert_eq!(written.set("a"), Effect::Changed);
    assert_eq!(content(written), "a\n");
    let mut nothing = FileText::empty();
    assert_eq!(nothing.set(""), Effect::None);
    assert!(nothing.is_empty());
    assert_eq!(content(nothing), "");
    let mut deleted = text("a");
    deleted.replace("a", None, Tolerance::Exact).unwrap();
    assert!(deleted.is_empty());
    deleted.append("b");
    assert_eq!(content(deleted), "b\n", "an empty file counts as ending with a line ending");
}

#[test]
fn appending_starts_a_line_of_its_own() {
    for (file, lines, result) in [
        ("a\n", "b", "a\nb\n"),
        ("a", "b", "a\nb"),
        ("a\r\n", "b\nc", "a\r\nb\r\nc\r\n"),
        ("a\r\nb", "c", "a\r\nb\r\nc"),
        ("a\r\nb\nc", "d", "a\r\nb\nc\nd"),
        ("a\nb\r\n", "c", "a\nb\r\nc\r\n"),
        ("\u{FEFF}", "a", "\u{FEFF}a\n"),
    ] {
        let mut text = text(file);
        text.append(lines);
        assert_eq!(content(text), result);
    }
}

#[test]
fn whole_file_keeps_mode_of_line_endings_final_newline_and_mark() {
    for (file, lines, result) in [
        ("a\r\nb\r\n", "c\nd", "c\r\nd\r\n"),
        ("a\nb\r\nc\r\n", "c\nd", "c\r\nd\r\n"),
        ("a\nb\nc\r\n", "c\nd", "c\nd\n"),
        ("a\nb", "c\nd", "c\nd"),
        ("\u{FEFF}a\r\n", "b", "\u{FEFF}b\r\n"),
        ("\u{FEFF}a\n", "\u{FEFF}b", "\u{FEFF}b\n"),
        ("a\n", "", ""),
    ] {
        let mut text = text(file);
        assert_eq!(text.set(lines), Effect::Changed);
        assert_eq!(content(text), result);
    }
    for (file, lines) in [("a\nb\r\n", "a\nb"), ("a\nb", "a\nb"), ("", ""), ("\u{FEFF}a\r\n", "a")] {
        let mut text = text(file);
        assert_eq!(text.set(lines), Effect::None);
        assert_eq!(content(text), file);
    }
}

#[test]
fn utf8_mark_is_kept_and_does_not_hide_line_1() {
    let mut file = text("\u{FEFF}line one\r\nline two\r\n");
    let matched = file.replace("line one", Some("line ONE"), Tolerance::Exact).unwrap();
    assert_eq!(matched.extent, Extent::WholeLines);
    assert_eq!(matched.place, Place { line: 1, start: 3, end: 11 });
    assert_eq!(content(file), "\u{FEFF}line ONE\r\nline two\r\n");
    assert_eq!(edited("\u{FEFF}\na\n", "", None).unwrap(), "\u{FEFF}a\n");
    let mut emptied = text("\u{FEFF}a\n");
    emptied.replace("a", None, Tolerance::Exact).unwrap();
    assert!(emptied.is_empty());
}

#[test]
fn later_edits_see_what_earlier_ones_did() {
    let mut file = text("one\ntwo\nthree\n");
    let mut edit =
        |search, replace| file.replace(search, replace, Tolerance::Exact).map(|matched| matched.effect);
    assert_eq!(edit("two", Some("2\n2b")), Ok(Effect::Changed));
    assert_eq!(edit("two", Some("x")), Err(MatchError::NotFound));
    assert_eq!(edit("one\n2", Some("1\n2")), Ok(Effect::Changed));
    assert_eq!(edit("2b\nthree", None), Ok(Effect::Changed));
    assert_eq!(edit("1\n2", Some("1\n2")), Ok(Effect::None));
    assert_eq!(content(file), "1\n2\n");
}

#[test]
fn no_op_changes_nothing() {
    let mut file = text("a\r\nb\n");
    let matched = file.replace("a\nb", Some("a\nb"), Tolerance::Exact).unwrap();
    assert_eq!(matched.effect, Effect::None);
    assert!(matches!(file.contents(), Cow::Borrowed(b"a\r\nb\n")));
}

#[test]
fn places_are_those_of_the_file_as_it_was() {
    let mut file = text("a\r\nb\r\nc\r\nb\r\nd\r\n");
    let places = |error| match error {
        MatchError::Ambiguous { places, .. } => places,
        other => panic!("{other}"),
    };
    file.replace("a", Some("a\na2\na3"), Tolerance::Exact).unwrap();
    assert_eq!(
        places(file.replace("b", None, Tolerance::Exact).unwrap_err()),
        [Place { line: 2, start: 3, end: 4 }, Place { line: 4, start: 9, end: 10 }]
    );
    let matched = file.replace("a2", None, Tolerance::Exact).unwrap();
    assert_eq!(matched.place, Place { line: 1, start: 0, end: 0 });
}

#[test]
fn a_needle_of_half_the_text_is_instant() {
    let started = std::time::Instant::now();
    let mut file = FileText::new(vec![b'a'; 1 << 20]);
    let needle = "a".repeat(1 << 19);
    assert!(matches!(
        file.replace(&needle, Some("b"), Tolerance::TrailingBlanks),
        Err(MatchError::Ambiguous { count: Count::AtLeast(search::LIMIT), .. })
    ));
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

#[test]
fn a_text_that_is_too_frequent_to_keep_track_of_is_found_all_the_same() {
    let lines: Vec<String> =
        (0..40).map(|number| format!("the same line, but for its number {number:02}")).collect();
    let mut file = text(&lines.join("\n"));
    let frequent = "the same line, but for its number";
    let told = lines.iter().map(String::as_bytes).chain([frequent.as_bytes()]);
    file.expected = Some(Expected::all(&file.pieces, told.collect()));
    let mut find = |search: &str, replace| file.replace(search, Some(replace), Tolerance::Exact).err();
    let ambiguous = |error| match error {
        Some(MatchError::Ambiguous { count, .. }) => count,
        other => panic!("{other:?}"),
    };
    assert_eq!(ambiguous(find(frequent, "x")), Count::AtLeast(search::LIMIT));
    for line in &lines[..38] {
        assert_eq!(find(line, "x"), None);
    }
    assert_eq!(ambiguous(find(frequent, "x")), Count::Exactly(2));
    assert_eq!(find(&lines[38], "x"), None);
    assert_eq!(find(frequent, "the last, number"), None);
    assert!(content(file).ends_with("x\nthe last, number 39"));
}

#[test]
fn a_whole_file_is_looked_through_anew() {
    let mut file = text("one\ntwo\n");
    file.expected = Some(Expected::all(&file.pieces, vec![b"one", b"three"]));
    file.set("three\nthree\nfour");
    assert_eq!(file.replace("one", None, Tolerance::Exact), Err(MatchError::NotFound));
    assert!(matches!(
        file.replace("three", None, Tolerance::Exact),
        Err(MatchError::Ambiguous { count: Count::Exactly(2), .. })
    ));
}

#[test]
fn edits_of_one_file_do_not_cost_a_pass_each() {
    // A pass for each of these, of the file or of what was put in, would take minutes.
    let lines: Vec<String> = (0..50_000).map(|number| format!("line {number:07}")).collect();
    let mut file = text(&lines.join("\n"));
    let started = std::time::Instant::now();
    file.expect(lines.iter().map(String::as_str), Tolerance::TrailingBlanks);
    for line in lines.iter().rev() {
        file.replace(line, Some("x\ny"), Tolerance::TrailingBlanks).unwrap();
    }
    let mut chain = text("<0>\n");
    let steps: Vec<String> = (0..50_000).map(|number| format!("<{number}>")).collect();
    chain.expect(steps.iter().map(String::as_str), Tolerance::Exact);
    for (step, next) in steps.iter().zip(&steps[1..]) {
        chain.replace(step, Some(&format!("{next}\nwas {step:.1}")), Tolerance::Exact).unwrap();
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    assert!(content(chain).starts_with("<49999>\nwas <\nwas <\n"));
}

#[test]
fn a_place_has_every_column_also_behind_a_byte_order_mark() {
    let mut file = text("\u{feff}\u{fc}\u{1f600}x\n\u{fc}y\nz");
    let at = |file: &FileText, part: char| {
        let text = file.contents();
        let text = std::str::from_utf8(&text[3..]).unwrap();
        let at = file.position(text.find(part).unwrap());
        (at.offset, at.line, at.byte_column, at.column, at.utf16)
    };
    for (part, place) in [
        ('\u{fc}', (3, 1, 4, 2, 2)),
        ('x', (9, 1, 10, 4, 5)),
        ('y', (13, 2, 3, 2, 2)),
        ('z', (15, 3, 1, 1, 1)),
    ] {
        assert_eq!(at(&file, part), place, "{part}");
    }
    // After an edit places are told as they were before.
    file.replace("x", Some("longer"), Tolerance::Exact).unwrap();
    assert_eq!(at(&file, 'y'), (13, 2, 3, 2, 2));
}
