//! Finding a text in a file under edit, in one pass over it.
//!
//! A text that lies in one piece is found there; one that lies across a cut is found in a copy of the text around it.
//! Pieces that are short beside the text are copied whole, so that one pass never looks at a byte more than a few
//! times, however many cuts there are.

use memchr::memmem::Finder;

use super::pieces::{Cursor, Pieces};

/// So many occurrences are told apart; from there on it is "or more". What is looked at twice stays bounded by it.
pub(super) const LIMIT: usize = 10;

/// The places where `needle`, which is not empty, occurs, overlapping ones too; at most `limit`.
pub(super) fn literal(pieces: &Pieces, needle: &[u8], limit: usize) -> Vec<Cursor> {
    let mut search =
        Search { finder: Finder::new(needle), limit, found: Vec::new(), window: Window::default() };
    for (start, slice) in pieces.slices(pieces.start()) {
        if search.found.len() >= limit {
            break;
        }
        search.piece(pieces, start, slice);
    }
    search.close(pieces);
    search.found.truncate(limit);
    search.found
}

/// What blank lines, joined by LF, look like in the middle of a text.
pub(super) fn framed(blank: &[u8]) -> Vec<u8> {
    [b"\n", blank, b"\n"].concat()
}

/// The places where lines of which each is blank occur as whole lines; at most [`LIMIT`]. `blank` is the lines joined
/// by LF: empty for one line without a character; `framed` are the places where [`framed`] stands.
pub(super) fn blank_lines(pieces: &Pieces, blank: &[u8], framed: &[Cursor]) -> Vec<Cursor> {
    let line_end = |cursor| pieces.byte(cursor).is_none_or(|byte| byte == b'\n');
    // What follows the last line ending is a line only if it has a character.
    let has_last_line = |end: Cursor| end != pieces.end() || blank.last().is_some_and(|&byte| byte != b'\n');
    let start = pieces.start();
    let first = pieces.after(start, blank).filter(|&end| line_end(end) && has_last_line(end)).map(|_| start);
    let last = pieces.back(pieces.end(), blank.len()).filter(|&last| {
        last != start
            && has_last_line(pieces.end())
            && pieces.byte_before(last) == Some(b'\n')
            && pieces.after(last, blank) == Some(pieces.end())
    });
    let middle = framed.iter().map(|&before| pieces.forward(before, 1));
    first.into_iter().chain(middle).chain(last).take(LIMIT).collect()
}

struct Search<'n> {
    finder: Finder<'n>,
    limit: usize,
    found: Vec<Cursor>,
    window: Window,
}

/// A copy of the text around cuts.
#[derive(Default)]
struct Window {
    text: Vec<u8>,
    /// Where in `text` each part starts, and the place of its first byte.
    parts: Vec<(usize, Cursor)>,
}

impl Search<'_> {
    /// Looks at the next piece.
    fn piece(&mut self, pieces: &Pieces, start: Cursor, slice: &[u8]) {
        let around = self.finder.needle().len() - 1;
        if slice.len() <= around {
            self.window.push(start, slice);
            return;
        }
        self.window.push(start, slice.get(..around).unwrap_or_default());
        self.close(pieces);
        for at in overlapping(&self.finder, slice).take(self.limit.saturating_sub(self.found.len())) {
            self.found.push(pieces.forward(start, at));
        }
        let tail = slice.len() - around;
        self.window.push(pieces.forward(start, tail), slice.get(tail..).unwrap_or_default());
    }

    /// Searches the window and begins a new one.
    fn close(&mut self, pieces: &Pieces) {
        for at in
            overlapping(&self.finder, &self.window.text).take(self.limit.saturating_sub(self.found.len()))
        {
            let part = self.window.parts.partition_point(|&(start, _)| start <= at).checked_sub(1);
            if let Some(&(start, cursor)) = part.and_then(|part| self.window.parts.get(part)) {
                self.found.push(pieces.forward(cursor, at - start));
            }
        }
        self.window.text.clear();
        self.window.parts.clear();
    }
}

impl Window {
    fn push(&mut self, start: Cursor, text: &[u8]) {
        if !text.is_empty() {
            self.parts.push((self.text.len(), start));
            self.text.extend_from_slice(text);
        }
    }
}

/// The byte offsets of all occurrences, overlapping ones too. Each one costs up to the needle's length again.
fn overlapping<'a>(finder: &'a Finder<'_>, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + finder.find(text.get(from..)?)?;
        from = at + 1;
        Some(at)
    })
}
