//! Files as lines, and what an edit makes of them, by rules of their own and not by the library's.

use std::collections::{BTreeMap, BTreeSet};

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    Lf,
    CrLf,
    /// The last line of a file without a final newline.
    No,
    /// Either ending: a new line in a file of both.
    Any,
    /// Any ending or none.
    Free,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) has_bom: bool,
    pub(crate) lines: Vec<(String, End)>,
}

pub(crate) type Tree = BTreeMap<String, Text>;

impl Text {
    pub(crate) fn new(lines: &[String], end: End) -> Self {
        Self { has_bom: false, lines: lines.iter().map(|line| (line.clone(), end)).collect() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut text = String::from(if self.has_bom { "\u{feff}" } else { "" });
        for (line, end) in &self.lines {
            text.push_str(line);
            text.push_str(match end {
                End::CrLf => "\r\n",
                End::No => "",
                End::Lf | End::Any | End::Free => "\n",
            });
        }
        text.into_bytes()
    }

    /// Whether a file holds this text.
    pub(crate) fn fits(&self, bytes: &[u8]) -> bool {
        let Ok(mut text) = str::from_utf8(bytes) else { return false };
        if self.has_bom {
            let Some(rest) = text.strip_prefix('\u{feff}') else { return false };
            text = rest;
        }
        let found: Vec<_> = text.split_inclusive('\n').collect();
        found.len() == self.lines.len()
            && found.iter().zip(&self.lines).all(|(found, (line, end))| {
                let Some(rest) = found.strip_prefix(line.as_str()) else { return false };
                match end {
                    End::Lf => rest == "\n",
                    End::CrLf => rest == "\r\n",
                    End::No => rest.is_empty(),
                    End::Any => rest == "\n" || rest == "\r\n",
                    End::Free => rest.is_empty() || rest == "\n" || rest == "\r\n",
                }
            })
    }

    fn ends_with_newline(&self) -> bool {
        self.lines.last().is_none_or(|(_, end)| *end != End::No)
    }

    /// The ending of a line that is put in.
    fn usual_end(&self) -> End {
        let ends: BTreeSet<_> =
            self.lines.iter().map(|(_, end)| *end).filter(|end| *end != End::No).collect();
        match ends.into_iter().collect::<Vec<_>>().as_slice() {
            // What the file had before the edits is not known here.
            [] => End::Any,
            [end] => *end,
            _ => End::Any,
        }
    }

    /// The text with other lines in place of some of these.
    fn with(&self, at: usize, count: usize, new: Vec<(String, Option<End>)>) -> Self {
        let usual = self.usual_end();
        let new = new.into_iter().map(|(line, end)| (line, end.unwrap_or(usual)));
        let mut made = self.clone();
        made.lines.splice(at..at + count, new);
        if !self.ends_with_newline() && made.lines.last().is_some_and(|(line, _)| line.is_empty()) {
            // A blank line at the end of a file that does not end with a newline is that newline.
            made.lines.pop();
            return made.ended(usual);
        }
        let last = made.lines.len().saturating_sub(1);
        for (index, (_, end)) in made.lines.iter_mut().enumerate() {
            if index < last && *end == End::No {
                *end = usual;
            } else if index == last && *end != End::Free {
                *end = match (self.ends_with_newline(), *end) {
                    (false, _) => End::No,
                    (true, End::No) => usual,
                    (true, end) => end,
                };
            }
        }
        made
    }

    /// The text with an ending behind every line.
    fn ended(mut self, usual: End) -> Self {
        self.lines.iter_mut().filter(|(_, end)| *end == End::No).for_each(|(_, end)| *end = usual);
        self
    }

    fn with_lines(&self, at: usize, count: usize, new: &[String]) -> Self {
        self.with(at, count, new.iter().map(|line| (line.clone(), None)).collect())
    }

    fn joined(&self) -> String {
        let lines: Vec<_> = self.lines.iter().map(|(line, _)| line.as_str()).collect();
        let mut text = lines.join("\n");
        if self.ends_with_newline() && !lines.is_empty() {
            text.push('\n');
        }
        text
    }

    /// Where these lines stand, white space at their ends ignored or not.
    fn places(&self, old: &[String], is_tolerant: bool) -> Vec<usize> {
        let cut = |line: &str| if is_tolerant { trimmed(line).to_owned() } else { line.to_owned() };
        let old: Vec<_> = old.iter().map(|line| cut(line)).collect();
        let lines: Vec<_> = self.lines.iter().map(|(line, _)| cut(line)).collect();
        if old.is_empty() {
            return (0..=lines.len()).collect();
        }
        lines.windows(old.len()).enumerate().filter(|(_, lines)| *lines == old).map(|(at, _)| at).collect()
    }

    /// The text with the one place of `old` replaced; `None` where it does not stand there just once.
    pub(crate) fn replaced(&self, old: &[String], new: &[String], is_tolerant: bool) -> Option<Self> {
        if old.iter().all(|line| trimmed(line).is_empty()) {
            return match self.places(old, is_tolerant).as_slice() {
                [at] => Some(self.with_lines(*at, old.len(), new)),
                _ => None,
            };
        }
        let (text, wanted) = (self.joined(), old.join("\n"));
        let places: Vec<_> =
            text.char_indices().map(|(at, _)| at).filter(|at| text[*at..].starts_with(&wanted)).collect();
        match places.as_slice() {
            [] if is_tolerant => match self.places(old, true).as_slice() {
                [at] => Some(self.with_lines(*at, old.len(), new)),
                _ => None,
            },
            [at] => Some(self.replaced_at(&text, *at, *at + wanted.len(), new)),
            _ => None,
        }
    }

    fn replaced_at(&self, text: &str, start: usize, end: usize, new: &[String]) -> Self {
        let (before, after) = (&text[..start], &text[end..]);
        let first = before.matches('\n').count();
        let count = text[start..end].matches('\n').count() + 1;
        let head = before.rsplit_once('\n').map_or(before, |(_, head)| head);
        let tail = after.split_once('\n').map_or(after, |(tail, _)| tail);
        if head.is_empty() && tail.is_empty() {
            return self.with_lines(first, count.min(self.lines.len() - first), new);
        }
        let line = format!("{head}{}{tail}", new.join("\n"));
        let new: Vec<_> = line.split('\n').map(str::to_owned).collect();
        self.with_lines(first, count.min(self.lines.len() - first), &new)
    }

    /// Everything that hunks may make of it; nothing where one has no place.
    pub(crate) fn patched(&self, hunks: &[Vec<String>], frees_end: bool) -> Vec<Self> {
        let mut made: Vec<(Self, usize)> = vec![(self.clone(), usize::MAX)];
        // From the last to the first, so that the places stay.
        for hunk in hunks.iter().rev() {
            let old: Vec<_> =
                hunk.iter().filter(|line| !line.starts_with(['+', '\\'])).map(|line| body(line)).collect();
            let mut places = self.places(&old, false);
            if places.is_empty() {
                places = self.places(&old, true);
            }
            let mut next = Vec::new();
            for (text, below) in made {
                let fitting = places.iter().filter(|at| *at + old.len() <= below);
                next.extend(fitting.map(|at| (text.with_hunk(self, *at, old.len(), hunk), *at)));
            }
            made = next;
            made.truncate(64);
        }
        made.into_iter()
            .map(|(mut text, _)| {
                if let Some((_, end)) = text.lines.last_mut()
                    && frees_end
                {
                    *end = End::Free;
                }
                text
            })
            .collect()
    }

    fn with_hunk(&self, original: &Self, at: usize, count: usize, hunk: &[String]) -> Self {
        let mut old = original.lines[at..at + count].iter();
        let mut new = Vec::new();
        for line in hunk {
            match line.as_bytes().first() {
                Some(b'+') => new.push((body(line), None)),
                Some(b'-') => drop(old.next()),
                Some(b'\\') => {}
                _ => new.extend(old.next().map(|(line, end)| (line.clone(), Some(*end)))),
            }
        }
        // The old end has no newline, and nothing says so of the new one.
        let gains_newline = hunk.iter().any(|line| line.starts_with('\\'))
            && hunk.last().is_some_and(|line| line.starts_with('+'));
        match gains_newline {
            true => self.clone().ended(self.usual_end()).with(at, count, new),
            false => self.with(at, count, new),
        }
    }
}

pub(crate) fn trimmed(line: &str) -> &str {
    line.trim_end_matches([' ', '\t'])
}

fn body(line: &str) -> String {
    line.get(1..).unwrap_or_default().to_owned()
}
