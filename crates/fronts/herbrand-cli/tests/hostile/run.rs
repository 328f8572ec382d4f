//! Runs the program under limits and measures each run.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The address space that every run has, in KiB: 8 GiB.
pub const ADDRESS_SPACE: u64 = 8 << 20;

/// The limits that every run is given.
pub const TIME: Duration = Duration::from_secs(1);
pub const MEMORY: u64 = 256 << 20;

/// How much time and memory a run may take: half of the time limit more, and a second to start the process on a busy machine;
/// 100 MB beyond the memory limit.
pub const MOST_TIME: Duration = Duration::from_millis(2500);
pub const MOST_MEMORY: u64 = MEMORY + 100_000_000;

/// After this time a run is ended by force.
const PATIENCE: Duration = Duration::from_secs(20);

/// A temporary folder with some files, removed when dropped.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// Builds the command that runs the program in a folder with this many KiB of address space.
pub fn program(folder: &Path, arguments: &[&str], address_space: u64) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {address_space}; exec \"$@\""))
        .arg("sh")
        .arg(env!("CARGO_BIN_EXE_herbrand"))
        .args(arguments)
        .current_dir(folder);
    command
}

/// The most memory that a process has held so far; 0 once it has ended.
pub fn peak(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

/// The output and the measurements of a run.
#[derive(Debug)]
pub struct Ended {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    pub stderr: String,
    pub time: Duration,
    pub peak: u64,
}

/// Runs the program within both limits, with lines on standard input. Its output goes nowhere.
pub fn run(folder: &Path, arguments: &[&str], input: &str) -> Ended {
    let (time, memory) = (format!("{}s", TIME.as_secs()), format!("{}MiB", MEMORY >> 20));
    let arguments = [arguments, &["--time", &time, "--memory", &memory]].concat();
    run_in(ADDRESS_SPACE, folder, &arguments, input)
}

/// Runs the program with this many KiB of address space, without further limits.
pub fn run_in(address_space: u64, folder: &Path, arguments: &[&str], input: &str) -> Ended {
    // Files accept output without a reader, unlike pipes.
    let (stdin, stderr) = (folder.join("stdin"), folder.join("stderr"));
    fs::write(&stdin, input).expect("a file");
    let begin = Instant::now();
    let child = program(folder, arguments, address_space)
        .stdin(File::open(stdin).expect("a file"))
        .stdout(Stdio::null())
        .stderr(File::create(&stderr).expect("a file"))
        .spawn()
        .expect("a shell");
    let (status, peak) = watch(child, begin);
    Ended {
        status,
        time: begin.elapsed(),
        peak,
        stderr: String::from_utf8_lossy(&fs::read(&stderr).unwrap_or_default()).into_owned(),
    }
}

/// Waits for a process and looks at its memory; its exit status and the most memory that it held.
fn watch(mut child: Child, begin: Instant) -> (Option<i32>, u64) {
    let mut most = 0;
    loop {
        most = most.max(peak(child.id()));
        if let Some(status) = child.try_wait().expect("it is a child") {
            return (status.code(), most);
        }
        if begin.elapsed() > PATIENCE {
            let _ = child.kill();
        }
        thread::sleep(Duration::from_millis(2));
    }
}

impl Ended {
    /// Why the run breaks the rules, if it does; `may_say_no` for commands that have the answer "no".
    pub fn fault(&self, may_say_no: bool) -> Option<String> {
        let last = self.stderr.trim_end().lines().last().unwrap_or_default();
        let last: String = last.chars().take(200).collect();
        let (time, mebibytes) = (self.time, self.peak >> 20);
        let took = format!("after {time:.1?} with {mebibytes} MiB: {last}");
        match self.status {
            None => return Some(format!("ended by a signal {took}")),
            Some(0 | 2 | 3) => {}
            Some(1) if may_say_no => {}
            Some(status) => return Some(format!("exit status {status} {took}")),
        }
        if self.stderr.contains("panicked") {
            return Some(format!("panicked {took}"));
        }
        if self.time > MOST_TIME {
            return Some(format!("too late {took}"));
        }
        if self.peak > MOST_MEMORY {
            return Some(format!("too large {took}"));
        }
        // A run that exceeds the time or the memory must end because of a limit, and name it.
        let names = |limit: &str| self.stderr.contains(limit);
        let is_told = match self.status {
            // A search says so in its report.
            Some(3) if may_say_no && self.stderr.is_empty() => true,
            Some(2 | 3) if self.time > TIME.mul_f64(1.2) + (MOST_TIME - TIME.mul_f64(1.5)) => {
                names("time limit")
            }
            Some(2 | 3) if self.peak > MEMORY + (64 << 20) => names("memory limit"),
            Some(2) => !self.stderr.is_empty(),
            Some(3) => names("limit"),
            _ => true,
        };
        (!is_told).then(|| format!("the message names no limit {took}"))
    }

    /// Whether a limit ended the run.
    pub fn is_limited(&self) -> bool {
        self.status == Some(3)
    }
}
