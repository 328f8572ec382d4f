//! What the server answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use herbrand_play::{Reason, Refusal, Reply};
use tokio::time::timeout;

use crate::crew::Crew;
use crate::page::{Engine, PageFile, files};
use crate::server::Bounds;

/// What all requests share.
pub(crate) struct Site {
    files: BTreeMap<&'static str, PageFile>,
    crew: Arc<Crew>,
    bounds: Bounds,
    /// Whether only pages of this machine may ask.
    local: bool,
}

impl Site {
    pub(crate) fn new(bounds: Bounds, local: bool) -> Self {
        Self {
            files: files(Engine::Server).map(|file| (file.path, file)).collect(),
            crew: Arc::new(Crew::new(
                bounds.workers,
                bounds.waiting,
                bounds.patience,
                bounds.allowance,
            )),
            bounds,
            local,
        }
    }
}

/// The routes: every request goes through [`answer`].
pub(crate) fn router(site: Site) -> Router {
    Router::new().fallback(answer).with_state(Arc::new(site))
}

async fn answer(State(site): State<Arc<Site>>, request: Request) -> Response {
    if site.local && !is_local(request.headers()) {
        return refused(
            StatusCode::FORBIDDEN,
            "this server answers pages of its own machine alone",
        );
    }
    let path = request.uri().path().trim_start_matches('/').to_owned();
    match (request.method(), path.as_str()) {
        (&Method::POST, "api") => ask(&site, request).await,
        (_, "api") => refused(StatusCode::METHOD_NOT_ALLOWED, "requests are posted"),
        (&Method::GET | &Method::HEAD, path) => {
            let path = if path.is_empty() { "index.html" } else { path };
            match site.files.get(path) {
                Some(file) => {
                    let text = Bytes::copy_from_slice(file.text.as_bytes());
                    respond(StatusCode::OK, file.kind, Body::from(text))
                }
                None => refused(StatusCode::NOT_FOUND, "there is no such page"),
            }
        }
        (_, _) => refused(StatusCode::METHOD_NOT_ALLOWED, "pages are got"),
    }
}

/// Answers a request of the page.
async fn ask(site: &Site, request: Request) -> Response {
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.to_str().unwrap_or_default();
        kind.split(';').next().unwrap_or_default().trim() == "application/json"
    });
    // Browsers ask before they send JSON to another site, and nobody says yes.
    if !is_json {
        return refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "requests are of the type application/json",
        );
    }
    let body = to_bytes(request.into_body(), site.bounds.body_bytes);
    let body = match timeout(site.bounds.body_time, body).await {
        Err(_) => return refused(StatusCode::REQUEST_TIMEOUT, "the request came too slowly"),
        Ok(Err(_)) => {
            let most = site.bounds.body_bytes;
            let message = format!("a request has at most {most} bytes");
            return refused(StatusCode::PAYLOAD_TOO_LARGE, &message);
        }
        Ok(Ok(body)) => body,
    };
    let request = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => return refused(StatusCode::BAD_REQUEST, &format!("this is no request: {error}")),
    };
    match site.crew.reply(request).await {
        Some(reply) => send(status(&reply), &reply),
        None => refused(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many others are asking: try again",
        ),
    }
}

const fn status(reply: &Reply) -> StatusCode {
    match reply {
        Reply::Refused(refusal) => match refusal.kind {
            Reason::Request => StatusCode::BAD_REQUEST,
            Reason::Unknown => StatusCode::NOT_FOUND,
            Reason::Texts | Reason::Step | Reason::Limit => StatusCode::UNPROCESSABLE_ENTITY,
        },
        _ => StatusCode::OK,
    }
}

/// Whether a request names this machine as the one that it is for. A page from elsewhere, whose name somebody has made to mean
/// this machine, does not.
fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(host) = host else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// A refusal, in the form in which the engine refuses.
pub(crate) fn refused(code: StatusCode, message: &str) -> Response {
    let refusal = Refusal {
        kind: match code {
            StatusCode::NOT_FOUND => Reason::Unknown,
            StatusCode::BAD_REQUEST | StatusCode::METHOD_NOT_ALLOWED | StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                Reason::Request
            }
            _ => Reason::Limit,
        },
        message: message.to_owned(),
        findings: Vec::new(),
        step: None,
    };
    send(code, &Reply::Refused(refusal))
}

fn send(code: StatusCode, reply: &Reply) -> Response {
    let text = serde_json::to_vec(reply).unwrap_or_default();
    respond(code, "application/json", Body::from(text))
}

fn respond(code: StatusCode, kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
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
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            assert_eq!(is_local(&headers), expected, "{host}");
        }
        assert!(!is_local(&HeaderMap::new()));
    }
}
