//! The files that the editor is asked to watch: those on which an open document depends, and no others.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Server;
use crate::lsp::uri;
use crate::lsp::workspace::Host;

const METHOD: &str = "workspace/didChangeWatchedFiles";

/// What the editor was asked to watch.
#[derive(Debug, Default)]
pub(super) struct Watch {
    paths: Vec<PathBuf>,
    /// The number of the registration, once there is one.
    registration: u64,
}

impl<H: Host> Server<H> {
    /// Has the editor watch what is depended on now, where that is not what it watches.
    pub(super) fn renew_watch(&mut self) {
        if !self.client.watches {
            return;
        }
        // What is not known just now is known again soon: until then its files stay watched.
        if self.documents.iter().any(|document| document.kind.is_some() && document.analysis.is_none()) {
            return;
        }
        let analyses = self.documents.iter().filter_map(|document| document.analysis.as_ref());
        let mut paths: Vec<PathBuf> =
            analyses.flat_map(|analysis| analysis.depends.iter().cloned()).collect();
        paths.sort_unstable();
        paths.dedup();
        if paths == self.watch.paths {
            return;
        }
        if !self.watch.paths.is_empty() {
            let id = format!("fsrb-{}", self.watch.registration);
            self.send(
                "client/unregisterCapability",
                json!({"unregisterations": [{"id": id, "method": METHOD}]}),
            );
        }
        if !paths.is_empty() {
            self.watch.registration += 1;
            let id = format!("fsrb-{}", self.watch.registration);
            let watchers: Vec<Value> =
                paths.iter().map(|path| json!({"globPattern": self.pattern(path)})).collect();
            let registration = json!({"id": id, "method": METHOD, "registerOptions": {"watchers": watchers}});
            self.send("client/registerCapability", json!({"registrations": [registration]}));
        }
        self.watch.paths = paths;
    }

    /// The pattern of one file, below the folder that it lies in where the editor takes that.
    fn pattern(&self, path: &Path) -> Value {
        if self.client.watches_relative {
            let around = self.folders.iter().find(|folder| path.starts_with(folder));
            let base = around.map(PathBuf::as_path).or_else(|| path.parent());
            if let Some((base, rest)) = base.and_then(|base| Some((base, path.strip_prefix(base).ok()?))) {
                return json!({"baseUri": uri::from_path(base), "pattern": literal(rest)});
            }
        }
        Value::String(literal(path))
    }
}

/// A path as a pattern. Nothing escapes what means something in a pattern, so such a character stands for any.
fn literal(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.chars().map(|character| if "*?[]{}!".contains(character) { '?' } else { character }).collect()
}
