//! [`Fault`]: an error about a file, before it is known which change meets it.

use crate::apply::files::LoadError;
use crate::diagnostic::{Code, Diagnostic};
use crate::edit::encoding::NotUtf8;
use crate::explain::{Remedy, cases};
use crate::rel_path::PathError;
use crate::source::Span;

/// An error about a file, before it is known which change meets it.
#[derive(Debug, Clone)]
pub(in crate::apply) struct Fault {
    pub(super) code: Code,
    pub(super) message: String,
    /// What to do about it, where that is not what the code's explanation says.
    remedy: Option<&'static Remedy>,
    /// The place in the input of another change that explains it.
    other: Option<(&'static str, Span)>,
}

impl Fault {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), remedy: None, other: None }
    }

    pub(super) fn with_remedy(self, remedy: &'static Remedy) -> Self {
        Self { remedy: Some(remedy), ..self }
    }

    /// The same with the place of another change, if there is one.
    pub(super) fn with_other(self, message: &'static str, place: Option<Span>) -> Self {
        Self { other: place.map(|place| (message, place)), ..self }
    }

    pub(super) fn diagnostic(self) -> Diagnostic {
        let mut found = Diagnostic::new(self.code, self.message);
        if let Some(remedy) = self.remedy {
            found = found.with_remedy(remedy);
        }
        match self.other {
            Some((message, span)) => found.with_related(message, span),
            None => found,
        }
    }

    /// The same for a file that is to be created: whatever is there is in the way.
    pub(super) fn of_create(self) -> Self {
        match self.code {
            Code::NotAFile => {
                Self::new(Code::CreateExists, format!("the file cannot be created: {}", self.message))
            }
            _ => self,
        }
    }
}

impl From<NotUtf8> for Fault {
    fn from(error: NotUtf8) -> Self {
        let fault = Self::new(Code::NotUtf8, error.to_string());
        match error {
            NotUtf8::NonAsciiEdit => fault,
            NotUtf8::Utf16 | NotUtf8::Nul => fault.with_remedy(&cases::NO_TEXT),
        }
    }
}

impl From<PathError> for Fault {
    fn from(error: PathError) -> Self {
        let fault = Self::new(Code::UnsafePath, error.to_string());
        match error {
            PathError::Reserved { .. } => fault.with_remedy(&cases::RESERVED_PATH),
            _ => fault,
        }
    }
}

impl From<LoadError> for Fault {
    fn from(error: LoadError) -> Self {
        let code = match &error {
            LoadError::Unsafe(_) => Code::UnsafePath,
            LoadError::NotAFile(_) => Code::NotAFile,
            LoadError::BelowAFile { .. } => Code::PathConflict,
            LoadError::TooLarge { .. } => Code::TooLarge,
            LoadError::OtherFileSystem { .. } => Code::OtherFileSystem,
            LoadError::Unreadable(_) => Code::FileUnreadable,
        };
        Self::new(code, error.to_string())
    }
}
