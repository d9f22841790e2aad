//! The rules about files that need a real file system: links, kinds of file, modes, empty directories.

use std::collections::BTreeSet;
use std::fs;

use code_parser::apply::commit::CommitOptions;
use code_parser::apply::fs::Root;
use code_parser::apply::plan::{Options, Plan, Scope};
use code_parser::apply::report::{FileStatus, Outcome};
use code_parser::ast::InputKind::{Diff, Fsrb, Response};
use code_parser::diagnostic::Code;
use code_parser::parse;
use code_parser::source::Source;

use crate::disk::Disk;
use crate::support::block;

/// A file that is left empty is deleted with the directories that this empties, up to the first that is not empty.
#[test]
fn deleting_whole_lines_and_empty_parents() {
    let delete = block("x/y/z/a", "a\n", "");
    Disk::new(&[("x/y/z/a", "a\n")]).gives(Fsrb, &delete, &[]);
    Disk::new(&[("x/y/z/a", "a\n"), ("x/.hidden", "h\n")]).gives(Fsrb, &delete, &[("x/.hidden", "h\n")]);
    let disk = Disk::new(&[("x/y/z/a", "a\n"), ("x/y/z/b", "b\n")]);
    let report = disk.gives(Fsrb, &delete, &[("x/y/z/b", "b\n")]);
    assert_eq!(report.files[0].status, FileStatus::Deleted);
}

/// A directory that was empty before and is no parent of a deleted file stays.
#[test]
fn deleting_whole_lines_and_other_empty_directories() {
    let disk = Disk::new(&[("x/a", "a\n")]);
    fs::create_dir(disk.root().join("x/empty")).unwrap();
    disk.gives(Fsrb, &block("x/a", "a\n", ""), &[("x/empty", "/")]);
}

/// A created file gets the directories that it needs.
#[test]
fn created_with_its_directories() {
    Disk::new(&[]).gives(Fsrb, &block("x/y/a", "", "a\n"), &[("x/y/a", "a\n")]);
    Disk::new(&[("x/b", "b\n")]).gives(
        Diff,
        "--- /dev/null\n+++ b/x/y/a\n@@ -0,0 +1 @@\n+a\n",
        &[("x/b", "b\n"), ("x/y/a", "a\n")],
    );
}

/// A diff creates, deletes, renames, copies, and sets the executable bit.
#[cfg(unix)]
#[test]
fn operations_on_a_disk() {
    use std::os::unix::fs::PermissionsExt;
    let mode =
        |disk: &Disk, path: &str| fs::metadata(disk.root().join(path)).unwrap().permissions().mode() & 0o7777;
    let disk = Disk::new(&[("x", "a\n"), ("d/y", "b\n"), ("z", "c\n")]);
    fs::set_permissions(disk.root().join("x"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(disk.root().join("d/y"), fs::Permissions::from_mode(0o755)).unwrap();
    let input = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n\
        diff --git a/d/y b/e/y\nsimilarity index 100%\nrename from d/y\nrename to e/y\n\
        diff --git a/z b/w\nsimilarity index 100%\ncopy from z\ncopy to w\n\
        diff --git a/z b/z\ndeleted file mode 100644\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n\
        diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n";
    disk.gives(Diff, input, &[("x", "a\n"), ("e/y", "b\n"), ("w", "c\n"), ("n", "n\n")]);
    assert_eq!(mode(&disk, "x"), 0o750, "executable where it is readable");
    assert_eq!(mode(&disk, "e/y"), 0o755);
    assert_eq!(mode(&disk, "n") & 0o111, mode(&disk, "n") >> 2 & 0o111, "executable where it is readable");
    assert_eq!(mode(&disk, "n") & 0o100, 0o100);
}

/// All files are new or all are as they were; with each file on its own, those that can be are written.
#[test]
fn one_file_fails_on_a_disk() {
    let disk = Disk::new(&[("a", "a\n"), ("b", "b\n"), ("c", "c\n")]);
    let input = [block("a", "a\n", "A\n"), block("b", "x\n", "B\n"), block("c", "c\n", "C\n")].join("\n");
    disk.refuses(Fsrb, &input, &["search-not-found"]);
    let each = Options { scope: Scope::EachFile, ..Options::default() };
    let report = disk.apply_with(Fsrb, &input, &each).unwrap();
    assert_eq!(report.outcome, Outcome::Partial);
    let statuses: Vec<_> = report.files.iter().map(|file| (file.path.as_str(), file.status)).collect();
    assert_eq!(
        statuses,
        [("a", FileStatus::Modified), ("b", FileStatus::Failed), ("c", FileStatus::Modified)]
    );
    disk.holds(&[("a", "A\n"), ("b", "b\n"), ("c", "C\n")]);
}

/// The edits of one file stand or fall together, also with each file on its own.
#[test]
fn one_file_fails_as_a_whole() {
    let disk = Disk::new(&[("a", "a\nb\n")]);
    let input = [block("a", "a\n", "A\n"), block("a", "x\n", "B\n")].join("\n");
    let each = Options { scope: Scope::EachFile, ..Options::default() };
    let report = disk.apply_with(Fsrb, &input, &each).unwrap();
    assert_eq!(report.files.len(), 1);
    assert_eq!(report.files[0].status, FileStatus::Failed);
    disk.holds(&[("a", "a\nb\n")]);
}

/// A file that changes between plan and commit keeps all others from being written, or itself alone: as planned.
#[test]
fn a_file_that_changes_after_the_plan() {
    for (scope, written) in [(Scope::AllOrNothing, false), (Scope::EachFile, true)] {
        let disk = Disk::new(&[("a", "1\n"), ("b", "1\n"), ("c", "1\n")]);
        let input = ["a", "b", "c"].map(|path| block(path, "1\n", "2\n")).concat();
        let source = Source::new(&input).unwrap();
        let root = Root::open(&disk.root()).unwrap();
        let options = Options { scope, ..Options::default() };
        let plan = Plan::new(&parse(&source, Fsrb).changes(), &root, &options).unwrap();
        disk.write("b", "somebody else's\n");
        let result = root.commit(&plan, &CommitOptions::default());
        let others = if written { "2\n" } else { "1\n" };
        disk.holds(&[("a", others), ("b", "somebody else's\n"), ("c", others)]);
        match result {
            Err(error) => assert_eq!((written, error.code()), (false, Code::ChangedOnDisk)),
            Ok(report) => {
                assert_eq!((written, report.outcome), (true, Outcome::Partial));
                let statuses: Vec<_> = report.files.iter().map(|file| file.status).collect();
                assert_eq!(statuses, [FileStatus::Modified, FileStatus::Failed, FileStatus::Modified]);
            }
        }
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::path::Path;

    use super::{BTreeSet, Code, Disk, Fsrb, Options, Plan, Response, Root, Source, block, fs, parse};

    fn link(disk: &Disk, target: impl AsRef<Path>, path: &str) {
        let path = disk.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    fn mode(disk: &Disk, path: &str) -> u32 {
        fs::metadata(disk.root().join(path)).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(disk: &Disk, path: &str, mode: u32) {
        fs::set_permissions(disk.root().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// A link that leads to a file inside stays, and that file is edited.
    #[test]
    fn symlinks_inside() {
        let disk = Disk::new(&[("d/real", "a\n")]);
        link(&disk, "d/real", "one");
        link(&disk, "../d/../d/real", "e/two");
        link(&disk, disk.root().join("d/real"), "three");
        link(&disk, "d", "dir");
        let mut text = "a\n".to_owned();
        let absolute = format!("-> {}", disk.root().join("d/real").display());
        for (path, new) in [("one", "b\n"), ("e/two", "c\n"), ("three", "d\n"), ("dir/real", "e\n")] {
            let after = [
                ("d/real", new),
                ("one", "-> d/real"),
                ("e/two", "-> ../d/../d/real"),
                ("three", &absolute),
                ("dir", "-> d"),
            ];
            disk.gives(Fsrb, &block(path, &text, new), &after);
            new.clone_into(&mut text);
        }
        disk.apply(Fsrb, &block("dir/new", "", "n\n")).unwrap();
        assert_eq!(disk.tree()["d/new"], "n\n");
    }

    /// A file that can make other programs run commands is told of by its own name and by that of a link to it.
    #[test]
    fn symlinks_and_sensitive_paths() {
        let disk = Disk::new(&[(".github/workflows/real.yml", "a\n"), ("d/real", "a\n"), ("d/plain", "a\n")]);
        link(&disk, ".github/workflows/real.yml", "one");
        link(&disk, "../d/real", ".vscode/two");
        for (path, is_sensitive) in [("one", true), (".vscode/two", true), ("d/plain", false)] {
            let report = disk.apply(Fsrb, &block(path, "a\n", "b\n")).unwrap();
            let found = report.diagnostics.iter().any(|found| found.code == Code::SensitivePath);
            assert_eq!(found, is_sensitive, "{path}");
        }
    }

    /// A link that leads outside, to nothing or in a circle is refused, as a file and on the way.
    #[test]
    fn symlinks_outside() {
        let disk = Disk::new(&[]);
        link(&disk, disk.out().join("kept"), "absolute.txt");
        link(&disk, "../out/kept", "relative.txt");
        link(&disk, disk.out(), "dir");
        link(&disk, disk.out().join("new"), "outside.txt");
        link(&disk, "nowhere", "dangling.txt");
        link(&disk, "b.txt", "a.txt");
        link(&disk, "a.txt", "b.txt");
        for path in ["absolute.txt", "relative.txt", "dir/kept", "dangling.txt", "a.txt", "a.txt/x"] {
            disk.refuses(Fsrb, &block(path, "kept\n", "new\n"), &["unsafe-path"]);
        }
        for path in ["dir/new", "outside.txt", "dangling.txt", "a.txt", "dangling.txt/x"] {
            disk.refuses(Fsrb, &block(path, "", "new\n"), &["unsafe-path"]);
            disk.refuses(Response, &block(path, "", "new\n"), &["unsafe-path"]);
        }
    }

    /// A link does not make a way into `.git`.
    #[test]
    fn symlinks_into_git() {
        let disk = Disk::new(&[(".git/config", "a\n"), (".git/hooks/x", "a\n")]);
        link(&disk, ".git/config", "config");
        link(&disk, ".git/hooks", "hooks");
        disk.refuses(Fsrb, &block("config", "a\n", "b\n"), &["unsafe-path"]);
        disk.refuses(Fsrb, &block("hooks/x", "a\n", "b\n"), &["unsafe-path"]);
        disk.refuses(Fsrb, &block("hooks/new", "", "b\n"), &["unsafe-path"]);
    }

    /// A file and a link to it are one file, edited in order.
    #[test]
    fn two_names_of_one_file_by_link() {
        let disk = Disk::new(&[("real", "1\n")]);
        link(&disk, "real", "link");
        let input = format!("{}\n{}", block("real", "1\n", "2\n"), block("link", "2\n", "3\n"));
        disk.gives(Fsrb, &input, &[("real", "3\n"), ("link", "-> real")]);
    }

    /// A hard link is broken with a warning; two of one file in one input are refused.
    #[test]
    fn two_names_of_one_file_by_hard_link() {
        let disk = Disk::new(&[("a", "1\n")]);
        fs::hard_link(disk.root().join("a"), disk.root().join("b")).unwrap();
        let both = format!("{}\n{}", block("a", "1\n", "2\n"), block("b", "1\n", "3\n"));
        disk.refuses(Fsrb, &both, &["path-conflict"]);
        // The fault tells where the other name is.
        let source = Source::new(&both).unwrap();
        let root = Root::open(&disk.root()).unwrap();
        let changes = parse(&source, Fsrb).changes();
        let refusal = Plan::new(&changes, &root, &Options::default()).unwrap_err();
        let fault = refusal.diagnostics.iter().find(|found| found.code == Code::PathConflict).unwrap();
        let [related] = fault.related.as_slice() else { panic!("{refusal:?}") };
        assert_eq!((related.message.as_str(), related.span.start), ("the other name is here", 2));
        let report = disk.gives(Fsrb, &block("a", "1\n", "2\n"), &[("a", "2\n"), ("b", "1\n")]);
        let codes: Vec<_> = report.diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::HardLink]);
    }

    /// A directory, a pipe, a socket and a device are no files, and none of them blocks.
    #[test]
    fn not_a_regular_file() {
        let disk = Disk::new(&[]);
        fs::create_dir(disk.root().join("dir.d")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(disk.root().join("pipe.d")).status().unwrap();
        assert!(made.success());
        let _socket = UnixListener::bind(disk.root().join("socket.d")).unwrap();
        for path in ["dir.d", "pipe.d", "socket.d"] {
            disk.refuses(Fsrb, &block(path, "a\n", "b\n"), &["not-a-file"]);
            disk.refuses(Fsrb, &block(path, "", "b\n"), &["create-exists"]);
        }
    }

    /// A path below a file is refused.
    #[test]
    fn not_a_regular_file_on_the_way() {
        let disk = Disk::new(&[("f", "a\n")]);
        assert!(disk.apply(Fsrb, &block("f/g", "", "b\n")).is_err());
        disk.holds(&[("f", "a\n")]);
    }

    /// The mode is kept, but for the set-id bits.
    #[test]
    fn permissions() {
        for (before, after) in
            [(0o644, 0o644), (0o600, 0o600), (0o755, 0o755), (0o4755, 0o755), (0o2750, 0o750), (0o200, 0o200)]
        {
            let disk = Disk::new(&[("a", "a\n")]);
            set_mode(&disk, "a", before);
            let owner = fs::metadata(disk.root().join("a")).unwrap();
            disk.apply(Fsrb, &block("a", "a\n", "b\n")).unwrap();
            assert_eq!(mode(&disk, "a"), after, "{before:o}");
            let now = fs::metadata(disk.root().join("a")).unwrap();
            assert_eq!((now.uid(), now.gid()), (owner.uid(), owner.gid()));
            set_mode(&disk, "a", 0o600);
            disk.holds(&[("a", "b\n")]);
        }
    }

    /// A file without any write bit is refused, unless that is allowed.
    #[test]
    fn permissions_of_a_read_only_file() {
        let disk = Disk::new(&[("a", "a\n"), ("b.txt", "b\n")]);
        set_mode(&disk, "a", 0o444);
        set_mode(&disk, "b.txt", 0o444);
        disk.refuses(Fsrb, &block("a", "a\n", "b\n"), &["read-only"]);
        disk.refuses(Fsrb, &block("a", "a\n", ""), &["read-only"]);
        disk.refuses(Response, "```text b.txt\nx\n```\n", &["read-only"]);
        let allow = Options { allow: BTreeSet::from([Code::ReadOnly]), ..Options::default() };
        disk.apply_with(Fsrb, &block("a", "a\n", "b\n"), &allow).unwrap();
        assert_eq!(mode(&disk, "a"), 0o444);
        assert_eq!(disk.tree()["a"], "b\n");
    }
}
