//! Codes of the writing stage.

use super::{Example, Explanation, Remedy};

pub(super) const CHANGED_ON_DISK: Explanation = Explanation {
    title: "a file changed after it was read",
    meaning: "Another program wrote the file between the check and the commit. Its change is kept, and every file is \
        as it was.",
    example: Example::Situation("an editor saves the file while the changes are being written."),
    remedy: Remedy::wait("The person who runs this has to run it again, with the file as it is now.")
        .person("Run again: the edits are then checked against the file as it is now."),
};

pub(super) const BUSY: Explanation = Explanation {
    title: "another run is writing in this root",
    meaning: "Two commits in one directory tree at the same time would undo each other. Nothing was changed.",
    example: Example::Situation("two runs are started at the same time."),
    remedy: Remedy::wait("The person who runs this has to wait until the other run is done.")
        .person("Wait until the other run is done, and run again."),
};

pub(super) const COMMIT_FAILED: Explanation = Explanation {
    title: "the operating system refused a step of the commit",
    meaning: "The edits are right, and writing them failed or was cancelled: the message says where. What was done \
        was undone, and every file is as it was.",
    example: Example::Situation("the disk is full."),
    remedy: Remedy::wait("The person who runs this has to find out why the system refuses it.").person(
        "See why the system refuses it (rights of the directory, a full disk, a file that \
            `lsattr` shows as immutable), and run again.",
    ),
};

pub(super) const INTERRUPTED_COMMIT: Explanation = Explanation {
    title: "an earlier commit under this root was interrupted",
    meaning: "A run was killed, or the power failed, while files were written. Its journal and the old contents lie \
        in `.fsrb-txn`. The next run that writes undoes it by itself; it is reported when it was undone (a note), \
        when a dry run finds it, and when it cannot be undone because files have changed since or it was not left \
        there by a commit of this user.",
    example: Example::Situation("the machine lost power during a commit."),
    remedy: Remedy::wait("The person who runs this has to settle the interrupted commit.").person(
        "Run `fsrb --recover`, with `--root` at the directory that holds `.fsrb-txn`: it puts the old contents back. \
            If files have changed since, choose: `--recover=restore` overwrites them with the old content, \
            `--recover=keep` leaves them as they are.",
    ),
};
