//! Chat completions over HTTP.

use std::fmt;
use std::io::Read;
use std::time::Duration;

use ureq::Agent;
use ureq::http::Uri;

use super::endpoint::{Endpoint, EndpointError};
use crate::reader::ReadError;

/// The address of a chat completion server, and the limits of one exchange. [`HttpEndpoint::new`] takes them. By
/// default a local server at port 8080 without a key, two minutes and 4 MiB.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpOptions {
    /// The base URL, such as `https://api.openai.com/v1`. Requests go to `/chat/completions` below it.
    pub url: String,
    /// The API key, sent in a header to this server only. `None` if the server needs no key.
    pub key: Option<String>,
    /// The maximum time from sending a request to the end of the response. Then the exchange fails.
    pub time: Duration,
    /// The maximum size of a response, in bytes. A longer one is an error.
    pub bytes: u64,
}

impl Default for HttpOptions {
    /// Returns a local server without a key, two minutes and 4 MiB.
    fn default() -> Self {
        Self {
            url: "http://127.0.0.1:8080/v1".to_owned(),
            key: None,
            time: Duration::from_secs(120),
            bytes: 4 << 20,
        }
    }
}

impl fmt::Debug for HttpOptions {
    /// Omits the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpOptions")
            .field("url", &self.url)
            .field("key", &self.key.as_ref().map(|_| "…"))
            .field("time", &self.time)
            .field("bytes", &self.bytes)
            .finish()
    }
}

/// An [`Endpoint`] over HTTP: a server with the interface of OpenAI's chat completions. It needs the feature `http`.
/// [`new`](Self::new) makes one from [`HttpOptions`], and fails if these have a key but an address without encryption on
/// another machine. Pass the endpoint to [`LanguageModel::new`](crate::LanguageModel::new). Another attempt after an
/// error is pointless ([`EndpointError::again`]) if the status is none of 2xx, 408, 429 and 5xx.
///
/// The API key is protected as follows. Redirects are not followed. The key is only sent over HTTPS or to the local machine.
/// A response that contains the key is rejected, so the key never gets into records or reports.
#[derive(Debug)]
pub struct HttpEndpoint {
    agent: Agent,
    address: String,
    options: HttpOptions,
    /// Whether the last exchange failed because the server does not answer.
    down: bool,
}

impl HttpEndpoint {
    /// Creates an endpoint for a server. Sends nothing yet. A server that does not answer is noticed at the first
    /// exchange.
    ///
    /// # Errors
    /// Fails if the URL is invalid or contains a user name. Fails if the key would be sent unencrypted to another
    /// machine, is empty, or contains characters that are not allowed in a header.
    pub fn new(options: HttpOptions) -> Result<Self, ReadError> {
        let uri: Uri = options
            .url
            .parse()
            .map_err(|_| ReadError::last("the base address is no URL"))?;
        let host = uri.host().unwrap_or_default();
        let local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        match uri.scheme_str() {
            _ if host.is_empty() => return Err(ReadError::last("the base address has no host")),
            _ if uri
                .authority()
                .is_some_and(|authority| authority.as_str().contains('@')) =>
            {
                return Err(ReadError::last(
                    "the base address names a user: the key belongs into the environment",
                ));
            }
            Some("https") => {}
            Some("http") if local || options.key.is_none() => {}
            Some("http") => {
                return Err(ReadError::last(
                    "the key would be sent in the clear: take an https address",
                ));
            }
            _ => {
                return Err(ReadError::last(
                    "the base address begins with neither http:// nor https://",
                ));
            }
        }
        if options
            .key
            .as_ref()
            .is_some_and(|key| key.is_empty() || !key.chars().all(|c| c.is_ascii_graphic()))
        {
            return Err(ReadError::last(
                "the key is empty, or has characters that no header may have",
            ));
        }
        let agent = Agent::config_builder()
            .timeout_global(Some(options.time))
            .max_redirects(0)
            .http_status_as_error(false)
            .proxy(None)
            .build();
        Ok(Self {
            agent: agent.into(),
            address: format!("{}/chat/completions", options.url.trim_end_matches('/')),
            options,
            down: false,
        })
    }

    fn send(&mut self, body: &str) -> Result<String, EndpointError> {
        let mut request = self
            .agent
            .post(&self.address)
            .header("content-type", "application/json");
        if let Some(key) = &self.options.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let passing = |message: String| EndpointError { message, again: true };
        self.down = true;
        let mut response = request
            .send(body)
            .map_err(|error| passing(format!("no response: {error}")))?;
        let status = response.status();
        self.down = matches!(status.as_u16(), 408 | 429 | 500..=599);
        let mut bytes = Vec::new();
        // Reads one byte beyond the limit, to detect longer responses.
        let limit = self.options.bytes.saturating_add(1);
        let mut reader = response.body_mut().as_reader().take(limit);
        reader
            .read_to_end(&mut bytes)
            .map_err(|error| passing(format!("the response breaks off: {error}")))?;
        if bytes.len() as u64 > self.options.bytes {
            return Err(passing(format!(
                "the response has more than {} bytes",
                self.options.bytes
            )));
        }
        if !status.is_success() {
            return Err(EndpointError {
                message: format!("the server answers with status {status}"),
                again: self.down,
            });
        }
        String::from_utf8(bytes).map_err(|_| passing("the response is no UTF-8".to_owned()))
    }
}

/// Returns whether a text contains the key, either plainly or in JSON escapes, which may be nested.
fn repeats(key: &str, text: &str) -> bool {
    const DEPTH: usize = 6;
    let mut text = text.to_owned();
    for _ in 0..DEPTH {
        if text.contains(key) {
            return true;
        }
        if !text.contains('\\') {
            return false;
        }
        text = unescaped(&text);
    }
    // Text with escapes this deeply nested is treated as hiding the key.
    true
}

/// Resolves one level of escapes.
fn unescaped(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        read.push_str(before);
        let code = after.strip_prefix('u').and_then(|code| code.get(..4));
        let character = code
            .and_then(|code| u32::from_str_radix(code, 16).ok())
            .and_then(char::from_u32);
        rest = match (character, after.chars().next()) {
            (Some(character), _) => {
                read.push(character);
                &after[5..]
            }
            (None, Some(escaped)) => {
                read.push(escaped);
                &after[escaped.len_utf8()..]
            }
            (None, None) => "",
        };
    }
    read.push_str(rest);
    read
}

impl Endpoint for HttpEndpoint {
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
        let answer = self.send(body);
        let Some(key) = &self.options.key else {
            return answer;
        };
        let text = answer
            .as_ref()
            .map_or_else(|error| error.message.as_str(), String::as_str);
        if repeats(key, text) {
            return Err(EndpointError {
                message: "the response repeats the key, and is not read".to_owned(),
                again: true,
            });
        }
        answer
    }

    fn is_down(&self) -> bool {
        self.down
    }
}
