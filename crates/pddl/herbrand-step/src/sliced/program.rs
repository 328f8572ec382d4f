//! The step list of a ground task: the computations of a step, as formulas over planes.

use herbrand_ground::{BlockId, ConditionId, ConjunctionId, GroundTask};
use herbrand_limits::{Budget, Meter};
use herbrand_pddl::AssignOperator;

use crate::grounded::lists::Lists;
use crate::grounded::simulator::Simulator;
use crate::grounded::state::ClosedState;
use crate::sliced::effects::Effects;
use crate::sliced::error::SlicedError;
use crate::sliced::plane::{DIGITS, Plane};
use crate::sliced::preconditions::Preconditions;
use crate::sliced::rules::Rules;

/// The largest number of ground operators: the number of an operator has at most [`DIGITS`] digits, and one number is left
/// over for no operator.
pub(crate) const MOST_OPERATORS: usize = (1 << DIGITS) - 1;

/// The step list of a task.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) simulator: Simulator,
    pub(crate) preconditions: Preconditions,
    /// The goal, as the only formula.
    pub(crate) goal: Formulas,
    /// The axioms of maintained derived atoms, in groups whose atoms depend on themselves and earlier groups.
    pub(crate) rules: Rules,
    pub(crate) effects: Effects,
    /// Whether a reset draws the initial state.
    pub(crate) draws_initial: bool,
    /// The memory of the program in bytes.
    pub(crate) bytes: u64,
}

/// Conditions in disjunctive normal form over atoms.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    /// The end of the conjunctions of each formula.
    ends: Vec<u32>,
    /// For each conjunction, the number of its positive literals, which come first.
    positive: Vec<u32>,
    /// The atoms of each conjunction.
    atoms: Lists<u32>,
}

impl Formulas {
    fn push(&mut self, task: &GroundTask, conjunctions: impl Iterator<Item = ConjunctionId>) {
        for id in conjunctions {
            let [positive, negative] = Self::literals(task, id);
            self.positive.push(positive.len() as u32);
            self.atoms.push(positive.into_iter().chain(negative));
        }
        self.ends.push(self.atoms.len() as u32);
    }

    /// Returns the positive and the negative atoms of a conjunction, each ascending.
    pub(crate) fn literals(task: &GroundTask, id: ConjunctionId) -> [Vec<u32>; 2] {
        let literals = task.conditions.get(id).literals.iter();
        [false, true].map(|negative| {
            let chosen = literals
                .clone()
                .filter(move |literal| literal.is_negative() == negative);
            let mut atoms: Vec<u32> = chosen.map(|literal| literal.atom().number()).collect();
            atoms.sort_unstable();
            atoms.dedup();
            atoms
        })
    }

    /// Appends a formula that is one conjunction, of positive and negative atoms.
    pub(crate) fn conjunction(&mut self, positive: &[u32], negative: &[u32]) {
        self.positive.push(positive.len() as u32);
        self.atoms.push(positive.iter().chain(negative).copied());
        self.ends.push(self.atoms.len() as u32);
    }

    pub(crate) fn condition(&mut self, task: &GroundTask, id: ConditionId) {
        self.push(task, task.conditions.conjunctions(id));
    }

    /// Returns the number of formulas.
    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.ends.len() + 2 * self.positive.len() + self.atoms.items_len()) as u64
    }

    /// Returns the conjunctions of a formula: the positive and the negative atoms of each.
    pub(crate) fn conjunctions(&self, index: usize) -> impl Iterator<Item = (&[u32], &[u32])> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (start..self.ends[index]).map(|conjunction| {
            let positive = self.positive[conjunction as usize];
            self.atoms.get(conjunction as usize).split_at(positive as usize)
        })
    }

    /// Returns the lanes in which a formula holds.
    #[inline(always)]
    pub(crate) fn holds<const N: usize>(&self, index: usize, planes: &[Plane<N>]) -> Plane<N> {
        let start = if index == 0 {
            0
        } else {
            self.ends[index - 1] as usize
        };
        let end = self.ends[index] as usize;
        let mut any = [0; N];
        for conjunction in start..end {
            let (positive, negative) = self
                .atoms
                .get(conjunction)
                .split_at(self.positive[conjunction] as usize);
            let mut all = [u64::MAX; N];
            for &atom in positive {
                let plane = &planes[atom as usize];
                for word in 0..N {
                    all[word] &= plane[word];
                }
            }
            for &atom in negative {
                let plane = &planes[atom as usize];
                for word in 0..N {
                    all[word] &= !plane[word];
                }
            }
            if end - start == 1 {
                return all;
            }
            for word in 0..N {
                any[word] |= all[word];
            }
        }
        any
    }
}

impl Program {
    /// Compiles the step list of the task of `simulator`, within `budget`.
    pub(crate) fn new(simulator: &Simulator, budget: &Budget) -> Result<Self, SlicedError> {
        let task = simulator.task();
        let mut meter = budget.meter("compiling the bit-sliced step list");
        let closed = simulator.close(simulator.initial());
        check(simulator, &closed, &mut meter)?;
        let preconditions = Preconditions::new(task, &mut meter)?;
        let effects = Effects::new(simulator, &closed, &mut meter)?;
        let mut goal = Formulas::default();
        goal.condition(task, task.goal);
        let rules = Rules::new(task, &simulator.tables().axioms);
        let mut this = Self {
            simulator: simulator.clone(),
            preconditions,
            goal,
            rules,
            effects,
            draws_initial: !simulator.starts_certainly(),
            bytes: 0,
        };
        meter.charge(this.rules.bodies.bytes() + this.goal.bytes());
        this.bytes = meter.finish()?;
        Ok(this)
    }
}

impl Program {
    /// Returns the number of operators.
    #[inline(always)]
    pub(crate) fn operators(&self) -> usize {
        self.effects.rewards.len()
    }

    /// Returns the number of digits of the number of valid operators.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        (usize::BITS - self.operators().leading_zeros()) as usize
    }
}

/// Checks that lanes can have the states of the task and that no step fails.
fn check(simulator: &Simulator, closed: &ClosedState<'_>, meter: &mut Meter) -> Result<(), SlicedError> {
    let task = simulator.task();
    if task.state_numerics > 0 {
        let fluent = task
            .display_numeric(herbrand_ground::NumericId::new(0))
            .to_string();
        return Err(SlicedError::Numbers { fluent });
    }
    if task.conditions.has_comparisons() {
        return Err(SlicedError::Comparisons);
    }
    let actions = task.actions.len();
    if actions > MOST_OPERATORS {
        let limit = MOST_OPERATORS;
        return Err(SlicedError::Actions { actions, limit });
    }
    let blocks = task
        .actions
        .ids()
        .map(|id| (Some(id), task.actions.get(id).effect));
    for (action, block) in blocks.chain([(None, task.initial_chance)]) {
        let (mut pending, mut sum) = (vec![block], 0.0);
        while let Some(id) = pending.pop() {
            let block = task.effects.get(id);
            for assignment in block.assignments {
                let shifts = matches!(
                    assignment.operator,
                    AssignOperator::Increase | AssignOperator::Decrease
                );
                let value = simulator.arithmetic().value(assignment.value, closed);
                sum += value.map_or(f64::NAN, f64::abs);
                if !(shifts && f64::is_finite(sum)) {
                    return Err(SlicedError::Undefined {
                        action: simulator.action_name(action),
                        fluent: task.display_numeric(assignment.target).to_string(),
                    });
                }
            }
            pending.extend(inner(task, id));
            if !meter.work(1) {
                meter.check()?;
            }
        }
    }
    Ok(())
}

/// Returns the blocks inside a block.
fn inner(task: &GroundTask, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
    let block = task.effects.get(id);
    let conditional = block.whens.iter().map(|&(_, inner)| inner);
    let drawn = block
        .draws
        .iter()
        .flat_map(|&draw| task.effects.draw(draw).blocks);
    conditional.chain(drawn.copied())
}
