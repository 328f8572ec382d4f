//! The settings of a domain: the file `env.toml` beside it.

use herbrand_core::Group;
use herbrand_rddl::{Domain, PvariableKind, Range, TypeId};
use herbrand_render::{Declaration, DrawnPredicate, DrawnRange, PictureVocabulary, RenderCode};
use herbrand_text::{Faults, Source};
use serde::Deserialize;

/// Settings that RDDL cannot express: the file `env.toml` in the folder of a domain.
/// [`RddlSuite::settings`](crate::suite::RddlSuite::settings) returns those of a suite.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvSettings {
    /// A one-sentence description of the domain.
    #[serde(default)]
    pub description: String,
    /// The origin of the domain.
    #[serde(default)]
    pub source: String,
    /// The declaration of how states are drawn; `None` for a generic picture.
    #[serde(default, deserialize_with = "Declaration::skip")]
    pub render: Option<Declaration>,
}

impl EnvSettings {
    /// Parses an `env.toml` and checks the picture that it declares against a domain.
    ///
    /// # Errors
    /// Fails if its format is invalid, or its picture does not fit the domain. Contains all such faults. Unknown
    /// keys are faults.
    pub fn parse(source: &Source, domain: &Domain) -> Result<Self, Faults<RenderCode>> {
        let (settings, render) = Declaration::with_settings::<Self>(source)?;
        if let Some(render) = &render {
            render.check(&vocabulary(domain), source)?;
        }
        Ok(Self { render, ..settings })
    }
}

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
