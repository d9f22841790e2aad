//! Prose that announces a part of a file, which is not the file.

use super::prose::{ends_with_colon, is_imperative, words, words_backwards, words_outside};

/// Whether the words around a path in backticks say that the block below is a part of the file: the `foo` function in
/// it, its end, its lines 1-3.
pub(super) fn is_part_of(before: &str, after: &str) -> bool {
    let before = before.rsplit(". ").next().unwrap_or(before);
    words_outside(before).any(is_part_word)
        || names_lines(before)
        || names_lines(after)
        || is_change_within(before)
}

/// Whether a line of prose without a path says that the block below it is a part of a file: `Replace it with:`
/// does not, `Add this function:` does.
pub(crate) fn announces_part(line: &str) -> bool {
    ends_with_colon(line)
        && words_outside(line).any(is_imperative)
        && (words_outside(line).any(is_part_word) || names_lines(line))
}

fn is_part_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "argument",
        "arguments",
        "beginning",
        "bottom",
        "class",
        "constructor",
        "end",
        "function",
        "functions",
        "import",
        "imports",
        "line",
        "lines",
        "method",
        "methods",
        "section",
        "top",
    ];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// `line 20`, `lines 1-3`.
fn names_lines(text: &str) -> bool {
    let is_line = |word: &str| ["line", "lines"].iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut numbers = words(text).skip(1);
    words(text).any(|word| {
        let next = numbers.next().unwrap_or("");
        is_line(word) && next.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// ``Change the version in `x` ``: what is changed stands between the imperative and the file.
fn is_change_within(before: &str) -> bool {
    const WHOLE: &[&str] =
        &["code", "content", "contents", "following", "it", "text", "the", "these", "this"];
    const BEFORE_PATH: &[&str] = &["existing", "file", "the", "your"];
    let is_one_of = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut back = words_backwards(before).skip_while(|word| is_one_of(word, BEFORE_PATH));
    if !back.next().is_some_and(|word| is_one_of(word, &["in", "inside", "within"])) {
        return false;
    }
    let mut has_object = false;
    for word in back {
        if is_imperative(word) {
            return has_object;
        }
        has_object |= !is_one_of(word, WHOLE);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_file() {
        for (before, after) in [
            ("Add the following to the end of ", ":"),
            ("Replace the `foo` function in ", " with:"),
            ("Replace `foo()` in ", " with:"),
            ("Change line 2 in ", ":"),
            ("**", "** (lines 1-3):"),
            ("Update ", " (around line 20):"),
            ("Update the version in your ", ":"),
            ("Here's how to modify the `Scraper` class in the ", " file:"),
        ] {
            assert!(is_part_of(before, after), "{before}{after}");
        }
    }

    #[test]
    fn a_whole_file() {
        for (before, after) in [
            ("Create ", ":"),
            ("Create ", " with the function `run`:"),
            ("Add a route and a function. Update the ", " file as follows:"),
            ("Add this to the file ", ""),
            ("Write the following code in ", ":"),
            ("In the file ", ""),
        ] {
            assert!(!is_part_of(before, after), "{before}{after}");
        }
    }

    #[test]
    fn a_line_without_a_path() {
        assert!(announces_part("Replace the `foo` function with:"));
        assert!(announces_part("Change lines 3-5:"));
        assert!(!announces_part("Replace it with:"));
        assert!(!announces_part("This function is new:"));
        assert!(!announces_part("Add a function."));
    }
}
