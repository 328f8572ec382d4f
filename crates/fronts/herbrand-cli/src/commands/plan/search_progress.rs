//! The progress line of a search, and the plans that are written while it continues.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use herbrand::plan::SearchStatistics;
use herbrand::tasks::TaskProgress;
use herbrand::tasks::plan::FoundPlan;
use indicatif::ProgressBar;

use crate::failure::Failure;
use crate::files;
use crate::output::{counted, short, significant};

/// The progress line of a search on standard error, hidden if that is not a terminal.
pub struct SearchProgress {
    bar: ProgressBar,
    /// The file to which plans are written.
    out: Option<PathBuf>,
    /// The time at which the line was last updated.
    updated: Option<Instant>,
    /// The reason why a plan was not written.
    failure: Option<Failure>,
}

/// The minimum time between updates of the line.
const PERIOD: Duration = Duration::from_millis(100);

impl SearchProgress {
    pub fn begin(out: Option<&Path>) -> Self {
        Self {
            bar: ProgressBar::new_spinner(),
            out: out.map(Path::to_owned),
            updated: None,
            failure: None,
        }
    }

    /// Updates the progress line, and keeps a plan that was found.
    pub fn show(&mut self, progress: TaskProgress<'_>) -> ControlFlow<()> {
        let statistics = progress.statistics;
        if self.updated.is_none_or(|updated| updated.elapsed() >= PERIOD) {
            self.bar.set_message(line(statistics));
            self.bar.tick();
            self.updated = Some(Instant::now());
        }
        let kept = progress.plan.map(|found| self.keep(&found, statistics.time));
        match kept {
            Some(Err(failure)) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Writes a plan to the file while the search for a cheaper one continues, and reports it.
    fn keep(&self, found: &FoundPlan, time: Duration) -> Result<(), Failure> {
        let steps = counted(found.steps.len() as u64, "step");
        let what = format!(
            "{steps}, cost {} after {:.3} s",
            significant(found.cost),
            time.as_secs_f64()
        );
        let Some(path) = &self.out else {
            self.bar.println(what);
            return Ok(());
        };
        files::write_newer_file(path, found.text())?;
        self.bar.suspend(|| files::report_written(path, what));
        Ok(())
    }

    /// Removes the line.
    ///
    /// # Errors
    /// Fails if a plan could not be written.
    pub fn end(self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        self.failure.map_or(Ok(()), Err)
    }
}

/// Formats the statistics of a running search as one line.
fn line(statistics: &SearchStatistics) -> String {
    let seconds = statistics.time.as_secs_f64().max(1e-9);
    let best = statistics
        .best_heuristic
        .map(|best| format!(", best heuristic {best}"));
    let cost = statistics.best_cost.map(|cost| format!(", best plan {cost}"));
    format!(
        "{} expanded, {} per second{}{}",
        match statistics.expanded {
            few @ 0..1000 => few.to_string(),
            many => short(many as f64),
        },
        short(statistics.evaluated as f64 / seconds),
        best.unwrap_or_default(),
        cost.unwrap_or_default(),
    )
}
