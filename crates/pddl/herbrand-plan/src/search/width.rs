//! Best-first width search.

use fxhash::FxHashMap;
use herbrand_ground::{ActionId, ConditionId};
use herbrand_step::Walker;

use super::novelty::Novelty;
use super::open::OpenList;
use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::Additive;
use crate::relax::DeleteRelaxation;
use crate::states::Discovery;

/// Best-first width search BFWS(f5) (Lipovetzky and Geffner 2017, "Best-first width search: exploration and exploitation in
/// classical planning"): states are expanded in ascending order of novelty, then of the number of open goals. The novelty of
/// a state is measured among the states with the same number of open goals and the same number of achieved facts of the last
/// relaxed plan. A new relaxed plan is computed whenever the number of open goals decreases.
pub(crate) struct Width<'t> {
    pub(crate) heuristic: Additive<'t>,
    pub(crate) relaxation: &'t DeleteRelaxation,
}

/// The information that the search stores for each state.
#[derive(Clone, Debug)]
struct Label {
    open_goals: u32,
    /// The index of the current relaxed plan.
    plan: u32,
    /// The facts of that plan that have been true since it was computed, as bits.
    achieved: Box<[u64]>,
    class: u32,
}

/// The data that grow during the search.
#[derive(Default)]
struct Memory {
    labels: Vec<Option<Label>>,
    /// For each relaxed plan, its facts that are literals.
    plans: Vec<Vec<u32>>,
    /// Maps numbers of open goals and achieved facts to novelty classes.
    classes: FxHashMap<(u32, u32), u32>,
    held: usize,
}

impl Width<'_> {
    /// Searches from the start state of `space`.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        let mut novelty = Novelty::new(space.task().simulator().task().fluent_count());
        let mut memory = Memory::default();
        let mut open = OpenList::<(u8, u32), u32>::new();
        let mut actions = Vec::<ActionId>::new();
        if space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        if let Some(label) = self.label(space, &mut memory, 0) {
            memory.set(0, label);
            open.push((1, 0), 0);
        }
        while let Some((_, state)) = open.pop() {
            space.go_to(state);
            space.statistics.expanded += 1;
            space.actions(&mut actions);
            for &action in &actions {
                let Some(reached) = space.step(state, action, u64::MAX) else {
                    continue;
                };
                if reached.news == Discovery::State {
                    if space.walker.is_goal() {
                        return Ok(Ending::Goal(reached.state));
                    }
                    space.check(|| open.bytes() + novelty.bytes() + memory.held)?;
                    if let Some(label) = self.label(space, &mut memory, reached.state) {
                        let parent = memory.get(state).map(|label| label.class);
                        let same = parent == Some(label.class);
                        let measure = novelty.of(&space.walker, label.class, same);
                        open.push((measure, label.open_goals), reached.state);
                        memory.set(reached.state, label);
                    }
                }
                space.back_to(state);
            }
        }
        Ok(Ending::Nothing)
    }

    /// Computes the label of the walker's state; `None` for a dead end.
    fn label(&mut self, space: &mut Space<'_, '_>, memory: &mut Memory, state: u32) -> Option<Label> {
        space.counts_evaluations(1);
        let walker = &space.walker;
        let open_goals = open_goals(walker, walker.simulator().task().goal);
        let parent = space.parent(state).and_then(|parent| memory.get(parent));
        let kept = parent.filter(|parent| open_goals >= parent.open_goals);
        let (plan, mut achieved) = match kept {
            Some(parent) => (parent.plan, parent.achieved.clone()),
            None => {
                if self.heuristic.evaluate(walker).is_none() {
                    space.statistics.dead_ends += 1;
                    return None;
                }
                let facts = self.heuristic.relaxed_facts();
                let literals = facts.filter(|&fact| self.relaxation.literals[fact as usize].is_some());
                memory.plans.push(literals.collect());
                let words = memory.plans.last().map_or(0, |plan| plan.len().div_ceil(64));
                (memory.plans.len() as u32 - 1, vec![0; words].into_boxed_slice())
            }
        };
        for (index, &fact) in memory.plans[plan as usize].iter().enumerate() {
            if self.relaxation.literal_holds(fact, walker) {
                achieved[index / 64] |= 1 << (index % 64);
            }
        }
        space.improves(u64::from(open_goals));
        let count = achieved.iter().map(|word| word.count_ones()).sum();
        let next = memory.classes.len() as u32;
        let class = *memory.classes.entry((open_goals, count)).or_insert(next);
        Some(Label {
            open_goals,
            plan,
            achieved,
            class,
        })
    }
}

impl Memory {
    fn get(&self, state: u32) -> Option<&Label> {
        self.labels.get(state as usize)?.as_ref()
    }

    fn set(&mut self, state: u32, label: Label) {
        let index = state as usize;
        if index >= self.labels.len() {
            self.labels.resize(index + 1, None);
        }
        self.held += size_of::<Label>() + label.achieved.len() * 8;
        self.labels[index] = Some(label);
    }
}

/// Counts the false literals and comparisons of a condition, in the conjunction with the fewest.
fn open_goals(walker: &Walker, condition: ConditionId) -> u32 {
    let simulator = walker.simulator();
    let conditions = &simulator.task().conditions;
    let open = conditions.conjunctions(condition).map(|id| {
        let conjunction = conditions.get(id);
        let literals = conjunction.literals.iter();
        let unmet = literals.filter(|literal| walker.holds(literal.atom()) == literal.is_negative());
        let comparisons = conjunction.comparisons.iter();
        let false_ones = comparisons.filter(|&&comparison| !simulator.compares(walker, comparison));
        (unmet.count() + false_ones.count()) as u32
    });
    open.min().unwrap_or(0)
}
