//! [`Root`]: the directory tree that changes are applied to.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::listing::listing;
#[cfg(not(unix))]
use super::portable::PortableTree as Backend;
use crate::apply::commit::{CommitError, CommitOptions, Committed, How, Pending, Recovered};
use crate::apply::files::{Files, LoadError, Loaded};
use crate::apply::transaction::Transaction;
use crate::rel_path::RelPath;

#[cfg(unix)]
type Backend = super::Tree<super::unix::UnixFs>;

/// A directory tree, held open: whatever is renamed meanwhile, nothing outside it is read or written.
#[derive(Debug)]
pub struct Root {
    tree: Backend,
}

/// Why a root cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RootError {
    /// There is nothing at the path.
    #[error("{} does not exist", path.display())]
    Missing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The path leads to something else.
    #[error("{} is not a directory", path.display())]
    NotADirectory {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot open {}: {source}", path.display())]
    Unreadable {
        /// The path as it was given.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl From<RootError> for io::Error {
    fn from(error: RootError) -> Self {
        let kind = match &error {
            RootError::Missing { .. } => io::ErrorKind::NotFound,
            RootError::NotADirectory { .. } => io::ErrorKind::NotADirectory,
            RootError::Unreadable { source, .. } => source.kind(),
        };
        Self::new(kind, error)
    }
}

impl Root {
    /// Makes a directory, with those above it that are missing, and opens it.
    ///
    /// # Errors
    ///
    /// [`RootError`]: it cannot be made or opened.
    pub fn create(dir: &Path) -> Result<Self, RootError> {
        std::fs::create_dir_all(dir)
            .map_err(|source| RootError::Unreadable { path: dir.to_owned(), source })?;
        Self::open(dir)
    }

    /// Opens a directory; the path itself may be a link.
    ///
    /// # Errors
    ///
    /// [`RootError`]: it is missing, no directory or cannot be read.
    pub fn open(dir: &Path) -> Result<Self, RootError> {
        let refuse = |source: io::Error| {
            let path = dir.to_owned();
            match source.kind() {
                io::ErrorKind::NotFound => RootError::Missing { path },
                io::ErrorKind::NotADirectory => RootError::NotADirectory { path },
                _ => RootError::Unreadable { path, source },
            }
        };
        Ok(Self { tree: Backend::open(dir).map_err(refuse)? })
    }

    /// The directory's absolute path without links, as it was when it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.tree.path()
    }

    /// Makes every entry of a transaction visible, or none.
    ///
    /// # Errors
    ///
    /// [`CommitError`]. Unless [`CommitError::is_pending`], nothing was changed.
    pub fn commit_transaction(
        &self,
        transaction: &Transaction,
        options: &CommitOptions<'_>,
    ) -> Result<Committed, CommitError> {
        self.tree.commit(transaction, options)
    }

    /// Settles a commit that was interrupted under this root: its files become what they were before it.
    ///
    /// # Errors
    ///
    /// [`CommitError::Interrupted`] when it is not provably ours, [`CommitError::Pending`] when files changed since (and
    /// `how` does not say what to do) or a step failed, [`CommitError::Busy`] while another run is writing.
    pub fn recover(&self, how: How) -> Result<Recovered, CommitError> {
        self.tree.recover(how)
    }

    /// Whether there is an interrupted commit under this root, or in a directory above it; changes nothing.
    ///
    /// # Errors
    ///
    /// [`CommitError::Busy`] while another run is writing, [`CommitError::Failed`] when it cannot be told.
    pub fn pending(&self) -> Result<Option<Pending>, CommitError> {
        self.tree.pending()
    }
}

impl Files for Root {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        self.tree.load(path, limit)
    }

    fn listing(&self) -> Vec<RelPath> {
        listing(self.path())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::{Root, RootError};
    use crate::apply::commit::{CommitOptions, How};
    use crate::apply::files::Files as _;
    use crate::apply::transaction::{Action, Entry, Transaction};
    use crate::rel_path::RelPath;

    #[test]
    fn what_is_no_directory_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (missing, file) = (dir.path().join("missing"), dir.path().join("file"));
        fs::write(&file, "x\n").unwrap();
        assert!(matches!(Root::open(&missing), Err(RootError::Missing { path }) if path == missing));
        assert!(matches!(Root::open(&file), Err(RootError::NotADirectory { path }) if path == file));
        let below = file.join("below");
        assert!(matches!(Root::open(&below), Err(RootError::NotADirectory { path }) if path == below));
    }

    #[test]
    fn a_root_behind_a_link_is_read_and_written() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("real")).unwrap();
        fs::write(dir.path().join("real/a"), "old\n").unwrap();
        let alias = dir.path().join("alias");
        #[cfg(unix)]
        std::os::unix::fs::symlink("real", &alias).unwrap();
        #[cfg(not(unix))]
        let alias = dir.path().join("real");
        let root = Root::open(&alias).unwrap();
        assert_eq!(root.path(), dir.path().canonicalize().unwrap().join("real"));
        let loaded = root.load(&RelPath::new("a").unwrap(), 99).unwrap();
        let action =
            Action::Update { old: loaded.file.unwrap(), new: Arc::new(b"new\n".to_vec()), executable: None };
        let transaction = Transaction { entries: vec![Entry { target: loaded.target, action }] };
        let committed = root.commit_transaction(&transaction, &CommitOptions::default()).unwrap();
        assert_eq!(committed.warnings, []);
        assert_eq!(fs::read(dir.path().join("real/a")).unwrap(), b"new\n");
        assert_eq!(root.pending().unwrap(), None);
        assert!(root.recover(How::Ask).unwrap().files.is_empty());
    }
}
