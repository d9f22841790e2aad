//! Pure work on the text of one file: finding, replacing, line endings.

mod base;
pub(crate) mod encoding;
pub(crate) mod file_text;
pub(crate) mod hunk;
pub(crate) mod line_ending;
mod pieces;
mod search;
mod tolerant;
