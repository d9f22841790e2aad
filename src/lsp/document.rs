//! [`Document`]: a text that is open in the editor, kept as the editor has it.

use std::path::PathBuf;

use serde::Deserialize;

use super::analysis::Analysis;
use super::encoding::{Encoding, Range};
use super::uri;
use crate::ast::InputKind;
use crate::source::LineIndex;

/// An open document.
#[derive(Debug)]
pub(super) struct Document {
    /// Its URI as the client spells it.
    pub(super) uri: String,
    /// The path of that, for a file.
    pub(super) path: Option<PathBuf>,
    /// The client's number for the text.
    pub(super) version: Option<i64>,
    /// How it is read, for one that may hold edits.
    pub(super) kind: Option<InputKind>,
    /// What is known of it, until it or a file that it changes changes.
    pub(super) analysis: Option<Analysis>,
    /// Which analysis was published last.
    pub(super) published: Option<u64>,
    text: String,
    index: LineIndex,
}

/// A document as it is opened.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Opened {
    uri: String,
    #[serde(default)]
    language_id: String,
    #[serde(default)]
    version: Option<i64>,
    text: String,
}

/// One change of a document: of a range, or without one the whole new text.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    #[serde(default)]
    range: Option<Range>,
    text: String,
}

impl Document {
    pub(super) fn new(opened: Opened) -> Self {
        let path = uri::to_path(&opened.uri);
        Self {
            kind: kind(&opened.uri, &opened.language_id),
            uri: opened.uri,
            path,
            version: opened.version,
            analysis: None,
            published: None,
            index: LineIndex::new(&opened.text),
            text: opened.text,
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn index(&self) -> &LineIndex {
        &self.index
    }

    /// Makes changes, each of which counts lines and columns as those before it have left them.
    ///
    /// Editors that change many places at once send them from the last to the first. Such a run is put in with one pass
    /// over the text, for one pass a change would be quadratic.
    pub(super) fn change(&mut self, changes: Vec<Change>, encoding: Encoding) {
        let mut run = Run::default();
        for change in changes {
            let Some(range) = change.range else {
                run = Run::default();
                self.set(change.text);
                continue;
            };
            let mut place = self.place(range, encoding);
            if !run.takes(&place) {
                let text = std::mem::take(&mut run).put_in(&self.text);
                self.set(text);
                place = self.place(range, encoding);
            }
            run.add(place, change.text);
        }
        if !run.is_empty() {
            let text = run.put_in(&self.text);
            self.set(text);
        }
        self.analysis = None;
    }

    fn place(&self, range: Range, encoding: Encoding) -> std::ops::Range<usize> {
        let start = encoding.offset(&self.text, &self.index, range.start);
        let end = encoding.offset(&self.text, &self.index, range.end);
        start..end.max(start)
    }

    fn set(&mut self, text: String) {
        self.index = LineIndex::new(&text);
        self.text = text;
    }
}

/// Changes from the last place to the first, which are not yet made.
#[derive(Debug, Default)]
struct Run {
    changes: Vec<(std::ops::Range<usize>, String)>,
}

impl Run {
    fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether a place is the same in the text with these changes as in that without them.
    fn takes(&self, place: &std::ops::Range<usize>) -> bool {
        // One byte lies between: the LF of a CRLF tells where the line before it ends.
        self.changes.last().is_none_or(|(before, _)| place.end + 1 < before.start)
    }

    fn add(&mut self, place: std::ops::Range<usize>, text: String) {
        self.changes.push((place, text));
    }

    fn put_in(self, old: &str) -> String {
        let added: usize = self.changes.iter().map(|(_, text)| text.len()).sum();
        let mut new = String::with_capacity(old.len() + added);
        let mut done = 0;
        for (place, text) in self.changes.into_iter().rev() {
            new.push_str(old.get(done..place.start).unwrap_or_default());
            new.push_str(&text);
            done = place.end;
        }
        new.push_str(old.get(done..).unwrap_or_default());
        new
    }
}

/// How a document is read: as its name ends, else as the editor calls its language.
fn kind(uri: &str, language: &str) -> Option<InputKind> {
    let name = uri.rsplit('/').next().unwrap_or(uri);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let of = |word: &str| match word {
        "fsrb" => Some(InputKind::Fsrb),
        "diff" | "patch" => Some(InputKind::Diff),
        "md" | "markdown" => Some(InputKind::Response),
        _ => None,
    };
    extension.as_deref().and_then(of).or_else(|| of(language))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::lsp::encoding::Position;

    fn open(text: &str) -> Document {
        Document::new(serde_json::from_value(json!({"uri": "file:///a.md", "text": text})).unwrap())
    }

    #[test]
    fn a_name_says_more_than_a_language() {
        assert_eq!(kind("file:///a/b.fsrb", "plaintext"), Some(InputKind::Fsrb));
        assert_eq!(kind("file:///a/b.PATCH", ""), Some(InputKind::Diff));
        assert_eq!(kind("file:///a/b.md", "diff"), Some(InputKind::Response));
        assert_eq!(kind("untitled:Untitled-1", "markdown"), Some(InputKind::Response));
        assert_eq!(kind("file:///a.md/b", "rust"), None);
        assert_eq!(kind("file:///b.rs", "diff"), Some(InputKind::Diff));
    }

    fn change(range: Option<(u32, u32, u32, u32)>, text: &str) -> Change {
        let range = range.map(|(line, character, to, end)| Range {
            start: Position { line, character },
            end: Position { line: to, character: end },
        });
        Change { range, text: text.to_owned() }
    }

    #[test]
    fn changes_are_made_in_order() {
        let mut document = open("one\ntwo\n");
        let changes = vec![
            change(Some((1, 3, 1, 3)), "!"),
            change(Some((0, 0, 0, 3)), "1\n1.5"),
            change(Some((2, 3, 2, 4)), "?"),
            change(Some((9, 9, 9, 9)), "end"),
        ];
        document.change(changes, Encoding::Utf16);
        assert_eq!(document.text(), "1\n1.5\ntwo?\nend");
        document.change(vec![change(None, "all"), change(Some((0, 3, 0, 3)), " new")], Encoding::Utf16);
        assert_eq!((document.text(), document.index().len()), ("all new", 1));
        // An end before the start is no stretch at all.
        document.change(vec![change(Some((0, 3, 0, 1)), "-")], Encoding::Utf16);
        assert_eq!(document.text(), "all- new");
    }

    #[test]
    fn many_changes_take_one_pass() {
        let mut document = open(&"line of a document\n".repeat(50_000));
        let changes = (0..50_000).rev().map(|line| change(Some((line, 0, line, 4)), "LINE")).collect();
        document.change(changes, Encoding::Utf16); // 5 * 10^10 steps with one pass a change
        assert_eq!(document.text(), "LINE of a document\n".repeat(50_000));
    }

    proptest! {
        #[test]
        fn a_run_gives_what_one_by_one_gives(
            text in "[a\u{fc}\u{1f600}\r\n]{0,30}",
            changes in prop::collection::vec((0u32..6, 0u32..6, 0u32..6, 0u32..6, "[xy\n]{0,3}"), 0..6),
        ) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let list = || changes.iter().map(|(a, b, c, d, text)| change(Some((*a, *b, *c, *d)), text));
                let (mut together, mut single) = (open(&text), open(&text));
                together.change(list().collect(), encoding);
                list().for_each(|change| single.change(vec![change], encoding));
                prop_assert_eq!(together.text(), single.text());
                prop_assert_eq!(together.index(), &LineIndex::new(together.text()));
            }
        }
    }
}
