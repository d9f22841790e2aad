//! Every step of the commit over paths fails; each time the whole tree is compared.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::{PortableTree, commit};
use crate::apply::commit::{CommitError, CommitOptions, Committed, Durability};
use crate::apply::files::{LoadError, LoadedFile};
use crate::apply::transaction::{Action, Entry, Transaction};
use crate::rel_path::RelPath;

type Snapshot = BTreeMap<String, String>;

struct Scene {
    dir: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let scene = Self { dir };
        for (name, text) in
            [("a", "old\n"), ("d/b", "old\n"), ("e/c", "only\n"), ("g", "in the way\n"), ("k/l", "like\n")]
        {
            let path = scene.base().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        #[cfg(unix)]
        fs::set_permissions(scene.base().join("k/l"), std::os::unix::fs::PermissionsExt::from_mode(0o751))
            .unwrap();
        scene
    }

    fn base(&self) -> &Path {
        self.dir.path()
    }

    fn tree(&self) -> PortableTree {
        PortableTree::open(self.base()).unwrap()
    }

    fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::new();
        collect(self.base(), "", &mut snapshot);
        snapshot
    }
}

fn collect(dir: &Path, prefix: &str, snapshot: &mut Snapshot) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = fs::symlink_metadata(entry.path()).unwrap();
        if meta.is_dir() {
            collect(&entry.path(), &format!("{path}/"), snapshot);
            snapshot.insert(path, "directory".to_owned());
        } else {
            let text = fs::read_to_string(entry.path()).unwrap();
            snapshot.insert(path, format!("{:o} {text}", super::mode(&meta)));
        }
    }
}

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

fn old(tree: &PortableTree, name: &str) -> Arc<LoadedFile> {
    tree.load(&path(name), 1 << 20).unwrap().file.unwrap()
}

/// Every kind of entry, a directory in the place of a deleted file among them.
fn transaction(tree: &PortableTree) -> Transaction {
    let new = |text: &str| Arc::new(text.as_bytes().to_vec());
    let create = |text: &str| Action::Create { new: new(text), like: None, executable: None };
    let entry = |name: &str, action| Entry { target: path(name), action };
    Transaction {
        entries: vec![
            entry("a", Action::Update { old: old(tree, "a"), new: new("new\n"), executable: Some(true) }),
            entry("n/m/f", create("x\n")),
            entry("e/c", Action::Delete { old: old(tree, "e/c") }),
            entry("d/b", Action::Update { old: old(tree, "d/b"), new: new(""), executable: None }),
            entry("g/h/i", create("y\n")),
            entry("g", Action::Delete { old: old(tree, "g") }),
            entry(
                "z",
                Action::Create {
                    new: new("like\n"),
                    like: Some((path("k/l"), old(tree, "k/l"))),
                    executable: None,
                },
            ),
            entry("k/l", Action::Delete { old: old(tree, "k/l") }),
        ],
    }
}

fn options() -> CommitOptions<'static> {
    CommitOptions { durability: Durability::None, ..CommitOptions::default() }
}

/// Which steps fail.
#[derive(Clone, Copy)]
enum Fail {
    Never,
    Once(usize),
    From(usize),
}

fn run(scene: &Scene, fail: Fail) -> (Result<Committed, CommitError>, usize) {
    let tree = scene.tree();
    let transaction = transaction(&tree);
    let steps = Cell::new(0);
    let result = commit::commit(&tree, &transaction, &options(), &|_, _| {
        let step = steps.replace(steps.get() + 1);
        let fails = match fail {
            Fail::Never => false,
            Fail::Once(at) => step == at,
            Fail::From(at) => step >= at,
        };
        if fails { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(()) }
    });
    (result, steps.get())
}

#[test]
fn a_root_is_a_directory() {
    let scene = Scene::new();
    assert_eq!(scene.tree().path(), scene.base().canonicalize().unwrap());
    let kind = |name: &str| PortableTree::open(&scene.base().join(name)).unwrap_err().kind();
    assert_eq!((kind("a"), kind("missing")), (io::ErrorKind::NotADirectory, io::ErrorKind::NotFound));
}

#[test]
fn all_is_applied() {
    let scene = Scene::new();
    run(&scene, Fail::Never).0.unwrap();
    let snapshot = scene.snapshot();
    let names: Vec<&str> = snapshot.keys().map(String::as_str).collect();
    assert_eq!(names, ["a", "d", "d/b", "g", "g/h", "g/h/i", "n", "n/m", "n/m/f", "z"]);
    #[cfg(unix)]
    assert_eq!((snapshot["a"].as_str(), snapshot["z"].as_str()), ("755 new\n", "751 like\n"));
}

#[test]
fn a_step_that_fails_once() {
    let after = {
        let scene = Scene::new();
        run(&scene, Fail::Never).0.unwrap();
        scene.snapshot()
    };
    let (mut undone, mut done) = (0, 0);
    for step in 0.. {
        let scene = Scene::new();
        let before = scene.snapshot();
        let (result, steps) = run(&scene, Fail::Once(step));
        if steps <= step {
            break;
        }
        let mut now = scene.snapshot();
        match result {
            Ok(_) => {
                // An emptied directory, or an old copy that could not be removed.
                now.retain(|path, _| after.contains_key(path));
                assert_eq!(now, after, "step {step}");
                done += 1;
            }
            Err(error) => {
                assert!(!error.is_pending(), "step {step}: {error:?}");
                assert_eq!(now, before, "step {step}: {error:?}");
                undone += 1;
            }
        }
    }
    assert!(undone > 25 && done > 5, "{undone} undone, {done} done");
}

#[test]
fn where_undoing_fails_the_old_contents_are_kept_and_named() {
    let mut pending = 0;
    for step in 0.. {
        let scene = Scene::new();
        let before = scene.snapshot();
        let (result, steps) = run(&scene, Fail::From(step));
        if steps <= step {
            break;
        }
        let now = scene.snapshot();
        let Err(CommitError::Pending { copies, .. }) = &result else { continue };
        pending += 1;
        for (path, text) in before.iter().filter(|(_, text)| *text != "directory") {
            let copy = copies.iter().find(|copy| copy.path == *path).map_or(path, |copy| &copy.copy);
            assert_eq!(now.get(copy), Some(text), "step {step}: {path}");
        }
    }
    assert!(pending > 10, "{pending}");
}

#[test]
fn what_changed_after_it_was_read_is_kept() {
    for (name, text) in [("d/b", Some("foreign\n")), ("e/c", Some("foreign\n")), ("d/b", None)] {
        let scene = Scene::new();
        let tree = scene.tree();
        let transaction = transaction(&tree);
        match text {
            Some(text) => fs::write(scene.base().join(name), text).unwrap(),
            None => fs::remove_file(scene.base().join(name)).unwrap(),
        }
        let before = scene.snapshot();
        let error = tree.commit(&transaction, &options()).unwrap_err();
        assert!(matches!(&error, CommitError::ChangedOnDisk { path } if path == name), "{error:?}");
        assert_eq!(scene.snapshot(), before);
    }
    let scene = Scene::new();
    let tree = scene.tree();
    let transaction = transaction(&tree);
    fs::create_dir_all(scene.base().join("n/m")).unwrap();
    fs::write(scene.base().join("n/m/f"), "foreign\n").unwrap();
    let before = scene.snapshot();
    let error = tree.commit(&transaction, &options()).unwrap_err();
    assert!(matches!(&error, CommitError::ChangedOnDisk { path } if path == "n/m/f"), "{error:?}");
    assert_eq!(scene.snapshot(), before);
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_only() {
    let scene = Scene::new();
    let link = |body: &str, name: &str| std::os::unix::fs::symlink(body, scene.base().join(name)).unwrap();
    let out = tempfile::tempdir().unwrap();
    fs::create_dir(scene.base().join(".git")).unwrap();
    for (body, name) in [
        ("d/b", "inside"),
        ("d", "dir"),
        ("nowhere", "dangling"),
        ("circle", "circle"),
        (".git", "reserved"),
        (out.path().to_str().unwrap(), "outside"),
    ] {
        link(body, name);
    }
    let tree = scene.tree();
    let load = |name: &str| tree.load(&path(name), 1 << 20);
    assert_eq!(load("inside").unwrap().target.as_str(), "d/b");
    assert_eq!(load("dir/b").unwrap().target.as_str(), "d/b");
    assert_eq!(load("dir/new/x").unwrap().target.as_str(), "d/new/x");
    for name in ["dangling", "circle", "reserved/hooks", "outside/x"] {
        assert!(matches!(load(name), Err(LoadError::Unsafe(_))), "{name}: {:?}", load(name));
    }
    assert!(matches!(load("d"), Err(LoadError::NotAFile(_))));
    assert!(matches!(load("a/x"), Err(LoadError::BelowAFile { file }) if file.as_str() == "a"));
    assert!(matches!(tree.load(&path("a"), 2), Err(LoadError::TooLarge { size: 4, limit: 2 })));
}

#[test]
fn a_journal_brought_from_elsewhere_is_not_settled() {
    let scene = Scene::new();
    assert!(scene.tree().pending().unwrap().is_none());
    fs::create_dir(scene.base().join(".fsrb-txn")).unwrap();
    fs::write(scene.base().join(".fsrb-txn/journal"), "x").unwrap();
    assert!(scene.tree().pending().unwrap().is_some());
    assert!(matches!(
        scene.tree().recover(crate::apply::commit::How::Restore),
        Err(CommitError::Interrupted { .. })
    ));
}
