//! The action space of a problem: ids, names and ground operators of the agent actions.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use herbrand_core::ActionTextError;
use herbrand_ground::{ActionId, GroundTask, Rows};
use herbrand_pddl::{Name, ObjectId, SchemaId};
use herbrand_step::{Simulator, SlicedWalker, State};

use super::selector::Selectors;
use super::unknown::unknown_action;
use super::{AgentActionId, AgentActions, Arguments};
use crate::action::ids::{Placed, TermIds};

/// The agent actions of a problem. [`CompiledProblem::space`](crate::CompiledProblem::space) returns that of a compiled problem.
///
/// If no actions are declared, the actions are the reachable ground operators, with the same ids. Otherwise every
/// type-correct choice of arguments has an id, even if no operator can ever carry it out, ordered by action and then by
/// objects. Such ids mean the same in all problems with the same objects: `move up` is the same id in every maze.
///
/// With the ids of a suite ([`Ids::Suite`](crate::Ids::Suite)), the ids are those of [`SuiteIds`](crate::SuiteIds), with or
/// without declared actions. Some of them then belong to larger problems only.
///
/// ```
/// use herbrand_env::Registry;
///
/// let suite = Registry::get("sokoban")?;
/// let space = suite.instance(0)?.space();
/// // The agent chooses a direction; which operator that is, and from where, follows from the state.
/// assert_eq!(space.len(), 4);
/// let up = space.parse("(move up)")?;
/// assert_eq!(space.display(up).to_string(), "(move up)");
/// let typo = space.parse("(moev up)").unwrap_err();
/// assert_eq!(typo.to_string(), "there is no action `moev`; did you mean `move`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
// The fields that every step reads come first, here and in `Tables`.
#[repr(C, align(64))]
pub struct ActionSpace {
    len: usize,
    tables: Option<Tables>,
    simulator: Simulator,
}

/// Tables for actions whose ids differ from those of the ground operators.
#[derive(Clone, Debug)]
#[repr(C)]
struct Tables {
    /// For each ground operator, the action that it carries out.
    action_of: Vec<AgentActionId>,
    /// Whether no action has more than one ground operator.
    unambiguous: bool,
    /// Predicates that distinguish the operators of each action, if there are any.
    selectors: Option<Selectors>,
    /// For each action, the ground operators that carry it out, in ascending order.
    operators: Rows<ActionId>,
    /// The declared actions; `None` if the operators are the actions.
    actions: Option<Arc<AgentActions>>,
    ids: TermIds,
}

/// The error that the agent actions of a problem have too many type-correct arguments to get ids. The lifted engine
/// can still step such a problem: it gives ids to actions as it encounters them. [`ActionSpace::declared`] and
/// [`Suite::instance`](crate::Suite::instance) return it; so does [`Lifted::numbering`](crate::Lifted::numbering),
/// there also for operators.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "with action `{action}` the agent has more than {limit} actions; use the operators as actions instead"
)]
pub struct TooManyActions {
    /// The name of the agent action at which the limit is exceeded.
    pub action: String,
    /// The maximum number of action ids, 2^24.
    pub limit: u32,
}

impl ActionSpace {
    /// Creates an action space without declared actions: its actions are the ground operators of `simulator`, with the
    /// same ids. `simulator` is that of a ground problem, such as [`CompiledProblem::simulator`](crate::CompiledProblem::simulator).
    /// Pass the space to [`Planning::new`](crate::Planning::new).
    #[must_use]
    pub fn operators(simulator: Simulator) -> Self {
        Self {
            len: simulator.task().actions.len(),
            simulator,
            tables: None,
        }
    }

    /// Keeps the first actions only.
    pub(crate) const fn with_len(mut self, len: usize) -> Self {
        self.len = len;
        self
    }

    /// Creates the action space of declared agent actions for the problem of `simulator`. Takes time linear in the
    /// number of actions and ground operators. `actions` must belong to the domain of the problem; others may cause a
    /// panic. Pass the result to [`Planning::new`](crate::Planning::new).
    ///
    /// # Errors
    /// Fails if there are more than 2^24 actions.
    pub fn declared(actions: Arc<AgentActions>, simulator: Simulator) -> Result<Self, TooManyActions> {
        let ids = TermIds::Own(actions.numbers(&simulator.task().vocabulary)?);
        Ok(Self::tabled(Some(actions), ids, simulator))
    }

    /// Creates an action space with the ids of a suite, for declared actions or for the ground operators.
    pub(crate) fn placed(actions: Option<Arc<AgentActions>>, ids: Placed, simulator: Simulator) -> Self {
        Self::tabled(actions, TermIds::Placed(ids), simulator)
    }

    fn tabled(actions: Option<Arc<AgentActions>>, ids: TermIds, simulator: Simulator) -> Self {
        let task = simulator.task();
        let action_of = task
            .actions
            .ids()
            .map(|id| carried_out(task, actions.as_deref(), &ids, id))
            .collect::<Vec<_>>();
        let operators = group(&action_of, ids.len());
        let unambiguous = operators.iter().all(|group| group.len() < 2);
        let selectors = Selectors::of(task, operators.iter());
        Self {
            simulator,
            len: operators.len(),
            tables: Some(Tables {
                actions,
                ids,
                action_of,
                operators,
                unambiguous,
                selectors,
            }),
        }
    }

    /// Returns the number of action ids, which run from 0. With declared actions or the ids of a suite, some of them
    /// are never valid.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no action ids, so that no action is ever valid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ground task of the problem. Its actions are the operators that carry out the agent actions.
    #[must_use]
    pub fn task(&self) -> &GroundTask {
        self.simulator.task()
    }

    /// Returns the declared actions; `None` if the operators are the actions.
    #[must_use]
    pub fn agent_actions(&self) -> Option<&AgentActions> {
        self.tables.as_ref()?.actions.as_deref()
    }

    /// Returns whether every action has at most one ground operator, so that the state never has to select one.
    #[must_use]
    pub fn is_unambiguous(&self) -> bool {
        self.tables.as_ref().is_none_or(|tables| tables.unambiguous)
    }

    /// Returns whether at most one valid operator carries out each action in this state, as far as the selector predicates
    /// show it. `false` if the valid operators must be inspected to know.
    #[inline]
    pub(crate) fn is_plainly_unambiguous(&self, state: &State) -> bool {
        let selectors = self.tables.as_ref().and_then(|tables| tables.selectors.as_ref());
        selectors.is_some_and(|selectors| selectors.select(state))
    }

    /// Returns the lanes in which several valid operators carry out one action. The selector predicates show that there are
    /// none, or the valid operators of each action are compared.
    pub(crate) fn crowded<const N: usize>(&self, lanes: &SlicedWalker<N>) -> [u64; N] {
        let mut crowded = [0; N];
        let Some(tables) = self.tables.as_ref().filter(|tables| !tables.unambiguous) else {
            return crowded;
        };
        let is_plain = |selectors: &Selectors| {
            let mut ranges = selectors.ranges();
            ranges.all(|range| lanes.several_true(range) == [0; N])
        };
        if tables.selectors.as_ref().is_some_and(is_plain) {
            return crowded;
        }
        for group in tables.operators.iter().filter(|group| group.len() > 1) {
            for (word, several) in crowded.iter_mut().zip(lanes.several_valid(group)) {
                *word |= several;
            }
        }
        crowded
    }

    /// Returns the agent action that a ground operator of the [`task`](Self::task) carries out. Panics or returns an
    /// invalid id if the task has no such operator.
    #[must_use]
    pub fn action_of(&self, operator: ActionId) -> AgentActionId {
        match &self.tables {
            None => AgentActionId::new(operator.number()),
            Some(tables) => tables.action_of[operator.index()],
        }
    }

    /// Returns whether the operators are the actions, with the ids of the problem alone.
    pub(crate) const fn are_operators(&self) -> bool {
        self.tables.is_none()
    }

    /// Writes the numbers of the actions that operators, by number, carry out. For an unknown operator, any number remains.
    pub(crate) fn write_actions_of<'o>(&self, operators: impl Iterator<Item = &'o u32>, into: &mut [u32]) {
        match &self.tables {
            None => into
                .iter_mut()
                .zip(operators)
                .for_each(|(action, operator)| *action = *operator),
            Some(tables) => {
                for (action, &operator) in into.iter_mut().zip(operators) {
                    if let Some(own) = tables.action_of.get(operator as usize) {
                        *action = own.number();
                    }
                }
            }
        }
    }

    /// Returns the first of the ground operators that can carry out an action in some reachable state, ordered by
    /// declaration and then by objects. `None` if there is no such operator or no such action.
    #[must_use]
    pub fn first_operator(&self, action: AgentActionId) -> Option<ActionId> {
        match &self.tables {
            None => (action.index() < self.len()).then(|| ActionId::new(action.number())),
            Some(_) => self.carriers(action).first().copied(),
        }
    }

    /// Returns all ground operators that can carry out an action in some reachable state, in ascending order. Empty if
    /// there is no such action. Also empty if the operators are the actions and each problem has its own ids; then use
    /// [`first_operator`](Self::first_operator).
    #[must_use]
    pub fn carriers(&self, action: AgentActionId) -> &[ActionId] {
        match &self.tables {
            Some(tables) if action.index() < tables.operators.len() => tables.operators.row(action.index()),
            _ => &[],
        }
    }

    /// Returns the name and the arguments of an action. `None` if there is no action with this id, or if the action
    /// needs objects that only larger problems of the suite have. The action need not be valid in any state.
    #[must_use]
    pub fn get(&self, id: AgentActionId) -> Option<(&Name, Vec<ObjectId>)> {
        let (index, arguments) = self.term(id)?;
        let name = match self.agent_actions() {
            Some(actions) => &actions.actions()[index].name,
            None => self.schema_name(SchemaId::from_index(index)),
        };
        Some((name, arguments.to_vec()))
    }

    /// Like [`get`](Self::get), with the index of the schema or declared action in place of its name.
    pub(crate) fn term(&self, id: AgentActionId) -> Option<(usize, Arguments)> {
        if id.index() >= self.len() {
            return None;
        }
        let Some(tables) = &self.tables else {
            let action = self.task().actions.get(ActionId::new(id.number()));
            return Some((action.schema.index(), Arguments::from_slice(action.arguments)));
        };
        tables.ids.get(id)
    }

    fn schema_name(&self, schema: SchemaId) -> &Name {
        &self.task().vocabulary.schema(schema).name
    }

    /// Compares two actions by name and objects. This is the order of the ids except for those of a suite.
    pub(crate) fn order(&self, one: AgentActionId, other: AgentActionId) -> Ordering {
        match self
            .tables
            .as_ref()
            .filter(|tables| tables.ids.placed().is_some())
        {
            Some(tables) => tables.ids.get(one).cmp(&tables.ids.get(other)),
            None => one.cmp(&other),
        }
    }

    /// Returns the id of the action with this name (lower case) and these arguments; `None` if there is no such
    /// action. Without declared actions and with own ids, only reachable operators are found; otherwise also actions
    /// that are never valid. The arguments must be objects of the problem; with the ids of a suite, others panic.
    #[must_use]
    pub fn find(&self, name: &str, arguments: &[ObjectId]) -> Option<AgentActionId> {
        let schema = || self.task().vocabulary.find_schema(name);
        let Some(tables) = &self.tables else {
            let id = self.task().find_action(schema()?, arguments)?;
            return Some(AgentActionId::new(id.number()));
        };
        let index = match &tables.actions {
            None => schema()?.index(),
            Some(actions) => actions.position(name)?,
        };
        tables.ids.number(index, arguments)
    }

    /// Parses an action in PDDL syntax such as `(move up)`, ignoring case and extra spaces. Which actions are found is as
    /// for [`find`](Self::find). The action may be invalid in the current state.
    ///
    /// # Errors
    /// Fails if there is no such action. The error gives the reason, with the most similar name if a name is misspelt.
    pub fn parse(&self, text: &str) -> Result<AgentActionId, ActionTextError> {
        let reason = || unknown_action(self.agent_actions(), &self.task().vocabulary, text);
        self.find_text(text).ok_or_else(|| ActionTextError::new(reason()))
    }

    /// Like [`parse`](Self::parse), without the reason.
    pub(crate) fn find_text(&self, text: &str) -> Option<AgentActionId> {
        let (name, arguments) = self.task().vocabulary.parse_term(text)?;
        self.find(name.as_str(), &arguments)
    }

    /// Formats an action in PDDL syntax; empty if there is no such action. If the problem lacks objects of an action of the
    /// suite, the names of the objects' places in the suite ([`SuiteIds`](crate::SuiteIds)) are written instead, such as
    /// `(drive truck#3 hub)`.
    pub fn display(&self, id: AgentActionId) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| match self.get(id) {
            Some((name, arguments)) => write!(f, "{}", self.task().vocabulary.term(name, &arguments)),
            None => f.write_str(&self.placed_text(id).unwrap_or_default()),
        })
    }

    /// Formats an action of the suite, with the names of places for missing objects.
    pub(crate) fn placed_text(&self, id: AgentActionId) -> Option<String> {
        let placed = self.tables.as_ref()?.ids.placed()?;
        placed.action_text(&self.task().vocabulary, id)
    }
}

/// Returns the agent action that a ground operator carries out.
fn carried_out(
    task: &GroundTask,
    actions: Option<&AgentActions>,
    ids: &TermIds,
    operator: ActionId,
) -> AgentActionId {
    let ground = task.actions.get(operator);
    let found = match actions {
        None => ids.number(ground.schema.index(), ground.arguments),
        Some(actions) => {
            let (index, arguments) = actions.carried_out(ground.schema, ground.arguments);
            ids.number(index, &arguments)
        }
    };
    found.expect("every schema carries out one action, for objects of the types it declares")
}

/// Groups the ground operators by action, in ascending order.
fn group(action_of: &[AgentActionId], count: usize) -> Rows<ActionId> {
    let mut order = (0..action_of.len()).map(ActionId::from_index).collect::<Vec<_>>();
    order.sort_by_key(|operator| action_of[operator.index()]);
    let mut rows = Rows::default();
    let mut rest = order.as_slice();
    for action in 0..count {
        let own = |operator: &&ActionId| action_of[operator.index()].index() == action;
        let (group, later) = rest.split_at(rest.iter().take_while(own).count());
        rows.push(group.iter().copied());
        rest = later;
    }
    rows
}
