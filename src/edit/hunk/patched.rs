//! [`Patched`]: a file that patches are applied to one after the other.
//!
//! A patch makes a new state that shares with the old one every chunk it does not touch. Of those that it does touch a
//! *window* is put together and patched as if it were the whole file; a stand-in for the line before it tells how that
//! ends, and one for the line after it that there is one, for that is all that the text around a hunk is asked for.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use super::chunk::Chunk;
use super::chunks::Chunks;
use super::lines::{FileLines, MARK, comparable};
use super::walk::Summary;
use super::{Exactness, HunkFault, Place, Placed, located, splice, starts_with_mark};
use crate::apply::change::PatchHunk;
use crate::edit::bytes::Bytes;
use crate::edit::encoding::{self, NotUtf8};
use crate::edit::line_ending::{LineEnding, split_ending};

/// Whether a patch has been applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    AsRead,
    Patched,
}

/// A file under patches. A clone costs some words for each group of chunks.
#[derive(Debug, Clone)]
pub(crate) struct Patched {
    /// As it was read.
    base: Bytes,
    chunks: OnceCell<Chunks>,
    state: State,
    /// All its bytes, once somebody has asked for them.
    whole: OnceCell<Arc<Vec<u8>>>,
}

impl<B: Into<Bytes>> From<B> for Patched {
    fn from(bytes: B) -> Self {
        Self { base: bytes.into(), chunks: OnceCell::new(), state: State::AsRead, whole: OnceCell::new() }
    }
}

impl Patched {
    fn chunks(&self) -> &Chunks {
        self.chunks.get_or_init(|| Chunks::new(self.base.get()))
    }

    /// What the hunks make of it, and where each was found. All of them match the file as it is.
    ///
    /// # Errors
    ///
    /// Every hunk that cannot be applied, in their order.
    pub(crate) fn apply(&self, hunks: &[PatchHunk<'_>]) -> Result<(Self, Vec<Placed>), Vec<HunkFault>> {
        let view = View::new(self.base.get(), self.chunks(), starts_with_mark(hunks));
        let readings: Vec<_> = hunks.iter().map(super::readings).collect();
        let found = located(view, hunks, &readings)?;
        let chunks = self.chunks().with(changes(view, hunks, &found));
        let mut places = vec![Placed { line: 0, exactness: Exactness::Exact }; hunks.len()];
        for place in found {
            if let Some(placed) = places.get_mut(place.hunk) {
                *placed = Placed { line: place.lines.start + 1, exactness: place.exactness };
            }
        }
        let (base, chunks) = (self.base.clone(), chunks.into());
        let new = Self { base, chunks, state: State::Patched, whole: OnceCell::new() };
        Ok((new, places))
    }

    /// Its bytes, put together only once.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self.state {
            State::AsRead => self.base.get(),
            State::Patched => self.whole.get_or_init(|| self.join()),
        }
    }

    /// The same, to be held by somebody else too.
    pub(crate) fn share(&self) -> Bytes {
        match self.state {
            State::AsRead => self.base.clone(),
            State::Patched => Arc::clone(self.whole.get_or_init(|| self.join())).into(),
        }
    }

    /// A file of its own with the same bytes, which are held but once however many have them.
    pub(crate) fn copy(&self) -> Self {
        match self.state {
            State::AsRead => Self::from(self.base.share()),
            State::Patched => self.clone(),
        }
    }

    fn join(&self) -> Arc<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.chunks().len());
        self.chunks().iter().for_each(|chunk| bytes.extend_from_slice(chunk.text(self.base.get())));
        Arc::new(bytes)
    }

    /// Whether two states, of one file or of two, have the same bytes.
    pub(crate) fn same(&self, other: &Self) -> bool {
        if std::ptr::eq(self.base.get(), other.base.get()) {
            self.chunks().same(other.chunks(), self.base.get())
        } else {
            self.bytes() == other.bytes()
        }
    }

    /// Whether a patch has been applied.
    pub(crate) fn is_edited(&self) -> bool {
        self.state == State::Patched
    }

    /// How many lines it has.
    pub(crate) fn count(&self) -> usize {
        self.chunks().lines()
    }

    /// Whether nothing is left, a byte order mark apart.
    pub(crate) fn is_nothing(&self) -> bool {
        let base = self.base.get();
        self.chunks().len() <= MARK.len()
            && self.chunks().iter().all(|chunk| super::is_nothing(chunk.text(base)))
    }

    /// Whether a patch with these texts may be applied, as far as the file's encoding goes.
    ///
    /// # Errors
    ///
    /// [`NotUtf8`] says why not.
    pub(crate) fn accepts<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> Result<(), NotUtf8> {
        let (base, chunks) = (self.base.get(), self.chunks());
        encoding::is_not_utf_16(chunks.get(0).map_or(&[], |first| first.text(base)))?;
        if chunks.has_nul(base) {
            return Err(NotUtf8::Nul);
        }
        if texts.all(str::is_ascii) || chunks.is_utf8(base) { Ok(()) } else { Err(NotUtf8::NonAsciiEdit) }
    }

    /// Whether it has a line, white space at its ends removed. `is_worth_keeping` says of a line whether it may be
    /// asked for; it must always be the same.
    pub(crate) fn has_line(&self, line: &[u8], is_worth_keeping: fn(&[u8]) -> bool) -> bool {
        let base = self.base.get();
        self.chunks().iter().any(|chunk| chunk.has_line(line, base, is_worth_keeping))
    }
}

/// A file's chunks, read in the way of a patch: a byte order mark is a part of the first line or it is not.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'f> {
    base: &'f [u8],
    chunks: &'f Chunks,
    /// The length of a byte order mark that is no part of the first line.
    mark: usize,
    /// Whether there is one that is a part of it.
    shows_mark: bool,
}

impl<'f> View<'f> {
    /// `shows_mark`: whether a byte order mark is a part of the first line.
    pub(super) fn new(base: &'f [u8], chunks: &'f Chunks, shows_mark: bool) -> Self {
        let first = chunks.get(0).map_or(&[][..], |first| first.text(base));
        let has_mark = first.starts_with(MARK);
        let mark = if has_mark && !shows_mark { MARK.len() } else { 0 };
        Self { base, chunks, mark, shows_mark: has_mark && shows_mark }
    }

    pub(super) fn chunks(&self) -> &'f Chunks {
        self.chunks
    }

    /// How many lines there are. What follows the last line ending is a line only if it has a byte.
    pub(super) fn count(&self) -> usize {
        if self.mark > 0 && self.chunks.len() == self.mark { 0 } else { self.chunks.lines() }
    }

    /// The lines from this one on, endings included.
    pub(super) fn from(&self, line: usize) -> impl Iterator<Item = &'f [u8]> + use<'f> {
        let view = *self;
        let mut chunk = view.chunks.chunk_of(line);
        let mut rest = view.text(chunk);
        let skip = line.saturating_sub(view.chunks.lines_of(chunk..chunk).start);
        if let Some(last) = skip.checked_sub(1) {
            let at = memchr::memchr_iter(b'\n', rest).nth(last).map_or(rest.len(), |at| at + 1);
            rest = rest.get(at..).unwrap_or_default();
        }
        std::iter::from_fn(move || {
            if rest.is_empty() {
                chunk += 1;
                rest = view.text(chunk);
            }
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at_checked(end)?;
            rest = after;
            Some(line).filter(|line| !line.is_empty())
        })
    }

    /// The bytes of a chunk, without the mark.
    fn text(&self, chunk: usize) -> &'f [u8] {
        let text = self.chunks.get(chunk).map_or(&[][..], |found| found.text(self.base));
        if chunk == 0 { text.get(self.mark..).unwrap_or_default() } else { text }
    }

    /// Whether the first line has a byte order mark, which hides it from [`Self::summary`].
    pub(super) fn shows_mark(&self) -> bool {
        self.shows_mark
    }

    /// The hashes of the lines of the chunk with this number.
    pub(super) fn summary(&self, number: usize, chunk: &'f Chunk, exactness: Exactness) -> &'f Summary {
        chunk.summary(self.base, if number == 0 { self.mark } else { 0 }, exactness)
    }

    /// Whether lines stand at a place.
    pub(super) fn has_at(&self, lines: &[&[u8]], start: usize, exactness: Exactness) -> bool {
        if start.checked_add(lines.len()).is_none_or(|end| end > self.count()) {
            return false;
        }
        let mut file = self.from(start);
        lines.iter().all(|line| {
            file.next().is_some_and(|found| {
                comparable(split_ending(found).0, exactness) == comparable(line, exactness)
            })
        })
    }

    /// A window with the hunks in it that have these places.
    fn patched(
        self,
        mut window: Range<usize>,
        hunks: &[PatchHunk<'_>],
        places: &[Place<'_>],
    ) -> (Range<usize>, Vec<u8>) {
        loop {
            let before = window.start.checked_sub(1).and_then(|before| self.chunks.get(before));
            let after = self.chunks.get(window.end);
            let before = before.map_or(&[][..], |chunk| stand_in(chunk.last_ending()));
            // Every line of the window has an ending then, so that this one's is never taken for a new line.
            let after = after.map_or(&[][..], |_| stand_in(None));
            let mut text = before.to_vec();
            for chunk in window.clone() {
                text.extend_from_slice(self.chunks.get(chunk).map_or(&[], |chunk| chunk.text(self.base)));
            }
            text.extend_from_slice(after);
            let file = FileLines::new(&text, self.shows_mark);
            let skipped = self.chunks.lines_of(window.start..window.start).start;
            let offset = usize::from(!before.is_empty());
            let mut places = places.to_vec();
            for Place { lines, .. } in &mut places {
                *lines = lines.start - skipped + offset..lines.end - skipped + offset;
            }
            let new = splice::splice(&file, hunks, &places);
            let inner = new.strip_prefix(before).and_then(|new| new.strip_suffix(after));
            match inner.filter(|_| before.ends_with(b"\n") || before.is_empty()) {
                // Of the first lines only the byte order mark is left: it is a part of the line below.
                Some(inner) if inner == MARK && window.end < self.chunks.count() => window.end += 1,
                Some(inner) => return (window, inner.to_vec()),
                // What became of the end of the file changes the line before the window.
                None => window.start -= 1,
            }
        }
    }
}

/// The chunks that change, in order, with their new text.
fn changes(view: View<'_>, hunks: &[PatchHunk<'_>], found: &[Place<'_>]) -> Vec<(Range<usize>, Vec<u8>)> {
    let mut windows = windows(view, found);
    loop {
        let patched = windows.iter().map(|(window, places)| {
            view.patched(window.clone(), hunks, found.get(places.clone()).unwrap_or_default())
        });
        let changes: Vec<(Range<usize>, Vec<u8>)> = patched.collect();
        let pairs = changes.iter().zip(changes.iter().skip(1));
        // The first window may grow towards the end and the last one towards the start: where they meet, they are one.
        let Some(at) = pairs.into_iter().position(|((one, _), (next, _))| one.end > next.start) else {
            return changes;
        };
        let (window, places) = windows.remove(at + 1);
        if let Some(last) = windows.get_mut(at) {
            *last = (last.0.start..window.end, last.1.start..places.end);
        }
    }
}

/// A line that ends in the same.
fn stand_in(ending: Option<LineEnding>) -> &'static [u8] {
    match ending {
        Some(LineEnding::Lf) => b"x\n",
        Some(LineEnding::CrLf) => b"x\r\n",
        None => b"x",
    }
}

/// The chunks that change, in order, and which of the places lie in each run of them.
fn windows(view: View<'_>, found: &[Place<'_>]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut windows: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (number, place) in found.iter().enumerate() {
        let chunks = window(view, &place.lines);
        match windows.last_mut() {
            Some((last, places)) if last.end >= chunks.start => {
                last.end = last.end.max(chunks.end);
                places.end = number + 1;
            }
            _ => windows.push((chunks, number..number + 1)),
        }
    }
    windows
}

/// The chunks that a place changes. A place between two lines is one in the chunk of the line before, so that many
/// small additions make no small chunks; unless that is a long one.
fn window(view: View<'_>, lines: &Range<usize>) -> Range<usize> {
    let chunks = view.chunks;
    if view.count() == 0 {
        return 0..chunks.count();
    }
    if !lines.is_empty() {
        return chunks.chunk_of(lines.start)..chunks.chunk_of(lines.end - 1) + 1;
    }
    let above = chunks.chunk_of(lines.start.saturating_sub(1));
    let below = chunks.chunk_of(lines.start);
    let is_long = |chunk| chunks.get(chunk).is_some_and(Chunk::is_long);
    if above == below || !is_long(above) {
        return above..above + 1;
    }
    match chunks.get(above).and_then(Chunk::last_ending) {
        None => above..above + 1,
        Some(_) if below < chunks.count() && !is_long(below) => below..below + 1,
        Some(_) => below..below,
    }
}

#[cfg(test)]
impl Patched {
    /// How many chunks there are.
    pub(super) fn chunk_count(&self) -> usize {
        self.chunks().count()
    }

    /// How many chunks are not those of another state.
    pub(super) fn chunks_not_in(&self, other: &Self) -> usize {
        let known: std::collections::HashSet<_> = other.chunks().iter().map(std::ptr::from_ref).collect();
        self.chunks().iter().filter(|&chunk| !known.contains(&std::ptr::from_ref(chunk))).count()
    }
}
