//! Playgrounds that several requests share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use herbrand_play::{Allowance, Playground, Position, ProblemName, Reason, Refusal, Reply, Request};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Some playgrounds, each of which answers one request at a time.
pub(crate) struct Crew {
    idle: Mutex<Vec<Playground>>,
    allowance: Allowance,
    /// One for each playground.
    free: Arc<Semaphore>,
    /// One for each request that is being answered or waits for that.
    places: Arc<Semaphore>,
    patience: Duration,
}

impl Crew {
    /// `workers` playgrounds, for which at most `waiting` requests wait at a time, none longer than `patience`.
    pub(crate) fn new(workers: usize, waiting: usize, patience: Duration, allowance: Allowance) -> Self {
        let workers = workers.max(1);
        Self {
            idle: Mutex::new((0..workers).map(|_| Playground::new(allowance)).collect()),
            allowance,
            free: Arc::new(Semaphore::new(workers)),
            places: Arc::new(Semaphore::new(workers + waiting)),
            patience,
        }
    }

    /// The reply to a request; `None` if too many others are waiting, or it has waited too long.
    pub(crate) async fn reply(self: &Arc<Self>, request: Request) -> Option<Reply> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let free = Arc::clone(&self.free).acquire_owned();
        let free = timeout(self.patience, free).await.ok()?.ok()?;
        let crew = Arc::clone(self);
        // Whoever asked may be gone before the reply is there: the work then goes on to its end, and holds its places.
        let work = tokio::task::spawn_blocking(move || {
            let reply = crew.work(&request);
            drop((place, free));
            reply
        });
        work.await.ok()
    }

    fn work(&self, request: &Request) -> Reply {
        let mut playground = self.take(problem(request));
        let answer = catch_unwind(AssertUnwindSafe(|| playground.reply(request)));
        let reply = answer.unwrap_or_else(|_| {
            // Nothing is known of what it holds.
            playground = Playground::new(self.allowance);
            Reply::Refused(Refusal {
                kind: Reason::Limit,
                message: "the engine has a fault: this request made it stop".to_owned(),
                findings: Vec::new(),
                step: None,
            })
        });
        self.idle().push(playground);
        reply
    }

    /// A playground that is idle: one that knows the problem, if there is one.
    fn take(&self, problem: Option<&ProblemName>) -> Playground {
        let mut idle = self.idle();
        let knows = |playground: &Playground| problem.is_some_and(|problem| playground.keeps(problem));
        let at = idle.iter().position(knows);
        match at {
            Some(at) => idle.swap_remove(at),
            None => idle.pop().unwrap_or_else(|| Playground::new(self.allowance)),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Playground>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
