//! Lines around the hunks and headers of a file's section which show that a part of it is missing or out of its place.

use super::layout::has_one_word;
use super::missing::Missing;
use crate::ast::{FileName, FilePatch, HunkHeader, HunkRange, LineKind, Node};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::grammar::file_name::{Piece, mentions_other};
use crate::grammar::lines::{Kind, Lines};
use crate::source::{Source, Span, offset, slice};

/// What stands between the hunks of a file and names another one, to which the next hunk may belong; and what says that
/// the next hunk has no other above it.
pub(super) fn between_hunks(patch: &FilePatch, text: &str) -> Vec<Diagnostic> {
    let Ok(source) = Source::new(text) else {
        return Vec::new();
    };
    let names = [patch.old_name(&source), patch.new_name(&source)];
    let mut paths: Vec<_> = names.into_iter().flatten().map(|name| source.slice(name.span)).collect();
    paths.retain(|path| *path != "/dev/null");
    let pairs = patch.hunks.iter().zip(patch.hunks.iter().skip(1));
    pairs
        .filter_map(|(above, below)| {
            let end =
                text.get(above.span.end as usize..).map_or(0, |rest| rest.len() - without_ending(rest).len());
            let start = (above.span.end + offset(end)).min(below.span.start);
            let gap = Span::new(start, below.span.start);
            let mut lines = pieces(source.slice(gap), gap.start);
            let of_prose = lines.find_map(|line| of_prose(line, gap.start, &paths, below.header.span));
            of_prose.or_else(|| of_whole_file(patch, above.header, below.header, &source))
        })
        .collect()
}

/// The fault of a hunk below another one that says that its file has no line, or is to have none: it belongs to a file
/// whose header is missing. The first hunk may say so where it has no context; and a file that comes or goes may do so
/// in several hunks, one behind the other.
fn of_whole_file(
    patch: &FilePatch,
    above: HunkHeader,
    below: HunkHeader,
    source: &Source<'_>,
) -> Option<Diagnostic> {
    let (old, new) = below.ranges?;
    let is_none = |range: HunkRange| range.start.value == 0 && range.is_empty();
    let is_null = |name: Option<FileName>| name.is_some_and(|name| name.is_dev_null(source));
    let (what, goes_on) = match (is_none(old), is_none(new)) {
        (false, false) => return None,
        (true, _) => {
            let follows = above.ranges.is_some_and(|(_, above)| above.start.value < new.start.value);
            ("new", is_null(patch.old_name(source)) && follows)
        }
        (false, true) => {
            let follows = above.ranges.is_some_and(|(above, _)| above.start.value < old.start.value);
            ("deleted", is_null(patch.new_name(source)) && follows)
        }
    };
    let message = format!(
        "the hunk is of a {what} file, but stands below a hunk of another one; the lines `---` and `+++` of its file are \
        missing above it"
    );
    (!goes_on).then(|| Diagnostic::new(Code::MalformedHunk, message).at(below.span))
}

/// A text without the line ending at its start, when there is one.
pub(super) fn without_ending(text: &str) -> &str {
    text.strip_prefix("\r\n").or(text.strip_prefix('\n')).unwrap_or(text)
}

fn of_prose(line: Piece<'_>, gap: u32, paths: &[&str], hunk: Span) -> Option<Diagnostic> {
    if line.text.starts_with(['-', '+']) {
        // Right below the hunk it is told already.
        let is_header = line.start > gap
            && (line.text.starts_with("---") || line.text.starts_with("+++"))
            && (has_one_word(line.text) || is_joined(line.text));
        let message = "the header of another file is not whole";
        return is_header.then(|| Diagnostic::new(Code::MalformedHunk, message).at(line.span()));
    }
    let starred = line.text.strip_prefix("*** ").map(str::trim).filter(|name| !name.contains(' '));
    let other = match starred {
        Some(name) if name.contains(char::is_alphanumeric) => {
            (!paths.iter().any(|path| path.ends_with(name))).then(|| line.span())
        }
        _ => paths.iter().map(|path| mentions_other(line, path)).collect::<Option<Vec<_>>>()?.pop(),
    }?;
    let message = "the file of the hunk is not clear: the prose above it names another one";
    Some(Diagnostic::new(Code::MissingPath, message).at(hunk).with_related("this may be its file", other))
}

/// Whether a `---` line goes on with what should be the `+++` line below it.
fn is_joined(text: &str) -> bool {
    text.strip_prefix("--- ").is_some_and(|name| name.contains("+++ "))
}

/// The lines of a text that starts at this offset, trimmed.
fn pieces(text: &str, start: u32) -> impl Iterator<Item = Piece<'_>> {
    text.split_inclusive('\n').scan(start, |next, line| {
        let piece = Piece::new(line, *next);
        *next += offset(line.len());
        Some(piece.trim())
    })
}

/// The fault of a section below a line that belongs to it: a `+++` line above its `---` line, or a line that its hunks
/// lack. `above` are the lines before it that belong to nothing else.
pub(crate) fn above_header(patch: &mut FilePatch, above: Lines<'_>) -> Option<Diagnostic> {
    let line = last_line(above)?;
    let found = exchanged_names(patch, line, above.source_text())
        .or_else(|| name_above(patch, line))
        .or_else(|| line_above(patch, line))?;
    patch.fault.get_or_insert(found.code);
    Some(found)
}

/// The same for the first section of a diff block, for a line that its hunks lack.
pub(crate) fn above_fence(children: &mut [Node], above: Lines<'_>) -> Option<Diagnostic> {
    let Node::FilePatch(patch) = children.first_mut()? else { return None };
    let found = line_above(patch, last_line(above)?)?;
    patch.fault.get_or_insert(found.code);
    Some(found)
}

/// The last of these lines, if it is not blank.
fn last_line(lines: Lines<'_>) -> Option<Piece<'_>> {
    let last = lines.tokens().last().copied().filter(|last| last.kind != Kind::Blank)?;
    Some(Piece::new(lines.text_of(last), lines.span_of(last).start).trim())
}

/// A `+++` line above the only name of a section, which is that of a `---` line.
fn exchanged_names(patch: &FilePatch, line: Piece<'_>, text: &str) -> Option<Diagnostic> {
    let old = patch.old.filter(|old| patch.new.is_none() && old.line.start >= line.span().end)?;
    if !line.text.starts_with("+++ ") {
        return None;
    }
    let both = line.span().to(old.line);
    let between = slice(text, Span::new(line.span().end, old.line.start));
    let suggestion = Suggestion {
        message: "write the `---` line first".to_owned(),
        span: both,
        replacement: format!("{}{between}{}", slice(text, old.line), line.text),
    };
    let message = "the `---` line stands below the `+++` line, which is not read there";
    let fault = Diagnostic::new(Code::MalformedHunk, message)
        .at(old.line)
        .with_related("this is the `+++` line", line.span());
    Some(Diagnostic { suggestion: Some(suggestion), ..fault })
}

/// A name line above a section that has hunks and another header line, and lacks just this one.
fn name_above(patch: &FilePatch, line: Piece<'_>) -> Option<Diagnostic> {
    let is_lacking = line.text.starts_with("--- ") && patch.old.is_none()
        || line.text.starts_with("+++ ") && patch.new.is_none();
    let has_header = patch.git.is_some() || patch.old.is_some() || patch.new.is_some();
    let hunk = patch.hunks.first().filter(|_| is_lacking && has_header && has_one_word(line.text))?;
    let message = "a line of the file header stands above the header; put it directly above the hunk, `---` before `+++`";
    let fault = Diagnostic::new(Code::MalformedHunk, message).at(hunk.header.span);
    Some(fault.with_related("this is the line", line.span()))
}

/// A line with the sign of one of which a hunk of the section has too few.
fn line_above(patch: &FilePatch, line: Piece<'_>) -> Option<Diagnostic> {
    let kind = match line.text.as_bytes() {
        // Indented further than an item of a list.
        [b'+', b' ', b' ', b' ', b' ', ..] => LineKind::Added,
        [b'-', b' ', b' ', b' ', b' ', ..] => LineKind::Removed,
        // With a blank behind it, it may be such an item; with the same sign, a rule or a header line.
        [b'+', next, ..] if !matches!(next, b' ' | b'\t' | b'+') => LineKind::Added,
        [b'-', next, ..] if !matches!(next, b' ' | b'\t' | b'-') => LineKind::Removed,
        _ => return None,
    };
    let lacks = |missing: Missing| missing.without_line(kind).is_some();
    let hunk = patch.hunks.iter().find(|hunk| Missing::of(hunk).is_some_and(lacks))?;
    let message = "the hunk has fewer lines than its header promises, and a line that may be its own stands above the file's header; put it where it belongs, or leave a blank line below it";
    let fault = Diagnostic::new(Code::MalformedHunk, message).at(hunk.header.span);
    Some(fault.with_related("this is the line", line.span()))
}
