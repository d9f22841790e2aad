//! [`Library`]: the files under the root, looked through for a text that is not where it should be.

use std::sync::Arc;

use memchr::memmem;

use super::related;
use crate::apply::files::{Files, LoadedFile};
use crate::diagnostic::Related;
use crate::edit::file_text::FileText;
use crate::edit::nearest::Effort;
use crate::rel_path::RelPath;

/// So many files are read.
const FILES: usize = 1000;
/// Larger files, in bytes, are not read.
const LARGEST: u64 = 256 << 10;
/// So many bytes are read in all.
const TOTAL: usize = 8 << 20;
/// So many files are named.
const NAMED: usize = 3;
/// What reading one costs, in units of effort, its bytes apart: some calls of the operating system.
const READING: usize = 4_000;
/// With less effort left nothing would be found that is worth listing the files.
pub(super) const LEAST: u64 = 100 * READING as u64;

/// The first files of a listing.
#[derive(Debug)]
pub(super) struct Library {
    files: Vec<(RelPath, Arc<LoadedFile>)>,
}

impl Library {
    /// Those that there is effort enough to read.
    pub(super) fn of(paths: &[RelPath], files: &impl Files, effort: &mut Effort) -> Self {
        let mut read = 0;
        let mut found = Vec::new();
        for path in paths.iter().take(FILES) {
            if effort.spend(READING).is_none() {
                break;
            }
            let Some(file) = files.load(path, LARGEST).ok().and_then(|loaded| loaded.file) else { continue };
            read += file.bytes.len();
            if read > TOTAL {
                break;
            }
            found.push((path.clone(), file));
        }
        Self { files: found }
    }

    /// Where the text stands in files other than that of `path`: the first place in each, of a few files.
    pub(super) fn places(&self, text: &str, path: &str, effort: &mut Effort) -> Vec<Related> {
        let mut places = Vec::new();
        for (other, file) in self.files.iter().filter(|(other, _)| other.as_str() != path) {
            if places.len() == NAMED || effort.spend(file.bytes.len() / 4).is_none() {
                break;
            }
            let file = FileText::new(Arc::clone(file));
            let Some(place) = memmem::find(file.original(), text.as_bytes()) else { continue };
            let (start, end) = (file.original_position(place), file.original_position(place + text.len()));
            places.push(related(other.as_str(), start, end, "the text is in this file instead".to_owned()));
        }
        places
    }
}
