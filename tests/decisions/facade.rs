//! `CodeParser`: what holds of values that the grammars would have refused.

use code_parser::{ApplyOptions, ApplyStatus, CodeBlock, CodeParser};

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
