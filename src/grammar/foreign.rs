//! Edits in forms that are not read: formats of other tools, and diffs and markers in a dress that hides them.
//!
//! They are never edits here, but text that looks like one must neither become the content of a file nor be passed
//! over in silence. See grammar-notes/README.md, "Forms that are not read".

use nom::Input;

use super::fence::{fence, read_info};
use super::file_name::{Piece, path_comment};
use super::input::{LineInput, line_input};
use super::lines::{Kind, Line, Lines, kind};
use super::near_marker::{Likeness, Role, near};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::explain::cases;
use crate::language;
use crate::source::{Span, slice};

/// A form in which an edit is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The header or the hunk of a unified diff.
    Diff,
    /// A hunk header with numbers, unquoted and right above or below other text, that heads no hunk.
    HunkHeader,
    /// A `+++` line below a `---` line that is joined with the hunk header below it.
    JoinedHeader,
    /// `*** Begin Patch` and its parts.
    Envelope,
    /// Markers with decoration, escaped for HTML, or made of dashes.
    Markers,
    /// The call of a tool, as tags.
    Tags,
    /// A fence with a file's name that is quoted or indented by a tab.
    Fence,
    /// A fence of which only two backticks are there, or at the text's end fewer than three.
    CutFence,
}

impl Form {
    /// What the text looks like, and what is read.
    fn message(self) -> &'static str {
        match self {
            Self::Diff => {
                "the text looks like a diff but is not read as one; put it whole, with `---`, `+++` and `@@`, into a block tagged `diff`"
            }
            Self::HunkHeader => {
                "the hunk header has no hunk below it; put it back above the hunk's lines, or leave blank lines around it if it is only shown"
            }
            Self::JoinedHeader => {
                "the `+++` line is joined with the hunk header below it; write them as two lines"
            }
            Self::Envelope => {
                "the text looks like a patch with `*** Begin Patch`, which is not read; write a unified diff or SEARCH/REPLACE blocks"
            }
            Self::Markers => {
                "the text looks like a SEARCH/REPLACE block, but its first marker is not a line `<<<<<<< SEARCH`"
            }
            Self::Tags => {
                "the text looks like an edit in the tags of a tool, which are not read; write a code block with the file's name or SEARCH/REPLACE blocks"
            }
            Self::Fence => {
                "the text looks like a file in a code block, but its fence is quoted or behind a tab and so not read"
            }
            Self::CutFence => "the line looks like a fence that was cut: one has three backticks or more",
        }
    }

    /// The fault of a file's content that has this form.
    fn fault(self) -> Diagnostic {
        let fault = Diagnostic::new(self.code(), self.message());
        if self == Self::Diff { fault.with_remedy(&cases::DIFF_AS_FILE) } else { fault }
    }

    /// Whether an edit is surely lost behind it: an error, wherever it stands.
    fn hides_edit(self) -> bool {
        matches!(self, Self::CutFence | Self::HunkHeader | Self::JoinedHeader)
    }

    fn code(self) -> Code {
        match self {
            Self::Diff | Self::HunkHeader | Self::JoinedHeader => Code::MalformedHunk,
            Self::Envelope | Self::Markers | Self::Tags | Self::Fence => Code::SuspiciousMarker,
            Self::CutFence => Code::UnterminatedFence,
        }
    }
}

/// A warning at the first line that looks like an edit, in lines that no edit has; an error where it is a fence that was
/// cut, for it hides what it would have held, or a hunk header that slipped out of its place.
pub(crate) fn ignored_edit(lines: Lines<'_>) -> Option<Diagnostic> {
    ignored(lines, Some)
}

/// The same between the edit blocks of a fence, whose own closing one may be cut.
pub(crate) fn ignored_between_edits(lines: Lines<'_>) -> Option<Diagnostic> {
    ignored(lines, |form| Some(form).filter(|form| *form != Form::CutFence))
}

/// The same in a fence that only shows something.
pub(crate) fn ignored_edit_in_fence(lines: Lines<'_>) -> Option<Diagnostic> {
    ignored(lines, |form| match form {
        Form::CutFence => None,
        Form::HunkHeader | Form::JoinedHeader => Some(Form::Diff),
        form => Some(form),
    })
}

/// The same for what looks like a diff.
pub(crate) fn ignored_diff(lines: Lines<'_>) -> Option<Diagnostic> {
    let is_diff = |form: &Form| matches!(form, Form::Diff | Form::HunkHeader | Form::JoinedHeader);
    ignored(lines, |form| Some(form).filter(is_diff))
}

/// Whether a finding is that warning or error.
pub(crate) fn is_ignored_diff(found: &Diagnostic) -> bool {
    [
        (Code::IgnoredText, Form::Diff),
        (Code::MalformedHunk, Form::HunkHeader),
        (Code::MalformedHunk, Form::JoinedHeader),
    ]
    .iter()
    .any(|(code, form)| found.code == *code && found.message == form.message())
}

/// `taken_for` says what a form is taken for where the lines stand, if for anything.
fn ignored(lines: Lines<'_>, taken_for: impl Fn(Form) -> Option<Form>) -> Option<Diagnostic> {
    let mut first = None;
    for (index, line) in lines.iter_indices().filter(|(_, line)| !is_plain(*line)) {
        let Some(form) = form(lines, index, line).and_then(&taken_for) else { continue };
        if form.hides_edit() {
            return Some(Diagnostic::new(form.code(), form.message()).at(lines.span_of(line)));
        }
        first.get_or_insert((form, line));
    }
    first.map(|(form, line)| Diagnostic::new(Code::IgnoredText, form.message()).at(lines.span_of(line)))
}

/// An error if the body of a block that is named as a file begins as an edit in one of these forms, perhaps behind a
/// comment with a path, or is nothing but lines with the signs of a diff.
pub(crate) fn edit_as_content(body: Lines<'_>) -> Option<Diagnostic> {
    let is_name = |line: Line| path_comment(line_input(body, line)).is_some();
    let index = body.position(|line| line.kind != Kind::Blank && !is_name(line))?;
    let line = body.get(index)?;
    if is_signed(body.take_from(index)) {
        return Some(Form::Diff.fault().at(body.span_of(line)));
    }
    if let Some(header) = last_header(body) {
        return Some(Form::Diff.fault().at(body.span_of(header)));
    }
    let form = match form(body, index, line) {
        Some(Form::Fence | Form::CutFence) | None if is_diff_start(body, index, line) => Form::Diff,
        Some(Form::Fence | Form::CutFence) | None => return None,
        Some(Form::HunkHeader | Form::JoinedHeader) => Form::Diff,
        Some(form) => form,
    };
    Some(form.fault().at(body.span_of(line)).with_severity(Severity::Error))
}

/// The fault of lines beside an edit that have the signs of a diff, all of them.
pub(crate) fn signed_lines(lines: Lines<'_>) -> Option<Diagnostic> {
    let first = lines.iter_elements().find(|line| line.kind != Kind::Blank)?;
    is_signed(lines).then(|| Form::Diff.fault().at(lines.span_of(first)))
}

/// Whether every line has the sign of a diff's line, and there are added and removed ones.
fn is_signed(lines: Lines<'_>) -> bool {
    let (mut added, mut removed) = (false, false);
    for line in lines.iter_elements().filter(|line| line.kind != Kind::Blank) {
        match lines.text_of(line).as_bytes().first() {
            Some(b'+') => added = true,
            Some(b'-') => removed = true,
            Some(b' ') => {}
            _ => return false,
        }
    }
    added && removed
}

/// The header of a diff in which a file ends, as no file does: its hunks stand elsewhere.
fn last_header(body: Lines<'_>) -> Option<Line> {
    let mut last = body.tokens().iter().rev().skip_while(|line| line.kind == Kind::Blank);
    let is_named = |line: &Line| line.span().len() as usize > "+++ ".len();
    last.next().filter(|line| line.kind == Kind::NewName && is_named(line))?;
    last.next().copied().filter(|line| line.kind == Kind::OldName && is_named(line))
}

/// What no file but a diff begins with.
fn is_diff_start(body: Lines<'_>, index: usize, line: Line) -> bool {
    let text = body.text_of(line);
    match line.kind {
        Kind::NewName => body.get(index + 1).is_some_and(|next| next.kind == Kind::HunkHeader),
        Kind::HunkHeader => text.trim() == "@@" || text.starts_with("@@ "),
        Kind::DiffStart => text.starts_with("diff --git "),
        Kind::Text => {
            let lines = body.tokens().iter().skip(index);
            let headers = lines.take_while(|line| is_extended_header(body.text_of(**line))).count();
            let kind = |below: usize| body.get(index + headers + below).map(|line| line.kind);
            headers > 0 && kind(0) == Some(Kind::OldName) && kind(1) == Some(Kind::NewName)
        }
        _ => false,
    }
}

/// What git writes between `diff --git` and the names of a file.
fn is_extended_header(text: &str) -> bool {
    const STARTS: &[&str] = &[
        "index ",
        "old mode ",
        "new mode ",
        "new file mode ",
        "deleted file mode ",
        "similarity index ",
        "dissimilarity index ",
        "rename from ",
        "rename to ",
        "copy from ",
        "copy to ",
    ];
    STARTS.iter().any(|start| text.starts_with(start))
}

/// A quick look: whether it is a blank line, or begins as words do.
fn is_plain(line: Line) -> bool {
    line.kind == Kind::Blank || line.lead.is_ascii_alphanumeric()
}

/// The form that begins on a line.
fn form(lines: Lines<'_>, index: usize, line: Line) -> Option<Form> {
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
        b'`' if is_cut_fence(lines, line) => Some(Form::CutFence),
        b'<' if is_tag(core) => Some(Form::Tags),
        b'*' if is_envelope(core) => Some(Form::Envelope),
        b'*' | b'`' | b'#' | b'<' | b'&' | b'_' => {
            let is_plain = matches!(line.kind, Kind::Search | Kind::NearMarker);
            (!is_plain && is_dressed_marker(core)).then_some(Form::Markers)
        }
        _ => None,
    }
}

/// Two backticks before the tag of a language, or one or two that are all of the text's last line.
fn is_cut_fence(lines: Lines<'_>, line: Line) -> bool {
    let text = lines.text_of(line);
    let is_last = line.next() as usize == lines.source_text().len();
    let tag = text.strip_prefix("``").filter(|tag| !tag.is_empty());
    is_last && matches!(text, "`" | "``") || tag.is_some_and(|tag| language::is_tag(tag.trim_end()))
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

#[cfg(test)]
mod tests {
    use super::super::lines::lex;
    use super::*;

    fn first_form(text: &str) -> Option<Form> {
        let tokens = lex(text);
        let lines = Lines::new(text, &tokens);
        lines.iter_indices().find_map(|(index, line)| form(lines, index, line))
    }

    #[test]
    fn forms() {
        let table = [
            ("@@ -1,2 +1,2 @@ fn f()", Form::Diff),
            ("> @@ -1 +1 @@", Form::Diff),
            ("> x\n> @@ -1 +1 @@\n> y", Form::Diff),
            ("@@ -1 +1 @@\nx", Form::HunkHeader),
            ("--- a/x.py\n+++ b/x.py@@ -1,2 +1,2 @@", Form::JoinedHeader),
            ("x\n @@ -1 +1 @@", Form::HunkHeader),
            ("x\n\n@@ -1 +1 @@\n\nx", Form::Diff),
            ("--- a/x.py\n+++ b/x.py", Form::Diff),
            ("> --- a/x.py\n>\n> +++ b/x.py", Form::Diff),
            ("*** Begin Patch", Form::Envelope),
            ("> *** Update File: x.py", Form::Envelope),
            ("------- SEARCH", Form::Markers),
            ("**<<<<<<< SEARCH**", Form::Markers),
            ("`<<<<<<< SEARCH`", Form::Markers),
            ("# <<<<<<< SEARCH", Form::Markers),
            ("- <<<<<<< SEARCH", Form::Markers),
            ("&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH", Form::Markers),
            ("<write_to_file>", Form::Tags),
            ("  <file path=\"x.py\">", Form::Tags),
            ("> ```python x.py", Form::Fence),
            ("\t```python x.py", Form::Fence),
        ];
        for (text, form) in table {
            assert_eq!(first_form(text), Some(form), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_edit() {
        for text in [
            "---\ntitle: x\n---",
            "--- a/x.py",
            "+++ b/x.py",
            "@@ class variable",
            "@@count += 1",
            "***",
            "*** Note: read this ***",
            "- SEARCH",
            "# SEARCH",
            "`SEARCH`",
            "&lt;div&gt; SEARCH",
            "<file>",
            "<div path=\"x.py\">",
            "> ```python",
            "\t```",
            "> quoted",
            "",
        ] {
            assert_eq!(first_form(text), None, "{text:?}");
        }
    }

    #[test]
    fn content_that_is_an_edit() {
        let found = |text: &str| {
            let tokens = lex(text);
            edit_as_content(Lines::new(text, &tokens)).map(|fault| fault.code)
        };
        for text in [
            "\n@@\n a\n-b\n",
            "# x.py\n@@ -1 +1 @@\n-a\n+b\n",
            "-a\n+b\n",
            "diff --git a/x b/x\n",
            "new mode 100755\nindex 1..2\n--- a/x\n+++ b/x\n",
            "index 1..2\n--- a\n+++ b\n@@ -1 +1 @@\n",
            "x\n--- a\n+++ b\n\n",
            "--- a\n+++ b\n",
        ] {
            assert_eq!(found(text), Some(Code::MalformedHunk), "{text:?}");
        }
        assert_eq!(found("*** Begin Patch\n"), Some(Code::SuspiciousMarker));
        for text in [
            "x = 1\n@@ -1 +1 @@\n",
            "index of all\n--- a\n",
            "index\n---\nx\n",
            "x\n---\ny\n+++\n",
            "x\n+++ b\n",
            "x\n---\n+++\n",
            "- a\n- b\n",
            "+ a\n",
            "@@x = 1\n",
            "---\na: 1\n",
            "",
        ] {
            assert_eq!(found(text), None, "{text:?}");
        }
    }
}
