//! Queries: the bindings that satisfy a rule's body over a changing database.

use std::ops::ControlFlow;
use std::sync::Arc;

use herbrand_limits::Meter;

use crate::eval::database::{BucketWalk, Database};
use crate::eval::join::{Cursor, Join, Visitor};
use crate::eval::model::Model;
use crate::plan::body::{Body, replace};
use crate::plan::columns::Columns;
use crate::plan::explain::JoinPlan;
use crate::plan::{Plan, Planner};
use crate::program::check::InvalidProgram;
use crate::program::facts::Facts;
use crate::program::ids::{FactId, RelationId, RuleId, Symbol, Variable};
use crate::program::{Atom, Program, Term};
use crate::store::access::{Source, Status};
use crate::store::domain::{DomainId, Domains};
use crate::store::tables::Tables;

/// Prepared queries over one program and its static facts.
///
/// Each query returns the bindings that satisfy the body of a rule. It uses the same kind of join plan as an
/// [`Evaluator`](crate::Evaluator), but over the current facts of a [`Database`], and it derives and stores nothing. A
/// negative literal holds if the database does not contain its fact now.
///
/// ```
/// use herbrand_datalog::{Program, Queries};
/// use std::ops::ControlFlow;
///
/// let (program, facts) = Program::parse("
///     road(home, work). road(work, home). #fluent at/2. at(car, home).
///     :- at(Thing, Here), road(Here, There), not at(Thing, There).
/// ")?;
/// let mut queries = Queries::new(&program, &facts)?;
/// let moves = queries.prepare(program.rule_ids().next().unwrap(), &[]).unwrap();
/// let mut database = queries.database();
/// for (relation, tuple) in facts.iter() {
///     database.insert(relation, tuple);
/// }
/// let mut found = Vec::new();
/// let _ = moves.for_each(&database, &[], |binding| {
///     found.push(binding.iter().map(|symbol| program.symbol_name(*symbol)).collect::<Option<Vec<_>>>());
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(found, [Some(vec!["car", "home", "work"])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Queries {
    program: Arc<Program>,
    bodies: Vec<Body>,
    domains: Vec<Option<Vec<Option<DomainId>>>>,
    /// For each column of each relation, the number of different symbols in the sample.
    distinct: Vec<Vec<usize>>,
    prepared: Arc<Prepared>,
}

/// The part that databases and queries share.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// The static facts with their indexes, and the shapes of the indexes that databases need.
    pub tables: Tables,
    plans: Vec<Option<PreparedQuery>>,
}

#[derive(Clone, Debug)]
struct PreparedQuery {
    plan: Plan,
    given: Vec<GivenSymbol>,
    variables: usize,
    premises: usize,
    replaced: Vec<(Variable, Term)>,
}

/// The treatment of the symbol that a caller passes for a given variable.
#[derive(Clone, Copy, Debug)]
enum GivenSymbol {
    Bind(Variable, DomainId),
    Compare(Term),
}

/// A prepared query, returned by [`Queries::prepare`] and [`Views::prepare`](crate::Views::prepare). It is a number
/// that can be copied; the [`Queries`] store its plan. Run it only on databases of those [`Queries`] or
/// [`Views`](crate::Views): this is not checked, and others take it for one of their own queries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Query(u32);

impl Queries {
    /// Creates a set without queries for the rules of `program`. The facts of static relations are fixed for all queries.
    /// The facts of other relations are only a sample of the later databases; the planner uses them to estimate the cost of
    /// joins.
    ///
    /// # Errors
    /// If a rule is faulty or unsafe ([`ProgramFault`](crate::ProgramFault)), or if a fact does not fit the program.
    pub fn new(program: &Program, facts: &Facts) -> Result<Self, QueriesError> {
        program.check().map_err(InvalidProgram::Rules)?;
        program.check_facts(facts)?;
        let bodies: Vec<Body> = program
            .rules()
            .iter()
            .map(|rule| Body::new(program, rule))
            .collect();
        let sample = Columns::of_input(program, &[facts]);
        let distinct = sample.sizes();
        let columns = sample.open(program);
        let mut numbered = Domains::new(program.symbols());
        let domains = bodies
            .iter()
            .map(|body| columns.domains(&mut numbered, body))
            .collect();
        let tables = Model::of_input(program, facts, numbered, &columns, &|_| false).tables;
        let prepared = Arc::new(Prepared {
            tables,
            plans: Vec::new(),
        });
        Ok(Self {
            program: Arc::new(program.clone()),
            bodies,
            domains,
            distinct,
            prepared,
        })
    }

    /// Prepares a query for the body of a rule. Each call of the query passes one symbol per variable in `given`, in
    /// the same order, and finds the symbols of the other variables. Returns `None` if the rule or a variable does not
    /// exist. Databases created before this call do not know the query. A rule whose body no database can satisfy gets
    /// a query without results. Create the database next, by [`database`](Self::database).
    pub fn prepare(&mut self, rule: RuleId, given: &[Variable]) -> Option<Query> {
        let body = self.bodies.get(rule.index())?;
        if given.iter().any(|variable| variable.index() >= body.variables()) {
            return None;
        }
        let plan = self.with_planner(rule, Status::Open, |planner| {
            let given = givens(planner.body, planner.domains, given);
            let bound: Vec<Variable> = given.iter().filter_map(GivenSymbol::bound).collect();
            PreparedQuery {
                plan: planner.plan(None, &bound),
                given,
                variables: planner.body.variables(),
                premises: planner.body.premise_count(),
                replaced: planner.body.replaced().collect(),
            }
        });
        let prepared = Arc::make_mut(&mut self.prepared);
        prepared.plans.push(plan);
        Some(Query(prepared.plans.len() as u32 - 1))
    }

    /// Calls `make` with the planner of a rule's body. The facts of relations that are not static have this status. Returns
    /// `None` if no database can satisfy the body.
    pub(crate) fn with_planner<T>(
        &mut self,
        rule: RuleId,
        status: Status,
        make: impl FnOnce(&mut Planner<'_>) -> T,
    ) -> Option<T> {
        let domains = self.domains[rule.index()].as_ref()?;
        let program = &self.program;
        let status = |relation: RelationId| {
            if program.is_static(relation) {
                Status::Static
            } else {
                status
            }
        };
        let density = |tables: &Tables, atom: &Atom| sampled_density(tables, &self.distinct, domains, atom);
        Some(make(&mut Planner {
            tables: &mut Arc::make_mut(&mut self.prepared).tables,
            status: &status,
            density: &density,
            rule,
            body: &self.bodies[rule.index()],
            domains,
        }))
    }

    /// Returns the body of a rule.
    pub(crate) fn body(&self, rule: RuleId) -> &Body {
        &self.bodies[rule.index()]
    }

    /// Creates an empty database that knows all queries prepared so far and the facts of static relations. Add other
    /// facts by [`Database::insert`]. It does not know queries that are prepared later.
    pub fn database(&self) -> Database {
        Database::new(self.prepared.clone())
    }

    /// Returns the join plan of a query; `None` if no database can satisfy the rule's body. Pass only queries that were
    /// prepared by this set.
    pub fn plan(&self, query: Query) -> Option<&JoinPlan> {
        let prepared = self.prepared.plans.get(query.0 as usize)?;
        prepared.as_ref().map(|prepared| &prepared.plan.outline)
    }
}

/// Estimates the share of the tuples over an atom's variable domains that match the atom. It assumes that the relation
/// always has as many facts as in the sample, and at least one, and as many symbols per column.
fn sampled_density(
    tables: &Tables,
    distinct: &[Vec<usize>],
    domains: &[Option<DomainId>],
    atom: &Atom,
) -> f64 {
    let rows = f64::from(tables.rows[atom.relation.index()].len().max(1));
    let share = |(distinct, term): (&usize, &Term)| {
        let domain = term.variable().and_then(|variable| domains[variable.index()]);
        let size = domain.map_or(1, |domain| tables.domains.size(domain) as usize);
        1.0 / size.max(*distinct) as f64
    };
    rows * distinct[atom.relation.index()]
        .iter()
        .zip(&atom.terms)
        .map(share)
        .product::<f64>()
}

/// The reason why [`Queries`] or [`Views`](crate::Views) cannot be prepared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueriesError {
    /// A rule is faulty or unsafe; for [`Views`](crate::Views), also if the rules cannot be stratified.
    #[error(transparent)]
    Program(#[from] InvalidProgram),
    /// A fact does not fit the program.
    #[error(transparent)]
    Facts(#[from] crate::program::check::FactError),
}

/// Returns the treatment of each given symbol: the first one of a variable is bound, later ones are compared with it.
fn givens(body: &Body, domains: &[Option<DomainId>], given: &[Variable]) -> Vec<GivenSymbol> {
    let mut bound = Vec::new();
    let mut how = |variable: &Variable| {
        let term = body.resolve(Term::Variable(*variable));
        match term.variable().map(|own| (own, domains[own.index()])) {
            Some((own, Some(domain))) if !bound.contains(&own) => {
                bound.push(own);
                GivenSymbol::Bind(own, domain)
            }
            _ => GivenSymbol::Compare(term),
        }
    };
    given.iter().map(&mut how).collect()
}

impl GivenSymbol {
    fn bound(&self) -> Option<Variable> {
        match self {
            Self::Bind(variable, _) => Some(*variable),
            Self::Compare(_) => None,
        }
    }
}

/// Queries with at most this many variables, premises and steps use buffers on the stack. There are two sizes, because most
/// queries are far smaller than `ROOM` and clearing a buffer takes time.
const ROOM: usize = 24;
const SMALL_ROOM: usize = 6;

impl Query {
    /// Calls `each` once for every binding that satisfies the rule's body in the current database and maps the variables
    /// given to [`Queries::prepare`] to the symbols `given`, which are in the order of those variables. `each` gets the
    /// binding as one symbol per variable of the rule, by variable number. `Break` ends the search and is returned;
    /// otherwise returns `Continue`.
    ///
    /// There are no bindings if the database does not know the query, or if the number of given symbols is wrong.
    #[inline]
    pub fn for_each<B>(
        self,
        database: &Database,
        given: &[Symbol],
        mut each: impl FnMut(&[Symbol]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.search(database, given, &mut Unlimited, |_, binding| each(binding))
    }

    /// Like [`for_each`](Self::for_each), within the budget of `meter`, which also covers the search between bindings. If
    /// the budget is exhausted, the search ends as if there were no further bindings, and [`Meter::is_spent`] returns
    /// `true`. `each` also receives the meter.
    #[inline]
    pub fn for_each_within<B>(
        self,
        database: &Database,
        given: &[Symbol],
        meter: &mut Meter,
        each: impl FnMut(&mut Meter, &[Symbol]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.search(database, given, meter, each)
    }

    #[inline]
    fn search<G: SearchBudget, B>(
        self,
        database: &Database,
        given: &[Symbol],
        gauge: &mut G,
        each: impl FnMut(&mut G, &[Symbol]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let prepared = database
            .prepared
            .plans
            .get(self.0 as usize)
            .and_then(Option::as_ref);
        let Some(query) = prepared.filter(|query| query.given.len() == given.len()) else {
            return ControlFlow::Continue(());
        };
        let size = query.variables.max(query.premises).max(query.plan.steps.len());
        if size <= SMALL_ROOM {
            query.run_in_room::<SMALL_ROOM, _, _>(database, given, gauge, each)
        } else if size <= ROOM {
            query.run_in_room::<ROOM, _, _>(database, given, gauge, each)
        } else {
            let mut binding = vec![Symbol::new(0); query.variables];
            let mut premises = vec![FactId::new(0); query.premises];
            let mut cursors = vec![Cursor::<BucketWalk>::default(); query.plan.steps.len()];
            let join = join(&mut binding, &mut premises, &mut cursors, G::BETWEEN_CHECKS);
            query.run(database, given, join, gauge, each)
        }
    }

    /// Returns whether some binding satisfies the rule's body and maps the variables given to [`Queries::prepare`] to
    /// the symbols `given`, in the same order. `false` also if the database does not know the query, or if the number
    /// of given symbols is wrong.
    pub fn holds(self, database: &Database, given: &[Symbol]) -> bool {
        self.for_each(database, given, |_| ControlFlow::Break(()))
            .is_break()
    }

    /// Like [`holds`](Self::holds), within a budget. Returns `false` if the budget is exhausted; then [`Meter::is_spent`]
    /// returns `true`.
    pub fn holds_within(self, database: &Database, given: &[Symbol], meter: &mut Meter) -> bool {
        self.for_each_within(database, given, meter, |_, _| ControlFlow::Break(()))
            .is_break()
    }
}

fn join<'m>(
    binding: &'m mut [Symbol],
    premises: &'m mut [FactId],
    cursors: &'m mut [Cursor<BucketWalk>],
    fuel: u64,
) -> Join<'m, BucketWalk> {
    Join {
        binding,
        premises,
        cursors,
        fuel,
        trigger: FactId::new(0),
    }
}

/// The budget of a search.
trait SearchBudget {
    /// The number of entries between two checks.
    const BETWEEN_CHECKS: u64;
    /// Returns whether the search may continue.
    fn may_continue(&mut self) -> bool;
}

/// A budget without limit.
struct Unlimited;

impl SearchBudget for Unlimited {
    const BETWEEN_CHECKS: u64 = u64::MAX;

    fn may_continue(&mut self) -> bool {
        true
    }
}

impl SearchBudget for Meter {
    const BETWEEN_CHECKS: u64 = 1 << 14;

    fn may_continue(&mut self) -> bool {
        self.check().is_ok()
    }
}

impl PreparedQuery {
    #[inline]
    fn run_in_room<const ROOM: usize, G: SearchBudget, B>(
        &self,
        database: &Database,
        given: &[Symbol],
        gauge: &mut G,
        each: impl FnMut(&mut G, &[Symbol]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut binding, mut premises) = ([Symbol::new(0); ROOM], [FactId::new(0); ROOM]);
        let mut cursors = [Cursor::<BucketWalk>::default(); ROOM];
        self.run(
            database,
            given,
            join(&mut binding, &mut premises, &mut cursors, G::BETWEEN_CHECKS),
            gauge,
            each,
        )
    }

    #[inline]
    fn run<G: SearchBudget, B>(
        &self,
        database: &Database,
        given: &[Symbol],
        mut join: Join<'_, BucketWalk>,
        gauge: &mut G,
        each: impl FnMut(&mut G, &[Symbol]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let domains = database.domains();
        for (how, symbol) in self.given.iter().zip(given) {
            let fits = match *how {
                GivenSymbol::Bind(variable, domain) => {
                    join.binding[variable.index()] = *symbol;
                    domains.contains(domain, *symbol)
                }
                GivenSymbol::Compare(Term::Variable(variable)) => join.binding[variable.index()] == *symbol,
                GivenSymbol::Compare(Term::Constant(constant)) => constant == *symbol,
            };
            if !fits {
                return ControlFlow::Continue(());
            }
        }
        let mut visit = Visit {
            query: self,
            gauge,
            each,
            end: ControlFlow::Continue(()),
        };
        join.run(&self.plan, database, &mut &*database, &mut visit);
        visit.end
    }
}

/// A visitor that passes bindings to the caller's closure.
struct Visit<'q, G, B, F> {
    query: &'q PreparedQuery,
    gauge: &'q mut G,
    each: F,
    end: ControlFlow<B>,
}

impl<G: SearchBudget, B, F: FnMut(&mut G, &[Symbol]) -> ControlFlow<B>> Visitor<&Database>
    for Visit<'_, G, B, F>
{
    #[inline]
    fn found(&mut self, binding: &mut [Symbol], _: &[FactId], _: &mut &Database) -> bool {
        replace(&self.query.replaced, binding);
        self.end = (self.each)(self.gauge, &binding[..self.query.variables]);
        self.end.is_continue()
    }

    fn refuel(&mut self, _: &mut &Database) -> Option<u64> {
        self.gauge.may_continue().then_some(G::BETWEEN_CHECKS)
    }
}
