//! The operating system, behind a narrow trait, and [`Root`], the directory tree that is read and written.
//!
//! The commit and the resolver are written over the trait `Fs` and run unchanged over the real system, over one that
//! fails on demand and over a model that loses what was not synced.

#[cfg(unix)]
mod attempt;
#[cfg(test)]
#[cfg(unix)]
pub(crate) mod fault;
mod listing;
#[cfg(test)]
#[cfg(unix)]
pub(crate) mod model;
#[cfg(any(test, not(unix)))]
pub(crate) mod portable;
#[cfg(unix)]
mod resolve;
mod root;
#[cfg(unix)]
mod system;
#[cfg(unix)]
mod tree;
#[cfg(unix)]
pub(crate) mod unix;

pub use root::{Root, RootError};

#[cfg(unix)]
pub(crate) use attempt::{Fault, again, attempt, join};
#[cfg(unix)]
pub(crate) use resolve::split;
#[cfg(unix)]
pub(crate) use system::{Fs, Kind, Purpose, Stat, is_link_or_file};
#[cfg(unix)]
pub(crate) use tree::{Tree, stamp};
