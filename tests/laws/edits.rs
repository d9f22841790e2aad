//! What holds for edits of any file.

use std::collections::BTreeMap;

use code_parser::apply::change::{Change, Operation};
use code_parser::apply::plan::{Options, Plan, Refusal};
use code_parser::apply::report::FileStatus;
use code_parser::ast::InputKind;
use code_parser::diagnostic::Code;
use code_parser::{Changes, RelPath};

/// The text to find and the text to put in its place; `None` is no line at all.
type Edit<'t> = (Option<&'t str>, Option<&'t str>);

/// Any file, any edits: refused they leave no plan; made they change what a slow loop changes, and no other byte.
///
/// The file comes first, up to U+001E; then the edits, each up to the next U+001E and cut in two at U+001F. Without
/// that there is no line to put in.
pub(crate) fn check(bytes: &[u8]) {
    let mut parts = bytes.split(|&byte| byte == 0x1e);
    let file = parts.next().unwrap_or_default();
    let texts: Vec<&str> = parts.take(8).filter_map(|part| std::str::from_utf8(part).ok()).collect();
    let edits: Vec<Edit<'_>> = texts
        .iter()
        .map(|text| match text.split_once('\u{1f}') {
            Some((search, replace)) => (Some(search).filter(|search| !search.is_empty()), Some(replace)),
            None => (Some(text).copied().filter(|search| !search.is_empty()), None),
        })
        .collect();
    for kind in [InputKind::Fsrb, InputKind::Response] {
        let mut bytes = file.to_vec();
        for edit in &edits {
            match one_edit(&bytes, *edit, kind) {
                Some(new) => bytes = new,
                None => break,
            }
        }
        many_at_once(file, &edits, kind);
    }
}

fn plan(file: &[u8], edits: &[Edit<'_>], kind: InputKind) -> Result<Plan, Refusal> {
    let files = BTreeMap::from([(RelPath::new("f").unwrap(), file.to_vec())]);
    let list = edits.iter().map(|&(search, replace)| Change {
        path: Some("f".into()),
        operation: Operation::Edit { search: search.map(Into::into), replace: replace.map(Into::into) },
        kind,
        origin: None,
    });
    let changes = Changes { list: list.collect(), ..Changes::default() };
    Plan::new(&changes, &files, &Options::default())
}

/// The bytes that the one file of a plan has then; `b""` where it is gone.
fn new_bytes(plan: &Plan, file: &[u8]) -> Vec<u8> {
    let [planned] = plan.files() else { panic!("not one file") };
    assert_eq!(planned.old.as_ref().map(|old| old.bytes.as_slice()), Some(file));
    let new = planned.new.as_ref().map(|new| new.to_vec());
    let status = match &new {
        None => FileStatus::Deleted,
        Some(new) if new == file => FileStatus::Unchanged,
        Some(_) => FileStatus::Modified,
    };
    assert_eq!(planned.status, status);
    new.unwrap_or_default()
}

/// Edits in one plan do what they do one after the other.
fn many_at_once(file: &[u8], edits: &[Edit<'_>], kind: InputKind) {
    // Once written, a CR that ends no line may have become a part of a line ending.
    let writes_nul = edits.iter().any(|edit| edit.1.is_some_and(|text| text.contains('\0')));
    // A file with NUL is no text once it is read again.
    if edits.is_empty() || has_lone_cr(file, edits) || writes_nul {
        return;
    }
    let mut bytes = Some(file.to_vec());
    for edit in edits {
        let Some(old) = &bytes else { break };
        // An edit of a file that one before it has deleted is another matter.
        if old.is_empty() && !file.is_empty() {
            return;
        }
        // Nor is a file text once it is read again with the mark of UTF-16, which an edit has brought to its start.
        if is_utf16(old) && !is_utf16(file) {
            return;
        }
        bytes = plan(old, &[*edit], kind).ok().map(|plan| new_bytes(&plan, old));
    }
    let at_once = plan(file, edits, kind).ok().map(|plan| new_bytes(&plan, file));
    // Where no line ending is left, only the plan of all knows which ones the file had.
    let normal = |bytes: Option<Vec<u8>>| bytes.map(|bytes| normal(&bytes));
    assert_eq!(normal(at_once), normal(bytes), "{edits:?}");
}

fn is_utf16(file: &[u8]) -> bool {
    file.starts_with(b"\xff\xfe") || file.starts_with(b"\xfe\xff")
}

/// Whether the file or a text has a CR that ends no line.
fn has_lone_cr(file: &[u8], edits: &[Edit<'_>]) -> bool {
    let mut texts = edits.iter().flat_map(|&(search, replace)| [search, replace]).flatten();
    normal(file).contains(&b'\r') || texts.any(|text| text.contains('\r'))
}

/// The file after one edit; `None` for one that is refused.
fn one_edit(file: &[u8], (search, replace): Edit<'_>, kind: InputKind) -> Option<Vec<u8>> {
    let made = plan(file, &[(search, replace)], kind);
    let is_text = !file.contains(&0) && !is_utf16(file);
    let is_ascii = [search, replace].into_iter().flatten().all(str::is_ascii);
    let takes_text = is_text && (is_ascii || std::str::from_utf8(file).is_ok());
    let expected = match (search, replace) {
        (None, None) => Err(Code::EmptyBlock),
        (None, _) if kind == InputKind::Fsrb => Err(Code::CreateExists),
        _ if !takes_text => Err(Code::NotUtf8),
        (None, Some(lines)) => Ok(appended(file, lines)),
        (Some(search), replace) => replaced(file, search, replace, kind),
    };
    let context = || format!("{:?} {search:?} {replace:?} {kind:?}", String::from_utf8_lossy(file));
    let (refusal, expected) = match (&made, expected) {
        (Ok(plan), Ok(expected)) => {
            let new = new_bytes(plan, file);
            // A CR that ends no line may come to stand before an LF.
            let has_cr = has_lone_cr(file, &[(search, replace)]);
            let kept = |mut text: Vec<u8>| {
                text.retain(|byte| !has_cr || *byte != b'\r');
                text
            };
            assert_eq!(kept(normal(&new)), kept(expected.text), "{}", context());
            assert!(new.starts_with(&file[..expected.before]), "bytes before it: {}", context());
            assert!(new.ends_with(&file[file.len() - expected.after..]), "bytes behind it: {}", context());
            if !has_cr {
                one_kind_of_ending_stays(file, &new, &context());
            }
            return Some(new);
        }
        (Ok(_), Err(code)) => panic!("made, and not refused for {code}: {}", context()),
        (Err(refusal), expected) => (refusal, expected),
    };
    let codes: Vec<Code> =
        refusal.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code).collect();
    match expected {
        Err(code) => assert!(codes.contains(&code), "{codes:?}, not {code}: {}", context()),
        // Two refusals that the loop knows nothing of.
        Ok(_) => {
            let joins = search.is_some_and(|search| search.starts_with('\n') || search.ends_with('\n'));
            let may_be = |code: &Code| match code {
                Code::SearchNotFound => joins,
                Code::OmissionPlaceholder => kind == InputKind::Response,
                _ => false,
            };
            assert!(codes.iter().all(may_be), "{codes:?}: {}", context());
        }
    }
    None
}

/// What a file becomes.
struct Expected {
    /// Its bytes, CRLF as LF.
    text: Vec<u8>,
    /// How many bytes at the start and at the end stay as they are.
    before: usize,
    after: usize,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// CRLF as LF.
fn normal(bytes: &[u8]) -> Vec<u8> {
    let is_half = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
    (0..bytes.len()).filter(|&at| !is_half(at)).map(|at| bytes[at]).collect()
}

fn ends_with_newline(text: &[u8]) -> bool {
    text.is_empty() || text.ends_with(b"\n")
}

fn appended(file: &[u8], lines: &str) -> Expected {
    let text = file.strip_prefix(BOM).unwrap_or(file);
    let new = match ends_with_newline(text) {
        true => format!("{lines}\n"),
        false => format!("\n{lines}"),
    };
    Expected { text: [&normal(file), new.as_bytes()].concat(), before: file.len(), after: 0 }
}

/// The text as its bytes, CRLF as LF, and at which byte of the file each one stands.
fn text_of(file: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mark = if file.starts_with(BOM) { BOM.len() } else { 0 };
    let is_half = |at: usize| file[at] == b'\r' && file.get(at + 1) == Some(&b'\n');
    let kept = (mark..file.len()).filter(|&at| !is_half(at));
    // A line ending begins at its CR.
    let start = |at: usize| if file[at] == b'\n' && at > mark && file[at - 1] == b'\r' { at - 1 } else { at };
    let (text, mut places): (Vec<u8>, Vec<usize>) = kept.map(|at| (file[at], start(at))).unzip();
    places.push(file.len());
    (text, places)
}

fn is_start(text: &[u8], at: usize) -> bool {
    at == 0 || text[at - 1] == b'\n'
}

fn is_end(text: &[u8], at: usize) -> bool {
    at == text.len() || text[at] == b'\n'
}

fn replaced(file: &[u8], search: &str, replace: Option<&str>, kind: InputKind) -> Result<Expected, Code> {
    let (text, places) = text_of(file);
    let found = occurrences(&text, search.as_bytes(), kind);
    let &[(mut from, mut to)] = found.as_slice() else {
        return Err(if found.is_empty() { Code::SearchNotFound } else { Code::AmbiguousMatch });
    };
    if replace.is_none() && is_start(&text, from) && is_end(&text, to) {
        // Whole lines go with their line ending, or with the one before.
        if to < text.len() {
            to += 1;
        } else if from > 0 && !is_start(&text, to) {
            from -= 1;
        }
    }
    let mut new = [&text[..from], replace.unwrap_or_default().as_bytes()].concat();
    let at_end = to == text.len();
    new.extend_from_slice(&text[to..]);
    if at_end && ends_with_newline(&text) && !ends_with_newline(&new) {
        new.push(b'\n');
    }
    if new.is_empty() {
        // The file goes, and with it its byte order mark.
        return Ok(Expected { text: new, before: 0, after: 0 });
    }
    let mark = if file.starts_with(BOM) { BOM } else { b"" };
    Ok(Expected { text: [mark, &new].concat(), before: places[from], after: file.len() - places[to] })
}

fn occurrences(text: &[u8], search: &[u8], kind: InputKind) -> Vec<(usize, usize)> {
    let is_blank = search.iter().all(|byte| b" \t\n".contains(byte));
    let spans = (0..=text.len()).map(|from| (from, from + search.len())).filter(|span| span.1 <= text.len());
    // What follows the last line ending is no line.
    let is_line = |&(from, to): &(usize, usize)| {
        is_start(text, from) && is_end(text, to) && !(to > 0 && to == text.len() && is_start(text, to))
    };
    let exact: Vec<_> = spans
        .filter(|&(from, to)| text[from..to] == *search)
        .filter(|span| !is_blank || is_line(span) && !text.is_empty())
        .collect();
    if !exact.is_empty() || kind == InputKind::Fsrb {
        return exact;
    }
    let trimmed = |line: &[u8]| -> Vec<u8> {
        let end = line.iter().rposition(|byte| !b" \t".contains(byte)).map_or(0, |last| last + 1);
        line[..end].to_vec()
    };
    let wanted: Vec<Vec<u8>> = search.split(|&byte| byte == b'\n').map(trimmed).collect();
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        lines.push((start, start + line.strip_suffix(b"\n").unwrap_or(line).len()));
        start += line.len();
    }
    let fits = |stretch: &&[(usize, usize)]| {
        stretch.iter().zip(&wanted).all(|(&(from, to), wanted)| trimmed(&text[from..to]) == *wanted)
    };
    let stretches = lines.windows(wanted.len()).filter(fits);
    stretches.map(|stretch| (stretch[0].0, stretch[stretch.len() - 1].1)).collect()
}

/// A file whose lines all end alike has no other line ending afterwards.
fn one_kind_of_ending_stays(file: &[u8], new: &[u8], context: &str) {
    let count = |bytes: &[u8], ending: &[u8]| bytes.windows(ending.len()).filter(|at| *at == ending).count();
    let [crlf, lf] = [count(file, b"\r\n"), count(file, b"\n")];
    let [new_crlf, new_lf] = [count(new, b"\r\n"), count(new, b"\n")];
    if lf > 0 && crlf == lf {
        assert_eq!(new_crlf, new_lf, "{context}");
    } else if count(file, b"\r") == 0 {
        assert_eq!(new_crlf, 0, "{context}");
    }
}
