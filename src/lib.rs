//! Takes the code changes out of an AI model's reply and applies them to a directory tree, all or nothing.

pub mod apply;
pub mod ast;
pub mod diagnostic;
mod edit;
mod grammar;
mod rel_path;
pub mod source;

pub use apply::change::Changes;
pub use rel_path::{PathError, RelPath};
