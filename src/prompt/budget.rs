//! What fits: pieces are taken in the order of their use and printed in the order of reading.

use super::quote::fence;

/// With less left nothing more is looked for.
const LEAST: usize = 24;
/// What a line like `(and 1000 more faults)` takes at most.
const MORE: usize = 40;

/// Lines that belong together: a line of text, and code below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    line: String,
    code: Vec<String>,
}

impl Piece {
    /// A line of text, without its ending.
    pub(super) fn line(line: String) -> Self {
        Self { line, code: Vec::new() }
    }

    /// A line of text above lines of code, each without its ending.
    pub(super) fn code(line: String, code: Vec<String>) -> Self {
        Self { line, code }
    }

    /// The whole, or the line with as much of the code as fits `room` bytes; `None` when that is nothing.
    fn fit(&self, room: usize) -> Option<String> {
        let (mut text, all) = (format!("{}\n", self.line), self.code.len());
        if all == 0 {
            return Some(text).filter(|text| text.len() <= room);
        }
        let fence = fence(&self.code);
        let cut = format!("(the first {all} of {all} lines)\n").len();
        let whole: usize = self.code.iter().map(|line| line.len() + 1).sum();
        let around = text.len() + 2 * (fence.len() + 1);
        let mut left = room.checked_sub(around)?;
        if whole > left {
            left = left.checked_sub(cut)?;
        }
        let mut shown = 0;
        text.push_str(&fence);
        text.push('\n');
        for line in &self.code {
            let Some(rest) = left.checked_sub(line.len() + 1) else { break };
            left = rest;
            text.push_str(line);
            text.push('\n');
            shown += 1;
        }
        text.push_str(&fence);
        text.push('\n');
        if shown < all {
            text.push_str(&format!("(the first {shown} of {all} lines)\n"));
        }
        Some(text).filter(|_| shown > 0)
    }
}

/// A text of limited size, while it is put together.
#[derive(Debug)]
pub(super) struct Page {
    left: usize,
    head: String,
    /// The pieces of each fault.
    faults: Vec<String>,
    tail: String,
    /// Whether the line of a fault did not fit: then none gets details.
    full: bool,
}

impl Page {
    /// A page of at most `budget` bytes with room for the pieces of so many faults.
    pub(super) fn new(budget: usize, faults: usize) -> Self {
        Self {
            left: budget,
            head: String::new(),
            faults: vec![String::new(); faults],
            tail: String::new(),
            full: false,
        }
    }

    /// Whether there is no use in looking for more.
    pub(super) fn is_full(&self) -> bool {
        self.full || self.left < LEAST
    }

    /// Adds a line to what stands before everything else.
    pub(super) fn push_head(&mut self, line: String) {
        let line = self.take(&Piece::line(line), 0);
        self.head.extend(line);
    }

    /// Adds a piece about a fault, whose first piece stands below a blank line; says whether it fits.
    pub(super) fn push(&mut self, fault: usize, piece: Piece) -> bool {
        let is_first = self.faults.get(fault).is_some_and(String::is_empty);
        if self.full {
            return false;
        }
        let is_last = fault + 1 == self.faults.len();
        let reserve = if is_first { 1 + if is_last { 0 } else { MORE } } else { 0 };
        let Some(text) = self.take(&piece, reserve) else {
            self.full |= is_first;
            return false;
        };
        if let Some(slot) = self.faults.get_mut(fault) {
            if is_first {
                self.left = self.left.saturating_sub(1);
                slot.push('\n');
            }
            slot.push_str(&text);
        }
        true
    }

    /// Adds a line below all faults.
    pub(super) fn push_tail(&mut self, line: String) {
        let blank = usize::from(self.tail.is_empty());
        if let Some(line) = self.take(&Piece::line(line), blank + self.more().len()) {
            if self.tail.is_empty() {
                self.left = self.left.saturating_sub(1);
                self.tail.push('\n');
            }
            self.tail.push_str(&line);
        }
    }

    /// The text of what fits, as long as `reserve` bytes are left besides.
    fn take(&mut self, piece: &Piece, reserve: usize) -> Option<String> {
        let text = piece.fit(self.left.checked_sub(reserve)?)?;
        self.left -= text.len();
        Some(text)
    }

    /// The line that says how many faults did not fit.
    fn more(&self) -> String {
        match self.faults.iter().filter(|fault| fault.is_empty()).count() {
            0 => String::new(),
            1 => "(and 1 more fault)\n".to_owned(),
            more => format!("(and {more} more faults)\n"),
        }
    }

    pub(super) fn finish(self) -> String {
        let more = self.more();
        let mut text = self.head;
        text.extend(self.faults);
        if more.len() <= self.left {
            text.push_str(&more);
        }
        text.push_str(&self.tail);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece() -> Piece {
        Piece::code("Some lines:".to_owned(), vec!["one".to_owned(), "two".to_owned(), "three".to_owned()])
    }

    #[test]
    fn a_piece_is_whole_where_it_just_fits() {
        let whole = "Some lines:\n```\none\ntwo\nthree\n```\n";
        assert_eq!(piece().fit(whole.len()).as_deref(), Some(whole));
        let cut = piece().fit(whole.len() - 1);
        assert!(cut.is_none_or(|cut| cut.len() < whole.len()));
    }

    #[test]
    fn a_piece_without_room_for_a_line_of_code_is_none() {
        let first = "one ".repeat(20);
        let piece = Piece::code("Some lines:".to_owned(), vec![first.clone(), "two".to_owned()]);
        for room in 0..200 {
            let Some(text) = piece.fit(room) else { continue };
            assert!(text.len() <= room, "{room}: {text}");
            assert!(text.contains(&first), "{room}: {text}");
        }
    }

    #[test]
    fn the_line_of_the_last_fault_needs_no_room_for_more() {
        let line = || Piece::line("fault".to_owned());
        assert!(Page::new("\nfault\n".len(), 1).push(0, line()));
        assert!(!Page::new("\nfault\n".len(), 2).push(0, line()));
    }
}
