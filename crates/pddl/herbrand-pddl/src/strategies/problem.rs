//! Resolution of sketches to problems.

use super::needs::Needs;
use super::scope::{Scope, Standing, in_states, number, types};
use super::sketch::{AtomSketch, InitialSketch, ProblemSketch};
use herbrand_text::Place;

use crate::model::{
    AtomList, Domain, Formula, FunctionId, FunctionValue, InitialChance, InitialOutcome, Metric,
    MetricDirection, Name, Number, Object, ObjectId, PredicateKind, Problem, Term, TimedLiterals,
};

impl ProblemSketch {
    /// Returns the problem of `domain` described by the sketch.
    pub(super) fn resolve(&self, domain: &Domain) -> Problem {
        let objects = self.objects(domain);
        let readable = |id, _| domain.predicate(id).kind != PredicateKind::Action;
        let mut scope = Scope::new(domain, &objects, &readable);
        let init = facts(&self.facts, &scope);
        let values = self.values(&scope, &objects);
        let chances = self.chances.iter().map(|chance| InitialChance {
            alternatives: chance.resolve(|outcome| outcome.resolve(&scope)),
        });
        let chances = chances.collect();
        let timed = self.timed(&scope);
        let metric = self.metric.as_ref().map(|(maximize, sketch)| Metric {
            direction: if *maximize {
                MetricDirection::Maximize
            } else {
                MetricDirection::Minimize
            },
            expression: scope.expression(sketch),
        });
        let goal = self
            .goal
            .as_ref()
            .map(|sketch| scope.formula(sketch, Standing::default()));
        let goal_variables = scope.variables;
        let mut problem = Problem {
            name: Name::new("sketch-problem"),
            domain_name: domain.name.clone(),
            domain_fingerprint: domain.fingerprint(),
            requirements: crate::requirements::Requirements::default(),
            constants: ObjectId::from_index(domain.constants.len()).number(),
            objects,
            init,
            values,
            chances,
            timed,
            goal_variables,
            has_goal: goal.is_some(),
            goal: goal.unwrap_or(Formula::TRUE),
            goal_reward: self.goal_reward.map(number),
            metric,
            origin: herbrand_text::Origin::NONE,
        };
        problem.requirements = Needs::of_problem(domain, &problem);
        problem
    }

    fn objects(&self, domain: &Domain) -> Vec<Object> {
        let mut objects = domain.constants.clone();
        let taken = |name: &Name| domain.constants.iter().any(|constant| constant.name == *name);
        let names = (0..)
            .map(|index| Name::new(&format!("o{index}")))
            .filter(|name| !taken(name));
        objects.extend(self.objects.iter().zip(names).map(|(sketch, name)| Object {
            name,
            types: types(sketch, domain),
            place: Place::NOWHERE,
        }));
        objects
    }

    /// Returns the timed literals, sorted and with one entry for each time.
    fn timed(&self, scope: &Scope<'_>) -> Vec<TimedLiterals> {
        let mut timed: std::collections::BTreeMap<u8, TimedLiterals> = std::collections::BTreeMap::new();
        for (halves, becomes_true, sketch) in &self.timed {
            let Some(atom) = scope.atom(sketch, |id| in_states(scope.domain, id)) else {
                continue;
            };
            let literals = timed.entry(*halves).or_insert_with(|| TimedLiterals {
                time: Number::new(f64::from(*halves) / 2.0).unwrap_or(Number::ZERO),
                adds: AtomList::default(),
                deletes: AtomList::default(),
                values: Vec::new(),
            });
            let into = if *becomes_true {
                &mut literals.adds
            } else {
                &mut literals.deletes
            };
            into.push(atom.predicate, &ground(&atom.arguments));
        }
        timed.into_values().collect()
    }

    /// Returns the initial values: each function applied to each combination of objects has a value or is undefined.
    fn values(&self, scope: &Scope<'_>, objects: &[Object]) -> Vec<FunctionValue> {
        let ids = (0..scope.domain.functions.len()).map(FunctionId::from_index);
        let stated = ids.filter(|&id| !scope.domain.function(id).implicit);
        let terms = stated.flat_map(|function| {
            let parameters = &scope.domain.function(function).parameters;
            let none = vec![(function, Vec::new())];
            parameters.iter().fold(none, |terms, parameter| {
                let fits = |&id: &ObjectId| {
                    scope
                        .domain
                        .is_assignable(&objects[id.index()].types, &parameter.types)
                };
                let ids = || (0..objects.len()).map(ObjectId::from_index).filter(fits);
                let longer = |(function, arguments): (_, Vec<_>)| {
                    ids().map(move |id| (function, [arguments.as_slice(), &[id]].concat()))
                };
                terms.into_iter().flat_map(longer).collect()
            })
        });
        let values = terms.zip(self.values.iter().cycle());
        values
            .filter_map(|((function, arguments), value)| {
                Some(FunctionValue {
                    function,
                    arguments,
                    value: number((*value)?),
                })
            })
            .collect()
    }
}

impl InitialSketch {
    fn resolve(&self, scope: &Scope<'_>) -> InitialOutcome {
        let stated = |id| !scope.domain.function(id).implicit;
        let value = self.value.as_ref().and_then(|(term, value)| {
            let term = scope.function_term(term, stated)?;
            Some(FunctionValue {
                function: term.function,
                arguments: ground(&term.arguments),
                value: number(*value),
            })
        });
        let chances = self.chances.iter().map(|chance| InitialChance {
            alternatives: chance.resolve(|outcome| outcome.resolve(scope)),
        });
        InitialOutcome {
            facts: facts(&self.facts, scope),
            values: value.into_iter().collect(),
            chances: chances.collect(),
        }
    }
}

/// Returns the initial facts without duplicates.
fn facts(sketches: &[AtomSketch], scope: &Scope<'_>) -> AtomList {
    let mut facts = AtomList::default();
    for sketch in sketches {
        if let Some(atom) = scope.atom(sketch, |id| in_states(scope.domain, id)) {
            let arguments = ground(&atom.arguments);
            let known = |fact: crate::model::AtomRef<'_>| {
                fact.predicate == atom.predicate && fact.arguments == arguments
            };
            if !facts.iter().any(known) {
                facts.push(atom.predicate, &arguments);
            }
        }
    }
    facts
}

/// Returns the objects among the terms. An initial state has no variables.
fn ground(terms: &[Term]) -> Vec<ObjectId> {
    let object = |&term: &Term| match term {
        Term::Object(object) => Some(object),
        Term::Variable(_) => None,
    };
    terms.iter().filter_map(object).collect()
}
