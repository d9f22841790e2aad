//! Codes of unified diffs.

use super::{Example, Explanation, Remedy};
use crate::ast::InputKind::Diff;

pub(super) const MALFORMED_HUNK: Explanation = Explanation {
    title: "a hunk cannot be read",
    meaning: "The lines behind a hunk's `@@` line are not the lines of a hunk: each starts with a space (context), \
        `-` (removed) or `+` (added). Or a code block that is named as a file, and not tagged `diff`, holds a diff.",
    example: Example::Input {
        kind: Diff,
        files: &[("a.txt", "old\n")],
        input: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n",
    },
    remedy: Remedy::correct(
        "Give the hunk whole, each line with its sign in front: a space for a line that stays, \
            `-` for one that goes, `+` for one that comes.",
    ),
};

pub(super) const MISSING_HUNKS: Explanation = Explanation {
    title: "a file header is followed by no hunk and no operation",
    meaning: "The diff names a file and says nothing of what is to happen to it.",
    example: Example::Input {
        kind: Diff,
        files: &[("a.txt", "old\n")],
        input: "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n",
    },
    remedy: Remedy::correct("Give the hunks of the file, each with its `@@` line, or leave its header out."),
};

pub(super) const HUNK_COUNT_MISMATCH: Explanation = Explanation {
    title: "a hunk's line counts are not those of its body",
    meaning: "The `@@` line states other numbers of lines than follow. The lines themselves are taken, and must all \
        be in the file.",
    example: Example::Input {
        kind: Diff,
        files: &[("a.txt", "old\n")],
        input: "--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,5 @@\n-old\n+new\n",
    },
    remedy: Remedy::nothing(
        "Nothing has to be done if the change is right. A hunk that lost lines has to be given \
            whole.",
    ),
};

pub(super) const HUNK_NOT_FOUND: Explanation = Explanation {
    title: "a hunk's old lines are not in the file",
    meaning: "All context and removed lines of a hunk must be in the file, one after the other, exactly but for \
        spaces and tabs at their ends. A diff that deletes a file must account for all its lines.",
    example: Example::Input {
        kind: Diff,
        files: &[("a.txt", "older\n")],
        input: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n",
    },
    remedy: Remedy::correct("Copy the context and removed lines from the file as it is now."),
};

pub(super) const AMBIGUOUS_HUNK: Explanation = Explanation {
    title: "a hunk fits several places",
    meaning: "The hunk's old lines are in the file more than once, and its line number decides for none of them; or \
        it has no old line and no usable number.",
    example: Example::Input {
        kind: Diff,
        files: &[("a.txt", "old\nmiddle\nold\n")],
        input: "--- a/a.txt\n+++ b/a.txt\n@@ @@\n-old\n+new\n",
    },
    remedy: Remedy::correct(
        "Add context lines as the file has them until the hunk fits one place; or say at which \
            line it starts: `@@ -N,M +N,M @@`.",
    ),
};

pub(super) const OVERLAPPING_HUNKS: Explanation = Explanation {
    title: "two hunks change the same lines",
    meaning: "The hunks of a file all match it as it was before the diff, and so no line can belong to two of them.",
    example: Example::Input {
        kind: Diff,
        files: &[("a.txt", "old\n")],
        input: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n@@ -1 +1 @@\n-old\n+newer\n",
    },
    remedy: Remedy::correct(
        "Join the two to one hunk. The hunks of a file all match it as it was before the diff.",
    ),
};

pub(super) const UNSUPPORTED_MODE: Explanation = Explanation {
    title: "a diff makes a symbolic link or a submodule",
    meaning: "Only regular files are written; of their modes only the executable bit is taken.",
    example: Example::Input {
        kind: Diff,
        files: &[],
        input: "diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+target\n",
    },
    remedy: Remedy::leave_out("Leave this file out: links and submodules are not made from a diff.").person(
        "Leave this file out of the diff, and make the link (`ln -s`) or the submodule by \
            hand.",
    ),
};

pub(super) const BINARY_PATCH: Explanation = Explanation {
    title: "a diff holds binary content",
    meaning: "Only the text of a diff is applied. `Binary files differ` says nothing of the content, and git's \
        binary form is not read.",
    example: Example::Input {
        kind: Diff,
        files: &[],
        input: "diff --git a/a.png b/a.png\nindex 1111111..2222222 100644\nBinary files a/a.png and b/a.png differ\n",
    },
    remedy: Remedy::leave_out("Leave this file out: only text is taken from a diff.")
        .person("Leave this file out of the diff, and copy it to its place by hand."),
};
