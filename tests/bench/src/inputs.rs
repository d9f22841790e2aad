//! The texts that are parsed: made from a fixed seed, or the files of a folder.

use std::fs;
use std::path::Path;

use crate::random::Random;

/// What a text holds, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holds {
    /// Fenced code blocks.
    pub fences: usize,
    /// SEARCH/REPLACE blocks.
    pub blocks: usize,
    /// Sections of a diff for one file.
    pub files: usize,
    /// Hunks.
    pub hunks: usize,
    /// Sentences that are edits.
    pub sentences: usize,
}

/// A text, and what it holds where it was made here.
pub struct Input {
    pub text: String,
    pub holds: Option<Holds>,
}

/// Replies of a model, one after the other.
pub fn replies(bytes: usize) -> Input {
    let mut random = Random::new(1);
    let (mut text, mut holds) = (String::with_capacity(bytes + 10_000), Holds::default());
    while text.len() < bytes {
        reply(&mut random, &mut text, &mut holds);
    }
    Input { text, holds: Some(holds) }
}

fn reply(random: &mut Random, text: &mut String, holds: &mut Holds) {
    random.paragraph(text);
    if random.one_in(2) {
        for _ in 0..random.between(2, 5) {
            text.push_str("- ");
            random.sentence(text);
            text.push('\n');
        }
        text.push('\n');
    }
    for _ in 0..random.between(1, 4) {
        random.sentence(text);
        text.push_str("\n\n");
        match random.below(4) {
            0 => fenced_file(random, text, holds),
            1 => fenced_edits(random, text, holds),
            2 => fenced_diff(random, text, holds),
            _ => fenced_example(random, text, holds),
        }
    }
    if random.one_in(3) {
        let path = random.path();
        let (old, new) = (random.next() % 1000, random.next() % 1000);
        text.push_str(&format!("In file `{path}`, replace `timeout = {old}` with `timeout = {new}`.\n\n"));
        holds.sentences += 1;
    }
    random.paragraph(text);
}

fn fenced_file(random: &mut Random, text: &mut String, holds: &mut Holds) {
    let path = random.path();
    text.push_str(&format!("**{path}**\n\n```python\n"));
    let lines = random.between(10, 60);
    random.code(lines, text);
    text.push_str("last()\n```\n\n");
    holds.fences += 1;
}

fn fenced_example(random: &mut Random, text: &mut String, holds: &mut Holds) {
    text.push_str("```sh\ncargo test --all\n```\n\n");
    random.sentence(text);
    text.push_str("\n\n");
    holds.fences += 1;
}

fn fenced_edits(random: &mut Random, text: &mut String, holds: &mut Holds) {
    let path = random.path();
    text.push_str(&format!("{path}\n```python\n"));
    for _ in 0..random.between(1, 3) {
        block(random, text);
        holds.blocks += 1;
    }
    text.push_str("```\n\n");
    holds.fences += 1;
}

fn block(random: &mut Random, text: &mut String) {
    text.push_str("<<<<<<< SEARCH\n");
    let lines = random.between(2, 12);
    random.code(lines, text);
    text.push_str("old()\n=======\n");
    let lines = random.between(2, 12);
    random.code(lines, text);
    text.push_str("new()\n>>>>>>> REPLACE\n");
}

fn fenced_diff(random: &mut Random, text: &mut String, holds: &mut Holds) {
    text.push_str("```diff\n");
    let hunks = random.between(1, 3);
    file_diff(random, text, hunks, false);
    text.push_str("```\n\n");
    holds.fences += 1;
    holds.files += 1;
    holds.hunks += hunks;
}

fn file_diff(random: &mut Random, text: &mut String, hunks: usize, git: bool) {
    let path = random.path();
    if git {
        text.push_str(&format!("diff --git a/{path} b/{path}\nindex 83db48f..bf269f4 100644\n"));
    }
    text.push_str(&format!("--- a/{path}\n+++ b/{path}\n"));
    let mut at = 1;
    for _ in 0..hunks {
        at = hunk(random, text, at);
    }
}

/// A hunk at a line; returns a line behind it.
fn hunk(random: &mut Random, text: &mut String, at: usize) -> usize {
    let (context, removed, added) = (3, random.between(1, 12), random.between(1, 18));
    let (old, new) = (2 * context + removed, 2 * context + added);
    text.push_str(&format!("@@ -{at},{old} +{at},{new} @@ fn {}()\n", random.word()));
    for (sign, lines) in [(' ', context), ('-', removed), ('+', added), (' ', context)] {
        for _ in 0..lines {
            text.push(sign);
            random.code_line(text);
            text.push('\n');
        }
    }
    at + old + 20
}

/// Markdown documents as they stand beside code, one after the other.
pub fn documents(bytes: usize) -> Input {
    let mut random = Random::new(2);
    let (mut text, mut holds) = (String::with_capacity(bytes + 10_000), Holds::default());
    while text.len() < bytes {
        text.push_str(&format!("{} {}\n\n", "#".repeat(random.between(1, 4)), random.word()));
        for _ in 0..random.between(1, 3) {
            random.paragraph(&mut text);
        }
        match random.below(4) {
            0 => list(&mut random, &mut text),
            1 => table(&mut random, &mut text),
            _ => {
                text.push_str("```rust\n");
                let lines = random.between(3, 20);
                random.code(lines, &mut text);
                text.push_str("done()\n```\n\n");
                holds.fences += 1;
            }
        }
    }
    Input { text, holds: Some(holds) }
}

fn list(random: &mut Random, text: &mut String) {
    for _ in 0..random.between(3, 8) {
        text.push_str(if random.one_in(4) { "  - " } else { "- " });
        random.sentence(text);
        text.push('\n');
    }
    text.push('\n');
}

fn table(random: &mut Random, text: &mut String) {
    text.push_str("| name | default | meaning |\n|---|---|---|\n");
    for _ in 0..random.between(3, 8) {
        text.push_str(&format!(
            "| `{}` | {} | {} {} |\n",
            random.word(),
            random.below(100),
            random.word(),
            random.word()
        ));
    }
    text.push('\n');
}

/// A patch file of SEARCH/REPLACE blocks.
pub fn blocks(bytes: usize) -> Input {
    let mut random = Random::new(3);
    let (mut text, mut holds) = (String::with_capacity(bytes + 10_000), Holds::default());
    while text.len() < bytes {
        text.push_str(&random.path());
        text.push('\n');
        for _ in 0..random.between(1, 4) {
            block(&mut random, &mut text);
            holds.blocks += 1;
        }
        text.push('\n');
    }
    Input { text, holds: Some(holds) }
}

/// A unified diff of so many files, about ten hunks each.
pub fn diff(files: usize) -> Input {
    let mut random = Random::new(4);
    let (mut text, mut holds) = (String::new(), Holds { files, ..Holds::default() });
    for _ in 0..files {
        let hunks = random.between(5, 32);
        file_diff(&mut random, &mut text, hunks, true);
        holds.hunks += hunks;
    }
    Input { text, holds: Some(holds) }
}

/// The texts of all files below a folder, one after the other; none where there is no such folder.
pub fn read_folder(folder: &Path) -> Option<Input> {
    let mut text = String::new();
    read_into(folder, &mut text);
    (!text.is_empty()).then_some(Input { text, holds: None })
}

fn read_into(folder: &Path, text: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_into(&path, text);
        } else if let Ok(found) = fs::read_to_string(&path) {
            text.push_str(&found);
            if !found.ends_with('\n') {
                text.push('\n');
            }
        }
    }
}
