//! The order in which the atoms of a body are joined.

use fixedbitset::FixedBitSet;

use crate::{Atom, Variable};

/// An atom to be joined.
pub(crate) struct Candidate<'a> {
    pub atom: &'a Atom,
    /// The share of all tuples over its variables' domains that match it, as known or guessed.
    pub density: f64,
}

/// An atom's place in a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    /// The number of the candidate.
    pub candidate: usize,
    /// How many of its facts are expected to match one binding of the variables before it.
    pub matches: f64,
}

/// Above this number of atoms the next one is chosen greedily.
const EXACT: usize = 7;

/// Orders atoms by expected work.
///
/// The model takes columns as independent: a set of joined atoms has as many bindings as the product of its
/// variables' domains and its atoms' densities, and joining an atom costs one probe for each binding before
/// it and one step for each binding after it. So an atom that shares no variable with what is bound costs
/// as much as all its facts, and cross products come last unless they are small. The order is optimal for
/// up to [`EXACT`] atoms (dynamic programming over subsets: Selinger et al., Access path selection in a
/// relational database management system, 1979) and greedy beyond.
///
/// `sizes` are the sizes of the variables' domains.
pub(crate) fn order(candidates: &[Candidate<'_>], bound: &FixedBitSet, sizes: &[f64]) -> Vec<Placed> {
    if candidates.len() <= EXACT {
        exact(candidates, bound, sizes)
    } else {
        greedy(candidates, bound, sizes)
    }
}

/// How many facts of an atom are expected to match one binding of the bound variables.
fn matches(candidate: &Candidate<'_>, bound: &FixedBitSet, sizes: &[f64]) -> f64 {
    let mut seen: Vec<Variable> = Vec::new();
    let mut matches = candidate.density;
    for variable in candidate.atom.variables() {
        if !bound.contains(variable.index()) && !seen.contains(&variable) {
            matches *= sizes[variable.index()];
            seen.push(variable);
        }
    }
    matches
}

fn bind(bound: &mut FixedBitSet, atom: &Atom) {
    atom.variables()
        .for_each(|variable| bound.insert(variable.index()));
}

fn greedy(candidates: &[Candidate<'_>], bound: &FixedBitSet, sizes: &[f64]) -> Vec<Placed> {
    let mut bound = bound.clone();
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    let mut placed = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let cost = |&candidate: &usize| matches(&candidates[candidate], &bound, sizes);
        let least = left
            .iter()
            .map(cost)
            .enumerate()
            .min_by(|one, other| one.1.total_cmp(&other.1));
        let (place, matches) = least.unwrap_or((0, 0.0));
        let candidate = left.remove(place);
        bind(&mut bound, candidates[candidate].atom);
        placed.push(Placed { candidate, matches });
    }
    placed
}

/// The best way to join a subset of the atoms.
struct Best {
    cost: f64,
    bindings: f64,
    bound: FixedBitSet,
    last: Option<(usize, Placed)>,
}

fn exact(candidates: &[Candidate<'_>], bound: &FixedBitSet, sizes: &[f64]) -> Vec<Placed> {
    let start = Best {
        cost: 0.0,
        bindings: 1.0,
        bound: bound.clone(),
        last: None,
    };
    let mut best: Vec<Option<Best>> = std::iter::once(Some(start)).collect();
    best.resize_with(1 << candidates.len(), || None);
    for subset in 0..best.len() {
        for (candidate, joined) in candidates.iter().enumerate() {
            let larger = subset | 1 << candidate;
            let Some(known) = best[subset].as_ref().filter(|_| larger != subset) else {
                continue;
            };
            let matches = matches(joined, &known.bound, sizes);
            let bindings = known.bindings * matches;
            let cost = known.cost + known.bindings + bindings;
            if best[larger].as_ref().is_none_or(|other| cost < other.cost) {
                let mut bound = known.bound.clone();
                bind(&mut bound, joined.atom);
                let last = Some((subset, Placed { candidate, matches }));
                best[larger] = Some(Best {
                    cost,
                    bindings,
                    bound,
                    last,
                });
            }
        }
    }
    let last = |subset: usize| best[subset].as_ref().and_then(|best| best.last);
    let mut placed: Vec<Placed> = std::iter::successors(last(best.len() - 1), |(subset, _)| last(*subset))
        .map(|(_, placed)| placed)
        .collect();
    placed.reverse();
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RelationId;

    fn atom(relation: u32, variables: &[u32]) -> Atom {
        Atom::new(
            RelationId::new(relation),
            variables.iter().map(|v| Variable::new(*v)),
        )
    }

    /// Orders atoms given by their variables and densities; ten symbols for each variable, the first one
    /// bound.
    fn ordered(atoms: &[(&[u32], f64)]) -> Vec<usize> {
        let owned: Vec<Atom> = atoms.iter().map(|(variables, _)| atom(0, variables)).collect();
        let candidates: Vec<Candidate<'_>> = owned
            .iter()
            .zip(atoms)
            .map(|(atom, (_, density))| Candidate {
                atom,
                density: *density,
            })
            .collect();
        let mut bound = FixedBitSet::with_capacity(16);
        bound.insert(0);
        order(&candidates, &bound, &[10.0; 16])
            .iter()
            .map(|placed| placed.candidate)
            .collect()
    }

    #[test]
    fn connected_atoms_come_before_cross_products() {
        assert_eq!(ordered(&[(&[3], 1.0), (&[1, 2], 0.1), (&[0, 1], 0.1)]), [2, 1, 0]);
    }

    #[test]
    fn checks_come_as_soon_as_they_can() {
        assert_eq!(
            ordered(&[(&[0, 1], 0.5), (&[1, 2], 0.5), (&[0], 0.5), (&[1], 0.9)]),
            [2, 0, 3, 1]
        );
    }

    #[test]
    fn a_selective_start_beats_a_greedy_one() {
        // Greedily the first atom, with five matches, would come first; the other two leave one binding to
        // extend.
        assert_eq!(ordered(&[(&[1], 0.5), (&[2], 0.6), (&[1, 2], 0.001)])[0], 2);
    }

    #[test]
    fn many_atoms_are_ordered_greedily() {
        let chain: Vec<[u32; 2]> = (0..12).rev().map(|v| [v, v + 1]).collect();
        let atoms: Vec<(&[u32], f64)> = chain.iter().map(|pair| (&pair[..], 0.1)).collect();
        assert_eq!(ordered(&atoms), (0..12).rev().collect::<Vec<_>>());
    }
}
