//! Streamable HTTP.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The number of connections at once.
const CONNECTIONS: usize = 256;
/// The time that the head of a request may take.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The time that a connection may last.
const CONNECTION_TIME: Duration = Duration::from_secs(3600);

/// Serves the calls of `server`, and accepts connections until the caller drops the future.
pub async fn serve<S>(server: S, listener: TcpListener) -> io::Result<()>
where
    S: ServerHandler + Clone + Send + Sync + 'static,
{
    // Sessions are named in calls, so the protocol needs none of its own.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .enforce_origin_validation();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return Ok(());
        };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or the client has left already: retries after a pause.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // A reply is not held back until the client confirms the one before.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .max_buf_size(64 << 10)
                .serve_connection(TokioIo::new(stream), service);
            // Errors of clients, such as malformed requests or lost connections, are ignored.
            let _ = timeout(CONNECTION_TIME, served).await;
            drop(place);
        });
    }
}
