//! Evaluation: one fixed ascent program whose rules are data.

use ascent::ascent_run;
use std::ops::ControlFlow;

use crate::{
    EvaluationError, FactId, Facts, Firing, InvalidProgram, Limits, Model, Program, RuleId, Sink,
    Stratification, Symbol, Term,
};

/// Evaluates a program bottom-up, one stratum after the other.
pub struct Evaluator<'p> {
    program: &'p Program,
    strata: Stratification,
    limits: Limits,
}

impl<'p> Evaluator<'p> {
    /// Checks a program and orders its rules.
    pub fn new(program: &'p Program) -> Result<Self, InvalidProgram> {
        program.check().map_err(InvalidProgram::Rules)?;
        Ok(Self {
            program,
            strata: Stratification::of(program)?,
            limits: Limits::default(),
        })
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
        self.program.check_facts(facts)?;
        let mut join = Join {
            program: self.program,
            stratum: &[],
            model: Model::of_input(self.program, facts),
            sink,
            ended: None,
        };
        for stratum in self.strata.strata() {
            join.stratum = stratum;
            run_stratum(&mut join);
            if let Some(error) = join.ended {
                return Err(error);
            }
        }
        Ok(join.model)
    }
}

/// Runs the fixed program on one stratum.
fn run_stratum<S: Sink>(join: &mut Join<'_, S>) {
    let known = 0..join.model.len() as u32;
    ascent_run! {
        /// `fact(f)`: fact `f` holds.
        #[ds(crate::arrivals)]
        relation fact(FactId);

        fact(FactId::new(id)) <-- for id in known.clone();
        fact(FactId::new(id)) <-- for id in join.begin();
        fact(FactId::new(conclusion)) <-- fact(premise), for conclusion in join.arrive(*premise);
    };
}

struct Join<'a, S> {
    program: &'a Program,
    stratum: &'a [RuleId],
    model: Model,
    sink: &'a mut S,
    ended: Option<EvaluationError>,
}

impl<S: Sink> Join<'_, S> {
    /// Fires the rules that need no fact; the ids of the new facts.
    fn begin(&mut self) -> std::ops::Range<u32> {
        self.fire(None)
    }

    /// Fires the rules whose last premise to arrive is this fact; the ids of the new facts.
    fn arrive(&mut self, fact: FactId) -> std::ops::Range<u32> {
        self.fire(Some(fact))
    }

    fn fire(&mut self, last: Option<FactId>) -> std::ops::Range<u32> {
        let start = self.model.len() as u32;
        for &id in self.stratum {
            let rule = &self.program.rules()[id.index()];
            for binding in crate::naive::bindings(rule, &self.model) {
                let ground = |atom: &crate::Atom| -> Vec<Symbol> {
                    let symbol = |term: &Term| match *term {
                        Term::Variable(variable) => binding[variable.index()],
                        Term::Constant(symbol) => symbol,
                    };
                    atom.terms.iter().map(symbol).collect()
                };
                let premises: Vec<FactId> = rule
                    .positive()
                    .filter_map(|atom| self.model.id(atom.relation, &ground(atom)))
                    .collect();
                if premises.iter().max().copied() != last || self.ended.is_some() {
                    continue;
                }
                let conclusions: Vec<FactId> = rule
                    .heads
                    .iter()
                    .map(|head| self.model.insert(head.relation, &ground(head)).0)
                    .collect();
                let firing = Firing {
                    rule: id,
                    binding: &binding,
                    premises: &premises,
                    conclusions: &conclusions,
                };
                if let ControlFlow::Break(()) = self.sink.fired(&firing) {
                    self.ended = Some(EvaluationError::Stopped);
                }
            }
        }
        start..self.model.len() as u32
    }
}
