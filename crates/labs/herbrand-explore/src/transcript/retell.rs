//! Parsing and replaying transcripts.

use std::cell::RefCell;
use std::collections::VecDeque;

use herbrand_edit::PlanningModel;

use super::{GameHead, Line, TranscriptError};
use crate::explore::Explorer;
use crate::game::{Event, Game};
use crate::reader::{ReadError, ReadRequest, Reader, ReaderAnswer};
use crate::solver::{PlanQuality, Solver, SolverOutcome};
use crate::task::Task;
use crate::world::{GameError, Observation, TextWorld};

/// A parsed transcript: the recorded answers of world, reader and solver in one or more games, which [`play`](Self::play)
/// replays game by game.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The remaining lines, with their numbers.
    lines: VecDeque<(usize, Line)>,
    /// The number of lines plus one.
    end: usize,
}

impl Transcript {
    /// Parses the lines that a [`TranscriptWriter`](crate::TranscriptWriter) wrote. Empty lines are skipped, and an
    /// empty text has no games.
    ///
    /// # Errors
    /// [`TranscriptError::Line`] for the first line that cannot be parsed.
    pub fn parse(text: &str) -> Result<Self, TranscriptError> {
        let read = |(line, text): (usize, &str)| {
            let parsed = serde_json::from_str(text).map_err(|error| TranscriptError::Line {
                line,
                message: error.to_string(),
            });
            Ok((line, parsed?))
        };
        let lines = (1..)
            .zip(text.lines())
            .filter(|(_, text)| !text.trim().is_empty());
        Ok(Self {
            lines: lines.map(read).collect::<Result<_, TranscriptError>>()?,
            end: text.lines().count() + 1,
        })
    }

    /// Returns the header of the next game to replay. `None` if the transcript is over or the next line is not a
    /// header. Call [`play`](Self::play) to replay it.
    #[must_use]
    pub fn next_game(&self) -> Option<&GameHead> {
        match self.lines.front() {
            Some((_, Line::Game(head))) => Some(head),
            _ => None,
        }
    }

    /// Replays the next game without world, reader and planner, and returns its record, which equals the original one.
    /// `task` must be the task of the recorded game. `watch` is called for each event; it returns whether to continue.
    /// The game's lines are used up, also after an error, and the next call replays the next game.
    ///
    /// # Errors
    /// [`TranscriptError::Other`] if the loop requests something else than the transcript contains, or if `watch` stops
    /// a game that went on when it was recorded. [`TranscriptError::World`] if the world failed in the recorded game.
    /// [`TranscriptError::Over`] if there are no more games.
    pub fn play(
        &mut self,
        task: &Task,
        watch: &mut dyn FnMut(&Event) -> bool,
    ) -> Result<Game, TranscriptError> {
        let head = match self.lines.pop_front() {
            Some((_, Line::Game(head))) => head,
            Some((line, _)) => {
                let asked = "the beginning of a game".to_owned();
                return Err(TranscriptError::Other { line, asked });
            }
            None => return Err(TranscriptError::Over),
        };
        let rest = self
            .lines
            .iter()
            .position(|(_, line)| matches!(line, Line::Game(_)));
        let later = self.lines.split_off(rest.unwrap_or(self.lines.len()));
        let end = later.front().map_or(self.end, |(line, _)| *line);
        let told = RecordedGame {
            lines: RefCell::new(std::mem::replace(&mut self.lines, later)),
            end,
            failed: RefCell::new(None),
        };
        let stop = told.lines.borrow().iter().find_map(|(_, line)| match line {
            Line::Stopped(event) => Some(*event),
            _ => None,
        });
        told.lines
            .borrow_mut()
            .retain(|(_, line)| !matches!(line, Line::Stopped(_)));
        let mut events = 0;
        let mut watch = |event: &Event| {
            let goes_on = watch(event) && Some(events) != stop && told.failed.borrow().is_none();
            events += 1;
            goes_on
        };
        let mut explorer = Explorer {
            task,
            reader: &mut RecordedReader {
                told: &told,
                learns: head.learns,
                is_gone: false,
            },
            solver: &mut RecordedSolver(&told),
            options: head.options(),
        };
        let played = explorer.play(&mut RecordedWorld(&told), head.game, &mut watch);
        if let Ok(game) = &played {
            told.next("the end of the game", |line| {
                let same = matches!(line, Line::End { ending, steps, score }
                    if (*ending, *steps, *score) == (game.ending, game.steps, game.score));
                same.then_some(())
            });
        }
        match told.failed.take() {
            Some(error) => Err(error),
            None => Ok(played?),
        }
    }
}

/// The remaining lines of a game, and the first mismatch.
struct RecordedGame {
    lines: RefCell<VecDeque<(usize, Line)>>,
    end: usize,
    failed: RefCell<Option<TranscriptError>>,
}

impl RecordedGame {
    /// Takes the next line. If it does not fit the request, records the mismatch and returns `None`.
    fn next<T>(&self, asked: &str, fits: impl FnOnce(&Line) -> Option<T>) -> Option<T> {
        let mut failed = self.failed.borrow_mut();
        if failed.is_some() {
            return None;
        }
        let mut lines = self.lines.borrow_mut();
        let found = lines.front().and_then(|(_, line)| fits(line));
        if found.is_none() {
            *failed = Some(TranscriptError::Other {
                line: lines.front().map_or(self.end, |(line, _)| *line),
                asked: asked.to_owned(),
            });
        }
        lines.pop_front();
        found
    }

    /// Takes the next answer of the world. Fails if the recorded world failed.
    fn world<T>(&self, asked: &str, fits: impl FnOnce(&Line) -> Option<T>) -> Result<T, GameError> {
        let answer = self.next(asked, |line| match line {
            Line::Broke(message) => Some(Err(GameError(message.clone()))),
            line => fits(line).map(Ok),
        });
        answer.unwrap_or_else(|| Err(GameError(format!("the transcript does not have {asked}"))))
    }
}

struct RecordedWorld<'t>(&'t RecordedGame);

impl TextWorld for RecordedWorld<'_> {
    fn task(&self) -> String {
        let task = self.0.next("what the player is told to do", |line| match line {
            Line::Task(task) => Some(task.clone()),
            _ => None,
        });
        task.unwrap_or_default()
    }

    fn begin(&mut self, _: u64) -> Result<Observation, GameError> {
        self.0.world("what is seen first", |line| match line {
            Line::Begin(seen) => Some(seen.clone()),
            _ => None,
        })
    }

    fn step(&mut self, command: &str) -> Result<Observation, GameError> {
        self.0
            .world(&format!("what `{command}` leads to"), |line| match line {
                Line::Step { command: given, seen } if given == command => Some(seen.clone()),
                _ => None,
            })
    }

    fn commands(&mut self) -> Result<Vec<String>, GameError> {
        self.0.world("the commands that do something", |line| match line {
            Line::Commands(commands) => Some(commands.clone()),
            _ => None,
        })
    }
}

struct RecordedReader<'t> {
    told: &'t RecordedGame,
    learns: bool,
    is_gone: bool,
}

impl Reader for RecordedReader<'_> {
    fn read(&mut self, _: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        let answer = self.told.next("an answer of the reader", |line| match line {
            Line::Read(reading) => Some((Ok(reading.clone()), false)),
            Line::Unread { message, again, gone } => {
                let error = ReadError {
                    message: message.clone(),
                    again: *again,
                };
                Some((Err(error), *gone))
            }
            _ => None,
        });
        let answer = answer.map(|(answer, gone)| {
            self.is_gone = gone;
            answer
        });
        answer.unwrap_or_else(|| Err(ReadError::last("the transcript has no answer")))
    }

    fn phrase(&self, object: &str) -> String {
        let text = self
            .told
            .next(&format!("what the world calls `{object}`"), |line| match line {
                Line::Phrase { object: named, text } if named == object => Some(text.clone()),
                _ => None,
            });
        text.unwrap_or_default()
    }

    fn learns(&self) -> bool {
        self.learns
    }

    fn is_gone(&self) -> bool {
        self.is_gone
    }
}

struct RecordedSolver<'t>(&'t RecordedGame);

impl Solver for RecordedSolver<'_> {
    fn solve(&mut self, _: &PlanningModel, aim: PlanQuality) -> SolverOutcome {
        let solution = self.0.next("a plan", |line| match line {
            Line::Solve {
                aim: wanted,
                solution,
            } if *wanted == aim => Some(solution.clone()),
            _ => None,
        });
        solution.unwrap_or(SolverOutcome::Exhausted)
    }
}
