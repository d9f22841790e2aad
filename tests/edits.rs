//! Edits of files and whole replies, planned in memory.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests")]

#[path = "laws/edits.rs"]
mod laws;
#[path = "laws/replies.rs"]
mod reply_laws;

use proptest::prelude::*;

/// Lines that are much alike, in a file of any line endings and bytes.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let parts: Vec<&[u8]> = vec![
        b"a",
        b"b",
        b"ab",
        b" ",
        b"\t",
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r\n",
        b"\r",
        b"\xc3\xa9",
        b"\xe9",
        b"\0",
    ];
    let mark = prop::option::weighted(0.1, Just(b"\xef\xbb\xbf".to_vec()));
    let parts = prop::collection::vec(prop::sample::select(parts), 0..24).prop_map(|parts| parts.concat());
    (mark, parts).prop_map(|(mark, parts)| [mark.unwrap_or_default(), parts].concat())
}

fn lines() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", "ab", "a", "b", " ", "\t", "\n", "\n", "\r", "é"]);
    prop::collection::vec(part, 1..6).prop_map(|parts| parts.concat())
}

/// A text that is in the file, if it is text, so that many edits are made.
fn cut(file: &[u8], at: prop::sample::Index, length: usize) -> Option<String> {
    let text: Vec<char> = String::from_utf8_lossy(file).replace("\r\n", "\n").chars().collect();
    let at = at.index(text.len().max(1));
    let cut: String = text.get(at..(at + length).min(text.len()))?.iter().collect();
    (!cut.is_empty()).then_some(cut)
}

/// A reply of parts that belong together often enough, and files of the names that it has.
fn reply() -> impl Strategy<Value = String> {
    let path =
        || prop::sample::select(vec!["a.py", "a.py", "a.py", "src/b.rs", "./a.py", "../c.py", "new.py"]);
    let text = || {
        prop::sample::select(vec![
            "",
            "x\n",
            "y\n",
            "x\ny\n",
            "y \n",
            "\n",
            "z\nx\n",
            "x",
            "# ... existing code ...\n",
        ])
    };
    let part = prop_oneof![
        6 => (path(), text(), text()).prop_map(|(path, old, new)| {
            format!("{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n")
        }),
        2 => (path(), text()).prop_map(|(path, text)| format!("Create `{path}`:\n\n```python\n{text}\n```\n\n")),
        2 => (path(), text()).prop_map(|(path, text)| format!("```python {path}\n{text}\n```\n\n")),
        2 => path().prop_map(|path| format!("In file `{path}`, change `x` to `y`.\n\n")),
        2 => (path(), path()).prop_map(|(old, new)| format!("--- a/{old}\n+++ b/{new}\n@@ -1 +1 @@\n-x\n+y\n\n")),
        1 => Just("Some prose.\n\n".to_owned()),
        1 => Just("<<<<<<< SEARCH\nx\n".to_owned()),
    ];
    let file = (path(), text()).prop_map(|(path, text)| format!("\u{1e}{path}\n{text}"));
    let parts = prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat());
    (parts, prop::collection::vec(file, 0..4)).prop_map(|(reply, files)| reply + &files.concat())
}

type OwnedEdit = (Option<String>, Option<String>);

fn edits() -> impl Strategy<Value = (Vec<u8>, Vec<OwnedEdit>)> {
    let edit = (
        prop::option::weighted(0.2, lines()),
        any::<prop::sample::Index>(),
        0..5_usize,
        prop::option::weighted(0.7, prop::option::weighted(0.9, lines())),
    );
    (file(), prop::collection::vec(edit, 1..5)).prop_map(|(file, edits)| {
        let made = edits.into_iter().map(|(search, at, length, replace)| {
            (search.or_else(|| cut(&file, at, length)), replace.map(Option::unwrap_or_default))
        });
        let made = made.collect();
        (file, made)
    })
}

proptest! {
    #[test]
    fn edits_do_what_a_slow_loop_does((file, edits) in edits()) {
        let mut bytes = file;
        for (search, replace) in &edits {
            bytes.push(0x1e);
            bytes.extend(search.iter().flat_map(|text| text.bytes()));
            bytes.extend(replace.iter().flat_map(|text| format!("\u{1f}{text}").into_bytes()));
        }
        laws::check(&bytes);
    }

    #[test]
    fn replies_are_planned_as_a_whole_or_refused(text in reply()) {
        reply_laws::check(&text);
    }
}

/// What the fuzzer found: an edit that brings the mark of UTF-16 to the start of a file, and another one behind it.
#[test]
fn an_edit_that_leaves_the_mark_of_utf_16() {
    laws::check(b"x\n\xfe\xff\x1ex\n\x1e\x1fq\nts");
    laws::check(b"x\n\xff\xfe\x1ex\n\x1eq\x1fr");
}
