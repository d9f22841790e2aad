//! Measures this library and its command beside other programs that do the same, in one run.
//!
//! ```text
//! cargo run --release --locked --manifest-path tests/bench/Cargo.toml [-- [--quick] [--only parse|growth|apply] [FOLDER]]
//! ```
//!
//! The inputs are made from a fixed seed. With a FOLDER the texts to parse are those below its `replies`, `documents`,
//! `blocks` and `diffs`, where it has them. Every figure is processor time, the least of some runs. The exit status is
//! 1 when a goal is not reached or a contender does not find everything.

mod apply;
mod clock;
mod growth;
mod hand;
mod inputs;
mod parse;
mod random;
mod table;
mod tree;

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use inputs::Input;
use table::Table;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args().skip(1).peekable();
    if arguments.next_if(|argument| argument == apply::MEASURE).is_some() {
        apply::measure(arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.next_if(|argument| argument == growth::GROW).is_some() {
        growth::grow(arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_quick = arguments.next_if(|argument| argument == "--quick").is_some();
    let only = arguments.next_if(|argument| argument == "--only").and_then(|_| arguments.next());
    let is_wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let folder = arguments.next().map(PathBuf::from);
    let mut table = Table::default();
    if is_wanted("parse") {
        parse_all(&mut table, is_quick, folder.as_deref());
    }
    if is_wanted("growth") {
        growth::shapes(&mut table, if is_quick { 4 } else { 1 })?;
        growth::miss(&mut table, 10_000);
    }
    if is_wanted("apply") {
        apply_all(&mut table, is_quick)?;
    }
    Ok(if table.conclude() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn apply_all(table: &mut Table, is_quick: bool) -> Result<(), Box<dyn Error>> {
    let fsrb = apply::build_command()?;
    let sizes = if is_quick {
        apply::Sizes { many: (200, 8_000, 5), medium: (1, 2_000_000, 200), large: (1, 50_000_000, 10) }
    } else {
        apply::Sizes { many: (1_000, 8_000, 5), medium: (1, 10_000_000, 1_000), large: (1, 100_000_000, 10) }
    };
    apply::jobs(table, &fsrb, &sizes, if is_quick { 3 } else { 5 })
}

fn parse_all(table: &mut Table, is_quick: bool, folder: Option<&std::path::Path>) {
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
}
