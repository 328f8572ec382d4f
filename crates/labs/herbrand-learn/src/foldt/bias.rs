//! The language bias: the tests that a node may use.

use herbrand_pddl::{PredicateId, Term, TypeId, TypeUnion};

use crate::language::DomainSignature;
use crate::query::{Test, atom, term};

/// The language bias of [`learn_foldt`](crate::learn_foldt): limits on the conjunctive queries that a node of a
/// decision tree may test, and on the trees. Larger limits fit more models and take more time. It is
/// [`FoldtOptions::bias`](crate::FoldtOptions::bias). By default 2 fresh variables, 12 variables, 2 atoms and depth 12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bias {
    /// The maximum number of fresh variables in an atom of a test. A fresh variable is bound by the test and by no node
    /// above.
    pub fresh: usize,
    /// The maximum number of variables that are bound at a node, including the parameters of the action. With more
    /// parameters than that, no variable is added.
    pub variables: usize,
    /// The maximum number of atoms in a test: 1, or 2 for pairs that share a fresh variable. 0 counts as 1, and larger
    /// numbers as 2. Pairs are tried only if no single atom separates the examples.
    pub atoms: usize,
    /// The maximum number of splitting tests on a path to a leaf. With 0, each tree is one leaf.
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

/// Returns the equalities between two variables, or between a variable and a constant, whose types are related.
pub(crate) fn equalities(language: &DomainSignature, variables: &[TypeUnion]) -> Vec<Test> {
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

/// Returns the tests with one atom over the given variables, constants and fresh variables.
pub(crate) fn atoms(language: &DomainSignature, variables: &[TypeUnion], bias: &Bias) -> Vec<Test> {
    let mut tests = Vec::new();
    for predicate in language.predicates() {
        for arguments in argument_lists(language, variables, predicate, bias.fresh) {
            tests.extend(typed(language, variables.len(), predicate, arguments));
        }
    }
    tests
}

/// Returns the tests with two atoms. The second atom reads a fresh variable of the first and adds none.
pub(crate) fn pairs(language: &DomainSignature, variables: &[TypeUnion], bias: &Bias) -> Vec<Test> {
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

/// Returns the argument lists of a predicate: variables and constants of fitting types, and fresh variables, numbered in
/// order. Lists of constants only are left out, because such atoms do not depend on the example.
fn argument_lists(
    language: &DomainSignature,
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

/// Returns the tests of an atom. Its fresh variables have the declared types. If there is exactly one fresh variable, each
/// subtype gives a further test.
fn typed(
    language: &DomainSignature,
    first: usize,
    predicate: PredicateId,
    arguments: Vec<Term>,
) -> Vec<Test> {
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

/// Returns the proper subtypes of the given types, in order of declaration.
fn kinds(language: &DomainSignature, types: &TypeUnion) -> Vec<TypeId> {
    let domain = language.domain();
    let all = (0..domain.types.len()).map(TypeId::from_index);
    let below = |id: &TypeId| {
        !types.types().contains(id) && types.types().iter().any(|&above| domain.is_subtype(*id, above))
    };
    all.filter(below).collect()
}

/// Returns all tests that a node over these variables may use.
#[cfg(test)]
pub(crate) fn all_tests(language: &DomainSignature, variables: &[TypeUnion], bias: &Bias) -> Vec<Test> {
    let mut tests = equalities(language, variables);
    tests.extend(atoms(language, variables, bias));
    tests.extend(pairs(language, variables, bias));
    tests
}
