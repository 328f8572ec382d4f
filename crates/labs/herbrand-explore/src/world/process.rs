//! Games that another program runs.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use herbrand_limits::check_enclosing;
use serde::Deserialize;
use serde_json::json;

use super::{GameError, Observation, TextWorld};

/// The greatest length of an answer in bytes.
const LONGEST: u64 = 1 << 22;

/// The time between two checks of the enclosing budget.
const PERIOD: Duration = Duration::from_millis(100);

/// A world that another program runs, such as `python3 -m herbrand.explore.serve coin` with the games of TextWorldExpress.
///
/// The program reads a request per line, `{"begin": 10}` or `{"step": "open door"}`, and writes an answer per line: a JSON
/// object with the fields of [`Observation`], and `task`, the description of the task, and `commands`, the commands that are
/// valid now. If it cannot go on, it answers `{"error": "…"}`. It is killed when the world is dropped.
#[derive(Debug)]
pub struct ProcessWorld {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    task: String,
    commands: Vec<String>,
}

/// An answer of the program.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Failed {
        error: String,
    },
    Seen {
        #[serde(flatten)]
        observation: Observation,
        task: String,
        commands: Vec<String>,
    },
}

impl ProcessWorld {
    /// Starts the program that `words` name, its name first. The world is ready once a game begins.
    ///
    /// # Errors
    /// Fails if there is no such program.
    pub fn start(words: &[String]) -> Result<Self, GameError> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(GameError("the simulator has no name".to_owned()));
        };
        let started = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = started
            .map_err(|error| GameError(format!("the simulator `{program}` cannot be started: {error}")))?;
        let (Some(requests), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(gone());
        };
        let (sender, answers) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = (&mut output).take(LONGEST).read_until(b'\n', &mut line);
                let whole = read.is_ok() && line.ends_with(b"\n");
                if !whole || sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            requests,
            answers,
            task: String::new(),
            commands: Vec::new(),
        })
    }

    fn ask(&mut self, request: &serde_json::Value) -> Result<Observation, GameError> {
        writeln!(self.requests, "{request}").map_err(|_| gone())?;
        self.requests.flush().map_err(|_| gone())?;
        let line = loop {
            match self.answers.recv_timeout(PERIOD) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) => {
                    check_enclosing("waiting for the simulator").map_err(GameError::from_error)?;
                }
            }
        };
        match serde_json::from_str(&line) {
            Ok(Answer::Seen {
                observation,
                task,
                commands,
            }) => {
                (self.task, self.commands) = (task, commands);
                Ok(observation)
            }
            Ok(Answer::Failed { error }) => Err(GameError(error)),
            Err(error) => Err(GameError(format!(
                "the simulator's answer cannot be read: {error}"
            ))),
        }
    }
}

fn gone() -> GameError {
    GameError("the simulator has ended, or its answer is no line of at most 4 MiB".to_owned())
}

impl TextWorld for ProcessWorld {
    fn task(&self) -> String {
        self.task.clone()
    }

    fn begin(&mut self, game: u64) -> Result<Observation, GameError> {
        self.ask(&json!({ "begin": game }))
    }

    fn step(&mut self, command: &str) -> Result<Observation, GameError> {
        self.ask(&json!({ "step": command }))
    }

    fn commands(&mut self) -> Result<Vec<String>, GameError> {
        Ok(self.commands.clone())
    }
}

impl Drop for ProcessWorld {
    fn drop(&mut self) {
        // A program that has ended already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
