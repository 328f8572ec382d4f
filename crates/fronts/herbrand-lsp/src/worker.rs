//! A thread that runs jobs, each within a budget that cancels it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use herbrand_limits::{Budget, Limits, deep};

/// A job of a [`Worker`].
pub(crate) trait Job: Send + 'static {
    /// The name of the job.
    type Key: Clone + Send + 'static;

    fn key(&self) -> Self::Key;
}

/// Runs jobs in order on a thread of its own. The thread ends when the worker is dropped.
pub(crate) struct Worker<J: Job> {
    shared: Arc<Shared<J>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared<J: Job> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

/// The jobs of a worker.
pub(crate) struct State<J: Job> {
    /// The jobs that wait, the next one first.
    pub(crate) queue: VecDeque<J>,
    /// The job that runs, and the budget that cancels it.
    pub(crate) running: Option<(J::Key, Budget)>,
    stopped: bool,
}

impl<J: Job> Shared<J> {
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J: Job> Worker<J> {
    /// Starts the thread. `run` runs a job; `done` gets the job and what `run` returned, or `None` if `run` panicked.
    pub(crate) fn start<R>(
        limits: Limits,
        mut run: impl FnMut(&J, &Budget) -> R + Send + 'static,
        mut done: impl FnMut(J, Option<R>) + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                queue: VecDeque::new(),
                running: None,
                stopped: false,
            }),
            changed: Condvar::new(),
        });
        let own = Arc::clone(&shared);
        let work = move || {
            while let Some((job, budget)) = own.next(limits) {
                // A bug in a job must not end the server.
                let result = catch_unwind(AssertUnwindSafe(|| deep(|| run(&job, &budget))));
                own.lock().running = None;
                done(job, result.ok());
            }
        };
        Self {
            shared,
            thread: Some(std::thread::spawn(work)),
        }
    }

    /// Changes the queue, and may cancel the running job.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State<J>) -> T) -> T {
        let result = change(&mut self.shared.lock());
        self.shared.changed.notify_one();
        result
    }
}

impl<J: Job> Shared<J> {
    /// Waits for a job and starts its budget; `None` once the worker is dropped.
    fn next(&self, limits: Limits) -> Option<(J, Budget)> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(job) = state.queue.pop_front() {
                let budget = Budget::new(limits);
                state.running = Some((job.key(), budget.clone()));
                return Some((job, budget));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<J: Job> Drop for Worker<J> {
    fn drop(&mut self) {
        self.change(|state| {
            state.stopped = true;
            if let Some((_, budget)) = &state.running {
                budget.cancel();
            }
        });
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported by the thread.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    struct Number(u32);

    impl Job for Number {
        type Key = u32;

        fn key(&self) -> u32 {
            self.0
        }
    }

    #[test]
    fn jobs_run_in_order_and_survive_each_other() {
        let (sender, results) = mpsc::channel();
        let run = |job: &Number, _: &Budget| {
            assert_ne!(job.0, 1, "a bug in a job");
            job.0 * 10
        };
        let worker = Worker::start(Limits::default(), run, move |job, result| {
            let _ = sender.send((job.0, result));
        });
        worker.change(|state| state.queue.extend([0, 1, 2].map(Number)));
        let found: Vec<_> = results.iter().take(3).collect();
        assert_eq!(found, [(0, Some(0)), (1, None), (2, Some(20))]);
    }

    #[test]
    fn a_job_that_runs_is_cancelled_and_the_thread_ends() {
        let (started, begin) = mpsc::channel();
        let (sender, results) = mpsc::channel();
        let run = move |job: &Number, budget: &Budget| {
            let _ = started.send(job.0);
            while budget.check("running", 0).is_ok() {
                std::thread::yield_now();
            }
        };
        let worker = Worker::start(Limits::default(), run, move |job, _| {
            let _ = sender.send(job.0);
        });
        worker.change(|state| state.queue.extend([7, 8].map(Number)));
        assert_eq!(begin.recv(), Ok(7));
        worker.change(|state| {
            let (key, budget) = state.running.as_ref().expect("a job runs");
            assert_eq!(*key, 7);
            budget.cancel();
        });
        assert_eq!((results.recv(), begin.recv()), (Ok(7), Ok(8)));
        drop(worker);
        assert_eq!(results.iter().collect::<Vec<_>>(), [8]);
    }
}
