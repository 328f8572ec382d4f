//! The translation of conjunctions to rule bodies.

use herbrand_datalog::{self as datalog, Literal, Program, RelationId, Symbol};
use herbrand_pddl::{Atom, ObjectId, Term, TypeUnion, VariableId};

use super::signature::{Signature, TruthSource, Values};
use crate::normal::{NormalAxiom, NormalComparison, NormalConjunction, NormalUniversal, Scope, u32_len};

/// The treatment of negated literals in a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Exactness {
    /// Negated literals over changing predicates are left out. The rules then derive all atoms that some state could make
    /// true.
    Relaxed,
    /// All literals are included. The rules then derive the atoms that one state makes true.
    Exact,
}

/// The estimated bytes per atom and per rule, in the program and its plans.
const ATOM: usize = 192;
const RULE: usize = 1280;

/// A rule under construction. It numbers the variables that it binds.
pub(crate) struct RuleWriter<'s, 'a> {
    pub(crate) signature: &'s mut Signature<'a>,
    pub(crate) program: &'s mut Program,
    scope: Scope,
    /// The model's variables, indexed by their number in the rule.
    variables: Vec<VariableId>,
    body: Vec<Literal>,
}

impl<'s, 'a> RuleWriter<'s, 'a> {
    /// Begins a rule over `variables` with an empty body.
    pub(crate) fn new(
        signature: &'s mut Signature<'a>,
        program: &'s mut Program,
        scope: &Scope,
        variables: impl IntoIterator<Item = VariableId>,
    ) -> Self {
        let variables = variables.into_iter().collect();
        Self {
            signature,
            program,
            scope: scope.clone(),
            variables,
            body: Vec::new(),
        }
    }

    /// Adds variables that later literals will bind.
    pub(crate) fn bind(&mut self, variables: impl IntoIterator<Item = VariableId>) {
        self.variables.extend(variables);
    }

    /// Adds the literals of `conjunction` to the body, and binds its existential variables.
    pub(crate) fn require(&mut self, conjunction: &NormalConjunction, exactness: Exactness) {
        self.variables.extend_from_slice(&conjunction.existentials);
        for (atom, negated) in &conjunction.literals {
            let change = self.signature.truth_source(atom.predicate);
            if !negated {
                let atom = self.atom(atom);
                self.body.push(Literal::Positive(atom));
            } else if exactness == Exactness::Exact
                || matches!(change, TruthSource::Static | TruthSource::StaticDerived)
            {
                let atom = self.atom(atom);
                self.body.push(Literal::Negative(atom));
            }
        }
        for universal in &conjunction.universals {
            self.require_all(universal);
        }
        for &(left, right, negated) in &conjunction.equalities {
            let (left, right) = (self.term(left), self.term(right));
            self.body.push(if negated {
                Literal::Distinct(left, right)
            } else {
                Literal::Equal(left, right)
            });
        }
        for comparison in &conjunction.comparisons {
            self.require_value(comparison);
        }
    }

    /// Adds a literal for the existence of a function's value, if that is the same in every state. Other comparisons are not
    /// part of rules.
    fn require_value(&mut self, comparison: &NormalComparison) {
        let Some(term) = self.signature.settled_term(comparison) else {
            return;
        };
        if !comparison.negated && self.signature.values_of(term.function) == Values::Total {
            return;
        }
        let relation = self.signature.value_relation(term.function, self.program);
        let terms = term.arguments.iter().map(|&term| self.term(term)).collect();
        let atom = datalog::Atom { relation, terms };
        self.body.push(if comparison.negated {
            Literal::Negative(atom)
        } else {
            Literal::Positive(atom)
        });
    }

    /// Adds one atom per binding of the universal's variables.
    fn require_all(&mut self, universal: &NormalUniversal) {
        let NormalUniversal { variables, atom } = universal;
        let scope = self.scope.clone();
        let types = variables.iter().map(|variable| &scope[variable.index()].types);
        for objects in self.signature.tuples(types) {
            let mut instance = atom.clone();
            for term in &mut instance.arguments {
                if let Some(position) = variables.iter().position(|&v| *term == Term::Variable(v)) {
                    *term = Term::Object(objects[position]);
                }
            }
            let instance = self.atom(&instance);
            self.body.push(Literal::Positive(instance));
        }
    }

    /// Adds an atom of `relation` over the variables bound so far.
    pub(crate) fn require_atom(&mut self, relation: RelationId) {
        let atom = self.atom_of_all(relation);
        self.body.push(Literal::Positive(atom));
    }

    /// Adds type literals for the variables from number `first` on, unless a positive literal implies the type.
    ///
    /// Leaving out such a type literal is sound, because every atom of the implying predicate has an object of that type at
    /// that argument.
    pub(crate) fn require_types(&mut self, first: usize, bodies: &[&NormalConjunction]) {
        let literals: usize = bodies.iter().map(|body| body.literals.len()).sum();
        for index in first..self.variables.len() {
            if !self.signature.meter.work(literals as u64) {
                return;
            }
            let variable = self.variables[index];
            let types = self.scope[variable.index()].types.clone();
            if !bodies.iter().any(|body| self.is_vouched(body, variable, &types)) {
                let relation = self.signature.type_relation(&types, self.program);
                let term = self.term(Term::Variable(variable));
                self.body.push(Literal::Positive(datalog::Atom {
                    relation,
                    terms: vec![term],
                }));
            }
        }
    }

    fn is_vouched(&self, body: &NormalConjunction, variable: VariableId, types: &TypeUnion) -> bool {
        let positive = body.literals.iter().filter(|(_, negated)| !negated);
        positive.into_iter().any(|(atom, _)| {
            atom.arguments.iter().enumerate().any(|(argument, &term)| {
                term == Term::Variable(variable) && self.signature.vouches(atom.predicate, argument, types)
            })
        })
    }

    /// Translates an atom to the terms of the rule.
    pub(crate) fn atom(&self, atom: &Atom) -> datalog::Atom {
        datalog::Atom {
            relation: self.signature.relations[atom.predicate.index()],
            terms: atom.arguments.iter().map(|&term| self.term(term)).collect(),
        }
    }

    /// Returns an atom of `relation` over all variables bound so far.
    pub(crate) fn atom_of_all(&self, relation: RelationId) -> datalog::Atom {
        let terms = (0..self.variables.len()).map(variable).collect();
        datalog::Atom { relation, terms }
    }

    /// Returns an atom of `relation` over these variables.
    pub(crate) fn atom_of(&self, relation: RelationId, variables: &[VariableId]) -> datalog::Atom {
        let terms = variables
            .iter()
            .map(|&variable| self.term(Term::Variable(variable)));
        datalog::Atom {
            relation,
            terms: terms.collect(),
        }
    }

    /// Returns the model's variables, indexed by their number in the rule.
    pub(crate) fn variables(&self) -> &[VariableId] {
        &self.variables
    }

    /// Returns the rule with these heads.
    pub(crate) fn finish(self, name: &str, heads: Vec<datalog::Atom>) -> datalog::Rule {
        let atoms = self.body.len() + heads.len();
        self.signature.meter.charge((atoms * ATOM + RULE) as u64);
        let variables = u32_len(self.variables.len());
        let names = self
            .variables
            .iter()
            .map(|&variable| self.scope[variable.index()].name.to_string())
            .collect();
        datalog::Rule {
            name: name.to_owned(),
            heads,
            body: self.body,
            variables,
            variable_names: names,
        }
    }

    fn term(&self, term: Term) -> datalog::Term {
        match term {
            Term::Object(object) => datalog::Term::Constant(symbol(object)),
            Term::Variable(id) => {
                let position = self.variables.iter().position(|&v| v == id);
                variable(position.expect("checked models have no variable out of scope"))
            }
        }
    }
}

/// Writes the rule of an axiom. Its variables are first the variables of the head, then those of the body. `tests` are the
/// atoms that represent the comparisons of the body.
pub(crate) fn axiom_rule(
    signature: &mut Signature<'_>,
    program: &mut Program,
    axiom: &NormalAxiom,
    exactness: Exactness,
    tests: &[(RelationId, Vec<VariableId>)],
) -> datalog::Rule {
    let head = signature.relations[axiom.predicate.index()];
    let name = program.relations()[head.index()].name.clone();
    let mut rule = RuleWriter::new(signature, program, &axiom.scope, axiom.head.iter().copied());
    let heads = vec![rule.atom_of_all(head)];
    rule.require(&axiom.body, exactness);
    for (relation, variables) in tests {
        let atom = rule.atom_of(*relation, variables);
        rule.body.push(Literal::Positive(atom));
    }
    rule.require_types(0, &[&axiom.body]);
    rule.finish(&name, heads)
}

fn variable(index: usize) -> datalog::Term {
    datalog::Term::Variable(datalog::Variable::new(u32_len(index)))
}

/// Returns the Datalog constant of an object.
pub(crate) fn symbol(object: ObjectId) -> Symbol {
    Symbol::new(object.number())
}
