//! One module a table of rules, one test or more a rule: what an input means, and what becomes of the files.
//!
//! Each test's comment says its rule in one sentence. All go through the public API: text in, plan out; those about
//! links, modes and other things of a real file system commit to a temporary directory.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking"
)]

mod by_hand;
mod codes;
mod damaged;
mod diffs;
#[cfg(feature = "fs")]
mod disk;
mod edges;
mod edit_blocks;
#[cfg(feature = "fs")]
mod facade;
mod faithful;
mod fences_and_names;
#[cfg(feature = "fs")]
mod file_system;
mod files;
mod lines;
mod specification;
mod support;
