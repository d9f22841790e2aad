use super::*;
use crate::source::{Span, slice};

fn text_of(text: &str, span: Option<Span>) -> Option<&str> {
    span.map(|span| slice(text, span))
}

#[test]
fn what_looks_like_a_path() {
    use Evidence::{Edit, Label, None, OwnLine};
    let table: &[(&str, &[Evidence])] = &[
        ("src/a.rs", &[None, Edit, OwnLine, Label]),
        ("a.rs", &[None, Edit, OwnLine, Label]),
        ("src\\a.rs", &[None, Edit, OwnLine, Label]),
        ("../a.rs", &[None, Edit, OwnLine, Label]),
        ("/etc/a.conf", &[None, Edit, OwnLine, Label]),
        ("C:\\a.rs", &[None, Edit, OwnLine, Label]),
        ("app/[id]/page.tsx", &[None, Edit, OwnLine, Label]),
        ("app/(auth)/page.tsx", &[None, Edit, OwnLine, Label]),
        ("Dockerfile", &[None, Edit, OwnLine, Label]),
        ("docker/Dockerfile", &[None, Edit, OwnLine, Label]),
        (".gitignore", &[None, Edit, OwnLine, Label]),
        ("src/bin/run", &[Edit, OwnLine, Label]),
        ("data.xyz", &[OwnLine, Label]),
        ("LICENSE2", &[Label]),
        ("@types/node", &[Label]),
        ("/api/users", &[Label]),
        ("text/html", &[Label]),
        ("a\\d+b", &[Label]),
        ("https://x.org/a.js", &[]),
        ("foo.bar()", &[]),
        ("f(a.rs)", &[]),
        ("1.2.3", &[]),
        ("v1.2", &[]),
        ("2024/01/02", &[]),
        ("src/", &[]),
        ("e.g.", &[]),
        ("...", &[]),
        ("--flag.rs", &[]),
        ("src/a.rs:12", &[]),
        ("Node.js", &[]),
        ("Chart.js", &[]),
        ("*.rs", &[]),
        ("src/{a,b}.rs", &[]),
        ("a=b.rs", &[]),
        ("a b.rs", &[]),
        ("", &[]),
    ];
    for &(text, evidence) in table {
        for each in [None, Edit, OwnLine, Label] {
            assert_eq!(is_path(text, each), evidence.contains(&each), "{text:?} {each:?}");
        }
    }
}

#[test]
fn a_line_that_is_only_a_path() {
    let table = [
        ("src/a.rs", Some("src/a.rs")),
        ("  `src/a.rs`:", Some("src/a.rs")),
        ("**`src/a.rs`**", Some("src/a.rs")),
        ("**src/a.rs:**", Some("src/a.rs")),
        ("\"src/a.rs\"", Some("src/a.rs")),
        ("### src/a.rs", Some("src/a.rs")),
        ("## 2. `src/a.rs`", Some("src/a.rs")),
        ("1) src/a.rs", Some("src/a.rs")),
        ("- src/a.rs", Some("src/a.rs")),
        ("File: src/a.rs", Some("src/a.rs")),
        ("**File:** `src/a.rs`", Some("src/a.rs")),
        ("**New file: `LICENSE`**", Some("LICENSE")),
        ("File path: src/a", Some("src/a")),
        ("```src/a.rs```", Some("src/a.rs")),
        ("src/a.rs (new file)", Some("src/a.rs")),
        ("`src/a.rs` (updated):", Some("src/a.rs")),
        ("data.xyz", Some("data.xyz")),
        ("__init__.py", Some("__init__.py")),
        ("my dir/src/a.rs", Some("my dir/src/a.rs")),
        ("My Project/src/a.rs", Some("My Project/src/a.rs")),
        ("Update src/a.rs", None),
        ("Refactor src/a.rs", None),
        ("run python src/a.py", None),
        ("see src/a.rs and src/b.rs", None),
        ("File: see below", None),
        ("Delete file: a.rs", None),
        ("src/a.rs (deleted)", None),
        ("\u{201c}src/a.rs\u{201d}", Some("src/a.rs")),
        ("src/\u{2018}a\u{2019}.rs", None),
        ("src/a\u{2026}.rs", None),
        ("src/\u{fc}.rs", Some("src/\u{fc}.rs")),
        ("`*.rs`", None),
        ("*.rs", None),
        ("---", None),
        ("Text.", None),
        ("", None),
    ];
    for (line, path) in table {
        let found = path_line(Piece::new(line, 0), Evidence::OwnLine);
        assert_eq!(text_of(line, found), path, "{line:?}");
    }
}

#[test]
fn a_line_of_prose_that_names_a_block() {
    let table = [
        ("Create `src/a.rs`:", Some("src/a.rs")),
        ("Now update the existing `src/a.rs`", Some("src/a.rs")),
        ("**Creating `src/a.rs`:**", Some("src/a.rs")),
        ("Here's the updated `src/a.rs`:", Some("src/a.rs")),
        ("Here's `src/a.rs` (new):", Some("src/a.rs")),
        ("In the file `src/a.rs`", Some("src/a.rs")),
        ("into the `src/a.rs` file", Some("src/a.rs")),
        ("Create a file named `LICENSE2`", Some("LICENSE2")),
        ("Update `a.rs`, and only `a.rs`:", Some("a.rs")),
        ("`src/a.rs`", Some("src/a.rs")),
        ("File: LICENSE2", Some("LICENSE2")),
        ("This is `src/a.rs` (version `2`):", None),
        ("This is `src/a.rs` (version 2.0):", None),
        ("This is `src/a.rs` (version 2):", Some("src/a.rs")),
        ("This is `src/a.rs` (version 2) of it:", None),
        ("Create `LICENSE2`:", None),
        ("Create `@types/node`:", None),
        ("Update `src/a.rs` and `src/b.rs`:", None),
        ("Add `lodash/fp` to `src/a.js`:", None),
        ("Run `./build.sh`:", None),
        ("Running `./build.sh`:", None),
        ("Do not edit `a.yaml`:", None),
        ("Don't edit `a.yaml`:", None),
        ("Add this so it works in `a.yaml`", None),
        ("The bug is in `a.rs`, here is a test:", None),
        ("Output of `a.py`:", None),
        ("| `a.rs` | parser |", None),
        ("> Create `a.rs`:", None),
        ("Create src/a.rs:", None),
        ("Create `a.rs", None),
        ("`", None),
    ];
    for (line, path) in table {
        assert_eq!(text_of(line, name_in_prose(Piece::new(line, 0))), path, "{line:?}");
    }
}

#[test]
fn a_line_that_introduces_something_else() {
    for line in ["Run it with:", "**Output:**", "You can use `x` like this:"] {
        assert!(introduces_other(line), "{line:?}");
    }
    for line in ["Run it.", "Result:", "Here `use` is a keyword:"] {
        assert!(!introduces_other(line), "{line:?}");
    }
}

#[test]
fn the_only_path_in_backticks() {
    let table = [
        ("I change `run` in `src/a.rs` to use `Spinner`.", Some("src/a.rs")),
        ("`src/bin/run` and again `src/bin/run`", Some("src/bin/run")),
        ("`src/a.rs` and `src/b.rs`", None),
        ("src/a.rs", None),
    ];
    for (line, path) in table {
        assert_eq!(text_of(line, only_quoted_path(Piece::new(line, 0))), path, "{line:?}");
    }
}

#[test]
fn comments() {
    use crate::grammar::input::LineInput;
    let table = [
        ("# file: a.py", Some("a.py"), Some("a.py")),
        ("  // filepath: src/a.rs", Some("src/a.rs"), Some("src/a.rs")),
        ("<!-- filename: web/x.html -->", Some("web/x.html"), Some("web/x.html")),
        ("/* Path: a.css */", Some("a.css"), Some("a.css")),
        ("-- file: db/a.sql", Some("db/a.sql"), Some("db/a.sql")),
        ("# file: LICENSE2", Some("LICENSE2"), Some("LICENSE2")),
        ("# src/a.py", None, Some("src/a.py")),
        ("// src/a.rs", None, Some("src/a.rs")),
        ("# file: the main module", None, None),
        ("# file:", None, None),
        ("// path: https://x.org/a.js", None, None),
        ("#!/usr/bin/env python3", None, None),
        ("x = 1  # file: a.py", None, None),
    ];
    for (line, keyed, any) in table {
        let input = || LineInput::new_extra(line, 0);
        assert_eq!(text_of(line, keyed_comment(input())), keyed, "{line:?}");
        assert_eq!(text_of(line, path_comment(input())), any, "{line:?}");
    }
}
