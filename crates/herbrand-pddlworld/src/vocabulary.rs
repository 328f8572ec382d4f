//! The literals that an operator may consist of.

use herbrand_edit::Ground;
use herbrand_pddl::{ActionSchema, Atom, Domain, ObjectId, PredicateKind, Term, TypeUnion, VariableId};
use herbrand_text::Place;

use crate::Signs;
use crate::error::{Fault, Faulty};
use crate::read::Parts;

/// The operators of a domain, each with the literals that its precondition and its effect may consist of.
///
/// In a propositional domain these are the propositions, the same for every operator. In a lifted one they are the atoms
/// over an operator's parameters and the domain's constants, as far as their types fit, in the order of the predicates;
/// atoms that name a parameter twice are left out unless the domain itself uses them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vocabulary {
    operators: Vec<Operator>,
    /// By operator: how many literals the ones before it have; and the number of all.
    offsets: Vec<usize>,
}

/// An operator: everything about it that is not edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// The name.
    pub name: String,
    /// The names of the parameters, without question marks.
    pub parameters: Vec<String>,
    /// The atoms that its clauses may have, by name: parameters with question marks.
    pub literals: Vec<Ground>,
    /// The same, by number.
    pub(crate) atoms: Vec<Atom>,
    /// The types of the parameters.
    pub(crate) types: Vec<TypeUnion>,
    /// What has to be equal or distinct, whatever the edits.
    pub(crate) tests: Vec<Test>,
}

/// Two terms that have to be equal, or distinct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    pub(crate) left: Term,
    pub(crate) right: Term,
    pub(crate) equal: bool,
}

impl Vocabulary {
    /// The vocabulary of a domain whose operators have these parts.
    pub(crate) fn of(domain: &Domain, parts: &[Parts]) -> Result<Self, Faulty> {
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
                faults.push(Fault::at(&domain.origin, schema.place, message));
            }
            operators.push(operator);
        }
        if operators.is_empty() {
            faults.push(Fault::at(
                &domain.origin,
                Place::NOWHERE,
                "the domain has no action".to_owned(),
            ));
        }
        Faulty::unless_none(faults)?;
        let mut offsets = vec![0];
        for operator in &operators {
            offsets.push(offsets[offsets.len() - 1] + operator.literals.len());
        }
        Ok(Self { operators, offsets })
    }

    /// The operators, in the order of the domain.
    #[must_use]
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// How many literals all operators have together: half the number of signs of a sketch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets[self.operators.len()]
    }

    /// Whether no operator has a literal to choose from.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of an operator's literal among all of them; `None` if it has no such literal.
    #[must_use]
    pub fn place(&self, operator: usize, literal: usize) -> Option<usize> {
        let known = self.operators.get(operator)?.literals.len();
        (literal < known).then(|| self.offsets[operator] + literal)
    }

    /// The operator and the literal at a place among all of them.
    #[must_use]
    pub fn at(&self, place: usize) -> Option<(usize, usize)> {
        if place >= self.len() {
            return None;
        }
        let operator = self.offsets.partition_point(|&offset| offset <= place) - 1;
        Some((operator, place - self.offsets[operator]))
    }

    /// How many literals the operator with most of them has.
    #[must_use]
    pub fn widest(&self) -> usize {
        let widths = self.operators.iter().map(|operator| operator.literals.len());
        widths.max().unwrap_or(0)
    }

    /// Whether all operators have the same literals, without arguments: those of a propositional domain.
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

    /// The number of a literal.
    #[must_use]
    pub fn find(&self, atom: &Ground) -> Option<usize> {
        self.literals.iter().position(|one| one == atom)
    }
}

/// The parameters of a schema and the constants that may be an argument of these types.
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

/// Shows every choice of one element of each list to `visit`, the last one changing fastest.
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

/// An atom by name, as edits write it.
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
