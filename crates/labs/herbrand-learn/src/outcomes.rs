//! Probabilistic outcomes of actions, with probabilities by counting.
//!
//! An outcome is a set of changes over variables. An outcome explains a transition if applying it to the state gives the
//! observed successor. Several outcomes may explain one transition, because adding an atom that is already true changes
//! nothing.
//!
//! The learner greedily selects observed outcomes until every transition is explained. It then estimates their probabilities
//! by expectation maximization: each transition is shared among the outcomes that explain it in proportion to their
//! probabilities, and the probabilities are recomputed from the shares until they converge. This is the parameter step and a
//! greedy form of the outcome search of Pasula, Zettlemoyer and Kaelbling, "Learning Symbolic Models of Stochastic Domains"
//! (JAIR 2007). Their noise outcome has no counterpart in PDDL and is not modelled.

use std::collections::BTreeMap;

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{Effect, Probability, TypeUnion};

use crate::experience::Experience;
use crate::lift::{Literal, Row, liftings};
use crate::model::{effects, literal_effect};

/// An outcome and the expected number of transitions that it produced.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub literals: Vec<Literal>,
    pub weight: f64,
}

/// The outcomes that explain a list of rows.
pub(crate) struct Outcomes {
    /// The outcomes, most likely first.
    pub list: Vec<Outcome>,
    /// For each row, a number for the set of outcomes that explain it.
    pub classes: Vec<u32>,
    /// The natural logarithm of the likelihood of the rows.
    pub log_likelihood: f64,
}

/// Returns outcomes that explain all rows. The inner error is the index of a row with a change that cannot be written over
/// the variables.
pub(crate) fn outcomes(
    experience: &Experience,
    variables: &[TypeUnion],
    rows: &[Row<'_>],
    budget: &Budget,
) -> Result<Result<Outcomes, usize>, BudgetExhausted> {
    let mut meter = budget.meter("counting outcomes");
    let mut seen = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        let Some(literals) = told(experience, variables, row) else {
            return Ok(Err(number));
        };
        meter.charge((literals.len() * size_of::<Literal>()) as u64);
        let key = |literal: &Literal| {
            (
                literal.sign,
                literal.atom.predicate,
                literal.atom.arguments.clone(),
            )
        };
        seen.insert(literals.iter().map(key).collect::<Vec<_>>(), literals);
        meter.check()?;
    }
    let candidates: Vec<Vec<Literal>> = seen.into_values().collect();
    let mut explains: Vec<Vec<bool>> = Vec::new();
    for literals in &candidates {
        meter.charge(rows.len() as u64);
        meter.check()?;
        explains.push(rows.iter().map(|row| is_due(experience, row, literals)).collect());
    }
    let kept = fewest(&explains, rows.len());
    let mut counted: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let sets: Vec<Vec<bool>> = (0..rows.len())
        .map(|row| kept.iter().map(|&index| explains[index][row]).collect())
        .collect();
    for set in &sets {
        *counted.entry(set.clone()).or_default() += 1;
    }
    let weights = weights(&counted, kept.len());
    let class = |set: &Vec<bool>| counted.range(..set.clone()).count() as u32;
    let mut list: Vec<_> = kept
        .iter()
        .zip(&weights)
        .map(|(&index, &weight)| Outcome {
            literals: candidates[index].clone(),
            weight,
        })
        .collect();
    list.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    Ok(Ok(Outcomes {
        list,
        classes: sets.iter().map(class).collect(),
        log_likelihood: log_likelihood(&counted, &weights),
    }))
}

/// Lifts the changes of a row, each to the first way to write it. Returns `None` if a change cannot be written.
fn told(experience: &Experience, variables: &[TypeUnion], row: &Row<'_>) -> Option<Vec<Literal>> {
    let scene = experience.scene_of(row.state);
    let mut literals = Vec::new();
    for (sign, id) in row.change.iter() {
        let ways = liftings(&experience.language, variables, row.values, scene.atom(id));
        literals.push(Literal {
            sign,
            atom: ways.into_iter().next()?,
        });
    }
    let key = |literal: &Literal| {
        (
            literal.sign,
            literal.atom.predicate,
            literal.atom.arguments.clone(),
        )
    };
    literals.sort_by_key(key);
    Some(literals)
}

/// Returns whether applying the literals to the state of the row gives its successor.
fn is_due(experience: &Experience, row: &Row<'_>, literals: &[Literal]) -> bool {
    literals.iter().all(|literal| row.agrees(experience, literal))
        && row.unexplained(experience, literals).is_empty()
}

/// Greedy set cover: returns candidates that together explain all rows. Each round takes the candidate that explains the
/// most unexplained rows, the first one on ties.
fn fewest(explains: &[Vec<bool>], rows: usize) -> Vec<usize> {
    let mut open = vec![true; rows];
    let mut kept = Vec::new();
    while open.contains(&true) {
        let gain = |explained: &Vec<bool>| explained.iter().zip(&open).filter(|&(&e, &o)| e && o).count();
        let best = explains
            .iter()
            .map(gain)
            .enumerate()
            .rev()
            .max_by_key(|&(_, gain)| gain);
        let Some((best, _)) = best.filter(|&(_, gain)| gain > 0) else {
            break;
        };
        kept.push(best);
        for (open, &explained) in open.iter_mut().zip(&explains[best]) {
            *open &= !explained;
        }
    }
    kept
}

/// Returns the weight of each outcome: the expected number of rows that it produced. A row is shared among the outcomes that
/// explain it in proportion to their weights. `counted` maps each set of outcomes to the number of rows that exactly this
/// set explains.
fn weights(counted: &BTreeMap<Vec<bool>, usize>, outcomes: usize) -> Vec<f64> {
    // A weight converges to 0 slowly if another outcome explains the same rows.
    const ROUNDS: usize = 10_000;
    const STILL: f64 = 1e-9;
    let mut weights = vec![1.0; outcomes];
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; outcomes];
        for (set, &rows) in counted {
            let total = weight_of(set, &weights);
            for index in (0..outcomes).filter(|&index| set[index]) {
                next[index] += rows as f64 * weights[index] / total;
            }
        }
        let is_still = |(old, new): (&f64, &f64)| (old - new).abs() <= STILL * new.max(1.0);
        let are_still = weights.iter().zip(&next).all(is_still);
        weights = next;
        if are_still {
            break;
        }
    }
    weights
}

/// Returns the total weight of a set of outcomes.
fn weight_of(set: &[bool], weights: &[f64]) -> f64 {
    let own = set.iter().zip(weights).filter(|&(&is_in, _)| is_in);
    own.map(|(_, weight)| weight).sum()
}

fn log_likelihood(counted: &BTreeMap<Vec<bool>, usize>, weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let of_set =
        |(set, &rows): (&Vec<bool>, &usize)| rows as f64 * libm::log(weight_of(set, weights) / total);
    counted.iter().map(of_set).sum()
}

/// Returns the outcomes as an effect. Probabilities are multiples of 1/1,000,000 that sum to 1. An outcome without changes
/// is not written; it takes the remaining probability.
pub(crate) fn chance_effect(outcomes: &[Outcome]) -> Effect {
    const PARTS: u64 = 1_000_000;
    let effect = |outcome: &Outcome| effects(outcome.literals.iter().map(literal_effect).collect());
    if let [only] = outcomes {
        return effect(only);
    }
    let total: f64 = outcomes.iter().map(|outcome| outcome.weight).sum();
    let mut left = PARTS;
    let mut alternatives = Vec::new();
    for (number, outcome) in outcomes.iter().enumerate() {
        let rounded = (outcome.weight / total * PARTS as f64).round() as u64;
        let parts = if number + 1 == outcomes.len() {
            left
        } else {
            rounded.min(left)
        };
        left -= parts;
        if let Some(probability) = Probability::new(parts, PARTS).filter(|_| !outcome.literals.is_empty()) {
            alternatives.push((probability, effect(outcome)));
        }
    }
    Effect::Probabilistic(alternatives)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The weights sum to the number of rows, and no small shift between two weights increases the likelihood.
        #[test]
        fn weights_are_the_likeliest(sets in prop::collection::vec((prop::collection::vec(any::<bool>(), 3), 1_usize..20), 1..6)) {
            let mut counted: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
            for (mut set, rows) in sets {
                // Every row is explained.
                set[0] |= !set.contains(&true);
                *counted.entry(set).or_default() += rows;
            }
            let rows: usize = counted.values().sum();
            let found = weights(&counted, 3);
            prop_assert!((found.iter().sum::<f64>() - rows as f64).abs() < 1e-6, "{:?}", found);
            let best = log_likelihood(&counted, &found);
            for (from, to) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
                let mut shifted = found.clone();
                let shift = shifted[from].min(0.01 * rows as f64);
                shifted[from] -= shift;
                shifted[to] += shift;
                let other = log_likelihood(&counted, &shifted);
                prop_assert!(other <= best + 1e-3, "{:?} {:?}: {} {}", found, shifted, best, other);
            }
        }
    }
}
