//! What the client can do and wants, as it says in `initialize`.

use std::path::PathBuf;

use serde_json::Value;

use super::encoding::Encoding;
use super::uri;

/// What the client can do and wants.
#[derive(Debug, Default)]
pub(super) struct Client {
    /// What columns count.
    pub(super) encoding: Encoding,
    /// It is told of what changes on the disk when it is asked to.
    pub(super) watches: bool,
    /// The names of files to watch may be relative to a folder.
    pub(super) watches_relative: bool,
    /// It asks for diagnostics, and asks again when it is told to.
    pub(super) pulls: bool,
    /// It lets code lenses be renewed.
    pub(super) renews_lenses: bool,
    /// Diagnostics may have places in other documents.
    pub(super) related: bool,
    /// Symbols may have children.
    pub(super) nested_symbols: bool,
    /// Code actions may be more than commands.
    pub(super) actions: bool,
    /// It can apply edits of the workspace.
    pub(super) applies: bool,
    /// They may name versions of documents.
    pub(super) versioned: bool,
    /// They may create files.
    pub(super) creates: bool,
    /// They may rename files.
    pub(super) renames: bool,
    /// They may delete files.
    pub(super) deletes: bool,
    /// CRLF in the edits of a file that is not open makes CRLF in that file.
    pub(super) keeps_crlf: bool,
    /// Hovers may be Markdown.
    pub(super) markdown: bool,
    /// When faults are shown in Markdown files.
    pub(super) replies: Replies,
}

/// When the faults of a Markdown file are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Replies {
    /// When it holds a SEARCH/REPLACE block or a diff: any document may have code blocks and sentences about code.
    #[default]
    Edits,
    /// Whenever it changes a file in any way.
    Always,
    /// Never.
    Never,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(super) fn of(params: &Value) -> Self {
        let text = |name: &str| at(params, &["capabilities", "textDocument", name]);
        let workspace = |name: &str| at(params, &["capabilities", "workspace", name]);
        let edit = workspace("workspaceEdit");
        let operations = edit.and_then(|edit| edit.get("resourceOperations")?.as_array());
        let can = |name: &str| operations.is_some_and(|all| all.iter().any(|operation| operation == name));
        let watching = workspace("didChangeWatchedFiles");
        let refreshes = is_true(workspace("diagnostics"), "refreshSupport");
        Self {
            encoding: encoding(params),
            watches: is_true(watching, "dynamicRegistration"),
            watches_relative: is_true(watching, "relativePatternSupport"),
            pulls: text("diagnostic").is_some() && refreshes,
            renews_lenses: is_true(workspace("codeLens"), "refreshSupport"),
            related: is_true(text("publishDiagnostics"), "relatedInformation"),
            nested_symbols: is_true(text("documentSymbol"), "hierarchicalDocumentSymbolSupport"),
            actions: text("codeAction").and_then(|action| action.get("codeActionLiteralSupport")).is_some(),
            applies: workspace("applyEdit") == Some(&Value::Bool(true)),
            // Whoever takes operations takes them in a list that holds versions too; Neovim says only the one.
            versioned: is_true(edit, "documentChanges") || can("create") || can("rename") || can("delete"),
            creates: can("create"),
            renames: can("rename"),
            deletes: can("delete"),
            // Neovim does without saying so. Emacs, which does not say who it is, makes CR CR LF of it.
            keeps_crlf: is_true(edit, "normalizesLineEndings")
                || at(params, &["clientInfo", "name"]).is_some_and(|name| name == "Neovim"),
            markdown: text("hover")
                .and_then(|hover| hover.get("contentFormat")?.as_array())
                .is_some_and(|formats| formats.iter().any(|format| format == "markdown")),
            replies: match at(params, &["initializationOptions", "markdown"]).and_then(Value::as_str) {
                Some("always") => Replies::Always,
                Some("never") => Replies::Never,
                _ => Replies::Edits,
            },
        }
    }
}

/// The first encoding of the client's list; UTF-16 without a list.
fn encoding(params: &Value) -> Encoding {
    let names = at(params, &["capabilities", "general", "positionEncodings"]).and_then(Value::as_array);
    let mut names = names.into_iter().flatten().filter_map(Value::as_str);
    names.find_map(Encoding::of_name).unwrap_or_default()
}

/// The folders that the client works in.
pub(super) fn folders(params: &Value) -> Vec<PathBuf> {
    let folders = params.get("workspaceFolders").and_then(Value::as_array);
    let folders: Vec<PathBuf> = folders.into_iter().flatten().filter_map(folder).collect();
    if !folders.is_empty() {
        return folders;
    }
    let root = params.get("rootUri").and_then(Value::as_str).and_then(uri::to_path);
    let path = || params.get("rootPath").and_then(Value::as_str).map(PathBuf::from);
    root.or_else(path).filter(|path| path.is_absolute()).into_iter().collect()
}

/// The path of a workspace folder.
pub(super) fn folder(folder: &Value) -> Option<PathBuf> {
    folder.get("uri").and_then(Value::as_str).and_then(uri::to_path)
}

fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| value.get(name)).filter(|value| !value.is_null())
}

fn is_true(value: Option<&Value>, name: &str) -> bool {
    value.and_then(|value| value.get(name)) == Some(&Value::Bool(true))
}
