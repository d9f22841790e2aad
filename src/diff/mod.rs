//! What changes, as the unified diff that git writes: `git apply` and `patch` can read it.
//!
//! Content goes through as it is, whatever bytes it has. On a terminal it is escaped instead.

use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

use crate::apply::files::LoadedFile;
use crate::apply::plan::PlannedFile;
use crate::apply::report::FileStatus;
use crate::escape::escape;

/// So many unchanged lines are shown around a change.
const CONTEXT: usize = 3;

/// For whom a diff is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// A program: bytes as they are.
    Program,
    /// A person at a terminal without colours: hidden characters escaped.
    Plain,
    /// A person at a terminal with colours.
    Coloured,
}

/// The diff of every file of a plan that changes, in the plan's order.
#[must_use]
pub fn unified<'f>(files: impl IntoIterator<Item = &'f PlannedFile>, audience: Audience) -> Vec<u8> {
    let mut writer = Writer { out: Vec::new(), audience };
    for file in files {
        if let Some(change) = FileChange::of(file) {
            writer.file(&change);
        }
    }
    writer.out
}

/// The two sides of one file's section.
struct FileChange<'a> {
    /// Where the old content is; `None` for a new file.
    old: Option<Side<'a>>,
    /// Where the new content is; `None` for a deleted file.
    new: Option<Side<'a>>,
    /// What joins two different names.
    joined: Joined,
}

struct Side<'a> {
    name: &'a str,
    bytes: &'a [u8],
    executable: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    SameName,
    Rename,
    Copy,
}

impl<'a> FileChange<'a> {
    /// `None` for a file that stays as it is, and for a name that another section tells the end of.
    fn of(file: &'a PlannedFile) -> Option<Self> {
        if matches!(file.status, FileStatus::Unchanged | FileStatus::Failed | FileStatus::Skipped) {
            return None;
        }
        let name = file.target.as_str();
        let (old, joined) = match &file.origin {
            Some((from, loaded)) if file.status == FileStatus::Renamed => {
                (Some(Side::of(from.as_str(), loaded)), Joined::Rename)
            }
            Some((from, loaded)) => (Some(Side::of(from.as_str(), loaded)), Joined::Copy),
            // What was there goes away under another name: what is there now is a new file.
            None if file.renamed_to.is_some() => (None, Joined::SameName),
            None => (file.old.as_deref().map(|loaded| Side::of(name, loaded)), Joined::SameName),
        };
        let executable = file.executable.unwrap_or(old.as_ref().is_some_and(|old| old.executable));
        let new = file.new.as_ref().map(|new| Side { name, bytes: new.as_slice(), executable });
        if old.is_none() && new.is_none() { None } else { Some(Self { old, new, joined }) }
    }
}

impl<'a> Side<'a> {
    fn of(name: &'a str, file: &'a LoadedFile) -> Self {
        let executable = file.stamp.is_some_and(|stamp| stamp.is_executable());
        Self { name, bytes: &file.bytes, executable }
    }

    fn mode(&self) -> &'static str {
        if self.executable { "100755" } else { "100644" }
    }
}

struct Writer {
    out: Vec<u8>,
    audience: Audience,
}

/// What a line of the diff is, for its colour.
#[derive(Clone, Copy)]
enum Line {
    Header,
    Hunk,
    Context,
    Removed,
    Added,
}

impl Writer {
    fn file(&mut self, change: &FileChange<'_>) {
        self.headers(change);
        let old = change.old.as_ref().map_or(&[][..], |side| side.bytes);
        let new = change.new.as_ref().map_or(&[][..], |side| side.bytes);
        if old == new {
            return;
        }
        let name = |side: &Option<Side<'_>>, prefix| match side {
            Some(side) => file_line_name(prefix, side.name),
            None => "/dev/null".to_owned(),
        };
        self.line(Line::Header, format!("--- {}", name(&change.old, "a/")).as_bytes());
        self.line(Line::Header, format!("+++ {}", name(&change.new, "b/")).as_bytes());
        let (old, new) = (split_lines(old), split_lines(new));
        for hunk in hunks(&old, &new) {
            self.hunk(&hunk, &old, &new);
        }
    }

    /// `diff --git` and what git adds for modes, new, deleted, renamed and copied files.
    fn headers(&mut self, change: &FileChange<'_>) {
        let (Some(first), Some(second)) =
            (change.old.as_ref().or(change.new.as_ref()), change.new.as_ref().or(change.old.as_ref()))
        else {
            return;
        };
        let mut lines =
            vec![format!("diff --git {} {}", quoted("a/", first.name), quoted("b/", second.name))];
        match (&change.old, &change.new) {
            (None, Some(new)) if new.bytes.is_empty() => {
                lines.push(format!("new file mode {}", second.mode()));
                // The hash of no content, as git has it: nothing else tells that no hunk is missing.
                lines.push("index 0000000..e69de29".to_owned());
            }
            (None, _) => lines.push(format!("new file mode {}", second.mode())),
            (_, None) => lines.push(format!("deleted file mode {}", first.mode())),
            (Some(old), Some(new)) => {
                if old.executable != new.executable {
                    lines.push(format!("old mode {}", old.mode()));
                    lines.push(format!("new mode {}", new.mode()));
                }
                let verb = match change.joined {
                    Joined::SameName => None,
                    Joined::Rename => Some("rename"),
                    Joined::Copy => Some("copy"),
                };
                if let Some(verb) = verb {
                    lines.push(format!("{verb} from {}", quoted("", old.name)));
                    lines.push(format!("{verb} to {}", quoted("", new.name)));
                }
            }
        }
        for line in lines {
            self.line(Line::Header, line.as_bytes());
        }
    }

    fn hunk(&mut self, ops: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else { return };
        let old_range = first.old_range().start..last.old_range().end;
        let new_range = first.new_range().start..last.new_range().end;
        let header = format!("@@ -{} +{} @@", range(&old_range), range(&new_range));
        self.line(Line::Hunk, header.as_bytes());
        for op in ops {
            let (removed, added) = (op.old_range(), op.new_range());
            if op.tag() == DiffTag::Equal {
                self.lines(Line::Context, old.get(removed));
            } else {
                self.lines(Line::Removed, old.get(removed));
                self.lines(Line::Added, new.get(added));
            }
        }
    }

    fn lines(&mut self, kind: Line, lines: Option<&[&[u8]]>) {
        let sign = match kind {
            Line::Removed => b'-',
            Line::Added => b'+',
            _ => b' ',
        };
        for line in lines.unwrap_or_default() {
            let content = line.strip_suffix(b"\n");
            let mut signed = vec![sign];
            signed.extend_from_slice(content.unwrap_or(line));
            self.line(kind, &signed);
            if content.is_none() {
                self.line(Line::Context, b"\\ No newline at end of file");
            }
        }
    }

    /// Writes one line, its ending added. Memory takes every write.
    fn line(&mut self, kind: Line, text: &[u8]) {
        let colour = match kind {
            Line::Header => "\u{1b}[1m",
            Line::Hunk => "\u{1b}[36m",
            Line::Removed => "\u{1b}[31m",
            Line::Added => "\u{1b}[32m",
            Line::Context => "",
        };
        let _ = match self.audience {
            Audience::Program => self.out.write_all(text),
            Audience::Plain => write!(self.out, "{}", printable(text)),
            Audience::Coloured if colour.is_empty() => write!(self.out, "{}", printable(text)),
            Audience::Coloured => write!(self.out, "{colour}{}\u{1b}[0m", printable(text)),
        };
        self.out.push(b'\n');
    }
}

/// The line for a person: a carriage return at its end is left out, tabs stay, the rest is escaped.
fn printable(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.strip_suffix(b"\r").unwrap_or(text));
    let parts: Vec<_> = text.split('\t').map(escape).collect();
    parts.join("\t")
}

/// The lines with their endings.
fn split_lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// The hunks: changes with the unchanged lines around them.
fn hunks(old: &[&[u8]], new: &[&[u8]]) -> Vec<Vec<DiffOp>> {
    let mut numbers = HashMap::new();
    let (old, new) = (numbered(old, &mut numbers), numbered(new, &mut numbers));
    group_diff_ops(capture_diff_slices(Algorithm::Myers, &old, &new), CONTEXT)
}

/// A number for each line, the same for equal lines: comparing them then costs the same whatever their length.
fn numbered<'a>(lines: &[&'a [u8]], numbers: &mut HashMap<&'a [u8], usize>) -> Vec<usize> {
    let numbered = lines.iter().map(|&line| {
        let next = numbers.len();
        *numbers.entry(line).or_insert(next)
    });
    numbered.collect()
}

/// A range of lines as a hunk header has it: `start,count`, from 1, the count left out when it is 1; of no lines the
/// line before.
fn range(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

/// A name on a `---` or `+++` line: one with blanks is followed by a tab, which tells where it ends.
fn file_line_name(prefix: &str, name: &str) -> String {
    let written = quoted(prefix, name);
    if !written.starts_with('"') && name.contains(' ') { written + "\t" } else { written }
}

/// A name as git writes it: in double quotes, with escapes, when it has a byte that is special or not ASCII.
fn quoted(prefix: &str, name: &str) -> String {
    let special = |byte: u8| matches!(byte, b'"' | b'\\') || !(b' '..0x7f).contains(&byte);
    if !name.bytes().any(special) {
        return format!("{prefix}{name}");
    }
    let mut text = format!("\"{prefix}");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            _ if special(byte) => text.push_str(&format!("\\{byte:03o}")),
            _ => text.push(char::from(byte)),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests;
