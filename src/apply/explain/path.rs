//! What a path may have meant that leads to no file.

use crate::apply::change::{Change, Operation, Origin, PatchName};
use crate::diagnostic::{Diagnostic, Related, Suggestion};
use crate::edit::nearest::difference::middles;
use crate::edit::nearest::{Effort, likeness};
use crate::rel_path::RelPath;
use crate::source::Span;

/// So many paths are named.
const NAMED: usize = 3;
/// Less alike, in thousandths, a path is not named.
const LEAST: u32 = 600;
/// So alike, in thousandths, a path may be meant.
const SURE: u32 = 880;
/// By so much the path that is meant is more alike than any other, in thousandths.
const MARGIN: u32 = 40;

/// Names the files whose paths are nearest, and corrects the path where it is clear which one is meant.
pub(super) fn explain(
    change: &Change<'_>,
    origin: Origin,
    paths: &[RelPath],
    effort: &mut Effort,
    found: &mut Diagnostic,
) {
    let Some(wanted) = found.path.clone() else { return };
    let nearest = nearest(&wanted, paths, effort);
    for (_, path) in nearest.iter().take(NAMED) {
        found.related.push(named(path, "this file has a similar path"));
    }
    if let Some(path) = meant(&wanted, &nearest) {
        found.suggestion = suggestion(change, origin, path, found.span);
    }
}

/// The first files in a directory.
pub(super) fn in_directory(directory: &str, paths: &[RelPath]) -> Vec<Related> {
    let below =
        |path: &&RelPath| path.as_str().strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
    paths.iter().filter(below).take(NAMED).map(|path| named(path, "this file is in it")).collect()
}

/// A file as a whole.
fn named(path: &RelPath, message: &str) -> Related {
    Related {
        message: message.to_owned(),
        path: Some(path.as_str().to_owned()),
        span: Span::empty(0),
        position: None,
    }
}

/// The paths that are alike, the nearest first, with how alike they are in thousandths.
fn nearest<'p>(wanted: &str, paths: &'p [RelPath], effort: &mut Effort) -> Vec<(u32, &'p RelPath)> {
    let mut nearest = Vec::new();
    for path in paths {
        let Some(alike) = alike(wanted, path.as_str(), effort) else { break };
        if alike >= LEAST {
            nearest.push((alike, path));
        }
    }
    nearest.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(other.1)));
    nearest
}

fn alike(wanted: &str, path: &str, effort: &mut Effort) -> Option<u32> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or("").to_lowercase();
    let is_end = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    let whole = likeness(wanted.as_bytes(), path.as_bytes(), effort)?;
    Some(if wanted.to_lowercase() == path.to_lowercase() {
        1000
    } else if is_end(path, wanted) || is_end(wanted, path) {
        // Directories are missing at its start, or too many.
        950
    } else if name(wanted) == name(path) {
        700 + whole / 10
    } else {
        whole.min(940)
    })
}

/// The path that is clearly meant: alike, and no other nearly as much; two that differ in a number are two files.
fn meant<'p>(wanted: &str, nearest: &[(u32, &'p RelPath)]) -> Option<&'p RelPath> {
    let &(alike, path) = nearest.first().filter(|(alike, _)| *alike >= SURE)?;
    if nearest.get(1).is_some_and(|(other, _)| other + MARGIN > alike) {
        return None;
    }
    let (here, there) = middles(wanted, path.as_str());
    let has_digit = |text: Option<&str>| text.is_some_and(|text| text.contains(|c: char| c.is_ascii_digit()));
    let differs_in_number = has_digit(wanted.get(here)) || has_digit(path.as_str().get(there));
    (alike >= 950 || !differs_in_number).then_some(path)
}

fn suggestion(change: &Change<'_>, origin: Origin, path: &RelPath, at: Option<Span>) -> Option<Suggestion> {
    let path = path.as_str();
    // What would have to be quoted, or might be read as something else than a path, is for a person to write.
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@".contains(c);
    if !path.chars().all(is_plain) {
        return None;
    }
    let (span, replacement) = match &change.operation {
        Operation::Edit { .. } | Operation::Write { .. } | Operation::Broken => {
            (origin.path?, path.to_owned())
        }
        Operation::Patch(patch) => {
            let names = [patch.new.name(), patch.old.name()];
            let name = names.into_iter().flatten().find(|name| name.line == at)?;
            (name.span?, format!("{}{path}", prefix(name, patch.new.name() == Some(name))?))
        }
    };
    Some(Suggestion { message: "name the file that there is".to_owned(), span, replacement })
}

/// What stands before the path in a name of a diff; `None` where that cannot be told.
fn prefix(name: &PatchName<'_>, is_new: bool) -> Option<&'static str> {
    match (name.span?.len() as usize).checked_sub(name.path.len())? {
        0 => Some(""),
        2 if is_new => Some("b/"),
        2 => Some("a/"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(wanted: &str, paths: &[&str]) -> (Vec<String>, Option<String>) {
        let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::new(path).unwrap()).collect();
        let nearest = nearest(wanted, &paths, &mut Effort::default());
        let meant = meant(wanted, &nearest).map(|path| path.as_str().to_owned());
        (nearest.into_iter().map(|(_, path)| path.as_str().to_owned()).collect(), meant)
    }

    #[test]
    fn the_path_that_is_clearly_meant() {
        let files = ["src/main.rs", "src/lib.rs", "tests/cli.rs", "README.md"];
        let table = [
            ("src/Main.rs", Some("src/main.rs")),
            ("main.rs", Some("src/main.rs")),
            ("project/src/lib.rs", Some("src/lib.rs")),
            ("src/mian.rs", Some("src/main.rs")),
            ("Readme.md", Some("README.md")),
            ("source/other/main.rs", None),
            ("docs/guide.txt", None),
        ];
        for (wanted, want) in table {
            assert_eq!(named(wanted, &files).1.as_deref(), want, "{wanted}");
        }
    }

    #[test]
    fn of_several_paths_none_is_meant() {
        let (paths, meant) = named("mod.rs", &["a/mod.rs", "b/mod.rs", "x.txt"]);
        assert_eq!((paths, meant), (vec!["a/mod.rs".to_owned(), "b/mod.rs".to_owned()], None));
        assert_eq!(named("src/step_one_2.rs", &["src/step_one_1.rs"]).1, None);
    }
}
