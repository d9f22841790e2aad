use std::collections::BTreeMap;

use super::*;
use crate::apply::plan::{Options, Plan, Scope};
use crate::apply::report::Outcome;
use crate::ast::InputKind;
use crate::diagnostic::{Code, Related, Suggestion};
use crate::rel_path::RelPath;
use crate::source::{LineIndex, Span};

type Tree = BTreeMap<RelPath, Vec<u8>>;

fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, text)| (RelPath::new(path).unwrap(), text.as_bytes().to_vec())).collect()
}

fn block(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

/// The text for an input, after `change` has had its way with the report.
fn text_with(files: &Tree, input: &str, budget: usize, change: impl Fn(&mut Report)) -> String {
    let source = Source::new(input).unwrap();
    let changes = crate::parse(&source, InputKind::Response).changes();
    let mut report = match Plan::new(&changes, files, &Options::default()) {
        Ok(plan) => plan.report(),
        Err(refusal) => refusal.into(),
    };
    change(&mut report);
    prompt(&Run { report: &report, source: &source, changes: Some(&changes), plan: None }, files, budget)
}

fn text(files: &[(&str, &str)], input: &str) -> String {
    text_with(&tree(files), input, DEFAULT_BUDGET, |_| {})
}

/// A place in a file's text.
fn place(path: &str, text: &str, part: &str, message: &str) -> Related {
    let start = u32::try_from(text.find(part).unwrap()).unwrap();
    let span = Span::new(start, start + u32::try_from(part.len()).unwrap());
    let index = LineIndex::new(text);
    let position = Some((index.position(text, span.start), index.position(text, span.end)));
    Related { message: message.to_owned(), path: Some(path.to_owned()), span, position }
}

const FILE: &str = "def a():\n\treturn 1\n\ndef b():\n\treturn 2\n";

/// A report whose first fault has a place in the file and a suggestion.
fn nearest(report: &mut Report) {
    let fault = &mut report.diagnostics[0];
    fault.related.clear();
    fault.related.push(place("a.py", FILE, "def a():\n\treturn 1\n", "the most similar lines are here"));
    fault.related.push(place("a.py", FILE, "1", "this is `1` in the file, but `3` in SEARCH"));
    fault.suggestion = Some(Suggestion {
        message: "look for the lines as the file has them".to_owned(),
        span: Span::new(20, 40),
        replacement: "def a():\n\treturn 1\n".to_owned(),
    });
}

#[test]
fn the_lines_of_the_file_are_shown() {
    let input = block("a.py", "def a():\n\treturn 3\n", "x\n");
    let text = text_with(&tree(&[("a.py", FILE)]), &input, DEFAULT_BUDGET, nearest);
    let expected = "\
The edit was not applied: it is wrong. Nothing was written: send it again, corrected.

Edit 1 (`a.py`, line 2 of your reply): search-not-found: SEARCH block not found in file content.
`a.py`, lines 1-2: the most similar lines are here:
```
def a():
\treturn 1
```
Suggestion: look for the lines as the file has them (these lines).
`a.py`, line 2: this is `1` in the file, but `3` in SEARCH.

To mend search-not-found: ";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn a_suggestion_that_is_more_than_the_file_s_lines_is_shown() {
    let input = block("a.py", "def a():\n\treturn 3\n", "x\n");
    let text = text_with(&tree(&[("a.py", FILE)]), &input, DEFAULT_BUDGET, |report| {
        nearest(report);
        report.diagnostics[0].suggestion.as_mut().unwrap().replacement.push_str("=======\nx\n");
    });
    let expected = "
Suggestion: look for the lines as the file has them:
```
def a():
\treturn 1
=======
x
```
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn places_that_are_alike_are_told_apart_by_what_is_around_them() {
    let file = "1\n2\n3\nx\n5\n6\n7\n";
    let input = block("a.py", "y\n", "z\n");
    let text = text_with(&tree(&[("a.py", file)]), &input, DEFAULT_BUDGET, |report| {
        report.diagnostics[0].code = Code::AmbiguousMatch;
        report.diagnostics[0].related = vec![
            place("a.py", file, "x", "it fits here"),
            place("a.py", file, "1", "and here"),
            place("a.py", file, "x\n", "and once more"),
        ];
        report.diagnostics[0].suggestion = None;
    });
    assert!(text.contains("\n`a.py`, lines 2-6: it fits here:\n```\n2\n3\nx\n5\n6\n```\n"), "{text}");
    assert!(text.contains("\n`a.py`, lines 1-3: and here:\n```\n1\n2\n3\n```\n"), "{text}");
    assert!(text.contains("\n`a.py`, line 4: and once more.\n"), "{text}");
}

#[test]
fn which_edits_are_right_is_said() {
    let input = block("a.py", "1\n", "2\n") + &block("b.py", "x\n", "y\n") + &block("c.py", "1\n", "2\n");
    let text = text(&[("a.py", "1\n"), ("b.py", "1\n"), ("c.py", "1\n")], &input);
    assert!(text.contains("None of the 3 edits was applied, because one of them is wrong."), "{text}");
    assert!(text.contains("\nRight: edits 1, 3.\n"), "{text}");
}

/// The text for an input of which the files were written that could be, after `change` has had its way with the report.
fn partly(files: &Tree, input: &str, change: impl Fn(&mut Report)) -> String {
    let source = Source::new(input).unwrap();
    let changes = crate::parse(&source, InputKind::Response).changes();
    let options = Options { scope: Scope::EachFile, ..Options::default() };
    let plan = Plan::new(&changes, files, &options).unwrap();
    let mut report = plan.report();
    change(&mut report);
    let run = Run { report: &report, source: &source, changes: Some(&changes), plan: Some(&plan) };
    prompt(&run, files, DEFAULT_BUDGET)
}

#[test]
fn with_keep_going_all_edits_of_a_failed_file_are_to_be_sent_again() {
    let files = tree(&[("a.py", "1\n"), ("b.py", "1\n2\n")]);
    let input = block("b.py", "1\n", "x\n") + &block("a.py", "1\n", "2\n") + &block("b.py", "3\n", "y\n");
    let text = partly(&files, &input, |_| {});
    let expected = "\
Not to be sent again: edit 2.
To be sent again: edits 1, 3.
Of these right as they are: edit 1.
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn with_keep_going_nothing_is_asked_for_where_no_edit_can_be_corrected() {
    let input = block("a.py", "1\n", "2\n") + &block(".git/hooks/x", "", "x\n");
    let text = partly(&tree(&[("a.py", "1\n")]), &input, |_| {});
    assert!(text.contains("There is nothing to send again.\nNot to be sent again: edit 1.\n"), "{text}");
    assert!(text.contains("\nTo be left out: edit 2.\n"), "{text}");
    assert!(!text.contains("To be sent again"), "{text}");
}

#[test]
fn with_keep_going_a_right_edit_is_asked_for_without_the_one_that_cannot_be() {
    let binary = "diff --git a/l.png b/l.png\nindex 1111111..2222222 100644\nBinary files a/l.png and b/l.png differ\n";
    let input = block("a.py", "1\n", "2\n") + &block("l.png", "x\n", "y\n") + "\n" + binary;
    let text = partly(&tree(&[("a.py", "1\n"), ("l.png", "x\n")]), &input, |_| {});
    let expected = "Send only these again.
Not to be sent again: edit 1.
To be left out: edit 3.
To be sent again: edit 2.
Of these right as they are: edit 2.
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn with_keep_going_a_file_that_failed_for_a_reason_outside_waits() {
    let input = block("a.py", "1\n", "2\n") + &block("b.py", "1\n", "2\n");
    let text = partly(&tree(&[("a.py", "1\n"), ("b.py", "1\n")]), &input, |report| {
        report.outcome = Outcome::Partial;
        report.files[1].status = crate::apply::report::FileStatus::Failed;
        report.diagnostics = vec![Diagnostic { block: Some(2), ..Diagnostic::new(Code::ReadOnly, "x") }];
    });
    let expected = "Send nothing now; send only these again when you are told to.
Not to be sent again: edit 1.
To be sent again: edit 2.
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn edits_that_change_nothing_are_not_called_applied() {
    let input = block("a.py", "1\n", "1\n");
    let text = |outcome| {
        text_with(&tree(&[("a.py", "1\n")]), &input, DEFAULT_BUDGET, |report| report.outcome = outcome)
    };
    assert!(
        text(Outcome::Planned).starts_with("Your reply would be taken (1 edit), but it changes nothing.")
    );
    assert!(text(Outcome::Applied).starts_with("Your reply was taken (1 edit), but it changes nothing"));
}

#[test]
fn what_can_not_be_corrected_is_to_be_left_out() {
    let binary = "diff --git a/l.png b/l.png\nindex 1111111..2222222 100644\nBinary files a/l.png and b/l.png differ\n";
    let link = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n";
    let git = block(".git/hooks/x", "", "x\n");
    let nul = block("nul.py", "a\n", "b\n");
    let right = block("a.py", "1\n", "2\n");
    let files = [("a.py", "1\n"), ("l.png", "x\n"), ("nul.py", "a\n\0\n")];
    for edit in [binary, link, &git, &nul] {
        let alone = text(&files, edit);
        assert!(alone.starts_with("The edit was not applied, and none like it can be."), "{alone}");
        assert!(alone.contains(": do not send it again.\n") && alone.contains(": Leave this "), "{alone}");
        let both = text(&files, &format!("{right}\n{edit}"));
        assert!(both.contains("\nTo be left out: edit 2.\nRight: edit 1.\n"), "{both}");
        assert!(!both.contains("orrected"), "{both}");
    }
    let others = text(&files, &format!("{right}\n{git}"));
    assert!(others.contains("send the others again, without those that cannot"), "{others}");
    let none = text(&files, &format!("{git}\n{nul}"));
    assert!(none.contains("none like them can be. Nothing was written: do not send them again."), "{none}");
    let wrong = block("a.py", "3\n", "2\n");
    let mixed = text(&files, &format!("{wrong}\n{git}\n{right}"));
    assert!(
        mixed.contains("with the wrong ones corrected and without those that cannot be applied"),
        "{mixed}"
    );
    assert!(mixed.contains("\nTo be left out: edit 2.\nRight: edit 3.\n"), "{mixed}");
}

#[test]
fn of_two_edits_at_odds_none_is_called_right() {
    let input = block("d.py", "", "x\n") + &block("d.py/e.py", "", "y\n") + &block("a.py", "1\n", "2\n");
    let text = text(&[("a.py", "1\n")], &input);
    assert!(text.contains("\nRight: edit 3.\n"), "{text}");
}

/// The number of the edit in doubt is not always the first.
#[test]
fn an_edit_that_another_is_at_odds_with_is_not_called_right() {
    let input = block("a.py", "1\n", "2\n") + &block("d.py", "", "x\n") + &block("d.py/e.py", "", "y\n");
    let text = text(&[("a.py", "1\n")], &input);
    assert!(text.contains("\nRight: edit 1.\n"), "{text}");
}

#[test]
fn the_line_of_a_placeholder_is_quoted() {
    let input = block("a.py", FILE, "def a():\n\t# ... existing code ...\n");
    let text = text(&[("a.py", FILE)], &input);
    assert!(text.contains("omission-placeholder"), "{text}");
    assert!(
        text.contains("`\t# ... existing code ...`: this is the line.")
            || text.contains("`# ... existing code ...`: this is the line."),
        "{text}"
    );
}

#[test]
fn a_reason_outside_the_edits_asks_for_nothing_now() {
    let outside = [
        Code::Busy,
        Code::ChangedOnDisk,
        Code::CommitFailed,
        Code::InterruptedCommit,
        Code::FileUnreadable,
        Code::TooLarge,
        Code::ReadOnly,
        Code::OwnerNotKept,
        Code::OtherFileSystem,
    ];
    for code in outside {
        let text = text_with(&tree(&[]), &block("a.py", "1\n", "2\n"), DEFAULT_BUDGET, |report| {
            report.diagnostics = vec![Diagnostic::new(code, "x")];
        });
        assert!(
            text.contains("Send nothing now; send the same edits again when you are told to.\n"),
            "{text}"
        );
        assert!(text.contains(&format!("\nTo mend {code}: The person who runs this has to ")), "{text}");
    }
}

#[test]
fn a_note_brings_what_to_do_once() {
    let input = block("a.py", "1\n", "1\n") + &block("a.py", "2\n", "2\n");
    let text = text(&[("a.py", "1\n2\n")], &input);
    assert!(text.starts_with("Your reply would be taken (2 edits), but it changes nothing"), "{text}");
    assert_eq!(text.matches("no-op: the edit leaves the file as it is.").count(), 2, "{text}");
    assert_eq!(text.matches("Nothing has to be done, unless a change was meant").count(), 1, "{text}");
}

#[test]
fn the_file_is_shown_where_no_place_in_it_is() {
    let file: String = (1..=90).map(|number| format!("line {number}\n")).collect();
    let files = [("a.py", file.as_str())];
    let first = text(&files, &block("a.py", "<nothing like=\"it\">\n", "x\n"));
    assert!(first.contains("\n`a.py`, lines 1-40: the file as it is:\n```\nline 1\n"), "{first}");
    let hunk = "--- a/a.py\n+++ b/a.py\n@@ -50 +50 @@\n-<nothing like=\"it\">\n+x\n";
    let near = text(&files, hunk);
    assert!(near.contains("\n`a.py`, lines 42-58: the file has here:\n```\nline 42\n"), "{near}");
    let nowhere = text(&files, &hunk.replace("-50", "-0,1"));
    assert!(nowhere.contains("\n`a.py`, lines 1-40: the file as it is:\n"), "{nowhere}");
    let beyond = text(&files, &hunk.replace("50", "500"));
    assert!(!beyond.contains("the file has here"), "{beyond}");
    for budget in 0..near.len() {
        let text = text_with(&tree(&files), hunk, budget, |_| {});
        assert!(text.len() <= budget, "{budget}: {text}");
    }
}

#[test]
fn what_comes_from_a_file_or_an_input_stays_quoted() {
    let file = "```\n````` x\n\u{202e}evil\u{1b}[31m\n";
    let input = block("a`b.py", "y\n", "z\n");
    let text = text_with(&tree(&[("a`b.py", file)]), &input, DEFAULT_BUDGET, |report| {
        report.diagnostics[0].related = vec![place("a`b.py", file, file, "here\u{202e}")];
        report.diagnostics[0].suggestion = None;
    });
    let expected =
        "\n``a`b.py``, lines 1-3: here\\u{202e}:\n``````\n```\n````` x\n\\u{202e}evil\\u{1b}[31m\n``````\n";
    assert!(text.contains(expected), "{text}");
    assert!(!text.contains(|c| c != '\n' && crate::escape::is_hidden(c)), "{text}");
}

#[test]
fn every_fault_gets_its_line_before_any_gets_details() {
    let input: String = (0..8).map(|number| block("a.py", &format!("no {number}\n"), "x\n")).collect();
    let long: String = (1..=5).map(|number| format!("{} = {number}\n", "x".repeat(40))).collect();
    let files = tree(&[("a.py", &long)]);
    let details = |report: &mut Report| {
        for fault in &mut report.diagnostics {
            fault.related = vec![place("a.py", &long, &long, "here")];
            fault.suggestion = None;
        }
    };
    let whole = text_with(&files, &input, usize::MAX, details);
    let mut seen = [false; 3];
    for budget in 0..whole.len() {
        let text = text_with(&files, &input, budget, details);
        assert!(text.len() <= budget && (text.is_empty() || text.ends_with('\n')), "{budget}: {text}");
        assert_eq!(text.matches("```").count() % 2, 0, "{budget}: {text}");
        let faults = text.matches("search-not-found: SEARCH").count();
        let excerpts = text.matches("lines 1-").count();
        assert!(excerpts == 0 || faults == 8, "{budget}: {text}");
        seen[0] |= faults == 0 && !text.is_empty();
        seen[1] |= faults > 0 && text.contains(&format!("\n(and {} more faults)\n", 8 - faults));
        seen[2] |= text.contains("(the first 3 of 5 lines)\n");
        if faults < 8 && budget > 200 {
            assert!(text.contains(" more fault"), "{budget}: {text}");
        }
    }
    assert_eq!(seen, [true; 3]);
    assert_eq!(text_with(&files, &input, whole.len(), details), whole);
}

#[test]
fn places_that_the_files_do_not_have_are_left_out() {
    let input = block("a.py", "no\n", "x\n");
    let gone = |report: &mut Report| {
        report.diagnostics[0].related =
            vec![place("a.py", FILE, "return 2", "here"), place("b.py", FILE, "a", "there")];
        report.diagnostics[0].suggestion = None;
    };
    let text = text_with(&tree(&[("a.py", "short\n")]), &input, DEFAULT_BUDGET, gone);
    assert!(!text.contains("```"), "{text}");
}

#[test]
fn many_faults_take_no_more_time_than_the_budget_is_worth() {
    let input: String = (0..20_000).map(|number| block("a.py", &format!("no {number}\n"), "x\n")).collect();
    let started = std::time::Instant::now();
    let text = text(&[("a.py", FILE)], &input);
    assert!(text.len() <= DEFAULT_BUDGET);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn where_a_fault_is_stands_at_the_start_of_its_line() {
    let source = Source::new("one\ntwo\n").unwrap();
    let found = |block, hunk, path: Option<&str>, span| Diagnostic {
        block,
        hunk,
        path: path.map(Into::into),
        span,
        ..Diagnostic::new(Code::NoOp, "it is so")
    };
    let second = Some(Span::new(4, 7));
    let cases = [
        (found(Some(2), Some(1), Some("a.py"), second), "Edit 2, hunk 1 (`a.py`, line 2 of your reply)"),
        (found(Some(2), None, None, second), "Edit 2 (line 2 of your reply)"),
        (found(Some(2), None, Some("line"), None), "Edit 2 (`line`)"),
        (found(Some(2), None, None, None), "Edit 2"),
        (found(None, None, None, second), "Line 2 of your reply"),
        (found(None, None, Some("a.py"), second), "`a.py`, line 2 of your reply"),
        (found(None, Some(1), None, None), "As a whole"),
    ];
    for (found, place) in cases {
        assert_eq!(headline(&found, &source), format!("{place}: no-op: it is so."));
    }
}

#[test]
fn a_place_is_shown_from_the_start_of_its_line() {
    let shown = |place: Related| {
        text_with(&tree(&[("a.py", FILE)]), &block("a.py", "no\n", "x\n"), DEFAULT_BUDGET, |report| {
            report.diagnostics[0].related = vec![place.clone()];
            report.diagnostics[0].suggestion = None;
        })
    };
    let two = shown(place("a.py", FILE, "b():\n\treturn 2", "it is here"));
    assert!(two.contains("\n`a.py`, lines 4-5: it is here:\n```\ndef b():\n\treturn 2\n```\n"), "{two}");
    let empty = shown(place("a.py", FILE, "", "it is here"));
    assert!(empty.contains("\n`a.py`, line 1: it is here:\n```\ndef a():\n```\n"), "{empty}");
}

#[test]
fn a_suggestion_of_nothing_or_blanks_is_told() {
    let told = |replacement: &str| {
        text_with(&tree(&[("a.py", FILE)]), &block("a.py", "no\n", "x\n"), DEFAULT_BUDGET, |report| {
            report.diagnostics[0].related.clear();
            report.diagnostics[0].suggestion = Some(Suggestion {
                message: "write this".to_owned(),
                span: Span::new(20, 23),
                replacement: replacement.to_owned(),
            });
        })
    };
    assert!(told("").contains("\nSuggestion: write this.\n"), "{}", told(""));
    assert!(told("  \n").contains("\nSuggestion: write this:\n```\n  \n```\n"), "{}", told("  \n"));
}

#[test]
fn the_file_is_not_shown_where_its_lines_mend_nothing() {
    let text = text_with(&tree(&[("a.py", FILE)]), &block("a.py", "no\n", "x\n"), DEFAULT_BUDGET, |report| {
        report.diagnostics[0].code = Code::UnsafePath;
        report.diagnostics[0].related.clear();
        report.diagnostics[0].suggestion = None;
    });
    assert!(!text.contains("the file as it is"), "{text}");
}

#[test]
fn other_places_and_a_suggestion_of_one_line_are_told_in_words() {
    let input = block("a.py", "no\n", "x\n");
    let text = text_with(&tree(&[("a.py", FILE)]), &input, DEFAULT_BUDGET, |report| {
        let somewhere = |path: Option<&str>, message: &str| Related {
            message: message.to_owned(),
            path: path.map(str::to_owned),
            span: Span::new(20, 21),
            position: None,
        };
        report.diagnostics[0].related =
            vec![somewhere(None, "it ends here"), somewhere(Some("b.py"), "that file has it")];
        report.diagnostics[0].suggestion = Some(Suggestion {
            message: "write this".to_owned(),
            span: Span::new(20, 23),
            replacement: format!("a`{}\n", "b".repeat(400)),
        });
    });
    let shown = "b".repeat(398);
    for expected in [
        format!("\nSuggestion: write this: ``a`{shown}...``\n"),
        "\nLine 3 of your reply, `n`: it ends here.\n".to_owned(),
        "\n`b.py`: that file has it.\n".to_owned(),
    ] {
        assert!(text.contains(&expected), "{text}");
    }
}

#[test]
fn a_place_without_text_is_told_by_its_line_alone() {
    let input = block("a.py", "x\n", "y\n") + "\n" + &block("a.py", "1\n", "y\n");
    let text = text_with(&tree(&[("a.py", "1\n")]), &input, DEFAULT_BUDGET, |report| {
        let empty = Span::empty(u32::try_from(input.find("\n\n").unwrap() + 1).unwrap());
        report.diagnostics[0].related =
            vec![Related { message: "it ends here".to_owned(), path: None, span: empty, position: None }];
    });
    assert!(text.contains("\nLine 7 of your reply: it ends here.\n"), "{text}");
}

#[test]
fn no_budget_is_exceeded() {
    let input = block("a.py", "x\n", "y\n") + &block("a.py", "z\n", "y\n") + &block("a.py", "1\n", "1\n");
    let files = tree(&[("a.py", "1\n")]);
    let whole = text_with(&files, &input, DEFAULT_BUDGET, |_| {});
    for budget in 0..whole.len() {
        let text = text_with(&files, &input, budget, |_| {});
        assert!(text.len() <= budget, "{budget}: {text}");
    }
}

#[test]
fn warnings_stand_below_the_faults_while_there_is_room() {
    let input = block("a.py", "x\n", "x\n") + &block("b.py", "y\n", "y\n") + &block("c.py", "z\n", "Z\n");
    let files = tree(&[("a.py", "x\n"), ("b.py", "y\n"), ("c.py", "z\n")]);
    let whole = text_with(&files, &input, DEFAULT_BUDGET, |_| {});
    let expected = "\
All 3 edits would apply. Nothing was written.

Note: Edit 1 (`a.py`, line 2 of your reply): no-op: the edit leaves the file as it is. Nothing has to be done, unless a change was meant: then send an edit whose REPLACE section has it.
Note: Edit 2 (`b.py`, line 8 of your reply): no-op: the edit leaves the file as it is.
";
    assert_eq!(whole, expected);
    let first = text_with(&files, &input, whole.len() - 1, |_| {});
    assert_eq!(first, expected.split("Note: Edit 2").next().unwrap());
    assert_eq!(text_with(&files, &input, whole.len(), |_| {}), whole);
}
