use super::*;

fn path() -> String {
    "d/f".to_owned()
}

fn failed(kind: io::ErrorKind) -> CommitError {
    CommitError::Failed { path: path(), operation: Operation::Write, source: io::Error::new(kind, "why") }
}

/// An error with its code, the path concerned, its words, and those without that path where they are others.
type Row = (CommitError, Code, Option<&'static str>, &'static str, Option<&'static str>);

fn of_one_file() -> Vec<Row> {
    vec![
        (
            CommitError::ChangedOnDisk { path: path() },
            Code::ChangedOnDisk,
            Some("d/f"),
            "d/f changed after it was read",
            Some("the file changed after it was read"),
        ),
        (failed(io::ErrorKind::Other), Code::CommitFailed, Some("d/f"), "cannot write d/f: why", None),
        (
            failed(io::ErrorKind::CrossesDevices),
            Code::OtherFileSystem,
            Some("d/f"),
            "cannot write d/f: why",
            None,
        ),
        (
            CommitError::OtherFileSystem { path: path() },
            Code::OtherFileSystem,
            Some("d/f"),
            "d/f lies on another file system than the root",
            Some("the directory lies on another file system than the root"),
        ),
        (
            CommitError::OwnerNotKept { path: path() },
            Code::OwnerNotKept,
            Some("d/f"),
            "owner and group of d/f cannot be kept",
            Some("the file's owner and group cannot be kept"),
        ),
    ]
}

fn of_the_whole() -> Vec<Row> {
    let place = ".fsrb-txn".to_owned();
    let source = io::Error::other("why");
    vec![
        (CommitError::Busy, Code::Busy, None, "another run is writing in this directory", None),
        (
            CommitError::Cancelled,
            Code::CommitFailed,
            None,
            "the commit was cancelled; nothing of it was written",
            None,
        ),
        (
            CommitError::Interrupted { place, doubt: Doubt::Damaged },
            Code::InterruptedCommit,
            Some(".fsrb-txn"),
            ".fsrb-txn: its journal is damaged, so that it cannot be undone",
            None,
        ),
        (
            CommitError::Unconfirmed { source },
            Code::InterruptedCommit,
            None,
            "every file is new, but the disk did not confirm it: why",
            None,
        ),
    ]
}

fn of_what_is_pending() -> Vec<Row> {
    let copies = [("a", "t/1"), ("b", "t/2")];
    let copies = copies.map(|(path, copy)| OldCopy { path: path.to_owned(), copy: copy.to_owned() }).into();
    let conflict = Unsettled::Conflict { paths: vec!["a".to_owned(), "b".to_owned()] };
    let (operation, source) = (Operation::Remove, io::Error::other("why"));
    let refused = Unsettled::Failed { path: path(), operation, source };
    vec![
        (
            CommitError::Pending { copies, reason: conflict },
            Code::InterruptedCommit,
            None,
            "files changed since the commit was interrupted: a, b; the old content of a is in t/1; the old content \
             of b is in t/2",
            None,
        ),
        (
            CommitError::Pending { copies: Vec::new(), reason: refused },
            Code::InterruptedCommit,
            None,
            "cannot remove d/f: why",
            None,
        ),
    ]
}

#[test]
fn every_error_says_what_it_is() {
    let rows = [of_one_file(), of_the_whole(), of_what_is_pending()];
    for (error, code, path, words, without_path) in rows.into_iter().flatten() {
        assert_eq!((error.code(), error.path(), error.to_string().as_str()), (code, path, words));
        assert_eq!(error.message(), without_path.unwrap_or(words));
        let is_pending = matches!(error, CommitError::Pending { .. } | CommitError::Unconfirmed { .. });
        assert_eq!(error.is_pending(), is_pending, "{words}");
    }
}

#[test]
fn every_warning_says_what_it_is() {
    let cases = [
        (
            CommitWarning::HardLink { path: path() },
            Code::HardLink,
            "the file had other names (hard links), which keep the old content",
        ),
        (
            CommitWarning::MetadataLost { path: path(), what: "user.k".to_owned() },
            Code::MetadataLost,
            "the file's attribute `user.k` could not be set on its new content",
        ),
        (
            CommitWarning::OwnerNotKept { path: path() },
            Code::OwnerNotKept,
            "the file's owner or group could not be kept",
        ),
    ];
    for (warning, code, words) in cases {
        assert_eq!((warning.code(), warning.path(), warning.to_string().as_str()), (code, "d/f", words));
    }
}

#[test]
fn every_operation_is_a_verb_before_a_path() {
    let cases = [
        (Operation::OpenDirectory, "open the directory"),
        (Operation::Open, "open"),
        (Operation::Examine, "examine"),
        (Operation::Read, "read"),
        (Operation::Create, "create"),
        (Operation::Write, "write"),
        (Operation::SetMode, "set the mode of"),
        (Operation::SetOwner, "set the owner of"),
        (Operation::Attribute, "copy the attributes of"),
        (Operation::MakeDirectory, "make the directory"),
        (Operation::Rename, "move the new file to"),
        (Operation::Remove, "remove"),
        (Operation::RemoveDirectory, "remove the directory"),
        (Operation::Sync, "sync"),
        (Operation::Lock, "lock"),
    ];
    for (operation, words) in cases {
        assert_eq!(operation.to_string(), words);
    }
}
