//! Tests of the bundled worlds and of the agent with the rule reader.

use std::collections::BTreeSet;

use herbrand_edit::{Belief, Ground};
use herbrand_explore::{
    Ending, Event, Execution, ExploreOptions, Explorer, Game, GameStatus, House, Mode, NativeWorld,
    PlannerSolver, ReadRequest, Reader, ReaderAnswer, ReplanReason, RuleReader, Setting, Task, TextWorld,
    command,
};
use herbrand_step::{Random, uniform_below};
use proptest::prelude::*;

fn play_as(task: &Task, setting: Setting, game: u64, options: ExploreOptions) -> (Game, NativeWorld) {
    let mut world = NativeWorld::new(setting).unwrap();
    let (mut reader, mut solver) = (RuleReader::new(), PlannerSolver::default());
    let mut explorer = Explorer {
        task,
        reader: &mut reader,
        solver: &mut solver,
        options,
    };
    let game = explorer.play(&mut world, game, &mut |_| true).unwrap();
    (game, world)
}

fn play(setting: Setting, game: u64, options: ExploreOptions) -> Game {
    play_as(&Task::of(setting).unwrap(), setting, game, options).0
}

fn show(game: &Game) -> String {
    serde_json::to_string_pretty(game).unwrap()
}

/// Returns all true facts of a house by name.
fn facts(house: &House) -> BTreeSet<String> {
    let walker = house.walker();
    let task = walker.simulator().task();
    let statics = (0..task.statics.len())
        .filter_map(|index| task.statics.get(index))
        .map(|atom| {
            let predicate = task.vocabulary.predicate(atom.predicate).signature.name.as_str();
            Ground::new(
                predicate,
                atom.arguments
                    .iter()
                    .map(|&object| task.vocabulary.object(object)),
            )
            .to_string()
        });
    statics
        .chain(walker.atoms().map(|atom| task.display_atom(atom).to_string()))
        .collect()
}

/// Checks that every predicted effect took place and every sentence was understood.
fn sound(game: &Game) {
    for event in &game.events {
        match event {
            Event::Read { unread, .. } => assert!(unread.is_empty(), "{unread:?}"),
            Event::Effects(effects) => {
                assert!(!effects.confirmed.is_empty(), "{}", show(game));
                assert!(
                    effects.contradicted.is_empty() && effects.unconfirmed.is_empty(),
                    "{effects:?}"
                );
            }
            Event::Refused { feedback, .. } => panic!("{feedback:?}\n{}", show(game)),
            _ => {}
        }
    }
}

#[test]
fn every_test_game_is_won() {
    for setting in Setting::ALL {
        let games: Vec<_> = (10..60)
            .map(|game| play(setting, game, ExploreOptions::default()))
            .collect();
        for game in &games {
            assert_eq!(game.ending, Ending::Won, "{setting} {}", show(game));
            sound(game);
        }
        let steps: usize = games.iter().map(|game| game.steps).sum();
        assert!(
            setting != Setting::Coin || steps <= 12 * games.len(),
            "{steps} steps in all"
        );
    }
}

#[test]
fn plans_are_carried_out_as_far_as_is_asked() {
    let given_up = |execution| {
        let game = play(
            Setting::CookingHard,
            12,
            ExploreOptions {
                execution,
                ..ExploreOptions::default()
            },
        );
        assert_eq!(game.ending, Ending::Won);
        sound(&game);
        let plans = game
            .events
            .iter()
            .filter(|event| matches!(event, Event::Planned { plan, .. } if !plan.is_empty()));
        let plans = plans.count();
        let reasons = game.events.iter().filter_map(|event| match event {
            Event::GivenUp { reason } => Some(*reason),
            _ => None,
        });
        (reasons.collect::<BTreeSet<_>>(), plans, game.steps)
    };
    let (reasons, whole, _) = given_up(Execution::WholePlan);
    assert!(reasons.is_empty());
    let (reasons, surprised, _) = given_up(Execution::UntilSurprise);
    assert!(
        reasons.is_subset(&BTreeSet::from([ReplanReason::News])),
        "{reasons:?}"
    );
    let (reasons, every, steps) = given_up(Execution::EveryStep);
    assert!(
        reasons.is_subset(&BTreeSet::from([ReplanReason::News, ReplanReason::BetterPlan])),
        "{reasons:?}"
    );
    assert!(
        whole <= surprised && surprised <= every && every == steps,
        "{whole} {surprised} {every} {steps}"
    );
}

/// In game 24354, the plan found in the hall starts in the pantry, and the plan found in the pantry starts in the hall.
#[test]
fn a_new_plan_after_every_step_does_not_lead_back_and_forth() {
    let execution = Execution::EveryStep;
    let mut task = Task::of(Setting::CookingHard).unwrap();
    task.steps = 500;
    let mut kept = 0;
    for number in std::iter::once(24354).chain(0..12) {
        let options = ExploreOptions {
            execution,
            ..ExploreOptions::default()
        };
        let (game, _) = play_as(&task, Setting::CookingHard, number, options);
        assert_eq!(game.ending, Ending::Won, "{number}: {}", show(&game));
        kept += game.events.iter().filter(|event| **event == Event::Kept).count();
    }
    assert!(kept > 0);
}

#[test]
fn a_whole_problem_each_time_wins_too() {
    for setting in Setting::ALL {
        let options = ExploreOptions {
            mode: Mode::WholeProblem,
            ..ExploreOptions::default()
        };
        let game = play(setting, 11, options);
        assert_eq!(game.ending, Ending::Won, "{}", show(&game));
    }
}

#[test]
fn the_rules_choose_no_commands() {
    let game = play(
        Setting::Coin,
        10,
        ExploreOptions {
            mode: Mode::EndToEnd,
            ..ExploreOptions::default()
        },
    );
    assert_eq!((game.ending, game.steps), (Ending::Unread, 0));
}

#[test]
fn commands_run_out() {
    let mut task = Task::of(Setting::Coin).unwrap();
    task.steps = 3;
    let (game, _) = play_as(&task, Setting::Coin, 10, ExploreOptions::default());
    assert_eq!((game.ending, game.steps), (Ending::OutOfSteps, 3));
}

#[test]
fn whoever_watches_can_stop() {
    let task = Task::of(Setting::Coin).unwrap();
    let mut explorer = Explorer {
        task: &task,
        reader: &mut RuleReader::new(),
        solver: &mut PlannerSolver::default(),
        options: ExploreOptions::default(),
    };
    let mut left = 10;
    let mut watch = |_: &Event| {
        left -= 1;
        left > 0
    };
    let game = explorer
        .play(&mut NativeWorld::new(Setting::Coin).unwrap(), 10, &mut watch)
        .unwrap();
    assert_eq!(game.ending, Ending::Stopped);
    assert!(game.events.len() < 20);
}

#[test]
fn what_the_recipe_does_not_say_spoils_the_meal() {
    let mut world = NativeWorld::new(Setting::CookingEasy).unwrap();
    let mut lost = 0;
    for game in 0..30 {
        world.begin(game).unwrap();
        let mut rng = Random::new(game);
        for _ in 0..400 {
            let commands = world.commands().unwrap();
            let command = &commands[uniform_below(&mut rng, commands.len() as u32) as usize];
            let seen = world.step(command).unwrap();
            assert!(seen.done, "{command}: {}", seen.text);
            if seen.status == GameStatus::Lost {
                let verb = command.split(' ').next().unwrap();
                assert!(["cook", "chop", "dice", "slice"].contains(&verb), "{command}");
                lost += 1;
                break;
            }
        }
    }
    assert!(lost > 10, "{lost}");
}

#[test]
fn commands_that_do_nothing_say_why() {
    let mut world = NativeWorld::new(Setting::Coin).unwrap();
    assert!(world.step("look around").is_err());
    let begun = world.begin(10).unwrap();
    for (command, text) in [
        ("fly", "That makes no sense here."),
        ("", "That makes no sense here."),
        ("drop coin", "That does not work now."),
        ("move up", "That makes no sense here."),
    ] {
        let seen = world.step(command).unwrap();
        assert_eq!(
            (seen.text.as_str(), seen.done, seen.status),
            (text, false, GameStatus::Running)
        );
    }
    let closed = ["north", "south", "east", "west"]
        .into_iter()
        .find(|way| begun.text.to_lowercase().contains(&format!("{way}: a closed")));
    for way in ["north", "south", "east", "west"] {
        let seen = world.step(&format!("move {way}")).unwrap();
        if Some(way) == closed {
            assert_eq!(seen.text, format!("The door to the {way} is closed."));
        }
        if seen.done {
            world.begin(10).unwrap();
        }
    }
    assert_eq!(world.step("look around").unwrap(), begun);
}

fn settings() -> impl Strategy<Value = Setting> {
    prop_oneof![
        Just(Setting::Coin),
        Just(Setting::CookingEasy),
        Just(Setting::CookingHard)
    ]
}

/// Reads a text and adds its statements to the belief.
fn absorb(reader: &mut RuleReader, belief: &mut Belief, command: Option<&str>, text: &str) {
    let request = ReadRequest {
        task: "",
        command,
        text,
        belief,
        commands: &[],
        feedback: &[],
        mode: Mode::Edits,
        example: None,
    };
    let Ok(ReaderAnswer::Statements { statements, unread }) = reader.read(&request) else {
        panic!("no statements")
    };
    assert!(unread.is_empty(), "{unread:?}");
    belief
        .observe("text", &statements)
        .unwrap_or_else(|faults| panic!("{faults}\n{text}\n{statements:?}"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// After any actions, the agent's belief is true, and it is complete for the visible part of the current room.
    #[test]
    fn a_belief_is_true_on_random_walks(setting in settings(), game in 0..10_000_u64, seed in any::<u64>()) {
        let mut world = NativeWorld::new(setting).unwrap();
        let task = Task::of(setting).unwrap();
        let (mut reader, mut belief) = (RuleReader::new(), Belief::new(task.start.clone(), task.rules));
        let mut rng = Random::new(seed);
        let mut seen = world.begin(game).unwrap();
        let mut last: Option<String> = None;
        for _ in 0..40 {
            absorb(&mut reader, &mut belief, last.as_deref(), &seen.text);
            let truth = facts(world.house().unwrap());
            let placeholders: BTreeSet<_> = belief.placeholders().map(str::to_owned).collect();
            let named = |fact: &Ground| !fact.arguments.iter().any(|name| placeholders.contains(name));
            for fact in belief.model().facts().into_iter().filter(named) {
                prop_assert!(truth.contains(&fact.to_string()), "{fact} after {last:?}: {}", seen.text);
            }
            let commands = world.commands().unwrap();
            let next = commands[uniform_below(&mut rng, commands.len() as u32) as usize].clone();
            seen = world.step(&next).unwrap();
            last = Some(next);
        }
    }

    /// The commands of a world are its valid actions in the agent's wording.
    #[test]
    fn commands_are_the_valid_actions(setting in settings(), game in 0..10_000_u64, seed in any::<u64>()) {
        let mut world = NativeWorld::new(setting).unwrap();
        let mut rng = Random::new(seed);
        world.begin(game).unwrap();
        for _ in 0..30 {
            let walker = world.house().unwrap().walker();
            let task = walker.simulator().task();
            let said = walker.simulator().valid_actions(walker.state()).into_iter().map(|action| {
                let action: Ground = task.display_action(action).to_string().parse().unwrap();
                command(&action, |object| object.replace('-', " ")).unwrap()
            });
            let said: Vec<_> = ["look around".to_owned(), "inventory".to_owned()].into_iter().chain(said).collect();
            let commands = world.commands().unwrap();
            prop_assert_eq!(&commands, &said);
            prop_assert_eq!(commands.iter().collect::<BTreeSet<_>>().len(), commands.len());
            let next = uniform_below(&mut rng, commands.len() as u32) as usize;
            world.step(&commands[next]).unwrap();
        }
    }

    /// An agent that has visited every room and opened everything knows the world, without placeholders.
    #[test]
    fn exploring_everything_gives_the_world(setting in settings(), game in 0..10_000_u64) {
        let mut task = Task::of(setting).unwrap();
        task.steps = 500;
        task.ladder.retain(|rung| ["the recipe is read", "somewhere new"].contains(&rung.name.as_str()));
        let (played, world) = play_as(&task, setting, game, ExploreOptions::default());
        prop_assert_eq!(played.ending, Ending::Stuck, "{}", show(&played));
        sound_but_for_the_end(&played);
        let mut known = BTreeSet::new();
        let mut placeholders = BTreeSet::new();
        // Applying the edits of all events gives the final problem of the agent.
        let mut model = task.start.clone();
        for event in &played.events {
            if let Event::Read { edits, .. } = event {
                for edit in edits {
                    model = model.apply(std::slice::from_ref(edit), &herbrand_edit::EditRules::default()).unwrap();
                }
            }
        }
        for fact in model.facts() {
            placeholders.extend(fact.arguments.iter().filter(|name| name.starts_with("beyond-")).cloned());
            known.insert(fact.to_string());
        }
        prop_assert!(placeholders.is_empty(), "{placeholders:?}");
        prop_assert_eq!(known, facts(world.house().unwrap()));
    }

    /// Every game is won with each execution option, and every step has its predicted effects.
    #[test]
    fn plans_have_their_effects(setting in settings(), game in 1_000..100_000_u64, execution in 0..3_usize) {
        let execution = [Execution::WholePlan, Execution::UntilSurprise, Execution::EveryStep][execution];
        let mut task = Task::of(setting).unwrap();
        task.steps = 500;
        let (played, _) = play_as(&task, setting, game, ExploreOptions { execution, ..ExploreOptions::default() });
        prop_assert_eq!(played.ending, Ending::Won, "{}", show(&played));
        sound(&played);
    }
}

/// Like [`sound`], for a game that ends because no goal is left.
fn sound_but_for_the_end(game: &Game) {
    let mut game = game.clone();
    game.events.pop_if(|event| matches!(event, Event::Refused { .. }));
    sound(&game);
}
