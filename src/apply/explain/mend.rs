//! [`Mend`]: the replacement of a part of the input that makes its text the file's.
//!
//! It is given only where the place is the only similar one, each line has its counterpart there, and the text that is
//! then looked for is in the file exactly once. What REPLACE keeps of SEARCH follows: otherwise a line that the block
//! leaves alone would be changed back to what the model thought it was.

use std::collections::BTreeMap;

use memchr::memmem;

use super::Case;
use super::compare::Comparison;
use super::search::{Gap, without_numbers as strip_numbers};
use crate::apply::change::{Origin, Texts};
use crate::ast::LineEnding;
use crate::diagnostic::Suggestion;
use crate::edit::nearest::Pair;
use crate::edit::nearest::difference::{Difference, plain, split_indentation};
use crate::grammar::marker;
use crate::print::must_be_escaped;
use crate::source::Span;

/// Less alike, in thousandths, nothing is suggested.
const LEAST: u32 = 800;
/// So many pairs of lines of SEARCH and REPLACE are compared to find those that stay.
const MOST_PAIRS: usize = 250_000;

/// Mends an edit by the lines of the file that it is compared with.
pub(super) struct Mend<'a> {
    pub(super) case: &'a Case<'a>,
    pub(super) comparison: &'a Comparison<'a>,
}

impl Mend<'_> {
    /// The suggestion for an edit.
    pub(super) fn search(&self, search: &str, replace: Option<&str>) -> Option<Suggestion> {
        let nearest = self.comparison.nearest;
        if nearest.similarity < LEAST
            || nearest.rival.is_some()
            || !nearest.pairs.iter().all(|pair| self.fits(pair))
        {
            return None;
        }
        let found = std::str::from_utf8(self.comparison.text.get(self.comparison.range())?).ok()?;
        match self.case.origin.texts {
            Texts::Quoted { old, .. } => self.quoted(search, found, old),
            Texts::Sections { .. } => {
                let (replace, check) = self.follow(search, replace)?;
                let message = match check {
                    Check::None => "look for the lines as the file has them",
                    Check::Needed => {
                        "look for the lines as the file has them, and see that REPLACE fits them"
                    }
                };
                sections(self.case, self.comparison.text, found, replace, message)
            }
            Texts::None => None,
        }
    }

    /// Whether the two lines are one line with a slip; or one is missing, and blank.
    fn fits(&self, pair: &Pair) -> bool {
        let is_blank = |line: &[u8]| line.iter().all(|byte| matches!(byte, b' ' | b'\t'));
        match (pair.wanted, pair.found) {
            (Some(_), Some(_)) => pair.similarity > 0,
            (Some(wanted), None) => self.comparison.wanted.get(wanted).is_some_and(|line| is_blank(line)),
            (None, Some(found)) => is_blank(self.comparison.line(found)),
            (None, None) => true,
        }
    }

    fn quoted(&self, search: &str, found: &str, old: Span) -> Option<Suggestion> {
        let found = if search.starts_with([' ', '\t']) { found } else { found.trim_matches([' ', '\t']) };
        let is_plain = |c: char| !c.is_control() && !"`\"'\u{2018}\u{2019}\u{201c}\u{201d}".contains(c);
        if !found.chars().all(is_plain) || !is_once(self.comparison.text, found) {
            return None;
        }
        let message = "look for the text as the file has it".to_owned();
        Some(Suggestion { message, span: old, replacement: found.to_owned() })
    }

    /// What becomes of REPLACE when SEARCH becomes the lines of the file; `None` for a REPLACE that stays as it is.
    fn follow(&self, search: &str, replace: Option<&str>) -> Option<(Option<Vec<String>>, Check)> {
        let Some(replace) = replace else { return Some((None, Check::None)) };
        let (wanted, lines): (Vec<&str>, Vec<&str>) =
            (search.split('\n').collect(), replace.split('\n').collect());
        let kept = kept_lines(&wanted, &lines)?;
        let indents = Indents::new(self.comparison);
        let mut changed = Vec::new();
        // For each line of REPLACE what it becomes, and the blank lines that follow it.
        let mut new: Vec<(Option<String>, Vec<String>)> =
            lines.iter().map(|line| (Some(indents.apply(line)), Vec::new())).collect();
        let mut last: Option<usize> = None;
        for (pair, difference) in self.comparison.pairs() {
            let found =
                pair.found.map(|line| std::str::from_utf8(self.comparison.line(line))).transpose().ok()?;
            let Some(number) = pair.wanted else {
                let (Some(slot), Some(found)) = (last.and_then(|last| new.get_mut(last)), found) else {
                    continue;
                };
                slot.1.push(found.to_owned());
                continue;
            };
            last = kept.get(number).copied().flatten();
            match last.and_then(|last| new.get_mut(last)) {
                Some(slot) => slot.0 = found.map(str::to_owned),
                None => changed.extend(difference),
            }
        }
        let new: Vec<String> =
            new.into_iter().flat_map(|(line, blank)| line.into_iter().chain(blank)).collect();
        // What is typographic in SEARCH by mistake may be so in REPLACE, too.
        let is_typographic =
            changed.contains(&Difference::Typography) && plain(replace.as_bytes()) != replace.as_bytes();
        let differs = changed.iter().any(|kind| matches!(kind, Difference::Content | Difference::Case));
        let check = if is_typographic || differs { Check::Needed } else { Check::None };
        let is_same = new.iter().map(String::as_str).eq(lines.iter().copied());
        Some((if is_same { None } else { Some(new) }, check))
    }
}

/// Whether a person should look at what a suggestion makes of REPLACE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    None,
    Needed,
}

/// The suggestion for a SEARCH that has line numbers before its lines; `there` is its text without them.
pub(super) fn without_numbers(
    case: &Case<'_>,
    text: &[u8],
    there: &str,
    replace: Option<&str>,
) -> Option<Suggestion> {
    // The gap is the same in both sections.
    let numbers = replace.and_then(|replace| {
        let variants = [Gap::Removed, Gap::Kept].map(|gap| strip_numbers(replace, gap));
        variants.into_iter().flatten().next()
    });
    let replace = numbers.map(|replace| replace.split('\n').map(str::to_owned).collect());
    sections(case, text, there, replace, "take the line numbers away")
}

/// The replacement of the SEARCH section, or of both where REPLACE changes, too.
fn sections(
    case: &Case<'_>,
    text: &[u8],
    search: &str,
    replace: Option<Vec<String>>,
    message: &str,
) -> Option<Suggestion> {
    let Texts::Sections { search: search_span, replace: replace_span } = case.origin.texts else {
        return None;
    };
    if !is_once(text, search) {
        return None;
    }
    let mut replacement = String::new();
    for line in search.split('\n') {
        push_line(&mut replacement, line, case.origin)?;
    }
    let Some(replace) = replace else {
        return Some(Suggestion { message: message.to_owned(), span: search_span, replacement });
    };
    push_raw(&mut replacement, marker::SEPARATOR, case.origin);
    for line in &replace {
        push_line(&mut replacement, line, case.origin)?;
    }
    Some(Suggestion {
        message: message.to_owned(),
        span: Span::new(search_span.start, replace_span.end),
        replacement,
    })
}

/// Writes a line of a section; `None` for one that no block can hold.
fn push_line(text: &mut String, line: &str, origin: Origin) -> Option<()> {
    if line.contains('\r') {
        return None;
    }
    if must_be_escaped(line).ok()? {
        push_raw(text, &format!("\\{line}"), origin);
    } else {
        push_raw(text, line, origin);
    }
    Some(())
}

fn push_raw(text: &mut String, line: &str, origin: Origin) {
    if !line.is_empty() {
        text.extend(std::iter::repeat_n(' ', origin.indent as usize));
    }
    text.push_str(line);
    text.push_str(if origin.ending == LineEnding::CrLf { "\r\n" } else { "\n" });
}

/// Whether a text stands in another exactly once; overlapping occurrences count.
pub(super) fn is_once(text: &[u8], wanted: &str) -> bool {
    let finder = memmem::Finder::new(wanted);
    let Some(first) = finder.find(text) else { return false };
    text.get(first + 1..).is_none_or(|rest| finder.find(rest).is_none())
}

/// For each line of SEARCH the line of REPLACE that it stays as; `None` where there are too many lines to tell.
fn kept_lines(search: &[&str], replace: &[&str]) -> Option<Vec<Option<usize>>> {
    let width = replace.len() + 1;
    if search.len() * width > MOST_PAIRS {
        return None;
    }
    // The longest common subsequence of the rest of both, from each pair of lines on.
    let mut table = vec![0_u32; (search.len() + 1) * width];
    let at = |table: &[u32], row: usize, column: usize| table.get(row * width + column).copied().unwrap_or(0);
    for (row, line) in search.iter().enumerate().rev() {
        for (column, other) in replace.iter().enumerate().rev() {
            let best = if line == other {
                at(&table, row + 1, column + 1) + 1
            } else {
                at(&table, row + 1, column).max(at(&table, row, column + 1))
            };
            if let Some(entry) = table.get_mut(row * width + column) {
                *entry = best;
            }
        }
    }
    let mut kept = Vec::with_capacity(search.len());
    let mut column = 0;
    for (row, line) in search.iter().enumerate() {
        // Lines of REPLACE that are passed over are new.
        while replace.get(column).is_some_and(|other| other != line)
            && at(&table, row, column + 1) > at(&table, row + 1, column)
        {
            column += 1;
        }
        let stays = replace.get(column) == Some(line);
        kept.push(stays.then_some(column));
        column += usize::from(stays);
    }
    Some(kept)
}

/// What indentation the lines of the file have where those of SEARCH have another.
struct Indents<'a> {
    /// What the file has more before all lines.
    more: Option<&'a str>,
    by_indent: BTreeMap<&'a str, &'a str>,
}

impl<'a> Indents<'a> {
    fn new(comparison: &Comparison<'a>) -> Self {
        let mut by_indent = BTreeMap::new();
        for (wanted, found) in comparison.nearest.pairs.iter().filter_map(|pair| pair.wanted.zip(pair.found))
        {
            let wanted = comparison.wanted.get(wanted).copied().unwrap_or_default();
            if let (Some(wanted), Some(found)) = (indentation(wanted), indentation(comparison.line(found))) {
                by_indent.entry(wanted).or_insert(found);
            }
        }
        let mut more = by_indent.iter().map(|(wanted, found)| found.strip_suffix(wanted));
        let first = more.next().flatten();
        let more = first.filter(|&first| more.all(|more| more == Some(first)));
        Self { more, by_indent }
    }

    /// A line of REPLACE, indented as the file is.
    fn apply(&self, line: &str) -> String {
        let Some(indent) = indentation(line.as_bytes()) else { return line.to_owned() };
        if let Some(more) = self.more {
            return format!("{more}{line}");
        }
        let known = self
            .by_indent
            .iter()
            .rev()
            .find_map(|(wanted, found)| Some((indent.strip_prefix(wanted)?, found)));
        match known {
            Some((rest, found)) => {
                format!("{found}{rest}{}", line.get(indent.len()..).unwrap_or(""))
            }
            None => line.to_owned(),
        }
    }
}

/// The spaces and tabs before a line's text; `None` for a blank line.
fn indentation(line: &[u8]) -> Option<&str> {
    let (indent, text) = split_indentation(line);
    if text.is_empty() { None } else { std::str::from_utf8(indent).ok() }
}
