//! Processor time, which other programs on the machine hardly change.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this thread so far.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// The least processor time of some runs, and what the last one returned.
pub fn least<T>(runs: usize, mut job: impl FnMut() -> T) -> (Duration, T) {
    let mut least = Duration::MAX;
    let mut result = None;
    for _ in 0..runs.max(1) {
        let start = thread_time();
        let found = black_box(job());
        least = least.min(thread_time() - start);
        result = Some(found);
    }
    (least, result.unwrap_or_else(|| unreachable!("there is one run at least")))
}
