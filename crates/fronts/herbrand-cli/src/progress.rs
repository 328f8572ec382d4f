//! A progress bar on standard error with the remaining time. Hidden if standard error is not a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on standard error for work on several suites, hidden if that is not a terminal.
pub struct Progress {
    bar: ProgressBar,
    /// The milliseconds per suite, if the bar counts time.
    share: Option<u64>,
    done: u64,
    start: Instant,
}

impl Progress {
    /// Creates a bar that counts things, such as `episodes`, up to `count`.
    pub fn of(count: u64, things: &str) -> Self {
        let template =
            format!("{{bar:32.cyan}} {{human_pos}} of {{human_len}} {things}, {{eta}} left  {{msg}}");
        Self::new(count, None, &template)
    }

    /// Creates a bar that measures time: `each` for every one of `suites`.
    pub fn of_time(each: Duration, suites: usize) -> Self {
        let share = u64::try_from(each.as_millis()).unwrap_or(u64::MAX).max(1);
        let length = share.saturating_mul(suites as u64);
        Self::new(
            length,
            Some(share),
            "{bar:32.cyan} {elapsed} elapsed, {eta} left  {msg}",
        )
    }

    fn new(length: u64, share: Option<u64>, template: &str) -> Self {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Self {
            bar: ProgressBar::new(length).with_style(style),
            share,
            done: 0,
            start: Instant::now(),
        }
    }

    /// Notes that work on the suite `name` begins, the one with this index, from 0, of `suites`.
    pub fn begin(&mut self, name: &str, index: usize, suites: usize) {
        self.bar
            .set_message(format!("{name} ({} of {suites})", index + 1));
        self.done = index as u64 * self.share.unwrap_or(0);
        self.start = Instant::now();
    }

    /// Adds `count` things to the progress, or updates a bar that measures time.
    pub fn advance(&self, count: u64) {
        match self.share {
            None => self.bar.inc(count),
            Some(share) => {
                let gone = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
                self.bar.set_position(self.done + gone.min(share));
            }
        }
    }

    /// Sets the number of things that are done.
    pub fn reach(&self, count: u64) {
        self.bar.set_position(count);
    }

    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
