//! Places as the protocol writes them: a line and a column, both from 0, the column in the unit that was agreed on.
//!
//! Lines end at LF or CRLF, as everywhere in this crate. The protocol would also end one at a lone CR, but the editors
//! that keep such a character in their text (Neovim, Emacs, Helix) count it as part of the line, and those that do not
//! (VS Code) never send one.

use serde::{Deserialize, Serialize};

use crate::source::{self, LineIndex, slice};

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: what a client means that says nothing.
    #[default]
    Utf16,
    /// Characters (Unicode scalar values).
    Utf32,
}

/// A place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Position {
    /// Line from 0.
    pub(super) line: u32,
    /// Column from 0.
    pub(super) character: u32,
}

/// A stretch of a document, half-open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

impl Range {
    /// Whether the two have a place in common; touching is enough.
    pub(super) fn touches(self, other: Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

impl Encoding {
    /// The encoding of a name in `positionEncodings`.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        [Self::Utf8, Self::Utf16, Self::Utf32].into_iter().find(|encoding| encoding.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    /// A place that was computed in all units, in this one.
    pub(super) fn position(self, at: source::Position) -> Position {
        let column = match self {
            Self::Utf8 => at.byte_column,
            Self::Utf16 => at.utf16,
            Self::Utf32 => at.column,
        };
        Position { line: at.line.saturating_sub(1), character: column.saturating_sub(1) }
    }

    /// How many units a text has.
    pub(super) fn len(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
            Self::Utf32 => text.chars().count(),
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// The byte offset of a place. One past its line's end counts as that end, one past the last line as the text's
    /// end, one inside a character as that character's start.
    pub(super) fn offset(self, text: &str, index: &LineIndex, at: Position) -> usize {
        let Some(start) = at.line.checked_add(1).and_then(|line| index.line_start(line)) else {
            return text.len();
        };
        let end = at.line.checked_add(2).and_then(|line| index.line_start(line));
        let end = end.unwrap_or(source::offset(text.len()));
        let line = slice(text, source::Span::new(start, end));
        let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        start as usize + self.advance(line, at.character as usize)
    }

    /// How many bytes of a line the first `units` units are.
    fn advance(self, line: &str, units: usize) -> usize {
        if self == Self::Utf8 || line.is_ascii() {
            return floor_boundary(line, units);
        }
        let mut left = units;
        for (at, character) in line.char_indices() {
            match left.checked_sub(self.width(character)) {
                Some(rest) if left > 0 => left = rest,
                _ => return at,
            }
        }
        line.len()
    }
}

/// The last character boundary at or before a byte offset.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn there_and_back() {
        let text = "a\u{fc}\u{1f600}b\r\n\r\nx\ry\n\u{1f600}";
        let source = Source::new(text).unwrap();
        for encoding in ALL {
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let position = encoding.position(source.position(at as u32));
                let back = encoding.offset(text, source.line_index(), position);
                // Between CR and LF no column stands for itself.
                let wanted =
                    if text.get(..at).unwrap().ends_with('\r') && text.get(at..).unwrap().starts_with('\n') {
                        at - 1
                    } else {
                        at
                    };
                assert_eq!(back, wanted, "{encoding:?} {at}");
            }
        }
    }

    #[test]
    fn columns_in_each_unit() {
        let text = "\u{fc}\u{1f600}b";
        let index = LineIndex::new(text);
        let at =
            |encoding: Encoding, character| encoding.offset(text, &index, Position { line: 0, character });
        assert_eq!([0, 2, 6, 7].map(|column| at(Encoding::Utf8, column)), [0, 2, 6, 7]);
        assert_eq!([0, 1, 3, 4].map(|column| at(Encoding::Utf16, column)), [0, 2, 6, 7]);
        assert_eq!([0, 1, 2, 3].map(|column| at(Encoding::Utf32, column)), [0, 2, 6, 7]);
        // Inside a character.
        assert_eq!([at(Encoding::Utf8, 1), at(Encoding::Utf8, 4), at(Encoding::Utf16, 2)], [0, 2, 2]);
        assert_eq!([Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(|unit| unit.len(text)), [7, 4, 3]);
    }

    #[test]
    fn what_lies_outside_is_the_end() {
        let text = "ab\r\nc";
        let index = LineIndex::new(text);
        for encoding in ALL {
            let at = |line, character| encoding.offset(text, &index, Position { line, character });
            assert_eq!([at(0, 99), at(0, u32::MAX), at(1, 9), at(2, 0), at(u32::MAX, 0)], [2, 2, 5, 5, 5]);
        }
    }
}
