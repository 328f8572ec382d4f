//! The ids of a ground task's elements: numbers from 0, as newtypes over `u32`.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(u32);

        impl $name {
            /// Creates the id with this number, from 0. Whether there is such an element is not checked.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// Creates the id of the element at `index` of a list, counted from 0. Whether there is one is not checked.
            ///
            /// # Panics
            /// If `index` does not fit in 32 bits. The limits of the grounder are reached far earlier.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("a ground task has fewer than 2^32 elements"))
            }

            /// Returns the number of the id as an index, from 0, into the list of its elements.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the number of the id; the same as [`index`](Self::index).
            #[must_use]
            pub const fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}

ids! {
    /// The id of a ground atom that can change. Fluent atoms come first, then derived atoms; both are ordered by
    /// predicate, then by arguments. [`GroundTask::find_atom`](crate::GroundTask::find_atom) returns it.
    AtomId,
    /// The id of a ground action. Actions are ordered by schema, then by arguments.
    /// [`GroundTask::find_action`](crate::GroundTask::find_action) and [`GroundActions::ids`](crate::GroundActions::ids) return it.
    ActionId,
    /// The id of a ground numeric fluent: first the numeric fluents of the state, then accumulators. It is an index
    /// into [`GroundTask::numerics`](crate::GroundTask::numerics).
    NumericId,
    /// The id of a node of a ground numeric expression, an index into
    /// [`GroundTask::expressions`](crate::GroundTask::expressions).
    ExpressionId,
    /// The id of a ground condition, a disjunction of conjunctions. [`Conditions::finish`](crate::Conditions::finish)
    /// returns it; [`Conditions::conjunctions`](crate::Conditions::conjunctions) takes it.
    ConditionId,
    /// The id of a conjunction of a condition. [`Conditions::conjunctions`](crate::Conditions::conjunctions) lists
    /// them, and [`Conditions::get`](crate::Conditions::get) takes one.
    ConjunctionId,
    /// The id of a block of effects that happen together. [`Effects::get`](crate::Effects::get) takes it.
    BlockId,
    /// The id of a draw: a probability distribution over blocks. [`Effects::draw`](crate::Effects::draw) takes it.
    ChanceId,
}

/// A ground literal: an atom or its negation. It is packed into one number: twice the atom's number, plus one if
/// negated. [`Conjunction::literals`](crate::Conjunction::literals) lists them. Numbers of atoms must be below 2^31.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Literal(u32);

impl Literal {
    /// Creates the literal that is true if the atom is.
    #[must_use]
    pub const fn positive(atom: AtomId) -> Self {
        Self(atom.number() * 2)
    }

    /// Creates the literal that is true if the atom is false.
    #[must_use]
    pub const fn negative(atom: AtomId) -> Self {
        Self(atom.number() * 2 + 1)
    }

    /// Returns the atom of the literal.
    #[must_use]
    pub const fn atom(self) -> AtomId {
        AtomId::new(self.0 / 2)
    }

    /// Returns whether the literal is the negation of its atom.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 % 2 == 1
    }

    /// Returns the negation of the literal.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Returns the packed number, which is less than twice the number of atoms, as an index into a table of literals.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
