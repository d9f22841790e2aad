//! Text with its white space made visible.

use std::ops::Range;

use crate::edit::nearest::difference::Difference;

/// So many characters are shown on either side of what differs.
const AROUND: usize = 24;
/// So many characters are shown of what differs.
const MIDDLE: usize = 60;

/// The part of a line around a range of bytes, in backticks. `·` is a space where spaces matter, `→` a tab, `⍽` a
/// no-break space.
pub(super) fn visible(line: &str, middle: Range<usize>, difference: Difference) -> String {
    let before = line.get(..middle.start).unwrap_or("");
    let after = line.get(middle.start..).unwrap_or("");
    let length = middle.len();
    let shown = |text: &str| text.chars().map(|character| symbol(character, difference)).collect::<String>();
    let skipped = before.chars().count().saturating_sub(AROUND);
    let mut text = String::from(if skipped > 0 { "`..." } else { "`" });
    text.extend(before.chars().skip(skipped).map(|character| symbol(character, difference)));
    let (inner, rest) = after.split_at_checked(length).unwrap_or((after, ""));
    let most = if inner.chars().count() > MIDDLE { MIDDLE } else { usize::MAX };
    text.extend(inner.chars().take(most).map(|character| symbol(character, difference)));
    if most < usize::MAX {
        text.push_str("...");
    }
    match rest.char_indices().nth(AROUND).and_then(|(at, _)| rest.get(..at)) {
        Some(cut) => text.push_str(&(shown(cut) + "...")),
        None => text.push_str(&shown(rest)),
    }
    text.push('`');
    text
}

fn symbol(character: char, difference: Difference) -> char {
    match character {
        '\t' => '\u{2192}',
        ' ' if !matches!(difference, Difference::Content | Difference::Case) => '\u{b7}',
        '\u{a0}' | '\u{202f}' => '\u{237d}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_can_be_seen_where_it_matters() {
        assert_eq!(visible("\ta b", 0..1, Difference::Tabs), "`\u{2192}a\u{b7}b`");
        assert_eq!(visible("a\u{a0}b c", 0..1, Difference::Content), "`a\u{237d}b c`");
    }

    #[test]
    fn a_long_line_is_cut_around_what_differs() {
        let line = format!("{}x{}", "a".repeat(100), "b".repeat(100));
        let shown = visible(&line, 100..101, Difference::Content);
        assert_eq!(shown, format!("`...{}x{}...`", "a".repeat(24), "b".repeat(24)));
        let shown = visible(&line, 0..201, Difference::Content);
        assert_eq!(shown, format!("`{}...`", "a".repeat(60)));
    }
}
