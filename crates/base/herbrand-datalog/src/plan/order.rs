//! The join order of the atoms of a body.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;

use crate::program::Atom;
use crate::program::ids::Variable;

/// An atom to be ordered.
pub(crate) struct Candidate<'a> {
    pub atom: &'a Atom,
    /// The known or estimated share of the tuples over its variables' domains that match it.
    pub density: f64,
}

/// An atom's place in the order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    /// The number of the candidate.
    pub candidate: usize,
    /// The expected number of its facts per binding of the variables before it.
    pub matches: f64,
}

/// The largest number of atoms that are ordered optimally; more atoms are ordered greedily.
const EXACT: usize = 7;

/// Orders atoms by expected work.
///
/// The cost model assumes independent columns: the number of bindings of a set of joined atoms is the product of its
/// variables' domain sizes and its atoms' densities. Joining an atom costs one probe per binding before it and one step per
/// binding after it. An atom without bound variables therefore costs as much as all its facts, and cross products come last
/// unless they are small. The order is optimal for up to [`EXACT`] atoms (dynamic programming over subsets: Selinger et al.,
/// Access path selection in a relational database management system, 1979), and greedy for more.
///
/// `sizes` are the sizes of the variables' domains.
pub(crate) fn order(candidates: &[Candidate<'_>], bound: &FixedBitSet, sizes: &[f64]) -> Vec<Placed> {
    let open: Vec<Open> = candidates
        .iter()
        .map(|candidate| Open::new(candidate, bound))
        .collect();
    if open.len() <= EXACT {
        exact(&open, sizes)
    } else {
        greedy(open, sizes)
    }
}

/// An atom with its unbound variables.
struct Open {
    variables: Vec<usize>,
    /// Never zero, because costs are divided by products of densities.
    density: f64,
}

impl Open {
    fn new(candidate: &Candidate<'_>, bound: &FixedBitSet) -> Self {
        let mut variables: Vec<usize> = candidate.atom.variables().map(Variable::index).collect();
        variables.sort_unstable();
        variables.dedup();
        variables.retain(|variable| !bound.contains(*variable));
        Self {
            variables,
            density: candidate.density.max(1e-9),
        }
    }
}

/// Returns the expected number of bindings of all variables of some atoms.
fn bindings<'o>(atoms: impl Iterator<Item = &'o Open>, sizes: &[f64], seen: &mut FixedBitSet) -> f64 {
    seen.clear();
    let mut bindings = 1.0;
    for atom in atoms {
        bindings *= atom.density;
        for &variable in &atom.variables {
            if !seen.put(variable) {
                bindings *= sizes[variable];
            }
        }
    }
    bindings
}

/// Places the atom with the fewest matches, again and again; the first of equal ones.
///
/// An atom's matches change when a variable of it is bound: then it gets another entry in the heap, and older entries are
/// skipped. So long bodies take little more time than their length.
fn greedy(mut open: Vec<Open>, sizes: &[f64]) -> Vec<Placed> {
    // No factor is negative, so the bits are in the order of the numbers.
    let matches =
        |atom: &Open| (atom.density * atom.variables.iter().map(|v| sizes[*v]).product::<f64>()).to_bits();
    let mut uses = vec![Vec::new(); sizes.len()];
    for (candidate, atom) in open.iter().enumerate() {
        atom.variables
            .iter()
            .for_each(|&variable| uses[variable].push(candidate));
    }
    let mut latest: Vec<u64> = open.iter().map(matches).collect();
    let mut heap: BinaryHeap<_> = latest.iter().copied().zip(0..).map(Reverse).collect();
    let mut is_placed = FixedBitSet::with_capacity(open.len());
    let mut placed = Vec::with_capacity(open.len());
    while let Some(Reverse((bits, candidate))) = heap.pop() {
        if bits != latest[candidate] || is_placed.put(candidate) {
            continue;
        }
        placed.push(Placed {
            candidate,
            matches: f64::from_bits(bits),
        });
        for variable in std::mem::take(&mut open[candidate].variables) {
            for user in std::mem::take(&mut uses[variable]) {
                open[user].variables.retain(|&other| other != variable);
                if !is_placed.contains(user) {
                    latest[user] = matches(&open[user]);
                    heap.push(Reverse((latest[user], user)));
                }
            }
        }
    }
    placed
}

fn exact(open: &[Open], sizes: &[f64]) -> Vec<Placed> {
    let subsets = 1_usize << open.len();
    let mut seen = FixedBitSet::with_capacity(sizes.len());
    let atoms_of = |subset: usize| (0..open.len()).filter(move |atom| subset >> atom & 1 == 1);
    let bindings: Vec<f64> = (0..subsets)
        .map(|subset| bindings(atoms_of(subset).map(|atom| &open[atom]), sizes, &mut seen))
        .collect();
    // For each subset: the least cost of joining it, and the atom that is then joined last.
    let mut best = vec![(0.0, 0); subsets];
    for subset in 1..subsets {
        let cost = |last: usize| {
            let before = subset & !(1 << last);
            (best[before].0 + bindings[before] + bindings[subset], last)
        };
        let least = atoms_of(subset)
            .map(cost)
            .min_by(|one, other| one.0.total_cmp(&other.0));
        best[subset] = least.unwrap_or((0.0, 0));
    }
    let mut placed = Vec::with_capacity(open.len());
    let mut subset = subsets - 1;
    while subset != 0 {
        let (_, candidate) = best[subset];
        let before = subset & !(1 << candidate);
        placed.push(Placed {
            candidate,
            matches: bindings[subset] / bindings[before],
        });
        subset = before;
    }
    placed.reverse();
    placed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::RelationId;

    fn atom(relation: u32, variables: &[u32]) -> Atom {
        Atom::new(
            RelationId::new(relation),
            variables.iter().map(|v| Variable::new(*v)),
        )
    }

    /// The definition: all atoms are looked at for each place.
    fn one_by_one(mut open: Vec<Open>, sizes: &[f64]) -> Vec<Placed> {
        let mut left: Vec<usize> = (0..open.len()).collect();
        let mut placed = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let matches =
                |atom: &Open| atom.density * atom.variables.iter().map(|v| sizes[*v]).product::<f64>();
            let each = left.iter().map(|candidate| matches(&open[*candidate]));
            let least = each.enumerate().min_by(|one, other| one.1.total_cmp(&other.1));
            let (place, matches) = least.unwrap_or((0, 0.0));
            let candidate = left.remove(place);
            let bound = std::mem::take(&mut open[candidate].variables);
            open.iter_mut()
                .for_each(|atom| atom.variables.retain(|variable| !bound.contains(variable)));
            placed.push(Placed { candidate, matches });
        }
        placed
    }

    proptest! {
        #[test]
        fn greedily_the_order_is_that_of_the_definition(
            atoms in prop::collection::vec(
                (prop::collection::vec(0_usize..10, 0..4), prop::sample::select(vec![1e-9, 0.1, 0.25, 1.0, 0.01])), 0..30,
            ),
            sizes in prop::collection::vec(prop::sample::select(vec![0.0, 1.0, 2.0, 3.0, 10.0, 1e6]), 10),
        ) {
            let open = || -> Vec<Open> {
                let atoms = atoms.iter().cloned().map(|(mut variables, density)| {
                    variables.sort_unstable();
                    variables.dedup();
                    Open { variables, density }
                });
                atoms.collect()
            };
            prop_assert_eq!(greedy(open(), &sizes), one_by_one(open(), &sizes));
        }
    }
    /// Orders atoms that are given by their variables and densities. Each variable has ten symbols; variable 0 is bound.
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
        // The greedy order begins with the first atom, which has five matches. Beginning with the third atom leaves one
        // binding to extend.
        assert_eq!(ordered(&[(&[1], 0.5), (&[2], 0.6), (&[1, 2], 0.001)])[0], 2);
    }

    #[test]
    fn many_atoms_are_ordered_greedily() {
        let chain: Vec<[u32; 2]> = (0..12).rev().map(|v| [v, v + 1]).collect();
        let atoms: Vec<(&[u32], f64)> = chain.iter().map(|pair| (&pair[..], 0.1)).collect();
        assert_eq!(ordered(&atoms), (0..12).rev().collect::<Vec<_>>());
    }
}
