//! Measures this library and its command beside other programs that do the same, in one run.
//!
//! ```text
//! cargo run --release --locked --manifest-path tests/bench/Cargo.toml [-- [--quick] [--only PART] [FOLDER]]
//! ```
//!
//! The parts are `parse`, `growth`, `apply`, `durable`, `copies`; and, only where they are named, `counts` and `costs`.
//! The inputs are made from a fixed seed. With a FOLDER the texts to parse are those below its `replies`, `documents`,
//! `blocks` and `diffs`, where it has them. Every figure is processor time, the least of some runs, or a count. The
//! exit status is 1 when a goal is not reached or a contender does not find everything.
//!
//! `counts` needs valgrind and none of the peers, so that it is quickly built with `--no-default-features`; it compares
//! with `bounds.txt`, and `--record` writes that file anew. `durable` and `copies` need strace.

#![cfg_attr(not(feature = "peers"), expect(dead_code, reason = "what the comparison with peers needs"))]

mod apply;
mod clock;
mod costs;
mod counts;
mod growth;
#[cfg(feature = "peers")]
mod hand;
mod inputs;
#[cfg(feature = "peers")]
mod parse;
mod random;
mod shapes;
mod syscalls;
mod table;
mod tree;

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use table::Table;

/// What this program does when it runs itself.
fn run_inner(
    arguments: &mut impl Iterator<Item = String>,
    first: &str,
) -> Option<Result<(), Box<dyn Error>>> {
    match first {
        apply::MEASURE => Some(apply::measure(arguments)),
        growth::GROW => Some(growth::grow(arguments)),
        counts::COUNTED => Some(counts::run()),
        _ => None,
    }
}

/// What is asked for.
#[derive(Default)]
struct Args {
    is_quick: bool,
    records: bool,
    only: Option<String>,
    folder: Option<PathBuf>,
}

impl Args {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut arguments = arguments;
        let mut args = Self::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => args.is_quick = true,
                "--record" => args.records = true,
                "--only" => args.only = Some(arguments.next().ok_or("--only wants a part")?),
                option if option.starts_with('-') => return Err(format!("no such option: {option}").into()),
                folder => args.folder = Some(PathBuf::from(folder)),
            }
        }
        Ok(args)
    }

    fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args().skip(1).peekable();
    if let Some(first) = arguments.peek().cloned()
        && let Some(done) = run_inner(&mut arguments.by_ref().skip(1), &first)
    {
        return done.map(|()| ExitCode::SUCCESS);
    }
    let args = Args::read(arguments)?;
    let mut table = Table::default();
    if args.only.as_deref() == Some("counts") {
        counts::gate(&mut table, args.records)?;
    }
    if args.wants("parse") {
        parse_all(&mut table, args.is_quick, args.folder.as_deref())?;
    }
    if args.wants("growth") {
        growth::shapes(&mut table, if args.is_quick { 4 } else { 1 })?;
        growth::miss(&mut table, 10_000);
    }
    if ["apply", "durable", "copies"].iter().any(|part| args.wants(part))
        || args.only.as_deref() == Some("costs")
    {
        with_command(&mut table, &args)?;
    }
    Ok(if table.conclude() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn with_command(table: &mut Table, args: &Args) -> Result<(), Box<dyn Error>> {
    let fsrb = apply::build_command()?;
    if args.wants("apply") {
        apply_all(table, &fsrb, args.is_quick)?;
    }
    if args.wants("durable") {
        syscalls::durable(table, &fsrb, if args.is_quick { 200 } else { 1_000 })?;
    }
    if args.wants("copies") {
        syscalls::copies(table, &fsrb, 50_000_000)?;
    }
    if args.only.as_deref() == Some("costs") {
        costs::costs(table, &fsrb)?;
    }
    Ok(())
}

fn apply_all(table: &mut Table, fsrb: &Path, is_quick: bool) -> Result<(), Box<dyn Error>> {
    let sizes = if is_quick {
        apply::Sizes { many: (200, 8_000, 5), medium: (1, 2_000_000, 200), large: (1, 50_000_000, 10) }
    } else {
        apply::Sizes { many: (1_000, 8_000, 5), medium: (1, 10_000_000, 1_000), large: (1, 100_000_000, 10) }
    };
    apply::jobs(table, fsrb, &sizes, if is_quick { 3 } else { 5 })
}

#[cfg(not(feature = "peers"))]
fn parse_all(_: &mut Table, _: bool, _: Option<&Path>) -> Result<(), Box<dyn Error>> {
    Err("there is nothing to compare with: this program is built without its peers".into())
}

#[cfg(feature = "peers")]
fn parse_all(table: &mut Table, is_quick: bool, folder: Option<&Path>) -> Result<(), Box<dyn Error>> {
    use inputs::Input;

    let (runs, divisor) = if is_quick { (7, 4) } else { (9, 1) };
    let given = |name: &str, made: &dyn Fn() -> Input| -> Input {
        folder.and_then(|folder| inputs::read_folder(&folder.join(name))).unwrap_or_else(made)
    };
    let replies = given("replies", &|| inputs::replies(4_000_000 / divisor));
    parse::prose(table, "replies", &replies, 1.5, runs);
    let documents = given("documents", &|| inputs::documents(20_000_000 / divisor));
    parse::prose(table, "documents", &documents, 3.0, runs);
    let blocks = given("blocks", &|| inputs::blocks(27_000_000 / divisor));
    parse::blocks(table, &blocks, runs);
    let diff = given("diffs", &|| inputs::diff(1_016 / divisor));
    parse::diff(table, &diff, runs);
    Ok(())
}
