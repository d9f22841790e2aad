//! How the forms of edits that are not read look, each by the line that it begins on.

use super::Form;
use crate::grammar::fence::{fence, read_info};
use crate::grammar::file_name::Piece;
use crate::grammar::input::LineInput;
use crate::grammar::lines::{Kind, Line, Lines, kind};
use crate::grammar::near_marker::{Likeness, Role, near};
use crate::grammar::unified_diff::changes_code;
use crate::language;
use crate::source::{Span, slice};

/// A quick look: whether it is a blank line, or begins as words do.
pub(super) fn is_plain(line: Line) -> bool {
    line.kind == Kind::Blank || line.lead.is_ascii_alphanumeric()
}

/// The form that begins on a line.
pub(super) fn form(lines: Lines<'_>, index: usize, line: Line) -> Option<Form> {
    let text = lines.text_of(line);
    let first = text.bytes().find(|byte| !matches!(byte, b' ' | b'\t'))?;
    if first.is_ascii_alphanumeric() {
        // Nearly every line ends here: no form begins so.
        return None;
    }
    let core = bare(text);
    match *core.as_bytes().first()? {
        b'@' if !is_hunk_header(core) => None,
        b'@' if line.kind == Kind::HunkHeader && has_neighbour(lines, index, line) => Some(Form::HunkHeader),
        b'@' if first == b'>' && heads_unquoted(lines, index) => Some(Form::HunkHeader),
        b'@' => Some(Form::Diff),
        b'-' if line.kind == Kind::OldName && is_joined_below(lines, index) => Some(Form::JoinedHeader),
        b'-' if kind(core) == Kind::OldName => has_new_name(lines, index).then_some(Form::Diff),
        b'-' => is_dashed_marker(core).then_some(Form::Markers),
        b'+' if line.kind == Kind::NewName && heads_added(lines, index) => Some(Form::Diff),
        b'`' | b'~' if is_named_fence(text, core) => Some(Form::Fence),
        b'`' | b'~' if is_cut_fence(lines, line) => Some(Form::CutFence),
        b'<' if is_tag(core) => Some(Form::Tags),
        b'*' if is_envelope(core) => Some(Form::Envelope),
        b'*' | b'`' | b'#' | b'<' | b'&' | b'_' => {
            let is_plain = matches!(line.kind, Kind::Search | Kind::NearMarker);
            (!is_plain && is_dressed_marker(core)).then_some(Form::Markers)
        }
        _ => None,
    }
}

/// Two backticks or tildes before the tag of a language, or one or two that are all of the text's last line.
fn is_cut_fence(lines: Lines<'_>, line: Line) -> bool {
    let text = lines.text_of(line);
    let is_last = line.next() as usize == lines.source_text().len();
    let tag = text.strip_prefix("``").or(text.strip_prefix("~~")).filter(|tag| !tag.is_empty());
    is_last && matches!(text, "`" | "``" | "~" | "~~")
        || tag.is_some_and(|tag| language::is_tag(tag.trim_end()))
}

/// The line without blanks and the signs of quotes at its ends, or of a list at its start.
fn bare(text: &str) -> &str {
    let core = text.trim_start_matches([' ', '\t', '>']).trim_end_matches([' ', '\t']);
    match core.strip_prefix("- ").or_else(|| core.strip_prefix("• ")) {
        Some(item) => item.trim_start(),
        None => core,
    }
}

/// `@@ -1,2 +1,2 @@`.
fn is_hunk_header(core: &str) -> bool {
    let Some((numbers, _)) = core.strip_prefix("@@ -").and_then(|rest| rest.split_once(" @@")) else {
        return false;
    };
    let is_range = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '+');
    numbers.contains(" +") && numbers.chars().all(is_range)
}

/// Whether a line is no paragraph of its own: text, or what the run of lines lies between, is right above or below it.
fn has_neighbour(lines: Lines<'_>, index: usize, line: Line) -> bool {
    let is_text = |line: Line| line.kind != Kind::Blank;
    let above = index.checked_sub(1).and_then(|above| lines.get(above));
    let below = lines.get(index + 1);
    // A byte order mark is no line.
    let is_below_other = || slice(lines.source_text(), Span::new(0, line.start)).ends_with('\n');
    above.map_or_else(is_below_other, is_text)
        || below.map_or((line.next() as usize) < lines.source_text().len(), is_text)
}

/// Whether the line below one that is quoted is not, and has the sign of a hunk's line.
fn heads_unquoted(lines: Lines<'_>, index: usize) -> bool {
    let below = lines.get(index + 1).filter(|below| below.kind != Kind::Blank);
    below.is_some_and(|below| matches!(lines.text_of(below).as_bytes().first(), Some(b' ' | b'+' | b'-')))
}

/// Whether a hunk that is not read, or one of a new file without its header, is below a line `+++ name`.
fn heads_added(lines: Lines<'_>, index: usize) -> bool {
    lines
        .get(index + 1)
        .is_some_and(|below| below.kind == Kind::HunkHeader || lines.text_of(below).starts_with('+'))
}

/// Whether a line that is removed and one that is added follow each other here, both as no item of a list is written.
pub(super) fn is_change(lines: Lines<'_>, index: usize, line: Line) -> bool {
    let signs = |line: Line| {
        let text = lines.text_of(line);
        changes_code(text).then(|| text.starts_with('-'))
    };
    let below = || lines.get(index + 1).and_then(signs);
    signs(line).is_some_and(|removed| below() == Some(!removed))
}

/// Whether `+++ name@@ -1,2 +1,2 @@` is the next line.
fn is_joined_below(lines: Lines<'_>, index: usize) -> bool {
    let below = lines.get(index + 1).filter(|below| below.kind == Kind::NewName);
    let header = below.and_then(|below| {
        let text = lines.text_of(below);
        text.find("@@ -").and_then(|at| text.get(at..))
    });
    header.is_some_and(is_hunk_header)
}

/// Whether `+++ name` follows `--- name`, perhaps behind a blank line.
fn has_new_name(lines: Lines<'_>, index: usize) -> bool {
    let mut below = lines.tokens().iter().skip(index + 1).take(2).map(|&line| bare(lines.text_of(line)));
    let next = below.next().filter(|next| !next.is_empty()).or_else(|| below.next());
    next.is_some_and(|next| next.len() > "+++ ".len() && kind(next) == Kind::NewName)
}

/// `------- SEARCH`.
fn is_dashed_marker(core: &str) -> bool {
    const SHORTEST: usize = 5;
    let after = core.trim_start_matches('-');
    core.len() - after.len() >= SHORTEST && after.trim() == "SEARCH"
}

/// `**<<<<<<< SEARCH**`, `&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH`.
fn is_dressed_marker(core: &str) -> bool {
    if !core.contains("SEARCH") {
        return false;
    }
    let core = core.trim_matches(['*', '`', '#', '_', ' ']);
    let is_marker =
        near(core).is_some_and(|near| near.role == Role::Search && near.likeness == Likeness::Word);
    is_marker || core.starts_with("&lt;&lt;&lt;")
}

/// `*** Begin Patch`, `*** Update File: x`.
fn is_envelope(core: &str) -> bool {
    const PARTS: &[&str] = &["Begin Patch", "Update File: ", "Add File: ", "Delete File: "];
    core.strip_prefix("*** ").is_some_and(|part| PARTS.iter().any(|known| part.starts_with(known)))
}

/// The tags in which the best known tools have files written and edited.
fn is_tag(core: &str) -> bool {
    const TAGS: &[&str] = &[
        "apply_diff>",
        "create_file>",
        "edit_file>",
        "file path=",
        "insert_content>",
        "replace_in_file>",
        "search_and_replace>",
        "write_file>",
        "write_to_file>",
    ];
    core.strip_prefix('<').is_some_and(|tag| TAGS.iter().any(|known| tag.starts_with(known)))
}

/// A fence with a path in its info string, behind a quote's sign or a tab.
fn is_named_fence(text: &str, core: &str) -> bool {
    let is_hidden = text.trim_start_matches(' ').starts_with(['>', '\t', '-']);
    let hidden = || LineInput::new_extra(core, 0);
    is_hidden
        && fence(hidden()).is_ok_and(|(_, fence)| {
            read_info(Piece::new(slice(core, fence.info), fence.info.start)).path.is_some()
        })
}
