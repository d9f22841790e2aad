//! [`FileText`]: the text of one file, with edits folded over it.
//!
//! # What a SEARCH text matches
//!
//! Its lines, joined by LF, as a literal string in the file's text, in which every CRLF reads as LF and a byte order
//! mark is left out. Overlapping occurrences count, and exactly one is wanted. It may lie inside a line.
//!
//! - A SEARCH of nothing but blank lines (no character but spaces and tabs) matches whole lines that are exactly
//!   these. What follows a file's last line ending is no line.
//! - A blank first or last line of SEARCH reads as the line ending of its neighbour, so that it can match where the
//!   file has no blank line. Then an edit might take that line ending away and join two lines of which the SEARCH
//!   shows one; that is refused.
//! - With [`Tolerance::TrailingBlanks`], when there is no such occurrence: whole lines, compared without the spaces
//!   and tabs at their ends. It too must be the only one.
//!
//! # What an edit changes
//!
//! The bytes of the match and no other. New lines get their endings as [`super::line_ending`] says. A file that ends
//! with a line ending, or is empty, still does (an empty one stays without); one that does not gets none, unless the
//! new text itself ends in a blank line.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use thiserror::Error;

use super::base::Base;
use super::bytes::Bytes;
use super::encoding::{BOM, NotUtf8};
use super::expected::Expected;
use super::line_ending::NewEndings;
use super::nearest::{Effort, Index};
use super::pieces::{Cursor, Pieces};
use super::{search, tolerant};
use crate::source::{Position, offset};

/// The text of one file. Edits are made in order, each sees what those before have done; the bytes are put together
/// once, at the end.
#[derive(Debug)]
pub(crate) struct FileText {
    pieces: Pieces,
    expected: Option<Expected>,
    /// Made when a refusal is explained, good until the next edit.
    index: OnceCell<Index>,
}

/// How exactly a SEARCH text has to be in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tolerance {
    /// To the byte.
    Exact,
    /// If nowhere to the byte, then with spaces and tabs at the ends of lines ignored.
    TrailingBlanks,
}

/// How much of the lines that it touches a match covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Extent {
    /// It starts where a line starts and ends where one ends.
    WholeLines,
    /// It starts or ends inside a line.
    PartOfLine,
}

/// Whether an edit made a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Effect {
    /// The text is another.
    Changed,
    /// The new text is the old one.
    None,
}

/// A stretch of the file as it was before any edit (or, after [`FileText::set`], as that has made it).
///
/// Text that an earlier edit put in stands where that edit was made; of it the range has nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The line of the start, from 1. Lines end at LF or CRLF.
    pub(crate) line: usize,
    /// Offset in bytes of the first byte, a byte order mark counted.
    pub(crate) start: usize,
    /// Offset in bytes just past the last byte.
    pub(crate) end: usize,
}

/// An edit that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matched {
    /// Where the SEARCH text stood.
    pub(crate) place: Place,
    /// How much of its lines it was.
    pub(crate) extent: Extent,
    /// How it was found: [`Tolerance::TrailingBlanks`] if not to the byte.
    pub(crate) found: Tolerance,
    /// Whether the text is another now.
    pub(crate) effect: Effect,
}

/// How many occurrences there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Count {
    /// As many.
    Exactly(usize),
    /// As many or more.
    AtLeast(usize),
}

/// Why a SEARCH text gives no place to edit. The text is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum MatchError {
    /// It is not there.
    #[error("the text is not in the file")]
    NotFound,
    /// It is there, but where it has a blank first or last line the file has none, and the edit would join lines.
    #[error("the text is in the file, but without its blank first or last line")]
    BlankLineNotFound {
        /// Where the rest of it stands.
        place: Place,
    },
    /// It is there more than once.
    #[error("the text is in the file more than once")]
    Ambiguous {
        /// How often.
        count: Count,
        /// Where, in order; the first [`search::LIMIT`] of them.
        places: Vec<Place>,
    },
}

/// Where a SEARCH text stands.
#[derive(Debug, Clone, Copy)]
struct Found {
    from: Cursor,
    to: Cursor,
    how: Tolerance,
}

impl FileText {
    /// The text of a file with these bytes.
    pub(crate) fn new(bytes: impl Into<Bytes>) -> Self {
        Self { pieces: Pieces::new(Base::new(bytes.into())), expected: None, index: OnceCell::new() }
    }

    /// The text of a file that does not exist.
    pub(crate) fn empty() -> Self {
        Self::new(Vec::new())
    }

    /// Tells, before the first edit, which SEARCH texts will come, so that they are looked for together where that is
    /// quicker. What is found stays the same: texts that were not told are looked for when they come.
    pub(crate) fn expect<'t>(&mut self, searches: impl IntoIterator<Item = &'t str>, tolerance: Tolerance) {
        let mut texts: Vec<Cow<'_, [u8]>> = Vec::new();
        for search in searches.into_iter().map(str::as_bytes) {
            if is_blank(search) {
                texts.push(Cow::Owned(search::framed(search)));
                continue;
            }
            texts.push(Cow::Borrowed(search));
            if tolerance == Tolerance::TrailingBlanks {
                texts.extend(tolerant::landmarks(search).into_iter().map(Cow::Borrowed));
            }
        }
        self.expected = Expected::new(&self.pieces, texts.iter().map(|text| &**text).collect());
    }

    /// Whether an edit with these texts may be made, as far as the file's encoding goes.
    ///
    /// # Errors
    ///
    /// [`NotUtf8`] says why not.
    pub(crate) fn accepts<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Result<(), NotUtf8> {
        self.pieces.base().accepts(texts)
    }

    /// Whether there is no text, a byte order mark apart.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.len() == 0
    }

    /// The bytes that the file has by now.
    pub(crate) fn contents(&self) -> Cow<'_, [u8]> {
        if self.pieces.is_whole_base() {
            Cow::Borrowed(self.pieces.base().bytes())
        } else {
            Cow::Owned(self.pieces.to_bytes())
        }
    }

    /// The same, to be held by somebody else too: those that no edit has changed are not copied.
    pub(crate) fn share(&self) -> Bytes {
        match self.pieces.is_whole_base() {
            true => self.pieces.base().kept().clone(),
            false => self.pieces.to_bytes().into(),
        }
    }

    /// The same, with less memory in use at a time: those that no edit has changed are not copied.
    pub(crate) fn finish(self) -> Bytes {
        self.pieces.into_bytes()
    }

    /// Puts one text in place of another that occurs exactly once.
    ///
    /// `search` and `replace` are lines joined by LF, without a final one; no `replace` is no line at all. Then a
    /// match of whole lines takes its line ending with it, or where the file ends without one, the ending before it.
    ///
    /// # Errors
    ///
    /// [`MatchError`] when it occurs not at all or more than once.
    pub(crate) fn replace(
        &mut self,
        search: &str,
        replace: Option<&str>,
        tolerance: Tolerance,
    ) -> Result<Matched, MatchError> {
        let found = self.locate(search.as_bytes(), tolerance)?;
        let place = self.place(found.from, found.to);
        let text = replace.unwrap_or_default();
        if found.how == Tolerance::Exact && self.joins_lines(found, search.as_bytes(), text.as_bytes()) {
            return Err(MatchError::BlankLineNotFound { place });
        }
        let extent = self.extent(found);
        let (from, to) = match replace {
            None if extent == Extent::WholeLines => self.with_line_ending(found),
            _ => (found.from, found.to),
        };
        let text = self.with_final_newline(from, to, text.as_bytes());
        let effect = self.splice(from, to, &text);
        Ok(Matched { place, extent, found: found.how, effect })
    }

    /// Adds lines, joined by LF without a final one, at the end; after a line ending, where there is none.
    pub(crate) fn append(&mut self, lines: &str) {
        let mut text = Vec::with_capacity(lines.len() + 2);
        let ends_with_newline = self.ends_with_newline();
        if !ends_with_newline {
            text.push(b'\n');
        }
        text.extend_from_slice(lines.as_bytes());
        if ends_with_newline {
            text.push(b'\n');
        }
        self.splice(self.pieces.end(), self.pieces.end(), &text);
    }

    /// Makes lines, joined by LF without a final one, the whole text; `""` is no line.
    ///
    /// The file's kind of line ending is kept (of two kinds, the more frequent), its byte order mark, and whether
    /// there is an ending at its end.
    pub(crate) fn set(&mut self, lines: &str) -> Effect {
        let mut text = lines.as_bytes().to_vec();
        if self.ends_with_newline() && !text.is_empty() {
            text.push(b'\n');
        }
        if self.pieces.after(self.pieces.start(), &text) == Some(self.pieces.end()) {
            return Effect::None;
        }
        let base = self.pieces.base();
        let mut bytes = if text.starts_with(BOM) { Vec::new() } else { base.mark().to_vec() };
        NewEndings::new(std::iter::empty(), base.usual_ending()).write(&text, &mut bytes);
        self.pieces = Pieces::new(Base::new(bytes.into()));
        self.index.take();
        if let Some(expected) = &mut self.expected {
            expected.rebase(&self.pieces);
        }
        Effect::Changed
    }

    /// The text that SEARCH texts are looked for in: by now, with LF line endings, without byte order mark.
    pub(crate) fn text(&self) -> Cow<'_, [u8]> {
        if self.pieces.is_whole_base() {
            return Cow::Borrowed(self.original());
        }
        let mut text = Vec::with_capacity(self.pieces.len());
        for (_, slice) in self.pieces.slices(self.pieces.start()) {
            text.extend_from_slice(slice);
        }
        Cow::Owned(text)
    }

    /// The same as it was before any edit.
    pub(crate) fn original(&self) -> &[u8] {
        self.pieces.base().text()
    }

    /// Whether an edit was made.
    pub(crate) fn is_edited(&self) -> bool {
        !self.pieces.is_whole_base()
    }

    /// Where a text stands, as far as several places are told apart, by byte offsets in [`Self::original`].
    pub(crate) fn places(&mut self, search: &str) -> Vec<Range<usize>> {
        let (found, _) = self.occurrences(search.as_bytes(), Tolerance::TrailingBlanks);
        found.iter().map(|&(from, to)| self.pieces.anchor(from)..self.pieces.anchor(to)).collect()
    }

    /// The index of the lines of [`Self::text`]; `None` where it would cost too much.
    pub(crate) fn index(&self, text: &[u8], effort: &mut Effort) -> Option<&Index> {
        if self.index.get().is_none() {
            let index = Index::new(text, effort)?;
            return Some(self.index.get_or_init(|| index));
        }
        self.index.get()
    }

    /// Where in the file, as it was before any edit, a byte offset in [`Self::text`] stands.
    pub(crate) fn position(&self, at: usize) -> Position {
        self.original_position(self.pieces.anchor(self.pieces.forward(self.pieces.start(), at)))
    }

    /// Where in the file a byte offset in [`Self::original`] stands.
    pub(crate) fn original_position(&self, at: usize) -> Position {
        let base = self.pieces.base();
        let before = base.text().get(..at).unwrap_or(base.text());
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        // A byte order mark stands in the first line.
        let mark = if start == 0 { base.mark() } else { &[] };
        let marks = usize::from(!mark.is_empty());
        let bytes = before.len() - start;
        let line = String::from_utf8_lossy(before.get(start..).unwrap_or_default());
        Position {
            offset: offset(base.file_offset(at)),
            line: offset(base.line(at)),
            byte_column: offset(mark.len() + bytes + 1),
            column: offset(marks + line.chars().count() + 1),
            utf16: offset(marks + line.encode_utf16().count() + 1),
        }
    }

    fn locate(&mut self, search: &[u8], tolerance: Tolerance) -> Result<Found, MatchError> {
        let (found, how) = self.occurrences(search, tolerance);
        self.only(found, how)
    }

    /// Where a text stands, [`search::LIMIT`] places at most; and how it was found, where it was.
    fn occurrences(&mut self, search: &[u8], tolerance: Tolerance) -> (Vec<(Cursor, Cursor)>, Tolerance) {
        let starts = if is_blank(search) {
            let framed = self.literal(&search::framed(search));
            search::blank_lines(&self.pieces, search, &framed)
        } else {
            self.literal(search)
        };
        if !starts.is_empty() || tolerance == Tolerance::Exact {
            let end = |&from: &Cursor| (from, self.pieces.forward(from, search.len()));
            return (starts.iter().map(end).collect(), Tolerance::Exact);
        }
        let landmark = tolerant::landmarks(search).into_iter().find_map(|line| {
            let places = self.literal(line);
            (places.len() < search::LIMIT).then_some((line, places))
        });
        (tolerant::lines(&self.pieces, search, landmark, search::LIMIT), tolerance)
    }

    /// The places where a text that is not empty stands, [`search::LIMIT`] at most.
    fn literal(&mut self, text: &[u8]) -> Vec<Cursor> {
        let known = self.expected.as_mut().and_then(|expected| expected.places(&self.pieces, text));
        known.unwrap_or_else(|| search::literal(&self.pieces, text, search::LIMIT))
    }

    fn only(&self, found: Vec<(Cursor, Cursor)>, how: Tolerance) -> Result<Found, MatchError> {
        match found.as_slice() {
            [] => Err(MatchError::NotFound),
            &[(from, to)] => Ok(Found { from, to, how }),
            all => {
                let count = match all.len() {
                    search::LIMIT.. => Count::AtLeast(search::LIMIT),
                    count => Count::Exactly(count),
                };
                let mut places: Vec<Place> = all.iter().map(|&(from, to)| self.place(from, to)).collect();
                // Those in text that edits put in at one place may have come in any order.
                places.sort_by_key(|place| (place.start, place.end));
                Err(MatchError::Ambiguous { count, places })
            }
        }
    }

    fn place(&self, from: Cursor, to: Cursor) -> Place {
        let (base, from, to) = (self.pieces.base(), self.pieces.anchor(from), self.pieces.anchor(to));
        Place { line: base.line(from), start: base.file_offset(from), end: base.file_offset(to) }
    }

    fn extent(&self, found: Found) -> Extent {
        if self.is_line_start(found.from) && self.is_line_end(found.to) {
            Extent::WholeLines
        } else {
            Extent::PartOfLine
        }
    }

    fn is_line_start(&self, cursor: Cursor) -> bool {
        self.pieces.byte_before(cursor).is_none_or(|byte| byte == b'\n')
    }

    fn is_line_end(&self, cursor: Cursor) -> bool {
        self.pieces.byte(cursor).is_none_or(|byte| byte == b'\n')
    }

    /// Whether a blank first or last line of `search` stands where the file has none, and the line ending that it
    /// took for one would be gone.
    fn joins_lines(&self, found: Found, search: &[u8], replace: &[u8]) -> bool {
        let (before, after) = (self.pieces.byte_before(found.from), self.pieces.byte(found.to));
        let is_text = |byte: Option<u8>| byte.is_some_and(|byte| byte != b'\n');
        let at_start =
            search.first() == Some(&b'\n') && is_text(before) && is_text(replace.first().copied().or(after));
        let at_end =
            search.last() == Some(&b'\n') && is_text(after) && is_text(replace.last().copied().or(before));
        at_start || at_end
    }

    /// The whole lines with the line ending that goes with them.
    fn with_line_ending(&self, found: Found) -> (Cursor, Cursor) {
        let Found { from, to, .. } = found;
        if to != self.pieces.end() {
            return (from, self.pieces.forward(to, 1));
        }
        let ends_in_text = self.pieces.byte_before(to) != Some(b'\n');
        match self.pieces.back(from, 1) {
            Some(before) if ends_in_text => (before, to),
            _ => (from, to),
        }
    }

    /// The text to put between two places so that a final line ending is not lost.
    fn with_final_newline<'t>(&self, from: Cursor, to: Cursor, text: &'t [u8]) -> Cow<'t, [u8]> {
        let last = text.last().copied().or_else(|| self.pieces.byte_before(from));
        if to == self.pieces.end() && self.ends_with_newline() && last.is_some_and(|byte| byte != b'\n') {
            Cow::Owned([text, b"\n"].concat())
        } else {
            Cow::Borrowed(text)
        }
    }

    /// Whether the text ends with a line ending; an empty one counts as such.
    fn ends_with_newline(&self) -> bool {
        self.is_line_start(self.pieces.end())
    }

    fn splice(&mut self, from: Cursor, to: Cursor, text: &[u8]) -> Effect {
        if self.pieces.after(from, text) == Some(to) {
            return Effect::None;
        }
        let put = self.pieces.splice(from, to, text);
        self.index.take();
        if let Some(expected) = &mut self.expected {
            expected.edited(&self.pieces, put, text.len());
        }
        Effect::Changed
    }
}

/// Whether all lines are blank.
fn is_blank(lines: &[u8]) -> bool {
    lines.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n'))
}

#[cfg(test)]
mod tests;
