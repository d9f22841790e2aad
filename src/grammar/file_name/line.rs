//! A path that is all that its line holds.

use super::shape::{Evidence, has_known_extension, has_separator, is_path, may_be_spaced_path};
use crate::source::{Span, offset};

/// A part of a line that knows where in the source it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece<'s> {
    /// The text.
    pub(crate) text: &'s str,
    /// Offset in bytes of its first byte in the source.
    pub(crate) start: u32,
}

impl<'s> Piece<'s> {
    /// The text of a span.
    pub(crate) fn new(text: &'s str, start: u32) -> Self {
        Self { text, start }
    }

    pub(crate) fn span(self) -> Span {
        Span::new(self.start, self.start + offset(self.text.len()))
    }

    /// What is left behind the first `bytes` bytes.
    pub(crate) fn skip(self, bytes: usize) -> Self {
        let text = self.text.get(bytes..).unwrap_or("");
        Self { text, start: self.start + offset(self.text.len() - text.len()) }
    }

    /// The first `bytes` bytes.
    pub(crate) fn head(self, bytes: usize) -> Self {
        Self { text: self.text.get(..bytes).unwrap_or(self.text), ..self }
    }

    /// Without the characters at its start that `cut` takes.
    pub(crate) fn trim_start(self, cut: impl Fn(char) -> bool) -> Self {
        let rest = self.text.trim_start_matches(cut);
        self.skip(self.text.len() - rest.len())
    }

    /// Without the characters at its end that `cut` takes.
    pub(crate) fn trim_end(self, cut: impl Fn(char) -> bool) -> Self {
        Self { text: self.text.trim_end_matches(cut), ..self }
    }

    pub(crate) fn trim(self) -> Self {
        self.trim_start(char::is_whitespace).trim_end(char::is_whitespace)
    }
}

/// The path that is all the line holds, decoration apart: heading, list marker, emphasis, quotes, `File:`, a final
/// colon and notes such as `(new file)`.
///
/// ```ebnf
/// path_line = { decoration | list_marker } , [ label , ":" , { decoration } ] , path , { decoration | ":" } , [ note ] , { decoration | ":" } ;
/// ```
pub(crate) fn path_line(line: Piece<'_>, evidence: Evidence) -> Option<Span> {
    let core = undecorate(line);
    let (core, evidence) = match after_label(core) {
        Some(value) => (undecorate(value), Evidence::Label),
        None => (core, evidence),
    };
    let fits = match memchr::memchr2(b' ', b'\t', core.text.as_bytes()) {
        Some(_) => evidence != Evidence::None && is_spaced_path(core.text),
        None => is_path(core.text, evidence),
    };
    (fits && !is_glob(line, core)).then_some(core.span())
}

/// The one word behind a label for a file (`File:`), decoration apart, path or not.
pub(super) fn labelled(line: Piece<'_>) -> Option<Piece<'_>> {
    let value = undecorate(after_label(undecorate(line))?);
    let is_word = value.text.contains(['.', '/', '\\']) && !value.text.contains(char::is_whitespace);
    is_word.then_some(value)
}

/// Cuts heading signs, list markers, emphasis and quotes at both ends, and a note and colons at the end.
fn undecorate(line: Piece<'_>) -> Piece<'_> {
    let mut core = line.trim_start(is_decoration);
    while let Some(marker) = list_marker(core.text) {
        core = core.skip(marker).trim_start(is_decoration);
    }
    let core = core.trim_end(|c| is_decoration(c) || c == ':');
    without_note(core).trim_end(|c| is_decoration(c) || c == ':')
}

fn is_decoration(c: char) -> bool {
    matches!(c, ' ' | '\t' | '`' | '*' | '#' | '"' | '\'' | '“' | '”' | '‘' | '’')
}

/// The length in bytes of `- `, `+ `, `1. ` or `1) ` at the start.
fn list_marker(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (marker, after) = text.split_at_checked(digits + 1)?;
    let ends_marker = if digits == 0 { matches!(marker, "-" | "+") } else { marker.ends_with(['.', ')']) };
    (ends_marker && after.starts_with([' ', '\t'])).then_some(digits + 1)
}

/// Whether an item of a list begins on the line.
pub(crate) fn starts_list_item(line: &str) -> bool {
    let text = line.trim_start();
    list_marker(text).is_some() || text.starts_with("* ")
}

/// Without `(new file)` and the like at the end.
fn without_note(core: Piece<'_>) -> Piece<'_> {
    const NOTES: &[&str] = &[
        "new",
        "new file",
        "updated",
        "modified",
        "changed",
        "create",
        "created",
        "complete",
        "full",
        "full file",
    ];
    let Some((before, note)) = core.text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) else {
        return core;
    };
    if NOTES.iter().any(|known| note.eq_ignore_ascii_case(known)) { core.head(before.len()) } else { core }
}

/// What stands behind a label such as `File:`, `**New file:**`, `Path:`.
pub(super) fn after_label(core: Piece<'_>) -> Option<Piece<'_>> {
    const LONGEST: usize = 40;
    let start = core.text.as_bytes();
    let colon = memchr::memchr(b':', start.get(..LONGEST).unwrap_or(start))?;
    let label = core.text.get(..colon)?.trim_matches(is_decoration);
    is_label(label).then(|| core.skip(colon + 1).trim_start(|c| is_decoration(c) || c == ':'))
}

/// The keys that name a file, as a label above a block or in a comment.
pub(crate) fn is_key(word: &str) -> bool {
    const KEYS: &[&str] = &["file", "filename", "filepath", "path", "file name", "file path"];
    KEYS.iter().any(|key| word.eq_ignore_ascii_case(key))
}

fn is_label(label: &str) -> bool {
    const LONGEST_LABEL: usize = 20;
    if label.len() > LONGEST_LABEL {
        return false;
    }
    const QUALITIES: &[&str] = &["new ", "updated ", "modified ", "full ", "target ", "complete "];
    let starts =
        |quality: &&str| label.get(..quality.len()).is_some_and(|start| start.eq_ignore_ascii_case(quality));
    let key = QUALITIES
        .iter()
        .find(|quality| starts(quality))
        .map_or(label, |quality| label.get(quality.len()..).unwrap_or(""));
    is_key(key)
}

/// `*.rs`: the star is no decoration. In `**.env**` it is.
fn is_glob(line: Piece<'_>, core: Piece<'_>) -> bool {
    let start = (core.start - line.start) as usize;
    let (before, after) = (line.head(start).text, line.skip(start + core.text.len()).text);
    let is_strong = before.ends_with("**") && after.trim_start_matches(':').starts_with("**");
    core.text.starts_with('.') && before.ends_with('*') && !is_strong
}

/// A path with blanks in it, such as `my dir/x.py`: it must have a separator and a known extension, and no word of
/// it may be one of a sentence.
fn is_spaced_path(text: &str) -> bool {
    const MOST_WORDS: usize = 6;
    let forbidden = |c: char| c.is_control() || "`\"<>|*?;:,={}&!“”‘’…".contains(c);
    let mut words = text.split(' ');
    let sentence_case = matches!(
        (words.next(), words.next()),
        (Some(first), Some(second))
            if first.starts_with(char::is_uppercase) && second.starts_with(char::is_lowercase)
    );
    has_separator(text)
        && has_known_extension(text)
        && !sentence_case
        && !text.contains(forbidden)
        && may_be_spaced_path(text)
        && text.split(' ').count() <= MOST_WORDS
        && text.split(' ').all(|word| word.contains(char::is_alphanumeric) && !is_sentence_word(word))
}

/// Words that paths with blanks do not have, but sentences and commands do.
fn is_sentence_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "a", "add", "an", "and", "are", "at", "bash", "but", "by", "cargo", "cat", "cd", "change", "cp",
        "create", "delete", "edit", "file", "fix", "for", "from", "git", "go", "here", "if", "in", "into",
        "is", "it", "make", "modify", "move", "mv", "new", "node", "not", "now", "npm", "npx", "of", "on",
        "open", "or", "path", "python", "python3", "remove", "replace", "rm", "run", "save", "see", "sh",
        "so", "that", "the", "then", "this", "to", "update", "use", "with",
    ];
    WORDS.binary_search(&word.to_ascii_lowercase().as_str()).is_ok() || word.ends_with('.')
}
