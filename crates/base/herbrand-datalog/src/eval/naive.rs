//! A slow and simple evaluator, with which tests compare the fast one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::eval::firing::{Firing, Sink};
use crate::eval::limits::EvaluationError;
use crate::program::check::InvalidProgram;
use crate::program::facts::Facts;
use crate::program::ids::{FactId, RelationId, RuleId, Symbol};
use crate::program::strata::Stratification;
use crate::program::{Atom, Literal, Program, Rule, Term};

/// The model that [`evaluate`] computes, stored in plain lists and maps. Tests compare it with the models of the fast
/// evaluators. It has the most important methods of a [`Model`](crate::Model).
#[derive(Clone, Debug, Default)]
pub struct NaiveModel {
    /// The facts of non-static relations, in order of discovery.
    facts: Vec<(RelationId, Vec<Symbol>)>,
    numbers: BTreeMap<(RelationId, Vec<Symbol>), FactId>,
    /// The tuples of each relation.
    tuples: Vec<BTreeSet<Vec<Symbol>>>,
}

impl NaiveModel {
    fn of_input(program: &Program, facts: &Facts) -> Self {
        let mut model = Self {
            tuples: vec![BTreeSet::new(); program.relations().len()],
            ..Self::default()
        };
        for (relation, tuple) in facts.iter() {
            model.insert(program, relation, tuple.to_vec());
        }
        model
    }

    fn insert(&mut self, program: &Program, relation: RelationId, tuple: Vec<Symbol>) -> FactId {
        let next = FactId::new(self.facts.len() as u32);
        if self.tuples[relation.index()].insert(tuple.clone()) && !program.is_static(relation) {
            self.facts.push((relation, tuple.clone()));
            self.numbers.insert((relation, tuple), next);
            return next;
        }
        self.id(relation, &tuple).unwrap_or(next)
    }

    /// Iterates over the ids of all facts of non-static relations, in ascending order. Ids differ from those of a
    /// [`Model`](crate::Model) of the same input. Pass them to [`relation`](Self::relation) and [`tuple`](Self::tuple).
    pub fn ids(&self) -> impl ExactSizeIterator<Item = FactId> + use<> {
        (0..self.facts.len() as u32).map(FactId::new)
    }

    /// Returns the relation of the fact with this id.
    ///
    /// # Panics
    /// If the model has no fact with this id.
    pub fn relation(&self, fact: FactId) -> RelationId {
        self.facts[fact.index()].0
    }

    /// Returns the symbols of the fact with this id, one per column.
    ///
    /// # Panics
    /// If the model has no fact with this id.
    pub fn tuple(&self, fact: FactId) -> &[Symbol] {
        &self.facts[fact.index()].1
    }

    /// Returns the id of a fact; `None` if the fact does not hold or its relation is static. Also `None` for an unknown
    /// relation or a wrong number of symbols.
    pub fn id(&self, relation: RelationId, tuple: &[Symbol]) -> Option<FactId> {
        self.numbers.get(&(relation, tuple.to_vec())).copied()
    }

    /// Returns whether a fact holds in the model. Its relation may be static. `false` if the number of symbols is
    /// wrong.
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.tuples[relation.index()].contains(tuple)
    }

    /// Iterates over all tuples of a relation in lexicographic order.
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn tuples(&self, relation: RelationId) -> impl ExactSizeIterator<Item = &[Symbol]> {
        self.tuples[relation.index()].iter().map(Vec::as_slice)
    }
}

/// Evaluates a program stratum by stratum: applies every rule to all facts until there are no new firings.
///
/// Reports the same set of firings as [`Evaluator::run`](crate::Evaluator::run), in another order. It shares no table,
/// index or plan with that evaluator. It is the simple reference implementation for tests; its time is exponential in the
/// number of a rule's literals.
///
/// # Errors
/// If the program is faulty or cannot be stratified, if an input fact does not fit it, or if the sink returns `Break`.
/// There are no limits on memory and time.
pub fn evaluate(program: &Program, facts: &Facts, sink: &mut dyn Sink) -> Result<NaiveModel, NaiveError> {
    program.check().map_err(InvalidProgram::Rules)?;
    let strata = Stratification::of(program).map_err(InvalidProgram::Cycle)?;
    program.check_facts(facts).map_err(EvaluationError::Facts)?;
    let mut model = NaiveModel::of_input(program, facts);
    let mut reported = BTreeSet::new();
    for stratum in strata.strata() {
        loop {
            let mut firings = Vec::new();
            for &id in stratum {
                let rule = &program.rules()[id.index()];
                let bindings = bindings(rule, &model).into_iter().map(|binding| (id, binding));
                firings.extend(bindings.filter(|firing| !reported.contains(firing)));
            }
            if firings.is_empty() {
                break;
            }
            for (id, binding) in firings {
                fire(program, id, &binding, &mut model, sink)?;
                reported.insert((id, binding));
            }
        }
    }
    Ok(model)
}

/// The reason why [`evaluate`] did not return a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NaiveError {
    /// The program is faulty or cannot be stratified.
    #[error(transparent)]
    Program(#[from] InvalidProgram),
    /// An input fact does not fit the program, or the sink returned `Break`.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

fn fire(
    program: &Program,
    id: RuleId,
    binding: &[Symbol],
    model: &mut NaiveModel,
    sink: &mut dyn Sink,
) -> Result<(), EvaluationError> {
    let rule = &program.rules()[id.index()];
    let premises: Vec<FactId> = rule
        .positive()
        .filter_map(|atom| model.id(atom.relation, &ground(atom, binding)))
        .collect();
    let conclusions: Vec<FactId> = rule
        .heads
        .iter()
        .map(|head| model.insert(program, head.relation, ground(head, binding)))
        .collect();
    match sink.fired(&Firing {
        rule: id,
        binding,
        premises: &premises,
        conclusions: &conclusions,
    }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(EvaluationError::Stopped),
    }
}

fn ground(atom: &Atom, binding: &[Symbol]) -> Vec<Symbol> {
    let symbol = |term: &Term| match *term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => symbol,
    };
    atom.terms.iter().map(symbol).collect()
}

/// Returns all bindings that satisfy the body of a checked rule, in order.
fn bindings(rule: &Rule, model: &NaiveModel) -> BTreeSet<Vec<Symbol>> {
    let mut partial: Vec<Vec<Option<Symbol>>> = vec![vec![None; rule.variables as usize]];
    for atom in rule.positive() {
        let extended = partial.iter().flat_map(|binding| {
            model
                .tuples(atom.relation)
                .filter_map(|tuple| extend(binding, &atom.terms, tuple))
        });
        partial = extended.collect();
    }
    // One pass per variable is enough to bind a whole chain of equalities.
    for literal in (0..=rule.variables).flat_map(|_| &rule.body) {
        let Literal::Equal(left, right) = *literal else {
            continue;
        };
        partial
            .iter_mut()
            .for_each(|binding| equate(binding, left, right));
    }
    let total = partial
        .into_iter()
        .filter_map(|binding| binding.into_iter().collect::<Option<Vec<Symbol>>>());
    total
        .filter(|binding| rule.body.iter().all(|literal| holds(literal, binding, model)))
        .collect()
}

fn extend(binding: &[Option<Symbol>], terms: &[Term], tuple: &[Symbol]) -> Option<Vec<Option<Symbol>>> {
    let mut extended = binding.to_vec();
    for (term, symbol) in terms.iter().zip(tuple) {
        let bound = match *term {
            Term::Variable(variable) => *extended[variable.index()].get_or_insert(*symbol),
            Term::Constant(constant) => constant,
        };
        (bound == *symbol).then_some(())?;
    }
    Some(extended)
}

fn equate(binding: &mut [Option<Symbol>], left: Term, right: Term) {
    let value = |binding: &[Option<Symbol>], term: Term| match term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => Some(symbol),
    };
    let (left_value, right_value) = (value(binding, left), value(binding, right));
    for (term, other) in [(left, right_value), (right, left_value)] {
        if let Term::Variable(variable) = term {
            binding[variable.index()] = binding[variable.index()].or(other);
        }
    }
}

fn holds(literal: &Literal, binding: &[Symbol], model: &NaiveModel) -> bool {
    let symbol = |term: Term| match term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => symbol,
    };
    match literal {
        Literal::Positive(atom) => model.contains(atom.relation, &ground(atom, binding)),
        Literal::Negative(atom) => !model.contains(atom.relation, &ground(atom, binding)),
        Literal::Equal(left, right) => symbol(*left) == symbol(*right),
        Literal::Distinct(left, right) => symbol(*left) != symbol(*right),
    }
}
