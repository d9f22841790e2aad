//! Where a diff stands in its text, and which lines that makes its own.

use nom::{IResult, Input, Parser};

use crate::grammar::input::{LineInput, Mismatch, line_input};
use crate::grammar::lines::{Kind, Line, Lines};
use crate::source::offset;

/// What is around a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Prose: only what is surely a diff is one.
    Prose,
    /// The body of a fence that is tagged as a diff: what may be a diff is one.
    Fence,
}

/// Where a diff stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) place: Place,
    /// Whether the whole diff is indented, so that a line which is less so is not its own.
    pub(super) indented: bool,
}

impl Layout {
    /// The layout of a diff that starts with the first of these lines, and the lines without its indentation.
    pub(super) fn of(lines: Lines<'_>, place: Place) -> (Self, Lines<'_>) {
        let text = lines.peek().map_or("", |line| lines.text_of(line));
        let margin = text.bytes().take_while(|&byte| byte == b' ').count();
        let indent = lines.indent() + offset(margin);
        (Self { place, indented: margin > 0 }, lines.indented(indent))
    }

    /// The offset at which a line's text starts, its indentation cut; `None` for a line that is indented less than the
    /// diff.
    pub(super) fn start(self, lines: Lines<'_>, line: Line) -> Option<u32> {
        let start = lines.span_of(line).start;
        let less = self.indented && line.kind != Kind::Blank && start - line.start < lines.indent();
        (!less).then_some(start)
    }

    /// The same offset and the byte there, which is that of the line's ending where nothing else is left.
    #[inline]
    pub(super) fn lead(self, lines: Lines<'_>, line: Line) -> Option<(u32, u8)> {
        // The text is long out of the processor's cache.
        if lines.indent() == 0 { Some((line.start, line.lead)) } else { self.indented_lead(lines, line) }
    }

    #[cold]
    fn indented_lead(self, lines: Lines<'_>, line: Line) -> Option<(u32, u8)> {
        let start = self.start(lines, line)?;
        Some((start, lines.source_text().as_bytes().get(start as usize).copied().unwrap_or_default()))
    }

    /// A line's text, its indentation cut; `None` for a line that is indented less than the diff.
    pub(super) fn text<'s>(self, lines: Lines<'s>, line: Line) -> Option<&'s str> {
        self.start(lines, line).map(|_| lines.text_of(line))
    }

    /// The text of the line with this index from 0.
    pub(super) fn text_at(self, lines: Lines<'_>, index: usize) -> Option<&str> {
        self.text(lines, lines.get(index)?)
    }

    /// Whether the line with this index from 0 begins with `---` and a blank or its end.
    pub(super) fn is_old_line(self, lines: Lines<'_>, index: usize) -> bool {
        self.begins(lines, index, Kind::OldName, "---")
    }

    /// Whether the line with this index from 0 begins with `+++` and a blank or its end.
    pub(super) fn is_new_line(self, lines: Lines<'_>, index: usize) -> bool {
        self.begins(lines, index, Kind::NewName, "+++")
    }

    /// Whether the line with this index from 0 is a hunk header.
    pub(super) fn is_hunk_header(self, lines: Lines<'_>, index: usize) -> bool {
        self.begins(lines, index, Kind::HunkHeader, "@@")
            && self
                .text_at(lines, index)
                .and_then(|text| text.get(2..))
                .is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t', '-', '@']))
    }

    /// Whether a file's headers start at this index: `---`, `+++`, `@@` on three successive lines.
    pub(super) fn is_header_triple(self, lines: Lines<'_>, index: usize) -> bool {
        self.is_old_line(lines, index)
            && self.is_new_line(lines, index + 1)
            && self.is_hunk_header(lines, index + 2)
    }

    /// Whether the line with this index from 0 is of a file's headers that lack a line: `---` or `+++` and a name, and
    /// behind it, with nothing between but blank lines and one without sign, a `+++` line or a hunk header.
    pub(super) fn is_broken_header(self, lines: Lines<'_>, index: usize) -> bool {
        let is_old = self.is_old_line(lines, index);
        let named = self.text_at(lines, index).is_some_and(has_one_word);
        if !named || !is_old && !self.is_new_line(lines, index) || self.is_header_triple(lines, index) {
            return false;
        }
        let mut words = 0;
        for below in index + 1..lines.input_len() {
            let Some(text) = self.text_at(lines, below) else {
                return false;
            };
            let goes_on = is_old && text.trim_start_matches(' ').starts_with("+++ ");
            if goes_on || self.is_hunk_header(lines, below) {
                return true;
            }
            if lines.get(below).is_some_and(|line| line.kind != Kind::Blank) {
                words += 1;
                if words > 1 || text.starts_with([' ', '+', '-', '\\']) {
                    return false;
                }
            }
        }
        false
    }

    fn begins(self, lines: Lines<'_>, index: usize, kind: Kind, word: &str) -> bool {
        lines.get(index).is_some_and(|line| {
            line.kind == kind && self.text(lines, line).is_some_and(|text| text.starts_with(word))
        })
    }
}

/// Whether one word stands behind `---` or `+++` and a blank, up to a tab.
pub(super) fn has_one_word(text: &str) -> bool {
    let name = text.get("---".len()..).and_then(|rest| rest.strip_prefix(' ')).unwrap_or_default();
    let name = name.split('\t').next().unwrap_or_default().trim_end();
    !name.is_empty() && !name.contains(' ')
}

/// One line of the diff, read by `parser`.
pub(super) fn line<'s, O, P>(
    layout: Layout,
    mut parser: P,
) -> impl Parser<Lines<'s>, Output = O, Error = Mismatch>
where
    P: Parser<LineInput<'s>, Output = O, Error = Mismatch>,
{
    move |lines: Lines<'s>| -> IResult<Lines<'s>, O, Mismatch> {
        let first = lines.peek().filter(|&first| layout.text(lines, first).is_some());
        let first = first.ok_or(nom::Err::Error(Mismatch))?;
        let (_, output) = parser.parse(line_input(lines, first))?;
        Ok((lines.take_from(1), output))
    }
}

/// A line of nothing but spaces and tabs.
pub(super) fn blank_line(lines: Lines<'_>) -> IResult<Lines<'_>, (), Mismatch> {
    match lines.peek() {
        Some(line) if line.kind == Kind::Blank => Ok((lines.take_from(1), ())),
        _ => Err(nom::Err::Error(Mismatch)),
    }
}
