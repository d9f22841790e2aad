//! Full disks, immutable files, races and cancelling, on the real system. What needs root is skipped, with a word on
//! standard error, elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::scene::{Do, MIXED, Scene, path, plan, try_plan};
use crate::apply::commit::protocol::{commit, recover};
use crate::apply::commit::{CommitError, CommitOptions, Durability, How};
use crate::apply::files::LoadError;
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Plan};
use crate::apply::fs::portable::PortableTree;
use crate::apply::fs::unix::UnixFs;

/// A mounted file system, as long as it lives.
struct Mount(PathBuf);

impl Mount {
    fn new(at: &Path, arguments: &[&str]) -> Option<Self> {
        let done = Command::new("mount").args(arguments).arg(at).output();
        if done.is_ok_and(|output| output.status.success()) {
            return Some(Self(at.to_owned()));
        }
        eprintln!("skipped: nothing can be mounted here");
        None
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn failed(scene: &Scene, todo: &[(&str, Do<'_>)]) -> CommitError {
    let tree = scene.tree();
    let transaction = plan(&tree, todo);
    let before = scene.snapshot();
    let error = commit(&tree, &transaction, &CommitOptions::default()).unwrap_err();
    assert!(!error.is_pending(), "{error:?}");
    assert_eq!(scene.snapshot(), before, "{error:?}");
    error
}

#[test]
fn a_full_disk() {
    let scene = Scene::new();
    let Some(_mount) = Mount::new(&scene.base(), &["-t", "tmpfs", "-o", "size=256k", "tmpfs"]) else {
        return;
    };
    scene.write("a", "old\n").write("d/b", "old\n");
    let big = "x".repeat(200_000);
    let todo =
        [("a", Do::Update(big.as_str())), ("d/b", Do::Update(big.as_str())), ("n/c", Do::Create("x\n"))];
    let error = failed(&scene, &todo);
    assert!(
        matches!(&error, CommitError::Failed { source, .. } if source.kind() == std::io::ErrorKind::StorageFull),
        "{error:?}"
    );
}

#[test]
fn no_inodes_left() {
    let scene = Scene::new();
    let options = ["-t", "tmpfs", "-o", "size=1m,nr_inodes=30", "tmpfs"];
    let Some(_mount) = Mount::new(&scene.base(), &options) else { return };
    scene.write("a", "old\n");
    let names: Vec<String> = (0..40).map(|n| format!("n{n}")).collect();
    let todo: Vec<_> = names.iter().map(|name| (name.as_str(), Do::Create("x\n"))).collect();
    failed(&scene, &todo);
}

#[test]
fn another_file_system_below_the_root() {
    let scene = Scene::mixed();
    fs::create_dir(scene.base().join("m")).unwrap();
    let Some(_mount) = Mount::new(&scene.base().join("m"), &["-t", "tmpfs", "tmpfs"]) else { return };
    scene.write("m/f", "old\n");
    let result = scene.tree().load(&path("m/f"), 99);
    assert!(matches!(result, Err(LoadError::OtherFileSystem { .. })), "{result:?}");
    let error = failed(&scene, &[("a", Do::Update("new\n")), ("m/n/new", Do::Create("x\n"))]);
    assert!(matches!(&error, CommitError::OtherFileSystem { path } if path == "m"), "{error:?}");
}

#[test]
fn the_same_file_system_mounted_again_below_the_root() {
    let scene = Scene::mixed();
    fs::create_dir(scene.base().join("m")).unwrap();
    let source = scene.base().join("d");
    let Some(_mount) = Mount::new(&scene.base().join("m"), &["--bind", source.to_str().unwrap()]) else {
        return;
    };
    // Only the rename tells.
    let error = failed(&scene, &[("a", Do::Update("new\n")), ("m/b", Do::Update("new\n"))]);
    assert_eq!(error.code(), crate::diagnostic::Code::OtherFileSystem, "{error:?}");
}

#[test]
fn an_immutable_file() {
    let scene = Scene::on_disk();
    scene.write("a", "old\n").write("d/b", "old\n").write("e/c", "only\n");
    let file = scene.base().join("d/b");
    let chattr = |flag: &str| {
        Command::new("chattr").arg(flag).arg(&file).output().is_ok_and(|output| output.status.success())
    };
    if !chattr("+i") {
        eprintln!("skipped: no file can be made immutable here");
        return;
    }
    let error = failed(&scene, MIXED);
    assert!(chattr("-i"));
    assert!(matches!(&error, CommitError::Failed { path, .. } if path == "d/b"), "{error:?}");
}

#[test]
fn a_commit_can_be_cancelled_until_it_is_done() {
    let before = Scene::mixed().snapshot();
    let (mut undone, mut done) = (0, 0);
    for call in 0.. {
        let scene = Scene::mixed();
        let flag = std::rc::Rc::new(AtomicBool::new(false));
        let control = Control::new(Plan::Never);
        let Tree { fs, base, names, .. } = scene.tree();
        let tree = Tree::new(FaultFs::new(fs, control.clone()), base, names).unwrap();
        let transaction = plan(&scene.tree(), MIXED);
        control.calls.borrow_mut().clear();
        let raise = {
            let flag = flag.clone();
            move || flag.store(true, Ordering::Relaxed)
        };
        *control.plan.borrow_mut() = Plan::Before(call, Box::new(raise));
        let result =
            commit(&tree, &transaction, &CommitOptions { cancel: Some(&flag), ..CommitOptions::default() });
        if !control.fired() {
            break;
        }
        match result {
            Ok(_) => done += 1,
            Err(CommitError::Cancelled) => {
                assert_eq!(scene.snapshot(), before);
                undone += 1;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(undone > 50 && done > 5, "{undone} undone, {done} done");
}

/// Lets the other thread end, however this one does.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[test]
fn a_directory_and_a_link_to_outside_change_places_during_commits() {
    let scene = Scene::new();
    scene.write("v/x", "0\n").write("other", "0\n");
    fs::write(scene.out().join("x"), "outside\n").unwrap();
    scene.symlink(scene.out(), "w");
    let (v, w) = (scene.base().join("v"), scene.base().join("w"));
    let rounds = if std::env::var_os("FSRB_TEST_FULL").is_some() { 100_000 } else { 2_000 };
    let (stop, exchanged) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (mut applied, mut undone, mut refused) = (0, 0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Acquire) {
                let exchange = rustix::fs::RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(rustix::fs::CWD, &v, rustix::fs::CWD, &w, exchange).unwrap();
                exchanged.fetch_add(1, Ordering::Release);
                std::thread::sleep(Duration::from_micros(20));
            }
        });
        let tree = scene.tree();
        let _stop = Stop(&stop);
        let start = Instant::now();
        let enough = |applied, others| {
            exchanged.load(Ordering::Acquire) >= rounds && applied > 0 && others > 0
                || start.elapsed().as_secs() > 60
        };
        let durability = Durability::None;
        for number in 0.. {
            if enough(applied, undone + refused) {
                break;
            }
            let text = format!("{number}\n");
            let todo = [("other", Do::Update(text.as_str())), ("v/x", Do::Update(&text))];
            let Ok(transaction) = try_plan(&tree, &todo) else {
                refused += 1;
                continue;
            };
            match commit(&tree, &transaction, &CommitOptions { durability, ..CommitOptions::default() }) {
                Ok(_) => applied += 1,
                Err(error) if !error.is_pending() => undone += 1,
                Err(error) => panic!("{error:?}"),
            }
        }
    });
    assert_eq!(fs::read(scene.out().join("x")).unwrap(), b"outside\n");
    assert_eq!(fs::read_dir(scene.out()).unwrap().count(), 1, "nothing appears outside");
    assert!(
        applied > 0 && undone + refused > 0,
        "{applied} applied, {undone} undone, {refused} refused: no race"
    );
}

#[test]
fn runs_at_once_lose_no_edit() {
    for _ in 0..30 {
        let scene = Scene::mixed();
        let results: Vec<_> = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..4)
                .map(|number| {
                    let scene = &scene;
                    scope.spawn(move || {
                        let tree = scene.tree();
                        let text = format!("{number}\n");
                        let transaction =
                            plan(&tree, &[("a", Do::Update(&text)), ("d/b", Do::Update(&text))]);
                        commit(&tree, &transaction, &CommitOptions::default()).map(|_| text)
                    })
                })
                .collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        let applied: Vec<&String> = results.iter().flatten().collect();
        // Later runs may have read what an earlier one wrote.
        assert!(!applied.is_empty());
        assert_eq!(scene.read("a"), scene.read("d/b"));
        assert!(applied.iter().any(|text| text.as_bytes() == scene.read("a")));
        for error in results.iter().filter_map(|result| result.as_ref().err()) {
            assert!(!error.is_pending(), "{error:?}");
        }
        assert!(!scene.exists(".fsrb-txn") && !scene.exists(".fsrb-done"));
    }
}

#[test]
fn runs_at_once_in_a_root_and_below_it() {
    for _ in 0..20 {
        let scene = Scene::mixed();
        let run = |root: PathBuf, name: &'static str, text: &'static str| {
            let (fs, base, names) = UnixFs::open(&root).unwrap();
            let tree = Tree::new(fs, base, names).unwrap();
            let transaction = plan(&tree, &[(name, Do::Update(text))]);
            commit(&tree, &transaction, &CommitOptions::default()).is_ok().then_some(text)
        };
        let (outer, inner) = std::thread::scope(|scope| {
            let outer = scope.spawn(|| run(scene.base(), "d/b", "outer\n"));
            let inner = scope.spawn(|| run(scene.base().join("d"), "b", "inner\n"));
            (outer.join().unwrap(), inner.join().unwrap())
        });
        let text = String::from_utf8(scene.read("d/b")).unwrap();
        assert!(match (outer, inner) {
            (None, None) => text == "old\n",
            _ => [outer, inner].contains(&Some(text.as_str())),
        });
    }
}

#[test]
fn deep_directories_are_made() {
    let scene = Scene::new();
    let name = format!("{}f", "d/".repeat(200));
    let tree = scene.tree();
    commit(&tree, &plan(&tree, &[(&name, Do::Create("x\n"))]), &CommitOptions::default()).unwrap();
    assert_eq!(scene.read(&name), b"x\n");
    commit(&tree, &plan(&tree, &[(&name, Do::Delete)]), &CommitOptions::default()).unwrap();
    assert_eq!(fs::read_dir(scene.base()).unwrap().count(), 0);
}

#[test]
fn long_names_and_sparse_files() {
    let scene = Scene::new();
    let name = "n".repeat(255);
    scene.write(&name, "old\n").write("sparse", "");
    fs::File::options().write(true).open(scene.base().join("sparse")).unwrap().set_len(1 << 20).unwrap();
    let tree = scene.tree();
    let text = format!("{}new\n", "\0".repeat(1 << 20));
    let todo = [(name.as_str(), Do::Update("new\n")), ("sparse", Do::Update(&text))];
    commit(&tree, &plan(&tree, &todo), &CommitOptions::default()).unwrap();
    assert_eq!((scene.read(&name), scene.read("sparse").len()), (b"new\n".to_vec(), (1 << 20) + 4));
}

#[test]
fn only_parents_of_deleted_files_are_removed() {
    let scene = Scene::new();
    scene.write("x/y/z/a", "only\n").write("h/a", "only\n").write("h/.hidden", "");
    fs::create_dir(scene.base().join("e")).unwrap();
    let tree = scene.tree();
    let todo = [("x/y/z/a", Do::Delete), ("h/a", Do::Delete)];
    commit(&tree, &plan(&tree, &todo), &CommitOptions::default()).unwrap();
    assert!(scene.exists("e") && scene.exists("h/.hidden") && !scene.exists("x"));
}

/// How long commits take, for people: `cargo test --release -- --ignored --nocapture durations`.
#[test]
#[ignore = "it measures"]
fn durations() {
    for (files, dirs) in [(1, 1), (10, 3), (300, 1), (300, 30), (1_000, 100)] {
        let scene = Scene::on_disk();
        let names: Vec<String> = (0..files).map(|n| format!("d{}/f{n}", n % dirs)).collect();
        names.iter().for_each(|name| {
            scene.write(name, "old\n".repeat(500));
        });
        rustix::fs::sync();
        let new = "new\n".repeat(500);
        let todo: Vec<_> = names.iter().map(|name| (name.as_str(), Do::Update(&new))).collect();
        for durability in [Durability::Full, Durability::None] {
            let tree = scene.tree();
            let transaction = plan(&tree, &todo);
            let start = Instant::now();
            commit(&tree, &transaction, &CommitOptions { durability, ..CommitOptions::default() }).unwrap();
            eprintln!("{files} files in {dirs} directories, {durability:?}: {:?}", start.elapsed());
        }
        recover(&scene.tree(), How::Ask).unwrap();
        // The commit over paths, which syncs every file, and no directory.
        let transaction = plan(&scene.tree(), &todo);
        let tree = PortableTree::open(&scene.base()).unwrap();
        let start = Instant::now();
        tree.commit(&transaction, &CommitOptions::default()).unwrap();
        eprintln!("{files} files in {dirs} directories, over paths: {:?}", start.elapsed());
    }
}
