//! The language bias: which tests a node tries.

use herbrand_pddl::{PredicateId, Term, TypeId, TypeUnion};

use super::test::{Test, atom, term};
use crate::Language;

/// Bounds on tests and trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bias {
    /// The most variables of its own that an atom of a test has.
    pub fresh: usize,
    /// The most variables that a node has.
    pub variables: usize,
    /// The most atoms of a test: 1, or 2 for pairs that share a variable of their own. Pairs are tried where no single
    /// atom tells examples apart.
    pub atoms: usize,
    /// The most tests on the way to a leaf that split examples.
    pub depth: usize,
}

impl Default for Bias {
    fn default() -> Self {
        Self {
            fresh: 2,
            variables: 12,
            atoms: 2,
            depth: 12,
        }
    }
}

/// The equalities of variables, with each other and with constants, that may stand for one object.
pub(crate) fn equalities(language: &Language, variables: &[TypeUnion]) -> Vec<Test> {
    let domain = language.domain();
    let related = |one: &TypeUnion, other: &TypeUnion| {
        domain.is_assignable(one, other) || domain.is_assignable(other, one)
    };
    let mut tests = Vec::new();
    for (index, types) in variables.iter().enumerate() {
        let before = variables[..index].iter().enumerate();
        let same = before.filter(|(_, other)| related(types, other));
        tests.extend(same.map(|(other, _)| Test::Equal(term(other), term(index))));
        let constants = language.constants().map(Term::Object);
        let fitting = constants.filter(|&constant| related(types, language.types_of(variables, constant)));
        tests.extend(fitting.map(|constant| Test::Equal(term(index), constant)));
    }
    tests
}

/// The tests of one atom over these variables, constants and fresh variables.
pub(crate) fn atoms(language: &Language, variables: &[TypeUnion], bias: &Bias) -> Vec<Test> {
    let mut tests = Vec::new();
    for predicate in language.predicates() {
        for arguments in argument_lists(language, variables, predicate, bias.fresh) {
            tests.extend(typed(language, variables.len(), predicate, arguments));
        }
    }
    tests
}

/// The tests of two atoms, of which the second one reads a fresh variable of the first and has none of its own.
pub(crate) fn pairs(language: &Language, variables: &[TypeUnion], bias: &Bias) -> Vec<Test> {
    let mut tests = Vec::new();
    for first in atoms(language, variables, bias) {
        let Test::Exists { fresh, atoms: one } = first else {
            continue;
        };
        if fresh.is_empty() {
            continue;
        }
        let wider = [variables, fresh.as_slice()].concat();
        for predicate in language.predicates() {
            for arguments in argument_lists(language, &wider, predicate, 0) {
                let second = atom(predicate, arguments);
                let links =
                    |&argument: &Term| matches!(argument, Term::Variable(v) if v.index() >= variables.len());
                if second.arguments.iter().any(links) && second != one[0] {
                    tests.push(Test::Exists {
                        fresh: fresh.clone(),
                        atoms: vec![one[0].clone(), second],
                    });
                }
            }
        }
    }
    tests
}

/// The arguments that an atom of a predicate may have: variables and constants of fitting types, or fresh variables, which
/// are numbered in order. Of constants alone there is nothing to learn.
fn argument_lists(
    language: &Language,
    variables: &[TypeUnion],
    predicate: PredicateId,
    most_fresh: usize,
) -> Vec<Vec<Term>> {
    let arity = language.domain().predicate(predicate).parameters.len();
    let mut partial: Vec<(Vec<Term>, usize)> = vec![(Vec::new(), 0)];
    for place in 0..arity {
        let expected = language.expected(predicate, place);
        let all = (0..variables.len())
            .map(term)
            .chain(language.constants().map(Term::Object));
        let fits = |term: &Term| {
            language
                .domain()
                .is_assignable(language.types_of(variables, *term), expected)
        };
        let fitting: Vec<Term> = all.filter(fits).collect();
        let mut longer = Vec::new();
        for (start, fresh) in partial {
            for &term in &fitting {
                longer.push(([start.as_slice(), &[term]].concat(), fresh));
            }
            if fresh < most_fresh {
                let new = term(variables.len() + fresh);
                longer.push(([start.as_slice(), &[new]].concat(), fresh + 1));
            }
        }
        partial = longer;
    }
    let lists = partial.into_iter().map(|(arguments, _)| arguments);
    lists
        .filter(|arguments| {
            arguments.is_empty() || arguments.iter().any(|term| matches!(term, Term::Variable(_)))
        })
        .collect()
}

/// The tests of an atom: with its fresh variables of the types that are declared and, where there is one of them, of each
/// kind of that type.
fn typed(language: &Language, first: usize, predicate: PredicateId, arguments: Vec<Term>) -> Vec<Test> {
    let declared: Vec<TypeUnion> = arguments
        .iter()
        .enumerate()
        .filter(|(_, term)| matches!(term, Term::Variable(variable) if variable.index() >= first))
        .map(|(place, _)| language.expected(predicate, place).clone())
        .collect();
    let mut choices = vec![declared.clone()];
    if let [only] = declared.as_slice() {
        choices.extend(
            kinds(language, only)
                .into_iter()
                .map(|kind| vec![TypeUnion::single(kind)]),
        );
    }
    let test = |fresh| Test::Exists {
        fresh,
        atoms: vec![atom(predicate, arguments.clone())],
    };
    choices.into_iter().map(test).collect()
}

/// The types below these, in order of declaration.
fn kinds(language: &Language, types: &TypeUnion) -> Vec<TypeId> {
    let domain = language.domain();
    let all = (0..domain.types.len()).map(TypeId::from_index);
    let below = |id: &TypeId| {
        !types.types().contains(id) && types.types().iter().any(|&above| domain.is_subtype(*id, above))
    };
    all.filter(below).collect()
}

/// All tests that a node over these variables may try.
#[cfg(test)]
pub(crate) fn all_tests(language: &Language, variables: &[TypeUnion], bias: &Bias) -> Vec<Test> {
    let mut tests = equalities(language, variables);
    tests.extend(atoms(language, variables, bias));
    tests.extend(pairs(language, variables, bias));
    tests
}
