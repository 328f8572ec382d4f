//! The memory that the process uses.

/// The most bytes of memory that this process has held at once; `None` if the system does not say.
#[cfg(target_os = "linux")]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    status("VmHWM:")
}

/// The bytes of memory that this process holds; `None` if the system does not say.
#[cfg(target_os = "linux")]
#[must_use]
pub fn current_bytes() -> Option<u64> {
    status("VmRSS:")
}

/// The value of a field of the process's status.
#[cfg(target_os = "linux")]
fn status(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The bytes of memory that this process holds, since the system does not tell the most; `None` if it does not say.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    current_bytes()
}

/// The bytes of memory that this process holds; `None` if the system does not say.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn current_bytes() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}
