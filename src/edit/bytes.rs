//! [`Bytes`]: the bytes of a file, which many may hold and none has twice.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::apply::files::LoadedFile;

/// The bytes of a file. A clone holds the same ones.
#[derive(Debug, Clone)]
pub(crate) enum Bytes {
    /// As they were read, and one copy of them for all who want them without the rest.
    File(Arc<LoadedFile>, OnceCell<Arc<Vec<u8>>>),
    /// As edits have made them.
    Made(Arc<Vec<u8>>),
}

impl Bytes {
    /// What they are.
    pub(crate) fn get(&self) -> &[u8] {
        match self {
            Self::File(file, _) => &file.bytes,
            Self::Made(bytes) => bytes,
        }
    }

    /// The bytes to be kept by whoever wants to; those of a file that was read are copied once.
    pub(crate) fn share(&self) -> Arc<Vec<u8>> {
        match self {
            Self::File(file, copy) => Arc::clone(copy.get_or_init(|| Arc::new(file.bytes.clone()))),
            Self::Made(bytes) => Arc::clone(bytes),
        }
    }
}

impl From<Arc<LoadedFile>> for Bytes {
    fn from(file: Arc<LoadedFile>) -> Self {
        Self::File(file, OnceCell::new())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Made(Arc::new(bytes))
    }
}

impl From<Arc<Vec<u8>>> for Bytes {
    fn from(bytes: Arc<Vec<u8>>) -> Self {
        Self::Made(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_copied_once_however_many_share_them() {
        let read = Bytes::from(Arc::new(LoadedFile { bytes: b"ab".to_vec(), stamp: None }));
        assert!(Arc::ptr_eq(&read.share(), &read.share()));
        assert!(Arc::ptr_eq(&read.share(), &read.clone().share()));
        let made = Bytes::from(b"ab".to_vec());
        assert_eq!(made.share().as_ptr(), made.get().as_ptr());
    }
}
