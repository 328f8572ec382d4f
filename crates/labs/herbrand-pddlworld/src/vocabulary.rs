//! The literals that an operator may have.

use herbrand_edit::Ground;
use herbrand_pddl::{ActionSchema, Atom, Domain, ObjectId, PredicateKind, Term, TypeUnion, VariableId};
use herbrand_text::Place;

use crate::error::{TargetFault, UnsuitableTarget};
use crate::read::{Parts, Test};
use crate::sign::Signs;

/// The vocabulary of edits: the operators of a domain, each with the literals that its precondition and effect may
/// have.
///
/// In a propositional domain these are the propositions, for every operator. In a lifted domain they are the atoms
/// over the operator's parameters and the constants, with fitting types, in the order of the predicates. An atom with
/// a repeated argument is left out unless the domain uses it. There are at least one operator and at most
/// [`Signs::MOST`] literals per operator.
///
/// [`Target::vocabulary`](crate::Target::vocabulary) returns it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SketchVocabulary {
    operators: Vec<Operator>,
    /// For each operator, the number of literals of the operators before it, followed by the total number.
    offsets: Vec<usize>,
}

/// The fixed part of an operator, and the literals that can be edited. [`SketchVocabulary::operators`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// The name of the operator.
    pub name: String,
    /// The names of the parameters, without question marks.
    pub parameters: Vec<String>,
    /// The atoms that its precondition and effect may contain. Parameters have question marks. Indices of literals
    /// refer to this list.
    pub literals: Vec<Ground>,
    /// The same atoms by id.
    pub(crate) atoms: Vec<Atom>,
    /// The types of the parameters.
    pub(crate) types: Vec<TypeUnion>,
    /// The fixed equalities and inequalities.
    pub(crate) tests: Vec<Test>,
}

impl SketchVocabulary {
    /// Creates the vocabulary of a domain with these parts of operators.
    pub(crate) fn of(domain: &Domain, parts: &[Parts]) -> Result<Self, UnsuitableTarget> {
        let mut faults = Vec::new();
        let mut operators = Vec::new();
        for (schema, parts) in domain.schemas.iter().zip(parts) {
            let operator = Operator::of(domain, schema, parts);
            if operator.atoms.len() > Signs::MOST {
                let (found, most) = (operator.atoms.len(), Signs::MOST);
                let message = format!(
                    "`{}` has {found} literals to choose from; at most {most} can be edited",
                    schema.name
                );
                faults.push(TargetFault::at(&domain.origin, schema.place, message));
            }
            operators.push(operator);
        }
        if operators.is_empty() {
            faults.push(TargetFault::at(
                &domain.origin,
                Place::NOWHERE,
                "the domain has no action".to_owned(),
            ));
        }
        UnsuitableTarget::unless_none(faults)?;
        let mut offsets = vec![0];
        for operator in &operators {
            offsets.push(offsets[offsets.len() - 1] + operator.literals.len());
        }
        Ok(Self { operators, offsets })
    }

    /// Returns the operators in the order of the domain. Sketches refer to them by index.
    #[must_use]
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// Returns the total number of literals of all operators. A sketch has twice as many signs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets[self.operators.len()]
    }

    /// Returns whether no operator has a literal, so that there is nothing to edit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers the literals of all operators consecutively, and returns the number of literal `literal` of operator
    /// `operator`. Both are indices from 0. `None` if there is no such literal. [`at`](Self::at) is the inverse.
    #[must_use]
    pub fn place(&self, operator: usize, literal: usize) -> Option<usize> {
        let known = self.operators.get(operator)?.literals.len();
        (literal < known).then(|| self.offsets[operator] + literal)
    }

    /// Returns the index of the operator and the index of its literal for a number that [`place`](Self::place)
    /// returned. `None` if the number is too large.
    #[must_use]
    pub fn at(&self, place: usize) -> Option<(usize, usize)> {
        if place >= self.len() {
            return None;
        }
        let operator = self.offsets.partition_point(|&offset| offset <= place) - 1;
        Some((operator, place - self.offsets[operator]))
    }

    /// Returns the largest number of literals that an operator has. Actions of four numbers have as many values for the
    /// literal.
    #[must_use]
    pub fn widest(&self) -> usize {
        let widths = self.operators.iter().map(|operator| operator.literals.len());
        widths.max().unwrap_or(0)
    }

    /// Returns whether all operators have the same literals and none has arguments.
    #[must_use]
    pub fn is_propositional(&self) -> bool {
        let first = &self.operators[0].literals;
        let same = |operator: &Operator| operator.literals == *first;
        first.iter().all(|atom| atom.arguments.is_empty()) && self.operators.iter().all(same)
    }
}

impl Operator {
    fn of(domain: &Domain, schema: &ActionSchema, parts: &Parts) -> Self {
        let mut atoms = Vec::new();
        for (index, predicate) in domain.predicates.iter().enumerate() {
            if matches!(predicate.kind, PredicateKind::Derived | PredicateKind::Action) {
                continue;
            }
            let choices: Vec<Vec<Term>> = predicate
                .parameters
                .iter()
                .map(|parameter| terms(domain, schema, &parameter.types))
                .collect();
            each_combination(&choices, &mut |arguments| {
                let repeated = |(at, term): (usize, &Term)| arguments[..at].contains(term);
                if !arguments.iter().enumerate().any(repeated) {
                    atoms.push(Atom {
                        predicate: herbrand_pddl::PredicateId::from_index(index),
                        arguments: arguments.to_vec(),
                        place: Place::NOWHERE,
                    });
                }
            });
        }
        for atom in parts.atoms() {
            if !atoms.contains(atom) {
                atoms.push(atom.clone());
            }
        }
        let literals = atoms.iter().map(|atom| named(domain, schema, atom));
        Self {
            name: schema.name.to_string(),
            parameters: schema
                .parameters()
                .iter()
                .map(|one| one.name.to_string())
                .collect(),
            literals: literals.collect(),
            types: schema.parameters().iter().map(|one| one.types.clone()).collect(),
            tests: parts.tests.clone(),
            atoms,
        }
    }

    /// Returns the index of an atom among the operator's literals; `None` if the operator cannot have it. Names are
    /// compared exactly, in lower case.
    #[must_use]
    pub fn find(&self, atom: &Ground) -> Option<usize> {
        self.literals.iter().position(|one| one == atom)
    }
}

/// Returns the parameters and constants that may be an argument of these types.
fn terms(domain: &Domain, schema: &ActionSchema, types: &TypeUnion) -> Vec<Term> {
    let parameters = schema.parameters().iter().enumerate();
    let parameters = parameters
        .filter(|(_, parameter)| domain.is_assignable(&parameter.types, types))
        .map(|(index, _)| Term::Variable(VariableId::from_index(index)));
    let constants = domain.constants.iter().enumerate();
    let constants = constants
        .filter(|(_, object)| domain.is_assignable(&object.types, types))
        .map(|(index, _)| Term::Object(ObjectId::from_index(index)));
    parameters.chain(constants).collect()
}

/// Calls `visit` with every choice of one element per list. The last list varies fastest.
pub(crate) fn each_combination<T: Copy>(choices: &[Vec<T>], visit: &mut impl FnMut(&[T])) {
    fn extend<T: Copy>(choices: &[Vec<T>], chosen: &mut Vec<T>, visit: &mut impl FnMut(&[T])) {
        let Some(list) = choices.get(chosen.len()) else {
            visit(chosen);
            return;
        };
        for &one in list {
            chosen.push(one);
            extend(choices, chosen, visit);
            chosen.pop();
        }
    }
    extend(choices, &mut Vec::with_capacity(choices.len()), visit);
}

/// Returns an atom with names, as in edits.
fn named(domain: &Domain, schema: &ActionSchema, atom: &Atom) -> Ground {
    let name = |term: &Term| match term {
        Term::Variable(id) => format!("?{}", schema.variables[id.index()].name),
        Term::Object(id) => domain.constants[id.index()].name.to_string(),
    };
    Ground {
        predicate: domain.predicate(atom.predicate).name.to_string(),
        arguments: atom.arguments.iter().map(name).collect(),
    }
}
