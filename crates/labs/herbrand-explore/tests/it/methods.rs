//! The methods of PDDLEGO with scripted servers, and tasks from files.

use std::cell::RefCell;

use herbrand_edit::lines::{LineEdits, listed};
use herbrand_edit::{EditRules, PlanningModel};
use herbrand_explore::Usage;
use herbrand_explore::{
    Ending, Event, ExploreOptions, Explorer, Feedback, Game, Mode, NativeWorld, PlannerSolver, ReadError,
    ReadRequest, Reader, ReaderAnswer, RuleReader, ScriptedReader, Setting, Task, TaskFile,
};

fn play(task: &Task, setting: Setting, reader: &mut dyn Reader, mode: Mode, game: u64) -> Game {
    let mut explorer = Explorer {
        task,
        reader,
        solver: &mut PlannerSolver::default(),
        options: ExploreOptions {
            mode,
            ..ExploreOptions::default()
        },
    };
    let mut world = NativeWorld::new(setting).unwrap();
    explorer.play(&mut world, game, &mut |_| true).unwrap()
}

#[test]
fn edits_of_lines_win_too() {
    let mut won = 0;
    for setting in Setting::ALL {
        let task = Task::of(setting).unwrap();
        for game in 10..13 {
            let played = play(&task, setting, &mut RuleReader::new(), Mode::Lines, game);
            assert!(
                matches!(played.ending, Ending::Won | Ending::OutOfSteps),
                "{setting}, {game}"
            );
            won += usize::from(played.ending == Ending::Won);
        }
    }
    // One game of the hardest setting takes more steps than there are.
    assert!(won >= 8, "{won}");
}

#[test]
fn lines_that_do_not_fit_are_refused() {
    let task = Task::of(Setting::Coin).unwrap();
    let wrong = [
        (
            r#"{"lines": {"objects": {"add": ["hall room"], "replace": {}, "delete": []}, "init": {"add": [], "replace": {}, "delete": []}}}"#,
            "does not declare an object",
        ),
        (
            r#"{"lines": {"objects": {"add": [], "replace": {}, "delete": []}, "init": {"add": [], "replace": {"(agent-at attic)": "(agent-at hall)"}, "delete": []}}}"#,
            "undeclared-object",
        ),
        (
            r#"{"lines": {"objects": {"add": ["hall - room", "attic - room"], "replace": {}, "delete": []}, "init": {"add": ["(agent-at hall)", "(agent-at attic)"], "replace": {}, "delete": []}}}"#,
            "functional",
        ),
        (
            r#"{"problem": "(define (problem p) (:domain coin-collector))"}"#,
            "not the kind of answer",
        ),
    ];
    let lines: Vec<_> = wrong.iter().map(|(line, _)| *line).collect();
    let mut reader = ScriptedReader::from_lines(&lines.join("\n")).unwrap();
    let game = play(&task, Setting::Coin, &mut reader, Mode::Lines, 10);
    assert_eq!(game.ending, Ending::Unread);
    let refused: Vec<_> = game
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Refused { feedback, .. } => Some(feedback),
            _ => None,
        })
        .collect();
    assert_eq!(refused.len(), wrong.len() + 1);
    for ((_, said), feedback) in wrong.iter().zip(refused) {
        let text = serde_json::to_string(feedback).unwrap();
        assert!(text.contains(said), "{said}: {text}");
        assert!(matches!(
            feedback,
            Feedback::Malformed { .. } | Feedback::Faults { .. }
        ));
    }
}

/// Hears the problems that the agent believes in, and sees the example of each request.
struct Listener {
    inner: RuleReader,
    heard: Vec<(usize, PlanningModel)>,
    examples: RefCell<Vec<bool>>,
}

impl Reader for Listener {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        self.examples.borrow_mut().push(request.example.is_some());
        self.inner.read(request)
    }

    fn begin(&mut self) {
        self.inner.begin();
    }

    fn believed(&mut self, step: usize, problem: &PlanningModel) {
        self.heard.push((step, problem.clone()));
    }
}

#[test]
fn the_believed_problem_is_heard_at_every_step() {
    let task = Task::of(Setting::Coin).unwrap();
    for mode in [Mode::Edits, Mode::Lines, Mode::WholeProblem] {
        let mut listener = Listener {
            inner: RuleReader::new(),
            heard: Vec::new(),
            examples: RefCell::default(),
        };
        let game = play(&task, Setting::Coin, &mut listener, mode, 10);
        let last = if mode == Mode::Edits {
            game.steps
        } else {
            game.steps - 1
        };
        let steps: Vec<_> = listener.heard.iter().map(|(step, _)| *step).collect();
        assert_eq!(steps, (0..=last).collect::<Vec<_>>(), "{mode:?}");
        assert!(listener.examples.take().iter().all(|&has| has));
        let (_, first) = &listener.heard[0];
        assert!(
            first.problem_text().contains("(agent-at study)"),
            "{}",
            first.problem_text()
        );
        // Consecutive problems differ by the edits of lines, also as text.
        for pair in listener.heard.windows(2) {
            let [(_, old), (_, new)] = pair else { continue };
            let edits = LineEdits::between(old, new);
            let edited = old.apply(&edits.typed().unwrap(), &EditRules::default()).unwrap();
            assert_eq!(edited.sorted(), new.sorted());
            let text =
                herbrand_edit::lines::apply(&listed(old), &edits, herbrand_edit::lines::Renaming::None)
                    .unwrap();
            let sorted = |text: &str| {
                let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            assert_eq!(sorted(&text), sorted(&listed(new)));
        }
    }
}

#[test]
fn examples_have_right_answers_in_every_mode() {
    for setting in Setting::ALL {
        let task = Task::of(setting).unwrap();
        let example = task.example.as_ref().unwrap();
        assert!(example.commands.contains(&example.next));
        let answer = |mode| example.answer(mode).unwrap();
        let lines: LineEdits = serde_json::from_str(&answer(Mode::Lines)).unwrap();
        let before = example.belief.model();
        let after = before.apply(&lines.typed().unwrap(), &task.rules).unwrap();
        let problem: serde_json::Value = serde_json::from_str(&answer(Mode::WholeProblem)).unwrap();
        let problem = problem["problem"].as_str().unwrap().to_owned();
        let whole = PlanningModel::from_text(&before.domain_text(), &problem).unwrap();
        assert_eq!(after.sorted().facts(), whole.sorted().facts());
        assert!(
            !lines.init.add.is_empty() && !lines.init.replace.is_empty(),
            "{lines:?}"
        );
        assert!(answer(Mode::Edits).contains("\"statement\":\"holds\""));
        assert!(answer(Mode::EndToEnd).contains(&example.next));
    }
}

const TASK: &str = include_str!("../tasks/coin.toml");

fn task_file(text: &str) -> Result<TaskFile, String> {
    let read = |name: &str| match name {
        "domain.pddl" => Ok(include_str!("../tasks/domain.pddl").to_owned()),
        other => Err(format!("{other}: no such file")),
    };
    TaskFile::parse(text, 50, read).map_err(|error| error.to_string())
}

#[test]
fn a_task_of_files_alone_wins_the_games() {
    let file = task_file(TASK).unwrap();
    assert_eq!(file.task.steps, 50);
    let mut won = 0;
    for mode in [Mode::Edits, Mode::Lines, Mode::WholeProblem] {
        for game in 10..20 {
            let mut reader = file.sentences.clone().unwrap();
            let played = play(&file.task, Setting::Coin, &mut reader, mode, game);
            won += usize::from(played.ending == Ending::Won);
            for event in &played.events {
                if let Event::Read { unread, .. } = event {
                    assert!(unread.is_empty(), "{mode:?}, {game}: {unread:?}");
                }
            }
        }
    }
    assert_eq!(won, 30);
    let example = file.task.example.as_ref().unwrap();
    assert!(
        example
            .answer(Mode::Lines)
            .unwrap()
            .contains("(connected library attic north)")
    );
}

#[test]
fn faults_of_a_task_file_are_told_together() {
    let broken = TASK
        .replace("(taken coin)", "(takn coin)")
        .replace("walk = \"move {2}\"", "wlak = \"move {3}\"")
        .replace("\"(visited {room})\"", "\"(visited {room} {way})\"")
        .replace("{new} - location ?", "{new} - locaton ?")
        .replace("(lies {thing} {here})", "(lies {thing} {her})")
        .replace("[\"visited\"]", "[\"vistied\"]");
    let faults = task_file(&broken).unwrap_err();
    for said in [
        "line 9: `(takn coin)`: the domain has no predicate `takn`; did you mean `taken`?",
        "the domain has no action `wlak`; did you mean `walk`?",
        "`visited` has 1 arguments, not 2",
        "the domain has no type `locaton`; did you mean `location`?",
        "`{her}` is a gap neither of the sentence",
        "the domain has no predicate `vistied`; did you mean `visited`?",
    ] {
        assert!(faults.contains(said), "{said}\n{faults}");
    }
    let toml = task_file("domain = \"domain.pddl\"\nstep = 3\n").unwrap_err();
    assert!(
        toml.contains("unknown field `step`") && toml.contains("line 2"),
        "{toml}"
    );
    let missing = task_file(&TASK.replace("domain.pddl", "d.pddl")).unwrap_err();
    assert_eq!(missing, "line 2: d.pddl: no such file");
    let example = task_file(&TASK.replace("next = \"move north\"", "next = \"fly\"")).unwrap_err();
    assert!(example.contains("`fly` is none of its commands"), "{example}");
}

#[cfg(feature = "http")]
mod servers {
    use std::net::TcpListener;
    use std::time::Duration;

    use herbrand_explore::{HttpEndpoint, HttpOptions, LanguageModel, ModelOptions, PatientEndpoint};

    use super::*;
    use crate::scripted_answers as answers;
    use crate::scripted_server::{Manner, serve};

    /// Plays with the server in a manner. Returns the game, and the cost of the answers.
    fn play_with(manner: Manner, setting: Setting, mode: Mode, patience: Duration) -> (Game, Usage) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || serve(&listener, manner));
        let server = HttpEndpoint::new(HttpOptions {
            url: format!("http://{address}/v1"),
            key: None,
            time: patience,
            bytes: 1 << 20,
        });
        let endpoint = PatientEndpoint::new(server.unwrap(), Duration::from_secs(7), |_| true);
        let mut reader = LanguageModel::new(endpoint, ModelOptions::default());
        let game = play(&Task::of(setting).unwrap(), setting, &mut reader, mode, 10);
        (game, reader.usage())
    }

    const PATIENT: Duration = Duration::from_secs(20);

    #[test]
    fn every_method_wins_with_a_server_that_answers_well() {
        for mode in Mode::ALL {
            let (game, usage) = play_with(Manner::Well, Setting::Coin, mode, PATIENT);
            assert_eq!(game.ending, Ending::Won, "{mode:?}");
            assert_eq!(
                usage.requests as usize,
                game.steps + usize::from(mode == Mode::Edits),
                "{mode:?}"
            );
            assert!(
                usage.asked > 100 * usage.requests && usage.answered > 0,
                "{usage:?}"
            );
        }
        let (game, _) = play_with(Manner::Well, Setting::CookingEasy, Mode::Lines, PATIENT);
        assert_eq!(game.ending, Ending::Won);
    }

    #[test]
    fn bad_answers_cost_requests_and_no_game() {
        for mode in Mode::ALL {
            let (well, cheap) = play_with(Manner::Well, Setting::Coin, mode, PATIENT);
            let (game, usage) = play_with(Manner::Badly, Setting::Coin, mode, PATIENT);
            assert_eq!((game.ending, game.steps), (Ending::Won, well.steps), "{mode:?}");
            // Two bad answers come before each right one.
            assert_eq!(usage.requests, 3 * cheap.requests, "{mode:?}");
            let refused = game
                .events
                .iter()
                .filter(|event| matches!(event, Event::Refused { .. }));
            assert_eq!(refused.count() as u64, 2 * cheap.requests, "{mode:?}");
        }
    }

    #[test]
    fn a_slow_server_is_waited_for_as_long_as_wanted() {
        let pause = Manner::Slowly(Duration::from_millis(300));
        let (game, _) = play_with(pause, Setting::Coin, Mode::Lines, PATIENT);
        assert_eq!(game.ending, Ending::Won);
        let (game, _) = play_with(pause, Setting::Coin, Mode::Lines, Duration::from_millis(50));
        assert_eq!((game.ending, game.steps), (Ending::NotPlayed, 0));
    }

    #[test]
    fn a_server_that_never_answers_ends_the_game() {
        let (game, usage) = play_with(Manner::Never, Setting::Coin, Mode::EndToEnd, PATIENT);
        assert_eq!((game.ending, game.steps), (Ending::NotPlayed, 0));
        assert_eq!((usage.requests, usage.asked), (1, 0));
    }

    #[test]
    fn the_scripted_server_needs_a_request() {
        for body in [
            "null",
            "{}",
            "{\"messages\": []}",
            "{\"messages\": [{\"content\": \"hello\"}]}",
        ] {
            let body = serde_json::from_str(body).unwrap();
            assert!(answers::answer(&body).is_err(), "{body}");
        }
    }
}
