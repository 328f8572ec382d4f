//! The facts derived from a lifted state, maintained incrementally or re-evaluated for each state.

use std::collections::BTreeSet;

use herbrand_datalog::{Database, EvaluationError, Facts, RelationId, Symbol, View};
use herbrand_limits::{BudgetExhausted, Limits, Meter};
use herbrand_pddl::ObjectId;

use super::tables::{Inner, Maintenance};
use super::tuples::symbol;

/// Input facts of the program that became true or false.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// For each fact, its relation, the end of its symbols, and whether it holds now.
    facts: Vec<(RelationId, usize, bool)>,
    symbols: Vec<Symbol>,
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.symbols.clear();
    }

    pub(super) fn push(&mut self, relation: RelationId, objects: &[ObjectId], holds: bool) {
        self.symbols.extend(objects.iter().copied().map(symbol));
        self.facts.push((relation, self.symbols.len(), holds));
    }

    fn iter(&self) -> impl Iterator<Item = (RelationId, &[Symbol], bool)> {
        let mut start = 0;
        self.facts.iter().map(move |&(relation, end, holds)| {
            (
                relation,
                &self.symbols[std::mem::replace(&mut start, end)..end],
                holds,
            )
        })
    }
}

/// The model of the program for the current state.
#[derive(Clone, Debug)]
pub(super) enum Closure {
    /// Maintained incrementally.
    Kept(Box<View>),
    /// Re-evaluated for every state.
    Evaluated(Box<Evaluated>),
}

/// A model that is recomputed after every change of the input.
#[derive(Clone, Debug)]
pub(super) struct Evaluated {
    /// All facts, queried by the guards of effects.
    database: Database,
    input: BTreeSet<(RelationId, Vec<Symbol>)>,
    derived: Vec<(RelationId, Vec<Symbol>)>,
}

/// The bytes per fact outside the database: its entry in `input` or `derived`.
const EVALUATED: u64 = 160;

impl Closure {
    /// Creates a closure without any facts, before the first evaluation.
    pub(super) fn empty(inner: &Inner) -> Self {
        Self::Evaluated(Box::new(Evaluated {
            database: inner.direct.views.database(),
            input: BTreeSet::new(),
            derived: Vec::new(),
        }))
    }

    /// Creates the closure of an empty input. `report` is called with every derived fact that holds nevertheless.
    pub(super) fn new(
        inner: &Inner,
        maintenance: Maintenance,
        meter: &mut Meter,
        mut report: impl FnMut(&mut Meter, RelationId, &[Symbol], bool),
    ) -> Result<Self, BudgetExhausted> {
        match maintenance {
            Maintenance::Incremental | Maintenance::Ascent => {
                let (statics, views) = (&inner.task.statics, &inner.prepared(maintenance).views);
                let view = views.view_within(statics, meter, |meter, relation, tuple| {
                    report(meter, relation, tuple, true);
                });
                Ok(Self::Kept(Box::new(
                    view.map_err(|error| exhausted(&error, meter))?,
                )))
            }
            Maintenance::FromScratch => {
                let mut closure = Self::empty(inner);
                closure.update(inner, &Changes::default(), meter, report)?;
                Ok(closure)
            }
        }
    }

    /// Returns the bytes that the closure uses.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Kept(view) => view.bytes(),
            Self::Evaluated(evaluated) => evaluated.bytes(),
        }
    }

    /// Returns all facts that hold.
    pub(super) fn database(&self) -> &Database {
        match self {
            Self::Kept(view) => view.database(),
            Self::Evaluated(evaluated) => &evaluated.database,
        }
    }

    /// Changes the input and calls `report` with the derived facts that change. A fact that is retracted and derived again
    /// may be reported twice. If the budget is exceeded, the contents are meaningless afterwards.
    pub(super) fn update(
        &mut self,
        inner: &Inner,
        changes: &Changes,
        meter: &mut Meter,
        mut report: impl FnMut(&mut Meter, RelationId, &[Symbol], bool),
    ) -> Result<(), BudgetExhausted> {
        match self {
            Self::Kept(view) => view.update_within(changes.iter(), meter, report),
            Self::Evaluated(evaluated) => {
                for (relation, tuple, holds) in changes.iter() {
                    evaluated.change(relation, tuple, holds);
                }
                evaluated.evaluate(inner, meter, &mut report)
            }
        }
    }
}

/// Converts an evaluation error into the resource that was exceeded. The program and the facts were checked before, so no
/// other error is possible.
fn exhausted(error: &EvaluationError, meter: &mut Meter) -> BudgetExhausted {
    match error {
        EvaluationError::BudgetExhausted(exhausted) => *exhausted,
        EvaluationError::Time { .. } => meter.exceeded_time(),
        _ => meter.exceeded_memory(),
    }
}

/// The limits for one evaluation: half of the remaining bytes, because the evaluator checks them only from time to time and
/// its tables may double in between.
fn evaluation(rest: Limits) -> Limits {
    Limits {
        bytes: rest.bytes.map(|bytes| bytes / 2),
        ..rest
    }
}

impl Evaluated {
    fn bytes(&self) -> u64 {
        self.database.bytes() + EVALUATED * self.database.len() as u64
    }

    fn change(&mut self, relation: RelationId, tuple: &[Symbol], holds: bool) {
        if holds {
            self.database.insert(relation, tuple);
            self.input.insert((relation, tuple.to_vec()));
        } else {
            self.database.remove(relation, tuple);
            self.input.remove(&(relation, tuple.to_vec()));
        }
    }

    fn evaluate(
        &mut self,
        inner: &Inner,
        meter: &mut Meter,
        report: &mut impl FnMut(&mut Meter, RelationId, &[Symbol], bool),
    ) -> Result<(), BudgetExhausted> {
        for (relation, tuple) in self.derived.drain(..) {
            self.database.remove(relation, &tuple);
            report(meter, relation, &tuple, false);
        }
        let mut facts: Facts = inner.task.statics.clone();
        self.input
            .iter()
            .for_each(|(relation, tuple)| facts.add(*relation, tuple));
        let model = inner
            .direct
            .views
            .evaluate(&facts, evaluation(meter.rest()), inner.options.evaluator)
            .map_err(|error| exhausted(&error, meter))?;
        let evaluated = model.bytes();
        meter.charge(evaluated);
        for fact in model.ids() {
            let (relation, tuple) = (model.relation(fact), model.tuple(fact));
            let before = self.database.bytes();
            if self.database.insert(relation, tuple) {
                meter.charge(EVALUATED + self.database.bytes() - before);
                self.derived.push((relation, tuple.to_vec()));
                report(meter, relation, tuple, true);
            }
            if let Some(exhausted) = meter.exhausted() {
                return Err(exhausted);
            }
        }
        meter.release(evaluated);
        Ok(())
    }
}
