//! The step list as plain data, for engines of other crates.

use herbrand_ground::{AtomId, BlockId, GroundTask};
use herbrand_limits::Meter;

use crate::grounded::simulator::Simulator;
use crate::grounded::state::{ClosedState, Valuation};
use crate::semantics::firing::Firing;
use crate::semantics::options::Chance;
use crate::sliced::effects::{Draft, Mask};
use crate::sliced::error::SlicedError;
use crate::sliced::program::{Formulas, Program};

/// The step list of a ground task as plain data: the computations of a step, as formulas over planes of bits, one plane per atom.
/// [`SlicedTask::step_list`](crate::SlicedTask::step_list) makes it, for engines that run on other processors. All atoms are
/// given by number ([`AtomId::number`]), operators by their place in the list.
#[derive(Clone, PartialEq, Debug)]
pub struct StepList {
    /// By atom, the truth in the declared initial state: first the fluent atoms, then the derived ones.
    pub initial: Vec<bool>,
    /// The number of fluent atoms.
    pub fluents: u32,
    /// The precondition of each operator.
    pub preconditions: Vec<StepCondition>,
    /// The effects of each operator.
    pub effects: Vec<StepEffects>,
    /// The effects that draw the initial state from the declared one. Their rewards do not count.
    pub start: StepEffects,
    /// The axioms, in groups that are evaluated in order.
    pub strata: Vec<StepStratum>,
    /// The goal.
    pub goal: StepCondition,
    /// The reward for entering the goal: for a step to a state where it holds from one where it does not.
    pub goal_reward: f64,
}

/// A condition in disjunctive normal form: it holds if one of the conjunctions does.
pub type StepCondition = Vec<StepConjunction>;

/// A conjunction of literals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepConjunction {
    /// The atoms that must be true.
    pub positive: Vec<u32>,
    /// The atoms that must be false.
    pub negative: Vec<u32>,
}

/// The effects of an operator. They happen in sets of lanes, the *masks*: mask 0 has the lanes that carry out the operator,
/// and each rule appends one mask or several. All rules read the state before the changes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StepEffects {
    /// The rules of the masks after mask 0. Each lane draws in this order.
    pub rules: Vec<StepRule>,
    /// The atoms that become false: the mask, and the atom.
    pub deletes: Vec<(u32, u32)>,
    /// The atoms that become true: the mask, and the atom. They change after the deletes.
    pub adds: Vec<(u32, u32)>,
    /// The masks on which the reward depends.
    pub rewarded: Vec<u32>,
    /// The reward of a lane, without that of the goal, for each subset of [`rewarded`](Self::rewarded): bit `i` of an index tells
    /// whether the lane is in mask `rewarded[i]`. Empty if it is always 0.
    pub rewards: Vec<f64>,
}

/// A rule that makes masks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepRule {
    /// One mask: the lanes of mask `outer` in which a condition holds.
    When {
        /// The mask that the lanes come from.
        outer: u32,
        /// The condition.
        condition: StepCondition,
    },
    /// A mask for each alternative of a draw: every lane of mask `outer` draws a word and gets into the first alternative whose
    /// end exceeds the word, or else into `last`, or into none.
    Draw {
        /// The mask that the lanes come from.
        outer: u32,
        /// By alternative, the end of its interval of words.
        ends: Vec<u64>,
        /// The alternative behind the last end.
        last: Option<u32>,
    },
    /// A mask for each of some alternatives: the lanes of mask `outer` get into the same one, or into none. Nothing is drawn.
    Certain {
        /// The mask that the lanes come from.
        outer: u32,
        /// The number of alternatives.
        alternatives: u32,
        /// The alternative that happens.
        chosen: Option<u32>,
    },
}

/// A group of axioms. Its heads are false at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepStratum {
    /// Whether the rules are repeated until no head changes.
    pub recursive: bool,
    /// The head and the body of each rule.
    pub rules: Vec<(u32, StepCondition)>,
}

/// The largest number of masks on which the reward of an operator may depend: a table has an entry per subset.
const MOST_REWARDED: usize = 10;

impl StepList {
    /// Writes the step list of a program.
    pub(crate) fn new(program: &Program, meter: &mut Meter) -> Result<Self, SlicedError> {
        let simulator = &program.simulator;
        let task = simulator.task();
        let closed = simulator.close(simulator.initial());
        let (mut preconditions, mut effects) = (Vec::new(), Vec::new());
        for id in task.actions.ids() {
            let action = task.actions.get(id);
            let mut formula = Formulas::default();
            formula.condition(task, action.precondition);
            preconditions.push(formula.condition_of(0));
            effects.push(written(simulator, &closed, action.effect, meter)?);
        }
        let mut start = written(simulator, &closed, task.initial_chance, meter)?;
        (start.rewarded, start.rewards) = Default::default();
        let mut first = 0;
        let strata = program.rules.strata.iter().map(|stratum| StepStratum {
            recursive: stratum.recursive,
            rules: (std::mem::replace(&mut first, stratum.end)..stratum.end)
                .map(|rule| (program.rules.heads[rule], program.rules.bodies.condition_of(rule)))
                .collect(),
        });
        let no_reward = if task.reward.is_some() { 0.0 } else { 1.0 };
        Ok(Self {
            strata: strata.collect(),
            initial: (0..task.atom_count())
                .map(|atom| closed.holds(AtomId::from_index(atom)))
                .collect(),
            fluents: task.fluents,
            preconditions,
            effects,
            start,
            goal: program.goal.condition_of(0),
            goal_reward: task.goal_reward.unwrap_or(no_reward),
        })
    }
}

/// Returns the effects of a block.
fn written(
    simulator: &Simulator,
    closed: &ClosedState<'_>,
    block: BlockId,
    meter: &mut Meter,
) -> Result<StepEffects, SlicedError> {
    let task = simulator.task();
    let (mut draft, mut conditions) = (Draft::default(), Formulas::default());
    draft.collect(task, block, 0, &mut conditions, &mut Default::default());
    let rules = draft.masks.iter().map(|mask| match *mask {
        Mask::When { outer, condition } => StepRule::When {
            outer,
            condition: conditions.condition_of(condition as usize),
        },
        Mask::Drawn { outer, draw } => {
            let distribution = task.effects.draw(draw).distribution;
            let number = |alternative: usize| alternative as u32;
            match simulator.options().chance {
                Chance::Drawn => StepRule::Draw {
                    outer,
                    ends: distribution.ends().to_vec(),
                    last: distribution.draw(u64::MAX).map(number),
                },
                Chance::MostLikely => StepRule::Certain {
                    outer,
                    alternatives: number(distribution.len()),
                    chosen: distribution.most_likely().map(number),
                },
            }
        }
    });
    let pairs = |changes: &[crate::sliced::effects::Change]| {
        changes.iter().map(|change| (change.mask, change.atom)).collect()
    };
    let mut effects = StepEffects {
        rules: rules.collect(),
        deletes: pairs(&draft.deletes),
        adds: pairs(&draft.adds),
        ..StepEffects::default()
    };
    let rewarded = &draft.rewarded;
    if rewarded.len() > MOST_REWARDED {
        return Err(SlicedError::Rewards {
            masks: rewarded.len(),
            limit: MOST_REWARDED,
        });
    }
    effects.rewarded = rewarded.iter().map(|&(mask, _)| mask).collect();
    effects.rewards = (0..1_usize << rewarded.len())
        .map(|subset| {
            let inner = rewarded
                .iter()
                .enumerate()
                .filter(|(place, _)| subset >> place & 1 == 1);
            sum(simulator, closed, block, inner.map(|(_, &(_, inner))| inner))
        })
        .collect();
    if effects.rewards.iter().all(|reward| *reward == 0.0) {
        (effects.rewarded, effects.rewards) = Default::default();
    }
    let items = effects.rules.len() + effects.deletes.len() + effects.adds.len() + effects.rewards.len();
    if !meter.charge(8 * items as u64 + size_of::<StepEffects>() as u64) {
        meter.check()?;
    }
    Ok(effects)
}

/// Returns the amount by which the effects of a block and of some inner blocks change the reward fluent.
fn sum(
    simulator: &Simulator,
    closed: &ClosedState<'_>,
    block: BlockId,
    inner: impl Iterator<Item = BlockId>,
) -> f64 {
    let task: &GroundTask = simulator.task();
    let mut firing = Firing::default();
    firing.add(&task.effects, block);
    inner.for_each(|inner| firing.add(&task.effects, inner));
    let numbers = simulator.numbers(closed, &firing, None);
    // Numbers without a result were refused before.
    numbers.map_or(f64::NAN, |numbers| numbers.change_of(task.reward))
}

impl Formulas {
    /// Returns a formula as plain data.
    fn condition_of(&self, index: usize) -> StepCondition {
        self.conjunctions(index)
            .map(|(positive, negative)| StepConjunction {
                positive: positive.to_vec(),
                negative: negative.to_vec(),
            })
            .collect()
    }
}
