//! The power goes on a real file system: an image is copied as it is at each call, as a disk would be found after a
//! power cut, mounted, and settled. Needs root, loop devices and `mkfs.ext4`:
//! `cargo test -- --ignored power`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::io::Errno;

use super::scene::{MIXED, plan};
use crate::apply::commit::protocol::{commit, recover};
use crate::apply::commit::{CommitOptions, Durability, How};
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Plan};

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A mounted image.
struct Disk {
    at: PathBuf,
}

impl Disk {
    fn mount(image: &Path, at: PathBuf) -> Self {
        fs::create_dir_all(&at).unwrap();
        run("mount", &["-o", "loop", image.to_str().unwrap(), at.to_str().unwrap()]);
        Self { at }
    }

    fn root(&self) -> PathBuf {
        self.at.join("root")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.at).status();
    }
}

/// The files below a root.
fn files(root: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut ahead = vec![root.to_owned()];
    while let Some(dir) = ahead.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                ahead.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                files.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    files
}

/// Syncs some of what is there, as the system may at any time.
fn write_back_some(root: &Path, seed: usize) {
    let mut ahead = vec![root.to_owned()];
    let mut number = seed;
    while let Some(path) = ahead.pop() {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (number >> 40).is_multiple_of(2) {
            fs::File::open(&path).unwrap().sync_all().unwrap();
        }
        if path.is_dir() {
            ahead.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

/// Cuts the power at every call; how often the files were old, new, or neither.
fn cut_at_every_call(durability: Durability, partial: Option<usize>) -> [usize; 3] {
    let place = tempfile::tempdir_in("/dev/shm").unwrap();
    let blank = place.path().join("blank");
    fs::File::create(&blank).unwrap().set_len(8 << 20).unwrap();
    run("mkfs.ext4", &["-q", "-F", blank.to_str().unwrap()]);
    let (image, copy) = (place.path().join("image"), place.path().join("copy"));
    let old = BTreeMap::from([("a", "old\n"), ("d/b", "old\n"), ("e/c", "only\n")]);
    {
        let disk = Disk::mount(&blank, place.path().join("mnt"));
        for (name, text) in &old {
            let path = disk.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        rustix::fs::sync();
    }
    let mut counts = [0; 3];
    for call in 0.. {
        fs::copy(&blank, &image).unwrap();
        let disk = Disk::mount(&image, place.path().join("mnt"));
        let transaction = plan(&Tree::open(&disk.root()).unwrap(), MIXED);
        let Tree { fs, base, names, .. } = Tree::open(&disk.root()).unwrap();
        let control = Control::new(Plan::Never);
        let tree = Tree::new(FaultFs::new(fs, control.clone()), base, names).unwrap();
        control.calls.borrow_mut().clear();
        *control.plan.borrow_mut() = Plan::From(call, Errno::IO);
        let result = commit(&tree, &transaction, &CommitOptions { durability, ..CommitOptions::default() });
        drop(tree);
        if let Some(seed) = partial {
            write_back_some(&disk.root(), seed.wrapping_mul(call + 1));
        }
        fs::copy(&image, &copy).unwrap();
        drop(disk);
        let disk = Disk::mount(&copy, place.path().join("mnt"));
        let settled = recover(&Tree::open(&disk.root()).unwrap(), How::Ask);
        let now = files(&disk.root());
        let is = |wanted: &[(&str, &str)]| {
            settled.is_ok()
                && now.iter().map(|(name, text)| (name.as_str(), text.as_str())).eq(wanted.iter().copied())
        };
        let old: Vec<_> = old.iter().map(|(name, text)| (*name, *text)).collect();
        let reached = match (is(&old), is(&[("a", "new\n"), ("d/b", "new\n"), ("n/m/f", "x\n")])) {
            (true, _) if result.is_err() => 0,
            (_, true) => 1,
            _ => 2,
        };
        counts[reached] += 1;
        if !control.fired() {
            break;
        }
    }
    counts
}

#[test]
#[ignore = "needs root and loop devices"]
fn power_goes_at_every_call() {
    for partial in [None, Some(1), Some(2)] {
        let [old, new, neither] = cut_at_every_call(Durability::Full, partial);
        eprintln!("write-back {partial:?}: {old} old, {new} new, {neither} neither");
        assert!(neither == 0 && old > 50 && new > 5);
    }
    let [old, new, neither] = cut_at_every_call(Durability::None, Some(1));
    eprintln!("without syncs: {old} old, {new} new, {neither} neither");
    assert!(neither > 5, "without syncs damage must be seen");
}
