//! What a commit is given: names, old and new bytes, and nothing that it would have to decide.

use std::sync::Arc;

use super::files::LoadedFile;
use crate::rel_path::RelPath;

/// The entries that become visible together or not at all.
///
/// No target occurs twice, none is below another (but that a directory may take the place of a deleted file), every
/// `new` differs from the `old` or the permissions do.
#[derive(Debug, Clone, Default)]
pub struct Transaction {
    /// In the order in which the files first appear in the input.
    pub entries: Vec<Entry>,
}

/// What becomes of one name.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The name, links resolved.
    pub target: RelPath,
    /// What happens to it.
    pub action: Action,
}

/// What happens to a name.
#[derive(Debug, Clone)]
pub enum Action {
    /// The file there is replaced; its mode, owner and attributes are kept.
    Update {
        /// The file as it was read and validated.
        old: Arc<LoadedFile>,
        /// Its new content.
        new: Arc<Vec<u8>>,
        /// The executable bits set or cleared; `None` keeps them.
        executable: Option<bool>,
    },
    /// A file appears where there is none; missing directories are made.
    Create {
        /// Its content.
        new: Arc<Vec<u8>>,
        /// The file (with its name) whose mode, owner and attributes it gets: the source of a rename or copy.
        like: Option<(RelPath, Arc<LoadedFile>)>,
        /// The executable bits set or cleared; `None` keeps those of `like`, or the usual ones of a new file.
        executable: Option<bool>,
    },
    /// The file there goes, and its parent directories as far as they are empty.
    Delete {
        /// The file as it was read and validated.
        old: Arc<LoadedFile>,
    },
}
