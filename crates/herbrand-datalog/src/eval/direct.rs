//! Evaluation without ascent: a queue of facts, each of which is joined with those that arrived before it.
//!
//! The joins of a plan are one loop that neither recurses nor allocates. It is the faster twin of the ascent program.

use std::ops::DerefMut;

use herbrand_limits::Instant;

use crate::Limits;
use crate::eval::Evaluation;
use crate::eval::join::{Join, Visitor};
use crate::eval::limits::Watch;
use crate::eval::rule::{Frame, RuleCode};
use crate::plan::body::{Body, replace};
use crate::plan::dispatch::Dispatch;
use crate::plan::stage::Stage;
use crate::store::growing::{GrowingIndexes, Walk};
use crate::store::model::Store;
use crate::store::tables::Indexes;
use crate::{EvaluationError, FactId, Firing, Model, Program, RuleId, Sink, Symbol};

/// One evaluation under way.
pub(crate) struct Direct<'a> {
    program: &'a Program,
    model: Model,
    codes: Vec<RuleCode>,
    /// The indexes that joins walk along.
    walks: GrowingIndexes<u32>,
    frame: Frame<Walk>,
    sink: &'a mut dyn Sink,
    watch: Watch,
    ended: Option<EvaluationError>,
}

impl<'a> Direct<'a> {
    /// Begins with the facts of the input.
    pub(crate) fn new(
        program: &'a Program,
        bodies: &[Body],
        input: Model,
        limits: Limits,
        sink: &'a mut dyn Sink,
    ) -> Self {
        let codes = RuleCode::of_program(program, bodies, &input);
        Self {
            program,
            frame: Frame::new(program, &codes),
            codes,
            walks: GrowingIndexes::new(),
            model: input,
            sink,
            watch: Watch::new(limits, program.rules().len(), Instant::now()),
            ended: None,
        }
    }

    /// Fires the rules whose last premise to arrive is this fact.
    #[inline]
    fn arrive(&mut self, stage: &Stage, dispatch: &[Dispatch], fact: FactId) {
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
            self.fire(stage, plan, Some((fact, row)));
        }
    }

    /// Finds all bindings of a plan, and what follows from them. The trigger is a fact and its row.
    fn fire(&mut self, stage: &Stage, plan: usize, trigger: Option<(FactId, u32)>) {
        if self.ended.is_some() {
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
        let fuel = self.watch.fuel();
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
            program: self.program,
            indexes: &indexes,
            full,
            sink: self.sink,
            watch: &mut self.watch,
            ended: &mut self.ended,
            firings: 0,
        };
        // The trigger counts as one entry, so that plans without a walk come to a pause too.
        if join.fuel > 0 || join.refuel(&mut store, &mut conclude) {
            join.fuel -= 1;
            join.run(plan, &indexes, &mut store, &mut conclude);
        }
        let firings = conclude.firings;
        self.watch.spend(rule, join.fuel, firings);
    }
}

impl Evaluation for Direct<'_> {
    fn model(&mut self) -> impl DerefMut<Target = Model> {
        &mut self.model
    }

    fn fixpoint(&mut self, stage: &Stage) {
        let tables = &self.model.tables;
        self.walks.add_wanted(tables);
        let dispatch = stage.dispatch(self.program, tables, |_| true);
        for &source in &stage.sources {
            self.fire(stage, source, None);
        }
        let mut next = 0;
        while next < self.model.len() && self.ended.is_none() {
            self.arrive(stage, &dispatch, FactId::new(next as u32));
            next += 1;
        }
    }

    fn check(&mut self) -> Result<(), EvaluationError> {
        let bytes = || self.model.bytes() + self.walks.bytes() + self.sink.bytes();
        let over = if self.walks.full {
            Some(self.watch.out_of_memory(self.program, bytes()))
        } else {
            self.watch.over(self.program, bytes)
        };
        self.ended.take().or(over).map_or(Ok(()), Err)
    }

    fn finish(mut self) -> Model {
        self.model.statistics = self.watch.into_statistics();
        self.model.tables.drop_indexes();
        self.model
    }
}

/// Adds what follows from the bindings that a join finds, and tells the sink.
struct Conclude<'r> {
    rule: RuleId,
    code: &'r RuleCode,
    conclusions: &'r mut [FactId],
    program: &'r Program,
    indexes: &'r Indexes<'r>,
    full: bool,
    sink: &'r mut dyn Sink,
    watch: &'r mut Watch,
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
