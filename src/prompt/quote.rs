//! Text of an input or a file within a text of ours.

use std::fmt::Write;

use crate::escape::{escape, is_hidden};

/// The text as a code span of Markdown, whatever backticks it has.
pub(super) fn code_span(text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`') + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A fence that no line of the text can close.
pub(super) fn fence<'a>(lines: impl IntoIterator<Item = &'a String>) -> String {
    let longest = lines.into_iter().map(|line| longest_run(line, '`')).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

/// A line of code with everything but its tabs made visible.
pub(super) fn code_line(line: &str) -> String {
    if !line.contains(|character| character != '\t' && is_hidden(character)) {
        return line.to_owned();
    }
    line.split('\t').map(escape).collect::<Vec<_>>().join("\t")
}

/// The text with a full stop.
pub(super) fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// `1-3, 5` of numbers in ascending order, with as many ranges as make sense to read.
pub(super) fn ranges(numbers: &[u32]) -> String {
    const SHOWN: usize = 30;
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let mut text = String::new();
    for (index, (first, last)) in ranges.iter().take(SHOWN).enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let _ = match first == last {
            true => write!(text, "{comma}{first}"),
            false => write!(text, "{comma}{first}-{last}"),
        };
    }
    if ranges.len() > SHOWN {
        text.push_str(", ...");
    }
    text
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|character| character != wanted).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_span_holds_any_text() {
        assert_eq!(code_span("a"), "`a`");
        assert_eq!(code_span("a`b"), "``a`b``");
        assert_eq!(code_span("`a``"), "``` `a`` ```");
        assert_eq!(code_span("`a"), "`` `a ``");
        assert_eq!(code_span("a`"), "`` a` ``");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fence(&["a".to_owned()]), "```");
        assert_eq!(fence(&["a ```` b".to_owned(), "```".to_owned()]), "`````");
    }

    #[test]
    fn code_keeps_its_tabs() {
        assert_eq!(code_line("\ta\u{200b}\tb\r"), "\ta\\u{200b}\tb\\r");
        assert_eq!(code_line("\u{200b}b"), "\\u{200b}b");
    }

    #[test]
    fn numbers_are_joined_to_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1-3, 5, 7-8");
        assert_eq!(ranges(&[]), "");
        let odd: Vec<u32> = (0..100).map(|number| number * 2 + 1).collect();
        assert!(ranges(&odd).ends_with("57, 59, ..."));
        assert!(ranges(&odd[..30]).ends_with("57, 59"));
    }
}
