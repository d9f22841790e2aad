use code_parser::diagnostic::{Code, Suggestion};
use code_parser::source::LineIndex;

use super::*;
use code_parser::escape::is_hidden;

fn printed(text: &str, diagnostics: &[Diagnostic]) -> String {
    let source = Source::new(text).unwrap();
    Excerpts { input: "in.fsrb", source: &source, colours: Colours::Off }.print(diagnostics)
}

fn span(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    Span::new(start as u32, (start + part.len()) as u32)
}

#[test]
fn a_fault_is_shown_with_its_line_and_the_lines_around() {
    let text = "a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n";
    let mut fault = Diagnostic::new(Code::SearchNotFound, "SEARCH block not found in file content")
        .at(span(text, "<<<<<<< SEARCH"))
        .with_path("a.txt")
        .with_related("the block ends here", span(text, ">>>>>>> REPLACE"));
    let replacement = "older".to_owned();
    fault.suggestion = Some(Suggestion { message: "write".into(), span: span(text, "old"), replacement });
    let expected = "\
in.fsrb:2:1: error[search-not-found]: SEARCH block not found in file content (a.txt)
  |
1 | a.txt
2 | <<<<<<< SEARCH
  | ^^^^^^^^^^^^^^
3 | old
4 | =======
  |
note: the block ends here
  |
5 | new
6 | >>>>>>> REPLACE
  | ---------------
help: write: `older`
  |
2 | <<<<<<< SEARCH
3 | old
  | ---
4 | =======
5 | new
  |

";
    assert_eq!(printed(text, &[fault]), expected);
}

#[test]
fn a_suggestion_about_lines_is_shown_as_a_diff() {
    let text = "a.txt\n<<<<<<< SEARCH\none\n\ttwo\n\u{1b}three\n=======\nnew\n>>>>>>> REPLACE\n";
    let mut fault = Diagnostic::new(Code::SearchNotFound, "x").at(span(text, "<<<<<<< SEARCH"));
    fault.suggestion = Some(Suggestion {
        message: "look for these".into(),
        span: span(text, "one\n\ttwo\n\u{1b}three\n"),
        replacement: "one\n    two\n\u{1b}three\n".into(),
    });
    let shown = printed(text, &[fault.clone()]);
    assert!(
        shown.ends_with("\nhelp: look for these, from line 4 on:\n  - \ttwo\n  +     two\n\n"),
        "{shown}"
    );
    fault.suggestion.as_mut().unwrap().replacement = "\u{1b}x\n".repeat(30);
    let shown = printed(text, &[fault]);
    assert!(shown.contains("  + \\u{1b}x\n  + ... and 10 more lines\n"), "{shown}");
}

#[test]
fn a_place_in_another_file_is_named_with_its_line() {
    let mut fault = Diagnostic::new(Code::AmbiguousMatch, "two places").at(Span::new(0, 1));
    let index = LineIndex::new("x\nxy\n");
    let position = Some((index.position("x\nxy\n", 2), index.position("x\nxy\n", 3)));
    let (message, path) = ("one is here".to_owned(), Some("a.txt".to_owned()));
    fault.related.push(Related { message, path, span: Span::new(2, 3), position });
    assert!(printed("x", &[fault]).contains("\nnote: a.txt:2:1: one is here\n"));
}

#[test]
fn a_fault_without_a_place_is_one_line() {
    let fault = Diagnostic::new(Code::NoChanges, "the input holds no edit");
    assert_eq!(printed("", &[fault]), "in.fsrb: error[no-changes]: the input holds no edit\n\n");
}

#[test]
fn every_span_of_every_text_can_be_shown() {
    let texts = [
        "",
        "\n",
        "a",
        "a\n",
        "\r\n\r\n",
        "ü\u{1f600}\u{1b}\tx\n\n\u{202e}\u{feff}",
        "\u{feff}x\ry\r\n",
        "👩‍🚀e\u{301}",
    ];
    for text in texts {
        for start in 0..=text.len() as u32 + 2 {
            for end in start..=text.len() as u32 + 2 {
                let place = Span::new(start, end);
                let fault = Diagnostic::new(Code::NoChanges, "x").at(place).with_related("y", place);
                let shown = printed(text, &[fault]);
                let hidden = shown.chars().find(|&shown| shown != '\n' && is_hidden(shown));
                assert_eq!(hidden, None, "{text:?} {start}..{end}: {shown}");
            }
        }
    }
}

#[test]
fn the_mark_is_under_its_text_behind_escaped_characters() {
    let text = "a\u{1b}b\u{202e}cd\n";
    let shown = printed(text, &[Diagnostic::new(Code::UnsafePath, "x").at(span(text, "cd"))]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[2], "1 | a\\u{1b}b\\u{202e}cd");
    assert_eq!(lines[3].find("^^"), lines[2].find("cd"), "{shown}");
}

#[test]
fn a_line_of_a_million_characters_is_cut() {
    let text = format!("{}needle{}\nnext\n", "x".repeat(1 << 20), "y".repeat(1 << 20));
    let shown = printed(&text, &[Diagnostic::new(Code::UnsafePath, "x").at(span(&text, "needle"))]);
    assert!(shown.len() < 2000, "{}", shown.len());
    assert!(shown.contains("needle") && shown.contains("^^^^^^"), "{shown}");
    let whole = Span::new(0, text.len() as u32);
    assert!(printed(&text, &[Diagnostic::new(Code::UnsafePath, "x").at(whole)]).len() < 2000);
}

#[test]
fn of_many_diagnostics_the_errors_are_shown_and_the_rest_counted() {
    let text = "x\n".repeat(100_000);
    let at = |number: u32| Span::new(number * 2, number * 2 + 1);
    let mut diagnostics: Vec<Diagnostic> =
        (0..100_000).map(|number| Diagnostic::new(Code::NoOp, "nothing").at(at(number))).collect();
    diagnostics.push(Diagnostic::new(Code::NoChanges, "the last one"));
    let shown = printed(&text, &diagnostics);
    assert_eq!(shown.matches("in.fsrb:").count(), SHOWN);
    assert!(shown.contains("the last one"));
    assert!(shown.ends_with("... and 99951 more, which --format json prints\n\n"), "{shown}");
}

#[test]
fn of_many_places_only_some_are_shown() {
    let text = "a\nb\nc\nd\ne\nf\ng\nh\n";
    let places = |number: usize| {
        let fault = Diagnostic::new(Code::AmbiguousMatch, "x").at(span(text, "a"));
        let fault = (0..number).fold(fault, |fault, at| {
            fault.with_related(format!("place {}", at + 1), Span::new(at as u32 * 2, at as u32 * 2 + 1))
        });
        printed(text, &[fault])
    };
    assert!(!places(5).contains("more places"), "{}", places(5));
    let seven = places(7);
    assert!(seven.contains("note: place 5\n") && !seven.contains("place 6"), "{seven}");
    assert!(seven.contains("note: and 2 more places\n"), "{seven}");
}

#[test]
fn of_many_diagnostics_the_errors_come_before_the_others() {
    let text = "a\n";
    let warnings = (0..60).map(|number| Diagnostic::new(Code::NoOp, format!("warning {number}.")));
    let errors = (0..2).map(|number| Diagnostic::new(Code::EmptyBlock, format!("error {number}.")));
    let shown = printed(text, &warnings.clone().chain(errors).collect::<Vec<_>>());
    assert!(shown.contains("warning 47.") && !shown.contains("warning 48."), "{shown}");
    assert!(shown.contains("error 0.") && shown.contains("error 1."), "{shown}");
    assert!(shown.ends_with("... and 12 more, which --format json prints\n\n"), "{shown}");
    let errors: Vec<_> =
        (0..51).map(|number| Diagnostic::new(Code::EmptyBlock, format!("e{number}."))).collect();
    let shown = printed(text, &errors);
    assert!(shown.contains("e49.") && !shown.contains("e50."), "{shown}");
    assert!(shown.ends_with("... and 1 more, which --format json prints\n\n"), "{shown}");
    assert!(!printed(text, &errors[..50]).contains("more, which"));
}
