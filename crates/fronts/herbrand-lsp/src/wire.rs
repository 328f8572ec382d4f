//! The messages of an editor over a pair of streams. A message that cannot be read is answered with an error, and the next
//! one is read.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crossbeam_channel::bounded;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId};
use serde_json::{Map, Value, json};

use crate::server::{ServeError, ServerLimits, serve};

/// The greatest length of the body of a message, in bytes: a text of 8 MiB, with half of its characters escaped.
const LONGEST_BODY: u64 = 16 << 20;
/// The part of a line that is kept, in bytes. Headers are shorter.
const LONGEST_LINE: usize = 4096;
/// The header that tells the length of the body, in lower case.
const LENGTH: &str = "content-length:";

/// Serves one editor until it shuts the server down, or its input ends. Blocks meanwhile.
pub(crate) fn serve_streams(
    input: impl BufRead + Send,
    output: impl Write + Send,
    limits: ServerLimits,
) -> Result<(), ServeError> {
    let (incoming, receiver) = bounded(0);
    let (sender, outgoing) = bounded::<Message>(0);
    let output = &Mutex::new(output);
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut bodies = Bodies::new(input);
            // An editor that has gone needs no answers.
            while let Ok(Some(body)) = bodies.next_body() {
                let read = body.map_err(|error| Refused::new(ErrorCode::ParseError, error.to_string()));
                match read.and_then(|body| message(&body)) {
                    Ok(Some(message)) => {
                        let is_last = matches!(&message, Message::Notification(one) if one.method == "exit");
                        if incoming.send(message).is_err() || is_last {
                            return;
                        }
                    }
                    Ok(None) => {}
                    Err(refused) => {
                        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
                        if refused.write(&mut *output).is_err() {
                            return;
                        }
                    }
                }
            }
        });
        scope.spawn(move || {
            for message in outgoing {
                if message
                    .write(&mut *output.lock().unwrap_or_else(PoisonError::into_inner))
                    .is_err()
                {
                    return;
                }
            }
        });
        serve(&Connection { sender, receiver }, limits)
    })
}

/// The reason why a message cannot be read, with its identifier if it has one.
struct Refused {
    id: Option<RequestId>,
    code: ErrorCode,
    reason: String,
}

impl Refused {
    const fn new(code: ErrorCode, reason: String) -> Self {
        Self {
            id: None,
            code,
            reason,
        }
    }

    /// Writes the answer. `lsp_server::Response` always has an identifier, but here it may be null.
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let error = json!({ "code": self.code as i32, "message": self.reason });
        let text = json!({ "jsonrpc": "2.0", "id": self.id, "error": error }).to_string();
        write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        output.flush()
    }
}

/// The fault of a header, after which the next message has no known start.
#[derive(thiserror::Error, Debug)]
enum HeaderError {
    #[error("a header was expected, such as `Content-Length: 100`")]
    Line,
    #[error("the header has no `Content-Length`")]
    NoLength,
    #[error("the `Content-Length` is not a number of bytes")]
    Malformed,
    #[error("the header has two lengths: {0} and {1}")]
    TwoLengths(u64, u64),
    #[error("a message has at most {LONGEST_BODY} bytes, and this one {0}")]
    TooLong(u64),
}

/// Parses a message; `None` for a response that fits no request.
fn message(body: &[u8]) -> Result<Option<Message>, Refused> {
    let parse = |reason: String| Refused::new(ErrorCode::ParseError, reason);
    let text = str::from_utf8(body).map_err(|error| parse(format!("the message is not UTF-8: {error}")))?;
    let value =
        serde_json::from_str(text).map_err(|error| parse(format!("the message is not JSON: {error}")))?;
    let invalid = |reason: &str| Err(Refused::new(ErrorCode::InvalidRequest, reason.to_owned()));
    match value {
        Value::Object(fields) => object(fields),
        Value::Array(_) => invalid("the protocol has no batches: send each message on its own"),
        _ => invalid("a message is an object"),
    }
}

fn object(mut fields: Map<String, Value>) -> Result<Option<Message>, Refused> {
    let id = fields.remove("id").map(serde_json::from_value::<RequestId>);
    let invalid = |id: Option<RequestId>, reason: &str| Refused {
        id,
        ..Refused::new(ErrorCode::InvalidRequest, reason.to_owned())
    };
    let params = fields.remove("params").unwrap_or_default();
    match (fields.remove("method"), id) {
        (Some(Value::String(method)), Some(Ok(id))) => Ok(Some(Request { id, method, params }.into())),
        (Some(Value::String(method)), None) => Ok(Some(Notification { method, params }.into())),
        (Some(Value::String(_)), Some(Err(_))) => Err(invalid(
            None,
            "the `id` of a request is a string, or an integer of 32 bits",
        )),
        (None, _) if fields.contains_key("result") || fields.contains_key("error") => Ok(None),
        (method, id) => Err(invalid(
            id.and_then(Result::ok),
            match method {
                Some(_) => "the `method` of a message is a string",
                None => "the message has no `method`",
            },
        )),
    }
}

/// The bodies of the messages in a stream. Behind a fault, the next one begins at the next `Content-Length`: JSON has no
/// such line, because its strings have no line ends.
struct Bodies<R> {
    input: R,
    /// The length that the current header tells, or its fault.
    length: Option<Result<u64, HeaderError>>,
    /// Whether the current header has lines.
    has_header: bool,
    /// Whether a fault was reported behind which no message has begun.
    is_lost: bool,
}

impl<R: BufRead> Bodies<R> {
    const fn new(input: R) -> Self {
        Self {
            input,
            length: None,
            has_header: false,
            is_lost: false,
        }
    }

    /// Returns the next body or the fault of its header; `None` at the end of the stream.
    fn next_body(&mut self) -> io::Result<Option<Result<Vec<u8>, HeaderError>>> {
        while let Some(line) = self.line()? {
            let fault = if line.is_empty() {
                let has_header = std::mem::take(&mut self.has_header);
                match self.length.take() {
                    Some(Ok(length)) if length <= LONGEST_BODY => {
                        self.is_lost = false;
                        let mut body = Vec::new();
                        let count = self.input.by_ref().take(length).read_to_end(&mut body)?;
                        return Ok((count as u64 == length).then_some(Ok(body)));
                    }
                    Some(Ok(length)) => Some(HeaderError::TooLong(length)),
                    Some(Err(fault)) => Some(fault),
                    None if has_header => Some(HeaderError::NoLength),
                    None => None,
                }
            } else {
                self.header(&line)
            };
            if let Some(fault) = fault
                && !std::mem::replace(&mut self.is_lost, true)
            {
                return Ok(Some(Err(fault)));
            }
        }
        Ok(None)
    }

    /// Reads a line of a header. Returns its fault if it is none.
    fn header(&mut self, line: &str) -> Option<HeaderError> {
        self.has_header = true;
        let at = line.to_ascii_lowercase().rfind(LENGTH);
        if let Some(at) = at {
            let value = line[at + LENGTH.len()..].trim();
            let length = match value.parse::<u64>() {
                Ok(length) => match self.length.take() {
                    Some(Ok(other)) if other != length => Err(HeaderError::TwoLengths(other, length)),
                    Some(Err(fault)) => Err(fault),
                    _ => Ok(length),
                },
                Err(_) => Err(HeaderError::Malformed),
            };
            self.length = Some(length);
        }
        let name = line.split(':').next().filter(|name| name.len() < line.len());
        let is_name = |name: &str| {
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let is_header = at == Some(0) || (at.is_none() && name.is_some_and(is_name));
        (!is_header).then_some(HeaderError::Line)
    }

    /// Reads a line without its end; the last part of a long one. `None` at the end of the stream.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        loop {
            let room = (2 * LONGEST_LINE - line.len()) as u64;
            if self.input.by_ref().take(room).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            if line.ends_with(b"\n") {
                let text = String::from_utf8_lossy(&line);
                return Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()));
            }
            line.drain(..line.len().saturating_sub(LONGEST_LINE));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::*;

    fn framed(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    /// Talks to a server, with `middle` behind the initialisation and before a request for nothing. Returns the answers
    /// in between, each with its identifier and its error.
    fn answers(middle: &[u8]) -> Vec<(Value, Value)> {
        let bytes = |bodies: &[&str]| bodies.iter().flat_map(|body| framed(body)).collect::<Vec<u8>>();
        let begin = bytes(&[
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
            r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        ]);
        let end = bytes(&[
            r#"{"jsonrpc":"2.0","id":"ping","method":"nothing"}"#,
            r#"{"jsonrpc":"2.0","id":"down","method":"shutdown"}"#,
            r#"{"jsonrpc":"2.0","id":"late","method":"textDocument/hover"}"#,
            r#"{"jsonrpc":"2.0","method":"exit"}"#,
        ]);
        let input = [begin, middle.to_vec(), end].concat();
        let mut output = Vec::new();
        let served = serve_streams(
            BufReader::new(Cursor::new(input)),
            &mut output,
            ServerLimits::default(),
        );
        served.expect("the server was shut down");
        let mut sent = Bodies::new(Cursor::new(output));
        let mut found = Vec::new();
        while let Ok(Some(body)) = sent.next_body() {
            let value: Value = serde_json::from_slice(&body.expect("a message")).expect("JSON");
            found.push((value["id"].clone(), value["error"]["code"].clone()));
        }
        // Errors of messages that cannot be read overtake answers.
        let mut last = |id: Value| {
            let at = found.iter().position(|(of, _)| *of == id).expect("an answer");
            found.remove(at).1
        };
        assert_eq!(last(json!(1)), Value::Null);
        assert_eq!(
            (last(json!("ping")), last(json!("down"))),
            (json!(-32601), Value::Null)
        );
        assert_eq!(last(json!("late")), json!(-32600));
        found
    }

    /// Each row is answered by one error, and the next message is answered as ever.
    #[test]
    fn messages_that_cannot_be_read_are_answered_and_reading_goes_on() {
        let hover = r#"{"jsonrpc":"2.0","id":7,"method":"textDocument/hover"}"#;
        let deep = "[".repeat(100_000);
        let headed = |header: &str| format!("{header}\r\n\r\n{hover}").into_bytes();
        let rows: Vec<(Vec<u8>, Value, i32)> = vec![
            (framed("no JSON"), Value::Null, -32700),
            (framed(""), Value::Null, -32700),
            (framed(&deep), Value::Null, -32700),
            (framed(&hover[..20]), Value::Null, -32700),
            (
                [
                    b"Content-Length: 4\r\n\r\n".to_vec(),
                    vec![b'"', 0xff, 0xfe, b'"'],
                ]
                .concat(),
                Value::Null,
                -32700,
            ),
            (framed("[]"), Value::Null, -32600),
            (framed(&format!("[{hover},{hover}]")), Value::Null, -32600),
            (framed("1"), Value::Null, -32600),
            (framed("{}"), Value::Null, -32600),
            (framed(r#"{"id":7}"#), json!(7), -32600),
            (framed(r#"{"id":7,"method":5}"#), json!(7), -32600),
            (
                framed(r#"{"id":null,"method":"textDocument/hover"}"#),
                Value::Null,
                -32600,
            ),
            (
                framed(r#"{"id":[7],"method":"textDocument/hover"}"#),
                Value::Null,
                -32600,
            ),
            (
                framed(r#"{"id":1e300,"method":"textDocument/hover"}"#),
                Value::Null,
                -32600,
            ),
            (framed(hover), json!(7), -32602),
            (
                framed(r#"{"id":7,"method":"initialize","params":{"capabilities":{}}}"#),
                json!(7),
                -32600,
            ),
            (headed("Content-Length: 99999999999999"), Value::Null, -32700),
            (
                headed("Content-Length: 99999999999999999999999999"),
                Value::Null,
                -32700,
            ),
            (headed("Content-Length: 16777217"), Value::Null, -32700),
            (headed("Content-Length: -1"), Value::Null, -32700),
            (headed("Content-Length: 1e3"), Value::Null, -32700),
            (headed("Content-Length:"), Value::Null, -32700),
            (
                headed("Content-Length: 54\r\nContent-Length: 53"),
                Value::Null,
                -32700,
            ),
            (headed("Content-Type: text/plain"), Value::Null, -32700),
            (headed("no header"), Value::Null, -32700),
            (format!("{hover}\n{hover}\n").into_bytes(), Value::Null, -32700),
            (vec![b'x'; 3 * LONGEST_LINE + 5], Value::Null, -32700),
        ];
        for (middle, id, code) in rows {
            let shown: String = String::from_utf8_lossy(&middle).chars().take(80).collect();
            assert_eq!(answers(&middle), [(id, json!(code))], "{shown}");
        }
    }

    #[test]
    fn headers_are_read_in_any_form() {
        let hover = r#"{"id":7,"method":"textDocument/hover"}"#;
        let length = hover.len();
        for header in [
            format!(
                "content-length:{length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"
            ),
            format!("Content-Length: {length}\r\nContent-Length: {length}\r\n\r\n"),
            format!("\r\n\r\nContent-Length: {length}\n\n"),
        ] {
            let middle = format!("{header}{hover}");
            assert_eq!(
                answers(middle.as_bytes()),
                [(json!(7), json!(-32602))],
                "{header}"
            );
        }
        // An answer to the server, and a notification that is not known, need none.
        let silent = [
            r#"{"id":null,"error":{"code":-32600,"message":""}}"#,
            r#"{"method":"$/x","params":5}"#,
        ];
        assert_eq!(answers(&silent.map(framed).concat()), []);
    }

    #[test]
    fn an_editor_that_leaves_is_told_apart_from_one_that_shuts_down() {
        let request = |id: u32, method: &str| {
            framed(&format!(
                r#"{{"id":{id},"method":"{method}","params":{{"capabilities":{{}}}}}}"#
            ))
        };
        let exit = framed(r#"{"method":"exit"}"#);
        let ends = |parts: &[Vec<u8>]| {
            serve_streams(Cursor::new(parts.concat()), io::sink(), ServerLimits::default()).is_ok()
        };
        assert!(!ends(&[]) && !ends(std::slice::from_ref(&exit)));
        assert!(
            !ends(&[request(1, "shutdown"), exit.clone()]),
            "it was not initialised"
        );
        assert!(!ends(&[request(1, "initialize"), exit.clone()]));
        assert!(!ends(&[
            request(1, "initialize"),
            b"Content-Length: 10\r\n\r\n{".to_vec()
        ]));
        assert!(ends(&[request(1, "initialize"), request(2, "shutdown"), exit]));
    }
}
