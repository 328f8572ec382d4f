//! Effects of actions.

use super::{Atom, Expression, Formula, FunctionTerm, Probability, VariableId};

/// The effect of an action: [`ActionSchema::effect`](super::ActionSchema::effect). Effects nest freely.
///
/// Conditions and right-hand sides read the state before the action; deletes go before adds (PDDL 2.1,
/// Fox & Long 2003, section 6; PPDDL 1.0, Younes & Littman 2004, section 2).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// All of the effects, at the same time. An empty `And` changes nothing.
    And(Vec<Effect>),
    /// The atom becomes true.
    Add(Atom),
    /// The atom becomes false, unless the same action also adds it.
    Delete(Atom),
    /// A function term takes a new value.
    Assign(Assignment),
    /// The inner effect for all combinations of objects of the variables' types. The ids refer to the variables of the
    /// schema.
    Forall(Vec<VariableId>, Box<Effect>),
    /// The inner effect if the formula holds before the action.
    When(Formula, Box<Effect>),
    /// At most one of the alternatives, drawn with its probability. If the probabilities sum to less than 1, nothing happens
    /// with the remaining probability. Draws of different probabilistic effects are independent.
    Probabilistic(Vec<(Probability, Effect)>),
}

impl Effect {
    /// The empty effect.
    pub const NOTHING: Self = Self::And(Vec::new());
}

/// A time of a durative action, at which a condition must hold or an effect happens ([`DurativeAction`](super::DurativeAction)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeSpecifier {
    /// `at start`: the instant at which the action starts.
    Start,
    /// `over all`: every instant between start and end, without these two. Effects have no such time.
    OverAll,
    /// `at end`: the instant at which the action ends.
    End,
}

/// A numeric effect: `target := target ∘ value` for an operator `∘`, or `target := value` for `assign`.
/// [`Effect::Assign`] contains one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Assignment {
    /// The operator that combines the old value with the right-hand side.
    pub operator: AssignOperator,
    /// The function term that is assigned.
    pub target: FunctionTerm,
    /// The right-hand side, evaluated in the state before the action.
    pub value: Expression,
}

/// The operator of a numeric effect, which computes the new value from the old one and the right-hand side. It is
/// [`Assignment::operator`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum AssignOperator {
    /// `assign`: the right-hand side is the new value.
    Assign,
    /// `increase`: adds the right-hand side.
    Increase,
    /// `decrease`: subtracts the right-hand side.
    Decrease,
    /// `scale-up`: multiplies by the right-hand side.
    ScaleUp,
    /// `scale-down`: divides by the right-hand side, which must not be 0.
    ScaleDown,
}
