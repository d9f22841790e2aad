//! Where damage begins and ends: inputs that are nearly damaged and whole, and the least by which one is told from the other.

use crate::support::{Run, bare, block, diff, fsrb, response};

const X: [(&str, &str); 1] = [("x", "a\nb\nc\nd\n")];

#[track_caller]
fn whole(run: &Run, text: &str) {
    run.gives(&[("x", text)]).warns(&[]);
}

/// A hunk without old lines belongs to a new file only where its header says line 0; and the hunks of a file that comes or
/// goes follow one another.
#[test]
fn hunks_of_no_lines_below_another_one() {
    let head = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n";
    whole(&diff(&X, &format!("{head}@@ -2,0 +3 @@\n+new\n")), "A\nb\nnew\nc\nd\n");
    diff(&X, &format!("{head}@@ -0,0 +2 @@\n+new\n")).refuses_with(("malformed-hunk", 6));
    diff(&X, &format!("{head}@@ -2,3 +0,0 @@\n-b\n-c\n-d\n")).refuses_with(("malformed-hunk", 6));
    let new = "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+1\n";
    diff(&[], &format!("{new}@@ -0,0 +1 @@\n+2\n")).refuses_with(("malformed-hunk", 5));
    let gone = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    diff(&[("x", "a\nb\n")], &format!("{gone}@@ -2 +0,0 @@\n-b\n")).gives(&[]);
    diff(&[("x", "a\n")], &format!("{gone}@@ -1 +0,0 @@\n-a\n")).refuses_with(("malformed-hunk", 5));
}

/// A header line above a whole header does no harm; one that the header lacks does, and a line that a hunk lacks.
#[test]
fn lines_above_a_header() {
    let hunk = "@@ -1 +1 @@\n-a\n+A\n";
    for above in ["+++ b/x\n", "--- a/x\ndiff --git a/x b/x\n", "Word\ndiff --git a/x b/x\n"] {
        whole(&diff(&X, &format!("{above}--- a/x\n+++ b/x\n{hunk}")), "A\nb\nc\nd\n");
    }
    diff(&X, &format!(" +++ b/x\ndiff --git a/x b/x\n{hunk}")).refuses(&[("malformed-hunk", 3)]);
    let lacking = "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n-a\n+A\n b\n";
    diff(&X, &format!("-    c\n{lacking}")).refuses_with(("malformed-hunk", 4));
    assert!(diff(&X, &format!("------\n{lacking}")).writes("x", "A\nb\nc\nd\n"));
}

/// Prose directly below a hunk that is whole may begin with any sign, and may show changes before more prose.
#[test]
fn prose_directly_below_a_whole_hunk() {
    let hunk = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n";
    for words in
        ["Words:\n\\section{x}\n", "Note:\n+x\n-y\nand more words\n", "@someone saw -1 here\n", "> quoted\n"]
    {
        let run = response(&X, &format!("{hunk}{words}"));
        assert!(run.writes("x", "A\nb\nc\nd\n"), "{words}: {:?}", run.diagnostics);
    }
    let end = "\\ No newline at end of file\n";
    let twice = format!("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n{end}{end}");
    diff(&[("x", "a\nb\n")], &twice).gives(&[("x", "a\nB")]);
    let blank = format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n{end}+b\n{end}\n\n");
    diff(&[("x", "a")], &blank).gives(&[("x", "b")]).warns(&[]);
}

/// A changed line in disguise is told also where the counts promise more than it.
#[test]
fn a_change_in_disguise_below_a_hunk_that_lacks_more() {
    for line in ["\u{2212}c", "> -c"] {
        let text = format!("--- a/x\n+++ b/x\n@@ -1,5 +1,4 @@\n a\n-b\n{line}\n");
        response(&X, &text).refuses(&[("malformed-hunk", 3)]);
    }
}

/// Of lines below a closing fence that may be items of a list, just those that the hunk lacks go on with it.
#[test]
fn items_below_a_closing_fence_that_fill_the_counts() {
    for (counts, rest) in [("-1,2 +1,3", "+ new\n"), ("-1,3 +1,4", "  c\n+ new\n"), ("-1,3 +1,2", "- c\n")] {
        let head = format!("```diff\n--- a/x\n+++ b/x\n@@ {counts} @@\n-a\n+A\n b\n```\n");
        response(&X, &format!("{head}{rest}")).refuses(&[("malformed-hunk", 4)]);
        assert!(response(&X, &format!("{head}+ one\n+ two\n")).is_applied() == (counts != "-1,2 +1,3"));
    }
}

/// Counts that are wrong are so and no more: in a new file, above a fence, before more lines that only the old side has.
#[test]
fn counts_that_are_only_wrong() {
    let mismatch = |run: &Run, line: u32, path: &str, text: &str| {
        assert!(run.writes(path, text), "{:?}", run.diagnostics);
        run.warns(&[("hunk-count-mismatch", line)]);
    };
    mismatch(&diff(&[], "--- /dev/null\n+++ b/n\n@@ -0,1 +1 @@\n+x\n"), 3, "n", "x\n");
    let hunk = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n";
    mismatch(&response(&X, &format!("```diff\n{hunk}```")), 4, "x", "a\nc\nd\n");
    mismatch(&diff(&X, "--- a/x\n+++ b/x\n@@ -1,3 +1,1 @@\n a\n-b\n"), 3, "x", "a\nc\nd\n");
}

/// A hunk that leaves no line at a place leaves the file; a backslash that only one of two names has is an error whichever it
/// is, and a whole empty file needs no hunk where another section follows.
#[test]
fn headers_that_are_nearly_at_fault() {
    let hunk = "diff --git a/x b/x\n--- a/x\n@@ -1 +1,0 @@\n-a\n";
    diff(&[("x", "a\nb\n")], hunk).gives(&[("x", "b\n")]);
    let files = [("src\\a", "a\n"), ("srca", "a\n")];
    for (old, new) in [("srca", "src\\a"), ("src\\a", "srca")] {
        diff(&files, &format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+A\n"))
            .refuses(&[("path-conflict", 2)]);
    }
    let empty = "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n";
    diff(&[], &format!("{empty}\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+x\n"))
        .gives(&[("m", "x\n"), ("n", "")]);
}

/// A block in a list item below a hunk is an edit only if it holds one; in a diff as in a reply.
#[test]
fn a_diff_block_in_a_list_item_below_a_hunk() {
    let hunk = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n";
    let shown = format!("{hunk}- Like so:\n  ```diff\n  words\n  ```\n");
    assert!(response(&X, &shown).writes("x", "A\nb\nc\nd\n"));
}

/// A diff reads diffs: what looks like an edit of another form is not told there.
#[test]
fn other_forms_around_a_diff() {
    for text in ["*** Begin Patch\n", "``python\n"] {
        let input = format!("{text}words\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n\n{text}words\n");
        whole(&diff(&X, &input), "A\nb\nc\nd\n");
    }
}

/// The path of a block in a fence stands in one of the three lines of text above it, and one within words in the last.
#[test]
fn how_far_above_a_block_in_a_fence_its_path_is() {
    let run =
        |lines: &str| response(&[("a.py", "a\n")], &format!("```python\n{lines}{}```\n", bare("a\n", "1\n")));
    run("a.py\nsome words\nmore words\n").gives(&[("a.py", "1\n")]);
    run("a.py\none word\ntwo words\nthree words\n").refuses(&[("missing-path", 6)]);
    run("Change `a.py` here:\nthen words\n").refuses(&[("missing-path", 4)]);
}

/// Within a fence a block has the path of the one before it, whatever stood above the fence.
#[test]
fn the_path_inherited_within_a_fence_below_other_names() {
    let before = [("A.py", "a\nb\n"), ("B.py", "a\nb\n")];
    let inner = |name: &str| format!("```\n{name}.py\n{}{}```\n", bare("a\n", "1\n"), bare("b\n", "2\n"));
    response(&before, &format!("B.py\n{}", inner("A"))).gives(&[("A.py", "1\n2\n"), ("B.py", "a\nb\n")]);
    let first = block("A.py", "a\n", "1\n");
    response(&before, &format!("{first}\n```python c.py\nc\n```\n\n{}", inner("B"))).gives(&[
        ("A.py", "1\nb\n"),
        ("B.py", "1\n2\n"),
        ("c.py", "c\n"),
    ]);
}

/// A named block that holds edit blocks of other files is unclear wherever among them its text stands.
#[test]
fn text_between_the_edit_blocks_of_a_named_file() {
    let (one, two) = (block("a.py", "x\n", "y\n"), block("a.py", "y\n", "z\n"));
    for text in [format!("To edit, write this\n{one}"), format!("{one}Words between\n{two}")] {
        response(&[("a.py", "x\n")], &format!("```text docs/howto.txt\n{text}```\n"))
            .refuses(&[("ambiguous-nesting", 1)]);
    }
}

/// What is a path in a patch file and what is not: white space of any kind is none, and a new file has a name that may be one.
#[test]
fn lines_above_a_block_of_a_patch_file() {
    let new = bare("", "1\n");
    fsrb(&[("a.txt", "a\n")], &format!("a.txt\n\u{3000}\n{}", bare("a\n", "1\n"))).gives(&[("a.txt", "1\n")]);
    fsrb(&[], &format!("  my dir/a file\n{new}")).gives(&[("my dir/a file", "1\n")]);
    fsrb(&[], &format!("See v1.2 of this\nmyprog\n{new}")).gives(&[("myprog", "1\n")]);
    fsrb(&[], &format!("for version 1.2\n{new}")).refuses(&[("missing-path", 2)]);
}

/// A fence in a block's text is one that would close the block only where it is bare but for signs, and none may be nested; the
/// words above an empty block are a label only in bold type as a whole.
#[test]
fn fences_that_are_nearly_at_fault() {
    response(&[], "```markdown README.md\n``` .\nx\n```\ny\n```\n")
        .gives(&[("README.md", "``` .\nx\n```\ny\n")]);
    response(&[], "```python a.py\n``` .\nx\n```\n").refuses(&[("ambiguous-nesting", 1)]);
    response(&[], "**Bold** and words\n```python a.py\n```\n").refuses(&[("ambiguous-nesting", 2)]);
    response(&[], "**Bold words**\n```python a.py\n```\n").gives(&[("a.py", "")]);
    let open = format!("```\n\na.py\n```python\n{}```\n", bare("x\n", "y\n"));
    response(&[("a.py", "x\n")], &open).gives(&[("a.py", "y\n")]).warns(&[]);
}

/// A fence line in an edit may end the fence around in a program, also below an edit of a document; a fence that opens a block
/// may do so where it names a file.
#[test]
fn fence_lines_in_edits_of_programs_and_documents() {
    let edit = |path: &str, fence: &str| block(path, "x\n", &format!("y\n{fence}\nz\n"));
    let before = [("a.md", "x\n"), ("a.py", "x\n")];
    let (text, program) = (edit("a.md", "```"), edit("a.py", "```"));
    response(&before, &format!("```\n{text}```\n")).gives(&[("a.md", "y\n```\nz\n"), ("a.py", "x\n")]);
    response(&before, &format!("```\n{text}{program}```\n")).refuses(&[("ambiguous-nesting", 1)]);
    let open = |fence: &str| response(&before, &format!("```\n{}", edit("a.py", fence)));
    open("```python").gives(&[("a.md", "x\n"), ("a.py", "y\n```python\nz\n")]);
    open("```python b.py").refuses(&[("unterminated-fence", 1)]);
}

/// Behind lines of a hunk that look like a header, and that its counts cover, a broken header is one all the same.
#[test]
fn a_broken_header_behind_lines_that_look_like_one() {
    let hunk = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n b\n";
    for header in ["+++ b/y\n", "--- a/y\n"] {
        let text = format!("{hunk}{header}@@ -1 +1 @@\n-q\n+Q\n");
        diff(&[("x", "-- old\nb\nq\n"), ("y", "q\n")], &text).refuses(&[("malformed-hunk", 3)]);
    }
}
