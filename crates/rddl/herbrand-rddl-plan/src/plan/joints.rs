//! Numbers for the joint actions of a search.

use herbrand_core::{
    ActionField, BatchSystem as _, Choice, FieldDomain, JointTable, Random, System as _, TableError,
};
use herbrand_rddl_sim::simulate::RddlSimulator;

/// The number of joint actions that are drawn in a state with too many to list.
const DRAWN: usize = 64;

/// The numbered joint actions of a search.
#[derive(Clone, Debug)]
pub(super) enum Joints {
    /// All joint actions of the problem, with the same numbers in every state.
    All(JointTable),
    /// The joint actions of the states visited so far. A joint action has one number per state.
    PerState {
        /// By number.
        joints: Vec<Vec<Choice>>,
        /// The maximum number of joint actions listed in a state.
        limit: usize,
        bytes: usize,
    },
}

impl Joints {
    /// Numbers all joint actions of a simulator's problem or, if that is impossible, those of each state that is visited.
    ///
    /// # Errors
    /// Fails if an action fluent takes reals, or if there are too many joint actions, both in all and among the valid ones
    /// of the simulator's current state.
    pub(super) fn of(simulator: &RddlSimulator, limit: usize) -> Result<Self, TableError> {
        let layout = simulator.actions();
        let error = match JointTable::of(layout, limit) {
            Ok(table) => return Ok(Self::All(table)),
            Err(error) => error,
        };
        let is_real = |field: &ActionField| matches!(field.domain, FieldDomain::Real { .. });
        let is_possible = match &error {
            TableError::Number { .. } => !layout.fields().iter().any(is_real),
            TableError::TooMany { .. } => simulator.list_valid(limit).is_some(),
        };
        if !is_possible {
            return Err(error);
        }
        Ok(Self::PerState {
            joints: Vec::new(),
            limit,
            bytes: 0,
        })
    }

    /// Forgets the joint actions of single states, and their numbers.
    pub(super) fn clear(&mut self) {
        if let Self::PerState { joints, bytes, .. } = self {
            joints.clear();
            *bytes = 0;
        }
    }

    /// Returns the joint action with a number from [`valid`](Self::valid).
    pub(super) fn joint(&self, number: u32) -> &[Choice] {
        match self {
            Self::All(table) => table.joint(number as usize),
            Self::PerState { joints, .. } => &joints[number as usize],
        }
    }

    /// Returns the numbers of the joint actions that are valid in the simulator's current state, ascending.
    pub(super) fn valid(&mut self, simulator: &RddlSimulator, random: &mut Random) -> Vec<u32> {
        match self {
            Self::All(table) => {
                let free = simulator.is_unrestricted();
                let is_valid = |number: &usize| free || simulator.is_valid(table.joint(*number));
                (0..table.len())
                    .filter(is_valid)
                    .map(|number| number as u32)
                    .collect()
            }
            Self::PerState { joints, limit, bytes } => {
                let listed = simulator
                    .list_valid(*limit)
                    .unwrap_or_else(|| draw(simulator, random));
                let first = joints.len() as u32;
                *bytes += listed
                    .iter()
                    .map(|joint| size_of_val(&joint[..]) + size_of::<Vec<Choice>>())
                    .sum::<usize>();
                joints.extend(listed);
                (first..joints.len() as u32).collect()
            }
        }
    }

    /// Returns the number of bytes of the joint actions of single states.
    pub(super) const fn bytes(&self) -> usize {
        match self {
            Self::All(_) => 0,
            Self::PerState { bytes, .. } => *bytes,
        }
    }
}

/// Draws different valid joint actions, without choices of defaults.
fn draw(simulator: &RddlSimulator, random: &mut Random) -> Vec<Vec<Choice>> {
    let fields = simulator.actions().fields();
    let is_set = |choice: &Choice| fields[choice.field as usize].default != Some(choice.value);
    let mut drawn: Vec<Vec<Choice>> = Vec::new();
    for _ in 0..DRAWN {
        let mut joint = Vec::new();
        if simulator.sample(random, &mut joint) {
            joint.retain(is_set);
            if !drawn.contains(&joint) {
                drawn.push(joint);
            }
        }
    }
    drawn
}
