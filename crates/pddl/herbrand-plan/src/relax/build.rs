//! Building the relaxation of a ground task.

use herbrand_ground::{BlockId, ConditionId, GroundAssignment, GroundTask, Literal};
use herbrand_limits::{Budget, BudgetExhausted, Meter};
use herbrand_step::{Chance, Simulator, State};

use super::conditions::{Facts, NeededFacts};
use super::derived::Axioms;
use super::lists::Lists;
use super::numbers::{Movement, movement};
use super::{DeleteRelaxation, NONE, Shift, TRUE};
use crate::linear::{Linear, linear_forms};

/// The input from which a relaxation is built.
pub(super) struct Input<'a> {
    pub(super) task: &'a GroundTask,
    /// The start state; `None` if the relaxation must be valid for all states.
    pub(super) start: Option<&'a State>,
    chance: Chance,
    pub(super) forms: Vec<Option<Linear>>,
    /// For each fluent atom, whether some action adds it and whether some action deletes it.
    pub(super) changed: Vec<[bool; 2]>,
}

pub(super) struct Builder<'a> {
    pub(super) input: Input<'a>,
    pub(super) facts: Facts,
    pub(super) axioms: Axioms,
    preconditions: Lists,
    adds: Lists,
    actions: Vec<u32>,
    shifts: Vec<Shift>,
    /// For each number of the state, the comparisons that read it.
    compared: Vec<Vec<u32>>,
    meter: Meter,
}

/// An effect block with the conditions under which it happens, starting with the action's precondition.
#[derive(Clone)]
struct Guarded {
    conditions: Vec<ConditionId>,
    block: BlockId,
}

/// Builds the relaxation of a simulator's task, valid for the states reachable from `start`, or for every state if there is
/// none.
pub(crate) fn build(
    simulator: &Simulator,
    start: Option<&State>,
    budget: &Budget,
) -> Result<DeleteRelaxation, BudgetExhausted> {
    let ground = simulator.task();
    let meter = budget.meter("relaxing the task");
    let mut builder = Builder {
        input: Input {
            task: ground,
            start,
            chance: simulator.options().chance,
            forms: linear_forms(ground),
            changed: Vec::new(),
        },
        facts: Facts::new(ground.atom_count()),
        axioms: Axioms::of(ground),
        preconditions: Lists::default(),
        adds: Lists::default(),
        actions: Vec::new(),
        shifts: Vec::new(),
        compared: vec![Vec::new(); ground.state_numerics as usize],
        meter,
    };
    builder.input.changed = builder.changed_atoms();
    let goal = builder.facts.auxiliary();
    let reached = builder.condition(ground.goal);
    let goal_operator = match reached {
        NeededFacts::Facts(needed) => {
            builder.operator(NONE, &needed, &[goal]);
            builder.actions.len() as u32 - 1
        }
        NeededFacts::Nothing => NONE,
    };
    builder.number_conditions()?;
    builder.derive();
    builder.index_comparisons();
    builder.write_actions()?;
    builder.meter.check()?;
    Ok(builder.finish(goal, goal_operator))
}

impl Builder<'_> {
    /// Adds an operator, unless it adds no fact.
    pub(super) fn operator(&mut self, action: u32, needed: &[u32], adds: &[u32]) {
        if adds.is_empty() {
            return;
        }
        self.meter.charge(4 * (needed.len() + adds.len() + 4) as u64);
        if needed.is_empty() {
            self.preconditions.push([TRUE]);
        } else {
            self.preconditions.push(needed.iter().copied());
        }
        self.adds.push(adds.iter().copied());
        self.actions.push(action);
    }

    /// Returns all blocks of an action with their conditions.
    fn blocks(&self, precondition: ConditionId, effect: BlockId) -> Vec<Guarded> {
        let effects = &self.input.task.effects;
        let mut all = vec![Guarded {
            conditions: vec![precondition],
            block: effect,
        }];
        let mut next = 0;
        while let Some(guarded) = all.get(next).cloned() {
            let block = effects.get(guarded.block);
            for &(condition, inner) in block.whens {
                let mut conditions = guarded.conditions.clone();
                conditions.push(condition);
                all.push(Guarded {
                    conditions,
                    block: inner,
                });
            }
            for &draw in block.draws {
                let draw = effects.draw(draw);
                let drawn = match self.input.chance {
                    Chance::Drawn => draw.blocks,
                    Chance::MostLikely => draw
                        .distribution
                        .most_likely()
                        .map_or(&[][..], |number| &draw.blocks[number..=number]),
                };
                all.extend(drawn.iter().map(|&inner| Guarded {
                    conditions: guarded.conditions.clone(),
                    block: inner,
                }));
            }
            next += 1;
        }
        all
    }

    /// Computes which atoms actions add and delete.
    fn changed_atoms(&self) -> Vec<[bool; 2]> {
        let task = self.input.task;
        let mut changed = vec![[false; 2]; task.fluent_count()];
        for id in task.actions.ids() {
            let action = task.actions.get(id);
            for guarded in self.blocks(action.precondition, action.effect) {
                let block = task.effects.get(guarded.block);
                block.adds.iter().for_each(|atom| changed[atom.index()][0] = true);
                block
                    .deletes
                    .iter()
                    .for_each(|atom| changed[atom.index()][1] = true);
            }
        }
        changed
    }

    /// Numbers the facts of all conditions. Effects that add other facts are irrelevant.
    fn number_conditions(&mut self) -> Result<(), BudgetExhausted> {
        let task = self.input.task;
        for id in task.actions.ids() {
            let action = task.actions.get(id);
            self.condition(action.precondition);
            for guarded in self.blocks(action.precondition, action.effect).iter().skip(1) {
                if let Some(&condition) = guarded.conditions.last() {
                    self.condition(condition);
                }
            }
            if self.meter.is_spent() {
                self.meter.check()?;
            }
        }
        Ok(())
    }

    /// Indexes the comparisons by the numbers that they read.
    fn index_comparisons(&mut self) {
        for (number, entry) in (0..).zip(&self.facts.comparisons) {
            for id in &entry.reads {
                self.compared[id.index()].push(number);
            }
        }
    }

    /// Adds the operators of all actions.
    fn write_actions(&mut self) -> Result<(), BudgetExhausted> {
        let task = self.input.task;
        for id in task.actions.ids() {
            let action = task.actions.get(id);
            for guarded in self.blocks(action.precondition, action.effect) {
                if let Some(needed) = self.all_of(&guarded.conditions) {
                    self.write_block(id.number(), &needed, guarded.block);
                }
            }
            if self.meter.is_spent() {
                self.meter.check()?;
            }
        }
        Ok(())
    }

    /// Returns the union of the facts of several conditions; `None` if one of them can never be true.
    fn all_of(&mut self, conditions: &[ConditionId]) -> Option<Vec<u32>> {
        let mut all = Vec::new();
        for &condition in conditions {
            match self.condition(condition) {
                NeededFacts::Facts(needed) => all.extend(needed),
                NeededFacts::Nothing => return None,
            }
        }
        if conditions.len() > 1 {
            all.sort_unstable();
            all.dedup();
        }
        Some(all)
    }

    /// Adds the operators of one block: one for the facts that it makes true directly, and one for each comparison that it
    /// shifts.
    fn write_block(&mut self, action: u32, needed: &[u32], block: BlockId) {
        let block = self.input.task.effects.get(block);
        let kept = block
            .deletes
            .iter()
            .filter(|atom| block.adds.binary_search(atom).is_err());
        let made = block.adds.iter().map(|&atom| Literal::positive(atom));
        let literals = made.chain(kept.map(|&atom| Literal::negative(atom)));
        let facts = literals.map(|literal| self.facts.number(literal));
        let mut adds: Vec<u32> = facts.filter(|&fact| fact != NONE).collect();
        let shifts = self.moved(block.assignments, &mut adds);
        adds.retain(|fact| needed.binary_search(fact).is_err());
        self.operator(action, needed, &adds);
        for (comparison, amount) in shifts {
            let fact = self.facts.comparisons[comparison as usize].fact;
            if needed.binary_search(&fact).is_ok() {
                continue;
            }
            self.shifts.push(Shift {
                operator: self.actions.len() as u32,
                comparison,
                amount,
            });
            self.operator(action, needed, &[fact]);
        }
    }

    /// Returns the comparisons that numeric effects shift, with the amounts. Comparisons that may become true in another way
    /// are appended to `adds`.
    fn moved(&self, assignments: &[GroundAssignment], adds: &mut Vec<u32>) -> Vec<(u32, f64)> {
        let mut shifts = Vec::new();
        if assignments.is_empty() {
            return shifts;
        }
        let readers = assignments
            .iter()
            .flat_map(|a| self.compared.get(a.target.index()));
        let mut numbers: Vec<u32> = readers.flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let entry = &self.facts.comparisons[number as usize];
            let difference = entry.difference.as_ref();
            match movement(entry.comparison, difference, assignments, &self.input.forms) {
                Movement::Never => {}
                Movement::Possible => adds.push(entry.fact),
                Movement::Shift(amount) => shifts.push((number, amount)),
            }
        }
        shifts
    }

    fn finish(self, goal: u32, goal_operator: u32) -> DeleteRelaxation {
        let fluents = self.input.task.fluent_count();
        let (mut positive, mut negative, mut derived) = (vec![NONE; fluents], Vec::new(), Vec::new());
        for (fact, literal) in (0..).zip(&self.facts.literals) {
            let Some(literal) = *literal else { continue };
            let atom = literal.atom();
            if atom.index() >= fluents {
                derived.push((literal, fact));
            } else if literal.is_negative() {
                negative.push((atom, fact));
            } else {
                positive[atom.index()] = fact;
            }
        }
        // The last word of a state may have bits beyond the last atom.
        positive.resize(fluents.next_multiple_of(64), NONE);
        DeleteRelaxation {
            facts: self.facts.literals.len(),
            positive,
            negative,
            derived,
            comparisons: self.facts.comparisons,
            readers: self.preconditions.transposed(self.facts.literals.len()),
            literals: self.facts.literals,
            goal,
            goal_operator,
            preconditions: self.preconditions,
            adds: self.adds,
            actions: self.actions,
            shifts: self.shifts,
        }
    }
}
