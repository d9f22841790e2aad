//! Lines such as `// ... existing code ...`: a model's sign for code that it left out.
//!
//! Written into a file such a line replaces the code that it stands for. It is looked for in new text only, and a
//! line that the old text has too is no sign of anything.

use std::collections::HashSet;

/// Where a comment starts, in the languages that models write; the longer of two leaders comes first.
const LEADERS: [&str; 15] =
    ["{/*", "/**", "/*", "<!--", "///", "//", "##", "#", "--[[", "--", ";;", ";", "%", "*", "REM "];
/// Where it ends.
const TRAILERS: [&str; 5] = ["*/}", "*/", "-->", "]]", "--"];
/// What may follow an ellipsis in a placeholder, besides [`SIGNS`].
const PHRASES: &[&str] = &["as before", "code", "etc", "keep", "no change", "not changed", "other ", "snip"];
/// The words that a comment without an ellipsis in front may have beside [`SIGNS`], if it stands for code left out. A
/// comment with any other word says something of its own.
const WORDS: &[&str] = &[
    "above",
    "all",
    "and",
    "are",
    "as",
    "before",
    "brevity",
    "class",
    "code",
    "component",
    "content",
    "contents",
    "file",
    "for",
    "from",
    "function",
    "functions",
    "goes",
    "here",
    "implementation",
    "import",
    "imports",
    "in",
    "is",
    "it",
    "keep",
    "kept",
    "lines",
    "logic",
    "method",
    "methods",
    "no",
    "not",
    "of",
    "other",
    "others",
    "shown",
    "the",
    "they",
    "this",
    "was",
    "were",
    "with",
    "your",
];
/// The words of which it must have one; one of the first three is enough to be the whole comment.
const SIGNS: &[&str] = &[
    "omitted",
    "unchanged",
    "unmodified",
    "existing",
    "previous",
    "remain",
    "remainder",
    "remaining",
    "remains",
    "rest",
    "same",
    "stay",
    "stays",
];

/// The first line of `new` that stands for code left out and that `old` does not have.
pub(crate) fn find<'n>(new: &'n str, old: &[u8]) -> Option<&'n str> {
    let mut known: Option<HashSet<&[u8]>> = None;
    all(new.lines()).find(|line| {
        let known =
            known.get_or_insert_with(|| old.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect());
        !known.contains(line.as_bytes())
    })
}

/// Those of some lines that stand for code left out, white space at their ends removed.
pub(crate) fn all<'n>(new: impl Iterator<Item = &'n str>) -> impl Iterator<Item = &'n str> {
    new.map(str::trim).filter(|line| is_placeholder(line))
}

/// Whether a line of a file, white space at its ends removed, may be one that [`all`] gives.
pub(crate) fn is_one(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(is_placeholder)
}

/// Whether a line without white space at its ends says that code was left out.
fn is_placeholder(line: &str) -> bool {
    if line.len() > 200
        || !line.starts_with(['/', '#', '-', '<', '*', '.', '…', '{', '[', '(', ';', '%', 'R'])
    {
        return false;
    }
    match comment_body(line) {
        Some(body) => comment_is_placeholder(body),
        None => bare_is_placeholder(line),
    }
}

fn comment_body(line: &str) -> Option<&str> {
    let body = LEADERS.iter().find_map(|leader| line.strip_prefix(leader))?.trim();
    Some(TRAILERS.iter().find_map(|trailer| body.strip_suffix(trailer)).unwrap_or(body).trim())
}

/// An ellipsis in front may be followed by anything that names what is left out; one behind only, or none, belongs
/// to many an ordinary comment, so that then every word has to be one of [`WORDS`] or [`SIGNS`].
fn comment_is_placeholder(body: &str) -> bool {
    let bare = without_brackets(body);
    if bare.starts_with("...") || bare.starts_with('…') {
        let inner = without_ellipsis(bare).trim_end_matches(':').to_ascii_lowercase();
        return inner.is_empty() || names_omission(&inner);
    }
    says_only_omission(bare)
}

/// A line without a comment leader: it must begin with an ellipsis and a blank, so that the spread and rest syntax of
/// a language (`...rest`) is none, or be in brackets.
fn bare_is_placeholder(line: &str) -> bool {
    let inner = without_brackets(line);
    match inner.strip_prefix("...").or_else(|| inner.strip_prefix('…')) {
        Some(after) if after.starts_with([' ', '(', '[']) => {
            names_omission(&without_ellipsis(after).to_ascii_lowercase())
        }
        Some(_) => false,
        None => inner.len() < line.len() && line.starts_with(['(', '[']) && says_only_omission(inner),
    }
}

fn says_only_omission(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let sign = words.iter().filter_map(|word| SIGNS.iter().position(|sign| sign == word)).min();
    let enough = sign.is_some_and(|sign| sign < 3 || words.len() > 1);
    enough && words.iter().all(|word| WORDS.contains(word) || SIGNS.contains(word))
}

fn without_brackets(text: &str) -> &str {
    let pairs = [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')];
    pairs
        .iter()
        .find_map(|&(open, close)| text.strip_prefix(open)?.strip_suffix(close))
        .unwrap_or(text)
        .trim()
}

fn without_ellipsis(text: &str) -> &str {
    text.trim_matches([' ', '\t', '.', '…', '(', ')', '[', ']'])
}

fn names_omission(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| SIGNS.contains(&word)) || PHRASES.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_code_left_out() {
        for line in [
            "// ... existing code ...",
            "    # ... rest of the code remains the same ...",
            "// ... rest of the code stays the same ...",
            "/* ... other methods ... */",
            "<!-- ... existing content ... -->",
            "{/* ... rest of the component ... */}",
            "// ...",
            "# …",
            "// Rest of the file unchanged",
            "# (existing code remains unchanged)",
            "-- ... remaining columns ...",
            "... existing code ...",
            "[... rest of file unchanged ...]",
            "... (rest of the functions)",
            "// ... (unchanged) ...",
            "# existing imports...",
            "// existing code",
            "# rest of the file",
            "/* unchanged */",
            "// [existing code]",
            "// Your existing code here",
            "(rest of the file unchanged)",
            "// all other functions stay as they are",
        ] {
            assert!(find(line, b"").is_some(), "{line}");
        }
    }

    #[test]
    fn ordinary_lines() {
        for line in [
            "...",
            "    ...rest,",
            "...existing,",
            "def f(): ...",
            "// loading...",
            "# wait for the rest of the queue",
            "// keep the same order as the server",
            "# TODO: handle the remaining cases",
            "/// Returns the existing entry.",
            "#include <existing.h>",
            "-- existing rows are kept by the trigger",
            "",
            "print('...')",
            "# see https://example.org/...",
            "# load the existing configuration...",
            "# same",
            "# the remaining bytes",
            "(rest)",
            "[existing]",
            "// existing users",
        ] {
            assert_eq!(find(line, b""), None, "{line}");
        }
    }

    #[test]
    fn a_line_that_the_old_text_has_is_kept() {
        assert_eq!(find("a\n// ...\nb", b"x\r\n  // ...\r\n"), None);
        assert_eq!(find("a\n// ...\n# ...", b"// ..."), Some("# ..."));
    }
}
