//! Every problem of every bundled domain compiles, does not start in a goal state or dead end, and can be solved.

use std::collections::HashSet;

use crate::common::{Bundled, bundled};
use herbrand::{Simulator, State, compile};

/// The maximum number of states that are tracked through a plan with probabilistic effects.
const MOST_STATES: usize = 2_000;

/// Returns the states that the stored plan may lead to, over all outcomes of its actions. States in which an action is
/// invalid are dropped.
fn follow(bundled: &Bundled, simulator: &Simulator) -> HashSet<State> {
    let mut states = HashSet::from([simulator.initial_state()]);
    let plan = bundled
        .plan
        .as_ref()
        .unwrap_or_else(|| panic!("{} has no stored plan", bundled.name));
    for line in plan.lines().filter(|line| !line.trim_start().starts_with(';')) {
        let action = simulator
            .parse_action(line)
            .unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
        let mut next: Vec<State> = states
            .iter()
            .filter(|state| simulator.is_valid(state, action))
            .flat_map(|state| {
                simulator
                    .outcomes(state, action)
                    .expect("outcomes of a valid action")
            })
            .map(|outcome| outcome.state)
            .collect();
        assert!(
            !next.is_empty(),
            "{}: {line} is not valid where the plan leads",
            bundled.name
        );
        next.sort_unstable();
        next.truncate(MOST_STATES);
        states = next.into_iter().collect();
    }
    states
}

#[test]
fn every_problem_can_be_solved_by_its_stored_plan() {
    let all = bundled(usize::MAX);
    assert!(
        all.len() >= 120,
        "six domains with twenty problems at least, not {}",
        all.len()
    );
    for bundled in &all {
        let simulator =
            compile(&bundled.domain, &bundled.problem).unwrap_or_else(|e| panic!("{}: {e}", bundled.name));
        let start = simulator.initial_state();
        assert!(!simulator.is_goal(&start), "{} starts at its goal", bundled.name);
        assert!(
            !simulator.valid_actions(&start).is_empty(),
            "{} has no valid first action",
            bundled.name
        );
        let reached = follow(bundled, &simulator);
        assert!(
            reached.iter().any(|state| simulator.is_goal(state)),
            "{}: the plan misses the goal",
            bundled.name
        );
    }
}
