//! The files that there are, to tell what a path that leads to none may have meant.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use crate::rel_path::RelPath;

/// So many entries are looked at.
const ENTRIES: usize = 4096;
/// Directories in which no file is meant: what tools keep, fetch or make there.
const SKIPPED: [&str; 7] = [".git", ".hg", ".svn", ".fsrb-txn", "node_modules", "target", "__pycache__"];

/// Files below a directory, those nearest to it first and then by name. Links are not followed; what cannot be read is
/// left out.
pub(super) fn listing(root: &Path) -> Vec<RelPath> {
    let mut files = Vec::new();
    let mut left = ENTRIES;
    let mut waiting = VecDeque::from([Vec::new()]);
    while let Some(dir) = waiting.pop_front() {
        let path = dir.iter().fold(root.to_owned(), |path, name: &String| path.join(name));
        let Ok(entries) = fs::read_dir(path) else { continue };
        let mut names = Vec::new();
        for entry in entries.flatten().take(left) {
            if let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) {
                names.push((name, kind));
            }
        }
        left -= names.len();
        names.sort_by(|one, other| one.0.cmp(&other.0));
        for (name, kind) in names {
            let mut below = dir.clone();
            below.push(name);
            if kind.is_file() {
                files.extend(RelPath::from_resolved(&below));
            } else if kind.is_dir() && !below.last().is_some_and(|name| SKIPPED.contains(&name.as_str())) {
                waiting.push_back(below);
            }
        }
        if left == 0 {
            break;
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_from_the_top_and_no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "").unwrap();
        for name in ["b/c/d.txt", ".git/config", "b/a.txt", "z.txt", "node_modules/x.js"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).unwrap();
        let names: Vec<String> = listing(dir.path()).into_iter().map(RelPath::into_string).collect();
        assert_eq!(names, ["z.txt", "b/a.txt", "b/c/d.txt"]);
    }

    #[test]
    fn no_more_than_so_many_entries_are_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..ENTRIES + 10 {
            fs::write(dir.path().join(number.to_string()), "").unwrap();
        }
        assert_eq!(listing(dir.path()).len(), ENTRIES);
    }
}
