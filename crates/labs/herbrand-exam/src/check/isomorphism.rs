//! Whether two problems differ in the names of their objects only, by trying all renamings.

use std::collections::BTreeSet;

use herbrand_pddl::{Domain, Formula, Name, ObjectId, Problem};

use super::Unsolved;
use crate::question::{Solution, Subject};

/// The number of renamings beyond which there is no answer.
const MOST: usize = 100_000;

/// Returns the letter of the only option that states the same problem.
pub(super) fn same(domain: &Domain, problem: &Problem, subject: &Subject) -> Result<Solution, Unsolved> {
    super::only(subject, |option| {
        let other = Problem::from_text(option, domain)?;
        is_same(domain, problem, &other)
    })
}

/// Returns whether a renaming of the objects, except constants, turns one problem into the other.
fn is_same(domain: &Domain, one: &Problem, other: &Problem) -> Result<bool, Unsolved> {
    if one.objects.len() != other.objects.len() {
        return Ok(false);
    }
    let names: Vec<_> = other.objects.iter().map(|object| object.name.clone()).collect();
    let wanted = facts(domain, other, &names);
    let mut renaming: Vec<usize> = (0..one.constants as usize).collect();
    let mut tried = 0;
    extend(&mut renaming, one, other, &mut |renaming| {
        tried += 1;
        if tried > MOST {
            return Err(Unsolved::Many(MOST));
        }
        let renamed: Vec<_> = renaming.iter().map(|&at| names[at].clone()).collect();
        Ok(facts(domain, one, &renamed) == wanted)
    })
}

/// Tries all renamings that keep the types and begin with `renaming`.
fn extend(
    renaming: &mut Vec<usize>,
    one: &Problem,
    other: &Problem,
    is_it: &mut impl FnMut(&[usize]) -> Result<bool, Unsolved>,
) -> Result<bool, Unsolved> {
    let next = renaming.len();
    if next == one.objects.len() {
        return is_it(renaming);
    }
    for target in 0..other.objects.len() {
        let fits = one.objects[next].types == other.objects[target].types;
        if fits && !renaming.contains(&target) {
            renaming.push(target);
            if extend(renaming, one, other, is_it)? {
                return Ok(true);
            }
            renaming.pop();
        }
    }
    Ok(false)
}

/// Returns the facts and goals of a problem as texts, with other names for the objects.
fn facts(domain: &Domain, problem: &Problem, names: &[Name]) -> BTreeSet<String> {
    let mut problem = problem.clone();
    for (object, name) in problem.objects.iter_mut().zip(names) {
        object.name = name.clone();
    }
    let name = |id: &ObjectId| problem.object(*id).name.to_string();
    let listed = |arguments: &[ObjectId]| arguments.iter().map(name).collect::<Vec<_>>().join(" ");
    let atoms = problem.init.iter().map(|atom| {
        let head = &domain.predicate(atom.predicate).name;
        format!("{head} {}", listed(atom.arguments))
    });
    let goals = conjuncts(&problem.goal);
    let goals = goals
        .into_iter()
        .map(|goal| format!("goal {}", problem.goal_text(domain, goal)));
    atoms.chain(goals).collect()
}

/// Returns the conjuncts of a formula, with nested conjunctions flattened.
fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}
