//! The names and ranges that a picture of a domain can show.

use herbrand_core::Group;
use herbrand_rddl::{Domain, PvariableKind, Range, TypeId};
use herbrand_render::{DrawnPredicate, DrawnRange, PictureVocabulary};

/// Returns the types and fluents of a domain. Actions are not drawn.
pub(crate) fn vocabulary(domain: &Domain) -> PictureVocabulary {
    let type_name = |&id: &TypeId| vec![domain.type_of(id).name.to_string()];
    let predicates = domain.pvariables.iter().filter_map(|pvariable| {
        let group = match pvariable.kind {
            PvariableKind::NonFluent => Group::Static,
            PvariableKind::State => Group::Fluent,
            PvariableKind::Interm | PvariableKind::Derived => Group::Derived,
            PvariableKind::Observ => Group::Observed,
            PvariableKind::Action => return None,
        };
        Some(DrawnPredicate {
            name: pvariable.name.to_string(),
            parameters: pvariable.parameters.iter().map(type_name).collect(),
            group,
            range: match pvariable.range {
                Range::Bool => DrawnRange::Bool,
                Range::Int | Range::Real => DrawnRange::Number,
                Range::Item(_) => DrawnRange::Symbol,
            },
        })
    });
    PictureVocabulary {
        types: domain
            .types
            .iter()
            .map(|declared| declared.name.to_string())
            .collect(),
        predicates: predicates.collect(),
    }
}
