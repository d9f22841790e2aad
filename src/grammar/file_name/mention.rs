//! A path anywhere in a line, whatever stands around it.

use super::line::{Piece, labelled};
use super::shape::{Evidence, is_path};
use crate::source::Span;

/// The first word of a line that looks like the path of another file than `path`.
///
/// Looser than the forms that name a file: it tells only that a file may be meant that was not understood.
pub(crate) fn mentions_other(line: Piece<'_>, path: &str) -> Option<Span> {
    // Most lines have neither.
    let has_sign = memchr::memchr2(b'.', b'/', line.text.as_bytes()).is_some();
    if !has_sign && !line.text.contains("file") {
        return None;
    }
    if let Some(value) = labelled(line).filter(|value| !is_short_form(value.text, path)) {
        // A file is named, whatever the name looks like.
        return Some(value.span());
    }
    let mut rest = line;
    loop {
        rest = rest.trim_start(is_boundary);
        let end = rest.text.find(is_boundary).unwrap_or(rest.text.len());
        if end == 0 {
            return None;
        }
        let word = without_place(rest.head(end));
        if !is_plain_word(word.text) && is_path(word.text, Evidence::None) && !is_short_form(word.text, path)
        {
            return Some(word.span());
        }
        rest = rest.skip(end);
    }
}

/// A word such as most are. Without a sign only names such as `Dockerfile`, `LICENSE` and `makefile` are a file's.
fn is_plain_word(word: &str) -> bool {
    let has_sign = word.bytes().any(|byte| matches!(byte, b'.' | b'/' | b'\\'));
    !has_sign && !word.starts_with(|first: char| first.is_ascii_uppercase()) && !word.ends_with("file")
}

fn is_boundary(c: char) -> bool {
    match c {
        '`' | '"' | '\'' | '(' | ')' | '[' | ']' | '<' | '>' | '{' | '}' | '|' | '*' | ',' | ';' | '='
        | '!' | '?' => true,
        '“' | '”' | '‘' | '’' | '…' | '—' | '–' | '•' => true,
        _ => c.is_whitespace(),
    }
}

/// Without the punctuation of a sentence, the number of a line and separators at the end: `x.rs:12:`, `x.rs/`.
fn without_place(word: Piece<'_>) -> Piece<'_> {
    let word = word.trim_end(|c| matches!(c, '.' | ':' | '/' | '\\'));
    match word.text.split_once(':') {
        Some((path, place)) if place.starts_with(|c: char| c.is_ascii_digit()) => word.head(path.len()),
        _ => word,
    }
}

/// Whether a word is the path, or the end of it from a component on.
fn is_short_form(word: &str, path: &str) -> bool {
    let word = word.trim_start_matches("./");
    path.strip_suffix(word).is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
}

/// Whether two paths may be meant as the same: one is the end of the other, from a component on.
pub(crate) fn may_be_same(one: &str, other: &str) -> bool {
    let backwards = |path| str::rsplit(path, ['/', '\\']).filter(|part| !matches!(*part, "" | "."));
    backwards(one).zip(backwards(other)).all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::slice;

    #[test]
    fn paths_that_may_be_the_same() {
        for (one, other) in [("src/a.py", "a.py"), ("./a.py", "a.py"), ("src\\a.py", "x/src//a.py")] {
            assert!(may_be_same(one, other) && may_be_same(other, one), "{one} {other}");
        }
        for (one, other) in [("src/a.py", "lib/a.py"), ("a.py", "b.py"), ("a.py", "src/ba.py")] {
            assert!(!may_be_same(one, other) && !may_be_same(other, one), "{one} {other}");
        }
    }

    #[test]
    fn a_word_that_looks_like_another_path() {
        let table = [
            ("src/b.py (new imports)", Some("src/b.py")),
            ("[src/b.py](src/b.py)", Some("src/b.py")),
            ("In src/b.py:", Some("src/b.py")),
            ("see src/b.py:12.", Some("src/b.py")),
            ("<file path=\"src/b.py\">", Some("src/b.py")),
            ("*** Update File: src/b.py", Some("src/b.py")),
            ("the Makefile", Some("Makefile")),
            ("and `.env`", Some(".env")),
            ("`lib/a.py`", Some("lib/a.py")),
            ("### `src/x.py/`", Some("src/x.py")),
            ("**File:** `file:///x.py`", Some("file:///x.py")),
            ("Path: none", None),
            ("File: `src/a.py`", None),
            ("the folder src/", None),
            ("now `src/a.py`, or a.py for short", None),
            ("Node.js 1.2.3, e.g. https://x.org/a.js and f.g()", None),
            ("", None),
        ];
        for (line, other) in table {
            let found = mentions_other(Piece::new(line, 0), "src/a.py");
            assert_eq!(found.map(|span| slice(line, span)), other, "{line:?}");
        }
    }
}
