//! The model that a batch leads to.

use std::sync::Arc;

use herbrand_pddl::{Facts, Object, ObjectId, Problem};

use super::{Draft, terms};
use crate::Model;

/// In which order a model has its own objects and its facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// As they came.
    Kept,
    /// By name.
    Alphabetical,
}

impl Draft {
    /// The objects that are left, and by new id their ids in the draft.
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

    /// The model. Its problem is read from its own text, so that it has been checked as any other, and its places are
    /// those of that text.
    pub(crate) fn finish(mut self, order: Order) -> Model {
        let (objects, ids) = self.live_objects(order);
        let mut numbers = vec![ObjectId::new(0); self.objects.len()];
        for (number, id) in ids.iter().enumerate() {
            numbers[id.index()] = ObjectId::from_index(number);
        }
        let map = |id: ObjectId| numbers[id.index()];
        let mut init = Facts::default();
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
            goal_variables: self.goal_variables,
            goal: self.goal,
            has_goal: self.has_goal,
            metric: self.metric,
            ..(*self.base).clone()
        };
        let read = Problem::from_text(&edited.to_pddl(&self.domain), &self.domain);
        debug_assert_eq!(read.as_ref(), Ok(&edited), "the text says the same");
        Model::of(self.domain, Arc::new(read.unwrap_or(edited)))
    }
}
