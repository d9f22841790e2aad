//! The journal: what a commit is going to do, as lines of text.
//!
//! ```text
//! fsrb-journal 1 <inode of the root> <inode of .fsrb-txn> <seed>
//! M <path>                                  a directory to make; those above it come first
//! U <old> <new> <path>                      an update; old and new are <hash>:<size>:<mode>
//! C <new> <path>                            a file to create
//! D <old> <path>                            a file to delete
//! E <hash of everything before this line>
//! ```
//!
//! Entry number n has slot n. A path holds no control character (as every [`RelPath`]), so a line is a line. The two
//! inodes keep a journal that came with a copied or cloned tree from being believed.

use std::fmt::Write as _;

use super::print::Print;
use crate::rel_path::RelPath;

/// More than any journal that a commit writes: a million entries of the longest path would not fit into memory either.
pub(super) const LIMIT: u64 = 1 << 30;

/// The text's first word and its version.
const HEAD: &str = "fsrb-journal 1";

/// What a commit is going to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Journal {
    /// The inode of the root.
    pub(super) base: u64,
    /// The inode of `.fsrb-txn`.
    pub(super) own: u64,
    /// The key of the hashes.
    pub(super) seed: u64,
    /// The directories to make, those above others first.
    pub(super) dirs: Vec<RelPath>,
    /// The entries, deletions first, in the order in which they are swapped.
    pub(super) entries: Vec<Record>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    /// The name, links resolved.
    pub(super) target: RelPath,
    /// What happens to it.
    pub(super) change: Change,
}

/// What happens to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Its content is replaced.
    Update {
        /// The content before.
        old: Print,
        /// The content after.
        new: Print,
    },
    /// A file appears.
    Create {
        /// Its content.
        new: Print,
    },
    /// A file goes.
    Delete {
        /// Its content.
        old: Print,
    },
}

impl Change {
    /// Whether only the mode tells old from new.
    pub(super) fn by_mode(&self) -> bool {
        match self {
            Self::Update { old, new } => old.hash == new.hash && old.size == new.size,
            _ => false,
        }
    }
}

/// A text that no commit wrote whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damaged;

impl Journal {
    /// The journal as text.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{HEAD} {} {} {:016x}\n", self.base, self.own, self.seed);
        for dir in &self.dirs {
            push(&mut text, format_args!("M {dir}\n"));
        }
        for Record { target, change } in &self.entries {
            match change {
                Change::Update { old, new } => {
                    push(&mut text, format_args!("U {} {} {target}\n", Field(old), Field(new)));
                }
                Change::Create { new } => push(&mut text, format_args!("C {} {target}\n", Field(new))),
                Change::Delete { old } => push(&mut text, format_args!("D {} {target}\n", Field(old))),
            }
        }
        let hash = Print::of(self.seed, text.as_bytes(), 0).hash;
        push(&mut text, format_args!("E {hash:032x}\n"));
        text
    }

    /// Reads a journal's text; nothing of it is believed unless all of it is right.
    pub(super) fn parse(text: &[u8]) -> Result<Self, Damaged> {
        let text = std::str::from_utf8(text).map_err(|_| Damaged)?;
        let whole = text.strip_suffix('\n').ok_or(Damaged)?;
        let (_, end) = whole.rsplit_once('\n').ok_or(Damaged)?;
        let body = text.strip_suffix('\n').and_then(|text| text.strip_suffix(end)).ok_or(Damaged)?;
        let mut lines = body.lines();
        let mut journal = head(lines.next().ok_or(Damaged)?)?;
        let hash = hex128(end.strip_prefix("E ").ok_or(Damaged)?)?;
        if hash != Print::of(journal.seed, body.as_bytes(), 0).hash {
            return Err(Damaged);
        }
        for line in lines {
            let (kind, rest) = line.split_once(' ').ok_or(Damaged)?;
            match kind {
                "M" => journal.dirs.push(dir(rest)?),
                _ => journal.entries.push(record(kind, rest)?),
            }
        }
        Ok(journal)
    }
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(line);
}

/// A [`Print`] as `<hash>:<size>:<mode>`.
struct Field<'a>(&'a Print);

impl std::fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}:{}:{:o}", self.0.hash, self.0.size, self.0.mode)
    }
}

fn head(line: &str) -> Result<Journal, Damaged> {
    let rest = line.strip_prefix(HEAD).and_then(|rest| rest.strip_prefix(' ')).ok_or(Damaged)?;
    let mut fields = rest.split(' ');
    let (Some(base), Some(own), Some(seed), None) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(Damaged);
    };
    Ok(Journal {
        base: base.parse().map_err(|_| Damaged)?,
        own: own.parse().map_err(|_| Damaged)?,
        seed: u64::from_str_radix(seed, 16).map_err(|_| Damaged)?,
        dirs: Vec::new(),
        entries: Vec::new(),
    })
}

fn record(kind: &str, rest: &str) -> Result<Record, Damaged> {
    let field = |rest: &str| -> Result<(Print, String), Damaged> {
        let (field, rest) = rest.split_once(' ').ok_or(Damaged)?;
        Ok((print(field)?, rest.to_owned()))
    };
    let (first, rest) = field(rest)?;
    let (change, rest) = match kind {
        "U" => {
            let (new, rest) = field(&rest)?;
            (Change::Update { old: first, new }, rest)
        }
        "C" => (Change::Create { new: first }, rest),
        "D" => (Change::Delete { old: first }, rest),
        _ => return Err(Damaged),
    };
    Ok(Record { target: path(&rest)?, change })
}

fn print(field: &str) -> Result<Print, Damaged> {
    let mut parts = field.split(':');
    let (Some(hash), Some(size), Some(mode), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(Damaged);
    };
    Ok(Print {
        hash: hex128(hash)?,
        size: size.parse().map_err(|_| Damaged)?,
        mode: u32::from_str_radix(mode, 8).map_err(|_| Damaged)?,
    })
}

fn hex128(text: &str) -> Result<u128, Damaged> {
    if text.len() == 32 { u128::from_str_radix(text, 16).map_err(|_| Damaged) } else { Err(Damaged) }
}

/// A path of a journal passes the same check as one of an input.
fn path(text: &str) -> Result<RelPath, Damaged> {
    match RelPath::new(text) {
        Ok(path) if path.as_str() == text => Ok(path),
        _ => Err(Damaged),
    }
}

/// A directory of one; it may lie above a path and yet be none, when its name ends in a blank.
fn dir(text: &str) -> Result<RelPath, Damaged> {
    match RelPath::above(text) {
        Ok(path) if path.as_str() == text => Ok(path),
        _ => Err(Damaged),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Change, Damaged, Journal, Print, Record};
    use crate::rel_path::RelPath;

    fn sample() -> Journal {
        let print = |text: &str, mode| Print::of(5, text.as_bytes(), mode);
        let path = |text| RelPath::new(text).unwrap();
        Journal {
            base: 2,
            own: 77,
            seed: 5,
            dirs: vec![path("n"), path("n/m")],
            entries: vec![
                Record { target: path("e/c"), change: Change::Delete { old: print("only\n", 0o600) } },
                Record {
                    target: path("a b"),
                    change: Change::Update { old: print("old\n", 0o644), new: print("new\n", 0o755) },
                },
                Record { target: path("n/m/f"), change: Change::Create { new: print("", 0o640) } },
            ],
        }
    }

    #[test]
    fn text_and_back() {
        let journal = sample();
        assert_eq!(Journal::parse(journal.to_text().as_bytes()), Ok(journal));
    }

    #[test]
    fn every_prefix_is_damaged() {
        let text = sample().to_text();
        for end in 0..text.len() {
            assert_eq!(Journal::parse(&text.as_bytes()[..end]), Err(Damaged), "{end} bytes");
        }
    }

    #[test]
    fn every_changed_byte_is_damaged() {
        let text = sample().to_text().into_bytes();
        for place in 0..text.len() {
            for bit in 0..8 {
                let mut other = text.clone();
                other[place] ^= 1 << bit;
                // A letter of a hash may change its case without changing the number.
                if other[place].eq_ignore_ascii_case(&text[place]) {
                    continue;
                }
                assert_eq!(Journal::parse(&other), Err(Damaged), "byte {place}, bit {bit}");
            }
        }
    }

    #[test]
    fn paths_are_checked() {
        for bad in ["", "../x", "/x", "a//b", "a/./b", ".git/hooks/x"] {
            let body = format!("fsrb-journal 1 2 77 0000000000000005\nM {bad}\n");
            let hash = Print::of(5, body.as_bytes(), 0).hash;
            let text = format!("{body}E {hash:032x}\n");
            assert_eq!(Journal::parse(text.as_bytes()), Err(Damaged), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "(fsrb-journal 1 [0-9 ]{0,9}\n)?([MUCDE] ?[0-9a-f: /]{0,20}\n){0,5}") {
            let _ = Journal::parse(text.as_bytes());
        }
    }
}
