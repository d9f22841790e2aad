//! What is wrong with a file's section, as far as the diff alone shows it.

use super::around::without_ending;
use super::conflict::conflict;
use super::hunk::Body;
use super::layout::has_one_word;
use super::lost_sign::{End, LostSign};
use super::missing::Missing;
use super::name::{BadName, unescape};
use crate::ast::{ExtendedHeader, Extent, FileName, FilePatch, HeaderKind, HunkHeader, LineEnding, LineKind};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::explain::cases;
use crate::grammar::lines::{Kind, Lines};
use crate::source::{Source, Span, slice};

/// What is said of a diff without a name.
pub(super) const NAMELESS: &str =
    "the diff names no file: the lines `--- a/PATH` and `+++ b/PATH` are missing above its first `@@` line";

/// The faults of a hunk, at its `@@` line.
pub(super) fn of_hunk(header: HunkHeader, body: &Body, end: End, text: &str) -> Vec<Diagnostic> {
    let malformed = |message: &str| Diagnostic::new(Code::MalformedHunk, message).at(header.span);
    let mut faults = Vec::new();
    if slice(text, header.span).starts_with("@@@") {
        faults.push(malformed("the hunk is of a merge, with more than one old side"));
    } else if let Some(lost) = end.lost {
        faults.push(without_sign(malformed, lost));
    } else if body.lines.is_empty() {
        faults.push(malformed("no line of the hunk follows its header"));
    }
    if let Some(line) = body.broken_header {
        let fault =
            malformed("a header of another file below the hunk is not whole: it has `---`, `+++` and `@@`");
        faults.push(fault.with_related("this is the header", line));
    }
    if let Some(line) = end.split {
        let fault = malformed("the line directly below the hunk splits it: lines of it follow that line");
        faults.push(fault.with_related("this line goes on with the hunk", line));
    }
    if let Some(item) = end.list {
        let fault = malformed(
            "the list below the hunk may be lines that it adds; count the lines of the hunk, or begin the items with another sign than `+`",
        );
        faults.push(fault.with_related("the list begins here", item));
    }
    // Line 0 is before the first one of a new file: there the count is wrong.
    let promises_old = header.ranges.is_some_and(|(old, _)| !old.is_empty() && old.start.value > 0);
    if promises_old && !body.lines.is_empty() && body.lines.iter().all(|line| line.kind == LineKind::Added) {
        faults.push(malformed("the header promises old lines, but the hunk only adds lines: it lacks the context or removed lines around them"));
    }
    if is_cut_short(body, text) {
        faults
            .push(malformed("the text ends within the hunk, before the last lines that its header promises"));
    }
    // Where lines of the hunk are lost the counts are wrong, too.
    if header.ranges.is_some() && body.extent != Extent::Counted && faults.is_empty() {
        let message = "the line counts of the hunk's header are not those of its lines; the lines are taken as they are";
        let fault = Diagnostic::new(Code::HunkCountMismatch, message).at(header.span);
        let fault = match end.unsigned {
            Some(line) => {
                fault.with_related("this line has no sign and is not taken for one of the hunk's", line)
            }
            None => fault,
        };
        faults.push(Diagnostic { suggestion: counted(header, body, text), ..fault });
    }
    faults
}

/// The fault of a hunk with lines that have no sign.
fn without_sign(malformed: impl Fn(&str) -> Diagnostic, lost: LostSign) -> Diagnostic {
    let fault = match lost.lines.len() {
        _ if lost.is_all => {
            malformed("no line of the hunk has its sign in front").with_remedy(&cases::ALL_UNSIGNED)
        }
        1 => malformed("a line of the hunk has no sign in front"),
        _ => malformed("lines of the hunk have no sign in front"),
    };
    let first = "this line has no sign; if it is no line of the hunk, leave a blank line above it";
    let messages = std::iter::once(first).chain(std::iter::repeat("this one has none either"));
    let fault =
        messages.zip(lost.lines).fold(fault, |fault, (message, line)| fault.with_related(message, line));
    Diagnostic { suggestion: lost.signed, ..fault }
}

/// Whether the text ends with the hunk, or the line that tells how the file ends, and the counts say that the hunk goes
/// on: behind a removed line, when more new lines are to come, or in a line without line ending that adds, removes or is
/// blank. Behind other lines the counts may as well be wrong. A lone `\` is the beginning of a line that tells how the
/// file ends.
fn is_cut_short(body: &Body, text: &str) -> bool {
    let Some(last) = body.lines.last() else { return false };
    let below = text.get(last.text.end as usize..).unwrap_or_default();
    if below.trim_start() == "\\" {
        return true;
    }
    let missing = body.missing.unwrap_or(Missing::NOTHING);
    let is_cut = last.ending == LineEnding::None;
    let is_blank = || slice(text, last.text).trim().is_empty();
    let below = below.trim();
    let is_end_marker = || below.starts_with('\\') && !below.contains('\n');
    (below.is_empty() || is_end_marker())
        && missing != Missing::NOTHING
        && match last.kind {
            LineKind::Removed => missing.new > 0 || is_cut,
            LineKind::Added => is_cut,
            LineKind::Context => is_cut && is_blank(),
        }
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
        // With the sign in front, so that it is read as what it is.
        span: Span::new(old.start.span.start.saturating_sub(1), last.end),
        replacement: format!("-{},{old_count} +{},{new_count}", old.start.value, new.start.value),
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
    faults.extend(conflict(patch, &source).or_else(|| stray_backslash(patch, &source)));
    faults.extend(displaced_name(patch, &source));
    faults.extend(emptied_or_deleted(patch, &source));
    if patch.hunks.is_empty() && !is_whole_without_hunks(patch, &source) {
        let message = "the file's header is followed by no hunk (an `@@` line and the changed lines) and no other operation";
        faults.push(Diagnostic::new(Code::MissingHunks, message).at(patch.anchor()));
    }
    faults
}

/// The fault of a section that lacks a `---` or `+++` line and has it below its first hunk header, where the counts say
/// that it is none of the hunk's: it would become a line of the file.
fn displaced_name(patch: &FilePatch, source: &Source<'_>) -> Option<Diagnostic> {
    let hunk = patch.hunks.first().filter(|hunk| hunk.extent != Extent::Counted)?;
    let first = hunk.lines.first().filter(|line| match line.kind {
        LineKind::Added => patch.new.is_none(),
        LineKind::Removed => patch.old.is_none(),
        LineKind::Context => false,
    })?;
    let line = source.slice(Span::new(first.text.start.saturating_sub(1), first.text.end));
    let is_name = (line.starts_with("+++ ") || line.starts_with("--- ")) && has_one_word(line);
    let fault = || {
        Diagnostic::new(Code::MalformedHunk, "a line of the file header stands below the hunk header")
            .at(hunk.header.span)
            .with_related("this is the line", first.text)
    };
    is_name.then(fault)
}

/// The fault of a section that leaves no line of a file and lacks the `+++` line, which says whether the file goes, too.
fn emptied_or_deleted(patch: &FilePatch, source: &Source<'_>) -> Option<Diagnostic> {
    let lacks_new = patch.new.is_none() && !patch.old.is_some_and(|old| old.is_dev_null(source));
    let is_said = || patch.header(HeaderKind::DeletedFileMode).is_some();
    let hunk = patch
        .hunks
        .iter()
        .filter(|_| lacks_new && !is_said())
        .find(|hunk| hunk.header.ranges.is_some_and(|(_, new)| new.start.value == 0 && new.is_empty()))?;
    let message = "the hunk leaves no line of the file, and the `+++` line is missing: write `+++ /dev/null` above it if the file is to be deleted, or else the file's name";
    Some(Diagnostic::new(Code::MalformedHunk, message).at(hunk.header.span))
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
    faults.extend(null_without_slash(patch, source));
    let is_file = |name: &FileName| !name.is_dev_null(source);
    // A line about binary files may stand alone; it is fault enough.
    if !both.iter().flatten().any(is_file) && patch.header(HeaderKind::Binary).is_none() {
        faults.push(
            Diagnostic::new(Code::MissingPath, NAMELESS)
                .with_remedy(&cases::NAMELESS_DIFF)
                .at(patch.anchor()),
        );
    }
    faults
}

/// The fault of two names that differ by backslashes alone, which would be a move into another directory.
fn stray_backslash(patch: &FilePatch, source: &Source<'_>) -> Option<Diagnostic> {
    let name = patch.new_name(source)?;
    let has_one = |name: FileName| source.slice(name.span).contains('\\');
    if !has_one(name) && !has_one(patch.old_name(source)?) {
        return None;
    }
    let (old, new) = (patch.old_path(source)?, patch.new_path(source)?);
    if old.contains('\\') == new.contains('\\') || old.replace('\\', "") != new.replace('\\', "") {
        return None;
    }
    let name = patch.new_name(source)?;
    let message =
        "the names of the old and of the new file differ by a `\\`, which would be another directory";
    Some(Diagnostic::new(Code::PathConflict, message).with_remedy(&cases::ONE_SPELLING).at(name.span))
}

/// The fault of a name that is `/dev/null` but for its slash, beside another name. With a prefix before it an old one
/// does no harm: the new name still loses its own.
fn null_without_slash(patch: &FilePatch, source: &Source<'_>) -> Option<Diagnostic> {
    const NULL: &str = "dev/null";
    let (old, new) = (patch.old?, patch.new?);
    let text = |name: FileName| source.slice(name.span);
    let below = |name: FileName| text(name).split_once('/').map_or("", |(_, rest)| rest);
    let has_prefix = |name: FileName| below(name) == NULL && !text(name).starts_with('/');
    let is_null = |name: FileName| text(name) == NULL || name == new && has_prefix(name);
    let name = [old, new].into_iter().find(|&name| is_null(name))?;
    let is_moved = patch.new_name(source) != Some(new);
    if is_moved || text(old) == text(new) || below(old) == below(new) {
        return None;
    }
    let message = "the name has no `/` in front, so that it is that of a file and not of none";
    let suggestion = Suggestion {
        message: "write it with the slash".to_owned(),
        span: name.span,
        replacement: "/dev/null".to_owned(),
    };
    let fault = Diagnostic::new(Code::PathConflict, message).with_remedy(&cases::NULL_SLASH).at(name.span);
    Some(Diagnostic { suggestion: Some(suggestion), ..fault })
}

fn of_name(name: FileName, source: &Source<'_>) -> Option<Diagnostic> {
    let (code, message) = match unescape(source.slice(name.span)) {
        _ if !name.quoted => return None,
        Ok(_) => return None,
        Err(BadName::Escape) => (Code::MissingPath, "the quoted name has an escape that git does not write"),
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
    let is_half_moved = has(&[HeaderKind::RenameFrom]) != has(&[HeaderKind::RenameTo])
        || has(&[HeaderKind::CopyFrom]) != has(&[HeaderKind::CopyTo]);
    has(&[HeaderKind::Binary])
        || !promises
            && !is_half_moved
            && !is_cut_off(patch, source)
            && (comes_or_goes && !has_content(patch, source)
                || !changes_hash && (moves || has(&[HeaderKind::NewMode])))
}

/// The fault of headers in prose, without a hunk, that a fence directly below them parts from what follows; but for a file
/// that moves and, as git says, has all of its content as before.
pub(super) fn split_header(patch: &FilePatch, rest: Lines<'_>) -> Option<Diagnostic> {
    let fence = rest.peek().filter(|next| next.kind == Kind::Fence && patch.hunks.is_empty())?;
    let is_same = |header: ExtendedHeader| slice(rest.source_text(), header.value).trim() == "100%";
    if patch.header(HeaderKind::Similarity).is_some_and(is_same) {
        return None;
    }
    let message = "the headers of the file are split by the fence directly below them; leave a blank line above the fence if nothing is missing";
    let fault = Diagnostic::new(Code::MissingHunks, message).at(patch.anchor());
    Some(fault.with_related("this is the fence", rest.span_of(fence)))
}

/// Whether the hash of a new file is not that of an empty one.
fn has_content(patch: &FilePatch, source: &Source<'_>) -> bool {
    let hash = |index: ExtendedHeader| {
        let hashes = source.slice(index.value).split(' ').next().unwrap_or("");
        hashes.split_once("..").map(|(_, new)| new)
    };
    let new = patch.header(HeaderKind::Index).and_then(hash);
    patch.header(HeaderKind::NewFileMode).is_some()
        && new.is_some_and(|new| !EMPTY.iter().any(|empty| empty.starts_with(new)))
}

/// The hashes that git gives to no content: SHA-1 and SHA-256.
const EMPTY: [&str; 2] = [
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

/// Whether the text ends with the line that says that a file is new, below which git writes the hash of its content, or
/// goes on right below with something else than the next section; or what follows is a line with a name, without the other
/// of the two that head a hunk: right below, or that of no file.
fn is_cut_off(patch: &FilePatch, source: &Source<'_>) -> bool {
    let below = without_ending(source.text().get(patch.span.end as usize..).unwrap_or_default());
    let mut lines = below.lines();
    let (next, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let goes_on = !next.trim().is_empty()
        && !["diff ", "```", "~~~"].iter().any(|start| next.trim_start().starts_with(start));
    let is_new = patch.headers.last().is_some_and(|header| header.kind == HeaderKind::NewFileMode);
    let is_name = (next.starts_with("--- ") || next.starts_with("+++ ")) && has_one_word(next);
    let (first, rest) = below.trim_start().split_once('\n').unwrap_or((below.trim_start(), ""));
    is_new && (first.is_empty() || goes_on)
        || is_name && !second.starts_with("+++ ")
        || first.trim_end() == "--- /dev/null" && !rest.starts_with("+++ ")
}
