//! A plan as an edit of the workspace, so that the editor applies it and can take it back.
//!
//! Edits replace whole lines, so that it does not matter whether the editor sees the CR of a line ending as text.

use serde::Serialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::client::Client;
use super::encoding::{Encoding, Position, Range};
use super::line_edits::line_edits;
use super::protocol::{TextEdit, VersionedId};
use super::workspace::Overlay;
use crate::apply::plan::{Plan, PlannedFile};
use crate::rel_path::RelPath;
use crate::source::{LineIndex, offset};

/// Why an editor cannot apply a plan.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum Obstacle {
    #[error("the editor cannot apply edits that a server sends")]
    NoEdits,
    #[error("the editor cannot {0} files for a server")]
    NoOperation(&'static str),
    #[error("{0} is not UTF-8, so that the editor may see another text")]
    NotUtf8(RelPath),
    #[error("{0} gets a CR that ends no line, which editors take for a line ending")]
    LoneCr(RelPath),
    #[error("{0} has CRLF line endings and is not open, and the editor does not say that it keeps them")]
    Crlf(RelPath),
    #[error("a byte order mark at the start of {0} would come or go, which no editor does for a server")]
    Mark(RelPath),
    #[error("the permissions of {0} are to change, which no editor does for a server")]
    Mode(RelPath),
}

/// One step of an edit of the workspace.
#[derive(Serialize)]
#[serde(untagged)]
enum Step<'a> {
    #[serde(rename_all = "camelCase")]
    Text {
        text_document: VersionedId<'a>,
        edits: Vec<TextEdit>,
    },
    Operation(Value),
}

/// The steps that do what a plan says, as the client takes them; `None` where they do nothing.
pub(super) fn workspace_edit(
    plan: &Plan,
    files: &Overlay<'_>,
    client: &Client,
) -> Result<Option<Value>, Obstacle> {
    if !client.applies {
        return Err(Obstacle::NoEdits);
    }
    let mut writer =
        Writer { plan, files, client, deletes: Vec::new(), renames: Vec::new(), writes: Vec::new() };
    for file in plan.files() {
        writer.file(file)?;
    }
    writer.finish()
}

struct Writer<'a> {
    plan: &'a Plan,
    files: &'a Overlay<'a>,
    client: &'a Client,
    deletes: Vec<Value>,
    renames: Vec<Value>,
    /// Creations, each before the text of its file, and texts.
    writes: Vec<Write>,
}

struct Write {
    uri: String,
    version: Option<i64>,
    create: bool,
    edits: Vec<TextEdit>,
}

impl<'a> Writer<'a> {
    fn file(&mut self, file: &PlannedFile) -> Result<(), Obstacle> {
        let had = file.old.as_ref().and_then(|old| old.stamp).map(|stamp| stamp.is_executable());
        if file.new.is_some() && file.executable.is_some_and(|executable| executable != had.unwrap_or(false))
        {
            return Err(Obstacle::Mode(file.path.clone()));
        }
        match (&file.old, &file.new) {
            (None, None) => Ok(()),
            (Some(old), Some(new)) if old.bytes == **new => Ok(()),
            (Some(old), Some(new)) => self.rewrite(file, &old.bytes, new),
            (Some(_), None) if self.is_moved(file) => Ok(()),
            (Some(_), None) => {
                self.need(self.client.deletes, "delete")?;
                let uri = self.files.uri(&file.path, &file.target);
                self.deletes.push(json!({"kind": "delete", "uri": uri}));
                Ok(())
            }
            (None, Some(new)) => match self.origin(file) {
                Some(origin) => self.rename(file, origin, new),
                None => self.create(file, new),
            },
        }
    }

    fn need(&self, can: bool, what: &'static str) -> Result<(), Obstacle> {
        if can && self.client.versioned { Ok(()) } else { Err(Obstacle::NoOperation(what)) }
    }

    fn need_crlf(&self, file: &PlannedFile, old: &[u8]) -> Result<(), Obstacle> {
        let has_crlf = memchr::memmem::find(old, b"\r\n").is_some();
        if has_crlf && !self.client.keeps_crlf { Err(Obstacle::Crlf(file.path.clone())) } else { Ok(()) }
    }

    fn need_mark(file: &PlannedFile, old: &[u8], new: &[u8]) -> Result<(), Obstacle> {
        let has_mark = |bytes: &[u8]| bytes.starts_with("\u{feff}".as_bytes());
        if has_mark(old) == has_mark(new) { Ok(()) } else { Err(Obstacle::Mark(file.path.clone())) }
    }

    /// The file that a new one comes from, when that is gone and the editor can rename.
    fn origin(&self, file: &PlannedFile) -> Option<&'a PlannedFile> {
        let (path, _) = file.origin.as_ref()?;
        let is_origin =
            |other: &&PlannedFile| other.path == *path && other.renamed_to.as_ref() == Some(&file.path);
        let origin = self.plan.files().iter().find(is_origin)?;
        (self.client.renames && origin.new.is_none()).then_some(origin)
    }

    /// Whether a file that is gone goes with a step that renames it.
    fn is_moved(&self, file: &PlannedFile) -> bool {
        let Some(to) = &file.renamed_to else { return false };
        let target = self.plan.files().iter().find(|other| other.path == *to && other.old.is_none());
        target.and_then(|target| self.origin(target)).is_some_and(|origin| origin.target == file.target)
    }

    fn rewrite(&mut self, file: &PlannedFile, old: &[u8], new: &[u8]) -> Result<(), Obstacle> {
        Self::need_mark(file, old, new)?;
        let document = self.files.document(&file.path, &file.target);
        if document.is_none() {
            self.need_crlf(file, old)?;
        }
        let old = document.map_or(old, |document| document.text().as_bytes());
        let write = Write {
            uri: self.files.uri(&file.path, &file.target),
            version: document.and_then(|document| document.version),
            create: false,
            edits: text_edits(file, old, new, self.client.encoding)?,
        };
        self.writes.push(write);
        Ok(())
    }

    fn rename(&mut self, file: &PlannedFile, origin: &PlannedFile, new: &[u8]) -> Result<(), Obstacle> {
        self.need(self.client.renames, "rename")?;
        let uri = self.files.uri(&file.path, &file.target);
        let old_uri = self.files.uri(&origin.path, &origin.target);
        let document = self.files.document(&origin.path, &origin.target);
        let old = origin.old.as_ref().map_or(&[][..], |old| &old.bytes);
        Self::need_mark(file, old, new)?;
        if document.is_none() && old != new {
            self.need_crlf(file, old)?;
        }
        let old = document.map_or(old, |document| document.text().as_bytes());
        let edits = text_edits(file, old, new, self.client.encoding)?;
        self.renames.push(json!({"kind": "rename", "oldUri": old_uri, "newUri": uri}));
        if !edits.is_empty() {
            self.writes.push(Write { uri, version: None, create: false, edits });
        }
        Ok(())
    }

    fn create(&mut self, file: &PlannedFile, new: &[u8]) -> Result<(), Obstacle> {
        Self::need_mark(file, &[], new)?;
        // Where it is about to be, an empty document may be open.
        let document = self.files.document(&file.path, &file.target);
        if document.is_none() {
            self.need(self.client.creates, "create")?;
        }
        let old = document.map_or(&[][..], |document| document.text().as_bytes());
        let write = Write {
            uri: self.files.uri(&file.path, &file.target),
            version: document.and_then(|document| document.version),
            create: document.is_none(),
            edits: text_edits(file, old, new, self.client.encoding)?,
        };
        self.writes.push(write);
        Ok(())
    }

    fn finish(self) -> Result<Option<Value>, Obstacle> {
        if self.deletes.is_empty() && self.renames.is_empty() && self.writes.is_empty() {
            return Ok(None);
        }
        if !self.client.versioned {
            let mut changes = Map::new();
            for write in self.writes {
                changes.insert(write.uri, json!(write.edits));
            }
            return Ok(Some(json!({"changes": changes})));
        }
        // An editor stops at a step that fails. Those that make something come first, for then little is done yet.
        let creates = self.writes.iter().filter(|write| write.create);
        let creates = creates.map(|write| json!({"kind": "create", "uri": write.uri}));
        let operations = creates.chain(self.renames).chain(self.deletes);
        let mut steps: Vec<Step<'_>> = operations.map(Step::Operation).collect();
        for write in &self.writes {
            if !write.edits.is_empty() {
                let text_document = VersionedId { uri: &write.uri, version: write.version };
                steps.push(Step::Text { text_document, edits: write.edits.clone() });
            }
        }
        Ok(Some(json!({"documentChanges": steps})))
    }
}

/// The edits that make one content of another, as the editor sees the two: without byte order mark.
fn text_edits(
    file: &PlannedFile,
    old: &[u8],
    new: &[u8],
    encoding: Encoding,
) -> Result<Vec<TextEdit>, Obstacle> {
    let text = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).map_err(|_| Obstacle::NotUtf8(file.path.clone()))?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
    };
    let (old, new) = (text(old)?, text(new)?);
    if old.is_empty() && !new.is_empty() && !has_lone_cr(&new) {
        // Up to the next line, which counts as the end where there is none: Neovim has one empty line in an empty file,
        // and would keep it behind the new ones.
        let (start, end) = (Position { line: 0, character: 0 }, Position { line: 1, character: 0 });
        return Ok(vec![TextEdit { range: Range { start, end }, new_text: new }]);
    }
    let index = LineIndex::new(&old);
    let at = |at: usize| {
        let line = index.line(offset(at));
        let start = index.line_start(line).unwrap_or(0) as usize;
        let before = old.get(start..at).unwrap_or_default();
        Position { line: line - 1, character: offset(encoding.len(before)) }
    };
    let edit = |edit: super::line_edits::LineEdit| TextEdit {
        range: Range { start: at(edit.old.start), end: at(edit.old.end) },
        new_text: new.get(edit.new).unwrap_or_default().to_owned(),
    };
    let mut lines = line_edits(&old, &new);
    if let Some(last) = lines.last_mut().filter(|last| last.old.start == old.len()) {
        // Neovim 0.11 leaves an empty line behind lines that are put at the very end, but not behind ones that replace
        // the last line.
        let line = old.split_inclusive('\n').next_back().map_or(0, str::len);
        last.old.start -= line;
        last.new.start -= line;
    }
    let edits: Vec<TextEdit> = lines.into_iter().map(edit).collect();
    // Neovim and VS Code would make two lines of it.
    let faithful = edits.iter().all(|edit| !has_lone_cr(&edit.new_text));
    if faithful { Ok(edits) } else { Err(Obstacle::LoneCr(file.path.clone())) }
}

fn has_lone_cr(text: &str) -> bool {
    text.split('\r').skip(1).any(|rest| !rest.starts_with('\n'))
}
