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

/// Returns the largest memory that this process has used at once, in bytes; `None` if the system does not report it.
#[cfg(target_os = "linux")]
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    field(&std::fs::read_to_string(STATUS).ok()?, "VmHWM:")
}

/// Returns the memory of this machine, or the limit of the control group if that is less, in bytes; `None` if the system
/// reports neither.
#[cfg(target_os = "linux")]
#[must_use]
pub fn machine_bytes() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    // The second version of control groups, then the first. Without a limit, there is the word `max` or a large number.
    let groups = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ];
    let limits = groups.iter().filter_map(|path| read(path)?.trim().parse().ok());
    let machine = read("/proc/meminfo").and_then(|text| field(&text, "MemTotal:"));
    limits.chain(machine).min()
}

/// Returns the memory of this machine in bytes; `None` if the system does not report it.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn machine_bytes() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    Some(System::new_with_specifics(ram).ok()?.total_memory())
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

/// The value of a field of a report in kibibytes, in bytes.
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
