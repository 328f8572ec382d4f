//! Recording and replaying of exchanges.

use std::collections::VecDeque;
use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::endpoint::{Endpoint, EndpointError};
use crate::reader::ReadError;

/// One exchange, which is one line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchange {
    /// The body of the request. It contains no key, because keys are sent in a header.
    request: Value,
    /// The body of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<String>,
    /// The error message, if there is no response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Whether another attempt might have succeeded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    again: bool,
}

/// An endpoint that forwards requests to another endpoint and writes each exchange as a line of JSON, for
/// [`ReplayEndpoint`]. Errors of the other endpoint are recorded too. An exchange fails if its line cannot be written.
#[derive(Debug)]
pub struct RecordingEndpoint<E, W> {
    endpoint: E,
    into: W,
}

impl<E: Endpoint, W: Write> RecordingEndpoint<E, W> {
    /// Creates a recorder for the exchanges with `endpoint`, which writes to `into` and flushes each line. Pass it to
    /// [`LanguageModel::new`](crate::LanguageModel::new).
    pub const fn new(endpoint: E, into: W) -> Self {
        Self { endpoint, into }
    }
}

impl<E: Endpoint, W: Write> Endpoint for RecordingEndpoint<E, W> {
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
        let answer = self.endpoint.exchange(body);
        let exchange = Exchange {
            request: serde_json::from_str(body).unwrap_or(Value::Null),
            response: answer.as_ref().ok().cloned(),
            error: answer.as_ref().err().map(|error| error.message.clone()),
            again: answer.as_ref().is_err_and(|error| error.again),
        };
        let written = serde_json::to_string(&exchange)
            .map_err(std::io::Error::other)
            .and_then(|line| writeln!(self.into, "{line}"))
            .and_then(|()| self.into.flush());
        match written {
            Ok(()) => answer,
            Err(error) => Err(EndpointError {
                message: format!("the record cannot be written: {error}"),
                again: false,
            }),
        }
    }

    fn is_down(&self) -> bool {
        self.endpoint.is_down()
    }
}

/// An endpoint that answers from the record of a [`RecordingEndpoint`], without a server. [`new`](Self::new) takes
/// the text of the record. Send the recorded requests in the recorded order. Any other request fails and uses up an
/// exchange, so that later requests fail too. A recorded error is returned again.
#[derive(Clone, Debug)]
pub struct ReplayEndpoint {
    exchanges: VecDeque<Exchange>,
    used: usize,
}

impl ReplayEndpoint {
    /// Parses the lines that a [`RecordingEndpoint`] wrote. Empty lines are skipped, and a record without lines answers
    /// no request.
    ///
    /// # Errors
    /// Fails if a line is not an exchange. The message contains the number of the first such line.
    pub fn new(record: &str) -> Result<Self, ReadError> {
        let lines = record
            .lines()
            .zip(1..)
            .filter(|(line, _)| !line.trim().is_empty());
        let read = |(line, number): (&str, usize)| {
            serde_json::from_str(line)
                .map_err(|error| ReadError::last(format!("line {number} of the record: {error}")))
        };
        Ok(Self {
            exchanges: lines.map(read).collect::<Result<_, _>>()?,
            used: 0,
        })
    }

    /// Returns the number of exchanges in the record that were not used yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.exchanges.len()
    }
}

impl Endpoint for ReplayEndpoint {
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
        let last = |message: String| EndpointError {
            message,
            again: false,
        };
        let Some(exchange) = self.exchanges.pop_front() else {
            return Err(last("the record has no more exchanges".to_owned()));
        };
        self.used += 1;
        if serde_json::from_str::<Value>(body).ok().as_ref() != Some(&exchange.request) {
            return Err(last(format!(
                "request {} differs from the one on record",
                self.used
            )));
        }
        match (exchange.response, exchange.error) {
            (Some(response), _) => Ok(response),
            (None, error) => Err(EndpointError {
                message: error.unwrap_or_else(|| "the record has neither response nor error".to_owned()),
                again: exchange.again,
            }),
        }
    }
}
