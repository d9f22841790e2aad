//! Crashes at every call of the commit, and again at every call of the recovery, on a model that loses what was not
//! synced. Always all old or all new.
//!
//! `FSRB_TEST_FULL=1` looks at many more states.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustix::io::Errno;

use super::scene::{Do, plan};
use crate::apply::commit::protocol::{commit, recover};
use crate::apply::commit::{CommitError, CommitOptions, Committed, Durability, How};
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Lack, Plan};
use crate::apply::fs::model::{MemFs, Node};

type Snapshot = BTreeMap<String, Node>;

/// Transactions of every kind, of one to four entries, over [`model`].
const SHAPES: &[&[(&str, Do<'static>)]] = &[
    &[("a", Do::Update("new\n"))],
    &[("a", Do::Executable(true))],
    &[("c", Do::Create("x\n"))],
    &[("n/m/f", Do::Create("x\n"))],
    &[("a", Do::Delete)],
    &[("e/g/c", Do::Delete)],
    &[("a", Do::Update("old b\n")), ("d/b", Do::Update("old a\n"))],
    &[("e/g/c", Do::Delete), ("e/h", Do::Create(""))],
    &[("a/x", Do::Create("x\n")), ("a", Do::Delete)],
    &[("d/b", Do::Delete), ("n/b", Do::Like("d/b")), ("d/z", Do::Update(""))],
    MIXED,
];

const MIXED: &[(&str, Do<'static>)] = &[
    ("a", Do::Update("new\n")),
    ("d/b", Do::Update("new\n")),
    ("e/g/c", Do::Delete),
    ("n/m/f", Do::Create("x\n")),
];

fn model() -> MemFs {
    let fs = MemFs::new();
    for (path, text) in [("a", "old a\n"), ("d/b", "old b\n"), ("d/z", "z\n"), ("e/g/c", "only\n")] {
        assert!(fs.put(path, text));
    }
    fs.sync();
    fs
}

fn tree(fs: &MemFs, lack: Lack, faults: Plan) -> (Tree<FaultFs<MemFs>>, Rc<Control>) {
    let control = Control::new(Plan::Never);
    control.lack.set(lack);
    let tree = Tree::new(FaultFs::new(fs.clone(), Rc::clone(&control)), fs.root(), vec!["/root".to_owned()])
        .unwrap();
    control.calls.borrow_mut().clear();
    *control.plan.borrow_mut() = faults;
    (tree, control)
}

fn apply(
    fs: &MemFs,
    lack: Lack,
    todo: &[(&str, Do<'_>)],
    faults: Plan,
    durability: Durability,
) -> (Result<Committed, CommitError>, usize) {
    let transaction = plan(&tree(fs, Lack::Nothing, Plan::Never).0, todo);
    let (tree, control) = tree(fs, lack, faults);
    let result = commit(&tree, &transaction, &CommitOptions { durability, ..CommitOptions::default() });
    let count = control.count();
    (result, count)
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as u32
    }
}

/// How much is looked at.
#[derive(Clone, Copy)]
struct Budget {
    /// Up to how many unsynced things every subset of them is kept.
    exhaustive: usize,
    /// How many random subsets are kept beyond.
    random: usize,
    /// At how many calls of each recovery it crashes again.
    again: usize,
}

fn budget() -> Budget {
    if std::env::var_os("FSRB_TEST_FULL").is_some() {
        Budget { exhaustive: 7, random: 50, again: 4 }
    } else {
        Budget { exhaustive: 3, random: 4, again: 1 }
    }
}

/// The states that a crash may leave: the process killed, or the power gone.
fn crashes(fs: &MemFs, budget: Budget, random: &mut Random) -> Vec<MemFs> {
    let killed = fs.fork();
    killed.kill();
    let mut states = vec![killed];
    let count = fs.unsynced();
    if count <= budget.exhaustive {
        for subset in 0..1_u32 << count {
            let state = fs.fork();
            let mut rest = subset;
            state.crash(|| {
                let pick = rest & 1;
                rest >>= 1;
                pick
            });
            states.push(state);
        }
    }
    for _ in 0..if count == 0 { 0 } else { budget.random } {
        let state = fs.fork();
        state.crash(|| random.next());
        states.push(state);
    }
    states
}

/// What a tree may be after the next start.
struct Expected<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
}

impl Expected<'_> {
    /// `old`, `new`, or what is wrong.
    fn check(&self, fs: &MemFs) -> Result<&'static str, String> {
        let mut now = fs.snapshot();
        if &now == self.before {
            return Ok("old");
        }
        // An emptied directory may come back where the file system reorders: its removal is not synced.
        while let Some(path) = now
            .iter()
            .filter(|(path, node)| **node == Node::Dir && !self.after.contains_key(*path))
            .map(|(path, _)| path.clone())
            .find(|path| {
                self.before.contains_key(path)
                    && !now.keys().any(|other| other.starts_with(&format!("{path}/")))
            })
        {
            now.remove(&path);
        }
        if &now == self.after { Ok("new") } else { Err(format!("neither old nor new: {now:#?}")) }
    }
}

/// Settles, and says what the tree became.
fn settle(fs: &MemFs, lack: Lack, expected: &Expected<'_>) -> Result<&'static str, String> {
    let (tree, _) = tree(fs, lack, Plan::Never);
    recover(&tree, How::Ask).map_err(|error| format!("{error:?}: {:#?}", fs.snapshot()))?;
    expected.check(fs)
}

/// Crashes at every call; how many states were looked at, and what was wrong.
fn matrix(
    todo: &[(&str, Do<'_>)],
    lack: Lack,
    durability: Durability,
    budget: Budget,
) -> (usize, Vec<String>) {
    let start = model();
    let before = start.snapshot();
    let done = start.fork();
    let (result, calls) = apply(&done, lack, todo, Plan::Never, durability);
    result.unwrap();
    let after = done.snapshot();
    assert_ne!(before, after);
    let expected = Expected { before: &before, after: &after };
    let mut random = Random(calls as u64);
    let (mut states, mut wrong) = (0, Vec::new());
    for call in 0..=calls {
        let fs = start.fork();
        let (result, _) = apply(&fs, lack, todo, Plan::From(call, Errno::IO), durability);
        for state in crashes(&fs, budget, &mut random) {
            states += 1;
            let crashed = state.fork();
            let what = |result: String| format!("{todo:?}, {lack:?}, call {call}: {result}");
            match (settle(&state, lack, &expected), &result) {
                (Err(error), _) => wrong.push(what(error)),
                (Ok("old"), Ok(_)) => wrong.push(what("success was reported".to_owned())),
                (Ok("new"), Err(error)) if !error.is_pending() => wrong.push(what(format!("{error:?}"))),
                _ => {}
            }
            // The recovery itself is interrupted.
            let recovery = {
                let (tree, control) = tree(&crashed.fork(), lack, Plan::Never);
                let _ = recover(&tree, How::Ask);
                control.count()
            };
            let again: Vec<usize> = if budget.again >= recovery {
                (0..recovery).collect()
            } else {
                (0..budget.again).map(|_| random.next() as usize % recovery).collect()
            };
            for second in again {
                let fs = crashed.fork();
                let _ = recover(&tree(&fs, lack, Plan::From(second, Errno::IO)).0, How::Ask);
                for state in crashes(&fs, Budget { exhaustive: 0, random: 2, ..budget }, &mut random) {
                    states += 1;
                    if let Err(error) = settle(&state, lack, &expected) {
                        wrong.push(what(format!("again at call {second} of the recovery: {error}")));
                    }
                }
            }
        }
    }
    (states, wrong)
}

#[test]
fn crash_in_the_commit_and_again_in_the_recovery() {
    for lack in [Lack::Nothing, Lack::RenameFlags, Lack::Links] {
        let mut total = 0;
        for todo in SHAPES {
            let budget = if lack == Lack::Nothing { budget() } else { Budget { exhaustive: 0, ..budget() } };
            let (states, wrong) = matrix(todo, lack, Durability::Full, budget);
            assert!(wrong.is_empty(), "{} of {states} states: {}", wrong.len(), wrong[0]);
            total += states;
        }
        eprintln!("{lack:?}: {total} states");
        assert!(total > 3_000, "{total}");
    }
}

#[test]
fn without_syncs_the_matrix_finds_damage() {
    let (states, wrong) =
        matrix(MIXED, Lack::Nothing, Durability::None, Budget { exhaustive: 0, random: 12, again: 0 });
    assert!(wrong.len() * 10 > states, "{} of {states}", wrong.len());
    // Kills alone do no damage even then.
    let (_, wrong) =
        matrix(MIXED, Lack::Nothing, Durability::None, Budget { exhaustive: 0, random: 0, again: 0 });
    assert!(wrong.iter().all(|wrong| wrong.contains("success was reported")), "{wrong:?}");
}

#[test]
fn many_entries_are_synced_as_a_whole() {
    let names: Vec<String> = (0..12).map(|n| format!("many{}/f{n}", n % 10)).collect();
    let todo: Vec<_> = names.iter().map(|name| (name.as_str(), Do::Create("x\n"))).collect();
    let budget = Budget { exhaustive: 0, random: 6, again: 1 };
    let (states, wrong) = matrix(&todo, Lack::Nothing, Durability::Full, budget);
    assert!(wrong.is_empty(), "{} of {states} states: {}", wrong.len(), wrong[0]);
}
