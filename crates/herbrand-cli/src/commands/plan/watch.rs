//! Watching a search: how far it is, and Ctrl-C.

use std::time::{Duration, Instant};

use herbrand::limits::Budget;
use herbrand::plan::Statistics;
use indicatif::ProgressBar;

use super::report;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// A line on standard error, hidden when that is not a terminal.
pub struct Watch {
    bar: ProgressBar,
    interrupt: Interrupt,
    /// When the line was written last.
    told: Option<Instant>,
}

/// How long a line stays at least.
const PERIOD: Duration = Duration::from_millis(100);

impl Watch {
    pub fn begin() -> Result<Self, Failure> {
        Ok(Self {
            bar: ProgressBar::new_spinner(),
            interrupt: Interrupt::watch()?,
            told: None,
        })
    }

    /// Tells how far a search is, and cancels it after Ctrl-C.
    pub fn show(&mut self, statistics: &Statistics, budget: &Budget) {
        if self.interrupt.is_pressed() {
            budget.cancel();
        }
        if self.told.is_none_or(|told| told.elapsed() >= PERIOD) {
            self.bar.set_message(report::progress(statistics));
            self.bar.tick();
            self.told = Some(Instant::now());
        }
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
