//! Codes of the files that an input names.

use super::{Example, Explanation, Remedy};
use crate::ast::InputKind::{Diff, Fsrb};

pub(super) const UNSAFE_PATH: Explanation = Explanation {
    title: "a path leads out of the root or to a place where nothing may be written",
    meaning: "A path in an input is relative to the root. One that is absolute, has a `..`, characters that are not \
        seen or a drive, leads through a link to somewhere else, or into `.git` and its like, is refused.",
    example: Example::Input {
        kind: Fsrb,
        files: &[],
        input: "../a.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::correct(
        "Give the path of a file below the root and relative to it: no `..`, no leading `/` or \
            `~`, no drive. If the file is meant to lie elsewhere, leave the edit out and say so.",
    )
    .person(
        "Give the path of a file below the root and relative to it: no `..`, no leading `/` or \
            `~`, no drive. For files elsewhere choose another `--root`.",
    ),
};

pub(super) const SENSITIVE_PATH: Explanation = Explanation {
    title: "a path leads to a file that can make other programs run something",
    meaning: "The file is the configuration of an editor, a hook, a build script or a workflow: what is written \
        there may be run later without anybody asking.",
    example: Example::Input {
        kind: Fsrb,
        files: &[],
        input: ".envrc\n<<<<<<< SEARCH\n=======\nexport A=1\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::nothing("Nothing has to be done.").person("Look at the change before anything runs."),
};

pub(super) const FILE_NOT_FOUND: Explanation = Explanation {
    title: "a file to change does not exist",
    meaning: "The path leads to nothing under the root. Files are matched by their exact path.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("src/a.txt", "old\n")],
        input: "a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::correct(
        "Give the path of a file that exists, whole and relative to the root. To create one \
            use an empty SEARCH section, or `--- /dev/null` in a diff.",
    )
    .person(
        "Give the path of a file that exists, whole and relative to the root (`--root`, or \
            else the current directory). To create one use an empty SEARCH section, or `--- \
            /dev/null` in a diff.",
    ),
};

pub(super) const FILE_UNREADABLE: Explanation = Explanation {
    title: "a file cannot be read",
    meaning: "The operating system refused to open or read the file, the input or the root; the message says why.",
    example: Example::Situation("the input edits a file that has no read permission."),
    remedy: Remedy::wait("The person who runs this has to make the file readable.")
        .person("Give the user that runs this the right to read it, then run again."),
};

pub(super) const NOT_A_FILE: Explanation = Explanation {
    title: "a target is a directory, a pipe, a socket or a device",
    meaning: "Only regular files are read and written. Nothing else is opened, so that nothing blocks.",
    example: Example::Situation("the input edits `src`, and that is a directory."),
    remedy: Remedy::correct("Name a file, not the directory that it lies in."),
};

pub(super) const NOT_UTF8: Explanation = Explanation {
    title: "a file or the input is not UTF-8",
    meaning: "An input must be UTF-8. A file may have any bytes as long as the texts of the edit are ASCII; an edit \
        with other characters would mix two encodings. UTF-16 and files with NUL bytes are never edited.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n\0\n")],
        input: "a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::correct("Write this edit in plain ASCII, or leave the file out.").person(
        "Convert the file to UTF-8 first, as in `iconv -f ISO-8859-1 -t UTF-8` (`file` guesses \
            what it is now), or write the edit in plain ASCII.",
    ),
};

pub(super) const TOO_LARGE: Explanation = Explanation {
    title: "a file is over the size limit",
    meaning: "Files of more than 256 MiB, or than `--max-file-size` says, are refused before they are read, and \
        inputs of 4 GiB or more always.",
    example: Example::Situation("the input edits a file of 300 MiB."),
    remedy: Remedy::wait("The person who runs this has to allow larger files.").person(
        "Allow larger files with `--max-file-size`, as in `--max-file-size 1GiB`, and run \
            again.",
    ),
};

pub(super) const READ_ONLY: Explanation = Explanation {
    title: "a file to change has no write permission",
    meaning: "Files are replaced by new ones, which the permissions of the directory allow; but a file without any \
        write bit is meant to stay as it is.",
    example: Example::Situation("the input edits a file of mode 0444."),
    remedy: Remedy::wait("The person who runs this has to make the file writable.").person(
        "Give the file write permission (`chmod u+w`) and run again, or accept it with \
            `--allow read-only`.",
    ),
};

pub(super) const OWNER_NOT_KEPT: Explanation = Explanation {
    title: "a file's owner or group cannot be kept",
    meaning: "The new content is a new file, and only root may give a file to another user. Whoever may read and \
        write it would change.",
    example: Example::Situation(
        "the input edits a file that belongs to another user, in a directory of one's own.",
    ),
    remedy: Remedy::wait("The person who runs this has to do so as the owner of the file.").person(
        "Run as the file's owner (`ls -l` names him), or accept another owner with `--allow \
            owner-not-kept`.",
    ),
};

pub(super) const METADATA_LOST: Explanation = Explanation {
    title: "something about a file (an attribute, an access list) could not be kept",
    meaning: "The new content is a new file that gets the attributes of the old one. This one could not be set.",
    example: Example::Situation("the file has an extended attribute that only root may set."),
    remedy: Remedy::nothing("Nothing has to be done.").person(
        "Nothing has to be done, unless something reads it: an attribute is set again with \
            `setfattr`, an access list with `setfacl`.",
    ),
};

pub(super) const HARD_LINK: Explanation = Explanation {
    title: "a file has other names, which keep the old content",
    meaning: "The new content is a new file under the name that the input gives. Other hard links still lead to the \
        old one.",
    example: Example::Situation("`a` and `b` are hard links of one file, and the input edits `a`."),
    remedy: Remedy::nothing("Nothing has to be done.").person(
        "Nothing has to be done if the other names may keep the old content. Else link them \
            again (`ln -f FILE OTHER`); `find . -samefile FILE` lists them, but only before the \
            run.",
    ),
};

pub(super) const OTHER_FILE_SYSTEM: Explanation = Explanation {
    title: "a target lies on another file system than the root",
    meaning: "All files become new by renaming within one file system; that is what makes it all or nothing.",
    example: Example::Situation("`cache` under the root is a mount point, and the input edits `cache/a`."),
    remedy: Remedy::wait(
        "The person who runs this has to choose another root, and to say what the paths are \
            then.",
    )
    .person(
        "Apply these edits in a run of their own, with `--root` at that directory and paths \
            relative to it.",
    ),
};

pub(super) const CREATE_EXISTS: Explanation = Explanation {
    title: "a file to create exists",
    meaning: "The input creates, renames to or copies to a file, and there is one already. Nothing is ever \
        overwritten unseen.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "precious\n")],
        input: "a.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::correct(
        "To change the file, give the text to find: its whole text to replace it whole. To \
            create another one, use a free name.",
    ),
};

pub(super) const CREATE_NOT_FIRST: Explanation = Explanation {
    title: "a file is created after an earlier block touched it",
    meaning: "A block with an empty SEARCH section creates a file. An earlier block of the same input changed or \
        created that file, so one of the two is a mistake.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n")],
        input: "a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n\na.txt\n<<<<<<< SEARCH\n=======\n\
            more\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::correct(
        "To add to the file, put a line of it into SEARCH, and the same line with the new ones \
            into REPLACE. To create it, this block has to come first.",
    ),
};

pub(super) const PATH_CONFLICT: Explanation = Explanation {
    title: "two targets cannot both be written",
    meaning: "One path is a file and another one lies below it, two paths are hard links of one file, or a name can be \
        read as that of more than one file.",
    example: Example::Input {
        kind: Diff,
        files: &[],
        input: "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n--- /dev/null\n+++ b/a/b\n@@ -0,0 +1 @@\n+new\n",
    },
    remedy: Remedy::correct("Name each file by one path, and no file as if it were a directory."),
};
