//! Evaluating conditions and derived atoms of one state from scratch.

use herbrand_ground::{ConditionId, ConjunctionId, GroundTask};

use crate::grounded::bits::Bits;
use crate::grounded::programs::Arithmetic;
use crate::grounded::state::ClosedState;
use crate::grounded::state::{State, Valuation};

/// Computes the derived atoms of a state: the least fixpoint of the axioms, stratum by stratum.
///
/// This is naive evaluation, in time proportional to the rules times the rounds. [`Walker`](crate::Walker) maintains the
/// same closure incrementally.
pub(crate) fn close<'a>(task: &GroundTask, arithmetic: &Arithmetic, state: &'a State) -> ClosedState<'a> {
    let mut closed = ClosedState {
        state,
        derived: Bits::new(task.atom_count() - task.fluent_count()),
    };
    for stratum in task.strata() {
        loop {
            let mut changed = false;
            for axiom in stratum {
                if !closed.holds(axiom.head) && conjunction_holds(task, arithmetic, &closed, axiom.body) {
                    closed.derived.insert(axiom.head.index() - task.fluent_count());
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }
    closed
}

/// Returns whether a condition holds: at least one of its conjunctions does.
pub(crate) fn condition_holds(
    task: &GroundTask,
    arithmetic: &Arithmetic,
    world: &impl Valuation,
    id: ConditionId,
) -> bool {
    let mut conjunctions = task.conditions.conjunctions(id);
    conjunctions.any(|id| conjunction_holds(task, arithmetic, world, id))
}

/// Returns whether all literals and comparisons of a conjunction hold.
pub(crate) fn conjunction_holds(
    task: &GroundTask,
    arithmetic: &Arithmetic,
    world: &impl Valuation,
    id: ConjunctionId,
) -> bool {
    let conjunction = task.conditions.get(id);
    let mut literals = conjunction.literals.iter();
    let mut comparisons = conjunction.comparisons.iter();
    literals.all(|literal| world.holds(literal.atom()) != literal.is_negative())
        && comparisons.all(|&comparison| arithmetic.holds(comparison, world))
}
