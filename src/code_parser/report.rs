//! What applying gives: one entry an operation.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// How to apply.
///
/// ```
/// use code_parser::ApplyOptions;
///
/// let options = ApplyOptions { dry_run: true, ..ApplyOptions::default() };
/// assert!(!options.allow_unterminated);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApplyOptions {
    /// Do all but write: the report is the one that a real run would give.
    pub dry_run: bool,
    /// Apply blocks without a closing fence too. Their content may be cut short.
    pub allow_unterminated: bool,
}

/// What became of one operation.
///
/// ```
/// use code_parser::ApplyStatus;
///
/// assert_eq!(ApplyStatus::Created.to_string(), "created");
/// assert_eq!(ApplyStatus::Skipped("no closing fence".to_owned()).to_string(), "skipped: no closing fence");
/// assert!(ApplyStatus::Failed("the file is not found".to_owned()).is_error());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyStatus {
    /// The file did not exist before.
    Created,
    /// The file has new content.
    Modified,
    /// The file was already as the operation wants it.
    Unchanged,
    /// The file is gone.
    Deleted,
    /// The operation was left out, for this reason.
    Skipped(String),
    /// The operation failed with this error, and its file is as it was.
    Failed(String),
}

impl ApplyStatus {
    /// Whether the operation failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        matches!(self, Self::Failed(_))
    }

    fn is_change(&self) -> bool {
        matches!(self, Self::Created | Self::Modified | Self::Deleted)
    }

    /// Whether it stands for its file although `later` came after it.
    fn outweighs(&self, later: &Self) -> bool {
        match (self, later) {
            (Self::Failed(_), _) => true,
            (_, Self::Failed(_)) => false,
            (Self::Skipped(_), _) => true,
            (_, Self::Skipped(_)) => false,
            (Self::Created, Self::Modified) | (_, Self::Unchanged) => true,
            _ => false,
        }
    }
}

/// `created`, `modified`, `unchanged`, `deleted`, `skipped: why` or `error: what`.
impl fmt::Display for ApplyStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Created => f.write_str("created"),
            Self::Modified => f.write_str("modified"),
            Self::Unchanged => f.write_str("unchanged"),
            Self::Deleted => f.write_str("deleted"),
            Self::Skipped(why) => write!(f, "skipped: {why}"),
            Self::Failed(what) => write!(f, "error: {what}"),
        }
    }
}

/// One operation and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyEntry {
    /// The file, in normal form; as written where it is refused.
    pub path: String,
    /// What became of the operation.
    pub status: ApplyStatus,
}

/// What became of each operation.
///
/// ```
/// use code_parser::{ApplyEntry, ApplyReport, ApplyStatus};
///
/// let entry = |path: &str, status| ApplyEntry { path: path.to_owned(), status };
/// let report = ApplyReport { entries: vec![entry("a", ApplyStatus::Created), entry("b", ApplyStatus::Unchanged)] };
/// assert!(!report.has_errors());
/// assert_eq!(report.changed_paths().collect::<Vec<_>>(), ["a"]);
/// assert_eq!(report.to_status_map()["b"], "unchanged");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApplyReport {
    /// One entry an operation, in the order of the operations.
    pub entries: Vec<ApplyEntry>,
}

impl ApplyReport {
    /// Whether an operation failed.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.entries.iter().any(|entry| entry.status.is_error())
    }

    /// The files that were created, modified or deleted, each once, in the order of the operations.
    pub fn changed_paths(&self) -> impl Iterator<Item = &str> {
        let mut seen = HashSet::new();
        let changed = self.entries.iter().filter(|entry| entry.status.is_change());
        changed.map(|entry| entry.path.as_str()).filter(move |path| seen.insert(*path))
    }

    /// One status a file, as it is displayed.
    ///
    /// Of several operations on one file, one that failed stands for it, else one that was skipped, else the last one
    /// that changed it; a file that was created and then modified is `created`.
    #[must_use]
    pub fn to_status_map(&self) -> HashMap<String, String> {
        let mut statuses: HashMap<&str, &ApplyStatus> = HashMap::new();
        for ApplyEntry { path, status } in &self.entries {
            match statuses.entry(path) {
                Entry::Vacant(vacant) => {
                    vacant.insert(status);
                }
                Entry::Occupied(mut earlier) if !earlier.get().outweighs(status) => {
                    earlier.insert(status);
                }
                Entry::Occupied(_) => {}
            }
        }
        statuses.into_iter().map(|(path, status)| (path.to_owned(), status.to_string())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ApplyStatus::{Created, Deleted, Failed, Modified, Skipped, Unchanged};
    use super::{ApplyEntry, ApplyReport, ApplyStatus};

    fn report(statuses: &[(&str, ApplyStatus)]) -> ApplyReport {
        let entry = |(path, status): &(&str, ApplyStatus)| ApplyEntry {
            path: (*path).to_owned(),
            status: status.clone(),
        };
        ApplyReport { entries: statuses.iter().map(entry).collect() }
    }

    #[test]
    fn one_status_a_file() {
        let cases = [
            (vec![Created, Modified, Unchanged], "created"),
            (vec![Modified, Unchanged], "modified"),
            (vec![Unchanged, Modified], "modified"),
            (vec![Modified, Deleted], "deleted"),
            (vec![Unchanged, Unchanged], "unchanged"),
            (vec![Modified, Skipped("s".to_owned()), Modified], "skipped: s"),
            (vec![Skipped("s".to_owned()), Failed("f".to_owned()), Modified], "error: f"),
            (vec![Failed("f".to_owned()), Failed("g".to_owned())], "error: f"),
        ];
        for (statuses, expected) in cases {
            let entries: Vec<_> = statuses.into_iter().map(|status| ("a", status)).collect();
            let map = report(&entries).to_status_map();
            assert_eq!(map.len(), 1);
            assert_eq!(map["a"], expected, "{entries:?}");
        }
    }

    #[test]
    fn changed_files_are_named_once_in_order() {
        let report = report(&[
            ("b", Modified),
            ("c", Unchanged),
            ("a", Created),
            ("b", Modified),
            ("d", Failed("f".to_owned())),
            ("e", Skipped("s".to_owned())),
            ("f", Deleted),
        ]);
        assert_eq!(report.changed_paths().collect::<Vec<_>>(), ["b", "a", "f"]);
        assert!(report.has_errors());
    }
}
