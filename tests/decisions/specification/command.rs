//! The command, run as a process.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::disk::Disk;
use crate::support::block;

/// How the command ended and what it printed.
#[derive(Debug)]
struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs the command in the root with this on standard input.
fn run(disk: &Disk, args: &[&str], input: &[u8]) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fsrb"))
        .args(args)
        .current_dir(disk.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that needs no input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Answer { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

const EXAMPLE: &str = "src/config.py
<<<<<<< SEARCH
DB_HOST = \"localhost\"
DB_PORT = 5432
=======
DB_HOST = env.get(\"DB_HOST\", \"127.0.0.1\")
DB_PORT = int(env.get(\"DB_PORT\", 5432))
>>>>>>> REPLACE

README.md
<<<<<<< SEARCH
Run the app locally.
=======
Run the app locally or via Docker.
>>>>>>> REPLACE
";
const CONFIG: &str = "DB_HOST = \"localhost\"\nDB_PORT = 5432\n";
const NEW_CONFIG: &str =
    "DB_HOST = env.get(\"DB_HOST\", \"127.0.0.1\")\nDB_PORT = int(env.get(\"DB_PORT\", 5432))\n";

/// One argument, the patch file; paths are relative to the current directory; the report is the document's, and nothing
/// else is left in the directory.
#[test]
fn applies_the_example() {
    let disk = Disk::new(&[
        ("src/config.py", CONFIG),
        ("README.md", "Run the app locally.\n"),
        ("update_config.fsrb", EXAMPLE),
    ]);
    let answer = run(&disk, &["update_config.fsrb"], b"");
    assert_eq!(
        answer.stdout,
        "Saved changes to src/config.py\nSaved changes to README.md\n\n[SUCCESS] All 2 blocks applied to 2 files.\n"
    );
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    disk.holds(&[
        ("src/config.py", NEW_CONFIG),
        ("README.md", "Run the app locally or via Docker.\n"),
        ("update_config.fsrb", EXAMPLE),
    ]);
}

/// A failure names the file, the block, counted over the whole input, and the first line of its SEARCH section.
#[test]
fn refuses_the_example() {
    let before = [("src/config.py", CONFIG), ("README.md", "Other.\n"), ("update_config.fsrb", EXAMPLE)];
    let disk = Disk::new(&before);
    let answer = run(&disk, &["update_config.fsrb"], b"");
    assert_eq!(
        answer.stdout,
        "[ERROR] Validation failed.\n\nFile: README.md\n  - Block #2: SEARCH block not found in file content.\n    Snippet: \"Run the app locally.\"\n"
    );
    assert_eq!(answer.code, Some(1));
    assert!(
        answer.stderr.contains("update_config.fsrb:11:1: error[search-not-found]: "),
        "{}",
        answer.stderr
    );
    disk.holds(&before);
}

/// Every fault is in the one report.
#[test]
fn reports_every_fault() {
    let input = [block("a", "x\n", "y\n"), block("b", "b\n", "c\n"), block("c", "c\n", "d\n")].concat();
    let disk = Disk::new(&[("a", "a\n"), ("b", "b\nb\n")]);
    let answer = run(&disk, &["-"], input.as_bytes());
    assert_eq!(answer.code, Some(1));
    for part in ["File: a\n  - Block #1: ", "File: b\n  - Block #2: ", "File: c\n  - Block #3: "] {
        assert!(answer.stdout.contains(part), "{part:?} in {}", answer.stdout);
    }
    disk.holds(&[("a", "a\n"), ("b", "b\nb\n")]);
}

/// The status is 1 and nothing is changed when a file is missing, both sections are empty, the text is not found or is
/// ambiguous.
#[test]
fn exit_status() {
    for input in [
        block("missing", "a\n", "b\n"),
        block("a", "", ""),
        block("a", "", "x\n"),
        block("a", "x\n", "y\n"),
        block("b", "b\n", "c\n"),
        block("../a", "a\n", "b\n"),
        "Words.\n".to_owned(),
        String::new(),
    ] {
        let disk = Disk::new(&[("a", "a\n"), ("b", "b\nb\n")]);
        let answer = run(&disk, &["-"], input.as_bytes());
        assert_eq!(answer.code, Some(1), "{input} {answer:?}");
        assert!(answer.stdout.starts_with("[ERROR] "), "{input} {answer:?}");
        disk.holds(&[("a", "a\n"), ("b", "b\nb\n")]);
    }
    let disk = Disk::new(&[("a", "a\n")]);
    assert_eq!(run(&disk, &["-"], block("a", "a\n", "b\n").as_bytes()).code, Some(0));
    disk.holds(&[("a", "b\n")]);
}

/// Wrong arguments are status 2; a patch file that is missing, a directory or not UTF-8 is status 1.
#[test]
fn exit_status_of_wrong_calls() {
    let disk = Disk::new(&[("d/a", "a\n")]);
    for args in [&[][..], &["--no-such-option", "-"], &["one", "two"], &["--from", "prose", "-"]] {
        assert_eq!(run(&disk, args, b"").code, Some(2), "{args:?}");
    }
    for args in [&["missing.fsrb"][..], &["d"], &["--root", "missing", "-"], &["--root", "d/a", "-"]] {
        assert_eq!(
            run(&disk, args, b"a\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n").code,
            Some(1),
            "{args:?}"
        );
    }
    let answer = run(&disk, &["--format", "json", "-"], b"a\xff\n");
    assert_eq!(answer.code, Some(1));
    assert!(answer.stdout.contains("\"not-utf8\""), "{}", answer.stdout);
    disk.holds(&[("d/a", "a\n")]);
}

/// Created, deleted and unchanged files are named so, and what a dry run would do.
#[test]
fn reports_what_became_of_each_file() {
    let input = [block("n", "", "n\n"), block("d", "d\n", ""), block("u", "u\n", "u\n")].concat();
    let before = [("d", "d\n"), ("u", "u\n")];
    let disk = Disk::new(&before);
    let answer = run(&disk, &["--dry-run", "-"], input.as_bytes());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.stdout.contains("Would save changes to n\n"), "{}", answer.stdout);
    assert!(answer.stdout.ends_with("[SUCCESS] All 3 blocks would apply to 3 files.\n"), "{}", answer.stdout);
    disk.holds(&before);
    let answer = run(&disk, &["-"], input.as_bytes());
    assert_eq!(
        answer.stdout,
        "Saved changes to n\nDeleted d\nUnchanged u\n\n[SUCCESS] All 3 blocks applied to 3 files.\n"
    );
    disk.holds(&[("n", "n\n"), ("u", "u\n")]);
}

/// Options only add: other inputs are read when they are asked for.
#[test]
fn options_only_add() {
    let reply = "Here it is.\n\n```python a.py\nx\n```\n";
    let disk = Disk::new(&[]);
    let answer = run(&disk, &["-"], reply.as_bytes());
    assert_eq!(answer.code, Some(1));
    assert!(format!("{}{}", answer.stdout, answer.stderr).contains("--from response"), "{answer:?}");
    disk.holds(&[]);
    assert_eq!(run(&disk, &["--from", "response", "-"], reply.as_bytes()).code, Some(0));
    disk.holds(&[("a.py", "x\n")]);
    let diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n";
    assert_eq!(run(&disk, &["--from", "diff", "-"], diff.as_bytes()).code, Some(0));
    disk.holds(&[("a.py", "y\n")]);
}

/// With each file on its own those that can be are written, and the status is 1.
#[test]
fn keeps_going_when_asked() {
    let input = [block("a", "a\n", "A\n"), block("b", "x\n", "B\n")].concat();
    let disk = Disk::new(&[("a", "a\n"), ("b", "b\n")]);
    assert_eq!(run(&disk, &["-"], input.as_bytes()).code, Some(1));
    disk.holds(&[("a", "a\n"), ("b", "b\n")]);
    assert_eq!(run(&disk, &["--keep-going", "-"], input.as_bytes()).code, Some(1));
    disk.holds(&[("a", "A\n"), ("b", "b\n")]);
}

/// Nothing is kept from one run to the next: the same input on the same files does the same.
#[test]
fn is_stateless() {
    let input = block("a", "a\n", "a\na\n");
    let mut outputs = Vec::new();
    for _ in 0..2 {
        let disk = Disk::new(&[("a", "a\n")]);
        let answer = run(&disk, &["-"], input.as_bytes());
        disk.holds(&[("a", "a\na\n")]);
        outputs.push((answer.code, answer.stdout, answer.stderr));
    }
    assert_eq!(outputs[0], outputs[1]);
}
