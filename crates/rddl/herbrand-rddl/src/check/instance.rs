//! Checks instances: their objects and their settings.

use std::collections::HashMap;
use std::sync::Arc;

use herbrand_text::{Origin, Place, Source, Span, nearest};

use super::{constant, names, settings};
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{
    Domain, Horizon, Instance, Limit, Name, Object, PvariableKind, Range, Type, TypeId, TypeKind,
};
use crate::syntax::ast::{self, Constant, ConstantKind};

/// A block of an instance: its own block, or the non-fluents that it uses.
pub(crate) struct InstanceBlock<'p> {
    pub(crate) syntax: &'p ast::Instance<'p>,
    pub(crate) source: &'p Source,
    pub(crate) faults: Diagnostics,
}

/// The maximum number of ground variables per pvariable.
const MOST_GROUND: u64 = 1 << 32;

/// Builds the instance from its blocks, its own block last. Reports all faults and leaves out faulty parts.
pub(crate) fn check_instance(domain: &Arc<Domain>, parts: &mut [InstanceBlock<'_>]) -> Option<Instance> {
    let own = parts.last()?;
    let mut instance = Instance {
        domain: Arc::clone(domain),
        name: Name::new(own.syntax.name.text),
        non_fluents_name: own.syntax.uses.map(|word| Name::new(word.text)),
        objects: vec![Vec::new(); domain.types.len()],
        non_fluents: vec![Vec::new(); domain.pvariables.len()],
        init_state: vec![Vec::new(); domain.pvariables.len()],
        max_nondef_actions: Limit::Unlimited,
        horizon: Horizon::Infinite,
        discount: 1.0,
        origin: Origin::new(own.source.clone()),
    };
    let mut meant = Vec::new();
    for part in parts.iter_mut() {
        fits(part, domain);
        meant.extend(objects(part, &mut instance));
    }
    let faulty = parts.iter().any(|part| part.syntax.faulty);
    let own = parts.last_mut()?;
    if !faulty {
        present(own, &instance, &meant);
    }
    if sizes(own, &instance) {
        settings::check(parts, &mut instance);
        if !faulty && parts.iter().all(|part| part.faults.errors() == 0) {
            without_values(parts.last_mut()?, &instance);
            names::differ(parts.last_mut()?, &instance);
        }
    }
    let own = parts.last_mut()?;
    limits(own, &mut instance);
    Some(instance)
}

/// Reports a block that belongs to another domain.
fn fits(part: &mut InstanceBlock<'_>, domain: &Domain) {
    match part.syntax.domain {
        Some(word) if word.text != domain.name.as_str() => {
            part.faults.report(
                Code::DomainMismatch,
                format!("this is for the domain `{}`, not `{}`", word.text, domain.name),
                |d| {
                    d.primary(word.span, "another domain")
                        .help(format!("write `domain = {};`", domain.name))
                },
            );
        }
        Some(_) => {}
        None if part.syntax.faulty => {}
        None => {
            let span = part.syntax.name.span;
            part.faults.report(
                Code::MissingSetting,
                format!("`{}` does not name its domain", part.syntax.name.text),
                |d| {
                    d.primary(span, "this block")
                        .help(format!("add `domain = {};`", domain.name))
                },
            );
        }
    }
}

/// Checks the object lists of one block. Returns the types that were probably meant by unknown ones.
fn objects(part: &mut InstanceBlock<'_>, instance: &mut Instance) -> Vec<TypeId> {
    let domain = Arc::clone(&instance.domain);
    let mut all_meant = Vec::new();
    for list in &part.syntax.objects {
        let Some(of) = domain.find_type(list.of.text) else {
            let is_listed = |name: &str| part.syntax.objects.iter().any(|list| list.of.text == name);
            let is_missing = |one: &&Type| one.kind == TypeKind::Objects && !is_listed(one.name.as_str());
            let missing: Vec<&str> = domain
                .types
                .iter()
                .filter(is_missing)
                .map(|one| one.name.as_str())
                .collect();
            let meant = nearest(list.of.text, missing.iter().copied()).or(match missing.as_slice() {
                [only] => Some(*only),
                _ => nearest(list.of.text, domain.types.iter().map(|one| one.name.as_str())),
            });
            all_meant.extend(meant.and_then(|name| domain.find_type(name)));
            part.faults.report(
                Code::UnknownType,
                format!("unknown type `{}`", list.of.text),
                |d| {
                    d.primary(list.of.span, "not declared in the domain")
                        .suggest(meant)
                },
            );
            continue;
        };
        if matches!(domain.type_of(of).kind, TypeKind::Enum(_)) {
            part.faults.report(
                Code::DuplicateDeclaration,
                format!("`{}` is an enum", list.of.text),
                |d| d.primary(list.of.span, "its values are declared in the domain"),
            );
            continue;
        }
        let mut known: HashMap<String, Option<Span>> = instance.objects[of.index()]
            .iter()
            .map(|object| (object.name.to_string(), object.place.span()))
            .collect();
        for word in &list.names {
            let entry = size_of::<Object>() + size_of::<(String, Option<Span>)>() + size_of::<(&str, u32)>();
            if !part.faults.charge(3 * entry + 2 * word.text.len()) {
                return all_meant;
            }
            if let Some(earlier) = known.insert(word.text.to_owned(), Some(word.span)) {
                part.faults.report(
                    Code::DuplicateDeclaration,
                    format!("the object `{}` is listed twice", word.text),
                    |d| {
                        d.primary(word.span, "listed again")
                            .label(earlier, "listed here already")
                    },
                );
                continue;
            }
            instance.objects[of.index()].push(Object {
                name: Name::new(word.text),
                place: Place::at(word.span),
            });
        }
    }
    all_meant
}

/// Reports types without objects, unless a syntax fault may have hidden them, or their name is misspelt where they are listed.
fn present(own: &mut InstanceBlock<'_>, instance: &Instance, meant: &[TypeId]) {
    for (index, one) in instance.domain.types.iter().enumerate() {
        let id = TypeId::from_index(index);
        if instance.size(id) == 0 && !meant.contains(&id) {
            let span = own.syntax.name.span;
            own.faults.report(
                Code::MissingObjects,
                format!("there are no objects of type `{}`", one.name),
                |d| {
                    d.primary(span, "this instance")
                        .help(format!("add `{} : {{ … }};` to `objects`", one.name))
                },
            );
        }
    }
}

/// Reports pvariables with too many ground variables. Returns `false` if there are any.
fn sizes(own: &mut InstanceBlock<'_>, instance: &Instance) -> bool {
    let mut fine = true;
    for pvariable in &instance.domain.pvariables {
        let sizes = pvariable
            .parameters
            .iter()
            .map(|&of| u64::from(instance.size(of)));
        let count = sizes.fold(1u64, u64::saturating_mul);
        if count > MOST_GROUND {
            fine = false;
            let span = own.syntax.name.span;
            own.faults.report(
                Code::TooManyGround,
                format!("`{}` has more than 2^32 ground variables", pvariable.name),
                |d| d.primary(span, "in this instance"),
            );
        }
    }
    fine
}

/// Warns about numbers and items that neither the domain nor the instance gives.
fn without_values(own: &mut InstanceBlock<'_>, instance: &Instance) {
    let domain = &instance.domain;
    for id in domain.of_kind(PvariableKind::NonFluent) {
        let pvariable = domain.pvariable(id);
        let (given, all) = (instance.non_fluents[id.index()].len() as u64, instance.count(id));
        if pvariable.default.is_some() || pvariable.range == Range::Bool || given >= all {
            continue;
        }
        let name = &pvariable.name;
        let message = match (given, pvariable.parameters.as_slice()) {
            (0, []) => format!("the non-fluent `{name}` has no default and no value"),
            (0, _) => format!("the non-fluent `{name}` has no default and no values"),
            _ => format!(
                "the non-fluent `{name}` has no default, and no value for {} of its {all} arguments",
                all - given
            ),
        };
        let (value, is_object) = match pvariable.range {
            Range::Item(of) => match domain.type_of(of).kind {
                TypeKind::Objects => ("the first object", true),
                TypeKind::Enum(_) => ("the first value", false),
            },
            _ => ("0", false),
        };
        let span = own.syntax.name.span;
        own.faults.report(Code::MissingDefault, message, |d| {
            let d = d.primary(span, format!("in this instance, it is {value}"));
            let d = match (domain.origin.source(), pvariable.place.span()) {
                (Some(source), Some(span)) => d.label_in(source, span, "declared here"),
                _ => d,
            };
            d.help(if is_object {
                "give values in `non-fluents`"
            } else {
                "give values in `non-fluents`, or declare a default"
            })
        });
    }
}

/// Checks the horizon, the discount and the limit on actions.
fn limits(own: &mut InstanceBlock<'_>, instance: &mut Instance) {
    let syntax = own.syntax;
    let faults = &mut own.faults;
    if let Some(constant) = syntax.max_nondef_actions {
        let range = "a number of at least 0, or `pos-inf`";
        if let Some(count) = count(constant, 0, "max-nondef-actions", range, faults) {
            if count == Some(0) && instance.domain.of_kind(PvariableKind::Action).next().is_some() {
                faults.report(Code::NoActions, "`max-nondef-actions` allows no action", |d| {
                    d.primary(constant.word.span, "no joint action may set an action fluent")
                        .help("write `pos-inf` for no limit, or a number of at least 1")
                });
            }
            instance.max_nondef_actions = count.map_or(Limit::Unlimited, Limit::AtMost);
        }
    }
    match syntax.horizon {
        Some(constant) => {
            let range = "a number of at least 1, or `pos-inf`";
            if let Some(count) = count(constant, 1, "horizon", range, faults) {
                instance.horizon = count.map_or(Horizon::Infinite, Horizon::Steps);
            }
        }
        None => missing(syntax, "horizon", faults),
    }
    match syntax.discount {
        Some(constant) => {
            let sign = if constant.negative { "-" } else { "" };
            let digits = constant.word.text.trim_start_matches(['-', ' ']);
            let is_number = matches!(constant.kind, ConstantKind::Int | ConstantKind::Real);
            let value = format!("{sign}{digits}")
                .parse::<f64>()
                .ok()
                .filter(|_| is_number);
            match value.filter(|value| (0.0..=1.0).contains(value)) {
                Some(value) => instance.discount = value,
                None => out_of_range(constant, "discount", "a number from 0 to 1", faults),
            }
        }
        None => missing(syntax, "discount", faults),
    }
}

/// Parses a count; `Some(None)` for infinity. Reports a fault otherwise.
fn count(
    constant: Constant<'_>,
    least: u32,
    what: &str,
    range: &str,
    faults: &mut Diagnostics,
) -> Option<Option<u32>> {
    let found = match constant.kind {
        ConstantKind::Infinity if !constant.negative => Some(None),
        ConstantKind::Int if !constant.negative => constant
            .word
            .text
            .parse::<u32>()
            .ok()
            .filter(|&count| count >= least)
            .map(Some),
        _ => None,
    };
    if found.is_none() {
        out_of_range(constant, what, range, faults);
    }
    found
}

fn out_of_range(constant: Constant<'_>, what: &str, range: &str, faults: &mut Diagnostics) {
    let int = constant::whole(constant).filter(|_| what != "discount");
    let fault = if int.is_some() {
        "not written as an int"
    } else {
        "out of range"
    };
    faults.report(Code::NumberOutOfRange, format!("`{what}` is {fault}"), |d| {
        let d = d.primary(constant.word.span, format!("expected {range}"));
        match int {
            Some(int) => d.write(&int.to_string()),
            None => d,
        }
    });
}

fn missing(syntax: &ast::Instance<'_>, what: &str, faults: &mut Diagnostics) {
    if !syntax.faulty {
        faults.report(Code::MissingSetting, format!("the instance has no {what}"), |d| {
            d.primary(syntax.name.span, "this instance")
                .help(format!("add `{what} = …;`"))
        });
    }
}
