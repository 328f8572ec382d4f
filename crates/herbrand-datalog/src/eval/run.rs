//! One evaluation under way: facts arrive, plans fire, facts follow.

use std::ops::Range;
use std::time::Instant;

use crate::eval::join::{Cursor, Join, Visitor};
use crate::eval::limits::{Limits, Watch};
use crate::plan::body::{Body, replace};
use crate::plan::stage::Stage;
use crate::store::index::Walk;
use crate::store::model::Store;
use crate::store::rows::Head;
use crate::store::tables::Indexes;
use crate::{EvaluationError, FactId, Firing, Model, Program, Rule, RuleId, Sink, Symbol, Term, Variable};

/// One evaluation under way.
pub(crate) struct Run<'a, S> {
    program: &'a Program,
    model: Model,
    codes: Vec<RuleCode>,
    memory: Memory,
    sink: &'a mut S,
    watch: Watch,
    ended: Option<EvaluationError>,
}

/// What all plans of a rule share.
struct RuleCode {
    variables: usize,
    premises: usize,
    heads: Vec<Head>,
    /// Variables that follow from others, or are constant.
    replaced: Vec<(Variable, Term)>,
}

impl RuleCode {
    fn new(model: &Model, rule: &Rule, body: &Body) -> Self {
        Self {
            variables: body.variables(),
            premises: body.premise_count(),
            heads: rule
                .heads
                .iter()
                .map(|head| model.head(body.resolve_atom(head)))
                .collect(),
            replaced: body.replaced().collect(),
        }
    }
}

/// What joins write to, lent to one after the other.
struct Memory {
    binding: Vec<Symbol>,
    premises: Vec<FactId>,
    cursors: Vec<Cursor<Walk>>,
    conclusions: Vec<FactId>,
}

impl Memory {
    /// Room for the largest rule.
    fn new(program: &Program, codes: &[RuleCode]) -> Self {
        let most = |of: fn(&RuleCode) -> usize| codes.iter().map(of).max().unwrap_or(0);
        let steps = program
            .rules()
            .iter()
            .map(|rule| rule.body.len())
            .max()
            .unwrap_or(0);
        Self {
            binding: vec![Symbol::new(0); most(|code| code.variables)],
            premises: vec![FactId::new(0); most(|code| code.premises)],
            cursors: vec![Cursor::default(); steps],
            conclusions: vec![FactId::new(0); most(|code| code.heads.len())],
        }
    }
}

impl<'a, S: Sink> Run<'a, S> {
    /// Begins with the facts of the input.
    pub(crate) fn new(
        program: &'a Program,
        bodies: &[Body],
        input: Model,
        limits: Limits,
        sink: &'a mut S,
    ) -> Self {
        let code = |(rule, body)| RuleCode::new(&input, rule, body);
        let codes: Vec<RuleCode> = program.rules().iter().zip(bodies).map(code).collect();
        Self {
            program,
            memory: Memory::new(program, &codes),
            codes,
            model: input,
            sink,
            watch: Watch::new(limits, program.rules().len(), Instant::now()),
            ended: None,
        }
    }

    /// The facts found so far.
    pub(crate) fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// The model, without the indexes that only joins need.
    pub(crate) fn finish(mut self) -> Model {
        self.model.statistics = self.watch.into_statistics();
        self.model.tables.drop_indexes();
        self.model
    }

    /// Whether something has ended the evaluation, or a budget is spent.
    pub(crate) fn check(&mut self) -> Result<(), EvaluationError> {
        let bytes = || self.model.bytes() + self.sink.bytes();
        let over = match self.model.tables.full {
            true => Some(self.watch.out_of_memory(self.program, bytes())),
            false => self.watch.over(self.program, bytes),
        };
        self.ended.take().or(over).map_or(Ok(()), Err)
    }

    /// Fires the rules that need no fact of this stratum; the ids of the new facts.
    pub(crate) fn begin(&mut self, stage: &Stage) -> Range<u32> {
        let start = self.model.len() as u32;
        for &source in &stage.sources {
            self.fire(stage, source, None);
        }
        start..self.model.len() as u32
    }

    /// Fires the rules whose last premise to arrive is this fact; the ids of the new facts.
    #[inline]
    pub(crate) fn arrive(&mut self, stage: &Stage, fact: FactId) -> Range<u32> {
        let start = self.model.len() as u32;
        let (relation, row) = self.model.place(fact);
        if !stage.open[relation.index()] || self.ended.is_some() {
            return start..start;
        }
        self.model.tables.arrive(relation, row, fact.number());
        let dispatch = &stage.triggered[relation.index()];
        for &plan in dispatch.plans(self.model.tables.rows[relation.index()].tuple(row)) {
            self.fire(stage, plan, Some((fact, row)));
        }
        start..self.model.len() as u32
    }

    /// Finds all bindings of a plan, and what follows from them. The trigger is a fact and its row.
    fn fire(&mut self, stage: &Stage, plan: usize, trigger: Option<(FactId, u32)>) {
        if self.ended.is_some() {
            return;
        }
        let plan = &stage.plans[plan];
        let (rule, code) = (plan.outline.rule, &self.codes[plan.outline.rule.index()]);
        let Memory {
            binding,
            premises,
            cursors,
            conclusions,
        } = &mut self.memory;
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
        let full = self.model.tables.full;
        let (indexes, mut store) = self.model.split();
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

/// Adds what follows from the bindings that a join finds, and tells the sink.
struct Conclude<'r, S> {
    rule: RuleId,
    code: &'r RuleCode,
    conclusions: &'r mut [FactId],
    program: &'r Program,
    indexes: &'r Indexes<'r>,
    full: bool,
    sink: &'r mut S,
    watch: &'r mut Watch,
    ended: &'r mut Option<EvaluationError>,
    firings: u64,
}

impl<S: Sink> Visitor<Store<'_>> for Conclude<'_, S> {
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
        *self.ended = match self.full || store.is_nearly_full() {
            true => Some(self.watch.out_of_memory(self.program, bytes())),
            false => self.watch.over(self.program, bytes),
        };
        self.ended.is_none().then(|| self.watch.fuel())
    }
}
