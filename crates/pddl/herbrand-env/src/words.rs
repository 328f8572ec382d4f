//! Converts the vocabulary of a domain and the objects of a problem for pictures.

use herbrand_core::Group;
use herbrand_pddl::{Domain, ObjectId, PredicateKind, Problem, TypeId, TypeUnion, Variable};
use herbrand_render::{
    DrawnObject, DrawnPredicate, DrawnRange, DrawnValue, Moment, NamedFact, PictureVocabulary,
};

/// Returns the types, predicates and numeric functions of a domain.
pub(crate) fn vocabulary(domain: &Domain) -> PictureVocabulary {
    let predicates = domain.predicates.iter().filter_map(|predicate| {
        let group = match predicate.kind {
            PredicateKind::Static => Group::Static,
            PredicateKind::Fluent => Group::Fluent,
            PredicateKind::Derived => Group::Derived,
            PredicateKind::Action => return None,
        };
        Some(DrawnPredicate {
            name: predicate.name.to_string(),
            parameters: parameters(domain, &predicate.parameters),
            group,
            range: DrawnRange::Bool,
        })
    });
    let functions = domain.functions.iter().map(|function| DrawnPredicate {
        name: function.name.to_string(),
        parameters: parameters(domain, &function.parameters),
        group: Group::Fluent,
        range: DrawnRange::Number,
    });
    PictureVocabulary {
        types: domain
            .types
            .iter()
            .map(|declared| declared.name.to_string())
            .collect(),
        predicates: predicates.chain(functions).collect(),
    }
}

/// Returns whether a function only counts costs or rewards. Then it is no part of the states, so that there is nothing to draw.
pub(crate) fn only_counts(function: &DrawnPredicate, first: &Moment) -> bool {
    matches!(function.name.as_str(), "total-cost" | "reward")
        && function.range == DrawnRange::Number
        && function.parameters.is_empty()
        && first.facts.iter().all(|fact| fact.name != function.name)
}

fn parameters(domain: &Domain, parameters: &[Variable]) -> Vec<Vec<String>> {
    let names = |variable: &Variable| {
        let types = variable.types.types().iter();
        types.map(|&id| domain.type_of(id).name.to_string()).collect()
    };
    parameters.iter().map(names).collect()
}

/// Iterates over the values of functions that never change.
pub(crate) fn static_values(domain: &Domain, problem: &Problem) -> impl Iterator<Item = NamedFact> {
    let name = |id: &ObjectId| problem.object(*id).name.to_string();
    problem.static_values(domain).map(move |stated| NamedFact {
        name: domain.function(stated.function).name.to_string(),
        arguments: stated.arguments.iter().map(name).collect(),
        value: DrawnValue::Number(stated.value.value()),
    })
}

/// Returns the objects of a problem with their types: the declared ones first, then all supertypes.
pub(crate) fn objects(domain: &Domain, problem: &Problem) -> Vec<DrawnObject> {
    let types = |types: &TypeUnion| {
        let all = (0..domain.types.len()).map(TypeId::from_index);
        let own = types.types().iter().copied();
        let above = all.filter(|&id| {
            !types.types().contains(&id) && domain.is_assignable(types, &TypeUnion::single(id))
        });
        own.chain(above)
            .map(|id| domain.type_of(id).name.to_string())
            .collect()
    };
    let objects = problem.objects.iter();
    objects
        .map(|object| DrawnObject {
            name: object.name.to_string(),
            types: types(&object.types),
        })
        .collect()
}
