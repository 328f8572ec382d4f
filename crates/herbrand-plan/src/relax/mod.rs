//! The delete relaxation of a task: what heuristics and landmarks work on.

mod build;
mod conditions;
mod derived;
mod lists;
mod numbers;

use herbrand_ground::{ActionId, AtomId, GroundComparison, Literal, NumericId};
use herbrand_limits::{Budget, Spent};
use herbrand_step::{Valuation, Walker};

pub(crate) use lists::Lists;

use crate::linear::{Linear, Variable};
use crate::task::SearchTask;

/// A task in which facts, once true, stay so.
///
/// A *fact* is a literal (both polarities of an atom are facts of their own), a comparison, or an auxiliary fact that stands
/// for a condition. A *relaxed operator* makes its added facts true when all its preconditions are:
///
/// ```text
///   facts      0 true │ literals │ comparisons │ auxiliary, the goal among them
///   operators  preconditions ──▶ adds     of an action, or of none: axioms, disjunctions and negations cost nothing
/// ```
///
/// The relaxation is sound: whatever is true in some state that a sequence of actions reaches can be made true by relaxed
/// operators of these actions. So a state from which they do not reach the goal is a dead end. In detail:
///
/// - An action has an operator for its effects without a condition and one for each effect under a condition. A disjunction
///   is an auxiliary fact that each of its conjunctions makes true.
/// - An atom that an action deletes makes the negative literal true, unless the same effects add it.
/// - A derived atom follows from its axioms. Its negation follows when each of its axioms has a false literal; literals of
///   atoms that depend on it in turn count as false at no cost, since derived atoms that support each other in a circle may
///   all be false.
/// - A comparison becomes true by any action that may move it that way.
#[derive(Debug)]
pub struct Relaxation {
    /// The number of facts.
    pub(crate) facts: usize,
    /// The number of atoms of the task that are fluents.
    fluents: usize,
    /// By fluent atom: the fact that it is true.
    positive: Vec<u32>,
    /// Negative literals of fluent atoms.
    negative: Vec<(AtomId, u32)>,
    /// Literals of derived atoms.
    derived: Vec<(Literal, u32)>,
    comparisons: Vec<ComparisonFact>,
    /// By fact: its literal, if it is one.
    pub(crate) literals: Vec<Option<Literal>>,
    /// The fact that the goal holds, and the only operator that adds it, or [`NONE`].
    pub(crate) goal: u32,
    pub(crate) goal_operator: u32,
    /// By operator.
    pub(crate) preconditions: Lists,
    /// By operator.
    pub(crate) adds: Lists,
    /// By operator: its action, or [`NONE`].
    pub(crate) actions: Vec<u32>,
    /// By fact: the operators that need it.
    pub(crate) readers: Lists,
    /// Operators that move a comparison by a constant.
    pub(crate) shifts: Vec<Shift>,
}

/// No fact, and no action.
pub(crate) const NONE: u32 = u32::MAX;

/// The fact that is always true.
pub(crate) const TRUE: u32 = 0;

/// A comparison that is a fact.
#[derive(Debug)]
struct ComparisonFact {
    fact: u32,
    comparison: GroundComparison,
    /// The numbers that it reads, ascending.
    reads: Vec<NumericId>,
    /// The left side less the right side, if that is linear.
    difference: Option<Linear>,
}

/// An operator that moves the difference of a comparison's sides by a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub(crate) operator: u32,
    /// Which of the comparisons.
    comparison: u32,
    amount: f64,
}

impl Relaxation {
    /// The relaxation of a task, made within a budget.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn new(task: &SearchTask, budget: &Budget) -> Result<Self, Spent> {
        build::build(task, budget)
    }

    /// The number of relaxed operators.
    #[must_use]
    pub fn operators(&self) -> usize {
        self.actions.len()
    }

    /// Calls `visit` with the facts that are true in the walker's state, auxiliary ones apart.
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
            if !state.holds(atom) {
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

    /// Whether the fact of a literal is true in the walker's state; false for other facts.
    #[inline]
    pub(crate) fn literal_holds(&self, fact: u32, walker: &Walker) -> bool {
        self.literals[fact as usize].is_some_and(|literal| {
            let atom = literal.atom();
            let holds = if atom.index() < self.fluents {
                walker.state().holds(atom)
            } else {
                walker.holds(atom)
            };
            holds != literal.is_negative()
        })
    }

    /// How often an operator that shifts a comparison has to happen, starting in the walker's state, if nothing else
    /// moves it: at least once.
    pub(crate) fn repetitions(&self, shift: &Shift, walker: &Walker) -> u32 {
        let entry = &self.comparisons[shift.comparison as usize];
        let difference = entry.difference.as_ref();
        let distance = difference.and_then(|form| value(form, walker));
        distance.map_or(1, |from| {
            numbers::repetitions(entry.comparison, from, shift.amount)
        })
    }

    /// The operators of no action have cost 0, those of an action what `of` says.
    pub(crate) fn operator_costs(&self, of: impl Fn(ActionId) -> u32) -> Vec<u32> {
        let cost = |&action: &u32| match action {
            NONE => 0,
            action => of(ActionId::new(action)),
        };
        self.actions.iter().map(cost).collect()
    }

    /// The bytes that the relaxation holds on to.
    pub(crate) fn bytes(&self) -> usize {
        self.preconditions.bytes() + self.adds.bytes() + self.readers.bytes() + self.actions.len() * 8
    }
}

/// The value of a linear form, if all its numbers are defined.
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
