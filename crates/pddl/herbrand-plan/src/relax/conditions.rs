//! The facts that conditions need.

use fxhash::FxHashMap;
use herbrand_ground::{
    ConditionId, ConjunctionId, ExpressionId, GroundComparison, GroundExpression, Literal, NumericId,
};

use super::build::{Builder, Input};
use super::{ComparisonFact, NONE, TRUE};
use crate::linear::Variable;

/// The facts that a condition needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NeededFacts {
    /// The condition is false in all states considered.
    Nothing,
    /// The condition needs all of these facts. They are ascending and do not include [`TRUE`].
    Facts(Vec<u32>),
}

/// The facts numbered so far.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) literals: Vec<Option<Literal>>,
    /// For each literal, its fact or [`NONE`].
    numbers: Vec<u32>,
    pub(super) comparisons: Vec<ComparisonFact>,
    compared: FxHashMap<GroundComparison, u32>,
    /// For each condition with several conjunctions, its auxiliary fact.
    disjunctions: FxHashMap<ConditionId, u32>,
    /// Literals of derived atoms whose operators are still to be added.
    pub(super) open: Vec<(Literal, u32)>,
}

impl Facts {
    pub(super) fn new(atoms: usize) -> Self {
        let mut facts = Self {
            numbers: vec![NONE; atoms * 2],
            ..Self::default()
        };
        facts.auxiliary();
        facts
    }

    /// Adds a fact that is not a literal.
    pub(super) fn auxiliary(&mut self) -> u32 {
        self.literals.push(None);
        self.literals.len() as u32 - 1
    }

    /// Returns the fact of a literal, or [`NONE`] if no condition needs it so far.
    pub(super) fn number(&self, literal: Literal) -> u32 {
        self.numbers[literal.index()]
    }

    fn of_literal(&mut self, literal: Literal, derived: bool) -> u32 {
        let known = self.numbers[literal.index()];
        if known != NONE {
            return known;
        }
        let fact = self.auxiliary();
        self.literals[fact as usize] = Some(literal);
        self.numbers[literal.index()] = fact;
        if derived {
            self.open.push((literal, fact));
        }
        fact
    }
}

impl Builder<'_> {
    /// Returns the facts of a condition. A condition with several conjunctions gets an auxiliary fact.
    pub(super) fn condition(&mut self, id: ConditionId) -> NeededFacts {
        let task = self.input.task;
        let mut conjunctions = task.conditions.conjunctions(id);
        match conjunctions.len() {
            0 => NeededFacts::Nothing,
            1 => match conjunctions.next() {
                Some(only) => self.conjunction(only),
                None => NeededFacts::Nothing,
            },
            _ => self.disjunction(id),
        }
    }

    fn disjunction(&mut self, id: ConditionId) -> NeededFacts {
        if let Some(&fact) = self.facts.disjunctions.get(&id) {
            return NeededFacts::Facts(vec![fact]);
        }
        let fact = self.facts.auxiliary();
        self.facts.disjunctions.insert(id, fact);
        for conjunction in self.input.task.conditions.conjunctions(id) {
            if let NeededFacts::Facts(needed) = self.conjunction(conjunction) {
                self.operator(NONE, &needed, &[fact]);
            }
        }
        NeededFacts::Facts(vec![fact])
    }

    /// Returns the facts of one conjunction.
    pub(super) fn conjunction(&mut self, id: ConjunctionId) -> NeededFacts {
        let conjunction = self.input.task.conditions.get(id);
        let mut needed = Vec::with_capacity(conjunction.literals.len() + conjunction.comparisons.len());
        for &literal in conjunction.literals {
            match self.literal(literal) {
                Some(TRUE) => {}
                Some(fact) => needed.push(fact),
                None => return NeededFacts::Nothing,
            }
        }
        for &comparison in conjunction.comparisons {
            needed.push(self.comparison(comparison));
        }
        needed.sort_unstable();
        needed.dedup();
        NeededFacts::Facts(needed)
    }

    /// Returns the fact of a literal: [`TRUE`] if it is true in all states considered, `None` if it is false in all of them.
    pub(super) fn literal(&mut self, literal: Literal) -> Option<u32> {
        let atom = literal.atom();
        if atom.number() >= self.input.task.fluents {
            return Some(self.facts.of_literal(literal, true));
        }
        let Input { start, changed, .. } = &self.input;
        let Some(start) = start else {
            return Some(self.facts.of_literal(literal, false));
        };
        let [added, deleted] = changed[atom.index()];
        let holds = start.holds(atom) == Some(!literal.is_negative());
        let (rises, falls) = if literal.is_negative() {
            (deleted, added)
        } else {
            (added, deleted)
        };
        match (holds, rises, falls) {
            (true, _, false) => Some(TRUE),
            (false, false, _) => None,
            _ => Some(self.facts.of_literal(literal, false)),
        }
    }

    /// Returns the fact of a comparison.
    pub(super) fn comparison(&mut self, comparison: GroundComparison) -> u32 {
        if let Some(&fact) = self.facts.compared.get(&comparison) {
            return fact;
        }
        let fact = self.facts.auxiliary();
        self.facts.compared.insert(comparison, fact);
        let side = |id: ExpressionId| self.input.forms[id.index()].as_ref();
        let difference = side(comparison.left)
            .zip(side(comparison.right))
            .and_then(|(left, right)| left.plus(right, -1.0));
        let reads = self.numbers_read([comparison.left, comparison.right]);
        // A number that cancels out must still be defined: `(= (f) (f))` becomes true when `(f)` gets a value.
        let difference = difference.filter(|difference| {
            let factor = |id: &NumericId| difference.factor(Variable::Fluent(*id));
            reads.iter().all(|id| factor(id) != 0.0)
        });
        self.facts.comparisons.push(ComparisonFact {
            fact,
            comparison,
            reads,
            difference,
        });
        fact
    }

    /// Returns the numeric fluents in two expressions, ascending.
    fn numbers_read(&self, roots: [ExpressionId; 2]) -> Vec<NumericId> {
        let mut open = roots.to_vec();
        let mut numbers = Vec::new();
        while let Some(id) = open.pop() {
            match self.input.task.expressions[id.index()] {
                GroundExpression::Fluent(number) => numbers.push(number),
                GroundExpression::Apply(_, left, right) => open.extend([left, right]),
                GroundExpression::Number(_) | GroundExpression::Undefined | GroundExpression::Special(_) => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
