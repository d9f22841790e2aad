//! Messages on a stream of bytes: header lines, a blank line, and as many bytes as `Content-Length` says.
//!
//! A client that counts wrong must not end the server. Where the next message begins is found again by the name of that
//! header, wherever on a line it stands: the rest of a body that was cut short stands directly before it.

use std::io::{self, BufRead, Read, Write};

use super::message::{ErrorCode, Incoming, Outgoing};
use serde_json::Value;

/// The header that says how many bytes the body has.
const LENGTH: &[u8] = b"content-length:";
/// A message of more bytes is passed over.
const LARGEST: u64 = 1 << 30;
/// So much of a header line is kept: what counts stands at its end.
const KEPT: usize = 4096;

/// Reads the next message; `None` at the end of the stream.
///
/// # Errors
///
/// Those of the stream. A message that cannot be read is [`Incoming::Malformed`] and no error.
pub fn read(stream: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = read_header(stream)? else { return Ok(None) };
    match length {
        Ok(length) if length <= LARGEST => {
            let mut body = Vec::new();
            stream.by_ref().take(length).read_to_end(&mut body)?;
            // Of a message that was cut short by the end nothing is done.
            Ok(if body.len() as u64 == length { Some(Incoming::parse(&body)) } else { None })
        }
        Ok(length) => {
            io::copy(&mut stream.by_ref().take(length), &mut io::sink())?;
            Ok(Some(malformed(format!("a message of {length} bytes is too large"))))
        }
        Err(fault) => Ok(Some(malformed(fault.to_owned()))),
    }
}

/// Writes a message.
///
/// # Errors
///
/// Those of the stream.
pub fn write(stream: &mut impl Write, message: &Outgoing) -> io::Result<()> {
    let body = message.as_str();
    write!(stream, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    stream.flush()
}

fn malformed(message: String) -> Incoming {
    Incoming::Malformed { id: Value::Null, code: ErrorCode::ParseError, message }
}

/// The length that the header lines give, up to the blank one; `None` at the end of the stream.
fn read_header(stream: &mut impl BufRead) -> io::Result<Option<Result<u64, &'static str>>> {
    let mut length = Err("a header without Content-Length");
    let mut seen = false;
    loop {
        let line = read_line(stream)?;
        let Some(content) = line.strip_suffix(b"\n") else { return Ok(None) };
        let content = content.trim_ascii();
        if content.is_empty() {
            // Blank lines before a header say nothing.
            if seen {
                return Ok(Some(length));
            }
            continue;
        }
        seen = true;
        if let Some(value) = length_value(content) {
            let number = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
            length = number.ok_or("a Content-Length that is no number");
        }
    }
}

/// What follows the last `Content-Length:` of a line.
fn length_value(line: &[u8]) -> Option<&[u8]> {
    let at = line.windows(LENGTH.len()).rposition(|name| name.eq_ignore_ascii_case(LENGTH))?;
    line.get(at + LENGTH.len()..).map(<[u8]>::trim_ascii)
}

/// A line with its LF, without which it is the last one; of a long line only the end.
fn read_line(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let read = stream.by_ref().take(KEPT as u64).read_until(b'\n', &mut line)?;
        if read == 0 || line.ends_with(b"\n") {
            return Ok(line);
        }
        line.drain(..line.len().saturating_sub(KEPT));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn methods(stream: &[u8]) -> Vec<String> {
        let mut stream = Cursor::new(stream);
        let mut methods = Vec::new();
        while let Some(message) = read(&mut stream).unwrap() {
            methods.push(match message {
                Incoming::Notification { method, .. } => method,
                Incoming::Malformed { .. } => "?".to_owned(),
                _ => "!".to_owned(),
            });
        }
        methods
    }

    fn framed(body: &str, length: usize) -> String {
        format!("Content-Length: {length}\r\n\r\n{body}")
    }

    #[test]
    fn messages_follow_each_other() {
        let body = r#"{"method":"ü"}"#;
        let stream = framed(body, body.len()) + "Content-Type: x\r\ncontent-length:15\r\n\r\n" + body;
        assert_eq!(methods(stream.as_bytes()), ["\u{fc}", "\u{fc}"]);
        let mut written = Vec::new();
        write(&mut written, &Outgoing::notification("a", ())).unwrap();
        assert_eq!(methods(&written), ["a"]);
    }

    #[test]
    fn a_wrong_length_costs_no_later_message() {
        let body = r#"{"method":"a"}"#;
        let good = framed(r#"{"method":"b"}"#, 14);
        for short in [0, 1, 7, 13] {
            let found = methods((framed(body, short) + &good + &good).as_bytes());
            assert_eq!(found, ["?", "b", "b"], "{short}");
        }
        // One that is too long takes of the next message.
        for long in [15, 30, 37] {
            let found = methods((framed(body, long) + &good + &good).as_bytes());
            assert_eq!(found.last().unwrap(), "b", "{long}: {found:?}");
            assert_eq!(found.first().unwrap(), "?", "{long}: {found:?}");
        }
    }

    #[test]
    fn rubbish_is_told_and_passed_over() {
        let good = framed(r#"{"method":"b"}"#, 14);
        let long = "x".repeat(100_000);
        for rubbish in
            ["hello\r\n\r\n", "Content-Length: x\r\n\r\n", "A: b\r\n\r\n", "Content-Length: -1\n\n"]
        {
            assert_eq!(methods((rubbish.to_owned() + &good).as_bytes()), ["?", "b"], "{rubbish:?}");
        }
        assert_eq!(methods((long + &good).as_bytes()), ["b"]);
        assert_eq!(methods(b"Content-Length: 99999999999999999999\r\n\r\n"), ["?"]);
        assert_eq!(methods(b"Content-Length: 18446744073709551615\r\n\r\nabc"), ["?"]);
        assert_eq!(methods(b"Content-Length: 10\r\n\r\nabc"), [""; 0]);
        assert_eq!(methods(b"\r\n\r\n"), [""; 0]);
    }
}
