//! Arguments: what is offered, what is wrong.

use super::support::{Tree, block};

fn empty() -> Tree {
    Tree::new::<&str>(&[])
}

#[test]
fn help_goes_to_standard_output_and_names_every_option() {
    for flag in ["-h", "--help"] {
        let ran = empty().run([flag]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        for word in [
            "<PATCHFILE>",
            "--root",
            "--from",
            "--dry-run",
            "--diff",
            "--parse",
            "--keep-going",
            "--allow",
            "--max-file-size",
            "--recover",
            "--format",
            "--color",
            "Exit status:",
        ] {
            assert!(ran.stdout.contains(word), "{flag}: {word}: {}", ran.stdout);
        }
    }
}

#[test]
fn the_version_is_the_package_s() {
    assert_eq!(empty().run(["--version"]).stdout, format!("fsrb {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_arguments_end_with_2_and_change_nothing() {
    let tree = Tree::new(&[("a", "x\n"), ("in", block("a", "x\n", "y\n").as_str())]);
    let before = tree.files();
    for args in [
        &[][..],
        &["in", "in"],
        &["--no-such-option", "in"],
        &["--from", "aider", "in"],
        &["--format", "xml", "in"],
        &["--color", "blue", "in"],
        &["--allow", "search-not-found", "in"],
        &["--allow", "no-such-code", "in"],
        &["--max-file-size", "many", "in"],
        &["--max-file-size", "-1", "in"],
        &["--parse", "--diff", "in"],
        &["--recover", "in"],
        &["--recover=both"],
        &["--recover", "--dry-run"],
    ] {
        let ran = tree.run(args);
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{args:?}: {}", ran.stderr);
    }
    assert_eq!(tree.files(), before);
}

#[test]
fn a_patch_file_s_name_may_start_with_a_dash() {
    let tree = Tree::new(&[("a", "x\n"), ("-in", block("a", "x\n", "y\n").as_str())]);
    assert_eq!(tree.run(["--", "-in"]).status, Some(0));
    assert_eq!(tree.read("a"), "y\n");
}
