//! Every bundled domain and environment: whatever is drawn is within bounds, no label overlaps another, and what changes is
//! seen.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_core::{Choice, Described, Random};
use herbrand_env::{Registry, Suite};
use herbrand_rddl::suite::RddlSuite;
use herbrand_render::{Moment, Picture, Scene, Theme};

/// Which problems are drawn, and how long walks are.
#[derive(Clone, Copy)]
struct Effort {
    /// The first so many problems of each domain, and the last one.
    problems: usize,
    steps: usize,
}

/// The effort of every test run.
const QUICK: Effort = Effort {
    problems: 2,
    steps: 12,
};

/// All problems, with long walks.
const WHOLE: Effort = Effort {
    problems: usize::MAX,
    steps: 60,
};

/// The problems of a set that are drawn.
fn chosen(count: usize, effort: Effort) -> BTreeSet<usize> {
    let first = 0..count.min(effort.problems);
    first.chain(count.checked_sub(1)).collect()
}

/// What was seen of the actions of one domain: by name, whether a step of it ever changed the state.
type Seen = BTreeMap<String, bool>;

/// Takes actions, planned ones first and then random ones, and checks the picture of every state.
fn walk<S: Described>(
    what: &str,
    system: &mut S,
    planned: &[&str],
    steps: usize,
    seen: &mut Seen,
    draw: impl Fn(&S) -> Scene,
) where
    S::Error: std::fmt::Debug,
{
    let (mut actions, mut chance) = (Random::new(3), Random::new(4));
    system.reset(&mut chance).expect("an initial state");
    let mut before = check(what, &draw(system));
    let mut planned = planned.iter();
    for _ in 0..steps + planned.len() {
        let status = system.status();
        let mut joint: Vec<Choice> = Vec::new();
        let next = planned.next().and_then(|text| system.parse_choice(text).ok());
        match next.filter(|&choice| system.is_valid(&[choice])) {
            Some(choice) => joint.push(choice),
            None if status.terminal || !system.sample(&mut actions, &mut joint) => break,
            None => {}
        }
        let texts: Vec<String> = joint.iter().map(|&choice| system.choice_text(choice)).collect();
        let old = system.state().clone();
        system.step(&joint, &mut chance).expect("a valid step");
        let changed = *system.state() != old;
        let after = check(what, &draw(system));
        assert!(
            !changed || after != before,
            "{what}: {texts:?} changes nothing in the picture"
        );
        for text in &texts {
            *seen.entry(name(text)).or_insert(false) |= changed;
        }
        before = after;
    }
}

/// The name of the action that a text writes.
fn name(text: &str) -> String {
    let end = |character: char| character.is_whitespace() || ")=_".contains(character);
    let text = text.trim_start_matches('(');
    text.split(end).next().unwrap_or_default().to_owned()
}

/// The picture as SVG, if its geometry is sound.
fn check(what: &str, scene: &Scene) -> String {
    assert!(scene.faults().is_empty(), "{what}: {:#?}", scene.faults());
    scene.to_svg(Theme::Light)
}

fn planning(suite: &Suite, effort: Effort, seen: &mut Seen) {
    for index in chosen(suite.len(), effort) {
        let mut planning = suite.engine(index).expect("a problem");
        let picture = herbrand_env::StatePicture::of(suite, index, &planning).expect("a picture");
        let problem = suite.full_problem_name(index).unwrap_or_default();
        let what = format!("{} {problem}", suite.name());
        let folder = suite
            .name()
            .trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        let plan = herbrand_domains::file(&format!("{folder}/plans/{problem}.plan")).unwrap_or_default();
        let plan: Vec<&str> = plan.lines().filter(|line| line.starts_with('(')).collect();
        walk(&what, &mut planning, &plan, effort.steps, seen, |planning| {
            picture.scene(planning)
        });
    }
}

fn every_planning_domain(effort: Effort) {
    for name in Registry::names().expect("bundled domains") {
        let suite = Registry::get(&name).expect("a bundled domain");
        let mut seen = Seen::new();
        planning(&suite, effort, &mut seen);
        let declared = suite.config().render.is_some();
        assert!(declared, "{name} declares no picture");
        assert!(
            seen.values().any(|&changed| changed),
            "{name}: no action changes anything"
        );
    }
}

fn every_environment(effort: Effort) {
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).expect("a bundled environment");
        assert!(suite.settings().render.is_some(), "{name} declares no picture");
        let mut seen = Seen::new();
        for index in chosen(suite.len(), effort) {
            let mut simulator = suite.simulator(index).expect("an instance");
            let picture = herbrand_rddl::StatePicture::of(&suite, index, &simulator).expect("a picture");
            let what = format!("{name} {}", index + 1);
            walk(&what, &mut simulator, &[], effort.steps, &mut seen, |simulator| {
                picture.scene(simulator)
            });
        }
    }
}

#[test]
fn planning_domains_are_drawn() {
    every_planning_domain(QUICK);
}

#[test]
fn environments_are_drawn() {
    every_environment(QUICK);
}

#[test]
#[ignore = "takes minutes; the nightly run does it"]
fn all_problems_are_drawn() {
    every_planning_domain(WHOLE);
    every_environment(WHOLE);
}

/// The general way is as sound as the declared pictures, and shows every change too.
#[test]
fn domains_without_a_declaration_are_drawn() {
    for name in ["blocks", "logistics", "sokoban", "tsp", "elevator"] {
        let suite = Registry::get(name).expect("a bundled domain");
        let mut planning = suite.engine(1).expect("a problem");
        let declared = herbrand_env::StatePicture::of(&suite, 1, &planning).expect("a picture");
        let first = declared.moment(&planning);
        let (vocabulary, world) = declared.picture().about();
        let general = Picture::new(None, vocabulary.clone(), world.clone(), &first);
        let mut seen = Seen::new();
        walk(name, &mut planning, &[], 20, &mut seen, |planning| {
            general.scene(&Moment::of(planning))
        });
    }
}
