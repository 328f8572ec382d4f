//! Edits that rename, merge and delete objects.

use herbrand_pddl::{Formula, FunctionValue, ObjectId, TypeUnion};

use super::{Draft, Outcome, terms};
use crate::fault::{EditCode, Fault};
use crate::rules::EditRules;

impl Draft {
    /// Returns the id of an object of the problem. Fails for a constant of the domain.
    fn own_object(&self, name: &str) -> Outcome<ObjectId> {
        let id = self.object(name)?;
        if id.index() < self.base.constants as usize {
            let message = format!("`{name}` is a constant of the domain");
            return Err(Fault::new(EditCode::Constant, message));
        }
        Ok(id)
    }

    pub(super) fn rename(&mut self, name: &str, to: &str) -> Outcome {
        let id = self.own_object(name)?;
        if self.objects[id.index()].name.as_str().eq_ignore_ascii_case(to) {
            return Ok(());
        }
        let new = self.new_name(to).map_err(|fault| Fault {
            message: match fault.code {
                EditCode::DuplicateObject => {
                    format!("{}: merge `{name}` into it if they are one", fault.message)
                }
                _ => fault.message,
            },
            ..fault
        })?;
        let old = std::mem::replace(&mut self.objects[id.index()].name, new.clone());
        self.by_name.remove(&old);
        self.by_name.insert(new, id);
        Ok(())
    }

    pub(super) fn merge(&mut self, number: usize, name: &str, into: &str) -> Outcome {
        let (object, kept) = (self.own_object(name)?, self.object(into)?);
        if object == kept {
            let message = format!("`{name}` cannot be merged into itself");
            return Err(Fault::new(EditCode::Contradiction, message));
        }
        if self
            .chances
            .iter()
            .any(|chance| terms::chance_values(chance, object))
        {
            let message = format!("a random part of the initial state gives a value for `{name}`");
            return Err(Fault::new(EditCode::NeededObject, message));
        }
        self.check_untimed(object)?;
        let types = self.merged_types(object, kept)?;
        let values = self.merged_values(object, kept)?;
        self.objects[kept.index()].types = types;
        self.values = values;
        for fact in self.facts.merge(object, kept) {
            self.added.insert(fact, number);
        }
        let map = |id| if id == object { kept } else { id };
        terms::rename_formula(&mut self.goal, &map);
        if let Some(metric) = &mut self.metric {
            terms::rename_expression(&mut metric.expression, &map);
        }
        self.chances
            .iter_mut()
            .for_each(|chance| terms::rename_chance(chance, &map));
        self.drop_object(object);
        Ok(())
    }

    /// Returns the narrower of two objects' types, so that the facts of both objects remain well-typed.
    fn merged_types(&self, object: ObjectId, kept: ObjectId) -> Outcome<TypeUnion> {
        let [gone, stays] = [object, kept].map(|id| &self.objects[id.index()]);
        if self.domain.is_assignable(&stays.types, &gone.types) {
            return Ok(stays.types.clone());
        }
        let is_own = kept.index() >= self.base.constants as usize;
        if is_own && self.domain.is_assignable(&gone.types, &stays.types) {
            return Ok(gone.types.clone());
        }
        let (gone_types, stays_types) = (self.type_text(&gone.types), self.type_text(&stays.types));
        let message = format!(
            "`{}` is {gone_types}, and `{}` is {stays_types}",
            gone.name, stays.name
        );
        Err(Fault::new(EditCode::Type, message))
    }

    /// Returns the function values after merging two objects. Fails if a function would have two different values.
    fn merged_values(&self, object: ObjectId, kept: ObjectId) -> Outcome<Vec<FunctionValue>> {
        let mut merged: Vec<FunctionValue> = Vec::with_capacity(self.values.len());
        for value in &self.values {
            let mut value = value.clone();
            let concerned = value.arguments.iter().any(|&id| id == object || id == kept);
            value
                .arguments
                .iter_mut()
                .filter(|id| **id == object)
                .for_each(|id| *id = kept);
            let same =
                |one: &&FunctionValue| one.function == value.function && one.arguments == value.arguments;
            match merged.iter().find(same).filter(|_| concerned) {
                None => merged.push(value),
                Some(other) if other.value == value.value => {}
                Some(_) => {
                    let function = &self.domain.function(value.function).name;
                    let message = format!("`{function}` would have two values for the merged object");
                    return Err(Fault::new(EditCode::Contradiction, message));
                }
            }
        }
        Ok(merged)
    }

    pub(super) fn delete_object(&mut self, name: &str, cascade: bool, rules: &EditRules) -> Outcome {
        let object = self.own_object(name)?;
        let needed = |by: &str| Fault::new(EditCode::NeededObject, format!("{by} needs `{name}`"));
        for fact in self.facts.iter().filter(|fact| fact.names(object)) {
            if !cascade {
                let message = format!(
                    "`{}` names `{name}`, which would not be declared",
                    self.text(fact)
                );
                return Err(Fault::new(EditCode::UndeclaredObject, message));
            }
            self.may_go(fact, rules)?;
        }
        let has_value = self.values.iter().any(|value| value.arguments.contains(&object));
        if has_value && !cascade {
            return Err(needed("the value of a function"));
        }
        if self
            .metric
            .as_ref()
            .is_some_and(|metric| terms::expression_names(&metric.expression, object))
        {
            return Err(needed("the metric"));
        }
        if self
            .chances
            .iter()
            .any(|chance| terms::chance_names(chance, object))
        {
            return Err(needed("a random part of the initial state"));
        }
        self.check_untimed(object)?;
        if terms::formula_names(&self.goal, object) {
            let cut = cascade.then(|| without(&self.goal, object)).flatten();
            self.goal = cut.ok_or_else(|| needed("the goal"))?;
        }
        self.facts.drop_object(object);
        self.values.retain(|value| !value.arguments.contains(&object));
        self.drop_object(object);
        Ok(())
    }

    /// Fails if a timed literal names an object that is to go.
    fn check_untimed(&self, object: ObjectId) -> Outcome {
        if !self
            .timed
            .iter()
            .any(|literals| terms::timed_names(literals, object))
        {
            return Ok(());
        }
        let name = &self.objects[object.index()].name;
        Err(Fault::new(
            EditCode::NeededObject,
            format!("a timed literal needs `{name}`"),
        ))
    }

    fn drop_object(&mut self, object: ObjectId) {
        self.live[object.index()] = false;
        self.by_name.remove(&self.objects[object.index()].name);
    }
}

/// Returns a conjunction without its literals about an object. `None` if the object also occurs in a part that is not a
/// literal, or if no part is left: an empty goal would hold trivially.
fn without(goal: &Formula, object: ObjectId) -> Option<Formula> {
    let Formula::And(parts) = goal else {
        return None;
    };
    let (gone, kept): (Vec<_>, Vec<_>) = parts.iter().partition(|part| terms::formula_names(part, object));
    let possible = !kept.is_empty() && gone.into_iter().all(terms::is_literal);
    possible.then(|| Formula::And(kept.into_iter().cloned().collect()))
}
