//! Sentences of all bundled problems: different states have different texts, and actions are read back.

use std::collections::HashMap;

use herbrand_core::{Choice, Described, Problems, Random, Streams, uniform_below};
use herbrand_env::Registry;
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

/// Walks at random and checks every state and some of its actions. Returns the number of both.
fn walk<S: Described>(system: &mut S, wording: &Wording, steps: usize, seed: u64) -> (usize, usize)
where
    S::Error: std::fmt::Debug,
{
    let mut chance: Random = Streams::new(seed).outcomes;
    system.reset(&mut chance).expect("the problem starts");
    let mut texts: HashMap<String, Vec<String>> = HashMap::new();
    let (mut states, mut actions) = (0, 0);
    for _ in 0..steps {
        let mut facts = Vec::new();
        system.facts(&mut |fact| {
            if fact.group != herbrand_core::Group::Static {
                facts.push(fact.to_string());
            }
        });
        facts.sort();
        let text = wording.state(system);
        let known = texts.entry(text.clone()).or_insert_with(|| facts.clone());
        assert_eq!(*known, facts, "two states have the text\n{text}");
        states += 1;

        let fields = system.actions().fields();
        let mut choices: Vec<Choice> = Vec::new();
        system.choices(&mut choices);
        choices.retain(|choice| fields[choice.field as usize].default != Some(choice.value));
        if choices.is_empty() {
            break;
        }
        let some = uniform_below(&mut chance, choices.len() as u32) as usize;
        for number in 0..ACTIONS.min(choices.len()) {
            let choice = choices[(some + number) % choices.len()];
            read_back(wording, &system.choice_text(choice));
            actions += 1;
        }
        let status = system.status();
        if status.terminal || system.step(&[choices[some]], &mut chance).is_err() {
            break;
        }
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

#[test]
#[ignore = "all problems take minutes"]
fn all_problems_read_back() {
    let all = Extent {
        problems: usize::MAX,
        steps: 25,
    };
    let names = Registry::names().expect("the domains are consistent");
    let (planning, rddl) = (planning(&all, &names), rddl(&all));
    println!("PDDL: {planning:?} states and actions, RDDL: {rddl:?}");
    assert!(planning.0 + rddl.0 > 10_000, "too few states");
}
