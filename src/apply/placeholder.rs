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
/// What is left out. Together with an ellipsis they make a placeholder.
const SUBJECTS: [&str; 16] = [
    "existing",
    "rest of",
    "the rest",
    "remaining",
    "remains",
    "unchanged",
    "same as",
    "the same",
    "previous",
    "omitted",
    "other ",
    "as before",
    "no change",
    "not changed",
    "stay",
    "keep",
];
/// How a comment without an ellipsis ends that says that code was left out.
const ENDINGS: [&str; 9] = [
    "unchanged",
    "the same",
    "as before",
    "omitted",
    "as is",
    "same as before",
    "not changed",
    "omitted for brevity",
    "goes here",
];
/// How such a comment starts.
const STARTS: [&str; 6] = ["rest of", "the rest", "remaining", "existing", "other ", "all other "];

/// The first line of `new` that stands for code left out and that `old` does not have.
pub(crate) fn find<'n>(new: &'n str, old: &[u8]) -> Option<&'n str> {
    find_among(new.lines(), old)
}

/// The same for lines that do not lie side by side.
pub(crate) fn find_among<'n>(new: impl Iterator<Item = &'n str>, old: &[u8]) -> Option<&'n str> {
    let mut known: Option<HashSet<&[u8]>> = None;
    let mut signs = new.map(str::trim).filter(|line| is_placeholder(line));
    signs.find(|line| {
        let known =
            known.get_or_insert_with(|| old.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect());
        !known.contains(line.as_bytes())
    })
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
/// to many an ordinary comment, so that then the comment has to start with what is left out.
fn comment_is_placeholder(body: &str) -> bool {
    let bare = without_brackets(body);
    let inner = without_ellipsis(bare).trim_end_matches(':').to_ascii_lowercase();
    if bare.starts_with("...") || bare.starts_with('…') {
        return inner.is_empty() || names_omission(&inner);
    }
    let starts = STARTS.iter().any(|start| inner.starts_with(start));
    starts && (bare.ends_with("...") || bare.ends_with('…') || ENDINGS.iter().any(|end| inner.ends_with(end)))
}

/// A line without a comment leader: it must begin with an ellipsis (in brackets, perhaps) and a blank, so that the
/// spread and rest syntax of a language (`...rest`) is none.
fn bare_is_placeholder(line: &str) -> bool {
    let inner = without_brackets(line);
    let after = inner.strip_prefix("...").or_else(|| inner.strip_prefix('…'));
    after.is_some_and(|after| {
        after.starts_with([' ', '(', '[']) && names_omission(&without_ellipsis(after).to_ascii_lowercase())
    })
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
    SUBJECTS.iter().any(|subject| text.contains(subject)) || text == "code" || text == "snip" || text == "etc"
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
