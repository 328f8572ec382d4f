//! Ground conditions: disjunctions of conjunctions of literals and comparisons.

use herbrand_pddl::{Comparison, Operator, Special};

use super::{ConditionId, ConjunctionId, ExpressionId, Literal, NumericId, Rows};

/// All ground conditions of a task.
///
/// A condition is a run of conjunctions and holds when one of them does; without any it never holds. A conjunction
/// holds when all its literals and comparisons do.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Conditions {
    /// The conjunctions of each condition are consecutive; here is where each condition's run ends.
    ends: Vec<u32>,
    literals: Rows<Literal>,
    comparisons: Rows<GroundComparison>,
}

/// A comparison of two ground expressions that must be true, or false when negated. A comparison with an undefined
/// side is false, so its negation is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundComparison {
    /// Whether the comparison must be false.
    pub negated: bool,
    /// How they are compared.
    pub comparison: Comparison,
    /// The left side.
    pub left: ExpressionId,
    /// The right side.
    pub right: ExpressionId,
}

/// A node of a ground expression. Operands always come before the node that uses them.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GroundExpression {
    /// A number.
    Number(f64),
    /// The value of a numeric fluent.
    Fluent(NumericId),
    /// A value that is nowhere defined: a static function without a value for these arguments.
    Undefined,
    /// Two operands and an operator; never [`Operator::Negate`].
    Apply(Operator, ExpressionId, ExpressionId),
    /// A quantity of a metric.
    Special(Special),
}

/// One conjunction of a condition.
#[derive(Clone, Copy, Debug)]
pub struct Conjunction<'a> {
    /// The literals that must all hold, in the order of the schema's text where they come from it.
    pub literals: &'a [Literal],
    /// The comparisons that must all hold.
    pub comparisons: &'a [GroundComparison],
}

impl Conditions {
    /// Appends a conjunction to the condition that is being written.
    pub fn conjunction(
        &mut self,
        literals: impl IntoIterator<Item = Literal>,
        comparisons: impl IntoIterator<Item = GroundComparison>,
    ) -> ConjunctionId {
        self.comparisons.push(comparisons);
        ConjunctionId::from_index(self.literals.push(literals))
    }

    /// Ends the condition that is being written: the conjunctions appended since the last call.
    pub fn finish(&mut self) -> ConditionId {
        self.ends
            .push(ConjunctionId::from_index(self.literals.len()).number());
        ConditionId::from_index(self.ends.len() - 1)
    }

    /// The conjunctions of a condition.
    pub fn conjunctions(
        &self,
        id: ConditionId,
    ) -> impl ExactSizeIterator<Item = ConjunctionId> + Clone + use<> {
        let start = if id.index() == 0 {
            0
        } else {
            self.ends[id.index() - 1]
        };
        (start..self.ends[id.index()]).map(ConjunctionId::new)
    }

    /// What a conjunction asks for.
    #[must_use]
    pub fn get(&self, id: ConjunctionId) -> Conjunction<'_> {
        Conjunction {
            literals: self.literals.row(id.index()),
            comparisons: self.comparisons.row(id.index()),
        }
    }

    /// The ids of all conditions, ascending.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ConditionId> + use<> {
        (0..self.ends.len()).map(ConditionId::from_index)
    }

    /// All conjunctions, in ascending order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Conjunction<'_>> {
        (0..self.len()).map(|index| self.get(ConjunctionId::from_index(index)))
    }

    /// Whether any condition compares numbers.
    #[must_use]
    pub fn has_comparisons(&self) -> bool {
        !self.comparisons.items().is_empty()
    }

    /// The number of literals and comparisons of all conditions.
    #[must_use]
    pub fn size(&self) -> usize {
        self.literals.items().len() + self.comparisons.items().len()
    }

    /// The number of conjunctions of all conditions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.literals.len()
    }

    /// Whether there is no conjunction.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    /// The bytes that the conditions hold on to.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.ends.len() * size_of::<u32>() + self.literals.bytes() + self.comparisons.bytes()
    }
}
