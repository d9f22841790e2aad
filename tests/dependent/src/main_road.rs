//! The main road: source -> parse -> changes -> plan -> commit -> report.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use code_parser::apply::files::{Files, LoadError, Loaded, LoadedFile};
use code_parser::apply::plan::{Options, Plan, Scope};
use code_parser::apply::report::{FileStatus, Outcome, Report};
use code_parser::ast::{InputKind, Node, PathSource};
use code_parser::diagnostic::{Code, Severity};
use code_parser::source::Source;
use code_parser::{RelPath, parse};

type Done = Result<(), Box<dyn Error>>;

const REPLY: &str = "\
Two edits in `src/app.py`, and a new file:

src/app.py
<<<<<<< SEARCH
VERSION = \"1.0\"
=======
VERSION = \"1.1\"
>>>>>>> REPLACE

In `src/app.py`, change `DEBUG = True` to `DEBUG = False`.

```python src/new.py
def helper():
    pass
```

--- a/docs/a.md
+++ b/docs/a.md
@@ -1 +1 @@
-old
+new
";

fn files(list: &[(&str, &str)]) -> Result<BTreeMap<RelPath, Vec<u8>>, Box<dyn Error>> {
    let file = |(path, text): &(&str, &str)| Ok((RelPath::new(path)?, text.as_bytes().to_vec()));
    list.iter().map(file).collect()
}

pub fn parse_and_look() -> Done {
    let source = Source::new(REPLY)?;
    let parsed = parse(&source, InputKind::Response);
    let mut kinds = Vec::new();
    for node in &parsed.document.nodes {
        let (start, end) = (source.position(node.span().start), source.position(node.span().end));
        let kind = match node {
            Node::CodeBlock(block) => {
                assert_eq!(block.language_tag(&source), "python");
                assert_eq!(block.content.to_str(&source), "def helper():\n    pass");
                "code"
            }
            Node::SearchReplace(block) => {
                let path = block.path.ok_or("no path")?;
                assert_eq!((source.slice(path.span), path.from), ("src/app.py", PathSource::Header));
                assert_eq!(source.slice(block.search_marker), "<<<<<<< SEARCH");
                "block"
            }
            Node::InlineEdit(edit) => {
                assert!(edit.narration, "the file is edited by a block, too");
                "sentence"
            }
            Node::FilePatch(patch) => {
                assert_eq!(patch.new_path(&source).as_deref(), Some("docs/a.md"));
                "patch"
            }
        };
        kinds.push((kind, start.line, end.line));
    }
    assert_eq!(kinds, [("block", 4, 8), ("sentence", 10, 10), ("code", 12, 15), ("patch", 17, 21)]);
    let codes: Vec<_> = parsed.diagnostics.iter().map(|found| (found.severity, found.code)).collect();
    assert_eq!(codes, [(Severity::Note, Code::IgnoredNarration)]);
    Ok(())
}

pub fn plan_over_a_map() -> Done {
    let source = Source::new(REPLY)?;
    let files = files(&[("src/app.py", "VERSION = \"1.0\"\r\nDEBUG = True\r\n"), ("docs/a.md", "old\n")])?;
    let plan = Plan::new(&parse(&source, InputKind::Response).changes(), &files, &Options::default())
        .map_err(|refusal| format!("{:?}", refusal.diagnostics))?;
    let made: Vec<_> = plan
        .files()
        .iter()
        .map(|file| (file.path.as_str(), file.status, file.new.as_deref().map(Vec::as_slice)))
        .collect();
    let expected: [(&str, FileStatus, Option<&[u8]>); 3] = [
        ("src/app.py", FileStatus::Modified, Some(b"VERSION = \"1.1\"\r\nDEBUG = True\r\n")),
        ("src/new.py", FileStatus::Created, Some(b"def helper():\n    pass\n")),
        ("docs/a.md", FileStatus::Modified, Some(b"new\n")),
    ];
    assert_eq!(made, expected);
    assert_eq!(plan.report().outcome, Outcome::Planned);
    Ok(())
}

pub fn refuse_with_every_fault() -> Done {
    let source = Source::new(REPLY)?;
    let files = files(&[("src/app.py", "VERSION = \"2.0\"\n")])?;
    let changes = parse(&source, InputKind::Response).changes();
    let Err(refusal) = Plan::new(&changes, &files, &Options::default()) else { return Err("planned".into()) };
    let errors: Vec<_> = refusal.diagnostics.iter().filter(|found| found.is_error()).collect();
    let told: Vec<_> = errors
        .iter()
        .map(|found| {
            let line = found.span.map(|span| source.position(span.start).line);
            (found.code, found.path.as_deref(), found.block, line)
        })
        .collect();
    let expected = [
        (Code::SearchNotFound, Some("src/app.py"), Some(1), Some(4)),
        (Code::FileNotFound, Some("docs/a.md"), Some(3), Some(18)),
    ];
    assert_eq!(told, expected);
    let report = Report::from(refusal);
    assert_eq!(report.outcome, Outcome::Refused);
    // Each file on its own: what can be done is done.
    let options = Options { scope: Scope::EachFile, ..Options::default() };
    let plan = Plan::new(&changes, &files, &options).map_err(|refusal| format!("{refusal:?}"))?;
    let statuses: Vec<_> = plan.files().iter().map(|file| file.status).collect();
    assert_eq!(statuses, [FileStatus::Failed, FileStatus::Created, FileStatus::Failed]);
    Ok(())
}

/// Open documents before files: what a program gives the plan to read is its own affair.
pub fn files_of_an_editor() -> Done {
    struct Documents;
    impl Files for Documents {
        fn load(&self, path: &RelPath, limit: u64) -> Result<Loaded, LoadError> {
            let text = match path.as_str() {
                "src/app.py" => "VERSION = \"1.0\"\n",
                "docs/a.md" => "old\n",
                _ => return Ok(Loaded { target: path.clone(), file: None }),
            };
            let size = text.len() as u64;
            if size > limit {
                return Err(LoadError::TooLarge { size, limit });
            }
            let file = LoadedFile { bytes: text.into(), stamp: None };
            Ok(Loaded { target: path.clone(), file: Some(Arc::new(file)) })
        }
    }
    let source = Source::new(REPLY)?;
    let changes = parse(&source, InputKind::Response).changes();
    assert!(Plan::new(&changes, &Documents, &Options::default()).is_ok());
    let small = Options { max_file_size: 3, ..Options::default() };
    assert!(Plan::new(&changes, &Documents, &small).is_err());
    Ok(())
}

#[cfg(feature = "fs")]
pub fn commit(dir: &std::path::Path) -> Done {
    use std::fs;

    use code_parser::apply::commit::CommitOptions;
    use code_parser::apply::fs::Root;

    let source = Source::new(REPLY)?;
    let changes = parse(&source, InputKind::Response).changes();
    fs::create_dir_all(dir.join("src"))?;
    fs::write(dir.join("src/app.py"), "VERSION = \"1.0\"\n")?;
    let root = Root::open(dir)?;
    // One file of the reply is missing: nothing is written.
    assert!(Plan::new(&changes, &root, &Options::default()).is_err());
    assert!(!dir.join("src/new.py").exists());
    fs::create_dir_all(dir.join("docs"))?;
    fs::write(dir.join("docs/a.md"), "old\n")?;
    let plan = Plan::new(&changes, &root, &Options::default()).map_err(|refusal| format!("{refusal:?}"))?;
    assert_eq!(fs::read_to_string(dir.join("docs/a.md"))?, "old\n", "a plan writes nothing");
    let report = root.commit(&plan, &CommitOptions::default())?;
    assert_eq!((report.outcome, report.blocks), (Outcome::Applied, 3));
    assert_eq!(fs::read_to_string(dir.join("src/app.py"))?, "VERSION = \"1.1\"\n");
    assert_eq!(fs::read_to_string(dir.join("src/new.py"))?, "def helper():\n    pass\n");
    assert_eq!(fs::read_to_string(dir.join("docs/a.md"))?, "new\n");
    assert!(!dir.join(".fsrb-txn").exists());
    Ok(())
}
