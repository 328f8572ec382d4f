//! Outcomes of actions by chance, with probabilities by counting.
//!
//! An outcome is a set of changes over the variables. A transition may be due to any outcome that, applied to its state,
//! gives its successor: an outcome that adds what is true already shows less than it does. Of the outcomes that were
//! seen, those are kept that it takes to explain all transitions, and each transition is shared among those that explain
//! it in proportion to their probabilities, which are then counted again until they stay (expectation and
//! maximisation). This is the parameter step and a greedy form of the outcome search of Pasula, Zettlemoyer and
//! Kaelbling, "Learning Symbolic Models of Stochastic Domains" (JAIR 2007); noise outcomes are not modelled.

use std::collections::BTreeMap;

use herbrand_pddl::{Effect, Probability, TypeUnion};

use crate::experience::Experience;
use crate::lift::{Literal, Row, liftings};
use crate::model::{effects, literal_effect};

/// An outcome and how many transitions are due to it.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub literals: Vec<Literal>,
    pub weight: f64,
}

/// The outcomes that explain all rows, the likeliest first. The error is a row with a change that cannot be told over the
/// variables.
pub(crate) fn outcomes(
    experience: &Experience,
    variables: &[TypeUnion],
    rows: &[Row<'_>],
) -> Result<Vec<Outcome>, usize> {
    let mut seen = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        let literals = told(experience, variables, row).ok_or(number)?;
        let key: Vec<_> = literals
            .iter()
            .map(|literal| {
                (
                    literal.sign,
                    literal.atom.predicate,
                    literal.atom.arguments.clone(),
                )
            })
            .collect();
        seen.insert(key, literals);
    }
    let candidates: Vec<Vec<Literal>> = seen.into_values().collect();
    let explains: Vec<Vec<bool>> = candidates
        .iter()
        .map(|literals| rows.iter().map(|row| is_due(experience, row, literals)).collect())
        .collect();
    let kept = fewest(&explains, rows.len());
    let weights = count(
        &kept
            .iter()
            .map(|&index| explains[index].clone())
            .collect::<Vec<_>>(),
        rows.len(),
    );
    let mut outcomes: Vec<_> = kept
        .iter()
        .zip(weights)
        .map(|(&index, weight)| Outcome {
            literals: candidates[index].clone(),
            weight,
        })
        .collect();
    outcomes.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    Ok(outcomes)
}

/// The changes of a row over the variables: each in the first way in which it can be written.
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

/// Whether these changes, applied to the state of a row, give its successor.
fn is_due(experience: &Experience, row: &Row<'_>, literals: &[Literal]) -> bool {
    literals.iter().all(|literal| row.agrees(experience, literal))
        && row.unexplained(experience, literals).is_empty()
}

/// Candidates that explain all rows together, as few as greed finds: always the one that explains most of what is left,
/// the first on ties.
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

/// How often each candidate is counted, transitions that several explain being shared.
fn count(explains: &[Vec<bool>], rows: usize) -> Vec<f64> {
    const ROUNDS: usize = 200;
    let mut weights = vec![1.0; explains.len()];
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; explains.len()];
        for row in 0..rows {
            let share = |index: usize| if explains[index][row] { weights[index] } else { 0.0 };
            let total: f64 = (0..explains.len()).map(share).sum();
            for (index, sum) in next.iter_mut().enumerate() {
                *sum += share(index) / total;
            }
        }
        weights = next;
    }
    weights
}

/// Outcomes as an effect. Probabilities are multiples of a millionth that sum to 1; an outcome without changes is what is left.
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
