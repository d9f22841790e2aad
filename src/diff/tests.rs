use std::sync::Arc;

use crate::RelPath;
use crate::apply::files::Stamp;

use super::*;

fn loaded(text: &str, mode: u32) -> Arc<LoadedFile> {
    let stamp = Stamp { device: 1, inode: 1, size: 0, modified: (0, 0), mode, links: 1 };
    Arc::new(LoadedFile { bytes: text.as_bytes().to_vec(), stamp: Some(stamp) })
}

fn planned(path: &str, status: FileStatus, old: Option<&str>, new: Option<&str>) -> PlannedFile {
    PlannedFile {
        path: RelPath::new(path).unwrap(),
        target: RelPath::new(path).unwrap(),
        status,
        origin: None,
        renamed_to: None,
        old: old.map(|text| loaded(text, 0o644)),
        new: new.map(|text| Arc::new(text.as_bytes().to_vec())),
        executable: None,
        group: 0,
    }
}

fn printed(files: &[PlannedFile]) -> String {
    String::from_utf8(unified(files, Audience::Program)).unwrap()
}

#[test]
fn a_change_has_three_lines_around_it() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
    let expected = "\
diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
";
    assert_eq!(printed(&[planned("a.txt", FileStatus::Modified, Some(old), Some(new))]), expected);
}

#[test]
fn new_and_deleted_files_come_from_and_go_to_nowhere() {
    let files = [
        planned("new", FileStatus::Created, None, Some("a\n")),
        planned("gone", FileStatus::Deleted, Some("a\nb"), None),
        planned("empty", FileStatus::Created, None, Some("")),
        planned("same", FileStatus::Unchanged, Some("x"), Some("x")),
    ];
    let expected = "\
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+a
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
\\ No newline at end of file
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
";
    assert_eq!(printed(&files), expected);
}

#[test]
fn a_renamed_file_is_one_section() {
    let mut new = planned("new", FileStatus::Renamed, None, Some("a\n"));
    new.origin = Some((RelPath::new("old").unwrap(), loaded("a\n", 0o755)));
    let mut old = planned("old", FileStatus::Deleted, Some("a\n"), None);
    old.renamed_to = Some(RelPath::new("new").unwrap());
    let expected = "\
diff --git a/old b/new
rename from old
rename to new
";
    assert_eq!(printed(&[old, new]), expected);
}

#[test]
fn the_executable_bit_is_a_mode() {
    let mut file = planned("run.sh", FileStatus::Modified, Some("a\n"), Some("a\n"));
    file.executable = Some(true);
    assert_eq!(printed(&[file]), "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n");
}

#[test]
fn names_are_quoted_as_git_does() {
    assert_eq!(quoted("a/", "plain-1_2.txt"), "a/plain-1_2.txt");
    assert_eq!(quoted("a/", "with blank"), "a/with blank");
    assert_eq!(quoted("a/", "qu\"ote\\"), "\"a/qu\\\"ote\\\\\"");
    assert_eq!(quoted("b/", "\u{fc}"), "\"b/\\303\\274\"");
    assert_eq!(file_line_name("a/", "with blank"), "a/with blank\t");
    assert_eq!(file_line_name("a/", "\u{fc} x"), "\"a/\\303\\274 x\"");
}

#[test]
fn a_terminal_gets_no_control_characters_but_the_colours() {
    let file = || planned("a", FileStatus::Modified, Some("x\u{1b}[2J\n"), Some("y\t\u{202e}\r\n"));
    let plain = String::from_utf8(unified(&[file()], Audience::Plain)).unwrap();
    assert!(plain.ends_with("-x\\u{1b}[2J\n+y\t\\u{202e}\n"), "{plain}");
    let coloured = String::from_utf8(unified(&[file()], Audience::Coloured)).unwrap();
    assert!(
        coloured.ends_with("\u{1b}[31m-x\\u{1b}[2J\u{1b}[0m\n\u{1b}[32m+y\t\\u{202e}\u{1b}[0m\n"),
        "{coloured}"
    );
}

#[test]
fn two_large_files_without_a_common_line_take_linear_time() {
    let lines = |prefix: &str| -> String { (0..200_000).map(|line| format!("{prefix}{line}\n")).collect() };
    let file = planned("a", FileStatus::Modified, Some(&lines("a")), Some(&lines("b")));
    assert_eq!(printed(&[file]).lines().count(), 400_004);
}
