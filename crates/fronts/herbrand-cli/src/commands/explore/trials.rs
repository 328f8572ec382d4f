//! The games of an experiment, which are played once and kept in a file.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use herbrand::explore::Usage;
use herbrand::explore::experiment::{Trial, parse};
use herbrand::explore::{
    Ending, ExploreOptions, Explorer, Mode, NativeWorld, PlannerSolver, RandomReader, Reader, RuleReader,
    Setting, Task,
};
use herbrand::plan::PlannerKind;

use super::model::ServerArgs;
use super::options::{Execute, Games, ModeName, settings};
use crate::failure::{Failure, refuse};
use crate::files;
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::options::planners;
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

    /// The seed of the player `random`
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// How much of a plan to execute before planning again
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    execute: Execute,

    /// How often to ask the player again about the same text
    #[arg(long, default_value_t = ExploreOptions::default().retries, value_name = "N")]
    retries: usize,

    /// Count commands that are not valid as steps, as PDDLEGO does, in the mode end-to-end
    #[arg(long)]
    count_invalid: bool,

    /// The planner for goals for which any plan suffices
    #[arg(long, default_value = "landmarks", value_name = "PLANNER", value_parser = planners())]
    planner: PlannerKind,

    #[command(flatten)]
    pub limits: LimitArgs,
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
        let missing = self.missing(wanted, &played.trials)?;
        if missing.is_empty() {
            return Ok(played);
        }
        let mut log = files::go_on_with_log(&self.file, length as u64)?;
        let mut progress = Progress::of_games(missing.len() as u64);
        progress.begin("games", 0, 1);
        for (number, (setting, trial)) in missing.iter().enumerate() {
            let Some(done) = self.one(*setting, trial, interrupt)? else {
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

    /// Returns the games to play, with empty results.
    fn missing(&self, wanted: &Wanted<'_>, trials: &[Trial]) -> Result<Vec<(Setting, Trial)>, Failure> {
        let (player, methods) = self.player()?;
        let temperature = (self.reader == Some(Player::Model)).then_some(self.server.temperature);
        let options = (temperature, self.retries, self.count_invalid);
        let options_of = |one: &Trial| (one.temperature, one.retries, one.counts_invalid);
        let other = trials
            .iter()
            .find(|one| one.player == player && options_of(one) != options);
        if let Some(other) = other {
            let told = |(temperature, retries, counts_invalid): (Option<f64>, usize, bool)| {
                let temperature = temperature
                    .map(|one| format!("--temperature {one} "))
                    .unwrap_or_default();
                let invalid = if counts_invalid { " --count-invalid" } else { "" };
                format!("{temperature}--retries {retries}{invalid}")
            };
            return refuse(format!(
                "{} has games of `{player}` with {}, not {}: choose another file",
                self.file.display(),
                told(options_of(other)),
                told(options),
            ));
        }
        let worlds = if self.world.is_empty() {
            wanted.worlds
        } else {
            &self.world
        };
        let games = self
            .games
            .as_ref()
            .map_or(wanted.games.clone(), |games| games.0.clone());
        let mut missing = Vec::new();
        for &method in &methods {
            for &world in worlds {
                for game in games.clone() {
                    for trial in 0..self.trials.unwrap_or(wanted.trials) {
                        let one = Trial {
                            player: player.clone(),
                            method,
                            world: world.name().to_owned(),
                            game,
                            trial,
                            temperature,
                            retries: self.retries,
                            counts_invalid: self.count_invalid,
                            ending: Ending::NotPlayed,
                            steps: 0,
                            score: 0.0,
                            usage: Usage::default(),
                        };
                        if !trials.iter().any(|known| known.is_same(&one)) {
                            missing.push((world, one));
                        }
                    }
                }
            }
        }
        Ok(missing)
    }

    /// Returns the name of the player and its methods.
    fn player(&self) -> Result<(String, Vec<Mode>), Failure> {
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

    /// Plays one game. Returns `None` if it was interrupted.
    fn one(&self, setting: Setting, trial: &Trial, interrupt: Interrupt) -> Result<Option<Trial>, Failure> {
        let mut reader: Box<dyn Reader> = match self.reader {
            Some(Player::Model) => self.server.reader()?,
            Some(Player::Random) => Box::new(RandomReader::new(seed(self.seed, setting, trial))),
            Some(Player::Rules) | None => Box::new(RuleReader::new()),
        };
        let task = Task::of(setting).map_err(Failure::of)?;
        let mut world = NativeWorld::new(setting).map_err(Failure::of)?;
        let mut explorer = Explorer {
            task: &task,
            reader: reader.as_mut(),
            solver: &mut PlannerSolver::new(self.planner, self.limits.limits()),
            options: ExploreOptions {
                execution: self.execute.into(),
                mode: trial.method,
                retries: self.retries,
                counts_invalid: self.count_invalid,
            },
        };
        let mut watch = |_: &_| !interrupt.is_pressed();
        let game = explorer
            .play(&mut world, trial.game, &mut watch)
            .map_err(Failure::of)?;
        let is_whole = game.ending != Ending::Stopped && !interrupt.is_pressed();
        Ok(is_whole.then(|| Trial {
            ending: game.ending,
            steps: game.steps,
            score: game.score,
            usage: reader.usage(),
            ..trial.clone()
        }))
    }
}

/// Returns the seed of a trial of the random player, so that a trial does not depend on earlier ones.
fn seed(seed: u64, setting: Setting, trial: &Trial) -> u64 {
    let parts = [seed, setting as u64, trial.game, u64::from(trial.trial)];
    // The mixing step of SplitMix64.
    parts.into_iter().fold(0, |sum: u64, part| {
        let mut mixed = (sum ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}
