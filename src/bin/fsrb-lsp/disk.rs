//! The disk, as the server reads it. Nothing here writes, nor takes a lock.

use std::path::Path;

use code_parser::RelPath;
use code_parser::apply::files::{Files, LoadError, Loaded};
use code_parser::apply::fs::{Root, RootError};
use code_parser::diagnostic::{Code, Diagnostic};
use code_parser::lsp::{Host, Tree};

/// The disk.
#[derive(Debug)]
pub(crate) struct Disk;

impl Host for Disk {
    fn open(&self, dir: &Path) -> Result<Box<dyn Tree>, Box<Diagnostic>> {
        match Root::open(dir) {
            Ok(root) => Ok(Box::new(Opened(root))),
            Err(error) => Err(Box::new(fault(&error))),
        }
    }
}

fn fault(error: &RootError) -> Diagnostic {
    let code = match error {
        RootError::Missing { .. } => Code::FileNotFound,
        RootError::NotADirectory { .. } => Code::NotAFile,
        _ => Code::FileUnreadable,
    };
    Diagnostic::new(code, error.to_string())
}

struct Opened(Root);

impl Tree for Opened {
    fn path(&self) -> &Path {
        self.0.path()
    }

    fn obstacle(&self) -> Option<Diagnostic> {
        // `Root::pending` would tell more, and take the lock for it.
        std::fs::symlink_metadata(self.path().join(".fsrb-txn")).is_ok().then(|| {
            let message = "a commit is under way or was interrupted here; `fsrb --recover` settles it";
            Diagnostic::new(Code::InterruptedCommit, message)
        })
    }
}

impl Files for Opened {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        self.0.load(path, limit)
    }

    fn listing(&self) -> Vec<RelPath> {
        self.0.listing()
    }
}
