//! The games of an experiment, which are played once and kept in a file.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use herbrand::explore::experiment::{Trial, TrialPlan, parse};
use herbrand::explore::{Ending, Mode, RandomReader, Reader, RuleReader, Setting};

use super::model::ServerArgs;
use super::options::{Games, ModeName, PlayArgs, settings};
use crate::failure::{Failure, refuse};
use crate::files;
use crate::interrupt::Interrupt;
use crate::output;
use crate::progress::Progress;

/// The player of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Player {
    /// A table of the games' sentences
    Rules,
    /// A language model, through a server with OpenAI's chat completions interface
    Model,
    /// A player that draws its commands
    Random,
}

/// The options that choose the games of an experiment.
#[derive(Args)]
pub struct TrialArgs {
    /// The file of trials, one line per game; games that are in it are not played again
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The player whose games are added; without it, nothing is played
    #[arg(long, value_enum, value_name = "READER")]
    reader: Option<Player>,

    #[command(flatten)]
    server: ServerArgs,

    /// The form of the player's answers; repeat for several [default: the paper's methods, as far as the player has them]
    #[arg(long, value_enum, value_name = "MODE")]
    mode: Vec<ModeName>,

    /// The kind of game; repeat for several [default: all; for the figure coin]
    #[arg(long, value_name = "WORLD", value_parser = settings())]
    world: Vec<Setting>,

    /// The game numbers: one number, or a range that excludes its end [default: the paper's test games 10..60; for the figure
    /// its development games 0..10]
    #[arg(long, value_name = "N|N..N")]
    games: Option<Games>,

    /// How often each game is played [default: 1; for the figure 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    trials: Option<u32>,

    #[command(flatten)]
    pub play: PlayArgs,
}

/// The games of an experiment that are played unless options say otherwise.
pub struct Wanted<'w> {
    pub worlds: &'w [Setting],
    pub games: std::ops::Range<u64>,
    pub trials: u32,
}

/// The trials of a file, with the reason why games are missing.
pub struct Played {
    pub trials: Vec<Trial>,
    /// The number of games that were not played because the server is down.
    pub not_played: u64,
}

impl Played {
    /// Returns the failure of a run whose server was down.
    pub fn check(&self) -> Result<(), Failure> {
        if self.not_played == 0 {
            return Ok(());
        }
        let games = output::counted(self.not_played, "game");
        refuse(format!(
            "the server is down: {games} not played; the same command goes on with them later"
        ))
    }
}

impl TrialArgs {
    /// Plays the games that the file does not have yet, and adds each to it. Returns all trials of the file.
    pub fn play(&self, wanted: &Wanted<'_>, interrupt: Interrupt) -> Result<Played, Failure> {
        let exists = self.file.exists();
        if !exists && self.reader.is_none() {
            let file = self.file.display();
            return refuse(format!(
                "{file} does not exist: add --reader to play games into it"
            ));
        }
        let text = if exists {
            fs::read_to_string(&self.file).map_err(|error| Failure::at(&self.file, error))?
        } else {
            String::new()
        };
        let at = |error| Failure::at(&self.file, error);
        let (trials, length) = parse(&text).map_err(at)?;
        let mut played = Played {
            trials,
            not_played: 0,
        };
        if self.reader.is_none() {
            files::note_input(&self.file);
            return Ok(played);
        }
        let plan = self.plan(wanted)?;
        let missing = plan.missing(&played.trials).map_err(|error| {
            let file = self.file.display();
            Failure::Request(format!("{file} has {error}: choose another file"))
        })?;
        if missing.is_empty() {
            return Ok(played);
        }
        let mut log = files::go_on_with_log(&self.file, length as u64)?;
        let mut progress = Progress::of(missing.len() as u64, "games");
        progress.begin("games", 0, 1);
        for (number, trial) in missing.iter().enumerate() {
            let mut reader = self.player(trial)?;
            let mut solver = self.play.solver();
            let watch = || !interrupt.is_pressed();
            let done = plan.play(trial, reader.as_mut(), &mut solver, &watch);
            let Some(done) = done.map_err(Failure::of)? else {
                break;
            };
            if done.ending == Ending::NotPlayed {
                played.not_played = (missing.len() - number) as u64;
                break;
            }
            let line = serde_json::to_string(&done).unwrap_or_default();
            writeln!(log, "{line}")?;
            log.flush()?;
            played.trials.push(done);
            progress.advance(1);
        }
        progress.finish();
        Ok(played)
    }

    /// Returns the games that are asked for.
    fn plan(&self, wanted: &Wanted<'_>) -> Result<TrialPlan, Failure> {
        let (player, methods) = self.methods()?;
        let worlds = if self.world.is_empty() {
            wanted.worlds
        } else {
            &self.world
        };
        let games = self.games.as_ref();
        Ok(TrialPlan {
            player,
            methods,
            worlds: worlds.to_vec(),
            games: games.map_or_else(|| wanted.games.clone(), |games| games.0.clone()),
            trials: self.trials.unwrap_or(wanted.trials),
            temperature: (self.reader == Some(Player::Model)).then_some(self.server.temperature),
            options: self.play.options(Mode::default()),
        })
    }

    /// Returns the name of the player and its methods.
    fn methods(&self) -> Result<(String, Vec<Mode>), Failure> {
        const PAPER: [Mode; 3] = [Mode::EndToEnd, Mode::WholeProblem, Mode::Lines];
        let (name, has): (String, &[Mode]) = match self.reader {
            Some(Player::Model) => (self.server.name()?, &PAPER),
            Some(Player::Random) => ("random".to_owned(), &PAPER[..1]),
            Some(Player::Rules) | None => ("rules".to_owned(), &PAPER[1..]),
        };
        let asked: Vec<Mode> = self.mode.iter().map(|&mode| mode.into()).collect();
        if asked.is_empty() {
            return Ok((name, has.to_vec()));
        }
        let wrong = asked.iter().find(|&&mode| match self.reader {
            Some(Player::Random) => mode != Mode::EndToEnd,
            Some(Player::Rules) => mode == Mode::EndToEnd,
            Some(Player::Model) | None => false,
        });
        match wrong {
            Some(mode) => refuse(format!(
                "the player `{name}` has no mode {}: use another --reader or another --mode",
                mode.name()
            )),
            None => Ok((name, asked)),
        }
    }

    /// Returns the player of a game.
    fn player(&self, trial: &Trial) -> Result<Box<dyn Reader>, Failure> {
        Ok(match self.reader {
            Some(Player::Model) => self.server.reader()?,
            Some(Player::Random) => Box::new(RandomReader::new(trial.seed(self.play.seed))),
            Some(Player::Rules) | None => Box::new(RuleReader::new()),
        })
    }
}
