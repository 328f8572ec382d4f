//! Guards of aggregations, evaluated as Datalog rules.
//!
//! `sum_{?d : computer} [CONNECTED(?d, ?c) ^ running(?d)]` counts nothing where `CONNECTED` is false. So each sum, product,
//! `exists` and `forall` with such a guard becomes a rule. Its head has the free variables of the aggregation, then the
//! aggregated variables:
//!
//! ```text
//!   sum_1(C, D) :- CONNECTED(D, C).
//! ```
//!
//! The rules are evaluated once, together. Grounding then visits only the derived tuples.

use std::collections::HashMap;

use fxhash::FxBuildHasher;
use herbrand_datalog::{
    EvaluationError, Evaluator, Facts, InvalidProgram, Limits, Model, Program, RelationId, Symbol, Term,
    Variable,
};
use herbrand_rddl::{
    Aggregation, Expression, Formula, Instance, Node, PvariableId, Quantifier, Range, TypeId, Value,
    VariableId,
};
use thiserror::Error;

use super::literal::{
    Argument, Guard, needed_for_factor, needed_for_falsehood, needed_for_truth, needed_for_weight,
};

/// The guarded aggregations of an instance. An aggregation is a sum, a product, `exists` or `forall`, and its guard is
/// the condition over non-fluents without which the body of the aggregation does not count. [`of`](Self::of) turns the
/// guards into Datalog rules and evaluates them; [`program`](Self::program) returns the rules. It is for inspection:
/// [`compile`](super::compile()) computes its own.
#[derive(Debug)]
pub struct Guards {
    program: Program,
    /// By address of the aggregation in the domain.
    sites: HashMap<usize, Site, FxBuildHasher>,
}

/// A guarded aggregation.
#[derive(Debug)]
pub(super) struct Site {
    relation: RelationId,
    /// The free variables of the aggregation that occur in the guard.
    pub(super) outer: Vec<VariableId>,
    /// The aggregated variables that occur in the guard.
    pub(super) inner: Vec<VariableId>,
    /// By items of the outer variables: the tuples of items of the inner variables, concatenated.
    tuples: HashMap<Box<[u32]>, Vec<u32>, FxBuildHasher>,
}

impl Site {
    /// Returns the number of tuples.
    pub(super) fn len(&self) -> u64 {
        let lists = self
            .tuples
            .values()
            .map(|list| list.len() / self.inner.len().max(1));
        lists.sum::<usize>() as u64
    }

    /// Returns the tuples of inner items for these outer items, concatenated.
    pub(super) fn tuples(&self, outer: &[u32]) -> &[u32] {
        self.tuples.get(outer).map_or(&[], Vec::as_slice)
    }
}

/// The reason why the guards of aggregations could not be evaluated, returned by [`Guards::of`].
/// [`CompileError::Guards`](super::CompileError::Guards) contains one.
#[derive(Clone, Debug, Error)]
pub enum GuardError {
    /// The Datalog rules of the guards are invalid.
    #[error(transparent)]
    Program(#[from] InvalidProgram),
    /// The evaluation exceeded its limits, or an enclosing budget is exhausted. [`compile`](crate::ground::compile()) sets
    /// no limits.
    #[error("{0}")]
    Evaluation(#[from] EvaluationError),
}

/// The maximum fraction of true ground variables of a guard non-fluent. A denser one would save too little.
const SPARSE: f64 = 0.5;

impl Guards {
    /// Finds the guards of an instance's aggregations and evaluates them within `limits` of memory and time. An instance
    /// without guards gives no rules. Then read [`program`](Self::program).
    ///
    /// # Errors
    /// Fails if the tuples exceed the limits, or if the rules are not valid Datalog.
    pub fn of(instance: &Instance, limits: &Limits) -> Result<Self, GuardError> {
        let mut builder = Builder::new(instance);
        for formula in instance.domain.formulas() {
            builder.formula(formula);
        }
        let Builder {
            program,
            facts,
            mut sites,
            first_symbol,
            ..
        } = builder;
        let model = Evaluator::new(&program)?
            .with_limits(*limits)
            .run(&facts, &mut ())?;
        for (_, site) in &mut sites {
            site.read(&model, &first_symbol);
        }
        Ok(Self {
            program,
            sites: sites.into_iter().collect(),
        })
    }

    /// Returns the Datalog rules, one per guarded aggregation, without the facts. Guards by a non-fluent that is true for
    /// more than half of its arguments have no rule.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.program
    }

    pub(super) fn site(&self, aggregation: &Expression) -> Option<&Site> {
        self.sites.get(&address(aggregation))
    }
}

fn address(expression: &Expression) -> usize {
    std::ptr::from_ref(expression).addr()
}

impl Site {
    fn read(&mut self, model: &Model, first_symbol: &[u32]) {
        for tuple in model.tuples(self.relation) {
            let items: Vec<u32> = tuple.iter().map(|&symbol| item(first_symbol, symbol)).collect();
            let (outer, inner) = items.split_at(self.outer.len());
            if let Some(list) = self.tuples.get_mut(outer) {
                list.extend_from_slice(inner);
            } else {
                self.tuples.insert(outer.into(), inner.to_vec());
            }
        }
    }
}

/// Returns the item of a symbol. Symbols are numbered type by type.
fn item(first_symbol: &[u32], symbol: Symbol) -> u32 {
    let of = first_symbol.partition_point(|&first| first <= symbol.number());
    symbol.number() - first_symbol[of - 1]
}

struct Builder<'i> {
    instance: &'i Instance,
    program: Program,
    facts: Facts,
    /// By type: its first symbol.
    first_symbol: Vec<u32>,
    relations: HashMap<PvariableId, Option<RelationId>, FxBuildHasher>,
    sites: Vec<(usize, Site)>,
}

impl<'i> Builder<'i> {
    fn new(instance: &'i Instance) -> Self {
        let mut program = Program::new();
        let mut first_symbol = Vec::new();
        for index in 0..instance.domain.types.len() {
            let of = TypeId::from_index(index);
            first_symbol.push(program.symbols());
            for item in 0..instance.size(of) {
                program.symbol(instance.item_name(of, item).to_string());
            }
        }
        Self {
            instance,
            program,
            facts: Facts::new(),
            first_symbol,
            relations: HashMap::default(),
            sites: Vec::new(),
        }
    }

    fn formula(&mut self, formula: &Formula) {
        formula
            .body
            .walk(&mut |expression| self.aggregation(formula, expression));
    }

    fn aggregation(&mut self, formula: &Formula, expression: &Expression) {
        let domain = &*self.instance.domain;
        let (word, variables, guards) = match &expression.node {
            Node::Aggregate(Aggregation::Sum, variables, body) => {
                ("sum", variables, needed_for_weight(domain, body))
            }
            Node::Aggregate(Aggregation::Product, variables, body) => {
                ("prod", variables, needed_for_factor(domain, body))
            }
            Node::Quantify(Quantifier::Exists, variables, body) => {
                ("exists", variables, needed_for_truth(domain, body))
            }
            Node::Quantify(Quantifier::Forall, variables, body) => {
                ("forall", variables, needed_for_falsehood(domain, body))
            }
            _ => return,
        };
        let holding: Vec<(RelationId, Vec<Argument>)> = guards
            .iter()
            .filter_map(|guard| match guard {
                Guard::Holds(id, arguments) => Some((self.relation(*id)?, arguments.clone())),
                _ => None,
            })
            .collect();
        let bound: Vec<VariableId> = holding
            .iter()
            .flat_map(|(_, arguments)| arguments.iter().filter_map(variable))
            .collect();
        let inner: Vec<VariableId> = variables
            .iter()
            .copied()
            .filter(|variable| bound.contains(variable))
            .collect();
        if inner.is_empty() {
            return;
        }
        let mut outer: Vec<VariableId> = bound
            .iter()
            .copied()
            .filter(|variable| !variables.contains(variable))
            .collect();
        outer.sort_unstable();
        outer.dedup();
        // The rule's variables are numbered without gaps, head variables first.
        let numbered: Vec<VariableId> = outer.iter().chain(&inner).copied().collect();
        let number = |id: VariableId| {
            let place = numbered
                .iter()
                .position(|&one| one == id)
                .unwrap_or(numbered.len());
            Term::from(Variable::new(place as u32))
        };
        let name = format!("{word}_{}", self.sites.len() + 1);
        let relation = self
            .program
            .relation(name.as_str(), (outer.len() + inner.len()) as u32);
        let term = |argument: &Argument| match *argument {
            Argument::Variable(id) => number(id),
            Argument::Item(of, item) => self.symbol(of, item).into(),
        };
        let head: Vec<Term> = numbered.iter().map(|&id| number(id)).collect();
        let bodies: Vec<(RelationId, Vec<Term>)> = holding
            .iter()
            .map(|(relation, arguments)| (*relation, arguments.iter().map(term).collect()))
            .collect();
        let compared: Vec<(bool, Term, Term)> = guards
            .iter()
            .filter_map(|guard| {
                let known = guard
                    .arguments()
                    .iter()
                    .filter_map(variable)
                    .all(|variable| bound.contains(&variable));
                match guard {
                    Guard::Same(a, b) if known => Some((true, term(a), term(b))),
                    Guard::Distinct(a, b) if known => Some((false, term(a), term(b))),
                    _ => None,
                }
            })
            .collect();
        let names: Vec<String> = numbered
            .iter()
            .map(|&id| capitalised(formula.variable(id).name.as_str()))
            .collect();
        let mut rule = self.program.rule(name).head(relation, head).named(names);
        for (relation, terms) in bodies {
            rule = rule.when(relation, terms);
        }
        for (same, a, b) in compared {
            rule = if same {
                rule.equal(a, b)
            } else {
                rule.distinct(a, b)
            };
        }
        rule.add();
        let site = Site {
            relation,
            outer,
            inner,
            tuples: HashMap::default(),
        };
        self.sites.push((address(expression), site));
    }

    fn symbol(&self, of: TypeId, item: u32) -> Symbol {
        Symbol::new(self.first_symbol[of.index()] + item)
    }

    /// Returns the relation of a bool non-fluent with its facts; `None` if the non-fluent is not sparse.
    fn relation(&mut self, id: PvariableId) -> Option<RelationId> {
        if let Some(&known) = self.relations.get(&id) {
            return known;
        }
        let instance = self.instance;
        let pvariable = instance.domain.pvariable(id);
        let facts = true_numbers(instance, id);
        let sparse = facts
            .as_ref()
            .is_some_and(|facts| facts.len() as f64 <= SPARSE * instance.count(id) as f64);
        let relation = (sparse && pvariable.range == Range::Bool).then(|| {
            let arity = pvariable.parameters.len() as u32;
            self.program.relation(pvariable.name.to_string(), arity)
        });
        if let (Some(relation), Some(facts)) = (relation, facts) {
            for number in facts {
                let items = instance.arguments(id, number);
                let pairs = pvariable.parameters.iter().zip(items);
                let tuple: Vec<Symbol> = pairs.map(|(&of, item)| self.symbol(of, item)).collect();
                self.facts.add(relation, &tuple);
            }
        }
        self.relations.insert(id, relation);
        relation
    }
}

/// Returns the numbers of the true ground variables of a bool non-fluent; `None` if they are not few.
fn true_numbers(instance: &Instance, id: PvariableId) -> Option<Vec<u64>> {
    let settings = &instance.non_fluents[id.index()];
    let is_true = |&(number, value): &(u64, Value)| (value == Value::Bool(true)).then_some(number);
    match instance.domain.pvariable(id).default_value() {
        Value::Bool(false) => Some(settings.iter().filter_map(is_true).collect()),
        Value::Bool(true) if settings.len() as f64 >= (1.0 - SPARSE) * instance.count(id) as f64 => {
            let values = instance.values(id);
            let pairs = (0..).zip(&values);
            Some(
                pairs
                    .filter(|&(_, &value)| value == Value::Bool(true))
                    .map(|(number, _)| number)
                    .collect(),
            )
        }
        _ => None,
    }
}

fn variable(argument: &Argument) -> Option<VariableId> {
    match argument {
        Argument::Variable(id) => Some(*id),
        Argument::Item(..) => None,
    }
}

/// Capitalises a name, as Datalog requires of variables.
fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
