//! Traversals of formulas, effects and expressions.

use super::{Effect, Expression, Formula};

/// The polarity of a sub-formula: the parity of the negations around it. The premise of an `imply` counts as negated.
/// [`Formula::walk`] passes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polarity {
    /// Under an even number of negations.
    Positive,
    /// Under an odd number of negations.
    Negative,
}

impl Polarity {
    /// Returns the opposite polarity.
    #[must_use]
    pub fn flipped(self) -> Self {
        if self == Self::Positive {
            Self::Negative
        } else {
            Self::Positive
        }
    }
}

impl Formula {
    /// Calls `visit` with this formula and all its sub-formulas, each with its polarity, in preorder and from left to
    /// right. This formula itself is [`Positive`](Polarity::Positive). Terms and numeric expressions are not visited.
    ///
    /// ```
    /// use herbrand_pddl::{Formula, Polarity};
    ///
    /// let formula = Formula::Imply(Box::new(Formula::TRUE), Box::new(Formula::Not(Box::new(Formula::TRUE))));
    /// let mut negative = 0;
    /// formula.walk(&mut |_, polarity| negative += usize::from(polarity == Polarity::Negative));
    /// assert_eq!(negative, 2); // the premise, and what `not` negates
    /// ```
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Self, Polarity)) {
        self.walk_as(Polarity::Positive, visit);
    }

    fn walk_as<'a>(&'a self, polarity: Polarity, visit: &mut dyn FnMut(&'a Self, Polarity)) {
        visit(self, polarity);
        match self {
            Self::Atom(_) | Self::Equal(..) | Self::Compare(..) => {}
            Self::Not(inner) => inner.walk_as(polarity.flipped(), visit),
            Self::Forall(_, inner) | Self::Exists(_, inner) => inner.walk_as(polarity, visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.walk_as(polarity, visit)),
            Self::Imply(premise, conclusion) => {
                premise.walk_as(polarity.flipped(), visit);
                conclusion.walk_as(polarity, visit);
            }
        }
    }
}

impl Effect {
    /// Calls `visit` with this effect and all its sub-effects, in preorder and from left to right. The conditions of
    /// effects are not visited.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Add(_) | Self::Delete(_) | Self::Assign(_) => {}
            Self::And(parts) => parts.iter().for_each(|part| part.walk(visit)),
            Self::Forall(_, inner) | Self::When(_, inner) => inner.walk(visit),
            Self::Probabilistic(alternatives) => alternatives.iter().for_each(|(_, inner)| inner.walk(visit)),
        }
    }
}

impl Expression {
    /// Calls `visit` with this expression and all its sub-expressions, in preorder and from left to right.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        if let Self::Apply(_, operands) = self {
            operands.iter().for_each(|operand| operand.walk(visit));
        }
    }
}
