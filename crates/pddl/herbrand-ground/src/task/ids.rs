//! The ids of a ground task's elements: numbers from 0, as newtypes over `u32`.

herbrand_text::ids! {
    /// The id of a ground atom that can change. Fluent atoms come first, then derived atoms; both are ordered by
    /// predicate, then by arguments. [`GroundTask::find_atom`](crate::GroundTask::find_atom) returns it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    AtomId,
    /// The id of a ground action. Actions are ordered by schema, then by arguments.
    /// [`GroundTask::find_action`](crate::GroundTask::find_action) and [`GroundActions::ids`](crate::GroundActions::ids) return it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    ActionId,
    /// The id of a ground numeric fluent: first the numeric fluents of the state, then accumulators. It is an index
    /// into [`GroundTask::numerics`](crate::GroundTask::numerics).
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    NumericId,
    /// The id of a node of a ground numeric expression, an index into
    /// [`GroundTask::expressions`](crate::GroundTask::expressions).
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    ExpressionId,
    /// The id of a ground condition, a disjunction of conjunctions. [`Conditions::finish`](crate::Conditions::finish)
    /// returns it; [`Conditions::conjunctions`](crate::Conditions::conjunctions) takes it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    ConditionId,
    /// The id of a conjunction of a condition. [`Conditions::conjunctions`](crate::Conditions::conjunctions) lists
    /// them, and [`Conditions::get`](crate::Conditions::get) takes one.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    ConjunctionId,
    /// The id of a block of effects that happen together. [`Effects::get`](crate::Effects::get) takes it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    BlockId,
    /// The id of a draw: a probability distribution over blocks. [`Effects::draw`](crate::Effects::draw) takes it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
