//! [`Print`]: what a file's content is known by after a crash.

use std::hash::{BuildHasher, RandomState};
use std::io;

use crate::apply::fs::{Fs, Kind, again};

/// How much is read at once.
pub(super) const CHUNK: usize = 128 * 1024;

/// Content and mode of a file, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Print {
    /// A keyed hash of the content.
    pub(super) hash: u128,
    /// The content's size in bytes.
    pub(super) size: u64,
    /// The permission bits.
    pub(super) mode: u32,
}

impl Print {
    /// Of content in memory.
    pub(super) fn of(seed: u64, bytes: &[u8], mode: u32) -> Self {
        let mut hasher = Hasher::new(seed);
        hasher.update(bytes);
        Self { hash: hasher.finish(), size: bytes.len() as u64, mode }
    }

    fn same_content(&self, other: &Self) -> bool {
        self.hash == other.hash && self.size == other.size
    }
}

/// What is found at a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// Nothing.
    Missing,
    /// A regular file.
    File {
        /// Its content and mode.
        print: Print,
        /// What tells it from every other file.
        id: (u64, u64),
    },
    /// A directory, a link or the like.
    Other,
}

impl Seen {
    /// Whether it is this content. The mode tells only where the entry changes nothing else.
    pub(super) fn is(&self, wanted: &Print, by_mode: bool) -> bool {
        match self {
            Self::File { print, .. } => print.same_content(wanted) && (!by_mode || print.mode == wanted.mode),
            _ => false,
        }
    }

    /// The file's identity.
    pub(super) fn id(&self) -> Option<(u64, u64)> {
        match self {
            Self::File { id, .. } => Some(*id),
            _ => None,
        }
    }
}

/// Looks what is at a name, and reads it if it is a file.
pub(super) fn see<F: Fs>(fs: &F, seed: u64, dir: &F::Dir, name: &str) -> io::Result<Seen> {
    let stat = match fs.stat(dir, name) {
        Ok(stat) => stat,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Seen::Missing),
        Err(error) => return Err(error),
    };
    if stat.kind != Kind::File {
        return Ok(Seen::Other);
    }
    let mut file = fs.open_file(dir, name)?;
    let stat = fs.stat_file(&file)?;
    if stat.kind != Kind::File {
        return Ok(Seen::Other);
    }
    let mut hasher = Hasher::new(seed);
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut size = 0;
    loop {
        fill(fs, &mut file, &mut chunk)?;
        if chunk.is_empty() {
            break;
        }
        hasher.update(&chunk);
        size += chunk.len() as u64;
    }
    Ok(Seen::File { print: Print { hash: hasher.finish(), size, mode: stat.mode }, id: stat.id() })
}

/// Reads the next chunk: as much as there is room for, or up to the end of the file.
pub(super) fn fill<F: Fs>(fs: &F, file: &mut F::File, chunk: &mut Vec<u8>) -> io::Result<()> {
    chunk.clear();
    while chunk.len() < chunk.capacity() && again(|| fs.read(file, chunk))? > 0 {}
    Ok(())
}

/// A seed that nobody knows before: a content cannot be made to look like another.
pub(super) fn seed() -> u64 {
    RandomState::new().hash_one(0_u64)
}

/// A keyed 128-bit hash of about eight bytes a cycle: two lanes, each folding 16 bytes by one wide multiplication.
/// It guards against accidents, and by its secret seed against contents made to collide; it is no signature.
struct Hasher {
    lanes: [u64; 2],
    size: u64,
    /// The beginning of a block, filled up to `size % 32`.
    begun: [u8; BLOCK],
}

const BLOCK: usize = 32;

const KEYS: [u64; 6] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd6e8_feb8_6659_fd93,
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
];

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high
}

fn words(block: &[u8; BLOCK]) -> [u64; 4] {
    let mut words = [0; 4];
    let (parts, _) = block.as_chunks::<8>();
    for (word, part) in words.iter_mut().zip(parts) {
        *word = u64::from_le_bytes(*part);
    }
    words
}

impl Hasher {
    fn new(seed: u64) -> Self {
        let [first, second, ..] = KEYS;
        Self { lanes: [seed ^ first, seed.rotate_left(32) ^ second], size: 0, begun: [0; BLOCK] }
    }

    fn update(&mut self, mut bytes: &[u8]) {
        let filled = (self.size % BLOCK as u64) as usize;
        self.size += bytes.len() as u64;
        if filled > 0 {
            let (_, free) = self.begun.split_at_mut(filled);
            let (now, later) = bytes.split_at(free.len().min(bytes.len()));
            for (to, from) in free.iter_mut().zip(now) {
                *to = *from;
            }
            if now.len() < BLOCK - filled {
                return;
            }
            let block = self.begun;
            self.block(&block);
            bytes = later;
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for block in blocks {
            self.block(block);
        }
        for (to, from) in self.begun.iter_mut().zip(rest) {
            *to = *from;
        }
    }

    fn block(&mut self, block: &[u8; BLOCK]) {
        let [_, _, first, second, third, fourth] = KEYS;
        let [a, b, c, d] = words(block);
        let [one, two] = self.lanes;
        // Each lane sees all four words, so that neither half of the result is weaker than the other.
        let mixed = fold(a ^ first ^ one, b ^ second) ^ c.rotate_left(23);
        let other = fold(c ^ third ^ two, d ^ fourth) ^ a.rotate_left(41);
        self.lanes = [
            mixed.wrapping_add(d).rotate_left(29) ^ one.wrapping_mul(first),
            other.wrapping_add(b) ^ two.wrapping_mul(second),
        ];
    }

    fn finish(mut self) -> u128 {
        let filled = (self.size % BLOCK as u64) as usize;
        if filled > 0 {
            let mut block = self.begun;
            block.iter_mut().skip(filled).for_each(|byte| *byte = 0);
            self.block(&block);
        }
        let [first, second, third, fourth, ..] = KEYS;
        let [one, two] = self.lanes;
        let high = fold(fold(one ^ first, self.size ^ second), two ^ third);
        let low = fold(fold(two ^ fourth, self.size ^ first), one ^ second);
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{CHUNK, Hasher, Print};

    fn whole(seed: u64, bytes: &[u8]) -> u128 {
        Print::of(seed, bytes, 0).hash
    }

    #[test]
    fn parts_give_the_same_as_the_whole() {
        let bytes: Vec<u8> = (0..3 * CHUNK + 77).map(|n| (n * 31 % 251) as u8).collect();
        for size in [1, 5, 31, 32, 33, 1000, CHUNK] {
            let mut hasher = Hasher::new(7);
            for part in bytes.chunks(size) {
                hasher.update(part);
            }
            assert_eq!(hasher.finish(), whole(7, &bytes), "parts of {size}");
        }
    }

    #[test]
    fn every_bit_and_the_length_count() {
        let base = vec![0_u8; 200];
        let mut seen = HashSet::from([whole(1, &base)]);
        for byte in 0..base.len() {
            for bit in 0..8 {
                let mut other = base.clone();
                other[byte] ^= 1 << bit;
                assert!(seen.insert(whole(1, &other)), "byte {byte}, bit {bit}");
            }
        }
        for size in 0..200 {
            assert!(seen.insert(whole(1, &base[..size])), "{size} zero bytes");
        }
        assert_ne!(whole(1, b"text"), whole(2, b"text"));
    }

    #[test]
    fn both_halves_differ_for_small_changes() {
        let (mut high, mut low) = (HashSet::new(), HashSet::new());
        for number in 0..20_000_u64 {
            let hash = whole(3, format!("line {number}\nand a second line\n").as_bytes());
            assert!(high.insert((hash >> 64) as u64) && low.insert(hash as u64));
        }
    }
}
