//! The command as its users see it: arguments in, files, output and exit status out.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test fails the test"
)]

mod arguments;
mod diff;
mod formats;
mod input;
mod json;
mod manual;
mod options;
mod recover;
mod signals;
mod streams;
mod support;
