//! What kind of text a file is, and which edits it can take.
//!
//! Files are bytes. An edit whose own texts are ASCII can be made in a file of any encoding that keeps ASCII as it is,
//! since it touches no other byte. A text beyond ASCII would be written as UTF-8, so the file has to be UTF-8 too.

use std::cell::OnceCell;

use thiserror::Error;

/// The UTF-8 byte order mark.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What is known so far of the encoding of some bytes: each question is answered by one pass, when first asked.
#[derive(Debug, Default)]
pub(crate) struct Encoding {
    text: OnceCell<Result<(), NotUtf8>>,
    utf8: OnceCell<bool>,
}

impl Encoding {
    /// Whether an edit with these texts may be made in a file of these bytes, always the same ones.
    ///
    /// # Errors
    ///
    /// [`NotUtf8`] says why not.
    pub(crate) fn accepts<'t>(
        &self,
        bytes: &[u8],
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<(), NotUtf8> {
        (*self.text.get_or_init(|| is_text(bytes)))?;
        if texts.into_iter().all(str::is_ascii)
            || *self.utf8.get_or_init(|| std::str::from_utf8(bytes).is_ok())
        {
            Ok(())
        } else {
            Err(NotUtf8::NonAsciiEdit)
        }
    }
}

fn is_text(bytes: &[u8]) -> Result<(), NotUtf8> {
    is_not_utf_16(bytes)?;
    if memchr::memchr(0, bytes).is_some() { Err(NotUtf8::Nul) } else { Ok(()) }
}

/// Whether bytes do not begin with a byte order mark of UTF-16.
///
/// # Errors
///
/// [`NotUtf8::Utf16`] where they do.
pub(crate) fn is_not_utf_16(bytes: &[u8]) -> Result<(), NotUtf8> {
    match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Err(NotUtf8::Utf16),
        _ => Ok(()),
    }
}

/// Why an edit cannot be made in a file that is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub(crate) enum NotUtf8 {
    /// The file is UTF-16.
    #[error("the file is UTF-16, in which no edit is made")]
    Utf16,
    /// The file holds a NUL byte.
    #[error("the file has NUL bytes, so that it is no plain text, and no edit of it is taken")]
    Nul,
    /// The file is not UTF-8 and the edit has text beyond ASCII.
    #[error(
        "the file is not UTF-8, so that only plain ASCII can be written to it, and the edit has other characters"
    )]
    NonAsciiEdit,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(bytes: &[u8], texts: [&str; 2]) -> Result<(), NotUtf8> {
        Encoding::default().accepts(bytes, texts)
    }

    #[test]
    fn not_utf8_an_ascii_edit_may_touch_a_file_of_another_encoding() {
        assert_eq!(accepts(b"caf\xE9\n", ["x", "y"]), Ok(()));
        assert_eq!(accepts(b"caf\xE9\n", ["x", "\u{E9}"]), Err(NotUtf8::NonAsciiEdit));
    }

    #[test]
    fn not_utf8_utf16_and_nul_take_no_edit() {
        assert_eq!(accepts(b"\xFF\xFEa\0", ["a", "b"]), Err(NotUtf8::Utf16));
        assert_eq!(accepts(b"\xFE\xFF\0a", ["a", "b"]), Err(NotUtf8::Utf16));
        assert_eq!(accepts(b"a\0b", ["a", "b"]), Err(NotUtf8::Nul));
    }

    #[test]
    fn utf8_takes_any_edit() {
        assert_eq!(accepts(b"\xEF\xBB\xBFa\xC3\xA9", ["\u{E9}", "x"]), Ok(()));
        assert_eq!(accepts(b"", ["\u{E9}", ""]), Ok(()));
    }
}
