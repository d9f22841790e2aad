//! [`MemFs`]: a model of a file system with a cache and a disk, which loses in a crash what was not synced.
//!
//! Every change of names is one operation that sets one or two names at once. It is seen at once and reaches the disk
//! when one of its directories is synced, together with earlier ones on the same names. In a crash each operation that
//! has not reached the disk is kept or lost on its own, later ones perhaps kept where earlier ones are lost, as file
//! systems without an ordered journal do. Content and mode of a file reach the disk when the file is synced; in a crash
//! an unsynced file holds what it held at its last sync, or what it holds now, or nothing.

mod calls;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

use rustix::io::Errno;

use super::{Kind, Stat};

/// The number of an inode.
type Id = u64;
/// The root's inode.
const ROOT: Id = 2;
/// The owner of everything.
const USER: u32 = 1000;
/// What a created file does not get.
const UMASK: u32 = 0o022;

/// The content and mode of an inode.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Body {
    File { data: Vec<u8>, mode: u32, written: u32 },
    Dir { mode: u32 },
    Link(String),
}

type Names = BTreeMap<(Id, String), Id>;

/// Names that get a new meaning together.
#[derive(Debug, Clone)]
struct Change(Vec<((Id, String), Option<Id>)>);

#[derive(Debug, Default)]
struct State {
    /// As programs see it.
    bodies: BTreeMap<Id, Body>,
    names: Names,
    /// As it is on the disk.
    disk_bodies: BTreeMap<Id, Body>,
    disk_names: Names,
    /// Changes of names that have not reached the disk, in order.
    unsynced: Vec<Change>,
    last: Id,
    clock: u32,
    locked: bool,
    /// A directory where another file system is mounted.
    mount: Option<Id>,
    /// How often the model has crashed: handles from before are void.
    boots: u32,
}

/// The model. Clones are the same file system.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemFs(Rc<RefCell<State>>);

/// An open directory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemDir(Id, u32);

/// An open file.
#[derive(Debug)]
pub(crate) struct MemFile(Id, u32, Cell<usize>);

/// What a path leads to in the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    File(String, u32),
    Dir,
    Link(String),
}

impl State {
    fn add(&mut self, body: Body) -> Id {
        self.last += 1;
        self.bodies.insert(self.last, body);
        self.last
    }

    fn lookup(&self, at: Id, name: &str) -> io::Result<Id> {
        match self.bodies.get(&at) {
            Some(Body::Dir { .. }) => {}
            _ => return Err(Errno::NOTDIR.into()),
        }
        self.names.get(&(at, name.to_owned())).copied().ok_or_else(|| Errno::NOENT.into())
    }

    fn is_dir(&self, id: Id) -> bool {
        matches!(self.bodies.get(&id), Some(Body::Dir { .. }))
    }

    /// Whether a directory still has a name.
    fn is_attached(&self, id: Id) -> bool {
        id == ROOT || self.names.values().any(|named| *named == id)
    }

    fn is_empty(&self, id: Id) -> bool {
        self.names.range((id, String::new())..(id + 1, String::new())).next().is_none()
    }

    fn change(&mut self, sets: &[((Id, &str), Option<Id>)]) -> io::Result<()> {
        for ((dir, _), id) in sets {
            // Nothing can be put into a directory that was removed.
            if id.is_some() && !self.is_attached(*dir) {
                return Err(Errno::NOENT.into());
            }
        }
        let sets: Vec<_> = sets.iter().map(|((dir, name), id)| ((*dir, (*name).to_owned()), *id)).collect();
        for (key, id) in &sets {
            set(&mut self.names, key, *id);
        }
        self.unsynced.push(Change(sets));
        Ok(())
    }

    /// Brings changes to the disk, with all earlier ones on the same names.
    fn flush(&mut self, wanted: impl Fn(&Change) -> bool) {
        let mut keys: BTreeSet<(Id, String)> = BTreeSet::new();
        let mut flushed = vec![false; self.unsynced.len()];
        for (index, change) in self.unsynced.iter().enumerate().rev() {
            if wanted(change) || change.0.iter().any(|(key, _)| keys.contains(key)) {
                flushed[index] = true;
                keys.extend(change.0.iter().map(|(key, _)| key.clone()));
            }
        }
        for (change, _) in self.unsynced.iter().zip(&flushed).filter(|(_, flushed)| **flushed) {
            for (key, id) in &change.0 {
                set(&mut self.disk_names, key, *id);
                // A directory exists with its name; a file's content is another matter.
                if let Some(id) = id.filter(|id| !self.disk_bodies.contains_key(id)) {
                    self.disk_bodies.insert(id, unwritten(&self.bodies[&id]));
                }
            }
        }
        let mut flushed = flushed.into_iter();
        self.unsynced.retain(|_| !flushed.next().unwrap());
    }

    fn stat(&self, id: Id) -> Stat {
        let (kind, size, mode, written) = match &self.bodies[&id] {
            Body::File { data, mode, written } => (Kind::File, data.len(), *mode, *written),
            Body::Dir { mode } => (Kind::Dir, 0, *mode, 0),
            Body::Link(body) => (Kind::Link, body.len(), 0o777, 0),
        };
        Stat {
            kind,
            device: if self.mount == Some(id) { 2 } else { 1 },
            inode: id,
            size: size as u64,
            modified: (i64::from(written), 0),
            mode,
            links: self.names.values().filter(|named| **named == id).count() as u64,
            user: USER,
            group: USER,
        }
    }
}

fn set(names: &mut Names, key: &(Id, String), id: Option<Id>) {
    match id {
        Some(id) => names.insert(key.clone(), id),
        None => names.remove(key),
    };
}

/// An inode whose content has not reached the disk.
fn unwritten(body: &Body) -> Body {
    match body {
        Body::File { mode, written, .. } => Body::File { data: Vec::new(), mode: *mode, written: *written },
        body => body.clone(),
    }
}

impl MemFs {
    pub(crate) fn new() -> Self {
        let fs = Self::default();
        {
            let mut state = fs.0.borrow_mut();
            state.last = ROOT;
            state.bodies.insert(ROOT, Body::Dir { mode: 0o755 });
            state.disk_bodies = state.bodies.clone();
        }
        fs
    }

    /// A copy that shares nothing.
    pub(crate) fn fork(&self) -> Self {
        let state = self.0.borrow();
        Self(Rc::new(RefCell::new(State {
            bodies: state.bodies.clone(),
            names: state.names.clone(),
            disk_bodies: state.disk_bodies.clone(),
            disk_names: state.disk_names.clone(),
            unsynced: state.unsynced.clone(),
            ..*state
        })))
    }

    pub(crate) fn root(&self) -> MemDir {
        MemDir(ROOT, self.0.borrow().boots)
    }

    /// Everything reaches the disk.
    pub(crate) fn sync(&self) {
        let mut state = self.0.borrow_mut();
        state.flush(|_| true);
        state.disk_bodies = state.bodies.clone();
    }

    /// The handle that holds the lock is closed.
    pub(crate) fn release(&self) {
        self.0.borrow_mut().locked = false;
    }

    /// The process dies; the system goes on.
    pub(crate) fn kill(&self) {
        let mut state = self.0.borrow_mut();
        state.locked = false;
        state.boots += 1;
    }

    /// How many things may be kept or lost now.
    pub(crate) fn unsynced(&self) -> usize {
        let state = self.0.borrow();
        state.unsynced.len() + dirty(&state).len()
    }

    /// The power goes. `pick` says of each unsynced thing what happens: 0 lost, 1 kept, 2 kept but empty (content).
    pub(crate) fn crash(&self, mut pick: impl FnMut() -> u32) {
        let mut state = self.0.borrow_mut();
        let state = &mut *state;
        for id in dirty(state) {
            let now = state.bodies[&id].clone();
            match pick() % 3 {
                0 => {}
                1 => drop(state.disk_bodies.insert(id, now)),
                _ => drop(state.disk_bodies.insert(id, unwritten(&now))),
            }
        }
        for change in std::mem::take(&mut state.unsynced) {
            if pick().is_multiple_of(2) {
                continue;
            }
            for (key, id) in &change.0 {
                set(&mut state.disk_names, key, *id);
                if let Some(id) = id.filter(|id| !state.disk_bodies.contains_key(id)) {
                    state.disk_bodies.insert(id, unwritten(&state.bodies[&id]));
                }
            }
        }
        state.names = state.disk_names.clone();
        state.bodies = state.disk_bodies.clone();
        // The next start of such a system throws away what has no name any more.
        let reachable = reachable(&state.names);
        state.names.retain(|(dir, _), _| reachable.contains(dir));
        state.disk_names = state.names.clone();
        state.locked = false;
        state.boots += 1;
    }

    /// Every file, directory and link by path.
    pub(crate) fn snapshot(&self) -> BTreeMap<String, Node> {
        let state = self.0.borrow();
        let mut snapshot = BTreeMap::new();
        collect(&state, ROOT, "", &mut snapshot);
        snapshot
    }

    fn walk(&self, path: &str) -> (Id, String) {
        let mut names: Vec<&str> = path.split('/').collect();
        let name = names.pop().unwrap();
        let mut at = ROOT;
        for name in names {
            let mut state = self.0.borrow_mut();
            at = match state.lookup(at, name) {
                Ok(id) => id,
                Err(_) => {
                    let id = state.add(Body::Dir { mode: 0o755 });
                    state.change(&[((at, name), Some(id))]).unwrap();
                    id
                }
            };
        }
        (at, name.to_owned())
    }

    /// Somebody else writes a file: a new one of that name, with its directories. False where that cannot be.
    pub(crate) fn put(&self, path: &str, data: &str) -> bool {
        let (at, name) = self.walk(path);
        let mut state = self.0.borrow_mut();
        if !state.is_dir(at) || state.lookup(at, &name).is_ok_and(|id| state.is_dir(id)) {
            return false;
        }
        state.clock += 1;
        let written = state.clock;
        let id = state.add(Body::File { data: data.as_bytes().to_vec(), mode: 0o644, written });
        state.change(&[((at, &name), Some(id))]).unwrap();
        true
    }

    /// Another file system is mounted on a directory.
    pub(crate) fn mount(&self, path: &str) {
        let (at, name) = self.walk(path);
        let mut state = self.0.borrow_mut();
        state.mount = state.lookup(at, &name).ok();
    }

    /// Somebody else writes into a file that exists.
    pub(crate) fn overwrite(&self, path: &str, text: &str) -> bool {
        let (at, name) = self.walk(path);
        let mut state = self.0.borrow_mut();
        state.clock += 1;
        let clock = state.clock;
        let Ok(id) = state.lookup(at, &name) else { return false };
        let Some(Body::File { data, written, .. }) = state.bodies.get_mut(&id) else { return false };
        *data = text.as_bytes().to_vec();
        *written = clock;
        true
    }

    /// Somebody else puts a link somewhere.
    pub(crate) fn put_link(&self, path: &str, body: &str) -> bool {
        let (at, name) = self.walk(path);
        let mut state = self.0.borrow_mut();
        if !state.is_dir(at) || state.lookup(at, &name).is_ok_and(|id| state.is_dir(id)) {
            return false;
        }
        let id = state.add(Body::Link(body.to_owned()));
        state.change(&[((at, &name), Some(id))]).unwrap();
        true
    }

    /// Somebody else removes a file or an empty directory.
    pub(crate) fn remove(&self, path: &str) -> bool {
        let (at, name) = self.walk(path);
        let mut state = self.0.borrow_mut();
        let Ok(id) = state.lookup(at, &name) else { return false };
        if state.is_dir(id) && !state.is_empty(id) {
            return false;
        }
        state.change(&[((at, &name), None)]).unwrap();
        true
    }

    fn dir(&self, dir: MemDir) -> io::Result<Id> {
        let state = self.0.borrow();
        if dir.1 == state.boots { Ok(dir.0) } else { Err(Errno::STALE.into()) }
    }

    fn file(&self, file: &MemFile) -> io::Result<Id> {
        self.dir(MemDir(file.0, file.1))
    }

    /// Takes a name to another, with what is there: refused, replaced or exchanged.
    fn moved(&self, from: MemDir, name: &str, to: MemDir, new: &str, there: There) -> io::Result<()> {
        let (from, to) = (self.dir(from)?, self.dir(to)?);
        let mut state = self.0.borrow_mut();
        let id = state.lookup(from, name)?;
        let old = match state.lookup(to, new) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        match (there, old) {
            (There::Exchange, None) => Err(Errno::NOENT.into()),
            (There::Exchange, Some(old)) => state.change(&[((from, name), Some(old)), ((to, new), Some(id))]),
            (There::Refuse, Some(_)) => Err(Errno::EXIST.into()),
            // Two names of one file: nothing happens, as the standard says.
            (There::Replace, Some(old)) if old == id => Ok(()),
            (There::Replace, Some(old)) if state.is_dir(old) && !state.is_dir(id) => Err(Errno::ISDIR.into()),
            (There::Replace, Some(old)) if !state.is_dir(old) && state.is_dir(id) => {
                Err(Errno::NOTDIR.into())
            }
            (There::Replace, Some(old)) if state.is_dir(old) && !state.is_empty(old) => {
                Err(Errno::NOTEMPTY.into())
            }
            _ => state.change(&[((from, name), None), ((to, new), Some(id))]),
        }
    }
}

#[derive(Clone, Copy)]
enum There {
    Refuse,
    Replace,
    Exchange,
}

/// The files whose content or mode has not reached the disk.
fn dirty(state: &State) -> Vec<Id> {
    let differs = |(id, body): (&Id, &Body)| (state.disk_bodies.get(id) != Some(body)).then_some(*id);
    state.bodies.iter().filter(|(_, body)| matches!(body, Body::File { .. })).filter_map(differs).collect()
}

fn reachable(names: &Names) -> BTreeSet<Id> {
    let mut reached = BTreeSet::from([ROOT]);
    let mut ahead = vec![ROOT];
    while let Some(dir) = ahead.pop() {
        for id in names.range((dir, String::new())..(dir + 1, String::new())).map(|(_, id)| *id) {
            if reached.insert(id) {
                ahead.push(id);
            }
        }
    }
    reached
}

fn collect(state: &State, dir: Id, prefix: &str, snapshot: &mut BTreeMap<String, Node>) {
    for ((_, name), id) in state.names.range((dir, String::new())..(dir + 1, String::new())) {
        let path = format!("{prefix}{name}");
        let node = match &state.bodies[id] {
            Body::File { data, mode, .. } => Node::File(String::from_utf8_lossy(data).into_owned(), *mode),
            Body::Link(body) => Node::Link(body.clone()),
            Body::Dir { .. } => {
                collect(state, *id, &format!("{path}/"), snapshot);
                Node::Dir
            }
        };
        snapshot.insert(path, node);
    }
}
