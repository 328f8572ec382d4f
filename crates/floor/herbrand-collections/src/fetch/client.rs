//! Requests over HTTP within limits.

use std::io::Read;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::Uri;

use super::error::FetchError;

/// The maximum number of redirects of one request.
const REDIRECTS: usize = 5;

/// A client with limits for all its requests together.
pub struct Client {
    agent: Agent,
    end: Option<Instant>,
    time: Duration,
    /// The bytes and files allowed in all, and the rest of them.
    bytes: u64,
    bytes_left: u64,
    files: usize,
    files_left: usize,
}

impl Client {
    /// Creates a client with these limits. The time runs from now.
    pub fn new(bytes: u64, files: usize, time: Duration) -> Self {
        let config = Agent::config_builder()
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("herbrand/", env!("CARGO_PKG_VERSION")));
        Self {
            agent: config.build().into(),
            end: Instant::now().checked_add(time),
            time,
            bytes,
            bytes_left: bytes,
            files,
            files_left: files,
        }
    }

    /// Returns the content at a URL.
    pub fn get(&mut self, url: &str) -> Result<Vec<u8>, FetchError> {
        self.get_from(url, None)
    }

    /// Returns the content at a URL that another server gave. If that server is not on this machine, the URL may not be.
    pub fn get_from(&mut self, url: &str, origin: Option<&str>) -> Result<Vec<u8>, FetchError> {
        self.take_file(url)?;
        let mut address = url.to_owned();
        let mut origin = origin.map(str::to_owned);
        for _ in 0..=REDIRECTS {
            self.check(&address, origin.as_deref())?;
            match self.request(&address)? {
                Response::Content(bytes) => return Ok(bytes),
                Response::Redirect(target) => {
                    let next = absolute(&address, &target)?;
                    origin = Some(std::mem::replace(&mut address, next));
                }
            }
        }
        Err(FetchError::Limit {
            url: url.to_owned(),
            limit: format!("{REDIRECTS} redirects"),
        })
    }

    /// Counts a file or an entry of an archive.
    pub fn take_file(&mut self, url: &str) -> Result<(), FetchError> {
        match self.files_left.checked_sub(1) {
            Some(left) => self.files_left = left,
            None => {
                return Err(FetchError::Limit {
                    url: url.to_owned(),
                    limit: format!("{} files", self.files),
                });
            }
        }
        Ok(())
    }

    /// Reads to the end, within the bytes and the time that are left. `what` is the URL in errors.
    pub fn read(&mut self, url: &str, reader: impl Read) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        // Reads one byte beyond the limit, to detect longer content.
        let mut reader = reader.take(self.bytes_left.saturating_add(1));
        let mut chunk = vec![0; 1 << 16];
        loop {
            if self.end.is_some_and(|end| Instant::now() >= end) {
                return Err(self.late(url));
            }
            match reader.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => bytes.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(FetchError::Server {
                        url: url.to_owned(),
                        message: format!("the content breaks off: {error}"),
                    });
                }
            }
        }
        match self.bytes_left.checked_sub(bytes.len() as u64) {
            Some(left) => self.bytes_left = left,
            None => {
                return Err(FetchError::Limit {
                    url: url.to_owned(),
                    limit: format!("{} bytes", self.bytes),
                });
            }
        }
        Ok(bytes)
    }

    fn late(&self, url: &str) -> FetchError {
        FetchError::Limit {
            url: url.to_owned(),
            limit: format!("{} seconds", self.time.as_secs_f64()),
        }
    }

    /// Checks that a URL may be fetched, if a server at `origin` gave it.
    fn check(&self, url: &str, origin: Option<&str>) -> Result<(), FetchError> {
        let refused = |reason| FetchError::Url {
            source_text: url.to_owned(),
            reason,
        };
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Err(refused("it begins with neither http:// nor https://"));
        }
        let uri: Uri = url.parse().map_err(|_| refused("it is no URL"))?;
        if uri
            .authority()
            .is_none_or(|authority| authority.as_str().contains('@'))
        {
            return Err(refused("it names a user"));
        }
        let Some(origin) = origin.and_then(|origin| origin.parse::<Uri>().ok()) else {
            return Ok(());
        };
        if is_local(&uri) && !is_local(&origin) {
            return Err(refused("another machine's server points to this machine"));
        }
        if origin.scheme_str() == Some("https") && uri.scheme_str() == Some("http") {
            return Err(refused("a server reached by https points to http"));
        }
        Ok(())
    }

    fn request(&mut self, url: &str) -> Result<Response, FetchError> {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Err(self.late(url));
        }
        let request = self.agent.get(url).config().timeout_global(left).build();
        let mut response = match request.call() {
            Ok(response) => response,
            Err(ureq::Error::Timeout(_)) => return Err(self.late(url)),
            Err(error) => {
                return Err(FetchError::Server {
                    url: url.to_owned(),
                    message: error.to_string(),
                });
            }
        };
        let status = response.status();
        if status.is_redirection() {
            let target = response.headers().get("location");
            let target = target.and_then(|target| target.to_str().ok());
            let target = target.ok_or_else(|| FetchError::Server {
                url: url.to_owned(),
                message: format!("status {status} without a target"),
            })?;
            return Ok(Response::Redirect(target.to_owned()));
        }
        if !status.is_success() {
            return Err(FetchError::Server {
                url: url.to_owned(),
                message: format!("the server answers with status {status}"),
            });
        }
        Ok(Response::Content(
            self.read(url, response.body_mut().as_reader())?,
        ))
    }
}

enum Response {
    Content(Vec<u8>),
    Redirect(String),
}

/// Whether a URL names this machine, or an address of a private network. Numbers that are no usual address count as one,
/// since resolvers read some of them.
fn is_local(uri: &Uri) -> bool {
    use std::net::IpAddr;
    let host = uri.host().unwrap_or_default();
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
        }
        Ok(IpAddr::V6(address)) => {
            address.is_loopback() || address.is_unique_local() || address.is_unspecified()
        }
        Err(_) => {
            let last = host.rsplit('.').next().unwrap_or_default();
            last.eq_ignore_ascii_case("localhost") || last.starts_with(|c: char| c.is_ascii_digit())
        }
    }
}

/// Returns the target of a redirect as a whole URL.
fn absolute(url: &str, target: &str) -> Result<String, FetchError> {
    if target.contains("://") {
        return Ok(target.to_owned());
    }
    let base: Option<Uri> = url.parse().ok();
    let base = base
        .as_ref()
        .and_then(|base| Some((base.scheme_str()?, base.authority()?)));
    match (base, target.starts_with('/') && !target.starts_with("//")) {
        (Some((scheme, authority)), true) => Ok(format!("{scheme}://{authority}{target}")),
        _ => Err(FetchError::Url {
            source_text: target.to_owned(),
            reason: "a redirect needs a whole address or a path from the root",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_elsewhere_points_neither_here_nor_out_of_https() {
        let client = Client::new(1, 1, Duration::from_secs(1));
        let refused = |url: &str, origin: &str| client.check(url, Some(origin)).is_err();
        for host in [
            "localhost",
            "x.localhost",
            "127.0.0.1:80",
            "127.1",
            "2130706433",
            "0x7f000001",
            "10.0.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "[::1]",
            "[fd00::1]",
        ] {
            let url = format!("https://{host}/x");
            assert!(refused(&url, "https://example.org/"), "{host}");
            assert!(!refused(&url, "https://127.0.0.1:8080/"), "{host}");
            assert!(client.check(&url, None).is_ok(), "{host}");
        }
        assert!(refused("http://example.net/", "https://example.org/"));
        assert!(!refused("https://example.net/", "http://example.org/"));
        assert!(!refused("http://93.184.216.34/", "http://example.org/"));
    }

    #[test]
    fn a_redirect_is_a_whole_address_or_a_path() {
        let from = |target| absolute("http://a.b:8/c/d?e", target).ok();
        assert_eq!(from("/x?y").as_deref(), Some("http://a.b:8/x?y"));
        assert_eq!(from("https://z/").as_deref(), Some("https://z/"));
        assert_eq!((from("x"), from("//z/")), (None, None));
    }
}
