//! [`Pieces`]: a text under edit, as a chain of pieces of the base and of text that edits added.
//!
//! Nothing is moved until the end: an edit cuts pieces and links new ones in. Every byte has an *address* that stays
//! the same as long as it is in the text: in the base its offset there, in an added text the base's length more than
//! its offset among all added texts, one after another.

use std::collections::BTreeMap;
use std::ops::Range;

use super::base::{Base, Bits, Endings};
use super::bytes::Bytes;
use super::line_ending::{LineEnding, NewEndings};

/// A text under edit.
#[derive(Debug)]
pub(super) struct Pieces {
    base: Base,
    /// The length of the base's text.
    base_len: usize,
    /// All text that edits added, also what later edits removed.
    added: Vec<u8>,
    /// For a base of mixed endings: which LF of `added` stand for CRLF.
    added_crlf: Bits,
    all: Vec<Piece>,
    first: Link,
    last: Link,
    /// The pieces of the chain by the address that they start at.
    by_address: BTreeMap<usize, usize>,
    len: usize,
}

type Link = Option<usize>;

/// A stretch of addresses, never empty, that lies in the base or in the added text.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    previous: Link,
    next: Link,
    /// For added text: where in the base it was put.
    anchor: usize,
}

/// Where the bytes of a piece are in the end.
enum Part {
    /// In the file, by byte offsets there.
    File(Range<usize>),
    /// In the added text.
    Added(Range<usize>),
}

/// A place in a [`Pieces`]: before a byte, or the end of the text. Good until the next edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    /// None at the end.
    piece: Link,
    /// The address of the byte.
    at: usize,
}

const END: Cursor = Cursor { piece: None, at: 0 };

impl Pieces {
    /// The whole base.
    pub(super) fn new(base: Base) -> Self {
        let len = base.text().len();
        let mut pieces = Self {
            base,
            base_len: len,
            added: Vec::new(),
            added_crlf: Bits::default(),
            all: Vec::new(),
            first: None,
            last: None,
            by_address: BTreeMap::new(),
            len,
        };
        if len > 0 {
            pieces.first =
                Some(pieces.add(Piece { start: 0, end: len, previous: None, next: None, anchor: 0 }));
            pieces.last = pieces.first;
        }
        pieces
    }

    /// What it was before any edit.
    pub(super) fn base(&self) -> &Base {
        &self.base
    }

    /// The length in bytes, every line ending as one.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether no edit has cut it or added to it.
    pub(super) fn is_whole_base(&self) -> bool {
        self.added.is_empty() && self.len == self.base_len
    }

    /// The start of the text.
    pub(super) fn start(&self) -> Cursor {
        self.head_of(self.first)
    }

    /// The end of the text.
    pub(super) fn end(&self) -> Cursor {
        END
    }

    /// The place of the byte with an address, if that byte is in the text.
    pub(super) fn find(&self, address: usize) -> Option<Cursor> {
        let (_, &id) = self.by_address.range(..=address).next_back()?;
        (address < self.piece(id)?.end).then_some(Cursor { piece: Some(id), at: address })
    }

    /// The address of the byte at a place; none at the end.
    pub(super) fn address(&self, cursor: Cursor) -> Option<usize> {
        cursor.piece.map(|_| cursor.at)
    }

    /// Where in the base's text a place lies; for one in added text, where that was put.
    pub(super) fn anchor(&self, cursor: Cursor) -> usize {
        match cursor.piece.and_then(|id| self.piece(id)) {
            None => self.base_len,
            Some(_) if cursor.at < self.base_len => cursor.at,
            Some(piece) => piece.anchor,
        }
    }

    /// The byte at a place; none at the end.
    pub(super) fn byte(&self, cursor: Cursor) -> Option<u8> {
        cursor.piece?;
        self.slice(cursor.at..cursor.at + 1).first().copied()
    }

    /// The byte before a place; none at the start.
    pub(super) fn byte_before(&self, cursor: Cursor) -> Option<u8> {
        self.byte(self.back(cursor, 1)?)
    }

    /// The place `bytes` further on, or the end where there are fewer.
    pub(super) fn forward(&self, cursor: Cursor, mut bytes: usize) -> Cursor {
        let mut cursor = cursor;
        while let Some(piece) = cursor.piece.and_then(|id| self.piece(id)) {
            if bytes < piece.end - cursor.at {
                return Cursor { at: cursor.at + bytes, ..cursor };
            }
            bytes -= piece.end - cursor.at;
            cursor = self.head_of(piece.next);
        }
        END
    }

    /// The place `bytes` further back; none where there are fewer.
    pub(super) fn back(&self, cursor: Cursor, mut bytes: usize) -> Option<Cursor> {
        let (mut id, mut before) = match cursor.piece {
            Some(id) => (id, cursor.at - self.piece(id)?.start),
            None if bytes == 0 => return Some(END),
            None => (self.last?, self.piece(self.last?)?.len()),
        };
        loop {
            let piece = self.piece(id)?;
            if bytes <= before {
                return Some(Cursor { piece: Some(id), at: piece.start + before - bytes });
            }
            bytes -= before;
            id = piece.previous?;
            before = self.piece(id)?.len();
        }
    }

    /// The start of the line before the one that starts at a place; none for the first.
    pub(super) fn line_start_before(&self, cursor: Cursor) -> Option<Cursor> {
        let ending = self.back(cursor, 1)?;
        let newline = self.last_newline_before(ending).and_then(|address| self.find(address));
        Some(newline.map_or_else(|| self.start(), |newline| self.forward(newline, 1)))
    }

    /// The place `bytes` further back, or the start where there are fewer; and how far back that is.
    pub(super) fn back_at_most(&self, cursor: Cursor, bytes: usize) -> (Cursor, usize) {
        if let Some(place) = self.back(cursor, bytes) {
            return (place, bytes);
        }
        let pieces = self.slices(self.start()).take_while(|(here, _)| here.piece != cursor.piece);
        let before: usize = pieces.map(|(_, slice)| slice.len()).sum();
        let within = cursor.at - self.head_of(cursor.piece).at;
        (self.start(), before + within)
    }

    /// The text from a place on, in slices.
    pub(super) fn slices(&self, from: Cursor) -> impl Iterator<Item = (Cursor, &[u8])> {
        let mut cursor = from;
        std::iter::from_fn(move || {
            let piece = self.piece(cursor.piece?)?;
            let here = cursor;
            cursor = self.head_of(piece.next);
            Some((here, self.slice(here.at..piece.end)))
        })
    }

    /// The place just after `needle`, if it stands at `cursor`.
    pub(super) fn after(&self, cursor: Cursor, needle: &[u8]) -> Option<Cursor> {
        let mut rest = needle;
        for (here, slice) in self.slices(cursor) {
            if let Some(tail) = slice.get(..rest.len()) {
                return (tail == rest).then(|| self.forward(here, rest.len()));
            }
            rest = rest.strip_prefix(slice)?;
        }
        rest.is_empty().then_some(END)
    }

    /// The ending that the LF at an address stands for.
    fn ending_at(&self, address: usize) -> LineEnding {
        let crlf = match self.base.endings() {
            Endings::Uniform(ending) => return *ending,
            Endings::Mixed(bits) if address < self.base_len => bits.get(address),
            Endings::Mixed(_) => self.added_crlf.get(address - self.base_len),
        };
        if crlf { LineEnding::CrLf } else { LineEnding::Lf }
    }

    /// Puts lines, joined by LF, in place of what stands between two places. They take the endings of the lines that
    /// they replace, as [`super::line_ending`] says. Returns the place before the first byte that was put in, or
    /// where none was, the place after what was taken out.
    pub(super) fn splice(&mut self, from: Cursor, to: Cursor, lines: &[u8]) -> Cursor {
        if matches!(self.base.endings(), Endings::Mixed(_)) {
            self.note_endings(from, to, lines);
        }
        let anchor = self.anchor(from);
        let to = self.address(to);
        let (before, removed) = self.cut(from);
        let (_, after) = self.cut(to.and_then(|to| self.find(to)).unwrap_or(END));
        self.remove(removed, after);
        let start = self.base_len + self.added.len();
        self.added.extend_from_slice(lines);
        let end = self.base_len + self.added.len();
        self.len += lines.len();
        let inserted = if start == end {
            after
        } else {
            Some(self.add(Piece { start, end, previous: before, next: after, anchor }))
        };
        self.set_next(before, inserted);
        self.set_previous(after, if start == end { before } else { inserted });
        self.head_of(inserted)
    }

    /// Notes which of the line endings that are about to be added are CRLF.
    fn note_endings(&mut self, from: Cursor, to: Cursor, lines: &[u8]) {
        let replaced = self.endings_between(from, to);
        let newlines = memchr::memchr_iter(b'\n', lines);
        let rest = if newlines.clone().count() > replaced.len() {
            self.rest(from, to, replaced.last().copied())
        } else {
            LineEnding::Lf
        };
        let mut endings = NewEndings::new(replaced.into_iter(), rest);
        let start = self.added.len();
        for at in newlines {
            if endings.take() == LineEnding::CrLf {
                self.added_crlf.set(start + at);
            }
        }
    }

    fn endings_between(&self, from: Cursor, to: Cursor) -> Vec<LineEnding> {
        let mut endings = Vec::new();
        for (here, slice) in self.slices(from) {
            let last = here.piece == to.piece;
            let slice = if last { slice.get(..to.at - here.at).unwrap_or_default() } else { slice };
            endings.extend(memchr::memchr_iter(b'\n', slice).map(|at| self.ending_at(here.at + at)));
            if last {
                break;
            }
        }
        endings
    }

    /// The ending of new lines beyond those that are replaced; `within` is that of the last one within the edit.
    fn rest(&self, from: Cursor, to: Cursor, within: Option<LineEnding>) -> LineEnding {
        let after = || {
            self.slices(to)
                .find_map(|(here, slice)| memchr::memchr(b'\n', slice).map(|at| self.ending_at(here.at + at)))
        };
        let before = || self.last_newline_before(from).map(|at| self.ending_at(at));
        let nearest = if self.byte_before(to).is_none_or(|byte| byte == b'\n') {
            within.or_else(before).or_else(after)
        } else {
            after().or(within).or_else(before)
        };
        nearest.unwrap_or_else(|| self.base.usual_ending())
    }

    /// The address of the nearest LF before a place.
    fn last_newline_before(&self, cursor: Cursor) -> Option<usize> {
        let (mut id, mut end) = match cursor.piece {
            Some(id) => (id, cursor.at),
            None => (self.last?, self.piece(self.last?)?.end),
        };
        loop {
            let piece = self.piece(id)?;
            if let Some(at) = memchr::memrchr(b'\n', self.slice(piece.start..end)) {
                return Some(piece.start + at);
            }
            id = piece.previous?;
            end = self.piece(id)?.end;
        }
    }

    /// The file's bytes, with its own line endings and byte order mark.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.join(self.parts())
    }

    /// The same, with less memory in use at a time: bytes that no edit has changed are not copied.
    pub(super) fn into_bytes(mut self) -> Bytes {
        if self.is_whole_base() {
            return self.base.kept().clone();
        }
        let parts = self.parts();
        // The copy is as large as the file: it goes before the result, as large again, comes.
        self.base.drop_copy();
        self.join(parts).into()
    }

    fn parts(&self) -> Vec<Part> {
        let part = |piece: &Piece| match piece.start.checked_sub(self.base_len) {
            None => Part::File(self.base.file_offset(piece.start)..self.base.file_offset(piece.end)),
            Some(start) => Part::Added(start..piece.end - self.base_len),
        };
        self.chain().map(part).collect()
    }

    fn join(&self, parts: Vec<Part>) -> Vec<u8> {
        // Room for all of it, added line endings as CRLF: to grow means to copy everything.
        let room = |part: &Part| match part {
            Part::File(part) => part.len(),
            Part::Added(part) => {
                let text = self.added.get(part.clone()).unwrap_or_default();
                text.len() + memchr::memchr_iter(b'\n', text).count()
            }
        };
        let len: usize = parts.iter().map(room).sum();
        let mut out = Vec::with_capacity(self.base.mark().len() + len);
        out.extend_from_slice(self.base.mark());
        for part in parts {
            match part {
                Part::File(part) => out.extend_from_slice(self.base.bytes().get(part).unwrap_or_default()),
                Part::Added(part) => {
                    let text = self.added.get(part.clone()).unwrap_or_default();
                    let newlines = memchr::memchr_iter(b'\n', text);
                    let endings = newlines.map(|at| self.ending_at(self.base_len + part.start + at));
                    NewEndings::new(endings, LineEnding::Lf).write(text, &mut out);
                }
            }
        }
        out
    }

    fn chain(&self) -> impl Iterator<Item = &Piece> {
        std::iter::successors(self.first.and_then(|id| self.piece(id)), |piece| {
            piece.next.and_then(|id| self.piece(id))
        })
    }

    fn slice(&self, addresses: Range<usize>) -> &[u8] {
        let slice = match addresses.start.checked_sub(self.base_len) {
            None => self.base.text().get(addresses),
            Some(start) => self.added.get(start..addresses.end - self.base_len),
        };
        slice.unwrap_or_default()
    }

    fn piece(&self, id: usize) -> Option<&Piece> {
        self.all.get(id)
    }

    fn head_of(&self, link: Link) -> Cursor {
        match link.and_then(|id| self.piece(id)) {
            Some(piece) => Cursor { piece: link, at: piece.start },
            None => END,
        }
    }

    fn add(&mut self, piece: Piece) -> usize {
        let id = self.all.len();
        self.by_address.insert(piece.start, id);
        self.all.push(piece);
        id
    }

    /// Makes a place lie between two pieces, and returns them.
    fn cut(&mut self, cursor: Cursor) -> (Link, Link) {
        let Some((id, piece)) = cursor.piece.and_then(|id| Some((id, *self.piece(id)?))) else {
            return (self.last, None);
        };
        if cursor.at == piece.start {
            return (piece.previous, Some(id));
        }
        let tail = self.add(Piece { start: cursor.at, previous: Some(id), ..piece });
        if let Some(head) = self.all.get_mut(id) {
            head.end = cursor.at;
            head.next = Some(tail);
        }
        self.set_previous(piece.next, Some(tail));
        (Some(id), Some(tail))
    }

    /// Takes the pieces from `first` up to `after` out of the index; the chain still holds them.
    fn remove(&mut self, first: Link, after: Link) {
        let mut link = first;
        while link != after {
            let Some(piece) = link.and_then(|id| self.piece(id)).copied() else { return };
            self.by_address.remove(&piece.start);
            self.len -= piece.len();
            link = piece.next;
        }
    }

    fn set_next(&mut self, link: Link, next: Link) {
        match link.and_then(|id| self.all.get_mut(id)) {
            Some(piece) => piece.next = next,
            None => self.first = next,
        }
    }

    fn set_previous(&mut self, link: Link, previous: Link) {
        match link.and_then(|id| self.all.get_mut(id)) {
            Some(piece) => piece.previous = previous,
            None => self.last = previous,
        }
    }
}

impl Piece {
    fn len(&self) -> usize {
        self.end - self.start
    }
}
