//! Watches the time and the memory of a whole command, for work that does not check a budget.
//!
//! Work that can grow checks a budget and ends with an error that names the work. The guard is the safety net
//! below them: it ends the process, with the exit status of a limit, if one is passed by a quarter.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use cpu_time::ProcessTime;

use crate::failure::Failure;
use crate::memory::used_bytes;
use crate::output::Format;

/// The least time between checks; a thread can fill about ten megabytes in it.
const PERIOD: Duration = Duration::from_millis(5);

/// The longest time between checks.
const LONGEST: Duration = Duration::from_millis(50);

/// The number of bytes below the limit for which the watch waits another period: several threads may fill memory.
const BYTES_PER_PERIOD: u64 = 80 << 20;

/// The memory that the program itself needs.
const OWN_BYTES: u64 = 64 << 20;

/// A watch over the process's time and memory, which ends when it is dropped.
pub struct Guard {
    is_over: Arc<AtomicBool>,
}

impl Guard {
    /// Starts to watch, with limits of time and CPU time, counted from now, and of memory in bytes. `None` means no limit.
    /// `format` is that of the failure.
    #[must_use]
    pub fn start(
        time: Option<Duration>,
        cpu_time: Option<Duration>,
        bytes: Option<u64>,
        format: Format,
    ) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        // If no thread can be started, the budgets still apply.
        let _ = thread::Builder::new()
            .name("guard".to_owned())
            .spawn(move || watch(&over, time, cpu_time, bytes, format));
        Self { is_over }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn watch(
    is_over: &AtomicBool,
    time: Option<Duration>,
    cpu_time: Option<Duration>,
    bytes: Option<u64>,
    format: Format,
) {
    let (begin, cpu) = (Instant::now(), ProcessTime::now());
    let mut pause = PERIOD;
    loop {
        thread::sleep(pause);
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        for (what, limit, elapsed) in [
            ("time", time, begin.elapsed()),
            ("CPU time", cpu_time, cpu.elapsed()),
        ] {
            if let Some(limit) = limit.filter(|limit| elapsed > limit.mul_f64(1.25)) {
                let limit = humantime::format_duration(limit);
                end(&format!("the {what} limit of {limit} was exceeded"), format);
            }
        }
        pause = LONGEST;
        if let (Some(bytes), Some(used)) = (bytes, used_bytes()) {
            let Some(rest) = bytes.saturating_add(OWN_BYTES).checked_sub(used) else {
                let (limit, used) = (ByteSize(bytes).display().iec(), ByteSize(used).display().iec());
                let message = format!("the memory limit of {limit} was exceeded: the program uses {used}");
                end(&message, format);
            };
            let periods = (rest / BYTES_PER_PERIOD).clamp(1, 10);
            pause = PERIOD * periods as u32;
        }
    }
}

/// Exits with the status of a limit. No file is left half written, because files are renamed when complete.
fn end(message: &str, format: Format) -> ! {
    let help = "help: raise the limits with `--time`, `--cpu-time` and `--memory`";
    let failure = Failure::Limit(format!("{message}\n{help}"));
    let status = failure.outcome().status().into();
    // The thread that prints may hold standard output.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(Duration::from_secs(1));
        process::exit(status);
    });
    failure.report(format);
    process::exit(status);
}
