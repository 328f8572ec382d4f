//! A state space of either language, with the names of its parts.

use std::sync::Arc;

use herbrand_core::{Described as _, PackedRows, SpaceAnalysis, StateGraph};
use herbrand_env::Suite;
use herbrand_ground::{ActionId, AtomId, NumericId};
use herbrand_limits::{Budget, Instant, Limits};
use herbrand_pddl::ObjectId;
use herbrand_plan::{left_out, state_space};
use herbrand_rddl_plan::space::{RddlSpaceError, RddlSpaceOptions, RddlStateSpace};
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_step::SpaceOptions;

use super::SpaceQuery;
use crate::failure::TaskFailure;
use crate::problems::AnyProblems;

/// A state space with the names of its bits, numbers and actions.
#[derive(Clone, Debug)]
pub struct ExploredSpace {
    /// The name of the set of problems.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// The states and transitions.
    pub graph: StateGraph,
    /// The distances, dead ends and components.
    pub analysis: SpaceAnalysis,
    /// The bits and numbers of the states.
    pub rows: PackedRows,
    /// The names of the bits of a state: atoms, or bool fluents.
    pub bits: Vec<String>,
    /// The names of the numbers of a state.
    pub numbers: Vec<String>,
    /// The names of the actions by their numbers.
    pub actions: Vec<String>,
    /// The reason why numbers may be rounded.
    pub rounding: Option<String>,
    /// Whether the language has goals.
    pub has_goals: bool,
}

/// An explored space with its other figures.
pub(super) struct Exploration {
    pub space: ExploredSpace,
    /// The names of the numbers whose changes are left out of the states, because nothing but the metric reads them.
    pub left_out: Vec<String>,
    /// Other numbers that nothing but the metric reads, each with a clause that says why it is not left out.
    pub counters: Vec<(String, &'static str)>,
    /// The names of the interchangeable objects, in groups; `None` if the space is not up to symmetry.
    pub interchangeable: Option<Vec<Vec<String>>>,
    /// The number of states with too many symmetries.
    pub apart: u64,
    /// The memory of the states and transitions, in bytes.
    pub bytes: usize,
    pub seconds: f64,
}

impl ExploredSpace {
    /// Iterates over the bits of a state that are set.
    pub(super) fn set_bits(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        let row = &self.rows.bits[state * self.rows.words..][..self.rows.words];
        (0..self.bits.len()).filter(|at| row[at / 64] >> (at % 64) & 1 == 1)
    }

    /// Returns the facts of a state as text: the names of its bits that are set, and its numbers with their values.
    #[must_use]
    pub fn facts(&self, state: usize) -> String {
        let mut facts: Vec<String> = self.set_bits(state).map(|at| self.bits[at].clone()).collect();
        let numbers = &self.rows.numbers[state * self.rows.columns..][..self.rows.columns];
        let numbers = self.numbers.iter().zip(numbers);
        facts.extend(numbers.map(|(name, value)| format!("{name} = {value}")));
        if facts.is_empty() {
            return "nothing".to_owned();
        }
        facts.join(", ")
    }
}

/// Explores and analyses the space of the only problem.
pub(super) fn explore(
    problems: &AnyProblems,
    query: &SpaceQuery,
    limits: Limits,
) -> Result<Exploration, TaskFailure> {
    match problems {
        AnyProblems::Pddl(suite) => of_pddl(suite, query, limits),
        AnyProblems::Rddl(_) if query.symmetry => Err(TaskFailure::option("symmetry", "supports only PDDL")),
        AnyProblems::Rddl(suite) => of_rddl(suite, query, limits),
        other @ AnyProblems::World(_) => Err(other.unsupported("space", "PDDL and RDDL")),
    }
}

/// Analyses a space. The figures of a part that took all of the time still need some.
fn analysed(graph: &StateGraph) -> Result<SpaceAnalysis, TaskFailure> {
    Ok(graph.analyse(&Budget::unlimited())?)
}

fn of_pddl(suite: &Suite, query: &SpaceQuery, limits: Limits) -> Result<Exploration, TaskFailure> {
    let simulator = suite
        .timeless_instance(0, "the search for all states")?
        .simulator();
    let options = SpaceOptions {
        states: query.states,
        symmetry: query.symmetry,
        ..SpaceOptions::default()
    };
    let start = Instant::now();
    let space = state_space(simulator, &options, &Budget::new(limits))?;
    let analysis = analysed(&space.graph)?;
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
    let counter = |id: NumericId| {
        let reason = if constant.contains(&id) {
            "it is not left out, because the cost of an action depends on conditions or on numbers that change"
        } else {
            "it is not left out, because an action changes it by an amount that is not constant"
        };
        (name(id), reason)
    };
    let action = |id: ActionId| task.display_action(id).to_string();
    Ok(Exploration {
        counters: counters.map(counter).collect(),
        left_out: left_out.iter().copied().map(name).collect(),
        interchangeable,
        apart: space.apart,
        bytes: space.bytes(),
        seconds,
        space: ExploredSpace {
            domain: suite.name().to_owned(),
            problem: suite.full_problem_name(0).unwrap_or_default(),
            rows: space.rows(),
            bits: atoms.map(|atom| task.display_atom(atom).to_string()).collect(),
            numbers: numbers.map(name).collect(),
            actions: task.actions.ids().map(action).collect(),
            rounding: space.rounding.map(|rounding| rounding.to_string()),
            graph: space.graph,
            analysis,
            has_goals: true,
        },
    })
}

fn of_rddl(suite: &RddlSuite, query: &SpaceQuery, limits: Limits) -> Result<Exploration, TaskFailure> {
    let options = RddlSpaceOptions {
        states: query.states,
        ..RddlSpaceOptions::default()
    };
    let start = Instant::now();
    let space = RddlStateSpace::explore(suite.instance(0)?, &options, &Budget::new(limits));
    let space = space.map_err(|error| match error {
        RddlSpaceError::Compile(error) => RddlError::from(error).into(),
        error => TaskFailure::NoSpace(error),
    })?;
    let analysis = analysed(&space.graph)?;
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
    Ok(Exploration {
        left_out: Vec::new(),
        counters: Vec::new(),
        interchangeable: None,
        apart: 0,
        bytes: space.bytes(),
        seconds,
        space: ExploredSpace {
            domain: suite.name().to_owned(),
            problem: suite.problem_name(0).unwrap_or_default().to_owned(),
            rows: space.rows(),
            bits: names(true),
            numbers: names(false),
            actions: joints.collect(),
            analysis,
            rounding: None,
            has_goals: false,
            graph: space.graph,
        },
    })
}
