//! Codes of SEARCH/REPLACE blocks, code blocks and sentences.

use super::{Example, Explanation};
use crate::ast::InputKind::{Fsrb, Response};

pub(super) const MISSING_PATH: Explanation = Explanation {
    title: "no path was found for an edit",
    meaning: "An edit must say which file it is for. In a patch file the nearest line above the block is the path; \
        in a reply it may stand in the fence's info string, above the fence or in backticks in the sentence before \
        it. Nothing there looked like a path, and prose is never taken for one. The path of the block before does \
        not hold past text that speaks of another file.",
    example: Example::Input {
        kind: Fsrb,
        files: &[],
        input: "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
    },
    mend: "Put the path, relative to the root, alone on the line directly above the block. A diff names its file in \
        the lines `--- a/PATH` and `+++ b/PATH` above its first `@@` line.",
    command: None,
};

pub(super) const MISSING_SEPARATOR: Explanation = Explanation {
    title: "a SEARCH/REPLACE block has no `=======` line",
    meaning: "The end of the block came while its SEARCH section was still open, so that it cannot be told what is \
        to be found and what is to be put in its place.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n")],
        input: "a.txt\n<<<<<<< SEARCH\nold\nnew\n>>>>>>> REPLACE\n",
    },
    mend: "Put a line of exactly seven `=` between the text to find and the text to put in its place.",
    command: None,
};

pub(super) const UNEXPECTED_MARKER: Explanation = Explanation {
    title: "a marker line stands where none may",
    meaning: "A second `=======` or another marker line within a section would make it unclear where the section \
        ends. Such lines are how conflict markers get into files, so the block is refused.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n")],
        input: "a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n=======\nnewer\n>>>>>>> REPLACE\n",
    },
    mend: "Remove the line if it is one too many, or give its block the markers that it lacks: `<<<<<<< SEARCH`, \
        `=======` and `>>>>>>> REPLACE`, once each and in this order. If the line belongs to the content, write one \
        backslash at its very start: `\\=======`.",
    command: None,
};

pub(super) const SUSPICIOUS_MARKER: Explanation = Explanation {
    title: "a line is nearly a marker",
    meaning: "The line has the wrong number of characters, the wrong letter case, another word or text behind it, \
        and so is no marker. It is reported where a block could be, and is an error when the block that it breaks \
        cannot be read, or when a block that is named as a file begins as an edit in the format of another tool.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n")],
        input: "a.txt\n<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
    },
    mend: "Write the markers exactly: `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, each with seven characters.",
    command: None,
};

pub(super) const UNTERMINATED_BLOCK: Explanation = Explanation {
    title: "a SEARCH/REPLACE block has no end",
    meaning: "The input ends, or something else begins, before the `>>>>>>> REPLACE` line. A reply that was cut \
        short is never applied: half of an edit is a wrong edit.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n")],
        input: "a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n",
    },
    mend: "Give the whole block, to the line `>>>>>>> REPLACE`.",
    command: None,
};

pub(super) const UNTERMINATED_FENCE: Explanation = Explanation {
    title: "a fence has no closing line",
    meaning: "The input ends within a code block, which is what a reply looks like that was cut short. It is only a \
        warning when nothing but complete SEARCH/REPLACE blocks lies in the fence.",
    example: Example::Input { kind: Response, files: &[], input: "```python a.py\nprint(1)\n" },
    mend: "Give the whole code block and close it: the same character as its opening fence, at least as many, and \
        nothing behind them.",
    command: None,
};

pub(super) const AMBIGUOUS_NESTING: Explanation = Explanation {
    title: "two readings of nested fences are possible",
    meaning: "A bare fence line in a document of Markdown can open a code block of the document or close the \
        document. One of the two readings would write half a file, so neither is taken. The same holds for any \
        named block whose text seems to go on behind its closing fence, for edit blocks among the text of a block \
        that is named as another file, and for a fence that may end within an edit block.",
    example: Example::Input {
        kind: Response,
        files: &[],
        input: "```markdown README.md\n# A\n\n```\ncode\n```\n\nmore\n\n```\n",
    },
    mend: "Open and close the outer code block with more backticks than any fence in it has, for example four; or \
        give every inner fence that opens a language.",
    command: Some(
        "If the block is meant as it is read, to its first bare fence, accept it with `--allow ambiguous-nesting`.",
    ),
};

pub(super) const EMPTY_BLOCK: Explanation = Explanation {
    title: "a block would do nothing, or empty a whole file",
    meaning: "Both sections of the block are empty, or a code block without content names a file that exists.",
    example: Example::Input {
        kind: Fsrb,
        files: &[],
        input: "a.txt\n<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n",
    },
    mend: "Leave the block out, or give its content. To delete a file, let a block find its whole text and put \
        nothing in its place, or use a diff with `+++ /dev/null`.",
    command: None,
};

pub(super) const IGNORED_TEXT: Explanation = Explanation {
    title: "text that is no part of any edit",
    meaning: "In a patch file only blocks, the path lines above them, comments (`#`), fences and blank lines have a \
        meaning. Other text is skipped, and named so that nothing is lost in silence. In a reply it is text that \
        looks like an edit in a form that is not read.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n")],
        input: "I changed this:\n\na.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
    },
    mend: "Remove the text, or write it as an edit in a form that is read. In a patch file a line that starts with \
        `#` is a comment.",
    command: Some("If the input is a model's whole reply, read it with `--from response`."),
};

pub(super) const NO_CHANGES: Explanation = Explanation {
    title: "the input holds no edit",
    meaning: "Nothing was found that could be applied. That is a failure and not a success without files: the edits \
        may be written in a form that is not read.",
    example: Example::Input { kind: Response, files: &[], input: "You should rename the function.\n" },
    mend: "Give each edit in a form that is read. A SEARCH/REPLACE block is the path alone on a line and below it \
        the lines `<<<<<<< SEARCH`, the text to find, `=======`, the text to put in its place, `>>>>>>> REPLACE`. In \
        a reply a whole file can stand in a code block whose opening fence names it, as in ```` ```python \
        src/a.py ````, and a unified diff, with its lines `---`, `+++` and `@@`, in a block tagged `diff`.",
    command: Some(
        "`--from fsrb` reads SEARCH/REPLACE blocks, `--from diff` unified diffs, and `--from response` all forms.",
    ),
};

pub(super) const NO_OP: Explanation = Explanation {
    title: "an edit changes nothing",
    meaning: "The text to find and the text to put in its place are the same, or the file has that content already.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.txt", "old\n")],
        input: "a.txt\n<<<<<<< SEARCH\nold\n=======\nold\n>>>>>>> REPLACE\n",
    },
    mend: "Leave the edit out, or make the REPLACE section say what is to be different.",
    command: None,
};

pub(super) const SEARCH_NOT_FOUND: Explanation = Explanation {
    title: "the SEARCH text is not in the file",
    meaning: "The text to find must be in the file exactly as it is given: every character, indentation and blank \
        lines included. Nothing is ever matched by similarity, because an edit at a similar place is a wrong edit. \
        Where a similar place is found it is shown.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.py", "def f():\n    return 1\n")],
        input: "a.py\n<<<<<<< SEARCH\nreturn 2\n=======\nreturn 3\n>>>>>>> REPLACE\n",
    },
    mend: "Copy the lines to find from the file as it is now, without abbreviating or reformatting them. An earlier \
        edit of the same input may have changed them already.",
    command: None,
};

pub(super) const AMBIGUOUS_MATCH: Explanation = Explanation {
    title: "the SEARCH text is in the file more than once",
    meaning: "The text to find must say which place is meant, and this one fits several.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.py", "x = 1\ny = 2\nx = 1\n")],
        input: "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n",
    },
    mend: "Add lines before or behind it, in both sections, until the text occurs once.",
    command: None,
};

pub(super) const MID_LINE_MATCH: Explanation = Explanation {
    title: "the SEARCH text matched inside a line",
    meaning: "The text was found once, but it starts or ends within a line. That is allowed, and worth a look.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.py", "total = price * 2\n")],
        input: "a.py\n<<<<<<< SEARCH\nprice\n=======\ncost\n>>>>>>> REPLACE\n",
    },
    mend: "If the whole line was meant, give the whole line, indentation included.",
    command: None,
};

pub(super) const TRAILING_SPACE_MATCH: Explanation = Explanation {
    title: "a match ignores spaces and tabs at the ends of lines",
    meaning: "The text is nowhere in the file exactly, and at one place but for spaces and tabs at the ends of \
        lines. In a reply or a diff that is taken.",
    example: Example::Input {
        kind: Response,
        files: &[("a.py", "x = 1  \ny = 2\n")],
        input: "a.py\n<<<<<<< SEARCH\nx = 1\ny = 2\n=======\nx = 3\ny = 2\n>>>>>>> REPLACE\n",
    },
    mend: "Nothing has to be done. Copied lines keep the spaces at their ends.",
    command: None,
};

pub(super) const OMISSION_PLACEHOLDER: Explanation = Explanation {
    title: "new content has a line that stands for code left out",
    meaning: "A comment such as `// ... existing code ...` would be written into the file in place of the code that \
        it stands for. In a reply that is refused; in a patch file or a diff it is a warning.",
    example: Example::Input {
        kind: Response,
        files: &[("a.js", "one();\ntwo();\n")],
        input: "```js a.js\n// ... existing code ...\nthree();\n```\n",
    },
    mend: "Write the code that the line stands for. To change a part of a file use a SEARCH/REPLACE block with just \
        that part.",
    command: Some("If the line is meant as it is, accept it with `--allow omission-placeholder`."),
};

pub(super) const IGNORED_NARRATION: Explanation = Explanation {
    title: "a sentence or block tells of an edit that the input gives exactly",
    meaning: "The reply edits the same file by a SEARCH/REPLACE block or a diff, so that a sentence about it, or a \
        code block that only prose names a file for, retells that edit and is not applied again.",
    example: Example::Input {
        kind: Response,
        files: &[("a.py", "x = 1\n")],
        input: "In `a.py`, change `x = 1` to `x = 2`.\n\na.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n\
            >>>>>>> REPLACE\n",
    },
    mend: "Nothing has to be done. An edit that is meant besides the others is given as a block.",
    command: None,
};
