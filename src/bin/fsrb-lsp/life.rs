//! The server must not be left behind when its client is gone.

use std::process::exit;
use std::thread::{sleep, spawn};
use std::time::Duration;

/// So long the server may take to say what it has to say when nothing comes in any more.
const GRACE: Duration = Duration::from_secs(5);
/// So often it is looked whether the client is still there.
const INTERVAL: Duration = Duration::from_secs(3);

/// Ends the process a while after its input has ended: it may be in the middle of writing to someone who does not read.
pub(crate) fn end_soon() {
    sleep(GRACE);
    exit(1);
}

/// Ends the process once another one is gone: its end of the input may live on in a child.
pub(crate) fn end_with(process: u32) {
    spawn(move || {
        while is_alive(process) {
            sleep(INTERVAL);
        }
        end_soon();
    });
}

#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    // One that may not be signalled is there; so is one whose number makes no sense.
    pid.is_none_or(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

#[cfg(not(unix))]
fn is_alive(_process: u32) -> bool {
    true
}
