//! Turns conjunctions into rule bodies.

use herbrand_datalog::{self as datalog, Literal, Program, RelationId, Symbol};
use herbrand_pddl::{Atom, ObjectId, Term, TypeUnion, VariableId};

use super::signature::{Change, Signature, Values};
use crate::normal::{NormalAxiom, NormalComparison, NormalConjunction, NormalUniversal, Scope, u32_len};

/// Which literals of a body are in a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Exactness {
    /// Negated literals of what can change are left out: the rules derive all that some state could make true.
    Relaxed,
    /// All literals: the rules derive what one state makes true.
    Exact,
}

/// The bytes that an atom of a rule is reckoned to take, in the program and in the plans made of it; and a rule besides.
const ATOM: usize = 192;
const RULE: usize = 1280;

/// A rule that is being written: it numbers the variables that it binds.
pub(crate) struct RuleWriter<'s, 'a> {
    pub(crate) signature: &'s mut Signature<'a>,
    pub(crate) program: &'s mut Program,
    scope: Scope,
    /// The model's variables, at the index that is their number in the rule.
    variables: Vec<VariableId>,
    body: Vec<Literal>,
}

impl<'s, 'a> RuleWriter<'s, 'a> {
    /// A rule over `variables` with an empty body.
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

    /// Takes more variables, for literals that follow to bind.
    pub(crate) fn bind(&mut self, variables: impl IntoIterator<Item = VariableId>) {
        self.variables.extend(variables);
    }

    /// Asks for `conjunction`, and binds its existential variables.
    pub(crate) fn require(&mut self, conjunction: &NormalConjunction, exactness: Exactness) {
        self.variables.extend_from_slice(&conjunction.existentials);
        for (atom, negated) in &conjunction.literals {
            let change = self.signature.change(atom.predicate);
            if !negated {
                let atom = self.atom(atom);
                self.body.push(Literal::Positive(atom));
            } else if exactness == Exactness::Exact
                || matches!(change, Change::Static | Change::StaticDerived)
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

    /// Asks for a fact that says that a function has a value, where these facts are the same in every state. Other comparisons
    /// are no part of rules.
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

    /// Asks for one atom for each binding of the universal's variables.
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

    /// Asks for an atom of `relation` over the variables bound so far.
    pub(crate) fn require_atom(&mut self, relation: RelationId) {
        let atom = self.atom_of_all(relation);
        self.body.push(Literal::Positive(atom));
    }

    /// Asks that the variables bound from number `first` on have objects of their types, where no positive literal
    /// vouches for that.
    ///
    /// Leaving a type out is sound since every atom of the vouching predicate has an object of the type there.
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

    /// The atom in the rule's terms.
    pub(crate) fn atom(&self, atom: &Atom) -> datalog::Atom {
        datalog::Atom {
            relation: self.signature.relations[atom.predicate.index()],
            terms: atom.arguments.iter().map(|&term| self.term(term)).collect(),
        }
    }

    /// An atom of `relation` over all variables bound so far.
    pub(crate) fn atom_of_all(&self, relation: RelationId) -> datalog::Atom {
        let terms = (0..self.variables.len()).map(variable).collect();
        datalog::Atom { relation, terms }
    }

    /// An atom of `relation` over these variables.
    pub(crate) fn atom_of(&self, relation: RelationId, variables: &[VariableId]) -> datalog::Atom {
        let terms = variables
            .iter()
            .map(|&variable| self.term(Term::Variable(variable)));
        datalog::Atom {
            relation,
            terms: terms.collect(),
        }
    }

    /// The model's variables, at the index that is their number in the rule.
    pub(crate) fn variables(&self) -> &[VariableId] {
        &self.variables
    }

    /// The rule with these heads.
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

/// The rule of an axiom: its variables are those of the head, then those that the body binds. What the body compares is
/// asked for as atoms of these relations.
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

/// The Datalog constant of an object.
pub(crate) fn symbol(object: ObjectId) -> Symbol {
    Symbol::new(object.number())
}
