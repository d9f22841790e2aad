//! A path in the prose above a code block.

use super::line::{Piece, path_line};
use super::part::is_part_of;
use super::shape::{Evidence, is_path, may_be_path};
use crate::source::Span;

/// The path in a line of prose that names the code block below it.
///
/// ```ebnf
/// name_in_prose = path_line | imperative_name | colon_name | place_name ;
/// imperative_name = any_text , imperative , any_text , quoted_path , any_text ;
/// colon_name = any_text , quoted_path , [ note ] , ":" ;
/// place_name = any_text , place , [ "the" ] , ( "file" , quoted_path | quoted_path , "file" ) , any_text ;
/// place = "in" | "to" | "into" | "at" ;
/// quoted_path = "`" , path , "`" ;
/// ```
pub(crate) fn name_in_prose(line: Piece<'_>) -> Option<Span> {
    if line.text.trim_start().starts_with(['|', '>']) {
        return None;
    }
    if let Some(path) = path_line(line, Evidence::None) {
        return Some(path);
    }
    // Nearly every line ends here, before its words are looked at.
    let Quoted::One(quoted) = single_quoted(line) else {
        return None;
    };
    let names = quoted.is_named()
        && !words_outside(line.text).any(is_stop_word)
        && !is_part_of(quoted.before, quoted.after);
    names.then(|| quoted.path.span())
}

/// Whether a line of prose that names no file says that the block below it is a command to run, or an output.
pub(crate) fn introduces_other(line: &str) -> bool {
    ends_with_colon(line) && words_outside(line).any(is_stop_word)
}

/// The one path in backticks in a line, however often it stands there.
pub(crate) fn only_quoted_path(line: Piece<'_>) -> Option<Span> {
    match single_quoted(line) {
        Quoted::One(quoted) => Some(quoted.path.span()),
        Quoted::None | Quoted::Several => None,
    }
}

/// The paths in backticks that a line has.
enum Quoted<'s> {
    None,
    One(QuotedPath<'s>),
    Several,
}

/// A path in backticks and what stands around it.
#[derive(Clone, Copy)]
struct QuotedPath<'s> {
    path: Piece<'s>,
    before: &'s str,
    after: &'s str,
}

fn single_quoted(line: Piece<'_>) -> Quoted<'_> {
    let mut found: Option<QuotedPath<'_>> = None;
    for (path, after) in quoted(line) {
        let quoted = QuotedPath { path, before: before(line, path), after };
        let is_path = may_be_path(path.text) && (quoted.file_word() || is_path(path.text, Evidence::Edit));
        match found {
            _ if !is_path => {}
            None => found = Some(quoted),
            Some(first) if first.path.text == path.text => {}
            Some(_) => return Quoted::Several,
        }
    }
    found.map_or(Quoted::None, Quoted::One)
}

fn before<'s>(line: Piece<'s>, path: Piece<'s>) -> &'s str {
    line.head((path.start - line.start) as usize).text.trim_end_matches('`')
}

/// The texts between backticks, each with what follows its closing ones.
fn quoted(line: Piece<'_>) -> impl Iterator<Item = (Piece<'_>, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let open = memchr::memchr(b'`', rest.text.as_bytes())?;
        let inner = rest.skip(open).trim_start(|c| c == '`');
        let close = memchr::memchr(b'`', inner.text.as_bytes())?;
        rest = inner.skip(close).trim_start(|c| c == '`');
        Some((inner.head(close).trim(), rest.text))
    })
}

impl QuotedPath<'_> {
    /// Whether one of the forms holds in which a path in backticks names a block.
    fn is_named(self) -> bool {
        (self.file_word() || is_path(self.path.text, Evidence::None)) && self.has_form()
    }

    fn has_form(self) -> bool {
        words(self.before).any(is_imperative)
            || (is_final_colon(self.after) && !words(self.before).any(is_telling))
            || self.is_place()
    }

    /// Whether the word file, or one that gives a name, stands beside it.
    fn file_word(self) -> bool {
        let last = words_backwards(self.before).next().unwrap_or("");
        ["file", "named", "called"].iter().any(|word| last.eq_ignore_ascii_case(word)) || self.file_follows()
    }

    fn file_follows(self) -> bool {
        words(self.after).next().is_some_and(|word| word.eq_ignore_ascii_case("file"))
            && self.after.starts_with(|c: char| c.is_whitespace())
    }

    /// `in the file PATH`, `in the PATH file`.
    fn is_place(self) -> bool {
        let is = |word: Option<&&str>, known: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(known));
        let mut back = words_backwards(self.before).peekable();
        if is(back.peek(), "file") {
            back.next();
        } else if !self.file_follows() {
            return false;
        }
        if is(back.peek(), "the") {
            back.next();
        }
        ["in", "to", "into", "at"].iter().any(|place| is(back.peek(), place))
    }
}

/// Whether nothing but emphasis and a note stands between here and a colon at the line's end.
fn is_final_colon(after: &str) -> bool {
    let mut rest = after.trim_matches(is_emphasis);
    if let Some((note, tail)) = rest.strip_prefix('(').and_then(|note| note.split_once(')')) {
        if note.contains(['`', '.']) {
            return false;
        }
        rest = tail.trim_start_matches(is_emphasis);
    }
    rest.starts_with(':') && rest.trim_start_matches(|c| c == ':' || is_emphasis(c)).is_empty()
}

/// Whether a line ends as a sentence does, or one that introduces what is below it; hardly a line of code does.
pub(crate) fn ends_as_prose(line: &str) -> bool {
    line.trim_end_matches(is_emphasis).ends_with([':', '.', '!', '?', '…'])
}

pub(super) fn ends_with_colon(line: &str) -> bool {
    line.trim_end_matches(is_emphasis).ends_with(':')
}

fn is_emphasis(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '#')
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word_char(c)).filter(|word| !word.is_empty())
}

pub(super) fn words_backwards(text: &str) -> impl Iterator<Item = &str> {
    text.rsplit(|c| !is_word_char(c)).filter(|word| !word.is_empty())
}

/// The words of a line that do not stand between backticks.
pub(super) fn words_outside(line: &str) -> impl Iterator<Item = &str> {
    // An opening backtick without a closing one leaves its text outside.
    let odd = memchr::memchr_iter(b'`', line.as_bytes()).count() % 2 == 1;
    let last = line.rfind('`').filter(|_| odd);
    let (even, tail) = last.and_then(|at| line.split_at_checked(at)).unwrap_or((line, ""));
    even.split('`').step_by(2).flat_map(words).chain(words(tail))
}

/// The word in lower case, for a comparison; nothing for one that is longer than any that is looked for.
fn lower<'b>(word: &str, buffer: &'b mut [u8; 10]) -> &'b [u8] {
    let Some(part) = buffer.get_mut(..word.len()) else {
        return b"";
    };
    part.copy_from_slice(word.as_bytes());
    part.make_ascii_lowercase();
    part
}

pub(super) fn is_imperative(word: &str) -> bool {
    matches!(
        lower(word, &mut [0; 10]),
        b"create"
            | b"update"
            | b"edit"
            | b"replace"
            | b"add"
            | b"write"
            | b"save"
            | b"change"
            | b"modify"
            | b"creating"
            | b"updating"
            | b"editing"
            | b"replacing"
            | b"adding"
            | b"writing"
            | b"saving"
            | b"changing"
            | b"modifying"
    )
}

/// A line with one of these names nothing: the block below is a use of the file, or another file's.
fn is_stop_word(word: &str) -> bool {
    matches!(
        lower(word, &mut [0; 10]),
        b"run"
            | b"see"
            | b"use"
            | b"call"
            | b"import"
            | b"delete"
            | b"remove"
            | b"rename"
            | b"move"
            | b"output"
            | b"from"
            | b"by"
            | b"like"
            | b"not"
            | b"never"
            | b"works"
            | b"don't"
            | b"don\xe2\x80\x99t"
    )
}

/// Before a path with a final colon and without an imperative, these also tell of a use.
fn is_telling(word: &str) -> bool {
    matches!(
        lower(word, &mut [0; 10]),
        b"runs"
            | b"running"
            | b"uses"
            | b"using"
            | b"used"
            | b"calls"
            | b"calling"
            | b"imports"
            | b"importing"
            | b"imported"
            | b"deletes"
            | b"deleting"
            | b"removes"
            | b"removing"
            | b"renaming"
            | b"moving"
            | b"outputs"
            | b"prints"
            | b"testing"
    )
}
