//! The JSON Schema of answers, generated from the domain.

use herbrand_pddl::{Domain, PredicateKind};
use serde_json::{Value, json};

use crate::reader::{Mode, ReadRequest};

/// Returns the form of an answer for the server: a schema, or any JSON object for edits of lines, whose keys are lines. A
/// PDDL problem is an object with one string.
pub(super) fn format(request: &ReadRequest<'_>) -> Value {
    let schema = match request.mode {
        Mode::Lines => return json!({"type": "json_object"}),
        Mode::Edits => object(&[("statements", statements(request.belief.model().domain()))]),
        Mode::WholeProblem => object(&[("problem", json!({"type": "string"}))]),
        Mode::EndToEnd => object(&[("command", json!({"enum": request.commands}))]),
    };
    let form = json!({"name": "reading", "strict": true, "schema": schema});
    json!({"type": "json_schema", "json_schema": form})
}

fn object(properties: &[(&str, Value)]) -> Value {
    let required: Vec<_> = properties.iter().map(|(name, _)| *name).collect();
    let properties = properties
        .iter()
        .map(|(name, form)| ((*name).to_owned(), form.clone()));
    json!({
        "type": "object",
        "properties": properties.collect::<serde_json::Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    })
}

/// Returns the schema of a list of statements about objects of the domain's types and facts of its predicates.
fn statements(domain: &Domain) -> Value {
    let types: Vec<_> = domain.types.iter().map(|one| one.name.to_string()).collect();
    let name = json!({"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$"});
    let fact = json!({"type": "string", "pattern": facts(domain)});
    let named = |kind: &str| {
        object(&[
            ("statement", json!({"const": kind})),
            ("object", name.clone()),
            ("type", json!({"enum": types})),
        ])
    };
    let said = |kind: &str| object(&[("statement", json!({"const": kind})), ("fact", fact.clone())]);
    let forms = [
        named("object"),
        named("placeholder"),
        said("holds"),
        said("fails"),
    ];
    json!({"type": "array", "items": {"anyOf": forms}})
}

/// Returns a regular expression for the ground atoms of a domain.
fn facts(domain: &Domain) -> String {
    let kinds = [PredicateKind::Static, PredicateKind::Fluent];
    let predicates = domain.predicates.iter().filter(|one| kinds.contains(&one.kind));
    let atoms = predicates.map(|one| format!("{}( [a-z0-9-]+){{{}}}", one.name, one.parameters.len()));
    format!(r"^\(({})\)$", atoms.collect::<Vec<_>>().join("|"))
}
