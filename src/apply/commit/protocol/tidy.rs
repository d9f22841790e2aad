//! Step 13, and removing what a commit leaves: nothing here touches a target, and every part may be repeated.

use std::io;

use super::journal::{Change, Journal};
use super::{DONE, JOURNAL, JOURNAL_DRAFT, OLD};
use crate::apply::commit::Operation;
use crate::apply::fs::{Fault, Fs, Purpose, Tree, attempt, join, split};

/// Step 13: remove emptied parents (the journal lists the deletions), slots, the journal last, the directory. What
/// cannot be done now is done by the next start, which needs the journal for it.
pub(super) fn tidy_committed<F: Fs>(tree: &Tree<F>, done: &F::Dir, journal: &Journal) -> Result<(), Fault> {
    for record in &journal.entries {
        if matches!(record.change, Change::Delete { .. }) {
            remove_emptied(tree, record.target.as_str())?;
        }
    }
    clear(tree, done, DONE)
}

/// After undoing no parent was emptied by us. The journal goes first: without it nothing is left to be misread.
pub(super) fn tidy_undone<F: Fs>(tree: &Tree<F>, done: &F::Dir) -> Result<(), Fault> {
    remove(tree, done, DONE, JOURNAL)?;
    clear(tree, done, DONE)
}

/// Removes the directories above a deleted file that are empty now; stops at the first that is not, and at the root.
fn remove_emptied<F: Fs>(tree: &Tree<F>, target: &str) -> Result<(), Fault> {
    let (mut dir, _) = split(target);
    while !dir.is_empty() {
        let (above, name) = split(dir);
        let removed =
            attempt(Operation::OpenDirectory, above, || tree.fs.open_dir(&tree.base, above, Purpose::Search))
                .and_then(|above| {
                    attempt(Operation::RemoveDirectory, dir, || tree.fs.remove_dir(&above, name))
                });
        match removed {
            Ok(()) => {}
            // Removed by an earlier attempt that was interrupted: the ones above may be left.
            Err(fault) if fault.is(io::ErrorKind::NotFound) => {}
            Err(fault) if is_kept(&fault) || is_denied(&fault) => return Ok(()),
            Err(fault) => return Err(fault),
        }
        dir = above;
    }
    Ok(())
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

/// Removes our directory with everything that a commit puts there.
pub(super) fn clear<F: Fs>(tree: &Tree<F>, own: &F::Dir, place: &str) -> Result<(), Fault> {
    let mut names = attempt(Operation::Read, place, || tree.fs.names(own))?;
    names.retain(|name| is_ours(name));
    // The journal last: `false` comes before `true`.
    names.sort_by_key(|name| name == JOURNAL);
    for name in names {
        remove(tree, own, place, &name)?;
    }
    attempt(Operation::RemoveDirectory, place, || tree.fs.remove_dir(&tree.base, place))
}

/// Removes a file of ours, if it is there.
fn remove<F: Fs>(tree: &Tree<F>, own: &F::Dir, place: &str, name: &str) -> Result<(), Fault> {
    match attempt(Operation::Remove, join(place, name), || tree.fs.remove_file(own, name)) {
        Err(fault) if !fault.is(io::ErrorKind::NotFound) => Err(fault),
        _ => Ok(()),
    }
}
