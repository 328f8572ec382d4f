//! Framing of messages on a connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use thiserror::Error;

/// The terminator of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Ending {
    /// Three line feeds.
    #[default]
    Lines,
    /// A zero byte.
    Zero,
}

impl Ending {
    const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lines => b"\n\n\n",
            Self::Zero => b"\0",
        }
    }
}

/// The reason why no message could be exchanged with a client. [`Messages::receive`] and [`Messages::send`] return it.
#[derive(Debug, Error)]
pub enum Lost {
    /// The client has closed the connection.
    #[error("the client has closed the connection")]
    Closed,
    /// The message is too long.
    #[error("a message may have {0} bytes")]
    TooLong(usize),
    /// The message takes too long.
    #[error("a message may take {0:?}")]
    TooSlow(Duration),
    /// An error of the connection.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A connection that exchanges messages. [`new`](Self::new) creates it.
pub struct Messages<'s> {
    stream: &'s TcpStream,
    /// The bytes received after the last message.
    rest: Vec<u8>,
    ending: Ending,
    /// The maximum number of bytes per message.
    longest: usize,
}

impl<'s> Messages<'s> {
    /// Creates a connection over a stream, for messages of at most `longest` bytes.
    pub fn new(stream: &'s TcpStream, longest: usize) -> Self {
        Self {
            stream,
            rest: Vec::new(),
            ending: Ending::default(),
            longest,
        }
    }

    /// Receives the next message, without its terminator. Fails if it is too long, does not arrive within `patience`,
    /// or the client has closed the connection.
    pub fn receive(&mut self, patience: Duration) -> Result<Vec<u8>, Lost> {
        let begin = Instant::now();
        let mut searched = 0;
        loop {
            if let Some((at, ending)) = self.find_ending(searched) {
                self.ending = ending;
                let after = self.rest.split_off(at + ending.bytes().len());
                let mut message = std::mem::replace(&mut self.rest, after);
                message.truncate(at);
                return Ok(message);
            }
            // A terminator may be split between two reads.
            searched = self.rest.len().saturating_sub(2);
            if self.rest.len() > self.longest {
                return Err(Lost::TooLong(self.longest));
            }
            let left = patience.checked_sub(begin.elapsed());
            let left = left
                .filter(|left| !left.is_zero())
                .ok_or(Lost::TooSlow(patience))?;
            self.stream.set_read_timeout(Some(left))?;
            let mut part = [0; 8192];
            match self.stream.read(&mut part) {
                Ok(0) => return Err(Lost::Closed),
                Ok(count) => self.rest.extend_from_slice(&part[..count]),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        return Err(Lost::TooSlow(patience));
                    }
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(error.into()),
                },
            }
        }
    }

    /// Returns the end of the first message, and its terminator.
    fn find_ending(&self, from: usize) -> Option<(usize, Ending)> {
        let bytes = &self.rest[from..];
        let lines = bytes.windows(3).position(|window| window == b"\n\n\n");
        let zero = bytes.iter().position(|&byte| byte == 0);
        let found = match (lines, zero) {
            (Some(lines), Some(zero)) if zero < lines => (zero, Ending::Zero),
            (Some(lines), _) => (lines, Ending::Lines),
            (None, Some(zero)) => (zero, Ending::Zero),
            (None, None) => return None,
        };
        Some((from + found.0, found.1))
    }

    /// Sends a message. Fails if the client does not read all of it in time.
    pub fn send(&mut self, message: &str, patience: Duration) -> Result<(), Lost> {
        let begin = Instant::now();
        let mut whole = message.as_bytes().to_vec();
        whole.extend_from_slice(self.ending.bytes());
        let mut rest = &whole[..];
        while !rest.is_empty() {
            let left = patience.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(Lost::TooSlow(patience));
            }
            self.stream.set_write_timeout(Some(left))?;
            match self.stream.write(rest) {
                Ok(0) => return Err(Lost::Closed),
                Ok(count) => rest = &rest[count..],
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        return Err(Lost::TooSlow(patience));
                    }
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(error.into()),
                },
            }
        }
        Ok(())
    }
}
