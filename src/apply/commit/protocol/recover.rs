//! What an earlier run left: telling whether it is ours, and settling it.

use std::io;

use super::journal::{Journal, LIMIT};
use super::parents::Parents;
use super::undo::Rollback;
use super::{DONE, JOURNAL, Lock, TXN, tidy};
use crate::apply::commit::{CommitError, Doubt, How, Operation, Pending, Recovered};
use crate::apply::fs::{Fault, Fs, Kind, Purpose, Stat, Tree, again, attempt, join};

/// How many directories above the root are looked at; more than any path has.
const ABOVE: usize = 4096;

/// What is at `.fsrb-txn` or `.fsrb-done`.
enum Left<D> {
    /// Nothing.
    Nothing,
    /// A directory without a journal: no target was touched, or everything is done.
    Rubbish(D),
    /// A directory with a journal, both provably ours.
    Journal(D, Journal),
    /// Something that is not to be touched.
    Foreign(Doubt),
}

/// Before a commit: sees to it that nothing is pending, here or above.
pub(super) fn prepare<F: Fs>(tree: &Tree<F>) -> Result<(), CommitError> {
    match look(tree, TXN)? {
        Left::Nothing => {}
        Left::Rubbish(dir) => tidy::clear(tree, &dir, TXN)?,
        Left::Journal(..) => return Err(interrupted(TXN, Doubt::NotSettled)),
        Left::Foreign(doubt) => return Err(interrupted(TXN, doubt)),
    }
    tidy_done(tree)?;
    match pending_above(tree) {
        Some(place) => Err(interrupted(&place, Doubt::Above)),
        None => Ok(()),
    }
}

/// Settles what is pending under the root.
pub(super) fn recover<F: Fs>(tree: &Tree<F>, how: How) -> Result<Recovered, CommitError> {
    let _lock = Lock::take(tree)?;
    let left = look(tree, TXN)?;
    // A commit that was undone must be able to become rubbish.
    tidy_done(tree)?;
    match left {
        Left::Nothing => Ok(Recovered::default()),
        Left::Rubbish(dir) => {
            tidy::clear(tree, &dir, TXN)?;
            Ok(Recovered::default())
        }
        Left::Foreign(doubt) => Err(interrupted(TXN, doubt)),
        Left::Journal(txn, journal) => {
            Rollback { how, ..Rollback::new(tree, &txn, &journal) }.run(&mut Parents::new(tree))?;
            let files = journal.entries.into_iter().map(|record| record.target).collect();
            Ok(Recovered { files })
        }
    }
}

/// Tells whether something is pending here or above, without changing anything.
pub(super) fn pending<F: Fs>(tree: &Tree<F>) -> Result<Option<Pending>, CommitError> {
    let _lock = Lock::take_to_look(tree)?;
    for place in [TXN, DONE] {
        match look(tree, place)? {
            Left::Foreign(doubt) => return Ok(Some(Pending { place: place.to_owned(), doubt })),
            Left::Journal(..) if place == TXN => {
                return Ok(Some(Pending { place: place.to_owned(), doubt: Doubt::NotSettled }));
            }
            _ => {}
        }
    }
    Ok(pending_above(tree).map(|place| Pending { place, doubt: Doubt::Above }))
}

fn interrupted(place: &str, doubt: Doubt) -> CommitError {
    CommitError::Interrupted { place: place.to_owned(), doubt }
}

/// Ends the tidying that an earlier run did not end.
fn tidy_done<F: Fs>(tree: &Tree<F>) -> Result<(), CommitError> {
    let left = look(tree, DONE)?;
    if matches!(left, Left::Journal(..)) {
        // The earlier run may have been killed between its last rename and the sync after it. Should the power go now,
        // `.fsrb-txn` could come back, and would need what is about to be removed.
        attempt(Operation::Sync, ".", || tree.fs.sync_dir(&tree.base))?;
    }
    // If it stayed it would be in the way of the next commit.
    match left {
        Left::Nothing => Ok(()),
        Left::Rubbish(dir) => Ok(tidy::clear(tree, &dir, DONE)?),
        Left::Journal(dir, journal) => Ok(tidy::tidy_committed(tree, &dir, &journal)?),
        Left::Foreign(doubt) => Err(interrupted(DONE, doubt)),
    }
}

/// Finds out what is at a name in the root. It is ours only if owner, mode and the two inodes in the journal say so:
/// a copied or cloned tree cannot bring those.
fn look<F: Fs>(tree: &Tree<F>, place: &str) -> Result<Left<F::Dir>, CommitError> {
    look_in(tree, &tree.base, &tree.stat, place).map_err(CommitError::from)
}

fn look_in<F: Fs>(
    tree: &Tree<F>,
    base: &F::Dir,
    base_stat: &Stat,
    place: &str,
) -> Result<Left<F::Dir>, Fault> {
    let fs = &tree.fs;
    let stat = match attempt(Operation::Examine, place, || fs.stat(base, place)) {
        Ok(stat) => stat,
        Err(fault) if fault.is(io::ErrorKind::NotFound) => return Ok(Left::Nothing),
        Err(fault) => return Err(fault),
    };
    let is_private = |stat: &Stat, mode| stat.user == fs.user() && stat.mode & 0o777 == mode;
    if stat.kind != Kind::Dir || stat.device != base_stat.device {
        return Ok(Left::Foreign(Doubt::NotOurs));
    }
    let dir = match attempt(Operation::OpenDirectory, place, || fs.open_dir(base, place, Purpose::Sync)) {
        Ok(dir) => dir,
        Err(fault) if fault.is(io::ErrorKind::PermissionDenied) => return Ok(Left::Foreign(Doubt::NotOurs)),
        Err(fault) => return Err(fault),
    };
    let opened = attempt(Operation::Examine, place, || fs.stat_dir(&dir))?;
    let names = attempt(Operation::Read, place, || fs.names(&dir))?;
    if opened.id() != stat.id() {
        return Ok(Left::Foreign(Doubt::NotOurs));
    }
    if names.is_empty() {
        return Ok(Left::Rubbish(dir));
    }
    if !is_private(&opened, 0o700) || !names.iter().all(|name| tidy::is_ours(name)) {
        return Ok(Left::Foreign(Doubt::NotOurs));
    }
    if !names.iter().any(|name| name == JOURNAL) {
        return Ok(Left::Rubbish(dir));
    }
    let journal_place = join(place, JOURNAL).to_string();
    let stat = attempt(Operation::Examine, &journal_place, || fs.stat(&dir, JOURNAL))?;
    if stat.kind != Kind::File || !is_private(&stat, 0o600) || stat.size > LIMIT {
        return Ok(Left::Foreign(Doubt::NotOurs));
    }
    let mut file = attempt(Operation::Open, &journal_place, || fs.open_file(&dir, JOURNAL))?;
    let text = attempt(Operation::Read, &journal_place, || tree.read_all(&mut file, stat.size, LIMIT))?;
    let Ok(journal) = Journal::parse(&text) else { return Ok(Left::Foreign(Doubt::Damaged)) };
    if journal.base != base_stat.inode || journal.own != opened.inode {
        return Ok(Left::Foreign(Doubt::NotOurs));
    }
    Ok(Left::Journal(dir, journal))
}

/// Where a commit of ours is pending in a directory above the root. What is not ours there is nobody's business: in a
/// directory that many may write to, anybody could put something there to stop us.
fn pending_above<F: Fs>(tree: &Tree<F>) -> Option<String> {
    let fs = &tree.fs;
    let mut place = String::new();
    let mut below = tree.stat.id();
    let mut dir = again(|| fs.open_above(&tree.base)).ok()?;
    for _ in 0..ABOVE {
        let stat = again(|| fs.stat_dir(&dir)).ok()?;
        if stat.id() == below {
            return None;
        }
        below = stat.id();
        place.push_str("../");
        if matches!(look_in(tree, &dir, &stat, TXN), Ok(Left::Journal(..))) {
            return Some(format!("{place}{TXN}"));
        }
        dir = again(|| fs.open_above(&dir)).ok()?;
    }
    None
}
