//! The memory that the process uses.

/// Returns the largest memory that this process has used at once, in bytes; `None` if the system does not report it.
#[cfg(target_os = "linux")]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    status("VmHWM:")
}

/// Returns the memory that this process uses now, in bytes; `None` if the system does not report it.
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

/// Returns the memory that this process uses now, in bytes, because the system does not report the largest use; `None` if
/// it reports neither.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    current_bytes()
}

/// Returns the memory that this process uses now, in bytes; `None` if the system does not report it.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn current_bytes() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}
