//! The interface between a language and environments of any language.

use herbrand_core::trace::Header;
use herbrand_core::{
    ActionField, ActionLayout, Choice, Described, Explained, FieldDomain, Memory, PackedStates, Random,
    System,
};
use herbrand_env::plan::WalkCost;
use herbrand_env::{ActionArrays, InstanceLearningGraph, ObservedAtoms};
use herbrand_limits::{Budget, Limits};
use herbrand_render::Pictured;
use serde::{Deserialize, Serialize};

use super::inside::Internals;
use super::record::{WalkRecord, visits};
use super::view::TrueAtoms;
use crate::any_error::AnyError;
use crate::step_faults::{BrokenInvariant, Violation};
use crate::valid_actions::OfferedActions;

/// Problems of a language that people and agents play. All methods have defaults: problems with the traits above are played
/// with `impl Playable for …  {}`, and a conversion of their error to [`AnyError`].
pub trait Playable:
    PackedStates<System: Described<State: 'static> + Clone + 'static, Error: Into<AnyError>>
    + Explained
    + Pictured
    + 'static
{
    /// Returns the action fields of the problem with the most fields.
    ///
    /// # Errors
    /// Fails if a problem is faulty.
    fn action_fields(&self) -> Result<Vec<ActionField>, Self::Error> {
        let single = |fields: &[ActionField]| ActionLayout::new(fields.to_vec(), 1).as_single();
        let mut most = Vec::new();
        for index in 0..self.len() {
            let system = self.system(index)?;
            let layout = system.actions();
            if layout.fields().len() > most.len() || layout.as_single() > single(&most) {
                most = layout.fields().to_vec();
            }
        }
        Ok(most)
    }

    /// Returns the texts of the rules that a step may violate and still be taken ([`System::each_violated`]); none by
    /// default.
    fn rules(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the names of the invariants that states may break, which ends the episode; none by default.
    fn invariants(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns a description of the domain in one sentence; empty by default.
    fn description(&self) -> String {
        String::new()
    }

    /// Writes a walk through the problem at `index` as a trace. By default each line is a
    /// [`Visit`](herbrand_core::trace::Visit).
    ///
    /// # Errors
    /// Fails if a step cannot be taken or the budget is exhausted.
    fn record(&self, index: usize, walk: &WalkRecord<'_>, budget: &Budget) -> Result<Vec<u8>, AnyError> {
        let system = self.system(index).map_err(Into::into)?;
        visits(system, walk, budget, |system, names| {
            Header::of(system, names, walk.seed)
        })
    }

    /// Returns the valid actions of the current state of `system`, for printing.
    fn offered(&self, system: &Self::System) -> OfferedActions {
        OfferedActions::of(system)
    }

    /// Returns what the language has beyond the traits of the core, for the problem at `index` in the current state of
    /// `system`; nothing by default.
    fn features<'a>(&'a self, _index: usize, _system: &'a Self::System) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(NoFeatures)
    }
}

/// The features of a language beyond the traits of the core, for a problem in its current state. By default, there are none.
pub trait LanguageFeatures {
    /// Returns the true atoms; `None` if they are the facts of the state.
    fn held(&self, _part: ObservedAtoms) -> Option<TrueAtoms> {
        None
    }

    /// Returns the text of the atom with this number; `None` if the number is too large or atoms are not numbered.
    fn atom_text(&self, _number: usize) -> Option<String> {
        None
    }

    /// Returns the state as a graph; `None` if the language has no graphs.
    fn graph(&self, _part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        None
    }

    /// Appends the valid actions of the state to `into`, as the next row; returns whether the language has such arrays.
    fn write_actions(&self, _into: &mut ActionArrays) -> bool {
        false
    }

    /// Returns the operator that carried out the last step; `None` without one, or if operators are the actions.
    fn last_operator(&self) -> Option<String> {
        None
    }

    /// Returns the invariants that the state breaks.
    fn broken(&self) -> Vec<BrokenInvariant> {
        Vec::new()
    }

    /// Returns the rules that a step with these choices would violate and still be taken.
    ///
    /// # Errors
    /// Fails if the choices are no joint action, or a condition cannot be computed.
    fn violations(&self, _joint: &[Choice]) -> Result<Vec<Violation>, AnyError> {
        Ok(Vec::new())
    }

    /// Returns the names of the fluents that a step computes, if facts are listed as fluents with values and no goals, as in
    /// RDDL; `None` if facts are atoms.
    fn interm_names(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns what chance would decide in a step with these choices and these random numbers, a sentence each.
    fn draws(&self, _joint: &[Choice], _chance: Random) -> Vec<String> {
        Vec::new()
    }

    /// Returns the questions that a player can ask about the state.
    fn inquiries(&self) -> Vec<Inquiry<'_>> {
        Vec::new()
    }

    /// Returns the literals of the goal that do not hold; `None` if the language has no goals.
    fn missing(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns the approximate size in bytes of the compiled problem with its system; 1 MiB by default.
    fn bytes(&self) -> u64 {
        1 << 20
    }

    /// Returns the number of objects of the problem; `None` if they are those of the facts.
    fn object_count(&self) -> Option<usize> {
        None
    }

    /// Starts to follow the cost of a walk from the initial state, by the metric of the problem; `None` without one.
    fn cost(&self) -> Option<WalkCost> {
        None
    }

    /// Searches for a plan from the state, after `taken` steps, within the limits.
    ///
    /// # Errors
    /// Fails if the planner fails or reaches a limit.
    fn plan(&self, _taken: usize, _seed: u64, _limits: &Limits) -> Result<SuggestedPlan, AnyError> {
        Ok(SuggestedPlan::none("there is no planner for this language"))
    }

    /// Returns the number of steps of a shortest plan from the state, within the limits.
    ///
    /// # Errors
    /// Fails if the planner fails.
    fn distance(&self, _limits: &Limits) -> Result<GoalDistance, AnyError> {
        Ok(GoalDistance::Unknown)
    }

    /// Returns the compiled problem as text, with at most `listed` lines per section; `None` if it is the facts of the state.
    fn internals(&self, _listed: usize) -> Option<Internals> {
        None
    }

    /// Returns how each action is written, for a language without sentences; empty by default.
    fn action_forms(&self) -> Vec<String> {
        Vec::new()
    }

    /// Looks at the state, updates the memory of the agent, and returns the facts that it then knows, in the syntax of their
    /// language, with facts that never change. `None` if the agent sees the whole state.
    ///
    /// # Errors
    /// Fails if the rules of partial observation cannot be evaluated.
    fn seen(&self, _memory: &mut Memory) -> Result<Option<Vec<String>>, AnyError> {
        Ok(None)
    }
}

/// A question about a state that a language answers. [`LanguageFeatures::inquiries`] lists them. The answer to `state` is the
/// whole state as text, in place of its facts.
pub struct Inquiry<'a> {
    /// The word that a player types.
    pub name: &'static str,
    /// The content of the answer.
    pub help: &'static str,
    /// Returns the answer, of one or several lines.
    pub answer: Box<dyn Fn() -> Result<String, AnyError> + 'a>,
}

impl<'a> Inquiry<'a> {
    /// Creates a question with the function that answers it.
    pub fn new(
        name: &'static str,
        help: &'static str,
        answer: impl Fn() -> Result<String, AnyError> + 'a,
    ) -> Self {
        let answer = Box::new(answer);
        Self { name, help, answer }
    }
}

/// A plan from a state, for a player. [`LanguageFeatures::plan`] returns one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SuggestedPlan {
    /// The steps, each the texts of the actions that are taken together. Empty if there is no plan or the goal holds.
    pub steps: Vec<Vec<String>>,
    /// A comment on the plan, or the reason why there are no steps.
    pub text: String,
}

impl SuggestedPlan {
    /// Returns a plan without steps, for this reason.
    pub(super) fn none(text: &str) -> Self {
        Self {
            steps: Vec::new(),
            text: text.to_owned(),
        }
    }
}

/// The number of steps that are needed from a state to the goal. [`LanguageFeatures::distance`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalDistance {
    /// The length of a shortest plan. If effects are drawn, all draws go the agent's way.
    Steps(usize),
    /// No plan leads to the goal.
    Unreachable,
    /// The problem has no goal, or a limit of time or memory was reached.
    Unknown,
}

/// The features of a language that has none.
struct NoFeatures;

impl LanguageFeatures for NoFeatures {}

/// Returns the lowest and the highest value of a domain; infinite if it is unbounded.
#[must_use]
pub fn field_bounds(domain: FieldDomain) -> (f64, f64) {
    let open = |bound: i64, end: i64, infinity: f64| {
        if bound == end { infinity } else { bound as f64 }
    };
    match domain {
        FieldDomain::Discrete { count } => (0.0, f64::from(count) - 1.0),
        FieldDomain::Int { low, high } => (
            open(low, i64::MIN, f64::NEG_INFINITY),
            open(high, i64::MAX, f64::INFINITY),
        ),
        FieldDomain::Real { low, high } => (low, high),
    }
}
