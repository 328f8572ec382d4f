//! The view that maintains the facts derived from a lifted state, and the changes of its input.

use herbrand_datalog::{EvaluationError, RelationId, Symbol, View};
use herbrand_limits::{BudgetExhausted, Meter};
use herbrand_pddl::ObjectId;

use super::tables::Inner;
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

    pub(super) fn iter(&self) -> impl Iterator<Item = (RelationId, &[Symbol], bool)> {
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

/// Creates the view of a state without fluent atoms. `report` is called with every derived fact that holds nevertheless.
pub(super) fn view(
    inner: &Inner,
    meter: &mut Meter,
    report: impl FnMut(&mut Meter, RelationId, &[Symbol]),
) -> Result<View, BudgetExhausted> {
    let view = inner
        .prepared
        .views
        .view_within(&inner.task.statics, meter, report);
    view.map_err(|error| exhausted(&error, meter))
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
