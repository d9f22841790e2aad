//! [`Effort`]: how much may still be done to explain refusals.

/// What all explanations of one plan may cost together. A unit is a step of about two nanoseconds, such as one of
/// comparing two lines, so that it is some forty milliseconds.
const WHOLE: u64 = 16_000_000;

/// The work that may still be done. It is counted, not timed, so that the same input gives the same findings on every
/// machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effort {
    left: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { left: WHOLE }
    }
}

impl Effort {
    /// What they may cost in an editor, which asks again after every keystroke: a third as much.
    #[cfg(feature = "lsp")]
    pub(crate) fn of_a_keystroke() -> Self {
        Self { left: WHOLE / 3 }
    }

    /// An effort of so many units.
    #[cfg(test)]
    pub(crate) fn of(left: u64) -> Self {
        Self { left }
    }

    /// How many units are left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Takes so many units; `None`, and nothing taken, where there are not so many left.
    pub(crate) fn spend(&mut self, units: usize) -> Option<()> {
        self.left = self.left.checked_sub(units as u64)?;
        Some(())
    }

    /// Half of what is left, so that the first of many faults leaves something for the others.
    pub(crate) fn share(&mut self) -> Self {
        let half = self.left / 2;
        self.left -= half;
        Self { left: half }
    }

    /// Takes back what a share did not use.
    pub(crate) fn give_back(&mut self, share: &Self) {
        self.left += share.left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_beyond_what_is_there() {
        let mut effort = Effort::of(10);
        assert_eq!(effort.spend(11), None);
        assert_eq!(effort.spend(4), Some(()));
        let mut share = effort.share();
        assert_eq!((share.left(), effort.left()), (3, 3));
        assert_eq!(share.spend(1), Some(()));
        effort.give_back(&share);
        assert_eq!(effort.left(), 5);
    }
}
