//! The marker lines of SEARCH/REPLACE blocks: exactly 7 characters, one space, the word.
//!
//! The rules are those of fsrb(1), "Syntax Rules"; see grammar-notes/search-replace.md. What is nearly a marker is
//! none: [`near_marker`] names it.

use super::lines::Kind;
use super::near_marker;

/// `<<<<<<< SEARCH`
pub(crate) const SEARCH: &str = "<<<<<<< SEARCH";
/// `=======`
pub(crate) const SEPARATOR: &str = "=======";
/// `>>>>>>> REPLACE`
pub(crate) const REPLACE: &str = ">>>>>>> REPLACE";

/// What a line is whose first visible character may begin a marker.
pub(crate) fn kind(line: &str) -> Kind {
    match marker(line.trim_matches([' ', '\t'])) {
        Some(kind) => kind,
        None if near_marker::near(line).is_some() => Kind::NearMarker,
        None => Kind::Text,
    }
}

/// [`Kind::Escaped`] for a `\` at column 0 directly before a marker line, blanks around its marker included.
pub(crate) fn escaped_kind(line: &str) -> Kind {
    let after = line.strip_prefix('\\').unwrap_or("");
    if marker(after.trim_matches([' ', '\t'])).is_some() { Kind::Escaped } else { Kind::Text }
}

/// A line without the blanks at its ends.
///
/// ```ebnf
/// marker = "<<<<<<< SEARCH" | "=======" | ">>>>>>> REPLACE" ;
/// ```
fn marker(trimmed: &str) -> Option<Kind> {
    match trimmed {
        SEARCH => Some(Kind::Search),
        SEPARATOR => Some(Kind::Separator),
        REPLACE => Some(Kind::Replace),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_exact_but_for_blanks_around_it() {
        for (line, want) in [
            ("<<<<<<< SEARCH", Kind::Search),
            (" \t=======\t ", Kind::Separator),
            (">>>>>>> REPLACE ", Kind::Replace),
        ] {
            assert_eq!(kind(line), want, "{line:?}");
        }
        for line in
            ["<<<<<<< SEARCH\r", "<<<<<<<  SEARCH", "<<<<<<<\tSEARCH", "\u{a0}=======", "======", "======= x"]
        {
            assert_eq!(kind(line), Kind::NearMarker, "{line:?}");
        }
    }

    #[test]
    fn an_escape_is_one_backslash_directly_before_a_marker() {
        for line in ["\\=======", "\\ \t=======", "\\<<<<<<< SEARCH \t", "\\>>>>>>> REPLACE"] {
            assert_eq!(escaped_kind(line), Kind::Escaped, "{line:?}");
        }
        for line in ["\\\\=======", " \\=======", "\\========", "\\", ""] {
            assert_eq!(escaped_kind(line), Kind::Text, "{line:?}");
        }
    }
}
