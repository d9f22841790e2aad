//! `CodeParser`: applying to a directory.

use std::collections::HashMap;
use std::fs;

use code_parser::{
    ApplyOptions, ApplyReport, ApplyStatus, CodeBlock, CodeParser, EditInstruction, FilePatch,
};

use crate::disk::Disk;

const DRY: ApplyOptions = ApplyOptions { dry_run: true, allow_unterminated: false };

fn edit(file: &str, old: &str, new: &str) -> EditInstruction {
    EditInstruction { file: file.to_owned(), old: old.to_owned(), new: new.to_owned() }
}

fn named(name: &str, content: &str) -> CodeBlock {
    CodeBlock::with_filename("text", content, name)
}

fn patches(diff: &str) -> Vec<FilePatch> {
    CodeParser::parse_unified_diff(diff).unwrap()
}

/// Path and displayed status of each entry, reasons cut off.
fn entries(report: &ApplyReport) -> Vec<(&str, String)> {
    let kind = |status: &ApplyStatus| status.to_string().split(':').next().unwrap().to_owned();
    report.entries.iter().map(|entry| (entry.path.as_str(), kind(&entry.status))).collect()
}

fn expect(entries: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    entries.iter().map(|(path, status)| (*path, (*status).to_owned())).collect()
}

/// The example of the document: code blocks, dry.
#[test]
fn code_blocks_dry_run() {
    let disk = Disk::new(&[("a.py", "old\n")]);
    let reply = "```python a.py\nnew\n```\n```python b.py\nx\n```\n";
    let blocks = CodeParser::extract_code_blocks(reply);
    let options = ApplyOptions { dry_run: true, ..ApplyOptions::default() };
    let report = CodeParser::apply_code_blocks_with(&blocks, &disk.root(), options).unwrap();
    assert_eq!(entries(&report), expect(&[("a.py", "modified"), ("b.py", "created")]));
    disk.holds(&[("a.py", "old\n")]);
    let report = CodeParser::apply_code_blocks_with(&blocks, &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(entries(&report), expect(&[("a.py", "modified"), ("b.py", "created")]));
    disk.holds(&[("a.py", "new\n"), ("b.py", "x\n")]);
}

/// Each function gives one entry an operation, with its status.
#[test]
fn reports() {
    let disk = Disk::new(&[("same.txt", "s\n"), ("mod.txt", "m\n"), ("gone.txt", "g\n")]);
    let edits = [
        edit("mod.txt", "m", "n"),
        edit("new.txt", "", "x"),
        edit("same.txt", "s", "s"),
        edit("gone.txt", "g", ""),
        edit("missing.txt", "a", "b"),
    ];
    let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    let expected = [
        ("mod.txt", "modified"),
        ("new.txt", "created"),
        ("same.txt", "unchanged"),
        ("gone.txt", "deleted"),
        ("missing.txt", "error"),
    ];
    assert_eq!(entries(&report), expect(&expected));
    assert!(report.has_errors());
    assert_eq!(report.changed_paths().collect::<Vec<_>>(), ["mod.txt", "new.txt", "gone.txt"]);
    disk.holds(&[("same.txt", "s\n"), ("mod.txt", "n\n"), ("new.txt", "x\n")]);
}

/// An edit without a text to find creates its file, or appends to it.
#[test]
fn edits_create_or_append() {
    let disk = Disk::new(&[("a.txt", "a\n")]);
    let edits = [edit("a.txt", "", "b"), edit("d/n.txt", "", "c")];
    let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(entries(&report), expect(&[("a.txt", "modified"), ("d/n.txt", "created")]));
    disk.holds(&[("a.txt", "a\nb\n"), ("d/n.txt", "c\n")]);
}

/// A block without an end is skipped, unless that is allowed.
#[test]
fn unterminated_blocks_are_skipped() {
    let disk = Disk::new(&[]);
    let blocks = CodeParser::extract_code_blocks("```python a.py\nx\n```\n```python b.py\ny\n");
    let report = CodeParser::apply_code_blocks_with(&blocks, &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(entries(&report), expect(&[("a.py", "created"), ("b.py", "skipped")]));
    assert!(matches!(report.entries[1].status, ApplyStatus::Skipped(_)));
    disk.holds(&[("a.py", "x\n")]);
    let options = ApplyOptions { allow_unterminated: true, ..ApplyOptions::default() };
    let report = CodeParser::apply_code_blocks_with(&blocks, &disk.root(), options).unwrap();
    assert_eq!(entries(&report), expect(&[("a.py", "unchanged"), ("b.py", "created")]));
    disk.holds(&[("a.py", "x\n"), ("b.py", "y\n")]);
}

/// A block without a file name has no entry.
#[test]
fn unnamed_blocks_are_left_out() {
    let disk = Disk::new(&[]);
    let blocks = [CodeBlock::new("bash", "ls"), named("a.txt", "x")];
    let report = CodeParser::apply_code_blocks_with(&blocks, &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(entries(&report), expect(&[("a.txt", "created")]));
    disk.holds(&[("a.txt", "x\n")]);
}

/// One file that fails does not stop the others.
#[test]
fn one_failure_does_not_stop_the_others() {
    let disk = Disk::new(&[("a", "a\n"), ("b", "b\n"), ("c", "c\n")]);
    let edits = [edit("a", "a", "A"), edit("b", "x", "B"), edit("c", "c", "C")];
    let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(entries(&report), expect(&[("a", "modified"), ("b", "error"), ("c", "modified")]));
    disk.holds(&[("a", "A\n"), ("b", "b\n"), ("c", "C\n")]);

    let disk = Disk::new(&[("x", "a\n"), ("y", "a\n")]);
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-z\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
    let report = CodeParser::apply_patches(&patches(diff), &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(entries(&report), expect(&[("x", "error"), ("y", "modified")]));
    disk.holds(&[("x", "a\n"), ("y", "b\n")]);

    let disk = Disk::new(&[]);
    let blocks = [named("../x", "x"), named("a.txt", "y")];
    let report = CodeParser::apply_code_blocks_with(&blocks, &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(entries(&report), expect(&[("../x", "error"), ("a.txt", "created")]));
    disk.holds(&[("a.txt", "y\n")]);
}

/// The operations of one file stand or fall together.
#[test]
fn operations_of_one_file_are_one() {
    let disk = Disk::new(&[("a", "1\n2\n")]);
    let edits = [edit("a", "1", "one"), edit("a", "missing", "x")];
    let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    assert_eq!(report.entries.len(), 2);
    assert!(report.entries.iter().all(|entry| entry.status.is_error()), "{report:?}");
    disk.holds(&[("a", "1\n2\n")]);
}

/// Only a base directory that cannot be made or resolved is an error as a whole; a missing one is made.
#[test]
fn errors_of_the_base_directory() {
    let disk = Disk::new(&[("file", "x\n")]);
    let blocks = [named("a.txt", "x")];
    let made = disk.root().join("new/base");
    CodeParser::apply_code_blocks_with(&blocks, &made, ApplyOptions::default()).unwrap();
    assert_eq!(fs::read_to_string(made.join("a.txt")).unwrap(), "x\n");
    let file = disk.root().join("file");
    assert!(CodeParser::apply_code_blocks_with(&blocks, &file, ApplyOptions::default()).is_err());
    assert!(CodeParser::apply_edit_instructions(&[], &file, ApplyOptions::default()).is_err());
    assert!(CodeParser::apply_patches(&[], &file, ApplyOptions::default()).is_err());
}

/// A diff block is applied as patches, never written, whatever name it has.
#[test]
fn diff_blocks_are_patches() {
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b";
    for block in [CodeBlock::new("diff", diff), CodeBlock::with_filename("diff", diff, "y.diff")] {
        let disk = Disk::new(&[("x", "a\n")]);
        let report =
            CodeParser::apply_code_blocks_with(&[block], &disk.root(), ApplyOptions::default()).unwrap();
        assert_eq!(entries(&report), expect(&[("x", "modified")]));
        disk.holds(&[("x", "b\n")]);
    }
}

/// Later operations see what earlier ones did, in a dry run too.
#[test]
fn later_operations_see_earlier_ones() {
    for options in [DRY, ApplyOptions::default()] {
        let disk = Disk::new(&[]);
        let edits = [edit("n", "", "1"), edit("n", "1", "2"), edit("n", "2", "3")];
        let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), options.clone()).unwrap();
        assert_eq!(entries(&report), expect(&[("n", "created"), ("n", "modified"), ("n", "modified")]));
        disk.holds(if options.dry_run { &[] } else { &[("n", "3\n")] });
    }
    for options in [DRY, ApplyOptions::default()] {
        let disk = Disk::new(&[]);
        let diff = CodeBlock::new("diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b");
        let report =
            CodeParser::apply_code_blocks_with(&[named("x", "a"), diff], &disk.root(), options.clone())
                .unwrap();
        assert_eq!(entries(&report), expect(&[("x", "created"), ("x", "modified")]));
        disk.holds(if options.dry_run { &[] } else { &[("x", "b\n")] });
    }
}

/// Permissions are kept, and no temporary file is left.
#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let disk = Disk::new(&[("run.sh", "a\n")]);
    let path = disk.root().join("run.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    CodeParser::apply_code_blocks_with(&[named("run.sh", "b")], &disk.root(), ApplyOptions::default())
        .unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o751);
    disk.holds(&[("run.sh", "b\n")]);
}

/// Files are replaced by a rename: who has one open still sees the old content.
#[cfg(unix)]
#[test]
fn files_are_replaced_by_a_rename() {
    use std::io::Read;
    let disk = Disk::new(&[("a.txt", "old\n")]);
    let mut open = fs::File::open(disk.root().join("a.txt")).unwrap();
    CodeParser::apply_code_blocks_with(&[named("a.txt", "new")], &disk.root(), ApplyOptions::default())
        .unwrap();
    let mut seen = String::new();
    open.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, "old\n");
    disk.holds(&[("a.txt", "new\n")]);
}

/// A CRLF file that is replaced whole stays one.
#[test]
fn whole_files_keep_crlf() {
    let disk = Disk::new(&[("a.txt", "1\r\n2\r\n")]);
    CodeParser::apply_code_blocks_with(&[named("a.txt", "x\ny")], &disk.root(), ApplyOptions::default())
        .unwrap();
    disk.holds(&[("a.txt", "x\r\ny\r\n")]);
}

/// The older functions give one status a path.
#[test]
fn status_maps() {
    let disk = Disk::new(&[("same.txt", "s\n"), ("mod.txt", "m\n")]);
    let reply = "```text mod.txt\nn\n```\n```text new.txt\nx\n```\n```text same.txt\ns\n```\n```text ../out/x\nx\n```\n```text cut.txt\nx\n";
    let (blocks, map) = CodeParser::extract_and_apply(reply, &disk.root());
    assert_eq!(blocks, CodeParser::extract_code_blocks(reply));
    check(&map);
    disk.holds(&[("same.txt", "s\n"), ("mod.txt", "n\n"), ("new.txt", "x\n")]);

    let disk = Disk::new(&[("same.txt", "s\n"), ("mod.txt", "m\n")]);
    check(&CodeParser::apply_code_blocks(&blocks, &disk.root()));
}

fn check(map: &HashMap<String, String>) {
    assert_eq!(map.len(), 5, "{map:?}");
    assert_eq!(map["mod.txt"], "modified");
    assert_eq!(map["new.txt"], "created");
    assert_eq!(map["same.txt"], "unchanged");
    assert!(map["../out/x"].starts_with("error: "), "{map:?}");
    assert!(map["cut.txt"].starts_with("skipped: "), "{map:?}");
}

/// Existing components that are links must lead inside the base directory, and dangling ones are rejected.
#[cfg(unix)]
#[test]
fn links_stay_inside() {
    use std::os::unix::fs::symlink;
    let disk = Disk::new(&[("d/real.txt", "a\n")]);
    symlink(disk.out(), disk.root().join("out")).unwrap();
    symlink("d", disk.root().join("in")).unwrap();
    symlink("nowhere", disk.root().join("dangling.txt")).unwrap();
    let blocks = [
        named("out/kept", "x"),
        named("out/new", "x"),
        named("dangling.txt", "x"),
        named("in/real.txt", "b"),
    ];
    let report = CodeParser::apply_code_blocks_with(&blocks, &disk.root(), ApplyOptions::default()).unwrap();
    let statuses: Vec<_> = entries(&report).into_iter().map(|entry| entry.1).collect();
    assert_eq!(statuses, ["error", "error", "error", "modified"]);
    let out = format!("-> {}", disk.out().display());
    disk.holds(&[("d/real.txt", "b\n"), ("out", &out), ("in", "-> d"), ("dangling.txt", "-> nowhere")]);
}

/// The base directory itself may be reached through a link.
#[cfg(unix)]
#[test]
fn base_directory_is_canonicalized() {
    let disk = Disk::new(&[]);
    fs::create_dir(disk.root().join("base")).unwrap();
    std::os::unix::fs::symlink("base", disk.root().join("link")).unwrap();
    CodeParser::apply_code_blocks_with(
        &[named("a.txt", "x")],
        &disk.root().join("link"),
        ApplyOptions::default(),
    )
    .unwrap();
    disk.holds(&[("base/a.txt", "x\n"), ("link", "-> base")]);
}

/// A path that is not safe is an entry that failed, and nothing is written.
#[test]
fn unsafe_paths_fail() {
    let disk = Disk::new(&[]);
    for path in ["../x", "/etc/x", "C:\\x", "~/x", ".git/hooks/pre-commit", "a:b", "a/", "a\0b", ""] {
        let report =
            CodeParser::apply_code_blocks_with(&[named(path, "x")], &disk.root(), ApplyOptions::default())
                .unwrap();
        assert!(matches!(report.entries[0].status, ApplyStatus::Failed(_)), "{path:?}: {report:?}");
        let edits = [edit(path, "", "x")];
        let report =
            CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
        assert!(matches!(report.entries[0].status, ApplyStatus::Failed(_)), "{path:?}: {report:?}");
    }
    disk.holds(&[]);
}

/// What is refused by judgement in a reply is refused here too.
#[test]
fn refusals_by_judgement() {
    let disk = Disk::new(&[("a.rs", "x\ny\n")]);
    let blocks = [named("a.rs", "x\n// ... existing code ..."), named("a.rs", "")];
    for block in blocks {
        let report =
            CodeParser::apply_code_blocks_with(&[block], &disk.root(), ApplyOptions::default()).unwrap();
        assert!(matches!(report.entries[0].status, ApplyStatus::Failed(_)), "{report:?}");
    }
    let edits = [edit("a.rs", "", "")];
    let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    assert!(matches!(report.entries[0].status, ApplyStatus::Failed(_)), "{report:?}");
    disk.holds(&[("a.rs", "x\ny\n")]);
}

/// Patches create, delete and rename files.
#[test]
fn patches_of_all_kinds() {
    let disk = Disk::new(&[("d/x", "a\n"), ("y", "b\n"), ("z", "c\n")]);
    let diff = "--- a/d/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-c\n+C\ndiff --git a/y b/w\nsimilarity index 100%\nrename from y\nrename to w\n";
    let report = CodeParser::apply_patches(&patches(diff), &disk.root(), ApplyOptions::default()).unwrap();
    let statuses = entries(&report);
    assert!(!report.has_errors(), "{report:?}");
    assert_eq!(statuses[..3], expect(&[("d/x", "deleted"), ("n", "created"), ("z", "modified")]));
    assert_eq!(statuses[3..].iter().map(|entry| entry.0).collect::<Vec<_>>(), ["w"]);
    disk.holds(&[("w", "b\n"), ("n", "n\n"), ("z", "C\n")]);
}
