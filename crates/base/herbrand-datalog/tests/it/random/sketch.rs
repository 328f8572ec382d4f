//! Generators of random programs. Rules are generated freely, then made safe and stratified.

use herbrand_datalog::{
    Atom, Facts, Literal, Program, RelationId, Rule, Stratification, Symbol, Term, Variable,
};
use proptest::prelude::*;
use std::ops::Range;

pub const ARITIES: [u32; 9] = [0, 1, 1, 2, 2, 3, 2, 4, 6];
const WIDEST: usize = 6;
pub const SYMBOLS: u32 = 4;
const VARIABLES: u32 = 4;

fn atom() -> impl Strategy<Value = Atom> {
    (0..ARITIES.len(), prop::collection::vec(term(), WIDEST)).prop_map(|(relation, terms)| {
        Atom::new(
            RelationId::new(relation as u32),
            terms.into_iter().take(ARITIES[relation] as usize),
        )
    })
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![
        6 => (0..VARIABLES).prop_map(|variable| Term::Variable(Variable::new(variable))),
        1 => (0..SYMBOLS).prop_map(|symbol| Term::Constant(Symbol::new(symbol))),
    ]
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        12 => atom().prop_map(Literal::Positive),
        2 => atom().prop_map(Literal::Negative),
        1 => (term(), term()).prop_map(|(left, right)| Literal::Equal(left, right)),
        1 => (term(), term()).prop_map(|(left, right)| Literal::Distinct(left, right)),
    ]
}

/// A rule whose number of body literals is in this range.
pub fn rule(literals: Range<usize>) -> impl Strategy<Value = Rule> {
    (
        prop::collection::vec(atom(), 0..3),
        prop::collection::vec(literal(), literals),
    )
        .prop_map(|(heads, body)| Rule {
            name: "random".to_owned(),
            heads,
            body,
            variables: VARIABLES,
            variable_names: Vec::new(),
        })
}

/// Fewer than `most` facts.
pub fn input(most: usize) -> impl Strategy<Value = Vec<(usize, [u32; WIDEST])>> {
    prop::collection::vec((0..ARITIES.len(), prop::array::uniform6(0..SYMBOLS)), 0..most)
}

pub fn empty_program() -> Program {
    let mut program = Program::new();
    for (number, arity) in ARITIES.into_iter().enumerate() {
        let name = format!("r{number}");
        if number % 4 == 3 {
            program.fluent(name, arity)
        } else {
            program.relation(name, arity)
        };
    }
    for symbol in 0..SYMBOLS {
        program.symbol(format!("s{symbol}"));
    }
    program
}

/// Makes each rule safe, and leaves out rules that would close a cycle through a negation.
pub fn program(rules: Vec<Rule>) -> Program {
    let mut program = empty_program();
    for rule in rules {
        let mut candidate = program.clone();
        candidate.add_rule(safe(rule));
        if candidate.check().is_ok() && Stratification::of(&candidate).is_ok() {
            program = candidate;
        }
    }
    program
}

/// Renumbers the bound variables from zero and replaces unbound variables by bound ones.
pub fn safe(mut rule: Rule) -> Rule {
    let mut bound: Vec<Variable> = rule.positive().flat_map(Atom::variables).collect();
    bound.sort();
    bound.dedup();
    let rename = |term: &mut Term| {
        if let Term::Variable(variable) = *term {
            let place = bound
                .iter()
                .position(|known| *known == variable)
                .unwrap_or(variable.index());
            *term = match bound.len() {
                0 => Term::Constant(Symbol::new(0)),
                count => Term::Variable(Variable::new((place % count) as u32)),
            };
        }
    };
    rule.heads
        .iter_mut()
        .flat_map(|head| &mut head.terms)
        .for_each(rename);
    for literal in &mut rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.terms.iter_mut().for_each(rename),
            Literal::Equal(left, right) | Literal::Distinct(left, right) => {
                [left, right].into_iter().for_each(rename);
            }
        }
    }
    rule.variables = bound.len() as u32;
    rule
}

pub fn facts(input: &[(usize, [u32; WIDEST])]) -> Facts {
    let mut facts = Facts::new();
    for (relation, symbols) in input {
        let tuple = symbols.map(Symbol::new);
        facts.add(
            RelationId::new(*relation as u32),
            &tuple[..ARITIES[*relation] as usize],
        );
    }
    facts
}
