//! What it costs to depend on the library and to start the command, beside the peers.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::apply::usage;
use crate::table::Table;

/// What may be depended on, and the line that does it.
fn dependencies() -> Vec<(&'static str, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own =
        |features: &str| format!("code-parser = {{ path = {:?}, {features} }}", root.display().to_string());
    vec![
        ("code_parser, parse and plan", own("default-features = false")),
        ("code_parser, with serde", own("default-features = false, features = [\"serde\"]")),
        ("code_parser, with fs (default)", own("default-features = true")),
        ("code_parser, with cli", own("features = [\"cli\"]")),
        ("diffy", "diffy = \"0.5\"".to_owned()),
        ("gitpatch", "gitpatch = \"0.7\"".to_owned()),
        ("mpatch, without its command", "mpatch = { version = \"1\", default-features = false }".to_owned()),
        ("pulldown-cmark", "pulldown-cmark = { version = \"0.13\", default-features = false }".to_owned()),
    ]
}

/// Builds each in a package that has nothing else, and starts the command.
pub fn costs(table: &Table, fsrb: &Path) -> Result<(), Box<dyn Error>> {
    table.section("a release build from nothing: processor time, and crates");
    for (name, line) in dependencies() {
        let package = tempfile::tempdir()?;
        let manifest = format!(
            "[package]\nname = \"depends\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{line}\n[workspace]\n"
        );
        fs::write(package.path().join("Cargo.toml"), manifest)?;
        fs::create_dir(package.path().join("src"))?;
        fs::write(package.path().join("src/lib.rs"), "")?;
        let crates = crates(package.path())?;
        let command = ["cargo", "build", "--release", "--quiet", "--target-dir", "target"].map(OsStr::new);
        let used = usage(&command, package.path())?;
        if !used.succeeded {
            return Err(format!("{name} does not build").into());
        }
        println!("  {name:<34} {:>9.1} s {crates:>8} crates", used.time.as_secs_f64());
    }
    table.section("the command");
    println!("  {:<34} {:>9.2} MB", "size", fs::metadata(fsrb)?.len() as f64 / 1e6);
    let place = tempfile::tempdir()?;
    fs::write(place.path().join("empty"), "")?;
    // An input without any edit is refused, after everything that every run does has been done.
    for (name, argument) in [("fsrb --version", "--version"), ("fsrb, an input without edits", "empty")] {
        let mut least = Duration::MAX;
        for _ in 0..20 {
            least = usage(&[fsrb.as_os_str(), argument.as_ref()], place.path())?.time.min(least);
        }
        println!("  {name:<34} {:>9.2} ms of user and system time", least.as_secs_f64() * 1e3);
    }
    Ok(())
}

/// How many crates a package is built of, itself not counted.
fn crates(package: &Path) -> Result<usize, Box<dyn Error>> {
    let output = Command::new("cargo")
        .args(["tree", "-e", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(package)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let names = text.lines().map(|line| line.trim_end_matches(" (*)"));
    Ok(names.collect::<std::collections::HashSet<_>>().len().saturating_sub(1))
}
