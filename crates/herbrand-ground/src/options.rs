//! How to ground.

use std::sync::OnceLock;
use std::time::Duration;

use herbrand_datalog::{EvaluatorKind, Limits};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// How to ground.
#[derive(Clone, Debug)]
pub struct GroundOptions {
    /// How much memory and time grounding may take; memory includes what the ground task will take up.
    pub limits: Limits,
    /// Which atoms the task keeps.
    pub atoms: KeptAtoms,
    /// Who evaluates the relaxed program. The task is the same.
    pub evaluator: EvaluatorKind,
}

/// Which atoms a ground task keeps of those that some state could make true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum KeptAtoms {
    /// All: an observation shows what nothing depends on too.
    #[default]
    All,
    /// Those that preconditions, effects or the goal depend on: [`GroundTask::only_relevant`](crate::GroundTask::only_relevant).
    /// Walks have the same actions, draws, goals and rewards, in smaller and fewer states.
    Relevant,
}

/// The time that grounding may take unless another is set.
const TIME: Duration = Duration::from_secs(600);

impl Default for GroundOptions {
    /// Half of the machine's memory (or of what the control group of this process allows), and ten minutes.
    fn default() -> Self {
        Self {
            limits: Limits {
                bytes: machine_memory().map(|bytes| bytes / 2),
                time: Some(TIME),
            },
            atoms: KeptAtoms::All,
            evaluator: EvaluatorKind::default(),
        }
    }
}

impl GroundOptions {
    /// No limits: the operating system has the last word.
    #[must_use]
    pub fn unlimited() -> Self {
        Self {
            limits: Limits::default(),
            atoms: KeptAtoms::All,
            evaluator: EvaluatorKind::default(),
        }
    }
}

/// The bytes of memory of this machine, or of the control group if that is less; `None` where nobody knows.
fn machine_memory() -> Option<u64> {
    // A constant of the machine, asked for once.
    static MEMORY: OnceLock<u64> = OnceLock::new();
    let memory = *MEMORY.get_or_init(|| {
        let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        System::new_with_specifics(ram).map_or(0, |system| {
            let group = system
                .cgroup_limits()
                .map_or(u64::MAX, |limits| limits.total_memory);
            system.total_memory().min(group)
        })
    });
    (memory > 0).then_some(memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_limits_fit_a_machine() {
        let limits = GroundOptions::default().limits;
        let bytes = limits.bytes.unwrap_or_default();
        assert!((32 << 20..1 << 50).contains(&bytes), "{bytes}");
        assert_eq!(limits.time, Some(Duration::from_secs(600)));
    }
}
