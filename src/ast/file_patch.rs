//! The part of a unified diff that concerns one file.

use std::borrow::Cow;

use super::Hunk;
use crate::diagnostic::Code;
use crate::grammar::unified_diff::{is_epoch, unescape};
use crate::source::{Source, Span};

/// The part of a unified diff that concerns one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FilePatch {
    /// From the first header's first byte to the end of the last line.
    pub span: Span,
    /// The `diff --git` line.
    pub git: Option<GitLine>,
    /// The lines between the `diff --git` line and the names: modes, renames, similarity, index; and what says that
    /// the content is binary.
    pub headers: Vec<ExtendedHeader>,
    /// The name in the `---` line.
    pub old: Option<FileName>,
    /// The name in the `+++` line.
    pub new: Option<FileName>,
    /// The hunks, in source order.
    pub hunks: Vec<Hunk>,
    /// The first fault that keeps it from being applied; the diagnostics say more.
    pub fault: Option<Code>,
}

/// A `diff --git` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GitLine {
    /// The line.
    pub span: Span,
    /// Its two names; `None` where it cannot be told where the first one ends.
    pub names: Option<(FileName, FileName)>,
}

/// A file's name as a diff writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FileName {
    /// The line that it stands on.
    pub line: Span,
    /// The name as written: prefix and quotes included, timestamp not.
    pub span: Span,
    /// Whether it is in quotes, with C escapes.
    pub quoted: bool,
    /// What follows the name: a timestamp, a revision.
    pub timestamp: Option<Span>,
}

impl FileName {
    /// The name without quotes and escapes; `None` when that is not readable UTF-8. Borrowed where it has no escape.
    #[must_use]
    pub fn text<'s>(&self, source: &Source<'s>) -> Option<Cow<'s, str>> {
        let written = source.slice(self.span);
        if self.quoted { unescape(written).ok() } else { Some(Cow::Borrowed(written)) }
    }

    /// Whether it stands for no file at all: `/dev/null`.
    #[must_use]
    pub fn is_dev_null(&self, source: &Source<'_>) -> bool {
        source.slice(self.span).trim_matches('"') == "/dev/null"
    }

    /// Whether its timestamp is the epoch, in whatever time zone: then there is no file on this side.
    #[must_use]
    pub fn is_epoch(&self, source: &Source<'_>) -> bool {
        self.timestamp.is_some_and(|stamp| is_epoch(source.slice(stamp)))
    }
}

/// A line between a `diff --git` line and the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ExtendedHeader {
    /// What it says.
    pub kind: HeaderKind,
    /// The line.
    pub span: Span,
    /// What follows the keyword: a mode, a name, a percentage, hashes.
    pub value: Span,
}

/// What a line between a `diff --git` line and the names says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum HeaderKind {
    /// `old mode`
    OldMode,
    /// `new mode`
    NewMode,
    /// `new file mode`
    NewFileMode,
    /// `deleted file mode`
    DeletedFileMode,
    /// `rename from`
    RenameFrom,
    /// `rename to`
    RenameTo,
    /// `copy from`
    CopyFrom,
    /// `copy to`
    CopyTo,
    /// `similarity index`
    Similarity,
    /// `dissimilarity index`
    Dissimilarity,
    /// `index`
    Index,
    /// `Binary files ... differ`, `GIT binary patch`
    Binary,
}

/// What a file patch says that it does. What it really does may depend on which files exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum FileOperation {
    /// Changes the lines of a file.
    #[default]
    Modify,
    /// Makes a file.
    Create,
    /// Removes a file.
    Delete,
    /// Gives a file another name, and perhaps other lines.
    Rename,
    /// Makes a file that begins as another one.
    Copy,
    /// Changes nothing but a file's mode.
    Mode,
}

impl FilePatch {
    /// What a diagnostic about the whole underlines: the first header line.
    #[must_use]
    pub fn anchor(&self) -> Span {
        let names = self.old.or(self.new).map(|name| name.line);
        let hunk = self.hunks.first().map(|hunk| hunk.header.span);
        self.git.map(|git| git.span).or(names).or(hunk).unwrap_or(self.span)
    }

    /// The first header of a kind.
    #[must_use]
    pub fn header(&self, kind: HeaderKind) -> Option<ExtendedHeader> {
        self.headers.iter().copied().find(|header| header.kind == kind)
    }

    /// Where the name of the old file stands: a `rename from` or `copy from` line, else the `---` line, else the
    /// `diff --git` line.
    #[must_use]
    pub fn old_name(&self, source: &Source<'_>) -> Option<FileName> {
        self.moved([HeaderKind::RenameFrom, HeaderKind::CopyFrom], source)
            .or(self.old)
            .or_else(|| self.git?.names.map(|names| names.0))
    }

    /// Where the name of the new file stands: a `rename to` or `copy to` line, else the `+++` line, else the
    /// `diff --git` line.
    #[must_use]
    pub fn new_name(&self, source: &Source<'_>) -> Option<FileName> {
        self.moved([HeaderKind::RenameTo, HeaderKind::CopyTo], source)
            .or(self.new)
            .or_else(|| self.git?.names.map(|names| names.1))
    }

    fn moved(&self, kinds: [HeaderKind; 2], source: &Source<'_>) -> Option<FileName> {
        let header = self.headers.iter().find(|header| kinds.contains(&header.kind))?;
        let quoted = source.slice(header.value).starts_with('"');
        Some(FileName { line: header.span, span: header.value, quoted, timestamp: None })
    }

    /// The old file's path, its prefix removed; `None` when there is no old file or it has no readable name.
    #[must_use]
    pub fn old_path<'s>(&self, source: &Source<'s>) -> Option<Cow<'s, str>> {
        if self.header(HeaderKind::NewFileMode).is_some() {
            return None;
        }
        self.path_of(self.old_name(source)?, source)
    }

    /// The new file's path, its prefix removed; `None` when there is no new file or it has no readable name.
    #[must_use]
    pub fn new_path<'s>(&self, source: &Source<'s>) -> Option<Cow<'s, str>> {
        if self.header(HeaderKind::DeletedFileMode).is_some() {
            return None;
        }
        self.path_of(self.new_name(source)?, source)
    }

    /// The path that a name of this patch stands for, its prefix removed; `None` for `/dev/null` and for an unreadable
    /// name.
    pub(crate) fn path_of<'s>(&self, name: FileName, source: &Source<'s>) -> Option<Cow<'s, str>> {
        if name.is_dev_null(source) {
            return None;
        }
        let text = name.text(source)?;
        let moved = self.headers.iter().any(|header| header.span == name.line);
        if moved || !self.has_prefixes(source) {
            return Some(text);
        }
        Some(match text {
            Cow::Borrowed(text) => Cow::Borrowed(prefix(text).map_or(text, |(_, rest)| rest)),
            Cow::Owned(text) => Cow::Owned(prefix(&text).map_or(text.as_str(), |(_, rest)| rest).to_owned()),
        })
    }

    /// Whether the names begin with `a/`, `b/` or another of git's prefixes: the two sides have two different ones, or
    /// one side is `/dev/null`. Where a `diff --git` line has both names, it decides.
    fn has_prefixes(&self, source: &Source<'_>) -> bool {
        let of = |name: FileName| {
            let text = name.text(source)?;
            prefix(&text).map(|(letter, _)| letter)
        };
        let Some((old, new)) = self.git.and_then(|git| git.names).or(self.old.zip(self.new)) else {
            return self.old.or(self.new).and_then(of).is_some();
        };
        match (of(old), of(new)) {
            (Some(old), Some(new)) => old != new,
            (Some(_), None) => new.is_dev_null(source),
            (None, Some(_)) => old.is_dev_null(source),
            (None, None) => false,
        }
    }

    /// What the patch says that it does.
    #[must_use]
    pub fn operation(&self, source: &Source<'_>) -> FileOperation {
        let has = |kind| self.header(kind).is_some();
        let null = |name: Option<FileName>| name.is_some_and(|name| name.is_dev_null(source));
        if has(HeaderKind::NewFileMode) || null(self.old) {
            FileOperation::Create
        } else if has(HeaderKind::DeletedFileMode) || null(self.new) {
            FileOperation::Delete
        } else if has(HeaderKind::RenameFrom) || has(HeaderKind::RenameTo) {
            FileOperation::Rename
        } else if has(HeaderKind::CopyFrom) || has(HeaderKind::CopyTo) {
            FileOperation::Copy
        } else if self.is_epoch_create(source) {
            FileOperation::Create
        } else if self.is_epoch_delete(source) {
            FileOperation::Delete
        } else if self.hunks.is_empty() && has(HeaderKind::NewMode) {
            FileOperation::Mode
        } else {
            FileOperation::Modify
        }
    }

    /// Whether the file becomes executable (`true`) or ceases to be; `None` where no mode is given or it stays.
    #[must_use]
    pub fn executable(&self, source: &Source<'_>) -> Option<bool> {
        let mode = |kind| {
            let value = source.slice(self.header(kind)?.value);
            u32::from_str_radix(value.trim(), 8).ok().map(|mode| mode & 0o111 != 0)
        };
        match mode(HeaderKind::NewFileMode) {
            Some(executable) => executable.then_some(true),
            None => mode(HeaderKind::NewMode).filter(|new| mode(HeaderKind::OldMode) != Some(*new)),
        }
    }

    /// The old side is stamped with the epoch, the new one is not, and no hunk has an old line.
    fn is_epoch_create(&self, source: &Source<'_>) -> bool {
        let stamped = |name: Option<FileName>| name.is_some_and(|name| name.is_epoch(source));
        stamped(self.old) && !stamped(self.new) && self.hunks.iter().all(|hunk| hunk.old_lines() == 0)
    }

    /// The new side is stamped with the epoch, the old one is not, and no hunk has a new line.
    fn is_epoch_delete(&self, source: &Source<'_>) -> bool {
        let stamped = |name: Option<FileName>| name.is_some_and(|name| name.is_epoch(source));
        stamped(self.new) && !stamped(self.old) && self.hunks.iter().all(|hunk| hunk.new_lines() == 0)
    }
}

/// One of git's prefixes at the start of a name, and the rest.
fn prefix(name: &str) -> Option<(char, &str)> {
    match name.as_bytes() {
        [letter @ (b'a' | b'b' | b'i' | b'w' | b'c' | b'o'), b'/', _, ..] => {
            Some((char::from(*letter), name.get(2..)?))
        }
        _ => None,
    }
}
