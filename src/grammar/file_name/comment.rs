//! A path in a comment.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::{IResult, Parser};

use super::line::{Piece, after_label, path_line};
use super::shape::{Evidence, is_path};
use crate::grammar::input::{LineInput, Located, Mismatch};
use crate::source::Span;

/// The path in a comment with a key, such as `# file: x.py` or `<!-- filename: x.html -->`.
///
/// ```ebnf
/// keyed_comment = comment_start , key , ":" , path , [ comment_end ] ;
/// ```
pub(crate) fn keyed_comment(line: LineInput<'_>) -> Option<Span> {
    let value = after_label(comment_text(line)?)?.trim();
    is_path(value.text, Evidence::Label).then_some(value.span())
}

/// The path in a comment, with or without a key.
///
/// ```ebnf
/// path_comment = comment_start , [ key , ":" ] , path , [ comment_end ] ;
/// ```
pub(crate) fn path_comment(line: LineInput<'_>) -> Option<Span> {
    path_line(comment_text(line)?, Evidence::Edit)
}

/// What a line holds that is nothing but a comment.
fn comment_text(line: LineInput<'_>) -> Option<Piece<'_>> {
    // One look tells most lines.
    if !line.fragment().trim_start_matches([' ', '\t']).starts_with(['<', '{', '/', '-', '#', ';', '%']) {
        return None;
    }
    let (rest, ()) = comment_start(line).ok()?;
    if rest.fragment().starts_with('-') {
        // The header of a diff, or a rule.
        return None;
    }
    let text = Piece::new(rest.fragment(), rest.offset()).trim();
    Some(comment_end(text).trim())
}

/// ```ebnf
/// comment_start = blanks , ( "<!--" | "{/*" | "{#" | "/*" | "//" | "--" | "#" | ";" | "%" ) ;
/// ```
fn comment_start(line: LineInput<'_>) -> IResult<LineInput<'_>, (), Mismatch> {
    let (rest, _) = take_while(|c| c == ' ' || c == '\t').parse(line)?;
    let starts =
        (tag("<!--"), tag("{/*"), tag("{#"), tag("/*"), tag("//"), tag("--"), tag("#"), tag(";"), tag("%"));
    let (rest, _) = alt(starts).parse(rest)?;
    Ok((rest, ()))
}

/// The text without what closes a comment.
///
/// ```ebnf
/// comment_end = "-->" | "*/}" | "#}" | "*/" ;
/// ```
fn comment_end(text: Piece<'_>) -> Piece<'_> {
    let end = ["-->", "*/}", "#}", "*/"].into_iter().find(|end| text.text.ends_with(end));
    end.map_or(text, |end| text.head(text.text.len() - end.len()))
}
