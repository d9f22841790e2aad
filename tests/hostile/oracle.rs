//! What may become of a damaged reply. The library's code has no part in it: the roles of the lines tell what a reader who
//! knows what was meant would read.

use std::collections::{BTreeMap, BTreeSet};

use code_parser::ast::InputKind;
use code_parser::diagnostic::Severity;

use crate::case::{Case, NO_NEWLINE};
use crate::damage::{Damaged, HOSTILE, Verdict};
use crate::disk::{Entry, FIXTURES, Run, Snapshot};
use crate::edit::{Edit, Operation, Shape};
use crate::reply::{Line, Role};
use crate::tree::{End, Tree};

type Files = BTreeMap<String, Vec<u8>>;

/// The fault of a run, if it has one.
pub(crate) fn fault(
    case: &Case,
    damaged: &Damaged,
    run: &Run,
    before: &Snapshot,
    after: &Snapshot,
) -> Option<String> {
    if fixed(before) != fixed(after) {
        return Some("something else was touched".to_owned());
    }
    if !run.is_applied {
        if before != after {
            return Some("refused, and the tree is not as it was".to_owned());
        }
        // What holds no edit, or is no text, has no place for the error.
        let has_place = run
            .findings
            .iter()
            .filter(|found| found.severity == Severity::Error)
            .any(|found| found.lines.is_some() || found.code == "no-changes" || found.code == "not-utf8");
        return (!has_place).then(|| "refused without an error that has a place".to_owned());
    }
    if run.findings.iter().any(|found| found.severity == Severity::Error) {
        return Some("applied with an error".to_owned());
    }
    if damaged.verdict == Verdict::Refused {
        return Some("applied what must be refused".to_owned());
    }
    if !modes_are_kept(before, after) {
        return Some("a mode was not kept".to_owned());
    }
    let found = files(after);
    let expected = expected(case, damaged, run, &found);
    if expected.iter().any(|tree| fits(tree, &found)) {
        return None;
    }
    let nearest = expected.iter().max_by_key(|tree| {
        tree.iter().filter(|(path, text)| found.get(*path).is_some_and(|bytes| text.fits(bytes))).count()
    });
    let nearest =
        nearest.map(|tree| tree.iter().map(|(path, text)| (path.clone(), text.bytes())).collect::<Files>());
    Some(format!(
        "applied as something else\nbefore: {}\none of {} expected: {}\nfound: {}",
        shown(&files(before)),
        expected.len(),
        nearest.map_or_else(String::new, |files| shown(&files)),
        shown(&found)
    ))
}

/// What no reply may touch.
fn fixed(snapshot: &Snapshot) -> Snapshot {
    let is_fixed = |path: &str| match path.strip_prefix("root/") {
        Some(path) => FIXTURES.contains(&path) || path.starts_with(".git/"),
        None => true,
    };
    snapshot
        .iter()
        .filter(|(path, _)| is_fixed(path))
        .map(|(path, entry)| (path.clone(), entry.clone()))
        .collect()
}

fn files(snapshot: &Snapshot) -> Files {
    let fixed = fixed(snapshot);
    let files = snapshot.iter().filter(|(path, _)| !fixed.contains_key(*path)).filter_map(|(path, entry)| {
        let path = path.strip_prefix("root/")?.to_owned();
        match entry {
            Entry::File(bytes, _) => Some((path, bytes.clone())),
            Entry::Link(target) => Some((path, format!("-> {}", target.display()).into_bytes())),
            Entry::Folder(_) => None,
        }
    });
    files.collect()
}

fn modes_are_kept(before: &Snapshot, after: &Snapshot) -> bool {
    before.iter().all(|(path, old)| match (old, after.get(path)) {
        (Entry::File(_, old), Some(Entry::File(_, new))) => old == new,
        _ => true,
    })
}

fn fits(tree: &Tree, found: &Files) -> bool {
    tree.len() == found.len()
        && tree.iter().all(|(path, text)| found.get(path).is_some_and(|bytes| text.fits(bytes)))
}

pub(crate) fn shown(files: &Files) -> String {
    files.iter().map(|(path, bytes)| format!("\n  {path}: {:?}", String::from_utf8_lossy(bytes))).collect()
}

/// Every tree that is right.
fn expected(case: &Case, damaged: &Damaged, run: &Run, found: &Files) -> Vec<Tree> {
    let mut trees = vec![case.tree.clone()];
    for index in 0..damaged.edits.len() {
        let choices = choices(case.kind, damaged, run, found, index);
        let mut next: Vec<Tree> = Vec::new();
        for tree in &trees {
            for choice in &choices {
                let made = match choice {
                    Some(edit) => edit.applied(case.kind, tree),
                    None => vec![tree.clone()],
                };
                for tree in made {
                    if !next.contains(&tree) {
                        next.push(tree);
                    }
                }
            }
        }
        next.truncate(2000);
        trees = next;
    }
    if damaged.frees_ends {
        // A line that a diff adds may keep the ending that it has there, in a new file and among lines of both.
        let added = added_lines(damaged);
        for (path, text) in trees.iter_mut().flat_map(|tree| tree.iter_mut()) {
            let old = case.tree.get(path).map(|text| &text.lines);
            let is_new = |line: &String| {
                added.contains(line.as_str()) || old.is_none_or(|old| old.iter().all(|(old, _)| old != line))
            };
            let ended = text.lines.iter_mut().filter(|(line, end)| is_new(line) && *end != End::No);
            ended.for_each(|(_, end)| *end = End::Any);
        }
    }
    trees
}

/// The lines that diffs add.
fn added_lines(damaged: &Damaged) -> BTreeSet<&str> {
    let hunks = damaged.edits.iter().filter_map(|edit| match &edit.shape {
        Shape::Diff { hunks, .. } => Some(hunks),
        _ => None,
    });
    hunks.flatten().flatten().filter_map(|line| line.strip_prefix('+')).collect()
}

/// What may become of one edit: itself, another, or nothing.
fn choices(kind: InputKind, damaged: &Damaged, run: &Run, found: &Files, index: usize) -> Vec<Option<Edit>> {
    let edit = &damaged.edits[index];
    let mut choices = vec![Some(edit.clone())];
    // What is told may be told alone, and what is told twice is done once.
    if edit.is_narration || damaged.verdict == Verdict::Shown {
        choices.push(None);
    }
    let lines: Vec<_> = damaged.lines.iter().filter(|line| line.edit == Some(index)).collect();
    let is_touched = damaged.touched.contains(&index);
    if !damaged.touched.is_empty() && is_told(damaged, run, index) {
        choices.push(None);
    }
    if !damaged.touched.is_empty() && matches!(edit.shape, Shape::Sentence { .. }) {
        // Words in a fence that begins too early are no sentence.
        choices.push(None);
    }
    if !is_touched {
        let is_of_file = |that: &Edit| match &that.shape {
            Shape::Diff { operation: Operation::Rename(to), .. } if *to == edit.path => true,
            _ => that.path == edit.path,
        };
        let others = damaged.edits.iter().enumerate().any(|(other, that)| other != index && is_of_file(that));
        if others && run.findings.iter().any(|found| found.code == "ignored-narration") {
            choices.push(None);
        }
        return choices;
    }
    // Nor is a code block with what looks like no path; the hostile ones are of many kinds.
    let is_hostile = HOSTILE.contains(&edit.path.as_str()) && matches!(edit.shape, Shape::Whole(_));
    if is_hostile || may_go_untold(&edit.shape, &lines, damaged.is_short) {
        choices.push(None);
    }
    if let Shape::Diff { operation, hunks, starts, .. } = &edit.shape {
        // How the file ends may be lost with the line that says so.
        let (operation, hunks, starts) = (operation.clone(), hunks.clone(), starts.clone());
        let shape = Shape::Diff { operation, hunks, starts, frees_end: true };
        choices.push(Some(Edit { shape, ..edit.clone() }));
    }
    let read = reconstructed(edit, damaged, index);
    let cut = indentation(&lines).zip(read.clone()).map(|(width, edit)| indented_less(edit, width));
    let shorter = read.clone().and_then(without_blank_ends);
    let read: Vec<_> = read.into_iter().chain(cut).chain(shorter).collect();
    choices.extend(read.iter().cloned().map(Some));
    for edit in std::iter::once(edit.clone()).chain(read) {
        choices.extend(elsewhere(&edit, damaged, found, index, &lines).into_iter().map(Some));
        if kind == InputKind::Fsrb {
            choices.extend(below_other(&edit, damaged, index).map(Some));
        }
    }
    choices
}

/// How many columns the fence of an edit is further in: its lines lose as many, as CommonMark has it.
fn indentation(lines: &[&Line]) -> Option<usize> {
    let fence = lines.iter().find(|line| line.text.contains("```") || line.text.contains("~~~"))?;
    Some(fence.text.find(['`', '~'])?).filter(|width| *width > 0)
}

/// The diff without blank lines at the ends of its hunks: they may be no part of them when the counts are wrong.
fn without_blank_ends(edit: Edit) -> Option<Edit> {
    let Shape::Diff { operation, mut hunks, starts, frees_end } = edit.shape else { return None };
    for hunk in &mut hunks {
        let kept = hunk.iter().rposition(|line| line.trim() != "").map_or(0, |last| last + 1);
        hunk.truncate(kept);
    }
    Some(Edit { shape: Shape::Diff { operation, hunks, starts, frees_end }, ..edit })
}

fn indented_less(edit: Edit, width: usize) -> Edit {
    let cut = |lines: Vec<String>| -> Vec<String> {
        let spaces = |line: &str| line.bytes().take(width).take_while(|byte| *byte == b' ').count();
        lines.into_iter().map(|line| line[spaces(&line)..].to_owned()).collect()
    };
    let shape = match edit.shape {
        Shape::Block { old, new } => Shape::Block { old: cut(old), new: cut(new) },
        Shape::Whole(lines) => Shape::Whole(cut(lines)),
        shape => shape,
    };
    Edit { shape, ..edit }
}

/// Whether a diagnostic says that something at the place of the edit was not read.
fn is_told(damaged: &Damaged, run: &Run, index: usize) -> bool {
    let numbers = || {
        damaged.lines.iter().enumerate().filter(|(_, line)| line.edit == Some(index)).map(|(at, _)| at + 1)
    };
    let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else { return false };
    let damage = damaged.lines.iter().position(|line| line.is_damaged).map(|at| at + 1);
    run.findings.iter().any(|found| {
        let tells = found.severity != Severity::Note || found.code == "ignored-narration";
        let is_other = matches!(
            found.code.as_str(),
            "hunk-count-mismatch" | "trailing-space-match" | "no-op" | "hard-link" | "mid-line-match"
        );
        // What a lost fence swallows is told once, somewhere behind the damage.
        let is_swallowed = |start: usize| damage.is_some_and(|damage| damage <= first && start >= damage);
        let is_near = found
            .lines
            .is_some_and(|(start, end)| start <= last + 2 && end + 2 >= first || is_swallowed(start));
        tells && !is_other && is_near
    })
}

/// Whether what is left of an edit looks like no edit at all.
fn may_go_untold(shape: &Shape, lines: &[&Line], is_cut: bool) -> bool {
    let has = |role: Role| lines.iter().any(|line| line.role == role);
    let has_whole = |role: Role| lines.iter().any(|line| line.role == role && !line.is_damaged);
    match shape {
        // A sentence that is not word for word an order is prose.
        Shape::Sentence { .. } => true,
        // A code block without a path is code that is shown.
        Shape::Whole(_) => {
            // Nor is it one when its fence is none, with the code as words.
            let is_opened = !lines.iter().any(|line| line.role == Role::Open && line.is_damaged);
            !has_whole(Role::Path) || !is_opened || !(has(Role::Open) || has(Role::Content))
        }
        // Nothing but a line with a path.
        Shape::Block { .. } => !lines.iter().any(|line| !matches!(line.role, Role::Path | Role::Prose)),
        // The first lines of a section of git's, cut off, are words.
        Shape::Diff { .. } => is_cut && !lines.iter().any(|line| line.role == Role::HunkHeader),
    }
}

/// The edit as the lines that are left have it, if its markers are in order.
fn reconstructed(edit: &Edit, damaged: &Damaged, index: usize) -> Option<Edit> {
    let at = |role: Role| -> Vec<usize> {
        (0..damaged.lines.len())
            .filter(|at| damaged.lines[*at].edit == Some(index) && damaged.lines[*at].role == role)
            // A marker behind a backslash is content.
            .filter(|at| !damaged.lines[*at].text.starts_with('\\'))
            .collect()
    };
    let between = |start: usize, end: usize| -> Option<Vec<String>> {
        Some(damaged.lines.get(start + 1..end)?.iter().map(|line| unescaped(&line.text)).collect())
    };
    let shape = match &edit.shape {
        Shape::Block { .. } => {
            let (search, separator, replace) = (at(Role::Search), at(Role::Separator), at(Role::Replace));
            let ([search], [separator], [replace]) =
                (search.as_slice(), separator.as_slice(), replace.as_slice())
            else {
                return None;
            };
            Shape::Block { old: between(*search, *separator)?, new: between(*separator, *replace)? }
        }
        Shape::Whole(_) => {
            let opened = [at(Role::Open), at(Role::Path)].concat().into_iter().max()?;
            let closed = at(Role::Close);
            let [closed] = closed.as_slice() else { return None };
            Shape::Whole(
                damaged.lines.get(opened + 1..*closed)?.iter().map(|line| line.text.clone()).collect(),
            )
        }
        Shape::Sentence { .. } => {
            let line = damaged.lines.iter().find(|line| line.edit == Some(index))?;
            let (path, shape) = sentence(&line.text)?;
            return Some(Edit { path, shape, ..edit.clone() });
        }
        Shape::Diff { operation, starts, hunks, .. } => {
            diff(operation, starts, count_of_lines(hunks), damaged, index)?
        }
    };
    Some(Edit { shape, ..edit.clone() })
}

/// The lines that the header of a hunk counts.
fn count_of_lines(hunks: &[Vec<String>]) -> usize {
    hunks.iter().flatten().filter(|line| !line.starts_with('\\')).count()
}

fn diff(
    operation: &Operation,
    starts: &[usize],
    count: usize,
    damaged: &Damaged,
    index: usize,
) -> Option<Shape> {
    let mut hunks: Vec<Vec<String>> = Vec::new();
    let (mut frees_end, mut is_numbered) = (false, true);
    for (at, line) in damaged.lines.iter().enumerate().filter(|(_, line)| line.edit == Some(index)) {
        match line.role {
            Role::HunkHeader => {
                hunks.push(Vec::new());
                is_numbered = line.text.contains(|letter: char| letter.is_ascii_digit());
            }
            Role::HunkLine => {
                let is_last = at + 1 == damaged.lines.len();
                let is_hunk_line = line.text.is_empty() || line.text.starts_with([' ', '+', '-', '\\', '\t']);
                // A part of a line is not what was meant; but nothing tells that it is one without numbers, or when it
                // is the last line that they promise.
                let is_cut = is_last && damaged.is_cut && is_numbered;
                let is_all = count_of_lines(&hunks) + 1 == count;
                (is_hunk_line && (!is_cut || is_all)).then_some(())?;
                frees_end |= line.is_damaged || line.text == NO_NEWLINE;
                hunks.last_mut()?.push(if line.text.is_empty() { " ".to_owned() } else { line.text.clone() });
            }
            _ => {}
        }
    }
    Some(Shape::Diff { operation: operation.clone(), hunks, starts: starts.to_vec(), frees_end })
}

fn sentence(line: &str) -> Option<(String, Shape)> {
    let (spans, texts): (Vec<_>, Vec<_>) = (line.split('`').collect(), line.split('"').collect());
    let (path, old, new) = match (spans.as_slice(), texts.as_slice()) {
        ([start, one, _, two, _, three, _], _) if start.trim().to_lowercase().starts_with("in") => {
            (one, two, three)
        }
        ([_, one, _, two, _, three, _], _) => (three, one, two),
        (_, [start, one, _, two, _]) => (&start.split([' ', ':']).nth(1)?, one, two),
        _ => return None,
    };
    let shape = Shape::Sentence { old: (*old).to_owned(), new: (*new).to_owned() };
    Some(((*path).to_owned(), shape))
}

/// The edit for another file, where its path is not what it was.
fn elsewhere(edit: &Edit, damaged: &Damaged, found: &Files, index: usize, lines: &[&Line]) -> Vec<Edit> {
    let paths: Vec<_> =
        lines.iter().filter(|line| line.role == Role::Path || line.role == Role::Header).collect();
    if paths.iter().any(|line| line.role == Role::Path && !line.is_damaged) {
        return Vec::new();
    }
    let mut names = BTreeSet::new();
    // Without a path of its own a block has that of the block before.
    if matches!(edit.shape, Shape::Block { .. }) {
        names.extend(damaged.edits[..index].iter().map(|edit| edit.path.clone()));
    }
    // A name that was changed is another name.
    let is_in = |name: &str| {
        let lines = damaged.lines.iter().filter(|line| matches!(line.role, Role::Path | Role::Header));
        // Of a header each line may be believed when one is damaged; two path lines may have been exchanged.
        lines.clone().any(|line| line.is_damaged) && lines.into_iter().any(|line| line.text.contains(name))
    };
    names.extend(found.keys().filter(|name| is_in(name)).cloned());
    names.remove(&edit.path);
    let other = |path: String| match &edit.shape {
        // Where the two names of a diff differ and only the old one is there, it is a move.
        Shape::Diff { operation: Operation::Modify | Operation::Rename(_), hunks, starts, frees_end } => {
            let (hunks, starts, operation) = (hunks.clone(), starts.clone(), Operation::Rename(path));
            let shape = Shape::Diff { operation, hunks, starts, frees_end: *frees_end };
            Edit { shape, ..edit.clone() }
        }
        _ => Edit { path, ..edit.clone() },
    };
    names.into_iter().map(other).collect()
}

/// A new file under the name that stands above its block, which in a patch file is the path whatever it looks like.
fn below_other(edit: &Edit, damaged: &Damaged, index: usize) -> Option<Edit> {
    let Shape::Block { old, .. } = &edit.shape else { return None };
    let is_first = |line: &Line| line.edit == Some(index) && line.role == Role::Search;
    let search = damaged.lines.iter().position(is_first).filter(|_| old.is_empty())?;
    let is_quiet = |text: &str| {
        let text = text.trim();
        text.is_empty() || ["#", "```", "~~~"].iter().any(|start| text.starts_with(start))
    };
    let above = damaged.lines[..search].iter().rev().find(|line| !is_quiet(&line.text))?;
    Some(Edit { path: above.text.trim().to_owned(), ..edit.clone() })
}

fn unescaped(line: &str) -> String {
    let is_marker = |line: &&str| matches!(line.trim(), "<<<<<<< SEARCH" | "=======" | ">>>>>>> REPLACE");
    line.strip_prefix('\\').filter(is_marker).unwrap_or(line).to_owned()
}
