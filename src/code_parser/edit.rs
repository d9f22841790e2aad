//! An edit of a text in memory.

use std::sync::Arc;

use super::parse::section;
use super::{CodeParser, CodeParserError, EditInstruction, Result};
use crate::edit::file_text::{Count, FileText, MatchError, Tolerance};

impl CodeParser {
    /// What an edit makes of a text. The old text has to occur exactly once; when it does not occur as it is, spaces
    /// and tabs at the ends of lines are ignored. Line endings are kept.
    ///
    /// An empty old text appends the new one, after a line ending.
    ///
    /// # Errors
    ///
    /// [`CodeParserError::SearchNotFound`], [`CodeParserError::AmbiguousEdit`]; [`CodeParserError::EmptyEdit`] for an
    /// edit without any text.
    pub fn apply_edit(content: &str, edit: &EditInstruction) -> Result<String> {
        let mut text = FileText::new(content.as_bytes().to_vec());
        let not_found = || CodeParserError::SearchNotFound { file: edit.file.clone() };
        match (section(&edit.old), section(&edit.new)) {
            (None, None) => return Err(CodeParserError::EmptyEdit { file: edit.file.clone() }),
            (None, Some(new)) => text.append(&new),
            (Some(old), new) => match text.replace(&old, new.as_deref(), Tolerance::TrailingBlanks) {
                Ok(_) => {}
                Err(MatchError::Ambiguous { count, .. }) => {
                    let (Count::Exactly(count) | Count::AtLeast(count)) = count;
                    return Err(CodeParserError::AmbiguousEdit { file: edit.file.clone(), count });
                }
                Err(_) => return Err(not_found()),
            },
        }
        let bytes = Arc::unwrap_or_clone(text.finish().share());
        String::from_utf8(bytes).map_err(|_| not_found())
    }
}
