//! What a patch does, and to which files: that depends on what its headers say and on which of its files exist.

use super::change::{Patch, PatchName};
use crate::ast::{FileOperation, LineKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::rel_path::RelPath;

/// What a patch does to which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PatchOperation {
    /// Changes the lines of a file, or only its mode.
    Modify {
        /// The file.
        path: RelPath,
    },
    /// Makes a file.
    Create {
        /// The file, which does not exist.
        path: RelPath,
    },
    /// Removes a file; its hunks must account for all of it.
    Delete {
        /// The file.
        path: RelPath,
    },
    /// Gives a file another name, and perhaps other lines.
    Rename {
        /// The file.
        from: RelPath,
        /// Its new name, which is free.
        to: RelPath,
    },
    /// Makes a file that begins as another one.
    Copy {
        /// The other one.
        from: RelPath,
        /// The file, which does not exist.
        to: RelPath,
    },
}

/// What `patch` does where `exists` says which files there are.
///
/// `exists` is asked of the files as the changes before have left them; where those of one diff must not count (the
/// target of a `diff --git` section that a later section renames away, the source that an earlier one has changed),
/// it is for the caller to answer so.
///
/// # Errors
///
/// A diagnostic: the patch has a fault of its own, a path is refused, a file to change is missing, a file to create
/// exists.
pub(crate) fn patch_operation(
    patch: &Patch<'_>,
    exists: impl Fn(&RelPath) -> bool,
) -> Result<PatchOperation, Box<Diagnostic>> {
    if let Some(code) = patch.fault {
        return Err(Box::new(Diagnostic::new(code, "the patch cannot be read")));
    }
    let names = Names { old: checked(patch.old.name())?, new: checked(patch.new.name())?, exists };
    match patch.declared {
        FileOperation::Create => names.create(),
        FileOperation::Delete => names.delete(),
        FileOperation::Rename => names.rename(),
        FileOperation::Copy => names.copy(),
        FileOperation::Modify | FileOperation::Mode => names.modify(fills_an_empty_file(patch)),
    }
}

/// A name and the path that it is.
type Named<'p> = (&'p PatchName<'p>, RelPath);

type Decision = Result<PatchOperation, Box<Diagnostic>>;

fn checked<'p>(name: Option<&'p PatchName<'p>>) -> Result<Option<Named<'p>>, Box<Diagnostic>> {
    let Some(name) = name else {
        return Ok(None);
    };
    match RelPath::new(&name.path) {
        Ok(path) => Ok(Some((name, path))),
        Err(error) => {
            let fault = Diagnostic::new(Code::UnsafePath, error.to_string());
            Err(Box::new(Diagnostic { span: name.span, path: Some(name.path.as_ref().to_owned()), ..fault }))
        }
    }
}

/// Whether the first hunk is one of an empty old file: `-0,0` and no old line.
fn fills_an_empty_file(patch: &Patch<'_>) -> bool {
    patch.hunks.first().is_some_and(|hunk| {
        hunk.old_start == Some(0) && hunk.lines.iter().all(|line| line.kind == LineKind::Added)
    })
}

struct Names<'p, E> {
    old: Option<Named<'p>>,
    new: Option<Named<'p>>,
    exists: E,
}

impl<E: Fn(&RelPath) -> bool> Names<'_, E> {
    fn create(&self) -> Decision {
        let target = self.new.as_ref().or(self.old.as_ref()).ok_or_else(nameless)?;
        self.is_free(target)?;
        Ok(PatchOperation::Create { path: target.1.clone() })
    }

    fn delete(&self) -> Decision {
        let target = self.old.as_ref().or(self.new.as_ref()).ok_or_else(nameless)?;
        self.is_there(target)?;
        Ok(PatchOperation::Delete { path: target.1.clone() })
    }

    fn rename(&self) -> Decision {
        let (from, to) = self.source_and_target()?;
        Ok(if from == to { PatchOperation::Modify { path: to } } else { PatchOperation::Rename { from, to } })
    }

    fn copy(&self) -> Decision {
        let (from, to) = self.source_and_target()?;
        Ok(PatchOperation::Copy { from, to })
    }

    /// The old file, which must exist, and the new one, which must not unless it is the same.
    fn source_and_target(&self) -> Result<(RelPath, RelPath), Box<Diagnostic>> {
        let (old, new) = self.old.as_ref().zip(self.new.as_ref()).ok_or_else(nameless)?;
        self.is_there(old)?;
        if old.1 != new.1 {
            self.is_free(new)?;
        }
        Ok((old.1.clone(), new.1.clone()))
    }

    /// A patch whose headers do not say what it does. `fills`: its hunks are those of an empty or new file.
    fn modify(&self, fills: bool) -> Decision {
        let new = self.new.as_ref().or(self.old.as_ref()).ok_or_else(nameless)?;
        let old = self.old.as_ref().unwrap_or(new);
        if old.1 != new.1 && (self.exists)(&old.1) {
            self.is_free(new)?;
            return Ok(PatchOperation::Rename { from: old.1.clone(), to: new.1.clone() });
        }
        match self.is_there(new) {
            Ok(()) => Ok(PatchOperation::Modify { path: new.1.clone() }),
            Err(_) if fills => Ok(PatchOperation::Create { path: new.1.clone() }),
            Err(fault) => Err(fault),
        }
    }

    fn is_there(&self, (name, path): &Named<'_>) -> Result<(), Box<Diagnostic>> {
        match (self.exists)(path) {
            true => Ok(()),
            false => Err(at_line(name, path, Code::FileNotFound, "the file to change does not exist")),
        }
    }

    fn is_free(&self, (name, path): &Named<'_>) -> Result<(), Box<Diagnostic>> {
        match (self.exists)(path) {
            true => Err(at_line(name, path, Code::CreateExists, "the file to create exists already")),
            false => Ok(()),
        }
    }
}

fn nameless() -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::MissingPath, "the patch names no file"))
}

fn at_line(name: &PatchName<'_>, path: &RelPath, code: Code, message: &str) -> Box<Diagnostic> {
    let fault = Diagnostic::new(code, message).with_path(path.as_str());
    Box::new(Diagnostic { span: name.line, ..fault })
}
