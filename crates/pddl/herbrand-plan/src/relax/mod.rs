//! The delete relaxation of a task, used by heuristics and landmarks.

pub(crate) mod build;
mod conditions;
mod derived;
mod lists;
mod numbers;

use herbrand_ground::{ActionId, AtomId, GroundComparison, Literal, NumericId};
use herbrand_step::{Valuation, Walker};

pub(crate) use lists::Lists;

use crate::linear::{Linear, Variable};

/// The delete relaxation of a task: facts that become true stay true. [`DeleteRelaxation::new`] builds it from a
/// [`SearchTask`](crate::SearchTask). The heuristics of this crate build their own; use it to see the size of a task.
///
/// A *fact* is a literal (the two polarities of an atom are separate facts), a comparison, or an auxiliary fact for a
/// condition. A *relaxed operator* makes its added facts true if all its preconditions are true:
///
/// ```text
///   facts      0 true │ literals │ comparisons │ auxiliary, the goal among them
///   operators  preconditions ──▶ adds     of an action, or of none: axioms, disjunctions and negations cost nothing
/// ```
///
/// The relaxation is sound: a fact that is true in a state reachable by a sequence of actions can be achieved by the relaxed
/// operators of these actions. So a state from which they do not reach the goal is a dead end. In detail:
///
/// - An action has one operator for its unconditional effects and one for each conditional effect. A disjunction is an
///   auxiliary fact, which each of its conjunctions achieves.
/// - If an action deletes an atom, it achieves the negative literal, unless the same effects add the atom.
/// - A derived atom is achieved by the bodies of its axioms. Its negation is achieved if each of its axioms has a false
///   literal. Literals of atoms that depend on it in turn count as false at no cost, because derived atoms that support each
///   other in a cycle may all be false.
/// - A comparison is achieved by any action that may change its sides in the right direction.
#[derive(Debug)]
pub struct DeleteRelaxation {
    /// The number of facts.
    pub(crate) facts: usize,
    /// For each fluent atom, the fact of its positive literal.
    positive: Vec<u32>,
    /// The negative literals of fluent atoms, with their facts.
    negative: Vec<(AtomId, u32)>,
    /// The literals of derived atoms, with their facts.
    derived: Vec<(Literal, u32)>,
    comparisons: Vec<ComparisonFact>,
    /// For each fact, its literal; `None` if it is not a literal.
    pub(crate) literals: Vec<Option<Literal>>,
    /// The fact that the goal holds. `goal_operator` is the only operator that adds it, or [`NONE`].
    pub(crate) goal: u32,
    pub(crate) goal_operator: u32,
    /// The preconditions of each operator.
    pub(crate) preconditions: Lists,
    /// The facts that each operator adds.
    pub(crate) adds: Lists,
    /// For each operator, its action or [`NONE`].
    pub(crate) actions: Vec<u32>,
    /// For each fact, the operators that need it.
    pub(crate) readers: Lists,
    /// The operators that shift a comparison by a constant.
    pub(crate) shifts: Vec<Shift>,
}

/// Marks the absence of a fact, an action or an operator.
pub(crate) const NONE: u32 = u32::MAX;

/// The fact that is always true.
pub(crate) const TRUE: u32 = 0;

/// A comparison with its fact.
#[derive(Debug)]
struct ComparisonFact {
    fact: u32,
    comparison: GroundComparison,
    /// The numbers that the comparison reads, ascending.
    reads: Vec<NumericId>,
    /// The left side minus the right side; `None` if it is not linear.
    difference: Option<Linear>,
}

/// An operator that changes the difference between a comparison's sides by a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub(crate) operator: u32,
    /// The index of the comparison.
    comparison: u32,
    amount: f64,
}

impl DeleteRelaxation {
    /// Returns the number of relaxed operators in the relaxation, including those without an action.
    #[must_use]
    pub fn operators(&self) -> usize {
        self.actions.len()
    }

    /// Calls `visit` with the facts that are true in the walker's state, except auxiliary ones.
    #[inline]
    pub(crate) fn each_true(&self, walker: &Walker, mut visit: impl FnMut(u32)) {
        visit(TRUE);
        let state = walker.state();
        for (index, &word) in state.fluent_words().iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let fact = self.positive[index * 64 + rest.trailing_zeros() as usize];
                if fact != NONE {
                    visit(fact);
                }
                rest &= rest - 1;
            }
        }
        for &(atom, fact) in &self.negative {
            if state.holds(atom) == Some(false) {
                visit(fact);
            }
        }
        for &(literal, fact) in &self.derived {
            if walker.holds(literal.atom()) != literal.is_negative() {
                visit(fact);
            }
        }
        for entry in &self.comparisons {
            if walker.simulator().compares(walker, entry.comparison) {
                visit(entry.fact);
            }
        }
    }

    /// Returns whether the literal of a fact is true in the walker's state; `false` if the fact is not a literal.
    #[inline]
    pub(crate) fn literal_holds(&self, fact: u32, walker: &Walker) -> bool {
        self.literals[fact as usize].is_some_and(|literal| {
            let atom = literal.atom();
            let holds = walker.state().holds(atom).unwrap_or_else(|| walker.holds(atom));
            holds != literal.is_negative()
        })
    }

    /// Returns how often an operator that shifts a comparison must be applied to make it true from the walker's state if
    /// nothing else changes its sides. At least 1.
    pub(crate) fn repetitions(&self, shift: &Shift, walker: &Walker) -> u32 {
        let entry = &self.comparisons[shift.comparison as usize];
        let difference = entry.difference.as_ref();
        let distance = difference.and_then(|form| value(form, walker));
        distance.map_or(1, |from| {
            numbers::repetitions(entry.comparison, from, shift.amount)
        })
    }

    /// Returns the cost of each operator: 0 for operators without an action, and `of(action)` for others.
    pub(crate) fn operator_costs(&self, of: impl Fn(ActionId) -> u32) -> Vec<u32> {
        let cost = |&action: &u32| match action {
            NONE => 0,
            action => of(ActionId::new(action)),
        };
        self.actions.iter().map(cost).collect()
    }

    /// Returns the bytes used by the relaxation.
    pub(crate) fn bytes(&self) -> usize {
        self.preconditions.bytes() + self.adds.bytes() + self.readers.bytes() + self.actions.len() * 8
    }
}

/// Returns the value of a linear form; `None` if one of its numbers is undefined.
fn value(form: &Linear, world: &impl Valuation) -> Option<f64> {
    form.terms
        .iter()
        .try_fold(form.constant, |sum, &(variable, factor)| {
            let Variable::Fluent(id) = variable else {
                return None;
            };
            Some(sum + factor * world.value(id)?)
        })
}
