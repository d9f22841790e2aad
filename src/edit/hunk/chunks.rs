//! [`Chunks`]: a file as runs of whole lines, so that a change costs as much as the runs that it touches, and two
//! states of one file share all others. The runs are kept in groups, which are shared too, so that even a word for each
//! run is spent only in the groups that a change touches.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use super::chunk::{Chunk, cut};

/// A group has about so many chunks: at most twice as many.
const GROUP: usize = if cfg!(test) { 2 } else { 64 };

/// The text of a file, cut between lines. The bytes that it was read with are not kept here: whoever asks gives them.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks {
    groups: Vec<Rc<Group>>,
    /// Where each of them starts.
    starts: Vec<Start>,
    /// Where all of them end.
    end: Start,
    len: usize,
}

/// Some chunks that follow each other, at least one.
#[derive(Debug)]
struct Group {
    list: Vec<Rc<Chunk>>,
    /// The number of the first line of each, from 0 at the group's first.
    starts: Vec<usize>,
    lines: usize,
    len: usize,
    has_nul: OnceCell<bool>,
    is_utf8: OnceCell<bool>,
}

/// The group that a chunk is in.
#[derive(Debug, Clone, Copy)]
struct Found<'c> {
    number: usize,
    start: Start,
    group: &'c Rc<Group>,
    /// The chunk's number in it.
    inside: usize,
}

/// A place between two groups.
#[derive(Debug, Clone, Copy, Default)]
struct Start {
    /// How many lines are before it.
    line: usize,
    /// How many chunks are.
    chunk: usize,
}

impl Chunks {
    /// Those of a file as it was read.
    pub(super) fn new(base: &[u8]) -> Self {
        let mut new = Builder::default();
        for (text, lines) in cut(base) {
            new.push(Rc::new(Chunk::new(text.clone(), lines, base)));
        }
        new.finish()
    }

    /// The same with other text in place of some of them, given in order.
    pub(super) fn with(&self, changes: Vec<(Range<usize>, Vec<u8>)>) -> Self {
        let mut new = Builder::default();
        let mut kept = 0;
        for (range, text) in changes {
            new.keep(self, kept..range.start);
            for (part, lines) in cut(&text) {
                new.push(Rc::new(Chunk::own(text.get(part).unwrap_or_default(), lines)));
            }
            kept = range.end;
        }
        new.keep(self, kept..self.count());
        new.finish()
    }

    /// How many lines there are, a byte order mark counted as one where there is nothing else.
    pub(super) fn lines(&self) -> usize {
        self.end.line
    }

    /// How many bytes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many chunks.
    pub(super) fn count(&self) -> usize {
        self.end.chunk
    }

    /// The chunk that a line lies in; their number for a line past the last.
    pub(super) fn chunk_of(&self, line: usize) -> usize {
        let number = self.starts.partition_point(|start| start.line <= line).saturating_sub(1);
        match self.starts.get(number).zip(self.groups.get(number)) {
            Some((start, group)) if line < self.end.line => {
                let inside = group.starts.partition_point(|&inside| start.line + inside <= line);
                start.chunk + inside.saturating_sub(1)
            }
            _ => self.count(),
        }
    }

    /// The lines of some chunks, from 0.
    pub(super) fn lines_of(&self, chunks: Range<usize>) -> Range<usize> {
        let start = |chunk| {
            let found = self.find(chunk)?;
            found.group.starts.get(found.inside).map(|line| found.start.line + line)
        };
        let start = |chunk| start(chunk).unwrap_or(self.end.line);
        start(chunks.start)..start(chunks.end)
    }

    /// A chunk by its number.
    pub(super) fn get(&self, chunk: usize) -> Option<&Chunk> {
        let found = self.find(chunk)?;
        found.group.list.get(found.inside).map(|chunk| &**chunk)
    }

    fn find(&self, chunk: usize) -> Option<Found<'_>> {
        let number = self.starts.partition_point(|start| start.chunk <= chunk).checked_sub(1)?;
        let (&start, group) = self.starts.get(number).zip(self.groups.get(number))?;
        let inside = chunk - start.chunk;
        (inside < group.list.len()).then_some(Found { number, start, group, inside })
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Chunk> {
        of_groups(&self.groups)
    }

    /// All from this one on, with their numbers.
    pub(super) fn from(&self, chunk: usize) -> impl Iterator<Item = (usize, &Chunk)> {
        let (groups, inside) = match self.find(chunk) {
            Some(found) => (self.groups.get(found.number..), found.inside),
            None => (None, 0),
        };
        (chunk..).zip(of_groups(groups.unwrap_or_default()).skip(inside))
    }

    /// All before this one, with their numbers, the last one first.
    pub(super) fn before(&self, chunk: usize) -> impl Iterator<Item = (usize, &Chunk)> {
        let last = chunk.min(self.count()).checked_sub(1).and_then(|last| self.find(last));
        let (groups, behind) = match last {
            Some(found) => (self.groups.get(..=found.number), found.group.list.len() - found.inside - 1),
            None => (None, 0),
        };
        let numbers = (0..chunk.min(self.count())).rev();
        numbers.zip(of_groups(groups.unwrap_or_default()).rev().skip(behind))
    }

    /// Whether there is a NUL byte.
    pub(super) fn has_nul(&self, base: &[u8]) -> bool {
        let found = |group: &Group| group.list.iter().any(|chunk| chunk.has_nul(base));
        self.groups.iter().any(|group| *group.has_nul.get_or_init(|| found(group)))
    }

    /// Whether everything is UTF-8.
    pub(super) fn is_utf8(&self, base: &[u8]) -> bool {
        let found = |group: &Group| group.list.iter().all(|chunk| chunk.is_utf8(base));
        self.groups.iter().all(|group| *group.is_utf8.get_or_init(|| found(group)))
    }

    /// Whether two states of one file have the same bytes. What they share is not looked at.
    pub(super) fn same(&self, other: &Self, base: &[u8]) -> bool {
        if self.len != other.len {
            return false;
        }
        let (ours, theirs) = unshared(&self.groups, &other.groups);
        let (mut ours, mut theirs) = (of_groups(ours), of_groups(theirs));
        let (mut left, mut right): (&[u8], &[u8]) = (&[], &[]);
        loop {
            if left.is_empty() && right.is_empty() {
                let (Some(our), Some(their)) = (ours.next(), theirs.next()) else { return true };
                if !std::ptr::eq(our, their) {
                    (left, right) = (our.text(base), their.text(base));
                }
                continue;
            }
            if left.is_empty() {
                left = ours.next().map_or(&[], |chunk| chunk.text(base));
            }
            if right.is_empty() {
                right = theirs.next().map_or(&[], |chunk| chunk.text(base));
            }
            let (our, left_rest) = left.split_at(left.len().min(right.len()));
            let (their, right_rest) = right.split_at(our.len());
            if our != their || our.is_empty() {
                return false;
            }
            (left, right) = (left_rest, right_rest);
        }
    }
}

fn of_groups(groups: &[Rc<Group>]) -> impl DoubleEndedIterator<Item = &Chunk> {
    groups.iter().flat_map(|group| &group.list).map(|chunk| &**chunk)
}

/// What is left of two lists without the groups at both ends that they share.
fn unshared<'g>(ours: &'g [Rc<Group>], theirs: &'g [Rc<Group>]) -> (&'g [Rc<Group>], &'g [Rc<Group>]) {
    let is_shared = |(our, their): &(&Rc<Group>, &Rc<Group>)| Rc::ptr_eq(our, their);
    let before = ours.iter().zip(theirs).take_while(is_shared).count();
    let cut = |groups: &'g [Rc<Group>]| groups.get(before..).unwrap_or_default();
    let (ours, theirs) = (cut(ours), cut(theirs));
    let after = ours.iter().rev().zip(theirs.iter().rev()).take_while(is_shared).count();
    let cut = |groups: &'g [Rc<Group>]| groups.get(..groups.len() - after).unwrap_or_default();
    (cut(ours), cut(theirs))
}

/// Chunks that are being put together.
#[derive(Debug, Default)]
struct Builder {
    done: Chunks,
    /// The chunks of the group that is not full yet.
    open: Vec<Rc<Chunk>>,
}

impl Builder {
    fn push(&mut self, chunk: Rc<Chunk>) {
        self.open.push(chunk);
        if self.open.len() == 2 * GROUP {
            // The other half is left, or a small rest at every edit would add up to many groups.
            let rest = self.open.split_off(GROUP);
            self.close();
            self.open = rest;
        }
    }

    /// Goes on with some chunks of another state; groups that stay whole are shared with it.
    fn keep(&mut self, other: &Chunks, mut chunks: Range<usize>) {
        while let Some(Found { group, inside, .. }) = other.find(chunks.start).filter(|_| !chunks.is_empty())
        {
            let end = group.list.len().min(inside + chunks.len());
            chunks.start += end - inside;
            if end - inside == group.list.len() {
                self.close();
                self.add(Rc::clone(group));
            } else {
                let kept = group.list.get(inside..end).unwrap_or_default();
                kept.iter().for_each(|chunk| self.push(Rc::clone(chunk)));
            }
        }
    }

    /// Makes a group of the chunks that are in none.
    fn close(&mut self) {
        if !self.open.is_empty() {
            let list = std::mem::take(&mut self.open);
            self.add(Rc::new(Group::new(list)));
        }
    }

    fn add(&mut self, group: Rc<Group>) {
        let Chunks { groups, starts, end, len } = &mut self.done;
        starts.push(*end);
        *end = Start { line: end.line + group.lines, chunk: end.chunk + group.list.len() };
        *len += group.len;
        groups.push(group);
    }

    fn finish(mut self) -> Chunks {
        self.close();
        self.done
    }
}

impl Group {
    fn new(list: Vec<Rc<Chunk>>) -> Self {
        let (mut starts, mut lines, mut len) = (Vec::with_capacity(list.len()), 0, 0);
        for chunk in &list {
            starts.push(lines);
            lines += chunk.lines();
            len += chunk.len();
        }
        Self { list, starts, lines, len, has_nul: OnceCell::new(), is_utf8: OnceCell::new() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes(chunks: &Chunks, base: &[u8]) -> Vec<u8> {
        chunks.iter().flat_map(|chunk| chunk.text(base)).copied().collect()
    }

    /// What is asked of the groups agrees with the chunks one after the other.
    fn assert_whole(chunks: &Chunks, base: &[u8]) {
        let mut line = 0;
        for (number, chunk) in chunks.iter().enumerate() {
            assert!(std::ptr::eq(chunk, chunks.get(number).unwrap()));
            assert_eq!(chunks.lines_of(number..number + 1), line..line + chunk.lines());
            for inside in 0..chunk.lines() {
                assert_eq!(chunks.chunk_of(line + inside), number);
            }
            line += chunk.lines();
        }
        let count = chunks.iter().count();
        let pointers = |from: usize| {
            chunks.iter().enumerate().skip(from).map(|(number, chunk)| (number, std::ptr::from_ref(chunk)))
        };
        for number in 0..count + 2 {
            let after = chunks.from(number).map(|(number, chunk)| (number, std::ptr::from_ref(chunk)));
            assert!(after.eq(pointers(number)));
            let before = chunks.before(number).map(|(number, chunk)| (number, std::ptr::from_ref(chunk)));
            let wanted: Vec<_> = pointers(0).take(number).collect();
            assert!(before.eq(wanted.into_iter().rev()));
        }
        assert_eq!((chunks.count(), chunks.lines(), chunks.chunk_of(line)), (count, line, count));
        assert!(chunks.get(count).is_none());
        let text = bytes(chunks, base);
        assert_eq!(chunks.len(), text.len());
        assert_eq!(chunks.has_nul(base), text.contains(&0));
        assert_eq!(chunks.is_utf8(base), std::str::from_utf8(&text).is_ok());
        assert!(chunks.groups.iter().all(|group| (1..=2 * GROUP).contains(&group.list.len())));
    }

    proptest! {
        #[test]
        fn groups_are_one_list_of_chunks(
            base in "([ab]{0,9}\\n){0,120}[ab]{0,3}",
            changes in proptest::collection::vec((any::<[prop::sample::Index; 2]>(), "(\0|\u{e9}|[ab]{0,9}\\n){0,40}"), 0..12),
        ) {
            let base = base.into_bytes();
            let mut chunks = Chunks::new(&base);
            assert_whole(&chunks, &base);
            for (places, text) in changes {
                let mut range = places.map(|place| place.index(chunks.count() + 1));
                range.sort_unstable();
                let parts = [0..range[0], range[1]..chunks.count()].map(|part| {
                    chunks.iter().skip(part.start).take(part.len()).flat_map(|chunk| chunk.text(&base)).copied().collect::<Vec<_>>()
                });
                // In the middle of a line nothing is cut.
                let [before, after] = parts;
                prop_assume!(before.is_empty() || before.ends_with(b"\n"));
                let text = if after.is_empty() || text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
                let new = chunks.with(vec![(range[0]..range[1], text.clone().into_bytes())]);
                assert_whole(&new, &base);
                let wanted = [before, text.into_bytes(), after].concat();
                prop_assert_eq!(bytes(&new, &base), &*wanted);
                prop_assert_eq!(new.same(&chunks, &base), wanted == bytes(&chunks, &base));
                prop_assert!(new.same(&new.clone(), &base));
                chunks = new;
            }
        }
    }

    #[test]
    fn groups_that_no_change_touches_are_shared() {
        let base = b"a line\n".repeat(400);
        let chunks = Chunks::new(&base);
        assert!(chunks.groups.len() >= 40, "{}", chunks.groups.len());
        let middle = chunks.count() / 2;
        let new = chunks.with(vec![(middle..middle + 1, b"another\n".to_vec())]);
        let is_shared = |group: &&Rc<Group>| chunks.groups.iter().any(|old| Rc::ptr_eq(old, group));
        assert_eq!(new.groups.iter().filter(|group| !is_shared(group)).count(), 1);
    }
}
