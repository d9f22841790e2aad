//! `file:` URIs and the paths that they stand for.

use std::path::{Path, PathBuf};

/// The path of a `file:` URI on this machine; `None` for another one.
pub(super) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = strip_scheme(uri)?;
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at_checked(rest.find('/')?)?;
            if !authority.is_empty() && !authority.eq_ignore_ascii_case("localhost") {
                return None;
            }
            path
        }
        None => rest,
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let bytes = decode(path);
    if !bytes.starts_with(b"/") || bytes.contains(&0) {
        return None;
    }
    native(bytes)
}

fn strip_scheme(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("file").then_some(rest)
}

/// The URI of an absolute path.
pub(super) fn from_path(path: &Path) -> String {
    let mut uri = String::from("file://");
    let bytes = path.as_os_str().as_encoded_bytes();
    if !bytes.starts_with(b"/") {
        uri.push('/'); // C:\...
    }
    for &byte in bytes {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The text with each `%` and two hexadecimal digits as the byte that they stand for.
fn decode(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)),
            _ => None,
        };
        bytes.push(escaped.map_or(first, |(high, low)| high * 16 + low));
        rest = if escaped.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    bytes
}

#[cfg(unix)]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    Some(PathBuf::from(OsString::from_vec(bytes)))
}

/// `/c:/x` is `c:/x`.
#[cfg(not(unix))]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    let text = String::from_utf8(bytes).ok()?;
    let has_drive = text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if has_drive { text.get(1..)? } else { text.as_str() }))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_and_its_uri() {
        for (uri, path) in [
            ("file:///a/b.py", "/a/b.py"),
            ("file:///a%20b/%C3%BC.md", "/a b/\u{fc}.md"),
            ("file://localhost/a", "/a"),
            ("FILE:/a", "/a"),
            ("file:///a%2", "/a%2"),
            ("file:///100%/x", "/100%/x"),
            ("file:///a%23b#fragment", "/a#b"),
        ] {
            assert_eq!(to_path(uri), Some(PathBuf::from(path)), "{uri}");
        }
        assert_eq!(from_path(Path::new("/a b/\u{fc}#?%.md")), "file:///a%20b/%C3%BC%23%3F%25.md");
        assert_eq!(to_path(&from_path(Path::new("/a%20b"))), Some(PathBuf::from("/a%20b")));
    }

    #[test]
    fn what_leads_to_no_file_here() {
        for uri in
            ["untitled:Untitled-1", "file://server/share", "file:", "file:relative", "file:///a%00b", "", ":"]
        {
            assert_eq!(to_path(uri), None, "{uri}");
        }
    }
}
