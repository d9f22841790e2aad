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

/// What a loop knows of a block.
struct Block<'t> {
    opener: Fence<'t>,
    lines: Vec<&'t str>,
    closed: bool,
    /// Whether another fence line may as well be where it ends: one in it that opens the next block, or a closer behind it.
    doubtful: bool,
}

impl<'t> Block<'t> {
    fn line(&mut self, line: &'t str, fence: Option<Fence<'t>>) {
        let reaches = |fence: Fence<'_>| fence.of == self.opener.of && fence.length >= self.opener.length;
        let is_near = |fence: Fence<'_>| fence.column <= self.opener.column + 3;
        match fence.filter(|&fence| reaches(fence) && is_near(fence)) {
            Some(fence) if fence.info.is_empty() && !fence.in_list => self.closed = true,
            fence => {
                self.doubtful |= fence.is_some();
                let spaces = line.len() - line.trim_start_matches(' ').len();
                self.lines.push(&line[spaces.min(self.opener.column)..]);
            }
        }
    }
}

fn a_loop_finds_the_same(text: &str) {
    let lower = text.to_lowercase();
    // Fences within Markdown and in diffs have rules of their own.
    if ["md", "mkd", "markdown", "diff", "patch"].iter().any(|word| lower.contains(word)) {
        return;
    }
    let mut expected: Vec<Block<'_>> = Vec::new();
    let stripped = text.strip_prefix('\u{feff}').unwrap_or(text);
    for line in lines(stripped) {
        let fence = fence(line);
        match (expected.last_mut(), fence) {
            (Some(open), _) if !open.closed => open.line(line, fence),
            (last, Some(opener)) => {
                if let Some(Block { opener: above, doubtful, .. }) = last {
                    let closes =
                        opener.info.is_empty() && opener.of == above.of && opener.length >= above.length;
                    *doubtful |= closes;
                }
                expected.push(Block { opener, lines: Vec::new(), closed: false, doubtful: false });
            }
            (_, None) => {}
        }
    }
    let found = CodeParser::extract_code_blocks(text);
    assert_eq!(found.len(), expected.len(), "{text:?}");
    for (found, block) in found.iter().zip(&expected) {
        let content = content(&block.lines);
        assert_eq!((found.info.as_str(), &found.content), (block.opener.info, &content), "{text:?}");
        // Only of a block that some text may name it matters where it ends.
        let may_be_named = found.filename.is_some() || text.contains('.');
        let in_doubt = block.closed && block.doubtful && may_be_named;
        assert!(found.terminated == block.closed || in_doubt, "{text:?}");
    }
}
