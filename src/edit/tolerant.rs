//! Finding whole lines with the spaces and tabs at their ends ignored.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::pieces::{Cursor, Pieces};

/// The longest of these lines without the spaces and tabs at their ends, none empty: wherever the lines match, each of
/// them stands, and it stands rarely.
pub(super) fn landmarks(needle: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = split(needle).filter(|line| !line.is_empty()).collect();
    lines.sort_by_key(|line| Reverse(line.len()));
    lines.dedup();
    lines.truncate(3);
    lines
}

/// The stretches of whole lines that are these lines when spaces and tabs at the ends of lines are ignored, each
/// from its first line's start to its last line's end, that line's ending not included; overlapping ones too; at most
/// `limit`. `needle` is the lines joined by LF; `landmark` is one of the [`landmarks`] and all the places where it
/// stands, inside lines too. Without it, this is a pass over the whole text.
pub(super) fn lines(
    pieces: &Pieces,
    needle: &[u8],
    landmark: Option<(&[u8], Vec<Cursor>)>,
    limit: usize,
) -> Vec<(Cursor, Cursor)> {
    let wanted: Vec<&[u8]> = split(needle).collect();
    if let Some((landmark, places)) = landmark
        && let Some(number) = wanted.iter().position(|line| *line == landmark)
    {
        return places.iter().filter_map(|&place| around(pieces, &wanted, number, place)).collect();
    }
    let mut matcher = Matcher::new(&wanted);
    let mut found = Vec::new();
    each_line(pieces, pieces.start(), |start, text, end| {
        if let Some(first) = matcher.line(start, trim(text)) {
            found.push((first, end));
        }
        if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    found
}

/// The stretch of whole lines that are these, if line `number` of them stands at a place.
fn around(pieces: &Pieces, wanted: &[&[u8]], number: usize, place: Cursor) -> Option<(Cursor, Cursor)> {
    let mut first = place;
    if pieces.byte_before(first).is_some_and(|byte| byte != b'\n') {
        return None;
    }
    for _ in 0..number {
        first = pieces.line_start_before(first)?;
    }
    let mut rest = wanted.iter();
    let mut last = None;
    each_line(pieces, first, |_, text, end| match rest.next() {
        Some(line) if *line == trim(text) => {
            last = Some(end);
            if rest.len() == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        _ => {
            last = None;
            ControlFlow::Break(())
        }
    });
    (rest.len() == 0).then_some((first, last?))
}

/// The lines without spaces and tabs at their ends.
fn split(needle: &[u8]) -> impl Iterator<Item = &[u8]> {
    needle.split(|&byte| byte == b'\n').map(trim)
}

/// The line without spaces and tabs at its end.
fn trim(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1);
    line.get(..end).unwrap_or_default()
}

/// Gives every line to `visit`, from the one on that starts at `from`: its start, its text without ending, and its
/// end. What follows the last line ending is a line only if it has a character.
fn each_line(pieces: &Pieces, from: Cursor, mut visit: impl FnMut(Cursor, &[u8], Cursor) -> ControlFlow<()>) {
    // The beginning of a line that a cut goes through.
    let mut begun: Option<Cursor> = None;
    let mut copy = Vec::new();
    for (here, slice) in pieces.slices(from) {
        let mut from = 0;
        for at in memchr::memchr_iter(b'\n', slice) {
            let text = slice.get(from..at).unwrap_or_default();
            let end = pieces.forward(here, at);
            let flow = match begun.take() {
                None => visit(pieces.forward(here, from), text, end),
                Some(start) => {
                    copy.extend_from_slice(text);
                    let flow = visit(start, &copy, end);
                    copy.clear();
                    flow
                }
            };
            if flow.is_break() {
                return;
            }
            from = at + 1;
        }
        let rest = slice.get(from..).unwrap_or_default();
        if !rest.is_empty() {
            begun = begun.or(Some(pieces.forward(here, from)));
            copy.extend_from_slice(rest);
        }
    }
    if let Some(start) = begun {
        let _ = visit(start, &copy, pieces.end());
    }
}

/// The automaton of Knuth, Morris and Pratt, over lines instead of characters: no line is read twice.
struct Matcher<'n> {
    wanted: &'n [&'n [u8]],
    /// For each number of matched lines, the next smaller one whose lines end the same.
    shorter: Vec<usize>,
    matched: usize,
    /// Where the latest lines start, as many as are wanted.
    starts: VecDeque<Cursor>,
}

impl<'n> Matcher<'n> {
    fn new(wanted: &'n [&'n [u8]]) -> Self {
        let mut matcher = Self { wanted, shorter: vec![0; 2], matched: 0, starts: VecDeque::new() };
        for line in wanted.iter().skip(1) {
            let matched = matcher.step(matcher.matched, line);
            matcher.matched = matched;
            matcher.shorter.push(matched);
        }
        matcher.matched = 0;
        matcher
    }

    /// How many lines are matched once `line` follows `matched` lines that are.
    fn step(&self, mut matched: usize, line: &[u8]) -> usize {
        loop {
            if self.wanted.get(matched) == Some(&line) {
                return matched + 1;
            }
            if matched == 0 {
                return 0;
            }
            matched = self.shorter.get(matched).copied().unwrap_or(0);
        }
    }

    /// Takes the next line; the start of the first wanted line if this one is the last.
    fn line(&mut self, start: Cursor, line: &[u8]) -> Option<Cursor> {
        self.starts.push_back(start);
        if self.starts.len() > self.wanted.len() {
            self.starts.pop_front();
        }
        self.matched = self.step(self.matched, line);
        if self.matched < self.wanted.len() {
            return None;
        }
        self.matched = self.shorter.get(self.matched).copied().unwrap_or(0);
        self.starts.front().copied()
    }
}
