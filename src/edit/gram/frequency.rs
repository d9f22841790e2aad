//! Grams of texts, their hashes, and how often they occur.

/// A gram at more than one of so many places of the sample is too frequent, if there is another way.
const FREQUENT: u32 = 1024;

/// One that the sample has no more often is not: that may be chance.
const FEW: u32 = 4;

/// A gram in the sample stands for so many in the text.
const IN_SAMPLE: u32 = 16;

/// How often grams occur, roughly: those of the same hash count as one.
pub(super) struct Frequency {
    counts: Vec<u32>,
    shift: u32,
    /// A gram that is more frequent is too frequent, if there is another way.
    pub(super) frequent: u32,
}

impl Frequency {
    /// Of the grams of these texts and of a sample.
    pub(super) fn new<const LEN: usize>(texts: &[(usize, &[u8])], sample: &[u8]) -> Self {
        let heads = || texts.iter().map(|(_, text)| head(text));
        let size: usize = heads().map(<[u8]>::len).sum();
        let bits = size.next_power_of_two().trailing_zeros().clamp(12, 20);
        let places = u32::try_from(sample.len()).unwrap_or(u32::MAX);
        let frequent = (places / FREQUENT).max(FEW).saturating_mul(IN_SAMPLE);
        let mut frequency = Self { counts: vec![0; 1 << bits], shift: 64 - bits, frequent };
        grams::<LEN>(sample).for_each(|gram| frequency.add(gram, IN_SAMPLE));
        heads().flat_map(grams::<LEN>).for_each(|gram| frequency.add(gram, 1));
        frequency
    }

    fn add(&mut self, gram: u64, times: u32) {
        if let Some(count) = self.counts.get_mut(hash(gram, self.shift)) {
            *count = count.saturating_add(times);
        }
    }

    pub(super) fn of(&self, gram: u64) -> u32 {
        self.counts.get(hash(gram, self.shift)).copied().unwrap_or(0)
    }
}

/// As much of a text as its grams are chosen from.
pub(super) fn head(text: &[u8]) -> &[u8] {
    text.get(..512).unwrap_or(text)
}

/// The upper bits of a product with an odd number, 2^64 divided by the golden ratio.
#[inline]
pub(super) fn hash(gram: u64, shift: u32) -> usize {
    // At most 23 bits are left, so nothing is cut off.
    (gram.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

#[inline]
pub(super) fn gram_of<const LEN: usize>(window: &[u8; LEN]) -> u64 {
    let mut bytes = [0; 8];
    if let Some(low) = bytes.first_chunk_mut() {
        *low = *window;
    }
    u64::from_le_bytes(bytes)
}

/// The grams at each place of a text.
pub(super) fn grams<const LEN: usize>(text: &[u8]) -> impl Iterator<Item = u64> + '_ {
    text.windows(LEN).filter_map(|window| window.first_chunk()).map(gram_of::<LEN>)
}
