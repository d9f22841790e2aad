//! Edits in forms that are not read: formats of other tools, and diffs and markers in a dress that hides them.
//!
//! They are never edits here, but text that looks like one must neither become the content of a file nor be passed
//! over in silence. See grammar-notes/README.md, "Forms that are not read".

mod form;

use nom::Input;

use super::file_name::path_comment;
use super::input::line_input;
use super::lines::{Kind, Line, Lines};
use crate::ast::InputKind;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::explain::cases;
use form::{form, is_change, is_plain};

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
    /// A fence of which only two backticks or tildes are there, or at the text's end fewer than three.
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
            Self::CutFence => {
                "the line looks like a fence that was cut: one has three backticks or tildes, or more"
            }
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

    fn is_of_diff(self) -> bool {
        matches!(self, Self::Diff | Self::HunkHeader | Self::JoinedHeader)
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
/// cut, for it hides what it would have held, or a hunk header that slipped out of its place. Where the input is read for
/// its diffs, only what looks like one is told.
pub(crate) fn ignored_edit(lines: Lines<'_>, kind: InputKind) -> Option<Diagnostic> {
    ignored(lines, |form| Some(form).filter(|form| kind != InputKind::Diff || form.is_of_diff()))
}

/// The same between the edit blocks of a fence, whose own closing one may be cut. Where all lines there have the signs of a
/// diff it is an error.
pub(crate) fn ignored_between_edits(lines: Lines<'_>) -> Option<Diagnostic> {
    signed_lines(lines).or_else(|| ignored(lines, |form| Some(form).filter(|form| *form != Form::CutFence)))
}

/// The same in a fence that only shows something.
pub(crate) fn ignored_edit_in_fence(lines: Lines<'_>) -> Option<Diagnostic> {
    ignored(lines, |form| match form {
        Form::CutFence => None,
        Form::HunkHeader | Form::JoinedHeader => Some(Form::Diff),
        form => Some(form),
    })
}

/// Whether a finding is the warning or error of lines that look like a diff.
pub(crate) fn is_ignored_diff(found: &Diagnostic) -> bool {
    let forms = [(Code::IgnoredText, Form::Diff)].into_iter();
    let hiding = [Form::HunkHeader, Form::JoinedHeader].map(|form| (form.code(), form));
    forms.chain(hiding).any(|(code, form)| found.code == code && found.message == form.message())
}

/// `taken_for` says what a form is taken for where the lines stand, if for anything.
fn ignored(lines: Lines<'_>, taken_for: impl Fn(Form) -> Option<Form>) -> Option<Diagnostic> {
    let mut first = None;
    for (index, line) in lines.iter_indices().filter(|(_, line)| !is_plain(*line)) {
        let change = || is_change(lines, index, line).then_some(Form::Diff);
        let Some(form) = form(lines, index, line).or_else(change).and_then(&taken_for) else { continue };
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
fn signed_lines(lines: Lines<'_>) -> Option<Diagnostic> {
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
        Kind::HunkHeader => text.trim() == "@@" || text.starts_with("@@ "),
        Kind::DiffStart => text.starts_with("diff --git "),
        Kind::Text => {
            let lines = body.tokens().iter().skip(index);
            let headers = lines.take_while(|line| is_extended_header(body.text_of(**line))).count();
            let kind = |below: usize| body.get(index + headers + below).map(|line| line.kind);
            kind(0) == Some(Kind::OldName) && kind(1) == Some(Kind::NewName)
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

#[cfg(test)]
mod tests;
