//! The info string: a language, options, and perhaps the path of the file that the block is.

use nom::branch::alt;
use nom::bytes::complete::{take_till, take_till1, take_while, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::opt;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use crate::grammar::file_name::{
    Evidence, Piece, has_known_extension, has_separator, is_key, is_media_type, is_path, is_spaced_name,
    is_url, is_well_known, may_be_path,
};
use crate::grammar::input::{LineInput, Located, Mismatch, spanned};
use crate::language;
use crate::source::{Span, Spanned, offset};

/// What an info string says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Info {
    /// The language, as written.
    pub(crate) language: Option<Span>,
    /// The path of the file that the block is.
    pub(crate) path: Option<Span>,
    /// What may be meant as the path, but is not taken for it.
    pub(crate) doubtful: Option<Doubtful>,
}

impl Info {
    /// What may be meant as the path, where there is none, a language's name with a stray sign apart.
    pub(super) fn unread(self) -> Option<Span> {
        let found = self.doubtful.filter(|found| self.path.is_none() && found.doubt != Doubt::Backslash);
        found.map(|found| found.span)
    }
}

/// What may be meant as a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Doubtful {
    pub(crate) span: Span,
    pub(crate) doubt: Doubt,
}

/// Why it is not taken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Another word stands before it: the path may have a blank in it. Or it is one of two.
    Words,
    /// An attribute for a file has it as its value, but a file has no such name.
    Value,
    /// Its extension is not a known one.
    Extension,
    /// It is the first word, and only a backslash makes it look like a path.
    Backslash,
}

/// Reads an info string, given without white space at its ends.
///
/// ```ebnf
/// info_string = [ first_word ] , { blanks , ( attributes | attribute | later_word ) } ;
/// ```
pub(crate) fn info_string(text: Piece<'_>) -> Info {
    if !text.text.is_empty() && text.text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        // Nearly every info string is one plain word.
        return Info { language: Some(text.span()), ..Info::default() };
    }
    let input = LineInput::new_extra(text.text, text.start);
    let mut info = Info::default();
    let mut rest = match first_word(input) {
        Ok((rest, first)) => {
            if first == (First::Citation) {
                return info;
            }
            first.add_to(&mut info);
            rest
        }
        Err(_) => input,
    };
    let mut has_word = false;
    let mut by_word = info.path;
    let words = |span| Doubtful { span, doubt: Doubt::Words };
    let word = |span: Span| text.skip((span.start - text.start) as usize).head(span.len() as usize).text;
    while let Ok((after, part)) = preceded(take_while(char::is_whitespace), part).parse(rest) {
        match part {
            Part::Attributes(found) => {
                info.language = info.language.or(found.language);
                info.path = info.path.or(found.path);
                info.doubtful = info.doubtful.or(found.doubtful);
            }
            Part::Path(path) if has_word => info.doubtful = info.doubtful.or(Some(words(path))),
            Part::Path(path) if by_word.is_some_and(|other| word(other) != word(path)) => {
                // Two files, or one with a blank in its path.
                (info.doubtful, info.path) = (by_word.map(words), None);
            }
            Part::Path(path) => {
                by_word = by_word.or(Some(path));
                info.path = info.path.or(Some(path));
            }
            Part::NoName(span) => {
                has_word = true;
                info.doubtful = info.doubtful.or(Some(Doubtful { span, doubt: Doubt::Value }));
            }
            Part::Unknown(span) => {
                has_word = true;
                info.doubtful = info.doubtful.or(Some(Doubtful { span, doubt: Doubt::Extension }));
            }
            Part::Word => has_word = true,
            Part::Decoration => {}
        }
        rest = after;
    }
    info
}

/// What the first word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    Language(Span),
    /// A word that begins with a dot, as names of files do and those of languages hardly.
    Dotted(Span),
    /// A word that only a backslash makes look like a path: a language's name, perhaps, with a stray sign in it.
    Doubtful(Span),
    Path(Span),
    /// The numbers of lines of a file that exists (`12:20:src/x.rs`), or a URL. Such a block shows code, it does not
    /// give it.
    Citation,
}

impl First {
    fn add_to(self, info: &mut Info) {
        match self {
            Self::Language(span) => info.language = Some(span),
            Self::Dotted(span) => {
                info.language = Some(span);
                info.doubtful = Some(Doubtful { span, doubt: Doubt::Extension });
            }
            Self::Doubtful(span) => info.doubtful = Some(Doubtful { span, doubt: Doubt::Backslash }),
            Self::Path(span) => info.path = Some(span),
            Self::Citation => {}
        }
    }
}

/// The language, up to `,` `{` or `:`; the whole word where it is a path.
///
/// ```ebnf
/// first_word = path | url | line_numbers , ":" , path | language , [ ":" | "," ] ;
/// ```
fn first_word(input: LineInput<'_>) -> IResult<LineInput<'_>, First, Mismatch> {
    let (after_word, word) = take_till1(char::is_whitespace).parse(input)?;
    let whole = *word.fragment();
    if is_drive_path(whole) {
        return Ok((after_word, First::Path(span_of(word))));
    }
    if is_url(whole) {
        return Ok((after_word, First::Citation));
    }
    let (rest, language) =
        take_till1(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | ':')).parse(input)?;
    let head = *language.fragment();
    let is_number = head.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && rest.fragment().starts_with(':') {
        return Ok((after_word, First::Citation));
    }
    if head.contains('=') {
        return Err(nom::Err::Error(Mismatch));
    }
    if is_first_path(head) {
        let is_doubtful = !head.contains('/') && !has_known_name(head);
        let first = if is_doubtful { First::Doubtful } else { First::Path };
        return Ok((after_word, first(span_of(word))));
    }
    let (rest, _) = opt(one_of(":,")).parse(rest)?;
    let is_class = || head.strip_prefix('.').is_some_and(language::is_tag);
    let first = if is_dotted(head) && !is_class() { First::Dotted } else { First::Language };
    Ok((rest, first(span_of(language))))
}

/// `C:\x`, `c:/x`.
fn is_drive_path(word: &str) -> bool {
    matches!(word.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

fn is_first_path(word: &str) -> bool {
    may_be_path(word) && (has_known_extension(word) || (has_separator(word) && !is_media_type(word)))
}

/// Whether a path's name tells that it is one.
pub(super) fn has_known_name(path: &str) -> bool {
    has_known_extension(path) || is_well_known(path)
}

fn span_of(part: LineInput<'_>) -> Span {
    Span::new(part.offset(), part.offset() + offset(part.fragment().len()))
}

/// A part of the info string behind the first word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Attributes(Info),
    Path(Span),
    /// What would name a file, but that no file can have this name.
    NoName(Span),
    /// What has the form of a file's name, with an extension that is not known.
    Unknown(Span),
    Word,
    /// A sign, or a key such as `file:`.
    Decoration,
}

fn part(input: LineInput<'_>) -> IResult<LineInput<'_>, Part, Mismatch> {
    alt((attributes.map(Part::Attributes), attribute.map(Part::Attributes), later_word)).parse(input)
}

/// Attributes in braces, as pandoc and R Markdown write them; the first class or bare word is the language.
///
/// ```ebnf
/// attributes = "{" , { blanks | "," | attribute | class } , [ "}" ] ;
/// ```
fn attributes(input: LineInput<'_>) -> IResult<LineInput<'_>, Info, Mismatch> {
    let (mut rest, _) = char('{').parse(input)?;
    let mut info = Info::default();
    loop {
        // White space of every kind: a word ends before it, and nothing else would pass it.
        (rest, _) = take_while(|c: char| c.is_whitespace() || c == ',').parse(rest)?;
        if let Ok((after, _)) = char::<LineInput<'_>, Mismatch>('}').parse(rest) {
            return Ok((after, info));
        }
        if rest.fragment().is_empty() {
            return Ok((rest, info));
        }
        if let Ok((after, found)) = attribute(rest) {
            info.path = info.path.or(found.path);
            info.doubtful = info.doubtful.or(found.doubtful);
            rest = after;
            continue;
        }
        let (after, class) = class(rest)?;
        info.language = info.language.or(class);
        rest = after;
    }
}

/// ```ebnf
/// class = [ "." ] , word ;
/// ```
fn class(input: LineInput<'_>) -> IResult<LineInput<'_>, Option<Span>, Mismatch> {
    let (rest, _) = opt(char('.')).parse(input)?;
    let (rest, word) = take_till(|c: char| c.is_whitespace() || matches!(c, ',' | '}')).parse(rest)?;
    let is_language = word.fragment().starts_with(char::is_alphabetic);
    if word.fragment().is_empty() {
        // A lone dot: go on behind it, or there would be no progress.
        return Ok((rest, None));
    }
    Ok((rest, is_language.then(|| span_of(word))))
}

/// `title="src/a.rs"` and the like; a key that names no file is passed over with its value.
///
/// ```ebnf
/// attribute = word , "=" , ( '"' , any_text , '"' | "'" , any_text , "'" | word ) ;
/// ```
fn attribute(input: LineInput<'_>) -> IResult<LineInput<'_>, Info, Mismatch> {
    let is_key_char = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let (rest, key) = take_while1(is_key_char).parse(input)?;
    let (rest, _) = char('=').parse(rest)?;
    let quoted = alt((quoted('"'), quoted('\'')));
    let bare = take_till(|c: char| c.is_whitespace() || c == '}').map(|value| (value, false));
    let (rest, (value, is_quoted)) = alt((quoted.map(|value| (value, true)), bare)).parse(rest)?;
    let span = span_of(value);
    let info = match key.fragment().to_ascii_lowercase().as_str() {
        "title" if is_path(value.fragment(), Evidence::Edit) => Info { path: Some(span), ..Info::default() },
        "file" | "filename" | "path" | "filepath" if !span.is_empty() => {
            let is_name =
                is_path(value.fragment(), Evidence::Label) || (is_quoted && is_spaced_name(value.fragment()));
            let doubtful = Doubtful { span, doubt: Doubt::Value };
            let (path, doubtful) = if is_name { (Some(span), None) } else { (None, Some(doubtful)) };
            Info { path, doubtful, ..Info::default() }
        }
        _ => Info::default(),
    };
    Ok((rest, info))
}

fn quoted<'s>(quote: char) -> impl Parser<LineInput<'s>, Output = LineInput<'s>, Error = Mismatch> {
    delimited(char(quote), take_till(move |c| c == quote), char(quote))
}

/// A word behind the language, a path where it looks like one. Behind a word that is none, a path may be the rest of
/// one with a blank in it (`my dir/x.py`), and names nothing.
///
/// ```ebnf
/// later_word = path | word ;
/// ```
fn later_word(input: LineInput<'_>) -> IResult<LineInput<'_>, Part, Mismatch> {
    let word = take_till1(|c: char| c.is_whitespace());
    let (rest, Spanned { value, span }) = spanned(word).parse(input)?;
    let is_decoration = |c| matches!(c, '"' | '\'' | '*' | '(' | ')' | '[' | ']');
    let piece = Piece::new(value.fragment(), span.start)
        .trim_start(is_decoration)
        .trim_end(|c| is_decoration(c) || matches!(c, ':' | ',' | ';'));
    let is_sign = !piece.text.contains(char::is_alphanumeric) || is_key(piece.text) || piece.text == "title";
    let part = match piece.text {
        path if is_later_path(path) => Part::Path(piece.span()),
        _ if is_sign => Part::Decoration,
        name if is_no_name(name) => Part::NoName(piece.span()),
        name if is_path(name, Evidence::OwnLine) => Part::Unknown(piece.span()),
        _ => Part::Word,
    };
    Ok((rest, part))
}

/// `src/x.py/`, or a name with a control character in it.
fn is_no_name(word: &str) -> bool {
    let name = word.trim_end_matches(['/', '\\']);
    has_known_extension(name) && (name != word || name.contains(char::is_control))
}

fn is_later_path(word: &str) -> bool {
    // What follows a colon makes the path unsafe, but it is meant as one: so it is refused and not overlooked.
    let name = word.split(':').next().unwrap_or(word);
    may_be_path(word)
        && (has_known_extension(name) || is_well_known(name) || is_dotted(name) || has_separator(word))
}

/// `.env`, `.env.local`.
fn is_dotted(word: &str) -> bool {
    word.strip_prefix('.')
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::slice;

    /// The language and the path of an info string.
    fn read(text: &str) -> (&str, &str) {
        let info = info_string(Piece::new(text, 0));
        let part = |span: Option<Span>| span.map_or("", |span| slice(text, span));
        (part(info.language), part(info.path))
    }

    #[test]
    fn what_may_be_meant_as_a_path() {
        for (text, span, doubt) in [
            ("python my dir/a.py", "dir/a.py", Doubt::Words),
            ("python a.py b.py", "a.py", Doubt::Words),
            ("python file=\"src/a.py/\"", "src/a.py/", Doubt::Value),
            ("{.python path=a*.py}", "a*.py", Doubt::Value),
            ("python src/a.py/", "src/a.py/", Doubt::Value),
            ("python a\u{7f}.py", "a\u{7f}.py", Doubt::Value),
            ("pyth\\on", "pyth\\on", Doubt::Backslash),
            ("src\\data.x", "src\\data.x", Doubt::Backslash),
        ] {
            let info = info_string(Piece::new(text, 0));
            let doubtful = info.doubtful.map(|found| (slice(text, found.span), found.doubt));
            assert_eq!((info.path, doubtful), (None, Some((span, doubt))), "{text}");
        }
        for text in ["python file=\"\"", "ts title=\"Either/or\"", "python line=a*.py", "python file=a.py"] {
            assert_eq!(info_string(Piece::new(text, 0)).doubtful, None, "{text}");
        }
    }

    #[test]
    fn the_same_path_twice_is_one_wherever_the_info_string_stands() {
        for start in [0, 1, 10] {
            let path = |text| info_string(Piece::new(text, start)).path.map(Span::len);
            assert_eq!(path("python a.py a.py"), Some(4), "{start}");
            assert_eq!(path("python a.py b.py"), None, "{start}");
        }
    }

    #[test]
    fn language_and_path() {
        let table = [
            ("", "", ""),
            ("rust", "rust", ""),
            ("rust src/lib.rs", "rust", "src/lib.rs"),
            ("rust:src/lib.rs", "rust", "src/lib.rs"),
            ("rust,src/lib.rs", "rust", "src/lib.rs"),
            ("src/lib.rs", "", "src/lib.rs"),
            ("https://x.org/a.js", "", ""),
            ("A://x/a.js", "", "A://x/a.js"),
            ("main.py", "", "main.py"),
            ("Dockerfile", "Dockerfile", ""),
            ("dockerfile Dockerfile", "dockerfile", "Dockerfile"),
            ("ini .env", "ini", ".env"),
            ("ini ._env", "ini", "._env"),
            ("ini .#env", "ini", ""),
            ("c++ src/m.cpp", "c++", "src/m.cpp"),
            ("rust,no_run", "rust", ""),
            ("rust{1,3} src/a.rs", "rust", "src/a.rs"),
            ("js {1,3-5} a.js", "js", "a.js"),
            ("{.python filename=\"app.py\"}", "python", "app.py"),
            ("{#id .rust .numberLines}", "rust", ""),
            ("{r, echo=FALSE}", "r", ""),
            ("{.python\u{a0}file=a.py\r\u{b}b}", "python", "a.py"),
            ("ts title=\"src/a.ts\"", "ts", "src/a.ts"),
            ("title=\"src/a.ts\"", "", "src/a.ts"),
            ("ts title='a.ts'", "ts", "a.ts"),
            ("ts title=a.ts", "ts", "a.ts"),
            ("ts title=\"Example usage\"", "ts", ""),
            ("text filename=\"my file.txt\"", "text", "my file.txt"),
            ("text file=LICENSE", "text", "LICENSE"),
            ("ts src=\"a.ts\" path=\"b.ts\"", "ts", "b.ts"),
            ("python a.py title=\"b.py\"", "python", "a.py"),
            ("python # src/a.py", "python", "src/a.py"),
            ("js // src/a.js", "js", "src/a.js"),
            ("python (src/a.py):", "python", "src/a.py"),
            ("python copy", "python", ""),
            ("python file: src/a.py", "python", "src/a.py"),
            ("python my dir/a.py", "python", ""),
            ("python my dir/a.py file=\"my dir/a.py\"", "python", "my dir/a.py"),
            ("text 1.2.3", "text", ""),
            ("bash --norc", "bash", ""),
            ("js https://x.org/a.js", "js", ""),
            ("application/json", "application/json", ""),
            ("12:20:src/a.rs", "", ""),
            ("txt notes.txt:evil", "txt", "notes.txt:evil"),
            ("src/lib.rs:x", "", "src/lib.rs:x"),
            ("C:\\src\\a.rs", "", "C:\\src\\a.rs"),
            ("src\\a.rs", "", "src\\a.rs"),
            ("src\\Makefile", "", "src\\Makefile"),
            ("pyth\\on src/a.py", "", "src/a.py"),
            ("text /etc/passwd", "text", "/etc/passwd"),
            ("\tpy\tx.py", "py", "x.py"),
        ];
        for (text, language, path) in table {
            let trimmed = text.trim();
            assert_eq!(read(trimmed), (language, path), "{text:?}");
        }
    }
}
