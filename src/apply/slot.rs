//! [`Slot`]: one file while changes are folded over it.

use std::borrow::Cow;
use std::sync::Arc;

use super::files::LoadedFile;
use super::report::FileStatus;
use crate::edit::file_text::FileText;
use crate::rel_path::RelPath;

/// One file while changes are folded over it. Spellings and links that lead to one file share a slot.
#[derive(Debug)]
pub(super) struct Slot {
    /// The path as the input first named it.
    pub(super) path: RelPath,
    /// Where it leads, links followed.
    pub(super) target: RelPath,
    /// The file before any change.
    pub(super) original: Option<Arc<LoadedFile>>,
    /// The file after the changes so far.
    pub(super) content: Content,
    /// Where the content came from, when another file's.
    pub(super) source: Option<Source>,
    /// The slot that this one's content was moved to, if it was.
    pub(super) renamed_to: Option<usize>,
    /// The executable bits, when a change set or cleared them.
    pub(super) executable: Option<bool>,
    /// The changes that concern it, by index, in order.
    pub(super) changes: Vec<usize>,
}

/// A file's state between two changes.
#[derive(Debug)]
pub(super) enum Content {
    /// There is no file.
    Absent,
    /// There is one.
    Present(Box<FileText>),
}

impl Content {
    /// A file with this text.
    pub(super) fn of(text: FileText) -> Self {
        Self::Present(Box::new(text))
    }
}

/// A file once all changes are folded.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    /// Its bytes; `None` where there is no file.
    pub(super) new: Option<Arc<Vec<u8>>>,
    /// What became of it.
    pub(super) status: FileStatus,
}

/// Which file a content came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The file of this slot, which is gone.
    Renamed(usize),
    /// The file of this slot, which is still there.
    Copied(usize),
}

impl Slot {
    pub(super) fn new(path: RelPath, target: RelPath, original: Option<Arc<LoadedFile>>) -> Self {
        let content = match &original {
            Some(file) => Content::of(FileText::new(Arc::clone(file))),
            None => Content::Absent,
        };
        Self {
            path,
            target,
            original,
            content,
            source: None,
            renamed_to: None,
            executable: None,
            changes: Vec::new(),
        }
    }

    /// The bytes of the file after the changes so far, if there is a file.
    pub(super) fn bytes(&self) -> Option<Cow<'_, [u8]>> {
        match &self.content {
            Content::Absent => None,
            Content::Present(text) => Some(text.contents()),
        }
    }

    /// Whether a change before this one concerned the file.
    pub(super) fn touched_before(&self, change: usize) -> bool {
        self.changes.first().is_some_and(|&first| first < change)
    }

    /// The file once all changes are folded.
    pub(super) fn settle(&mut self) -> Settled {
        let new = match std::mem::replace(&mut self.content, Content::Absent) {
            Content::Present(text) => Some(Arc::new(text.finish())),
            Content::Absent => None,
        };
        let status = match (&self.original, &new) {
            (None, None) => FileStatus::Unchanged,
            (Some(_), None) => FileStatus::Deleted,
            (_, Some(_)) if matches!(self.source, Some(Source::Renamed(_))) => FileStatus::Renamed,
            (None, Some(_)) => FileStatus::Created,
            (Some(old), Some(new)) if old.bytes == **new && self.keeps_mode(old) => FileStatus::Unchanged,
            (Some(_), Some(_)) => FileStatus::Modified,
        };
        Settled { new, status }
    }

    fn keeps_mode(&self, old: &LoadedFile) -> bool {
        let had = old.stamp.map(|stamp| stamp.is_executable());
        self.executable.is_none() || self.executable == had
    }
}
