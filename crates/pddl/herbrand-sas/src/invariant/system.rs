//! Systems of equalities and inequalities between the terms of a rule.

use super::rule::{Change, Literal, Objects, Rule};

/// Two terms: indices of the rule's terms, then the parameters of a candidate.
pub(super) type Pair = (usize, usize);

/// The largest number of combinations of choices that are tried. After it, the answer is the careful one.
const MOST_COMBINATIONS: u32 = 10_000;

/// Equalities and inequalities that hold, literals that are known, and requirements that must follow.
pub(super) struct System<'a> {
    rule: &'a Rule,
    /// The number of terms, with the candidate's parameters.
    size: usize,
    /// The known literals.
    pub(super) known: Vec<Literal>,
    /// The pairs of terms that are known to differ.
    known_unequal: Vec<Pair>,
    /// The equalities that hold in each solution.
    pub(super) equal: Vec<Pair>,
    /// For each requirement, its alternatives: equalities that fulfil it.
    choices: Vec<Vec<Vec<Pair>>>,
    /// Clauses: in each list, one pair must differ.
    clauses: Vec<Vec<Pair>>,
    /// The classes of the fixed terms, which a solution must not merge with each other or with constants.
    fixed: Vec<(usize, usize)>,
    fixed_classes: Classes,
    /// The variables that a solution binds to terms.
    bound: Vec<usize>,
}

impl<'a> System<'a> {
    /// Creates the system in which the precondition of a rule is known.
    pub(super) fn new(rule: &'a Rule, parameters: usize) -> Self {
        let mut system = Self {
            rule,
            size: rule.terms.len() + parameters,
            known: rule.literals.clone(),
            known_unequal: rule.unequal.clone(),
            equal: rule.equal.clone(),
            choices: Vec::new(),
            clauses: Vec::new(),
            fixed: Vec::new(),
            fixed_classes: Classes::default(),
            bound: Vec::new(),
        };
        system.clauses.extend(rule.unequal.iter().map(|&pair| vec![pair]));
        system
    }

    /// Adds what is known if a change happens.
    pub(super) fn suppose(&mut self, change: &Change) {
        self.known.extend(change.condition.iter().cloned());
        self.equal.extend(&change.equal);
        self.known_unequal.extend(&change.unequal);
        self.clauses.extend(change.unequal.iter().map(|&pair| vec![pair]));
    }

    /// Adds that an atom is true or false.
    pub(super) fn assert(&mut self, atom: &Literal, holds: bool) {
        let negated = !holds;
        self.known.push(Literal {
            negated,
            ..atom.clone()
        });
    }

    /// Adds that two atoms are not the same.
    pub(super) fn differ(&mut self, one: &Literal, other: &Literal) {
        if one.predicate == other.predicate {
            self.clauses.push(pairs(one, other));
        }
    }

    /// Returns whether all that is known can be true at once.
    pub(super) fn is_satisfiable(&mut self) -> bool {
        self.is_satisfiable_without(&[])
    }

    /// Returns whether all that is known can be true at once, without that all pairs of a list follow to be equal.
    pub(super) fn is_satisfiable_without(&mut self, excluded: &[Vec<Pair>]) -> bool {
        for index in 0..self.known.len() {
            let one = &self.known[index];
            for other in &self.known[index + 1..] {
                if one.predicate == other.predicate && one.negated != other.negated {
                    self.clauses.push(pairs(one, other));
                }
            }
        }
        let Some(classes) = self.classes(&self.equal) else {
            return false;
        };
        let follows = |pairs: &Vec<Pair>| {
            pairs
                .iter()
                .all(|&(one, other)| classes.root(one) == classes.root(other))
        };
        self.allows(&classes) && !excluded.iter().any(follows)
    }

    /// Fixes terms: solutions must not make them equal unless the equalities so far do. Returns `false` if these
    /// equalities contradict each other.
    pub(super) fn fix(&mut self, terms: impl Iterator<Item = usize>) -> bool {
        let Some(mut classes) = self.classes(&self.equal) else {
            return false;
        };
        self.fixed = terms.map(|term| (term, classes.find(term))).collect();
        self.fixed_classes = classes;
        true
    }

    /// Adds variables that the solution binds.
    pub(super) fn bind(&mut self, variables: &[usize]) {
        self.bound.extend(variables);
    }

    /// Adds that a literal must follow from the known ones. Returns `false` if it cannot.
    pub(super) fn require(&mut self, literal: &Literal) -> bool {
        let known = self.known.iter();
        let same =
            known.filter(|known| (known.predicate, known.negated) == (literal.predicate, literal.negated));
        let ways: Vec<_> = same.map(|known| pairs(literal, known)).collect();
        let possible = !ways.is_empty();
        self.choices.push(ways);
        possible
    }

    /// Adds that it must follow that two terms differ. Returns `false` if it cannot.
    pub(super) fn require_unequal(&mut self, (one, other): Pair) -> bool {
        let constant = |term: usize| match self.rule.terms.get(term) {
            Some(Objects::Constant(object)) => Some(*object),
            _ => None,
        };
        if let (Some(one), Some(other)) = (constant(one), constant(other)) {
            return one != other;
        }
        let ways = self.known_unequal.iter();
        let ways = ways.flat_map(|&(left, right)| {
            [
                vec![(one, left), (other, right)],
                vec![(one, right), (other, left)],
            ]
        });
        let ways: Vec<_> = ways.collect();
        let possible = !ways.is_empty();
        self.choices.push(ways);
        possible
    }

    /// Returns whether some alternatives of the requirements make the bound variables equal to terms such that all
    /// requirements follow.
    pub(super) fn is_solvable(&self) -> bool {
        let Some(classes) = self.classes(&self.equal) else {
            return false;
        };
        let mut rest = MOST_COMBINATIONS;
        self.solve(&classes, &self.choices, &mut rest)
    }

    fn solve(&self, classes: &Classes, choices: &[Vec<Vec<Pair>>], rest: &mut u32) -> bool {
        let Some((first, others)) = choices.split_first() else {
            return self.keeps(classes);
        };
        for way in first {
            if *rest == 0 {
                return false;
            }
            *rest -= 1;
            let mut merged = classes.clone();
            if self.merge(&mut merged, way) && self.solve(&merged, others, rest) {
                return true;
            }
        }
        false
    }

    /// Returns whether no clause is false.
    fn allows(&self, classes: &Classes) -> bool {
        let differ = |&(one, other): &Pair| classes.root(one) != classes.root(other);
        self.clauses.iter().all(|clause| clause.iter().any(differ))
    }

    /// Returns whether the fixed terms are as free as before, and whether each bound variable is a term of its type.
    fn keeps(&self, classes: &Classes) -> bool {
        for (index, &(term, class)) in self.fixed.iter().enumerate() {
            let root = classes.root(term);
            if classes.constant[root].is_some() && self.fixed_classes.constant[class].is_none() {
                return false;
            }
            let merged = |&(other, before): &(usize, usize)| before != class && classes.root(other) == root;
            if self.fixed[index + 1..].iter().any(merged) {
                return false;
            }
        }
        self.bound
            .iter()
            .all(|&variable| self.has_term(variable, classes))
    }

    /// Returns whether a bound variable equals a term whose values are all of its type, or is free and has a value.
    fn has_term(&self, variable: usize, classes: &Classes) -> bool {
        let Objects::Any(objects) = &self.rule.terms[variable] else {
            return true;
        };
        let root = classes.root(variable);
        let mut alone = true;
        for (term, range) in self.rule.terms.iter().enumerate() {
            if term == variable || classes.root(term) != root {
                continue;
            }
            alone = false;
            let fits = match range {
                Objects::Constant(object) => objects.contains(object.index()),
                Objects::Any(others) => !self.bound.contains(&term) && others.is_subset(objects),
            };
            if fits {
                return true;
            }
        }
        alone && !objects.is_clear()
    }

    /// Returns the classes of terms by these equalities; `None` if two different constants would be equal.
    fn classes(&self, equal: &[Pair]) -> Option<Classes> {
        let constant = |index: usize| match self.rule.terms.get(index) {
            Some(Objects::Constant(object)) => Some(object.index()),
            _ => None,
        };
        let mut classes = Classes {
            parents: (0..self.size).collect(),
            constant: (0..self.size).map(constant).collect(),
        };
        self.merge(&mut classes, equal).then_some(classes)
    }

    /// Makes terms equal. Returns `false` if that is impossible.
    fn merge(&self, classes: &mut Classes, equal: &[Pair]) -> bool {
        equal.iter().all(|&(one, other)| {
            let (one, other) = (classes.find(one), classes.find(other));
            if one == other {
                return true;
            }
            let (left, right) = (classes.constant[one], classes.constant[other]);
            if left.is_some() && right.is_some() || !self.may_meet(one, other) {
                return false;
            }
            // A parameter has no type: a term is the root of the class if there is one.
            let (root, child) = if one < self.rule.terms.len() {
                (one, other)
            } else {
                (other, one)
            };
            classes.parents[child] = root;
            classes.constant[root] = left.or(right);
            true
        })
    }

    /// Returns whether some object can be both terms, as far as their types say.
    fn may_meet(&self, one: usize, other: usize) -> bool {
        match (self.rule.terms.get(one), self.rule.terms.get(other)) {
            (Some(Objects::Any(left)), Some(Objects::Any(right))) => !left.is_disjoint(right),
            (Some(Objects::Any(objects)), Some(Objects::Constant(object)))
            | (Some(Objects::Constant(object)), Some(Objects::Any(objects))) => {
                objects.contains(object.index())
            }
            _ => true,
        }
    }
}

/// The pairs of arguments of two atoms of one predicate.
fn pairs(one: &Literal, other: &Literal) -> Vec<Pair> {
    let others = other.arguments.iter().copied();
    one.arguments.iter().copied().zip(others).collect()
}

/// Classes of equal terms.
#[derive(Clone, Default)]
struct Classes {
    parents: Vec<usize>,
    /// For each root, the constant in its class.
    constant: Vec<Option<usize>>,
}

impl Classes {
    fn root(&self, mut term: usize) -> usize {
        while self.parents[term] != term {
            term = self.parents[term];
        }
        term
    }

    fn find(&mut self, term: usize) -> usize {
        let root = self.root(term);
        self.parents[term] = root;
        root
    }
}
