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
    /// Creates a bar that counts episodes, up to `count`.
    pub fn of_episodes(count: u64) -> Self {
        Self::new(
            count,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} episodes, {eta} left  {msg}",
        )
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

    /// Creates a bar that counts models, up to `count`.
    pub fn of_models(count: u64) -> Self {
        Self::new(
            count,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} models, {eta} left  {msg}",
        )
    }

    /// Creates a bar that counts games, up to `count`.
    pub fn of_games(count: u64) -> Self {
        Self::new(
            count,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} games, {eta} left  {msg}",
        )
    }

    /// Creates a bar that counts suites, up to `suites`.
    pub fn of_suites(suites: usize) -> Self {
        Self::new(
            suites as u64,
            None,
            "{bar:32.cyan} {human_pos} of {human_len} domains, {eta} left  {msg}",
        )
    }

    /// Creates a bar that counts pictures, up to `count`.
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

    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
