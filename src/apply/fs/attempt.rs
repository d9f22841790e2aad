//! [`attempt`]: a call that is repeated when a signal interrupts it and whose error knows what was tried on what.

use std::fmt;
use std::io;

use crate::apply::commit::Operation;

/// A call that failed.
#[derive(Debug)]
pub(crate) struct Fault {
    /// What was tried.
    pub(crate) operation: Operation,
    /// On what, relative to the root.
    pub(crate) path: String,
    /// Why it failed.
    pub(crate) source: io::Error,
}

impl Fault {
    /// Whether it failed in this way.
    pub(crate) fn is(&self, kind: io::ErrorKind) -> bool {
        self.source.kind() == kind
    }
}

/// Calls until no signal interrupts; a failure says what was tried on what.
pub(crate) fn attempt<T>(
    operation: Operation,
    path: impl fmt::Display,
    call: impl FnMut() -> io::Result<T>,
) -> Result<T, Fault> {
    again(call).map_err(|source| Fault { operation, path: path.to_string(), source })
}

/// Calls until no signal interrupts.
pub(crate) fn again<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A name in a directory, as a path relative to the root.
pub(crate) fn join<'a>(dir: &'a str, name: &'a str) -> Join<'a> {
    Join { dir, name }
}

/// See [`join`].
#[derive(Clone, Copy)]
pub(crate) struct Join<'a> {
    dir: &'a str,
    name: &'a str,
}

impl fmt::Display for Join<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.dir.is_empty() {
            write!(f, "{}/", self.dir)?;
        }
        f.write_str(self.name)
    }
}
