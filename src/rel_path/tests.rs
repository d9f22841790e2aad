use super::name::NameRules;
use super::{Edge, PathError, RelPath, check};

/// One row of the table: a path, the systems that the row is about, and the normal form or the rule that is broken.
struct Row<'t> {
    systems: &'t [NameRules],
    path: Vec<u8>,
    expected: Result<Vec<u8>, &'t str>,
}

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let [system, path, verdict, detail, _reason] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not five columns: {line}");
        };
        let systems: &[NameRules] = match system {
            "all" => &[NameRules::Common, NameRules::Windows],
            "unix" => &[NameRules::Common],
            "windows" => &[NameRules::Windows],
            other => panic!("no system: {other}"),
        };
        let expected = match verdict {
            "accept" => Ok(unescape(detail)),
            "reject" => Err(detail),
            other => panic!("no verdict: {other}"),
        };
        Row { systems, path: unescape(path), expected }
    })
}

/// `\\` is a backslash, `\u{..}` a character, `\x{..}` a byte.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        if let Some(after) = escape.strip_prefix('\\') {
            bytes.push(b'\\');
            rest = after;
            continue;
        }
        let (kind, escape) = escape.split_at(2);
        let (digits, after) = escape.split_once('}').unwrap();
        let number = u32::from_str_radix(digits, 16).unwrap();
        match kind {
            "u{" => bytes.extend(char::from_u32(number).unwrap().to_string().bytes()),
            "x{" => bytes.push(u8::try_from(number).unwrap()),
            other => panic!("no escape: {other}"),
        }
        rest = after;
    }
    bytes.extend(rest.bytes());
    bytes
}

/// The variant's name.
fn rule(error: PathError) -> String {
    let debug = format!("{error:?}");
    debug.split(' ').next().unwrap().to_owned()
}

#[test]
fn table_holds() {
    let mut seen = 0;
    for Row { systems, path, expected } in rows(include_str!("../../tests/fixtures/paths.tsv")) {
        for &rules in systems {
            let found = match str::from_utf8(&path) {
                Ok(path) => check(path, rules).map(String::into_bytes).map_err(rule),
                Err(_) => Err("NotUtf8".to_owned()),
            };
            let expected = expected.clone().map_err(str::to_owned);
            assert_eq!(found, expected, "{:?} with {rules:?}", String::from_utf8_lossy(&path));
        }
        seen += 1;
    }
    assert_eq!(seen, 130);
}

fn common(path: &str) -> Result<String, PathError> {
    check(path, NameRules::Common)
}

#[test]
fn limits_count_bytes() {
    assert!(common(&"n".repeat(255)).is_ok());
    assert_eq!(common(&"n".repeat(256)), Err(PathError::ComponentTooLong { component: 1, bytes: 256 }));
    assert!(common(&"é".repeat(127)).is_ok());
    assert_eq!(common(&"é".repeat(128)), Err(PathError::ComponentTooLong { component: 1, bytes: 256 }));
    let inner = format!("a/{}/f", "n".repeat(256));
    assert_eq!(common(&inner), Err(PathError::ComponentTooLong { component: 2, bytes: 256 }));
    assert!(common(&format!("{}f", "d/".repeat(2047))).is_ok());
    assert_eq!(common(&format!("{}ff", "d/".repeat(2047))), Err(PathError::TooLong { bytes: 4096 }));
    assert!(common(&format!("{}f", "./".repeat(4096))).is_ok(), "the limit is that of the normal form");
}

#[test]
fn rules_are_asked_in_order() {
    assert_eq!(common(" /\0"), Err(PathError::BlankEdge { edge: Edge::Start, character: ' ' }));
    assert_eq!(common("/a\u{b}:\u{200b}"), Err(PathError::ControlCharacter { character: '\u{b}', at: 2 }));
    assert_eq!(common("/é:\u{200b}"), Err(PathError::Colon { at: 3 }));
    assert_eq!(common("c:"), Err(PathError::Drive));
    assert_eq!(common("1:x"), Err(PathError::Colon { at: 1 }));
    assert_eq!(common("ab:x"), Err(PathError::Colon { at: 2 }));
    assert_eq!(common("/a\u{200b}"), Err(PathError::Invisible { character: '\u{200b}', at: 2 }));
    assert_eq!(common("/../.git/"), Err(PathError::Absolute));
    assert_eq!(common("../.git/"), Err(PathError::TrailingSeparator));
    assert_eq!(common("a/./../.git/x"), Err(PathError::Parent { component: 3 }));
}

#[test]
fn rules_of_the_start_hold_behind_a_dot_component_too() {
    assert_eq!(common("./~/x"), Err(PathError::Home));
    assert_eq!(common(".\\.//~"), Err(PathError::Home));
    assert_eq!(common("./ x"), Err(PathError::BlankEdge { edge: Edge::Start, character: ' ' }));
    assert_eq!(common("./a/~"), Ok("a/~".to_owned()));
}

#[test]
fn spellings_of_reserved_names_are_refused() {
    let spellings = [
        (".git", ".ＧIT ".to_owned(), None),
        (".git", ".g\u{130}t".to_owned(), Some(())),
        (".git", ".gi\u{307}t".to_owned(), Some(())),
        (".git", ".gI\u{200d}\u{307}t".to_owned(), Some(())),
        (".git", ".gi\u{301}t".to_owned(), None),
        (".git", "\u{fe0f}.git".to_owned(), Some(())),
        (".git", ".git.\u{fe0f} .".to_owned(), Some(())),
        (".git", "git~12".to_owned(), Some(())),
        (".git", "g\u{131}t~1 .".to_owned(), Some(())),
        (".git", "git~".to_owned(), None),
        (".git", "git~1a".to_owned(), None),
        (".git", "git~1~1".to_owned(), None),
        (".hg", ".Hg".to_owned(), Some(())),
        (".svn", ".\u{17f}vn".to_owned(), Some(())),
        (".fsrb-txn", ".FSRB-TXN.".to_owned(), Some(())),
        (".fsrb-done", ".f\u{17f}rb-done".to_owned(), Some(())),
        (".fsrb-done", ".fsrb-done2".to_owned(), None),
    ];
    for (name, spelling, refused) in spellings {
        let expected = refused.map(|()| PathError::Reserved { component: 2, name });
        assert_eq!(common(&format!("a/{spelling}/b")).err(), expected, "{spelling:?}");
        assert_eq!(RelPath::from_resolved(["a", &spelling]).err(), expected, "{spelling:?} resolved");
    }
}

#[test]
fn blank_components_are_refused() {
    for blank in [" ", "...", ". .", "\u{200d}", ".\u{fe0f}.", "\u{3000}", " \u{a0}."] {
        let path = format!("a/./{blank}/b");
        assert_eq!(common(&path), Err(PathError::DotsAndSpaces { component: 3 }), "{blank:?}");
    }
}

#[test]
fn names_of_windows_are_refused_there_only() {
    let device = PathError::Device { component: 2 };
    let cases = [
        ("aux .x", device),
        ("com9", device),
        ("Lpt².txt", device),
        ("conout$", device),
        ("a|b", PathError::ForbiddenCharacter { component: 2, character: '|' }),
        ("x.rs .", PathError::TrailingDotOrSpace { component: 2 }),
    ];
    for (name, error) in cases {
        let path = format!("a/{name}/b");
        assert_eq!(check(&path, NameRules::Windows), Err(error), "{name}");
        assert!(common(&path).is_ok(), "{name}");
    }
    for name in ["com0", "com", "com10", "console", "é²1", "nul1"] {
        assert!(check(name, NameRules::Windows).is_ok(), "{name}");
    }
}

#[test]
fn resolved_names_may_be_odd_but_are_names() {
    let resolved = RelPath::from_resolved(["~", "a\\b", " c:\n"]).unwrap();
    assert_eq!(resolved.as_str(), "~/a\\b/ c:\n");
    for not_a_name in ["", ".", "..", "b/c", "/"] {
        let error = PathError::NotAName { component: 2 };
        assert_eq!(RelPath::from_resolved(["a", not_a_name]), Err(error), "{not_a_name:?}");
    }
    assert_eq!(RelPath::from_resolved::<[&str; 0]>([]), Err(PathError::Empty));
}

#[cfg(unix)]
#[test]
fn resolved_names_that_are_not_utf8_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let names = [OsStr::new("a"), OsStr::from_bytes(b"b\xff")];
    assert_eq!(RelPath::from_resolved(names), Err(PathError::NotUtf8 { component: 2 }));
}

#[test]
fn sensitive_places_are_known() {
    let cases = [
        (".github/workflows/ci.yml", true),
        (".github/workflows", false),
        (".github/CODEOWNERS", false),
        ("github/workflows/ci.yml", false),
        (".vscode/settings.json", true),
        ("sub/.VSCode/a/b.json", true),
        (".vscode", false),
        (".cursor/mcp.json", true),
        (".claude/settings.json", true),
        (".mcp.json", true),
        (".mcp.json/x", false),
        (".envrc", true),
        (".husky/pre-commit", true),
        (".gitmodules", true),
        ("sub/.gitattributes", true),
        ("build.rs", true),
        ("crates/a/build.rs", true),
        ("src/builder.rs", false),
        ("Cargo.toml", false),
    ];
    for (path, sensitive) in cases {
        assert_eq!(RelPath::new(path).unwrap().is_sensitive(), sensitive, "{path}");
    }
}

#[test]
fn parts_of_a_path() {
    let path = RelPath::new("a/bc/d.rs").unwrap();
    let parents: Vec<_> = std::iter::successors(path.parent(), RelPath::parent).collect();
    assert_eq!(parents.iter().map(RelPath::as_str).collect::<Vec<_>>(), ["a/bc", "a"]);
    assert_eq!(path.file_name(), "d.rs");
    assert_eq!(std::path::Path::new("root").join(&path), std::path::Path::new("root/a/bc/d.rs"));
    assert_eq!(path.components().collect::<Vec<_>>(), ["a", "bc", "d.rs"]);
    assert!(parents.iter().all(|parent| path.is_below(parent)));
    assert!(!path.is_below(&RelPath::new("a/b").unwrap()));
    assert!(!parents[0].is_below(&path));
}

#[test]
fn messages_name_the_place() {
    let message = |path| common(path).unwrap_err().to_string();
    assert_eq!(message("a\0b"), "the path has the control character U+0000 at byte 1");
    assert_eq!(message("a\u{3000}"), "the path ends with the white space U+3000");
    assert_eq!(
        message("a/.GIT/x"),
        "the path leads into `.git`, or a name that may be the same, where nothing may be written"
    );
}
