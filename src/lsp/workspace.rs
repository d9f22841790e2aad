//! The files that the edits of a document concern: those on the disk, and over them the documents that are open.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::document::Document;
use super::encoding::{Encoding, Position};
use super::uri;
use crate::apply::files::{Files, LoadError, Loaded, LoadedFile};
use crate::diagnostic::Diagnostic;
use crate::edit::encoding::BOM;
use crate::rel_path::RelPath;
use crate::source;

/// What the server needs of the machine that it runs on.
pub trait Host {
    /// Opens a directory to read the files below it.
    ///
    /// # Errors
    ///
    /// A diagnostic that says why it cannot be read.
    fn open(&self, dir: &Path) -> Result<Box<dyn Tree>, Box<Diagnostic>>;
}

/// A directory that was opened.
pub trait Tree: Files {
    /// Its absolute path without links.
    fn path(&self) -> &Path;

    /// Why edits must not be applied there now, if there is a reason.
    fn obstacle(&self) -> Option<Diagnostic>;
}

/// The documents that are open in the editor.
#[derive(Debug, Default)]
pub(super) struct Documents {
    by_uri: BTreeMap<String, Document>,
    by_path: HashMap<PathBuf, String>,
}

impl Documents {
    pub(super) fn open(&mut self, document: Document) {
        if let Some(path) = &document.path {
            self.by_path.insert(path.clone(), document.uri.clone());
        }
        self.by_uri.insert(document.uri.clone(), document);
    }

    pub(super) fn close(&mut self, uri: &str) -> Option<Document> {
        let document = self.by_uri.remove(uri)?;
        if let Some(path) =
            document.path.as_ref().filter(|path| self.by_path.get(*path) == Some(&document.uri))
        {
            self.by_path.remove(path);
        }
        Some(document)
    }

    pub(super) fn get(&self, uri: &str) -> Option<&Document> {
        self.by_uri.get(uri)
    }

    pub(super) fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.by_uri.get_mut(uri)
    }

    pub(super) fn at(&self, path: &Path) -> Option<&Document> {
        self.by_uri.get(self.by_path.get(path)?)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Document> {
        self.by_uri.values()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Document> {
        self.by_uri.values_mut()
    }
}

/// The folder that a document's paths are relative to: the innermost folder of the workspace that it lies in. A document
/// outside all of them counts as one of the first folder, as for the command it is the current directory that counts and
/// not where the input lies. Without any folder it is the document's own directory.
pub(super) fn root_of(document: &Document, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = document.path.as_deref();
    let around = |folder: &&PathBuf| path.is_some_and(|path| path.starts_with(folder));
    let innermost = folders.iter().filter(around).max_by_key(|folder| folder.components().count());
    innermost.or(folders.first()).cloned().or_else(|| path?.parent().map(Path::to_owned))
}

/// The files below a folder, as the editor has them.
pub(super) struct Overlay<'a> {
    /// The folder as the client spells it.
    dir: PathBuf,
    tree: Box<dyn Tree>,
    documents: &'a Documents,
    /// Every path that was asked for, in every spelling.
    asked: RefCell<Vec<PathBuf>>,
    /// The files that begin with a byte order mark, which no editor counts as text.
    marked: RefCell<HashSet<RelPath>>,
}

impl<'a> Overlay<'a> {
    pub(super) fn new(dir: PathBuf, tree: Box<dyn Tree>, documents: &'a Documents) -> Self {
        Self { dir, tree, documents, asked: RefCell::default(), marked: RefCell::default() }
    }

    /// A place in a file that was loaded, as the editor counts.
    pub(super) fn position(&self, path: &RelPath, at: source::Position, encoding: Encoding) -> Position {
        let mut position = encoding.position(at);
        if position.line == 0 && self.marked.borrow().contains(path) {
            let mark = encoding.len("\u{feff}");
            position.character = position.character.saturating_sub(source::offset(mark));
        }
        position
    }

    pub(super) fn tree(&self) -> &dyn Tree {
        &*self.tree
    }

    /// The paths on which depends what was read.
    pub(super) fn into_asked(self) -> Vec<PathBuf> {
        let mut asked = self.asked.into_inner();
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    /// The open document of a path, under whichever name the editor has it.
    pub(super) fn document(&self, path: &RelPath, target: &RelPath) -> Option<&'a Document> {
        self.spellings(path, target).iter().find_map(|path| self.documents.at(path))
    }

    /// The URI of a file, as the editor spells it where it is open.
    pub(super) fn uri(&self, path: &RelPath, target: &RelPath) -> String {
        match self.document(path, target) {
            Some(document) => document.uri.clone(),
            None => uri::from_path(&self.dir.join(path.as_str())),
        }
    }

    fn spellings(&self, path: &RelPath, target: &RelPath) -> [PathBuf; 3] {
        let real = self.tree.path().join(target.as_str());
        [self.dir.join(path.as_str()), self.dir.join(target.as_str()), real]
    }
}

impl Files for Overlay<'_> {
    fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
        let loaded = self.tree.load(path, limit);
        let target = loaded.as_ref().map_or(path, |loaded| &loaded.target);
        let spellings = self.spellings(path, target);
        let document = spellings.iter().find_map(|path| self.documents.at(path));
        self.asked.borrow_mut().extend(spellings);
        let loaded = loaded?;
        let Some(document) = document else {
            if loaded.file.as_ref().is_some_and(|file| file.bytes.starts_with(BOM)) {
                self.marked.borrow_mut().insert(path.clone());
            }
            return Ok(loaded);
        };
        let text = document.text();
        // Some editors (Neovim) have one empty line where there is none.
        let is_empty = matches!(text, "" | "\n" | "\r\n");
        // What is empty and was never saved is where a file is about to be.
        if is_empty && loaded.file.as_ref().is_none_or(|file| file.bytes.is_empty()) {
            return Ok(loaded);
        }
        if text.len() as u64 > limit {
            return Err(LoadError::TooLarge { size: text.len() as u64, limit });
        }
        let stamp = loaded.file.and_then(|file| file.stamp);
        let file = LoadedFile { bytes: text.as_bytes().to_vec(), stamp };
        Ok(Loaded { target: loaded.target, file: Some(Arc::new(file)) })
    }

    fn listing(&self) -> Vec<RelPath> {
        self.tree.listing()
    }
}
