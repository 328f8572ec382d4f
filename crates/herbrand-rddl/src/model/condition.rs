//! Formulas: expressions with the variables that occur in them.

use herbrand_text::Place;

use super::{Expression, Name, TypeId, VariableId};

/// A variable of a formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The name, without the question mark. An index that has none, written `_`, is called that.
    pub name: Name,
    /// The type of its items.
    pub of: TypeId,
    /// Where it is bound.
    pub place: Place,
}

/// An expression with its variables.
#[derive(Clone, PartialEq, Debug)]
pub struct Formula {
    /// The parameters, then the bound variables in the order in which they are bound in the text. No two nodes bind the same
    /// one.
    pub variables: Vec<Variable>,
    /// How many of them are parameters: those of the head of a CPF, none elsewhere.
    pub parameters: u32,
    /// The expression.
    pub body: Expression,
}

impl Formula {
    /// The variable `id`.
    #[must_use]
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Variable] {
        &self.variables[..self.parameters as usize]
    }
}

/// A truth-valued formula by itself: a precondition, a constraint, an invariant, a termination condition.
pub type Condition = Formula;
