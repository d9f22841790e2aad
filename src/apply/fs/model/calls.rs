//! The calls of the model.

use std::cell::Cell;
use std::io;

use rustix::io::Errno;

use super::super::{Fs, Purpose, Stat};
use super::{Body, MemDir, MemFile, MemFs, ROOT, There, UMASK, USER};

impl Fs for MemFs {
    type Dir = MemDir;
    type File = MemFile;

    fn open_dir(&self, at: &MemDir, path: &str, _: Purpose) -> io::Result<MemDir> {
        let mut id = self.dir(*at)?;
        let state = self.0.borrow();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            id = state.lookup(id, name)?;
            match &state.bodies[&id] {
                Body::Dir { .. } => {}
                Body::Link(_) => return Err(Errno::LOOP.into()),
                Body::File { .. } => return Err(Errno::NOTDIR.into()),
            }
        }
        Ok(MemDir(id, at.1))
    }

    fn open_above(&self, at: &MemDir) -> io::Result<MemDir> {
        let id = self.dir(*at)?;
        let state = self.0.borrow();
        let above = state.names.iter().find(|(_, named)| **named == id).map_or(ROOT, |((dir, _), _)| *dir);
        Ok(MemDir(above, at.1))
    }

    fn open_file(&self, at: &MemDir, name: &str) -> io::Result<MemFile> {
        let dir = self.dir(*at)?;
        let state = self.0.borrow();
        let id = state.lookup(dir, name)?;
        match state.bodies[&id] {
            Body::Link(_) => Err(Errno::LOOP.into()),
            _ => Ok(MemFile(id, at.1, Cell::new(0))),
        }
    }

    fn stat(&self, at: &MemDir, name: &str) -> io::Result<Stat> {
        let dir = self.dir(*at)?;
        let state = self.0.borrow();
        Ok(state.stat(state.lookup(dir, name)?))
    }

    fn stat_dir(&self, dir: &MemDir) -> io::Result<Stat> {
        let id = self.dir(*dir)?;
        Ok(self.0.borrow().stat(id))
    }

    fn stat_file(&self, file: &MemFile) -> io::Result<Stat> {
        let id = self.file(file)?;
        Ok(self.0.borrow().stat(id))
    }

    fn stat_root(&self) -> io::Result<Stat> {
        Ok(self.0.borrow().stat(ROOT))
    }

    fn read_link(&self, at: &MemDir, name: &str) -> io::Result<Vec<u8>> {
        let dir = self.dir(*at)?;
        let state = self.0.borrow();
        match &state.bodies[&state.lookup(dir, name)?] {
            Body::Link(body) => Ok(body.clone().into_bytes()),
            _ => Err(Errno::INVAL.into()),
        }
    }

    fn names(&self, dir: &MemDir) -> io::Result<Vec<String>> {
        let id = self.dir(*dir)?;
        let state = self.0.borrow();
        Ok(state.names.keys().filter(|(dir, _)| *dir == id).map(|(_, name)| name.clone()).collect())
    }

    fn read(&self, file: &mut MemFile, into: &mut Vec<u8>) -> io::Result<usize> {
        let id = self.file(file)?;
        let state = self.0.borrow();
        let Body::File { data, .. } = &state.bodies[&id] else { return Err(Errno::ISDIR.into()) };
        let rest = data.get(file.2.get()..).unwrap_or_default();
        let count = rest.len().min(into.capacity() - into.len());
        into.extend_from_slice(&rest[..count]);
        file.2.set(file.2.get() + count);
        Ok(count)
    }

    fn create(&self, at: &MemDir, name: &str, mode: u32) -> io::Result<MemFile> {
        let dir = self.dir(*at)?;
        let mut state = self.0.borrow_mut();
        if state.lookup(dir, name).is_ok() {
            return Err(Errno::EXIST.into());
        }
        let written = state.clock;
        let id = state.add(Body::File { data: Vec::new(), mode: mode & !UMASK, written });
        state.change(&[((dir, name), Some(id))])?;
        Ok(MemFile(id, at.1, Cell::new(0)))
    }

    fn write(&self, file: &mut MemFile, bytes: &[u8]) -> io::Result<usize> {
        let id = self.file(file)?;
        let mut state = self.0.borrow_mut();
        state.clock += 1;
        let clock = state.clock;
        let Some(Body::File { data, written, .. }) = state.bodies.get_mut(&id) else {
            return Err(Errno::ISDIR.into());
        };
        data.extend_from_slice(bytes);
        *written = clock;
        Ok(bytes.len())
    }

    fn set_owner(&self, file: &MemFile, _: Option<u32>, _: Option<u32>) -> io::Result<()> {
        self.file(file).map(|_| ())
    }

    fn set_mode(&self, file: &MemFile, new: u32) -> io::Result<()> {
        let id = self.file(file)?;
        if let Some(Body::File { mode, .. }) = self.0.borrow_mut().bodies.get_mut(&id) {
            *mode = new;
        }
        Ok(())
    }

    fn attributes(&self, file: &MemFile) -> io::Result<Vec<String>> {
        self.file(file).map(|_| Vec::new())
    }

    fn attribute(&self, file: &MemFile, _: &str) -> io::Result<Vec<u8>> {
        self.file(file).and(Err(Errno::NOTSUP.into()))
    }

    fn set_attribute(&self, file: &MemFile, _: &str, _: &[u8]) -> io::Result<()> {
        self.file(file).and(Err(Errno::NOTSUP.into()))
    }

    fn default_acl(&self, dir: &MemDir) -> io::Result<Option<Vec<u8>>> {
        self.dir(*dir).map(|_| None)
    }

    fn remove_default_acl(&self, dir: &MemDir) -> io::Result<()> {
        self.dir(*dir).map(|_| ())
    }

    fn make_dir(&self, at: &MemDir, name: &str, mode: u32) -> io::Result<()> {
        let dir = self.dir(*at)?;
        let mut state = self.0.borrow_mut();
        if state.lookup(dir, name).is_ok() {
            return Err(Errno::EXIST.into());
        }
        let id = state.add(Body::Dir { mode: mode & !UMASK });
        state.change(&[((dir, name), Some(id))])
    }

    fn rename(&self, from: &MemDir, name: &str, to: &MemDir, new: &str) -> io::Result<()> {
        self.moved(*from, name, *to, new, There::Replace)
    }

    fn rename_new(&self, from: &MemDir, name: &str, to: &MemDir, new: &str) -> io::Result<()> {
        self.moved(*from, name, *to, new, There::Refuse)
    }

    fn exchange(&self, from: &MemDir, name: &str, to: &MemDir, new: &str) -> io::Result<()> {
        self.moved(*from, name, *to, new, There::Exchange)
    }

    fn link(&self, from: &MemDir, name: &str, to: &MemDir, new: &str) -> io::Result<()> {
        let (from, to) = (self.dir(*from)?, self.dir(*to)?);
        let mut state = self.0.borrow_mut();
        let id = state.lookup(from, name)?;
        if state.lookup(to, new).is_ok() {
            return Err(Errno::EXIST.into());
        }
        state.change(&[((to, new), Some(id))])
    }

    fn remove_file(&self, at: &MemDir, name: &str) -> io::Result<()> {
        let dir = self.dir(*at)?;
        let mut state = self.0.borrow_mut();
        let id = state.lookup(dir, name)?;
        if state.is_dir(id) {
            return Err(Errno::ISDIR.into());
        }
        state.change(&[((dir, name), None)])
    }

    fn remove_dir(&self, at: &MemDir, name: &str) -> io::Result<()> {
        let dir = self.dir(*at)?;
        let mut state = self.0.borrow_mut();
        let id = state.lookup(dir, name)?;
        if !state.is_dir(id) {
            return Err(Errno::NOTDIR.into());
        }
        if !state.is_empty(id) {
            return Err(Errno::NOTEMPTY.into());
        }
        state.change(&[((dir, name), None)])
    }

    fn sync_file(&self, file: &MemFile) -> io::Result<()> {
        let id = self.file(file)?;
        let mut state = self.0.borrow_mut();
        let now = state.bodies[&id].clone();
        state.disk_bodies.insert(id, now);
        Ok(())
    }

    fn sync_dir(&self, dir: &MemDir) -> io::Result<()> {
        let id = self.dir(*dir)?;
        self.0.borrow_mut().flush(|change| change.0.iter().any(|((dir, _), _)| *dir == id));
        Ok(())
    }

    fn sync_all(&self, dir: &MemDir) -> io::Result<()> {
        self.dir(*dir)?;
        self.sync();
        Ok(())
    }

    fn lock(&self, dir: &MemDir) -> io::Result<()> {
        self.dir(*dir)?;
        if std::mem::replace(&mut self.0.borrow_mut().locked, true) {
            return Err(Errno::WOULDBLOCK.into());
        }
        Ok(())
    }

    fn unlock(&self, _: &MemDir) -> io::Result<()> {
        self.0.borrow_mut().locked = false;
        Ok(())
    }

    fn user(&self) -> u32 {
        USER
    }
}
