//! The real system: every call relative to a directory handle, by rustix.

#[cfg(any(target_vendor = "apple", target_os = "linux", target_os = "android"))]
mod attributes;
#[cfg(not(any(target_vendor = "apple", target_os = "linux", target_os = "android")))]
#[path = "no_attributes.rs"]
mod attributes;

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{self as sys, AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::{Fs, Kind, Purpose, Stat};

/// How often a lookup that a rename elsewhere disturbed is repeated.
#[cfg(target_os = "linux")]
const RETRIES: usize = 128;

/// The attribute that holds the access list of files made in a directory.
const DEFAULT_ACL: &str = "system.posix_acl_default";

/// The running system.
#[derive(Debug)]
pub(crate) struct UnixFs {
    root: PathBuf,
}

impl UnixFs {
    /// Opens a directory as a root: the system, the handle, and the absolute paths that lead to it.
    pub(crate) fn open(dir: &Path) -> io::Result<(Self, OwnedFd, Vec<String>)> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let base = sys::openat(sys::CWD, dir, flags, Mode::empty())?;
        let root = std::fs::canonicalize(dir)?;
        // The directory as it was named too, so that links written with that name are understood. Whatever these
        // say, what is below them is looked up from the handle.
        let named = std::path::absolute(dir)?;
        let mut names: Vec<String> = Vec::new();
        for path in [&root, &named] {
            let name = path.to_str().map(|name| name.trim_end_matches('/').to_owned());
            names.extend(name.filter(|name| !names.contains(name)));
        }
        Ok((Self { root }, base, names))
    }

    /// The root's path without links.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

fn flags_for(purpose: Purpose) -> OFlags {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match purpose {
        // A handle that only finds names needs no permission to list the directory, but cannot be synced.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        Purpose::Search => flags | OFlags::PATH,
        _ => flags | OFlags::RDONLY,
    }
}

/// One call where the system can keep every component from being a link; `None` where it cannot or will not.
#[cfg(target_os = "linux")]
fn open_beneath(at: &OwnedFd, path: &str, flags: OFlags) -> Option<io::Result<OwnedFd>> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
    for _ in 0..RETRIES {
        match sys::openat2(at, path, flags, Mode::empty(), resolve) {
            Ok(dir) => return Some(Ok(dir)),
            // A rename went on meanwhile.
            Err(Errno::AGAIN) => {}
            // An old kernel; or a filter or security module, which may answer otherwise the next time, so this is
            // not remembered.
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL | Errno::TOOBIG) => return None,
            Err(error) => return Some(Err(error.into())),
        }
    }
    Some(Err(Errno::AGAIN.into()))
}

#[cfg(not(target_os = "linux"))]
fn open_beneath(_: &OwnedFd, _: &str, _: OFlags) -> Option<io::Result<OwnedFd>> {
    None
}

/// The same component by component, none of them followed.
fn open_step_by_step(at: &OwnedFd, path: &str, purpose: Purpose) -> io::Result<OwnedFd> {
    let mut dir = None;
    for name in path.split('/') {
        if name.is_empty() || name == "." || name == ".." {
            return Err(Errno::INVAL.into());
        }
        let next = sys::openat(dir.as_ref().unwrap_or(at), name, flags_for(purpose), Mode::empty())?;
        dir = Some(next);
    }
    dir.ok_or_else(|| Errno::INVAL.into())
}

/// Whether a file system or kernel lacks a call.
fn is_lack(error: Errno) -> bool {
    // The last two are one on some systems.
    matches!(error, Errno::INVAL | Errno::NOSYS) || error == Errno::NOTSUP || error == Errno::OPNOTSUPP
}

/// `Unsupported` for what says so.
fn unsupported(error: Errno) -> io::Error {
    if is_lack(error) { io::Error::from(io::ErrorKind::Unsupported) } else { error.into() }
}

#[expect(clippy::unnecessary_cast, reason = "the fields have other widths on other systems")]
#[allow(clippy::useless_conversion, reason = "the fields have other widths on other systems")]
fn stat_from(stat: &sys::Stat) -> Stat {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Link,
        FileType::Fifo => Kind::Other("a pipe"),
        FileType::Socket => Kind::Other("a socket"),
        FileType::CharacterDevice | FileType::BlockDevice => Kind::Other("a device"),
        _ => Kind::Other("something else"),
    };
    Stat {
        kind,
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        modified: (stat.st_mtime as i64, u32::try_from(stat.st_mtime_nsec).unwrap_or(0)),
        mode: stat.st_mode as u32 & 0o7777,
        links: stat.st_nlink as u64,
        user: stat.st_uid,
        group: stat.st_gid,
    }
}

/// Renames only to a free name, or exchanges two names.
#[derive(Clone, Copy)]
enum Rename {
    New,
    Exchange,
}

#[cfg(any(target_vendor = "apple", target_os = "linux", target_os = "android"))]
fn rename_with(from: (&OwnedFd, &str), to: (&OwnedFd, &str), how: Rename) -> io::Result<()> {
    let flags = match how {
        Rename::New => sys::RenameFlags::NOREPLACE,
        Rename::Exchange => sys::RenameFlags::EXCHANGE,
    };
    sys::renameat_with(from.0, from.1, to.0, to.1, flags).map_err(unsupported)
}

#[cfg(not(any(target_vendor = "apple", target_os = "linux", target_os = "android")))]
fn rename_with(_: (&OwnedFd, &str), _: (&OwnedFd, &str), _: Rename) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

impl Fs for UnixFs {
    type Dir = OwnedFd;
    type File = File;

    fn open_dir(&self, at: &OwnedFd, path: &str, purpose: Purpose) -> io::Result<OwnedFd> {
        let flags = flags_for(purpose);
        if path.is_empty() {
            return Ok(sys::openat(at, ".", flags, Mode::empty())?);
        }
        match open_beneath(at, path, flags) {
            Some(result) => result,
            None => open_step_by_step(at, path, purpose),
        }
    }

    fn open_above(&self, at: &OwnedFd) -> io::Result<OwnedFd> {
        Ok(sys::openat(at, "..", flags_for(Purpose::Search), Mode::empty())?)
    }

    fn open_file(&self, at: &OwnedFd, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(File::from(sys::openat(at, name, flags, Mode::empty())?))
    }

    fn stat(&self, at: &OwnedFd, name: &str) -> io::Result<Stat> {
        Ok(stat_from(&sys::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    fn stat_dir(&self, dir: &OwnedFd) -> io::Result<Stat> {
        Ok(stat_from(&sys::fstat(dir)?))
    }

    fn stat_file(&self, file: &File) -> io::Result<Stat> {
        Ok(stat_from(&sys::fstat(file)?))
    }

    fn stat_root(&self) -> io::Result<Stat> {
        Ok(stat_from(&sys::stat(&self.root)?))
    }

    fn read_link(&self, at: &OwnedFd, name: &str) -> io::Result<Vec<u8>> {
        Ok(sys::readlinkat(at, name, Vec::new())?.into_bytes())
    }

    fn names(&self, dir: &OwnedFd) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in sys::Dir::read_from(dir)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn read(&self, file: &mut File, into: &mut Vec<u8>) -> io::Result<usize> {
        Ok(rustix::io::read(file, rustix::buffer::spare_capacity(into))?)
    }

    fn create(&self, at: &OwnedFd, name: &str, mode: u32) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(sys::openat(at, name, flags, Mode::from_bits_truncate(mode as sys::RawMode))?))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn set_owner(&self, file: &File, user: Option<u32>, group: Option<u32>) -> io::Result<()> {
        Ok(sys::fchown(file, user.map(sys::Uid::from_raw), group.map(sys::Gid::from_raw))?)
    }

    fn set_mode(&self, file: &File, mode: u32) -> io::Result<()> {
        Ok(sys::fchmod(file, Mode::from_bits_truncate(mode as sys::RawMode))?)
    }

    fn attributes(&self, file: &File) -> io::Result<Vec<String>> {
        attributes::list(file)
    }

    fn attribute(&self, file: &File, name: &str) -> io::Result<Vec<u8>> {
        Ok(attributes::get(file, name)?)
    }

    fn set_attribute(&self, file: &File, name: &str, value: &[u8]) -> io::Result<()> {
        attributes::set(file, name, value)
    }

    fn default_acl(&self, dir: &OwnedFd) -> io::Result<Option<Vec<u8>>> {
        match attributes::get(dir, DEFAULT_ACL) {
            Ok(list) => Ok(Some(list)),
            Err(error) if attributes::is_absent(error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn remove_default_acl(&self, dir: &OwnedFd) -> io::Result<()> {
        match attributes::remove(dir, DEFAULT_ACL) {
            Err(error) if !attributes::is_absent(error) => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn make_dir(&self, at: &OwnedFd, name: &str, mode: u32) -> io::Result<()> {
        Ok(sys::mkdirat(at, name, Mode::from_bits_truncate(mode as sys::RawMode))?)
    }

    fn rename(&self, from: &OwnedFd, name: &str, to: &OwnedFd, new: &str) -> io::Result<()> {
        Ok(sys::renameat(from, name, to, new)?)
    }

    fn rename_new(&self, from: &OwnedFd, name: &str, to: &OwnedFd, new: &str) -> io::Result<()> {
        rename_with((from, name), (to, new), Rename::New)
    }

    fn exchange(&self, from: &OwnedFd, name: &str, to: &OwnedFd, new: &str) -> io::Result<()> {
        rename_with((from, name), (to, new), Rename::Exchange)
    }

    fn link(&self, from: &OwnedFd, name: &str, to: &OwnedFd, new: &str) -> io::Result<()> {
        match sys::linkat(from, name, to, new, AtFlags::empty()) {
            Ok(()) => Ok(()),
            // What Linux says of a file system without hard links; also of a file that may not be linked.
            Err(Errno::PERM) => Err(io::Error::from(io::ErrorKind::Unsupported)),
            Err(error) => Err(unsupported(error)),
        }
    }

    fn remove_file(&self, at: &OwnedFd, name: &str) -> io::Result<()> {
        Ok(sys::unlinkat(at, name, AtFlags::empty())?)
    }

    fn remove_dir(&self, at: &OwnedFd, name: &str) -> io::Result<()> {
        Ok(sys::unlinkat(at, name, AtFlags::REMOVEDIR)?)
    }

    fn sync_file(&self, file: &File) -> io::Result<()> {
        // The standard library knows that on Apple's systems only F_FULLFSYNC reaches the disk.
        file.sync_all()
    }

    fn sync_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        #[cfg(target_vendor = "apple")]
        let synced = sys::fcntl_fullfsync(dir).or_else(|_| sys::fsync(dir));
        #[cfg(not(target_vendor = "apple"))]
        let synced = sys::fsync(dir);
        match synced {
            // Some network and user-space file systems cannot sync a directory and say so in this way.
            Err(error) if is_lack(error) => Ok(()),
            result => Ok(result?),
        }
    }

    fn sync_all(&self, dir: &OwnedFd) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return sys::syncfs(dir).map_err(unsupported);
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        {
            let _ = dir;
            Err(io::Error::from(io::ErrorKind::Unsupported))
        }
    }

    fn lock(&self, dir: &OwnedFd) -> io::Result<()> {
        Ok(sys::flock(dir, FlockOperation::NonBlockingLockExclusive)?)
    }

    fn unlock(&self, dir: &OwnedFd) -> io::Result<()> {
        Ok(sys::flock(dir, FlockOperation::Unlock)?)
    }

    fn user(&self) -> u32 {
        rustix::process::geteuid().as_raw()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// What an old kernel cannot do in one call is done in steps; either way no link is followed and nothing above is
    /// reached.
    #[test]
    fn directories_are_opened_in_steps_as_in_one_call() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join("base");
        std::fs::create_dir_all(base.join("a/b/c")).unwrap();
        std::fs::write(base.join("a/file"), "x").unwrap();
        symlink("b", base.join("a/link")).unwrap();
        symlink("../..", base.join("a/up")).unwrap();
        let (fs, at, _) = UnixFs::open(&base).unwrap();
        let inode = |dir: &OwnedFd| fs.stat_dir(dir).unwrap().inode;
        for purpose in [Purpose::Search, Purpose::Sync] {
            for path in ["a", "a/b", "a/b/c"] {
                let expected = inode(&fs.open_dir(&at, path, purpose).unwrap());
                assert_eq!(inode(&open_step_by_step(&at, path, purpose).unwrap()), expected, "{path}");
            }
            for path in [
                "a/link",
                "a/link/c",
                "a/up",
                "a/up/base",
                "a/file",
                "a/none",
                "..",
                "a/../a",
                "a/b/../../..",
            ] {
                assert!(open_step_by_step(&at, path, purpose).is_err(), "{path}");
            }
            for path in ["", ".", "a/.", "a//b", "/", "/a", "a/"] {
                assert!(open_step_by_step(&at, path, purpose).is_err(), "{path:?}");
            }
        }
    }
}
