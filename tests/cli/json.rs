//! The JSON contract: one line, these keys in this order, the same bytes for the same input.

use serde_json::{Value, json};

use super::support::{Ran, Tree, block};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn parse(kind: &str, input: &str) -> Ran {
    Tree::new::<&str>(&[]).pipe(["--parse", "--format", "json", "--from", kind, "-"], input)
}

#[test]
fn a_success_is_these_bytes() {
    let tree = Tree::new(&[("a", "x\n")]);
    let ran = tree.pipe(["--format", "json", "-"], block("a", "x\n", "y\n") + &block("new", "", "z\n"));
    let expected = concat!(
        r#"{"schema":1,"outcome":"applied","files":[{"path":"a","status":"modified","detail":null},"#,
        r#"{"path":"new","status":"created","detail":null}],"diagnostics":[]}"#,
        "\n"
    );
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), (expected, "", Some(0)));
}

#[test]
fn a_refusal_has_every_key_and_exact_places() {
    let tree = Tree::new(&[("a", "x\n"), ("b", "x\n")]);
    let input = format!("# ü\u{1f600}\r\n{}  {}", block("b", "x\n", "y\n"), block("a", "no\n", "y\n"));
    let ran = tree.pipe(["--format", "json", "-"], &input);
    let report = ran.json();
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(keys(&report), ["diagnostics", "files", "outcome", "schema"]);
    assert_eq!(report["outcome"], "refused");
    assert_eq!(report["files"][0], json!({"path": "b", "status": "skipped", "detail": null}));
    assert_eq!((&report["files"][1]["path"], &report["files"][1]["status"]), (&json!("a"), &json!("failed")));
    let found = &report["diagnostics"][0];
    assert_eq!(
        keys(found),
        ["block", "code", "hunk", "message", "path", "related", "severity", "span", "suggestion"]
    );
    assert_eq!(found["severity"], "error");
    assert_eq!(found["code"], "search-not-found");
    assert_eq!((&found["block"], &found["hunk"], &found["path"]), (&json!(2), &Value::Null, &json!("a")));
    let offset = input.rfind("<<<<<<<").unwrap();
    assert_eq!(found["span"]["start"], json!({"offset": offset, "line": 9, "column": 1, "utf16": 1}));
    assert_eq!(found["span"]["end"], json!({"offset": offset + 14, "line": 9, "column": 15, "utf16": 15}));
}

#[test]
fn columns_are_characters_and_utf_16_units() {
    let report = parse("response", "ü\u{1f600}. In `a.rs`, replace `x` with `y`.\n").json();
    // ü has two bytes and one unit, the face four bytes and two units.
    assert_eq!(report["items"][0]["span"]["start"], json!({"offset": 8, "line": 1, "column": 5, "utf16": 6}));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let tree = Tree::new(&[("a", "x\nx\n")]);
    let input: String = ["a", "b", "../c", "d"].map(|path| block(path, "x\n", "y\n")).concat();
    let first = tree.pipe(["--format", "json", "-"], &input).stdout;
    for _ in 0..5 {
        assert_eq!(tree.pipe(["--format", "json", "-"], &input).stdout, first);
    }
}

#[test]
fn items_come_only_with_parse() {
    let ran = parse("fsrb", &block("a", "x\ny\n", ""));
    let report = ran.json();
    assert_eq!(keys(&report), ["diagnostics", "files", "items", "outcome", "schema"]);
    assert_eq!((&report["outcome"], &report["files"]), (&json!("parsed"), &json!([])));
    let item = &report["items"][0];
    assert_eq!(keys(item), ["kind", "path", "path_from", "replace", "search", "span"]);
    assert_eq!((&item["kind"], &item["path"]), (&json!("search_replace"), &json!("a")));
    assert_eq!(
        (&item["path_from"], &item["search"], &item["replace"]),
        (&json!("header"), &json!("x\ny\n"), &json!(""))
    );
}

#[test]
fn a_code_block_has_its_children() {
    let input = format!(
        "Text.\n\n```Rust title=\"src/a.rs\"\nfn a() {{}}\n```\n\n```\n{}```\n",
        block("b.rs", "x\n", "y\n")
    );
    let report = parse("response", &input).json();
    let items = &report["items"];
    let keys_of_block = [
        "children",
        "content",
        "filename",
        "filename_from",
        "info",
        "kind",
        "language",
        "span",
        "terminated",
    ];
    assert_eq!(keys(&items[0]), keys_of_block);
    assert_eq!(items[0]["kind"], "code_block");
    assert_eq!(
        (&items[0]["language"], &items[0]["info"]),
        (&json!("rust"), &json!("Rust title=\"src/a.rs\""))
    );
    assert_eq!((&items[0]["filename"], &items[0]["filename_from"]), (&json!("src/a.rs"), &json!("info")));
    assert_eq!((&items[0]["content"], &items[0]["terminated"]), (&json!("fn a() {}"), &json!(true)));
    assert_eq!(items[0]["children"], json!([]));
    assert_eq!(items[1]["children"][0]["path"], "b.rs");
}

#[test]
fn a_sentence_has_its_three_parts() {
    let item = parse("response", "In `a.rs`, replace `x` with `y`.\n").json()["items"][0].clone();
    assert_eq!(keys(&item), ["kind", "new", "old", "path", "span"]);
    assert_eq!((&item["kind"], &item["path"]), (&json!("inline_edit"), &json!("a.rs")));
    assert_eq!((&item["old"], &item["new"]), (&json!("x"), &json!("y")));
}

#[test]
fn a_file_patch_has_its_hunks() {
    let input = "diff --git a/old.c b/new.c\nrename from old.c\nrename to new.c\n--- a/old.c\n+++ b/new.c\n\
                 @@ -3,2 +3,3 @@ int main(void)\n a\n-b\n+c\n+d\n@@ @@\n-e\n";
    let item = parse("diff", input).json()["items"][0].clone();
    assert_eq!(keys(&item), ["hunks", "kind", "new_path", "old_path", "operation", "span"]);
    assert_eq!((&item["kind"], &item["operation"]), (&json!("file_patch"), &json!("rename")));
    assert_eq!((&item["old_path"], &item["new_path"]), (&json!("old.c"), &json!("new.c")));
    let line = |kind: &str, text: &str| json!({"kind": kind, "text": text});
    let hunks = json!([
        {"old_start": 3, "old_lines": 2, "new_start": 3, "new_lines": 3, "section": "int main(void)", "lines":
            [line("context", "a"), line("removed", "b"), line("added", "c"), line("added", "d")]},
        {"old_start": null, "old_lines": 1, "new_start": null, "new_lines": 0, "section": "", "lines":
            [line("removed", "e")]},
    ]);
    assert_eq!(item["hunks"], hunks);
}

#[test]
fn a_created_file_has_no_old_path() {
    let item = parse("diff", "--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+x\n").json()["items"][0].clone();
    assert_eq!((&item["old_path"], &item["new_path"]), (&Value::Null, &json!("new.c")));
    assert_eq!(item["operation"], "create");
}

/// Every operation of a file patch, and the names that each has.
#[test]
fn a_file_patch_says_what_it_does() {
    let input = "--- a/m.c\n+++ b/m.c\n@@ -1 +1 @@\n-a\n+b\n--- a/d.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
                 diff --git a/f.c b/g.c\nsimilarity index 100%\ncopy from f.c\ncopy to g.c\n\
                 diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n";
    let report = parse("diff", input).json();
    let items = report["items"].as_array().unwrap();
    let told: Vec<_> = items.iter().map(|i| [&i["operation"], &i["old_path"], &i["new_path"]]).collect();
    let expected = [
        [json!("modify"), json!("m.c"), json!("m.c")],
        [json!("delete"), json!("d.c"), Value::Null],
        [json!("copy"), json!("f.c"), json!("g.c")],
        [json!("mode"), json!("x.sh"), json!("x.sh")],
    ];
    assert_eq!(told, expected.each_ref().map(|told| told.each_ref()));
    let words = Tree::new::<&str>(&[]).pipe(["--parse", "--from", "diff", "-"], input).stdout;
    let expected = "\
1-5: file patch (modify, hunks: 1): m.c
6-9: file patch (delete, hunks: 1): d.c
10-13: file patch (copy, hunks: 0): g.c
14-16: file patch (mode, hunks: 0): x.sh

[SUCCESS] 4 items parsed.
";
    assert_eq!(words, expected);
}

/// Where a name was found is told; the words for people have an item a line, what is in a block below it.
#[test]
fn a_name_says_where_it_was_found() {
    let input = format!(
        "```rust\n// File: a.rs\nfn a() {{}}\n```\n\nUpdate `b.rs`:\n\n```rust\nfn b() {{}}\n```\n\n```rust\n{}{}```\n\n\
         In `d.rs`, replace `x` with `y`.\n\n```\nno name\n```\n\n```e.py\n{}```\n",
        block("c.rs", "x\n", "y\n"),
        block("", "z\n", "w\n"),
        block("", "p\n", "q\n"),
    );
    let report = parse("response", &input).json();
    let items = report["items"].as_array().unwrap();
    let blocks: Vec<_> = items.iter().map(|item| item["filename_from"].as_str()).collect();
    assert_eq!(blocks, [Some("comment"), Some("prose"), None, None, None, Some("info")]);
    let edits: Vec<_> = [&items[2]["children"][0], &items[2]["children"][1], &items[5]["children"][0]]
        .map(|edit| &edit["path_from"])
        .into();
    assert_eq!(edits, ["header", "inherited", "info"]);
    let words = Tree::new::<&str>(&[]).pipe(["--parse", "--from", "response", "-"], &input).stdout;
    let expected = "\
1-4: code block (rust): a.rs
8-10: code block (rust): b.rs
12-25: code block (rust): no file
  14-18: SEARCH/REPLACE block: c.rs
  20-24: SEARCH/REPLACE block: c.rs
27-27: sentence: d.rs
29-31: code block (text): no file
33-40: code block (python): e.py
  35-39: SEARCH/REPLACE block: e.py

[SUCCESS] 6 items parsed.
";
    assert_eq!(words, expected);
}

/// A suggestion, a place in the target file, and what is said of a file as a whole.
#[test]
fn a_refusal_has_places_in_files_and_a_suggestion() {
    let tree = Tree::new(&[("a.py", "def \u{fc}():\n    return 1\n"), ("b.py", "q\n")]);
    let search = "def \u{fc}():\n    return 2\n";
    let input = block("a.py", search, "x\n") + &block("b.py", search, "x\n");
    let report = tree.pipe(["--format", "json", "-"], &input).json();
    let at = |offset: usize, line: u32, column: u32| json!({"offset": offset, "line": line, "column": column, "utf16": column});
    let (first, second) = (&report["diagnostics"][0], &report["diagnostics"][1]);
    assert_eq!(
        first["suggestion"],
        json!({
            "message": "look for the lines as the file has them, and see that REPLACE fits them",
            "span": {"start": at(20, 3, 1), "end": at(43, 5, 1)},
            "replacement": "def \u{fc}():\n    return 1\n",
        })
    );
    assert_eq!(first["related"][0]["span"], json!({"start": at(0, 1, 1), "end": at(22, 2, 13)}));
    assert_eq!(first["related"][0]["path"], "a.py");
    assert_eq!(second["suggestion"], Value::Null);
    assert_eq!(second["related"][0]["span"], json!({"start": at(0, 1, 1), "end": at(0, 1, 1)}));
    let told = "\nnote: b.py: no lines of this file are like those; another file may be meant\n";
    let ran = tree.pipe(["-"], &input);
    assert!(ran.stderr.contains(told), "{ran:?}");
    assert!(ran.stderr.contains("\nnote: a.py:1:1: the most similar lines are here"), "{ran:?}");
}

#[test]
fn line_separators_of_the_input_do_not_break_the_line() {
    let ran = parse("fsrb", &block("a", "x\u{2028}\u{85}\u{b}y\n", "z\n"));
    assert!(!ran.stdout.trim_end().contains(['\u{2028}', '\u{85}', '\u{b}']), "{}", ran.stdout);
    assert_eq!(ran.json()["items"][0]["search"], "x\u{2028}\u{85}\u{b}y\n");
}

#[test]
fn an_input_that_cannot_be_read_is_an_object_too() {
    let ran = Tree::new::<&str>(&[]).run(["--format", "json", "--parse", "missing"]);
    assert_eq!(ran.status, Some(1));
    let expected = json!({"schema": 1, "outcome": "refused", "files": [], "diagnostics": [{
        "severity": "error", "code": "file-not-found", "message": "the input file does not exist", "block": null,
        "hunk": null, "path": null, "span": null, "related": [], "suggestion": null}]});
    assert_eq!(ran.json(), expected);
}
