//! The process is really killed at each call: the test binary starts itself again, told where to stop.

use std::process::Command;

use super::scene::{Do, MIXED, Scene, plan};
use crate::apply::commit::protocol::{commit, recover};
use crate::apply::commit::{CommitOptions, How};
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Plan};
use crate::apply::fs::unix::UnixFs;

/// Says to the test below which root to work on, and before which call of which job to die: `<call> <job> <root>`.
const VARIABLE: &str = "FSRB_TEST_KILL";

/// A system that kills this process before a call.
fn dying(root: &str, call: usize) -> Tree<FaultFs<UnixFs>> {
    let (fs, base, names) = UnixFs::open(root.as_ref()).unwrap();
    let control = Control::new(Plan::Never);
    let tree = Tree::new(FaultFs::new(fs, control.clone()), base, names).unwrap();
    control.calls.borrow_mut().clear();
    let die = || {
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
    };
    *control.plan.borrow_mut() = Plan::Before(call, Box::new(die));
    tree
}

/// The job of the process that dies; nothing when it is run as a test.
#[test]
fn child() {
    let Ok(order) = std::env::var(VARIABLE) else { return };
    let mut words = order.splitn(3, ' ');
    let (call, job, root) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
    let tree = dying(root, call.parse().unwrap());
    match job {
        "commit" => {
            // The plan is made by a tree of its own, so that only the calls of the commit are counted.
            let transaction = plan(&Tree::open(root.as_ref()).unwrap(), MIXED);
            drop(commit(&tree, &transaction, &CommitOptions::default()).unwrap());
        }
        _ => drop(recover(&tree, How::Ask).unwrap()),
    }
}

/// Runs a job that dies before a call; false when it came to its end.
fn killed(scene: &Scene, job: &str, call: usize) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    let name = module_path!().split_once("::").unwrap().1;
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("{name}::child"), "--test-threads=1"])
        .env(VARIABLE, format!("{call} {job} {}", scene.base().display()))
        .output()
        .unwrap();
    match (output.status.signal(), output.status.code()) {
        (Some(9), _) => true,
        (None, Some(0)) => false,
        other => panic!("{other:?}: {}", String::from_utf8_lossy(&output.stdout)),
    }
}

#[test]
fn killed_at_every_call_of_the_commit_and_of_the_recovery() {
    let before = Scene::mixed().snapshot();
    let after = {
        let scene = Scene::mixed();
        commit(&scene.tree(), &plan(&scene.tree(), MIXED), &CommitOptions::default()).unwrap();
        scene.snapshot()
    };
    let (mut old, mut new, mut mixed) = (0, 0, 0);
    for call in 0.. {
        let scene = Scene::mixed();
        if !killed(&scene, "commit", call) {
            assert_eq!(scene.snapshot(), after);
            break;
        }
        let reads = ["a", "d/b"].map(|path| scene.read(path) == b"new\n");
        mixed += usize::from(reads[0] != reads[1]);
        // Every third recovery is killed too.
        if call % 3 == 0 {
            killed(&scene, "recover", call % 40);
        }
        recover(&scene.tree(), How::Ask).unwrap();
        let now = scene.snapshot();
        if now == before {
            old += 1;
        } else {
            assert_eq!(now, after, "killed before call {call}");
            new += 1;
        }
    }
    assert!(old > 80 && new > 5 && mixed > 3, "{old} old, {new} new, {mixed} were mixed before the recovery");
}

/// The system calls that a commit makes.
const SYSTEM_CALLS: [&str; 16] = [
    "close",
    "fchmod",
    "flock",
    "fstat",
    "fsync",
    "getdents64",
    "mkdirat",
    "newfstatat",
    "openat",
    "openat2",
    "read",
    "renameat",
    "renameat2",
    "syncfs",
    "unlinkat",
    "write",
];

/// Runs the commit under a tracer that kills it at a system call; `None` without a tracer, false when it was not killed.
fn killed_by_tracer(scene: &Scene, call: &str, number: usize) -> Option<bool> {
    use std::os::unix::process::ExitStatusExt as _;
    let name = module_path!().split_once("::").unwrap().1;
    let output = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("inject={call}:signal=KILL:when={number}")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("{name}::child"), "--test-threads=1"])
        .env(VARIABLE, format!("{} commit {}", usize::MAX, scene.base().display()))
        .output()
        .ok()?;
    let killed = output.status.signal() == Some(9) || output.status.code() == Some(137);
    (killed || output.status.success()).then_some(killed)
}

#[test]
fn killed_at_system_calls() {
    let before = Scene::mixed().snapshot();
    let (mut old, mut new) = (0, 0);
    for call in SYSTEM_CALLS {
        // A few of each kind are the harness's own.
        for number in 1.. {
            let scene = Scene::mixed();
            match killed_by_tracer(&scene, call, number) {
                None => {
                    eprintln!("skipped: no tracer works here");
                    return;
                }
                Some(false) => break,
                Some(true) => {}
            }
            recover(&scene.tree(), How::Ask).unwrap();
            if scene.snapshot() == before {
                old += 1;
            } else {
                assert_eq!((scene.read("a"), scene.read("d/b")), (b"new\n".to_vec(), b"new\n".to_vec()));
                assert!(scene.exists("n/m/f") && !scene.exists("e") && !scene.exists(".fsrb-done"));
                new += 1;
            }
        }
    }
    eprintln!("{old} old, {new} new");
    assert!(old > 100 && new > 10, "{old} old, {new} new");
}

#[test]
fn a_lock_goes_with_its_process() {
    let scene = Scene::mixed();
    // The first call is the lock, the second comes while it is held.
    assert!(killed(&scene, "commit", 1));
    let tree = scene.tree();
    commit(&tree, &plan(&tree, &[("a", Do::Update("new\n"))]), &CommitOptions::default()).unwrap();
}
