//! The relaxed program in a form whose input can change.
//!
//! A view takes changes of relations that no rule derives. In the relaxed program initial facts and what follows from them
//! share a relation; here the initial ones have a relation of their own, with a rule that copies them. No relation is
//! static, for every fact of the problem may be edited. Each firing is a fact too, so that a join is made once for all heads of
//! a rule, and ground actions are what holds of such relations:
//!
//! ```text
//!   at(P, L2), in…  :- at(P, L1), road(L1, L2).     becomes     fires:drive(P, L1, L2) :- at(P, L1), road(L1, L2).
//!                                                               at(P, L2) :- fires:drive(P, L1, L2).
//!   at(p, a).                                       becomes     at(X, Y) :- given:at(X, Y).    given:at(p, a).
//! ```

use herbrand_datalog::{Atom, Facts, Literal, Program, RelationId, Rule, Symbol, Term, Variable};

use crate::program::{Meaning, ReachabilityProgram};

/// A relaxed program for views. Its first relations are those of the relaxed program, with the same numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ViewedProgram {
    pub(super) program: Program,
    /// By relation of the relaxed program: the relation of its input facts, which may be itself.
    pub(super) given: Vec<RelationId>,
    /// By rule of the relaxed program: the relation of its firings.
    pub(super) firings: Vec<RelationId>,
}

impl ViewedProgram {
    /// The program of a relaxed one in which an object is called by the symbol that `symbols` has for it; there are
    /// `capacity` symbols.
    pub(super) fn of(relaxed: &ReachabilityProgram<'_>, symbols: &[Symbol], capacity: u32) -> Self {
        let old = &relaxed.program;
        let mut program = Program::new();
        program.reserve_symbols(capacity);
        let mut derived = vec![false; old.relations().len()];
        let heads = old.rules().iter().flat_map(|rule| &rule.heads);
        heads.for_each(|head| derived[head.relation.index()] = true);
        for (relation, &derived) in old.relations().iter().zip(&derived) {
            if derived {
                program.relation(relation.name.clone(), relation.arity);
            } else {
                program.fluent(relation.name.clone(), relation.arity);
            }
        }
        let mut given = Vec::new();
        for (id, relation) in old.relation_ids().zip(old.relations()) {
            given.push(if derived[id.index()] {
                let given = program.fluent(format!("given:{}", relation.name), relation.arity);
                program.add_rule(copy("given", id, given, relation.arity));
                given
            } else {
                id
            });
        }
        let mut firings = Vec::new();
        for (rule, id) in old.rules().iter().zip(old.rule_ids()) {
            let fires = program.relation(format!("fires:{}:{}", rule.name, id.number()), rule.variables);
            firings.push(fires);
            program.add_rule(Rule {
                name: rule.name.clone(),
                heads: vec![all(fires, rule.variables)],
                body: rule
                    .body
                    .iter()
                    .map(|literal| renamed(literal, symbols))
                    .collect(),
                variables: rule.variables,
                variable_names: Vec::new(),
            });
            for head in &rule.heads {
                program.add_rule(Rule {
                    name: rule.name.clone(),
                    heads: vec![renamed_atom(head, symbols)],
                    body: vec![Literal::Positive(all(fires, rule.variables))],
                    variables: rule.variables,
                    variable_names: Vec::new(),
                });
            }
        }
        Self {
            program,
            given,
            firings,
        }
    }

    /// The input of a relaxed program.
    pub(super) fn input(&self, relaxed: &ReachabilityProgram<'_>, symbols: &[Symbol]) -> Facts {
        let mut facts = Facts::new();
        let mut renamed = Vec::new();
        for (relation, tuple) in relaxed.facts.iter() {
            renamed.clear();
            renamed.extend(tuple.iter().map(|symbol| symbols[symbol.index()]));
            facts.add(self.given[relation.index()], &renamed);
        }
        facts
    }
}

/// Which rules stand for ground actions and axioms.
pub(super) fn is_kept(meaning: &Meaning) -> bool {
    *meaning != Meaning::Support
}

fn copy(name: &str, head: RelationId, body: RelationId, arity: u32) -> Rule {
    Rule {
        name: name.to_owned(),
        heads: vec![all(head, arity)],
        body: vec![Literal::Positive(all(body, arity))],
        variables: arity,
        variable_names: Vec::new(),
    }
}

/// An atom over the variables `0..count`.
fn all(relation: RelationId, count: u32) -> Atom {
    Atom::new(relation, (0..count).map(Variable::new))
}

fn renamed_atom(atom: &Atom, symbols: &[Symbol]) -> Atom {
    Atom {
        relation: atom.relation,
        terms: atom
            .terms
            .iter()
            .map(|&term| renamed_term(term, symbols))
            .collect(),
    }
}

fn renamed_term(term: Term, symbols: &[Symbol]) -> Term {
    match term {
        Term::Constant(symbol) => Term::Constant(symbols[symbol.index()]),
        Term::Variable(_) => term,
    }
}

fn renamed(literal: &Literal, symbols: &[Symbol]) -> Literal {
    let (atom, term) = (
        |atom| renamed_atom(atom, symbols),
        |term| renamed_term(term, symbols),
    );
    match literal {
        Literal::Positive(one) => Literal::Positive(atom(one)),
        Literal::Negative(one) => Literal::Negative(atom(one)),
        Literal::Equal(left, right) => Literal::Equal(term(*left), term(*right)),
        Literal::Distinct(left, right) => Literal::Distinct(term(*left), term(*right)),
    }
}
