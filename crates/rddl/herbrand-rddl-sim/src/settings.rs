//! The settings of a domain: the file `env.toml` beside it.

use herbrand_core::Group;
use herbrand_rddl::{Domain, Kind, Range, TypeId};
use herbrand_render::{Declaration, Predicate, Range as Values, RenderCode, Vocabulary};
use herbrand_text::{Faults, Source};
use serde::Deserialize;

/// Settings that RDDL cannot express: the file `env.toml` in the folder of a domain.
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

/// Why settings were rejected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingsError {
    /// Invalid TOML, an unknown key, or a value of the wrong type.
    #[error("{file}: {message}")]
    Format {
        /// The file.
        file: String,
        /// The reason, with its place.
        message: String,
    },
    /// The picture uses names that the domain does not declare, or its parts are incomplete. Contains all faults.
    #[error(transparent)]
    Render(#[from] Faults<RenderCode>),
}

impl EnvSettings {
    /// Parses an `env.toml` for a domain.
    ///
    /// # Errors
    /// If its format is invalid, or its picture does not fit the domain.
    pub fn parse(source: &Source, domain: &Domain) -> Result<Self, SettingsError> {
        let format = |error: toml::de::Error| SettingsError::Format {
            file: source.name().to_owned(),
            message: error.to_string().trim_end().to_owned(),
        };
        let mut settings: Self = toml::from_str(source.text()).map_err(format)?;
        settings.render = Declaration::from_settings(source.text()).map_err(format)?;
        if let Some(render) = &settings.render {
            render.check(&vocabulary(domain), source)?;
        }
        Ok(settings)
    }
}

/// Returns the types and fluents of a domain. Actions are not drawn.
pub(crate) fn vocabulary(domain: &Domain) -> Vocabulary {
    let type_name = |&id: &TypeId| vec![domain.type_of(id).name.to_string()];
    let predicates = domain.pvariables.iter().filter_map(|pvariable| {
        let group = match pvariable.kind {
            Kind::NonFluent => Group::Static,
            Kind::State => Group::Fluent,
            Kind::Interm | Kind::Derived => Group::Derived,
            Kind::Observ => Group::Observed,
            Kind::Action => return None,
        };
        Some(Predicate {
            name: pvariable.name.to_string(),
            parameters: pvariable.parameters.iter().map(type_name).collect(),
            group,
            range: match pvariable.range {
                Range::Bool => Values::Bool,
                Range::Int | Range::Real => Values::Number,
                Range::Item(_) => Values::Symbol,
            },
        })
    });
    Vocabulary {
        types: domain
            .types
            .iter()
            .map(|declared| declared.name.to_string())
            .collect(),
        predicates: predicates.collect(),
    }
}
