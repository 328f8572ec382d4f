//! The vocabulary of problems in RDDL.

use herbrand_rddl::{Domain, Instance, Pvariable, PvariableKind, Range, TypeId};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};

use crate::planning::WordingError;
use crate::table::TextTable;
use crate::term::Syntax;
use crate::vocabulary::{Parameter, TextObject, TextSymbol, TextVocabulary};
use crate::wording::Wording;

impl TextVocabulary {
    /// Returns the names of the instance at `index` of a suite, counted from 0. Parameters are named by their types.
    /// Non-fluents are left out. Pass the names to [`Wording::new`].
    ///
    /// # Errors
    /// Fails if there is no such instance.
    pub fn of_rddl(suite: &RddlSuite, index: usize) -> Result<Self, RddlError> {
        let instance: &Instance = suite.instance(index)?;
        let domain = &instance.domain;
        let mut objects: Vec<TextObject> = Vec::new();
        let mut known = std::collections::HashMap::new();
        for id in (0..domain.types.len()).map(TypeId::from_index) {
            let of = domain.type_of(id).name.to_string();
            for item in 0..instance.size(id) {
                let name = instance.item_name(id, item).to_string();
                // Items of two types may share their name.
                let at = *known.entry(name.clone()).or_insert_with(|| {
                    objects.push(TextObject {
                        name,
                        types: Vec::new(),
                    });
                    objects.len() - 1
                });
                objects[at].types.push(of.clone());
            }
        }
        Ok(Self {
            objects,
            ..Self::of_rddl_domain(domain)
        })
    }

    /// Returns the names of a domain, without objects, like [`of_rddl`](Self::of_rddl).
    #[must_use]
    pub fn of_rddl_domain(domain: &Domain) -> Self {
        let symbols = |is_action: bool| {
            let wanted = move |one: &&Pvariable| match one.kind {
                PvariableKind::NonFluent => false,
                PvariableKind::Action => is_action,
                _ => !is_action,
            };
            let pvariables = domain.pvariables.iter().filter(wanted);
            pvariables.map(|one| symbol(domain, one)).collect()
        };
        Self {
            syntax: Syntax::Rddl,
            facts: symbols(false),
            actions: symbols(true),
            objects: Vec::new(),
            types: domain.types.iter().map(|of| of.name.to_string()).collect(),
        }
    }
}

fn symbol(domain: &Domain, pvariable: &Pvariable) -> TextSymbol {
    let types: Vec<_> = pvariable
        .parameters
        .iter()
        .map(|&id| domain.type_of(id).name.to_string())
        .collect();
    let parameters = types.iter().enumerate().map(|(at, of)| {
        let is_only = types.iter().filter(|other| *other == of).count() == 1;
        let number = types[..=at].iter().filter(|other| *other == of).count();
        Parameter {
            name: if is_only {
                of.clone()
            } else {
                format!("{of}{number}")
            },
            types: vec![of.clone()],
        }
    });
    TextSymbol {
        name: pvariable.name.to_string(),
        parameters: parameters.collect(),
        has_value: pvariable.range != Range::Bool,
    }
}

impl Wording {
    /// Creates the sentences for the instance at `index` of a suite, counted from 0, like
    /// [`of_planning`](Self::of_planning).
    ///
    /// # Errors
    /// Fails if there is no such instance, or if the table does not fit the domain.
    pub fn of_rddl(suite: &RddlSuite, index: usize, table: Option<&TextTable>) -> Result<Self, WordingError> {
        let vocabulary = TextVocabulary::of_rddl(suite, index)?;
        if let Some(table) = table {
            return Ok(Self::new(vocabulary, Some(table))?);
        }
        // Only bundled suites have a name with a slash.
        let own = Some(suite.name()).filter(|name| name.contains('/'));
        Ok(Self::bundled(vocabulary, own.into_iter()))
    }
}
