//! Exact comparison of two models.
//!
//! The states in which a ground action is applicable form a [`Cube`], and so does the intersection of two cubes. Where two
//! actions are both applicable, they have the same successor if two conditions hold. No atom is added by one action and
//! deleted by the other. Every atom that only one of them changes already has the value it is set to. The states with equal
//! successors are therefore a cube too.
//!
//! Hence no states are enumerated: shares of states are sums of powers of two, and a state with different successors is read
//! off the masks.

use crate::pattern::{Behaviour, Cube};

/// The comparison of two behaviours of one ground action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Comparison {
    /// The share of all states in which they agree: both are inapplicable, or both are applicable with the same successor.
    pub(crate) agreement: f64,
    /// A state in which they disagree; `None` if they are equivalent.
    pub(crate) witness: Option<u128>,
}

pub(crate) fn compare(one: Behaviour, other: Behaviour) -> Comparison {
    let (here, there) = (one.cube(), other.cube());
    let both = here.zip(there).and_then(|(here, there)| here.and(there));
    let alike = both.and_then(|both| alike(one, other, both));
    let share = |cube: Option<Cube>| cube.map_or(0.0, Cube::share);
    let neither = 1.0 - share(here) - share(there) + share(both);
    Comparison {
        agreement: neither + share(alike),
        witness: here
            .and_then(|here| here.outside(there))
            .or_else(|| there.and_then(|there| there.outside(here)))
            .or_else(|| both.and_then(|both| both.outside(alike))),
    }
}

/// Returns the states, within `both`, in which the two behaviours have the same successor.
fn alike(one: Behaviour, other: Behaviour, both: Cube) -> Option<Cube> {
    let opposite = one.add & other.delete | one.delete & other.add;
    if opposite != 0 {
        return None;
    }
    // Atoms added by only one behaviour must already be true, and atoms deleted by only one must already be false.
    both.and(Cube::new(one.add ^ other.add, one.delete ^ other.delete)?)
}
