//! Ground conditions: disjunctions of conjunctions of literals and comparisons.

use herbrand_pddl::{ArithmeticOperator, Comparison, Special};

use super::{ConditionId, ConjunctionId, ExpressionId, Literal, NumericId, Rows};

/// The ground conditions of a task: preconditions, effect conditions and the goal, and the bodies of axioms.
/// [`GroundTask::conditions`](crate::GroundTask::conditions) holds them.
///
/// A condition is a disjunction of conjunctions. It holds if one of its conjunctions holds; an empty disjunction is false. A
/// conjunction holds if all its literals and comparisons hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Conditions {
    /// The end of each condition's run of consecutive conjunctions.
    ends: Vec<u32>,
    literals: Rows<Literal>,
    comparisons: Rows<GroundComparison>,
}

/// A comparison of two ground expressions, possibly negated. [`Conjunction::comparisons`] lists them. A comparison is
/// false if a side is undefined, divides by zero or overflows, so its negation is then true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundComparison {
    /// Whether the comparison is negated.
    pub negated: bool,
    /// The comparison operator.
    pub comparison: Comparison,
    /// The left side, an index into [`GroundTask::expressions`](crate::GroundTask::expressions).
    pub left: ExpressionId,
    /// The right side, an index into [`GroundTask::expressions`](crate::GroundTask::expressions).
    pub right: ExpressionId,
}

/// A node of a ground numeric expression, in [`GroundTask::expressions`](crate::GroundTask::expressions). Its operands have
/// smaller ids.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GroundExpression {
    /// A constant.
    Number(f64),
    /// The value of a numeric fluent. It may be undefined in a state.
    Fluent(NumericId),
    /// An undefined value: a static function without a value for these arguments.
    Undefined,
    /// A binary operation. The operator is never [`ArithmeticOperator::Negate`]. The two operands follow, left and
    /// right.
    Apply(ArithmeticOperator, ExpressionId, ExpressionId),
    /// A special quantity of a metric, such as the total time.
    Special(Special),
}

/// One conjunction of a condition, which holds if all its literals and comparisons hold; an empty one always does.
/// [`Conditions::get`] returns it.
#[derive(Clone, Copy, Debug)]
pub struct Conjunction<'a> {
    /// The literals, in the order of the schema's text as far as they come from it.
    pub literals: &'a [Literal],
    /// The comparisons.
    pub comparisons: &'a [GroundComparison],
}

impl Conditions {
    /// Appends a conjunction to the condition under construction, which [`finish`](Self::finish) ends, and returns its id.
    pub fn conjunction(
        &mut self,
        literals: impl IntoIterator<Item = Literal>,
        comparisons: impl IntoIterator<Item = GroundComparison>,
    ) -> ConjunctionId {
        self.comparisons.push(comparisons);
        ConjunctionId::from_index(self.literals.push(literals))
    }

    /// Ends the condition under construction and returns its id. The condition consists of the conjunctions appended since
    /// the last call; without any, it is false.
    pub fn finish(&mut self) -> ConditionId {
        self.ends
            .push(ConjunctionId::from_index(self.literals.len()).number());
        ConditionId::from_index(self.ends.len() - 1)
    }

    /// Iterates over the ids of the conjunctions of a condition.
    ///
    /// # Panics
    /// If there is no such condition.
    #[inline]
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

    /// Returns the conjunction with this id.
    ///
    /// # Panics
    /// If there is no such conjunction.
    #[must_use]
    #[inline]
    pub fn get(&self, id: ConjunctionId) -> Conjunction<'_> {
        Conjunction {
            literals: self.literals.row(id.index()),
            comparisons: self.comparisons.row(id.index()),
        }
    }

    /// Iterates over the ids of all conditions in ascending order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ConditionId> + use<> {
        (0..self.ends.len()).map(ConditionId::from_index)
    }

    /// Iterates over all conjunctions of all conditions in ascending order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Conjunction<'_>> {
        (0..self.len()).map(|index| self.get(ConjunctionId::from_index(index)))
    }

    /// Returns whether any condition has a comparison.
    #[must_use]
    pub fn has_comparisons(&self) -> bool {
        !self.comparisons.items().is_empty()
    }

    /// Returns the total number of literals and comparisons in all conditions.
    #[must_use]
    pub fn size(&self) -> usize {
        self.literals.items().len() + self.comparisons.items().len()
    }

    /// Returns the total number of conjunctions in all conditions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.literals.len()
    }

    /// Returns whether the total number of conjunctions is 0: there are no conditions, or all of them are false.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    /// Returns the size of the conditions in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.ends.len() * size_of::<u32>() + self.literals.bytes() + self.comparisons.bytes()
    }
}
