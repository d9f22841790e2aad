//! What holds for the fenced code blocks of any reply.

use code_parser::CodeParser;

/// Any text: in a fence longer than all of its own it is the content of one block; and the blocks of a text without
/// markers and diffs are those that a loop over its lines finds.
pub(crate) fn check(text: &str) {
    a_longer_fence_keeps_its_content(text);
    a_loop_finds_the_same(&without_markers(text));
}

fn is_blank(line: &str) -> bool {
    line.trim_matches([' ', '\t']).is_empty()
}

/// Lines, LF or CRLF cut; after the last LF nothing.
fn lines(text: &str) -> Vec<&str> {
    let split = text.split_inclusive('\n');
    split
        .map(|line| line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line)))
        .collect()
}

/// Lines joined by LF, blank ones at both ends dropped.
fn content(mut lines: &[&str]) -> String {
    while let [first, rest @ ..] = lines
        && is_blank(first)
    {
        lines = rest;
    }
    while let [rest @ .., last] = lines
        && is_blank(last)
    {
        lines = rest;
    }
    lines.join("\n")
}

fn longest_run(text: &str, of: char) -> usize {
    text.split(|c| c != of).map(str::len).max().unwrap_or(0)
}

fn a_longer_fence_keeps_its_content(text: &str) {
    // Edits in a fence have rules of their own.
    if text.contains("SEARCH") || text.contains("REPLACE") || text.contains("search") {
        return;
    }
    for (of, tag) in [('`', "rust src/a.rs"), ('~', "markdown docs/a.md"), ('`', "text")] {
        let fence = of.to_string().repeat(longest_run(text, of).max(2) + 1);
        let reply = format!("{fence}{tag}\n{text}\n{fence}\n");
        let blocks = CodeParser::extract_code_blocks(&reply);
        let [block] = blocks.as_slice() else { panic!("{} blocks: {reply:?}", blocks.len()) };
        assert_eq!(block.content, content(&lines(&format!("{text}\n"))), "{reply:?}");
        assert_eq!((block.info.as_str(), block.terminated), (tag, true));
        let mut words = tag.split(' ');
        assert_eq!(Some(block.language.as_str()), words.next());
        // Without a path in the info string, a comment may name the file.
        assert!(block.filename.as_deref() == words.next() || tag == "text");
    }
}

/// The text without the lines that other shapes begin with.
fn without_markers(text: &str) -> String {
    let words = ["<<<", "===", ">>>", "SEARCH", "REPLACE", "search", "replace"];
    let starts = ["---", "+++", "@@", "diff ", "Index: ", "Binary files "];
    let keep = |line: &&str| {
        let visible = line.trim_start();
        !words.iter().any(|word| line.contains(word))
            && !starts.iter().any(|start| visible.starts_with(start))
    };
    text.split_inclusive('\n').filter(keep).collect()
}

/// A fence line: the character, the length and the column of its run, and its info string.
#[derive(Debug, Clone, Copy)]
struct Fence<'t> {
    of: char,
    length: usize,
    column: usize,
    info: &'t str,
    in_list: bool,
}

fn fence(line: &str) -> Option<Fence<'_>> {
    let mut rest = line.trim_start_matches(' ');
    let mut in_list = false;
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = match rest.len() - digits.len() {
            0 => rest.strip_prefix(['-', '+', '*']),
            1..=9 => digits.strip_prefix(['.', ')']),
            _ => None,
        };
        let Some(after) = after.and_then(|after| after.strip_prefix(' ')) else { break };
        (rest, in_list) = (after.trim_start_matches(' '), true);
    }
    let of = rest.chars().next().filter(|first| "`~".contains(*first))?;
    let info = rest.trim_start_matches(of);
    let length = rest.len() - info.len();
    let is_fence = length >= 3 && !(of == '`' && info.contains('`'));
    let column = line.len() - rest.len();
    is_fence.then(|| Fence { of, length, column, info: info.trim_matches([' ', '\t']), in_list })
}

fn a_loop_finds_the_same(text: &str) {
    let lower = text.to_lowercase();
    // Fences within Markdown and in diffs have rules of their own.
    if ["md", "mkd", "markdown", "diff", "patch"].iter().any(|word| lower.contains(word)) {
        return;
    }
    let mut expected: Vec<(Fence<'_>, String, bool, bool)> = Vec::new();
    let mut open: Option<(Fence<'_>, Vec<&str>)> = None;
    let stripped = text.strip_prefix('\u{feff}').unwrap_or(text);
    for line in lines(stripped) {
        match (&mut open, fence(line)) {
            (None, Some(fence)) => {
                if let Some((closed, _, _, doubtful)) = expected.last_mut() {
                    *doubtful =
                        fence.info.is_empty() && fence.of == closed.of && fence.length >= closed.length;
                }
                open = Some((fence, Vec::new()));
            }
            (None, None) => {}
            (Some((opener, lines)), Some(fence))
                if fence.of == opener.of
                    && fence.length >= opener.length
                    && fence.info.is_empty()
                    && !fence.in_list
                    && fence.column <= opener.column + 3 =>
            {
                expected.push((*opener, content(lines), true, false));
                open = None;
            }
            (Some((opener, lines)), _) => {
                let spaces = line.len() - line.trim_start_matches(' ').len();
                lines.push(&line[spaces.min(opener.column)..]);
            }
        }
    }
    expected.extend(open.map(|(opener, lines)| (opener, content(&lines), false, false)));
    let found = CodeParser::extract_code_blocks(text);
    assert_eq!(found.len(), expected.len(), "{text:?}");
    for (found, (opener, content, closed, doubtful)) in found.iter().zip(expected) {
        assert_eq!((found.info.as_str(), &found.content), (opener.info, &content), "{text:?}");
        // A block that some text may name, and behind which another closer stands, may end in more than one place.
        let may_be_named = found.filename.is_some() || text.contains('.');
        assert!(found.terminated == closed || (closed && doubtful && may_be_named), "{text:?}");
    }
}
