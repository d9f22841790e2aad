//! Codes of SEARCH/REPLACE blocks, code blocks and sentences.

use super::{Example, Explanation, Remedy};
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
    remedy: Remedy::correct(
        "Put the path, relative to the root, alone on the line directly above `<<<<<<< \
            SEARCH`; in a diff write the lines `--- a/PATH` and `+++ b/PATH` above its first `@@` \
            line.",
    ),
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
    remedy: Remedy::correct(
        "Put a line of exactly seven `=` between the text to find and the text to put in its \
            place.",
    ),
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
    remedy: Remedy::correct(
        "Give each block its three markers once each and in this order: `<<<<<<< SEARCH`, \
            `=======`, `>>>>>>> REPLACE`. If the line belongs to the content, write one backslash \
            at its very start: `\\=======`.",
    ),
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
    remedy: Remedy::correct(
        "Write the markers exactly: `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, each with \
            seven characters.",
    ),
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
    remedy: Remedy::correct("Give the whole block, to the line `>>>>>>> REPLACE`."),
};

pub(super) const UNTERMINATED_FENCE: Explanation = Explanation {
    title: "a fence has no closing line",
    meaning: "The input ends within a code block, which is what a reply looks like that was cut short. It is only a \
        warning when nothing but complete SEARCH/REPLACE blocks lies in the fence.",
    example: Example::Input { kind: Response, files: &[], input: "```python a.py\nprint(1)\n" },
    remedy: Remedy::correct(
        "Give the whole code block and close it: the same character as its opening fence, at \
            least as many, and nothing behind them.",
    ),
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
    remedy: Remedy::correct(
        "Open and close the outer code block with more backticks than any fence in it has, for \
            example four; or give every inner fence that opens a language.",
    )
    .person(
        "Open and close the outer code block with more backticks than any fence in it has, for \
            example four; or give every inner fence that opens a language. If the block is meant \
            to end at its first bare fence, accept it with `--allow ambiguous-nesting`.",
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
    remedy: Remedy::correct(
        "Leave the block out, or give its content. To delete the file, use a SEARCH/REPLACE block: \
            its whole text in SEARCH and no line in REPLACE.",
    ),
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
    remedy: Remedy::correct(
        "Nothing has to be done if the text is no edit. An edit has to be in a form that is \
            read.",
    )
    .person(
        "Nothing has to be done if the text is no edit. An edit has to be in a form that is \
            read; a model's whole reply is read with `--from response`.",
    ),
};

pub(super) const NO_CHANGES: Explanation = Explanation {
    title: "the input holds no edit",
    meaning: "Nothing was found that could be applied. That is a failure and not a success without files: the edits \
        may be written in a form that is not read.",
    example: Example::Input { kind: Response, files: &[], input: "You should rename the function.\n" },
    remedy: Remedy::correct(
        "Write each edit as a SEARCH/REPLACE block: the path alone on a line, below it the \
            lines `<<<<<<< SEARCH`, the text to find, `=======`, the text to put in its place, \
            `>>>>>>> REPLACE`.",
    )
    .person(
        "Write each edit as a SEARCH/REPLACE block: the path alone on a line, below it the \
            lines `<<<<<<< SEARCH`, the text to find, `=======`, the text to put in its place, \
            `>>>>>>> REPLACE`. `--from response` also reads unified diffs and code blocks that \
            name their file, `--from diff` unified diffs alone.",
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
    remedy: Remedy::nothing(
        "Nothing has to be done, unless a change was meant: then send an edit whose REPLACE \
            section has it.",
    )
    .person(
        "Nothing has to be done, unless a change was meant: then the REPLACE section has to \
            have it.",
    ),
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
    remedy: Remedy::correct(
        "Copy the lines to find from the file as it is now, without abbreviating or \
            reformatting them. An earlier edit of the same input may have changed them already.",
    ),
};

pub(super) const AMBIGUOUS_MATCH: Explanation = Explanation {
    title: "the SEARCH text is in the file more than once",
    meaning: "The text to find must say which place is meant, and this one fits several.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.py", "x = 1\ny = 2\nx = 1\n")],
        input: "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::correct("Add lines before or behind it, in both sections, until the text occurs once."),
};

pub(super) const MID_LINE_MATCH: Explanation = Explanation {
    title: "the SEARCH text matched inside a line",
    meaning: "The text was found once, but it starts or ends within a line. That is allowed, and worth a look.",
    example: Example::Input {
        kind: Fsrb,
        files: &[("a.py", "total = price * 2\n")],
        input: "a.py\n<<<<<<< SEARCH\nprice\n=======\ncost\n>>>>>>> REPLACE\n",
    },
    remedy: Remedy::nothing(
        "Nothing has to be done if just that part of the line was meant. For the whole line \
            give it whole, indentation included.",
    ),
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
    remedy: Remedy::nothing(
        "Nothing has to be done. Lines that the edit does not change keep the spaces at their \
            ends.",
    ),
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
    remedy: Remedy::correct(
        "Write the code that the line stands for. Or change only a part, with a SEARCH/REPLACE \
            block: the path alone on a line, below it the lines `<<<<<<< SEARCH`, the text to \
            find, `=======`, the text to put in its place, `>>>>>>> REPLACE`.",
    )
    .person(
        "Write the code that the line stands for. Or change only a part, with a SEARCH/REPLACE \
            block: the path alone on a line, below it the lines `<<<<<<< SEARCH`, the text to \
            find, `=======`, the text to put in its place, `>>>>>>> REPLACE`. If the line is \
            meant as it is, accept it with `--allow omission-placeholder`.",
    ),
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
    remedy: Remedy::nothing(
        "Nothing has to be done. If the sentence means one more edit, give that as a block.",
    ),
};
