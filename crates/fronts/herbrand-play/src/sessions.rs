//! Many sessions within limits.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::allowance::RequestLimits;
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::request::ProblemName;
use crate::session::Session;

/// The limits of [`Sessions`]. The default suits a local server: 1,000 sessions, 1 GiB, an hour without a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionLimits {
    /// The limits of each call.
    pub allowance: RequestLimits,
    /// The maximum number of sessions.
    pub sessions: usize,
    /// The maximum approximate memory of all sessions and their compiled problems, in bytes.
    pub bytes: u64,
    /// The time after its last call at which a session is closed.
    pub idle: Duration,
}

impl Default for SessionLimits {
    /// Returns 1,000 sessions, 1 GiB, an hour, and the limits of [`RequestLimits::default`] per call.
    fn default() -> Self {
        Self {
            allowance: RequestLimits::default(),
            sessions: 1_000,
            bytes: 1 << 30,
            idle: Duration::from_secs(3_600),
        }
    }
}

/// The name of a session: 128 random bits, written as 32 hexadecimal digits. [`Sessions::open`] returns it, and a
/// caller needs it to use the session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SessionId(u128);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for SessionId {
    type Err = Refusal;

    /// Parses 32 hexadecimal digits. Fails for other texts.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let is_id = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let id = is_id.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        id.map(Self).ok_or_else(unknown)
    }
}

fn unknown() -> Refusal {
    Refusal::unknown("there is no such session: it was never opened, was closed, or was idle for too long")
}

/// Sessions by name, shared by threads, within [`SessionLimits`]. Calls to different sessions do not wait for each
/// other. Sessions of the same problem share its compiled form. [`open`](Self::open) starts a session, and
/// [`with`](Self::with) calls a function with it.
pub struct Sessions {
    limits: SessionLimits,
    random: RandomState,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// The number of names given.
    given: u64,
    sessions: HashMap<SessionId, Listed>,
    /// The sum of the memory of all sessions.
    bytes: u64,
    /// All compiled problems that sessions use.
    compiled: Vec<Weak<Opened>>,
    /// Recently opened problems, the latest last.
    kept: Vec<Arc<Opened>>,
}

struct Listed {
    entry: Arc<Mutex<Entry>>,
    /// The memory that is counted for the session.
    bytes: u64,
}

struct Entry {
    session: Session,
    used: Instant,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A call that panicked leaves a session as another refused call does.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    /// Closes the sessions that were idle for too long.
    fn close_idle(&mut self, idle: Duration) {
        let mut freed = 0;
        self.sessions.retain(|_, listed| {
            // A session in use is not idle.
            let used = match listed.entry.try_lock() {
                Ok(entry) => Some(entry.used),
                Err(_) => None,
            };
            let keep = used.is_none_or(|used| used.elapsed() <= idle);
            freed += if keep { 0 } else { listed.bytes };
            keep
        });
        self.bytes = self.bytes.saturating_sub(freed);
    }

    fn compiled_bytes(&mut self) -> u64 {
        self.compiled.retain(|opened| opened.strong_count() > 0);
        self.compiled
            .iter()
            .filter_map(Weak::upgrade)
            .map(|opened| opened.bytes)
            .sum()
    }
}

impl Sessions {
    /// Creates an empty set of sessions.
    #[must_use]
    pub fn new(limits: SessionLimits) -> Self {
        Self {
            limits,
            random: RandomState::new(),
            inner: Mutex::default(),
        }
    }

    /// Returns the limits.
    #[must_use]
    pub const fn limits(&self) -> &SessionLimits {
        &self.limits
    }

    /// Returns the number of open sessions. A session that was idle for too long counts until it is called, or another
    /// one is opened.
    #[must_use]
    pub fn len(&self) -> usize {
        locked(&self.inner).sessions.len()
    }

    /// Returns whether no session is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Opens a session, like [`Session::open`], and returns its name.
    ///
    /// # Errors
    /// Fails like [`Session::open`], and if there are as many sessions as there may be, or their memory is used up.
    pub fn open(&self, problem: &ProblemName, table: Option<&str>, seed: u64) -> Result<SessionId, Refusal> {
        let known = {
            let mut inner = locked(&self.inner);
            inner.close_idle(self.limits.idle);
            self.check_room(&mut inner, 0)?;
            let is_same =
                |opened: &&Arc<Opened>| opened.problem == *problem && opened.table.as_deref() == table;
            inner.kept.iter().find(is_same).cloned()
        };
        let opened = match known {
            Some(opened) => opened,
            None => {
                // Other calls go on while the problem is compiled.
                let opened = Arc::new(Opened::new(problem, table, &self.limits.allowance)?);
                let mut inner = locked(&self.inner);
                inner.compiled.push(Arc::downgrade(&opened));
                inner.kept.push(Arc::clone(&opened));
                let most = self.limits.allowance.kept.max(1);
                let surplus = inner.kept.len().saturating_sub(most);
                inner.kept.drain(..surplus);
                opened
            }
        };
        self.add(Session::of(opened, seed, self.limits.allowance)?)
    }

    /// Adds a session and returns its name.
    fn add(&self, session: Session) -> Result<SessionId, Refusal> {
        let mut inner = locked(&self.inner);
        let bytes = session.bytes();
        self.check_room(&mut inner, bytes)?;
        inner.given += 1;
        let half = |half: u64| u128::from(self.random.hash_one((inner.given, half)));
        let id = SessionId(half(0) << 64 | half(1));
        inner.bytes += bytes;
        let entry = Arc::new(Mutex::new(Entry {
            session,
            used: Instant::now(),
        }));
        inner.sessions.insert(id, Listed { entry, bytes });
        Ok(id)
    }

    fn check_room(&self, inner: &mut Inner, more: u64) -> Result<(), Refusal> {
        let most = self.limits.sessions;
        if inner.sessions.len() >= most {
            return Err(Refusal::limit(format!(
                "{most} sessions are open, which is the limit: close one"
            )));
        }
        if inner
            .bytes
            .saturating_add(inner.compiled_bytes())
            .saturating_add(more)
            > self.limits.bytes
        {
            return Err(Refusal::limit("the memory of all sessions is used up: close one"));
        }
        Ok(())
    }

    /// Calls `work` with a session. Calls to the same session wait for each other.
    ///
    /// # Errors
    /// Fails if there is no such session, or with the error of `work`.
    pub fn with<T>(
        &self,
        id: SessionId,
        work: impl FnOnce(&mut Session) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let entry = {
            let inner = locked(&self.inner);
            Arc::clone(&inner.sessions.get(&id).ok_or_else(unknown)?.entry)
        };
        let mut entry = locked(&entry);
        if entry.used.elapsed() > self.limits.idle {
            drop(entry);
            self.close(id);
            return Err(unknown());
        }
        let result = work(&mut entry.session);
        entry.used = Instant::now();
        let bytes = entry.session.bytes();
        drop(entry);
        let mut inner = locked(&self.inner);
        if let Some(listed) = inner.sessions.get_mut(&id) {
            let before = std::mem::replace(&mut listed.bytes, bytes);
            inner.bytes = inner.bytes.saturating_sub(before).saturating_add(bytes);
        }
        result
    }

    /// Opens another session of the same problem at its initial state, with a seed of its own, and returns its name.
    ///
    /// # Errors
    /// Fails like [`open`](Self::open), and if there is no such session.
    pub fn fork(&self, id: SessionId, seed: u64) -> Result<SessionId, Refusal> {
        let opened = self.with(id, |session| Ok(Arc::clone(session.opened())))?;
        self.add(Session::of(opened, seed, self.limits.allowance)?)
    }

    /// Closes a session. Returns whether there was one.
    pub fn close(&self, id: SessionId) -> bool {
        let mut inner = locked(&self.inner);
        let closed = inner.sessions.remove(&id);
        if let Some(listed) = &closed {
            inner.bytes = inner.bytes.saturating_sub(listed.bytes);
        }
        closed.is_some()
    }
}
