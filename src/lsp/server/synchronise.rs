//! What happens in the editor: documents open, change and close; and what is said of them when that is over.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{Failure, Server, read};
use crate::diagnostic::Diagnostic;
use crate::lsp::analysis::Analysis;
use crate::lsp::client;
use crate::lsp::document::{Change, Document, Opened};
use crate::lsp::message::{ErrorCode, Outgoing};
use crate::lsp::protocol::{self, DocumentId, DocumentParams, WatchedParams};
use crate::lsp::uri;
use crate::lsp::workspace::{Host, Overlay, root_of};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenParams {
    text_document: Opened,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChangeParams {
    text_document: DocumentId,
    content_changes: Vec<Change>,
}

impl<H: Host> Server<H> {
    /// Takes a notification.
    pub(super) fn synchronise(&mut self, method: &str, params: Value) -> Result<(), Failure> {
        match method {
            "textDocument/didOpen" => self.open(read(params)?),
            "textDocument/didChange" => self.change(read(params)?)?,
            "textDocument/didSave" => self.save(&read(params)?),
            "textDocument/didClose" => self.close(&read(params)?),
            "workspace/didChangeWatchedFiles" => {
                let WatchedParams { changes } = read(params)?;
                let paths = changes.iter().filter_map(|change| uri::to_path(&change.uri));
                paths.for_each(|path| self.touch(&path));
            }
            "workspace/didChangeWorkspaceFolders" => self.change_folders(&params),
            _ => {} // nothing that concerns us
        }
        Ok(())
    }

    fn open(&mut self, params: OpenParams) {
        let document = Document::new(params.text_document);
        let path = document.path.clone();
        self.documents.open(document);
        path.iter().for_each(|path| self.touch(path));
    }

    fn change(&mut self, params: ChangeParams) -> Result<(), Failure> {
        let encoding = self.client.encoding;
        let document = self.documents.get_mut(&params.text_document.uri).ok_or_else(not_open)?;
        document.change(params.content_changes, encoding);
        document.version = params.text_document.version.or(document.version);
        let path = document.path.clone();
        path.iter().for_each(|path| self.touch(path));
        Ok(())
    }

    /// Who saves a document wants to know how things are now.
    fn save(&mut self, params: &DocumentParams) {
        let uri = &params.text_document.uri;
        if let Some(document) = self.documents.get_mut(uri) {
            document.analysis = None;
        }
        uri::to_path(uri).iter().for_each(|path| self.touch(path));
    }

    fn close(&mut self, params: &DocumentParams) {
        let Some(document) = self.documents.close(&params.text_document.uri) else { return };
        if document.published.is_some() {
            self.out.push(publication(&document.uri, None, &[]));
        }
        document.path.iter().for_each(|path| self.touch(path));
    }

    fn change_folders(&mut self, params: &Value) {
        let list = |name: &str| {
            let folders = params.get("event").and_then(|event| event.get(name)).and_then(Value::as_array);
            folders.into_iter().flatten().filter_map(client::folder).collect::<Vec<_>>()
        };
        let removed = list("removed");
        self.folders.retain(|folder| !removed.contains(folder));
        for folder in list("added") {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
        self.documents.iter_mut().for_each(|document| document.analysis = None);
        self.stale = true;
    }

    /// Forgets what depends on a file, or on the files below a directory.
    pub(super) fn touch(&mut self, path: &Path) {
        for document in self.documents.iter_mut() {
            let depends = |analysis: &Analysis| analysis.depends.iter().any(|file| file.starts_with(path));
            if document.analysis.as_ref().is_some_and(depends) {
                document.analysis = None;
                self.stale = true;
            }
        }
    }

    /// Says what there is to say once all messages are taken.
    pub(super) fn settle(&mut self) {
        if self.client.pulls {
            if self.stale {
                self.send("workspace/diagnostic/refresh", Value::Null);
            }
        } else {
            let is_input = |document: &&Document| document.kind.is_some();
            let uris: Vec<String> =
                self.documents.iter().filter(is_input).map(|document| document.uri.clone()).collect();
            uris.iter().for_each(|uri| self.announce(uri));
        }
        if self.stale && self.client.renews_lenses {
            self.send("workspace/codeLens/refresh", Value::Null);
        }
        self.stale = false;
        self.renew_watch();
    }

    /// Publishes the findings of a document unless they were.
    fn announce(&mut self, uri: &str) {
        self.analyse(uri);
        let Some(document) = self.documents.get_mut(uri) else { return };
        let Some(analysis) = &document.analysis else { return };
        if document.published.replace(analysis.revision) != Some(analysis.revision) {
            self.out.push(publication(uri, document.version, &analysis.shown));
        }
    }

    /// What is known of a document that may hold edits; found out now unless it is known already.
    pub(super) fn analyse(&mut self, uri: &str) -> Option<&Analysis> {
        let document = self.documents.get(uri)?;
        let kind = document.kind?;
        if document.analysis.is_none() {
            self.revisions += 1;
            let files = self.files(document);
            let analysis = Analysis::new(document, kind, files, &self.client, self.revisions);
            self.documents.get_mut(uri)?.analysis = Some(analysis);
        }
        self.documents.get(uri)?.analysis.as_ref()
    }

    /// The files that a document's edits concern.
    pub(super) fn files(&self, document: &Document) -> Option<Result<Overlay<'_>, Box<Diagnostic>>> {
        let dir = root_of(document, &self.folders)?;
        Some(self.host.open(&dir).map(|tree| Overlay::new(dir, tree, &self.documents)))
    }
}

/// The findings of a document as they are sent.
fn publication(uri: &str, version: Option<i64>, diagnostics: &[protocol::Diagnostic]) -> Outgoing {
    let findings = protocol::Publication { uri, version, diagnostics };
    Outgoing::notification("textDocument/publishDiagnostics", findings)
}

pub(super) fn not_open() -> Failure {
    (ErrorCode::InvalidParams, "the document is not open".to_owned())
}
