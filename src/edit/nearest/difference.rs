//! How two lines differ.

use std::borrow::Cow;
use std::ops::Range;

/// In what two lines differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Difference {
    /// In nothing.
    None,
    /// In spaces and tabs at the end.
    TrailingSpace,
    /// In how far they are indented.
    Indentation,
    /// In tabs where the other has spaces.
    Tabs,
    /// In white space between words.
    Spacing,
    /// In typographic quotes, dashes or a no-break space for the plain characters.
    Typography,
    /// In letter case.
    Case,
    /// In what they say.
    Content,
}

impl Difference {
    /// In what two lines differ.
    pub(crate) fn of(one: &[u8], other: &[u8]) -> Self {
        let (one_start, one_text) = split_indentation(trim_end(one));
        let (other_start, other_text) = split_indentation(trim_end(other));
        if one == other {
            Self::None
        } else if one_text == other_text {
            match (one_start == other_start, one_start.contains(&b'\t') == other_start.contains(&b'\t')) {
                (true, _) => Self::TrailingSpace,
                (false, true) => Self::Indentation,
                (false, false) if one_start.is_empty() || other_start.is_empty() => Self::Indentation,
                (false, false) => Self::Tabs,
            }
        } else if without_space(one).eq(without_space(other)) {
            Self::Spacing
        } else if without_space(&plain(one)).eq(without_space(&plain(other))) {
            Self::Typography
        } else if folded(one) == folded(other) {
            Self::Case
        } else {
            Self::Content
        }
    }

    /// Whether what the lines say is the same.
    pub(crate) fn is_of_form(self) -> bool {
        self != Self::Content
    }

    /// `indentation`, `tabs against spaces` ...
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::None => "nothing",
            Self::TrailingSpace => "trailing white space",
            Self::Indentation => "indentation",
            Self::Tabs => "tabs against spaces",
            Self::Spacing => "white space",
            Self::Typography => "typographic quotes, dashes or no-break spaces",
            Self::Case => "letter case",
            Self::Content => "text",
        }
    }
}

/// Gives the bytes of the line without white space, in lower case, with plain quotes: lines of which these are the same
/// say the same.
pub(super) fn fold(line: &[u8], mut give: impl FnMut(u8)) {
    if line.is_ascii() {
        return without_space(line).for_each(|byte| give(byte.to_ascii_lowercase()));
    }
    let line = plain(line);
    let lower = String::from_utf8_lossy(&line).to_lowercase();
    without_space(lower.as_bytes()).for_each(give);
}

fn folded(line: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(line.len());
    fold(line, |byte| folded.push(byte));
    folded
}

/// The line with plain characters for typographic ones.
pub(crate) fn plain(line: &[u8]) -> Cow<'_, [u8]> {
    let Some(text) = std::str::from_utf8(line).ok().filter(|text| !text.is_ascii()) else {
        return Cow::Borrowed(line);
    };
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{2018}'..='\u{201b}' | '\u{2032}' => plain.push('\''),
            '\u{201c}'..='\u{201f}' | '\u{2033}' => plain.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            '\u{2026}' => plain.push_str("..."),
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => plain.push(' '),
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            other => plain.push(other),
        }
    }
    Cow::Owned(plain.into_bytes())
}

/// The indentation and what follows it.
pub(crate) fn split_indentation(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    line.split_at_checked(end).unwrap_or((line, &[]))
}

/// The line without spaces and tabs at its ends.
pub(crate) fn trimmed(line: &[u8]) -> &[u8] {
    split_indentation(trim_end(line)).1
}

fn trim_end(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1);
    line.get(..end).unwrap_or_default()
}

fn without_space(line: &[u8]) -> impl Iterator<Item = u8> + '_ {
    line.iter().copied().filter(|byte| !byte.is_ascii_whitespace())
}

/// The part of each of two texts that is left when what they begin and end with in common is cut, on boundaries of
/// characters.
pub(crate) fn middles(one: &str, other: &str) -> (Range<usize>, Range<usize>) {
    let equal = |(a, b): &(char, char)| a == b;
    let start: usize =
        one.chars().zip(other.chars()).take_while(equal).map(|(character, _)| character.len_utf8()).sum();
    let (one_rest, other_rest) = (one.get(start..).unwrap_or(""), other.get(start..).unwrap_or(""));
    let backwards = one_rest.chars().rev().zip(other_rest.chars().rev());
    let end: usize = backwards.take_while(equal).map(|(character, _)| character.len_utf8()).sum();
    (start..one.len() - end, start..other.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_what_lines_differ() {
        let table = [
            ("a", "a", Difference::None),
            ("a ", "a\t", Difference::TrailingSpace),
            ("  a", "    a", Difference::Indentation),
            ("a", "\ta", Difference::Indentation),
            ("\ta", "    a", Difference::Tabs),
            ("f(a,b)", "f(a, b)", Difference::Spacing),
            ("say \"x\"", "say \u{201c}x\u{201d}", Difference::Typography),
            ("a\u{a0}b", "a b", Difference::Typography),
            ("wait...", "wait\u{2026}", Difference::Typography),
            ("a - b", "a \u{2013} b", Difference::Typography),
            ("Name", "name", Difference::Case),
            ("Été", "été", Difference::Case),
            ("a", "b", Difference::Content),
        ];
        for (one, other, want) in table {
            assert_eq!(Difference::of(one.as_bytes(), other.as_bytes()), want, "{one:?} {other:?}");
            assert_eq!(Difference::of(other.as_bytes(), one.as_bytes()), want, "{other:?} {one:?}");
        }
    }

    #[test]
    fn the_middle_is_what_is_not_common() {
        assert_eq!(middles("a=1;", "a=22;"), (2..3, 2..4));
        assert_eq!(middles("aa", "aaa"), (2..2, 2..3));
        assert_eq!(middles("\u{e9}x", "\u{e8}x"), (0..2, 0..2));
        assert_eq!(middles("", "x"), (0..0, 0..1));
    }
}
