//! Replies line by line: what each line is, and of which edit, so that damage can be told without reading the text.

use code_parser::ast::InputKind;

use crate::edit::{Edit, Operation, Shape};
use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Prose,
    /// The line with the path of a block or a fence.
    Path,
    Open,
    Close,
    Search,
    Separator,
    Replace,
    /// A line of a section, or of a whole file.
    Content,
    /// A line above the hunks of a diff.
    Header,
    HunkHeader,
    HunkLine,
    Sentence,
}

#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) role: Role,
    /// The edit that it is a part of.
    pub(crate) edit: Option<usize>,
    /// Whether it is not as it was written.
    pub(crate) is_damaged: bool,
}

/// A reply and what it orders.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) lines: Vec<Line>,
    pub(crate) edits: Vec<Edit>,
}

const PROSE: &[&str] = &[
    "Here is what I would do.",
    "This keeps the behaviour as it is, but for the new lines.",
    "",
    "Next comes the other part:",
    "> quoted words",
    "- a point",
    "Größe und Maß, 日本語, 🎉.",
    "1. First, some words.",
    "<details>",
];

pub(crate) struct Writer<'r> {
    pub(crate) kind: InputKind,
    pub(crate) random: &'r mut Random,
    pub(crate) lines: Vec<Line>,
    edit: Option<usize>,
}

impl<'r> Writer<'r> {
    pub(crate) fn new(kind: InputKind, random: &'r mut Random) -> Self {
        Self { kind, random, lines: Vec::new(), edit: None }
    }

    fn put(&mut self, role: Role, text: impl Into<String>) {
        self.lines.push(Line { text: text.into(), role, edit: self.edit, is_damaged: false });
    }

    pub(crate) fn write(&mut self, edits: &[Edit]) {
        let mut before: Option<&Edit> = None;
        for (index, edit) in edits.iter().enumerate() {
            self.edit = None;
            if !before.is_some_and(|edit| edit.is_narration) {
                self.prose();
            }
            self.edit = Some(index);
            match &edit.shape {
                Shape::Block { old, new } => self.block(edit, old, new, before),
                Shape::Whole(lines) => self.whole(edit, lines),
                Shape::Sentence { old, new } => self.sentence(edit, old, new),
                Shape::Diff { operation, hunks, starts, .. } => self.diff(edit, operation, hunks, starts),
            }
            before = Some(edit);
        }
        self.edit = None;
        self.prose();
    }

    fn prose(&mut self) {
        if self.kind == InputKind::Fsrb {
            if self.random.one_in(3) {
                let text = self.random.pick(&["", "# a comment", "Some words.", "```"]);
                self.put(Role::Prose, text);
            }
            return;
        }
        self.put(Role::Prose, "");
        for _ in 0..self.random.below(3) {
            let text = self.random.pick(PROSE);
            self.put(Role::Prose, text);
            self.put(Role::Prose, "");
        }
    }

    fn block(&mut self, edit: &Edit, old: &[String], new: &[String], before: Option<&Edit>) {
        let inherits = before.is_some_and(|before| {
            before.path == edit.path && matches!(before.shape, Shape::Block { .. }) && !old.is_empty()
        }) && self.lines.last().is_some_and(|line| line.role == Role::Replace);
        let form = if self.kind == InputKind::Fsrb { self.random.below(2) } else { self.random.below(6) };
        let fence = self.random.pick(&["```", "```", "````", "~~~"]);
        let path = &edit.path;
        let is_fenced = match form {
            _ if inherits => false,
            0 => {
                self.put(Role::Path, path);
                false
            }
            1 => {
                self.put(Role::Path, path);
                self.put(Role::Open, "```python");
                true
            }
            2 => {
                self.put(Role::Path, format!("{fence}python {path}"));
                true
            }
            3 => {
                self.put(Role::Open, fence);
                self.put(Role::Path, path);
                true
            }
            4 => {
                self.put(Role::Path, format!("**File:** `{path}`"));
                self.put(Role::Prose, "");
                self.put(Role::Open, format!("{fence}python"));
                true
            }
            _ => {
                self.put(Role::Path, format!("### `{path}`"));
                false
            }
        };
        self.put(Role::Search, "<<<<<<< SEARCH");
        self.section(old);
        self.put(Role::Separator, "=======");
        self.section(new);
        self.put(Role::Replace, ">>>>>>> REPLACE");
        if is_fenced {
            self.put(Role::Close, if matches!(form, 2..=4) { fence } else { "```" });
        }
    }

    fn section(&mut self, lines: &[String]) {
        for line in lines {
            let is_marker = matches!(line.trim(), "<<<<<<< SEARCH" | "=======" | ">>>>>>> REPLACE");
            self.put(Role::Content, if is_marker { format!("\\{line}") } else { line.clone() });
        }
    }

    fn whole(&mut self, edit: &Edit, lines: &[String]) {
        let fence = self.random.pick(&["```", "```", "````", "~~~~"]);
        let path = &edit.path;
        match self.random.below(5) {
            0 => self.put(Role::Path, format!("{fence}python {path}")),
            1 => self.put(Role::Path, format!("{fence}python title=\"{path}\"")),
            2 => {
                self.put(Role::Path, format!("Create `{path}`:"));
                self.put(Role::Prose, "");
                self.put(Role::Open, format!("{fence}python"));
            }
            3 => {
                self.put(Role::Path, format!("### `{path}`"));
                self.put(Role::Prose, "");
                self.put(Role::Open, format!("{fence}python"));
            }
            _ => {
                self.put(Role::Path, format!("**{path}**"));
                self.put(Role::Open, fence);
            }
        }
        for line in lines {
            self.put(Role::Content, line);
        }
        self.put(Role::Close, fence);
    }

    fn sentence(&mut self, edit: &Edit, old: &str, new: &str) {
        let path = &edit.path;
        let text = match self.random.below(4) {
            0 => format!("In file `{path}`, change `{old}` to `{new}`."),
            1 => format!("Update {path}: replace \"{old}\" with \"{new}\""),
            2 => format!("In `{path}`, replace `{old}` with `{new}`"),
            _ => format!("Change `{old}` to `{new}` in `{path}`."),
        };
        self.put(Role::Sentence, text);
    }

    fn diff(&mut self, edit: &Edit, operation: &Operation, hunks: &[Vec<String>], starts: &[usize]) {
        let fence = match self.kind {
            InputKind::Diff if self.random.one_in(2) => None,
            _ => Some(self.random.pick(&["```", "````", "~~~"])),
        };
        let fence = fence.filter(|_| !self.random.one_in(3));
        if let Some(fence) = fence {
            self.put(Role::Open, format!("{fence}diff"));
        }
        self.headers(&edit.path, operation);
        let mut drift = 0;
        for (hunk, start) in hunks.iter().zip(starts) {
            // Without numbers and without a fence a list below it might be more of the last one; and it must say itself
            // where it belongs.
            let is_unique = hunk.iter().any(|line| line.starts_with(" only_") || line.starts_with("-only_"));
            let is_numbered = fence.is_none() || !self.random.one_in(6) || !is_unique;
            self.hunk(hunk, operation, start.saturating_mul(usize::from(is_numbered)), &mut drift);
        }
        if let Some(fence) = fence {
            self.put(Role::Close, fence);
        }
    }

    fn headers(&mut self, path: &str, operation: &Operation) {
        let to = if let Operation::Rename(to) = operation { to } else { path };
        let (mut old, mut new) = (format!("a/{path}"), format!("b/{to}"));
        if matches!(operation, Operation::Rename(_)) || self.random.one_in(2) {
            self.put(Role::Header, format!("diff --git {old} {new}"));
            match operation {
                Operation::Create => self.put(Role::Header, "new file mode 100644"),
                Operation::Delete => self.put(Role::Header, "deleted file mode 100644"),
                Operation::Rename(_) => {
                    self.put(Role::Header, "similarity index 90%");
                    self.put(Role::Header, format!("rename from {path}"));
                    self.put(Role::Header, format!("rename to {to}"));
                }
                Operation::Modify => {}
            }
            self.put(Role::Header, "index 1234567..89abcde");
        }
        if *operation == Operation::Create {
            "/dev/null".clone_into(&mut old);
        }
        if *operation == Operation::Delete {
            "/dev/null".clone_into(&mut new);
        }
        self.put(Role::Header, format!("--- {old}"));
        self.put(Role::Header, format!("+++ {new}"));
    }

    fn hunk(&mut self, hunk: &[String], operation: &Operation, start: usize, drift: &mut isize) {
        let count = |sign: char| hunk.iter().filter(|line| line.starts_with([' ', sign])).count();
        let (old, new) = (count('-'), count('+'));
        let header = match operation {
            Operation::Create => format!("@@ -0,0 +1,{new} @@"),
            Operation::Delete => format!("@@ -1,{old} +0,0 @@"),
            _ if start == 0 => "@@ ... @@".to_owned(),
            _ => format!("@@ -{start},{old} +{},{new} @@", start.saturating_add_signed(*drift)),
        };
        *drift += new.cast_signed() - old.cast_signed();
        self.put(Role::HunkHeader, header);
        for line in hunk {
            let text = if line == " " && self.random.one_in(2) { "" } else { line };
            self.put(Role::HunkLine, text);
        }
    }
}
