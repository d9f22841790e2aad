//! File names: whether a text is a path, and where in a line it stands.
//!
//! Code blocks, edit blocks and sentences share this module. Models decorate names in many ways; decoration is cut,
//! and what is not surely a name names nothing, since a wrong name overwrites a file. See grammar-notes/file-names.md.

mod comment;
mod line;
mod mention;
mod part;
mod prose;
mod shape;

pub(crate) use comment::{keyed_comment, path_comment};
pub(crate) use line::{Piece, is_key, path_line, starts_list_item};
pub(crate) use mention::{may_be_same, mentions_other};
pub(crate) use part::announces_part;
pub(crate) use prose::{ends_as_prose, introduces_other, name_in_prose, only_quoted_path};
pub(crate) use shape::{
    Evidence, has_extension, has_known_extension, has_separator, is_media_type, is_path, is_spaced_name,
    is_url, is_well_known, may_be_path,
};

#[cfg(test)]
mod tests;
