//! Running another program within a budget.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use herbrand_limits::{BudgetExhausted, Instant};

use crate::outcome::{PlanRequest, PlannerError, Progress, SearchStatistics};

/// The largest size of a plan and of a program's output, in bytes.
pub(super) const LONGEST: u64 = 64 << 20;

/// The number of bytes from the end of the output that are searched for its last line.
const TAIL: u64 = 4096;

/// The maximum length of a reported line, in characters.
const LINE: usize = 300;

/// The initial pause between two checks of the program.
const SOON: Duration = Duration::from_millis(1);
/// The maximum pause between two checks.
const LATER: Duration = Duration::from_millis(20);

/// The files of one run.
pub(super) struct Files {
    pub folder: PathBuf,
    pub domain: PathBuf,
    pub problem: PathBuf,
    pub plan: PathBuf,
    pub output: PathBuf,
    pub errors: PathBuf,
}

impl Files {
    pub(super) fn of(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            domain: folder.join("domain.pddl"),
            problem: folder.join("problem.pddl"),
            plan: folder.join("plan"),
            output: folder.join("output"),
            errors: folder.join("errors"),
        }
    }
}

/// How a run ended.
pub(super) enum Ended {
    /// The program exited.
    Itself(ExitStatus),
    /// The program was killed because the budget was exceeded.
    Stopped(BudgetExhausted),
}

/// Runs a program until it exits or the budget is exceeded. Afterwards its whole process group is killed.
pub(super) fn run(
    name: &str,
    words: &[OsString],
    files: &Files,
    request: &mut PlanRequest<'_>,
) -> Result<Ended, PlannerError> {
    const PASS: &str = "waiting for another planner";
    let began = Instant::now();
    let left = request.budget.rest(0);
    let mut group = Group::start(name, words, files)?;
    if let Some(bytes) = left.bytes {
        group.limit(bytes);
    }
    let mut pause = SOON;
    loop {
        if let Some(status) = group.0.try_wait().map_err(super::files)? {
            return Ok(Ended::Itself(status));
        }
        let time = began.elapsed();
        if let Err(exhausted) = request.budget.check(PASS, 0) {
            return Ok(Ended::Stopped(exhausted));
        }
        let size = |file: &Path| fs::metadata(file).map_or(0, |data| data.len());
        if size(&files.output).max(size(&files.errors)) > LONGEST {
            return Err(too_long(name));
        }
        let statistics = SearchStatistics {
            time,
            ..SearchStatistics::default()
        };
        (request.progress)(Progress {
            statistics: &statistics,
            plan: None,
        });
        let rest = left.time.map_or(pause, |limit| limit.saturating_sub(time));
        thread::sleep(pause.min(rest));
        pause = (pause * 2).min(LATER);
    }
}

pub(super) fn too_long(name: &str) -> PlannerError {
    PlannerError::TooLong {
        program: name.to_owned(),
        limit: LONGEST,
    }
}

pub(super) fn no_plan(name: &str, status: ExitStatus, files: &Files) -> PlannerError {
    PlannerError::NoPlan {
        program: name.to_owned(),
        ended: status.to_string(),
        said: last_line(&files.errors).or_else(|| last_line(&files.output)),
    }
}

/// Returns the last non-blank line of a file, without control characters.
fn last_line(file: &Path) -> Option<String> {
    let mut file = File::open(file).ok()?;
    let length = file.metadata().ok()?.len();
    io::Seek::seek(&mut file, io::SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().rev();
    let mut lines = lines.map(|line| line.chars().filter(|one| !one.is_control()).collect::<String>());
    let last = lines.find(|line| !line.trim().is_empty())?;
    Some(last.trim().chars().take(LINE).collect())
}

/// A process group, which is killed when dropped.
struct Group(Child);

impl Group {
    fn start(name: &str, words: &[OsString], files: &Files) -> Result<Self, PlannerError> {
        let start = |reason: io::Error| PlannerError::Start {
            program: name.to_owned(),
            reason: reason.to_string(),
        };
        let (program, arguments) = words.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&files.folder)
            .stdin(Stdio::null())
            .stdout(File::create(&files.output).map_err(super::files)?)
            .stderr(File::create(&files.errors).map_err(super::files)?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map(Self).map_err(start)
    }

    /// Limits the address space of the process, and of all processes that it starts from now on.
    #[cfg(target_os = "linux")]
    fn limit(&self, bytes: u64) {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};

        let limit = Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        // The process may have exited already.
        let _ = prlimit(Some(Pid::from_child(&self.0)), Resource::As, limit);
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "only Linux limits another process")]
    fn limit(&self, _bytes: u64) {}

    fn end(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};

            // Processes that the program left behind are in its group, even if the program has exited.
            let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}
