//! [`Pattern`]: a line to compare many others with.
//!
//! The measure is the longest common subsequence of the bytes, found for 64 of them in one step (Hyyrö 2004), so that
//! comparing twelve lines with ten thousand takes a few milliseconds.

/// Of longer lines only so much is compared.
const LIMIT: usize = 512;
/// The number of different bytes.
const BYTES: usize = 256;

/// A line to compare many others with.
#[derive(Debug)]
pub(super) struct Pattern {
    /// For each 64 bytes of the line and each value of a byte, where among the 64 it stands.
    words: Vec<[u64; BYTES]>,
    len: usize,
}

impl Pattern {
    /// What making one costs, in units of effort.
    pub(super) const COST: usize = BYTES;

    pub(super) fn new(line: &[u8]) -> Self {
        let line = line.get(..LIMIT).unwrap_or(line);
        let words = line.chunks(64).map(|chunk| {
            let mut places = [0; BYTES];
            for (bit, &byte) in chunk.iter().enumerate() {
                if let Some(mask) = places.get_mut(usize::from(byte)) {
                    *mask |= 1 << bit;
                }
            }
            places
        });
        Self { words: words.collect(), len: line.len() }
    }

    /// What comparing it with a line costs, in units of effort.
    pub(super) fn cost(&self, line: &[u8]) -> usize {
        self.words.len() * line.len().min(LIMIT) + 1
    }

    /// How alike the line is, in thousandths: twice the common bytes over the bytes of both. 0 where the lengths alone
    /// keep it under `least`.
    pub(super) fn similarity(&self, line: &[u8], least: u32) -> u32 {
        let line = line.get(..LIMIT).unwrap_or(line);
        let both = self.len + line.len();
        if both == 0 {
            return 1000;
        }
        if thousandths(2 * self.len.min(line.len()), both) < least {
            return 0;
        }
        thousandths(2 * self.common(line), both)
    }

    /// The length of the longest common subsequence.
    fn common(&self, line: &[u8]) -> usize {
        if let [places] = self.words.as_slice() {
            let mut row = u64::MAX;
            for &byte in line {
                let here = places.get(usize::from(byte)).copied().unwrap_or(0);
                let both = row & here;
                row = row.wrapping_add(both) | (row - both);
            }
            return row.count_zeros() as usize;
        }
        let mut rows = vec![u64::MAX; self.words.len()];
        for &byte in line {
            let mut carry = 0;
            for (row, places) in rows.iter_mut().zip(&self.words) {
                let here = places.get(usize::from(byte)).copied().unwrap_or(0);
                let both = *row & here;
                let (sum, first) = row.overflowing_add(both);
                let (sum, second) = sum.overflowing_add(carry);
                *row = sum | (*row - both);
                carry = u64::from(first || second);
            }
        }
        // Bits past the line's end never come to be 0: no byte stands there.
        rows.iter().map(|row| row.count_zeros() as usize).sum()
    }
}

/// A part of a whole, in thousandths.
pub(super) fn thousandths(part: usize, whole: usize) -> u32 {
    (part * 1000).checked_div(whole).and_then(|part| u32::try_from(part).ok()).unwrap_or(1000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by the textbook.
    fn longest_common(one: &[u8], other: &[u8]) -> usize {
        let mut row = vec![0; other.len() + 1];
        for a in one {
            let mut diagonal = 0;
            for (at, b) in other.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if a == b { diagonal + 1 } else { row[at].max(above) };
                diagonal = above;
            }
        }
        row[other.len()]
    }

    proptest! {
        #[test]
        fn it_is_the_longest_common_subsequence(one in "[abc]{0,200}", other in "[abcd]{0,200}") {
            let common = Pattern::new(one.as_bytes()).common(other.as_bytes());
            prop_assert_eq!(common, longest_common(one.as_bytes(), other.as_bytes()));
        }
    }

    #[test]
    fn similarity_is_measured_against_both_lines() {
        let pattern = Pattern::new(b"abcd");
        assert_eq!(pattern.similarity(b"abcd", 0), 1000);
        assert_eq!(pattern.similarity(b"abxd", 0), 750);
        assert_eq!(pattern.similarity(b"", 0), 0);
        assert_eq!(pattern.similarity(b"abcdabcdabcdabcd", 500), 0, "the lengths are too different");
        assert_eq!(Pattern::new(b"").similarity(b"", 0), 1000);
    }
}
