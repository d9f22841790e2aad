//! The rules for one component of a path.

use std::borrow::Cow;

use super::unicode::is_ignorable;
use super::{MAX_COMPONENT, PathError};

/// Where nothing may be written: what other programs run or trust, and our own journal.
const RESERVED: [&str; 5] = [".git", ".hg", ".svn", ".fsrb-txn", ".fsrb-done"];

/// Directories, at any depth, in which a file can make another program run something.
const SENSITIVE_DIRECTORIES: [&[&str]; 5] =
    [&[".github", "workflows"], &[".vscode"], &[".cursor"], &[".claude"], &[".husky"]];
/// Files, at any depth, that can do the same.
const SENSITIVE_FILES: [&str; 5] = [".mcp.json", ".envrc", ".gitmodules", ".gitattributes", "build.rs"];

/// Names that Windows takes for a device, with any extension. The superscript digits count as digits there.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// Which names a component may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameRules {
    /// The rules of every system.
    Common,
    /// And those of Windows.
    Windows,
}

impl NameRules {
    /// The rules of the system that this runs on.
    pub(super) const HOST: Self = if cfg!(windows) { Self::Windows } else { Self::Common };
}

/// Checks one component, neither empty nor `.`; `component` is its number.
pub(super) fn check(name: &str, component: usize, rules: NameRules) -> Result<(), PathError> {
    let dot_or_space = |character: char| character == '.' || character.is_whitespace();
    if name == ".." {
        return Err(PathError::Parent { component });
    }
    if name.chars().filter(|&character| !is_ignorable(character)).all(dot_or_space) {
        return Err(PathError::DotsAndSpaces { component });
    }
    if name.len() > MAX_COMPONENT {
        return Err(PathError::ComponentTooLong { component, bytes: name.len() });
    }
    if let Some(name) = reserved(name) {
        return Err(PathError::Reserved { component, name });
    }
    match rules {
        NameRules::Common => Ok(()),
        NameRules::Windows => check_windows(name, component),
    }
}

/// The reserved name that some file system takes this one for.
pub(super) fn reserved(name: &str) -> Option<&'static str> {
    let key = key(name);
    // NTFS gives `.git` the short name `GIT~1`, or another number where that is taken.
    let is_short_git = key.split_once('~').is_some_and(|(stem, number)| {
        stem.eq_ignore_ascii_case("git") && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    });
    if is_short_git {
        return Some(".git");
    }
    RESERVED.into_iter().find(|reserved| key.eq_ignore_ascii_case(reserved))
}

/// Whether a file of these components can make another program run something.
pub(super) fn is_sensitive<'p>(components: impl Iterator<Item = &'p str>) -> bool {
    let keys: Vec<Cow<'p, str>> = components.map(key).collect();
    let Some((file, directories)) = keys.split_last() else { return false };
    let is_one = |key: &Cow<'_, str>, name: &str| key.eq_ignore_ascii_case(name);
    SENSITIVE_FILES.iter().any(|name| is_one(file, name))
        || SENSITIVE_DIRECTORIES.iter().any(|wanted| {
            directories
                .windows(wanted.len())
                .any(|window| window.iter().zip(*wanted).all(|(key, name)| is_one(key, name)))
        })
}

/// What file systems that fold names compare, but for the case of ASCII letters.
///
/// HFS+ leaves ignorable characters out, NTFS dots and spaces at the end. Upper case and then lower case takes
/// every letter that folds to an ASCII one there (`ſ`, the Kelvin sign, the dotless `ı`), and a dotted `İ` to `i`
/// with U+0307, which is left out too.
fn key(name: &str) -> Cow<'_, str> {
    let is_dropped_at_end = ['.', ' '];
    if name.is_ascii() {
        return Cow::Borrowed(name.trim_end_matches(is_dropped_at_end));
    }
    let mut key = String::with_capacity(name.len());
    let seen = name.chars().filter(|&character| !is_ignorable(character));
    for folded in seen.flat_map(char::to_uppercase).flat_map(char::to_lowercase) {
        if !(folded == '\u{307}' && key.ends_with('i')) {
            key.push(folded);
        }
    }
    key.truncate(key.trim_end_matches(is_dropped_at_end).len());
    Cow::Owned(key)
}

/// What Windows alone cannot name.
fn check_windows(name: &str, component: usize) -> Result<(), PathError> {
    if let Some(character) = name.chars().find(|&character| "<>\"|?*".contains(character)) {
        return Err(PathError::ForbiddenCharacter { component, character });
    }
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ');
    if DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) || is_numbered_device(stem) {
        return Err(PathError::Device { component });
    }
    if name.ends_with(['.', ' ']) {
        return Err(PathError::TrailingDotOrSpace { component });
    }
    Ok(())
}

fn is_numbered_device(stem: &str) -> bool {
    stem.split_at_checked(3).is_some_and(|(device, number)| {
        NUMBERED_DEVICES.iter().any(|name| device.eq_ignore_ascii_case(name))
            && matches!(number, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    })
}
