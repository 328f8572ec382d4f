//! Whether two models do the same, exactly.
//!
//! A ground action is applicable in the states of a [`Cube`], and the states in which two actions are both applicable are
//! a cube too. There, an effect differs from another one only on atoms that one of them changes and the other does not, or
//! that they change to opposites; adding an atom and leaving it alone come to the same just where it holds already. So the
//! states in which both do the same are a cube as well, and no state has to be looked at: shares of states are sums of
//! powers of two, and a state in which the two differ is read off the masks.

use crate::pattern::{Behaviour, Cube};

/// How two behaviours of one ground action compare.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Comparison {
    /// In which share of all states they do the same: both inapplicable, or both applicable with the same successor.
    pub(crate) agreement: f64,
    /// A state in which they do not; `None` if there is none.
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

/// The states, of those in which both are applicable, in which both have the same successor.
fn alike(one: Behaviour, other: Behaviour, both: Cube) -> Option<Cube> {
    let opposite = one.add & other.delete | one.delete & other.add;
    if opposite != 0 {
        return None;
    }
    // What one of them adds and the other leaves alone holds already; what one deletes does not.
    both.and(Cube::new(one.add ^ other.add, one.delete ^ other.delete)?)
}
