//! Views: models that are maintained while their input changes.

mod ascent;
mod deltas;
mod facts;
mod network;

use std::ops::ControlFlow;
use std::sync::Arc;

use herbrand_limits::{Budget, BudgetExhausted, Meter, outside};

use crate::eval::Evaluator;
use crate::eval::database::Database;
use crate::eval::firing::Firing;
use crate::eval::limits::EvaluationError;
use crate::eval::query::{Queries, QueriesError, Query};
use crate::program::Program;
use crate::program::check::InvalidProgram;
use crate::program::facts::Facts;
use crate::program::ids::{RelationId, RuleId, Symbol, Variable};
use crate::program::strata::Stratification;

use ascent::Delta;
use deltas::DeltaRules;
use facts::FactSet;
use network::Network;

/// Makes incremental [`View`]s of one program, and queries over them: [`new`](Self::new) prepares the program, and
/// [`view`](Self::view) makes the view of an input.
///
/// A [`View`] contains all facts that follow from its input. Changes of the input update it in time that depends on the
/// change, not on the size of the model: an `ascent` program joins the changed facts with the facts that the view keeps.
/// Non-recursive relations count, for each fact, the bindings that derive it.
/// Recursive relations delete each fact that may have lost its derivation, and rederive the facts that still have one.
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
    /// The program without rules that have no head.
    program: Arc<Program>,
    strata: Stratification,
    queries: Queries,
    network: Arc<Network>,
    rules: Arc<DeltaRules>,
}

/// The model of one input, maintained while the input changes. Created by [`Views::view`] and [`Views::view_within`].
/// [`update`](Self::update) changes the input, and [`database`](Self::database) returns the facts.
#[derive(Clone, Debug)]
pub struct View {
    network: Arc<Network>,
    rules: Arc<DeltaRules>,
    kept: ViewState,
    delta: Box<Delta>,
}

/// The facts that hold, with the numbers of their derivations.
#[derive(Clone, Debug)]
struct ViewState {
    database: Database,
    /// For each relation of counted facts: for each slot of the database, the number of bindings that derive its fact.
    counts: Vec<Vec<u32>>,
    /// The bytes of the counts.
    count_bytes: u64,
}

/// Buffers that used more than this many bytes are freed after an update.
const LARGE: u64 = 1 << 20;

/// The bytes per count in a growing list.
const COUNT: u64 = 3 * 4;

/// The bytes per changed head, in growing lists.
const GAIN: u64 = 3 * 9;

/// The changed heads of one component.
#[derive(Clone, Debug, Default)]
struct HeadChanges {
    facts: FactSet,
    /// For each fact, the change of the number of its bindings.
    gains: Vec<i64>,
    /// For each fact, whether it lost a binding.
    lost: Vec<bool>,
}

impl Views {
    /// Prepares the views of a program. The facts of static relations are fixed for all views and queries. The facts of
    /// other relations are only a sample; the planner uses them to estimate the cost of joins.
    ///
    /// # Errors
    /// If a rule is faulty or unsafe ([`ProgramFault`](crate::ProgramFault)), if the rules cannot be stratified, or if a
    /// fact does not fit the program.
    pub fn new(program: &Program, facts: &Facts) -> Result<Self, QueriesError> {
        let mut queries = Queries::new(program, facts)?;
        let headed = program.without_headless_rules();
        let strata = Stratification::of(&headed).map_err(InvalidProgram::from)?;
        let network = Network::new(program);
        let rules = DeltaRules::new(program, &network, &mut queries);
        Ok(Self {
            program: Arc::new(headed),
            strata,
            queries,
            network: Arc::new(network),
            rules: Arc::new(rules),
        })
    }

    /// Ceases to store the facts of these relations in views created from now on, if that saves time: it has an effect
    /// for relations that no rule reads and whose facts have a single derivation each.
    /// [`view`](Self::view) and [`View::update`] report such facts all the same, but [`View::contains`] and
    /// [`View::database`] do not know them. Use it for relations whose facts the caller keeps.
    #[must_use]
    pub fn without_storing(mut self, relations: impl IntoIterator<Item = RelationId>) -> Self {
        if let Some(rules) = Arc::get_mut(&mut self.rules) {
            relations
                .into_iter()
                .for_each(|relation| rules.leave_out(relation));
        }
        self
    }

    /// Prepares a query for the body of a rule with given variables, like [`Queries::prepare`]; `None` if the rule or a
    /// variable does not exist. Views and databases created before this call do not know the query.
    pub fn prepare(&mut self, rule: RuleId, given: &[Variable]) -> Option<Query> {
        self.queries.prepare(rule, given)
    }

    /// Creates the view of an input: evaluates the program and keeps the model for updates. `facts` must include the
    /// facts of static relations, the same as in [`new`](Self::new); facts of derived or unknown relations are ignored.
    /// Calls `report` with every derived fact that holds.
    ///
    /// # Errors
    /// If a fact does not fit the program, or if a budget that encloses the call is exhausted. No view is returned
    /// then.
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

    /// Like [`view`](Self::view), within a budget. The memory of the view is charged to the meter, which is passed to
    /// `report`.
    ///
    /// # Errors
    /// If a fact does not fit the program, or if the budget is exhausted. That is [`EvaluationError::Memory`] or
    /// [`EvaluationError::Time`] during the evaluation, and otherwise [`EvaluationError::BudgetExhausted`]. No view is
    /// returned then.
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
        let mut kept = ViewState {
            database: self.queries.database(),
            counts: vec![Vec::new(); self.program.relations().len()],
            count_bytes: 0,
        };
        for fact in model.ids() {
            let (relation, tuple) = (model.relation(fact), model.tuple(fact));
            if self.rules.is_unstored(relation) {
                report(meter, relation, tuple);
                continue;
            }
            let slot = kept.insert(relation, tuple, meter);
            if let Some(slot) = slot.filter(|_| !self.network.is_input(relation)) {
                let count = bindings.get(fact.index()).copied().unwrap_or(0);
                kept.set_count(relation, slot, count, meter);
                report(meter, relation, tuple);
            }
            if let Some(exhausted) = meter.exhausted() {
                return Err(exhausted.into());
            }
        }
        meter.release(evaluated);
        Ok(View {
            network: self.network.clone(),
            kept,
            rules: self.rules.clone(),
            delta: Box::new(Delta::new(&self.rules, self.network.components.len())),
        })
    }
}

impl View {
    /// Changes the input of the view and updates its model. A change is a fact of an input relation, as its relation
    /// and tuple, and whether it holds from now on; the changes must not contain a fact twice. Calls `report` once for
    /// every derived fact that begins (`true`) or ceases (`false`) to hold. A change to the truth value that its fact
    /// already has does nothing.
    ///
    /// The update is completed even if a budget that encloses the call is exhausted, so that the view stays consistent.
    /// To stop long updates, call [`update_within`](Self::update_within).
    ///
    /// Changes are ignored if their fact is of a static or derived relation or does not fit the program.
    pub fn update<'t>(
        &mut self,
        changes: impl IntoIterator<Item = (RelationId, &'t [Symbol], bool)>,
        mut report: impl FnMut(RelationId, &[Symbol], bool),
    ) {
        let mut unlimited = Budget::unlimited().meter("updating");
        // Without limits there is no error.
        let _ = outside(|| {
            self.update_within(changes, &mut unlimited, |_, relation, tuple, holds| {
                report(relation, tuple, holds);
            })
        });
    }

    /// Like [`update`](Self::update), within the budget of `meter`. The memory by which the view grows is charged to the
    /// meter, which is passed to `report`.
    ///
    /// # Errors
    /// If the budget is exhausted. The view is then inconsistent and must be dropped.
    pub fn update_within<'t>(
        &mut self,
        changes: impl IntoIterator<Item = (RelationId, &'t [Symbol], bool)>,
        meter: &mut Meter,
        mut report: impl FnMut(&mut Meter, RelationId, &[Symbol], bool),
    ) -> Result<(), BudgetExhausted> {
        let Self {
            network,
            rules,
            kept,
            delta,
        } = self;
        delta.update((&**network, &**rules), kept, changes, meter, &mut report)
    }

    /// Returns the database of all facts of non-static relations in the view, over which the queries of the [`Views`] can be
    /// run.
    pub fn database(&self) -> &Database {
        &self.kept.database
    }

    /// Returns the memory of the facts and their counts in bytes, as charged to the meters of this view.
    pub fn bytes(&self) -> u64 {
        self.kept.database.bytes() + self.kept.count_bytes
    }

    /// Returns whether a fact holds in the view. Its relation may be static. `false` also if there is no such relation,
    /// or if the number of symbols is wrong.
    pub fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.kept.database.contains(relation, tuple)
    }
}

impl ViewState {
    /// Stores the number of bindings that derive the fact in a slot.
    pub(super) fn set_count(&mut self, relation: RelationId, slot: u32, count: u32, meter: &mut Meter) {
        let counts = &mut self.counts[relation.index()];
        let known = counts.len();
        if known <= slot as usize {
            counts.resize(slot as usize + 1, 0);
            let bytes = COUNT * (counts.len() - known) as u64;
            self.count_bytes += bytes;
            meter.charge(bytes);
        }
        counts[slot as usize] = count;
    }

    /// Adds a fact; returns its slot if it is new.
    pub(super) fn insert(
        &mut self,
        relation: RelationId,
        tuple: &[Symbol],
        meter: &mut Meter,
    ) -> Option<u32> {
        let before = self.database.bytes();
        let slot = self.database.insert_slot(relation, tuple);
        meter.charge(self.database.bytes() - before);
        slot
    }
}

impl HeadChanges {
    pub(super) fn note(&mut self, relation: RelationId, tuple: &[Symbol], gain: i64, meter: &mut Meter) {
        let number = self.facts.insert_within(relation, tuple, meter);
        if number == self.gains.len() {
            meter.charge(GAIN);
            self.gains.push(0);
            self.lost.push(false);
        }
        self.gains[number] += gain;
        self.lost[number] |= gain < 0;
    }

    /// Clears the heads; returns the bytes that were charged for them.
    pub(super) fn clear(&mut self) -> u64 {
        let bytes = self.facts.bytes() + GAIN * self.gains.len() as u64;
        if bytes > LARGE {
            *self = Self::default();
        }
        self.facts.clear();
        self.gains.clear();
        self.lost.clear();
        bytes
    }
}
