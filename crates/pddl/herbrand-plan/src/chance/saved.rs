//! Policies as tables of states and actions, which can be stored.

use fxhash::FxHashMap;
use herbrand_ground::{ActionId, AtomId, NumericId};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::State;
use serde::{Deserialize, Serialize};

use super::policy::{Policy, PolicyValue};
use super::table::TableState;
use super::task::ProbabilisticTask;
use crate::task::TaskError;

/// A state of an [`ActionTable`]: the number of its action, the numbers of the atoms that are true, and the numbers of its defined
/// numeric fluents with their values. Each is a position in a list of the table, from 0.
pub type ActionRow = (u32, Vec<u32>, Vec<(u32, f64)>);

/// A policy for a [`ProbabilisticTask`] as data: an action for each state in which it acts. It names atoms, numeric fluents and
/// actions, so it does not depend on their ids. [`of`](Self::of) makes one, and [`TabledPolicy::new`] a policy that follows it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionTable {
    /// The changing atoms that are true in some state.
    pub atoms: Vec<String>,
    /// The changing numeric fluents that are defined in some state.
    pub numbers: Vec<String>,
    /// The actions.
    pub actions: Vec<String>,
    /// The states. No other atoms are true in them, and no other numeric fluents are defined.
    pub states: Vec<ActionRow>,
}

/// Names by their first use.
#[derive(Default)]
struct Names {
    texts: Vec<String>,
    places: FxHashMap<u32, u32>,
}

impl Names {
    /// Returns the position of the name of an id.
    fn place(&mut self, id: u32, name: impl ToString) -> u32 {
        *self.places.entry(id).or_insert_with(|| {
            self.texts.push(name.to_string());
            self.texts.len() as u32 - 1
        })
    }
}

impl ActionTable {
    /// Returns the actions in the states of a [`PolicyTable`](super::PolicyTable) of this task. States without an action are
    /// left out.
    ///
    /// # Errors
    /// Fails if the budget is exhausted, or if a state belongs to another task.
    pub fn of(task: &ProbabilisticTask, states: &[TableState], budget: &Budget) -> Result<Self, TaskError> {
        let (given, searched) = (task.simulator().task(), task.searched().task());
        let [mut atoms, mut numbers, mut actions] = [(); 3].map(|()| Names::default());
        let (mut rows, mut meter) = (Vec::new(), budget.meter("listing the actions of states"));
        for (state, action) in states.iter().filter_map(|row| Some((&row.state, row.action?))) {
            let state = task.project(state)?;
            let held = state.fluents();
            let held = held.map(|atom| atoms.place(atom.number(), searched.display_atom(atom)));
            let held: Vec<u32> = held.collect();
            let defined = (0..searched.state_numerics).map(NumericId::new);
            let defined = defined.filter_map(|id| Some((id, state.numeric(id)?)));
            let defined =
                defined.map(|(id, value)| (numbers.place(id.number(), searched.display_numeric(id)), value));
            let row = (
                actions.place(action.number(), given.display_action(action)),
                held,
                defined.collect::<Vec<_>>(),
            );
            let bytes = size_of_val(&*row.1) + size_of_val(&*row.2);
            if !(meter.charge(bytes as u64) && meter.push(&mut rows, row)) {
                break;
            }
        }
        meter.finish()?;
        Ok(Self {
            atoms: atoms.texts,
            numbers: numbers.texts,
            actions: actions.texts,
            states: rows,
        })
    }
}

/// The reason why an [`ActionTable`] is no policy for a task.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ActionTableError {
    /// A name in the table is no changing atom and no changing numeric fluent of the task.
    #[error("`{0}` is no changing fact of this problem")]
    UnknownFact(String),
    /// A name in the table is no action of the task.
    #[error("`{0}` is no action of this problem")]
    UnknownAction(String),
    /// A state has a number for which its list has no name.
    #[error(
        "state {state}, counted from 1, has the number {number}, but `{list}` has {length} names, counted from 0"
    )]
    NoName {
        /// The number of the state, from 1.
        state: usize,
        /// The list.
        list: &'static str,
        /// The number.
        number: u32,
        /// The length of the list.
        length: usize,
    },
    /// The table has no start state of the task.
    #[error("none of its {0} states is a start state of this problem")]
    NoStart(usize),
    /// The budget is exhausted.
    #[error("{0}")]
    Budget(#[from] BudgetExhausted),
}

/// A policy that follows an [`ActionTable`]. It gives up in states that the table does not have.
#[derive(Clone, Debug)]
pub struct TabledPolicy {
    task: ProbabilisticTask,
    /// By state of the searched task.
    choices: FxHashMap<State, ActionId>,
}

impl TabledPolicy {
    /// Creates the policy for a task. Of several rows for one state, the last counts. An action need not be valid in its state.
    ///
    /// # Errors
    /// Fails if the table is not for this task, or if the budget is exhausted.
    pub fn new(
        task: &ProbabilisticTask,
        table: &ActionTable,
        budget: &Budget,
    ) -> Result<Self, ActionTableError> {
        let (simulator, searched) = (task.searched(), task.searched().task());
        let atoms = (0..searched.fluents).map(AtomId::new);
        let atoms = atoms.map(|id| (searched.display_atom(id).to_string(), id));
        let atoms = found("atoms", &table.atoms, atoms)?;
        let numbers = (0..searched.state_numerics).map(NumericId::new);
        let undefined: Vec<_> = numbers.clone().collect();
        let numbers = numbers.map(|id| (searched.display_numeric(id).to_string(), id));
        let numbers = found("numbers", &table.numbers, numbers)?;
        let action = |name: &String| task.simulator().parse_action(name).ok();
        let action = |name| action(name).ok_or_else(|| ActionTableError::UnknownAction(name.clone()));
        let actions: Vec<_> = table.actions.iter().map(action).collect::<Result<_, _>>()?;
        let actions = Found {
            list: "actions",
            ids: actions,
        };
        let mut choices = FxHashMap::default();
        let mut meter = budget.meter("reading a policy");
        let bytes = size_of::<(State, ActionId)>() + size_of_val(task.starts()[0].1.words());
        for (state, (action, held, defined)) in (1..).zip(&table.states) {
            if !meter.charge(2 * bytes as u64) {
                break;
            }
            let held = held.iter().map(|&number| atoms.get(number, state));
            let held: Vec<AtomId> = held.collect::<Result<_, _>>()?;
            let known = simulator.state_from_atoms(held);
            let mut known = known.map_err(|_| ActionTableError::NoStart(table.states.len()))?;
            for &id in &undefined {
                simulator.set_numeric(&mut known, id, None);
            }
            for &(number, value) in defined {
                simulator.set_numeric(&mut known, numbers.get(number, state)?, Some(value));
            }
            choices.insert(known, actions.get(*action, state)?);
        }
        meter.finish()?;
        let policy = Self {
            task: task.clone(),
            choices,
        };
        let knows = |start: &State| task.simulator().is_goal(start) || policy.action(start).is_some();
        if !task.starts().iter().any(|(_, start)| knows(start)) {
            return Err(ActionTableError::NoStart(table.states.len()));
        }
        Ok(policy)
    }

    /// Returns the task.
    #[must_use]
    pub const fn task(&self) -> &ProbabilisticTask {
        &self.task
    }

    /// Returns the action in a state of [`ProbabilisticTask::simulator`]; `None` if the table does not have the state.
    #[must_use]
    pub fn action(&self, state: &State) -> Option<ActionId> {
        self.choices.get(&self.task.project(state).ok()?).copied()
    }
}

impl Policy for TabledPolicy {
    fn act(&mut self, state: &State) -> Result<Option<ActionId>, TaskError> {
        Ok(self.action(state))
    }

    fn value(&self) -> Option<PolicyValue> {
        None
    }
}

/// The ids of the names in a list of a table.
struct Found<I> {
    list: &'static str,
    ids: Vec<I>,
}

impl<I: Copy> Found<I> {
    /// Returns the id of a name by its number in a state.
    fn get(&self, number: u32, state: usize) -> Result<I, ActionTableError> {
        let id = self.ids.get(number as usize).copied();
        id.ok_or(ActionTableError::NoName {
            state,
            list: self.list,
            number,
            length: self.ids.len(),
        })
    }
}

/// Finds the ids of the names in a list of a table.
fn found<I: Copy>(
    list: &'static str,
    names: &[String],
    known: impl Iterator<Item = (String, I)>,
) -> Result<Found<I>, ActionTableError> {
    let known: FxHashMap<String, I> = known.collect();
    let id = |name: &String| known.get(name).copied();
    let id = |name| id(name).ok_or_else(|| ActionTableError::UnknownFact(name.clone()));
    let ids = names.iter().map(id).collect::<Result<_, _>>()?;
    Ok(Found { list, ids })
}
