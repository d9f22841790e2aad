//! Replies that were damaged on their way, applied to a real tree: refused, with nothing touched, or applied as they were
//! meant, or as what is left of them says.
//!
//! For each of them a tree and a reply with known edits are made by chance, the same from the same seed. The whole reply must
//! give exactly what it says. Then it is damaged, and the oracle, which knows what the damage did and uses no code of the
//! library, tells every tree that is right. Anything else is a fault: a wrong edit, or one that is left out in silence.
//!
//! `HOSTILE_CASES` sets how many replies there are (20,000 and more for a long run, in a build with optimisation),
//! `HOSTILE_SEED` the first seed; every reply has a seed of its own, so that a fault can be looked at alone. `HOSTILE_FULL` gives the inputs of extreme size
//! their full one: a line of 50 MiB, 100,000 blocks.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "helpers of tests"
)]

mod case;
mod damage;
mod disk;
mod edit;
mod extremes;
mod oracle;
#[path = "../differential/random.rs"]
mod random;
mod reply;
mod tree;

use std::collections::BTreeMap;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use case::Case;
use damage::{Damage, Damaged};
use disk::{Disk, Run};
use random::Random;

/// No reply takes longer, on a machine that does much else.
const LONGEST: Duration = Duration::from_secs(20);

/// How many were made of a damage, refused, and applied.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    made: usize,
    refused: usize,
    applied: usize,
}

type Counts = BTreeMap<Damage, Count>;

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |value| value.parse().unwrap())
}

/// The fault of a reply, if it has one.
fn check(seed: u64, counts: &mut Counts) -> Option<String> {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let (case, damaged, damage) = loop {
        let Some(case) = case::make(&mut random) else { continue };
        let damage = match random.one_in(12) {
            true => Damage::None,
            false => random.pick(Damage::ALL),
        };
        if let Some(damaged) = damage.apply(&case, &mut random) {
            break (case, damaged, damage);
        }
    };
    let disk = Disk::new(&case.tree);
    let before = disk.snapshot();
    let started = Instant::now();
    let run = catch_unwind(AssertUnwindSafe(|| run(&disk, &case, &damaged, seed)));
    let fault = match run {
        Err(_) => Some("it panicked".to_owned()),
        Ok(_) if started.elapsed() > LONGEST => Some(format!("it took {:?}", started.elapsed())),
        Ok(run) => {
            let count = counts.entry(damage).or_default();
            count.made += 1;
            count.applied += usize::from(run.is_applied);
            count.refused += usize::from(!run.is_applied);
            let fault = oracle::fault(&case, &damaged, &run, &before, &disk.snapshot());
            let is_whole = damage == Damage::None || damage == Damage::Bom;
            let fault = fault
                .or_else(|| (is_whole && !run.is_applied).then(|| "refused, but it is whole".to_owned()));
            fault.map(|fault| format!("{fault}\n{}", told(&run)))
        }
    };
    fault.map(|fault| {
        let reply = String::from_utf8_lossy(&damaged.bytes).into_owned();
        format!("==== seed {seed}, {damage:?}, {:?}: {fault}\n---- reply\n{reply}\n", case.kind)
    })
}

fn run(disk: &Disk, case: &Case, damaged: &Damaged, seed: u64) -> Run {
    match str::from_utf8(&damaged.bytes) {
        Ok(reply) if !seed.is_multiple_of(40) => disk.apply(case.kind, reply),
        _ => disk.command(case.kind, &damaged.bytes),
    }
}

fn told(run: &Run) -> String {
    run.findings
        .iter()
        .map(|found| format!("{} {} {:?}\n", found.severity, found.code, found.lines))
        .collect()
}

#[test]
fn damaged_replies_are_refused_or_right() {
    let (count, first) = (number("HOSTILE_CASES", 400), number("HOSTILE_SEED", 1));
    let threads = 2;
    let (mut faults, mut counts) = (Vec::new(), Counts::new());
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                scope.spawn(move || {
                    let mut counts = Counts::new();
                    let seeds = (first..first + count).filter(|seed| seed % threads == part);
                    let faults: Vec<_> = seeds.filter_map(|seed| check(seed, &mut counts)).collect();
                    (faults, counts)
                })
            })
            .collect();
        for part in parts {
            let (more, others) = part.join().unwrap();
            faults.extend(more);
            for (damage, other) in others {
                let count = counts.entry(damage).or_default();
                count.made += other.made;
                count.refused += other.refused;
                count.applied += other.applied;
            }
        }
    });
    for (damage, Count { made, refused, applied }) in &counts {
        println!("{damage:?}: {made} made, {refused} refused, {applied} applied");
    }
    faults.sort_by_key(String::len);
    let shown: String = faults.iter().take(80).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} faults\n{shown}", faults.len());
}
