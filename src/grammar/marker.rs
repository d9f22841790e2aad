//! The marker lines of SEARCH/REPLACE blocks: exactly 7 characters, one space, the word.
//!
//! The rules are those of fsrb(1), "Syntax Rules"; see grammar-notes/search-replace.md.

use super::lines::Kind;

/// `<<<<<<< SEARCH`
pub(crate) const SEARCH: &str = "<<<<<<< SEARCH";
/// `=======`
pub(crate) const SEPARATOR: &str = "=======";
/// `>>>>>>> REPLACE`
pub(crate) const REPLACE: &str = ">>>>>>> REPLACE";

/// What a line is whose first visible character may begin a marker.
pub(crate) fn kind(line: &str) -> Kind {
    exact(line.trim_matches([' ', '\t'])).unwrap_or(Kind::Text)
}

/// [`Kind::Escaped`] for a `\` at column 0 directly before a marker line.
pub(crate) fn escaped_kind(line: &str) -> Kind {
    let after = line.strip_prefix('\\').unwrap_or("");
    if exact(after.trim_end_matches([' ', '\t'])).is_some() { Kind::Escaped } else { Kind::Text }
}

fn exact(trimmed: &str) -> Option<Kind> {
    match trimmed {
        SEARCH => Some(Kind::Search),
        SEPARATOR => Some(Kind::Separator),
        REPLACE => Some(Kind::Replace),
        _ => None,
    }
}
