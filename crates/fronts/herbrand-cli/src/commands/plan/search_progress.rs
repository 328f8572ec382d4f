//! The progress line of a search, and its cancellation by Ctrl-C and SIGTERM.

use std::time::{Duration, Instant};

use herbrand::limits::Budget;
use herbrand::plan::SearchStatistics;
use indicatif::ProgressBar;

use super::report;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// The progress line of a search on standard error, hidden if that is not a terminal.
pub struct SearchProgress {
    bar: ProgressBar,
    interrupt: Interrupt,
    /// The time at which the line was last updated.
    updated: Option<Instant>,
}

/// The minimum time between updates of the line.
const PERIOD: Duration = Duration::from_millis(100);

impl SearchProgress {
    pub fn begin() -> Result<Self, Failure> {
        Ok(Self {
            bar: ProgressBar::new_spinner(),
            interrupt: Interrupt::watch_termination()?,
            updated: None,
        })
    }

    /// Updates the progress line. After Ctrl-C, cancels `budget` and with it the search.
    pub fn show(&mut self, statistics: &SearchStatistics, budget: &Budget) {
        if self.interrupt.is_pressed() {
            budget.cancel();
        }
        if self.updated.is_none_or(|updated| updated.elapsed() >= PERIOD) {
            self.bar.set_message(report::progress(statistics));
            self.bar.tick();
            self.updated = Some(Instant::now());
        }
    }

    /// Prints a line above the progress line; nothing if that is hidden.
    pub fn print(&self, line: &str) {
        self.bar.println(line);
    }

    /// Hides the progress line while `print` prints on standard error.
    pub fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
