//! Ids of ground things: newtypes over `u32`.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// The id of the element at `index` of a list.
            ///
            /// # Panics
            /// When `index` does not fit in 32 bits; the grounder's limits end far below that.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("a ground task has fewer than 2^32 elements"))
            }

            /// The number as an index into a list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The bare number.
            #[must_use]
            pub const fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}

ids! {
    /// A ground atom that can change: fluent atoms first, then derived ones; each kind in declaration order.
    AtomId,
    /// A ground action, numbered in declaration order of its schema and then of its arguments.
    ActionId,
    /// A ground numeric fluent: state variables first, then accumulators.
    NumericId,
    /// A ground numeric expression.
    ExpressionId,
    /// A ground condition: a disjunction of conjunctions.
    ConditionId,
    /// One conjunction of a condition.
    ConjunctionId,
    /// A block of effects that happen together.
    BlockId,
    /// A probability distribution over blocks.
    ChanceId,
}

/// A ground literal, packed as twice the atom's number plus one when negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Literal(u32);

impl Literal {
    /// The atom is true.
    #[must_use]
    pub const fn positive(atom: AtomId) -> Self {
        Self(atom.number() * 2)
    }

    /// The atom is false.
    #[must_use]
    pub const fn negative(atom: AtomId) -> Self {
        Self(atom.number() * 2 + 1)
    }

    /// The atom.
    #[must_use]
    pub const fn atom(self) -> AtomId {
        AtomId::new(self.0 / 2)
    }

    /// Whether the atom must be false.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 % 2 == 1
    }

    /// The opposite literal.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The packed number, an index below twice the number of atoms.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
