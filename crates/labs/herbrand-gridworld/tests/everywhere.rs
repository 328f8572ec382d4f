//! Grid worlds in every environment and front end.

use std::sync::atomic::AtomicBool;

use herbrand_core::trace::{RandomWalks, record, replay};
use herbrand_core::{
    Batch, BufferContents, Catalogue, Described, Env, EnvOptions, Explained, PackedStates, Problems, Random,
    RolloutOptions, RolloutPolicy, Snapshot, Streams, System, VecEnv, VecOptions, roll_out,
};
use herbrand_gridworld::{GridWorlds, Robot, RobotPosition};
use herbrand_limits::Budget;
use herbrand_play::{Playground, RequestLimits};
use herbrand_render::{Pictured, Theme};
use herbrand_tasks::Run;
use herbrand_tasks::any::open;
use herbrand_tasks::show::{ShowQuery, show_problem};
use proptest::prelude::*;
use serde_json::{Value, json};

const MAPS: &str = "corridor
#######
#@.~.G#
#######

room
#####
#@..#
#.~.#
#..G#
#####
";

fn rooms() -> GridWorlds {
    GridWorlds::parse("rooms", MAPS).expect("the maps are right")
}

/// Takes random actions from a seed, and returns the rows of observations.
fn walked(seed: u64) -> Vec<[f32; 2]> {
    let mut env = Env::observed(rooms(), RobotPosition, EnvOptions::default()).expect("maps");
    env.reset(Some(seed)).expect("a map");
    let mut rows = Vec::new();
    while let Some(joint) = env.sample().expect("an action") {
        let ended = env.step(&*joint).expect("a free cell").ended();
        let mut row = [0.0; 2];
        env.write_observation(&mut row).expect("two numbers");
        rows.push(row);
        if ended {
            break;
        }
    }
    rows
}

#[test]
fn episodes_are_determined_by_their_seed() {
    assert_eq!(walked(3), walked(3));
    assert!((0..20).any(|seed| walked(seed) != walked(seed + 1)));
}

#[test]
fn a_snapshot_continues_like_the_environment() {
    let mut env = Env::observed(rooms(), RobotPosition, EnvOptions::default()).expect("maps");
    env.reset(Some(5)).expect("a map");
    let joint = env.sample().expect("an action").expect("a free cell").to_vec();
    env.step(&*joint).expect("a free cell");
    let bytes = env.save().expect("a state").pack::<GridWorlds>();
    let mut copy = Env::observed(rooms(), RobotPosition, EnvOptions::default()).expect("maps");
    copy.restore(&Snapshot::unpack(&rooms(), &bytes).expect("a snapshot"))
        .expect("a state");
    assert_eq!(env.state().expect("a state"), copy.state().expect("a state"));
    assert!(rooms().unpack(0, &[0; 16]).is_none(), "a wall is no state");
}

#[test]
fn a_batch_takes_the_steps_of_single_environments() {
    let mut envs = VecEnv::new(&rooms(), &RobotPosition, 3, VecOptions::default()).expect("maps");
    let (mut observations, mut masks) = ([0.0; 6], [0; 12]);
    let (mut rewards, mut terminated, mut truncated) = ([0.0; 3], [false; 3], [false; 3]);
    let mut batch = Batch {
        observations: &mut observations,
        masks: &mut masks,
        rewards: &mut rewards,
        terminated: &mut terminated,
        truncated: &mut truncated,
        flags: &mut [],
        final_observations: &mut [],
        final_flags: &mut [],
        rows: BufferContents::Fresh,
    };
    envs.reset(Some(8), &mut batch).expect("maps");
    let mut single = Env::observed(rooms(), RobotPosition, EnvOptions::default()).expect("maps");
    single.reset(Some(9)).expect("a map");
    for _ in 0..4 {
        let joint = single.sample().expect("an action").expect("a free cell").to_vec();
        let directions: Vec<f64> = (0..3)
            .map(|env| {
                let first = batch.masks[4 * env..4 * env + 4]
                    .iter()
                    .position(|&valid| valid == 1);
                first.expect("a free cell") as f64
            })
            .collect();
        let direction = f64::from(joint[0].alternative().expect("a direction"));
        envs.step(&[directions[0], direction, directions[2]], &mut batch)
            .expect("free cells");
        let step = single.step(&*joint).expect("a free cell");
        let mut row = [0.0; 2];
        single.write_observation(&mut row).expect("two numbers");
        assert_eq!(batch.rewards[1], step.reward);
        if step.ended() {
            return;
        }
        assert_eq!(batch.observations[2..4], row);
    }
}

#[test]
fn rollouts_do_not_depend_on_threads() {
    let rollout = |threads| {
        let options = RolloutOptions {
            threads,
            ..RolloutOptions::default()
        };
        let stop = AtomicBool::new(false);
        roll_out(&rooms(), &RolloutPolicy::Random, &options, &|_| (), &stop).expect("walks")
    };
    assert_eq!(rollout(1).digest, rollout(2).digest);
    assert!(rollout(1).episodes > 0);
}

#[test]
fn records_replay_and_differences_are_found() {
    let mut file = Vec::new();
    let walks = RandomWalks {
        walks: 5,
        steps: 30,
        seed: 11,
    };
    let states = record(&rooms(), 1, walks, &mut file).expect("walks");
    let replayed = replay(&rooms(), &*file).expect("a trace");
    assert_eq!((replayed.states, replayed.first), (states, None));

    let text = String::from_utf8(file).expect("text");
    let wrong = text.replacen("(robot-at r2c2)", "(robot-at r3c3)", 1);
    let difference = replay(&rooms(), wrong.as_bytes())
        .expect("a trace")
        .first
        .expect("a difference");
    assert_eq!((difference.line, difference.difference.key), (2, "fluents"));
    let blocked = text.replacen("\"chosen\":\"", "\"chosen\":\"sideways", 1);
    let error = replay(&rooms(), blocked.as_bytes())
        .expect_err("no direction")
        .to_string();
    assert!(error.starts_with("line 2: `sideways"), "{error}");
}

#[test]
fn recording_and_replaying_end_with_the_budgets_that_enclose_them() {
    let walks = RandomWalks {
        walks: 1 << 40,
        steps: 30,
        seed: 11,
    };
    let mut file = Vec::new();
    let one = RandomWalks { walks: 1, ..walks };
    record(&rooms(), 1, one, &mut file).expect("walks");
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    cancelled.enclose(|| {
        assert!(record(&rooms(), 1, walks, std::io::sink()).is_err());
        assert!(replay(&rooms(), &*file).is_err());
    });
}

#[test]
fn pictures_are_drawn() {
    let robot = rooms().system(1).expect("a map");
    let scene = rooms().renderer(1, &robot).expect("a picture").scene(&robot);
    assert_eq!(scene.faults(), Vec::<String>::new());
    let svg = scene.to_svg(Theme::Auto);
    assert!(svg.starts_with("<svg") && svg.contains("robot-at"), "{svg}");
}

#[test]
fn the_page_plays_them() {
    let mut playground = Playground::new(RequestLimits::default()).with_problems(rooms());
    let mut ask = |request: Value| -> Value {
        let reply = playground.answer(&request.to_string());
        serde_json::from_str(&reply).expect("JSON")
    };
    let domains = ask(json!({"ask": "catalogue"}));
    let own = domains["domains"]
        .as_array()
        .expect("domains")
        .last()
        .cloned()
        .expect("a domain");
    assert_eq!(own["name"], "rooms");
    assert_eq!(own["problems"], json!(["corridor", "room"]));

    let problem = json!({"domain": "rooms", "problem": "room"});
    let view =
        ask(json!({"ask": "look", "problem": problem, "walk": [["right"], ["right"], ["down"], ["down"]]}));
    assert_eq!(
        (&view["is"], &view["status"]),
        (&json!("view"), &json!("goal")),
        "{view}"
    );
    assert_eq!(view["goal"][0]["satisfied"], true);
    assert_eq!(view["reward"], 1.0);
    assert!(
        view["picture"]["svg"]
            .as_str()
            .expect("a picture")
            .contains("<svg")
    );

    let why = ask(json!({"ask": "explain", "problem": problem, "action": "up"}));
    assert_eq!(why["text"], "up: there is a wall next to r2c2");
    let refused = ask(json!({"ask": "look", "problem": problem, "walk": [["sideways"]]}));
    assert_eq!((&refused["is"], &refused["step"]), (&json!("refused"), &json!(0)));
    let unknown = ask(json!({"ask": "look", "problem": {"domain": "rooms", "problem": "rom"}}));
    assert_eq!(
        unknown["message"],
        "rooms has no problem `rom`, only corridor, room; did you mean `room`?"
    );

    let trace = ask(json!({"ask": "trace", "problem": problem, "walk": [["right"]]}));
    let text = trace["text"].as_str().expect("a trace");
    assert_eq!(replay(&rooms(), text.as_bytes()).expect("a trace").first, None);
}

#[test]
fn tasks_show_them() {
    let shown = |actions: &str| {
        let query = ShowQuery {
            actions: actions.to_owned(),
            drawn: true,
            ..ShowQuery::default()
        };
        let mut room = open(rooms().problem("room").expect("a map")).expect("a room");
        show_problem(&mut *room, &query, &Run::default())
    };
    let answer = shown("(right) (down)").expect("an answer");
    let data = serde_json::to_value(&answer).expect("data");
    assert_eq!(
        (&data["domain"], &data["problem"]),
        (&json!("rooms"), &json!("room"))
    );
    assert!(
        data["actions"]
            .as_array()
            .is_some_and(|all| all.contains(&json!("up")))
    );
    let goal = json!([{"formula": "(robot-at r4c4)", "holds": false}]);
    assert_eq!(data["goal_parts"], goal);
    let error = shown("(right) (sideways) (inwards)")
        .expect_err("no directions")
        .to_string();
    assert!(error.contains("sideways") && error.contains("inwards"), "{error}");
}

#[test]
fn all_faults_of_a_text_are_reported() {
    let faults = GridWorlds::parse("rooms", "first\n#@x#\n##\n\nsecond\n@@G\n").expect_err("faults");
    let expected = "line 2, column 3: `x` is no cell: expected `#`, `.`, `~`, `@` or `G`
line 3, column 3: the row has 2 cells, and the first has 4
line 1, column 1: `first` has no goal, `G`
line 6, column 2: `second` has a second robot";
    assert_eq!(faults.to_string(), expected);
    assert!(GridWorlds::parse("rooms", "").is_err());
}

proptest! {
    /// Valid actions, the mask, the list of choices and the names agree in every state of random walks.
    #[test]
    fn descriptions_agree_with_steps(seed: u64) {
        let mut robot: Robot = rooms().system(1).expect("a map");
        let mut streams = Streams::new(seed);
        for _ in 0..30 {
            let mut mask = [0; 4];
            robot.write_mask(&mut mask);
            let mut choices = Vec::new();
            robot.choices(&mut choices);
            prop_assert_eq!(choices.len(), robot.choice_count());
            for direction in 0..4 {
                let choice = herbrand_core::Choice::discrete(direction);
                let valid = robot.is_valid(&[choice]);
                prop_assert_eq!(valid, mask[direction as usize] == 1);
                prop_assert_eq!(valid, robot.explain_action(&[choice]).valid);
                prop_assert_eq!(robot.parse_choice(&robot.choice_text(choice)), Ok(choice));
                let mut copy = robot.clone();
                prop_assert_eq!(copy.step(&[choice], &mut streams.outcomes.clone()).is_ok(), valid);
            }
            let conjuncts = rooms().goal_conjuncts(1, &robot).expect("a goal");
            prop_assert_eq!(conjuncts[0].holds, Some(robot.status().goal));
            let chance: &mut Random = &mut streams.actions;
            let mut joint = Vec::new();
            prop_assert!(robot.sample(chance, &mut joint));
            robot.step(&joint, &mut streams.outcomes).expect("a free cell");
        }
    }
}
