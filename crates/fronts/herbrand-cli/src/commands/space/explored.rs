//! A state space of either language, with the names of its parts.

use std::time::Instant;

use herbrand::core::{Described as _, PackedRows, StateGraph};
use herbrand::env::EnvError;
use herbrand::env::Suite;
use herbrand::ground::{ActionId, AtomId, NumericId};
use herbrand::limits::{Budget, Limits};
use herbrand::pddl::ObjectId;
use herbrand::plan::{TaskError, left_out, state_space};
use herbrand::rddl::simulate::{FluentValue, Preconditions, RddlSimulator};
use herbrand::rddl::space::{RddlSpaceError, RddlSpaceOptions, RddlStateSpace};
use herbrand::rddl::suite::{RddlError, RddlSuite};
use herbrand::step::SpaceOptions;
use herbrand::tasks::AnyProblems;
use std::sync::Arc;

use crate::failure::Failure;

/// The failure of an exploration.
fn refused(error: TaskError) -> Failure {
    match error {
        TaskError::Step(error) => EnvError::Planning(error.into()).into(),
        TaskError::BudgetExhausted(exhausted) => Failure::of(exhausted),
    }
}

/// A number that states differ in although nothing but the metric reads it.
pub struct Counter {
    pub name: String,
    /// A clause that says why it is not left out.
    pub reason: &'static str,
}

/// A state space with the names of its bits, numbers and actions.
pub struct Explored {
    pub domain: String,
    pub problem: String,
    pub graph: StateGraph,
    pub rows: PackedRows,
    /// The names of the bits of a state: atoms, or bool fluents.
    pub bits: Vec<String>,
    /// The names of the numbers of a state.
    pub numbers: Vec<String>,
    /// The names of the actions by their numbers.
    pub actions: Vec<String>,
    /// The names of the numbers whose changes are left out of the states, because nothing but the metric reads them.
    pub left_out: Vec<String>,
    /// Other numbers that nothing but the metric reads.
    pub counters: Vec<Counter>,
    /// The names of the interchangeable objects, in groups; `None` if the space is not up to symmetry.
    pub interchangeable: Option<Vec<Vec<String>>>,
    /// The number of states with too many symmetries.
    pub apart: u64,
    /// The reason why numbers may be rounded.
    pub rounding: Option<String>,
    /// Whether the language has goals.
    pub has_goals: bool,
    /// The memory of the states and transitions, in bytes.
    pub bytes: usize,
    pub seconds: f64,
}

impl Explored {
    /// Returns the facts of a state as text: the names of its bits that are set, and its numbers with their values.
    pub fn facts(&self, state: usize) -> String {
        let row = &self.rows.bits[state * self.rows.words..][..self.rows.words];
        let is_set = |at: usize| row[at / 64] >> (at % 64) & 1 == 1;
        let bits = (0..self.bits.len()).filter(|&at| is_set(at));
        let mut facts: Vec<String> = bits.map(|at| self.bits[at].clone()).collect();
        let numbers = &self.rows.numbers[state * self.rows.columns..][..self.rows.columns];
        facts.extend(
            self.numbers
                .iter()
                .zip(numbers)
                .map(|(name, value)| format!("{name} = {value}")),
        );
        if facts.is_empty() {
            return "nothing".to_owned();
        }
        facts.join(", ")
    }

    /// Explores the only problem, up to a number of states. With `symmetry`, states that differ by interchangeable objects are
    /// one.
    pub fn of(
        problems: &AnyProblems,
        states: usize,
        symmetry: bool,
        limits: Limits,
    ) -> Result<Self, Failure> {
        match problems {
            AnyProblems::Pddl(suite) => Self::pddl(suite, states, symmetry, limits),
            AnyProblems::Rddl(_) if symmetry => Err(Failure::OnlyFor("--symmetry".to_owned(), "PDDL")),
            AnyProblems::Rddl(suite) => Self::rddl(suite, states, limits),
            other @ AnyProblems::World(_) => Err(other.unsupported("space", "PDDL and RDDL").into()),
        }
    }

    fn pddl(suite: &Suite, states: usize, symmetry: bool, limits: Limits) -> Result<Self, Failure> {
        let simulator = suite.instance(0)?.simulator();
        let options = SpaceOptions {
            states,
            symmetry,
            ..SpaceOptions::default()
        };
        let start = Instant::now();
        let space = state_space(simulator, &options, &Budget::new(limits)).map_err(refused)?;
        let seconds = start.elapsed().as_secs_f64();
        let task = simulator.task();
        let atoms = (0..task.fluent_count()).map(AtomId::from_index);
        let numbers = (0..task.state_numerics).map(NumericId::new);
        let name = |id: NumericId| task.display_numeric(id).to_string();
        let left_out = left_out(simulator, &options);
        let interchangeable = space.symmetry.as_ref().map(|symmetry| {
            let name = |&object: &ObjectId| task.vocabulary.object(object).to_owned();
            let groups = symmetry.groups().iter();
            groups.map(|group| group.iter().map(name).collect()).collect()
        });
        let constant = task.constant_counters();
        let counters = task.counters().into_iter().filter(|id| !left_out.contains(id));
        let counter = |id: NumericId| Counter {
            name: name(id),
            reason: if constant.contains(&id) {
                "it is not left out, because the cost of an action depends on conditions or on numbers that change"
            } else {
                "it is not left out, because an action changes it by an amount that is not constant"
            },
        };
        Ok(Self {
            domain: suite.name().to_owned(),
            problem: suite.full_problem_name(0).unwrap_or_default(),
            bytes: space.bytes(),
            rows: space.rows(),
            bits: atoms.map(|atom| task.display_atom(atom).to_string()).collect(),
            numbers: numbers.map(name).collect(),
            counters: counters.map(counter).collect(),
            left_out: left_out.iter().copied().map(name).collect(),
            actions: task
                .actions
                .ids()
                .map(|id: ActionId| task.display_action(id).to_string())
                .collect(),
            interchangeable,
            apart: space.apart,
            rounding: space.rounding.map(|rounding| rounding.to_string()),
            graph: space.graph,
            has_goals: true,
            seconds,
        })
    }

    fn rddl(suite: &RddlSuite, states: usize, limits: Limits) -> Result<Self, Failure> {
        let options = RddlSpaceOptions {
            states,
            ..RddlSpaceOptions::default()
        };
        let start = Instant::now();
        let space = RddlStateSpace::explore(suite.instance(0)?, &options, &Budget::new(limits));
        let space = space.map_err(|error| match error {
            RddlSpaceError::Compile(error) => RddlError::from(error).into(),
            error => Failure::told("the problem has no finite state space", error),
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let compiled = space.compiled();
        let names = |is_bool: bool| {
            let initial = compiled.initial();
            let section = compiled.state.section();
            let of_kind = (0..section.len())
                .filter(move |&at| matches!(section.get(initial, at), FluentValue::Bool(_)) == is_bool);
            of_kind.map(|at| compiled.name(&compiled.state, at)).collect()
        };
        let simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Refused);
        let joints = (0..space.joints.len()).map(|joint| simulator.joint_text(space.joints.joint(joint)));
        Ok(Self {
            domain: suite.name().to_owned(),
            problem: suite.problem_name(0).unwrap_or_default().to_owned(),
            bytes: space.bytes(),
            rows: space.rows(),
            bits: names(true),
            numbers: names(false),
            actions: joints.collect(),
            graph: space.graph.clone(),
            left_out: Vec::new(),
            counters: Vec::new(),
            interchangeable: None,
            apart: 0,
            rounding: None,
            has_goals: false,
            seconds,
        })
    }
}
