//! The commit on the real file system.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::scene::{Do, MIXED, Scene, path, plan};
use crate::apply::commit::protocol::{commit, pending, recover};
use crate::apply::commit::{CommitError, CommitOptions, CommitWarning, Committed, Doubt, How, Recovered};

fn apply(scene: &Scene, todo: &[(&str, Do<'_>)]) -> Result<Committed, CommitError> {
    let tree = scene.tree();
    let transaction = plan(&tree, todo);
    commit(&tree, &transaction, &CommitOptions::default())
}

fn no_leftovers(scene: &Scene) {
    assert!(!scene.exists(".fsrb-txn"), "{:?}", scene.snapshot());
    assert!(!scene.exists(".fsrb-done"), "{:?}", scene.snapshot());
}

#[test]
fn a_mixed_transaction_is_applied() {
    let scene = Scene::mixed();
    assert_eq!(apply(&scene, MIXED).unwrap(), Committed::default());
    assert_eq!(scene.read("a"), b"new\n");
    assert_eq!(scene.read("d/b"), b"new\n");
    assert_eq!(scene.read("n/m/f"), b"x\n");
    assert!(!scene.exists("e"), "the emptied directory goes");
    no_leftovers(&scene);
}

#[test]
fn an_empty_transaction_does_nothing() {
    let scene = Scene::mixed();
    let before = scene.snapshot();
    assert_eq!(apply(&scene, &[]).unwrap(), Committed::default());
    assert_eq!(scene.snapshot(), before);
}

#[test]
fn many_files_in_many_directories() {
    let scene = Scene::new();
    let names: Vec<String> = (0..400).map(|n| format!("d{}/f{n}", n % 250)).collect();
    for name in &names {
        scene.write(name, "old\n");
    }
    let todo: Vec<_> = names.iter().map(|name| (name.as_str(), Do::Update("new\n"))).collect();
    apply(&scene, &todo).unwrap();
    for name in &names {
        assert_eq!(scene.read(name), b"new\n", "{name}");
    }
    no_leftovers(&scene);
}

#[test]
fn modes_are_kept_without_set_id_bits() {
    let scene = Scene::mixed();
    scene.chmod("a", 0o4755).chmod("d/b", 0o600);
    apply(&scene, MIXED).unwrap();
    assert_eq!(scene.mode("a"), 0o755);
    assert_eq!(scene.mode("d/b"), 0o600);
}

#[test]
fn executable_bits_are_set_and_cleared_with_equal_content() {
    let scene = Scene::mixed();
    scene.chmod("a", 0o640).chmod("d/b", 0o755);
    apply(&scene, &[("a", Do::Executable(true)), ("d/b", Do::Executable(false))]).unwrap();
    assert_eq!((scene.mode("a"), scene.mode("d/b")), (0o750, 0o644));
    assert_eq!(scene.read("a"), b"old\n");
}

#[test]
fn a_created_file_is_like_its_source() {
    let scene = Scene::mixed();
    scene.chmod("a", 0o751);
    apply(&scene, &[("a", Do::Delete), ("z/copy", Do::Like("a"))]).unwrap();
    assert_eq!((scene.read("z/copy"), scene.mode("z/copy")), (b"old\n".to_vec(), 0o751));
    assert!(!scene.exists("a"));
}

#[test]
fn a_directory_takes_the_place_of_a_deleted_file() {
    let scene = Scene::mixed();
    apply(&scene, &[("a/b/c", Do::Create("y\n")), ("a", Do::Delete)]).unwrap();
    assert_eq!(scene.read("a/b/c"), b"y\n");
    no_leftovers(&scene);
}

#[test]
fn a_hard_link_is_broken_with_a_warning() {
    let scene = Scene::mixed();
    fs::hard_link(scene.base().join("a"), scene.out().join("v")).unwrap();
    let committed = apply(&scene, &[("a", Do::Update("new\n"))]).unwrap();
    assert_eq!(committed.warnings, [CommitWarning::HardLink { path: "a".to_owned() }]);
    assert_eq!(fs::read(scene.out().join("v")).unwrap(), b"old\n");
    assert_eq!(fs::metadata(scene.out().join("v")).unwrap().nlink(), 1);
}

#[test]
fn a_link_stays_and_the_file_it_leads_to_is_replaced() {
    let scene = Scene::mixed();
    scene.symlink("d/b", "rel").symlink(scene.base().join("a"), "abs");
    apply(&scene, &[("rel", Do::Update("1\n")), ("abs", Do::Update("2\n"))]).unwrap();
    assert_eq!((scene.read("d/b"), scene.read("a")), (b"1\n".to_vec(), b"2\n".to_vec()));
    assert!(fs::symlink_metadata(scene.base().join("rel")).unwrap().is_symlink());
}

#[test]
fn what_changed_after_it_was_read_is_kept() {
    for (change, left) in [("in place", "OLD\n"), ("replaced", "old\n"), ("deleted", "")] {
        let scene = Scene::mixed();
        let tree = scene.tree();
        let transaction = plan(&tree, MIXED);
        let file = scene.base().join("d/b");
        match change {
            "in place" => fs::write(&file, "OLD\n").unwrap(),
            "replaced" => {
                fs::write(scene.base().join("d/t"), "old\n").unwrap();
                fs::rename(scene.base().join("d/t"), &file).unwrap();
            }
            _ => fs::remove_file(&file).unwrap(),
        }
        let before = scene.snapshot();
        let error = commit(&tree, &transaction, &CommitOptions::default()).unwrap_err();
        assert!(
            matches!(&error, CommitError::ChangedOnDisk { path } if path == "d/b"),
            "{change}: {error:?}"
        );
        assert_eq!(scene.snapshot(), before, "{change}");
        assert_eq!(fs::read_to_string(&file).unwrap_or_default(), left);
    }
}

#[test]
fn a_created_file_must_not_exist() {
    let scene = Scene::mixed();
    let tree = scene.tree();
    let transaction = plan(&tree, MIXED);
    scene.write("n/m/f", "foreign\n");
    let before = scene.snapshot();
    let error = commit(&tree, &transaction, &CommitOptions::default()).unwrap_err();
    assert!(matches!(&error, CommitError::ChangedOnDisk { path } if path == "n/m/f"), "{error:?}");
    assert_eq!(scene.snapshot(), before);
}

#[test]
fn nothing_is_pending_in_a_clean_tree() {
    let scene = Scene::mixed();
    assert_eq!(pending(&scene.tree()).unwrap(), None);
    assert_eq!(recover(&scene.tree(), How::Ask).unwrap(), Recovered::default());
}

#[test]
fn a_planted_journal_is_refused_and_kept() {
    let scene = Scene::mixed();
    scene.write(".fsrb-txn/journal", "fsrb-journal 1 1 1 0\n");
    let before = scene.snapshot();
    for mode in [0o755, 0o700] {
        scene.chmod(".fsrb-txn", mode);
        let error = apply(&scene, MIXED).unwrap_err();
        assert!(
            matches!(error, CommitError::Interrupted { doubt: Doubt::NotOurs | Doubt::Damaged, .. }),
            "{error:?}"
        );
        assert!(matches!(recover(&scene.tree(), How::Keep), Err(CommitError::Interrupted { .. })));
        assert!(pending(&scene.tree()).unwrap().is_some());
    }
    scene.chmod(".fsrb-txn", 0o755);
    assert_eq!(scene.snapshot(), before);
}

#[test]
fn a_directory_without_a_journal_is_removed() {
    for slot in [None, Some(".fsrb-txn/0")] {
        let scene = Scene::mixed();
        fs::create_dir(scene.base().join(".fsrb-txn")).unwrap();
        scene.chmod(".fsrb-txn", 0o700);
        if let Some(slot) = slot {
            scene.write(slot, "staged\n");
        }
        assert_eq!(pending(&scene.tree()).unwrap(), None);
        apply(&scene, MIXED).unwrap();
        no_leftovers(&scene);
    }
}

#[test]
fn a_second_commit_at_once_is_refused() {
    let scene = Scene::mixed();
    let (first, second) = (scene.tree(), scene.tree());
    let transaction = plan(&second, MIXED);
    let _lock = super::super::Lock::take(&first).unwrap();
    for tree in [&first, &second] {
        let error = commit(tree, &transaction, &CommitOptions::default()).unwrap_err();
        assert!(matches!(error, CommitError::Busy), "{error:?}");
    }
    assert_eq!(first.load(&path("a"), 9).unwrap().file.unwrap().bytes, b"old\n");
}
