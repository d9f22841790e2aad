//! Trees of small files, what becomes of them, and the diffs that say so.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;

use similar::TextDiff;

use crate::random::Random;
use crate::tools::git_command;

/// A file: its text, and whether it is executable.
pub(crate) type File = (String, bool);
pub(crate) type Tree = BTreeMap<String, File>;

/// Who writes the diff, and with how many lines of context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `git diff`, with renames and copies.
    Git(usize),
    /// `---`, `+++` and hunks only.
    Plain(usize),
}

impl Style {
    pub(crate) fn context(self) -> usize {
        let (Self::Git(context) | Self::Plain(context)) = self;
        context
    }
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) before: Tree,
    pub(crate) after: Tree,
    pub(crate) style: Style,
    /// Whether no line stands twice in a file, so that each hunk has one place.
    pub(crate) is_distinct: bool,
    pub(crate) diff: String,
}

const NAMES: &[&str] =
    &["x", "y.txt", "dir/z", "with blank", "uml\u{e4}ut", "dir/sub/quo\"te", "party \u{1f389}"];

/// The cases, with their diffs; git writes all of its own in four runs.
pub(crate) fn make(count: usize, random: &mut Random) -> Vec<Case> {
    let mut cases: Vec<Case> =
        (0..count).map(|_| case(random)).filter(|case| case.before != case.after).collect();
    let repository = tempfile::tempdir().unwrap();
    let run = |args: &[&str], input: Vec<u8>| {
        let mut command = git_command(repository.path());
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success(), "git {args:?}");
        output.stdout
    };
    run(&["init", "-q"], Vec::new());
    let import: Vec<u8> = cases.iter().enumerate().flat_map(|(index, case)| commits(index, case)).collect();
    run(&["fast-import", "--quiet"], import);
    for context in 0..4 {
        let unified = format!("-U{context}");
        let mut wanted: Vec<_> =
            cases.iter_mut().enumerate().filter(|(_, case)| case.style == Style::Git(context)).collect();
        let pairs: String = wanted
            .iter()
            .map(|(index, _)| format!("before{index}^{{tree}}\nafter{index}^{{tree}}\n"))
            .collect();
        let trees =
            String::from_utf8(run(&["cat-file", "--batch-check=%(objectname)"], pairs.into_bytes())).unwrap();
        let trees: Vec<_> = trees.lines().collect();
        let pairs: Vec<String> = trees.chunks(2).map(|pair| format!("{} {}\n", pair[0], pair[1])).collect();
        let args = [
            "diff-tree",
            "--stdin",
            "-r",
            "-p",
            "-B",
            "-M30",
            "-C30",
            "--find-copies-harder",
            "--full-index",
            &unified,
        ];
        let mut rest = String::from_utf8(run(&args, pairs.concat().into_bytes())).unwrap();
        for ((_, case), pair) in wanted.iter_mut().zip(&pairs).rev() {
            let at = rest.rfind(pair.as_str()).unwrap();
            case.diff = rest.split_off(at).split_off(pair.len());
        }
        assert_eq!(rest, "");
    }
    for case in &mut cases {
        if let Style::Plain(context) = case.style {
            case.diff = plain(case, context);
        }
    }
    cases
}

/// Two commits for `git fast-import`.
fn commits(index: usize, case: &Case) -> Vec<u8> {
    let mut out = String::new();
    for (name, tree) in [("before", &case.before), ("after", &case.after)] {
        out.push_str(&format!("commit refs/heads/{name}{index}\ncommitter x <x> 0 +0000\ndata 0\n"));
        for (path, (text, executable)) in tree {
            let mode = if *executable { "100755" } else { "100644" };
            let path = path.replace('\\', "\\\\").replace('"', "\\\"");
            out.push_str(&format!("M {mode} inline \"{path}\"\ndata {}\n{text}\n", text.len()));
        }
    }
    out.into_bytes()
}

/// The diff without git's own lines, as `diff -u` writes it.
fn plain(case: &Case, context: usize) -> String {
    let mut diff = String::new();
    let paths: std::collections::BTreeSet<_> = case.before.keys().chain(case.after.keys()).collect();
    for path in paths {
        let (old, new) = (case.before.get(path), case.after.get(path));
        let name = |prefix: &str, file: Option<&File>| match file {
            Some(_) if path.contains(' ') => format!("{prefix}/{path}\t"),
            Some(_) => format!("{prefix}/{path}"),
            None => "/dev/null".to_owned(),
        };
        let text = |file: Option<&File>| file.map_or("", |file| &file.0).to_owned();
        let (old_text, new_text) = (text(old), text(new));
        let between = TextDiff::from_lines(&old_text, &new_text);
        let hunks = between.unified_diff().context_radius(context).to_string();
        if !hunks.is_empty() {
            diff.push_str(&format!("--- {}\n+++ {}\n{hunks}", name("a", old), name("b", new)));
        }
    }
    diff
}

fn case(random: &mut Random) -> Case {
    let is_distinct = random.one_in(2);
    let context = random.below(4);
    let style = if random.one_in(4) { Style::Plain(context) } else { Style::Git(context) };
    let mut before = Tree::new();
    for _ in 0..random.pick(&[1, 1, 1, 2, 3]) {
        let (name, text) = (random.pick(NAMES), text(random, is_distinct));
        before.insert(name.to_owned(), (text, random.one_in(5)));
    }
    let mut after = before.clone();
    for name in before.keys() {
        match (random.below(12), style) {
            (0, _) => drop(after.remove(name)),
            (1 | 2, Style::Git(_)) => move_file(name, &mut after, random, is_distinct),
            (3, Style::Git(_)) => {
                after.entry(name.clone()).and_modify(|file| file.1 = !file.1).or_default().1 |= false
            }
            (4, _) => {}
            _ => {
                if let Some(file) = after.get_mut(name) {
                    file.0 = edited(&file.0, random, is_distinct);
                }
            }
        }
    }
    if let ([one, other, ..], Style::Git(_)) = (before.keys().collect::<Vec<_>>().as_slice(), style)
        && random.one_in(4)
        && let (Some(first), Some(second)) = (after.get(*one).cloned(), after.get(*other).cloned())
    {
        after.insert((*one).clone(), second);
        after.insert((*other).clone(), first);
    }
    if random.one_in(4) {
        let name = random.pick(NAMES).to_owned();
        let made = text(random, is_distinct);
        after.entry(name).or_insert((made, false));
    }
    if matches!(style, Style::Plain(_)) {
        // Without git's lines nothing tells of modes, and no hunk of empty files.
        after.retain(|name, file| before.contains_key(name) || !file.0.is_empty());
        for (name, file) in &before {
            if file.0.is_empty() {
                after.entry(name.clone()).or_insert(file.clone());
            }
            after.entry(name.clone()).and_modify(|made| made.1 = file.1);
        }
    }
    Case { before, after, style, is_distinct, diff: String::new() }
}

fn move_file(name: &str, after: &mut Tree, random: &mut Random, is_distinct: bool) {
    let target = random.pick(NAMES);
    let Some(file) = after.get(name).cloned().filter(|_| !after.contains_key(target)) else { return };
    if random.one_in(2) {
        after.remove(name);
    }
    let text = if random.one_in(2) { edited(&file.0, random, is_distinct) } else { file.0 };
    after.insert(target.to_owned(), (text, file.1));
}

fn line(random: &mut Random, is_distinct: bool) -> String {
    const LINES: &[&str] =
        &["a", "b", "c", "", " ", "-- x", "++ y", "- item", "a ", "\u{e9}", "    code();", "@@ -1 +1 @@"];
    match is_distinct {
        true => format!("line {:x}", random.next() & 0xff_ffff),
        false => random.pick(LINES).to_owned(),
    }
}

fn text(random: &mut Random, is_distinct: bool) -> String {
    let count = random.pick(&[0, 1, 2, 3, 5, 8, 12, 24]);
    let mut text: String = (0..count).map(|_| line(random, is_distinct) + "\n").collect();
    if random.one_in(5) {
        text.pop();
    }
    text
}

/// The text with some lines added, removed and replaced, and perhaps another end.
fn edited(text: &str, random: &mut Random, is_distinct: bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(3) {
        let at = random.below(lines.len() + 1);
        match random.below(3) {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 if at < lines.len() => lines[at] = line(random, is_distinct),
            _ => lines.insert(at, line(random, is_distinct)),
        }
    }
    let ends = text.is_empty() || text.ends_with('\n');
    let mut edited = lines.join("\n");
    if !lines.is_empty() && (ends != random.one_in(8)) {
        edited.push('\n');
    }
    edited
}
