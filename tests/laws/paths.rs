//! What holds for the safety check of any path.

use std::path::{Component, Path};

use code_parser::RelPath;

/// Any text: a path that is accepted is safe, one that is refused is refused with a message that is safe to print.
pub(crate) fn check(text: &str) {
    match RelPath::new(text) {
        Ok(path) => accepted(&path),
        Err(error) => {
            let message = error.to_string();
            let is_plain = |byte: u8| matches!(byte, b' '..=b'~');
            assert!(message.bytes().all(is_plain), "{text:?} gives the message {message:?}");
            assert!(!message.is_empty());
        }
    }
}

fn accepted(path: &RelPath) {
    let text = path.as_str();
    assert!(!text.is_empty() && text.len() < 4096);
    assert!(
        !text.contains(['\\', ':', '\0', '\n', '\u{1b}', '\u{202e}', '\u{200b}', '\u{feff}']),
        "{text:?}"
    );
    assert_eq!(text.trim(), text, "white space at an edge");
    assert_eq!(path.components().collect::<Vec<_>>().join("/"), text);
    for name in path.components() {
        component(name);
    }
    beneath_a_root(path);

    assert_eq!(RelPath::new(text).as_ref(), Ok(path), "the normal form is its own");
    assert_eq!(RelPath::new(&format!("./{text}")).as_ref(), Ok(path));
    assert_eq!(RelPath::new(&text.replace('/', "\\")).as_ref(), Ok(path));
    assert_eq!(RelPath::from_resolved(path.components()).as_ref(), Ok(path));
}

/// A component that every system takes for an ordinary name.
fn component(name: &str) {
    assert!(!name.is_empty() && name.len() <= 255, "{name:?}");
    let is_unseen = |character| matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    let seen = name.to_uppercase().replace(is_unseen, "");
    let seen = seen.trim_end_matches(['.', ' ']);
    assert!(!seen.is_empty(), "{name:?} is nothing but dots and spaces");
    let reserved = [".GIT", ".HG", ".SVN", ".FSRB-TXN", ".FSRB-DONE", "GIT~1", "GIT~2"];
    assert!(!reserved.contains(&seen), "{name:?} is reserved");
}

/// Joined to a root it stays below it, however a system reads it.
fn beneath_a_root(path: &RelPath) {
    let root = Path::new("root");
    let joined = root.join(path);
    assert!(joined.starts_with(root) && joined != root);
    assert!(Path::new(path.as_str()).components().all(|part| matches!(part, Component::Normal(_))));

    let mut parents = 0;
    let mut above = path.parent();
    while let Some(parent) = above {
        assert!(path.is_below(&parent) && !parent.is_below(path));
        assert!(
            root.join(&parent).join(path.as_str().get(parent.as_str().len() + 1..).unwrap_or("")) == joined
        );
        parents += 1;
        above = parent.parent();
    }
    assert_eq!(parents + 1, path.components().count());
    assert_eq!(path.components().next_back(), Some(path.file_name()));
}
