//! JSON-RPC: what comes in, whatever it is, and what goes out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message from the client.
#[derive(Debug, Clone)]
pub enum Incoming {
    /// A call that wants one answer.
    Request {
        /// What the answer is known by: a number or a string.
        id: Value,
        /// What to do.
        method: String,
        /// With what.
        params: Value,
    },
    /// A call without an answer.
    Notification {
        /// What has happened.
        method: String,
        /// To what.
        params: Value,
    },
    /// The answer to a request of the server.
    Response {
        /// The request's number.
        id: Value,
        /// What was answered, or the error's message.
        outcome: Result<Value, String>,
    },
    /// What is no message of the protocol.
    Malformed {
        /// Its `id`, if it has one; else `null`.
        id: Value,
        /// What kind of fault it has.
        code: ErrorCode,
        /// Which one.
        message: String,
    },
}

/// Why a request has no result, as JSON-RPC and the protocol number it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// What came is no JSON.
    ParseError = -32700,
    /// It is JSON, but no request that may be made now.
    InvalidRequest = -32600,
    /// There is no such method.
    MethodNotFound = -32601,
    /// The method takes other parameters.
    InvalidParams = -32602,
    /// A request came before `initialize`.
    ServerNotInitialized = -32002,
    /// The client has cancelled the request.
    RequestCancelled = -32800,
    /// The request is right, and yet it cannot be done.
    RequestFailed = -32803,
}

#[derive(Deserialize)]
struct Raw {
    #[serde(default)]
    id: Value,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    result: Option<Value>,
    error: Option<RawError>,
}

#[derive(Deserialize)]
struct RawError {
    #[serde(default)]
    message: String,
}

impl Incoming {
    /// Reads the body of a message.
    #[must_use]
    pub fn parse(body: &[u8]) -> Self {
        let raw: Raw = match serde_json::from_slice(body) {
            Ok(raw) => raw,
            Err(error) => {
                let code = if error.is_data() { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
                return Self::Malformed { id: Value::Null, code, message: error.to_string() };
            }
        };
        let known = matches!(raw.id, Value::String(_) | Value::Number(_));
        match (raw.method, raw.id) {
            (Some(method), id) if known => Self::Request { id, method, params: raw.params },
            (Some(method), Value::Null) => Self::Notification { method, params: raw.params },
            (None, id) if known && (raw.result.is_some() || raw.error.is_some()) => {
                let result = raw.result.unwrap_or_default();
                Self::Response { id, outcome: raw.error.map_or(Ok(result), |error| Err(error.message)) }
            }
            // A result of `null` is no result to serde: it is an answer all the same.
            (None, id) if known => Self::Response { id, outcome: Ok(Value::Null) },
            _ => Self::Malformed {
                id: Value::Null,
                code: ErrorCode::InvalidRequest,
                message: "neither a request, a notification nor a response".to_owned(),
            },
        }
    }

    /// Whether it is the notification that ends the server.
    #[must_use]
    pub fn is_exit(&self) -> bool {
        matches!(self, Self::Notification { method, .. } if method == "exit")
    }
}

/// A message to the client, as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing(String);

#[derive(Serialize)]
struct Frame<'a, T> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(flatten)]
    content: Content<T>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Content<T> {
    Params(T),
    Result(T),
    Error(Failure),
}

#[derive(Serialize)]
struct Failure {
    code: i32,
    message: String,
}

impl Outgoing {
    /// The result of a request.
    #[must_use]
    pub fn result(id: &Value, result: impl Serialize) -> Self {
        Self::frame(Some(id), None, Content::Result(result))
    }

    /// The error of a request; its id is `null` where it could not be read.
    #[must_use]
    pub fn error(id: &Value, code: ErrorCode, message: impl Into<String>) -> Self {
        let failure = Failure { code: code as i32, message: message.into() };
        Self::frame(Some(id), None, Content::<()>::Error(failure))
    }

    /// A call without an answer.
    #[must_use]
    pub fn notification(method: &str, params: impl Serialize) -> Self {
        Self::frame(None, Some(method), Content::Params(params))
    }

    /// A call that the client answers.
    #[must_use]
    pub fn request(id: u64, method: &str, params: impl Serialize) -> Self {
        Self::frame(Some(&Value::from(id)), Some(method), Content::Params(params))
    }

    fn frame(id: Option<&Value>, method: Option<&str>, content: Content<impl Serialize>) -> Self {
        let frame = Frame { jsonrpc: "2.0", id, method, content };
        // Only a map whose keys are no strings could fail, and there is none.
        Self(serde_json::to_string(&frame).unwrap_or_default())
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_kind_of_message_is_told() {
        let parse = |text: &str| Incoming::parse(text.as_bytes());
        assert!(matches!(parse(r#"{"id":1,"method":"shutdown"}"#), Incoming::Request { .. }));
        assert!(matches!(parse(r#"{"id":"a","method":"x","params":null}"#), Incoming::Request { .. }));
        assert!(parse(r#"{"jsonrpc":"2.0","method":"exit"}"#).is_exit());
        let answer = parse(r#"{"id":1,"result":null}"#);
        assert!(matches!(answer, Incoming::Response { outcome: Ok(Value::Null), .. }));
        let answer = parse(r#"{"id":1,"error":{"code":-1,"message":"no"}}"#);
        assert!(matches!(answer, Incoming::Response { outcome: Err(message), .. } if message == "no"));
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        let code = |text: &str| match Incoming::parse(text.as_bytes()) {
            Incoming::Malformed { code, .. } => Some(code),
            _ => None,
        };
        assert_eq!(code("{"), Some(ErrorCode::ParseError));
        assert_eq!(code("\u{fffd}"), Some(ErrorCode::ParseError));
        assert_eq!(code("[]"), Some(ErrorCode::InvalidRequest));
        assert_eq!(code("{}"), Some(ErrorCode::InvalidRequest));
        assert_eq!(code(r#"{"method":7}"#), Some(ErrorCode::InvalidRequest));
        assert_eq!(code(r#"{"id":[],"method":"x"}"#), Some(ErrorCode::InvalidRequest));
        assert_eq!(code(&"[".repeat(100_000)), Some(ErrorCode::ParseError));
    }

    #[test]
    fn what_is_sent_is_json_rpc() {
        let read = |sent: Outgoing| -> Value { serde_json::from_str(sent.as_str()).unwrap() };
        let result = json!({"jsonrpc": "2.0", "id": "a", "result": null});
        assert_eq!(read(Outgoing::result(&json!("a"), ())), result);
        let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no JSON"}});
        assert_eq!(read(Outgoing::error(&Value::Null, ErrorCode::ParseError, "no JSON")), error);
        let call = json!({"jsonrpc": "2.0", "id": 3, "method": "m", "params": [1]});
        assert_eq!(read(Outgoing::request(3, "m", [1])), call);
        let note = json!({"jsonrpc": "2.0", "method": "m", "params": {}});
        assert_eq!(read(Outgoing::notification("m", json!({}))), note);
    }
}
