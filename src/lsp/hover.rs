//! What an edit would do, as a unified diff, or why it does nothing.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::blocks::Block;
use crate::Changes;
use crate::apply::files::{Files, LoadedFile};
use crate::apply::plan::{Options, Plan, PlannedFile, Scope};
use crate::apply::report::FileStatus;
use crate::diagnostic::Diagnostic;
use crate::diff::{Audience, unified};
use crate::escape::escape;

/// So many lines of a diff are shown, and so many bytes.
const LINES: usize = 200;
const BYTES: usize = 16 << 10;
/// Files of more bytes than this on both sides together are not compared.
const COMPARED: usize = 4 << 20;

/// What an edit would do, in Markdown.
pub(super) fn text(block: &Block<'_>, diagnostics: &[Diagnostic], files: &impl Files) -> String {
    let number = u32::try_from(block.index + 1).unwrap_or(u32::MAX);
    let faults = |found: &&Diagnostic| found.is_error() && found.block == Some(number);
    let own: Vec<&Diagnostic> = diagnostics.iter().filter(faults).collect();
    let total = block.changes.list.len();
    if !own.is_empty() {
        return refusal(&own, number, total);
    }
    let step = step(&block.changes, block.index, files);
    let mut text = format!("Edit {number} of {total}");
    let others = diagnostics.iter().filter(|found| found.is_error()).count();
    match others {
        0 => text.push_str(" can be applied:\n\n"),
        1 => text.push_str(" is right, but nothing is applied while another fault is not mended:\n\n"),
        _ => {
            let _ = write!(
                text,
                " is right, but nothing is applied while {others} other faults are not mended:\n\n"
            );
        }
    }
    match step {
        Some(files) => push_diff(&mut text, &files),
        None => text.push_str("It takes effect only together with the edits below it.\n"),
    }
    text
}

fn refusal(faults: &[&Diagnostic], number: u32, total: usize) -> String {
    let mut text = format!("Edit {number} of {total} cannot be applied:\n\n");
    for fault in faults {
        let _ = writeln!(text, "- `{}`: {}", fault.code, escape(&fault.message));
        for place in &fault.related {
            let _ = match (&place.path, place.position) {
                (Some(path), Some((start, _))) => {
                    writeln!(text, "  - {}:{}: {}", escape(path), start.line, escape(&place.message))
                }
                _ => writeln!(text, "  - {}", escape(&place.message)),
            };
        }
        if let Some(fix) = &fault.suggestion {
            let _ = writeln!(text, "  - a quick fix can {}", escape(&fix.message));
        }
    }
    text
}

fn push_diff(text: &mut String, files: &[PlannedFile]) {
    let size = |file: &PlannedFile| {
        let old = file.origin.as_ref().map(|(_, file)| file).or(file.old.as_ref());
        old.map_or(0, |old| old.bytes.len()) + file.new.as_ref().map_or(0, |new| new.len())
    };
    if files.iter().map(size).sum::<usize>() > COMPARED {
        text.push_str("The files are too large to be compared here.\n");
        return;
    }
    let diff = unified(files, Audience::Plain);
    let diff = String::from_utf8_lossy(&diff);
    if diff.is_empty() {
        text.push_str("It changes nothing.\n");
        return;
    }
    let mut shown = String::new();
    for line in diff.split_inclusive('\n').take(LINES) {
        if shown.len() + line.len() > BYTES {
            break;
        }
        shown.push_str(line);
    }
    let fence = fence(&shown);
    let _ = write!(text, "{fence}diff\n{shown}{fence}\n");
    let left = diff.lines().count() - shown.lines().count();
    if left > 0 {
        let _ = write!(text, "\n{left} more lines are not shown.\n");
    }
}

/// A fence that nothing in the text closes.
fn fence(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

/// The files that one change alone makes other than those before it have left them; `None` where it cannot be made
/// alone, such as one of two renames that swap names.
fn step(changes: &Changes<'_>, index: usize, files: &impl Files) -> Option<Vec<PlannedFile>> {
    let options = Options { scope: Scope::EachFile, ..Options::default() };
    let plan = |count: usize| {
        let list = changes.list.iter().take(count).cloned().collect();
        Plan::new(&Changes { list, diagnostics: Vec::new(), text: changes.text }, files, &options).ok()
    };
    let (before, after) = (plan(index)?, plan(index + 1)?);
    let number = u32::try_from(index + 1).ok();
    if after.diagnostics().iter().any(|found| found.is_error() && found.block == number) {
        return None;
    }
    let known: HashMap<_, _> = before.files().iter().map(|file| (&file.target, file)).collect();
    let step = |file: &PlannedFile| match known.get(&file.target) {
        None => settled(file.clone()),
        Some(before) if same(before, file) => None,
        Some(before) => settled(PlannedFile {
            old: before.new.as_ref().map(|bytes| {
                let stamp = file.old.as_ref().and_then(|old| old.stamp);
                Arc::new(LoadedFile { bytes: bytes.to_vec(), stamp })
            }),
            origin: file.origin.clone().filter(|_| before.origin.is_none()),
            renamed_to: file.renamed_to.clone().filter(|_| before.renamed_to.is_none()),
            ..file.clone()
        }),
    };
    Some(after.files().iter().filter_map(step).collect())
}

fn same(before: &PlannedFile, after: &PlannedFile) -> bool {
    before.new == after.new && before.executable == after.executable && before.renamed_to == after.renamed_to
}

/// The file with the status that its two sides show: that of the plan speaks of all changes, failed ones included.
/// `None` where they are the same.
fn settled(mut file: PlannedFile) -> Option<PlannedFile> {
    let had = file.old.as_ref().and_then(|old| old.stamp).map(|stamp| stamp.is_executable());
    let keeps_mode = file.executable.is_none_or(|executable| had == Some(executable));
    file.status = match (&file.old, &file.new) {
        (None, None) => return None,
        (_, Some(_)) if file.status == FileStatus::Renamed && file.origin.is_some() => FileStatus::Renamed,
        (None, Some(_)) => FileStatus::Created,
        (Some(_), None) => FileStatus::Deleted,
        (Some(old), Some(new)) if old.bytes == **new && keeps_mode => return None,
        (Some(_), Some(_)) => FileStatus::Modified,
    };
    Some(file)
}
