//! [`Tree`]: a root directory, and reading files below it.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::resolve::{Handle, Resolved, regular, resolve, split};
use super::unix::UnixFs;
use super::{Fs, Stat, again, is_link_or_file};
use crate::apply::files::{LoadError, Loaded, LoadedFile, Stamp};
use crate::rel_path::RelPath;

/// How often a file that was replaced while it was opened is looked up again.
const RETRIES: usize = 16;

/// A root directory, held open.
#[derive(Debug)]
pub(crate) struct Tree<F: Fs> {
    /// The system.
    pub(crate) fs: F,
    /// The root.
    pub(crate) base: F::Dir,
    /// What the root was when it was opened.
    pub(crate) stat: Stat,
    /// The absolute paths that lead to the root, without a final `/`.
    pub(crate) names: Vec<String>,
    /// Whether a commit of this process holds the root: a lock on a file tells only other handles.
    pub(crate) busy: AtomicBool,
}

impl Tree<UnixFs> {
    /// Opens a directory of the running system as a root.
    pub(crate) fn open(dir: &Path) -> io::Result<Self> {
        let (fs, base, names) = UnixFs::open(dir)?;
        Self::new(fs, base, names)
    }

    /// The root's absolute path without links, as it was when it was opened.
    pub(crate) fn path(&self) -> &Path {
        self.fs.root()
    }
}

impl<F: Fs> Tree<F> {
    /// A root over an open directory.
    pub(crate) fn new(fs: F, base: F::Dir, names: Vec<String>) -> io::Result<Self> {
        let stat = fs.stat_dir(&base)?;
        Ok(Self { fs, base, stat, names, busy: AtomicBool::new(false) })
    }

    /// The part of an absolute path below the root, if it begins with the root's own path, component by component.
    pub(crate) fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.names.iter().find_map(|name| {
            let rest = path.strip_prefix(name.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then_some(rest)
        })
    }

    /// See [`Files::load`](crate::apply::files::Files::load).
    pub(crate) fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        for _ in 0..RETRIES {
            let (dir, target) = match resolve(self, path)? {
                Resolved::Missing { dir, target } => {
                    self.check_device(&dir, &target)?;
                    return Ok(Loaded { target, file: None });
                }
                Resolved::File { dir, target } => (dir, target),
            };
            let (_, name) = split(target.as_str());
            let file = match again(|| self.fs.open_file(&dir, name)) {
                Ok(file) => file,
                // It was there just now: replaced by a link, or gone.
                Err(error) if error.kind() == io::ErrorKind::NotFound || is_link_or_file(&error) => continue,
                Err(error) => return Err(error.into()),
            };
            let bytes = self.read_limited(file, &target, limit)?;
            return Ok(Loaded { target, file: Some(Arc::new(bytes)) });
        }
        Err(LoadError::Unsafe("it changes while it is looked at".to_owned()))
    }

    /// No rename leads from the root's file system to another one.
    fn check_device(&self, dir: &Handle<'_, F::Dir>, target: &RelPath) -> Result<(), LoadError> {
        match dir {
            Handle::Root(_) => Ok(()),
            Handle::Own(dir) if again(|| self.fs.stat_dir(dir))?.device == self.stat.device => Ok(()),
            Handle::Own(_) => Err(other_file_system(split(target.as_str()).0)),
        }
    }

    fn read_limited(&self, mut file: F::File, target: &RelPath, limit: u64) -> Result<LoadedFile, LoadError> {
        let stat = again(|| self.fs.stat_file(&file))?;
        regular(stat)?;
        if stat.device != self.stat.device {
            let (dir, _) = split(target.as_str());
            return Err(other_file_system(if dir.is_empty() { target.as_str() } else { dir }));
        }
        let too_large = |size| LoadError::TooLarge { size, limit };
        if stat.size > limit {
            return Err(too_large(stat.size));
        }
        let bytes = self.read_all(&mut file, stat.size, limit)?;
        if bytes.len() as u64 > limit {
            return Err(too_large(bytes.len() as u64));
        }
        Ok(LoadedFile { bytes, stamp: Some(stamp(&stat)) })
    }

    /// The whole of a file that is said to have `size` bytes, read a little over `limit` at most.
    pub(crate) fn read_all(&self, file: &mut F::File, size: u64, limit: u64) -> io::Result<Vec<u8>> {
        let no_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
        let mut bytes = Vec::new();
        // One more, so that the end is seen without growing.
        let expected = usize::try_from(size).map_err(|_| no_memory())?.saturating_add(1);
        bytes.try_reserve_exact(expected).map_err(|_| no_memory())?;
        while bytes.len() as u64 <= limit {
            if bytes.len() == bytes.capacity() {
                bytes.try_reserve(bytes.len()).map_err(|_| no_memory())?;
            }
            if again(|| self.fs.read(file, &mut bytes))? == 0 {
                break;
            }
        }
        Ok(bytes)
    }
}

fn other_file_system(place: &str) -> LoadError {
    LoadError::OtherFileSystem { place: place.to_owned() }
}

/// What is kept of a file's state to know it again.
pub(crate) fn stamp(stat: &Stat) -> Stamp {
    Stamp {
        device: stat.device,
        inode: stat.inode,
        size: stat.size,
        modified: stat.modified,
        mode: stat.mode,
        links: stat.links,
    }
}

#[cfg(test)]
mod tests;
