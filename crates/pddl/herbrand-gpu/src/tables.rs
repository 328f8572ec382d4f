//! The step list as the words that the kernel reads.

use herbrand_limits::Budget;
use herbrand_step::{SlicedTask, StepCondition, StepEffects, StepList, StepRule};

use crate::error::GpuError;

/// The text of the kernel: CUDA C++ that is C too. It walks the [`KernelTables`] of a task, so that it is the same text for all
/// tasks.
pub const KERNEL: &str = include_str!("kernel.c");

/// The place of the rewards of an operator that has none.
const NO_REWARDS: u32 = u32::MAX;

/// The kinds of rules that make masks.
const WHEN: u32 = 0;
const DRAW: u32 = 1;
const CERTAIN: u32 = 2;

/// The number of sizes and places before the tables.
const HEAD: usize = 11;

/// The number of planes of flags.
const FLAGS: u32 = 8;

/// The step list of a task in the form that the [`KERNEL`] reads, and the layout of the planes on which it works.
///
/// ```text
///   plane 0            the atoms
///   plane atoms        the operators: where each is valid
///   plane counts       the digits of the number of valid operators
///   plane masks        the masks of the operator that is carried out
///   plane flags        goal, dead end, …
/// ```
#[derive(Clone, Debug)]
pub struct KernelTables {
    list: Vec<u32>,
    ends: Vec<u64>,
    amounts: Vec<f64>,
    goal_reward: f64,
    pub(crate) atoms: u32,
    pub(crate) operators: u32,
    pub(crate) flags: u32,
    pub(crate) planes: u32,
}

impl KernelTables {
    /// Writes the tables of a task. The memory of its step list is charged to `budget`.
    ///
    /// # Errors
    /// Fails if the step list cannot be written ([`SlicedTask::step_list`]), if it has 2^32 words or more, or if `budget` is
    /// exhausted.
    pub fn new(task: &SlicedTask, budget: &Budget) -> Result<Self, GpuError> {
        let steps = task.step_list(budget)?;
        let size =
            |length: usize| u32::try_from(length).map_err(|_| GpuError::TooLarge { what: "step list" });
        let mut this = Self {
            list: vec![0; HEAD],
            ends: Vec::new(),
            amounts: Vec::new(),
            goal_reward: steps.goal_reward,
            atoms: size(steps.initial.len())?,
            operators: size(steps.preconditions.len())?,
            flags: 0,
            planes: 0,
        };
        let places = this.write(&steps);
        let width = u32::BITS - this.operators.leading_zeros();
        let masks = steps.effects.iter().chain([&steps.start]).map(mask_count).max();
        let counts = this.atoms + this.operators;
        this.flags = counts + width + size(masks.unwrap_or(1))?;
        this.planes = this.flags + FLAGS;
        this.list[..3].copy_from_slice(&[this.atoms, this.operators, width]);
        this.list[3..8].copy_from_slice(&places);
        this.list[8..HEAD].copy_from_slice(&[counts, counts + width, this.flags]);
        for length in [this.list.len(), this.ends.len(), this.amounts.len()] {
            size(length)?;
        }
        Ok(this)
    }

    /// Writes all tables, and returns the places of preconditions, effects, axioms, goal and initial state.
    fn write(&mut self, steps: &StepList) -> [u32; 5] {
        let preconditions = self.place();
        steps
            .preconditions
            .iter()
            .for_each(|condition| self.condition(condition));
        let effects = self.place();
        self.list.resize(self.list.len() + steps.effects.len() + 1, 0);
        for (index, own) in steps.effects.iter().chain([&steps.start]).enumerate() {
            self.list[effects as usize + index] = self.place();
            self.effects(own);
        }
        let axioms = self.place();
        self.list.push(steps.strata.len() as u32);
        for stratum in &steps.strata {
            self.list
                .extend([u32::from(stratum.recursive), stratum.rules.len() as u32]);
            self.list.extend(stratum.rules.iter().map(|(head, _)| head));
            stratum.rules.iter().for_each(|(_, body)| self.condition(body));
        }
        let goal = self.place();
        self.condition(&steps.goal);
        let initial = self.place();
        self.list.extend(steps.initial.chunks(32).map(|atoms| {
            let bits = (0..).zip(atoms);
            bits.fold(0, |word, (place, &holds)| word | u32::from(holds) << place)
        }));
        [preconditions, effects, axioms, goal, initial]
    }

    fn place(&self) -> u32 {
        self.list.len() as u32
    }

    fn condition(&mut self, condition: &StepCondition) {
        self.list.push(condition.len() as u32);
        for conjunction in condition {
            let atoms = [&conjunction.positive, &conjunction.negative];
            self.list.extend(atoms.map(|atoms| atoms.len() as u32));
            self.list.extend(atoms.into_iter().flatten());
        }
    }

    fn effects(&mut self, effects: &StepEffects) {
        self.list.push(effects.rules.len() as u32);
        for rule in &effects.rules {
            // An alternative that does not exist is no alternative.
            match rule {
                StepRule::When { outer, condition } => {
                    self.list.extend([WHEN, *outer]);
                    self.condition(condition);
                }
                StepRule::Draw { outer, ends, last } => {
                    let none = ends.len() as u32;
                    let place = self.ends.len() as u32;
                    self.list
                        .extend([DRAW, *outer, none, last.unwrap_or(none), place]);
                    self.ends.extend(ends);
                }
                StepRule::Certain {
                    outer,
                    alternatives,
                    chosen,
                } => {
                    let chosen = chosen.unwrap_or(*alternatives);
                    self.list.extend([CERTAIN, *outer, *alternatives, chosen]);
                }
            }
        }
        for changes in [&effects.deletes, &effects.adds] {
            self.list.push(changes.len() as u32);
            self.list
                .extend(changes.iter().flat_map(|&(mask, atom)| [mask, atom]));
        }
        let place = if effects.rewards.is_empty() {
            NO_REWARDS
        } else {
            self.amounts.len() as u32
        };
        self.list.extend([place, effects.rewarded.len() as u32]);
        self.list.extend(&effects.rewarded);
        self.amounts.extend(&effects.rewards);
    }

    /// Returns the words that describe sizes, conditions and effects.
    #[must_use]
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// Returns the ends of the intervals of words of all draws.
    #[must_use]
    pub fn ends(&self) -> &[u64] {
        &self.ends
    }

    /// Returns the rewards of all operators.
    #[must_use]
    pub fn amounts(&self) -> &[f64] {
        &self.amounts
    }

    /// Returns the reward for entering the goal.
    #[must_use]
    pub const fn goal_reward(&self) -> f64 {
        self.goal_reward
    }

    /// Returns the memory of the tables in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        size_of_val(self.list()) as u64 + size_of_val(self.ends()) as u64 + size_of_val(self.amounts()) as u64
    }
}

/// Returns the number of masks of an operator.
fn mask_count(effects: &StepEffects) -> usize {
    let further = effects.rules.iter().map(|rule| match rule {
        StepRule::When { .. } => 1,
        StepRule::Draw { ends, .. } => ends.len(),
        StepRule::Certain { alternatives, .. } => *alternatives as usize,
    });
    1 + further.sum::<usize>()
}
