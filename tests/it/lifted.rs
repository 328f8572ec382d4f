//! Both engines agree: walks by a grounded walker and by a lifted walker have the same valid actions, draws, states and rewards
//! at every step.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::bundled;
use crate::random::{config, printed};
use herbrand::pddl::strategies::Shape;
use herbrand::pddl::{AtomRef, ObjectId, SchemaId};
use herbrand::step::{LiftedSimulator, LiftedState, LiftedWalker, Random, StepError, StepResult, Walker};
use herbrand::{ActionId, Domain, Problem, Simulator, State, compile};
use proptest::prelude::*;

/// The observable part of a state, by names.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    atoms: BTreeSet<String>,
    numbers: BTreeSet<String>,
    valid: Vec<String>,
    goal: bool,
}

fn text(simulator: &Simulator, fact: AtomRef<'_>) -> String {
    let vocabulary = &simulator.task().vocabulary;
    let name = &vocabulary.predicate(fact.predicate).signature.name;
    vocabulary.term(name, fact.arguments).to_string()
}

fn grounded(walker: &Walker) -> Seen {
    let (simulator, task) = (walker.simulator(), walker.simulator().task());
    let atoms = walker.atoms().filter_map(|atom| task.atoms.get(atom.index()));
    let declared = atoms.filter(|fact| !task.vocabulary.predicate(fact.predicate).auxiliary);
    let numerics = &task.numerics[..task.state_numerics as usize];
    let numbers = (0..).zip(numerics).filter_map(|(index, numeric)| {
        let value = walker.numeric(herbrand::ground::NumericId::new(index))?;
        let name = &task.vocabulary.function(numeric.function).name;
        // A ground task has a fluent for the reward even if nothing changes it.
        if name.as_str() == "reward" {
            return None;
        }
        Some(format!(
            "{} = {value}",
            task.vocabulary.term(name, &numeric.arguments)
        ))
    });
    Seen {
        atoms: declared.map(|fact| text(simulator, fact)).collect(),
        numbers: numbers.collect(),
        valid: walker
            .valid()
            .iter()
            .map(|action| task.display_action(action).to_string())
            .collect(),
        goal: walker.is_goal(),
    }
}

/// Returns whether a ground task has a numeric fluent. It does not if no reachable action uses the fluent.
fn is_numbered(simulator: &Simulator, number: &herbrand::step::LiftedNumber) -> bool {
    let numerics = &simulator.task().numerics;
    let same =
        |n: &herbrand::ground::Numeric| n.function == number.function && n.arguments == number.arguments;
    let name = &simulator.task().vocabulary.function(number.function).name;
    name.as_str() != "reward" && numerics.iter().any(same)
}

/// Returns the observable part of a lifted walker's state. Constant derived atoms are omitted, because a ground task lists
/// them elsewhere.
fn lifted(walker: &LiftedWalker, simulator: &Simulator) -> Seen {
    let vocabulary = walker.simulator().vocabulary();
    let statics: BTreeSet<_> = simulator.task().statics.iter().collect();
    let derived = walker.derived().filter(|fact| !statics.contains(fact));
    let atoms = walker.state().atoms().chain(derived);
    let number = |number: &herbrand::step::LiftedNumber| {
        let name = &vocabulary.function(number.function).name;
        format!(
            "{} = {}",
            vocabulary.term(name, &number.arguments),
            number.value()
        )
    };
    Seen {
        atoms: atoms.map(|fact| text(simulator, fact)).collect(),
        numbers: walker
            .state()
            .numbers()
            .iter()
            .filter(|number| is_numbered(simulator, number))
            .map(number)
            .collect(),
        valid: walker
            .valid()
            .iter()
            .map(|action| action.display(vocabulary).to_string())
            .collect(),
        goal: walker.is_goal(),
    }
}

/// Adds up the probabilities of equal outcomes.
fn distribution<K: Ord>(outcomes: impl Iterator<Item = (K, f64)>) -> BTreeMap<K, f64> {
    let mut distribution = BTreeMap::new();
    outcomes.for_each(|(outcome, probability)| *distribution.entry(outcome).or_insert(0.0) += probability);
    distribution
}

/// Returns the kind of a fault without its message.
fn kind(error: &StepError) -> std::mem::Discriminant<StepError> {
    std::mem::discriminant(error)
}

struct Both {
    simulator: Simulator,
    grounded: (Walker, Random),
    lifted: (LiftedWalker, Random),
}

impl Both {
    fn new(domain: &Domain, problem: &Problem, seed: u64) -> Result<Self, TestCaseError> {
        let simulator = compile(domain, problem).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let lifted = LiftedSimulator::compile(domain, problem)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let random = || Random::new(seed);
        Ok(Self {
            grounded: (simulator.walker(), random()),
            lifted: (lifted.walker().unwrap(), random()),
            simulator,
        })
    }

    fn reset(&mut self) -> Result<bool, TestCaseError> {
        let (walker, random) = &mut self.grounded;
        let first = walker.reset(random);
        let (walker, random) = &mut self.lifted;
        let other = walker.reset(random);
        prop_assert_eq!(
            first.as_ref().map_err(kind),
            other.as_ref().map_err(kind),
            "reset"
        );
        Ok(first.is_ok())
    }

    fn compare(&self) -> Result<(), TestCaseError> {
        let expected = grounded(&self.grounded.0);
        prop_assert_eq!(&lifted(&self.lifted.0, &self.simulator), &expected);
        Ok(())
    }

    /// Compares the distributions of an action's successors.
    fn compare_outcomes(&mut self, action: ActionId) -> Result<(), TestCaseError> {
        let ground = self.simulator.task().actions.get(action);
        let (schema, arguments) = (ground.schema, ground.arguments.to_vec());
        let state = self.grounded.0.state().clone();
        let expected = self.simulator.outcomes(&state, action);
        let walker = &mut self.lifted.0;
        let before = walker.state().clone();
        let outcomes = walker.outcomes(schema, &arguments);
        prop_assert_eq!(&before, walker.state(), "outcomes leave the state alone");
        match (&expected, &outcomes) {
            (Ok(expected), Ok(outcomes)) => {
                let ground = expected.iter().map(|outcome| {
                    let fluents = outcome.state.fluents();
                    let facts = fluents.filter_map(|atom| self.simulator.task().atoms.get(atom.index()));
                    let atoms: BTreeSet<_> = facts.map(|fact| text(&self.simulator, fact)).collect();
                    (
                        (atoms, outcome.reward.to_bits(), outcome.goal),
                        outcome.probability,
                    )
                });
                let lifted = outcomes.iter().map(|outcome| {
                    let atoms: BTreeSet<_> = outcome
                        .state
                        .atoms()
                        .map(|fact| text(&self.simulator, fact))
                        .collect();
                    (
                        (atoms, outcome.reward.to_bits(), outcome.goal),
                        outcome.probability,
                    )
                });
                let (ground, lifted) = (distribution(ground), distribution(lifted));
                prop_assert!(ground.keys().eq(lifted.keys()), "{ground:?} {lifted:?}");
                for (expected, found) in ground.values().zip(lifted.values()) {
                    prop_assert!((expected - found).abs() < 1e-12);
                }
                let total: f64 = lifted.values().sum();
                prop_assert!((total - 1.0).abs() < 1e-12);
            }
            (Err(StepError::TooManyOutcomes { .. }), _) | (_, Err(StepError::TooManyOutcomes { .. })) => {}
            (expected, outcomes) => {
                prop_assert!(
                    expected.is_err() && outcomes.is_err(),
                    "{expected:?} {outcomes:?}"
                );
            }
        }
        Ok(())
    }

    /// Takes a step on both sides; `false` at a dead end or a fault.
    fn step(&mut self) -> Result<bool, TestCaseError> {
        let (walker, random) = &mut self.grounded;
        let Some(action) = walker.sample(random) else {
            return Ok(false);
        };
        let ground = self.simulator.task().actions.get(action);
        let (schema, arguments): (SchemaId, Vec<ObjectId>) = (ground.schema, ground.arguments.to_vec());
        let expected: Result<StepResult, StepError> = walker.apply(action, random);
        let (walker, random) = &mut self.lifted;
        let drawn = walker
            .sample(random)
            .map(|drawn| (drawn.schema, drawn.arguments.to_vec()));
        prop_assert_eq!(drawn, Some((schema, arguments.clone())), "the action drawn");
        let (simulator, mut again) = (walker.simulator().clone(), random.clone());
        let sampled = simulator.sample(walker.state(), schema, &arguments, &mut again);
        let found = walker.apply(schema, &arguments, random);
        let reached = found.as_ref().map(|found| (walker.state().clone(), found.reward));
        prop_assert_eq!(
            sampled.as_ref().map_err(kind),
            reached.as_ref().map_err(|&error| kind(error))
        );
        prop_assert_eq!(&again, &*random, "a sample draws as a step does");
        prop_assert_eq!(
            expected.as_ref().map_err(kind),
            found.as_ref().map_err(kind),
            "the step"
        );
        Ok(expected.is_ok())
    }

    /// Returns the current state of the grounded walker and of a lifted one.
    fn state(&self) -> (State, LiftedState) {
        (self.grounded.0.state().clone(), self.lifted.0.state().clone())
    }

    fn go_to(&mut self, (state, lifted): &(State, LiftedState)) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.grounded.0.set_state(state), Ok(()));
        self.lifted.0.set_state(lifted).unwrap();
        prop_assert_eq!(self.lifted.0.state(), lifted);
        Ok(())
    }

    fn undo(&mut self) -> Result<(), TestCaseError> {
        let undone = self.grounded.0.undo();
        prop_assert_eq!(self.lifted.0.undo(), undone);
        Ok(())
    }
}

/// Walks on both sides and undoes some steps.
fn check(domain: &Domain, problem: &Problem, seed: u64, walk: &[u8]) -> Result<(), TestCaseError> {
    let mut both = Both::new(domain, problem, seed)?;
    if !both.reset()? {
        return Ok(());
    }
    both.compare()?;
    for choice in walk {
        if let Some(action) = both
            .grounded
            .0
            .valid()
            .nth(usize::from(*choice) % both.grounded.0.valid().len().max(1))
        {
            both.compare_outcomes(action)?;
        }
        if !both.step()? {
            break;
        }
        both.compare()?;
        if choice % 4 == 0 {
            both.undo()?;
            both.compare()?;
        }
    }
    Ok(())
}

/// Sets states of earlier walks in any order, including repeated states and the initial one, with steps and invalid undo
/// attempts in between.
fn check_jumps(domain: &Domain, problem: &Problem, seed: u64, jumps: &[u8]) -> Result<(), TestCaseError> {
    let mut both = Both::new(domain, problem, seed)?;
    let mut states = vec![both.state()];
    for _ in 0..2 {
        if !both.reset()? {
            return Ok(());
        }
        states.push(both.state());
        for _ in 0..4 {
            if !both.step()? {
                break;
            }
            states.push(both.state());
        }
    }
    for jump in jumps {
        match jump % 8 {
            0 | 1 => both.undo()?,
            2 | 3 => {
                both.step()?;
            }
            _ => both.go_to(&states[usize::from(jump / 8) % states.len()])?,
        }
        both.compare()?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn between_states_of_strips_tasks(
        task in printed(&Shape::strips()), seed: u64, jumps in prop::collection::vec(any::<u8>(), 1..16),
    ) {
        check_jumps(&task.0, &task.1, seed, &jumps)?;
    }

    #[test]
    fn between_states_of_tasks_with_everything(
        task in printed(&Shape::default()), seed: u64, jumps in prop::collection::vec(any::<u8>(), 1..16),
    ) {
        check_jumps(&task.0, &task.1, seed, &jumps)?;
    }

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
    for bundled in &bundled(1) {
        let walk: Vec<u8> = (1..24).collect();
        check(&bundled.domain, &bundled.problem, 3, &walk)
            .unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
        let jumps: Vec<u8> = (0..24).map(|index: u8| index.wrapping_mul(37)).collect();
        check_jumps(&bundled.domain, &bundled.problem, 5, &jumps)
            .unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
    }
}
