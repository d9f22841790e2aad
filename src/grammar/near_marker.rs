//! Lines that are nearly markers of a SEARCH/REPLACE block.
//!
//! They are never read as markers: they are content or text like any other line, for the underline of a heading and
//! the conflict of a merge look like that, too. They are named where one may have been meant, so that an edit is not
//! lost in silence. See grammar-notes/search-replace.md.

use nom::Input;

use super::lines::{Kind, Line, Lines};
use super::marker;
use crate::diagnostic::{Code, Diagnostic, Severity, Suggestion};
use crate::explain::cases;
use crate::rel_path::unicode::is_ignorable;
use crate::source::{Span, offset};

/// The length of the run of `<`, `=` or `>` in a marker.
const RUN: usize = 7;
/// The lengths of a run of `=` alone that may be meant as a separator.
const SEPARATOR_RUNS: std::ops::RangeInclusive<usize> = 3..=10;
/// The shortest run before SEARCH or REPLACE that may be meant as a marker.
const SHORTEST_RUN: usize = 3;
/// The same where the word is not all in upper case.
const SHORTEST_RUN_ANY_CASE: usize = 5;

/// Which of the three markers a line is meant to be, by its character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// `<`: it opens a block.
    Search,
    /// `=`: it parts the two sections.
    Separator,
    /// `>`: it ends a block.
    Replace,
}

impl Role {
    /// The marker as it must be written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Search => marker::SEARCH,
            Self::Separator => marker::SEPARATOR,
            Self::Replace => marker::REPLACE,
        }
    }
}

/// How surely a line that is nearly a marker is meant as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// It has the word SEARCH or REPLACE.
    Word,
    /// It has a run alone, or another word: a heading's underline and a conflict of git look like that, too.
    Run,
}

/// A line that is nearly a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Near {
    /// Which marker it resembles.
    pub(crate) role: Role,
    /// How surely it is meant as one.
    pub(crate) likeness: Likeness,
}

/// What the line resembles, if it is nearly a marker, also behind the `>` of a block quote.
///
/// The exact markers resemble themselves; [`marker::kind`] looks for them first.
pub(crate) fn near(line: &str) -> Option<Near> {
    let line = unquoted(line.trim_matches(is_blank));
    let first = line.chars().next().filter(|first| matches!(first, '<' | '=' | '>'))?;
    let after = line.trim_start_matches(first);
    let run = line.len() - after.len();
    let text = after.trim_start_matches(is_blank);
    match first {
        '<' => near_run(run, text).map(|likeness| Near { role: Role::Search, likeness }),
        '>' => near_run(run, text).map(|likeness| Near { role: Role::Replace, likeness }),
        _ if run == RUN || (text.is_empty() && SEPARATOR_RUNS.contains(&run)) => {
            Some(Near { role: Role::Separator, likeness: Likeness::Run })
        }
        _ => None,
    }
}

/// What is wrong with a line that is nearly a marker.
pub(crate) fn suspicious_marker(lines: Lines<'_>, line: Line, near: Near) -> Diagnostic {
    let message = match near.role {
        Role::Search => "the line is nearly a SEARCH marker, which is exactly `<<<<<<< SEARCH`",
        Role::Separator => "the line is nearly a separator, which is exactly `=======`",
        Role::Replace => "the line is nearly a REPLACE marker, which is exactly `>>>>>>> REPLACE`",
    };
    let span = visible_span(lines, line);
    let diagnostic = Diagnostic::new(Code::SuspiciousMarker, message).at(span);
    if near.likeness == Likeness::Word { with_marker(diagnostic, near.role) } else { diagnostic }
}

/// The same with the marker as a suggestion.
pub(crate) fn with_marker(diagnostic: Diagnostic, role: Role) -> Diagnostic {
    let suggestion = diagnostic.span.map(|span| Suggestion {
        message: "write the marker exactly".to_owned(),
        span,
        replacement: role.text().to_owned(),
    });
    Diagnostic { suggestion, ..diagnostic }
}

/// The place of a line's text without the white space at its ends.
fn visible_span(lines: Lines<'_>, line: Line) -> Span {
    let (span, text) = (lines.span_of(line), lines.text_of(line));
    let start = span.start + offset(text.len() - text.trim_start_matches(is_blank).len());
    Span::new(start, start + offset(text.trim_matches(is_blank).len()))
}

/// What is wrong with lines where a block could be and that belong to none: those that are nearly markers, and
/// REPLACE markers, which end nothing here.
///
/// A line that is nearly a marker is a warning. Where such an opener, a separator and an end follow one another, the
/// latter two exact or nearly so, or such an opener with its word and a separator, they are a block that cannot be
/// read: then they are errors. A run of `=` counts only within such a block.
pub(crate) fn stray_markers(lines: Lines<'_>) -> Vec<Diagnostic> {
    let mut walk = Walk { lines, found: Vec::new(), open: None };
    for line in lines.iter_elements() {
        match line.kind {
            Kind::NearMarker => walk.near_marker(line),
            Kind::Search => walk.end(Seen::Nothing),
            Kind::Separator => walk.separator(Seen::Exact),
            Kind::Replace => {
                walk.end(Seen::Exact);
                let message = "no line `<<<<<<< SEARCH` has opened the block that ends here";
                let span = visible_span(lines, line);
                // Where the first marker is the wrong one, that is all that has to be mended.
                let is_opened = walk.found.last().is_some_and(Diagnostic::is_error);
                let mend = &Code::SuspiciousMarker.explanation().remedy;
                let remedy = if is_opened { mend } else { &cases::LONE_END };
                let fault = Diagnostic::new(Code::UnexpectedMarker, message).with_remedy(remedy);
                walk.found.push(fault.at(span));
            }
            _ => {}
        }
    }
    walk.end(Seen::Nothing);
    let mut found = walk.found;
    if let Some(cut) = cut_marker(lines) {
        found.retain(|fault| fault.span != cut.span);
        found.push(cut);
    }
    found
}

/// The fault of a text whose last line has no ending and is the beginning of a SEARCH marker, which was cut off.
pub(crate) fn cut_marker(lines: Lines<'_>) -> Option<Diagnostic> {
    let last = lines.tokens().last().copied()?;
    let is_open = last.end as usize == lines.source_text().len();
    let text = lines.text_of(last).trim_matches(is_blank);
    if !is_open || text.is_empty() || text == marker::SEARCH || !marker::SEARCH.starts_with(text) {
        return None;
    }
    let message = "the text ends with the beginning of a line `<<<<<<< SEARCH`: what follows it is missing";
    let fault = Diagnostic::new(Code::SuspiciousMarker, message).with_severity(Severity::Error);
    Some(fault.with_remedy(&cases::CUT_MARKER).at(visible_span(lines, last)))
}

/// The walk of [`stray_markers`].
struct Walk<'s> {
    lines: Lines<'s>,
    found: Vec<Diagnostic>,
    /// What seems to be a block: the line that is nearly its SEARCH marker, and its separator.
    open: Option<(Line, Near, Seen)>,
}

/// What stands where a marker is due.
#[derive(Clone, Copy)]
enum Seen {
    Nothing,
    Exact,
    Nearly(Line, Near),
}

impl Walk<'_> {
    fn near_marker(&mut self, line: Line) {
        let Some(near) = near(self.lines.text_of(line)) else { return };
        match near.role {
            Role::Search => {
                self.end(Seen::Nothing);
                self.open = Some((line, near, Seen::Nothing));
            }
            Role::Separator => self.separator(Seen::Nearly(line, near)),
            Role::Replace => self.end(Seen::Nearly(line, near)),
        }
    }

    /// The first one parts the sections; what comes later is content.
    fn separator(&mut self, seen: Seen) {
        if let Some((_, _, separator @ Seen::Nothing)) = &mut self.open {
            *separator = seen;
        }
    }

    fn end(&mut self, end: Seen) {
        let Some((line, near, separator)) = self.open.take() else {
            self.push(end, Severity::Warning);
            return;
        };
        let has_end = !matches!(end, Seen::Nothing) || near.likeness == Likeness::Word;
        let is_block = has_end && !matches!(separator, Seen::Nothing);
        let severity = if is_block { Severity::Error } else { Severity::Warning };
        self.push(Seen::Nearly(line, near), severity);
        if is_block {
            self.push(separator, severity);
        }
        self.push(end, severity);
    }

    fn push(&mut self, seen: Seen, severity: Severity) {
        if let Seen::Nearly(line, near) = seen {
            let found = suspicious_marker(self.lines, line, near).with_severity(severity);
            // Of what seems to be a block, each marker is meant.
            let is_meant = severity == Severity::Error;
            self.found.push(if is_meant { with_marker(found, near.role) } else { found });
        }
    }
}

/// The line's part that may be a marker: without white space and the `>` of block quotes around it.
fn unquoted(line: &str) -> &str {
    let mut line = line.trim_matches(is_blank);
    loop {
        let after = line.trim_start_matches('>');
        let quotes = line.len() - after.len();
        let rest = after.trim_start_matches(is_blank);
        if quotes == 0 || quotes >= RUN || !rest.starts_with(['<', '=', '>']) {
            return line;
        }
        line = rest;
    }
}

/// How surely a run of `<` or `>` and the text after it are meant as a marker.
///
/// A short run counts only with the word as it must be written, so that neither a here-document (`<<EOF`) nor the
/// prompt of a shell (`>>> replace(x)`) is taken for one.
fn near_run(run: usize, text: &str) -> Option<Likeness> {
    if run < SHORTEST_RUN {
        return None;
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let word = text.get(..end).unwrap_or("");
    let is_exact = ["SEARCH", "REPLACE"].contains(&word) || (run == RUN && is_joined(word));
    let is_word = ["SEARCH", "REPLACE"].iter().any(|known| word.eq_ignore_ascii_case(known));
    if (is_exact && run >= SHORTEST_RUN) || (is_word && run >= SHORTEST_RUN_ANY_CASE) {
        Some(Likeness::Word)
    } else {
        (run == RUN).then_some(Likeness::Run)
    }
}

/// Whether the line below has joined the word of a marker: `<<<<<<< SEARCHx = 1`.
fn is_joined(word: &str) -> bool {
    ["SEARCH", "REPLACE"].iter().any(|known| word.starts_with(known))
}

/// White space of every kind, and the characters that nobody sees.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || (!c.is_ascii() && is_ignorable(c))
}

#[cfg(test)]
mod tests {
    use super::super::lines::lex;
    use super::*;

    #[test]
    fn what_is_nearly_a_marker() {
        let table = [
            ("<<<<<< SEARCH", Role::Search, Likeness::Word),
            ("<<<<<<<< SEARCH", Role::Search, Likeness::Word),
            ("<<< SEARCH", Role::Search, Likeness::Word),
            ("<<<<<<< search", Role::Search, Likeness::Word),
            ("<<<<<<<SEARCH", Role::Search, Likeness::Word),
            ("<<<<<<<\u{a0}SEARCH", Role::Search, Likeness::Word),
            ("\u{feff}<<<<<<< SEARCH", Role::Search, Likeness::Word),
            ("<<<<<<< SEARCH>", Role::Search, Likeness::Word),
            ("<<<<<<< SEARCH src/a.rs", Role::Search, Likeness::Word),
            ("<<<<<<< REPLACE", Role::Search, Likeness::Word),
            ("<<<<<<< SEARCHonly = 1", Role::Search, Likeness::Word),
            ("\u{2066}>>>>>>> REPLACE", Role::Replace, Likeness::Word),
            ("<<<<<<< HEAD", Role::Search, Likeness::Run),
            ("<<<<<<< ORIGINAL", Role::Search, Likeness::Run),
            ("<<<<<<<", Role::Search, Likeness::Run),
            ("===", Role::Separator, Likeness::Run),
            ("==========", Role::Separator, Likeness::Run),
            ("======= REPLACE", Role::Separator, Likeness::Run),
            (">>>>>>> replace", Role::Replace, Likeness::Word),
            (">>>>>>> SEARCH", Role::Replace, Likeness::Word),
            (">>>>>>> REPLACE done", Role::Replace, Likeness::Word),
            (">>>>>>> topic", Role::Replace, Likeness::Run),
            (">>>>>>>", Role::Replace, Likeness::Run),
            ("> <<<<<<< SEARCH", Role::Search, Likeness::Word),
            ("> > =======", Role::Separator, Likeness::Run),
            (">> >>>>>>> REPLACE", Role::Replace, Likeness::Word),
        ];
        for (line, role, likeness) in table {
            assert_eq!(near(line), Some(Near { role, likeness }), "{line:?}");
            assert_eq!(marker::kind(line), Kind::NearMarker, "{line:?}");
        }
    }

    #[test]
    fn what_only_looks_a_little_like_a_marker() {
        for line in [
            "",
            "<div>",
            "<<EOF",
            "<<<EOF",
            "<<<<<< HEAD",
            "<<< search",
            "=",
            "==",
            "===========",
            "=== title",
            "====== title ======",
            "=> x",
            ">= 7",
            "> quoted",
            ">>> x = 1",
            ">>> replace(x)",
            ">>>> quoted deeply",
            ">>>>>> REPLACEMENT",
            "\u{a0}x",
            "é",
            "é=======",
            "<<<<< SEARCH_PATH",
        ] {
            assert_eq!(near(line), None, "{line:?}");
            assert_eq!(marker::kind(line), Kind::Text, "{line:?}");
        }
    }

    /// The findings as `line: severity code`.
    fn stray(text: &str) -> Vec<String> {
        let index = crate::source::LineIndex::new(text);
        let tokens = lex(text);
        let found = stray_markers(Lines::new(text, &tokens));
        let line = |found: &Diagnostic| index.line(found.span.unwrap().start);
        found.iter().map(|found| format!("{}: {} {}", line(found), found.severity, found.code)).collect()
    }

    #[test]
    fn a_line_that_is_nearly_a_marker_is_a_warning() {
        assert_eq!(stray("x\n<<<<<<< HEAD\n"), ["2: warning suspicious-marker"]);
        assert_eq!(stray("<<<<<<< search\n>>>>>>> topic\n").len(), 2);
        assert_eq!(stray("Title\n======\n"), [""; 0]);
        assert_eq!(stray(">>>>>>> REPLACE\n"), ["1: error unexpected-marker"]);
        let cut = ["1: warning suspicious-marker", "2: error suspicious-marker"];
        assert_eq!(stray("<<<<<<< HEAD\n<<<<<<< SEA"), cut);
        assert_eq!(stray("<<<<<<< search\n<<<<<<< SEARCH\n=======\n"), ["1: warning suspicious-marker"]);
    }

    #[test]
    fn a_block_of_lines_that_are_nearly_markers_is_an_error() {
        let all = ["1: error suspicious-marker", "3: error suspicious-marker", "5: error suspicious-marker"];
        assert_eq!(stray("<<<<< SEARCH\na\n=====\nb\n>>>>> REPLACE\n"), all);
        assert_eq!(stray("> <<<<<<< SEARCH\n> a\n> =======\n> b\n> >>>>>>> REPLACE\n"), all);
        let ends = ["1: error suspicious-marker", "5: error suspicious-marker"];
        assert_eq!(stray("<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED\n"), ends);
        let found = ["1: error suspicious-marker", "5: error unexpected-marker"];
        assert_eq!(stray("<<<<<<< search\na\n=======\nb\n>>>>>>> REPLACE\n"), found);
        assert_eq!(stray("<<<<<<< search\na\n=======\nb\n"), ["1: error suspicious-marker"]);
        assert_eq!(stray("<<<<<<< HEAD\na\n=======\nb\n"), ["1: warning suspicious-marker"]);
    }

    #[test]
    fn the_suggestion_is_the_marker_itself() {
        let text = " <<<<<< search \n";
        let tokens = lex(text);
        let found = stray_markers(Lines::new(text, &tokens));
        let suggestion = found[0].suggestion.as_ref().unwrap();
        assert_eq!((suggestion.span, suggestion.replacement.as_str()), (Span::new(1, 14), marker::SEARCH));
    }
}
