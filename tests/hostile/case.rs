//! Trees and the edits of them that a reply orders.

use std::collections::BTreeSet;

use code_parser::ast::InputKind;

use crate::edit::{Edit, Operation, Shape, compose};
use crate::random::Random;
use crate::reply::{Reply, Writer};
use crate::tree::{End, Text, Tree};

const PATHS: &[&str] = &[
    "src/a.py",
    "src/b.rs",
    "c.js",
    "docs/guide.txt",
    "lib/deep/x.ts",
    "conf.toml",
    "e/é.py",
    "src/a_test.py",
];
const NEW: &[&str] = &["src/new.py", "made/by/hand.rs", "n.js", "e/ü.ts"];
const SHARED: &[&str] = &[
    "",
    "}",
    "    pass",
    "é = \"ü😀\"",
    "\treturn",
    "- item",
    "-- x",
    "++ y",
    "# heading",
    "=======",
    "> q",
    "{",
    "end  ",
];

pub(crate) struct Case {
    pub(crate) kind: InputKind,
    pub(crate) tree: Tree,
    pub(crate) reply: Reply,
}

/// A tree with a reply that can be applied to it; `None` where the edits that were drawn do not fit.
pub(crate) fn make(random: &mut Random) -> Option<Case> {
    let kind = random.pick(&[
        InputKind::Fsrb,
        InputKind::Response,
        InputKind::Response,
        InputKind::Response,
        InputKind::Diff,
    ]);
    let tree = tree(random);
    let (edits, _) = edits(kind, &tree, random);
    if edits.is_empty() || compose(kind, &tree, &edits).len() != 1 {
        return None;
    }
    let reply = written(kind, edits, random);
    Some(Case { kind, tree, reply })
}

pub(crate) fn written(kind: InputKind, edits: Vec<Edit>, random: &mut Random) -> Reply {
    let mut writer = Writer::new(kind, random);
    writer.write(&edits);
    Reply { lines: writer.lines, edits }
}

fn line(random: &mut Random) -> String {
    if random.one_in(4) {
        return random.pick(SHARED).to_owned();
    }
    let number = random.next() & 0xf_ffff;
    let indent = random.pick(&["", "", "    ", "\t"]);
    match random.below(4) {
        0 => format!("{indent}value_{number:x} = {number}"),
        1 => format!("{indent}call({number:x}, \"é\")"),
        2 => format!("{indent}let x{number:x};"),
        _ => format!("{indent}word {number:x} and more"),
    }
}

fn lines(random: &mut Random, most: usize) -> Vec<String> {
    (0..=random.below(most)).map(|_| line(random)).collect()
}

/// Lines that stand for themselves at both ends, so that blank ones are not cut.
fn framed(random: &mut Random, most: usize) -> Vec<String> {
    let mut lines = lines(random, most);
    for at in [0, lines.len()] {
        lines.insert(at, format!("only_{:x}", random.next() & 0xff_ffff));
    }
    lines
}

fn tree(random: &mut Random) -> Tree {
    let mut tree = Tree::new();
    for _ in 0..=random.below(4) {
        let style = random.below(6);
        let mut text = Text::new(&framed(random, 12), if style == 1 { End::CrLf } else { End::Lf });
        for (_, end) in text.lines.iter_mut().filter(|_| style == 2) {
            *end = if random.one_in(2) { End::CrLf } else { End::Lf };
        }
        text.has_bom = random.one_in(8);
        // A last line that is blank and has no ending would be none.
        if random.one_in(5) && text.lines.last().is_some_and(|(line, _)| !line.is_empty()) {
            text.lines.iter_mut().next_back().into_iter().for_each(|(_, end)| *end = End::No);
        }
        tree.insert(random.pick(PATHS).to_owned(), text);
    }
    tree
}

/// Edits one after the other, and what they make; more than one of a file only as blocks.
pub(crate) fn edits(kind: InputKind, tree: &Tree, random: &mut Random) -> (Vec<Edit>, Tree) {
    let (mut edits, mut now) = (Vec::<Edit>::new(), tree.clone());
    // Files that a shape has that shares them with no other.
    let mut taken = BTreeSet::new();
    for _ in 0..=random.below(4) {
        let Some(edit) = edit(kind, &now, random) else { continue };
        let is_block = matches!(edit.shape, Shape::Block { .. });
        let known = edits.iter().any(|other| other.path == edit.path);
        if taken.contains(&edit.path) || (known && !is_block) {
            continue;
        }
        let made = edit.applied(kind, &now);
        let [next] = made.as_slice() else { continue };
        if *next == now {
            continue;
        }
        if let Shape::Diff { operation: Operation::Rename(to), .. } = &edit.shape {
            if taken.contains(to) || edits.iter().any(|other| other.path == *to) {
                continue;
            }
            taken.insert(to.clone());
        }
        if !is_block || !next.contains_key(&edit.path) {
            taken.insert(edit.path.clone());
        }
        edits.extend(narration(kind, &edit, random));
        edits.push(edit);
        now.clone_from(next);
    }
    (edits, now)
}

/// A sentence that tells of a block.
fn narration(kind: InputKind, edit: &Edit, random: &mut Random) -> Option<Edit> {
    let Shape::Block { old, new } = &edit.shape else { return None };
    let ([old], [new]) = (old.as_slice(), new.as_slice()) else { return None };
    let is_plain =
        |text: &String| !text.trim().is_empty() && text.trim() == text && !text.contains(['`', '"']);
    let tells = kind == InputKind::Response && is_plain(old) && is_plain(new) && random.one_in(2);
    let shape = Shape::Sentence { old: old.clone(), new: new.clone() };
    tells.then(|| Edit { path: edit.path.clone(), shape, is_narration: true })
}

fn edit(kind: InputKind, tree: &Tree, random: &mut Random) -> Option<Edit> {
    let paths: Vec<_> = tree.keys().collect();
    let path = if paths.is_empty() || random.one_in(6) { random.pick(NEW) } else { random.pick(&paths) };
    let shape = match (kind, random.below(8)) {
        (InputKind::Fsrb, _) | (InputKind::Response, 0..=2) => block(tree.get(path), random)?,
        (InputKind::Response, 3 | 4) => Shape::Whole(framed(random, 6)),
        (InputKind::Response, 5) => sentence(tree.get(path)?, random)?,
        _ => diff(tree.get(path), random)?,
    };
    Some(Edit { path: path.to_owned(), shape, is_narration: false })
}

fn block(text: Option<&Text>, random: &mut Random) -> Option<Shape> {
    let Some(text) = text else {
        return Some(Shape::Block { old: Vec::new(), new: framed(random, 5) });
    };
    let all: Vec<_> = text.lines.iter().map(|(line, _)| line.clone()).collect();
    let at = random.below(all.len());
    let old = match random.below(12) {
        0 => all,
        _ => all[at..(at + 1 + random.below(4)).min(all.len())].to_vec(),
    };
    let new = match random.below(6) {
        0 => Vec::new(),
        1 => [old.clone(), lines(random, 2)].concat(),
        _ => lines(random, 4),
    };
    let is_blank = |line: Option<&String>| line.is_none_or(|line| line.trim().is_empty());
    let ends = is_blank(old.first()) || is_blank(old.last());
    // The line `\=======` cannot be written, and blank lines at the end would be at the file's.
    (!ends && (new.is_empty() || !is_blank(new.last()))).then_some(Shape::Block { old, new })
}

fn sentence(text: &Text, random: &mut Random) -> Option<Shape> {
    let line = &text.lines[random.below(text.lines.len())].0;
    let old = line.trim().to_owned();
    let new = format!("told_{:x}", random.next() & 0xffff);
    (old.len() > 8 && !old.contains(['"', '`'])).then_some(Shape::Sentence { old, new })
}

fn diff(text: Option<&Text>, random: &mut Random) -> Option<Shape> {
    let signed =
        |sign: &str, lines: &[String]| lines.iter().map(|line| format!("{sign}{line}")).collect::<Vec<_>>();
    let Some(text) = text else {
        let (hunks, starts) = (vec![signed("+", &framed(random, 4))], vec![0]);
        return Some(Shape::Diff { operation: Operation::Create, hunks, starts, frees_end: false });
    };
    let all: Vec<_> = text.lines.iter().map(|(line, _)| line.clone()).collect();
    let lacks_end = text.lines.last().is_some_and(|(_, end)| *end == End::No);
    if random.one_in(8) {
        let mut hunk = signed("-", &all);
        hunk.extend(lacks_end.then(|| NO_NEWLINE.to_owned()));
        return Some(Shape::Diff {
            operation: Operation::Delete,
            hunks: vec![hunk],
            starts: vec![1],
            frees_end: false,
        });
    }
    let mut hunks = vec![(1, Vec::new())];
    let (mut unchanged, mut at) = (0, 0);
    for (index, line) in all.iter().enumerate() {
        let is_last = index + 1 == all.len();
        let (_, hunk): &mut (usize, Vec<String>) = hunks.last_mut()?;
        match random.below(6) {
            0 => {
                hunk.push(format!("-{line}"));
                hunk.extend((is_last && lacks_end).then(|| NO_NEWLINE.to_owned()));
                let mut new = lines(random, 2);
                new.extend((is_last && lacks_end).then(|| "the end".to_owned()));
                hunk.extend(signed("+", &new));
                hunk.extend((is_last && lacks_end).then(|| NO_NEWLINE.to_owned()));
                unchanged = 0;
            }
            1 if !is_last => {
                hunk.push(format!("-{line}"));
                unchanged = 0;
            }
            2 if !is_last => {
                hunk.push(format!(" {line}"));
                hunk.extend(signed("+", &lines(random, 2)));
                unchanged = 0;
            }
            _ => {
                hunk.push(format!(" {line}"));
                hunk.extend((is_last && lacks_end).then(|| NO_NEWLINE.to_owned()));
                unchanged += 1;
            }
        }
        at += 1;
        if unchanged >= 3 && at > 4 {
            hunks.push((index + 2, Vec::new()));
            (unchanged, at) = (0, 0);
        }
    }
    hunks.retain(|(_, hunk)| hunk.iter().any(|line| line.starts_with(['+', '-'])));
    let (starts, hunks): (Vec<_>, Vec<_>) = hunks.into_iter().unzip();
    let moves = random.one_in(6);
    let operation = if moves { Operation::Rename(random.pick(NEW).to_owned()) } else { Operation::Modify };
    (!hunks.is_empty()).then_some(Shape::Diff { operation, hunks, starts, frees_end: false })
}

pub(crate) const NO_NEWLINE: &str = "\\ No newline at end of file";
