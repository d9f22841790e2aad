//! Reading below a root: what is read, and what is refused without blocking.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use proptest::prelude::*;

use super::super::model::MemFs;
use super::super::unix::UnixFs;
use super::Tree;
use crate::apply::files::{LoadError, Loaded};
use crate::rel_path::RelPath;

const LIMIT: u64 = 1 << 20;

/// A directory with `base/` and `out/` in it, and a tree over `base`.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["base", "base/d", "out"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        fs::write(dir.path().join("out/v"), "outside\n").unwrap();
        fs::write(dir.path().join("base/real"), "inside\n").unwrap();
        fs::write(dir.path().join("base/d/f"), "deep\n").unwrap();
        Self { dir }
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.dir.path().join(path)
    }

    fn link(&self, body: impl AsRef<Path>, name: &str) {
        std::os::unix::fs::symlink(body, self.path("base").join(name)).unwrap();
    }

    fn tree(&self) -> Tree<UnixFs> {
        open(&self.path("base"))
    }

    fn load(&self, path: &str) -> Result<Loaded, LoadError> {
        self.tree().load(&RelPath::new(path).unwrap(), LIMIT)
    }

    fn read(&self, path: &str) -> (String, String) {
        let loaded = self.load(path).unwrap();
        let bytes = loaded.file.unwrap().bytes.clone();
        (loaded.target.to_string(), String::from_utf8(bytes).unwrap())
    }

    fn refused(&self, path: &str) {
        let result = self.load(path);
        assert!(matches!(result, Err(LoadError::Unsafe(_))), "{path}: {result:?}");
    }
}

fn open(path: &Path) -> Tree<UnixFs> {
    let (fs, base, names) = UnixFs::open(path).unwrap();
    Tree::new(fs, base, names).unwrap()
}

#[test]
fn a_file_to_create_lies_on_the_root_s_file_system() {
    let fs = MemFs::new();
    assert!(fs.put("mnt/old", "x\n") && fs.put("mnt/d/old", "x\n") && fs.put("here/old", "x\n"));
    fs.mount("mnt");
    assert!(fs.put_link("link", "mnt"));
    let tree = Tree::new(fs.clone(), fs.root(), vec!["/root".to_owned()]).unwrap();
    let load = |path: &str| tree.load(&RelPath::new(path).unwrap(), LIMIT);
    for path in ["mnt/new", "mnt/new/deep/er", "link/new"] {
        assert!(matches!(load(path), Err(LoadError::OtherFileSystem { .. })), "{path}: {:?}", load(path));
    }
    for path in ["new", "new/deep", "here/new", "here/new/deep"] {
        assert!(load(path).unwrap().file.is_none(), "{path}");
    }
}

#[test]
fn a_file_and_what_is_known_of_it() {
    let place = Place::new();
    let loaded = place.load("d/f").unwrap();
    let file = loaded.file.unwrap();
    let stamp = file.stamp.unwrap();
    assert_eq!((loaded.target.as_str(), file.bytes.as_slice()), ("d/f", &b"deep\n"[..]));
    assert_eq!((stamp.size, stamp.links), (5, 1));
    assert!(stamp.is_writable() && !stamp.is_executable());
}

#[test]
fn what_is_missing() {
    let place = Place::new();
    for path in ["new", "d/new", "x/y/new"] {
        let loaded = place.load(path).unwrap();
        assert!(loaded.file.is_none() && loaded.target.as_str() == path, "{path}");
    }
}

#[test]
fn links_inside_are_followed() {
    let place = Place::new();
    place.link("real", "rel");
    place.link(place.path("base/real"), "abs");
    place.link("../real", "d/up");
    place.link("d", "dir");
    place.link("dir/up", "chain");
    place.link(place.path("base/d/../d/./f"), "dots");
    place.link(place.path("base"), "itself");
    for (path, target) in [
        ("rel", "real"),
        ("abs", "real"),
        ("d/up", "real"),
        ("dir/f", "d/f"),
        ("chain", "real"),
        ("dots", "d/f"),
        ("itself/d/f", "d/f"),
        ("itself/itself/dir/f", "d/f"),
    ] {
        assert_eq!(place.read(path).0, target, "{path}");
    }
    // A name that does not exist yet, in a directory that a link leads to.
    assert_eq!(place.load("dir/new").unwrap().target.as_str(), "d/new");
    assert_eq!(place.load("itself/x/new").unwrap().target.as_str(), "x/new");
}

#[test]
fn links_to_outside_dangling_or_in_a_circle_are_refused() {
    let place = Place::new();
    place.link(place.path("out/v"), "abs");
    place.link("../out/v", "rel");
    place.link(place.path("out"), "dir");
    place.link("d/../../out/v", "dots");
    place.link("nowhere", "dangling");
    place.link(place.path("out/new"), "dangling-out");
    place.link("b", "a");
    place.link("a", "b");
    place.link("/dev/stdin", "stdin");
    place.link("/proc/self/root/etc/passwd", "magic");
    place.link(format!("{}x/f", place.path("base").display()), "neighbour");
    place.link("/", "root");
    for path in [
        "abs",
        "rel",
        "dir/v",
        "dir/new",
        "dots",
        "dangling",
        "dangling-out",
        "a",
        "stdin",
        "magic",
        "neighbour",
        "root/etc/passwd",
    ] {
        place.refused(path);
    }
}

#[test]
fn links_to_reserved_places_are_refused() {
    let place = Place::new();
    fs::create_dir_all(place.path("base/.git/hooks")).unwrap();
    fs::write(place.path("base/.git/config"), "x\n").unwrap();
    place.link(".git/hooks", "s");
    place.link(".git/config", "cfg");
    place.link(".git", "g");
    place.link("odd\\name", "odd");
    fs::write(place.path("base/odd\\name"), "x\n").unwrap();
    for path in ["s/pre-commit", "cfg", "g/hooks/new", "odd"] {
        place.refused(path);
    }
}

#[test]
fn more_links_than_are_followed() {
    let place = Place::new();
    place.link("real", "l0");
    for number in 1..60 {
        place.link(format!("l{}", number - 1), &format!("l{number}"));
    }
    assert_eq!(place.read("l39").0, "real");
    place.refused("l40");
}

#[test]
fn what_is_no_file() {
    let place = Place::new();
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(
        rustix::fs::CWD,
        place.path("base/p"),
        fifo,
        rustix::fs::Mode::from_raw_mode(0o644),
        0,
    )
    .unwrap();
    let _socket = UnixListener::bind(place.path("base/s")).unwrap();
    place.link("p", "to-pipe");
    let mut cases = vec![("d", "a directory"), ("p", "a pipe"), ("s", "a socket"), ("to-pipe", "a pipe")];
    for (name, number) in [("null", 3), ("zero", 5)] {
        let made = rustix::fs::mknodat(
            rustix::fs::CWD,
            place.path("base").join(name),
            rustix::fs::FileType::CharacterDevice,
            rustix::fs::Mode::from_raw_mode(0o666),
            rustix::fs::makedev(1, number),
        );
        match made {
            Ok(()) => cases.push((name, "a device")),
            Err(error) => eprintln!("skipped: no device can be made: {error}"),
        }
    }
    let start = Instant::now();
    for (path, what) in cases {
        let result = place.load(path);
        assert!(matches!(result, Err(LoadError::NotAFile(found)) if found == what), "{path}: {result:?}");
    }
    assert!(start.elapsed().as_secs() < 2);
}

#[test]
fn below_a_file() {
    let place = Place::new();
    place.link("real", "link");
    for path in ["real/x", "real/x/y", "link/x"] {
        let result = place.load(path);
        assert!(matches!(result, Err(LoadError::BelowAFile { .. })), "{path}: {result:?}");
    }
}

#[test]
fn a_file_over_the_limit_is_not_read() {
    let place = Place::new();
    let file = fs::File::create(place.path("base/huge")).unwrap();
    file.set_len(1 << 40).unwrap();
    let result = place.load("huge");
    assert!(
        matches!(result, Err(LoadError::TooLarge { size, limit: LIMIT }) if size == 1 << 40),
        "{result:?}"
    );
    file.set_len(LIMIT).unwrap();
    assert_eq!(place.load("huge").unwrap().file.unwrap().bytes.len() as u64, LIMIT);
}

#[test]
fn a_file_without_permission_to_read() {
    use std::os::unix::fs::PermissionsExt as _;
    if rustix::process::geteuid().is_root() {
        eprintln!("skipped: root reads everything");
        return;
    }
    let place = Place::new();
    fs::set_permissions(place.path("base/real"), fs::Permissions::from_mode(0o000)).unwrap();
    assert!(matches!(place.load("real"), Err(LoadError::Unreadable(_))));
}

#[test]
fn a_root_that_is_a_link() {
    let place = Place::new();
    std::os::unix::fs::symlink("base", place.path("alias")).unwrap();
    place.link(place.path("alias/real"), "by-alias");
    let tree = open(&place.path("alias"));
    let loaded = tree.load(&RelPath::new("by-alias").unwrap(), LIMIT).unwrap();
    assert_eq!(loaded.target.as_str(), "real");
}

#[test]
fn names_are_as_long_as_the_system_allows() {
    let place = Place::new();
    let name = "n".repeat(255);
    fs::write(place.path("base").join(&name), "x\n").unwrap();
    assert_eq!(place.read(&name).0, name);
}

/// Lets the other thread end, however this one does.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// How often directory and link change places.
fn exchanges() -> usize {
    if std::env::var_os("FSRB_TEST_FULL").is_some() { 100_000 } else { 5_000 }
}

#[test]
fn a_directory_and_a_link_to_outside_change_places_all_the_time() {
    let place = Place::new();
    fs::create_dir(place.path("base/v")).unwrap();
    fs::write(place.path("base/v/x"), "inside\n").unwrap();
    fs::write(place.path("out/x"), "outside\n").unwrap();
    place.link(place.path("out"), "w");
    let (v, w) = (place.path("base/v"), place.path("base/w"));
    let stop = AtomicBool::new(false);
    let tree = place.tree();
    let exchanged = AtomicUsize::new(0);
    let (mut inside, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Acquire) {
                let exchange = rustix::fs::RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(rustix::fs::CWD, &v, rustix::fs::CWD, &w, exchange).unwrap();
                exchanged.fetch_add(1, Ordering::Release);
            }
        });
        let _stop = Stop(&stop);
        // A busy machine may let one thread run alone for long.
        let start = Instant::now();
        let enough = |inside, refused| {
            exchanged.load(Ordering::Acquire) >= exchanges() && inside > 0 && refused > 0
                || start.elapsed().as_secs() > 60
        };
        while !enough(inside, refused) {
            match tree.load(&RelPath::new("v/x").unwrap(), LIMIT) {
                Ok(loaded) => {
                    assert_eq!(loaded.file.unwrap().bytes, b"inside\n", "read outside the root");
                    inside += 1;
                }
                Err(LoadError::Unsafe(_)) => refused += 1,
                Err(error) => panic!("{error:?}"),
            }
        }
    });
    assert!(inside > 0 && refused > 0, "{inside} inside, {refused} refused: there was no race");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Whatever links say, what is read lies inside, and the target leads there without links.
    #[test]
    fn links_of_all_kinds(
        bodies in prop::collection::vec("(\\.\\./|\\./|d/|l[0-3]/|/){0,4}(f|real|d|l[0-3]|\\.\\.)?", 4),
        path in "(l[0-3]|d)(/(l[0-3]|f|new))?",
    ) {
        let place = Place::new();
        for (number, body) in bodies.iter().enumerate().filter(|(_, body)| !body.is_empty()) {
            place.link(body, &format!("l{number}"));
        }
        let base = place.path("base").canonicalize().unwrap();
        match place.load(&path) {
            Ok(Loaded { target, file: Some(file) }) => {
                let real = base.join(&path).canonicalize().unwrap();
                prop_assert_eq!(&real, &base.join(target.as_str()));
                prop_assert_eq!(&file.bytes, &fs::read(real).unwrap());
            }
            Ok(Loaded { file: None, .. }) => prop_assert!(!base.join(&path).exists()),
            // What the system finds inside is found here, too.
            Err(LoadError::Unsafe(_)) => {
                let inside = base.join(&path).canonicalize().is_ok_and(|real| real.starts_with(&base));
                // Leaving by `..` and coming back is not followed.
                let leaves = bodies.iter().any(|body| body.contains("..") || body.starts_with('/'));
                prop_assert!(!inside || leaves, "{:?} {}", bodies, path);
            }
            Err(_) => {}
        }
    }
}
