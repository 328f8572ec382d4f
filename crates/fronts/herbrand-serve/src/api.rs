//! Answers requests over HTTP.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use herbrand_play::{Library, Reason};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::bounds::Bounds;
use crate::connection::Connection;
use crate::page::{Engine, PageFile, files};
use crate::workers::{ServerReply, WorkerPool};

/// The maximum size of bodies and replies that reserve no memory; the number of connections bounds their total.
const SMALL: usize = 64 << 10;

/// The state that all requests share.
pub(crate) struct Site {
    files: BTreeMap<&'static str, PageFile>,
    pool: Arc<WorkerPool>,
    bounds: Bounds,
    /// The memory for bodies and replies larger than [`SMALL`], in units of that size.
    room: Arc<Semaphore>,
    /// Whether only pages from this machine are allowed.
    is_local: bool,
}

impl Site {
    pub(crate) fn new(bounds: Bounds, library: Library, is_local: bool) -> Self {
        Self {
            files: files(Engine::Server).map(|file| (file.path, file)).collect(),
            pool: Arc::new(WorkerPool::new(&bounds, library)),
            bounds,
            room: Arc::new(Semaphore::new(bounds.room.max(bounds.body_bytes).div_ceil(SMALL))),
            is_local,
        }
    }

    /// Reserves memory for a body or a reply; refuses if none becomes available in time.
    async fn room(&self, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, Box<Response<Full<Bytes>>>> {
        if bytes <= SMALL {
            return Ok(None);
        }
        // A reply larger than the total reserves all of it.
        let all = self.bounds.room.max(self.bounds.body_bytes).div_ceil(SMALL);
        let units = u32::try_from(bytes.div_ceil(SMALL).min(all)).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).acquire_many_owned(units);
        match timeout(self.bounds.patience, room).await {
            Ok(Ok(room)) => Ok(Some(room)),
            _ => Err(Box::new(busy())),
        }
    }
}

/// Answers any HTTP request.
pub(crate) async fn answer(
    site: &Site,
    connection: &Connection,
    request: Request<Incoming>,
) -> Response<Full<Bytes>> {
    connection.begin_request();
    if let Some(message) = stranger(request.headers(), site.is_local) {
        return refused(StatusCode::FORBIDDEN, message);
    }
    let path = request.uri().path().trim_start_matches('/').to_owned();
    match (request.method(), path.as_str()) {
        (&Method::POST, "api") => ask(site, connection, request)
            .await
            .unwrap_or_else(|refusal| *refusal),
        (_, "api") => refused(StatusCode::METHOD_NOT_ALLOWED, "use POST for requests"),
        (&Method::GET | &Method::HEAD, path) => {
            let path = if path.is_empty() { "index.html" } else { path };
            match site.files.get(path) {
                Some(file) => {
                    let text = Bytes::copy_from_slice(file.text.as_bytes());
                    respond(StatusCode::OK, file.kind, text)
                }
                None => refused(StatusCode::NOT_FOUND, "there is no such page"),
            }
        }
        (_, _) => refused(StatusCode::METHOD_NOT_ALLOWED, "use GET for pages"),
    }
}

/// Answers a request to the engine.
async fn ask(
    site: &Site,
    connection: &Connection,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Box<Response<Full<Bytes>>>> {
    let refuse = |code, message: &str| Err(Box::new(refused(code, message)));
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.to_str().unwrap_or_default();
        kind.split(';').next().unwrap_or_default().trim() == "application/json"
    });
    // Browsers send JSON to another site only after a preflight request, which this server never grants.
    if !is_json {
        let message = "requests are of the type application/json";
        return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    }
    let has_interim = request.version() >= Version::HTTP_11;
    let (body, room) = read(site, request.into_body()).await?;
    let reply = tokio::select! {
        reply = site.pool.reply(body) => reply,
        // The connection is closed, so the reply is discarded.
        () = connection.gone(has_interim) => return refuse(StatusCode::REQUEST_TIMEOUT, "the client is gone"),
    };
    drop(room);
    let Some(answer) = reply else {
        return Err(Box::new(busy()));
    };
    connection.hold(site.room(answer.json.len()).await?);
    Ok(send(answer))
}

/// Reads the body of a request. The returned reservation lasts as long as the body is needed.
async fn read(
    site: &Site,
    body: Incoming,
) -> Result<(Bytes, Option<OwnedSemaphorePermit>), Box<Response<Full<Bytes>>>> {
    let most = site.bounds.body_bytes;
    let too_long = || {
        let message = format!("a request has at most {most} bytes");
        Box::new(refused(StatusCode::PAYLOAD_TOO_LARGE, message))
    };
    let hint = body.size_hint();
    if hint.lower() > most as u64 {
        return Err(too_long());
    }
    // A body without a declared length may have any length.
    let longest = hint
        .upper()
        .map_or(most, |upper| usize::try_from(upper).unwrap_or(most));
    let room = site.room(longest.min(most)).await?;
    match timeout(site.bounds.body_time, Limited::new(body, most).collect()).await {
        Ok(Ok(body)) => Ok((body.to_bytes(), room)),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long()),
        Ok(Err(_)) => Err(Box::new(refused(
            StatusCode::BAD_REQUEST,
            "the request ends before its body does",
        ))),
        Err(_) => Err(Box::new(refused(
            StatusCode::REQUEST_TIMEOUT,
            "the request came too slowly",
        ))),
    }
}

fn send(answer: ServerReply) -> Response<Full<Bytes>> {
    let code = match answer.refused {
        None => StatusCode::OK,
        Some(Reason::Request) => StatusCode::BAD_REQUEST,
        Some(Reason::Unknown) => StatusCode::NOT_FOUND,
        Some(Reason::Texts | Reason::Step | Reason::Limit) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    respond(code, "application/json", Bytes::from(answer.json))
}

/// Checks by the headers whether a request may come from one of the server's own pages; returns the reason if not.
///
/// A page from another site cannot set these headers. `Host` is the host name in the page's address, which an attacker may
/// have pointed at this machine. `Origin` is the site of the page.
fn stranger(headers: &HeaderMap, is_local: bool) -> Option<&'static str> {
    let text = |name| {
        let mut values = headers.get_all(name).iter();
        let first = values.next().map(|value| value.to_str().unwrap_or_default());
        // Proxies and servers disagree on which of two values counts, so a repeated header is treated as empty.
        if values.next().is_some() { Some("") } else { first }
    };
    let host = text(header::HOST).unwrap_or_default();
    if is_local && !is_this_machine(host) {
        return Some("this server answers pages of its own machine alone");
    }
    let is_own = text(header::ORIGIN).is_none_or(|origin| {
        let site = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        site.is_some_and(|site| !site.is_empty() && site.eq_ignore_ascii_case(host))
    });
    (!is_own).then_some("this server answers its own page alone, not pages from other sites")
}

/// Returns whether a `Host` header refers to this machine.
fn is_this_machine(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let Some((address, port)) = rest.split_once(']') else {
                return false;
            };
            if address.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            (address, port)
        }
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    let is_loopback = name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    is_whole && (is_loopback || name.eq_ignore_ascii_case("localhost"))
}

fn busy() -> Response<Full<Bytes>> {
    refused(
        StatusCode::SERVICE_UNAVAILABLE,
        "too many others are asking: try again",
    )
}

/// Creates a refusal in the format of the engine.
fn refused(code: StatusCode, message: impl Into<String>) -> Response<Full<Bytes>> {
    let kind = match code {
        StatusCode::NOT_FOUND => Reason::Unknown,
        StatusCode::BAD_REQUEST | StatusCode::METHOD_NOT_ALLOWED | StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            Reason::Request
        }
        _ => Reason::Limit,
    };
    let answer = ServerReply::refused(kind, message);
    respond(code, "application/json", Bytes::from(answer.json))
}

fn respond(code: StatusCode, kind: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = code;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &'static str)]) -> HeaderMap {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        let mut headers = HeaderMap::new();
        pairs.for_each(|(name, value)| {
            headers.append(name, value);
        });
        headers
    }

    #[test]
    fn only_names_of_this_machine_are_local() {
        for (host, expected) in [
            ("localhost:8000", true),
            ("LOCALHOST", true),
            ("127.0.0.1:8000", true),
            ("127.9.9.9", true),
            ("[::1]:8000", true),
            ("[::1]", true),
            ("example.org", false),
            ("localhost.example.org:8000", false),
            ("10.0.0.1:8000", false),
            ("127.0.0.1.example.org", false),
            ("[[[::1]]]", false),
            ("[[::1]]:8000", false),
            ("[::1]x", false),
            ("[::1", false),
            ("[localhost]", false),
            ("[127.0.0.1]", false),
            ("::1", false),
            ("localhost:80:80", false),
            ("localhost:x", false),
            ("", false),
        ] {
            let found = stranger(&headers(&[(header::HOST, host)]), true);
            assert_eq!(found.is_none(), expected, "{host}");
        }
        assert!(stranger(&HeaderMap::new(), true).is_some());
        assert!(stranger(&HeaderMap::new(), false).is_none());
        let two = [(header::HOST, "localhost"), (header::HOST, "localhost")];
        assert!(stranger(&headers(&two), true).is_some());
    }

    #[test]
    fn pages_from_other_sites_are_refused() {
        for (host, origin, expected) in [
            ("localhost:8000", "http://localhost:8000", true),
            ("localhost:8000", "http://LOCALHOST:8000", true),
            ("school.example", "https://school.example", true),
            ("localhost:8000", "http://localhost:9000", false),
            ("localhost:8000", "http://127.0.0.1:8000", false),
            ("localhost:8000", "http://attacker.example", false),
            ("localhost:8000", "http://localhost:80001", false),
            ("school.example", "https://school.example.attacker.example", false),
            ("school.example", "https://attacker.school.example", false),
            ("localhost:8000", "null", false),
            ("localhost:8000", "", false),
            ("localhost:8000", "file://", false),
        ] {
            let found = stranger(&headers(&[(header::HOST, host), (header::ORIGIN, origin)]), false);
            assert_eq!(found.is_none(), expected, "{origin} at {host}");
        }
        assert!(stranger(&headers(&[(header::ORIGIN, "http://")]), false).is_some());
        let own = (header::ORIGIN, "http://localhost");
        for second in ["http://localhost", "http://attacker.example"] {
            let two = [(header::HOST, "localhost"), own.clone(), (header::ORIGIN, second)];
            assert!(stranger(&headers(&two), false).is_some(), "{second}");
        }
    }
}
