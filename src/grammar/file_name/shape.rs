//! Whether a text has the shape of a path.

use crate::language;

/// How much else says that a text is a path; the less, the more its shape must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// Nothing: a known extension or a well-known name is needed.
    None,
    /// It names the file of an edit: a separator will do as well.
    Edit,
    /// It stands alone on its line above an edit: any extension will do as well.
    OwnLine,
    /// A label or the word file stands before it: any word will do.
    Label,
}

/// Whether a text, decoration removed, is taken for a path.
pub(crate) fn is_path(text: &str, evidence: Evidence) -> bool {
    let name = last_component(text);
    let is_known =
        || extension(name).is_some_and(language::is_known_extension) || language::is_well_known_name(name);
    let fits = match evidence {
        Evidence::None => is_known(),
        Evidence::Edit => separator_says_path(text) || is_known(),
        Evidence::OwnLine => {
            separator_says_path(text) || extension(name).is_some_and(is_plain_word) || is_known()
        }
        Evidence::Label => true,
    };
    fits && may_be_path(text)
}

/// Whether the last component ends in an extension that names a language.
pub(crate) fn has_known_extension(path: &str) -> bool {
    extension(last_component(path)).is_some_and(language::is_known_extension)
}

/// Whether the last component ends in any extension.
pub(crate) fn has_extension(path: &str) -> bool {
    extension(last_component(path)).is_some_and(is_plain_word)
}

/// Whether there is a `/` or `\` in it.
pub(crate) fn has_separator(text: &str) -> bool {
    text.contains(['/', '\\'])
}

/// The text behind the last separator.
pub(crate) fn last_component(path: &str) -> &str {
    let separator = memchr::memrchr2(b'/', b'\\', path.as_bytes());
    separator.and_then(|at| path.get(at + 1..)).unwrap_or(path)
}

/// What stands behind the last dot, where something stands before it.
fn extension(name: &str) -> Option<&str> {
    let dot = memchr::memrchr(b'.', name.as_bytes()).filter(|dot| *dot > 0)?;
    name.get(dot + 1..).filter(|extension| !extension.is_empty())
}

fn is_plain_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Whether nothing about the text forbids that it is a path.
pub(crate) fn may_be_path(text: &str) -> bool {
    let is_forbidden = |c: char| match c {
        '“' | '”' | '‘' | '’' | '…' => true,
        _ => c.is_whitespace() || c.is_control(),
    };
    let signs = Signs::of(text);
    !signs.has(Signs::FORBIDDEN)
        && (text.is_ascii() || !text.contains(is_forbidden))
        && has_shape_of_path(text, signs)
}

/// The same for a text that may hold white space and punctuation.
pub(crate) fn may_be_spaced_path(text: &str) -> bool {
    has_shape_of_path(text, Signs::of(text))
}

fn has_shape_of_path(text: &str, signs: Signs) -> bool {
    let is_other = || {
        signs.has(Signs::PARENTHESIS) && is_call(text)
            || signs.has(Signs::COLON) && (is_url(text) || has_position(text))
            || is_number(text)
            || is_product(text)
    };
    text.chars().any(char::is_alphanumeric)
        && !text.ends_with(['/', '\\', '.'])
        && !text.starts_with('-')
        && !text.starts_with("www.")
        && !is_other()
}

/// Which kinds of ASCII characters a text has, found out in one pass.
#[derive(Debug, Clone, Copy)]
struct Signs(u8);

impl Signs {
    /// Characters that are no part of a path: punctuation of text and programs, white space, controls.
    const FORBIDDEN: u8 = 1;
    const PARENTHESIS: u8 = 2;
    const COLON: u8 = 4;

    /// For each byte what it is, if anything.
    #[expect(clippy::indexing_slicing, reason = "the compiler itself would fail")]
    const TABLE: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0_u8;
        while byte.is_ascii() {
            table[byte as usize] = match byte {
                b'`' | b'"' | b'<' | b'>' | b'|' | b'*' | b'?' | b';' | b',' | b'=' | b'{' | b'}' | b'&'
                | b'!' => Self::FORBIDDEN,
                ..=b' ' | 0x7f => Self::FORBIDDEN,
                b'(' => Self::PARENTHESIS,
                b':' => Self::COLON,
                _ => 0,
            };
            byte += 1;
        }
        table
    };

    fn of(text: &str) -> Self {
        let kind = |byte| Self::TABLE.get(usize::from(byte)).copied().unwrap_or(0);
        Self(text.bytes().fold(0, |signs, byte| signs | kind(byte)))
    }

    fn has(self, kind: u8) -> bool {
        self.0 & kind != 0
    }
}

pub(crate) fn is_url(text: &str) -> bool {
    text.contains("://") || text.starts_with("mailto:")
}

/// `name(...)`. A component such as `(auth)` is a path's all the same.
fn is_call(text: &str) -> bool {
    let is_called = |before: &str| !before.is_empty() && !before.ends_with(['/', '\\', ' ']);
    memchr::memchr_iter(b'(', text.as_bytes()).any(|at| text.get(..at).is_some_and(is_called))
}

/// A number, version or date: `1.2.3`, `v1.2`, `1/2`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['v', 'V']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | '-' | ':'))
}

/// `path:12`, `12:20:path`: a place in a file that exists, not the name of a block.
fn has_position(text: &str) -> bool {
    let is_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    text.split_once(':').is_some_and(|(first, _)| is_digits(first))
        || text.rsplit_once(':').is_some_and(|(_, last)| is_digits(last))
}

/// Products whose names end in an extension.
fn is_product(text: &str) -> bool {
    const LONGEST: usize = 11;
    const ALWAYS: &[&str] = &["node.js", "next.js", "nuxt.js", "vue.js", "asp.net"];
    const CAPITALISED: &[&str] = &[
        "Alpine.js",
        "Angular.js",
        "Backbone.js",
        "Chart.js",
        "D3.js",
        "Day.js",
        "Discord.js",
        "Ember.js",
        "Express.js",
        "Gatsby.js",
        "Knockout.js",
        "Meteor.js",
        "Moment.js",
        "Nest.js",
        "P5.js",
        "React.js",
        "Socket.io",
        "Solid.js",
        "Svelte.js",
        "Three.js",
    ];
    let is_one = || ALWAYS.iter().any(|name| text.eq_ignore_ascii_case(name)) || CAPITALISED.contains(&text);
    text.len() <= LONGEST && is_one()
}

/// Whether a separator alone makes the text a path. Package names, routes, media types and regular expressions have
/// one, too.
fn separator_says_path(text: &str) -> bool {
    let is_route = text.starts_with(['/', '\\']);
    let is_package = text.starts_with('@') && text.matches('/').count() == 1;
    text.contains('/') && !is_route && !is_package && !is_media_type(text)
}

/// `application/json` and the like.
pub(crate) fn is_media_type(text: &str) -> bool {
    const TYPES: &[&str] =
        &["application", "audio", "font", "image", "message", "multipart", "text", "video"];
    text.split_once('/').is_some_and(|(kind, rest)| {
        TYPES.contains(&kind) && !rest.contains('/') && !has_known_extension(rest)
    })
}

/// Whether a text with blanks in it may be a name where quotes and a key say that it is one.
pub(crate) fn is_spaced_name(text: &str) -> bool {
    let forbidden =
        |c: char| c.is_control() || matches!(c, '`' | '"' | '<' | '>' | '|' | '*' | '?' | ';' | '“' | '”');
    !text.contains(forbidden) && text.trim() == text && may_be_spaced_path(text)
}

/// Whether the last component is a name such as `Dockerfile`.
pub(crate) fn is_well_known(path: &str) -> bool {
    language::is_well_known_name(last_component(path))
}
