//! A path in the prose above a code block.

use super::line::{Piece, path_line};
use super::shape::{Evidence, is_path};
use crate::source::Span;

/// What a line of prose says about the block below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// It names the block's file.
    Name(Span),
    /// It names nothing; a line above may.
    Nothing,
    /// It says that the block is something else: a command to run, an output.
    Other,
}

/// What a line of prose says about the code block below it.
///
/// ```ebnf
/// name_in_prose = path_line | imperative_name | colon_name | file_name ;
/// imperative_name = text , imperative , text , quoted_path , text ;
/// colon_name = text , quoted_path , ":" ;
/// file_name = text , ( "in" | "to" | "into" | "at" ) , [ "the" ] , ( "file" , quoted_path | quoted_path , "file" ) , text ;
/// quoted_path = "`" , path , "`" ;
/// ```
pub(crate) fn name_in_prose(line: Piece<'_>) -> Found {
    if line.text.trim_start().starts_with(['|', '>']) {
        return Found::Nothing;
    }
    if let Some(path) = path_line(line, Evidence::None) {
        return Found::Name(path);
    }
    let quoted = match single_quoted(line) {
        Quoted::One(quoted) => Some(quoted),
        Quoted::Several => return Found::Nothing,
        Quoted::None => None,
    };
    let final_colon = ends_with_colon(line.text);
    if words_outside(line.text).any(is_stop_word) {
        return if final_colon { Found::Other } else { Found::Nothing };
    }
    quoted.filter(|quoted| quoted.is_named()).map_or(Found::Nothing, |quoted| Found::Name(quoted.path.span()))
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
        let evidence = if quoted.file_word() { Evidence::Label } else { Evidence::Edit };
        match found {
            _ if !is_path(path.text, evidence) => {}
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

fn ends_with_colon(line: &str) -> bool {
    line.trim_end_matches(is_emphasis).ends_with(':')
}

fn is_emphasis(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '#')
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word_char(c)).filter(|word| !word.is_empty())
}

fn words_backwards(text: &str) -> impl Iterator<Item = &str> {
    text.rsplit(|c| !is_word_char(c)).filter(|word| !word.is_empty())
}

/// The words of a line that do not stand between backticks.
fn words_outside(line: &str) -> impl Iterator<Item = &str> {
    // An opening backtick without a closing one leaves its text outside.
    let odd = memchr::memchr_iter(b'`', line.as_bytes()).count() % 2 == 1;
    let last = line.rfind('`').filter(|_| odd);
    let (even, tail) = last.and_then(|at| line.split_at_checked(at)).unwrap_or((line, ""));
    even.split('`').step_by(2).flat_map(words).chain(words(tail))
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    const LONGEST: usize = 10;
    word.len() <= LONGEST && list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_imperative(word: &str) -> bool {
    is_one_of(
        word,
        &[
            "create",
            "update",
            "edit",
            "replace",
            "add",
            "write",
            "save",
            "change",
            "modify",
            "creating",
            "updating",
            "editing",
            "replacing",
            "adding",
            "writing",
            "saving",
            "changing",
            "modifying",
        ],
    )
}

/// A line with one of these names nothing: the block below is a use of the file, or another file's.
fn is_stop_word(word: &str) -> bool {
    is_one_of(
        word,
        &[
            "run", "see", "use", "call", "import", "delete", "remove", "rename", "move", "output", "from",
            "by", "like", "not", "never", "don't", "don’t", "works",
        ],
    )
}

/// Before a path with a final colon and without an imperative, these also tell of a use.
fn is_telling(word: &str) -> bool {
    is_one_of(
        word,
        &[
            "runs",
            "running",
            "uses",
            "using",
            "used",
            "calls",
            "calling",
            "imports",
            "importing",
            "imported",
            "deletes",
            "deleting",
            "removes",
            "removing",
            "renaming",
            "moving",
            "outputs",
            "prints",
            "testing",
        ],
    )
}
