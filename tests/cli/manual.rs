//! One test for each statement of the manual page.

use std::fs;

use super::support::{Tree, block};

/// Runs `fsrb input` on a tree, the input not being a part of the tree that is compared.
fn apply(tree: &Tree, input: &str) -> super::support::Ran {
    tree.pipe(["-"], input)
}

/// The input is refused, with these words on standard output, and nothing changes.
fn refused(tree: &Tree, input: &str, words: &str) {
    let before = tree.files();
    let ran = apply(tree, input);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("[ERROR] Validation failed.\n\n"), "{ran:?}");
    assert!(ran.stdout.contains(words), "{words}: {ran:?}");
    assert_eq!(tree.files(), before);
}

/// The input is applied, and `path` then holds `content`.
fn applied(tree: &Tree, input: &str, path: &str, content: &str) {
    let ran = apply(tree, input);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(tree.read(path), content);
}

const EXAMPLE: &str = include_str!("../example/update_config.fsrb");

fn example() -> Tree {
    Tree::new(&[
        ("src/config.py", include_str!("../example/src/config.py")),
        ("README.md", include_str!("../example/README.md")),
        ("update_config.fsrb", EXAMPLE),
        ("wrong.fsrb", include_str!("../example/wrong.fsrb")),
        ("reply.md", include_str!("../example/reply.md")),
        ("fix.patch", include_str!("../example/fix.patch")),
    ])
}

#[test]
fn the_example_of_success() {
    let tree = example();
    let ran = tree.run(["update_config.fsrb"]);
    let expected = "\
Saved changes to src/config.py
Saved changes to README.md

[SUCCESS] All 2 blocks applied to 2 files.
";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), (expected, "", Some(0)));
    assert!(tree.read("src/config.py").contains("DB_PORT = int(env.get(\"DB_PORT\", 5432))\nDB_NAME"));
    assert!(tree.read("README.md").contains("\nRun the app locally or via Docker.\n"));
}

#[test]
fn the_example_of_failure() {
    let tree = example();
    tree.write("README.md", "# App\n");
    let before = tree.files();
    let ran = tree.run(["update_config.fsrb"]);
    let expected = "\
[ERROR] Validation failed.

File: README.md
  - Block #2: SEARCH block not found in file content.
    Snippet: \"Run the app locally.\"
";
    assert_eq!((ran.stdout.as_str(), ran.status), (expected, Some(1)));
    assert!(ran.stderr.starts_with("update_config.fsrb:11:1: error[search-not-found]: "), "{}", ran.stderr);
    assert_eq!(tree.files(), before);
}

#[test]
fn every_fault_is_reported_at_once() {
    let tree = Tree::new(&[("a", "x\nx\n"), ("b", "y\n"), ("c", "z\n")]);
    let input = [
        block("a", "x\n", "1\n"),
        block("b", "no\n", "1\n"),
        block("c", "z\n", "1\n"),
        block("d", "z\n", "1\n"),
    ];
    let before = tree.files();
    let ran = apply(&tree, &input.concat());
    assert_eq!(ran.status, Some(1));
    for words in ["File: a\n  - Block #1: ", "File: b\n  - Block #2: ", "File: d\n  - Block #4: "] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("File: c"), "{}", ran.stdout);
    assert_eq!(tree.files(), before);
}

#[test]
fn the_path_is_relative_to_the_current_directory() {
    let tree = Tree::new(&[("dir/a", "x\n"), ("a", "x\n")]);
    let ran = tree.command(["../in"]).current_dir(tree.join("dir")).output().unwrap();
    assert_eq!(ran.status.code(), Some(1), "there is no input yet");
    tree.write("in", block("a", "x\n", "y\n"));
    let ran = tree.command(["../in"]).current_dir(tree.join("dir")).output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!((tree.read("dir/a"), tree.read("a")), ("y\n".to_owned(), "x\n".to_owned()));
}

#[test]
fn blank_lines_comments_and_fences_may_stand_between_path_and_block() {
    let tree = Tree::new(&[("a", "x\n")]);
    let input =
        format!("# a comment\na\n\n# another\n```python\n{}```\n", block("", "x\n", "y\n").trim_start());
    applied(&tree, &input, "a", "y\n");
}

#[test]
fn a_path_is_on_a_line_of_its_own_before_the_block() {
    let tree = Tree::new(&[("a", "x\n")]);
    refused(&tree, &block("", "x\n", "y\n"), "Input: <stdin>\n  - Block #1: ");
}

#[test]
fn markers_may_have_white_space_around_them() {
    let tree = Tree::new(&[("a", "x\n")]);
    let input = "a\n  <<<<<<< SEARCH \nx\n\t=======\t\ny\n >>>>>>> REPLACE  \n";
    applied(&tree, input, "a", "y\n");
}

#[test]
fn the_search_text_must_match_exactly() {
    let tree = Tree::new(&[("a", "  x = 1\n")]);
    for search in ["  x = 1 \n", "\tx = 1\n", "  X = 1\n", "  x  = 1\n"] {
        refused(&tree, &block("a", search, "y\n"), "SEARCH block not found in file content.");
    }
}

#[test]
fn a_backslash_escapes_a_marker_in_the_text() {
    let tree = Tree::new(&[("a", "<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n")]);
    let search = "\\<<<<<<< SEARCH\n\\=======\n\\>>>>>>> REPLACE\n";
    applied(&tree, &block("a", search, "\\=======\n"), "a", "=======\n");
}

#[test]
fn the_search_text_is_no_pattern() {
    let tree = Tree::new(&[("a", "axb\n")]);
    refused(&tree, &block("a", "a.b\n", "y\n"), "SEARCH block not found");
    tree.write("a", "[a-z]*?\\d(x)\n");
    applied(&tree, &block("a", "[a-z]*?\\d(x)\n", "$0 \\1\n"), "a", "$0 \\1\n");
}

#[test]
fn a_file_that_does_not_exist_is_a_fault() {
    refused(&Tree::new::<&str>(&[]), &block("a", "x\n", "y\n"), "File: a\n  - Block #1: ");
}

#[test]
fn a_file_that_cannot_be_read_is_a_fault() {
    let tree = Tree::new(&[("a/b", "x\n")]);
    refused(&tree, &block("a", "x\n", "y\n"), "File: a\n  - Block #1: ");
}

#[test]
fn two_matches_are_a_fault() {
    let tree = Tree::new(&[("a", "x\ny\nx\n")]);
    refused(&tree, &block("a", "x\n", "z\n"), "    Snippet: \"x\"\n");
}

#[test]
fn an_empty_search_creates_the_file_and_its_directories() {
    let tree = Tree::new::<&str>(&[]);
    applied(&tree, &block("new/dir/file.txt", "", "one\ntwo\n"), "new/dir/file.txt", "one\ntwo\n");
}

#[test]
fn a_file_that_is_to_be_created_must_not_exist() {
    refused(&Tree::new(&[("a", "x\n")]), &block("a", "", "y\n"), "File: a\n  - Block #1: ");
}

#[test]
fn an_empty_search_with_an_empty_replace_is_invalid() {
    refused(&Tree::new::<&str>(&[]), &block("a", "", ""), "File: a\n  - Block #1: ");
    refused(&Tree::new(&[("a", "x\n")]), &block("a", "", ""), "File: a\n  - Block #1: ");
}

#[test]
fn an_empty_replace_deletes_the_text() {
    let tree = Tree::new(&[("a", "x\ny\nz\n")]);
    applied(&tree, &block("a", "y\n", ""), "a", "x\nz\n");
}

#[test]
fn a_file_without_text_is_deleted_with_its_empty_parents() {
    let tree = Tree::new(&[("dir/kept", "x\n"), ("dir/sub/deep/a", "x\n")]);
    let ran = apply(&tree, &block("dir/sub/deep/a", "x\n", ""));
    assert_eq!(ran.stdout, "Deleted dir/sub/deep/a\n\n[SUCCESS] All 1 blocks applied to 1 files.\n");
    assert_eq!(tree.files().into_keys().collect::<Vec<_>>(), ["dir/kept"]);
}

#[test]
fn line_endings_are_preserved() {
    let tree = Tree::new(&[("a", "one\r\ntwo\r\nthree\r\n")]);
    applied(&tree, &block("a", "one\ntwo\n", "1\n2\n"), "a", "1\r\n2\r\nthree\r\n");
}

#[test]
fn later_blocks_see_what_earlier_ones_did() {
    let tree = Tree::new(&[("a", "x\n")]);
    applied(&tree, &(block("a", "x\n", "y\n") + &block("a", "y\n", "z\n")), "a", "z\n");
}

#[test]
fn nothing_is_left_behind() {
    let tree = Tree::new(&[("a", "x\n")]);
    apply(&tree, &block("a", "x\n", "y\n"));
    assert_eq!(fs::read_dir(tree.path()).unwrap().count(), 1);
}

#[test]
fn the_first_command_of_the_readme_prints_what_the_readme_says() {
    let tree = example();
    let ran = tree.run(["--diff", "update_config.fsrb"]);
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("\n```text\n{}```\n", ran.stdout)), "{}", ran.stdout);
    assert_eq!((ran.stderr.as_str(), ran.status), ("", Some(0)));
}

#[test]
fn the_readme_shows_faults_as_they_are_printed() {
    let (tree, readme) = (example(), include_str!("../../README.md"));
    // Both streams into one file, as on a terminal.
    let shown = fs::File::create(tree.join("shown")).unwrap();
    let mut command = tree.command(["wrong.fsrb"]);
    let status = command.stdout(shown.try_clone().unwrap()).stderr(shown).status().unwrap();
    assert_eq!(status.code(), Some(1));
    let shown = tree.read("shown");
    assert!(
        readme.contains(&format!(
            "\n`fsrb wrong.fsrb` prints in a copy of `tests/example`:\n\n```text\n{shown}```\n"
        )),
        "{shown}"
    );
}

#[test]
fn the_readme_shows_the_prompt_as_it_is_printed() {
    let ran = example().run(["--format", "prompt", "wrong.fsrb"]);
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("prints:\n\n````text\n{}````\n", ran.stdout)), "{}", ran.stdout);
    assert_eq!((ran.stderr.as_str(), ran.status), ("", Some(1)));
}

/// Every file that the README's commands name is in the example tree, and does what the README says of it.
#[test]
fn each_way_to_read_an_input_has_an_example() {
    let tree = example();
    let ran = tree.run(["--from", "response", "--dry-run", "--diff", "reply.md"]);
    assert!(ran.stdout.ends_with("[SUCCESS] All 3 blocks would apply to 3 files.\n"), "{ran:?}");
    let ran = tree.run(["--from", "diff", "--dry-run", "fix.patch"]);
    assert!(ran.stdout.ends_with("[SUCCESS] All 1 blocks would apply to 1 files.\n"), "{ran:?}");
    let readme = include_str!("../../README.md");
    for name in ["update_config.fsrb", "reply.md", "fix.patch", "wrong.fsrb"] {
        assert!(readme.contains(&format!(" {name}")) && tree.join(name).exists(), "{name}");
    }
}
