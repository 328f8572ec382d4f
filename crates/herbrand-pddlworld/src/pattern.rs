//! Operators as functions on a few bits.
//!
//! What a ground action does depends on its literals alone, and two ground actions of an operator differ only in which of
//! their literals are one atom: `(on ?x ?y)` and `(on ?y ?x)` are one where `?x` and `?y` are one object. All groundings
//! with the same such pattern do the same, so that what is true of one is true of all, however many objects there are.

use crate::Signs;

/// Which literals of an operator are one atom, for some of its groundings.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Pattern {
    /// By literal: the number of its atom, in the order of their first literals.
    pub(crate) atoms: Box<[u8]>,
    /// Whether every literal is an atom of its own.
    identity: bool,
}

/// What a ground action does, as masks over the atoms of its pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Behaviour {
    /// The atoms that must hold.
    pub(crate) positive: u128,
    /// The atoms that must not hold. One that must do both makes the action impossible.
    pub(crate) negative: u128,
    /// The atoms that become true.
    pub(crate) add: u128,
    /// The atoms that become false; none of them becomes true.
    pub(crate) delete: u128,
}

impl Pattern {
    /// The pattern of a grounding whose literals are these atoms.
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

    /// How many atoms there are.
    pub(crate) fn len(&self) -> usize {
        self.atoms.iter().max().map_or(0, |last| usize::from(*last) + 1)
    }

    /// A set of literals as a set of atoms.
    pub(crate) fn fold(&self, literals: u128) -> u128 {
        if self.identity {
            return literals;
        }
        let atoms = self.atoms.iter().enumerate();
        let held = atoms.filter(|(literal, _)| literals >> literal & 1 != 0);
        held.fold(0, |mask, (_, atom)| mask | 1 << atom)
    }

    /// What an operator with this precondition and effect does.
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
    /// Whether the action is applicable where exactly the atoms of `state` hold.
    pub(crate) const fn applies(self, state: u128) -> bool {
        state & self.positive == self.positive && state & self.negative == 0
    }

    /// What holds after the action.
    pub(crate) const fn after(self, state: u128) -> u128 {
        state & !self.delete | self.add
    }

    /// The states in which the action is applicable.
    pub(crate) const fn cube(self) -> Option<Cube> {
        Cube::new(self.positive, self.negative)
    }
}

/// The states in which some atoms hold and some others do not. Never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cube {
    /// The atoms that hold.
    pub(crate) positive: u128,
    /// The atoms that do not hold.
    pub(crate) negative: u128,
}

impl Cube {
    /// The cube of these literals; `None` where they contradict each other.
    pub(crate) const fn new(positive: u128, negative: u128) -> Option<Self> {
        if positive & negative == 0 {
            Some(Self { positive, negative })
        } else {
            None
        }
    }

    /// The states of both.
    pub(crate) const fn and(self, other: Self) -> Option<Self> {
        Self::new(self.positive | other.positive, self.negative | other.negative)
    }

    /// Which share of all states it has: a power of two.
    pub(crate) fn share(self) -> f64 {
        let fixed = (self.positive | self.negative).count_ones();
        f64::exp2(-f64::from(fixed))
    }

    /// A state that is in this cube and not in `other`, if there is one: as few atoms as possible hold in it.
    pub(crate) const fn outside(self, other: Option<Self>) -> Option<u128> {
        let Some(other) = other else {
            return Some(self.positive);
        };
        // What `other` asks for and this cube leaves open or denies.
        let missing = other.positive & !self.positive;
        let spare = other.negative & !self.negative;
        if missing != 0 {
            // The state of this cube with fewest atoms lacks them.
            Some(self.positive)
        } else if spare != 0 {
            Some(self.positive | spare & spare.wrapping_neg())
        } else {
            None
        }
    }
}
