//! [`Server`]: from messages to messages.

mod features;
mod synchronise;
mod watch;

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions::{APPLY, QUICK_FIX, SOURCE_APPLY};
use super::client::{self, Client};
use super::message::{ErrorCode, Incoming, Outgoing};
use super::workspace::{Documents, Host};
use watch::Watch;

/// A language server without its streams: it is given messages and gives messages.
///
/// It writes no file; what it knows of files it reads through a [`Host`].
#[derive(Debug)]
pub struct Server<H> {
    host: H,
    stage: Stage,
    client: Client,
    client_process: Option<u32>,
    /// The folders that the client works in.
    folders: Vec<PathBuf>,
    documents: Documents,
    watch: Watch,
    /// Whether a finding may have changed because of something other than its own document.
    stale: bool,
    /// The number of analyses made.
    revisions: u64,
    /// The number of requests made.
    requests: u64,
    /// The requests to apply an edit that are not answered.
    applying: BTreeSet<u64>,
    out: Vec<Outgoing>,
}

/// How far the life of a server has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// `initialize` has not come.
    New,
    /// `initialize` was answered; `initialized` has not come.
    Answered,
    /// It works.
    Working,
    /// `shutdown` was answered.
    ShutDown,
    /// `exit` has come.
    Ended(Ending),
}

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// `exit` came after `shutdown`.
    Orderly,
    /// `exit` came without it.
    Abrupt,
}

/// Why a request has no result.
type Failure = (ErrorCode, String);

impl<H: Host> Server<H> {
    /// A server that waits for `initialize`.
    #[must_use]
    pub fn new(host: H) -> Self {
        Self {
            host,
            stage: Stage::New,
            client: Client::default(),
            client_process: None,
            folders: Vec::new(),
            documents: Documents::default(),
            watch: Watch::default(),
            stale: false,
            revisions: 0,
            requests: 0,
            applying: BTreeSet::new(),
            out: Vec::new(),
        }
    }

    /// Takes the messages that have come so far, in order, and gives what is to be sent.
    ///
    /// A document is looked at once all of them are taken, so that many changes cost no more than one. A request that
    /// is cancelled by a later one of the messages is not carried out.
    pub fn receive(&mut self, messages: impl IntoIterator<Item = Incoming>) -> Vec<Outgoing> {
        let messages: Vec<Incoming> = messages.into_iter().collect();
        let cancelled: HashSet<String> = messages.iter().filter_map(cancelled).collect();
        for message in messages {
            match message {
                _ if self.ending().is_some() => break,
                Incoming::Request { id, .. } if cancelled.contains(&id.to_string()) => {
                    self.out.push(Outgoing::error(&id, ErrorCode::RequestCancelled, "cancelled"));
                }
                Incoming::Request { id, method, params } => {
                    let answer = match self.request(&method, params) {
                        Ok(result) => Outgoing::result(&id, result),
                        Err((code, message)) => Outgoing::error(&id, code, message),
                    };
                    self.out.push(answer);
                }
                Incoming::Notification { method, params } => self.notification(&method, params),
                Incoming::Response { id, outcome } => self.response(&id, outcome),
                Incoming::Malformed { id, code, message } => {
                    self.out.push(Outgoing::error(&id, code, message));
                }
            }
        }
        if self.stage == Stage::Working {
            self.settle();
        }
        std::mem::take(&mut self.out)
    }

    /// How the server ended, once it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        if let Stage::Ended(ending) = self.stage { Some(ending) } else { None }
    }

    /// Whether `shutdown` was answered, so that nothing is left to do.
    #[must_use]
    pub fn is_shut_down(&self) -> bool {
        matches!(self.stage, Stage::ShutDown | Stage::Ended(Ending::Orderly))
    }

    /// The process that the server must not outlive, as `initialize` names it.
    #[must_use]
    pub fn client_process(&self) -> Option<u32> {
        self.client_process
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        match (self.stage, method) {
            (Stage::New, "initialize") => Ok(self.initialize(&params)),
            (Stage::New, _) => {
                Err((ErrorCode::ServerNotInitialized, "`initialize` has to come first".to_owned()))
            }
            (Stage::ShutDown | Stage::Ended(_), _) => {
                Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned()))
            }
            (_, "initialize") => Err((ErrorCode::InvalidRequest, "`initialize` has come already".to_owned())),
            (_, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Value::Null)
            }
            _ => self.feature(method, params),
        }
    }

    fn notification(&mut self, method: &str, params: Value) {
        match (self.stage, method) {
            (Stage::ShutDown, "exit") => self.stage = Stage::Ended(Ending::Orderly),
            (_, "exit") => self.stage = Stage::Ended(Ending::Abrupt),
            (Stage::Answered, "initialized") => self.stage = Stage::Working,
            (Stage::Answered | Stage::Working, _) => {
                // Some clients open documents before they say that they are ready.
                if let Err((_, fault)) = self.synchronise(method, params) {
                    self.log(&format!("{method}: {fault}"));
                }
            }
            (Stage::New | Stage::ShutDown | Stage::Ended(_), _) => {}
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.stage = Stage::Answered;
        self.client = Client::of(params);
        self.folders = client::folders(params);
        let process = params.get("processId").and_then(Value::as_u64);
        self.client_process =
            process.and_then(|process| u32::try_from(process).ok()).filter(|&process| process > 0);
        let mut capabilities = json!({
            "positionEncoding": self.client.encoding.name(),
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "hoverProvider": true,
            "definitionProvider": true,
            "documentSymbolProvider": true,
            "foldingRangeProvider": true,
            "codeActionProvider": {"codeActionKinds": [QUICK_FIX, SOURCE_APPLY]},
            "codeLensProvider": {"resolveProvider": false},
            "executeCommandProvider": {"commands": [APPLY]},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        });
        if let (true, Value::Object(capabilities)) = (self.client.pulls, &mut capabilities) {
            let provider =
                json!({"identifier": "fsrb", "interFileDependencies": true, "workspaceDiagnostics": false});
            capabilities.insert("diagnosticProvider".to_owned(), provider);
        }
        json!({
            "capabilities": capabilities,
            "serverInfo": {"name": "fsrb-lsp", "version": env!("CARGO_PKG_VERSION")},
        })
    }

    /// Takes the answer to a request of the server; only that to apply an edit is waited for.
    fn response(&mut self, id: &Value, outcome: Result<Value, String>) {
        if !id.as_u64().is_some_and(|id| self.applying.remove(&id)) {
            return;
        }
        let refusal = match outcome {
            Ok(result) if result.get("applied") == Some(&Value::Bool(true)) => return,
            Ok(result) => result.get("failureReason").and_then(Value::as_str).map(str::to_owned),
            Err(message) => Some(message),
        };
        let reason = refusal.filter(|reason| !reason.is_empty());
        let reason = reason.unwrap_or_else(|| "it gives no reason".to_owned());
        let message = format!("fsrb: the editor has not applied the edits: {reason}");
        self.out.push(Outgoing::notification("window/showMessage", json!({"type": 1, "message": message})));
    }

    /// Sends a request. Its answer is taken when it comes, and nothing waits for it.
    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.requests += 1;
        self.out.push(Outgoing::request(self.requests, method, params));
        self.requests
    }

    fn log(&mut self, message: &str) {
        self.out.push(Outgoing::notification("window/logMessage", json!({"type": 2, "message": message})));
    }
}

/// The request that a message cancels, as JSON.
fn cancelled(message: &Incoming) -> Option<String> {
    match message {
        Incoming::Notification { method, params } if method == "$/cancelRequest" => {
            params.get("id").map(Value::to_string)
        }
        _ => None,
    }
}

/// The parameters of a method.
fn read<T: DeserializeOwned>(params: Value) -> Result<T, Failure> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}
