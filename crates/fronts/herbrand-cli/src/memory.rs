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

/// Lets the allocator keep the memory of freed lists for the next ones.
///
/// The allocator of the GNU system library takes lists of 128 KiB and more from the system one by one, and gives them back:
/// each page of the next list costs a page fault again. Once it has freed a larger list, it keeps all lists up to that size, of
/// at most 32 MiB. The list here is never written, so that it takes no memory.
pub fn keep_freed() {
    let mut list: Vec<u8> = Vec::new();
    if cfg!(target_env = "gnu") && list.try_reserve_exact((32 << 20) - (64 << 10)).is_ok() {
        std::hint::black_box(&mut list);
    }
}

/// Drops a large value at the end of a command, or leaves its memory to the system if the process ends.
pub fn release<T>(value: T) {
    if IS_LAST.get() {
        std::mem::forget(value);
    }
}

/// Returns the memory that this process uses now, in bytes; `None` if the system does not report it.
#[must_use]
pub fn used_bytes() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}

/// Returns the largest memory that this process has used at once, in bytes, or the memory that it uses now if the system
/// does not report the largest; `None` if it reports neither.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|peak| peak.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.map(|kibibytes| kibibytes * 1024).or_else(used_bytes)
}

/// Returns the memory of this machine, or the limit of the control group if that is less, in bytes; `None` if the system
/// reports neither.
#[must_use]
pub fn machine_bytes() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(ram).ok()?;
    let group = system.cgroup_limits().map(|limits| limits.total_memory);
    group.into_iter().chain([system.total_memory()]).min()
}
