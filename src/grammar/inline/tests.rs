use proptest::prelude::*;

use super::*;
use crate::grammar::lines::lex;
use crate::source::{Span, slice};

fn edits(text: &str) -> Vec<InlineEdit> {
    let tokens = lex(text);
    sentences(&[Lines::new(text, &tokens)]).node
}

/// Path, old and new text of each edit.
fn found(text: &str) -> Vec<[&str; 3]> {
    let parts = |edit: InlineEdit| [edit.path.span, edit.old, edit.new].map(|span| slice(text, span));
    edits(text).into_iter().map(parts).collect()
}

const ORDER: &str = "In file `a.py`, change `x` to `y`";

#[track_caller]
fn assert_found(texts: &[&str]) {
    for text in texts {
        assert_eq!(found(text), [["a.py", "x", "y"]], "{text}");
    }
}

#[track_caller]
fn assert_none(texts: &[&str]) {
    for text in texts {
        assert_eq!(found(text), [[""; 3]; 0], "{text}");
    }
}

#[test]
fn words_around_the_parts() {
    assert_found(&[
        "In your `a.py` file, please change `x` to `y`.",
        "Inside `a.py`: replace the text \"x\" by \"y\".",
        "In file `a.py` (line 12), change `x` to `y`.",
        "In file `a.py`, line 12, change `x` to `y`.",
        "Change `x` to `y` on line 12 of `a.py`.",
        "Change `x` to `y` on line 12 in `a.py`.",
        "Update `a.py` to replace `x` with `y`.",
        "Open `a.py`, and change `x` into `y`.",
        "Change a.py: replace `x` with `y`",
        "`a.py`: change `x` to `y`",
        "- **`a.py`:** change **`x`** to **`y`**",
        "**a.py:** change `x` to `y`",
        "**Step 2:** In file `a.py`, change `x` to `y`.",
        "Next, please change `x` to `y` in the file a.py because it is slow.",
        "In file `a.py`, change `x` to `y` — the old one is slow!",
        "In file `a.py`, change `x` to `y` in order to start it.",
        "In file `a.py`, change `x` to `y` because it is shorter",
        "**In file `a.py`, change `x` to `y` because it is shorter** ",
        "In file `a.py`, change \u{201c}x\u{201d} to \u{201c}y\u{201d}.",
        "What is wrong? In file `a.py`, change `x` to `y`.",
    ]);
}

#[test]
fn a_typographic_quote_holds_no_other() {
    assert_none(&[
        "In file `a.py`, change \u{201c}\u{201c}x\u{201d}\u{201d} to \u{201c}y\u{201d}.",
        "In file `a.py`, change \u{2018}a\u{2018}x\u{2019} to \u{2018}y\u{2019}.",
    ]);
}

#[test]
fn what_follows_on_the_line_may_take_it_back() {
    for tail in [
        " and remove `z`.",
        " and run the tests.",
        " in the loader.",
        " everywhere.",
        ", or leave it.",
        "; in b.py too.",
        ": it is slow.",
        " to try it.",
        " so it works when you deploy.",
        " so that b.py works.",
        ". Or use `z`.",
        ". Alternatively, restart.",
        ". Only if you need it.",
        "\n\nOtherwise nothing works.",
        "\n- Or restart.",
        "\n----",
        "\n===",
        "\n`z` is kept.",
        "\nwhere needed.",
        "…",
        "?!",
    ] {
        assert_none(&[&format!("{ORDER}{tail}\n")]);
    }
    for tail in [
        " so it works.\nIt is fast.",
        "!\n\nIf it fails, restart.",
        ":\n",
        "  \n**Done.**",
        "\n1. Next",
        "\n> Said",
    ] {
        assert_found(&[&format!("{ORDER}{tail}\n")]);
    }
}

#[test]
fn what_stands_above_may_put_it_in_doubt() {
    for above in [
        "Two options:\n\n1. ",
        "For example:\n\n",
        "For example:\n",
        "Do not do this:\n\n- ",
        "If you use Docker:\n",
        "## Option 2\n\nDocker.\n\n",
        "## Alternatives\n### Docker\n",
        "**Optional**\n\n",
        "- If you use Docker:\n  - ",
        "The docs say:\n\n",
        "You must not,\n",
        "> He said\n",
        "<div>\n",
        "<think>\nLet me see.\n\n",
        "| a |\n",
        "Options: a. ",
        "This is an example. ",
        "text\n\n    ",
        "text\n\n\t",
    ] {
        assert_none(&[&format!("{above}{ORDER}\n")]);
    }
    for above in [
        "Two edits:\n\n1. ",
        "If you use Docker:\n\n- restart\n\nThen it works.\n\n",
        "## Option 2\n\n## Settings\n\n",
        "- If you use Docker:\n  - restart\n- ",
        "Here is what you asked for:\n",
        "It is not found.\n",
        "> He said\n\n",
        "<think>\nLet me see.\n</think>\n\n",
        "- Settings\n    - ",
        "<!-- note -->\n\n",
        "The fix is simple\n",
    ] {
        assert_found(&[&format!("{above}{ORDER}\n")]);
    }
}

#[test]
fn what_stands_above_holds_over_nodes() {
    let text = format!("## Option 2\n\nFirst.\n```\nx\n```\n{ORDER}\n");
    let tokens = lex(&text);
    let lines = Lines::new(&text, &tokens);
    let runs = [lines.take(3), lines.take_from(6)];
    assert_eq!(sentences(&runs).node, []);
    assert_eq!(sentences(&runs[1..]).node.len(), 1);
}

#[test]
fn a_text_without_its_closing_quote_leaves_the_rest_of_the_line_open() {
    assert_none(&[
        &format!("Use ` here. {ORDER}"),
        &format!("A 5\" screen. {ORDER}"),
        &format!("In file `b.py`, change \"x to y. {ORDER}"),
        &format!("He said “Stop. {ORDER}"),
        &format!("He said \"Do it. {ORDER}.\""),
        &format!("He said 'Do it. {ORDER}.'"),
        &format!("Text <!-- hidden. {ORDER}"),
    ]);
    assert_found(&[&format!("It's the '90s, and the users' data. {ORDER}"), &format!("It’s fine. {ORDER}")]);
}

#[test]
fn edits_are_in_source_order_and_one_line_may_hold_many() {
    let text = format!("{ORDER}. ").repeat(100);
    let edits = edits(&text);
    assert_eq!(edits.len(), 100);
    assert!(edits.windows(2).all(|pair| pair[0].span.end < pair[1].span.start));
}

/// Pieces of sentences and of what breaks them.
fn soup() -> impl Strategy<Value = String> {
    let pieces = [
        "In file `a.py`, change `x` to `y`",
        "In ",
        "file ",
        "the ",
        "`a.py`",
        "a.py",
        ", ",
        "change ",
        "replace ",
        "Update ",
        "Change ",
        "`x`",
        "\"x\"",
        "'x'",
        "“x”",
        "‘x’",
        "``x` ``",
        " to ",
        " with ",
        " by ",
        ". ",
        "\n",
        "\r\n",
        "\n\n",
        "- ",
        "**",
        "`",
        "\"",
        "'",
        "”",
        "’",
        "é",
        "🎉",
        " ",
        "\t",
        ":",
        "?",
        "\\",
        "<!--",
        "-->",
        "> ",
        "if ",
        "# ",
        "Option:",
        "Step 1: ",
        " on line 1",
        "\r",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn spans_lie_in_their_line_on_characters_and_in_order(text in soup()) {
        let mut end = 0;
        for edit in edits(&text) {
            prop_assert!(edit.span.start >= end);
            end = edit.span.end;
            for span in [edit.span, edit.path.span, edit.old, edit.new] {
                prop_assert!(text.get(span.start as usize..span.end as usize).is_some());
                prop_assert!(edit.span.contains(span));
            }
            prop_assert!(edit.old.end < edit.new.start && !edit.old.is_empty() && !edit.path.span.is_empty());
            prop_assert!(edit.path.span.end <= edit.old.start || edit.new.end <= edit.path.span.start);
            prop_assert!(!slice(&text, edit.span).contains('\n'));
        }
    }

    #[test]
    fn a_line_without_quotes_gives_no_edit(text in soup()) {
        let quotes = ['`', '"', '\'', '“', '”', '‘', '’'];
        for edit in edits(&text) {
            let before = |span: Span| slice(&text, edit.span).get(..(span.start - edit.span.start) as usize);
            prop_assert!(before(edit.old).is_some_and(|text| text.ends_with([' ', '`', '"', '\'', '“', '‘'])));
            let line = slice(&text, edit.span);
            prop_assert!(line.matches(quotes).count() >= 4, "{line}");
        }
        let bare = text.replace(quotes, "");
        prop_assert_eq!(edits(&bare), []);
    }

    #[test]
    fn lines_above_and_below_a_blank_one_only_take_away(text in soup()) {
        let alone = edits(&text).len();
        let (below, above) = (format!("Two options:\n\n{text}"), format!("{text}\n\nOr not."));
        prop_assert!(edits(&below).len() <= alone);
        prop_assert!(edits(&above).len() <= alone);
    }

    #[test]
    fn a_carriage_return_before_each_line_feed_changes_nothing(text in soup()) {
        let text = text.replace('\r', "");
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(found(&text), found(&crlf));
    }

    #[test]
    fn candidates_miss_no_sentence(text in soup()) {
        let tokens = lex(&text);
        let run = Lines::new(&text, &tokens);
        let mut candidates = Candidates::new(run);
        for line in run.iter_elements() {
            let has_one = candidates.next_from(line.start).is_some_and(|at| at < line.next());
            let mut rest = line_input(run, line);
            while !has_one && !rest.fragment().is_empty() {
                prop_assert!(sentence(rest).is_err(), "{}", rest.fragment());
                rest = rest.take_from(rest.fragment().chars().next().map_or(1, char::len_utf8));
            }
        }
    }
}
