//! Diagrams under construction. Equal diagrams are shared.

use std::collections::HashMap;

use fxhash::FxBuildHasher;

use super::XaddError;
use super::polynomial::Polynomial;

/// The number of a diagram.
pub(super) type Id = u32;

/// The test of a decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Test {
    /// Whether a bool holds.
    Holds(u32),
    /// Whether a polynomial is greater than 0. Its leading coefficient is positive.
    Above(Polynomial),
    /// Whether a polynomial is at least 0.
    AtLeast(Polynomial),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum DiagramNode {
    Leaf(Polynomial),
    /// The number of a test, the successor if it holds, and the successor if it does not. Both successors have later tests.
    Decision(u32, Id, Id),
}

/// An operation on two leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum LeafOperation {
    Add,
    Subtract,
    Multiply,
}

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

pub(super) struct Store {
    pub(super) parts: Vec<DiagramNode>,
    pub(super) tests: Vec<Test>,
    known: Map<DiagramNode, Id>,
    known_tests: Map<Test, u32>,
    choices: Map<(Id, Id, Id), Id>,
    results: Map<(LeafOperation, Id, Id), Id>,
    /// The maximum number of nodes.
    limit: usize,
    /// The number of terms of all polynomials.
    terms: usize,
}

/// The maximum number of terms of polynomials per node of the limit.
const TERMS_PER_NODE: usize = 16;

/// The maximum number of tests. Recursion over diagrams is at most as deep, and relies on this limit.
const MOST_TESTS: usize = 4_096;

pub(super) type Result<T> = std::result::Result<T, XaddError>;

impl Store {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            parts: Vec::new(),
            tests: Vec::new(),
            known: Map::default(),
            known_tests: Map::default(),
            choices: Map::default(),
            results: Map::default(),
            limit,
            terms: 0,
        }
    }

    fn part(&mut self, part: DiagramNode) -> Result<Id> {
        if let Some(&known) = self.known.get(&part) {
            return Ok(known);
        }
        if self.parts.len() >= self.limit {
            return Err(XaddError::TooLarge(self.limit));
        }
        let id = self.parts.len() as Id;
        self.parts.push(part.clone());
        self.known.insert(part, id);
        Ok(id)
    }

    pub(super) fn leaf(&mut self, polynomial: Polynomial) -> Result<Id> {
        if !polynomial.is_finite() {
            return Err(XaddError::NotPolynomial("a number that is not finite"));
        }
        self.part(DiagramNode::Leaf(polynomial))
    }

    pub(super) fn constant(&mut self, value: f64) -> Result<Id> {
        self.leaf(Polynomial::constant(value))
    }

    pub(super) fn truth(&mut self, value: bool) -> Result<Id> {
        self.constant(f64::from(u8::from(value)))
    }

    /// Returns the polynomial of a diagram without decisions; `None` if it has decisions.
    pub(super) fn as_leaf(&self, id: Id) -> Option<&Polynomial> {
        match &self.parts[id as usize] {
            DiagramNode::Leaf(polynomial) => Some(polynomial),
            DiagramNode::Decision(..) => None,
        }
    }

    pub(super) fn as_constant(&self, id: Id) -> Option<f64> {
        self.as_leaf(id).and_then(Polynomial::as_constant)
    }

    /// Returns a decision. Its test must precede the tests of both successors.
    pub(super) fn decision(&mut self, test: u32, high: Id, low: Id) -> Result<Id> {
        if high == low {
            return Ok(high);
        }
        self.part(DiagramNode::Decision(test, high, low))
    }

    pub(super) fn bool_variable(&mut self, variable: u32) -> Result<Id> {
        self.asked(Test::Holds(variable), false)
    }

    /// Returns the diagram that is 1 if a test holds, or if it does not hold.
    fn asked(&mut self, test: Test, negated: bool) -> Result<Id> {
        let next = self.tests.len() as u32;
        let number = *self.known_tests.entry(test.clone()).or_insert(next);
        if number == next {
            self.tests.push(test);
            if self.tests.len() > MOST_TESTS {
                return Err(XaddError::TooLarge(self.limit));
            }
        }
        let (high, low) = (self.truth(!negated)?, self.truth(negated)?);
        self.decision(number, high, low)
    }

    /// Returns the diagram of whether a polynomial is greater than 0, or at least 0.
    fn sign(&mut self, polynomial: &Polynomial, or_zero: bool) -> Result<Id> {
        if let Some(value) = polynomial.as_constant() {
            return self.truth(if or_zero { value >= 0.0 } else { value > 0.0 });
        }
        let leading = polynomial.leading();
        // p ≥ 0 unless −p > 0.
        let negated = leading < 0.0;
        let positive = if negated {
            polynomial.mapped(|one| -one)
        } else {
            polynomial.clone()
        };
        // Scaled only if the division is exact.
        let size = leading.abs();
        let scaled = positive.mapped(|one| one / size);
        let is_exact = scaled.mapped(|one| one * size) == positive;
        let polynomial = if is_exact { scaled } else { positive };
        let test = if or_zero == negated {
            Test::Above(polynomial)
        } else {
            Test::AtLeast(polynomial)
        };
        self.asked(test, negated)
    }

    /// Returns the number of the first test; `None` for a leaf.
    fn top(&self, id: Id) -> Option<u32> {
        match self.parts[id as usize] {
            DiagramNode::Leaf(_) => None,
            DiagramNode::Decision(test, ..) => Some(test),
        }
    }

    /// Returns the diagram restricted to a test that holds, and to the test that does not hold. The test must not come after
    /// the diagram's first test.
    fn sides(&self, id: Id, test: u32) -> (Id, Id) {
        match self.parts[id as usize] {
            DiagramNode::Decision(own, high, low) if own == test => (high, low),
            _ => (id, id),
        }
    }

    /// Selects between two diagrams by a condition that is 0 or 1.
    pub(super) fn choose(&mut self, condition: Id, then: Id, otherwise: Id) -> Result<Id> {
        if then == otherwise {
            return Ok(then);
        }
        match self.as_constant(condition) {
            Some(0.0) => return Ok(otherwise),
            Some(_) => return Ok(then),
            None => {}
        }
        let key = (condition, then, otherwise);
        if let Some(&known) = self.choices.get(&key) {
            return Ok(known);
        }
        let tops = [condition, then, otherwise]
            .into_iter()
            .filter_map(|id| self.top(id));
        let Some(test) = tops.min() else {
            return Err(XaddError::NotPolynomial("a condition that is a number"));
        };
        let [c, a, b] = [condition, then, otherwise].map(|id| self.sides(id, test));
        let high = self.choose(c.0, a.0, b.0)?;
        let low = self.choose(c.1, a.1, b.1)?;
        let chosen = self.decision(test, high, low)?;
        self.choices.insert(key, chosen);
        Ok(chosen)
    }

    /// Applies an operation to the leaves of two diagrams.
    pub(super) fn combine(&mut self, operation: LeafOperation, a: Id, b: Id) -> Result<Id> {
        let key = (operation, a, b);
        if let Some(&known) = self.results.get(&key) {
            return Ok(known);
        }
        let result = if let (Some(x), Some(y)) = (self.as_leaf(a), self.as_leaf(b)) {
            let more = match operation {
                LeafOperation::Multiply => x.len().saturating_mul(y.len()),
                LeafOperation::Add | LeafOperation::Subtract => x.len() + y.len(),
            };
            let terms = self.terms.saturating_add(more);
            if terms > self.limit.saturating_mul(TERMS_PER_NODE) {
                return Err(XaddError::TooLarge(self.limit));
            }
            let polynomial = match operation {
                LeafOperation::Add => x.plus(y),
                LeafOperation::Subtract => x.minus(y),
                LeafOperation::Multiply => x
                    .times(y)
                    .ok_or(XaddError::NotPolynomial("a power above 1,000"))?,
            };
            self.terms = terms;
            self.leaf(polynomial)?
        } else {
            let tops = [a, b].into_iter().filter_map(|id| self.top(id));
            let test = tops.min().unwrap_or(0);
            let (a, b) = (self.sides(a, test), self.sides(b, test));
            let high = self.combine(operation, a.0, b.0)?;
            let low = self.combine(operation, a.1, b.1)?;
            self.decision(test, high, low)?
        };
        self.results.insert(key, result);
        Ok(result)
    }

    /// Replaces every leaf by the diagram that `f` returns for it. Those diagrams may have any tests.
    pub(super) fn map(
        &mut self,
        id: Id,
        f: &mut impl FnMut(&mut Self, &Polynomial) -> Result<Id>,
    ) -> Result<Id> {
        let mut known = Map::default();
        self.map_known(id, f, &mut known)
    }

    fn map_known(
        &mut self,
        id: Id,
        f: &mut impl FnMut(&mut Self, &Polynomial) -> Result<Id>,
        known: &mut Map<Id, Id>,
    ) -> Result<Id> {
        if let Some(&known) = known.get(&id) {
            return Ok(known);
        }
        let result = match self.parts[id as usize].clone() {
            DiagramNode::Leaf(polynomial) => f(self, &polynomial)?,
            DiagramNode::Decision(test, high, low) => {
                let high = self.map_known(high, f, known)?;
                let low = self.map_known(low, f, known)?;
                let (yes, no) = (self.truth(true)?, self.truth(false)?);
                let asked = self.decision(test, yes, no)?;
                self.choose(asked, high, low)?
            }
        };
        known.insert(id, result);
        Ok(result)
    }

    /// Returns the diagram of whether a diagram is greater than 0, or at least 0.
    pub(super) fn is_positive(&mut self, id: Id, or_zero: bool) -> Result<Id> {
        self.map(id, &mut |store, polynomial| store.sign(polynomial, or_zero))
    }

    /// Returns the diagram of whether a diagram is 0.
    pub(super) fn is_zero(&mut self, id: Id) -> Result<Id> {
        let (at_least, above) = (self.is_positive(id, true)?, self.is_positive(id, false)?);
        let no = self.truth(false)?;
        self.choose(above, no, at_least)
    }

    pub(super) fn not(&mut self, id: Id) -> Result<Id> {
        let (yes, no) = (self.truth(true)?, self.truth(false)?);
        self.choose(id, no, yes)
    }
}
