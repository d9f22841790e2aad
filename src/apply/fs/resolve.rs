//! From a checked path to a directory handle and a name in it, never outside the root.
//!
//! The usual path has no link in it and costs one call for its directory. Where there are links they are followed by
//! hand, over a stack of held handles that `..` cannot leave at the bottom.

use std::collections::VecDeque;
use std::io;
use std::ops::Deref;

use super::tree::Tree;
use super::{Fs, Kind, Purpose, Stat, again, is_link_or_file};
use crate::apply::files::LoadError;
use crate::rel_path::RelPath;

/// How many links are followed for one path; as many as Linux does.
const LINKS: usize = 40;
/// How often a walk that another process disturbed is begun again.
const RETRIES: usize = 128;

/// A directory handle, held for this path or the root's own.
pub(crate) enum Handle<'a, D> {
    /// The root.
    Root(&'a D),
    /// A directory below it.
    Own(D),
}

impl<D> Deref for Handle<'_, D> {
    type Target = D;

    fn deref(&self) -> &D {
        match self {
            Self::Root(dir) => dir,
            Self::Own(dir) => dir,
        }
    }
}

/// Where a path leads.
pub(crate) enum Resolved<'a, D> {
    /// To a regular file.
    File {
        /// The directory it is in.
        dir: Handle<'a, D>,
        /// The path without links.
        target: RelPath,
    },
    /// To nothing yet.
    Missing {
        /// The last directory on the way that there is.
        dir: Handle<'a, D>,
        /// The path without links.
        target: RelPath,
    },
}

/// The last component, and what is before it (`""` for the root).
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Finds what a path leads to.
pub(crate) fn resolve<'a, F: Fs>(
    tree: &'a Tree<F>,
    path: &RelPath,
) -> Result<Resolved<'a, F::Dir>, LoadError> {
    for _ in 0..RETRIES {
        if let Some(resolved) = plain(tree, path)? {
            return Ok(resolved);
        }
        let mut walk = Walk::new(tree, path);
        match walk.run() {
            Ok(resolved) => return Ok(resolved),
            Err(Stop::Refused(error)) => return Err(error),
            Err(Stop::Disturbed) => {}
        }
    }
    Err(unsafe_path("it changes while it is looked at"))
}

/// The common case: no component is a link, and there is a directory to look in. `None` where that is not so, or seems
/// not to be.
fn plain<'a, F: Fs>(tree: &'a Tree<F>, path: &RelPath) -> Result<Option<Resolved<'a, F::Dir>>, LoadError> {
    let (parent, name) = split(path.as_str());
    let dir = if parent.is_empty() {
        Handle::Root(&tree.base)
    } else {
        match again(|| tree.fs.open_dir(&tree.base, parent, Purpose::Search)) {
            Ok(dir) => Handle::Own(dir),
            // The walk finds the last directory that there is.
            Err(error) if error.kind() == io::ErrorKind::NotFound || is_link_or_file(&error) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    };
    match again(|| tree.fs.stat(&dir, name)) {
        Ok(stat) if stat.kind == Kind::Link => Ok(None),
        Ok(stat) => {
            regular(stat)?;
            Ok(Some(Resolved::File { dir, target: path.clone() }))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Some(Resolved::Missing { dir, target: path.clone() }))
        }
        Err(error) => Err(error.into()),
    }
}

/// Refuses what is no regular file.
pub(crate) fn regular(stat: Stat) -> Result<(), LoadError> {
    match stat.kind {
        Kind::File => Ok(()),
        Kind::Dir => Err(LoadError::NotAFile("a directory")),
        Kind::Link => Err(LoadError::NotAFile("a link")),
        Kind::Other(what) => Err(LoadError::NotAFile(what)),
    }
}

fn unsafe_path(why: &str) -> LoadError {
    LoadError::Unsafe(why.to_owned())
}

/// Why a walk ends without a result.
enum Stop {
    /// The path may not be used.
    Refused(LoadError),
    /// Something changed between two calls.
    Disturbed,
}

impl From<LoadError> for Stop {
    fn from(error: LoadError) -> Self {
        Self::Refused(error)
    }
}

/// A component still to be walked.
struct Step {
    name: String,
    /// Whether it comes out of a link, so that it must exist.
    from_link: bool,
}

/// A walk over a path, component by component.
struct Walk<'a, F: Fs> {
    tree: &'a Tree<F>,
    /// The directories below the root that were entered, with their names.
    entered: Vec<(F::Dir, String)>,
    ahead: VecDeque<Step>,
    links: usize,
}

impl<'a, F: Fs> Walk<'a, F> {
    fn new(tree: &'a Tree<F>, path: &RelPath) -> Self {
        let ahead = path.components().map(|name| Step { name: name.to_owned(), from_link: false }).collect();
        Self { tree, entered: Vec::new(), ahead, links: 0 }
    }

    fn here(&self) -> &F::Dir {
        self.entered.last().map_or(&self.tree.base, |(dir, _)| dir)
    }

    fn run(&mut self) -> Result<Resolved<'a, F::Dir>, Stop> {
        while let Some(step) = self.ahead.pop_front() {
            match step.name.as_str() {
                "" | "." => continue,
                ".." => {
                    if self.entered.pop().is_none() {
                        return Err(unsafe_path("a link leads out of the root").into());
                    }
                    continue;
                }
                _ => {}
            }
            let stat = match again(|| self.tree.fs.stat(self.here(), &step.name)) {
                Ok(stat) => stat,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return self.missing(step),
                Err(error) if is_link_or_file(&error) => return Err(Stop::Disturbed),
                Err(error) => return Err(LoadError::from(error).into()),
            };
            match stat.kind {
                Kind::Link => self.follow(&step.name)?,
                Kind::Dir => self.enter(step.name)?,
                // A separator or a `.` behind a file in a link's body asks for a directory, too.
                _ if !self.ahead.is_empty() => {
                    let file = self.target(std::iter::once(step.name))?;
                    return Err(LoadError::BelowAFile { file }.into());
                }
                _ => {
                    regular(stat)?;
                    return self.found(&step.name);
                }
            }
        }
        Err(LoadError::NotAFile("a directory").into())
    }

    fn enter(&mut self, name: String) -> Result<(), Stop> {
        match again(|| self.tree.fs.open_dir(self.here(), &name, Purpose::Search)) {
            Ok(dir) => {
                self.entered.push((dir, name));
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound || is_link_or_file(&error) => {
                Err(Stop::Disturbed)
            }
            Err(error) => Err(LoadError::from(error).into()),
        }
    }

    /// Puts the body of a link in front of what is still to be walked.
    fn follow(&mut self, name: &str) -> Result<(), Stop> {
        self.links += 1;
        if self.links > LINKS {
            return Err(unsafe_path("its links lead in a circle").into());
        }
        let body = match again(|| self.tree.fs.read_link(self.here(), name)) {
            Ok(body) => body,
            // It was a link just now.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidInput) => {
                return Err(Stop::Disturbed);
            }
            Err(error) => return Err(LoadError::from(error).into()),
        };
        let Ok(body) = String::from_utf8(body) else {
            return Err(unsafe_path("a link leads to a name that is not UTF-8").into());
        };
        let body = if body.starts_with('/') {
            self.entered.clear();
            self.tree.below(&body).ok_or_else(|| unsafe_path("a link leads out of the root"))?
        } else {
            &body
        };
        for name in body.rsplit('/') {
            self.ahead.push_front(Step { name: name.to_owned(), from_link: true });
        }
        Ok(())
    }

    /// The path without links, which must pass the rules for paths as the input's own did.
    fn target(&self, rest: impl Iterator<Item = String>) -> Result<RelPath, LoadError> {
        let names: Vec<String> = self.entered.iter().map(|(_, name)| name.clone()).chain(rest).collect();
        let joined = names.join("/");
        match RelPath::new(&joined) {
            // The check must not have read the name of a real file (which may hold a `\`) as something else.
            Ok(path) if path.as_str() == joined => Ok(path),
            _ => Err(unsafe_path("a link leads to a place where nothing may be written")),
        }
    }

    fn found(&mut self, name: &str) -> Result<Resolved<'a, F::Dir>, Stop> {
        let target = self.target(std::iter::once(name.to_owned()))?;
        Ok(Resolved::File { dir: self.leave(), target })
    }

    /// The directory that the walk has come to.
    fn leave(&mut self) -> Handle<'a, F::Dir> {
        match self.entered.pop() {
            Some((dir, _)) => Handle::Own(dir),
            None => Handle::Root(&self.tree.base),
        }
    }

    fn missing(&mut self, step: Step) -> Result<Resolved<'a, F::Dir>, Stop> {
        if step.from_link {
            return Err(unsafe_path("a link leads to nothing").into());
        }
        let rest: Vec<String> = self.ahead.drain(..).map(|step| step.name).collect();
        let target = self.target(std::iter::once(step.name).chain(rest))?;
        Ok(Resolved::Missing { dir: self.leave(), target })
    }
}
