//! The direct evaluator: a queue of facts, each joined with the facts that arrived before it.
//!
//! It runs the same plans as the ascent program, but faster: the joins of a plan are one loop that neither recurses nor
//! allocates.

use std::ops::DerefMut;

use herbrand_limits::{Instant, Limits};

use crate::eval::Evaluation;
use crate::eval::firing::{Firing, Sink};
use crate::eval::join::{Join, Visitor};
use crate::eval::limits::{EvaluationError, RuleCounters};
use crate::eval::model::{Model, Store};
use crate::eval::rule::{Frame, RuleCode};
use crate::plan::body::{Body, replace};
use crate::plan::dispatch::Dispatch;
use crate::plan::stage::Stage;
use crate::program::Program;
use crate::program::ids::{FactId, RuleId, Symbol};
use crate::store::growing::{GrowingIndexes, Walk};
use crate::store::tables::Indexes;

/// An evaluation in progress.
pub(crate) struct Direct<'a> {
    queue: Queue,
    run: Run<'a>,
}

/// The facts found so far, in order of arrival, and the buffers and indexes of their joins.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub model: Model,
    codes: Vec<RuleCode>,
    /// The indexes of numbered facts.
    pub walks: GrowingIndexes<u32>,
    frame: Frame<Walk>,
}

/// One run of the evaluation: the sink that receives its firings, its limits, and the error that ended it.
pub(crate) struct Run<'a> {
    program: &'a Program,
    sink: &'a mut dyn Sink,
    watch: RuleCounters,
    ended: Option<EvaluationError>,
}

impl<'a> Run<'a> {
    /// Starts a run within limits; its time begins now.
    pub(crate) fn new(program: &'a Program, limits: Limits, sink: &'a mut dyn Sink) -> Self {
        Self {
            program,
            sink,
            watch: RuleCounters::new(limits, program.rules().len(), Instant::now()),
            ended: None,
        }
    }
}

impl Queue {
    /// Creates a queue of the input facts. None of them has arrived yet.
    pub(crate) fn new(program: &Program, bodies: &[Body], input: Model) -> Self {
        let codes = RuleCode::of_program(program, bodies, &input);
        Self {
            frame: Frame::new(program, &codes),
            codes,
            walks: GrowingIndexes::new(),
            model: input,
        }
    }

    /// Runs the plans without a trigger.
    pub(crate) fn fire_sources(&mut self, stage: &Stage, run: &mut Run<'_>) {
        for &source in &stage.sources {
            self.fire(stage, source, None, run);
        }
    }

    /// Processes all facts from number `first` on, including the facts that are derived meanwhile.
    pub(crate) fn arrive_from(
        &mut self,
        first: usize,
        stage: &Stage,
        dispatch: &[Dispatch],
        run: &mut Run<'_>,
    ) {
        let mut next = first;
        while next < self.model.len() && run.ended.is_none() {
            self.arrive(stage, dispatch, FactId::new(next as u32), run);
            next += 1;
        }
    }

    /// Adds a fact to the indexes and runs the plans that it triggers.
    #[inline]
    fn arrive(&mut self, stage: &Stage, dispatch: &[Dispatch], fact: FactId, run: &mut Run<'_>) {
        let (relation, row) = self.model.place(fact);
        if !stage.open[relation.index()] {
            return;
        }
        let tables = &self.model.tables;
        let tuple = tables.rows[relation.index()].tuple(row);
        for &index in &tables.walks_of[relation.index()] {
            self.walks.append(index, &tables.domains, fact.number(), tuple);
        }
        for &plan in dispatch[relation.index()].plans(tuple) {
            self.fire(stage, plan, Some((fact, row)), run);
        }
    }

    /// Finds all bindings of a plan and adds their conclusions. The trigger is a fact and its row.
    fn fire(&mut self, stage: &Stage, plan: usize, trigger: Option<(FactId, u32)>, run: &mut Run<'_>) {
        if run.ended.is_some() {
            return;
        }
        let plan = &stage.plans[plan];
        let (rule, code) = (plan.outline.rule, &self.codes[plan.outline.rule.index()]);
        let Frame {
            binding,
            premises,
            cursors,
            conclusions,
        } = &mut self.frame;
        let (fact, row) = trigger.unwrap_or((FactId::new(0), 0));
        let fuel = run.watch.fuel();
        let mut join = Join {
            binding,
            premises,
            cursors,
            fuel,
            trigger: fact,
        };
        if let Some(trigger) = &plan.trigger {
            let tables = &self.model.tables;
            let tuple = tables.rows[trigger.relation.index()].tuple(row);
            if !join.begin_with(trigger, &tables.domains, tuple) {
                return;
            }
        }
        let full = self.walks.full;
        let (indexes, mut store) = self.model.split(&self.walks);
        let mut conclude = Conclude {
            rule,
            code,
            conclusions,
            program: run.program,
            indexes: &indexes,
            full,
            sink: run.sink,
            watch: &mut run.watch,
            ended: &mut run.ended,
            firings: 0,
        };
        // The trigger counts as one entry, so that plans without a walk consume fuel too.
        if join.fuel > 0 || join.refuel(&mut store, &mut conclude) {
            join.fuel -= 1;
            join.run(plan, &indexes, &mut store, &mut conclude);
        }
        let firings = conclude.firings;
        run.watch.spend(rule, join.fuel, firings);
    }

    /// Fails if the run was ended or a limit is reached.
    pub(crate) fn check(&self, run: &mut Run<'_>) -> Result<(), EvaluationError> {
        let bytes = || self.model.bytes() + self.walks.bytes() + run.sink.bytes();
        let over = if self.walks.full {
            Some(run.watch.out_of_memory(run.program, bytes()))
        } else {
            run.watch.over(run.program, bytes)
        };
        run.ended.take().or(over).map_or(Ok(()), Err)
    }
}

impl<'a> Direct<'a> {
    /// Starts with the facts of the input.
    pub(crate) fn new(
        program: &'a Program,
        bodies: &[Body],
        input: Model,
        limits: Limits,
        sink: &'a mut dyn Sink,
    ) -> Self {
        Self {
            queue: Queue::new(program, bodies, input),
            run: Run::new(program, limits, sink),
        }
    }
}

impl Evaluation for Direct<'_> {
    fn model(&mut self) -> impl DerefMut<Target = Model> {
        &mut self.queue.model
    }

    fn fixpoint(&mut self, stage: &Stage) {
        let Self { queue, run } = self;
        let tables = &queue.model.tables;
        queue.walks.add_wanted(tables);
        let dispatch = stage.dispatch(run.program, tables, |_| true);
        queue.fire_sources(stage, run);
        queue.arrive_from(0, stage, &dispatch, run);
    }

    fn check(&mut self) -> Result<(), EvaluationError> {
        self.queue.check(&mut self.run)
    }

    fn finish(self) -> Model {
        let mut model = self.queue.model;
        model.statistics = self.run.watch.into_statistics();
        model.tables.drop_indexes();
        model
    }
}

/// A visitor that adds the conclusions of each binding and reports the firing to the sink.
struct Conclude<'r> {
    rule: RuleId,
    code: &'r RuleCode,
    conclusions: &'r mut [FactId],
    program: &'r Program,
    indexes: &'r Indexes<'r>,
    full: bool,
    sink: &'r mut dyn Sink,
    watch: &'r mut RuleCounters,
    ended: &'r mut Option<EvaluationError>,
    firings: u64,
}

impl Visitor<Store<'_>> for Conclude<'_> {
    #[inline(always)]
    fn found(&mut self, binding: &mut [Symbol], premises: &[FactId], store: &mut Store<'_>) -> bool {
        replace(&self.code.replaced, binding);
        let (binding, premises) = (&binding[..self.code.variables], &premises[..self.code.premises]);
        let conclusions = &mut self.conclusions[..self.code.heads.len()];
        for (conclusion, head) in conclusions.iter_mut().zip(&self.code.heads) {
            *conclusion = store.insert(head, binding);
        }
        self.firings += 1;
        let end = self.sink.fired(&Firing {
            rule: self.rule,
            binding,
            premises,
            conclusions,
        });
        if end.is_break() {
            *self.ended = Some(EvaluationError::Stopped);
        }
        end.is_continue()
    }

    fn refuel(&mut self, store: &mut Store<'_>) -> Option<u64> {
        self.watch.spend(self.rule, 0, std::mem::take(&mut self.firings));
        let bytes = || self.indexes.bytes() + store.bytes() + self.sink.bytes();
        *self.ended = if self.full || store.is_nearly_full() {
            Some(self.watch.out_of_memory(self.program, bytes()))
        } else {
            self.watch.over(self.program, bytes)
        };
        self.ended.is_none().then(|| self.watch.fuel())
    }
}
