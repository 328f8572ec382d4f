//! The states of a policy with its actions and values, as a table.

use std::collections::BTreeSet;
use std::io::Write;

use herbrand::core::{Described as _, Group, System as _};
use herbrand::env::{EnvError, Suite};
use herbrand::ground::{ActionId, GroundTask};
use herbrand::plan::{ActionValue, TableState};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, counted, filled};

/// The states of a policy, to be printed or written to a file.
pub(super) struct StateTable {
    states: Vec<TableState>,
    /// Whether the table has the states that any policy reaches.
    all: bool,
    /// Whether it has all valid actions of each state.
    values: bool,
}

/// [`StateTable`] as data.
#[derive(Serialize)]
pub(super) struct TableData {
    /// The number of states; `rows` has the first of them.
    states: usize,
    /// Whether the states are all that can be reached, or only the states that this policy reaches.
    all: bool,
    pub(super) rows: Vec<RowData>,
}

/// A state as data.
#[derive(Serialize)]
pub(super) struct RowData {
    /// The number of the state, from 0 in breadth-first order.
    pub(super) state: usize,
    /// The probability of starting here.
    pub(super) start_probability: f64,
    /// The changing facts that hold.
    pub(super) facts: Vec<String>,
    pub(super) goal: bool,
    /// Null in goal states, in dead ends, and where no action leads to the goal.
    pub(super) action: Option<String>,
    pub(super) goal_probability: f64,
    /// The mean cost of the runs from here that reach the goal.
    pub(super) expected_cost: Option<f64>,
    /// The valid actions; with --values only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<Vec<ValueData>>,
}

/// A valid action with its values, if the policy is followed after it.
#[derive(Serialize)]
pub(super) struct ValueData {
    pub(super) action: String,
    pub(super) goal_probability: f64,
    pub(super) expected_cost: Option<f64>,
}

impl StateTable {
    pub(super) const fn new(states: Vec<TableState>, all: bool, values: bool) -> Self {
        Self { states, all, values }
    }

    /// Returns the first states, or all.
    fn first(&self, shown: Option<u32>) -> &[TableState] {
        let shown = shown.map_or(usize::MAX, |shown| shown as usize);
        &self.states[..self.states.len().min(shown)]
    }

    /// Returns the changing facts of the first states, or of all.
    fn facts(&self, suite: &Suite, shown: Option<u32>) -> Result<Vec<Vec<String>>, Failure> {
        let mut system = suite.engine(0)?;
        let mut facts = Vec::new();
        for row in self.first(shown) {
            system.set_state(&row.state).map_err(EnvError::from)?;
            let mut here = Vec::new();
            system.facts(&mut |fact| {
                if matches!(fact.group, Group::Fluent | Group::Observed) {
                    here.push(fact.to_string());
                }
            });
            facts.push(here);
        }
        Ok(facts)
    }

    /// Returns the first states, or all, as data.
    pub(super) fn data(&self, suite: &Suite, shown: Option<u32>) -> Result<TableData, Failure> {
        let task = suite.instance(0)?.simulator().task();
        let name = |action: ActionId| task.display_action(action).to_string();
        let rows = self.states.iter().zip(self.facts(suite, shown)?).enumerate();
        Ok(TableData {
            states: self.states.len(),
            all: self.all,
            rows: rows
                .map(|(number, (state, facts))| RowData {
                    state: number,
                    start_probability: state.start,
                    facts,
                    goal: state.is_goal,
                    action: state.action.map(name),
                    goal_probability: state.goal_probability,
                    expected_cost: state.cost,
                    values: self.values.then(|| {
                        let values = state.values.iter().map(|value| ValueData {
                            action: name(value.action),
                            goal_probability: value.goal_probability,
                            expected_cost: value.cost,
                        });
                        values.collect()
                    }),
                })
                .collect(),
        })
    }

    /// Prints the first states: a row for each, or for each valid action of each.
    pub(super) fn print(&self, suite: &Suite, shown: u32) -> Result<(), Failure> {
        let task = suite.instance(0)?.simulator().task();
        let states = self.first(Some(shown));
        let facts = self.facts(suite, Some(shown))?;
        let common = common(&facts);
        let mut rows = Vec::new();
        for (number, (state, facts)) in states.iter().zip(&facts).enumerate() {
            let own: Vec<&str> = facts
                .iter()
                .filter(|fact| !common.contains(fact.as_str()))
                .map(String::as_str)
                .collect();
            let own = if own.is_empty() {
                "–".to_owned()
            } else {
                own.join(" ")
            };
            if self.values && !state.values.is_empty() {
                rows.extend(action_rows(number, state, own, task));
            } else {
                let (share, cost) = (state.goal_probability, state.cost);
                rows.push(
                    [
                        vec![number.to_string()],
                        valued(share, cost),
                        vec![told(state, task), own],
                    ]
                    .concat(),
                );
            }
        }
        let action = if self.values {
            "action (* by the policy)"
        } else {
            "action"
        };
        output::table(
            &[
                ("state", true),
                ("P(goal)", true),
                ("cost", true),
                (action, false),
                ("facts that hold", false),
            ],
            rows,
        )?;
        let mut out = output::out();
        if !common.is_empty() {
            writeln!(out, "; in each of these states:")?;
            for line in filled(common, " ") {
                writeln!(out, ";   {line}")?;
            }
        }
        let which = if self.all {
            "can be reached"
        } else {
            "the policy reaches"
        };
        let total = self.states.len();
        if total > states.len() {
            writeln!(
                out,
                "; the first {} of {} that {which}: --table={total} prints all",
                states.len(),
                counted(total as u64, "state"),
            )?;
        } else {
            writeln!(out, "; {}: all that {which}", counted(total as u64, "state"))?;
        }
        let starts: Vec<String> = states
            .iter()
            .enumerate()
            .filter(|(_, state)| state.start > 0.0)
            .map(|(number, state)| {
                if state.start == 1.0 {
                    format!("state {number}")
                } else {
                    format!("state {number} ({:.4})", state.start)
                }
            })
            .collect();
        writeln!(out, "; the start is {}", starts.join(" or "))?;
        out.flush()?;
        Ok(())
    }
}

/// Returns the cells of a probability and a cost.
fn valued(share: f64, cost: Option<f64>) -> Vec<String> {
    let cost = cost.map_or_else(|| "–".to_owned(), |cost| format!("{cost:.4}"));
    vec![format!("{share:.4}"), cost]
}

/// Returns the action of a state, or why it has none.
fn told(state: &TableState, task: &GroundTask) -> String {
    match state.action {
        Some(action) => task.display_action(action).to_string(),
        None if state.is_goal => "goal".to_owned(),
        None if state.has_actions => "no way to the goal".to_owned(),
        None => "dead end".to_owned(),
    }
}

/// Returns a row for each action of a state, the best first. The first row has the number and the facts of the state.
fn action_rows(number: usize, state: &TableState, facts: String, task: &GroundTask) -> Vec<Vec<String>> {
    let mut values = state.values.clone();
    values.sort_by(|one, other| {
        let is_chosen = |value: &ActionValue| Some(value.action) == state.action;
        let cost = |value: &ActionValue| value.cost.unwrap_or(f64::INFINITY);
        (is_chosen(other).cmp(&is_chosen(one)))
            .then(other.goal_probability.total_cmp(&one.goal_probability))
            .then(cost(one).total_cmp(&cost(other)))
    });
    let mut first = vec![(number.to_string(), facts)].into_iter();
    let rows = values.into_iter().map(|value| {
        let (number, facts) = first.next().unwrap_or_default();
        let chosen = if Some(value.action) == state.action {
            " *"
        } else {
            ""
        };
        let action = format!("{}{chosen}", task.display_action(value.action));
        [
            vec![number],
            valued(value.goal_probability, value.cost),
            vec![action, facts],
        ]
        .concat()
    });
    rows.collect()
}

/// Returns the facts that hold in all of several states; none if there is only one state.
fn common(facts: &[Vec<String>]) -> BTreeSet<&str> {
    let [first, others @ ..] = facts else {
        return BTreeSet::new();
    };
    let mut common: BTreeSet<&str> = first.iter().map(String::as_str).collect();
    if others.is_empty() {
        common.clear();
    }
    for facts in others {
        let here: BTreeSet<&str> = facts.iter().map(String::as_str).collect();
        common.retain(|fact| here.contains(fact));
    }
    common
}
