//! Reading the input: a file or standard input, never more than the parser can take, and only UTF-8.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use code_parser::diagnostic::{Code, Diagnostic};
use code_parser::explain::cases;
use code_parser::source::Span;
use thiserror::Error;

use crate::args::Args;

/// The parser takes less than 4 GiB.
const LIMIT: u64 = u32::MAX as u64 - 1;

/// Why there is no input.
#[derive(Debug, Error)]
pub(crate) enum InputError {
    #[error("the input file does not exist")]
    NotFound,
    #[error("the input is a directory, not a file")]
    Directory,
    #[error("the input cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("the input has 4 GiB or more")]
    TooLarge,
    #[error("the input is UTF-16; save it as UTF-8")]
    Utf16,
    #[error("the input is not UTF-8: the first bad byte is 0x{byte:02x}, at offset {}", .before.len())]
    NotUtf8 {
        /// The text before the bad byte.
        before: String,
        /// That byte.
        byte: u8,
    },
}

impl From<io::Error> for InputError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::IsADirectory => Self::Directory,
            _ => Self::Unreadable(error),
        }
    }
}

impl InputError {
    /// The error as a diagnostic; its span lies in [`InputError::text`].
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let code = match self {
            Self::NotFound => Code::FileNotFound,
            Self::Directory => Code::NotAFile,
            Self::Unreadable(_) => Code::FileUnreadable,
            Self::TooLarge => Code::TooLarge,
            Self::Utf16 | Self::NotUtf8 { .. } => Code::NotUtf8,
        };
        let diagnostic = Diagnostic::new(code, self.to_string());
        let diagnostic = match self {
            Self::NotFound | Self::Directory => diagnostic.with_remedy(&cases::WRONG_START),
            Self::Utf16 | Self::NotUtf8 { .. } => diagnostic.with_remedy(&cases::INPUT_NOT_UTF8),
            Self::Unreadable(_) | Self::TooLarge => diagnostic,
        };
        match self {
            Self::Utf16 | Self::NotUtf8 { .. } => {
                diagnostic.at(Span::empty(u32::try_from(self.text().len()).unwrap_or(u32::MAX)))
            }
            _ => diagnostic,
        }
    }

    /// What could be read before the error.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::NotUtf8 { before, .. } => before,
            _ => "",
        }
    }
}

/// The whole text of the input.
pub(crate) fn read(args: &Args) -> Result<String, InputError> {
    decode(match args.input_file() {
        Some(path) => read_file(path),
        None => read_bounded(io::stdin().lock(), 0, LIMIT),
    }?)
}

fn read_file(path: &Path) -> Result<Vec<u8>, InputError> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(InputError::Directory);
    }
    if metadata.len() > LIMIT {
        return Err(InputError::TooLarge);
    }
    read_bounded(file, metadata.len(), LIMIT)
}

/// Everything that `reader` has, as long as it is no more than `limit` bytes: a pipe may never end.
fn read_bounded(reader: impl Read, size: u64, limit: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(limit)).unwrap_or(0));
    reader.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(InputError::TooLarge) } else { Ok(bytes) }
}

fn decode(bytes: Vec<u8>) -> Result<String, InputError> {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let valid = error.utf8_error().valid_up_to();
    let mut bytes = error.into_bytes();
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(InputError::Utf16);
    }
    let byte = bytes.get(valid).copied().unwrap_or_default();
    bytes.truncate(valid);
    Err(InputError::NotUtf8 { before: String::from_utf8(bytes).unwrap_or_default(), byte })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_byte_has_a_place() {
        let error = decode(b"one\nt\xc3\xbco\xffx".to_vec()).unwrap_err();
        let diagnostic = error.diagnostic();
        assert_eq!(diagnostic.code, Code::NotUtf8);
        assert_eq!(diagnostic.span, Some(Span::empty(8)));
        assert_eq!(error.text(), "one\nt\u{fc}o");
        assert_eq!(diagnostic.message, "the input is not UTF-8: the first bad byte is 0xff, at offset 8");
    }

    #[test]
    fn utf_16_is_called_by_its_name() {
        let error = decode(b"\xff\xfea\0".to_vec()).unwrap_err();
        assert!(matches!(error, InputError::Utf16));
        assert_eq!(error.diagnostic().span, Some(Span::empty(0)));
    }

    #[test]
    fn a_reader_without_end_is_not_read_for_ever() {
        assert!(matches!(read_bounded(io::repeat(b'x'), 0, 1000), Err(InputError::TooLarge)));
        assert!(
            matches!(read_bounded(io::repeat(b'x').take(1000), 0, 1000), Ok(bytes) if bytes.len() == 1000)
        );
        assert!(matches!(read_bounded(io::repeat(b'x').take(1001), 0, 1000), Err(InputError::TooLarge)));
    }
}
