//! SIGINT and SIGTERM while files are written: the commit is undone, instead of being left for the next start.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// While it lives the signals raise a flag; then they end the process again.
pub(crate) struct Signals {
    raised: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Signals {
    /// Catches the signals. One that cannot be caught ends the process as it always does, and the next start undoes
    /// what was written.
    pub(crate) fn catch() -> Self {
        let signals = Self { raised: Arc::default(), over: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            let caught = flag::register_conditional_default(signal, Arc::clone(&signals.over));
            if caught.is_ok() {
                let _ = flag::register(signal, Arc::clone(&signals.raised));
            }
        }
        signals
    }

    /// Set once a signal came.
    pub(crate) fn raised(&self) -> &AtomicBool {
        &self.raised
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
    }
}
