//! Client connections: detects clients that have left, and tracks the memory that replies reserve.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};

/// The intervals between checks whether a client has left: initially, and later.
const SOON: Duration = Duration::from_millis(5);
const LATER: Duration = Duration::from_millis(250);

/// An interim response, which clients ignore. A client that has left answers it with a reset.
const PROBE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// A connection, shared by the transport and by its requests.
pub(crate) struct Connection {
    stream: TcpStream,
    requests: AtomicUsize,
    /// The memory reserved for the last reply until it is written.
    room: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            requests: AtomicUsize::new(0),
            room: Mutex::default(),
        }
    }

    /// Records the start of a request, which implies that the previous reply has been written.
    pub(crate) fn begin_request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.hold(None);
    }

    /// Reserves memory for a reply until the next request, or until the connection is closed.
    pub(crate) fn hold(&self, room: Option<OwnedSemaphorePermit>) {
        *self.room.lock().unwrap_or_else(PoisonError::into_inner) = room;
    }

    /// Returns when the client has left. Must be called before any of the reply is written.
    ///
    /// A client that has closed its side of the connection may still wait for the reply, or may have left. The two cases can
    /// only be distinguished by sending something. Therefore this sends an interim response if the client's version of HTTP
    /// supports it.
    pub(crate) async fn gone(&self, has_interim: bool) {
        loop {
            match self.stream.peek(&mut [0]).await {
                Err(_) => return,
                Ok(0) => break,
                // The client has sent its next request.
                Ok(_) => sleep(LATER).await,
            }
            if self.has_failed() {
                return;
            }
        }
        // After earlier requests, parts of their replies may be unwritten, and an interim response would be inserted into
        // them.
        let may_probe = has_interim && self.requests.load(Ordering::Relaxed) == 1;
        let mut pause = SOON;
        loop {
            if self.has_failed() {
                return;
            }
            if may_probe
                && let Err(error) = self.stream.try_write(PROBE)
                && error.kind() != io::ErrorKind::WouldBlock
            {
                return;
            }
            sleep(pause).await;
            pause = LATER.min(2 * pause);
        }
    }

    fn has_failed(&self) -> bool {
        !matches!(self.stream.take_error(), Ok(None))
    }
}

/// The transport of a connection. It fails if the client reads nothing for `patience` while there is data to read.
pub(crate) struct Transport {
    connection: Arc<Connection>,
    patience: Duration,
    /// The timer that runs while the client does not read.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Transport {
    pub(crate) fn new(connection: Arc<Connection>, patience: Duration) -> Self {
        Self {
            connection,
            patience,
            stalled: None,
        }
    }

    /// Repeats an operation whenever the stream becomes ready for it.
    fn poll_write_with(
        &mut self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            if self.connection.stream.poll_write_ready(context)?.is_pending() {
                let patience = self.patience;
                let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
                ready!(stalled.as_mut().poll(context));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            match write(&self.connection.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => {
                    self.stalled = None;
                    return Poll::Ready(written);
                }
            }
        }
    }
}

impl AsyncRead for Transport {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = &self.connection.stream;
        loop {
            ready!(stream.poll_read_ready(context))?;
            match stream.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read.map(|count| buffer.advance(count))),
            }
        }
    }
}

impl AsyncWrite for Transport {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_with(context, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_with(context, |stream| stream.try_write_vectored(bytes))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The stream is closed when its last owner, the transport, is dropped.
        Poll::Ready(Ok(()))
    }
}
