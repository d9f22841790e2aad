//! Unified diffs as values: from the AST, and down to what the applier takes.

use std::borrow::Cow;

use super::{CodeParser, CodeParserError, FilePatch, Hunk, HunkLine, Result};
use crate::apply::change::{Dialect, Patch, PatchHunk, PatchLine, PatchName, PatchSide};
use crate::ast::{self, Extent, FileOperation, InputKind, LineEnding, LineKind, Node};
use crate::diagnostic::Diagnostic;
use crate::edit::hunk::Patched;
use crate::grammar::{Parsed, parse};
use crate::source::Source;

impl CodeParser {
    /// The patches of a diff; prose and fences around it are ignored.
    ///
    /// # Errors
    ///
    /// [`CodeParserError::InvalidPatch`] with the first fault and its line (from 1): a diff that cannot be read whole
    /// gives nothing. A text without any diff gives an empty list.
    pub fn parse_unified_diff(text: &str) -> Result<Vec<FilePatch>> {
        let source = Source::new(text).map_err(|error| CodeParserError::InvalidPatch(error.to_string()))?;
        let parsed = parse(&source, InputKind::Diff);
        match parsed.diagnostics.iter().find(|found| found.is_error()) {
            Some(fault) => Err(invalid(fault, &source)),
            None => Ok(patches(&parsed)),
        }
    }

    /// The patches of every diff of a reply, in order; one that cannot be read is left out.
    ///
    /// A text of 4 GiB or more gives none.
    #[must_use]
    pub fn extract_patches(response: &str) -> Vec<FilePatch> {
        let Ok(source) = Source::new(response) else { return Vec::new() };
        patches(&parse(&source, InputKind::Response))
    }
}

fn invalid(fault: &Diagnostic, source: &Source<'_>) -> CodeParserError {
    let line = fault.span.map(|span| format!("line {}: ", source.position(span.start).line));
    CodeParserError::InvalidPatch(format!("{}{}", line.unwrap_or_default(), fault.message))
}

fn patches(parsed: &Parsed<'_>) -> Vec<FilePatch> {
    let patches = parsed.document.changes().into_iter().filter_map(|node| match node {
        Node::FilePatch(patch) if patch.fault.is_none() => Some(file_patch(patch, parsed.source)),
        _ => None,
    });
    patches.collect()
}

fn file_patch(patch: &ast::FilePatch, source: &Source<'_>) -> FilePatch {
    FilePatch {
        old_path: patch.old_path(source).map(Cow::into_owned),
        new_path: patch.new_path(source).map(Cow::into_owned),
        operation: patch.operation(source),
        executable: patch.executable(source),
        hunks: patch.hunks.iter().map(|hunk| owned_hunk(hunk, source)).collect(),
    }
}

fn owned_hunk(hunk: &ast::Hunk, source: &Source<'_>) -> Hunk {
    let has = |ending: LineEnding| {
        hunk.header.ending == ending || hunk.lines.iter().any(|line| line.ending == ending)
    };
    // Only where endings differ do they say something of the file, and not of the diff's way here.
    let is_mixed = has(LineEnding::CrLf) && has(LineEnding::Lf);
    let line = |line: &ast::HunkLine| {
        let mut text = source.slice(line.text).to_owned();
        if is_mixed && line.ending == LineEnding::CrLf {
            text.push('\r');
        }
        match line.kind {
            LineKind::Context => HunkLine::Context(text),
            LineKind::Removed => HunkLine::Removed(text),
            LineKind::Added => HunkLine::Added(text),
        }
    };
    let ends_open = |other: LineKind| {
        hunk.lines.iter().rev().find(|line| line.kind != other).is_some_and(|line| line.no_newline)
    };
    let number = |value: u32| value as usize;
    let ranges = hunk.header.ranges;
    Hunk {
        old_start: ranges.map_or(0, |(old, _)| number(old.start.value)),
        old_lines: ranges.map_or(0, |(old, _)| number(old.len())),
        new_start: ranges.map_or(0, |(_, new)| number(new.start.value)),
        new_lines: ranges.map_or(0, |(_, new)| number(new.len())),
        section: source.slice(hunk.header.section).to_owned(),
        lines: hunk.lines.iter().map(line).collect(),
        old_ends_without_newline: ends_open(LineKind::Added),
        new_ends_without_newline: ends_open(LineKind::Removed),
    }
}

impl FilePatch {
    /// What the patch makes of a text. For a file that it creates, `original` is `""`; for one that it deletes, `""`
    /// is what is left.
    ///
    /// The text's line endings are kept, and each hunk is put where its old lines are found.
    ///
    /// # Errors
    ///
    /// [`CodeParserError::PatchConflict`] with the first hunk that fits no place or more than one.
    pub fn apply(&self, original: &str) -> Result<String> {
        let conflict = |hunk: usize| CodeParserError::PatchConflict {
            file: self.path().unwrap_or_default().to_owned(),
            hunk: hunk + 1,
        };
        let hunks = self.lower().hunks;
        let (new, _) = Patched::from(original.as_bytes().to_vec())
            .apply(&hunks)
            .map_err(|faults| conflict(faults.first().map_or(0, |fault| fault.hunk)))?;
        if self.is_deleted() && !new.is_nothing() {
            return Err(conflict(0));
        }
        String::from_utf8(new.bytes().to_vec()).map_err(|_| conflict(0))
    }

    /// What the applier takes. All patches of one call count as one diff.
    pub(super) fn lower(&self) -> Patch<'_> {
        let side = |path: &'_ Option<String>| match path {
            Some(path) => {
                PatchSide::File(PatchName { path: Cow::Owned(path.clone()), span: None, line: None })
            }
            None => PatchSide::NoFile,
        };
        let declared = match self.operation {
            FileOperation::Modify if self.is_new_file() => FileOperation::Create,
            FileOperation::Modify if self.is_deleted() => FileOperation::Delete,
            operation => operation,
        };
        Patch {
            dialect: Dialect::Git,
            old: side(&self.old_path),
            new: side(&self.new_path),
            declared,
            executable: self.executable,
            hunks: self.hunks.iter().map(Hunk::lower).collect(),
            fault: None,
        }
    }
}

impl Hunk {
    fn lower(&self) -> PatchHunk<'_> {
        let mut lines: Vec<PatchLine<'_>> = self.lines.iter().map(HunkLine::lower).collect();
        for (ends_open, other) in [
            (self.old_ends_without_newline, LineKind::Added),
            (self.new_ends_without_newline, LineKind::Removed),
        ] {
            if let Some(last) = lines.iter_mut().rev().find(|line| line.kind != other) {
                last.no_newline |= ends_open;
            }
        }
        PatchHunk {
            header: None,
            header_ending: LineEnding::None,
            old_start: if self.has_numbers() { u32::try_from(self.old_start).ok() } else { None },
            extent: self.extent(),
            lines,
        }
    }

    fn has_numbers(&self) -> bool {
        [self.old_start, self.old_lines, self.new_start, self.new_lines].iter().any(|&number| number != 0)
    }

    /// How many of the lines the stated counts cover.
    fn extent(&self) -> Extent {
        let (mut old, mut new) = (0, 0);
        let mut counted = None;
        for (index, line) in self.lines.iter().enumerate() {
            if (old, new) == (self.old_lines, self.new_lines) && self.has_numbers() {
                counted = Some(index);
            }
            old += usize::from(!matches!(line, HunkLine::Added(_)));
            new += usize::from(!matches!(line, HunkLine::Removed(_)));
        }
        if (old, new) == (self.old_lines, self.new_lines) {
            return Extent::Counted;
        }
        counted.map_or(Extent::Unknown, |lines| Extent::Beginning(u32::try_from(lines).unwrap_or(u32::MAX)))
    }
}

impl HunkLine {
    /// With CRLF where the text tells of it, else with LF.
    fn lower(&self) -> PatchLine<'_> {
        let (kind, text) = match self {
            Self::Context(text) => (LineKind::Context, text),
            Self::Removed(text) => (LineKind::Removed, text),
            Self::Added(text) => (LineKind::Added, text),
        };
        let (text, ending) = match text.strip_suffix('\r') {
            Some(text) => (text, LineEnding::CrLf),
            None => (text.as_str(), LineEnding::Lf),
        };
        PatchLine { kind, text: Cow::Borrowed(text), ending, no_newline: false, span: None }
    }
}
