//! [`RelPath`]: a path that has passed the safety check.
//!
//! An input's path is untrusted: it is text that a model wrote. The rules hold on every system alike, whatever its
//! own file system makes of case, of invisible characters or of a dot at the end, so that a reply that is safe here
//! is safe on the machine it is copied to; only what Windows alone cannot name is left to Windows. The path is never
//! decoded (`%2e` stays `%2e`), expanded or normalised as Unicode.

mod error;
mod name;
pub(crate) mod unicode;

use std::ffi::OsStr;
use std::fmt;

pub use error::{Edge, PathError};
use name::NameRules;

/// The longest component, in bytes.
const MAX_COMPONENT: usize = 255;
/// The longest path, in bytes: `PATH_MAX` is 4096 with its final NUL.
const MAX_PATH: usize = 4095;

/// A path relative to the root, in normal form (`/` between components, no `.`, no `..`, no separator at its end).
///
/// ```
/// use code_parser::{PathError, RelPath};
///
/// assert_eq!(RelPath::new("./src\\a//b.rs")?.as_str(), "src/a/b.rs");
/// assert_eq!(RelPath::new("src/../../x"), Err(PathError::Parent { component: 2 }));
/// assert_eq!(RelPath::new(".GIT/hooks/x"), Err(PathError::Reserved { component: 1, name: ".git" }));
/// # Ok::<(), PathError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(String);

impl RelPath {
    /// Checks an untrusted path and brings it into normal form.
    ///
    /// # Errors
    ///
    /// [`PathError`]: the first rule that it breaks.
    pub fn new(path: &str) -> Result<Self, PathError> {
        check(path, NameRules::HOST).map(Self)
    }

    /// A directory that a path may lie in. Its name may end in a blank, with which no path of a file may end.
    #[cfg(all(feature = "fs", unix))]
    pub(crate) fn above(dir: &str) -> Result<Self, PathError> {
        let path = Self::new(&format!("{dir}/x"))?;
        path.parent().ok_or(PathError::Empty)
    }

    /// The path of names that a directory gave, links resolved.
    ///
    /// Names that exist may hold what an input's may not (a `\`, a control character, a space at the end); what
    /// holds here too is that nothing may be written in `.git` and its like, and that the path lies below the root.
    ///
    /// ```
    /// use code_parser::RelPath;
    ///
    /// assert_eq!(RelPath::from_resolved(["a ", "b:c"])?.as_str(), "a /b:c");
    /// assert!(RelPath::from_resolved(["x", ".git", "config"]).is_err());
    /// # Ok::<(), code_parser::PathError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PathError`]: [`NotUtf8`](PathError::NotUtf8), [`NotAName`](PathError::NotAName),
    /// [`Reserved`](PathError::Reserved), or [`Empty`](PathError::Empty) for no component at all.
    pub fn from_resolved<I>(components: I) -> Result<Self, PathError>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let mut path = String::new();
        for (index, name) in components.into_iter().enumerate() {
            let component = index + 1;
            let name = name.as_ref().to_str().ok_or(PathError::NotUtf8 { component })?;
            if matches!(name, "" | "." | "..") || name.contains('/') {
                return Err(PathError::NotAName { component });
            }
            if let Some(name) = name::reserved(name) {
                return Err(PathError::Reserved { component, name });
            }
            push(&mut path, name);
        }
        if path.is_empty() { Err(PathError::Empty) } else { Ok(Self(path)) }
    }

    /// The path in normal form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path in normal form, as a string of its own.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Its components, one or more.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// The last component.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.as_str(), |(_, name)| name)
    }

    /// The directory that holds it; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// Whether it lies in the directory `other`, at any depth. A path is not below itself.
    ///
    /// ```
    /// use code_parser::RelPath;
    ///
    /// let file = RelPath::new("src/a/b.rs")?;
    /// assert!(file.is_below(&RelPath::new("src")?));
    /// assert!(!file.is_below(&RelPath::new("sr")?));
    /// assert!(!file.is_below(&file));
    /// # Ok::<(), code_parser::PathError>(())
    /// ```
    #[must_use]
    pub fn is_below(&self, other: &Self) -> bool {
        self.0.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether writing there can make another program run something: an editor's or an agent's settings, a workflow,
    /// a hook, a build script. Such a path is accepted and noted.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        name::is_sensitive(self.components())
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<std::path::Path> for RelPath {
    fn as_ref(&self) -> &std::path::Path {
        std::path::Path::new(&self.0)
    }
}

/// The rules in their order: those of the characters, then those of the whole path, then those of each component.
fn check(path: &str, rules: NameRules) -> Result<String, PathError> {
    check_edges(path)?;
    check_characters(path)?;
    let slashed = path.replace('\\', "/");
    check_whole(&slashed)?;
    let mut normal = String::with_capacity(slashed.len());
    let written = slashed.split('/').filter(|name| !name.is_empty());
    for (index, name) in written.enumerate().filter(|&(_, name)| name != ".") {
        name::check(name, index + 1, rules)?;
        push(&mut normal, name);
    }
    // What stood behind `./` starts the path now: `./~/x` is no way to say `~/x`.
    check_edges(&normal)?;
    check_home(&normal)?;
    let bytes = normal.len();
    if bytes > MAX_PATH { Err(PathError::TooLong { bytes }) } else { Ok(normal) }
}

/// White space at an edge: some file systems drop it, and nobody sees it.
fn check_edges(path: &str) -> Result<(), PathError> {
    let blank = |edge: Option<char>| edge.filter(|character| character.is_whitespace());
    if path.is_empty() {
        return Err(PathError::Empty);
    }
    if let Some(character) = blank(path.chars().next()) {
        return Err(PathError::BlankEdge { edge: Edge::Start, character });
    }
    match blank(path.chars().next_back()) {
        Some(character) => Err(PathError::BlankEdge { edge: Edge::End, character }),
        None => Ok(()),
    }
}

/// Characters that no path may hold. Each rule is asked of the whole path before the next one.
fn check_characters(path: &str) -> Result<(), PathError> {
    if let Some((at, character)) = path.char_indices().find(|&(_, character)| character.is_control()) {
        return Err(PathError::ControlCharacter { character, at });
    }
    match path.find(':') {
        Some(1) if path.starts_with(|first: char| first.is_ascii_alphabetic()) => {
            return Err(PathError::Drive);
        }
        Some(at) => return Err(PathError::Colon { at }),
        None => {}
    }
    let unseen = |character| unicode::is_ignorable(character) && !unicode::is_allowed_ignorable(character);
    match path.char_indices().find(|&(_, character)| unseen(character)) {
        Some((at, character)) => Err(PathError::Invisible { character, at }),
        None => Ok(()),
    }
}

/// What the path as a whole leads to; its separators are all `/`.
fn check_whole(path: &str) -> Result<(), PathError> {
    if path.starts_with('/') {
        return Err(PathError::Absolute);
    }
    check_home(path)?;
    if path.ends_with('/') {
        Err(PathError::TrailingSeparator)
    } else if path == "." || path.ends_with("/.") {
        Err(PathError::TrailingDot)
    } else {
        Ok(())
    }
}

/// A shell reads `~` at the start as a home directory.
fn check_home(path: &str) -> Result<(), PathError> {
    if path.starts_with('~') { Err(PathError::Home) } else { Ok(()) }
}

/// Appends a component.
fn push(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(name);
}

#[cfg(test)]
mod tests;
