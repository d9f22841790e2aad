//! What holds for diffs of any file.

use std::collections::BTreeMap;

use code_parser::apply::plan::{Options, Plan};
use code_parser::ast::InputKind;
use code_parser::source::Source;
use code_parser::{RelPath, parse};
use similar::TextDiff;

/// Any two texts: the diff between them makes the one of the other, both ways, with however many lines of context.
///
/// They are cut at the first U+001E.
pub(crate) fn check(text: &str) {
    let Some((old, new)) = text.split_once('\u{1e}') else { return };
    // Of a last line without ending nothing tells that the file's endings are CRLF, and a CR alone ends no line here.
    let lone_cr = |text: &str| text.replace("\r\n", "").contains('\r');
    let ended = |text: &str| text.is_empty() || text.ends_with('\n');
    // A file with NUL is no text.
    let has_nul = text.contains('\0');
    let has_crlf = old.contains('\r') || new.contains('\r');
    if old == new || has_nul || lone_cr(old) || lone_cr(new) || has_crlf && !(ended(old) && ended(new)) {
        return;
    }
    // Lines that are added without any old line beside them get the ending of the file's lines, and a byte order mark
    // stays where it is.
    let needs_context = has_crlf || text.contains('\u{feff}');
    for context in usize::from(needs_context)..4 {
        makes(old, new, context);
        makes(new, old, context);
    }
}

fn makes(old: &str, new: &str, context: usize) {
    let diff = TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(context)
        .header("a/f", "b/f")
        .to_string();
    let body = diff.split_inclusive('\n').skip(2).collect::<Vec<_>>();
    // Three such lines start a file, whatever the counts say.
    let is_header = |lines: &[&str]| {
        lines[0].starts_with("---") && lines[1].starts_with("+++") && lines[2].starts_with("@@")
    };
    if body.windows(3).any(is_header) {
        return;
    }
    let files = BTreeMap::from([(RelPath::new("f").unwrap(), old.as_bytes().to_vec())]);
    let source = Source::new(&diff).unwrap();
    let plan = Plan::new(&parse(&source, InputKind::Diff).changes(), &files, &Options::default());
    let plan = plan.unwrap_or_else(|refusal| panic!("{:?}\n{diff}", refusal.diagnostics));
    let [file] = plan.files() else { panic!("not one file\n{diff}") };
    assert_eq!(file.path.as_str(), "f");
    let made = file.new.as_ref().map(|made| String::from_utf8_lossy(made));
    assert_eq!(made.as_deref(), Some(new), "{diff}");
}
