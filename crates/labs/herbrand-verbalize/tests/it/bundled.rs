//! Sentences of all bundled problems: different states have different texts, and actions are read back.

use std::collections::{BTreeSet, HashMap, HashSet};

use herbrand_core::{Choice, Described, Problems, Random, Streams, System, uniform_below};
use herbrand_env::{Registry, Suite};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_verbalize::Wording;

/// The number of problems per domain, and of steps per problem.
struct Extent {
    problems: usize,
    steps: usize,
}

const QUICK: Extent = Extent {
    problems: 1,
    steps: 8,
};

/// The number of actions that are read back per state.
const ACTIONS: usize = 12;

/// Walks at random and checks every state and some of its actions. Starts again where a walk ends. Returns the number of
/// both.
fn walk<S: Described>(system: &mut S, wording: &Wording, steps: usize, seed: u64) -> (usize, usize)
where
    S::Error: std::fmt::Debug,
{
    let mut chance: Random = Streams::new(seed).outcomes;
    system.reset(&mut chance).expect("the problem starts");
    let mut texts: HashMap<String, Vec<String>> = HashMap::new();
    let (mut states, mut actions) = (0, 0);
    let mut is_start = true;
    for _ in 0..steps {
        let mut facts = Vec::new();
        system.facts(&mut |fact| {
            if fact.group != herbrand_core::Group::Static {
                facts.push(fact.to_string());
            }
        });
        facts.sort();
        let text = wording.state(|visit| system.facts(visit));
        let known = texts.entry(text.clone()).or_insert_with(|| facts.clone());
        assert_eq!(*known, facts, "two states have the text\n{text}");
        states += 1;

        let fields = system.actions().fields();
        let mut choices: Vec<Choice> = Vec::new();
        system.choices(&mut choices);
        choices.retain(|choice| fields[choice.field as usize].default != Some(choice.value));
        let is_over = choices.is_empty() || {
            let some = uniform_below(&mut chance, choices.len() as u32) as usize;
            for number in 0..ACTIONS.min(choices.len()) {
                let choice = choices[(some + number) % choices.len()];
                read_back(wording, &system.choice_text(choice));
                actions += 1;
            }
            system.status().terminal || system.step(&[choices[some]], &mut chance).is_err()
        };
        if is_over && is_start {
            break;
        }
        if is_over {
            system.reset(&mut chance).expect("the problem starts");
        }
        is_start = is_over;
    }
    (states, actions)
}

/// Reads an action in all its forms.
fn read_back(wording: &Wording, text: &str) {
    let sentence = wording.action(text);
    let read = |written: &str| wording.read(written, &[text.to_owned()]);
    assert_eq!(read(&sentence).as_deref(), Ok(text), "{sentence}");
    assert_eq!(read(text).as_deref(), Ok(text));
    assert_eq!(read("1").as_deref(), Ok(text));
    let loose = format!("  {}. ", sentence.replace(' ', "  "));
    assert_eq!(read(&loose).as_deref(), Ok(text), "{loose}");
}

fn planning(extent: &Extent, names: &[String]) -> (usize, usize) {
    let mut sum = (0, 0);
    for name in names {
        let suite = Registry::get(name).expect("it is bundled");
        for index in 0..suite.len().min(extent.problems) {
            let wording = Wording::of_planning(&suite, index, None).expect("the problem is sound");
            let mut system = Problems::system(&suite, index).expect("the problem compiles");
            let (states, actions) = walk(&mut system, &wording, extent.steps, index as u64);
            sum = (sum.0 + states, sum.1 + actions);
        }
    }
    sum
}

fn rddl(extent: &Extent) -> (usize, usize) {
    let mut sum = (0, 0);
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).expect("it is bundled");
        for index in 0..suite.len().min(extent.problems) {
            let wording = Wording::of_rddl(&suite, index, None).expect("the instance is sound");
            let mut system = suite.simulator(index).expect("the instance compiles");
            let (states, actions) = walk(&mut system, &wording, extent.steps, index as u64);
            sum = (sum.0 + states, sum.1 + actions);
        }
    }
    sum
}

/// Visits all states of a problem. Checks that no two have the same text, and that all their actions are read back.
/// Returns the number of states and of different actions; `None` if there are more than `most` states.
fn visit(suite: &Suite, index: usize, most: usize) -> Option<(usize, usize)> {
    let compiled = suite.instance(index).expect("the problem compiles");
    let simulator = compiled.simulator();
    let start = simulator.initial_state();
    let (mut known, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
    while let Some(state) = open.pop() {
        for action in simulator.valid_actions(&state) {
            let outcomes = simulator.outcomes(&state, action).expect("it is valid");
            let states = outcomes.into_iter().map(|outcome| outcome.state);
            open.extend(states.filter(|state| known.insert(state.clone())));
        }
        if known.len() > most {
            return None;
        }
    }
    let wording = Wording::of_planning(suite, index, None).expect("the problem is sound");
    let mut system = Problems::system(suite, index).expect("the problem compiles");
    let (mut texts, mut actions, mut choices) = (HashSet::new(), HashSet::new(), Vec::new());
    for state in &known {
        system.set_state(state).expect("it is a state");
        let text = wording.state(|visit| system.facts(visit));
        assert!(!texts.contains(&text), "two states have the text\n{text}");
        texts.insert(text);
        system.choices(&mut choices);
        for &choice in &choices {
            let text = system.choice_text(choice);
            if !actions.contains(&text) {
                read_back(&wording, &text);
                actions.insert(text);
            }
        }
    }
    Some((known.len(), actions.len()))
}

/// Visits all states of the bundled problems that have few. Returns the numbers of problems, states and actions.
fn visit_all(problems: usize, most: usize) -> (usize, usize, usize) {
    let mut sum = (0, 0, 0);
    for name in Registry::names().expect("the domains are consistent") {
        let suite = Registry::get(&name).expect("it is bundled");
        for index in 0..suite.len().min(problems) {
            if let Some((states, actions)) = visit(&suite, index, most) {
                sum = (sum.0 + 1, sum.1 + states, sum.2 + actions);
            }
        }
    }
    sum
}

#[test]
fn all_states_of_small_problems_have_texts_of_their_own() {
    let (problems, states, actions) = visit_all(1, 300);
    assert!(
        problems > 10 && states > 500 && actions > 100,
        "{problems} problems, {states} states, {actions} actions"
    );
}

#[test]
#[ignore = "all problems take minutes"]
fn all_states_of_all_smaller_problems_have_texts_of_their_own() {
    let found = visit_all(usize::MAX, 20_000);
    println!("problems, states, actions: {found:?}");
    assert!(found.0 > 100, "too few problems: {found:?}");
}

#[test]
fn planning_problems_read_back() {
    let names = Registry::names().expect("the domains are consistent");
    let (states, actions) = planning(&QUICK, &names);
    assert!(
        states > 100 && actions > 300,
        "{states} states, {actions} actions"
    );
}

#[test]
fn rddl_instances_read_back() {
    let (states, actions) = rddl(&QUICK);
    assert!(states > 50 && actions > 100, "{states} states, {actions} actions");
}

/// `STEPS` is the number of states per problem (default: 25).
#[test]
#[ignore = "all problems take minutes"]
fn all_problems_read_back() {
    let steps = std::env::var("STEPS").ok().and_then(|steps| steps.parse().ok());
    let all = Extent {
        problems: usize::MAX,
        steps: steps.unwrap_or(25),
    };
    let names = Registry::names().expect("the domains are consistent");
    let (planning, rddl) = (planning(&all, &names), rddl(&all));
    println!("PDDL: {planning:?} states and actions, RDDL: {rddl:?}");
    assert!(planning.0 + rddl.0 > 10_000, "too few states");
}
