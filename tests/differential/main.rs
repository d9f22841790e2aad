//! Diffs, whole and damaged, applied by this crate, by `git apply` and by GNU `patch`: where the resulting trees differ,
//! the reason is in the table of [`disagreements`] and in grammar-notes/unified-diff.md.
//!
//! `DIFFERENTIAL_CASES` sets how many cases there are, `DIFFERENTIAL_SEED` which.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests")]

mod cases;
mod damage;
mod disagreements;
mod random;
mod tools;

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use cases::{Case, Style, Tree};
use damage::Damage;
use disagreements::{Disagreement, KNOWN, Kind, Tool, is_known};
use random::Random;
use tools::Outcome;

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |value| value.parse().unwrap())
}

/// How the outcome of a tool differs from ours.
fn compare(ours: &Outcome, theirs: &Outcome) -> Option<Disagreement> {
    match (ours, theirs) {
        (Outcome::Refused(_), Outcome::Refused(_)) => None,
        (Outcome::Applied(ours), Outcome::Applied(theirs)) => (ours != theirs).then_some(Disagreement::Other),
        (Outcome::Refused(_), Outcome::Applied(_)) => Some(Disagreement::WeRefuse),
        (Outcome::Applied(_), Outcome::Refused(_)) => Some(Disagreement::TheyRefuse),
    }
}

fn show(case: &Case, damage: Damage, diff: &str, outcomes: &[(&str, &Outcome)]) -> String {
    let mut text =
        format!("{damage:?} {:?}\n{diff}\nbefore: {:?}\nafter: {:?}\n", case.style, case.before, case.after);
    for (name, outcome) in outcomes {
        text.push_str(&format!("{name}: {outcome:?}\n"));
    }
    text
}

/// The shortest fault of each kind.
fn smallest(mut faults: Vec<String>) -> Vec<String> {
    faults.sort_by_key(String::len);
    let mut kinds = BTreeSet::new();
    faults.retain(|fault| {
        kinds.insert(fault.split_once('\n').unwrap().0.split_once(':').unwrap().0.to_owned())
    });
    faults
}

/// What became of the cases.
#[derive(Default)]
struct Findings {
    faults: Vec<String>,
    /// How often each disagreement was met.
    met: BTreeMap<Kind, usize>,
    /// For each damage, how many diffs there were, and how many of them did what they were meant to.
    right: BTreeMap<Damage, (usize, usize)>,
}

/// A case, what happened to its diff, the files before it and the diff.
type Damaged<'c> = (&'c Case, Damage, (Tree, String));

impl Findings {
    fn of(cases: &[Damaged<'_>]) -> Self {
        let mut findings = Self::default();
        for (case, damage, (before, diff)) in cases {
            findings.case(case, *damage, before, diff);
        }
        findings
    }

    fn case(&mut self, case: &Case, damage: Damage, before: &Tree, diff: &str) {
        let ours = tools::ours(before, diff);
        let (git, patch) = (tools::git(before, diff, case.style), tools::patch(before, diff));
        let is_right = matches!(&ours, Outcome::Applied(tree) if *tree == damage.after(case));
        let count = self.right.entry(damage).or_default();
        count.0 += 1;
        count.1 += usize::from(is_right);
        let shown = || show(case, damage, diff, &[("ours", &ours), ("git", &git), ("patch", &patch)]);
        let may_differ = match &ours {
            Outcome::Applied(_) => damage.may_mislead(case),
            Outcome::Refused(_) => damage.may_be_refused(case),
        };
        if !is_right && !may_differ {
            self.faults.push(format!("not what the diff says, {damage:?}: {}", shown()));
        }
        if let (Outcome::Applied(tree), Damage::None | Damage::CrLfFiles) = (&ours, damage) {
            self.round_trip(tree, before, diff);
        }
        for (tool, theirs) in [(Tool::Git, &git), (Tool::Patch, &patch)] {
            let Some(disagreement) = compare(&ours, theirs) else { continue };
            let kind = (damage, tool, disagreement);
            *self.met.entry(kind).or_default() += 1;
            if !is_known(kind) {
                self.faults.push(format!("{kind:?}: {}", shown()));
            }
        }
    }

    /// The diff that the command prints does what it was asked to do, in our hands and in those of git.
    fn round_trip(&mut self, tree: &Tree, before: &Tree, diff: &str) {
        let printed = tools::printed(before, diff);
        let outcomes = if printed.starts_with("diff --git") {
            [tools::ours(before, &printed), tools::git(before, &printed, Style::Git(3))]
        } else {
            [Outcome::Applied(before.clone()), Outcome::Applied(before.clone())]
        };
        for (who, outcome) in ["ours", "git"].into_iter().zip(outcomes) {
            if !matches!(&outcome, Outcome::Applied(found) if found == tree) {
                self.faults.push(format!("printed, {who}: {outcome:?}\n{printed}\nof\n{diff}\nbefore: {before:?}\nafter: {tree:?}\n"));
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.faults.extend(other.faults);
        for (kind, count) in other.met {
            *self.met.entry(kind).or_default() += count;
        }
        for (damage, (all, right)) in other.right {
            let count = self.right.entry(damage).or_default();
            *count = (count.0 + all, count.1 + right);
        }
    }
}

#[test]
fn git_and_patch_do_the_same() {
    let count = number("DIFFERENTIAL_CASES", 300);
    let mut random = Random::new(number("DIFFERENTIAL_SEED", 1));
    let cases = cases::make(usize::try_from(count).unwrap(), &mut random);
    // Every second diff is whole.
    let kinds = (0..)
        .map(|index| if index % 2 == 0 { Damage::None } else { Damage::ALL[index / 2 % Damage::ALL.len()] });
    let damaged: Vec<Damaged<'_>> = cases
        .iter()
        .zip(kinds)
        .filter_map(|(case, damage)| Some((case, damage, damage.apply(case, &mut random)?)))
        .collect();
    let mut findings = Findings::default();
    std::thread::scope(|scope| {
        let parts = damaged.chunks(damaged.len().div_ceil(4));
        let threads: Vec<_> = parts.map(|part| scope.spawn(move || Findings::of(part))).collect();
        for thread in threads {
            findings.add(thread.join().unwrap());
        }
    });
    let Findings { faults, met, right } = findings;
    println!("{right:?}\n{met:?}");
    let unmet: Vec<_> = KNOWN.iter().map(|row| row.0).filter(|kind| !met.contains_key(kind)).collect();
    println!("not met: {unmet:?}");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), smallest(faults).concat());
}
