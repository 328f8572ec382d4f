//! Effects of actions.

use super::{Atom, Expression, Formula, FunctionTerm, Probability, VariableId};

/// What an action does, nested freely.
///
/// Conditions and right-hand sides read the state before the action; deletes go before adds (PDDL 2.1,
/// Fox & Long 2003, section 6; PPDDL 1.0, Younes & Littman 2004, section 2).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// All of these; `And` of nothing changes nothing.
    And(Vec<Effect>),
    /// The atom becomes true.
    Add(Atom),
    /// The atom becomes false.
    Delete(Atom),
    /// A function gets another value.
    Assign(Assignment),
    /// For every object of the variables' types.
    Forall(Vec<VariableId>, Box<Effect>),
    /// If the formula holds before the action.
    When(Formula, Box<Effect>),
    /// One of the alternatives, drawn with its probability; nothing with what is left of 1. Independent of every
    /// other probabilistic effect.
    Probabilistic(Vec<(Probability, Effect)>),
}

impl Effect {
    /// The effect that changes nothing.
    pub const NOTHING: Self = Self::And(Vec::new());
}

/// A numeric effect: `target := target ∘ value`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Assignment {
    /// How the value is used.
    pub operator: AssignOperator,
    /// The function term that changes.
    pub target: FunctionTerm,
    /// The right-hand side, read before the action.
    pub value: Expression,
}

/// How a numeric effect uses its right-hand side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum AssignOperator {
    /// `assign`
    Assign,
    /// `increase`
    Increase,
    /// `decrease`
    Decrease,
    /// `scale-up`
    ScaleUp,
    /// `scale-down`
    ScaleDown,
}
