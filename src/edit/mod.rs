//! Pure work on the text of one file: finding, replacing, line endings.

mod base;
pub(crate) mod bytes;
pub(crate) mod encoding;
mod expected;
pub(crate) mod file_text;
mod gram;
pub(crate) mod hunk;
pub(crate) mod line_ending;
pub(crate) mod nearest;
mod pieces;
mod search;
mod tolerant;
