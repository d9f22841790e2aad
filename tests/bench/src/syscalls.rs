//! What the command asks of the system, counted by strace: syncs, and buffers as large as the file that it changes.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::table::Table;
use crate::tree::{Tree, tree};

/// One run of the command on fresh files: the system calls of some names, one a line, or an error.
fn trace(
    fsrb: &Path,
    tree: &Tree,
    place: &Path,
    calls: &str,
    input: &[&str],
) -> Result<String, Box<dyn Error>> {
    let root = place.join("traced");
    fs::create_dir(&root)?;
    tree.write(&root)?;
    let out = place.join("calls");
    let status = Command::new("strace")
        .args(["-f", "-qq", "-e", &format!("trace={calls}"), "-o"])
        .arg(&out)
        .arg(fsrb)
        .args(input)
        .current_dir(&root)
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("strace does not run: {error}"))?;
    let is_changed = status.success() && tree.is_changed(&root);
    fs::remove_dir_all(&root)?;
    if !is_changed {
        return Err("a file is not as it must be".into());
    }
    Ok(fs::read_to_string(&out)?)
}

fn write_inputs(tree: &Tree, place: &Path) -> std::io::Result<()> {
    fs::write(place.join("edits.fsrb"), &tree.blocks)?;
    fs::write(place.join("edits.diff"), &tree.diff)
}

/// A commit that survives a power cut: how long it takes on the disk that this program lies on, and how often it waits
/// for the disk to have everything.
pub fn durable(table: &mut Table, fsrb: &Path, files: usize) -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR"))?;
    for files in [6, files] {
        let tree = tree(files, 8_000, 5);
        write_inputs(&tree, place.path())?;
        table.section(&format!(
            "durable: {} edits to {files} files in {}",
            files * 5,
            place.path().display()
        ));
        let mut least = f64::MAX;
        for _ in 0..3 {
            let root = place.path().join("tree");
            fs::create_dir(&root)?;
            tree.write(&root)?;
            let start = Instant::now();
            let status =
                Command::new(fsrb).arg("../edits.fsrb").current_dir(&root).stdout(Stdio::null()).status()?;
            least = least.min(start.elapsed().as_secs_f64());
            table.check("fsrb", status.success() && tree.is_changed(&root), "a file is not as it must be");
            fs::remove_dir_all(&root)?;
        }
        println!("  {:.1} ms of wall time, the least of three runs", least * 1e3);
        let calls = trace(
            fsrb,
            &tree,
            place.path(),
            "fsync,fdatasync,syncfs,sync,sync_file_range",
            &["../edits.fsrb"],
        )?;
        let count = |name: &str| calls.lines().filter(|line| line.contains(&format!(" {name}("))).count();
        let (one, all) = (count("fsync") + count("fdatasync"), count("syncfs") + count("sync"));
        // Of its own it has a journal and a directory; that one and the root are synced before and after.
        let most = files + directories(&tree) + 5;
        table.goal(
            one + all <= most,
            format!(
                "syncs of {files} files: {one} of a file or directory, {all} of the file system (goal: at most one a \
                 file, one a directory, and 5 for the journal: {most})"
            ),
        );
    }
    Ok(())
}

fn directories(tree: &Tree) -> usize {
    let parents = tree.files.iter().filter_map(|file| Path::new(&file.name).parent().map(PathBuf::from));
    parents.collect::<std::collections::HashSet<_>>().len()
}

/// How often the bytes of a large file are in memory between reading and writing.
pub fn copies(table: &mut Table, fsrb: &Path, bytes: usize) -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir())?;
    table.section(&format!("copies of a file's bytes from reading to writing, {:.0} MB", bytes as f64 / 1e6));
    let unix = tree(1, bytes, 10);
    write_inputs(&unix, place.path())?;
    let buffers = |tree: &Tree, input: &[&str]| -> Result<usize, Box<dyn Error>> {
        let calls = trace(fsrb, tree, place.path(), "mmap,mremap", input)?;
        Ok(calls.lines().filter(|line| is_large(line, bytes)).count())
    };
    for (name, most, input) in [
        ("SEARCH/REPLACE blocks", 2, &["../edits.fsrb"][..]),
        ("a diff", 2, &["--from", "diff", "../edits.diff"]),
    ] {
        let found = buffers(&unix, input)?;
        table.goal(
            found > 0 && found <= most,
            format!(
                "{name}: {found} buffers as large as the file (goal: at most {most}: as read, as written)"
            ),
        );
    }
    let windows = unix.with_crlf();
    let found = buffers(&windows, &["../edits.fsrb"])?;
    table.goal(
        found > 0 && found <= 3,
        format!("blocks, lines end in CRLF: {found} buffers (goal: at most 3: as read, with LF, as written)"),
    );
    Ok(())
}

/// Whether a call makes room for so many bytes: the length is the second argument of `mmap`, the third of `mremap`.
fn is_large(call: &str, bytes: usize) -> bool {
    let Some((name, arguments)) = call.split_once('(') else { return false };
    let length = if name.ends_with("mremap") { 2 } else { 1 };
    let length = arguments.split(", ").nth(length).and_then(|length| length.parse::<usize>().ok());
    // A buffer of a file with CRLF as LF is a little smaller than the file.
    length.is_some_and(|length| length >= bytes / 10 * 9) && !arguments.contains("PROT_NONE")
}
