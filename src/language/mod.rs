//! From a file's name to the tag of its language.
//!
//! The tags are those that people write behind a fence, in lower case. Which extensions are known also decides what
//! the grammar of file names takes for a file, so the tables list what is edited as text and leave out what is
//! commoner in `a.b` of a program.

mod table;

use table::{EXTENSIONS, NAMES};

/// The tag of a file whose name says nothing.
const UNKNOWN: &str = "text";

/// Names to which people add an extension of their own: `Dockerfile.dev`.
const STEMS: [(&str, &str); 4] = [
    ("Dockerfile", "dockerfile"),
    ("Containerfile", "dockerfile"),
    ("Makefile", "makefile"),
    ("Jenkinsfile", "groovy"),
];

/// The language tag of a file, by its name and then by its extension; `"text"` for one that is not known.
///
/// The name may be a path, with `/` or `\` between its components. An extension counts in any case.
///
/// ```
/// use code_parser::language;
///
/// assert_eq!(language::infer("src/main.rs"), "rust");
/// assert_eq!(language::infer("docker/Dockerfile.dev"), "dockerfile");
/// assert_eq!(language::infer("INDEX.HTML"), "html");
/// assert_eq!(language::infer("data.bin"), "text");
/// ```
#[must_use]
pub fn infer(file_name_or_path: &str) -> &'static str {
    let name = file_name_or_path.rsplit(['/', '\\']).next().unwrap_or(file_name_or_path);
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return by_name(name).unwrap_or(UNKNOWN);
    };
    // A name that is nothing but a dot and a word has no extension.
    let by_extension = || if stem.is_empty() { None } else { by_extension(extension) };
    by_name(name).or_else(by_extension).or_else(|| by_stem(name)).unwrap_or(UNKNOWN)
}

/// Whether a word is a tag of the tables, or an extension that is used as one, in any case.
pub(crate) fn is_tag(word: &str) -> bool {
    let is_known = |(_, tag): &(&str, &str)| tag.eq_ignore_ascii_case(word);
    by_extension(word).is_some() || EXTENSIONS.iter().any(is_known)
}

/// Whether files with this extension (without its dot, in any case) are known to be text that people edit.
pub(crate) fn is_known_extension(extension: &str) -> bool {
    by_extension(extension).is_some()
}

/// Whether this is the whole name of a file that has no extension or is known by more than it.
pub(crate) fn is_well_known_name(name: &str) -> bool {
    by_name(name).is_some() || by_stem(name).is_some()
}

fn by_extension(extension: &str) -> Option<&'static str> {
    let found = KEYS.binary_search(&key(extension.as_bytes())?).ok();
    found.and_then(|at| EXTENSIONS.get(at)).map(|&(_, tag)| tag)
}

/// The keys of the extensions, in the same order.
#[expect(clippy::indexing_slicing, reason = "the compiler itself would fail")]
static KEYS: [u128; EXTENSIONS.len()] = {
    let mut keys = [0; EXTENSIONS.len()];
    let mut at = 0;
    while at < keys.len() {
        if let Some(key) = key(EXTENSIONS[at].0.as_bytes()) {
            keys[at] = key;
        }
        at += 1;
    }
    keys
};

/// An extension in lower case, filled up with zeros, as a number: two are compared at once, in the order of the texts.
/// `None` for one that is too long or has a zero itself.
const fn key(extension: &[u8]) -> Option<u128> {
    let (mut key, mut free, mut rest) = (0_u128, size_of::<u128>(), extension);
    while let [byte, tail @ ..] = rest {
        if free == 0 || *byte == 0 {
            return None;
        }
        key = key << u8::BITS | byte.to_ascii_lowercase() as u128;
        free -= 1;
        rest = tail;
    }
    // Nothing is shifted by all of its bits.
    if extension.is_empty() { None } else { Some(key << (free * u8::BITS as usize)) }
}

fn by_name(name: &str) -> Option<&'static str> {
    let found = NAMES.binary_search_by(|&(known, _)| known.cmp(name));
    found.ok().and_then(|at| NAMES.get(at)).map(|&(_, tag)| tag)
}

/// By the part before the first dot.
fn by_stem(name: &str) -> Option<&'static str> {
    let (stem, _) = name.split_once('.')?;
    STEMS.iter().find(|&&(known, _)| known == stem).map(|&(_, tag)| tag)
}

#[cfg(test)]
mod tests {
    use super::{EXTENSIONS, NAMES, infer, is_known_extension, is_well_known_name};

    #[test]
    fn tables_are_sorted_and_unique() {
        assert!(EXTENSIONS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(EXTENSIONS.len() + NAMES.len() >= 120);
        // Whoever looks for names in prose passes over all other words.
        let stands_out = |name: &str| {
            name.contains('.') || name.starts_with(|c: char| c.is_ascii_uppercase()) || name.ends_with("file")
        };
        assert!(NAMES.iter().all(|(name, _)| stands_out(name)));
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        for &(key, tag) in EXTENSIONS.iter().chain(NAMES) {
            assert!(!tag.is_empty() && tag.bytes().all(is_plain), "{key}");
        }
        let is_lower = |name: &str| !name.is_empty() && name.to_lowercase() == name && !name.contains('.');
        assert!(EXTENSIONS.iter().all(|(extension, _)| is_lower(extension)));
    }

    #[test]
    fn every_entry_is_found() {
        for &(extension, tag) in EXTENSIONS {
            assert_eq!(infer(&format!("a/b.x.{extension}")), tag);
            assert_eq!(infer(&format!("a\\B.{}", extension.to_uppercase())), tag);
            assert!(is_known_extension(extension));
        }
        for &(name, tag) in NAMES {
            assert_eq!(infer(&format!("a/{name}")), tag);
            assert!(is_well_known_name(name));
        }
    }

    #[test]
    fn names_of_each_kind() {
        let cases = [
            ("x.rs\0", "text"),
            ("x.", "text"),
            ("x.an_extension_of_many_letters", "text"),
            ("x.pyi", "python"),
            ("x.mjs", "javascript"),
            ("x.d.ts", "typescript"),
            ("x.h", "c"),
            ("x.hpp", "cpp"),
            ("x.kt", "kotlin"),
            ("a.ps1", "powershell"),
            ("x.yml", "yaml"),
            ("x.svg", "xml"),
            ("x.htm", "html"),
            ("x.cfg", "ini"),
            ("x.tf", "hcl"),
            ("x.patch", "diff"),
            ("x.cmd", "batch"),
            ("x.exs", "elixir"),
            ("x.hrl", "erlang"),
            ("Containerfile", "dockerfile"),
            ("GNUmakefile", "makefile"),
            ("sub/CMakeLists.txt", "cmake"),
            ("Justfile", "just"),
            ("Gemfile", "ruby"),
            ("Jenkinsfile", "groovy"),
            ("BUILD", "starlark"),
            ("build", "text"),
            ("go.mod", "gomod"),
            ("go.sum", "gosum"),
            ("Cargo.lock", "toml"),
            (".gitignore", "text"),
            (".env", "text"),
            (".bashrc", "bash"),
            (".rs", "text"),
            ("dir.rs/file", "text"),
            ("Dockerfile.dev", "dockerfile"),
            ("Dockerfile.md", "markdown"),
            ("x.", "text"),
            (".", "text"),
            ("", "text"),
            ("é.ÉÉ", "text"),
        ];
        for (name, tag) in cases {
            assert_eq!(infer(name), tag, "{name}");
        }
    }

    #[test]
    fn words_of_programs_are_no_files() {
        for extension in
            ["log", "map", "env", "key", "lock", "com", "org", "http", "path", "debug", "", "rs ", ".rs"]
        {
            assert!(!is_known_extension(extension), "{extension}");
        }
        for name in ["license", "build", "workspace", "readme", "Node.js", "os.path", ""] {
            assert!(!is_well_known_name(name), "{name}");
        }
    }
}
