//! Lines and columns of many offsets in one pass over the text.

use super::{Position, Source, Span, offset as bounded};

/// The positions of the offsets that were asked for.
///
/// Each column alone costs a walk from the line's start; with many offsets on one huge line that would be quadratic.
#[derive(Debug, Clone)]
pub struct Positions {
    /// By offset.
    table: Vec<Position>,
}

impl Positions {
    /// The positions of the starts and ends of spans of the source.
    #[must_use]
    pub fn new(source: &Source<'_>, spans: &[Span]) -> Self {
        let mut offsets: Vec<u32> = spans.iter().flat_map(|span| [span.start, span.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut table: Vec<Position> = Vec::with_capacity(offsets.len());
        for offset in offsets {
            let next = match table.last() {
                Some(&last) => advance(source, last, offset),
                None => source.position(offset),
            };
            table.push(next);
        }
        Self { table }
    }

    /// The position of a start or end of one of the spans.
    #[must_use]
    pub fn of(&self, offset: u32) -> Position {
        let index = self.table.partition_point(|position| position.offset < offset);
        let position = self.table.get(index).or(self.table.last()).copied();
        position.unwrap_or(Position { offset, line: 1, byte_column: 1, column: 1, utf16: 1 })
    }
}

/// The position of an offset at or after `from`: counted on from there when both are on one line.
fn advance(source: &Source<'_>, from: Position, offset: u32) -> Position {
    if source.line_index().line(offset) != from.line {
        return source.position(offset);
    }
    let between = source.slice(Span::new(from.offset, offset));
    Position {
        offset,
        line: from.line,
        byte_column: from.byte_column + bounded(between.len()),
        column: from.column + bounded(between.chars().count()),
        utf16: from.utf16 + bounded(between.encode_utf16().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_that_the_source_gives_one_by_one() {
        let text = "a\u{fc}b\r\n\n\u{1f600}x\u{fc}\ny";
        let source = Source::new(text).unwrap();
        let offsets: Vec<u32> =
            (0..=text.len()).filter(|&at| text.is_char_boundary(at)).map(|at| at as u32).collect();
        let spans: Vec<Span> = offsets
            .iter()
            .rev()
            .zip(&offsets)
            .map(|(&one, &other)| Span::new(one.min(other), one.max(other)))
            .collect();
        let positions = Positions::new(&source, &spans);
        for offset in offsets {
            assert_eq!(positions.of(offset), source.position(offset), "{offset}");
        }
    }

    #[test]
    fn many_places_on_one_line_take_one_pass() {
        let text = "x".repeat(4 << 20);
        let source = Source::new(&text).unwrap();
        let spans: Vec<Span> = (0..200_000).map(|number| Span::empty(number * 20)).collect();
        let positions = Positions::new(&source, &spans); // 4 * 10^11 steps when each walks from the line's start
        assert_eq!(positions.of(199_999 * 20).column, 199_999 * 20 + 1);
    }
}
