//! [`Part`]: what of a file is compared with the lines that are not in it.

use memchr::memmem;

use crate::edit::file_text::FileText;
use crate::edit::nearest::{Effort, Index};

/// So many bytes before and behind a line that is the same are compared in a large file.
const AROUND: usize = 32 << 10;
/// So many lines are looked for in a large file.
const LINES: usize = 3;
/// A line with fewer bytes may be anywhere.
const TELLING: usize = 8;

/// The whole of a file's text, or a part around a line that is the same where the whole would cost too much.
pub(super) struct Part<'t> {
    /// The text that is compared.
    pub(super) text: &'t [u8],
    /// Where it starts in the whole; `None` when it is the whole.
    pub(super) start: Option<usize>,
    own: Option<Index>,
}

impl<'t> Part<'t> {
    /// What of `text`, which is the file's, is compared with these lines; `None` where nothing can be.
    pub(super) fn of(file: &FileText, text: &'t [u8], wanted: &[&[u8]], effort: &mut Effort) -> Option<Self> {
        if file.index(text, effort).is_some() {
            return Some(Self { text, start: None, own: None });
        }
        let at = same_line(text, wanted, effort)?;
        let before = text.get(..at.saturating_sub(AROUND))?;
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let behind = text.get(at..)?;
        let end = behind.get(AROUND..).and_then(|rest| memchr::memchr(b'\n', rest));
        let end = end.map_or(text.len(), |newline| at + AROUND + newline + 1);
        let text = text.get(start..end)?;
        Some(Self { text, start: Some(start), own: Some(Index::new(text, effort)?) })
    }

    /// The index of the text.
    pub(super) fn index<'i>(&'i self, file: &'i FileText, effort: &mut Effort) -> Option<&'i Index> {
        match &self.own {
            Some(index) => Some(index),
            None => file.index(self.text, effort),
        }
    }
}

/// Where one of the lines stands in the text, white space at its ends apart: of the longest ones the first that does.
fn same_line(text: &[u8], wanted: &[&[u8]], effort: &mut Effort) -> Option<usize> {
    let mut lines: Vec<&[u8]> = wanted.iter().map(|line| line.trim_ascii()).collect();
    lines.retain(|line| line.len() >= TELLING);
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    for line in lines.into_iter().take(LINES) {
        // A rare byte is looked for, sixteen or more at a time.
        effort.spend(text.len() / 16)?;
        if let Some(at) = memmem::find(text, line) {
            return Some(at);
        }
    }
    None
}
