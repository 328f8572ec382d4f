//! A random player, and readers that are out of reach.

use herbrand_explore::{
    Ending, Endpoint, EndpointError, Event, ExploreOptions, Explorer, Game, LanguageModel, Mode,
    ModelOptions, NativeWorld, PatientEndpoint, PlannerSolver, ProcessWorld, RandomReader, Reader,
    ReaderAnswer, ScriptedReader, Setting, Task, TextWorld as _,
};

fn play(reader: &mut dyn Reader, mode: Mode, game: u64) -> Game {
    let mut explorer = Explorer {
        task: &Task::of(Setting::Coin).expect("a task"),
        reader,
        solver: &mut PlannerSolver::default(),
        options: ExploreOptions {
            mode,
            ..ExploreOptions::default()
        },
    };
    let mut world = NativeWorld::new(Setting::Coin).expect("a world");
    explorer.play(&mut world, game, &mut |_| true).expect("a game")
}

/// Returns the commands of a game.
fn commands(game: &Game) -> Vec<&str> {
    let commands = game.events.iter().filter_map(|event| match event {
        Event::Seen { command, .. } => command.as_deref(),
        _ => None,
    });
    commands.collect()
}

#[test]
fn a_random_player_wins_some_games_and_repeats_them_by_its_seed() {
    let games = |seed: u64| -> Vec<Game> {
        let mut reader = RandomReader::new(seed);
        (10..40)
            .map(|game| play(&mut reader, Mode::EndToEnd, game))
            .collect()
    };
    let (first, second, other) = (games(1), games(1), games(2));
    assert_eq!(first, second);
    assert_ne!(
        first.iter().map(commands).collect::<Vec<_>>(),
        other.iter().map(commands).collect::<Vec<_>>()
    );
    let won = first.iter().filter(|game| game.ending == Ending::Won).count();
    assert!((1..30).contains(&won), "{won}");
    assert!(
        first
            .iter()
            .all(|game| matches!(game.ending, Ending::Won | Ending::OutOfSteps))
    );
    let game = play(&mut RandomReader::new(1), Mode::Edits, 10);
    assert_eq!((game.ending, game.steps), (Ending::Unread, 0));
}

/// A server that goes down after a number of answers.
struct Failing(usize);

impl Endpoint for Failing {
    fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
        let Some(left) = self.0.checked_sub(1) else {
            return Err(EndpointError {
                message: "no response".to_owned(),
                again: true,
            });
        };
        self.0 = left;
        let body: serde_json::Value = serde_json::from_str(body).expect("a request");
        let messages = body["messages"].as_array().expect("messages");
        let text = messages.last().expect("a message")["content"]
            .as_str()
            .expect("a text");
        let listed = text.split("The commands: ").nth(1).expect("commands");
        let command = listed.split("; ").next().expect("a command").trim();
        let answer = serde_json::json!({"command": command}).to_string();
        Ok(serde_json::json!({"choices": [{"message": {"content": answer}}]}).to_string())
    }

    fn is_down(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn a_game_whose_server_goes_down_is_not_played() {
    for answers in [0, 3] {
        let mut waited = 0;
        let (tell, told) = std::sync::mpsc::channel();
        let wait = move |pause: std::time::Duration| tell.send(pause).is_ok();
        let endpoint = PatientEndpoint::new(Failing(answers), std::time::Duration::from_secs(7), wait);
        let mut reader = LanguageModel::new(endpoint, ModelOptions::default());
        let game = play(&mut reader, Mode::EndToEnd, 10);
        assert_eq!(
            (game.ending, game.ending.name()),
            (Ending::NotPlayed, "not-played")
        );
        drop(reader);
        waited += told.iter().map(|pause| pause.as_secs()).sum::<u64>();
        assert_eq!(waited, 7);
    }
    let mut impatient = LanguageModel::new(Failing(0), ModelOptions::default());
    assert_eq!(play(&mut impatient, Mode::Edits, 10).ending, Ending::NotPlayed);
}

#[test]
fn a_command_that_is_not_valid_may_count_as_a_step() {
    let answers = || std::iter::repeat_n(ReaderAnswer::Command("fly".to_owned()), 1000);
    let mut explorer = Explorer {
        task: &Task::of(Setting::Coin).unwrap(),
        reader: &mut ScriptedReader::new(answers()),
        solver: &mut PlannerSolver::default(),
        options: ExploreOptions {
            mode: Mode::EndToEnd,
            counts_invalid: true,
            ..ExploreOptions::default()
        },
    };
    let mut world = NativeWorld::new(Setting::Coin).unwrap();
    let game = explorer.play(&mut world, 10, &mut |_| true).unwrap();
    assert_eq!(
        (game.ending, game.steps),
        (Ending::OutOfSteps, Setting::Coin.steps())
    );
    assert_eq!(commands(&game), [""; 0]);
    explorer.options.counts_invalid = false;
    let game = explorer.play(&mut world, 10, &mut |_| true).unwrap();
    assert_eq!((game.ending, game.steps), (Ending::Unread, 0));
}

#[cfg(unix)]
mod simulator {
    use super::*;

    /// Starts a shell script as a world.
    fn world(script: &str) -> ProcessWorld {
        ProcessWorld::start(&["sh", "-c", script].map(str::to_owned)).unwrap()
    }

    #[test]
    fn another_program_may_run_the_games() {
        let answer =
            r#"{"text":"A room.","score":0.5,"status":"STATUS","done":true,"task":"Go.","commands":["go"]}"#;
        let (running, won) = (
            answer.replace("STATUS", "running"),
            answer.replace("STATUS", "won"),
        );
        let mut world = world(&format!(
            "read line; echo '{running}'; read line; case $line in *go*) echo '{won}';; esac; read line"
        ));
        let mut explorer = Explorer {
            task: &Task::of(Setting::Coin).unwrap(),
            reader: &mut ScriptedReader::new([ReaderAnswer::Command("go".to_owned())]),
            solver: &mut PlannerSolver::default(),
            options: ExploreOptions {
                mode: Mode::EndToEnd,
                ..ExploreOptions::default()
            },
        };
        let game = explorer.play(&mut world, 10, &mut |_| true).unwrap();
        assert_eq!((game.ending, game.steps, game.score), (Ending::Won, 1, 0.5));
        assert_eq!(
            (world.task(), world.commands().unwrap()),
            ("Go.".to_owned(), vec!["go".to_owned()])
        );
    }

    #[test]
    fn a_program_that_does_not_answer_is_an_error() {
        let error = |mut world: ProcessWorld| world.begin(1).unwrap_err().to_string();
        assert!(error(world("exit 3")).starts_with("the simulator has ended"));
        assert!(error(world("read line; echo nonsense; read line")).contains("cannot be read"));
        assert_eq!(
            error(world(r#"echo '{"error":"no Java"}'; read line"#)),
            "no Java"
        );
        assert!(error(world("read line; head -c 9000000 /dev/zero; read line")).contains("at most 4 MiB"));
        let missing = ProcessWorld::start(&["no-such-program".to_owned()]).unwrap_err();
        assert!(
            missing
                .to_string()
                .contains("`no-such-program` cannot be started")
        );
        let limits = herbrand_limits::Limits {
            bytes: None,
            time: Some(std::time::Duration::ZERO),
        };
        let mut silent = world("sleep 100");
        let waited = herbrand_limits::Budget::new(limits)
            .enclose(|| silent.begin(1).map_err(|error| error.to_string()));
        assert!(waited.unwrap_err().contains("time limit"));
    }
}
