//! Printing an edit as a SEARCH/REPLACE block: the reverse of reading one.

use std::fmt;

use thiserror::Error;

use crate::grammar::lines::{Kind, kind};
use crate::grammar::{marker, patch_file};

/// Writes an edit as a SEARCH/REPLACE block below the path of its file, marker lines in the content escaped.
///
/// Every line of `search` and `replace` ends in `\n`, and `""` is no line at all: `"\n"` is one blank line. The last
/// line may lack its `\n`. An empty `search` creates the file. Read as a patch file, the block gives the same path and
/// the same lines.
///
/// # Errors
///
/// [`PrintError`] for what the format cannot express, and for a block that would do nothing.
///
/// # Examples
///
/// ```
/// let block = code_parser::print_block("notes.md", "Title\n=======\n", "Title\n").unwrap();
/// assert_eq!(block, "notes.md\n<<<<<<< SEARCH\nTitle\n\\=======\n=======\nTitle\n>>>>>>> REPLACE\n");
/// ```
pub fn print_block(path: &str, search: &str, replace: &str) -> Result<String, PrintError> {
    if search.is_empty() && replace.is_empty() {
        return Err(PrintError::Empty);
    }
    if !is_path_line(path) || (search.is_empty() && !patch_file::may_name_new_file(path)) {
        return Err(PrintError::Path);
    }
    let mut block = String::with_capacity(path.len() + search.len() + replace.len() + 64);
    push_line(&mut block, path);
    push_line(&mut block, marker::SEARCH);
    push_section(&mut block, search, Section::Search)?;
    push_line(&mut block, marker::SEPARATOR);
    push_section(&mut block, replace, Section::Replace)?;
    push_line(&mut block, marker::REPLACE);
    Ok(block)
}

/// What a SEARCH/REPLACE block cannot express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrintError {
    /// Both sections are empty.
    #[error("both sections are empty, so that the block would do nothing")]
    Empty,
    /// The path is empty, has a line break or white space at its ends, or would be read as a comment, a fence, a
    /// marker or, of a new file, as prose.
    #[error("the path cannot be written as the line above a block")]
    Path,
    /// A line of content that would be read as another.
    #[error("line {line} of the {section} section {reason}")]
    Line {
        /// Where the line is.
        section: Section,
        /// Its number in the section, from 1.
        line: usize,
        /// Why it cannot be written.
        reason: Unwritable,
    },
}

/// A section of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Section {
    /// The lines to find.
    Search,
    /// The lines to put in their place.
    Replace,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Search => "SEARCH",
            Self::Replace => "REPLACE",
        })
    }
}

/// Why a line of content cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Unwritable {
    /// A backslash before a marker: reading would take it for an escape, and it cannot be escaped itself.
    #[error("is a marker with a backslash before it, which would be read as an escape")]
    Escaped,
    /// A carriage return at its end.
    #[error("ends in a carriage return, which would be read as part of the line ending")]
    CarriageReturn,
}

fn is_path_line(path: &str) -> bool {
    let is_trimmed = !path.is_empty() && path.trim() == path;
    // At the start of a file a byte order mark is no part of the line.
    let is_one_line = !path.contains('\n') && !path.starts_with('\u{feff}');
    let is_path = patch_file::may_be_path(kind(path));
    is_trimmed && is_one_line && is_path
}

fn push_section(block: &mut String, text: &str, section: Section) -> Result<(), PrintError> {
    for (index, line) in text.split_terminator('\n').enumerate() {
        if must_be_escaped(line).map_err(|reason| PrintError::Line { section, line: index + 1, reason })? {
            block.push('\\');
        }
        push_line(block, line);
    }
    Ok(())
}

pub(crate) fn must_be_escaped(line: &str) -> Result<bool, Unwritable> {
    if line.ends_with('\r') {
        return Err(Unwritable::CarriageReturn);
    }
    match kind(line) {
        Kind::Escaped => Err(Unwritable::Escaped),
        Kind::Search | Kind::Separator | Kind::Replace => Ok(true),
        _ => Ok(false),
    }
}

fn push_line(block: &mut String, line: &str) {
    block.push_str(line);
    block.push('\n');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ast::{Node, Text};
    use crate::grammar::lines::{Lines, lex};
    use crate::source::Source;

    /// The path and the sections of the one block of a patch file, each line with `\n`.
    fn read(text: &str) -> (String, String, String) {
        let source = Source::new(text).unwrap();
        let tokens = lex(text);
        let (nodes, diagnostics) = patch_file::document(Lines::new(text, &tokens));
        assert!(
            !diagnostics.iter().any(crate::diagnostic::Diagnostic::is_error),
            "{text:?}: {diagnostics:?}"
        );
        let [Node::SearchReplace(node)] = nodes.as_slice() else { panic!("not one block: {text:?}") };
        let string =
            |text: &Text| text.lines(&source).map(|line| source.slice(line).to_owned() + "\n").collect();
        let path = source.slice(node.path.unwrap().span).to_owned();
        (path, string(&node.search), string(&node.replace))
    }

    #[test]
    fn the_last_line_may_lack_its_line_feed() {
        assert_eq!(print_block("a", "b", "c\nd"), print_block("a", "b\n", "c\nd\n"));
    }

    #[test]
    fn a_blank_line_is_not_no_line() {
        let block = print_block("a", "\n", "").unwrap();
        assert_eq!(block, "a\n<<<<<<< SEARCH\n\n=======\n>>>>>>> REPLACE\n");
        assert_eq!(read(&block), ("a".to_owned(), "\n".to_owned(), String::new()));
    }

    #[test]
    fn a_marker_with_blanks_before_it_is_escaped_at_the_line_s_start() {
        let block = print_block("a", "  =======\n", "").unwrap();
        assert_eq!(block, "a\n<<<<<<< SEARCH\n\\  =======\n=======\n>>>>>>> REPLACE\n");
        assert_eq!(read(&block).1, "  =======\n");
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let line = |line, reason| Err(PrintError::Line { section: Section::Search, line, reason });
        assert_eq!(print_block("a", "x\n\\=======\n", ""), line(2, Unwritable::Escaped));
        assert_eq!(print_block("a", "x\r\n", ""), line(1, Unwritable::CarriageReturn));
        assert_eq!(print_block("a", "", ""), Err(PrintError::Empty));
        let paths = [
            "",
            " a",
            "a\n",
            "a\nb",
            "# a",
            "```a",
            "=======",
            "<<<<<<< HEAD",
            "\u{feff}a",
            "\u{200b}=======",
        ];
        for path in paths {
            assert_eq!(print_block(path, "x", ""), Err(PrintError::Path), "{path:?}");
        }
        assert_eq!(print_block("my new module", "", "x"), Err(PrintError::Path));
        assert!(print_block("my new module", "x", "").is_ok());
    }

    #[test]
    fn errors_say_what_and_where() {
        let error = print_block("a", "", "x\n\\=======\n").unwrap_err();
        let want = "line 2 of the REPLACE section is a marker with a backslash before it, which would be read as an escape";
        assert_eq!(error.to_string(), want);
        let error = print_block("a", "x\r\n", "").unwrap_err();
        let want = "line 1 of the SEARCH section ends in a carriage return, which would be read as part of the line ending";
        assert_eq!(error.to_string(), want);
    }

    /// Lines of markers, near markers, escapes, fences, carriage returns and multi-byte text.
    fn content() -> impl Strategy<Value = String> {
        let token = prop::sample::select(vec![
            "<<<<<<< SEARCH",
            "=======",
            ">>>>>>> REPLACE",
            "\\",
            " ",
            "\t",
            "```",
            "#",
            "\r",
            "é",
            "\u{a0}",
            "\u{feff}",
            "======",
            "<<<<<<<",
            ">",
            "a",
            "a.rs",
            "",
        ]);
        let line = prop::collection::vec(token, 0..4).prop_map(|tokens| tokens.concat() + "\n");
        prop::collection::vec(line, 0..6).prop_map(|lines| lines.concat())
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_as_the_same(path in "[a-z# \\\\./`é\u{feff}=]{1,9}", search in content(), replace in content()) {
            if let Ok(block) = print_block(&path, &search, &replace) {
                prop_assert_eq!(read(&block), (path, search, replace));
            }
        }
    }
}
