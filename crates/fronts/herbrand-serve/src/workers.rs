//! The threads that compute replies, and their assignment to requests.
//!
//! No client can block the others. Every request first gets a short turn, which suffices for almost all requests. A request
//! that needs longer becomes one of a bounded number of long computations if a slot is free. Otherwise it keeps its turn
//! until another request waits for one. Then it is cancelled, waits for a slot, and restarts.
//!
//! ```text
//!   request ──▶ turn (100 ms) ──▶ reply
//!                 │ needs longer, and a long place is free: keeps computing ─────────┬──▶ reply, or refused at its deadline
//!                 └ none is free, and others want a turn: cancelled, waits, starts ──┘
//!                                                         again
//! ```
//!
//! A computation stops soon after it is cancelled or its deadline has passed, because all budgets in its thread check the
//! budget of the request. A computation that does not check its budget for [`GRACE`] releases its slot and continues in a
//! spare slot. There are as many spare slots as slots for long computations.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use herbrand_limits::{Budget, Limits, deep};
use herbrand_play::{Library, Playground, ProblemName, Reason, Refusal, Reply, Request, RequestLimits};
use hyper::body::Bytes;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep, timeout};

use crate::bounds::Bounds;

/// The time after its deadline when a computation that is still running releases its slot.
const GRACE: Duration = Duration::from_secs(1);

/// The interval at which a request whose turn is over checks for waiting requests.
const GLANCE: Duration = Duration::from_millis(20);

/// A time longer than any request.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// The reply to a request, as sent by the server.
#[derive(Debug)]
pub(crate) struct ServerReply {
    /// The reason of a refusal; `None` if the request was answered.
    pub(crate) refused: Option<Reason>,
    pub(crate) json: Vec<u8>,
}

impl ServerReply {
    pub(crate) fn of(reply: &Reply) -> Self {
        Self {
            refused: match reply {
                Reply::Refused(refusal) => Some(refusal.kind),
                _ => None,
            },
            json: serde_json::to_vec(reply).unwrap_or_default(),
        }
    }

    pub(crate) fn refused(kind: Reason, message: impl Into<String>) -> Self {
        Self::of(&Reply::Refused(Refusal {
            kind,
            message: message.into(),
            findings: Vec::new(),
            step: None,
        }))
    }
}

/// The pool of playgrounds, each answering one request at a time, and the slots for computations.
pub(crate) struct WorkerPool {
    idle: Mutex<Vec<Playground>>,
    allowance: RequestLimits,
    library: Library,
    patience: Duration,
    turn: Duration,
    /// One permit per request that is computed or waiting.
    all: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    /// The number of requests that wait for a turn.
    waiting: AtomicUsize,
    long: Arc<Semaphore>,
    spare: Arc<Semaphore>,
    /// The maximum number of idle playgrounds.
    kept: usize,
}

/// Returns the maximum numbers of simultaneous turns and of threads.
pub(crate) fn places(workers: usize) -> (usize, usize) {
    let turns = workers.max(2);
    (turns, turns + 2 * workers)
}

impl WorkerPool {
    pub(crate) fn new(bounds: &Bounds, library: Library) -> Self {
        let workers = bounds.workers.max(1);
        let (turns, _) = places(workers);
        let semaphore = |places| Arc::new(Semaphore::new(places));
        Self {
            idle: Mutex::default(),
            allowance: bounds.allowance,
            library,
            patience: bounds.patience,
            turn: bounds.turn,
            all: semaphore(turns + workers + bounds.waiting),
            turns: semaphore(turns),
            waiting: AtomicUsize::new(0),
            long: semaphore(workers),
            spare: semaphore(workers),
            kept: turns + workers,
        }
    }

    /// Answers a request given as JSON. `None` if too many others are waiting, or if it has waited too long. Dropping the
    /// future, which happens when the client leaves, cancels the computation.
    pub(crate) async fn reply(self: &Arc<Self>, request: Bytes) -> Option<ServerReply> {
        let _place = self.all.try_acquire().ok()?;
        let begin = Instant::now();
        let patience = || self.patience.saturating_sub(begin.elapsed());
        let place = timeout(patience(), self.turn()).await.ok()??;
        let mut job = self.start(request.clone(), place);
        if let Some(answer) = self.take_turn(&mut job).await {
            return Some(answer);
        }
        if !job.is_long {
            drop(job);
            let place = Arc::clone(&self.long).acquire_owned();
            let place = timeout(patience(), place).await.ok()?.ok()?;
            job = self.start(request, place);
        }
        let answer = timeout(job.rest(), job.answer()).await;
        Some(answer.unwrap_or_else(|_| late()))
    }

    /// Waits for a reply during a turn. `None` if the computation has become a long one, or if another request needs the
    /// turn.
    async fn take_turn(&self, job: &mut Job) -> Option<ServerReply> {
        let mut slice = self.turn;
        loop {
            if let Ok(answer) = timeout(slice.min(job.rest()), job.answer()).await {
                return Some(answer);
            }
            if job.rest().is_zero() {
                return Some(late());
            }
            if let Ok(place) = Arc::clone(&self.long).try_acquire_owned() {
                hold(&job.place, place);
                job.is_long = true;
                return None;
            }
            if self.waiting.load(Ordering::Relaxed) > 0 {
                return None;
            }
            slice = GLANCE;
        }
    }

    /// Waits for a turn.
    async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        struct Waiting<'c>(&'c AtomicUsize);
        impl Drop for Waiting<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::Relaxed);
            }
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        Arc::clone(&self.turns).acquire_owned().await.ok()
    }

    /// Starts to compute a reply.
    fn start(self: &Arc<Self>, request: Bytes, place: OwnedSemaphorePermit) -> Job {
        let budget = Budget::new(Limits {
            bytes: None,
            time: self.allowance.limits.time,
        });
        let place = Arc::new(Mutex::new(Some(place)));
        let (send, answer) = oneshot::channel();
        let job = Job {
            budget: budget.clone(),
            place: Arc::clone(&place),
            spare: Arc::clone(&self.spare),
            end: self
                .allowance
                .limits
                .time
                .map(|time| Instant::now() + time + GRACE),
            is_long: false,
            answer,
        };
        let pool = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let answer = deep(|| pool.work(&request, &budget));
            drop(lock(&place).take());
            // The receiver may be gone.
            let _ = send.send(answer);
        });
        job
    }

    fn work(&self, request: &[u8], budget: &Budget) -> ServerReply {
        let request: Request = match serde_json::from_slice(request) {
            Ok(request) => request,
            Err(error) => return ServerReply::refused(Reason::Request, format!("invalid request: {error}")),
        };
        let mut playground = self.take(request.problem());
        let answer = catch_unwind(AssertUnwindSafe(|| {
            ServerReply::of(&playground.reply_within(&request, budget))
        }));
        let answer = answer.unwrap_or_else(|_| {
            // The panic may have left it in an inconsistent state.
            playground = self.fresh();
            ServerReply::refused(Reason::Limit, "the engine has a fault: this request made it stop")
        });
        let mut idle = lock(&self.idle);
        if idle.len() < self.kept {
            idle.push(playground);
        }
        answer
    }

    fn fresh(&self) -> Playground {
        Playground::new(self.allowance).with_library(self.library.clone())
    }

    /// Takes an idle playground, preferably with the problem in its cache.
    fn take(&self, problem: Option<&ProblemName>) -> Playground {
        let mut idle = lock(&self.idle);
        let knows = |playground: &Playground| problem.is_some_and(|problem| playground.keeps(problem));
        let at = idle.iter().position(knows);
        match at {
            Some(at) => idle.swap_remove(at),
            None => idle.pop().unwrap_or_else(|| self.fresh()),
        }
    }
}

/// A computation in its own thread. Dropping the job cancels it.
struct Job {
    budget: Budget,
    /// The slot that it occupies until it ends.
    place: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
    spare: Arc<Semaphore>,
    /// The time when the computation is overdue: its deadline plus [`GRACE`].
    end: Option<Instant>,
    is_long: bool,
    answer: oneshot::Receiver<ServerReply>,
}

/// The reply to a request that exceeded its time limit.
fn late() -> ServerReply {
    ServerReply::refused(Reason::Limit, "the time of the request is over")
}

impl Job {
    /// Returns the time until the computation is overdue.
    fn rest(&self) -> Duration {
        let rest = |end: Instant| end.saturating_duration_since(Instant::now());
        self.end.map_or(FOREVER, rest)
    }

    async fn answer(&mut self) -> ServerReply {
        let answer = (&mut self.answer).await;
        answer.unwrap_or_else(|_| ServerReply::refused(Reason::Limit, "the server is stopping"))
    }
}

/// Replaces the slot of a computation, unless it has ended.
fn hold(held: &Mutex<Option<OwnedSemaphorePermit>>, place: OwnedSemaphorePermit) {
    let mut held = lock(held);
    if held.is_some() {
        *held = Some(place);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.budget.cancel();
        let has_ended = lock(&self.place).is_none();
        if let (false, Ok(runtime)) = (has_ended, Handle::try_current()) {
            let (place, spare) = (Arc::clone(&self.place), Arc::clone(&self.spare));
            runtime.spawn(async move {
                sleep(GRACE).await;
                if lock(&place).is_some()
                    && let Ok(spare) = spare.try_acquire_owned()
                {
                    hold(&place, spare);
                }
            });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation_that_ignores_its_budget_gives_its_place_to_others() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let (long, spare) = (Arc::new(Semaphore::new(1)), Arc::new(Semaphore::new(1)));
            let stuck = |place| Job {
                budget: Budget::unlimited(),
                place: Arc::new(Mutex::new(Some(place))),
                spare: Arc::clone(&spare),
                end: None,
                is_long: false,
                answer: oneshot::channel().1,
            };
            let take = || timeout(5 * GRACE, Arc::clone(&long).acquire_owned());
            let first = stuck(take().await.expect("it is free").expect("it is open"));
            let (budget, place) = (first.budget.clone(), Arc::clone(&first.place));
            assert!(long.try_acquire().is_err());
            drop(first);
            assert!(budget.check("computing", 0).is_err());
            let second = take().await.expect("the first has lost it").expect("it is open");
            // There is one spare slot, which the first job occupies until it ends.
            assert_eq!(spare.available_permits(), 0);
            let second = stuck(second);
            let other = Arc::clone(&second.place);
            drop(second);
            sleep(2 * GRACE).await;
            assert!(long.try_acquire().is_err() && lock(&other).is_some());
            drop(lock(&place).take());
            assert_eq!(spare.available_permits(), 1);
        });
    }
}
