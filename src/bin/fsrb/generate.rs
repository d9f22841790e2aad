//! The manual page and the completions, made from the one definition of the arguments.

use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate as complete};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args::{Args, EXAMPLES, EXIT_STATUS, Generate, PATCH_FILE, PATCH_FILE_RULES, USAGE};

/// What is asked for.
pub(crate) fn generate(what: Generate) -> String {
    let mut command = Args::command();
    let mut bytes = Vec::new();
    match what {
        Generate::Man => bytes = manual(command),
        Generate::Bash => complete(Shell::Bash, &mut command, "fsrb", &mut bytes),
        Generate::Zsh => complete(Shell::Zsh, &mut command, "fsrb", &mut bytes),
        Generate::Fish => complete(Shell::Fish, &mut command, "fsrb", &mut bytes),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The files that are made besides those that the input names.
const FILES: [(&str, &str); 2] = [
    (
        ".fsrb-txn",
        "A directory under the root that exists while a commit is not done: the new or the old content of each file, \
         and a journal. What is found there at the next start is undone; see --recover.",
    ),
    (".fsrb-done", "The same for a moment after the commit, until the old contents are removed."),
];

fn manual(command: Command) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command).title("FSRB").section("1").source(format!("fsrb {version}"));
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = man.render_title(&mut page);
    let _ = man.render_name_section(&mut page);
    let _ = synopsis().to_writer(&mut page);
    let _ = man.render_description_section(&mut page);
    let _ = patch_file().to_writer(&mut page);
    let _ = man.render_options_section(&mut page);
    let _ = terms("EXIT STATUS", EXIT_STATUS).to_writer(&mut page);
    let _ = terms("EXAMPLES", EXAMPLES).to_writer(&mut page);
    let _ = terms("FILES", FILES).to_writer(&mut page);
    let _ = see_also().to_writer(&mut page);
    page
}

fn synopsis() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    for line in USAGE.lines() {
        roff.text([bold(line.trim())]);
        roff.control("br", []);
    }
    roff
}

fn patch_file() -> Roff {
    let (introduction, example) = PATCH_FILE;
    let mut roff = Roff::new();
    roff.control("SH", ["PATCH FILES"]);
    roff.text([roman(introduction)]);
    roff.control("PP", []);
    roff.control("RS", ["4"]);
    roff.control("nf", []);
    for line in example.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.control("RE", []);
    roff.control("PP", []);
    roff.text([roman(PATCH_FILE_RULES)]);
    roff
}

fn terms<const N: usize>(title: &str, terms: [(&str, &str); N]) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    for (term, meaning) in terms {
        roff.control("TP", []);
        roff.text([bold(term)]);
        roff.text([roman(meaning)]);
    }
    roff
}

fn see_also() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    roff.text([bold("diff"), roman("(1), "), bold("patch"), roman("(1), "), bold("git-apply"), roman("(1)")]);
    roff
}
