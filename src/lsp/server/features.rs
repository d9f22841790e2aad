//! The requests about documents.

use serde_json::{Value, json};

use super::synchronise::not_open;
use super::{Failure, Server, read};
use crate::ast::InputKind;
use crate::diagnostic::Diagnostic;
use crate::grammar::parse;
use crate::lsp::actions::{self, APPLY};
use crate::lsp::analysis::{Analysis, Intent};
use crate::lsp::blocks::Block;
use crate::lsp::client::Client;
use crate::lsp::document::Document;
use crate::lsp::encoding::{Position, Range};
use crate::lsp::message::ErrorCode;
use crate::lsp::protocol::{ActionParams, CommandParams, DocumentParams, PositionParams, PullParams, Symbol};
use crate::lsp::workspace::{Host, Overlay};
use crate::lsp::workspace_edit::workspace_edit;
use crate::lsp::{definition, hover, outline};
use crate::source::{Positions, Source, offset};

/// A place in a document, and the block there.
struct At<'s> {
    source: &'s Source<'s>,
    /// The place's byte offset in the document.
    offset: u32,
    block: Block<'s>,
    analysis: &'s Analysis,
    files: Overlay<'s>,
    client: &'s Client,
}

impl<H: Host> Server<H> {
    /// Carries out a request about a document.
    pub(super) fn feature(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        match method {
            "textDocument/diagnostic" => self.pull(&read(params)?),
            "textDocument/hover" => self.hover(&read(params)?),
            "textDocument/definition" => self.definition(&read(params)?),
            "textDocument/documentSymbol" => self.symbols(&read(params)?),
            "textDocument/foldingRange" => self.foldings(&read(params)?),
            "textDocument/codeAction" => self.actions(&read(params)?),
            "textDocument/codeLens" => self.lenses(&read(params)?),
            "workspace/executeCommand" => self.command(&read(params)?),
            _ => Err((ErrorCode::MethodNotFound, format!("there is no method {method:?} here"))),
        }
    }

    /// A document and how it is read; `None` for one that can hold no edit.
    fn input(&self, uri: &str) -> Result<Option<(&Document, InputKind)>, Failure> {
        let document = self.documents.get(uri).ok_or_else(not_open)?;
        Ok(document.kind.map(|kind| (document, kind)))
    }

    /// The same with what is known of it; [`Self::analyse`] has to come first.
    fn analysed(&self, uri: &str) -> Result<Option<(&Document, InputKind, &Analysis)>, Failure> {
        let input = self.input(uri)?;
        Ok(input.and_then(|(document, kind)| Some((document, kind, document.analysis.as_ref()?))))
    }

    /// What there is to tell of the block at a place; `null` where there is none, or no folder.
    fn of_block(
        &mut self,
        params: &PositionParams,
        tell: impl FnOnce(&At<'_>) -> Value,
    ) -> Result<Value, Failure> {
        let uri = &params.text_document.uri;
        self.analyse(uri);
        let Some((document, kind, analysis)) = self.analysed(uri)? else { return Ok(Value::Null) };
        let source = &Source::new(document.text()).unwrap_or_default();
        let offset = byte_offset(document, params.position, self.client.encoding);
        let (Some(block), Some(Ok(files))) = (Block::at(source, kind, offset), self.files(document)) else {
            return Ok(Value::Null);
        };
        Ok(tell(&At { source, offset, block, analysis, files, client: &self.client }))
    }

    fn pull(&mut self, params: &PullParams) -> Result<Value, Failure> {
        self.analyse(&params.text_document.uri);
        let Some((_, _, analysis)) = self.analysed(&params.text_document.uri)? else {
            return Ok(json!({"kind": "full", "items": []}));
        };
        let id = analysis.revision.to_string();
        Ok(if params.previous_result_id.as_deref() == Some(id.as_str()) {
            json!({"kind": "unchanged", "resultId": id})
        } else {
            json!({"kind": "full", "resultId": id, "items": analysis.shown})
        })
    }

    fn hover(&mut self, params: &PositionParams) -> Result<Value, Failure> {
        self.of_block(params, |At { source, block, analysis, files, client, .. }| {
            let positions = Positions::new(source, &[block.span]);
            let place = |offset| client.encoding.position(positions.of(offset));
            let range = Range { start: place(block.span.start), end: place(block.span.end) };
            let kind = if client.markdown { "markdown" } else { "plaintext" };
            let text = hover::text(block, &analysis.diagnostics, files);
            json!({"contents": {"kind": kind, "value": text}, "range": range})
        })
    }

    fn definition(&mut self, params: &PositionParams) -> Result<Value, Failure> {
        self.of_block(params, |At { offset, block, analysis, files, client, .. }| {
            json!(definition::locations(block, *offset, &analysis.diagnostics, files, client.encoding))
        })
    }

    fn symbols(&mut self, params: &DocumentParams) -> Result<Value, Failure> {
        let uri = &params.text_document.uri;
        let Some((document, kind)) = self.input(uri)? else { return Ok(json!([])) };
        let source = Source::new(document.text()).unwrap_or_default();
        let symbols = outline::symbols(&parse(&source, kind), self.client.encoding);
        if self.client.nested_symbols {
            return Ok(json!(symbols));
        }
        let flat = |symbol: &Symbol| {
            let location = json!({"uri": uri, "range": symbol.range});
            json!({"name": symbol.name, "kind": symbol.kind, "location": location})
        };
        Ok(symbols.iter().map(flat).collect())
    }

    fn foldings(&mut self, params: &DocumentParams) -> Result<Value, Failure> {
        let Some((document, kind)) = self.input(&params.text_document.uri)? else { return Ok(json!([])) };
        let source = Source::new(document.text()).unwrap_or_default();
        Ok(json!(outline::foldings(&parse(&source, kind))))
    }

    fn actions(&mut self, params: &ActionParams) -> Result<Value, Failure> {
        let uri = &params.text_document.uri;
        self.analyse(uri);
        let Some((document, kind, analysis)) = self.analysed(uri)? else { return Ok(json!([])) };
        let at = byte_offset(document, params.range.start, self.client.encoding);
        let on_edit = analysis.intent == Intent::Possible && {
            let source = Source::new(document.text()).unwrap_or_default();
            Block::at(&source, kind, at).is_some()
        };
        let only = params.context.only.as_deref();
        self.judge(document, analysis);
        Ok(actions::actions(document, analysis, params.range, only, on_edit, &self.client).into())
    }

    fn lenses(&mut self, params: &DocumentParams) -> Result<Value, Failure> {
        let uri = &params.text_document.uri;
        self.analyse(uri);
        let Some((document, _, analysis)) = self.analysed(uri)? else { return Ok(json!([])) };
        self.judge(document, analysis);
        Ok(actions::lenses(document, analysis).into())
    }

    /// Finds out whether the editor can apply the edits, before that is offered.
    fn judge(&self, document: &Document, analysis: &Analysis) {
        analysis.applicable.get_or_init(|| match (&analysis.plan, self.files(document)) {
            (Some(plan), Some(Ok(files))) => {
                matches!(workspace_edit(plan, &files, &self.client), Ok(Some(_)))
            }
            _ => false,
        });
    }

    fn command(&mut self, params: &CommandParams) -> Result<Value, Failure> {
        if params.command != APPLY {
            return Err((ErrorCode::InvalidParams, format!("there is no command {:?} here", params.command)));
        }
        let argument = params.arguments.first();
        let uri = argument.and_then(|argument| argument.as_str().or_else(|| argument.get("uri")?.as_str()));
        let uri =
            uri.ok_or((ErrorCode::InvalidParams, "the command wants the URI of a document".to_owned()))?;
        self.apply(uri)
    }

    /// Has the editor apply the edits of a document.
    ///
    /// The answer does not wait for the editor, for the editor may wait for the answer. It comes after the edit: Emacs
    /// leaves a message that stands behind an answer for later.
    fn apply(&mut self, uri: &str) -> Result<Value, Failure> {
        // The files as they are now, whatever the editor has told of them.
        self.documents.get_mut(uri).ok_or_else(not_open)?.analysis = None;
        self.analyse(uri);
        let refuse = |message: String| Err((ErrorCode::RequestFailed, format!("not applied: {message}")));
        let Some((document, _, analysis)) = self.analysed(uri)? else {
            return refuse("the document can hold no edit".to_owned());
        };
        let Some(plan) = &analysis.plan else { return refuse(reason(document, analysis)) };
        let files = match self.files(document) {
            Some(Ok(files)) => files,
            Some(Err(fault)) => return refuse(fault.message),
            None => return refuse("it lies in no folder".to_owned()),
        };
        if let Some(obstacle) = files.tree().obstacle() {
            return refuse(obstacle.message);
        }
        match workspace_edit(plan, &files, &self.client) {
            Err(obstacle) => refuse(obstacle.to_string()),
            Ok(None) => refuse("the edits change nothing".to_owned()),
            Ok(Some(edit)) => {
                let label = actions::title(plan.changes().len(), actions::changed(plan));
                let params = json!({"label": label, "edit": edit});
                let id = self.send("workspace/applyEdit", params);
                self.applying.insert(id);
                Ok(Value::Null)
            }
        }
    }
}

/// Why the edits of a document cannot be applied.
fn reason(document: &Document, analysis: &Analysis) -> String {
    let errors: Vec<&Diagnostic> = analysis.diagnostics.iter().filter(|found| found.is_error()).collect();
    let Some(first) = errors.first() else { return "there is no edit".to_owned() };
    let line = first.span.map_or(1, |span| document.index().line(span.start));
    match errors.len() {
        1 => format!("line {line}: {}", first.message),
        count => format!("{count} faults; the first, in line {line}: {}", first.message),
    }
}

fn byte_offset(document: &Document, at: Position, encoding: crate::lsp::encoding::Encoding) -> u32 {
    offset(encoding.offset(document.text(), document.index(), at))
}
