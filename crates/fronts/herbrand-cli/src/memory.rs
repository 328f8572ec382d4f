//! The memory that the process uses.

use std::cell::Cell;

thread_local! {
    /// Whether the process ends after the command of this thread.
    static IS_LAST: Cell<bool> = const { Cell::new(false) };
}

/// Sets whether the process ends after the command of this thread.
pub fn set_last(is_last: bool) {
    IS_LAST.set(is_last);
}

/// Drops a large value at the end of a command, or leaves its memory to the system if the process ends.
pub fn release<T>(value: T) {
    if IS_LAST.get() {
        std::mem::forget(value);
    }
}

/// Returns the largest memory that this process has used at once, in bytes; `None` if the system does not report it.
#[cfg(target_os = "linux")]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    field(&std::fs::read_to_string(STATUS).ok()?, "VmHWM:")
}

/// Reads again and again how much memory this process uses, without allocating any.
#[cfg(target_os = "linux")]
pub struct Usage(Option<std::fs::File>);

#[cfg(target_os = "linux")]
impl Usage {
    pub fn open() -> Self {
        Self(std::fs::File::open(STATUS).ok())
    }

    /// Returns the memory that this process uses now, in bytes; `None` if the system does not report it.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt as _;
        let mut text = [0; 4096];
        let length = self.0.as_ref()?.read_at(&mut text, 0).ok()?;
        field(&String::from_utf8_lossy(&text[..length]), "VmRSS:")
    }
}

#[cfg(target_os = "linux")]
const STATUS: &str = "/proc/self/status";

/// The value of a field of the process's status.
#[cfg(target_os = "linux")]
fn field(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Returns the memory that this process uses now, in bytes, because the system does not report the largest use; `None` if
/// it reports neither.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    Usage::open().bytes()
}

/// Reads how much memory this process uses.
#[cfg(not(target_os = "linux"))]
pub struct Usage;

#[cfg(not(target_os = "linux"))]
impl Usage {
    pub const fn open() -> Self {
        Self
    }

    /// Returns the memory that this process uses now, in bytes; `None` if the system does not report it.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
    }
}
