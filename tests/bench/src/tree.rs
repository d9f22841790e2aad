//! Directory trees and the edits of them, as SEARCH/REPLACE blocks and as a unified diff that says the same.

use std::fs;
use std::path::Path;

use crate::random::Random;

/// A file before and after.
pub struct File {
    pub name: String,
    pub before: String,
    pub after: String,
}

/// Files and two inputs that change them.
#[derive(Default)]
pub struct Tree {
    pub files: Vec<File>,
    pub blocks: String,
    pub diff: String,
}

/// So many files of about so many bytes, each with so many edits of one line.
pub fn tree(files: usize, bytes: usize, edits: usize) -> Tree {
    let mut random = Random::new(5);
    let mut tree = Tree::default();
    for index in 0..files {
        let name = if files == 1 { "large.rs".to_owned() } else { format!("d{}/f{index}.rs", index % 40) };
        tree.add(&mut random, name, bytes, edits);
    }
    tree
}

impl Tree {
    fn add(&mut self, random: &mut Random, name: String, bytes: usize, edits: usize) {
        let mut before = String::with_capacity(bytes + 200);
        while before.len() < bytes {
            random.code_line(&mut before);
            before.push('\n');
        }
        let lines: Vec<&str> = before.lines().collect();
        let step = lines.len() / (edits + 1);
        let places: Vec<usize> = (1..=edits).map(|edit| edit * step).collect();
        self.diff.push_str(&format!("diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n"));
        self.blocks.push_str(&format!("{name}\n"));
        let mut after = String::with_capacity(before.len() + edits * 20);
        let mut kept = 0;
        for &at in &places {
            let new = format!("changed_{at}();");
            let (context, tail) = (&lines[at - 3..at], &lines[at + 1..at + 4]);
            self.diff.push_str(&format!("@@ -{},7 +{},7 @@\n", at - 2, at - 2));
            context.iter().for_each(|line| self.diff.push_str(&format!(" {line}\n")));
            self.diff.push_str(&format!("-{}\n+{new}\n", lines[at]));
            tail.iter().for_each(|line| self.diff.push_str(&format!(" {line}\n")));
            let (above, old, below) = (lines[at - 1], lines[at], lines[at + 1]);
            self.blocks.push_str(&format!(
                "<<<<<<< SEARCH\n{above}\n{old}\n{below}\n=======\n{above}\n{new}\n{below}\n>>>>>>> REPLACE\n"
            ));
            for line in &lines[kept..at] {
                after.push_str(line);
                after.push('\n');
            }
            after.push_str(&new);
            after.push('\n');
            kept = at + 1;
        }
        for line in &lines[kept..] {
            after.push_str(line);
            after.push('\n');
        }
        self.files.push(File { name, before, after });
    }

    /// The same files with CRLF at the ends of their lines.
    pub fn with_crlf(&self) -> Self {
        let crlf = |text: &str| text.replace('\n', "\r\n");
        let file = |file: &File| File {
            name: file.name.clone(),
            before: crlf(&file.before),
            after: crlf(&file.after),
        };
        Self {
            files: self.files.iter().map(file).collect(),
            blocks: self.blocks.clone(),
            diff: self.diff.clone(),
        }
    }

    /// Writes the files as they were before.
    pub fn write(&self, root: &Path) -> std::io::Result<()> {
        for file in &self.files {
            let path = root.join(&file.name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, &file.before)?;
        }
        Ok(())
    }

    /// Whether every file is as it must be after the edits.
    pub fn is_changed(&self, root: &Path) -> bool {
        let is_new =
            |file: &File| fs::read(root.join(&file.name)).is_ok_and(|bytes| bytes == file.after.as_bytes());
        self.files.iter().all(is_new)
    }

    /// The bytes of all files before.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.before.len()).sum()
    }
}
