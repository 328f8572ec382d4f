//! Learned models of bundled domains.

use herbrand_env::{ActionMode, Registry, Split, Suite};
use herbrand_learn::{
    ActionChoice, Exploration, FoldtOptions, Judge, Judgement, LearnError, Learned, PlannerAnswer, explore,
    learn_foldt, learn_safe,
};
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{PlanRequest, PlannerKind};

fn suite(name: &str, mode: ActionMode) -> Suite {
    Suite::new(Registry::files(name).unwrap().remove(0), mode).unwrap()
}

fn exploration(episodes: u32, choice: ActionChoice) -> Exploration {
    Exploration {
        episodes,
        choice,
        ..Exploration::default()
    }
}

fn foldt(suite: &Suite, episodes: u32) -> Learned {
    let budget = Budget::unlimited();
    let options = exploration(episodes, ActionChoice::Mixed);
    let seen = explore(&suite.split(Split::Train), &options, &budget).unwrap();
    learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap()
}

/// Returns the error of a model on the test problems.
fn error(suite: &Suite, learned: &Learned) -> f64 {
    let budget = Budget::unlimited();
    let test = suite.split(Split::Test);
    let options = Exploration {
        seed: 1000,
        ..exploration(10, ActionChoice::Mixed)
    };
    let unseen = explore(&test, &options, &budget).unwrap();
    learned.predict(&unseen, &budget).unwrap().error()
}

#[test]
fn trees_predict_problems_that_were_not_seen() {
    for (name, episodes) in [
        ("ferry", 40),
        ("hanoi", 40),
        ("elevator", 60),
        ("tsp", 40),
        ("doors", 60),
    ] {
        let suite = suite(name, ActionMode::Declared);
        assert_eq!(error(&suite, &foldt(&suite, episodes)), 0.0, "{name}");
    }
}

#[test]
fn safe_models_predict_problems_that_were_not_seen() {
    for name in ["blocks", "depot", "baking", "gripper"] {
        let suite = suite(name, ActionMode::Operators);
        let budget = Budget::unlimited();
        let options = exploration(150, ActionChoice::Valid);
        let seen = explore(&suite.split(Split::Train), &options, &budget).unwrap();
        let learned = learn_safe(&seen, &budget).unwrap();
        assert_eq!(
            learned.domain().schemas.len(),
            suite.domain().schemas.len(),
            "{name}"
        );
        assert_eq!(error(&suite, &learned), 0.0, "{name}");
    }
}

#[test]
fn hidden_parameters_become_parameters_of_learned_schemas() {
    let suite = suite("ferry", ActionMode::Declared);
    let text = foldt(&suite, 40).to_pddl().unwrap();
    let sail = text.split("(:action sail").nth(1).unwrap();
    let sail = sail.split("(:action").next().unwrap();
    assert!(sail.contains(":parameters (?to ?harbour1 - harbour)"), "{sail}");
    assert!(sail.contains("(ferry-at ?harbour1)"), "{sail}");
}

#[test]
fn one_seed_gives_one_model() {
    let suite = suite("blocks", ActionMode::Declared);
    let [one, other] = [(); 2].map(|()| foldt(&suite, 10).to_pddl().unwrap());
    assert_eq!(one, other);
}

/// A judge executes plans of the learned model in the true model.
#[test]
fn plans_are_judged_in_the_true_model() {
    let suite = suite("tsp", ActionMode::Declared);
    let learned = foldt(&suite, 40);
    let judge = Judge::new(&suite, &learned);
    let verdicts = [
        judge
            .plan(0, |_| Ok::<_, LearnError>(PlannerAnswer::Unsolvable))
            .unwrap(),
        judge
            .plan(0, |_| Ok::<_, LearnError>(PlannerAnswer::GaveUp))
            .unwrap(),
        judge
            .plan(0, |_| Ok::<_, LearnError>(PlannerAnswer::Plan(Vec::new())))
            .unwrap(),
    ];
    assert_eq!(
        verdicts,
        [Judgement::Unsolvable, Judgement::GaveUp, Judgement::Misses]
    );
    let tour = |simulator: &herbrand_step::Simulator| {
        let mut state = simulator.initial_state();
        let mut plan = Vec::new();
        while !simulator.is_goal(&state) {
            let valid = simulator.valid_actions(&state);
            let unvisited = |id: &&herbrand_ground::ActionId| {
                !simulator
                    .task()
                    .display_action(**id)
                    .to_string()
                    .contains("return")
            };
            let action = *valid.iter().find(unvisited).or(valid.first()).unwrap();
            state = simulator.outcomes(&state, action)?.remove(0).state;
            plan.push(action);
        }
        Ok::<_, LearnError>(PlannerAnswer::Plan(plan))
    };
    assert_eq!(judge.plan(0, tour).unwrap(), Judgement::Works);
    let twice = |simulator: &herbrand_step::Simulator| {
        let first = simulator.valid_actions(&simulator.initial_state())[0];
        Ok::<_, LearnError>(PlannerAnswer::Plan(vec![first, first]))
    };
    assert_eq!(judge.plan(0, twice).unwrap(), Judgement::Refused { step: 2 });
}

/// The true model predicts every transition, and a domain with another vocabulary is rejected.
#[test]
fn models_of_others_are_judged() {
    let budget = Budget::unlimited();
    let [depot, gripper] = ["depot", "gripper"].map(|name| suite(name, ActionMode::Operators));
    let seen = explore(&depot, &exploration(5, ActionChoice::Mixed), &budget).unwrap();
    let truth = Learned::from_domain(seen.language.clone(), depot.domain()).unwrap();
    let prediction = truth.predict(&seen, &budget).unwrap();
    assert_eq!(
        (prediction.wrong, prediction.transitions),
        (0, seen.transitions.len())
    );
    let text = depot.domain().to_pddl().replacen("(at ?truck ?from)", "(and)", 1);
    let careless = herbrand_env::Domain::from_text(&text).unwrap();
    let careless = Learned::from_domain(seen.language.clone(), &careless).unwrap();
    assert!(careless.predict(&seen, &budget).unwrap().unsound > 0, "{text}");
    let error = Learned::from_domain(seen.language, gripper.domain()).unwrap_err();
    assert!(
        matches!(&error, LearnError::Vocabulary { faults } if faults.len() > 1),
        "{error}"
    );
}

#[test]
fn a_model_that_is_too_large_to_be_grounded_is_given_up() {
    let suite = suite("ferry", ActionMode::Declared);
    let learned = foldt(&suite, 40);
    let judge = Judge::new(&suite, &learned);
    let solve = |bytes| {
        let limits = Limits { bytes, time: None };
        let mut request = PlanRequest {
            budget: Budget::new(limits),
            seed: 0,
            progress: &mut |_| {},
        };
        judge.solve(0, PlannerKind::default(), &mut request).unwrap()
    };
    assert_eq!(solve(None), Judgement::Works);
    assert_eq!(solve(Some(1)), Judgement::GaveUp);
}
