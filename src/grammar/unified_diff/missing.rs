//! The lines of a hunk that its header promises and that are not there.

use crate::ast::{Hunk, HunkRange, LineKind};
use crate::source::offset;

/// How many old and new lines the header of a hunk promises beyond those that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Missing {
    pub(super) old: u32,
    pub(super) new: u32,
}

impl Missing {
    /// The counts are met.
    pub(super) const NOTHING: Self = Self { old: 0, new: 0 };

    /// What a hunk lacks; `None` for one whose header has no numbers.
    pub(super) fn of(hunk: &Hunk) -> Option<Self> {
        let count = |other: LineKind| offset(hunk.lines.iter().filter(|line| line.kind != other).count());
        let promised = Self::promised(hunk.header.ranges?);
        Some(promised.beyond(count(LineKind::Added), count(LineKind::Removed)))
    }

    /// What a hunk without lines lacks.
    pub(super) fn promised((old, new): (HunkRange, HunkRange)) -> Self {
        Self { old: old.len(), new: new.len() }
    }

    /// What is left beyond so many lines, which may be more than are missing.
    pub(super) fn beyond(self, old: u32, new: u32) -> Self {
        Self { old: self.old.saturating_sub(old), new: self.new.saturating_sub(new) }
    }

    /// What is left beyond so many lines, where no more are there than are missing.
    pub(super) fn without(self, old: u32, new: u32) -> Option<Self> {
        Some(Self { old: self.old.checked_sub(old)?, new: self.new.checked_sub(new)? })
    }

    /// What is left beyond one line, where one of its kind is missing.
    pub(super) fn without_line(self, kind: LineKind) -> Option<Self> {
        self.without(u32::from(kind != LineKind::Added), u32::from(kind != LineKind::Removed))
    }

    /// The most lines that it may be.
    pub(super) fn lines(self) -> u32 {
        self.old.saturating_add(self.new)
    }

    /// Whether the first lines of these kinds are just what is missing, and one of them changes something.
    pub(super) fn is_filled_by(self, kinds: impl IntoIterator<Item = LineKind>) -> bool {
        let (mut left, mut changes) = (self, false);
        for kind in kinds {
            let Some(next) = left.without_line(kind) else { return false };
            changes |= kind != LineKind::Context;
            left = next;
            if left == Self::NOTHING {
                return changes;
            }
        }
        false
    }
}
