//! The tree for systems without directory handles, over paths and the standard library alone.
//!
//! What it lacks: between looking at a path and using it another process can put a link there; a kill or a power cut in
//! the middle of a commit leaves temporary files, and some files new and some old; owners and access lists are those of
//! new files; runs in other processes are not locked out. What it has: an error at any step undoes everything.

mod commit;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::UNIX_EPOCH;

use crate::apply::commit::{
    CommitError, CommitOptions, Committed, Doubt, How, Operation, Pending, Recovered,
};
use crate::apply::files::{LoadError, Loaded, LoadedFile, Stamp};
use crate::apply::transaction::Transaction;
use crate::rel_path::RelPath;

/// A root directory, known by its path.
#[derive(Debug)]
pub(crate) struct PortableTree {
    base: PathBuf,
    busy: AtomicBool,
}

/// What a path leads to.
struct Found {
    target: RelPath,
    real: PathBuf,
    meta: Option<fs::Metadata>,
}

impl PortableTree {
    /// Opens a directory as a root.
    pub(crate) fn open(dir: &Path) -> io::Result<Self> {
        let base = fs::canonicalize(dir)?;
        if !fs::metadata(&base)?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        // Whether it can be read at all.
        drop(fs::read_dir(&base)?);
        Ok(Self { base, busy: AtomicBool::new(false) })
    }

    /// The root's path without links.
    pub(crate) fn path(&self) -> &Path {
        &self.base
    }

    /// See [`Files::load`](crate::apply::files::Files::load).
    pub(crate) fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        let Found { target, real, meta } = self.find(path)?;
        let Some(meta) = meta else { return Ok(Loaded { target, file: None }) };
        let too_large = |size| LoadError::TooLarge { size, limit };
        if meta.len() > limit {
            return Err(too_large(meta.len()));
        }
        let mut bytes = Vec::new();
        File::open(&real)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(too_large(bytes.len() as u64));
        }
        let file = LoadedFile { bytes, stamp: Some(stamp(&meta)) };
        Ok(Loaded { target, file: Some(Arc::new(file)) })
    }

    /// Walks a path component by component; every link on the way must lead to something inside.
    fn find(&self, path: &RelPath) -> Result<Found, LoadError> {
        let mut real = self.base.clone();
        let mut components = path.components().peekable();
        while let Some(name) = components.next() {
            real.push(name);
            let mut meta = match fs::symlink_metadata(&real) {
                Ok(meta) => meta,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    real.extend(components.by_ref());
                    return Ok(Found { target: self.relative(&real)?, real, meta: None });
                }
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                    let file = self.relative(real.parent().unwrap_or(&self.base))?;
                    return Err(LoadError::BelowAFile { file });
                }
                Err(error) => return Err(error.into()),
            };
            if meta.is_symlink() {
                // A link to nothing, or in a circle, has no canonical path.
                real = fs::canonicalize(&real).map_err(|_| unsafe_path("a link leads to nothing"))?;
                if !real.starts_with(&self.base) {
                    return Err(unsafe_path("a link leads out of the root"));
                }
                meta = fs::symlink_metadata(&real)?;
            }
            let last = components.peek().is_none();
            match (meta.is_dir(), last) {
                (true, true) => return Err(LoadError::NotAFile("a directory")),
                (true, false) => {}
                (false, false) => return Err(LoadError::BelowAFile { file: self.relative(&real)? }),
                (false, true) if meta.is_file() => {
                    return Ok(Found { target: self.relative(&real)?, real, meta: Some(meta) });
                }
                (false, true) => return Err(LoadError::NotAFile("a pipe, a socket or a device")),
            }
        }
        Err(LoadError::NotAFile("a directory"))
    }

    /// A path below the root, which must pass the rules for paths as the input's own did.
    fn relative(&self, real: &Path) -> Result<RelPath, LoadError> {
        let reserved = || unsafe_path("a link leads to a place where nothing may be written");
        let inside =
            real.strip_prefix(&self.base).map_err(|_| unsafe_path("a link leads out of the root"))?;
        let names: Option<Vec<&str>> = inside.components().map(|name| name.as_os_str().to_str()).collect();
        let joined = names.ok_or_else(reserved)?.join("/");
        match RelPath::new(&joined) {
            Ok(path) if path.as_str() == joined => Ok(path),
            _ => Err(reserved()),
        }
    }

    /// Makes every entry visible, or none.
    pub(crate) fn commit(
        &self,
        transaction: &Transaction,
        options: &CommitOptions<'_>,
    ) -> Result<Committed, CommitError> {
        commit::commit(self, transaction, options, &|_, _| Ok(()))
    }

    /// There is nothing that could be settled.
    pub(crate) fn recover(&self, _: How) -> Result<Recovered, CommitError> {
        match self.pending()? {
            Some(Pending { place, doubt }) => Err(CommitError::Interrupted { place, doubt }),
            None => Ok(Recovered::default()),
        }
    }

    /// A journal here was brought from another system.
    pub(crate) fn pending(&self) -> Result<Option<Pending>, CommitError> {
        let place = ".fsrb-txn/journal".to_owned();
        match fs::symlink_metadata(self.base.join(".fsrb-txn").join("journal")) {
            Ok(_) => Ok(Some(Pending { place, doubt: Doubt::NotOurs })),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(source) => Err(CommitError::Failed { path: place, operation: Operation::Examine, source }),
        }
    }
}

fn unsafe_path(why: &str) -> LoadError {
    LoadError::Unsafe(why.to_owned())
}

/// What is known of a file without its inode.
fn stamp(meta: &fs::Metadata) -> Stamp {
    let since =
        meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    Stamp {
        device: 0,
        inode: 0,
        size: meta.len(),
        modified: (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), since.subsec_nanos()),
        mode: mode(meta),
        links: 1,
    }
}

#[cfg(unix)]
fn mode(meta: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o7777
}

#[cfg(not(unix))]
fn mode(meta: &fs::Metadata) -> u32 {
    if meta.permissions().readonly() { 0o444 } else { 0o644 }
}
