//! Ctrl-C during a measurement, which then still reports its results so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use herbrand::limits::Budget;

use crate::failure::Failure;
use crate::outcome::CommandOutcome;

/// Whether Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);

/// The time between checks for Ctrl-C.
const PERIOD: Duration = Duration::from_millis(50);

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
    /// Installs a handler that records Ctrl-C instead of ending the program.
    ///
    /// # Errors
    /// Fails if the system does not allow a handler.
    pub fn watch() -> Result<Self, Failure> {
        let note = || {
            if PRESSED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            anstream::eprintln!("stopping; press Ctrl-C again to exit at once");
        };
        PRESSED.store(false, Ordering::Relaxed);
        match ctrlc::set_handler(note) {
            // A process may run the program several times, and watches from the first time on.
            Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {}
            Err(error) => {
                let message = format!("cannot handle Ctrl-C: {error}");
                return Err(Failure::Request(message));
            }
        }
        Ok(Self(()))
    }

    /// Returns the flag that Ctrl-C sets, as a stop flag for measurements.
    pub const fn flag(self) -> &'static AtomicBool {
        &PRESSED
    }

    pub fn is_pressed(self) -> bool {
        PRESSED.load(Ordering::Relaxed)
    }

    /// Runs `work` and returns its result. Cancels `budget` if Ctrl-C is pressed meanwhile.
    pub fn cancelling<T>(self, budget: &Budget, work: impl FnOnce() -> T) -> T {
        let done = AtomicBool::new(false);
        let watch = || {
            while !done.load(Ordering::Relaxed) {
                if self.is_pressed() {
                    return budget.cancel();
                }
                thread::park_timeout(PERIOD);
            }
        };
        thread::scope(|scope| {
            let _done = Done(&done, scope.spawn(watch).thread().clone());
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
