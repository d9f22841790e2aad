//! Step 13, and removing what a commit leaves: nothing here touches a target, and every part may be repeated.

use std::collections::BTreeSet;
use std::io;

use super::journal::{Change, Journal};
use super::{DONE, JOURNAL, JOURNAL_DRAFT, OLD};
use crate::apply::commit::Operation;
use crate::apply::fs::{Fault, Fs, Purpose, Tree, attempt, join, split};

/// Step 13: remove emptied parents (the journal lists the deletions), slots, the journal last, the directory.
pub(super) fn tidy_committed<F: Fs>(tree: &Tree<F>, done: &F::Dir, journal: &Journal) -> bool {
    let mut ok = true;
    for record in &journal.entries {
        if matches!(record.change, Change::Delete { .. }) {
            ok &= remove_emptied(tree, record.target.as_str());
        }
    }
    // What could not be done now is done by the next start, which needs the journal for it.
    ok && clear(tree, done, DONE)
}

/// After undoing no parent was emptied by us.
pub(super) fn tidy_undone<F: Fs>(tree: &Tree<F>, done: &F::Dir) {
    // The journal first: once it is gone nothing is left to be misread.
    let removed = attempt(Operation::Remove, join(DONE, JOURNAL), || tree.fs.remove_file(done, JOURNAL));
    if removed.is_ok() {
        clear(tree, done, DONE);
    }
}

/// Removes the directories above a deleted file that are empty now; stops at the first that is not, and at the root.
/// False when that could not be told.
fn remove_emptied<F: Fs>(tree: &Tree<F>, target: &str) -> bool {
    let (mut dir, _) = split(target);
    while !dir.is_empty() {
        let (above, name) = split(dir);
        let opened =
            attempt(Operation::OpenDirectory, above, || tree.fs.open_dir(&tree.base, above, Purpose::Search));
        match opened {
            Ok(above) => {
                match attempt(Operation::RemoveDirectory, dir, || tree.fs.remove_dir(&above, name)) {
                    // Removed just now, or by an earlier attempt that was interrupted.
                    Ok(()) => {}
                    Err(fault) if fault.is(io::ErrorKind::NotFound) => {}
                    Err(fault) => return is_kept(&fault) || is_denied(&fault),
                }
            }
            Err(fault) if fault.is(io::ErrorKind::NotFound) => {}
            Err(fault) => return is_kept(&fault) || is_denied(&fault),
        }
        dir = above;
    }
    true
}

/// Whether a directory stays because it is not empty, is gone, or is no directory (any more).
pub(super) fn is_kept(fault: &Fault) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, NotADirectory, NotFound, ResourceBusy};
    matches!(fault.source.kind(), AlreadyExists | DirectoryNotEmpty | NotADirectory | NotFound | ResourceBusy)
        || crate::apply::fs::is_link_or_file(&fault.source)
}

/// Whether it will be refused the next time too.
fn is_denied(fault: &Fault) -> bool {
    matches!(fault.source.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Whether a name in our directory is one that a commit gives.
pub(super) fn is_ours(name: &str) -> bool {
    let number = name.strip_suffix(OLD).unwrap_or(name);
    name == JOURNAL
        || name == JOURNAL_DRAFT
        || (!number.is_empty() && number.len() <= 10 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Removes our directory with everything that a commit puts there; false when something is left.
pub(super) fn clear<F: Fs>(tree: &Tree<F>, own: &F::Dir, place: &str) -> bool {
    let Ok(names) = attempt(Operation::Read, place, || tree.fs.names(own)) else { return false };
    let names: BTreeSet<String> = names.into_iter().collect();
    let remove = |name: &str| {
        let removed = attempt(Operation::Remove, join(place, name), || tree.fs.remove_file(own, name));
        removed.is_ok() || removed.is_err_and(|fault| fault.is(io::ErrorKind::NotFound))
    };
    let mut ok = true;
    for name in names.iter().filter(|name| is_ours(name) && *name != JOURNAL) {
        ok &= remove(name);
    }
    if ok && names.contains(JOURNAL) {
        ok = remove(JOURNAL);
    }
    ok && attempt(Operation::RemoveDirectory, place, || tree.fs.remove_dir(&tree.base, place)).is_ok()
}
