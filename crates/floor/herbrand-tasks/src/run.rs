//! The limits, the seed and the progress of a task.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use herbrand_limits::{Budget, Clock, Limits};
use herbrand_plan::SearchStatistics;

use crate::found::FoundPlan;

/// The limits, the seed and the callbacks of a task. To cancel a task from another thread, call it within a budget that
/// [encloses](Budget::enclose) it, and cancel that. The default has no limits, the seed 0 and no callback.
#[derive(Default)]
pub struct Run<'a> {
    /// The limits of the whole task, from the call on.
    pub limits: Limits,
    /// Whether the caller chose the time limit. Planners that improve their plans as long as they may, and that have a usual
    /// number of rounds, then use that time instead.
    pub fills_time: bool,
    /// The seed of all random numbers, and for ties; 0 breaks ties in the order of the text.
    pub seed: u64,
    /// The CPU time of the process, for answers that report it; `None` if it is not known.
    pub cpu: Option<Clock>,
    /// Returns the largest memory of the process so far in bytes, for answers that report it.
    pub peak_bytes: Option<fn() -> Option<u64>>,
    /// The limit of CPU time that the planners of a comparison share.
    pub cpu_time: Option<Duration>,
    /// Called about 20 times a second, and with each plan that is found while the search continues. `Break` cancels the task.
    pub progress: Option<&'a mut TaskWatch<'a>>,
    /// Called by a rollout, from any thread, with the number of episodes that have ended.
    pub episodes: Option<&'a (dyn Fn(u64) + Sync)>,
    /// Whether a rollout stops early, with the episodes so far; another thread may set it.
    pub stop: Option<&'a AtomicBool>,
}

/// A function that watches the progress of a task, and may cancel it.
pub type TaskWatch<'a> = dyn FnMut(TaskProgress<'_>) -> ControlFlow<()> + 'a;

/// How far a task is.
pub struct TaskProgress<'a> {
    /// The statistics of the search so far.
    pub statistics: &'a SearchStatistics,
    /// A plan that was found just now, while the search for a cheaper one continues.
    pub plan: Option<FoundPlan>,
}

impl Run<'_> {
    /// Returns the largest memory of the process so far, if it is known.
    pub(crate) fn peak_bytes(&self) -> Option<u64> {
        self.peak_bytes?()
    }

    /// Returns the time limit if the caller chose it.
    pub(crate) fn chosen_time(&self) -> Option<Duration> {
        self.limits.time.filter(|_| self.fills_time)
    }

    /// Returns the limits that are left after some time.
    pub(crate) fn rest(&self, elapsed: Duration) -> Limits {
        Limits {
            time: self.limits.time.map(|time| time.saturating_sub(elapsed)),
            ..self.limits
        }
    }

    /// Returns the CPU time of the process, or 0 if it is not known.
    pub(crate) fn cpu(&self) -> Duration {
        self.cpu.map_or(Duration::ZERO, |clock| clock())
    }
}

/// Returns a budget of time with a grace of an eighth, in which enclosed work reports its progress.
pub(crate) fn time_budget(time: Duration) -> Budget {
    let limits = Limits {
        bytes: None,
        time: Some(time),
    };
    Budget::new(limits).with_grace(time / 8)
}

/// Does one of the last `left` equal parts of some work within its share of what is left since `begun` of a limit, in the time
/// of a clock.
pub(crate) fn within_share<T>(
    limit: Option<(Clock, Duration)>,
    begun: Duration,
    left: u32,
    work: impl FnOnce() -> T,
) -> T {
    let Some((clock, limit)) = limit else {
        return work();
    };
    let rest = limit.saturating_sub(clock().saturating_sub(begun));
    let limits = Limits {
        bytes: None,
        time: Some(rest / left),
    };
    Budget::by_clock(limits, "CPU time", clock).enclose(work)
}
