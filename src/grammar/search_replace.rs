//! SEARCH/REPLACE blocks: which lines to find in a file, and which to put in their place.
//!
//! ```text
//! <<<<<<< SEARCH
//! the lines to find
//! =======
//! the lines to put in their place
//! >>>>>>> REPLACE
//! ```
//!
//! Models write them because they were shown the format of Aider; fsrb(1) gives its rules. The one leniency is white
//! space around the markers: a rendered chat indents them. All else about a marker must be exact, since lines that
//! only look like markers are common in files (the underline of a heading, a conflict of git).
//! See grammar-notes/search-replace.md.

use nom::bytes::complete::{take, take_till};
use nom::combinator::map_opt;
use nom::{IResult, Input, Parser};

use super::input::{Located, Mismatch, Read};
use super::lines::{Kind, Line, Lines};
use super::marker;
use super::near_marker::{Likeness, Near, Role, near, suspicious_marker, with_marker};
use crate::ast::{SearchReplace, Text};
use crate::diagnostic::{Code, Diagnostic, Severity, Suggestion};
use crate::explain::cases;
use crate::source::{Span, offset};

/// Reads one block from its SEARCH line on, all but its path, which the caller finds.
///
/// ```ebnf
/// block = search_line , section , separator_line , section , replace_line ;
/// ```
///
/// `lines` are those that may belong to the block; fence lines among them are content. Past the SEARCH line it never
/// fails. The rest that a broken block leaves:
///
/// - broken by a SEARCH line: that line and all after it, for a block begins there;
/// - by a REPLACE line in the first section: what follows that line;
/// - by a second separator: what follows that line;
/// - by the end of `lines`: everything from the first fence line after its last marker on, so that a fence around the
///   block still finds its closer; nothing, where there is none.
///
/// Where a separator and a REPLACE line follow before the next SEARCH line, a broken block reaches to that REPLACE
/// line: they are its own, and give no second error.
pub(crate) fn block(lines: Lines<'_>) -> IResult<Lines<'_>, Read<SearchReplace>, Mismatch> {
    let (after_opener, opener) = search_line(lines)?;
    let (after_search, search) = section(after_opener)?;
    let parts = Parts { opener, search, separator: None, replace: after_search.take(0), closer: None };
    let Ok((after_separator, separator)) = separator_line(after_search) else {
        return Ok(broken_in_search(lines, parts, after_search));
    };
    let (after_replace, replace) = section(after_separator)?;
    let parts = Parts { separator: Some(separator), replace, ..parts };
    let Ok((rest, closer)) = replace_line(after_replace) else {
        return Ok(broken_in_replace(lines, parts, after_replace));
    };
    Ok((rest, Parts { closer: Some(closer), ..parts }.whole(lines, rest)))
}

/// ```ebnf
/// search_line = blanks , "<<<<<<< SEARCH" , blanks , line_ending ;
/// ```
fn search_line(lines: Lines<'_>) -> IResult<Lines<'_>, Span, Mismatch> {
    marker_line(Kind::Search).parse(lines)
}

/// ```ebnf
/// separator_line = blanks , "=======" , blanks , line_ending ;
/// ```
fn separator_line(lines: Lines<'_>) -> IResult<Lines<'_>, Span, Mismatch> {
    marker_line(Kind::Separator).parse(lines)
}

/// ```ebnf
/// replace_line = blanks , ">>>>>>> REPLACE" , blanks , line_ending ;
/// ```
fn replace_line(lines: Lines<'_>) -> IResult<Lines<'_>, Span, Mismatch> {
    marker_line(Kind::Replace).parse(lines)
}

/// A line of this kind, as the place of its marker.
fn marker_line<'s>(kind: Kind) -> impl Parser<Lines<'s>, Output = Span, Error = Mismatch> {
    map_opt(take(1_usize), move |line: Lines<'s>| {
        line.peek().filter(|found| found.kind == kind).map(|found| marker_span(line, found))
    })
}

/// The lines up to the next marker line, or all.
///
/// ```ebnf
/// section = { content_line } ;
/// ```
fn section(lines: Lines<'_>) -> IResult<Lines<'_>, Lines<'_>, Mismatch> {
    take_till(|line: Line| is_marker(line.kind)).parse(lines)
}

fn is_marker(kind: Kind) -> bool {
    matches!(kind, Kind::Search | Kind::Separator | Kind::Replace)
}

/// The place of the marker of a marker line: its text without the blanks at its ends.
fn marker_span(lines: Lines<'_>, line: Line) -> Span {
    let length = match line.kind {
        Kind::Search => marker::SEARCH.len(),
        Kind::Separator => marker::SEPARATOR.len(),
        _ => marker::REPLACE.len(),
    };
    let length = offset(length);
    if line.span().len() == length {
        // Nearly always there are no blanks; then the text, long out of the processor's cache, need not be looked at.
        return line.span();
    }
    let (span, text) = (lines.span_of(line), lines.text_of(line));
    let start = span.start + offset(text.len() - text.trim_start_matches([' ', '\t']).len());
    Span::new(start, start + length)
}

/// What has been read of a block.
#[derive(Clone, Copy)]
struct Parts<'s> {
    opener: Span,
    search: Lines<'s>,
    separator: Option<Span>,
    replace: Lines<'s>,
    closer: Option<Span>,
}

impl Parts<'_> {
    /// The block that reaches up to `rest`, read whole.
    fn whole(self, lines: Lines<'_>, rest: Lines<'_>) -> Read<SearchReplace> {
        let mut node = self.node(lines, rest);
        let mut faults = self.near_markers(Severity::Warning, |near, _| near.likeness == Likeness::Word);
        // The block has all its markers; one more would break it.
        faults.iter_mut().for_each(|fault| fault.suggestion = None);
        node.complete = !(node.search.is_empty() && node.replace.is_empty());
        if !node.complete {
            let message = "both sections of the block are empty, so that it would do nothing";
            faults.push(Diagnostic::new(Code::EmptyBlock, message).at(self.opener));
        }
        faults.extend(self.doubled_separator());
        Read { node, faults }
    }

    /// The warning for a line directly below the separator that is nearly one: it may be the same marker once more. The line
    /// above a heading has its like two lines further down, and an underline that is changed its like in the first section.
    fn doubled_separator(self) -> Option<Diagnostic> {
        let is_near = |line: &Line| line.kind == Kind::NearMarker;
        let line = self.replace.peek().filter(is_near)?;
        let near = near(self.replace.text_of(line)).filter(|near| near.role == Role::Separator)?;
        let is_underline = |line: Line| {
            let text = self.search.text_of(line).trim_end();
            is_near(&line) || !text.is_empty() && text.bytes().all(|byte| byte == b'=')
        };
        let is_text = self.search.peek().is_some_and(is_underline)
            || self.replace.get(2).is_some_and(|line| is_near(&line));
        let found = || Diagnostic { suggestion: None, ..suspicious_marker(self.replace, line, near) };
        (!is_text).then(found)
    }

    /// The block that reaches up to `rest`, broken by `fault`.
    fn broken(self, lines: Lines<'_>, rest: Lines<'_>, fault: Diagnostic) -> Read<SearchReplace> {
        let mut faults = self.near_markers(Severity::Error, may_be_meant);
        if let ([only], Some(missing)) = (faults.as_mut_slice(), self.missing()) {
            *only = with_marker(only.clone(), missing);
        }
        faults.push(fault);
        faults.sort_by_key(|fault| fault.span.map(|span| span.start));
        Read { node: self.node(lines, rest), faults }
    }

    /// The marker that is missed first.
    fn missing(self) -> Option<Role> {
        match (self.separator, self.closer) {
            (None, _) => Some(Role::Separator),
            (_, None) => Some(Role::Replace),
            _ => None,
        }
    }

    fn node(self, lines: Lines<'_>, rest: Lines<'_>) -> SearchReplace {
        let span = Span::new(self.opener.start, lines.end_before(rest));
        let mut escapes = Vec::new();
        SearchReplace {
            span,
            path: None,
            search_marker: self.opener,
            separator: self.separator,
            replace_marker: self.closer,
            search: section_text(self.search, span.end, &mut escapes),
            replace: section_text(self.replace, span.end, &mut escapes),
            escapes,
            complete: false,
        }
    }

    /// The lines of the sections that are nearly markers and that `wanted` takes for meant ones.
    fn near_markers(self, severity: Severity, wanted: fn(Near, Side) -> bool) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (side, section) in [(Side::Search, self.search), (Side::Replace, self.replace)] {
            for line in section.iter_elements().filter(|line| line.kind == Kind::NearMarker) {
                if let Some(near) = near(section.text_of(line)).filter(|&near| wanted(near, side)) {
                    found.push(suspicious_marker(section, line, near).with_severity(severity));
                }
            }
        }
        found
    }
}

/// The two sections of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Search,
    Replace,
}

/// Whether a line that is nearly a marker may be why the block around it breaks.
fn may_be_meant(near: Near, side: Side) -> bool {
    match near.role {
        _ if near.likeness == Likeness::Word => true,
        Role::Search => false,
        Role::Separator => side == Side::Search,
        Role::Replace => true,
    }
}

/// A block whose first section is not ended by a separator; `rest` is what follows the section.
fn broken_in_search<'s>(
    lines: Lines<'s>,
    parts: Parts<'s>,
    rest: Lines<'s>,
) -> (Lines<'s>, Read<SearchReplace>) {
    match replace_line(rest) {
        Ok((after, closer)) => {
            let message = "the block has no line `=======` before its line `>>>>>>> REPLACE`";
            let fault = Diagnostic::new(Code::MissingSeparator, message)
                .at(closer)
                .with_related("the block starts here", parts.opener);
            let rest = own_markers(after).unwrap_or(after);
            (rest, Parts { closer: Some(closer), ..parts }.broken(lines, rest, fault))
        }
        Err(_) if rest.is_empty() => {
            let message = "the block has neither a line `=======` nor a line `>>>>>>> REPLACE`";
            unterminated(lines, parts, message)
        }
        Err(_) => (rest, parts.broken(lines, rest, second_opener(rest, parts.opener))),
    }
}

/// A block whose second section is not ended by a REPLACE line; `rest` is what follows the section.
fn broken_in_replace<'s>(
    lines: Lines<'s>,
    parts: Parts<'s>,
    rest: Lines<'s>,
) -> (Lines<'s>, Read<SearchReplace>) {
    match separator_line(rest) {
        Ok((after, second)) => {
            let fault = Diagnostic::new(Code::UnexpectedMarker, "the block has a second line `=======`")
                .with_remedy(&cases::SECOND_SEPARATOR)
                .at(second)
                .with_related("the block starts here", parts.opener);
            let fault = Diagnostic { suggestion: escape(rest), ..fault };
            let rest = own_markers(rest).unwrap_or(after);
            (rest, parts.broken(lines, rest, fault))
        }
        Err(_) if rest.is_empty() => unterminated(lines, parts, "the block has no line `>>>>>>> REPLACE`"),
        Err(_) => (rest, parts.broken(lines, rest, second_opener(rest, parts.opener))),
    }
}

/// What makes a marker line, the first of `lines`, one of content.
fn escape(lines: Lines<'_>) -> Option<Suggestion> {
    let line = lines.peek()?;
    let message = "escape the line if it is content".to_owned();
    let replacement = format!("\\{}", lines.text_of(line));
    Some(Suggestion { message, span: lines.span_of(line), replacement })
}

/// The fault of the SEARCH line at which `rest` begins while a block is open.
fn second_opener(rest: Lines<'_>, opener: Span) -> Diagnostic {
    let span = rest.peek().map_or(opener, |line| marker_span(rest, line));
    Diagnostic::new(
        Code::UnexpectedMarker,
        "a new block begins inside one that no line `>>>>>>> REPLACE` has closed",
    )
    .with_remedy(&cases::SECOND_OPENER)
    .at(span)
    .with_related("the block starts here", opener)
}

/// A block that `lines` end within.
fn unterminated<'s>(
    lines: Lines<'s>,
    parts: Parts<'s>,
    message: &'static str,
) -> (Lines<'s>, Read<SearchReplace>) {
    let fault = Diagnostic::new(Code::UnterminatedBlock, message).at(parts.opener);
    let open = if parts.separator.is_some() { parts.replace } else { parts.search };
    let kept = open.position(|line| line.kind == Kind::Fence).unwrap_or(open.input_len());
    let rest = lines.take_from(lines.input_len() - open.input_len() + kept);
    let parts = match parts.separator {
        Some(_) => Parts { replace: open.take(kept), ..parts },
        None => Parts { search: open.take(kept), replace: rest.take(0), ..parts },
    };
    (rest, parts.broken(lines, rest, fault))
}

/// What follows the REPLACE line, when the next markers are separators and then a REPLACE line.
fn own_markers(lines: Lines<'_>) -> Option<Lines<'_>> {
    let (rest, _) = section(lines).ok()?;
    let (rest, _) = separator_line(rest).ok()?;
    let end = rest.position(|line| matches!(line.kind, Kind::Search | Kind::Replace))?;
    replace_line(rest.take_from(end)).ok().map(|(rest, _)| rest)
}

/// The lines of a section of a block that ends at `end`, and the place of each backslash that they lose.
fn section_text(section: Lines<'_>, end: u32, escapes: &mut Vec<Span>) -> Text {
    let is_contiguous = section.indent() == 0
        && section.end() <= end
        && section.position(|line| line.kind == Kind::Escaped).is_none();
    if is_contiguous {
        return Text::contiguous(Span::new(section.start(), section.end()));
    }
    // A block that has no end does not own the last line's ending.
    let whole = Span::new(section.start().min(end), section.end().min(end));
    let lines = section.iter_elements().map(|line| content_line(section, line, escapes)).collect();
    Text::pieces(whole, lines)
}

/// A line of a section without indentation and escape.
///
/// ```ebnf
/// content_line = ( "\" , blanks , marker , blanks | any_text ) , line_ending ;
/// ```
fn content_line(section: Lines<'_>, line: Line, escapes: &mut Vec<Span>) -> Span {
    let span = section.span_of(line);
    let escaped = match section.indent() {
        0 => line.kind == Kind::Escaped,
        _ => marker::escaped_kind(section.text_of(line)) == Kind::Escaped,
    };
    if !escaped {
        return span;
    }
    escapes.push(Span::new(span.start, span.start + 1));
    Span::new(span.start + 1, span.end)
}

#[cfg(test)]
mod tests;
