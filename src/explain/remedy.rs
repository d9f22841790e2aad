//! [`Remedy`]: what to do about a diagnostic, for a model and for a person.

/// What to do about a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remedy {
    /// Whether and how the input can be mended.
    pub way: Way,
    /// What to do, in whole sentences, for the model that wrote the input.
    pub model: &'static str,
    /// The same for a person who can run the command, where it differs.
    person: Option<&'static str>,
}

/// Whether and how an input can be mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// The edit is sent again, corrected.
    Correct,
    /// No edit of this kind is taken: it is left out.
    LeaveOut,
    /// The edits may be right: whoever runs the command has to do something.
    Wait,
    /// Nothing has to be done, unless something else was meant.
    Nothing,
}

impl Remedy {
    /// A correction of the edit.
    pub(crate) const fn correct(model: &'static str) -> Self {
        Self { way: Way::Correct, model, person: None }
    }

    /// The edit is to be left out.
    pub(crate) const fn leave_out(model: &'static str) -> Self {
        Self { way: Way::LeaveOut, model, person: None }
    }

    /// Something that only whoever runs the command can do.
    pub(crate) const fn wait(model: &'static str) -> Self {
        Self { way: Way::Wait, model, person: None }
    }

    /// Nothing has to be done.
    pub(crate) const fn nothing(model: &'static str) -> Self {
        Self { way: Way::Nothing, model, person: None }
    }

    /// The same with other words for a person.
    pub(crate) const fn person(self, person: &'static str) -> Self {
        Self { person: Some(person), ..self }
    }

    /// What to do, in whole sentences, for a person who can run the command.
    #[must_use]
    pub const fn for_person(&self) -> &'static str {
        match self.person {
            Some(person) => person,
            None => self.model,
        }
    }
}

/// What to do about one of the cases of a code, where it is not what its explanation says.
pub mod cases {
    use super::Remedy;

    /// `missing-path` of a diff.
    pub(crate) const NAMELESS_DIFF: Remedy =
        Remedy::correct("Write the lines `--- a/PATH` and `+++ b/PATH` above the first `@@` line.");
    /// `path-conflict` of a diff.
    pub(crate) const NULL_SLASH: Remedy = Remedy::correct(
        "Write `/dev/null`, with the slash, where the diff creates or deletes a file; else the same name on both sides.",
    );
    /// `unexpected-marker`: a second separator.
    pub(crate) const SECOND_SEPARATOR: Remedy = Remedy::correct(
        "Keep one of the texts behind `=======` and leave the other out, with its `=======`. If the line belongs to \
            the content, write one backslash at its very start: `\\=======`.",
    );
    /// `unexpected-marker`: a block begins in another.
    pub(crate) const SECOND_OPENER: Remedy = Remedy::correct(
        "Close the first block by a line `>>>>>>> REPLACE` above this line. A second block for the same file needs no \
            path of its own.",
    );
    /// `unexpected-marker`: nothing has opened what ends.
    pub(crate) const LONE_END: Remedy = Remedy::correct(
        "Give the whole block: the path alone on a line, below it the lines `<<<<<<< SEARCH`, the text to find, \
            `=======`, the text to put in its place, `>>>>>>> REPLACE`.",
    );
    /// `ambiguous-nesting`: a file begins or ends with a fence.
    pub(crate) const STRAY_FENCE: Remedy = Remedy::correct(
        "Give the block one opening and one closing fence, and leave out of the file's text the fence line that belongs \
            to neither. If the file does have that line, change the file by a SEARCH/REPLACE block.",
    )
    .person(
        "Remove the fence line that belongs to neither end of the block. If the file does have that line, accept it \
            with `--allow ambiguous-nesting`.",
    );
    /// `ambiguous-nesting`: an edit block may have taken in the end of one code block and the start of another.
    pub(crate) const FENCE_IN_EDIT: Remedy = Remedy::correct(
        "Put the line `>>>>>>> REPLACE` directly below the new text. If the fences do belong to that text, put the edit \
            block into a code block with more backticks than they have.",
    );
    /// `ambiguous-nesting`: an opening fence may be missing.
    pub(crate) const LOST_OPENER: Remedy = Remedy::correct(
        "If the fence closes a block, put the opening fence of that block above its text. If it opens one, give it a \
            language and more backticks than any fence in the block has.",
    );
    /// `malformed-hunk`: a diff in a block that is a file.
    pub(crate) const DIFF_AS_FILE: Remedy = Remedy::correct(
        "Tag the block `diff`: the lines `--- a/PATH` and `+++ b/PATH` of the diff name its file.",
    );
    /// `malformed-hunk`: a block that is a file takes in a part of a diff.
    pub(crate) const DIFF_IN_FILE: Remedy = Remedy::correct(
        "Close the block of the file behind the file's last line, and put the whole diff into a block of its own, tagged \
            `diff`.",
    );
    /// `malformed-hunk`: no line has its sign.
    pub(crate) const ALL_UNSIGNED: Remedy = Remedy::correct(
        "Put a sign before every line: a space if the file has the line and it stays, `-` if the file has it and it \
            goes, `+` if it comes. A changed line is two: the old one with `-`, the new one with `+`.",
    );
    /// `hunk-not-found`: lines are left of a file that is to be deleted.
    pub(crate) const DELETE_ALL: Remedy = Remedy::correct(
        "To delete a file remove all its lines: each of them stands in the hunk with `-` in front. \
            If only these lines are to go, name the file in the `+++` line, too.",
    );
    /// `ambiguous-hunk`: there is no old line and no number.
    pub(crate) const PLACELESS: Remedy = Remedy::correct(
        "Add a context line as the file has it; or say behind which line N of the file the new ones come: `@@ -N,0 +N \
            @@`.",
    );
    /// `hunk-not-found` of a hunk that only adds lines.
    pub(crate) const BEHIND_END: Remedy = Remedy::correct(
        "Add a context line as the file has it, above or below the new lines; or correct the line number behind `@@ -`.",
    );
    /// `suspicious-marker` at the very end.
    pub(crate) const CUT_MARKER: Remedy = Remedy::correct(
        "Send what follows the last whole edit again, complete; where nothing was to follow, leave out the last line.",
    );
    /// `ignored-text` near a marker that is wrong.
    pub(crate) const NEAR_MARKER: Remedy =
        Remedy::correct("Mend the marker that is wrong: the text may belong to its block.");
    /// `ignored-text` that is prose in a patch file.
    pub(crate) const PROSE: Remedy = Remedy::nothing(
        "Nothing has to be done if the text is no edit. A line that starts with `#` is a comment.",
    )
    .person(
        "Nothing has to be done if the text is no edit. A line that starts with `#` is a comment; a model's \
                    whole reply is read with `--from response`.",
    );
    /// `no-changes` where only diffs are read.
    pub(crate) const WRITE_DIFF: Remedy = Remedy::correct(
        "Write the edits as a unified diff: for each file the lines `--- a/PATH` and `+++ b/PATH`, then each hunk, a \
            line `@@ -N,M +N,M @@` and the lines with a space, `-` or `+` in front.",
    );
    /// `no-changes` where all forms are read.
    pub(crate) const WRITE_ANY: Remedy = Remedy::correct(
        "To change a part of a file write a SEARCH/REPLACE block: the path alone on a line, below it the lines \
            `<<<<<<< SEARCH`, the text to find, `=======`, the text to put in its place, `>>>>>>> REPLACE`; or a \
            unified diff in a block tagged `diff`. A code block whose opening fence names a file, as in ```` \
            ```python src/a.py ````, replaces the whole file.",
    );
    /// `no-changes` where another kind of reading finds some, and SEARCH/REPLACE blocks are read.
    pub(crate) const READ_OTHERWISE: Remedy = super::super::blocks::NO_CHANGES
        .remedy
        .person("Choose with `--from` how the input is read, or write the edits in the form that is read.");
    /// The same where diffs are read.
    pub(crate) const READ_DIFF_OTHERWISE: Remedy = WRITE_DIFF
        .person("Choose with `--from` how the input is read, or write the edits in the form that is read.");
    /// `no-changes` of nothing.
    pub(crate) const EMPTY_INPUT: Remedy = Remedy::correct("Send the edits: nothing came.")
        .person("Look at what makes the input: nothing came.");
    /// `omission-placeholder` that is in the file by now.
    #[cfg(feature = "fs")]
    pub(crate) const OMISSION_WRITTEN: Remedy = Remedy::correct(
        "If the code is to stay, send one more edit that looks for the line and puts the code in its place.",
    )
    .person("If the code is to stay, put it back in place of the line.");
    /// `unsafe-path` into a place where nothing may be written.
    pub(crate) const RESERVED_PATH: Remedy =
        Remedy::leave_out("Leave this edit out: nothing may be written there.")
            .person("Leave the edit out. If it is wanted (a hook, say), write the file by hand.");
    /// `not-utf8` of a file that no edit is made in.
    pub(crate) const NO_TEXT: Remedy = Remedy::leave_out("Leave this file out: no edit of it is taken.").person(
        "Leave the file out if it is binary. If it is text in UTF-16, convert it first: `iconv -f UTF-16 -t UTF-8`.",
    );
    /// `not-utf8` of the input.
    pub const INPUT_NOT_UTF8: Remedy = Remedy::correct("Send it again in UTF-8.").person(
        "Convert the input to UTF-8, as in `iconv -f ISO-8859-1 -t UTF-8` (`file` guesses what it is now).",
    );
    /// The input or the root is not there, or is none.
    pub const WRONG_START: Remedy =
        Remedy::wait("The person who runs this has to give the right path of the input and of the root.")
            .person("Give the right path of the input, and of the root with `--root`.");
    /// `create-exists`: an edit before makes the file.
    pub(crate) const CREATED_BEFORE: Remedy = Remedy::correct(
        "Leave one of the two out, or make the later one an edit of the file that the earlier one makes.",
    );
    /// `create-exists` of a diff.
    pub(crate) const DIFF_CREATE_EXISTS: Remedy = Remedy::correct(
        "To change the file, name it in the line `---`, too, and give old lines to find. To create another one, use a \
            free name.",
    );
    /// `path-conflict`: two names of one file.
    pub(crate) const ONE_NAME: Remedy =
        Remedy::correct("Make all edits of the file under one of its names.").person(
            "Make all edits of the file under one of its names. The other names keep the old content: link them again \
                afterwards (`ln -f`).",
        );
    /// `path-conflict`: both separators in the name of a new file.
    pub(crate) const ONE_SEPARATOR: Remedy =
        Remedy::correct("Write the path of the new file with `/` between its parts and no `\\`.");
    /// `path-conflict`: the names of the two sides of a diff differ by a backslash.
    pub(crate) const ONE_SPELLING: Remedy = Remedy::correct(
        "Write the same name on both sides of the diff; a file that moves has `rename` lines.",
    );
    /// `interrupted-commit` that is not provably one of this user.
    #[cfg(feature = "fs")]
    pub(crate) const NOT_OURS: Remedy = Remedy::wait(
        "The person who runs this has to look at what is left of another run.",
    )
    .person(
        "1. See whose it is: `ls -l`. It may hold the only copies of another user's old files. 2. If so, let him run \
            `fsrb --recover` there. 3. Else move it away, and run again.",
    );
}
