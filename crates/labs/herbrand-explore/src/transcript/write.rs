//! Recording transcripts.

use std::cell::RefCell;
use std::io::{self, Write};

use herbrand_edit::PlanningModel;

use super::{GameHead, Line, TranscriptError};
use crate::explore::Explorer;
use crate::game::{Event, Game};
use crate::reader::{ReadError, ReadRequest, Reader, ReaderAnswer};
use crate::solver::{PlanQuality, Solver, SolverOutcome};
use crate::usage::Usage;
use crate::world::{GameError, Observation, TextWorld};

/// Writes a transcript of an explorer's games, as lines of JSON for [`Transcript::parse`](crate::Transcript::parse).
/// [`play`](Self::play) plays a game and writes it. Each line is written and flushed immediately.
#[derive(Debug)]
pub struct TranscriptWriter<W>(Pen<W>);

/// The output, and the first error.
#[derive(Debug)]
struct Pen<W> {
    into: RefCell<W>,
    failed: RefCell<Option<io::Error>>,
}

impl<W: Write> Pen<W> {
    fn line(&self, line: &Line) {
        let mut failed = self.failed.borrow_mut();
        if failed.is_none() {
            let mut into = self.into.borrow_mut();
            let written = serde_json::to_string(line)
                .map_err(io::Error::other)
                .and_then(|line| writeln!(into, "{line}"))
                .and_then(|()| into.flush());
            *failed = written.err();
        }
    }

    /// Writes a failure of the world and returns it.
    fn broke(&self, error: GameError) -> GameError {
        self.line(&Line::Broke(error.0.clone()));
        error
    }
}

impl<W: Write> TranscriptWriter<W> {
    /// Creates a writer that writes its lines to `into`. Nothing is written before [`play`](Self::play).
    pub const fn new(into: W) -> Self {
        Self(Pen {
            into: RefCell::new(into),
            failed: RefCell::new(None),
        })
    }

    /// Plays one game like [`Explorer::play`] and writes its transcript. `name` is the name of the world for the header;
    /// `game` is the number of the game, and `watch` returns whether to continue. Call it again to append another game.
    ///
    /// # Errors
    /// Fails if the world fails, which the transcript records, or a line cannot be written, which stops the game.
    pub fn play(
        &mut self,
        explorer: &mut Explorer<'_>,
        world: &mut dyn TextWorld,
        name: &str,
        game: u64,
        watch: &mut dyn FnMut(&Event) -> bool,
    ) -> Result<Game, TranscriptError> {
        let pen = &self.0;
        let options = explorer.options;
        pen.line(&Line::Game(GameHead {
            world: name.to_owned(),
            game,
            execution: options.execution,
            mode: options.mode,
            retries: options.retries,
            counts_invalid: options.counts_invalid,
            learns: explorer.reader.learns(),
        }));
        let mut events = 0;
        let mut watch = |event: &Event| {
            let goes_on = watch(event) && pen.failed.borrow().is_none();
            if !goes_on {
                pen.line(&Line::Stopped(events));
            }
            events += 1;
            goes_on
        };
        let mut written = Explorer {
            task: explorer.task,
            reader: &mut WrittenReader(pen, &mut *explorer.reader),
            solver: &mut WrittenSolver(pen, &mut *explorer.solver),
            options,
        };
        let played = written.play(&mut WrittenWorld(pen, world), game, &mut watch);
        if let Ok(game) = &played {
            pen.line(&Line::End {
                ending: game.ending,
                steps: game.steps,
                score: game.score,
            });
        }
        match pen.failed.take() {
            Some(error) => Err(error.into()),
            None => Ok(played?),
        }
    }
}

struct WrittenWorld<'w, W>(&'w Pen<W>, &'w mut dyn TextWorld);

impl<W: Write> TextWorld for WrittenWorld<'_, W> {
    fn task(&self) -> String {
        let task = self.1.task();
        self.0.line(&Line::Task(task.clone()));
        task
    }

    fn begin(&mut self, game: u64) -> Result<Observation, GameError> {
        let seen = self.1.begin(game).map_err(|error| self.0.broke(error))?;
        self.0.line(&Line::Begin(seen.clone()));
        Ok(seen)
    }

    fn step(&mut self, command: &str) -> Result<Observation, GameError> {
        let seen = self.1.step(command).map_err(|error| self.0.broke(error))?;
        self.0.line(&Line::Step {
            command: command.to_owned(),
            seen: seen.clone(),
        });
        Ok(seen)
    }

    fn commands(&mut self) -> Result<Vec<String>, GameError> {
        let commands = self.1.commands().map_err(|error| self.0.broke(error))?;
        self.0.line(&Line::Commands(commands.clone()));
        Ok(commands)
    }
}

struct WrittenReader<'w, W>(&'w Pen<W>, &'w mut dyn Reader);

impl<W: Write> Reader for WrittenReader<'_, W> {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        let answer = self.1.read(request);
        self.0.line(&match &answer {
            Ok(reading) => Line::Read(reading.clone()),
            Err(ReadError { message, again }) => Line::Unread {
                message: message.clone(),
                again: *again,
                gone: self.1.is_gone(),
            },
        });
        answer
    }

    fn begin(&mut self) {
        self.1.begin();
    }

    fn phrase(&self, object: &str) -> String {
        let text = self.1.phrase(object);
        self.0.line(&Line::Phrase {
            object: object.to_owned(),
            text: text.clone(),
        });
        text
    }

    fn learns(&self) -> bool {
        self.1.learns()
    }

    fn is_gone(&self) -> bool {
        self.1.is_gone()
    }

    fn believed(&mut self, step: usize, problem: &PlanningModel) {
        self.1.believed(step, problem);
    }

    fn usage(&self) -> Usage {
        self.1.usage()
    }
}

struct WrittenSolver<'w, W>(&'w Pen<W>, &'w mut dyn Solver);

impl<W: Write> Solver for WrittenSolver<'_, W> {
    fn solve(&mut self, model: &PlanningModel, aim: PlanQuality) -> SolverOutcome {
        let solution = self.1.solve(model, aim);
        self.0.line(&Line::Solve {
            aim,
            solution: solution.clone(),
        });
        solution
    }
}
