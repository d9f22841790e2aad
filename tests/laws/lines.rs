//! What holds for the lexer's tokens of any text.

use super::lines::{Ending, Kind, Lines, kind, lex};
use crate::source::{offset, slice};

/// Any text: the tokens are the lines that a plain split gives, without gap, and each has the kind that a slow look finds.
pub(crate) fn check(text: &str) {
    let tokens = lex(text);
    let behind_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let expected: Vec<&str> = behind_mark.split_inclusive('\n').collect();
    assert_eq!(tokens.len(), expected.len(), "{text:?}");
    let mut at = offset(text.len() - behind_mark.len());
    for (token, whole) in tokens.iter().zip(expected) {
        let (line, ending) = match (whole.strip_suffix("\r\n"), whole.strip_suffix('\n')) {
            (Some(line), _) => (line, Ending::CrLf),
            (None, Some(line)) => (line, Ending::Lf),
            (None, None) => (whole, Ending::None),
        };
        assert_eq!((slice(text, token.span()), token.ending), (line, ending), "{text:?}");
        assert_eq!(token.start, at, "a gap in {text:?}");
        assert_eq!(token.kind, kind(line), "{line:?} alone is another kind of line");
        of_its_kind(token.kind, line);
        at = token.next();
    }
    assert_eq!(at as usize, text.len());
    runs(Lines::new(text, &tokens));
}

/// A run of lines, cut anywhere: both parts know where they stand.
fn runs(lines: Lines<'_>) {
    use nom::Input;
    for cut in [0, 1, lines.input_len() / 2, lines.input_len()] {
        let cut = cut.min(lines.input_len());
        let (rest, head) = lines.take_split(cut);
        assert_eq!((head.input_len(), head.end()), (cut, rest.start()));
        assert_eq!(rest.end(), lines.end());
        assert_eq!(lines.before(rest).tokens(), head.tokens());
    }
}

const MARKERS: [(&str, Kind); 3] =
    [("<<<<<<< SEARCH", Kind::Search), ("=======", Kind::Separator), (">>>>>>> REPLACE", Kind::Replace)];

fn of_its_kind(kind: Kind, line: &str) {
    let visible = line.trim_matches([' ', '\t']);
    let behind_backslash = line.strip_prefix('\\').map(|rest| rest.trim_matches([' ', '\t']));
    let marker = |text: &str| MARKERS.iter().find(|marker| marker.0 == text).map(|marker| marker.1);
    let word = |word: &str| {
        visible.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    };
    let diff_starts = ["diff ", "Index: "]
        .iter()
        .any(|start| visible.starts_with(start) || line.trim_start_matches([' ', '\t']).starts_with(start))
        || visible.starts_with("Binary files ") && line.ends_with(" differ");
    let expected = if visible.is_empty() {
        Kind::Blank
    } else if let Some(marker) = marker(visible) {
        marker
    } else if behind_backslash.and_then(marker).is_some() {
        Kind::Escaped
    } else if visible.starts_with('#') {
        Kind::Hash
    } else if word("---") {
        Kind::OldName
    } else if word("+++") {
        Kind::NewName
    } else if visible.starts_with("@@") {
        Kind::HunkHeader
    } else if diff_starts {
        Kind::DiffStart
    } else if has_fence_run(visible) {
        Kind::Fence
    } else {
        // What is nearly a marker is a matter of its own; it has a sign of one.
        assert!(
            kind == Kind::Text || kind == Kind::NearMarker && line.contains(['<', '=', '>']),
            "{line:?} is {kind:?}"
        );
        return;
    };
    assert_eq!(kind, expected, "{line:?}");
}

/// Whether a run of backticks or tildes comes first, but for what list markers are made of behind their first byte.
fn has_fence_run(visible: &str) -> bool {
    if visible.starts_with(['.', ')']) {
        return false;
    }
    let rest = visible.trim_start_matches(|c: char| " \t-+*.)".contains(c) || c.is_ascii_digit());
    rest.starts_with("```") || rest.starts_with("~~~")
}
