//! Edits of the literals of action schemas.

use herbrand_pddl::{ActionSchema, Atom, Domain, Effect, Formula, ObjectId, Term, VariableId};
use herbrand_text::{Place, did_you_mean, nearest};

use crate::edit::SchemaPart;
use crate::fault::{EditCode, Fault};
use crate::literal::SchemaLiteral;

/// Returns the domain with a literal added to a schema. Fails if the literal is present, or if it is an effect whose
/// opposite is present.
pub(crate) fn add(
    domain: &Domain,
    schema: &str,
    part: SchemaPart,
    literal: &SchemaLiteral,
) -> Result<Domain, Fault> {
    changed(domain, schema, literal, |schema, atom| {
        let new = match part {
            SchemaPart::Precondition => {
                let mut parts = conjuncts(std::mem::replace(&mut schema.precondition, Formula::TRUE));
                let new = put(&mut parts, condition(atom, literal.negated));
                schema.precondition = Formula::And(parts);
                new
            }
            SchemaPart::Effect => {
                let mut parts = effects(std::mem::replace(&mut schema.effect, Effect::NOTHING));
                if parts.contains(&effect(atom.clone(), !literal.negated)) {
                    let message = format!(
                        "the effect of `{}` already contains the opposite of `{literal}`",
                        schema.name
                    );
                    return Err(Fault::new(EditCode::Contradiction, message));
                }
                let new = put(&mut parts, effect(atom, literal.negated));
                schema.effect = Effect::And(parts);
                new
            }
        };
        let message = || format!("`{literal}` is there already");
        new.then_some(())
            .ok_or_else(|| Fault::new(EditCode::DuplicateFact, message()))
    })
}

/// Returns the domain with a literal removed from a schema. Fails if the literal is not in the outermost conjunction.
pub(crate) fn delete(
    domain: &Domain,
    schema: &str,
    part: SchemaPart,
    literal: &SchemaLiteral,
) -> Result<Domain, Fault> {
    changed(domain, schema, literal, |schema, atom| {
        let found = match part {
            SchemaPart::Precondition => {
                let mut parts = conjuncts(std::mem::replace(&mut schema.precondition, Formula::TRUE));
                let found = take(&mut parts, &condition(atom, literal.negated));
                schema.precondition = Formula::And(parts);
                found
            }
            SchemaPart::Effect => {
                let mut parts = effects(std::mem::replace(&mut schema.effect, Effect::NOTHING));
                let found = take(&mut parts, &effect(atom, literal.negated));
                schema.effect = Effect::And(parts);
                found
            }
        };
        let message = || {
            let name = &schema.name;
            format!("the {part} of `{name}` has no `{literal}` in its outermost conjunction")
        };
        found
            .then_some(())
            .ok_or_else(|| Fault::new(EditCode::NotFound, message()))
    })
}

/// Returns the domain after a change of one schema. The domain is printed and parsed, because some properties, such as
/// whether a predicate is static, depend on all effects.
fn changed(
    domain: &Domain,
    schema: &str,
    literal: &SchemaLiteral,
    change: impl FnOnce(&mut ActionSchema, Atom) -> Result<(), Fault>,
) -> Result<Domain, Fault> {
    let lower = schema.to_ascii_lowercase();
    let id = domain.find_schema(&lower).ok_or_else(|| {
        let meant = nearest(&lower, domain.schemas.iter().map(|one| one.name.as_str()));
        let message = format!("there is no action `{schema}`{}", did_you_mean(meant));
        Fault::new(EditCode::UnknownSchema, message)
    })?;
    let atom = atom(domain, domain.schema(id), literal)?;
    let mut edited = domain.clone();
    change(&mut edited.schemas[id.index()], atom)?;
    Domain::from_text(&edited.to_pddl()).map_err(|faults| Fault::new(EditCode::Pddl, faults.to_string()))
}

/// Resolves the atom of a literal over the parameters of a schema and the constants of the domain.
fn atom(domain: &Domain, schema: &ActionSchema, literal: &SchemaLiteral) -> Result<Atom, Fault> {
    let name = &literal.atom.predicate;
    let predicate = domain.find_predicate(name).ok_or_else(|| {
        let meant = nearest(name, domain.predicates.iter().map(|one| one.name.as_str()));
        let message = format!("there is no predicate `{name}`{}", did_you_mean(meant));
        Fault::new(EditCode::UnknownPredicate, message)
    })?;
    let (found, expected) = (
        literal.atom.arguments.len(),
        domain.predicate(predicate).parameters.len(),
    );
    if found != expected {
        let noun = if expected == 1 { "argument" } else { "arguments" };
        return Err(Fault::new(
            EditCode::Arity,
            format!("`{name}` takes {expected} {noun}, not {found}"),
        ));
    }
    let term = |argument: &String| match argument.strip_prefix('?') {
        Some(variable) => {
            let place = schema
                .parameters()
                .iter()
                .position(|one| one.name.as_str() == variable);
            let message = || format!("`{}` has no parameter `{argument}`", schema.name);
            let found = place.map(|place| Term::Variable(VariableId::from_index(place)));
            found.ok_or_else(|| Fault::new(EditCode::UnknownVariable, message()))
        }
        None => {
            let place = domain
                .constants
                .iter()
                .position(|one| one.name.as_str() == argument);
            let message = || format!("the domain has no constant `{argument}`");
            let found = place.map(|place| Term::Object(ObjectId::from_index(place)));
            found.ok_or_else(|| Fault::new(EditCode::UndeclaredObject, message()))
        }
    };
    let arguments = literal
        .atom
        .arguments
        .iter()
        .map(term)
        .collect::<Result<Vec<_>, _>>()?;
    for (argument, parameter) in arguments.iter().zip(&domain.predicate(predicate).parameters) {
        let types = match argument {
            Term::Variable(id) => &schema.variables[id.index()].types,
            Term::Object(id) => &domain.constants[id.index()].types,
        };
        if !domain.is_assignable(types, &parameter.types) {
            let message = format!("an argument of `{literal}` has a type that `{name}` does not take");
            return Err(Fault::new(EditCode::Type, message));
        }
    }
    Ok(Atom {
        predicate,
        arguments,
        place: Place::default(),
    })
}

pub(crate) fn condition(atom: Atom, negated: bool) -> Formula {
    if negated {
        Formula::Not(Box::new(Formula::Atom(atom)))
    } else {
        Formula::Atom(atom)
    }
}

pub(crate) fn effect(atom: Atom, negated: bool) -> Effect {
    if negated {
        Effect::Delete(atom)
    } else {
        Effect::Add(atom)
    }
}

/// Returns the conjuncts of a condition. Anything but a conjunction is its only conjunct.
pub(crate) fn conjuncts(formula: Formula) -> Vec<Formula> {
    match formula {
        Formula::And(parts) => parts,
        other => vec![other],
    }
}

/// Returns the conjuncts of an effect. Anything but a conjunction is its only conjunct.
pub(crate) fn effects(effect: Effect) -> Vec<Effect> {
    match effect {
        Effect::And(parts) => parts,
        other => vec![other],
    }
}

/// Appends a part unless an equal one is present. Returns whether it was new.
fn put<T: PartialEq>(parts: &mut Vec<T>, part: T) -> bool {
    let new = !parts.contains(&part);
    if new {
        parts.push(part);
    }
    new
}

/// Removes the first part equal to `wanted`. Returns whether there was one.
fn take<T: PartialEq>(parts: &mut Vec<T>, wanted: &T) -> bool {
    let place = parts.iter().position(|part| part == wanted);
    if let Some(place) = place {
        parts.remove(place);
    }
    place.is_some()
}
