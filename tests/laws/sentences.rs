//! What holds for the sentences of any reply.

use code_parser::ast::{InlineEdit, InputKind, Node};
use code_parser::parse;
use code_parser::source::{Source, Span};

/// Any text: what is found in it is quoted and on one line; and texts of any characters are found in each plain form of
/// a sentence, and in none of the traps around it.
///
/// The texts to find and to put in its place come from both sides of the first U+001E.
pub(crate) fn check(text: &str) {
    let source = Source::new(text).unwrap();
    for edit in edits(&source) {
        found(&edit, &source);
    }
    let (old, new) = text.split_once('\u{1e}').unwrap_or((text, "x = 1"));
    let (old, new) = (quotable(old), quotable(new));
    if !old.is_empty() && !new.is_empty() {
        forms(&old, &new);
    }
}

fn edits(source: &Source<'_>) -> Vec<InlineEdit> {
    let nodes = parse(source, InputKind::Response).document.nodes;
    nodes
        .into_iter()
        .filter_map(|node| match node {
            Node::InlineEdit(edit) => Some(edit),
            _ => None,
        })
        .collect()
}

fn found(edit: &InlineEdit, source: &Source<'_>) {
    let sentence = source.slice(edit.span);
    assert!(!sentence.contains('\n') && sentence.trim() == sentence, "{sentence:?}");
    for part in [edit.path.span, edit.old, edit.new] {
        assert!(edit.span.contains(part), "{sentence:?}");
    }
    assert!(!edit.old.is_empty() && !edit.path.span.is_empty(), "{sentence:?}");
    assert!(edit.old.end < edit.new.start, "the old text comes first: {sentence:?}");
    assert!(
        edit.path.span.end < edit.old.start || edit.path.span.start > edit.new.end,
        "the path lies between the texts: {sentence:?}"
    );
    for part in [edit.old, edit.new] {
        let (before, after) = around(part, source);
        let pairs = [('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’')];
        assert!(pairs.contains(&(before, after)), "not in quotes: {:?} of {sentence:?}", source.slice(part));
    }
}

/// The characters beside a text, the padding of a code span passed over.
fn around(part: Span, source: &Source<'_>) -> (char, char) {
    let (before, after) = source.text().split_at(part.start as usize);
    let after = &after[part.len() as usize..];
    let outside = |padded: &str, is_pad: bool| {
        if is_pad { padded.trim_matches(' ').to_owned() } else { padded.to_owned() }
    };
    let is_padded = before.ends_with("` ") && after.starts_with(" `");
    let last = outside(before, is_padded).chars().next_back().unwrap();
    let first = outside(after, is_padded).chars().next().unwrap();
    (last, first)
}

/// What of a text can stand in a code span as it is.
fn quotable(text: &str) -> String {
    let kept: String = text.chars().filter(|&c| c != '`' && !c.is_control()).take(60).collect();
    kept.trim().to_owned()
}

const PLAIN: [&str; 6] = [
    "In file `src/a.py`, change `OLD` to `NEW`.",
    "in the file `src/a.py`, replace `OLD` with `NEW`",
    "Update `src/a.py`: replace `OLD` with `NEW`.",
    "- Replace `OLD` with `NEW` in `src/a.py`.",
    "Please change `OLD` to `NEW` in src/a.py, so that it works.",
    "Some words before it. **In file `src/a.py`, change `OLD` to `NEW`.**",
];

const TRAPS: [&str; 8] = [
    "> In file `src/a.py`, change `OLD` to `NEW`.",
    "# In file `src/a.py`, change `OLD` to `NEW`.",
    "Text.\n\n    In file `src/a.py`, change `OLD` to `NEW`.",
    "~~~~~~text\nIn file `src/a.py`, change `OLD` to `NEW`.\n~~~~~~",
    "Should I, in file `src/a.py`, change `OLD` to `NEW`?",
    "In file `src/a.py`, change `OLD` to `NEW` if you like.",
    "In file `src/a.py`, change `OLD` to `NEW` and `x` to `y`.",
    "I changed `OLD` to `NEW` in `src/a.py`.",
];

fn forms(old: &str, new: &str) {
    let fill = |form: &str| form.replace("OLD", "\u{1}").replace("NEW", new).replace('\u{1}', old);
    for reply in PLAIN.map(fill) {
        let source = Source::new(&reply).unwrap();
        let edits = edits(&source);
        let [edit] = edits.as_slice() else { panic!("{} edits: {reply:?}", edits.len()) };
        let texts = [edit.path.span, edit.old, edit.new].map(|part| source.slice(part));
        assert_eq!(texts, ["src/a.py", old, new], "{reply:?}");
    }
    for reply in TRAPS.map(fill) {
        let source = Source::new(&reply).unwrap();
        assert!(edits(&source).is_empty(), "{reply:?}");
    }
}
