//! Reading a reply into values.

use std::borrow::Cow;

use super::{CodeBlock, CodeParser, EditInstruction};
use crate::apply::change::{Change, Operation};
use crate::ast::{self, BlockEnd, BlockRole, InputKind, Node};
use crate::grammar::parse;
use crate::source::Source;

impl CodeParser {
    /// All fenced blocks of a reply, in order; a block within a block is part of its content.
    ///
    /// A block without a closing fence, and one whose nesting can be read in two ways, has `terminated == false`. A text
    /// of 4 GiB or more gives none.
    #[must_use]
    pub fn extract_code_blocks(response: &str) -> Vec<CodeBlock> {
        let Ok(source) = Source::new(response) else { return Vec::new() };
        let document = parse(&source, InputKind::Response).document;
        let blocks = document.nodes.iter().filter_map(|node| match node {
            Node::CodeBlock(block) => Some(code_block(block, &source)),
            _ => None,
        });
        blocks.collect()
    }

    /// The SEARCH/REPLACE blocks and the sentences of a reply that say which text to replace with which, in order.
    ///
    /// What names no file, has no end or cannot be read whole is left out; so is a sentence that only tells of an edit
    /// that the reply gives exactly. A text of 4 GiB or more gives none.
    #[must_use]
    pub fn parse_edit_instructions(response: &str) -> Vec<EditInstruction> {
        let Ok(source) = Source::new(response) else { return Vec::new() };
        let changes = parse(&source, InputKind::Response).changes().list;
        changes.into_iter().filter_map(edit_instruction).collect()
    }
}

fn code_block(block: &ast::CodeBlock, source: &Source<'_>) -> CodeBlock {
    CodeBlock {
        language: block.language_tag(source).into_owned(),
        content: block.content.to_str(source).into_owned(),
        // A block that only repeats an edit of the reply is no content of the file that the prose names.
        filename: match block.role {
            BlockRole::Narration => None,
            BlockRole::File | BlockRole::Edits | BlockRole::Diff => {
                block.path.map(|path| source.slice(path.span).to_owned())
            }
        },
        info: source.slice(block.info).to_owned(),
        terminated: matches!(block.end, BlockEnd::Closed(_)),
    }
}

fn edit_instruction(change: Change<'_>) -> Option<EditInstruction> {
    match (change.path, change.operation) {
        (Some(file), Operation::Edit { search, replace }) => {
            Some(EditInstruction { file: file.into_owned(), old: written(search), new: written(replace) })
        }
        _ => None,
    }
}

/// A section as an [`EditInstruction`] has it. Blank lines joined by LF end in one more LF, so that one blank line
/// differs from no line at all.
fn written(section: Option<Cow<'_, str>>) -> String {
    let Some(text) = section else { return String::new() };
    let mut text = text.into_owned();
    if text.bytes().all(|byte| byte == b'\n') {
        text.push('\n');
    }
    text
}

/// The section that [`written`] wrote.
pub(super) fn section(text: &str) -> Option<Cow<'_, str>> {
    let only_blank_lines = text.bytes().all(|byte| byte == b'\n');
    let lines = if only_blank_lines { text.strip_suffix('\n')? } else { text };
    Some(Cow::Borrowed(lines))
}
