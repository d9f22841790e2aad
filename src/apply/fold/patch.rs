//! Folding file patches.

use super::Fold;
use crate::apply::change::{Change, Patch};
use crate::apply::files::Files;

impl<F: Files> Fold<'_, F> {
    pub(super) fn patch(&mut self, index: usize, change: &Change<'_>, patch: &Patch<'_>) {
        let _ = (index, change, patch);
    }
}
