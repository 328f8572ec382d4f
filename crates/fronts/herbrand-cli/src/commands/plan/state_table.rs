//! The states of a policy with its actions and values, as a table.

use std::collections::BTreeSet;
use std::io::Write;

use herbrand::core::{Described as _, Group, System as _};
use herbrand::env::{EnvError, Suite};
use herbrand::plan::{PolicyTable, TableState};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, counted, filled};

/// The first states of a [`PolicyTable`], to be printed.
pub(super) struct StateTable {
    states: Vec<TableState>,
    /// The number of states in the whole table.
    total: usize,
    /// Whether the table has the states that any policy reaches.
    all: bool,
}

/// [`StateTable`] as data.
#[derive(Serialize)]
pub(super) struct TableData {
    /// The number of states; `rows` has the first of them.
    states: usize,
    /// Whether the states are all that can be reached, or only the states that this policy reaches.
    all: bool,
    rows: Vec<RowData>,
}

#[derive(Serialize)]
struct RowData {
    /// The number of the state, from 0 in breadth-first order.
    state: usize,
    /// The probability of starting here.
    start_probability: f64,
    /// The changing facts that hold.
    facts: Vec<String>,
    goal: bool,
    /// Null in goal states, in dead ends, and where no action leads to the goal.
    action: Option<String>,
    goal_probability: f64,
    /// The mean cost of the runs from here that reach the goal.
    expected_cost: Option<f64>,
}

impl StateTable {
    pub(super) fn new(table: PolicyTable, shown: u32, all: bool) -> Self {
        let total = table.states.len();
        let mut states = table.states;
        states.truncate(shown as usize);
        Self { states, total, all }
    }

    /// Returns the changing facts of each state.
    fn facts(&self, suite: &Suite) -> Result<Vec<Vec<String>>, Failure> {
        let mut system = suite.engine(0)?;
        let mut facts = Vec::with_capacity(self.states.len());
        for row in &self.states {
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

    pub(super) fn data(&self, suite: &Suite) -> Result<TableData, Failure> {
        let task = suite.instance(0)?.simulator().task();
        let rows = self.states.iter().zip(self.facts(suite)?).enumerate();
        Ok(TableData {
            states: self.total,
            all: self.all,
            rows: rows
                .map(|(number, (state, facts))| RowData {
                    state: number,
                    start_probability: state.start,
                    facts,
                    goal: state.is_goal,
                    action: state.action.map(|action| task.display_action(action).to_string()),
                    goal_probability: state.goal_probability,
                    expected_cost: state.cost,
                })
                .collect(),
        })
    }

    pub(super) fn print(&self, suite: &Suite) -> Result<(), Failure> {
        let task = suite.instance(0)?.simulator().task();
        let facts = self.facts(suite)?;
        let common = common(&facts);
        let rows = self.states.iter().zip(&facts).enumerate();
        let rows = rows.map(|(number, (state, facts))| {
            let action = match state.action {
                Some(action) => task.display_action(action).to_string(),
                None if state.is_goal => "goal".to_owned(),
                None if state.has_actions => "no way to the goal".to_owned(),
                None => "dead end".to_owned(),
            };
            let own: Vec<&str> = facts
                .iter()
                .filter(|fact| !common.contains(fact.as_str()))
                .map(String::as_str)
                .collect();
            vec![
                number.to_string(),
                format!("{:.4}", state.goal_probability),
                state
                    .cost
                    .map_or_else(|| "–".to_owned(), |cost| format!("{cost:.4}")),
                action,
                if own.is_empty() {
                    "–".to_owned()
                } else {
                    own.join(" ")
                },
            ]
        });
        output::table(
            &[
                ("state", true),
                ("P(goal)", true),
                ("cost", true),
                ("action", false),
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
        if self.total > self.states.len() {
            writeln!(
                out,
                "; the first {} of {} that {which}: --table={} prints all",
                self.states.len(),
                counted(self.total as u64, "state"),
                self.total
            )?;
        } else {
            writeln!(out, "; {}: all that {which}", counted(self.total as u64, "state"))?;
        }
        let starts: Vec<String> = self
            .states
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
