//! The threads that compute replies, and how requests share them.
//!
//! One client must not keep others waiting, whatever it asks for. So every request first gets a short turn, which is enough for
//! almost all of them. A request that needs longer becomes one of a bounded number of long computations, if there is a
//! place for it. Otherwise it keeps its turn as long as nobody else waits for one; then it is cancelled, waits for a long
//! place, and starts again.
//!
//! ```text
//!   request ──▶ turn (100 ms) ──▶ reply
//!                 │ needs longer, and a long place is free: keeps computing ─────────┬──▶ reply, or refused at its deadline
//!                 └ none is free, and others want a turn: cancelled, waits, starts ──┘
//!                                                         again
//! ```
//!
//! A computation ends soon after it is cancelled or its deadline has passed, because every budget in its thread asks the budget of
//! the request. A computation that does not ask its budget for [`GRACE`] gives its place to others and continues on a spare
//! place; there are as many of these as there are long places.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use herbrand_limits::{Budget, Limits};
use herbrand_play::{Allowance, Playground, Position, ProblemName, Reason, Refusal, Reply, Request};
use hyper::body::Bytes;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep, timeout};

use crate::server::Bounds;

/// How much longer than its time a computation may take before its place is given to others.
const GRACE: Duration = Duration::from_secs(1);

/// How often a request whose turn is over checks whether others want it.
const GLANCE: Duration = Duration::from_millis(20);

/// A time that no request takes.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// A reply, as the server sends it.
#[derive(Debug)]
pub(crate) struct Answer {
    /// `None` if the request has an answer.
    pub(crate) refused: Option<Reason>,
    pub(crate) json: Vec<u8>,
}

impl Answer {
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

/// Playgrounds, each of which answers one request at a time, and the places to use them.
pub(crate) struct Crew {
    idle: Mutex<Vec<Playground>>,
    allowance: Allowance,
    patience: Duration,
    turn: Duration,
    /// One for each request that is being answered or waits for that.
    all: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    /// How many requests wait for a turn.
    waiting: AtomicUsize,
    long: Arc<Semaphore>,
    spare: Arc<Semaphore>,
    /// How many playgrounds are kept.
    kept: usize,
}

/// How many requests have their first turn at once, and how many threads there are at most.
pub(crate) fn places(workers: usize) -> (usize, usize) {
    let turns = workers.max(2);
    (turns, turns + 2 * workers)
}

impl Crew {
    pub(crate) fn new(bounds: &Bounds) -> Self {
        let workers = bounds.workers.max(1);
        let (turns, _) = places(workers);
        let semaphore = |places| Arc::new(Semaphore::new(places));
        Self {
            idle: Mutex::default(),
            allowance: bounds.allowance,
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

    /// The reply to a request, which is JSON; `None` if too many others are waiting, or it has waited too long.
    /// When the future is dropped, because the client is gone, the computation is cancelled.
    pub(crate) async fn reply(self: &Arc<Self>, request: Bytes) -> Option<Answer> {
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

    /// Waits for the answer of a computation in its turn; `None` when it has become a long one, or others want the turn.
    async fn take_turn(&self, job: &mut Job) -> Option<Answer> {
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

    /// Waits for a place for a turn.
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

    /// Starts to compute the reply to a request.
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
        let crew = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let answer = crew.work(&request, &budget);
            drop(lock(&place).take());
            // Nobody may be waiting for it any more.
            let _ = send.send(answer);
        });
        job
    }

    fn work(&self, request: &[u8], budget: &Budget) -> Answer {
        let request: Request = match serde_json::from_slice(request) {
            Ok(request) => request,
            Err(error) => return Answer::refused(Reason::Request, format!("this is no request: {error}")),
        };
        let mut playground = self.take(problem(&request));
        let answer = catch_unwind(AssertUnwindSafe(|| {
            Answer::of(&playground.reply_within(&request, budget))
        }));
        let answer = answer.unwrap_or_else(|_| {
            // Nothing is known of its state.
            playground = Playground::new(self.allowance);
            Answer::refused(Reason::Limit, "the engine has a fault: this request made it stop")
        });
        let mut idle = lock(&self.idle);
        if idle.len() < self.kept {
            idle.push(playground);
        }
        answer
    }

    /// A playground that is idle: one that knows the problem, if there is one.
    fn take(&self, problem: Option<&ProblemName>) -> Playground {
        let mut idle = lock(&self.idle);
        let knows = |playground: &Playground| problem.is_some_and(|problem| playground.keeps(problem));
        let at = idle.iter().position(knows);
        match at {
            Some(at) => idle.swap_remove(at),
            None => idle.pop().unwrap_or_else(|| Playground::new(self.allowance)),
        }
    }
}

/// A computation in a thread of its own. It is cancelled when this is dropped.
struct Job {
    budget: Budget,
    /// The place that it holds until it ends.
    place: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
    spare: Arc<Semaphore>,
    /// When it should have ended long ago.
    end: Option<Instant>,
    is_long: bool,
    answer: oneshot::Receiver<Answer>,
}

/// The reply to a request whose computation has not ended in time.
fn late() -> Answer {
    Answer::refused(Reason::Limit, "the time of the request is over")
}

impl Job {
    /// The time until its end.
    fn rest(&self) -> Duration {
        let rest = |end: Instant| end.saturating_duration_since(Instant::now());
        self.end.map_or(FOREVER, rest)
    }

    async fn answer(&mut self) -> Answer {
        let answer = (&mut self.answer).await;
        answer.unwrap_or_else(|_| Answer::refused(Reason::Limit, "the server is stopping"))
    }
}

/// Replaces the place of a computation, unless it has ended.
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

/// The problem that a request is about.
const fn problem(request: &Request) -> Option<&ProblemName> {
    match request {
        Request::Look(Position { problem, .. })
        | Request::Hint(Position { problem, .. })
        | Request::Plan(Position { problem, .. })
        | Request::Trace(Position { problem, .. })
        | Request::Explain {
            position: Position { problem, .. },
            ..
        }
        | Request::Ground { problem } => Some(problem),
        Request::Catalogue
        | Request::Texts { .. }
        | Request::Check { .. }
        | Request::Datalog { .. }
        | Request::OpenTrace { .. } => None,
    }
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
            // There is one spare place, which the first holds until it ends.
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
