//! The statements of the two documents that specify the command and the library, each with the tests that hold it.

#[cfg(feature = "fs")]
mod applying;
#[cfg(feature = "cli")]
mod command;
mod parsing;
mod patch_file;
mod walk;
