//! Whether the lines that name the files of a section agree with each other.
//!
//! A `diff --git` section may say up to three times which file is the old one and which the new one: in its first line,
//! in `rename`, `copy` and mode lines, in `---` and `+++`. One of two that differ would be believed in silence.

use std::borrow::Cow;

use crate::ast::{FileName, FilePatch, HeaderKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};

/// What one line says of one side.
struct Claim<'s> {
    line: Span,
    side: Side,
    says: Says<'s>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

#[derive(Debug, PartialEq, Eq)]
enum Says<'s> {
    /// There is no file on this side.
    NoFile,
    /// There is one, whatever its name.
    AFile,
    /// This one.
    Named(Cow<'s, str>),
    /// This one, unless there is none: a `diff --git` line names a file that comes or goes on both sides.
    NamedIfAny(Cow<'s, str>),
}

/// The first line that contradicts an earlier one. A fault tells two names, so that one for every line would need far
/// more memory than the text has.
pub(super) fn conflict(patch: &FilePatch, source: &Source<'_>) -> Option<Diagnostic> {
    patch.git?;
    let mut seen: Vec<Claim<'_>> = Vec::new();
    let mut found = None;
    for claim in claims(patch, source) {
        let mut same_side = seen.iter().filter(|other| other.side == claim.side);
        if let Some(other) = same_side.clone().find(|other| contradict(&other.says, &claim.says)) {
            found = Some(fault(&claim, other));
            break;
        }
        // Of equal claims the first is enough; then there are never more than a few.
        if !same_side.any(|other| other.says == claim.says) {
            seen.push(claim);
        }
    }
    [found, renames_and_copies(patch)].into_iter().flatten().min_by_key(|fault| fault.span)
}

fn fault(claim: &Claim<'_>, other: &Claim<'_>) -> Diagnostic {
    let side = match claim.side {
        Side::Old => "old",
        Side::New => "new",
    };
    let (here, there) = (shown(&claim.says), shown(&other.says));
    let message = format!("the {side} file is {here} here, but {there} in an earlier line of the section");
    let related = format!("the {side} file is {there} here");
    Diagnostic::new(Code::PathConflict, message).at(claim.line).with_related(related, other.line)
}

fn shown(says: &Says<'_>) -> String {
    match says {
        Says::NoFile => "none".to_owned(),
        Says::AFile => "there".to_owned(),
        Says::Named(name) | Says::NamedIfAny(name) => format!("`{name}`"),
    }
}

fn contradict(one: &Says<'_>, other: &Says<'_>) -> bool {
    use Says::{AFile, Named, NamedIfAny, NoFile};
    match (one, other) {
        (NoFile, NoFile | NamedIfAny(_)) | (NamedIfAny(_), NoFile) => false,
        (NoFile, _) | (_, NoFile) => true,
        (AFile, _) | (_, AFile) => false,
        (Named(one) | NamedIfAny(one), Named(other) | NamedIfAny(other)) => one != other,
    }
}

/// What the lines say, in source order. A name that cannot be read says nothing here; it is a fault of its own.
fn claims<'s>(patch: &FilePatch, source: &Source<'s>) -> Vec<Claim<'s>> {
    let mut claims = Vec::new();
    if let Some((old, new)) = patch.git.and_then(|git| git.names) {
        let (old_says, new_says) = (says(patch, old, source), says(patch, new, source));
        let is_one_name_twice = old_says == new_says;
        for (side, name, says) in [(Side::Old, old, old_says), (Side::New, new, new_says)] {
            let says = says.map(|says| match says {
                Says::Named(name) if is_one_name_twice => Says::NamedIfAny(name),
                says => says,
            });
            claims.extend(says.map(|says| Claim { line: name.line, side, says }));
        }
    }
    for header in &patch.headers {
        let quoted = source.slice(header.value).starts_with('"');
        let name = FileName { line: header.span, span: header.value, quoted, timestamp: None };
        let sides = match header.kind {
            HeaderKind::NewFileMode => [(Side::Old, Some(Says::NoFile)), (Side::New, Some(Says::AFile))],
            HeaderKind::DeletedFileMode => [(Side::Old, Some(Says::AFile)), (Side::New, Some(Says::NoFile))],
            HeaderKind::RenameFrom | HeaderKind::CopyFrom => {
                [(Side::Old, says(patch, name, source)), (Side::New, Some(Says::AFile))]
            }
            HeaderKind::RenameTo | HeaderKind::CopyTo => {
                [(Side::Old, Some(Says::AFile)), (Side::New, says(patch, name, source))]
            }
            _ => continue,
        };
        for (side, says) in sides {
            claims.extend(says.map(|says| Claim { line: header.span, side, says }));
        }
    }
    for (side, name) in [(Side::Old, patch.old), (Side::New, patch.new)] {
        let claim =
            name.and_then(|name| Some(Claim { line: name.line, side, says: says(patch, name, source)? }));
        claims.extend(claim);
    }
    claims
}

fn says<'s>(patch: &FilePatch, name: FileName, source: &Source<'s>) -> Option<Says<'s>> {
    match name.is_dev_null(source) {
        true => Some(Says::NoFile),
        false => patch.path_of(name, source).map(Says::Named),
    }
}

/// A section that renames does not copy.
fn renames_and_copies(patch: &FilePatch) -> Option<Diagnostic> {
    let first = |kinds: [HeaderKind; 2]| patch.headers.iter().find(|header| kinds.contains(&header.kind));
    let renames = first([HeaderKind::RenameFrom, HeaderKind::RenameTo])?.span;
    let copies = first([HeaderKind::CopyFrom, HeaderKind::CopyTo])?.span;
    let (earlier, later) = if renames < copies { (renames, copies) } else { (copies, renames) };
    let fault = Diagnostic::new(Code::PathConflict, "the section both renames and copies").at(later);
    Some(fault.with_related("this line says the other", earlier))
}
