//! The directories that targets are in, each held open once.

use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use super::Abort;
use crate::apply::commit::Operation;
use crate::apply::fs::{Fs, Purpose, Tree, attempt, is_link_or_file};

/// How many handles are held; a process may have about a thousand. The directories beyond are opened again for each
/// use and known by their inode.
const HELD: usize = 200;

/// The directories that targets are in, by path relative to the root (`""` is the root).
pub(super) struct Parents<'t, F: Fs> {
    tree: &'t Tree<F>,
    known: HashMap<String, Parent<F::Dir>>,
    /// In the order in which they were first opened.
    order: Vec<String>,
}

struct Parent<D> {
    id: (u64, u64),
    handle: Option<Rc<D>>,
}

impl<'t, F: Fs> Parents<'t, F> {
    pub(super) fn new(tree: &'t Tree<F>) -> Self {
        Self { tree, known: HashMap::new(), order: Vec::new() }
    }

    /// The handle of a directory that must exist.
    pub(super) fn open(&mut self, path: &str) -> Result<Rc<F::Dir>, Abort> {
        self.try_open(path)?.ok_or_else(|| Abort::Changed(path.to_owned()))
    }

    /// The handle of a directory; `None` where there is none, or a part of the path is a link or a file.
    pub(super) fn try_open(&mut self, path: &str) -> Result<Option<Rc<F::Dir>>, Abort> {
        let known = self.known.get(path);
        if let Some(Parent { handle: Some(dir), .. }) = known {
            return Ok(Some(Rc::clone(dir)));
        }
        let before = known.map(|parent| parent.id);
        let fs = &self.tree.fs;
        let opened = attempt(Operation::OpenDirectory, shown(path), || {
            fs.open_dir(&self.tree.base, path, Purpose::Sync)
        });
        let dir = match opened {
            Ok(dir) => Rc::new(dir),
            Err(fault) if fault.is(io::ErrorKind::NotFound) || is_link_or_file(&fault.source) => {
                return Ok(None);
            }
            Err(fault) => return Err(fault.into()),
        };
        let stat = attempt(Operation::Examine, shown(path), || fs.stat_dir(&dir))?;
        if stat.device != self.tree.stat.device {
            return Err(Abort::OtherFileSystem(path.to_owned()));
        }
        match before {
            Some(id) if id != stat.id() => return Err(Abort::Changed(path.to_owned())),
            Some(_) => {}
            None => {
                let handle = (self.known.len() < HELD).then(|| Rc::clone(&dir));
                self.known.insert(path.to_owned(), Parent { id: stat.id(), handle });
                self.order.push(path.to_owned());
            }
        }
        Ok(Some(dir))
    }

    /// Looks whether every path still leads to the directory that was opened.
    pub(super) fn check(&self) -> Result<(), Abort> {
        let fs = &self.tree.fs;
        let root = attempt(Operation::Examine, ".", || fs.stat_root());
        if !root.is_ok_and(|stat| stat.id() == self.tree.stat.id()) {
            return Err(Abort::Changed(".".to_owned()));
        }
        for path in self.order.iter().filter(|path| !path.is_empty()) {
            let opened = attempt(Operation::OpenDirectory, path, || {
                fs.open_dir(&self.tree.base, path, Purpose::Search)
            });
            let dir = match opened {
                Ok(dir) => dir,
                Err(fault) if fault.is(io::ErrorKind::NotFound) || is_link_or_file(&fault.source) => {
                    return Err(Abort::Changed(path.clone()));
                }
                Err(fault) => return Err(fault.into()),
            };
            let stat = attempt(Operation::Examine, path, || fs.stat_dir(&dir))?;
            if self.known.get(path).is_none_or(|parent| parent.id != stat.id()) {
                return Err(Abort::Changed(path.clone()));
            }
        }
        Ok(())
    }

    /// The paths opened so far.
    pub(super) fn paths(&self) -> Vec<String> {
        self.order.clone()
    }
}

/// A directory's path as it is shown: `.` for the root.
pub(super) fn shown(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}
