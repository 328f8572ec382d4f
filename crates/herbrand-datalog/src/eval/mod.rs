//! Evaluation: bottom-up, stratum by stratum.

mod ascent;
mod direct;
pub(crate) mod firing;
mod fold;
pub(crate) mod join;
pub(crate) mod limits;
pub mod naive;
pub(crate) mod query;
mod rule;
pub(crate) mod saturation;

use std::ops::DerefMut;

use crate::plan::body::Body;
use crate::plan::columns::{Columns, VariableDomains};
use crate::plan::stage::Stage;
use crate::store::domain::Domains;
use crate::{
    EvaluationError, Facts, InvalidProgram, Limits, Model, Program, Sink, Stratification, Term, Variable,
};

use self::ascent::Ascent;
use self::direct::Direct;
use self::fold::Folded;

/// Who joins facts and iterates to the fixpoint. Both find the same model and the same firings; they number
/// facts, and tell of firings, in different orders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EvaluatorKind {
    /// An `ascent` program holds the facts, joins them and iterates semi-naively.
    #[default]
    Ascent,
    /// Our own loops over the same plans and indexes, without `ascent`: faster.
    Direct,
}

/// Evaluates a program bottom-up, one stratum after the other.
///
/// Every rule is joined by a plan for each of its atoms, which begins with a fact of that atom; static atoms
/// are walked along in between. Evaluation is semi-naive (Bancilhon, Ramakrishnan: An amateur's introduction to
/// recursive query processing strategies, 1986): a fact triggers its plans once, and is joined with those
/// that arrived before it, so that a binding is found once, by the plan of its last premise to arrive.
/// [`EvaluatorKind`] says who does that; the default is one fixed `ascent` program whose rules are data.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use herbrand_datalog::{Evaluator, EvaluatorKind, Firing, Program};
///
/// let (program, facts) = Program::parse("edge(a, b). edge(b, c). path(X, Y) :- edge(X, Y).
///     path(X, Z) :- path(X, Y), edge(Y, Z).")?;
/// // The sink hears of each firing once: (a, b), (b, c) and (a, c).
/// let mut firings = 0;
/// let evaluator = Evaluator::new(&program)?.with_kind(EvaluatorKind::Direct);
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
    kind: EvaluatorKind,
    least: usize,
}

impl<'p> Evaluator<'p> {
    /// Checks a program and orders its rules.
    pub fn new(program: &'p Program) -> Result<Self, InvalidProgram> {
        program.check().map_err(InvalidProgram::Rules)?;
        Ok(Self::of_checked(program, Stratification::of(program)?))
    }

    /// The evaluator of a program that was checked before, with its strata.
    pub(crate) fn of_checked(program: &'p Program, strata: Stratification) -> Self {
        Self {
            program,
            strata,
            limits: Limits::default(),
            kind: EvaluatorKind::default(),
            least: fold::LEAST,
        }
    }

    /// Sets the budgets of each run.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets who evaluates.
    #[must_use]
    pub fn with_kind(mut self, kind: EvaluatorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets how many rules that differ by constants alone are evaluated as one, so that they share their plans: eight,
    /// unless set. What is found and told is the same, in another order; the [plans](Model::plans) of such rules are not
    /// shown, and what was tried for them [counts](Model::statistics) for the first of them.
    #[must_use]
    pub fn with_folding(mut self, least: usize) -> Self {
        self.least = least;
        self
    }

    /// The strata of the program.
    pub fn strata(&self) -> &Stratification {
        &self.strata
    }

    /// Finds all facts that follow from the input, and tells the sink of every rule firing.
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
        let Self { program, limits, .. } = self;
        let rules = program.rules().iter();
        let bodies: Vec<Body> = rules.map(|rule| Body::new(program, rule)).collect();
        let bodies = &bodies[..];
        let columns = Columns::of_input(program, &[facts]).close(program, bodies);
        let mut domains = Domains::new(program.symbols());
        let variables: Vec<Option<VariableDomains>> = bodies
            .iter()
            .map(|body| columns.domains(&mut domains, body))
            .collect();
        let unique = unique_relations(program, bodies, &[facts]);
        let input = Model::of_input(program, facts, domains, &columns, &|relation| {
            unique[relation.index()]
        });
        match self.kind {
            EvaluatorKind::Ascent => self.drive(
                bodies,
                &variables,
                Ascent::new(program, bodies, input, *limits, sink),
            ),
            EvaluatorKind::Direct => self.drive(
                bodies,
                &variables,
                Direct::new(program, bodies, input, *limits, sink),
            ),
        }
    }

    fn drive(
        &self,
        bodies: &[Body],
        variables: &[Option<VariableDomains>],
        mut evaluation: impl Evaluation,
    ) -> Result<Model, EvaluationError> {
        let Self { program, strata, .. } = self;
        for stratum in 0..strata.strata().len() {
            let mut model = evaluation.model();
            let stage = Stage::new(program, strata, stratum, bodies, variables, &mut model.tables);
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

/// An evaluation under way.
trait Evaluation {
    /// The facts found so far.
    fn model(&mut self) -> impl DerefMut<Target = Model>;
    /// Finds all that follows in one stratum.
    fn fixpoint(&mut self, stage: &Stage);
    /// Whether something has ended the evaluation, or a budget is spent.
    fn check(&mut self) -> Result<(), EvaluationError>;
    /// The model, without the indexes that only joins need.
    fn finish(self) -> Model;
}

/// The relations whose facts can be found in one way only: one head of one rule says them, with all its
/// variables.
///
/// Two firings of the rule have different bindings, so their heads differ, and no fact is found twice.
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
