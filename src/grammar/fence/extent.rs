//! Where the body of a code block ends.

use nom::Input;

use super::info::info_string;
use super::line::{Fence, fence};
use crate::grammar::file_name::Piece;
use crate::grammar::input::line_input;
use crate::grammar::lines::{Kind, Line, Lines};
use crate::language;
use crate::source::slice;

/// How the body of a code block is read while its closing fence is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nesting {
    /// The first fence that can close the block does.
    Flat,
    /// Pairs of fences inside are passed over.
    Markdown,
    /// Fences further in are context lines.
    Diff,
}

/// The body of a code block, the fences around it, and what follows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent<'s> {
    pub(super) opener: Fence,
    pub(super) nesting: Nesting,
    /// The body as it stands in the source.
    pub(super) body: Lines<'s>,
    /// The closing fence.
    pub(super) closer: Option<Fence>,
    pub(super) rest: Lines<'s>,
    pub(super) seen: Seen,
}

impl<'s> Extent<'s> {
    /// The body without the opening fence's indentation.
    pub(super) fn inside(&self) -> Lines<'s> {
        self.body.indented(self.opener.column)
    }

    /// The first line behind the block, where it is text.
    pub(super) fn text_below(&self) -> Option<Line> {
        self.rest.peek().filter(|next| !matches!(next.kind, Kind::Blank | Kind::Fence))
    }
}

/// What was seen in a body on the way to its end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Whether a line of the body is a marker or nearly one.
    pub(super) has_markers: bool,
    /// Whether a line of the body, outside whole edit blocks, is a fence.
    pub(super) has_fence: bool,
    /// Whether a whole edit block has a fence line in it.
    pub(super) has_fence_in_edit: bool,
    /// A fence in the body, with a language that is known or a path, that might as well open the next block: a bare
    /// fence that ends that one ends this one, too. Where fences may be nested none is looked for.
    pub(super) inner_opener: Option<Fence>,
    /// A fence in the body that would close the block, but for signs behind its run. Where fences may be nested none is
    /// looked for.
    pub(super) spoilt_closer: Option<Fence>,
}

/// Looks for the closing fence in the lines behind the opening one. A whole SEARCH/REPLACE block is passed over, fence
/// lines in it and all, but in a diff, where no such block is looked for.
///
/// Where a fence that opens a block follows a whole SEARCH/REPLACE block, the closing fence was forgotten: the body
/// ends behind that block, so that what follows is not lost in it.
pub(super) fn extent(lines: Lines<'_>, opener: Fence, nesting: Nesting) -> Extent<'_> {
    let mut seen = Seen::default();
    let (end, closer) = end(lines, opener, nesting, &mut seen);
    let (rest, body) = lines.take_split(end);
    let rest = if closer.is_some() { rest.take_from(1) } else { rest };
    Extent { opener, nesting, body, closer, rest, seen }
}

/// The number of lines in the body, and the closing fence.
fn end(lines: Lines<'_>, opener: Fence, nesting: Nesting, seen: &mut Seen) -> (usize, Option<Fence>) {
    let mut inner = Vec::new();
    let mut index = 0;
    let mut after_edit = None;
    let may_matter =
        |line: Line| matches!(line.kind, Kind::Fence | Kind::Search | Kind::Replace | Kind::NearMarker);
    while let Some(next) = lines.take_from(index).position(may_matter) {
        index += next;
        let Some(line) = lines.get(index) else {
            break;
        };
        if line.kind == Kind::Fence {
            if let Ok((_, found)) = fence(line_input(lines, line)) {
                if closes(found, opener, nesting, &mut inner) {
                    return (index, Some(found));
                }
                if let Some(end) = after_edit.filter(|_| opens_another(found, opener, nesting)) {
                    return (end, None);
                }
                seen.fence(lines, found, opener, nesting);
            }
        } else {
            seen.has_markers = true;
            if line.kind == Kind::Search
                && nesting != Nesting::Diff
                && let Some(edit) = whole_edit_block(lines.take_from(index))
            {
                seen.has_fence_in_edit |= edit.has_fence;
                index += edit.lines;
                after_edit = Some(index);
                continue;
            }
        }
        index += 1;
    }
    (lines.input_len(), None)
}

impl Seen {
    /// Takes in a fence of the body.
    fn fence(&mut self, lines: Lines<'_>, found: Fence, opener: Fence, nesting: Nesting) {
        self.has_fence = true;
        if self.inner_opener.is_none() && may_open_next(lines, found, opener, nesting) {
            self.inner_opener = Some(found);
        }
        if self.spoilt_closer.is_none() && is_spoilt_closer(lines, found, opener, nesting) {
            self.spoilt_closer = Some(found);
        }
    }
}

/// Whether a fence line closes the block that `opener` opened; `inner` are the fences open inside it.
fn closes(found: Fence, opener: Fence, nesting: Nesting, inner: &mut Vec<Fence>) -> bool {
    match nesting {
        Nesting::Flat => found.closes(opener),
        Nesting::Diff => found.closes_diff(opener),
        Nesting::Markdown if !found.is_bare() => {
            if !found.info.is_empty() && found.reaches(opener) {
                inner.push(found);
            }
            false
        }
        Nesting::Markdown => match inner.last() {
            Some(&top) => {
                if found.closes(top) {
                    inner.pop();
                }
                false
            }
            None => found.closes(opener),
        },
    }
}

/// Whether a fence line is no closing one and as strong as the one around it, where nothing may be nested.
fn opens_another(found: Fence, opener: Fence, nesting: Nesting) -> bool {
    nesting == Nesting::Flat && !found.info.is_empty() && found.reaches(opener)
}

/// Whether a fence line in the body, with a language that is known or a path, might as well open the next block.
fn may_open_next(lines: Lines<'_>, found: Fence, opener: Fence, nesting: Nesting) -> bool {
    if nesting != Nesting::Flat || !found.opens_in(opener) {
        return false;
    }
    let text = lines.source_text();
    let info = info_string(Piece::new(slice(text, found.info), found.info.start));
    info.path.is_some() || info.language.is_some_and(|tag| language::is_tag(slice(text, tag)))
}

/// Whether a fence line would close the block, but that there are signs behind its run, and no letter or digit.
fn is_spoilt_closer(lines: Lines<'_>, found: Fence, opener: Fence, nesting: Nesting) -> bool {
    let is_other = nesting != Nesting::Flat || found.in_list || !found.opens_in(opener);
    !is_other && !slice(lines.source_text(), found.info).contains(char::is_alphanumeric)
}

/// A SEARCH/REPLACE block with its three markers in their order and no other marker between them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WholeEdit {
    /// The number of its lines.
    lines: usize,
    /// Whether one of them is a fence.
    has_fence: bool,
}

/// The whole SEARCH/REPLACE block at the start.
pub(crate) fn whole_edit_block(lines: Lines<'_>) -> Option<WholeEdit> {
    let mut has_fence = false;
    let mut wanted = [Kind::Search, Kind::Separator, Kind::Replace].into_iter().peekable();
    for (index, line) in lines.iter_indices() {
        has_fence |= line.kind == Kind::Fence;
        if Some(&line.kind) == wanted.peek() {
            wanted.next();
            if wanted.peek().is_none() {
                return Some(WholeEdit { lines: index + 1, has_fence });
            }
        } else if index == 0 || matches!(line.kind, Kind::Search | Kind::Separator | Kind::Replace) {
            return None;
        }
    }
    None
}
