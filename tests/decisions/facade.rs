//! `CodeParser`: what holds of values that the grammars would have refused.

use code_parser::{ApplyOptions, ApplyStatus, CodeBlock, CodeParser, CodeParserError};

use crate::disk::Disk;
use crate::support::block;

fn apply(blocks: &[CodeBlock], disk: &Disk) -> Vec<(String, ApplyStatus)> {
    let report = CodeParser::apply_code_blocks_with(blocks, &disk.root(), ApplyOptions::default()).unwrap();
    report.entries.into_iter().map(|entry| (entry.path, entry.status)).collect()
}

/// Edit blocks in a named code block are never written as its file's content; the edits themselves are found apart.
#[test]
fn a_block_of_edits_is_not_content() {
    let disk = Disk::new(&[("s.py", "x = 1\ny = 1\n")]);
    let reply = format!("```python s.py\n{}```\n", block("", "x = 1\n", "x = 2\n"));
    let blocks = CodeParser::extract_code_blocks(&reply);
    let entries = apply(&blocks, &disk);
    assert!(matches!(entries.as_slice(), [(path, ApplyStatus::Skipped(_))] if path == "s.py"), "{entries:?}");
    disk.holds(&[("s.py", "x = 1\ny = 1\n")]);
    let edits = CodeParser::parse_edit_instructions(&reply);
    CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    disk.holds(&[("s.py", "x = 2\ny = 1\n")]);
}

/// A block whose markers are all nearly right fails instead of being written.
#[test]
fn a_block_of_near_markers_is_not_content() {
    let disk = Disk::new(&[("s.py", "x = 1\n")]);
    let content = "<<<<<< SEARCH\nx = 1\n======\nx = 2\n>>>>>> REPLACE";
    let entries = apply(&[CodeBlock::with_filename("python", content, "s.py")], &disk);
    assert!(matches!(entries.as_slice(), [(_, ApplyStatus::Failed(_))]), "{entries:?}");
    disk.holds(&[("s.py", "x = 1\n")]);
}

/// A document may show what an edit block looks like.
#[test]
fn a_markdown_document_may_hold_edit_blocks() {
    let disk = Disk::new(&[]);
    let content = block("a.py", "x\n", "y\n");
    let entries = apply(&[CodeBlock::with_filename("markdown", content.trim_end(), "FORMAT.md")], &disk);
    assert_eq!(entries, [("FORMAT.md".to_owned(), ApplyStatus::Created)]);
}

/// A block that repeats an edit of the same reply is given without the name that the prose has for it.
#[test]
fn a_block_that_narrates_has_no_file_name() {
    let reply = format!("Update `s.py`:\n\n```python\nx = 2\n```\n\n{}", block("s.py", "x = 1\n", "x = 2\n"));
    let blocks = CodeParser::extract_code_blocks(&reply);
    assert_eq!(blocks[0].filename, None);
}

#[test]
fn a_patch_that_mends_line_endings_mends_them() {
    let diff = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\r\n+two\n three\n";
    let patches = CodeParser::parse_unified_diff(diff).unwrap();
    assert_eq!(patches[0].apply("one\ntwo\r\nthree\n").unwrap(), "one\ntwo\nthree\n");
    // All in CRLF, the diff has them from its way here.
    let patches = CodeParser::parse_unified_diff(&diff.replace("\r\n", "\n").replace('\n', "\r\n")).unwrap();
    assert_eq!(patches[0].hunks[0].lines[0].text(), "one");
    assert_eq!(patches[0].apply("one\ntwo\nthree\n").unwrap(), "one\ntwo\nthree\n");
}

/// What a hunk adds ends as in the diff where what it finds does: in LF, unless the diff has CRLF of its own.
#[test]
fn a_patch_keeps_the_endings_of_its_diff_where_they_are_those_of_the_file() {
    let made = |diff: &str, file: &str| CodeParser::parse_unified_diff(diff).unwrap()[0].apply(file).unwrap();
    for header in ["@@", "@@ two\r"] {
        let diff = format!("--- a/f\n+++ b/f\n{header}\n+new\n three\n");
        assert_eq!(made(&diff, "one\ntwo\r\nthree\n"), "one\ntwo\r\nnew\nthree\n");
        assert_eq!(made(&diff, "one\r\ntwo\r\nthree\r\n"), "one\r\ntwo\r\nnew\r\nthree\r\n");
    }
    let create = "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+one\r\n+two\r\n";
    assert_eq!(made(create, ""), "one\r\ntwo\r\n");
    assert_eq!(made(&create.replace("\r\n", "\n").replace('\n', "\r\n"), ""), "one\ntwo\n");
}

/// Where the directory cannot be made, every block that has a file name gets the reason.
#[test]
fn a_directory_that_cannot_be_made_fails_every_block() {
    let disk = Disk::new(&[("file", "x\n")]);
    let blocks = [
        CodeBlock::with_filename("text", "a", "a.txt"),
        CodeBlock::new("text", "b"),
        CodeBlock::with_filename("text", "c", "c.txt"),
    ];
    let base = disk.root().join("file/below");
    let statuses = CodeParser::apply_code_blocks(&blocks, &base);
    let mut paths: Vec<_> = statuses.keys().map(String::as_str).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["a.txt", "c.txt"]);
    assert!(statuses.values().all(|status| status.starts_with("error: ")), "{statuses:?}");
    assert!(CodeParser::apply_code_blocks_with(&blocks, &base, ApplyOptions::default()).is_err());
    disk.holds(&[("file", "x\n")]);
}

/// A diff block without a diff, or with one that cannot be read whole, fails and says why.
#[test]
fn a_diff_block_that_holds_no_patch_fails() {
    let disk = Disk::new(&[("a.txt", "x\n")]);
    let torn = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n";
    let blocks = [
        CodeBlock::new("diff", "no diff at all"),
        CodeBlock::with_filename("diff", torn, "a.txt"),
        CodeBlock::with_filename("text", "y", "a.txt"),
    ];
    let [(none, first), (torn, second), (whole, third)] = &apply(&blocks, &disk)[..] else { panic!() };
    assert_eq!((none.as_str(), torn.as_str(), whole.as_str()), ("", "a.txt", "a.txt"));
    assert_eq!(first, &ApplyStatus::Failed("the block holds no diff".to_owned()));
    assert!(
        matches!(second, ApplyStatus::Failed(why) if why.contains("line 1: ") && why.contains("hunk")),
        "{second:?}"
    );
    assert_eq!(third, &ApplyStatus::Modified);
}

/// A dry run makes no directory: where there is none, every file would be a new one.
#[test]
fn a_dry_run_needs_no_directory() {
    let disk = Disk::new(&[]);
    let base = disk.root().join("not/there");
    let options = ApplyOptions { dry_run: true, ..ApplyOptions::default() };
    let blocks =
        [CodeBlock::with_filename("text", "a", "a.txt"), CodeBlock::with_filename("text", "b", "../b.txt")];
    let report = CodeParser::apply_code_blocks_with(&blocks, &base, options).unwrap();
    let [first, second] = &report.entries[..] else { panic!("{report:?}") };
    assert_eq!((first.path.as_str(), &first.status), ("a.txt", &ApplyStatus::Created));
    assert!(matches!(&second.status, ApplyStatus::Failed(why) if why.contains("`..`")), "{second:?}");
    assert!(!base.exists());
}

/// An interrupted commit that is not ours keeps everything from being written, and every entry says so.
#[cfg(unix)]
#[test]
fn a_planted_journal_fails_every_entry() {
    let disk = Disk::new(&[("a.txt", "x\n")]);
    disk.write(".fsrb-txn/journal", "planted\n");
    let blocks = [
        CodeBlock::with_filename("text", "y", "a.txt"),
        CodeBlock::new("diff", "no diff at all"),
        CodeBlock::with_filename("text", "z", "./b.txt"),
    ];
    let [(a, first), (_, second), (b, third)] = &apply(&blocks, &disk)[..] else { panic!() };
    assert_eq!((a.as_str(), b.as_str()), ("a.txt", "./b.txt"));
    assert!(matches!(first, ApplyStatus::Failed(why) if why.contains(".fsrb-txn")), "{first:?}");
    assert_eq!(second, &ApplyStatus::Failed("the block holds no diff".to_owned()));
    assert_eq!(third, first);
    disk.holds(&[("a.txt", "x\n"), (".fsrb-txn/journal", "planted\n")]);
}

/// An edit whose file another edit keeps from being written has failed too.
#[test]
fn an_edit_fails_with_its_file() {
    let disk = Disk::new(&[("a.txt", "1\n2\n"), ("b.txt", "1\n")]);
    let edits = CodeParser::parse_edit_instructions(&format!(
        "{}{}{}",
        block("a.txt", "1\n", "x\n"),
        block("a.txt", "3\n", "y\n"),
        block("b.txt", "1\n", "z\n")
    ));
    let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    let [first, second, third] = &report.entries[..] else { panic!("{report:?}") };
    assert_eq!(first.status, ApplyStatus::Failed("another operation on the file failed".to_owned()));
    assert_eq!(second.status, ApplyStatus::Failed("SEARCH block not found in file content".to_owned()));
    assert_eq!(third.status, ApplyStatus::Modified);
    disk.holds(&[("a.txt", "1\n2\n"), ("b.txt", "z\n")]);
}

/// A dry run gives each edit the status that it then has.
#[test]
fn a_dry_run_foretells_the_failures() {
    let disk = Disk::new(&[("a.txt", "1\n2\n"), ("b.txt", "1\n")]);
    let edits = CodeParser::parse_edit_instructions(&format!(
        "{}{}{}{}",
        block("a.txt", "1\n", "x\n"),
        block("a.txt", "3\n", "y\n"),
        block("../c.txt", "", "y\n"),
        block("b.txt", "1\n", "z\n")
    ));
    let statuses = |dry_run| {
        let options = ApplyOptions { dry_run, ..ApplyOptions::default() };
        let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), options).unwrap();
        report.entries.into_iter().map(|entry| (entry.path, entry.status)).collect::<Vec<_>>()
    };
    let foretold = statuses(true);
    disk.holds(&[("a.txt", "1\n2\n"), ("b.txt", "1\n")]);
    assert_eq!(foretold, statuses(false));
    let failed = foretold.iter().filter(|(_, status)| matches!(status, ApplyStatus::Failed(_)));
    assert_eq!((foretold.len(), failed.count()), (4, 3), "{foretold:?}");
    disk.holds(&[("a.txt", "1\n2\n"), ("b.txt", "z\n")]);
}

/// A patch that deletes a file must account for all of it.
#[test]
fn a_patch_that_deletes_a_part_is_a_conflict() {
    let patches =
        CodeParser::parse_unified_diff("--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n").unwrap();
    assert_eq!(patches[0].apply("a\nb\n").unwrap(), "");
    let error = patches[0].apply("a\nb\nc\n").unwrap_err();
    assert!(matches!(&error, CodeParserError::PatchConflict { file, hunk: 1 } if file == "f"), "{error:?}");
}

/// Counts that fit only the beginning of a hunk's lines decide where the whole is not in the text.
#[test]
fn a_patch_with_counts_that_are_too_small() {
    let diff = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n d\n";
    let [patch] = &CodeParser::parse_unified_diff(diff).unwrap()[..] else { panic!() };
    assert_eq!(patch.hunks[0].lines.len(), 4);
    assert_eq!(patch.apply("a\nb\nd\n").unwrap(), "a\nc\nd\n");
    assert_eq!(patch.apply("a\nb\nx\n").unwrap(), "a\nc\nx\n");
    assert!(patch.apply("a\nx\nd\n").is_err());
}

/// Each edit has the status of what it alone does.
#[test]
fn every_edit_has_its_own_status() {
    let disk = Disk::new(&[("gone.txt", "1\n"), ("same.txt", "1\n"), ("new.txt", "1\n")]);
    let edits = CodeParser::parse_edit_instructions(&format!(
        "{}{}{}{}{}",
        block("gone.txt", "1\n", ""),
        block("same.txt", "1\n", "1\n"),
        block("new.txt", "1\n", "2\n"),
        block("made.txt", "", "2\n"),
        block("made.txt", "2\n", "3\n"),
    ));
    let report = CodeParser::apply_edit_instructions(&edits, &disk.root(), ApplyOptions::default()).unwrap();
    let statuses: Vec<_> = report.entries.iter().map(|entry| &entry.status).collect();
    let expected = [
        ApplyStatus::Deleted,
        ApplyStatus::Unchanged,
        ApplyStatus::Modified,
        ApplyStatus::Created,
        ApplyStatus::Modified,
    ];
    assert_eq!(statuses, expected.iter().collect::<Vec<_>>());
    disk.holds(&[("same.txt", "1\n"), ("new.txt", "2\n"), ("made.txt", "3\n")]);
}
