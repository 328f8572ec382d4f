//! The options `--memory`, `--time` and `--cpu-time`, and their defaults.

use std::sync::OnceLock;
use std::time::Duration;

use crate::failure::ValueError;
use crate::guard::Guard;
use crate::memory::machine_bytes;
use crate::output::Format;
use bytesize::ByteSize;
use clap::Args;
use cpu_time::ProcessTime;
use herbrand::limits::{Budget, BudgetExhausted, Limits, check_enclosing};

/// The memory that a command may take, where `--time` means something of its own.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MemoryArgs {
    /// Memory limit, such as 500MB or 2GiB [default: half of the machine's memory, or of `ulimit -v`]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    memory: Option<ByteSize>,
}

impl MemoryArgs {
    /// Returns the memory limit that was given or the default, and the default time limit.
    #[must_use]
    pub fn limits(self) -> Limits {
        LimitArgs::from(self).limits()
    }
}

impl From<MemoryArgs> for LimitArgs {
    /// No limit of time is given.
    fn from(memory: MemoryArgs) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }
}

/// The memory and the time that a command may take.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LimitArgs {
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Time limit: seconds, or a number with a unit, such as 30s or 5m [default: 10m]
    #[arg(long, value_name = "SECONDS", value_parser = duration, help_heading = "Limits")]
    time: Option<Duration>,

    /// CPU time limit, for all threads together; without --time, elapsed time is then not limited. If a limit ends the command
    /// without an answer, the exit status is 3
    #[arg(long, value_name = "SECONDS", value_parser = duration, help_heading = "Limits")]
    cpu_time: Option<Duration>,
}

impl LimitArgs {
    /// Returns the limits that were given, and the defaults for the others.
    #[must_use]
    pub fn limits(self) -> Limits {
        let defaults = defaults();
        Limits {
            bytes: self.memory.memory.map(|size| size.as_u64()).or(defaults.bytes),
            time: self.time.or(defaults.time.filter(|_| self.cpu_time.is_none())),
        }
    }
}

/// How much of the time limit a command may take beyond it to report how far it came: an eighth. The guard waits a
/// quarter.
const GRACE: u32 = 8;

impl LimitArgs {
    /// Runs a whole command within the memory limit, and within the limits of time that were given. `format` is that of
    /// the failure if the guard ends the command.
    pub fn within<T>(self, format: Format, command: impl FnOnce() -> T) -> T {
        let bytes = self.limits().bytes;
        let _guard = Guard::start(self.time, self.cpu_time, bytes, format);
        let limits = Limits {
            bytes,
            time: self.time,
        };
        let grace = self.time.unwrap_or_default() / GRACE;
        let budget = Budget::new(limits).with_grace(grace);
        budget.enclose(|| self.within_cpu_time(command))
    }

    /// Runs a part of a command within the limit of CPU time.
    pub fn within_cpu_time<T>(self, work: impl FnOnce() -> T) -> T {
        let limits = Limits {
            bytes: None,
            time: self.cpu_time,
        };
        cpu_budget(limits).enclose(work)
    }

    /// Returns the time limit that was given.
    #[must_use]
    pub const fn time(self) -> Option<Duration> {
        self.time
    }

    /// Returns the limit of CPU time that was given.
    #[must_use]
    pub const fn cpu_time(self) -> Option<Duration> {
        self.cpu_time
    }

    /// Returns these limits without that of elapsed time, for commands that apply it to each part of their work.
    #[must_use]
    pub const fn of_parts(self) -> Self {
        Self { time: None, ..self }
    }
}

/// Parses a duration: a number of seconds, or numbers with units, such as `1m 30s`.
///
/// # Errors
/// Fails if the text has neither form.
pub fn duration(text: &str) -> Result<Duration, ValueError> {
    let expected = || ValueError::Duration(text.to_owned());
    match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| expected()),
        Err(_) => humantime::parse_duration(text).map_err(|_| expected()),
    }
}

/// Returns a budget in CPU time of this process, so that results do not depend on the load of the machine.
#[must_use]
pub fn cpu_budget(limits: Limits) -> Budget {
    Budget::by_clock(limits, CPU_TIME, || ProcessTime::now().as_duration())
}

/// The name of CPU time in errors.
const CPU_TIME: &str = "CPU time";

/// Returns the option of the time limit that ended a search.
#[must_use]
pub fn time_option() -> &'static str {
    match check_enclosing("searching") {
        Err(BudgetExhausted::Time { clock: CPU_TIME, .. }) => "--cpu-time",
        _ => "--time",
    }
}

/// Returns the default limits: half of the machine's memory (or of the limit of the control group or the address space, if
/// that is less), and ten minutes.
#[must_use]
pub fn defaults() -> Limits {
    Limits {
        bytes: machine_memory().map(|bytes| bytes / 2),
        time: Some(Duration::from_secs(600)),
    }
}

/// Returns the bytes of memory of this machine, or the limit of the control group or the address space (`ulimit -v`) if that
/// is less; `None` if it cannot be determined. The system is asked once.
fn machine_memory() -> Option<u64> {
    static MEMORY: OnceLock<Option<u64>> = OnceLock::new();
    let ask = || {
        let memory = machine_bytes()?.min(address_space());
        Some(memory).filter(|&memory| memory > 0)
    };
    *MEMORY.get_or_init(ask)
}

/// The bytes of address space that this process may take.
#[cfg(target_os = "linux")]
fn address_space() -> u64 {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::As).current.unwrap_or(u64::MAX)
}

/// The bytes of address space that this process may take: on these systems there is no such limit.
#[cfg(not(target_os = "linux"))]
const fn address_space() -> u64 {
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_seconds_unless_a_unit_is_given() {
        for (text, milliseconds) in [
            ("10", 10_000),
            ("0.5", 500),
            ("30s", 30_000),
            ("1m 30s", 90_000),
            ("250ms", 250),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "-1", "nan", "inf", "1e300", "ten", "5 parsecs"] {
            let error = duration(text).unwrap_err().to_string();
            assert!(error.contains("30s or 5m"), "{error}");
        }
    }

    #[test]
    fn the_default_limits_fit_a_machine() {
        let limits = defaults();
        let bytes = limits.bytes.unwrap_or_default();
        assert!((32 << 20..1 << 50).contains(&bytes), "{bytes}");
        assert_eq!(limits.time, Some(Duration::from_secs(600)));
    }
}
