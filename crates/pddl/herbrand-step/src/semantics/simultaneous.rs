//! Steps of a plan that happen at the same time.

use std::collections::BTreeSet;

use herbrand_ground::{ActionId, AtomId, ConditionId, ConjunctionId, ExpressionId, GroundExpression};
use herbrand_ground::{GroundTask, NumericId};
use herbrand_pddl::AssignOperator;

use super::plan::PlanStep;

/// The steps of a plan that have one time. They may happen in any order if none of them changes what another reads or changes:
/// the rule of PDDL 2.1 for actions at one time. [`ParsedPlan::parse`](crate::ParsedPlan::parse) puts them in the order of the
/// lines, and [`take`](Self::take) refuses them if the order matters.
#[derive(Clone, Debug, Default)]
pub struct SimultaneousSteps {
    time: Option<f64>,
    /// The first step, until there is a second one.
    first: Option<ActionId>,
    reads: Footprint,
    adds: Footprint,
    deletes: Footprint,
    /// The numbers that are increased or decreased, and the numbers that are assigned.
    shifts: Footprint,
    sets: Footprint,
}

/// Atoms and numbers.
type Footprint = BTreeSet<Fact>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    Atom(AtomId),
    Number(NumericId),
}

impl Fact {
    fn text(self, task: &GroundTask) -> String {
        match self {
            Self::Atom(atom) => task.display_atom(atom).to_string(),
            Self::Number(number) => task.display_numeric(number).to_string(),
        }
    }
}

impl SimultaneousSteps {
    /// Adds the next step of a plan, whose operator is `action`. A step without a time is not compared.
    ///
    /// # Errors
    /// Fails if the step and an earlier one with the same time depend on their order. The text says how.
    pub fn take(&mut self, task: &GroundTask, step: &PlanStep, action: ActionId) -> Result<(), String> {
        let Some(time) = step.time else { return Ok(()) };
        if self.time != Some(time) {
            *self = Self {
                time: Some(time),
                first: Some(action),
                ..Self::default()
            };
            return Ok(());
        }
        if let Some(first) = self.first.take() {
            self.merge(Self::of(task, first));
        }
        let own = Self::of(task, action);
        if let Some(reason) = self.conflict(&own, task) {
            let action = task.display_action(action);
            return Err(format!(
                "{action} has the same time as another step, and {reason}, so their order matters: give them different times"
            ));
        }
        self.merge(own);
        Ok(())
    }

    /// Returns a clause about the first fact that one side changes and the other one reads or changes.
    fn conflict(&self, other: &Self, task: &GroundTask) -> Option<String> {
        let common = |one: &Footprint, other: &Footprint| one.intersection(other).next().copied();
        let changed = |steps: &Self, by: &Self| {
            [&by.adds, &by.deletes, &by.shifts, &by.sets]
                .into_iter()
                .find_map(|changes| common(&steps.reads, changes))
        };
        let read = changed(self, other).or_else(|| changed(other, self));
        if let Some(fact) = read {
            return Some(format!(
                "one of them changes {}, which the other reads",
                fact.text(task)
            ));
        }
        let both = common(&self.adds, &other.deletes)
            .or_else(|| common(&self.deletes, &other.adds))
            .or_else(|| common(&self.sets, &other.sets))
            .or_else(|| common(&self.sets, &other.shifts))
            .or_else(|| common(&self.shifts, &other.sets));
        both.map(|fact| format!("both change {}", fact.text(task)))
    }

    fn merge(&mut self, other: Self) {
        self.reads.extend(other.reads);
        self.adds.extend(other.adds);
        self.deletes.extend(other.deletes);
        self.shifts.extend(other.shifts);
        self.sets.extend(other.sets);
    }

    /// Returns what an action reads and changes.
    fn of(task: &GroundTask, action: ActionId) -> Self {
        let mut own = Self::default();
        let action = task.actions.get(action);
        own.condition(task, action.precondition);
        let mut open = vec![action.effect];
        while let Some(id) = open.pop() {
            let block = task.effects.get(id);
            own.adds.extend(block.adds.iter().copied().map(Fact::Atom));
            own.deletes.extend(block.deletes.iter().copied().map(Fact::Atom));
            for effect in block.assignments {
                own.expression(task, effect.value);
                let changes = match effect.operator {
                    AssignOperator::Increase | AssignOperator::Decrease => &mut own.shifts,
                    _ => &mut own.sets,
                };
                changes.insert(Fact::Number(effect.target));
            }
            for &(condition, inner) in block.whens {
                own.condition(task, condition);
                open.push(inner);
            }
            open.extend(
                block
                    .draws
                    .iter()
                    .flat_map(|&draw| task.effects.draw(draw).blocks),
            );
        }
        // A derived atom is read through its axioms, which come after those of the atoms they read.
        loop {
            let before = own.reads.len();
            for axiom in task.axioms.iter().rev() {
                if own.reads.contains(&Fact::Atom(axiom.head)) {
                    own.conjunction(task, axiom.body);
                }
            }
            if own.reads.len() == before {
                return own;
            }
        }
    }

    fn condition(&mut self, task: &GroundTask, id: ConditionId) {
        for conjunction in task.conditions.conjunctions(id) {
            self.conjunction(task, conjunction);
        }
    }

    fn conjunction(&mut self, task: &GroundTask, id: ConjunctionId) {
        let conjunction = task.conditions.get(id);
        self.reads.extend(
            conjunction
                .literals
                .iter()
                .map(|literal| Fact::Atom(literal.atom())),
        );
        for comparison in conjunction.comparisons {
            self.expression(task, comparison.left);
            self.expression(task, comparison.right);
        }
    }

    fn expression(&mut self, task: &GroundTask, root: ExpressionId) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match task.expressions[id.index()] {
                GroundExpression::Fluent(number) => {
                    self.reads.insert(Fact::Number(number));
                }
                GroundExpression::Apply(_, left, right) => open.extend([left, right]),
                _ => {}
            }
        }
    }
}
