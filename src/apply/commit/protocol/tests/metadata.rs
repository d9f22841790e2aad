//! What a file keeps besides its content, and who may see it meanwhile. What needs another user is skipped, with a
//! word on standard error, where the tests do not run as root.

use std::cell::RefCell;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use rustix::fs::{XattrFlags, getxattr, setxattr};
use rustix::io::Errno;

use super::scene::{Do, Scene, plan};
use crate::apply::commit::protocol::commit;
use crate::apply::commit::{CommitError, CommitOptions, CommitWarning};
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Plan};

const ACL: &str = "system.posix_acl_access";
const DEFAULT_ACL: &str = "system.posix_acl_default";

/// An access list in the kernel's form: owner, one named user, group, mask, others.
fn acl(owner: u8, user: (u32, u8), group: u8, mask: u8, others: u8) -> Vec<u8> {
    let none = u32::MAX;
    let entries =
        [(1, owner, none), (2, user.1, user.0), (4, group, none), (0x10, mask, none), (0x20, others, none)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        list.extend_from_slice(&u16::to_le_bytes(tag));
        list.extend_from_slice(&u16::to_le_bytes(rights.into()));
        list.extend_from_slice(&u32::to_le_bytes(id));
    }
    list
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 1024];
    let size = getxattr(path, name, &mut value[..]).ok()?;
    value.truncate(size);
    Some(value)
}

/// Sets an attribute, or says that the file system has none of that kind.
fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    let done = setxattr(path, name, value, XattrFlags::empty());
    if let Err(error) = done {
        eprintln!("skipped: {name} cannot be set here: {error}");
    }
    done.is_ok()
}

fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        eprintln!("skipped: only root can stage this");
    }
    root
}

fn update(scene: &Scene, path: &str) -> Vec<CommitWarning> {
    let tree = scene.tree();
    let transaction = plan(&tree, &[(path, Do::Update("new\n"))]);
    commit(&tree, &transaction, &CommitOptions::default()).unwrap().warnings
}

#[test]
fn attributes_and_access_list_are_kept() {
    for scene in [Scene::mixed(), {
        let scene = Scene::on_disk();
        scene.write("a", "old\n");
        scene
    }] {
        let file = scene.base().join("a");
        scene.chmod("a", 0o640);
        let list = acl(6, (65_534, 4), 4, 4, 0);
        let (user, access) = (set(&file, "user.k", b"v"), set(&file, ACL, &list));
        assert_eq!(update(&scene, "a"), []);
        if user {
            assert_eq!(attribute(&file, "user.k").unwrap(), b"v");
        }
        if access {
            assert_eq!(attribute(&file, ACL).unwrap(), list);
        }
        assert_eq!(scene.mode("a"), 0o640);
    }
}

#[test]
fn capabilities_do_not_pass_to_new_content() {
    let scene = Scene::on_disk();
    scene.write("a", "old\n");
    let file = scene.base().join("a");
    // Version 2, effective, CAP_NET_RAW permitted.
    let capability = [&[1, 0, 0, 2], &[0, 32, 0, 0][..], &[0; 12]].concat();
    if !is_root() || !set(&file, "security.capability", &capability) {
        return;
    }
    assert_eq!(update(&scene, "a"), []);
    assert_eq!(attribute(&file, "security.capability"), None);
}

#[test]
fn an_access_list_that_the_root_hands_down_gives_nobody_rights() {
    let scene = Scene::mixed();
    scene.chmod("a", 0o664);
    let base = scene.base();
    if !set(&base, DEFAULT_ACL, &acl(7, (65_534, 7), 7, 7, 0)) {
        return;
    }
    update(&scene, "a");
    assert_eq!(attribute(&base.join("a"), ACL), None, "the old file had no list");
    assert_eq!(scene.mode("a"), 0o664);
}

#[test]
fn a_created_file_gets_what_its_directory_hands_down() {
    let scene = Scene::mixed();
    let base = scene.base();
    let handed_down = set(&base.join("d"), DEFAULT_ACL, &acl(7, (65_534, 7), 5, 7, 0));
    if is_root() {
        std::os::unix::fs::chown(base.join("e"), None, Some(12_345)).unwrap();
        scene.chmod("e", 0o2775);
    }
    let tree = scene.tree();
    let todo = [("d/new", Do::Create("x\n")), ("d/n/m", Do::Create("x\n")), ("e/new", Do::Create("x\n"))];
    let transaction = plan(&tree, &todo);
    commit(&tree, &transaction, &CommitOptions::default()).unwrap();
    if handed_down {
        // As the kernel does it for a file made in place.
        fs::write(base.join("d/reference"), "x\n").unwrap();
        fs::write(base.join("d/n/reference"), "x\n").unwrap();
        for dir in ["d", "d/n"] {
            let (new, reference) =
                (base.join(dir).join(if dir == "d" { "new" } else { "m" }), base.join(dir).join("reference"));
            assert_eq!(attribute(&new, ACL), attribute(&reference, ACL), "{dir}");
            assert_eq!(new.metadata().unwrap().mode(), reference.metadata().unwrap().mode(), "{dir}");
        }
    }
    if rustix::process::geteuid().is_root() {
        assert_eq!(base.join("e/new").metadata().unwrap().gid(), 12_345);
    }
}

#[test]
fn owner_and_group_are_kept() {
    let scene = Scene::mixed();
    if !is_root() {
        return;
    }
    std::os::unix::fs::chown(scene.base().join("a"), Some(12_345), Some(23_456)).unwrap();
    scene.chmod("a", 0o640);
    assert_eq!(update(&scene, "a"), []);
    let meta = fs::metadata(scene.base().join("a")).unwrap();
    assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o7777), (12_345, 23_456, 0o640));
}

/// What comes of a commit of which the first call of this name on this path fails.
fn update_with(
    scene: &Scene,
    what: (&str, Do<'_>),
    (call, about, errno): (&'static str, &'static str, Errno),
    options: &CommitOptions<'_>,
) -> String {
    let control = Control::new(Plan::Never);
    let Tree { fs, base, names, .. } = scene.tree();
    let transaction = plan(&scene.tree(), &[what]);
    let tree = Tree::new(FaultFs::new(fs, control.clone()), base, names).unwrap();
    *control.plan.borrow_mut() = Plan::OnceNamed(call, about, errno);
    let before = scene.snapshot();
    let result = commit(&tree, &transaction, options);
    assert!(control.fired(), "{call} {about}");
    match result {
        Ok(committed) => format!("{:?}", committed.warnings),
        Err(error) => {
            assert_eq!(scene.snapshot(), before, "{call} {about} {errno}");
            error.to_string()
        }
    }
}

/// The errors by which a system says that it has or allows no such thing.
const REFUSALS: [Errno; 6] =
    [Errno::PERM, Errno::ACCESS, Errno::NOSYS, Errno::INVAL, Errno::NOTSUP, Errno::OPNOTSUPP];

#[test]
fn an_owner_that_cannot_be_kept_is_told_and_a_failing_disk_is_none() {
    if !is_root() {
        return;
    }
    let scene = Scene::mixed();
    let strict = CommitOptions::default();
    let allowing = CommitOptions { allow_owner_not_kept: true, ..CommitOptions::default() };
    let update = ("a", Do::Update("new\n"));
    std::os::unix::fs::chown(scene.base().join("a"), Some(12_345), Some(23_456)).unwrap();
    scene.chmod("a", 0o640);
    for options in [&strict, &allowing] {
        let told = update_with(&scene, update, ("set_owner", "", Errno::IO), options);
        assert!(told.starts_with("cannot set the owner of a: "), "{told}");
    }
    for errno in REFUSALS {
        let told = update_with(&scene, update, ("set_owner", "", errno), &strict);
        assert_eq!(told, "owner and group of a cannot be kept", "{errno}");
    }
    let told = update_with(&scene, update, ("set_owner", "", Errno::PERM), &allowing);
    assert_eq!(told, "[OwnerNotKept { path: \"a\" }]");
    let meta = fs::metadata(scene.base().join("a")).unwrap();
    assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (0, 23_456, 0o640), "the group is kept alone");
    // Where the group was one's own all along, its rights stay too.
    std::os::unix::fs::chown(scene.base().join("a"), Some(12_345), Some(0)).unwrap();
    scene.chmod("a", 0o660);
    update_with(&scene, update, ("set_owner", "", Errno::PERM), &allowing);
    let meta = fs::metadata(scene.base().join("a")).unwrap();
    assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (0, 0, 0o660));
}

#[test]
fn a_group_that_a_directory_cannot_hand_down_is_told() {
    if !is_root() {
        return;
    }
    let scene = Scene::mixed();
    std::os::unix::fs::chown(scene.base().join("d"), None, Some(12_345)).unwrap();
    scene.chmod("d", 0o2775);
    let create = ("d/new", Do::Create("x\n"));
    let told = update_with(&scene, create, ("set_owner", "", Errno::IO), &CommitOptions::default());
    assert!(told.starts_with("cannot set the owner of d/new: "), "{told}");
    let told = update_with(&scene, create, ("set_owner", "", Errno::PERM), &CommitOptions::default());
    assert_eq!(told, "[MetadataLost { path: \"d/new\", what: \"group\" }]");
    assert!(scene.exists("d/new"));
}

#[test]
fn an_attribute_that_cannot_be_kept_is_told_and_a_failing_disk_is_none() {
    let scene = Scene::on_disk();
    scene.write("a", "old\n");
    if !set(&scene.base().join("a"), "user.k", b"v") {
        return;
    }
    let update = ("a", Do::Update("new\n"));
    for call in ["attribute", "set_attribute"] {
        let told = update_with(&scene, update, (call, "user.k", Errno::IO), &CommitOptions::default());
        assert!(told.starts_with("cannot copy the attributes of a: "), "{told}");
    }
    for call in ["attribute", "set_attribute"] {
        for errno in REFUSALS {
            set(&scene.base().join("a"), "user.k", b"v");
            let told = update_with(&scene, update, (call, "user.k", errno), &CommitOptions::default());
            assert_eq!(told, "[MetadataLost { path: \"a\", what: \"user.k\" }]", "{call} {errno}");
            assert_eq!(attribute(&scene.base().join("a"), "user.k"), None);
        }
    }
}

/// A system that notes, at each call, who could read what is staged.
#[test]
fn a_private_file_is_private_at_every_moment() {
    let scene = Scene::mixed();
    scene.chmod("a", 0o600);
    let control = Control::new(Plan::Never);
    let Tree { fs, base, names, .. } = scene.tree();
    let transaction = plan(&scene.tree(), &[("a", Do::Update("new\n"))]);
    let tree = Tree::new(FaultFs::new(fs, control.clone()), base, names).unwrap();
    let seen = Rc::new(RefCell::new(0));
    let look = {
        let (root, seen) = (scene.base(), Rc::clone(&seen));
        move || {
            let txn: PathBuf = root.join(".fsrb-txn");
            let Ok(meta) = fs::metadata(&txn) else { return };
            assert_eq!(meta.mode() & 0o777, 0o700);
            for entry in fs::read_dir(&txn).unwrap() {
                let meta = entry.unwrap().metadata().unwrap();
                assert_eq!(meta.mode() & 0o077, 0, "a staged copy can be read by others");
                *seen.borrow_mut() += 1;
            }
            assert_eq!(fs::metadata(root.join("a")).unwrap().mode() & 0o077, 0);
        }
    };
    *control.plan.borrow_mut() = Plan::BeforeEach(Box::new(look));
    commit(&tree, &transaction, &CommitOptions::default()).unwrap();
    assert!(*seen.borrow() > 20, "{} looks", seen.borrow());
}

/// Says to the test below what to do as another user: `<job> <root>`.
const VARIABLE: &str = "FSRB_TEST_USER";

/// The job of the process that runs as another user; nothing when it is run as a test.
#[test]
fn child() {
    let Ok(order) = std::env::var(VARIABLE) else { return };
    let (job, root) = order.split_once(' ').unwrap();
    let (fs, base, names) = crate::apply::fs::unix::UnixFs::open(root.as_ref()).unwrap();
    let tree = Tree::new(fs, base, names).unwrap();
    let (todo, options): (&[(&str, Do<'_>)], _) = match job {
        "umask" => {
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o027));
            (&[("n", Do::Create("x\n")), ("m/n", Do::Create("x\n"))], CommitOptions::default())
        }
        "five" => (
            &[
                ("d0/x", Do::Update("new\n")),
                ("d1/x", Do::Update("new\n")),
                ("d2/x", Do::Update("new\n")),
                ("d3/x", Do::Update("new\n")),
                ("d4/x", Do::Update("new\n")),
            ],
            CommitOptions::default(),
        ),
        "allowed" => (
            &[("a", Do::Update("new\n"))],
            CommitOptions { allow_owner_not_kept: true, ..CommitOptions::default() },
        ),
        _ => (&[("a", Do::Update("new\n"))], CommitOptions::default()),
    };
    let result = commit(&tree, &plan(&tree, todo), &options);
    println!(
        "<{}>",
        match result {
            Ok(committed) => format!("{:?}", committed.warnings),
            Err(CommitError::Failed { path, operation, source }) => {
                format!("failed: {operation} {path}: {:?}", source.kind())
            }
            Err(error) => format!("{error:?}"),
        }
    );
}

/// What comes of a job done by another user (`None`: by this one).
fn run_as(user: Option<u32>, scene: &Scene, job: &str) -> String {
    let name = module_path!().split_once("::").unwrap().1;
    // The binary may lie where another user cannot reach it.
    let copy = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .tempdir()
        .unwrap();
    let binary = copy.path().join("test");
    fs::copy(std::env::current_exe().unwrap(), &binary).unwrap();
    let mut command = Command::new(&binary);
    command.args(["--exact", &format!("{name}::child"), "--test-threads=1", "--nocapture"]);
    command.env(VARIABLE, format!("{job} {}", scene.base().display())).current_dir("/");
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    let output = loop {
        match command.output() {
            // Another test has just forked, and its child holds the copy open for writing until it executes.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            output => break output.unwrap(),
        }
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = text.split_once('<').and_then(|(_, rest)| rest.rsplit_once('>'));
    told.unwrap_or_else(|| panic!("{text} {}", String::from_utf8_lossy(&output.stderr))).0.to_owned()
}

/// A scene whose directories another user may enter and, as root, owns.
fn shared(user: u32) -> Scene {
    let scene = Scene::mixed();
    let dir = scene.base();
    fs::set_permissions(dir.parent().unwrap(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::os::unix::fs::chown(&dir, Some(user), Some(user)).unwrap();
    scene
}

const NOBODY: u32 = 65_534;

#[test]
fn the_umask_holds_for_what_is_created() {
    let scene = Scene::mixed();
    assert_eq!(run_as(None, &scene, "umask"), "[]");
    assert_eq!((scene.mode("n"), scene.mode("m"), scene.mode("m/n")), (0o640, 0o750, 0o640));
}

#[test]
fn a_read_only_directory_among_five() {
    if !is_root() {
        return;
    }
    let scene = shared(NOBODY);
    for n in 0..5 {
        scene.write(&format!("d{n}/x"), "old\n");
        for path in [format!("d{n}"), format!("d{n}/x")] {
            std::os::unix::fs::chown(scene.base().join(path), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    scene.chmod("d2", 0o555);
    let before = scene.snapshot();
    assert_eq!(run_as(Some(NOBODY), &scene, "five"), "failed: move the new file to d2/x: PermissionDenied");
    assert_eq!(scene.snapshot(), before);
}

#[test]
fn a_root_that_cannot_be_written() {
    if !is_root() {
        return;
    }
    let scene = shared(NOBODY);
    scene.chmod("", 0o555).chmod("a", 0o666);
    let before = scene.snapshot();
    assert_eq!(run_as(Some(NOBODY), &scene, "one"), "failed: make the directory .fsrb-txn: PermissionDenied");
    assert_eq!(scene.snapshot(), before);
}

#[test]
fn somebody_elses_file_in_a_sticky_directory() {
    if !is_root() {
        return;
    }
    let scene = shared(NOBODY);
    std::os::unix::fs::chown(scene.base(), Some(0), Some(0)).unwrap();
    scene.chmod("", 0o1777).chmod("a", 0o666);
    let before = scene.snapshot();
    // Its owner cannot be kept; where that is allowed, the directory does not let it be moved.
    assert_eq!(run_as(Some(NOBODY), &scene, "one"), "OwnerNotKept { path: \"a\" }");
    assert_eq!(run_as(Some(NOBODY), &scene, "allowed"), "failed: move the new file to a: PermissionDenied");
    assert_eq!(scene.snapshot(), before);
}

#[test]
fn somebody_elses_file_in_ones_own_directory() {
    if !is_root() {
        return;
    }
    let scene = shared(NOBODY);
    scene.chmod("a", 0o664);
    let before = scene.snapshot();
    assert_eq!(run_as(Some(NOBODY), &scene, "one"), "OwnerNotKept { path: \"a\" }");
    assert_eq!(scene.snapshot(), before);
    assert_eq!(run_as(Some(NOBODY), &scene, "allowed"), "[OwnerNotKept { path: \"a\" }]");
    let meta = fs::metadata(scene.base().join("a")).unwrap();
    assert_eq!((meta.uid(), scene.read("a")), (NOBODY, b"new\n".to_vec()));
    assert_eq!(meta.mode() & 0o777, 0o644, "another group gets no more than everybody");
}

#[test]
fn an_attribute_that_only_root_may_set() {
    if !is_root() {
        return;
    }
    let scene = shared(NOBODY);
    let file = scene.base().join("a");
    std::os::unix::fs::chown(&file, Some(NOBODY), Some(NOBODY)).unwrap();
    if !set(&file, "security.fsrb-test", b"v") {
        return;
    }
    let expected = "[MetadataLost { path: \"a\", what: \"security.fsrb-test\" }]";
    assert_eq!(run_as(Some(NOBODY), &scene, "one"), expected);
    assert_eq!(scene.read("a"), b"new\n".to_vec());
}
