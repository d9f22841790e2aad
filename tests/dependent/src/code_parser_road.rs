//! The road of `CodeParser`: plain functions over plain values.

use std::error::Error;

use code_parser::{CodeBlock, CodeParser, CodeParserError, EditInstruction};

pub fn code_blocks() {
    let response = "Create `src/utils.py`:\n\n```python\ndef helper():\n    pass\n```\n";
    let blocks = CodeParser::extract_code_blocks(response);
    assert_eq!(blocks[0].language, "python");
    assert_eq!(blocks[0].filename.as_deref(), Some("src/utils.py"));
    assert!(blocks[0].terminated);
    let expected = CodeBlock::with_filename("python", "def helper():\n    pass", "src/utils.py");
    assert_eq!(blocks[0], CodeBlock { info: "python".to_owned(), ..expected });
}

pub fn edit_instructions() -> Result<(), Box<dyn Error>> {
    let response = "\
src/app.py
<<<<<<< SEARCH
VERSION = \"1.0\"
=======
VERSION = \"1.1\"
>>>>>>> REPLACE
";
    let edits = CodeParser::parse_edit_instructions(response);
    assert_eq!(edits[0].file, "src/app.py");
    let updated = CodeParser::apply_edit("VERSION = \"1.0\"\n", &edits[0])?;
    assert_eq!(updated, "VERSION = \"1.1\"\n");
    match CodeParser::apply_edit("VERSION = \"1.0\"\nVERSION = \"1.0\"\n", &edits[0]) {
        Err(CodeParserError::AmbiguousEdit { file, count }) => {
            assert_eq!((file.as_str(), count), ("src/app.py", 2));
        }
        other => return Err(format!("{other:?}").into()),
    }
    assert!(matches!(CodeParser::apply_edit("", &edits[0]), Err(CodeParserError::SearchNotFound { .. })));
    let sentences = "In file `main.py`, change `a` to `b`.\n\nUpdate config.py: replace \"a\" with \"b\"\n";
    let edit = |file: &str| EditInstruction { file: file.into(), old: "a".into(), new: "b".into() };
    assert_eq!(CodeParser::parse_edit_instructions(sentences), [edit("main.py"), edit("config.py")]);
    Ok(())
}

pub fn unified_diffs() -> Result<(), Box<dyn Error>> {
    let diff = "--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    let patches = CodeParser::parse_unified_diff(diff)?;
    assert_eq!(patches[0].path(), Some("x.txt"));
    assert_eq!(patches[0].apply("a\nb\n")?, "a\nc\n");
    let conflict = patches[0].apply("z\n");
    assert!(matches!(conflict, Err(CodeParserError::PatchConflict { hunk: 1, .. })));
    let response = format!("Here it is:\n\n```diff\n{diff}```\n");
    assert_eq!(CodeParser::extract_patches(&response), patches);
    Ok(())
}

pub fn paths() {
    assert_eq!(CodeParser::infer_language("src/main.rs"), "rust");
    assert_eq!(CodeParser::sanitize_filename("./src//a.rs").ok().as_deref(), Some("src/a.rs"));
    for path in ["/x", "C:\\x", "c:x", "\\\\server\\share", "~/x", "a/../b", ".git/hooks/x", "a\0b", "", "a/"]
    {
        assert!(CodeParser::sanitize_filename(path).is_err(), "{path:?}");
    }
}

#[cfg(feature = "fs")]
pub fn apply(dir: &std::path::Path) -> Result<(), Box<dyn Error>> {
    use std::fs;

    use code_parser::{ApplyOptions, ApplyStatus};

    let response = "Create `utils.py`:\n\n```python\ndef helper():\n    pass\n```\n\n\
        ```diff\n--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n```\n\nCreate `../out.py`:\n\n```python\nx\n```\n";
    fs::write(dir.join("x.txt"), "a\nb\n")?;
    let blocks = CodeParser::extract_code_blocks(response);
    let dry = ApplyOptions { dry_run: true, ..ApplyOptions::default() };
    let planned = CodeParser::apply_code_blocks_with(&blocks, dir, dry)?;
    assert!(!dir.join("utils.py").exists());
    let report = CodeParser::apply_code_blocks_with(&blocks, dir, ApplyOptions::default())?;
    assert_eq!(format!("{planned:?}"), format!("{report:?}"));
    let entries: Vec<_> =
        report.entries.iter().map(|entry| (entry.path.as_str(), entry.status.to_string())).collect();
    assert_eq!(entries[..2], [("utils.py", "created".to_owned()), ("x.txt", "modified".to_owned())]);
    assert!(report.has_errors() && report.entries[2].status.is_error());
    assert_eq!(report.changed_paths().collect::<Vec<_>>(), ["utils.py", "x.txt"]);
    assert_eq!(fs::read_to_string(dir.join("x.txt"))?, "a\nc\n");

    let edit = EditInstruction { file: "x.txt".into(), old: "c".into(), new: "d".into() };
    let report = CodeParser::apply_edit_instructions(&[edit], dir, ApplyOptions::default())?;
    assert_eq!(report.entries[0].status, ApplyStatus::Modified);
    let patches = CodeParser::parse_unified_diff("--- a/x.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-d\n")?;
    let report = CodeParser::apply_patches(&patches, dir, ApplyOptions::default())?;
    assert_eq!(report.entries[0].status, ApplyStatus::Deleted);

    let (blocks, statuses) = CodeParser::extract_and_apply("```python again.py\nx\n```\n", dir);
    assert_eq!((blocks.len(), statuses["again.py"].as_str()), (1, "created"));
    assert_eq!(CodeParser::apply_code_blocks(&blocks, dir)["again.py"], "unchanged");
    Ok(())
}
