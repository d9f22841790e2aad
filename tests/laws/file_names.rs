//! What holds for the file names of code blocks.

use code_parser::ast::{CodeBlock, InputKind, Node, PathSource};
use code_parser::source::{Source, Span};
use code_parser::{CodeParser, parse};

/// Any text: what is found as a name stands where names are looked for and looks like one; and a name in each form of
/// the specification is found, whatever it is made of.
pub(crate) fn check(text: &str) {
    let source = Source::new(text).unwrap();
    let document = parse(&source, InputKind::Response).document;
    let mut end = 0;
    for node in &document.nodes {
        if let Node::CodeBlock(block) = node {
            found(block, end, &source);
        }
        // A sentence is prose: the block below may show what it makes.
        if !matches!(node, Node::InlineEdit(_)) {
            end = node.span().end;
        }
    }
    forms(&name(text));
}

/// `above` is the end of the node before the block.
fn found(block: &CodeBlock, above: u32, source: &Source<'_>) {
    let Some(path) = block.path else { return };
    let name = source.slice(path.span);
    assert!(!name.is_empty() && name.trim() == name, "{name:?}");
    // A letter and a colon are the drive of a path that is refused.
    let is_url = name.find("://").is_some_and(|at| at > 1);
    assert!(!name.contains(['\n', '`', '"']) && !is_url, "{name:?}");
    let line = |offset: u32| source.position(offset).line;
    match path.from {
        PathSource::Info => assert!(block.info.contains(path.span)),
        PathSource::Comment => {
            let first = block.content.lines(source).next().unwrap();
            assert!(first.contains(path.span), "{name:?} is not on the block's first line");
        }
        PathSource::Prose => {
            assert!(path.span.end <= block.span.start && path.span.start >= above, "{name:?}");
            let between = source.slice(Span::new(path.span.end, block.span.start));
            let lines = between.split('\n').skip(1).filter(|line| !line.trim().is_empty()).count();
            // The last part is what stands before the fence on its own line.
            let own = usize::from(!between.rsplit('\n').next().unwrap().trim().is_empty());
            assert!(lines - own <= 2, "{name:?} is {lines} lines above the block");
            let start = source.line_index().line_start(line(path.span.start)).unwrap();
            let before = source.slice(Span::new(start, path.span.start)).trim_start();
            assert!(!before.starts_with(['>', '|']), "{name:?} is cited");
        }
        PathSource::Header | PathSource::Inherited => panic!("a block never has another one's name"),
    }
}

/// A plain path made of what a text has.
fn name(text: &str) -> String {
    let plain = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '_' | '/');
    let mut parts: Vec<String> = text
        .chars()
        .filter(|&c| plain(c))
        .take(60)
        .collect::<String>()
        .split('/')
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect();
    parts.insert(0, "src".to_owned());
    parts.push("x.py".to_owned());
    parts.join("/")
}

fn forms(name: &str) {
    let infos = ["python NAME", "python:NAME", "NAME", "python title=\"NAME\"", "python file=NAME"];
    let comments = ["# file: NAME", "// path: NAME", "<!-- filename: NAME -->"];
    let prose = [
        "Create `NAME`:",
        "### `NAME`",
        "**File:** `NAME`",
        "Here's the updated `NAME`:",
        "Change this in the file `NAME`",
        "NAME",
    ];
    let replies = infos
        .map(|info| format!("```{info}\nx = 1\n```\n"))
        .into_iter()
        .chain(comments.map(|comment| format!("```python\n{comment}\nx = 1\n```\n")))
        .chain(prose.map(|line| format!("{line}\n\n```python\nx = 1\n```\n")));
    for reply in replies.map(|reply| reply.replace("NAME", name)) {
        let blocks = CodeParser::extract_code_blocks(&reply);
        let names: Vec<_> = blocks.iter().map(|block| block.filename.as_deref()).collect();
        assert_eq!(names, [Some(name)], "{reply}");
        assert_eq!(blocks[0].language, "python");
    }
    // A block does not have the name of the one before.
    let run =
        format!("Create `{name}`:\n\n```python\nx = 1\n```\n\nRun it with:\n\n```bash\npython {name}\n```\n");
    let blocks = CodeParser::extract_code_blocks(&run);
    assert_eq!(blocks[1].filename, None, "{run}");
}
