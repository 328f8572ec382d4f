//! The engine agrees with the brute-force interpreter on random tasks: initial states, derived atoms, valid actions, goals,
//! outcomes, rewards and faults, in every state of random walks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::random::{Printed, config, printed};
use herbrand::ground::NumericId;
use herbrand::pddl::strategies::Shape;
use herbrand::pddl::{AtomRef, FunctionId, ObjectId, Requirement};
use herbrand::step::{Outcome, StepError};
use herbrand::{Domain, Problem, Simulator, State, compile};
use herbrand_oracle::{
    GroundAction, GroundAtom, GroundTerm, Oracle, OracleError, OracleOutcome, OracleState, OracleValue,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// The observable part of a state: the true atoms, including derived ones, and the values of functions. Everything is text,
/// for readable differences. Values are compared to ten digits, because sums may be computed in another order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct View {
    atoms: BTreeSet<String>,
    values: BTreeMap<String, String>,
}

/// For each distinguishable successor, its probability and the corresponding state of the engine or the oracle.
type Distribution<S> = BTreeMap<(View, String), (f64, S)>;

/// A task in the engine and in the oracle.
struct Task<'a> {
    problem: &'a Problem,
    oracle: Oracle<'a>,
    simulator: Simulator,
}

fn rounded(value: f64) -> String {
    format!("{:.9e}", value + 0.0)
}

fn failure(what: impl fmt::Display) -> TestCaseError {
    TestCaseError::fail(what.to_string())
}

impl<'a> Task<'a> {
    fn new(domain: &'a Domain, problem: &'a Problem) -> Result<Self, TestCaseError> {
        let oracle = Oracle::new(domain, problem).map_err(failure)?;
        let simulator = compile(domain, problem).map_err(failure)?;
        Ok(Self {
            problem,
            oracle,
            simulator,
        })
    }

    fn term(&self, function: FunctionId, arguments: &[ObjectId]) -> String {
        self.oracle.term_text(&GroundTerm {
            function,
            arguments: arguments.to_vec(),
        })
    }

    /// Returns whether a function term is an accumulator, which is not part of the engine's states.
    fn is_accumulator(&self, term: &str) -> bool {
        let task = self.simulator.task();
        let in_states = &task.numerics[..task.state_numerics as usize];
        matches!(term, "(total-cost)" | "(reward)")
            && !in_states
                .iter()
                .any(|numeric| self.term(numeric.function, &numeric.arguments) == term)
    }

    fn engine_view(&self, state: &State) -> View {
        let task = self.simulator.task();
        let declared = |fact: &AtomRef<'_>| !task.vocabulary.predicate(fact.predicate).auxiliary;
        let atoms = self
            .simulator
            .atoms(state)
            .filter_map(|atom| task.atoms.get(atom.index()));
        let atoms = atoms.chain(task.statics.iter()).filter(declared);
        let stated = self.problem.values.iter();
        let mut values: BTreeMap<_, _> = stated
            .map(|stated| {
                (
                    self.term(stated.function, &stated.arguments),
                    Some(stated.value.value()),
                )
            })
            .collect();
        for index in 0..task.state_numerics {
            let numeric = &task.numerics[index as usize];
            values.insert(
                self.term(numeric.function, &numeric.arguments),
                state.numeric(NumericId::new(index)),
            );
        }
        let values = values
            .into_iter()
            .filter_map(|(term, value)| Some((term, rounded(value?))));
        View {
            atoms: atoms
                .map(|fact| self.oracle.atom_text(&GroundAtom::from(fact)))
                .collect(),
            values: values.filter(|(term, _)| !self.is_accumulator(term)).collect(),
        }
    }

    fn oracle_view(&self, state: &OracleState) -> View {
        let derived = self.oracle.derived(state);
        let atoms = state.atoms.iter().chain(&derived);
        let values = state
            .values
            .iter()
            .map(|(term, value)| (self.oracle.term_text(term), rounded(value.get())));
        View {
            atoms: atoms.map(|atom| self.oracle.atom_text(atom)).collect(),
            values: values.filter(|(term, _)| !self.is_accumulator(term)).collect(),
        }
    }

    fn engine_distribution(&self, outcomes: Vec<Outcome>) -> Distribution<State> {
        let mut distribution = Distribution::new();
        for Outcome {
            probability,
            state,
            reward,
            ..
        } in outcomes
        {
            let seen = (self.engine_view(&state), rounded(reward));
            distribution.entry(seen).or_insert((0.0, state)).0 += probability;
        }
        distribution
    }

    fn oracle_distribution(&self, outcomes: Vec<OracleOutcome>) -> Distribution<OracleState> {
        let mut distribution = Distribution::new();
        for OracleOutcome {
            probability,
            state,
            reward,
        } in outcomes
        {
            let seen = (self.oracle_view(&state), rounded(reward));
            distribution.entry(seen).or_insert((0.0, state)).0 += probability;
        }
        distribution
    }

    /// Checks that both sides return the same distribution or the same fault, and selects an outcome.
    fn agree(
        &self,
        engine: Result<Vec<Outcome>, StepError>,
        oracle: Result<Vec<OracleOutcome>, OracleError>,
        choice: u8,
    ) -> Result<Option<(State, OracleState)>, TestCaseError> {
        let (engine, oracle) = match (engine, oracle) {
            (Ok(engine), Ok(oracle)) => (self.engine_distribution(engine), self.oracle_distribution(oracle)),
            (Err(StepError::TooManyOutcomes { .. }), _) | (_, Err(OracleError::TooManyOutcomes(_))) => {
                return Ok(None);
            }
            (Err(StepError::Invalid(explanation)), _) => return Err(failure(explanation)),
            (Err(_), Err(_)) => return Ok(None),
            (engine, oracle) => return Err(failure(format!("faults differ: {engine:?} and {oracle:?}"))),
        };
        prop_assert_eq!(
            engine.keys().collect::<Vec<_>>(),
            oracle.keys().collect::<Vec<_>>(),
            "outcomes"
        );
        for ((seen, (by_engine, _)), (by_oracle, _)) in engine.iter().zip(oracle.values()) {
            prop_assert!(
                (by_engine - by_oracle).abs() < 1e-9,
                "{by_engine} and {by_oracle} for {seen:?}"
            );
        }
        let index = usize::from(choice) % engine.len();
        let chosen = engine.into_values().zip(oracle.into_values()).nth(index);
        Ok(chosen.map(|((_, engine), (_, oracle))| {
            let oracle = self.with_numbers_of(&engine, oracle);
            (engine, oracle)
        }))
    }

    /// Copies the numbers of the engine's state to the oracle's, because they may differ in the last digit. Accumulators
    /// restart from zero, because the amount of one step would be lost in a large sum.
    fn with_numbers_of(&self, engine: &State, mut oracle: OracleState) -> OracleState {
        let task = self.simulator.task();
        for (index, numeric) in (0..).zip(&task.numerics) {
            let term = GroundTerm {
                function: numeric.function,
                arguments: numeric.arguments.clone(),
            };
            let number = if index < task.state_numerics {
                engine.numeric(NumericId::new(index))
            } else {
                Some(0.0)
            };
            match number.and_then(OracleValue::new) {
                Some(value) => oracle.values.insert(term, value),
                None => oracle.values.remove(&term),
            };
        }
        oracle
    }

    /// Selects an initial state on both sides.
    fn start(&self, choice: u8) -> Result<Option<(State, OracleState)>, TestCaseError> {
        let without_reward = |outcomes: Vec<Outcome>| {
            outcomes
                .into_iter()
                .map(|outcome| Outcome {
                    reward: 0.0,
                    ..outcome
                })
                .collect()
        };
        let outcome = |(probability, state)| OracleOutcome {
            probability,
            state,
            reward: 0.0,
        };
        let oracle = self
            .oracle
            .initial_states()
            .map(|states| states.into_iter().map(outcome).collect());
        self.agree(
            self.simulator.initial_outcomes().map(without_reward),
            oracle,
            choice,
        )
    }

    /// Checks a state and takes an action on both sides.
    fn step(
        &self,
        engine: &State,
        oracle: &OracleState,
        choices: [u8; 2],
    ) -> Result<Option<(State, OracleState)>, TestCaseError> {
        prop_assert_eq!(
            self.simulator.is_goal(engine),
            self.oracle.is_goal(oracle),
            "goal"
        );
        let actions = self.simulator.valid_actions(engine);
        let by_oracle = self.oracle.valid_actions(oracle);
        let ground = |&id: &_| {
            let action = self.simulator.task().actions.get(id);
            GroundAction {
                schema: action.schema,
                arguments: action.arguments.to_vec(),
            }
        };
        let texts = |actions: &[GroundAction]| {
            actions
                .iter()
                .map(|action| self.oracle.action_text(action))
                .collect::<Vec<_>>()
        };
        let by_engine: Vec<_> = actions.iter().map(ground).collect();
        prop_assert_eq!(texts(&by_engine), texts(&by_oracle), "valid actions");
        let mut walker = self.simulator.walker();
        walker.set_state(engine).map_err(failure)?;
        prop_assert_eq!(
            walker.valid().iter().collect::<Vec<_>>(),
            &actions[..],
            "the walker's valid actions"
        );
        let Some(index) = usize::from(choices[0]).checked_rem(actions.len()) else {
            return Ok(None);
        };
        self.agree(
            self.simulator.outcomes(engine, actions[index]),
            self.oracle.outcomes(oracle, &by_oracle[index]),
            choices[1],
        )
    }
}

/// Walks through a task on both sides.
pub fn check(Printed(domain, problem): &Printed, walk: &[[u8; 2]]) -> Result<(), TestCaseError> {
    let task = Task::new(domain, problem)?;
    let mut states = task.start(walk.first().map_or(0, |choices| choices[0]))?;
    for &choices in walk {
        let Some((engine, oracle)) = states else { break };
        states = task.step(&engine, &oracle, choices)?;
    }
    Ok(())
}

fn walks() -> impl Strategy<Value = Vec<[u8; 2]>> {
    vec(any::<[u8; 2]>(), 1..6)
}

/// Formulas of all kinds over derived predicates, and simple effects.
fn derived() -> Shape {
    let uses = [
        Requirement::NegativePreconditions,
        Requirement::DisjunctivePreconditions,
        Requirement::ExistentialPreconditions,
        Requirement::UniversalPreconditions,
        Requirement::DerivedPredicates,
    ];
    Shape::using(&uses)
}

/// Tasks on which both sides once disagreed, each named after the fault.
const ONCE: [(&str, &str, &str); 2] = [
    (
        "recursion through forall is no negation",
        "(define (domain towers) (:requirements :adl :derived-predicates) (:predicates (on ?x ?y) (firm ?x))
            (:derived (firm ?x) (forall (?y) (imply (on ?x ?y) (firm ?y))))
            (:action drop :parameters (?x ?y) :precondition (firm ?x) :effect (not (on ?x ?y)))
            (:action put :parameters (?x ?y) :precondition (firm ?y) :effect (on ?x ?y)))",
        "(define (problem one) (:domain towers) (:objects a b c) (:init (on a b) (on b c) (on c b)) (:goal (firm a)))",
    ),
    (
        "total cost starts at zero although a condition reads it",
        "(define (domain costs) (:requirements :action-costs :numeric-fluents) (:predicates (done))
            (:functions (total-cost))
            (:action work :effect (increase (total-cost) 1))
            (:action stop :precondition (>= (total-cost) 2) :effect (done)))",
        "(define (problem one) (:domain costs) (:goal (done)))",
    ),
];

#[test]
fn on_tasks_that_once_failed() {
    for (name, domain, problem) in ONCE {
        let domain = Domain::from_text(domain).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        let problem =
            Problem::from_text(problem, &domain).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        let task = Printed(domain, problem);
        for first in 0..=16 {
            let walk: Vec<_> = (0..8).map(|step| [first * (step + 1) / 2, step]).collect();
            check(&task, &walk).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn on_strips_tasks(task in printed(&Shape::strips()), walk in walks()) {
        check(&task, &walk)?;
    }

    #[test]
    fn on_tasks_with_derived_predicates(task in printed(&derived()), walk in walks()) {
        check(&task, &walk)?;
    }

    #[test]
    fn on_tasks_with_everything(task in printed(&Shape::default()), walk in walks()) {
        check(&task, &walk)?;
    }
}
