//! Which line of a text belongs to which line that is looked for, around one place.

use super::Needle;
use super::effort::Effort;
use super::index::Index;

/// Lines that are less alike, in thousandths, are different lines.
pub(super) const LEAST: u32 = 600;
/// How many lines more or fewer the text may have by any line.
const MOST_SHIFT: usize = 20;

/// A line that is looked for, one of the text, or both when they belong together. Numbers are from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The line that is looked for.
    pub(crate) wanted: Option<usize>,
    /// The line of the text.
    pub(crate) found: Option<usize>,
    /// How alike they are in thousandths; 0 where one is missing.
    pub(crate) similarity: u32,
}

/// The lines that belong together, and how well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alignment {
    pub(super) pairs: Vec<Pair>,
    /// In thousandths.
    pub(super) similarity: u32,
}

/// Aligns the needle with the text around the line at which it would start, by the best sum of similarities.
pub(super) fn align(
    needle: &Needle<'_>,
    text: &[u8],
    index: &Index,
    start: i64,
    effort: &mut Effort,
) -> Option<Alignment> {
    let shift = (3 + needle.lines.len() / 4).min(MOST_SHIFT);
    let mut band = Band { needle, index, start, shift, cells: Vec::new() };
    band.fill(text, effort)?;
    Some(band.alignment())
}

/// The table of a dynamic program: for each line of the needle the lines of the text that may belong to it.
struct Band<'a> {
    needle: &'a Needle<'a>,
    index: &'a Index,
    /// The line of the text that belongs to the needle's first one, if nothing is shifted.
    start: i64,
    shift: usize,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    /// How alike the two lines are.
    similarity: u32,
    /// The best sum from here on.
    sum: i64,
    step: Step,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Step {
    #[default]
    Pair,
    SkipWanted,
    SkipFound,
}

impl Band<'_> {
    fn width(&self) -> usize {
        2 * self.shift + 1
    }

    /// The line of the text in a column of a row, if there is one.
    fn line(&self, row: usize, column: usize) -> Option<usize> {
        let line = self
            .start
            .checked_add_unsigned((row + column) as u64)?
            .checked_sub_unsigned(self.shift as u64)?;
        usize::try_from(line).ok().filter(|&line| line < self.index.len())
    }

    fn cell(&self, row: usize, column: usize) -> Cell {
        if column >= self.width() {
            return Cell::default();
        }
        self.cells.get(row * self.width() + column).copied().unwrap_or_default()
    }

    fn fill(&mut self, text: &[u8], effort: &mut Effort) -> Option<()> {
        let (rows, width) = (self.needle.lines.len(), self.width());
        effort.spend(4 * rows * width)?;
        self.cells = vec![Cell::default(); rows * width];
        for row in (0..rows).rev() {
            for column in (0..width).rev() {
                let cell = self.step(row, column, text, effort)?;
                if let Some(entry) = self.cells.get_mut(row * width + column) {
                    *entry = cell;
                }
            }
        }
        Some(())
    }

    fn step(&self, row: usize, column: usize, text: &[u8], effort: &mut Effort) -> Option<Cell> {
        let found = self.line(row, column).and_then(|line| self.index.entry(line));
        let mut cell = Cell { step: Step::SkipWanted, ..Cell::default() };
        if let Some(below) = column.checked_sub(1) {
            cell.sum = self.cell(row + 1, below).sum;
        }
        let Some(found) = found else { return Some(cell) };
        let skip = self.cell(row, column + 1).sum - i64::from(found.weight) * 100;
        if skip > cell.sum {
            cell = Cell { sum: skip, step: Step::SkipFound, ..cell };
        }
        cell.similarity = self.needle.similarity(row, found, text, effort)?;
        if cell.similarity >= LEAST {
            let weight = self.needle.lines.get(row).map_or(0, |line| line.weight);
            // A pair of blank lines counts a little, so that it is preferred to leaving both out.
            let pair = self.cell(row + 1, column).sum + i64::from(weight * cell.similarity).max(1);
            if pair >= cell.sum {
                cell = Cell { sum: pair, step: Step::Pair, ..cell };
            }
        }
        Some(cell)
    }

    fn alignment(&self) -> Alignment {
        // Of columns that are equally good, the one that shifts least.
        let column = (0..self.width())
            .min_by_key(|&column| (-self.cell(0, column).sum, column.abs_diff(self.shift)))
            .unwrap_or(0);
        let pairs = fill_gaps(self.walk(column));
        Alignment { similarity: self.similarity(&pairs), pairs }
    }

    /// The pairs of the best way from a column of the first row, lines of the text before and after them left out.
    fn walk(&self, mut column: usize) -> Vec<Pair> {
        let (mut row, mut pairs) = (0, Vec::with_capacity(self.needle.lines.len()));
        while row < self.needle.lines.len() {
            let cell = self.cell(row, column);
            let (wanted, found) = (Some(row), self.line(row, column));
            match cell.step {
                Step::Pair => {
                    pairs.push(Pair { wanted, found, similarity: cell.similarity });
                    row += 1;
                }
                Step::SkipWanted => {
                    pairs.push(Pair { wanted, found: None, similarity: 0 });
                    row += 1;
                    match column.checked_sub(1) {
                        Some(below) => column = below,
                        None => {
                            pairs.extend((row..self.needle.lines.len()).map(|row| Pair {
                                wanted: Some(row),
                                found: None,
                                similarity: 0,
                            }));
                            break;
                        }
                    }
                }
                Step::SkipFound => {
                    pairs.push(Pair { wanted: None, found, similarity: 0 });
                    column += 1;
                }
            }
        }
        pairs
    }

    fn similarity(&self, pairs: &[Pair]) -> u32 {
        let (mut common, mut whole) = (0, 0);
        for pair in pairs {
            let wanted =
                pair.wanted.and_then(|line| self.needle.lines.get(line)).map_or(0, |line| line.weight);
            let found = pair.found.and_then(|line| self.index.entry(line)).map_or(0, |line| line.weight);
            whole += u64::from(wanted + found);
            if pair.wanted.is_some() && pair.found.is_some() {
                common += u64::from(wanted + found) * u64::from(pair.similarity);
            }
        }
        common.checked_div(whole).and_then(|part| u32::try_from(part).ok()).unwrap_or(0)
    }
}

/// Puts as many lines that are only wanted beside as many that are only in the text, where they stand between pairs:
/// each is what became of the other.
fn fill_gaps(pairs: Vec<Pair>) -> Vec<Pair> {
    let both = |pair: &Pair| pair.wanted.is_some() && pair.found.is_some();
    let mut filled: Vec<Pair> = Vec::with_capacity(pairs.len());
    let mut rest = pairs.as_slice();
    while let Some(first) = rest.first() {
        if both(first) {
            filled.push(*first);
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let length = rest.iter().position(both).unwrap_or(rest.len());
        let (gap, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        let wanted: Vec<usize> = gap.iter().filter_map(|pair| pair.wanted).collect();
        let found: Vec<usize> = gap.iter().filter_map(|pair| pair.found).collect();
        if wanted.len() == found.len() {
            filled.extend(wanted.into_iter().zip(found).map(|(wanted, found)| Pair {
                wanted: Some(wanted),
                found: Some(found),
                similarity: 0,
            }));
        } else {
            filled.extend_from_slice(gap);
        }
        rest = after;
    }
    filled
}
