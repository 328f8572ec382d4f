//! How much memory the program has used.

/// The most bytes of memory that this process has held at once; `None` where the system does not tell.
#[cfg(target_os = "linux")]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The bytes of memory that this process holds now, for want of the most it has held; `None` where the system does
/// not tell.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}
