//! Every call fails once, or is done and said to fail, or all fail from it on; each time the whole tree is compared.

use std::rc::Rc;
use std::time::Duration;

use rustix::io::Errno;

use super::scene::{Do, MIXED, Scene, Snapshot, plan};
use crate::apply::commit::protocol::{commit, recover};
use crate::apply::commit::{CommitError, CommitOptions, Committed, Durability, How, Recovered};
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Lack, Plan};
use crate::apply::fs::unix::UnixFs;

/// A transaction of every kind of entry, in a directory that exists and in new ones.
const ALL_KINDS: &[(&str, Do<'static>)] = &[
    ("a", Do::Update("new\n")),
    ("x", Do::Executable(true)),
    ("d/b", Do::Update("new\n")),
    ("e/c", Do::Delete),
    ("n/m/f", Do::Create("x\n")),
    ("d/like", Do::Like("e/c")),
    ("g", Do::Delete),
    ("g/h", Do::Create("")),
];

fn scene() -> Scene {
    let scene = Scene::mixed();
    scene.write("x", "#!/bin/sh\n").write("g", "in the way\n").chmod("d/b", 0o600);
    scene
}

fn faulty(scene: &Scene, control: &Rc<Control>) -> Tree<FaultFs<UnixFs>> {
    let Tree { fs, base, names, .. } = scene.tree();
    let tree = Tree::new(FaultFs::new(fs, Rc::clone(control)), base, names).unwrap();
    control.calls.borrow_mut().clear();
    tree
}

/// Commits with a plan for the calls; the scene, what it was, and the result.
fn run(
    todo: &[(&str, Do<'_>)],
    lack: Lack,
    plan_: Plan,
) -> (Scene, Snapshot, Rc<Control>, Result<Committed, CommitError>) {
    let scene = scene();
    let before = scene.snapshot();
    let transaction = plan(&scene.tree(), todo);
    let control = Control::new(Plan::Never);
    control.lack.set(lack);
    let tree = faulty(&scene, &control);
    *control.plan.borrow_mut() = plan_;
    // Durability does not matter here, but the calls for it must be made to fail.
    let result = commit(&tree, &transaction, &CommitOptions::default());
    (scene, before, control, result)
}

fn applied(lack: Lack) -> Snapshot {
    let (scene, _, _, result) = run(ALL_KINDS, lack, Plan::Never);
    result.unwrap();
    scene.snapshot()
}

/// Settles what a run left. Where unlocking was made to fail, the lock goes with the handle; but a process that another
/// test is just starting may have a copy of that for a moment.
fn next_start(scene: &Scene) -> Result<Recovered, CommitError> {
    for _ in 0..1_000 {
        match recover(&scene.tree(), How::Ask) {
            Err(CommitError::Busy) => std::thread::sleep(Duration::from_millis(5)),
            result => return result,
        }
    }
    Err(CommitError::Busy)
}

const LACKS: [Lack; 4] = [Lack::Nothing, Lack::RenameFlags, Lack::Links, Lack::SyncAll];

/// Whether the tree is new, at the latest after the next start, or old with nothing added.
fn check_settled(
    what: &str,
    scene: &Scene,
    before: &Snapshot,
    after: &Snapshot,
    result: &Result<Committed, CommitError>,
    denied: bool,
) {
    match result {
        Ok(_) | Err(CommitError::Unconfirmed { .. }) => {
            // Only what the fault kept from being tidied is left.
            let now = scene.snapshot();
            for (path, kind) in after {
                assert_eq!(now.get(path), Some(kind), "{what}: {path}");
            }
            next_start(scene).unwrap();
            let mut now = scene.snapshot();
            if denied {
                // Removing an emptied directory is not tried again where it is not allowed.
                now.remove("base/e");
            }
            assert_eq!(&now, after, "{what}: after the next start");
        }
        Err(error) => {
            assert!(!error.is_pending(), "{what}: {error:?}");
            assert_eq!(&scene.snapshot(), before, "{what}: {error:?}");
        }
    }
}

#[test]
fn a_call_that_fails_once() {
    for lack in LACKS {
        let after = applied(lack);
        for errno in [Errno::IO, Errno::NOSPC, Errno::ACCESS, Errno::ROFS] {
            let (mut undone, mut done) = (0, 0);
            for number in 0.. {
                let (scene, before, control, result) = run(ALL_KINDS, lack, Plan::Once(number, errno));
                if !control.fired() {
                    break;
                }
                let what = format!("{lack:?}, call {number} {:?}", control.calls.borrow()[number]);
                let denied = matches!(errno, Errno::ACCESS | Errno::ROFS);
                check_settled(&what, &scene, &before, &after, &result, denied);
                if result.is_ok() { done += 1 } else { undone += 1 }
            }
            assert!(undone > 60 && done > 5, "{lack:?}: {undone} undone, {done} done");
        }
    }
}

#[test]
fn a_call_that_is_done_and_said_to_fail() {
    for lack in LACKS {
        let after = applied(lack);
        for number in 0.. {
            let (scene, before, control, result) = run(ALL_KINDS, lack, Plan::Done(number, Errno::IO));
            if !control.fired() {
                break;
            }
            let what = format!("{lack:?}, call {number} {:?}", control.calls.borrow()[number]);
            check_settled(&what, &scene, &before, &after, &result, false);
        }
    }
}

#[test]
fn all_calls_fail_from_one_on_then_the_next_start_settles() {
    for lack in LACKS {
        let after = applied(lack);
        let mut pending = 0;
        for number in 0.. {
            let (scene, before, control, result) = run(ALL_KINDS, lack, Plan::From(number, Errno::IO));
            if !control.fired() {
                break;
            }
            let what = format!("{lack:?}, call {number} {:?}", control.calls.borrow()[number]);
            pending += usize::from(result.as_ref().is_err_and(CommitError::is_pending));
            next_start(&scene).unwrap_or_else(|error| panic!("{what}: {error:?}"));
            let now = scene.snapshot();
            let reached = if now == after { "new" } else { "old" };
            assert!(now == before || now == after, "{what}: {now:#?}");
            if result.is_ok() {
                assert_eq!(reached, "new", "{what}: success was reported");
            }
            if result.as_ref().is_err_and(|error| !error.is_pending()) {
                assert_eq!(reached, "old", "{what}: {result:?}");
            }
        }
        assert!(pending > 10, "{lack:?}: {pending} were pending");
    }
}

#[test]
fn interrupted_and_short_calls_change_nothing() {
    for plan in [Plan::Interrupt, Plan::Short] {
        for lack in LACKS {
            let after = applied(lack);
            let plan = if matches!(plan, Plan::Short) { Plan::Short } else { Plan::Interrupt };
            let (scene, _, _, result) = run(ALL_KINDS, lack, plan);
            result.unwrap();
            assert_eq!(scene.snapshot(), after);
        }
    }
}

#[test]
fn syncs_are_as_few_as_the_protocol_says() {
    let count = |todo: &[(&str, Do<'_>)], lack| {
        let (_, _, control, result) = run(todo, lack, Plan::Never);
        result.unwrap();
        (control.count_of("sync_file"), control.count_of("sync_dir"), control.count_of("sync_all"))
    };
    // Two slots and the journal; .fsrb-txn and the root; the root, d and .fsrb-txn; the root.
    let two = &MIXED[..2];
    assert_eq!(count(two, Lack::Nothing), (3, 6, 0));
    let scene = Scene::new();
    let names: Vec<String> = (0..300).map(|n| format!("f{n}")).collect();
    for name in &names {
        scene.write(name, "old\n");
    }
    let todo: Vec<_> = names.iter().map(|name| (name.as_str(), Do::Update("new\n"))).collect();
    let transaction = plan(&scene.tree(), &todo);
    for (lack, files, dirs, all) in [(Lack::Nothing, 0, 5, 1), (Lack::SyncAll, 301, 5, 1)] {
        let control = Control::new(Plan::Never);
        control.lack.set(lack);
        let tree = faulty(&scene, &control);
        let transaction = if lack == Lack::Nothing {
            transaction.clone()
        } else {
            let todo: Vec<_> = names.iter().map(|name| (name.as_str(), Do::Update("newer\n"))).collect();
            plan(&scene.tree(), &todo)
        };
        commit(&tree, &transaction, &CommitOptions::default()).unwrap();
        let counts = ["sync_file", "sync_dir", "sync_all"].map(|name| control.count_of(name));
        assert_eq!(counts, [files, dirs, all], "{lack:?}");
    }
    let control = Control::new(Plan::Never);
    let tree = faulty(&scene, &control);
    let transaction = plan(&scene.tree(), &[("f0", Do::Delete)]);
    commit(&tree, &transaction, &CommitOptions { durability: Durability::None, ..CommitOptions::default() })
        .unwrap();
    assert_eq!(control.calls.borrow().iter().filter(|call| call.starts_with("sync")).count(), 0);
}
