//! The effects of operators, as changes of planes.

use fxhash::FxHashMap;
use herbrand_ground::{ActionId, BlockId, ChanceId, ConditionId, GroundTask};
use herbrand_limits::{BudgetExhausted, Meter};

use crate::grounded::lists::Lists;
use crate::grounded::propositions::id32;
use crate::grounded::simulator::Simulator;
use crate::grounded::state::ClosedState;
use crate::semantics::firing::Firing;
use crate::sliced::program::Formulas;

/// The effects of all operators. In each lane, one operator at most is carried out.
///
/// Mask 0 of an operator is the set of lanes that carry it out. Conditions and draws give further masks: the lanes in which a
/// conditional effect or an alternative of a draw happens.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// For each operator without further masks, the literals that become true: twice the atom, plus 1 if it becomes false.
    pub(crate) plain: Lists<u32>,
    /// For each operator, the rules of its further masks, in the order of the draws.
    pub(crate) masks: Lists<Mask>,
    /// For each operator, the atoms that become false, each with the mask where they do.
    pub(crate) deletes: Lists<Change>,
    /// For each operator, the atoms that become true, after the atoms that become false.
    pub(crate) adds: Lists<Change>,
    /// The conditions of conditional effects.
    pub(crate) conditions: Formulas,
    /// By operator, the amount by which the reward fluent changes.
    pub(crate) rewards: Vec<Reward>,
    /// Whether every operator changes the reward fluent by 0, or the task has no reward fluent.
    pub(crate) free: bool,
    /// Whether conditions or draws decide by how much some operator changes the reward fluent.
    pub(crate) decided: bool,
    /// The largest number of masks of an operator.
    pub(crate) most_masks: usize,
}

/// The rule of a mask.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mask {
    /// One mask: the part of mask `outer` in which a condition holds.
    When { outer: u32, condition: u32 },
    /// A mask for each alternative of a draw that the lanes of mask `outer` make.
    Drawn { outer: u32, draw: ChanceId },
}

/// An atom that changes in the lanes of a mask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) mask: u32,
    pub(crate) atom: u32,
}

/// The amount by which an operator changes the reward fluent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reward {
    /// The same in every state.
    Constant(f64),
    /// Conditions or draws decide: the operator is carried out lane by lane.
    Decided,
}

impl Effects {
    /// Compiles the effects of the operators of a task. `closed` is any state of it.
    pub(crate) fn new(
        simulator: &Simulator,
        closed: &ClosedState<'_>,
        meter: &mut Meter,
    ) -> Result<Self, BudgetExhausted> {
        let task = simulator.task();
        let (mut this, mut numbers) = (Self::default(), FxHashMap::default());
        for id in task.actions.ids() {
            let block = task.actions.get(id).effect;
            let mut draft = Draft::default();
            draft.collect(task, block, 0, &mut this.conditions, &mut numbers);
            this.most_masks = this.most_masks.max(draft.count as usize + 1);
            let items = draft.masks.len() + 2 * (draft.deletes.len() + draft.adds.len());
            this.plain.push(draft.literals());
            this.masks.push(draft.masks);
            this.deletes.push(draft.deletes);
            this.adds.push(draft.adds);
            this.rewards.push(if !draft.rewarded.is_empty() {
                Reward::Decided
            } else {
                Reward::Constant(constant_reward(simulator, closed, id, block))
            });
            if !meter.charge(12 * items as u64 + 28) {
                meter.check()?;
            }
        }
        this.free = this
            .rewards
            .iter()
            .all(|reward| matches!(reward, Reward::Constant(0.0)));
        this.decided = this
            .rewards
            .iter()
            .any(|reward| matches!(reward, Reward::Decided));
        meter.charge(this.conditions.bytes());
        Ok(this)
    }
}

/// Returns the amount by which the effects of a block, without those of inner blocks, change the reward fluent.
fn constant_reward(simulator: &Simulator, closed: &ClosedState<'_>, id: ActionId, block: BlockId) -> f64 {
    let mut firing = Firing::default();
    firing.add(&simulator.task().effects, block);
    let numbers = simulator.numbers(closed, &firing, Some(id));
    // Numbers without a result were refused before.
    numbers.map_or(f64::NAN, |numbers| numbers.change_of(simulator.task().reward))
}

/// The effects of one operator.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) masks: Vec<Mask>,
    pub(crate) deletes: Vec<Change>,
    pub(crate) adds: Vec<Change>,
    /// The number of masks after mask 0.
    count: u32,
    /// The inner blocks that change the reward fluent, with their masks.
    pub(crate) rewarded: Vec<(u32, BlockId)>,
}

impl Draft {
    /// Returns the literals that become true if there are no masks after mask 0, and none otherwise. No atom occurs twice.
    fn literals(&self) -> Vec<u32> {
        if !self.masks.is_empty() {
            return Vec::new();
        }
        let mut atoms: Vec<u32> = self.adds.iter().map(|change| 2 * change.atom).collect();
        let deletes = self.deletes.iter().map(|change| change.atom);
        atoms.extend(
            deletes
                .filter(|atom| !self.adds.iter().any(|add| add.atom == *atom))
                .map(|atom| 2 * atom + 1),
        );
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Adds the effects of a block that happens in the lanes of a mask, in the order in which a walker decides them.
    pub(crate) fn collect(
        &mut self,
        task: &GroundTask,
        id: BlockId,
        mask: u32,
        conditions: &mut Formulas,
        numbers: &mut FxHashMap<ConditionId, u32>,
    ) {
        let block = task.effects.get(id);
        let change = |&atom: &herbrand_ground::AtomId| Change {
            mask,
            atom: atom.number(),
        };
        self.deletes.extend(block.deletes.iter().map(change));
        self.adds.extend(block.adds.iter().map(change));
        let mut assignments = block.assignments.iter();
        if mask > 0 && assignments.any(|assignment| Some(assignment.target) == task.reward) {
            self.rewarded.push((mask, id));
        }
        for &(condition, inner) in block.whens {
            let next = id32(numbers.len());
            let condition = *numbers.entry(condition).or_insert_with(|| {
                conditions.condition(task, condition);
                next
            });
            self.masks.push(Mask::When {
                outer: mask,
                condition,
            });
            self.count += 1;
            self.collect(task, inner, self.count, conditions, numbers);
        }
        for &draw in block.draws {
            let blocks = task.effects.draw(draw).blocks;
            self.masks.push(Mask::Drawn { outer: mask, draw });
            let first = self.count + 1;
            self.count += id32(blocks.len());
            for (mask, &inner) in (first..).zip(blocks) {
                self.collect(task, inner, mask, conditions, numbers);
            }
        }
    }
}
