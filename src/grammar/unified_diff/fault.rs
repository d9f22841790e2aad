//! What is wrong with a file's section, as far as the diff alone shows it.

use super::hunk::Body;
use super::name::{BadName, unescape};
use crate::ast::{ExtendedHeader, Extent, FileName, FilePatch, HeaderKind, HunkHeader, LineKind};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::source::{Source, Span, slice};

/// The faults of a hunk, at its `@@` line. `lost` is the line at which it broke off.
pub(super) fn of_hunk(header: HunkHeader, body: &Body, lost: Option<Span>, text: &str) -> Vec<Diagnostic> {
    let malformed = |message: &str| Diagnostic::new(Code::MalformedHunk, message).at(header.span);
    let mut faults = Vec::new();
    if slice(text, header.span).starts_with("@@@") {
        faults.push(malformed("the hunk is of a merge, with more than one old side"));
    } else if body.lines.is_empty() {
        faults.push(malformed("the hunk has no line"));
    } else if let Some(line) = lost {
        let fault = malformed("a line below the hunk has no sign, and changes follow it");
        faults.push(fault.with_related("this line starts with neither a space nor + nor -", line));
    }
    if header.ranges.is_some() && body.extent != Extent::Counted {
        let message = "the line counts of the hunk header are not those of its body";
        let suggestion = counted(header, body, text);
        faults.push(Diagnostic {
            suggestion,
            ..Diagnostic::new(Code::HunkCountMismatch, message).at(header.span)
        });
    }
    faults
}

/// The numbers of the header with the counts of the body, where it is known how long that is.
fn counted(header: HunkHeader, body: &Body, text: &str) -> Option<Suggestion> {
    let (old, new) = header.ranges?;
    let ends_blank = body.lines.last().is_none_or(|line| slice(text, line.text).trim().is_empty());
    if body.extent != Extent::Unknown || ends_blank {
        return None;
    }
    let count = |other: LineKind| body.lines.iter().filter(|line| line.kind != other).count();
    let last = new.count.map_or(new.start.span, |count| count.span);
    let (old_count, new_count) = (count(LineKind::Added), count(LineKind::Removed));
    Some(Suggestion {
        message: "count the lines of the body".to_owned(),
        span: old.start.span.to(last),
        replacement: format!("{},{old_count} +{},{new_count}", old.start.value, new.start.value),
    })
}

/// The faults of a file's headers, and the lack of hunks. `combined` is the line of a merge's diff.
pub(super) fn of_file(patch: &FilePatch, combined: Option<Span>, text: &str) -> Vec<Diagnostic> {
    let Ok(source) = Source::new(text) else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    faults.extend(combined.map(|line| {
        Diagnostic::new(
            Code::MalformedHunk,
            "the diff of a merge, with more than one old side, is not supported",
        )
        .at(line)
    }));
    faults.extend(patch.headers.iter().filter_map(|header| of_header(*header, &source)));
    faults.extend(names(patch, &source));
    if patch.hunks.is_empty() && !is_whole_without_hunks(patch, &source) {
        let message = "the file header is followed by no hunk and no operation";
        faults.push(Diagnostic::new(Code::MissingHunks, message).at(patch.anchor()));
    }
    faults
}

fn of_header(header: ExtendedHeader, source: &Source<'_>) -> Option<Diagnostic> {
    let value = source.slice(header.value);
    let mode = match header.kind {
        HeaderKind::Binary => {
            let message = "the diff holds binary content, which is not supported";
            return Some(Diagnostic::new(Code::BinaryPatch, message).at(header.span));
        }
        HeaderKind::OldMode | HeaderKind::NewMode | HeaderKind::NewFileMode | HeaderKind::DeletedFileMode => {
            value
        }
        HeaderKind::Index => value.split_once(' ')?.1,
        _ => return None,
    };
    let what = match u32::from_str_radix(mode.trim(), 8).ok()? & FILE_TYPE {
        REGULAR => return None,
        0o120_000 => "a symbolic link",
        0o160_000 => "a submodule",
        _ => "of an unknown kind",
    };
    let message = format!("the file is {what}, which is not supported");
    Some(Diagnostic::new(Code::UnsupportedMode, message).at(header.span))
}

/// The bits of a mode that say what kind of file it is.
const FILE_TYPE: u32 = 0o170_000;
/// Those of a regular file.
const REGULAR: u32 = 0o100_000;

fn names(patch: &FilePatch, source: &Source<'_>) -> Vec<Diagnostic> {
    let both = [patch.old_name(source), patch.new_name(source)];
    let mut faults: Vec<_> = both.into_iter().flatten().filter_map(|name| of_name(name, source)).collect();
    let is_file = |name: &FileName| !name.is_dev_null(source);
    // A line about binary files may stand alone; it is fault enough.
    if !both.iter().flatten().any(is_file) && patch.header(HeaderKind::Binary).is_none() {
        faults.push(Diagnostic::new(Code::MissingPath, "the diff names no file").at(patch.anchor()));
    }
    faults
}

fn of_name(name: FileName, source: &Source<'_>) -> Option<Diagnostic> {
    let (code, message) = match unescape(source.slice(name.span)) {
        _ if !name.quoted => return None,
        Ok(_) => return None,
        Err(BadName::Escape) => (Code::MissingPath, "the quoted name has an unknown escape"),
        Err(BadName::NotUtf8) => (Code::NotUtf8, "the quoted name is not UTF-8"),
    };
    Some(Diagnostic::new(code, message).at(name.span))
}

/// Whether a section says enough without a hunk: a new or deleted file, another name or mode, binary content. The
/// `---` and `+++` lines and two different hashes promise hunks.
fn is_whole_without_hunks(patch: &FilePatch, source: &Source<'_>) -> bool {
    let has = |kinds: &[HeaderKind]| patch.headers.iter().any(|header| kinds.contains(&header.kind));
    let promises = patch.old.is_some() || patch.new.is_some();
    let comes_or_goes = has(&[HeaderKind::NewFileMode, HeaderKind::DeletedFileMode]);
    let moves =
        has(&[HeaderKind::RenameFrom, HeaderKind::RenameTo, HeaderKind::CopyFrom, HeaderKind::CopyTo]);
    let changes_hash = patch.header(HeaderKind::Index).is_some_and(|index| {
        let hashes = source.slice(index.value).split(' ').next().unwrap_or("");
        hashes.split_once("..").is_some_and(|(old, new)| old != new)
    });
    has(&[HeaderKind::Binary])
        || !promises && (comes_or_goes || !changes_hash && (moves || has(&[HeaderKind::NewMode])))
}
