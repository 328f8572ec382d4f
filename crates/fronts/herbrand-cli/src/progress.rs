//! A progress bar on standard error with the remaining time. Hidden if standard error is not a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The progress of a measurement of several suites.
pub struct Progress {
    bar: ProgressBar,
    /// The milliseconds per suite, if the bar counts time.
    share: Option<u64>,
    done: u64,
    start: Instant,
}

impl Progress {
    /// Counts episodes, up to `count`.
    pub fn of_episodes(count: u64) -> Self {
        Self::new(
            count,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} episodes, {eta} left  {msg}",
        )
    }

    /// Counts time: `each` for every one of `suites`.
    pub fn of_time(each: Duration, suites: usize) -> Self {
        let share = u64::try_from(each.as_millis()).unwrap_or(u64::MAX).max(1);
        let length = share.saturating_mul(suites as u64);
        Self::new(
            length,
            Some(share),
            "{bar:32.cyan} {elapsed} elapsed, {eta} left  {msg}",
        )
    }

    /// Counts games, up to `count`.
    pub fn of_games(count: u64) -> Self {
        Self::new(
            count,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} games, {eta} left  {msg}",
        )
    }

    /// Counts suites.
    pub fn of_suites(suites: usize) -> Self {
        Self::new(
            suites as u64,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} domains, {eta} left  {msg}",
        )
    }

    /// Counts pictures, up to `count`.
    pub fn of_pictures(count: u64) -> Self {
        Self::new(
            count,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} pictures, {eta} left",
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

    /// A suite begins: number `index` from 0, of `suites`.
    pub fn begin(&mut self, name: &str, index: usize, suites: usize) {
        self.bar
            .set_message(format!("{name} ({} of {suites})", index + 1));
        self.done = index as u64 * self.share.unwrap_or(0);
        self.start = Instant::now();
    }

    /// Adds `count` to the progress.
    pub fn advance(&self, count: u64) {
        match self.share {
            None => self.bar.inc(count),
            Some(share) => {
                let gone = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
                self.bar.set_position(self.done + gone.min(share));
            }
        }
    }

    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
