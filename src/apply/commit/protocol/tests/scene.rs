//! A directory tree with something outside it, and what to do in it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::apply::files::{LoadError, LoadedFile};
use crate::apply::fs::unix::UnixFs;
use crate::apply::fs::{Fs, Tree};
use crate::apply::transaction::{Action, Entry, Transaction};
use crate::rel_path::RelPath;

/// Everything below a directory: `"<kind and mode> <content>"` by path.
pub(crate) type Snapshot = BTreeMap<String, String>;

/// A temporary directory with `base/` and `out/` in it.
pub(crate) struct Scene {
    dir: tempfile::TempDir,
}

impl Scene {
    /// In memory where the system has such a place: most tests do not ask the disk anything.
    pub(crate) fn new() -> Self {
        let memory = tempfile::tempdir_in("/dev/shm");
        Self::within(memory.or_else(|_| tempfile::tempdir()).unwrap())
    }

    pub(crate) fn on_disk() -> Self {
        Self::within(tempfile::tempdir().unwrap())
    }

    fn within(dir: tempfile::TempDir) -> Self {
        fs::create_dir(dir.path().join("base")).unwrap();
        fs::create_dir(dir.path().join("out")).unwrap();
        Self { dir }
    }

    /// The tree of the mixed plan: two updates, a deletion that empties its directory, a creation in new directories.
    pub(crate) fn mixed() -> Self {
        let scene = Self::new();
        scene.write("a", "old\n").write("d/b", "old\n").write("e/c", "only\n");
        scene
    }

    pub(crate) fn base(&self) -> PathBuf {
        self.dir.path().join("base")
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.base().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn chmod(&self, path: &str, mode: u32) -> &Self {
        fs::set_permissions(self.base().join(path), fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    pub(crate) fn symlink(&self, body: impl AsRef<Path>, path: &str) -> &Self {
        std::os::unix::fs::symlink(body, self.base().join(path)).unwrap();
        self
    }

    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.base().join(path)).unwrap()
    }

    pub(crate) fn mode(&self, path: &str) -> u32 {
        fs::symlink_metadata(self.base().join(path)).unwrap().mode() & 0o7777
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        fs::symlink_metadata(self.base().join(path)).is_ok()
    }

    pub(crate) fn tree(&self) -> Tree<UnixFs> {
        let (fs, base, names) = UnixFs::open(&self.base()).unwrap();
        Tree::new(fs, base, names).unwrap()
    }

    /// Base and outside.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::new();
        collect(self.dir.path(), "", &mut snapshot);
        snapshot
    }
}

fn collect(dir: &Path, prefix: &str, snapshot: &mut Snapshot) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = fs::symlink_metadata(entry.path()).unwrap();
        let content = if meta.is_symlink() {
            format!("-> {}", fs::read_link(entry.path()).unwrap().display())
        } else if meta.is_file() {
            String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned()
        } else {
            String::new()
        };
        let kind = format!("{:o} {}:{} {content}", meta.mode(), meta.uid(), meta.gid());
        if meta.is_dir() {
            collect(&entry.path(), &format!("{path}/"), snapshot);
        }
        snapshot.insert(path, kind);
    }
}

pub(crate) fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

/// What to do with a path.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Do<'a> {
    /// Replace its content.
    Update(&'a str),
    /// Create it.
    Create(&'a str),
    /// Delete it.
    Delete,
    /// Set or clear its executable bits.
    Executable(bool),
    /// Create it with the content and rights of another file.
    Like(&'a str),
}

/// A transaction, with the old files read from a tree.
pub(crate) fn plan<F: Fs>(tree: &Tree<F>, todo: &[(&str, Do<'_>)]) -> Transaction {
    try_plan(tree, todo).unwrap()
}

/// The same, where a file may be refused.
pub(crate) fn try_plan<F: Fs>(tree: &Tree<F>, todo: &[(&str, Do<'_>)]) -> Result<Transaction, LoadError> {
    let load = |path: &RelPath| -> Result<(RelPath, Option<Arc<LoadedFile>>), LoadError> {
        let loaded = tree.load(path, 1 << 30)?;
        Ok((loaded.target, loaded.file))
    };
    let entries = todo.iter().map(|(name, what)| -> Result<Entry, LoadError> {
        let (target, old) = match what {
            // A file that is deleted may stand where its directory will be.
            Do::Create(_) | Do::Like(_) => (path(name), None),
            _ => load(&path(name))?,
        };
        let action = match what {
            Do::Update(text) => Action::Update {
                old: old.unwrap(),
                new: Arc::new(text.as_bytes().to_vec()),
                executable: None,
            },
            Do::Executable(on) => {
                let old = old.unwrap();
                Action::Update { new: Arc::new(old.bytes.clone()), old, executable: Some(*on) }
            }
            Do::Create(text) => {
                Action::Create { new: Arc::new(text.as_bytes().to_vec()), like: None, executable: None }
            }
            Do::Delete => Action::Delete { old: old.unwrap() },
            Do::Like(source) => {
                let (source, file) = load(&path(source))?;
                let file = file.unwrap();
                let new = Arc::new(file.bytes.clone());
                Action::Create { new, like: Some((source, file)), executable: None }
            }
        };
        Ok(Entry { target, action })
    });
    Ok(Transaction { entries: entries.collect::<Result<_, _>>()? })
}

/// The mixed plan over [`Scene::mixed`].
pub(crate) const MIXED: &[(&str, Do<'static>)] = &[
    ("a", Do::Update("new\n")),
    ("d/b", Do::Update("new\n")),
    ("e/c", Do::Delete),
    ("n/m/f", Do::Create("x\n")),
];
