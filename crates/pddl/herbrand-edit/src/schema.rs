//! A JSON Schema for edits, for programs that generate them.

use herbrand_pddl::{Domain, PredicateKind};
use serde_json::{Value, json};

/// Returns a JSON Schema (draft 2020-12) for a list of edits of a domain's problems: facts of its predicates, objects
/// of its types, and literals of its actions. Conditions that the schema cannot express, such as the existence of an
/// object, are checked when edits are applied. JSON that fits it is read as `Vec<Edit>`. Names must be written in
/// lower case to fit.
///
/// ```
/// use herbrand_edit::{Edit, schema};
/// use herbrand_pddl::Domain;
///
/// let domain = Domain::from_text("(define (domain d) (:predicates (lit ?l)) (:action a :effect (and)))")?;
/// let form = schema(&domain);
/// assert_eq!(form["items"]["oneOf"][0]["properties"]["edit"]["const"], "add-fact");
/// assert_eq!(form["$defs"]["fact"]["pattern"], r"^\((lit( [^ ()?]+){1})\)$");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn schema(domain: &Domain) -> Value {
    let object = json!({"type": "string", "pattern": "^[^ ()?]+$"});
    let fact = json!({"$ref": "#/$defs/fact"});
    let types: Vec<_> = domain.types.iter().map(|one| one.name.to_string()).collect();
    let schemas: Vec<_> = domain.schemas.iter().map(|one| one.name.to_string()).collect();
    let part = json!({"enum": ["precondition", "effect"]});
    let literal = json!({"type": "string", "pattern": r"^(\([^()]+\)|\(not \([^()]+\)\))$"});
    let of_schema = |kind| {
        let properties = [
            ("schema", json!({"enum": schemas})),
            ("part", part.clone()),
            ("literal", literal.clone()),
        ];
        form(kind, &properties, &["schema", "part", "literal"])
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "array",
        "items": {"oneOf": [
            form("add-fact", &[("fact", fact.clone())], &["fact"]),
            form("delete-fact", &[("fact", fact.clone())], &["fact"]),
            form("replace-fact", &[("fact", fact.clone()), ("with", fact)], &["fact", "with"]),
            form(
                "add-object",
                &[("object", object.clone()), ("type", json!({"enum": types}))],
                if domain.types.len() > 1 { &["object", "type"] } else { &["object"] },
            ),
            form("rename-object", &[("object", object.clone()), ("to", object.clone())], &["object", "to"]),
            form("merge-object", &[("object", object.clone()), ("into", object.clone())], &["object", "into"]),
            form("delete-object", &[("object", object), ("cascade", json!({"type": "boolean"}))], &["object"]),
            form("set-goal", &[("goal", json!({"type": "string"}))], &["goal"]),
            of_schema("add-literal"),
            of_schema("delete-literal"),
        ]},
        "$defs": {"fact": {"type": "string", "pattern": facts(domain)}},
    })
}

/// Returns the schema of one kind of edit.
fn form(kind: &str, properties: &[(&str, Value)], required: &[&str]) -> Value {
    let kind = [("edit".to_owned(), json!({"const": kind}))];
    let properties = properties
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    let required: Vec<_> = ["edit"].iter().chain(required).collect();
    json!({
        "type": "object",
        "properties": kind.into_iter().chain(properties).collect::<serde_json::Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    })
}

/// Returns a regular expression that matches the ground atoms of initial states.
fn facts(domain: &Domain) -> String {
    let kinds = [PredicateKind::Static, PredicateKind::Fluent];
    let predicates = domain.predicates.iter().filter(|one| kinds.contains(&one.kind));
    let atoms = predicates.map(|one| match one.parameters.len() {
        0 => escaped(one.name.as_str()),
        arity => format!("{}( [^ ()?]+){{{arity}}}", escaped(one.name.as_str())),
    });
    format!(r"^\(({})\)$", atoms.collect::<Vec<_>>().join("|"))
}

/// Returns a name with special characters escaped for a regular expression.
fn escaped(name: &str) -> String {
    let special = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    name.chars()
        .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
        .collect()
}
