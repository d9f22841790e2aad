//! Somebody else changes something at the worst moment. What he wrote is kept, and the rest is as it was.

use std::fs;
use std::path::Path;

use super::WITHOUT_CHECK;
use super::scene::{Do, MIXED, Scene, Snapshot, plan};
use crate::apply::commit::protocol::{commit, recover};
use crate::apply::commit::{CommitError, CommitOptions, Committed, How, Unsettled};
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Lack, Plan};

/// Commits the mixed plan, with something else happening before a call on a name.
fn disturbed(
    scene: &Scene,
    lack: Lack,
    (call, name): (&'static str, &'static str),
    act: impl Fn(&Path) + 'static,
) -> Result<Committed, CommitError> {
    let transaction = plan(&scene.tree(), MIXED);
    let base = scene.base();
    let control = Control::new(Plan::BeforeNamed(call, name, Box::new(move || act(&base))));
    control.lack.set(lack);
    let Tree { fs, base, names, .. } = scene.tree();
    let tree = Tree::new(FaultFs::new(fs, control.clone()), base, names).unwrap();
    let result = commit(&tree, &transaction, &CommitOptions::default());
    assert!(control.fired(), "nothing happened before {call} {name}");
    result
}

fn changed(result: &Result<Committed, CommitError>, path: &str) {
    assert!(matches!(result, Err(CommitError::ChangedOnDisk { path: found }) if found == path), "{result:?}");
}

/// The snapshot with one file made something else.
fn with(mut snapshot: Snapshot, path: &str, content: Option<&str>) -> Snapshot {
    match content {
        Some(content) => {
            let kind =
                snapshot.get(path).map_or("100644 0:0", |kind| kind.rsplit_once(' ').unwrap().0).to_owned();
            snapshot.insert(path.to_owned(), format!("{kind} {content}"));
        }
        None => drop(snapshot.remove(path)),
    }
    snapshot
}

#[test]
fn edited_in_place_before_the_swap() {
    for text in ["OLD\n", "another length\n"] {
        let scene = Scene::mixed();
        let before = scene.snapshot();
        let result = disturbed(&scene, Lack::Nothing, ("exchange", "b"), move |base| {
            fs::write(base.join("d/b"), text).unwrap();
        });
        changed(&result, "d/b");
        assert_eq!(scene.snapshot(), with(before, "base/d/b", Some(text)));
    }
}

#[test]
fn edited_in_place_with_time_and_size_put_back() {
    // Only reading the bytes finds this.
    let scene = Scene::mixed();
    let before = scene.snapshot();
    let edit = |base: &Path| {
        let path = base.join("d/b");
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "OLD\n").unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    };
    changed(&disturbed(&scene, Lack::Nothing, ("exchange", "b"), edit), "d/b");
    assert_eq!(scene.snapshot(), with(before, "base/d/b", Some("OLD\n")));
}

#[test]
fn without_the_check_an_edit_is_lost() {
    let scene = Scene::mixed();
    WITHOUT_CHECK.set(true);
    let result = disturbed(&scene, Lack::Nothing, ("exchange", "b"), |base| {
        let path = base.join("d/b");
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "OLD\n").unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    });
    WITHOUT_CHECK.set(false);
    assert!(result.is_ok() && scene.read("d/b") == b"new\n", "this test must see damage: {result:?}");
}

#[test]
fn replaced_before_the_swap() {
    let scene = Scene::mixed();
    let before = scene.snapshot();
    let result = disturbed(&scene, Lack::Nothing, ("exchange", "b"), |base| {
        fs::write(base.join("d/t"), "OLD\n").unwrap();
        fs::rename(base.join("d/t"), base.join("d/b")).unwrap();
    });
    changed(&result, "d/b");
    assert_eq!(scene.snapshot(), with(before, "base/d/b", Some("OLD\n")));
}

#[test]
fn deleted_before_the_swap() {
    for lack in [Lack::Nothing, Lack::RenameFlags, Lack::Links] {
        let scene = Scene::mixed();
        let before = scene.snapshot();
        let result =
            disturbed(&scene, lack, ("exchange", "b"), |base| fs::remove_file(base.join("d/b")).unwrap());
        changed(&result, "d/b");
        assert_eq!(scene.snapshot(), with(before, "base/d/b", None), "{lack:?}");
    }
}

#[test]
fn made_a_link_or_a_directory_before_the_swap() {
    let scene = Scene::mixed();
    let result = disturbed(&scene, Lack::Nothing, ("exchange", "b"), |base| {
        fs::remove_file(base.join("d/b")).unwrap();
        std::os::unix::fs::symlink("../a", base.join("d/b")).unwrap();
    });
    changed(&result, "d/b");
    assert_eq!(fs::read_link(scene.base().join("d/b")).unwrap(), Path::new("../a"));
    assert_eq!(scene.read("a"), b"old\n");

    let scene = Scene::mixed();
    let result = disturbed(&scene, Lack::Nothing, ("exchange", "b"), |base| {
        fs::remove_file(base.join("d/b")).unwrap();
        fs::create_dir_all(base.join("d/b/sub")).unwrap();
    });
    changed(&result, "d/b");
    assert!(scene.exists("d/b/sub") && scene.read("a") == b"old\n" && !scene.exists(".fsrb-txn"));
}

#[test]
fn a_deleted_file_was_edited_before_it_went() {
    let scene = Scene::mixed();
    let before = scene.snapshot();
    // The first slot is the deletion's.
    let result = disturbed(&scene, Lack::Nothing, ("rename_new", "0"), |base| {
        fs::write(base.join("e/c"), "more\n").unwrap();
    });
    changed(&result, "e/c");
    assert_eq!(scene.snapshot(), with(before, "base/e/c", Some("more\n")));
}

#[test]
fn a_file_to_create_appears_before_it_is_installed() {
    for lack in [Lack::Nothing, Lack::RenameFlags, Lack::Links] {
        let scene = Scene::mixed();
        let result = disturbed(&scene, lack, ("rename_new", "f"), |base| {
            fs::write(base.join("n/m/f"), "foreign\n").unwrap();
        });
        changed(&result, "n/m/f");
        assert_eq!(
            (scene.read("n/m/f"), scene.read("a")),
            (b"foreign\n".to_vec(), b"old\n".to_vec()),
            "{lack:?}"
        );
        assert!(scene.exists("e/c") && !scene.exists(".fsrb-txn"), "{lack:?}");
    }
}

#[test]
fn a_directory_to_make_appears() {
    let scene = Scene::mixed();
    let result =
        disturbed(&scene, Lack::Nothing, ("make_dir", "n"), |base| fs::create_dir(base.join("n")).unwrap());
    changed(&result, "n");
    assert!(scene.exists("n") && scene.read("a") == b"old\n", "a foreign directory is kept");
}

#[test]
fn a_late_writer_through_an_old_handle() {
    let scene = Scene::mixed();
    let before = scene.snapshot();
    let file = fs::File::options().append(true).open(scene.base().join("a")).unwrap();
    let result = disturbed(&scene, Lack::Nothing, ("rename_new", "f"), move |_| {
        use std::io::Write as _;
        (&file).write_all(b"late\n").unwrap();
    });
    changed(&result, "a");
    assert_eq!(scene.snapshot(), with(before, "base/a", Some("old\nlate\n")));
}

#[test]
fn a_directory_becomes_a_link_to_outside_before_the_swap() {
    let scene = Scene::mixed();
    fs::write(scene.out().join("b"), "outside\n").unwrap();
    let out = scene.out();
    let result = disturbed(&scene, Lack::Nothing, ("exchange", "b"), move |base| {
        fs::rename(base.join("d"), base.join("moved")).unwrap();
        std::os::unix::fs::symlink(&out, base.join("d")).unwrap();
    });
    // The held handle wrote into the directory that was read; looking again finds that it is not `d` any more.
    changed(&result, "d");
    assert_eq!(fs::read(scene.out().join("b")).unwrap(), b"outside\n");
    assert_eq!(fs::read_dir(scene.out()).unwrap().count(), 1);
}

#[test]
fn the_root_is_renamed_during_the_commit() {
    let scene = Scene::mixed();
    let result = disturbed(&scene, Lack::Nothing, ("exchange", "b"), |base| {
        fs::rename(base, base.with_file_name("away")).unwrap();
    });
    changed(&result, ".");
    fs::rename(scene.base().with_file_name("away"), scene.base()).unwrap();
    assert_eq!(scene.snapshot(), Scene::mixed().snapshot());
}

/// Leaves the mixed plan interrupted after the swap of `a`, or after all of them.
fn interrupted(scene: &Scene, call: &'static str, name: &'static str) {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        disturbed(scene, Lack::Nothing, (call, name), |_| std::panic::resume_unwind(Box::new(())))
    }));
    assert!(result.is_err(), "the commit went on");
}

#[test]
fn a_swapped_file_is_edited_after_a_crash() {
    let scene = Scene::mixed();
    interrupted(&scene, "exchange", "b");
    assert_eq!((scene.read("a"), scene.read("d/b")), (b"new\n".to_vec(), b"old\n".to_vec()));
    scene.write("a", "user text\n");
    let before = scene.snapshot();
    let error = recover(&scene.tree(), How::Ask).unwrap_err();
    let CommitError::Pending { copies, reason: Unsettled::Conflict { paths } } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(paths, &["a"]);
    let copy = copies.iter().find(|copy| copy.path == "a").unwrap();
    assert_eq!(scene.read(&copy.copy), b"old\n");
    let text = error.to_string();
    assert!(text.contains(&format!("the old content of a is in {}", copy.copy)), "{text}");
    assert_eq!(scene.snapshot(), before, "nothing more is touched");
    assert!(matches!(
        commit(&scene.tree(), &plan(&scene.tree(), &[("d/b", Do::Update("1\n"))]), &CommitOptions::default()),
        Err(CommitError::Interrupted { .. })
    ));

    recover(&scene.tree(), How::Keep).unwrap();
    assert_eq!(scene.snapshot(), with(Scene::mixed().snapshot(), "base/a", Some("user text\n")));
}

#[test]
fn a_conflict_settled_by_restoring() {
    let scene = Scene::mixed();
    interrupted(&scene, "stat_root", "");
    scene.write("a", "user text\n").write("n/m/f", "mine\n").write("e/c", "back again\n");
    assert!(recover(&scene.tree(), How::Ask).unwrap_err().is_pending());
    let recovered = recover(&scene.tree(), How::Restore).unwrap();
    assert_eq!(recovered.files.len(), MIXED.len());
    assert_eq!(scene.snapshot(), Scene::mixed().snapshot());
}

#[test]
fn a_file_not_yet_swapped_is_edited_after_a_crash() {
    let scene = Scene::mixed();
    interrupted(&scene, "exchange", "b");
    scene.write("d/b", "user text\n");
    recover(&scene.tree(), How::Ask).unwrap();
    assert_eq!(scene.snapshot(), with(Scene::mixed().snapshot(), "base/d/b", Some("user text\n")));
}

#[test]
fn a_tree_copied_with_a_pending_journal_is_refused() {
    let scene = Scene::mixed();
    interrupted(&scene, "exchange", "b");
    let copy = scene.base().with_file_name("copy");
    let status = std::process::Command::new("cp").arg("-a").arg(scene.base()).arg(&copy).status().unwrap();
    assert!(status.success());
    fs::rename(scene.base(), scene.base().with_file_name("original")).unwrap();
    fs::rename(&copy, scene.base()).unwrap();
    let before = scene.snapshot();
    assert!(matches!(recover(&scene.tree(), How::Ask), Err(CommitError::Interrupted { .. })));
    assert_eq!(scene.snapshot(), before);
}

#[test]
fn a_commit_pending_above_the_root_is_seen() {
    let scene = Scene::mixed();
    interrupted(&scene, "exchange", "b");
    let Tree { fs, .. } = scene.tree();
    let (fs, base, names) = crate::apply::fs::unix::UnixFs::open(&fs.root().join("d")).unwrap();
    let inner = Tree::new(fs, base, names).unwrap();
    let transaction = plan(&inner, &[("new", Do::Create("x\n"))]);
    let error = commit(&inner, &transaction, &CommitOptions::default()).unwrap_err();
    assert!(matches!(&error, CommitError::Interrupted { place, .. } if place == "../.fsrb-txn"), "{error:?}");
    assert!(!scene.exists("d/new"));
    // One that is not ours, where anybody may write, stops nobody.
    scene.chmod(".fsrb-txn", 0o755);
    commit(&inner, &transaction, &CommitOptions::default()).unwrap();
}
