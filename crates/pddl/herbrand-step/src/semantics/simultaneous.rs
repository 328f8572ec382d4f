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

/// The reason why the order of steps with one time matters: the later one of them, and the atom or number that both use.
/// [`SimultaneousSteps::take`] returns it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OrderError {
    /// One of the steps changes what the other one reads.
    #[error(
        "{0} has the same time as another step, and one of them changes {1}, which the other reads, so their order matters: \
         give them different times"
    )]
    Read(String, String),
    /// Both steps change it.
    #[error(
        "{0} has the same time as another step, and both change {1}, so their order matters: give them different times"
    )]
    Change(String, String),
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
    /// Fails if the step and an earlier one with the same time depend on their order.
    pub fn take(&mut self, task: &GroundTask, step: &PlanStep, action: ActionId) -> Result<(), OrderError> {
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
        self.check(&own, task, action)?;
        self.merge(own);
        Ok(())
    }

    /// Fails on the first fact that one side changes and the other one, which is `action`, reads or changes.
    fn check(&self, other: &Self, task: &GroundTask, action: ActionId) -> Result<(), OrderError> {
        let action = || task.display_action(action).to_string();
        let common = |one: &Footprint, other: &Footprint| one.intersection(other).next().copied();
        let changed = |steps: &Self, by: &Self| {
            [&by.adds, &by.deletes, &by.shifts, &by.sets]
                .into_iter()
                .find_map(|changes| common(&steps.reads, changes))
        };
        let read = changed(self, other).or_else(|| changed(other, self));
        if let Some(fact) = read {
            return Err(OrderError::Read(action(), fact.text(task)));
        }
        let both = common(&self.adds, &other.deletes)
            .or_else(|| common(&self.deletes, &other.adds))
            .or_else(|| common(&self.sets, &other.sets))
            .or_else(|| common(&self.sets, &other.shifts))
            .or_else(|| common(&self.shifts, &other.sets));
        match both {
            None => Ok(()),
            Some(fact) => Err(OrderError::Change(action(), fact.text(task))),
        }
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
