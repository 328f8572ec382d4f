//! Ctrl-C and `kill` during a measurement, which then still reports its results so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use herbrand::limits::Budget;

use crate::failure::Failure;
use crate::outcome::{CommandOutcome, ENDED, INTERRUPTED, TERMINATED};

/// Whether Ctrl-C was pressed, or the process was asked to terminate.
static PRESSED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The time after SIGTERM in which a command may report its results so far.
#[cfg(unix)]
const LAST_WORDS: Duration = Duration::from_millis(800);

/// The time between checks for Ctrl-C.
const PERIOD: Duration = Duration::from_millis(50);

/// How long work that watches the flag may take to stop before it is cancelled.
const PATIENCE: Duration = Duration::from_millis(500);

/// Stops the watching thread when dropped, even if the work panics.
struct Done<'d>(&'d AtomicBool, thread::Thread);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

/// The handler of Ctrl-C during a measurement. The first Ctrl-C stops the measurement; the second ends the program.
#[derive(Clone, Copy)]
pub struct Interrupt(());

impl Interrupt {
    /// Forgets an earlier Ctrl-C, because a process may run the program several times.
    pub fn forget() {
        PRESSED.store(false, Ordering::Relaxed);
        TERMINATED.store(false, Ordering::Relaxed);
    }

    /// Installs a handler that records Ctrl-C instead of ending the program.
    ///
    /// # Errors
    /// Fails if the system does not allow a handler.
    pub fn watch() -> Result<Self, Failure> {
        let note = || {
            if PRESSED.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED.into());
            }
            anstream::eprintln!("stopping; press Ctrl-C again to exit at once");
        };
        match ctrlc::set_handler(note) {
            // A process may run the program several times, and watches from the first time on.
            Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {}
            Err(error) => return Err(Failure::told("cannot handle Ctrl-C", error)),
        }
        Ok(Self(()))
    }

    /// Like [`watch`](Self::watch), and on Unix treats SIGTERM, which `kill` and `timeout` send, like Ctrl-C, but ends the
    /// program within a second.
    ///
    /// # Errors
    /// Fails if the system does not allow a handler.
    pub fn watch_termination() -> Result<Self, Failure> {
        let this = Self::watch()?;
        #[cfg(unix)]
        {
            use signal_hook::consts::SIGTERM;
            use signal_hook::flag;

            static HANDLED: AtomicBool = AtomicBool::new(false);
            if !HANDLED.swap(true, Ordering::Relaxed) {
                // Handlers run in the order of registration, so only a second signal ends the program.
                flag::register_conditional_shutdown(SIGTERM, ENDED.into(), Arc::clone(&PRESSED))
                    .and_then(|_| flag::register(SIGTERM, Arc::clone(&TERMINATED)))
                    .and_then(|_| flag::register(SIGTERM, Arc::clone(&PRESSED)))
                    .and_then(|_| thread::Builder::new().spawn(end_soon).map(drop))
                    .map_err(|error| Failure::told("cannot handle SIGTERM", error))?;
            }
        }
        Ok(this)
    }

    /// Returns the flag that Ctrl-C sets, as a stop flag for measurements.
    pub fn flag(self) -> &'static AtomicBool {
        &PRESSED
    }

    pub fn is_pressed(self) -> bool {
        PRESSED.load(Ordering::Relaxed)
    }

    /// Runs `work` and returns its result. Cancels `budget` if Ctrl-C is pressed meanwhile.
    pub fn cancelling<T>(self, budget: &Budget, work: impl FnOnce() -> T) -> T {
        self.watching(Duration::ZERO, || budget.cancel(), work)
    }

    /// Runs a server and returns its result. Calls `stop` if Ctrl-C is pressed meanwhile.
    pub fn serving<T>(self, stop: impl FnOnce() + Send, server: impl FnOnce() -> T) -> T {
        self.watching(Duration::ZERO, stop, server)
    }

    /// Runs work that stops by the [`flag`](Self::flag), and returns its result. If it has not stopped half a second after
    /// Ctrl-C, as in a long step, it is cancelled.
    pub fn stopping<T>(self, work: impl FnOnce() -> T) -> T {
        let budget = Budget::unlimited();
        self.watching(PATIENCE, || budget.cancel(), || budget.enclose(work))
    }

    fn watching<T>(self, patience: Duration, stop: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
        let done = &AtomicBool::new(false);
        let watch = move || {
            let mut pressed = None;
            while !done.load(Ordering::Relaxed) {
                if self.is_pressed() && pressed.get_or_insert_with(Instant::now).elapsed() >= patience {
                    return stop();
                }
                thread::park_timeout(PERIOD);
            }
        };
        thread::scope(|scope| {
            let _done = Done(done, scope.spawn(watch).thread().clone());
            work()
        })
    }

    /// Returns the answer of a measurement: `Yes`, or `Interrupted` after Ctrl-C.
    pub fn answer(self) -> CommandOutcome {
        if self.is_pressed() {
            CommandOutcome::Interrupted
        } else {
            CommandOutcome::Yes
        }
    }
}

/// Ends the program after SIGTERM if a command does not stop in time, as in a long step.
#[cfg(unix)]
fn end_soon() {
    let mut since = None;
    loop {
        thread::sleep(PERIOD);
        if !TERMINATED.load(Ordering::Relaxed) {
            since = None;
        } else if since.get_or_insert_with(Instant::now).elapsed() > LAST_WORDS {
            std::process::exit(ENDED.into());
        }
    }
}
