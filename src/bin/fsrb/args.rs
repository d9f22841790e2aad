//! The command line: what `fsrb --help` says and what the library is told.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};
use code_parser::apply::commit::How;
use code_parser::apply::plan::{ALLOWABLE, Options, Scope};
use code_parser::ast::InputKind;
use code_parser::diagnostic::Code;
use code_parser::prompt::DEFAULT_BUDGET;
use thiserror::Error;

pub(crate) const USAGE: &str = "\
fsrb [OPTIONS] <PATCHFILE>
       fsrb --recover[=<HOW>] [--root <DIR>]
       fsrb --explain <CODE>
       fsrb --generate <WHAT>";

pub(crate) const EXIT_STATUS: [(&str, &str); 4] = [
    ("0", "every change was applied (with --dry-run: would apply; with --parse: no error)"),
    ("1", "refused or failed, and no file has changed (with --keep-going: some file failed)"),
    ("2", "wrong arguments"),
    ("3", "an interrupted commit could not be settled; the message says where each copy is"),
];

fn exit_status() -> String {
    let lines = EXIT_STATUS.map(|(status, meaning)| format!("\n  {status}  {meaning}"));
    format!("Exit status:{}", lines.concat())
}

/// How a patch file looks: what is said of it, and one.
pub(crate) const PATCH_FILE: (&str, &str) = (
    "A patch file names a file, then gives the exact text to find and the text to put in its place:",
    "\
src/config.py
<<<<<<< SEARCH
DB_PORT = 5432
=======
DB_PORT = int(env.get(\"DB_PORT\", 5432))
>>>>>>> REPLACE",
);

/// What else there is to know about one.
pub(crate) const PATCH_FILE_RULES: &str = "\
The text must be in the file exactly once. An empty SEARCH section creates the file. An empty REPLACE section deletes \
the text found, and the file when that leaves it without any text. A line of the content that is itself a marker gets one \
backslash before it. Lines that start with # and lines of three backticks between blocks are skipped.";

/// Commands and what they do.
pub(crate) const EXAMPLES: [(&str, &str); 6] = [
    ("fsrb update_config.fsrb", "apply a patch file in the current directory"),
    ("fsrb --from response --dry-run --diff -", "what would the reply on standard input change?"),
    ("fsrb --from response --format prompt -", "apply it, or print what to send back to the model"),
    ("fsrb --from diff --root ../app fix.patch", "apply a unified diff to another directory"),
    ("fsrb --explain search-not-found", "what a fault means and how to mend it"),
    ("fsrb --generate man | man -l -", "read the manual page"),
];

fn long_help() -> String {
    let (introduction, example) = PATCH_FILE;
    let example: String = example.lines().map(|line| format!("\n  {line}")).collect();
    let commands = EXAMPLES.map(|(command, what)| format!("\n  {command:40}  {what}")).concat();
    format!("{introduction}\n{example}\n\n{PATCH_FILE_RULES}\n\nExamples:{commands}\n\n{}", exit_status())
}

/// Applies an AI model's code edits to the files under a directory, all or nothing.
///
/// Every change is first tried in memory. Only when all of them apply are the files written, and then either every
/// file is new or every file is as it was. Otherwise every fault is reported at once.
#[derive(Debug, Parser)]
#[command(
    name = "fsrb",
    version,
    override_usage = USAGE, after_help = exit_status(), after_long_help = long_help())]
pub(crate) struct Args {
    /// The file that holds the changes, or `-` for standard input
    #[arg(value_name = "PATCHFILE", required_unless_present_any = ["recover", "explain", "generate"])]
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
    /// It goes to standard output before the report; with another format than `human`, where standard output is for
    /// a program or a model, to standard error. When nothing can be applied there is no diff.
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

    /// The greatest length of what `--format prompt` prints: bytes, or with a unit [default: 4000]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    budget: Option<u64>,

    /// When excerpts and diffs are coloured; `auto` does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// Print what a code means, an input that raises it and how to mend it; `list` prints all codes
    #[arg(long, value_name = "CODE", exclusive = true, value_parser = topic(), hide_possible_values = true)]
    pub(crate) explain: Option<Topic>,

    /// Print the manual page, or completions for a shell
    #[arg(long, value_enum, value_name = "WHAT", exclusive = true)]
    pub(crate) generate: Option<Generate>,
}

/// What there is to explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    /// All codes, a line each.
    List,
    /// One code.
    Code(Code),
}

/// What can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Generate {
    /// The manual page, in roff
    Man,
    /// Completions for bash
    Bash,
    /// Completions for zsh
    Zsh,
    /// Completions for fish
    Fish,
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
    /// The faults as SARIF 2.1.0, for editors and code scanning, on standard output
    Sarif,
    /// The text to send back to the model: what is wrong, why, and what to send again
    Prompt,
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
    /// The arguments of this process.
    ///
    /// # Errors
    ///
    /// They are wrong, or they ask for the help or the version; the error prints either.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let args = Self::try_parse()?;
        if args.budget.is_some() && args.format != Format::Prompt {
            let message = "the argument '--budget <SIZE>' can only be used with '--format prompt'";
            return Err(Self::command().error(ErrorKind::ArgumentConflict, message));
        }
        Ok(args)
    }

    /// The greatest length of a prompt, in bytes.
    pub(crate) fn budget(&self) -> usize {
        self.budget.map_or(DEFAULT_BUDGET, |budget| usize::try_from(budget).unwrap_or(usize::MAX))
    }

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

/// A code or `list`; what is neither is refused with the codes that are like it.
fn topic() -> impl TypedValueParser<Value = Topic> {
    let names = ["list"].into_iter().chain(Code::ALL.iter().map(|code| code.as_str()));
    PossibleValuesParser::new(names).try_map(|text| match text.as_str() {
        "list" => Ok(Topic::List),
        code => code.parse::<Code>().map(Topic::Code),
    })
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
