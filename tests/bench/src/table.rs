//! What was measured, as a table, and which goals are reached.

use std::time::Duration;

/// Everything that was measured.
#[derive(Default)]
pub struct Table {
    goals: Vec<(bool, String)>,
    /// Contenders that did not find or do everything.
    faults: Vec<String>,
}

impl Table {
    /// A heading over the rows that follow.
    pub fn section(&self, title: &str) {
        println!("\n{title}");
    }

    /// One contender at a job over so many bytes, beside the time that counts as 1.
    pub fn row(&self, name: &str, bytes: usize, time: Duration, base: Duration) {
        let seconds = time.as_secs_f64();
        let speed = bytes as f64 / 1e6 / seconds;
        let ratio = seconds / base.as_secs_f64();
        println!("  {name:<34} {:>9.2} ms {speed:>8.0} MB/s {ratio:>8.2} x", seconds * 1e3);
    }

    /// One contender at a job of whole processes.
    pub fn process(&self, name: &str, time: Duration, base: Duration, peak: u64) {
        let ratio = time.as_secs_f64() / base.as_secs_f64();
        let mib = peak as f64 / (1 << 20) as f64;
        println!("  {name:<34} {:>9.1} ms {mib:>8.0} MiB  {ratio:>8.2} x", time.as_secs_f64() * 1e3);
    }

    /// The goal to take at most so many times as long as a peer, where that one is there.
    pub fn compare(&mut self, job: &str, own: Duration, peer: Option<Duration>, name: &str, most: f64) {
        match peer {
            Some(peer) => {
                let ratio = own.as_secs_f64() / peer.as_secs_f64();
                self.goal(ratio <= most, format!("{job}: {ratio:.2}x {name} (goal: at most {most}x)"));
            }
            None => println!("  not compared: {name} is missing"),
        }
    }

    /// A goal with the figure that was measured.
    pub fn goal(&mut self, reached: bool, text: String) {
        println!("  {} {text}", if reached { "PASS" } else { "FAIL" });
        self.goals.push((reached, text));
    }

    /// A contender that must have found everything.
    pub fn check(&mut self, name: &str, complete: bool, found: &str) {
        if !complete {
            println!("  INCOMPLETE {name}: {found}");
            self.faults.push(format!("{name}: {found}"));
        }
    }

    /// Says which goals are not reached; whether all are, and nothing is amiss.
    pub fn conclude(&self) -> bool {
        let failed: Vec<_> = self.goals.iter().filter(|(reached, _)| !reached).collect();
        println!("\n{} of {} goals reached", self.goals.len() - failed.len(), self.goals.len());
        for (_, text) in &failed {
            println!("  FAIL {text}");
        }
        for fault in &self.faults {
            println!("  INCOMPLETE {fault}");
        }
        failed.is_empty() && self.faults.is_empty()
    }
}
