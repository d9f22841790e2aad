//! Untrusted text made safe to print: nothing of it can move the cursor, turn the writing direction or hide.

use std::borrow::Cow;

use crate::rel_path::unicode::{is_allowed_ignorable, is_ignorable};

/// The text with control, bidi and other invisible characters written as `\t`, `\r`, `\n` or `\u{...}`.
///
/// ```
/// assert_eq!(code_parser::escape::escape("a\u{202e}b\n"), "a\\u{202e}b\\n");
/// ```
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        push_escaped(&mut escaped, character);
    }
    Cow::Owned(escaped)
}

/// The text's first line, escaped, cut to `limit` characters; what is cut is marked by three dots within the limit.
#[must_use]
pub fn first_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut cut = None;
    for character in text.chars().take_while(|&character| character != '\n') {
        let before = line.len();
        push_escaped(&mut line, character);
        let width = line.get(before..).map_or(0, |added| added.chars().count());
        if length + 3 <= limit {
            cut = Some(before);
        }
        length += width;
        if length > limit {
            line.truncate(cut.unwrap_or(0));
            line.push_str("...");
            break;
        }
    }
    line
}

fn push_escaped(text: &mut String, character: char) {
    match character {
        '\t' | '\r' | '\n' => text.extend(character.escape_default()),
        _ if is_hidden(character) => text.extend(character.escape_unicode()),
        _ => text.push(character),
    }
}

/// Whether a character acts on its surroundings without being seen. The joiners of scripts and emoji and the variation
/// selectors do not count.
#[must_use]
pub fn is_hidden(character: char) -> bool {
    character.is_control() || (is_ignorable(character) && !is_allowed_ignorable(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelt_out() {
        assert_eq!(escape("plain ü \u{1f600}"), "plain ü \u{1f600}");
        assert_eq!(escape("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(escape("a\tb\r\n"), "a\\tb\\r\\n");
        assert_eq!(escape("\u{202e}\u{9b}\u{7f}\u{2028}"), "\\u{202e}\\u{9b}\\u{7f}\\u{2028}");
        assert_eq!(escape("\u{1f468}\u{200d}\u{1f469}"), "\u{1f468}\u{200d}\u{1f469}");
    }

    #[test]
    fn a_first_line_keeps_within_the_limit() {
        assert_eq!(first_line("one\ntwo", 60), "one");
        assert_eq!(first_line("", 60), "");
        assert_eq!(first_line(&"x".repeat(60), 60), "x".repeat(60));
        assert_eq!(first_line(&"x".repeat(61), 60), format!("{}...", "x".repeat(57)));
        assert_eq!(first_line(&"ü".repeat(100), 60), format!("{}...", "ü".repeat(57)));
        for length in 0..80 {
            let text = format!("{}\u{1b}\u{202e}{}", "x".repeat(length), "y".repeat(20));
            let line = first_line(&text, 60);
            assert!(line.chars().count() <= 60, "{line}");
            assert!(!line.contains(is_hidden), "{line}");
            assert!(line.ends_with("y") || line.ends_with("..."), "{line}");
        }
    }
}
