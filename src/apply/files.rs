//! [`Files`]: where a plan reads files from.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use thiserror::Error;

use crate::rel_path::RelPath;

/// A place that files are read from: a directory, an editor's open documents, a map in a test.
pub trait Files {
    /// What a path leads to. Nothing is opened that could block, nothing outside the root is read.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the path leads out of the root, to something that is no regular file, to a file of more than
    /// `limit` bytes, or to one that cannot be read.
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError>;

    /// Some of the files that there are, a few thousand at most: what a path that leads to none may have meant. It
    /// only helps to explain a refusal; without an answer there is nothing to suggest.
    fn listing(&self) -> Vec<RelPath> {
        Vec::new()
    }
}

/// What a path leads to.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The path after all links, still relative to the root: two spellings of one file have the same.
    pub target: RelPath,
    /// The file, if it exists.
    pub file: Option<Arc<LoadedFile>>,
}

/// A regular file as it was read.
#[derive(Debug, Clone, Default)]
pub struct LoadedFile {
    /// Its content.
    pub bytes: Vec<u8>,
    /// What tells it from another file and from itself at another time; `None` where it is not on a disk.
    pub stamp: Option<Stamp>,
}

/// What `fstat` says of a file that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The device that it lies on.
    pub device: u64,
    /// Its inode there.
    pub inode: u64,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written: seconds and nanoseconds.
    pub modified: (i64, u32),
    /// The permission bits, set-id bits included.
    pub mode: u32,
    /// The number of names that it has.
    pub links: u64,
}

impl Stamp {
    /// Whether any write permission bit is set.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.mode & 0o222 != 0
    }

    /// Whether the owner may execute it.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.mode & 0o100 != 0
    }
}

/// Why a path cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A link on the way leads out of the root, to nothing, or in a circle, or to a place such as `.git`.
    #[error("{0}")]
    Unsafe(String),
    /// The path leads to something that is no regular file: `a directory`, `a pipe` ...
    #[error("the path leads to {0}, not to a file")]
    NotAFile(&'static str),
    /// A directory of the path is a file, so that nothing can be below it.
    #[error("`{file}` is a file, so that there can be none below it")]
    BelowAFile {
        /// The file, relative to the root, links followed.
        file: RelPath,
    },
    /// The file is over the limit.
    #[error("the file has {size} bytes, over the limit of {limit}")]
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The path leads to another file system than the root's, so that no rename can bring a file there.
    #[error(
        "`{place}` lies on another file system than the root, and one run writes to one file system only"
    )]
    OtherFileSystem {
        /// A directory that lies there, or the file itself, relative to the root.
        place: String,
    },
    /// The operating system refused.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[from] io::Error),
}

/// Files in memory, by path.
impl Files for BTreeMap<RelPath, Vec<u8>> {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        let file = match self.get(path) {
            Some(bytes) if bytes.len() as u64 > limit => {
                return Err(LoadError::TooLarge { size: bytes.len() as u64, limit });
            }
            Some(bytes) => Some(Arc::new(LoadedFile { bytes: bytes.clone(), stamp: None })),
            None => None,
        };
        Ok(Loaded { target: path.clone(), file })
    }

    fn listing(&self) -> Vec<RelPath> {
        self.keys().take(4096).cloned().collect()
    }
}
