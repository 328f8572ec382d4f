//! Formulas: expressions with their variables.

use herbrand_text::Place;

use super::{Expression, Name, TypeId, VariableId};

/// A variable of a formula, such as `?x`. It ranges over the items of a type: its objects or enum values.
/// [`Formula::variables`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The name without the question mark. An anonymous index, written `_`, has the name `_`.
    pub name: Name,
    /// The type over whose items it ranges.
    pub of: TypeId,
    /// The place where it is bound.
    pub place: Place,
}

/// An expression together with the variables that occur in it. Its [`VariableId`]s index `variables`. The CPFs, the
/// reward and the conditions of a domain are formulas ([`Domain::formulas`](super::Domain::formulas)).
#[derive(Clone, PartialEq, Debug)]
pub struct Formula {
    /// The parameters, then the bound variables in the order in which the text binds them. Each variable is bound by one
    /// node only.
    pub variables: Vec<Variable>,
    /// The number of parameters: the parameters of the head for a CPF, else 0.
    pub parameters: u32,
    /// The expression.
    pub body: Expression,
}

impl Formula {
    /// Returns the variable with this id. Panics if the id is of another formula and too large.
    #[must_use]
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// Returns the parameters of the formula, which come first in `variables`.
    #[must_use]
    pub fn parameters(&self) -> &[Variable] {
        &self.variables[..self.parameters as usize]
    }
}

/// A formula with a bool value: a precondition, a constraint, an invariant or a termination condition.
pub type Condition = Formula;
