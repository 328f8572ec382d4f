//! Budgets of grounding on the command line.

use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use cpu_time::ProcessTime;
use herbrand::ground::GroundOptions;
use herbrand::limits::{Budget, Limits};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What grounding may use.
#[derive(Args)]
pub struct LimitArgs {
    /// The memory that grounding may take, such as 500MB or 2GiB [default: half of what there is]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,

    /// The time that grounding may take, such as 30s or 5m [default: 10m]
    #[arg(long, value_name = "DURATION")]
    time: Option<humantime::Duration>,
}

impl LimitArgs {
    /// The budgets that were named, and the program's defaults for the others.
    #[must_use]
    pub fn options(&self) -> GroundOptions {
        let defaults = defaults();
        GroundOptions {
            limits: Limits {
                bytes: self.memory.map(|size| size.as_u64()).or(defaults.bytes),
                time: self.time.map(Into::into).or(defaults.time),
            },
            ..GroundOptions::default()
        }
    }
}

/// A budget whose time is CPU time of this process: what is found within it does not depend on what else the machine does.
#[must_use]
pub fn cpu_budget(limits: Limits) -> Budget {
    Budget::by_clock(limits, || ProcessTime::now().as_duration())
}

/// What compiling one problem may use unless something else is asked for: half of the machine's memory (or of what the
/// control group of this process allows), and ten minutes.
#[must_use]
pub fn defaults() -> Limits {
    Limits {
        bytes: machine_memory().map(|bytes| bytes / 2),
        time: Some(Duration::from_secs(600)),
    }
}

/// The bytes of memory of this machine, or of the control group if that is less; `None` where nobody knows.
fn machine_memory() -> Option<u64> {
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(ram).ok()?;
    let group = system
        .cgroup_limits()
        .map_or(u64::MAX, |limits| limits.total_memory);
    Some(system.total_memory().min(group)).filter(|&memory| memory > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_limits_fit_a_machine() {
        let limits = defaults();
        let bytes = limits.bytes.unwrap_or_default();
        assert!((32 << 20..1 << 50).contains(&bytes), "{bytes}");
        assert_eq!(limits.time, Some(Duration::from_secs(600)));
    }
}
