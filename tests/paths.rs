//! Properties of the safety check of paths.

use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};

#[path = "laws/paths.rs"]
mod laws;

/// Names that the rules are about, and some that they only seem to be about.
const NAMES: &[&str] = &[
    "a",
    "src",
    "lib.rs",
    ".git",
    ".GIT",
    ".g",
    "it",
    "git~1",
    "git~",
    ".hg",
    ".svn",
    ".fsrb-txn",
    ".",
    "..",
    "...",
    " ",
    "~",
    "C:",
    ":",
    "CON",
    "x.",
    "-",
];
/// Characters that the rules are about.
const CHARACTERS: &[char] = &[
    '\0', '\n', '\u{a0}', '\u{131}', '\u{130}', '\u{307}', '\u{17f}', '\u{200b}', '\u{200d}', '\u{202e}',
    '\u{fe0f}', 'é', '日',
];

/// Paths made of what the rules are about, and of anything.
fn paths() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => prop::sample::select(NAMES).prop_map(str::to_owned),
        2 => prop::sample::select(CHARACTERS).prop_map(String::from),
        4 => prop::sample::select(&["/", "\\", "//", "./"][..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z]{1,3}",
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Paths that the rules have nothing against.
fn safe_paths() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-z_é日]{1,9}(\\.[a-z]{1,3})?", 1..6).prop_map(|names| names.join("/"))
}

proptest! {
    #[test]
    fn laws_hold(path in paths()) {
        laws::check(&path);
    }

    #[test]
    fn laws_hold_for_any_text(text in any::<String>()) {
        laws::check(&text);
    }

    #[test]
    fn ordinary_paths_are_accepted_as_they_are(path in safe_paths()) {
        laws::check(&path);
        let accepted = code_parser::RelPath::new(&path).map(|path| path.as_str().to_owned());
        assert_eq!(accepted, Ok(path));
    }
}
