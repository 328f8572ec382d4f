//! A replayed transcript gives the recorded game.

use herbrand_explore::{
    Ending, ExploreOptions, Explorer, Game, GameError, Mode, NativeWorld, Observation, PlannerSolver,
    ReadError, ReadRequest, Reader, ReaderAnswer, RuleReader, ScriptedReader, Setting, Task, TextWorld,
    Transcript, TranscriptError, TranscriptWriter,
};
use proptest::prelude::*;

/// Plays a game and records it.
fn written(
    setting: Setting,
    reader: &mut dyn Reader,
    world: &mut dyn TextWorld,
    mode: Mode,
    stop: usize,
) -> (Result<Game, TranscriptError>, String) {
    let task = Task::of(setting).unwrap();
    let mut explorer = Explorer {
        task: &task,
        reader,
        solver: &mut PlannerSolver::default(),
        options: ExploreOptions {
            mode,
            ..ExploreOptions::default()
        },
    };
    let mut lines = Vec::new();
    let mut events = 0;
    let mut watch = |_: &_| {
        events += 1;
        events <= stop
    };
    let game = TranscriptWriter::new(&mut lines).play(&mut explorer, world, setting.name(), 11, &mut watch);
    (game, String::from_utf8(lines).unwrap())
}

fn retold(text: &str) -> Result<Game, TranscriptError> {
    let mut transcript = Transcript::parse(text)?;
    let setting: Setting = transcript.next_game().unwrap().world.parse().unwrap();
    let game = transcript.play(&Task::of(setting).unwrap(), &mut |_| true);
    assert!(transcript.next_game().is_none());
    game
}

/// A rule reader that sometimes fails, or gives an answer that contradicts the belief.
struct Forgetful(RuleReader, u32);

impl Reader for Forgetful {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        self.1 += 1;
        match self.1 % 4 {
            1 => Err(ReadError::passing("the reader is asleep")),
            2 => Ok(ReaderAnswer::Command("fly".to_owned())),
            _ => self.0.read(request),
        }
    }

    fn begin(&mut self) {
        self.0.begin();
    }

    fn phrase(&self, object: &str) -> String {
        self.0.phrase(object)
    }
}

/// A world that fails at a given step.
struct Fragile(NativeWorld, usize);

impl TextWorld for Fragile {
    fn task(&self) -> String {
        self.0.task()
    }

    fn begin(&mut self, game: u64) -> Result<Observation, GameError> {
        self.0.begin(game)
    }

    fn step(&mut self, command: &str) -> Result<Observation, GameError> {
        self.1 = self
            .1
            .checked_sub(1)
            .ok_or_else(|| GameError("the roof fell in".to_owned()))?;
        self.0.step(command)
    }

    fn commands(&mut self) -> Result<Vec<String>, GameError> {
        self.0.commands()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_game_is_told_again(
        setting in prop::sample::select(Setting::ALL.to_vec()),
        forgetful in any::<bool>(),
        stop in prop_oneof![Just(usize::MAX), 1_usize..60],
    ) {
        let mut world = NativeWorld::new(setting).unwrap();
        let mut reader: Box<dyn Reader> = if forgetful {
            Box::new(Forgetful(RuleReader::new(), 0))
        } else {
            Box::new(RuleReader::new())
        };
        let (game, text) = written(setting, reader.as_mut(), &mut world, Mode::Edits, stop);
        let (game, again) = (game.unwrap(), retold(&text).unwrap());
        prop_assert_eq!(serde_json::to_string(&game).unwrap(), serde_json::to_string(&again).unwrap());
        prop_assert_eq!(game, again);
    }

    /// A replay detects a missing line.
    #[test]
    fn other_loops_are_told(line in any::<prop::sample::Index>()) {
        let mut world = NativeWorld::new(Setting::Coin).unwrap();
        let (game, text) = written(Setting::Coin, &mut RuleReader::new(), &mut world, Mode::Edits, usize::MAX);
        game.unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let line = 1 + line.index(lines.len() - 1);
        let without = [&lines[..line], &lines[line + 1..]].concat().join("\n");
        prop_assert!(matches!(retold(&without), Err(TranscriptError::Other { .. })), "line {}", line);
    }
}

#[test]
fn commands_of_a_script_are_told_again() {
    let answers =
        ["look around", "inventory", "fly"].map(|command| ReaderAnswer::Command(command.to_owned()));
    let mut world = NativeWorld::new(Setting::Coin).unwrap();
    let mut reader = ScriptedReader::new(answers);
    let (game, text) = written(Setting::Coin, &mut reader, &mut world, Mode::EndToEnd, usize::MAX);
    assert_eq!(game.as_ref().map(|game| game.ending).ok(), Some(Ending::Unread));
    assert_eq!(retold(&text).unwrap(), game.unwrap());
}

#[test]
fn a_world_that_broke_breaks_again() {
    let mut world = Fragile(NativeWorld::new(Setting::Coin).unwrap(), 2);
    let (game, text) = written(
        Setting::Coin,
        &mut RuleReader::new(),
        &mut world,
        Mode::Edits,
        usize::MAX,
    );
    assert_eq!(game.unwrap_err().to_string(), "the roof fell in");
    assert_eq!(retold(&text).unwrap_err().to_string(), "the roof fell in");
}

#[test]
fn a_transcript_that_cannot_be_written_is_told() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let task = Task::of(Setting::Coin).unwrap();
    let mut explorer = Explorer {
        task: &task,
        reader: &mut RuleReader::new(),
        solver: &mut PlannerSolver::default(),
        options: ExploreOptions::default(),
    };
    let mut world = NativeWorld::new(Setting::Coin).unwrap();
    let game = TranscriptWriter::new(Full).play(&mut explorer, &mut world, "coin", 10, &mut |_| true);
    assert_eq!(
        game.unwrap_err().to_string(),
        "the transcript cannot be written: the disk is full"
    );
    assert!(matches!(
        Transcript::parse("").unwrap().play(&task, &mut |_| true),
        Err(TranscriptError::Over)
    ));
}
