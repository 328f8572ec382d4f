//! The agent's actions of one problem: their numbers, names and ground operators.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use herbrand_ground::{ActionId, GroundTask, Rows};
use herbrand_pddl::{Name, ObjectId, SchemaId};
use herbrand_step::{Simulator, State};

use super::selector::Selectors;
use super::{AgentActionId, AgentActions};
use crate::ids::{Placed, TermIds};

/// The agent's actions of one problem.
///
/// Without declared actions these are the ground operators that some reachable state may allow, under the same
/// numbers. With them, every choice of objects of fitting types has a number, whether or not an operator can ever
/// carry it out: in order of the actions, then of the objects. So the numbers mean the same in all problems of the
/// same objects (`move up` is the same in every maze).
///
/// With the ids of a suite ([`Ids::Suite`](crate::Ids::Suite)) the numbers are those of [`SuiteIds`](crate::SuiteIds),
/// whichever actions there are; some of them are of larger problems than this one.
///
/// ```
/// use herbrand_env::Registry;
///
/// let suite = Registry::get("sokoban")?;
/// let space = suite.instance(0)?.space();
/// // The agent chooses a direction; which operator that is, and from where, follows from the state.
/// assert_eq!(space.len(), 4);
/// let up = space.parse("(move up)").expect("an action");
/// assert_eq!(space.display(up).to_string(), "(move up)");
/// # Ok::<(), herbrand_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
// What is read at every step comes first, here and in `Tables`.
#[repr(C, align(64))]
pub struct ActionSpace {
    len: usize,
    tables: Option<Tables>,
    simulator: Simulator,
}

/// The tables of actions that are not numbered as the ground operators are.
#[derive(Clone, Debug)]
#[repr(C)]
struct Tables {
    /// By ground operator: the action that it carries out.
    action_of: Vec<AgentActionId>,
    /// Whether no action has two ground operators.
    unambiguous: bool,
    /// What tells the operators of one action apart, if predicates do.
    selectors: Option<Selectors>,
    /// By action number: the ground operators that carry it out, ascending.
    operators: Rows<ActionId>,
    /// The declared actions; `None` when the operators are the actions.
    actions: Option<Arc<AgentActions>>,
    ids: TermIds,
}

/// There are more choices of objects for the agent's actions than can be numbered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "with action `{action}` the agent has more than {limit} actions; use the operators as actions instead"
)]
pub struct TooManyActions {
    /// The action at which the limit is passed.
    pub action: String,
    /// The limit.
    pub limit: u32,
}

impl ActionSpace {
    /// The ground operators as actions.
    #[must_use]
    pub fn operators(simulator: Simulator) -> Self {
        Self {
            len: simulator.task().actions.len(),
            simulator,
            tables: None,
        }
    }

    /// The agent's declared actions for a problem. Takes time linear in the number of actions and ground
    /// operators.
    ///
    /// # Errors
    /// When there are more than 2^24 of them.
    pub fn declared(actions: Arc<AgentActions>, simulator: Simulator) -> Result<Self, TooManyActions> {
        let ids = TermIds::Own(actions.numbers(&simulator.task().vocabulary)?);
        Ok(Self::tabled(Some(actions), ids, simulator))
    }

    /// The agent's declared actions, or the ground operators, under the numbers of a suite.
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

    /// The number of actions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The task whose operators carry the actions out.
    #[must_use]
    pub fn task(&self) -> &GroundTask {
        self.simulator.task()
    }

    /// The declared actions; `None` when the operators are the actions.
    #[must_use]
    pub fn agent_actions(&self) -> Option<&AgentActions> {
        self.tables.as_ref()?.actions.as_deref()
    }

    /// Whether every action has one ground operator at most.
    #[must_use]
    pub fn is_unambiguous(&self) -> bool {
        self.tables.as_ref().is_none_or(|tables| tables.unambiguous)
    }

    /// Whether it is plain that in this state no two valid operators carry out one action. False when it takes a look at
    /// the valid operators to know.
    #[inline]
    pub(crate) fn is_plainly_unambiguous(&self, state: &State) -> bool {
        let selectors = self.tables.as_ref().and_then(|tables| tables.selectors.as_ref());
        selectors.is_some_and(|selectors| selectors.select(state))
    }

    /// The action that a ground operator carries out.
    #[must_use]
    pub fn action_of(&self, operator: ActionId) -> AgentActionId {
        match &self.tables {
            None => AgentActionId::new(operator.number()),
            Some(tables) => tables.action_of[operator.index()],
        }
    }

    /// The first of the ground operators that can carry an action out in some state, in order of declaration, then of
    /// objects; `None` when there is none or no such action.
    #[must_use]
    pub fn first_operator(&self, action: AgentActionId) -> Option<ActionId> {
        match &self.tables {
            None => (action.index() < self.len()).then(|| ActionId::new(action.number())),
            Some(_) => self.carriers(action).first().copied(),
        }
    }

    /// The ground operators that can carry an action out in some state, ascending; none where actions are numbered as the
    /// operators themselves.
    #[must_use]
    pub fn carriers(&self, action: AgentActionId) -> &[ActionId] {
        match &self.tables {
            Some(tables) if action.index() < tables.operators.len() => tables.operators.row(action.index()),
            _ => &[],
        }
    }

    /// The name and arguments of an action; `None` when there is no such action.
    #[must_use]
    pub fn get(&self, id: AgentActionId) -> Option<(&Name, Vec<ObjectId>)> {
        if id.index() >= self.len() {
            return None;
        }
        let Some(tables) = &self.tables else {
            let action = self.task().actions.get(ActionId::new(id.number()));
            return Some((self.schema_name(action.schema), action.arguments.to_vec()));
        };
        let (index, arguments) = tables.ids.get(id)?;
        let name = match &tables.actions {
            Some(actions) => &actions.actions()[index].name,
            None => self.schema_name(SchemaId::from_index(index)),
        };
        Some((name, arguments.to_vec()))
    }

    fn schema_name(&self, schema: SchemaId) -> &Name {
        &self.task().vocabulary.schema(schema).name
    }

    /// The order of two actions by their names and objects, which is that of their numbers unless those are a suite's.
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

    /// The number of the action `name` (lower case) with these arguments; `None` when there is none.
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

    /// The number of the action that `text` writes as PDDL does, `(move up)`; case and spaces do not matter.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<AgentActionId> {
        let (name, arguments) = self.task().vocabulary.parse_term(text)?;
        self.find(name.as_str(), &arguments)
    }

    /// The action `id` as PDDL writes it; nothing when there is no such action. An action of the suite whose objects the
    /// problem lacks is written with their places, `(drive truck#3 hub)`.
    pub fn display(&self, id: AgentActionId) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| match self.get(id) {
            Some((name, arguments)) => write!(f, "{}", self.task().vocabulary.term(name, &arguments)),
            None => f.write_str(&self.placed_text(id).unwrap_or_default()),
        })
    }

    /// An action of the suite, with places for the objects that the problem lacks.
    pub(crate) fn placed_text(&self, id: AgentActionId) -> Option<String> {
        let placed = self.tables.as_ref()?.ids.placed()?;
        placed.action_text(&self.task().vocabulary, id)
    }
}

/// The action of the agent that a ground operator carries out.
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

/// The ground operators of each action, ascending.
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
