//! The server: accepts connections and limits their number.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use herbrand_play::Library;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use crate::api::{Site, answer};
use crate::bounds::Bounds;
use crate::connection::{Connection, Transport};
use crate::workers::places;

/// The web server, bound to an address. [`run`](Self::run) serves requests. Requests about problems are answered as by
/// a [`Playground`](herbrand_play::Playground). [`bind`](Self::bind) creates it.
#[derive(Debug)]
pub struct PlayServer {
    listener: TcpListener,
    bounds: Bounds,
    library: Library,
    stop: Arc<Notify>,
}

impl PlayServer {
    /// Creates a server that listens at an address; port 0 selects a free port, which [`address`](Self::address)
    /// returns. Connections are accepted from now on, but wait until [`run`](Self::run) is called. At a loopback
    /// address, requests whose `Host` header does not name this machine are refused.
    ///
    /// # Errors
    /// Fails if the address cannot be bound.
    pub fn bind(address: SocketAddr, bounds: Bounds) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            listener,
            bounds,
            library: Library::default(),
            stop: Arc::default(),
        })
    }

    /// Sets the domains that the page lists beside the bundled ones, and returns the server.
    #[must_use]
    pub fn with_library(mut self, library: Library) -> Self {
        self.library = library;
        self
    }

    /// Returns the address that the server is bound to. Call it before [`run`](Self::run), which consumes the server.
    ///
    /// # Errors
    /// Fails if the operating system does not provide it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Returns a function that makes [`run`](Self::run) return. Keep it for another thread, because `run` consumes the
    /// server. It may be called from any thread and before `run`, which then returns at once.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + use<> {
        let stop = Arc::clone(&self.stop);
        move || stop.notify_one()
    }

    /// Serves requests, until the function of [`stopper`](Self::stopper) is called. Blocks meanwhile. Requests still being
    /// computed then get no reply. `GET /` serves the page; `POST /api` takes a [`Request`](herbrand_play::Request) as
    /// JSON, with the content type `application/json`, and sends the [`Reply`](herbrand_play::Reply).
    ///
    /// # Errors
    /// Fails if the threads cannot be started. Faults of clients, such as malformed requests or lost connections, do
    /// not end it.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(places(self.bounds.workers.max(1)).1)
            .thread_name("herbrand-serve")
            .enable_all()
            .build()?;
        let served = runtime.block_on(self.serve());
        // Requests that are still being computed get no reply.
        runtime.shutdown_background();
        served
    }

    async fn serve(self) -> io::Result<()> {
        let local = self.address()?.ip().is_loopback();
        let site = Arc::new(Site::new(self.bounds, self.library, local));
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let connections = Arc::new(Semaphore::new(self.bounds.connections));
        let turned_away = Arc::new(Semaphore::new(self.bounds.connections));
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = self.stop.notified() => return Ok(()),
            };
            let Ok((stream, _)) = accepted else {
                // Too many open files, or the client has left already: retries after a pause.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            if let Ok(place) = Arc::clone(&connections).try_acquire_owned() {
                let (site, bounds) = (Arc::clone(&site), self.bounds);
                tokio::spawn(async move {
                    serve_connection(stream, site, bounds).await;
                    drop(place);
                });
            } else if let Ok(place) = Arc::clone(&turned_away).try_acquire_owned() {
                tokio::spawn(async move {
                    turn_away(stream).await;
                    drop(place);
                });
            }
        }
    }
}

/// Answers the requests of a connection.
async fn serve_connection(stream: TcpStream, site: Arc<Site>, bounds: Bounds) {
    let connection = Arc::new(Connection::new(stream));
    let transport = Transport::new(Arc::clone(&connection), bounds.head_time);
    let service = service_fn(move |request| {
        let (site, connection) = (Arc::clone(&site), Arc::clone(&connection));
        async move { Ok::<_, Infallible>(answer(&site, &connection, request).await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.head_time)
        .max_buf_size(64 << 10)
        // A client that has sent its request may close its side and wait for the reply.
        .half_close(true)
        .serve_connection(TokioIo::new(transport), service);
    // Errors of clients, such as malformed requests or lost connections, are ignored.
    let _ = timeout(bounds.connection_time, served).await;
}

/// Replies that there are too many connections.
async fn turn_away(mut stream: TcpStream) {
    const BODY: &str =
        r#"{"is":"refused","kind":"limit","message":"too many others are connected: try again"}"#;
    let head = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        BODY.len()
    );
    let write = async {
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(BODY.as_bytes()).await?;
        stream.shutdown().await?;
        // Reads the remaining input, because closing with unread input may discard the reply.
        let mut sent = [0; 1024];
        while stream.read(&mut sent).await? > 0 {}
        io::Result::Ok(())
    };
    let _ = timeout(Duration::from_secs(1), write).await;
}
