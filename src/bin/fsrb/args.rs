//! The command line: what `fsrb --help` says and what the library is told.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use code_parser::apply::commit::How;
use code_parser::apply::plan::{ALLOWABLE, Options, Scope};
use code_parser::ast::InputKind;
use code_parser::diagnostic::Code;
use thiserror::Error;

const USAGE: &str = "\
fsrb [OPTIONS] <PATCHFILE>
       fsrb --recover[=<HOW>] [--root <DIR>]";

const EXIT_STATUS: &str = "\
Exit status:
  0  every change was applied (with --dry-run: would apply; with --parse: no error)
  1  refused or failed, and no file has changed (with --keep-going: some file failed)
  2  wrong arguments
  3  an interrupted commit could not be settled; the message says where each copy is";

const EXAMPLE: &str = "\
A patch file names a file, then gives the exact text to find and the text to put in its place:

  src/config.py
  <<<<<<< SEARCH
  DB_PORT = 5432
  =======
  DB_PORT = int(env.get(\"DB_PORT\", 5432))
  >>>>>>> REPLACE

An empty SEARCH section creates the file. An empty REPLACE section deletes the text found, and a file that is left \
without any text.

  fsrb update_config.fsrb                   apply a patch file in the current directory
  fsrb --from response --dry-run --diff -   what would the reply on standard input change?
  fsrb --from diff --root ../app fix.patch  apply a unified diff to another directory";

/// Applies an AI model's code edits to the files under a directory, all or nothing.
///
/// Every change is first tried in memory. Only when all of them apply are the files written, and then either every
/// file is new or every file is as it was. Otherwise every fault is reported at once.
#[derive(Debug, Parser)]
#[command(name = "fsrb", version, override_usage = USAGE, after_help = EXIT_STATUS, after_long_help = format!("{EXAMPLE}\n\n{EXIT_STATUS}"))]
pub(crate) struct Args {
    /// The file that holds the changes, or `-` for standard input
    #[arg(value_name = "PATCHFILE", required_unless_present = "recover")]
    patchfile: Option<PathBuf>,

    /// The directory that the paths are relative to
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) root: PathBuf,

    /// How the input is read
    #[arg(long, value_enum, value_name = "KIND", default_value_t = From::Fsrb)]
    from: From,

    /// Report what would happen, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print what changes as a unified diff that `git apply` can read
    ///
    /// It goes to standard output before the report; with `--format json`, where standard output holds nothing but
    /// the object, to standard error. When nothing can be applied there is no diff.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Print what the input holds and its faults; no other file is read, none is written
    #[arg(long, conflicts_with = "diff")]
    pub(crate) parse: bool,

    /// Write each file whose changes all apply, even when another file fails
    #[arg(long)]
    keep_going: bool,

    /// Accept what is refused by judgement; may be given more than once
    #[arg(long, value_name = "CODE", value_parser = allowable())]
    allow: Vec<Code>,

    /// Refuse files that are larger: bytes, or with a unit such as KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size)]
    max_file_size: u64,

    /// Settle a commit under --root that was interrupted, and do nothing else; takes no PATCHFILE
    ///
    /// The files become what they were before that commit. A file that has changed since is a conflict: nothing is
    /// touched unless HOW says what to do. A run that writes does this by itself before anything else.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "ask",
        conflicts_with_all = ["patchfile", "from", "dry_run", "diff", "parse", "keep_going", "allow", "max_file_size"]
    )]
    recover: Option<Recover>,

    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    pub(crate) format: Format,

    /// When excerpts and diffs are coloured; `auto` does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// How the input is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum From {
    /// A patch file of SEARCH/REPLACE blocks: the text must match exactly, every fault is an error
    Fsrb,
    /// A model's whole reply: SEARCH/REPLACE blocks, code blocks that name their file, diffs and edit sentences,
    /// among prose
    Response,
    /// Unified diffs, with or without prose around them
    Diff,
}

/// What becomes of a file that has changed since the commit was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Recover {
    /// Nothing is touched, and the place of each old content is told
    Ask,
    /// The old content is put back; what the file holds now is lost
    Restore,
    /// The file stays as it is; its old content is lost
    Keep,
}

/// How the result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A report on standard output, faults with excerpts of the input on standard error
    Human,
    /// One JSON object on one line of standard output
    Json,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is `dumb`
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Args {
    /// How the parser is to read the input.
    pub(crate) fn kind(&self) -> InputKind {
        match self.from {
            From::Fsrb => InputKind::Fsrb,
            From::Response => InputKind::Response,
            From::Diff => InputKind::Diff,
        }
    }

    /// How the plan is to be made.
    pub(crate) fn options(&self) -> Options {
        Options {
            scope: if self.keep_going { Scope::EachFile } else { Scope::AllOrNothing },
            allow: self.allow.iter().copied().collect::<BTreeSet<_>>(),
            max_file_size: self.max_file_size,
        }
    }

    /// How an interrupted commit is to be settled, when that is all that is asked for.
    pub(crate) fn recover(&self) -> Option<How> {
        self.recover.map(|how| match how {
            Recover::Ask => How::Ask,
            Recover::Restore => How::Restore,
            Recover::Keep => How::Keep,
        })
    }

    /// The file to read; `None` for standard input.
    pub(crate) fn input_file(&self) -> Option<&Path> {
        self.patchfile.as_deref().filter(|&path| path != Path::new("-"))
    }

    /// The input's name as messages have it, not yet escaped.
    pub(crate) fn input_name(&self) -> Cow<'_, str> {
        self.input_file().map_or(Cow::Borrowed("<stdin>"), Path::to_string_lossy)
    }
}

fn allowable() -> impl TypedValueParser<Value = Code> {
    PossibleValuesParser::new(ALLOWABLE.map(Code::as_str)).try_map(|text| text.parse::<Code>())
}

/// Why a text is no size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum SizeError {
    #[error("a size is a whole number of bytes, or a number with a unit")]
    NoNumber,
    #[error("the units are B, KiB, MiB, GiB (powers of 1024) and kB, MB, GB (powers of 1000)")]
    UnknownUnit,
    #[error("the size is too large")]
    TooLarge,
}

/// `1048576`, `256MiB`, `1 GB`: a number of bytes.
fn size(text: &str) -> Result<u64, SizeError> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits).ok_or(SizeError::NoNumber)?;
    if number.is_empty() {
        return Err(SizeError::NoNumber);
    }
    let factor: u64 = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return Err(SizeError::UnknownUnit),
    };
    number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor)).ok_or(SizeError::TooLarge)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("1048576"), Ok(1 << 20));
        assert_eq!(size("256MiB"), Ok(256 << 20));
        assert_eq!(size("2 GiB"), Ok(2 << 30));
        assert_eq!(size("3kB"), Ok(3000));
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size(""), Err(SizeError::NoNumber));
        assert_eq!(size("MiB"), Err(SizeError::NoNumber));
        assert_eq!(size("-1"), Err(SizeError::NoNumber));
        assert_eq!(size("1.5MiB"), Err(SizeError::UnknownUnit));
        assert_eq!(size("1parsec"), Err(SizeError::UnknownUnit));
        assert_eq!(size("99999999999999999999"), Err(SizeError::TooLarge));
        assert_eq!(size("18446744073709551615GiB"), Err(SizeError::TooLarge));
    }

    #[test]
    fn the_default_limit_is_the_library_s() {
        let args = Args::try_parse_from(["fsrb", "x"]).unwrap();
        assert_eq!(args.options(), Options::default());
        assert_eq!(args.kind(), InputKind::Fsrb);
    }
}
