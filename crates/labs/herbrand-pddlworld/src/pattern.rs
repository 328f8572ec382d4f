//! Operators as functions on a small number of bits.
//!
//! The behaviour of a ground action depends only on its literals. Two ground actions of an operator differ only in which of
//! their literals are the same atom: `(on ?x ?y)` and `(on ?y ?x)` are the same if `?x` and `?y` are bound to one object.
//! All groundings with the same pattern behave alike, so one comparison covers them all, however many objects there are.

use crate::sign::Signs;

/// A partition of an operator's literals into atoms, shared by some of its groundings.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Pattern {
    /// For each literal, the number of its atom. Atoms are numbered by their first literal.
    pub(crate) atoms: Box<[u8]>,
    /// Whether all literals are different atoms.
    identity: bool,
}

/// The precondition and effect of a ground action, as masks over the atoms of its pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Behaviour {
    /// The atoms that must be true.
    pub(crate) positive: u128,
    /// The atoms that must be false. If an atom is also in `positive`, the action is never applicable.
    pub(crate) negative: u128,
    /// The atoms that become true.
    pub(crate) add: u128,
    /// The atoms that become false, without those in `add`.
    pub(crate) delete: u128,
}

impl Pattern {
    /// Returns the pattern of a grounding with these literals.
    pub(crate) fn of<T: PartialEq>(literals: &[T]) -> Self {
        let mut atoms: Vec<u8> = Vec::with_capacity(literals.len());
        let mut count = 0;
        for (at, literal) in literals.iter().enumerate() {
            let known = literals[..at].iter().position(|other| other == literal);
            atoms.push(known.map_or(count, |first| atoms[first]));
            count += u8::from(known.is_none());
        }
        Self {
            identity: usize::from(count) == literals.len(),
            atoms: atoms.into(),
        }
    }

    /// Returns the number of atoms.
    pub(crate) fn len(&self) -> usize {
        self.atoms.iter().max().map_or(0, |last| usize::from(*last) + 1)
    }

    /// Maps a set of literals to the set of their atoms.
    pub(crate) fn fold(&self, literals: u128) -> u128 {
        if self.identity {
            return literals;
        }
        let atoms = self.atoms.iter().enumerate();
        let held = atoms.filter(|(literal, _)| literals >> literal & 1 != 0);
        held.fold(0, |mask, (_, atom)| mask | 1 << atom)
    }

    /// Returns the behaviour of an operator with this precondition and effect.
    pub(crate) fn behaviour(&self, [precondition, effect]: [Signs; 2]) -> Behaviour {
        let add = self.fold(effect.positive);
        Behaviour {
            positive: self.fold(precondition.positive),
            negative: self.fold(precondition.negative),
            add,
            delete: self.fold(effect.negative) & !add,
        }
    }
}

impl Behaviour {
    /// Returns whether the action is applicable in `state`, the set of true atoms.
    pub(crate) const fn applies(self, state: u128) -> bool {
        state & self.positive == self.positive && state & self.negative == 0
    }

    /// Returns the successor state.
    pub(crate) const fn after(self, state: u128) -> u128 {
        state & !self.delete | self.add
    }

    /// Returns the states in which the action is applicable, or `None` if it never is.
    pub(crate) const fn cube(self) -> Option<Cube> {
        Cube::new(self.positive, self.negative)
    }
}

/// The states in which some atoms are true and others are false. Never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cube {
    /// The atoms that are true.
    pub(crate) positive: u128,
    /// The atoms that are false.
    pub(crate) negative: u128,
}

impl Cube {
    /// Creates a cube. Returns `None` if an atom is in both sets.
    pub(crate) const fn new(positive: u128, negative: u128) -> Option<Self> {
        if positive & negative == 0 {
            Some(Self { positive, negative })
        } else {
            None
        }
    }

    /// Returns the intersection.
    pub(crate) const fn and(self, other: Self) -> Option<Self> {
        Self::new(self.positive | other.positive, self.negative | other.negative)
    }

    /// Returns the share of all states that are in the cube, a power of two.
    pub(crate) fn share(self) -> f64 {
        let fixed = (self.positive | self.negative).count_ones();
        f64::exp2(-f64::from(fixed))
    }

    /// Returns a state with the fewest true atoms that is in this cube but not in `other`, or `None` if this cube is a
    /// subset.
    pub(crate) const fn outside(self, other: Option<Self>) -> Option<u128> {
        let Some(other) = other else {
            return Some(self.positive);
        };
        // Literals of `other` that this cube does not imply.
        let missing = other.positive & !self.positive;
        let spare = other.negative & !self.negative;
        if missing != 0 {
            // The smallest state of this cube does not satisfy them.
            Some(self.positive)
        } else if spare != 0 {
            Some(self.positive | spare & spare.wrapping_neg())
        } else {
            None
        }
    }
}
