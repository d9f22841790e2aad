//! The input: where it comes from, and what cannot be one.

use super::support::{Tree, block};

#[test]
fn a_dash_is_standard_input() {
    let tree = Tree::new(&[("a", "x\n")]);
    assert_eq!(tree.pipe(["-"], block("a", "x\n", "y\n")).status, Some(0));
    assert_eq!(tree.read("a"), "y\n");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let tree = Tree::new(&[("dir/a", "x\n")]);
    for (path, code) in [("missing", "file-not-found"), ("dir", "not-a-file"), ("dir/a/b", "file-unreadable")]
    {
        let ran = tree.run(["--format", "json", path]);
        assert_eq!(ran.status, Some(1), "{path}");
        assert_eq!(ran.json()["outcome"], "refused");
        assert_eq!(ran.codes(), [code], "{path}");
        let human = tree.run([path]);
        assert_eq!(human.status, Some(1));
        assert!(
            human.stdout.starts_with(&format!("[ERROR] Validation failed.\n\nInput: {path}\n  - The input ")),
            "{human:?}"
        );
        assert!(human.stderr.starts_with(&format!("{path}: error[{code}]: the input ")), "{human:?}");
    }
}

#[test]
fn an_input_that_is_not_utf_8_is_refused_with_the_place() {
    let tree = Tree::new(&[("a", "x\n")]);
    let mut input = block("a", "x\n", "ü\n").into_bytes();
    input.extend_from_slice(b"# \xc3\xbc\xff\n");
    let ran = tree.pipe(["--format", "json", "-"], &input);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.codes(), ["not-utf8"]);
    let report = ran.json();
    let place = &report["diagnostics"][0]["span"]["start"];
    let offset = input.iter().position(|&byte| byte == 0xff).unwrap();
    assert_eq!(place["offset"], offset);
    assert_eq!((&place["line"], &place["column"], &place["utf16"]), (&7.into(), &4.into(), &4.into()));
    assert_eq!(tree.read("a"), "x\n");
    assert!(tree.pipe(["-"], &input).stderr.starts_with("<stdin>:7:4: error[not-utf8]: "));
}

#[test]
fn an_input_without_a_change_is_refused() {
    let tree = Tree::new::<&str>(&[]);
    for input in ["", "\n", "# only a comment\n", "just prose\n"] {
        for kind in ["fsrb", "response", "diff"] {
            let ran = tree.pipe(["--from", kind, "--format", "json", "-"], input);
            assert_eq!(ran.status, Some(1), "{input:?}");
            assert!(ran.codes().contains(&"no-changes".to_owned()), "{input:?}: {:?}", ran.codes());
        }
    }
}

#[test]
fn the_message_says_which_kind_the_input_is() {
    let diff = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n";
    let ran = Tree::new(&[("a", "x\n")]).pipe(["-"], diff);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("--from "), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_pipe_can_be_the_patch_file() {
    let tree = Tree::new(&[("a", "x\n")]);
    let pipe = tree.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let input = block("a", "x\n", "y\n");
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, input)
    });
    let ran = tree.run([&pipe]);
    writer.join().unwrap().unwrap();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(tree.read("a"), "y\n");
}

#[test]
fn the_name_of_the_input_is_escaped() {
    let tree = Tree::new(&[("in\u{1b}[2J\u{202e}", "")]);
    let ran = tree.run(["in\u{1b}[2J\u{202e}"]);
    assert!(ran.stderr.starts_with("in\\u{1b}[2J\\u{202e}: error[no-changes]"), "{ran:?}");
    assert!(ran.stdout.contains("\nInput: in\\u{1b}[2J\\u{202e}\n"), "{ran:?}");
}
