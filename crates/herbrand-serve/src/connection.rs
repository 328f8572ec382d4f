//! A connection to a client: whether the client is still there, and how much memory it holds.

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

/// How soon a client that may be gone is looked at again: at first, and later.
const SOON: Duration = Duration::from_millis(5);
const LATER: Duration = Duration::from_millis(250);

/// An interim response that every client skips. A client that is gone answers it with a reset.
const PROBE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// A connection, shared by the transport and by the requests that come over it.
pub(crate) struct Connection {
    stream: TcpStream,
    requests: AtomicUsize,
    /// The room that the last reply takes until it is written.
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

    /// Notes that a request begins: the reply before it is written.
    pub(crate) fn begin_request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.hold(None);
    }

    /// Holds room for a reply until the next request, or until the connection is closed.
    pub(crate) fn hold(&self, room: Option<OwnedSemaphorePermit>) {
        *self.room.lock().unwrap_or_else(PoisonError::into_inner) = room;
    }

    /// Returns once the client is gone. Call this while a request is being computed, before any of its reply is written.
    ///
    /// A client that has closed its side of the connection may still wait for the answer, or may have left; the two look
    /// the same until something is sent to it. So it is sent an interim response, if its version of HTTP has these.
    pub(crate) async fn gone(&self, has_interim: bool) {
        loop {
            match self.stream.peek(&mut [0]).await {
                Err(_) => return,
                Ok(0) => break,
                // It has sent the next request.
                Ok(_) => sleep(LATER).await,
            }
            if self.has_failed() {
                return;
            }
        }
        // With earlier requests a part of their replies may be unwritten, and the interim response would land in it.
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

/// The transport of a connection. It fails if the client reads nothing for `patience` while there is something to read.
pub(crate) struct Transport {
    connection: Arc<Connection>,
    patience: Duration,
    /// Runs while the client does not read.
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

    /// Tries an operation again whenever the stream is ready for it.
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
        // The stream is closed when the last owner drops it, which is the transport.
        Poll::Ready(Ok(()))
    }
}
