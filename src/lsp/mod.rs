//! The language server, but for its streams: [`Server`] takes messages and gives messages.
//!
//! It shows in an editor what is wrong with a patch file (`*.fsrb`), a diff (`*.diff`, `*.patch`) or a model's reply
//! (`*.md`), offers to mend it, shows what each edit would do, leads to the lines that it changes, and has the editor
//! apply them all, so that the editor can take them back. It writes no file.
//!
//! What the files are it learns from the documents that are open and, for the others, from a [`Host`]. The program
//! `fsrb-lsp` gives it the disk and standard input and output, a test or a fuzzer whatever it likes: that is why it is a
//! part of the library. Messages are read and written by [`transport`]; the data in them are small types of this module,
//! which read only what they need and so take from a client whatever else it may send.
//!
//! ```text
//! bytes -> transport -> Incoming -> Server -> Outgoing -> transport -> bytes
//!                                     |
//!             documents over Host -> parse -> Plan -> diagnostics, hovers, an edit of the workspace
//! ```

mod actions;
mod analysis;
mod blocks;
mod client;
mod definition;
mod document;
mod encoding;
mod hover;
mod line_edits;
mod message;
mod outline;
mod protocol;
mod server;
pub mod transport;
mod uri;
mod workspace;
mod workspace_edit;

pub use message::{ErrorCode, Incoming, Outgoing};
pub use server::{Ending, Server};
pub use workspace::{Host, Tree};
