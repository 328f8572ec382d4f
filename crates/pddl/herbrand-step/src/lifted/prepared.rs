//! The prepared views and queries of a lifted task.

use std::collections::BTreeMap;

use herbrand_datalog::{QueriesError, Query, RuleId, Variable, Views};
use herbrand_ground::{LiftedItem, LiftedLeaf, LiftedTask};

use super::tuples::symbol;

/// The views of a task's program, with a query for each guard of an effect.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) views: Views,
    pub(super) guards: BTreeMap<RuleId, Query>,
}

impl Prepared {
    pub(super) fn new(task: &LiftedTask) -> Result<Self, QueriesError> {
        let mut sample = task.statics.clone();
        for fact in task.initial.iter() {
            let tuple: Vec<_> = fact.arguments.iter().copied().map(symbol).collect();
            sample.add(task.relations[fact.predicate.index()], &tuple);
        }
        // The walker keeps the valid actions and the goal itself.
        let ways = task.actions.iter().map(|action| &action.ways).chain([&task.goal]);
        let kept = ways.flatten().map(|way| way.relation);
        let mut prepared = Self {
            views: Views::new(&task.program, &sample)?.without_storing(kept),
            guards: BTreeMap::new(),
        };
        for action in &task.actions {
            prepared.add_guards(&action.effect);
        }
        Ok(prepared)
    }

    /// Prepares the queries of all guards of a block.
    fn add_guards(&mut self, block: &[LiftedItem]) {
        for item in block {
            for guard in item.guards.iter().flatten() {
                let given: Vec<_> = (0..guard.given as u32).map(Variable::new).collect();
                let query = self.views.prepare(guard.rule, &given);
                self.guards.extend(query.map(|query| (guard.rule, query)));
            }
            for leaf in &item.leaves {
                if let LiftedLeaf::Draw { alternatives, .. } = leaf {
                    alternatives.iter().for_each(|inner| self.add_guards(inner));
                }
            }
        }
    }
}
