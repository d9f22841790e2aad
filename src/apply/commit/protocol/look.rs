//! The decision of undoing: from what is found at a slot and at its target to the one step back.

use super::OLD;
use super::journal::Change;
use super::print::{Print, Seen};

/// The step back for one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Back {
    /// The target is as it was, or was changed by somebody else before we touched it.
    Nothing,
    /// Slot and target change places again.
    Exchange,
    /// What is in the slot is the target's, which is missing.
    Return(SlotName),
    /// What is in the slot replaces the target.
    Replace(SlotName),
    /// The target is ours, and goes back to its slot.
    TakeOut,
    /// The target is a second name of what is in the slot.
    Unlink,
    /// The target is not what we left there.
    Conflict,
}

/// Which of a slot's two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotName {
    /// The slot's own.
    Slot,
    /// That of the old copy, where names cannot be exchanged.
    Old,
}

impl SlotName {
    /// The name of slot number `slot`.
    pub(super) fn name(self, slot: usize) -> String {
        match self {
            Self::Slot => slot.to_string(),
            Self::Old => format!("{slot}{OLD}"),
        }
    }
}

/// An update that was exchanged, or was not.
pub(super) fn look_exchanged(change: Change, slot: Seen, target: Seen) -> Back {
    let Change::Update { old, new } = change else { return Back::Conflict };
    let by_mode = change.by_mode();
    let target_is_old = target.is(&old, by_mode);
    match slot {
        // The slot is removed only after everything was put back.
        Seen::Missing if target_is_old => Back::Nothing,
        Seen::Missing => Back::Conflict,
        // It was never swapped, or was swapped back; whatever the target is, it is not ours.
        slot if slot.is(&new, by_mode) => Back::Nothing,
        slot if slot.is(&old, by_mode) && target_is_old => Back::Nothing,
        // The slot holds what came out of the target: what was validated, or what somebody put there meanwhile.
        _ if target.is(&new, by_mode) => Back::Exchange,
        _ if target == Seen::Missing => Back::Return(SlotName::Slot),
        _ => Back::Conflict,
    }
}

/// An update where names cannot be exchanged: the old content has a name of its own.
pub(super) fn look_replaced(change: Change, slot: Seen, old_copy: Seen, target: Seen) -> Back {
    let Change::Update { old, new } = change else { return Back::Conflict };
    let by_mode = change.by_mode();
    let untouched = target.id().is_some() && target.id() == old_copy.id();
    match target {
        _ if untouched || target.is(&old, by_mode) => Back::Nothing,
        Seen::Missing => Back::Return(SlotName::Old),
        _ if slot == Seen::Missing && target.is(&new, by_mode) => Back::Replace(SlotName::Old),
        _ => Back::Conflict,
    }
}

/// A creation.
pub(super) fn look_created(new: &Print, slot: Seen, target: Seen) -> Back {
    match (slot, target) {
        (_, Seen::Missing) => Back::Nothing,
        (Seen::Missing, target) if target.is(new, false) => Back::TakeOut,
        (Seen::Missing, _) => Back::Conflict,
        // The second name was given and the first not yet removed.
        (slot, target) if slot.id().is_some() && slot.id() == target.id() => Back::Unlink,
        // It was never installed; the target is somebody else's.
        _ => Back::Nothing,
    }
}

/// A deletion.
pub(super) fn look_deleted(old: &Print, slot: Seen, target: Seen) -> Back {
    match (slot, target) {
        // It was never moved, or was put back.
        (Seen::Missing, _) => Back::Nothing,
        (_, Seen::Missing) => Back::Return(SlotName::Slot),
        (slot, target) if slot.id().is_some() && slot.id() == target.id() => Back::Nothing,
        (slot, target) if slot.is(old, false) && target.is(old, false) => Back::Nothing,
        _ => Back::Conflict,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Back, Change, Print, Seen, SlotName, look_created, look_deleted, look_exchanged, look_replaced,
    };

    const OLD: Print = Print { hash: 1, size: 4, mode: 0o644 };
    const NEW: Print = Print { hash: 2, size: 4, mode: 0o644 };
    const FOREIGN: Print = Print { hash: 3, size: 4, mode: 0o644 };

    fn file(print: Print, inode: u64) -> Seen {
        Seen::File { print, id: (1, inode) }
    }

    #[test]
    fn an_exchanged_update() {
        let (old, new, foreign) = (file(OLD, 1), file(NEW, 2), file(FOREIGN, 3));
        let change = Change::Update { old: OLD, new: NEW };
        for (slot, target, back) in [
            (new, old, Back::Nothing),
            (new, foreign, Back::Nothing),
            (new, Seen::Missing, Back::Nothing),
            (old, new, Back::Exchange),
            (old, Seen::Missing, Back::Return(SlotName::Slot)),
            (old, file(OLD, 9), Back::Nothing),
            (old, foreign, Back::Conflict),
            (old, Seen::Other, Back::Conflict),
            (foreign, new, Back::Exchange),
            (foreign, Seen::Missing, Back::Return(SlotName::Slot)),
            (foreign, old, Back::Conflict),
            (Seen::Other, new, Back::Exchange),
            (Seen::Missing, old, Back::Nothing),
            (Seen::Missing, new, Back::Conflict),
            (Seen::Missing, Seen::Missing, Back::Conflict),
        ] {
            assert_eq!(look_exchanged(change, slot, target), back, "{slot:?} {target:?}");
        }
    }

    #[test]
    fn an_update_of_the_mode_alone() {
        let new = Print { mode: 0o755, ..OLD };
        let change = Change::Update { old: OLD, new };
        assert_eq!(look_exchanged(change, file(new, 1), file(OLD, 2)), Back::Nothing);
        assert_eq!(look_exchanged(change, file(OLD, 1), file(new, 2)), Back::Exchange);
    }

    #[test]
    fn a_replaced_update() {
        let (old, new, foreign) = (file(OLD, 1), file(NEW, 2), file(FOREIGN, 3));
        let change = Change::Update { old: OLD, new: NEW };
        for (slot, copy, target, back) in [
            (new, old, old, Back::Nothing),
            (new, old, Seen::Missing, Back::Return(SlotName::Old)),
            (new, old, foreign, Back::Conflict),
            (Seen::Missing, old, new, Back::Replace(SlotName::Old)),
            (Seen::Missing, foreign, new, Back::Replace(SlotName::Old)),
            (Seen::Missing, old, Seen::Missing, Back::Return(SlotName::Old)),
            (Seen::Missing, old, foreign, Back::Conflict),
            (new, foreign, foreign, Back::Nothing),
        ] {
            assert_eq!(look_replaced(change, slot, copy, target), back, "{slot:?} {copy:?} {target:?}");
        }
    }

    #[test]
    fn a_creation_and_a_deletion() {
        let (old, new, foreign) = (file(OLD, 1), file(NEW, 2), file(FOREIGN, 3));
        for (slot, target, back) in [
            (new, Seen::Missing, Back::Nothing),
            (new, foreign, Back::Nothing),
            (new, new, Back::Unlink),
            (Seen::Missing, new, Back::TakeOut),
            (Seen::Missing, Seen::Missing, Back::Nothing),
            (Seen::Missing, foreign, Back::Conflict),
        ] {
            assert_eq!(look_created(&NEW, slot, target), back, "{slot:?} {target:?}");
        }
        for (slot, target, back) in [
            (Seen::Missing, old, Back::Nothing),
            (Seen::Missing, Seen::Missing, Back::Nothing),
            (old, Seen::Missing, Back::Return(SlotName::Slot)),
            (foreign, Seen::Missing, Back::Return(SlotName::Slot)),
            (old, old, Back::Nothing),
            (old, file(OLD, 9), Back::Nothing),
            (old, foreign, Back::Conflict),
            (old, Seen::Other, Back::Conflict),
        ] {
            assert_eq!(look_deleted(&OLD, slot, target), back, "{slot:?} {target:?}");
        }
    }
}
