//! Irrelevant atoms can be omitted. Walks on the task with all atoms and on the task with the relevant ones have the same
//! valid actions, draws, goals, rewards, numbers, and truth values of the relevant atoms.

use std::collections::BTreeMap;

use crate::common::bundled;
use crate::random::{config, printed};
use herbrand::ground::{AtomId, GroundOptions, KeptAtoms, NumericId};
use herbrand::pddl::strategies::Shape;
use herbrand::step::{Outcome, Random, State, StepError, Valuation, Walker, compile_with};
use herbrand::{Domain, Problem, Simulator};
use proptest::prelude::*;

/// A task with all atoms and the same task with the relevant ones.
struct Pair {
    all: Simulator,
    relevant: Simulator,
    /// For each relevant atom, its id in the task with all atoms.
    kept: Vec<AtomId>,
}

impl Pair {
    fn new(domain: &Domain, problem: &Problem) -> Self {
        let [all, relevant] = [KeptAtoms::All, KeptAtoms::Relevant].map(|atoms| {
            let options = GroundOptions {
                atoms,
                ..GroundOptions::default()
            };
            compile_with(domain, problem, &options).expect("there is no limit")
        });
        let kept = relevant.task().atoms.iter().map(|atom| {
            let found = all.task().find_atom(atom.predicate, atom.arguments);
            found.expect("an atom of the whole task")
        });
        Self {
            kept: kept.collect(),
            all,
            relevant,
        }
    }

    /// Returns the truth values of the relevant atoms, and the numbers.
    fn seen(&self, simulator: &Simulator, state: &State) -> (Vec<bool>, Vec<Option<u64>>) {
        let closed = simulator.close(state);
        let is_all = simulator.task().atom_count() == self.all.task().atom_count();
        let own = |(index, &atom): (usize, &AtomId)| if is_all { atom } else { AtomId::from_index(index) };
        let truth = self.kept.iter().enumerate().map(|pair| closed.holds(own(pair)));
        let numbers = (0..simulator.task().state_numerics).map(NumericId::new);
        let bits = numbers.map(|id| closed.value(id).map(f64::to_bits));
        (truth.collect(), bits.collect())
    }

    fn compare(&self, all: &Walker, relevant: &Walker) -> Result<(), TestCaseError> {
        prop_assert_eq!(names(all), names(relevant));
        prop_assert_eq!(all.is_goal(), relevant.is_goal());
        let (expected, found) = (
            self.seen(&self.all, all.state()),
            self.seen(&self.relevant, relevant.state()),
        );
        prop_assert_eq!(expected, found);
        for (index, &atom) in self.kept.iter().enumerate() {
            prop_assert_eq!(all.holds(atom), relevant.holds(AtomId::from_index(index)));
        }
        Ok(())
    }

    /// Checks that the distributions of successors agree after merging states that differ in irrelevant atoms only.
    fn compare_outcomes(&self, all: &Walker, relevant: &Walker, choice: u8) -> Result<(), TestCaseError> {
        let Some(action) = all.valid().nth(usize::from(choice) % all.valid().len().max(1)) else {
            return Ok(());
        };
        let expected = self.all.outcomes(all.state(), action);
        let found = self.relevant.outcomes(relevant.state(), action);
        match (expected, found) {
            (Ok(expected), Ok(found)) => {
                let expected = self.distribution(&self.all, &expected);
                let found = self.distribution(&self.relevant, &found);
                prop_assert!(expected.keys().eq(found.keys()));
                for (a, b) in expected.values().zip(found.values()) {
                    prop_assert!((a - b).abs() < 1e-12, "{a} {b}");
                }
            }
            (Err(StepError::TooManyOutcomes { .. }), _) => {}
            (expected, found) => {
                prop_assert_eq!(expected.as_ref().err().map(kind), found.as_ref().err().map(kind))
            }
        }
        Ok(())
    }

    #[expect(clippy::type_complexity, reason = "a successor and what comes with it")]
    fn distribution(
        &self,
        simulator: &Simulator,
        outcomes: &[Outcome],
    ) -> BTreeMap<((Vec<bool>, Vec<Option<u64>>), u64, bool), f64> {
        let mut distribution = BTreeMap::new();
        for one in outcomes {
            let key = (self.seen(simulator, &one.state), one.reward.to_bits(), one.goal);
            *distribution.entry(key).or_insert(0.0) += one.probability;
        }
        distribution
    }
}

fn names(walker: &Walker) -> Vec<String> {
    let task = walker.simulator().task();
    walker
        .valid()
        .iter()
        .map(|action| task.display_action(action).to_string())
        .collect()
}

fn kind(error: &StepError) -> std::mem::Discriminant<StepError> {
    std::mem::discriminant(error)
}

/// Walks with one seed on both tasks; returns the number of irrelevant atoms.
fn check(domain: &Domain, problem: &Problem, seed: u64, walk: &[u8]) -> Result<usize, TestCaseError> {
    let pair = Pair::new(domain, problem);
    let (mut all, mut relevant) = (pair.all.walker(), pair.relevant.walker());
    let (mut random, mut same) = (Random::new(seed), Random::new(seed));
    let left_out = pair.all.task().atom_count() - pair.kept.len();
    let (expected, found) = (all.reset(&mut random), relevant.reset(&mut same));
    prop_assert_eq!(expected.as_ref().map_err(kind), found.as_ref().map_err(kind));
    if expected.is_err() {
        return Ok(left_out);
    }
    pair.compare(&all, &relevant)?;
    for &choice in walk {
        pair.compare_outcomes(&all, &relevant, choice)?;
        let action = all.sample(&mut random);
        prop_assert_eq!(action, relevant.sample(&mut same));
        let Some(action) = action else { break };
        let (expected, found) = (all.apply(action, &mut random), relevant.apply(action, &mut same));
        prop_assert_eq!(expected.as_ref().map_err(kind), found.as_ref().map_err(kind));
        prop_assert_eq!(&random, &same, "the draws");
        if expected.is_err() {
            break;
        }
        pair.compare(&all, &relevant)?;
        if choice % 4 == 0 {
            prop_assert_eq!(all.undo(), relevant.undo());
            pair.compare(&all, &relevant)?;
        }
    }
    Ok(left_out)
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn on_strips_tasks(task in printed(&Shape::strips()), seed: u64, walk in prop::collection::vec(any::<u8>(), 1..8)) {
        check(&task.0, &task.1, seed, &walk)?;
    }

    #[test]
    fn on_tasks_with_everything(
        task in printed(&Shape::default()), seed: u64, walk in prop::collection::vec(any::<u8>(), 1..8),
    ) {
        check(&task.0, &task.1, seed, &walk)?;
    }
}

#[test]
fn on_bundled_problems() {
    let walk: Vec<u8> = (1..24).collect();
    let left_out = bundled(1).into_iter().filter(|bundled| {
        let left_out = check(&bundled.domain, &bundled.problem, 3, &walk);
        left_out.unwrap_or_else(|error| panic!("{}: {error}", bundled.name)) > 0
    });
    assert!(
        left_out.count() > 0,
        "some bundled domain has atoms that nothing reads"
    );
}
