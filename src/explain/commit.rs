//! Codes of the writing stage.

use super::{Example, Explanation};

pub(super) const CHANGED_ON_DISK: Explanation = Explanation {
    title: "a file changed after it was read",
    meaning: "Another program wrote the file between the check and the commit. Its change is kept, and every file is \
        as it was.",
    example: Example::Situation("an editor saves the file while the changes are being written."),
    mend: "The edits may be right: they are to be checked once more, against the file as it is now.",
    command: Some("Run again."),
};

pub(super) const BUSY: Explanation = Explanation {
    title: "another run is writing in this root",
    meaning: "Two commits in one directory tree at the same time would undo each other. Nothing was changed.",
    example: Example::Situation("two runs are started at the same time."),
    mend: "The edits may be right: they can be applied when the other run is done.",
    command: Some("Run again then."),
};

pub(super) const COMMIT_FAILED: Explanation = Explanation {
    title: "the operating system refused a step of the commit",
    meaning: "The edits are right, and writing them failed or was cancelled: the message says where. What was done \
        was undone, and every file is as it was.",
    example: Example::Situation("the disk is full."),
    mend: "The edits are right: they can be applied when the cause is removed.",
    command: Some("Remove the cause and run again."),
};

pub(super) const INTERRUPTED_COMMIT: Explanation = Explanation {
    title: "an earlier commit under this root was interrupted",
    meaning: "A run was killed, or the power failed, while files were written. Its journal and the old contents lie \
        in `.fsrb-txn`. The next run that writes undoes it by itself; it is reported when it was undone (a note), \
        when a dry run finds it, and when it cannot be undone because files have changed since or it was not left \
        there by a commit of this user.",
    example: Example::Situation("the machine lost power during a commit."),
    mend: "The edits may be right: they can be applied when the interrupted commit is settled.",
    command: Some(
        "Run `fsrb --recover`. If files have changed since, choose with `--recover=restore` (the old content is \
        put back) or `--recover=keep` (the files stay as they are). A `.fsrb-txn` that is not ours is to be looked \
        at and removed by hand.",
    ),
};
