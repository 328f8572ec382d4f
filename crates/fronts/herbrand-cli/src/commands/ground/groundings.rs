//! `herbrand ground --explain`: the number of instances of each schema, and the reasons for it.

use std::io::Write;

use herbrand::Domain;
use herbrand::ground::{GroundTask, ParameterExplanation, SchemaExplanation};
use serde::Serialize;

use crate::output::{self, Format, grouped};

/// A summary of how an action schema is grounded.
#[derive(Serialize)]
pub struct Schema {
    schema: String,
    /// The number of ground actions.
    actions: usize,
    /// The number of bindings that satisfy the precondition when deletes and negative conditions are ignored.
    bindings: u64,
    /// Parameter bindings that satisfy only the type constraints.
    combinations: f64,
    /// The number of facts that the joins tried.
    candidates: u64,
    parameters: Vec<Parameter>,
    plans: Vec<String>,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    /// The number of objects of the parameter's types.
    objects: usize,
    /// The number of objects that some binding assigns to the parameter.
    taken: usize,
    /// The predicates that bind the parameter; empty if only its type does.
    predicates: Vec<String>,
}

/// Returns the summaries of all schemas, in descending order of their number of ground actions.
pub fn schemas(domain: &Domain, task: &GroundTask, explained: Vec<SchemaExplanation>) -> Vec<Schema> {
    let mut actions = vec![0; domain.schemas.len()];
    for id in task.actions.ids() {
        actions[task.actions.get(id).schema.index()] += 1;
    }
    let mut schemas: Vec<_> = explained
        .into_iter()
        .map(|explained| Schema {
            schema: domain.schema(explained.schema).name.to_string(),
            actions: actions[explained.schema.index()],
            bindings: explained.bindings,
            combinations: explained.combinations(),
            candidates: explained.candidates,
            parameters: explained.parameters.iter().map(Parameter::of).collect(),
            plans: explained.plans,
        })
        .collect();
    schemas.sort_by_key(|schema| std::cmp::Reverse(schema.actions));
    schemas
}

impl Parameter {
    fn of(explained: &ParameterExplanation) -> Self {
        Self {
            name: explained.name.to_string(),
            objects: explained.objects,
            taken: explained.taken,
            predicates: explained.predicates.iter().map(ToString::to_string).collect(),
        }
    }

    /// The predicates that bound the parameter, as text.
    fn bound(&self) -> String {
        if self.predicates.is_empty() {
            "its type only".to_owned()
        } else {
            self.predicates.join(", ")
        }
    }
}

/// The bounds of a schema's parameters, as far as they are known before grounding.
#[derive(Serialize)]
struct Bounds {
    schema: String,
    /// Parameter bindings that satisfy the type constraints.
    combinations: f64,
    parameters: Vec<ParameterBound>,
}

#[derive(Serialize)]
struct ParameterBound {
    name: String,
    objects: usize,
    predicates: Vec<String>,
}

/// Reports for each schema the number of combinations of objects and the predicates that bound its parameters, the schema
/// with the most combinations first.
///
/// # Errors
/// Fails if the output cannot be written.
pub fn report_bounds(
    domain: &Domain,
    explained: &[SchemaExplanation],
    format: Format,
) -> std::io::Result<()> {
    let mut explained: Vec<_> = explained.iter().collect();
    explained.sort_by(|one, other| other.combinations().total_cmp(&one.combinations()));
    let name = |schema: &SchemaExplanation| domain.schema(schema.schema).name.to_string();
    if format == Format::Json {
        let bound = |explained: &ParameterExplanation| {
            let Parameter {
                name,
                objects,
                predicates,
                ..
            } = Parameter::of(explained);
            ParameterBound {
                name,
                objects,
                predicates,
            }
        };
        let bounds = explained.iter().map(|schema| Bounds {
            schema: name(schema),
            combinations: schema.combinations(),
            parameters: schema.parameters.iter().map(bound).collect(),
        });
        return output::json(&serde_json::json!({ "schemas": bounds.collect::<Vec<_>>() }));
    }
    let row = |schema: &&SchemaExplanation| vec![name(schema), grouped(schema.combinations() as u64)];
    output::table(
        &[("schema", false), ("combinations", true)],
        explained.iter().map(row),
    )?;
    let mut out = output::out();
    for schema in explained {
        writeln!(out, "\n{}", name(schema))?;
        for parameter in schema.parameters.iter().map(Parameter::of) {
            let name = format!("?{}", parameter.name);
            let objects = grouped(parameter.objects as u64);
            writeln!(
                out,
                "  {name:<16} {objects} objects, bounded by {}",
                parameter.bound()
            )?;
        }
    }
    out.flush()
}

/// Prints a table of all schemas, then for each schema the predicates that bind its parameters, and its join plans.
///
/// # Errors
/// Fails if the output cannot be written.
pub fn print(schemas: &[Schema]) -> std::io::Result<()> {
    let columns = [
        ("schema", false),
        ("actions", true),
        ("bindings", true),
        ("combinations", true),
        ("tried", true),
    ];
    let row = |schema: &Schema| {
        vec![
            schema.schema.clone(),
            grouped(schema.actions as u64),
            grouped(schema.bindings),
            // The cast saturates at `u64::MAX`, which is accurate enough for display.
            grouped(schema.combinations as u64),
            grouped(schema.candidates),
        ]
    };
    output::table(&columns, schemas.iter().map(row))?;
    let mut out = output::out();
    for schema in schemas {
        writeln!(out, "\n{}", schema.schema)?;
        for parameter in &schema.parameters {
            let (taken, objects) = (grouped(parameter.taken as u64), grouped(parameter.objects as u64));
            let name = format!("?{}", parameter.name);
            writeln!(
                out,
                "  {name:<16} {taken} of {objects} objects, bounded by {}",
                parameter.bound()
            )?;
        }
        for line in schema.plans.iter().flat_map(|plan| plan.lines()) {
            writeln!(out, "  {line}")?;
        }
    }
    out.flush()
}
