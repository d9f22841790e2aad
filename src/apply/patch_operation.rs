//! What a patch does, and to which files: that depends on what its headers say and on which of its files exist.

use super::change::{Patch, PatchName};
use crate::ast::{FileOperation, LineKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::cases;
use crate::rel_path::{PathError, RelPath};

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
            let fault = match error {
                PathError::Reserved { .. } => fault.with_remedy(&cases::RESERVED_PATH),
                _ => fault,
            };
            Err(Box::new(Diagnostic { span: name.span, path: Some(name.path.as_ref().into()), ..fault }))
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
            true => {
                let fault = at_line(name, path, Code::CreateExists, "the file to create exists already");
                Err(Box::new(fault.with_remedy(&cases::DIFF_CREATE_EXISTS)))
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::change::PatchSide;
    use crate::grammar::lines::{Lines, lex};
    use crate::grammar::unified_diff::file_patch;
    use crate::source::Source;

    const HUNK: &str = "@@ -1 +1 @@\n-a\n+b\n";
    const NEW: &str = "@@ -0,0 +1 @@\n+b\n";

    /// The operation, or the code and the text that it is reported at.
    fn operation(diff: &str, files: &[&str]) -> String {
        let source = Source::new(diff).unwrap();
        let tokens = lex(diff);
        let (_, read) = file_patch(Lines::new(diff, &tokens)).unwrap();
        let patch = Patch::from_ast(&read.node, &source);
        match patch_operation(&patch, |path| files.contains(&path.as_str())) {
            Ok(PatchOperation::Modify { path }) => format!("modify {path}"),
            Ok(PatchOperation::Create { path }) => format!("create {path}"),
            Ok(PatchOperation::Delete { path }) => format!("delete {path}"),
            Ok(PatchOperation::Rename { from, to }) => format!("rename {from} {to}"),
            Ok(PatchOperation::Copy { from, to }) => format!("copy {from} {to}"),
            Err(fault) => format!("{}: {}", fault.code, fault.span.map_or("-", |span| source.slice(span))),
        }
    }

    #[test]
    fn a_plain_diff_goes_by_its_names_and_the_files_that_exist() {
        let table = [
            ("a/f", "b/f", HUNK, &["f"][..], "modify f"),
            ("./f", "f", HUNK, &["f"], "modify f"),
            ("a/f", "b/f", HUNK, &[], "file-not-found: +++ b/f"),
            ("a/g", "b/f", HUNK, &["g"], "rename g f"),
            ("a/g", "b/f", HUNK, &["f"], "modify f"),
            ("a/g", "b/f", HUNK, &["f", "g"], "create-exists: +++ b/f"),
            ("a/g", "b/f", HUNK, &[], "file-not-found: +++ b/f"),
            ("a/f", "b/f", NEW, &[], "create f"),
            ("a/f", "b/f", NEW, &["f"], "modify f"),
            ("/dev/null", "b/f", NEW, &[], "create f"),
            ("/dev/null", "b/f", NEW, &["f"], "create-exists: +++ b/f"),
            ("a/f", "/dev/null", "@@ -1 +0,0 @@\n-a\n", &["f"], "delete f"),
            ("a/f", "/dev/null", "@@ -1 +0,0 @@\n-a\n", &[], "file-not-found: --- a/f"),
            ("a/f\t1970-01-01 01:00:00 +0100", "b/f\t2024-01-01 00:00:00 +0100", NEW, &[], "create f"),
            ("a/f\t2024-01-01 00:00:00 +0100", "b/f\t1970-01-01 01:00:00 +0100", HUNK, &["f"], "modify f"),
            ("/dev/null", "b/../f", NEW, &[], "unsafe-path: b/../f"),
            ("a/.git/x", "b/.git/x", HUNK, &[".git/x"], "unsafe-path: a/.git/x"),
        ];
        for (old, new, hunks, files, want) in table {
            let got = operation(&format!("--- {old}\n+++ {new}\n{hunks}"), files);
            assert_eq!(got, want, "{old} {new} {files:?}");
        }
    }

    #[test]
    fn a_git_diff_says_what_it_does() {
        let table = [
            ("new file mode 100644\nindex 0000000..e69de29\n", &[][..], "path-conflict: -"),
            ("rename from f\nrename to g\n", &["f"], "rename f g"),
            ("rename from f\nrename to g\n", &["f", "g"], "create-exists: rename to g"),
            ("rename from f\nrename to g\n", &[], "file-not-found: rename from f"),
            ("copy from f\ncopy to g\n", &["f"], "copy f g"),
            ("old mode 100644\nnew mode 100755\n", &["f"], "rename f g"),
        ];
        for (headers, files, want) in table {
            let diff = format!("diff --git a/f b/g\n{headers}");
            assert_eq!(operation(&diff, files), want, "{headers} {files:?}");
        }
        let table = [
            ("new file mode 100644\nindex 0000000..e69de29\n", &[][..], "create g"),
            ("new file mode 100644\nindex 0000000..e69de29\n", &["g"], "create-exists: diff --git a/g b/g"),
            ("deleted file mode 100644\n", &["g"], "delete g"),
            ("new file mode 120000\nindex 0000000..e69de29\n", &[], "unsupported-mode: -"),
        ];
        for (headers, files, want) in table {
            let diff = format!("diff --git a/g b/g\n{headers}");
            assert_eq!(operation(&diff, files), want, "{headers} {files:?}");
        }
    }

    #[test]
    fn a_patch_needs_a_name() {
        let patch = Patch { old: PatchSide::NoFile, ..Patch::default() };
        assert_eq!(patch_operation(&patch, |_| true).unwrap_err().code, Code::MissingPath);
    }
}
