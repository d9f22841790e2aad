//! [`Filter`]: a set that may say yes too often, and costs next to nothing.

/// Most lines of a file are in no hunk; this tells so of nearly all of them without looking at more than their ends.
#[derive(Debug)]
pub(super) struct Filter {
    bits: Vec<u64>,
}

/// The number of bits, a power of two.
const BITS: u64 = 1 << 16;

impl Default for Filter {
    fn default() -> Self {
        Self { bits: vec![0; 1 << 10] }
    }
}

impl Filter {
    pub(super) fn add(&mut self, line: &[u8]) {
        self.add_hash(ends(line));
    }

    pub(super) fn may_have(&self, line: &[u8]) -> bool {
        self.may_have_hash(ends(line))
    }

    pub(super) fn add_hash(&mut self, hash: u64) {
        let (word, bit) = place(hash);
        if let Some(word) = self.bits.get_mut(word) {
            *word |= bit;
        }
    }

    pub(super) fn may_have_hash(&self, hash: u64) -> bool {
        let (word, bit) = place(hash);
        self.bits.get(word).is_some_and(|word| word & bit != 0)
    }
}

fn place(hash: u64) -> (usize, u64) {
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0xff51_afd7_ed55_8ccd) >> 40;
    let bit = mixed % BITS;
    (usize::try_from(bit / 64).unwrap_or(0), 1 << (bit % 64))
}

/// A hash of a line's length, its first eight bytes and its last eight.
fn ends(line: &[u8]) -> u64 {
    let eight = |bytes: Option<&[u8; 8]>| bytes.map(|bytes| u64::from_le_bytes(*bytes));
    let of_short = || line.iter().fold(0, |hash, &byte| (hash << 8) | u64::from(byte));
    let first = eight(line.first_chunk()).unwrap_or_else(of_short);
    let last = eight(line.last_chunk()).unwrap_or(0);
    first.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ last ^ (line.len() as u64) << 48
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_there_and_nearly_nothing_else() {
        let line = |number: usize| format!("    let name_{number:05} = value;");
        let mut filter = Filter::default();
        (0..500).for_each(|number| filter.add(line(number).as_bytes()));
        assert!((0..500).all(|number| filter.may_have(line(number).as_bytes())));
        // They differ in neither the first nor the last bytes, that is in nothing that is looked at.
        assert!(filter.may_have(line(500).as_bytes()));
        let mut filter = Filter::default();
        let lines = |number: usize| {
            [
                format!("{number}"),
                format!("{number} is first"),
                format!("last is {number}"),
                "x".repeat(number),
            ]
        };
        (0..500).flat_map(lines).for_each(|line| filter.add(line.as_bytes()));
        assert!((0..500).flat_map(lines).all(|line| filter.may_have(line.as_bytes())));
        let wrong = (500..2_500).flat_map(lines).filter(|line| filter.may_have(line.as_bytes())).count();
        assert!(wrong < 8_000 / 20, "{wrong} of 8000");
    }
}
