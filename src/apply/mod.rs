//! The applier: changes are folded over the files' bytes (plan), checked (validate), and only then written (commit).

pub mod change;
pub mod files;
#[cfg(feature = "fs")]
pub mod fs;
pub mod transaction;
