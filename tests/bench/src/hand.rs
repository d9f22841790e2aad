//! The floor: one loop over the lines, as somebody would write it who reads well-formed blocks and nothing else. It
//! gives no diagnostic, and a text that is not well-formed is read wrongly.

use std::ops::Range;

/// A SEARCH/REPLACE block: the places of its path and of its sections, in bytes.
pub struct Block {
    pub path: Range<usize>,
    pub search: Range<usize>,
    pub replace: Range<usize>,
}

pub fn blocks(text: &[u8]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut path, mut above) = (0..0, 0..0);
    let (mut search, mut separator) = (0, 0..0);
    let mut start = 0;
    for newline in memchr::memchr_iter(b'\n', text) {
        let line = &text[start..newline];
        match line.first() {
            Some(b'<') if line == b"<<<<<<< SEARCH" => {
                if !above.is_empty() {
                    path = above.clone();
                }
                search = newline + 1;
            }
            Some(b'=') if line == b"=======" => separator = start..newline + 1,
            Some(b'>') if line == b">>>>>>> REPLACE" => {
                blocks.push(Block {
                    path: path.clone(),
                    search: search..separator.start,
                    replace: separator.end..start,
                });
                above = 0..0;
            }
            Some(_) => above = start..newline,
            None => {}
        }
        start = newline + 1;
    }
    blocks
}

/// The number of lines.
pub fn lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}
