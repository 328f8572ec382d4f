//! Invented names for everything that a problem in RDDL names.

use std::collections::HashMap;
use std::sync::Arc;

use herbrand_core::Random;
use herbrand_rddl::{Domain, Formula, Instance, Name, TypeKind};

use crate::names::Words;

/// Replaces the names of the domain, its types, fluents and variables, the instance and its objects.
pub(super) fn replace(instance: &mut Instance, random: Random) {
    let mut words = Words::new(random);
    let mut next = || Name::new(&words.word());
    let mut domain = Domain::clone(&instance.domain);
    domain.name = next();
    for of in &mut domain.types {
        of.name = next();
        if let TypeKind::Enum(values) = &mut of.kind {
            values.iter_mut().for_each(|value| *value = next());
        }
    }
    for pvariable in &mut domain.pvariables {
        pvariable.name = next();
    }
    let conditions = domain
        .preconditions
        .iter_mut()
        .chain(&mut domain.constraints)
        .chain(&mut domain.invariants)
        .chain(&mut domain.terminations);
    let cpfs = domain.cpfs.iter_mut().map(|cpf| &mut cpf.formula);
    for formula in cpfs.chain(conditions).chain([&mut domain.reward]) {
        rename_variables(formula);
    }
    instance.domain = Arc::new(domain);
    instance.name = next();
    if let Some(name) = &mut instance.non_fluents_name {
        *name = next();
    }
    // The same object may belong to several types.
    let mut known = HashMap::new();
    for object in instance.objects.iter_mut().flatten() {
        let name = known.entry(object.name.clone()).or_insert_with(&mut next);
        object.name = name.clone();
    }
}

fn rename_variables(formula: &mut Formula) {
    for (number, variable) in (1..).zip(&mut formula.variables) {
        if variable.name.as_str() != "_" {
            variable.name = Name::new(&format!("x{number}"));
        }
    }
}
