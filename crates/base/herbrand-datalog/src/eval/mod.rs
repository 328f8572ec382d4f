//! Bottom-up evaluation, stratum by stratum.

pub(crate) mod ascent;
pub(crate) mod database;
pub(crate) mod firing;
mod fold;
pub(crate) mod join;
pub(crate) mod limits;
pub(crate) mod model;
pub mod naive;
pub(crate) mod query;
pub(crate) mod rule;

use herbrand_limits::{Instant, Limits};

use crate::eval::firing::Sink;
use crate::eval::limits::{EvaluationError, RuleCounters};
use crate::eval::model::Model;
use crate::plan::body::Body;
use crate::plan::columns::{Columns, VariableDomains};
use crate::plan::stage::Stage;
use crate::program::check::InvalidProgram;
use crate::program::facts::Facts;
use crate::program::ids::Variable;
use crate::program::strata::Stratification;
use crate::program::{Program, Term};
use crate::store::domain::Domains;

use self::ascent::Ascent;
use self::fold::Folded;

/// Evaluates a program bottom-up, stratum by stratum: [`new`](Self::new) checks the program, and [`run`](Self::run)
/// computes the [`Model`] of input facts.
///
/// Every rule has one join plan per atom whose facts arrive in the rule's stratum; the plan starts from a fact of that
/// atom. A rule without such atoms has one plan, which runs at the start of the stratum. Evaluation is semi-naive
/// (Bancilhon, Ramakrishnan: An amateur's introduction to recursive query processing strategies, 1986): each fact
/// triggers its plans once, when it arrives, and is joined with the facts that arrived before it. So each binding is
/// found exactly once, by the plan of its last premise to arrive. A fixed `ascent` program stores and joins the facts, and
/// reads the rules as data.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use herbrand_datalog::{Evaluator, Firing, Program};
///
/// let (program, facts) = Program::parse("edge(a, b). edge(b, c). path(X, Y) :- edge(X, Y).
///     path(X, Z) :- path(X, Y), edge(Y, Z).")?;
/// // The sink hears of each firing once: (a, b), (b, c) and (a, c).
/// let mut firings = 0;
/// let evaluator = Evaluator::new(&program)?;
/// let mut count = |_: &Firing<'_>| {
///     firings += 1;
///     ControlFlow::Continue(())
/// };
/// let model = evaluator.run(&facts, &mut count)?;
/// assert_eq!((model.ids().count(), firings), (3, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator<'p> {
    program: &'p Program,
    strata: Stratification,
    limits: Limits,
    least: usize,
}

impl<'p> Evaluator<'p> {
    /// Prepares the evaluation of a program: checks it and stratifies its rules.
    ///
    /// # Errors
    /// If a rule is faulty or unsafe ([`ProgramFault`](crate::ProgramFault)), or if a relation depends on its own negation.
    pub fn new(program: &'p Program) -> Result<Self, InvalidProgram> {
        program.check().map_err(InvalidProgram::Rules)?;
        Ok(Self::of_checked(program, Stratification::of(program)?))
    }

    /// Creates the evaluator of a program that is already checked and stratified.
    pub(crate) fn of_checked(program: &'p Program, strata: Stratification) -> Self {
        Self {
            program,
            strata,
            limits: Limits::default(),
            least: fold::LEAST,
        }
    }

    /// Sets the limits of memory and time of each run. The default is unlimited. [`run`](Self::run) fails when one is
    /// exceeded. The time starts from zero in each run.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the least number of rules that are folded into one if they differ only in their constants, so that they
    /// share their plans. The default is 8; `usize::MAX` turns folding off. Folding changes the order of facts and
    /// firings, but not the sets. The [plans](Model::plans) of folded rules are left out, and their candidates
    /// [count](Model::statistics) for the first rule.
    #[must_use]
    pub fn with_folding(mut self, least: usize) -> Self {
        self.least = least;
        self
    }

    /// Returns the stratification of the program, as [`Stratification::of`] computes it. Its lowest stratum is
    /// evaluated first.
    pub fn strata(&self) -> &Stratification {
        &self.strata
    }

    /// Computes all facts that follow from the input facts and the rules, and reports every firing to the sink; pass `&mut
    /// ()` to ignore firings. The facts of one run do not affect the next.
    ///
    /// # Errors
    /// If an input fact does not fit the program, if a limit is reached, if a budget that encloses the call is
    /// exhausted, or if the sink returns `Break`. No model is returned then.
    pub fn run(&self, facts: &Facts, sink: &mut dyn Sink) -> Result<Model, EvaluationError> {
        self.program.check_facts(facts)?;
        let Some(folded) = Folded::of(self.program, self.least) else {
            return self.run_checked(facts, sink);
        };
        let relations = folded.program.relations().len();
        let evaluator = Evaluator {
            program: &folded.program,
            strata: self.strata.folded(|rule| folded.rule(rule), relations),
            ..*self
        };
        let mut unfolded = folded.sink(sink);
        let model = evaluator.run_checked(&folded.facts(facts), &mut unfolded);
        let firings = unfolded.into_firings();
        match model {
            Ok(model) => Ok(folded.model(model, firings)),
            Err(error) => Err(folded.error(error)),
        }
    }

    fn run_checked(&self, facts: &Facts, sink: &mut dyn Sink) -> Result<Model, EvaluationError> {
        let Self {
            program,
            strata,
            limits,
            ..
        } = self;
        let rules = program.rules().iter();
        let bodies: Vec<Body> = rules.map(|rule| Body::new(program, rule)).collect();
        let bodies = &bodies[..];
        let mut counters = RuleCounters::new(*limits, bodies.len(), Instant::now());
        let mut fits = |bytes: u64| counters.over(program, || bytes).map_or(Ok(()), Err);
        // Columns times symbols may be far more than the facts.
        let of_columns = Columns::bytes(program);
        fits(of_columns)?;
        let columns = Columns::of_input(program, &[facts]).close(program, bodies);
        let mut domains = Domains::new(program.symbols());
        for set in columns.sets() {
            fits(of_columns + domains.next_bytes())?;
            domains.intern(set.clone());
        }
        let domains_of = |body| {
            fits(of_columns + domains.next_bytes())?;
            Ok::<_, EvaluationError>(columns.domains(&mut domains, body))
        };
        let variables: Vec<Option<VariableDomains>> =
            bodies.iter().map(domains_of).collect::<Result<_, _>>()?;
        let unique = unique_relations(program, bodies, &[facts]);
        let input = Model::of_input(program, facts, domains, &columns, &|relation| {
            unique[relation.index()]
        });
        let mut evaluation = Ascent::new(program, bodies, input, *limits, sink);
        for stratum in 0..strata.strata().len() {
            let mut model = evaluation.model();
            let stage = Stage::new(program, strata, stratum, bodies, &variables, &mut model.tables);
            drop(model);
            evaluation.check()?;
            evaluation.fixpoint(&stage);
            evaluation.check()?;
            let plans = stage.plans.into_iter().map(|plan| plan.outline);
            evaluation.model().plans.extend(plans);
        }
        Ok(evaluation.finish())
    }
}

/// Returns the relations whose facts can be derived in one way only: one head of one rule derives them, and it contains all
/// variables of the rule. Relations with input facts are excluded.
///
/// Two firings of the rule have different bindings, so their heads differ, and no fact is derived twice.
fn unique_relations(program: &Program, bodies: &[Body], facts: &[&Facts]) -> Vec<bool> {
    let mut said = vec![0; program.relations().len()];
    let mut whole = vec![true; said.len()];
    for (rule, body) in program.rules().iter().zip(bodies) {
        for head in &rule.heads {
            let terms: Vec<Term> = head.terms.iter().map(|term| body.resolve(*term)).collect();
            let spells = |variable: Variable| terms.contains(&Term::Variable(variable));
            said[head.relation.index()] += 1;
            whole[head.relation.index()] &= body.own_variables().all(spells);
        }
    }
    let input = facts.iter().flat_map(|facts| facts.iter());
    input.for_each(|(relation, _)| whole[relation.index()] = false);
    said.iter()
        .zip(whole)
        .map(|(said, whole)| *said == 1 && whole)
        .collect()
}
