//! Policies as tables, which can be stored.

use std::collections::HashMap;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_core::{Agent, Choice, Described as _};
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};
use serde::{Deserialize, Serialize};

use crate::exact::ExactPolicy;

/// The choices of a [`ChoiceTable`] in a state as runs of steps with the same choice: the number of steps, and the number of the
/// joint action; `None` if the policy has none.
pub type ChoiceRuns = Vec<(u32, Option<u32>)>;

/// A policy for a number of steps as data: for each state and step, the joint action. [`ExactPolicy::table`] makes one, and
/// [`TablePolicy::new`] an agent that follows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChoiceTable {
    /// The number of steps.
    pub steps: u32,
    /// The joint actions that the policy takes, as [`Described::parse_joint`](herbrand_core::Described::parse_joint) reads
    /// them.
    pub joints: Vec<String>,
    /// The states, as the hexadecimal digits of [`Values::pack`].
    pub states: Vec<String>,
    /// For each state, its choices.
    pub choices: Vec<ChoiceRuns>,
}

impl ExactPolicy {
    /// Returns the policy as data.
    #[must_use]
    pub fn table(&self) -> ChoiceTable {
        let simulator = RddlSimulator::new(Arc::clone(self.compiled()), Preconditions::Refused);
        let mut table = ChoiceTable {
            steps: self.steps(),
            joints: Vec::new(),
            states: Vec::new(),
            choices: Vec::new(),
        };
        let mut numbers = HashMap::new();
        for state in (0..self.states()).filter_map(|number| self.state(number)) {
            let mut runs = ChoiceRuns::new();
            for step in 0..self.steps() {
                let choice = self.joint(step, &state).map(|joint| {
                    let text = simulator.joint_text(joint);
                    *numbers.entry(text).or_insert_with_key(|text| {
                        table.joints.push(text.clone());
                        table.joints.len() as u32 - 1
                    })
                });
                match runs.last_mut() {
                    Some((count, last)) if *last == choice => *count += 1,
                    _ => runs.push((1, choice)),
                }
            }
            if runs.iter().any(|(_, choice)| choice.is_some()) {
                table.states.push(hexadecimal(&state.pack()));
                table.choices.push(runs);
            }
        }
        table
    }
}

/// An agent that follows a [`ChoiceTable`]. It gives up in states that the table does not have, and after its last step.
#[derive(Clone, Debug)]
pub struct TablePolicy {
    joints: Vec<Vec<Choice>>,
    /// By packed state.
    choices: HashMap<Vec<u8>, ChoiceRuns, FxBuildHasher>,
    steps: u32,
    /// The number of steps taken in the current episode.
    elapsed: u32,
}

impl TablePolicy {
    /// Creates the agent for a problem; `None` if the table is not for this problem.
    #[must_use]
    pub fn new(compiled: &Arc<CompiledInstance>, table: &ChoiceTable) -> Option<Self> {
        let simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Refused);
        let joints = table.joints.iter().map(|text| simulator.parse_joint(text).ok());
        let joints: Vec<Vec<Choice>> = joints.collect::<Option<_>>()?;
        if table.states.len() != table.choices.len() {
            return None;
        }
        let mut choices = HashMap::default();
        for (state, runs) in table.states.iter().zip(&table.choices) {
            let state = bytes(state).filter(|state| compiled.unpack(state).is_some())?;
            let is_known =
                |choice: &Option<u32>| choice.is_none_or(|number| (number as usize) < joints.len());
            if !runs.iter().all(|(_, choice)| is_known(choice)) {
                return None;
            }
            choices.insert(state, runs.clone());
        }
        Some(Self {
            joints,
            choices,
            steps: table.steps,
            elapsed: 0,
        })
    }

    /// Returns the number of steps of the policy.
    #[must_use]
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns the joint action after `step` steps in a state: its choices that differ from the defaults. `None` if the table
    /// has none.
    #[must_use]
    pub fn joint(&self, step: u32, state: &Values) -> Option<&[Choice]> {
        let mut rest = step;
        let runs = self.choices.get(&state.pack())?;
        let run = runs.iter().find(|(count, _)| {
            let is_here = rest < *count;
            rest = rest.saturating_sub(*count);
            is_here
        });
        let (_, choice) = run?;
        choice.map(|number| self.joints[number as usize].as_slice())
    }
}

impl Agent<RddlSimulator> for TablePolicy {
    fn begin(&mut self) {
        self.elapsed = 0;
    }

    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        let joint = self.joint(self.elapsed, state).map(<[Choice]>::to_vec);
        self.elapsed += 1;
        Ok(joint)
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the bytes that hexadecimal digits denote; `None` if the text has another character or an odd length.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| digit.to_digit(16).map(|digit| digit as u8))
        .collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| 16 * pair[0] + pair[1]).collect())
}
