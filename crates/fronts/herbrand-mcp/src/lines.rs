//! Messages as lines of JSON. A line that cannot be read is answered with an error, and the next line is read.

use std::io;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, ErrorCode, ErrorData, GetMeta, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, BufReader, Empty, empty,
};
use tokio::sync::mpsc;

use crate::turns::Turns;

/// The greatest length of a line, in bytes.
const LONGEST: usize = 4 << 20;

type Incoming = RxJsonRpcMessage<RoleServer>;
/// An error, and the request that it answers if that is known.
type Fault = (ErrorData, Option<RequestId>);

/// A transport over two streams that answers lines which are no messages.
pub struct Lines<W: AsyncWrite> {
    /// The next lines, or the error of a line that is too long.
    lines: mpsc::Receiver<Result<Vec<u8>, ErrorData>>,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    turns: Turns,
    /// Whether a message has begun the service.
    is_begun: bool,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Lines<W> {
    /// Reads the lines of `read` in a task, until the transport is dropped.
    pub fn new(read: impl AsyncRead + Send + Unpin + 'static, write: W) -> Self {
        let (found, lines) = mpsc::channel(1);
        tokio::spawn(async move {
            let mut read = BufReader::new(read);
            while let Ok(Some(line)) = next(&mut read).await {
                if found.send(line).await.is_err() {
                    return;
                }
            }
        });
        Self {
            lines,
            output: AsyncRwTransport::new(empty(), write),
            turns: Turns::default(),
            is_begun: false,
        }
    }

    /// Gives a call its turn. Ignores notifications before the first request, which is `initialize`, or names the version of
    /// the protocol; other requests are too early.
    fn admitted(&mut self, mut message: Incoming) -> Result<Option<Incoming>, Fault> {
        let JsonRpcMessage::Request(sent) = &mut message else {
            return Ok(Some(message).filter(|_| self.is_begun));
        };
        match &mut sent.request {
            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => return Ok(Some(message)),
            ClientRequest::InitializeRequest(_) => self.is_begun = true,
            request => self.is_begun |= request.get_meta().protocol_version().is_some(),
        }
        if !self.is_begun {
            let advice = "send `initialize` first, with `protocolVersion`, `capabilities` and `clientInfo`";
            return Err((ErrorData::invalid_request(advice, None), Some(sent.id.clone())));
        }
        if let ClientRequest::CallToolRequest(call) = &mut sent.request {
            let arguments = call.params.arguments.as_ref();
            let session = arguments.and_then(|arguments| arguments.get("session")?.as_str()?.parse().ok());
            if let Some(session) = session {
                call.extensions.insert(self.turns.next(session));
            }
        }
        Ok(Some(message))
    }
}

/// Reads a line; `None` at the end of the stream. The rest of a line that is too long is skipped.
async fn next(read: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Result<Vec<u8>, ErrorData>>> {
    let mut line = Vec::new();
    let mut is_long = false;
    loop {
        (&mut *read)
            .take(LONGEST as u64 + 1)
            .read_until(b'\n', &mut line)
            .await?;
        if line.ends_with(b"\n") {
            let error = format!("a message has at most {LONGEST} bytes");
            let error = ErrorData::new(ErrorCode::INVALID_REQUEST, error, None);
            return Ok(Some(if is_long { Err(error) } else { Ok(line) }));
        }
        // A message without a line end is not complete.
        if line.len() <= LONGEST {
            return Ok(None);
        }
        is_long = true;
        line.clear();
    }
}

/// Parses a line; `None` for a notification that is not known, and for an empty line.
fn message(line: &[u8]) -> Result<Option<Incoming>, Fault> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let error = |code, reason: String, id| (ErrorData::new(code, reason, None), id);
    let parse = |reason| error(ErrorCode::PARSE_ERROR, reason, None);
    let text = str::from_utf8(line).map_err(|fault| parse(format!("the message is not UTF-8: {fault}")))?;
    let text = text.trim_start_matches('\u{feff}');
    let fault = match serde_json::from_str(text) {
        Ok(message) => return Ok(Some(message)),
        Err(fault) => fault,
    };
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) => return Err(parse(format!("the message is not JSON: {fault}"))),
    };
    let invalid = |reason: &str, id| Err(error(ErrorCode::INVALID_REQUEST, reason.to_owned(), id));
    match value {
        Value::Object(fields) => match fields.get("id") {
            None if fields.contains_key("method") => Ok(None),
            id => {
                let id = id.and_then(|id| serde_json::from_value(id.clone()).ok());
                invalid("the message is no request of the protocol", id)
            }
        },
        Value::Array(_) => invalid("the protocol has no batches: send each message on its own", None),
        _ => invalid("a message is an object", None),
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.output.send(item)
    }

    async fn receive(&mut self) -> Option<Incoming> {
        loop {
            let line = self.lines.recv().await?;
            let found = line
                .map_err(|error| (error, None))
                .and_then(|line| message(&line))
                .and_then(|found| found.map_or(Ok(None), |message| self.admitted(message)));
            match found {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                // In a task of its own, because this future may be dropped at any time.
                Err((error, id)) => {
                    tokio::spawn(self.output.send(TxJsonRpcMessage::<RoleServer>::error(error, id)));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.lines.close();
        self.output.close().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_messages_have_the_codes_of_the_protocol() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        assert!(matches!(message(ping.as_bytes()), Ok(Some(_))));
        assert!(matches!(
            message(format!("\u{feff}{ping}\r").as_bytes()),
            Ok(Some(_))
        ));
        assert!(matches!(message(b"  \r\n"), Ok(None)));
        assert!(matches!(message(br#"{"jsonrpc":"2.0","method":7}"#), Ok(None)));
        let deep = "[".repeat(100_000);
        let one = Some(RequestId::Number(1));
        let rows: [(&[u8], ErrorCode, Option<RequestId>); 10] = [
            (b"no JSON", ErrorCode::PARSE_ERROR, None),
            (b"\"\xff\xfe\"", ErrorCode::PARSE_ERROR, None),
            (deep.as_bytes(), ErrorCode::PARSE_ERROR, None),
            (&ping.as_bytes()[..20], ErrorCode::PARSE_ERROR, None),
            (b"[]", ErrorCode::INVALID_REQUEST, None),
            (b"1e999", ErrorCode::PARSE_ERROR, None),
            (b"null", ErrorCode::INVALID_REQUEST, None),
            (b"{}", ErrorCode::INVALID_REQUEST, None),
            (
                br#"{"jsonrpc":"2.0","id":1}"#,
                ErrorCode::INVALID_REQUEST,
                one.clone(),
            ),
            (
                br#"{"jsonrpc":"2.0","id":1,"method":7}"#,
                ErrorCode::INVALID_REQUEST,
                one,
            ),
        ];
        for (line, code, id) in rows {
            let shown: String = String::from_utf8_lossy(line).chars().take(60).collect();
            let (error, of) = message(line).err().unwrap_or_else(|| panic!("{shown}"));
            assert_eq!((error.code, of), (code, id), "{shown}");
        }
    }
}
