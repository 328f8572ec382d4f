//! The number of instances of each schema, and the reasons for it.

use herbrand_ground::{GroundTask, ParameterExplanation, SchemaExplanation};
use herbrand_pddl::Domain;
use serde::Serialize;

/// How an action schema is grounded. The figures of grounding are `None` for a problem that is too large for it.
#[derive(Clone, Debug, Serialize)]
pub struct SchemaGrounding {
    /// The name of the schema.
    pub schema: String,
    /// The number of ground actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<usize>,
    /// The number of bindings that satisfy the precondition when deletes and negative conditions are ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bindings: Option<u64>,
    /// The number of bindings that satisfy the type constraints.
    pub combinations: f64,
    /// The number of facts that the joins tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u64>,
    /// The parameters.
    pub parameters: Vec<ParameterGrounding>,
    /// The plans of the joins, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plans: Option<Vec<String>>,
}

/// The objects of a parameter of a schema.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterGrounding {
    /// The name of the parameter.
    pub name: String,
    /// The number of objects of the parameter's types.
    pub objects: usize,
    /// The number of objects that some binding assigns to the parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<usize>,
    /// The predicates that bind the parameter; empty if only its type does.
    pub predicates: Vec<String>,
}

impl SchemaGrounding {
    fn of(domain: &Domain, explained: &SchemaExplanation, actions: Option<usize>) -> Self {
        let parameter = |parameter: &ParameterExplanation| ParameterGrounding {
            name: parameter.name.to_string(),
            objects: parameter.objects,
            taken: actions.map(|_| parameter.taken),
            predicates: parameter.predicates.iter().map(ToString::to_string).collect(),
        };
        Self {
            schema: domain.schema(explained.schema).name.to_string(),
            actions,
            bindings: actions.map(|_| explained.bindings),
            combinations: explained.combinations(),
            candidates: actions.map(|_| explained.candidates),
            parameters: explained.parameters.iter().map(parameter).collect(),
            plans: actions.map(|_| explained.plans.clone()),
        }
    }
}

/// Returns the summaries of all schemas, the one with the most ground actions first.
pub(crate) fn all(
    domain: &Domain,
    task: &GroundTask,
    explained: &[SchemaExplanation],
) -> Vec<SchemaGrounding> {
    let mut actions = vec![0; domain.schemas.len()];
    for id in task.actions.ids() {
        actions[task.actions.get(id).schema.index()] += 1;
    }
    let explained = explained.iter();
    let of = |one: &SchemaExplanation| SchemaGrounding::of(domain, one, Some(actions[one.schema.index()]));
    let mut schemas: Vec<_> = explained.map(of).collect();
    schemas.sort_by_key(|schema| std::cmp::Reverse(schema.actions));
    schemas
}

/// Returns the bounds of all schemas, as far as they are known before grounding, the one with the most combinations first.
pub(crate) fn bounds(domain: &Domain, explained: &[SchemaExplanation]) -> Vec<SchemaGrounding> {
    let explained = explained.iter();
    let mut schemas: Vec<_> = explained
        .map(|one| SchemaGrounding::of(domain, one, None))
        .collect();
    schemas.sort_by(|one, other| other.combinations.total_cmp(&one.combinations));
    schemas
}
