//! The checks of conditions, axioms and the initial state.

use super::{InvalidTask, ensure, ensure_below, is_ascending};
use crate::task::{GroundTask, Literal};

pub(super) fn check(task: &GroundTask) -> Result<(), InvalidTask> {
    ensure_below("condition", task.goal.index(), task.conditions.ids().len())?;
    for &atom in &task.initial {
        ensure_below("fluent", atom.index(), task.fluent_count())?;
    }
    let ordered = is_ascending(&task.initial);
    ensure(ordered, || "initial atoms out of order".to_owned())?;
    conjunctions(task)?;
    axioms(task)
}

fn conjunctions(task: &GroundTask) -> Result<(), InvalidTask> {
    let mut last = vec![usize::MAX; task.atom_count()];
    for (index, conjunction) in task.conditions.iter().enumerate() {
        for atom in conjunction.literals.iter().map(|literal| literal.atom()) {
            ensure_below("atom", atom.index(), task.atom_count())?;
            let before = std::mem::replace(&mut last[atom.index()], index);
            ensure(before != index, || {
                format!("conjunction {index} names `{}` twice", task.display_atom(atom))
            })?;
        }
    }
    Ok(())
}

fn axioms(task: &GroundTask) -> Result<(), InvalidTask> {
    let last = task.strata.last().copied().unwrap_or(0);
    let whole = task.strata.is_sorted() && last as usize == task.axioms.len();
    ensure(whole, || "strata that are no parts of the axioms".to_owned())?;
    // For each derived atom, one more than the last stratum that derives it.
    let mut height = vec![0; task.atom_count() - task.fluent_count()];
    for (index, stratum) in task.strata().enumerate() {
        for axiom in stratum {
            ensure_below("atom", axiom.head.index(), task.atom_count())?;
            ensure_below("conjunction", axiom.body.index(), task.conditions.len())?;
            ensure(task.is_derived(axiom.head), || {
                format!("an axiom derives the fluent `{}`", task.display_atom(axiom.head))
            })?;
            height[axiom.head.index() - task.fluent_count()] = index + 1;
        }
    }
    for (index, stratum) in task.strata().enumerate() {
        let known = |literal: &Literal| {
            let derived = literal.atom().index().checked_sub(task.fluent_count());
            derived.is_none_or(|derived| height[derived] + usize::from(literal.is_negative()) <= index + 1)
        };
        for axiom in stratum {
            let mut literals = task.conditions.get(axiom.body).literals.iter();
            ensure(literals.all(known), || {
                format!("an axiom of stratum {index} reads what comes later")
            })?;
        }
    }
    Ok(())
}
