//! Tests of the steps.

mod crash;
mod faults;
mod foreign;
mod kill;
mod limits;
mod machine;
mod metadata;
mod power;
mod scene;

mod real;

use std::cell::Cell;

thread_local! {
    static WITHOUT_CHECK: Cell<bool> = const { Cell::new(false) };
}

/// Whether the comparison after the swap is left out, to see that tests notice.
pub(super) fn without_check() -> bool {
    WITHOUT_CHECK.get()
}
