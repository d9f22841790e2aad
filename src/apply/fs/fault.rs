//! [`FaultFs`]: a system that counts its calls and fails, lies or is disturbed at one of them.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use rustix::io::Errno;

use super::{Fs, Purpose, Stat};

/// What happens at which call, from 0.
pub(crate) enum Plan {
    /// Nothing.
    Never,
    /// This call fails.
    Once(usize, Errno),
    /// The first call of this name on this path fails.
    OnceNamed(&'static str, &'static str, Errno),
    /// This call and all after it fail, as if the process had been killed.
    From(usize, Errno),
    /// This call is done, and fails nevertheless.
    Done(usize, Errno),
    /// Every call is interrupted once before it is done.
    Interrupt,
    /// Every write writes one byte.
    Short,
    /// Before this call something else happens.
    Before(usize, Box<dyn Fn()>),
    /// Before every call something else happens.
    BeforeEach(Box<dyn Fn()>),
    /// Before the first call of this name on this path something else happens.
    BeforeNamed(&'static str, &'static str, Box<dyn Fn()>),
}

/// What a system lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// Nothing.
    Nothing,
    /// Exchanging and renaming to a free name.
    RenameFlags,
    /// These, and second names.
    Links,
    /// Syncing a whole file system.
    SyncAll,
}

/// What is known of the calls, and what happens to them.
pub(crate) struct Control {
    pub(crate) plan: RefCell<Plan>,
    pub(crate) lack: Cell<Lack>,
    /// The names of the calls so far, each with the name it was about.
    pub(crate) calls: RefCell<Vec<String>>,
    interrupted: Cell<bool>,
    fired: Cell<bool>,
}

impl Control {
    pub(crate) fn new(plan: Plan) -> Rc<Self> {
        Rc::new(Self {
            plan: RefCell::new(plan),
            lack: Cell::new(Lack::Nothing),
            calls: RefCell::default(),
            interrupted: Cell::new(false),
            fired: Cell::new(false),
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.calls.borrow().len()
    }

    /// How many calls have this name.
    pub(crate) fn count_of(&self, name: &str) -> usize {
        self.calls.borrow().iter().filter(|call| call.split(' ').next() == Some(name)).count()
    }

    /// Whether the plan has had its effect.
    pub(crate) fn fired(&self) -> bool {
        self.fired.get()
    }

    fn next(&self, name: &'static str, about: &str) -> Outcome {
        let number = self.count();
        let outcome = match &*self.plan.borrow() {
            Plan::Once(at, errno) if *at == number => Outcome::Fail(*errno),
            Plan::OnceNamed(call, path, errno) if *call == name && *path == about && !self.fired() => {
                Outcome::Fail(*errno)
            }
            Plan::From(at, errno) if *at <= number => Outcome::Fail(*errno),
            Plan::Done(at, errno) if *at == number => Outcome::DoneFail(*errno),
            Plan::Interrupt if !self.interrupted.replace(!self.interrupted.get()) => {
                Outcome::Fail(Errno::INTR)
            }
            Plan::Before(at, act) if *at == number => {
                act();
                self.fired.set(true);
                Outcome::Call
            }
            Plan::BeforeEach(act) => {
                act();
                Outcome::Call
            }
            Plan::BeforeNamed(call, path, act) if *call == name && *path == about && !self.fired() => {
                self.fired.set(true);
                act();
                Outcome::Call
            }
            _ => Outcome::Call,
        };
        if matches!(outcome, Outcome::Fail(_) | Outcome::DoneFail(_)) {
            self.fired.set(true);
        }
        self.calls.borrow_mut().push(format!("{name} {about}"));
        outcome
    }
}

enum Outcome {
    Call,
    Fail(Errno),
    DoneFail(Errno),
}

/// A system in which something goes wrong.
pub(crate) struct FaultFs<F> {
    inner: F,
    control: Rc<Control>,
}

impl<F: Fs> FaultFs<F> {
    pub(crate) fn new(inner: F, control: Rc<Control>) -> Self {
        Self { inner, control }
    }

    fn step<T>(
        &self,
        name: &'static str,
        about: &str,
        call: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        match self.control.next(name, about) {
            Outcome::Call => call(),
            Outcome::Fail(errno) => Err(errno.into()),
            Outcome::DoneFail(errno) => call().and(Err(errno.into())),
        }
    }

    fn lacks(&self, what: &[Lack]) -> io::Result<()> {
        if what.contains(&self.control.lack.get()) {
            Err(io::Error::from(io::ErrorKind::Unsupported))
        } else {
            Ok(())
        }
    }
}

impl<F: Fs> Fs for FaultFs<F> {
    type Dir = F::Dir;
    type File = F::File;

    fn open_dir(&self, at: &F::Dir, path: &str, purpose: Purpose) -> io::Result<F::Dir> {
        self.step("open_dir", path, || self.inner.open_dir(at, path, purpose))
    }
    fn open_above(&self, at: &F::Dir) -> io::Result<F::Dir> {
        self.step("open_above", "", || self.inner.open_above(at))
    }
    fn open_file(&self, at: &F::Dir, name: &str) -> io::Result<F::File> {
        self.step("open_file", name, || self.inner.open_file(at, name))
    }
    fn stat(&self, at: &F::Dir, name: &str) -> io::Result<Stat> {
        self.step("stat", name, || self.inner.stat(at, name))
    }
    fn stat_dir(&self, dir: &F::Dir) -> io::Result<Stat> {
        self.step("stat_dir", "", || self.inner.stat_dir(dir))
    }
    fn stat_file(&self, file: &F::File) -> io::Result<Stat> {
        self.step("stat_file", "", || self.inner.stat_file(file))
    }
    fn stat_root(&self) -> io::Result<Stat> {
        self.step("stat_root", "", || self.inner.stat_root())
    }
    fn read_link(&self, at: &F::Dir, name: &str) -> io::Result<Vec<u8>> {
        self.step("read_link", name, || self.inner.read_link(at, name))
    }
    fn names(&self, dir: &F::Dir) -> io::Result<Vec<String>> {
        self.step("names", "", || self.inner.names(dir))
    }
    fn read(&self, file: &mut F::File, into: &mut Vec<u8>) -> io::Result<usize> {
        self.step("read", "", || self.inner.read(file, into))
    }
    fn create(&self, at: &F::Dir, name: &str, mode: u32) -> io::Result<F::File> {
        self.step("create", name, || self.inner.create(at, name, mode))
    }
    fn write(&self, file: &mut F::File, bytes: &[u8]) -> io::Result<usize> {
        let short = matches!(*self.control.plan.borrow(), Plan::Short);
        let bytes = bytes.get(..1).filter(|_| short).unwrap_or(bytes);
        self.step("write", "", || self.inner.write(file, bytes))
    }
    fn set_owner(&self, file: &F::File, user: Option<u32>, group: Option<u32>) -> io::Result<()> {
        self.step("set_owner", "", || self.inner.set_owner(file, user, group))
    }
    fn set_mode(&self, file: &F::File, mode: u32) -> io::Result<()> {
        self.step("set_mode", "", || self.inner.set_mode(file, mode))
    }
    fn attributes(&self, file: &F::File) -> io::Result<Vec<String>> {
        self.step("attributes", "", || self.inner.attributes(file))
    }
    fn attribute(&self, file: &F::File, name: &str) -> io::Result<Vec<u8>> {
        self.step("attribute", name, || self.inner.attribute(file, name))
    }
    fn set_attribute(&self, file: &F::File, name: &str, value: &[u8]) -> io::Result<()> {
        self.step("set_attribute", name, || self.inner.set_attribute(file, name, value))
    }
    fn default_acl(&self, dir: &F::Dir) -> io::Result<Option<Vec<u8>>> {
        self.step("default_acl", "", || self.inner.default_acl(dir))
    }
    fn remove_default_acl(&self, dir: &F::Dir) -> io::Result<()> {
        self.step("remove_default_acl", "", || self.inner.remove_default_acl(dir))
    }
    fn make_dir(&self, at: &F::Dir, name: &str, mode: u32) -> io::Result<()> {
        self.step("make_dir", name, || self.inner.make_dir(at, name, mode))
    }
    fn rename(&self, from: &F::Dir, name: &str, to: &F::Dir, new: &str) -> io::Result<()> {
        self.step("rename", new, || self.inner.rename(from, name, to, new))
    }
    fn rename_new(&self, from: &F::Dir, name: &str, to: &F::Dir, new: &str) -> io::Result<()> {
        self.step("rename_new", new, || {
            self.lacks(&[Lack::RenameFlags, Lack::Links])?;
            self.inner.rename_new(from, name, to, new)
        })
    }
    fn exchange(&self, from: &F::Dir, name: &str, to: &F::Dir, new: &str) -> io::Result<()> {
        self.step("exchange", new, || {
            self.lacks(&[Lack::RenameFlags, Lack::Links])?;
            self.inner.exchange(from, name, to, new)
        })
    }
    fn link(&self, from: &F::Dir, name: &str, to: &F::Dir, new: &str) -> io::Result<()> {
        self.step("link", new, || {
            self.lacks(&[Lack::Links])?;
            self.inner.link(from, name, to, new)
        })
    }
    fn remove_file(&self, at: &F::Dir, name: &str) -> io::Result<()> {
        self.step("remove_file", name, || self.inner.remove_file(at, name))
    }
    fn remove_dir(&self, at: &F::Dir, name: &str) -> io::Result<()> {
        self.step("remove_dir", name, || self.inner.remove_dir(at, name))
    }
    fn sync_file(&self, file: &F::File) -> io::Result<()> {
        self.step("sync_file", "", || self.inner.sync_file(file))
    }
    fn sync_dir(&self, dir: &F::Dir) -> io::Result<()> {
        self.step("sync_dir", "", || self.inner.sync_dir(dir))
    }
    fn sync_all(&self, dir: &F::Dir) -> io::Result<()> {
        self.step("sync_all", "", || {
            self.lacks(&[Lack::SyncAll])?;
            self.inner.sync_all(dir)
        })
    }
    fn lock(&self, dir: &F::Dir) -> io::Result<()> {
        self.step("lock", "", || self.inner.lock(dir))
    }
    fn unlock(&self, dir: &F::Dir) -> io::Result<()> {
        self.step("unlock", "", || self.inner.unlock(dir))
    }
    fn user(&self) -> u32 {
        self.inner.user()
    }
}
