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
