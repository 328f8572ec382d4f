//! The machine that the measurements ran on.

use std::thread::available_parallelism;
use std::time::SystemTime;

use bytesize::ByteSize;
use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// A description of the machine that measurements run on, and of its load.
#[derive(Serialize)]
pub struct Machine {
    /// The time at which the load was read, in UTC.
    pub time: String,
    pub system: String,
    pub processor: String,
    /// The number of threads that can run at once.
    pub threads: usize,
    pub memory_bytes: u64,
    /// The mean number of running or waiting processes in the last minute; 0 if the system does not report it.
    pub load: f64,
}

impl Machine {
    /// Reads the properties and the current load of this machine.
    pub fn now() -> Self {
        let kinds = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kinds).ok();
        let processor = system.as_ref().and_then(|system| system.cpus().first());
        Self {
            time: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            system: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
            processor: processor.map_or_else(String::new, |one| one.brand().trim().to_owned()),
            threads: available_parallelism().map_or(1, usize::from),
            memory_bytes: system.as_ref().map_or(0, System::total_memory),
            load: System::load_average().map_or(0.0, |load| load.one),
        }
    }

    /// Returns the properties of the machine as text, each with a label.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![
            ("time", self.time.clone()),
            ("system", format!("{} on {}", self.system, std::env::consts::ARCH)),
            ("threads", self.threads.to_string()),
            ("memory", ByteSize(self.memory_bytes).to_string()),
            ("load average (1 minute)", format!("{:.2}", self.load)),
        ];
        if !self.processor.is_empty() {
            lines.insert(2, ("processor", self.processor.clone()));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_threads_and_memory() {
        let machine = Machine::now();
        assert!(machine.threads >= 1 && machine.memory_bytes > 1 << 20);
        assert!(machine.time.ends_with('Z') && machine.time.starts_with("20"));
        assert!(machine.lines().iter().all(|(_, value)| !value.is_empty()));
    }
}
