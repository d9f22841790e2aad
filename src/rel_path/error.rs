//! [`PathError`]: which rule a path breaks, and where.

use std::fmt;

use thiserror::Error;

use super::{MAX_COMPONENT, MAX_PATH};

/// Why a path is refused: one variant a rule.
///
/// A `component` counts from 1 the components as they are written, `.` counted, empty ones not. An `at` is an offset
/// in bytes from 0 in the path as it is written. No message holds text of the path: characters are named `U+0000`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// It has no component.
    #[error("the path is empty")]
    Empty,
    /// It starts or ends with white space, or is nothing else.
    #[error("the path {edge} with the white space U+{:04X}", u32::from(*character))]
    BlankEdge {
        /// Where.
        edge: Edge,
        /// The white space there.
        character: char,
    },
    /// It holds a control character (C0, DEL or C1).
    #[error("the path has the control character U+{:04X} at byte {at}", u32::from(*character))]
    ControlCharacter {
        /// The first one.
        character: char,
        /// Its offset in bytes from 0.
        at: usize,
    },
    /// It starts with a drive: `C:\x`, `c:x`.
    #[error("the path starts with a drive letter")]
    Drive,
    /// It holds a `:`: a URL, or a stream of another file.
    #[error("the path has a `:` at byte {at}")]
    Colon {
        /// The offset in bytes from 0 of the first one.
        at: usize,
    },
    /// It holds a character that is not seen or that turns the direction of what follows.
    #[error("the path has the invisible character U+{:04X} at byte {at}", u32::from(*character))]
    Invisible {
        /// The first one.
        character: char,
        /// Its offset in bytes from 0.
        at: usize,
    },
    /// It starts with a separator.
    #[error("the path starts with a separator, so that it is absolute")]
    Absolute,
    /// It starts with `~`.
    #[error("the path starts with `~`, a home directory")]
    Home,
    /// It ends in a separator.
    #[error("the path ends in a separator, so that it names a directory")]
    TrailingSeparator,
    /// Its last component is `.`.
    #[error("the last part of the path is `.`, so that it names a directory")]
    TrailingDot,
    /// A component is `..`.
    #[error("the path has a `..`, which may lead out of the root")]
    Parent {
        /// Which one.
        component: usize,
    },
    /// A component is nothing but dots and white space.
    #[error("part {component} of the path is nothing but dots and spaces")]
    DotsAndSpaces {
        /// Which one.
        component: usize,
    },
    /// A component is longer than 255 bytes.
    #[error("part {component} of the path has {bytes} bytes, over the limit of {MAX_COMPONENT}")]
    ComponentTooLong {
        /// Which one.
        component: usize,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A component is, or some file system takes it for, a place where nothing may be written.
    #[error("the path leads into `{name}`, or a name that may be the same, where nothing may be written")]
    Reserved {
        /// Which one.
        component: usize,
        /// The place: `.git`, `.hg`, `.svn`, `.fsrb-txn` or `.fsrb-done`.
        name: &'static str,
    },
    /// The path is longer than 4095 bytes.
    #[error("the path has {bytes} bytes, over the limit of {MAX_PATH}")]
    TooLong {
        /// The length of the normal form in bytes.
        bytes: usize,
    },
    /// On Windows: a component is the name of a device.
    #[error("part {component} of the path is the name of a device")]
    Device {
        /// Which one.
        component: usize,
    },
    /// On Windows: a component holds a character that no name may have there.
    #[error("part {component} of the path has the character U+{:04X}", u32::from(*character))]
    ForbiddenCharacter {
        /// Which one.
        component: usize,
        /// The first such character in it.
        character: char,
    },
    /// On Windows: a component ends in a dot or a space, which is dropped there.
    #[error("part {component} of the path ends in a dot or a space")]
    TrailingDotOrSpace {
        /// Which one.
        component: usize,
    },
    /// A name that a directory gave is not UTF-8.
    #[error("part {component} of the path is not UTF-8")]
    NotUtf8 {
        /// Which one.
        component: usize,
    },
    /// What a directory is said to have given is no name: empty, `.`, `..`, or with a `/` in it.
    #[error("part {component} of the path is no name of a file")]
    NotAName {
        /// Which one.
        component: usize,
    },
}

impl PathError {
    /// Whether the path leads out of the root, as far as its text tells: absolute, a home directory, or `..`.
    #[must_use]
    pub fn leads_outside(self) -> bool {
        matches!(self, Self::Drive | Self::Absolute | Self::Home | Self::Parent { .. })
    }
}

/// One of the two ends of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Its first character.
    Start,
    /// Its last character.
    End,
}

/// `starts` or `ends`.
impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "starts",
            Self::End => "ends",
        })
    }
}
