//! The grammars: text to lines, lines to nodes.
//!
//! The text is lexed once into line tokens ([`lines`]); block structure is nom over those tokens, and within one
//! line nom works on a `LocatedSpan` ([`input::line_input`]).

pub(crate) mod input;
pub(crate) mod lines;
pub(crate) mod marker;
