//! The applier: changes are folded over the files' bytes (plan), checked (validate), and only then written (commit).

pub mod change;
#[cfg(feature = "fs")]
pub mod commit;
mod explain;
pub mod files;
mod fold;
#[cfg(feature = "fs")]
pub mod fs;
pub(crate) mod lower;
mod outcome;
mod patch_operation;
mod placeholder;
pub mod plan;
pub mod report;
mod slot;
#[cfg(feature = "fs")]
mod transact;
pub mod transaction;
mod validate;
#[cfg(feature = "fs")]
mod write;
