//! Evaluation: one fixed ascent program whose rules are data.

mod arrivals;
pub(crate) mod firing;
pub(crate) mod join;
pub(crate) mod limits;
pub mod naive;
pub(crate) mod query;
mod run;

use ascent::ascent_run;

use crate::eval::run::Run;
use crate::plan::body::Body;
use crate::plan::columns::{Columns, VariableDomains};
use crate::plan::stage::Stage;
use crate::store::domain::Domains;
use crate::{
    EvaluationError, FactId, Facts, InvalidProgram, Limits, Model, Program, Sink, Stratification, Term,
    Variable,
};

/// Evaluates a program bottom-up, one stratum after the other.
///
/// The fixpoint of each stratum is one run of one fixed ascent program whose single relation says which
/// facts hold; what follows from a fact is found by join plans that are made for the program and its input
/// (semi-naive evaluation: Bancilhon, Ramakrishnan: An amateur's introduction to recursive query processing
/// strategies, 1986). Every fact triggers its plans once, when it arrives; a binding is found by the plan
/// of its last premise to arrive.
#[derive(Clone, Debug)]
pub struct Evaluator<'p> {
    program: &'p Program,
    strata: Stratification,
    bodies: Vec<Body>,
    limits: Limits,
}

impl<'p> Evaluator<'p> {
    /// Checks a program and orders its rules.
    pub fn new(program: &'p Program) -> Result<Self, InvalidProgram> {
        program.check().map_err(InvalidProgram::Rules)?;
        Ok(Self::of_checked(program, Stratification::of(program)?))
    }

    /// The evaluator of a program that was checked before, with its strata.
    pub(crate) fn of_checked(program: &'p Program, strata: Stratification) -> Self {
        let rules = program.rules().iter();
        Self {
            program,
            strata,
            bodies: rules.map(|rule| Body::new(program, rule)).collect(),
            limits: Limits::default(),
        }
    }

    /// Sets the budgets of each run.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The strata of the program.
    pub fn strata(&self) -> &Stratification {
        &self.strata
    }

    /// Finds all facts that follow from the input, and tells the sink of every rule firing.
    pub fn run(&self, facts: &Facts, sink: &mut impl Sink) -> Result<Model, EvaluationError> {
        let Self {
            program,
            strata,
            bodies,
            limits,
        } = self;
        program.check_facts(facts)?;
        let columns = Columns::of_input(program, facts).close(program, bodies);
        let mut domains = Domains::new(program.symbols());
        let variables: Vec<Option<VariableDomains>> = bodies
            .iter()
            .map(|body| columns.domains(&mut domains, body))
            .collect();
        let unique = unique_relations(program, bodies, facts);
        let input = Model::of_input(program, facts, domains, &columns, &|relation| {
            unique[relation.index()]
        });
        let mut run = Run::new(program, bodies, input, *limits, sink);
        for stratum in 0..strata.strata().len() {
            let model = run.model();
            let stage = Stage::new(program, strata, stratum, bodies, &variables, &mut model.tables);
            model
                .plans
                .extend(stage.plans.iter().map(|plan| plan.outline.clone()));
            run.check()?;
            run_stratum(&stage, &mut run);
            run.check()?;
        }
        Ok(run.finish())
    }
}

/// Runs the fixed program on one stratum.
fn run_stratum<S: Sink>(stage: &Stage, run: &mut Run<'_, S>) {
    let known = 0..run.model().len() as u32;
    ascent_run! {
        /// `fact(f)`: fact `f` holds.
        #[ds(crate::eval::arrivals)]
        relation fact(FactId);

        fact(FactId::new(id)) <-- for id in known.clone();
        fact(FactId::new(id)) <-- for id in run.begin(stage);
        fact(FactId::new(conclusion)) <-- fact(premise), for conclusion in run.arrive(stage, *premise);
    };
}

/// The relations whose facts can be found in one way only: one head of one rule says them, with all its
/// variables.
///
/// Two firings of the rule have different bindings, so their heads differ, and no fact is found twice.
fn unique_relations(program: &Program, bodies: &[Body], facts: &Facts) -> Vec<bool> {
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
    facts
        .iter()
        .for_each(|(relation, _)| whole[relation.index()] = false);
    said.iter()
        .zip(whole)
        .map(|(said, whole)| *said == 1 && whole)
        .collect()
}
