//! Applying, as whole processes: processor time in user and system mode, and the most memory at a time.

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use wait4::Wait4;

use crate::table::Table;
use crate::tree::{Tree, tree};

/// What a process took.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    pub time: Duration,
    /// In bytes.
    pub peak: u64,
    pub succeeded: bool,
}

/// The argument with which this program measures another one for itself.
///
/// Linux counts the memory of the process that starts another one as that one's, so it must be a small process.
pub const MEASURE: &str = "--measure";

/// Runs a program and prints what it took.
pub fn measure(mut command: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let program = command.next().ok_or("no program to measure")?;
    let child = Command::new(program).args(command).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let used = child.wait4()?;
    let time = used.rusage.utime + used.rusage.stime;
    println!("{} {} {}", time.as_nanos(), used.rusage.maxrss, u8::from(used.status.success()));
    Ok(())
}

pub fn usage(command: &[&OsStr], directory: &Path) -> Result<Usage, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?)
        .arg(MEASURE)
        .args(command)
        .current_dir(directory)
        // A repository around the directory is none of git's business here.
        .env("GIT_CEILING_DIRECTORIES", directory.parent().unwrap_or(directory))
        .stderr(Stdio::null())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let &[time, peak, succeeded] = numbers.as_slice() else {
        return Err("the process was not measured".into());
    };
    Ok(Usage { time: Duration::from_nanos(time), peak, succeeded: succeeded == 1 })
}

/// The command, built as it is shipped.
pub fn build_command() -> Result<PathBuf, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = root.join("target/bench");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "build",
            "--release",
            "--locked",
            "--quiet",
            "--features",
            "cli",
            "--bin",
            "fsrb",
            "--manifest-path",
        ])
        .arg(root.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .status()?;
    if !status.success() {
        return Err("the command does not build".into());
    }
    Ok(target.join("release/fsrb").canonicalize()?)
}

/// The jobs: how many files of how many bytes with how many edits each.
pub struct Sizes {
    pub many: (usize, usize, usize),
    pub medium: (usize, usize, usize),
    pub large: (usize, usize, usize),
}

/// All jobs.
pub fn jobs(table: &mut Table, fsrb: &Path, sizes: &Sizes, runs: usize) -> Result<(), Box<dyn Error>> {
    let used = contest(table, fsrb, sizes.many, runs)?;
    table.compare(
        "many files, processor time",
        used.fsrb.time,
        used.git.map(|git| git.time),
        "git apply",
        1.5,
    );
    let used = contest(table, fsrb, sizes.medium, runs)?;
    table.compare(
        "many blocks in one file, processor time",
        used.fsrb.time,
        used.git.map(|git| git.time),
        "git apply",
        1.0,
    );
    let milliseconds = used.fsrb.time.as_secs_f64() * 1e3;
    table.goal(
        milliseconds <= 100.0,
        format!("many blocks in one file: {milliseconds:.0} ms (goal: at most 100 ms)"),
    );
    let used = contest(table, fsrb, sizes.large, runs)?;
    table.compare(
        "a large file, processor time",
        used.fsrb.time,
        used.patch.map(|patch| patch.time),
        "GNU patch",
        2.0,
    );
    for (name, used) in [("blocks", Some(used.fsrb)), ("a diff", used.fsrb_diff)] {
        let ratio = used.map_or(f64::INFINITY, |used| used.peak as f64 / sizes.large.1 as f64);
        table.goal(
            ratio <= 2.2,
            format!("a large file, {name}: peak memory {ratio:.2}x the file (goal: at most 2.2x)"),
        );
    }
    Ok(())
}

struct Used {
    fsrb: Usage,
    fsrb_diff: Option<Usage>,
    git: Option<Usage>,
    patch: Option<Usage>,
}

fn contest(
    table: &mut Table,
    fsrb: &Path,
    size: (usize, usize, usize),
    runs: usize,
) -> Result<Used, Box<dyn Error>> {
    let tree = tree(size.0, size.1, size.2);
    let place = scratch()?;
    let (blocks, diff) = (place.path().join("edits.fsrb"), place.path().join("edits.diff"));
    fs::write(&blocks, &tree.blocks)?;
    fs::write(&diff, &tree.diff)?;
    let megabytes = tree.bytes() as f64 / 1e6;
    table.section(&format!(
        "apply {} edits to {} file(s), {megabytes:.1} MB, in {}",
        size.0 * size.2,
        size.0,
        place.path().display()
    ));
    let [from, kind, directory, apply] = ["--from", "diff", "-p1", "apply"].map(OsStr::new);
    let (fsrb, blocks, diff) = (fsrb.as_os_str(), blocks.as_os_str(), diff.as_os_str());
    let mut run = |name: &str, command: &[&OsStr]| best(table, &tree, place.path(), name, command, runs);
    let patch = run("GNU patch", &["patch".as_ref(), directory, "-s".as_ref(), "-i".as_ref(), diff])?;
    let git = run("git apply", &["git".as_ref(), apply, diff])?;
    let mpatch = run("mpatch", &["mpatch".as_ref(), diff, ".".as_ref()])?;
    let own = run("fsrb", &[fsrb, blocks])?;
    let own_diff = run("fsrb --from diff", &[fsrb, from, kind, diff])?;
    let own = own.ok_or("fsrb does not run")?;
    let base = git.or(patch).map_or(own.time, |usage| usage.time);
    for (name, usage) in [
        ("GNU patch", patch),
        ("git apply", git),
        ("mpatch", mpatch),
        ("fsrb", Some(own)),
        ("fsrb --from diff", own_diff),
    ] {
        match usage {
            Some(usage) => table.process(name, usage.time, base, usage.peak),
            None => println!("  {name} is not installed, or failed"),
        }
    }
    Ok(Used { fsrb: own, fsrb_diff: own_diff, git, patch })
}

/// The least that some runs of a command take, each on fresh files; `None` when it cannot do the job.
fn best(
    table: &mut Table,
    tree: &Tree,
    place: &Path,
    name: &str,
    command: &[&OsStr],
    runs: usize,
) -> Result<Option<Usage>, Box<dyn Error>> {
    let mut least: Option<Usage> = None;
    for _ in 0..runs {
        let root = place.join("tree");
        fs::create_dir(&root)?;
        tree.write(&root)?;
        let Some(used) = usage(command, &root).ok().filter(|used| used.succeeded) else {
            table.check(name, !name.starts_with("fsrb"), "the command fails");
            fs::remove_dir_all(&root)?;
            return Ok(None);
        };
        table.check(name, tree.is_changed(&root), "a file is not as it must be");
        fs::remove_dir_all(&root)?;
        if least.is_none_or(|least| used.time < least.time) {
            least = Some(used);
        }
    }
    Ok(least)
}

/// A directory in memory, where there is such a place.
fn scratch() -> std::io::Result<tempfile::TempDir> {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir())
}
