//! Views: models that are kept while their input changes.

mod facts;
mod network;
mod update;

use std::ops::ControlFlow;
use std::sync::Arc;

use herbrand_limits::{Budget, Meter};

use crate::{
    Database, EvaluationError, Evaluator, EvaluatorKind, Facts, Firing, InvalidProgram, Limits, Model,
    Program, Queries, QueriesError, Query, RelationId, RuleId, Stratification, Symbol, Variable,
};

use facts::FactSet;
use network::Network;

/// Views of one program, and queries over them.
///
/// A [`View`] holds what follows from input that comes and goes, and updates it in time that depends on what changes,
/// not on what there is. Relations of which no fact can depend on itself keep, for each fact, the number of bindings
/// from which it follows; in others, what may have lost its ground is taken out and what still has one put back.
/// (Gupta, Mumick, Subrahmanian: Maintaining views incrementally, 1993: counting, and delete and rederive.)
///
/// ```
/// use herbrand_datalog::{Program, Views};
///
/// let (program, facts) = Program::parse("
///     #fluent edge/2. edge(a, b). edge(b, c).
///     path(X, Y) :- edge(X, Y).
///     path(X, Z) :- path(X, Y), edge(Y, Z).
/// ")?;
/// let (edge, path) = (program.rules()[0].body[0].clone(), program.rules()[0].heads[0].relation);
/// let herbrand_datalog::Literal::Positive(edge) = edge else { unreachable!() };
/// let [a, b, c] = [0, 1, 2].map(herbrand_datalog::Symbol::new);
///
/// let views = Views::new(&program, &facts)?;
/// let mut view = views.view(&facts, |_, _| ())?;
/// assert!(view.contains(path, &[a, c]));
///
/// let mut lost = Vec::new();
/// view.update([(edge.relation, &[b, c][..], false)], |relation, tuple, holds| {
///     assert!(relation == path && !holds);
///     lost.push(tuple.to_vec());
/// });
/// lost.sort();
/// assert_eq!(lost, [[a, c], [b, c]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Views {
    /// The rules with heads.
    program: Arc<Program>,
    strata: Stratification,
    queries: Queries,
    network: Arc<Network>,
}

/// The model of one input, kept while that changes.
#[derive(Clone, Debug)]
pub struct View {
    network: Arc<Network>,
    kept: Kept,
    work: Work,
}

/// What holds, and what is to be settled.
#[derive(Clone, Debug)]
struct Kept {
    database: Database,
    /// By relation, where facts are counted: for each slot of the database from how many bindings its fact follows.
    counts: Vec<Vec<u32>>,
    /// The bytes that the counts take.
    count_bytes: u64,
    /// By component: the heads that rules found or lost since it was last settled.
    touched: Vec<Touched>,
    buffers: Buffers,
}

/// The bytes of a count, in a list that grows.
const COUNT: u64 = 3 * 4;

/// What a query is given, and the head that it leads to.
#[derive(Clone, Debug, Default)]
struct Buffers {
    given: Vec<Symbol>,
    head: Vec<Symbol>,
}

/// Heads of one component.
#[derive(Clone, Debug, Default)]
struct Touched {
    facts: FactSet,
    /// For each fact how many more bindings it follows from now.
    gains: Vec<i64>,
    /// For each fact whether some binding was lost.
    lost: Vec<bool>,
}

/// What settling a component needs; empty between updates.
#[derive(Clone, Debug, Default)]
struct Work {
    stack: Vec<usize>,
    /// The fact that was taken from the stack.
    current: Vec<Symbol>,
    fallen: FactSet,
    risen: FactSet,
    /// Facts that change, with their new counts.
    net: Vec<(usize, u32)>,
}

impl Views {
    /// Views of a program. The facts of static relations are those of all views; those of other relations are a
    /// sample of what views will hold, by which joins are ordered.
    ///
    /// # Errors
    /// When the program is not safe or not stratified, or a fact does not fit it.
    pub fn new(program: &Program, facts: &Facts) -> Result<Self, QueriesError> {
        let mut queries = Queries::new(program, facts)?;
        let headed = program.without_headless_rules();
        let strata = Stratification::of(&headed).map_err(InvalidProgram::from)?;
        let network = Arc::new(Network::new(program, &mut queries));
        Ok(Self {
            program: Arc::new(headed),
            strata,
            queries,
            network,
        })
    }

    /// Prepares the query for the body of a rule, with some variables given each time; see [`Queries::prepare`].
    /// Views made before do not know it.
    pub fn prepare(&mut self, rule: RuleId, given: &[Variable]) -> Option<Query> {
        self.queries.prepare(rule, given)
    }

    /// An empty database that knows all queries prepared so far.
    pub fn database(&self) -> Database {
        self.queries.database()
    }

    /// The model of an input, evaluated afresh within limits; see [`view`](Self::view).
    ///
    /// # Errors
    /// When a fact does not fit the program, or a limit is reached.
    pub fn evaluate(
        &self,
        facts: &Facts,
        limits: Limits,
        kind: EvaluatorKind,
    ) -> Result<Model, EvaluationError> {
        // Rules are looked at for each evaluation: seeking shapes among them would take longer than it saves.
        let evaluator = Evaluator::of_checked(&self.program, self.strata.clone()).with_folding(usize::MAX);
        evaluator.with_limits(limits).with_kind(kind).run(facts, &mut ())
    }

    /// The program without the rules that have no head.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The view of an input: `facts` of the relations that no rule derives. `report` is told of every fact of the
    /// others that holds.
    ///
    /// # Errors
    /// When a fact does not fit the program.
    pub fn view(
        &self,
        facts: &Facts,
        mut report: impl FnMut(RelationId, &[Symbol]),
    ) -> Result<View, EvaluationError> {
        let mut unlimited = Budget::unlimited().meter("evaluating");
        self.view_within(facts, &mut unlimited, |_, relation, tuple| {
            report(relation, tuple)
        })
    }

    /// [`view`](Self::view) within a budget. What the view holds is charged to the meter, which `report` is given.
    ///
    /// # Errors
    /// When a fact does not fit the program, or the budget is spent.
    pub fn view_within(
        &self,
        facts: &Facts,
        meter: &mut Meter,
        mut report: impl FnMut(&mut Meter, RelationId, &[Symbol]),
    ) -> Result<View, EvaluationError> {
        let mut input = Facts::new();
        let given = facts
            .iter()
            .filter(|(relation, _)| self.network.is_input(*relation));
        given.for_each(|(relation, tuple)| input.add(relation, tuple));
        let mut bindings: Vec<u32> = Vec::new();
        let mut count = |firing: &Firing<'_>| {
            for conclusion in firing.conclusions {
                let number = conclusion.index();
                bindings.resize(bindings.len().max(number + 1), 0);
                bindings[number] += 1;
            }
            ControlFlow::Continue(())
        };
        let evaluator = Evaluator::of_checked(&self.program, self.strata.clone()).with_limits(meter.rest());
        let model = evaluator.run(&input, &mut count)?;
        let evaluated = model.bytes() + 3 * size_of_val(bindings.as_slice()) as u64;
        meter.charge(evaluated);
        let mut kept = Kept {
            database: self.queries.database(),
            counts: vec![Vec::new(); self.program.relations().len()],
            count_bytes: 0,
            touched: vec![Touched::default(); self.network.components.len()],
            buffers: Buffers::default(),
        };
        for fact in model.ids() {
            let (relation, tuple) = (model.relation(fact), model.tuple(fact));
            let slot = kept.insert(relation, tuple, meter);
            if let Some(slot) = slot.filter(|_| !self.network.is_input(relation)) {
                let count = bindings.get(fact.index()).copied().unwrap_or(0);
                kept.set_count(relation, slot, count, meter);
                report(meter, relation, tuple);
            }
            if let Some(spent) = meter.spent() {
                return Err(spent.into());
            }
        }
        meter.release(evaluated);
        Ok(View {
            network: self.network.clone(),
            kept,
            work: Work::default(),
        })
    }
}

impl View {
    /// All facts of relations that are not static, to be asked by the queries of the [`Views`].
    pub fn database(&self) -> &Database {
        &self.kept.database
    }

    /// The bytes that facts and their counts take, as they were charged to the meters of this view.
    pub fn bytes(&self) -> u64 {
        self.kept.database.bytes() + self.kept.count_bytes
    }

    /// Whether a fact holds.
    pub fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.kept.database.contains(relation, tuple)
    }
}
