//! [`Slot`]: one file while changes are folded over it.

use std::borrow::Cow;
use std::sync::Arc;

use super::files::LoadedFile;
use super::report::FileStatus;
use crate::edit::bytes::Bytes;
use crate::edit::file_text::FileText;
use crate::edit::hunk::Patched;
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
    Present(Box<Present>),
}

impl Content {
    /// A file with this text.
    pub(super) fn of(text: FileText) -> Self {
        Self::Present(Box::new(Present { text: Some(text), lines: None }))
    }

    /// A file after a patch.
    pub(super) fn patched(lines: Patched) -> Self {
        Self::Present(Box::new(Present { text: None, lines: Some(lines) }))
    }
}

/// A file in the form that the last change needed. The other form is made when a change or an explanation asks for it,
/// and both are kept until the next change.
#[derive(Debug)]
pub(super) struct Present {
    text: Option<FileText>,
    lines: Option<Patched>,
}

/// Whether a form was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    Before,
    Now,
}

impl Present {
    /// The file as text to look at, and whether it was made now.
    pub(super) fn text(&mut self) -> (&mut FileText, Made) {
        let made = if self.text.is_some() { Made::Before } else { Made::Now };
        let lines = &self.lines;
        let make = || lines.as_ref().map_or_else(FileText::empty, |lines| FileText::new(lines.share()));
        (self.text.get_or_insert_with(make), made)
    }

    /// Whether a change was made.
    pub(super) fn is_edited(&self) -> bool {
        match (&self.text, &self.lines) {
            (Some(text), _) => text.is_edited(),
            (None, Some(lines)) => lines.is_edited(),
            (None, None) => true,
        }
    }

    /// Changes the file as text.
    pub(super) fn change<T>(&mut self, edit: impl FnOnce(&mut FileText) -> T) -> T {
        let done = edit(self.text().0);
        self.text_changed();
        done
    }

    /// Takes note that the text has become another.
    pub(super) fn text_changed(&mut self) {
        self.lines = None;
    }

    /// The file as lines that hunks belong to.
    pub(super) fn lines(&mut self) -> &Patched {
        let text = &self.text;
        let make = || text.as_ref().map_or_else(|| Vec::new().into(), FileText::share);
        self.lines.get_or_insert_with(|| Patched::from(make()))
    }

    /// Its bytes.
    fn bytes(&self) -> Cow<'_, [u8]> {
        match (&self.text, &self.lines) {
            (_, Some(lines)) => Cow::Borrowed(lines.bytes()),
            (Some(text), None) => text.contents(),
            (None, None) => Cow::Borrowed(&[]),
        }
    }

    /// The same, once all changes are folded.
    fn finish(self) -> Bytes {
        match (self.text, self.lines) {
            (Some(text), None) => text.finish(),
            (_, lines) => lines.map_or_else(|| Vec::new().into(), |lines| lines.share()),
        }
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
            Content::Present(file) => Some(file.bytes()),
        }
    }

    /// The file as lines that hunks belong to, if there is one.
    pub(super) fn lines(&mut self) -> Option<&Patched> {
        match &mut self.content {
            Content::Absent => None,
            Content::Present(file) => Some(file.lines()),
        }
    }

    /// Whether a change before this one concerned the file.
    pub(super) fn touched_before(&self, change: usize) -> bool {
        self.changes.first().is_some_and(|&first| first < change)
    }

    /// The file once all changes are folded.
    pub(super) fn settle(&mut self) -> Settled {
        if self.changes.is_empty() {
            // It was only looked at.
            return Settled { new: None, status: FileStatus::Unchanged };
        }
        let new = match std::mem::replace(&mut self.content, Content::Absent) {
            Content::Present(file) => Some(file.finish().share()),
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
