//! `herbrand explore`: an agent plays text games by reading, planning and acting.

mod believing;
mod figure;
mod model;
mod options;
mod show;
mod table;
mod trials;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use herbrand::explore::{
    Ending, Event, Explorer, Game, NativeWorld, ProcessWorld, RandomReader, Reader, RuleReader,
    ScriptedReader, SentenceReader, Setting, Task, TaskFile, TextWorld, Transcript, TranscriptWriter,
    UnknownSetting,
};
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::files;
use crate::input;
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::progress::Progress;

use believing::Believing;
use model::ModelArgs;
use options::{Games, ModeName, PlayArgs, ReaderName, settings};
use show::show;

/// Play text games with an agent that explores
///
/// The agent sees the current room as text. A reader turns the text into statements, which build up a planning problem. The
/// agent plans for the best goal that it can reach, and acts. The games are generated problems of the bundled domains
/// coin-collector and cooking-world.
///
/// The exit status is 1 if a game is not won.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  herbrand explore                                       play the test games of all worlds
  herbrand explore --world coin --games 0..1000
  herbrand explore --world cooking-hard --games 12 --show    show one game step by step
  herbrand explore --world coin --execute every-step --format json
  herbrand explore --world coin --reader random --mode end-to-end    a player that draws its commands
  herbrand explore --world coin --reader model --model NAME --url http://127.0.0.1:8080/v1 --record games.jsonl
  herbrand explore --world coin --reader model --model NAME --replay games.jsonl
  herbrand explore --world coin --simulator \"python3 -m herbrand.explore.serve\"    the games of TextWorldExpress
  herbrand explore --world coin --transcript games.jsonl
  herbrand explore --retell games.jsonl                  replay recorded games
  herbrand explore --world coin --task task.toml         your own domain, goals and sentences
  herbrand explore --world coin --games 10 --believed problems    the problem that the agent believes in at each step
  herbrand explore table trials.jsonl --reader random    an experiment of many games"
)]
pub struct Explore {
    #[command(subcommand)]
    experiment: Option<Experiment>,

    /// The kind of game; repeat for several [default: all]
    #[arg(long, value_name = "WORLD", value_parser = settings())]
    world: Vec<Setting>,

    /// The game numbers: one number, or a range that excludes its end
    #[arg(long, default_value = "10..60", value_name = "N|N..N")]
    games: Games,

    /// The reader of the texts
    #[arg(long, value_enum, default_value_t, value_name = "READER")]
    reader: ReaderName,

    /// The answers of the reader `script`, one JSON value per line
    #[arg(long, value_name = "FILE", required_if_eq("reader", "script"))]
    script: Option<PathBuf>,

    #[command(flatten)]
    model: ModelArgs,

    /// What the reader returns
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    mode: ModeName,

    #[command(flatten)]
    play: PlayArgs,

    /// A program that runs the games in place of the bundled worlds; it gets the world as its last word
    #[arg(long, value_name = "PROGRAM")]
    simulator: Option<String>,

    /// A file with your own domain, goals, commands and sentences, for one --world
    #[arg(long, value_name = "FILE")]
    task: Option<PathBuf>,

    /// Write the problem that the agent believes in after each text to DIR/WORLD-GAME/STEP.pddl
    #[arg(long, value_name = "DIR", conflicts_with = "retell")]
    believed: Option<PathBuf>,

    /// Write a transcript: one line per answer of the world, the reader and the planner
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,

    /// Replay the games of a transcript, without a world, reader or planner
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "world", "games", "seed", "simulator", "reader", "script", "model", "replay", "execute", "mode", "retries", "count_invalid", "planner",
        "transcript",
    ])]
    retell: Option<PathBuf>,

    /// Print the events of each game
    #[arg(long)]
    show: bool,
}

/// The parts of an experiment with many games.
#[derive(Subcommand)]
enum Experiment {
    Table(table::Table),
    Figure(figure::Figure),
}

/// The results of the games in one setting.
#[derive(Serialize)]
struct Played {
    world: &'static str,
    games: Vec<Game>,
    /// The mean number of commands per won game; `None` if no game was won.
    steps: Option<f64>,
    won: usize,
    /// The number of games that were not played to their end because the reader's server was down.
    not_played: u64,
    #[serde(skip)]
    seconds: f64,
}

impl Explore {
    /// Returns the limits of the whole command. The limits of time and memory are for each search.
    pub const fn limits(&self) -> LimitArgs {
        let play = match &self.experiment {
            Some(Experiment::Table(table)) => &table.games.play,
            Some(Experiment::Figure(figure)) => &figure.games.play,
            None => &self.play,
        };
        play.limits.of_parts()
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        match self.experiment {
            Some(Experiment::Table(table)) => return table.run(format),
            Some(Experiment::Figure(figure)) => return figure.run(format),
            None => {}
        }
        let interrupt = Interrupt::watch_termination()?;
        let played = match &self.retell {
            Some(path) => self.retell(path, interrupt, format)?,
            None => self.play_all(interrupt, format)?,
        };
        match format {
            Format::Json => output::json(&played)?,
            Format::Text => table(&played)?,
        }
        let not_played: u64 = played.iter().map(|played| played.not_played).sum();
        if not_played > 0 {
            let games = output::counted(not_played, "game");
            return refuse(format!(
                "the server is down: {games} not played, and the results are of the others"
            ));
        }
        let won = played.iter().all(|played| played.won == played.games.len());
        Ok(match interrupt.answer() {
            CommandOutcome::Yes if !won => CommandOutcome::No,
            answer => answer,
        })
    }

    /// Plays the games that the arguments name.
    fn play_all(&self, interrupt: Interrupt, format: Format) -> Result<Vec<Played>, Failure> {
        let worlds = if self.world.is_empty() {
            Setting::ALL.to_vec()
        } else {
            self.world.clone()
        };
        let own = self.own_task(&worlds)?;
        let (own, sentences) = own.map_or((None, None), |own| (Some(own.task), own.sentences));
        let mut reader = self.reader(sentences)?;
        let log = self.transcript.as_deref().map(files::start_log).transpose()?;
        let mut writer = log.map(TranscriptWriter::new);
        let mut played = Vec::new();
        let count = self.games.0.end - self.games.0.start;
        let mut progress = Progress::of(count.saturating_mul(worlds.len() as u64), "games");
        for (index, &setting) in worlds.iter().enumerate() {
            progress.begin(setting.name(), index, worlds.len());
            if played.last().is_some_and(|last: &Played| last.not_played > 0) {
                played.push(Played {
                    not_played: count,
                    ..Played::of(setting)
                });
                continue;
            }
            let task = match &own {
                Some(task) => task.clone(),
                None => Task::of(setting).map_err(Failure::of)?,
            };
            let of_setting = self.play_world(
                (setting, &task),
                reader.as_mut(),
                writer.as_mut(),
                &progress,
                interrupt,
                format,
            )?;
            played.push(of_setting);
            if interrupt.is_pressed() {
                break;
            }
        }
        progress.finish();
        Ok(played)
    }

    /// Replays the games of a transcript.
    fn retell(&self, path: &Path, interrupt: Interrupt, format: Format) -> Result<Vec<Played>, Failure> {
        let mut transcript = Transcript::parse(input::read(path)?.text()).map_err(Failure::of)?;
        let mut played: Vec<Played> = Vec::new();
        while let Some(head) = transcript.next_game() {
            if interrupt.is_pressed() {
                break;
            }
            let setting: Setting = head
                .world
                .parse()
                .map_err(|error: UnknownSetting| Failure::at(path, error))?;
            let began = Instant::now();
            let task = match self.own_task(&[setting])? {
                Some(own) => own.task,
                None => Task::of(setting).map_err(Failure::of)?,
            };
            let mut watch = |_: &Event| !interrupt.is_pressed();
            let game = transcript.play(&task, &mut watch).map_err(Failure::of)?;
            if self.show && format == Format::Text {
                show(setting, &game)?;
            }
            if played.last().is_none_or(|played| played.world != setting.name()) {
                played.push(Played::of(setting));
            }
            if let Some(played) = played.last_mut() {
                match game.ending {
                    Ending::NotPlayed => played.not_played += 1,
                    _ => played.games.push(game),
                }
                played.seconds += began.elapsed().as_secs_f64();
            }
        }
        played.iter_mut().for_each(Played::count);
        Ok(played)
    }

    /// Returns the task of --task.
    fn own_task(&self, worlds: &[Setting]) -> Result<Option<TaskFile>, Failure> {
        let Some(path) = &self.task else { return Ok(None) };
        let [world] = worlds else {
            return refuse("--task is for one world: name it with one --world");
        };
        let text = input::read(path)?;
        let read = |name: &str| input::read(&path.with_file_name(name)).map(|file| file.text().to_owned());
        let parsed = TaskFile::parse(text.text(), world.steps(), read);
        let faults = |error: herbrand::explore::TaskFileError| {
            let lines = error.0.iter().map(|fault| format!("{}: {fault}", path.display()));
            Failure::Request(lines.collect::<Vec<_>>().join("\n"))
        };
        parsed.map(Some).map_err(faults)
    }

    fn reader(&self, sentences: Option<SentenceReader>) -> Result<Box<dyn Reader>, Failure> {
        Ok(match (self.reader, &self.script) {
            (ReaderName::Rules, _) if self.mode == ModeName::EndToEnd => {
                return refuse(
                    "the reader `rules` cannot choose commands: use another --reader or another --mode",
                );
            }
            (ReaderName::Rules, _) => match sentences {
                Some(sentences) => Box::new(sentences),
                None => Box::new(RuleReader::new()),
            },
            (ReaderName::Model, _) => self.model.reader()?,
            (ReaderName::Random, _) if self.mode == ModeName::EndToEnd => {
                Box::new(RandomReader::new(self.play.seed))
            }
            (ReaderName::Random, _) => {
                return refuse("the reader `random` only chooses commands: add --mode end-to-end");
            }
            (ReaderName::Script, Some(path)) => {
                Box::new(ScriptedReader::from_lines(input::read(path)?.text()).map_err(Failure::of)?)
            }
            (ReaderName::Script, None) => {
                return refuse("the reader `script` needs --script FILE");
            }
        })
    }

    /// Returns the world of a setting: a bundled world, or the world that the simulator runs.
    fn world_of(&self, setting: Setting) -> Result<Box<dyn TextWorld>, Failure> {
        let Some(simulator) = &self.simulator else {
            return Ok(Box::new(NativeWorld::new(setting).map_err(Failure::of)?));
        };
        let words = simulator.split_whitespace().chain([setting.name()]);
        let words: Vec<String> = words.map(str::to_owned).collect();
        Ok(Box::new(ProcessWorld::start(&words).map_err(Failure::of)?))
    }

    fn play_world(
        &self,
        (setting, task): (Setting, &Task),
        reader: &mut dyn Reader,
        mut writer: Option<&mut TranscriptWriter<File>>,
        progress: &Progress,
        interrupt: Interrupt,
        format: Format,
    ) -> Result<Played, Failure> {
        let began = Instant::now();
        let mut world = self.world_of(setting)?;
        let mut solver = self.play.solver();
        let mut played = Played::of(setting);
        for number in self.games.0.clone() {
            if interrupt.is_pressed() {
                break;
            }
            let folder = self.believed.as_ref();
            let folder = folder.map(|folder| folder.join(format!("{setting}-{number}")));
            let mut believing = Believing::new(&mut *reader, folder);
            let mut explorer = Explorer {
                task,
                reader: &mut believing,
                solver: &mut solver,
                options: self.play.options(self.mode.into()),
            };
            let mut watch = |_: &Event| !interrupt.is_pressed();
            let game = match &mut writer {
                Some(writer) => writer
                    .play(&mut explorer, world.as_mut(), setting.name(), number, &mut watch)
                    .map_err(Failure::of)?,
                None => explorer
                    .play(world.as_mut(), number, &mut watch)
                    .map_err(Failure::of)?,
            };
            believing.finish()?;
            if self.show && format == Format::Text {
                show(setting, &game)?;
            }
            progress.advance(1);
            if game.ending == Ending::NotPlayed {
                played.not_played = self.games.0.end - number;
                break;
            }
            played.games.push(game);
        }
        played.seconds = began.elapsed().as_secs_f64();
        played.count();
        Ok(played)
    }
}

impl Played {
    /// Returns empty results for a setting.
    const fn of(setting: Setting) -> Self {
        Self {
            world: setting.name(),
            games: Vec::new(),
            steps: None,
            won: 0,
            not_played: 0,
            seconds: 0.0,
        }
    }

    /// Updates the statistics of won games.
    fn count(&mut self) {
        let won = self.games.iter().filter(|game| game.ending == Ending::Won);
        let steps: Vec<_> = won.map(|game| game.steps).collect();
        self.won = steps.len();
        self.steps = (!steps.is_empty()).then(|| steps.iter().sum::<usize>() as f64 / steps.len() as f64);
    }
}

fn table(played: &[Played]) -> Result<(), Failure> {
    let columns = [
        ("world", false),
        ("games", true),
        ("won", true),
        ("steps", true),
        ("most", true),
        ("seconds", true),
        ("not won", false),
    ];
    let rows = played.iter().map(|played| {
        let won = played.games.iter().filter(|game| game.ending == Ending::Won);
        let others = played.games.iter().filter(|game| game.ending != Ending::Won);
        let others = others.map(|game| format!("{}: {}", game.game, game.ending.name()));
        let not_played = (played.not_played > 0).then(|| format!("{} not played", played.not_played));
        let others: Vec<_> = others.chain(not_played).collect();
        vec![
            played.world.to_owned(),
            played.games.len().to_string(),
            played.won.to_string(),
            played
                .steps
                .map_or_else(|| "–".to_owned(), |steps| format!("{steps:.1}")),
            won.map(|game| game.steps)
                .max()
                .map_or_else(|| "–".to_owned(), |most| most.to_string()),
            format!("{:.1}", played.seconds),
            others.join(", "),
        ]
    });
    Ok(output::table(&columns, rows)?)
}
