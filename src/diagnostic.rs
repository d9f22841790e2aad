//! What is wrong with an input, where, and how to mend it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::explain::Remedy;
use crate::source::Span;

/// One finding about an input or a file it names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// What it is, with one meaning for ever.
    pub code: Code,
    /// One sentence in lower case without a final stop; it holds no text of the input.
    pub message: String,
    /// Where in the input.
    pub span: Option<Span>,
    /// The file concerned, relative to the root. All that is found about one file shares one text: an input may give one
    /// long path to many edits.
    pub path: Option<Arc<str>>,
    /// Which change of the input, from 1, in the order of [`Changes`](crate::Changes).
    pub block: Option<u32>,
    /// Which hunk of the change, from 1.
    pub hunk: Option<u32>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// A replacement of a span of the input that mends it.
    pub suggestion: Option<Suggestion>,
    /// What whoever runs the command can do about it, which a model cannot; it goes on where the message ends.
    pub command: Option<&'static str>,
    /// What to do about it, where that is not what the code's explanation says.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) own_remedy: Option<&'static Remedy>,
}

impl Diagnostic {
    /// A diagnostic with the code's usual severity and no place.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            severity: code.severity(),
            code,
            message: message.into(),
            span: None,
            path: None,
            block: None,
            hunk: None,
            related: Vec::new(),
            suggestion: None,
            command: None,
            own_remedy: None,
        }
    }

    /// The same with a place in the input.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same with another severity than the code's usual one.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The same with the file concerned.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<Arc<str>>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same with what whoever runs the command can do about it.
    #[must_use]
    pub fn with_command(mut self, command: &'static str) -> Self {
        self.command = Some(command);
        self
    }

    /// The same with what to do about it, where that is not what the code's explanation says.
    #[must_use]
    pub fn with_remedy(mut self, remedy: &'static Remedy) -> Self {
        self.own_remedy = Some(remedy);
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> &'static Remedy {
        self.own_remedy.unwrap_or(&self.code.explanation().remedy)
    }

    /// The message for a reader who can run the command: with what he can do by it.
    #[must_use]
    pub fn message_for_person(&self) -> Cow<'_, str> {
        match self.command {
            Some(command) => Cow::Owned(format!("{}; {command}", self.message)),
            None => Cow::Borrowed(&self.message),
        }
    }

    /// The same with a further place of the input.
    #[must_use]
    pub fn with_related(mut self, message: impl Into<String>, span: Span) -> Self {
        if self.related.is_empty() {
            // Nearly always there is but one; a vector would make room for four.
            self.related.reserve_exact(1);
        }
        self.related.push(Related { message: message.into(), path: None, span, position: None });
        self
    }

    /// Whether it keeps the input from being applied.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A place that explains a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Related {
    /// What is there.
    pub message: String,
    /// The file that the span lies in; `None`: the input.
    pub path: Option<String>,
    /// The place, in bytes of the file or of the input.
    pub span: Span,
    /// The positions of the span's start and end where it lies in a file (whose text the reader of the diagnostic
    /// may not have).
    pub position: Option<(crate::source::Position, crate::source::Position)>,
}

/// A replacement of a span of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Suggestion {
    /// What it does.
    pub message: String,
    /// What it replaces, in the input.
    pub span: Span,
    /// What with.
    pub replacement: String,
}

/// How grave a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Severity {
    /// Something worth knowing.
    Note,
    /// Something that may be a mistake.
    Warning,
    /// The input, or with keep-going its file, is not applied.
    Error,
}

impl Severity {
    /// `error`, `warning` or `note`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $severity:ident;)+) => {
        /// What a diagnostic is about. A code has one meaning for ever.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ #[cfg_attr(feature = "serde", serde(rename = $text))] $name,)+
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The code as it is printed.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// The severity that it usually has.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    /// No path was found for an edit.
    MissingPath = "missing-path", Error;
    /// A SEARCH/REPLACE block has no `=======` line.
    MissingSeparator = "missing-separator", Error;
    /// A marker line stands where none may.
    UnexpectedMarker = "unexpected-marker", Error;
    /// A line is nearly a marker.
    SuspiciousMarker = "suspicious-marker", Warning;
    /// A SEARCH/REPLACE block has no end.
    UnterminatedBlock = "unterminated-block", Error;
    /// A fence has no closing line.
    UnterminatedFence = "unterminated-fence", Error;
    /// Two readings of nested fences are possible.
    AmbiguousNesting = "ambiguous-nesting", Error;
    /// A hunk cannot be read.
    MalformedHunk = "malformed-hunk", Error;
    /// A file header is followed by no hunk and no operation.
    MissingHunks = "missing-hunks", Error;
    /// A hunk's line counts are not those of its body.
    HunkCountMismatch = "hunk-count-mismatch", Warning;
    /// A block would do nothing, or empty a whole file.
    EmptyBlock = "empty-block", Error;
    /// Text of a patch file is no part of any block, or text of a reply looks like an edit in a form that is not read.
    IgnoredText = "ignored-text", Warning;
    /// The input holds no edit.
    NoChanges = "no-changes", Error;
    /// An edit changes nothing.
    NoOp = "no-op", Warning;
    /// A path leads out of the root or to a place where nothing may be written.
    UnsafePath = "unsafe-path", Error;
    /// A path leads to a file that can make other programs run something.
    SensitivePath = "sensitive-path", Note;
    /// A file to change does not exist.
    FileNotFound = "file-not-found", Error;
    /// A file cannot be read.
    FileUnreadable = "file-unreadable", Error;
    /// A target is a directory, a pipe, a socket or a device.
    NotAFile = "not-a-file", Error;
    /// A file or the input is not UTF-8.
    NotUtf8 = "not-utf8", Error;
    /// A file is over the size limit.
    TooLarge = "too-large", Error;
    /// A file to change has no write permission.
    ReadOnly = "read-only", Error;
    /// A file's owner or group cannot be kept.
    OwnerNotKept = "owner-not-kept", Error;
    /// Something about a file (an attribute, an access list) could not be kept.
    MetadataLost = "metadata-lost", Warning;
    /// A file has other names, which keep the old content.
    HardLink = "hard-link", Warning;
    /// A target lies on another file system than the root.
    OtherFileSystem = "other-file-system", Error;
    /// A file to create exists.
    CreateExists = "create-exists", Error;
    /// A file is created after an earlier block touched it.
    CreateNotFirst = "create-not-first", Error;
    /// Two targets cannot both be written.
    PathConflict = "path-conflict", Error;
    /// The SEARCH text is not in the file.
    SearchNotFound = "search-not-found", Error;
    /// The SEARCH text is in the file more than once.
    AmbiguousMatch = "ambiguous-match", Error;
    /// The SEARCH text matched inside a line.
    MidLineMatch = "mid-line-match", Note;
    /// A match ignores spaces and tabs at the ends of lines.
    TrailingSpaceMatch = "trailing-space-match", Note;
    /// A hunk's old lines are not in the file.
    HunkNotFound = "hunk-not-found", Error;
    /// A hunk fits several places.
    AmbiguousHunk = "ambiguous-hunk", Error;
    /// Two hunks change the same lines.
    OverlappingHunks = "overlapping-hunks", Error;
    /// New content has a line that stands for code left out.
    OmissionPlaceholder = "omission-placeholder", Error;
    /// A sentence or block tells of an edit that the input gives exactly.
    IgnoredNarration = "ignored-narration", Note;
    /// A diff makes a symbolic link or a submodule.
    UnsupportedMode = "unsupported-mode", Error;
    /// A diff holds binary content.
    BinaryPatch = "binary-patch", Error;
    /// A file changed after it was read.
    ChangedOnDisk = "changed-on-disk", Error;
    /// Another run is writing in this root.
    Busy = "busy", Error;
    /// The operating system refused a step of the commit.
    CommitFailed = "commit-failed", Error;
    /// An earlier commit under this root was interrupted.
    InterruptedCommit = "interrupted-commit", Error;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no such code: {0}")]
pub struct UnknownCode(String);

impl std::str::FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| UnknownCode(text.to_owned()))
    }
}
