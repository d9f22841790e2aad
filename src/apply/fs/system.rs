//! [`Fs`]: the only road to the disk, about thirty calls, each relative to a directory handle that is already held, so
//! that no name outside the root can be meant.

use std::io;

/// The calls that the resolver and the commit need. No name holds a `/` unless it says `path`; no call follows a link.
pub(crate) trait Fs {
    /// An open directory.
    type Dir;
    /// An open regular file, with a position.
    type File;

    /// Opens the directory at a relative path with no link in it; `""` is the directory itself.
    fn open_dir(&self, at: &Self::Dir, path: &str, purpose: Purpose) -> io::Result<Self::Dir>;
    /// Opens the directory above.
    fn open_above(&self, at: &Self::Dir) -> io::Result<Self::Dir>;
    /// Opens a file to read it, without waiting for the other end of a pipe.
    fn open_file(&self, at: &Self::Dir, name: &str) -> io::Result<Self::File>;
    /// What a name is.
    fn stat(&self, at: &Self::Dir, name: &str) -> io::Result<Stat>;
    /// What an open directory is.
    fn stat_dir(&self, dir: &Self::Dir) -> io::Result<Stat>;
    /// What an open file is.
    fn stat_file(&self, file: &Self::File) -> io::Result<Stat>;
    /// What is now at the path under which the root was opened.
    fn stat_root(&self) -> io::Result<Stat>;
    /// The body of a link.
    fn read_link(&self, at: &Self::Dir, name: &str) -> io::Result<Vec<u8>>;
    /// The names in a directory, without `.` and `..`; bytes that are not UTF-8 are replaced.
    fn names(&self, dir: &Self::Dir) -> io::Result<Vec<String>>;
    /// Reads on from the file's position and appends, at most what the vector has room for; 0 at the end.
    fn read(&self, file: &mut Self::File, into: &mut Vec<u8>) -> io::Result<usize>;

    /// Creates a file that must not exist; the umask takes bits from `mode`.
    fn create(&self, at: &Self::Dir, name: &str, mode: u32) -> io::Result<Self::File>;
    /// Writes at the file's position, perhaps less than all.
    fn write(&self, file: &mut Self::File, bytes: &[u8]) -> io::Result<usize>;
    /// Gives a file to an owner and a group; `None` leaves as it is.
    fn set_owner(&self, file: &Self::File, user: Option<u32>, group: Option<u32>) -> io::Result<()>;
    /// Sets the permission bits.
    fn set_mode(&self, file: &Self::File, mode: u32) -> io::Result<()>;
    /// The names of the extended attributes (access lists and labels among them); none where there is no such thing.
    fn attributes(&self, file: &Self::File) -> io::Result<Vec<String>>;
    /// The value of an extended attribute.
    fn attribute(&self, file: &Self::File, name: &str) -> io::Result<Vec<u8>>;
    /// Sets an extended attribute.
    fn set_attribute(&self, file: &Self::File, name: &str, value: &[u8]) -> io::Result<()>;
    /// The access list that files made in a directory get, in the kernel's form.
    fn default_acl(&self, dir: &Self::Dir) -> io::Result<Option<Vec<u8>>>;
    /// Removes it.
    fn remove_default_acl(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Makes a directory; the umask takes bits from `mode`.
    fn make_dir(&self, at: &Self::Dir, name: &str, mode: u32) -> io::Result<()>;
    /// Renames; what is at the new name goes.
    fn rename(&self, from: &Self::Dir, name: &str, to: &Self::Dir, new: &str) -> io::Result<()>;
    /// Renames; fails with `AlreadyExists` where the new name is taken, with `Unsupported` where it cannot tell.
    fn rename_new(&self, from: &Self::Dir, name: &str, to: &Self::Dir, new: &str) -> io::Result<()>;
    /// Exchanges two names; fails with `Unsupported` where that cannot be done at once.
    fn exchange(&self, from: &Self::Dir, name: &str, to: &Self::Dir, new: &str) -> io::Result<()>;
    /// Gives a file a second name; fails with `Unsupported` where no file can have two.
    fn link(&self, from: &Self::Dir, name: &str, to: &Self::Dir, new: &str) -> io::Result<()>;
    /// Removes a name of a file.
    fn remove_file(&self, at: &Self::Dir, name: &str) -> io::Result<()>;
    /// Removes an empty directory.
    fn remove_dir(&self, at: &Self::Dir, name: &str) -> io::Result<()>;

    /// Brings a file's content and attributes to the disk.
    fn sync_file(&self, file: &Self::File) -> io::Result<()>;
    /// Brings a directory's names to the disk.
    fn sync_dir(&self, dir: &Self::Dir) -> io::Result<()>;
    /// Brings the whole file system to the disk; `Unsupported` where there is no such call.
    fn sync_all(&self, dir: &Self::Dir) -> io::Result<()>;
    /// Locks a directory against other runs until the lock is dropped; `WouldBlock` when another run holds it.
    fn lock(&self, dir: &Self::Dir) -> io::Result<()>;
    /// Gives the lock back.
    fn unlock(&self, dir: &Self::Dir) -> io::Result<()>;
    /// The user that files made now belong to.
    fn user(&self) -> u32;
}

/// What a directory is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To look up names in it.
    Search,
    /// To sync and list it too.
    Sync,
}

/// What a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// Anything else, in words.
    Other(&'static str),
}

/// What the system says of a name or a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    /// What it is.
    pub(crate) kind: Kind,
    /// The device that it lies on.
    pub(crate) device: u64,
    /// Its inode there.
    pub(crate) inode: u64,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// When it was last written: seconds and nanoseconds.
    pub(crate) modified: (i64, u32),
    /// The permission bits, set-id bits included.
    pub(crate) mode: u32,
    /// The number of names that it has.
    pub(crate) links: u64,
    /// The owner.
    pub(crate) user: u32,
    /// The group.
    pub(crate) group: u32,
}

impl Stat {
    /// What tells it from every other file while it exists.
    pub(crate) fn id(&self) -> (u64, u64) {
        (self.device, self.inode)
    }
}

/// Whether an error says that a part of the path is a link (or was made one just now) or no directory.
pub(crate) fn is_link_or_file(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let errno = Errno::from_io_error(error);
    matches!(errno, Some(Errno::LOOP | Errno::NOTDIR | Errno::XDEV | Errno::MLINK))
}
