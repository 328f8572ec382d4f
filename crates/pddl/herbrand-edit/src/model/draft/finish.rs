//! Construction of the edited model from a draft.

use std::sync::Arc;

use herbrand_pddl::{AtomList, Object, ObjectId, Problem};

use super::{Draft, terms};
use crate::model::PlanningModel;

/// The order of a model's own objects and facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The insertion order.
    Kept,
    /// Alphabetical order.
    Alphabetical,
}

impl Draft {
    /// Returns the objects that are not deleted, and for each of them its id in the draft.
    pub(super) fn live_objects(&self, order: Order) -> (Vec<Object>, Vec<ObjectId>) {
        let ids = (0..self.objects.len()).map(ObjectId::from_index);
        let mut ids: Vec<_> = ids.filter(|id| self.live[id.index()]).collect();
        if order == Order::Alphabetical {
            let own = &mut ids[self.base.constants as usize..];
            own.sort_by_key(|id| &self.objects[id.index()].name);
        }
        let objects = ids.iter().map(|id| self.objects[id.index()].clone());
        (objects.collect(), ids)
    }

    /// Returns the edited model. Its problem is printed and parsed, so it passes the usual checks, and its places refer to
    /// the printed text.
    pub(crate) fn finish(mut self, order: Order) -> PlanningModel {
        let (objects, ids) = self.live_objects(order);
        let mut numbers = vec![ObjectId::new(0); self.objects.len()];
        for (number, id) in ids.iter().enumerate() {
            numbers[id.index()] = ObjectId::from_index(number);
        }
        let map = |id: ObjectId| numbers[id.index()];
        let mut init = AtomList::default();
        let mut facts: Vec<_> = self.facts.iter().collect();
        if order == Order::Alphabetical {
            facts.sort_by_cached_key(|fact| self.text(fact));
        }
        for fact in facts {
            let arguments: Vec<_> = fact.arguments.iter().map(|&id| map(id)).collect();
            init.push(fact.predicate, &arguments);
        }
        for value in &mut self.values {
            value.arguments.iter_mut().for_each(|id| *id = map(*id));
        }
        self.chances
            .iter_mut()
            .for_each(|chance| terms::rename_chance(chance, &map));
        self.timed
            .iter_mut()
            .for_each(|literals| terms::rename_timed(literals, &map));
        terms::rename_formula(&mut self.goal, &map);
        if let Some(metric) = &mut self.metric {
            terms::rename_expression(&mut metric.expression, &map);
        }
        let edited = Problem {
            domain_fingerprint: self.domain.fingerprint(),
            objects,
            init,
            values: self.values,
            chances: self.chances,
            timed: self.timed,
            goal_variables: self.goal_variables,
            goal: self.goal,
            has_goal: self.has_goal,
            metric: self.metric,
            ..(*self.base).clone()
        };
        let read = Problem::from_text(&edited.to_pddl(&self.domain), &self.domain);
        debug_assert_eq!(read.as_ref(), Ok(&edited), "the text says the same");
        PlanningModel::of(self.domain, Arc::new(read.unwrap_or(edited)))
    }
}
