//! A random player, and readers that are out of reach.

use herbrand_explore::{
    Ending, Endpoint, EndpointError, Event, ExploreOptions, Explorer, Game, LanguageModel, Mode,
    ModelOptions, NativeWorld, PatientEndpoint, PlannerSolver, RandomReader, Reader, Setting, Task,
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
