//! The order of the calls of one session.

use std::collections::HashMap;
use std::sync::Arc;

use herbrand_play::SessionId;
use tokio::sync::watch;

/// The turn of a call: it comes when the calls of the same session that were read before are done. The next turn comes when all
/// copies of this one are dropped.
#[derive(Clone)]
pub struct Turn {
    before: Option<watch::Receiver<()>>,
    _own: Arc<watch::Sender<()>>,
}

impl Turn {
    /// Waits until the turn comes.
    pub async fn come(&mut self) {
        if let Some(before) = &mut self.before {
            // Nothing is sent: the wait ends when the sender is dropped.
            let _ = before.changed().await;
        }
    }
}

/// The last turns of the sessions that have calls under way.
#[derive(Default)]
pub struct Turns {
    last: HashMap<SessionId, watch::Receiver<()>>,
}

impl Turns {
    /// Returns the turn of the next call of a session.
    pub fn next(&mut self, session: SessionId) -> Turn {
        self.last.retain(|_, last| last.has_changed().is_ok());
        let (own, last) = watch::channel(());
        Turn {
            before: self.last.insert(session, last),
            _own: Arc::new(own),
        }
    }
}
