//! The language server: what it says to an editor, whatever that sends.
//!
//! A model of an editor speaks to the server in the same process; the program is run where streams and processes count.
//! `editors/` holds what real editors are made to do.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "helpers of tests"
)]

mod apply;
mod editor;
mod features;
mod findings;
#[path = "../laws/lsp_messages.rs"]
mod laws;
mod lifecycle;
mod program;
mod random_messages;
mod real_editors;
