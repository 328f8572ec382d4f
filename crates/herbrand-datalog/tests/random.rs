//! Random stratified programs: the fast evaluator finds the naive one's model and firings.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use herbrand_datalog::{
    Atom, Evaluator, FactId, Facts, Firing, Literal, Model, Program, RelationId, Rule, RuleId, Sink,
    Stratification, Symbol, Term, Variable, naive,
};
use proptest::prelude::*;

/// What a firing says, without the numbers of facts.
type Said = (RuleId, Vec<Symbol>, Vec<Tuple>, Vec<Tuple>);
type Tuple = (RelationId, Vec<Symbol>);

/// A firing as it was told.
type Told = (RuleId, Vec<Symbol>, Vec<FactId>, Vec<FactId>);

#[derive(Default)]
struct Record(Vec<Told>);

impl Sink for Record {
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()> {
        let (premises, conclusions) = (firing.premises.to_vec(), firing.conclusions.to_vec());
        self.0
            .push((firing.rule, firing.binding.to_vec(), premises, conclusions));
        ControlFlow::Continue(())
    }
}

impl Record {
    /// How often each thing was said.
    fn said(&self, model: &Model) -> BTreeMap<Said, usize> {
        let mut said = BTreeMap::new();
        for (rule, binding, premises, conclusions) in &self.0 {
            let tuple = |id: &FactId| (model.relation(*id), model.tuple(*id).to_vec());
            let premises = premises.iter().map(tuple).collect();
            let conclusions = conclusions.iter().map(tuple).collect();
            *said
                .entry((*rule, binding.clone(), premises, conclusions))
                .or_default() += 1;
        }
        said
    }
}

fn tuples(program: &Program, model: &Model) -> Vec<Vec<Vec<Symbol>>> {
    let sorted = |relation| {
        let mut tuples: Vec<Vec<Symbol>> = model.tuples(relation).map(<[Symbol]>::to_vec).collect();
        tuples.sort();
        tuples
    };
    program.relation_ids().map(sorted).collect()
}

const ARITIES: [u32; 7] = [0, 1, 1, 2, 2, 3, 2];
const SYMBOLS: u32 = 4;
const VARIABLES: u32 = 4;

fn atom() -> impl Strategy<Value = Atom> {
    (0..ARITIES.len(), prop::collection::vec(term(), 3)).prop_map(|(relation, terms)| {
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

fn rule() -> impl Strategy<Value = Rule> {
    (
        prop::collection::vec(atom(), 0..3),
        prop::collection::vec(literal(), 0..5),
    )
        .prop_map(|(heads, body)| Rule {
            name: "random".to_owned(),
            heads,
            body,
            variables: VARIABLES,
            variable_names: Vec::new(),
        })
}

fn input() -> impl Strategy<Value = Vec<(usize, [u32; 3])>> {
    prop::collection::vec((0..ARITIES.len(), [0..SYMBOLS, 0..SYMBOLS, 0..SYMBOLS]), 0..50)
}

fn empty_program() -> Program {
    let mut program = Program::new();
    for (number, arity) in ARITIES.into_iter().enumerate() {
        let name = format!("r{number}");
        if number % 4 == 3 {
            program.fluent(name, arity)
        } else {
            program.relation(name, arity)
        };
    }
    program.reserve_symbols(SYMBOLS);
    program
}

/// The rules without the literals that make them unsafe, and without those that close a negative cycle.
fn program(rules: Vec<Rule>) -> Program {
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

/// Numbers the bound variables from zero and puts bound ones in the place of others.
fn safe(mut rule: Rule) -> Rule {
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

fn facts(input: &[(usize, [u32; 3])]) -> Facts {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn evaluation_agrees_with_the_naive_evaluator(
        rules in prop::collection::vec(rule(), 0..7),
        input in input(),
    ) {
        let (program, facts) = (program(rules), facts(&input));
        let (mut fast, mut slow) = (Record::default(), Record::default());
        let model = Evaluator::new(&program).unwrap().run(&facts, &mut fast).unwrap();
        let expected = naive::evaluate(&program, &facts, &mut slow).unwrap();
        prop_assert_eq!(tuples(&program, &model), tuples(&program, &expected), "{}", program);
        prop_assert_eq!(fast.said(&model), slow.said(&expected), "{}", program);
        for fact in model.ids() {
            let (relation, tuple) = (model.relation(fact), model.tuple(fact));
            prop_assert_eq!(model.id(relation, tuple), Some(fact));
            prop_assert!(model.contains(relation, tuple));
        }
        for (_, _, premises, conclusions) in &fast.0 {
            // A fact that a firing discovers comes after its premises.
            let newest = premises.iter().max();
            prop_assert!(premises.iter().chain(conclusions).all(|fact| fact.index() < model.len()));
            prop_assert!(newest.is_none_or(|newest| newest.index() < model.len()));
        }
    }
}
