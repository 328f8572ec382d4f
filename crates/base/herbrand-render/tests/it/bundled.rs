//! Tests every bundled domain and environment: elements are within bounds, labels do not overlap, and every change is
//! visible.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_core::{Choice, Described, Random};
use herbrand_env::{Registry, Suite};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_render::{Moment, Picture, Pictured as _, Theme};

/// The number of problems to draw, and the length of the walks.
#[derive(Clone, Copy)]
struct Effort {
    /// The number of problems per domain, in addition to the last one.
    problems: usize,
    steps: usize,
}

/// The effort of ordinary test runs.
const QUICK: Effort = Effort {
    problems: 2,
    steps: 12,
};

/// All problems with long walks.
const WHOLE: Effort = Effort {
    problems: usize::MAX,
    steps: 60,
};

/// Returns the indexes of the problems to draw.
fn chosen(count: usize, effort: Effort) -> BTreeSet<usize> {
    let first = 0..count.min(effort.problems);
    first.chain(count.checked_sub(1)).collect()
}

/// For each action name of a domain, whether a step of it changed the state.
type Seen = BTreeMap<String, bool>;

/// A walk whose states are drawn.
#[derive(Clone, Copy)]
struct Tour<'t> {
    /// The name of the problem.
    what: &'t str,
    /// The actions to take first, as far as they are valid.
    planned: &'t [&'t str],
    /// The number of random actions that follow.
    steps: usize,
    seed: u64,
}

/// Takes planned actions and then random ones, and checks the picture of every state.
fn walk<S: Described>(
    tour: Tour<'_>,
    system: &mut S,
    seen: &mut Seen,
    picture: &Picture,
    moment: impl Fn(&S) -> Moment,
) where
    S::Error: std::fmt::Debug,
{
    let Tour {
        what,
        planned,
        steps,
        seed,
    } = tour;
    let (mut actions, mut chance) = (Random::new(2 * seed), Random::new(2 * seed + 1));
    system.reset(&mut chance).expect("an initial state");
    let mut before = check(what, picture, &moment(system));
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
        let after = check(what, picture, &moment(system));
        assert!(
            !changed || after.0 != before.0,
            "{what}: {texts:?} changes nothing in the picture"
        );
        assert!(
            !changed || after.1 != before.1,
            "{what}: {texts:?} changes nothing in the terminal:\n{}",
            before.1
        );
        for text in &texts {
            *seen.entry(name(text)).or_insert(false) |= changed;
        }
        before = after;
    }
}

/// Returns the name of an action from its text.
fn name(text: &str) -> String {
    let end = |character: char| character.is_whitespace() || ")=_".contains(character);
    let text = text.trim_start_matches('(');
    text.split(end).next().unwrap_or_default().to_owned()
}

/// Checks the geometry of the picture. Returns it as SVG, and the text of the state as in a terminal: the drawing and the
/// facts that it does not show.
fn check(what: &str, picture: &Picture, moment: &Moment) -> (String, String) {
    let scene = picture.scene(moment);
    assert!(scene.faults().is_empty(), "{what}: {:#?}", scene.faults());
    let lines = picture.text(moment).unwrap_or_default();
    let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    for fact in moment
        .facts
        .iter()
        .filter(|fact| !picture.draws_as_text(&fact.name))
    {
        text += &format!("{fact:?}\n");
    }
    (scene.to_svg(Theme::Light), text)
}

fn planning(suite: &Suite, effort: Effort, seen: &mut Seen) {
    for index in chosen(suite.len(), effort) {
        let mut planning = suite.engine(index).expect("a problem");
        let picture = herbrand_env::StatePicture::of(suite, index, &planning).expect("a picture");
        let problem = suite.full_problem_name(index).unwrap_or_default();
        let what = format!("{} {problem}", suite.name());
        let plan = Registry::plan(suite.name(), &problem).unwrap_or_default();
        // The plan consists of operators, but the agent may choose fewer parameters.
        let instance = planning.instance();
        let steps = plan.lines().filter_map(|line| instance.find_action(line));
        let plan: Vec<String> = steps
            .map(|action| instance.space().display(action).to_string())
            .collect();
        assert!(!plan.is_empty(), "{what} has no plan");
        let plan: Vec<&str> = plan.iter().map(String::as_str).collect();
        let moment = |planning: &_| picture.moment(planning);
        // Some actions only apply after random outcomes or off the plan's path.
        for seed in 0..20 {
            if seed > 0 && actions(suite).all(|action| seen.get(&action) == Some(&true)) {
                break;
            }
            let tour = Tour {
                what: &what,
                planned: if seed == 0 { &plan } else { &[] },
                steps: effort.steps,
                seed,
            };
            walk(tour, &mut planning, seen, picture.picture(), moment);
        }
    }
}

/// Returns the names of the agent actions of a domain.
fn actions(suite: &Suite) -> impl Iterator<Item = String> {
    let config = suite.config();
    let carried: BTreeSet<&String> = config
        .actions
        .values()
        .flat_map(|action| action.operators.keys())
        .collect();
    let operators = suite
        .domain()
        .schemas
        .iter()
        .map(|schema| schema.name.to_string());
    let operators = operators.filter(move |operator| !carried.contains(operator));
    config.actions.keys().cloned().chain(operators)
}

fn every_planning_domain(effort: Effort) {
    // The levels of a domain share their actions, some of which only occur in higher levels.
    let mut domains = BTreeMap::<String, (BTreeSet<String>, Seen)>::new();
    for name in Registry::names().expect("bundled domains") {
        let suite = Registry::get(&name).expect("a bundled domain");
        let family = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        let (own, seen) = domains.entry(family.to_owned()).or_default();
        own.extend(actions(&suite));
        planning(&suite, effort, seen);
        let declared = suite.config().render.is_some();
        assert!(declared, "{name} declares no picture");
    }
    for (name, (actions, seen)) in domains {
        let changes = |action: &&String| seen.get(*action) == Some(&true);
        let unseen: Vec<_> = actions.iter().filter(|action| !changes(action)).collect();
        assert!(
            unseen.is_empty(),
            "{name}: no step by {unseen:?} changed anything"
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
            let picture = suite.renderer(index, &simulator).expect("a picture");
            let what = format!("{name} {}", index + 1);
            let moment = |simulator: &_| picture.moment(simulator);
            let tour = Tour {
                what: &what,
                planned: &[],
                steps: effort.steps,
                seed: 1,
            };
            walk(tour, &mut simulator, &mut seen, picture.picture(), moment);
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
#[ignore = "takes most of a minute; the nightly run does it"]
fn all_problems_are_drawn() {
    every_planning_domain(WHOLE);
    every_environment(WHOLE);
}

/// Inferred declarations are as sound as explicit ones and show every change as well.
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
        let tour = Tour {
            what: name,
            planned: &[],
            steps: 20,
            seed: 1,
        };
        walk(tour, &mut planning, &mut seen, &general, Moment::of);
    }
}
