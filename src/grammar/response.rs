//! A model's reply: who owns a line.
//!
//! The first that applies: the hunk of a diff outside a fence, a whole SEARCH/REPLACE block, a fence, a raw file
//! header, a sentence; what is left is prose. See the table in grammar-notes/README.md.

use nom::Input;

use super::edits::{Around, Before, Passed, edit_block};
use super::fence::{Above, Fence, closed_outside, code_block};
use super::file_name::{Evidence, Piece, path_line};
use super::foreign::{ignored_edit, is_ignored_diff};
use super::inline::sentences;
use super::input::Read;
use super::lines::{Kind, Lines};
use super::near_marker::{cut_marker, stray_markers};
use super::unified_diff;
use crate::ast::{BlockEnd, BlockRole, CodeBlock, InlineEdit, InputKind, Node, PathSource, SearchReplace};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Span, slice};

/// Reads all lines of a reply, or of an input that is read for its diffs.
///
/// ```ebnf
/// reply = { block | code_block | file_patch | ? a line of prose ? } ;
/// ```
pub(crate) fn reply<'s>(lines: Lines<'s>, kind: InputKind) -> (Vec<Node>, Vec<Diagnostic>) {
    let mut reader = Reader::new(lines, kind);
    let mut rest = lines;
    while let Some(next) = rest.position(|line| may_start_node(line.kind)) {
        rest = rest.take_from(next);
        rest = reader.node(rest).unwrap_or_else(|| rest.take_from(1));
    }
    reader.finish(rest.take_from(rest.input_len()))
}

/// The nodes of lines that may be a part of a reply.
pub(crate) fn nodes(lines: Lines<'_>, kind: InputKind) -> Vec<Node> {
    reply(lines, kind).0
}

fn may_start_node(kind: Kind) -> bool {
    !matches!(kind, Kind::Blank | Kind::Text | Kind::Hash | Kind::Escaped | Kind::NewName)
}

/// What has been read so far.
struct Reader<'s> {
    kind: InputKind,
    nodes: Vec<Node>,
    faults: Vec<Diagnostic>,
    /// The runs of lines between the nodes.
    prose: Vec<Lines<'s>>,
    /// Whether a line behind the last node is a marker or nearly one.
    has_markers: bool,
    /// Everything behind the last node.
    after_node: Lines<'s>,
    /// The same, but that a code block which is nothing but a path counts as lines above an edit block.
    after_edit: Lines<'s>,
    /// The last edit block.
    before: Option<Before>,
    /// What was passed behind that block.
    passed: Vec<Passed<'s>>,
    /// The last code block and its opening fence, while it may turn out that its nesting is ambiguous.
    doubtful: Option<(usize, Fence)>,
}

impl<'s> Reader<'s> {
    fn new(lines: Lines<'s>, kind: InputKind) -> Self {
        Self {
            kind,
            nodes: Vec::new(),
            faults: Vec::new(),
            prose: Vec::new(),
            has_markers: false,
            after_node: lines,
            after_edit: lines,
            before: None,
            passed: Vec::new(),
            doubtful: None,
        }
    }

    /// Reads the node that begins at the first line, if one does, and returns what follows it.
    fn node(&mut self, lines: Lines<'s>) -> Option<Lines<'s>> {
        match lines.peek()?.kind {
            Kind::Fence => self.code_block(lines),
            Kind::Search => self.edit_block(lines),
            Kind::DiffStart | Kind::OldName | Kind::HunkHeader => self.file_patch(lines),
            _ => {
                self.has_markers = true;
                None
            }
        }
    }

    fn code_block(&mut self, lines: Lines<'s>) -> Option<Lines<'s>> {
        let prose = self.after_node.before(lines);
        let around = self.around(self.after_edit.before(lines));
        let (rest, mut fenced) = code_block(lines, Above { prose, around }).ok()?;
        self.end_prose(lines);
        self.settle_nesting(fenced.opener, prose);
        let is_diff = fenced.block.role == BlockRole::Diff;
        fenced.faults.extend(unified_diff::above_fence(&mut fenced.block.children, prose));
        self.report(fenced.faults, is_diff);
        match fenced.block.children.last() {
            Some(Node::SearchReplace(last)) => self.begin_passing(last),
            Some(Node::FilePatch(_)) => self.pass(prose, Some(fenced.opener.run)),
            _ => self.pass(prose, fenced.block.path.map(|path| path.span)),
        }
        let names_next = is_lone_path(&fenced.block, lines.source_text());
        let may_be_ambiguous = fenced.may_go_on
            && fenced.block.path.is_some()
            && fenced.block.role == BlockRole::File
            && fenced.block.end != BlockEnd::Missing;
        self.doubtful = may_be_ambiguous.then_some((self.nodes.len(), fenced.opener));
        let after_edit = self.after_edit;
        self.push(Node::CodeBlock(fenced.block), rest);
        if names_next {
            self.after_edit = after_edit;
        }
        Some(rest)
    }

    fn edit_block(&mut self, lines: Lines<'s>) -> Option<Lines<'s>> {
        let around = self.around(lines.take(0));
        let (rest, read) = edit_block(lines, self.after_edit.before(lines), around).ok()?;
        self.end_prose(lines);
        self.report(read.faults, false);
        self.report(closed_outside(lines.before(rest), &read.node).into_iter().collect(), false);
        self.begin_passing(&read.node);
        self.push(Node::SearchReplace(read.node), rest);
        Some(rest)
    }

    fn file_patch(&mut self, lines: Lines<'s>) -> Option<Lines<'s>> {
        if !unified_diff::starts_file(lines) && !unified_diff::starts_lone_hunk(lines) {
            return None;
        }
        let (rest, mut read) = unified_diff::file_patch(lines).ok()?;
        let above = unified_diff::above_header(&mut read.node, self.after_node.before(lines));
        self.pass(self.after_node.before(lines), Some(read.node.span));
        self.end_prose(lines);
        self.report(above.into_iter().chain(read.faults).collect(), true);
        self.push(Node::FilePatch(Box::new(read.node)), rest);
        Some(rest)
    }

    /// Keeps the prose that `rest` follows, and says what is wrong with the markers, or what is nearly one, in it.
    fn end_prose(&mut self, rest: Lines<'s>) {
        let prose = self.after_node.before(rest);
        self.prose.push(prose);
        if std::mem::take(&mut self.has_markers) {
            self.report(stray_markers(prose), false);
        }
        // What follows a diff that broke off is told with that.
        let broke_off = || matches!(self.nodes.last(), Some(Node::FilePatch(patch)) if patch.fault.is_some());
        let ignored = ignored_edit(prose, self.kind).filter(|found| found.is_error() || !broke_off());
        self.faults.extend(ignored);
    }

    /// What an edit block below has its path from, but for what is nearer.
    fn around<'r>(&'r self, above: Lines<'r>) -> Around<'r> {
        Around { info: None, rival: None, unread: None, above, before: self.before, passed: &self.passed }
    }

    /// Goes on behind an edit block.
    fn begin_passing(&mut self, block: &SearchReplace) {
        self.before = Before::new(block);
        self.passed.clear();
    }

    /// Keeps what is passed behind the last edit block. Only a block that has its path from that one looks at it.
    fn pass(&mut self, prose: Lines<'s>, file: Option<Span>) {
        if self.before.is_some() {
            self.passed.push(Passed { prose, file });
        }
    }

    /// Keeps faults; where the input is read for its diffs, those of diffs alone, and of fences that may or do hide one.
    fn report(&mut self, faults: Vec<Diagnostic>, is_diff: bool) {
        let all = is_diff || self.kind != InputKind::Diff;
        let hides = |fault: &Diagnostic| fault.code == Code::UnterminatedFence || is_ignored_diff(fault);
        self.faults.extend(faults.into_iter().filter(|fault| all || hides(fault)));
    }

    fn push(&mut self, node: Node, rest: Lines<'s>) {
        self.nodes.push(node);
        self.after_node = rest;
        self.after_edit = rest;
    }

    /// Decides whether the last named block's closing fence might as well have opened a block inside it, now that
    /// the next fence is known.
    fn settle_nesting(&mut self, next: Fence, between: Lines<'s>) {
        let Some((index, opener)) = self.doubtful.take() else {
            return;
        };
        let has_other_nodes = index + 1 < self.nodes.len();
        let has_text = has_other_nodes || between.iter_elements().any(|line| line.kind != Kind::Blank);
        let Some(Node::CodeBlock(block)) = self.nodes.get_mut(index) else {
            return;
        };
        let BlockEnd::Closed(closer) = block.end else {
            return;
        };
        if next.is_bare() && next.reaches(opener) && has_text {
            block.end = BlockEnd::Ambiguous(closer);
            let longer = closer.len().max(next.run.len()) + 1;
            let message = format!(
                "the block may end at its first bare fence or at a later one; give the block itself a longer fence than \
                those in it, of {longer} or more characters"
            );
            let fault = Diagnostic::new(Code::AmbiguousNesting, message)
                .at(block.opener)
                .with_related("this fence may close the block, or open one inside it", closer)
                .with_related("this fence may open a block, or close one inside", next.run);
            self.report(vec![fault], false);
        }
    }

    fn finish(mut self, end: Lines<'s>) -> (Vec<Node>, Vec<Diagnostic>) {
        self.has_markers |= cut_marker(self.after_node).is_some();
        self.end_prose(end);
        let Read { node: edits, faults } = sentences(&self.prose);
        self.report(faults, false);
        if !edits.is_empty() {
            forget_names_above(&edits, &mut self.nodes);
            self.nodes.extend(edits.into_iter().map(Node::InlineEdit));
            self.nodes.sort_by_key(|node| node.span().start);
        }
        (self.nodes, self.faults)
    }
}

/// A sentence is a node: prose above it names no block below it. `edits` are in source order.
fn forget_names_above(edits: &[InlineEdit], nodes: &mut [Node]) {
    for node in nodes {
        let Node::CodeBlock(block) = node else {
            continue;
        };
        let Some(path) = block.path.filter(|path| path.from == PathSource::Prose) else {
            continue;
        };
        let before = edits.partition_point(|edit| edit.span.start < block.span.start);
        let last = before.checked_sub(1).and_then(|last| edits.get(last));
        if last.is_some_and(|edit| edit.span.start >= path.span.end) {
            block.path = None;
        }
    }
}

/// Whether a code block holds nothing but the path of the edit block below it.
fn is_lone_path(block: &CodeBlock, text: &str) -> bool {
    let content = slice(text, block.content.span());
    let line = content.trim_end();
    block.path.is_none()
        && block.role == BlockRole::File
        && !line.contains('\n')
        && path_line(Piece::new(line, block.content.span().start), Evidence::OwnLine).is_some()
}
